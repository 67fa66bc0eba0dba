// Watches the connection to the kernel: a board whose kernel is gone looks alive and answers nothing.
// And it looks after the focus: a button that was pressed may be gone when its work is done, and
// whoever plays with the keyboard would have to begin at the top of the page.

const EVERY = 8_000; // milliseconds from one beat to the next
const PATIENCE = 20_000; // without an answer; a busy kernel may take some time
const FORGOTTEN = 300_000; // without a hand on the page; a question would keep its kernel from ending

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** The message and, on a page that runs its cells by itself, the way on. */
function news(model) {
  const words = element("p", {}, model.get("words"));
  if (!document.getElementById("castlelab-bar")) {
    return [words, element("p", {}, model.get("in_lab"))];
  }
  const button = element("button", { type: "button" }, model.get("action"));
  button.addEventListener("click", () => location.reload());
  return [words, button];
}

const NEXT = ".castlelab-board[data-castlelab=ready] canvas, .castlelab-setup select";

/** When the thing with the focus goes, hand the focus to the board, or to the first choice. */
function mindFocus(el, signal) {
  let last = null;
  const roomOf = (node) => node?.closest?.(".castlelab-room");
  const follow = (event) => {
    last = roomOf(event.target) && roomOf(event.target) === roomOf(el) ? event.target : null;
  };
  const look = () => {
    const lost = last && !last.isConnected && document.activeElement === document.body;
    const next = lost && roomOf(el)?.querySelector(NEXT);
    if (next) next.focus({ preventScroll: next.getBoundingClientRect().top >= 0 });
  };
  document.addEventListener("focusin", follow, { signal });
  // A board is there some time before it can be used; to look is cheaper than to watch it.
  const timer = setInterval(look, 150);
  signal.addEventListener("abort", () => clearInterval(timer));
}

function render({ model, el }) {
  watchNews();
  const box = element("div", { class: "castlelab-connection", role: "alert" });
  el.append(box);
  let heard = performance.now();
  let touched = heard;
  const touch = () => (touched = performance.now());
  const hear = (content) => {
    if (content?.do !== "alive") return;
    heard = performance.now();
    box.replaceChildren();
  };
  const beat = () => {
    // A tab in the background has its clock slowed down; nobody looks at it anyway.
    if (document.hidden || performance.now() - touched > FORGOTTEN) {
      heard = performance.now();
      return;
    }
    try {
      model.send({ do: "alive?" });
    } catch {
      heard = -PATIENCE; // the connection is closed for good
    }
    const told = box.hasChildNodes() || document.getElementById("castlelab-gone"); // by the page
    if (performance.now() - heard > PATIENCE && !told) box.append(...news(model));
  };
  model.on("msg:custom", hear);
  const timer = setInterval(beat, EVERY);
  const leave = new AbortController();
  for (const act of ["pointerdown", "keydown"]) {
    document.addEventListener(act, touch, { capture: true, signal: leave.signal });
  }
  mindFocus(el, leave.signal);
  return () => {
    leave.abort();
    clearInterval(timer);
    model.off("msg:custom", hear);
  };
}

export default { render };
