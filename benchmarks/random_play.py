"""Random play, time for a move, side by side with OpenSpiel's Python tic-tac-toe.

The runs take turns, so that a busy moment of the machine falls on both; the median is told.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator

import open_spiel.python.games  # noqa: F401  (registers the games written in Python)
import pyspiel

import castlelab
from benchmarks.table import Row, show
from castlelab.bots import Random, play_out
from castlelab.chance import Chance

TURNS = 9
SECONDS = 0.7  # of each turn


def open_spiel_game(name: str, rng: random.Random) -> Callable[[], int]:
    """A random game of OpenSpiel; returns its number of moves."""
    game = pyspiel.load_game(name)

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return moves

    return play


def castlelab_game(name: str, players: int) -> Callable[[], int]:
    """A random game of ours, never the same one twice; returns its number of moves."""
    game = castlelab.load(name, players=players)
    bots = (Random(),) * players
    seeds = iter(range(10**9))

    def play() -> int:
        seed = next(seeds)
        return len(play_out(game.start(seed), bots, Chance.seeded(seed))[1])

    return play


def time_of_a_move(play: Callable[[], int]) -> float:
    moves, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS:
        moves += play()
    return spent / moves


def rows() -> Iterator[Row]:
    peer = open_spiel_game("python_tic_tac_toe", random.Random(1))
    for name in castlelab.GAMES:
        for players in castlelab.game.game_class(name).seats_for():
            ours = castlelab_game(name, players)
            pairs = [(time_of_a_move(ours), time_of_a_move(peer)) for _ in range(TURNS)]
            mine, theirs = (statistics.median(times) for times in zip(*pairs, strict=True))
            note = f"a move; {1 / mine:,.0f} against {1 / theirs:,.0f} a second"
            yield Row(f"random {name}, {players} players", mine, theirs, note)


if __name__ == "__main__":
    show(rows())
