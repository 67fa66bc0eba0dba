// What a pointer does on a board: names what lies under it, is a hand where something can be
// picked, and carries what is in hand from one target to another.
//
// The page knows where the targets are, so nothing is asked while a pointer moves. Pressing picks
// at once, as ever; letting go over another target picks that one, too, if the press has taken
// something up. Fingers tap twice instead: a finger that moves scrolls the page.

const HOVER = 350; // milliseconds until a name is shown
const DRAG = 8; // pixels that a hand may tremble
const LATEST_ANSWER = 2000; // milliseconds after which nobody will say what became of a drop
const NOWHERE = -1;
const LONGEST_NAME = 40; // letters of a name beside the pointer

/** What was let go of lately, by canvas: whatever flies next starts from there. */
const dropped = new WeakMap();

/** The targets as the kernel has told them; points are pixels of the picture. */
function findSpots(model, canvas) {
  let [rows, boxes] = [null, []];
  const all = () => {
    if (rows !== model.get("boxes")) {
      rows = model.get("boxes");
      boxes = rows.flatMap(([x, y, width, height, across, down, count]) =>
        Array.from({ length: count }, (_, at) => [x + at * across, y + at * down, width, height]),
      );
    }
    return boxes;
  };
  const holds = (spot, [x, y]) => {
    const [left, top, width, height] = all()[spot];
    return left <= x && x < left + width && top <= y && y < top + height;
  };
  return {
    box: (spot) => all()[spot],
    holds,
    /** How many pixels of the page a pixel of the picture takes. */
    zoom: () => (canvas.getBoundingClientRect().width * model.get("scale")) / canvas.width,
    point(event) {
      const on = canvas.getBoundingClientRect();
      const [across, down] = [canvas.width / on.width, canvas.height / on.height];
      const scale = model.get("scale");
      return [((event.clientX - on.left) * across) / scale, ((event.clientY - on.top) * down) / scale];
    },
    at(point) {
      for (let spot = all().length - 1; spot >= 0; spot -= 1) {
        if (holds(spot, point)) return spot; // later ones lie in front
      }
      return NOWHERE;
    },
    name: (spot) => model.get("renamed")[spot] ?? model.get("names")[spot] ?? "",
    answers: (spot) =>
      spot !== NOWHERE && model.get("answers") && !model.get("disabled").includes(spot),
    /** Whether what lies at a point is in hand. */
    isHeld: (point) => all()[model.get("held").spot] && holds(model.get("held").spot, point),
  };
}

/** A spoken name in one short line. */
function shortName(name) {
  if (name.length <= LONGEST_NAME) return name;
  const whole = name.slice(0, LONGEST_NAME + 1).replace(/\s\S*$/, "");
  return `${whole.slice(0, LONGEST_NAME).replace(/[ ,;:.]+$/, "")}…`;
}

/** Where a point of the window is inside the board. */
function inBoard(root, left, top) {
  const at = root.getBoundingClientRect();
  return [left - at.left + root.scrollLeft, top - at.top + root.scrollTop];
}

function isOn(canvas, event) {
  return document.elementFromPoint(event.clientX, event.clientY) === canvas;
}

// -- names and the pointer ---------------------------------------------------------------------

function watchHover(model, root, canvas, spots, signal) {
  const tip = element("div", { class: "castlelab-tip", "aria-hidden": "true" });
  let [over, named, timer] = [null, NOWHERE, 0];
  const hide = () => {
    clearTimeout(timer);
    tip.remove();
    named = NOWHERE;
  };
  const show = () => {
    const name = over && named !== NOWHERE ? spots.name(named) : "";
    if (!name || !root.isConnected) return;
    tip.textContent = shortName(name);
    root.append(tip);
    place(tip, over, spots.box(named), spots.zoom(), canvas, root);
  };
  const look = () => {
    const spot = over ? spots.at(spots.point(over)) : NOWHERE;
    canvas.style.cursor = spots.answers(spot) ? "pointer" : "default";
    if (spot === named) return;
    hide();
    named = spot;
    if (spot !== NOWHERE) timer = setTimeout(show, HOVER);
  };
  const leave = () => {
    over = null;
    hide();
  };
  root.addEventListener("pointermove", (event) => {
    if (event.target !== canvas || event.pointerType !== "mouse") return leave();
    if (event.buttons) return hide();
    over = event;
    look();
  }, { signal });
  root.addEventListener("pointerleave", leave, { signal });
  window.addEventListener("scroll", () => {
    hide();
    if (over && !isOn(canvas, over)) over = null;
    look(); // something else may lie under the pointer now
  }, { signal, capture: true, passive: true });
  root.addEventListener("keydown", hide, { signal, capture: true });
  const renew = () => {
    hide();
    look();
  };
  const events = "change:boxes change:names change:renamed change:disabled";
  model.on(events, renew);
  signal.addEventListener("abort", () => {
    model.off(events, renew);
    hide();
  });
  return hide;
}

/** Put a name above its target, or below it where there is no room; never upon it if possible. */
function place(tip, pointer, [x, y, width, height], zoom, canvas, root) {
  const on = canvas.getBoundingClientRect();
  const { offsetWidth: long, offsetHeight: high } = tip;
  const [first, last] = [Math.max(on.top, 0), Math.min(on.bottom, innerHeight) - high];
  const above = on.top + y * zoom - high - 6;
  const below = on.top + (y + height) * zoom + 6;
  let top = above;
  if (above < first) top = below <= last ? below : Math.max(first, pointer.clientY - high - 16);
  const left = Math.max(on.left, Math.min(pointer.clientX - long / 2, on.right - long));
  const [atX, atY] = inBoard(root, left, top);
  Object.assign(tip.style, { left: `${Math.round(atX)}px`, top: `${Math.round(atY)}px` });
}

// -- drag and drop -----------------------------------------------------------------------------

function watchHands(model, root, canvas, signal) {
  const spots = findSpots(model, canvas);
  const hide = watchHover(model, root, canvas, spots, signal);
  let press = null;
  let ghost = null;
  const letGo = (goesBack = false) => {
    if (goesBack) ghost?.flyBack();
    else ghost?.remove();
    ghost = null;
  };
  const carry = () => {
    if (!press?.last) return;
    if (!ghost && spots.isHeld(press.point)) {
      ghost = makeGhost(model, root, canvas, spots, press.point);
      canvas.style.cursor = "grabbing";
    }
    ghost?.follow(press.last);
  };
  const move = (event) => {
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (far > DRAG || press.last) {
      press.last = event;
      carry();
    }
  };
  const release = (event) => {
    const { point, last, again, times, leave } = press;
    press = null;
    leave.abort();
    const there = spots.point(event);
    const [x, y] = there.map(Math.round);
    if (!last) {
      // A press upon what is in hand was kept from the kernel: it might have become a drag.
      if (again) model.send({ do: "click", x, y });
      return;
    }
    canvas.style.cursor = "";
    const spot = isOn(canvas, event) ? spots.at(there) : NOWHERE;
    const isUnanswered = model.get("times") === times; // a quick hand: the kernel will know
    if (spot === NOWHERE || spots.holds(spot, point) || !(ghost || isUnanswered)) {
      letGo(true);
      return;
    }
    if (ghost) dropped.set(canvas, { box: ghost.box(), time: performance.now() });
    model.send({ do: "drop", x: there[0], y: there[1], again });
    const mine = ghost;
    setTimeout(() => ghost === mine && letGo(), LATEST_ANSWER);
  };
  const cancel = () => {
    press?.leave.abort();
    press = null;
    letGo(true);
  };
  root.addEventListener("pointerdown", (event) => {
    if (press) cancel();
    hide();
    letGo();
    if (event.target !== canvas || event.pointerType !== "mouse" || event.button !== 0) return;
    const point = spots.point(event);
    if (spots.at(point) === NOWHERE) return;
    const leave = new AbortController();
    press = {
      point, leave, x: event.clientX, y: event.clientY, last: null,
      again: Boolean(spots.isHeld(point)), times: model.get("times"),
    };
    const watching = { signal: leave.signal, capture: true };
    window.addEventListener("pointermove", move, watching);
    window.addEventListener("pointerup", release, watching);
    window.addEventListener("pointercancel", cancel, watching);
    document.addEventListener("selectstart", (other) => other.preventDefault(), watching);
  }, { signal, capture: true });
  const answered = (message) => {
    // What was refused is still in hand, and goes back to its place.
    if (message?.dropped && !press) letGo(model.get("held").spot !== undefined);
  };
  model.on("change:held", carry);
  model.on("msg:custom", answered);
  signal.addEventListener("abort", () => {
    model.off("change:held", carry);
    model.off("msg:custom", answered);
    cancel();
  });
  return { keepsPress: () => Boolean(press?.again) };
}

/** The thing in hand, cut out of the picture, under the pointer. */
function makeGhost(model, root, canvas, spots, point) {
  const { box, outline } = model.get("held");
  const [left, top, width, height] = box;
  const picture = cutOut(canvas, box, outline, model.get("scale"));
  Object.assign(picture.style, { left: 0, top: 0 });
  const node = element("div", { class: "castlelab-ghost", "aria-hidden": "true" }, picture);
  const zoom = spots.zoom();
  // Held where it was taken; a thing that is smaller than its target, in its middle.
  const grip = [[point[0] - left, width], [point[1] - top, height]].map(([at, length]) =>
    at >= 0 && at <= length ? at : length / 2,
  );
  let corner = [left, top];
  const put = () => {
    const on = canvas.getBoundingClientRect();
    const [x, y] = inBoard(root, on.left + corner[0] * zoom, on.top + corner[1] * zoom);
    node.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
  };
  put();
  root.append(node);
  return {
    box: () => [...corner, width, height],
    follow(event) {
      const [x, y] = spots.point(event);
      corner = [x - grip[0], y - grip[1]];
      put();
    },
    remove: () => node.remove(),
    flyBack() {
      const before = node.style.transform;
      corner = [left, top];
      put();
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return node.remove();
      const frames = [{ transform: before, easing: GENTLY }, { transform: node.style.transform }];
      node.animate(frames, 220).finished.finally(() => node.remove());
    },
  };
}

/** A motion that begins where a thing was let go of, not where it was taken from. */
function fromTheHand(motion, canvas) {
  const drop = dropped.get(canvas);
  dropped.delete(canvas);
  if (!drop || !motion.moves || performance.now() - drop.time > LATEST_ANSWER) return motion;
  const [x, y] = middle(drop.box);
  const distance = ({ to }) => Math.hypot(middle(to)[0] - x, middle(to)[1] - y);
  const [mine] = motion.moves
    .filter(({ way }) => way === "fly")
    .sort((one, other) => distance(one) - distance(other));
  const moves = motion.moves.map((move) => (move === mine ? { ...move, from: drop.box } : move));
  return { ...motion, moves };
}

// -- the ring of the focus ---------------------------------------------------------------------

/** Whoever uses keys sees where the focus is; after a click nobody asks. */
function watchKeys(canvas, twin, signal) {
  let byKeys = null; // nobody has pressed anything yet: the browser knows what came before
  const show = () =>
    canvas.classList.toggle("castlelab-by-keys", byKeys ?? twin.matches(":has(:focus-visible)"));
  const watching = { signal, capture: true, passive: true };
  const pressed = () => {
    byKeys = false;
    show();
  };
  const typed = ({ key }) => {
    if (["Control", "Shift", "Alt", "Meta"].includes(key)) return;
    byKeys = true;
    if (twin.contains(document.activeElement)) show();
  };
  document.addEventListener("pointerdown", pressed, watching);
  document.addEventListener("keydown", typed, watching);
  twin.addEventListener("focusin", show, { signal });
  show();
}

