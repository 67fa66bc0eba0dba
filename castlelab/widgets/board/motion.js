// Plays what moves from one picture of a board to the next, above the canvas, which holds the
// end at once: a motion that is cut loses nothing, and a click goes through it.
//
// What moves is cut out of the old and the new picture; only boxes and times come from the
// kernel (see castlelab.draw.motion), a message ahead of the new picture. companion.py puts
// this file before hands.js and board.js.

const GENTLY = "cubic-bezier(0.2, 0.75, 0.3, 1)";
const GRAVITY = "cubic-bezier(0.5, 0, 0.9, 0.6)";
const HERE = "translate(0px, 0px) scale(1)";
const LATEST_FRAME = 150; // milliseconds after which a new picture is taken for drawn

function watchMotion(model, root, canvas, signal) {
  const wantsLess = matchMedia("(prefers-reduced-motion: reduce)");
  const painter = model.widget_manager?.get_model?.(model.get("canvas"));
  let stage = null;
  let current = 0;
  const cut = () => {
    stage?.remove();
    stage = null;
    current += 1;
  };
  const start = async () => {
    cut();
    const motion = fromTheHand(model.get("motion"), canvas);
    if (!motion.moves || wantsLess.matches || document.hidden || !canvas.clientWidth) return;
    const mine = current;
    const before = copyOf(canvas);
    await nextFrame(painter);
    if (mine !== current || signal.aborted || !root.isConnected) return;
    stage = play(motion, before, canvas, root);
  };
  model.on("change:motion", start);
  wantsLess.addEventListener("change", cut, { signal });
  signal.addEventListener("abort", () => {
    model.off("change:motion", start);
    cut();
  });
}

function copyOf(picture) {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [picture.width, picture.height];
  copy.getContext("2d").drawImage(picture, 0, 0);
  return copy;
}

/** The new picture is on the canvas, and the screen has not shown it yet. */
function nextFrame(painter) {
  return new Promise((resolve) => {
    let model = null;
    const drawn = () => {
      clearTimeout(timer);
      model?.off("new-frame", drawn);
      requestAnimationFrame(resolve);
    };
    const timer = setTimeout(drawn, LATEST_FRAME);
    painter?.then((found) => {
      model = found;
      model.on("new-frame", drawn);
    }).catch(() => {});
  });
}

function play(motion, before, canvas, root) {
  const { scale, outlines, shift = [0, 0] } = motion;
  const stage = element("div", { class: "castlelab-motion", "aria-hidden": "true" });
  const picture = element("div");
  const [on, at] = [canvas.getBoundingClientRect(), root.getBoundingClientRect()];
  Object.assign(stage.style, {
    left: `${on.left - at.left + root.scrollLeft}px`,
    top: `${on.top - at.top + root.scrollTop}px`,
    width: `${on.width}px`,
    height: `${on.height}px`,
  });
  picture.style.transform = `scale(${(on.width * scale) / canvas.width})`;
  const frames = { before, after: canvas, shift, scale };
  const covers = element("div");
  picture.append(covers);
  stage.append(picture);
  const running = motion.moves.map((move) =>
    set(move, outlines[move.cut], frames, covers, picture),
  );
  root.append(stage);
  Promise.allSettled(running.map((animate) => animate())).then(() => stage.remove());
  return stage;
}

/** Put one thing on the stage; what is returned sets it going. */
function set(move, outline, frames, covers, picture) {
  const leaves = move.way === "fall" || move.way === "home";
  const sways = move.way === "wobble" || move.way === "topple";
  const box = leaves || sways ? (move.from ?? move.to) : move.to;
  const sprite = cutOut(leaves ? frames.before : frames.after, box, outline, frames.scale);
  sprite.dataset.way = move.way;
  const timing = { delay: move.at ?? 0, duration: move.for };
  let cover = null;
  // What stood there before shows round a thing that does not fill its box, so the ground does.
  if (sways || move.way === "tumble" || (!leaves && outline.length > 1)) {
    cover = plain(frames.after, box, outline, frames.scale);
  } else if (!leaves && move.way !== "walk") {
    const [dx, dy] = frames.shift;
    cover = cutOut(frames.before, box, outline, frames.scale, [-dx, -dy]);
  }
  if (cover) covers.append(cover);
  picture.append(sprite);
  return () => {
    if (sways) {
      // Till then the canvas shows it, or it is still on its way.
      for (const node of [sprite, cover]) {
        node.style.opacity = 0;
        node.animate([{ opacity: 1 }, { opacity: 1 }], timing);
      }
    }
    const { frames: keys, origin = "50% 50%" } = WAYS[move.way](move, box);
    sprite.style.transformOrigin = origin;
    const animation = sprite.animate(keys, { ...timing, fill: "both" });
    return animation.finished.then(() => {
      sprite.remove();
      cover?.remove();
    });
  };
}

/** How each kind of thing moves: keyframes, and the point that stays where it is. */
const WAYS = {
  fly: ({ from, to }) => ({ frames: flight(offset(from, to), HERE) }),
  home: ({ from, to }) => ({ frames: flight(HERE, offset(to, from)) }),
  come: () => ({ frames: grow(0.3), origin: "50% 100%" }),
  pave: () => ({ frames: grow(0.2) }),
  fall: (_, [left, , width]) => {
    const turn = Math.round(left + width) % 2 ? 14 : -14;
    return {
      frames: [
        { transform: "none", opacity: 1, easing: GRAVITY },
        { opacity: 1, offset: 0.7 },
        { transform: `translateY(260px) rotate(${turn}deg)`, opacity: 0 },
      ],
    };
  },
  wobble: ({ about }, box) => ({ frames: sway(), origin: seenFrom(box, about) }),
  topple: ({ about, to }, box) => {
    const turn = middle(to)[0] < about[0] ? -92 : 92;
    const lying = landing(middle(box), middle(to), about, turn);
    return {
      frames: [
        ...sway().map((key, number, all) => ({ ...key, offset: (0.45 * number) / (all.length - 1) })),
        { transform: lying, offset: 0.94, easing: "linear" },
        { transform: lying, offset: 1 },
      ],
      origin: seenFrom(box, about),
    };
  },
  walk: ({ through }, box) => {
    const [x, y] = middle(box);
    const steps = through.map(([px, py]) => ({ transform: `translate(${px - x}px, ${py - y}px)` }));
    return { frames: [{ transform: "none" }, ...steps] };
  },
  tumble: () => ({
    frames: [
      { transform: "translate(-110px, 70px) rotate(-420deg)", opacity: 0, easing: GENTLY },
      { opacity: 1, offset: 0.12 },
      { transform: "translate(8px, -6px) rotate(18deg)", offset: 0.7, easing: "ease-in-out" },
      { transform: "none", opacity: 1 },
    ],
  }),
};

function flight(first, last) {
  return [{ transform: first, easing: GENTLY }, { transform: last }];
}

function grow(from) {
  return [
    { transform: `scale(${from})`, opacity: 0, easing: GENTLY },
    { transform: "none", opacity: 1 },
  ];
}

function sway() {
  return [0, -5, 5, -4, 6, 0].map((turn) => ({ transform: `rotate(${turn}deg)`, easing: "ease-in-out" }));
}

/** What brings a box to the middle of another one, as large as fits there. */
function offset(place, box) {
  const [[toX, toY], [x, y]] = [middle(place), middle(box)];
  const scale = Math.min(place[2] / box[2], place[3] / box[3]);
  return `translate(${toX - x}px, ${toY - y}px) scale(${scale})`;
}

const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];
const seenFrom = ([left, top], [x, y]) => `${x - left}px ${y - top}px`;

/** What turns a thing about a point and brings its middle to another place. */
function landing([x, y], [toX, toY], [aboutX, aboutY], turn) {
  const angle = (turn * Math.PI) / 180;
  const [dx, dy] = [x - aboutX, y - aboutY];
  const turnedX = aboutX + dx * Math.cos(angle) - dy * Math.sin(angle);
  const turnedY = aboutY + dx * Math.sin(angle) + dy * Math.cos(angle);
  return `translate(${toX - turnedX}px, ${toY - turnedY}px) rotate(${turn}deg)`;
}

// -- pictures of pieces ------------------------------------------------------------------------

function sheet([left, top, width, height], scale) {
  const node = element("canvas");
  [node.width, node.height] = [width * scale, height * scale];
  Object.assign(node.style, {
    left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
  });
  const pen = node.getContext("2d");
  pen.scale(scale, scale);
  return [node, pen];
}

/** What a picture shows in a box, along an outline; seen from elsewhere by a shift. */
function cutOut(frame, box, outline, scale, [dx, dy] = [0, 0]) {
  const [node, pen] = sheet(box, scale);
  const [left, top, width, height] = box;
  if (outline.length) pen.clip(pathOf(outline));
  const there = [left + dx, top + dy, width, height].map((length) => length * scale);
  pen.drawImage(frame, ...there, 0, 0, width, height);
  return node;
}

/** The bare ground instead of a thing: the colour at the corner of its box. */
function plain(frame, box, outline, scale) {
  const [node, pen] = sheet(box, scale);
  const [left, top] = box;
  pen.drawImage(frame, left * scale, top * scale, 1, 1, 0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  pen.clearRect(0, 0, 2, 2);
  pen.fillStyle = pen.strokeStyle = `rgb(${red}, ${green}, ${blue})`;
  pen.lineWidth = 2.5; // what is smooth at its edge reaches a little further
  const path = pathOf(outline);
  pen.fill(path);
  pen.stroke(path);
  return node;
}

function pathOf(outline) {
  const path = new Path2D();
  for (const contour of outline) {
    if (contour.length === 5) {
      path.roundRect(...contour);
      continue;
    }
    path.moveTo(contour[0], contour[1]);
    for (let at = 2; at < contour.length; at += 2) path.lineTo(contour[at], contour[at + 1]);
    path.closePath();
  }
  return path;
}

