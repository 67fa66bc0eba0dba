"""Two lessons on paper: their numbers are counted, and their material is complete."""

from __future__ import annotations

import re
from itertools import pairwise

from castlelab.classroom import lesson_plans
from castlelab.classroom.plans import plan_numbers, staying
from castlelab.games.castle_keep.count import colourings, count_colourings
from castlelab.games.castlescape.count import fewest_by_search, fewest_walls, walls_round


def test_what_the_lessons_say_in_numbers_is_counted_in_another_way() -> None:
    found = plan_numbers()
    assert found["walls_7"] == fewest_by_search(7) == 16
    assert found["walls_9"] == fewest_by_search(9)
    assert found["row_9"] == len(walls_round([f"{letter}5" for letter in "bcdefghij"]))
    assert found["walls_20"] == len(walls_round([f"{a}{n}" for a in "bcdef" for n in range(2, 6)]))
    assert found["ground_24"] == 25
    assert fewest_walls(25) == 24 < fewest_walls(26)
    for colours in (2, 3):
        assert sum(staying(colours)) == 8 * count_colourings(colours)
        assert found[f"different_{colours}"] == len(list(colourings(colours)))
    assert (found["all_2"], found["sum_2"], found["different_3"]) == (16, 48, 21)


def test_both_lessons_have_a_plan_of_45_minutes_and_material() -> None:
    page = lesson_plans()
    minutes = re.findall(r'class="minutes">(\d+)–(\d+)<', page)
    starts = [int(start) for start, _ in minutes]
    assert starts.count(0) == 2
    for (_, end), (start, _) in pairwise(minutes):
        assert int(start) in (int(end), 0)
    assert [end for _, end in minutes].count("45") == 2
    assert page.count('<div class="cut-out">') == 2
    fence, turntable = re.findall(r'<div class="cut-out">(.*?)</div>', page, flags=re.DOTALL)
    assert fence.count(">ground<") == 16
    assert fence.count("<rect") >= (16 + 24) + 24 * 7  # each square, and the bricks of a wall
    assert turntable.count("<rect") >= 16 * 6  # each castle, its walls and its towers
    assert "{" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    assert "<script" not in page
