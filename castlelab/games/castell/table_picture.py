"""The table of Castell: map, wheel, calendar and players, with all that lies open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape, Target, Text
from castlelab.game import SEAT_NAMES
from castlelab.games.castell.box import FESTIVAL_ROUNDS, Performance
from castlelab.games.castell.picture import SKILL_LETTERS, SKILL_ROLES
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
from castlelab.games.castell.scoring import PRIZES, score
from castlelab.games.castell.tower import SIZES, SKILLS, festival_score
from castlelab.rules import listed

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState, Festival, Result
    from castlelab.games.castell.scoring import Player

Box = tuple[float, float, float, float]

_WIDTH = 640.0
_PANEL = (150.0, 107.0)
# Where the regions lie, after the real map, in the order of the box's list.
_PLACES = (
    (324.0, 158.0),  # Barcelona
    (482.0, 78.0),  # Mataró
    (8.0, 176.0),  # Tarragona
    (324.0, 44.0),  # Terrassa
    (8.0, 60.0),  # Valls
    (166.0, 94.0),  # Vilafranca
    (166.0, 208.0),  # Vilanova
)
_WHEEL_Y, _CALENDAR_Y = 326.0, 392.0
_COLUMN = 78.0  # of the wheel's eight slots and of the calendar's eight rounds
_FESTIVAL = 60.0
_PLAYER = 72.0
_PLAYERS_X = 114.0  # where a player's things begin, right of the name

_ACTIONS = ("Move", "Recruit", "Train", "Special")
REGIONS, WHEEL, CALENDAR, PLAYERS = "Regions", "The wheel", "Festivals", "Players"
TURN = "Your turn"


def player_name(seat: int) -> str:
    """What a seat is called: by its colour."""
    return SEAT_NAMES[seat]


def game_scene(state: CastellState) -> Scene:
    """The table: the map with everything on it, the wheel, the calendar, the players."""
    shapes: list[Shape] = [*_header(state), *_roads(state)]
    targets: list[Target] = []
    for region, name in enumerate(state.game.box.regions):
        shapes += _region_shapes(state, region)
        box = (*_PLACES[region], *_PANEL)
        targets.append(Target(name, region_words(state, region), *box, group=REGIONS))
    shapes += _wheel_shapes(state)
    targets += _wheel_targets(state)
    y = _CALENDAR_Y
    shapes += _calendar_shapes(state, y)
    targets += _calendar_targets(state, y)
    y += 22 + (_FESTIVAL + 4) * max(map(len, _by_round(state).values()))
    for seat in range(state.game.players):
        shapes += _player_shapes(state, seat, y)
        words = player_words(state, seat)
        targets.append(
            Target(player_name(seat), words, 8, y, _WIDTH - 16, _PLAYER - 4, group=PLAYERS)
        )
        if seat == state.to_move:
            targets += _skill_targets(state, seat, y)
        y += _PLAYER
    shapes += _button_shapes(state)
    targets += _turn_targets(state)
    return Scene(_WIDTH, y + 2, tuple(shapes), tuple(targets), "Castell", game_words(state))


# -- the moment --------------------------------------------------------------------------------


def _header(state: CastellState) -> list[Shape]:
    seat = state.to_move
    if seat is None:
        words = f"The game is over. {_winners(state)} won."
    elif state.festival is not None:
        where = _region(state, state.calendar[state.festival].region)
        words = f"Round {state.round} of 10: festival at {where}. {player_name(seat)} builds."
    else:
        words = f"Round {state.round} of 10: {player_name(seat)}'s turn."
    shapes: list[Shape] = [Text(10, 22, words, 17, "ink", bold=True)]
    if seat is not None and state.festival is None:
        for place, action in enumerate(_ACTIONS):
            taken = bool(state.done & 1 << place)
            fill, edge = ("panel", "line") if taken else ("accent-soft", "accent")
            box = _action_box(place)
            shapes.append(Rect(*box, fill, edge, 1.5, 12))
            label, ink = (f"✓ {action}", "muted") if taken else (action, "ink")
            shapes.append(Text(box[0] + box[2] / 2, 22, label, 13, ink, "middle"))
    return shapes


def _winners(state: CastellState) -> str:
    return listed([player_name(winner) for winner in state.winners])


def _region(state: CastellState, region: int) -> str:
    return state.game.box.regions[region]


def _action_box(place: int) -> Box:
    """One of the four actions in the header."""
    return 340.0 + place * 74, 9.0, 70.0, 26.0


def _buttons(state: CastellState) -> list[tuple[str, str, Box]]:
    """The buttons below the map: their ids, their words, their boxes."""
    if state.to_move is None:
        return []
    if state.festival is None:
        return [(END, "End turn", (482, 212, 150, 44))]
    return [(TOWER, "Best tower", (482, 194, 150, 40)), (OUT, "Stay out", (482, 240, 150, 40))]


def _button_shapes(state: CastellState) -> list[Shape]:
    shapes: list[Shape] = []
    for _, words, (x, y, width, height) in _buttons(state):
        shapes.append(Rect(x, y, width, height, "accent", "accent", 1, 8))
        middle = x + width / 2, y + height / 2
        shapes.append(Text(*middle, words, 15, "on-accent", "middle", bold=True))
    return shapes


def _turn_targets(state: CastellState) -> list[Target]:
    """What the player to move may point at besides regions, in front of everything else."""
    seat = state.to_move
    if seat is None:
        return []
    found = [Target(name, words, *box, group=TURN) for name, words, box in _buttons(state)]
    pawn = state.players[seat].pawn
    if state.festival is not None or pawn is None:
        return found
    where = _region(state, pawn)
    found += [
        Target(
            casteller_id(at),
            f"A casteller of size {size} at {where}",
            *_chip_box(pawn, at - 1),
            group=TURN,
        )
        for at, size in enumerate(state.regions[pawn], start=1)
    ]
    x, y = _PLACES[pawn]
    found += [
        Target(
            tile_id(at),
            f"Performance at {where}: {tile.describe()} for {tile.points}",
            *(x + 4, y + 49 + (at - 1) * 16, 142, 16),
            group=TURN,
        )
        for at, tile in enumerate(state.tiles[pawn], start=1)
    ]
    boxes = ((x + 4, y + 83, 72, 22), _token_box(0))
    for tile, box in zip(state.offered(pawn), boxes, strict=False):
        found.append(Target(wheel_id(tile), f"The wheel offers {tile.title()}", *box, group=TURN))
    tokens = state.players[seat].tokens
    return [
        *found,
        Target(ONE, "Recruit one casteller only", *_action_box(1), group=TURN),
        Target(TOKEN, f"Special action, for one of {tokens} tokens", *_action_box(3), group=TURN),
    ]


# -- the map -----------------------------------------------------------------------------------


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
        Rect(x, y, 24, 20, f"ramp-{size}", "ink", 1, 4),
        Text(x + 12, y + 10, str(size), 14, f"on-ramp-{size}", "middle", bold=True),
    ]
    if count > 1:
        shapes.append(Text(x + 26, y + 11, f"×{count}", 13, "ink"))
    return shapes


def _chip_box(region: int, place: int) -> Box:
    """A casteller in a region."""
    x, y = _PLACES[region]
    return x + 6 + place * 28, y + 26, 26, 22


def _wheel_token(x: float, y: float, tile: str, width: float = 68) -> list[Shape]:
    """A wheel tile: a skill's colours, or words for Practice and Special."""
    if tile in SKILLS:
        fill, edge, ink = SKILL_ROLES[tile], None, f"on-{SKILL_ROLES[tile]}"
    else:
        fill, edge, ink = "paper", "ink", "ink"
    return [
        Rect(x, y, width, 19, fill, edge, 1, 9),
        Text(x + width / 2, y + 10, tile.title(), 13, ink, "middle", bold=True),
    ]


def _seat_mark(x: float, y: float, seat: int, words: str, radius: float = 9.5) -> list[Shape]:
    """A round mark of a player's colour with letters or a number on it."""
    return [
        Circle(x, y, radius, f"seat-{seat}", "ink", 1),
        Text(x, y, words, 12, f"on-seat-{seat}", "middle", bold=True),
    ]


def tile_words(tile: Performance) -> str:
    """A performance tile in a few letters: "3-2-1 · 2" or "6+: Bs Mx×2"."""
    if tile.is_shape:
        return f"{tile} · {tile.points}"
    shown = [
        SKILL_LETTERS[skill] + (f"×{rank}" if (rank := tile.shown.rank(skill)) > 1 else "")
        for skill in SKILLS
        if tile.shown.rank(skill)
    ]
    return f"{tile.points}+: {' '.join(shown)}"


def _region_shapes(state: CastellState, region: int) -> list[Shape]:
    x, y = _PLACES[region]
    width, height = _PANEL
    held = state.festival is not None and state.calendar[state.festival].region == region
    shapes: list[Shape] = [
        Rect(x, y, width, height, "panel", "accent" if held else "line", 3 if held else 1, 10),
        Text(x + 8, y + 15, _region(state, region), 14, "ink", bold=True),
        *_wheel_token(x + 6, y + 84, state.skill_at(region)),
    ]
    for place, size in enumerate(state.regions[region]):
        left, top, _, _ = _chip_box(region, place)
        shapes += _chip(left + 1, top + 1, size)
    for place, tile in enumerate(state.tiles[region]):
        shapes.append(Text(x + 8, y + 57 + place * 16, tile_words(tile), 14, "ink"))
    tokens = Counter(state.tokens[region])
    for place, seat in enumerate(sorted(tokens, reverse=True)):
        shapes += _seat_mark(x + width - 12 - place * 16, y + 13, seat, str(tokens[seat]), 8)
    here = [seat for seat, player in enumerate(state.players) if player.pawn == region]
    for place, seat in enumerate(here):
        shapes += _seat_mark(x + width - 14 - place * 19, y + 92, seat, player_name(seat)[:2], 11)
    return shapes


# -- the wheel ---------------------------------------------------------------------------------


def _slots(state: CastellState) -> list[tuple[str, str, str]]:
    """The eight slots, clockwise from the special one: whose, the tile now, the tile next round.

    The wheel turns one slot a round, so each slot gets the tile of the slot after it.
    """
    box, special = state.game.box, "All regions" if state.game.standard else "No region"
    names = [special, *(box.regions[region] for region in box.wheel_order)]
    tiles = [state.wheel[(slot + state.round) % 8] for slot in range(8)]
    return [(name, tiles[slot], tiles[(slot + 1) % 8]) for slot, name in enumerate(names)]


def _slot_box(slot: int) -> Box:
    return 8 + slot * _COLUMN, _WHEEL_Y, _COLUMN, 60


def _token_box(slot: int) -> Box:
    """The tile in a slot of the wheel."""
    x, y, _, _ = _slot_box(slot)
    return x + 3, y + 32, 72, 22


def _wheel_shapes(state: CastellState) -> list[Shape]:
    """The wheel, unrolled: all tiles move one slot to the left each round, the first goes last."""
    shapes: list[Shape] = [
        Text(557, 298, "The wheel: each round", 12, "muted", "middle"),
        Text(557, 313, "← one slot to the left", 12, "muted", "middle"),
        Rect(8, _WHEEL_Y, _COLUMN * 8, 60, "panel", "line", 1, 10),
    ]
    for slot, (name, tile, _) in enumerate(_slots(state)):
        x, y, width, _ = _slot_box(slot)
        ink, bold = ("muted", False) if slot else ("ink", True)
        shapes.append(Text(x + width / 2, y + 18, name, 12, ink, "middle", bold=bold))
        shapes += _wheel_token(x + 5, y + 33, tile)
    return shapes


def _wheel_targets(state: CastellState) -> list[Target]:
    last = state.round >= FESTIVAL_ROUNDS[-1]
    return [
        Target(
            f"slot {slot}",
            f"{name}: {tile.title()}" + ("" if last else f", next round {then.title()}"),
            *_slot_box(slot),
            group=WHEEL,
        )
        for slot, (name, tile, then) in enumerate(_slots(state))
    ]


# -- the calendar ------------------------------------------------------------------------------


def _by_round(state: CastellState) -> dict[int, list[int]]:
    """The places in the calendar of the festivals of each round."""
    found: dict[int, list[int]] = {round_: [] for round_ in FESTIVAL_ROUNDS}
    for at, festival in enumerate(state.calendar):
        found[festival.round].append(at)
    return found


def _festival_boxes(state: CastellState, y: float) -> Iterator[tuple[int, Box]]:
    for column, places in enumerate(_by_round(state).values()):
        for row, at in enumerate(places):
            x = 8 + column * _COLUMN
            yield at, (x + 1, y + 20 + row * (_FESTIVAL + 4), _COLUMN - 2, _FESTIVAL)


def _result(state: CastellState, at: int) -> Result | None:
    """What came of a festival, if it is over."""
    festival = state.calendar[at]  # that very one: another may be just like it
    return next((result for result in state.results if result.festival is festival), None)


def _calendar_shapes(state: CastellState, y: float) -> list[Shape]:
    shapes: list[Shape] = []
    for column, round_ in enumerate(FESTIVAL_ROUNDS):
        now = round_ == state.round
        x = 8 + column * _COLUMN + _COLUMN / 2
        ink = "ink" if now else "muted"
        shapes.append(Text(x, y + 10, f"Round {round_}", 13, ink, "middle", bold=now))
    for at, (x, top, width, height) in _festival_boxes(state, y):
        festival, result = state.calendar[at], _result(state, at)
        now = festival.round == state.round and result is None
        fill, edge = ("accent-soft", "accent") if now else ("paper", "line")
        line = 3 if at == state.festival else 1
        shapes.append(Rect(x, top, width, height, fill, edge, line, 8, dash=result is not None))
        name = _region(state, festival.region)
        ink = "muted" if result else "ink"
        shapes.append(Text(x + width / 2, top + 13, name, 12, ink, "middle", bold=not result))
        if result is None:
            left = x + width / 2 - len(festival.wanted) * 12.5
            for place, size in enumerate(festival.wanted):
                shapes += _chip(left + place * 25, top + 30, size)
        else:
            shapes += _prize_shapes(result, x + width / 2, top)
    return shapes


def _prize_shapes(result: Result, middle: float, top: float) -> list[Shape]:
    """Who took part, and under each what the prize is worth."""
    if not result.towers:
        return [Text(middle, top + 38, "nobody", 12, "muted", "middle")]
    seats = sorted(result.towers, key=lambda seat: -PRIZES.get(result.prizes.get(seat, ""), 0))
    left = middle - (len(seats) - 1) * 9.25
    shapes: list[Shape] = []
    for place, seat in enumerate(seats):
        x = left + place * 18.5
        shapes += _seat_mark(x, top + 31, seat, player_name(seat)[:2], 9)
        worth = PRIZES.get(result.prizes.get(seat, ""), 0)
        shapes.append(Text(x, top + 49, str(worth or "–"), 12, "ink", "middle", bold=True))
    return shapes


def _calendar_targets(state: CastellState, y: float) -> list[Target]:
    return [
        Target(f"festival {at + 1}", festival_words(state, at), *box, group=CALENDAR)
        for at, box in _festival_boxes(state, y)
    ]


# -- the players -------------------------------------------------------------------------------


def _player_shapes(state: CastellState, seat: int, y: float) -> list[Shape]:
    me = state.players[seat]
    turn = state.to_move == seat
    shapes: list[Shape] = [
        Rect(
            *(8, y, _WIDTH - 16, _PLAYER - 4),
            *("accent-soft" if turn else "paper", f"seat-{seat}", 2, 8),
        ),
        Text(16, y + 14, player_name(seat), 15, "ink", bold=True),
        Text(16, y + 35, f"{score(me).total} points", 14, "ink"),
    ]
    if seat == state.first:
        shapes += [
            Rect(80, y + 5, 28, 18, "accent", None, 1, 5),
            Text(94, y + 14, "1st", 13, "on-accent", "middle", bold=True),
        ]
    shapes.append(Text(16, y + 56, f"tokens {me.tokens}", 13, "muted"))
    x = _PLAYERS_X
    for size in reversed(SIZES):
        if count := me.team.count(size):
            shapes += _chip(x, y + 4, size, count)
            x += 28 if count == 1 else 52
    for at, skill in enumerate(_owned(state, seat)):
        x = _skill_x(at)
        shapes += _wheel_token(x, y + 26, skill)
        shapes.append(Text(x + 73, y + 36, str(me.skills.rank(skill)), 14, "ink", bold=True))
    if tower := dict(state.entries).get(seat):
        return [*shapes, Text(_PLAYERS_X, y + 57, f"Builds {tower}", 14, "ink", bold=True)]
    return shapes + _earned_shapes(me, y + 57)


def _earned_shapes(me: Player, y: float) -> list[Shape]:
    """What a player has won so far, in a row; the size tokens at its end."""
    shapes: list[Shape] = []
    x = _PLAYERS_X
    sheet = score(me)
    prizes = Counter(prize for prize, _ in me.prizes)
    shapes.append(Text(x, y, f"best {me.best}", 13, "ink"))
    x += 64
    for prize, worth in PRIZES.items():
        if prizes[prize]:
            shapes.append(Circle(x + 9, y, 9.5, "warn-soft", "warn", 1.5))
            shapes.append(Text(x + 9, y, str(worth), 13, "ink", "middle", bold=True))
            shapes.append(Text(x + 21, y, f"×{prizes[prize]}", 13, "ink"))
            x += 46
    for words, number in (("shows", sheet.performances), ("regions", len(me.regions))):
        if number:
            shapes.append(Text(x, y, f"{words} {number}", 13, "ink"))
            x += 76
    step = min(26.0, (_WIDTH - 34 - x) / max(len(me.sizes), 1))
    for place, (size, _) in enumerate(reversed(me.sizes)):
        shapes += _chip(_WIDTH - 38 - place * step, y - 10, size)
    return shapes


def _owned(state: CastellState, seat: int) -> list[str]:
    return [skill for skill in SKILLS if state.players[seat].skills.rank(skill)]


def _skill_x(at: int) -> float:
    """Where a skill of a player is drawn."""
    return _PLAYERS_X + at * 90


def _skill_targets(state: CastellState, seat: int, y: float) -> list[Target]:
    """The own skills, which Practice raises."""
    me = state.players[seat]
    return [
        Target(
            skill_id(skill),
            f"Your {skill.title()}, rank {me.skills.rank(skill)}",
            *(_skill_x(at) - 2, y + 24, 86, 23),
            group=PLAYERS,
        )
        for at, skill in enumerate(_owned(state, seat))
    ]


# -- in words ----------------------------------------------------------------------------------


def _tokens(number: int) -> str:
    return "1 token" if number == 1 else f"{number} tokens"


def region_words(state: CastellState, region: int) -> str:
    """A region as it is spoken."""
    name = _region(state, region)
    people = f"castellers {state.regions[region]}" if len(state.regions[region]) else "nobody left"
    here = [player_name(s) for s, player in enumerate(state.players) if player.pawn == region]
    pawns = f" Here: {', '.join(here)}." if here else ""
    tiles = "; ".join(f"{tile.describe()} for {tile.points}" for tile in state.tiles[region])
    placed = Counter(state.tokens[region])
    tokens = ", ".join(f"{player_name(seat)} {_tokens(placed[seat])}" for seat in sorted(placed))
    return (
        f"{name}: {people}. Wheel: {state.skill_at(region)}. "
        f"Performances: {tiles or 'none left'}.{f' Placed: {tokens}.' if tokens else ''}{pawns}"
    )


def festival_words(state: CastellState, at: int) -> str:
    """A festival as it is spoken: what it wants or, once it is over, what came of it."""
    festival, result = state.calendar[at], _result(state, at)
    where = f"Round {festival.round}, {_region(state, festival.region)}"
    if result is not None:
        return f"{where}: {_result_words(result)}"
    return f"{where}: {_wanted_words(festival)}{', now' if at == state.festival else ''}"


def _wanted_words(festival: Festival) -> str:
    return f"sizes wanted {', '.join(map(str, festival.wanted))}"


def _result_words(result: Result) -> str:
    """Who built what at a festival, and what for."""
    built = []
    for seat, tower in result.towers.items():
        taken = [
            str(size)
            for size, owner in zip(result.festival.wanted, result.tokens, strict=True)
            if owner == seat
        ]
        won = f"a {result.prizes[seat]}" if seat in result.prizes else ""
        sizes = f"the size {' and '.join(taken)}" if taken else ""
        gains = listed([gain for gain in (won, sizes) if gain])
        points = festival_score(tower, result.festival.wanted)
        built.append(
            f"{player_name(seat)} built {tower.height} levels for {points}"
            + (f" and won {gains}" if won or sizes else "")
        )
    return "; ".join(built) or "nobody built"


def player_words(state: CastellState, seat: int) -> str:
    """A player as it is spoken: what there is to build with, then what is won."""
    me = state.players[seat]
    where = _region(state, me.pawn) if me.pawn is not None else "not on the map"
    first = ", first player" if seat == state.first else ""
    won = [f"a {prize} at {_region(state, region)}" for prize, region in me.prizes]
    won += [f"size {size} from {_region(state, region)}" for size, region in me.sizes]
    won += [f"the performance {tile} for {tile.points}" for tile in me.performances]
    won += [
        f"{_tokens(number)} collected at {_region(state, region)}"
        for region, number in enumerate(me.collected)
        if number
    ]
    best = f", best tower {me.best}" if me.best else ""
    built = dict(state.entries).get(seat)
    entry = f". Builds {built}" if built else ""
    return (
        f"{player_name(seat)}{first}: {score(me).total} points, team {me.team}, {me.skills}, "
        f"{_tokens(me.tokens)}, {where}{best}{f'. Won: {listed(won)}' if won else ''}{entry}"
    )


def game_words(state: CastellState) -> str:
    """The moment in a sentence or two."""
    points = ", ".join(f"{player_name(s)} {p}" for s, p in enumerate(state.scores))
    seat = state.to_move
    last = f" {_last_words(state)}" if state.results else ""
    if seat is None:
        return f"The game is over. Points: {points}. {_winners(state)} won.{last}"
    if state.festival is not None:
        festival = state.calendar[state.festival]
        return (
            f"Round {state.round}: festival at {_region(state, festival.region)}, "
            f"{_wanted_words(festival)}. {player_name(seat)} may build. Points: {points}."
        )
    taken = [name.lower() for bit, name in enumerate(_ACTIONS) if state.done & 1 << bit]
    done = f" Done: {', '.join(taken)}." if taken else ""
    return f"Round {state.round}: {_turn_words(state, seat)}.{done} Points: {points}.{last}"


def _turn_words(state: CastellState, seat: int) -> str:
    """Whose turn it is, and what with."""
    me = state.players[seat]
    where = _region(state, me.pawn) if me.pawn is not None else "not on the map"
    return f"{player_name(seat)}, {where}, team {me.team}, {me.skills}, {_tokens(me.tokens)}"


def _last_words(state: CastellState) -> str:
    """What came of the festivals of the latest round that had any."""
    latest = state.results[-1].festival.round
    told = [
        f"round {latest} at {_region(state, result.festival.region)}: {_result_words(result)}"
        for result in state.results
        if result.festival.round == latest
    ]
    return f"Last festival{'s' * (len(told) > 1)}, {'. And '.join(told)}."
