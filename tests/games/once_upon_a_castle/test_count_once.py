"""What is asked of the counts, how they print, and what they refuse."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.games.once_upon_a_castle.board import RESOURCES, Board
from castlelab.games.once_upon_a_castle.box import house_layouts
from castlelab.games.once_upon_a_castle.count import (
    Sample,
    best_use,
    expected_rolls,
    good_rolls,
    line_chain,
    line_table,
    missing_of,
    read_missing,
    roll_odds,
    simulate_rolls,
)
from castlelab.rules import CastlelabError, NotationError

APPRENTICE, ARCHITECT = house_layouts()
NEARLY = Board.parse("WSg.. / fgwS. / ..FSg / ...FW")


def test_what_is_missing_is_read_in_many_ways():
    expected = ("wood", "stone", "stone")
    for needs in ("wood stone stone", "Stone, wood, STONE", ["stone", "wood", "stone"], expected):
        assert read_missing(needs) == expected
    assert read_missing("") == read_missing([]) == ()


@pytest.mark.parametrize(
    "needs", ["iron", "wood any", "residents", ["wood", 7], 7, None, b"wood", [["wood"]]]
)
def test_what_is_no_resource_is_not_missing(needs):
    with pytest.raises(NotationError, match="what a line misses is wood, stone, gold, food"):
        expected_rolls(needs)


def test_a_line_is_not_longer_than_four():
    with pytest.raises(CastlelabError, match="4 squares at most, not 5"):
        line_chain("wood wood wood stone stone")


@given(st.text(max_size=30))
def test_no_text_crashes_the_reader(text):
    with suppress(CastlelabError):
        assert set(read_missing(text)) <= set(RESOURCES)


def test_a_board_says_what_its_lines_miss():
    assert missing_of(NEARLY, "row 1") == ("gold",)
    assert missing_of(NEARLY, NEARLY.line("row 2")) == ("wood", "gold", "food")
    assert missing_of(NEARLY, "row 4") == ()
    with pytest.raises(CastlelabError, match="there is no line 'row 9'"):
        missing_of(NEARLY, "row 9")


def test_a_table_has_every_line_once_and_the_soonest_first():
    for board in (APPRENTICE.board(), ARCHITECT.board(), NEARLY):
        lines = line_table(board).lines
        assert {odds.line.name for odds in lines} == {line.name for line in board.lines}
        assert len(lines) == len(board.lines) == 9
        rolls = [odds.rolls for odds in lines]
        assert rolls == sorted(rolls)
        for odds in lines:
            assert odds.rolls == expected_rolls(missing_of(board, odds.line))
    assert line_table(NEARLY).lines[0].rolls == 0
    assert line_table(NEARLY, dice=(1, 2)).lines[-1].rolls == expected_rolls(
        "wood gold food", (1, 2)
    )


def test_without_tokens_a_line_is_never_full():
    board = Board.parse("WSG.. / FGWS. / ..FSG / ...fw")  # all ten are placed
    never = {odds.line.name for odds in line_table(board).lines if odds.rolls is None}
    assert never == {"row 4", "column 4", "column 5"}
    assert str(line_table(board)).count("never") == 3


def test_tables_print():
    table = str(line_table(APPRENTICE.board())).splitlines()
    assert table[0].split() == ["line", "misses", "rolls", "gives"]
    assert len(table) == 10
    chain = str(line_chain("wood stone")).splitlines()
    assert len(chain) == 5
    assert chain[1].endswith("8/3")


def test_a_sample_prints_its_error():
    sample = Sample((1, 2, 3, 2))
    assert sample.mean == 2
    assert sample.error == pytest.approx((2 / 3 / 4) ** 0.5)
    assert sample.filled_by(4) == (0.25, 0.75, 1, 1)
    assert "2.00 ± 0.41 rolls in 4 games" in str(sample)
    assert str(Sample((3,))).startswith("3.00 ± inf")


def test_the_same_seed_gives_the_same_rolls():
    one, same, other = (simulate_rolls("wood stone", 100, seed) for seed in (1, 1, "other"))
    assert one == same
    assert one != other


def test_a_line_that_is_full_waits_for_nothing():
    assert expected_rolls("") == 0
    assert line_chain("").states == ((),)
    assert line_chain("").expected_rolls() == (0,)
    assert line_chain("").filled_by(2) == (1, 1)
    assert simulate_rolls("", games=3).rolls == (0, 0, 0)
    assert best_use("", ("any", "any")) == ()


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: roll_odds(), "one or two wanted faces, not 0"),
        (lambda: roll_odds("wood", "wood", "wood"), "one or two wanted faces, not 3"),
        (lambda: roll_odds("any"), "not 'any'"),
        (lambda: good_rolls("iron"), "a wanted face is wood"),
        (lambda: good_rolls(None), "a wanted face is wood"),
        (lambda: expected_rolls("wood", dice=3), "2 dice or 1"),
        (lambda: expected_rolls("wood", dice=True), "2 dice or 1"),
        (lambda: expected_rolls("wood", dice=()), "2 dice or 1"),
        (lambda: expected_rolls("wood", dice=(2, 0)), "2 dice or 1"),
        (lambda: expected_rolls("wood", dice=(1,) * 5), "2 dice or 1"),
        (lambda: expected_rolls("wood", dice=None), "2 dice or 1"),
        (lambda: expected_rolls("wood", dice="2"), "2 dice or 1"),
        (lambda: line_chain("wood", dice=(2, 1)), "one number"),
        (lambda: best_use("wood", ("wood",)), "a roll is two of"),
        (lambda: line_chain("wood").filled_by(0), "rolls go from 1"),
        (lambda: line_chain("wood").filled_by(True), "rolls go from 1"),
        (lambda: line_chain("wood").filled_by(10**9), "rolls go from 1"),
        (lambda: simulate_rolls("wood", games=0), "games go from 1"),
        (lambda: simulate_rolls("wood", games="many"), "games go from 1"),
        (lambda: line_table("WSg"), "no house board has these squares"),
        (lambda: line_table(7), "a Board or its text is wanted, not 7"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(ask, says):
    with pytest.raises(CastlelabError, match=says) as caught:
        ask()
    assert "\n" not in str(caught.value)


def test_exact_numbers_are_fractions():
    assert isinstance(expected_rolls("wood"), Fraction)
    assert all(isinstance(entry, Fraction) for row in line_chain("wood").matrix for entry in row)
    assert all(isinstance(odds, Fraction) for odds in line_chain("wood").filled_by(2))
