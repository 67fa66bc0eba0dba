"""What the visitor has solved: written by cards, told by ladders, the panel and the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from kept_page import Page
from test_puzzle_card import buttons

import castlelab
from castlelab.games.castell.lessons import lesson
from castlelab.progress import Guesses, Progress, Solve, way_on
from castlelab.puzzles import LEVELS, kinds, lessons, puzzle
from castlelab.widgets import ChoiceCard, GuessCard, ProgressPanel, PuzzleCard, PuzzleLadder
from castlelab.widgets.card import progress_book as books
from castlelab.widgets.card.progress_book import KEY, ProgressBook, book
from castlelab.widgets.card.trying import LONGEST_PAUSE, Trying

TIME = "2026-05-17T09:30:00Z"
CODE = "castell/tallest-1-3"


@pytest.fixture(autouse=True)
def _new_book() -> Iterator[None]:
    """A kernel of its own for each test."""
    for forget in (book.cache_clear, books._aside.cache_clear):
        forget()
    yield
    for forget in (book.cache_clear, books._aside.cache_clear):
        forget()


@pytest.fixture
def store() -> dict[str, str]:
    return {}


@pytest.fixture
def page(store: dict[str, str]) -> Page:
    """The page of the book."""
    return Page(book()._storage, store)


def written(*codes: str) -> str:
    return Progress({code: Solve(code, TIME) for code in codes}).dumps()


# Cards


def test_a_solved_puzzle_is_written_down_with_hints_and_wrong_answers(page: Page) -> None:
    card = PuzzleCard(CODE)
    page.come()
    card.hint()
    card.answer("1 2")
    card.answer("nonsense")
    page.hear()
    (attempt,) = Progress.loads(page.kept).tried.values()
    assert (attempt.code, attempt.hints, attempt.wrong) == (CODE, 1, 2)
    card.answer(card.puzzle.solution)
    page.hear()
    (solve,) = Progress.loads(page.kept).solved.values()
    assert (solve.code, solve.hints, solve.wrong, solve.gave_up) == (CODE, 1, 2, False)
    assert "✓ Solved, with one hint" in card.children[0].value
    card.answer(card.puzzle.solution)
    assert not page.messages  # once is enough


def test_what_was_tried_on_another_day_counts_too(page: Page) -> None:
    page.come()
    first = PuzzleCard(CODE)
    first.hint()
    first.answer("1 2")
    page.hear()
    later = PuzzleCard(CODE)
    later.answer("1 2")
    later.answer(later.puzzle.solution)
    page.hear()
    kept = Progress.loads(page.kept)
    assert (kept.solved[CODE].hints, kept.solved[CODE].wrong) == (1, 2)
    assert not kept.tried


def test_time_is_counted_without_long_pauses(page: Page) -> None:
    page.come()
    clock = iter([0.0, 40.0, 100.0, 100.0 + 3600])
    trying = Trying(CODE, lambda: next(clock))
    trying.begin()
    trying.touch()
    trying.touch()
    trying.note_open(0, 1)
    trying.touch()
    trying.note_end(0, 1, False)
    page.hear()
    assert Progress.loads(page.kept).solved[CODE].seconds == 100 + LONGEST_PAUSE


def test_guesses_are_written_down_in_order(page: Page) -> None:
    page.come()
    card = GuessCard("How many\nrings?", 4, because="So.", hint="Count.")
    card.guess(3)
    page.hear()
    later = GuessCard("How many\nrings?", 4, because="So.", hint="Count.")
    later.guess(5)
    later.guess(4)
    choice = ChoiceCard("Which?", {"this": "Yes", "that": "No"}, "this")
    choice.choose("that")
    page.hear()
    made = Progress.loads(page.kept).guesses
    assert (made["How many rings?"].given, made["How many rings?"].solved) == (
        ("3", "5", "4"),
        True,
    )
    assert (made["Which?"].given, made["Which?"].solved) == (("that",), False)


def test_hints_and_giving_up_are_written_down_and_what_was_told_is_not_solved(page: Page) -> None:
    page.come()
    card = GuessCard("How many rings?", 4, because="So.", hint="Count.")
    card.guess(3)
    card.hint()
    card.give_up()
    card.guess(4)
    page.hear()
    made = Progress.loads(page.kept).guesses["How many rings?"]
    assert (made.given, made.hints, made.gave_up, made.solved) == (("3",), 1, True, False)
    GuessCard("How many rings?", 4, because="So.", hint="Count.").guess(4)
    page.hear()
    assert Progress.loads(page.kept).guesses["How many rings?"] == made


def test_nothing_is_noted_of_a_question_that_was_solved_before(page: Page) -> None:
    page.come()
    card = GuessCard("How many rings?", 4, because="So.", hint="Count.")
    card.guess(4)
    card.guess(5)
    card.hint()
    card.give_up()
    page.hear()
    made = Progress.loads(page.kept).guesses["How many rings?"]
    assert (made.given, made.hints, made.gave_up, made.solved) == (("4",), 0, False, True)


def test_giving_up_is_written_down_and_a_later_solution_beats_it(page: Page) -> None:
    page.come()
    card = PuzzleCard(CODE)
    card.give_up()
    card.give_up()
    card.answer(card.puzzle.solution)
    page.hear()
    assert Progress.loads(page.kept).solved[CODE].gave_up
    assert "Given up" in card.children[0].value
    again = PuzzleCard(CODE)
    again.answer(again.puzzle.solution)
    page.hear()
    assert Progress.loads(page.kept).is_solved(CODE)
    assert "✓ Solved" in card.children[0].value


def test_giving_up_after_solving_takes_nothing_away(page: Page) -> None:
    page.come()
    card = PuzzleCard(CODE)
    card.answer(card.puzzle.solution)
    card.give_up()
    assert book().progress.is_solved(CODE)


def test_a_lesson_counts_too(page: Page) -> None:
    page.come()
    card = PuzzleCard(lesson("first-tower"))
    card.answer(card.puzzle.solution)
    assert book().progress.is_solved("castell/lesson-first-tower")


def test_a_puzzle_of_ones_own_is_not_counted(page: Page) -> None:
    from dataclasses import replace

    page.come()
    card = PuzzleCard(replace(puzzle(CODE), kind="castell/home-made", level=0))
    assert card.answer(card.puzzle.solution)
    assert card.solved
    assert not book().progress.solved


def test_what_was_solved_before_is_told_when_the_page_comes(
    page: Page, store: dict[str, str]
) -> None:
    card = PuzzleCard(CODE)
    assert "Solved" not in card.children[0].value
    store[KEY] = written(CODE)
    page.come()
    assert "✓ Solved" in card.children[0].value
    card.leave()
    book().forget()
    assert "✓ Solved" in card.children[0].value


# The book


def test_two_tabs_write_in_one_book(store: dict[str, str]) -> None:
    one, two = ProgressBook(), ProgressBook()
    here, there = Page(one._storage, store), Page(two._storage, store)
    here.come()
    there.come()
    one.note(Solve(CODE, TIME))
    two.note(Solve("castell/tallest-2-3", TIME))
    here.hear()
    there.hear()
    assert set(Progress.loads(store[KEY]).solved) == {CODE, "castell/tallest-2-3"}
    here.tell(do="kept", kept=store[KEY], trouble="")
    assert one.progress == two.progress


@pytest.mark.parametrize("damaged", ["{", '{"castlelab-progress": 2, "solved": {}}', "<script>"])
def test_what_cannot_be_read_is_put_aside_and_told(
    page: Page, store: dict[str, str], damaged: str
) -> None:
    aside = Page(books._aside(), store)
    store[KEY] = damaged
    page.come()
    aside.come()
    aside.hear()
    assert store[f"{KEY}-unreadable"] == damaged
    assert "cannot be read" in book().trouble
    book().note(Solve(CODE, TIME))
    page.hear()
    assert Progress.loads(page.kept).is_solved(CODE)


def test_a_browser_that_keeps_nothing_still_counts_in_this_tab(page: Page) -> None:
    page.tell(do="ready", query="", kept="", trouble="Access is denied")
    book().note(Solve(CODE, TIME))
    page.tell(do="swapped", number=1, trouble="Access is denied")
    assert book().progress.is_solved(CODE)
    assert book().trouble == "This browser does not keep your progress: Access is denied"
    assert "Access is denied" in ProgressPanel()._summary.value


# Ladders


def test_a_ladder_tells_how_many_were_solved(page: Page, store: dict[str, str]) -> None:
    ladder = PuzzleLadder("castell")
    assert "No puzzle of Castell solved yet." in ladder._tally.value
    store[KEY] = written(
        *(f"castell/tallest-1-{n}" for n in range(5)),
        "castell/festival-2-1",
        "castle_keep/which-fits-1-1",
        "castell/lesson-base",
    )
    page.come()
    tally = ladder._tally.value
    assert "6 puzzles of Castell solved." in tally
    assert "● 5" in tally
    assert "◐ 1" in tally
    assert tally.count("○") == 5 * len(kinds("castell")) - 2 + 1  # and one in the words
    assert "5 solved</span>" in tally


def test_a_ladder_is_where_this_tab_left_it(store: dict[str, str]) -> None:
    ladder = PuzzleLadder("castell")
    tab = Page(ladder._storage, store)
    assert (ladder._storage.where, ladder._storage.key) == ("tab", "castlelab-ladder castell")
    tab.come()
    ladder._kind.value, ladder._level.value, ladder._seed.value = "castell/festival", 3, 8
    tab.hear()
    assert tab.kept == "castell/festival-3-8"
    later = PuzzleLadder("castell", level=2)
    Page(later._storage, store).come()
    assert later.card.puzzle.code == "castell/festival-3-8"


@pytest.mark.parametrize("kept", ["", "<b>", "castle_keep/which-fits-1-1", "castell/tallest-9-1"])
def test_a_ladder_cannot_be_led_astray(store: dict[str, str], kept: str) -> None:
    ladder = PuzzleLadder("castell")
    store[ladder._storage.key] = kept
    Page(ladder._storage, store).come()
    assert ladder.card.puzzle.code == f"{kinds()[0]}-1-1"


# The panel


@pytest.fixture
def panel(page: Page) -> ProgressPanel:
    page.come()
    return ProgressPanel()


def parts(widget: Any) -> Iterator[Any]:
    """A widget and all that stands in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def answer_of(panel: ProgressPanel) -> str:
    return str(panel._answer.value)


def sent(panel: ProgressPanel) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    panel._transfer.send = lambda content, buffers=None: messages.append(content)
    return messages


def bring(panel: ProgressPanel, text: str, size: int | None = None) -> None:
    """What the browser does with a file that was chosen."""
    size = len(text) if size is None else size
    content = {"do": "file", "name": "<b>.json", "size": size, "text": text}
    panel._transfer._handle_custom_msg(content, [])


def test_a_panel_tells_of_questions_and_saves_them_too(panel: ProgressPanel) -> None:
    assert "Export a file" not in buttons(panel)
    book().note_guesses(Guesses("How many?", TIME, ("3", "4"), solved=True))
    assert "</strong> 1 of 1 question solved.</li>" in panel._summary.value
    book().note_guesses(Guesses("Which?", TIME, ("this",), gave_up=True))
    assert "</strong> 1 of 2 questions solved, 1 given up.</li>" in panel._summary.value
    messages = sent(panel)
    buttons(panel)["Export a file"].click()
    assert Progress.loads(messages[0]["text"]).guesses == book().progress.guesses
    buttons(panel)["Forget everything"].click()
    assert "Forget 2 questions?" in answer_of(panel)


def test_a_panel_sums_up_and_shows_a_way_on(panel: ProgressPanel) -> None:
    assert "Nothing solved yet." in panel._summary.value
    for code in ("castell/tallest-2-1", "castell/festival-2-1", "castell/lesson-base"):
        book().note(Solve(code, TIME))
    assert f"1 of {len(lessons('castell'))} lessons and 2 puzzles solved." in panel._summary.value
    assert "Go on with Castell, level 2" in panel._summary.value
    assert 'href="puzzle.ipynb?code=castell/spot-the-breach-2-1"' in panel._summary.value
    assert "Castle Keep" not in panel._summary.value


def test_export_and_import_bring_everything_back(panel: ProgressPanel, page: Page) -> None:
    messages = sent(panel)
    book().note(Solve(CODE, TIME))
    panel._name.value = "Ada"
    buttons(panel)["Export a file"].click()
    (saved,) = messages
    assert saved["name"] == f"castlelab-Ada-{date.today()}.json"
    panel._name.value = ""
    buttons(panel)["Export a file"].click()
    assert messages.pop()["name"] == f"castlelab-progress-{date.today()}.json"
    assert json.loads(saved["text"])["name"] == "Ada"
    buttons(panel)["Forget everything"].click()
    assert book().progress.is_solved(CODE)
    assert "Forget 1 puzzle?" in answer_of(panel)
    buttons(panel)["Yes, forget it"].click()
    page.hear()
    assert page.kept == ""
    assert not book().progress.solved
    bring(panel, saved["text"])
    page.hear()
    assert Progress.loads(page.kept).is_solved(CODE)
    assert "1 puzzle in the file, 1 of them new." in answer_of(panel)
    bring(panel, saved["text"])
    assert "0 of them new" in answer_of(panel)


def test_one_may_think_better_of_forgetting(panel: ProgressPanel) -> None:
    book().note(Solve(CODE, TIME))
    assert "Yes, forget it" not in buttons(panel)
    buttons(panel)["Forget everything"].click()
    buttons(panel)["No, keep it"].click()
    assert "Yes, forget it" not in buttons(panel)
    assert book().progress.is_solved(CODE)


@pytest.mark.parametrize(
    ("text", "size", "says"),
    [
        ("{", None, "This file cannot be imported: the progress is not JSON"),
        ("<script>alert(1)</script>", None, "cannot be imported"),
        (written(CODE).replace("-1-3", "-9-3"), None, "levels go from 1 to 5"),
        ("", 2_000_000, "is too large: at most 1000000 bytes"),
    ],
)
def test_a_damaged_file_is_explained_and_nothing_is_lost(
    panel: ProgressPanel, text: str, size: int | None, says: str
) -> None:
    book().note(Solve(CODE, TIME))
    before = book().progress
    bring(panel, text, size)
    assert says in answer_of(panel)
    assert "<script>" not in answer_of(panel)
    assert "<b>" not in answer_of(panel)
    assert book().progress == before


def test_there_is_nothing_to_save_before_something_is_solved(panel: ProgressPanel) -> None:
    assert set(buttons(panel)) == {"Bring progress from elsewhere"}
    assert panel._name not in parts(panel)
    book().note(Solve(CODE, TIME))
    assert {"Export a file", "Forget everything"} < set(buttons(panel))
    assert panel._name in parts(panel)
    book().forget()
    assert set(buttons(panel)) == {"Bring progress from elsewhere"}


def test_a_file_may_come_in_from_under_its_fold_at_any_time(panel: ProgressPanel) -> None:
    assert panel._transfer not in parts(panel)
    buttons(panel)["Bring progress from elsewhere"].click()
    assert panel._transfer in parts(panel)
    bring(panel, written(CODE))
    assert book().progress.is_solved(CODE)
    assert panel._transfer in parts(panel)
    buttons(panel)["Bring progress from elsewhere"].click()
    assert panel._transfer not in parts(panel)


def test_a_name_that_is_no_name_is_told(panel: ProgressPanel) -> None:
    book().note(Solve(CODE, TIME))
    panel._name.value = "x" * 100
    buttons(panel)["Export a file"].click()
    assert "at most 60 characters" in answer_of(panel)


# A way on


@pytest.mark.parametrize(
    ("solved", "leads_to"),
    [
        ([], "castell/spot-the-breach-1-1"),
        (["castell/spot-the-breach-1-1"], "castell/tallest-1-1"),
        (["castell/tallest-3-1"], "castell/spot-the-breach-3-1"),
        ([f"castell/tallest-1-{n}" for n in range(3)], "castell/spot-the-breach-2-1"),
        ([f"{kind}-5-1" for kind in kinds("castell")], "castell/spot-the-breach-5-2"),
    ],
)
def test_a_way_on_leads_one_level_up_after_three(solved: list[str], leads_to: str) -> None:
    progress = Progress({code: Solve(code, TIME) for code in solved})
    assert str(way_on(progress, "castell")) == leads_to


def test_there_is_a_way_on_for_every_game() -> None:
    for game in castlelab.GAMES:
        assert way_on(Progress(), game).level == LEVELS[0]
    with pytest.raises(castlelab.CastlelabError, match="there is no game 'chess'"):
        way_on(Progress(), "chess")


# Nothing about a person is stored on the server


def test_whatever_knows_of_progress_writes_no_files(
    panel: ProgressPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: Any, **options: Any) -> None:
        raise AssertionError(f"opened a file: {arguments}")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr("os.open", refuse)
    card = PuzzleCard(CODE)
    card.answer(card.puzzle.solution)
    buttons(panel)["Export a file"].click()
    bring(panel, written("castell/tallest-2-3"))
    panel.ask_to_forget()
    panel.forget()
    monkeypatch.undo()
    assert not list(tmp_path.iterdir())


def test_nothing_in_their_source_could_write_a_file() -> None:
    package = Path(castlelab.__file__).parent
    names = ["progress.py", "widgets/browser/storage.py", "widgets/browser/file_transfer.py"]
    cards = ("progress_book", "progress_panel", "puzzle_page")
    names += [f"widgets/card/{name}.py" for name in cards]
    for name in names:
        source = (package / name).read_text(encoding="utf-8")
        found = re.search(r"\bopen\(|write_text|write_bytes|\bPath\b|tempfile|sqlite", source)
        assert not found, f"{name}: {found}"
