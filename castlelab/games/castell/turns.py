"""What each kind of move does to a game of Castell: actions, rounds and festivals."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import add, sub
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

# What an action changes of whoever is to move, and of everything else, by field.
Changes = tuple[dict[str, Any], dict[str, Any]]


def _acting(deed: Callable[[CastellState, Player, Any], Changes], action: int) -> Any:
    """What one of the four actions does to a state."""

    def after(state: CastellState, move: Move) -> CastellState:
        seat = (state.first + state.turns) % len(state.players)
        mine, changes = deed(state, state.players[seat], move)
        return _acted(state, seat, action, mine, changes)

    return after


def _acted(
    state: CastellState, seat: int, action: int, mine: dict[str, Any], changes: dict[str, Any]
) -> CastellState:
    players = state.players
    players = (*players[:seat], changed(players[seat], **mine), *players[seat + 1 :])
    return changed(state, players=players, done=state.done | action, **changes)


def _go(state: CastellState, me: Player, move: moves.Go) -> Changes:
    return {"pawn": state.game.box.places[move.region]}, {}


@lru_cache(maxsize=1 << 10)
def _castellers(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """How many of each size these castellers are."""
    return tuple(sizes.count(size) for size in SIZES)


# Who imagines what may come meets the same teams again and again.
@lru_cache(maxsize=1 << 14)
def _joined(team: tuple[int, ...], sizes: tuple[int, ...]) -> Team:
    """A team with more castellers, of these sizes."""
    return Team.of(map(add, team, _castellers(sizes)))


@lru_cache(maxsize=1 << 14)
def _deserted(team: tuple[int, ...], sizes: tuple[int, ...]) -> Team:
    """A team without some of its castellers, of these sizes."""
    return Team.of(map(sub, team, _castellers(sizes)))


def _recruit(state: CastellState, me: Player, move: moves.Recruit) -> Changes:
    pawn, regions, sizes = me.pawn, state.regions, move.sizes
    assert pawn is not None
    left = _deserted(regions[pawn].counts, sizes)
    return {"team": _joined(me.team.counts, sizes)}, {"regions": changed_at(regions, pawn, left)}


_raised = lru_cache(maxsize=1 << 14)(Skills.raised)  # there are few ways to be skilled


def _train(state: CastellState, me: Player, move: moves.Train) -> Changes:
    return {"skills": _raised(me.skills, move.skill)}, {}


def _perform(state: CastellState, me: Player, move: moves.Perform) -> Changes:
    """Take the tile and every token there (``castell/performance-claim``), own ones too.

    The token that the action itself costs is placed after that.
    """
    pawn = me.pawn
    assert pawn is not None
    here = state.tiles[pawn]
    at = next(at for at, tile in enumerate(here) if str(tile) == move.tile)
    found = len(state.tokens[pawn])
    mine: dict[str, Any] = {
        "performances": (*me.performances, here[at]),
        "collected": changed_at(me.collected, pawn, me.collected[pawn] + found),
    }
    tiles = changed_at(state.tiles, pawn, (*here[:at], *here[at + 1 :]))
    return mine, {"tiles": tiles, "tokens": changed_at(state.tokens, pawn, ())}


_DEEDS: dict[type[Move], Callable[[CastellState, Player, Any], Changes]] = {
    moves.Go: _go,
    moves.Recruit: _recruit,
    moves.Perform: _perform,
}


def _special(state: CastellState, move: moves.Special) -> CastellState:
    seat = (state.first + state.turns) % len(state.players)
    me, deed = state.players[seat], move.deed
    mine, changes = _DEEDS[type(deed)](state, me, deed)
    if move.trained:
        return _acted(state, seat, TRAIN, mine, changes)
    # castell/special-action: a token goes where the pawn is now
    pawn, tokens = mine.get("pawn", me.pawn), changes.get("tokens", state.tokens)
    assert pawn is not None
    changes["tokens"] = changed_at(tokens, pawn, (*tokens[pawn], seat))
    mine["tokens"] = me.tokens - 1
    return _acted(state, seat, SPECIAL, mine, changes)


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
    moves.Go: _acting(_go, MOVE),
    moves.Recruit: _acting(_recruit, RECRUIT),
    moves.Train: _acting(_train, TRAIN),
    moves.Special: _special,
    moves.EndTurn: _end_turn,
    moves.Enter: _answered,
    moves.StayOut: _answered,
}
