"""From one picture to the next: only the spots that changed are painted anew.

A move changes little of a board. What is painted in the changed spots, in the order of the
whole picture and not a pixel outside of them, makes the same picture as painting it all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import reduce

from castlelab.draw.canvas import Command, Extent, Stroke, gathered, grown, touch

_BLEED = 3.0  # how far a stroke may reach beyond its box
_MOST_SPOTS = 8
_WORTH_WHILE = 0.5  # of the picture; where more has changed, all of it is painted


def touch_up(before: list[Stroke], after: list[Stroke]) -> tuple[list[Command], tuple[Extent, ...]]:
    """The commands that turn one picture into another, and the spots they are kept within.

    Without spots, the commands paint the whole picture.
    """
    spots = _spots(before, after)
    if spots is None:
        return gathered(after), ()
    return gathered(_inside(after, [grown(spot, _BLEED) for spot in spots])), spots


def _inside(strokes: list[Stroke], spots: list[Extent]) -> list[Stroke]:
    """The strokes that reach into one of these boxes; most of a picture is in none."""
    if not spots:
        return []
    left, top, right, bottom = reduce(_around, spots)
    return [
        stroke
        for stroke in strokes
        if (box := stroke.box)[0] < right
        and box[2] > left
        and box[1] < bottom
        and box[3] > top
        and any(touch(box, spot) for spot in spots)
    ]


def _spots(before: list[Stroke], after: list[Stroke]) -> tuple[Extent, ...] | None:
    """The boxes in which the pictures differ, in whole pixels; None if it is not worth while."""
    if not before or not after or before[0].box != after[0].box:  # of another size
        return None
    changed = _changed(before, after)
    if changed is None or not all(math.isfinite(edge) for stroke in changed for edge in stroke.box):
        return None
    _, _, width, height = after[0].box
    spots = _joined(_whole_pixels(grown(stroke.box, _BLEED), width, height) for stroke in changed)
    if sum(map(_area, spots)) > _WORTH_WHILE * width * height:
        return None
    return tuple(spots)


def _changed(before: list[Stroke], after: list[Stroke]) -> list[Stroke] | None:
    """The strokes that went or came; None if others have changed their order."""
    pairs = enumerate(zip(before, after, strict=False))
    differ = (at for at, (one, other) in pairs if one is not other and one != other)
    alike = next(differ, min(len(before), len(after)))
    then, now = Counter(before[alike:]), Counter(after[alike:])
    changed = (then - now) | (now - then)
    if [s for s in before[alike:] if s not in changed] != [
        s for s in after[alike:] if s not in changed
    ]:
        return None
    return list(changed)


def _joined(boxes: Iterable[Extent]) -> list[Extent]:
    """A few boxes that cover all of these, those that touch made one."""
    found: list[Extent] = []
    for box in boxes:
        while near := next((other for other in found if touch(other, box)), None):
            found.remove(near)
            box = _around(near, box)
        found.append(box)
    return found if len(found) <= _MOST_SPOTS else [reduce(_around, found)]


def _around(one: Extent, other: Extent) -> Extent:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def _area(box: Extent) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _whole_pixels(box: Extent, width: float, height: float) -> Extent:
    """The pixels that a box touches: an edge within a pixel would show."""
    return (
        max(0, math.floor(box[0])),
        max(0, math.floor(box[1])),
        min(math.ceil(width), math.ceil(box[2])),
        min(math.ceil(height), math.ceil(box[3])),
    )
