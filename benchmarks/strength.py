"""How strong montecarlo plays in the same time: against greedy, at 0.1, 0.3 and 1 s a move.

Seconds are turned into futures by what this machine imagines of them in a second of processor
time, measured first in the middle of a game: so a busy machine does not make a bot weaker. With
``--speed 0.7`` a bot has as many futures as engines of 0.7 times today's speed would have: that is
how a table of before and after is made.

Run it by hand: ``python -m benchmarks.strength [--games N] [--speed X] [--seconds S …] [GAME …]``.
At a second a move it takes an hour for each game.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence

import castlelab
from benchmarks.duels import seconds_a_move, wins
from benchmarks.rounds import load

SECONDS = (0.1, 0.3, 1.0)
GAMES = 40
TRIED = 60  # futures, by which their time is measured


def futures_within(game: str, seconds: float, speed: float = 1.0) -> int:
    """How many futures a move may have in so many seconds, by engines of a part of our speed."""
    each = seconds_a_move(game, f"montecarlo:{TRIED}") / TRIED
    return max(1, round(seconds * speed / each))


def duels(
    names: Sequence[str], games: int, seconds: Sequence[float], speed: float
) -> Iterator[str]:
    for game in names:
        for within in seconds:
            futures = futures_within(game, within, speed)
            share = wins(game, f"montecarlo:{futures}", "greedy", games)
            doubt = 1.96 * math.sqrt(max(share * (1 - share), 0.25 / games) / games)
            yield (
                f"{game}: {futures} futures in {within:g} s at {speed:g} of today's speed win "
                f"{share:.0%} ± {doubt:.0%} of {games} against greedy; {load()}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="GAME", default=list(castlelab.GAMES))
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, nargs="+", default=SECONDS)
    asked = parser.parse_args()
    for line in duels(asked.names, asked.games, asked.seconds, asked.speed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
