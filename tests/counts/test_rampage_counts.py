"""How far attacks get, counted by dynamic programming and by resolving every single one."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import perm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from castlelab.games.castle_rampage.attack import attack
from castlelab.games.castle_rampage.box import card, house_box
from castlelab.games.castle_rampage.count import (
    break_through_odds,
    cards_of,
    count_orders,
    fallen_by_order,
    gets_through,
    groups_within,
    odds_curve,
    orders_losing,
    orders_that_hold,
    unseen_cards,
)
from castlelab.rules import CastlelabError

# Every kind of trouble: large and small, other values at the Castle, a Bomber, a defence of 0.
NAMES = ("Ogre", "Knight", "Archer", "Castellan", "Gatekeeper", "Bomber", "Spy", "Herald")
some_cards = st.lists(st.sampled_from(NAMES).map(card) | st.integers(0, 6), min_size=1, max_size=6)
strengths = st.integers(0, 24)


def one_stack(order, strength, stack):
    """An attack on a stack by itself: the cards that fall, and whether it gets through."""
    if stack == "castle":
        result = attack(strength, gate=[], castle=order)
        return len(order) - len(result.castle), result.castle_fell
    result = attack(strength, gate=order, castle=[1000])
    reached = any(step.stack == "castle" for step in result.steps)
    return len(order) - len(result.gate), reached


# -- orders ----------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(some_cards, strengths, st.sampled_from(("gate", "castle")))
def test_orders_by_attacking_every_one(cards, strength, stack):
    orders = set(permutations(cards))
    outcomes = [one_stack(order, strength, stack) for order in orders]
    assert count_orders(cards) == len(orders)
    assert fallen_by_order(cards, strength, stack) == Counter(fallen for fallen, _ in outcomes)
    assert orders_that_hold(cards, strength, stack) == sum(not through for _, through in outcomes)
    for losing in range(len(cards) + 1):
        assert orders_that_hold(cards, strength, stack, losing=losing) == sum(
            not through and fallen <= losing for fallen, through in outcomes
        )


@given(st.lists(st.integers(1, 6), min_size=1, max_size=7), strengths)
def test_plain_stacks_hold_in_every_order_or_in_none(cards, strength):
    """The formula: to get through, an attack pays for every card, in whatever order."""
    for stack in ("gate", "castle"):
        holding = orders_that_hold(cards, strength, stack)
        assert holding == (0 if gets_through(cards, strength, stack) else count_orders(cards))


def test_a_bomber_at_the_gate_holds_in_every_order_and_at_the_castle_unless_it_is_last():
    cards = "Bomber, Knight, Archer, Archer"
    assert count_orders(cards) == 12
    assert orders_that_hold(cards, 100, "gate") == 12
    assert orders_that_hold(cards, 100, "castle") == 12 - 3


def test_the_order_decides_how_much_falls():
    """Whoever has an Ogre on top loses nothing; below, it only saves itself."""
    assert fallen_by_order("Ogre, Knight, Pikeman", 4) == {0: 2, 1: 4}
    assert fallen_by_order([5, 2, 2, 2], 6) == {1: 2, 2: 1, 3: 1}


# -- hidden stacks ---------------------------------------------------------------------------


def by_dealing_everything(strength, gate, castle, unseen):
    """The odds by attacking every deal there is."""
    fallen, through = Counter(), 0
    for dealt in permutations(unseen, gate + castle):
        result = attack(strength, gate=dealt[:gate], castle=dealt[gate:])
        fallen[gate + castle - len(result.gate) - len(result.castle)] += 1
        through += any(step.stack == "castle" for step in result.steps)
    deals = perm(len(unseen), gate + castle)
    odds = tuple(Fraction(fallen[number], deals) for number in range(gate + castle + 1))
    return odds, Fraction(through, deals)


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_hidden_stacks_by_dealing_every_deal(data):
    unseen = data.draw(st.lists(st.sampled_from(NAMES).map(card), min_size=2, max_size=6))
    gate = data.draw(st.integers(0, min(3, len(unseen) - 1)))
    castle = data.draw(st.integers(1, min(3, len(unseen) - gate)))
    strength = data.draw(st.integers(0, 18))
    odds = break_through_odds(strength, gate, castle, unseen)
    assert (odds.fallen, odds.through) == by_dealing_everything(strength, gate, castle, unseen)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=3, max_size=6), st.integers(0, 8))
def test_plain_values_and_noughts_by_dealing_every_deal(unseen, strength):
    odds = break_through_odds(strength, 1, 2, unseen)
    assert (odds.fallen, odds.through) == by_dealing_everything(strength, 1, 2, unseen)


def by_turning_up(strength, gate, castle, left):
    """The odds that the Castle falls, card by card over what is left in the box."""
    if not castle:
        return Fraction(1)
    stack = "gate" if gate else "castle"
    found = Fraction()
    for one, copies in left.items():
        defence = one.defence(stack)
        last = not gate and castle == 1
        if not copies or defence > strength:
            continue
        if last:
            found += copies
        elif defence < strength and one.name != "Bomber":
            below = left - Counter({one: 1})
            found += copies * by_turning_up(
                strength - defence, gate - bool(gate), castle - (not gate), below
            )
    return found / sum(left.values())


@pytest.mark.parametrize("strength", [6, 9, 12])
def test_the_whole_box_in_another_way(strength):
    """A recursion in fractions, one card at a time: slower, but nothing to get wrong."""
    box = Counter(unseen_cards())
    for gate, castle in ((0, 2), (1, 2)):
        odds = break_through_odds(strength, gate, castle)
        assert odds.castle_falls == by_turning_up(strength, gate, castle, box)


def test_one_card_by_hand():
    """Who holds 3, is even with it or blows it up, counted in the box."""
    box = house_box()
    held = sum(n for one, n in zip(box.cards, box.copies, strict=True) if one.gate > 3)
    even = sum(n for one, n in zip(box.cards, box.copies, strict=True) if one.gate == 3)
    bombs = box.copies[box.places["Bomber"]]
    odds = break_through_odds(3, gate=1, castle=1)
    assert (held, even, bombs) == (21, 58, 3)
    assert odds.fallen[0] == Fraction(held, 118)
    assert odds.through == 1 - Fraction(held + even + bombs, 118)


@settings(max_examples=40, deadline=None)
@given(strengths, st.integers(0, 4), st.integers(1, 4))
def test_odds_are_odds(strength, gate, castle):
    odds, stronger = (break_through_odds(s, gate, castle) for s in (strength, strength + 1))
    assert sum(odds.fallen) == 1
    assert all(0 <= one <= 1 for one in (*odds.fallen, odds.through))
    assert len(odds.fallen) == gate + castle + 1
    assert odds.castle_falls <= odds.through
    assert odds.castle_falls <= stronger.castle_falls
    assert odds.through <= stronger.through
    assert odds.mean_fallen <= stronger.mean_fallen
    # One more card at the Gate never helps the attacker.
    assert break_through_odds(strength, gate + 1, castle).castle_falls <= odds.castle_falls


def test_against_an_endless_attack_only_a_bomber_helps():
    """One Castle card after a Gate of two: it stands just if a Bomber lies at the Gate."""
    odds = break_through_odds(1000, gate=2, castle=1)
    no_bomber = Fraction(115, 118) * Fraction(114, 117)
    assert odds.castle_falls == odds.through == no_bomber
    assert break_through_odds(1000, 2, 1, unseen_cards(purple=False)).castle_falls == 1


def test_a_card_at_the_gate_is_not_at_the_castle():
    """Of two cards one lies at each stack: 4 + 4 or 2 + 2, and never a 4 with a 2."""
    pair = "Gatekeeper, Castellan"  # Gate 4 and Castle 2; Gate 2 and Castle 4
    falls = [break_through_odds(strength, 1, 1, pair).castle_falls for strength in range(3, 9)]
    assert falls == [0, *[Fraction(1, 2)] * 4, 1]
    assert break_through_odds(10, 1, 1, "Ogre, Ogre").castle_falls == 0
    assert break_through_odds(11, 1, 1, "Ogre, Ogre").castle_falls == 1


def test_a_curve_is_its_points():
    curve = odds_curve((0, 5, 9), gate=1, castle=2)
    assert curve.odds == tuple(break_through_odds(s, 1, 2) for s in (0, 5, 9))
    assert cards_of("Herald")[0].gate == 0
    assert curve.odds[0].fallen[1] == Fraction(2, 118)  # an attack of 0 is even with a Herald


# -- groups instead of orders --------------------------------------------------------------------

#: Partitions into different parts, https://oeis.org/A000009, from n = 1 on.
DIFFERENT_PARTS = (1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 12, 15)

plain_cards = st.lists(st.integers(1, 6), min_size=1, max_size=7)


@given(plain_cards, strengths)
def test_groups_by_choosing_every_one(cards, strength):
    by_size = [
        sum(sum(group) <= strength for group in combinations(cards, number))
        for number in range(len(cards) + 1)
    ]
    assert [groups_within(cards, strength, n) for n in range(len(cards) + 1)] == by_size
    assert groups_within(cards, strength) == sum(by_size)


@given(plain_cards, st.integers(1, 24), st.sampled_from(("gate", "castle")))
def test_orders_by_groups_are_those_of_the_dynamic_programming(cards, strength, stack):
    fallen = fallen_by_order(cards, strength, stack)
    for number in range(len(cards) + 2):
        at_least = sum(orders for lost, orders in fallen.items() if lost >= number)
        assert orders_losing(cards, strength, number, stack) == at_least


def test_groups_that_are_paid_exactly_are_in_the_encyclopedia():
    for total, parts in enumerate(DIFFERENT_PARTS, start=1):
        cards = list(range(1, total + 1))
        assert groups_within(cards, total) - groups_within(cards, total - 1) == parts


def test_groups_know_where_a_card_stands():
    assert groups_within("Gatekeeper, Castellan", 2, 1, "gate") == 1
    assert groups_within("Gatekeeper, Castellan", 2, 1, "castle") == 1
    assert groups_within("Gatekeeper, Castellan", 4, 1, "castle") == 2


def test_orders_losing_is_only_for_plain_cards():
    for cards in ("Bomber, Knight", [3, 0]):
        with pytest.raises(CastlelabError, match="the order matters"):
            orders_losing(cards, 5, 1)
    with pytest.raises(CastlelabError, match="number of cards"):
        orders_losing([3, 2], 5, -1)
