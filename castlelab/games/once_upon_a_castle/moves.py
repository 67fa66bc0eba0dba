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

from castlelab.game import Move
from castlelab.games.once_upon_a_castle.board import RESOURCES
from castlelab.notation import alone, exactly, reader_for
from castlelab.rules import NotationError, quoted


@dataclass(frozen=True, slots=True)
class Use(Move):
    """A die is used: on a square, or for residents, a flag or a cloud."""

    kind: ClassVar[str] = "use"
    die: int  # 1 or 2
    what: str


@dataclass(frozen=True, slots=True)
class Lose(Move):
    """A die brings nothing."""

    kind: ClassVar[str] = "lose"
    die: int


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Somebody else's dice are left alone."""

    kind: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Clear(Move):
    """The tokens of a full line go, and what it gives is drawn."""

    kind: ClassVar[str] = "clear"
    line: str  # "row 2"


@dataclass(frozen=True, slots=True)
class Invite(Move):
    """One of the guests on show comes with a floor."""

    kind: ClassVar[str] = "guest"
    guest: str


@dataclass(frozen=True, slots=True)
class Steal(Move):
    """A guest of somebody else comes over."""

    kind: ClassVar[str] = "steal"
    guest: str


@dataclass(frozen=True, slots=True)
class Reactivate(Move):
    """A Bolt guest of one's own acts once more."""

    kind: ClassVar[str] = "reactivate"
    guest: str


@dataclass(frozen=True, slots=True)
class Place(Move):
    """A guest puts a token on a square."""

    kind: ClassVar[str] = "place"
    square: str


@dataclass(frozen=True, slots=True)
class Take(Move):
    """What else a face that Dagobert rolled may bring: residents or a flag."""

    kind: ClassVar[str] = "take"
    what: str


@dataclass(frozen=True, slots=True)
class Choose(Move):
    """What a "?" that Dagobert rolled is."""

    kind: ClassVar[str] = "choose"
    face: str


@dataclass(frozen=True, slots=True)
class Shift(Move):
    """The magician moves a token."""

    kind: ClassVar[str] = "shift"
    source: str
    goal: str


@dataclass(frozen=True, slots=True)
class Stop(Move):
    """The rest of what a guest brings is left alone."""

    kind: ClassVar[str] = "stop"


@dataclass(frozen=True, slots=True)
class End(Move):
    """No more lines are cleared in this turn."""

    kind: ClassVar[str] = "end"


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


def _die(word: str) -> int:
    if word not in ("1", "2"):
        raise NotationError(f"the dice are 1 and 2, not {quoted(word)}")
    return int(word)


def square_named(word: str) -> str:
    """The square of that name; anything else is a ``NotationError``."""
    if not _SQUARE.fullmatch(word):
        raise NotationError(f"{quoted(word)} is not a square; write its column and row: b2")
    return word


def _one_of(allowed: tuple[str, ...], word: str) -> str:
    if word not in allowed:
        raise NotationError(f"write one of {', '.join(allowed)}, not {quoted(word)}")
    return word


def _guest(words: list[str], example: str) -> str:
    (name,) = exactly(words, 1, example)
    if not _GUEST.fullmatch(name):
        raise NotationError(f"{quoted(name)} is not the name of a guest; it is one word: king")
    return name


def _read_use(words: list[str]) -> Move:
    die, what = exactly(words, 2, "use 1 b2")
    if what in EXTRAS or _SQUARE.fullmatch(what):
        return Use(_die(die), what)
    raise NotationError(
        f"a die is used on a square such as b2, or for {', '.join(EXTRAS)}, not {quoted(what)}"
    )


def _read_clear(words: list[str]) -> Move:
    kind, number = exactly(words, 2, "clear row 2")
    if kind not in ("row", "column") or number not in "12345678" or len(number) != 1:
        raise NotationError("a line is a row or a column with its number: 'clear row 2'")
    return Clear(f"{kind} {number}")


PASS, STOP, END = Pass(), Stop(), End()
_READERS: dict[str, Callable[[list[str]], Move]] = {
    "use": _read_use,
    "lose": lambda words: Lose(_die(*exactly(words, 1, "lose 1"))),
    "pass": alone(PASS),
    "clear": _read_clear,
    "guest": lambda words: Invite(_guest(words, "guest king")),
    "steal": lambda words: Steal(_guest(words, "steal king")),
    "reactivate": lambda words: Reactivate(_guest(words, "reactivate logger")),
    "place": lambda words: Place(square_named(*exactly(words, 1, "place b2"))),
    "take": lambda words: Take(_one_of(TAKEN, *exactly(words, 1, "take residents"))),
    "choose": lambda words: Choose(_one_of(CHOICES, *exactly(words, 1, "choose wood"))),
    "shift": lambda words: Shift(*map(square_named, exactly(words, 2, "shift b2 c3"))),
    "stop": alone(STOP),
    "end": alone(END),
}
