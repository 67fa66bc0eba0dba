"""A figure on its card: guess first, handle and count, complete the line that says why."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kept_page import Page

from castlelab.counting import read_number
from castlelab.progress import as_question
from castlelab.rules import CastlelabError
from castlelab.widgets import FigureCard, LabFront
from castlelab.widgets.card.progress_book import book
from castlelab.widgets.lab.lab_age import lab_age

SEVEN = "d3, d5, c4, c3, e4, c5"  # squares in which a court of seven has few walls


@pytest.fixture(autouse=True)
def _newcomer() -> Iterator[None]:
    """Every test has a visitor of its own."""
    for forget in (book.cache_clear, lab_age.cache_clear):
        forget()
    yield
    for forget in (book.cache_clear, lab_age.cache_clear):
        forget()


@pytest.fixture
def card() -> FigureCard:
    """The fence for who is eleven."""
    lab_age().age = 11
    return FigureCard("castlescape/fence")


def said(card: FigureCard) -> str:
    return str(card.children[3].children[0].value)


def head(card: FigureCard) -> str:
    return str(card.children[0].value)


def counted(card: FigureCard, guess: str = "12") -> FigureCard:
    card.guess(read_number(guess))
    card.editor.board.write(SEVEN)
    return card


def test_nothing_is_touched_before_there_is_a_guess(card: FigureCard) -> None:
    before = card.editor.value
    card.editor.board.pick("d3")
    assert card.editor.value == before
    assert "guess first" in card.editor.board.said
    card.guess(read_number("12"))
    card.editor.board.pick("d3")
    assert card.editor.value != before


def test_who_has_no_idea_may_go_on_without_a_guess(card: FigureCard) -> None:
    card.skip_guess()
    card.editor.board.write(SEVEN)
    assert "It is 16." in said(card)


def test_the_number_follows_every_touch_and_every_step_back(card: FigureCard) -> None:
    card.skip_guess()
    tally = card.children[1].children[0]
    assert "<b>8</b> walls round 1 square" in tally.value
    card.editor.board.pick("d3")
    assert "<b>10</b> walls round 2 squares" in tally.value
    card.editor.board.undo()
    assert "<b>8</b>" in tally.value


@pytest.mark.parametrize(
    ("guess", "told"),
    [
        ("16", "You have guessed right: 16."),
        ("12", "You guessed 12, it is 16. The corners take walls, too"),
        ("999", "You guessed 999, it is 16."),
    ],
)
def test_the_guess_is_judged_once_it_is_counted(card: FigureCard, guess: str, told: str) -> None:
    card.guess(read_number(guess))
    assert "it is 16" not in said(card)
    card.editor.board.write(SEVEN)
    assert card.stage == "why"
    assert told in said(card)


def test_a_wrong_end_of_the_line_says_why_and_the_right_one_proves_it(card: FigureCard) -> None:
    counted(card)
    why = card.task.why
    wrong = next(end for end in why.ends if end != why.right)
    assert not card.complete(wrong)
    assert why.ends[wrong] in said(card)
    assert not card.solved
    assert card.complete(why.right)
    assert card.solved
    assert all(sentence in said(card) for sentence in card.task.proof)
    assert "aria-current=step>Proved" in head(card)


def test_a_guess_that_is_no_number_is_refused_and_nothing_is_lost(card: FigureCard) -> None:
    with pytest.raises(CastlelabError, match="such as 5/12"):
        card.guess_typed("many")
    assert card.stage == "guess"


def test_hints_lead_on_and_giving_up_tells_all_but_counts_as_nothing(card: FigureCard) -> None:
    card.hint()
    assert "A guess may be wrong" in said(card)
    card.skip_guess()
    for expected in (*card.task.hints, card.task.hints[-1]):
        card.hint()
        assert expected in said(card)
    card.give_up()
    assert f"It is {card.task.answer}." in said(card)
    assert not card.solved


def test_another_age_is_another_task_on_every_card(card: FigureCard) -> None:
    front = LabFront("castlescape/fence")
    eleven = head(card)
    counted(card)
    lab_age().age = 17
    assert card.stage == "guess"
    assert head(card) != eleven
    assert card.task.question in head(card).replace("&#x27;", "'")
    assert front.children[1].value == 17
    front.children[1].value = 11
    assert head(card) == eleven


def test_what_was_guessed_and_proved_is_written_down(card: FigureCard) -> None:
    counted(card, guess="20").complete(card.task.why.right)
    made = book().progress.guesses[as_question(card.task.question)]
    assert made.given[-1] == "20"
    assert made.solved
    assert as_question(card.task.question) in card.questions


def test_what_was_proved_before_is_open_to_play_with(card: FigureCard) -> None:
    counted(card).complete(card.task.why.right)
    again = FigureCard("castlescape/fence")
    Page(book()._storage, {book()._storage.key: book().progress.dumps()}).come()
    assert again.stage == "proved"
    assert "Found before: 16." in said(again)
    again.editor.board.pick("d3")
    assert "squares" in again.editor.board.said


def test_its_picture_can_be_printed_as_it_lies(card: FigureCard) -> None:
    counted(card)
    paper = card.paper()
    assert "<svg" in paper
    assert card.task.do in paper
    assert "Walk round" not in paper  # a button is nothing for paper


def test_the_front_leads_to_each_figure_with_ages_and_minutes() -> None:
    shown = LabFront("castlescape/fence").standin()
    assert 'href="#the-fence"' in shown
    assert "11–14 · 8 min" in shown
