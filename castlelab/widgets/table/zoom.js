// A button beside a large site: its board makes the picture larger; see zoom.js of the board.

const NARROW = matchMedia("(max-width: 700px)");

function render({ model, el }) {
  const leave = new AbortController();
  const { signal } = leave;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "jupyter-button castlelab-button castlelab-sign castlelab-sign-zoom";
  button.title = "Zoom: the wheel or a finger moves the picture";
  button.textContent = "Zoom";
  button.setAttribute("aria-pressed", "false");
  el.append(button);
  const way = () => model.get("ways")[NARROW.matches ? 1 : 0] ?? [1, 0.5, 0.5];
  const table = () => el.closest(".castlelab-table");
  const settle = () => {
    button.hidden = way()[0] <= 1;
  };
  button.addEventListener("click", () => {
    const board = table()?.querySelector(".castlelab-board");
    board?.dispatchEvent(new CustomEvent("castlelab-zoom", { detail: way() }));
  }, { signal });
  document.addEventListener("castlelab-zoomed", (event) => {
    if (table()?.contains(event.target)) button.setAttribute("aria-pressed", String(event.detail > 1));
  }, { signal });
  NARROW.addEventListener("change", settle, { signal });
  settle();
  return () => leave.abort();
}

export default { render };
