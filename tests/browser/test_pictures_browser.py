"""What a reader without a kernel sees: the picture of every board, and no error anywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copy
from typing import Any

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from servers import Server

pytestmark = pytest.mark.browser

BOARDS = 6  # of the page of pictures: all but its rules
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LOST = "model not found"
#: Images that are seen and are there.
SEEN = """() => [...document.querySelectorAll('.jp-OutputArea-output img:not(.castlelab-emblem)')]
  .filter((image) => image.checkVisibility() && image.naturalWidth > 0).length"""
#: Pictures in the place of a board that are seen.
STILLS = """() => [...document.querySelectorAll('[class*=castlelab-still] img')]
  .filter((image) => image.checkVisibility()).length"""
#: Widgets that are seen.
ALIVE = """() => [...document.querySelectorAll('.castlelab-alive')]
  .filter((node) => node.checkVisibility()).length"""


@pytest.fixture
def lab_page(lab_server: Server, open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Open a notebook of the folder of pages in JupyterLab, and run nothing."""

    def open_notebook(name: str, **options: Any) -> Any:
        page = open_page(**options)
        page.goto(f"{lab_server.url}/lab/tree/pages/{name}?reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=90_000)
        page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context?.isReady")
        return page

    return open_notebook


def run(page: Any, command: str) -> None:
    page.evaluate(
        "(command) => window.jupyterapp.shell.currentWidget.sessionContext.ready"
        ".then(() => window.jupyterapp.commands.execute(command))",
        command,
    )


def close_for_good(page: Any) -> None:
    """Leave a notebook and end its kernel."""
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.goto("about:blank")


def saved(lab_server: Server, lab_page: Callable[..., Any], name: str) -> Path:
    """The page of pictures as somebody saves it who has run it."""
    path = lab_server.folder / "pages" / name
    copy(path.with_name("pictures.ipynb"), path)
    page = lab_page(name)
    run(page, "notebook:run-all-cells")
    page.wait_for_function(f"({ALIVE})() === {BOARDS}", timeout=90_000)
    assert page.evaluate(SEEN) == 0, "a live board needs no picture beside it"
    run(page, "docmanager:save")
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    close_for_good(page)
    return path


def test_a_notebook_that_was_run_and_saved_is_read_again(
    lab_server: Server, lab_page: Callable[..., Any]
) -> None:
    path = saved(lab_server, lab_page, "again.ipynb")
    page = lab_page(path.name)
    pictured = BOARDS - 1  # a question stays in words
    page.wait_for_function(f"({SEEN})() === {pictured}")
    page.wait_for_timeout(3_000)  # the front end gives up looking for widgets after two seconds
    assert page.evaluate(SEEN) == pictured
    assert LOST not in page.inner_text(".jp-Notebook")
    assert "Loading widget" not in page.inner_text(".jp-Notebook")
    for words in ("Before the board.", "How many?", "Each rank raises the maximum width"):
        page.locator(".jp-OutputArea-output").filter(has_text=words).wait_for()


@pytest.mark.parametrize("trusted", [True, False])
def test_a_stored_notebook_is_read_without_running(
    lab_server: Server, lab_page: Callable[..., Any], trusted: bool
) -> None:
    """JupyterLab shows no SVG of a notebook that is not trusted, but the words in its place."""
    path = lab_server.folder / "pages" / f"stored-{trusted}.ipynb"
    copy(lab_server.folder / "notebooks" / "castle_keep.ipynb", path)
    if trusted:
        home = lab_server.log.parent
        notary = NotebookNotary(data_dir=str(home / "data"))
        notary.sign(nbformat.read(path, as_version=4))
    page = lab_page(path.name)
    if trusted:
        page.wait_for_function(f"({SEEN})() > 0")
    page.get_by_text("Finish the castle").first.wait_for()
    assert LOST not in page.inner_text(".jp-Notebook")


def test_a_page_has_its_pictures_before_its_boards(page: Any, site: Server) -> None:
    """They are part of what the server sends, and go when the boards are there."""
    address = f"{site.url}/voila/render/castle_keep.ipynb"
    sent = page.request.get(address).text()
    cells = nbformat.read(NOTEBOOKS / "castle_keep.ipynb", as_version=4).cells
    shown = [cell for cell in cells if cell.source.startswith(("PuzzleCard", "GameTable"))]
    assert sent.count('<div class="castlelab-still-') >= len(shown)
    page.goto(address)
    page.wait_for_selector("body.castlelab-ready", timeout=90_000)
    # Most of them wait in chapters that are not open.
    alive = "document.querySelectorAll('.castlelab-alive').length"
    page.wait_for_function(f"{alive} >= {len(shown)}")
    page.wait_for_function(f"({STILLS})() === 0")
