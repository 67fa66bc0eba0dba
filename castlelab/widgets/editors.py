"""Which editor answers which kind of puzzle; each is imported only when it is needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from castlelab.rules import CastlelabError, quoted
from castlelab.widgets.board.board import BoardWidget

#: What a puzzle asks for, and the module whose ``editor_for`` opens a bench to build it on.
_EDITORS = {
    "castell.puzzles:BuildTower": "castell.tower_editor",
    "castle_keep.puzzles:Finish": "castle_keep.castle_editor",
    "castle_rampage.puzzles:StackWell": "castle_rampage.stack_editor",
    "castle_rampage.puzzles:Lethal": "castle_rampage.turn_editor",
    "castlescape.puzzles:BuildWalls": "castlescape.spot_editor",
    "castlescape.puzzles:FindSquares": "castlescape.spot_editor",
    "castlescape.puzzles:GiveUp": "castlescape.spot_editor",
    "once_upon_a_castle.puzzles:PlaceTokens": "once_upon_a_castle.token_editor",
}


class Editor(Protocol):
    """A bench whose ``value`` is an answer to the puzzle."""

    board: BoardWidget
    value: Any

    def build(self, answer: Any) -> None:
        """Put a whole answer on the bench."""


def editor_for(ask: object) -> Editor:
    """The bench for what a puzzle asks; nothing else has one."""
    kind = type(ask)
    room = kind.__module__.removeprefix("castlelab.games.")
    module = _EDITORS.get(f"{room}:{kind.__qualname__}")
    if module is None:
        raise CastlelabError(f"there is no editor for {quoted(ask)}")
    opened: Editor = import_module(f"castlelab.widgets.{module}").editor_for(ask)
    return opened
