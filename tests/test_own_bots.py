"""Bots of one's own: what they are given, what they may answer, and what is said of faults."""

import functools
import json
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time

import pytest

import castlelab
from castlelab.bots import (
    BOT_NAMES,
    BotFault,
    Budget,
    Greedy,
    MonteCarlo,
    Random,
    Thought,
    play_out,
    seated,
)
from castlelab.chance import Chance
from castlelab.game import GAMES
from castlelab.rules import CastlelabError
from castlelab.study import simulate
from castlelab.testing import BotContract


@pytest.fixture(scope="module")
def state():
    return castlelab.load("castle_keep").start(5)


def first(view, chance):
    return view.moves()[0]


class Last:
    def choose(self, view, chance):
        return view.moves()[-1]


class Named(Last):
    name = "the last one"


def chosen(given, state, **options):
    return seated(given, **options).choose(state, Chance.seeded(1))[0]


def fault(given, state, **options):
    with pytest.raises(BotFault) as caught:
        chosen(given, state, **options)
    return caught.value


# What is a bot


@pytest.mark.parametrize(
    ("given", "label"),
    [
        (first, "first"),
        (Last, "Last"),
        (Last(), "Last"),
        (Named(), "the last one"),
        (lambda view, chance: view.moves()[0], "lambda"),
        (functools.partial(first), "first"),
        ("greedy", "greedy"),
        ("montecarlo:40", "montecarlo:40"),
        (Greedy, "greedy"),
        (MonteCarlo(40), "montecarlo:40"),
        (MonteCarlo(seconds=2), "montecarlo in 2 s"),
    ],
)
def test_many_things_are_bots(given, label, state):
    assert seated(given).label == label
    assert state.check(chosen(given, state))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (3, r"a bot is the name of one, .* not 3"),
        (None, "not None"),
        ("genius", "there is no bot 'genius'"),
        ("os:system", "there is no bot 'os:system'"),  # only the command line imports modules
        (lambda view: None, r"is asked for a move with \(view, chance\).* takes \(view\)"),
        (lambda a, b, c: None, r"takes \(a, b, c\)"),
        (type("Deep", (), {"__init__": lambda self, n: None}), "Deep cannot be made without arg"),
        (type("Comma", (Last,), {"name": "a,b"}), "no comma, not 'a,b'"),
        (type("Lines", (Last,), {"name": "a\nb"}), "a bot's name has"),
    ],
)
def test_other_things_are_refused_in_a_sentence(given, says):
    with pytest.raises(CastlelabError, match=says):
        seated(given)


@pytest.mark.parametrize("base", [Random, Greedy, MonteCarlo])
def test_nobody_passes_for_one_of_ours(base):
    assert seated(type("Mine", (base,), {})).label == "Mine"
    assert seated(type("Mine", (Last,), {"name": base.name})).label == "Mine"


# What it is given and may answer


@pytest.mark.parametrize("name", GAMES)
def test_it_is_given_the_view_of_its_seat_and_a_chance_of_its_own(name):
    state, chance = castlelab.load(name).start(1), Chance.seeded(2)
    seen = []

    def look(view, chance):
        seen.extend((view, chance))
        return view.moves()[0]

    seated(look).choose(state, chance)
    view, own = seen
    assert view == state.view(state.to_move)
    assert repr(view) == repr(state.view(state.to_move))
    assert isinstance(own, Chance)
    assert own != chance


@pytest.mark.parametrize("name", BOT_NAMES)
def test_ours_are_given_no_more_than_a_view_either(name, state, monkeypatch):
    """A view whose hidden parts would be filled in cannot come from anywhere else."""
    asked = []
    for cls in (Greedy, MonteCarlo):
        usual = cls.choose
        monkeypatch.setattr(
            cls,
            "choose",
            lambda self, view, chance, usual=usual: asked.append(view) or usual(self, view, chance),
        )
    chosen("montecarlo:5" if name == "montecarlo" else name, state)
    assert all(view == state.view(state.to_move) for view in asked)
    assert asked or name == "random"  # it wants to know nothing but the moves


def test_a_budget_comes_to_those_who_take_one(state):
    told = []

    class Thrifty:
        def choose(self, view, chance, *, budget):
            told.append(budget)
            return view.moves()[0]

    chosen(Thrifty, state, budget=3)
    assert told == [Budget(3, state.game.futures)]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda move, chance: move, ""),
        (lambda move, chance: str(move), ""),
        (lambda move, chance: (move, "I like it."), "I like it."),
        (lambda move, chance: (str(move), "I\nlike  it."), "I like it."),
        (lambda move, chance: (move, chance), ""),
        (lambda move, chance: Thought(0.5, move, "Half."), "Half."),
    ],
)
def test_a_move_may_come_as_text_and_with_a_reason(answer, reason, state):
    def own(view, chance):
        return answer(view.moves()[2], chance)

    assert chosen(own, state) == state.moves()[2]
    (thought,) = seated(own).think(state, Chance.seeded(1))
    assert (thought.move, thought.reason) == (state.moves()[2], reason)


def test_a_bot_that_thinks_is_looked_at_while_it_does(state):
    class Ponders(Last):
        def think(self, view, chance):
            for number, move in enumerate(view.moves()[:3], start=1):
                yield Thought(number / 3, str(move), "Perhaps.")

    thoughts = list(seated(Ponders).think(state, Chance.seeded(1)))
    assert [thought.move for thought in thoughts] == list(state.moves()[:3])


@pytest.mark.parametrize("done", [7, -1, float("nan"), "half", None])
def test_a_thought_is_done_in_part_or_whole(done, state):
    class Odd(Last):
        def think(self, view, chance):
            return [Thought(done, view.moves()[0], 3)]

    (thought,) = seated(Odd).think(state, Chance.seeded(1))
    assert (thought.done, thought.reason) == (1, "3")


def test_thoughts_that_belong_to_another_choice_are_not_asked_for(state):
    class Mine(Greedy):  # whose think would ask its choose for a chance
        def choose(self, view, chance):
            return view.moves()[-1]

    (thought,) = seated(Mine).think(state, Chance.seeded(1))
    assert thought.move == state.moves()[-1]


def test_what_a_bot_draws_or_returns_does_not_change_the_luck_of_others(state):
    def cheat(view, chance):
        return view.moves()[0], Chance.seeded("all sixes")

    def honest(view, chance):
        return view.moves()[0]

    ends = [play_out(state, (own, "random"), Chance.seeded(3)) for own in (cheat, honest)]
    assert ends[0] == ends[1]


def test_a_class_is_made_anew_for_each_game(state):
    class Forgetful:
        def __init__(self):
            self.asked = 0

        def choose(self, view, chance):
            self.asked += 1
            return view.moves()[0] if self.asked < 5 else view.moves()[-1]

    games = [play_out(state, (Forgetful, "random"), Chance.seeded(3)) for _ in range(2)]
    assert games[0] == games[1]


# Faults


def test_an_error_is_told_with_its_place(state):
    def broken(view, chance):
        raise KeyError("wall\nor gate")

    found = fault(broken, state)
    line = broken.__code__.co_firstlineno + 1
    assert str(found) == (
        rf"broken (seat 1) raised KeyError: 'wall\nor gate' (test_own_bots.py, line {line})"
    )
    assert isinstance(found.__cause__, KeyError)
    again = pickle.loads(pickle.dumps(found))
    assert (str(again), again.bot, again.seat) == (str(found), "broken", 0)


def test_an_error_that_a_game_raises_is_told_with_the_place_of_the_bot(state):
    def careless(view, chance):
        return view.play("attack nowhere")

    assert "(test_own_bots.py, line" in fault(careless, state).reason


def test_an_error_in_what_a_bot_calls_is_told_with_the_place_of_the_bot(state):
    def reads(view, chance):
        return json.loads("{")

    line = reads.__code__.co_firstlineno + 1
    assert f"(test_own_bots.py, line {line})" in fault(reads, state).reason


def test_leaving_is_no_answer(state):
    assert "raised SystemExit" in fault(lambda view, chance: sys.exit(), state).reason


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "gave nothing, which is no move"),
        (7, "gave an int, which is no move"),
        ([], "gave a list, which is no move"),
        ((), "gave a tuple, which is no move"),
        ("dance", "played 'dance', which is no move: no move starts with 'dance'"),
    ],
)
def test_what_is_no_move_is_told(answer, says, state):
    assert says in fault(lambda view, chance: answer, state).reason


def test_an_illegal_move_cites_its_rule():
    state = castlelab.load("castell").start(3)
    reason = fault(lambda view, chance: "recruit 9", state).reason
    assert reason.startswith("played an illegal move, recruit 9: ")
    assert "[castell/move]" in reason


@pytest.mark.parametrize("name", GAMES)
def test_a_move_of_another_game_is_told(name):
    state = castlelab.load(name).start(1)
    for other in GAMES:
        if other != name:
            stranger = castlelab.load(other).start(1).moves()[0]
            assert "move" in fault(lambda view, chance, move=stranger: move, state).reason


def test_a_fault_is_named_with_the_number_of_the_move(state):
    class Tires:
        def __init__(self):
            self.left = 3

        def choose(self, view, chance):
            self.left -= 1
            return view.moves()[0] if self.left else 1 / 0

    with pytest.raises(BotFault, match=r"^Tires \(seat 2, move (\d+)\) raised Zero") as caught:
        play_out(state, ("random", Tires), Chance.seeded(1))
    assert (caught.value.bot, caught.value.seat) == ("Tires", 1)
    assert caught.value.move > 3


needs_alarm = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarm there")


def for_ever(view, chance):
    while True:
        try:
            while True:
                pass
        except Exception:  # as the careless do
            continue


def asleep(view, chance):
    time.sleep(600)


@needs_alarm
@pytest.mark.parametrize("own", [for_ever, asleep])
def test_a_bot_that_stalls_is_interrupted(own, state):
    usual = signal.getsignal(signal.SIGALRM)
    assert fault(own, state, budget=0.05).reason == "took longer than 0.1 seconds"
    assert signal.getsignal(signal.SIGALRM) == usual
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@needs_alarm
def test_an_alarm_of_somebody_else_rings_all_the_same(state):
    rung = []
    usual = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 600)
        chosen(first, state)
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 600
        signal.raise_signal(signal.SIGALRM)
        assert rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)


def test_in_a_thread_a_stall_is_told_when_it_is_over(state, monkeypatch):
    clock = iter(range(0, 1000, 100))
    monkeypatch.setattr("castlelab.bots.alarm.time.monotonic", lambda: next(clock))
    reasons = []
    thread = threading.Thread(target=lambda: reasons.append(fault(first, state).reason))
    thread.start()
    thread.join()
    assert reasons == ["took longer than 20 seconds"]


def test_a_thinker_that_stalls_is_told(state):
    class Stuck(Last):
        def think(self, view, chance):
            yield Thought(0.1, view.moves()[0], "So far.")
            raise RuntimeError("stuck")

    thoughts = seated(Stuck).think(state, Chance.seeded(1))
    assert next(thoughts).reason == "So far."
    with pytest.raises(BotFault, match="raised RuntimeError: stuck"):
        next(thoughts)


@pytest.mark.parametrize("budget", [0, -1, True, "9", float("nan"), None])
def test_a_budget_is_a_number_of_seconds(budget):
    with pytest.raises(CastlelabError, match="a budget is a number of seconds"):
        simulate("castle_keep", 1, budget=budget)


# The contract


class TestLast(BotContract):
    game = "castle_keep"
    bot = Last


class TestFunction(BotContract):
    game = "castle_rampage"
    bot = first


class TestOurs(BotContract):
    game = "castle_keep"
    bot = "montecarlo:5"


def test_the_contract_finds_a_bot_that_rolls_dice_of_its_own():
    class Rolls(BotContract):
        game = "castle_keep"
        bot = staticmethod(lambda view, chance: random.choice(view.moves()))

    with pytest.raises(AssertionError, match="draw from the chance"):
        Rolls().test_what_it_cannot_see_does_not_change_its_move()


def test_the_contract_finds_a_bot_that_plays_what_is_illegal():
    class Wrong(BotContract):
        game = "castle_keep"
        bot = staticmethod(lambda view, chance: "end")

    with pytest.raises(BotFault, match=r"illegal move, .*\[castle_keep/"):
        Wrong().test_it_plays_legal_moves_to_the_end()


def test_bots_are_light_to_import():
    code = "import sys, castlelab.bots; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert not {"numpy", "matplotlib", "ipywidgets"} & set(done.stdout.split())
