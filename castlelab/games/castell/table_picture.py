"""The table of Castell: festivals, map, wheel, towers and players, with all that lies open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from castlelab.draw.layout import Frame, Part, button_part, caption, centred, joined
from castlelab.draw.scene import (
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
from castlelab.games.castell.box import FESTIVAL_ROUNDS
from castlelab.games.castell.pointing import (
    CASTELLER,
    END,
    ONE,
    OUT,
    PERFORMANCE,
    SKILL,
    TOKEN,
    TOWER,
    WHEEL_TILE,
)
from castlelab.games.castell.scoring import PRIZES, score
from castlelab.games.castell.table_form_picture import (
    BEST,
    FESTIVAL,
    FOOT,
    GAP,
    LINES,
    ROUND,
    WHEEL_HEAD,
    TableForm,
    narrow_form,
    wide_form,
)
from castlelab.games.castell.telling import (
    festival_words,
    player_words,
    region_name,
    region_words,
    result_of,
    table_words,
    winners_words,
)
from castlelab.games.castell.token_picture import (
    performance_tile,
    prize_token,
    seat_mark,
    size_token,
    skill_disc,
    small_casteller,
    small_tower,
    step_for,
)
from castlelab.games.castell.tower import SIZES, SKILLS, Tower, festival_score
from castlelab.games.castell.turns import ACTIONS, ROUNDS
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState
    from castlelab.games.castell.scoring import FestivalResult, Player

REGIONS, WHEEL, CALENDAR, PLAYERS = "Regions", "The wheel", "Festivals", "Players"
YOUR_TURN = "Your turn"

# -- the table ---------------------------------------------------------------------------------


def table_scene(state: CastellState) -> Scene:
    """The table: the festivals, the map with everything on it, the wheel, towers, the players."""
    players = state.game.players
    scene = _laid_out(state, wide_form(players))
    return replace(scene, narrow=partial(_narrow, state))


def _narrow(state: CastellState) -> Scene:
    """One below the other; who is to move keeps the own team in sight, and what is not far."""
    scene = _laid_out(state, narrow_form(state.game.players))
    mine = () if state.to_move is None else (SEAT_NAMES[state.to_move],)
    return scene.keeping(*mine, WHEEL_TILE.format(""), ONE, TOKEN)


def _laid_out(state: CastellState, form: TableForm) -> Scene:
    seats = range(state.game.players)
    parts = (
        Part.of([*_land(form), *_roads(state, form), *_turn(state, form)]),
        *(_region(state, region, form) for region in range(len(form.regions))),
        _wheel(state, form),
        _calendar(state, form),
        _towers(state, form),
        *(_player(state, seat, form) for seat in seats),
        *_buttons(state, form),
        Part.of((), _turn_targets(state, form)),
    )
    return joined(parts, *form.size).scene("Castell", table_words(state))


def _land(form: TableForm) -> list[Shape]:
    """The country that the regions lie in, and the sea beyond the coast."""
    width, height = form.size
    top = min(y for _, y, _, _ in form.regions) - GAP / 2
    bottom = max(y + high for _, y, _, high in form.regions) + GAP / 2
    deep = bottom - top
    coast = (
        (0.52, 1),
        (0.56, 0.93),
        (0.66, 0.72),
        (0.7, 0.5),
        (0.78, 0.42),
        (0.86, 0.2),
        (1, 0.05),
    )
    shore = tuple((across * width, top + down * deep) for across, down in coast)
    return [
        Rect(0, 0, width, height, "panel"),
        Rect(0, top, width, deep, "good-soft"),
        Path((*shore, (width, bottom)), "accent-soft", closed=True),
    ]


def _roads(state: CastellState, form: TableForm) -> list[Shape]:
    def middle(region: int) -> Point:
        x, y, width, height = form.regions[region]
        return x + width / 2, y + height / 2

    return [
        Path((middle(one), middle(other)), None, "line", 4, dash=True)
        for one, around in enumerate(state.game.box.neighbours)
        for other in around
        if one < other
    ]


# -- what the turn asks for --------------------------------------------------------------------


def _turn(state: CastellState, form: TableForm) -> list[Shape]:
    """Whose turn it is, and which of the four actions are taken."""
    x, y, _, _ = form.turn
    seat = state.to_move
    if seat is None:
        first, second = "The end", winners_words(state)
    elif state.festival is not None:
        where = region_name(state, state.calendar[state.festival].region)
        first, second = where, f"{SEAT_NAMES[seat]} may build"
    else:
        first, second = f"{SEAT_NAMES[seat]}’s turn", f"Round {state.round} of {ROUNDS}"
    shapes: list[Shape] = [
        caption(x + 2, y + 11, first, form.letters + 2),
        Text(x + 2, y + 31, second, form.letters),
    ]
    if seat is not None and state.festival is None:
        for place, action in enumerate(ACTIONS):
            taken = bool(state.done & 1 << place)
            fill, edge = ("panel", "line") if taken else ("card", "accent")
            label, ink = (f"✓ {action}", "muted") if taken else (action, "ink")
            frame = form.actions[place]
            shapes += [Rect(*frame, fill, edge, 1.5), centred(frame, label, form.letters, ink)]
    return shapes


def _buttons(state: CastellState, form: TableForm) -> list[Part]:
    if state.to_move is None:
        return []
    if state.festival is None:
        return [button_part(END, "End turn", form.end, YOUR_TURN, edge="accent")]
    best, out = form.answers
    return [
        button_part(TOWER, "Best tower", best, YOUR_TURN, edge="accent"),
        button_part(OUT, "Stay out", out, YOUR_TURN, edge="accent"),
    ]


def _turn_targets(state: CastellState, form: TableForm) -> list[Target]:
    """What the player to move may point at besides regions, in front of everything else."""
    seat = state.to_move
    if seat is None or state.festival is not None or (pawn := state.players[seat].pawn) is None:
        return []
    where = region_name(state, pawn)
    found: list[tuple[str, str, Frame]] = []
    for at, size in enumerate(state.regions[pawn]):
        words = f"A casteller of size {size} at {where}"
        found.append((CASTELLER.format(at + 1), words, form.casteller(pawn, at)))
    for at, tile in enumerate(state.tiles[pawn]):
        words = f"Performance at {where}: {tile.describe()} for {tile.points}"
        found.append((PERFORMANCE.format(at + 1), words, form.tile(pawn, at)))
    for skill, frame in zip(state.offered(pawn), (form.offer(pawn), form.in_slot(0)), strict=False):
        found.append((WHEEL_TILE.format(skill), f"The wheel offers {skill.title()}", frame))
    special = f"Special action, for one of {state.players[seat].tokens} tokens"
    found.append((ONE, "Recruit one casteller only", form.actions[1]))
    found.append((TOKEN, special, form.actions[3]))
    return [Target(key, words, *frame, group=YOUR_TURN) for key, words, frame in found]


# -- the map -----------------------------------------------------------------------------------


def _region(state: CastellState, region: int, form: TableForm) -> Part:
    """A region of the map with all that is there."""
    x, y, width, height = frame = form.regions[region]
    name = region_name(state, region)
    held = state.festival is not None and state.calendar[state.festival].region == region
    seat = state.to_move
    here = seat is not None and state.players[seat].pawn == region
    edge, line = ("accent", 3.0) if held else ("ink", 2.0) if here else ("line", 1.0)
    shapes: list[Shape] = [
        Rect(*frame, "card", edge, line),
        caption(x + 8, y + form.header / 2 + 1, name, form.letters),
    ]
    left, top, reach, _ = form.offer(region)
    tile = state.skill_at(region)
    shapes += skill_disc(left + reach / 2, top + reach / 2 + 1, tile, 13.5, form.letters)
    for place, size in enumerate(state.regions[region]):
        chip = Piece(f"casteller {size}", f"{name} {place}", sink=_recruiter(state))
        shapes += as_piece(_waiting(form.casteller(region, place), size, form), chip)
    for place, performance in enumerate(state.tiles[region]):
        shown = performance_tile(performance, form.tile(region, place), form.letters)
        shapes += shown
    shapes += _pawns(state, region, x + 16, y + height - FOOT / 2)
    shapes += _tokens(state, region, x + width - 14, y + height - FOOT / 2, form)
    words = region_words(state, region)
    return Part.of(shapes, [Target(name, words, *frame, group=REGIONS)])


def _waiting(frame: Frame, size: int, form: TableForm) -> list[Shape]:
    """Somebody who waits in the middle of that room."""
    x, y, width, height = frame
    return small_casteller(
        (x + width / 2 - 11.5, y + height / 2 - 14.5, 23, 29), size, form.letters
    )


def _pawns(state: CastellState, region: int, x: float, y: float) -> list[Shape]:
    here = [seat for seat, player in enumerate(state.players) if player.pawn == region]
    step = 25.0 if len(here) < 3 else 19.0
    return [
        shape
        for place, seat in enumerate(here)
        for shape in as_piece(
            seat_mark(x + place * step, y, seat, 10),
            Piece(f"pawn {seat}", "map", source=SEAT_NAMES[seat]),
        )
    ]


def _tokens(
    state: CastellState, region: int, right: float, y: float, form: TableForm
) -> list[Shape]:
    """The action tokens that lie in a region: how many of each player."""
    placed = Counter(state.tokens[region])
    return [
        shape
        for place, seat in enumerate(sorted(placed, reverse=True))
        for shape in _action_tokens(right - place * 19, y, seat, placed[seat], form)
    ]


def _action_tokens(x: float, y: float, seat: int, number: int, form: TableForm) -> list[Shape]:
    """So many tokens for special actions of a player."""
    return [
        Rect(x - 9, y - 9, 18, 18, f"seat-{seat}", "ink", 1),
        Text(x, y, str(number), form.letters, f"on-seat-{seat}", "middle", bold=True),
    ]


def _recruiter(state: CastellState) -> str:
    """Whose team gets a casteller that leaves the map now."""
    return SEAT_NAMES[state.to_move] if state.to_move is not None else ""


# -- the wheel ---------------------------------------------------------------------------------


def _wheel(state: CastellState, form: TableForm) -> Part:
    """The wheel as an oval: all tiles move on by one slot each round, against the clock."""
    x, y, width, height = form.wheel
    middle, top = x + width / 2, y + WHEEL_HEAD
    reach = form.reach
    oval = (middle - reach - 4, top - 4, 2 * reach + 8, height - WHEEL_HEAD + 2)
    shapes: list[Shape] = [
        Rect(x, y, width, height, "card", "rule", 1),
        caption(x + 8, y + 12, "Wheel", form.letters),
        Text(x + width - 8, y + 12, "a step each round", form.letters, "muted", "end"),
        Rect(*oval, "sunk", "line", 1, reach + 4),
    ]
    shapes += _turning(oval)
    last = state.round >= FESTIVAL_ROUNDS[-1]
    targets = []
    special = ("All", "All regions") if state.game.standard else ("None", "No region")
    regions = [region_name(state, region) for region in state.game.box.wheel_order]
    seat = state.to_move
    pawn = state.players[seat].pawn if seat is not None else None
    here = region_name(state, pawn) if pawn is not None else ""
    for slot, (shown, name) in enumerate([special, *zip(regions, regions, strict=True)]):
        tile, then = (state.wheel[(slot + state.round + later) % 8] for later in (0, 1))
        frame = form.slot(slot)
        left, row, _, _ = form.in_slot(slot)
        if name == here:
            shapes.insert(1, Rect(*frame, "accent-soft"))
        words = Text(left - 7, row + reach / 2, shown, form.letters, "ink", "end")
        if 1 <= slot <= 4:
            words = replace(words, x=left + reach + 7, anchor="start")
        turning = Piece(f"wheel {tile}", str((slot + state.round) % 8))
        disc = skill_disc(left + reach / 2, row + reach / 2, tile, 13.5, form.letters)
        shapes += [words, *as_piece(disc, turning)]
        told = f"{name}: {tile.title()}" + ("" if last else f", next round {then.title()}")
        targets.append(Target(f"slot {slot}", told, *frame, group=WHEEL))
    return Part.of(shapes, targets)


def _turning(oval: Frame) -> list[Shape]:
    """Which way the wheel turns: an arrow at its upper and at its lower end."""
    x, y, width, height = oval
    middle = x + width / 2
    return [
        Path(
            ((middle + 7 * way, at - 4), (middle - 6 * way, at), (middle + 7 * way, at + 4)),
            "ink",
            closed=True,
        )
        for way, at in ((1, y + 1), (-1, y + height - 1))
    ]


# -- towers ------------------------------------------------------------------------------------


def _towers(state: CastellState, form: TableForm) -> Part:
    """What has been built at the festival that is on, or at the last one that saw a tower."""
    x, y, width, height = form.towers
    title, built = _latest(state)
    shapes: list[Shape] = [
        Rect(x, y, width, height, "card", "rule", 1),
        caption(x + 8, y + 13, title, form.letters),
    ]
    if not built:
        shapes.append(Text(x + 8, y + 36, "Nobody has built yet.", form.letters, "muted"))
    across = min(width / max(len(built), 1), 130.0)
    x += (width - across * len(built)) / 2
    for place, (seat, tower, points, prize) in enumerate(built):
        middle = x + (place + 0.5) * across
        step = step_for(tower, across - 8, height - 60, 18)
        shapes.append(
            Path(
                (
                    (middle - across / 2 + 4, y + height - 30),
                    (middle + across / 2 - 4, y + height - 30),
                ),
                None,
                "line",
                1.5,
            )
        )
        shapes += small_tower(tower, middle, y + height - 31, step)
        left = middle - (28 if prize else 14)
        shapes += seat_mark(left + 4, y + height - 15, seat, 8)
        shapes.append(caption(left + 17, y + height - 15, str(points), form.letters))
        if prize:
            shapes += prize_token(left + 49, y + height - 15, prize, 10, form.letters)
    return Part.of(shapes)


def _latest(state: CastellState) -> tuple[str, list[tuple[int, Tower, int, str]]]:
    """The latest towers under a title: whose, which, for how many points, with which prize."""
    if state.festival is not None:
        festival = state.calendar[state.festival]
        title = f"Festival at {region_name(state, festival.region)}"
        return title, [
            (seat, tower, festival_score(tower, festival.wanted), "")
            for seat, tower in state.entries
        ]
    for result in reversed(state.results):
        if result.towers:
            festival = result.festival
            title = f"Round {festival.round}, {region_name(state, festival.region)}"
            return title, [
                (seat, tower, festival_score(tower, festival.wanted), result.prizes.get(seat, ""))
                for seat, tower in result.towers.items()
            ]
    return "Festival towers", []


# -- the calendar ------------------------------------------------------------------------------


def _calendar(state: CastellState, form: TableForm) -> Part:
    """The festivals of the whole game, round by round."""
    x, y, width, _ = form.calendar
    across = width / form.columns
    per_round = 1 if state.game.players == 2 else 2
    down = ROUND + per_round * (FESTIVAL + 2)
    shapes: list[Shape] = []
    targets = []
    corners: dict[int, Point] = {}
    for place, round_ in enumerate(FESTIVAL_ROUNDS):
        row, column = divmod(place, form.columns)
        left, top = corners[round_] = x + column * across, y + row * down
        now = round_ == state.round
        words = Text(
            left + across / 2, top + 12, f"Round {round_}", form.letters, "muted", "middle"
        )
        shapes.append(replace(words, fill="ink", bold=True) if now else words)
    held: Counter[int] = Counter()  # how many festivals each round has
    for at, festival in enumerate(state.calendar):
        left, top = corners[festival.round]
        top += ROUND + held[festival.round] * (FESTIVAL + 2)
        held[festival.round] += 1
        frame = (left + 1, top, across - 2, FESTIVAL)
        shapes += _festival(state, at, frame, form)
        targets.append(
            Target(f"festival {at + 1}", festival_words(state, at), *frame, group=CALENDAR)
        )
    return Part.of(shapes, targets)


def _festival(state: CastellState, at: int, frame: Frame, form: TableForm) -> list[Shape]:
    """A festival: where it is and whom it wants or, once it is over, who won."""
    festival, result = state.calendar[at], result_of(state, at)
    x, top, width, _ = frame
    now = festival.round == state.round and result is None
    fill, edge = ("accent-soft", "accent") if now else ("card", "rule")
    line = 3 if at == state.festival else 1
    name = region_name(state, festival.region)
    middle = x + width / 2
    title = Text(middle, top + 12, name, form.letters, "muted", "middle")
    shapes: list[Shape] = [Rect(*frame, fill if result is None else None, edge, line)]
    if result is not None:
        return [*shapes, title, *_prizes(result, middle, top + 36, form)]
    shapes.append(replace(title, fill="ink", bold=True))
    left = middle - len(festival.wanted) * 13.5
    for place, size in enumerate(festival.wanted):
        token = Piece(f"token {size}", f"festival {at + 1} {place}")
        drawn = size_token((left + place * 27 + 2, top + 26, 23, 22), size, form.letters)
        shapes += as_piece(drawn, token)
    return shapes


def _prizes(result: FestivalResult, middle: float, y: float, form: TableForm) -> list[Shape]:
    """Who took part, and on each what the prize is worth."""
    if not result.towers:
        return [Text(middle, y, "nobody", form.letters, "muted", "middle")]
    seats = sorted(result.towers, key=lambda seat: -PRIZES.get(result.prizes.get(seat, ""), 0))
    left = middle - (len(seats) - 1) * 12
    return [
        shape
        for place, seat in enumerate(seats)
        for shape in seat_mark(
            left + place * 24,
            y,
            seat,
            11.5,
            str(PRIZES.get(result.prizes.get(seat, ""), "–")),
            form.letters,
        )
    ]


# -- the players -------------------------------------------------------------------------------


def _player(state: CastellState, seat: int, form: TableForm) -> Part:
    """A player's panel; the own skills, which Practice raises, can be picked as well."""
    me = state.players[seat]
    turn = state.to_move == seat
    x, y, width, _ = panel = form.players[seat]
    name = SEAT_NAMES[seat]
    targets = [Target(name, player_words(state, seat), *panel, group=PLAYERS)]
    shapes: list[Shape] = [
        Rect(*panel, "accent-soft" if turn else "card", f"seat-{seat}", 2.5 if turn else 1.5),
        *seat_mark(x + 16, y + 14, seat, 8),
        caption(x + 30, y + 14, name, form.letters + 2),
    ]
    if seat == state.first:
        badge = (x + 102, y + 4, 34.0, 20.0)
        shapes += [
            Rect(*badge, "accent"),
            centred(badge, "1st", form.letters, "on-accent", bold=True),
        ]
    right = x + width - BEST - 8
    shapes += _action_tokens(right - 9, y + 14, seat, me.tokens, form)
    points = counted(score(me).total, "point")
    shapes.append(Text(right - 26, y + 14, points, form.letters, "ink", "end"))
    shapes += _prizes_won(me, x + 152, y + 14, form)
    shapes += _best(state, seat, panel, form)
    shapes += _team(me, name, (x, y + LINES[0], width - BEST, LINES[1]), form)
    left, top, reach = x + 8, y + LINES[0] + LINES[1] + 2, form.reach
    for skill in filter(me.skills.rank, SKILLS):
        rank = me.skills.rank(skill)
        middle = top + reach / 2
        shapes += skill_disc(left + reach / 2, middle, skill, 13.5, form.letters)
        shapes.append(caption(left + reach / 2 + 18, middle, str(rank), form.letters))
        if turn:
            words = f"Your {skill.title()}, rank {rank}"
            frame = (left, top, max(43.0, reach), reach)
            targets.append(Target(SKILL.format(skill), words, *frame, group=PLAYERS))
        left += 48
    shapes += _sizes_won(me, name, (left + 4, right), top + reach / 2, form)
    return Part.of(shapes, targets)


def _best(state: CastellState, seat: int, panel: Frame, form: TableForm) -> list[Shape]:
    """The best tower of a player, and what it is worth."""
    x, y, width, height = panel
    middle, best = x + width - BEST / 2, state.players[seat].best
    built = (
        result.towers[seat]
        for result in state.results
        if seat in result.towers
        and festival_score(result.towers[seat], result.festival.wanted) == best
    )
    tower = next(built, None)
    edge = x + width - BEST
    shapes: list[Shape] = [Path(((edge, y + 6), (edge, y + height - 6)), None, "rule", 1)]
    if tower is not None:
        shapes.append(Text(middle - 1, y + 14, f"best {best}", form.letters, "ink", "middle"))
        step = step_for(tower, BEST - 8, height - 34, 13)
        shapes += small_tower(tower, middle, y + height - 5, step)
    return shapes


def _team(me: Player, name: str, frame: Frame, form: TableForm) -> list[Shape]:
    """A player's castellers, each size once, and below it how many there are if not one."""
    x, y, width, _ = frame
    there = [size for size in reversed(SIZES) if me.team.count(size)]
    step = min(32.0, (width - 16) / max(len(there), 1))
    shapes: list[Shape] = []
    for place, size in enumerate(there):
        left = x + 8 + place * step
        one = Piece(f"casteller {size}", f"{name} {size}")
        shapes += as_piece(size_token((left, y, 24, 20), size, form.letters), one)
        if (count := me.team.count(size)) > 1:
            words = Text(left + 12, y + 27.5, f"×{count}", form.letters, "ink", "middle")
            shapes.append(words)
    return shapes


def _prizes_won(me: Player, x: float, y: float, form: TableForm) -> Iterator[Shape]:
    """The prizes of a player, each kind once, with how many there are."""
    prizes = Counter(prize for prize, _ in me.prizes)
    for prize in filter(prizes.get, PRIZES):
        yield from prize_token(x, y, prize, 10, form.letters)
        x += 23
        if prizes[prize] > 1:
            yield Text(x - 11, y, f"×{prizes[prize]}", form.letters)
            x += 24


def _sizes_won(
    me: Player, name: str, room: tuple[float, float], y: float, form: TableForm
) -> Iterator[Shape]:
    """The size tokens of a player, in a row that ends at the right."""
    left, right = room
    step = min(24.0, (right - 22 - left) / max(len(me.sizes) - 1, 1))
    for place, (size, _) in enumerate(me.sizes):
        token = Piece(f"token {size}", f"{name} won {place}")
        frame = (right - 22 - place * step, y - 10, 22, 20)
        yield from as_piece(size_token(frame, size, form.letters), token)
