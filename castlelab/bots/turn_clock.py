"""A limit for a whole turn: a bot is asked for one move after the other, and a turn is several."""

from __future__ import annotations

import time
from collections.abc import Iterator

from castlelab.bots.bot import Budget, Thought
from castlelab.game import Move, State

_PART = 4  # of what is left of a turn each move may take the fourth: more may come
_LEAST = 0.001  # seconds: nothing is left


class TurnClock:
    """How long the bot of a seat may go on in this turn.

    A turn is what a seat plays while nobody else does, in one round of the game's own count.
    A move gets a part of the seconds that are left, so that the last ones are thought about, too.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = self._left = seconds
        self._last: tuple[State, Move] | None = None  # where it was asked last, and its answer

    def budget(self, state: State) -> Budget:
        """What the next move may take, once the futures that the game advises are imagined."""
        if not self._goes_on(state):
            self._left = self._seconds
        return Budget(max(self._left / _PART, _LEAST), state.game.futures)

    def _goes_on(self, state: State) -> bool:
        """Whether this is the turn of the last move, and nothing was taken back since."""
        if self._last is None:
            return False
        before, move = self._last
        asked = [(each.to_move, each.how_far()) for each in (before, state)]
        return asked[0] == asked[1] and before.after(move) == state

    def timed(self, state: State, thoughts: Iterator[Thought]) -> Iterator[Thought]:
        """The same thoughts, with the time that they take counted; one may stop at any of them."""
        begin, left = time.monotonic(), self._left
        for thought in thoughts:
            self._left = left - (time.monotonic() - begin)
            self._last = state, thought.move
            yield thought
