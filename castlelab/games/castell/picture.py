"""Castell in pictures: castellers, towers, the editor's bench and the whole table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape, Target, Text
from castlelab.game import SEAT_NAMES
from castlelab.games.castell.box import Performance
from castlelab.games.castell.pointing import (
    END,
    ONE,
    OUT,
    TOKEN,
    TOWER,
    casteller_id,
    skill_id,
    tile_id,
    wheel_id,
)
from castlelab.games.castell.scoring import score
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

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState

# Sizes that may mix are of one height (castell/mix); the even size of a pair is broader.
_HEIGHT = {10: 50, 9: 50, 8: 45, 7: 45, 6: 40, 5: 40, 4: 35, 3: 35, 2: 31, 1: 28}
_BREADTH = {10: 30, 9: 27, 8: 27, 7: 25, 6: 25, 5: 23, 4: 23, 3: 21, 2: 20, 1: 19}
_SPACE = 34  # from one casteller to the next
_GROUND = 14
_TOWER_WIDTH = 336.0
_LABELS, _TOKENS = 66, 80  # the columns left and right of the people
_BENCH_X, _BENCH_WIDTH, _TILE = 340.0, 182.0, 80.0
_SKILL_LETTERS = {"balance": "Ba", "base": "Bs", "mix": "Mx", "strength": "St", "width": "Wi"}


def casteller(x: float, foot: float, size: int, *, ghost: bool = False) -> tuple[Shape, ...]:
    """One person of a size, feet at (x, foot), the number on the shirt."""
    tall, broad = _HEIGHT[size], _BREADTH[size]
    head = tall * 0.17
    shirt, legs = tall * 0.42, tall * 0.24
    shoulder = foot - legs - shirt
    fill = None if ghost else f"size-{size}"
    edge = "muted" if ghost else "ink"
    number = "muted" if ghost else f"on-size-{size}"
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


def _level_shapes(level: Level, middle: float, foot: float, gap: float) -> list[Shape]:
    """The castellers of a level side by side, slimmer where many have to fit."""
    people = list(level)
    left = middle - (len(people) - 1) * gap / 2
    shapes: list[Shape] = []
    for place, size in enumerate(people):
        x = left + place * gap
        person = casteller(x, foot, size)
        crowded = gap < _BREADTH[size]
        shapes += _shrunk(person, x, foot, gap / _BREADTH[size]) if crowded else person
    return shapes


def skill_token(
    x: float, y: float, skill: str, times: int = 1, *, spent: bool = True
) -> tuple[Shape, ...]:
    """A round token with the skill's letters; hollow while it is still to spend."""
    role = f"skill-{skill}"
    words = _SKILL_LETTERS[skill] + (f"×{times}" if times > 1 else "")
    width = 26 if times == 1 else 44
    return (
        Rect(x, y - 11, width, 22, role if spent else "paper", role, 2, 11),
        Text(x + width / 2, y, words, 12, f"on-{role}" if spent else "ink", "middle", bold=True),
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
    sound: Iterable[str] = (),
    width: float = _TOWER_WIDTH,
    open_level: bool = False,
    title: str = "A tower",
) -> Scene:
    """A tower of people with its levels labelled and the skills it spends beside them.

    ``lit`` are levels that break a rule, and ``sound`` those that were found to keep them all.
    ``open_level`` leaves a place above for one more level to be built.
    """
    lit, sound = set(lit), set(sound)
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
        elif name in sound:
            shapes.append(Rect(4, top, width - 8, tall + 2, "good-soft", "good", 1.5, 6))
        shapes.append(Text(12, top + tall / 2, f"Level {number}", 13, "muted"))
        shapes += _level_shapes(level, middle, foot, gap)
        x = width - _TOKENS + 8
        for use in uses:
            if use.level == number:
                token = skill_token(x, top + tall / 2, use.skill, use.times)
                shapes += token
                x += 30 if use.times == 1 else 48
        targets.append(Target(name, level_words(number, level), 4, top, width - 8, tall + 3))
        foot = top - 2
    if open_level:
        shapes += _open_level(len(heights) + 1, foot, middle, width)
        targets.append(
            Target(
                level_name(len(heights) + 1),
                f"Level {len(heights) + 1}: empty",
                4,
                foot - 38,
                width - 8,
                38,
            )
        )
    return Scene(width, height, tuple(shapes), tuple(targets), title, tower_words(tower))


def _people_columns(widest: int, width: float) -> tuple[float, float]:
    """How far apart castellers stand, and the middle of the tower."""
    room = width - _LABELS - _TOKENS
    return min(_SPACE, room / widest), _LABELS + room / 2


def _open_level(number: int, foot: float, middle: float, width: float) -> list[Shape]:
    return [
        Rect(_LABELS, foot - 36, width - _LABELS - _TOKENS, 34, None, "muted", 1, 6, dash=True),
        Text(12, foot - 18, f"Level {number}", 13, "muted"),
        Text(middle, foot - 18, "+ new level", 13, "muted", "middle"),
    ]


def cover_scene() -> Scene:
    """A festival day: a tower on the square, hills behind it, bunting above."""
    width, height, ground = 360.0, 380.0, 352.0
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "accent-soft"),
        Circle(300, 92, 30, "warn-soft", "warn", 1.5),
        Path(
            ((0, 250), (90, 180), (170, 240), (260, 170), (360, 235), (360, 380), (0, 380)),
            "good-soft",
            None,
            1,
            closed=True,
        ),
        Rect(0, ground, width, height - ground, "panel"),
        Path(((0, ground), (width, ground)), None, "line", 2),
        Path(((0, 26), (180, 44), (360, 26)), None, "muted", 1.5),
    ]
    for place in range(11):
        x = 16 + place * 32.0
        y = 44 - abs(x - 180) / 10
        flag = ((x - 9, y), (x + 9, y), (x, y + 18))
        shapes.append(Path(flag, f"size-{10 - place % 10}", "ink", 1, closed=True))
    foot = ground + 6
    for level in Tower("10*4 9*3 8*3 6*2 4*2 2 1").levels:
        shapes += _level_shapes(level, width / 2, foot, _SPACE)
        foot -= level_height(level) - 2
    return Scene(width, height, tuple(shapes), (), "Castell", "A human tower of seven levels.")


def bench_scene(
    tower: Tower,
    team: Team,
    skills: Skills,
    hand: int | None = None,
    *,
    lit: Iterable[str] = (),
    wanted: tuple[int, ...] = (),
    widths: tuple[int, ...] = (),
) -> Scene:
    """The editor: the tower on the left, the castellers still free and the skills at the right.

    Targets: ``level n`` (one more than there are is a new level), ``size s`` on the bench,
    ``casteller n p`` for a place in a level, while the hand is empty.
    """
    left = tower_scene(tower, skills, lit=lit, open_level=True, title="Tower editor")
    there = [size for size in reversed(SIZES) if team.count(size) or tower.count(size)]
    skills_y = 58 + 48.0 * ((len(there) + 1) // 2)
    owned = sum(skills.rank(skill) > 0 for skill in SKILLS)
    height = max(left.height, skills_y + 26 + 15 * owned, 300.0)
    lift = height - left.height
    shapes: list[Shape] = [_moved(shape, 0, lift) for shape in left.shapes]
    targets = [replace(target, y=target.y + lift) for target in left.targets]
    if hand is None:  # with someone in hand only a level, or another one, is of interest
        targets += _people_targets(tower, targets)
    shapes.append(Rect(_BENCH_X, 8, _BENCH_WIDTH, height - 16, "panel", "line", 1, 10))
    shapes.append(Text(_BENCH_X + 12, 26, "Your team", 15, "ink", bold=True))
    for place, size in enumerate(there):
        row, column = divmod(place, 2)
        x, y = _BENCH_X + 8 + column * (_TILE + 6), 42 + row * 48
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
    return Scene(
        _BENCH_X + _BENCH_WIDTH + 4,
        height,
        tuple(shapes),
        tuple(targets),
        "Tower editor",
        f"{tower_words(tower)} Team: {team or 'nobody'}. Skills: {skills}.",
    )


def _moved(shape: Shape, dx: float, dy: float) -> Shape:
    """The same shape elsewhere."""
    if isinstance(shape, Path):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


def _people_targets(tower: Tower, levels: list[Target]) -> list[Target]:
    """A target on each casteller of the tower, so that one can be taken off."""
    found = []
    for number, level in enumerate(tower.levels, start=1):
        box = levels[number - 1]
        people = list(level)
        gap, middle = _people_columns(max(tower.widths), _TOWER_WIDTH)
        left = middle - (len(people) - 1) * gap / 2
        for place, size in enumerate(people):
            found.append(
                Target(
                    f"casteller {number} {place + 1}",
                    f"On level {number}: size {size}, pick to take off",
                    left + place * gap - gap / 2,
                    box.y,
                    gap,
                    box.height,
                )
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
    shapes += _shrunk(casteller(x + 18, y + 43, size, ghost=free <= 0), x + 18, y + 43, 0.8)
    ready = max(free, 0)
    shapes.append(Text(x + 38, y + 17, f"× {ready}", 15, "ink" if ready else "muted", bold=True))
    if free < 0:
        shapes.append(Text(x + 36, y + 34, f"lacks {-free}", 12, "bad", bold=True))
    else:
        shapes.append(Text(x + 38, y + 34, f"of {total}", 12, "muted"))
    if wanted:
        shapes.append(Text(x + _TILE - 4, y + 34, "★", 15, "warn", "end", bold=True))
    return shapes


def _shrunk(shapes: Iterable[Shape], x: float, y: float, scale: float) -> list[Shape]:
    """Shapes made smaller towards a point."""

    def to(px: float, py: float) -> tuple[float, float]:
        return x + (px - x) * scale, y + (py - y) * scale

    found: list[Shape] = []
    for shape in shapes:
        match shape:
            case Rect():
                px, py = to(shape.x, shape.y)
                found.append(
                    replace(
                        shape,
                        x=px,
                        y=py,
                        width=shape.width * scale,
                        height=shape.height * scale,
                        radius=shape.radius * scale,
                    )
                )
            case Circle():
                px, py = to(shape.x, shape.y)
                found.append(replace(shape, x=px, y=py, radius=shape.radius * scale))
            case Text():
                px, py = to(shape.x, shape.y)
                found.append(replace(shape, x=px, y=py, size=max(12, shape.size * scale)))
            case Path():
                found.append(replace(shape, points=tuple(to(*point) for point in shape.points)))
    return found


def _skills_shapes(tower: Tower, skills: Skills, x: float, y: float) -> list[Shape]:
    """Each owned skill with its ranks as tokens: filled ones are spent by the tower."""
    shapes: list[Shape] = [Text(x, y, "Skills", 15, "ink", bold=True)]
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
        for rank in range(skills.rank(skill)):
            fill = f"skill-{skill}" if rank < spent else "paper"
            shapes.append(Circle(px + 70 + rank * 12, py, 4, fill, f"skill-{skill}", 1.5))
    return shapes


def _silhouette(widths: tuple[int, ...], middle: float, foot: float) -> list[Shape]:
    """The outline that a tower shape asks for."""
    return [
        Rect(middle - width * 7 + place * 14, foot - 12 * (level + 1), 12, 10, "muted", None, 1, 2)
        for level, width in enumerate(widths)
        for place in range(width)
    ]


def silhouette_scene(widths: tuple[int, ...]) -> Scene:
    """A tower shape by itself."""
    height = 14.0 + 24 * len(widths)
    width = 40.0 + 28 * max([*widths, 1])
    shapes = [
        Rect(
            width / 2 - across * 14 + place * 28 + 2,
            height - 8 - 24 * (level + 1),
            24,
            20,
            "muted",
            None,
            1,
            4,
        )
        for level, across in enumerate(widths)
        for place in range(across)
    ]
    words = ", ".join(map(str, widths))
    return Scene(width, height, tuple(shapes), (), "A tower shape", f"Widths {words}, base first.")


# -- the whole table ---------------------------------------------------------------------

_TABLE_WIDTH = 640.0
_PANEL = (148.0, 116.0)
# Where the regions lie, after the real map, in the order of the box's list.
_PLACES = (
    (326.0, 192.0),  # Barcelona
    (484.0, 96.0),  # Mataró
    (8.0, 222.0),  # Tarragona
    (326.0, 58.0),  # Terrassa
    (8.0, 74.0),  # Valls
    (166.0, 118.0),  # Vilafranca
    (166.0, 252.0),  # Vilanova
)
_MAP_BOTTOM = 380.0


def player_name(seat: int) -> str:
    """What a seat is called: by its colour."""
    return SEAT_NAMES[seat]


def game_scene(state: CastellState) -> Scene:
    """The table: the map with everything on it, the festivals ahead, the players."""
    shapes: list[Shape] = [*_header(state), *_roads(state)]
    targets: list[Target] = []
    for region in range(len(state.regions)):
        shapes += _region_shapes(state, region)
        x, y = _PLACES[region]
        targets.append(
            Target(state.game.box.regions[region], region_words(state, region), x, y, *_PANEL)
        )
    shapes += _wheel_shapes(state)
    shapes += _festival_shapes(state, _MAP_BOTTOM + 12)
    y = _MAP_BOTTOM + 62
    for seat in range(state.game.players):
        shapes += _player_shapes(state, seat, y)
        targets.append(Target(player_name(seat), player_words(state, seat), 8, y, 624, 50))
        if seat == state.to_move:
            targets += _skill_targets(state, seat, y)
        y += 54
    shapes += _button_shapes(state)
    targets += _turn_targets(state)
    return Scene(_TABLE_WIDTH, y + 6, tuple(shapes), tuple(targets), "Castell", game_words(state))


def _header(state: CastellState) -> list[Shape]:
    seat = state.to_move
    if seat is None:
        names = " and ".join(player_name(winner) for winner in state.winners)
        words = f"The game is over. {names} won."
    elif state.festival is not None:
        festival = state.calendar[state.festival]
        where = state.game.box.regions[festival.region]
        words = f"Round {state.round} of 10: festival at {where}. {player_name(seat)} builds."
    else:
        words = f"Round {state.round} of 10: {player_name(seat)}'s turn."
    shapes: list[Shape] = [Text(10, 22, words, 17, "ink", bold=True)]
    if seat is not None and state.festival is None:
        for place, action in enumerate(("Move", "Recruit", "Train", "Special")):
            taken = bool(state.done & 1 << place)
            box = _action_box(place)
            x = box[0]
            fill, edge = ("panel", "line") if taken else ("accent-soft", "accent")
            shapes.append(Rect(*box, fill, edge, 1.5, 12))
            shapes.append(
                Text(
                    x + 33,
                    22,
                    f"✓ {action}" if taken else action,
                    12,
                    "muted" if taken else "ink",
                    "middle",
                )
            )
    return shapes


def _turn_targets(state: CastellState) -> list[Target]:
    """What the player to move may point at besides regions, in front of everything else."""
    seat = state.to_move
    if seat is None:
        return []
    found = [Target(name, words, *box) for name, words, box in _buttons(state)]
    pawn = state.players[seat].pawn
    if state.festival is not None or pawn is None:
        return found
    x, y = _PLACES[pawn]
    where = state.game.box.regions[pawn]
    found += [
        Target(casteller_id(at), f"A casteller of size {size} at {where}", *box)
        for at, size in enumerate(state.regions[pawn], start=1)
        for box in ((x + 7 + (at - 1) * 26, y + 28, 24, 24),)
    ]
    found += [
        Target(
            tile_id(at),
            f"Performance at {where}: {tile.describe()} for {tile.points}",
            *(x + 4, y + 55 + (at - 1) * 15, 140, 15),
        )
        for at, tile in enumerate(state.tiles[pawn], start=1)
    ]
    boxes = ((x + 5, y + 90, 66, 24), (525, 277, 66, 24))
    for tile, box in zip(state.offered(pawn), boxes, strict=False):
        found.append(Target(wheel_id(tile), f"The wheel offers {tile.title()}", *box))
    tokens = state.players[seat].tokens
    return [
        *found,
        Target(ONE, "Recruit one casteller only", *_action_box(1)),
        Target(TOKEN, f"Special action, for one of {tokens} tokens", *_action_box(3)),
    ]


def _action_box(place: int) -> tuple[float, float, float, float]:
    """One of the four actions in the header."""
    return 352.0 + place * 72, 10.0, 66.0, 24.0


def _buttons(state: CastellState) -> list[tuple[str, str, tuple[float, float, float, float]]]:
    """The buttons below the wheel: their ids, their words, their boxes."""
    if state.to_move is None:
        return []
    if state.festival is None:
        return [(END, "End turn", (484, 320, 148, 44))]
    return [
        (TOWER, "Best tower", (484, 316, 148, 27)),
        (OUT, "Stay out", (484, 347, 148, 27)),
    ]


def _button_shapes(state: CastellState) -> list[Shape]:
    shapes: list[Shape] = []
    for _, words, (x, y, width, height) in _buttons(state):
        shapes.append(Rect(x, y, width, height, "accent", "accent", 1, 8))
        middle = x + width / 2, y + height / 2
        shapes.append(Text(*middle, words, 14, "on-accent", "middle", bold=True))
    return shapes


def _skill_targets(state: CastellState, seat: int, y: float) -> list[Target]:
    """The own skills, which Practice raises."""
    me = state.players[seat]
    owned = [skill for skill in SKILLS if me.skills.rank(skill)]
    return [
        Target(
            skill_id(skill),
            f"Your {skill.title()}, rank {me.skills.rank(skill)}",
            *(154.0 + at * 84, y + 24, 78, 24),
        )
        for at, skill in enumerate(owned)
    ]


def _roads(state: CastellState) -> list[Shape]:
    def middle(region: int) -> tuple[float, float]:
        x, y = _PLACES[region]
        return x + _PANEL[0] / 2, y + _PANEL[1] / 2

    return [
        Path((middle(one), middle(other)), None, "line", 6)
        for one, around in enumerate(state.game.box.neighbours)
        for other in around
        if one < other
    ]


def _chip(x: float, y: float, size: int, count: int = 1) -> list[Shape]:
    """A small square with a size on it, and how many if more than one."""
    shapes: list[Shape] = [
        Rect(x, y, 22, 20, f"size-{size}", "ink", 1, 4),
        Text(x + 11, y + 10, str(size), 12, f"on-size-{size}", "middle", bold=True),
    ]
    if count > 1:
        shapes.append(Text(x + 24, y + 11, f"×{count}", 12, "ink"))
    return shapes


def _wheel_token(x: float, y: float, tile: str) -> list[Shape]:
    """A wheel tile: a skill's colours, or words for Practice and Special."""
    if tile in SKILLS:
        return [
            Rect(x, y, 62, 18, f"skill-{tile}", None, 1, 9),
            Text(x + 31, y + 9, tile.title(), 12, f"on-skill-{tile}", "middle", bold=True),
        ]
    return [
        Rect(x, y, 62, 18, "paper", "ink", 1, 9),
        Text(x + 31, y + 9, tile.title(), 12, "ink", "middle", bold=True),
    ]


def tile_words(tile: Performance) -> str:
    """A performance tile in a few letters: "3-2-1 (2)" or "6 lv: Bs Mx×2 St"."""
    if tile.is_shape:
        return f"{tile} · {tile.points} pts"
    shown = [
        _SKILL_LETTERS[skill] + (f"×{rank}" if (rank := tile.shown.rank(skill)) > 1 else "")
        for skill in SKILLS
        if tile.shown.rank(skill)
    ]
    return f"{tile.points}+ levels: {' '.join(shown)}"


def _region_shapes(state: CastellState, region: int) -> list[Shape]:
    x, y = _PLACES[region]
    width, height = _PANEL
    held = state.festival is not None and state.calendar[state.festival].region == region
    shapes: list[Shape] = [
        Rect(x, y, width, height, "panel", "accent" if held else "line", 3 if held else 1, 10),
        Text(x + 8, y + 15, state.game.box.regions[region], 14, "ink", bold=True),
        *_wheel_token(x + 7, y + 93, state.skill_at(region)),
    ]
    for place, size in enumerate(state.regions[region]):
        shapes += _chip(x + 8 + place * 26, y + 30, size)
    for place, tile in enumerate(state.tiles[region]):
        shapes.append(Text(x + 8, y + 62 + place * 15, tile_words(tile), 12, "ink"))
    for place, owner in enumerate(state.tokens[region]):
        px = x + width - 10 - place * 9
        shapes.append(Circle(px, y + 15, 4, f"seat-{owner}", "ink", 1))
    here = [seat for seat, player in enumerate(state.players) if player.pawn == region]
    for place, seat in enumerate(here):
        px = x + width - 15 - place * 20
        shapes.append(Circle(px, y + 100, 11, f"seat-{seat}", "ink", 1.5))
        shapes.append(
            Text(
                px,
                y + 100,
                player_name(seat)[0] + player_name(seat)[1],
                12,
                f"on-seat-{seat}",
                "middle",
                bold=True,
            )
        )
    return shapes


def _wheel_shapes(state: CastellState) -> list[Shape]:
    whose = "all regions" if state.game.standard else "no region"
    return [
        Rect(484, 250, 148, 58, "paper", "line", 1, 10, dash=True),
        Text(558, 266, f"Wheel, {whose}:", 13, "muted", "middle"),
        *_wheel_token(527, 280, state.special_slot),
    ]


def _festival_shapes(state: CastellState, y: float) -> list[Shape]:
    """The festivals of this round and the next ones, as many as fit."""
    ahead = [
        festival
        for at, festival in enumerate(state.calendar)
        if festival.round >= state.round and (state.festival is None or at >= state.festival)
    ]
    shapes: list[Shape] = []
    for place, festival in enumerate(ahead[:5]):
        x = 8 + place * 126
        now = festival.round == state.round
        shapes.append(
            Rect(
                x, y, 120, 42, "accent-soft" if now else "paper", "accent" if now else "line", 1, 8
            )
        )
        name = state.game.box.regions[festival.region]
        shapes.append(Text(x + 6, y + 11, f"R{festival.round} {name}", 12, "ink", bold=True))
        for at, size in enumerate(festival.wanted):
            shapes += _chip(x + 6 + at * 26, y + 20, size)
    return shapes


def _player_shapes(state: CastellState, seat: int, y: float) -> list[Shape]:
    me = state.players[seat]
    turn = state.to_move == seat
    shapes: list[Shape] = [
        Rect(8, y, 624, 50, "accent-soft" if turn else "paper", f"seat-{seat}", 2, 8),
        Text(16, y + 14, player_name(seat), 14, "ink", bold=True),
        Text(16, y + 35, f"{score(me).total} pts", 13, "ink"),
        Text(84, y + 35, f"tokens {me.tokens}", 12, "muted"),
    ]
    x = 84.0
    for size in reversed(SIZES):
        if count := me.team.count(size):
            shapes += _chip(x, y + 4, size, count)
            x += 26 if count == 1 else 46
    x = 156.0
    for skill in SKILLS:
        if rank := me.skills.rank(skill):
            shapes += _wheel_token(x, y + 27, skill)
            shapes.append(Text(x + 66, y + 36, str(rank), 13, "ink", bold=True))
            x += 84
    return shapes


def _tokens(number: int) -> str:
    return "1 token" if number == 1 else f"{number} tokens"


def region_words(state: CastellState, region: int) -> str:
    """A region as it is spoken."""
    name = state.game.box.regions[region]
    people = f"castellers {state.regions[region]}" if len(state.regions[region]) else "nobody left"
    here = [player_name(s) for s, player in enumerate(state.players) if player.pawn == region]
    pawns = f" Here: {', '.join(here)}." if here else ""
    tiles = "; ".join(f"{tile.describe()} for {tile.points}" for tile in state.tiles[region])
    tokens = f" {_tokens(len(state.tokens[region]))}." if state.tokens[region] else ""
    return (
        f"{name}: {people}. Wheel: {state.skill_at(region)}. "
        f"Performances: {tiles or 'none left'}.{tokens}{pawns}"
    )


def player_words(state: CastellState, seat: int) -> str:
    """A player as it is spoken."""
    me = state.players[seat]
    where = state.game.box.regions[me.pawn] if me.pawn is not None else "not on the map"
    return (
        f"{player_name(seat)}: {score(me).total} points, team {me.team}, {me.skills}, "
        f"{_tokens(me.tokens)}, {where}"
    )


def game_words(state: CastellState) -> str:
    """The moment in a sentence or two."""
    points = ", ".join(f"{player_name(s)} {p}" for s, p in enumerate(state.scores))
    seat = state.to_move
    last = f" {_result_words(state)}" if state.results else ""
    if seat is None:
        names = " and ".join(player_name(winner) for winner in state.winners)
        return f"The game is over. Points: {points}. {names} won.{last}"
    if state.festival is not None:
        festival = state.calendar[state.festival]
        wanted = ", ".join(map(str, festival.wanted))
        return (
            f"Round {state.round}: festival at {state.game.box.regions[festival.region]}, "
            f"sizes wanted {wanted}. {player_name(seat)} may build. Points: {points}."
        )
    return f"Round {state.round}: {player_words(state, seat)}. Points: {points}.{last}"


def _result_words(state: CastellState) -> str:
    """What came of the latest festival."""
    result = state.results[-1]
    where = state.game.box.regions[result.festival.region]
    built = [
        f"{player_name(seat)} built {tower.height} levels"
        + (f" and won a {result.prizes[seat]}" if seat in result.prizes else "")
        for seat, tower in result.towers.items()
    ]
    told = "; ".join(built) or "nobody built"
    return f"Last festival, round {result.festival.round} at {where}: {told}."
