"""What each kind of move does to a game of Castell: actions, rounds and festivals."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import sub
from typing import TYPE_CHECKING, Any

from castlelab.game import Move, changed, changed_at
from castlelab.games.castell import moves
from castlelab.games.castell.optimum import may_enter
from castlelab.games.castell.scoring import (
    Festival,
    FestivalResult,
    Player,
    prizes_for,
    token_owners,
)
from castlelab.games.castell.tower import SIZES, Skills, Team, festival_score
from castlelab.rules import CastlelabError

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState

ROUNDS = 10
REFILL_ROUNDS = (3, 5, 7, 9)
PER_REGION = {2: 3, 3: 4, 4: 5}

# The four actions of a turn, as bits of the state's `done`.
MOVE, RECRUIT, TRAIN, SPECIAL = 1, 2, 4, 8
ACTIONS = ("Move", "Recruit", "Train", "Special")


def without_drawn(bag: tuple[int, ...], drawn: tuple[int, ...]) -> tuple[int, ...]:
    """The bag after castellers have been drawn from it."""
    return tuple(map(sub, bag, drawn))


# -- actions ---------------------------------------------------------------------------------


def _acted(state: CastellState, me: Player, action: int, **changes: Any) -> CastellState:
    """The state after an action of whoever is to move."""
    seat = state.to_move
    assert seat is not None
    players = changed_at(state.players, seat, me)
    return changed(state, players=players, done=state.done | action, **changes)


def _go(state: CastellState, move: moves.Go, action: int = MOVE) -> CastellState:
    return _acted(state, changed(state.mover, pawn=state.game.box.places[move.region]), action)


@lru_cache(maxsize=1 << 10)
def _castellers(sizes: tuple[int, ...]) -> Team:
    """The castellers of these sizes."""
    return Team.of(sizes.count(size) for size in SIZES)


def _recruit(state: CastellState, move: moves.Recruit, action: int = RECRUIT) -> CastellState:
    me = state.mover
    assert me.pawn is not None
    taken = _castellers(move.sizes)
    regions = changed_at(state.regions, me.pawn, state.regions[me.pawn] - taken)
    return _acted(state, changed(me, team=me.team + taken), action, regions=regions)


_raised = lru_cache(maxsize=1 << 14)(Skills.raised)  # there are few ways to be skilled


def _train(state: CastellState, move: moves.Train) -> CastellState:
    me = state.mover
    return _acted(state, changed(me, skills=_raised(me.skills, move.skill)), TRAIN)


def _perform(state: CastellState, move: moves.Perform, action: int) -> CastellState:
    """Take the tile and every token there (``castell/performance-claim``), own ones too.

    The token that the action itself costs is placed after that.
    """
    me = state.mover
    pawn = me.pawn
    assert pawn is not None
    here = state.tiles[pawn]
    at = next(at for at, tile in enumerate(here) if str(tile) == move.tile)
    found = len(state.tokens[pawn])
    me = changed(
        me,
        performances=(*me.performances, here[at]),
        collected=changed_at(me.collected, pawn, me.collected[pawn] + found),
    )
    tiles = changed_at(state.tiles, pawn, (*here[:at], *here[at + 1 :]))
    return _acted(state, me, action, tiles=tiles, tokens=changed_at(state.tokens, pawn, ()))


def _special(state: CastellState, move: moves.Special) -> CastellState:
    action = TRAIN if move.trained else SPECIAL
    match move.deed:
        case moves.Go():
            after = _go(state, move.deed, action)
        case moves.Recruit():
            after = _recruit(state, move.deed, action)
        case moves.Perform():
            after = _perform(state, move.deed, action)
    if move.trained:
        return after
    me = after.mover  # castell/special-action: a token goes where it is now
    assert me.pawn is not None
    tokens = changed_at(after.tokens, me.pawn, (*after.tokens[me.pawn], after.to_move))
    return _acted(after, changed(me, tokens=me.tokens - 1), action, tokens=tokens)


# -- rounds and festivals --------------------------------------------------------------------


def _end_turn(state: CastellState, _: moves.EndTurn) -> CastellState:
    if state.turns + 1 < state.game.players:
        return changed(state, turns=state.turns + 1, done=0)
    return _open_festival(state, 0)


def _open_festival(state: CastellState, start: int) -> CastellState:
    """The next festival of this round that somebody can enter, else the next round.

    One that nobody can enter has a result too (``castell/festival-entry``).
    """
    results = state.results
    number = state.game.players
    for at in range(start, len(state.calendar)):
        festival = state.calendar[at]
        if festival.round != state.round:
            continue
        seats = [(state.first + turn) % number for turn in range(number)]
        waiting = tuple([seat for seat in seats if _may_enter(state.players[seat], festival)])
        if waiting:
            return changed(
                state, turns=0, done=0, festival=at, waiting=waiting, entries=(), results=results
            )
        results += (FestivalResult(festival, {}, {}, (None,) * len(festival.wanted)),)
    return _next_round(state, results)


def _may_enter(player: Player, festival: Festival) -> bool:
    return player.pawn == festival.region and may_enter(player.team, player.skills, festival.wanted)


def _answered(state: CastellState, move: moves.Enter | moves.StayOut) -> CastellState:
    """Whoever was to move has answered; the last answer brings the result."""
    entries = state.entries
    if isinstance(move, moves.Enter):
        entries += ((state.waiting[0], move.tower),)
    if waiting := state.waiting[1:]:
        return changed(state, entries=entries, waiting=waiting)
    assert state.festival is not None
    festival = state.calendar[state.festival]
    towers = dict(entries)
    scores = {seat: festival_score(tower, festival.wanted) for seat, tower in entries}
    owners = token_owners(festival.wanted, towers)
    result = FestivalResult(festival, towers, prizes_for(scores), owners)
    players = tuple(
        _rewarded(player, seat, scores[seat], result) if seat in towers else player
        for seat, player in enumerate(state.players)
    )
    after = changed(state, players=players, results=(*state.results, result))
    return _open_festival(after, state.festival + 1)


def _rewarded(player: Player, seat: int, points: int, result: FestivalResult) -> Player:
    """A participant after the festival: best tower, prize, size tokens."""
    region = result.festival.region
    prize = result.prizes.get(seat)
    sizes = tuple(
        (size, region)
        for size, owner in zip(result.festival.wanted, result.tokens, strict=True)
        if owner == seat
    )
    return changed(
        player,
        best=max(player.best, points),  # castell/festival-score: only the best is kept
        prizes=player.prizes + (((prize, region),) if prize else ()),
        sizes=player.sizes + sizes,
    )


def _next_round(state: CastellState, results: tuple[FestivalResult, ...]) -> CastellState:
    """Pass the marker, refill the regions, let the wheel turn (it follows the round)."""
    next_round = state.round + 1
    regions, bag, chance = state.regions, state.bag, state.chance
    if next_round in REFILL_ROUNDS:  # castell/refill
        if chance is None:
            raise CastlelabError("a view does not know what the bag brings; guess a state first")
        filled = []
        for region in regions:
            if missing := PER_REGION[state.game.players] - len(region):
                drawn, chance = chance.draw(bag, missing)
                region += Team.of(drawn)
                bag = without_drawn(bag, drawn)
            filled.append(region)
        regions = tuple(filled)
    first = state.first if next_round > ROUNDS else (state.first + 1) % state.game.players
    return changed(
        state,
        round=next_round,
        first=first,
        turns=0,
        done=0,
        regions=regions,
        bag=bag,
        chance=chance,
        festival=None,
        waiting=(),
        entries=(),
        results=results,
    )


#: What each kind of move does.
TURNS: dict[type[Move], Callable[[CastellState, Any], CastellState]] = {
    moves.Go: _go,
    moves.Recruit: _recruit,
    moves.Train: _train,
    moves.Special: _special,
    moves.EndTurn: _end_turn,
    moves.Enter: _answered,
    moves.StayOut: _answered,
}
