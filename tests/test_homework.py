"""Puzzles as questions of a notebook: the answer stands in the cell, and a run scores it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from castlelab.classroom import points_of, question
from castlelab.classroom.homework import SCORED, with_answer
from castlelab.puzzles import ChooseOne, kinds, puzzle
from castlelab.rules import CastlelabError

TOWER = "castell/tallest-3-42"
NUMBER = "castell/count-towers-1-7"


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_takes_its_solution_as_text_and_refuses_what_is_none(kind: str) -> None:
    for level in (1, 3, 5):
        code = f"{kind}-{level}-7"
        solution = str(puzzle(code).solution)
        assert question(code, answer=solution, points=3).score == 3
        assert question(code).score == 0
        odd = question(code, answer="<no answer>", points=3)
        assert odd.score == 0
        assert "This answer cannot be read: " in odd.words


def test_a_lesson_may_be_a_question() -> None:
    assert question("castell/lesson-first-tower", "9*3 8*2 7").score == 1


def test_a_wrong_answer_is_not_told_the_right_one() -> None:
    words = question("castell/lesson-first-tower", "5 4 3").words
    assert "[castell/own-castellers]" in words
    assert "Use 3 of size 9" not in words


@pytest.mark.parametrize("right", [20, "20", " 20 ", Fraction(20), "20.0", 20.0])
def test_a_number_is_read_as_it_is_meant(right: object) -> None:
    assert question(NUMBER, right).score == 1


@pytest.mark.parametrize(
    ("code", "answer", "words"),
    [
        (NUMBER, "30", "You have put the sizes in order, too."),
        (NUMBER, "twenty", "This answer cannot be read: write a fraction such as 5/12"),
        (NUMBER, ["20"], "This answer cannot be read: "),
        (TOWER, "castle", "This answer cannot be read: "),
        (TOWER, "x" * 5_000, "it has more than 4000 characters"),
        ("castell/spot-the-breach-1-7", "level 99", "is not a choice; choose level 1, level 2"),
        (NUMBER, None, "No answer yet."),
    ],
)
def test_what_is_wrong_is_told_and_nothing_fails(code: str, answer: object, words: str) -> None:
    asked = question(code, answer)
    assert asked.score == 0
    assert words in asked.words
    assert asked.bundle["text/plain"] == str(asked)


@pytest.mark.parametrize("points", [0, -1, True, "2", float("nan"), 10**6, None])
def test_points_are_a_number_above_nought(points: Any) -> None:
    with pytest.raises(CastlelabError, match="the points of a question are a number above 0"):
        question(TOWER, points=points)


def test_whoever_writes_a_wrong_code_is_told() -> None:
    with pytest.raises(CastlelabError, match="levels go from 1 to 5"):
        question("castell/tallest-9-42")


# In a notebook


def cell_of(code: str, answer: str = "", points: int = 1) -> str:
    written = f", answer={json.dumps(answer, ensure_ascii=False)}" if answer else ""
    return f'question("{code}"{written}, points={points})'


def submitted(*cells: str) -> Any:
    first = "from castlelab.classroom import question"
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in (first, *cells)]
    )
    NotebookClient(notebook, timeout=240, kernel_name="python3").execute()
    return notebook


@pytest.mark.slow
def test_a_run_of_a_submitted_notebook_checks_and_scores_it(tmp_path: Path) -> None:
    choice = puzzle("castlescape/who-claims-2-3")
    assert isinstance(choice.ask, ChooseOne)
    notebook = submitted(
        cell_of(TOWER, str(puzzle(TOWER).solution), 4),
        cell_of(choice.code, choice.solution, 2),
        cell_of(NUMBER, "30", 2),
        cell_of(NUMBER, "many", 2),
        cell_of("castle_keep/finish-it-1-7"),
        f"asked = {cell_of(NUMBER, '20', 5)}\nasked.score",  # as a test cell of nbgrader has it
    )
    found = points_of(notebook)
    assert [(each.score, each.points) for each in found] == [(4, 4), (2, 2), (0, 2), (0, 2), (0, 1)]
    assert "You have put the sizes in order" in found[2].words
    assert "This answer cannot be read" in found[3].words
    assert "No answer yet" in found[4].words
    assert notebook.cells[-1].outputs[0].data["text/plain"] == "5"
    # The file says the same, to whoever reads it without running anything.
    path = tmp_path / "ada.ipynb"
    nbformat.write(notebook, path)
    assert points_of(path) == found
    assert sum(each.score for each in found) == 6


def test_points_are_those_of_our_outputs_and_of_nothing_else(tmp_path: Path) -> None:
    left = question(NUMBER, "20", points=2).bundle
    outputs: list[Any] = [
        {"data": left},
        {"data": {SCORED: {**left[SCORED], "score": 99}}},
        {"data": {SCORED: [1]}},
        {"data": {SCORED: {"code": 1}}},
        {"data": 7},
        {"text": "2"},
        None,
    ]
    notebook = {"cells": [{"outputs": outputs}, {"outputs": 3}, {}, 7]}
    assert [each.score for each in points_of(notebook)] == [2]
    assert points_of({}) == ()
    for text in ("[1]", "{", "\ud800"):
        path = tmp_path / "odd.ipynb"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        with pytest.raises(CastlelabError, match=r"odd\.ipynb is not a notebook"):
            points_of(path)
    with pytest.raises(CastlelabError, match=r"none\.ipynb cannot be read"):
        points_of(tmp_path / "none.ipynb")


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ('question("C")', 'question("C", answer="ä")'),
        ('question("C",points=2)', 'question("C", answer="ä",points=2)'),
        ('question("C", "b")', 'question("C", "ä")'),
        ("question('C', answer = 'ö' )\n#", "question('C', answer = \"ä\" )\n#"),
        ('"ü"; c.question(code="C")', '"ü"; c.question(code="C", answer="ä")'),
        ('question("B")\nquestion(\n"C"\n)', 'question("B")\nquestion(\n"C", answer="ä"\n)'),
        ('question("B")', ""),
        ("question()", ""),
        ('%time question("C")', ""),
        ("x = '\x00'", ""),
        ("", ""),
    ],
)
def test_an_answer_is_written_into_its_call_and_nothing_else_changes(
    source: str, after: str
) -> None:
    assert with_answer(source, "C", "ä") == after
