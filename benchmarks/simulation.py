"""Simulation: what sharing out gains, and what ``simulate`` costs beside a bare loop.

The runs take turns, so that a busy moment of the machine falls on both; the median is told.
What is done in one process is told in processor time. Two processes can only be quicker than
one where two cores are free. So the load is told, too, and beside the gain that was seen the
gain that free cores would allow: the work of one process by the work of the busier of two.
"""

from __future__ import annotations

import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import castlelab
from benchmarks.table import Row, show
from castlelab.bots import bot, play_out
from castlelab.chance import Chance
from castlelab.study import simulate

TURNS = 5
GAME, BOTS, SEED = "castle_keep", ("greedy", "random"), 1
SHARED = 400  # games of a run that is shared out
ALONE = 100  # games of a run in one process


def bare_loop(games: int) -> list[object]:
    """The same games, and not a line more than it takes to count them."""
    game, bots = castlelab.load(GAME, players=len(BOTS)), tuple(map(bot, BOTS))
    played: list[object] = []
    for number in range(games):
        stream = Chance.seeded(SEED).split(number)
        end, moves = play_out(game.start(f"{stream.key}"), bots, stream.split("bots"))
        played.append((number, end.scores, end.winners, Counter(move.kind for move in moves)))
    return played


class Clocked(Executor):
    """Processes that tell how long each of them has really worked."""

    def __init__(self, workers: int) -> None:
        self._pool = ProcessPoolExecutor(workers, get_context("spawn"))
        self._max_workers = workers
        self.spent: Counter[int] = Counter()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        told: Future[Any] = Future()

        def hand_on(future: Future[Any]) -> None:
            process, spent, result = future.result()
            self.spent[process] += spent
            told.set_result(result)

        self._pool.submit(_clocked, fn, *args, **kwargs).add_done_callback(hand_on)
        return told

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def run(self) -> tuple[float, float]:
        """How long a shared run takes, and how long its busiest process works for it."""
        self.spent.clear()
        seen = clocked(time.perf_counter, lambda: simulate(GAME, SHARED, BOTS, SEED, self))
        return seen, max(self.spent.values())


def _clocked(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[int, int, Any]:
    begin = time.process_time_ns()
    result = fn(*args, **kwargs)
    return os.getpid(), time.process_time_ns() - begin, result


def clocked(clock: Callable[[], float], run: Callable[[], object]) -> float:
    begin = clock()
    run()
    return clock() - begin


def overhead() -> Row:
    """``simulate`` in this process against a bare loop, in processor time."""
    runs = (lambda: simulate(GAME, ALONE, BOTS, SEED, workers=1), lambda: bare_loop(ALONE))
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(2 * TURNS):
        for who in ((0, 1), (1, 0))[turn % 2]:  # who goes first takes turns as well
            times[who].append(clocked(time.process_time, runs[who]) / ALONE)
    ours, peer = map(statistics.median, times)
    note = f"a game; {ours / peer - 1:+.1%} processor time, wanted below +10 %"
    return Row("simulate in this process", ours, peer, note, "a bare loop")


def gain() -> Row:
    """Two processes against one, as it is seen on the clock."""
    seen: tuple[list[float], list[float]] = ([], [])
    busiest: tuple[list[float], list[float]] = ([], [])
    with Clocked(2) as two, Clocked(1) as one:
        two.run(), one.run()  # let the processes start and read the rules
        for turn in range(TURNS):
            for who in ((0, 1), (1, 0))[turn % 2]:
                on_the_clock, worked = (two, one)[who].run()
                seen[who].append(on_the_clock / SHARED)
                busiest[who].append(worked)
    ours, peer = map(statistics.median, seen)
    possible = statistics.median(busiest[1]) / statistics.median(busiest[0])
    note = (
        f"a game; wanted 1.70; processor time allows {possible:.2f}; "
        f"{os.cpu_count()} cores, load {_load()}"
    )
    return Row("simulate with 2 processes", ours, peer, note, "1 process")


def rows() -> Iterator[Row]:
    yield overhead()
    yield gain()


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


if __name__ == "__main__":
    show(rows())
