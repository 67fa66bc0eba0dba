// Feels the pulse of the kernel: a board whose kernel is gone looks alive and answers nothing.

const EVERY = 8_000; // milliseconds from one beat to the next
const PATIENCE = 20_000; // without an answer; a busy kernel may take some time

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** The message and, on a page that runs its cells by itself, the way on. */
function news(model) {
  const words = element("p", {}, model.get("words"));
  if (!document.getElementById("castlelab-bar")) {
    return [words, element("p", {}, model.get("in_lab"))];
  }
  const button = element("button", { type: "button" }, model.get("action"));
  button.addEventListener("click", () => location.reload());
  return [words, button];
}

function render({ model, el }) {
  const box = element("div", { class: "castlelab-pulse", role: "alert" });
  el.append(box);
  let heard = performance.now();
  const hear = (content) => {
    if (content?.do !== "alive") return;
    heard = performance.now();
    box.replaceChildren();
  };
  const beat = () => {
    // A tab in the background has its clock slowed down; nobody looks at it anyway.
    if (document.hidden) heard = performance.now();
    try {
      model.send({ do: "alive?" });
    } catch {
      heard = -PATIENCE; // the connection is closed for good
    }
    if (performance.now() - heard > PATIENCE && !box.hasChildNodes()) box.append(...news(model));
  };
  model.on("msg:custom", hear);
  const timer = setInterval(beat, EVERY);
  return () => {
    clearInterval(timer);
    model.off("msg:custom", hear);
  };
}

export default { render };
