"""The cover of the counting lab, which is no game but has a card among them."""

from __future__ import annotations

from castlelab.draw.layout import COVER
from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape

_GROUND = 222.0
_LEFT, _APART, _BROAD = 46.0, 46.0, 32.0
_HEIGHTS = (22.0, 38.0, 62.0, 94.0, 134.0, 180.0)
_ROLES = ("ramp-3", "ramp-4", "ramp-5", "ramp-6", "ramp-7", "ramp-8")


def lab_cover_scene() -> Scene:
    """Towers that grow like the bars of a plot, and the curve through their tops."""
    width, height = COVER
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "accent-soft"),
        *(Path(((28, y), (342, y)), None, "rule", 1.5) for y in (62.0, 102.0, 142.0, 182.0)),
        Path(((28, 16), (28, _GROUND), (342, _GROUND)), None, "line", 2.5),
    ]
    tops = []
    for place, (tall, role) in enumerate(zip(_HEIGHTS, _ROLES, strict=True)):
        left = _LEFT + place * _APART
        shapes += _tower(left, tall, role)
        tops.append((left + _BROAD / 2, _GROUND - tall - 16))
    shapes.append(Path(tuple(tops), None, "accent", 3.5, dash=True))
    shapes += [Circle(x, y, 5, "card", "accent", 3) for x, y in tops]
    words = "Six towers, each higher than the one before, and a curve through their tops."
    return Scene(width, height, tuple(shapes), (), "Counting lab", words)


def _tower(left: float, tall: float, role: str) -> list[Shape]:
    """A bar with three merlons on it."""
    merlon, top = _BROAD / 5, _GROUND - tall
    outline = [(left, _GROUND), (left, top)]
    for number in range(3):
        at = left + 2 * number * merlon
        outline += [(at, top), (at, top - 7), (at + merlon, top - 7), (at + merlon, top)]
    outline += [(left + _BROAD, top), (left + _BROAD, _GROUND)]
    return [Path(tuple(outline), role, "ink", 1.5, closed=True)]
