"""The build site of CastleScape in pictures: walls, recruits, baileys and leaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from castlelab.draw.layout import BOLD_LETTER, Part, caption, wrapped
from castlelab.draw.scene import (
    NARROW,
    Circle,
    Happening,
    Path,
    Piece,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    as_piece,
    marked,
)
from castlelab.draw.theme import add_family
from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.board import (
    ON_GROUND,
    ON_WALL,
    PLAYERS,
    Bailey,
    Bits,
    Board,
    square_name,
)
from castlelab.grid import Grid, Square
from castlelab.rules import counted

LABELS = 18.0  # the margin with the letters of the columns and the numbers of the rows
SITE_PAD = 6.0
LEAST = 12.0  # letters and digits smaller than this cannot be read
_COLUMN = 560.0  # how wide the column of a lesson is at the least
_LARGEST = 60.0  # a square, where there are few

add_family(
    "site",
    {
        "grass": "#e7edd8 #252e1f",
        "grid": "#c3cbae #4b5840",
        "stone": "#b5a996 #776d62",
        "edge": "#5d5247 #cbbfaf",
        "nobody": "#d8d3c8 #3d3834",
        # The courts of the seats
        "0": "#cadbf3 #233750",
        "1": "#f8d2c1 #4d2c1e",
        "2": "#c5e6d6 #1c4233",
        "3": "#f7e5a8 #4b411b",
    },
)

Squares = Iterable[Square | str] | Bits
Claims = Mapping[Bits, tuple[int, ...]]


# -- the site in words -----------------------------------------------------------------------


def square_words(board: Board, square: Square, baileys: Sequence[Bailey] = ()) -> str:
    """A square as it is spoken.

    >>> square_words(Board.parse("#.. / .A. / ..b"), (1, 1))
    'b2, wall with a recruit of Blue, counts 2'
    """
    bit = board.grid.bit(square)
    name, what = square_name(square), "wall" if board.walls & bit else "ground"
    bailey = next((one for one in baileys if one.bits & bit), None)
    where = f" of a bailey of {counted(bailey.size, 'square')}" if bailey is not None else ""
    for player in range(PLAYERS):
        for sets, worth in ((board.ground, ON_GROUND), (board.atop, ON_WALL)):
            if sets[player] & bit:
                return (
                    f"{name}, {what}{where} with a recruit of {SEAT_NAMES[player]}, counts {worth}"
                )
    return f"{name}, {what}{where}"


def bailey_words(bailey: Bailey, claimed: tuple[int, ...] | None = None) -> str:
    """A bailey as it is spoken: where, how large, who has influence, who marked it."""
    names = bailey.board.names(bailey.bits)
    shown = ", ".join(names[:4]) + (" and more" if len(names) > 4 else "")
    there = ", ".join(
        f"{SEAT_NAMES[player]} {number}" for player, number in enumerate(bailey.influence) if number
    )
    influence = f"influence {there}" if there else "no influence"
    words = f"{shown}: {counted(bailey.size, 'square')}, {influence}"
    if claimed is None:
        return words
    return words + _marked_by(claimed)


def board_words(board: Board, claims: Claims | None = None, *, baileys: bool = True) -> str:
    """A site as it is spoken."""
    grid = board.grid
    recruits = ", ".join(
        f"{SEAT_NAMES[player]} {board.recruits(player)}"
        for player in range(PLAYERS)
        if board.recruits(player)
    )
    walls = counted(board.walls.bit_count(), "wall")
    told = [
        f"A site of {grid.rows} rows and {grid.columns} columns with {walls}.",
        f"Recruits: {recruits or 'none'}.",
    ]
    if baileys:
        found = board.baileys()
        told.append(f"{counted(len(found), 'bailey')}:" if found else "No bailey.")
        for bailey in found:
            claimed = None if claims is None else claims.get(bailey.bits, ())
            told.append(f"{bailey_words(bailey, claimed)}.")
    return " ".join(told)


# -- the site --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Marks:
    """What is shown on a site besides what stands there."""

    baileys: bool = True  # whether they are filled and labelled
    claims: Claims | None = None  # who marked which court; without it the leaders' colours fill
    spots: Bits = 0  # where a wall may go
    crosses: Bits = 0
    chosen: Bits = 0
    path: tuple[Square, ...] = ()
    tags: bool = True  # whether baileys say how large they are


PLAIN = Marks()


class _Site(NamedTuple):
    """Where a site lies in the picture, and how large its squares are."""

    board: Board
    x: float
    y: float
    cell: float
    least: float = LEAST  # letters and digits are no smaller

    def corner(self, square: Square) -> tuple[float, float]:
        return self.x + square[1] * self.cell, self.y + square[0] * self.cell

    def centre(self, square: Square) -> tuple[float, float]:
        left, top = self.corner(square)
        return left + self.cell / 2, top + self.cell / 2

    def corners(self, bits: Bits) -> Iterator[tuple[float, float]]:
        return map(self.corner, self.board.grid.squares(bits))

    def runs(self, bits: Bits, *, down: bool = False) -> Iterator[tuple[Square, int]]:
        """A set in rows or columns without a gap: the first square of each, and its length."""
        grid = self.board.grid
        step = grid.columns if down else 1
        further = bits & (bits << step if down else grid.right_of(bits))
        for first in grid.squares(bits & ~further):
            length = 1
            while further & grid.bit(first) << step * length:
                length += 1
            yield first, length

    def centres(self, bits: Bits) -> Iterator[tuple[float, float]]:
        return map(self.centre, self.board.grid.squares(bits))


def site_part(
    board: Board,
    x: float,
    y: float,
    cell: float,
    marks: Marks = PLAIN,
    labels: tuple[float, float] = (LABELS, LABELS),
    least: float = LEAST,
) -> Part:
    """The squares of a site with their labels; every square is a target.

    ``labels`` is the room for the numbers of the rows and for the letters of the columns, and
    ``least`` the size of the smallest of them.
    """
    grid = board.grid
    site = _Site(board, x + labels[0], y + labels[1], cell, least)
    baileys = board.baileys() if marks.baileys else ()
    width, height = grid.columns * cell, grid.rows * cell
    shapes: list[Shape] = [
        *_labels(site),
        Rect(site.x, site.y, width, height, "site-grass"),
        *(shape for bailey in baileys for shape in _court(site, bailey, marks.claims)),
        *_lines(site),
        *_walls(site),
        *_spots(site, marks.spots),
        *_recruits(site),
        *_chosen(site, marks.chosen),
        *_tags(site, baileys, marks),
        *_crosses(site, marks.crosses),
        *_leak(site, marks.path),
    ]
    size = width + labels[0], height + labels[1]
    return Part.of(
        shapes, _targets(site, baileys, marks), *size, _happenings(board, baileys, marks)
    )


def _happenings(board: Board, baileys: Sequence[Bailey], marks: Marks) -> Iterator[Happening]:
    """A bailey that closes is paved square by square, and somebody walks out by a leak."""
    for bailey in baileys:
        yield Happening("pave", tuple((name,) for name in board.names(bailey.bits)))
    if marks.path:
        yield Happening("walk", ((_WALKER.spot,), *((square_name(at),) for at in marks.path)))


def _targets(site: _Site, baileys: Sequence[Bailey], marks: Marks) -> list[Target]:
    grid, cell = site.board.grid, site.cell
    # Most squares are bare; only what stands out needs a longer look.
    special = site.board.occupied()
    for bailey in baileys:
        special |= bailey.bits
    found = []
    for square in grid.squares(grid.all):
        bit = grid.bit(square)
        if bit & special:
            words = square_words(site.board, square, baileys)
        else:
            words = f"{square_name(square)}, {'wall' if bit & site.board.walls else 'ground'}"
        for court, seats in (marks.claims or {}).items():
            if court & bit:
                words += _marked_by(seats)
        if bit & marks.spots:
            words += ", a wall may go here"
        x, y = site.corner(square)
        box = (x, y, cell, cell)
        found.append(Target(square_name(square), words, *box, group="The site", cell=square))
    return found


def _marked_by(seats: tuple[int, ...]) -> str:
    return f", marked by {' and '.join(SEAT_NAMES[seat] for seat in seats) or 'nobody'}"


def _labels(site: _Site) -> Iterator[Shape]:
    """Letters above the columns, numbers beside the rows."""
    grid, cell = site.board.grid, site.cell
    size = max(site.least, min(13.0, cell * 0.5))
    for column in range(grid.columns):
        letter = square_name((0, column))[0]
        middle = site.x + (column + 0.5) * cell
        yield Text(middle, site.y - 9, letter, size, "muted", "middle")
    if grid.rows > 9:  # two digits side by side
        size = site.least
    for row in range(grid.rows):
        middle = site.y + (row + 0.5) * cell
        yield Text(site.x - 2, middle, str(row + 1), size, "muted", "end")


def _lines(site: _Site) -> Iterator[Shape]:
    """A line between all squares; the edge of the site, which is no wall, is dashed."""
    grid, cell = site.board.grid, site.cell
    width, height = grid.columns * cell, grid.rows * cell
    for column in range(1, grid.columns):
        x = site.x + column * cell
        yield Path(((x, site.y), (x, site.y + height)), None, "site-grid", 1)
    for row in range(1, grid.rows):
        y = site.y + row * cell
        yield Path(((site.x, y), (site.x + width, y)), None, "site-grid", 1)
    yield Rect(site.x, site.y, width, height, None, "line", 1, dash=True)


def _runs(site: _Site) -> Iterator[tuple[float, float, float, float]]:
    """The walls in rows and columns without a gap: as boxes, fewer than there are walls.

    A wall that has neighbours only above or below is in no row of its own.
    """
    grid, walls, cell = site.board.grid, site.board.walls, site.cell
    upright = walls & (walls << grid.columns | walls >> grid.columns)
    for down, bits in ((False, walls), (True, upright)):
        for first, length in site.runs(bits, down=down):
            if length > 1 or not (down or upright & grid.bit(first)):
                x, y = site.corner(first)
                yield x, y, cell * (1 if down else length), cell * (length if down else 1)


def _walls(site: _Site) -> list[Shape]:
    """Stone with a dark rim; neighbours join."""
    boxes = list(_runs(site))
    rim = max(1.5, site.cell * 0.08)
    shapes: list[Shape] = [Rect(*box, "site-edge") for box in boxes]
    # Neighbours are drawn as one, but each wall is a piece: a box that is not painted says where.
    shapes += [
        Rect(*site.corner(square), site.cell, site.cell, piece=_standing("wall", square, "quarry"))
        for square in site.board.grid.squares(site.board.walls)
    ]
    shapes += [
        Rect(x + rim, y + rim, width - 2 * rim, height - 2 * rim, "site-stone")
        for x, y, width, height in boxes
    ]
    if site.cell >= 24:  # a few joints between the stones
        half, inner = site.cell / 2, site.cell - 2 * rim
        for x, y in site.corners(site.board.walls & ~site.board.occupied()):
            level = y + half
            shapes.append(Path(((x + rim, level), (x + rim + inner, level)), None, "site-edge", 1))
            shapes.append(Path(((x + half, level), (x + half, y + rim)), None, "site-edge", 1))
    return shapes


def _spots(site: _Site, bits: Bits) -> Iterator[Shape]:
    """Where a wall may go: a small open square."""
    side = max(4.0, site.cell * 0.22)
    for x, y in site.centres(bits):
        yield Rect(x - side / 2, y - side / 2, side, side, None, "site-edge", 1.5)


def _chosen(site: _Site, bits: Bits) -> Iterator[Shape]:
    """Squares that were picked: ringed and ticked."""
    cell = site.cell
    radius = max(min(7.5, cell * 0.3), cell * 0.17)
    for x, y in site.corners(bits):
        yield Rect(x + 2, y + 2, cell - 4, cell - 4, None, "accent", 2.5)
    for x, y in site.corners(bits):
        yield Circle(x + cell - radius - 2, y + radius + 2, radius, "accent")
    for x, y in site.corners(bits):
        at = x + cell - radius - 2, y + radius + 2
        yield Text(*at, "✓", max(LEAST, radius * 1.4), "on-accent", "middle", True)


def _crosses(site: _Site, bits: Bits) -> Iterator[Shape]:
    """Squares that are crossed out."""
    reach = site.cell * 0.32
    for role, line in (("paper", 5.0), ("bad", 2.5)):
        for x, y in site.centres(bits):
            yield Path(((x - reach, y - reach), (x + reach, y + reach)), None, role, line)
            yield Path(((x - reach, y + reach), (x + reach, y - reach)), None, role, line)


# -- recruits --------------------------------------------------------------------------------


def _recruits(site: _Site) -> list[Shape]:
    """Every recruit with its number: 1 on the ground, 2 on a wall, where it has a plate."""
    board, cell = site.board, site.cell
    a, b, c, d = board.atop
    inset = max(1.5, cell * 0.09)
    side = cell - 2 * inset
    shapes: list[Shape] = [
        Rect(x + inset, y + inset, side, side, "paper", "site-edge", 1.5)
        for x, y in site.corners(a | b | c | d)
    ]
    # On a small square the piece takes more of it, since its number has to be read.
    radius = max(cell * 0.31, min(cell * 0.44, 8.5))
    for player in range(PLAYERS):
        for square in board.grid.squares(board.ground[player] | board.atop[player]):
            token = piece(player, *site.centre(square), radius, max(1.0, cell * 0.045))
            recruit = _standing(f"recruit {player}", square, f"guild {player + 1}")
            shapes += as_piece([token], recruit)
    for player in range(PLAYERS):
        for bits, worth in ((board.ground[player], ON_GROUND), (board.atop[player], ON_WALL)):
            shapes += [
                Text(
                    x,
                    y,
                    str(worth),
                    max(site.least, cell * 0.4),
                    f"on-seat-{player}",
                    "middle",
                    bold=True,
                )
                for x, y in site.centres(bits)
            ]
    return shapes


def _standing(kind: str, square: Square, home: str) -> Piece:
    """A piece on a square, with where it comes from and goes back to."""
    return Piece(kind, f"{kind} {square_name(square)}", home, home)


def piece(player: int, x: float, y: float, radius: float, line: float = 1.5) -> Shape:
    """The piece of a player: a circle, a square, a triangle or a diamond, in their colour."""
    role = f"seat-{player}"
    if player == 0:
        return Circle(x, y, radius * 1.05, role, "ink", line)
    if player == 1:
        half = radius * 0.92
        return Rect(x - half, y - half, 2 * half, 2 * half, role, "ink", line)
    far = radius * 1.28
    if player == 2:
        low = y + radius * 0.95
        return Path(((x, y - far), (x + far, low), (x - far, low)), role, "ink", line, closed=True)
    diamond = ((x, y - far), (x + far, y), (x, y + far), (x - far, y))
    return Path(diamond, role, "ink", line, closed=True)


# -- baileys and leaks -----------------------------------------------------------------------

#: The pattern of each player: a line across a square, from and to, in parts of its side.
_PATTERNS = (
    ((0.0, 1.0), (1.0, 0.0)),
    ((0.0, 0.0), (1.0, 1.0)),
    ((0.0, 0.5), (1.0, 0.5)),
    ((0.5, 0.0), (0.5, 1.0)),
)


def _court(site: _Site, bailey: Bailey, claims: Claims | None) -> Iterator[Shape]:
    """The ground of a bailey in the colour and the pattern of those who lead or marked it."""
    seats = bailey.leaders if claims is None else claims.get(bailey.bits, ())
    role = f"site-{seats[0]}" if len(seats) == 1 else "site-nobody"
    cell = site.cell
    for first, length in site.runs(bailey.bits):
        yield Rect(*site.corner(first), length * cell, cell, role)
    for seat in seats:
        (x1, y1), (x2, y2) = _PATTERNS[seat]
        for x, y in site.corners(bailey.bits):
            ends = (x + x1 * cell, y + y1 * cell), (x + x2 * cell, y + y2 * cell)
            yield Path(ends, None, "muted", 1)


_SMALLEST_TAG = 16.0  # squares below this have no room for a number
_FULL_TAG = 30.0  # … and below this none for the influence


def _tags(site: _Site, baileys: Sequence[Bailey], marks: Marks) -> Iterator[Shape]:
    """How large each bailey is and the influence there, on a square without a recruit.

    Where there is no such square, or no room, only the spoken words tell.
    """
    cell = site.cell
    if cell < _SMALLEST_TAG or not marks.tags:
        return
    taken = site.board.occupied() | marks.chosen | marks.crosses
    taken |= site.board.grid.bits(marks.path)
    for bailey in baileys:
        free = bailey.bits & ~taken
        if not free:
            continue
        x, y = site.corner(next(site.board.grid.squares(free)))
        there = ":".join(str(number) for number in bailey.influence if number)
        middle, size = x + cell / 2, str(bailey.size)
        small = max(site.least, min(cell * 0.33, (cell - 4) / _digits(there)))
        # Influence of many is written a little over the edges rather than too small.
        full = bool(there) and cell >= _FULL_TAG and _digits(there) * small <= cell * 1.3
        large = max(site.least, cell * (0.4 if full else 0.48))
        if not full and _digits(size) * large > cell:
            continue
        letters = max(_digits(size) * large, _digits(there) * small if full else 0)
        half_width = max(min(cell * 0.48, letters / 2 + cell * 0.1), letters / 2 + 1)
        half_height = cell * (0.42 if full else 0.3)
        box = (middle - half_width, y + cell / 2 - half_height, 2 * half_width, 2 * half_height)
        yield Rect(*box, "paper", "line", 1)
        level = y + cell * (0.33 if full else 0.5)
        yield Text(middle, level, size, large, "ink", "middle", bold=True)
        if full:
            yield Text(middle, y + cell * 0.73, there, small, "muted", "middle")


def _digits(number: str) -> float:
    """How wide digits and colons are beside their size."""
    return max(0.01, sum(0.34 if sign == ":" else 0.64 for sign in number))


#: Whoever goes out by a leak stands at its start; nobody comes there or leaves.
_WALKER = Piece("walker", "walker", quiet=True)


def _leak(site: _Site, path: Sequence[Square]) -> list[Shape]:
    """The way out of a bailey that is none; each slip between two corners has a ring."""
    if not path:
        return []
    board, cell = site.board, site.cell
    points = [*map(site.centre, path)]
    dx, dy = _way_out(board.grid, path[-1])
    far, head = cell * 0.5 + 4, cell * 0.22
    x, y = points[-1][0] + dx * far, points[-1][1] + dy * far
    points.append((x, y))
    arrow = (
        (x, y),
        (x - dx * head - dy * head * 0.7, y - dy * head - dx * head * 0.7),
        (x - dx * head + dy * head * 0.7, y - dy * head + dx * head * 0.7),
    )
    shapes: list[Shape] = [
        Path(tuple(points), None, "paper", max(5.0, cell * 0.2)),
        Path(tuple(points), None, "bad", max(2.5, cell * 0.09), dash=True),
        Path(arrow, "bad", "bad", 2, closed=True),
        Circle(*points[0], cell * 0.14, "bad", "paper", 1.5, piece=_WALKER),
    ]
    for one, other in board.gaps(path):
        (x1, y1), (x2, y2) = site.centre(one), site.centre(other)
        middle = (x1 + x2) / 2, (y1 + y2) / 2
        shapes += [
            Path(((x1, y1), (x2, y2)), None, "bad", max(3.5, cell * 0.14)),
            Circle(*middle, cell * 0.36, None, "paper", 5),
            Circle(*middle, cell * 0.36, None, "bad", 2.5),
        ]
    return shapes


def _way_out(grid: Grid, last: Square) -> tuple[int, int]:
    """How one leaves the site straight from a square at its edge: to the right, and down."""
    row, column = last
    if row in (0, grid.rows - 1):
        return 0, 1 if row else -1
    return 1 if column else -1, 0


def _bits(board: Board, squares: Squares) -> Bits:
    """A set of squares, from names or (row, column) pairs."""
    return squares if isinstance(squares, int) else board.grid.bits(board.read(squares))


def narrow_site(board: Board) -> tuple[float, tuple[float, float]]:
    """How large the squares of a site are on a narrow page, and the room for its labels.

    A site of nine columns has squares for a finger; a larger one is only to be seen whole.
    """
    labels = (12.0 if board.grid.rows < 10 else 18.0, 16.0)
    cell = (NARROW - labels[0] - _OUT) // board.grid.columns
    return min(_LARGEST, cell), labels


_OUT = 4.0  # so far a leak may run out of the site


def board_scene(
    board: Board,
    *,
    title: str = "",
    baileys: bool = True,
    claims: Claims | None = None,
    spots: Squares = (),
    crosses: Squares = (),
    chosen: Squares = (),
    path: Iterable[Square | str] = (),
    lit: Iterable[str] = (),
) -> Scene:
    """A site by itself, with a target for each square, named as in moves: ``d4``.

    Squares are given by name, as (row, column) or as bits. ``spots`` are where a wall may go,
    ``chosen`` squares are ticked, ``crosses`` crossed out, ``path`` is the way by which ground
    leaks to the edge. Without ``baileys`` it does not tell which they are, for those who are to
    find them.
    """
    marks = Marks(
        baileys,
        claims,
        _bits(board, spots),
        _bits(board, crosses),
        _bits(board, chosen),
        tuple(board.read(path)),
    )
    alarms = tuple(lit)
    wide = _marked_site(board, title, marks, alarms, narrow=False)
    return replace(wide, narrow=partial(_marked_site, board, title, marks, alarms, narrow=True))


def _marked_site(
    board: Board, title: str, marks: Marks, lit: tuple[str, ...], *, narrow: bool
) -> Scene:
    grid = board.grid
    if narrow:
        cell, labels = narrow_site(board)
        pad, margin = 0.0, _OUT
    else:
        labels, pad, margin = (LABELS, LABELS), SITE_PAD, LABELS * 0.8
        room = _COLUMN - LABELS - pad - margin
        cell = min(_LARGEST, room // max(grid.rows, grid.columns))
    width = pad + labels[0] + grid.columns * cell + margin
    lines = wrapped(title, width - 2 * SITE_PAD, 15 * BOLD_LETTER)
    words: list[Shape] = [
        caption(SITE_PAD, 15 + 20 * number, line, 15) for number, line in enumerate(lines)
    ]
    top = 8.0 + 20 * len(lines) if lines else pad
    site = site_part(board, pad, top, cell, marks, labels)
    # A margin at the right and below, where a leak may run out.
    size = width, site.height + top + margin
    whole = Part.of([*site.shapes, *words], site.targets, *size, site.happenings)
    told = board_words(board, marks.claims, baileys=marks.baileys)
    return marked(whole.scene(title or "A build site", told), lit=lit)
