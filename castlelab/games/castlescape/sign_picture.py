"""The signs of CastleScape: what a card does, and what a sentence names, in little pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from castlelab.draw.layout import BOLD_LETTER
from castlelab.draw.scene import Circle, Path, Point, Rect, Scene, Shape, Text
from castlelab.games.castlescape.card import Card, Effect
from castlelab.games.castlescape.site_picture import piece

#: The colour of a card's edge, by its family.
BANDS = {"starter": "hidden", "standard": "seat-0", "rotating": "seat-2"}


class Sign(NamedTuple):
    """A little picture, with a number in it or some words after it."""

    picture: str
    inside: str = ""
    after: str = ""


def effect_signs(effect: Effect, most: int = 3) -> tuple[Sign, ...]:
    """What an effect brings, drawn one by one as long as there are only a few.

    >>> effect_signs(Effect("walls", 2), most=1), effect_signs(Effect("gold", 3))
    ((Sign(picture='wall', inside='', after='×2'),), (Sign(picture='gold', inside='3', after=''),))
    """
    verb, number = effect.verb, effect.number
    match verb:
        case "gold" | "renown":
            return (Sign(verb, inside=str(number)),)
        case "acquire":
            return (Sign("acquire", after=f"≤{number}"),)
        case "less-infamy" | "less-corruption":
            return (Sign(verb.removeprefix("less-"), after=f"−{number}"),)
        case "more-infamy":
            return (Sign("infamy", after=f"+{number}"),)
        case "trigger" | "contract":
            return (Sign(verb),)
    picture = _PICTURE_OF.get(verb, verb)
    if number <= most:
        return (Sign(picture),) * number
    return (Sign(picture, after=f"×{number}"),)


_PICTURE_OF = {
    "walls": "wall",
    "late-walls": "late-wall",
    "recruits": "recruit",
    "sentries": "sentry",
}


def signs_width(signs: Iterable[Sign], size: float, letters: float) -> float:
    """How wide a row of signs is, with the words beside them."""
    return sum(_width(sign, size, letters) for sign in signs)


def _width(sign: Sign, size: float, letters: float) -> float:
    words = len(sign.after) * letters * BOLD_LETTER
    return size + 1 + (words + 3 if words else 0)


def signs_in_row(
    signs: Iterable[Sign], x: float, y: float, size: float, letters: float, ink: str = "ink"
) -> list[Shape]:
    """Signs side by side, the first at the left of ``x``, their middle at the height ``y``."""
    shapes: list[Shape] = []
    for sign in signs:
        shapes += sign_shapes(sign, x + size / 2, y, size, letters)
        if sign.after:
            shapes.append(Text(x + size + 1, y, sign.after, letters, ink, bold=True))
        x += _width(sign, size, letters)
    return shapes


def sign_shapes(sign: Sign, x: float, y: float, size: float, letters: float) -> list[Shape]:
    """A sign in a square box of that size, whose middle is (x, y)."""
    shapes = list(_DRAWN[sign.picture](x, y, size))
    if sign.inside:
        role = "on-hue-yellow" if sign.picture == "gold" else "on-good"
        shapes.append(Text(x, y, sign.inside, letters, role, "middle", bold=True))
    return shapes


# -- one by one ----------------------------------------------------------------------------------


def _at(x: float, y: float, size: float, points: Iterable[Point]) -> tuple[Point, ...]:
    """Points in parts of a box, as they lie in the picture."""
    return tuple((x + across * size, y + down * size) for across, down in points)


#: The joints between stones, in one line that goes back where it came from.
_JOINTS = (
    (-0.42, 0.0),
    (-0.21, 0.0),
    (-0.21, 0.42),
    (-0.21, 0.0),
    (0.0, 0.0),
    (0.0, -0.42),
    (0.0, 0.0),
    (0.21, 0.0),
    (0.21, 0.42),
    (0.21, 0.0),
    (0.42, 0.0),
)


def _wall(x: float, y: float, size: float) -> list[Shape]:
    half = size * 0.42
    return [
        Rect(x - half, y - half, 2 * half, 2 * half, "site-stone", "site-edge", 1.2),
        Path(_at(x, y, size, _JOINTS), None, "site-edge", 1.2),
    ]


def _late_wall(x: float, y: float, size: float) -> list[Shape]:
    """A wall that may come after recruits: it has a clock."""
    right, top, radius = x + size * 0.26, y - size * 0.24, size * 0.26
    hands = ((right, top - radius * 0.6), (right, top), (right + radius * 0.5, top))
    return [
        *_wall(x - size * 0.06, y + size * 0.06, size * 0.9),
        Circle(right, top, radius, "card", "ink", 1.2),
        Path(hands, None, "ink", 1.2),
    ]


_BODY = ((-0.3, 0.46), (-0.26, 0.08), (-0.12, -0.04), (0.12, -0.04), (0.26, 0.08), (0.3, 0.46))


def _person(x: float, y: float, size: float, role: str = "ink") -> list[Shape]:
    return [
        Circle(x, y - size * 0.24, size * 0.19, role),
        Path(_at(x, y, size, _BODY), role, closed=True),
    ]


def _sentry(x: float, y: float, size: float) -> list[Shape]:
    """A recruit on top of a wall."""
    left, top = x - size * 0.36, y + size * 0.1
    return [
        *_person(x, y - size * 0.18, size * 0.58),
        Rect(left, top, size * 0.72, size * 0.36, "site-stone", "site-edge", 1.2),
        Path(((x, top), (x, top + size * 0.36)), None, "site-edge", 1.2),
    ]


_ARROW = (
    (0.0, 0.0),
    (-0.24, -0.2),
    (-0.24, -0.08),
    (-0.44, -0.08),
    (-0.44, 0.08),
    (-0.24, 0.08),
    (-0.24, 0.2),
)


def _arrow(x: float, y: float, size: float, *, up: bool = False) -> Path:
    """An arrow to the right or up, whose point is at (x, y)."""
    turned = [(-down, -across) for across, down in _ARROW] if up else _ARROW
    return Path(_at(x, y, size, turned), "accent", closed=True)


def _move(x: float, y: float, size: float) -> list[Shape]:
    return [*_person(x - size * 0.2, y, size * 0.9), _arrow(x + size * 0.52, y, size)]


def _climb(x: float, y: float, size: float) -> list[Shape]:
    left = x + size * 0.06
    return [
        *_person(x - size * 0.24, y + size * 0.04, size * 0.8),
        Rect(left, y + size * 0.12, size * 0.42, size * 0.34, "site-stone", "site-edge", 1.2),
        _arrow(x + size * 0.27, y - size * 0.42, size, up=True),
    ]


def _crossed(x: float, y: float, size: float) -> list[Shape]:
    """A cross over what goes away, with a rim that keeps it apart from it."""
    far = size * 0.34
    lines = (((x - far, y - far), (x + far, y + far)), ((x - far, y + far), (x + far, y - far)))
    return [
        Path(line, None, role, w) for role, w in (("card", 4.5), ("bad", 2.5)) for line in lines
    ]


def _oust(x: float, y: float, size: float) -> list[Shape]:
    return [*_person(x, y, size), *_crossed(x, y, size)]


def _gold(x: float, y: float, size: float) -> list[Shape]:
    return [Circle(x, y, size * 0.47, "hue-yellow", "ink", 1.2)]


def _card(x: float, y: float, size: float) -> list[Shape]:
    return [Rect(x - size * 0.32, y - size * 0.44, size * 0.64, size * 0.88, "card", "ink", 1.2)]


def _draw(x: float, y: float, size: float) -> list[Shape]:
    arm = size * 0.19
    return [
        *_card(x, y, size),
        Path(((x - arm, y), (x + arm, y), (x, y), (x, y - arm), (x, y + arm)), None, "ink", 2),
    ]


def _acquire(x: float, y: float, size: float) -> list[Shape]:
    return [*_card(x, y, size), Circle(x, y, size * 0.17, "hue-yellow", "ink", 1.2)]


def _destroy_hand(x: float, y: float, size: float) -> list[Shape]:
    return [*_card(x, y, size), *_crossed(x, y, size)]


def _destroy_discard(x: float, y: float, size: float) -> list[Shape]:
    behind = size * 0.14
    return [*_card(x + behind, y - behind / 2, size), *_destroy_hand(x - behind, y, size)]


def _renown(x: float, y: float, size: float) -> list[Shape]:
    shield = ((-0.44, -0.46), (0.44, -0.46), (0.44, 0.1), (0.0, 0.5), (-0.44, 0.1))
    return [Path(_at(x, y, size, shield), "good", closed=True)]


_MASK = (
    (-0.5, -0.28),
    (-0.2, -0.26),
    (0.0, -0.18),
    (0.2, -0.26),
    (0.5, -0.28),
    (0.46, 0.1),
    (0.3, 0.28),
    (0.12, 0.24),
    (0.0, 0.08),
    (-0.12, 0.24),
    (-0.3, 0.28),
    (-0.46, 0.1),
)


def _infamy(x: float, y: float, size: float) -> list[Shape]:
    wide, level = size * 0.2, y - size * 0.1
    eyes = (Rect(x + left * size, level, wide, wide * 0.75, "card") for left in (-0.34, 0.14))
    return [Path(_at(x, y, size, _MASK), "bad", closed=True), *eyes]


_DROP = (
    (0.0, -0.48),
    (0.24, 0.0),
    (0.3, 0.2),
    (0.18, 0.42),
    (-0.18, 0.42),
    (-0.3, 0.2),
    (-0.24, 0.0),
)


def _corruption(x: float, y: float, size: float) -> list[Shape]:
    return [Path(_at(x, y, size, _DROP), "bad", closed=True)]


def _trigger(x: float, y: float, size: float) -> list[Shape]:
    """The penalties of the Back Alley at once: a mask over a drop."""
    return [*_infamy(x, y - size * 0.22, size * 0.8), *_corruption(x, y + size * 0.28, size * 0.5)]


def _shift_blame(x: float, y: float, size: float) -> list[Shape]:
    return [
        *_infamy(x - size * 0.1, y - size * 0.18, size * 0.8),
        _arrow(x + size / 2, y + size * 0.3, size),
    ]


def _contract(x: float, y: float, size: float) -> list[Shape]:
    left, right = x - size * 0.2, x + size * 0.2
    lines = (y - size * 0.2, y, y + size * 0.2)
    return [
        *_card(x, y, size),
        *(Path(((left, level), (right, level)), None, "ink", 1.2) for level in lines),
    ]


def _recall(x: float, y: float, size: float) -> list[Shape]:
    return [
        *_person(x - size * 0.2, y, size * 0.9),
        _arrow(x + size * 0.3, y - size * 0.42, size, up=True),
    ]


def _deck(x: float, y: float, size: float) -> list[Shape]:
    """The back of a card."""
    box = x - size * 0.32, y - size * 0.44, size * 0.64, size * 0.88
    return [Rect(*box, "hidden", "ink", 1.2)]


def _goal(x: float, y: float, size: float) -> list[Shape]:
    """A flag on its pole."""
    flag = ((-0.22, -0.46), (0.42, -0.24), (-0.22, 0.0))
    pole = (x - size * 0.24, y - size * 0.48), (x - size * 0.24, y + size * 0.48)
    return [Path(_at(x, y, size, flag), "good", closed=True), Path(pole, None, "ink", 1.2)]


_DRAWN: dict[str, Callable[[float, float, float], list[Shape]]] = {
    "wall": _wall,
    "late-wall": _late_wall,
    "recruit": _person,
    "sentry": _sentry,
    "move": _move,
    "climb": _climb,
    "oust": _oust,
    "gold": _gold,
    "draw": _draw,
    "acquire": _acquire,
    "destroy-hand": _destroy_hand,
    "destroy-discard": _destroy_discard,
    "shift-blame": _shift_blame,
    "renown": _renown,
    "infamy": _infamy,
    "corruption": _corruption,
    "trigger": _trigger,
    "contract": _contract,
    "recall": _recall,
    "deck": _deck,
    "goal": _goal,
}


def penalty_signs(card: Card) -> tuple[Sign, ...]:
    """What a card costs in the Back Alley."""
    penalties = (("infamy", card.infamy), ("corruption", card.corruption))
    return tuple(Sign(name, after=str(number)) for name, number in penalties if number)


# -- beside words --------------------------------------------------------------------------------

_EMBLEM = 22.0  # as high as a line of words


def emblem_scene(picture: str) -> Scene:
    """The picture of a thing that a sentence of the story names."""
    kind, _, which = picture.partition(" ")
    middle = _EMBLEM / 2
    shapes: list[Shape]
    match kind:
        case "recruit":
            shapes = [piece(int(which), middle, middle, 8.0)]
        case "bailey":
            court = f"site-{which}" if which else "site-nobody"
            shapes = [
                *_wall(middle, middle, _EMBLEM),
                Rect(middle - 5, middle - 5, 10, 10, court, "site-edge", 1.2),
            ]
        case "card":
            family, _, verb = which.partition(" ")
            shapes = [
                Rect(2, 1, 18, 20, "card", "line", 1.2, 2),
                Rect(2, 1, 3, 20, BANDS[family]),
                *_DRAWN[_first_picture(verb)](middle + 1.5, middle, 13),
            ]
        case _:
            shapes = _DRAWN[kind](middle, middle, _EMBLEM - 4)
    return Scene(_EMBLEM, _EMBLEM, tuple(shapes))


def _first_picture(verb: str) -> str:
    """The sign of what a card does first."""
    if not verb:
        return "draw"
    return effect_signs(Effect(verb, 1))[0].picture
