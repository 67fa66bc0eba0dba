"""A heat map as a scene: a row for each pupil, a number in each cell, and words for all of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import ceil
from operator import attrgetter
from typing import NamedTuple

from castlelab.classroom.tally import Tally
from castlelab.draw.layout import moved, wrapped
from castlelab.draw.scene import Path, Rect, Scene, Shape, Target, Text

_CELL, _HEIGHT = 68.0, 27.0
_NARROW = 44.0  # a column whose heading is a number
_ACROSS = 1044.0  # of a page
_LINE = 13.0  # of a heading
_MARGIN = 10.0
_LETTER = 6.4  # the room that a letter of a heading takes, about
_LONGEST_NAME = 22
_SHADES = 8  # of the ten sizes: the darkest two look alike on paper


class Column(NamedTuple):
    """A column: its id, the group it stands in and its heading."""

    id: str
    group: str
    heading: str


Cell = tuple[int, str]  # the number of a row and the id of a column


def scene(
    title: str,
    names: Sequence[str],
    columns: Sequence[Column],
    cells: Mapping[Cell, Tally],
    summary: str = "",
) -> Scene:
    """Rows and columns with the numbers solved and given up; the last row adds them up.

    The summary is what somebody hears who does not see the picture.
    """
    if not names or not columns:
        words = "No puzzle has been tried yet."
        shown = Text(_MARGIN, 24, words, size=14, fill="muted")
        return Scene(320, 48, (shown,), (), f"Heat map: {title}", words)
    left = _MARGIN + max(len(_short(name)) for name in (*names, "Class")) * 7.0 + 12
    width = _NARROW if all(column.heading.isdigit() for column in columns) else _CELL
    shapes: list[Shape] = []
    targets: list[Target] = []
    bottom = 0.0
    for band in _bands(columns, int((_ACROSS - left - _MARGIN) // width)):
        drawn, places, high = _band(names, band, cells, left, width)
        shapes += (moved(shape, 0, bottom) for shape in drawn)
        targets += (replace(place, y=place.y + bottom) for place in places)
        bottom += high
    legend = "Solved; −1: one given up; ·: not tried. Darker means more solved."
    shapes.append(Text(_MARGIN, bottom + 4, legend, size=11.5, fill="muted"))
    across = max([place.x + place.width for place in targets] + [len(legend) * _LETTER]) + _MARGIN
    heard = f"{len(names)} rows, {len(columns)} columns. {summary}".strip()
    return Scene(across, bottom + 18, tuple(shapes), tuple(targets), f"Heat map: {title}", heard)


def _bands(columns: Sequence[Column], most: int) -> Iterator[list[Column]]:
    """The columns in bands that go across a page; a group is split only if it has no band alone."""
    band: list[Column] = []
    for _, group in groupby(columns, attrgetter("group")):
        those = list(group)
        if band and len(band) + len(those) > most:
            yield band
            band = []
        band += those
        while len(band) > most:
            yield band[:most]
            band = band[most:]
    if band:
        yield band


def _band(
    names: Sequence[str],
    columns: Sequence[Column],
    cells: Mapping[Cell, Tally],
    left: float,
    width: float,
) -> tuple[list[Shape], list[Target], float]:
    """Rows with some of the columns and their sums, and how high all this is."""
    shapes, top = _headings(columns, left, width)
    most = max((tally.solved for tally in cells.values()), default=0)
    targets: list[Target] = []
    for row, name in enumerate(names):
        y = top + row * _HEIGHT
        shapes.append(Text(left - 8, y + _HEIGHT / 2, _short(name), size=13, anchor="end"))
        for at, column in enumerate(columns):
            x, tally = left + at * width, cells.get((row, column.id))
            shapes += _cell(x, y, width, tally, most)
            spoken = f"{name}, {column.group}, {column.heading}: {tally or 'not tried'}"
            targets.append(Target(f"{row} {column.id}", spoken, x, y, width, _HEIGHT))
    bottom = top + len(names) * _HEIGHT + 4
    shapes += _totals(columns, cells, left, bottom, width)
    return shapes, targets, bottom + _HEIGHT + 20


def _cell(x: float, y: float, width: float, tally: Tally | None, most: int) -> Iterator[Shape]:
    middle, line = x + width / 2, y + _HEIGHT / 2
    box = (x + 1, y + 1, width - 2, _HEIGHT - 2)
    if tally is None:
        yield Rect(*box, fill="panel", radius=3)
        yield Text(middle, line, "·", size=14, fill="muted", anchor="middle")
        return
    solved, gave_up = tally.solved, tally.gave_up
    shade = f"ramp-{max(1, ceil(_SHADES * solved / max(most, 1)))}"
    fill, ink = (shade, f"on-{shade}") if solved else ("bad-soft", "ink")
    # Only given up: told by a dashed edge as well, which prints in black and white.
    edge = None if solved else "bad"
    yield Rect(*box, fill=fill, stroke=edge, line=1.5, radius=3, dash=not solved)
    if gave_up:
        yield Text(middle, line, str(solved), size=14, fill=ink, anchor="end", bold=True)
        yield Text(middle + 3, line, f"−{gave_up}", size=11, fill=ink)
    else:
        yield Text(middle, line, str(solved), size=14, fill=ink, anchor="middle", bold=True)


def _totals(
    columns: Sequence[Column],
    cells: Mapping[Cell, Tally],
    left: float,
    y: float,
    width: float,
) -> Iterator[Shape]:
    line = y + _HEIGHT / 2
    yield Path(((_MARGIN, y), (left + len(columns) * width, y)), stroke="line", line=1.5)
    yield Text(left - 8, line, "Class", size=13, anchor="end", bold=True)
    for at, column in enumerate(columns):
        total = Tally.total(tally for (_, name), tally in cells.items() if name == column.id)
        x = left + (at + 0.5) * width
        yield Text(x, line, str(total.solved), size=13, anchor="middle", bold=True)
        if total.gave_up:
            yield Text(x, line + _LINE + 2, f"−{total.gave_up}", size=11, anchor="middle")


# Headings


def _headings(columns: Sequence[Column], left: float, width: float) -> tuple[list[Shape], float]:
    """The names above the columns and above groups of them, and how high they stand."""
    groups = [
        (name, len(list(each)) * width) for name, each in groupby(columns, attrgetter("group"))
    ]
    names = [wrapped(name, room, _LETTER) for name, room in groups]
    heads = [wrapped(column.heading, width, _LETTER) for column in columns]
    under = _MARGIN + max(map(len, names)) * _LINE
    bottom = under + 4 + max(map(len, heads)) * _LINE
    shapes: list[Shape] = []
    x = left
    for name, (_, room) in zip(names, groups, strict=True):
        for words, y in _lines(name, under):
            shapes.append(Text(x + room / 2, y, words, size=11.5, anchor="middle", bold=True))
        shapes.append(Path(((x + 3, under + 2), (x + room - 3, under + 2)), stroke="line", line=1))
        x += room
    for at, head in enumerate(heads):
        x = left + (at + 0.5) * width
        for words, y in _lines(head, bottom):
            shapes.append(Text(x, y, words, size=11, fill="muted", anchor="middle"))
    return shapes, bottom + 4


def _lines(lines: Sequence[str], bottom: float) -> Iterator[tuple[str, float]]:
    """Each line with its height, the last one at the bottom."""
    for number, words in enumerate(lines):
        yield words, bottom - (len(lines) - number - 0.5) * _LINE


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
