// Copies the address of a puzzle or a game. Browsers allow that only in the very moment of a click,
// so it happens here and not in the kernel.

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https there is no clipboard, but the old way still works.
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

/** The address of this page for everybody: behind a Hub, each person is led to their own. */
function pageForAll() {
  const { pages } = document.body.dataset;
  const name = location.pathname.split("/").at(-1);
  return new URL(pages ? `${pages}${name}` : location.pathname, location.href).href;
}

function render({ model, el }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "jupyter-button castlelab-button";
  button.textContent = "Copy link";
  const said = document.createElement("span");
  said.className = "castlelab-copied";
  said.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    // In JupyterLab the address belongs to no puzzle; there the code has to do.
    const address = document.body.dataset.voila
      ? `${pageForAll()}?${model.get("query")}`
      : model.get("code");
    said.textContent = (await copy(address)) ? "Copied." : address;
    button.focus();
  });
  const renew = () => {
    said.textContent = "";
    button.disabled = !model.get("code"); // before it is known, a link would lead to nothing
  };
  renew();
  model.on("change:code", renew);
  el.append(button, said);
  return () => model.off("change:code", renew);
}

export default { render };
