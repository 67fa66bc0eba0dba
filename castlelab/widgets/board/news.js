// Speaks what appears on a page because somebody has done something, lets buttons say whether what
// they open is open, and gives regions their names. A region that comes with its words is not
// spoken, and one that is there when a page opens would speak of what is no news; so there is one
// region, empty at first, for the whole page. Every widget loads this module anew, and one of them
// does it.

const NEWS = ".castlelab-told, .castlelab-news";
const TOGETHER = 150; // milliseconds within which words belong together

function watchNews() {
  if (globalThis.castlelabNews) return;
  const region = document.createElement("div");
  region.className = "castlelab-unseen castlelab-spoken";
  region.setAttribute("role", "status");
  document.body.append(region);
  globalThis.castlelabNews = region;
  const last = new WeakMap(); // what was told by a widget: told again, it is no news
  let [waiting, timer, hasBegun] = [[], 0, false];
  for (const type of ["pointerdown", "keydown", "click"]) {
    const begin = ({ isTrusted }) => (hasBegun ||= isTrusted);
    document.addEventListener(type, begin, { capture: true, passive: true });
  }
  const speak = () => {
    region.replaceChildren(...waiting.map((words) => {
      const line = document.createElement("p");
      line.textContent = words;
      return line;
    }));
    waiting = [];
  };
  const tell = (node) => {
    const [words, widget] = [node.innerText.trim(), node.closest(".jupyter-widgets") ?? node];
    const isNew = words && last.get(widget) !== words;
    last.set(widget, words);
    if (!isNew || !hasBegun || !node.checkVisibility()) return;
    waiting.push(words);
    clearTimeout(timer);
    timer = setTimeout(speak, TOGETHER);
  };
  const mark = (button) =>
    button.setAttribute("aria-expanded", String(button.matches(".castlelab-is-open")));
  const look = (node) => {
    if (!node.matches) return;
    for (const each of [node, ...node.querySelectorAll(NEWS)]) if (each.matches(NEWS)) tell(each);
    for (const each of [node, ...node.querySelectorAll(".castlelab-opens")]) {
      if (each.matches(".castlelab-opens")) mark(each);
    }
    for (const each of [node, ...node.querySelectorAll(`${NAMED}, ${TITLES}`)]) nameRegion(each);
  };
  look(document.body);
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "attributes" && target.matches(".castlelab-opens")) mark(target);
      if (type === "attributes") nameRegion(target); // widgets get their classes late
      addedNodes.forEach(look);
    }
  }).observe(document.body, {
    childList: true, subtree: true, attributes: true, attributeFilter: ["class"],
  });
}

