"""A castle on a turntable in pictures: its eight places, small castles, the eight moves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from castlelab.draw.layout import Frame, Part, caption, in_rows, joined, rows, shifted
from castlelab.draw.scene import Circle, Path, Piece, Rect, Shape, Target, Text, as_piece
from castlelab.games.castle_keep.castle import RING, ROWS
from castlelab.games.castle_keep.count import Symmetry
from castlelab.games.castle_keep.tile_picture import BUILDINGS, Ground, kind_for

#: A letter for each colour, and the shape that goes with it: colour alone tells nobody apart.
PAINTS: Mapping[str, tuple[str, str]] = {
    "r": ("red", "curvy"),
    "b": ("blue", "zigzag"),
    "y": ("yellow", "straight"),
}
MOVE_WORDS = {
    "stay": "stay",
    "quarter turn": "¼ turn",
    "half turn": "½ turn",
    "three-quarter turn": "¾ turn",
}
_DEGREES = {"quarter turn": 90, "half turn": 180, "three-quarter turn": 270}
_AXES = {"nw-se": (-1, -1), "n-s": (0, -1), "ne-sw": (1, -1), "e-w": (1, 0)}
_GAP, _PAD = 4.0, 8.0
_WORDS_FROM = 50.0  # how high a button is that has room for words below its sign

PlacesOfPieces = Mapping[str, Piece]


def building(
    x: float, y: float, size: float, kind: str, paint: str, words: str = ""
) -> list[Shape]:
    """A tower or a wall in a colour, its words below; without a colour it is of plain stone."""
    colour, shape = PAINTS.get(paint, ("", "straight"))
    role = f"hue-{colour}" if colour else "hidden"
    label = max(16.0, size * 0.2)
    box = Ground(x, y, size, size - label)
    low = y + size - label
    middle = x + size / 2, low + label / 2
    return [
        Rect(x, y, size, size, "paper", "line", 1, 5),
        *BUILDINGS[kind](box, shape, role, "ink", f"on-{role}"),
        Rect(x, low, size, label, role, "ink", 1, 4),
        Text(*middle, words, 12 if len(words) > 1 else 15, f"on-{role}", "middle", bold=True),
    ]


def turntable_part(
    size: float,
    paints: Mapping[str, str],
    labels: Mapping[str, str],
    pieces: PlacesOfPieces,
    names: Mapping[str, str],
    move: Symmetry | None,
) -> Part:
    """The ring of a castle round the move that it has made; places with names are targets."""
    step, side = size + _GAP, 3 * size + 2 * _GAP + 2 * _PAD
    shapes: list[Shape] = [Rect(0.5, 0.5, side - 1, side - 1, "panel", "line", 1.2, 14)]
    targets = []
    spots = [spot for row in ROWS for spot in row]
    for spot, x, y in in_rows(spots, 3, _PAD, _PAD, step, step):
        if spot == "c":
            shapes.append(Rect(x, y, size, size, "sunk", None, 1, 8))
            if move is not None:
                shapes += move_icon(move, x + size / 2, y + size / 2, size * 0.36, "chosen", 3)
            continue
        paint = paints.get(spot, "")
        drawn = building(x, y, size, kind_for(spot), paint, labels.get(spot, ""))
        if not paints:
            drawn = [Rect(x, y, size, size, None, "line", 1.2, 5, dash=True)]
        shapes += as_piece(drawn, pieces[spot]) if spot in pieces else drawn
        if spot in names:
            targets.append(Target(spot, names[spot], x, y, size, size, group="The castle"))
    in_order = sorted(targets, key=lambda target: RING.index(target.id))
    return Part.of(shapes, in_order, side, side)


def move_icon(
    move: Symmetry, x: float, y: float, radius: float, role: str, line: float
) -> Iterator[Shape]:
    """What a move does: an arrow round a point, or the axis of a mirror."""
    if move.mirrors:
        across, down = (radius * way for way in _AXES[move.name.removeprefix("mirror ")])
        ends = (x + across, y + down), (x - across, y - down)
        yield Path(ends, None, role, line, dash=True)
    elif move.name == "stay":
        yield Circle(x, y, line * 1.6, role)
    else:
        degrees, radius = _DEGREES[move.name], radius * 0.72
        turns = (math.radians(degrees * part / 16 - 90) for part in range(17))
        arc = tuple((x + radius * math.cos(at), y + radius * math.sin(at)) for at in turns)
        yield Path(arc, None, role, line)
        yield Path(_tip(arc[-1], math.radians(degrees), line * 3.4), role, None, 1, closed=True)


def _tip(end: tuple[float, float], heading: float, long: float) -> tuple[tuple[float, float], ...]:
    """The tip of an arrow that goes on clockwise; 0 is to the right."""
    turns = (heading, heading + 2.3, heading - 2.3)
    return tuple((end[0] + long * math.cos(at), end[1] + long * math.sin(at)) for at in turns)


def moves_part(
    moves: Sequence[Symmetry],
    columns: int,
    size: tuple[float, float],
    lit: Sequence[str],
    notes: Mapping[str, str],
) -> Part:
    """Buttons for the moves; a note says what is known of one."""
    width, height = size
    shapes: list[Shape] = []
    targets = []
    for move, x, y in in_rows(moves, columns, 0, 0, width + 8, height + 8):
        is_lit, note = move.name in lit, notes.get(move.name, "")
        fill, edge = ("accent-soft", "chosen") if is_lit else ("card", "accent")
        shapes.append(
            Rect(x + 1, y + 1, width - 2, height - 2, fill, edge, 3 if is_lit else 1.6, 9)
        )
        shapes += _face(move, (x, y, width, height), note, "chosen" if is_lit else "ink")
        name = f"{move.name.capitalize()}{f': {note}' if note else ''}"
        targets.append(Target(move.name, name, x, y, width, height, group="The eight moves"))
    whole = columns * (width + 8) - 8, rows(len(moves), columns) * (height + 8) - 8
    return Part.of(shapes, targets, *whole)


def _face(move: Symmetry, frame: Frame, note: str, role: str) -> Iterator[Shape]:
    """The sign of a move with its words below, and its note beside it."""
    x, y, width, height = frame
    is_low = height < _WORDS_FROM
    side = height - 14 if is_low else min(height - 26, width * 0.4)
    left = x + width / 2 - side / 2 - (width * 0.2 if note else 0)
    top = y + (7 if is_low else max(6, (height - 20 - side) / 2))
    yield Rect(left, top, side, side, "panel", "ink", 1.2, 4)
    middle = left + side / 2, top + side / 2
    yield from move_icon(move, *middle, side * (0.6 if move.mirrors else 0.42), role, 2)
    if note:
        yield Text(x + width * 0.76, top + side / 2, note, 15, "good", "middle", bold=True)
    if not is_low:
        words = MOVE_WORDS.get(move.name, "mirror")
        yield Text(x + width / 2, y + height - 10, words, 13, "ink", "middle", bold=True)


def table_and_moves(table: Part, moves: Part, heading: str) -> Part:
    """A table with the moves beside it, each under its heading."""
    gap = 8 if table.width + moves.width < 370 else 18
    x = table.width + gap
    words = [caption(4, 11, heading, 15), caption(x + 4, 11, "Eight moves", 15)]
    height = max(table.height, moves.height) + 26
    parts = (Part.of(words), shifted(moves, x, 26), shifted(table, 0, 26))
    return joined(parts, x + moves.width, height)


def inset(part: Part, *, is_narrow: bool) -> Part:
    """The same part a little off the edges of its picture."""
    by = 1.0 if is_narrow else 6.0
    within = shifted(part, by, by)
    return replace(within, width=within.width + by, height=within.height + by)


def small_castle(
    x: float, y: float, side: float, look: str, edge: tuple[str, float] = ("line", 1.0)
) -> list[Shape]:
    """A castle of four towers from afar, its colours clockwise from the north-west."""
    ground = {"good": "good-soft", "chosen": "accent-soft"}.get(edge[0], "panel")
    shapes: list[Shape] = [Rect(x, y, side, side, ground, *edge, side * 0.13)]
    pad = side * 0.07
    size = (side - 2 * pad) / 2
    for paint, (right, low) in zip(look, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        colour, shape = PAINTS[paint]
        box = Ground(x + pad + right * size, y + pad + low * size, size, size * 0.98)
        role = f"hue-{colour}"
        shapes.append(BUILDINGS["tower"](box, shape, role, "ink", f"on-{role}")[0])
    return shapes


def look_words(look: str) -> str:
    """The colours of a castle as they are spoken."""
    return ", ".join(PAINTS[paint][0] for paint in look)
