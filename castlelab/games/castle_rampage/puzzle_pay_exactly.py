"""Castle Rampage's puzzle pay-exactly: how many groups of cards cost just so much?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from math import comb, factorial

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, LevelMaker, count_maker
from castlelab.draw.exhibit import ExhibitRow
from castlelab.games.castle_rampage.puzzle_count_orders import card_tags
from castlelab.rules import counted

_RULES = ("castle_rampage/play",)
_WHERE = "Go by the dearest card of a group. How much is left to pay with cheaper ones?"

Cards = tuple[int, ...]


def payments(cards: Sequence[int], cost: int, ways: Callable[[int], int]) -> int:
    """How many groups cost just so much, if a card taken k times counts for ``ways(k)``.

    >>> payments((1, 2, 3, 4, 5), 7, lambda k: k < 2)
    3
    """
    found = [1] + [0] * cost
    for card in cards:
        found = [
            sum(found[paid - k * card] * ways(k) for k in range(paid // card + 1))
            for paid in range(cost + 1)
        ]
    return found[cost]


@cache
def ordered_payments(cards: Cards, cost: int) -> int:
    """How many rows of different cards cost just so much: order counts.

    >>> ordered_payments((1, 2, 3, 4, 5), 7)
    10
    """
    groups = (g for n in range(1, len(cards) + 1) for g in combinations(cards, n))
    return sum(factorial(len(group)) for group in groups if sum(group) == cost)


def _again(cards: Cards, cost: int) -> ExhibitRow:
    card = min(cards)
    return ExhibitRow("The same card twice.", card_tags((card, card)), "no")


def _example(cards: Cards, cost: int) -> Cards:
    """A group that costs just so much, if there is one."""
    groups = (g for n in range(2, len(cards) + 1) for g in combinations(cards, n))
    return next((group for group in groups if sum(group) == cost), cards[:2])


def _exactly(cards: Cards, cost: int) -> CountQuestion:
    answer = payments(cards, cost, lambda k: k < 2)
    one = _example(cards, cost)
    pairs = sum(sum(group) == cost for group in combinations(cards, 2))
    third = (
        KnownSlip(
            answer - 1,
            "You have forgotten the single card.",
            (ExhibitRow("One card is a group, too.", card_tags((cost,)), "yes"),),
        )
        if cost in cards
        else KnownSlip(
            sum(payments(cards, less, lambda k: k < 2) for less in range(cost + 1)),
            "You have counted cheaper groups, too.",
            (ExhibitRow("This one is cheaper.", card_tags((min(cards),)), "no"),),
        )
    )
    return CountQuestion(
        prompt=f"How many groups of these cards cost exactly {cost} together? There is one card of "
        "each number.",
        facts=("exactly", cards, cost),
        answer=answer,
        because=f"{counted(answer, 'group')} in all, such as {' + '.join(map(str, one))}.",
        slips=(
            KnownSlip(
                payments(cards, cost, lambda k: 1),
                "You have used a card more than once.",
                (_again(cards, cost),),
            ),
            KnownSlip(
                ordered_payments(cards, cost),
                "You have counted orders. A group has none.",
                (
                    ExhibitRow("One group,", card_tags(one), "yes"),
                    ExhibitRow("and the same again.", card_tags(one[::-1]), "no"),
                ),
            ),
            third,
        ),
        hints=(
            _WHERE,
            f"With two cards you can pay in {counted(pairs, 'way')}. Go on with three.",
        ),
        rules=_RULES,
        rows=(ExhibitRow("One card of each.", card_tags(cards)),),
    )


def _at_most(cards: Cards, cost: int) -> CountQuestion:
    exact = payments(cards, cost, lambda k: k < 2)
    answer = sum(payments(cards, less, lambda k: k < 2) for less in range(cost + 1))
    return CountQuestion(
        prompt=f"How many groups of these cards cost at most {cost} together? No card at all is a "
        "group, too.",
        facts=("at most", cards, cost),
        answer=answer,
        because=f"Add up the groups that cost 0, 1, 2 … {cost}: {answer}.",
        slips=(
            KnownSlip(
                exact,
                f"So many cost exactly {cost}. Cheaper ones count, too.",
                (ExhibitRow("This one is cheaper.", card_tags((min(cards),)), "yes"),),
            ),
            KnownSlip(
                answer - 1,
                "You have forgotten the group without a card.",
                (ExhibitRow("It costs nothing.", card_tags(()), "yes"),),
            ),
            KnownSlip(
                2 ** len(cards),
                "These are all groups. Some of them are too dear.",
                (ExhibitRow("All together are too dear.", card_tags(cards), "no"),),
            ),
        ),
        hints=(
            "How many groups cost nothing, one, two … and so on?",
            f"{exact} of them cost exactly {cost}. Go down from there, or up from nought.",
        ),
        rules=_RULES,
        rows=(ExhibitRow("One card of each.", card_tags(cards)),),
    )


def _twice(cards: Cards, cost: int) -> CountQuestion:
    answer = payments(cards, cost, lambda k: k < 3)
    once, least = payments(cards, cost, lambda k: k < 2), min(cards)
    return CountQuestion(
        prompt="Of each number there are two cards, which are alike. How many different groups "
        f"cost exactly {cost} together?",
        facts=("twice", cards, cost),
        answer=answer,
        because=f"Each number is taken never, once or twice: {answer} groups.",
        slips=(
            KnownSlip(
                once,
                "You have taken each number once only.",
                (ExhibitRow("There are two of these.", card_tags((least, least)), "yes"),),
            ),
            KnownSlip(
                payments(cards, cost, lambda k: 1),
                "You have taken a number more than twice.",
                (ExhibitRow("There are only two of these.", card_tags([least] * 3), "no"),),
            ),
            KnownSlip(
                payments(cards, cost, lambda k: comb(2, k)),
                "You have told the two cards of a number apart.",
                (ExhibitRow("The one or the other: it is the same.", card_tags((least,)), "no"),),
            ),
        ),
        hints=(
            _WHERE,
            f"With one card of each number: {counted(once, 'group')}. Which others have a pair?",
        ),
        rules=_RULES,
        rows=(ExhibitRow("Two cards of each.", card_tags([c for c in cards for _ in "ab"])),),
    )


def payment_rows(cards: Sequence[int], cost: int) -> int:
    """How many rows of cards cost just so much, each as often as one likes; order counts."""
    found = [1]
    for paid in range(1, cost + 1):
        found.append(sum(found[paid - card] for card in cards if card <= paid))
    return found[cost]


def _many(cards: Cards, cost: int) -> CountQuestion:
    answer = payments(cards, cost, lambda k: 1)
    least, next_one, dearest = *sorted(cards)[:2], max(cards)
    return CountQuestion(
        prompt=f"There are many cards of each of these numbers. How many different groups cost "
        f"exactly {cost} together?",
        facts=("many", cards, cost),
        answer=answer,
        because=f"How often the dearest comes, then the next: {answer} groups in all.",
        slips=(
            KnownSlip(
                payments(cards, cost, lambda k: k < 2),
                "You have taken each number once only.",
                (ExhibitRow("There are many of these.", card_tags([least] * 3), "yes"),),
            ),
            KnownSlip(
                payments(cards, cost, lambda k: k < 3),
                "You have taken each number twice at most.",
                (ExhibitRow("There are many of these.", card_tags([least] * 3), "yes"),),
            ),
            KnownSlip(
                payment_rows(cards, cost),
                "You have counted orders. A group has none.",
                (
                    ExhibitRow("One group,", card_tags((next_one, least)), "yes"),
                    ExhibitRow("and the same again.", card_tags((least, next_one)), "no"),
                ),
            ),
        ),
        hints=(
            "How often can the dearest card come? For each of these, how is the rest paid?",
            f"The dearest card, {dearest}, can come {counted(cost // dearest, 'time')} at most.",
        ),
        rules=_RULES,
        rows=(ExhibitRow("Many cards of each.", card_tags(cards)),),
    )


def _hand(number: int, largest: int, chance: Chance) -> tuple[Cards, Chance]:
    cards, chance = chance.sample(range(1, largest + 1), number)
    return tuple(sorted(cards)), chance


def _level(
    number: int, largest: int, costs: range, ask: Callable[[Cards, int], CountQuestion]
) -> LevelMaker:
    """A level: so many cards up to the largest, a cost, and what is asked of them."""

    def make(chance: Chance) -> CountQuestion:
        cards, chance = _hand(number, largest, chance)
        cost, chance = chance.choice(costs)
        return ask(cards, cost)

    return make


def _level_5(chance: Chance) -> CountQuestion:
    number, chance = chance.choice((3, 4, 5))
    cards, chance = chance.sample(range(2, 10), number)
    cost, chance = chance.choice(range(10, 19))
    return _many(tuple(sorted((1, *cards))), cost)


make_pay_exactly = count_maker(
    {
        1: _level(5, 7, range(5, 11), _exactly),
        2: _level(7, 9, range(8, 15), _exactly),
        3: _level(7, 9, range(6, 12), _at_most),
        4: _level(5, 7, range(7, 13), _twice),
        5: _level_5,
    }
)
