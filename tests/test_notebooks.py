"""What is stored in the notebooks: plain results to compare, and nothing else."""

from pathlib import Path

import nbformat
import pytest

import castlelab

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
LONGEST_CELL = 12  # lines: cells are there to be read


def code_cells(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_only_plain_text_results_are_stored(path):
    for cell in code_cells(path):
        for output in cell.outputs:
            assert output.output_type in ("stream", "execute_result")
            assert set(output.get("data", {"text/plain"})) == {"text/plain"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_are_short_and_pages_start_with_a_title(path):
    notebook = nbformat.read(path, as_version=4)
    assert notebook.cells[0].source.startswith("# ")
    for cell in code_cells(path):
        assert len(cell.source.splitlines()) <= LONGEST_CELL, cell.source


def test_every_game_has_a_walk_through_with_results_to_compare():
    for game in castlelab.GAMES:
        path = next(path for path in NOTEBOOKS if path.stem == game)
        stored = [cell for cell in code_cells(path) if cell.outputs]
        assert len(stored) >= 8, "without stored results nbval compares nothing"
        assert all(cell.execution_count for cell in stored), "nbval passes over unrun cells"
