// Buttons that hand texts over to the visitor: as a file, in a window to print, to paste.
// All of it happens in the browser, so it works offline, and nothing is stored on a server.

const LONGEST_ADDRESS = 2_000;

const DEEDS = {
  save({ name, type, text }) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // slow disks need it a while
    return `${name} is saved where your browser keeps downloads.`;
  },
  open({ type, text }) {
    const opened = window.open(URL.createObjectURL(new Blob([text], { type })));
    return opened ? "Opened in a new tab: print it from there." : "Your browser blocks new tabs.";
  },
  async copy({ text }) {
    try {
      await navigator.clipboard.writeText(text);
      return "Copied.";
    } catch {
      // Pages that do not come by https or from this computer have no clipboard.
      return copyByHand(text) ? "Copied." : "Your browser does not allow copying.";
    }
  },
};

function copyByHand(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
  }
}

function initialize({ model }) {
  // JupyterLab's own address leads to no page. Behind a Hub, each person is led to their own.
  const { pages, voila } = document.body.dataset;
  const href = new URL(pages ?? location.href, location.href).href;
  const address = voila ? href.slice(0, LONGEST_ADDRESS) : "";
  model.send({ do: "address", address });
}

function render({ model, el }) {
  watchNews();
  el.classList.add("castlelab-export");
  const told = document.createElement("span");
  told.setAttribute("role", "status");

  const button = (offer) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "jupyter-button castlelab-button";
    made.textContent = offer.label;
    made.addEventListener("click", async () => {
      const text = model.get("texts")[offer.text];
      told.textContent = await DEEDS[offer.deed]({ ...offer, text });
      made.focus();
    });
    return made;
  };
  const draw = () => {
    told.textContent = "";
    el.replaceChildren(...model.get("buttons").map(button), told);
  };
  model.on("change:buttons", draw);
  draw();
  return () => model.off("change:buttons", draw);
}

export default { initialize, render };
