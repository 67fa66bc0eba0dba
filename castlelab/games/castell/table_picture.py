"""The table of Castell: map, wheel, calendar and players, with all that lies open."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from castlelab.draw.layout import Frame, Part, button_part, caption, centred, joined
from castlelab.draw.scene import (
    Circle,
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
from castlelab.games.castell.box import FESTIVAL_ROUNDS, Performance
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
from castlelab.games.castell.tower import SIZES, SKILLS, festival_score
from castlelab.games.castell.tower_picture import SKILL_LETTERS, SKILL_ROLES
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState
    from castlelab.games.castell.scoring import Festival, FestivalResult, Player

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
YOUR_TURN = "Your turn"


def table_scene(state: CastellState) -> Scene:
    """The table: the map with everything on it, the wheel, the calendar, the players."""
    regions = [_region_part(state, region) for region in range(len(state.game.box.regions))]
    calendar = _calendar(state, _CALENDAR_Y)
    y = _CALENDAR_Y + calendar.height
    players = [_player(state, seat, y + seat * _PLAYER) for seat in range(state.game.players)]
    parts = (
        Part.of([*_header(state), *_roads(state)]),
        *regions,
        _wheel(state),
        calendar,
        *players,
        *_buttons(state),
        Part.of((), _turn_targets(state)),
    )
    bottom = y + state.game.players * _PLAYER + 2
    return joined(parts, _WIDTH, bottom).scene("Castell", table_words(state))


# -- the moment --------------------------------------------------------------------------------


def _header(state: CastellState) -> list[Shape]:
    seat = state.to_move
    if seat is None:
        words = f"The game is over. {_winners(state)} won."
    elif state.festival is not None:
        where = _region(state, state.calendar[state.festival].region)
        words = f"Round {state.round} of 10: festival at {where}. {SEAT_NAMES[seat]} builds."
    else:
        words = f"Round {state.round} of 10: {SEAT_NAMES[seat]}'s turn."
    shapes: list[Shape] = [caption(10, 22, words, 17)]
    if seat is not None and state.festival is None:
        for place, action in enumerate(_ACTIONS):
            taken = bool(state.done & 1 << place)
            fill, edge = ("panel", "line") if taken else ("accent-soft", "accent")
            label, ink = (f"✓ {action}", "muted") if taken else (action, "ink")
            frame = _action_frame(place)
            shapes += [Rect(*frame, fill, edge, 1.5, 12), centred(frame, label, 13, ink)]
    return shapes


def _winners(state: CastellState) -> str:
    return listed([SEAT_NAMES[winner] for winner in state.winners])


def _region(state: CastellState, region: int) -> str:
    return state.game.box.regions[region]


def _action_frame(place: int) -> Frame:
    """One of the four actions in the header."""
    return 340.0 + place * 74, 9.0, 70.0, 26.0


def _buttons(state: CastellState) -> list[Part]:
    """The buttons below the map."""
    if state.to_move is None:
        return []
    if state.festival is None:
        found = [(END, "End turn", 212.0, 44.0)]
    else:
        found = [(TOWER, "Best tower", 194.0, 40.0), (OUT, "Stay out", 240.0, 40.0)]
    return [
        button_part(key, words, (482, y, 150, height), YOUR_TURN, edge="accent")
        for key, words, y, height in found
    ]


def _turn_targets(state: CastellState) -> list[Target]:
    """What the player to move may point at besides regions, in front of everything else."""
    seat = state.to_move
    if seat is None or state.festival is not None or (pawn := state.players[seat].pawn) is None:
        return []
    where = _region(state, pawn)
    x, y = _PLACES[pawn]
    found: list[tuple[str, str, Frame]] = []
    for at, size in enumerate(state.regions[pawn], start=1):
        words = f"A casteller of size {size} at {where}"
        found.append((CASTELLER.format(at), words, _chip_frame(pawn, at - 1)))
    for at, tile in enumerate(state.tiles[pawn], start=1):
        words = f"Performance at {where}: {tile.describe()} for {tile.points}"
        found.append((PERFORMANCE.format(at), words, (x + 4, y + 49 + (at - 1) * 16, 142, 16)))
    frames = ((x + 4, y + 83, 72, 22), _token_frame(0))
    for skill, frame in zip(state.offered(pawn), frames, strict=False):
        found.append((WHEEL_TILE.format(skill), f"The wheel offers {skill.title()}", frame))
    special = f"Special action, for one of {state.players[seat].tokens} tokens"
    found.append((ONE, "Recruit one casteller only", _action_frame(1)))
    found.append((TOKEN, special, _action_frame(3)))
    return [Target(key, words, *frame, group=YOUR_TURN) for key, words, frame in found]


# -- the map -----------------------------------------------------------------------------------


def _roads(state: CastellState) -> list[Shape]:
    def middle(region: int) -> Point:
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
    frame = (x, y, 24, 20)
    shapes: list[Shape] = [
        Rect(*frame, f"ramp-{size}", "ink", 1, 4),
        centred(frame, str(size), 14, f"on-ramp-{size}", bold=True),
    ]
    if count > 1:
        shapes.append(Text(x + 26, y + 11, f"×{count}", 13, "ink"))
    return shapes


def _chip_frame(region: int, place: int) -> Frame:
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


def performance_words(tile: Performance) -> str:
    """A performance tile in a few letters: "3-2-1 · 2" or "6+: Bs Mx×2"."""
    if tile.is_shape:
        return f"{tile} · {tile.points}"
    shown = [
        SKILL_LETTERS[skill] + (f"×{rank}" if (rank := tile.shown.rank(skill)) > 1 else "")
        for skill in SKILLS
        if tile.shown.rank(skill)
    ]
    return f"{tile.points}+: {' '.join(shown)}"


def _region_part(state: CastellState, region: int) -> Part:
    """A region of the map with all that is there."""
    x, y = _PLACES[region]
    width, height = _PANEL
    held = state.festival is not None and state.calendar[state.festival].region == region
    shapes: list[Shape] = [
        Rect(x, y, width, height, "panel", "accent" if held else "line", 3 if held else 1, 10),
        caption(x + 8, y + 15, _region(state, region)),
        *_wheel_token(x + 6, y + 84, state.skill_at(region)),
    ]
    for place, size in enumerate(state.regions[region]):
        left, top, _, _ = _chip_frame(region, place)
        spot = f"{_region(state, region)} {place}"
        chip = Piece(f"casteller {size}", spot, sink=_recruiter(state))
        shapes += as_piece(_chip(left + 1, top + 1, size), chip)
    for place, tile in enumerate(state.tiles[region]):
        shapes.append(Text(x + 8, y + 57 + place * 16, performance_words(tile), 14, "ink"))
    tokens = Counter(state.tokens[region])
    for place, seat in enumerate(sorted(tokens, reverse=True)):
        shapes += _seat_mark(x + width - 12 - place * 16, y + 13, seat, str(tokens[seat]), 8)
    here = [seat for seat, player in enumerate(state.players) if player.pawn == region]
    for place, seat in enumerate(here):
        pawn = _seat_mark(x + width - 14 - place * 19, y + 92, seat, SEAT_NAMES[seat][:2], 11)
        shapes += as_piece(pawn, Piece(f"pawn {seat}", "map", source=SEAT_NAMES[seat]))
    words = region_words(state, region)
    return Part.of(shapes, [Target(_region(state, region), words, x, y, *_PANEL, group=REGIONS)])


def _recruiter(state: CastellState) -> str:
    """Whose team gets a casteller that leaves the map now."""
    return SEAT_NAMES[state.to_move] if state.to_move is not None else ""


# -- the wheel ---------------------------------------------------------------------------------


def _slot_frame(slot: int) -> Frame:
    return 8 + slot * _COLUMN, _WHEEL_Y, _COLUMN, 60


def _token_frame(slot: int) -> Frame:
    """The tile in a slot of the wheel."""
    x, y, _, _ = _slot_frame(slot)
    return x + 3, y + 32, 72, 22


def _wheel(state: CastellState) -> Part:
    """The wheel, unrolled: all tiles move one slot to the left each round, the first goes last."""
    shapes: list[Shape] = [
        Text(557, 298, "The wheel: each round", 12, "muted", "middle"),
        Text(557, 313, "← one slot to the left", 12, "muted", "middle"),
        Rect(8, _WHEEL_Y, _COLUMN * 8, 60, "panel", "line", 1, 10),
    ]
    last = state.round >= FESTIVAL_ROUNDS[-1]
    targets = []
    special = "All regions" if state.game.standard else "No region"
    names = [special, *(_region(state, region) for region in state.game.box.wheel_order)]
    for slot, name in enumerate(names):
        tile, then = (state.wheel[(slot + state.round + later) % 8] for later in (0, 1))
        x, y, width, _ = frame = _slot_frame(slot)
        ink, bold = ("muted", False) if slot else ("ink", True)
        shapes.append(Text(x + width / 2, y + 18, name, 12, ink, "middle", bold=bold))
        turning = Piece(f"wheel {tile}", str((slot + state.round) % 8))
        shapes += as_piece(_wheel_token(x + 5, y + 33, tile), turning)
        words = f"{name}: {tile.title()}" + ("" if last else f", next round {then.title()}")
        targets.append(Target(f"slot {slot}", words, *frame, group=WHEEL))
    return Part.of(shapes, targets)


# -- the calendar ------------------------------------------------------------------------------


def _result(state: CastellState, at: int) -> FestivalResult | None:
    """What came of a festival, if it is over."""
    festival = state.calendar[at]  # that very one: another may be just like it
    return next((result for result in state.results if result.festival is festival), None)


def _calendar(state: CastellState, y: float) -> Part:
    """The festivals of the whole game, round by round."""
    shapes: list[Shape] = []
    targets = []
    for column, round_ in enumerate(FESTIVAL_ROUNDS):
        now = round_ == state.round
        x = 8 + column * _COLUMN + _COLUMN / 2
        ink = "ink" if now else "muted"
        shapes.append(Text(x, y + 10, f"Round {round_}", 13, ink, "middle", bold=now))
    held: Counter[int] = Counter()  # how many festivals each round has
    for at, festival in enumerate(state.calendar):
        left = 9 + FESTIVAL_ROUNDS.index(festival.round) * _COLUMN
        row = y + 20 + held[festival.round] * (_FESTIVAL + 4)
        held[festival.round] += 1
        x, top, width, _ = frame = (left, row, _COLUMN - 2, _FESTIVAL)
        result = _result(state, at)
        now = festival.round == state.round and result is None
        fill, edge = ("accent-soft", "accent") if now else ("paper", "line")
        line = 3 if at == state.festival else 1
        shapes.append(Rect(*frame, fill, edge, line, 8, dash=result is not None))
        name = _region(state, festival.region)
        ink = "muted" if result else "ink"
        shapes.append(Text(x + width / 2, top + 13, name, 12, ink, "middle", bold=not result))
        if result is None:
            left = x + width / 2 - len(festival.wanted) * 12.5
            for place, size in enumerate(festival.wanted):
                token = Piece(f"token {size}", f"festival {at + 1} {place}")
                shapes += as_piece(_chip(left + place * 25, top + 30, size), token)
        else:
            shapes += _prize_shapes(result, x + width / 2, top)
        words = festival_words(state, at)
        targets.append(Target(f"festival {at + 1}", words, *frame, group=CALENDAR))
    height = 22 + (_FESTIVAL + 4) * max(held.values())
    return Part.of(shapes, targets, _WIDTH, height)


def _prize_shapes(result: FestivalResult, middle: float, top: float) -> list[Shape]:
    """Who took part, and under each what the prize is worth."""
    if not result.towers:
        return [Text(middle, top + 38, "nobody", 12, "muted", "middle")]
    seats = sorted(result.towers, key=lambda seat: -PRIZES.get(result.prizes.get(seat, ""), 0))
    left = middle - (len(seats) - 1) * 9.25
    shapes: list[Shape] = []
    for place, seat in enumerate(seats):
        x = left + place * 18.5
        shapes += _seat_mark(x, top + 31, seat, SEAT_NAMES[seat][:2], 9)
        worth = PRIZES.get(result.prizes.get(seat, ""), 0)
        shapes.append(Text(x, top + 49, str(worth or "–"), 12, "ink", "middle", bold=True))
    return shapes


# -- the players -------------------------------------------------------------------------------


def _player(state: CastellState, seat: int, y: float) -> Part:
    """A player's panel; the own skills, which Practice raises, can be picked as well."""
    me = state.players[seat]
    turn = state.to_move == seat
    panel = (8.0, y, _WIDTH - 16, _PLAYER - 4)
    targets = [Target(SEAT_NAMES[seat], player_words(state, seat), *panel, group=PLAYERS)]
    shapes: list[Shape] = [
        Rect(*panel, "accent-soft" if turn else "paper", f"seat-{seat}", 2, 8),
        caption(16, y + 14, SEAT_NAMES[seat], 15),
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
            one = Piece(f"casteller {size}", f"{SEAT_NAMES[seat]} {size}")
            square, number, *how_many = _chip(x, y + 4, size, count)
            shapes += [*as_piece([square, number], one), *how_many]
            x += 28 if count == 1 else 52
    x = _PLAYERS_X
    for skill in filter(me.skills.rank, SKILLS):
        rank = me.skills.rank(skill)
        shapes += [*_wheel_token(x, y + 26, skill), caption(x + 73, y + 36, str(rank))]
        if turn:
            words = f"Your {skill.title()}, rank {rank}"
            targets.append(Target(SKILL.format(skill), words, x - 2, y + 24, 86, 23, group=PLAYERS))
        x += 90
    if tower := dict(state.entries).get(seat):
        shapes.append(caption(_PLAYERS_X, y + 57, f"Builds {tower}"))
    else:
        shapes += _earned_shapes(me, seat, y + 57)
    return Part.of(shapes, targets)


def _earned_shapes(me: Player, seat: int, y: float) -> list[Shape]:
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
        token = Piece(f"token {size}", f"{SEAT_NAMES[seat]} won {len(me.sizes) - place}")
        shapes += as_piece(_chip(_WIDTH - 38 - place * step, y - 10, size), token)
    return shapes


# -- in words ----------------------------------------------------------------------------------


def region_words(state: CastellState, region: int) -> str:
    """A region as it is spoken."""
    name = _region(state, region)
    people = f"castellers {state.regions[region]}" if len(state.regions[region]) else "nobody left"
    here = [SEAT_NAMES[s] for s, player in enumerate(state.players) if player.pawn == region]
    pawns = f" Here: {', '.join(here)}." if here else ""
    tiles = "; ".join(f"{tile.describe()} for {tile.points}" for tile in state.tiles[region])
    placed = Counter(state.tokens[region])
    tokens = ", ".join(
        f"{SEAT_NAMES[seat]} {counted(placed[seat], 'token')}" for seat in sorted(placed)
    )
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


def _result_words(result: FestivalResult) -> str:
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
            f"{SEAT_NAMES[seat]} built {tower.height} levels for {points}"
            + (f" and won {gains}" if won or sizes else "")
        )
    return "; ".join(built) or "nobody built"


def player_words(state: CastellState, seat: int) -> str:
    """A player as it is spoken: what there is to build with, then what is won."""
    me = state.players[seat]
    first = ", first player" if seat == state.first else ""
    won = [f"a {prize} at {_region(state, region)}" for prize, region in me.prizes]
    won += [f"size {size} from {_region(state, region)}" for size, region in me.sizes]
    won += [f"the performance {tile} for {tile.points}" for tile in me.performances]
    won += [
        f"{counted(number, 'token')} collected at {_region(state, region)}"
        for region, number in enumerate(me.collected)
        if number
    ]
    best = f", best tower {me.best}" if me.best else ""
    built = dict(state.entries).get(seat)
    entry = f". Builds {built}" if built else ""
    return (
        f"{SEAT_NAMES[seat]}{first}: {score(me).total} points, {_means(me)}, "
        f"{_where(state, me)}{best}{f'. Won: {listed(won)}' if won else ''}{entry}"
    )


def table_words(state: CastellState) -> str:
    """The moment in a sentence or two."""
    points = ", ".join(f"{SEAT_NAMES[s]} {p}" for s, p in enumerate(state.scores))
    seat = state.to_move
    last = f" {_last_words(state)}" if state.results else ""
    if seat is None:
        return f"The game is over. Points: {points}. {_winners(state)} won.{last}"
    if state.festival is not None:
        festival = state.calendar[state.festival]
        return (
            f"Round {state.round}: festival at {_region(state, festival.region)}, "
            f"{_wanted_words(festival)}. {SEAT_NAMES[seat]} may build. Points: {points}."
        )
    taken = [name.lower() for bit, name in enumerate(_ACTIONS) if state.done & 1 << bit]
    done = f" Done: {', '.join(taken)}." if taken else ""
    me = state.players[seat]
    turn = f"{SEAT_NAMES[seat]}, {_where(state, me)}, {_means(me)}"
    return f"Round {state.round}: {turn}.{done} Points: {points}.{last}"


def _where(state: CastellState, me: Player) -> str:
    return _region(state, me.pawn) if me.pawn is not None else "not on the map"


def _means(me: Player) -> str:
    return f"team {me.team}, {me.skills}, {counted(me.tokens, 'token')}"


def _last_words(state: CastellState) -> str:
    """What came of the festivals of the latest round that had any."""
    latest = state.results[-1].festival.round
    told = [
        f"round {latest} at {_region(state, result.festival.region)}: {_result_words(result)}"
        for result in state.results
        if result.festival.round == latest
    ]
    return f"Last festival{'s' * (len(told) > 1)}, {'. And '.join(told)}."
