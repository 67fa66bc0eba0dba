"""Squares of a board as the bits of one integer.

Square (row, column), counted from 0 at the top left, is bit ``row * columns + column``.
A set of squares is a number, and union, overlap and neighbours of whole sets are single
operations on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from castlelab.rules import NotationError

Square = tuple[int, int]
_LARGEST_SIDE = 64


@dataclass(frozen=True)
class Grid:
    """A board of rows and columns.

    >>> grid = Grid(3, 3)
    >>> print(grid.write(grid.neighbours(grid.bits([(1, 1)]))))
    .#.
    #.#
    .#.
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        for side in (self.rows, self.columns):
            if side.__class__ is not int or not 1 <= side <= _LARGEST_SIDE:
                raise NotationError(f"a grid has 1 to {_LARGEST_SIDE} rows and columns, not {side}")

    def bit(self, square: Square) -> int:
        """The bit of a square; outside the board it is an error."""
        row, column = square
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise NotationError(
                f"square {square} is off the board of {self.rows} rows and {self.columns} columns"
            )
        return 1 << row * self.columns + column

    def bits(self, squares: Iterable[Square]) -> int:
        """The set of these squares."""
        found = 0
        for square in squares:
            found |= self.bit(square)
        return found

    def squares(self, bits: int) -> Iterator[Square]:
        """The squares of a set, row by row."""
        while bits:
            lowest = bits & -bits
            yield divmod(lowest.bit_length() - 1, self.columns)
            bits ^= lowest

    @cached_property
    def all(self) -> int:
        """The set of every square."""
        return (1 << self.rows * self.columns) - 1

    @cached_property
    def _first_column(self) -> int:
        return self.bits((row, 0) for row in range(self.rows))

    @cached_property
    def _last_column(self) -> int:
        return self._first_column << self.columns - 1

    @cached_property
    def border(self) -> int:
        """The set of the squares at the edge."""
        row = (1 << self.columns) - 1
        return self._first_column | self._last_column | row | row << self.columns * (self.rows - 1)

    @cached_property
    def _inner(self) -> int:
        return self.all & ~self.border

    @cached_property
    def beside(self) -> dict[int, int]:
        """For each square, as a bit, the squares that share a side with it."""
        return {1 << at: self.neighbours(1 << at) for at in range(self.rows * self.columns)}

    def right_of(self, bits: int) -> int:
        """The set, one column to the right; what was in the last column falls off."""
        return (bits & ~self._last_column) << 1

    def left_of(self, bits: int) -> int:
        """The set, one column to the left; what was in the first column falls off."""
        return (bits & ~self._first_column) >> 1

    def neighbours(self, bits: int) -> int:
        """Every square that shares a side with one of the set (the set itself may be in it)."""
        return (
            (bits & ~self._last_column) << 1
            | (bits & ~self._first_column) >> 1
            | bits << self.columns & self.all
            | bits >> self.columns
        )

    def around(self, bits: int) -> int:
        """Every square outside the set that shares a side or a corner with one of it."""
        wide = bits | (bits & ~self._last_column) << 1 | (bits & ~self._first_column) >> 1
        return (wide | wide << self.columns & self.all | wide >> self.columns) & ~bits

    def flood(self, start: int, within: int, *, corners: bool = False) -> int:
        """What can be reached from a set, step by step, without leaving ``within``."""
        reached, edge = start & within, start & within
        spread = self.around if corners else self.neighbours
        while edge:
            edge = spread(edge) & within & ~reached
            reached |= edge
        return reached

    def regions(self, within: int, *, corners: bool = False) -> Iterator[int]:
        """The connected parts of a set, in the order of their first squares."""
        while within:
            part = self.flood(within & -within, within, corners=corners)
            yield part
            within &= ~part

    def shut_in(self, within: int) -> list[int]:
        """The parts of a set, joined by sides and corners, that do not reach the edge.

        They come in the order of their first squares. Shifts that run over the end of a row
        do no harm here: they lead from edge to edge, and whatever touches the edge is out.

        >>> grid, where = parse("###.. / #.##. / ##.#. / .###. / .....".replace(" / ", chr(10)))
        >>> [list(grid.squares(part)) for part in grid.shut_in(where["."])]
        [[(1, 1), (2, 2)]]
        """
        columns, others = self.columns, self.all ^ within
        # The first square of such a part has others at its left and all along above it. Most
        # boards have few squares like that, so only these are looked into.
        above = others << columns
        heads = self._inner & within & others << 1 & above & above << 1 & above >> 1
        if not heads:
            return []
        # What is out: from the edge to the right by one addition, whose carry runs along each
        # row until it is stopped; then two steps all round, which drown most wrong heads.
        out = self.border & within
        out |= (within + out ^ within) & within
        out |= out << 1 | out >> 1
        out = (out | out << columns | out >> columns) & within
        out |= out << 1 | out >> 1
        out = (out | out << columns | out >> columns) & within
        heads &= ~out
        onward = 2 | 7 << columns - 1  # from a head: to the right and all along below
        found = []
        while heads:
            part = heads & -heads
            wide = part | part * onward & within
            while wide != part:
                part = wide
                if part & out:
                    out |= part
                    break
                wide |= wide << 1 | wide >> 1
                wide = (wide | wide << columns | wide >> columns) & within
            else:
                found.append(part)
            heads &= ~part
        return found

    def write(self, bits: int, full: str = "#", empty: str = ".") -> str:
        """The board as lines of text."""
        return "\n".join(
            "".join(
                full if bits >> row * self.columns + column & 1 else empty
                for column in range(self.columns)
            )
            for row in range(self.rows)
        )


def parse(text: str, marks: str = ".#") -> tuple[Grid, dict[str, int]]:
    """Read a board of marks: the grid, and for each mark the set of squares that have it.

    >>> grid, where = parse("..#\\n.##")
    >>> list(grid.squares(where["#"]))
    [(0, 2), (1, 1), (1, 2)]
    """
    if not isinstance(text, str) or len(text) > (_LARGEST_SIDE + 1) ** 2:
        raise NotationError(f"a board is text of at most {_LARGEST_SIDE} lines and columns")
    lines = [line.strip() for line in text.strip().splitlines()]
    if not lines or not lines[0]:
        raise NotationError(f"a board has at least one line of the marks {' '.join(marks)}")
    grid = Grid(len(lines), len(lines[0]))
    where = dict.fromkeys(marks, 0)
    for row, line in enumerate(lines):
        if len(line) != grid.columns:
            raise NotationError(
                f"line {row + 1} has {len(line)} squares; the first line has {grid.columns}"
            )
        for column, mark in enumerate(line):
            if mark not in where:
                raise NotationError(
                    f"line {row + 1}, column {column + 1} has {mark!r}; "
                    f"the marks are {' '.join(marks)}"
                )
            where[mark] |= grid.bit((row, column))
    return grid, where
