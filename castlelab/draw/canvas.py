"""The hand that draws a scene on a canvas, in as few commands as the order of drawing permits.

The canvas is any object with the method names of ``ipycanvas.Canvas``. Shapes are broken into
strokes of a brush; strokes of one kind are gathered into one vectorised command, and a stroke
may join an earlier command only if nothing drawn in between lies under it. Each array of a
command takes as much room as twenty numbers to be described, so few kinds are told apart: all
that is filled is a polygon or a circle, and all that is lined a line.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol, Unpack

import numpy as np
import numpy.typing as npt

from castlelab.draw.scene import (
    Anchor,
    Circle,
    Highlights,
    Path,
    Point,
    Rect,
    Scene,
    Shape,
    Text,
    dashes,
    outlines,
)
from castlelab.draw.theme import LIGHT, Theme

PenAct = Literal["fill", "stroke", "write"]
Form = Literal["rect", "circle", "polygon", "line", "words"]
Extent = tuple[float, float, float, float]  # left, top, right, bottom
Make = tuple[str | float, ...]
_NOTHING = 1e-3
Numbers = npt.NDArray[np.int16] | npt.NDArray[np.float32]
_FINE = 16  # shapes are sent in whole numbers of this part of a pixel: half the bytes of floats
_FONT = "system-ui"  # all that draw on a canvas know it; a list would be sent each time


class Canvas(Protocol):
    """What the hand needs of a canvas; attributes such as ``fill_style`` are set on it.

    Besides these it calls the vectorised commands by their names, ``fill_polygons`` and so on.
    """

    def set_transform(self, a: float, b: float, c: float, d: float, e: float, f: float) -> None: ...
    def reset_transform(self) -> None: ...
    def set_line_dash(self, segments: list[float]) -> None: ...
    def save(self) -> None: ...
    def restore(self) -> None: ...
    def begin_path(self) -> None: ...
    def rect(self, x: float, y: float, width: float, height: float) -> None: ...
    def clip(self) -> None: ...
    def fill_text(self, text: str, x: float, y: float) -> None: ...


def carry_out(
    canvas: Canvas, commands: Iterable[Command], *, spots: Iterable[Extent] = (), scale: float = 2
) -> None:
    """Send what :func:`plan` has worked out; with spots, nothing outside of them is touched.

    The buffer of the canvas is ``scale`` times the size of the scene. Nothing is held here: that
    is the affair of whoever owns the canvas.
    """
    brush = _Brush(canvas, scale)
    with brush.kept_within(tuple(spots)):
        for command in commands:
            brush.draw(command)


class Letters(NamedTuple):
    """How words are written."""

    size: float
    bold: bool
    anchor: Anchor


class Pen(NamedTuple):
    """What must be equal for two strokes to share a command."""

    act: PenAct
    form: Form
    line: float = 0.0
    dash: bool = False
    letters: Letters | None = None
    colour: str = ""  # of text and of many dots; other commands carry one for each stroke


class Stroke(NamedTuple):
    """One touch of the pen: numbers (or words at a place), its colour and the box it covers."""

    pen: Pen
    numbers: tuple[float, ...]
    box: Extent
    colour: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """Strokes that are drawn by one pen, one after another."""

    pen: Pen
    strokes: list[Stroke] = field(default_factory=list)


def plan(scene: Scene, theme: Theme = LIGHT, **highlights: Unpack[Highlights]) -> list[Command]:
    """The commands that draw a scene."""
    return gathered(strokes(scene, theme, **highlights))


def strokes(scene: Scene, theme: Theme = LIGHT, **highlights: Unpack[Highlights]) -> list[Stroke]:
    """What the pens do for a scene, its background first."""
    return drawing(scene, theme, **highlights).strokes


@dataclass(frozen=True, slots=True)
class Drawing:
    """The strokes of a picture, and the shapes that they are for."""

    theme: Theme
    shapes: tuple[Shape, ...]
    makes: list[Make]
    common: frozenset[Make]  # that are drawn by commands of their own
    parts: list[tuple[Stroke, ...]]  # for each shape

    @property
    def strokes(self) -> list[Stroke]:
        """From back to front."""
        return [stroke for part in self.parts for stroke in part]


def drawing(
    scene: Scene,
    theme: Theme = LIGHT,
    before: Drawing | None = None,
    **highlights: Unpack[Highlights],
) -> Drawing:
    """What the pens do for a scene; the shapes that it begins with as one before are kept."""
    background = _background(scene.width, scene.height)
    shapes = (background, *scene.shapes, *outlines(scene, **highlights))
    alike, makes, parts = 0, list[Make](), list[tuple[Stroke, ...]]()
    if before is not None and before.theme == theme:
        alike = _alike(before.shapes, shapes)
        makes = before.makes[:alike]
    makes += map(_make, shapes[alike:])
    counts = Counter(filter(None, makes))
    common = frozenset(make for make, count in counts.items() if count >= _MANY[str(make[0])])
    if before is not None and common == before.common:
        parts = before.parts[:alike]
    parts += (
        _strokes(shape, theme, make in common)
        for shape, make in zip(shapes[len(parts) :], makes[len(parts) :], strict=True)
    )
    return Drawing(theme, shapes, makes, common, parts)


@lru_cache(maxsize=64)
def _background(width: float, height: float) -> Rect:
    return Rect(0, 0, width, height, fill="paper")


def _alike(before: Sequence[Shape], after: Sequence[Shape]) -> int:
    """With how many of the same shapes both begin; to compare others would take too long."""
    pairs = enumerate(zip(before, after, strict=False))
    differ = (at for at, (one, other) in pairs if one is not other)
    return next(differ, min(len(before), len(after)))


_MANY = {"rect": 12, "dot": 40}  # so many alike are worth commands of their own


def _make(shape: Shape) -> Make:
    """What shapes that share such commands have in common; nothing for all else."""
    if isinstance(shape, Circle) and shape.fill and not shape.stroke:
        return "dot", shape.fill, shape.radius
    if not isinstance(shape, Rect) or shape.dash:
        return ()
    inside = min(shape.width, shape.height) > 2 * shape.radius > shape.line
    if shape.radius > 0 and not (inside and shape.fill and shape.stroke):
        return ()
    size = () if shape.radius else (shape.width, shape.height)
    return "rect", shape.line, shape.radius, *size


def gathered(strokes: list[Stroke]) -> list[Command]:
    """The strokes in few commands: each waits only for what lies under it.

    A pen that can draw all that is left for it comes first, since no later command will need
    it; then the one on which the highest pile waits.
    """
    numbers: dict[Pen, int] = {}  # pens are looked up all the time, and numbers quickly
    pen_of = [numbers.setdefault(stroke.pen, len(numbers)) for stroke in strokes]
    pens = list(numbers)
    covers = _covers(strokes)  # for each stroke, those above it
    heights = [0] * len(strokes)  # how often the pen changes, at least, in the pile above it
    for at in reversed(range(len(strokes))):
        pen = pen_of[at]
        heights[at] = max([heights[on] + (pen_of[on] != pen) for on in covers[at]], default=0)
    waits = [0] * len(strokes)  # how many strokes under it are not drawn …
    strange = [0] * len(strokes)  # … and how many of those are another pen's
    for at, pen in enumerate(pen_of):
        for over in covers[at]:
            waits[over] += 1
            strange[over] += pen_of[over] != pen
    left: dict[int, list[int]] = {}
    free = [0] * len(pens)  # how many of a pen's strokes wait for no other pen …
    ready = [0] * len(pens)  # … and how many for nothing at all
    for at, pen in enumerate(pen_of):
        left.setdefault(pen, []).append(at)
        free[pen] += not strange[at]
        ready[pen] += not waits[at]
    commands: list[Command] = []
    letters: Letters | None = None

    def promise(pen: int) -> tuple[bool, int, bool, int]:
        highest = max([heights[at] for at in left[pen] if not waits[at]], default=-1)
        return free[pen] == len(left[pen]), highest, pens[pen].letters == letters, ready[pen]

    while left:
        pen = max(left, key=promise)
        command = Command(pens[pen])
        later: list[int] = []
        for at in left.pop(pen):
            if waits[at]:
                later.append(at)
                continue
            command.strokes.append(strokes[at])
            free[pen] -= 1
            ready[pen] -= 1
            for over in covers[at]:
                other = pen_of[over]
                waits[over] -= 1
                ready[other] += not waits[over]
                if other != pen:
                    strange[over] -= 1
                    free[other] += not strange[over]
        if later:
            left[pen] = later
        commands.append(command)
        letters = pens[pen].letters or letters
    return commands


def _covers(strokes: list[Stroke]) -> list[list[int]]:
    """For each stroke the later ones that touch it."""
    covers: list[list[int]] = []
    if not strokes:
        return covers
    left, top, right, bottom = np.array([stroke.box for stroke in strokes]).T
    with np.errstate(invalid="ignore"):  # what has no end touches whatever it can
        is_something = (right - left > _NOTHING) & (bottom - top > _NOTHING)
        for at in range(0, len(strokes), _AT_ONCE):
            some = slice(at, at + _AT_ONCE)
            touching = is_something[some, None] & is_something
            for low, high in ((left, right), (top, bottom)):
                touching &= high[some, None] - low > _NOTHING
                touching &= high - low[some, None] > _NOTHING
            under, over = np.nonzero(np.triu(touching, at + 1))
            ends = np.searchsorted(under, range(1, len(touching) + 1)).tolist()
            later = over.tolist()
            covers += (later[start:end] for start, end in zip((0, *ends), ends, strict=False))
    return covers


_AT_ONCE = 256  # strokes that are compared with all others: a large board has thousands


def touch(one: Extent, other: Extent) -> bool:
    """Whether two boxes overlap by more than the error of a sum."""
    # Differences of edges in place of min and max: this is asked ten thousand times a click.
    left, top, right, bottom = one
    other_left, other_top, other_right, other_bottom = other
    return (
        right - other_left > _NOTHING
        and other_right - left > _NOTHING
        and bottom - other_top > _NOTHING
        and other_bottom - top > _NOTHING
        and right - left > _NOTHING
        and bottom - top > _NOTHING
        and other_right - other_left > _NOTHING
        and other_bottom - other_top > _NOTHING
    )


@lru_cache(maxsize=4096)  # a click leaves most of a picture as it is
def _strokes(shape: Shape, theme: Theme, is_common: bool = False) -> tuple[Stroke, ...]:
    """A shape as what the pens do; the work is done only once for what stays."""
    return tuple(_drawn(shape, theme, is_common=is_common))


def _drawn(shape: Shape, theme: Theme, *, is_common: bool) -> Iterator[Stroke]:
    """What the pens do for a shape: fill it, outline it, or write it."""
    match shape:
        case Text():
            yield _lettering(shape, theme)
        case Rect() if is_common:
            yield from _of_plain_rects(shape, theme)
        case Circle() if is_common:
            dot = _filling(shape, theme[shape.fill or ""])
            yield dot._replace(pen=dot.pen._replace(colour=dot.colour))
        case Rect() | Circle() | Path() if _has_core(shape):
            # Two fillings, the frame and on it the core: that takes no pen of the frame's width.
            frame, core = _resized(shape, shape.line / 2), _resized(shape, -shape.line / 2)
            yield _filling(frame, theme[shape.stroke or ""])
            if shape.fill != shape.stroke:  # or nobody would see it
                yield _filling(core, theme[shape.fill or ""])
        case _:
            if shape.fill:
                yield _filling(shape, theme[shape.fill])
            if shape.stroke:
                yield _lining(shape, theme[shape.stroke])


def _has_core(shape: Rect | Circle | Path) -> bool:
    """Whether it is filled and framed, and something is left of it without its frame."""
    if not (shape.fill and shape.stroke):
        return False
    match shape:
        case Circle():
            return shape.radius > shape.line / 2
        case Rect():
            return not shape.dash and min(shape.width, shape.height) > shape.line
        case Path():
            around = sum(math.dist(*side) for side in _sides(shape.points))
            return not shape.dash and abs(_area(shape.points)) > 2 * around * shape.line


def _sides(corners: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """Each corner of a closed path with the one after it."""
    return zip(corners, (*corners[1:], *corners[:1]), strict=True)


def _area(corners: Sequence[Point]) -> float:
    """What a closed path goes round clockwise; the other way round it is below zero."""
    return sum(x * end_y - end_x * y for (x, y), (end_x, end_y) in _sides(corners)) / 2


_SHARPEST = 2.5  # how many times as far as the sides a corner may move


def _widened(points: Sequence[Point], by: float) -> Iterator[Point]:
    """The corners of a closed path whose sides are moved outwards by so much."""
    corners = [corner for corner, after in _sides(points) if corner != after]
    outwards = math.copysign(by, by * _area(corners))
    ways = [_direction(*side) for side in _sides(corners)]
    for (x, y), (right, down), (right_on, down_on) in zip(
        corners, (*ways[-1:], *ways[:-1]), ways, strict=True
    ):
        # The two sides meet again where both have moved.
        cosine = right * right_on + down * down_on
        far = outwards / max(1 + cosine, 2 / _SHARPEST**2)
        yield x + far * (down + down_on), y - far * (right + right_on)


def _direction(start: Point, end: Point) -> Point:
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _resized(shape: Rect | Circle | Path, by: float) -> Rect | Circle | Path:
    """The same shape, larger by so much on every side."""
    if isinstance(shape, Circle):
        return replace(shape, radius=shape.radius + by)
    if isinstance(shape, Path):
        return replace(shape, points=tuple(_widened(_seen(shape.points), by)))
    left, top, right, bottom = grown(_box(shape), by)
    radius = max(0.0, shape.radius + by) if shape.radius > 0 else 0.0
    return Rect(left, top, right - left, bottom - top, radius=radius)


def _filling(shape: Rect | Circle | Path, colour: str) -> Stroke:
    form, numbers, box = _outline(shape)
    return Stroke(Pen("fill", form), numbers, box, colour)


def _lining(shape: Rect | Circle | Path, colour: str) -> Stroke:
    form, numbers, box = _outline(shape)
    if form == "polygon":
        form = "line"
        is_open = isinstance(shape, Path) and not (shape.closed or shape.fill)
        # One that comes back to its start needs no pen of its own.
        numbers += () if is_open else numbers[:2]
    dash = not isinstance(shape, Circle) and shape.dash
    # The outlines of neighbours share an edge; that alone shall not part them, but a lone
    # line must cover something, or it could slip under what it crosses.
    margin = shape.line / 2 if isinstance(shape, Path) else max(0.0, shape.line / 2 - 1)
    pen = Pen("stroke", form, line=_in_halves(shape.line), dash=dash)
    return Stroke(pen, numbers, grown(box, margin), colour)


def _in_halves(length: float) -> float:
    """Lengths that nobody can tell apart share a pen: whole pixels of a fine screen."""
    return max(0.5, round(length * 2) / 2)


def _of_plain_rects(rect: Rect, theme: Theme) -> Iterator[Stroke]:
    """A rectangle as plain ones, which take four numbers each, and less where sizes are equal.

    If it is round, a thick line round its core has the corners; the same less thick, and the
    core, fill it.
    """
    radius, box = rect.radius, _box(rect)
    left, top, right, bottom = grown(box, -radius)
    core = (left, top, right - left, bottom - top)
    frames = [(2 * radius + rect.line, rect.stroke)]
    frames += [(2 * radius - rect.line, rect.fill)] if radius else []
    lines = [
        Stroke(
            Pen("stroke", "rect", line=_in_halves(line)),
            core,
            grown(box, max(0.0, line / 2 - radius - 1)),
            theme[role],
        )
        for line, role in frames
        if role
    ]
    filling = [Stroke(Pen("fill", "rect"), core, box, theme[rect.fill])] if rect.fill else []
    yield from [*lines, *filling] if radius else [*filling, *lines]


def _outline(shape: Rect | Circle | Path) -> tuple[Form, tuple[float, ...], Extent]:
    """The form of a shape, the numbers that give it, and its box."""
    match shape:
        case Rect():
            left, top, right, bottom = box = _box(shape)
            if shape.radius > 0 and not _has_round_joints(shape):
                return "polygon", tuple(_round_corners(shape)), box
            return "polygon", (left, top, right, top, right, bottom, left, bottom), box
        case Circle():
            circle = (shape.x, shape.y, shape.radius)
            point = (shape.x, shape.y, shape.x, shape.y)
            return "circle", circle, grown(point, shape.radius)
        case Path():
            xs, ys = zip(*(shape.points or ((0.0, 0.0),)), strict=True)
            flat = tuple(number for point in _seen(shape.points) for number in point)
            return "polygon", flat, (min(xs), min(ys), max(xs), max(ys))


def _has_round_joints(rect: Rect) -> bool:
    """Whether it is an outline whose line is so thick that its corners look round anyway."""
    return bool(rect.stroke and not rect.fill and rect.line * 1.5 >= rect.radius)


def _box(rect: Rect) -> Extent:
    return rect.x, rect.y, rect.x + rect.width, rect.y + rect.height


_UNSEEN = 0.2  # pixels that a point may be off its place


def _seen(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """The points without those that lie on the line between others, as far as one can see."""
    if len(points) < 3:
        return points
    (x, y), (end_x, end_y) = points[0], points[-1]
    across, down = end_x - x, end_y - y
    length = math.hypot(across, down)

    def offset(point: Point) -> float:
        right, below = point[0] - x, point[1] - y
        if length < _UNSEEN:
            return math.hypot(right, below)
        return abs(right * down - below * across) / length

    furthest = max(range(1, len(points) - 1), key=lambda at: offset(points[at]))
    if offset(points[furthest]) < _UNSEEN:
        return points[0], points[-1]
    return _seen(points[: furthest + 1])[:-1] + _seen(points[furthest:])


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
    usual = 0.75 if text.bold else 0.68
    width = text.size * sum(1.1 if ord(letter) > 0x2E7F else usual for letter in words)
    left = text.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    box = (left, text.y - text.size * 0.7, left + width, text.y + text.size * 0.7)
    colour = theme[text.fill]
    size = max(0.5, math.floor(text.size * 2) / 2)  # never larger: there may be no room
    letters = Letters(size, text.bold, text.anchor)
    pen = Pen("write", "words", letters=letters, colour=colour)
    return Stroke(pen, (text.x, text.y), box, colour, words)


def grown(box: Extent, by: float) -> Extent:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


class _Brush:
    """Sends commands to a canvas and sets only the attributes that change."""

    def __init__(self, canvas: Canvas, scale: float) -> None:
        self._canvas = canvas
        self._scale = scale
        self._in_parts: bool | None = None  # what the canvas counts in; unknown at first
        self._attributes: dict[str, object] = {}
        # Unknown at first: the canvas keeps the dashes of the picture before.
        self._dashes: list[float] | None = None

    def draw(self, command: Command) -> None:
        pen = command.pen
        if pen.letters is not None:
            self._write(command, pen.letters)
            return
        self._count_in_parts()
        if pen.act == "stroke":
            cap = "butt" if pen.dash else "round"
            self._set(line_width=_whole(pen.line), line_join="round", line_cap=cap)
            self._dash(map(_whole, dashes(pen.line)) if pen.dash else ())
        things, numbers, options = _told(command)
        colours = {stroke.colour for stroke in command.strokes}
        if len(colours) == 1:  # set once: an array of them would be larger
            self._set(**{f"{pen.act}_style": colours.pop()})
            getattr(self._canvas, f"{pen.act}_{things}")(*numbers, **options)
        else:
            tell = getattr(self._canvas, f"{pen.act}_styled_{things}")
            tell(*numbers, _colours(command), **options)

    @contextmanager
    def kept_within(self, spots: tuple[Extent, ...]) -> Iterator[None]:
        """Let nothing be drawn outside of these boxes; without any, all of the canvas is free."""
        if not spots:
            yield
            return
        canvas, scale = self._canvas, self._scale
        canvas.save()
        self._count_in_pixels()
        canvas.begin_path()
        for left, top, right, bottom in spots:
            canvas.rect(left * scale, top * scale, (right - left) * scale, (bottom - top) * scale)
        canvas.clip()
        yield
        canvas.restore()

    def _write(self, command: Command, letters: Letters) -> None:
        """Words are written in pixels: letters are made for the size that is asked for."""
        canvas, scale = self._canvas, self._scale
        self._count_in_pixels()
        size = f"{letters.size * scale:g}px {_FONT}"
        self._set(font=f"bold {size}" if letters.bold else size, text_baseline="middle")
        align = "center" if letters.anchor == "middle" else letters.anchor
        self._set(fill_style=command.pen.colour, text_align=align)
        for stroke in command.strokes:
            x, y = stroke.numbers
            canvas.fill_text(stroke.words, _nearest(x * scale), _nearest(y * scale))

    def _count_in_pixels(self) -> None:
        if self._in_parts is not False:
            self._canvas.reset_transform()
            self._in_parts = False

    def _count_in_parts(self) -> None:
        """Count in fine parts of a pixel from now on."""
        if not self._in_parts:
            step = self._scale / _FINE
            self._canvas.set_transform(step, 0, 0, step, 0, 0)
            self._in_parts = True

    def _set(self, **attributes: object) -> None:
        for name, value in attributes.items():
            if self._attributes.get(name) != value:
                setattr(self._canvas, name, value)
                self._attributes[name] = value

    def _dash(self, lengths: Iterable[float]) -> None:
        if (wanted := list(lengths)) != self._dashes:
            self._canvas.set_line_dash(wanted)
            self._dashes = wanted


def _told(command: Command) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """What a canvas calls the things to draw, their numbers, and how many points each has."""
    form = command.pen.form
    if form in ("rect", "circle"):
        return f"{form}s", tuple(_columns(command)), {}
    outlines = [stroke.numbers for stroke in command.strokes]
    if form == "line" and not all(map(_is_closed, outlines)):
        points, lengths = _points(outlines)
        return "line_segments", (points,), {"points_per_line_segment": lengths}
    if form == "line":
        outlines = [numbers[:-2] for numbers in outlines]
    points, lengths = _points(outlines)
    return "polygons", (points,), {"points_per_polygon": lengths}


def _is_closed(numbers: tuple[float, ...]) -> bool:
    return len(numbers) > 6 and numbers[:2] == numbers[-2:]


def _nearest(number: float) -> float:
    """The nearest whole number; one without end stays so."""
    return round(number) if math.isfinite(number) else number


def _whole(length: float) -> float:
    """A length in fine parts of a pixel."""
    return _nearest(length * _FINE)


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


def _points(shapes: list[tuple[float, ...]]) -> tuple[Numbers, npt.NDArray[np.uint16] | None]:
    """All points, and how many belong to each shape; None if there are as many in each."""
    lengths = [len(numbers) // 2 for numbers in shapes]
    points = _fine([number for numbers in shapes for number in numbers])
    if len(set(lengths)) == 1 and lengths[0] > 2:
        return points.reshape(len(lengths), lengths[0], 2), None
    return points, np.array(lengths, np.uint8 if max(lengths) < 256 else np.uint16)


def _colours(command: Command) -> npt.NDArray[np.uint8]:
    """Three bytes a stroke."""
    joined = "".join(stroke.colour[1:] for stroke in command.strokes)
    return np.frombuffer(bytes.fromhex(joined), np.uint8)
