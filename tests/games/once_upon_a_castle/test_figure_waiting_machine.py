"""The waiting machine: its jars and its waits, against the chain of the game and against throws."""

from __future__ import annotations

from fractions import Fraction

import pytest

from castlelab.figures import Age, Figure, FigureTask, handled_figure
from castlelab.games.once_upon_a_castle.count import expected_rolls, line_chain
from castlelab.games.once_upon_a_castle.dice import ROLLS
from castlelab.games.once_upon_a_castle.figure_waiting_machine import falls, shares, wait
from castlelab.games.once_upon_a_castle.puzzle_count_throws import good_throws
from castlelab.rules import CastlelabError


def task(age: Age) -> FigureTask:
    return handled_figure("once_upon_a_castle/waiting-machine").tasks[age]


def after(age: Age, text: str) -> Figure:
    return task(age).first.read(text).figure


def test_one_roll_is_a_row_of_the_chain() -> None:
    row = line_chain("wood stone").matrix[0]
    both, wood, stone, full = (int(36 * share) for share in row)
    assert task(11).answer == wood + stone
    assert {both, full, full + wood + stone} <= set(task(11).slips)
    without = [roll for roll in ROLLS if len({"wood", "stone"} & {*roll}) == 1]
    assert len(without) in task(11).slips


@pytest.mark.parametrize("rolls", range(1, 7))
def test_the_jars_hold_what_the_chain_tells(rolls: int) -> None:
    filled = line_chain("wood stone").filled_by(rolls)[-1]
    for lane in ("wood", "stone"):
        assert shares(lane, rolls)["full"] == 36 * filled
        assert sum(shares(lane, rolls).values()) == 36


def test_the_wait_is_what_the_chain_tells() -> None:
    assert task(14).answer == wait("wood") == wait("stone") == expected_rolls("wood stone")
    assert wait("wood", "stone") == expected_rolls("stone")


def test_who_decides_later_looks_at_all_dice_together() -> None:
    """A line is full once all dice so far would fill it: so its waits can be added up."""
    rolls = range(60)
    missing = (
        1 - Fraction(good_throws(("wood", "stone"), 2 * number, wild=True), 36**number)
        for number in rolls
    )
    assert abs(sum(missing) - wait("later")) < Fraction(1, 10**15)
    assert task(17).answer == wait("later")
    assert wait("wood") - wait("later") == Fraction(14, 135)


def test_all_of_one_missing_taken_for_kept_is_a_slip() -> None:
    slip = (1 + Fraction(20, 36) * wait("later", "kept")) / (1 - Fraction(1, 4))
    assert slip in task(17).slips


@pytest.mark.parametrize(
    ("jar", "roll", "lane", "to"),
    [
        ("both", ("wood", "wood"), "wood", "stone"),
        ("both", ("wood", "any"), "later", "full"),
        ("both", ("any", "any"), "later", "full"),
        ("both", ("gold", "any"), "stone", "wood"),
        ("wood", ("stone", "food"), "wood", "wood"),
        ("wood", ("any", "food"), "wood", "full"),
        ("kept", ("stone", "food"), "later", "full"),
        ("kept", ("gold", "food"), "later", "kept"),
    ],
)
def test_a_ball_falls_where_its_roll_leads(
    jar: str, roll: tuple[str, str], lane: str, to: str
) -> None:
    assert falls(jar, roll, lane) == to


def test_the_switch_moves_six_balls_and_not_their_number() -> None:
    figure = after(11, "drop wood, drop stone, drop gold, drop food, drop residents, drop ?")
    assert "misses Wood 7, misses Stone 13" in figure.told
    switched, words = figure.touch("switch stone")
    assert "misses Wood 13, misses Stone 7" in words
    assert switched.tally == figure.tally


def test_balls_go_back_when_their_face_is_touched_again() -> None:
    figure = after(11, "drop wood, drop gold, drop wood")
    assert str(figure.tally) == "3 of 6 balls miss just one"


def test_each_roll_adds_those_that_waited() -> None:
    figure = after(14, "roll, roll")
    assert figure.tally.value == f"{(36 + 29) / 36:.2f}"
    assert "misses both 2.25" in figure.told


def test_the_rest_is_added_after_some_rolls() -> None:
    with pytest.raises(CastlelabError, match="no 'the rest' here"):
        after(14, "roll, roll, the rest")
    figure = after(14, "roll, roll, roll, the rest")
    assert str(figure.tally) == "8/3 rolls a ball"
    with pytest.raises(CastlelabError, match="that is enough"):
        figure.touch("roll")


def test_the_switch_begins_anew() -> None:
    figure, words = after(17, "roll, roll, roll, the rest").touch("switch later")
    assert "begin anew" in words
    assert figure.tally.value == "0.00"
    assert not task(17).counted(figure)
