"""What each kind of move does to the state, and how the game goes on from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from castlelab.game import Move, changed, changed_at, without
from castlelab.games.castle_keep import moves
from castlelab.games.castle_keep.castle import (
    BACK,
    CENTRE,
    SPOTS,
    Tile,
    TileRow,
    place_of,
    run,
    siege_run,
    sorted_tiles,
)
from castlelab.games.castle_keep.moves import HAND
from castlelab.rules import CastlelabError

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState

LONGEST_SIEGE = 400  # turns; castle_keep/long-siege


def _draw(state: KeepState, move: moves.DrawTile) -> KeepState:
    if not move.discard:
        return _drawn(state, state.game.draws)
    seat, tile = state.seat, state.discards[-1]
    hand, known = (sorted_tiles((*tiles, tile)) for tiles in (state.hands[seat], state.known[seat]))
    taken = changed(
        state,
        hands=changed_at(state.hands, seat, hand),
        known=changed_at(state.known, seat, known),
        discards=state.discards[:-1],
    )
    return _drawn(taken, state.game.draws - 1)


def _build(state: KeepState, move: moves.Build) -> KeepState:
    number = state.number_of(move.spot, state.seat)
    castle = state.castles[number].with_tile(move.tile, place_of(move.spot.spot))
    castles = changed_at(state.castles, number, castle)
    if move.won:
        won = changed_at(state.won, state.seat, without(state.won[state.seat], move.tile))
        after = changed(state, castles=castles, won=won, deed="build")
    else:
        after = changed(state, castles=castles, deed="build", **_hands_without(state, move.tile))
    return _built(after)


def _exchange(state: KeepState, move: moves.Exchange) -> KeepState:
    first, second = (state.number_of(spot, state.seat) for spot in (move.first, move.second))
    here, there = place_of(move.first.spot), place_of(move.second.spot)
    tile, guest = state.castles[first].places[here], state.castles[second].places[there]
    castles = list(state.castles)
    castles[first] = castles[first].with_tile(guest, here)
    castles[second] = castles[second].with_tile(tile, there)
    # No tile is added, so no castle comes to its end by it and no attack opens.
    return changed(state, castles=tuple(castles), exchanged=state.exchanged + 1)


def _built(state: KeepState) -> KeepState:
    """See whether the castle is finished, or whether attacks may begin."""
    game = state.game
    if all(None not in state.castles[number].places for number, _, _ in game.own[state.seat]):
        rule = "castle_keep/empire" if game.way == "empire" else "castle_keep/win-build"
        return _ended(state, rule, (state.seat,))
    if not state.open and all(state.standing_of(seat) >= 2 for seat in range(game.players)):
        return changed(state, open=True)  # castle_keep/attack-open
    return state


def _attack(state: KeepState, move: moves.Attack) -> KeepState:
    number = state.number_of(move.spot)
    castle, place = state.castles[number], place_of(move.spot.spot)
    played = castle.keeps_needed if place == CENTRE else 1
    falling = run(castle.places, place)
    lost = tuple([tile for at in falling if (tile := castle.places[at]) is not None])
    discards, won = (*state.discards, *(move.tile,) * played), state.won
    if state.game.way == "takeover":
        won = changed_at(won, state.seat, sorted_tiles((*won[state.seat], *lost)))
    else:
        discards += lost
    left = castle.without(falling)
    after = changed(
        state,
        castles=changed_at(state.castles, number, left),
        discards=discards,
        won=won,
        deed="attack",
        prey=move.spot.owner,
        **_hands_without(state, move.tile, played),
    )
    if not len(left):
        after = _destroyed(after, number)
    if after.ending or state.game.many_attacks:
        return after
    return _turn_over(after)


def _destroyed(state: KeepState, number: int) -> KeepState:
    """The last tile of a castle is gone."""
    if state.game.way == "king":
        return state  # nobody has won: it starts again
    if state.game.way != "empire":
        return _ended(state, "castle_keep/win-destroy", (state.seat,))
    owner = state.game.sites[number][0]
    assert owner is not None
    if state.standing_of(owner):
        return state  # castle_keep/empire: it may be begun again
    after = changed(state, out=changed_at(state.out, owner, True))
    if after.out.count(False) == 1:
        return _ended(after, "castle_keep/empire", (state.seat,))
    return after


def _discard(state: KeepState, move: moves.Discard) -> KeepState:
    discards = (*state.discards, move.tile)
    after = changed(state, discards=discards, **_hands_without(state, move.tile))
    return _turn_over(after) if len(after.hands[state.seat]) <= HAND else after


def _turn_up(state: KeepState, _: moves.TurnUp) -> KeepState:
    """Turn up the next tile of the siege (castle_keep/solitaire)."""
    tile = state.pile[-1]
    if tile is BACK:
        raise CastlelabError("what is turned up now is hidden; guess before you play on")
    after = changed(
        state,
        pile=state.pile[:-1],
        discards=(*state.discards, tile),
        flips=state.flips - 1,
        turned=(*state.turned, (tile, ())),
    )
    places = state.identical(tile)
    if len(places) > 1:
        return _siege_goes_on(changed(after, hit=tile))
    return _struck(after, places[0]) if places else _siege_goes_on(after)


def _struck(state: KeepState, place: int) -> KeepState:
    """The siege brings a tile down with its run."""
    castle = state.castles[0]
    falling = siege_run(castle.places, place)
    lost = tuple([tile for at in falling if (tile := castle.places[at]) is not None])
    fell = (state.turned[-1][0], tuple(SPOTS[at] for at in falling))
    left = castle.without(falling)
    discards, turned = (*state.discards, *lost), (*state.turned[:-1], fell)
    after = changed(state, castles=(left,), discards=discards, turned=turned, hit=None)
    return _siege_goes_on(after) if len(left) else _ended(after, "castle_keep/solitaire", ())


def _hands_without(state: KeepState, tile: Tile, times: int = 1) -> dict[str, tuple[TileRow, ...]]:
    """The hands without what the mover plays, and what all know of them then.

    Of two alike nobody can say which was the one that all have seen.
    """
    seat = state.seat
    hand, seen = state.hands[seat], state.known[seat]
    for _ in range(times):
        hand = without(hand, tile)
        if tile in seen:
            seen = without(seen, tile)
    known = state.known if seen is state.known[seat] else changed_at(state.known, seat, seen)
    return {"hands": changed_at(state.hands, seat, hand), "known": known}


# -- the course of the game ------------------------------------------------------------------


def _ended(state: KeepState, rule: str, victors: tuple[int, ...]) -> KeepState:
    return changed(state, phase="over", victors=victors, ending=rule)


def _turn_over(state: KeepState) -> KeepState:
    """After the deeds of a turn: discard if need be, then the siege or the next player."""
    if len(state.hands[state.seat]) > HAND:
        return changed(state, phase="discard")
    if state.game.way == "solitaire":
        return _siege_goes_on(changed(state, phase="siege", flips=2, turned=()))
    return next_turn(state)


def next_turn(state: KeepState) -> KeepState:
    """The turn of whoever is next and has a castle to play for."""
    players = state.game.players
    if state.turn >= LONGEST_SIEGE:
        return _ended(state, "castle_keep/long-siege", tuple(range(players)))
    seat = (state.seat + 1) % players
    while state.out[seat]:
        seat = (seat + 1) % players
    begun = {"seat": seat, "turn": state.turn + 1, "deed": "", "prey": None, "exchanged": 0}
    if state.game.draw_discard and state.discards:  # castle_keep/adv-discard-draw
        return changed(state, phase="draw", **begun)
    return _drawn(state, state.game.draws, **begun)


def _drawn(state: KeepState, number: int, **changes: Any) -> KeepState:
    """So many tiles come from the piles into the hand (castle_keep/draw-two,
    castle_keep/reshuffle).
    """
    pile, discards, chance = state.pile, state.discards, state.chance
    shuffled, fresh = state.shuffled, state.fresh
    seat = changes.get("seat", state.seat)
    tiles: TileRow = ()
    drawn: TileRow = ()  # of the piles that lie there now
    if len(pile) >= number:
        tiles, pile = pile[len(pile) - number :], pile[: len(pile) - number]
        drawn = tiles
    else:
        for _ in range(number):
            if not pile and state.game.way != "solitaire":
                if chance is None:
                    raise CastlelabError("what is shuffled now is hidden; guess before you play on")
                pile, chance = chance.shuffle(discards)
                shuffled, fresh = sorted_tiles(discards), ((),) * len(state.hands)
                discards, drawn = (), ()
            if pile:
                tiles, drawn, pile = (*tiles, pile[-1]), (*drawn, pile[-1]), pile[:-1]
    if tiles and seat == state.viewer:
        raise CastlelabError("what is drawn now is hidden; guess before you play on")
    if shuffled:
        mine = sorted_tiles((*fresh[seat], *drawn))
        changes |= {"shuffled": shuffled, "fresh": changed_at(fresh, seat, mine)}
    hand = sorted_tiles((*state.hands[seat], *tiles))
    after = changed(
        state,
        hands=changed_at(state.hands, seat, hand),
        pile=pile,
        discards=discards,
        chance=chance,
        phase="act",
        **changes,
    )
    if not pile and state.game.way == "solitaire":
        return _ended(after, "castle_keep/solitaire", ())  # the last tile is drawn
    return after


def _siege_goes_on(state: KeepState) -> KeepState:
    """The next tile to turn up, or the next turn, or the end with the piles
    (castle_keep/solitaire).
    """
    if not state.pile:  # with the last tile the siege has won
        return _ended(state, "castle_keep/solitaire", ())
    if state.flips or state.hit is not None:
        return state
    return next_turn(changed(state, flips=0))


#: What plays each kind of move.
TURNS: dict[type[Move], Callable[[KeepState, Any], KeepState]] = {
    moves.DrawTile: _draw,
    moves.Build: _build,
    moves.Attack: _attack,
    moves.Exchange: _exchange,
    moves.End: lambda state, _: _turn_over(state),
    moves.Discard: _discard,
    moves.TurnUp: _turn_up,
    moves.Fall: lambda state, move: _struck(state, place_of(move.spot.spot)),
}
