"""Arrows point one way, and every rule can be traced."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from castlelab.game import GAMES
from castlelab.testing import untraced

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "castlelab"
MODULES = sorted(PACKAGE.rglob("*.py"))

WIDGET_LIBRARIES = {"ipywidgets", "ipycanvas", "anywidget", "voila", "IPython"}
HEAVY = {
    "scipy",
    "matplotlib",
    "numpy",
    "ortools",
    "pandas",
    "tqdm",
    "distributed",
    *WIDGET_LIBRARIES,
}

#: The layers that are made of Jupyter.
JUPYTER = ("widgets", "server")
#: May use Jupyter, but only inside functions.
LAZY = ("cli",)


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def imports(tree: ast.AST) -> Iterator[str]:
    """Every module that is imported, wherever that happens."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def eager_imports(tree: ast.Module) -> Iterator[str]:
    """What is imported as soon as the module is: not in functions, not for type checkers."""
    for node in tree.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield from imports(node)


def read(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), path.name)


def libraries(modules: Iterator[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_upper_layers_know_jupyter(path: Path) -> None:
    if path.relative_to(PACKAGE).parts[0] in JUPYTER:
        return
    tree = read(path)
    found = eager_imports(tree) if path.relative_to(PACKAGE).parts[0] in LAZY else imports(tree)
    assert not libraries(found) & WIDGET_LIBRARIES


@pytest.mark.parametrize("path", sorted((PACKAGE / "draw").rglob("*.py")), ids=name_of)
def test_drawing_knows_no_games(path: Path) -> None:
    known = {name for name in imports(read(path)) if name.startswith("castlelab")}
    errors = {"castlelab.rules", "castlelab.rules.CastlelabError"}
    assert not [name for name in known - errors if not name.startswith("castlelab.draw")]


@pytest.mark.parametrize("path", sorted((PACKAGE / "games").rglob("*.py")), ids=name_of)
def test_games_draw_only_in_their_picture(path: Path) -> None:
    if path.name.endswith("picture.py"):
        return
    found = eager_imports(read(path))
    assert not [name for name in found if name.startswith(("castlelab.draw", "castlelab.widgets"))]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_below_the_widgets_needs_them(path: Path) -> None:
    if path.relative_to(PACKAGE).parts[0] in (*JUPYTER, "__main__.py"):  # the door to them
        return
    found = eager_imports(read(path))
    above = ("castlelab.widgets", "castlelab.server", "castlelab.cli")
    assert not [name for name in found if name.startswith(above)]


#: What turns text or bytes from outside into code. Processes and clusters do pickle what they
#: hand to each other, but only what is ours: `study` and `crew` never unpickle a file or an answer
#: of a stranger themselves.
DANGEROUS_MODULES = {
    "pickle",
    "cPickle",
    "dill",
    "cloudpickle",
    "marshal",
    "shelve",
    "yaml",
    "code",
}
DANGEROUS_CALLS = {"eval", "exec", "compile", "__import__"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_text_becomes_code(path: Path) -> None:
    tree = read(path)
    assert not libraries(imports(tree)) & DANGEROUS_MODULES
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            assert called not in DANGEROUS_CALLS, f"line {node.lineno} calls {called}"
            assert "shell" not in {word.arg for word in node.keywords}, f"line {node.lineno}"
            assert ast.unparse(node.func) not in ("os.system", "os.popen"), f"line {node.lineno}"


def test_importing_castlelab_is_light() -> None:
    code = "import castlelab, json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout)
    assert not {name.partition(".")[0] for name in loaded} & HEAVY
    assert len(loaded) < 300, f"{len(loaded)} modules"


# Traceability: a rule id leads to code, to a test and to a step of a notebook.

PLACES = {"code": PACKAGE, "tests": ROOT / "tests", "notebooks": ROOT / "notebooks"}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_traceable(game: str, place: str) -> None:
    missing = untraced(game, [PLACES[place]])
    assert not missing, f"not in {place}: {', '.join(missing)}"
