// Leads the keys on: what somebody worked with may be gone, and what is next lies elsewhere.

const PATIENCE = 2_000; // milliseconds until what is next must be there

const isSeen = (node) => node?.isConnected && node.checkVisibility();

function render({ model, el }) {
  el.classList.add("castlelab-lead");
  const leave = new AbortController();
  let last = null;
  let wasHere = false; // what had the focus last, though it may be gone
  const follow = ({ target }) => {
    last = target;
    wasHere = el.closest(".castlelab-puzzle")?.contains(target) ?? false;
  };
  document.addEventListener("focusin", follow, { signal: leave.signal });

  const lead = () => {
    const card = el.closest(".castlelab-puzzle");
    const before = last; // does it move by itself meanwhile?
    const until = performance.now() + PATIENCE;
    // Whoever is busy elsewhere is left alone.
    const now = document.activeElement;
    const isHere = card?.contains(now) || (now === document.body && wasHere);
    if (!isHere || !model.get("place")) return;
    const look = () => {
      if (leave.signal.aborted || last !== before) return;
      const next = [...card.querySelectorAll(model.get("place"))].find(isSeen);
      if (!next) {
        if (performance.now() < until) setTimeout(look, 50);
        return;
      }
      next.focus({ preventScroll: true });
      // Where the page was left, what is next may be out of sight.
      const part = next.closest(".castlelab-choices, .castlelab-tools") ?? next;
      const { top } = part.getBoundingClientRect();
      if (top < 100 || top > innerHeight - 100) part.scrollIntoView({ block: "nearest" });
    };
    look();
  };
  model.on("change:place", lead);
  return () => {
    leave.abort();
    model.off("change:place", lead);
  };
}

export default { render };
