// A field with a button: Enter does what the button does, and both send the whole text, so that
// no button is quicker than the last letter.

function render({ model, el }) {
  const label = document.createElement("label");
  const field = document.createElement("input");
  const button = document.createElement("button");
  label.textContent = model.get("label");
  field.type = "text";
  field.placeholder = model.get("placeholder");
  label.append(field);
  button.type = "button";
  button.className = "jupyter-button castlelab-button";
  button.classList.toggle("castlelab-main-button", model.get("main"));
  button.textContent = model.get("words");
  const submit = () => model.send({ do: "submit", text: field.value });
  button.addEventListener("click", submit);
  field.addEventListener("keydown", (event) => {
    event.stopPropagation(); // JupyterLab has other plans for Enter
    if (event.key === "Enter" && !event.isComposing) submit();
  });
  el.classList.add("castlelab-entry");
  el.append(label, button);
}

export default { render };
