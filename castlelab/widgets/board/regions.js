// How one goes by keys from one region of a lesson or of a table to another, and on to what is next.

const PART = ".castlelab-twin-part"; // of a board: it has its own heading
/** Where F6 leads: there, and wherever there is something to do that has a name (see news.js). */
const REGIONS = `${PART}, ${NAMED}`;
const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]";
/** Where N leads: the first of these that is to be seen. */
const ONWARD = [".castlelab-next", ".castlelab-check", ".castlelab-way-on"];

/** All that belongs to a board's lesson or table. */
const cardOf = (root) => root.closest(".castlelab-lesson, .castlelab-table, .castlelab-puzzle") ?? root;

const isStop = (node) => node.tabIndex >= 0 && !node.disabled && node.checkVisibility({ visibilityProperty: true });

/** The regions of a card in which there is something to do, each with its first stop. */
function regionsOf(card) {
  const found = [...card.querySelectorAll(REGIONS)]
    .map((region) => ({ region, stop: [...region.querySelectorAll(STOPS)].find(isStop) }))
    .filter(({ stop }) => stop);
  // Where one region lies in another, both may begin with the same.
  return found.filter(({ stop }, at) => stop !== found[at + 1]?.stop);
}

function watchRegions(root, signal) {
  const card = cardOf(root);
  card.addEventListener("keydown", (event) => {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.defaultPrevented) return; // another board of this card has done it
    event.preventDefault();
    event.stopPropagation();
    const regions = regionsOf(card);
    const here = regions.findLastIndex(({ region }) => region.contains(document.activeElement));
    const count = regions.length;
    const there = event.shiftKey ? (here < 0 ? count : here) - 1 + count : here + 1;
    regions[there % count]?.stop.focus();
  }, { signal, capture: true });
}

/** Go to what leads on from a board; false if nothing does. */
function goOn(root) {
  const places = [cardOf(root), root.closest(".castlelab-step") ?? document];
  for (const place of places) {
    for (const way of ONWARD) {
      const found = [...place.querySelectorAll(way)].find(isStop);
      if (found) {
        found.focus();
        return true;
      }
    }
  }
  return false;
}

