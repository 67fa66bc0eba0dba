"""How many walls a bailey takes, and how many baileys there are.

The fewest walls are known by formula (`fewest_walls`) and by trying every shape
(`fewest_by_search`). The shapes are what a king could walk over: squares joined by sides and
corners. They are listed by Redelmeier's method (`courts`), and their numbers are known as
https://oeis.org/A006770.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from math import isqrt
from typing import NamedTuple

from castlelab.games.castlescape.board import LARGEST_SIDE, Board, read_square
from castlelab.grid import Square
from castlelab.rules import CastlelabError, given, whole_number

Court = str | Iterable[Square | str]  # "c3 d4", or squares

_LARGEST_NUMBER = 10**30
_LARGEST_SEARCH = 10  # six million shapes: some minutes
_WIDEST = 9  # squares of a line, all of whose walls are tried


# -- by formula ------------------------------------------------------------------------------


def fewest_walls(squares: int) -> int:
    """The fewest walls round a bailey of so many squares: 2 ⌈2√n⌉ + 4.

    Why it takes so many: let the bailey be `a` rows high and `b` columns wide. Squares leak
    through corners, so among its walls there is a ring round it in which each wall shares a
    side with the next. Walk once round this ring. It reaches a row above the bailey and a row
    below, so you make at least a + 1 steps up and as many down; in the same way at least
    b + 1 to the left and to the right. Each step is to another wall of the ring: that makes
    2 (a + b) + 4. The four are the corners, one for each turn of the walk. They touch no
    square of a rectangle by a side, and without them it leaks.

    A bailey of n squares in `a` rows and `b` columns has a·b ≥ n. The sum a + b is least when
    the rectangle is as square as possible, and then it is ⌈2√n⌉: half the least perimeter of
    n squares, https://oeis.org/A027709.

    Why so few are enough: fill the rows of that rectangle one after the other. The walls
    round such a shape are one ring, nowhere thicker than one wall, so they are legal.

    >>> [fewest_walls(n) for n in range(1, 13)]
    [8, 10, 12, 12, 14, 14, 16, 16, 16, 18, 18, 18]
    """
    n = whole_number(squares, "a bailey has a whole number of squares", 1, _LARGEST_NUMBER)
    return 2 * (1 + isqrt(4 * n - 1)) + 4  # 1 + ⌊√(4n - 1)⌋ is ⌈2√n⌉, without rounding


def largest_bailey(walls: int) -> int:
    """The most squares that so many walls can enclose: the other way round.

    Four walls are for the corners; half of the others is a + b, and a·b is largest when the
    two are as equal as can be.

    >>> [largest_bailey(walls) for walls in range(7, 17)]
    [0, 1, 1, 2, 2, 4, 4, 6, 6, 9]
    """
    half = (whole_number(walls, "there is a whole number of walls", 0, _LARGEST_NUMBER) - 4) // 2
    return max(half, 0) ** 2 // 4


def most_walls(squares: int) -> int:
    """The most walls that a bailey of so many squares can have: 4 n + 4.

    A square and its eight neighbours make a block of nine. The next square touches one that is
    there, at a corner at least, so four of its nine are in that block already: it brings five
    new ones at most, and one of these squares is ground instead of a wall. A straight diagonal
    brings all five every time.

    >>> [most_walls(n) for n in range(1, 6)]
    [8, 12, 16, 20, 24]
    """
    n = whole_number(squares, "a bailey has a whole number of squares", 1, _LARGEST_NUMBER)
    return 4 * n + 4


def ways_without_block(rows: int, columns: int) -> int:
    """How many ways there are to build walls on a rectangle with no block of four among them.

    Line by line: of two that follow, no two neighbours are walls in both.

    >>> ways_without_block(3, 3), [ways_without_block(2, n) for n in (1, 2, 3, 4)]
    (417, [4, 15, 57, 216])
    """
    lines = range(1 << whole_number(columns, "columns go", 1, _WIDEST))
    ways = dict.fromkeys(lines, 1)
    for _ in range(whole_number(rows, "rows go", 1, _WIDEST) - 1):
        ways = {
            line: sum(number for above, number in ways.items() if not _has_pair(line & above))
            for line in lines
        }
    return sum(ways.values())


def _has_pair(line: int) -> bool:
    return bool(line & line << 1)


def most_walls_without_block(side: int) -> int:
    """The most walls on a square without a block of four: every second row loses every second one.

    >>> [most_walls_without_block(side) for side in (2, 3, 4, 5, 6, 7, 13)]
    [3, 8, 12, 21, 27, 40, 133]
    """
    number = whole_number(side, "sides go", 1, LARGEST_SIDE)
    gaps = number // 2
    return number**2 - gaps**2


def best_rectangle(squares: int) -> tuple[int, int]:
    """Rows and columns of a rectangle for so many squares, as square as possible.

    >>> best_rectangle(7), best_rectangle(10)
    ((3, 3), (3, 4))
    """
    half = fewest_walls(squares) // 2 - 2
    return half // 2, (half + 1) // 2


def example(squares: int) -> Board:
    """A site with one bailey of so many squares and the fewest walls: row by row.

    >>> print(example(5))
    #####
    #...#
    #..##
    ####.
    """
    rows, columns = best_rectangle(whole_number(squares, "an example has squares", 1, 500))
    if max(rows, columns) + 2 > LARGEST_SIDE:
        raise CastlelabError(f"a bailey of {squares} squares does not fit on a site")
    court = [divmod(place, columns) for place in range(squares)]
    walls = walls_round(court)
    lines = [
        "".join("#" if (row, column) in walls else "." for column in range(-1, columns + 1))
        for row in range(-1, rows + 1)
    ]
    return Board.parse("\n".join(lines))


def baileys_by_joints(board: Board | str) -> int:
    """The number of baileys of a legal castle, without looking at the ground.

    A joint is a side that two walls share. Walls in one piece without a ring have one joint
    fewer than walls; each joint more closes one ring, so one bailey.

    >>> baileys_by_joints("##### / #.#.# / #####")
    2
    """
    board = given(Board, board)
    walls = board.walls
    across = walls & board.grid.right_of(walls)
    down = walls & walls << board.grid.columns
    return across.bit_count() + down.bit_count() - walls.bit_count() + 1


# -- by trying every shape -------------------------------------------------------------------


def walls_round(court: Court) -> frozenset[Square]:
    """Every square beside a court, at a side or a corner: each must be a wall.

    >>> len(walls_round([(0, 0)])), len(walls_round("c3 d4"))
    (8, 12)
    """
    ground = frozenset(_squares(court))
    near = {
        (row + down, column + right)
        for row, column in ground
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
    }
    return frozenset(near - ground)


def _squares(court: Court) -> list[Square]:
    """The squares of a court, some of them perhaps given by name."""
    if isinstance(court, str):
        court = court.replace(",", " ").split()
    return [read_square(square) if isinstance(square, str) else square for square in court]


def can_be_walled(court: Court) -> bool:
    """Whether legal walls can stand round a court and nowhere in it.

    Two things may forbid it. A block of four walls, where the court bends round a gap two
    squares wide; and a wall in its middle that no other wall could lead to.

    >>> can_be_walled([(1, 0), (0, 1), (0, 2), (1, 3)])     # walls fill the gap of 2 by 2
    False
    >>> can_be_walled([(0, 1), (1, 0), (1, 2), (2, 1)])     # a lonely wall in the middle
    False
    """
    bits, width = _packed(_squares(court))
    return _lawful(_ring(bits, width), width)


def courts(squares: int) -> Iterator[frozenset[Square]]:
    """Every shape of so many squares that is joined by sides and corners, each once.

    Turned or mirrored shapes count as different. The first square of the first row is (0, 0).

    >>> [sum(1 for court in courts(n)) for n in range(1, 6)]
    [1, 4, 20, 110, 638]
    """
    n = whole_number(squares, "the shapes that can be listed have squares", 1, _LARGEST_SEARCH)
    width = _width(n)
    for bits in _shapes(n):
        found = []
        while bits:
            row, column = divmod((bits & -bits).bit_length() - 1, width)
            found.append((row - _MARGIN, column - n - _MARGIN))
            bits &= bits - 1
        yield frozenset(found)


class Census(NamedTuple):
    """What was found by trying every shape of a number of squares."""

    shapes: int  # joined by sides and corners
    baileys: int  # those that legal walls can stand round
    fewest: int  # walls
    with_fewest: int  # shapes that need no more


@cache
def _tried(squares: int) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The number of shapes, and how many of them take which number of walls."""
    n = whole_number(squares, "the shapes that can be tried have squares", 1, _LARGEST_SEARCH)
    width = _width(n)
    shapes, walls = 0, Counter[int]()
    for bits in _shapes(n):
        shapes += 1
        ring = _ring(bits, width)
        if _lawful(ring, width):
            walls[ring.bit_count()] += 1
    return shapes, tuple(sorted(walls.items()))


def census(squares: int) -> Census:
    """Try every shape of so many squares: how many are there, and which walls do they take?

    >>> census(4)
    Census(shapes=110, baileys=105, fewest=12, with_fewest=1)
    """
    shapes, walls = _tried(squares)
    return Census(shapes, sum(number for _, number in walls), *walls[0])


def baileys_by_walls(squares: int) -> dict[int, int]:
    """How many baileys of so many squares take which number of walls, by trying every shape.

    >>> baileys_by_walls(3)
    {12: 6, 14: 8, 15: 4, 16: 2}
    """
    return dict(_tried(squares)[1])


def fewest_by_search(squares: int) -> int:
    """The fewest walls, found by trying every shape.

    >>> [fewest_by_search(n) for n in range(1, 6)]
    [8, 10, 12, 12, 14]
    """
    return census(squares).fewest


def count_baileys(squares: int) -> int:
    """How many baileys of so many squares there are, turned and mirrored ones apart.

    >>> [count_baileys(n) for n in range(1, 6)]
    [1, 4, 20, 105, 558]
    """
    return census(squares).baileys


# Shapes are bits of one number here, on a strip so wide that no shift runs over its end.

_MARGIN = 2


def _width(squares: int) -> int:
    return 2 * squares + 2 * _MARGIN


def _packed(court: Iterable[Square]) -> tuple[int, int]:
    """A court as bits on a strip, and how wide the strip is."""
    ground = list(court)
    if not ground:
        raise CastlelabError("a court has at least one square")
    top, left = min(row for row, _ in ground), min(column for _, column in ground)
    width = max(column for _, column in ground) - left + 1 + 2 * _MARGIN
    bits = 0
    for row, column in ground:
        bits |= 1 << (row - top + _MARGIN) * width + column - left + _MARGIN
    return bits, width


def _ring(bits: int, width: int) -> int:
    """The walls round a shape."""
    wide = bits | bits << 1 | bits >> 1
    return (wide | wide << width | wide >> width) & ~bits


def _lawful(walls: int, width: int) -> bool:
    """Whether walls have no block of four and are in one piece, side by side."""
    across = walls & walls << 1
    if across & across << width:
        return False
    piece = walls & -walls
    while True:
        more = (piece | piece << 1 | piece >> 1 | piece << width | piece >> width) & walls
        if more == piece:
            return piece == walls
        piece = more


def _shapes(squares: int) -> Iterator[int]:
    """Every shape as bits, by Redelmeier's method: a square is taken now or never."""
    width = _width(squares)
    first = 1 << _MARGIN * width + squares + _MARGIN

    def grow(shape: int, left: int, untried: int, seen: int) -> Iterator[int]:
        while untried:
            square = untried & -untried
            untried ^= square
            if left == 1:
                yield shape | square
                continue
            wide = square | square << 1 | square >> 1
            fresh = (wide | wide << width | wide >> width) & ~seen
            yield from grow(shape | square, left - 1, untried | fresh, seen | fresh)

    # Nothing comes before the first square: neither earlier in its row nor in rows above.
    return grow(0, squares, first, first | first - 1)
