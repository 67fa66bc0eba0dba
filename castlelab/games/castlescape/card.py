"""The cards of CastleScape: what one does is data, in a small vocabulary of effects."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from castlelab.edition import CardEffect, Verb
from castlelab.game import written

Family = Literal["starter", "standard", "rotating"]
CARD_FAMILIES: tuple[Family, ...] = ("starter", "standard", "rotating")


#: Everything that a card can do: at once, or later at any time of the turn.
VERBS = {
    "gold": Verb("later", range(1, 10), "{n} gold."),
    "walls": Verb("later", range(1, 7), "Build {n} wall.", "Build {n} walls."),
    "late-walls": Verb(
        "later",
        range(1, 7),
        "Build {n} wall, even after recruits.",
        "Build {n} walls, even after recruits.",
    ),
    "recruits": Verb("later", range(1, 7), "Position {n} recruit.", "Position {n} recruits."),
    "sentries": Verb(
        "later",
        range(1, 4),
        "Position {n} recruit on a wall.",
        "Position {n} recruits on walls.",
    ),
    "move": Verb(
        "later",
        range(1, 7),
        "Move one of your recruits to the next square.",
        "Move your recruits {n} squares in all.",
    ),
    "climb": Verb(
        "later",
        range(1, 4),
        "One of your recruits climbs onto a wall beside it.",
        "{n} of your recruits climb onto walls beside them.",
    ),
    "oust": Verb(
        "later",
        range(1, 4),
        "Remove a rival's recruit beside one of yours.",
        "Remove {n} rivals' recruits beside yours.",
    ),
    "acquire": Verb("later", range(1, 10), "Acquire a card that costs {n} or less."),
    "destroy-hand": Verb(
        "later",
        range(1, 4),
        "You may destroy a card of your hand.",
        "You may destroy {n} cards of your hand.",
    ),
    "destroy-discard": Verb(
        "later",
        range(1, 4),
        "You may destroy a card of your discard pile.",
        "You may destroy {n} cards of your discard pile.",
    ),
    "shift-blame": Verb(
        "later",
        range(1, 4),
        "Discard a card from your Back Alley.",
        "Discard {n} cards from your Back Alley.",
    ),
    "draw": Verb("at once", range(1, 5), "Draw a card.", "Draw {n} cards."),
    "renown": Verb("at once", range(1, 6), "{n} Renown at once."),
    "less-infamy": Verb("at once", range(1, 11), "Your Infamy falls by {n}."),
    "less-corruption": Verb("at once", range(1, 11), "Your Corruption falls by {n}."),
    "more-infamy": Verb("at once", range(1, 11), "Your Infamy rises by {n}."),
    "trigger": Verb("at once", None, "Trigger your Back Alley penalties."),
    "contract": Verb("at once", None, "Draw two contracts and keep one."),
}


#: The same in two or three words.
_SHORT = {
    "gold": "{n} gold",
    "walls": "{n} wall{s}",
    "late-walls": "{n} late wall{s}",
    "recruits": "{n} recruit{s}",
    "sentries": "{n} on a wall",
    "move": "{n} move{s}",
    "climb": "{n} climb{s}",
    "oust": "oust {n}",
    "acquire": "acquire to {n}",
    "destroy-hand": "destroy {n}, hand",
    "destroy-discard": "destroy {n}, pile",
    "shift-blame": "shift {n} blame",
    "draw": "draw {n}",
    "renown": "{n} Renown now",
    "less-infamy": "Infamy −{n}",
    "less-corruption": "Corruption −{n}",
    "more-infamy": "Infamy +{n}",
    "trigger": "trigger Alley",
    "contract": "contract",
}


class Effect(CardEffect):
    """One effect of a card.

    >>> str(Effect("draw", 2)), Effect.parse("walls 3").words, Effect("less-infamy", 2).short
    ('draw 2', 'Build 3 walls.', 'Infamy −2')
    """

    __slots__ = ()
    vocabulary: ClassVar = VERBS

    @property
    def waits(self) -> bool:
        """Whether it is used later in the turn, by moves of its own."""
        return VERBS[self.verb].when == "later"

    @property
    def short(self) -> str:
        """It in two or three words."""
        return _SHORT[self.verb].format(n=self.number, s="s" * (self.number != 1))


class CardGains(NamedTuple):
    """Effects of a card, apart: those that happen at once, and those that wait to be used."""

    at_once: tuple[Effect, ...]
    waiting: tuple[Effect, ...]


def card_gains(effects: tuple[Effect, ...]) -> CardGains:
    return CardGains(
        tuple(effect for effect in effects if not effect.waits),
        tuple(effect for effect in effects if effect.waits),
    )


@dataclass(frozen=True)
class Card:
    """A card: its price, what it does when it is played, what it brings in the end.

    >>> card = Card("Shop", "standard", 3, (Effect.parse("gold 2"),), renown=1)
    >>> card.describe()
    'Shop (3 gold): 2 gold. Worth 1 Renown at the end.'
    """

    name: str
    family: Family
    cost: int
    effects: tuple[Effect, ...] = ()  # what it does; with OR, what comes before the choice
    choices: tuple[tuple[Effect, ...], ...] = ()  # castlescape/or: one of these
    on_purchase: tuple[Effect, ...] = ()
    renown: int = 0
    infamy: int = 0
    corruption: int = 0

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        from castlelab.games.castlescape.box import house_box  # which stands on this module

        return f"card({self.name!r})" if self in house_box().cards else written(self)

    @property
    def shady(self) -> bool:
        """Whether it has a penalty and so goes to the Back Alley (``castlescape/penalty``)."""
        return self.infamy > 0 or self.corruption > 0

    @cached_property
    def ways(self) -> tuple[tuple[Effect, ...], ...]:
        """What it can do: one list of effects for each side of an OR, one list without."""
        return tuple(self.effects + choice for choice in self.choices) or (self.effects,)

    @cached_property
    def gains(self) -> tuple[CardGains, ...]:
        """The same as what happens now and what waits."""
        return tuple(map(card_gains, self.ways))

    @cached_property
    def gains_on_purchase(self) -> CardGains:
        return card_gains(self.on_purchase)

    def describe(self) -> str:
        """The card in words: price, effects, what it brings, what it costs in the Back Alley."""
        price = f" ({self.cost} gold)" if self.family != "starter" else ""
        said = [effect.words for effect in self.effects]
        if self.choices:
            sides = [" ".join(effect.words for effect in choice) for choice in self.choices]
            said.append(" OR ".join(sides))
        if self.on_purchase:
            said.append("On purchase: " + " ".join(effect.words for effect in self.on_purchase))
        if self.renown:
            said.append(f"Worth {self.renown} Renown at the end.")
        penalty = [
            f"{number} {name}"
            for name, number in (("Infamy", self.infamy), ("Corruption", self.corruption))
            if number
        ]
        if penalty:
            said.append(f"Penalty: {' and '.join(penalty)}.")
        return f"{self.name}{price}: {' '.join(said)}"
