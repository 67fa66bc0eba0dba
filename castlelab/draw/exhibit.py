"""Things laid out to be counted: rows of tags, right and wrong examples, room for an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from castlelab.draw.layout import BOLD_LETTER, LETTER, Part, centred, joined, moved, wrapped
from castlelab.draw.scene import NARROW, Circle, Path, Point, Rect, Scene, Shape, Target, Text

Mark = Literal["", "yes", "no"]
NOT_YET = "?"  # where no answer is given

_EDGE, _GAP = 10.0, 5.0
_TAG, _LETTERS = 30.0, 14.0
_LINE = 19.0
_FINGER = 40.0  # what can be hit with a finger
_INDENT = 26.0  # of a row with a mark
_NUMBER = 20.0  # the size of an answer


@dataclass(frozen=True, slots=True)
class Tag:
    """A thing that is counted: what is written on it, and its colour by role."""

    words: str
    fill: str = "card"


@dataclass(frozen=True, slots=True)
class ExhibitRow:
    """Tags in a row with words over them; a mark says whether such a row counts.

    >>> tags("5 3", "accent")
    (Tag(words='5', fill='accent'), Tag(words='3', fill='accent'))
    """

    words: str = ""
    tags: tuple[Tag, ...] = ()
    mark: Mark = ""

    @property
    def told(self) -> str:
        """The row as it is spoken."""
        things = ", ".join(tag.words or "an empty place" for tag in self.tags)
        said = {"": "", "yes": "right", "no": "wrong"}[self.mark]
        told = ": ".join(filter(None, (self.words.rstrip(".:"), things)))
        return " – ".join(filter(None, (told, said)))


def tags(words: str | Iterable[object], fill: str = "card") -> tuple[Tag, ...]:
    """A tag for each word."""
    parts = words.split() if isinstance(words, str) else map(str, words)
    return tuple(Tag(each, fill) for each in parts)


@dataclass(frozen=True, slots=True)
class Answered:
    """A number that was given, whether it is right, and what shows why."""

    words: str
    mark: Mark = ""
    rows: tuple[ExhibitRow, ...] = ()


def exhibit_scene(
    rows: Sequence[ExhibitRow],
    answer: Answered | None = None,
    title: str = "How many?",
) -> Scene:
    """Rows over the place of an answer, which grows with what there is to show of one.

    >>> scene = exhibit_scene([ExhibitRow("Two sizes.", tags("5 3"))], Answered("3", "yes"))
    >>> [target.name for target in scene.targets]
    ['Two sizes: 5, 3', 'The answer 3 – right']
    """
    placed: list[Part] = []
    y = _EDGE
    for number, row in enumerate(rows, 1):
        part = _row(row)
        high = max(part.height, _FINGER)
        shapes = tuple(moved(shape, 0, y + (high - part.height) / 2) for shape in part.shapes)
        placed.append(Part(shapes, (Target(f"row {number}", row.told, 0, y, NARROW, high),)))
        y += high + _GAP
    shown = answer or Answered(NOT_YET)
    height = _answer(shown).height
    placed.append(_answer_place(shown, y + _GAP, height))
    told = " ".join(f"{row.told.rstrip('.?')}." for row in rows)
    return joined(placed, NARROW, y + _GAP + height + _EDGE).scene(title, told)


def _answer_place(shown: Answered, y: float, height: float) -> Part:
    frame = (_EDGE / 2, y, NARROW - _EDGE, height)
    shapes: list[Shape] = [Rect(*frame, "panel", "line", 1.5, 8)]
    shapes += [moved(shape, 0, y) for shape in _answer(shown).shapes]
    given = "none yet" if shown.words == NOT_YET else shown.words
    if shown.words == NOT_YET:  # on paper there is room of its own for an answer
        shapes = [_on_screen(shape) for shape in shapes]
    told = [f"The answer {shown.words}" if shown.mark else f"Your answer: {given}"]
    told += [{"": "", "yes": "right", "no": "wrong"}[shown.mark]]
    told += [row.told for row in shown.rows]
    return Part(tuple(shapes), (Target("answer", " – ".join(filter(None, told)), *frame),))


def _on_screen(shape: Shape) -> Shape:
    return replace(shape, screen_only=True) if isinstance(shape, Rect | Text) else shape


def _answer(shown: Answered) -> Part:
    """A number with its mark, over the rows that show why."""
    middle = _EDGE + _NUMBER / 2
    shapes: list[Shape] = [*_sign(shown.mark, 2 * _EDGE + 2, middle)]
    x = 2 * _EDGE + (16 if shown.mark else 0)
    shapes.append(Text(x, middle, shown.words, _NUMBER, "ink", bold=True))
    y = 2 * _EDGE + _NUMBER
    for row in shown.rows:
        part = _row(row)
        shapes += [moved(shape, _EDGE / 2, y) for shape in part.shapes]
        y += part.height + _GAP
    return Part.of(shapes, width=NARROW, height=y + _GAP)


def _row(row: ExhibitRow) -> Part:
    """Words and tags, a mark at their left if there is one."""
    left = _EDGE + (_INDENT if row.mark else 0)
    room = NARROW - left - 2 * _EDGE
    shapes: list[Shape] = []
    y = 0.0
    for line in wrapped(row.words, room, _LETTERS * LETTER):
        shapes.append(Text(left, y + _LINE / 2, line, _LETTERS))
        y += _LINE
    x = left
    if row.tags:
        y += 2
    for tag in row.tags:
        wide = max(_TAG, len(tag.words) * _LETTERS * BOLD_LETTER + 14)
        if x > left and x + wide > left + room:
            x, y = left, y + _TAG + _GAP
        frame = (x, y, wide, _TAG)
        on = f"on-{tag.fill}" if tag.fill not in _PLAIN else "ink"
        shapes.append(Rect(*frame, tag.fill, "line", 1.2, 6))
        if tag.words:
            shapes.append(centred(frame, tag.words, _LETTERS, on, bold=True))
        x += wide + _GAP
    y += _TAG if row.tags else 0
    shapes += _sign(row.mark, _EDGE + 9, min(y, _LINE) / 2 if row.words else y / 2)
    return Part.of(shapes, width=NARROW, height=y)


_PLAIN = ("card", "paper", "panel", "sunk", "good-soft", "bad-soft", "accent-soft", "warn-soft")


def _sign(mark: Mark, x: float, y: float) -> Iterator[Shape]:
    """A tick or a cross: told apart by its shape, too."""
    if not mark:
        return
    fill = "good" if mark == "yes" else "bad"
    yield Circle(x, y, 9, fill)
    lines: tuple[tuple[Point, ...], ...] = (((-4, 0), (-1, 4), (4, -4)),)
    if mark == "no":
        lines = (((-4, -4), (4, 4)), ((-4, 4), (4, -4)))
    for line in lines:
        yield Path(tuple((x + dx, y + dy) for dx, dy in line), None, f"on-{fill}", 2)
