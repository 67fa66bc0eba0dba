"""The towers of Castell in pictures: castellers, levels, shapes and the editor's bench."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Literal

from castlelab.draw.layout import Part, caption, in_rows, moved, rows, shrunk
from castlelab.draw.scene import (
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
from castlelab.games.castell.tower import (
    MAX_RANK,
    SIZES,
    SKILLS,
    Level,
    Skills,
    SkillUse,
    Team,
    Tower,
    level_name,
    skill_uses,
    uses_by_level,
)

# Sizes that may mix are of one height (castell/mix); the even size of a pair is broader.
_HEIGHT = {10: 50, 9: 50, 8: 45, 7: 45, 6: 40, 5: 40, 4: 35, 3: 35, 2: 31, 1: 28}
_BREADTH = {10: 30, 9: 27, 8: 27, 7: 25, 6: 25, 5: 23, 4: 23, 3: 21, 2: 20, 1: 19}
SPACE = 34  # from one casteller to the next
_GROUND = 14
_TOWER_WIDTH = 336.0
_LABELS, _TOKENS = 66, 80  # the columns left and right of the people
_BENCH_X, _BENCH_WIDTH, _TILE = 340.0, 182.0, 80.0
SKILL_LETTERS = {"balance": "Ba", "base": "Bs", "mix": "Mx", "strength": "St", "width": "Wi"}
SKILL_ROLES = {
    "balance": "hue-teal",
    "base": "hue-brown",
    "mix": "hue-purple",
    "strength": "hue-crimson",
    "width": "hue-olive",
}


def casteller(x: float, foot: float, size: int, *, ghost: bool = False) -> tuple[Shape, ...]:
    """One person of a size, feet at (x, foot), the number on the shirt."""
    tall, broad = _HEIGHT[size], _BREADTH[size]
    head = tall * 0.17
    shirt, legs = tall * 0.42, tall * 0.24
    shoulder = foot - legs - shirt
    fill = None if ghost else f"ramp-{size}"
    edge = "muted" if ghost else "ink"
    number = "muted" if ghost else f"on-ramp-{size}"
    leg = broad * 0.3
    return (
        Rect(x - leg - 1, foot - legs - 1, leg, legs + 1, "panel", edge, 1),
        Rect(x + 1, foot - legs - 1, leg, legs + 1, "panel", edge, 1),
        Circle(x, shoulder - head * 0.7, head, "panel", edge, 1),
        Rect(x - broad / 2, shoulder, broad, shirt, fill, edge, 1, 5, dash=ghost),
        Rect(x - broad / 2, foot - legs - 4, broad, 4, edge),  # the sash
        Text(x, shoulder + shirt / 2 - 1, str(size), 13, number, "middle", bold=True),
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
    level: Level, middle: float, foot: float, gap: float, number: int = 0
) -> list[Shape]:
    """The castellers of a level side by side, slimmer where many have to fit."""
    people = list(level)
    left = middle - (len(people) - 1) * gap / 2
    shapes: list[Shape] = []
    for place, size in enumerate(people):
        x = left + place * gap
        person = casteller(x, foot, size)
        scale = gap / _BREADTH[size]
        if scale < 1:
            person = tuple(shrunk(shape, x, foot, scale) for shape in person)
        shapes += as_piece(person, _standing(level, number, place))
    return shapes


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


def skill_token(x: float, y: float, skill: str, times: int = 1) -> tuple[Shape, ...]:
    """A round token with the skill's letters."""
    role = SKILL_ROLES[skill]
    words = SKILL_LETTERS[skill] + (f"×{times}" if times > 1 else "")
    width = 26 if times == 1 else 44
    return (
        Rect(x, y - 11, width, 22, role, role, 2, 11),
        Text(x + width / 2, y, words, 12, f"on-{role}", "middle", bold=True),
    )


def _chosen_uses(tower: Tower, skills: Skills | None) -> Skills | None:
    """How the tower uses the skills: the first way that the player's ranks allow."""
    ways = skill_uses(tower)
    if skills is not None:
        ways = tuple(way for way in ways if skills.covers(way)) or ways
    return ways[0] if ways else None


def spent_uses(tower: Tower, skills: Skills | None) -> tuple[SkillUse, ...]:
    """The uses to show beside the levels: from the base up, as far as the ranks go.

    What a tower would need beyond its ranks is a breach, and said elsewhere.
    """
    way = _chosen_uses(tower, skills)
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


def tower_scene(
    tower: Tower,
    skills: Skills | None = None,
    *,
    lit: Iterable[str] = (),
    right: str = "",
    wrong: str = "",
    width: float = _TOWER_WIDTH,
    open_level: bool = False,
    title: str = "A tower",
) -> Scene:
    """A tower of people with its levels labelled and the skills it spends beside them.

    ``lit`` are levels that break a rule. Where one was to be named, ``right`` is the level that
    was rightly named, and there the tower gives way; ``wrong`` is one that was named and stands.
    ``open_level`` leaves a place above for one more level to be built.
    """
    lit = set(lit)
    heights = [level_height(level) for level in tower.levels]
    headroom = 46 if open_level else 12
    height = headroom + sum(heights) + 4 * len(heights) + _GROUND + 10
    if not tower.levels:
        height = max(height, 90)
    widest = max([*tower.widths, 1])
    gap, middle = _people_columns(widest, width)
    foot = height - _GROUND - 6
    uses = spent_uses(tower, skills)
    shapes: list[Shape] = [
        Path(((_LABELS - 10, foot + 3), (width - _TOKENS + 10, foot + 3)), None, "ink", 2)
    ]
    targets: list[Target] = []
    for number, (level, tall) in enumerate(zip(tower.levels, heights, strict=True), start=1):
        top = foot - tall - 2
        name = level_name(number)
        if name in lit:
            shapes.append(Rect(4, top, width - 8, tall + 2, "bad-soft", "bad", 1.5, 6, dash=True))
        elif name in (right, wrong):
            shapes += _named_level(top, width, tall, is_right=name == right)
        shapes.append(Text(12, top + tall / 2, f"Level {number}", 13, "muted"))
        shapes += level_shapes(level, middle, foot, gap, number)
        x = width - _TOKENS + 8
        for use in uses:
            if use.level == number:
                shapes += skill_token(x, top + tall / 2, use.skill, use.times)
                x += 30 if use.times == 1 else 48
        targets.append(Target(name, level_words(number, level), 4, top, width - 8, tall + 3))
        foot = top - 2
    if open_level:
        number = len(heights) + 1
        room = width - _LABELS - _TOKENS
        shapes += [
            Rect(_LABELS, foot - 36, room, 34, None, "muted", 1, 6, dash=True),
            Text(12, foot - 18, f"Level {number}", 13, "muted"),
            Text(middle, foot - 18, "+ new level", 13, "muted", "middle"),
        ]
        box = (4, foot - 38, width - 8, 38)
        targets.append(Target(level_name(number), f"Level {number}: empty", *box))
    happenings = tuple(collapse(tower, {*lit, right}, "topple"))
    return Scene(
        width, height, tuple(shapes), tuple(targets), title, tower_words(tower), happenings
    )


def _named_level(top: float, width: float, tall: float, *, is_right: bool) -> tuple[Shape, ...]:
    """The band of a level that was named, green with a tick or red with a cross."""
    role, mark = ("good", "✓") if is_right else ("bad", "✕")
    x, y = width - 10, top + 9  # in the corner, where no token of a skill lies
    return (
        Rect(4, top, width - 8, tall + 2, f"{role}-soft", role, 1.5, 6, dash=not is_right),
        Circle(x, y, 8, role),
        Text(x, y, mark, 11, f"on-{role}", "middle", bold=True),
    )


def _people_columns(widest: int, width: float) -> tuple[float, float]:
    """How far apart castellers stand, and the middle of the tower."""
    room = width - _LABELS - _TOKENS
    return min(SPACE, room / widest), _LABELS + room / 2


def bench_scene(
    tower: Tower,
    team: Team,
    skills: Skills,
    hand: int | None = None,
    put_on: int | None = None,
    *,
    lit: Collection[str] = (),
    wanted: tuple[int, ...] = (),
    widths: tuple[int, ...] = (),
    refused: int = 0,
) -> Scene:
    """The editor: the tower on the left, the castellers still free and the skills at the right.

    Targets: ``level n`` (one more than there are is a new level), ``size s`` on the bench,
    ``casteller n p`` for a place in a level, to take somebody off: while the hand is empty or
    has just put somebody on another level, ``put_on``. A tower that breaks a rule wobbles
    while it is built, and comes down each time that it is ``refused``.
    """
    left = tower_scene(tower, skills, lit=lit, open_level=True, title="Tower editor")
    there = [size for size in reversed(SIZES) if team.count(size) or tower.count(size)]
    skills_y = 58 + 48.0 * rows(len(there), 2)
    owned = sum(skills.rank(skill) > 0 for skill in SKILLS)
    height = max(left.height, skills_y + 26 + 15 * owned, 300.0)
    lift = height - left.height
    shapes: list[Shape] = [moved(shape, 0, lift) for shape in left.shapes]
    targets = [replace(target, y=target.y + lift) for target in left.targets]
    # Whoever has just been picked goes to a level, wherever in it one points.
    targets += [
        target
        for number, people in enumerate(_people_targets(tower, targets), start=1)
        if hand is None or put_on not in (None, number)
        for target in people
    ]
    shapes.append(Rect(_BENCH_X, 8, _BENCH_WIDTH, height - 16, "panel", "line", 1, 10))
    shapes.append(caption(_BENCH_X + 12, 26, "Your team", 15))
    for size, x, y in in_rows(there, 2, _BENCH_X + 8, 42, _TILE + 6, 48):
        total = team.count(size)
        free = total - tower.count(size)
        shapes += _bench_tile(x, y, size, free, total, hand == size, size in wanted)
        words = f"Size {size}: {max(free, 0)} of {total} free"
        words += ", wanted at the festival" if size in wanted else ""
        words += ", in hand" if hand == size else ""
        targets.append(Target(f"size {size}", words, x, y, _TILE, 45, enabled=free > 0))
    shapes += _skills_shapes(tower, skills, _BENCH_X + 12, skills_y)
    if widths:
        shapes += _silhouette(widths, 290, 26 + 12 * len(widths))
        shapes.append(Text(290, 12, "Build this shape", 12, "muted", "middle"))
    words = f"{tower_words(tower)} Team: {team or 'nobody'}. Skills: {skills}."
    happenings = collapse(tower, lit, "wobble")
    happenings += collapse(tower, lit, "topple", refused) if refused else []
    bench = Part.of(shapes, targets, _BENCH_X + _BENCH_WIDTH + 4, height, happenings)
    return bench.scene("Tower editor", words)


def _people_targets(tower: Tower, levels: list[Target]) -> list[list[Target]]:
    """Level by level a target on each casteller of the tower, so that one can be taken off."""
    gap, middle = _people_columns(max(tower.widths, default=1), _TOWER_WIDTH)
    found = []
    for number, level in enumerate(tower.levels, start=1):
        box = levels[number - 1]
        people = list(level)
        left = middle - (len(people) - 1) * gap / 2
        found.append(
            [
                Target(
                    f"casteller {number} {place + 1}",
                    f"On level {number}: size {size}, pick to take off",
                    left + place * gap - gap / 2,
                    box.y,
                    gap,
                    box.height,
                )
                for place, size in enumerate(people)
            ]
        )
    return found


def _bench_tile(
    x: float, y: float, size: int, free: int, total: int, in_hand: bool, wanted: bool
) -> list[Shape]:
    """A size on the bench: a casteller of it, how many are free, a star if it is wanted."""
    edge, line = ("accent", 3.0) if in_hand else ("line", 1.0)
    shapes: list[Shape] = [
        Rect(x, y, _TILE, 45, "accent-soft" if in_hand else "paper", edge, line, 8)
    ]
    foot = (x + 18, y + 43)
    shapes += [shrunk(shape, *foot, 0.8) for shape in casteller(*foot, size, ghost=free <= 0)]
    ready = max(free, 0)
    shapes.append(Text(x + 38, y + 17, f"× {ready}", 15, "ink" if ready else "muted", bold=True))
    if free < 0:
        shapes.append(Text(x + 36, y + 34, f"lacks {-free}", 12, "bad", bold=True))
    else:
        shapes.append(Text(x + 38, y + 34, f"of {total}", 12, "muted"))
    if wanted:
        shapes.append(Text(x + _TILE - 4, y + 34, "★", 15, "warn", "end", bold=True))
    return shapes


def _skills_shapes(tower: Tower, skills: Skills, x: float, y: float) -> list[Shape]:
    """Each owned skill with its ranks as tokens: filled ones are spent by the tower."""
    shapes: list[Shape] = [caption(x, y, "Skills", 15)]
    owned = [skill for skill in SKILLS if skills.rank(skill)]
    if not owned:
        return [*shapes, Text(x + 58, y, "none yet", 13, "muted")]
    used = spent_uses(tower, skills)
    for place, skill in enumerate(owned):
        px, py = x, y + 19 + place * 15
        spent = sum(use.times for use in used if use.skill == skill)
        if skill == "width" and (way := _chosen_uses(tower, skills)):
            spent = min(way.width, skills.width)
        shapes.append(Text(px, py, skill.title(), 12, "ink"))
        role = SKILL_ROLES[skill]
        for rank in range(skills.rank(skill)):
            fill = role if rank < spent else "paper"
            shapes.append(Circle(px + 70 + rank * 12, py, 4, fill, role, 1.5))
    return shapes


def _silhouette(widths: tuple[int, ...], middle: float, foot: float) -> list[Shape]:
    """The outline that a tower shape asks for."""
    return [
        Rect(middle + 14 * place - 7 * width, foot - 12 * (level + 1), 12, 10, "muted", radius=2)
        for level, width in enumerate(widths)
        for place in range(width)
    ]
