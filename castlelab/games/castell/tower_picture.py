"""The towers of Castell in pictures: castellers, levels, and a tower in its landscape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from castlelab.draw.layout import Frame, Part
from castlelab.draw.scene import (
    NARROW,
    Circle,
    Happening,
    Path,
    Piece,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    as_piece,
)
from castlelab.draw.theme import add_family
from castlelab.games.castell.tower import (
    MAX_RANK,
    SKILL_LETTERS,
    SKILLS,
    Level,
    Skills,
    SkillUse,
    Tower,
    level_name,
    skill_uses,
    uses_by_level,
)

# Sizes that may mix are of one height (castell/mix); the even size of a pair is broader.
_HEIGHT = {10: 50, 9: 50, 8: 45, 7: 45, 6: 40, 5: 40, 4: 35, 3: 35, 2: 31, 1: 28}
_BREADTH = {10: 30, 9: 27, 8: 27, 7: 25, 6: 25, 5: 23, 4: 23, 3: 21, 2: 20, 1: 19}
SPACE = 34  # from one casteller to the next
_GROUND = 16.0
_BETWEEN = 3.0  # from a level to the next
_SCALES = tuple(step / 10 for step in range(24, 7, -1))  # how large people may be
_ROOMY = 1.2  # people at least so large stand beside the words, smaller ones below them
_WORDS_LINE = 24.0  # above a level that leaves no room beside it
SKILL_ROLES = {
    "balance": "hue-teal",
    "base": "hue-brown",
    "mix": "hue-purple",
    "strength": "hue-crimson",
    "width": "hue-olive",
}
# By night, too, people have light skin and a dark outline: inverted ones look like ghosts.
add_family("figure", {"skin": "#f7f1e6 #dccfbd", "edge": "#2a211c #0f0c0a"})


@dataclass(frozen=True, slots=True)
class Page:
    """The room for a tower: the whole picture, and what each level has to have."""

    width: float
    height: float
    row: float  # how high a level is at least, so that it can be hit
    apart: float  # how far apart castellers stand at least, for the same reason
    beside: float  # what words and tokens take at either side


WIDE_PAGE = Page(560, 520, 28, 26, 104)
NARROW_PAGE = Page(NARROW, 480, 40, 40, 60)


# -- castellers and levels -----------------------------------------------------------------------


def casteller(
    x: float, foot: float, size: int, *, ghost: bool = False, scale: float = 1.0, slim: float = 1.0
) -> tuple[Shape, ...]:
    """One person of a size, feet at (x, foot), the number on the shirt."""
    tall, broad = _HEIGHT[size] * scale, _BREADTH[size] * scale * slim
    head = min(tall * 0.17, broad * 0.36)
    shirt, legs, sash = tall * 0.42, tall * 0.24, 4 * scale
    shoulder = foot - legs - shirt
    edge, number = ("muted", "muted") if ghost else ("figure-edge", f"on-ramp-{size}")
    fill, skin = (None, None) if ghost else (f"ramp-{size}", "figure-skin")
    leg, line = broad * 0.3, max(1.0, scale * 0.9)
    letters = max(12.0, round(26 * min(scale, broad / 27)) / 2)
    return (
        Rect(x - leg - scale, foot - legs - 1, leg, legs + 1, skin, edge, line),
        Rect(x + scale, foot - legs - 1, leg, legs + 1, skin, edge, line),
        Circle(x, shoulder - head * 0.7, head, skin, edge, line),
        Rect(x - broad / 2, shoulder, broad, shirt, fill, edge, line, 5 * scale, dash=ghost),
        Rect(x - broad / 2, foot - legs - sash, broad, sash, edge),
        Text(x, shoulder + (shirt - sash) / 2, str(size), letters, number, "middle", bold=True),
    )


def level_height(level: Level) -> float:
    """How much a level adds to the tower's height on paper."""
    return max(_HEIGHT[size] for size in level)


def level_words(number: int, level: Level) -> str:
    """A level as it is spoken: "Level 3: 2 of size 8"."""
    return f"Level {number}: {people_words(level)}"


def people_words(level: Level) -> str:
    """Who stands on a level: "2 of size 8"."""
    return " and ".join(f"{count} of size {size}" for size, count in level.parts)


def tower_words(tower: Tower) -> str:
    """A tower as it is spoken, base first."""
    if not tower.levels:
        return "No tower yet."
    levels = "; ".join(level_words(n, level) for n, level in enumerate(tower.levels, start=1))
    return f"A tower of {tower.height} level{'s' * (tower.height != 1)}. {levels}."


def level_shapes(
    level: Level, middle: float, foot: float, gap: float, number: int = 0, scale: float = 1.0
) -> list[Shape]:
    """The castellers of a level, each with a hand on the next one's shoulder.

    They are slimmer where many have to fit.
    """
    people = list(level)
    left = middle - (len(people) - 1) * gap / 2
    slim = [min(1.0, gap / (_BREADTH[size] * scale)) for size in people]
    shapes: list[Shape] = []
    for place, size in enumerate(people):
        x = left + place * gap
        arms = []
        if place == 0:
            arms.append(_hanging_arm(x, foot, size, scale, slim[place], -1))
        if place == len(people) - 1:
            arms.append(_hanging_arm(x, foot, size, scale, slim[place], 1))
        elif slim[place] == 1:  # else shirt touches shirt
            arms.append(_arm(x, foot, size, scale, gap, people[place + 1]))
        person = casteller(x, foot, size, scale=scale, slim=slim[place])
        shapes += as_piece((*arms, *person), _standing(level, number, place))
    return shapes


def _shoulder(foot: float, size: int, scale: float) -> float:
    return foot - _HEIGHT[size] * scale * 0.66


def _arm(x: float, foot: float, size: int, scale: float, gap: float, other: int) -> Path:
    """An arm on the shoulder of the next one; what is behind the shirts is not seen."""
    here, there = (_shoulder(foot, each, scale) + 2 * scale for each in (size, other))
    thick = 6 * scale
    outline = ((x, here), (x + gap, there), (x + gap, there + thick), (x, here + thick))
    return Path(outline, f"ramp-{size}", "figure-edge", max(1.0, scale * 0.9), closed=True)


def _hanging_arm(x: float, foot: float, size: int, scale: float, slim: float, side: int) -> Path:
    tall = _HEIGHT[size] * scale
    top, edge = _shoulder(foot, size, scale), _BREADTH[size] * scale * slim / 2
    outline = (
        (x + side * (edge - 2 * scale), top + tall * 0.03),
        (x + side * (edge + tall * 0.1), top + tall * 0.25),
        (x + side * (edge + tall * 0.07), top + tall * 0.32),
        (x + side * (edge + tall * 0.01), top + tall * 0.33),
        (x + side * (edge - 2 * scale), top + tall * 0.25),
    )
    return Path(outline, f"ramp-{size}", "figure-edge", max(1.0, scale * 0.9), closed=True)


def _standing(level: Level, number: int, place: int) -> Piece:
    """A casteller in a tower, who comes from the team and goes back to it.

    Those of one size are counted by themselves: whoever joins does not make them others.
    """
    people = list(level)
    size = people[place]
    spot = f"tower {number} {size} {people[:place].count(size)}"
    return Piece(f"casteller {size}", spot, f"size {size}", f"size {size}")


def collapse(
    tower: Tower, lit: Iterable[str], way: Literal["wobble", "topple"], times: int = 0
) -> list[Happening]:
    """How a tower gives way at the lowest level that breaks a rule, if one does."""
    lit = set(lit)
    lowest = next((n for n in range(1, tower.height + 1) if level_name(n) in lit), None)
    if lowest is None:
        return []
    steps = tuple(
        tuple(_standing(level, number, place).spot for place in range(len(list(level))))
        for number, level in enumerate(tower.levels, start=1)
        if number >= lowest
    )
    return [Happening(way, steps, f"{tower} {times}")]


# -- skills --------------------------------------------------------------------------------------


def skill_token(x: float, y: float, skill: str, times: int = 1) -> tuple[Shape, ...]:
    """A round token with the skill's letters."""
    role = SKILL_ROLES[skill]
    words = SKILL_LETTERS[skill] + (f"×{times}" if times > 1 else "")
    width = _token_width(times)
    return (
        Rect(x, y - 11, width, 22, role, role, 2, 11),
        Text(x + width / 2, y, words, 12, f"on-{role}", "middle", bold=True),
    )


def _token_width(times: int) -> float:
    return 26 if times == 1 else 44


def chosen_uses(tower: Tower, skills: Skills | None) -> Skills | None:
    """How the tower uses the skills: the first way that the player's ranks allow."""
    ways = skill_uses(tower)
    if skills is not None:
        ways = tuple(way for way in ways if skills.covers(way)) or ways
    return ways[0] if ways else None


def spent_uses(tower: Tower, skills: Skills | None) -> tuple[SkillUse, ...]:
    """The uses to show beside the levels: from the base up, as far as the ranks go.

    What a tower would need beyond its ranks is a breach, and said elsewhere.
    """
    way = chosen_uses(tower, skills)
    uses = uses_by_level(tower, min(way.width if way else 0, skills.width if skills else MAX_RANK))
    if skills is None:
        return uses
    left = {skill: skills.rank(skill) for skill in SKILLS}
    shown = []
    for use in uses:
        if use.times <= left[use.skill]:
            left[use.skill] -= use.times
            shown.append(use)
    return tuple(shown)


# -- where the levels stand ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a tower stands on its page: how large people are, and the row of each level."""

    page: Page
    scale: float
    gap: float
    rows: tuple[float, ...]  # how high each level is, base first
    crowded: tuple[bool, ...]  # whether its words go above it, since it takes the whole width

    @property
    def height(self) -> float:
        return sum(self.rows) + _BETWEEN * len(self.rows)

    def half(self, level: Level) -> float:
        """From the middle of the tower to the outer edge of a level."""
        return level.width * self.gap / 2


def stand(tower: Tower, page: Page, room: float) -> Stand:
    """The largest way to stand in a room of that height, or the smallest if none fits.

    Towers of up to three levels stand alike, so that a tower does not shrink as it grows.
    """
    widest = max([*tower.widths, 3])
    beside = page.width - 2 * page.beside
    across = beside if widest * SPACE * _ROOMY <= beside else page.width - 16
    for scale in _SCALES:
        gap = min(max(SPACE * scale, page.apart), (page.width - 16) / widest)
        crowded = tuple(level.width * gap > beside for level in tower.levels)
        rows = tuple(
            max(page.row, level_height(level) * scale + 2) + _WORDS_LINE * tight
            for level, tight in zip(tower.levels, crowded, strict=True)
        )
        found = Stand(page, scale, gap, rows, crowded)
        missing = (47 * scale + _BETWEEN) * max(0, 3 - tower.height)
        if found.height + missing <= room and widest * SPACE * scale <= across:
            return found
    return found


# -- the tower -----------------------------------------------------------------------------------


def tower_scene(
    tower: Tower,
    skills: Skills | None = None,
    *,
    lit: Iterable[str] = (),
    right: str = "",
    wrong: str = "",
    title: str = "A tower",
    narrow: bool = False,
) -> Scene:
    """A tower of people with its levels labelled and the skills it spends beside them.

    ``lit`` are levels that break a rule. Where one was to be named, ``right`` is the level that
    was rightly named, and there the tower gives way; ``wrong`` is one that was named and stands.
    """
    lit = frozenset(lit)
    page = NARROW_PAGE if narrow else WIDE_PAGE
    # A lone tower needs less than the editor: its picture is only as high as it has to be.
    standing = stand(tower, page, page.height * 0.78)
    height = max(180.0, standing.height + _GROUND + 22)
    part = tower_part(tower, skills, standing, height, lit=lit, right=right, wrong=wrong)
    scene = replace(
        part.scene(title, tower_words(tower)),
        happenings=tuple(collapse(tower, {*lit, right}, "topple")),
    )
    if narrow:
        return scene
    highlights = {"right": right, "wrong": wrong, "title": title}
    again = partial(tower_scene, tower, skills, lit=lit, narrow=True, **highlights)
    return replace(scene, narrow=again)


def tower_part(
    tower: Tower,
    skills: Skills | None,
    standing: Stand,
    height: float,
    *,
    lit: Iterable[str] = (),
    right: str = "",
    wrong: str = "",
    open_level: bool = False,
) -> Part:
    """A tower in its landscape, which has that height, and a target for each level.

    ``open_level`` leaves a place above for one more level to be built.
    """
    lit = set(lit)
    page = standing.page
    # A level's middle is not quite a casteller's: arrow keys lead from the one to the other.
    foot = height - _GROUND
    shapes = landscape(page.width, height)
    targets: list[Target] = []
    uses = spent_uses(tower, skills)
    for number, level in enumerate(tower.levels, start=1):
        tall = standing.rows[number - 1]
        row = (0.0, foot - tall, page.width - 10, tall)
        name = level_name(number)
        sign = "!" if name in lit else "✓" if name == right else "✕" if name == wrong else ""
        if sign:
            shapes += _sign(standing, level, row, sign)
        shapes += _label(standing, number, level, row, "bad" if sign in ("!", "✕") else "muted")
        shapes += level_shapes(level, page.width / 2, foot, standing.gap, number, standing.scale)
        y = row[1] + (_WORDS_LINE / 2 if standing.crowded[number - 1] else tall / 2)
        shapes += _tokens([use for use in uses if use.level == number], page.width - 10, y)
        targets.append(Target(name, level_words(number, level), *row))
        foot -= tall + _BETWEEN
    if open_level:
        number = tower.height + 1
        tall = max(40.0, page.row)
        box = (page.width / 2 - 84, foot - tall + 3, 168, tall - 6)
        shapes += [
            Rect(*box, "paper", "muted", 1.5, 8, dash=True, screen_only=True),
            Text(
                *(page.width / 2, foot - tall / 2),
                "+ new level",
                14,
                "muted",
                "middle",
                screen_only=True,
            ),
            Text(14, foot - tall / 2, f"Level {number}", 13, "muted", bold=True),
        ]
        row = (0.0, foot - tall, page.width - 10, tall)
        targets.append(Target(level_name(number), f"Level {number}: empty", *row))
    return Part.of(shapes, targets, page.width, height)


def room_for_tower(height: float, *, open_level: bool) -> float:
    """What a landscape of that height leaves for the levels of a tower."""
    return height - _GROUND - 10 - (46 if open_level else 0)


def landscape(width: float, height: float) -> list[Shape]:
    """A quiet day: sky, hills and the ground that a tower stands on."""
    ground = height - _GROUND
    rise = min(height * 0.4, 150.0)
    hills = ((0, 0.45), (0.13, 0.95), (0.28, 0.5), (0.42, 0.82), (0.6, 0.4), (0.8, 1), (1, 0.5))
    ridge = [(across * width, ground - up * rise) for across, up in hills]
    return [
        Rect(0, 0, width, height, "accent-soft"),
        Path(((0, ground), *ridge, (width, ground)), "good-soft", closed=True),
        Rect(0, ground, width, _GROUND, "sunk"),
        Path(((0, ground), (width, ground)), None, "line", 1.5),
    ]


def _label(standing: Stand, number: int, level: Level, row: Frame, ink: str) -> tuple[Shape, ...]:
    """The number of a level and, where there is room, who stands on it."""
    _, top, _, tall = row
    x, words = 14, f"Level {number}"
    if standing.crowded[number - 1]:
        return (Text(x, top + _WORDS_LINE / 2, words, 13, ink, bold=True),)
    middle = top + tall / 2
    who = people_words(level)
    if len(level.parts) > 1:
        who = ", ".join(f"{count} × {size}" for size, count in level.parts)
    if tall < 36 or len(who) * 6.5 > standing.page.beside - x:
        return (Text(x, middle, words, 13, ink, bold=True),)
    return Text(x, middle - 9, words, 13, ink, bold=True), Text(x, middle + 9, who, 12, ink)


def _sign(standing: Stand, level: Level, row: Frame, sign: str) -> tuple[Shape, ...]:
    """What is behind a level that breaks a rule or was named: green with a tick, or red."""
    role = "good" if sign == "✓" else "bad"
    _, top, _, tall = row
    middle = standing.page.width / 2
    half = min(standing.half(level) + 10, middle - 3)
    x, y = min(middle + half, standing.page.width - 13), top + 10
    return (
        Rect(middle - half, top, 2 * half, tall, f"{role}-soft", role, 2.5, 10, dash=sign == "✕"),
        Circle(x, y, 10, role, "paper", 1.5),
        Text(x, y, sign, 13, f"on-{role}", "middle", bold=True),
    )


def _tokens(uses: Iterable[SkillUse], right: float, y: float) -> list[Shape]:
    """The skills that a level spends, in a row that ends at the right."""
    uses = tuple(uses)
    x = right - sum(_token_width(use.times) + 4 for use in uses) + 4
    shapes: list[Shape] = []
    for use in uses:
        shapes += skill_token(x, y, use.skill, use.times)
        x += _token_width(use.times) + 4
    return shapes
