"""The mirror path in pictures: a path on squared ground, its cards, and a dot for each order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from castlelab.draw.layout import Part, in_rows, joined, rows, shifted, stacked
from castlelab.draw.scene import Circle, Path, Piece, Point, Rect, Shape, Target, Text, as_piece
from castlelab.games.castle_rampage.card import StackName
from castlelab.games.castle_rampage.pictogram_picture import stack_sign

SIDE, SLIM_SIDE = 204.0, 176.0  # how wide that is which stands beside the path, or below it
_MARGIN = 34.0
_WIDE, _NARROW = 560.0, 368.0
_HIGH = 330.0  # that the squares may be
_FILLS = {"g": "hue-brown", "c": "hue-purple"}
_NAMES: dict[str, StackName] = {"g": "gate", "c": "castle"}


@dataclass(frozen=True, slots=True)
class PathDrawing:
    """A path with its first fault, where it should end, and whether there is room to mirror it."""

    way: str
    fault: int | None
    end: tuple[int, int]
    mirrors: bool

    @property
    def extent(self) -> tuple[int, int]:
        """How many squares there are to the right and up."""
        gate, castle = self.end
        return gate, max(castle, gate + 1) if self.mirrors else castle

    @property
    def points(self) -> list[tuple[int, int]]:
        """The cards at the Gate and at the Castle, from the beginning on."""
        return [
            (self.way[:number].count("g"), self.way[:number].count("c"))
            for number in range(len(self.way) + 1)
        ]


def path_page(
    drawing: PathDrawing,
    turns: Sequence[str],
    controls: Sequence[Part],
    dots: Part,
    is_narrow: bool,
) -> Part:
    """The path over its cards, and the rest beside it or, in two columns, below it."""
    room = _NARROW if is_narrow else _WIDE - SIDE - 12
    path = stacked([_ground(drawing, turns, room), _cards(drawing, room)], 4)
    if not is_narrow:
        beside = shifted(stacked([*controls, dots], 10), _WIDE - SIDE, 4)
        return joined([path, beside], _WIDE, max(path.height, beside.height))
    half = (len(controls) + 1) // 2
    left, right = stacked(controls[:half], 8), stacked(controls[half:], 8)
    columns = [shifted(left, 4, 0), shifted(right, 12 + SLIM_SIDE, 0)]
    low = joined(columns, room, max(left.height, right.height))
    return stacked([path, *([low] if controls else []), shifted(dots, 4, 0)], 8)


def _ground(drawing: PathDrawing, turns: Sequence[str], room: float) -> Part:
    """Squares, the line that is forbidden, the path, and its points to be touched."""
    right, up = drawing.extent
    unit = min((room - 2 * _MARGIN) / right, _HIGH / up, 64.0)
    height = up * unit + 2 * _MARGIN
    left = _MARGIN + 6

    def at(gate: float, castle: float) -> Point:
        return left + gate * unit, height - _MARGIN - castle * unit

    shapes: list[Shape] = list(_squares(drawing, at))
    points = drawing.points
    for number, (card, here, there) in enumerate(
        zip(drawing.way, points, points[1:], strict=False), start=1
    ):
        is_late = drawing.fault is not None and number > drawing.fault
        ink = "bad" if is_late else "ink"
        spot = f"{_NAMES[card]} {here[0]} {here[1]}"
        step = Path((at(*here), at(*there)), None, ink, 5, dash=is_late)
        shapes += as_piece([step], Piece(f"step {card}", spot))
    targets = []
    for number, (name, point) in enumerate(zip(turns, points[1:-1], strict=True), start=1):
        x, y = at(*point)
        is_corner = name.endswith("corner")
        shapes.append(
            Circle(x, y, 9 if is_corner else 5, "accent" if is_corner else "ink", "paper")
        )
        box = (x - unit / 2, y - unit / 2, unit, unit)
        targets.append(Target(f"turn {number}", f"After card {number}: {name}", *box))
    if drawing.fault is not None:
        x, y = at(*points[drawing.fault])
        shapes += [
            Circle(x - 15, y - 15, 10, "bad", "paper", 1.5),
            Text(x - 15, y - 15, "!", 15, "on-bad", "middle", bold=True),
        ]
    return Part.of(shapes, targets, room, height)


def _squares(drawing: PathDrawing, at: Callable[[float, float], Point]) -> Iterator[Shape]:
    right, up = drawing.extent
    yield Rect(*at(0, up), at(right, 0)[0] - at(0, 0)[0], at(0, 0)[1] - at(0, up)[1], "card")
    top = min(right, up - 1)
    yield Path((at(0, 1), at(top, top + 1), at(0, top + 1)), "bad-soft", closed=True)
    for column in range(right + 1):
        yield Path((at(column, 0), at(column, up)), None, "rule", 1)
    for row in range(up + 1):
        yield Path((at(0, row), at(right, row)), None, "rule", 1)
    yield Path((at(0, 1), at(top, top + 1)), None, "bad", 2.5, dash=True)
    for name, stack, fill, x in (
        ("Castle ↑", _NAMES["c"], _FILLS["c"], at(0, 0)[0] - 14),
        ("Gate →", _NAMES["g"], _FILLS["g"], at(right, 0)[0] - 74),
    ):
        y = at(0, 0)[1] + 20
        yield stack_sign(stack, x, y - 11, 22, fill)
        yield Text(x + 27, y, name, 13, "ink")
    for gate, castle in {drawing.end, drawing.points[-1]}:
        x, y = at(gate, castle)
        yield Circle(x, y, 9, "paper", "ink", 3)
        yield Text(x + 2, y - 20, f"{gate} + {castle}", 14, "ink", "middle", bold=True)


def _cards(drawing: PathDrawing, room: float) -> Part:
    """The cards in their order; the one that makes the Castle lead has an exclamation mark."""
    across = min(room / len(drawing.way), 44.0)
    shapes: list[Shape] = []
    number = {"g": 0, "c": 0}
    for place, card in enumerate(drawing.way):
        x, fill = 4 + place * across, _FILLS[card]
        number[card] += 1
        drawn: list[Shape] = [
            Rect(x, 0, across - 5, 46, fill, "ink", 1, 6),
            stack_sign(_NAMES[card], x + (across - 5) / 2 - 11, 12, 22, f"on-{fill}"),
        ]
        if drawing.fault == place + 1:
            drawn += [
                Circle(x + across - 11, 7, 9, "bad", "paper", 1),
                Text(x + across - 11, 7, "!", 13, "on-bad", "middle", bold=True),
            ]
        shapes += as_piece(drawn, Piece(f"card {card} {number[card]}", f"place {place}"))
    return Part.of(shapes, (), room, 48)


def orders_part(states: Sequence[tuple[bool | None, bool]], is_narrow: bool) -> Part:
    """A dot for each order: good, bad or not yet seen; a ring is round the one that is there."""
    columns = 14 if is_narrow else 10
    apart = 25.0 if is_narrow else 20.0
    shapes: list[Shape] = []
    for (is_good, is_here), x, y in in_rows(states, columns, 11, 11, apart, 20):
        if is_here:
            shapes.append(Circle(x, y, 9.5, None, "chosen", 2.5))
        if is_good is None:
            shapes.append(Circle(x, y, 3, None, "line", 1.5))
        elif is_good:
            shapes.append(Circle(x, y, 6, "good"))
        else:
            shapes.append(Path(((x - 5, y - 5), (x + 5, y + 5)), None, "bad", 2.5))
            shapes.append(Path(((x - 5, y + 5), (x + 5, y - 5)), None, "bad", 2.5))
    return Part.of(shapes, (), columns * apart + 2, rows(len(states), columns) * 20 + 4)
