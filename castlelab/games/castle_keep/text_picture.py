"""Castle Keep's table in letters, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES
from castlelab.games.castle_keep.castle import Tile
from castlelab.games.castle_keep.telling import holding, siege_words, what_now, whose_hand

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState

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
        [*wrap(what_now(state), _COLUMNS), "", *_castle_lines(state, me), *told, _LETTERS, _SPOTS]
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
