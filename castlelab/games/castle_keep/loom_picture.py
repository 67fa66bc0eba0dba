"""The nine faces as a rook's board in pictures, with numbers on them, gaps and tables beside."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from castlelab.draw.layout import Part, button_part, caption, centred, in_rows, joined, shifted
from castlelab.draw.scene import Circle, Piece, Rect, Shape, Target, Text, as_piece
from castlelab.games.castle_keep.castle import Tile
from castlelab.games.castle_keep.tile_picture import empty_spot, tile_shapes

_KINDS = ("same", "one", "none")


class FaceCell(NamedTuple):
    """A face of the board: its number and what becomes of it, as far as that is known."""

    tile: Tile
    number: str = ""
    following: str = ""

    @property
    def face(self) -> str:
        """Its colour and shape."""
        return self.tile.words.removesuffix(f" {self.tile.kind}")


def faces_part(
    cells: Sequence[FaceCell], cell: float, *, lit: Collection[str] = (), held: str | None = None
) -> Part:
    """The nine faces, colours below each other, shapes side by side; who is lit is added up."""
    shapes: list[Shape] = []
    targets = []
    has_numbers = any(each.number for each in cells)
    size = cell - (40 if has_numbers else 8)
    for at, (each, x, y) in enumerate(in_rows(cells, 3, 0, 0, cell, cell)):
        is_lit, is_held = each.face in lit, each.face == held
        fill = "accent-soft" if is_lit else "panel"
        edge, line = ("chosen", 3.0) if is_lit or is_held else ("line", 1.0)
        shapes.append(Rect(x + 2, y + 2, cell - 4, cell - 4, fill, edge, line, 8))
        top = y + (6 if has_numbers else 4)
        shapes += tile_shapes(x + (cell - size) / 2, top, size, each.tile)
        below = (x, y + cell - 30, cell, 26.0)
        if each.following:
            letters, middle = (16 if cell > 90 else 13), below[1] + 13
            shapes.append(Text(x + cell * 0.36, middle, each.number, letters, "muted", "end"))
            later = f"→ {each.following}"
            shapes.append(Text(x + cell * 0.42, middle, later, letters, "good", bold=True))
        elif has_numbers:
            shapes.append(centred(below, each.number, 18, bold=True))
        said = f": {each.number}" if each.number else ""
        said += f", then {each.following}" if each.following else ""
        said += ", added up" * is_lit + ", in your hand" * is_held
        name = f"{each.face.capitalize()}{said}"
        where = divmod(at, 3)
        targets.append(
            Target(each.face, name, x, y, cell, cell, group="The nine faces", cell=where)
        )
    return Part.of(shapes, targets, 3 * cell, 3 * cell)


class ShownGap(NamedTuple):
    """A gap between two towers: the wall that lies there, and the faces that were found."""

    left: Tile
    right: Tile
    laid: Tile | None
    found: tuple[Tile, ...]


def gaps_part(gaps: Sequence[ShownGap], size: float) -> Part:
    """Gaps one below the other; what was found stands in signs below each."""
    step, down = size + 6, size + 38
    shapes: list[Shape] = []
    targets = []
    for number, (gap, x, y) in enumerate(in_rows(gaps, 1, 0, 0, 0, down), start=1):
        for tile, left in ((gap.left, x), (gap.right, x + 2 * step)):
            shapes += tile_shapes(left, y, size, tile)
        middle = x + step
        key = f"gap {number}"
        if gap.laid is None:
            shapes += [Rect(middle, y, size, size, None, "accent", 2, 6, dash=True)]
            shapes += empty_spot(middle + 3, y + 3, size - 6, "n")
        else:
            face = FaceCell(gap.laid).face
            piece = Piece(f"wall in {key}", f"{key} {face}", source=face)
            shapes += as_piece(tile_shapes(middle, y, size, gap.laid), piece)
        between = f"between {FaceCell(gap.left).face} and {FaceCell(gap.right).face}"
        fits = ", ".join(FaceCell(tile).face for tile in gap.found) or "none yet"
        name = f"Gap {number} {between}; found: {fits}"
        targets.append(Target(key, name, middle, y, size, size, group="The gaps"))
        shapes += _signs(gap.found, x, y + size + 5)
    return Part.of(shapes, targets, 3 * step - 6, len(gaps) * down)


def _signs(tiles: Sequence[Tile], x: float, y: float) -> Iterator[Shape]:
    """Faces as small signs in their colours, and how many they are."""
    yield Text(x + 2, y + 12, str(len(tiles)), 18, "good" if tiles else "muted", bold=True)
    for tile, left, top in in_rows(tiles, 5, x + 22, y, 35, 0):
        role = f"hue-{tile.colour}"
        frame = (left, top + 1, 32.0, 22.0)
        yield Rect(*frame, role, "ink", 1, 5)
        yield centred(frame, tile.text[1:], 12, f"on-{role}", bold=True)


def table_part(rows: Sequence[Sequence[str]], first: int, width: float, room: int) -> Part:
    """The ways after each step, by what the face shares with the first one."""
    across = width / 4
    shapes: list[Shape] = []
    for words, x, y in in_rows(("step", *_KINDS), 4, 0, 0, across, 0):
        shapes.append(Text(x + across / 2, y + 10, words, 12, "muted", "middle"))
    for at, row in enumerate(rows):
        y = 24.0 + at * 32
        is_last = at == len(rows) - 1
        fill = "good-soft" if is_last else "panel"
        shapes.append(Rect(1, y, width - 2, 28, fill, "good" if is_last else None, 1.2, 6))
        for words, x, _ in in_rows((str(first + at), *row), 4, 0, y, across, 0):
            role = "muted" if x == 0 else "ink"
            place = x + across / 2, y + 14
            shapes.append(Text(*place, words, 14, role, "middle", bold=is_last and x > 0))
    return Part.of(shapes, (), width, 24 + 32 * room)


def ring_part(places: int, lines: Sequence[str], width: float) -> Part:
    """A ring of so many places, the first one laid, and what is said of it."""
    middle, radius = 43.0, 29.0
    shapes: list[Shape] = [Circle(middle, middle, radius, None, "line", 2)]
    for place in range(max(places, 1)):
        turn = 2 * math.pi * place / max(places, 1) - math.pi / 2
        x, y = middle + radius * math.cos(turn), middle + radius * math.sin(turn)
        fill, ink = ("hue-red", "on-hue-red") if place == 0 else ("card", "ink")
        shapes.append(Circle(x, y, 11, fill, "ink", 1.2))
        words = "RC" if place == 0 else str(place + 1)
        shapes.append(Text(x, y, words, 12, ink, "middle", bold=True))
    for at, line in enumerate(lines):
        shapes.append(Text(96, 33 + at * 22, line, 15, "ink", bold=at == len(lines) - 1))
    return Part.of(shapes, (), width, 86)


def slider_part(words: str, value: str, keys: tuple[str, str], width: float) -> Part:
    """A number with − and + beside it, its name above."""
    less, more = keys
    middle, said = width / 2, f"Number for {words}: {value}"
    parts = (
        Part.of([Text(2, 9, words, 13, "ink", bold=True)]),
        button_part(less, "−", (0, 22, 44, 40), "Sliders", name=f"{said}, less"),
        Part.of([Text(middle, 42, value, 20, "ink", "middle", bold=True)]),
        button_part(more, "+", (width - 44, 22, 44, 40), "Sliders", name=f"{said}, more"),
    )
    return joined(parts, width, 64)


def patterns_part(found: Mapping[int, str], known: Sequence[int], width: float) -> Part:
    """The patterns that were found, each with what it is multiplied by."""
    shapes: list[Shape] = []
    for factor, x, y in in_rows(known, 1, 0, 0, 0, 40):
        words = found.get(factor, "")
        frame = (x + 1, y + 1, width - 2, 34.0)
        edge = "good" if words else "line"
        shapes.append(Rect(*frame, "good-soft" if words else None, edge, 1.5, 8, dash=not words))
        told = f"{words}: × {factor}".replace("-", "−") if words else "a pattern: × ?"
        shapes.append(centred(frame, told, 14, "ink" if words else "muted", bold=bool(words)))
    return Part.of(shapes, (), width, 40 * len(known))


def beside_loom(board: Part, beside: Part, headings: tuple[str, str], gap: float) -> Part:
    """A board and what stands beside it, each under its heading."""
    x = board.width + gap
    words = [caption(2, 11, headings[0], 15), caption(x + 2, 11, headings[1], 15)]
    high = max(board.height, beside.height) + 26
    parts = (Part.of(words), shifted(board, 0, 26), shifted(beside, x, 26))
    return joined(parts, x + beside.width, high)
