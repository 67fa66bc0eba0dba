"""What is seen to move from one picture to the next, as data: boxes and times, no pictures.

It follows from two scenes. A piece that stands elsewhere flies there, a new one comes, one that
is gone falls; what the scene calls a happening happens besides. Whoever plays it cuts the pieces
out of the two pictures, so that nothing has to be drawn for it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from castlelab.draw.scene import (
    Circle,
    Happening,
    Path,
    Piece,
    Point,
    Rect,
    Scene,
    Shape,
    Target,
)

Way = Literal["fly", "home", "come", "fall", "wobble", "topple", "pave", "walk", "tumble"]
Box = tuple[float, float, float, float]  # left, top, width, height
#: A rounded rectangle by its box and its radius, or the corners of a polygon one after another.
Contour = tuple[float, ...]

#: How long each of them takes, in milliseconds; a walker takes its time for each square.
LASTS: dict[Way, int] = {
    "fly": 250,
    "home": 250,
    "come": 200,
    "fall": 350,
    "wobble": 350,
    "topple": 700,
    "pave": 160,
    "walk": 40,
    "tumble": 500,
}
#: How much later the next one of a row begins.
_APART: dict[Way, int] = {"fall": 80, "topple": 60, "pave": 40, "tumble": 60}
MOST_MOVES = 24  # where more pieces move than that, it is another picture and no move
MOST_STEPS = 40  # of a happening; what comes later is there at once
_MOST_CONTOURS = 6
_MOST_CORNERS = 24  # numbers of a polygon
_UNSEEN = 2.0  # pixels that a piece may be off its place
_EDGE = 0.5  # how far a line may bleed beyond its width


@dataclass(frozen=True, slots=True)
class Movement:
    """One thing that moves: how, from where to where, and when.

    ``contours`` is its outline from the corner of the box that it is cut out of; ``about`` the
    point round which it sways; ``through`` the way that a walker takes.
    """

    way: Way
    start: Box
    end: Box
    delay: int = 0
    lasts: int = 0
    contours: tuple[Contour, ...] = ()
    about: Point | None = None
    through: tuple[Point, ...] = ()

    def later(self, delay: int) -> Movement:
        return replace(self, delay=self.delay + delay)

    def data(self, outline: int) -> dict[str, Any]:
        """What goes to the page; its outline by its number."""
        told: dict[str, Any] = {"way": self.way, "to": self.end, "for": self.lasts, "cut": outline}
        if self.start != self.end:
            told["from"] = self.start
        if self.delay:
            told["at"] = self.delay
        if self.about is not None:
            told["about"] = self.about
        if self.through:
            told["through"] = self.through
        return told


@dataclass(frozen=True, slots=True)
class Motion:
    """All that moves when a picture takes the place of another.

    ``shift`` is how far the things that stay were moved with the whole picture, as when a tower
    that grows makes it higher.
    """

    moves: tuple[Movement, ...] = ()
    shift: Point = (0.0, 0.0)

    def __bool__(self) -> bool:
        return bool(self.moves)

    @property
    def lasts(self) -> int:
        """How long it takes, in milliseconds."""
        return max((move.delay + move.lasts for move in self.moves), default=0)

    def data(self) -> dict[str, Any]:
        """What goes to the page: small, since it goes with every move."""
        if not self.moves:
            return {}
        numbers: dict[tuple[Contour, ...], int] = {}
        moves = [move.data(numbers.setdefault(move.contours, len(numbers))) for move in self.moves]
        told: dict[str, Any] = {"moves": moves, "outlines": list(numbers)}
        return {**told, "shift": self.shift} if any(self.shift) else told


STILL = Motion()


def motion(before: Scene, after: Scene) -> Motion:
    """What is to be seen when one scene takes the place of another."""
    if _is_all_the_same(before, after):
        return STILL
    old, new = _pieces(before, beside=after), _pieces(after, beside=before)
    shift = (0.0, 0.0) if _size(before) == _size(after) else _shift(old, new)
    moves: list[Movement] = []
    if before.title == after.title:
        moves = _moves(_Standing(before, old), _Standing(after, new), shift)
        if len(moves) > MOST_MOVES:
            moves = []
    landed = max((move.delay + move.lasts for move in moves if move.way == "fly"), default=0)
    first = next((move.end for move in moves if move.way in ("fly", "come")), None)
    here = _Standing(after, new)
    for happening in after.happenings:
        if happening not in before.happenings:
            moves += (move.later(landed) for move in _happening(happening, here, first))
    return Motion(tuple(moves), shift)


def _is_all_the_same(before: Scene, after: Scene) -> bool:
    """Whether nothing differs that could move, as when something is only picked."""
    return (
        before.happenings == after.happenings
        and _size(before) == _size(after)
        and _in_pieces(before) == _in_pieces(after)
        and _boards(before) == _boards(after)
    )


def _in_pieces(scene: Scene) -> list[Shape]:
    return [shape for shape in scene.shapes if shape.piece is not None]


def changed_targets(before: Scene, after: Scene) -> tuple[str, ...]:
    """The targets that one looks at to see what has changed: where pieces have come to, or else
    where they have gone from, or else those with other names.
    """
    moves = motion(before, after).moves
    came = [move.end for move in moves if move.way in ("fly", "come", "tumble")]
    left = [move.start for move in moves if move.way in ("fall", "home")]
    under = (after.at(*_centre(box)) for box in came or left)
    found = dict.fromkeys(target.id for target in under if target is not None)
    if found:
        return tuple(found)
    names = {target.id: target.name for target in before.targets}
    renamed = (t.id for t in after.targets if names.get(t.id, t.name) != t.name)
    return tuple(dict.fromkeys(renamed))


def has_piece(scene: Scene, target: Target) -> bool:
    """Whether a piece lies in a target."""
    return _front_piece(scene, target) is not None


def piece_in(scene: Scene, target: Target) -> tuple[Box, tuple[Contour, ...]]:
    """The box and the outline of what can be taken out of a target: a piece, or all of it."""
    found = _front_piece(scene, target)
    if found is not None:
        return found.box, found.contours
    box = _whole((target.x, target.y, target.width, target.height))
    return box, ((0.0, 0.0, *box[2:], 6.0),)


def _front_piece(scene: Scene, target: Target) -> _Found | None:
    """The frontmost piece whose middle lies in a target."""
    pieces = _pieces(scene, beside=scene).values()
    return next((each for each in [*pieces][::-1] if target.contains(*_centre(each.box))), None)


# -- pieces ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Found:
    """A piece of a scene: where it stands, and its outline there."""

    piece: Piece
    box: Box
    contours: tuple[Contour, ...]


_Pieces = dict[tuple[str, str], _Found]  # by kind and spot, from back to front


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where everything of a scene is."""

    scene: Scene
    pieces: _Pieces

    def at(self, name: str) -> _Found | None:
        """The piece on a spot, or else a target by its id."""
        for found in self.pieces.values():
            if found.piece.spot == name:
                return found
        if name and (target := self.scene.target(name)) is not None:
            box = _whole((target.x, target.y, target.width, target.height))
            return _Found(Piece("", name), box, ((0.0, 0.0, *box[2:], 0.0),))
        return None


def _pieces(scene: Scene, *, beside: Scene) -> _Pieces:
    """The pieces of a scene, without those on a board that the other one does not show."""
    covered = _boards(scene) - _boards(beside)
    shapes: dict[tuple[str, str], list[Shape]] = defaultdict(list)
    for shape in scene.shapes:
        if shape.piece is not None and shape.piece.board not in covered:
            shapes[shape.piece.kind, shape.piece.spot].append(shape)
    found = {key: _found(tuple(belonging)) for key, belonging in shapes.items()}
    return {key: piece for key, piece in found.items() if piece is not None}


def _boards(scene: Scene) -> set[str]:
    return {target.group for target in scene.targets if target.group}


@lru_cache(maxsize=1024)  # most pieces stay where they are
def _found(shapes: tuple[Shape, ...]) -> _Found | None:
    """A piece by its shapes; lines and words alone are none."""
    edges = [edge for edge in map(_contour, shapes) if edge and all(map(math.isfinite, edge))]
    solid = [(edge, _around(edge)) for edge in edges]
    piece = shapes[0].piece
    if piece is None or not solid:
        return None
    left, top = (min(box[side] for _, box in solid) for side in (0, 1))
    right, bottom = (max(box[side] + box[side + 2] for _, box in solid) for side in (0, 1))
    box = _whole((left, top, right - left, bottom - top))
    outer = [
        contour
        for number, (contour, inner) in enumerate(solid)
        if not any(
            _within(inner, other) and (other != inner or at < number) and len(outline) == 5
            for at, (outline, other) in enumerate(solid)
            if at != number
        )
    ]
    if len(outer) > _MOST_CONTOURS or any(len(contour) > _MOST_CORNERS for contour in outer):
        outer = [(*box, 0.0)]
    return _Found(piece, box, tuple(_from(contour, box) for contour in outer))


def _contour(shape: Shape) -> Contour | None:
    """The outer edge of a shape; lines and words have none."""
    match shape:
        case Rect():
            by = shape.line / 2 + _EDGE if shape.stroke else 0.0
            size = shape.width + 2 * by, shape.height + 2 * by
            return shape.x - by, shape.y - by, *size, shape.radius and shape.radius + by
        case Circle():
            radius = shape.radius + (shape.line / 2 + _EDGE if shape.stroke else 0.0)
            return shape.x - radius, shape.y - radius, 2 * radius, 2 * radius, radius
        case Path() if shape.fill:
            # Clockwise as all others: two that overlap must not cut a hole into one another.
            points = shape.points if _is_clockwise(shape.points) else shape.points[::-1]
            return tuple(number for point in points for number in point)
    return None


def _is_clockwise(points: Sequence[Point]) -> bool:
    after = (*points[1:], *points[:1])
    return (
        sum(x * end_y - end_x * y for (x, y), (end_x, end_y) in zip(points, after, strict=True))
        >= 0
    )


def _around(contour: Contour) -> Box:
    if len(contour) == 5:
        return contour[0], contour[1], contour[2], contour[3]
    xs, ys = contour[::2], contour[1::2]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def _within(inner: Box, outer: Box) -> bool:
    return all(
        outer[side] <= inner[side]
        and inner[side] + inner[side + 2] <= outer[side] + outer[side + 2]
        for side in (0, 1)
    )


def _from(contour: Contour, box: Box) -> Contour:
    """An outline seen from the corner of its box, as exact as one can see."""
    left, top = box[:2]
    if len(contour) == 5:
        x, y, width, height, radius = contour
        moved: Contour = (x - left, y - top, width, height, radius)
    else:
        moved = tuple(n - (top if at % 2 else left) for at, n in enumerate(contour))
    return tuple(round(number, 1) for number in moved)


def _whole(box: Box) -> Box:
    """The whole pixels that a box lies in: half ones cannot be cut out."""
    left, top = math.floor(box[0]), math.floor(box[1])
    return left, top, math.ceil(box[0] + box[2]) - left, math.ceil(box[1] + box[3]) - top


def _size(scene: Scene) -> tuple[float, float]:
    return scene.width, scene.height


def _shift(old: _Pieces, new: _Pieces) -> Point:
    """How far most of what stays was moved when a picture has changed its size."""
    steps = Counter(
        (new[key].box[0] - old[key].box[0], new[key].box[1] - old[key].box[1])
        for key in old
        if key in new
    )
    return steps.most_common(1)[0][0] if steps else (0.0, 0.0)


# -- moves -----------------------------------------------------------------------------------


def _moves(before: _Standing, after: _Standing, shift: Point) -> list[Movement]:
    """Whatever flies, comes and falls, in the order of drawing."""
    flights, gone, fresh = _same_pieces(before.pieces, after.pieces, shift)
    flights += _of_a_kind(gone, fresh)
    used: set[str] = set()
    come: list[Movement] = []
    for there in fresh:
        if there.piece.quiet:
            continue
        source = before.at(there.piece.source)
        if source is None:
            come.append(_moving("come", there.box, there))
        else:
            used.add(there.piece.source)
            flights.append(_moving("fly", _in_middle(there.box, source.box), there))
    fallen: list[_Found] = []
    struck: set[str] = set()  # what has just been used up brings down its like first
    for here in gone:
        if here.piece.quiet or here.piece.spot in used:
            continue
        sink = after.at(here.piece.sink)
        if sink is None:
            fallen.append(here)
        else:
            struck.add(here.piece.kind)
            end = _in_middle(here.box, sink.box)
            flights.append(replace(_moving("home", here.box, here), end=end))
    fallen.sort(key=lambda here: here.piece.kind not in struck)
    falls = (_moving("fall", here.box, here) for here in _one_by_one(fallen))
    return [*flights, *come, *_in_turn(falls)]


def _same_pieces(
    old: _Pieces, new: _Pieces, shift: Point
) -> tuple[list[Movement], list[_Found], list[_Found]]:
    """The pieces that moved and are the same, those that are gone, and those that are new."""
    flights = [
        _moving("fly", old[key].box, there)
        for key, there in new.items()
        if key in old and _is_elsewhere(_moved(old[key].box, shift), there.box)
    ]
    gone = [here for key, here in old.items() if key not in new]
    return flights, gone, [there for key, there in new.items() if key not in old]


def _of_a_kind(gone: list[_Found], fresh: list[_Found]) -> list[Movement]:
    """What is gone from one spot and new on another has moved; both are taken off their lists."""
    flights = []
    for there in [each for each in fresh if not each.piece.quiet]:
        here = next((each for each in gone if each.piece.kind == there.piece.kind), None)
        if here is not None:
            gone.remove(here)
            fresh.remove(there)
            flights.append(_moving("fly", here.box, there))
    return flights


def _moving(way: Way, start: Box, found: _Found) -> Movement:
    return Movement(way, start, found.box, 0, LASTS[way], found.contours)


def _moved(box: Box, by: Point) -> Box:
    return box[0] + by[0], box[1] + by[1], box[2], box[3]


def _is_elsewhere(here: Box, there: Box) -> bool:
    """Whether one can see that a piece has moved: another line round it does not count."""
    return any(abs(one - other) > _UNSEEN for one, other in zip(here, there, strict=True))


def _in_middle(box: Box, place: Box) -> Box:
    """A box in the middle of another one, not larger than that."""
    scale = min(1.0, place[2] / max(box[2], 1), place[3] / max(box[3], 1))
    width, height = round(box[2] * scale, 1), round(box[3] * scale, 1)
    left = place[0] + (place[2] - width) / 2
    return round(left, 1), round(place[1] + (place[3] - height) / 2, 1), width, height


def _one_by_one(fallen: Sequence[_Found]) -> Iterator[_Found]:
    """What falls together, as a run does: each is the nearest to the one before."""
    left = list(fallen)
    while left:
        here = left.pop(0)
        yield here
        left.sort(key=lambda other: math.dist(_centre(other.box), _centre(here.box)))


def _centre(box: Box) -> Point:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _in_turn(moves: Iterable[Movement]) -> Iterator[Movement]:
    for number, move in enumerate(moves):
        yield move.later(number * _APART.get(move.way, 0))


# -- happenings ------------------------------------------------------------------------------


def _happening(happening: Happening, here: _Standing, cause: Box | None) -> list[Movement]:
    """What a happening moves; ``cause`` is where the piece came that brought it about."""
    steps = [
        [found for name in step if (found := here.at(name)) is not None] for step in happening.steps
    ]
    steps = [step for step in steps if step][:MOST_STEPS]
    if not steps:
        return []
    match happening.way:
        case "walk":
            return [_walk([each for step in steps for each in step])]
        case "wobble" | "topple":
            return _fall_down(happening.way, steps, here.pieces)
        case "pave" if cause is not None:
            middle = _centre(cause)
            steps.sort(key=lambda step: math.dist(middle, _centre(step[0].box)))
    apart = _APART.get(happening.way, 0)
    return [
        _moving(happening.way, found.box, found).later(number * apart)
        for number, step in enumerate(steps)
        for found in step
    ][:MOST_STEPS]


def _walk(way: Sequence[_Found]) -> Movement:
    """The first thing goes along all the others."""
    walker, *squares = way
    points = tuple(_centre(square.box) for square in (squares or way))
    lasts = LASTS["walk"] * max(1, len(points))
    return Movement("walk", walker.box, walker.box, 0, lasts, walker.contours, through=points)


def _fall_down(
    way: Literal["wobble", "topple"], levels: Sequence[Sequence[_Found]], pieces: _Pieces
) -> list[Movement]:
    """Levels, the one that gives way first, sway on its feet; those that topple come down.

    They come to lie on both sides, each where it is nearest to.
    """
    lowest = [found.box for found in levels[0]]
    left, right = min(box[0] for box in lowest), max(box[0] + box[2] for box in lowest)
    about = ((left + right) / 2, max(box[1] + box[3] for box in lowest))
    ground = max(f.box[1] + f.box[3] for f in pieces.values() if _stands_with(f, levels))
    moves = []
    for number, level in enumerate(levels):
        for found in level:
            move = replace(_moving(way, found.box, found), about=about)
            if way == "topple":
                x, _, width, height = found.box
                side = 1 if x + width / 2 >= about[0] else -1
                far = side * (50 + 14 * number)
                lying = (x + far, ground - (height + width) / 2, width, height)
                move = replace(move, end=lying).later(number * _APART["topple"])
            moves.append(move)
    return moves[:MOST_STEPS]


def _stands_with(found: _Found, levels: Sequence[Sequence[_Found]]) -> bool:
    """Whether a piece belongs to the tower that falls: spots of one tower begin alike."""
    tower = levels[0][0].piece.spot.split()[0]
    return found.piece.spot.split()[:1] == [tower]
