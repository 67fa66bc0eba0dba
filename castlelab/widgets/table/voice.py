"""What a table says aloud of its moves: each of them once, to those at the screen."""

from __future__ import annotations

from collections.abc import Collection

from castlelab.cues import Cue, cues_of
from castlelab.record import Record
from castlelab.rules import counted
from castlelab.speech import Way

_MOST = 12  # moves that are said at once


class Voice:
    """How much is said, and how many moves of a game have been said already."""

    def __init__(self, record: Record) -> None:
        self.way: Way = "normal"
        self._spoken = 0
        self.skip(record)

    def speak(self, way: Way) -> None:
        """Say so much from now on."""
        self.way = way

    def skip(self, record: Record) -> None:
        """Say nothing of all that has been played so far."""
        self._spoken = len(record.moves)

    def begin_for(self, record: Record, seat: int) -> None:
        """Somebody else listens from now on: say what has come since the seat moved last."""
        self._spoken = min(self._spoken, _last_of(record, seat, len(record.moves)) + 1)

    def cues(self, record: Record, audience: Collection[int]) -> tuple[Cue, ...]:
        """The sounds of the moves that have not been said yet."""
        states = record.states[min(self._spoken, len(record.moves)) :]
        return cues_of(states, audience)

    def news(self, record: Record, audience: Collection[int]) -> list[str]:
        """The moves that have not been said yet."""
        now = len(record.moves)
        first, self._spoken = min(self._spoken, now), now
        return self._aloud(record, first, now, audience, self.way)

    def since(self, record: Record, seat: int, end: int, audience: Collection[int]) -> list[str]:
        """The last move of a seat, and all that came after it, up to a number of moves; in full."""
        return self._aloud(record, max(0, _last_of(record, seat, end)), end, audience, "full")

    def _aloud(
        self, record: Record, first: int, end: int, audience: Collection[int], way: Way
    ) -> list[str]:
        """Some moves as they are said; of very many the last ones."""
        start = max(first, end - _MOST)
        left = [f"{counted(start - first, 'move')} before."] if start > first else []
        return left + [
            record.spoken(number, audience, way, last=number == end - 1)
            for number in range(start, end)
        ]


def _last_of(record: Record, seat: int, end: int) -> int:
    """The number of moves before the last one of a seat; -1 if it has not moved."""
    own = (at for at in reversed(range(end)) if record.states[at].to_move == seat)
    return next(own, -1)
