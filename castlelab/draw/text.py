"""The hand that draws a scene with characters, for a terminal."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise, product
from typing import Unpack
from unicodedata import category, east_asian_width

from castlelab.draw.scene import Circle, Highlights, Path, Rect, Scene, Text, marked
from castlelab.draw.theme import LIGHT, VISIBLE, contrast

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
# Indexed by the sum of the directions in which a line leaves the cell.
_LINES = " │││─┘┐┤─└┌├─┴┬┼"
_HEAVY = " ┃┃┃━┛┓┫━┗┏┣━┻┳╋"
_SHADE = "▒"
_FINE_LINE = 1.0  # lines this thin do not cut through shading
_MIDDLING = 2.0  # contrast to the paper from which a fill leaves shading under it as it is
_HEAVY_LINE = 3.0  # lines this wide are drawn bold
_NEARLY = 2.5  # pixels that do not tell two edges apart
_WIDEST = _TALLEST = 400  # cells that nobody needs


def render(scene: Scene, width: int = 100, **highlights: Unpack[Highlights]) -> str:
    """The scene as lines of text, at most ``width`` columns wide."""
    picture = marked(scene, **highlights)
    paper = _Paper(picture, width)
    for shape in picture.shapes:
        match shape:
            case Rect():
                paper.rect(shape)
            case Circle():
                paper.circle(shape)
            case Path():
                paper.path(shape)
    # Words come last: on so coarse a grid an outline would cut through its own label.
    for shape in picture.shapes:
        if isinstance(shape, Text):
            paper.words(shape)
    return str(paper)


class _Paper:
    """A grid of cells: what is written in each, and which lines pass through it."""

    def __init__(self, scene: Scene, width: int) -> None:
        self._cell_width, self._cell_height = _cell(scene, width)
        self._columns = _count(scene.width, self._cell_width, _WIDEST)
        self._rows = _count(scene.height, self._cell_height, _TALLEST)
        self._marks: dict[tuple[int, int], str] = {}
        self._lines: dict[tuple[int, int], int] = {}
        self._heavy: set[tuple[int, int]] = set()
        self._xs: list[float] = []
        self._ys: list[float] = []

    def __str__(self) -> str:
        rows = ("".join(self._at(x, y) for x in range(self._columns)) for y in range(self._rows))
        return "\n".join(row.rstrip() for row in rows).strip("\n")

    def rect(self, rect: Rect) -> None:
        left, top = self._corner(rect.x, rect.y)
        right, bottom = self._corner(rect.x + rect.width, rect.y + rect.height)
        if right - left < 2 or bottom - top < 2:
            self._slender(rect, left, top, right, bottom)
            return
        if rect.fill:
            self._cover(rect.fill, left, top, right, bottom)
        if rect.stroke or rect.fill:
            heavy = rect.line >= _HEAVY_LINE and bool(rect.stroke)
            corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
            for start, end in pairwise(corners):
                self._straight(start, end, heavy)

    def circle(self, circle: Circle) -> None:
        column, row = self._place(circle.x, circle.y)
        reach = round(_finite(circle.radius / self._cell_width))
        if reach < 2:
            self._mark(column, row, "●" if _stands_out(circle.fill) else "○")
        else:
            self._mark(column - reach, row, "(")
            self._mark(column + reach, row, ")")

    def path(self, path: Path) -> None:
        places = [self._place(x, y) for x, y in path.points]
        if path.closed and places:
            places.append(places[0])
        for start, end in pairwise(places):
            if start[0] == end[0] or start[1] == end[1]:
                heavy, fine = path.line >= _HEAVY_LINE, path.line <= _FINE_LINE
                self._straight(start, end, heavy, fine)
            else:
                self._slope(start, end)

    def words(self, text: Text) -> None:
        words = "".join(" " if category(c)[0] in "CZ" else c for c in text.words).strip()
        length = sum(map(_cells, words))
        column, row = self._place(text.x, text.y)
        column -= {"start": 0, "middle": (length - 1) // 2, "end": length - 1}[text.anchor]
        column = max(0, min(column, self._columns - length))
        for letter in words:
            if not (size := _cells(letter)):
                continue
            self._mark(column, row, letter)
            if size == 2:
                self._mark(column + 1, row, "")
            column += size

    def _at(self, column: int, row: int) -> str:
        place = column, row
        if place in self._marks:
            return self._marks[place]
        line = self._lines.get(place, 0)
        return (_HEAVY if place in self._heavy else _LINES)[line]

    def _cover(self, fill: str, left: int, top: int, right: int, bottom: int) -> None:
        """Hide what lies behind a filled rectangle, and shade it if its colour is strong."""
        shade, middling = _stands_out(fill), _stands_out(fill, _MIDDLING)
        for row in range(max(top, 0) + (top >= 0), min(bottom, self._rows)):
            for column in range(max(left, 0) + (left >= 0), min(right, self._columns)):
                place = column, row
                self._lines.pop(place, None)
                self._heavy.discard(place)
                hidden = self._marks.pop(place, None)
                if shade or (middling and hidden == _SHADE):  # stone within its dark rim
                    self._marks[place] = _SHADE

    def _slender(self, rect: Rect, left: int, top: int, right: int, bottom: int) -> None:
        """A rectangle too slender for an inside: a block, a rule, or one row in brackets."""
        column, row = self._place(rect.x + rect.width / 2, rect.y + rect.height / 2)
        heavy = rect.line >= _HEAVY_LINE and bool(rect.stroke)
        if right - left < 2 and bottom - top < 2:
            self._mark(column, row, "■" if _stands_out(rect.fill) else "□")
        elif right - left < 2:
            self._straight((column, top), (column, bottom), heavy)
        elif rect.height < self._cell_height / 2:
            self._straight((left, row), (right, row), heavy)
        else:
            if rect.fill:
                self._cover(rect.fill, left, row - 1, right, row + 1)
            self._mark(left, row, "[")
            self._mark(right, row, "]")

    def _straight(
        self, start: tuple[int, int], end: tuple[int, int], heavy: bool, fine: bool = False
    ) -> None:
        (x, y), (end_x, end_y) = sorted((start, end))
        steps = list(product(range(x, end_x + 1), range(y, end_y + 1)))
        ahead, back = (_DOWN, _UP) if x == end_x else (_RIGHT, _LEFT)
        for number, place in enumerate(steps):
            if not self._holds(place) or (fine and self._marks.get(place) == _SHADE):
                continue
            way = (ahead if number < len(steps) - 1 else 0) | (back if number else 0)
            self._lines[place] = self._lines.get(place, 0) | way
            self._marks.pop(place, None)
            if heavy:
                self._heavy.add(place)

    def _slope(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        (x, y), (end_x, end_y) = start, end
        steps = min(max(abs(end_x - x), abs(end_y - y)), _WIDEST + _TALLEST)
        letter = "╲" if (end_x - x) * (end_y - y) > 0 else "╱"
        for step in range(steps + 1):
            part = step / steps
            self._mark(round(x + (end_x - x) * part), round(y + (end_y - y) * part), letter)

    def _mark(self, column: int, row: int, letter: str) -> None:
        if self._holds((column, row)):
            self._marks[column, row] = letter

    def _holds(self, place: tuple[int, int]) -> bool:
        return 0 <= place[0] < self._columns and 0 <= place[1] < self._rows

    def _place(self, x: float, y: float) -> tuple[int, int]:
        """The cell nearest to a point."""
        column, row = _finite(x / self._cell_width), _finite(y / self._cell_height)
        return min(round(column), self._columns - 1), min(round(row), self._rows - 1)

    def _corner(self, x: float, y: float) -> tuple[int, int]:
        """The cell of a corner; edges that nearly meet are drawn as one."""
        return self._place(_snap(x, self._xs), _snap(y, self._ys))


def _snap(value: float, known: list[float]) -> float:
    near = next((edge for edge in known if abs(edge - value) <= _NEARLY), None)
    if near is None:
        known.append(value)
        return value
    return near


def _cell(scene: Scene, width: int) -> tuple[float, float]:
    """The size of a cell: small enough for the words and the boxes, if the width allows it."""
    sizes = [shape.size for shape in scene.shapes if isinstance(shape, Text) and shape.size > 0]
    rects = [shape for shape in scene.shapes if isinstance(shape, Rect) and shape.height >= 12]
    wide = max(4.5, min(8.0, 0.6 * min(sizes, default=14)))
    tall = max(7.0, min(16.0, min((rect.height for rect in rects), default=32) / 2))
    wide = _dividing(wide, Counter(rect.width for rect in rects))
    tall = _dividing(tall, Counter(rect.height for rect in rects))
    columns = max(1, min(width, _WIDEST) - 1)
    return max(wide, _finite(scene.width) / columns), tall


def _dividing(cell: float, lengths: Counter[float]) -> float:
    """A cell of about that size which divides the commonest length, so that grids come out even."""
    for length, _ in lengths.most_common(1):
        if cell <= length < _WIDEST * cell:
            return length / round(length / cell)
    return cell


def _count(length: float, cell: float, most: int) -> int:
    return max(1, min(most, math.ceil(_finite(length) / cell) + 1))


def _finite(value: float) -> float:
    return 0.0 if math.isnan(value) else max(-1e6, min(1e6, value))


def _stands_out(role: str | None, least: float = VISIBLE) -> bool:
    """Whether a fill stands out from the paper, as a wall does from the ground."""
    return role is not None and contrast(LIGHT[role], LIGHT["paper"]) >= least


def _cells(letter: str) -> int:
    """How many cells a terminal gives to a character."""
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1
