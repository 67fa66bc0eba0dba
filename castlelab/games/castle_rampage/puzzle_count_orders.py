"""Castle Rampage's puzzle count-orders: in how many orders of a stack do so many cards fall?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, combinations
from math import comb, factorial, prod

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.rules import counted

_RULES = ("castle_rampage/held", "castle_rampage/even", "castle_rampage/broken")
_WHERE = "Which cards lie on top? Their order among themselves makes no difference to the attack."
_WORDS = {2: "two", 3: "three"}

Cards = tuple[int, ...]


def card_tags(cards: Sequence[int]) -> tuple[Tag, ...]:
    """A tag for each card with its defence."""
    return tuple(Tag(f"{card}", "hue-brown") for card in cards)


def falling(cards: Sequence[int], attack: int) -> int:
    """How many cards of a stack fall, the top first: the attack pays for each.

    >>> falling((4, 1, 5, 2, 3), 6), falling((5, 4, 3, 2, 1), 4)
    (2, 0)
    """
    return sum(cost <= attack for cost in accumulate(cards))


def paid_groups(cards: Sequence[int], attack: int, size: int) -> int:
    """How many groups of so many cards an attack can pay for; equal cards are told apart."""
    return sum(sum(group) <= attack for group in combinations(cards, size))


def _stack_row(cards: Sequence[int], attack: int) -> ExhibitRow:
    return ExhibitRow(f"An attack of {attack}, and the cards of the Gate.", card_tags(cards))


def _top(cards: Sequence[int], attack: int, size: int) -> Cards:
    """An order in which so many cards fall."""
    group = next(g for g in combinations(sorted(cards), size) if sum(g) <= attack)
    rest = list((Counter(cards) - Counter(group)).elements())
    return (*group, *rest)


def _enough_fall(cards: Cards, attack: int, fall: int) -> CountQuestion:
    number = len(cards)
    groups = paid_groups(cards, attack, fall)
    on_top = counted(groups, "group")
    before, below = factorial(fall), factorial(number - fall)
    answer, strict = groups * before * below, paid_groups(cards, attack - 1, fall)
    one = _top(cards, attack, fall) if groups else cards
    swapped = (*reversed(one[:fall]), *one[fall:])
    below_swapped = (*one[:fall], *reversed(one[fall:]))
    both = (
        ExhibitRow("They are two orders: of the cards on top,", card_tags(one), "yes"),
        ExhibitRow("exchanged.", card_tags(swapped), "yes"),
    )
    few = KnownSlip(
        groups,
        f"These are the groups of {_WORDS[fall]} cards. Each can lie on top in several orders.",
        both,
    )
    if number < 5:
        slips = (
            few,
            KnownSlip(
                factorial(number),
                "These are all orders. In some of them the attack ends earlier.",
                (ExhibitRow("Strong cards on top.", card_tags(sorted(cards)[::-1]), "no"),),
            ),
            KnownSlip(
                strict * before * below,
                "If a card's defence is even with the attack, it falls as well.",
                (ExhibitRow("The second one falls, too.", card_tags(one[:fall]), "yes"),),
            ),
        )
    else:
        slips = (
            few,
            KnownSlip(
                groups * before,
                "The cards below can lie in several orders, too.",
                (
                    ExhibitRow("They are two orders: of the cards below,", card_tags(one), "yes"),
                    ExhibitRow("exchanged.", card_tags(below_swapped), "yes"),
                ),
            ),
            KnownSlip(
                groups * below,
                "The cards on top can lie in several orders, too.",
                both,
            ),
        )
    return CountQuestion(
        prompt=f"In how many orders of these cards do at least {_WORDS[fall]} fall?",
        facts=("fall", cards, attack, fall),
        answer=answer,
        because=f"{on_top} on top, each in {before} orders, the others in {below}: "
        f"{groups} · {before} · {below} = {answer}.",
        slips=slips,
        hints=(_WHERE, f"The attack can pay for {on_top} of {_WORDS[fall]} cards."),
        rules=_RULES,
        rows=(_stack_row(cards, attack),),
    )


def _twins(cards: Cards, attack: int, fall: int) -> CountQuestion:
    number = len(cards)
    groups = paid_groups(cards, attack, fall)
    before, below = factorial(fall), factorial(number - fall)
    apart = groups * before * below
    alike = prod(factorial(times) for times in Counter(cards).values())
    twin = next(card for card, times in Counter(cards).items() if times > 1)
    one = _top(cards, attack, fall) if groups else cards
    return CountQuestion(
        prompt="Cards with the same number are alike. In how many different orders do at least "
        f"{_WORDS[fall]} of them fall?",
        facts=("twins", cards, attack, fall),
        answer=Fraction(apart, alike) if apart % alike else apart // alike,
        because=f"{apart} orders if all cards were different, and each is counted {alike} times.",
        slips=(
            KnownSlip(
                apart,
                "You have told equal cards apart.",
                (ExhibitRow("Exchanged they are the same.", card_tags((twin, twin)), "no"),),
            ),
            KnownSlip(
                groups,
                "These are groups of cards. You want orders, and equal cards are alike.",
                (ExhibitRow("One of the orders.", card_tags(one), "yes"),),
            ),
            KnownSlip(
                groups * before,
                "The cards below can lie in several orders, too, and equal cards are alike.",
                (ExhibitRow("One of the orders.", card_tags(one), "yes"),),
            ),
        ),
        hints=(
            "First tell all cards apart. Then forgive the twins.",
            f"Told apart, the cards give {counted(groups, 'group')} on top, and {apart} orders.",
        ),
        rules=_RULES,
        rows=(_stack_row(cards, attack),),
    )


def _average(cards: Cards, attack: int) -> CountQuestion:
    number = len(cards)
    shares = [
        Fraction(paid_groups(cards, attack, size), comb(number, size))
        for size in range(1, number + 1)
    ]
    answer = sum(shares, Fraction(0))
    least, most = sorted(cards, reverse=True), sorted(cards)
    between = Fraction(falling(least, attack) + falling(most, attack), 2)
    told = " + ".join(str(share) for share in shares if share)
    return CountQuestion(
        prompt="How many cards fall on average, if every order is as likely as the others?",
        facts=("average", cards, attack),
        answer=answer,
        because=f"The chances that at least 1, 2, 3 … fall, added up: {told} = {answer}.",
        slips=(
            KnownSlip(
                Fraction(attack * number, sum(cards)),
                "You have divided by the average card. But a rest that pays no card is lost.",
                (ExhibitRow("A rest of the attack is lost.", card_tags(least)),),
            ),
            KnownSlip(
                between,
                "You have taken the middle of the best and the worst order. Most lie between.",
                (
                    ExhibitRow(f"{falling(least, attack)} fall.", card_tags(least)),
                    ExhibitRow(f"{falling(most, attack)} fall.", card_tags(most)),
                ),
            ),
            KnownSlip(
                answer - 1,
                "You have forgotten the first card.",
                (ExhibitRow("It may fall as well.", card_tags(most[:1]), "yes"),),
            ),
        ),
        hints=(
            "With which chance does at least one card fall? At least two? Add these chances up.",
            f"At least two fall with chance {shares[1]}: so many pairs can be paid for.",
        ),
        rules=_RULES,
        rows=(_stack_row(cards, attack),),
        fraction=True,
    )


def _some_cards(number: int, largest: int, chance: Chance) -> tuple[Cards, Chance]:
    cards, chance = chance.sample(range(1, largest + 1), number)
    return tuple(sorted(cards, reverse=True)), chance


def _attack_on(cards: Cards, chance: Chance) -> tuple[int, Chance]:
    return chance.choice(range(max(3, min(cards) + 2), sum(cards)))


def _level_1(chance: Chance) -> CountQuestion:
    cards, chance = _some_cards(3, 8, chance)
    attack, chance = _attack_on(cards, chance)
    return _enough_fall(cards, attack, 2)


def _level_2(chance: Chance) -> CountQuestion:
    cards, chance = _some_cards(4, 8, chance)
    attack, chance = _attack_on(cards, chance)
    return _enough_fall(cards, attack, 2)


def _level_3(chance: Chance) -> CountQuestion:
    cards, chance = _some_cards(5, 8, chance)
    attack, chance = _attack_on(cards, chance)
    fall, chance = chance.choice((2, 3))
    return _enough_fall(cards, attack, fall)


def _level_4(chance: Chance) -> CountQuestion:
    kinds, chance = _some_cards(3, 6, chance)
    twice, chance = chance.sample(kinds, 2)
    cards = tuple(sorted((*kinds, *twice), reverse=True))
    attack, chance = _attack_on(cards, chance)
    fall, chance = chance.choice((2, 3))
    return _twins(cards, attack, fall)


def _level_5(chance: Chance) -> CountQuestion:
    cards, chance = _some_cards(5, 8, chance)
    attack, chance = _attack_on(cards, chance)
    return _average(cards, attack)


make_count_orders = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
