"""How puzzles ended, in numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from castlelab.progress import Solve
from castlelab.rules import counted


class Tally(NamedTuple):
    """How some puzzles ended.

    >>> print(Tally(solved=2, wrong=1))
    2 solved, 1 wrong answer
    """

    solved: int = 0
    hints: int = 0
    wrong: int = 0
    gave_up: int = 0

    @staticmethod
    def of(solve: Solve) -> Tally:
        """How one puzzle ended."""
        return Tally(int(not solve.gave_up), solve.hints, solve.wrong, int(solve.gave_up))

    @staticmethod
    def total(tallies: Iterable[Tally]) -> Tally:
        """All of them together."""
        return Tally(*map(sum, zip(Tally(), *tallies, strict=True)))

    @property
    def ended(self) -> int:
        """How many puzzles there were."""
        return self.solved + self.gave_up

    def __str__(self) -> str:
        parts = [f"{self.solved} solved"]
        parts += [f"{self.gave_up} given up"] if self.gave_up else []
        parts += [counted(self.hints, "hint")] if self.hints else []
        parts += [counted(self.wrong, "wrong answer")] if self.wrong else []
        return ", ".join(parts)
