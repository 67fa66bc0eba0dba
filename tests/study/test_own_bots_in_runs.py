"""Runs with bots of one's own: anywhere the same result, and every fault named and counted."""

import csv
import json
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import castlelab
from castlelab.bots import BotFault, MonteCarlo
from castlelab.rules import CastlelabError
from castlelab.study import Fault, GameFailed, Played, Study, replay, simulate, workers
from castlelab.study.journal import JournalError

KEEP = {"game": "castle_keep", "games": 12, "seed": 5}


class First:
    def choose(self, view, chance):
        return view.moves()[0]


class Lucky:
    """Draws a move, as whoever wants to be the same everywhere does."""

    name = "lucky"

    def choose(self, view, chance):
        return chance.choice(view.moves())


class Flawed(Lucky):
    """Goes wrong in some games, in three ways."""

    name = "flawed"

    def choose(self, view, chance):
        number, chance = chance.below(60)
        if number == 0:
            raise ZeroDivisionError("oh")
        if number == 1:
            return "attack 9,9 0"
        return super().choose(view, chance)


class Hopeless:
    def choose(self, view, chance):
        return None


@pytest.fixture(scope="module")
def lucky():
    return simulate(**KEEP, bots=(Lucky(), "greedy"), workers=1)


@pytest.fixture(scope="module")
def flawed():
    return simulate(**KEEP, bots=(Flawed, "greedy"), workers=1, on_fault="skip")


# Who plays


def test_a_bot_of_ones_own_plays_beside_ours(lucky):
    assert lucky.bots == ("lucky", "greedy")
    assert len(lucky.played) == 12
    assert lucky.faults == ()
    assert "lucky" in str(lucky)
    assert (
        replay(
            **{k: v for k, v in KEEP.items() if k != "games"}, number=3, bots=(Lucky, "greedy")
        ).state.scores
        == lucky.played[3].scores
    )


def test_one_bot_may_take_all_seats():
    for one, name in (("random", "random"), (First, "First"), (MonteCarlo(2), "montecarlo:2")):
        assert simulate("castle_keep", 1, one).bots == (name, name)
    assert simulate("castell", 1, "random", players=3).bots == ("random",) * 3


def test_a_loaded_game_is_played_as_it_was_loaded(tmp_path):
    game = castlelab.load("castell", players=3, variant="advanced")
    run = simulate(game, 2, seed=4)
    assert run.bots == ("greedy", "random", "random")
    assert run == simulate("castell", 2, run.bots, 4, variant="advanced")
    own = tmp_path / "own.toml"
    sizes = "per_size = [150, 0, 0, 0, 0, 0, 0, 0, 0, 0]"
    own.write_text(f'game = "castell"\nname = "Dwarfs"\n[castellers]\n{sizes}\n', "utf-8")
    dwarfs = simulate(castlelab.load("castell", edition=own), 2, "random")
    assert dwarfs == simulate("castell", 2, "random", edition=own)
    assert dwarfs.played != simulate("castell", 2, "random").played


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"bots": ("greedy",)}, "2 seats of castell need as many bots, not 1"),
        ({"bots": "random", "players": 3}, "leave those out"),
        ({"variant": "advanced"}, "is loaded with its players, edition and options"),
        ({"edition": "box.toml"}, "leave those out"),
        ({"bots": 7}, "bots are one for each seat, or one for all, not 7"),
        ({"bots": {0: "random"}}, "bots are one for each seat"),
        ({"bots": (First, object())}, "a bot is the name of one"),
        ({"on_fault": "cry"}, "on_fault is 'stop' or 'skip', not 'cry'"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, says):
    with pytest.raises(CastlelabError, match=says):
        simulate(castlelab.load("castell"), 1, **arguments)


def test_the_usual_bots_fit_any_number_of_seats():
    assert simulate("castle_keep", 1, way="solitaire").bots == ("greedy",)
    assert simulate("castle_keep", 1).bots == ("greedy", "random")
    with pytest.raises(CastlelabError, match="3 seats of castell need as many bots, not 2"):
        simulate("castell", 1, ("random", "random"), players=3)


# Anywhere the same


def test_processes_and_threads_give_the_same_result(lucky):
    assert simulate(**KEEP, bots=(Lucky(), "greedy"), workers=2) == lucky
    with ThreadPoolExecutor(2) as executor:
        assert simulate(**KEEP, bots=(Lucky, "greedy"), executor=executor) == lucky


@pytest.mark.skipif(not workers.CAN_FORK, reason="only where processes are forked")
def test_a_bot_that_cannot_be_sent_is_inherited(lucky):
    class Local(Lucky):
        pass

    sent = lambda view, chance: Local().choose(view, chance)  # noqa: E731
    sent.name = "lucky"
    assert simulate(**KEEP, bots=(Local, "greedy"), workers=2) == lucky
    assert simulate(**KEEP, bots=(sent, "greedy"), workers=2) == lucky


def test_where_nothing_is_forked_it_is_said_what_to_do(lucky, monkeypatch):
    class Local(Lucky):
        pass

    monkeypatch.setattr(workers, "CAN_FORK", False)
    with pytest.raises(CastlelabError, match="write it in a module and import it, or play here"):
        simulate(**KEEP, bots=(Local, "greedy"), workers=2)
    for name in ("LOOK_SECONDS", "WORTH_SECONDS"):
        monkeypatch.setattr(workers, name, 0.0)
    assert simulate(**KEEP, bots=(Local, "greedy")) == lucky  # played here, however long it takes


def test_an_executor_of_processes_that_cannot_get_the_bot_is_refused():
    class Local(Lucky):
        pass

    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor,
        pytest.raises(CastlelabError, match="cannot be sent to other processes"),
    ):
        simulate(**KEEP, bots=(Local, "greedy"), executor=executor)


SCRIPT = """
from castlelab.study import simulate, workers

class Mine:
    def choose(self, view, chance):
        return chance.choice(view.moves())

{before}
print(simulate("castle_keep", 8, bots={bots}, workers=2).wins)
"""


def run_script(tmp_path, bots, before="", as_file=True):
    text = SCRIPT.format(bots=bots, before=before)
    path = tmp_path / "script.py"
    path.write_text(text, encoding="utf-8")
    words = [str(path)] if as_file else ["-"]  # a notebook has no file either
    return subprocess.run(
        [sys.executable, *words],
        input=None if as_file else text,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.slow
@pytest.mark.parametrize("bots", ['("greedy", "random")', "(Mine, 'greedy')"])
@pytest.mark.parametrize("as_file", [True, False])
def test_a_plain_script_needs_no_guard(tmp_path, bots, as_file):
    if "Mine" in bots and not workers.CAN_FORK:
        pytest.skip("only where processes are forked")
    done = run_script(tmp_path, bots, as_file=as_file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("(")
    assert done.stdout.count("\n") == 1  # the script was read once


@pytest.mark.slow
@pytest.mark.skipif(not workers.CAN_FORK, reason="only where processes are forked")
def test_a_bot_in_a_script_finds_what_lies_beside_it(tmp_path):
    bot = "lambda view, chance: view.moves()[len(__file__) - len(__file__)]"
    done = run_script(tmp_path, bot)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(not workers.CAN_FORK, reason="only where processes are forked")
def test_forked_workers_end_with_whom_they_work_for(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import os, pathlib, time\n"
        "from castlelab.study import simulate\n"
        "def sleepy(view, chance):\n"
        "    (pathlib.Path(__file__).parent / f'{os.getpid()}.pid').touch()\n"
        "    time.sleep(0.05)\n"
        "    return view.moves()[0]\n"
        "simulate('castle_keep', 5000, sleepy, workers=2)\n",
        encoding="utf-8",
    )
    with subprocess.Popen([sys.executable, script]) as parent:
        while len(pids := [int(path.stem) for path in tmp_path.glob("*.pid")]) < 2:
            assert parent.poll() is None
            time.sleep(0.05)
        parent.kill()
    for pid in pids:
        while Path(f"/proc/{pid}").exists():
            time.sleep(0.05)


@pytest.mark.slow
def test_where_a_guard_is_needed_it_is_said(tmp_path):
    done = run_script(tmp_path, "Mine", "workers.CAN_FORK = False")
    assert done.returncode == 1
    assert done.stdout == ""
    assert 'write what it does under `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
    done = run_script(tmp_path, "Mine", "workers.CAN_FORK = False\nif __name__ == '__main__':\\")
    assert done.stdout.startswith("("), done.stderr
    done = run_script(tmp_path, "Mine", "workers.CAN_FORK = False", as_file=False)
    assert "write it in a module and import it" in done.stderr.splitlines()[-1]


# Faults


def test_a_fault_stops_the_run_and_is_named(tmp_path, flawed):
    out = tmp_path / "run.jsonl"
    first = flawed.faults[0]
    with pytest.raises(GameFailed) as caught:
        simulate(**KEEP, bots=(Flawed, "greedy"), workers=2, out=out)
    assert caught.value.fault == first
    told = str(caught.value)
    assert told.startswith(f"game {first.number} of castle_keep with seed 5 failed: flawed (seat 1")
    assert f"move {first.move}) " in told
    assert f"replay('castle_keep', {first.number}, (flawed, 'greedy'), seed=5" in told
    assert f"{first.number} games are in run.jsonl, and resume goes on with them" in told
    rows = out.read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + first.number  # all that came before, and nothing else


def test_a_mended_bot_goes_on_where_the_run_stopped(tmp_path):
    class Mended(Lucky):
        name = "flawed"

    out = tmp_path / "run.jsonl"
    with pytest.raises(GameFailed):
        simulate(**KEEP, bots=(Flawed, "greedy"), workers=1, out=out)
    before = len(out.read_text(encoding="utf-8").splitlines()) - 1
    whole = simulate(**KEEP, bots=(Mended, "greedy"), workers=1, out=out, resume=True)
    assert len(whole.played) == 12
    mended = simulate(**KEEP, bots=(Mended, "greedy"), workers=1)
    assert whole.played[before:] == mended.played[before:]


def test_with_skip_the_run_goes_on_and_tells_what_is_missing(flawed):
    assert flawed.faults
    numbers = sorted(one.number for one in (*flawed.played, *flawed.faults))
    assert numbers == list(range(12))
    assert sum(flawed.shares) == pytest.approx(1)
    ways = {fault.reason.split()[0] for fault in flawed.faults}
    assert ways <= {"raised", "played"}
    first = flawed.faults[0]
    line = str(flawed).splitlines()[-1]
    assert line == (
        f"{len(flawed.faults)} games left out by fault of flawed (seat 1) in "
        f"{len(flawed.faults)}; the first is game {first.number}: {first}"
    )
    assert "games left out by fault of flawed" in flawed._repr_html_()
    assert "games left out by fault of flawed" in flawed.plot()._suptitle.get_text()


def test_faults_are_the_same_anywhere_and_kept_in_files(tmp_path, flawed):
    out = tmp_path / "run.jsonl"
    run = {**KEEP, "bots": (Flawed, "greedy"), "on_fault": "skip"}
    assert simulate(**run, workers=2, out=out) == flawed
    assert Study.load(out) == flawed
    whole = out.read_bytes()
    out.write_bytes(b"".join(whole.splitlines(keepends=True)[:8]))  # it was interrupted
    assert simulate(**run, workers=1, out=out, resume=True) == flawed
    assert out.read_bytes() == whole
    flawed.save(tmp_path / "run.json")
    assert Study.load(tmp_path / "run.json") == flawed
    flawed.save(tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["game"] for row in rows] == [str(number) for number in range(12)]
    assert {int(row["game"]) for row in rows if row["fault"]} == {f.number for f in flawed.faults}


def test_a_run_without_a_single_game_is_an_error():
    with pytest.raises(GameFailed, match=r"game 0 .* Hopeless \(seat 1, move 1\) gave nothing"):
        simulate("castle_keep", 3, Hopeless, on_fault="skip", workers=1)


@pytest.mark.parametrize("change", [{"seat": 7}, {"seat": "0"}, {"reason": 3}])
def test_a_fault_that_makes_no_sense_is_refused(tmp_path, flawed, change):
    path = tmp_path / "run.json"
    flawed.save(path)
    table = json.loads(path.read_text(encoding="utf-8"))
    table["faults"][0]["fault"] |= change
    path.write_text(json.dumps(table), encoding="utf-8")
    with pytest.raises(CastlelabError, match="does not make sense"):
        Study.load(path)


def test_a_spoilt_game_can_be_seen_up_to_the_fault(flawed):
    first = flawed.faults[0]
    with pytest.raises(BotFault) as caught:
        replay("castle_keep", first.number, (Flawed, "greedy"), seed=5)
    assert (caught.value.bot, caught.value.seat, caught.value.move) == ("flawed", 0, first.move)
    assert len(caught.value.record.moves) == first.move - 1
    assert caught.value.record.state.to_move == 0


def test_a_bot_that_stalls_is_counted_too():
    class Dozes(Lucky):
        def choose(self, view, chance):
            while chance.below(40)[0] == 0:
                pass
            return super().choose(view, chance)

    run = simulate(**KEEP, bots=(Dozes, "greedy"), budget=0.1, on_fault="skip", workers=1)
    assert {fault.reason for fault in run.faults} == {"took longer than 0.2 seconds"}


def test_another_bot_cannot_go_on_with_the_file(tmp_path):
    out = tmp_path / "run.jsonl"
    run = {**KEEP, "games": 3, "workers": 1, "out": out}
    simulate(**run, bots=(First, "greedy"))
    with pytest.raises(JournalError, match=r"holds another run: bots .*First.* instead of .*lucky"):
        simulate(**run | {"games": 5}, bots=(Lucky, "greedy"), resume=True)
    with pytest.raises(JournalError, match=r"budget 10\.0 instead of 3\.0"):
        simulate(**run | {"games": 5}, bots=(First, "greedy"), budget=3, resume=True)


def test_files_of_our_own_bots_are_as_they_were(tmp_path):
    out = tmp_path / "run.jsonl"
    simulate("castle_keep", 1, "random", out=out)
    header = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert [*header] == [
        *("castlelab", "version", "game", "bots", "seed", "options", "edition", "check")
    ]


# Plots


def test_a_plot_goes_where_it_is_asked_to(lucky):
    titles = {
        None: "share of victories, 95 % interval",
        "wins": "share of victories, 95 % interval",
        "points": "points",
        "lengths": "moves in a game",
        "moves": "moves by kind",
    }
    for what, title in titles.items():
        ax = Figure().subplots()
        assert lucky.plot(what, ax=ax) is ax
        assert ax.get_title() == title
    assert [axes.get_title() for axes in lucky.plot("points").axes] == ["points"]


def test_a_plot_that_is_not_there_is_told(lucky):
    with pytest.raises(CastlelabError, match="wins, points, lengths, moves, not 'pie'"):
        lucky.plot("pie")
    with pytest.raises(CastlelabError, match="ax is an Axes of matplotlib, not 3"):
        lucky.plot(ax=3)


def test_games_can_be_made_up_with_faults():
    study = Study("toy", ("a", "b"), 1, (Played(1, (3, 1), (0,), {"end": 2}),))
    study = replace(study, faults=(Fault(0, "b", 1, 4, "gave nothing, which is no move"),))
    assert str(study).splitlines()[-1] == (
        "1 game left out by fault of b (seat 2) in 1; "
        "the first is game 0: b (seat 2, move 4) gave nothing, which is no move"
    )
