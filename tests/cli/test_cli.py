"""The command line: what it does, and what it says when asked wrongly."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import castlelab
from castlelab import cli
from castlelab.classroom import worksheet
from castlelab.cli.commands import COMMANDS
from castlelab.cli.move_list import all_lines, few_lines, in_groups
from castlelab.game import SEAT_NAMES
from castlelab.progress import Guesses, Progress, Solve
from castlelab.puzzles import ChooseOne, kinds, puzzle, read_code
from castlelab.record import Record
from castlelab.rules import CastlelabError, listed
from castlelab.server import launch, pages
from castlelab.server.terms import Terms
from castlelab.testing.choices import random_states

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with lines typed at its prompts: exit status, output, errors."""

    def run(*words: str, typed: Iterable[str] = ()) -> tuple[int, str, str]:
        lines = iter(typed)

        def answer(prompt: str = "") -> str:
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        status = cli.main(words)
        out, err = capsys.readouterr()
        return status, out, err

    return run


# Wrong arguments


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("sreve", "did you mean serve?"),
        ("dance", "there are serve, lab, play, puzzle, rules, simulate, worksheet, classroom"),
        ("serve --port nine", "a port is a number from 0 to 65535, not 'nine'"),
        ("serve --port 70000", "not '70000'"),
        ("serve --prot 9", "--prot"),
        ("serve --host nowhere.invalid --port 0", "cannot listen on nowhere.invalid"),
        ("--port 9", "did you mean 'castlelab serve --port 9'?"),
        ("--seed 3 play castell", "did you mean 'castlelab play --seed 3 castell'?"),
        ("play", "GAME"),
        ("play chess", "there is no game 'chess'; the games are castell"),
        ("play castell --players 9", "2 to 4 players, not 9"),
        ("play castell --players no", "players is a number of at least 1, not 'no'"),
        ("play castell --bot hal", "there is no bot 'hal'"),
        ("play castell --variant long", "variant is one of 'standard', 'advanced', not 'long'"),
        ("play castell --colour red", "--colour"),
        ("play castell --edition missing.toml", "missing.toml"),
        ("puzzle castell/tallest", "such as castell/tallest-3-42"),
        ("puzzle castell/tallest-9-1", "levels go from 1 to 5"),
        ("puzzle castell/dance-1-1", "castell/spot-the-breach"),
        ("rules", "GAME"),
        ("rules chess", "there is no game 'chess'"),
        ("rules castell castell/max-wdth", "did you mean castell/max-width"),
        ("rules castell --edition missing.toml", "missing.toml"),
        ("rules castell --edition no/my.toml", "castlelab: no/my.toml: cannot be read: No such"),
        ("rules castell --edition .", "castlelab: .: cannot be read: "),
        ("simulate castell --games 0", "games is a number of at least 1, not '0'"),
        ("simulate castell --bots greedy,hal", "there is no bot 'hal'"),
        ("simulate castell --bots greedy,random --players 1", "2 bots are too many for 1 players"),
        ("simulate castell --bot greedy --players 1", "2 to 4 players, not 1"),
        ("simulate castell --bot no_such:Bot", "no_such:Bot cannot be loaded: ModuleNotFoundError"),
        ("simulate castell --bot math:Bot", "math:Bot cannot be loaded: AttributeError"),
        ("simulate castell --bot math:pi", "a bot is the name of one"),
        ("simulate castell --bot my.py:Bot", "is named as module:Class, not 'my.py:Bot'"),
        ("simulate castell --bot a/b:Bot", "is named as module:Class, not 'a/b:Bot'"),
        ("simulate castell --budget none", "a number of seconds for a move, above 0, not 'none'"),
        ("simulate castell --on-fault cry", "--on-fault"),
        ("play castell --bot no_such:Bot", "no_such:Bot cannot be loaded"),
        ("simulate castell --bots random,random,random --players 2", "3 bots are too many"),
        ("simulate castell --workers 0", "workers is a number of at least 1, not '0'"),
        (
            "simulate castell --resume",
            "--resume goes on with a file; name it with --out FILE.jsonl",
        ),
        ("simulate castell --out x.csv --resume", "name it with --out FILE.jsonl"),
        ("simulate castell --out games.txt", "a .jsonl, .csv or .json file, not 'games.txt'"),
        ("simulate castell --workers 2 --dask head:8786", "leave --workers or --dask out"),
        ("worksheet", "KIND"),
        ("worksheet chess", "there are no puzzles 'chess'; name a kind"),
        ("worksheet castell/talest", "did you mean castell/tallest"),
        ("worksheet castell --levels 0-9", "levels go from 1 to 5, written as 3, 1-3 or 1,3"),
        ("worksheet castell --count no", "count is a number of at least 1, not 'no'"),
        ("worksheet castell --count 101", "a worksheet has 1 to 100 puzzles"),
        ("worksheet castell --address javascript:alert(1)", "starts with http:// or https://"),
        ("worksheet castell --links", "--links needs to know where your pages are: add --address"),
        ("worksheet castell --homework", "--homework needs to know where your pages are"),
        ("worksheet castell --age 3", "age is a number from 6 to 99, not '3'"),
        ("worksheet castell --count 1 --versions xy", "versions are called A to H, not 'x'"),
        ("classroom . --grades x.csv", "grades are those of a sheet: add --sheet and its link"),
        ("classroom . --sheet x", "'x' leads to no sheet"),
        ("classroom . --sheet x --guesses x.csv", "guesses are those of the courses"),
        ("classroom . --sheet x --points many", "points are numbers, such as 2 or 0.5"),
        ("worksheet castell --count 1 --out x.pdf", "x.pdf: a worksheet is saved as .html"),
        ("worksheet castell --count 1 --out missing/x.html", "x.html cannot be written"),
        ("classroom", "FOLDER"),
        ("classroom missing-folder", "'missing-folder' cannot be read: No such file"),
        ("classroom . --out x.txt", "x.txt: a class is saved as .csv, .svg or .html"),
    ],
)
def test_a_wrong_argument_is_answered_in_one_line(run: Run, words: str, part: str) -> None:
    status, out, err = run(*words.split())
    assert status == 2
    assert out == ""
    assert err.startswith("castlelab: ")
    assert err.count("\n") == 1
    assert part in err


@pytest.mark.parametrize("code", ["", "castell", "castell/tallest-0-1", "castell/dance-1-1"])
def test_a_wrong_puzzle_code_learns_what_right_ones_are(run: Run, code: str) -> None:
    status, out, err = run("puzzle", code)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.endswith("; castlelab puzzle lists all kinds\n")


def test_the_kinds_of_puzzles_are_listed_with_an_example(run: Run) -> None:
    status, out, err = run("puzzle")
    assert (status, err) == (0, "")
    assert all(f"  {kind}\n" in out for kind in kinds())
    assert read_code(out.split()[-1])


def test_a_file_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "games.csv"
    words = f"simulate castell --games 1 --bots random,random --out {missing}"
    status, out, err = run(*words.split())
    assert (status, out, err.count("\n")) == (2, "", 1)  # and no game was played for nothing
    assert f"{missing} cannot be written: No such file" in err


def test_a_folder_is_no_file_to_write(run: Run, tmp_path: Path) -> None:
    (tmp_path / "games.csv").mkdir()
    status, out, err = run("simulate", "castell", "--out", str(tmp_path / "games.csv"))
    assert (status, out) == (2, "")
    assert "games.csv cannot be written: " in err
    assert [path.name for path in tmp_path.iterdir()] == ["games.csv"]


def test_a_title_that_is_no_text_is_one_line(run: Run, tmp_path: Path) -> None:
    words = ["worksheet", "castell", "--count", "1", "--title", "\udcff"]
    status, _, err = run(*words, "--out", str(tmp_path / "s.html"))
    assert (status, err.count("\n")) == (2, 1)
    assert r"s.html cannot be written: the text has '\udcff', which is not a character" in err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_slow_to_start() -> None:
    code = "import sys; from castlelab.cli import commands; commands.read_command(['serve'])"
    code += "; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"voila", "jupyterlab", "tornado", "numpy"} & set(done.stdout.split())


# What is shown


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"castlelab {castlelab.__version__}\n"


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert castlelab.__version__ == version("castlelab")


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    out = capsys.readouterr().out
    assert all(f"  {name} " in out for name in COMMANDS)


def test_help_on_a_game_lists_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["play", "castell", "--help"])
    assert "--variant standard|advanced" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_help_without_a_game_says_where_its_options_are(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main([command, "--help"])
    assert f"castlelab {command} GAME --help shows them" in capsys.readouterr().out


def test_python_can_be_asked_as_well() -> None:
    command = [sys.executable, "-m", "castlelab", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"castlelab {castlelab.__version__}\n"


def test_a_rule_is_found_by_its_whole_id(run: Run) -> None:
    assert run("rules", "castell/max-width") == run("rules", "castell", "max-width")
    status, _, error = run("rules", "castell/max-widht")
    assert status
    assert "castell/max-width" in error


def test_rules_are_listed_by_section(run: Run) -> None:
    status, out, _ = run("rules", "castell")
    assert status == 0
    game = castlelab.load("castell")
    assert all(rule in out for rule in game.rules)
    assert all(f"\n{section}\n" in out for section in game.rules.sections())
    assert "house data" in out
    assert "from the rulebook" in run("rules", "castle_keep")[1]


@pytest.mark.parametrize("rule", ["castell/max-width", "max-width"])
def test_one_rule_in_full(run: Run, rule: str) -> None:
    status, out, _ = run("rules", "castell", rule)
    assert status == 0
    assert castlelab.load("castell").rules["castell/max-width"].text.split()[0] in out
    assert "[castell/max-width]" in out


def test_an_edition_shows_what_is_from_the_box(run: Run, tmp_path: Path) -> None:
    from castlelab.edition import Edition

    tables = Edition.load("castell").tables["castellers"]
    lines = ['game = "castell"', 'name = "my box"', "[castellers]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in tables.items() if key != "source"]
    file = tmp_path / "box.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    status, out, _ = run("rules", "castell", "--edition", str(file))
    assert status == 0
    assert "my box" in out
    assert any("castellers" in line and "your edition" in line for line in out.splitlines())


# Simulation


def test_simulation_prints_a_table_and_writes_the_games(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.json"
    words = f"simulate castell --games 2 --players 3 --bots random --seed 1 --out {file}"
    status, out, _ = run(*words.split())
    assert status == 0
    assert "2 games of castell" in out
    assert len(json.loads(file.read_text(encoding="utf-8"))["played"]) == 2


def test_simulation_goes_on_with_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    words = f"simulate castle_keep --games 3 --workers 1 --out {file}".split()
    _, out, _ = run(*words)
    whole = file.read_bytes()
    status, _, err = run(*words)
    assert (status, err) == (
        2,
        "castlelab: run.jsonl is there already; resume goes on with it, or choose another name\n",
    )
    file.write_bytes(whole[:-9])
    assert run(*words, "--resume") == (
        0,
        out,
        "castlelab: the last line of run.jsonl was cut off; game 2 is played again\n",
    )
    assert file.read_bytes() == whole


MY_BOT = """
class Mine:
    def choose(self, view, chance):
        return view.moves()[0], "I always do."

class Flawed:
    def choose(self, view, chance):
        if chance.below(60)[0] == 0:
            raise KeyError("wall")
        return chance.choice(view.moves())

def broken(view, chance):
    raise KeyError("gate")
"""


@pytest.fixture
def my_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module in the folder where one types, found by its name."""
    name = f"bots_of_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MY_BOT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])  # what is added there goes again
    return name


def test_a_bot_of_ones_own_is_simulated(run: Run, my_bots: str) -> None:
    words = f"simulate castle_keep --games 8 --workers 2 --bot {my_bots}:Mine,greedy"
    status, out, err = run(*words.split())
    assert (status, err) == (0, "")
    assert re.search(r"^ +1  Mine +\d", out, re.MULTILINE)
    status, out, _ = run(*f"simulate castle_keep --games 2 --bot {my_bots}:Mine".split())
    assert out.count("Mine") == 2


def test_a_fault_is_one_line_or_told_below_the_table(run: Run, my_bots: str) -> None:
    words = f"simulate castle_keep --games 12 --bots {my_bots}:Flawed,greedy --workers 1".split()
    status, out, err = run(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert re.search(r"game \d+ of castle_keep with seed 0 failed: Flawed \(seat 1, move", err)
    assert f"raised KeyError: 'wall' ({my_bots}.py, line 9)" in err
    status, out, err = run(*words, "--on-fault", "skip")
    assert (status, err) == (0, "")
    assert "left out by fault of Flawed (seat 1)" in out.splitlines()[-1]


def test_a_bot_of_ones_own_is_played_against(run: Run, my_bots: str) -> None:
    status, out, _ = run(
        "play", "castell", "--seed", "0", "--bot", f"{my_bots}:Mine", typed=["end", "end"]
    )
    assert status == 0
    assert "Mine plays Orange" in out
    assert "“I always do.”" in out
    _, out, _ = run(
        "play", "castell", "--seed", "0", "--bot", f"{my_bots}:broken", typed=["end", "end"]
    )
    words = " ".join(out.split())
    assert f"broken (seat 2) raised KeyError: 'gate' ({my_bots}.py, line 13). Any move is" in words
    assert "Any move is made for it. Orange " in words  # and the game goes on


def test_without_dask_one_line_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    status, _, err = run("simulate", "castell", "--dask", "head:8786")
    assert status == 2
    assert err == (
        "castlelab: a Dask cluster needs distributed; "
        'install it with: pip install "castlelab[distributed]"\n'
    )


# Puzzles


def test_a_puzzle_is_solved(run: Run) -> None:
    code = "castell/tallest-1-1"
    asked = puzzle(code)
    typed = ["hint", "hint", "hint", "what?", "solution", "", str(asked.solution), "never read"]
    status, out, _ = run("puzzle", code, typed=typed)
    assert status == 0
    assert " ".join(asked.prompt.split()) in " ".join(out.split())
    assert " ".join(asked.hint(2).split()) in " ".join(out.split())
    assert str(asked.solution) in out


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_of_puzzle_can_be_solved_in_the_terminal(run: Run, kind: str) -> None:
    code = f"{kind}-1-3"
    status, out, _ = run("puzzle", code, typed=["solution"])
    solution = out.rstrip().splitlines()[-1]
    assert puzzle(code).check(solution), f"{solution!r} is printed but not understood"
    assert status == 0


@pytest.mark.parametrize("kind", kinds())
def test_choices_are_listed_and_taken_by_their_marks(run: Run, kind: str) -> None:
    asked = puzzle(f"{kind}-1-2")
    if not isinstance(asked.ask, ChooseOne):
        return
    _, out, _ = run("puzzle", asked.code)
    marks = {}
    for answer, words in asked.ask.options:
        (line,) = (line for line in out.splitlines() if line.endswith(f"  {words}"))
        marks[answer] = line.split()[0]
    for answer, mark in marks.items():
        _, out, _ = run("puzzle", asked.code, typed=[mark])
        judged = asked.check(answer)
        assert " ".join(str(judged).split()) in " ".join(out.split())


def test_a_number_among_the_choices_means_itself(run: Run) -> None:
    code = "once_upon_a_castle/count-the-score-1-2"
    _, out, _ = run("puzzle", code, typed=["4"])  # the first of four choices
    assert "   4  4 points\n" in out
    assert " ".join(str(puzzle(code).check("4")).split()) in " ".join(out.split())


@pytest.mark.parametrize("typed", [[], ["quit"]])
def test_a_puzzle_can_be_left(run: Run, typed: list[str]) -> None:
    assert run("puzzle", "castell/tallest-1-1", typed=typed)[0] == 0


# Play


@pytest.mark.parametrize("words", [*castlelab.GAMES, "castle_keep --way solitaire"])
def test_a_game_is_played_to_its_end(run: Run, words: str) -> None:
    status, out, _ = run(
        "play", *words.split(), "--seed", "0", "--bot", "random", typed=["1"] * 2000
    )
    assert status == 0
    assert "The game is over" in out


def test_an_illegal_move_names_its_rules(run: Run) -> None:
    _, out, _ = run(
        "play", "castell", "--seed", "0", typed=["recruit 10", "why recruit 10", "why end", "why"]
    )
    assert out.count("[castell/move]") >= 2
    assert "That is legal." in out
    assert "write the move or its number after why" in out


def test_undo_redo_save_and_load(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    typed = ["undo", "redo", "1", f"save {file}", "undo", "redo", f"load {file}", "save", "load"]
    status, out, _ = run("play", "castell", "--seed", "0", "--variant", "advanced", typed=typed)
    assert status == 0
    assert "there is nothing to take back" in out
    assert "there is nothing to play again" in out
    assert f"Saved as {file}." in out
    saved = json.loads(file.read_text(encoding="utf-8"))
    assert saved["options"] == {"variant": "advanced", "first": "drawn"}
    assert len(saved["moves"]) == 1


def test_moves_are_told_in_sentences_as_one_hears_of_them(run: Run, tmp_path: Path) -> None:
    """Yours and those of the bots; a card that is laid face down is not named."""
    file = tmp_path / "game.json"
    typed = [*["1"] * 6, f"save {file}"]
    _, out, _ = run("play", "castle_rampage", "--bot", "random", "--seed", "2", typed=typed)
    assert "You are Blue; random plays Orange." in out
    record, words = Record.load(file), " ".join(out.split())
    assert len(record.moves) > 8
    for number, move in enumerate(record.moves):
        sentence = record.told(number, [0])
        assert sentence in words
        if record.states[number].to_move != 0 and move.startswith("place"):
            assert move.rpartition(" ")[2] not in sentence


def test_a_table_is_asked_by_the_words_that_boards_know(run: Run) -> None:
    typed = ["scores", "row 4", "leek", "at d4", "market", "help", "last"]
    _, out, err = run("play", "castlescape", "--side", "7", "--seed", "2", typed=typed)
    assert err == ""
    for line in (
        *("Blue has 0 points.", "Row 4: d4 wall.", "you may ask leak", "d4, wall."),
        *("Market: Rotating deck", "leak c3", "Nothing has happened yet.", "undo, redo"),
    ):
        assert line in out


def test_a_terminal_says_as_much_as_one_wants(run: Run) -> None:
    typed = ["1", "last", "table"]
    said = [
        run("play", "castle_keep", "--bot", "random", "--seed", "2", "--words", way, typed=typed)[1]
        for way in ("brief", "normal", "full")
    ]
    assert "You built" in said[0]
    assert "You built" in said[1]
    assert "Blue built" in said[2]
    assert [words.count("Spots: nw n ne") for words in said[:2]] == [1, 1]  # where it was wanted
    assert said[2].count("Spots: nw n ne") > 2


@pytest.mark.parametrize("name", castlelab.GAMES)
def test_moves_are_listed_in_groups(run: Run, name: str) -> None:
    """Every move has the number that plays it, beside its kind and the rest of its notation."""
    _, out, _ = run("play", name, "--seed", "29", typed=["moves", "more", "more"])
    state = castlelab.load(name).start(29)
    assert state.to_move == 0
    moves = in_groups(state.moves())
    assert sorted(map(str, moves)) == sorted(map(str, state.moves()))
    kinds = [move.kind for move in moves]
    assert list(dict.fromkeys(kinds)) == [kind for kind, _ in groupby(kinds)]
    shown = " ".join(out.split())
    for number, move in enumerate(moves, start=1):
        assert f"{number}) {str(move).removeprefix(move.kind).strip()}".strip() in shown


@pytest.mark.parametrize("name", castlelab.GAMES)
def test_moves_leave_room_for_the_table(name: str) -> None:
    """A table has 32 lines at most, the terminal 40: six are for moves, whatever they are."""
    for state in list(random_states(castlelab.load(name), 7))[:-1:5]:
        lines = few_lines(state.moves(), 6)
        assert len(lines) <= 6
        assert max(map(len, lines)) <= 80


def test_of_many_moves_every_kind_is_seen_and_any_can_be_listed() -> None:
    state = castlelab.load("castlescape").start(3)
    while len(state.moves()) < 100:
        state = state.after(state.moves()[0])
    moves = state.moves()
    few = few_lines(moves, 6)
    kinds = dict.fromkeys(move.kind for move in moves)
    assert len(few) <= max(6, len(kinds) + 1)
    assert all(any(line.startswith(f" {kind} ") for line in few) for kind in kinds)
    assert any(line.endswith("…") for line in few)
    whole = all_lines(moves)
    assert few_lines(moves, len(whole)) == whole
    assert [line for kind in kinds for line in all_lines(moves, kind)] == whole
    assert max(map(len, (*few, *whole))) <= 80
    with pytest.raises(CastlelabError, match="there are no moves 'dance' now; there are "):
        all_lines(moves, "dance")


def test_the_table_is_shown_as_you_may_see_it(run: Run) -> None:
    _, out, _ = run("play", "castle_keep", "--seed", "3", typed=["quit"])
    state = castlelab.load("castle_keep").start(3)
    assert state.to_move == 0
    assert state.view(0).compact() in out


def test_a_seed_is_drawn_and_told_unless_one_is_given(run: Run, tmp_path: Path) -> None:
    typed = ["1", "end", f"save {tmp_path / 'game.json'}"]
    _, out, _ = run("play", "castell", typed=typed)
    found = re.search(r"seed (\d+); with --seed (\d+) it is played again", out)
    assert found
    assert found[1] == found[2]
    assert Record.load(tmp_path / "game.json").seed == int(found[1])
    _, again, _ = run("play", "castell", "--seed", found[1], typed=typed)
    assert "has the seed" not in again
    assert again.splitlines()[1:] == out.splitlines()[2:]


def test_what_came_to_light_is_not_taken_back(run: Run, tmp_path: Path) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    typed = [*["1"] * 4, "end", f"save {before}", "undo", f"save {after}"]
    _, out, _ = run("play", "castle_keep", "--seed", "0", typed=typed)
    assert "this cannot be taken back: move" in out
    assert before.read_text(encoding="utf-8") == after.read_text(encoding="utf-8")


def test_a_lost_game_has_no_winner(run: Run) -> None:
    words = "play castle_keep --way solitaire --seed 1"
    _, out, _ = run(*words.split(), typed=["1"] * 400)
    assert "The game is over: nobody won (points: Blue 0)." in out


def test_undo_takes_the_answers_of_the_bots_back_too(run: Run, tmp_path: Path) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    typed = ["1", "end", f"save {before}", "undo", "redo", f"save {after}"]
    run("play", "castell", "--seed", "0", "--bot", "random", typed=typed)
    assert before.read_text(encoding="utf-8") == after.read_text(encoding="utf-8")
    assert len(json.loads(before.read_text(encoding="utf-8"))["moves"]) > 2


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("help", "load FILE"),
        ("hint", "The greedy bot would play"),
        ("rules max-width", "[castell/max-width]"),
        ("rules nothing", "lists them"),
        ("moves", " 1) "),
        ("moves dance", "there are no moves 'dance' now"),
        ("describe", "Round 1: Blue"),
        ("9999", "there are moves 1 to"),
        ("why 1", "That is legal."),
        ("why 9999", "there are moves 1 to"),
        ("dance", "dance"),
        ("load /missing/game.json", "game.json cannot be read"),
        ("save /missing/game.json", "No such file"),
        ("save a\0b", r"'a\x00b' cannot be written: embedded null byte"),
        ("save .", ". is a folder, not the name of a file"),
    ],
)
def test_commands_at_the_table(run: Run, line: str, part: str) -> None:
    words = "play castell --first blue --seed 3"
    status, out, err = run(*words.split(), typed=[line, "", "quit"])
    assert (status, err) == (0, "")
    assert part in out


@pytest.mark.parametrize(
    ("name", "said", "typed"),
    [
        ("castlescape", "Contract Good Neighbour", "keep Good Neighbour"),
        ("once_upon_a_castle", "Die 2: Stone”, then “d3, Stone: free", "use 2 d3"),
        ("castle_rampage", "Mercenary”, then “Blue's Castle", "place castle Mercenary"),
    ],
)
def test_a_hint_is_said_in_words_and_then_as_it_is_typed(
    run: Run, name: str, said: str, typed: str
) -> None:
    start = ("play", name, "--seed", "7")
    _, out, _ = run(*start, typed=["hint"])
    hint = " ".join(out.split()).partition("The greedy bot would play: ")[2]
    words, _, rest = hint.partition("To type it: ")
    assert said in words
    assert rest.startswith(f"{typed}. ")
    _, out, _ = run(*start, typed=[f"why {typed}"])
    assert "That is legal." in out


@pytest.mark.parametrize("name", castlelab.GAMES)
def test_whatever_is_short_on_the_table_is_explained(run: Run, name: str) -> None:
    _, out, _ = run("play", name, typed=["legend"])
    legend = castlelab.load(name).legend
    assert all(code in out and meaning in out for code, meaning in legend)
    assert ("Nothing on this table is short" in out) is not bool(legend)


@pytest.mark.parametrize("name", ["castell", "once_upon_a_castle"])
def test_it_is_told_where_points_came_from(run: Run, tmp_path: Path, name: str) -> None:
    file = tmp_path / "game.json"
    typed = [*["1"] * 900, f"save {file}"]
    _, out, _ = run("play", name, "--seed", "1", "--bot", "random", typed=typed)
    end, words = Record.load(file).state, " ".join(out.split())
    assert end.over
    for seat, seat_name in enumerate(SEAT_NAMES[: end.game.players]):
        found = [source for source in end.sources(seat) if source.points]
        parts = [f"{source.points} {source.name}" for source in found]
        assert (f"{seat_name} had {listed(parts)}." in words) is (len(found) > 1)


def test_the_end_of_the_list_is_said(run: Run) -> None:
    _, out, _ = run("play", "castell", "--seed", "0", typed=["more"] * 9)
    assert "That is all: " in out
    _, out, _ = run(
        "play", "castle_keep", "--seed", "1", "--way", "solitaire", typed=[*["1"] * 400, "moves"]
    )
    assert "the game is over; there is nothing to play" in out
    assert "The game is over: no moves." in out


def test_a_record_that_is_damaged_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("{", encoding="utf-8")
    status, out, _ = run("play", "castell", typed=[f"load {file}"])
    assert status == 0
    assert "not JSON" in out


# The pages


def test_notebooks_are_copied_once(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    copied = pages.copy_notebooks(pages.notebooks_folder(), target)
    assert {"welcome.ipynb", "examples/own_bot.ipynb"} <= set(copied)
    assert (target / "examples" / "own_bot.ipynb").is_file()
    assert "own_bot.ipynb" not in pages.page_names(target)  # an example is no page
    (target / "welcome.ipynb").write_text("mine", encoding="utf-8")
    assert pages.copy_notebooks(pages.notebooks_folder(), target) == ()
    assert (target / "welcome.ipynb").read_text(encoding="utf-8") == "mine"


def test_notebooks_cannot_be_copied_onto_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(CastlelabError, match="cannot copy"):
        pages.copy_notebooks(pages.notebooks_folder(), tmp_path / "mine")


def test_missing_notebooks_are_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pages, "PACKAGED", tmp_path)
    monkeypatch.setattr(pages, "CHECKOUT", tmp_path)
    with pytest.raises(CastlelabError, match="notebooks are missing"):
        pages.notebooks_folder()


def test_castlelab_alone_serves(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[Any, ...]] = []
    monkeypatch.setattr(launch, "serve", lambda *arguments: served.append(arguments))
    assert run()[0] == 0
    assert run("serve", "--host", "0.0.0.0", "--port", "9000", "--no-browser")[0] == 0
    usual = Terms()
    assert served == [("127.0.0.1", None, True, usual), ("0.0.0.0", 9000, False, usual)]


def test_terms_for_visitors_are_passed_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[Terms] = []
    monkeypatch.setattr(launch, "serve", lambda *arguments: served.append(arguments[-1]))
    monkeypatch.setenv("CASTLELAB_PASSWORD", "Drawbridge 9")
    flags = ("--preheat", "0", "--max-visitors", "30", "--cull-after", "60", "--password")
    assert run("serve", *flags)[0] == 0
    assert served == [Terms(0, 30, 60, "Drawbridge 9")]
    assert "CASTLELAB_PASSWORD" not in os.environ  # kernels would inherit it


def test_an_empty_password_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("castlelab.cli.serve.getpass", lambda _: "")
    status, _, err = run("serve", "--password")
    assert (status, "an empty password keeps nobody out" in err) == (2, True)


def test_a_password_cannot_be_typed_without_a_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "castlelab", "serve", "--no-browser", "--password"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,  # away from the terminal of whoever runs the tests
        env={name: value for name, value in os.environ.items() if name != "CASTLELAB_PASSWORD"},
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "castlelab: there is no terminal to type a password at; "
        "set CASTLELAB_PASSWORD to it instead\n"
    )


@pytest.mark.parametrize("password", ["", "Drawbridge 9"])
def test_it_is_said_what_listening_to_others_means(password: str) -> None:
    words = launch.warning_to_host(Terms(password=password))
    assert ("--password" in words) is not bool(password)
    assert "https" in words


def test_a_busy_port_is_said_in_one_line(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, _, err = run("serve", "--no-browser", "--port", port)
    assert status == 2
    assert err == f"castlelab: port {port} is busy; choose another with --port\n"


def test_without_a_port_the_next_free_one_is_taken() -> None:
    with launch.listen("127.0.0.1", None) as first, launch.listen("127.0.0.1", None) as second:
        assert launch.DEFAULT_PORT <= first.getsockname()[1] < second.getsockname()[1]


def test_the_template_is_ours_wherever_jupyter_reads_our_configuration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from traitlets.config import Config

    monkeypatch.setenv("JUPYTER_PATH", "/somewhere")
    config = Config()
    pages.configure(config)
    pages.configure(config)
    assert os.environ["JUPYTER_PATH"].split(os.pathsep) == [str(pages.DATA_FOLDER), "/somewhere"]
    assert config.VoilaConfiguration.template == "castlelab"


@pytest.mark.slow
@pytest.mark.parametrize("wait", [0.0, 0.2, 1.0, 2.5])  # pages are run meanwhile
def test_ctrl_c_ends_the_pages_quietly(tmp_path: Path, wait: float) -> None:
    command = [sys.executable, "-m", "castlelab", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background of a shell ignore Ctrl-C, and so would the server.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert line.startswith("castlelab is at http://127.0.0.1:")
            address = line.split()[3]
            with urlopen(address, timeout=60) as page:
                page.read()
            time.sleep(wait)
            server.send_signal(signal.SIGINT)
            out, err = server.communicate(timeout=30)
        finally:
            server.kill()  # or what failed would be waited for without end
        assert (server.returncode, err) == (0, "")
        assert out == "" or out.startswith("All pages are ready")


def test_root_learns_in_one_line_how_to_open_the_lab(tmp_path: Path) -> None:
    root = (
        "import os, sys; os.geteuid = lambda: 0; from castlelab.cli import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", root, "lab", "--no-browser", "--folder", "mine"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("castlelab: you are root")
    assert "or with --allow-root" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_lab_opens_for_root_who_insists(
    tmp_path: Path, start_server: Callable[..., str]
) -> None:
    words = ("lab", "--allow-root", "--no-browser", "--port", "0", "--folder", "mine")
    command = [sys.executable, "-m", "castlelab", *words]
    address = start_server(command, cwd=tmp_path, env={"JUPYTER_TOKEN": "sesame"})
    assert not address.endswith((":0/", ":8888/"))
    with urlopen(f"{address}api/contents/?token=sesame", timeout=60) as answer:
        found = {file["name"] for file in json.load(answer)["content"]}
    names = pages.page_names(pages.CHECKOUT)
    assert pages.page_names(tmp_path / "mine") == names
    assert found == names | {"examples"}
    with urlopen(f"{address}voila/render/welcome.ipynb?token=sesame", timeout=60) as answer:
        assert 'id="castlelab-bar"' in answer.read().decode()  # the template is ours here, too


def test_a_lone_game_is_simulated_with_one_bot(run: Run) -> None:
    status, out, _ = run("simulate", "castle_keep", "--way", "solitaire", "--games", "2")
    assert status == 0
    assert "2 games of castle_keep" in out


def test_too_many_players_are_told_in_a_whole_sentence(run: Run) -> None:
    for words, says in (
        ("--players 5", "castle_keep is for 2 to 4 players, not 5"),
        ("--way king --players 3", "castle_keep with way='king' is for 2 players, not 3"),
    ):
        _, _, err = run("play", "castle_keep", *words.split())
        assert says in err


# For teachers


def test_a_worksheet_is_written_with_its_key(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.html"
    words = [
        "worksheet",
        "castell/tallest",
        "castle_keep",
        "--levels",
        "1-2",
        "--count",
        "3",
        "--seed",
        "7",
        "--title",
    ]
    status, out, err = run(*words, "Two < three", "--out", str(sheet))
    assert (status, err) == (0, "")
    assert out == f"Wrote {sheet} and {tmp_path / 'sheet-key.html'}.\n"
    made = worksheet(["castle_keep", "castell/tallest"], "1-2", 3, 7, title="Two < three")
    assert sheet.read_text(encoding="utf-8") == made.html()
    assert (tmp_path / "sheet-key.html").read_text(encoding="utf-8") == made.key_html()


def test_a_worksheet_comes_in_versions_with_rules_and_for_an_age(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "sheet.html"
    words = "worksheet symmetry castell --age 13 --rules --versions AB --count 2 --out"
    assert run(*words.split(), str(out))[0] == 0
    made = worksheet("symmetry castell", "1-3", 2, 0, age=13)
    assert out.read_text(encoding="utf-8") == made.versions_html("AB", rules=True)
    answers = (tmp_path / "sheet-key.html").read_text(encoding="utf-8")
    assert answers == made.versions_html("AB", key=True)


def test_homework_is_given_as_a_link_and_reported_with_grades(run: Run, tmp_path: Path) -> None:
    asked = "worksheet castell/tallest --count 2 --homework --address http://castle"
    status, out, err = run(*asked.split())
    made = worksheet("castell/tallest", count=2, address="http://castle")
    assert (status, out, err) == (0, f"Sheet {made.id}: {made.link()}\n", "")
    solves = {code: Solve(code, "2026-05-17T09:30:00Z", hints=1) for code in made.codes}
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.json").write_text(Progress(solves, "Ada").dumps(), encoding="utf-8")
    (tmp_path / "list.csv").write_text("First name,Last name,Username\nBo,Ray,bo\n")
    grades, table = tmp_path / "grades.csv", tmp_path / "report.csv"
    status, out, err = run(
        *("classroom", str(tmp_path / "class"), "--sheet", made.link(), "--points", "2,3"),
        *("--hint-cost", "0.5", "--out", str(table), "--grades", str(grades)),
    )
    assert (status, err) == (0, "")
    assert "Ada  ✓✓  4 of 5" in out
    assert f"Wrote {table} and {grades}." in out
    assert "Ada,4,2 of 2 tasks solved" in grades.read_text(encoding="utf-8")
    status, out, err = run(
        *("classroom", str(tmp_path / "class"), "--sheet", made.link()),
        *("--grades", str(grades), "--roster", str(tmp_path / "list.csv")),
    )
    assert "Not in the list of the class: Ada." in out


def test_a_worksheet_can_do_without_a_key(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("worksheet", "castell", "--count", "1", "--no-key")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["worksheet.html"]


def test_links_alone_are_printed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = "worksheet castell --count 3 --links --address http://castle:8866"
    status, out, err = run(*words.split())
    assert (status, err) == (0, "")
    made = worksheet("castell", count=3, address="http://castle:8866/")
    assert out.splitlines() == list(made.links())
    assert not list(tmp_path.iterdir())


def test_a_class_is_told_and_written(run: Run, tmp_path: Path) -> None:
    solve = Solve("castell/tallest-1-7", "2026-05-17T09:30:00Z", wrong=2)
    (tmp_path / "ada.json").write_text(Progress({solve.code: solve}).dumps(), encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    table = tmp_path / "table.csv"
    status, out, err = run("classroom", str(tmp_path), "--out", str(table))
    assert (status, err) == (0, "")
    assert "ada         1      0      2        0" in out
    assert "- broken.json: the progress is not JSON" in out
    assert f"Wrote {table}." in out
    assert "ada,castell,tallest,1,1,0,2,0" in table.read_text(encoding="utf-8-sig")


def test_the_guesses_of_a_class_are_written(run: Run, tmp_path: Path) -> None:
    made = Guesses("How many?", "2026-05-17T09:30:00Z", ("3", "4"), solved=True)
    text = Progress({}, "Ada", guesses={made.question: made}).dumps()
    (tmp_path / "ada.json").write_text(text, encoding="utf-8")
    table = tmp_path / "guesses.csv"
    status, out, err = run("classroom", str(tmp_path), "--guesses", str(table))
    assert (status, err) == (0, "")
    assert "- Ada: 1 solved" in out
    assert "Ada,How many?,solved,2,0" in table.read_text(encoding="utf-8-sig")
