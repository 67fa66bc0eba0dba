"""The ring loom: gaps, ways and patterns, counted a second way by walking."""

from __future__ import annotations

from itertools import product

import pytest

from castlelab.figures import handled_figure
from castlelab.games.castle_keep.count import matching_matrix, rings_by_formula
from castlelab.games.castle_keep.figure_loom import FACES, FIRST, Gaps, Patterns, Weave, woven
from castlelab.rules import CastlelabError

TASKS = handled_figure("castle_keep/ring-loom").tasks


def matches(one: str, other: str) -> bool:
    return FACES[one].matches(FACES[other])


def test_answers_by_walking() -> None:
    fits = [face for face in FACES if matches(face, FIRST) and matches(face, "blue zigzag")]
    assert TASKS[11].answer == len(fits)
    rings = (all(map(matches, ring, (*ring[1:], ring[0]))) for ring in product(FACES, repeat=4))
    assert TASKS[14].answer == sum(rings)
    assert TASKS[17].answer == rings_by_formula() == 391_653


@pytest.mark.parametrize("steps", range(1, 6))
def test_three_numbers_weave_what_nine_faces_do(steps: int) -> None:
    ways, matrix = [1, *[0] * 8], matching_matrix()
    for _ in range(steps):
        ways = [sum(a * b for a, b in zip(row, ways, strict=True)) for row in matrix]
    figure, _ = Weave().read(", ".join(["red curvy, red zigzag, blue zigzag"] * steps))
    assert isinstance(figure, Weave)
    assert figure.rows[-1] == (ways[0], ways[1], ways[4])
    names = [target.name for target in figure.picture().targets]
    assert [int(name.split(": ")[1].split(",")[0]) for name in names] == ways
    assert figure.tally.value == str(rings_by_formula(places=steps))


def test_one_face_of_each_kind_is_enough() -> None:
    figure, words = Weave().read("red curvy, yellow curvy")
    assert words == "Yellow curvy: 1 + 2 · 0 + 2 · 0 = 1."
    assert isinstance(figure, Weave)
    assert figure.steps == 0
    figure, words = figure.touch("blue straight")
    assert words == "Blue straight: 2 · 0 + 3 · 0 = 0. Step 1 is woven."
    assert str(figure.tally) == "9 rings of 1: 9 · 1"


def test_who_is_added_up_is_lit() -> None:
    figure, _ = Weave().touch("blue zigzag")
    lit = {t.id for t in figure.picture().targets if "added up" in t.name}
    assert lit == {face for face in FACES if matches(face, "blue zigzag")}
    assert len(lit) == 5


def test_five_steps_are_enough() -> None:
    figure, _ = Weave().read(", ".join(["red curvy, red zigzag, blue zigzag"] * 5))
    with pytest.raises(CastlelabError, match="5 steps are enough"):
        figure.touch("red curvy")


def test_a_wall_stays_in_hand_and_is_tried_in_other_gaps() -> None:
    figure, words = Gaps().read("red zigzag, gap 1, gap 2, gap 3")
    assert figure.held == "red zigzag"
    assert figure.tally.value == "1 + 1 + 1"
    assert words == "It fits: 1 in this gap."
    figure, words = figure.touch("gap 3")
    assert "before" in words
    assert figure.tally.value == "1 + 1 + 1"


def test_what_does_not_match_says_with_whom() -> None:
    figure, _ = Gaps().touch("red curvy")
    with pytest.raises(CastlelabError, match="red curvy and blue zigzag share neither"):
        figure.touch("gap 3")
    with pytest.raises(CastlelabError, match="first take one"):
        Gaps().touch("gap 1")


@pytest.mark.parametrize("gap", [1, 2, 3])
def test_each_gap_takes_what_matches_both_ends(gap: int) -> None:
    taken = set()
    for face in FACES:
        held, _ = Gaps().touch(face)
        try:
            held.touch(f"gap {gap}")
        except CastlelabError:
            continue
        taken.add(face)
    end = Gaps.ends[gap - 1]
    assert taken == {face for face in FACES if matches(face, FIRST) and matches(face, end)}


def test_only_three_patterns_are_merely_multiplied() -> None:
    found = {
        (one, none): Patterns(one=one, none=none).factor
        for one in range(-4, 5)
        for none in range(-4, 5)
    }
    assert {at: factor for at, factor in found.items() if factor is not None} == {
        (4, 4): 5,
        (1, -2): 2,
        (-2, 1): -1,
    }


def test_nine_times_the_start_is_the_sum_of_the_patterns() -> None:
    patterns = [(1, 1, 1), (4, 1, -2), (4, -2, 1)]
    assert [sum(numbers) for numbers in zip(*patterns, strict=True)] == [9, 0, 0]
    for factor, numbers in zip((5, 2, -1), patterns, strict=True):
        assert woven(numbers) == tuple(factor * number for number in numbers)  # type: ignore[arg-type]


def test_a_pattern_is_kept_and_met_again() -> None:
    figure, words = Patterns().read("one more, none less, none less")
    assert words == "4, 1, −2, a step later 8, 2, −4. All of it × 2!"
    figure, words = figure.read("one more, one less")
    assert "You know this pattern" in words
    assert figure.tally.value == "1"


def test_numbers_stay_small() -> None:
    figure, _ = Patterns().read("one more, one more, one more, one more")
    with pytest.raises(CastlelabError, match="from −4 to 4"):
        figure.touch("one more")


def test_a_sum_is_shown_for_a_face() -> None:
    figure, words = Patterns(one=1, none=-2).touch("red zigzag")
    assert words == "Red zigzag: 4 + 2 · 1 + 2 · −2 = 2."
    assert isinstance(figure, Patterns)
    assert figure.lit == "red zigzag"
