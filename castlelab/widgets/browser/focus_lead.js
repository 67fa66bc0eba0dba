// Leads the keys on: what somebody worked with may be gone, and what is next lies elsewhere.

const PATIENCE = 2_000; // milliseconds until what is next must be there

function render({ model, el }) {
  el.classList.add("castlelab-lead");
  const leave = new AbortController();
  const card = () => el.closest(".castlelab-puzzle");
  let wasHere = false; // what had the focus last, though it may be gone
  const follow = ({ target }) => (wasHere = card()?.contains(target) ?? false);
  document.addEventListener("focusin", follow, { signal: leave.signal });

  /** Focus what is next as soon as it is there; whoever is busy elsewhere is left alone. */
  const lead = (until) => {
    if (leave.signal.aborted || !wasHere || !model.get("place")) return;
    const next = [...card().querySelectorAll(model.get("place"))].find((node) => node.checkVisibility());
    if (!next) {
      if (performance.now() < until) setTimeout(lead, 50, until);
      return;
    }
    next.focus({ preventScroll: true });
    // Where the page was left, what is next may be out of sight.
    const part = next.closest(".castlelab-choices, .castlelab-tools") ?? next;
    const { top } = part.getBoundingClientRect();
    if (top < 100 || top > innerHeight - 100) part.scrollIntoView({ block: "nearest" });
  };
  const begin = () => lead(performance.now() + PATIENCE);
  model.on("change:place", begin);
  return () => {
    leave.abort();
    model.off("change:place", begin);
  };
}

export default { render };
