"""A slider along the moves of a game."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from castlelab.record import Record
from castlelab.rules import CastlelabError
from castlelab.widgets.controls import button, failures_told, labelled, layout, row


class LookBack(ipywidgets.VBox):  # type: ignore[misc]
    """A slider from the start of a game to now; at its end one is back in the game.

    ``look`` is called with the number of moves at each stop, ``go_on`` with the one at which
    the game shall branch off.
    """

    def __init__(
        self,
        look: Callable[[int], object],
        go_on: Callable[[int], object],
        fail: Callable[[str], object],
    ) -> None:
        self._slider = labelled(
            ipywidgets.IntSlider, "Move", "95%", "46px", most="520px", min=0, max=0
        )
        self._look, self._fail = look, fail
        self._heard = True  # whether a change of the slider is somebody's wish
        self._slider.observe(lambda change: self._moved(change["new"]), "value")
        buttons = row(
            button("One back", lambda: self._step(-1), fail),
            button("One on", lambda: self._step(1), fail),
            button("Back to now", lambda: self.stop_at(self._slider.max), fail),
            button("Go on from here", lambda: go_on(self._slider.value), fail),
        )
        super().__init__(children=[self._slider, buttons], layout=layout())
        self.add_class("castlelab-look-back")

    @property
    def at(self) -> int:
        """After how many moves the slider stands."""
        return int(self._slider.value)

    def stop_at(self, number: int) -> None:
        """Move the slider."""
        self._slider.value = number

    def follow(self, moves: int) -> None:
        """The game has so many moves now, and the slider stands at the last one."""
        self._heard = False
        try:
            if self._slider.max != moves:
                self._slider.max = moves
            self._slider.value = moves
        finally:
            self._heard = True

    def _moved(self, number: int) -> None:
        if self._heard:
            with failures_told(self._fail, "look back"):
                self._look(number)

    def _step(self, by: int) -> None:
        self.stop_at(min(max(self._slider.value + by, 0), self._slider.max))


def branched(record: Record, number: int, *, is_open: bool) -> Record:
    """The game up to an earlier moment, to go on from there where nobody gains by it."""
    if number == len(record.moves):
        raise CastlelabError("this is where the game stands; move the slider first")
    if not (is_open or record.state.over):
        raise CastlelabError(
            "you may look at any moment, but go on only from now: finish the game first"
        )
    return record.at(number)
