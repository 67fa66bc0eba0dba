"""What is taken from Jupyter's inner parts stands in one place, and can be done without."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from castle_site import Site, eventually, serving

import castlelab
from castlelab import cli
from castlelab.draw.scene import Scene
from castlelab.server import copies, jupyter
from castlelab.widgets.board.board import BoardWidget

PACKAGE = Path(castlelab.__file__).parent
WELCOME = Path(__file__).parent / "pages"
USES = {
    "server": jupyter.SERVER,
    "copies": jupyter.COPIES,
    "kernel": jupyter.KERNEL,
    "client": jupyter.CLIENT,
}
#: Names that begin with an underscore and are promised all the same.
DOCUMENTED = re.compile(r"__\w+__|_replace|_exit|_repr_\w+_")
needs_copies = pytest.mark.skipif(not copies.possible(), reason="this system copies no processes")


@pytest.mark.parametrize("use", USES)
def test_all_that_is_leant_on_is_there(use: str) -> None:
    """Fails with the release of Jupyter that takes something away; pages go on without it."""
    assert jupyter.lacking(USES[use]) == ""


def foreign_private_names(path: Path) -> Iterator[str]:
    """Private names of things that are not one's own."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            owner = ast.unparse(node.value)
            if owner not in ("self", "cls", "super()") and not DOCUMENTED.fullmatch(node.attr):
                yield f"{owner}.{node.attr}"


LAYERS = [path for layer in ("server", "widgets") for path in (PACKAGE / layer).rglob("*.py")]


@pytest.mark.parametrize("path", sorted(LAYERS), ids=lambda path: path.name)
def test_private_parts_are_used_in_one_place(path: Path) -> None:
    found = list(foreign_private_names(path))
    assert bool(found) == (path.name == "jupyter.py"), found


def test_what_is_missing_is_said_with_the_release() -> None:
    assert jupyter.lacking({"voila.app:Voila": "gone"}).startswith("Voila of voila 0.")
    assert "has no gone in voila.app" in jupyter.lacking({"voila.app:gone": ""})
    assert "has no x in voila.gone" in jupyter.lacking({"voila.gone:x": ""})


def test_a_canvas_is_held_plainly_if_its_manager_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = BoardWidget(Scene(100, 100))
    canvas = board.children[0]
    sent: list[object] = []
    monkeypatch.setattr(jupyter, "CANVASES", "gone")
    monkeypatch.setattr(
        type(canvas._canvas_manager), "send", lambda _, *told, **__: sent.append(told)
    )
    with jupyter.held(canvas):
        canvas.fill_rect(0, 0, 10, 10)
        canvas.fill_rect(20, 0, 10, 10)
    assert len(sent) == 1


# -- each probe fails once, on a real server ---------------------------------------------------

SERVER_CHANGED = """
from castlelab.server import jupyter
jupyter.SERVER["voila.app:Voila"] += " gone"
"""
COPIES_CHANGED = """
from castlelab.server import jupyter
jupyter.COPIES["voila.notebook_renderer:NotebookRenderer"] += " gone"
"""
#: Read by every Python that starts below: a release of ipykernel that has changed.
KERNEL_CHANGED = "from ipykernel.kernelapp import IPKernelApp; del IPKernelApp.reset_io"
#: One that has changed in a way that no name tells: a copy ends as soon as it is made.
COPY_DIES = """
from ipykernel.kernelapp import IPKernelApp
begin = IPKernelApp.init_heartbeat
def once_only(app):
    if hasattr(app, "begun"): raise SystemExit
    app.begun = True
    begin(app)
IPKernelApp.init_heartbeat = once_only
"""


def opens(site: Site) -> bool:
    """Whether a page comes with its boards, run for this visitor."""
    page = site.ask("/voila/render/welcome.ipynb")
    return page.status == 200 and "castlelab.kernel(" not in page.body and "kernelId" in page.body


def listens(site: Site) -> bool:
    try:
        return site.ask("/nothing").status > 0
    except ConnectionRefusedError:
        return False


@pytest.mark.slow
def test_without_our_server_voila_serves_the_pages(tmp_path: Path) -> None:
    with serving(tmp_path, folder=WELCOME, ready=False, start=SERVER_CHANGED) as site:
        assert site.said[0].startswith("Pages are served by Voilà itself and open more slowly: ")
        assert "Voila of voila 0." in site.said[0]
        stock = Site(site.url.partition("/voila/")[0], site.process)
        assert eventually(lambda: listens(stock))
        assert opens(stock)


@pytest.mark.parametrize("flags", [["--password"], ["--max-visitors", "3"]])
def test_without_our_server_nothing_is_promised_that_it_does(
    flags: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CASTLELAB_PASSWORD", "Drawbridge 9")
    monkeypatch.setitem(jupyter.SERVER, "voila.app:Voila", "gone")
    assert cli.main(["serve", "--no-browser", "--port", "0", *flags]) == 2
    assert "has no gone, so only plain castlelab serve works here" in capsys.readouterr().err


@needs_copies
@pytest.mark.slow
def test_without_voilas_renderer_pages_are_run_for_each_visitor(tmp_path: Path) -> None:
    with serving(tmp_path, folder=WELCOME, ready=False, start=COPIES_CHANGED) as site:
        assert "NotebookRenderer of voila 0." in site.said[0]
        assert opens(site)


@needs_copies
@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (KERNEL_CHANGED, "IPKernelApp of ipykernel 7."),
        (COPY_DIES, "a kernel does not answer"),
    ],
    ids=["a name is gone", "a copy dies"],
)
def test_without_copies_pages_are_run_for_each_visitor(
    tmp_path: Path, change: str, reason: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(change)
    read_first = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    with serving(tmp_path, folder=WELCOME, ready=False, PYTHONPATH=read_first) as site:
        assert reason in site.wait_for("Pages are run for each visitor and open more slowly: ")
        assert opens(site)
