"""Steps that can be taken back, and taken again."""

from __future__ import annotations

from typing import Generic, TypeVar

from castlelab.widgets.board.board import BoardWidget

HistoryStep = TypeVar("HistoryStep")


class History(Generic[HistoryStep]):
    """What is now, what was before it, and what was taken back.

    >>> steps = History("a")
    >>> steps.go("b")
    >>> steps.back(), steps.again()
    ('a', 'b')
    """

    def __init__(self, now: HistoryStep) -> None:
        self.now = now
        self._past: list[HistoryStep] = []
        self._future: list[HistoryStep] = []

    def go(self, to: HistoryStep) -> None:
        """A new step; what was taken back is forgotten."""
        self._past.append(self.now)
        self._future.clear()
        self.now = to

    def back(self) -> HistoryStep:
        """Take the last step back."""
        self._future.append(self.now)
        self.now = self._past.pop()
        return self.now

    def again(self) -> HistoryStep:
        """Take the step again that was taken back last."""
        self._past.append(self.now)
        self.now = self._future.pop()
        return self.now

    def tell(self, board: BoardWidget) -> None:
        """Let the buttons of a board know which way is open."""
        board.can_undo, board.can_redo = bool(self._past), bool(self._future)
