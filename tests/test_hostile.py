"""Every parser against hostile text: it reads, or says in one sentence why not. Nothing else."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from hostile_page import assert_words_only, html_in
from hostile_text import Hang, edited_json, edited_toml, hostile, no_hang
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import castlelab
from castlelab import cli, grid, study
from castlelab.bots import Random, bot, play_out
from castlelab.chance import Chance
from castlelab.classroom import example_class, read_assignment, sheet_report, worksheet
from castlelab.classroom.reading import read_files
from castlelab.classroom.sheet import read_kinds, read_levels
from castlelab.cli.commands import read_command
from castlelab.counting import read_number
from castlelab.edition import Edition
from castlelab.game import GAMES, Game, game_class
from castlelab.games import castell, castle_keep, castle_rampage, castlescape, once_upon_a_castle
from castlelab.games.castle_keep.count import hand_of
from castlelab.games.castle_keep.moves import read_spot
from castlelab.games.castle_rampage.box import house_box as rampage_box
from castlelab.games.castle_rampage.card import Effect as RampageEffect
from castlelab.games.castle_rampage.puzzle_stack_well import read_stacking
from castlelab.games.castlescape.board import read_square
from castlelab.games.castlescape.box import house_box as scape_box
from castlelab.games.castlescape.card import Effect as ScapeEffect
from castlelab.games.castlescape.quests import Quest
from castlelab.games.once_upon_a_castle.count import read_missing
from castlelab.progress import Attempt, Guesses, Progress, Solve
from castlelab.puzzles import kinds
from castlelab.record import Record
from castlelab.rules import CastlelabError, Verdict
from castlelab.widgets.card.puzzle_page import PuzzlePage
from castlelab.widgets.table.game_setup import read_seed
from castlelab.widgets.table.sitting import Sitting, read_query, read_text

#: Inputs for each parser; CASTLELAB_INPUTS=10000 looks longer, and elsewhere each time.
INPUTS = int(os.environ.get("CASTLELAB_INPUTS", "160"))
WANTED = 10_000  # inputs in all
LONGEST_MESSAGE = 600  # characters


class Parser(NamedTuple):
    """What reads text, and texts that it should read."""

    read: Callable[[str], object]
    valid: tuple[str, ...]
    edited: Callable[[tuple[str, ...]], st.SearchStrategy[str]] | None = None  # well formed, wrong


# -- moves -----------------------------------------------------------------------------------

WAYS = (
    *((name, {}) for name in GAMES),
    ("castell", {"variant": "advanced"}),
    ("castle_keep", {"way": "empire"}),
    ("castlescape", {"hardcore": True}),
    ("once_upon_a_castle", {"version": "architect"}),
)


def moves_of(name: str, options: dict[str, Any]) -> Parser:
    game = castlelab.load(name, **options)
    start = game.start(7)
    _, played = play_out(start, (Random(),) * game.players, Chance.seeded(7))
    valid = tuple(dict.fromkeys(map(str, played)))

    def read(text: str) -> None:
        move = game.move(text)
        assert isinstance(start.check(move), Verdict), "any move can be judged, legal or not"
        assert game.move(str(move)) == move, "what was read prints as what reads the same"

    return Parser(read, valid)


# -- puzzles ---------------------------------------------------------------------------------


def answers_to(kind: str) -> Parser:
    """An answer is read, judged and drawn, as a page does it."""
    asked = castlelab.puzzle(f"{kind}-3-7")
    others = [castlelab.puzzle(f"{kind}-{level}-{level}") for level in (1, 2, 4)]  # right there

    def read(text: str) -> None:
        answer = asked.read(text)
        judgement = asked.check(answer)
        for line in str(judgement).splitlines():  # a line for each breach
            assert_told(line)
        asked.picture(answer)

    return Parser(read, tuple(str(one.solution) for one in (asked, *others)))


def puzzle_page() -> Parser:
    """The page of puzzles, opened by whatever address, with whatever it had stored."""
    page = PuzzlePage()

    def read(text: str) -> None:
        came = {"do": "ready", "kept": text, "query": text, "trouble": ""}
        page._storage._hear(None, came, [])
        page._arrive()
        assert "went wrong" not in page._storage.trouble
        assert_words_only(html_in(page))

    return Parser(read, tuple(f"?code={quote(code)}" for code in CODES))


CODES = tuple(f"{kind}-{level}-42" for kind in kinds() for level in (1, 3))


# -- files -----------------------------------------------------------------------------------


def from_file(load: Callable[[Path], object], name: str) -> Callable[[str], object]:
    """A reader of files as a reader of text: hostile bytes, where text cannot be encoded."""

    def read(text: str) -> object:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
            return load(path)

    return read


@cache
def records() -> tuple[str, ...]:
    def record(game: Game, length: int) -> str:
        played = Record.start(game, 7)
        for _ in range(length):
            played = played.play(played.state.moves()[0])
        return played.dumps()

    return tuple(record(castlelab.load(name), 6) for name in GAMES)


def shared() -> tuple[str, ...]:
    return tuple(Record.loads(text).share() for text in records())


def editions(name: str) -> Parser:
    house = (files("castlelab") / "games" / name / "edition.toml").read_text(encoding="utf-8")
    lines = [
        line for line in house.splitlines() if not line.startswith(("#", "source =", "name ="))
    ]
    valid = "\n".join([f'game = "{name}"', 'name = "My box"', *lines])

    def load(path: Path) -> None:
        game = game_class(name)(edition=Edition.load(name, path))
        game.start(1)

    return Parser(from_file(load, "my-box.toml"), (valid,), edited_toml)


def progress() -> str:
    codes = ("castell/tallest-3-42", "castle_keep/finish-it-1-7")
    at, open_one = "2026-05-17T09:30:00Z", "castell/tallest-3-43"
    return Progress(
        {code: Solve(code, at, hints=1, seconds=90) for code in codes},
        tried={open_one: Attempt(open_one, at, wrong=2)},
        guesses={"How many?": Guesses("How many?", at, ("21", "7/9"), True)},
    ).dumps()


def register(text: str) -> None:
    """A class of one file: what is wrong with it is told beside what was read of others."""
    content = text.encode("utf-8", "surrogatepass")
    for name in ("a.json", text[:100]):
        read = read_files([(name, content)])
        for skipped in read.skipped:
            assert_told(skipped.reason)


@cache
def studies(ending: str) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"run{ending}"
        out = path if ending == ".jsonl" else None
        run = study.simulate("castle_keep", 3, ("random", "random"), 1, workers=1, out=out)
        if out is None:
            run.save(path)
        return (path.read_text(encoding="utf-8"),)


# -- words -----------------------------------------------------------------------------------


def command(text: str) -> None:
    """A command line as a shell hands it over. Only commands that end by themselves are run."""
    words = text.split(" ")
    said, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        try:
            if words[0] != "rules":
                read_command(words)
                return
            status = cli.main(words)
        except SystemExit as end:  # --help and --version
            status = end.code
    if status == cli.WRONG:
        raise CastlelabError(complained.getvalue().rstrip("\n"))
    assert status == 0


COMMANDS = (
    "serve --port 9000 --no-browser",
    "lab --folder mine",
    "play castell --players 3 --seed 7 --variant advanced",
    "play castle_keep --way solitaire --bot random",
    "puzzle castell/tallest-3-42",
    "worksheet castell/tallest --levels 1-3 --seed 7",
    "classroom files",
    "classroom files --sheet ?sheet=castell/tallest-1-1 --points 1",
    "rules castell castell/max-width",
    "rules castlescape --edition my-box.toml",
    "simulate castell --games 1000 --bots greedy,random --seed 1 --out games.csv --workers 2",
)

BOARD = once_upon_a_castle.Board.parse("WSg.. / fgwS. / ..FSg / ...FW")

PARSERS: dict[str, Callable[[], Parser]] = {
    **{
        f"a move of {name} {' '.join(map(str, options.values()))}".strip(): partial(
            moves_of, name, options
        )
        for name, options in WAYS
    },
    "a puzzle code": lambda: Parser(castlelab.puzzle, CODES),
    "the address of a puzzle": puzzle_page,
    **{f"an answer to {kind}": partial(answers_to, kind) for kind in kinds()},
    "a record": lambda: Parser(Record.loads, records(), edited_json),
    "a record in a file": lambda: Parser(from_file(Record.load, "game.json"), records()),
    **{f"an edition of {name}": partial(editions, name) for name in GAMES},
    "a shared record": lambda: Parser(Record.from_share, shared()),
    "the address of a game": lambda: Parser(
        read_query, tuple(f"?record={code}&seats=person,greedy&open=1" for code in shared())
    ),
    "a game with its seats": lambda: Parser(
        read_text, tuple(Sitting(Record.loads(text), {1: "greedy"}).text for text in records())
    ),
    "a progress": lambda: Parser(Progress.loads, (progress(),), edited_json),
    "a class": lambda: Parser(register, (progress(),), edited_json),
    "kinds of puzzles": lambda: Parser(read_kinds, ("castle_keep castell/tallest", "castell")),
    "levels": lambda: Parser(read_levels, ("1-3", "5,2", "4")),
    "the link of a sheet": lambda: Parser(
        lambda text: read_assignment(text).html(),
        tuple(worksheet("castell", count=2, seed=seed).link() for seed in range(3)),
    ),
    "the list of a class": lambda: Parser(
        sheet_report(worksheet("castell", count=1), example_class()).grade_csv,
        ("First name,Last name,Username\nAmira,Low,a\nBen,Ray,b\n", "Username;ID\nAmira;1\n"),
    ),
    "the number of a game": lambda: Parser(read_seed, ("42", "Sant Joan")),
    "a study": lambda: Parser(
        from_file(study.Study.load, "run.json"), studies(".json"), edited_json
    ),
    "a journal": lambda: Parser(from_file(study.Study.load, "run.jsonl"), studies(".jsonl")),
    "a command": lambda: Parser(command, COMMANDS),
    "the name of a game": lambda: Parser(castlelab.load, tuple(GAMES)),
    "the name of a bot": lambda: Parser(bot, ("greedy", "random", "montecarlo:400")),
    "a seed": lambda: Parser(Chance.seeded, ("7", "castle")),
    "a grid": lambda: Parser(grid.parse, (".#\n#.", "..#\n.##\n...")),
    "a number": lambda: Parser(read_number, ("5/12", "0.25", "40 %", "-3", "0.1(6)", "391,653")),
    "castell: a tower": lambda: Parser(castell.Tower, ("9*3 8*2 7", "10+9*2 8*3 1", "")),
    "castell: a team": lambda: Parser(castell.Team, ("10*2 9*4 8*3", "1")),
    "castell: skills": lambda: Parser(castell.Skills, ("balance 1, width 2", "mix 5")),
    "castell: a level": lambda: Parser(castell.Level, ("10+9*2", "8*3")),
    "castell: a tower to check": lambda: Parser(
        lambda text: castell.check(text, team="9*3 8*2 7"), ("9*3 8*2 7", "9*3 8*3")
    ),
    "castlescape: a board": lambda: Parser(
        castlescape.Board, ("..#\n.aB\n#..", "..... / .###. / .#.#. / .##.. / .....")
    ),
    "castlescape: a court": lambda: Parser(castlescape.can_be_walled, ("c3 d4", "a1, b1")),
    "castlescape: a square": lambda: Parser(read_square, ("c2", "a1", "m13")),
    "castlescape: an effect": lambda: Parser(ScapeEffect.parse, ("walls 3", "trigger", "gold 2")),
    "castlescape: a condition": lambda: Parser(
        lambda text: Quest.of("Lookout", text, 5), ("atop 4", "goals 2")
    ),
    "castlescape: a card": lambda: Parser(scape_box().card, ("Stone Barge", "ramparts")),
    "castle_keep: a castle": lambda: Parser(
        castle_keep.Castle,
        ("TRC WRZ --\n-- KR --\n-- -- --", "-- -- -- / -- KB -- / TRC -- --"),
    ),
    "castle_keep: a tile": lambda: Parser(castle_keep.Tile, ("TRC", "kb", "WYS")),
    "castle_keep: a hand": lambda: Parser(hand_of, ("TRC WRZ, KR", "")),
    "castle_keep: a spot": lambda: Parser(read_spot, ("n", "2b.ne", "a.n")),
    "castle_rampage: an effect": lambda: Parser(RampageEffect.parse, ("draw 2", "bomb")),
    "castle_rampage: a card": lambda: Parser(rampage_box().card, ("Axe man", "dragon")),
    "castle_rampage: a Gate": lambda: Parser(
        lambda text: castle_rampage.attack(9, gate=text, castle=[4]), ("Ogre, axe man, 4", "3")
    ),
    "castle_rampage: a stacking": lambda: Parser(
        read_stacking, ("gate Ogre, Axe man / castle Archer",)
    ),
    "once_upon_a_castle: a board": lambda: Parser(
        once_upon_a_castle.Board, (str(BOARD), "wsg.. / fgws. / ..fsg / ...fw")
    ),
    "once_upon_a_castle: a castle": lambda: Parser(
        once_upon_a_castle.Castle,
        ("floors 2; towers 5 2; walls 1; flags 2; residents 7; sun; guests king", "clouds 3"),
    ),
    "once_upon_a_castle: what is missing": lambda: Parser(read_missing, ("stone, wood stone",)),
    "once_upon_a_castle: a line": lambda: Parser(BOARD.line, ("row 1", "column 3")),
}

COUNTED: Counter[str] = Counter()
LONGEST_TIME: dict[str, float] = {}


@cache
def parser_of(name: str) -> Parser:
    parser = PARSERS[name]()
    parser.read(parser.valid[0])  # whatever is loaded on the first call is loaded now
    return parser


def assert_told(message: str) -> None:
    """One clear sentence: not empty, not endless, on one line, with nothing hidden in it."""
    assert message.strip()
    assert len(message) <= LONGEST_MESSAGE, message
    assert message.isprintable(), ascii(message)


@pytest.mark.parametrize("name", PARSERS)
@settings(
    max_examples=INPUTS,
    derandomize="CASTLELAB_INPUTS" not in os.environ,
    suppress_health_check=list(HealthCheck),  # long texts are the point
)
@given(data=st.data())
def test_hostile_text_is_read_or_refused_in_a_sentence(name: str, data: st.DataObject) -> None:
    parser = parser_of(name)
    texts = hostile(parser.valid)
    text = data.draw(texts if parser.edited is None else texts | parser.edited(parser.valid))
    COUNTED[name] += 1
    with no_hang() as spent:
        try:
            parser.read(text)
        except CastlelabError as error:
            assert_told(str(error))
        LONGEST_TIME[name] = max(LONGEST_TIME.get(name, 0), spent())


def test_a_hang_would_be_broken() -> None:
    with pytest.raises(Hang), no_hang(0.05):
        re.fullmatch("(a*)*b", "a" * 60)  # the classic of hangs


def test_there_were_inputs_enough() -> None:
    """It counts what was really fed, so it comes last."""
    if missing := sorted(set(PARSERS) - set(COUNTED)):
        pytest.skip(f"only together with the others: {missing[0]} was not asked")
    assert sum(COUNTED.values()) >= WANTED
    slowest = max(LONGEST_TIME, key=LONGEST_TIME.__getitem__)
    print(
        f"{sum(COUNTED.values()):,} inputs for {len(PARSERS)} parsers; "
        f"the longest took {LONGEST_TIME[slowest]:.3f} s of processor time: {slowest}"
    )


def test_records_are_read_as_json_alone() -> None:
    """Nothing in a record names code: its values are texts, numbers and lists."""
    assert set(json.loads(records()[0])) == {
        "castlelab",
        "game",
        "players",
        "options",
        "edition",
        "seed",
        "moves",
    }
