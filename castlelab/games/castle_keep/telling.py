"""A table of Castle Keep in words: enough to play by without the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from castlelab.game import SEAT_NAMES, Emblem, Move, Sentence, Source, Standing
from castlelab.games.castle_keep import moves
from castlelab.games.castle_keep.castle import (
    CENTRE,
    COLOURS,
    SHAPES,
    SPOT_WORDS,
    SPOTS,
    TILE_KINDS,
    Castle,
    Tile,
    place_of,
    run,
)
from castlelab.games.castle_keep.moves import EXCHANGES, HAND
from castlelab.rules import counted, either, listed

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState


def table_words(state: KeepState) -> str:
    """Whose turn it is, what everybody has, and what lies on the table, without notation."""
    return " ".join(table_lines(state, state.seat if state.viewer is None else state.viewer))


def table_lines(state: KeepState, me: int) -> Iterator[str]:
    """The same part by part, for a seat; its hand is told, of the others what all know."""
    yield what_now(state)
    yield f"{whose_hand(state, me)}: {_listed(state.hands[me])}."
    for number, castle in enumerate(state.castles):
        yield f"{castle_title(state, number)}: {standing_words(castle)}."
    for seat in range(state.game.players):
        if seat != me:
            yield f"{SEAT_NAMES[seat]} {holding(state, seat)}."
        if won := state.won[seat]:
            yield f"{SEAT_NAMES[seat]} has won {_listed(won)}."
    yield from siege_words(state)
    on_top = f", on top a {state.discards[-1].words}" if state.discards else ""
    yield f"Pile: {tiles(len(state.pile))}. Discards: {tiles(len(state.discards))}{on_top}."
    if state.game.way == "empire" and state.exchanged:
        yield f"{EXCHANGES - state.exchanged} of {EXCHANGES} exchanges are left in this turn."
    if state.game.way != "solitaire" and not state.ending:
        yield f"Attacks are {'open' if state.open else 'not open yet'}."


def tiles(number: int) -> str:
    """So many tiles in words."""
    return counted(number, "tile") if number else "no tiles"


def what_now(state: KeepState) -> str:
    if state.ending:
        return f"The game is over: {_ending(state)}."
    who = f", {SEAT_NAMES[state.seat]}" if state.game.players > 1 else ""
    return f"Turn {state.turn}{who}: {_todo(state)}."


def _ending(state: KeepState) -> str:
    match state.ending:
        case "castle_keep/win-build":
            return f"{SEAT_NAMES[state.victors[0]]} has finished the castle"
        case "castle_keep/win-destroy":
            return f"{SEAT_NAMES[state.victors[0]]} has destroyed a castle"
        case "castle_keep/long-siege":
            return f"a draw after {state.turn} turns"
        case "castle_keep/solitaire":
            return "the piles are used up" if len(state.castles[0]) else "the castle is lost"
    return f"{SEAT_NAMES[state.victors[0]]} wins"


def _todo(state: KeepState) -> str:
    if state.hit is not None:
        places = state.identical(state.hit)
        where = either([SPOT_WORDS[SPOTS[place]] for place in places])
        return f"the {state.hit.words} hits the {where}, choose which"
    if state.phase == "act":
        if state.deed == "attack":
            whom = "" if state.prey is None else f" {SEAT_NAMES[state.prey]}"
            return f"attack{whom} again or end the turn"
        attack = state.open and not state.deed and state.game.way != "solitaire"
        return f"build{', attack' * attack} or end the turn"
    return _TODO[state.phase]


_TODO = {
    "draw": "draw from the pile or from the discards",
    "discard": f"discard down to {HAND}",
    "siege": "turn up the next tile of the siege",
}


def whose_hand(state: KeepState, seat: int) -> str:
    """What a hand is called by whoever looks at the table."""
    return "Your hand" if state.game.players == 1 else f"{SEAT_NAMES[seat]}'s hand"


def _listed(held: Iterable[Tile]) -> str:
    return listed([tile.words for tile in held] or ["no tile"])


def castle_title(state: KeepState, number: int) -> str:
    """A castle by its owner, at the beginning of a sentence."""
    words = _castle(state, number)
    return words[0].upper() + words[1:]


def standing_words(castle: Castle) -> str:
    """What stands in a castle, and where."""
    laid = [f"{SPOT_WORDS[s]} {tile.words}" for s in SPOTS if (tile := castle[s]) is not None]
    return ", ".join(laid) or tiles(0)


def holding(state: KeepState, seat: int) -> str:
    """What all know of the hand of a player."""
    if state.out[seat]:
        return "is out"
    held = f"holds {tiles(len(state.hands[seat]))}"
    known = state.known[seat]
    return f"{held}, among them {listed([f'a {tile.words}' for tile in known])}" if known else held


def siege_words(state: KeepState) -> Iterator[str]:
    """What the siege has turned up, and what came of it (castle_keep/solitaire)."""
    for tile, spots in state.turned:
        if tile is state.hit:
            continue  # that is what is to be chosen
        hit = f": {fell(spots)}" if spots else " hit nothing"
        yield f"The {tile.words} that the siege turned up{hit}."


# -- what a move has done --------------------------------------------------------------------


#: Where a spot lies, in a word.
POINTS = {
    "nw": "north-west",
    "n": "north",
    "ne": "north-east",
    "e": "east",
    "se": "south-east",
    "s": "south",
    "sw": "south-west",
    "w": "west",
    "c": "centre",
}

LEGEND = (
    ("TRC", "a red curvy tower, and so on"),
    *((letter, kind) for letter, kind in TILE_KINDS.items()),
    *((letter, colour) for letter, colour in COLOURS.items()),
    *((letter, shape) for letter, shape in SHAPES.items()),
)


def tell_move(state: KeepState, move: Move, after: Any) -> Sentence:
    """What a legal move has done, and what came of it.

    Hands are looked at for how many tiles they hold, and for nothing else.
    """
    return _whole(_TOLD[type(move)](state, move, after), state, move, after)


def tell_shorter(state: KeepState, move: Move, after: Any) -> Iterator[Sentence]:
    """The same of a long run that falls, and of tiles that change places."""
    match move:
        case moves.Attack():
            did = _attacked(state, move, after, terse=True)
            yield _whole(did, state, move, after)
            yield _whole(did, state, move, after, terse=True)
        case moves.Exchange():
            yield _whole(_swapped(state, move), state, move, after)


def _whole(
    did: Sentence, state: KeepState, move: Move, after: KeepState, *, terse: bool = False
) -> Sentence:
    """What a move did, with what came of it by itself."""
    ended = "" if str(did[-1])[-1:] in ".!" else "."
    came = [f" {words}" for words in _came_of_it(state, move, after, terse=terse)]
    return _run_together((*did, ended, *came))


def tell_news(after: KeepState, before: Any, seat: int) -> Iterator[str]:
    """The tiles that a seat has drawn itself."""
    drawn = Counter(after.hands[seat]) - Counter(before.hands[seat])
    drawn -= Counter(before.discards[-1:])  # that one everybody saw
    if drawn:
        yield f"Drawn: {listed([tile.words for tile in drawn.elements()])}."
        yield f"{counted(drawn.total(), 'new tile')}."


def sources(state: KeepState, player: int) -> tuple[Source, ...]:
    """What a victory was won by."""
    if not state.scores[player]:
        return ()
    alone = state.game.way == "solitaire"
    complete = any(castle.complete for castle in state.castles)
    name = "Siege held" if alone else "Castle finished" if complete else "Castle destroyed"
    return (Source(name, 1),)


def standing(state: KeepState, player: int) -> Standing:
    """How many tiles a player has in castles: only the last moment brings a point."""
    return Standing(state.standing_of(player), "tiles")


def remarks(state: KeepState, player: int) -> tuple[str, ...]:
    """What all know of a hand, and what else a player has."""
    if state.out[player]:
        return ("out",)
    won = len(state.won[player])
    return (f"{len(state.hands[player])} in hand", *[f"{won} won"] * bool(won))


# -- the moves -------------------------------------------------------------------------------


def _a(tile: Tile) -> Emblem:
    return Emblem(f"a {tile.words}", tile.text)


def _the(tile: Tile) -> Emblem:
    return Emblem(f"the {tile.words}", tile.text)


def _drew(state: KeepState, move: moves.DrawTile, after: KeepState) -> Sentence:
    came = len(after.hands[state.seat]) - len(state.hands[state.seat])
    if not move.discard:
        return (f"drew {_few(came)}",)
    more = f" and drew {_few(came - 1)}" if came > 1 else ""
    return ("took ", _the(state.discards[-1]), f" from the discards{more}")


def _few(number: int) -> str:
    """So many tiles, as one says it: at most two are drawn."""
    return ("no tile", "a tile", "two tiles")[number]


def _built(state: KeepState, move: moves.Build, _: KeepState) -> Sentence:
    did = "built with the won " if move.won else "built "
    what = Emblem(move.tile.words, move.tile.text) if move.won else _a(move.tile)
    castle = f" of castle {move.spot.wing}" if move.spot.wing else ""
    return (did, what, f" in the {POINTS[move.spot.spot]}{castle}")


def _attacked(
    state: KeepState, move: moves.Attack, after: KeepState, *, terse: bool = False
) -> Sentence:
    number = state.number_of(move.spot)
    castle, place = state.castles[number], place_of(move.spot.spot)
    falling = run(castle.places, place)
    if place == CENTRE and castle.keeps_needed > 1:
        weapon = Emblem(f"two {move.tile.words}s", move.tile.text, named=True)
    else:
        weapon = _a(move.tile)
    told = fell([SPOTS[at] for at in falling], terse=terse)
    if not len(after.castles[number]):
        told = "nothing is left"
    won = ""
    if state.game.way == "takeover":
        taken = f"{len(falling)}" if terse else counted(len(falling), "tile")
        won = f" {SEAT_NAMES[state.seat]} takes {taken}."
    return (f"attacked {_castle(state, number)} with ", weapon, f": {told}.{won}")


def fell(spots: Iterable[str], *, terse: bool = False) -> str:
    """What fell, along the ring; of a long run, tersely, the two ends.

    >>> fell(["n", "ne", "nw"])
    'north-west, north and north-east fell'
    >>> fell(["n", "ne", "e", "nw"], terse=True)
    'north-west clockwise to east fell'
    """
    places = {place_of(spot) for spot in spots}
    ring = places - {CENTRE}
    start = next((place for place in sorted(ring) if (place - 1) % 8 not in ring), 0)
    along = sorted(ring, key=lambda place: (place - start) % 8)
    named = [POINTS[SPOTS[place]] for place in along] + ["the keep"] * (CENTRE in places)
    if terse and len(along) > 3:
        named[: len(along)] = [f"{named[0]} clockwise to {named[len(along) - 1]}"]
    return f"{listed(named)} fell"


def _castle(state: KeepState, number: int) -> str:
    owner, wing = state.game.sites[number]
    return f"{SEAT_NAMES[owner]}'s castle {wing}".rstrip() if owner is not None else "the castle"


def _exchanged(state: KeepState, move: moves.Exchange, _: KeepState) -> Sentence:
    (here, tile), (there, guest) = (
        (spot, state.castles[state.number_of(spot, state.seat)][spot.spot])
        for spot in (move.first, move.second)
    )
    if tile is None or guest is None:
        start, end = (there, here) if tile is None else (here, there)
        lone = tile or guest
        assert lone is not None
        return ("moved ", _a(lone), f" from the {_corner(start)} to the {_corner(end)}")
    return (
        *("exchanged ", _a(tile), f" in the {_corner(here)} for "),
        *(_a(guest), f" in the {_corner(there)}"),
    )


def _swapped(state: KeepState, move: moves.Exchange) -> Sentence:
    """The same in short: what stands in one place now, and in the other."""
    told: list[str | Emblem] = ["exchanged: "]
    for spot, start in ((move.second, move.first), (move.first, move.second)):
        tile = state.castles[state.number_of(start, state.seat)][start.spot]
        if tile is not None:
            told += [", " if len(told) > 1 else "", Emblem(tile.words, tile.text)]
            told.append(f" to {spot.wing} {POINTS[spot.spot]}")
    return tuple(told)


def _corner(spot: moves.Spot) -> str:
    return f"{POINTS[spot.spot]} of castle {spot.wing}"


def _ended(state: KeepState, _: moves.End, after: KeepState) -> Sentence:
    did = "ended the turn" if state.deed or state.exchanged else "passed"
    return (f"{did} with tiles to discard" if after.phase == "discard" else did,)


def _discarded(state: KeepState, move: moves.Discard, _: KeepState) -> Sentence:
    return ("discarded ", _a(move.tile))


def _turned_up(_: KeepState, move: moves.TurnUp, after: KeepState) -> Sentence:
    tile, spots = after.turned[-1]
    if after.hit is not None:
        return ("turned up ", _a(tile), ", which hits one of several tiles")
    return ("turned up ", _a(tile), f": {fell(spots) if spots else 'it hits nothing'}")


def _let_fall(_: KeepState, move: moves.Fall, after: KeepState) -> Sentence:
    return (f"chose the {POINTS[move.spot.spot]}: {fell(after.turned[-1][1])}",)


_TOLD: dict[type[Move], Callable[[KeepState, Any, KeepState], Sentence]] = {
    moves.DrawTile: _drew,
    moves.Build: _built,
    moves.Attack: _attacked,
    moves.Exchange: _exchanged,
    moves.End: _ended,
    moves.Discard: _discarded,
    moves.TurnUp: _turned_up,
    moves.Fall: _let_fall,
}


# -- what came of it -------------------------------------------------------------------------


def _came_of_it(state: KeepState, move: Move, after: KeepState, *, terse: bool) -> Iterator[str]:
    """What the rules did by themselves when the move was made."""
    for seat, (was, is_out) in enumerate(zip(state.out, after.out, strict=True)):
        if is_out and not was:
            yield f"{SEAT_NAMES[seat]} is out."
    fights = state.game.way != "solitaire" and not after.ending
    if fights and after.open and not state.open:
        yield "Attacks are open now."
    taken = isinstance(move, moves.DrawTile) and move.discard
    if len(after.discards) < len(state.discards) - taken:  # castle_keep/reshuffle
        yield "New pile." if terse else "The discards are the new pile."
    if after.ending:
        yield _end_words(after)


def _end_words(after: KeepState) -> str:
    if after.ending == "castle_keep/long-siege":
        return f"After {after.turn} turns the game is a draw."
    if after.ending == "castle_keep/solitaire":
        last = "That was the last tile of the pile: the" if len(after.castles[0]) else "The"
        return f"{last} siege has won."
    winner = after.victors[0]
    own = [after.castles[number].complete for number, _, _ in after.game.own[winner]]
    if after.game.way == "solitaire":
        return "The castle is finished: you held it!"
    if all(own):
        finished = "Both castles are" if len(own) > 1 else "The castle is"
        return f"{finished} finished: {SEAT_NAMES[winner]} wins!"
    return f"{SEAT_NAMES[winner]} wins!"


def _run_together(parts: Iterable[str | Emblem]) -> Sentence:
    """A sentence whose neighbouring words are one part."""
    told: list[str | Emblem] = []
    for part in parts:
        last = told[-1] if told else None
        if isinstance(part, str) and isinstance(last, str):
            told[-1] = last + part
        elif part:
            told.append(part)
    return tuple(told)
