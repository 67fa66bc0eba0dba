"""Bots that think while the page waits: how far they are, their pace, and a way to hurry them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import ipywidgets

from castlelab.bots import Seated, Thought
from castlelab.chance import Chance
from castlelab.game import State
from castlelab.record import Record
from castlelab.widgets.board.board import Action
from castlelab.widgets.controls import html, row
from castlelab.widgets.table.thinking import InSlices, Rest

#: Seconds for which a move is looked at before a bot makes the next one.
PACES = {"off": 0.0, "quick": 0.5, "normal": 1.2}


class BotsAtWork:
    """The work of bots in slices; ``line`` tells of it, and ``hurry`` ends it.

    Until a page has come nobody looks on, and bots play without a rest.
    """

    def __init__(self, make_button: Callable[[str, Action], ipywidgets.Button]) -> None:
        self.line = row()
        self.line.add_class("castlelab-work")
        self.thought: Thought | None = None  # the best so far
        self.is_for_hint = False
        self.pace = "off"
        self.hurry = (
            make_button("Play now", self._hurry_up),
            make_button("Tell me now", self._hurry_up),
        )
        self._work: InSlices | None = None
        self._hurried: int | None = None  # the seat whose moves somebody wants to see at once
        self._is_skipped = False  # whether nobody wants to look at moves till people are to move

    @property
    def busy(self) -> bool:
        """Whether a bot is thinking, or has its move looked at."""
        return self._work is not None

    @property
    def is_watched(self) -> bool:
        """Whether moves are shown one by one."""
        return PACES[self.pace] > 0 and not self._is_skipped

    def start(
        self,
        steps: Iterator[object],
        *,
        between: Action,
        at_end: Action,
        at_failure: Callable[[Exception], object],
        is_for_hint: bool = False,
    ) -> None:
        """Begin with work, instead of any that goes on; see :class:`InSlices`."""
        self.stop()
        self._hurried, self._is_skipped = None, False
        self.thought, self.is_for_hint = None, is_for_hint
        self._work = InSlices(steps, between=between, at_end=at_end, at_failure=at_failure)
        self._work.start()

    def stop(self) -> None:
        """Give up what a bot is thinking about."""
        if self._work is not None:
            self._work.cancel()
        self._work, self.is_for_hint = None, False
        self.line.children = ()

    def stop_hint(self) -> None:
        """Give up a hint; a bot whose turn it is thinks on."""
        if self.is_for_hint:
            self.stop()

    def skip(self) -> None:
        """Look at no more moves of this round one by one."""
        if self._work is not None and not self.is_for_hint:
            self._is_skipped = True
            self._work.wake()

    def think(self, player: Seated, state: State, luck: Chance) -> Iterator[None]:
        """Let a bot think about its move until it is done or its turn is hurried."""
        self._seat = state.to_move
        if self._hurried != self._seat:
            self._hurried = None
        for thought in player.think(state, luck):
            self.thought = thought
            yield
            if self._hurried is not None:
                break

    def look(self) -> Iterator[Rest]:
        """Leave time to look at the last move, if anybody does."""
        if self.is_watched:
            yield Rest(PACES[self.pace])

    def decide(self) -> Thought | None:
        """The best thought, which is done with now."""
        best, self.thought = self.thought, None
        return best

    def show(self, told: str) -> None:
        """Say who thinks, and how far it is."""
        if not self.line.children:
            bar = ipywidgets.FloatProgress(min=0, max=1, layout={"width": "120px"})
            self.line.children = (html(), bar)
        label, bar = self.line.children
        label.value = f"<span>{told}</span>"
        bar.value = self.thought.done if self.thought is not None else 0.0

    def _hurry_up(self) -> None:
        self._hurried = self._seat
        self.skip()


def luck(record: Record) -> Chance:
    """What a bot rolls: the same at the same place, so that undo does not roll again."""
    return Chance.seeded(f"table {record.seed}").split(len(record.moves))
