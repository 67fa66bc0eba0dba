"""The moves of Castle Keep and their notation.

=====================  ==================================================================
``draw pile``          the first tile comes from a pile …
``draw discard``       … or from the top of the discards (switch ``draw_discard``)
``build TRC ne``       a tile of the hand is laid on a spot of the own castle
``rebuild TRC ne``     a tile that was won is laid there (takeover)
``attack WRZ 2.n``     the wall on the north side of player 2's castle is attacked
``attack KR 2.c``      the keep is attacked, with one keep or two
``exchange a.n b.s``   tiles change places between the own two castles (empire)
``end``                the end of building and attacking; alone, it is passing
``discard TRC``        a tile goes, down to four
``turn``               the next tile is turned up (solitaire)
``fall n``             which of several identical tiles is hit (solitaire)
=====================  ==================================================================

A spot is ``nw n ne w c e sw s se``. Where there are several castles its castle goes in
front: ``2.n`` is player 2's, in the empire ``a.n`` is the own first castle and ``2b.n`` the
second castle of player 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from castlelab.game import Move
from castlelab.games.castle_keep.castle import SPOTS, Tile, place_of
from castlelab.notation import alone, exactly, reader_for
from castlelab.rules import NotationError, quoted

HAND = 4  # castle_keep/deal, castle_keep/hand-limit
EXCHANGES = 8  # in a turn; castle_keep/empire


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot of a castle: ``n``, ``2.n``, ``a.n`` or ``2b.n``."""

    spot: str
    owner: int | None = None  # the seat whose castle it is, if the notation says so
    wing: str = ""  # "a" or "b" in the empire

    @property
    def castle(self) -> str:
        """The castle as it is written: "2", "a", "2b", or nothing."""
        return f"{'' if self.owner is None else self.owner + 1}{self.wing}"

    def __str__(self) -> str:
        return f"{self.castle}.{self.spot}" if self.castle else self.spot


@dataclass(frozen=True, slots=True)
class DrawTile(Move):
    """Where the first tile of the turn comes from."""

    kind: ClassVar[str] = "draw"
    discard: bool = False

    def __str__(self) -> str:
        return "draw discard" if self.discard else "draw pile"


@dataclass(frozen=True, slots=True)
class Build(Move):
    """A tile of the hand, or one that was won, is laid on a spot of the own castle."""

    kind: ClassVar[str] = "build"
    tile: Tile
    spot: Spot
    won: bool = False

    def __str__(self) -> str:
        return f"{'rebuild' if self.won else 'build'} {self.tile} {self.spot}"


@dataclass(frozen=True, slots=True)
class Attack(Move):
    """A tile of the hand is played against a tile of an opponent."""

    kind: ClassVar[str] = "attack"
    tile: Tile
    spot: Spot


@dataclass(frozen=True, slots=True)
class Exchange(Move):
    """What lies on a spot of the first castle and on one of the second change places."""

    kind: ClassVar[str] = "exchange"
    first: Spot
    second: Spot


@dataclass(frozen=True, slots=True)
class End(Move):
    """No more building or attacking in this turn."""

    kind: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """A tile of the hand goes to the discards."""

    kind: ClassVar[str] = "discard"
    tile: Tile


@dataclass(frozen=True, slots=True)
class TurnUp(Move):
    """The next tile of the siege is turned up."""

    kind: ClassVar[str] = "turn"


@dataclass(frozen=True, slots=True)
class Fall(Move):
    """The siege hits the tile on this spot."""

    kind: ClassVar[str] = "fall"
    spot: Spot


# Moves are values, so each of them is made once.
END, TURN_UP = End(), TurnUp()
FROM_PILE, FROM_DISCARDS = DrawTile(), DrawTile(discard=True)
_SPOT = re.compile(r"(?:([1-4]?)([ab]?)\.)?([a-z]{1,2})")
_EXAMPLES = "'build TRC ne', 'attack WRZ 2.n', 'discard KR' or 'end'"


def read_move(text: str) -> Move:
    """The move that a text means; anything else is a ``NotationError``.

    >>> read_move("attack WRZ 2.n")
    Attack(tile=Tile('WRZ'), spot=Spot(spot='n', owner=1, wing=''))
    """
    reader, rest = reader_for(text, _READERS, _EXAMPLES, longest=100)
    return reader(rest)


def _read_draw(words: list[str]) -> Move:
    (where,) = exactly(words, 1, "draw pile")
    if where.lower() not in ("pile", "discard"):
        raise NotationError(f"draw from 'pile' or 'discard', not from {quoted(where)}")
    return FROM_DISCARDS if where.lower() == "discard" else FROM_PILE


def _read_exchange(words: list[str]) -> Move:
    first, second = map(read_spot, exactly(words, 2, "exchange a.n b.s"))
    # Both orders mean the same; the first castle goes first.
    return Exchange(second, first) if first.wing > second.wing else Exchange(first, second)


def _tile_and_spot(words: list[str], example: str) -> tuple[Tile, Spot]:
    tile, spot = exactly(words, 2, example)
    return Tile(tile), read_spot(spot)


_READERS: dict[str, Callable[[list[str]], Move]] = {
    "draw": _read_draw,
    "build": lambda words: Build(*_tile_and_spot(words, "build TRC ne")),
    "rebuild": lambda words: Build(*_tile_and_spot(words, "rebuild TRC ne"), won=True),
    "attack": lambda words: Attack(*_tile_and_spot(words, "attack WRZ 2.n")),
    "exchange": _read_exchange,
    "end": alone(END),
    "pass": alone(END),  # what one says when nothing was done
    "discard": lambda words: Discard(Tile(*exactly(words, 1, "discard TRC"))),
    "turn": alone(TURN_UP),
    "fall": lambda words: Fall(read_spot(*exactly(words, 1, "fall n"))),
}


def read_spot(text: str) -> Spot:
    """A spot with its castle in front, if it names one.

    >>> str(read_spot("2B.NE"))
    '2b.ne'
    """
    match = _SPOT.fullmatch(text.lower()) if isinstance(text, str) else None
    if match is None or text.startswith("."):
        raise NotationError(
            f"{quoted(text)} is not a spot; write one of {', '.join(SPOTS)}, with its castle "
            "in front where there are several: 2.n, a.n or 2b.n"
        )
    owner, wing, spot = match.groups()
    return Spot(SPOTS[place_of(spot)], int(owner) - 1 if owner else None, wing or "")
