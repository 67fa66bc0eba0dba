"""A number to guess, a choice to make."""

from fractions import Fraction

import ipywidgets
import pytest

from castlelab.rules import CastlelabError
from castlelab.widgets import ChoiceCard, GuessCard


def card(**options):
    return GuessCard(
        "How many <towers>?", 285, because="Choose & count.", hint="Start small.", **options
    )


def test_too_low_and_too_high_are_told_apart_and_lead_on():
    guess = card()
    assert not guess.guess(100)
    assert "Not 100. That is too low. Start small." in guess._told.value
    assert not guess.guess(1000)
    assert "too high" in guess._told.value
    assert not guess.solved


def test_the_right_number_is_explained_and_markup_is_not():
    guess = card()
    guess._number.value = 285
    assert guess.check()
    assert guess.solved
    assert "Choose &amp; count." in guess._told.value
    assert "&lt;towers&gt;" in guess.children[0].value


def test_a_hint_and_the_answer_can_be_asked_for_and_do_not_count_as_solved():
    guess = card()
    guess.hint()
    assert "Start small." in guess._told.value
    guess.give_up()
    assert "285" in guess._told.value
    assert not guess.solved


def test_a_known_mistake_is_explained_instead():
    guess = card(mistakes={286: "The empty tower does not stand."})
    guess.guess(286)
    assert "Not 286. The empty tower does not stand." in guess._told.value
    assert "too high" not in guess._told.value


def test_the_answer_is_no_mistake():
    with pytest.raises(CastlelabError, match="285 is the answer"):
        card(mistakes={285: "?"})


@pytest.mark.parametrize("way", ["guess", "give up"])
def test_what_belongs_to_the_answer_comes_with_it_and_only_once(way):
    picture = ipywidgets.HTML("a plot")
    guess = card(then=picture)
    guess.guess(3)
    guess.hint()
    assert picture not in guess.children
    for _ in range(2):
        guess.guess(285) if way == "guess" else guess.give_up()
    assert guess.children.count(picture) == 1


def test_a_sentence_may_belong_to_the_answer():
    guess = card(then="More & more.")
    assert len(guess.children) == 3
    guess.guess(285)
    assert "More &amp; more." in guess.children[-1].value


# -- fractions -------------------------------------------------------------------------------


def chance():
    return GuessCard(
        "How likely?",
        Fraction(5, 9),
        because="Five of nine.",
        hint="Count.",
        mistakes={Fraction(4, 9): "That is the other way round."},
    )


@pytest.mark.parametrize("typed", ["5/9", " 5 / 9 ", "10/18"])
def test_a_fraction_is_typed(typed):
    guess = chance()
    guess._number.value = typed
    assert guess.check()
    assert "Yes, 5/9! Five of nine." in guess._told.value


@pytest.mark.parametrize("typed", ["0.556", "55.6 %", "0.555…", "0,5555", "55.5556 %"])
def test_a_decimal_stands_for_the_fraction_that_it_was_rounded_from(typed):
    guess = chance()
    guess._number.value = typed
    assert guess.check()


def test_a_decimal_that_is_near_is_told_so():
    guess = chance()
    guess._number.value = "0.6"
    assert not guess.check()
    assert "Not 0.6. But very near!" in guess._told.value
    guess._number.value = "56 %"
    assert not guess.check()
    assert "very near" in guess._told.value
    guess._number.value = "0.444"
    assert not guess.check()
    assert "the other way round" in guess._told.value
    guess._number.value = "0.3"
    guess.check()
    assert "too low" in guess._told.value


def test_an_equal_fraction_is_the_same_mistake():
    guess = chance()
    guess._number.value = "8/18"
    guess.check()
    assert "the other way round" in guess._told.value


@pytest.mark.parametrize("typed", ["", "x", "1/0", "5 12", "<b>1</b>"])
def test_what_is_no_number_is_answered_in_one_line(typed):
    guess = chance()
    guess._number.value = typed
    guess.children[1].children[1].click()
    assert "write a fraction such as 5/12" in guess._told.value
    assert "<b>" not in guess._told.value


# -- choices ---------------------------------------------------------------------------------


def choice(**options):
    return ChoiceCard(
        "Which <skill>?",
        {"Mix": "It only joins two sizes.", "Balance": "It multiplies shapes."},
        answer="Balance",
        **options,
    )


def test_each_choice_is_explained():
    asked = choice()
    assert not asked.choose("Mix")
    assert "Not “Mix”. It only joins two sizes." in asked._told.value
    assert not asked.solved
    assert asked.choose("Balance")
    assert asked.solved
    assert "Yes: Balance. It multiplies shapes." in asked._told.value
    assert "&lt;skill&gt;" in asked.children[0].value


def test_a_choice_is_a_button_and_the_right_one_reveals():
    picture = ipywidgets.HTML("a plot")
    asked = choice(then=picture)
    mix, balance = asked.children[1].children
    assert (mix.description, balance.description) == ("Mix", "Balance")
    mix.click()
    assert picture not in asked.children
    balance.click()
    assert asked.children[-1] is picture


def test_choices_that_are_not_there_are_refused():
    with pytest.raises(CastlelabError, match="'Width' is not among the choices"):
        ChoiceCard("?", {"Mix": ""}, answer="Width")
    with pytest.raises(CastlelabError, match="the choices are Mix, Balance"):
        choice().choose("Width")
