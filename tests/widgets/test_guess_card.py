"""A number to guess, a choice to make."""

from contextlib import suppress
from fractions import Fraction

import ipywidgets
import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.rules import CastlelabError, NotationError
from castlelab.widgets import ChoiceCard, GuessCard
from castlelab.widgets.card.guess_card import read_fraction


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


def test_a_decimal_that_is_near_is_told_so():
    guess = chance()
    guess._number.value = "0.556"
    assert not guess.check()
    assert "Not 0.556. But very near!" in guess._told.value
    guess._number.value = "55.6 %"
    assert not guess.check()
    assert "very near" in guess._told.value
    guess._number.value = "0.3"
    guess.check()
    assert "too low" in guess._told.value


def test_an_equal_fraction_is_the_same_mistake():
    guess = chance()
    guess._number.value = "8/18"
    guess.check()
    assert "the other way round" in guess._told.value


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("1 1/2", Fraction(3, 2)),
        ("-1 1/2", Fraction(-3, 2)),
        (" 5 / 12 ", Fraction(5, 12)),
        ("12  1 / 2 %", Fraction(1, 8)),
        ("40 %", Fraction(2, 5)),
        ("0.25", Fraction(1, 4)),
        ("-3", Fraction(-3)),
    ],
)
def test_spaces_part_a_mixed_number(typed, number):
    assert read_fraction(typed) == number


SPACED = ["5 12", "1 0.5", "- 1", "0. 25", "1 2 1/2", "1 -1/2", "1 1/0"]
BAD = ["", "x", "1/0", "0/00", "1/2/3", "1e9", "½", "--1", "5/", "/9", "9" * 40, "<b>1</b>", "٣/٤x"]


@pytest.mark.parametrize("typed", [*BAD, *SPACED])
def test_what_is_no_fraction_is_answered_in_one_line(typed):
    with pytest.raises(NotationError, match="write a fraction such as 5/12") as caught:
        read_fraction(typed)
    assert "\n" not in str(caught.value)
    guess = chance()
    guess._number.value = typed
    guess.children[1].children[1].click()
    assert "write a fraction such as 5/12" in guess._told.value
    assert "<b>" not in guess._told.value


@given(st.text(max_size=12))
def test_any_text_is_a_fraction_or_a_notation_error(text):
    with suppress(NotationError):
        assert isinstance(read_fraction(text), Fraction)


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9))
def test_fractions_are_read_as_they_are_printed(numerator, denominator):
    number = Fraction(numerator, denominator)
    assert read_fraction(str(number)) == number


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
