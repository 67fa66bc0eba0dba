"""Simulation: what sharing out gains, and what ``simulate`` costs beside a bare loop.

The runs take turns, so that a busy moment of the machine falls on both; the median is told.
Two processes can only be quicker than one where two cores are free: the load is told, too.
"""

from __future__ import annotations

import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import castlelab
from benchmarks.table import Row, show
from castlelab.bots import bot, play_out
from castlelab.chance import Chance
from castlelab.study import simulate

TURNS = 7
GAME, BOTS, SEED = "castle_keep", ("greedy", "random"), 1
SHARED = 600  # games of a run that is shared out
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


def seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def pairs(ours: Callable[[], object], peer: Callable[[], object]) -> list[tuple[float, float]]:
    """Times of both, in turns; who goes first takes turns as well."""
    times = []
    for turn in range(TURNS):
        if turn % 2:
            theirs = seconds(peer)
            times.append((seconds(ours), theirs))
        else:
            mine = seconds(ours)
            times.append((mine, seconds(peer)))
    return times


def row(name: str, times: list[tuple[float, float]], games: int, note: str) -> Row:
    mine, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    ratios = sorted(theirs / mine for mine, theirs in times)
    spread = f"ratios {ratios[0]:.2f} to {ratios[-1]:.2f}, median {statistics.median(ratios):.3f}"
    return Row(name, mine / games, theirs / games, f"a game; {spread}; {note}")


def rows() -> Iterator[Row]:
    alone = pairs(lambda: simulate(GAME, ALONE, BOTS, SEED, workers=1), lambda: bare_loop(ALONE))
    yield row("simulate against a bare loop", alone, ALONE, "wanted: 0.91 or more")

    context = get_context("spawn")
    with ProcessPoolExecutor(1, context) as one, ProcessPoolExecutor(2, context) as two:
        for executor in (one, two):  # let the processes start and read the rules
            simulate(GAME, 20, BOTS, SEED, executor)
        shared = pairs(
            lambda: simulate(GAME, SHARED, BOTS, SEED, two),
            lambda: simulate(GAME, SHARED, BOTS, SEED, one),
        )
    load = f"wanted: 1.7 or more on two free cores; {os.cpu_count()} cores, load {_load()}"
    yield row("2 processes against 1", shared, SHARED, load)


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


if __name__ == "__main__":
    show(rows())
