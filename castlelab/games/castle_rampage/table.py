"""What lies on the table before a player: two stacks, a hand, permanent cards.

Cards are known by their place in ``box.cards``. A card that a view hides is ``HIDDEN``.
Stacks and sides are tuples with names: play makes new ones for every move, and nothing
is made more quickly.
"""

from __future__ import annotations

from typing import NamedTuple

from castlelab.games.castle_rampage.card import StackName

HIDDEN = -1

# A tuple with names is made in half the time without asking its class, and play makes
# several for every move: ``_made(Stack, (cards, first, seen))``.
_made = tuple.__new__


class Stack(NamedTuple):
    """A Gate or a Castle, top card first."""

    cards: tuple[int, ...] = ()
    first: int = 0  # how many of the upper cards are from the preparation: none of them purple
    seen: bool = False  # the top card was revealed and put back: everybody knows it

    def under(self, card: int, *, first: bool = False) -> Stack:
        """The stack with one more card at its bottom (``rampage/under``)."""
        cards, of_first, seen = self
        return _made(Stack, ((*cards, card), of_first + first, seen))

    def without_top(self, number: int = 1) -> Stack:
        """The stack when so many cards have left it from the top."""
        if not number:
            return self
        cards, first, _ = self
        return _made(Stack, (cards[number:], first - number if first > number else 0, False))

    def revealed(self) -> Stack:
        """The stack when its top card has been shown and put back."""
        cards, first, _ = self
        return _made(Stack, (cards, first, True))

    def hidden(self) -> Stack:
        """The stack as everybody sees it (``rampage/secret``)."""
        known = self.cards[:1] if self.seen else ()
        unknown = len(self.cards) - len(known)
        return Stack(known + (HIDDEN,) * unknown, self.first, self.seen)


class Side(NamedTuple):
    """The things of one player. The hand is sorted, so that equal cards stand together."""

    hand: tuple[int, ...] = ()
    gate: Stack = Stack()
    castle: Stack = Stack()
    permanents: tuple[int, ...] = ()
    dealt: tuple[int, ...] = ()  # in the preparation: still to be placed

    def stack(self, name: StackName) -> Stack:
        return self.gate if name == "gate" else self.castle

    def with_stack(self, name: StackName, stack: Stack) -> Side:
        hand, gate, castle, permanents, dealt = self
        if name == "gate":
            return _made(Side, (hand, stack, castle, permanents, dealt))
        return _made(Side, (hand, gate, stack, permanents, dealt))

    def with_stacks(self, gate: Stack, castle: Stack) -> Side:
        hand, _, _, permanents, dealt = self
        return _made(Side, (hand, gate, castle, permanents, dealt))

    def with_cards(self, cards: tuple[int, ...]) -> Side:
        """The side with more cards in hand."""
        hand, gate, castle, permanents, dealt = self
        return _made(Side, (tuple(sorted(hand + cards)), gate, castle, permanents, dealt))

    def without(self, cards: tuple[int, ...]) -> Side:
        """The side with some cards of the hand gone."""
        hand, gate, castle, permanents, dealt = self
        return _made(Side, (without(hand, cards), gate, castle, permanents, dealt))

    def strengthened(self, name: StackName, card: int, paid: tuple[int, ...]) -> Side:
        """The side with a card of the hand under a stack, and others gone to pay for it."""
        hand, gate, castle, permanents, dealt = self
        hand = without(hand, (card, *paid))
        if name == "gate":
            return _made(Side, (hand, gate.under(card), castle, permanents, dealt))
        return _made(Side, (hand, gate, castle.under(card), permanents, dealt))

    def placed(self, name: StackName, card: int) -> Side:
        """The side with a dealt card in a stack; the last one left goes to the hand."""
        hand, gate, castle, permanents, dealt = self
        if name == "gate":
            gate = gate.under(card, first=True)
        else:
            castle = castle.under(card, first=True)
        dealt = without(dealt, (card,))
        if len(dealt) == 1:
            hand, dealt = tuple(sorted(hand + dealt)), ()
        return _made(Side, (hand, gate, castle, permanents, dealt))

    def hidden(self, *, own: bool, hand_shown: bool) -> Side:
        """The side as its owner or the other player sees it."""
        return Side(
            self.hand if own or hand_shown else (HIDDEN,) * len(self.hand),
            self.gate.hidden(),
            self.castle.hidden(),
            self.permanents,
            self.dealt if own else (HIDDEN,) * len(self.dealt),
        )


def without(held: tuple[int, ...], cards: tuple[int, ...]) -> tuple[int, ...]:
    """Cards, in order, with some of them gone."""
    left = list(held)
    for card in cards:
        left.remove(card)
    return tuple(left)
