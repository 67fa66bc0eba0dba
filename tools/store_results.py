"""Run the notebooks and store what they print, without widgets and pictures.

The stored plain-text results are what ``make notebooks`` compares; look at the difference
before you keep it. Usage: ``python tools/store_results.py [notebook …]``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
WIDGET = "application/vnd.jupyter.widget-view+json"


def plain(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Only what is text: printed lines, and results that are not widgets or pictures."""
    return [
        output
        for output in outputs
        if (output.output_type == "stream" and output.name == "stdout")
        or (output.output_type == "execute_result" and set(output.data) == {"text/plain"})
    ]


def store(path: Path) -> None:
    """Run one notebook and write its plain results back into it."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": path.parent}}).execute()
    notebook.metadata.pop("widgets", None)
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = plain(cell.outputs)
            # nbval compares the cells that were run; the others show widgets, and only run.
            cell.execution_count = cell.execution_count if cell.outputs else None
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for path in [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb")):
        store(path)
