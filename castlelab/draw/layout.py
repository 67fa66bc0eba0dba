"""Parts of a picture: laid side by side, gathered under a name, made into a scene.

A part is drawn where it will lie, so putting parts together is only adding up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from castlelab.draw.scene import Circle, Happening, Path, Point, Rect, Scene, Shape, Target, Text

T = TypeVar("T")
Frame = tuple[float, float, float, float]  # left, top, width, height

LETTER = 0.56  # how wide a letter is beside its size, in the widest usual font
BOLD_LETTER = 0.6
_LEAST_LETTERS = 9.0  # smaller ones cannot be read


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a picture: what is drawn, what can be picked, how much room it takes.

    ``happenings`` is what happens there when the picture comes.
    """

    shapes: tuple[Shape, ...] = ()
    targets: tuple[Target, ...] = ()
    width: float = 0.0
    height: float = 0.0
    happenings: tuple[Happening, ...] = ()

    @staticmethod
    def of(
        shapes: Iterable[Shape] = (),
        targets: Iterable[Target] = (),
        width: float = 0.0,
        height: float = 0.0,
        happenings: Iterable[Happening] = (),
    ) -> Part:
        """A part of whatever shapes and targets there are."""
        return Part(tuple(shapes), tuple(targets), width, height, tuple(happenings))

    def scene(self, title: str, words: str) -> Scene:
        """The part as a finished picture."""
        size = self.width, self.height
        return Scene(*size, self.shapes, self.targets, title, words, self.happenings)


def joined(parts: Iterable[Part], width: float = 0.0, height: float = 0.0) -> Part:
    """Parts as one, the later ones in front.

    >>> joined([Part(width=9), Part.of([Text(0, 0, "Gate")])], 30, 20).width
    30
    """
    parts = tuple(parts)
    return Part(
        tuple(shape for each in parts for shape in each.shapes),
        tuple(target for each in parts for target in each.targets),
        width,
        height,
        tuple(happening for each in parts for happening in each.happenings),
    )


def grouped(whole: Part, group: str) -> Part:
    """A part whose targets are told together, under a name."""
    return replace(whole, targets=tuple(replace(each, group=group) for each in whole.targets))


# -- places ----------------------------------------------------------------------------------


def in_rows(
    things: Iterable[T], columns: int, x: float, y: float, across: float, down: float
) -> Iterator[tuple[T, float, float]]:
    """Things with their places in rows, so far apart, the first at (x, y).

    >>> list(in_rows("abc", 2, 10, 20, 30, 40))
    [('a', 10, 20), ('b', 40, 20), ('c', 10, 60)]
    """
    for number, thing in enumerate(things):
        row, column = divmod(number, columns)
        yield thing, x + column * across, y + row * down


def rows(count: int, columns: int) -> int:
    """How many rows so many things fill.

    >>> rows(4, 2), rows(5, 2), rows(0, 2)
    (2, 3, 0)
    """
    return -(-count // columns)


def moved(shape: Shape, dx: float, dy: float) -> Shape:
    """The same shape elsewhere."""
    if isinstance(shape, Path):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


def shrunk(shape: Shape, x: float, y: float, scale: float, least_letters: float = 12) -> Shape:
    """A shape made smaller towards a point; its words stay large enough to be read."""

    def to(px: float, py: float) -> Point:
        return x + (px - x) * scale, y + (py - y) * scale

    if isinstance(shape, Path):
        return replace(shape, points=tuple(to(*point) for point in shape.points))
    left, top = to(shape.x, shape.y)
    match shape:
        case Rect():
            size = {name: getattr(shape, name) * scale for name in ("width", "height", "radius")}
            return replace(shape, x=left, y=top, **size)
        case Circle():
            return replace(shape, x=left, y=top, radius=shape.radius * scale)
        case Text():
            return replace(shape, x=left, y=top, size=max(least_letters, shape.size * scale))


# -- words -----------------------------------------------------------------------------------


def fitting(
    words: str, room: float, size: float, letter: float = LETTER, step: float = 0.5
) -> float:
    """The size of letters that keeps words within their room, as far as they can be read.

    It changes in steps, since words of one size share their commands.

    >>> fitting("Wall", 60, 12), fitting("Travelling", 40, 12)
    (12.0, 9.0)
    """
    size = min(size, room / (letter * max(1, len(words))))
    return max(size / step // 1 * step, _LEAST_LETTERS)


def wrapped(words: str, room: float, letter: float) -> list[str]:
    """Words in lines that fit into a room; ``letter`` is how wide one is.

    >>> wrapped("Have 4 recruits on walls.", 90, 7.3)
    ['Have 4', 'recruits on', 'walls.']
    """
    lines: list[str] = []
    for word in words.split():
        if lines and (len(lines[-1]) + 1 + len(word)) * letter <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def caption(x: float, y: float, words: str, size: float = 14) -> Text:
    """A few words above or beside the things that they name."""
    return Text(x, y, words, size, "ink", bold=True)


def headline(first: str, second: str, small: float = 13) -> tuple[Shape, ...]:
    """The two lines above a table: whose turn it is, and what is to do."""
    return caption(10, 17, first, 17), Text(10, 39, second, small, "muted")


def centred(
    frame: Frame, words: str, size: float, fill: str = "ink", *, bold: bool = False
) -> Text:
    """Words in the middle of a box."""
    x, y, width, height = frame
    return Text(x + width / 2, y + height / 2, words, size, fill, "middle", bold)


def button_part(
    key: str, words: str, frame: Frame, group: str = "", edge: str | None = None, name: str = ""
) -> Part:
    """Something to press, with its words on it; a ``name`` says more than a sign such as +."""
    shapes = (
        Rect(*frame, "accent", edge, 1, 8, screen_only=True),
        replace(centred(frame, words, 15, "on-accent", bold=True), screen_only=True),
    )
    return Part(shapes, (Target(key, name or words, *frame, group=group),), *frame[2:])


def stepper_part(things: str, number: int, width: float) -> Part:
    """How many things there are, between buttons for one less and one more.

    >>> [target.id for target in stepper_part("sizes", 4, 200).targets]
    ['sizes −', 'sizes +']
    """
    buttons = []
    for sign, x, told in (("−", 0.0, "less"), ("+", width - 42, "more")):
        button = button_part(f"{things} {sign}", sign, (x, 0, 42, 42))
        named = (replace(target, name=f"{things}: one {told}") for target in button.targets)
        buttons.append(replace(button, targets=tuple(named)))
    words = centred((0, 0, width, 42), f"{number} {things}", 15, bold=True)
    return joined([*buttons, Part.of([words])], width, 42)


def sum_part(lines: Iterable[tuple[str, str]], width: float, least: int = 0) -> Part:
    """A sum line by line: words, and a number with its sign; the one that begins with = is its end.

    ``least`` is for how many lines there is room at least.

    >>> sum_part([("all", "36"), ("off", "− 16"), ("left", "= 20")], 160).height
    72.0
    """
    shapes: list[Shape] = []
    y = 0.0
    for words, number in lines:
        if is_end := number.startswith("="):
            shapes.append(Path(((0, y), (width, y)), None, "line", 1.5))
        shapes.append(Text(0, y + 12, words, 15, "ink", bold=is_end))
        shapes.append(Text(width, y + 12, number, 15, "ink", "end", bold=True))
        y += 24
    return Part.of(shapes, (), width, max(y, least * 24))


#: How large a cover is. A card shows all of it, or the square in its middle.
COVER = (360.0, 250.0)


def wordless(shapes: Iterable[Shape]) -> list[Shape]:
    """Shapes without their letters and numbers, which nobody could read on a small cover."""
    return [shape for shape in shapes if not isinstance(shape, Text)]


# -- parts one below the other ---------------------------------------------------------------


def shifted(part: Part, dx: float, dy: float) -> Part:
    """The same part elsewhere; its size goes on from where it was.

    >>> shifted(Part.of([Text(0, 0, "Gate")], width=9, height=5), 1, 2).height
    7
    """
    return replace(
        part,
        shapes=tuple(moved(shape, dx, dy) for shape in part.shapes),
        targets=tuple(replace(each, x=each.x + dx, y=each.y + dy) for each in part.targets),
        width=part.width + dx,
        height=part.height + dy,
    )


def stacked(parts: Iterable[Part], gap: float = 10.0) -> Part:
    """Parts one below the other, so far apart, at the same left edge.

    >>> stacked([Part(width=9, height=5), Part(width=4, height=5)], gap=2).height
    12.0
    """
    placed: list[Part] = []
    y = 0.0
    for part in parts:
        placed.append(shifted(part, 0, y))
        y += part.height + gap
    width = max((part.width for part in placed), default=0.0)
    return joined(placed, width, max(0.0, y - gap))


def part_of(scene: Scene) -> Part:
    """A finished picture as a part of another."""
    return Part(scene.shapes, scene.targets, scene.width, scene.height, scene.happenings)


def both_widths(draw: Callable[[bool], Part], title: str, words: str) -> Scene:
    """A picture for wide pages and for narrow ones; ``draw`` is told whether it is narrow."""
    wide = draw(False).scene(title, words)
    return replace(wide, narrow=lambda: draw(True).scene(title, words))
