"""A limit of time for code that is not ours."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_AGAIN = 1.0  # seconds after which the alarm rings again, for whoever went on all the same


class Stalled(BaseException):
    """The time is up. Not an ``Exception``: code that catches those must not go on."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise :class:`Stalled` in what takes longer.

    An alarm of the system interrupts it. Where there is none, in threads and on Windows, and
    in compiled code that does not listen, it is raised when the work comes back by itself.
    """
    begin = time.monotonic()
    if _can_ring():
        with _alarm(seconds):
            yield
    else:
        yield
    if time.monotonic() - begin > seconds:
        raise Stalled


def _can_ring() -> bool:
    in_main = threading.current_thread() is threading.main_thread()
    return in_main and hasattr(signal, "setitimer") and signal.getsignal(signal.SIGALRM) is not None


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Ring in so many seconds; an alarm that somebody else has set still rings in its time."""
    usual, begin = signal.signal(signal.SIGALRM, _ring), time.monotonic()
    left, every = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
        if left:
            still = max(left - (time.monotonic() - begin), 0.001)
            signal.setitimer(signal.ITIMER_REAL, still, every)


def _ring(number: int, frame: FrameType | None) -> None:
    raise Stalled
