"""The little pictures in the story of Once Upon a Castle: dice, parts of a castle, guests."""

from __future__ import annotations

from castlelab.draw.scene import Rect, Scene, Shape
from castlelab.games.once_upon_a_castle import storybook_picture as storybook
from castlelab.games.once_upon_a_castle.board_picture import ROLES, resource_icon
from castlelab.rules import CastlelabError, quoted

_HIGH = 24.0
_GROUND = _HIGH - 1
_WIDTHS = {"tower": 16.0, "flag": 16.0, "cloud": 30.0}


def emblem_scene(picture: str) -> Scene:
    """A thing that a sentence names, as high as a line of words.

    ``die wood``, ``tower``, ``wall``, ``floor``, ``flag``, ``residents``, ``sun``, ``cloud``,
    ``guest``, ``guest crown``.
    """
    kind, _, name = picture.partition(" ")
    width = _WIDTHS.get(kind, _HIGH)
    return Scene(width, _HIGH, tuple(_drawn(kind, name, width / 2)), (), "", picture)


def _drawn(kind: str, name: str, x: float) -> list[Shape]:
    y = _HIGH / 2
    match kind:
        case "die":
            role = ROLES[name]
            sign = resource_icon(name, x, y, 7.5)
            return [Rect(1, 1, _HIGH - 2, _HIGH - 2, role, "ink", 1, 5), *sign]
        case "tower":
            return storybook.tower(x, _GROUND, 10, 9, storybook.BRIGHT[0], "", True)
        case "wall":
            return storybook.wall(2, _GROUND, 20, 17, True)
        case "floor":
            walls = storybook.donjon(x, _GROUND, 20, 16)
            return [walls, *storybook.storey(x, _GROUND, 20, 16, True)]
        case "flag":
            return storybook.flag(x - 6, _GROUND, 22, "", True)
        case "residents":
            return [
                *storybook.resident(x - 5, _GROUND, 20, storybook.BRIGHT[1], True),
                *storybook.resident(x + 5, _GROUND, 20, storybook.BRIGHT[0], True),
            ]
        case "sun":
            return storybook.sun(x, y, 7.5, "", True)
        case "cloud":
            return storybook.cloud(x, y + 1, 14, "", True)
        case "guest":
            return storybook.face(x, _HIGH - 9, 15, name)
    raise CastlelabError(f"there is no picture of {quoted(kind)}")
