"""How somebody fares with one puzzle: hints, wrong answers and time, into the visitor's book."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from castlelab.progress import Attempt, ProgressError, Solve, now
from castlelab.widgets.card.progress_book import book

LONGEST_PAUSE = 300  # seconds of thinking; who does nothing for longer is elsewhere


class Trying:
    """The time that goes by from :meth:`begin` or the first :meth:`touch` on, long pauses cut.

    What was noted of this puzzle on another day counts, too.
    """

    def __init__(self, puzzle_id: str, clock: Callable[[], float] = monotonic) -> None:
        self._id, self._clock = puzzle_id, clock
        self._spent, self._last = 0.0, -1.0
        self._before: Attempt | None = None
        self._is_begun = False

    def begin(self) -> None:
        """Somebody looks at the puzzle from now on."""
        self.touch()

    def touch(self) -> None:
        """Somebody does something."""
        time = self._clock()
        if self._last >= 0:
            self._spent += min(time - self._last, LONGEST_PAUSE)
        self._last = time

    def note_open(self, hints: int, wrong: int) -> None:
        """Write down how far this is, without an end."""
        before = self._earlier()
        try:
            attempt = Attempt(
                self._id,
                now(),
                max(hints, before.hints if before else 0),
                wrong + (before.wrong if before else 0),
                self._seconds(),
            )
        except ProgressError:
            return  # a puzzle of somebody's own: others could not know what was tried
        book().note_attempt(attempt)

    def note_end(self, hints: int, wrong: int, gave_up: bool) -> None:
        """Write down how this ended."""
        before = self._earlier()
        try:
            end = Solve(
                self._id,
                now(),
                max(hints, before.hints if before else 0),
                wrong + (before.wrong if before else 0),
                gave_up,
                self._seconds(),
            )
        except ProgressError:
            return  # as above
        book().note(end)

    def _earlier(self) -> Attempt | None:
        """What was noted before this card noted anything."""
        if not self._is_begun:
            self._is_begun = True
            self._before = book().progress.tried.get(self._id)
        return self._before

    def _seconds(self) -> int:
        return round(self._spent) + (self._before.seconds if self._before else 0)
