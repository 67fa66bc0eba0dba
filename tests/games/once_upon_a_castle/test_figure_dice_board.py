"""The dice board: what it counts, counted again by looking at every throw."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from castlelab.figures import Age, Figure, FigureTask, handled_figure
from castlelab.games.once_upon_a_castle.board import FACES
from castlelab.games.once_upon_a_castle.figure_dice_board import fills_both
from castlelab.rules import CastlelabError


def task(age: Age) -> FigureTask:
    return handled_figure("once_upon_a_castle/dice-board").tasks[age]


def after(age: Age, text: str) -> Figure:
    return task(age).first.read(text).figure


def has_own_dice(throw: tuple[str, ...]) -> bool:
    return any(
        {one, other} <= {"wood", "stone", "any"}
        and one in ("wood", "any")
        and other in ("stone", "any")
        for one, other in permutations(throw, 2)
    )


def test_the_answers_are_what_looking_at_every_throw_finds() -> None:
    pairs, triples = (list(product(FACES, repeat=dice)) for dice in (2, 3))
    assert task(11).answer == sum("wood" in throw or "any" in throw for throw in pairs)
    assert task(14).answer == sum(map(has_own_dice, pairs))
    assert task(17).answer == sum(map(has_own_dice, triples))


@pytest.mark.parametrize("dice", [2, 3, 4])
def test_the_formula_of_the_proof_holds_for_more_dice(dice: int) -> None:
    found = sum(map(fills_both, product(FACES, repeat=dice)))
    assert found == 6**dice - 2 * 4**dice + 3**dice - dice * 3 ** (dice - 1)
    assert str(found) in task(17).proof[0]


def test_the_slips_are_what_one_would_find_by_mistake() -> None:
    pairs, triples = (list(product(FACES, repeat=dice)) for dice in (2, 3))
    either = [{"wood", "any"}, {"stone", "any"}]
    for age, throws, stretched in ((14, pairs, 13), (17, triples, 115)):
        assert stretched == sum(all(set(t) & one for one in either) for t in throws)
        one = sum("wood" in t or "any" in t for t in throws)
        assert round(one**2 / len(throws)) in task(age).slips
        assert sum({"wood", "stone"} <= {*t} for t in throws) in task(age).slips
        assert stretched in task(age).slips


def test_a_square_in_two_stripes_is_counted_once() -> None:
    figure = after(11, "1 wood, 2 wood")
    assert figure.tally.value == "11"
    assert "in both − 1" in figure.told
    assert "marked twice" in figure.touch("wood wood").words


def test_a_face_touched_again_takes_its_stripe_back() -> None:
    figure, words = after(11, "1 wood, 2 ?").touch("1 wood")
    assert figure.tally.value == "6"
    assert words == "The row Wood is no longer marked."


def test_too_many_marks_do_not_count() -> None:
    figure = after(11, "1 wood, 1 ?, 2 wood, 2 ?, 1 gold")
    assert not task(11).counted(figure)


def test_what_misses_both_is_given_back() -> None:
    figure = after(14, "no wood, no stone")
    assert "neither + 9" in figure.told
    assert figure.tally.value == "13"


@pytest.mark.parametrize(
    ("square", "words"),
    [
        ("wood ?", "fills both"),
        ("gold food", "no Wood; a button"),
        ("wood gold", "no Stone; a button"),
    ],
)
def test_a_throw_that_is_not_for_a_hand_says_why(square: str, words: str) -> None:
    with pytest.raises(CastlelabError, match=words):
        task(14).first.touch(square)


def test_each_face_of_the_third_die_has_a_board_of_its_own() -> None:
    figure = after(17, "no wood, no stone, one ?")
    assert figure.tally.value == "20"
    figure = figure.read("3 gold").figure
    assert str(figure.tally) == "27 of 72 throws left"
    assert not task(17).counted(figure)
