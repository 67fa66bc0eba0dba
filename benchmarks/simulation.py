"""Simulation: what sharing out gains, and what ``simulate`` costs beside a bare loop.

The runs take turns, so that a busy moment of the machine falls on both; the least is told.
What is done in one process is told in processor time. Two processes can only be quicker than
one where two cores are free. So the load is told, too, and beside the gain that was seen the
gain that free cores would allow: the work of one process by the work of the busier of two.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import castlelab
from benchmarks.rounds import in_turns, load, processor_time
from benchmarks.table import Row, show
from castlelab.bots import bot, play_out
from castlelab.chance import Chance
from castlelab.study import simulate

TURNS = 5
COMPARED = (
    "Simulation: the same games by `simulate` and by a bare loop, in processor time; and with two "
    "processes against one, by the clock."
)
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
    ours, peer = in_turns([partial(_a_game, run) for run in runs], 2 * TURNS)
    note = f"a game; {ours.least / peer.least - 1:+.1%} processor time, wanted below +10 %"
    return Row.of("simulate in this process", ours, peer, note, "a bare loop", COMPARED)


def _a_game(run: Callable[[], object]) -> float:
    return processor_time(run) / ALONE


def gain() -> Row:
    """Two processes against one, as it is seen on the clock."""
    busiest: dict[Clocked, list[float]] = {}

    def a_game(pool: Clocked) -> float:
        on_the_clock, worked = pool.run()
        busiest.setdefault(pool, []).append(worked)
        return on_the_clock / SHARED

    with Clocked(2) as two, Clocked(1) as one:
        two.run(), one.run()  # let the processes start and read the rules
        ours, peer = in_turns([partial(a_game, two), partial(a_game, one)], TURNS)
        possible = min(busiest[one]) / min(busiest[two])
    note = (
        f"a game; wanted 1.80; processor time allows {possible:.2f}; "
        f"{os.cpu_count()} cores, {load()}"
    )
    return Row.of("simulate with 2 processes", ours, peer, note, "1 process", COMPARED)


def rows() -> Iterator[Row]:
    yield overhead()
    yield gain()


if __name__ == "__main__":
    show(rows())
