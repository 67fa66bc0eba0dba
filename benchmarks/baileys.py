"""CastleScape's baileys side by side with scipy, scikit-image and networkx.

Run ``python -m benchmarks.baileys``; the peers come with ``pip install castlelab[bench]``.
All get the same castles on sites of 13 by 13, each in its own form, and all must name the same
squares. scipy and scikit-image label the parts of a picture, and an edge test follows; networkx
finds the components of a graph of squares, ready made, and asks which of them has no square at
the edge. The peers are timed up to the labels of the baileys or their squares, ours up to their
squares. The two that come beside scipy are left out where they are not installed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from itertools import pairwise, product
from typing import Any

import numpy as np
from scipy.ndimage import label

from benchmarks.rounds import in_turns, processor_time
from benchmarks.table import Row, show
from castlelab.games.castlescape.board import Board

SIDE = 13
CASTLES = 40
WALLS = range(1, 73)  # what the quarry of a game for two can give
ROUNDS = 9
COMPARED = (
    "Baileys: to find which ground of a 13 by 13 site is closed in by walls; the peers from their "
    "own form of the site, up to labels."
)
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


def skimage_test(ground: Ground) -> tuple[Ground, Any]:
    """The lean edge test after the labels of scikit-image."""
    from skimage.measure import label as label_picture

    labels, number = label_picture(ground, connectivity=2, return_num=True)
    shut = np.ones(number + 1, dtype=bool)
    shut[0] = False
    shut[labels[EDGE]] = False
    return labels, shut.nonzero()[0]


def graph_of(board: Board) -> Any:
    """The ground as a graph: squares, and who touches whom by side or corner."""
    import networkx

    ground = set(board.grid.squares(board.grid.all & ~board.walls))
    graph = networkx.Graph()
    graph.add_nodes_from(ground)
    graph.add_edges_from(
        (square, beside)
        for square in ground
        for down, right in product((-1, 0, 1), repeat=2)
        if (beside := (square[0] + down, square[1] + right)) in ground and beside != square
    )
    return graph


RIM = {square for square in product(range(SIDE), repeat=2) if {0, SIDE - 1} & set(square)}


def components(graph: Any) -> list[set[Any]]:
    """The parts of a graph that do not reach the edge."""
    import networkx

    return [part for part in networkx.connected_components(graph) if RIM.isdisjoint(part)]


def squares_by(test: Callable[[Ground], tuple[Ground, Any]], ground: Ground) -> list[set[Any]]:
    labels, shut = test(ground)
    return [set(map(tuple, np.argwhere(labels == part).tolist())) for part in shut]


# --- the table ---


def timed(work: Callable[[Any], Any], things: list[Any]) -> float:
    """How much processor time the work takes on one of many things, on average."""

    def each() -> None:
        for thing in things:
            work(thing)

    return processor_time(each) / len(things)


def met_anew(boards: list[Board]) -> list[Board]:
    """The boards as if nothing were known of them."""
    return [Board(board.side, board.walls, board.ground, board.atop) for board in boards]


def grow(walls: list[int]) -> None:
    """A castle again, from its walls in order, with its baileys asked for each time."""
    board = Board.start(SIDE)
    for bit in walls:
        board = board.with_wall(bit)
        board.baileys()


def peers_of(boards: list[Board]) -> dict[str, tuple[Callable[[Any], Any], list[Any]]]:
    """Each peer that is there: its work, and the boards in its own form."""
    grounds = [ground_of(board) for board in boards]
    found: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
        LEAN: (lean_test, grounds),
        "scipy, label and np.unique": (usual_test, grounds),
    }
    if find_spec("skimage"):
        found["scikit-image, label and the leanest edge test"] = (skimage_test, grounds)
    if find_spec("networkx"):
        found["networkx, connected components"] = (components, list(map(graph_of, boards)))
    return found


LEAN = "scipy, label and the leanest edge test"


def assert_equal(boards: list[Board]) -> None:
    """All who take part name the same squares."""
    for board in boards:
        ours, ground = [set(bailey.squares) for bailey in board.baileys()], ground_of(board)
        assert ours == squares_by(usual_test, ground) == squares_by(lean_test, ground)
        if find_spec("skimage"):
            assert ours == squares_by(skimage_test, ground)
        if find_spec("networkx"):
            assert sorted(map(sorted, ours)) == sorted(map(sorted, components(graph_of(board))))


def rows() -> list[Row]:
    """New boards against every peer; then castles as the game asks, wall by wall."""
    chance = random.Random(0)
    castles = [castle(chance) for _ in range(CASTLES)]
    boards = [board for grows in castles for board in grows[1:]]
    assert_equal(boards[::3])
    peers = peers_of(boards)
    orders = [[new.walls ^ old.walls for old, new in pairwise(grows)] for grows in castles]
    per_castle = len(boards) / len(castles)
    anew, growing, *times = in_turns(
        [
            lambda: timed(Board.baileys, met_anew(boards)),
            lambda: timed(grow, orders) / per_castle,
            *(partial(timed, *each) for each in peers.values()),
        ],
        ROUNDS,
    )
    theirs = dict(zip(peers, times, strict=True))
    baileys = sum(len(board.baileys()) for board in boards) / len(boards)
    note = f"{len(boards):,} boards, {baileys:.1f} baileys each"
    return [
        *(
            Row.of("baileys of a board", anew, seconds, note, peer, COMPARED)
            for peer, seconds in theirs.items()
        ),
        Row.of("baileys as a castle grows", growing, theirs[LEAN], "and the wall", LEAN, COMPARED),
    ]


if __name__ == "__main__":
    show(rows())
