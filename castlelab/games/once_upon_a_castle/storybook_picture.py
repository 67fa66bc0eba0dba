"""A castle out of a storybook, piece by piece: each is drawn, or waits in pencil.

Every piece is a list of shapes. What is not there yet is the dotted outline of the same
piece, so that a picture may be finished by and by. A small castle is drawn with fewer strokes:
its windows have no outlines, and its curves fewer points. So a table with four of them is
still one small message.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from castlelab.draw.scene import Circle, Path, Point, Rect, Shape, Text
from castlelab.draw.theme import add_family

add_family(
    "story",
    {
        "sky": "#d3e9f6 #1a2440",
        "cloud": "#ffffff #44536f",
        "far": "#bcd8c2 #23363a",
        "hill": "#a3cd8d #2b4634",
        "meadow": "#86b971 #1f3527",
        "path": "#ecd9ae #574a33",
        "stone": "#d9cfc0 #8a8075",
        "shade": "#bfb2a0 #6f655b",
        "brick": "#e3b48e #b27d58",
        "glass": "#4a3f5c #2a2136",
        "pencil": "#54656f #a3b1c4",
    },
)
#: The colours of roofs and clothes, in turn.
BRIGHT = ("hue-red", "seat-0", "hue-purple", "hue-teal")
_LEAST_WORDS = 12.0  # smaller letters cannot be read
_LARGE = 30.0  # what is smaller has fewer parts
_OUTLINED = 13.5  # … and what is less wide than this no outline
_OFF = 0.4  # pixels that a curve may be off its place


def pencil(points: Iterable[Point], closed: bool = True) -> Path:
    """A dotted outline of something that is not there yet."""
    return Path(tuple(points), None, "story-pencil", 1.1, closed, dash=True)


def detail(points: Iterable[Point], fill: str, width: float, line: float = 1.2) -> Path:
    """A piece of another one, as wide as that; a small one is but a spot of colour."""
    return Path(tuple(points), fill, "ink" if width >= _OUTLINED else None, line, True)


def arc(x: float, y: float, across: float, down: float, start: float, end: float) -> list[Point]:
    """Points on an ellipse round (x, y); the angles are in turns, clockwise from the right.

    There are as many as it takes to look round.
    """
    bend = max(_OFF, min(across, down))
    steps = max(3, round(abs(end - start) * math.pi / math.acos(1 - _OFF / bend)))
    angles = (2 * math.pi * (start + (end - start) * n / steps) for n in range(steps + 1))
    return [(x + across * math.cos(angle), y + down * math.sin(angle)) for angle in angles]


# -- land and sky ----------------------------------------------------------------------------


def land(x: float, y: float, width: float, height: float, ground: float) -> list[Shape]:
    """Sky, far hills, and the hill that a castle stands on, its top at ``ground``."""
    bottom = y + height
    far = ground - height * 0.07
    waves = [
        (x + width * n / 8, far + height * 0.03 * math.sin(n * 1.9) - height * 0.02)
        for n in range(9)
    ]
    hill = [
        (x + width * n / 10, ground + (bottom - ground) * 0.22 * ((n - 5) / 5) ** 2)
        for n in range(11)
    ]
    floor = ((x + width, bottom), (x, bottom))
    return [
        Rect(x, y, width, height, "story-sky"),
        Path((*waves, *floor), "story-far", None, 1, True),
        Path((*hill, *floor), "story-hill", None, 1, True),
    ]


def sun(x: float, y: float, radius: float, words: str, drawn: bool) -> list[Shape]:
    """The sun with its rays, and what is written on it."""
    count = 12 if 2 * radius >= _LARGE else 8
    rays = [
        (
            (x + radius * 1.2 * math.cos(angle), y + radius * 1.2 * math.sin(angle)),
            (x + radius * 1.5 * math.cos(angle), y + radius * 1.5 * math.sin(angle)),
        )
        for angle in (2 * math.pi * (n + 0.5) / count for n in range(count))
    ]
    if not drawn:
        disc = [pencil(arc(x, y, radius, radius, 0, 1)), *(pencil(ray, False) for ray in rays)]
        outline = [pencil(_star(x, y, radius))] if 2 * radius < _LARGE else disc
        return [*outline, _faint(x, y, words, radius * 0.9)]
    return [
        *(Path(ray, None, "hue-yellow", max(2.0, radius * 0.12)) for ray in rays),
        Circle(x, y, radius, "hue-yellow", "ink", 1.2),
        *_written(x, y, words, radius * 0.95, "on-hue-yellow"),
    ]


def _star(x: float, y: float, radius: float) -> list[Point]:
    """The outline of a little sun: as many points as it has rays, twice."""
    reach = (radius * 1.5, radius * 1.05)
    angles = (math.pi * (n + 0.5) / 8 for n in range(16))
    return [
        (x + reach[n % 2] * math.cos(angle), y + reach[n % 2] * math.sin(angle))
        for n, angle in enumerate(angles)
    ]


def cloud(x: float, y: float, size: float, words: str, drawn: bool) -> list[Shape]:
    """A cloud, twice as wide as its size, and what is written on it."""
    outline = [
        *arc(x - size * 0.55, y + size * 0.12, size * 0.45, size * 0.38, 0.25, 0.72),
        *arc(x - size * 0.05, y - size * 0.2, size * 0.5, size * 0.45, 0.56, 0.96),
        *arc(x + size * 0.58, y + size * 0.1, size * 0.42, size * 0.4, 0.74, 1.25),
    ]
    if not drawn:
        return [pencil(outline), _faint(x, y + size * 0.08, words, size * 0.55)]
    return [
        Path(tuple(outline), "story-cloud", "ink", 1.2, True),
        *_written(x, y + size * 0.08, words, size * 0.6, "on-story-cloud"),
    ]


# -- what is built ---------------------------------------------------------------------------


def tower(
    x: float, ground: float, width: float, height: float, roof: str, words: str, drawn: bool
) -> list[Shape]:
    """A round tower under a pointed roof, with a shield for what is written on it.

    ``x`` is its middle; the roof goes on top of ``height``.
    """
    half, top, large = width / 2, ground - height, width >= _LARGE
    eaves, tip, bow = half * 1.3, top - width * 1.15, width * 0.1 * large
    body = [(x - half, top), *arc(x, ground, half, bow, 0.5, 0.0), (x + half, top)]
    cone = [*arc(x, top, eaves, bow, 0.5, 0.0), (x, tip)]
    level = ground - height * 0.4
    if not drawn:
        plate = [shield(x, level, width * 0.34)] if large else []
        return [*map(pencil, (body, cone, *plate))]
    side = (
        *((x + half * 0.4, top), (x + half * 0.4, ground + bow * 0.9)),
        *((x + half * 0.9, ground + bow * 0.4), (x + half, ground), (x + half, top)),
    )
    shine = ((x, tip), (x - eaves * 0.72, top + bow * 0.5), (x - eaves * 0.3, top + bow * 0.9))
    return [
        Path(tuple(body), "story-stone", "ink", 1.2, True),
        Path(side, "story-shade", None, 1, True),
        *_window(x, top + height * 0.22, width * 0.2, width * 0.34),
        Path(tuple(cone), roof, "ink", 1.2, True),
        *[Path(shine, "story-stone", None, 1, True)] * large,
        Circle(x, tip, max(1.8, width * 0.07), "hue-yellow", "ink" if large else None, 1),
        _plate(x, level, width * 0.34),
        *_written(x, level, words, width * 0.42, "ink"),
    ]


def _plate(x: float, y: float, size: float) -> Shape:
    """What is written on: a shield, or a disc where that is too small to be told."""
    if 3 * size < _LARGE:
        return Circle(x, y, size * 1.1, "paper", "ink", 1.2)
    return Path(tuple(shield(x, y, size)), "paper", "ink", 1.2, True)


def shield(x: float, y: float, size: float) -> list[Point]:
    """A shield round (x, y)."""
    down = [*arc(x, y + size * 0.1, size, size * 1.2, 0.0, 0.5)]
    return [(x - size, y - size), (x + size, y - size), *down]


def wall(x: float, ground: float, width: float, height: float, drawn: bool) -> list[Shape]:
    """A wall with battlements; ``x`` is its left end."""
    teeth = max(2, round(width / 14))
    tooth, top = width / (2 * teeth - 1), ground - height
    notch = min(height * 0.16, tooth * 1.1)
    outline: list[Point] = [(x, ground)]
    for n in range(2 * teeth - 1):
        level = top if n % 2 == 0 else top + notch
        outline += [(x + n * tooth, level), (x + (n + 1) * tooth, level)]
    outline.append((x + width, ground))
    if not drawn:
        return [pencil(outline)]
    stones: list[Shape] = []
    for course in range(3 if height >= 1.5 * _LARGE else 0):
        level = top + notch + (height - notch) * (course + 0.6) / 3.4
        start = x + width * (0.12, 0.5, 0.25)[course]
        stones.append(Path(((start, level), (start + width * 0.3, level)), None, "story-shade", 2))
    return [Path(tuple(outline), "story-stone", "ink", 1.2, True), *stones]


def donjon(x: float, ground: float, width: float, height: float) -> Rect:
    """The walls of all floors that are drawn; ``x`` is their middle."""
    return Rect(x - width / 2, ground - height, width, height, "story-brick", "ink", 1.2)


def storey(
    x: float, ground: float, width: float, height: float, drawn: bool, *, door: bool = False
) -> list[Shape]:
    """A floor of the donjon with its two windows, on its walls; ``x`` is its middle."""
    half, top = width / 2, ground - height
    panes = [window_outline(place, top + height * 0.54, height) for place in windows(x, width)]
    gate = [
        (x - width * 0.09, ground),
        *arc(x, ground - height * 0.42, width * 0.09, height * 0.2, 0.5, 1.0),
        (x + width * 0.09, ground),
    ]
    if not drawn:
        outline = ((x - half, ground), (x - half, top), (x + half, top), (x + half, ground))
        openings = [*panes, *[gate] * door] if height >= _LARGE else []
        return [*map(pencil, (outline, *openings))]
    edge = "ink" if height >= _LARGE else None
    return [
        Rect(x - half * 1.05, top, width * 1.05, height * 0.1, "story-stone", edge, 1),
        *(detail(pane, "story-glass", height * 0.58) for pane in panes),
        *[detail(gate, "hue-brown", width * 0.18)] * door,
    ]


def windows(x: float, width: float) -> tuple[float, float]:
    """Where the two windows of a floor are, from left to right."""
    return x - width * 0.27, x + width * 0.27


def window_outline(x: float, y: float, height: float) -> list[Point]:
    """An arched window of a floor of that height, round (x, y)."""
    half, sill = height * 0.29, y + height * 0.3
    return [(x - half, sill), *_arch(x, y - height * 0.04, half), (x + half, sill)]


def _arch(x: float, y: float, half: float) -> list[Point]:
    """The upper end of a window: round, or pointed if it is small."""
    if 2 * half < _OUTLINED:
        return [(x - half, y), (x, y - half), (x + half, y)]
    return arc(x, y, half, half, 0.5, 1.0)


def roof(x: float, foot: float, width: float, height: float, drawn: bool) -> list[Shape]:
    """The roof of the donjon with a pennant on its top; ``x`` is its middle."""
    half, top = width * 0.58, foot - height * 0.62
    slopes = ((x - half, foot), (x - half * 0.45, top), (x + half * 0.45, top), (x + half, foot))
    mast = ((x, top), (x, foot - height))
    cloth = (
        (x, foot - height),
        (x + height * 0.4, foot - height * 0.9),
        (x, foot - height * 0.8),
    )
    if not drawn:
        return [pencil(slopes), pencil(mast, closed=False), pencil(cloth)]
    tiles = [
        Path(((x + half * a, foot), (x + half * 0.42 * a, top)), None, "ink", 0.8)
        for a in (-0.5, 0.0, 0.5)
    ]
    return [
        Path(slopes, "hue-red", "ink", 1.2, True),
        *tiles,
        Path(mast, None, "ink", 1.6 if height >= 1.5 * _LARGE else 1.2),
        detail(cloth, "hue-yellow", height * 0.4, 1),
    ]


def flag(x: float, foot: float, height: float, words: str, drawn: bool) -> list[Shape]:
    """A flag on a pole, and what is written on its cloth."""
    top, width, drop = foot - height, height * 0.58, height * 0.46
    cloth = (
        (x, top),
        (x + width, top + drop * 0.08),
        (x + width * 0.84, top + drop * 0.5),
        (x + width, top + drop * 0.92),
        (x, top + drop),
    )
    if not drawn:
        return [pencil(((x, foot), (x, top)), closed=False), pencil(cloth)]
    return [
        Path(((x, foot), (x, top)), None, "ink", 1.6 if height >= _LARGE else 1.2),
        detail(cloth, "hue-yellow", width, 1),
        *_written(x + width * 0.45, top + drop / 2, words, drop * 0.85, "on-hue-yellow"),
    ]


# -- who lives there -------------------------------------------------------------------------


def resident(x: float, foot: float, height: float, dress: str, drawn: bool) -> list[Shape]:
    """A little person; ``x`` is the middle."""
    head, neck = height * 0.2, foot - height * 0.62
    robe = ((x - height * 0.26, foot), (x, neck - height * 0.06), (x + height * 0.26, foot))
    if not drawn:
        return [pencil([*robe[:1], *arc(x, neck - head, head, head, 0.36, 1.14), robe[-1]])]
    return [
        Path(robe, dress, "ink", 0.9, True),
        Circle(x, neck - head * 0.6, head, "ramp-2", "ink", 0.9),
    ]


#: What a guest wears, as points round the middle of the brow.
_HATS: dict[str, tuple[Point, ...]] = {
    "crown": (
        *((-0.5, 0.0), (-0.6, -0.7), (-0.2, -0.3), (0.0, -0.8)),
        *((0.2, -0.3), (0.6, -0.7), (0.5, 0.0)),
    ),
    "bolt": (
        *((0.25, -1.0), (-0.35, -0.35), (0.0, -0.35)),
        *((-0.2, 0.1), (0.4, -0.5), (0.05, -0.5)),
    ),
    "hourglass": ((-0.4, -0.95), (0.4, -0.95), (-0.4, 0.05), (0.4, 0.05)),
}
_PLAIN_HAT = ((-0.65, 0.0), (-0.3, -0.1), (-0.1, -0.75), (0.25, -0.1), (0.65, 0.0))


def hat(x: float, brow: float, size: float, kind: str) -> Path:
    """A crown, a bolt, an hourglass or a plain hat, for a face of that size."""
    points = tuple((x + a * size, brow + b * size) for a, b in _HATS.get(kind, _PLAIN_HAT))
    return Path(points, "hue-yellow" if kind in _HATS else "hue-red", "ink", 0.8, True)


def face(x: float, y: float, size: float, kind: str) -> list[Shape]:
    """A smiling face under its hat; far away there is little more of it than eyes."""
    head, large = size * 0.5, size * 1.2 >= _OUTLINED
    eye, ink = max(0.7, size * 0.06), "on-ramp-2"
    smile = arc(x, y + head * 0.15, head * 0.45, head * 0.4, 0.05, 0.45)
    shapes: list[Shape] = [
        Circle(x, y, head, "ramp-2", "ink" if large else None, 0.9),
        Circle(x - head * 0.35, y - head * 0.05, eye, ink),
        Circle(x + head * 0.35, y - head * 0.05, eye, ink),
    ]
    if not large:
        return shapes
    return [*shapes, Path(tuple(smile), None, ink), hat(x, y - size * 0.28, size, kind)]


# -- words -----------------------------------------------------------------------------------


def _window(x: float, y: float, half: float, height: float) -> list[Shape]:
    outline = [(x - half, y + height / 2), *_arch(x, y - height * 0.2, half)]
    return [detail((*outline, (x + half, y + height / 2)), "story-glass", 2 * half, 1)]


def _written(x: float, y: float, words: str, size: float, role: str) -> list[Shape]:
    return [Text(x, y, words, max(size, _LEAST_WORDS), role, "middle", bold=True)] if words else []


def _faint(x: float, y: float, words: str, size: float) -> Text:
    """What will be written there once it is drawn."""
    return Text(x, y, words, max(size, _LEAST_WORDS), "on-story-sky", "middle")
