"""A battle with everything face up: what puzzles begin with, and how an attack is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.games.castle_rampage.attack import BROKEN, EVEN, HELD, PURPLE, Step
from castlelab.games.castle_rampage.box import CardRow, house_box
from castlelab.games.castle_rampage.card import Card, StackName
from castlelab.games.castle_rampage.play import CastleRampage, RampageState
from castlelab.games.castle_rampage.table import Side, Stack


def tell_stack(stack: StackName, cards: CardRow) -> str:
    """A stack with the values that count in it: "Gate: Knight 3, Spy 2."."""
    told = ", ".join(f"{card} {card.defence(stack)}" for card in cards) or "no cards"
    return f"{stack.title()}: {told}."


def tell_step(step: Step) -> str:
    """What became of one card, with the rule that says so."""
    who = f"the {step.defender}" if isinstance(step.defender, Card) else "a card"
    at = step.stack.title()
    told = {
        HELD: f"At the {at} {who} holds, {step.defence} against {step.before}",
        EVEN: f"At the {at} {who} is even, {step.defence} against {step.before}: both fall",
        BROKEN: f"At the {at} {who} falls, {step.defence} against {step.before}: {step.after} left",
        PURPLE: f"And {who} takes the attacker with it",
    }
    return f"{told[step.rule]} [{step.rule}]."


def tell_steps(steps: Sequence[Step]) -> str:
    """A whole attack in one line."""
    return " ".join(map(tell_step, steps))


@cache
def _game() -> CastleRampage:
    return CastleRampage(2, Edition.load("castle_rampage"))


@dataclass(frozen=True, slots=True)
class Battle:
    """The middle of an attacker's turn, with everything face up."""

    gate: CardRow  # the enemy's stacks, top first
    castle: CardRow
    hand: CardRow  # the attacker's
    helpers: CardRow = ()  # permanent cards of the attacker …
    guards: CardRow = ()  # … and of the enemy
    own_gate: CardRow = ()
    own_castle: CardRow = ()
    coming: CardRow = ()  # what the pile brings next

    def left_in_box(self) -> Counter[Card]:
        """How many of each card are somewhere else; less than nothing if the box has too few."""
        box = house_box()
        left = Counter(dict(zip(box.cards, box.copies, strict=True)))
        enemy, own = (self.gate, self.castle, self.guards), (self.own_gate, self.own_castle)
        for cards in (*enemy, *own, self.hand, self.helpers, self.coming):
            left.subtract(cards)
        return left

    def state(self) -> RampageState:
        """The game at this moment. The attacker is seat 0."""
        rows = (self.own_gate, self.own_castle, self.gate, self.castle)
        own_gate, own_castle, gate, castle = (Stack.of(_places(row)) for row in rows)
        held = (self.hand, self.helpers, self.guards)
        hand, helpers, guards = (tuple(sorted(_places(row))) for row in held)
        return RampageState(
            game=_game(),
            sides=(Side(hand, own_gate, own_castle, helpers), Side((), gate, castle, guards)),
            pile=_places((*self.coming, *self.left_in_box().elements())),
            chance=Chance.seeded(0),
            starter=0,
            active=0,
            deals=2,
            turn=3,
        )

    def tell(self) -> str:
        """What one must know and the picture does not show."""
        told = []
        if any(card.does("take-castle") or card.does("fell-castles") for card in self.hand):
            told.append(f" Your own {tell_stack('castle', self.own_castle)}")
        if self.coming:
            next_ones = "card" if len(self.coming) == 1 else "cards"
            told.append(f" The next {next_ones} of the pile: {', '.join(map(str, self.coming))}.")
        return "".join(told)


def _places(cards: CardRow) -> tuple[int, ...]:
    places = house_box().places
    return tuple([places[card.name] for card in cards])


def drawn_from(names: Sequence[str], number: int, chance: Chance) -> tuple[CardRow, Chance]:
    """So many cards of these names, as likely as they are in the box."""
    box = house_box()
    deck = [box.card(name) for name in names for _ in range(box.copies[box.places[name]])]
    return chance.sample(deck, number)


#: Cards that stand in the stacks of puzzles: each has values of its own.
DEFENDERS = (
    *("Knight", "Archer", "Giant", "Mercenary", "Gatekeeper", "Castellan", "Scout"),
    *("Arrow storm", "Pike wall"),
)
SCHEMES = ("Arrow storm", "Pike wall", "Cavalry charge")
