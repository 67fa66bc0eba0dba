"""The moves of Once Upon a Castle and their notation.

======================  ===================================================================
``use 1 b2``            the first die puts a token on a square
``use 2 residents``     the second die brings residents
``use 1 flag``          … or a flag (monk), or ``use 1 cloud`` a cloud (shepherdess)
``lose 1``              nothing can be done with the first die
``pass``                somebody else's dice are left alone
``clear row 2``         the tokens of a full line go, and what it gives is drawn
``guest king``          the guest who comes with a floor
``steal king``          a guest of somebody else
``reactivate logger``   a Bolt guest acts once more
``place b2``            a guest puts a token on a square
``take residents``      Dagobert's face brings residents, or ``take flag`` a flag (monk)
``choose wood``         what Dagobert's "?" is, or ``choose cloud`` (shepherdess)
``shift b2 c3``         the magician moves a token
``stop``                the rest of what a guest brings is left alone
``end``                 no more lines are cleared in this turn
======================  ===================================================================

A square is a column and a row: ``b2`` is the second of the second row.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from castlelab.game import Move, reader_for
from castlelab.games.once_upon_a_castle.board import RESOURCES
from castlelab.rules import NotationError, quoted


@dataclass(frozen=True, slots=True)
class Use(Move):
    """A die is used: on a square, or for residents, a flag or a cloud."""

    kind: ClassVar[str] = "use"
    die: int  # 1 or 2
    what: str

    def __str__(self) -> str:
        return f"use {self.die} {self.what}"


@dataclass(frozen=True, slots=True)
class Lose(Move):
    """A die brings nothing."""

    kind: ClassVar[str] = "lose"
    die: int

    def __str__(self) -> str:
        return f"lose {self.die}"


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Somebody else's dice are left alone."""

    kind: ClassVar[str] = "pass"

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Clear(Move):
    """The tokens of a full line go, and what it gives is drawn."""

    kind: ClassVar[str] = "clear"
    line: str  # "row 2"

    def __str__(self) -> str:
        return f"clear {self.line}"


@dataclass(frozen=True, slots=True)
class Invite(Move):
    """One of the guests on show comes with a floor."""

    kind: ClassVar[str] = "guest"
    guest: str

    def __str__(self) -> str:
        return f"guest {self.guest}"


@dataclass(frozen=True, slots=True)
class Steal(Move):
    """A guest of somebody else comes over."""

    kind: ClassVar[str] = "steal"
    guest: str

    def __str__(self) -> str:
        return f"steal {self.guest}"


@dataclass(frozen=True, slots=True)
class Reactivate(Move):
    """A Bolt guest of one's own acts once more."""

    kind: ClassVar[str] = "reactivate"
    guest: str

    def __str__(self) -> str:
        return f"reactivate {self.guest}"


@dataclass(frozen=True, slots=True)
class Place(Move):
    """A guest puts a token on a square."""

    kind: ClassVar[str] = "place"
    square: str

    def __str__(self) -> str:
        return f"place {self.square}"


@dataclass(frozen=True, slots=True)
class Take(Move):
    """What else a face that Dagobert rolled may bring: residents or a flag."""

    kind: ClassVar[str] = "take"
    what: str

    def __str__(self) -> str:
        return f"take {self.what}"


@dataclass(frozen=True, slots=True)
class Choose(Move):
    """What a "?" that Dagobert rolled is."""

    kind: ClassVar[str] = "choose"
    face: str

    def __str__(self) -> str:
        return f"choose {self.face}"


@dataclass(frozen=True, slots=True)
class Shift(Move):
    """The magician moves a token."""

    kind: ClassVar[str] = "shift"
    source: str
    goal: str

    def __str__(self) -> str:
        return f"shift {self.source} {self.goal}"


@dataclass(frozen=True, slots=True)
class Stop(Move):
    """The rest of what a guest brings is left alone."""

    kind: ClassVar[str] = "stop"

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True, slots=True)
class End(Move):
    """No more lines are cleared in this turn."""

    kind: ClassVar[str] = "end"

    def __str__(self) -> str:
        return "end"


DICE = (1, 2)
EXTRAS = ("residents", "flag", "cloud")  # what a die may bring instead of a token
TAKEN = ("residents", "flag")
CHOICES = (*RESOURCES, "residents", "cloud")
_SQUARE = re.compile(r"[a-h][1-8]")
_GUEST = re.compile(r"[a-z]{2,20}")
_EXAMPLES = "'use 1 b2', 'use 2 residents', 'clear row 2', 'pass' or 'end'"


def read_move(text: str) -> Move:
    """The move that a text means; anything else is a ``NotationError``.

    >>> read_move("clear row 2")
    Clear(line='row 2')
    """
    reader, rest = reader_for(text, _READERS, _EXAMPLES, longest=100)
    return reader([word.lower() for word in rest])


def _words(words: list[str], number: int, example: str) -> list[str]:
    if len(words) != number:
        raise NotationError(f"that move is written '{example}'")
    return words


def _die(word: str) -> int:
    if word not in ("1", "2"):
        raise NotationError(f"the dice are 1 and 2, not {quoted(word)}")
    return int(word)


def _square(word: str) -> str:
    if not _SQUARE.fullmatch(word):
        raise NotationError(f"{quoted(word)} is not a square; write its column and row: b2")
    return word


def _one_of(word: str, allowed: tuple[str, ...]) -> str:
    if word not in allowed:
        raise NotationError(f"write one of {', '.join(allowed)}, not {quoted(word)}")
    return word


def _guest(words: list[str], example: str) -> str:
    (name,) = _words(words, 1, example)
    if not _GUEST.fullmatch(name):
        raise NotationError(f"{quoted(name)} is not the name of a guest; it is one word: king")
    return name


def _read_use(words: list[str]) -> Move:
    die, what = _words(words, 2, "use 1 b2")
    if what in EXTRAS or _SQUARE.fullmatch(what):
        return Use(_die(die), what)
    raise NotationError(
        f"a die is used on a square such as b2, or for {', '.join(EXTRAS)}, not {quoted(what)}"
    )


def _read_lose(words: list[str]) -> Move:
    (die,) = _words(words, 1, "lose 1")
    return Lose(_die(die))


def _read_clear(words: list[str]) -> Move:
    kind, number = _words(words, 2, "clear row 2")
    if kind not in ("row", "column") or number not in "12345678" or len(number) != 1:
        raise NotationError("a line is a row or a column with its number: 'clear row 2'")
    return Clear(f"{kind} {number}")


def _read_place(words: list[str]) -> Move:
    (square,) = _words(words, 1, "place b2")
    return Place(_square(square))


def _read_take(words: list[str]) -> Move:
    (what,) = _words(words, 1, "take residents")
    return Take(_one_of(what, TAKEN))


def _read_choose(words: list[str]) -> Move:
    (face,) = _words(words, 1, "choose wood")
    return Choose(_one_of(face, CHOICES))


def _read_shift(words: list[str]) -> Move:
    source, goal = _words(words, 2, "shift b2 c3")
    return Shift(_square(source), _square(goal))


def _alone(move: Move) -> Callable[[list[str]], Move]:
    def read(words: list[str]) -> Move:
        _words(words, 0, str(move))
        return move

    return read


PASS, STOP, END = Pass(), Stop(), End()
_READERS: dict[str, Callable[[list[str]], Move]] = {
    "use": _read_use,
    "lose": _read_lose,
    "pass": _alone(PASS),
    "clear": _read_clear,
    "guest": lambda words: Invite(_guest(words, "guest king")),
    "steal": lambda words: Steal(_guest(words, "steal king")),
    "reactivate": lambda words: Reactivate(_guest(words, "reactivate logger")),
    "place": _read_place,
    "take": _read_take,
    "choose": _read_choose,
    "shift": _read_shift,
    "stop": _alone(STOP),
    "end": _alone(END),
}
