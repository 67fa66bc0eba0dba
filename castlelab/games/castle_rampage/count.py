"""How far an attack gets: over all orders of a stack, and against cards that nobody has seen.

Both are counted exactly, in whole numbers and fractions: by dynamic programming, and by a
short formula where there is one. Beside them stands a simulation (`simulate_attack`) that
deals the cards and resolves the attacks.

A Bomber takes the attacker with it, and is counted so. A Saboteur and a Spy do nothing to
the attack that destroys them; what their owner then does to the attacker is left out.
Permanent cards only change the strength: add a rally, take a shield off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import comb, factorial, perm, prod, sqrt
from typing import NamedTuple

from castlelab.chance import Chance
from castlelab.game import changed_at
from castlelab.games.castle_rampage.attack import (
    Defender,
    GivenCards,
    cards_of,
    check_strength,
    resolve,
)
from castlelab.games.castle_rampage.box import house_box
from castlelab.games.castle_rampage.card import STACKS, Card, StackName
from castlelab.rules import CastlelabError, counted, quoted, whole_number

_LONGEST_STACK = 12
_MOST_UNSEEN = 200
_MOST_GAMES = 1_000_000


class _Kind(NamedTuple):
    """All that an attack sees of a card."""

    gate: int
    castle: int
    bomb: bool = False

    def defence(self, stack: StackName) -> int:
        return self.gate if stack == "gate" else self.castle


def _kind(card: Defender) -> _Kind:
    if isinstance(card, int):
        return _Kind(card, card)
    return _Kind(card.gate, card.castle, card.when_destroyed == "bomb")


# -- the orders of a stack -------------------------------------------------------------------


def count_orders(cards: GivenCards) -> int:
    """In how many orders cards can lie in a stack; equal cards are alike.

    >>> count_orders("Ogre, Knight, Knight")
    3
    """
    found = cards_of(cards)
    return factorial(len(found)) // prod(map(factorial, Counter(found).values()))


def orders_that_hold(
    cards: GivenCards, strength: int, stack: StackName = "gate", *, losing: int | None = None
) -> int:
    """In how many orders a stack stops an attack, losing at most so many cards.

    A Gate stops an attack if nothing of it goes on into the Castle. A Castle stops it if a
    card is left. Without ``losing`` any losses will do.

    >>> orders_that_hold([5, 3, 2], 4), orders_that_hold([5, 3, 2], 4, losing=0)
    (6, 2)
    >>> orders_that_hold("Bomber, Knight, Knight", 9, "castle")
    2
    """
    if losing is not None:
        whole_number(losing, "the number of cards to lose is a whole number", 0, _LONGEST_STACK)
    outcomes = _order_outcomes(cards, strength, stack)
    return sum(
        orders
        for (fallen, through), orders in outcomes.items()
        if not through and (losing is None or fallen <= losing)
    )


def fallen_by_order(cards: GivenCards, strength: int, stack: StackName = "gate") -> dict[int, int]:
    """How many cards of a stack fall to an attack, and in how many of its orders.

    >>> fallen_by_order([5, 3, 2], 4)
    {0: 2, 1: 4}
    """
    found: Counter[int] = Counter()
    for (fallen, _), orders in _order_outcomes(cards, strength, stack).items():
        found[fallen] += orders
    return dict(sorted(found.items()))


def gets_through(cards: GivenCards, strength: int, stack: StackName = "gate") -> bool:
    """Whether an attack gets through a stack, by its sum: the order does not matter.

    To get through, an attack pays for every card of the stack. At the Gate something must be
    left over; at the Castle just enough will do. A Bomber, or a defence of 0, upsets this.

    >>> gets_through([5, 3, 2], 10), gets_through([2, 5, 3], 10, "castle")
    (False, True)
    """
    found = _stack_cards(cards, strength, stack)
    _check_plain(found, stack)
    needed = sum(_kind(card).defence(stack) for card in found)
    return strength > needed if stack == "gate" else strength >= needed


def _stack_cards(cards: GivenCards, strength: int, stack: StackName) -> tuple[Defender, ...]:
    """The cards of a stack, when everything is fit to be counted."""
    found = cards_of(cards)
    check_strength(strength)
    if stack not in STACKS:
        raise CastlelabError(f"the stack is 'gate' or 'castle', not {quoted(stack)}")
    if not 1 <= len(found) <= _LONGEST_STACK:
        raise CastlelabError(
            f"a stack to count has 1 to {counted(_LONGEST_STACK, 'card')}, not {len(found)}"
        )
    return found


def _check_plain(cards: tuple[Defender, ...], stack: StackName) -> None:
    if any(_kind(card).bomb or not _kind(card).defence(stack) for card in cards):
        raise CastlelabError("with a Bomber or a defence of 0 the order matters; count the orders")


def groups_within(
    cards: GivenCards, strength: int, number: int | None = None, stack: StackName = "gate"
) -> int:
    """How many groups of cards an attack could pay for: their defence is at most its strength.

    With ``number`` only groups of so many cards count. Equal cards are told apart here. Of the
    cards 1, 2, 3, … as many groups come to exactly n as n has parts that are all different,
    https://oeis.org/A000009.

    >>> groups_within([5, 4, 3, 2, 1], 6, number=2)     # all pairs but 5+4, 5+3, 5+2 and 4+3
    6
    """
    found = _stack_cards(cards, strength, stack)
    if number is not None:
        whole_number(number, "the number of cards is a whole number", 0, _LONGEST_STACK)
    groups: Counter[tuple[int, int]] = Counter({(0, 0): 1})  # (cards, defence) → groups
    for card in found:
        defence = _kind(card).defence(stack)
        larger = {(size + 1, total + defence): ways for (size, total), ways in groups.items()}
        groups.update(larger)
    return sum(
        ways
        for (size, total), ways in groups.items()
        if total <= strength and number in (None, size)
    )


def orders_losing(cards: GivenCards, strength: int, number: int, stack: StackName = "gate") -> int:
    """In how many orders at least so many cards fall, by counting groups instead of orders.

    That many cards fall just when the attack can pay for the topmost ones. So choose a group
    that it can pay for, put it in order, and the others below it. Only for plain cards.

    >>> orders_losing([5, 4, 3, 2, 1], 6, 2)            # 6 pairs · 2! · 3!
    72
    """
    found = _stack_cards(cards, strength, stack)
    whole_number(number, "the number of cards is a whole number", 0, _LONGEST_STACK)
    _check_plain(found, stack)
    if number > len(found):
        return 0
    groups = groups_within(found, strength, number, stack)
    told_apart = groups * factorial(number) * factorial(len(found) - number)
    return told_apart // prod(map(factorial, Counter(found).values()))


_Outcome = tuple[int, bool]  # how many cards fell, and whether the attack got through


def _order_outcomes(cards: GivenCards, strength: int, stack: StackName) -> Counter[_Outcome]:
    """What can become of a stack, each with the number of orders that lead to it.

    What has fallen is a multiset, and the strength that is left follows from it. So the DP
    runs over the cards that are left, not over their orders.
    """
    found = _stack_cards(cards, strength, stack)
    copies = Counter(found)
    kinds = [(_kind(card).defence(stack), _kind(card).bomb) for card in copies]

    @cache
    def go_on(counts: tuple[int, ...], left: int) -> Counter[_Outcome]:
        outcomes: Counter[_Outcome] = Counter()
        for at, (defence, bomb) in enumerate(kinds):
            if not counts[at]:
                continue
            below = changed_at(counts, at, counts[at] - 1)
            last = not any(below)
            if defence > left:  # castle_rampage/held
                outcomes[0, False] += _orders(below)
            elif defence == left or (
                bomb and not last
            ):  # castle_rampage/even, castle_rampage/purple
                outcomes[1, last and stack == "castle"] += _orders(below)
            elif last:  # castle_rampage/broken; a Bomber below an empty Gate still saves the Castle
                outcomes[1, stack == "castle" or not bomb] += 1
            else:
                for (fallen, through), orders in go_on(below, left - defence).items():
                    outcomes[fallen + 1, through] += orders
        return outcomes

    return go_on(tuple(copies.values()), strength)


def _orders(counts: tuple[int, ...]) -> int:
    return factorial(sum(counts)) // prod(map(factorial, counts))


# -- against cards that nobody has seen ------------------------------------------------------


def unseen_cards(seen: GivenCards = (), *, purple: bool = True) -> tuple[Card, ...]:
    """The cards of the house box without those that were seen.

    No card of the preparation is purple: ``purple=False`` leaves those out.

    >>> len(unseen_cards()), len(unseen_cards("Ogre, Ogre", purple=False))
    (118, 107)
    """
    box = house_box()
    left = Counter(dict(zip(box.cards, box.copies, strict=True)))
    for card, number in Counter(cards_of(seen)).items():
        if not isinstance(card, Card) or number > left[card]:
            there = left[card] if isinstance(card, Card) else 0
            raise CastlelabError(f"the box has only {there} of {card}, not {number}")
        left[card] -= number
    return tuple(card for card in left.elements() if purple or not card.purple)


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """How far an attack gets against hidden cards, in exact fractions. Prints as a table.

    >>> print(break_through_odds(3, gate=1, castle=1, unseen=[2, 2, 4]))
    Attack with 3 on Gate 1, Castle 1
    cards that fall    odds
    0                 33.3%
    1                 66.7%
    breaks through the Gate 66.7%, fells the Castle 0.0%
    """

    strength: int
    gate: int
    castle: int
    fallen: tuple[Fraction, ...]  # the odds that exactly 0, 1, 2, … cards fall
    through: Fraction  # … that something is left over when the Gate is used up
    games: int | None = None  # simulated ones; None if the odds are exact

    @property
    def castle_falls(self) -> Fraction:
        """The odds that the Castle's last card falls."""
        return self.fallen[-1]

    @property
    def mean_fallen(self) -> Fraction:
        """How many cards fall on average."""
        return sum((number * odds for number, odds in enumerate(self.fallen)), Fraction())

    @property
    def errors(self) -> tuple[float, ...]:
        """The standard errors of ``fallen``; noughts where the odds are exact."""
        return tuple(_standard_error(odds, self.games) for odds in self.fallen)

    @property
    def through_error(self) -> float:
        """The standard error of ``through``."""
        return _standard_error(self.through, self.games)

    def __str__(self) -> str:
        lines = [
            f"Attack with {self.strength} on Gate {self.gate}, Castle {self.castle}",
            "cards that fall    odds",
        ]
        for number, (odds, error) in enumerate(zip(self.fallen, self.errors, strict=True)):
            if odds:
                shown = f" ± {error:.1%}" if self.games else ""
                lines.append(f"{number:<15} {float(odds):>7.1%}{shown}")
        lines.append(
            f"breaks through the Gate {float(self.through):.1%}, "
            f"fells the Castle {float(self.castle_falls):.1%}"
        )
        if self.games:
            lines.append(f"{self.games} games; ± is one standard error")
        return "\n".join(lines)


def _standard_error(share: Fraction, games: int | None) -> float:
    return sqrt(share * (1 - share) / games) if games else 0.0


def break_through_odds(
    strength: int, gate: int = 2, castle: int = 3, unseen: GivenCards | None = None
) -> AttackOdds:
    """The exact odds of an attack on stacks dealt at random from the unseen cards.

    Every card that is turned up is as likely as every other; one that lies at the Gate does
    not lie at the Castle. ``unseen`` is the whole box unless told otherwise. A Digger goes
    past the Gate: give it ``gate=0``.

    >>> odds = break_through_odds(9)
    >>> odds.through, round(float(odds.castle_falls), 4)
    (Fraction(724, 767), 0.1054)
    """
    deck = _checked(strength, gate, castle, unseen)
    return _odds(strength, gate, castle, _sorted_kinds(deck))


def _checked(
    strength: int, gate: int, castle: int, unseen: GivenCards | None
) -> tuple[Defender, ...]:
    """The unseen cards, when everything is fit to be counted."""
    check_strength(strength)
    whole_number(gate, "the number of Gate cards is a whole number", 0, _LONGEST_STACK)
    whole_number(castle, "the number of Castle cards is a whole number", 1, _LONGEST_STACK)
    deck = unseen_cards() if unseen is None else cards_of(unseen)
    if not gate + castle <= len(deck) <= _MOST_UNSEEN:
        raise CastlelabError(
            f"the unseen cards are {gate + castle} at least and {_MOST_UNSEEN} at most, "
            f"not {len(deck)}"
        )
    return deck


_Deck = tuple[tuple[_Kind, int], ...]  # the kinds of cards and how many there are


def _sorted_kinds(cards: tuple[Defender, ...]) -> _Deck:
    return tuple(sorted(Counter(map(_kind, cards)).items()))


@lru_cache(maxsize=64)
def _sums(deck: _Deck, gate: int, castle: int) -> tuple[dict[int, int], ...]:
    """For 0, 1, 2, … cards in a row without a Bomber: total defence → number of such rows.

    Kind by kind: choose how many lie at the Gate and how many at the Castle. Choices become
    rows when both parts are put in order.
    """
    # (cards at the Gate, cards at the Castle, their total defence) → choices
    chosen: Counter[tuple[int, int, int]] = Counter({(0, 0, 0): 1})
    for kind, copies in deck:
        if kind.bomb:
            continue
        following: Counter[tuple[int, int, int]] = Counter()
        for (gates, castles, total), ways in chosen.items():
            for more in range(min(copies, gate - gates) + 1):
                for behind in range(min(copies - more, castle - castles) + 1):
                    state = (
                        gates + more,
                        castles + behind,
                        total + more * kind.gate + behind * kind.castle,
                    )
                    following[state] += ways * comb(copies, more) * comb(copies - more, behind)
        chosen = following
    rows: tuple[dict[int, int], ...] = tuple({} for _ in range(gate + castle + 1))
    for (gates, castles, total), ways in chosen.items():
        if gates == gate or not castles:  # the Castle comes after the whole Gate
            rows[gates + castles][total] = ways * factorial(gates) * factorial(castles)
    return rows


def _odds(strength: int, gate: int, castle: int, deck: _Deck) -> AttackOdds:
    size = sum(copies for _, copies in deck)
    # The rows that the attack destroys with something left over.
    alive = [
        sum(ways for total, ways in rows.items() if total < strength)
        for rows in _sums(deck, gate, castle)
    ]
    alive[0] = 1  # even an attack of 0 turns up a card
    at_least = [Fraction(1)]
    for place in range(gate + castle):
        stack: StackName = "gate" if place < gate else "castle"
        fallen = (
            alive[place + 1]
            + _even(deck, gate, castle, place, strength, stack)
            + _bombed(deck, gate, castle, place, strength, stack)
        )
        at_least.append(Fraction(fallen, perm(size, place + 1)))
    beyond = [*at_least[1:], Fraction()]
    exactly = [more - most for more, most in zip(at_least, beyond, strict=True)]
    through = Fraction(alive[gate], perm(size, gate))
    return AttackOdds(strength, gate, castle, tuple(exactly), through)


def _even(deck: _Deck, gate: int, castle: int, place: int, strength: int, stack: StackName) -> int:
    """The rows whose last card is even with the attack; no Bomber among them."""
    rows = _sums(deck, gate, castle)[place + 1].get(strength, 0)
    if not place:
        return rows
    # A defence of 0 on top of an exact sum does not count: the card above it was even.
    for at, (kind, copies) in enumerate(deck):
        if not kind.bomb and not kind.defence(stack):
            others = changed_at(deck, at, (kind, copies - 1))
            rows -= copies * _sums(others, gate, castle)[place].get(strength, 0)
    return rows


def _bombed(
    deck: _Deck, gate: int, castle: int, place: int, strength: int, stack: StackName
) -> int:
    """The rows whose last card is a Bomber that the attack destroys."""
    above = _sums(deck, gate, castle)[place]
    return sum(
        copies * ways
        for kind, copies in deck
        if kind.bomb
        for total, ways in above.items()
        if (total < strength or not place) and total + kind.defence(stack) <= strength
    )


# -- the same by dealing ---------------------------------------------------------------------


def simulate_attack(
    strength: int,
    gate: int = 2,
    castle: int = 3,
    unseen: GivenCards | None = None,
    *,
    games: int = 1_000,
    seed: int | str = 0,
) -> AttackOdds:
    """The odds of `break_through_odds` by dealing stacks and attacking them.

    >>> odds = simulate_attack(9, games=400, seed=1)
    >>> abs(odds.through - break_through_odds(9).through) < 4 * odds.through_error
    True
    """
    deck = _checked(strength, gate, castle, unseen)
    whole_number(games, "the number of games is a whole number", 1, _MOST_GAMES)
    fallen: Counter[int] = Counter()
    through = 0
    chance = Chance.seeded(seed)
    for _ in range(games):
        dealt, chance = chance.sample(deck, gate + castle)
        result = resolve(strength, dealt[:gate], dealt[gate:])
        fallen[gate + castle - len(result.gate) - len(result.castle)] += 1
        # Something turned up the first Castle card: the attack got through the Gate.
        through += any(step.stack == "castle" for step in result.steps)
    shares = tuple(Fraction(fallen[number], games) for number in range(gate + castle + 1))
    return AttackOdds(strength, gate, castle, shares, Fraction(through, games), games)


# -- from strength to odds -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OddsCurve:
    """The odds of one attack after the other, by strength. Prints as a table.

    >>> print(odds_curve([2, 3], gate=1, castle=1, unseen=[2, 2, 4]))
    strength  Gate broken  Castle fallen  cards on average
           2         0.0%           0.0%              0.67
           3        66.7%           0.0%              0.67
    """

    odds: tuple[AttackOdds, ...]

    @property
    def strengths(self) -> tuple[int, ...]:
        return tuple(one.strength for one in self.odds)

    @property
    def through(self) -> tuple[float, ...]:
        """The odds to break through the Gate, for a plot."""
        return tuple(float(one.through) for one in self.odds)

    @property
    def castle_falls(self) -> tuple[float, ...]:
        """The odds to fell the Castle, for a plot."""
        return tuple(float(one.castle_falls) for one in self.odds)

    def __str__(self) -> str:
        lines = ["strength  Gate broken  Castle fallen  cards on average"]
        for one in self.odds:
            lines.append(
                f"{one.strength:>8}  {float(one.through):>11.1%}  {float(one.castle_falls):>13.1%}"
                f"  {float(one.mean_fallen):>16.2f}"
            )
        return "\n".join(lines)


def odds_curve(
    strengths: Sequence[int] = range(2, 21),
    gate: int = 2,
    castle: int = 3,
    unseen: GivenCards | None = None,
) -> OddsCurve:
    """The odds of attacks of several strengths on the same hidden stacks.

    >>> curve = odds_curve(range(8, 17, 4))
    >>> [round(chance, 2) for chance in curve.castle_falls]
    [0.04, 0.59, 0.88]
    """
    if not isinstance(strengths, Sequence):
        raise CastlelabError(f"strengths are a list of whole numbers, not {quoted(strengths)}")
    deck = _sorted_kinds(_checked(0, gate, castle, unseen))
    for strength in strengths:
        check_strength(strength)
    return OddsCurve(tuple(_odds(strength, gate, castle, deck) for strength in strengths))


def strength_needed(
    chance: Fraction | float = Fraction(1, 2),
    gate: int = 2,
    castle: int = 3,
    unseen: GivenCards | None = None,
) -> int | None:
    """The least strength that fells a hidden Castle with at least this chance.

    None if no strength does: Bombers may be in the way.

    >>> strength_needed(0.5), strength_needed(0.5, gate=0), strength_needed(1)
    (12, 6, None)
    """
    number = isinstance(chance, int | float | Fraction) and not isinstance(chance, bool)
    if not number or not 0 <= chance <= 1:
        raise CastlelabError(f"a chance is a number from 0 to 1, not {quoted(chance)}")
    deck = _sorted_kinds(_checked(0, gate, castle, unseen))
    most = max(max(kind.gate, kind.castle) for kind, _ in deck)
    for strength in range((gate + castle) * most + 1):
        if _odds(strength, gate, castle, deck).castle_falls >= chance:
            return strength
    return None
