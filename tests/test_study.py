"""Runs of many games: the same result however the work is shared, and sums that add up."""

import csv
import json
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from math import isclose
from multiprocessing import get_context

import pytest

from castlelab.rules import CastlelabError
from castlelab.study import Played, Study, simulate

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
    ],
)
def test_wrong_arguments_are_refused_before_any_work_is_handed_out(arguments, says):
    executor = Eager()
    with pytest.raises(CastlelabError, match=says):
        simulate("castell", executor=executor, **{"games": 1, "bots": RANDOM} | arguments)
    assert executor.calls == 0


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
