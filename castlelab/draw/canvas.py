"""The hand that draws a scene on a canvas, in as few commands as the order of drawing permits.

The canvas is any object with the method names of ``ipycanvas.Canvas``. Shapes are broken into
strokes of a brush; strokes of one kind are gathered into one vectorised command, and a stroke
may join an earlier command only if nothing drawn in between lies under it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from castlelab.draw.scene import Anchor, Circle, Path, Rect, Scene, Shape, Text, dashes, marked
from castlelab.draw.theme import FONT, LIGHT, Theme

Act = Literal["fill", "stroke", "write"]
Form = Literal["rect", "circle", "polygon", "line", "words"]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Tiles = list[tuple[int, int]]  # where a box lies, roughly
_NOTHING = 1e-3
Floats = npt.NDArray[np.float32]


class Canvas(Protocol):
    """What the hand needs of a canvas; attributes such as ``fill_style`` are set on it."""

    def set_transform(self, a: float, b: float, c: float, d: float, e: float, f: float) -> None: ...
    def set_line_dash(self, segments: list[float]) -> None: ...
    def fill_text(self, text: str, x: float, y: float) -> None: ...
    def fill_styled_rects(self, *columns: Any) -> None: ...
    def stroke_styled_rects(self, *columns: Any) -> None: ...
    def fill_styled_circles(self, *columns: Any) -> None: ...
    def stroke_styled_circles(self, *columns: Any) -> None: ...
    def fill_styled_polygons(self, points: Any, color: Any, *, points_per_polygon: Any) -> None: ...
    def stroke_styled_polygons(
        self, points: Any, color: Any, *, points_per_polygon: Any
    ) -> None: ...
    def stroke_styled_line_segments(
        self, points: Any, color: Any, *, points_per_line_segment: Any
    ) -> None: ...


def paint(
    canvas: Canvas,
    scene: Scene,
    theme: Theme = LIGHT,
    *,
    lit: Iterable[str] = (),
    focus: str | None = None,
    offered: Iterable[str] = (),
    scale: float = 2,
) -> None:
    """Draw the scene; the buffer of the canvas is ``scale`` times the size of the scene.

    Everything is worked out before the first command, so an error draws nothing. Nothing is
    held here: that is the affair of whoever owns the canvas.
    """
    carry_out(canvas, plan(scene, theme, lit=lit, focus=focus, offered=offered), scale=scale)


def carry_out(canvas: Canvas, commands: Iterable[Command], *, scale: float = 2) -> None:
    """Send what :func:`plan` has worked out."""
    brush = _Brush(canvas)
    canvas.set_transform(scale, 0, 0, scale, 0, 0)
    for command in commands:
        brush.draw(command)


@dataclass(frozen=True, slots=True)
class Pen:
    """What must be equal for two strokes to share a command."""

    act: Act
    form: Form
    line: float = 0.0
    dash: bool = False
    font: str = ""
    anchor: Anchor = "start"
    colour: str = ""  # of text only: every other command carries a colour for each stroke


@dataclass(frozen=True, slots=True)
class Stroke:
    """One touch of the pen: numbers (or words at a place), its colour and the box it covers."""

    pen: Pen
    numbers: tuple[float, ...]
    box: Box
    colour: str
    words: str = ""


@dataclass(slots=True)
class Command:
    """Strokes that are drawn by one pen, one after another."""

    pen: Pen
    strokes: list[Stroke] = field(default_factory=list)
    _hull: Box = (math.inf, math.inf, -math.inf, -math.inf)
    _tiles: dict[tuple[int, int], list[Box]] = field(default_factory=dict)
    _vast: list[Box] = field(default_factory=list)  # what covers too many tiles to list

    def add(self, stroke: Stroke, tiles: Tiles | None) -> None:
        self.strokes.append(stroke)
        left, top, right, bottom = self._hull
        box = stroke.box
        self._hull = (
            min(left, box[0]),
            min(top, box[1]),
            max(right, box[2]),
            max(bottom, box[3]),
        )
        if tiles is None:
            self._vast.append(box)
            return
        for tile in tiles:
            self._tiles.setdefault(tile, []).append(box)

    def lies_under(self, box: Box, tiles: Tiles | None) -> bool:
        """Whether any stroke of this command touches the box."""
        if not _touch(self._hull, box):
            return False
        if tiles is None:
            return any(_touch(s.box, box) for s in self.strokes)
        for tile in tiles:
            for other in self._tiles.get(tile, ()):
                if _touch(other, box):
                    return True
        return any(_touch(other, box) for other in self._vast)


def plan(
    scene: Scene,
    theme: Theme = LIGHT,
    *,
    lit: Iterable[str] = (),
    focus: str | None = None,
    offered: Iterable[str] = (),
) -> list[Command]:
    """The commands that draw a scene, its background first."""
    background = Rect(0, 0, scene.width, scene.height, fill="paper")
    commands: list[Command] = []
    for shape in (background, *marked(scene, lit, focus, offered).shapes):
        for stroke in _strokes(shape, theme):
            tiles = _tiles(stroke.box)
            _home(commands, stroke, tiles).add(stroke, tiles)
    return commands


def _home(commands: list[Command], stroke: Stroke, tiles: Tiles | None) -> Command:
    """The earliest command of the same pen after all that lies under the stroke.

    Not the latest: of things alike, side by side, each layer then shares its commands.
    """
    found: Command | None = None
    for command in reversed(commands):
        if command.pen == stroke.pen:
            found = command
        if command.lies_under(stroke.box, tiles):
            break
    if found is None:
        found = Command(stroke.pen)
        commands.append(found)
    return found


_TILE = 48.0  # strokes are looked for in tiles of this size: a large board has thousands
_MOST_TILES = 600


def _tiles(box: Box) -> Tiles | None:
    """The tiles that a box lies in, unless there are too many."""
    left, top, right, bottom = (edge / _TILE for edge in box)
    # A comparison that a number which is none fails, too.
    if not (right - left + 1) * (bottom - top + 1) < _MOST_TILES:
        return None
    rows = range(math.floor(top), math.floor(bottom) + 1)
    return [(x, y) for x in range(math.floor(left), math.floor(right) + 1) for y in rows]


def _touch(one: Box, other: Box) -> bool:
    """Whether two boxes overlap by more than the error of a sum."""
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > _NOTHING
        and min(one[3], other[3]) - max(one[1], other[1]) > _NOTHING
    )


def _strokes(shape: Shape, theme: Theme) -> Iterator[Stroke]:
    """A shape as what the pens do: fill it, outline it, or write it."""
    if isinstance(shape, Text):
        yield _lettering(shape, theme)
        return
    form, numbers, box = _outline(shape)
    if shape.fill and form != "line":
        yield Stroke(Pen("fill", form), numbers, box, theme[shape.fill])
    if shape.stroke:
        dash = not isinstance(shape, Circle) and shape.dash
        pen = Pen("stroke", form, line=shape.line, dash=dash)
        # The outlines of neighbours share an edge; that alone shall not part them, but a lone
        # line must cover something, or it could slip under what it crosses.
        margin = shape.line / 2 if isinstance(shape, Path) else max(0.0, shape.line / 2 - 1)
        yield Stroke(pen, numbers, _grown(box, margin), theme[shape.stroke])


def _outline(shape: Rect | Circle | Path) -> tuple[Form, tuple[float, ...], Box]:
    """The form of a shape, the numbers that give it, and its box."""
    match shape:
        case Rect():
            box = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            if shape.radius > 0:
                return "polygon", tuple(_round_corners(shape)), box
            return "rect", (shape.x, shape.y, shape.width, shape.height), box
        case Circle():
            circle = (shape.x, shape.y, shape.radius)
            point = (shape.x, shape.y, shape.x, shape.y)
            return "circle", circle, _grown(point, shape.radius)
        case Path():
            xs, ys = zip(*(shape.points or ((0.0, 0.0),)), strict=True)
            form: Form = "polygon" if shape.closed or shape.fill else "line"
            flat = tuple(number for point in shape.points for number in point)
            return form, flat, (min(xs), min(ys), max(xs), max(ys))


def _round_corners(rect: Rect) -> Iterator[float]:
    """A rounded rectangle as a polygon, since ipycanvas has no command for it."""
    radius = min(rect.radius, rect.width / 2, rect.height / 2)
    steps = max(2, min(6, round(radius / 2)))
    left, top = rect.x + radius, rect.y + radius
    right, bottom = rect.x + rect.width - radius, rect.y + rect.height - radius
    for quarter, (x, y) in enumerate(((right, bottom), (left, bottom), (left, top), (right, top))):
        for step in range(steps + 1):
            angle = (quarter + step / steps) * math.pi / 2
            yield x + radius * math.cos(angle)
            yield y + radius * math.sin(angle)


def _lettering(text: Text, theme: Theme) -> Stroke:
    words = " ".join(text.words.split())
    # There is no measuring of text here, so the box errs on the large side.
    width = text.size * sum(1.1 if ord(letter) > 0x2E7F else 0.75 for letter in words)
    left = text.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    box = (left, text.y - text.size * 0.7, left + width, text.y + text.size * 0.7)
    font = f"{'bold ' if text.bold else ''}{text.size:g}px {FONT}"
    colour = theme[text.fill]
    pen = Pen("write", "words", font=font, anchor=text.anchor, colour=colour)
    return Stroke(pen, (text.x, text.y), box, colour, words)


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


class _Brush:
    """Sends commands to a canvas and sets only the attributes that change."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._attributes: dict[str, object] = {}
        # Unknown at first: the canvas keeps the dashes of the picture before.
        self._dashes: list[float] | None = None

    def draw(self, command: Command) -> None:
        pen, canvas = command.pen, self._canvas
        if pen.act == "write":
            self._set(fill_style=pen.colour, font=pen.font, text_baseline="middle")
            self._set(text_align="center" if pen.anchor == "middle" else pen.anchor)
            for stroke in command.strokes:
                x, y = stroke.numbers
                canvas.fill_text(stroke.words, round(x, 2), round(y, 2))
            return
        if pen.act == "stroke":
            cap = "butt" if pen.dash else "round"
            self._set(line_width=pen.line, line_join="round", line_cap=cap)
            self._dash(dashes(pen.line) if pen.dash else ())
        colours = _colours(command)
        match pen.act, pen.form:
            case "fill", "rect":
                canvas.fill_styled_rects(*_columns(command), colours)
            case "stroke", "rect":
                canvas.stroke_styled_rects(*_columns(command), colours)
            case "fill", "circle":
                canvas.fill_styled_circles(*_columns(command), colours)
            case "stroke", "circle":
                canvas.stroke_styled_circles(*_columns(command), colours)
            case "fill", _:
                points, lengths = _polygons(command)
                canvas.fill_styled_polygons(points, colours, points_per_polygon=lengths)
            case _, "polygon":
                points, lengths = _polygons(command)
                canvas.stroke_styled_polygons(points, colours, points_per_polygon=lengths)
            case _:
                points, lengths = _polygons(command)
                canvas.stroke_styled_line_segments(points, colours, points_per_line_segment=lengths)

    def _set(self, **attributes: object) -> None:
        for name, value in attributes.items():
            if self._attributes.get(name) != value:
                setattr(self._canvas, name, value)
                self._attributes[name] = value

    def _dash(self, lengths: Iterable[float]) -> None:
        if (wanted := list(lengths)) != self._dashes:
            self._canvas.set_line_dash(wanted)
            self._dashes = wanted


def _columns(command: Command) -> Floats:
    return np.array([stroke.numbers for stroke in command.strokes], np.float32).T


def _polygons(command: Command) -> tuple[Floats, npt.NDArray[np.int32]]:
    numbers = [number for stroke in command.strokes for number in stroke.numbers]
    lengths = [len(stroke.numbers) // 2 for stroke in command.strokes]
    return np.array(numbers, np.float32), np.array(lengths, np.int32)


def _colours(command: Command) -> npt.NDArray[np.uint8]:
    """Three bytes a stroke."""
    joined = "".join(stroke.colour[1:] for stroke in command.strokes)
    return np.frombuffer(bytes.fromhex(joined), np.uint8)
