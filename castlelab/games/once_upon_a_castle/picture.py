"""Once Upon a Castle in pictures: boards, castles, guests and the whole table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape, Target, Text, marked
from castlelab.game import SEAT_NAMES
from castlelab.games.once_upon_a_castle import storybook_picture as storybook
from castlelab.games.once_upon_a_castle.board import Board, Gift, Line, Square, face_words
from castlelab.games.once_upon_a_castle.box import Track, read_box
from castlelab.games.once_upon_a_castle.castle import FLAG_ROOM, MAIN_PARTS, MOST, Castle
from castlelab.games.once_upon_a_castle.guests import Guest
from castlelab.games.once_upon_a_castle.moves import (
    CHOICES,
    DICE,
    Choose,
    Take,
    Use,
    read_move,
)
from castlelab.games.once_upon_a_castle.scoring import CLOUD, SMALL_CLOUD, SUN, score
from castlelab.rules import listed

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState

Point = tuple[float, float]

#: The colour of each resource, and of what else a die may bring.
_ROLES = {
    "wood": "hue-brown",
    "stone": "hidden",
    "gold": "hue-yellow",
    "food": "hue-olive",
    "residents": "hue-teal",
    "any": "accent",
    "cloud": "seat-0",
    "flag": "hue-red",
}
_CELL = 54.0  # a square of a board by itself; at the table it is smaller
_GAP = 4.0
_MARGIN = 14.0  # how much wider than a square a gift is where there is room
_PAD = 8.0
_ROUND = 7.0  # the corners of squares, dice, chips and cards: alike, so that all share commands
_LETTER = 0.62  # how wide a letter is beside its size, in the widest usual font
_LEAST_LETTERS = 9.0


class Part(NamedTuple):
    """A piece of a picture: what is drawn, what can be picked, and how much room it takes."""

    shapes: list[Shape]
    targets: list[Target]
    width: float
    height: float


def _joined(parts: Iterable[Part], width: float, height: float) -> Part:
    parts = tuple(parts)
    shapes = [shape for part in parts for shape in part.shapes]
    return Part(shapes, [target for part in parts for target in part.targets], width, height)


def _grouped(part: Part, group: str) -> Part:
    """A piece whose targets are told together, under a name."""
    return part._replace(targets=[replace(target, group=group) for target in part.targets])


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


# -- the board -----------------------------------------------------------------------------


def square_words(board: Board, square: Square) -> str:
    """A square as it is spoken."""
    what = "a token" if board.filled & square.bit else "free"
    return f"{square.name}, {square.resource.capitalize()}: {what}"


def line_words(board: Board, line: Line) -> str:
    """A line as it is spoken."""
    missing = board.layout.names(line.bits & ~board.filled)
    state = f"misses {', '.join(missing)}" if missing else "full"
    if not missing and (crossing := board.crossing(line)):
        others = listed([other.name for other in crossing])
        state += f", crosses {others}: choose one"
    return f"{line.name.capitalize()}, gives {line.gift.words}: {state}"


def board_words(board: Board) -> str:
    """A board as it is spoken."""
    full = ", ".join(line.name for line in board.full_lines()) or "none"
    tokens = ", ".join(board.tokens) or "none"
    choices = "".join(
        f" {row.name.capitalize()} and {column.name} cross on {square.name}: clear one of them."
        for row, column, square in crossings(board)
    )
    return f"Tokens on {tokens}; {board.spare} left. Full lines: {full}.{choices}"


def crossings(board: Board) -> list[tuple[Line, Line, Square]]:
    """Each full row with each full column that it crosses, and the square that they share.

    >>> board = Board.parse("WSG.. / Fgws. / ..fsg / ...fw")
    >>> [(str(row), str(column), square.name) for row, column, square in crossings(board)]
    [('row 1', 'column 1', 'a1')]
    """
    full = board.full_lines()
    return [
        (row, column, square)
        for row in full
        for column in full
        if row.is_row and not column.is_row
        for square in row.squares
        if square in column.squares
    ]


def board_part(board: Board, x: float, y: float, cell: float = _CELL, seat: int = 0) -> Part:
    """The squares of a board, and beside each line what it gives; full lines stand out."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    step = cell + _GAP
    places = _gift_places(board)
    for square in board.squares:
        left, top = x + square.across * step, y + square.down * step
        shapes += _square(board, square, left, top, cell, seat)
        targets.append(Target(square.name, square_words(board, square), left, top, cell, cell))
    cells = {*places, *((square.across, square.down) for square in board.squares)}
    right = 0.0
    for line, (across, down) in zip(board.lines, places, strict=True):
        left, top = x + across * step, y + down * step
        width = cell if (across + 1, down) in cells else cell + _MARGIN
        right = max(right, left + width - x)
        shapes += _gift(line, left, top, width, cell, full=not line.bits & ~board.filled)
        targets.append(Target(line.name, line_words(board, line), left, top, width, cell))
    shapes += _lighted(board.full_lines(), x, y, step)
    for _, _, square in crossings(board):
        side = x + square.across * step + cell
        shapes += _either_or(side, y + square.down * step + cell * 0.4, cell)
    width = (max(square.across for square in board.squares) + 1) * step - _GAP
    height = (max(down for _, down in cells) + 1) * step - _GAP
    return Part(shapes, targets, max(width, right), height)


def _gift_places(board: Board) -> list[tuple[int, int]]:
    """For each line the cell in which its gift is shown: behind its last square if that is free."""
    taken = {(square.across, square.down) for square in board.squares}
    below = max(down for _, down in taken) + 2
    places = []
    for line in board.lines:
        last = line.squares[-1]
        row = line.is_row
        cell = (last.across + 1, last.down) if row else (last.across, last.down + 1)
        if cell in taken:  # a pattern with holes: below the board there is room for all
            cell = next((n, below) for n in range(20) if (n, below) not in taken)
        taken.add(cell)
        places.append(cell)
    return places


def _square(
    board: Board, square: Square, x: float, y: float, size: float, seat: int
) -> list[Shape]:
    role = _ROLES[square.resource]
    middle, centre = x + size / 2, y + size * 0.4
    shapes: list[Shape] = [
        Rect(x, y, size, size, role, "ink", 1, _ROUND),
        Text(middle, y + size - 9, square.resource.capitalize(), 12, f"on-{role}", "middle"),
        # At the right: the badge of an offer is at the left.
        Text(x + size - 5, y + 8, square.name, 10, f"on-{role}", "end"),
    ]
    if board.filled & square.bit:
        return [*shapes, Circle(middle, centre, size * 0.27, f"seat-{seat}", "paper", 2.5)]
    return [*shapes, *resource_icon(square.resource, middle, centre, size * 0.23)]


def _lighted(lines: Sequence[Line], x: float, y: float, step: float) -> list[Shape]:
    """The outlines of full lines: one stroke round each row, two round each column."""

    def outlined(is_row: bool, role: str, width: float) -> Iterator[Rect]:
        for line in lines:
            if line.is_row == is_row:
                first, last = line.squares[0], line.squares[-1]
                left, top = x + first.across * step, y + first.down * step
                across = (last.across - first.across + 1) * step
                down = (last.down - first.down + 1) * step
                box = (left - _GAP / 2, top - _GAP / 2, across, down)
                yield Rect(*box, None, role, width)

    return [
        *outlined(True, "paper", 6),
        *outlined(True, "good", 4),
        *outlined(False, "accent", 6),
        *outlined(False, "paper", 2),
    ]


def _either_or(x: float, y: float, cell: float) -> list[Shape]:
    """The badge of a square that two full lines share, at the middle of its right side."""
    radius = cell * 0.19
    return [
        Circle(x, y, radius, "warn", "paper", 2),
        Text(x, y, "or", radius * 1.15, "on-warn", "middle", bold=True),
    ]


def resource_icon(face: str, x: float, y: float, size: float, ink: str = "") -> list[Shape]:
    """A little sign for a face of the dice, so that its colour never speaks alone."""
    ink = ink or f"on-{_ROLES[face]}"
    if face == "wood":
        return [
            Rect(x - size, y - size * 0.45, size * 1.6, size * 0.9, None, ink, 1.5),
            Circle(x + size * 0.6, y, size * 0.45, None, ink, 1.5),
        ]
    if face == "stone":
        points = ((-1, 0.6), (-0.6, -0.5), (0.3, -0.7), (1, 0.1), (0.7, 0.6))
        return [Path(_placed(x, y, size, points), None, ink, 1.5, True)]
    if face == "gold":
        return [Circle(x, y, size * 0.75, None, ink, 1.5), Circle(x, y, size * 0.4, None, ink, 1.5)]
    if face == "food":
        return [
            Circle(x, y + size * 0.15, size * 0.65, None, ink, 1.5),
            Path(((x, y - size * 0.5), (x + size * 0.4, y - size)), None, ink, 1.5),
        ]
    if face == "residents":
        # Two of them, if there is room.
        places = (-0.5, 0.5) if size > 5 else (0.0,)
        return [shape for place in places for shape in _person(x + size * place, y, size, ink)]
    if face == "flag":
        return [
            Path(_placed(x, y, size, ((-0.5, -1), (-0.5, 1))), None, ink, 1.5),
            Path(_placed(x, y, size, ((-0.5, -1), (1, -0.5), (-0.5, 0))), ink, None, 1, True),
        ]
    if face == "cloud":
        return [
            Circle(x - size * 0.5, y, size * 0.5, None, ink, 1.5),
            Circle(x + size * 0.3, y - size * 0.1, size * 0.65, None, ink, 1.5),
        ]
    return [Text(x, y, "?", size * 2, ink, "middle", bold=True)]


def _placed(x: float, y: float, size: float, points: Iterable[Point]) -> tuple[Point, ...]:
    return tuple((x + a * size, y + b * size) for a, b in points)


def _person(x: float, y: float, size: float, ink: str) -> list[Shape]:
    body = ((-0.4, 0.8), (0, -0.1), (0.4, 0.8))
    return [
        Circle(x, y - size * 0.45, size * 0.3, ink),
        Path(_placed(x, y, size, body), None, ink, 1.5, True),
    ]


#: The outlines of what a line may give.
_OUTLINES: dict[str, tuple[Point, ...]] = {
    "floor": ((-0.8, 0.8), (-0.8, -0.5), (0, -1), (0.8, -0.5), (0.8, 0.8)),
    "tower": (
        *((-0.5, 1), (-0.5, -0.2), (-0.8, -0.2), (0, -1.1)),
        *((0.8, -0.2), (0.5, -0.2), (0.5, 1)),
    ),
    "wall": (
        *((-1, 0.8), (-1, -0.7), (-0.6, -0.7), (-0.6, -0.3), (-0.2, -0.3), (-0.2, -0.7)),
        *((0.2, -0.7), (0.2, -0.3), (0.6, -0.3), (0.6, -0.7), (1, -0.7), (1, 0.8)),
    ),
    "bolt": ((0.3, -1), (-0.6, 0.15), (0, 0.15), (-0.3, 1), (0.6, -0.15), (0, -0.15)),
    "steal": (
        *((-1, 0), (-0.2, -0.8), (-0.2, -0.35), (1, -0.35)),
        *((1, 0.35), (-0.2, 0.35), (-0.2, 0.8)),
    ),
}


def gift_icon(kind: str, x: float, y: float, size: float, ink: str) -> list[Shape]:
    """A little sign for something that a line gives."""
    if kind in ("flag", "residents"):
        return resource_icon(kind, x, y, size * (0.9 if kind == "flag" else 0.8), ink)
    filled = ink if kind == "bolt" else None
    shapes: list[Shape] = [Path(_placed(x, y, size, _OUTLINES[kind]), filled, ink, 1.4, True)]
    if kind in ("floor", "tower"):
        shapes.append(Rect(x - size * 0.2, y, size * 0.4, size * 0.45, ink))
    return shapes


def gift_labels(gift: Gift) -> list[tuple[str, str]]:
    """A gift in little pictures and very short words.

    >>> gift_labels(Gift(wall=True, residents=3))
    [('wall', 'Wall'), ('residents', '+3')]
    """
    return [
        *[("floor", "Floor")] * gift.floor,
        *[("tower", f"Tower {gift.tower}")] * (gift.tower > 0),
        *[("wall", "Wall")] * gift.wall,
        *[("flag", f"Flag {gift.flag}")] * (gift.flag > 0),
        *[("residents", f"+{gift.residents}")] * (gift.residents > 0),
        *[("bolt", "Again")] * gift.reactivate,
        *[("steal", "Steal")] * gift.steal,
    ]


def _gift(
    line: Line, x: float, y: float, width: float, height: float, *, full: bool
) -> list[Shape]:
    """What a line gives, in a box that points back at its squares."""
    fill, ink, edge = ("good", "on-good", "ink") if full else ("paper", "ink", "line")
    middle = x + width / 2
    tip = (
        ((x - _GAP, y + height / 2), (x, y + height / 2))
        if line.is_row
        else ((x + height / 2, y - _GAP), (x + height / 2, y))
    )
    shapes: list[Shape] = [
        Rect(x, y, width, height, fill, edge, 1, _ROUND),
        Path(tip, None, "ink", 2),
    ]
    labels = gift_labels(line.gift)
    if len(labels) == 1:
        ((kind, words),) = labels
        return [
            *shapes,
            *gift_icon(kind, middle, y + height * 0.36, height * 0.2, ink),
            Text(middle, y + height - 11, words, fitting(words, width - 6, 12), ink, "middle"),
        ]
    pitch = (height - 6) / len(labels)
    size = min(fitting(words, width - 20, 12) for _, words in labels)
    for place, (kind, words) in enumerate(labels):
        level = y + 3 + pitch * (place + 0.5)
        shapes += gift_icon(kind, x + 10, level, 5.5, ink)
        shapes.append(Text(x + 18, level, words, size, ink))
    return shapes


def fitting(words: str, room: float, size: float) -> float:
    """The size of letters that keeps words within their room, as far as they can be read.

    >>> fitting("Wall", 60, 12), fitting("Dagobert", 40, 12)
    (12.0, 9.0)
    """
    size = min(size, room / (_LETTER * len(words)))
    # In steps: words of one size share their commands.
    return max(size / 1.5 // 1 * 1.5, _LEAST_LETTERS)


def board_scene(
    board: Board,
    *,
    seat: int = 0,
    lit: Iterable[str] = (),
    offered: Iterable[str] = (),
    title: str = "",
) -> Scene:
    """A board by itself, with a target for each square and each line."""
    top = 32.0 if title else _PAD
    part = board_part(board, _PAD, top, seat=seat)
    shapes = [*part.shapes, *[Text(_PAD, 16, title, 15, "ink", bold=True)] * bool(title)]
    scene = Scene(
        part.width + 2 * _PAD,
        part.height + top + _PAD,
        tuple(shapes),
        tuple(part.targets),
        title or "A token board",
        board_words(board),
    )
    return marked(scene, lit, offered=offered)


# -- the castle ----------------------------------------------------------------------------

# Where the parts of a castle stand on a picture 400 wide. The broad walls come first: they
# are the two that carry two flags.
_PAGE = 400.0
_GROUND = 214.0
_FOOT = 240.0  # the lower edge, where nobody walks on a path below
_TOWERS = ((28.0, 40.0, 92.0), (372.0, 40.0, 92.0), (114.0, 36.0, 116.0), (286.0, 36.0, 116.0))
_WALLS = ((48.0, 48.0, 54.0), (304.0, 48.0, 54.0), (132.0, 26.0, 62.0), (242.0, 26.0, 62.0))
_DONJON = (200.0, 84.0, 34.0)
_ROOF = 56.0
_FLAG = 40.0
_SUN, _CLOUD = (44.0, 44.0, 20.0), (346.0, 42.0, 30.0)
_SMALL_CLOUDS = ((102.0, 24.0, 17.0), (152.0, 30.0, 17.0), (262.0, 26.0, 17.0))


class _Page(NamedTuple):
    """Where a picture of a castle lies, and how large it is."""

    x: float
    y: float
    scale: float

    def across(self, x: float) -> float:
        return self.x + x * self.scale

    def down(self, y: float) -> float:
        return self.y + y * self.scale


@cache
def _house_track() -> Track:
    from castlelab.edition import Edition

    return read_box(Edition.load("once_upon_a_castle"), "apprentice").track


def castle_part(
    castle: Castle, x: float, y: float, width: float, track: Track | None = None
) -> Part:
    """A castle as it is drawn so far; what is missing waits in pencil.

    With a track its residents walk on a path below.
    """
    scale = width / _PAGE
    page = _Page(x, y, scale)
    rows = _track_rows(track) if track is not None else []
    height = (_FOOT + 44 * len(rows) + 6 * bool(rows)) * scale
    shapes = storybook.land(x, y, width, height, page.down(_GROUND))
    if track is not None:
        shapes += _path(castle, track, rows, page)
    shapes += _sky(castle, page)
    for number, (left, breadth, high) in enumerate(_WALLS):
        drawn = number < castle.walls
        foot = page.across(left), page.down(_GROUND)
        shapes += storybook.wall(*foot, breadth * scale, high * scale, drawn)
    for number in range(FLAG_ROOM[MOST]):
        shapes += _flag(castle, number, page)
    for number, (middle, breadth, high) in enumerate(_TOWERS):
        drawn = number < len(castle.towers)
        words = str(castle.towers[number]) if drawn else ""
        size = breadth * scale, high * scale
        at = page.across(middle), page.down(_GROUND)
        shapes += storybook.tower(*at, *size, storybook.BRIGHT[number], words, drawn)
    return Part([*shapes, *_donjon(castle, page)], [], width, height)


def _donjon(castle: Castle, page: _Page) -> list[Shape]:
    """The floors with the guests at their windows, and above four of them the roof."""
    middle, breadth, high = _DONJON
    x, width, height = page.across(middle), breadth * page.scale, high * page.scale
    walls = storybook.donjon(x, page.down(_GROUND), width, castle.floors * height)
    shapes: list[Shape] = [walls] if castle.floors else []
    for number in range(MOST):
        foot = page.down(_GROUND) - number * height
        drawn = number < castle.floors
        shapes += storybook.storey(x, foot, width, height, drawn, door=number == 0)
    top = page.down(_GROUND) - MOST * height
    shapes += storybook.roof(x, top, width, _ROOF * page.scale, castle.floors == MOST)
    for number, guest in enumerate(castle.guests[: 2 * castle.floors]):
        side, floor = divmod(number, castle.floors)
        level = page.down(_GROUND) - (floor + 0.42) * height
        shapes += _at_window(guest, storybook.windows(x, width)[side], level, height)
    return shapes


def _at_window(guest: Guest, x: float, y: float, height: float) -> list[Shape]:
    """A guest at a window; what an Apprentice guest is worth is written on the sill."""
    shapes = storybook.face(x, y, height * 0.36, guest.symbol)
    if guest.symbol or height < 30:
        return shapes
    sill = y + height * 0.38
    return [
        *shapes,
        Rect(x - 7, sill - 6, 14, 12, "paper", "ink", 1, 3),
        Text(x, sill, str(guest.points), 10, "ink", "middle", bold=True),
    ]


def _flag(castle: Castle, number: int, page: _Page) -> list[Shape]:
    """The flag on its wall: two on each of the first two, one on the others."""
    wall = next(n for n in range(MOST) if FLAG_ROOM[n + 1] > number)
    left, breadth, high = _WALLS[wall]
    pole = left + 2 + (number - FLAG_ROOM[wall]) * breadth / 2
    drawn = number < len(castle.flags)
    words = str(castle.flags[number]) if drawn else ""
    foot = page.across(pole), page.down(_GROUND - high)
    return storybook.flag(*foot, _FLAG * page.scale, words, drawn)


def _sky(castle: Castle, page: _Page) -> list[Shape]:
    def lie(place: tuple[float, float, float]) -> tuple[float, float, float]:
        return page.across(place[0]), page.down(place[1]), place[2] * page.scale

    shapes = storybook.sun(*lie(_SUN), str(SUN), castle.sun)
    shapes += storybook.cloud(*lie(_CLOUD), str(CLOUD), castle.cloud)
    if castle.small_clouds > len(_SMALL_CLOUDS):
        x, y, size = lie(_SMALL_CLOUDS[0])
        words = f"{castle.small_clouds}×{SMALL_CLOUD}"
        return [*shapes, *storybook.cloud(x, y, size * 1.9, words, True)]
    for place in _SMALL_CLOUDS[: castle.small_clouds]:
        shapes += storybook.cloud(*lie(place), str(SMALL_CLOUD), True)
    return shapes


# The path: residents side by side, and after each group a sign with its value.
_SIGN = 1.6  # how much room a sign takes, in residents
_LONGEST_ROW = 28.0


class _Group(NamedTuple):
    first: int  # the number of its first resident
    size: int
    value: int

    @property
    def room(self) -> float:
        return self.size + _SIGN


def _track_rows(track: Track) -> list[list[_Group]]:
    """The groups of the track in rows of about the same length."""
    starts = (0, *track.ends)
    groups = [
        _Group(start, end - start, value)
        for start, end, value in zip(starts, track.ends, track.values, strict=False)
    ]
    total = sum(group.room for group in groups)
    room = total / max(2, math.ceil(total / _LONGEST_ROW)) + 0.5
    rows: list[list[_Group]] = [[]]
    for group in groups:
        if rows[-1] and sum(other.room for other in rows[-1]) + group.room > room:
            rows.append([])
        rows[-1].append(group)
    return rows


def _path(castle: Castle, track: Track, rows: Sequence[list[_Group]], page: _Page) -> list[Shape]:
    """The residents on their way, group by group; the last one's group is lit."""
    step = 384 / max(sum(group.room for group in row) for row in rows)
    levels = [_FOOT + 22 + 44 * number for number in range(len(rows))]
    way: list[Point] = [(200, _GROUND + 6), (194, _GROUND + 11), (180, _GROUND + 15)]
    for level in levels:
        way += [(20, level + 1), (16, level + 4), (24, level + 7)]
        way += [(130, level + 6), (260, level + 2), (376, level + 1), (384, level + 4)]
    way = [(page.across(x), page.down(y)) for x, y in way]
    shapes: list[Shape] = [
        Path(tuple(way), None, "story-shade", 22 * page.scale),
        Path(tuple(way), None, "story-path", 20 * page.scale),
    ]
    for level, row in zip(levels, rows, strict=True):
        left = 8.0
        for group in row:
            shapes += _group(castle.residents, group, left, level, step, page)
            left += group.room * step
    return shapes


def _group(
    residents: int, group: _Group, left: float, level: float, step: float, page: _Page
) -> list[Shape]:
    shapes: list[Shape] = []
    height = min(24.0, step * 1.6) * page.scale
    for number in range(group.size):
        drawn = group.first + number < residents
        dress = storybook.BRIGHT[(group.first + number) % len(storybook.BRIGHT)]
        at = page.across(left + (number + 0.5) * step), page.down(level + 8)
        shapes += storybook.resident(*at, height, dress, drawn)
    reached = group.first < residents <= group.first + group.size
    x = page.across(left + (group.size + _SIGN / 2 - 0.1) * step)
    return [*shapes, *_sign(x, page.down(level), page.scale, group.value, reached)]


def _sign(x: float, y: float, scale: float, value: int, reached: bool) -> list[Shape]:
    """A signpost with the value of a group; the one that counts is large and has a star."""
    half = (11 if reached else 9) * scale
    fill, ink = ("good", "on-good") if reached else ("paper", "ink")
    star = [
        (
            x + (6 if n % 2 == 0 else 2.6) * scale * math.sin(math.pi * n / 5),
            y - half - 6 * scale - (6 if n % 2 == 0 else 2.6) * scale * math.cos(math.pi * n / 5),
        )
        for n in range(10)
    ]
    return [
        Path(((x, y), (x, y + 16 * scale)), None, "ink", 2),
        Rect(x - half, y - half, 2 * half, 2 * half, fill, "ink", 2 if reached else 1, 4),
        Text(x, y, str(value), max(10, 12 * scale), ink, "middle", bold=reached),
        *[Path(tuple(star), "hue-yellow", "ink", 1, True)] * reached,
    ]


def _castle_targets(castle: Castle, page: _Page) -> list[Target]:
    """The parts of a castle as they are spoken."""

    def box(key: str, words: str, x: float, y: float, width: float, high: float) -> Target:
        size = width * page.scale, high * page.scale
        return Target(key, words, page.across(x), page.down(y), *size)

    targets = [
        box("sun", f"Sun, worth {SUN}: {_drawn(castle.sun)}", 8, 8, 72, 66),
        box("cloud", f"Cloud, worth {CLOUD}: {_drawn(castle.cloud)}", 306, 8, 84, 60),
    ]
    for number, (middle, breadth, high) in enumerate(_TOWERS):
        drawn = number < len(castle.towers)
        state = f"worth {castle.towers[number]}" if drawn else _drawn(False)
        roofed = high + breadth * 1.15
        place = (middle - breadth / 2, _GROUND - roofed, breadth, roofed)
        targets.append(box(f"tower {number + 1}", f"Tower {number + 1}: {state}", *place))
    for number, (left, breadth, high) in enumerate(_WALLS):
        words = f"Wall {number + 1}: {_drawn(number < castle.walls)}"
        flags = castle.flags[FLAG_ROOM[number] : FLAG_ROOM[number + 1]]
        if flags:
            words += f", flags worth {' and '.join(map(str, flags))}"
        place = (left, _GROUND - high - _FLAG, breadth, high + _FLAG)
        targets.append(box(f"wall {number + 1}", words, *place))
    middle, breadth, high = _DONJON
    guests = ", ".join(guest.words for guest in castle.guests) or "no guests"
    words = f"Donjon: {castle.floors} of {MOST} floors, {guests}"
    place = (middle - breadth / 2, _GROUND - MOST * high - _ROOF, breadth, MOST * high + _ROOF)
    targets.append(box("floors", words, *place))
    return targets


def _drawn(drawn: bool) -> str:
    return "drawn" if drawn else "not drawn yet"


def castle_scene(
    castle: Castle,
    *,
    width: float = 400,
    title: str = "",
    track: Track | None = None,
    counted: bool = True,
) -> Scene:
    """A castle by itself: what is drawn, in colours; what is not, in pencil.

    The residents walk on the house edition's track unless another one is given. Uncounted, it
    does not tell its points: for those who are to count them.
    """
    track = track or _house_track()
    top = 32.0 if title else _PAD
    inner = width - 2 * _PAD
    part = castle_part(castle, _PAD, top, inner, track)
    page = _Page(_PAD, top, inner / _PAGE)
    told = [
        f"{castle.main_parts} of {MAIN_PARTS} parts",
        _counted(castle.residents, "resident"),
        *[_counted(score(castle, track).total, "point")] * counted,
    ]
    caption = " · ".join(told)
    shapes: list[Shape] = [
        *part.shapes,
        Rect(_PAD, top, inner, part.height, None, "line", 1.5),
        Text(width / 2, top + part.height + 14, caption, 14, "ink", "middle", bold=True),
    ]
    if title:
        shapes.append(Text(_PAD, 16, title, 15, "ink", bold=True))
    foot = top + _FOOT * page.scale
    worth = track.value(castle.residents)
    words = f"{_counted(castle.residents, 'resident')}, in a group worth {worth}"
    people = Target("residents", words, _PAD, foot, inner, top + part.height - foot)
    return Scene(
        width,
        top + part.height + 28,
        tuple(shapes),
        (*_castle_targets(castle, page), people),
        title or "A castle",
        f"A castle with {castle.words}. {', '.join(told)}.",
    )


# -- guests and dice -----------------------------------------------------------------------

_CARD_WIDTH, _CARD_HEIGHT = 88.0, 36.0


def guest_part(
    guest: Guest, x: float, y: float, key: str = "", whose: str = "", *, faced: bool = True
) -> Part:
    """A guest card; with a key it can be picked. Without a face there is only a hat on it."""
    below = guest.symbol.capitalize() or f"worth {guest.points}"
    left = x + 25
    name, room = guest.name.capitalize(), _CARD_WIDTH - 27
    shapes: list[Shape] = [
        Rect(x, y, _CARD_WIDTH, _CARD_HEIGHT, "panel", "line", 1, _ROUND),
        *(
            storybook.face(x + 13, y + _CARD_HEIGHT * 0.58, 16, guest.symbol)
            if faced
            else [storybook.hat(x + 13, y + _CARD_HEIGHT * 0.72, 17, guest.symbol)]
        ),
        Text(left, y + 12, name, fitting(name, room, 13), "ink"),
        Text(left, y + 26, below, fitting(below, room, 11), "muted"),
    ]
    words = f"{guest.words}, {whose}" if whose else guest.words
    targets = [Target(key, words, x, y, _CARD_WIDTH, _CARD_HEIGHT)] if key else []
    return Part(shapes, targets, _CARD_WIDTH, _CARD_HEIGHT)


def die_part(face: str, x: float, y: float, size: float, *, used: bool = False) -> Part:
    """A die that shows a face; one that is used is pale."""
    role = "panel" if used else _ROLES[face]
    ink = "muted" if used else f"on-{role}"
    word, room = face_words(face), size - 4
    small = Text(
        x + size / 2, y + size - 10, word, fitting(word, room, 12), ink, "middle", bold=True
    )
    shapes: list[Shape] = [Rect(x, y, size, size, role, "ink", 1, _ROUND)]
    if face == "any":
        shapes.append(Text(x + size / 2, y + size / 2, "?", 30, ink, "middle", bold=True))
    else:
        shapes += [*resource_icon(face, x + size / 2, y + size * 0.38, size * 0.22, ink), small]
    if used:
        corners = ((x + 6, y + size - 6), (x + size - 6, y + 6))
        shapes.append(Path(corners, None, "muted", 2))
    return Part(shapes, [], size, size)


def _dice_part(dice: Sequence[str], left: Sequence[int], x: float, y: float) -> Part:
    """Both dice side by side; those that are not left are crossed out."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    for die, face in enumerate(dice, start=1):
        at = x + (die - 1) * (_DIE + 10)
        used = die not in left
        shapes += die_part(face, at, y, _DIE, used=used).shapes
        words = f"Die {die}: {face_words(face)}{', used' * used}"
        targets.append(Target(f"die {die}", words, at, y, _DIE, _DIE))
    return Part(shapes, targets, 2 * _DIE + 10, _DIE)


def _dice(state: OnceState, x: float, y: float) -> Part:
    """The dice as whoever decides now finds them: those who follow may use either.

    Beside them is what Dagobert has rolled in this turn, smaller, for it is not theirs to use.
    """
    left = {"dice": state.left, "follow": DICE}.get(state.phase, ())
    parts = [_dice_part(state.dice, left, x, y)]
    if state.rolled is not None:
        guest, face = state.rolled
        at, name = x + parts[0].width + 8, guest.capitalize()
        middle = at + _ROLLED / 2, y + _ROLLED + 8
        words = Text(*middle, name, fitting(name, _ROLLED + 6, 11), "ink", "middle")
        target = Target("rolled", state.rolled_words(), at, y, _ROLLED, _ROLLED)
        shapes = [*die_part(face, at, y, _ROLLED).shapes, words]
        parts.append(Part(shapes, [target], _ROLLED, _DIE))
    return _grouped(_joined(parts, sum(part.width + 8 for part in parts), _DIE), "Dice")


_CHIP_WIDTH, _CHIP_HEIGHT = 86.0, 30.0
_CHIP_WORDS = {
    "residents": "Residents: draw residents",
    "flag": "Flag: draw a flag worth 2",
    "cloud": "Cloud: draw a small cloud worth 2",
}


def chips(state: OnceState) -> tuple[str, ...]:
    """What may be pointed at instead of a square, in this moment."""
    moves = state.moves()
    if state.moment == "choose":
        return tuple(face for face in CHOICES if Choose(face) in moves)
    if state.moment not in ("dice", "follow", "face"):
        return ()
    named = {move.what for move in moves if isinstance(move, Use | Take)}
    return ("residents", *(chip for chip in ("flag", "cloud") if chip in named))


def _chips(state: OnceState, x: float, y: float) -> Part:
    """The chips, two in a row."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    found = chips(state)
    for place, chip in enumerate(found):
        down, across = divmod(place, 2)
        left, top = x + across * (_CHIP_WIDTH + 6), y + down * (_CHIP_HEIGHT + 6)
        role, middle = _ROLES[chip], top + _CHIP_HEIGHT / 2
        word = chip.capitalize()
        size = fitting(word, _CHIP_WIDTH - 30, 12)
        shapes += [
            Rect(left, top, _CHIP_WIDTH, _CHIP_HEIGHT, role, "ink", 1, _ROUND),
            *resource_icon(chip, left + 14, middle, 7),
            Text(left + 26, middle, word, size, f"on-{role}", bold=True),
        ]
        words = _CHIP_WORDS.get(chip, word)
        targets.append(Target(chip, words, left, top, _CHIP_WIDTH, _CHIP_HEIGHT))
    rows = math.ceil(len(found) / 2)
    part = Part(shapes, targets, 2 * _CHIP_WIDTH + 6, rows * (_CHIP_HEIGHT + 6))
    return _grouped(part, "Instead of a token")


_BUTTONS = {"end": "End turn", "pass": "Pass", "stop": "Stop"}
_BUTTON_WIDTH, _BUTTON_HEIGHT = 110.0, 36.0


def _button(key: str, words: str, x: float, y: float) -> Part:
    box = (x, y, _BUTTON_WIDTH, _BUTTON_HEIGHT)
    middle = x + _BUTTON_WIDTH / 2, y + _BUTTON_HEIGHT / 2
    shapes: list[Shape] = [
        Rect(*box, "accent", None, 1, 8),
        Text(*middle, words, 15, "on-accent", "middle", bold=True),
    ]
    target = Target(key, words, *box, group="Turn")
    return Part(shapes, [target], _BUTTON_WIDTH, _BUTTON_HEIGHT)


def _buttons(state: OnceState, x: float, y: float) -> list[Part]:
    """End, pass or stop, whichever is legal; there is never more than one of them."""
    if state.ending:
        return []
    return [
        _button(key, words, x, y) for key, words in _BUTTONS.items() if state.check(read_move(key))
    ]


def _spare_tokens(state: OnceState, x: float, y: float) -> Part:
    """The tokens in hand, counted and in a row."""
    spare = state.boards[state.seat].spare
    role = f"seat-{state.seat}"
    return Part(
        [
            Text(x, y + 7, f"{_counted(spare, 'token')} left to place", 12, "ink"),
            *(Circle(x + 8 + n * 17, y + 26, 7, role, "ink", 1) for n in range(spare)),
        ],
        [],
        176.0,
        38.0,
    )


# -- the whole table -----------------------------------------------------------------------

_WIDTH = 560.0
_TOP = 54.0
_TABLE_CELL = 52.0
_DIE = 58.0
_ROLLED = 44.0  # a die that a guest has rolled


def table_scene(state: OnceState) -> Scene:
    """The table: the board of whoever decides, the dice, the guests and every castle.

    Targets: squares (``b2``) and lines (``row 1``) of that board, ``die 1``, ``die 2``, chips
    for what a face may bring (``residents``, ``flag``, ``wood``, …), ``guest king``,
    ``castle 1``, and as buttons ``end``, ``pass`` and ``stop`` where they are legal.
    """
    field = _own_board(state, _TOP, _TABLE_CELL)
    beside = _beside(state, field.width + 3 * _PAD, _TOP)
    y = _TOP + max(field.height, beside.height) + 12
    parts = [_heading(state), field, beside, _castles(state, y)]
    # A board of somebody's own may be wider than ours.
    width = max(_WIDTH, field.width + 4 * _PAD + beside.width)
    whole = _joined(parts, width, y + parts[-1].height)
    return Scene(
        whole.width,
        whole.height,
        tuple(whole.shapes),
        tuple(whole.targets),
        state.game.title,
        state.describe(),
    )


def _own_board(state: OnceState, y: float, cell: float = _CELL) -> Part:
    """The board of whoever decides."""
    part = board_part(state.boards[state.seat], _PAD, y, cell, state.seat)
    return _grouped(part, f"{SEAT_NAMES[state.seat]}'s board")


def _heading(state: OnceState) -> Part:
    """Whose turn it is, what is to do, and the buttons."""
    seat = state.to_move
    if seat is None:
        names = listed([SEAT_NAMES[winner] for winner in state.winners])
        first, second = f"The game is over. {names} won.", f"After {state.round} rounds."
    else:
        first = f"Round {state.round}: {SEAT_NAMES[state.active]}'s turn"
        second = f"{SEAT_NAMES[seat]}: {state.todo()}."
    words = Part(
        [Text(10, 17, first, 17, "ink", bold=True), Text(10, 39, second, 13, "muted")], [], 0, 0
    )
    buttons = _buttons(state, _WIDTH - _BUTTON_WIDTH - _PAD, _PAD)
    return _joined([words, *buttons], _WIDTH, _TOP)


def _beside(state: OnceState, x: float, y: float) -> Part:
    """The dice, the chips for what they may bring, the tokens in hand, the guests on show."""
    parts = [_dice(state, x, y)]
    top = y + _DIE + 12
    pieces = [_chips, _spare_tokens, *[_on_show] * state.game.architect]
    for piece in pieces:
        parts.append(piece(state, x, top))
        top += parts[-1].height + 6
    return _joined(parts, 178.0, top - y)


def _on_show(state: OnceState, x: float, y: float) -> Part:
    """The guests to choose from, and how many are still to come."""
    return _cards(state.shown, f"Guests: {len(state.pile)} to come", "on show", x, y, 2)


def _at_home(state: OnceState, x: float, y: float) -> Part:
    """The guests in the castle of whoever decides."""
    guests = state.castles[state.seat].guests
    words = "Guests in your castle" if guests else "No guests in your castle yet"
    return _cards(guests, words, "in your castle", x, y, 3)


def _cards(
    guests: Sequence[Guest], title: str, whose: str, x: float, y: float, columns: int
) -> Part:
    """Guest cards in rows under a few words."""
    cards = _guest_cards(guests, whose, x, y + 18, columns, 6)
    words = Text(x, y + 6, title, 12, "ink")
    part = Part([words, *cards.shapes], cards.targets, cards.width, 18 + cards.height)
    return _grouped(part, f"Guests {whose}")


def _guest_cards(
    guests: Sequence[Guest],
    whose: str,
    x: float,
    y: float,
    columns: int,
    gap: float,
    *,
    faced: bool = True,
) -> Part:
    """Guest cards in rows; what is on them comes after all cards, so that it is drawn at once."""
    cards = []
    for place, guest in enumerate(guests):
        down, across = divmod(place, columns)
        left, top = x + across * (_CARD_WIDTH + gap), y + down * (_CARD_HEIGHT + gap)
        cards.append(guest_part(guest, left, top, f"guest {guest.name}", whose, faced=faced))
    faces = [shape for card in cards for shape in card.shapes[1:]]
    return Part(
        [*(card.shapes[0] for card in cards), *faces],
        [target for card in cards for target in card.targets],
        columns * (_CARD_WIDTH + gap),
        math.ceil(len(guests) / columns) * (_CARD_HEIGHT + gap),
    )


def _castles(state: OnceState, y: float) -> Part:
    """Every castle with its guests, two in a row."""
    players = state.game.players
    room = (_WIDTH - 3 * _PAD) / 2
    parts = []
    top = y
    for row in range(0, players, 2):
        seats = range(row, min(row + 2, players))
        for place, seat in enumerate(seats):
            parts.append(_named_castle(state, seat, _PAD + place * (room + _PAD), top, room))
        top += max(part.height for part in parts[-len(seats) :]) + 10
    return _joined(parts, _WIDTH, top - y)


def _named_castle(state: OnceState, seat: int, x: float, y: float, room: float) -> Part:
    """A castle under its name and its points; of three or four each is a little smaller."""
    castle, points = state.castles[seat], state.score(seat).total
    name = SEAT_NAMES[seat]
    width = room if state.game.players == 2 else room * 0.8
    drawn = castle_part(castle, x, y + 20, width)
    mine = seat == state.to_move
    box = (x, y + 20, width, drawn.height)
    shapes: list[Shape] = [
        Text(x + 2, y + 9, f"{seat + 1} · {name}", 14, "ink", bold=True),
        Text(x + width - 2, y + 9, _counted(points, "point"), 14, "ink", "end", bold=True),
        *drawn.shapes,
        Rect(*box, None, f"seat-{seat}", 4 if mine else 1.5),
    ]
    small = _small_board(state, seat, x + width, y + 26 + drawn.height)
    room = width - small.width - 10
    shapes += [*small.shapes, *_castle_footer(state, seat, x + 2, y + 30 + drawn.height, room)]
    words = f"{name}'s castle: {castle.words}, {_counted(points, 'point')}"
    targets = [
        Target(f"castle {seat + 1}", words, *box),
        *small.targets,
    ]
    foot = 30 + drawn.height + max(small.height, 10)
    if state.game.architect:
        # Their faces are at the windows.
        place, whose = (x, y + foot + 2), f"in {name}'s castle"
        cards = _guest_cards(castle.guests, whose, *place, 3, 2, faced=False)
        shapes += cards.shapes
        targets += cards.targets
        foot += cards.height + 2
    return _grouped(Part(shapes, targets, width, foot), f"{name}'s castle")


_SMALL_CELL = 11.0


def _small_board(state: OnceState, seat: int, right: float, y: float) -> Part:
    """A board at a glance, its right edge given: which squares have a token.

    The board of whoever decides is large already.
    """
    if seat == state.seat:
        return Part([], [], 0, 0)
    board = state.boards[seat]
    width, height = (
        (max(getattr(square, way) for square in board.squares) + 1) * _SMALL_CELL
        for way in ("across", "down")
    )
    x = right - width
    size = _SMALL_CELL - 1
    corner = {
        square: (x + square.across * _SMALL_CELL, y + square.down * _SMALL_CELL)
        for square in sorted(board.squares, key=lambda square: square.resource)
    }
    # Alike one after the other, so that they are drawn at once.
    shapes: list[Shape] = [
        Rect(*at, size, size, _ROLES[square.resource]) for square, at in corner.items()
    ]
    shapes += [
        Circle(left + size / 2, top + size / 2, 4, f"seat-{seat}", "paper", 1)
        for square, (left, top) in corner.items()
        if board.filled & square.bit
    ]
    words = f"Tokens: {state.token_words(seat)}"
    target = Target(f"board {seat + 1}", words, x, y, width, height)
    return Part(shapes, [target], width, height)


def _castle_footer(state: OnceState, seat: int, x: float, y: float, room: float) -> list[Shape]:
    """The residents and what they are worth, and the values of Apprentice guests."""
    castle = state.castles[seat]
    worth = state.game.box.track.value(castle.residents)
    words = f"{_counted(castle.residents, 'resident')} worth {worth}"
    if castle.guests and not state.game.architect:
        words += f", guests {', '.join(str(guest.points) for guest in castle.guests)}"
    return [Text(x, y, words, fitting(words, room, 13), "ink")]


# -- one sheet -----------------------------------------------------------------------------


def sheet_scene(state: OnceState, *, rolled: bool = True) -> Scene:
    """The board and the dice of somebody alone; before the roll there is a button for it.

    Targets are those of the table, without the castles, and ``roll``.
    """
    top = _PAD + _DIE + 50
    field = _own_board(state, top)
    side = _PAD + 2 * _DIE + 26
    if rolled:
        parts = [_dice(state, _PAD, _PAD), _chips(state, side, _PAD)]
        under = parts[-1].height
        parts += _buttons(state, side, _PAD + under)
    else:
        parts = [_unrolled(_PAD, _PAD), _button("roll", "Roll the dice", side, _PAD + 11)]
    parts += [_spare_tokens(state, _PAD, _PAD + _DIE + 8), field]
    height = top + field.height
    if state.game.architect:
        for guests in (_on_show, _at_home):
            parts.append(guests(state, _PAD, height + 8))
            height += 8 + parts[-1].height
    width = max(field.width + 2 * _PAD, 374.0)
    whole = _joined(parts, width, height + _PAD)
    words = board_words(state.boards[state.seat])
    if rolled and not state.ending:
        words = f"Dice: {' and '.join(map(face_words, state.dice))}. {words}"
    return Scene(width, whole.height, tuple(whole.shapes), tuple(whole.targets), "Sheet", words)


def bench_scene(
    board: Board,
    dice: tuple[str, str],
    *,
    left: Sequence[int] = DICE,
    guests: Iterable[Guest] = (),
    title: str = "Token board",
) -> Scene:
    """A board to place tokens on, the dice that place them, and the guests who help.

    Only squares and lines are targets.
    """
    top = _PAD + _DIE + 12
    field = board_part(board, _PAD, top)
    thrown = _dice_part(dice, left, _PAD, _PAD)
    parts = [thrown._replace(targets=[]), field]
    helpers = tuple(guests)
    for place, guest in enumerate(helpers):
        down, across = divmod(place, 2)
        at = 2 * _PAD + thrown.width + across * (_CARD_WIDTH + 6), _PAD + down * (_CARD_HEIGHT + 6)
        parts.append(guest_part(guest, *at))
    width = max(field.width + 2 * _PAD, 3 * _PAD + thrown.width + 2 * _CARD_WIDTH + 6)
    whole = _joined(parts, width, top + field.height + _PAD)
    here = f" In your castle: {', '.join(guest.words for guest in helpers)}." * bool(helpers)
    words = f"Dice: {' and '.join(map(face_words, dice))}.{here} {board_words(board)}"
    return Scene(width, whole.height, tuple(whole.shapes), tuple(whole.targets), title, words)


def _unrolled(x: float, y: float) -> Part:
    """Two dice that wait for a hand."""
    shapes: list[Shape] = []
    for left in (x, x + _DIE + 10):
        shapes += [
            Rect(left, y, _DIE, _DIE, "panel", "line", 1.5, 10, dash=True),
            Text(left + _DIE / 2, y + _DIE / 2, "…", 24, "muted", "middle"),
        ]
    return Part(shapes, [], 2 * _DIE + 10, _DIE)


# -- the cover -----------------------------------------------------------------------------


def cover_scene() -> Scene:
    """A finished castle under sun and cloud, and the two dice that drew it."""
    width, height = 360.0, 380.0
    castle = Castle(4, (5, 2, 5, 5), MOST, (1, 2, 2, 1, 2, 1), 20, (), True, True)
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "story-hill"),
        Rect(0, 0, width, 60, "story-sky"),
        *castle_part(castle, 0, 40, width).shapes,
        *die_part("food", 92, 286, 66).shapes,
        *die_part("any", 202, 286, 66).shapes,
    ]
    words = "A castle with four towers, four walls and six flags, and two dice."
    return Scene(width, height, tuple(shapes), (), "Once Upon a Castle", words)
