"""A table of Castle Keep in words: enough to play by without the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES
from castlelab.games.castle_keep.castle import SPOTS, Castle, Tile
from castlelab.games.castle_keep.moves import EXCHANGES, HAND
from castlelab.rules import counted, either, listed

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState


def table_words(state: KeepState) -> str:
    """Whose turn it is, what everybody has, and what lies on the table.

    Tiles and spots are written as moves write them.
    """
    return " ".join(_sentences(state))


def _sentences(state: KeepState) -> Iterator[str]:
    yield _what_now(state)
    me = state.seat if state.viewer is None else state.viewer
    yield f"{whose_hand(state, me)}: {_held(state.hands[me])}."
    for number, castle in enumerate(state.castles):
        yield f"{_castle_name(state, number)} has {_standing(castle)}."
    for seat in range(state.game.players):
        if seat != me:
            yield f"{SEAT_NAMES[seat]} {holding(state, seat)}."
        if won := state.won[seat]:
            yield f"{SEAT_NAMES[seat]} has won {listed([t.text for t in won])}."
    yield from siege_words(state)
    on_top = f", on top {state.discards[-1]}" if state.discards else ""
    yield f"The pile has {tiles(len(state.pile))}, the discards {len(state.discards)}{on_top}."
    if state.game.way == "empire" and state.exchanged:
        yield f"{EXCHANGES - state.exchanged} of {EXCHANGES} exchanges are left in this turn."
    if state.game.way != "solitaire" and not state.ending:
        yield f"Attacks are {'open' if state.open else 'not open yet'}."


def tiles(number: int) -> str:
    """So many tiles in words."""
    return counted(number, "tile") if number else "no tiles"


def _what_now(state: KeepState) -> str:
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
        return f"the {state.hit} hits {either([SPOTS[place] for place in places])}, choose which"
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


def _held(hand: Iterable[Tile]) -> str:
    return ", ".join(f"{tile} {tile.words}" for tile in hand) or "no tile"


def _castle_name(state: KeepState, number: int) -> str:
    """A castle by its owner, and by the name that moves call it by."""
    owner = state.game.sites[number][0]
    if owner is None:
        return "The castle"
    return f"{SEAT_NAMES[owner]}'s castle {state.game.castle_names[number]}"


def _standing(castle: Castle) -> str:
    laid = [f"{spot} {tile}" for spot in SPOTS if (tile := castle[spot]) is not None]
    return ": ".join(filter(None, (tiles(len(laid)), ", ".join(laid))))


def holding(state: KeepState, seat: int) -> str:
    """What all know of the hand of a player."""
    if state.out[seat]:
        return "is out"
    held = f"holds {tiles(len(state.hands[seat]))}"
    known = [tile.text for tile in state.known[seat]]
    return f"{held}, among them {listed(known)}" if known else held


def siege_words(state: KeepState) -> Iterator[str]:
    """What the siege has turned up, and what came of it (castle_keep/solitaire)."""
    for tile, spots in state.turned:
        if tile is state.hit:
            continue  # that is what is to be chosen
        fell = f"brought down {listed(spots)}" if spots else "hit nothing"
        yield f"The {tile} that the siege turned up {fell}."


# -- in letters, for a terminal --------------------------------------------------------------

_COLUMNS = 80
_ABREAST = 4  # castles side by side
_LETTERS = "T tower, W wall, K keep; R red, Y yellow, B blue; C curvy, Z zigzag, S straight."
_SPOTS = "Spots: nw n ne, w c e, sw s se."


def table_text(state: KeepState) -> str:
    """The table in letters: castles as moves name them, side by side, then hands and piles."""
    me = state.seat if state.viewer is None else state.viewer
    lines = [f"{whose_hand(state, me)}: {_letters(state.hands[me])}"]
    for seat in range(state.game.players):
        if seat != me:
            lines.append(f"{SEAT_NAMES[seat]} {holding(state, seat)}.")
        if won := state.won[seat]:
            lines.append(f"{SEAT_NAMES[seat]} has won: {_letters(won)}")
    lines += siege_words(state)
    on_top = f", on top {state.discards[-1]}" if state.discards else ""
    lines.append(f"Pile: {len(state.pile)}. Discards: {len(state.discards)}{on_top}.")
    if state.game.way != "solitaire" and not state.ending:
        lines[-1] += f" Attacks are {'open' if state.open else 'not open yet'}."
    told = [part for line in lines for part in wrap(line, _COLUMNS)]
    return "\n".join(
        [*wrap(_what_now(state), _COLUMNS), "", *_castle_lines(state, me), *told, _LETTERS, _SPOTS]
    )


def _castle_lines(state: KeepState, me: int) -> Iterator[str]:
    """The castles in rows, a line of names above each."""
    boxes = []
    for number, castle in enumerate(state.castles):
        owner, name = state.game.sites[number][0], state.game.castle_names[number]
        whose = "The castle" if owner is None else f"{name} {SEAT_NAMES[owner]}"
        boxes.append([whose + " (you)" * (owner == me), *str(castle).split("\n")])
    for first in range(0, len(boxes), _ABREAST):
        for row in zip(*boxes[first : first + _ABREAST], strict=True):
            yield "".join(line.ljust(_COLUMNS // _ABREAST) for line in row).rstrip()
        yield ""


def _letters(tiles: Iterable[Tile]) -> str:
    return " ".join(tile.text for tile in tiles) or "nothing"
