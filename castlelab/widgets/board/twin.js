// The twin of a canvas: its targets as elements, each of them where it is in the picture.
//
// Who hears the page instead of seeing it reads and plays the twin, and a finger that explores
// finds it; keys are pressed here, too, for the canvas cannot be named part by part. Nothing of it
// is seen until it is shown as text. Where a key leads is for the kernel to say, so that the
// twin and the picture always have the same focus.

const OFFERED = "you may pick this";

const numbersIn = (runs) =>
  runs.flatMap(([first, count]) => Array.from({ length: count }, (_, at) => first + at));
const cellsIn = (runs) =>
  runs.flatMap(([row, column, count]) =>
    Array.from({ length: count }, (_, at) => [row, column + at]));

/** A list of cells, or rows of them; where a grid has a hole, so has the table. */
function layOut(name, cells, places) {
  if (!places.length) return element("ul", { role: "listbox", "aria-label": name }, ...cells);
  const [tops, lefts] = [0, 1].map((at) => Math.min(...places.map((place) => place[at])));
  const width = Math.max(...places.map(([, column]) => column)) - lefts + 1;
  const rows = [];
  places.forEach(([row, column], at) => {
    (rows[row - tops] ??= [])[column - lefts] = cells[at];
  });
  const lines = Array.from(rows, (row) =>
    element("tr", { role: "row" }, ...Array.from({ length: width }, (_, at) =>
      row?.[at] ?? element("td", { role: "gridcell", class: "castlelab-no-cell" }))));
  const body = element("tbody", { role: "rowgroup" }, ...lines);
  return element("table", { role: "grid", "aria-label": name }, body);
}

/** The twin of a board, on the page. */
function buildTwin(model, root, canvas, help, signal) {
  const twin = element("div", {
    class: "castlelab-twin castlelab-over", role: "group",
    "aria-roledescription": "board", "aria-describedby": help.id,
  });
  const edge = element("p", { class: "castlelab-unseen", role: "status" });
  const spots = findSpots(model, canvas);
  let [cells, homes, built] = [[], [], ""];
  let [sent, isPressed, isOurs, edges] = [0, false, false, model.get("edges")];
  const reach = (spot, deed) => {
    sent += 1;
    model.send({ do: "reach", spot, deed, number: sent });
  };

  /** The one of its part that Tab leads to. */
  const settle = (spot) => {
    const home = homes[spot];
    if (!home) return;
    cells[home.stop].tabIndex = -1;
    home.stop = spot;
    cells[spot].tabIndex = 0;
  };
  const firstStop = () => homes.find(Boolean)?.stop;
  /** Put the focus on a target; the kernel knows, or need not. */
  const focus = (spot, options) => {
    isOurs = true;
    cells[spot]?.focus(options);
    isOurs = false;
  };

  const tell = (cell, words) => {
    const isOver = twin.classList.contains("castlelab-over");
    if (cell.words === words && cell.isOver === isOver) return;
    Object.assign(cell, { words, isOver });
    if (isOver) {
      cell.setAttribute("aria-label", words);
      cell.replaceChildren();
    } else {
      cell.removeAttribute("aria-label");
      cell.textContent = words;
    }
  };
  const name = () => {
    const offered = new Set(numbersIn(model.get("offered")));
    const [disabled, held] = [new Set(model.get("disabled")), model.get("held").spot];
    cells.forEach((cell, spot) => {
      tell(cell, spots.name(spot) + (offered.has(spot) ? `, ${OFFERED}` : ""));
      cell.classList.toggle("castlelab-offered", offered.has(spot));
      for (const [state, is] of [["disabled", disabled.has(spot)], ["selected", held === spot]]) {
        if (is) cell.setAttribute(`aria-${state}`, "true");
        else cell.removeAttribute(`aria-${state}`);
      }
    });
  };
  const place = () => {
    const [width, height] = [canvas.width, canvas.height].map((all) => all / model.get("scale"));
    cells.forEach((cell, spot) => {
      const [left, top, wide, high] = spots.box(spot) ?? [0, 0, 0, 0];
      Object.assign(cell.style, {
        left: `${(left / width) * 100}%`, top: `${(top / height) * 100}%`,
        width: `${(wide / width) * 100}%`, height: `${(high / height) * 100}%`,
      });
    });
  };
  /** Lie where the canvas lies, however large it is shown. */
  const align = () => {
    if (!root.isConnected || !canvas.offsetWidth) return;
    const on = canvas.getBoundingClientRect();
    const [left, top] = inBoard(root, on.left, on.top);
    Object.assign(twin.style, {
      transform: `translate(${left}px, ${top}px)`,
      width: `${on.width}px`, height: `${on.height}px`, clipPath: canvas.style.clipPath,
    });
  };

  const build = () => {
    const parts = model.get("parts");
    const wanted = JSON.stringify(parts);
    if (wanted === built) return;
    built = wanted;
    const last = homes.map((home) => home.stop);
    [cells, homes] = [[], []];
    const level = headingLevel(root);
    twin.replaceChildren(edge, ...parts.map(([words, numbers, places]) => {
      const kind = places.length ? ["td", "gridcell"] : ["li", "option"];
      const all = numbersIn(numbers);
      // Tab leads to where somebody was before.
      const home = { stop: all.includes(last[all[0]]) ? last[all[0]] : all[0] };
      for (const spot of all) {
        homes[spot] = home;
        cells[spot] = element(kind[0], { role: kind[1], class: "castlelab-cell", tabindex: "-1" });
        cells[spot].spot = spot;
      }
      cells[home.stop].tabIndex = 0;
      const part = element("div", { class: "castlelab-twin-part" });
      if (parts.length > 1) {
        part.append(element("div", { role: "heading", "aria-level": level }, words));
      }
      part.append(layOut(words, all.map((spot) => cells[spot]), cellsIn(places)));
      return part;
    }));
  };

  let isDue = false;
  const renew = () => {
    isDue = false;
    if (signal.aborted) return;
    const wasIn = twin.contains(document.activeElement);
    build();
    place();
    name();
    if (edges !== model.get("edges")) {
      edges = model.get("edges");
      edge.textContent = `Edge.${edges % 2 ? "\u00a0" : ""}`; // the same twice is said twice
    }
    const spot = model.get("focus");
    // Of a quick hand the kernel has yet to hear; but what was in focus may have been built anew.
    const isLost = wasIn && !twin.contains(document.activeElement);
    if (model.get("answered") < sent && !isLost) return;
    if (spot >= 0) settle(spot);
    if (wasIn && document.activeElement !== cells[spot]) {
      // An enlarged picture is moved to the focus by itself.
      const isStill = !canvas.matches(".castlelab-by-keys") || root.matches(".castlelab-zoomed");
      focus(cells[spot] ? spot : firstStop(), { preventScroll: isStill });
    }
  };

  const spotOf = (event) => event.target.closest?.(".castlelab-cell")?.spot;
  twin.addEventListener("focusin", (event) => {
    const spot = spotOf(event);
    if (spot === undefined) return;
    settle(spot);
    if (!isOurs && !isPressed) reach(spot, "");
  }, { signal });
  twin.addEventListener("click", (event) => {
    const spot = spotOf(event);
    if (spot !== undefined) reach(spot, "click");
  }, { signal });
  for (const [type, is] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
    document.addEventListener(type, () => (isPressed = is), { signal, capture: true, passive: true });
  }
  // Where a mouse is used beside fingers, it finds the canvas, which can be dragged upon.
  root.addEventListener("pointerover", ({ pointerType }) => {
    root.classList.toggle("castlelab-by-mouse", pointerType === "mouse");
  }, { signal, passive: true });
  twin.addEventListener("keydown", (event) => {
    const spot = spotOf(event);
    if (spot === undefined) return;
    const keys = ["ctrl", "meta", "shift"].filter((key) => event[`${key}Key`]);
    const isPlain = !keys.includes("ctrl") && !keys.includes("meta");
    if (isForBoard(event, model.get("own_keys"))) {
      event.preventDefault();
      // Of a quick hand the kernel knows better where the focus is by now, if it knows of any.
      const isUnknown = model.get("focus") < 0 && model.get("answered") >= sent;
      reach(isUnknown ? spot : -1, [...(isPlain ? [] : keys), event.key].join("+"));
    } else if (isPlain && !event.altKey && event.key.toLowerCase() === "n" && goOn(root)) {
      event.preventDefault();
    }
  }, { signal });
  // Whoever focuses the canvas, as ipycanvas does at a press, gets the twin: without scrolling,
  // for coordinates are read after, and only once, for a page takes its time over each change.
  canvas.focus = () => {
    if (twin.contains(document.activeElement)) return;
    const spot = model.get("focus");
    focus(cells[spot] ? spot : firstStop(), { preventScroll: true });
  };
  canvas.addEventListener("focus", () => canvas.focus(), { signal });
  for (const type of ["focusin", "focusout"]) {
    twin.addEventListener(type, () => root.classList.toggle("castlelab-in-focus", type === "focusin"), { signal });
  }

  follow(model, ["label"], signal, () => twin.setAttribute("aria-label", model.get("label")));
  renew();
  const traits = TWIN_TRAITS.map((trait) => `change:${trait}`).join(" ");
  const changed = () => {
    if (!isDue) setTimeout(renew); // once, whatever has changed at a time; the eye comes first
    isDue = true;
  };
  model.on(traits, changed);
  const sizes = new ResizeObserver(() => {
    align();
    place();
  });
  sizes.observe(canvas);
  sizes.observe(root);
  const looks = new MutationObserver(align);
  looks.observe(canvas, { attributes: true, attributeFilter: ["style", "class"] });
  root.addEventListener("scroll", align, { signal, capture: true, passive: true });
  signal.addEventListener("abort", () => {
    model.off(traits, changed);
    sizes.disconnect();
    looks.disconnect();
    twin.remove();
  });
  align();
  root.prepend(twin);
  return {
    node: twin,
    /** Show the twin as tables in place of the picture, or the picture again. */
    showAsText(is) {
      twin.classList.toggle("castlelab-over", !is);
      root.classList.toggle("castlelab-as-text", is);
      if (is) twin.style.cssText = ""; // it lies where the picture was no longer
      name();
      align();
    },
  };
}

const TWIN_TRAITS = [
  "parts", "boxes", "names", "renamed", "offered", "disabled", "held", "focus", "edges", "answered",
];

