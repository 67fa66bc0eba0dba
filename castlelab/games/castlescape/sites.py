"""Castles by chance, for puzzles: courts with walls round them, some with a gap.

A castle grows court by court. Each is put where its walls share a square with those that
stand, and only if all walls together are legal: in one piece, and no block of four.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from castlelab.chance import Chance
from castlelab.games.castlescape.board import Bits, Board
from castlelab.grid import Grid, Square

_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def each(bits: Bits) -> Iterator[Bits]:
    """The squares of a set, one after the other."""
    while bits:
        lowest = bits & -bits
        yield lowest
        bits ^= lowest


def _grown_court(size: int, corners: int, chance: Chance) -> tuple[frozenset[Square], Chance]:
    """A shape of so many squares; so many of them are joined to it by a corner only."""
    court = {(0, 0)}
    kinds, chance = chance.shuffle([True] * corners + [False] * (size - 1 - corners))
    for corner in kinds:
        by_side = {square for at in court for square in _beside(at, _SIDES)} - court
        spots = by_side
        if corner:
            spots = {square for at in court for square in _beside(at, _CORNERS)}
            spots -= by_side | court
        square, chance = chance.choice(sorted(spots or by_side))
        court.add(square)
    return frozenset(court), chance


def _beside(square: Square, steps: Iterable[Square]) -> list[Square]:
    return [(square[0] + down, square[1] + right) for down, right in steps]


def _no_block(grid: Grid, walls: Bits) -> bool:
    across = walls & grid.right_of(walls)
    return not across & across << grid.columns


def _in_one_piece(grid: Grid, walls: Bits) -> bool:
    return grid.flood(walls & -walls, walls) == walls


class Site(NamedTuple):
    """A castle in the making: its walls, and ground that must stay open."""

    grid: Grid
    walls: Bits = 0
    open: Bits = 0


#: What is left out of the ring round a court: from the ring and the court, by chance.
Gap = Callable[[Grid, Bits, Bits, Chance], Bits]


def _with_court(
    site: Site, court: frozenset[Square], gap: Gap | None, chance: Chance
) -> Site | None:
    """The castle with one more court and the walls round it, where they share a wall."""
    grid = site.grid
    middle = (grid.rows // 2, grid.columns // 2)
    anchors = [*grid.squares(site.walls)] or [middle]
    ring = sorted({near for at in court for near in _beside(at, _SIDES + _CORNERS)} - court)
    for number in range(25):
        anchor, chance = chance.choice(anchors)
        wall, chance = chance.choice(ring)
        down, right = anchor[0] - wall[0], anchor[1] - wall[1]
        placed = [(row + down, column + right) for row, column in court]
        if not all(0 < r < grid.rows - 1 and 0 < c < grid.columns - 1 for r, c in placed):
            continue
        ground = grid.bits(placed)
        walls = grid.around(ground)
        free = walls & ~site.walls & ~grid.bit(middle)  # there the first wall stands
        hole = gap(grid, free, ground, chance.split(number)) if gap else 0
        if gap and not hole:
            continue
        walls = site.walls | walls & ~hole
        kept_open = site.open | ground | hole
        if walls & kept_open or not _no_block(grid, walls) or not _in_one_piece(grid, walls):
            continue
        return Site(grid, walls, kept_open)
    return None


def corner_gap(grid: Grid, ring: Bits, court: Bits, chance: Chance) -> Bits:
    """A wall left out that touches the court only at a corner."""
    corners = [*grid.squares(ring & ~grid.neighbours(court))]
    return grid.bit(chance.choice(corners)[0]) if corners else 0


def run_gap(length: int) -> Gap:
    """Some walls in a row left out."""

    def gap(grid: Grid, ring: Bits, court: Bits, chance: Chance) -> Bits:
        if not ring:
            return 0
        first, chance = chance.choice([*grid.squares(ring)])
        hole = grid.bit(first)
        while hole.bit_count() < length:
            more = [*grid.squares(grid.neighbours(hole) & ring & ~hole)]
            if not more:
                return 0
            square, chance = chance.choice(more)
            hole |= grid.bit(square)
        return hole

    return gap


def castle(
    side: int, courts: Iterable[tuple[int, int, Gap | None]], chance: Chance
) -> Board | None:
    """A castle with courts of these sizes, corner joints and gaps; None if they do not fit."""
    site = Site(Board(side).grid)
    for number, (size, corners, gap) in enumerate(courts):
        court, _ = _grown_court(size, corners, chance.split(f"court {number}"))
        found = _with_court(site, court, gap, chance.split(f"place {number}"))
        if found is None:
            return None
        site = found
    return Board(side, site.walls)


def closed_castle(
    side: int, courts: int, sizes: range, chance: Chance
) -> tuple[Board, Chance] | None:
    """A castle with so many baileys, made of courts of these sizes; None if they do not fit."""
    wanted: list[tuple[int, int, Gap | None]] = []
    for _ in range(courts):
        size, chance = chance.choice(sizes)
        wanted.append((size, 0, None))
    board = castle(side, wanted, chance)
    return (board, chance) if board and len(board.courts()) == courts else None


def places_for_recruits(board: Board) -> tuple[list[Square], list[Square]]:
    """Where a recruit counts in some bailey, and where it does not, though it is not far."""
    grid = board.grid
    inside = board.enclosed()
    counts = inside | grid.around(inside) & board.walls
    off = (grid.around(counts) | board.walls) & ~counts
    return [*grid.squares(counts)], [*grid.squares(off)]


def peopled(board: Board, places: Iterable[tuple[Square, int]]) -> Board:
    """The board with recruits of these players on these squares, on the ground or on walls."""
    for square, player in places:
        bit = board.grid.bit(square)
        board = board.with_recruit(player, bit, atop=bool(bit & board.walls))
    return board


def with_stubs(board: Board, number: int, chance: Chance) -> tuple[Board, Chance]:
    """The board with walls more that close nothing."""
    for _ in range(number):
        spots = [
            bit
            for bit in each(board.wall_spots())
            if (board.grid.beside[bit] & board.walls).bit_count() == 1
        ]
        if spots:
            bit, chance = chance.choice(spots)
            board = board.with_wall(bit)
    return board, chance
