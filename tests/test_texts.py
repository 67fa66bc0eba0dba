"""What stands in backquotes in a page or a notebook works as printed.

It is run after the cells, or the examples, before it and the one below it, of which it may speak.
What is no code, such as the notation of a game, is on a short list that says what it is.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

import castlelab
from castlelab.classroom import example_class
from castlelab.cli.commands import read_command
from castlelab.game import game_class
from castlelab.puzzles import is_code

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
#: What is asked at a board is tried in test_asking.
PAGES = [
    ROOT / "README.md",
    *(path for path in sorted((ROOT / "docs").glob("*.md")) if path.name != "listening.md"),
]

#: The options of all commands.
OPTIONS = {
    option
    for path in (ROOT / "castlelab" / "cli").glob("*.py")
    for option in re.findall(r'"(--[a-z-]+)"', path.read_text(encoding="utf-8"))
}

#: What looks like code, or could, and is not: what it is instead.
NO_CODE = {
    "9*3 8*2 7": "a tower",
    "WYC s": "a tile and a spot",
    ".venv": "a folder",
    "castlelab-notebooks": "a folder",
    "serve": "the name of a command",
    "simulate": "the name of a command",
    "worksheet": "the name of a command",
    "classroom": "the name of a command",
    "castlelab play castell --help": "tried in test_readme",
    "castlelab play --help": "tried in test_readme",
    "python -m castlelab": "the command itself",
    "python -m benchmarks.duels": "takes an hour",
    "python -m benchmarks.win_shares": "takes half an hour",
    "CASTLELAB_PASSWORD": "a variable of the environment",
    "Host": "a line of a request",
    "X-Forwarded-For": "a line of a request",
    "X-Forwarded-Proto": "a line of a request",
    "moves wall": "typed in the terminal",
    "legend": "typed in the terminal",
    "board": "typed in the terminal",
    "last": "typed in the terminal",
    "now": "typed in the terminal",
    "scores": "typed in the terminal",
    "at PLACE": "typed in the terminal",
    "hand": "typed in the terminal",
    "opponent": "typed in the terminal",
    "market": "typed in the terminal",
    "piles": "typed in the terminal",
    "row 3": "typed in the terminal",
    "leak c3": "typed in the terminal",
    "run 2.n": "typed in the terminal",
    "stacks": "typed in the terminal",
    "--words brief": "typed in the terminal",
    "--words normal": "typed in the terminal",
    "table": "typed in the terminal",
    "help": "typed in the terminal",
    "random": "the name of a bot",
    "greedy": "the name of a bot",
    "montecarlo": "the name of a bot",
    "montecarlo:500": "the name of a bot",
    "montecarlo:1500:15": "the name of a bot",
    "concurrent.futures": "a module of Python",
    "--": "an empty spot of a castle",
    "a": "a recruit",
    "A": "a recruit on a wall",
    "b": "a recruit",
    "B": "a recruit on a wall",
    "c": "a recruit",
    "C": "a recruit on a wall",
    "o": "a square",
    "less-infamy": "an effect of a card",
    '.table(bots={1: "greedy"})': "the end of a call",
    '.table(bots={1: "greedy", 2: "greedy"})': "the end of a call",
    'castlelab.load("castell", edition="my-box.toml")': "needs the file of a box",
    'castlelab.load("castle_keep", edition="my-box.toml")': "needs the file of a box",
    'castlelab.load("once_upon_a_castle", edition="my-box.toml")': "needs the file of a box",
    "result.plot(ax=ax)": "tried in study/test_simulation",
    "record.table()": "tried in widgets/test_short_ways",
    "choose": "what a bot has",
    "choose(self, view, chance, budget)": "what a bot may have",
    "think(self, view, chance)": "what a bot may have",
    "budget.seconds": "tried in test_own_bots",
    "budget.futures": "tried in test_own_bots",
    "name": "what a bot may have",
    "__main__": "the guard of a script",
    "world = view.guess(view.to_move, chance)": "a line of a bot",
    "max(view.moves(), key=lambda move: world.after(move).estimate(view.to_move))": "another one",
    'GameTable("castle_keep", bots=(None, Builder))': "tried in widgets/test_game_table",
    "GameRoom(bots=[Builder])": "tried in widgets/test_game_room",
    "simulate(…, budget=10)": "tried in test_own_bots",
    'castlelab.load("watchtower")': "needs its package, which test_outside brings",
    'simulate(…, executor=distributed.Client("head:8786"))': "needs a cluster; see test_dask",
}

Part = tuple[str, str]  # what it is, "text" or the code that is run before the next text


def in_backquotes(text: str) -> list[str]:
    """What stands in backquotes, blocks of code left out."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def cells(path: Path) -> Iterator[Part]:
    """The parts of a notebook."""
    for cell in nbformat.read(path, as_version=4).cells:
        yield ("text" if cell.cell_type == "markdown" else "code"), cell.source


def blocks(path: Path) -> Iterator[Part]:
    """The parts of a page: its text, and the examples in it."""
    for number, part in enumerate(
        re.split(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    ):
        if number % 2:
            examples = doctest.DocTestParser().get_examples(part)
            yield "code", "".join(each.source for each in examples if each.exc_msg is None)
        else:
            yield "text", part


def parts_of(path: Path) -> Iterator[Part]:
    return cells(path) if path.suffix == ".ipynb" else blocks(path)


def run(code: str, names: dict[str, Any]) -> None:
    exec(compile(code, "text", "exec"), names)


def takes(name: str, thing: object) -> bool:
    """Whether something is called with that keyword."""
    try:
        return callable(thing) and name in inspect.signature(thing).parameters
    except ValueError:  # written in C
        return False


def is_argument(name: str, names: dict[str, Any]) -> bool:
    """Whether something here takes that argument, or a game has it as an option."""
    options = {option.name for game in castlelab.GAMES for option in game_class(game).option_list}
    known = [*names.values(), *(getattr(thing, "puzzle", None) for thing in names.values())]
    return name in options or any(takes(name, thing) for thing in known)


def try_out(said: str, names: dict[str, Any]) -> None:
    """Run what a text says, in Python or on the command line."""
    if said.startswith("--"):
        assert said.split()[0] in OPTIONS
    elif re.match(r"castlelab [a-z]", said):
        assert callable(read_command(shlex.split(said)[1:]).run)
    elif re.fullmatch(r"\w+=.+", said):
        statement: Any = ast.parse(f"f({said})").body[0]
        (keyword,) = statement.value.keywords
        run(ast.unparse(keyword.value), names)
        assert is_argument(keyword.arg, names)
    elif is_code(said):
        castlelab.puzzle(said)
    elif not (said.isidentifier() and is_argument(said, names)):
        run(said, names)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the texts are tried out: a teacher's folder lies here, and files may be written."""
    (tmp_path / "folder").mkdir()
    for pupil in example_class().pupils[:2]:
        text = pupil.progress.dumps()
        (tmp_path / "folder" / f"{pupil.name}.json").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_is_something_to_try() -> None:
    assert sum(len(list(said_in(path))) for path in [*NOTEBOOKS, *PAGES]) > 40


def said_in(path: Path) -> Iterator[str]:
    for kind, part in parts_of(path):
        yield from in_backquotes(part) if kind == "text" else ()


@pytest.mark.parametrize("path", [*NOTEBOOKS, *PAGES], ids=lambda path: path.name)
@pytest.mark.usefixtures("folder")
def test_what_a_text_says_works_as_printed(path: Path) -> None:
    names: dict[str, Any] = {}
    if path.suffix == ".md":
        names["castlelab"] = castlelab
    if set(said_in(path)) <= NO_CODE.keys():
        return  # nothing is to be run here
    waiting: list[str] = []
    for kind, part in (*parts_of(path), ("code", "")):
        if kind == "text":
            waiting += (said for said in in_backquotes(part) if said not in NO_CODE)
            continue
        run(part, names)
        while waiting:
            try_out(waiting.pop(0), names)


def test_the_list_of_what_is_no_code_is_short_and_of_today() -> None:
    said = {words for path in [*NOTEBOOKS, *PAGES] for words in said_in(path)}
    assert not NO_CODE.keys() - said
