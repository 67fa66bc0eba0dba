"""The token boards of Once Upon a Castle in pictures: squares, lines and what they give."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from castlelab.draw import layout
from castlelab.draw.layout import Part, caption
from castlelab.draw.scene import (
    NARROW,
    Circle,
    Path,
    Piece,
    Point,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    marked,
)
from castlelab.game import SEAT_NAMES
from castlelab.games.once_upon_a_castle.board import Board, Gift, Line, Square
from castlelab.rules import listed

#: The colour of each resource, and of what else a die may bring.
ROLES = {
    "wood": "hue-brown",
    "stone": "hidden",
    "gold": "hue-yellow",
    "food": "hue-olive",
    "residents": "hue-teal",
    "any": "accent",
    "cloud": "seat-0",
    "flag": "hue-red",
}
PAD = 8.0
ROUND = 7.0  # the corners of squares, dice, chips and cards: alike, so that all share commands
LEAST = 12.0  # letters smaller than this cannot be read
PAGE = (560.0, 520.0)  # what the column of a lesson has room for
LEAST_THERE = 13.4  # for it may be shown 504 pixels wide
_LARGEST = 84.0  # a square
_GAP = 4.0
_MARGIN = 14.0  # how much wider than a square a gift is where there is room


def letter_size(words: str, room: float, size: float, least: float = LEAST) -> float:
    """The size of letters that keeps words within their room, as far as they can be read.

    There are few sizes, since each is a command more.

    >>> letter_size("Wall", 60, 18), letter_size("Dagobert", 40, 18)
    (18.0, 12.0)
    """
    return max(least, layout.fitting(words, room, size, letter=0.62, step=1.5))


def board_name(seat: int) -> str:
    """Whose board it is: the group that its squares are told in."""
    return f"{SEAT_NAMES[seat]}'s board"


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


def cell_within(board: Board, width: float, height: float = math.inf) -> float:
    """How large the squares of a board are that fills a room, with the gifts of its lines."""
    places = [*_gift_places(board), *((square.across, square.down) for square in board.squares)]
    across, down = (max(place[way] for place in places) + 1 for way in (0, 1))
    return min(
        _LARGEST,
        (width - _MARGIN + _GAP) // across - _GAP,
        (height + _GAP) // down - _GAP if height < math.inf else math.inf,
    )


def cell_width(board: Board, cell: float) -> float:
    """How wide a board is whose squares have that size."""
    places = [*_gift_places(board), *((square.across, square.down) for square in board.squares)]
    return (max(across for across, _ in places) + 1) * (cell + _GAP) - _GAP + _MARGIN


def board_part(
    board: Board, x: float, y: float, cell: float, seat: int = 0, least: float = LEAST
) -> Part:
    """The squares of a board, and beside each line what it gives; full lines stand out.

    No letter is smaller than the ``least``.
    """
    shapes: list[Shape] = []
    targets: list[Target] = []
    step = cell + _GAP
    places = _gift_places(board)
    for square in board.squares:
        left, top = x + square.across * step, y + square.down * step
        shapes += _square(board, square, left, top, cell, seat, least)
        words, place = square_words(board, square), (square.down, square.across)
        targets.append(Target(square.name, words, left, top, cell, cell, cell=place))
    cells = {*places, *((square.across, square.down) for square in board.squares)}
    right = 0.0
    for line, (across, down) in zip(board.lines, places, strict=True):
        left, top = x + across * step, y + down * step
        width = cell if (across + 1, down) in cells else cell + _MARGIN
        right = max(right, left + width - x)
        is_full = not line.bits & ~board.filled
        shapes += _gift(line, left, top, width, cell, least, full=is_full)
        words = line_words(board, line)
        targets.append(Target(line.name, words, left, top, width, cell, cell=(down, across)))
    shapes += _lighted(board.full_lines(), x, y, step)
    for _, _, square in crossings(board):
        side = x + square.across * step + cell
        shapes += _either_or(side, y + square.down * step + cell * 0.5, cell, least)
    width = (max(square.across for square in board.squares) + 1) * step - _GAP
    height = (max(down for _, down in cells) + 1) * step - _GAP
    return Part.of(shapes, targets, max(width, right), height)


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
    board: Board, square: Square, x: float, y: float, size: float, seat: int, least: float
) -> list[Shape]:
    role = ROLES[square.resource]
    middle, centre = x + size / 2, y + size * 0.44
    word, letters = square.resource.capitalize(), _letters(size, least)
    shapes: list[Shape] = [
        Rect(x, y, size, size, role, "ink", 1, ROUND),
        Text(middle, y + size - 3 - letters / 2, word, letters, f"on-{role}", "middle"),
        # At the right: the badge of an offer is at the left.
        Text(x + size - 4, y + 9, square.name, least, f"on-{role}", "end"),
    ]
    if board.filled & square.bit:
        own = f"seat-{seat}"
        token = Piece(own, f"{own} {square.name}", board=board_name(seat))
        return [*shapes, Circle(middle, centre, size * 0.24, own, "paper", 2.5, token)]
    return [*shapes, *resource_icon(square.resource, middle, centre, size * 0.23)]


def _letters(cell: float, least: float) -> float:
    """The size of letters on a square or beside it."""
    return max(least, cell * 0.19 // 1)


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


def _either_or(x: float, y: float, cell: float, least: float) -> list[Shape]:
    """The badge of a square that two full lines share, within the middle of its right side."""
    radius = max(10.0, cell * 0.17)
    x -= radius + 4  # beside it a line may be offered, whose frame would cover the letters
    return [
        Circle(x, y, radius, "warn", "paper", 2),
        Text(x, y, "or", max(least, radius * 1.15), "on-warn", "middle", bold=True),
    ]


def resource_icon(face: str, x: float, y: float, size: float, ink: str = "") -> list[Shape]:
    """A little sign for a face of the dice, so that its colour never speaks alone."""
    ink = ink or f"on-{ROLES[face]}"
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
    line: Line, x: float, y: float, width: float, height: float, least: float, *, full: bool
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
        Rect(x, y, width, height, fill, edge, 1, ROUND),
        Path(tip, None, "ink", 2),
    ]
    labels, size = gift_labels(line.gift), _letters(height, least)
    if len(labels) == 1:
        ((kind, words),) = labels
        return [
            *shapes,
            *gift_icon(kind, middle, y + height * 0.36, height * 0.2, ink),
            Text(
                *(middle, y + height - 4 - size / 2, words),
                *(letter_size(words, width - 6, size, least), ink, "middle"),
            ),
        ]
    pitch = (height - 6) / len(labels)
    sign = max(5.5, height * 0.1)
    room = width - 2.6 * sign - 8
    size = min(letter_size(words, room, size, least) for _, words in labels)
    for place, (kind, words) in enumerate(labels):
        level = y + 3 + pitch * (place + 0.5)
        if len(words) * size * 0.53 <= room:
            shapes += gift_icon(kind, x + 4 + sign, level, sign, ink)
            shapes.append(Text(x + 6 + 2.4 * sign, level, words, size, ink))
        else:  # the words alone, rather than some that cannot be read
            shapes.append(Text(middle, level, words, size, ink, "middle"))
    return shapes


def board_scene(
    board: Board,
    *,
    seat: int = 0,
    lit: Iterable[str] = (),
    offered: Iterable[str] = (),
    title: str = "",
) -> Scene:
    """A board by itself, with a target for each square and each line."""
    alarms, offers = tuple(lit), tuple(offered)

    def drawn(width: float, height: float) -> Scene:
        top = 32.0 if title else PAD
        cell = cell_within(board, width - 2 * PAD, height - top - PAD)
        least = LEAST if width <= NARROW else LEAST_THERE
        field = board_part(board, PAD, top, cell, seat, least)
        shapes = [*field.shapes, *[caption(PAD, 16, title, 15)] * bool(title)]
        whole = Part.of(shapes, field.targets, field.width + 2 * PAD, field.height + top + PAD)
        scene = whole.scene(title or "A token board", board_words(board))
        return marked(scene, lit=alarms, offered=offers)

    return replace(drawn(*PAGE), narrow=partial(drawn, NARROW, math.inf))
