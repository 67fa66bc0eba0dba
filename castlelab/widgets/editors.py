"""Which editor answers which kind of puzzle; each is imported only when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from castlelab.rules import CastlelabError, quoted
from castlelab.widgets.board import Board

#: What a puzzle asks for, and the function that opens a bench to build it on.
_EDITORS = {
    "castlelab.games.castell.puzzles:BuildTower": "castlelab.widgets.tower_editor:editor_for",
    "castlelab.games.castle_keep.puzzles:Finish": "castlelab.widgets.castle_editor:editor_for",
    "castlelab.games.castle_rampage.puzzles:StackWell": "castlelab.widgets.stack_editor:editor_for",
    "castlelab.games.castle_rampage.puzzles:Lethal": "castlelab.widgets.turn_editor:editor_for",
    "castlelab.games.castlescape.puzzles:BuildWalls": "castlelab.widgets.spot_editor:editor_for",
    "castlelab.games.castlescape.puzzles:FindSquares": "castlelab.widgets.spot_editor:editor_for",
    "castlelab.games.castlescape.puzzles:GiveUp": "castlelab.widgets.spot_editor:editor_for",
    "castlelab.games.once_upon_a_castle.puzzles:PlaceTokens": (
        "castlelab.widgets.token_editor:editor_for"
    ),
}


class Editor(Protocol):
    """A bench whose ``value`` is an answer to the puzzle."""

    board: Board
    value: Any

    def build(self, answer: Any) -> None:
        """Put a whole answer on the bench."""


def editor_for(ask: object) -> Editor:
    """The bench for what a puzzle asks; nothing else has one."""
    kind = type(ask)
    place = _EDITORS.get(f"{kind.__module__}:{kind.__qualname__}")
    if place is None:
        raise CastlelabError(f"there is no editor for {quoted(ask)}")
    module, _, name = place.partition(":")
    open_editor: Callable[[object], Editor] = getattr(import_module(module), name)
    return open_editor(ask)
