"""What may be asked about castles: their tiles in rows, and what would fall together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES, Question
from castlelab.games.castle_keep.castle import SPOT_WORDS, SPOTS, Castle, place_of, run
from castlelab.games.castle_keep.telling import POINTS, fell, tiles, what_now, whose_hand
from castlelab.rules import CastlelabError, counted, listed, quoted

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState


def questions(state: KeepState, seat: int) -> tuple[Question, ...]:
    some = state.game.castle_names[0]
    return (
        Question("board", "the whole position, part by part", lambda _: _everything(state, seat)),
        Question("grid", "the castles in letters, row by row", lambda _: _grid(state)),
        Question("castle", "a castle in words", lambda name: _castle(state, name), some or "all"),
        Question("run", "what falls with a tile", lambda spot: _run(state, spot), f"{some}.n"),
    )


def castle_questions(castle: Castle) -> tuple[Question, ...]:
    """What may be asked about a castle that stands alone."""
    words = f"The castle: {_standing(castle)}."
    return (
        Question("grid", "the castle in letters, row by row", lambda _: str(castle)),
        Question("castle", "the castle in words", lambda _: words),
    )


def _everything(state: KeepState, seat: int) -> str:
    """The table in words, without the letters that tiles are written in."""
    held = [tile.words for tile in state.hands[seat]]
    others = [at for at in range(state.game.players) if at != seat]
    top = f", on top a {state.discards[-1].words}" if state.discards else ""
    return "\n".join(
        [
            what_now(state),
            _castle(state, "all"),
            f"{whose_hand(state, seat)}: {listed(held) if held else 'no tile'}.",
            *(f"{SEAT_NAMES[at]} holds {tiles(len(state.hands[at]))}." for at in others),
            *(
                f"{SEAT_NAMES[at]} has won {listed([tile.words for tile in won])}."
                for at, won in enumerate(state.won)
                if won
            ),
            f"Pile: {tiles(len(state.pile))}. Discards: {tiles(len(state.discards))}{top}.",
        ]
    )


def _grid(state: KeepState) -> str:
    """Each castle as castles are written."""
    told = []
    for name, castle in zip(state.game.castle_names, state.castles, strict=True):
        told += [name or "castle", *str(castle).splitlines()]
    return "\n".join(told)


def _owner(state: KeepState, number: int) -> str:
    owner, wing = state.game.sites[number]
    return f"{SEAT_NAMES[owner]}'s castle {wing}".strip() if owner is not None else "The castle"


def _castle(state: KeepState, name: str) -> str:
    """The tiles of a castle, or of all of them."""
    names = state.game.castle_names
    if name and name != "all" and name not in names:
        raise CastlelabError(f"the castles are {listed(names)}, not {quoted(name)}")
    chosen = [at for at, one in enumerate(names) if name in ("", "all", one)]
    return "\n".join(f"{_owner(state, at)}: {_standing(state.castles[at])}." for at in chosen)


def _standing(castle: Castle) -> str:
    laid = [f"{SPOT_WORDS[s]} {tile.words}" for s in SPOTS if (tile := castle[s]) is not None]
    return ", ".join(laid) or tiles(0)


def _run(state: KeepState, text: str) -> str:
    """What an attack on a spot would bring down."""
    name, _, spot = text.rpartition(".")
    names = state.game.castle_names
    if spot not in SPOTS or (name or names[0]) not in names:
        raise CastlelabError(f"name a spot as moves do, such as {names[0]}.n, not {quoted(text)}")
    castle = state.castles[names.index(name or names[0])]
    if castle[spot] is None:
        return f"The {POINTS[spot]} is empty."
    falling = run(castle.places, place_of(spot))
    ends = fell([SPOTS[at] for at in falling]).removesuffix(" fell")
    return f"{counted(len(falling), 'tile')} would fall: {ends}."
