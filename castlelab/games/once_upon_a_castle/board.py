"""The token board: twelve squares, their rows and columns, and the tokens on them.

A layout is the printed board: a pattern of squares, and what each of its lines gives. A line
is a run of neighbouring squares. A board is a layout with tokens on it; there are only 4096
of them for each layout, so each is made once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from castlelab.game import written
from castlelab.rules import CastlelabError, NotationError, counted, listed, quoted
from castlelab.system.packages import widget

TOKENS = 10  # of each player
RESOURCES = ("wood", "stone", "gold", "food")
FACES = (*RESOURCES, "residents", "any")  # of a die
LINE_LENGTHS = range(2, 5)
LARGEST_PATTERN = 8  # of a pattern
_LETTERS = {resource[0].upper(): resource for resource in RESOURCES}
_LONGEST_TEXT = 400
T = TypeVar("T")
_Place = Callable[["Square"], tuple[int, int]]


def face_words(face: str) -> str:
    """A face of a die in words.

    >>> face_words("any"), face_words("wood")
    ('?', 'Wood')
    """
    return "?" if face == "any" else face.capitalize()


@dataclass(frozen=True, slots=True)
class Gift:
    """What a line gives when it is cleared.

    >>> Gift(wall=True, residents=3)
    Gift(wall=True, residents=3)
    """

    floor: bool = False
    tower: int = 0  # what the tower is worth
    wall: bool = False
    flag: int = 0  # what the flag is worth
    residents: int = 0
    reactivate: bool = False
    steal: bool = False

    @property
    def draws(self) -> bool:
        """Whether a part of the castle is among it: a floor, a tower, a wall or a flag."""
        return self.floor or self.tower > 0 or self.wall or self.flag > 0

    @property
    def words(self) -> str:
        """The gift in words.

        >>> Gift(wall=True, residents=3).words
        'a wall and 3 residents'
        """
        found = [
            *["a floor"] * self.floor,
            *[f"a tower worth {self.tower}"] * (self.tower > 0),
            *["a wall"] * self.wall,
            *[f"a flag worth {self.flag}"] * (self.flag > 0),
            *[counted(self.residents, "resident")] * (self.residents > 0),
            *["a Bolt guest again"] * self.reactivate,
            *["a stolen guest"] * self.steal,
        ]
        return listed(found) if found else ""

    __repr__ = written


@dataclass(frozen=True, slots=True)
class Square:
    """A square of a layout: ``b2`` is in the second column and the second row."""

    name: str
    resource: str
    across: int
    down: int
    bit: int


@dataclass(frozen=True, slots=True)
class Line:
    """A row or a column, called ``row 1`` or ``column 2``."""

    name: str
    squares: tuple[Square, ...]
    gift: Gift
    bits: int

    @property
    def is_row(self) -> bool:
        return self.name.startswith("row")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        squares = " ".join(square.name for square in self.squares)
        return f"<Line {self.name}: {squares}, gives {self.gift.words or 'nothing'}>"


@dataclass(frozen=True, eq=False)
class Layout:
    """A printed board."""

    name: str
    pattern: tuple[str, ...]  # a letter for each square, a dot where there is none
    squares: tuple[Square, ...]
    lines: tuple[Line, ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self is other or (
            (self.name, self.pattern, self.lines) == (other.name, other.pattern, other.lines)
        )

    def __hash__(self) -> int:
        return hash((self.name, self.pattern))

    def __repr__(self) -> str:
        return f"<Layout {self.name!r}: {' / '.join(self.pattern)}>"

    def __reduce__(self) -> tuple[Callable[..., Layout], tuple[object, ...]]:
        # Another process makes it anew, without the boards that were met here.
        rows = tuple(line.gift for line in self.lines if line.is_row)
        columns = tuple(line.gift for line in self.lines if not line.is_row)
        return make_layout, (self.name, self.pattern, rows, columns)

    @cached_property
    def square_of(self) -> dict[str, Square]:
        """The squares by name."""
        return {square.name: square for square in self.squares}

    @cached_property
    def line_of(self) -> dict[str, Line]:
        """The lines by name."""
        return {line.name: line for line in self.lines}

    @cached_property
    def bits_of(self) -> dict[str, int]:
        """The squares of each resource."""
        return {
            resource: sum(square.bit for square in self.squares if square.resource == resource)
            for resource in RESOURCES
        }

    @cached_property
    def all_bits(self) -> int:
        return sum(square.bit for square in self.squares)

    @cached_property
    def _boards(self) -> dict[int, Board]:
        return {}

    def board(self, filled: int = 0) -> Board:
        """The board with tokens on these squares."""
        boards = self._boards
        found = boards.get(filled)
        if found is None:
            found = boards[filled] = Board(self, filled)
        return found

    def names(self, bits: int) -> tuple[str, ...]:
        """The names of a set of squares, in reading order."""
        return tuple([square.name for square in self.squares if square.bit & bits])


@dataclass(frozen=True, init=False)
class Board:
    """A layout with tokens on some of its squares; or the text of a house board.

    >>> board = Board("WSg.. / fgws. / ..FSg / ...FW")
    >>> [line.name for line in board.full_lines()], board.spare
    (['row 4'], 4)
    """

    layout: Layout
    filled: int = 0

    def __init__(self, layout: Layout | str, filled: int = 0) -> None:
        if isinstance(layout, str):
            layout, filled = _read_board(layout)
        object.__setattr__(self, "layout", layout)
        object.__setattr__(self, "filled", filled)

    def __hash__(self) -> int:
        return self.filled  # boards are looked up for every list of moves

    @property
    def squares(self) -> tuple[Square, ...]:
        return self.layout.squares

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.layout.lines

    @property
    def tokens(self) -> tuple[str, ...]:
        """The squares with a token."""
        return self.layout.names(self.filled)

    @cached_property
    def spare(self) -> int:
        """How many tokens are left to place."""
        return TOKENS - self.filled.bit_count()

    @cached_property
    def free(self) -> int:
        """The squares that can take a token: none without a token (once_upon_a_castle/no-token)."""
        return self.layout.all_bits & ~self.filled if self.spare > 0 else 0

    @cached_property
    def _full(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if not line.bits & ~self.filled)

    def full_lines(self) -> tuple[Line, ...]:
        """The rows and columns whose squares all have a token."""
        return self._full

    def line(self, name: str) -> Line:
        """A line by its name."""
        return _named(name, self.layout.line_of, "line")

    def square(self, name: str) -> Square:
        """A square by its name."""
        return _named(name, self.layout.square_of, "square")

    def place(self, name: str) -> Board:
        """The board with one more token; a taken square or no token left is an error."""
        square = self.square(name)
        if self.filled & square.bit:
            raise CastlelabError(f"there is a token on {name} already")
        if self.spare <= 0:
            raise CastlelabError(f"all {TOKENS} tokens are placed")
        return self.layout.board(self.filled | square.bit)

    def clear(self, name: str | Line) -> Board:
        """The board without the tokens of a full line."""
        line = self.line(name.name if isinstance(name, Line) else name)
        if line.bits & ~self.filled:
            missing = listed(self.layout.names(line.bits & ~self.filled))
            raise CastlelabError(f"{line.name} is not full; it misses a token on {missing}")
        return self.layout.board(self.filled & ~line.bits)

    def crossing(self, line: Line) -> tuple[Line, ...]:
        """The full lines that share a token with a full line (once_upon_a_castle/crossing)."""
        return tuple(other for other in self._full if other != line and other.bits & line.bits)

    @staticmethod
    def parse(text: str, layout: Layout | None = None) -> Board:
        """Read a board: a capital letter has a token, a small one has none, a dot is no square.

        Without a layout it is the house board with that pattern.
        """
        layout, filled = _read_board(text, layout)
        return layout.board(filled)

    def __str__(self) -> str:
        rows = [list(row.lower()) for row in self.layout.pattern]
        for square in self.squares:
            if self.filled & square.bit:
                rows[square.down][square.across] = square.resource[0].upper()
        return "\n".join(map("".join, rows))

    def __repr__(self) -> str:
        text = repr(str(self).replace("\n", " / "))
        if self.layout == _house_layouts().get(self.layout.pattern):
            return f"Board({text})"
        return f"<Board of the layout {self.layout.name!r}: {text}>"

    def edit(self, dice: tuple[str, str] = ("any", "any")) -> Any:
        """An editor in a notebook on which two dice put their tokens on this board."""
        from castlelab.games.once_upon_a_castle.puzzle_complete_a_line import PlaceTokens

        return widget("TokenEditor", PlaceTokens(self, dice))

    def _repr_svg_(self) -> str:
        from castlelab.draw.svg import still
        from castlelab.games.once_upon_a_castle.picture import board_scene

        return still(board_scene(self))


def _named(name: str, known: Mapping[str, T], called: str) -> T:
    if not isinstance(name, str) or name not in known:
        raise CastlelabError(
            f"there is no {called} {quoted(name)}; the {called}s are {', '.join(known)}"
        )
    return known[name]


def _read_board(text: str, layout: Layout | None = None) -> tuple[Layout, int]:
    """The layout that a text shows, and the squares that have a token."""
    rows = _rows(text)
    pattern = tuple(row.upper() for row in rows)
    if layout is None:
        layout = _house_layout(pattern)
    if pattern != layout.pattern:
        raise NotationError(
            f"that is not the {layout.name} board, whose squares are {' / '.join(layout.pattern)}"
        )
    filled = sum(s.bit for s in layout.squares if rows[s.down][s.across].isupper())
    if filled.bit_count() > TOKENS:
        raise NotationError(f"{filled.bit_count()} tokens lie there; there are {TOKENS}")
    return layout, filled


def _rows(text: str) -> list[str]:
    if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
        raise NotationError(f"a board is a short text such as 'WSg.. / …', not {quoted(text)}")
    rows = ["".join(row.split()) for row in text.replace("/", "\n").split("\n")]
    rows = [row for row in rows if row]
    for letter in "".join(rows):
        if letter.upper() not in _LETTERS and letter != ".":
            raise NotationError(
                f"{quoted(letter)} is no square; write W, S, G or F for a token, "
                "a small letter for a free square, a dot for none"
            )
    if not rows:
        raise NotationError("write a board, row by row, such as 'WSg.. / …'")
    return rows


def _house_layout(pattern: tuple[str, ...]) -> Layout:
    layouts = _house_layouts()
    if pattern in layouts:
        return layouts[pattern]
    known = "; ".join(f"{layout.name} {' / '.join(pattern)}" for pattern, layout in layouts.items())
    raise NotationError(f"no house board has these squares; the boards are: {known}")


def _house_layouts() -> dict[tuple[str, ...], Layout]:
    """The house layouts by their patterns."""
    from castlelab.games.once_upon_a_castle.box import house_layouts  # which stands on this module

    return {layout.pattern: layout for layout in house_layouts()}


# -- making a layout -------------------------------------------------------------------------


class PatternError(CastlelabError):
    """Why a pattern is no board; ``key`` says which of its parts is wrong."""

    def __init__(self, key: str, problem: str) -> None:
        self.key, self.problem = key, problem
        super().__init__(f"{key} {problem}")


@lru_cache(maxsize=32)  # the same layout is the same thing, and so are its boards
def make_layout(
    name: str, pattern: tuple[str, ...], rows: tuple[Gift, ...], columns: tuple[Gift, ...]
) -> Layout:
    """The layout of a pattern, with the gifts of its rows and columns in reading order."""
    squares = tuple(_squares(pattern))
    for resource in RESOURCES:
        if (count := sum(square.resource == resource for square in squares)) != 3:
            raise PatternError("pattern", f"has {count} squares of {resource}; there must be 3")
    across = _runs(squares, "row", lambda square: (square.down, square.across))
    down = _runs(squares, "column", lambda square: (square.across, square.down))
    lines: list[Line] = []
    for key, runs, gifts in (("rows", across, rows), ("columns", down, columns)):
        if len(runs) != len(gifts):
            raise PatternError(
                key, f"has {len(gifts)} gifts; the pattern has {len(runs)} {key}, one gift for each"
            )
        lines += [
            Line(f"{key[:-1]} {number}", run, gift, sum(square.bit for square in run))
            for number, (run, gift) in enumerate(zip(runs, gifts, strict=True), start=1)
        ]
    return Layout(name, pattern, squares, tuple(lines))


def _squares(pattern: tuple[str, ...]) -> Iterator[Square]:
    if not 2 <= len(pattern) <= LARGEST_PATTERN or len(set(map(len, pattern))) != 1:
        raise PatternError("pattern", f"must be 2 to {LARGEST_PATTERN} rows of the same length")
    if len(pattern[0]) > LARGEST_PATTERN:
        raise PatternError("pattern", f"is wider than {LARGEST_PATTERN} squares")
    bit = 1
    for down, row in enumerate(pattern):
        for across, letter in enumerate(row):
            if letter == ".":
                continue
            if letter not in _LETTERS:
                raise PatternError(
                    "pattern", f"has {quoted(letter)}; a square is W, S, G or F, a gap a dot"
                )
            name = f"{'abcdefgh'[across]}{down + 1}"
            yield Square(name, _LETTERS[letter], across, down, bit)
            bit <<= 1


def _runs(squares: Iterable[Square], kind: str, place: _Place) -> list[tuple[Square, ...]]:
    """The squares in runs without a gap along a row or a column."""
    runs: list[list[Square]] = []
    last = (-1, -1)
    for square in sorted(squares, key=place):
        here = place(square)
        if here != (last[0], last[1] + 1):
            runs.append([])
        runs[-1].append(square)
        last = here
    for run in runs:
        if len(run) not in LINE_LENGTHS:
            raise PatternError(
                "pattern",
                f"has a {kind} of {len(run)} at {run[0].name}; "
                f"a {kind} has {LINE_LENGTHS[0]} to {LINE_LENGTHS[-1]} squares",
            )
    return [tuple(run) for run in runs]
