"""Attacks: the rulebook's example, rulings R22–R31 by number, and a naive second opinion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.games.castle_rampage import Card, attack, card
from castlelab.games.castle_rampage.attack import resolve
from castlelab.games.castle_rampage.card import Effect
from castlelab.rules import CastlelabError

values = st.integers(0, 9)
stacks = st.lists(values, max_size=6)
castles = st.lists(values, min_size=1, max_size=6)
strengths = st.integers(0, 30)

BOMBER = Card("Bomber", 2, 2, purple=True, effects=(Effect("bomb"),))
SPY = Card("Spy", 2, 2, purple=True, effects=(Effect("spy"),))


def rules(result):
    return [step.rule for step in result.steps]


def test_the_worked_example_of_the_rulebook():
    """Strength 9, the last Gate card defends 4, then an Ogre with 6 on top of the Castle."""
    gatekeeper = Card("Guard", 4, 1)
    ogre, below = card("Ogre"), card("Knight")
    result = attack(9, gate=[gatekeeper], castle=[ogre, below])
    first, second = result.steps
    assert (first.rule, first.stack, first.defender) == (
        "castle_rampage/broken",
        "gate",
        gatekeeper,
    )
    assert (first.before, first.after) == (9, 5)
    assert (second.rule, second.stack, second.defender) == ("castle_rampage/held", "castle", ogre)
    assert (second.before, second.defence, second.after) == (5, 6, 0)
    assert result.gate == ()
    assert result.castle == (ogre, below)  # back on top
    assert not result.attacker_survives
    assert not result.castle_fell


def test_the_same_example_with_plain_values():
    result = attack(9, gate=[4], castle=[6])
    assert rules(result) == ["castle_rampage/broken", "castle_rampage/held"]
    assert (result.gate, result.castle) == ((), (6,))
    assert not result.attacker_survives


def test_a_result_cannot_be_changed():
    result = attack(9, gate=[4], castle=[6])
    with pytest.raises(AttributeError):
        result.castle = ()
    with pytest.raises(AttributeError):
        result.steps[0].rule = "castle_rampage/even"


def test_each_stack_counts_its_own_value():
    dragon = card("Dragon")  # Gate 2, Castle 3
    assert attack(5, gate=[dragon], castle=[9]).steps[0].defence == 2
    assert attack(5, castle=[dragon]).steps[0].defence == 3


def test_r22_even_at_the_last_gate_card_leaves_the_castle_alone():
    result = attack(4, gate=[4], castle=[0])
    assert rules(result) == ["castle_rampage/even"]
    assert (result.gate, result.castle) == ((), (0,))
    assert not result.attacker_survives


def test_r23_more_than_the_last_gate_card_goes_on_into_the_castle():
    result = attack(5, gate=[4], castle=[0, 3])
    assert [step.stack for step in result.steps] == ["gate", "castle", "castle"]
    assert result.castle == (3,)


def test_r24_a_defence_of_nothing_falls_and_takes_nothing_off():
    result = attack(3, gate=[0, 0], castle=[5])
    assert rules(result) == [
        "castle_rampage/broken",
        "castle_rampage/broken",
        "castle_rampage/held",
    ]
    assert [step.after for step in result.steps[:2]] == [3, 3]


def test_r25_an_attack_of_nothing_is_even_with_nothing_and_held_by_the_rest():
    assert rules(attack(0, gate=[0], castle=[1])) == ["castle_rampage/even"]
    assert rules(attack(0, gate=[1], castle=[1])) == ["castle_rampage/held"]


def test_r28_a_bomber_ends_the_attack_and_the_rest_is_lost():
    result = attack(9, gate=[BOMBER, 1], castle=[1])
    assert rules(result) == ["castle_rampage/broken", "castle_rampage/purple"]
    assert result.gate == (1,)
    assert result.left == 0
    assert not result.attacker_survives


def test_a_bomber_that_holds_or_is_the_last_of_a_castle_does_nothing():
    assert rules(attack(1, gate=[BOMBER], castle=[1])) == ["castle_rampage/held"]
    last = attack(9, castle=[BOMBER])
    assert last.castle_fell
    assert rules(last) == ["castle_rampage/broken"]
    assert last.attacker_survives


def test_a_spy_changes_nothing_of_the_attack_but_can_make_it_wait():
    plain = attack(3, gate=[2, 1], castle=[1])
    assert rules(attack(3, gate=[SPY, 1], castle=[1])) == rules(plain)
    waiting = resolve(9, (SPY, 4), (5,), pause=True)
    assert waiting.paused
    assert (waiting.left, waiting.gate) == (7, (4,))
    assert not attack(9, gate=[SPY, 4], castle=[5]).paused


def test_r26_a_purple_card_acts_when_the_values_are_even():
    assert resolve(2, (SPY,), (5,), pause=True).paused


def test_r31_past_the_gate_the_attack_stays_with_the_castle():
    result = attack(6, gate=[9], castle=[2, 1, 5], target="castle")
    assert [step.stack for step in result.steps] == ["castle"] * 3
    assert (result.gate, result.castle) == ((9,), (5,))


def test_r30_a_castle_falls_behind_a_standing_gate():
    result = attack(3, gate=[9], castle=[2], target="castle")
    assert result.castle_fell
    assert result.gate == (9,)
    assert result.attacker_survives


def test_r43_without_a_gate_the_castle_counts_from_the_first_card():
    assert attack(3, castle=[3, 1]).steps[0].stack == "castle"


def naive(strength, gate, castle):
    """The attack rules again, as plainly as they can be written."""
    gate, castle, told = list(gate), list(castle), []
    while castle:
        here = gate or castle
        defence = here[0]
        if defence > strength:
            return gate, castle, False, [*told, "castle_rampage/held"]
        here.pop(0)
        if defence == strength:
            return gate, castle, False, [*told, "castle_rampage/even"]
        told.append("castle_rampage/broken")
        strength -= defence
    return gate, castle, True, told


@given(strengths, stacks, castles)
def test_a_naive_second_opinion_agrees(strength, gate, castle):
    result = attack(strength, gate, castle)
    left_gate, left_castle, survives, told = naive(strength, gate, castle)
    assert list(result.gate) == left_gate
    assert list(result.castle) == left_castle
    assert result.attacker_survives == survives
    assert rules(result) == told
    assert result.castle_fell == (not left_castle)


@given(strengths, stacks, castles)
def test_strength_is_only_spent_on_what_falls(strength, gate, castle):
    result = attack(strength, gate, castle)
    fallen = gate[: len(gate) - len(result.gate)] + castle[: len(castle) - len(result.castle)]
    spent = sum(step.defence for step in result.steps if step.rule != "castle_rampage/held")
    assert spent == sum(fallen) <= strength
    for before, after in zip(result.steps, result.steps[1:], strict=False):
        assert before.after == after.before
    assert result.gate == () or result.castle == tuple(castle)


@given(strengths, stacks, castles)
def test_a_stronger_attack_never_leaves_more(strength, gate, castle):
    weak, strong = attack(strength, gate, castle), attack(strength + 1, gate, castle)
    assert len(strong.gate) + len(strong.castle) <= len(weak.gate) + len(weak.castle)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: attack(-1, [1], [1]), "0 to 1000, not -1"),
        (lambda: attack(True, [1], [1]), "not True"),
        (lambda: attack("9", [1], [1]), "not '9'"),
        (lambda: attack(9, [1.5], [1]), "defence value at the Gate"),
        (lambda: attack(9, [1], [None]), "defence value at the Castle"),
        (lambda: attack(9, [1], []), "already fallen"),
        (lambda: attack(9, 12, [1]), "the Gate is a list"),
        (lambda: attack(9, [1], [1], target="moat"), "not 'moat'"),
    ],
)
def test_what_is_no_attack_is_told(call, says):
    with pytest.raises(CastlelabError, match=says):
        call()


def test_a_result_tells_its_story():
    assert str(attack(9, castle=[BOMBER, 1])).splitlines() == [
        "Attack with 9.",
        "Castle breaks: 2 against 9. 7 strength is left.",
        "Bomber takes the attacker with it.",
    ]
    assert str(attack(9, castle=[9])).endswith("The Castle has fallen.")
