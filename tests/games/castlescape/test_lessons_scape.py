"""The authored puzzles teach what they say: the tempting answer is refused by just that rule."""

from __future__ import annotations

import pytest
from pictured import assert_sound

from castlelab.draw import svg
from castlelab.games.castlescape.board import RULES, Board
from castlelab.games.castlescape.lessons import LESSONS, lesson
from castlelab.games.castlescape.puzzle_forms import ChoiceLesson, FindLesson, WallLesson
from castlelab.games.castlescape.puzzles import Spots, best_closing, decoys
from castlelab.puzzles import ChooseOne
from castlelab.rules import NotationError

every_lesson = pytest.mark.parametrize("name", LESSONS)


@every_lesson
def test_the_solution_solves_as_an_object_and_as_text(name):
    puzzle = lesson(name)
    assert puzzle.check(puzzle.solution)
    assert puzzle.check(str(puzzle.solution))
    assert puzzle.check(puzzle.solution).message
    assert puzzle.code == ""
    assert puzzle.kind == f"castlescape/lesson-{name}"
    assert puzzle.par >= 1


@every_lesson
def test_a_lesson_has_a_question_two_hints_and_rules(name):
    puzzle = lesson(name)
    assert puzzle.prompt.endswith((".", "?"))
    assert puzzle.hint(1) != puzzle.hint(2)
    assert all(hint.endswith((".", "?")) for hint in puzzle.hints)
    assert puzzle.rules
    assert set(puzzle.rules) <= set(RULES)


@every_lesson
def test_there_is_a_picture_before_and_after_the_answer(name):
    puzzle = lesson(name)
    before, after = puzzle.picture(), puzzle.picture(puzzle.solution)
    assert before != after
    assert before.targets
    assert svg.render(after).startswith("<svg")


@every_lesson
def test_other_answers_do_not_solve_it(name):
    puzzle = lesson(name)
    if isinstance(puzzle.ask, ChooseOne):
        right = [value for value, _ in puzzle.ask.options if puzzle.check(value)]
        assert right == [puzzle.solution]
    else:
        assert not puzzle.check(Spots())
    with pytest.raises(NotationError):
        puzzle.check(7)


@pytest.mark.parametrize("name", [name for name, found in LESSONS.items() if found.site])
def test_the_walls_of_a_site_are_legal(name):
    board = Board.parse(LESSONS[name].site)
    grid = board.grid
    assert grid.flood(board.walls & -board.walls, board.walls) == board.walls
    across = board.walls & grid.right_of(board.walls)
    assert not across & across << grid.columns


@pytest.mark.parametrize(
    ("name", "answer", "rule"),
    [
        ("three-walls", "f3 d3 c3", "castlescape/wall-contiguous"),
        ("three-walls", "f4", "castlescape/wall-adjacent"),
        ("three-walls", "e3", "castlescape/wall-free-square"),
        ("three-walls", "f3 f4 e4", "castlescape/no-two-by-two"),
        ("no-block", "b5 c5 d5", "castlescape/no-two-by-two"),
        ("no-block", "e5 d5", "castlescape/bailey"),
        ("corner", "f4", "castlescape/bailey"),
        ("corner", "f6", "castlescape/wall-adjacent"),
        ("climb", "e4 f3", "castlescape/wall-contiguous"),
        ("first-bailey", "f4 g4", "castlescape/bailey"),
        ("one-or-two", "c3", "castlescape/bailey"),
        ("edge", "b1 c1 b2 c2", "castlescape/bailey"),
        ("outside", "orange", "castlescape/influence"),
        ("inside", "blue", "castlescape/influence"),
        ("tie", "blue", "castlescape/influence"),
        ("inspection", "e3", "castlescape/inspection"),
        ("inspection", "b4 f2", "castlescape/occupation"),
        ("occupation", "a2", "castlescape/occupation"),
    ],
)
def test_the_tempting_answer_is_refused_by_the_rule_it_teaches(name, answer, rule):
    judgement = lesson(name).check(answer)
    assert not judgement
    assert rule in [breach.rule.id for breach in judgement.breaches]


@pytest.mark.parametrize(
    ("name", "answer", "says"),
    [
        ("three-walls", "f3 g3", "Build all 3, not 2"),
        ("three-walls", "f3 g3 h3 h4", "build no more"),
        ("climb", "e4", "1 recruit is still on the ground"),
        ("climb", "d3", "2 recruits are still on the ground"),
        ("lifted", "f4", "you have 1 influence there against 1"),
        ("lifted", "g4", "you have 1 influence there against 1"),
        ("inspection", "b4 e3 f2", "more than needed"),
    ],
)
def test_an_answer_that_falls_short_says_what_is_missing(name, answer, says):
    judgement = lesson(name).check(answer)
    assert not judgement
    assert says in str(judgement)


def test_other_walls_that_do_what_is_asked_are_right_too():
    assert lesson("three-walls").check("d3 c3 b3")
    assert lesson("climb").check("e4 e3 f3")
    assert lesson("no-block").check("e5 d5 c5")


@every_lesson
def test_no_larger_bailey_is_possible_than_a_lesson_says(name):
    found = LESSONS[name]
    if isinstance(found, WallLesson) and found.squares and not found.leads:
        assert best_closing(found.ask.board, found.walls).size == found.squares


def test_the_first_page_has_one_bailey_and_one_decoy():
    board = Board.parse(LESSONS["first-bailey"].site)
    assert len(board.baileys()) == len(decoys(board)) == 1


@every_lesson
def test_what_is_to_be_found_is_all_there_is_to_find(name):
    found = LESSONS[name]
    if isinstance(found, FindLesson):
        (bailey,) = Board.parse(found.site).baileys()
        assert set(lesson(name).solution.squares) == bailey.squares


def test_the_numbers_of_the_choices_are_those_of_the_board():
    outer, inner = Board.parse(LESSONS["bailey-in-bailey"].site).baileys()
    assert str(outer.size) == lesson("bailey-in-bailey").solution
    assert inner.size == 1
    (shared,) = Board.parse(LESSONS["share"].site).baileys()
    assert shared.leaders == (0, 1)
    assert (shared.size, str(shared.size // 2)) == (5, lesson("share").solution)
    led = [bailey.leaders for bailey in Board.parse(LESSONS["between"].site).baileys()]
    assert str(led.count((0,))) == lesson("between").solution


def test_the_influence_of_the_claims_is_what_the_hints_say():
    def influence(name):
        return lesson(name).start.bailey.influence[:2]

    assert influence("influence") == (4, 5)
    assert influence("outside") == (3, 2)
    assert influence("inside") == (1, 2)
    assert influence("tie") == (2, 2)


def test_the_right_choice_is_not_always_at_the_same_place():
    places = {
        [value for value, _ in lesson(name).ask.options].index(lesson(name).solution)
        for name, found in LESSONS.items()
        if isinstance(found, ChoiceLesson)
    }
    assert len(places) > 1


def test_there_is_no_other_lesson():
    for name in ("fly", None, 7, ["corner"]):
        with pytest.raises(NotationError, match="the lessons are first-bailey"):
            lesson(name)


@pytest.mark.parametrize("name", [name for name, found in LESSONS.items() if not found.site])
def test_a_question_without_a_site_shows_what_it_is_about(name):
    found = lesson(name)
    scene = found.draw(None)
    assert_sound(scene)
    assert scene.targets
    assert found.draw(found.solution).title == dict(found.ask.options)[found.solution]
