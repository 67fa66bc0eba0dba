"""Bots: what they choose, and that they play to the end."""

import re
import time
from dataclasses import replace

import pytest

import castlelab
from castlelab.bots import (
    BOT_NAMES,
    LONG_THINKER,
    Greedy,
    MonteCarlo,
    Random,
    bot,
    play_out,
    seated,
)
from castlelab.chance import Chance
from castlelab.rules import CastlelabError


@pytest.fixture(scope="module")
def state():
    return castlelab.load("castell").start(5)


def ended(state):
    return replace(state, round=11)


@pytest.mark.parametrize("name", BOT_NAMES)
def test_a_bot_is_found_by_its_name(name):
    assert bot(name).name == name


@pytest.mark.parametrize("name", ["genius", "", None, 7, ["random"], "Greedy"])
def test_other_names_are_refused_with_the_list(name):
    with pytest.raises(CastlelabError, match="the bots are random, greedy"):
        bot(name)


@pytest.mark.parametrize("name", BOT_NAMES)
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


@pytest.mark.parametrize("name", BOT_NAMES)
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


# -- imagining futures -------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOT_NAMES)
def test_thinking_ends_with_the_move_that_would_be_chosen(name, state):
    thoughts = list(bot(name).think(state, Chance.seeded(4)))
    assert [thought.done for thought in thoughts] == sorted(thought.done for thought in thoughts)
    assert thoughts[-1].done == 1
    assert thoughts[-1].move == bot(name).choose(state, Chance.seeded(4))[0]
    assert all(state.check(thought.move) for thought in thoughts)
    assert all(thought.reason.endswith(".") for thought in thoughts)


@pytest.fixture(scope="module")
def reasons():
    """What MonteCarlo says of its moves in games between greedy players."""
    said = []
    for name in castlelab.GAMES:
        position, chance = castlelab.load(name).start(2), Chance.seeded(2)
        for number in range(24):
            *_, thought = MonteCarlo(20).think(position.view(position.to_move), chance)
            said.append((position, thought))
            move, chance = Greedy().choose(position, chance.split(number))
            position = position.after(move)
    return said


def test_reasons_tell_ranks_and_never_a_chance_of_winning(reasons):
    """What futures come to is no win share, so no number of theirs is told."""
    rank = r"(best of (?P<moves>\d+) moves; “.+” comes next|better than “.+”)"
    for position, thought in reasons:
        told = thought.reason.rpartition("At once, ")[2]
        assert not re.search(r"%|of 100|sure", told)
        if len(position.moves()) == 1:
            assert told == "There is no other move."
        elif "about as good" not in told:
            found = re.search(rf"In 20 imagined futures it fares {rank}\.$", told)
            assert found, told
            assert int(found["moves"] or 2) == len(position.moves())


def test_the_move_that_comes_next_is_another_legal_one(reasons):
    named = [
        (position, thought, re.search("fares .*“(.+)”", thought.reason))
        for position, thought in reasons
    ]
    assert len(named) > 60
    for position, thought, found in named:
        if found:
            second = position.game.move(found[1])
            assert position.check(second)
            assert second != thought.move


def test_so_many_futures_are_imagined(state):
    assert len(list(MonteCarlo(7).think(state, Chance.seeded(1)))) == 7
    assert bot("montecarlo:30").rollouts == 30


def test_the_game_advises_how_many_futures_to_imagine(state):
    assert len(list(MonteCarlo().think(state, Chance.seeded(1)))) == state.game.futures


def test_thinking_stops_when_the_time_is_up(state, monkeypatch):
    seconds = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))
    thoughts = list(MonteCarlo(1000, seconds=5).think(state, Chance.seeded(1)))
    assert [thought.done for thought in thoughts] == [0.2, 0.4, 0.6, 0.8, 1.0]


# -- a limit for a turn ------------------------------------------------------------------------


@pytest.fixture
def seconds(monkeypatch):
    """A clock that a second passes on whenever somebody looks at it."""
    passed = iter(range(100_000))
    monkeypatch.setattr(time, "monotonic", lambda: next(passed))


def thoughts_of_a_turn(player, state):
    """How often a bot thinks about each move of its turn, and the state after it."""
    seat, often = state.to_move, []
    while state.to_move == seat:
        thoughts = list(player.think(state, Chance.seeded(len(often))))
        assert [each.done for each in thoughts] == sorted(each.done for each in thoughts)
        assert thoughts[-1].done == 1
        often.append(len(thoughts))
        state = state.after(thoughts[-1].move)
    return often, state


def test_all_moves_of_a_turn_share_its_seconds(seconds, state):
    player, advised = seated("montecarlo:9000:2000"), state.game.futures
    often, after = thoughts_of_a_turn(player, state)
    first, second, *later = often
    assert 9000 > first > second > advised
    assert all(times == 1 or times >= advised for times in later)
    (other, *_), _ = thoughts_of_a_turn(player, after)
    assert other == first  # the next seat has a turn of its own


def test_a_turn_that_begins_anew_has_all_its_seconds(seconds, state):
    player = seated("montecarlo:9000:2000")
    often = [len(list(player.think(state, Chance.seeded(1)))) for _ in range(2)]
    assert often[0] == often[1]


def test_where_a_turn_has_time_the_futures_decide_alone(state):
    limited, free = seated("montecarlo:70:3600"), seated("montecarlo:70")
    chance = Chance.seeded(3)
    assert limited.choose(state, chance) == free.choose(state, chance)
    assert list(limited.think(state, chance)) == list(free.think(state, chance))


def test_however_late_it_is_the_advised_futures_are_imagined(seconds, state):
    player = seated("montecarlo:500:1")
    assert len(list(player.think(state, Chance.seeded(1)))) == state.game.futures


def test_the_bot_that_thinks_long_keeps_others_waiting_for_less_than_a_minute():
    assert 3 * bot(LONG_THINKER).turn < 60
    assert seated(LONG_THINKER).label == LONG_THINKER
    assert seated(bot(LONG_THINKER)).label == "montecarlo:1500 in 15 s a turn"


@pytest.mark.parametrize("name", ["montecarlo:9:", "montecarlo:9:0", "montecarlo:9:x:1"])
def test_a_turn_has_a_number_of_seconds(name):
    with pytest.raises(CastlelabError, match="come the seconds of a turn, from 1 to 3600"):
        bot(name)


def test_a_forced_move_needs_one_look():
    game = castlelab.load("castle_keep")
    state, chance = game.start(3), Chance.seeded(3)
    while len(state.moves()) > 1:
        move, chance = Random().choose(state, chance)
        state = state.after(move)
    (thought,) = MonteCarlo(50).think(state, chance)
    assert thought == (1.0, state.moves()[0], "There is no other move.")


def test_a_win_at_hand_is_taken():
    """Every castle that one tile finishes is finished."""
    game, found = castlelab.load("castle_keep"), 0
    for seed in range(30):
        state, chance = game.start(seed), Chance.seeded(seed)
        while not state.over:
            seat = state.to_move
            ends = [move for move in state.moves() if state.after(move).winners == (seat,)]
            if ends:
                found += 1
                assert MonteCarlo(60).choose(state, chance)[0] in ends
            move, chance = Greedy().choose(state, chance)
            state = state.after(move)
    assert found > 5


@pytest.mark.parametrize("rollouts", [0, -1, 1.5, True, "9"])
def test_a_number_of_futures_is_a_whole_number(rollouts):
    with pytest.raises(CastlelabError, match="whole number of at least 1"):
        MonteCarlo(rollouts)


@pytest.mark.parametrize("seconds", [0, -2, float("nan")])
def test_time_to_think_is_above_nothing(seconds):
    with pytest.raises(CastlelabError, match="seconds are a number above 0"):
        MonteCarlo(9, seconds)


@pytest.mark.parametrize("name", ["montecarlo:", "montecarlo:0", "montecarlo:-3", "montecarlo:²"])
def test_a_name_with_a_wrong_number_is_refused(name):
    with pytest.raises(CastlelabError, match="comes a number of futures"):
        bot(name)


def test_only_montecarlo_takes_a_number():
    with pytest.raises(CastlelabError, match="there is no bot 'greedy:3'"):
        bot("greedy:3")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["castle_keep", "castle_rampage"])
def test_montecarlo_beats_random_from_either_seat(name):
    game, wins = castlelab.load(name), 0
    for seed in range(8):
        seat = seed % 2
        players = (MonteCarlo(12), Random()) if seat == 0 else (Random(), MonteCarlo(12))
        end, _ = play_out(game.start(seed), players, Chance.seeded(seed))
        wins += end.winners == (seat,)
    assert wins >= 6
