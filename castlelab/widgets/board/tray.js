// The tray of a table on a telephone: what somebody has in hand stays in sight while the board
// above it is looked at.
//
// Its tiles are cut out of the picture, which shows the same things in their places, and a tap on
// one is a tap there. So the kernel need not know, and who cannot see the picture has its twin.

const TILE_EDGE = 4; // pixels round a target, for the frame of what is offered

function watchTray(model, root, canvas, place, signal) {
  const table = root.closest(".castlelab-table");
  if (!table) return;
  const spots = findSpots(model, canvas);
  // Not a stop for keys, though it scrolls: the twin has all of it.
  const tray = element("div", { class: "castlelab-tray", "aria-hidden": "true", tabindex: "-1" });
  let [tiles, built] = [[], ""];
  place.prepend(tray);

  const boxOf = (spot) => {
    const [x, y, width, height] = spots.box(spot) ?? [0, 0, 0, 0];
    const [left, top] = [x, y].map((start) => Math.max(0, start - TILE_EDGE));
    const [right, bottom] = [canvas.width, canvas.height].map((all) => all / model.get("scale"));
    return [
      left, top,
      Math.min(right, x + width + TILE_EDGE) - left, Math.min(bottom, y + height + TILE_EDGE) - top,
    ];
  };
  const nameOf = (spot) =>
    model.get("parts").find(([, numbers]) => numbersIn(numbers).includes(spot))?.[0] ?? "";
  const build = () => {
    const kept = model.get("tray");
    const names = kept.map(nameOf);
    const wanted = JSON.stringify([kept, names]);
    if (wanted === built) return;
    built = wanted;
    tiles = kept.map((spot) => Object.assign(element("canvas"), { spot }));
    tray.replaceChildren(...tiles.flatMap((tile, at) =>
      // What comes first is what is in hand; of what follows, rows need a name and single things none.
      at && names[at] !== names[at - 1] && names[at] === names[at + 1]
        ? [element("span", {}, names[at]), tile] : [tile]));
  };
  /** Whether all that is kept here can be seen in the picture itself. */
  const isInSight = () => {
    if (root.matches(".castlelab-zoomed")) return false;
    const [on, zoom, bar] = [canvas.getBoundingClientRect(), spots.zoom(), place.getBoundingClientRect()];
    const last = bar.bottom - (bar.height - tray.offsetHeight);
    return tiles.every(({ spot }) => {
      const [, top, , height] = boxOf(spot);
      return on.top + top * zoom >= 0 && on.top + (top + height) * zoom <= last;
    });
  };
  const paint = () => {
    const scale = model.get("scale");
    const zoom = (canvas.offsetWidth * scale) / canvas.width;
    for (const tile of tiles) {
      const [left, top, width, height] = boxOf(tile.spot);
      const box = [left, top, width, height].map((length) => Math.round(length * scale));
      if (!box[2] || !box[3]) continue;
      [tile.width, tile.height] = box.slice(2);
      Object.assign(tile.style, { width: `${width * zoom}px`, height: `${height * zoom}px` });
      tile.getContext("2d").drawImage(canvas, ...box, 0, 0, box[2], box[3]);
    }
  };
  let [isDue, isNew] = [false, true];
  const renew = () => {
    isDue = false;
    if (signal.aborted) return;
    const isOfUse = NARROW.matches && model.get("narrow") && canvas.checkVisibility();
    if (isOfUse && isNew) build();
    const isShown = isOfUse && tiles.length > 0 && !isInSight();
    tray.classList.toggle("castlelab-tray-shown", isShown);
    if (isShown && isNew) {
      paint();
      isNew = false;
    }
    // The room that it needs stays, shown or not: nothing jumps when it comes.
    if (isShown) table.style.setProperty("--castlelab-tray", `${tray.offsetHeight}px`);
    else if (!isOfUse || !tiles.length) table.style.removeProperty("--castlelab-tray");
  };
  const look = () => {
    if (!isDue) requestAnimationFrame(renew);
    isDue = true;
  };
  const change = () => {
    isNew = true;
    look();
  };

  tray.addEventListener("mousedown", (event) => event.preventDefault(), { signal }); // no focus
  tray.addEventListener("click", (event) => {
    const { spot } = event.target;
    if (spot === undefined) return;
    const [left, top] = boxOf(spot);
    const zoom = (canvas.offsetWidth * model.get("scale")) / canvas.width;
    const [x, y] = [left + event.offsetX / zoom, top + event.offsetY / zoom];
    model.send({ do: "click", x, y });
  }, { signal });
  const traits = "change:tray change:boxes change:parts change:narrow";
  model.on(traits, change);
  let painter = null;
  model.widget_manager?.get_model?.(model.get("canvas"))?.then((found) => {
    if (signal.aborted) return;
    painter = found;
    painter.on("new-frame", change);
  }).catch(() => {});
  for (const type of ["scroll", "resize"]) window.addEventListener(type, look, { signal, passive: true });
  NARROW.addEventListener("change", change, { signal });
  root.addEventListener("castlelab-zoomed", look, { signal });
  const sizes = new ResizeObserver(change);
  sizes.observe(canvas);
  signal.addEventListener("abort", () => {
    model.off(traits, change);
    painter?.off("new-frame", change);
    sizes.disconnect();
    table.style.removeProperty("--castlelab-tray");
  });
  change();
}

