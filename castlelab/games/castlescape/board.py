"""The build site of CastleScape: walls, recruits, and the baileys that walls enclose.

A board never changes: each step makes a new one. Its sets of squares are bits of integers
(see :mod:`castlelab.grid`), so that a question about the whole site is a few operations.
Squares are written (row, column), counted from 0 at the top left, or by name: ``c2`` is in
the third column and the second row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from castlelab.grid import Grid, Square
from castlelab.grid import parse as parse_marks
from castlelab.rules import (
    LEGAL,
    Breach,
    CastlelabError,
    IllegalMove,
    NotationError,
    Verdict,
    quoted,
    rulebook,
)
from castlelab.system.packages import widget

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

RULES = rulebook("castlescape")

PLAYERS = 4
SIDES = range(7, 26, 2)  # of a site to play on: odd, so that there is a centre
LARGEST_SIDE = 25  # of any board, also one that is only looked at
ON_GROUND, ON_WALL = 1, 2  # what a recruit is worth (castlescape/influence)

Bits: TypeAlias = int  # a set of squares, or one square
PerPlayer: TypeAlias = tuple[int, int, int, int]
NOBODY: PerPlayer = (0, 0, 0, 0)

_GROUND_MARKS, _WALL_MARKS = "abcd", "ABCD"
_MARKS = f".#{_GROUND_MARKS}{_WALL_MARKS}"
_COLUMN_LETTERS = "abcdefghijklmnopqrstuvwxy"
_NAME = re.compile(r"([a-y])([1-9][0-9]?)")
_LONGEST_TEXT = (LARGEST_SIDE + 3) ** 2
_grid = lru_cache(maxsize=None)(Grid)


def square_name(square: Square) -> str:
    """What a square is called.

    >>> square_name((1, 2))
    'c2'
    """
    row, column = square
    return f"{_COLUMN_LETTERS[column]}{row + 1}"


def read_square(text: str) -> Square:
    """The square of a name; anything else is a ``NotationError``.

    >>> read_square("c2")
    (1, 2)
    """
    match = _NAME.fullmatch(text.strip().lower()) if isinstance(text, str) else None
    if match is None or int(match[2]) > LARGEST_SIDE:
        raise NotationError(f"{quoted(text)} is not a square; write one such as c2")
    return int(match[2]) - 1, _COLUMN_LETTERS.index(match[1])


class Bailey(NamedTuple):
    """An enclosed part of the site.

    ``squares`` and ``walls`` are sets of squares to look at, ``bits`` and ``wall_bits`` the
    same sets for quick work. Two baileys are equal if all of this and the influence are.
    """

    bits: Bits  # its ground
    board: Board  # where it lies

    @property
    def size(self) -> int:
        """How many ground squares it encloses: what it scores (castlescape/bailey-score)."""
        return self.bits.bit_count()

    @property
    def wall_bits(self) -> Bits:
        """All walls beside it, at a side or a corner, round it or inside."""
        columns = self.board.grid.columns
        # A bailey never lies at the edge, so no shift runs over the end of a row.
        wide = self.bits | self.bits << 1 | self.bits >> 1
        return (wide | wide << columns | wide >> columns) & self.board.walls

    @property
    def influence(self) -> PerPlayer:
        """The influence of each player: 2 on its walls, 1 on its ground (castlescape/influence)."""
        court, walls = self.bits, self.wall_bits
        (a, b, c, d), (e, f, g, h) = self.board.ground, self.board.atop
        return (
            (a & court).bit_count() + ON_WALL * (e & walls).bit_count(),
            (b & court).bit_count() + ON_WALL * (f & walls).bit_count(),
            (c & court).bit_count() + ON_WALL * (g & walls).bit_count(),
            (d & court).bit_count() + ON_WALL * (h & walls).bit_count(),
        )

    @property
    def leaders(self) -> tuple[int, ...]:
        """The players with most influence; nobody if nobody has any."""
        influence = self.influence
        most = max(influence)
        return tuple([player for player in range(PLAYERS) if influence[player] == most > 0])

    @property
    def squares(self) -> frozenset[Square]:
        """Its ground squares."""
        return frozenset(self.board.grid.squares(self.bits))

    @property
    def walls(self) -> frozenset[Square]:
        """The walls that count for influence."""
        return frozenset(self.board.grid.squares(self.wall_bits))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bailey):
            return NotImplemented
        return (self.squares, self.walls, self.influence) == (
            other.squares,
            other.walls,
            other.influence,
        )

    def __hash__(self) -> int:
        return hash(self.bits)

    def __repr__(self) -> str:
        names = " ".join(self.board.names(self.bits))
        return f"<Bailey {names}, influence {self.influence}>"


@dataclass(frozen=True, init=False)
class Board:
    """A site with walls and recruits, from its text or from sets of squares.

    >>> board = Board("##### / #.#A# / ##.## / .###.")
    >>> [(sorted(bailey.squares), bailey.influence) for bailey in board.baileys()]
    [([(1, 1), (2, 2)], (2, 0, 0, 0))]
    """

    side: int
    walls: Bits = 0
    ground: PerPlayer = NOBODY  # the recruits of each player on the ground
    atop: PerPlayer = NOBODY  # and on walls
    columns: int = 0  # of a picture that is not square; 0 means as many as rows
    grid: Grid = field(init=False, repr=False, compare=False)
    #: What `courts` found; a cached property would cost more than the work it saves.
    _courts: ClassVar[Sequence[Bits] | None] = None

    @staticmethod
    def start(side: int = 13) -> Board:
        """The site before the game: one wall in the middle (castlescape/first-wall)."""
        if isinstance(side, bool) or not isinstance(side, int) or side not in SIDES:
            raise CastlelabError(
                f"a site has an odd side from {SIDES[0]} to {SIDES[-1]}, not {quoted(side)}"
            )
        return Board(side, 1 << side * side // 2)

    def __init__(
        self,
        side: int | str,
        walls: Bits = 0,
        ground: PerPlayer = NOBODY,
        atop: PerPlayer = NOBODY,
        columns: int = 0,
    ) -> None:
        if isinstance(side, str):
            side, walls, ground, atop, columns = _read_board(side)
        parts = {"side": side, "walls": walls, "ground": ground, "atop": atop, "columns": columns}
        parts["grid"] = _grid(side, columns or side)
        object.__setattr__(self, "__dict__", parts)  # past the lock of a frozen class

    # -- baileys ---------------------------------------------------------------------------

    def courts(self) -> Sequence[Bits]:
        """The ground of each bailey (castlescape/bailey): what cannot reach the edge."""
        found = self._courts
        if found is None:
            grid = self.grid
            found = grid.shut_in(grid.all ^ self.walls)
            object.__setattr__(self, "_courts", found)
        return found

    def baileys(self) -> tuple[Bailey, ...]:
        """Every bailey, in the order of their first squares."""
        new_tuple = tuple.__new__  # the same as Bailey(court, self), in a hurry
        return tuple([new_tuple(Bailey, (court, self)) for court in self.courts()])

    def enclosed(self) -> Bits:
        """The ground of all baileys together."""
        found = 0
        for court in self.courts():
            found |= court
        return found

    def influence(self, player: int) -> int:
        """What all recruits of a player are worth, wherever they stand."""
        return self.ground[player].bit_count() + ON_WALL * self.atop[player].bit_count()

    def recruits(self, player: int) -> int:
        """How many recruits a player has on the site."""
        return self.ground[player].bit_count() + self.atop[player].bit_count()

    # -- building --------------------------------------------------------------------------

    def check_walls(self, squares: Iterable[Square | str]) -> Verdict:
        """Whether the walls of one card may be built, in this order; every breach is named.

        Each wall is judged as if those before it stood, so baileys that they close count. What
        mends a breach are walls that may be built: those before it that are legal, and one more.

        >>> board = Board("..... / .##.. / .#... / ..... / .....")
        >>> print(board.check_walls([(2, 2)]))
        A wall on c3 would fill the block b2, c2, b3, c3. Build on c1 instead. \
[castlescape/no-two-by-two]
        """
        board, card = self, 0
        lawful: tuple[str, ...] = ()
        sound, sound_card = self, 0  # with those of the walls that are legal
        breaches: list[Breach] = []
        for square in self.read(squares):
            bit = self.grid.bit(square)
            if not bit & board.wall_spots(card):
                nearest = sound.nearest(bit, sound.wall_spots(sound_card))
                mend = "No further wall can be built with this card; it is forfeited."
                if nearest:
                    mend = f"Build on {nearest[0]} instead."
                mends = tuple((*lawful, other) for other in nearest)
                breaches += [
                    replace(breach, mend=mend, mends=mends)
                    for breach in board.wall_breaches(bit, card)
                ]
            if bit & sound.wall_spots(sound_card):
                sound, sound_card = sound.with_wall(bit), sound_card | bit
                lawful = (*lawful, square_name(square))
            if not bit & board.walls:
                board = board.with_wall(bit)
            card |= bit
        return Verdict(tuple(breaches)) if breaches else LEGAL

    def build(self, squares: Iterable[Square | str]) -> Board:
        """The board with the walls of one card; ``IllegalMove`` says why it may not be."""
        wanted = self.read(squares)
        verdict = self.check_walls(wanted)
        if not verdict:
            names = ", ".join(map(square_name, wanted))
            raise IllegalMove(f"walls on {names}", verdict)
        board = self
        for square in wanted:
            board = board.with_wall(self.grid.bit(square))
        return board

    def wall_spots(self, card_walls: Bits = 0) -> Bits:
        """Where one more wall may go; ``card_walls`` are the earlier ones of the same card."""
        grid, walls = self.grid, self.walls
        spots = grid.neighbours(card_walls or walls) & ~walls
        for court in self.courts():  # a loop over none, mostly
            spots &= ~court
        return spots & ~self.corners() if spots else 0

    def corners(self) -> Bits:
        """Where a wall would be the fourth of a block (castlescape/no-two-by-two)."""
        grid, walls = self.grid, self.walls
        columns, rows = grid.columns, grid.all
        right, left = grid.right_of(walls), grid.left_of(walls)
        below, above = walls << columns & rows, walls >> columns
        return below & (right & right << columns | left & left << columns) | above & (
            right & right >> columns | left & left >> columns
        )

    def with_wall(self, bit: Bits) -> Board:
        """The board with a wall more, unchecked; a recruit there climbs on top of it."""
        ground, atop = self.ground, self.atop
        a, b, c, d = ground
        if bit & (a | b | c | d):  # castlescape/wall-under-recruit
            player = next(player for player in range(PLAYERS) if ground[player] & bit)
            ground = _put(ground, player, ground[player] ^ bit)
            atop = _put(atop, player, atop[player] | bit)
        new = self._changed(self.walls | bit, ground, atop)
        # A wall shuts nothing in unless it joins two others, and it fills no bailey in play:
        # then what is known already stays true.
        courts = self._courts
        if courts is not None:
            joined = self.walls & self.grid.beside[bit]
            if not joined & joined - 1 and not bit & self.grid.border:
                for court in courts:
                    if court & bit:
                        return new
                object.__setattr__(new, "_courts", courts)
        return new

    def read(self, squares: Iterable[Square | str]) -> list[Square]:
        """Squares of this board from what a caller wrote; anything else is an error."""
        if isinstance(squares, str):
            squares = squares.replace(",", " ").split()
        try:
            return [self._square(square) for square in squares]
        except TypeError:
            raise NotationError(
                f"walls are a list of squares such as [(3, 4), (3, 5)], not {quoted(squares)}"
            ) from None

    def _square(self, square: Square | str) -> Square:
        if isinstance(square, str):
            square = read_square(square)
        match square:
            case (int(row), int(column)) if bool not in (type(row), type(column)):
                self.grid.bit((row, column))  # off the board is an error
                return row, column
        raise NotationError(f"a square is (row, column), not {quoted(square)}")

    def wall_breaches(self, bit: Bits, card: Bits = 0) -> Iterator[Breach]:
        """Every rule that a wall there would break, without what would mend it."""
        where = self.names(bit)
        (name,) = where
        if bit & self.walls:
            message = f"There is a wall on {name} already."
            yield Breach(RULES["castlescape/wall-free-square"], message, where)
            return
        if bit & self.enclosed():
            message = f"{name} lies in a completed bailey, where nothing is built any more."
            yield Breach(RULES["castlescape/wall-free-square"], message, where)
        beside = self.grid.beside[bit]
        if not beside & self.walls:
            message = f"A wall on {name} would not share a side with any wall."
            yield Breach(RULES["castlescape/wall-adjacent"], message, where)
        if card and not beside & card:
            message = f"A wall on {name} would not share a side with the other walls of its card."
            yield Breach(RULES["castlescape/wall-contiguous"], message, where)
        for block in self.blocks(bit):
            names = self.names(block)
            message = f"A wall on {name} would fill the block {', '.join(names)}."
            yield Breach(RULES["castlescape/no-two-by-two"], message, names)

    def blocks(self, bit: Bits) -> Iterator[Bits]:
        """The two-by-two blocks that a wall there would fill."""
        row, column = divmod(bit.bit_length() - 1, self.grid.columns)
        for top in (row - 1, row):
            for left in (column - 1, column):
                if 0 <= top < self.grid.rows - 1 and 0 <= left < self.grid.columns - 1:
                    block = self.grid.bit((top, left)) * (3 | 3 << self.grid.columns)
                    if not block & ~(self.walls | bit):
                        yield block

    def nearest(self, bit: Bits, spots: Bits) -> tuple[str, ...]:
        """The name of the square of a set that is nearest to a square; none of no squares."""
        ((row, column),) = self.grid.squares(bit)
        found = sorted(
            (abs(r - row) + abs(c - column), (r, c)) for r, c in self.grid.squares(spots)
        )
        return tuple(square_name(spot) for _, spot in found[:1])

    def names(self, bits: Bits) -> tuple[str, ...]:
        """The names of a set of squares, row by row."""
        return tuple(map(square_name, self.grid.squares(bits)))

    # -- recruits --------------------------------------------------------------------------

    def occupied(self) -> Bits:
        """The squares with a recruit, on the ground or on a wall."""
        (a, b, c, d), (e, f, g, h) = self.ground, self.atop
        return a | b | c | d | e | f | g | h

    def position_spots(self) -> Bits:
        """Where a recruit may be positioned: free ground (castlescape/position)."""
        a, b, c, d = self.ground
        return self.grid.all & ~(self.walls | a | b | c | d)

    def check_recruit(
        self, square: Square | str, *, on_ground: bool = True, on_walls: bool = False
    ) -> Verdict:
        """Whether a recruit may be positioned there (castlescape/position).

        ``on_walls`` if a card lets it start on a wall, ``on_ground`` if it may do without one.

        >>> print(Board("... / .#. / ...").check_recruit("b2"))
        There is a wall on b2, and no card lets a recruit start on walls. \
Choose b1 instead. [castlescape/position]
        """
        square = self._square(square)
        bit, name = self.grid.bit(square), square_name(square)
        if bit & self.walls and not on_walls:
            message = f"There is a wall on {name}, and no card lets a recruit start on walls."
        elif bit & self.occupied():
            message = occupied_words(name)
        elif not bit & self.walls and not on_ground:
            message = f"There is no wall on {name}, and this recruit goes on a wall."
        else:
            return LEGAL
        spots = self.position_spots() if on_ground else 0
        if on_walls:
            spots |= self.walls & ~self.occupied()
        mends = self.nearest(bit, spots)
        mend = f"Choose {mends[0]} instead." if mends else ""
        return Verdict((Breach(RULES["castlescape/position"], message, (name,), mend, mends),))

    def with_recruit(self, player: int, bit: Bits, atop: bool = False) -> Board:
        """The board with a recruit more, unchecked."""
        if atop:
            return self._peopled(self.ground, _put(self.atop, player, self.atop[player] | bit))
        return self._peopled(_put(self.ground, player, self.ground[player] | bit), self.atop)

    def without_recruit(self, player: int, bit: Bits) -> Board:
        """The board without a recruit of that player there, wherever it stands."""
        return self._peopled(
            _put(self.ground, player, self.ground[player] & ~bit),
            _put(self.atop, player, self.atop[player] & ~bit),
        )

    def moved(self, player: int, start: Bits, end: Bits) -> Board:
        """The board after a recruit went from square to square, unchecked."""
        return self.without_recruit(player, start).with_recruit(
            player, end, atop=bool(end & self.walls)
        )

    # -- leaks -----------------------------------------------------------------------------

    def leak(self, square: Square | str) -> tuple[Square, ...]:
        """The shortest way from a square to the edge, by sides and corners.

        It is empty for a wall and inside a bailey: nothing leaks there.

        >>> board = Board("..... / .###. / .#.#. / .##.. / .....")
        >>> board.leak((2, 2))
        ((2, 2), (3, 3), (3, 4))
        """
        grid = self.grid
        open_ground = grid.all ^ self.walls
        rings = [grid.bit(self._square(square)) & open_ground]
        seen = rings[0]
        while rings[-1] and not rings[-1] & grid.border:
            rings.append(grid.around(rings[-1]) & open_ground & ~seen)
            seen |= rings[-1]
        if not rings[-1]:
            return ()
        # Straight on where both would do: a corner is only shown where it matters.
        ends = rings.pop() & grid.border
        at = (rings and grid.neighbours(rings[-1]) & ends) or ends
        path = [at & -at]
        for ring in reversed(rings):
            at = grid.neighbours(path[-1]) & ring or grid.around(path[-1]) & ring
            path.append(at & -at)
        return tuple([next(grid.squares(bit)) for bit in reversed(path)])

    def gaps(self, path: Iterable[Square]) -> tuple[tuple[Square, Square], ...]:
        """The steps of a way that slip between two walls which only touch at a corner.

        >>> Board("..#. / .#.. / ....").gaps([(0, 1), (1, 2), (1, 3)])
        (((0, 1), (1, 2)),)
        """
        return tuple(
            (one, other)
            for one, other in pairwise(path)
            if one[0] != other[0]
            and one[1] != other[1]
            and self.walls & self.grid.bit((one[0], other[1]))
            and self.walls & self.grid.bit((other[0], one[1]))
        )

    # -- text ------------------------------------------------------------------------------

    @staticmethod
    def parse(text: str) -> Board:
        """Read a board, line by line or with ``/`` between the lines, legal or not.

        ``.`` is ground, ``#`` a wall, ``a`` to ``d`` a recruit on the ground, ``A`` to ``D``
        one on a wall.
        """
        return Board(*_read_board(text))

    def __str__(self) -> str:
        lines = [list(line) for line in self.grid.write(self.walls).splitlines()]
        for signs, sets in ((_GROUND_MARKS, self.ground), (_WALL_MARKS, self.atop)):
            for sign, bits in zip(signs, sets, strict=True):
                for row, column in self.grid.squares(bits):
                    lines[row][column] = sign
        return "\n".join(map("".join, lines))

    def __repr__(self) -> str:
        return f"Board({str(self).replace(chr(10), ' / ')!r})"

    def edit(self, **options: Any) -> Any:
        """An editor in a notebook that begins with this site: ``SiteEditor(board)``."""
        return widget("SiteEditor", self, **options)

    def picture(self) -> Scene:
        """The site as a scene."""
        from castlelab.games.castlescape.picture import board_scene

        return board_scene(self)

    def _repr_svg_(self) -> str:
        from castlelab.draw.svg import still

        return still(self.picture())

    # -- in a hurry ------------------------------------------------------------------------

    def _changed(self, walls: Bits, ground: PerPlayer, atop: PerPlayer) -> Board:
        """Another board of the same size; a game makes thousands of them in a second."""
        new = object.__new__(Board)
        object.__setattr__(
            new,
            "__dict__",
            {
                "side": self.side,
                "walls": walls,
                "ground": ground,
                "atop": atop,
                "columns": self.columns,
                "grid": self.grid,
            },
        )
        return new

    def _peopled(self, ground: PerPlayer, atop: PerPlayer) -> Board:
        """The same walls with other recruits: what is known of the baileys' ground stays."""
        new = self._changed(self.walls, ground, atop)
        if self._courts is not None:
            object.__setattr__(new, "_courts", self._courts)
        return new

    def __reduce__(self) -> tuple[type[Board], tuple[object, ...]]:
        # Another process finds out anew what this one has worked out.
        return Board, (self.side, self.walls, self.ground, self.atop, self.columns)


def _read_board(text: str) -> tuple[int, Bits, PerPlayer, PerPlayer, int]:
    """What a board is made of, in the order of its fields."""
    if not isinstance(text, str) or len(text) > _LONGEST_TEXT * 2:
        raise NotationError(
            f"a board is text of at most {LARGEST_SIDE} lines and columns, "
            f"such as '... / .#. / ...', not {quoted(text)}"
        )
    grid, where = parse_marks(text.replace("/", "\n"), _MARKS)
    if max(grid.rows, grid.columns) > LARGEST_SIDE:
        raise NotationError(
            f"a board has at most {LARGEST_SIDE} rows and columns, "
            f"not {grid.rows} and {grid.columns}"
        )
    a, b, c, d = (where[mark] for mark in _GROUND_MARKS)
    e, f, g, h = (where[mark] for mark in _WALL_MARKS)
    walls = where["#"] | e | f | g | h
    columns = 0 if grid.columns == grid.rows else grid.columns
    return grid.rows, walls, (a, b, c, d), (e, f, g, h), columns


def occupied_words(name: str) -> str:
    """What is said of a square where a recruit stands, to another one that comes there."""
    return f"A recruit stands on {name} already."


def _put(sets: PerPlayer, player: int, bits: Bits) -> PerPlayer:
    """The sets with that of one player changed."""
    a, b, c, d = sets
    match player:
        case 0:
            return bits, b, c, d
        case 1:
            return a, bits, c, d
        case 2:
            return a, b, bits, d
    return a, b, c, bits
