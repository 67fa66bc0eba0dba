// Speaks what appears on a page because somebody has done something, lets buttons say whether what
// they open is open, and gives regions their names. A region that comes with its words is not
// spoken, and one that is there when a page opens would speak of what is no news; so there is one
// region, empty at first, for the whole page. Every widget loads this module anew, and one of them
// does it.

const NEWS = ".castlelab-told, .castlelab-news";
const TOGETHER = 150; // milliseconds within which words belong together
/** What parts of a lesson or of a table are called; of a board, they have their own headings. */
const REGION_NAMES = {
  ".castlelab-controls": "Typing",
  ".castlelab-choices": "Answers",
  ".castlelab-more-tools": "More",
  ".castlelab-tools": "Tools",
  ".castlelab-table-stage": "In place of the board",
  ".castlelab-table-why": "Rules",
  ".castlelab-table-menu": "Moves, saving and help",
  ".castlelab-table-panel": "Look back, or save",
  ".castlelab-table-tools": "Tools",
  ".castlelab-log": "What happened",
};
const NAMED = Object.keys(REGION_NAMES).join();
const TITLES = ".castlelab-log-title"; // words over a region that are its heading

/** A level for headings that come after all that the page has had so far. */
function headingLevel(root) {
  const before = [...document.querySelectorAll("h1, h2, h3, h4, h5")].filter(
    (heading) => heading.compareDocumentPosition(root) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return Number(before.at(-1)?.tagName[1] ?? 1) + 1;
}

/** Let a region say its name when somebody comes into it; some have a heading besides. */
function nameRegion(node) {
  if (node.matches(TITLES)) {
    node.setAttribute("role", "heading");
    node.setAttribute("aria-level", headingLevel(node));
  }
  const [, name] = Object.entries(REGION_NAMES).find(([kind]) => node.matches(kind)) ?? [];
  if (!name || node.hasAttribute("aria-label")) return;
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", name);
}

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

