"""The hand that draws a scene on a canvas, in as few commands as the order of drawing permits.

The canvas is any object with the method names of ``ipycanvas.Canvas``. Shapes are broken into
strokes of a brush; strokes of one kind are gathered into one vectorised command, and a stroke
may join an earlier command only if nothing drawn in between lies under it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from castlelab.draw.scene import Anchor, Circle, Path, Rect, Scene, Shape, Text, dashes, marked
from castlelab.draw.theme import LIGHT, Theme

Act = Literal["fill", "stroke", "write"]
Form = Literal["rect", "circle", "polygon", "line", "words"]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Tiles = list[tuple[int, int]]  # where a box lies, roughly
_NOTHING = 1e-3
Numbers = npt.NDArray[np.int16] | npt.NDArray[np.float32]
_FINE = 16  # shapes are sent in whole numbers of this part of a pixel: half the bytes of floats
_FONT = "system-ui"  # all that draw on a canvas know it; a list would be sent each time


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
    brush = _Brush(canvas, scale)
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


@dataclass(frozen=True, slots=True)
class Command:
    """Strokes that are drawn by one pen, one after another."""

    pen: Pen
    strokes: list[Stroke] = field(default_factory=list)


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
    shapes = (background, *marked(scene, lit, focus, offered).shapes)
    return _gathered([stroke for shape in shapes for stroke in _strokes(shape, theme)])


def _gathered(strokes: list[Stroke]) -> list[Command]:
    """The strokes in few commands: each waits only for what lies under it.

    A pen that can draw all that is left for it comes first, since no later command will need
    it; then the one on which the highest pile waits.
    """
    covers = _covers(strokes)  # for each stroke, those above it
    heights = [0] * len(strokes)  # how often the pen changes, at least, in the pile above it
    for at in reversed(range(len(strokes))):
        pen = strokes[at].pen
        above = [heights[over] + (strokes[over].pen != pen) for over in covers[at]]
        heights[at] = max(above, default=0)
    waits = [0] * len(strokes)  # how many strokes under it are not drawn …
    strange = [0] * len(strokes)  # … and how many of those are another pen's
    left: dict[Pen, list[int]] = {}
    free: Counter[Pen] = Counter()  # how many of a pen's strokes wait for no other pen …
    ready: Counter[Pen] = Counter()  # … and how many for nothing at all
    for at, stroke in enumerate(strokes):
        for over in covers[at]:
            waits[over] += 1
            strange[over] += strokes[over].pen != stroke.pen
    for at, stroke in enumerate(strokes):
        left.setdefault(stroke.pen, []).append(at)
        free[stroke.pen] += not strange[at]
        ready[stroke.pen] += not waits[at]
    commands: list[Command] = []
    font = ""

    def promise(pen: Pen) -> tuple[bool, int, bool, int]:
        highest = max((heights[at] for at in left[pen] if not waits[at]), default=-1)
        return free[pen] == len(left[pen]), highest, pen.font == font, ready[pen]

    while left:
        pen = max(left, key=promise)
        command = Command(pen)
        later: list[int] = []
        for at in left.pop(pen):
            if waits[at]:
                later.append(at)
                continue
            command.strokes.append(strokes[at])
            free[pen] -= 1
            ready[pen] -= 1
            for over in covers[at]:
                other = strokes[over].pen
                waits[over] -= 1
                ready[other] += not waits[over]
                if other != pen:
                    strange[over] -= 1
                    free[other] += not strange[over]
        if later:
            left[pen] = later
        commands.append(command)
        font = pen.font or font
    return commands


def _covers(strokes: list[Stroke]) -> list[list[int]]:
    """For each stroke the later ones that touch it."""
    covers: list[list[int]] = [[] for _ in strokes]
    by_tile: dict[tuple[int, int], list[int]] = {}
    vast: list[int] = []  # what covers too many tiles to list
    for at, stroke in enumerate(strokes):
        tiles = _tiles(stroke.box)
        if tiles is None:
            under: Iterable[int] = range(at)
            vast.append(at)
        else:
            under = {*vast, *(other for tile in tiles for other in by_tile.get(tile, ()))}
            for tile in tiles:
                by_tile.setdefault(tile, []).append(at)
        for other in under:
            if other != at and _touch(strokes[other].box, stroke.box):
                covers[other].append(at)
    return covers


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
    if isinstance(shape, Rect) and _has_core(shape):
        yield from _rounded(shape, theme)
        return
    form, numbers, box = _outline(shape)
    if shape.fill and form != "line":
        yield Stroke(Pen("fill", form), numbers, box, theme[shape.fill])
    if shape.stroke:
        dash = not isinstance(shape, Circle) and shape.dash
        # Lines that nobody can tell apart share a pen.
        pen = Pen("stroke", form, line=round(shape.line, 1), dash=dash)
        # The outlines of neighbours share an edge; that alone shall not part them, but a lone
        # line must cover something, or it could slip under what it crosses.
        margin = shape.line / 2 if isinstance(shape, Path) else max(0.0, shape.line / 2 - 1)
        yield Stroke(pen, numbers, _grown(box, margin), theme[shape.stroke])


def _has_core(rect: Rect) -> bool:
    """Whether it is round, filled and framed, and something is left of it without its rim."""
    inside = min(rect.width, rect.height) > 2 * rect.radius > rect.line
    return bool(inside and rect.fill and rect.stroke and not rect.dash)


def _rounded(rect: Rect, theme: Theme) -> Iterator[Stroke]:
    """A filled and framed rectangle with round corners, of three plain ones.

    A thick line round its core has the corners; the same less thick, and the core, fill it.
    That is a third of the numbers of two polygons.
    """
    radius, fill, frame = rect.radius, theme[rect.fill or ""], theme[rect.stroke or ""]
    box = (rect.x, rect.y, rect.x + rect.width, rect.y + rect.height)
    core = (rect.x + radius, rect.y + radius, rect.width - 2 * radius, rect.height - 2 * radius)
    for line, colour in ((2 * radius + rect.line, frame), (2 * radius - rect.line, fill)):
        grown = _grown(box, max(0.0, line / 2 - radius - 1))
        yield Stroke(Pen("stroke", "rect", line=round(line, 1)), core, grown, colour)
    yield Stroke(Pen("fill", "rect"), core, box, fill)


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
    steps = max(2, min(6, round(math.sqrt(radius))))  # never a third of a pixel off the arc
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
    font = f"{'bold ' if text.bold else ''}{text.size:g}px {_FONT}"
    colour = theme[text.fill]
    pen = Pen("write", "words", font=font, anchor=text.anchor, colour=colour)
    return Stroke(pen, (text.x, text.y), box, colour, words)


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


class _Brush:
    """Sends commands to a canvas and sets only the attributes that change."""

    def __init__(self, canvas: Canvas, scale: float) -> None:
        self._canvas = canvas
        self._scale = scale
        self._parts = 0  # of a pixel that the canvas counts in
        self._attributes: dict[str, object] = {}
        # Unknown at first: the canvas keeps the dashes of the picture before.
        self._dashes: list[float] | None = None

    def draw(self, command: Command) -> None:
        pen, canvas = command.pen, self._canvas
        # Words are written in pixels: letters are made for the size that they are asked for in.
        self._count_in(1 if pen.act == "write" else _FINE)
        if pen.act == "write":
            self._set(fill_style=pen.colour, font=pen.font, text_baseline="middle")
            self._set(text_align="center" if pen.anchor == "middle" else pen.anchor)
            for stroke in command.strokes:
                x, y = stroke.numbers
                canvas.fill_text(stroke.words, round(x, 1), round(y, 1))
            return
        if pen.act == "stroke":
            cap = "butt" if pen.dash else "round"
            self._set(line_width=_whole(pen.line), line_join="round", line_cap=cap)
            self._dash(map(_whole, dashes(pen.line)) if pen.dash else ())
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
                points, lengths = _points(command)
                canvas.fill_styled_polygons(points, colours, points_per_polygon=lengths)
            case _, "polygon":
                points, lengths = _points(command)
                canvas.stroke_styled_polygons(points, colours, points_per_polygon=lengths)
            case _:
                points, lengths = _points(command)
                canvas.stroke_styled_line_segments(points, colours, points_per_line_segment=lengths)

    def _count_in(self, parts: int) -> None:
        """Count in such parts of a pixel from now on."""
        if parts != self._parts:
            step = self._scale / parts
            self._canvas.set_transform(step, 0, 0, step, 0, 0)
            self._parts = parts

    def _set(self, **attributes: object) -> None:
        for name, value in attributes.items():
            if self._attributes.get(name) != value:
                setattr(self._canvas, name, value)
                self._attributes[name] = value

    def _dash(self, lengths: Iterable[float]) -> None:
        if (wanted := list(lengths)) != self._dashes:
            self._canvas.set_line_dash(wanted)
            self._dashes = wanted


def _whole(number: float) -> float:
    """A length in fine parts of a pixel; one without end stays so."""
    return round(number * _FINE) if math.isfinite(number) else number


def _fine(numbers: Any) -> Numbers:
    """Lengths in fine parts of a pixel; a picture too large for short numbers gets long ones."""
    parts = np.rint(np.array(numbers, np.float64) * _FINE)
    short = not parts.size or np.abs(parts).max() <= np.iinfo(np.int16).max
    return parts.astype(np.int16) if short else parts.astype(np.float32)


def _columns(command: Command) -> Iterator[Numbers | int]:
    """The numbers of each kind; but for the first, those that are all alike are told once."""
    first, *others = _fine([stroke.numbers for stroke in command.strokes]).T
    yield first
    for column in others:
        is_one = column.dtype == np.int16 and (column == column[0]).all()
        yield int(column[0]) if is_one else column


def _points(command: Command) -> tuple[Numbers, npt.NDArray[np.uint16] | None]:
    """All points, and how many belong to each stroke; None if there are as many in each."""
    lengths = [len(stroke.numbers) // 2 for stroke in command.strokes]
    points = _fine([number for stroke in command.strokes for number in stroke.numbers])
    if len(set(lengths)) == 1 and lengths[0] > 2:
        return points.reshape(len(lengths), lengths[0], 2), None
    return points, np.array(lengths, np.uint8 if max(lengths) < 256 else np.uint16)


def _colours(command: Command) -> npt.NDArray[np.uint8]:
    """Three bytes a stroke."""
    joined = "".join(stroke.colour[1:] for stroke in command.strokes)
    return np.frombuffer(bytes.fromhex(joined), np.uint8)
