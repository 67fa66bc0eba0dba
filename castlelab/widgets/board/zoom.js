// Makes a picture larger, up to four times, and lets it be moved about: by buttons, by the keys
// + - 0, by the wheel and by a finger. Whoever goes about by keys is followed. On a narrow page a
// finger that taps what is too small for it makes the picture larger there, and picks with the next
// tap.
//
// The canvas grows and is cut to the place that it had. What is pointed at is measured from the
// canvas itself, so nobody else has to know.

const STEPS = [1, 1.5, 2, 3, 4];
const FINGER = 40; // pixels that a finger hits
const AT_LEAST = 1.8; // times, or one would hardly see that it is larger
const TREMBLE = 8; // pixels that a finger may move and still taps
const OUTER = 0.2; // of the window, at its ends, where bars may lie over the board
const STEP = 0.25; // of what is seen, by Shift and an arrow
const PANS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

/** Others ask for it by an event on the board, with how large and round which point. */
function watchZoom(model, root, canvas, twin, signal) {
  let times = 1;
  let [x, y] = [0.5, 0.5]; // what is seen of it: from 0, its left or upper end, to 1
  const within = (share) => Math.min(1, Math.max(0, share));
  const shown = document.createElement("span");
  shown.setAttribute("role", "status");

  const show = () => {
    const isLarger = times > 1;
    const cut = (1 - 1 / times) * 100;
    const [left, top] = [-x * (times - 1) * 100, -y * (times - 1) * 100];
    const wanted = {
      transformOrigin: "0 0",
      transform: `translate(${left}%, ${top}%) scale(${times})`,
      clipPath: `inset(${y * cut}% ${(1 - x) * cut}% ${(1 - y) * cut}% ${x * cut}%)`,
      touchAction: "pinch-zoom", // one finger moves the picture, not the page
    };
    for (const [name, value] of Object.entries(wanted)) canvas.style[name] = isLarger ? value : "";
    root.classList.toggle("castlelab-zoomed", isLarger);
  };
  const become = (wanted, across = x, down = y) => {
    const before = times;
    [times, x, y] = [Math.min(STEPS.at(-1), Math.max(1, wanted)), within(across), within(down)];
    show();
    if (times === before) return;
    shown.textContent = `${Math.round(times * 100)} %`;
    root.dispatchEvent(new CustomEvent("castlelab-zoomed", { bubbles: true, detail: times }));
  };
  /** The point of the picture that is to be in the middle, from 0 to 1. */
  const lookAt = (across, down) => {
    const share = (middle) => within((middle * times - 0.5) / (times - 1));
    [x, y] = [share(across), share(down)];
    show();
    const on = canvas.getBoundingClientRect();
    const there = on.top + down * on.height; // the place of the board may be higher than the window
    if (there < innerHeight * OUTER || there > innerHeight * (1 - OUTER)) {
      window.scrollBy(0, there - innerHeight / 2);
    }
  };
  const larger = () => {
    const isFirst = times === 1;
    become(STEPS.find((step) => step > times + 0.01) ?? times);
    const eye = model.get("eye");
    if (isFirst && eye.length) lookAt(...eye);
  };
  const smaller = () => become(STEPS.findLast((step) => step < times - 0.01) ?? 1);
  /** Move on by so many pixels; what is left at an end moves the page. */
  const pan = (across, down, rest = true) => {
    const room = (length) => length * (times - 1);
    const [before, wanted] = [y, y + down / room(canvas.offsetHeight)];
    [x, y] = [within(x + across / room(canvas.offsetWidth)), within(wanted)];
    show();
    if (rest && wanted !== y) window.scrollBy(0, down - (y - before) * room(canvas.offsetHeight));
  };

  const buttons = document.createElement("div");
  buttons.className = "castlelab-size";
  for (const [sign, words, act] of [["+", "Larger picture", larger], ["−", "Smaller picture", smaller]]) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: sign, title: words, tabIndex: -1 });
    button.setAttribute("aria-label", words); // keys have + and -, and need no further stops
    button.addEventListener("click", act, { signal });
    buttons.append(button);
  }
  buttons.append(shown);
  root.querySelector(".castlelab-controls")?.append(buttons);

  root.addEventListener("castlelab-zoom", ({ detail }) => {
    if (times > 1) become(1);
    else become(...detail);
  }, { signal });
  NARROW.addEventListener("change", () => become(1), { signal });
  follow(model, ["eye"], signal, () => {
    const eye = model.get("eye");
    if (times > 1 && eye.length && canvas.matches(".castlelab-by-keys")) lookAt(...eye);
  });

  const onCanvas = (type, handle) =>
    // While the event sinks, and above the board, which keeps some of these from everybody.
    document.addEventListener(type, (event) => event.target === canvas && handle(event), {
      capture: true, passive: false, signal,
    });
  const whenLarger = (handle) => (event) => times > 1 && handle(event);
  document.addEventListener("keydown", (event) => {
    if (event.target !== canvas && !twin.contains(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return; // the page itself is made larger
    const keys = { "+": larger, "=": larger, "-": smaller, "−": smaller, 0: () => become(1) };
    const moves = event.shiftKey && times > 1 ? PANS[event.key] : undefined;
    if (moves) pan(moves[0] * canvas.offsetWidth, moves[1] * canvas.offsetHeight, false);
    else if (Object.hasOwn(keys, event.key)) keys[event.key]();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true, signal });
  onCanvas("wheel", whenLarger((event) => {
    if (event.ctrlKey) return; // the page itself is made larger
    event.preventDefault();
    if (event.shiftKey && !event.deltaX) pan(event.deltaY, 0);
    else pan(event.deltaX, event.deltaY);
  }));
  let finger = null;
  onCanvas("pointerdown", whenLarger((event) => {
    if (event.pointerType !== "mouse") finger = { x: event.clientX, y: event.clientY, moves: false };
  }));
  onCanvas("pointermove", (event) => {
    if (event.pointerType === "mouse" || !finger || times === 1) return;
    const [across, down] = [finger.x - event.clientX, finger.y - event.clientY];
    if (!finger.moves && Math.hypot(across, down) < TREMBLE) return;
    finger = { x: event.clientX, y: event.clientY, moves: true };
    pan(across, down);
  });
  for (const type of ["pointerup", "pointercancel"]) onCanvas(type, () => (finger = null));
  tapToEnlarge(model, root, canvas, twin, () => times > 1, become, signal);
}

function tapToEnlarge(model, root, canvas, twin, isLarger, become, signal) {
  const spots = findSpots(model, canvas);
  let wanted = null; // how large, and the point that stays where it is
  const watch = (type, handle) =>
    document.addEventListener(type, (event) => {
      if (event.target === canvas || twin.contains(event.target)) handle(event);
    }, { capture: true, signal });
  watch("pointerdown", (event) => {
    wanted = null;
    if (event.pointerType === "mouse" || isLarger() || !NARROW.matches) return;
    if (root.matches(".castlelab-as-text")) return;
    const point = spots.point(event);
    const spot = spots.at(point);
    if (!spots.answers(spot)) return;
    const [, , width, height] = spots.box(spot);
    const size = Math.min(width, height) * spots.zoom();
    if (size > FINGER - 1) return;
    const [across, down] = [canvas.width, canvas.height].map((all) => all / model.get("scale"));
    wanted = [Math.max(AT_LEAST, FINGER / size), point[0] / across, point[1] / down];
  });
  watch("mousedown", (event) => {
    if (!wanted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  watch("click", (event) => {
    if (!wanted) return;
    event.stopImmediatePropagation();
    become(...wanted);
    wanted = null;
  });
}

