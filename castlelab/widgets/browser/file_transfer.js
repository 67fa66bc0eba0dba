// Files to and from the visitor's disk: one goes out as a download, one comes in through a button.

function save({ name, text }) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function initialize({ model }) {
  const hear = (message) => message.do === "save" && save(message);
  model.on("msg:custom", hear);
  return () => model.off("msg:custom", hear);
}

function render({ model, el }) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,application/json";
  input.hidden = true;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "jupyter-button castlelab-button";
  button.textContent = model.get("words");
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    const { name, size } = file;
    // A file that is too large is told of, not sent.
    const text = size > model.get("most") ? "" : await file.text();
    model.send({ do: "file", name, size, text });
    input.value = ""; // so that the same file may come again
  });
  el.append(button, input);
}

export default { initialize, render };
