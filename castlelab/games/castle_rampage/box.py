"""What is in the box of Castle Rampage: 118 cards, read from the edition and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from castlelab.edition import Edition, Table, place_named
from castlelab.games.castle_rampage.card import STACKS, UNITS, VERBS, Card, Effect, counted_as
from castlelab.rules import quoted

CardRow = tuple[Card, ...]

CARDS = 118
FAMILIES = ("units", "fighters", "schemes", "permanents", "purple")
#: Names that the rulebook gives; a deck without one of them is not this game.
NAMES = (
    *("Dragon", "Axe man", "Giant", "Mercenary", "Knight", "Archer", "Digger", "Veteran"),
    *("Jester", "Summoner", "Bomber", "Saboteur", "Spy", "Ogre"),
)
PURPLE_NAMES = ("Bomber", "Saboteur", "Spy", "Ogre")

_MOST_DEFENCE = 20
_NUMBERS = (
    *(("gate", 0, _MOST_DEFENCE), ("castle", 0, _MOST_DEFENCE), ("attack", 0, 30)),
    *(("cost", 1, 5), ("place_cost", 1, 5), ("bonus", 1, 30)),
)
_MOST_PAID = 4
# What a move's notation uses around the names of cards.
_RESERVED = {"for", "gate", "castle"}


@dataclass(frozen=True)
class Box:
    """The deck. Play knows a card by its place in ``cards``: a number is quick to compare."""

    cards: tuple[Card, ...]
    copies: tuple[int, ...]

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """Every card of the box, as places in ``cards``."""
        return tuple(place for place, copies in enumerate(self.copies) for _ in range(copies))

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each name stands in ``cards``."""
        return {card.name: place for place, card in enumerate(self.cards)}

    def card(self, name: str) -> Card:
        """A card by its name, in small or capital letters."""
        return self.cards[self.place(name)]

    def place(self, name: str) -> int:
        """Where a name stands in ``cards``; an unknown one is a ``NotationError``."""
        return place_named(name, self.places, "card", "the cards are")


@cache
def house_box() -> Box:
    """The box of the house edition."""
    return read_box(Edition.load("castle_rampage"))


def card(name: str) -> Card:
    """A card of the house edition by its name.

    >>> card("ogre").castle
    6
    """
    return house_box().card(name)


def cards_named(names: str) -> CardRow:
    """Cards of the house edition: ``cards_named("Ogre, Knight")``."""
    return tuple(map(card, filter(None, map(str.strip, names.split(",")))))


def read_box(edition: Edition) -> Box:
    """The box of an edition; whatever is wrong with it is an ``EditionError``."""
    printed = _read_printed(edition.table("printed"))
    cards: list[Card] = []
    copies: list[int] = []
    for family in FAMILIES:
        table = edition.table(family)
        for entry in table.tables("card"):
            name = entry.name(card.name for card in cards)
            if _RESERVED & set(name.lower().split()):
                told = f"is {quoted(name)}; for, gate and castle cannot be in a name"
                raise entry.fail("name", told)
            copies.append(entry.integer("copies", 1, CARDS))
            cards.append(_read_card(entry, name, family, printed.get(name, {})))
        table.finish()
    deck = edition.table("units")
    for name in NAMES:
        if all(card.name != name for card in cards):
            raise deck.fail("card", f"and the other tables have no {name}; the rulebook has one")
    if not any(card.is_scheme for card in cards):
        raise edition.table("schemes").fail("card", "is empty; there must be an Attack Scheme")
    _check_schemes(edition.table("schemes"), cards, copies)
    if (total := sum(copies)) != CARDS:
        raise deck.fail(
            "card", f"and the other tables have {total} cards together; there must be {CARDS}"
        )
    if sum(n for n, card in zip(copies, cards, strict=True) if not card.purple) < CARDS // 2:
        raise edition.table("purple").fail(
            "card", "leaves too few others; at least half of the cards must not be purple"
        )
    return Box(tuple(cards), tuple(copies))


def _read_printed(table: Table) -> dict[str, dict[str, Any]]:
    """What is known of single cards: name → key → value."""
    found: dict[str, dict[str, Any]] = {}
    for entry in table.tables("card"):
        name = entry.text("name")
        found[name] = dict(_read_values(entry))
        entry.finish()
    table.finish()
    return found


def _read_values(entry: Table) -> Iterator[tuple[str, Any]]:
    """Every value that an entry gives; what it leaves out is left out."""
    for key, least, most in _NUMBERS:
        if entry.has(key):
            yield key, entry.integer(key, least, most)
    for key in ("units", "pays"):
        if entry.has(key):
            yield key, entry.texts(key, UNITS)
    if entry.has("extra"):
        yield "extra", entry.text("extra", UNITS)
    if entry.has("effects"):
        texts = entry.texts("effects")
        yield "effects", tuple(Effect.read(entry, "effects", texts, "", "once is enough"))


def _read_card(entry: Table, name: str, family: str, printed: dict[str, Any]) -> Card:
    values = dict(_read_values(entry))
    entry.finish()
    for key, value in printed.items():
        if values.setdefault(key, value) != value:
            shown, known = (
                ", ".join(map(str, v)) if isinstance(v, tuple) else v for v in (values[key], value)
            )
            raise entry.fail(key, f"is {shown}; the rulebook prints {known} on the {name}")
    for stack in STACKS:
        if stack not in values:
            raise entry.fail(
                stack, f"is missing; it must be a whole number from 0 to {_MOST_DEFENCE}"
            )
    card = Card(name=name, permanent=family == "permanents", purple=family == "purple", **values)
    _check_card(entry, card, family)
    return card


def _check_card(entry: Table, card: Card, family: str) -> None:
    """What the rules need of a card of its family."""
    if (card.name in PURPLE_NAMES) != (family == "purple"):
        raise entry.fail("name", f"is {card}; the purple cards are {', '.join(PURPLE_NAMES)}")
    if bool(card.units) != (family == "units"):
        raise entry.fail("units", "belong to the cards in [units], and each of those has some")
    if len(set(card.units)) != len(card.units):
        raise entry.fail("units", f"are {', '.join(card.units)}; each symbol stands once")
    _check_scheme(entry, card, family)
    if card.attack is None and card.cost and not card.playable:
        raise entry.fail("cost", "needs an attack or an effect to pay for")
    for effect in card.effects:
        _check_effect(entry, card, effect)
    stands = any(effect.when == "standing" for effect in card.effects)
    if card.permanent and card.attack is None and not stands:
        standing = ", ".join(name for name, verb in VERBS.items() if verb.when == "standing")
        raise entry.fail("effects", f"of a permanent card must have one of {standing}")
    if card.purple and sum(effect.when == "falling" for effect in card.effects) > 1:
        raise entry.fail("effects", "of a purple card are one at most")


def _check_effect(entry: Table, card: Card, effect: Effect) -> None:
    attacks = card.attack is not None
    right, kinds = {
        "played": (attacks or effect.verb != "take-castle", "cards with an attack"),
        "attacking": (attacks, "cards with an attack"),
        "standing": (card.permanent, "permanent cards"),
        "falling": (card.purple, "purple cards"),
    }[effect.when]
    if not right:
        raise entry.fail("effects", f"has {effect}; that is only for {kinds}")


def _check_scheme(entry: Table, card: Card, family: str) -> None:
    if card.is_scheme != (family == "schemes"):
        raise entry.fail("pays", "belongs to the cards in [schemes], and each of those has it")
    if card.is_scheme and (card.attack is None or card.cost):
        raise entry.fail("attack", "is what a Scheme needs; units are all that it costs")
    if len(card.pays) + bool(card.extra) > _MOST_PAID:
        raise entry.fail(
            "pays", f"asks for {len(card.pays) + bool(card.extra)} units; {_MOST_PAID} at most"
        )
    if bool(card.extra) != bool(card.bonus) or (card.extra and not card.is_scheme):
        raise entry.fail("extra", "and bonus come together, and only with pays")


def _check_schemes(table: Table, cards: list[Card], copies: list[int]) -> None:
    """Every Scheme can be paid, with the extra unit too, out of the units of the deck."""
    units = [card for card in cards if card.units]
    for scheme in (card for card in cards if card.is_scheme):
        wanted = (*scheme.pays, scheme.extra) if scheme.extra else scheme.pays
        for symbol in set(wanted):
            there = sum(
                number
                for card, number in zip(cards, copies, strict=True)
                if counted_as([card], [symbol])
            )
            if there < wanted.count(symbol):
                raise table.fail(
                    "card",
                    f"has {scheme}, which wants {wanted.count(symbol)} × {symbol}; "
                    f"the {len(units)} kinds of units show it on {there} cards",
                )
