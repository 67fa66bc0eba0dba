"""Arrows point one way, things are small and have names of their own, every rule can be traced."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from castlelab.game import GAMES
from castlelab.testing import untraced

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "castlelab"
PATHS = sorted(PACKAGE.rglob("*.py"))

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
#: What lies above all games and studies.
ABOVE = ("castlelab.widgets", "castlelab.server", "castlelab.cli")


def path_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


def module_of(path: Path) -> str:
    """The dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


#: Every module of castlelab, by its dotted name.
MODULES = {module_of(path): path for path in PATHS}


@cache
def read(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), path.name)


def imports(tree: ast.AST) -> Iterator[str]:
    """Every module that is imported, wherever that happens."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in MODULES else node.module


@cache
def eager_imports(module: str) -> frozenset[str]:
    """What is imported with a module: not in functions, for type checkers, or when it is run."""
    found: set[str] = set()
    for node in read(MODULES[module]).body if module in MODULES else ():
        if isinstance(node, ast.If) and ast.unparse(node.test).startswith(("TYPE_C", "__name__")):
            continue
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.update(imports(node))
    return frozenset(found)


def libraries(modules: Iterator[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


@cache
def loaded_by(module: str) -> frozenset[str]:
    """All that is imported with a module: also what that imports, and the packages around it."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        if (one := waiting.pop()) not in seen:
            seen.add(one)
            waiting += [one.rpartition(".")[0]] if "." in one else []
            waiting += eager_imports(one)
    return frozenset(seen)


def loads(module: str, *packages: str) -> list[str]:
    """What is imported with a module and lies in some packages."""
    inside = tuple(f"{package}." for package in packages)
    return sorted(name for name in loaded_by(module) if name in packages or name.startswith(inside))


@pytest.mark.parametrize("path", PATHS, ids=path_of)
def test_only_the_upper_layers_know_jupyter(path: Path) -> None:
    if layer(path) in JUPYTER:
        return
    if layer(path) not in LAZY:
        assert not libraries(imports(read(path))) & WIDGET_LIBRARIES
    assert not loads(module_of(path), *WIDGET_LIBRARIES)


@pytest.mark.parametrize("path", sorted((PACKAGE / "draw").rglob("*.py")), ids=path_of)
def test_drawing_knows_no_games(path: Path) -> None:
    known = {name for name in imports(read(path)) if name.startswith("castlelab")}
    assert not [
        name for name in known if not name.startswith(("castlelab.draw", "castlelab.rules"))
    ]


def is_engine(path: Path) -> bool:
    """Whether a module of a room plays, judges or counts; puzzles and the like show things."""
    shows = ("puzzle", "lessons", "figure")
    return not (path.name.endswith("picture.py") or path.name.startswith(shows))


ENGINES = sorted(filter(is_engine, (PACKAGE / "games").rglob("*.py")))


@pytest.mark.parametrize("path", ENGINES, ids=path_of)
def test_engines_never_load_drawing(path: Path) -> None:
    """Not even through another module: whoever only counts or simulates loads no drawing."""
    assert not loads(module_of(path), "castlelab.draw")


@pytest.mark.parametrize("path", PATHS, ids=path_of)
def test_nothing_below_the_widgets_needs_them(path: Path) -> None:
    found = loads(module_of(path), *ABOVE)
    if layer(path) == "__main__.py":  # the door to them
        return
    if layer(path) in LAZY:
        found = loads(module_of(path), "castlelab.widgets")
    if layer(path) in JUPYTER:
        found = loads(module_of(path), "castlelab.cli")
    assert not found


def test_no_module_needs_itself() -> None:
    """No circles among imports, which would hang on who is imported first."""
    try:
        TopologicalSorter({name: eager_imports(name) for name in MODULES}).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


@pytest.mark.parametrize("path", PATHS, ids=path_of)
def test_what_is_private_stays_at_home(path: Path) -> None:
    """Neither imported from another module nor taken from one that was imported."""
    names = [
        (node.module, alias)
        for node in ast.walk(read(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("castlelab")
        for alias in node.names
    ]
    taken = [f"{module}.{alias.name}" for module, alias in names if is_private(alias.name)]
    modules = {
        alias.asname or alias.name for module, alias in names if f"{module}.{alias.name}" in MODULES
    }
    taken += [
        ast.unparse(node)
        for node in ast.walk(read(path))
        if isinstance(node, ast.Attribute) and is_private(node.attr)
        if ast.unparse(node.value) in modules
    ]
    assert not taken


def test_the_root_is_the_core() -> None:
    core = {
        "asking",
        "authoring",
        "chance",
        "counting",
        "edition",
        "figures",
        "game",
        "grid",
        "notation",
        "progress",
        "puzzles",
        "record",
        "rules",
    }
    found = {path.stem for path in PACKAGE.glob("*.py")}
    assert found == core | {"cues", "speech", "telling", "__init__", "__main__"}


# Small things

LONGEST_CLASS, LONGEST_MODULE = 400, 700  # lines


def too_long() -> Iterator[str]:
    for name, path in MODULES.items():
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > LONGEST_MODULE and path.name != "lessons.py":  # a lesson is a text
            yield name
        for node in ast.walk(read(path)):
            if isinstance(node, ast.ClassDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > LONGEST_CLASS:
                    yield f"{name}.{node.name}"


def test_modules_and_classes_are_small() -> None:
    assert not list(too_long())


# Names

#: What stands under the same name in several places, where, and why that is no confusion.
FURNITURE = {
    # The contract of a room: every game has them in the same place.
    "Box": "games/*/box.py",
    "read_box": "games/*/box.py",
    "lesson": "games/*/lessons.py",
    "point": "games/*/pointing.py",
    "judge": "games/*/judge.py",
    "prospects": "games/*/worth.py",
    "estimate": "games/*/worth.py",
    "worth": "games/*/worth.py",
    "cover_scene": "games/*/*picture.py",
    "table_scene": "games/*/*picture.py",
    "bench_scene": "games/*/*picture.py",
    "table_words": "games/*/*.py",
    "table_text": "games/*/text_picture.py",
    "emblem_scene": "games/*/*picture.py",
    "tell_move": "games/*/telling.py",
    "tell_shorter": "games/*/telling.py",
    "tell_news": "games/*/telling.py",
    "questions": "games/*/asking.py",
    "sources": "games/*/*ing.py",  # telling.py, or scoring.py where points are counted by kind
    # The same thing in two games, always said with the name of the game.
    "Effect": "games/*/card.py",
    "Verb": "games/*/card.py",
    "card": "games/*/box.py",
    "house_box": "games/*/box.py",
    "Score": "games/*/scoring.py",
    "score": "games/*/scoring.py",
    "board_scene": "games/*/*picture.py",
    "board_words": "games/*/*picture.py",
    "square_words": "games/*/*picture.py",
    "castle_part": "games/*/*picture.py",
    "castle_scene": "games/*/*picture.py",
    # What each hand that draws does: svg.render, text.render.
    "render": "draw/*.py",
    # Names that the outside relies on, and says with the name of the game.
    "Board": "*/board.py",
    "Card": "games/*/card.py",
    "Castle": "games/*/castle.py",
    # The contract of an editor, and of a command.
    "editor_for": "widgets/*.py",
    "add_arguments": "cli/*.py",
    "run_command": "cli/*.py",
}
#: A move is named by what it does in its game, as its notation is: always said with the game.
MOVES = "games/*/moves.py"


def public_names() -> dict[str, set[str]]:
    """The places of every public class and function; all places of a furniture are one."""
    places: defaultdict[str, set[str]] = defaultdict(set)
    for path in PATHS:
        for node in read(path).body:
            name = getattr(node, "name", "_")  # that of a class or a function
            if not name.startswith("_"):
                usual, place = (MOVES, FURNITURE.get(name, MOVES)), path_of(path)
                places[name].add(next((one for one in usual if fnmatch(place, one)), place))
    return places


def test_a_name_means_one_thing() -> None:
    assert not {name: places for name, places in public_names().items() if len(places) > 1}


#: What turns text or bytes from outside into code. Processes and clusters do pickle what they
#: hand to each other, but only what is ours: `study` never unpickles a file or an answer
#: of a stranger itself.
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


@pytest.mark.parametrize("path", PATHS, ids=path_of)
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
