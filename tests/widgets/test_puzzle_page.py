"""The page whose address is a puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ipywidgets.widgets.widget import _instances
from kept_page import Page
from test_puzzle_card import buttons

from castlelab.draw.scene import NARROW
from castlelab.game import GAMES
from castlelab.progress import Solve
from castlelab.puzzles import LARGEST_SEED, LEVELS, ChooseOne, kinds, puzzle
from castlelab.widgets import PuzzleCard, PuzzlePage
from castlelab.widgets.card.progress_book import book
from castlelab.widgets.card.puzzle_page import code_in

CODE = "castell/tallest-3-42"


@pytest.fixture(autouse=True)
def _new_book() -> Iterator[None]:
    book.cache_clear()
    yield
    book.cache_clear()


def arrive(query: str) -> tuple[PuzzlePage, Page]:
    """A page that was made before anybody came, and a visitor who comes by an address."""
    made = PuzzlePage()
    assert made.card is None
    visitor = Page(made._storage, {})
    visitor.come(query)
    visitor.hear()
    return made, visitor


def words(page: PuzzlePage) -> str:
    return str(page._head.value + page._answer.value)


@pytest.mark.parametrize(
    "query", [f"?code={CODE}", "?code=castell%2Ftallest-3-42", f"?a=b&code={CODE}&code=x"]
)
def test_a_link_is_a_puzzle(query: str) -> None:
    page, visitor = arrive(query)
    assert page.card is not None
    assert page.card.puzzle.code == CODE
    assert "Castell: Tallest, level 3" in words(page)
    assert visitor.query in ("", f"?code={CODE}")


def test_without_a_code_the_first_puzzle_is_open_and_one_chooses_another() -> None:
    book().note(Solve(f"{kinds()[0]}-1-1", "2026-05-17T09:30:00Z"))
    page, visitor = arrive("")
    assert page.card is not None
    assert page.card.puzzle.code == f"{kinds()[0]}-1-2"  # the first one is solved
    assert [kind for _, kind in page._kind.options] == list(kinds())
    page._kind.value, page._level.value = "castle_keep/finish-it", 2
    book().note(Solve("castle_keep/finish-it-2-1", "2026-05-17T09:30:00Z"))
    buttons(page)["Open"].click()
    visitor.hear()
    assert visitor.query == "?code=castle_keep/finish-it-2-2"  # the first one is solved
    page.go_to("castell/tallest-3-1")
    assert (page._kind.value, page._level.value) == ("castell/tallest", 3)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("?code=", "kind-level-seed, such as castell/tallest-3-42"),
        ("?code=castell", "kind-level-seed, such as castell/tallest-3-42"),
        ("?code=%3Cscript%3Ealert(1)%3C/script%3E", "kind-level-seed"),
        ("?code=" + "x" * 1900, "kind-level-seed"),
        ("?code=%FF%00%0A", "kind-level-seed"),
        ("?code=chess/mate-1-1", "the games that have puzzles are castell"),
        ("?code=castell/tallest-7-1", "levels go from 1 to 5"),
    ],
)
def test_a_wrong_code_says_what_a_right_one_looks_like(query: str, says: str) -> None:
    page, _ = arrive(query)
    assert page.card is not None  # nobody is left with an empty page
    assert "This link leads to no puzzle: " in words(page)
    assert says in words(page)
    assert "<script>" not in words(page)
    assert "Open" in buttons(page)
    buttons(page)["Open"].click()
    assert "leads to no puzzle" not in words(page)


@pytest.mark.parametrize("narrow", [False, True])
def test_the_first_board_is_laid_out_for_the_page_that_came(narrow: bool) -> None:
    page = PuzzlePage()
    Page(page._storage, {}).come(f"?code={CODE}", narrow=narrow)
    assert page.card is not None
    assert page.card.editor is not None
    board = page.card.editor.board
    assert (board.scene.width <= NARROW) is narrow
    assert board.children[0].width == 2 * round(board.scene.width)  # before anything is drawn


@given(st.text(max_size=60))
def test_no_address_crashes_the_reader(text: str) -> None:
    for query in (text, f"?{text}", f"?code={text}", "?" + "a&" * 30):
        found = code_in(query)
        assert found is None or len(found) <= 200


def test_the_address_follows_the_puzzle() -> None:
    page, visitor = arrive("?code=castell/tallest-2-7")
    for name, code in (
        ("Next puzzle", "castell/tallest-2-8"),
        ("Harder", "castell/tallest-3-8"),
        ("Easier", "castell/tallest-2-8"),
        ("Easier", "castell/tallest-1-8"),
    ):
        buttons(page)[name].click()
        visitor.hear()
        assert visitor.query == f"?code={code}"
        assert page.card is not None
        assert page.card.puzzle.code == page._link.code == code
    assert buttons(page)["Easier"].disabled
    assert not buttons(page)["Harder"].disabled
    page.easier()
    assert page._code.level == 1
    page.go_to(f"castell/tallest-5-{LARGEST_SEED}")
    assert buttons(page)["Harder"].disabled
    page.next()
    assert str(page._code) == "castell/tallest-5-0"


def test_what_is_solved_is_told_below() -> None:
    page, _ = arrive("?code=castell/tallest-1-3")
    assert "No puzzle of Castell solved yet" in page._tally.value
    assert page.card is not None
    page.card.answer(page.card.puzzle.solution)
    assert "1 puzzle of Castell solved" in page._tally.value
    assert "✓ Solved" in page.card.children[0].value


# The solution, played step by step


@pytest.mark.parametrize("kind", kinds())
def test_giving_up_plays_the_solution_step_by_step(kind: str) -> None:
    for level in (LEVELS[0], LEVELS[-1]):
        card = PuzzleCard(f"{kind}-{level}-3")
        steps = card.puzzle.steps()
        benches = [card.editor.board.scene] if card.editor is not None else []
        card.give_up()
        if len(steps) == 1:
            assert "Next step" not in buttons(card)
        for number, part in enumerate(steps, start=1):
            if number > 1:
                buttons(card)["Next step"].click()
            if number < len(steps):
                assert f"Step {number} of {len(steps)}: " in card._answer.value
            if card.editor is not None:
                assert card.editor.value == part
                benches.append(card.editor.board.scene)
        assert all(before != after for before, after in pairwise(benches))
        assert "One solution: " in card._answer.value
        if len(steps) > 1:
            buttons(card)["Next step"].click()  # nothing comes after the last
            assert "One solution: " in card._answer.value
            buttons(card)["Back"].click()
            assert f"Step {len(steps) - 1} of " in card._answer.value
            buttons(card)["All"].click()
            assert "One solution: " in card._answer.value


@pytest.mark.parametrize("game", GAMES)
def test_every_lesson_can_be_played_step_by_step(game: str) -> None:
    lessons = import_module(f"castlelab.games.{game}.lessons")
    for name in lessons.LESSONS:
        card = PuzzleCard(lessons.lesson(name))
        card.give_up()
        for _ in card.puzzle.steps():
            card.next_step()
        assert "One solution: " in card._answer.value, name
        assert isinstance(card.puzzle.ask, ChooseOne) or card.editor.value == card.puzzle.solution


def test_a_choice_is_one_step() -> None:
    assert puzzle("castell/spot-the-breach-1-1").steps() == (
        puzzle("castell/spot-the-breach-1-1").solution,
    )


def test_puzzles_that_were_left_are_let_go() -> None:
    """A learner may solve hundreds: neither kernel nor page may hold them all."""
    page, _ = arrive("?code=castle_rampage/lethal-1-1")
    old, held = page.card, len(_instances)
    for _ in range(10):
        page.next()
    assert old is not None
    assert old.comm is None
    assert len(_instances) - held < 10 * 8  # a card alone has 22 widgets
    assert page.card is not None
    assert page.card.answer(page.card.puzzle.solution)
