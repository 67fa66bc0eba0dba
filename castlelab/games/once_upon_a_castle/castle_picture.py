"""The castles of Once Upon a Castle in pictures, and the path of their residents."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from castlelab.draw.layout import Part, caption
from castlelab.draw.scene import (
    NARROW,
    Path,
    Piece,
    Point,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    as_piece,
)
from castlelab.games.once_upon_a_castle import storybook_picture as storybook
from castlelab.games.once_upon_a_castle.board_picture import LEAST, LEAST_THERE, PAD, PAGE
from castlelab.games.once_upon_a_castle.box import Track, house_box
from castlelab.games.once_upon_a_castle.castle import FLAG_ROOM, MAIN_PARTS, MOST, Castle
from castlelab.games.once_upon_a_castle.guests import Guest
from castlelab.games.once_upon_a_castle.scoring import CLOUD, SMALL_CLOUD, SUN, score
from castlelab.rules import counted as count_words  # pictures may be counted or not

# Where the parts of a castle stand on a picture 400 wide. The broad walls come first: they
# are the two that carry two flags.
_PAGE = 400.0
_GROUND = 214.0
_FOOT = 240.0  # the lower edge, where nobody walks on a path below
_TOWERS = ((28.0, 40.0, 92.0), (372.0, 40.0, 92.0), (114.0, 36.0, 116.0), (286.0, 36.0, 116.0))
_WALLS = ((48.0, 48.0, 54.0), (304.0, 48.0, 54.0), (132.0, 26.0, 62.0), (242.0, 26.0, 62.0))
_DONJON = (200.0, 84.0, 34.0)
_ROOF = 56.0
_FLAG = 40.0
_SUN, _CLOUD = (44.0, 44.0, 20.0), (346.0, 42.0, 30.0)
_SMALL_CLOUDS = ((102.0, 24.0, 17.0), (152.0, 30.0, 17.0), (262.0, 26.0, 17.0))


class _Page(NamedTuple):
    """Where a picture of a castle lies, and how large it is."""

    x: float
    y: float
    scale: float

    def across(self, x: float) -> float:
        return self.x + x * self.scale

    def down(self, y: float) -> float:
        return self.y + y * self.scale


def castle_part(
    castle: Castle,
    x: float,
    y: float,
    width: float,
    track: Track | None = None,
    key: str = "",
    counted: bool = True,
) -> Part:
    """A castle as it is drawn so far; what is missing waits in pencil.

    With a track its residents walk on a path below; uncounted, none of its groups is lit.
    ``key`` tells it from other castles.
    """
    scale = width / _PAGE
    page = _Page(x, y, scale)
    rows = _track_rows(track) if track is not None else []
    height = (_FOOT + 44 * len(rows) + 6 * bool(rows)) * scale
    shapes = storybook.land(x, y, width, height, page.down(_GROUND))
    if track is not None:
        shapes += _path(castle, rows, page, counted)
    shapes += _sky(castle, page)
    for number, (left, breadth, high) in enumerate(_WALLS):
        drawn = number < castle.walls
        foot = page.across(left), page.down(_GROUND)
        wall = storybook.wall(*foot, breadth * scale, high * scale, drawn)
        shapes += as_piece(wall, Piece("wall", f"{key} wall {number}")) if drawn else wall
    for number in range(FLAG_ROOM[MOST]):
        shapes += _flag(castle, number, page)
    for number, (middle, breadth, high) in enumerate(_TOWERS):
        drawn = number < len(castle.towers)
        words = str(castle.towers[number]) if drawn else ""
        size = breadth * scale, high * scale
        at = page.across(middle), page.down(_GROUND)
        tower = storybook.tower(*at, *size, storybook.BRIGHT[number], words, drawn)
        shapes += as_piece(tower, Piece("tower", f"{key} tower {number}")) if drawn else tower
    return Part.of([*shapes, *_donjon(castle, page, key)], (), width, height)


def legible(shapes: Iterable[Shape], least: float) -> Iterator[Shape]:
    """Shapes whose letters are large enough to be read."""
    for shape in shapes:
        if isinstance(shape, Text) and shape.size < least:
            yield replace(shape, size=least)
        else:
            yield shape


def _donjon(castle: Castle, page: _Page, key: str) -> list[Shape]:
    """The floors with the guests at their windows, and above four of them the roof."""
    middle, breadth, high = _DONJON
    x, width, height = page.across(middle), breadth * page.scale, high * page.scale
    walls = storybook.donjon(x, page.down(_GROUND), width, castle.floors * height)
    shapes: list[Shape] = [walls] if castle.floors else []
    for number in range(MOST):
        foot = page.down(_GROUND) - number * height
        drawn = number < castle.floors
        storey = storybook.storey(x, foot, width, height, drawn, door=number == 0)
        if drawn:  # a floor has its outline from the donjon, so its box says where it is
            piece = Piece("floor", f"{key} floor {number}")
            box = Rect(x - width / 2, foot - height, width, height, piece=piece)
            storey = [*as_piece(storey, piece), box]
        shapes += storey
    top = page.down(_GROUND) - MOST * height
    shapes += storybook.roof(x, top, width, _ROOF * page.scale, castle.floors == MOST)
    for number, guest in enumerate(castle.guests[: 2 * castle.floors]):
        side, floor = divmod(number, castle.floors)
        level = page.down(_GROUND) - (floor + 0.42) * height
        shapes += _at_window(guest, storybook.windows(x, width)[side], level, height)
    return shapes


def _at_window(guest: Guest, x: float, y: float, height: float) -> list[Shape]:
    """A guest at a window; what an Apprentice guest is worth is written on the sill."""
    shapes = storybook.face(x, y, height * 0.36, guest.symbol)
    if guest.symbol or height < 30:
        return shapes
    sill = y + height * 0.38
    return [
        *shapes,
        Rect(x - 8, sill - 7, 16, 14, "paper", "ink", 1, 3),
        Text(x, sill, str(guest.points), LEAST, "ink", "middle", bold=True),
    ]


def _flag(castle: Castle, number: int, page: _Page) -> list[Shape]:
    """The flag on its wall: two on each of the first two, one on the others."""
    wall = next(n for n in range(MOST) if FLAG_ROOM[n + 1] > number)
    left, breadth, high = _WALLS[wall]
    pole = left + 2 + (number - FLAG_ROOM[wall]) * breadth / 2
    drawn = number < len(castle.flags)
    words = str(castle.flags[number]) if drawn else ""
    foot = page.across(pole), page.down(_GROUND - high)
    return storybook.flag(*foot, _FLAG * page.scale, words, drawn)


def _sky(castle: Castle, page: _Page) -> list[Shape]:
    def lie(place: tuple[float, float, float]) -> tuple[float, float, float]:
        return page.across(place[0]), page.down(place[1]), place[2] * page.scale

    shapes = storybook.sun(*lie(_SUN), str(SUN), castle.sun)
    shapes += storybook.cloud(*lie(_CLOUD), str(CLOUD), castle.cloud)
    if castle.small_clouds > len(_SMALL_CLOUDS):
        x, y, size = lie(_SMALL_CLOUDS[0])
        words = f"{castle.small_clouds}×{SMALL_CLOUD}"
        return [*shapes, *storybook.cloud(x, y, size * 1.9, words, True)]
    for place in _SMALL_CLOUDS[: castle.small_clouds]:
        shapes += storybook.cloud(*lie(place), str(SMALL_CLOUD), True)
    return shapes


# The path: residents side by side, and after each group a sign with its value.
_SIGN = 1.6  # how much room a sign takes, in residents
_LONGEST_ROW = 28.0


class _Group(NamedTuple):
    first: int  # the number of its first resident
    size: int
    value: int

    @property
    def room(self) -> float:
        return self.size + _SIGN


def _track_rows(track: Track) -> list[list[_Group]]:
    """The groups of the track in rows of about the same length."""
    starts = (0, *track.ends)
    groups = [
        _Group(start, end - start, value)
        for start, end, value in zip(starts, track.ends, track.values, strict=False)
    ]
    total = sum(group.room for group in groups)
    room = total / max(2, math.ceil(total / _LONGEST_ROW)) + 0.5
    rows: list[list[_Group]] = [[]]
    for group in groups:
        if rows[-1] and sum(other.room for other in rows[-1]) + group.room > room:
            rows.append([])
        rows[-1].append(group)
    return rows


def _path(castle: Castle, rows: Sequence[list[_Group]], page: _Page, counted: bool) -> list[Shape]:
    """The residents on their way, group by group; counted, the last one's group is lit."""
    step = 384 / max(sum(group.room for group in row) for row in rows)
    levels = [_FOOT + 22 + 44 * number for number in range(len(rows))]
    way: list[Point] = [(200, _GROUND + 6), (194, _GROUND + 11), (180, _GROUND + 15)]
    for level in levels:
        way += [(20, level + 1), (16, level + 4), (24, level + 7)]
        way += [(130, level + 6), (260, level + 2), (376, level + 1), (384, level + 4)]
    way = [(page.across(x), page.down(y)) for x, y in way]
    shapes: list[Shape] = [
        Path(tuple(way), None, "story-shade", 22 * page.scale),
        Path(tuple(way), None, "story-path", 20 * page.scale),
    ]
    for level, row in zip(levels, rows, strict=True):
        left = 8.0
        for group in row:
            reached = group.first < castle.residents <= group.first + group.size
            lit = counted and reached
            shapes += _group(castle.residents, group, left, level, step, page, lit)
            left += group.room * step
    return shapes


def _group(
    residents: int,
    group: _Group,
    left: float,
    level: float,
    step: float,
    page: _Page,
    lit: bool,
) -> list[Shape]:
    shapes: list[Shape] = []
    height = min(24.0, step * 1.6) * page.scale
    for number in range(group.size):
        drawn = group.first + number < residents
        dress = storybook.BRIGHT[(group.first + number) % len(storybook.BRIGHT)]
        at = page.across(left + (number + 0.5) * step), page.down(level + 8)
        shapes += storybook.resident(*at, height, dress, drawn)
    x = page.across(left + (group.size + _SIGN / 2 - 0.1) * step)
    return [*shapes, *_sign(x, page.down(level), page.scale, group.value, lit)]


def _sign(x: float, y: float, scale: float, value: int, reached: bool) -> list[Shape]:
    """A signpost with the value of a group; the one that counts is large and has a star."""
    half = (11 if reached else 9) * scale
    fill, ink = ("good", "on-good") if reached else ("paper", "ink")
    star = [
        (
            x + (6 if n % 2 == 0 else 2.6) * scale * math.sin(math.pi * n / 5),
            y - half - 6 * scale - (6 if n % 2 == 0 else 2.6) * scale * math.cos(math.pi * n / 5),
        )
        for n in range(10)
    ]
    return [
        Path(((x, y), (x, y + 16 * scale)), None, "ink", 2),
        Rect(x - half, y - half, 2 * half, 2 * half, fill, "ink", 2 if reached else 1, 4),
        Text(x, y, str(value), max(LEAST, 12 * scale), ink, "middle", bold=reached),
        *[Path(tuple(star), "hue-yellow", "ink", 1, True)] * reached,
    ]


#: The parts of a castle from the left to the right.
_ABREAST = (
    *("tower 1", "wall 1", "tower 3", "wall 3", "floors"),
    *("wall 4", "tower 4", "wall 2", "tower 2"),
)
_FINGER = 40.0


def _for_fingers(x: float, width: float) -> dict[str, tuple[float, float]]:
    """Where each part of a castle can be hit on a narrow page: its left edge, and how wide.

    Some are drawn narrower than a finger, so all the width is shared; the donjon has the rest.
    """
    places, left = {}, x
    finger = min(_FINGER, width / len(_ABREAST))
    for key in _ABREAST:
        wide = width - finger * (len(_ABREAST) - 1) if key == "floors" else finger
        places[key] = (left, wide)
        left += wide
    return places


def _castle_targets(
    castle: Castle, page: _Page, fingers: Mapping[str, tuple[float, float]]
) -> list[Target]:
    """The parts of a castle as they are spoken, where they are drawn or where a finger hits."""

    def box(key: str, words: str, x: float, y: float, width: float, high: float) -> Target:
        left, wide = fingers.get(key, (page.across(x), width * page.scale))
        return Target(key, words, left, page.down(y), wide, high * page.scale)

    targets = [
        box("sun", f"Sun, worth {SUN}: {_drawn(castle.sun)}", 8, 8, 72, 66),
        box("cloud", f"Cloud, worth {CLOUD}: {_drawn(castle.cloud)}", 306, 8, 84, 60),
    ]
    for number, (middle, breadth, high) in enumerate(_TOWERS):
        drawn = number < len(castle.towers)
        state = f"worth {castle.towers[number]}" if drawn else _drawn(False)
        roofed = high + breadth * 1.15
        place = (middle - breadth / 2, _GROUND - roofed, breadth, roofed)
        targets.append(box(f"tower {number + 1}", f"Tower {number + 1}: {state}", *place))
    for number, (left, breadth, high) in enumerate(_WALLS):
        words = f"Wall {number + 1}: {_drawn(number < castle.walls)}"
        flags = castle.flags[FLAG_ROOM[number] : FLAG_ROOM[number + 1]]
        if flags:
            words += f", flags worth {' and '.join(map(str, flags))}"
        place = (left, _GROUND - high - _FLAG, breadth, high + _FLAG)
        targets.append(box(f"wall {number + 1}", words, *place))
    middle, breadth, high = _DONJON
    guests = ", ".join(guest.words for guest in castle.guests) or "no guests"
    words = f"Donjon: {castle.floors} of {MOST} floors, {guests}"
    place = (middle - breadth / 2, _GROUND - MOST * high - _ROOF, breadth, MOST * high + _ROOF)
    targets.append(box("floors", words, *place))
    return targets


def _drawn(drawn: bool) -> str:
    return "drawn" if drawn else "not drawn yet"


def castle_scene(
    castle: Castle,
    *,
    width: float = PAGE[0],
    title: str = "",
    track: Track | None = None,
    counted: bool = True,
) -> Scene:
    """A castle by itself: what is drawn, in colours; what is not, in pencil.

    The residents walk on the house edition's track unless another one is given. Uncounted, it
    does not tell its points nor what its residents are worth: for those who are to count them.
    """
    track = track or house_box("apprentice").track
    is_narrow = width <= NARROW
    top, pad = 32.0 if title else PAD, PAD / 2 if is_narrow else PAD
    inner = width - 2 * pad
    drawn = castle_part(castle, pad, top, inner, track, counted=counted)
    page = _Page(pad, top, inner / _PAGE)
    told = [
        f"{castle.main_parts} of {MAIN_PARTS} parts",
        count_words(castle.residents, "resident"),
        *[count_words(score(castle, track).total, "point")] * counted,
    ]
    below = " · ".join(told)
    shapes: list[Shape] = [
        *legible(drawn.shapes, LEAST if is_narrow else LEAST_THERE),
        Rect(pad, top, inner, drawn.height, None, "line", 1.5),
        Text(width / 2, top + drawn.height + 14, below, 14, "ink", "middle", bold=True),
        *[caption(PAD, 16, title, 15)] * bool(title),
    ]
    foot = top + _FOOT * page.scale
    worth = track.value(castle.residents)
    words = count_words(castle.residents, "resident")
    words += f", in a group worth {worth}" * counted
    people = Target("residents", words, pad, foot, inner, top + drawn.height - foot)
    fingers = _for_fingers(pad, inner) if is_narrow else {}
    targets = [*_castle_targets(castle, page, fingers), people]
    whole = Part.of(shapes, targets, width, top + drawn.height + 28)
    scene = whole.scene(title or "A castle", f"A castle with {castle.words}. {', '.join(told)}.")
    if is_narrow:
        return scene
    again = partial(castle_scene, castle, width=NARROW, title=title, track=track, counted=counted)
    return replace(scene, narrow=again)
