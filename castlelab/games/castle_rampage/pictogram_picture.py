"""The signs on the cards of Castle Rampage: weapons, gate and tower, and what a card does."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.scene import Circle, Path, Rect, Shape

if TYPE_CHECKING:
    from castlelab.draw.scene import Point
    from castlelab.games.castle_rampage.card import Card, StackName


def _line(*numbers: float) -> tuple[Point, ...]:
    """Points from their numbers, one after another."""
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


#: Lines of each sign on a field of 24 by 24.
_LINES: dict[str, tuple[tuple[Point, ...], ...]] = {
    "knight": (_line(5, 19, 9, 15), _line(4, 15, 9, 20), _line(8, 16, 20, 4, 19, 7, 9, 17)),
    "archer": (
        _line(7, 3, 13, 6, 17, 12, 17, 21, 7, 3),
        _line(4, 20, 16, 8),
        _line(12, 8, 16, 8, 16, 12),
    ),
    "pikeman": (_line(4, 20, 16, 8), _line(15, 5, 20, 4, 19, 9, 16, 11, 13, 8, 15, 5)),
    "axe": (_line(5, 21, 15, 7), _line(13, 4, 18, 5, 21, 10, 17, 11, 15, 13, 13, 9, 13, 4)),
    "draw": (
        _line(4, 6, 14, 6, 14, 20, 4, 20, 4, 6),
        _line(9, 10, 9, 16),
        _line(6, 13, 12, 13),
        _line(9, 3, 20, 3, 20, 17),
    ),
    "eye": (_line(2, 12, 7, 7, 12, 5, 17, 7, 22, 12, 17, 17, 12, 19, 7, 17, 2, 12),),
    "to-stack": (
        _line(4, 20, 20, 20),
        _line(7, 20, 7, 16, 17, 16, 17, 20),
        _line(12, 13, 12, 3),
        _line(8, 7, 12, 3, 16, 7),
    ),
    "back": (
        _line(19, 8, 9, 8, 5, 10, 4, 13, 5, 16, 9, 18, 13, 18),
        _line(15, 4, 19, 8, 15, 12),
    ),
    "flag": (_line(6, 22, 6, 3), _line(6, 4, 19, 4, 15, 8, 19, 12, 6, 12)),
    "no-flag": (
        _line(6, 22, 6, 3),
        _line(6, 4, 19, 4, 15, 8, 19, 12, 6, 12),
        _line(3, 19, 21, 2),
    ),
    "shield": (_line(4, 4, 20, 4, 20, 12, 17, 17, 12, 21, 7, 17, 4, 12, 4, 4),),
    "past-gate": (
        _line(3, 21, 3, 9, 6, 9, 6, 12, 9, 12, 9, 9, 12, 9, 12, 21),
        _line(2, 4, 15, 4, 19, 6, 19, 17),
        _line(15, 13, 19, 17, 23, 13),
    ),
    "ram": (
        _line(3, 10, 17, 10, 21, 12, 17, 14, 3, 14, 3, 10),
        _line(4, 6, 10, 2, 16, 6),
        _line(5, 18, 7, 20, 9, 18, 7, 16, 5, 18),
        _line(12, 18, 14, 20, 16, 18, 14, 16, 12, 18),
    ),
    "from-castle": (
        _line(4, 21, 4, 10, 7, 10, 7, 13, 10, 13, 10, 10, 13, 10, 13, 21, 4, 21),
        _line(12, 6, 20, 6),
        _line(17, 3, 20, 6, 17, 9),
    ),
    "broken-towers": (
        _line(2, 21, 2, 11, 5, 14, 7, 10, 10, 14, 10, 21, 2, 21),
        _line(14, 21, 14, 14, 17, 10, 19, 14, 22, 11, 22, 21, 14, 21),
        _line(13, 2, 10, 6, 14, 6, 11, 10),
    ),
    "wall": (
        _line(3, 6, 21, 6, 21, 20, 3, 20, 3, 6),
        _line(3, 13, 21, 13),
        _line(9, 6, 9, 13),
        _line(15, 13, 15, 20),
    ),
    "bomb": (_line(16, 9, 19, 5), _line(19, 1, 19, 3), _line(21, 6, 23, 7)),
}

_DRAGON = (
    ("ramp-8", _line(-14, 0, -40, -54, -16, -40, 2, -58, 16, -4)),
    ("ramp-8", _line(4, 4, -4, 40, 14, 30, 26, 4)),
    (
        "ramp-9",
        _line(-66, 10, -30, -2, 20, -8, 52, -22, 72, -18, 62, -8, 44, 0, 10, 14, -28, 10),
    ),
)


def sign(name: str, x: float, y: float, size: float, ink: str = "ink") -> list[Shape]:
    """A sign in a square whose left upper corner is (x, y)."""
    if name == "dragon":
        return _dragon(x + size * 0.47, y + size * 0.6, size / 104)
    scale, line = size / 24, max(1.5, size / 17)
    shapes: list[Shape] = [
        Path(tuple((x + px * scale, y + py * scale) for px, py in way), None, ink, line)
        for way in _LINES[name]
    ]
    if name == "eye":
        shapes.append(Circle(x + size / 2, y + size / 2, size * 0.13, ink))
    if name == "bomb":
        shapes.append(Circle(x + size * 0.42, y + size * 0.62, size * 0.32, ink))
    return shapes


def _dragon(x: float, y: float, scale: float) -> list[Shape]:
    return [
        Path(tuple((x + px * scale, y + py * scale) for px, py in way), fill, "ink", 1, closed=True)
        for fill, way in _DRAGON
    ]


_GATE = _line(0, 20, 0, 0, 6, 0, 6, 5, 18, 5, 18, 0, 24, 0, 24, 20, 19, 20, 19, 14)
_GATE += _line(16, 10, 12, 8, 8, 10, 5, 14, 5, 20)
_TOWER = _line(4, 22, 4, 9, 2, 9, 2, 0, 7, 0, 7, 4, 10, 4, 10, 0, 14, 0, 14, 4, 17, 4, 17, 0)
_TOWER += _line(22, 0, 22, 9, 20, 9, 20, 22)


def stack_sign(stack: StackName, x: float, y: float, size: float, ink: str = "muted") -> Path:
    """A little gate or a little tower."""
    scale = size / 24
    outline = _GATE if stack == "gate" else _TOWER
    return Path(tuple((x + px * scale, y + py * scale) for px, py in outline), ink, closed=True)


def pennant(x: float, y: float, width: float) -> Path:
    """What an attack strength stands on, hanging from (x, y)."""
    straight, tip = y + width * 0.72, y + width * 1.08
    points = ((x, y), (x + width, y), (x + width, straight), (x + width / 2, tip), (x, straight))
    return Path(points, "bad", closed=True)


def card_backs(number: int, right: float, y: float) -> list[Shape]:
    """Cards that must be paid, by their backs, the last one at the right."""
    return [
        Rect(right - 10 - at * 8, y, 10, 14, "hidden", "ink", 1, 2)
        for at in reversed(range(number))
    ]


class Doing(NamedTuple):
    """What a card does, as signs and in a few words."""

    signs: tuple[str, ...]
    words: str


_VERBS: dict[str, tuple[str, str]] = {
    "draw": ("draw", "draw {n}"),
    "reveal-top": ("eye", "reveal"),
    "destroy-permanent": ("no-flag", "ends a banner"),
    "take-castle": ("from-castle", "+ own top card"),
    "raise-discard": ("to-stack", "from discards"),
    "fell-castles": ("broken-towers", "both Castles"),
    "target-castle": ("past-gate", "past the Gate"),
    "return-when-held": ("back", "back to hand"),
    "charge": ("ram", "+{n} if no Gate"),
    "rally": ("flag", "attacks +{n}"),
    "shield": ("shield", "enemies −{n}"),
    "supply": ("draw", "draw +{n}"),
    "build": ("wall", "build +{n}"),
    "bomb": ("bomb", "strikes back"),
    "sabotage": ("axe", "strikes back"),
    "spy": ("eye", "strikes back"),
}
_PORTRAITS = {"Dragon": "dragon"}


def doing(card: Card) -> Doing:
    """What is drawn in the middle of a card, and written below it."""
    if card.is_scheme:
        return Doing(card.pays, "")
    if card.units:
        words = "any unit" if len(card.units) > 2 else ", ".join(card.units)
        return Doing(card.units, words)
    if card.effects:
        found = [_VERBS[effect.verb] for effect in card.effects]
        told = [
            words.format(n=effect.number)
            for effect, (_, words) in zip(card.effects, found, strict=True)
        ]
        return Doing(tuple(name for name, _ in found[:2]), ", ".join(told[:2]))
    if card.name in _PORTRAITS:
        return Doing((_PORTRAITS[card.name],), "")
    if card.place_cost:
        return Doing(("shield",), f"{card.place_cost} to place")
    return Doing(("axe",) if card.attack is not None else ("shield",), "")


#: How large the little picture of a card in a sentence is.
_EMBLEM = (20.0, 26.0)


def card_emblem(card: Card | None) -> list[Shape]:
    """A card so small that it stands in a line of words; None is one that nobody knows."""
    width, height = _EMBLEM
    purple = card is not None and card.purple
    edge = "hue-purple" if purple else "ink"
    shapes: list[Shape] = [
        Rect(1, 1, width - 2, height - 2, "card", edge, 2 if purple else 1.2, 3.5)
    ]
    if card is None:
        return [*shapes, Rect(4, 4, width - 8, height - 8, "hidden", None, 1, 2)]
    if card.attack is not None:  # it attacks: the edge of a pennant
        shapes.append(Rect(3.5, height - 6, width - 7, 2.5, "bad", None, 1, 1))
    ink = "hue-purple" if purple else "ink"
    return [*shapes, *sign(doing(card).signs[0], 3, 5, 14, ink)]
