"""The mirror path: good and bad orders, counted one by one, and mirrored there and back."""

from __future__ import annotations

from itertools import accumulate, product

import pytest

from castlelab.figures import Age, Figure, FigureTask, handled_figure
from castlelab.games.castle_rampage.figure_mirror_path import all_ways, first_fault, reflected
from castlelab.rules import CastlelabError

ENDS = [(gate, castle) for gate, castle in product(range(1, 7), range(1, 5)) if castle <= gate]


def task(age: Age) -> FigureTask:
    return handled_figure("castle_rampage/mirror-path").tasks[age]


def after(age: Age, text: str) -> Figure:
    return task(age).first.read(text).figure


def is_good(way: str) -> bool:
    return min(accumulate(1 if card == "g" else -1 for card in way)) >= 0


@pytest.mark.parametrize(("age", "gate", "castle"), [(11, 3, 3), (14, 4, 4), (17, 6, 3)])
def test_the_answer_is_what_looking_at_every_order_finds(age: Age, gate: int, castle: int) -> None:
    ways = ["".join(way) for way in product("gc", repeat=gate + castle) if way.count("g") == gate]
    assert sorted(all_ways(gate, castle)) == sorted(ways)
    assert task(age).answer == sum(map(is_good, ways))
    leading = sum(is_good(way[1:-1]) and way[0] == "g" for way in ways)
    assert task(age).slips[leading] == "Level is not behind."


@pytest.mark.parametrize(("gate", "castle"), ENDS)
def test_bad_paths_are_all_paths_to_the_mirrored_end(gate: int, castle: int) -> None:
    bad = [way for way in all_ways(gate, castle) if not is_good(way)]
    assert sorted(map(reflected, bad)) == sorted(all_ways(castle - 1, gate + 1))
    assert [reflected(reflected(way)) for way in bad] == bad
    assert all(first_fault(way) for way in bad)


@pytest.mark.parametrize(("gate", "castle"), ENDS)
def test_the_share_of_the_proof_is_the_share(gate: int, castle: int) -> None:
    ways = all_ways(gate, castle)
    good = sum(map(is_good, ways))
    assert good * (gate + 1) == len(ways) * (gate - castle + 1)


def test_a_corner_swaps_two_cards_and_the_path_is_kept() -> None:
    figure, words = task(11).first.touch("turn 3")
    assert figure.tally.value == "2"
    assert "Gate, Gate, Castle, Gate, Castle, Castle: good. A new one." in words
    figure, words = figure.touch("turn 3")
    assert figure.tally.value == "2"
    assert "new" not in words


def test_where_two_cards_are_alike_there_is_no_corner() -> None:
    with pytest.raises(CastlelabError, match="no corner here: both cards go to the Gate"):
        task(11).first.touch("turn 1")


def test_a_bad_order_is_no_good_one() -> None:
    figure = after(11, "turn 3, turn 2, turn 1")
    assert "bad after card 1" in figure.told
    assert figure.tally.value == "3"


def test_mirrored_paths_end_at_the_same_point() -> None:
    figure, words = task(14).first.touch("mirror")
    assert words == "Mirrored, it ends at 3 Gate, 5 Castle."
    assert figure.tally == task(14).first.tally
    other, words = figure.read("mirror, turn 1, mirror")
    assert words == "Mirrored, it ends at 3 Gate, 5 Castle."
    assert "1 bad" not in other.tally.words


def test_a_good_path_has_no_mirror_image() -> None:
    figure = after(14, "turn 3")
    assert "good" in figure.told
    with pytest.raises(CastlelabError, match="no fault"):
        figure.touch("mirror")


def test_the_rest_comes_after_three_of_ones_own() -> None:
    figure = after(14, "mirror, turn 6, mirror, turn 1")
    assert not figure.offers
    figure = figure.touch("mirror").figure
    assert figure.offers == ("the rest",)


def test_other_numbers_of_cards_have_another_end() -> None:
    figure, words = after(17, "gate +").touch("mirror")
    assert words == "Mirrored, it ends at 1 Gate, 5 Castle."
    assert str(figure.tally) == "9 of 15 orders are good"
    with pytest.raises(CastlelabError, match="all paths would be bad"):
        after(17, "castle +, gate −")
    with pytest.raises(CastlelabError, match="1 to 3 cards go to the Castle"):
        after(17, "gate +, castle +, castle +")
