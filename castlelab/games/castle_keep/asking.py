"""What may be asked about castles: their tiles in rows, and what would fall together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from castlelab.game import Question
from castlelab.games.castle_keep.castle import SPOTS, Castle, place_of, run
from castlelab.games.castle_keep.telling import (
    POINTS,
    castle_title,
    fell,
    standing_words,
    table_lines,
)
from castlelab.rules import CastlelabError, counted, listed, quoted

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState


def questions(state: KeepState, seat: int) -> tuple[Question, ...]:
    some = state.game.castle_names[0]
    return (
        Question(
            "board",
            "the whole position, part by part",
            lambda _: "\n".join(table_lines(state, seat)),
        ),
        Question("grid", "the castles in letters, row by row", lambda _: _grid(state)),
        Question("castle", "a castle in words", lambda name: _castle(state, name), some or "all"),
        Question("run", "what falls with a tile", lambda spot: _run(state, spot), f"{some}.n"),
    )


def castle_questions(castle: Castle) -> tuple[Question, ...]:
    """What may be asked about a castle that stands alone."""
    words = f"The castle: {standing_words(castle)}."
    return (
        Question("grid", "the castle in letters, row by row", lambda _: str(castle)),
        Question("castle", "the castle in words", lambda _: words),
    )


def _board(state: KeepState, seat: int) -> str:
    return "\n".join(table_lines(state, seat))


def _grid(state: KeepState) -> str:
    """Each castle as castles are written."""
    told = []
    for name, castle in zip(state.game.castle_names, state.castles, strict=True):
        told += [name or "castle", *str(castle).splitlines()]
    return "\n".join(told)


def _castle(state: KeepState, name: str) -> str:
    """The tiles of a castle, or of all of them."""
    names = state.game.castle_names
    if name and name != "all" and name not in names:
        raise CastlelabError(f"the castles are {listed(names)}, not {quoted(name)}")
    chosen = [at for at, one in enumerate(names) if name in ("", "all", one)]
    return "\n".join(
        f"{castle_title(state, at)}: {standing_words(state.castles[at])}." for at in chosen
    )


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
