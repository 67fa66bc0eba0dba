"""The moves of Castle Rampage and their notation.

===================================  ===================================================
``place gate Knight``                in the preparation: a dealt card goes to a stack
``strengthen castle Archer``         a card from the hand goes under a stack
``strengthen castle Ogre for Spy, Knight``  … and is paid for, where it costs something
``play Axe man``                     a card from the hand
``play Dragon for Archer, Priest``   … paid with other cards
``play Arrow storm for Knight, Archer``  … an Attack Scheme, paid with units
``choose gate``                      a choice that an effect asks for: a stack …
``choose Knight``                    … or a card
``end``                              the end of the turn
===================================  ===================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from castlelab.game import Move
from castlelab.games.castle_rampage.box import Box
from castlelab.games.castle_rampage.card import STACKS, StackName
from castlelab.notation import reader_for
from castlelab.rules import NotationError, quoted


@dataclass(frozen=True, slots=True)
class Place(Move):
    """A dealt card goes to a stack, before the first turn."""

    kind: ClassVar[str] = "place"
    stack: StackName
    card: str


class _Paid(Move):
    """A move that other cards pay for.

    They are kept in the order of the alphabet: who pays the same makes the same move.
    """

    __slots__ = ()
    paid: tuple[str, ...]  # its last field

    def __post_init__(self) -> None:
        if len(self.paid) > 1:
            object.__setattr__(self, "paid", tuple(sorted(self.paid)))  # past the lock

    def __str__(self) -> str:
        words = [self.kind, *[getattr(self, name) for name in self.__match_args__[:-1]]]
        return " ".join([*words, "for", ", ".join(self.paid)] if self.paid else words)


@dataclass(frozen=True, slots=True)
class Strengthen(_Paid):
    """A card from the hand goes under a stack; ``paid`` are the cards that this costs."""

    kind: ClassVar[str] = "strengthen"
    stack: StackName
    card: str
    paid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Play(_Paid):
    """A card from the hand is played; ``paid`` are the cards that this costs."""

    kind: ClassVar[str] = "play"
    card: str
    paid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choose(Move):
    """What an effect asks for: ``gate`` or ``castle``, or the name of a card."""

    kind: ClassVar[str] = "choose"
    what: str


@dataclass(frozen=True, slots=True)
class EndTurn(Move):
    """The end of the turn."""

    kind: ClassVar[str] = "end"


END_TURN = EndTurn()


_EXAMPLES = {
    "place": "place gate Knight",
    "strengthen": "strengthen castle Archer",
    "play": "play Dragon for Archer, Priest",
    "choose": "choose gate",
    "end": "end",
}


def read_move(text: str, box: Box) -> Move:
    """The move that a text means; anything else is a ``NotationError``.

    >>> from castlelab.games.castle_rampage.box import house_box
    >>> read_move("PLAY dragon  for priest, archer", house_box())
    Play(card='Dragon', paid=('Archer', 'Priest'))
    """
    examples = ", ".join(f"'{example}'" for example in _EXAMPLES.values())
    kind, rest = reader_for(text, {kind: kind for kind in _EXAMPLES}, examples)
    match kind:
        case "place":
            return Place(_read_stack(rest, kind), _read_card(rest[1:], kind, box))
        case "strengthen":
            return Strengthen(_read_stack(rest, kind), *_read_paid(rest[1:], kind, box))
        case "play":
            return Play(*_read_paid(rest, kind, box))
        case "choose" if len(rest) == 1 and rest[0].lower() in STACKS:
            return Choose(rest[0].lower())
        case "choose":
            return Choose(_read_card(rest, kind, box))
    if rest:
        raise NotationError(f"nothing follows 'end', but there is {' '.join(rest)[:40]!r}")
    return END_TURN


def _read_stack(words: list[str], kind: str) -> StackName:
    word = words[0].lower() if words else ""
    for stack in STACKS:
        if word == stack:
            return stack
    shown = repr(words[0][:30]) if words else "nothing"
    raise NotationError(
        f"after '{kind}' comes gate or castle, not {shown}; write '{_EXAMPLES[kind]}'"
    )


def _read_card(words: list[str], kind: str, box: Box) -> str:
    if not words:
        raise NotationError(f"which card? Write it: '{_EXAMPLES[kind]}'")
    return box.card(" ".join(words)).name


def _read_paid(words: list[str], kind: str, box: Box) -> tuple[str, tuple[str, ...]]:
    """A card and, after the word "for", the cards that pay for it."""
    small = [word.lower() for word in words]
    if "for" not in small:
        return _read_card(words, kind, box), ()
    at = small.index("for")
    card = _read_card(words[:at], kind, box)
    paying = " ".join(words[at + 1 :]).split(",")
    if not all(map(str.strip, paying)):
        raise NotationError(
            f"after 'for' come cards with commas between them, not {quoted(','.join(paying))}"
        )
    return card, tuple(box.card(name).name for name in paying)
