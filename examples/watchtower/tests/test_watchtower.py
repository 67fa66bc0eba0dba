"""The contract of castlelab, and each rule of Watchtower."""

import pytest
import watchtower

import castlelab
from castlelab.testing import GameContract, GoldenContract, PuzzleContract, TraceContract


class TestWatchtower(GameContract, PuzzleContract, TraceContract, GoldenContract):
    game = "watchtower"


def played(*layers):
    state = castlelab.load("watchtower").start(seed=1)
    for layer in layers:
        state = state.play(state.game.move(f"lay {layer}"))
    return state


@pytest.mark.parametrize(
    ("layers", "then", "rule"),
    [
        (["gate 2"], "gate 3", "watchtower/narrows"),
        (["west 3"] * 4, "west 1", "watchtower/topped"),
        (["west 3"] * 4 + ["gate 3"] * 2, "gate 2", "watchtower/supply"),
        (["west 3"] * 4 + ["gate 3"] * 2 + ["gate 1"] * 2, "east 1", "watchtower/end"),
    ],
)
def test_a_layer_is_refused_by_its_rule(layers, then, rule):
    state = played(*layers)
    assert state.check(state.game.move(f"lay {then}")).rules == (rule,)


def test_a_turn_is_one_layer_and_a_tower_is_worth_its_stones():
    assert len(played().moves()) == 9  # watchtower/layer
    assert sorted(played(*["west 3"] * 4).scores) == [0, 12]  # watchtower/watch


def test_a_puzzle_of_ones_own_travels_in_its_code():
    made = watchtower.puzzle("Win.", towers="3 2 1 / 3 3 2 2 / 3 2 2 1", points=(8, 10))
    assert castlelab.puzzle(made.code) == made
