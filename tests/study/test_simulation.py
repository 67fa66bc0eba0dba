"""Runs of many games: the same result however the work is shared, and sums that add up."""

import csv
import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from math import isclose
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from castlelab import cli
from castlelab.game import GAMES
from castlelab.rules import CastlelabError
from castlelab.study import GameFailed, Played, Study, replay, results, simulate
from castlelab.study import run as run_module
from castlelab.study.journal import JournalWarning
from castlelab.study.progress_bar import in_a_notebook
from castlelab.study.run import Run
from castlelab.study.workers import LostWork

RANDOM = ("random", "random")


@pytest.fixture(scope="module")
def run():
    return simulate("castell", games=6, bots=RANDOM, seed=3)


def made(*winners, bots=("a", "b")):
    """A study of made-up games in which these seats won."""
    played = (
        Played(number, (10 * number, 5), won, {"end": 20, "move": number})
        for number, won in enumerate(winners)
    )
    return Study("toy", bots, 1, tuple(played))


class Eager(Executor):
    """An executor that works at once, and counts."""

    def __init__(self):
        self.calls = 0

    def submit(self, fn, /, *args, **kwargs):
        self.calls += 1
        future = Future()
        future.set_result(fn(*args, **kwargs))
        return future

    def __len__(self):  # empty, and still an executor to use
        return 0


def test_the_seed_alone_decides(run):
    assert simulate("castell", games=6, bots=RANDOM, seed=3) == run
    assert simulate("castell", games=6, bots=RANDOM, seed=4) != run
    assert simulate("castell", games=6, bots=RANDOM, seed="3").played != run.played


def test_a_longer_run_begins_with_the_shorter_one(run):
    assert simulate("castell", games=2, bots=RANDOM, seed=3).played == run.played[:2]


def test_threads_give_the_same_result(run):
    with ThreadPoolExecutor(2) as executor:
        assert simulate("castell", games=6, bots=RANDOM, seed=3, executor=executor) == run


def test_processes_give_the_same_result(run):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert simulate("castell", games=6, bots=RANDOM, seed=3, executor=executor) == run


def test_any_executor_is_used_even_one_that_looks_empty(run):
    executor = Eager()
    assert simulate("castell", games=6, bots=RANDOM, seed=3, executor=executor) == run
    assert executor.calls > 0


def test_a_run_says_what_was_played(run):
    assert (run.game, run.bots, run.seed) == ("castell", RANDOM, 3)
    assert [one.number for one in run.played] == list(range(6))
    for one in run.played:
        assert one.winners == tuple(
            seat for seat, score in enumerate(one.scores) if score == max(one.scores)
        )
        assert one.moves["end"] == 20  # ten rounds of two turns
    assert run.moves["end"] == 120
    assert sum(run.lengths) == run.moves.total()


def test_options_players_and_an_edition_reach_the_game(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text(
        'game = "castell"\nname = "Dwarfs"\n[castellers]\n'
        "per_size = [150, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n",
        encoding="utf-8",
    )
    four = ("random",) * 4
    run = simulate("castell", 2, four, edition=own, variant="advanced")
    assert all(len(one.scores) == 4 for one in run.played)
    assert run.moves["end"] == 2 * 10 * 4
    assert run.played != simulate("castell", 2, four, variant="advanced").played
    assert run.played != simulate("castell", 2, four, edition=own).played


def test_shared_wins_are_divided_and_shares_add_up_to_one():
    study = made((0,), (0, 1), (1,), (0,))
    assert study.shares == (0.625, 0.375)  # (1 + ½ + 0 + 1) / 4 and the rest


def test_the_interval_is_wilsons():
    # For p = ½ and n = 4, z = 1.96: the middle stays ½ and the half width is
    # z/(1 + z²/n) · √(p(1−p)/n + z²/4n²) = 1.96/1.9604 · √(0.0625 + 0.060025) = 0.34996…
    low, high = made((0,), (1,), (0,), (1,)).interval(0)
    assert isclose(low, 0.15004, abs_tol=1e-4)
    assert isclose(high, 0.84996, abs_tol=1e-4)
    # All or nothing: n/(n + z²) and z²/(n + z²), with n = 4 and z² = 3.8416.
    sweep = made((0,), (0,), (0,), (0,))
    assert isclose(sweep.interval(0)[0], 4 / 7.8416)
    assert sweep.interval(0)[1] == 1
    assert sweep.interval(1)[0] == 0
    assert isclose(sweep.interval(1)[1], 3.8416 / 7.8416)


def test_lengths_and_moves_are_sums_over_the_kinds():
    study = made((0,), (1,), (0,))
    assert study.lengths == (20, 21, 22)
    assert study.moves == {"end": 60, "move": 3}


def test_a_study_prints_as_a_table():
    lines = str(made((0,), (0, 1))).splitlines()
    assert lines[0] == "2 games of toy, seed 1"
    assert lines[2].split()[:3] == ["1", "a", "75.0%"]
    assert lines[2].split()[-1] == "5.0"  # the mean of 0 and 10
    assert lines[3].split()[:3] == ["2", "b", "25.0%"]
    assert lines[4] == "moves a game: 20.5; by kind: end 40, move 1"


def test_json_keeps_everything(tmp_path, run):
    path = tmp_path / "run.json"
    run.save(path)
    assert Study.load(path) == run


def test_json_of_older_studies_is_still_read(tmp_path):
    """They did not tell their options and edition."""
    path = tmp_path / "old.json"
    one = {"number": 0, "scores": [10, 5], "winners": [0], "moves": {"end": 20}}
    table = {"game": "castell", "bots": ["greedy", "random"], "seed": "s", "played": [one]}
    path.write_text(json.dumps(table), encoding="utf-8")
    played = (Played(0, (10, 5), (0,), {"end": 20}),)
    assert Study.load(path) == Study("castell", ("greedy", "random"), "s", played)


def test_csv_has_a_line_a_game(tmp_path):
    path = tmp_path / "run.csv"
    made((0,), (0, 1)).save(str(path))
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["game", "score 1", "score 2", "winners", "end", "move"],
        ["0", "0", "5", "1", "20", "0"],
        ["1", "10", "5", "1 2", "20", "1"],
    ]


@pytest.mark.parametrize("name", ["run.txt", "run", "run.jsonl"])
def test_other_endings_are_refused_and_nothing_is_written(tmp_path, name):
    with pytest.raises(CastlelabError, match=r"\.json or \.csv"):
        made((0,)).save(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"games": 0}, "at least 1 game, not 0"),
        ({"games": -3}, "at least 1 game, not -3"),
        ({"games": 2.5}, "not 2.5"),
        ({"games": True}, "not True"),
        ({"games": "10"}, "not '10'"),
        ({"bots": ("greedy", "genius")}, "there is no bot 'genius'"),
        ({"bots": ("random",)}, "2 to 4 players, not 1"),
        ({"bots": ()}, "2 to 4 players, not 0"),
        ({"variant": "hard"}, "variant is one of"),
        ({"colour": "red"}, "has no option 'colour'"),
        ({"edition": "nowhere.toml"}, "cannot be read"),
        ({"seed": 1.5}, "a seed is"),
        ({"seed": None}, "a seed is"),
        ({"workers": 2}, "an executor has its own workers"),
        ({"workers": 0}, "use at least 1 worker, not 0"),
        ({"resume": True}, "resume goes on with a file"),
        ({"out": "run.csv"}, r"to a \.jsonl file, not to 'run\.csv'"),
    ],
)
def test_wrong_arguments_are_refused_before_any_work_is_handed_out(arguments, says):
    executor = Eager()
    with pytest.raises(CastlelabError, match=says):
        simulate("castell", executor=executor, **{"games": 1, "bots": RANDOM} | arguments)
    assert executor.calls == 0


def test_what_is_no_executor_is_refused_before_a_file_is_begun(tmp_path):
    for thing in (3, "threads", ThreadPoolExecutor):
        with pytest.raises(CastlelabError, match="an executor is one of"):
            simulate("castell", 1, RANDOM, executor=thing, out=tmp_path / "run.jsonl")
    assert not list(tmp_path.iterdir())


def test_an_unknown_game_is_refused():
    with pytest.raises(CastlelabError, match="there is no game 'chess'"):
        simulate("chess", games=1)


def test_progress_changes_nothing_but_what_is_shown(run, capsys):
    assert simulate("castell", games=6, bots=RANDOM, seed=3, progress=True) == run
    assert "6/6" in capsys.readouterr().err


def test_an_edition_that_was_changed_in_between_is_read_again(tmp_path):
    """Games are set up once for each run; the file's content counts, not its name."""
    path = tmp_path / "box.toml"
    results = []
    for sizes in ("15, 15", "25, 5"):
        counts = f"per_size = [{sizes}, {', '.join(['15'] * 8)}]"
        path.write_text(f'game = "castell"\nname = "mine"\n[castellers]\n{counts}\n')
        results.append(simulate("castell", games=2, bots=("random",) * 2, seed=3, edition=path))
    assert results[0].played != results[1].played


# One game out of many


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_a_run_can_be_seen_again(game):
    one = simulate(game, games=2, bots=RANDOM, seed="s").played[1]
    record = replay(game, 1, RANDOM, seed="s")
    assert record.state.over
    assert (record.state.scores, record.state.winners) == (one.scores, one.winners)
    assert len(record.moves) == one.length


def test_there_is_no_game_before_the_first():
    with pytest.raises(CastlelabError, match="numbered from 0"):
        replay("castell", -1)


def test_a_game_that_fails_is_named_and_can_be_seen_again(tmp_path, monkeypatch):
    out = tmp_path / "run.jsonl"
    calls = []

    def fail_in_the_third(*arguments):
        calls.append(arguments)
        if len(calls) == 3:
            raise ZeroDivisionError("the dog ate a casteller")
        return play_out(*arguments)

    play_out = run_module.play_out
    monkeypatch.setattr(run_module, "play_out", fail_in_the_third)
    with pytest.raises(
        GameFailed, match=r"game 2 of castell with seed 3 failed: Zero.* the dog"
    ) as e:
        simulate("castell", 6, RANDOM, 3, workers=1, out=out, variant="advanced")
    assert [one.number for one in Study.load(out).played] == [0, 1]
    call = re.search(r"castlelab\.study\.(replay\(.*\)) plays it again", str(e.value))
    record = eval(call[1], {"replay": replay})
    whole = simulate("castell", 6, RANDOM, 3, out=out, resume=True, variant="advanced")
    assert record.state.scores == whole.played[2].scores


# What a study is and shows


def test_a_study_cannot_be_changed(run):
    with pytest.raises(dataclasses.FrozenInstanceError):
        run.seed = 4
    with pytest.raises(TypeError):
        run.played[0].moves["end"] = 0
    with pytest.raises(TypeError):
        run.options["variant"] = "advanced"
    assert hash(run) == hash(simulate("castell", games=6, bots=RANDOM, seed=3))


def test_points_are_spread():
    study = made((0,), (0, 1), (1,))
    assert study.wins == (2, 2)
    assert study.scores(0) == (0, 10, 20)
    assert study.spread(1) == {5: 3}
    row = study.seats()[0]
    assert (row.least, row.median, row.most, row.mean) == (0, 10, 20, 10)
    assert (row.low, row.high) == study.interval(0)


def test_a_notebook_shows_a_table():
    study = dataclasses.replace(made((0,), (0, 1)), seed="<script>")
    html = study._repr_html_()
    assert "<script>" not in html
    assert html.count("<tr>") == 3
    for words in ("75.0%", "seed &lt;script&gt;", "moves a game: 20.5"):
        assert words in html


def test_a_study_plots_itself(run):
    figure = run.plot()
    assert [axes.get_title() for axes in figure.axes] == [
        "share of victories, 95 % interval",
        "points",
        "moves in a game",
        "moves by kind",
    ]
    wins, _, lengths, kinds = figure.axes
    assert [bar.get_height() for bar in wins.patches] == list(run.shares)
    assert sum(bar.get_height() for bar in lengths.patches) == 6
    assert sum(bar.get_width() for bar in kinds.patches) == run.moves.total()
    assert figure._repr_png_().startswith(b"\x89PNG")  # what a notebook asks for


def test_one_game_alone_can_be_plotted():
    made((0,)).plot()
    dataclasses.replace(made((0,)), played=(Played(0, (1, 1), (), {}),)).plot()


def test_nothing_heavy_is_imported_before_it_is_needed():
    code = (
        "import sys; from castlelab.study import simulate; "
        "print(simulate('castle_keep', 2)); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}
    assert not loaded & {"matplotlib", "numpy", "tqdm", "distributed", "IPython"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a study"),
        ('{"game": "castell", "played": []}', "holds no finished game"),
        ('{"game": "castell", "played": [7], "bots": ["a"], "seed": 1}', "not a game"),
        ('{"played": [7]}', "is not a study"),
    ],
)
def test_a_file_that_is_no_study_is_told(tmp_path, text, says):
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CastlelabError, match=says):
        Study.load(path)


def test_files_that_are_not_there_or_not_ours_are_told(tmp_path):
    for name, says in (("a.json", "cannot be read"), ("a.jsonl", "cannot be read"), ("a", "from")):
        with pytest.raises(CastlelabError, match=says):
            Study.load(tmp_path / name)


def test_a_file_that_cannot_be_written_keeps_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "run.csv"
    path.write_text("older", encoding="utf-8")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(results.Path, "write_text", full)
    with pytest.raises(CastlelabError, match=r"run\.csv cannot be written: No space"):
        made((0,)).save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["run.csv"]
    assert path.read_text(encoding="utf-8") == "older"


def test_games_in_a_wrong_order_make_no_sense(tmp_path, run):
    path = tmp_path / "run.json"
    dataclasses.replace(run, played=run.played[::-1]).save(path)
    with pytest.raises(CastlelabError, match="what should be game 0 does not make sense"):
        Study.load(path)


# Progress


def test_nobody_who_does_not_watch_sees_a_bar(capsys):
    simulate("castle_keep", games=2, seed=3)
    assert capsys.readouterr().err == ""


def test_a_notebook_is_recognised(monkeypatch):
    class Shell:
        kernel = None

    class IPython:
        get_ipython = Shell

    assert not in_a_notebook()
    monkeypatch.setitem(sys.modules, "IPython", IPython)
    assert in_a_notebook()


# Files of a run, and interruptions


KEEP = {"game": "castle_keep", "games": 8, "bots": RANDOM, "seed": 5}


@pytest.fixture(scope="module")
def keep(tmp_path_factory):
    """A run that nobody interrupted, and its file."""
    path = tmp_path_factory.mktemp("keep") / "run.jsonl"
    return simulate(**KEEP, workers=1, out=path), path.read_bytes()


class Stops(Executor):
    """Is interrupted by Ctrl-C after so many pieces of work."""

    def __init__(self, after):
        self.after = after

    def submit(self, fn, /, *args, **kwargs):
        if not self.after:
            raise KeyboardInterrupt
        self.after -= 1
        return Eager().submit(fn, *args, **kwargs)


@given(data=st.data())
@settings(max_examples=25)
def test_however_it_is_interrupted_the_result_is_the_same(keep, tmp_path_factory, data):
    """Ctrl-C and a torn end, again and again, each time with another executor."""
    result, whole = keep
    out = tmp_path_factory.mktemp("run") / "run.jsonl"
    for _ in range(data.draw(st.integers(0, 3))):
        after = data.draw(st.integers(0, 9))
        with suppress(KeyboardInterrupt), warnings.catch_warnings():
            warnings.simplefilter("ignore", JournalWarning)
            simulate(**KEEP, executor=Stops(after), out=out, resume=True)
        kept = out.read_bytes()
        assert whole.startswith(kept)
        out.write_bytes(kept[: data.draw(st.integers(0, len(kept)))])  # and the power fails
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JournalWarning)
        assert simulate(**KEEP, executor=Eager(), out=out, resume=True) == result
    assert out.read_bytes() == whole
    assert Study.load(out) == result


def test_a_file_grows_to_a_longer_run_and_never_shrinks(tmp_path, keep):
    result, whole = keep
    out = tmp_path / "run.jsonl"
    simulate(**KEEP | {"games": 3}, out=out)
    assert simulate(**KEEP, out=out, resume=True) == result
    assert out.read_bytes() == whole
    with pytest.raises(CastlelabError, match="holds 8 games already, more than 3"):
        simulate(**KEEP | {"games": 3}, out=out, resume=True)
    with pytest.raises(CastlelabError, match="is there already"):
        simulate(**KEEP, out=out)
    assert out.read_bytes() == whole


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seed": 6}, "seed 5 instead of 6"),
        ({"game": "castell"}, "game 'castle_keep' instead of 'castell'"),
        ({"bots": ("greedy", "random")}, "bots "),
        ({"way": "empire"}, "options "),
    ],
)
def test_the_file_of_another_run_is_refused(tmp_path, keep, change, says):
    out = tmp_path / "run.jsonl"
    out.write_bytes(keep[1])
    with pytest.raises(CastlelabError, match=f"holds another run: .*{says}"):
        simulate(**KEEP | change, out=out, resume=True)
    assert out.read_bytes() == keep[1]


def test_the_file_of_another_edition_or_castlelab_is_refused(tmp_path, box, monkeypatch):
    out = tmp_path / "run.jsonl"
    simulate("castell", 1, RANDOM, out=out)
    with pytest.raises(CastlelabError, match=r"another run: edition '.*' instead of '.*'"):
        simulate("castell", 1, RANDOM, out=out, edition=box, resume=True)
    monkeypatch.setattr(run_module, "__version__", "99.0")
    with pytest.raises(CastlelabError, match=r"another run: version '.*' instead of '99\.0'"):
        simulate("castell", 1, RANDOM, out=out, resume=True)


def test_an_edition_travels_to_the_workers(box):
    """Another machine does not have the file."""
    here = simulate("castell", 2, RANDOM, edition=box, workers=1)

    class Removes(ProcessPoolExecutor):
        def submit(self, fn, /, *args, **kwargs):
            box.unlink(missing_ok=True)
            return super().submit(fn, *args, **kwargs)

    with Removes(1, mp_context=get_context("spawn")) as executor:
        assert simulate("castell", 2, RANDOM, edition=box, executor=executor) == here


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": "0.0.1"}, "a worker has castlelab"),
        ({"digest": "f00"}, "another house edition"),
    ],
)
def test_a_worker_with_other_rules_refuses(change, says):
    run = Run.prepared("castell", RANDOM, 1, None, {})
    with pytest.raises(CastlelabError, match=says):
        dataclasses.replace(run, **change).set_up()


def test_lost_work_says_what_is_kept(tmp_path):
    class Breaks(Eager):
        def submit(self, fn, /, *args, **kwargs):
            future = super().submit(fn, *args, **kwargs)
            if self.calls > 2:
                future = Future()
                future.set_exception(ConnectionResetError("gone"))
            return future

    with pytest.raises(LostWork, match=r"gone; 2 games are in run\.jsonl, and resume goes on"):
        simulate(**KEEP, executor=Breaks(), out=tmp_path / "run.jsonl")
    with pytest.raises(LostWork, match="gone; nothing was kept"):
        simulate(**KEEP, executor=Breaks())


# Whole processes that end badly


LONG = ["castle_keep", "--games", "1500", "--seed", "2", "--workers", "2", "--out", "run.jsonl"]


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """The long run in peace, and its file."""
    path = tmp_path_factory.mktemp("long") / "run.jsonl"
    result = simulate("castle_keep", 1_500, ("greedy", "random"), 2, workers=1, out=path)
    return f"{result}\n", path.read_bytes()


def command(*words):
    return [sys.executable, "-m", "castlelab", "simulate", *LONG, *words]


def begin(folder, lines=11):
    """Start the long run, and wait until so much of it is written."""
    process = subprocess.Popen(
        command(),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Tests that run in the background of a shell ignore Ctrl-C, and so would the run.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    file = folder / "run.jsonl"
    while not (file.exists() and file.read_bytes().count(b"\n") >= lines):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return process


def go_on(folder):
    return subprocess.run(
        command("--resume"),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups")
def test_a_killed_run_goes_on(tmp_path, long):
    process = begin(tmp_path)
    process.kill()
    process.communicate(timeout=60)  # returns when the last worker has closed its end, too
    kept = (tmp_path / "run.jsonl").read_bytes()
    assert len(kept) < len(long[1])
    assert long[1].startswith(kept)
    done = go_on(tmp_path)
    assert (done.returncode, done.stdout) == (0, long[0])
    assert (tmp_path / "run.jsonl").read_bytes() == long[1]


STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups")
# 1 line: the processes are just being started; 12 lines: they are at work.
@pytest.mark.parametrize("lines", [1, 12])
# A terminal sends Ctrl-C to the workers as well; the impatient send it again and again.
@pytest.mark.parametrize(("send", "times"), [("kill", 1), ("killpg", 1), ("killpg", 20)])
@pytest.mark.parametrize("number", STATUS)
def test_whoever_stops_a_run_learns_how_to_go_on(tmp_path, long, number, send, times, lines):
    process = begin(tmp_path, lines)
    for _ in range(times):
        with suppress(ProcessLookupError):
            getattr(os, send)(process.pid, number)
        time.sleep(0.005)
    out, err = process.communicate(timeout=60)  # returns when the last worker has gone, too
    assert (process.returncode, out) == (STATUS[number], "\n" if number == signal.SIGINT else "")
    kept_games = r"\d+ games are in run\.jsonl, and resume goes on with them"
    kept_nothing = r"|run\.jsonl is as it was" * (lines == 1)  # its first line was being written
    assert re.fullmatch(rf"castlelab: stopped; ({kept_games}{kept_nothing})\n", err)
    kept = (tmp_path / "run.jsonl").read_bytes()
    assert long[1].startswith(kept)
    if lines > 1 and times == 1:  # once is enough: the bytes are the same, however it was stopped
        done = go_on(tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, long[0], "")
        assert (tmp_path / "run.jsonl").read_bytes() == long[1]


def test_a_run_that_is_not_stopped_leaves_the_signals_as_they_were(capsys):
    before = [signal.getsignal(number) for number in STATUS]
    assert cli.main(["simulate", "castle_keep", "--games", "6", "--workers", "2"]) == 0
    assert cli.main(["simulate", "castle_keep", "--games", "6", "--bots", "hal,hal"]) == 2
    assert [signal.getsignal(number) for number in STATUS] == before


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_the_run_goes_on(tmp_path, long):
    """A limit on the size of files does what a full disk does: half a write, then an error."""
    pytest.importorskip("resource")
    room = len(long[1]) // 3
    code = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}));"
        "from castlelab.cli import main; sys.exit(main())"
    )
    words = [sys.executable, "-c", code, "simulate", *LONG]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(
        r"castlelab: run\.jsonl cannot be written: .*; the \d+ games in it are kept\n", done.stderr
    )
    kept = (tmp_path / "run.jsonl").read_bytes()
    assert long[1].startswith(kept)
    assert kept.endswith(b"\n")
    done = go_on(tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, long[0], "")
    assert (tmp_path / "run.jsonl").read_bytes() == long[1]
