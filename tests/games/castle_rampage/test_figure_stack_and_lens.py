"""The stack and the lens: what falls, counted over all orders, and what a lens knows."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from castlelab.figures import Figure, handled_figure
from castlelab.games.castle_rampage.attack import attack
from castlelab.games.castle_rampage.figure_stack import CARDS, LensStack
from castlelab.games.castle_rampage.figure_stack_and_lens import mean_fallen
from castlelab.rules import CastlelabError

TASKS = handled_figure("castle_rampage/stack-and-lens").tasks
ORDERS = tuple(permutations(CARDS))


def fallen(order: tuple[int, ...], strength: int = 6) -> int:
    """How many cards fall, by the rules of the game."""
    return 5 - len(attack(strength, gate=order, castle=[1]).gate)


def stack(figure: Figure) -> LensStack:
    assert isinstance(figure, LensStack)
    return figure


def test_answers_by_all_orders() -> None:
    falls = [fallen(order) for order in ORDERS]
    assert TASKS[11].answer == len({frozenset(o[:2]) for o in ORDERS if fallen(o) >= 2})
    assert TASKS[14].answer == sum(number >= 2 for number in falls)
    assert TASKS[17].answer == Fraction(sum(falls), len(ORDERS))
    assert "9 · 12 = 108" in TASKS[14].proof[-1]
    assert sum(fallen(order, 8) >= 2 for order in ORDERS) == 108


@pytest.mark.parametrize("strength", range(1, 10))
def test_the_mean_whatever_the_attack(strength: int) -> None:
    assert mean_fallen(strength) == Fraction(sum(fallen(o, strength) for o in ORDERS), 120)


def test_a_card_is_taken_up_and_laid_where_another_one_lies() -> None:
    figure, _ = TASKS[11].first.touch("card 1")
    assert figure.held == "card 1"
    assert figure.offers == ("card 5", "card 4", "card 3", "card 2")
    figure, words = figure.touch("card 5")
    assert stack(figure).order == (1, 5, 4, 3, 2)
    assert figure.held is None
    assert words == "From the top: 1, 5, 4, 3, 2. It fells 1 and 5."
    assert figure.tally.value == "1"


def test_a_card_that_is_put_back_changes_nothing() -> None:
    figure, words = TASKS[11].first.read("card 3, card 3")
    assert figure == TASKS[11].first
    assert "where it lay" in words


def test_without_a_lens_an_order_tells_of_itself_alone() -> None:
    figure, _ = TASKS[14].first.read("card 1, card 5, card 2, card 5")
    assert figure.tally.value == "2"
    assert str(figure.tally) == "2 of 2 orders tried lose two"


def test_a_lens_tells_of_all_orders_that_look_alike() -> None:
    figure, _ = TASKS[14].first.read("card 1, card 5, top 2")
    assert figure.tally.value == "12"
    alike = [order for order in ORDERS if set(order[:2]) == {1, 5}]
    assert len(alike) == 12
    assert {fallen(order) >= 2 for order in alike} == {True}


@pytest.mark.parametrize("lens", [1, 2, 3])
def test_what_a_lens_adds_up_is_what_all_orders_say(lens: int) -> None:
    groups = [
        t.id for t in LensStack(asks="orders", lens=lens).picture().targets if "group" in t.id
    ]
    for strength in (3, 6, 9):
        figure, _ = LensStack(asks="orders", lens=lens, attack=strength).read(", ".join(groups))
        assert stack(figure).is_all_known
        assert int(figure.tally.value) == sum(fallen(o, strength) >= lens for o in ORDERS)


def test_the_rest_is_offered_when_some_groups_are_met() -> None:
    figure, _ = TASKS[14].first.read("top 2, group 5 4, group 5 3, group 5 2")
    assert not figure.offers
    figure, _ = figure.read("group 2 1")
    assert figure.offers == ("the rest",)
    assert not figure.touch("the rest").figure.offers


def test_the_attack_stays_within_what_there_is_to_see() -> None:
    weakest, strongest = LensStack(asks="orders", attack=1), LensStack(asks="orders", attack=9)
    for figure, target in ((weakest, "weaker"), (strongest, "stronger")):
        with pytest.raises(CastlelabError, match="from 1 to 9"):
            figure.touch(target)


def test_another_attack_is_not_what_was_asked() -> None:
    figure, _ = TASKS[14].first.read("top 2, group 5 4, group 5 3, group 5 2, group 2 1, the rest")
    assert TASKS[14].counted(figure)
    stronger, _ = figure.touch("stronger")
    assert not TASKS[14].counted(stronger)
    assert stronger.tally.value == "96"


def test_below_the_lens_nobody_looks() -> None:
    names = {t.id: t.name for t in LensStack(asks="orders", lens=2).picture().targets}
    assert names["card 5"] == "Defence 5, on top, falls"
    assert names["card 4"] == "Defence 4, second, holds"
    assert names["card 3"] == "Defence 3, third"


def test_what_lies_below_the_lens_is_not_told() -> None:
    figure, words = LensStack(asks="pairs", lens=2, order=(3, 1, 2, 4, 5)).read("card 1, card 3")
    assert words == "From the top: 1, 3, 2, 4, 5. It fells 1 and 3."
    assert figure.told.endswith("2 cards fall.")
