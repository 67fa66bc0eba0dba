"""The tower word in pictures: chips with marks on them, and the tower that they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from castlelab.draw.layout import (
    Part,
    centred,
    in_rows,
    joined,
    rows,
    shifted,
    stacked,
)
from castlelab.draw.scene import Rect, Shape, Target, Text
from castlelab.games.castell.token_picture import silhouette, small_casteller
from castlelab.games.castell.tower import Tower
from castlelab.games.castell.tower_picture import landscape, level_shapes

SUM = 208.0  # how wide the sum is, and what lies below it
_HILLS = 330.0, 216.0
_LOW_HILLS = 180.0
_BLOCK = 17.0
_CHIP = 70.0


def chip_number(chip: str) -> int:
    """The size or the width that a chip stands for.

    >>> chip_number("size 9")
    9
    """
    return int(chip.partition(" ")[2])


def chips_part(names: Sequence[str], marks: Mapping[str, str], is_narrow: bool) -> Part:
    """The chips: castellers, then widths, with what is written on those that are marked."""
    columns, across = (7, 52.0) if is_narrow else (13, 42.6)
    parts = []
    for name, x, y in in_rows(names, columns, 4, 2, across, _CHIP + 4):
        frame = (x, y, across - 3, _CHIP)
        mark, middle, number = marks.get(name, ""), x + (across - 3) / 2, chip_number(name)
        edge = ("accent-soft", "chosen", 3) if mark else ("card", "line", 1)
        shapes: list[Shape] = [Rect(*frame, *edge, 6)]
        if name.startswith("size"):
            shapes += small_casteller((middle - 12, y + 6, 24, 38), number, 14)
        else:
            shapes += silhouette((number,), middle, y + 38, 11)
            shapes.append(Text(middle, y + 16, str(number), 14, "ink", "middle", bold=True))
        shapes.append(Text(middle, y + 57, mark, 14, "ink", "middle", bold=True))
        told = {"": "", "2×": ": twice"}.get(mark, ": marked")
        parts.append(Part.of(shapes, [Target(name, name + told, *frame)]))
    return joined(parts, 8 + columns * across, rows(len(names), columns) * (_CHIP + 4) + 2)


def towers_part(towers: Sequence[str], most: int, is_narrow: bool) -> Part:
    """Towers that were found, small, with room for so many."""
    columns = 7 if is_narrow else 4
    shapes: list[Shape] = []
    for text, x, y in in_rows(towers, columns, 0, 0, 52, 52):
        shapes.append(Rect(x, y, 48, 48, "card", "line", 1, 5))
        shapes += _small(Tower(text), x + 24, y + 42)
    return Part.of(shapes, (), columns * 52, rows(most, columns) * 52)


def _small(tower: Tower, middle: float, foot: float) -> Iterator[Shape]:
    """A tower as bars, each with the size of those who stand there."""
    for number, level in enumerate(tower.levels, start=1):
        size, wide = next(iter(level)), level.width * (_BLOCK + 2)
        bar = (middle - wide / 2, foot - number * _BLOCK, wide, _BLOCK)
        yield Rect(*bar, f"ramp-{size}", "paper", 1)
        yield centred(bar, str(size), 12, f"on-ramp-{size}", bold=True)


def word_page(line: Part, tower: Tower | None, kept: Part, is_narrow: bool) -> Part:
    """The line of chips, the tower below it, and what is kept beside or below that."""
    if is_narrow:
        return stacked([line, _hills(tower, line.width, _LOW_HILLS), shifted(kept, 4, 0)], 10)
    width, least = _HILLS
    high = max(least, kept.height)
    body = [_hills(tower, width, high), shifted(kept, width + 14, 0)]
    return stacked([line, joined(body, line.width, high)], 10)


def _hills(tower: Tower | None, width: float, height: float) -> Part:
    """A tower among hills."""
    shapes = landscape(width, height)
    foot, levels = height - 16, tower.levels if tower is not None else ()
    scale = 0.8 if len(levels) < 4 else 0.68
    for number, level in enumerate(levels, start=1):
        shapes += level_shapes(level, width / 2, foot, 34 * scale, number, scale)
        foot -= 50 * scale + 2
    return Part.of(shapes, (), width, height)
