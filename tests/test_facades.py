"""What Tab shows is what ``__all__`` promises; all of it is there after ``import castlelab``."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

import castlelab

FACADES = [
    "castlelab",
    "castlelab.bots",
    "castlelab.classroom",
    "castlelab.games",
    *(f"castlelab.games.{game}" for game in castlelab.games.__all__),
    "castlelab.puzzles",
    "castlelab.study",
    "castlelab.testing",
    "castlelab.widgets",
]
every_facade = pytest.mark.parametrize("name", FACADES)


@every_facade
def test_a_facade_shows_what_it_promises_and_nothing_else(name: str) -> None:
    module = import_module(name)
    assert dir(module) == sorted(module.__all__)


@every_facade
def test_a_facade_keeps_what_it_promises(name: str) -> None:
    module = import_module(name)
    assert all(hasattr(module, promised) for promised in module.__all__)
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'moat'"):
        _ = module.moat


@pytest.fixture(scope="module")
def shell() -> InteractiveShell:
    """What completes in JupyterLab, in a namespace where castlelab has been imported."""
    return InteractiveShell(user_ns={"castlelab": castlelab})


@every_facade
def test_tab_shows_it_too(name: str, shell: InteractiveShell) -> None:
    typed = f"{name}."
    with provisionalcompleter():
        texts = [found.text for found in shell.Completer.completions(typed, len(typed))]
    names = {text.removeprefix(typed).lstrip(".") for text in texts}
    assert {one for one in names if not one.startswith("_")} == set(import_module(name).__all__)


def modules_after(code: str) -> set[str]:
    script = f"{code}; import json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout))


def test_rooms_are_opened_when_somebody_enters() -> None:
    before = modules_after("import castlelab")
    assert not {"castlelab.study", "castlelab.games.castell", "castlelab.widgets"} & before
    looked = modules_after("import castlelab; dir(castlelab), dir(castlelab.games)")
    assert not {"castlelab.study", "castlelab.games.castell", "castlelab.widgets"} & looked
    entered = modules_after("import castlelab; castlelab.games.castell.check('9*3 8*2 7')")
    assert "castlelab.games.castell" in entered
    assert not {"castlelab.draw", "castlelab.widgets", "castlelab.games.castlescape"} & entered


def test_every_room_is_there_after_one_import() -> None:
    script = (
        "import castlelab; castlelab.study.simulate; castlelab.widgets.GameTable;"
        "castlelab.games.castle_keep.Castle; castlelab.classroom.worksheet; castlelab.bots.bot"
    )
    assert "castlelab.widgets.table.game_table" in modules_after(script)
