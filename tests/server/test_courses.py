"""What the welcome page knows of the courses, read off their notebooks."""

import json
from pathlib import Path

import nbformat
import pytest

from castlelab.game import GAMES
from castlelab.puzzles import lessons
from castlelab.server.chapters import chapters_of, tell_chapters
from castlelab.server.courses import course_of, courses

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def test_the_games_come_first_and_the_lab_is_the_last():
    assert [course["name"] for course in courses()] == [*GAMES, "counting"]
    assert courses() is courses(), "notebooks are read once"
    json.dumps(courses())


@pytest.mark.parametrize("course", courses(), ids=lambda course: course["name"])
def test_minutes_are_those_of_the_chapters(course):
    found = chapters_of(nbformat.read(NOTEBOOKS / course["page"], as_version=4).cells)
    assert course["minutes"] == sum(chapter.minutes for chapter in found) > 20
    assert [chapter["id"] for chapter in course["chapters"]] == [chapter.id for chapter in found]


@pytest.mark.parametrize("name", GAMES)
def test_every_lesson_of_a_game_has_its_place_on_the_page(name):
    course = course_of(name, "A game")
    assert {place.lesson for place in course.places} == set(course.lessons) == set(lessons(name))
    chapters = [place.chapter for place in course.places]
    assert chapters == sorted(chapters)
    assert course.places[0].chapter == 0
    assert all(place.title and place.address for place in course.places)


def test_a_lesson_is_called_by_the_heading_above_it():
    first, second, third = course_of("castell", "Castell").places[:3]
    assert (first.lesson, first.address) == (
        "castell/lesson-first-tower",
        "three-rules-make-a-tower",
    )
    assert (second.title, second.address) == ("One size a level", "One-size-a-level")
    assert third.lesson == "castell/lesson-smaller-on-top"


def test_the_lab_asks_and_remembers_nothing():
    lab = course_of("counting", "Counting lab")
    assert lab.page == "counting.ipynb"
    assert lab.questions > 10
    assert lab.lessons == lab.places == ()


def test_a_game_without_a_page_of_its_own_has_no_minutes(add_game, monkeypatch):
    monkeypatch.syspath_prepend(NOTEBOOKS.parent / "tests/widgets")
    add_game("cairn", "cairn.play:Cairn")
    cairn = course_of("cairn", "Cairn")
    assert (cairn.page, cairn.minutes, cairn.places) == ("play.ipynb?game=cairn", 0, ())


def test_only_the_welcome_page_is_told():
    for name, told in (("welcome", True), ("castell", False)):
        _, resources = tell_chapters(nbformat.v4.new_notebook(), {"metadata": {"name": name}})
        assert ("courses" in resources["castlelab"]) is told
