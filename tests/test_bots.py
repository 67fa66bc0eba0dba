"""Bots: what they choose, and that they play to the end."""

from dataclasses import replace

import pytest

import castlelab
from castlelab.bots import NAMES, Greedy, Random, bot, play_out
from castlelab.chance import Chance
from castlelab.rules import CastlelabError


@pytest.fixture(scope="module")
def state():
    return castlelab.load("castell").start(5)


def ended(state):
    return replace(state, round=11)


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_is_found_by_its_name(name):
    assert bot(name).name == name


@pytest.mark.parametrize("name", ["genius", "", None, 7, ["random"], "Greedy"])
def test_other_names_are_refused_with_the_list(name):
    with pytest.raises(CastlelabError, match="the bots are random, greedy"):
        bot(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_chance_gives_the_same_choice_and_moves_on(name, state):
    chance = Chance.seeded(1)
    move, after = bot(name).choose(state, chance)
    assert (move, after) == bot(name).choose(state, chance)
    assert state.check(move)
    assert after != chance


def test_random_chooses_each_move_in_time(state):
    chosen = {str(Random().choose(state, Chance.seeded(seed))[0]) for seed in range(100)}
    assert chosen == set(map(str, state.moves()))  # eight moves; a miss has odds of 8·(7/8)^100


def test_greedy_takes_the_move_that_the_game_estimates_best(state):
    move, _ = Greedy().choose(state, Chance.seeded(1))
    best = max(state.play(other).estimate(0) for other in state.moves())
    assert state.play(move).estimate(0) == best


def test_greedy_breaks_ties_by_chance(state):
    flat = replace(state, calendar=())  # without festivals no region is better than another
    chosen = {str(Greedy().choose(flat, Chance.seeded(seed))[0]) for seed in range(30)}
    assert len(chosen) > 1


@pytest.mark.parametrize("name", NAMES)
def test_there_is_nothing_to_choose_when_the_game_is_over(name, state):
    with pytest.raises(CastlelabError):
        bot(name).choose(ended(state), Chance.seeded(1))


def test_play_out_returns_the_end_and_every_move_on_the_way(state):
    end, moves = play_out(state, (Random(), Random()), Chance.seeded(2))
    assert end.over
    again = state
    for move in moves:
        again = again.play(move)
    assert again == end


def test_play_out_asks_the_bot_of_the_seat():
    class Named:
        def __init__(self, seat):
            self.name, self.seat = "named", seat

        def choose(self, state, chance):
            assert state.to_move == self.seat
            return Random().choose(state, chance)

    start = castlelab.load("castell", players=3).start(1)
    end, _ = play_out(start, tuple(map(Named, range(3))), Chance.seeded(1))
    assert end.over


def test_play_out_of_an_ended_game_plays_nothing(state):
    assert play_out(ended(state), (Random(), Random()), Chance.seeded(1)) == (ended(state), [])


@pytest.mark.slow
def test_greedy_beats_random_from_either_seat():
    game, wins = castlelab.load("castell"), 0
    for seed in range(20):
        seat = seed % 2
        bots = (Greedy(), Random()) if seat == 0 else (Random(), Greedy())
        end, _ = play_out(game.start(seed), bots, Chance.seeded(seed))
        wins += end.winners == (seat,)
    assert wins >= 15
