"""A number to guess."""

from castlelab.widgets import GuessCard


def card():
    return GuessCard("How many <towers>?", 285, because="Choose & count.", hint="Start small.")


def test_too_few_and_too_many_are_told_apart_and_lead_on():
    guess = card()
    assert not guess.guess(100)
    assert "There are more. Start small." in guess._told.value
    assert not guess.guess(1000)
    assert "There are fewer" in guess._told.value
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
