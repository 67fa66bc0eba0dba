"""A sheet on the screen, with a page played by Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from kept_page import Page

from castlelab.classroom import read_files, sheet_report, worksheet
from castlelab.progress import Solve
from castlelab.widgets import PuzzlePage
from castlelab.widgets.card.assignment_page import AssignmentPage
from castlelab.widgets.card.progress_book import book

SHEET = worksheet("castell/count-towers castle_keep/which-fits", 1, 3, 5, title="Monday <b>")


@pytest.fixture(autouse=True)
def _new_book() -> Iterator[None]:
    book.cache_clear()
    yield
    book.cache_clear()


def arrive(query: str) -> PuzzlePage:
    made = PuzzlePage()
    Page(made._storage, {}).come(query)
    return made


@pytest.fixture
def page() -> AssignmentPage:
    found = arrive("?" + SHEET.link().partition("?")[2]).assignment
    assert found is not None
    return found


def solve(page: AssignmentPage) -> None:
    page.card.answer(page.card.puzzle.solution)


def numbers(page: AssignmentPage) -> list[str]:
    return [button.description for button in page._tasks]


def test_pupils_tick_through_the_sheet_and_hand_in_a_file(page: AssignmentPage) -> None:
    assert page.sheet.codes == SHEET.codes
    assert numbers(page) == ["1", "2", "3"]
    assert "Monday &lt;b&gt;" in page._head.value
    assert f"Sheet {SHEET.id}. 0 of 3 tasks solved." in page._head.value
    page.card.hint()
    assert numbers(page) == ["1 …", "2", "3"]
    solve(page)
    assert numbers(page) == ["1 ✓", "2", "3"]
    page.card.next()
    assert page.number == 2
    page._tasks[2].click()
    assert page.number == 3
    solve(page)
    page.card.next()
    assert page.number == 2, "the one that is left"
    page.card.give_up()
    assert numbers(page) == ["1 ✓", "2 ✗", "3 ✓"]
    page.card.next()
    assert "All tasks are done." in page._answer.value
    book().note(Solve("castell/tallest-1-1", "2026-05-17T09:30:00Z"))  # of no concern here
    messages: list[dict[str, Any]] = []
    page._transfer.send = lambda content, buffers=None: messages.append(content)
    page._name.value = "Ada"
    page.save()
    (saved,) = messages
    assert saved["name"].startswith(f"castlelab-Ada-{SHEET.id}-20")
    assert set(json.loads(saved["text"])["solved"]) == set(SHEET.codes)
    report = sheet_report(SHEET, read_files([(saved["name"], saved["text"].encode())]), 2)
    assert [each.state for each in report.results["Ada"]] == ["solved", "given up", "solved"]
    assert report.results["Ada"][0].hints == 1
    assert report.total("Ada") == 4


def test_a_sheet_opens_where_it_was_left() -> None:
    book().note(Solve(SHEET.codes[0], "2026-05-17T09:30:00Z"))
    page = AssignmentPage(SHEET)
    assert page.number == 2
    assert page.still().words == "Monday <b>"


def test_a_link_to_no_sheet_leads_to_a_puzzle_and_says_so() -> None:
    made = arrive("?sheet=<script>")
    assert made.assignment is None
    assert made.card is not None
    assert "This link leads to no puzzle" in made._answer.value
    assert "<script>" not in made._answer.value
