"""The moves of CastleScape and their notation.

===============================  =======================================================
``keep Wall Guard``              a contract of those dealt is kept
``play Market Stall``            a card from the hand
``play Stone Barge 2``           … the second side of its OR
``wall d4``                      a wall is built; column d, row 4, counted from the top left
``recruit d4``                   a recruit is positioned, on a wall if a card allows it
``move d4 e4``                   a recruit moves, or climbs if the other square has a wall
``oust e4``                      a rival's recruit is removed
``recall d4``                    an own recruit is taken back, when there is no other left
``buy Ramparts``                 a market card is paid with gold
``acquire Ramparts``             a market card for nothing
``destroy hand Clumsy Thief``    a card of the hand leaves the game
``destroy discards Market Stall``  a card of the discard pile leaves the game
``shift Clumsy Thief``           a card of the Back Alley is discarded
``claim Great Court``            a goal is taken
``dismiss d4``                   a recruit is given up, at an Inspection or beyond 10 Infamy
``discard Market Stall``         a card of the hand is given up for missing influence
``pay``                          1 Renown is given up for influence missing beyond 10 Infamy
``end``                          the end of the turn
===============================  =======================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from operator import getitem
from typing import ClassVar, Literal, NamedTuple

from castlelab.game import Move
from castlelab.games.castlescape.board import read_square, square_name
from castlelab.games.castlescape.box import Box
from castlelab.games.castlescape.card import Card
from castlelab.games.castlescape.quests import Quest
from castlelab.notation import reader_for
from castlelab.rules import NotationError, quoted

Pile = Literal["hand", "discards"]
PILES: tuple[Pile, Pile] = ("hand", "discards")


@dataclass(frozen=True, slots=True)
class _NamedMove(Move):
    """A move whose class is told its kind."""

    def __init_subclass__(cls, kind: str = "") -> None:
        cls.kind = kind


@dataclass(frozen=True, slots=True)
class _OnSquare(_NamedMove):
    square: str


@dataclass(frozen=True, slots=True)
class _WithCard(_NamedMove):
    card: str


class Wall(_OnSquare, kind="wall"):
    """A wall is built."""


class Recruit(_OnSquare, kind="recruit"):
    """A recruit is positioned."""


class Oust(_OnSquare, kind="oust"):
    """A rival's recruit is removed."""


class Recall(_OnSquare, kind="recall"):
    """An own recruit is taken back, to be positioned anew."""


class Dismiss(_OnSquare, kind="dismiss"):
    """A recruit is given up."""


class Buy(_WithCard, kind="buy"):
    """A market card is paid with gold."""


class Acquire(_WithCard, kind="acquire"):
    """A market card for nothing."""


class Shift(_WithCard, kind="shift"):
    """A card of the Back Alley is discarded."""


class Discard(_WithCard, kind="discard"):
    """A card of the hand is given up."""


@dataclass(frozen=True, slots=True)
class Keep(Move):
    """A contract of those dealt is kept."""

    kind: ClassVar[str] = "keep"
    contract: str


@dataclass(frozen=True, slots=True)
class Play(Move):
    """A card from the hand is played; ``way`` is the side of its OR, counted from 1."""

    kind: ClassVar[str] = "play"
    card: str
    way: int = 0  # 0: the card has no OR

    def __str__(self) -> str:
        return f"play {self.card} {self.way}" if self.way else f"play {self.card}"


@dataclass(frozen=True, slots=True)
class MoveRecruit(Move):
    """An own recruit goes to the next square, or climbs onto a wall there."""

    kind: ClassVar[str] = "move"
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Destroy(Move):
    """A card of the hand or of the discard pile leaves the game."""

    kind: ClassVar[str] = "destroy"
    pile: Pile
    card: str


@dataclass(frozen=True, slots=True)
class ClaimGoal(Move):
    """A goal is taken."""

    kind: ClassVar[str] = "claim"
    goal: str


class Pay(_NamedMove, kind="pay"):
    """1 Renown is given up."""


class EndTurn(_NamedMove, kind="end"):
    """The end of the turn."""


PAY = Pay()
END_TURN = EndTurn()


class SquareMoves:
    """A kind of move for each square. Those of many squares are listed eight at a time: most
    parts of a site are as they were a move ago.
    """

    def __init__(self, every: Iterable[_OnSquare]) -> None:
        listed = tuple(every)
        self._eights = [_Eight(listed[at : at + 8]) for at in range(0, len(listed), 8)]

    def on(self, squares: int) -> Iterator[_OnSquare]:
        """The moves of a set of squares, in their order."""
        parts = squares.to_bytes(len(self._eights), "little")
        return chain.from_iterable(map(getitem, self._eights, parts))


class _Eight(dict[int, tuple[_OnSquare, ...]]):
    """The moves of eight squares for every set of them, found when first asked for."""

    def __init__(self, moves: tuple[_OnSquare, ...]) -> None:
        super().__init__()
        self._moves = moves

    def __missing__(self, squares: int) -> tuple[_OnSquare, ...]:
        found = tuple(move for at, move in enumerate(self._moves) if squares >> at & 1)
        self[squares] = found
        return found


def read_move(text: str, box: Box, side: int) -> Move:
    """The move that a text means; anything else is a ``NotationError``.

    >>> from castlelab.games.castlescape.box import house_box
    >>> read_move("PLAY stone  barge 2", house_box(), 13)
    Play(card='Stone Barge', way=2)
    """
    examples = ", ".join(f"'{_READERS[kind].example}'" for kind in _SHOWN)
    reader, rest = reader_for(text, _READERS, examples)
    return reader.read(_Words(rest, reader.example, box, side))


class _Words(NamedTuple):
    """What follows the first word of a move, and what it is read with."""

    words: list[str]
    example: str
    box: Box
    side: int

    def squares(self, number: int) -> list[str]:
        """So many squares of the site, and nothing else."""
        if len(self.words) != number:
            shown = quoted(" ".join(self.words)) if self.words else "nothing"
            wanted = "a square" if number == 1 else f"{number} squares"
            kind = self.example.split()[0]
            raise NotationError(
                f"after '{kind}' comes {wanted}, not {shown}; write '{self.example}'"
            )
        return [_square(word, self.side) for word in self.words]

    def name(self, what: str = "card") -> str:
        """The name of a card, a contract or a goal."""
        if not self.words:
            raise NotationError(f"which {what}? Write it: '{self.example}'")
        found: Card | Quest = getattr(self.box, what)(" ".join(self.words))
        return found.name


def _square(word: str, side: int) -> str:
    square = read_square(word)
    if max(square) >= side:
        raise NotationError(
            f"{quoted(word)} is off the site; the squares are a1 to "
            f"{square_name((side - 1, side - 1))}"
        )
    return square_name(square)


def _read_play(said: _Words) -> Play:
    *words, last = said.words or [""]
    if not (last.isascii() and last.isdigit()):
        return Play(said.name())
    way = int(last) if len(last) == 1 else 0
    name = said._replace(words=words).name()
    ways = len(said.box.card(name).choices)
    if not 1 <= way <= ways:
        sides = f"has {ways} sides" if ways else "has no OR to choose from"
        raise NotationError(f"{name} {sides}; there is no {quoted(last)}")
    return Play(name, way)


def _read_destroy(said: _Words) -> Destroy:
    word, *words = said.words or [""]
    for pile in PILES:
        if word.lower() == pile:
            return Destroy(pile, said._replace(words=words).name())
    shown = quoted(word) if said.words else "nothing"
    raise NotationError(
        f"after 'destroy' comes hand or discards, not {shown}; write '{said.example}'"
    )


def _alone(move: Move) -> Callable[[_Words], Move]:
    def read(said: _Words) -> Move:
        if said.words:
            rest = quoted(" ".join(said.words))
            raise NotationError(f"nothing follows '{move}', but there is {rest}")
        return move

    return read


class _Reader(NamedTuple):
    """How a kind of move is written, and what reads the words after the first."""

    example: str
    read: Callable[[_Words], Move]


_READERS = {
    "keep": _Reader("keep Wall Guard", lambda said: Keep(said.name("contract"))),
    "play": _Reader("play Market Stall", _read_play),
    "wall": _Reader("wall d4", lambda said: Wall(*said.squares(1))),
    "recruit": _Reader("recruit d4", lambda said: Recruit(*said.squares(1))),
    "move": _Reader("move d4 e4", lambda said: MoveRecruit(*said.squares(2))),
    "oust": _Reader("oust e4", lambda said: Oust(*said.squares(1))),
    "recall": _Reader("recall d4", lambda said: Recall(*said.squares(1))),
    "buy": _Reader("buy Ramparts", lambda said: Buy(said.name())),
    "acquire": _Reader("acquire Ramparts", lambda said: Acquire(said.name())),
    "destroy": _Reader("destroy hand Clumsy Thief", _read_destroy),
    "shift": _Reader("shift Clumsy Thief", lambda said: Shift(said.name())),
    "claim": _Reader("claim Great Court", lambda said: ClaimGoal(said.name("goal"))),
    "dismiss": _Reader("dismiss d4", lambda said: Dismiss(*said.squares(1))),
    "discard": _Reader("discard Market Stall", lambda said: Discard(said.name())),
    "pay": _Reader("pay", _alone(PAY)),
    "end": _Reader("end", _alone(END_TURN)),
}
_SHOWN = ("play", "wall", "recruit", "buy", "end")
