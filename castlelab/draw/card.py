"""A card as a picture: words, a picture if there is one, and what can be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from castlelab.draw.layout import LETTER, Part, caption, centred, joined, moved, wrapped
from castlelab.draw.scene import Rect, Scene, Shape, Text

_LEAST = 480.0  # pixels: narrower ones would break a sentence too often
_WORDS, _BUTTON = 16.0, 14.0  # the sizes of letters
_ROOM = 0.64  # how wide a bold letter may be beside its size
_EDGE, _GAP = 10.0, 8.0
_HIGH = 32.0  # a button


def card_scene(
    words: str, picture: Scene | None = None, choices: Iterable[str] = (), more: str = ""
) -> Scene:
    """The words of a card over its picture, with its buttons and lesser words below.

    >>> scene = card_scene("How many?", choices=["one", "two"])
    >>> [shape.words for shape in scene.shapes if isinstance(shape, Text)]
    ['How many?', 'one', 'two']
    """
    width = max(_LEAST, picture.width if picture else 0)
    parts = [
        _lines(words, width, _WORDS, bold=True),
        _pictured(picture),
        _buttons(choices, width),
        _lines(more, width, _BUTTON),
    ]
    placed, y = [], 0.0
    for part in parts:
        if part.height:
            placed.append(Part(tuple(moved(shape, 0, y) for shape in part.shapes)))
            y += part.height
    told = picture.description if picture else more
    return joined(placed, width, y).scene(" ".join(words.split()), told)


def _pictured(picture: Scene | None) -> Part:
    return Part(picture.shapes, (), picture.width, picture.height) if picture else Part()


def _lines(words: str, width: float, size: float, *, bold: bool = False) -> Part:
    """Words in as many lines as they need; each line of theirs begins a new one."""
    room, letter = width - 2 * _EDGE, size * (_ROOM if bold else LETTER)
    lines = [line for given in words.splitlines() for line in wrapped(given, room, letter)]
    step = size * 1.4

    def written(line: str, number: int) -> Text:
        y = _GAP + step * (number + 0.5)
        return caption(_EDGE, y, line, size) if bold else Text(_EDGE, y, line, size)

    shapes = (written(line, number) for number, line in enumerate(lines))
    return Part.of(shapes, width=width, height=2 * _GAP + step * len(lines) if lines else 0.0)


def _buttons(choices: Iterable[str], width: float) -> Part:
    """Buttons side by side, on as many lines as they need."""
    shapes: list[Shape] = []
    x, y = _EDGE, _GAP
    for words in choices:
        wide = min(len(words) * _BUTTON * LETTER + 24, width - 2 * _EDGE)
        if x > _EDGE and x + wide > width - _EDGE:
            x, y = _EDGE, y + _HIGH + _GAP
        shapes += _button(words, (x, y, wide, _HIGH))
        x += wide + _GAP
    return Part.of(shapes, width=width, height=y + _HIGH + _GAP if shapes else 0.0)


def _button(words: str, frame: tuple[float, float, float, float]) -> Iterator[Shape]:
    yield Rect(*frame, "paper", "line", 1.5, 8)
    yield centred(frame, words, _BUTTON)
