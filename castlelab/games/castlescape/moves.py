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

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from castlelab.game import Move, reader_for
from castlelab.games.castlescape.board import read_square, square_name
from castlelab.games.castlescape.box import Box
from castlelab.rules import NotationError, quoted

Pile = Literal["hand", "discards"]
PILES: tuple[Pile, Pile] = ("hand", "discards")


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
class Wall(Move):
    """A wall is built."""

    kind: ClassVar[str] = "wall"
    square: str


@dataclass(frozen=True, slots=True)
class Recruit(Move):
    """A recruit is positioned."""

    kind: ClassVar[str] = "recruit"
    square: str


@dataclass(frozen=True, slots=True)
class MoveRecruit(Move):
    """An own recruit goes to the next square, or climbs onto a wall there."""

    kind: ClassVar[str] = "move"
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Oust(Move):
    """A rival's recruit is removed."""

    kind: ClassVar[str] = "oust"
    square: str


@dataclass(frozen=True, slots=True)
class Recall(Move):
    """An own recruit is taken back, to be positioned anew."""

    kind: ClassVar[str] = "recall"
    square: str


@dataclass(frozen=True, slots=True)
class Buy(Move):
    """A market card is paid with gold."""

    kind: ClassVar[str] = "buy"
    card: str


@dataclass(frozen=True, slots=True)
class Acquire(Move):
    """A market card for nothing."""

    kind: ClassVar[str] = "acquire"
    card: str


@dataclass(frozen=True, slots=True)
class Destroy(Move):
    """A card of the hand or of the discard pile leaves the game."""

    kind: ClassVar[str] = "destroy"
    pile: Pile
    card: str


@dataclass(frozen=True, slots=True)
class Shift(Move):
    """A card of the Back Alley is discarded."""

    kind: ClassVar[str] = "shift"
    card: str


@dataclass(frozen=True, slots=True)
class ClaimGoal(Move):
    """A goal is taken."""

    kind: ClassVar[str] = "claim"
    goal: str


@dataclass(frozen=True, slots=True)
class Dismiss(Move):
    """A recruit is given up."""

    kind: ClassVar[str] = "dismiss"
    square: str


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """A card of the hand is given up."""

    kind: ClassVar[str] = "discard"
    card: str


@dataclass(frozen=True, slots=True)
class Pay(Move):
    """1 Renown is given up."""

    kind: ClassVar[str] = "pay"


@dataclass(frozen=True, slots=True)
class EndTurn(Move):
    """The end of the turn."""

    kind: ClassVar[str] = "end"


PAY = Pay()
END_TURN = EndTurn()

_EXAMPLES = {
    "keep": "keep Wall Guard",
    "play": "play Market Stall",
    "wall": "wall d4",
    "recruit": "recruit d4",
    "move": "move d4 e4",
    "oust": "oust e4",
    "recall": "recall d4",
    "buy": "buy Ramparts",
    "acquire": "acquire Ramparts",
    "destroy": "destroy hand Clumsy Thief",
    "shift": "shift Clumsy Thief",
    "claim": "claim Great Court",
    "dismiss": "dismiss d4",
    "discard": "discard Market Stall",
    "pay": "pay",
    "end": "end",
}
_SHOWN = ("play", "wall", "recruit", "buy", "end")


def read_move(text: str, box: Box, side: int) -> Move:
    """The move that a text means; anything else is a ``NotationError``.

    >>> from castlelab.games.castlescape.box import house_box
    >>> read_move("PLAY stone  barge 2", house_box(), 13)
    Play(card='Stone Barge', way=2)
    """
    reader, rest = reader_for(text, _READERS, _examples())
    return reader(rest, box, side)


def _examples() -> str:
    return ", ".join(f"'{_EXAMPLES[kind]}'" for kind in _SHOWN)


def _squares(words: list[str], side: int, kind: str, number: int = 1) -> list[str]:
    """So many squares of the site, and nothing else."""
    if len(words) != number:
        shown = quoted(" ".join(words)) if words else "nothing"
        wanted = "a square" if number == 1 else f"{number} squares"
        raise NotationError(
            f"after '{kind}' comes {wanted}, not {shown}; write '{_EXAMPLES[kind]}'"
        )
    return [_square(word, side) for word in words]


def _square(word: str, side: int) -> str:
    square = read_square(word)
    if max(square) >= side:
        raise NotationError(
            f"{quoted(word)} is off the site; the squares are a1 to "
            f"{square_name((side - 1, side - 1))}"
        )
    return square_name(square)


def _card(words: list[str], box: Box, kind: str) -> str:
    if not words:
        raise NotationError(f"which card? Write it: '{_EXAMPLES[kind]}'")
    return box.card(" ".join(words)).name


def _read_keep(words: list[str], box: Box, _: int) -> Keep:
    if not words:
        raise NotationError(f"which contract? Write it: '{_EXAMPLES['keep']}'")
    return Keep(box.contract(" ".join(words)).name)


def _read_claim(words: list[str], box: Box, _: int) -> ClaimGoal:
    if not words:
        raise NotationError(f"which goal? Write it: '{_EXAMPLES['claim']}'")
    return ClaimGoal(box.goal(" ".join(words)).name)


def _read_play(words: list[str], box: Box, _: int) -> Play:
    if words and words[-1].isascii() and words[-1].isdigit():
        way = int(words[-1]) if len(words[-1]) == 1 else 0
        name = _card(words[:-1], box, "play")
        ways = len(box.card(name).choices)
        if not 1 <= way <= ways:
            sides = f"has {ways} sides" if ways else "has no OR to choose from"
            raise NotationError(f"{name} {sides}; there is no {quoted(words[-1])}")
        return Play(name, way)
    return Play(_card(words, box, "play"))


def _read_destroy(words: list[str], box: Box, _: int) -> Destroy:
    word = words[0].lower() if words else ""
    for pile in PILES:
        if word == pile:
            return Destroy(pile, _card(words[1:], box, "destroy"))
    shown = quoted(words[0]) if words else "nothing"
    raise NotationError(
        f"after 'destroy' comes hand or discards, not {shown}; write '{_EXAMPLES['destroy']}'"
    )


def _read_move_recruit(words: list[str], _: Box, side: int) -> MoveRecruit:
    start, end = _squares(words, side, "move", 2)
    return MoveRecruit(start, end)


def _of_square(cls: Callable[[str], Move], kind: str) -> Callable[[list[str], Box, int], Move]:
    return lambda words, _, side: cls(_squares(words, side, kind)[0])


def _of_card(cls: Callable[[str], Move], kind: str) -> Callable[[list[str], Box, int], Move]:
    return lambda words, box, _: cls(_card(words, box, kind))


def _alone(move: Move) -> Callable[[list[str], Box, int], Move]:
    def read(words: list[str], _: Box, __: int) -> Move:
        if words:
            raise NotationError(f"nothing follows '{move}', but there is {quoted(' '.join(words))}")
        return move

    return read


_READERS: dict[str, Callable[[list[str], Box, int], Move]] = {
    "keep": _read_keep,
    "play": _read_play,
    "wall": _of_square(Wall, "wall"),
    "recruit": _of_square(Recruit, "recruit"),
    "move": _read_move_recruit,
    "oust": _of_square(Oust, "oust"),
    "recall": _of_square(Recall, "recall"),
    "buy": _of_card(Buy, "buy"),
    "acquire": _of_card(Acquire, "acquire"),
    "destroy": _read_destroy,
    "shift": _of_card(Shift, "shift"),
    "claim": _read_claim,
    "dismiss": _of_square(Dismiss, "dismiss"),
    "discard": _of_card(Discard, "discard"),
    "pay": _alone(PAY),
    "end": _alone(END_TURN),
}
