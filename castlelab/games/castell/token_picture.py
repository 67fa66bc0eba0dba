"""The small things of Castell in pictures: castellers, tokens, tiles and little towers.

They lie on the table, and the same ones stand in sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from castlelab.draw.layout import Frame, centred
from castlelab.draw.scene import Circle, Path, Point, Rect, Scene, Shape, Text
from castlelab.games.castell.box import Performance
from castlelab.games.castell.scoring import PRIZES
from castlelab.games.castell.tower import SKILL_LETTERS, SKILLS, Tower
from castlelab.games.castell.tower_picture import SKILL_ROLES, tower_words
from castlelab.rules import CastlelabError, quoted

SIGNS = {"practice": "+", "special": "★"}
_EMBLEM = 24.0  # how high a thing in a sentence is
_RUNG = 5.0  # from one level of a small tower to the next, at most


def size_token(frame: Frame, size: int, letters: float = 14) -> list[Shape]:
    """A square with a size on it."""
    return [
        Rect(*frame, f"ramp-{size}", "ink", 1),
        centred(frame, str(size), letters, f"on-ramp-{size}", bold=True),
    ]


def small_casteller(frame: Frame, size: int, letters: float = 14) -> list[Shape]:
    """Somebody seen from afar: a head, and the size on the shirt."""
    x, y, width, height = frame
    head = height * 0.2
    shirt = (x, y + head * 1.5, width, height - head * 1.5)
    return [
        Circle(x + width / 2, y + head, head - 0.5, "figure-skin", "figure-edge", 1),
        *size_token(shirt, size, letters),
    ]


def skill_disc(x: float, y: float, tile: str, radius: float, letters: float) -> list[Shape]:
    """A round token round (x, y): a skill's letters, or the sign of Practice or Special."""
    if tile in SIGNS:
        fill, edge, ink, words = "card", "ink", "ink", SIGNS[tile]
    else:
        role = SKILL_ROLES[tile]
        fill, edge, ink, words = role, role, f"on-{role}", SKILL_LETTERS[tile]
    return [
        Circle(x, y, radius, fill, edge, 1.5),
        Text(x, y, words, letters, ink, "middle", bold=True),
    ]


def prize_token(x: float, y: float, prize: str, radius: float, letters: float) -> list[Shape]:
    """A prize with what it is worth."""
    return [
        Circle(x, y, radius, "warn-soft", "warn", 1.5),
        Text(x, y, str(PRIZES[prize]), letters, "ink", "middle", bold=True),
    ]


def silhouette(widths: tuple[int, ...], middle: float, foot: float, block: float) -> list[Shape]:
    """The outline of a tower, a block for each casteller."""
    return [
        Rect(
            middle + (place - width / 2) * block + 0.5,
            foot - (level + 1) * block + 0.5,
            block - 1,
            block - 1,
            "muted",
        )
        for level, width in enumerate(widths)
        for place in range(width)
    ]


def rungs(levels: int, x: float, foot: float, width: float, step: float) -> list[Shape]:
    """So many levels, whatever stands on them."""
    return [
        Rect(x, foot - (level + 1) * step + 1, width, step - 2, "muted") for level in range(levels)
    ]


def small_tower(tower: Tower, middle: float, foot: float, step: float) -> list[Shape]:
    """A tower seen from afar: a shirt for each casteller, and the head of the topmost ones."""
    wide = step * 0.9
    shapes: list[Shape] = []
    for number, level in enumerate(tower.levels):
        top = foot - (number + 1) * step
        left = middle - level.width * wide / 2
        for place, size in enumerate(level):
            x = left + place * wide
            shapes.append(Rect(x, top + 0.5, wide - 1, step - 1, f"ramp-{size}", "ink", 0.75))
            if number == tower.height - 1:
                head = step * 0.26
                middle_of = x + (wide - 1) / 2
                shapes.append(Circle(middle_of, top - head, head, "figure-skin", "ink", 0.75))
    return shapes


def step_for(tower: Tower, width: float, height: float, most: float) -> float:
    """How high a level of a small tower may be in that room."""
    widest = max(tower.widths, default=1)
    return min(most, height / (tower.height + 0.6), width / (widest * 0.9))


def performance_tile(tile: Performance, frame: Frame, letters: float) -> list[Shape]:
    """A performance tile: its points, and a silhouette or levels with the skills to show."""
    x, y, width, height = frame
    left = letters + 5  # what the points take
    worth = Text(x + left / 2, y + letters * 0.8 + 2, str(tile.points), letters, bold=True)
    shapes: list[Shape] = [Rect(*frame, "paper", "line", 1, 6), replace(worth, anchor="middle")]
    if tile.is_shape:
        room = width - left - 4
        block = min(10.0, (height - 8) / len(tile.widths), room / max(tile.widths))
        return [*shapes, *silhouette(tile.widths, x + left + room / 2, y + height - 4, block)]
    step = min(6.0, (height - letters - 12) / tile.levels)
    shapes += rungs(tile.levels, x + 4, y + height - 4, left - 6, step)
    line = letters + 3
    shown = [skill for skill in SKILLS if tile.shown.rank(skill)]
    middle = y + height / 2 - (len(shown) - 1) * (line + 1) / 2
    for place, skill in enumerate(shown):
        role, rank = SKILL_ROLES[skill], tile.shown.rank(skill)
        pill = (x + left, middle + place * (line + 1) - line / 2, width - left - 2, line)
        words = SKILL_LETTERS[skill] + (f"×{rank}" if rank > 1 else "")
        shapes.append(Rect(*pill, role))
        shapes.append(centred(pill, words, letters, f"on-{role}", bold=True))
    return shapes


_SEATS: tuple[tuple[Point, ...], ...] = (
    (),  # a circle
    ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)),
    ((0, -1.1), (1.1, 0.85), (-1.1, 0.85)),
    ((0, -1.15), (1.15, 0), (0, 1.15), (-1.15, 0)),
)


def seat_mark(
    x: float, y: float, seat: int, radius: float, words: str = "", letters: float = 14
) -> list[Shape]:
    """The mark of a player, told by its form as well as by its colour."""
    colour = f"seat-{seat}"
    corners = tuple((x + dx * radius, y + dy * radius) for dx, dy in _SEATS[seat])
    mark: Shape = (
        Path(corners, colour, "ink", 1, closed=True)
        if corners
        else Circle(x, y, radius, colour, "ink", 1)
    )
    if not words:
        return [mark]
    low = radius * 0.2 if seat == 2 else 0  # a triangle has its room below
    return [mark, Text(x, y + low, words, letters, f"on-{colour}", "middle", bold=True)]


# -- in sentences ------------------------------------------------------------------------------


def emblem_scene(picture: str) -> Scene:
    """The little picture of a thing that a sentence names: ``"casteller 7"``."""
    kind, _, thing = picture.partition(" ")
    drawn = _EMBLEMS.get(kind)
    if drawn is None:
        raise CastlelabError(f"there is no emblem {quoted(picture)}")
    return drawn(thing)


def _casteller_emblem(size: str) -> Scene:
    shapes = small_casteller((1, 0.5, 20, _EMBLEM - 1.5), int(size), 12)
    return Scene(22, _EMBLEM, tuple(shapes), (), f"a casteller of size {size}")


def _size_emblem(size: str) -> Scene:
    shapes = size_token((1, 1, 22, 20), int(size), 13)
    return Scene(24, 22, tuple(shapes), (), f"the size token {size}")


def _skill_emblem(skill: str) -> Scene:
    shapes = skill_disc(12, 12, skill, 11, 12)
    return Scene(_EMBLEM, _EMBLEM, tuple(shapes), (), skill.title())


def _prize_emblem(prize: str) -> Scene:
    shapes = prize_token(11, 11, prize, 10, 13)
    return Scene(22, 22, tuple(shapes), (), f"a {prize}")


def _tower_emblem(text: str) -> Scene:
    tower = Tower(text)
    step = step_for(tower, 60, _EMBLEM - 1, 9)
    width = max(tower.widths, default=1) * step * 0.9 + 2
    shapes = small_tower(tower, width / 2, _EMBLEM - 0.5, step)
    return Scene(width, _EMBLEM, tuple(shapes), (), tower_words(tower))


def _tile_emblem(text: str) -> Scene:
    levels, is_exhibition, _ = text.partition(":")
    if not is_exhibition:
        widths = tuple(map(int, text.split("-")))
        block = min(_RUNG + 1, (_EMBLEM - 2) / len(widths))
        width = max(widths) * block + 2
        shapes = silhouette(widths, width / 2, _EMBLEM - 1, block)
        return Scene(width, _EMBLEM, tuple(shapes), (), f"the shape {text}")
    step = min(_RUNG, (_EMBLEM - 2) / int(levels))
    shapes = rungs(int(levels), 1, _EMBLEM - 1, 12, step)
    return Scene(14, _EMBLEM, tuple(shapes), (), f"{levels} levels")


_EMBLEMS: dict[str, Callable[[str], Scene]] = {
    "casteller": _casteller_emblem,
    "size": _size_emblem,
    "skill": _skill_emblem,
    "prize": _prize_emblem,
    "tower": _tower_emblem,
    "tile": _tile_emblem,
}
