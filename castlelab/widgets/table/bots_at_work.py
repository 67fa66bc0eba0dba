"""Bots that think while the page waits: how far they are, and a button to hurry them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import ipywidgets

from castlelab.bots import Seated, Thought
from castlelab.chance import Chance
from castlelab.game import State
from castlelab.record import Record
from castlelab.widgets.board.board import Action
from castlelab.widgets.controls import html, row
from castlelab.widgets.table.thinking import InSlices


class BotsAtWork:
    """The work of bots in slices; ``line`` stands on the page while there is some."""

    def __init__(self, make_button: Callable[[str, Action], ipywidgets.Button]) -> None:
        self.line = row()
        self.thought: Thought | None = None  # the best so far
        self.is_for_hint = False
        self._make_button = make_button
        self._work: InSlices | None = None
        self._hurry = False  # whether somebody wants to see the end of it

    @property
    def busy(self) -> bool:
        """Whether a bot is thinking."""
        return self._work is not None

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
        self._hurry, self.thought, self.is_for_hint = False, None, is_for_hint
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

    def think(self, player: Seated, state: State, luck: Chance) -> Iterator[None]:
        """Let a bot think about its move until it is done or hurried."""
        for thought in player.think(state, luck):
            self.thought = thought
            yield
            if self._hurry:
                break

    def decide(self) -> Thought | None:
        """The best thought, which is done with now."""
        best, self.thought, self._hurry = self.thought, None, False
        return best

    def show(self, told: str) -> None:
        """Say who thinks, how far it is, and offer to take the best so far."""
        if not self.line.children:
            words = "Tell me now" if self.is_for_hint else "Play now"
            bar = ipywidgets.FloatProgress(min=0, max=1, layout={"width": "180px"})
            self.line.children = (html(), bar, self._make_button(words, self._hurry_up))
        label, bar, _ = self.line.children
        label.value = f"<span>{told}</span>"
        bar.value = self.thought.done if self.thought is not None else 0.0

    def _hurry_up(self) -> None:
        self._hurry = True


def luck(record: Record) -> Chance:
    """What a bot rolls: the same at the same place, so that undo does not roll again."""
    return Chance.seeded(f"table {record.seed}").split(len(record.moves))
