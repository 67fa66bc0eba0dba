"""The card of a question: it keeps answers in the cell, with a page played by Python."""

from __future__ import annotations

from typing import Any

import pytest

from castlelab.classroom import question
from castlelab.puzzles import puzzle
from castlelab.widgets import QuestionCard

CODE = "castell/count-towers-1-7"
SOURCE = f'question("{CODE}", points=2)'


class Shell:
    """As much of IPython as knows what was typed."""

    def __init__(self, source: str) -> None:
        self.history_manager = type("History", (), {"input_hist_raw": ["", source]})


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> None:
    path = "castlelab.widgets.card.question_card.get_ipython"
    monkeypatch.setattr(path, lambda: Shell(SOURCE))


def sent(card: QuestionCard) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    card._keeper.send = lambda content, buffers=None: messages.append(content)
    return messages


def done(card: QuestionCard, message: dict[str, Any], could: bool) -> None:
    told = {"do": "kept", "number": message["number"], "done": could}
    card._keeper._handle_custom_msg(told, [])


@pytest.mark.usefixtures("cell")
def test_an_answer_is_written_into_the_cell() -> None:
    card = QuestionCard(question(CODE, points=2))
    messages = sent(card)
    card.card.answer("30")
    (first,) = messages
    assert (first["was"], first["text"]) == (SOURCE, f'question("{CODE}", answer="30", points=2)')
    done(card, first, True)
    assert "0 of 2 points. Your answer stands in the cell above." in card._told.value
    card.card.answer("20")
    second = messages[1]
    assert (second["was"], second["text"]) == (
        first["text"],
        f'question("{CODE}", answer="20", points=2)',
    )
    done(card, second, True)
    assert card.asked.score == 2
    assert "2 of 2 points" in card._told.value
    card.card.answer("30")
    assert len(messages) == 2, "a right answer stays"
    assert card.asked.score == 2


@pytest.mark.usefixtures("cell")
def test_where_the_page_cannot_write_the_pupil_is_told_what_to() -> None:
    card = QuestionCard(question(CODE, points=2))
    messages = sent(card)
    card.card.answer("20")
    done(card, messages[0], False)
    assert "write it into the cell:" in card._told.value
    assert f"question(&quot;{CODE}&quot;, answer=&quot;20&quot;)" in card._told.value


def test_outside_a_notebook_the_line_is_told_at_once() -> None:
    card = QuestionCard(question(CODE))
    messages = sent(card)
    card.card.answer("20")
    assert messages == []
    assert "answer=&quot;20&quot;" in card._told.value


def test_what_cannot_be_read_is_no_answer_to_keep() -> None:
    card = QuestionCard(question(CODE))
    messages = sent(card)
    card.card.answer("many")
    assert messages == []
    assert card.asked.answer == ""


@pytest.mark.parametrize(
    "code",
    [CODE, "castell/tallest-1-7", "castell/spot-the-breach-1-7", "castle_keep/finish-it-1-7"],
)
def test_the_answer_of_the_cell_is_on_the_board(code: str) -> None:
    solution = puzzle(code).solution
    card = QuestionCard(question(code, str(solution)))
    assert "Solved!" in card.card._answer.value
    assert card.card.editor is None or str(card.card.editor.value) == str(solution)
    assert not card.card.solved, "it was solved before"


def test_a_damaged_answer_is_told_on_the_card() -> None:
    card = QuestionCard(question(CODE, "many"))
    assert "The answer in the cell cannot be read" in card.card._answer.value


def test_homework_gives_no_solution_away() -> None:
    def words(widget: Any) -> list[str]:
        own = [str(getattr(widget, "description", ""))]
        return own + [word for child in getattr(widget, "children", ()) for word in words(child)]

    found = words(QuestionCard(question(CODE)))
    assert "Hint" in found
    assert "Give up" not in found
