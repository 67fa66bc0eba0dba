"""The pages: where their notebooks are, and how any Jupyter server is set up to show them."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import castlelab
from castlelab.game import GAMES, notebook
from castlelab.rules import CastlelabError
from castlelab.server import jupyter

LANDING = "welcome.ipynb"
EXAMPLES = "examples"  # the folder of notebooks to start from, beside the pages
TEMPLATE = "castlelab"
#: Our folder of Jupyter data; the template is in it. It is filed under ``nbconvert``,
#: where Voilà also looks: a folder named ``voila`` would hide Voilà's own themes.
DATA_FOLDER = Path(__file__).parent / "template"
#: The notebooks of an installed package, and those beside it in a checkout.
PACKAGED = Path(castlelab.__file__).parent / "notebooks"
CHECKOUT = PACKAGED.parent.parent / "notebooks"
#: What a page needs of JupyterLab's extensions. Whatever else is installed stays away.
_FRONT_END = (
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
    "anywidget",
    "ipycanvas",
)
CULL_AFTER = 60 * 60  # seconds without a word from a page before its kernel is ended
CULL_EVERY = 60


def notebooks_folder() -> Path:
    """The folder of the notebooks: inside an installed package, or beside it in a checkout."""
    for folder in (PACKAGED, CHECKOUT):
        if (folder / LANDING).is_file():
            return folder
    raise CastlelabError(
        f"the notebooks are missing: there is no {LANDING} in {PACKAGED} or {CHECKOUT}"
    )


@cache
def served_folder() -> Path:
    """The folder that is served: ours, or copies where other packages bring walk-throughs too."""
    folder = notebooks_folder()
    theirs = {name: found for name in GAMES if (found := notebook(name)) is not None}
    if not theirs:
        return folder
    gathered = Path(mkdtemp(prefix="castlelab-pages-"))
    atexit.register(shutil.rmtree, gathered, ignore_errors=True)
    copy_notebooks(folder, gathered)
    for name, found in theirs.items():
        copy = gathered / f"{name}.ipynb"
        if copy.exists():  # a game called "play"
            logging.getLogger("castlelab").warning("Left out: the page of %s, which is ours", name)
        else:
            copy.write_bytes(found.read_bytes())
    return gathered


def page_names(folder: Path) -> frozenset[str]:
    """The notebooks of a folder that may be shown as pages."""
    return frozenset(path.name for path in folder.glob("*.ipynb") if path.name[0] not in "._")


def _notebook_names(folder: Path) -> frozenset[str]:
    """The pages of a folder and the examples beside them, which are for editing only."""
    return page_names(folder) | {f"{EXAMPLES}/{name}" for name in page_names(folder / EXAMPLES)}


def copy_notebooks(source: Path, target: Path) -> tuple[str, ...]:
    """Copy every notebook that is not there yet, and return the names of those copied."""
    try:
        (target / EXAMPLES).mkdir(parents=True, exist_ok=True)
        new = sorted(name for name in _notebook_names(source) if not (target / name).exists())
        for name in new:
            shutil.copyfile(source / name, target / name)
    except OSError as error:
        raise CastlelabError(f"cannot copy the notebooks to {target}: {error.strerror}") from None
    return tuple(new)


def trust(folder: Path, names: Iterable[str]) -> None:
    """Vouch for copies of ours: JupyterLab shows the pictures that a trusted notebook keeps."""
    sign: Any = import_module("nbformat.sign")
    nbformat: Any = import_module("nbformat")
    notary = sign.NotebookNotary()
    for name in names:
        notary.sign(nbformat.read(folder / name, as_version=4))


def configure(config: Any) -> None:
    """Set up Voilà in a Jupyter configuration, so that pages look the same everywhere.

    In a ``jupyter_server_config.py``: ``from castlelab.server import pages; pages.configure(c)``.
    """
    found = os.environ.get("JUPYTER_PATH", "")
    if str(DATA_FOLDER) not in found.split(os.pathsep):
        os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, (str(DATA_FOLDER), found)))

    config.VoilaConfiguration.template = TEMPLATE
    config.VoilaConfiguration.strip_sources = True
    config.VoilaExporter.preprocessors = ["castlelab.server.chapters.tell_chapters"]
    # The address of a page may choose neither: Voilà writes them into the page unescaped.
    config.VoilaConfiguration.allow_template_override = "NO"
    config.VoilaConfiguration.allow_theme_override = "NO"
    config.VoilaConfiguration.page_config_hook = offline
    config.VoilaConfiguration.extension_allowlist = list(_FRONT_END)
    config.VoilaConfiguration.file_allowlist = [r".*\.(png|jpg|gif|svg)"]
    config.VoilaConfiguration.file_denylist = [r".*\.(ipynb|py)"]
    config.MappingKernelManager.cull_idle_timeout = CULL_AFTER
    config.MappingKernelManager.cull_interval = CULL_EVERY
    if not jupyter.lacking(jupyter.CLIENT):
        config.KernelManager.client_factory = "castlelab.server.client.PageClient"
    # A page of many boards sends a burst when it opens. Cut short, it lacks some of them.
    config.ZMQChannelsWebsocketConnection.limit_rate = False


def offline(page_config: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A page's settings without an old MathJax from elsewhere; Voilà then takes its own, new one.

    It does so only if neither an address nor a configuration is there.
    """
    return {**page_config, "fullMathjaxUrl": None, "mathjaxConfig": None}
