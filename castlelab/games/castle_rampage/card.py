"""The cards of Castle Rampage: what one can do is data, in a small vocabulary of effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import ClassVar, Literal

from castlelab.edition import CardEffect, Verb
from castlelab.game import written
from castlelab.rules import counted, rulebook

RULES = rulebook("castle_rampage")

StackName = Literal["gate", "castle"]
STACKS: tuple[StackName, StackName] = ("gate", "castle")
UNITS = ("knight", "archer", "pikeman")


#: Everything that a card can do besides defending and attacking: when it is played, while it is
#: attacking or standing, or when it is falling.
VERBS = {
    "draw": Verb("played", range(1, 4), "Draw {n}."),
    "reveal-top": Verb(
        "played", None, "Show everybody the top card of one enemy stack, then put it back."
    ),
    "destroy-permanent": Verb("played", None, "Destroy one permanent card of the enemy."),
    "take-castle": Verb(
        "played",
        None,
        "Take the top card of your own Castle; the attack gains its Castle value.",
    ),
    "raise-discard": Verb(
        "played",
        None,
        "A card of your choice from the discard pile goes under your Gate or Castle.",
    ),
    "fell-castles": Verb("played", None, "Destroy the top card of both Castles."),
    "target-castle": Verb("attacking", None, "Attacks the Castle past the Gate."),
    "return-when-held": Verb("attacking", None, "Returns to your hand when beaten off."),
    "charge": Verb("attacking", range(1, 10), "+{n} if no Gate stands before the attack."),
    "rally": Verb("standing", range(1, 4), "Your attacks gain {n}."),
    "shield": Verb("standing", range(1, 4), "Attacks on you lose {n}."),
    "supply": Verb("standing", range(1, 3), "Draw {n} more at the start of your turn."),
    "build": Verb(
        "standing",
        range(1, 3),
        "Strengthen {n} more time a turn.",
        "Strengthen {n} more times a turn.",
    ),
    "bomb": Verb("falling", None, "When an attack destroys it, the attacker falls too."),
    "sabotage": Verb(
        "falling",
        None,
        "When an attack destroys it, its owner picks an attacker's stack: that top card falls.",
    ),
    "spy": Verb(
        "falling",
        None,
        "When an attack destroys it, its owner takes a card of choice from the attacker's hand.",
    ),
}


class Effect(CardEffect):
    """One effect of a card.

    >>> str(Effect("draw", 2)), Effect.parse("rally 1").words
    ('draw 2', 'Your attacks gain 1.')
    """

    __slots__ = ()
    vocabulary: ClassVar = VERBS


@dataclass(frozen=True)
class Card:
    """A card: its two defence values, and what it can do when it is played.

    >>> str(Card("Wall", gate=5, castle=1)), Card("Wall", gate=5, castle=1).defence("gate")
    ('Wall', 5)
    """

    name: str
    gate: int
    castle: int
    attack: int | None = None
    cost: int = 0  # other cards from the hand
    units: tuple[str, ...] = ()  # the symbols; it counts as one of them at a time
    pays: tuple[str, ...] = ()  # an Attack Scheme: the units that it is paid with
    extra: str = ""  # … and the one that may be added
    bonus: int = 0  # … for so much more strength
    permanent: bool = False
    purple: bool = False
    place_cost: int = 0  # other cards from the hand, to strengthen with it
    effects: tuple[Effect, ...] = ()

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        from castlelab.games.castle_rampage.box import house_box  # which stands on this module

        return f"card({self.name!r})" if self in house_box().cards else written(self)

    def defence(self, stack: StackName) -> int:
        """Its defence value at the Gate or at the Castle."""
        return self.gate if stack == "gate" else self.castle

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The effects as a table: verb → number."""
        return {effect.verb: effect.number for effect in self.effects}

    def does(self, verb: str) -> bool:
        """Whether it has an effect."""
        return verb in self.numbers

    @cached_property
    def when_played(self) -> tuple[Effect, ...]:
        """What happens before its attack, in order."""
        return tuple(e for e in self.effects if e.when == "played")

    @cached_property
    def when_destroyed(self) -> str:
        """What an attack that destroys it sets off: ``bomb``, ``sabotage``, ``spy`` or nothing."""
        return next((e.verb for e in self.effects if e.when == "falling"), "")

    @property
    def is_scheme(self) -> bool:
        return bool(self.pays)

    @cached_property
    def playable(self) -> bool:
        """Whether playing it does anything: some cards only defend."""
        return self.attack is not None or self.permanent or bool(self.when_played)

    def describe(self) -> str:
        """The card in words: values first, then costs, then effects."""
        parts = [f"Gate {self.gate}, Castle {self.castle}"]
        if self.attack is not None:
            parts.append(f"attack {self.attack}")
        if self.units:
            parts.append("counts as " + " or ".join(self.units))
        said = [f"{self.name}: {', '.join(parts)}."]
        if self.cost:
            said.append(f"Costs {counted(self.cost, 'card')}.")
        if self.is_scheme:
            said.append(f"Costs {' + '.join(self.pays)}.")
            if self.extra:
                said.append(f"One more {self.extra}: +{self.bonus}.")
        if self.place_cost:
            said.append(f"Strengthening with it costs {counted(self.place_cost, 'card')}.")
        if self.permanent:
            said.append("Stays in play.")
        return " ".join([*said, *(effect.words for effect in self.effects)])


def counted_as(units: Sequence[Card] | str, wanted: Sequence[str]) -> tuple[str, ...] | None:
    """What each unit counts as so that together they are the wanted ones; None if they cannot.

    A card with several symbols is one of them at a time (``castle_rampage/unit``).

    >>> counted_as("Giant, Archer", ["archer", "knight"])
    ('knight', 'archer')
    >>> counted_as("Giant", ["knight", "pikeman"]) is None
    True
    """
    if isinstance(units, str):
        from castlelab.games.castle_rampage.box import cards_named  # which stands on this module

        units = cards_named(units)
    if len(units) != len(wanted):
        return None
    return next(
        (
            symbols
            for symbols in permutations(wanted)
            if all(symbol in unit.units for unit, symbol in zip(units, symbols, strict=True))
        ),
        None,
    )


def scheme_strength(scheme: Card | str, units: Sequence[Card] | str) -> int | None:
    """The strength that an Attack Scheme has when it is paid so; None if that pays for nothing.

    The optional unit counts once at most (``castle_rampage/scheme``).
    """
    if isinstance(scheme, str):
        from castlelab.games.castle_rampage.box import card  # which stands on this module

        scheme = card(scheme)
    if scheme.attack is None:
        return None
    if counted_as(units, scheme.pays):
        return scheme.attack
    if scheme.extra and counted_as(units, (*scheme.pays, scheme.extra)):
        return scheme.attack + scheme.bonus
    return None
