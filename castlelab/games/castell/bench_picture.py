"""The bench of Castell in pictures: a tower in the making, the team below it, the skills."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from castlelab.draw.layout import Frame, Part, caption, grouped, in_rows, joined, moved, rows
from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape, Target, Text
from castlelab.games.castell.tower import SIZES, SKILLS, Skills, Team, Tower
from castlelab.games.castell.tower_picture import (
    NARROW_PAGE,
    SKILL_ROLES,
    WIDE_PAGE,
    Stand,
    casteller,
    chosen_uses,
    collapse,
    room_for_tower,
    spent_uses,
    stand,
    tower_part,
    tower_words,
)

_HEADING = 150.0  # the words beside the team, on a wide page
_GAP = 5.0  # from one size of the team to the next
_TILE = 58.0  # how high it is
_SKILLS_LINE = 24.0
_LEAST_SKY = 240.0


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
    narrow: bool = False,
) -> Scene:
    """The editor: the tower in its landscape, below it the castellers still free and the skills.

    Targets: ``level n`` (one more than there are is a new level), ``size s`` on the bench,
    ``casteller n p`` for a place in a level, to take somebody off: while the hand is empty or
    has just put somebody on another level, ``put_on``. A tower that breaks a rule wobbles
    while it is built, and comes down each time that it is ``refused``.
    """
    page = NARROW_PAGE if narrow else WIDE_PAGE
    strip = _strip(tower, team, skills, hand, wanted, page.width, narrow=narrow)
    # The picture keeps its height while a tower grows, as long as the tower fits.
    sky = max(page.height - strip.height, _LEAST_SKY)
    standing = stand(tower, page, room_for_tower(sky, open_level=True))
    sky = max(sky, sky - room_for_tower(sky, open_level=True) + standing.height)
    above = tower_part(tower, skills, standing, sky, lit=lit, open_level=True)
    # Whoever has just been picked goes to a level, wherever in it one points.
    people = [
        target
        for number, on_level in enumerate(_people_targets(tower, standing, above), start=1)
        if hand is None or put_on not in (None, number)
        for target in on_level
    ]
    built = grouped(joined([above, Part.of((), people)]), "The tower")
    parts = [built, grouped(_lowered(strip, sky), "The team")]
    if widths:
        parts.append(_wanted_shape(widths, page.width))
    words = f"{tower_words(tower)} Team: {team or 'nobody'}. Skills: {skills}."
    happenings = collapse(tower, lit, "wobble")
    happenings += collapse(tower, lit, "topple", refused) if refused else []
    whole = joined(parts, page.width, sky + strip.height).scene("Tower editor", words)
    scene = replace(whole, happenings=tuple(happenings))
    if narrow:
        return scene
    again = partial(bench_scene, tower, team, skills, hand, put_on, lit=lit, wanted=wanted)
    return replace(scene, narrow=partial(again, widths=widths, refused=refused, narrow=True))


def _lowered(part: Part, down: float) -> Part:
    return replace(
        part,
        shapes=tuple(moved(shape, 0, down) for shape in part.shapes),
        targets=tuple(replace(target, y=target.y + down) for target in part.targets),
    )


def _people_targets(tower: Tower, standing: Stand, levels: Part) -> Iterator[list[Target]]:
    """Level by level a target on each casteller of the tower, so that one can be taken off."""
    gap = standing.gap
    for number, level in enumerate(tower.levels, start=1):
        box = levels.targets[number - 1]
        left = standing.page.width / 2 - standing.half(level)
        yield [
            Target(
                f"casteller {number} {place}",
                f"On level {number}: size {size}, pick to take off",
                *(left + (place - 1) * gap, box.y, gap, box.height),
            )
            for place, size in enumerate(level, start=1)
        ]


# -- the team and its skills ---------------------------------------------------------------------


def _strip(
    tower: Tower,
    team: Team,
    skills: Skills,
    hand: int | None,
    wanted: tuple[int, ...],
    width: float,
    *,
    narrow: bool,
) -> Part:
    """The team, a tile for each size, and below it the skills."""
    there = [size for size in reversed(SIZES) if team.count(size) or tower.count(size)]
    left, top = (8.0, 30.0) if narrow else (_HEADING + 8, 10.0)
    columns = _columns(len(there), 3 if narrow else 4)
    across = min((width - 8 - left + _GAP) / columns, 130.0)
    shapes: list[Shape] = [*_heading(narrow=narrow)]
    targets = []
    for size, x, y in in_rows(there, columns, left, top, across, _TILE + _GAP):
        total = team.count(size)
        free = total - tower.count(size)
        tile = (x, y, across - _GAP, _TILE)
        shapes += _bench_tile(tile, size, free, total, hand == size, size in wanted)
        words = f"Size {size}: {max(free, 0)} of {total} free"
        words += ", wanted at the festival" if size in wanted else ""
        words += ", in hand" if hand == size else ""
        targets.append(Target(f"size {size}", words, *tile, enabled=free > 0))
    y = top + max(1, rows(len(there), columns)) * (_TILE + _GAP) + 3
    trained = _skills_part(tower, skills, y, width)
    height = y + trained.height
    ground: list[Shape] = [
        Rect(0, 0, width, height, "panel"),
        Path(((0, 0), (width, 0)), None, "rule", 1),
    ]
    return Part.of([*ground, *shapes, *trained.shapes], targets, width, height)


def _columns(count: int, few: int) -> int:
    """How many sizes of a team lie in a row: all, or half of them, at most five."""
    return max(1, count) if count <= few + 1 else min(5, rows(count, 2) if count > 5 else count)


def _heading(*, narrow: bool) -> tuple[Shape, ...]:
    what = "Pick one, then a level"
    if narrow:
        return caption(10, 16, "Your team", 14), Text(106, 16, what, 12, "muted", screen_only=True)
    return caption(16, 30, "Your team", 16), Text(16, 52, what, 12, "muted", screen_only=True)


def _bench_tile(
    frame: Frame, size: int, free: int, total: int, in_hand: bool, wanted: bool
) -> list[Shape]:
    """A size on the bench: a casteller of it, how many are free, a star if it is wanted.

    Of those who are used up there is an outline with a number that can be read.
    """
    x, y, width, tall = frame
    used_up = free <= 0
    edge, line = ("accent", 3.0) if in_hand else ("rule" if used_up else "line", 1.0)
    fill = "accent-soft" if in_hand else None if used_up else "card"
    shapes: list[Shape] = [Rect(*frame, fill, edge, line, 8, dash=used_up)]
    person = x + min(width * 0.27, 28)
    shapes += casteller(
        person, y + tall - 5, size, ghost=used_up, scale=0.96 if width > 66 else 0.8
    )
    words = x + width * (0.55 if width > 90 else 0.5)
    ready = max(free, 0)
    shapes.append(Text(words, y + 20, f"×{ready}", 16, "muted" if used_up else "ink", bold=True))
    if free < 0:
        right = x + width - 5
        shapes.append(Text(right, y + 41, f"lacks {-free}", 12, "bad", "end", bold=True))
    else:
        shapes.append(Text(words, y + 41, f"of {total}", 12, "muted"))
    if wanted:
        # In its corner, where it covers no number.
        corner = x + width - 7, y + 1
        shapes.append(Circle(*corner, 8.5, "warn-soft", "warn", 1.5))
        shapes.append(Text(*corner, "★", 12, "ink", "middle"))
    return shapes


def _skills_part(tower: Tower, skills: Skills, y: float, width: float) -> Part:
    """Each owned skill with its ranks as tokens: filled ones are spent by the tower."""
    owned = [skill for skill in SKILLS if skills.rank(skill)]
    if not owned:
        return Part()
    shapes: list[Shape] = [caption(16, y + 8, "Skills", 13)]
    used = spent_uses(tower, skills)
    x, line = 70.0, y + 8
    for skill in owned:
        rank = skills.rank(skill)
        named = len(skill) * 8.0 + 8
        room = named + rank * 13 + 8
        if x + room > width:
            x, line = 70.0, line + _SKILLS_LINE
        spent = sum(use.times for use in used if use.skill == skill)
        if skill == "width" and (way := chosen_uses(tower, skills)):
            spent = min(way.width, skills.width)
        shapes.append(Text(x, line, skill.title(), 13, "ink"))
        role, first = SKILL_ROLES[skill], x + named
        for place in range(rank):
            fill = role if place < spent else "paper"
            shapes.append(Circle(first + place * 13, line, 5, fill, role, 1.5))
        x += room
    return Part.of(shapes, height=line - y + _SKILLS_LINE - 6)


def _wanted_shape(widths: tuple[int, ...], width: float) -> Part:
    """The outline that a tower shape asks for, in the sky."""
    middle = width - 8 - max(54.0, 7.0 * max(widths))
    foot = 28 + 12 * len(widths)
    blocks = (
        Rect(middle + 14 * place - 7 * each, foot - 12 * (level + 1), 12, 10, "muted", radius=2)
        for level, each in enumerate(widths)
        for place in range(each)
    )
    return Part.of([Text(middle, 16, "Build this shape", 12, "muted", "middle"), *blocks])
