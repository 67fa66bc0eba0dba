"""CastleScape's baileys side by side with scipy.ndimage.label and an edge test.

Run ``python -m benchmarks.baileys``; the peer comes with ``pip install castlelab[bench]``.
Both get the same castles on sites of 13 by 13, each in its own form, and both must name the
same squares. The peer is timed up to the labels of the baileys, ours up to their squares.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.ndimage import label

from benchmarks.table import Row, show
from castlelab.games.castlescape.board import Board

SIDE = 13
CASTLES = 40
WALLS = range(1, 73)  # what the quarry of a game for two can give
ROUNDS = 15
CORNERS_TOO = np.ones((3, 3), dtype=bool)
EDGE = np.ones((SIDE, SIDE), dtype=bool)
EDGE[1:-1, 1:-1] = False

Ground = Any  # an array of truth values: where there is no wall


def castle(chance: random.Random) -> list[Board]:
    """A castle as it grows, wall by wall, with a liking for closing things."""
    boards = [Board.start(SIDE)]
    for _ in WALLS:
        board = boards[-1]
        spots = list(board.grid.squares(board.wall_spots()))
        if not spots:
            break
        tries = [board.grid.bit(chance.choice(spots)) for _ in range(3)]
        boards.append(
            board.with_wall(
                max(tries, key=lambda bit: (board.grid.beside[bit] & board.walls).bit_count())
            )
        )
    return boards


def ground_of(board: Board) -> Ground:
    marks = str(board).replace("\n", "")
    return np.array([mark == "." for mark in marks]).reshape(SIDE, SIDE)


# --- the peer ---


def usual_test(ground: Ground) -> tuple[Ground, Any]:
    """As one would write it: which labels occur at the edge, and which are the others."""
    labels, number = label(ground, structure=CORNERS_TOO)
    edge = np.unique(np.concatenate((labels[0], labels[-1], labels[:, 0], labels[:, -1])))
    return labels, np.setdiff1d(np.arange(1, number + 1), edge)


def lean_test(ground: Ground) -> tuple[Ground, Any]:
    """The quickest edge test that we could find for it."""
    labels, number = label(ground, structure=CORNERS_TOO)
    shut = np.ones(number + 1, dtype=bool)
    shut[0] = False
    shut[labels[EDGE]] = False
    return labels, shut.nonzero()[0]


def squares_by(test: Callable[[Ground], tuple[Ground, Any]], ground: Ground) -> list[set[Any]]:
    labels, shut = test(ground)
    return [set(map(tuple, np.argwhere(labels == part).tolist())) for part in shut]


# --- the table ---


def timed(work: Callable[[Any], Any], things: list[Any]) -> float:
    """How long the work takes on one of many things, on average."""
    gc.disable()  # as timeit does: rubbish of others is not to be counted
    start = time.perf_counter()
    for thing in things:
        work(thing)
    took = time.perf_counter() - start
    gc.enable()
    return took / len(things)


def met_anew(boards: list[Board]) -> list[Board]:
    """The boards as if nothing were known of them."""
    return [Board(board.side, board.walls, board.ground, board.atop) for board in boards]


def grow(walls: list[int]) -> None:
    """A castle again, from its walls in order, with its baileys asked for each time."""
    board = Board.start(SIDE)
    for bit in walls:
        board = board.with_wall(bit)
        board.baileys()


def rows() -> list[Row]:
    """New boards against both edge tests; then castles as the game asks, wall by wall."""
    chance = random.Random(0)
    castles = [castle(chance) for _ in range(CASTLES)]
    boards = [board for grows in castles for board in grows[1:]]
    grounds = [ground_of(board) for board in boards]
    for board, ground in zip(boards, grounds, strict=True):
        ours = [set(bailey.squares) for bailey in board.baileys()]
        assert ours == squares_by(usual_test, ground) == squares_by(lean_test, ground)
    orders = [[new.walls ^ old.walls for old, new in pairwise(grows)] for grows in castles]
    per_castle = len(boards) / len(castles)
    # In turns, and the quickest of each: what else the machine does only adds to a time.
    rounds = [
        (
            timed(Board.baileys, met_anew(boards)),
            timed(grow, orders) / per_castle,
            timed(usual_test, grounds),
            timed(lean_test, grounds),
        )
        for _ in range(ROUNDS)
    ]
    anew, growing, usual, lean = map(min, zip(*rounds, strict=True))
    baileys = sum(len(board.baileys()) for board in boards) / len(boards)
    note = f"{len(boards):,} boards, {baileys:.1f} baileys each"
    return [
        Row("baileys, label and np.unique", anew, usual, note),
        Row("baileys, label and the leanest edge test", anew, lean, note),
        Row("baileys as a castle grows, the same peer", growing, lean, "with building the wall"),
    ]


if __name__ == "__main__":
    show(rows())
