"""The box of Castell and the names of its tiles (mistakes in it: tests/test_edition.py)."""

import pytest

import castlelab
from castlelab.games.castell import Skills
from castlelab.games.castell.box import Performance
from castlelab.games.castell.moves import Perform, Special, read_move

BOX = castlelab.load("castell").box


@pytest.mark.parametrize(
    ("tile", "text", "words"),
    [
        (
            Performance(2, (3, 2, 1)),
            "3-2-1",
            "a tower of exactly 3, 2, 1 castellers, base first",
        ),
        (Performance(1, (4,)), "4", "a tower of exactly 4 castellers, base first"),
        (
            Performance(6, shown=Skills(strength=1, base=1, mix=2)),
            "6:base+mix*2+strength",
            "at least 6 levels, using base 1, mix 2, strength 1",
        ),
    ],
)
def test_a_tile_has_a_name_of_one_word_and_a_description(tile, text, words):
    assert str(tile) == text
    assert tile.describe() == words
    assert tile.is_shape == bool(tile.widths)


@pytest.mark.parametrize("tile", BOX.performances, ids=str)
def test_every_tile_of_the_house_can_be_named_in_a_move(tile):
    move = read_move(f"special perform {tile} 9*3 8", BOX.regions)
    assert isinstance(move, Special)
    assert isinstance(move.deed, Perform)
    assert move.deed.tile == str(tile)
    assert read_move(str(move), BOX.regions) == move


def test_shapes_never_grow_and_exhibitions_show_something():
    for tile in BOX.performances:
        if tile.is_shape:
            assert list(tile.widths) == sorted(tile.widths, reverse=True)
            assert tile.shown == Skills()
        else:
            assert tile.shown != Skills()
        assert tile.points >= 1


def test_the_wheel_names_every_region_once():
    assert sorted(BOX.wheel_order) == list(range(7))


def test_the_calendar_is_in_the_order_of_the_rounds_and_i_comes_before_ii():
    rounds = [space.round for space in BOX.calendar]
    assert rounds == sorted(rounds)
    assert max(s.round for s in BOX.calendar if s.back == "I") < min(
        s.round for s in BOX.calendar if s.back == "II"
    )


def test_example_f_is_among_the_exhibitions():
    assert Performance(6, shown=Skills(strength=1, base=1, mix=2)) in BOX.performances
