"""The odds of an attack as a class meets them: simulated, printed, and refused when nonsense."""

from fractions import Fraction

import pytest

from castlelab.games import castle_rampage
from castlelab.games.castle_rampage.box import card
from castlelab.games.castle_rampage.count import (
    AttackOdds,
    break_through_odds,
    cards_of,
    count_orders,
    fallen_by_order,
    gets_through,
    odds_curve,
    orders_that_hold,
    simulate_attack,
    strength_needed,
    unseen_cards,
)
from castlelab.rules import CastlelabError, NotationError

# -- simulation ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strength", "gate", "castle"), [(4, 2, 3), (9, 2, 3), (14, 4, 4), (6, 0, 2), (3, 1, 1)]
)
@pytest.mark.parametrize("purple", [True, False])
def test_simulated_odds_agree_with_exact_ones(strength, gate, castle, purple):
    unseen = unseen_cards(purple=purple)
    exact = break_through_odds(strength, gate, castle, unseen)
    dealt = simulate_attack(strength, gate, castle, unseen, games=4_000, seed=strength)
    assert sum(dealt.fallen) == 1
    pairs = zip(dealt.fallen, exact.fallen, strict=True)
    for share, odds in (*pairs, (dealt.through, exact.through)):
        error = (odds * (1 - odds) / 4_000) ** 0.5
        assert abs(share - odds) <= 4 * error


def test_the_same_seed_gives_the_same_odds():
    one, same, other = (simulate_attack(9, games=300, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_standard_errors_are_those_of_a_share():
    odds = AttackOdds(5, 1, 1, (Fraction(1, 4), Fraction(3, 4), Fraction()), Fraction(1, 2), 100)
    assert odds.errors == (pytest.approx(0.0433, abs=1e-4), pytest.approx(0.0433, abs=1e-4), 0.0)
    assert odds.through_error == 0.05
    assert break_through_odds(9).errors == (0.0,) * 6


# -- what is printed -------------------------------------------------------------------------


def test_odds_print_as_a_table():
    exact = str(break_through_odds(9)).splitlines()
    assert exact[0] == "Attack with 9 on Gate 2, Castle 3"
    assert exact[-1].startswith("breaks through the Gate 94.4%")
    dealt = str(simulate_attack(9, games=50)).splitlines()
    assert dealt[-1] == "50 games; ± is one standard error"
    assert all("±" in line for line in dealt[2:-2])


def test_a_curve_prints_a_line_for_each_strength_and_has_what_a_plot_needs():
    curve = odds_curve(range(2, 8))
    assert curve.strengths == (2, 3, 4, 5, 6, 7)
    assert len(curve.through) == len(curve.castle_falls) == 6
    assert all(isinstance(value, float) for value in curve.through + curve.castle_falls)
    assert [line.split()[0] for line in str(curve).splitlines()[1:]] == list("234567")
    assert odds_curve([]).odds == ()


# -- how strong is strong enough -------------------------------------------------------------


@pytest.mark.parametrize("chance", [Fraction(1, 10), 0.5, Fraction(4, 5)])
def test_the_strength_needed_is_the_least(chance):
    needed = strength_needed(chance)
    assert break_through_odds(needed).castle_falls >= chance
    assert break_through_odds(needed - 1).castle_falls < chance


def test_bombers_may_be_in_the_way_of_any_strength():
    assert strength_needed(1) is None
    # Without purple cards the worst are two Gatekeepers before three Castellans.
    assert strength_needed(1, unseen=unseen_cards(purple=False)) == 2 * 4 + 3 * 4
    assert strength_needed(0) == 0


# -- cards -----------------------------------------------------------------------------------


def test_cards_are_given_by_name_as_cards_or_as_values():
    assert cards_of("ogre,  AXE man") == (card("Ogre"), card("Axe man"))
    assert cards_of([card("Ogre"), 3]) == (card("Ogre"), 3)
    assert cards_of("") == ()
    assert fallen_by_order("Ogre, Knight", 4) == fallen_by_order([5, 3], 4)
    assert fallen_by_order("Ogre, Knight", 4, "castle") == fallen_by_order([6, 2], 4)


def test_seen_cards_are_not_unseen():
    left = unseen_cards("Ogre, Knight, Knight")
    assert len(left) == 115
    assert left.count(card("Ogre")) == 1
    assert left.count(card("Knight")) == 6
    with pytest.raises(CastlelabError, match="only 2 of Ogre, not 3"):
        unseen_cards("Ogre, Ogre, Ogre")
    with pytest.raises(CastlelabError, match="only 0 of 3"):
        unseen_cards([3])


def test_seeing_the_ogres_helps_the_attacker():
    without = break_through_odds(9, unseen=unseen_cards("Ogre, Ogre"))
    assert without.castle_falls > break_through_odds(9).castle_falls


def test_the_package_offers_them():
    assert castle_rampage.break_through_odds(9) == break_through_odds(9)
    assert castle_rampage.orders_that_hold is orders_that_hold


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: orders_that_hold([], 4), "1 to 12 cards, not 0"),
        (lambda: orders_that_hold([1] * 13, 4), "1 to 12 cards, not 13"),
        (lambda: orders_that_hold([1], -1), "from 0 to 1000, not -1"),
        (lambda: orders_that_hold([1], True), "whole number"),
        (lambda: orders_that_hold([1], 4, "moat"), "'gate' or 'castle', not 'moat'"),
        (lambda: orders_that_hold([1], 4, losing="all"), "cards to lose"),
        (lambda: fallen_by_order([1.5], 4), "a defence value"),
        (lambda: fallen_by_order([None], 4), "a defence value"),
        (lambda: count_orders(object()), "a defence value"),
        (lambda: gets_through("Bomber", 4), "the order matters"),
        (lambda: gets_through([0, 2], 4), "the order matters"),
        (lambda: break_through_odds("nine"), "strength of an attack"),
        (lambda: break_through_odds(9, gate=-1), "Gate cards"),
        (lambda: break_through_odds(9, castle=0), "Castle cards is a whole number from 1"),
        (lambda: break_through_odds(9, castle=13), "from 1 to 12"),
        (lambda: break_through_odds(9, unseen=[1, 2]), "5 at least"),
        (lambda: break_through_odds(9, unseen=[1] * 201), "200 at most"),
        (lambda: simulate_attack(9, games=0), "games is a whole number from 1"),
        (lambda: odds_curve(9), "a list of whole numbers"),
        (lambda: odds_curve("abc"), "strength of an attack"),
        (lambda: strength_needed(2), "from 0 to 1, not 2"),
        (lambda: strength_needed("half"), "from 0 to 1"),
        (lambda: strength_needed(True), "from 0 to 1"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(ask, says):
    with pytest.raises(CastlelabError, match=says) as caught:
        ask()
    assert "\n" not in str(caught.value)


def test_an_unknown_card_is_a_notation_error():
    with pytest.raises(NotationError, match="did you mean Knight"):
        orders_that_hold("Knigt", 4)
