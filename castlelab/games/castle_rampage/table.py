"""What lies on the table before a player: two stacks, a hand, permanent cards.

Cards are known by their place in ``box.cards``. A card that a view hides is ``HIDDEN``.
Stacks and sides are tuples with names: play makes new ones for every move, and nothing
is made more quickly.

Players remember. Whoever builds a stack knows every card of it; what the other knows is
written down here, since it is no secret: marks say how each card came to its stack, and
``Side.shown`` which cards of a hand have been seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from castlelab.game import changed_at
from castlelab.games.castle_rampage.card import StackName

HIDDEN = -1
PER_STACK = 2  # of each deal

# How a card came to its stack. From 0 on: laid face down in a turn, for nothing; the numbers
# count what its player has laid.
OPEN = -3  # everybody saw it there, or saw it go there
FIRST = -2  # in the preparation: it is not purple
LAID = -1  # in a turn, nobody remembers which

# A card of a hand that everybody has seen, and how many cards its player had laid by then.
# It is still in that hand, or under a stack with one of the cards laid since.
Shown = tuple[int, int]

# A tuple with names is made in half the time without asking its class, and play makes
# several for every move: ``_made(Stack, (cards, marks))``.
_made = tuple.__new__


def stack_id(seat: int, stack: str) -> str:
    """What the picture and the breaches call a stack: "gate 1" is the Gate of seat 0."""
    return f"{stack} {seat + 1}"


def hand_id(card: str) -> str:
    """What the picture and the breaches call a card in the hand of whoever is to move."""
    return f"hand {card}"


def discard_id(card: str) -> str:
    """What the picture and the breaches call a card among the discards to choose from."""
    return f"discard {card}"


def permanent_id(seat: int, card: str) -> str:
    """What the picture and the breaches call a permanent card."""
    return f"permanent {seat + 1} {card}"


class Stack(NamedTuple):
    """A Gate or a Castle, top card first."""

    cards: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()  # how each of them came there

    @staticmethod
    def of(cards: tuple[int, ...], mark: int = LAID) -> Stack:
        """A stack of cards that all came there in the same way."""
        return Stack(cards, (mark,) * len(cards))

    @property
    def seen(self) -> bool:
        """Whether everybody knows its top card."""
        return self.marks[:1] == (OPEN,)

    def under(self, card: int, mark: int = OPEN) -> Stack:
        """The stack with one more card at its bottom (``castle_rampage/under``)."""
        cards, marks = self
        return _made(Stack, ((*cards, card), (*marks, mark)))

    def without_top(self, number: int = 1) -> Stack:
        """The stack when so many cards have left it from the top."""
        cards, marks = self
        return _made(Stack, (cards[number:], marks[number:]))

    def revealed(self) -> Stack:
        """The stack when its top card has been shown and put back."""
        cards, marks = self
        return _made(Stack, (cards, (OPEN, *marks[1:])))

    def top(self, number: int) -> Stack:
        """Its upper cards by themselves."""
        cards, marks = self
        return _made(Stack, (cards[:number], marks[:number]))

    def with_card(self, at: int, card: int) -> Stack:
        """The stack with another card at a place."""
        return Stack(changed_at(self.cards, at, card), self.marks)

    def hidden(self) -> Stack:
        """The stack as the other player knows it (``castle_rampage/secret``)."""
        cards, marks = self
        if marks.count(OPEN) == len(marks):
            return self
        known = zip(cards, marks, strict=True)
        return _made(
            Stack, (tuple([card if mark == OPEN else HIDDEN for card, mark in known]), marks)
        )


class Side(NamedTuple):
    """The things of one player. The hand is sorted, so that equal cards stand together."""

    hand: tuple[int, ...] = ()
    gate: Stack = Stack()
    castle: Stack = Stack()
    permanents: tuple[int, ...] = ()
    dealt: tuple[int, ...] = ()  # in the preparation: still to be placed
    shown: tuple[Shown, ...] = ()  # what has been seen of the hand, the last last
    laid: int = 0  # how many cards have been laid face down in all turns

    def stack(self, name: StackName) -> Stack:
        return self.gate if name == "gate" else self.castle

    def with_stack(self, name: StackName, stack: Stack) -> Side:
        if name == "gate":
            return self.with_stacks(stack, self.castle)
        return self.with_stacks(self.gate, stack)

    def with_stacks(self, gate: Stack, castle: Stack) -> Side:
        hand, _, _, permanents, dealt, shown, laid = self
        return _made(Side, (hand, gate, castle, permanents, dealt, shown, laid))

    def with_cards(self, cards: tuple[int, ...]) -> Side:
        """The side with more cards in hand, drawn in secret."""
        hand, gate, castle, permanents, dealt, shown, laid = self
        hand = tuple(sorted(hand + cards))
        return _made(Side, (hand, gate, castle, permanents, dealt, shown, laid))

    def with_shown(self, card: int) -> Side:
        """The side with one more card in hand, and everybody saw which."""
        side = self.with_cards((card,))
        return side._replace(shown=(*side.shown, (card, side.laid)))

    def with_permanent(self, card: int) -> Side:
        """The side with one more card that stays (``castle_rampage/permanent``)."""
        return self._replace(permanents=tuple(sorted((*self.permanents, card))))

    def opened(self) -> Side:
        """The side when the whole hand has been looked at."""
        seen = tuple([(card, self.laid) for card in self.hand])
        # What was seen before and is not in the hand any more has been laid since.
        return self._replace(shown=_without_shown(self.shown, self.hand) + seen)

    def turned_up(self, top: Stack) -> Side:
        """The side when cards of its stacks have been seen that were laid from a seen hand."""
        shown = self.shown
        for card, mark in zip(*top, strict=True):
            shown = _without_one(shown, card, mark)
        return self if shown is self.shown else self._replace(shown=shown)

    def without(self, cards: tuple[int, ...]) -> Side:
        """The side with some cards of the hand gone, openly."""
        hand, gate, castle, permanents, dealt, shown, laid = self
        if shown:
            shown = _without_shown(shown, cards)
        return _made(
            Side, (without_cards(hand, cards), gate, castle, permanents, dealt, shown, laid)
        )

    def strengthened(self, name: StackName, card: int, paid: tuple[int, ...]) -> Side:
        """The side with a card of the hand under a stack, and others gone to pay for it."""
        hand, gate, castle, permanents, dealt, shown, laid = self
        hand = without_cards(hand, (card, *paid))
        if paid:  # castle_rampage/ogre-cost: that tells which card it is
            mark, shown = OPEN, _without_shown(shown, (card, *paid))
        else:
            mark, laid = laid, laid + 1
        if name == "gate":
            gate = gate.under(card, mark)
        else:
            castle = castle.under(card, mark)
        return _made(Side, (hand, gate, castle, permanents, dealt, shown, laid))

    def placed(self, name: StackName, card: int) -> Side:
        """The side with a dealt card in a stack; the last one left goes to the hand."""
        hand, gate, castle, permanents, dealt, shown, laid = self
        if name == "gate":
            gate = gate.under(card, FIRST)
        else:
            castle = castle.under(card, FIRST)
        dealt = without_cards(dealt, (card,))
        if len(dealt) == 1:
            hand, dealt = tuple(sorted(hand + dealt)), ()
        return _made(Side, (hand, gate, castle, permanents, dealt, shown, laid))

    def surely_holds(self, card: int, laid: int, place_cost: Sequence[int]) -> bool:
        """Whether a card that was shown is still in the hand, as far as everybody knows.

        It may have been laid since, unless that would have cost something.
        """
        last = max((*self.gate.marks, *self.castle.marks), default=LAID)
        return laid > last or bool(place_cost[card])

    def hidden(self, place_cost: Sequence[int]) -> Side:
        """The side as the other player knows it."""
        shown = self.shown
        known = sorted([card for card, laid in shown if self.surely_holds(card, laid, place_cost)])
        return self._replace(
            hand=(HIDDEN,) * (len(self.hand) - len(known)) + tuple(known),
            gate=self.gate.hidden(),
            castle=self.castle.hidden(),
            dealt=(HIDDEN,) * len(self.dealt),
        )


def without_cards(held: tuple[int, ...], cards: tuple[int, ...]) -> tuple[int, ...]:
    """Cards, in order, with some of them gone."""
    left = list(held)
    for card in cards:
        left.remove(card)
    return tuple(left)


def _without_shown(shown: tuple[Shown, ...], cards: tuple[int, ...]) -> tuple[Shown, ...]:
    """What is known of a hand when some of its cards have been seen elsewhere, or anew."""
    for card in cards:
        if not shown:
            break
        shown = _without_one(shown, card, shown[-1][1])
    return shown


def _without_one(shown: tuple[Shown, ...], card: int, mark: int) -> tuple[Shown, ...]:
    """The same for one card, which lay under that mark.

    Of several alike the last goes: then what is left holds, whichever of them it was.
    """
    for at in range(len(shown) - 1, -1, -1):
        if shown[at][0] == card and shown[at][1] <= mark:
            return shown[:at] + shown[at + 1 :]
    return shown


@dataclass(frozen=True, slots=True)
class Pause:
    """A choice that somebody has to make before the card in play goes on."""

    verb: str  # the effect that asks
    chooser: int
    card: int | None  # the card in play; None if it has already left
    strength: int  # of the attack to come, or what is left of it
    effect: int = 0  # how many effects of the card have happened
    fighting: bool = False  # the attack has begun
