"""What is in the box of CastleScape: cards, goals and contracts, read from the edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from castlelab.edition import Edition, Table, place_named
from castlelab.games.castlescape.board import SIDES
from castlelab.games.castlescape.card import CARD_FAMILIES, Card, Effect, Family
from castlelab.games.castlescape.quests import Quest
from castlelab.rules import NotationError

STARTER_CARDS, STANDARD_CARDS, ROTATING_CARDS = 10, 45, 50
FEWEST_ROTATING_KINDS = 15
GOALS, CONTRACTS = 10, 20
NEW_CONTRACT = "New Contract"
#: A card of the rotating market that the rulebook names.
SHIFT_THE_BLAME = "Shift the Blame"
WALLS = 100

_MOST_COST = 12
_MOST_RENOWN = 10
_MOST_PENALTY = 5
_MARKS = "'-"  # in names; no numbers, for one after a name is a choice in a move's notation
_TOTALS = {"starter": STARTER_CARDS, "standard": STANDARD_CARDS, "rotating": ROTATING_CARDS}


@dataclass(frozen=True)
class Box:
    """The cards and quests. Play knows a card by its place in ``cards``, and a contract by
    its place in ``contracts``: a number is quick to compare."""

    cards: tuple[Card, ...]
    copies: tuple[int, ...]
    goals: tuple[Quest, ...]
    contracts: tuple[Quest, ...]
    quarry: tuple[int, ...]  # walls for two, three and four players
    site_quarries: tuple[tuple[int, tuple[int, ...]], ...]  # … on sites of certain sides
    inspections: tuple[int, ...]  # where the marker starts, for as many

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each name stands in ``cards``."""
        return _places(self.cards)

    @cached_property
    def contract_places(self) -> Mapping[str, int]:
        """Where each name stands in ``contracts``."""
        return _places(self.contracts)

    @cached_property
    def goal_places(self) -> Mapping[str, int]:
        """Where each name stands in ``goals``."""
        return _places(self.goals)

    @cached_property
    def new_contract(self) -> int:
        """The place of New Contract: it is bought, but never taken (``castlescape/contract``)."""
        return self.places[NEW_CONTRACT]

    def quarry_of(self, side: int) -> tuple[int, ...]:
        """The walls of the Quarry on a site, for two, three and four players."""
        return dict(self.site_quarries).get(side, self.quarry)

    def pack(self, family: Family) -> tuple[int, ...]:
        """Every card of a family, as places in ``cards``."""
        return tuple(
            place
            for place, (card, copies) in enumerate(zip(self.cards, self.copies, strict=True))
            if card.family == family
            for _ in range(copies)
        )

    def card(self, name: str) -> Card:
        """A card by its name, in small or capital letters."""
        return self.cards[place_named(name, self.places, "card", "there are")]

    def goal(self, name: str) -> Quest:
        """A goal by its name, in small or capital letters."""
        return self.goals[place_named(name, self.goal_places, "goal", "there are")]

    def contract(self, name: str) -> Quest:
        """A contract by its name, in small or capital letters."""
        return self.contracts[place_named(name, self.contract_places, "contract", "there are")]


def _places(named: Iterable[Card | Quest]) -> dict[str, int]:
    return {one.name: place for place, one in enumerate(named)}


@cache
def house_box() -> Box:
    """The box of the house edition."""
    return read_box(Edition.load("castlescape"))


def card(name: str) -> Card:
    """A card of the house edition by its name.

    >>> card("ramparts").effects
    (Effect('walls', 3),)
    """
    return house_box().card(name)


def read_box(edition: Edition) -> Box:
    """The box of an edition; whatever is wrong with it is an ``EditionError``."""
    printed = _read_printed(edition.table("printed"))
    cards: list[Card] = []
    copies: list[int] = []
    for family in CARD_FAMILIES:
        table = edition.table(family)
        first = len(cards)
        for entry in table.tables("card"):
            name = entry.name([card.name for card in cards], _MARKS)
            number = entry.integer("copies", 1, _TOTALS[family])
            card = _read_card(entry, name, family)
            _check_printed(entry, card, number, printed.get(name, {}))
            cards.append(card)
            copies.append(number)
        if (total := sum(copies[first:])) != _TOTALS[family]:
            raise table.fail("card", f"has {total} cards; there must be {_TOTALS[family]}")
        table.finish()
    _check_names(edition, cards, printed)
    goals = _read_quests(edition.table("goals"), "goal", GOALS)
    contracts = _read_quests(edition.table("contracts"), "contract", CONTRACTS)
    quarry, track = edition.table("quarry"), edition.table("track")
    box = Box(
        tuple(cards),
        tuple(copies),
        goals,
        contracts,
        quarry.integers("walls", 1, WALLS, length=3),
        tuple(_read_site_quarries(quarry)),
        track.integers("inspections", 1, 10, length=3),
    )
    quarry.finish()
    track.finish()
    return box


def _read_site_quarries(table: Table) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The Quarry of sites that are larger or smaller than usual."""
    seen: set[int] = set()
    for entry in table.tables("site") if table.has("site") else ():
        side = entry.integer("side", SIDES[0], SIDES[-1])
        if side not in SIDES or side in seen:
            why = "for the second time" if side in seen else "and not odd"
            raise entry.fail("side", f"is {side}, {why}; each odd side has one Quarry")
        seen.add(side)
        yield side, entry.integers("walls", 1, WALLS, length=3)
        entry.finish()


def _read_printed(table: Table) -> dict[str, dict[str, int]]:
    """What is known of single cards: name → key → value."""
    found: dict[str, dict[str, int]] = {}
    for entry in table.tables("card"):
        values = found[entry.text("name")] = {"copies": entry.integer("copies", 1, 50)}
        if entry.has("walls"):
            values["walls"] = entry.integer("walls", 1, 6)
        entry.finish()
    table.finish()
    return found


def _check_printed(entry: Table, card: Card, copies: int, printed: dict[str, int]) -> None:
    """Nothing contradicts what the rulebook prints."""
    if copies != printed.get("copies", copies):
        raise entry.fail("copies", f"is {copies}; the rulebook has {printed['copies']} {card}")
    walls = printed.get("walls")
    if walls and Effect("walls", walls) not in card.effects:
        raise entry.fail("effects", f"of {card} must have walls {walls}; the rulebook prints it")


def _check_names(edition: Edition, cards: list[Card], printed: Mapping[str, Any]) -> None:
    names = {card.name: card.family for card in cards}
    for name in printed:
        if names.get(name) not in ("starter", "standard"):
            table = edition.table("standard")
            raise table.fail("card", f"and [starter] have no {name}; the rulebook has one")
    rotating = edition.table("rotating")
    if names.get(SHIFT_THE_BLAME) != "rotating":
        raise rotating.fail("card", f"has no {SHIFT_THE_BLAME}; the rulebook names it")
    kinds = sum(family == "rotating" for family in names.values())
    if kinds < FEWEST_ROTATING_KINDS:
        raise rotating.fail(
            "card", f"has {kinds} kinds of cards; there must be {FEWEST_ROTATING_KINDS} or more"
        )


def _read_card(entry: Table, name: str, family: Family) -> Card:
    def read(key: str, texts: Iterable[Any]) -> tuple[Effect, ...]:
        return tuple(Effect.read(entry, key, texts, f"of {name} ", "write one number"))

    def effects(key: str) -> tuple[Effect, ...]:
        return read(key, entry.texts(key)) if entry.has(key) else ()

    def number(key: str, most: int) -> int:
        return entry.integer(key, 0, most) if entry.has(key) else 0

    lists = entry.lists("choices") if entry.has("choices") else ()
    choices = tuple(read("choices", texts) for texts in lists)
    card = Card(
        name=name,
        family=family,
        cost=0 if family == "starter" else entry.integer("cost", 1, _MOST_COST),
        effects=effects("effects"),
        choices=choices,
        on_purchase=effects("on_purchase"),
        renown=number("renown", _MOST_RENOWN),
        infamy=number("infamy", _MOST_PENALTY),
        corruption=number("corruption", _MOST_PENALTY),
    )
    entry.finish()
    _check_card(entry, card)
    return card


def _check_card(entry: Table, card: Card) -> None:
    if card.name == NEW_CONTRACT:
        if card.effects or card.choices or Effect("contract") not in card.on_purchase:
            raise entry.fail(
                "on_purchase",
                f"of {NEW_CONTRACT} must have contract, and nothing else: it is never played",
            )
        return
    if len(card.choices) == 1 or not all(card.choices):
        raise entry.fail("choices", f"of {card} must be two lists of effects or more, none empty")
    if not card.effects and not card.choices:
        raise entry.fail("effects", f"of {card} are missing; a card does something when played")
    for way in card.ways:
        if len({effect.verb for effect in way}) < len(way):
            raise entry.fail("choices", f"of {card} repeat one of its effects; write one number")
        if {"walls", "late-walls"} <= {effect.verb for effect in way}:
            raise entry.fail("effects", f"of {card} have walls and late-walls; one is enough")


def _read_quests(table: Table, key: str, number: int) -> tuple[Quest, ...]:
    found: list[Quest] = []
    for entry in table.tables(key):
        name = entry.name([quest.name for quest in found], _MARKS)
        renown = entry.integer("renown", 1, 20)
        condition = entry.text("condition")
        try:
            found.append(Quest.of(name, condition, renown))
        except NotationError as error:
            raise entry.fail("condition", f"of {name}: {error}") from None
        entry.finish()
    if len(found) != number:
        raise table.fail(key, f"has {len(found)} entries; there must be {number}")
    table.finish()
    return tuple(found)
