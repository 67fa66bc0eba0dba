"""The tower word: every mark is a tower, and the towers are those that the rules allow."""

from __future__ import annotations

from itertools import combinations

import pytest

from castlelab.figures import Age, Figure, FigureTask, handled_figure
from castlelab.games.castell.count import count_by_height, count_towers, towers
from castlelab.games.castell.figure_tower_word import TowerWord, all_towers, terms
from castlelab.games.castell.tower import Team
from castlelab.rules import CastlelabError


def task(age: Age) -> FigureTask:
    return handled_figure("castell/tower-word").tasks[age]


def after(age: Age, text: str) -> Figure:
    return task(age).first.read(text).figure


def test_the_answers_are_what_the_box_allows() -> None:
    assert task(14).answer == count_towers()
    assert task(17).answer == count_towers("balance 1")
    assert count_towers("strength 1") in task(17).slips


@pytest.mark.parametrize("skill", ["balance", "strength"])
def test_each_line_of_the_sum_is_counted_by_height(skill: str) -> None:
    of_height = count_by_height(f"{skill} 1")
    assert terms("balance" if skill == "balance" else "strength") == of_height


def test_every_pair_of_chips_is_another_tower() -> None:
    pair = Team("10*3 9*3 8*3 7*3")
    legal = {str(tower) for tower in towers(team=pair) if max(tower.widths) < 3}
    assert set(all_towers(4, 2)) == legal
    assert len(all_towers(4, 2)) == len(legal) == task(11).answer


def test_all_triples_of_chips_build_what_may_be_built() -> None:
    assert len(set(all_towers(10, 3))) == count_towers()


def test_a_mark_too_many_takes_the_oldest_away() -> None:
    figure = after(11, "size 10, size 9, size 8")
    assert "Level 1: 2 of size 9; Level 2: 1 of size 8" in figure.told
    assert figure.tally.value == "2"


def test_marks_on_both_widths_build_nothing() -> None:
    figure, words = after(11, "width 2").touch("width 1")
    assert figure.tally.value == "0"
    assert "no tower" in words


def test_a_tower_counts_once() -> None:
    figure, words = after(11, "size 10, width 1, size 9, size 10").touch("width 1")
    assert words.endswith("You have had this one.")
    assert figure.tally.value == "3"


def test_the_rest_is_offered_to_who_has_found_many() -> None:
    assert not after(11, "size 10, size 9, size 8").offers
    figure = after(11, "size 10, size 9, size 8, size 7, size 10, size 8, width 2, size 9")
    assert figure.offers == ("the rest",)


def test_a_height_is_added_when_it_was_built() -> None:
    figure = after(14, "size 10, width 1, width 2")
    assert figure.tally.value == "30"
    assert after(14, "size 10, size 9, width 2").tally.value == str(45 * 3)


def test_other_sizes_and_widths_begin_anew() -> None:
    figure = after(14, "size 10, width 1, width 2, widths −, sizes −")
    assert figure.tally.value == "0"
    assert "size 1" not in {target.id for target in figure.picture().targets}
    with pytest.raises(CastlelabError, match="1 to 10 sizes"):
        task(14).first.touch("sizes +")


def test_one_width_alone_comes_twice_with_balance() -> None:
    figure = after(17, "size 10, size 9, width 3, width 3")
    assert "Level 1: 3 of size 10; Level 2: 3 of size 9" in figure.told
    assert "width 2 is off" in figure.read("width 2, width 2").words
    assert "size 10 is off" in figure.touch("size 10").words


def test_one_size_alone_comes_twice_with_strength() -> None:
    figure = after(17, "mirror, size 7, size 7, width 2, width 1")
    assert "Level 1: 2 of size 7; Level 2: 1 of size 7" in figure.told
    assert str(figure.tally) == "0 towers with Balance, 165 with Strength"


def test_too_few_marks_are_no_tower() -> None:
    chips = [f"size {size}" for size in range(7, 11)]
    for marked in combinations(chips, 1):
        assert TowerWord(4, 2, marked).tower is None
