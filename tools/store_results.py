"""Run the notebooks and store what they print and the pictures that they leave, no widgets.

The stored results are what ``make notebooks`` compares; look at the difference before you keep
it. Usage: ``python tools/store_results.py [notebook …]``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"
FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
#: What every viewer of notebooks can show, and what needs no kernel.
KEPT = ("text/plain", "image/svg+xml")


def lasting(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """What can be read without a kernel: printed lines, results, pictures as SVG, words in HTML."""
    kept: list[nbformat.NotebookNode] = []
    for output in filter(None, map(_lasting, outputs)):
        # What is printed comes in as many pieces as it happens to.
        if kept and output.output_type == kept[-1].output_type == "stream":
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


def _lasting(output: nbformat.NotebookNode) -> nbformat.NotebookNode | None:
    if output.output_type == "stream":
        return output if output.name == "stdout" else None
    if output.output_type not in ("execute_result", "display_data"):
        return None
    # A picture has its HTML only for the page on which its board may come to life again.
    kept = KEPT if "image/svg+xml" in output.data else (*KEPT, "text/html")
    data = {kind: output.data[kind] for kind in kept if kind in output.data}
    if WIDGET in output.data and "image/svg+xml" not in data:
        return None
    output.data, output.metadata = nbformat.from_dict(data), {}
    return output if data else None


def store(path: Path) -> None:
    """Run one notebook and write back what lasts of its results."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": path.parent}}).execute()
    notebook.metadata.pop("widgets", None)
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = lasting(cell.outputs)
            # nbval compares the cells that were run.
            cell.execution_count = cell.execution_count if cell.outputs else None
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for path in [Path(name) for name in sys.argv[1:]] or sorted(
        (*FOLDER.glob("*.ipynb"), *FOLDER.glob("examples/*.ipynb"))
    ):
        store(path)
