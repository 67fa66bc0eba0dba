"""A game's kinds of puzzles to tick, folded: a page with all of them would have too many stops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets

from castlelab.widgets.controls import button, layout, row, tell_open


class KindBoxes(ipywidgets.VBox):  # type: ignore[misc]
    """A button that tells how many kinds are ticked; it unfolds their ``boxes`` by kind.

    Ticking ``whole`` ticks all of them.
    """

    def __init__(
        self, title: str, boxes: Mapping[str, ipywidgets.Checkbox], fail: Callable[[str], object]
    ) -> None:
        self.title, self.boxes = title, dict(boxes)
        self.whole = tick_box(f"All of {title}", self._all_ticked)
        self.whole.add_class("castlelab-whole")
        self._opener = button("", self.fold_or_unfold, fail)
        self._opener.add_class("castlelab-unfolds")
        self._kinds = row(self.whole, *self.boxes.values())
        self.whole.observe(self._tick_all, "value")
        for box in self.boxes.values():
            box.observe(self._tick_whole, "value")
        super().__init__(children=[self._opener], layout=layout())
        tell_open(self._opener, False)
        self._count()

    @property
    def is_open(self) -> bool:
        """Whether the boxes are to be seen."""
        return self._kinds in self.children

    def fold_or_unfold(self) -> None:
        """Show the boxes, or hide them; what is ticked stays so."""
        self.children = (self._opener,) if self.is_open else (self._opener, self._kinds)
        tell_open(self._opener, self.is_open)

    @property
    def _all_ticked(self) -> bool:
        return all(box.value for box in self.boxes.values())

    def _tick_all(self, change: dict[str, Any]) -> None:
        # Unticking one of the kinds unticks the game, and must not untick the others.
        if change["new"] or self._all_ticked:
            for box in self.boxes.values():
                box.value = change["new"]

    def _tick_whole(self, _: object) -> None:
        self.whole.value = self._all_ticked
        self._count()

    def _count(self) -> None:
        ticked = sum(box.value for box in self.boxes.values())
        self._opener.description = f"{self.title}: {ticked} of {len(self.boxes)} kinds"


def tick_box(words: str, ticked: bool) -> ipywidgets.Checkbox:
    """A box to tick, as wide as its words."""
    return ipywidgets.Checkbox(
        value=ticked, description=words, indent=False, layout=layout("button")
    )
