"""Rectangles of ground on the way to being walled in: what greedy players hope for.

A board has thousands of rectangles, and nearly every wall makes another board. But a wall changes
little: the rings that it belongs to, and the rectangles that it fills. So the rings of a board
that somebody looks from are found once, all of them, best first; of a board with a few walls more
only what these walls touch is looked at anew, and the rest is gone through until enough is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from castlelab.games.castlescape.board import Board
    from castlelab.grid import Grid

#: The part of a bailey's squares that it promises, by the walls still missing.
_PROMISE = (1.0, 0.62, 0.45, 0.33, 0.24, 0.17, 0.11, 0.07)
_LARGEST = 3  # side of the rectangles that are looked at
_PICKED = 6  # rectangles that count
_MEMORY = 1 << 13
_BASES = 1 << 8  # boards that are looked from
_FEW = 6  # walls, up to which a board is seen from another one


class RingPlan(NamedTuple):
    """A rectangle of ground and the walls that would enclose it."""

    inside: int
    walls: int
    size: int


class OpenRing(NamedTuple):
    """A ring that is being built: what it promises, and what is missing."""

    promise: float
    inside: int
    walls: int
    missing: int


class Rings:
    """The rings of every board of a size, and what is remembered of them."""

    def __init__(self, grid: Grid) -> None:
        self._all = tuple(_rings(grid))
        squares = range(grid.rows * grid.columns)
        self._with_wall = tuple(
            tuple(ring for ring in self._all if ring.walls >> at & 1) for at in squares
        )
        self._live: dict[int, tuple[OpenRing, ...]] = {}
        self._bases: dict[int, list[OpenRing]] = {}
        self._base, self._found = -1, list[OpenRing]()

    def live(self, board: Board) -> tuple[OpenRing, ...]:
        """The most promising rings of a board, best first; none of them overlap inside."""
        found = self._live.get(board.walls)
        if found is None:
            if len(self._live) >= _MEMORY:
                self._live.clear()
            found = self._live[board.walls] = _picked(self._since(board))
        return found

    def look_from(self, board: Board) -> None:
        """From now on boards with a few more walls are looked at, and this one is their base."""
        walls = board.walls
        if walls == self._base:
            return
        found = self._bases.get(walls)
        if found is None:
            if len(self._bases) >= _BASES:
                self._bases.clear()
            found = self._bases[walls] = list(self._since(board))
        self._base, self._found = walls, found

    def _since(self, board: Board) -> Iterable[OpenRing]:
        """All open rings of a board, best first: from those of the base if it is near."""
        walls, base = board.walls, self._base
        new = walls ^ base
        if base < 0 or base & new or new.bit_count() > _FEW:
            return sorted(_open(self._all, board), reverse=True)
        touched: set[RingPlan] = set()
        rest = new
        while rest:
            lowest = rest & -rest
            touched.update(self._with_wall[lowest.bit_length() - 1])
            rest ^= lowest
        changed = sorted(_open(touched, board))
        taken, never = walls | board.enclosed(), board.corners()
        return _merged(
            (
                ring
                for ring in self._found
                if not (ring.walls & new or ring.inside & taken or ring.missing & never)
            ),
            changed,
        )


def _open(rings: Iterable[RingPlan], board: Board) -> list[OpenRing]:
    """Those of the rings that can still be closed, and miss a few walls at most."""
    free, most = ~board.walls, len(_PROMISE)
    taken = board.walls | board.enclosed()
    near = [
        (ring, missing)
        for ring in rings
        if (missing := ring.walls & free).bit_count() < most and not ring.inside & taken
    ]
    never = board.corners() if near else 0  # castlescape/no-two-by-two
    return [
        OpenRing(ring.size * _PROMISE[missing.bit_count()], ring.inside, ring.walls, missing)
        for ring, missing in near
        if not missing & never
    ]


def _merged(falling: Iterable[OpenRing], rising: list[OpenRing]) -> Iterator[OpenRing]:
    """Both together, best first; the second list is used up from its end."""
    for ring in falling:
        while rising and rising[-1] > ring:
            yield rising.pop()
        yield ring
    yield from reversed(rising)


def _picked(found: Iterable[OpenRing]) -> tuple[OpenRing, ...]:
    """The first few that do not overlap inside."""
    picked: list[OpenRing] = []
    used = 0
    for ring in found:
        if not ring.inside & used:
            used |= ring.inside
            picked.append(ring)
            if len(picked) == _PICKED:
                break
    return tuple(picked)


def _rings(grid: Grid) -> Iterator[RingPlan]:
    for height in range(1, _LARGEST + 1):
        for width in range(1, _LARGEST + 1):
            for top in range(1, grid.rows - height):
                for left in range(1, grid.columns - width):
                    inside = grid.bits(
                        (row, column)
                        for row in range(top, top + height)
                        for column in range(left, left + width)
                    )
                    yield RingPlan(inside, grid.around(inside), height * width)
