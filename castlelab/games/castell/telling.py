"""The words of Castell: what a move did, what lies where, where points come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from castlelab.game import SEAT_NAMES, Emblem, Move, Sentence, Source
from castlelab.games.castell import moves
from castlelab.games.castell.box import Performance
from castlelab.games.castell.scoring import Festival, FestivalResult, Player, score
from castlelab.games.castell.tower import SKILL_LETTERS, SKILLS, Tower, festival_score
from castlelab.games.castell.turns import ACTIONS, ROUNDS
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState

LEGEND = (
    *((letters, skill.title()) for skill, letters in SKILL_LETTERS.items()),
    ("+", "Practice: raise a skill that you have"),
    ("★", "Special: one special action, without a token"),
    ("1st", "who begins this round"),
    ("5, 3, 1", "prizes of a festival: trophy, medal, ribbon"),
    ("■ 7", "tokens for special actions: in a region, placed there; of a player, left"),
)

# -- what a move did ---------------------------------------------------------------------------


def tell_move(state: CastellState, move: Move, after: Any) -> Sentence:
    """What a legal move did, as it goes on after the name of whoever made it."""
    return _told(state, move, after, 0)


def tell_shorter(state: CastellState, move: Move, after: Any) -> Iterator[Sentence]:
    """The same: without the skills that a performance shows, then with festivals in figures."""
    yield _told(state, move, after, 1)
    yield _told(state, move, after, 2)


def _told(state: CastellState, move: Move, after: CastellState, terse: int) -> Sentence:
    match move:
        case moves.Go():
            return _went(state, move)
        case moves.Recruit():
            return _recruited(state, move)
        case moves.Train(skill, practice):
            rank = state.mover.skills.rank(skill) + 1
            how = "practised " if practice else "trained "
            return (how, Emblem(skill.title(), f"skill {skill}", named=True), f", now rank {rank}")
        case moves.Special(deed, trained):
            trained_special = Emblem("Special", "skill special", named=True), " and "
            by = ("trained ", *trained_special) if trained else ("used a token and ",)
            return (*by, *_deed(state, deed, terse))
        case moves.Enter(tower):
            did: Sentence = _entered(state, tower, terse)
        case moves.StayOut():
            did = (f"stayed out at {_held_at(state)}",)
        case _:
            did = ("ended the turn",)
    return (*did, *_outcomes(state, after, terse))


def _deed(state: CastellState, deed: moves.Deed, terse: int) -> Sentence:
    match deed:
        case moves.Go():
            return _went(state, deed)
        case moves.Recruit():
            return _recruited(state, deed)
    return _performed(state, deed, terse)


def _went(state: CastellState, go: moves.Go) -> Sentence:
    return (f"{'began in' if state.mover.pawn is None else 'moved to'} {go.region}",)


def _recruited(state: CastellState, recruit: moves.Recruit) -> Sentence:
    pawn = state.mover.pawn
    assert pawn is not None
    people = [Emblem(f"{_article(size)} {size}", f"casteller {size}") for size in recruit.sizes]
    return ("recruited ", *_joined(people), f" in {region_name(state, pawn)}")


def _article(size: int) -> str:
    return "an" if size == 8 else "a"


def _joined(things: Sequence[Emblem]) -> Sentence:
    *first, last = things
    parts = [part for thing in first for part in (thing, ", ")][:-1]
    return (*parts, *[" and "] * bool(first), last)


def _performed(state: CastellState, deed: moves.Perform, terse: int) -> Sentence:
    pawn = state.mover.pawn
    assert pawn is not None
    tile = next(tile for tile in state.tiles[pawn] if str(tile) == deed.tile)
    found = len(state.tokens[pawn])
    took = f" and took {counted(found, 'token')} that lay there" if found else ""
    named = counted(tile.levels, "level") if terse else performance_name(tile)
    what = Emblem(named, f"tile {tile}", named=not tile.is_shape)
    points = counted(tile.points, "point")
    return ("performed ", what, f" in {region_name(state, pawn)} for {points}{took}")


def performance_name(tile: Performance) -> str:
    """A performance in a sentence.

    >>> performance_name(Performance(2, (3, 2, 1)))
    'the shape 3-2-1'
    >>> from castlelab.games.castell.tower import Skills
    >>> performance_name(Performance(6, shown=Skills(base=1, mix=2)))
    '6 levels with Base and Mix twice'
    """
    if tile.is_shape:
        return f"the shape {tile}"
    often = ("", "", " twice", " three times", " four times", " five times")
    shown = [
        skill.title() + often[rank] for skill in SKILLS if (rank := tile.shown.rank(skill)) > 0
    ]
    return f"{tile.levels} levels with {listed(shown)}"


def _entered(state: CastellState, tower: Tower, terse: int) -> Sentence:
    assert state.festival is not None
    points = festival_score(tower, state.calendar[state.festival].wanted)
    built = Emblem(counted(tower.height, "level"), f"tower {tower}", named=True)
    where = "" if terse > 1 else f" at {_held_at(state)}"
    worth = f"{points}" if terse > 1 else counted(points, "point")
    return ("built ", built, f"{where} for {worth}")


def _held_at(state: CastellState) -> str:
    assert state.festival is not None
    return region_name(state, state.calendar[state.festival].region)


def _outcomes(state: CastellState, after: CastellState, terse: int) -> Sentence:
    """What the move has brought about: festivals that are over, or that begin; a new round."""
    told: list[str | Emblem] = []
    for result in after.results[len(state.results) :]:
        told += [". ", *_outcome(after, result, terse)]
    if after.festival is not None and after.festival != state.festival:
        at = _held_at(after)
        told.append(f". Next: {at}" if terse > 1 else f". The festival at {at} begins")
    if state.round < after.round <= ROUNDS:
        told.append(f". {_new_round(state, after, terse)}")
    return tuple(told)


def _new_round(state: CastellState, after: CastellState, terse: int) -> str:
    """A round that begins, with the castellers that it brings (``castell/refill``)."""
    came = sum(map(len, after.regions)) - sum(map(len, state.regions))
    people = f": {counted(came, 'casteller')}" if came > 0 else ""
    if terse:
        return f"Round {after.round}{people}"
    return f"Round {after.round} begins{people}{' come' if people else ''}"


def _outcome(state: CastellState, result: FestivalResult, terse: int) -> Sentence:
    """Who won what at a festival."""
    where = region_name(state, result.festival.region)
    if not result.towers:
        return (f"{where}: nobody" if terse > 1 else f"Nobody built at {where}",)
    told: list[str | Emblem] = []
    for seat in result.towers:
        won: list[Emblem] = []
        if prize := result.prizes.get(seat):
            won.append(Emblem(prize if terse else f"a {prize}", f"prize {prize}", named=True))
        won += [
            Emblem(f"{size}" if terse > 1 else f"token {size}", f"size {size}")
            for size in _taken(result, seat)
        ]
        if won:
            did = ": " if terse > 1 else " " if terse and told else " won "
            told += ["; " if told else "", f"{SEAT_NAMES[seat]}{did}", *_joined(won)]
    return tuple(part for part in told if part)


def _taken(result: FestivalResult, seat: int) -> list[int]:
    """The size tokens that a seat took."""
    tokens = zip(result.festival.wanted, result.tokens, strict=True)
    return [size for size, owner in tokens if owner == seat]


def performance_words(tile: Performance) -> str:
    """A performance in a few letters.

    >>> performance_words(Performance(2, (3, 2, 1)))
    '3-2-1 · 2'
    >>> from castlelab.games.castell.tower import Skills
    >>> performance_words(Performance(6, shown=Skills(base=1, mix=2)))
    '6+: Bs Mx×2'
    """
    if tile.is_shape:
        return f"{tile} · {tile.points}"
    shown = [
        SKILL_LETTERS[skill] + (f"×{rank}" if (rank := tile.shown.rank(skill)) > 1 else "")
        for skill in SKILLS
        if tile.shown.rank(skill)
    ]
    return f"{tile.points}+: {' '.join(shown)}"


# -- where points come from --------------------------------------------------------------------


def sources(state: CastellState, player: int) -> tuple[Source, ...]:
    """The points of a seat by category (``castell/final-score``)."""
    sheet = state.score_sheets[player]
    return (
        Source("Best tower", sheet.tower),
        Source("Regions", sheet.regions),
        Source("Prizes", sheet.prizes),
        Source("Size tokens", sheet.sizes),
        Source("Performances", sheet.performances),
    )


# -- what lies where ---------------------------------------------------------------------------


def region_name(state: CastellState, region: int) -> str:
    return state.game.box.regions[region]


def winners_words(state: CastellState) -> str:
    """Who has won, once the game is over."""
    return f"{listed([SEAT_NAMES[seat] for seat in state.winners])} won."


def result_of(state: CastellState, at: int) -> FestivalResult | None:
    """What came of a festival, if it is over."""
    festival = state.calendar[at]  # that very one: another may be just like it
    return next((result for result in state.results if result.festival is festival), None)


def region_words(state: CastellState, region: int) -> str:
    """A region as it is spoken."""
    name = region_name(state, region)
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
    festival, result = state.calendar[at], result_of(state, at)
    where = f"Round {festival.round}, {region_name(state, festival.region)}"
    if result is not None:
        return f"{where}: {_result_words(result)}"
    return f"{where}: {_wanted_words(festival)}{', now' if at == state.festival else ''}"


def _wanted_words(festival: Festival) -> str:
    return f"sizes wanted {', '.join(map(str, festival.wanted))}"


def _result_words(result: FestivalResult) -> str:
    """Who built what at a festival, and what for."""
    built = []
    for seat, tower in result.towers.items():
        taken = list(map(str, _taken(result, seat)))
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
    won = [f"a {prize} at {region_name(state, region)}" for prize, region in me.prizes]
    won += [f"size {size} from {region_name(state, region)}" for size, region in me.sizes]
    won += [f"the performance {tile} for {tile.points}" for tile in me.performances]
    won += [
        f"{counted(number, 'token')} collected at {region_name(state, region)}"
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
        return f"The game is over. Points: {points}. {winners_words(state)}{last}"
    if state.festival is not None:
        festival = state.calendar[state.festival]
        return (
            f"Round {state.round}: festival at {region_name(state, festival.region)}, "
            f"{_wanted_words(festival)}. {SEAT_NAMES[seat]} may build. Points: {points}."
        )
    taken = [name.lower() for bit, name in enumerate(ACTIONS) if state.done & 1 << bit]
    done = f" Done: {', '.join(taken)}." if taken else ""
    me = state.players[seat]
    turn = f"{SEAT_NAMES[seat]}, {_where(state, me)}, {_means(me)}"
    return f"Round {state.round}: {turn}.{done} Points: {points}.{last}"


def _where(state: CastellState, me: Player) -> str:
    return region_name(state, me.pawn) if me.pawn is not None else "not on the map"


def _means(me: Player) -> str:
    return f"team {me.team}, {me.skills}, {counted(me.tokens, 'token')}"


def _last_words(state: CastellState) -> str:
    """What came of the festivals of the latest round that had any."""
    latest = state.results[-1].festival.round
    told = [
        f"round {latest} at {region_name(state, result.festival.region)}: {_result_words(result)}"
        for result in state.results
        if result.festival.round == latest
    ]
    return f"Last festival{'s' * (len(told) > 1)}, {'. And '.join(told)}."
