// The log of a table: what has happened, in lines that lead back there, and the pace of bots.
//
// Lines come by messages: how many of those before still hold, then the new ones. Where the page
// is narrow the log is a drawer, and its handle tells the last line.

const PACE = "castlelab-pace"; // where the browser keeps it
const LONG = 18; // letters of a name that may be broken
const AIR = 6; // pixels below the last line
const PACES = { off: "at once", quick: "quick", normal: "normal" };
const WAY = "castlelab-words"; // the same for how much is said after a move
const WAYS = { brief: "brief", normal: "normal", full: "full" };

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function kept(key) {
  try {
    return localStorage.getItem(key) ?? "normal";
  } catch {
    return "normal"; // a browser that keeps nothing
  }
}

function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it holds for this table.
  }
}

/** A choice that the browser keeps; `tell` gets what is chosen. */
function keptChoice(key, label, short, options, tell) {
  const choice = element("select", { "aria-label": label });
  for (const [value, words] of Object.entries(options)) {
    choice.append(element("option", { value }, `${short}: ${words}`));
  }
  choice.value = kept(key) in options ? kept(key) : "normal";
  choice.addEventListener("change", () => {
    keep(key, choice.value);
    tell(choice.value);
  });
  return choice;
}

function render({ model, el }) {
  const emblems = new Map();
  const list = element("ol", { "aria-label": "What happened" });
  const scroll = element("div", { class: "castlelab-log-lines" }, list);
  const handle = element("button", { type: "button", class: "castlelab-handle", "aria-expanded": "false" });
  const heading = element("p", { class: "castlelab-log-title" }, "What happened");
  const choice = keptChoice(PACE, "Bots’ moves", "Bots", PACES, (pace) => model.send({ do: "pace", pace }));
  const way = keptChoice(WAY, "Words after a move", "Say", WAYS, (chosen) => model.send({ do: "say", way: chosen }));
  way.classList.add("castlelab-way");
  el.append(element("div", { class: "castlelab-log-head" }, heading, handle, way, choice), scroll);
  handle.addEventListener("click", () => {
    const open = el.classList.toggle("castlelab-open");
    handle.setAttribute("aria-expanded", String(open));
    if (open) show();
  });

  const picture = (name, words, kind = "") =>
    element("img", { class: `castlelab-emblem ${kind}`, src: emblems.get(name) ?? "", alt: words });
  const thing = (words, name, named) => {
    if (!named) return [picture(name, words)];
    // A picture stays on one line with its name, or with the first word of a long one.
    const [first, ...rest] = words.length > LONG ? words.split(" ") : [words];
    const start = element("span", { class: "castlelab-thing" }, picture(name, "", "castlelab-named"), ` ${first}`);
    return rest.length ? [start, ` ${rest.join(" ")}`] : [start];
  };
  const lineOf = ([number, seat, group, ...parts]) => {
    const words = parts.flatMap((part) => (typeof part === "string" ? [part] : thing(...part)));
    const sign = picture(`seat ${seat}`, "");
    const button = element("button", { type: "button" }, sign, element("span", {}, ...words));
    button.addEventListener("click", () => model.send({ do: "look", number }));
    const line = element("li", {}, button);
    line.dataset.number = number;
    line.dataset.group = group;
    return line;
  };
  const lines = () => [...list.querySelectorAll("li[data-number]")];
  const show = () => {
    const marked = list.querySelector("[aria-current]");
    if (!marked) return;
    const [outer, inner] = [scroll.getBoundingClientRect(), marked.getBoundingClientRect()];
    const below = Math.max(0, inner.bottom + AIR - outer.bottom);
    scroll.scrollTop += below - Math.max(0, outer.top - inner.top);
  };
  const mark = () => {
    const all = lines();
    for (const line of all) {
      if (Number(line.dataset.number) === model.get("marked")) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    }
    const last = all.at(-1)?.querySelector("button");
    handle.replaceChildren(...(last ?? element("p", {}, "Nothing has happened yet.")).cloneNode(true).childNodes);
    show();
  };
  const hear = ({ keep, lines: news, emblems: pictures }) => {
    if (!news) return;
    for (const [name, address] of Object.entries(pictures)) emblems.set(name, address);
    const before = lines();
    for (const line of before.slice(keep)) {
      if (line.previousElementSibling?.matches(".castlelab-group")) line.previousElementSibling.remove();
      line.remove();
    }
    let group = lines().at(-1)?.dataset.group;
    for (const told of news) {
      const line = lineOf(told);
      if (line.dataset.group && line.dataset.group !== group) {
        const [first, rest] = [line.dataset.group.slice(0, 1), line.dataset.group.slice(1)];
        list.append(element("li", { class: "castlelab-group" }, first.toUpperCase() + rest));
      }
      list.append(line);
      group = line.dataset.group;
    }
    mark();
  };
  const mind = () => {
    choice.hidden = !model.get("has_bots");
    mark();
  };
  const watch = new ResizeObserver(show); // pictures come after their lines, and parts above grow
  watch.observe(scroll);
  watch.observe(list);
  model.on("msg:custom", hear);
  model.on("change:marked change:has_bots", mind);
  mind();
  model.send({ do: "say", way: way.value });
  model.send({ do: "ready", pace: choice.value });
  return () => {
    watch.disconnect();
    model.off("msg:custom", hear);
    model.off("change:marked change:has_bots", mind);
  };
}

export default { render };
