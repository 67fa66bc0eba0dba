// Makes a picture larger whose squares are too small, and lets it be moved about.
//
// The canvas grows and is cut to the place that it had. What is pointed at is measured from the
// canvas itself, so nobody else has to know. Whoever uses keys needs no larger squares.

const NARROW = matchMedia("(max-width: 700px)");
const TREMBLE = 8; // pixels that a finger may move and still taps

function render({ model, el }) {
  const leave = new AbortController();
  const { signal } = leave;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "jupyter-button castlelab-button castlelab-sign castlelab-sign-zoom";
  button.title = "Zoom: the wheel or a finger moves the picture";
  button.textContent = "Zoom";
  el.append(button);
  let canvas = null; // while it is enlarged
  let [x, y] = [0, 0]; // what is seen of it: from 0, its left or upper end, to 1
  const way = () => model.get("ways")[NARROW.matches ? 1 : 0] ?? [1, 0.5, 0.5];
  const table = () => el.closest(".castlelab-table");

  const show = () => {
    const [times] = way();
    const cut = (1 - 1 / times) * 100;
    canvas.style.transformOrigin = "0 0";
    canvas.style.transform = `translate(${-x * (times - 1) * 100}%, ${-y * (times - 1) * 100}%) scale(${times})`;
    canvas.style.clipPath = `inset(${y * cut}% ${(1 - x) * cut}% ${(1 - y) * cut}% ${x * cut}%)`;
  };
  const end = () => {
    if (!canvas) return;
    for (const name of ["transformOrigin", "transform", "clipPath", "touchAction"]) canvas.style[name] = "";
    canvas = null;
    table()?.classList.remove("castlelab-zoomed");
    button.setAttribute("aria-pressed", "false");
  };
  const begin = () => {
    canvas = table()?.querySelector(".castlelab-board > canvas") ?? null;
    if (!canvas) return;
    [, x, y] = way();
    canvas.style.touchAction = "pinch-zoom"; // one finger moves the picture, not the page
    table().classList.add("castlelab-zoomed");
    button.setAttribute("aria-pressed", "true");
    show();
  };
  /** Move on by so many pixels; what is left at an end moves the page. */
  const pan = (across, down) => {
    const [times] = way();
    const room = (length) => length * (times - 1);
    const [before, wanted] = [y, y + down / room(canvas.offsetHeight)];
    x = Math.min(1, Math.max(0, x + across / room(canvas.offsetWidth)));
    y = Math.min(1, Math.max(0, wanted));
    show();
    if (wanted !== y) window.scrollBy(0, down - (y - before) * room(canvas.offsetHeight));
  };
  const settle = () => {
    end();
    button.hidden = way()[0] <= 1;
  };
  button.addEventListener("click", () => (canvas ? end() : begin()), { signal });
  NARROW.addEventListener("change", settle, { signal });

  let finger = null;
  const onCanvas = (type, handle) =>
    // While the event sinks, and above the board, which keeps some of these from everybody.
    document.addEventListener(type, (event) => canvas && event.target === canvas && handle(event), {
      capture: true, passive: false, signal,
    });
  onCanvas("wheel", (event) => {
    if (event.ctrlKey) return; // the page itself is made larger
    event.preventDefault();
    if (event.shiftKey && !event.deltaX) pan(event.deltaY, 0);
    else pan(event.deltaX, event.deltaY);
  });
  onCanvas("pointerdown", (event) => {
    if (event.pointerType !== "mouse") finger = { x: event.clientX, y: event.clientY, moves: false };
  });
  onCanvas("pointermove", (event) => {
    if (event.pointerType === "mouse" || !finger) return;
    const [across, down] = [finger.x - event.clientX, finger.y - event.clientY];
    if (!finger.moves && Math.hypot(across, down) < TREMBLE) return;
    finger = { x: event.clientX, y: event.clientY, moves: true };
    pan(across, down);
  });
  for (const type of ["pointerup", "pointercancel"]) onCanvas(type, () => (finger = null));
  onCanvas("keydown", end);
  settle();
  return () => {
    end();
    leave.abort();
  };
}

export default { render };
