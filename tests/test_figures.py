"""Every figure to handle keeps the contract, at every age: touched at random, and to its end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from figure_ways import WAYS

from castlelab.draw import svg
from castlelab.draw.scene import NARROW, Text
from castlelab.figures import AGES, Age, Figure, FigureTask, handled_figure, handled_figures
from castlelab.rules import CastlelabError

TASKS = [(name, age) for name in handled_figures() for age in AGES]
TOUCHES = 40


def task(name: str, age: Age) -> FigureTask:
    return handled_figure(name).tasks[age]


def played(first: Figure, seed: int) -> Iterator[Figure]:
    """Moments on a way at random; what does nothing is refused in words."""
    chance, now = random.Random(seed), first
    for _ in range(TOUCHES):
        yield now
        target = chance.choice(now.picture().targets).id
        try:
            now, words = now.touch(target)
        except CastlelabError as error:
            words = str(error)
        assert words


@pytest.mark.parametrize(("name", "age"), TASKS)
def test_nothing_is_counted_before_the_first_touch(name: str, age: Age) -> None:
    given = task(name, age)
    assert not given.counted(given.first)
    assert given.question.endswith("?")


def test_the_place_of_an_end_does_not_tell_whether_it_is_right() -> None:
    lines = [task(name, age).why for name, age in TASKS]
    places = Counter(line.choices.index(line.right) for line in lines)
    assert set(places) == {0, 1, 2}
    assert max(places.values()) <= 2 * len(lines) / 3


@pytest.mark.parametrize(("name", "age"), TASKS)
def test_a_way_leads_to_its_end(name: str, age: Age) -> None:
    given = task(name, age)
    figure, words = given.first.read(WAYS[name, age])
    assert given.counted(figure), f"{figure.tally}: {words}"


@pytest.mark.parametrize(("name", "age"), TASKS)
def test_whatever_is_touched_it_can_be_seen_and_heard(name: str, age: Age) -> None:
    for seed in range(3):
        for moment in played(task(name, age).first, seed):
            assert str(moment.tally).strip()
            targets = {target.id for target in moment.picture().targets}
            assert set(moment.offers) <= targets
            assert moment.held is None or moment.held in targets


@pytest.mark.parametrize(("name", "age"), TASKS)
def test_it_is_laid_out_for_every_page(name: str, age: Age) -> None:
    for moment in played(task(name, age).first, seed=7):
        wide = moment.picture()
        narrow = wide.fitted(True)
        assert narrow.width <= NARROW
        assert [t.id for t in narrow.targets] == [t.id for t in wide.targets]
        assert len({t.id for t in wide.targets}) == len(wide.targets)
        for scene, least in ((wide, 24), (narrow, 40)):
            for target in scene.targets:
                assert any(letter.isalnum() for letter in target.name), target
                assert min(target.width, target.height) >= least, target
                assert target.x >= 0, target
                assert target.x + target.width <= scene.width, target
                assert target.y + target.height <= scene.height, target
            assert min(s.size for s in scene.shapes if isinstance(s, Text)) >= 12
            assert svg.still(scene)


@pytest.mark.parametrize("name", handled_figures())
def test_it_says_what_one_finds_out_for_whom_and_how_long(name: str) -> None:
    figure = handled_figure(name)
    assert set(figure.tasks) == set(AGES)
    assert name.partition("/")[0] in handled_figure(name).name
    assert figure.idea
    assert figure.ages
    assert 3 <= figure.minutes <= 20
    questions = {given.question for given in figure.tasks.values()}
    assert len(questions) == len(AGES)


def test_a_figure_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(CastlelabError, match=r"no figure 'castell/fence'.*castlescape/fence"):
        handled_figure("castell/fence")


def test_a_target_that_is_not_there_is_told_with_some_that_are() -> None:
    with pytest.raises(CastlelabError, match="no 'z9' here; there is a1, b1"):
        task("castlescape/fence", 11).first.read("z9")
