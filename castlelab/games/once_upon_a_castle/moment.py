"""Moments of a game made to order, and how what is on the table is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any

from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.game import changed
from castlelab.games.once_upon_a_castle.board import Board, Line
from castlelab.games.once_upon_a_castle.box import Track, house_box, house_guest
from castlelab.games.once_upon_a_castle.castle import Castle
from castlelab.games.once_upon_a_castle.guests import POWERS, Guest
from castlelab.games.once_upon_a_castle.play import OnceState, OnceUponACastle
from castlelab.rules import CastlelabError, counted

NO_CASTLE = Castle()


@cache
def opening(version: str, players: int) -> OnceState:
    """The first state of a game of the house edition."""
    edition = Edition.load("once_upon_a_castle")
    return OnceUponACastle(players, edition, version=version).start()


def track_of_residents() -> Track:
    """The residents' track of the house edition."""
    return house_box("apprentice").track


def guests_named(*names: str) -> tuple[Guest, ...]:
    """Guests of the Great Architect by name."""
    return tuple(map(house_guest, names))


def moment(board: Board, *castles: Castle, shown: tuple[Guest, ...] = (), **more: Any) -> OnceState:
    """A moment in which player 1 decides: that board, and a castle for each player."""
    start = opening(board.layout.name, len(castles))
    unseen = list(start.game.box.guests)
    for guest in (*shown, *(guest for castle in castles for guest in castle.guests)):
        if guest not in unseen:
            raise CastlelabError(f"the {board.layout.name} box has no {guest.name} for that")
        unseen.remove(guest)
    return changed(
        start,
        boards=(board, *start.boards[1:]),
        castles=castles,
        pile=tuple(unseen),
        shown=shown,
        active=0,
        seat=0,
        **more,
    )


def squares_of(lines: Iterable[Line]) -> int:
    """The squares of lines, each once."""
    return reduce(or_, (line.bits for line in lines))


def are_apart(lines: Sequence[Line]) -> bool:
    """Whether no two lines cross."""
    return squares_of(lines).bit_count() == sum(len(line.squares) for line in lines)


def worths(values: tuple[int, ...], span: range, chance: Chance) -> tuple[tuple[int, ...], Chance]:
    """Some of these values, drawn one by one; the span says how many there may be."""
    number, chance = chance.choice(span)
    found = []
    for _ in range(number):
        worth, chance = chance.choice(values)
        found.append(worth)
    return tuple(found), chance


def residents_words(castle: Castle) -> str:
    """The residents of a castle, and what each number of them is worth."""
    return f"{castle.residents} residents ({track_words(track_of_residents())})"


def track_words(track: Track) -> str:
    """What the residents are worth, group by group.

    >>> track_words(Track((3, 6), (1, 5)))
    'up to 3: 1 point, 6: 5'
    """
    (first, *ends), (worth, *values) = track.ends, track.values
    later = "".join(f", {end}: {value}" for end, value in zip(ends, values, strict=True))
    return f"up to {first}: {counted(worth, 'point')}{later}"


def guest_card(guest: Guest) -> str:
    """A guest as far as it matters in counting.

    >>> guest_card(Guest("king", 0, "per-flag", "crown"))
    'King (Crown, 1 point for each flag)'
    """
    if not guest.power:
        return f"one worth {guest.points}"
    worth = counted(guest.points, "point") if guest.points else POWERS[guest.power].words
    return f"{guest.name.capitalize()} ({guest.symbol.capitalize()}, {worth})"
