"""The chapters of a page, read off the headings of its notebook."""

from pathlib import Path

import nbformat
import pytest

from castlelab.draw.theme import style_sheet
from castlelab.game import GAMES
from castlelab.puzzles import lessons
from castlelab.server.chapters import Chapter, PageStep, chapters_of, tell_chapters
from tools.tokens import PATH

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
COURSES = [*GAMES, "counting"]


def words(text):
    return nbformat.v4.new_markdown_cell(text)


def code(text):
    return nbformat.v4.new_code_cell(text)


def test_numbered_headings_begin_chapters_and_the_first_has_what_stands_before_it():
    cells = [words("# Castell"), code("PuzzleCard(lesson('x'))"), words("## 1. *Three* rules")]
    cells += [words("### One size"), code("GuessCard('?')"), words("## 2. `Skills`, bent\n\nSee.")]
    first, second = chapters_of(cells)
    steps = PageStep("three-rules", "Three rules", 0, 1), PageStep("one-size", "One size", 3)
    assert first == Chapter("three-rules", "Three rules", 2, 0, steps)
    only = PageStep("skills-bent", "Skills, bent", 5)
    assert second == Chapter("skills-bent", "Skills, bent", 1, 5, (only,))


def test_what_can_be_done_before_the_first_heading_is_a_step_of_its_own():
    cells = [words("## 1. Stacks\n\nTry it."), code("AttackStage()"), words("### Groups")]
    (stacks,) = chapters_of(cells)
    assert [step.id for step in stacks.steps] == ["stacks", "groups"]
    (stacks,) = chapters_of([words("## 1. Stacks"), code("import castlelab"), words("### Groups")])
    assert [step.id for step in stacks.steps] == ["groups"]


def test_every_heading_in_a_chapter_begins_a_step_with_an_address_of_its_own():
    cells = [words("## 1. Towers\n\nSee.\n\n### The end\nNow."), code("1"), words("### Play it")]
    cells += [words("## 2. The end"), words("### Play it"), words("### Sum")]
    towers, end = chapters_of(cells)
    assert towers.steps == (
        PageStep("towers-the-end", "The end", 0),
        PageStep("play-it", "Play it", 2),
    )
    assert end.steps == (PageStep("the-end-play-it", "Play it", 3), PageStep("sum", "Sum", 5))


def test_words_lead_to_a_lesson_if_it_is_the_first_thing_that_is_shown():
    cells = [words("## 1. Towers\n\n### Build"), code("import castlelab\nfrom math import pi")]
    cells += [code("castell.puzzle('Build.')"), words("### Guess"), code("GuessCard('?')")]
    cells += [words("### Look"), code("Castle.parse('')"), code("PuzzleCard('x')"), words("### No")]
    (towers,) = chapters_of(cells)
    assert [step.lesson for step in towers.steps] == [2, None, None, None]


def test_other_headings_begin_nothing():
    cells = [
        words("# Play"),
        words("## At the table"),
        words("Text.\n## 1. Late"),
        code("## 1. No"),
    ]
    assert chapters_of(cells) == ()


def test_minutes_grow_with_what_there_is_to_do_and_a_ladder_takes_any_time():
    cells = [words("## 1. Long"), *[code("castell.puzzle('Build.')")] * 5, words("word " * 300)]
    assert chapters_of(cells)[0].minutes == 7
    assert chapters_of([words("## 1. Ladder"), code("PuzzleLadder('castell')")])[0].minutes == 0


def test_the_template_is_told_the_title_the_chapters_and_all_lessons():
    notebook = nbformat.v4.new_notebook(cells=[words("# Castell: **towers**"), words("## 1. One")])
    notebook, told = tell_chapters(notebook, {"metadata": {"name": "castell"}})
    assert told["castlelab"]["title"] == "Castell: towers"
    assert told["castlelab"]["chapters"][0]["id"] == "one"
    assert notebook.cells[0].metadata["castlelab_step"] == (0, 0)
    assert "castlelab_lesson" not in notebook.cells[1].metadata
    assert set(lessons("castell")) < set(told["castlelab"]["lessons"])
    assert [game["name"] for game in told["castlelab"]["games"]] == [*GAMES]
    nameless = nbformat.v4.new_notebook(cells=[])
    _, told = tell_chapters(nameless, {"metadata": {"name": "page"}})
    assert told["castlelab"]["title"] == "page"


def test_the_template_is_told_what_is_not_seen_at_first():
    begins = words("# Game"), words("## 1. One"), code("castell.puzzle('Build.')")
    cells = [*begins, words("### Two"), words("")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    tell_chapters(notebook, {"metadata": {"name": "castell"}})
    later = [cell.metadata.get("castlelab_later", False) for cell in notebook.cells]
    assert later == [False, False, False, True, True]


@pytest.mark.parametrize("name", COURSES)
def test_every_course_has_chapters_at_addresses_of_their_own(name):
    found = chapters_of(nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells)
    assert len(found) >= 5
    assert len({chapter.id for chapter in found}) == len(found)
    steps = [step.id for chapter in found for step in chapter.steps if step.id != chapter.id]
    assert len({*steps} - {chapter.id for chapter in found}) == len(steps)


def test_the_colours_that_are_served_are_those_of_the_themes():
    assert PATH.read_text() == style_sheet(), "write them anew: python -m tools.tokens"


def test_the_heading_of_a_step_stands_above_all_its_words():
    notebook = nbformat.v4.new_notebook()
    texts = (
        "# Keep\n\nNine tiles.",
        "## 1. Tiles\n\nLay them.\n\n### The first\nNow.",
        "### Next\nGo.",
    )
    notebook.cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
    notebook.cells[1:1] = [nbformat.v4.new_code_cell("import castlelab")]
    told, _ = tell_chapters(notebook, {"metadata": {"name": "castle_keep"}})
    first, _, second, third = (cell.source.split("\n") for cell in told.cells)
    assert [line for line in first if line] == [
        "# Keep",
        "## 1. Tiles",
        "### The first",
        "Nine tiles.",
    ]
    assert [line for line in second if line] == ["Lay them.", "Now."]
    assert third == ["### Next", "Go."]


def test_a_step_with_a_whole_game_is_known():
    cells = [
        words("## 1. Play\n\n### Talk"),
        words("See."),
        words("### Play"),
        code("GameTable('x')"),
    ]
    (play,) = chapters_of(cells)
    assert [step.table for step in play.steps] == [False, True]
