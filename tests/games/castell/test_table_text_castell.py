"""Castell in a terminal: the whole table in few letters."""

import pytest

import castlelab
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.games.castell import Tower
from castlelab.games.castell.moves import Enter


def moments(players, seed=4):
    state = castlelab.load("castell", players=players).start(seed)
    builder, chance = bot("greedy"), Chance.seeded(seed)
    while not state.over:
        yield state
        move, chance = builder.choose(state, chance)
        state = state.after(move)
    yield state


@pytest.mark.parametrize("players", [2, 4])
def test_every_moment_fits_a_terminal(players):
    for state in moments(players):
        lines = state.compact().split("\n")
        assert len(lines) <= 32
        assert max(map(len, lines)) <= 80
        assert not any(line.endswith("…") for line in lines)


def test_it_has_all_that_is_needed_to_play():
    state = castlelab.load("castell", first="blue").start(3).play("move Valls")
    text = state.compact()
    assert text.startswith("Round 1 of 10: Blue’s turn. Still to do: Recruit, Train and Special.")
    valls = next(line for line in text.split("\n") if line.startswith("Valls"))
    for size in state.regions[4]:
        assert f" {size}" in valls
    assert ">Blue    0 points, 7 tokens, at Valls, first player" in text
    assert str(state.players[0].team).replace("*", "×") in text


def test_the_wheel_is_told_three_rounds_ahead():
    """``castell/wheel-turns``"""
    game = castlelab.load("castell", first="blue")
    state = game.start(3)

    def offers(state, region):
        line = next(line for line in state.compact().split("\n") if line.startswith(region))
        return line[26:35].split()

    later = state.play("end").play("end")
    for region in game.box.regions:
        assert offers(state, region)[1:] == offers(later, region)[:2]


def test_a_festival_its_towers_and_its_end():
    seen = next(state for state in moments(2) if state.festival is not None)
    where = seen.game.box.regions[seen.calendar[seen.festival].region]
    assert f"festival at {where}, wants " in seen.compact()
    tower = next(move.tower for move in seen.moves() if isinstance(move, Enter))
    both = next((state for state in moments(3) if state.entries), None)
    if both is not None:
        assert f"builds {both.entries[0][1]}" in both.compact()
    after = seen.play(Enter(Tower(str(tower))))
    while after.festival is not None:
        after = after.play("stay out")
    assert f"{where}: (" in after.compact()
