"""Moves that are chosen from a list."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from castlelab.game import Move
from castlelab.rules import counted
from castlelab.widgets.controls import button

_ROWS = 12


class MoveList:
    """The moves on offer in notation: a ``choice``, and ``buttons`` to play it and to see all.

    Where the picture is played it is ``compact``, one line, else open to see.
    """

    def __init__(
        self,
        play: Callable[[str], object],
        fail: Callable[[str], object],
        say: Callable[[str], object],
        *,
        compact: bool,
    ) -> None:
        self._play, self._fail, self._say, self.is_compact = play, fail, say, compact
        self._moves: tuple[Move, ...] = ()
        wide = ipywidgets.Layout(width="95%", max_width="520px")
        self.choice = (
            ipywidgets.Dropdown(description="Moves", layout=wide)
            if compact
            else ipywidgets.Select(description="Moves", rows=_ROWS, layout=wide)
        )
        self.buttons = (
            button("Play this move", self._play_chosen, fail, main=True),
            button("All moves", self._show_all, fail),
        )

    @property
    def listed(self) -> tuple[str, ...]:
        """The moves on offer."""
        return tuple(self.choice.options)

    def follow(self, moves: tuple[Move, ...]) -> None:
        """From now on these are the moves."""
        self._moves = moves
        self.show_those_of()

    def show_those_of(self, word: str = "") -> None:
        """Offer the moves that name a place, or all of them if none does."""
        moves = [str(move) for move in self._moves]
        named = [move for move in moves if word and word.lower() in move.lower()]
        self.choice.options = named or moves
        self.choice.value = self.choice.options[0] if self.choice.options else None

    def _show_all(self) -> None:
        self.show_those_of()
        self._say(f"The list has {counted(len(self.listed), 'move')}.")

    def select(self, move: str) -> None:
        """Choose a move of all, if it is among them."""
        self.show_those_of()
        if move in self.choice.options:
            self.choice.value = move

    def _play_chosen(self) -> None:
        if self.choice.value is None:
            self._fail("Choose a move of the list first.")
            return
        self._play(self.choice.value)
