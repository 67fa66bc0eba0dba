// Stands beside the canvas of a board: gives it a twin that can be heard and played by keys (see
// twin.js), lets the page keep what is the page's (the wheel, swipes), and speaks what happens.
//
// It tells the kernel by messages only, never by changing the model: JupyterLab sends changes of
// state to another thread of the kernel than messages, and the two may overtake one another.

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const KEYS = new Set([...ARROWS, "Home", "End", "Enter", " ", "u", "r"]);
const UNDO_KEYS = new Set(["z", "y"]);
const NARROW = matchMedia("(max-width: 700px)");
// ipycanvas answers each of these with a message or swallows it; a board needs none of them.
// A tap then arrives as a mouse press, once, and a swipe scrolls the page.
const UNWANTED = [
  "mousemove", "mouseup", "mouseout", "wheel",
  "touchstart", "touchmove", "touchend", "touchcancel",
];
const HELP =
  "Arrow keys, Home and End move within a part of the board, F6 and Shift+F6 go from part to part, " +
  "Enter or Space picks.";
const ONWARD_HELP = "N goes to Check or Next."; // where no key of the board's own has that letter

/** An id that nothing else on the page has; every widget loads this module anew. */
function newId(kind) {
  globalThis.castlelabIds = (globalThis.castlelabIds ?? 0) + 1;
  return `castlelab-${kind}-${globalThis.castlelabIds}`;
}

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function isForBoard(event, ownKeys) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return UNDO_KEYS.has(key);
  return KEYS.has(key) || ownKeys.includes(key);
}

/** Whether the page behind a node is dark, whatever made it so. */
function isDark(node) {
  for (let at = node; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    const [red, green, blue, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
    if (colour.startsWith("rgb") && alpha > 0.5) {
      return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
    }
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches;
}

function watchTheme(model, root, signal) {
  let told = model.get("dark");
  const report = () => {
    if (signal.aborted || !root.isConnected) return;
    const dark = isDark(root.parentElement);
    if (dark !== told) model.send({ do: "theme", dark });
    told = dark;
  };
  // A theme's style sheet may arrive a little after its name.
  const later = () => [0, 100, 600].forEach((delay) => setTimeout(report, delay));
  const observer = new MutationObserver(later);
  for (const node of [document.documentElement, document.body]) {
    observer.observe(node, { attributes: true });
  }
  // Paper is light: see print.css.
  const mark = () => root.classList.toggle("castlelab-drawn-dark", model.get("dark"));
  model.on("change:dark", mark);
  mark();
  signal.addEventListener("abort", () => {
    observer.disconnect();
    model.off("change:dark", mark);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", later, { signal });
  later();
}

/** Tell the kernel whether the page is narrow: pictures are then laid out anew, not shrunk. */
function watchWidth(model, signal) {
  const report = () => model.send({ do: "width", narrow: NARROW.matches });
  NARROW.addEventListener("change", report, { signal });
  report();
}

function guardCanvas(model, root, canvas, hands, signal) {
  const onCanvas = (type, handle, options = {}) =>
    // On the root and while the event sinks: before ipycanvas, whose listeners sit on the canvas.
    root.addEventListener(type, (event) => event.target === canvas && handle(event), {
      capture: true, signal, ...options,
    });
  for (const type of UNWANTED) {
    onCanvas(type, (event) => event.stopImmediatePropagation(), { passive: true });
  }
  onCanvas("mousedown", (event) => {
    event.preventDefault(); // the focus goes to the twin, at once
    if (event.button === 0) canvas.focus();
    if (event.button !== 0 || hands.keepsPress()) event.stopImmediatePropagation();
  });
}

/** Whatever can be heard of a canvas is in its twin. */
function hushCanvas(canvas) {
  canvas.setAttribute("tabindex", "-1");
  canvas.setAttribute("aria-hidden", "true");
}

/** Say in the title of the page whose turn it is at a table, as long as that is to be seen. */
function watchTurn(model, root, signal) {
  if (!document.body.matches(".jp-Notebook")) return; // in JupyterLab the title is not ours
  let said = "";
  const tell = () => {
    const own = document.title.startsWith(said) ? document.title.slice(said.length) : document.title;
    said = model.get("turn") && root.checkVisibility() ? `${model.get("turn")} – ` : "";
    if (document.title !== said + own) document.title = said + own;
  };
  const sizes = new ResizeObserver(tell); // it comes to be seen, or goes, with its step
  sizes.observe(root);
  signal.addEventListener("abort", () => sizes.disconnect());
  follow(model, ["turn"], signal, tell);
}

/** Run now and whenever one of the names changes. */
function follow(model, names, signal, run) {
  const events = names.map((name) => `change:${name}`).join(" ");
  model.on(events, run);
  signal.addEventListener("abort", () => model.off(events, run));
  run();
}

/** The lines below the canvas: where the focus is, and what was said. */
function buildWords(model, signal) {
  // The twin has the focus and says where that is: this line is for the eyes.
  const where = element("p", { class: "castlelab-where", "aria-hidden": "true" });
  // What was said before there was anybody to hear it is there to be read, and is not news.
  const before = element("div", { class: "castlelab-said" });
  const status = element("div", { class: "castlelab-said castlelab-ok", role: "status" });
  const alert = element("div", { class: "castlelab-said castlelab-not-ok", role: "alert" });
  follow(model, ["where"], signal, () => {
    where.textContent = model.get("where");
  });
  // In a box of their own: where there are more than have room, the last ones are seen.
  const lines = () => {
    const said = model.get("said").map((line) => element("p", {}, line));
    return said.length ? [element("div", {}, ...said)] : [];
  };
  before.classList.add(model.get("ok") ? "castlelab-ok" : "castlelab-not-ok");
  before.append(...lines());
  const tell = () => {
    const [speaker, silent] = model.get("ok") ? [status, alert] : [alert, status];
    before.replaceChildren();
    silent.replaceChildren();
    speaker.replaceChildren(...lines());
  };
  const changes = "change:said change:ok change:times";
  model.on(changes, tell);
  signal.addEventListener("abort", () => model.off(changes, tell));
  return element("div", { class: "castlelab-words" }, where, before, status, alert);
}

function buildControls(model, signal) {
  const row = element("div", { class: "castlelab-controls" });
  for (const [name, word] of [["undo", "Undo"], ["redo", "Redo"]]) {
    if (!model.get(`has_${name}`)) continue;
    const button = element("button", { type: "button" }, word);
    button.addEventListener("click", () => model.send({ do: name }), { signal });
    follow(model, [`can_${name}`], signal, () => {
      // aria-disabled rather than disabled: the button keeps the focus it may have.
      button.setAttribute("aria-disabled", String(!model.get(`can_${name}`)));
    });
    row.append(button);
  }
  if (model.get("has_text")) row.append(buildForm(model, signal));
  return row;
}

function buildForm(model, signal) {
  const id = newId("text");
  const input = element("input", {
    id, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
  });
  const button = element("button", { type: "button", class: "castlelab-main" }, "Do it");
  // Not a <form>: JupyterLab keeps Enter from submitting one.
  const form = element(
    "div", { class: "castlelab-form" },
    element("label", { for: id }, model.get("asks")), input, button,
  );
  const hint = model.get("hint");
  if (hint) {
    form.append(element("span", { class: "castlelab-hint", id: `${id}-hint` }, hint));
    input.setAttribute("aria-describedby", `${id}-hint`);
  }
  const submit = () => model.send({ do: "write", text: input.value });
  button.addEventListener("click", submit, { signal });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) submit();
  }, { signal });
  follow(model, ["accepted"], signal, () => {
    input.value = "";
  });
  return form;
}

function paintWith(model, root, signal) {
  follow(model, ["palette"], signal, () => {
    for (const [role, colour] of Object.entries(model.get("palette"))) {
      root.style.setProperty(`--castlelab-${role}`, colour);
    }
  });
}

/** Whether anything is on a canvas; the background is always painted. */
function isDrawn(canvas) {
  const { width, height } = canvas;
  if (!width || !height) return false;
  // Looked at through a canvas of one pixel: one that is read itself is drawn more slowly.
  const spot = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  spot.drawImage(canvas, 0, 0, 1, 1);
  return spot.getImageData(0, 0, 1, 1).data[3] > 0;
}

/** Let a board take the place of its picture as soon as the kernel has drawn it for this page. */
async function comeAlive(model, root, canvas, signal) {
  const painter = model.widget_manager?.get_model?.(model.get("canvas"));
  const isThere = () => model.get("narrow") === NARROW.matches && isDrawn(canvas);
  while (!signal.aborted && !isThere()) await nextFrame(painter);
  for (let at = root; at; at = at.parentElement) {
    if (/castlelab-shown-/.test(at.className)) at.classList.add("castlelab-alive");
  }
}

/** The board that this view belongs to, once it is on the page. */
async function findBoard(el, signal) {
  while (!signal.aborted) {
    const root = el.closest(".castlelab-board");
    const canvas = root?.querySelector(":scope > canvas");
    if (canvas && root.isConnected) return { root, canvas };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {};
}

function render({ model, el }) {
  const leave = new AbortController();
  const { signal } = leave;
  const help = element("p", { class: "castlelab-unseen", id: newId("help") });
  follow(model, ["about"], signal, () => {
    const onward = model.get("own_keys").includes("n") ? "" : ONWARD_HELP;
    const words = [model.get("about"), HELP, onward, model.get("keys_help")];
    help.textContent = words.filter(Boolean).join(" ");
  });
  const asText = element(
    "button", { type: "button", class: "castlelab-show-text", "aria-pressed": "false" }, "Show as text",
  );
  watchNews();
  const controls = buildControls(model, signal);
  el.append(buildWords(model, signal), controls, help);
  findBoard(el, signal).then(({ root, canvas }) => {
    if (!canvas) return;
    // JupyterLab would otherwise act upon keys pressed in an output: Enter edits the cell.
    root.setAttribute("data-lm-suppress-shortcuts", "true");
    comeAlive(model, root, canvas, signal);
    paintWith(model, root, signal);
    hushCanvas(canvas);
    const twin = buildTwin(model, root, canvas, help, signal);
    guardCanvas(model, root, canvas, watchHands(model, root, canvas, signal), signal);
    watchZoom(model, root, canvas, twin.node, signal);
    watchTray(model, root, canvas, el, signal);
    watchSounds(model, signal);
    watchKeys(canvas, twin.node, signal);
    watchRegions(root, signal);
    watchTurn(model, root, signal);
    if (model.get("has_text") || cardOf(root) !== root) controls.append(asText);
    asText.addEventListener("click", () => {
      const is = asText.getAttribute("aria-pressed") !== "true";
      asText.setAttribute("aria-pressed", String(is));
      twin.showAsText(is);
    }, { signal });
    for (const type of ["keydown", "keypress", "keyup"]) {
      root.addEventListener(type, (event) => event.stopPropagation(), { signal });
    }
    watchTheme(model, root, signal);
    watchWidth(model, signal);
    watchMotion(model, root, canvas, signal);
    root.setAttribute("data-castlelab", "ready");
  });
  return () => leave.abort();
}

export default { render };
