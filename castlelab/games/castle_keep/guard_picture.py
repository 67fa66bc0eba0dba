"""Guards on the wall round a keep, in pictures: on a ring, or on a wall that is open below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import cos, pi, sin

from castlelab.draw.layout import BOLD_LETTER
from castlelab.draw.scene import (
    Circle,
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
from castlelab.game import SEAT_NAMES
from castlelab.games.castle_keep.guards import GuardDuel, GuardWall
from castlelab.games.castle_keep.tile_picture import BUILDINGS, Ground
from castlelab.rules import counted, listed

_SIDE = 344.0
_MIDDLE = _SIDE / 2
_ROUND, _SPOT = 141.0, 24.0  # how far the spots are from the keep, and how large
_KEEP = 108.0
_OPEN = 1.6  # spots' breadth where a line is open
_ARC = 6  # straight pieces of the wall between two spots
_LEGEND = 34.0

Owner = Callable[[int], int | None]


def guard_scene(wall: GuardWall) -> Scene:
    """A wall with guards that are all alike."""
    owner: Owner = lambda spot: 0 if spot in wall.guards else None  # noqa: E731
    return _scene(wall, owner, "Guards", lambda seat: "a guard")


def duel_scene(duel: GuardDuel) -> Scene:
    """A game of the last guard; targets are the numbers of the spots."""
    picture = _scene(duel.wall, duel.owner, "The last guard", lambda seat: f"{_whose(seat)} guard")
    legend = tuple(_legend())
    height = _SIDE + _LEGEND
    shapes = (*picture.shapes, *legend)
    return Scene(_SIDE, height, shapes, picture.targets, picture.title, picture.description)


def _whose(seat: int) -> str:
    return f"{SEAT_NAMES[seat]}'s" if seat else "your"


def _scene(wall: GuardWall, owner: Owner, title: str, called: Callable[[int], str]) -> Scene:
    free = wall.free
    shapes: list[Shape] = [Rect(0, 0, _SIDE, _SIDE, "panel", "line", 1, 12)]
    shapes += _masonry(wall)
    box = Ground(_MIDDLE - _KEEP / 2, _MIDDLE - _KEEP / 2 - 4, _KEEP, _KEEP)
    shapes += BUILDINGS["keep"](box, "straight", "hue-yellow", "ink", "on-hue-yellow")
    targets = []
    for spot in range(1, wall.spots + 1):
        x, y = _place(wall, spot)
        seat = owner(spot)
        if seat is not None:
            standing = Piece(f"guard {seat}", str(spot))
            shapes += as_piece(_guard(x, y, seat), standing)
            what = called(seat)
        elif spot in free:
            shapes += [
                Circle(x, y, _SPOT, "card", "ink", 1.5),
                Text(x, y, str(spot), 17, "ink", "middle", bold=True),
            ]
            what = "free"
        else:
            shapes += _shut(x, y, spot)
            what = "shut, beside a guard"
        corner = x - _SPOT, y - _SPOT
        targets.append(Target(str(spot), f"Spot {spot}: {what}", *corner, 2 * _SPOT, 2 * _SPOT))
    return Scene(_SIDE, _SIDE, tuple(shapes), tuple(targets), title, _words(wall))


def _words(wall: GuardWall) -> str:
    kind = "ring" if wall.closed else "line"
    guards = [str(spot) for spot in sorted(wall.guards)]
    told = f"guards on {listed(guards)}" if guards else "no guard yet"
    return f"A {kind} of {counted(wall.spots, 'spot')} round the keep, {told}."


def _angle(wall: GuardWall, spot: float) -> float:
    """Where a spot lies: clockwise, a ring from the top, a line from the left of its opening."""
    if wall.closed:
        return 2 * pi * (spot - 1) / wall.spots - pi / 2
    breadth = 2 * pi / (wall.spots - 1 + _OPEN)
    return pi / 2 + breadth * (spot - 1 + _OPEN / 2)


def _place(wall: GuardWall, spot: float) -> Point:
    angle = _angle(wall, spot)
    return _MIDDLE + _ROUND * cos(angle), _MIDDLE + _ROUND * sin(angle)


def _masonry(wall: GuardWall) -> list[Shape]:
    """The wall itself, below its spots."""
    steps = (wall.spots if wall.closed else wall.spots - 1) * _ARC
    line = tuple(_place(wall, 1 + step / _ARC) for step in range(steps + 1))
    return [Path(line, None, "line", 22), Path(line, None, "sunk", 19)]


def _shut(x: float, y: float, spot: int) -> list[Shape]:
    """A spot beside a guard: smaller, and struck out."""
    across = _SPOT * 0.5
    return [
        Circle(x, y, _SPOT - 6, "sunk", "muted", 1),
        Text(x, y, str(spot), 13, "muted", "middle"),
        Path(((x - across, y + across), (x + across, y - across)), None, "muted", 1.5),
    ]


def _guard(x: float, y: float, seat: int, size: float = _SPOT) -> list[Shape]:
    """A guard in a seat's colour: the first one has a spear, the second one a shield."""
    role, mark = f"seat-{seat}", f"on-seat-{seat}"
    part = size / 24
    robe = ((-8, 15), (-5, -1), (5, -1), (8, 15))
    shapes: list[Shape] = [
        Circle(x, y, size, role, "ink", 1.5),
        Circle(x, y - 8 * part, 5.5 * part, mark),
        Path(tuple((x + dx * part, y + dy * part) for dx, dy in robe), mark, closed=True),
    ]
    if seat:
        return [*shapes, Circle(x + 8 * part, y + 6 * part, 6.5 * part, role, mark, 2 * part)]
    spear = ((x + 12 * part, y - 15 * part), (x + 12 * part, y + 14 * part))
    return [*shapes, Path(spear, None, mark, 2.5 * part)]


def _legend() -> Iterator[Shape]:
    """Whose guards are whose."""
    y = _SIDE + _LEGEND / 2 + 2
    x = 8.0
    for seat, words in enumerate(("You", SEAT_NAMES[1])):
        yield from _guard(x + 13, y, seat, 13)
        yield Text(x + 34, y, words, 15, "ink", bold=True)
        x += 34 + len(words) * 15 * BOLD_LETTER + 24
