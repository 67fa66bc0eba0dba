"""Long work in slices, so that the page is answered while it goes on."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from castlelab.widgets.board.board import BOARD_LOCK

SLICE = 0.03  # seconds of work at a stretch
PAUSE = 0.005  # seconds in which the kernel hears what the page has to say

_LOG = logging.getLogger(__name__)


class Rest(NamedTuple):
    """A step after which nothing is done for so many seconds: somebody is looking."""

    seconds: float


class InSlices:
    """Work that is done step by step, some steps at a time; it can be given up in between.

    The first slice is done at once, so whatever is quick is done when :meth:`start` returns.
    The rest is left to the event loop of the kernel. Where no loop runs, as in a plain Python
    program, it is all done at once and nobody rests. ``between`` is called after each slice but the
    last, ``at_end`` after the last one, ``at_failure`` with what a step raised.
    """

    def __init__(
        self,
        steps: Iterator[object],
        *,
        between: Callable[[], object],
        at_end: Callable[[], object],
        at_failure: Callable[[Exception], object],
    ) -> None:
        self._steps = steps
        self._between, self._at_end, self._at_failure = between, at_end, at_failure
        self._task: asyncio.Task[None] | None = None  # held, or it might be swept away
        self._rest_ends = 0.0  # until then nothing is to be done
        self.ended = False

    def start(self) -> None:
        """Begin; see above for when it ends."""
        self._slice()
        if self.ended:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            while not self.ended:
                self._slice()
        else:
            self._between()
            self._task = loop.create_task(self._go_on())

    def cancel(self) -> None:
        """Give the work up; nothing is called any more."""
        self.ended = True

    def wake(self) -> None:
        """End a rest."""
        self._rest_ends = 0.0

    async def _go_on(self) -> None:
        while not self.ended:
            await asyncio.sleep(PAUSE)
            if time.monotonic() < self._rest_ends:
                continue
            # Nobody may change the table in the middle of a slice, or end it.
            with BOARD_LOCK:
                if not self.ended:
                    self._slice()
                if not self.ended:
                    self._between()

    def _slice(self) -> None:
        end = time.monotonic() + SLICE
        try:
            for step in self._steps:
                if isinstance(step, Rest):
                    self._rest_ends = time.monotonic() + step.seconds
                    return
                if time.monotonic() >= end:
                    return
            self.ended = True
            self._at_end()
        except Exception as error:
            _LOG.info("work in slices failed", exc_info=True)
            self.ended = True
            self._at_failure(error)
