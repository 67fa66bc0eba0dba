"""The tiles of Castle Keep in pictures: one by one, empty spots, and in rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from castlelab.draw.layout import Part, in_rows, rows
from castlelab.draw.scene import (
    Circle,
    Path,
    Piece,
    Point,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    as_piece,
)
from castlelab.games.castle_keep.castle import BACK, Tile

_APART = 6.0  # between tiles in a row


def tile_shapes(
    x: float, y: float, size: float, tile: Tile, letters: float = 12
) -> tuple[Shape, ...]:
    """A tile as a little picture: its building in its colour, its letters below.

    The battlements and the band under them have the tile's shape. ``letters`` is the least
    size of the letters.
    """
    if tile is BACK:
        return back_shapes(x, y, size, letters)
    label = _label_height(size, letters)
    box = Ground(x, y, size, size - label)
    role = f"hue-{tile.colour}"
    mark = f"on-{role}"
    letters = max(letters, label * 0.72)
    return (
        Rect(x, y, size, size, "paper", "line", 1, 5),
        *BUILDINGS[tile.kind](box, tile.shape, role, "ink", mark),
        Rect(x, y + size - label, size, label, role, "ink", 1, 4),
        Text(x + size / 2, y + size - label / 2, tile.text, letters, mark, "middle", bold=True),
    )


class Ground(NamedTuple):
    """Where a building stands, and how far a part of its width or height reaches."""

    x: float
    y: float
    width: float
    height: float

    def at(self, across: float, down: float) -> Point:
        return self.x + across * self.width, self.y + down * self.height


def _label_height(size: float, letters: float = 12) -> float:
    return max(letters + 2, min(22.0, size * 0.27))


def back_shapes(x: float, y: float, size: float, letters: float = 12) -> tuple[Shape, ...]:
    middle, inner, mark = size / 2, size * 0.3, max(letters, size * 0.3)
    diamond = (
        (x + middle, y + middle - inner),
        (x + middle + inner, y + middle),
        (x + middle, y + middle + inner),
        (x + middle - inner, y + middle),
    )
    return (
        Rect(x, y, size, size, "hidden", "ink", 1, 5),
        Path(diamond, None, "on-hidden", 1.5, closed=True),
        Text(x + middle, y + middle, "?", mark, "on-hidden", "middle", bold=True),
    )


def _battlements(
    box: Ground, left: float, right: float, top: float, low: float, shape: str
) -> list[Point]:
    """The upper edge of a building from left to right: waves, saw teeth or square merlons."""
    if shape == "curvy":
        steps = [(step / 15, math.sin(math.pi * (step % 5) / 5)) for step in range(16)]
    elif shape == "zigzag":
        steps = [(step / 6, float(step % 2)) for step in range(7)]
    else:
        steps = [((step + side) / 5, float(step % 2 == 0)) for step in range(5) for side in (0, 1)]
    return [box.at(left + (right - left) * far, low + (top - low) * high) for far, high in steps]


def _band(box: Ground, left: float, right: float, down: float, shape: str, role: str) -> Path:
    """A line across a building in the shape of the tile."""
    swing = {"curvy": 0.045, "zigzag": 0.06}.get(shape, 0.0)
    count = 18 if shape == "curvy" else 6
    points = []
    for step in range(count + 1):
        part = step / count
        high = math.sin(part * 6 * math.pi) if shape == "curvy" else (-1.0) ** step
        points.append(box.at(left + (right - left) * part, down + swing * high))
    if shape == "straight":
        points = [points[0], points[-1]]
    return Path(tuple(points), None, role, max(1.5, box.width / 40))


def _tower(box: Ground, shape: str, fill: str, edge: str, mark: str) -> list[Shape]:
    """A slender tower whose head is broader than its shaft."""
    outline = [
        box.at(0.3, 1.0),
        box.at(0.3, 0.55),
        box.at(0.2, 0.47),
        *_battlements(box, 0.2, 0.8, 0.08, 0.24, shape),
        box.at(0.8, 0.47),
        box.at(0.7, 0.55),
        box.at(0.7, 1.0),
    ]
    slit_x, slit_y = box.at(0.46, 0.64)
    return [
        Path(tuple(outline), fill, edge, 1.2, closed=True),
        _band(box, 0.25, 0.75, 0.37, shape, mark),
        Rect(slit_x, slit_y, box.width * 0.08, box.height * 0.2, mark),
    ]


def _wall(box: Ground, shape: str, fill: str, edge: str, mark: str) -> list[Shape]:
    """A broad, low wall from edge to edge."""
    outline = [
        box.at(0.03, 1.0),
        *_battlements(box, 0.03, 0.97, 0.26, 0.46, shape),
        box.at(0.97, 1.0),
    ]
    stones = [
        Path((box.at(across, top), box.at(across, top + 0.14)), None, mark, 1)
        for across, top in ((0.22, 0.84), (0.5, 0.84), (0.78, 0.84))
    ]
    course = Path((box.at(0.06, 0.82), box.at(0.94, 0.82)), None, mark, 1)
    return [
        Path(tuple(outline), fill, edge, 1.2, closed=True),
        _band(box, 0.07, 0.93, 0.64, shape, mark),
        course,
        *stones,
    ]


def _keep(box: Ground, _: str, fill: str, edge: str, mark: str) -> list[Shape]:
    """A great hall under a gable, with a flag on it."""
    hall = (
        *(box.at(0.12, 1.0), box.at(0.12, 0.56), box.at(0.04, 0.56), box.at(0.5, 0.24)),
        *(box.at(0.96, 0.56), box.at(0.88, 0.56), box.at(0.88, 1.0)),
    )
    pole = (box.at(0.5, 0.24), box.at(0.5, 0.03))
    flag = (box.at(0.5, 0.03), box.at(0.72, 0.09), box.at(0.5, 0.16))
    door = (
        *(box.at(0.4, 1.0), box.at(0.4, 0.78), box.at(0.45, 0.7), box.at(0.55, 0.7)),
        *(box.at(0.6, 0.78), box.at(0.6, 1.0)),
    )
    window_width, window_height = box.width * 0.09, box.height * 0.16
    return [
        Path(pole, None, edge, 1.2),
        Path(flag, fill, edge, 1, closed=True),
        Path(hall, fill, edge, 1.2, closed=True),
        Path(door, mark, None, 1, closed=True),
        Rect(*box.at(0.22, 0.64), window_width, window_height, mark),
        Rect(*box.at(0.69, 0.64), window_width, window_height, mark),
    ]


# The box that a building fills of its ground: left, top and right.
_OUTER = {"tower": (0.2, 0.08, 0.8), "wall": (0.03, 0.26, 0.97), "keep": (0.04, 0.03, 0.96)}


def building_scene(tile: Tile, height: float) -> Scene:
    """The building of a tile by itself, so high and as wide as it must be."""
    left, top, right = _OUTER[tile.kind]
    # A wall is so low that it would be twice as wide as the others.
    side = (height - 2) / (1 - max(top, 0.1))
    box = Ground(1 - left * side, height - 1 - side, side, side)
    role = f"hue-{tile.colour}"
    shapes = BUILDINGS[tile.kind](box, tile.shape, role, "ink", f"on-{role}")
    width = (right - left) * side + 2
    return Scene(width, height, tuple(shapes), (), tile.words)


BUILDINGS = {"tower": _tower, "wall": _wall, "keep": _keep}
# What an empty spot looks like, its left half: plain, for battlements would promise a shape.
_OUTLINES: dict[str, tuple[Point, ...]] = {
    "tower": ((0.3, 0.95), (0.3, 0.5), (0.2, 0.42), (0.2, 0.1)),
    "wall": ((0.06, 0.95), (0.06, 0.36)),
    "keep": ((0.14, 0.95), (0.14, 0.5), (0.06, 0.5), (0.5, 0.1)),
}


def kind_for(spot: str) -> str:
    """What goes on a spot: a tower on a corner, a wall on a side, the keep in the centre."""
    if spot == "c":
        return "keep"
    return "tower" if len(spot) == 2 else "wall"


def empty_spot(x: float, y: float, size: float, spot: str, letters: float = 12) -> list[Shape]:
    kind = kind_for(spot)
    label = _label_height(size, letters)
    box = Ground(x, y, size, size - label)
    half = _OUTLINES[kind]
    whole = (*half, *((1 - across, down) for across, down in reversed(half)))
    outline = tuple(box.at(*point) for point in whole)
    words = kind if size >= 44 else kind[0].upper()
    return [
        Rect(x, y, size, size, "paper", None, 1, 5),
        Path(outline, None, "muted", 1.2, closed=True, dash=True),
        Text(x + size / 2, y + size - label / 2, words, letters, "muted", "middle"),
    ]


def question_mark(x: float, y: float, size: float) -> list[Shape]:
    """The mark on the spot that a question is about."""
    middle = size / 2
    return [
        Rect(x + 2, y + 2, size - 4, size - 4, None, "accent", 3, 6),
        Circle(x + middle, y + size * 0.42, size * 0.25, "accent", "paper", 1.5),
        Text(x + middle, y + size * 0.42, "?", size * 0.36, "on-accent", "middle", bold=True),
    ]


def nothing(x: float, y: float, size: float) -> tuple[Shape, ...]:
    """Where a tile might lie and none does."""
    return (Rect(x, y, size, size, None, "muted", 1, 5, dash=True),)


# -- in words and in rows --------------------------------------------------------------------


def tile_words(tile: Tile) -> str:
    """A tile as it is spoken."""
    return "face-down tile" if tile is BACK else tile.words


def tiles_part(
    x: float,
    y: float,
    size: float,
    tiles: Sequence[Tile],
    columns: int,
    *,
    name: str = "hand",
    chosen: int | None = None,
    group: str = "",
    letters: float = 12,
) -> Part:
    """Tiles in rows, numbered from 1; the chosen one stands out."""
    shapes: list[Shape] = []
    targets = []
    step = size + _APART
    spread = in_rows(enumerate(tiles, start=1), columns, x, y, step, step)
    for (number, tile), left, top in spread:
        words = f"{name.capitalize()} {number}: {tile_words(tile)}"
        if number == chosen:
            shapes.append(Rect(left - 3, top - 3, step, step, "accent", "ink", 1, 7))
            words += ", picked up"
        spot = f"{name} {number}"
        held = Piece(tile_words(tile), spot, source="pile", sink="discards", board=group)
        shapes += as_piece(tile_shapes(left, top, size, tile, letters), held)
        targets.append(Target(f"{name} {number}", words, left, top, size, size, group=group))
    return Part.of(shapes, targets, columns * step, rows(len(tiles), columns) * step)
