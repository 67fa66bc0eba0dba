"""How everything is timed: in turns, by the processor, the least of some rounds and their spread.

What else a machine does only ever adds to a time, so the least round says most of the work itself.
How far the middle round lies above it says how much to believe.
"""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

ROUNDS = 7
LEAST = 3  # rounds, however long they take
SHORTEST, MOST_CALLS = 0.02, 500  # seconds of a round of short calls, and how many these are
PATIENCE = 20.0  # seconds for all rounds of a row, once there are enough

Round = Callable[[], float]  # does the work once; returns the seconds of a unit of it


class Timed(NamedTuple):
    """The least of several rounds, and how far the middle one lies above it: 0.05 is 5 %."""

    least: float
    spread: float = 0.0

    @staticmethod
    def of(seconds: Sequence[float]) -> Timed:
        least = min(seconds)
        return Timed(least, statistics.median(seconds) / least - 1)


def in_turns(works: Sequence[Round], rounds: int = ROUNDS) -> list[Timed]:
    """Time works in turns, so that a busy moment falls on all; who begins takes turns as well."""
    times: list[list[float]] = [[] for _ in works]
    begin = time.perf_counter()
    for number in range(rounds):
        if number >= LEAST and time.perf_counter() - begin > PATIENCE:
            break
        order = range(len(works)) if number % 2 == 0 else reversed(range(len(works)))
        for which in order:
            times[which].append(works[which]())
    return [Timed.of(seconds) for seconds in times]


def processor_time(work: Callable[[], Any]) -> float:
    """The processor time of one call, with no rubbish of others in it."""
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


def cold(work: Callable[[], Any], forget: Callable[[], object]) -> float:
    """The processor time of a call that remembers nothing of others, on average over a few."""
    spent, calls = 0.0, 0
    while spent < SHORTEST and calls < MOST_CALLS:
        forget()
        spent += processor_time(work)
        calls += 1
    return spent / calls


def load() -> str:
    """How busy the machine is: 2 on two cores is all of it."""
    return f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
