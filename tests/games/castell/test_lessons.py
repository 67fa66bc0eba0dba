"""The authored puzzles of the walk-through."""

import pytest

from castlelab.games.castell import Tower, check
from castlelab.games.castell.lessons import LESSONS, lesson
from castlelab.games.castell.tower import RULES
from castlelab.rules import NotationError


@pytest.mark.parametrize("name", LESSONS)
def test_the_solution_solves_and_the_start_does_not(name):
    puzzle = lesson(name)
    assert puzzle.check(puzzle.solution)
    if puzzle.ask.start.levels:
        assert not puzzle.check(puzzle.ask.start)
    assert puzzle.code == ""
    assert all(puzzle.hint(number) for number in (1, 2))
    assert all(rule in RULES for rule in puzzle.rules)
    assert puzzle.picture().targets


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("one-size", "castell/level-one-size"),
        ("smaller-on-top", "castell/level-smaller"),
        ("fewer-on-top", "castell/level-shrinks"),
        ("three-at-most", "castell/max-width"),
        ("entry", "castell/festival-entry"),
    ],
)
def test_a_broken_start_breaks_just_the_rule_it_teaches(name, rule):
    judgement = lesson(name).check(lesson(name).ask.start)
    assert {breach.rule.id for breach in judgement.breaches} == {rule}


@pytest.mark.parametrize(
    ("name", "tower", "says"),
    [
        ("first-tower", "9*3 8*2", "Reach 3 levels"),
        ("mix", "10+9*2 8*2 7 6", "Use 9 of them"),
        ("base", "8*6 7*3 6*2 5", "Reach 11"),
        ("exhibition", "10*2 9 8 7", "the tile asks for something else"),
        ("first-tower", "10*3 8*2 7", "does not stand"),
    ],
)
def test_an_answer_that_falls_short_says_by_how_much(name, tower, says):
    judgement = lesson(name).check(tower)
    assert not judgement
    assert says in str(judgement)


def test_another_tower_that_does_what_is_asked_is_right_too():
    assert check(Tower("9*3 7*2 6"))
    assert lesson("first-tower").check("9*3 7*2 6")


def test_there_is_no_other_lesson():
    with pytest.raises(NotationError, match="the lessons are first-tower"):
        lesson("fly")
    with pytest.raises(NotationError, match="a tower such as"):
        lesson("mix").check(7)
