"""Which moves are refused, and why: the rule, the place, and the moves that are right instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from castlelab.game import SEAT_NAMES, M, Move, Moves, instead, refusal
from castlelab.games.castle_keep import moves
from castlelab.games.castle_keep.castle import (
    CENTRE,
    RULES,
    SPOTS,
    Tile,
    at_words,
    fits,
    held_words,
    place_of,
    why_not,
)
from castlelab.games.castle_keep.moves import EXCHANGES, HAND, Spot
from castlelab.rules import LEGAL, Breach, CastlelabError, Verdict, listed, quoted

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState

_no = partial(refusal, RULES)


def judge(state: KeepState, move: Move) -> Verdict:
    """Whether a move is legal now, with every breach explained."""
    found = _JUDGES.get(type(move))
    if found is None:
        raise CastlelabError(f"{quoted(move)} is not a move of Castle Keep")
    if state.ending:
        return Verdict((Breach(RULES[state.ending], "The game is over."),))
    phase, judged = found
    if state.phase != phase:
        return Verdict((_out_of_time(state, move),))
    breaches = tuple(judged(state, move))
    return Verdict(breaches) if breaches else LEGAL


def _legal(state: KeepState, kind: type[M], test: Callable[[M], bool]) -> tuple[M, ...]:
    """The legal moves of a kind that pass a test: only what can be played mends anything."""
    return tuple(filter(test, state.moves_of(kind)))


# -- the moment ------------------------------------------------------------------------------


def _out_of_time(state: KeepState, move: Move) -> Breach:
    """Why it is not the moment for a move."""
    alone = state.game.way == "solitaire"
    if isinstance(move, moves.TurnUp | moves.Fall) and not alone:
        return _no("castle_keep/solitaire", "Tiles are turned up only in Siege Solitaire.")
    drawing = "castle_keep/solitaire" if alone else "castle_keep/draw-two"
    if state.phase == "draw":
        return _no(drawing, "Draw first.", mends=state.moves())
    if state.phase == "discard":
        spare = len(state.hands[state.seat]) - HAND
        message = f"The turn ends: discard {spare} more."
        return _no("castle_keep/hand-limit", message, ("hand",), mends=state.moves())
    if state.phase == "siege":
        return _no("castle_keep/solitaire", "The siege comes first.", mends=state.moves())
    if isinstance(move, moves.DrawTile):
        if move.discard and not state.game.draw_discard:
            message = "Tiles are drawn from the discards only with the switch draw_discard."
            return _no("castle_keep/adv-discard-draw", message)
        what = "The one tile of this turn is" if alone else "The tiles of this turn are"
        return _no(drawing, f"{what} drawn already.")
    if isinstance(move, moves.Discard):
        message = "Tiles are discarded at the end of the turn."
        return _no("castle_keep/hand-limit", message, mends=state.moves_of(moves.End))
    return _no(
        "castle_keep/solitaire",
        "Tiles are turned up at the end of the turn.",
        mends=state.moves_of(moves.End),
    )


def _judge_freely(_: KeepState, __: Move) -> Iterator[Breach]:
    yield from ()  # in its phase it is always allowed


# -- the siege -------------------------------------------------------------------------------


def _judge_turn(state: KeepState, _: moves.TurnUp) -> Iterator[Breach]:
    if state.hit is not None:
        message = f"The {state.hit.words} hits one of several tiles."
        where = state.spots(0, state.identical(state.hit))
        yield _no("castle_keep/solitaire", message, where, mends=state.moves())


def _judge_fall(state: KeepState, move: moves.Fall) -> Iterator[Breach]:
    spot = move.spot.spot
    if state.hit is None:
        yield _no("castle_keep/solitaire", "Nothing is hit yet.", mends=state.moves())
    elif (misnamed := _misnamed(state, move, move.spot)) is not None:
        yield misnamed
    elif place_of(spot) not in state.identical(state.hit):
        message = f"What stands there is not a {state.hit.words}."
        yield _no("castle_keep/solitaire", message, (spot,), mends=state.moves())


# -- the hand --------------------------------------------------------------------------------


def _judge_discard(state: KeepState, move: moves.Discard) -> Iterator[Breach]:
    if move.tile not in state.hands[state.seat]:
        yield _not_held(state, move.tile, state.moves())


def _not_held(state: KeepState, tile: Tile, mends: Moves) -> Breach:
    held = f"You hold {held_words(state.hands[state.seat])}."
    return _no("castle_keep/from-hand", f"You hold no {tile.words}.", ("hand",), held, mends)


# -- building --------------------------------------------------------------------------------


def _judge_build(state: KeepState, move: moves.Build) -> Iterator[Breach]:
    if state.deed == "attack":
        message = "This turn is an attack; it cannot build too."
        yield _no("castle_keep/one-of-three", message, mends=state.moves_of(moves.End))
    tiles = (state.won if move.won else state.hands)[state.seat]
    if move.won and state.game.way != "takeover":
        by_hand = _legal(state, moves.Build, lambda m: m.tile is move.tile and _at(m, move.spot))
        yield _no("castle_keep/takeover", "Tiles are won only in a Takeover game.", mends=by_hand)
    elif move.tile not in tiles:
        here = _legal(state, moves.Build, lambda m: _at(m, move.spot))
        if move.won:
            message = f"You have won no {move.tile.words}."
            yield _no("castle_keep/takeover", message, ("won",), mends=here)
        else:
            yield _not_held(state, move.tile, here)
    if (misnamed := _misnamed(state, move, move.spot, own=True)) is not None:
        yield misnamed
        return
    number = state.number_of(move.spot, state.seat)
    castle, place = state.castles[number], place_of(move.spot.spot)
    both = state.game.last_matches_both
    if fits(castle.places, both)[place] & move.tile.bit:
        return
    same = _legal(state, moves.Build, lambda m: m.tile is move.tile and m.won == move.won)
    here = _legal(state, moves.Build, lambda m: m not in same and _at(m, move.spot))
    if not len(castle):  # a keep needs a first tile, and any will do
        wing = move.spot.wing
        here += _legal(state, moves.Build, lambda m: m not in same and m.spot.wing == wing)
    idle = not same and move.tile in tiles and state.deed != "attack"
    nowhere = f"The {move.tile.words} fits nowhere now." if idle else ""
    right = f"{nowhere} {instead(same + here)}".strip()
    verdict = why_not(castle, move.tile, place, both, right, same + here)
    yield from _told_of(state, number, verdict)


def _at(move: moves.Build, spot: Spot) -> bool:
    """Whether a move builds on a spot, whether or not its owner is named."""
    return (move.spot.spot, move.spot.wing) == (spot.spot, spot.wing)


def _told_of(state: KeepState, number: int, verdict: Verdict) -> Iterator[Breach]:
    """A castle's breaches, their spots named as the whole table names them."""
    for breach in verdict.breaches:
        yield replace(breach, where=state.spots(number, map(place_of, breach.where)))


def _judge_exchange(state: KeepState, move: moves.Exchange) -> Iterator[Breach]:
    if state.game.way != "empire":
        message = "Tiles are exchanged only between the castles of an empire."
        yield _no("castle_keep/empire", message)
        return
    if state.exchanged >= EXCHANGES:
        yield _no("castle_keep/empire", f"There are {EXCHANGES} exchanges in a turn, and no more.")
    spots = (move.first, move.second)
    for spot in spots:
        if (misnamed := _misnamed(state, move, spot, own=True)) is not None:
            yield misnamed
            return
    numbers = [state.number_of(spot, state.seat) for spot in spots]
    places = [place_of(spot.spot) for spot in spots]
    if numbers[0] == numbers[1]:
        message = "An exchange is between your two castles, not within one."
        yield _no("castle_keep/empire", message, mends=_alike(state, move))
        return
    tiles = [state.castles[n].places[p] for n, p in zip(numbers, places, strict=True)]
    if tiles[0] is tiles[1]:
        pairs = zip(numbers, places, strict=True)
        where = tuple(at for n, p in pairs for at in state.spots(n, (p,)))
        equal = f"On both lies a {tiles[0].words}" if tiles[0] else "Both spots are empty"
        message = f"{equal}, so nothing would change."
        yield _no("castle_keep/empire", message, where, mends=_alike(state, move))
        return
    both = state.game.last_matches_both
    for number, place, tile in zip(numbers, places, reversed(tiles), strict=True):
        if tile is not None:
            left = state.castles[number].with_tile(None, place)
            if not fits(left.places, both)[place] & tile.bit:
                mends = _alike(state, move)
                verdict = why_not(left, tile, place, both, instead(mends), mends)
                yield from _told_of(state, number, verdict)


def _alike(state: KeepState, move: moves.Exchange) -> Moves:
    """The legal exchanges that have a spot in common with one."""
    spots = {(spot.spot, spot.wing) for spot in (move.first, move.second)}
    return tuple(
        other
        for other in state.moves_of(moves.Exchange)
        if (other.first.spot, "a") in spots or (other.second.spot, "b") in spots
    )


# -- attacking -------------------------------------------------------------------------------


def _judge_attack(state: KeepState, move: moves.Attack) -> Iterator[Breach]:
    if state.game.way == "solitaire":
        yield _no("castle_keep/solitaire", "There is nobody to attack.")
        return
    if not state.open:
        yield _not_open(state)
    if state.deed == "build":
        message = "You have built in this turn; it cannot attack too."
        yield _no("castle_keep/one-of-three", message, mends=state.moves_of(moves.End))
    elif state.deed == "attack" and not state.game.many_attacks:
        yield _no(
            "castle_keep/one-opponent",
            "You have attacked in this turn.",
            mends=state.moves_of(moves.End),
        )
    if move.tile not in state.hands[state.seat]:
        yield _not_held(state, move.tile, state.moves_of(moves.Attack))
    if (misnamed := _misnamed(state, move, move.spot)) is not None:
        yield misnamed
        return
    if move.spot.owner is not None and move.spot.owner == state.seat:
        message = "That is your own castle; attack an opponent's."
        yield _no("castle_keep/one-opponent", message, mends=_hits(state, move.tile))
        return
    if state.prey is not None and move.spot.owner != state.prey:
        message = f"This turn attacks {SEAT_NAMES[state.prey]}."
        yield _no("castle_keep/one-opponent", message, mends=_hits(state, move.tile))
    yield from _judge_hit(state, move)


def _hits(state: KeepState, tile: Tile) -> Moves:
    """The legal attacks with a tile."""
    return _legal(state, moves.Attack, lambda move: move.tile is tile)


#: The rule by which an attack on a spot goes: on a corner, on a side, in the centre.
_ATTACK_RULES = (
    *("castle_keep/adv-towers", "castle_keep/attack-wall") * 4,
    "castle_keep/attack-keep",
)


def _judge_hit(state: KeepState, move: moves.Attack) -> Iterator[Breach]:
    """Whether the tile that is played brings down the one that stands there."""
    number, place = state.number_of(move.spot), place_of(move.spot.spot)
    there, tile = state.castles[number].places[place], move.tile
    if there is None:
        message = f"Nothing stands {at_words(SPOTS[place])}."
    elif there.kind == "tower" and not state.game.attack_towers:
        message = f"The {there.words} is a tower, and only walls and keeps are attacked."
    elif place == CENTRE and there is not tile:
        message = f"A {there.words} falls only to keeps of its colour."
    elif there is not tile:
        message = f"A {tile.words} does not break a {there.words}: they must be identical."
    elif place == CENTRE and tile in state.hands[state.seat] and not state.keeps_enough(number):
        message = f"While walls or towers stand, two {there.words}s are needed."
    else:
        return
    same = _hits(state, tile)
    castle = move.spot.castle
    there_too = _legal(state, moves.Attack, lambda m: m not in same and m.spot.castle == castle)
    mends = same + there_too
    yield _no(_ATTACK_RULES[place], message, state.spots(number, (place,)), mends=mends)


def _not_open(state: KeepState) -> Breach:
    builds: Moves = ()
    if state.standing_of(state.seat) < 2:
        builds = state.moves_of(moves.Build)
    if state.game.way == "king":
        message = "The castle has not had two tiles yet."
        return _no("castle_keep/attack-open", message, (), "Build first.", builds)
    waiting = [
        SEAT_NAMES[seat] for seat in range(state.game.players) if state.standing_of(seat) < 2
    ]
    hint = f"They open when everybody has two tiles; {listed(waiting)} must build first."
    return _no("castle_keep/attack-open", "Attacks are not open yet.", (), hint, builds)


# -- whose castle ----------------------------------------------------------------------------


def _misnamed(state: KeepState, move: Move, spot: Spot, own: bool = False) -> Breach | None:
    """What is wrong with the castle in front of a spot, if anything is."""
    game = state.game
    rule = message = ""
    if spot.wing and game.way != "empire":
        rule = "castle_keep/empire"
        message = "Only in the empire has a player two castles, a and b."
    elif game.sites[0][0] is None:
        if spot.owner is not None:
            rule = "castle_keep/king" if game.way == "king" else "castle_keep/solitaire"
            message = "There is only one castle, and it has no name."
    elif not spot.wing and game.way == "empire":
        rule, message = "castle_keep/empire", "Everybody has two castles, a and b."
    elif own:
        if spot.owner not in (None, state.seat):
            rule, message = "castle_keep/one-of-three", "You build on your own castle."
    elif spot.owner is None:
        rule, message = "castle_keep/one-opponent", "Whose castle?"
    elif spot.owner >= game.players:
        rule, message = "castle_keep/one-opponent", f"There is no player {spot.owner + 1}."
    if not rule:
        return None
    named = _legal(state, type(move), lambda other: _bare(other) == _bare(move))
    return _no(rule, message, mends=named)


def _bare(move: Move) -> tuple[object, ...]:
    """A move without the names of castles."""
    match move:
        case moves.Build(tile, spot, won):
            return tile, spot.spot, won
        case moves.Attack(tile, spot):
            return tile, spot.spot
        case moves.Exchange(first, second):
            return first.spot, second.spot
        case moves.Fall(spot):
            return (spot.spot,)
    return (move,)


#: Each kind of move: its phase and what judges it.
_JUDGES: dict[type[Move], tuple[str, Callable[[KeepState, Any], Iterator[Breach]]]] = {
    moves.DrawTile: ("draw", _judge_freely),
    moves.Build: ("act", _judge_build),
    moves.Attack: ("act", _judge_attack),
    moves.Exchange: ("act", _judge_exchange),
    moves.End: ("act", _judge_freely),
    moves.Discard: ("discard", _judge_discard),
    moves.TurnUp: ("siege", _judge_turn),
    moves.Fall: ("siege", _judge_fall),
}
