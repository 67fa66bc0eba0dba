// Writes an answer into the cell whose output this is, where the page has cells that can be
// written to. Whether it did is told to the kernel, which asks the pupil to write it otherwise.

/** The text of an editor; every line of a short cell is in the page. */
const textOf = (editor) =>
  [...editor.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n");

const trimmed = (text) => text.replace(/\s+$/, "");

function write(el, { was, text }) {
  const editor = el.closest(".jp-CodeCell")?.querySelector(".jp-InputArea .cm-content");
  if (!editor || editor.contentEditable !== "true" || trimmed(textOf(editor)) !== trimmed(was)) {
    return false;
  }
  const before = document.activeElement;
  editor.focus();
  getSelection().selectAllChildren(editor);
  const data = new DataTransfer();
  data.setData("text/plain", text);
  editor.dispatchEvent(
    new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
  );
  before?.focus({ preventScroll: true });
  return trimmed(textOf(editor)) === trimmed(text);
}

function render({ model, el }) {
  const hear = (content) => {
    if (content.do === "keep") {
      model.send({ do: "kept", number: content.number, done: write(el, content) });
    }
  };
  model.on("msg:custom", hear);
  return () => model.off("msg:custom", hear);
}

export default { render };
