"""The wheel is all one needs: from an empty folder it serves the pages."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # Without isolation: hatchling is among what the tests need, so nothing is downloaded.
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel in it, borrowing the dependencies of this one."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", wheel)
    # A path in a .pth file is searched, but .pth files in it are not read: the dependencies
    # are found, and the editable castlelab of this environment is not.
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def test_the_wheel_holds_what_a_page_needs(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    template = "castlelab/server/template/nbconvert/templates/castlelab"
    assert {
        "castlelab/notebooks/welcome.ipynb",
        "castlelab/notebooks/castell.ipynb",
        "castlelab/games/castell/rules.toml",
        "castlelab/games/castell/edition.toml",
        "castlelab/py.typed",
        f"{template}/conf.json",
        f"{template}/index.html.j2",
        f"{template}/static/castlelab.css",
    } <= names
    assert not [name for name in names if "checkpoint" in name or "/tests/" in name]


def test_the_wheel_holds_every_notebook(wheel: Path) -> None:
    packaged = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".ipynb")}
    ours = [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("notebooks/examples/*.ipynb")]
    assert packaged == {f"castlelab/{path.relative_to(ROOT).as_posix()}" for path in ours}


def test_it_serves_pages_from_an_empty_folder(
    environment: Path, tmp_path: Path, start_server: Callable[..., str]
) -> None:
    python = environment / "bin" / "python"
    found = run(python, "-c", "import castlelab; print(castlelab.__file__)", cwd=tmp_path)
    assert Path(found.strip()).is_relative_to(environment)

    address = start_server(
        [environment / "bin" / "castlelab", "serve", "--no-browser", "--port", "0"],
        cwd=tmp_path,
        # Kernels, widgets and Voilà's scripts are data of the borrowed dependencies.
        env={"JUPYTER_PATH": str(Path(sys.prefix) / "share" / "jupyter")},
    )
    with urlopen(address, timeout=120) as answer:
        welcome = answer.read().decode()
        assert answer.url == f"{address}voila/render/welcome.ipynb"
        assert "_xsrf" in str(answer.headers)  # so that a page may end its kernel
    with urlopen(f"{address}voila/render/castell.ipynb", timeout=240) as answer:
        castell = answer.read().decode()
    for page in (welcome, castell):
        assert 'id="castlelab-bar"' in page
        assert "voila.js" in page
        assert "error when executing cell" not in page
        assert "//cdn." not in page
    assert "<title>Castell" in castell
    assert "vnd.voila.cell-output+json" in welcome, "its cells ran"
    assert not list(tmp_path.iterdir())


def test_it_serves_nothing_else(
    environment: Path, tmp_path: Path, start_server: Callable[..., str]
) -> None:
    address = start_server(
        [environment / "bin" / "castlelab", "serve", "--no-browser", "--port", "0"],
        cwd=tmp_path,
        env={"JUPYTER_PATH": str(Path(sys.prefix) / "share" / "jupyter")},
    )
    for path in (
        "voila/tree",
        "voila/api/contents",
        "voila/files/welcome.ipynb",
        "voila/render/elsewhere.ipynb",
        "voila/render/examples/own_bot.ipynb",
        "voila/render/..%2fcli.py",
    ):
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{address}{path}", timeout=30)
        assert refused.value.code in (403, 404)
        refused.value.close()


def test_notebooks_are_tidy() -> None:
    for path in (*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("notebooks/examples/*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        assert (notebook["nbformat"], notebook["nbformat_minor"]) >= (4, 5), path.name
        assert notebook["metadata"]["kernelspec"]["name"] == "python3", path.name
        assert all(cell.get("id") for cell in notebook["cells"]), path.name
        assert "widgets" not in notebook["metadata"], f"{path.name} keeps the state of widgets"
