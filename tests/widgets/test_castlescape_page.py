"""CastleScape's page: its lessons are the stored ones, and its tables do what the words say."""

import ast
from pathlib import Path

import nbformat
import pytest
from lesson_scripts import THEN, named

from castlelab.puzzles import Puzzle, lessons
from castlelab.widgets import GameTable, PuzzleCard

PAGE = Path(__file__).parents[2] / "notebooks" / "castlescape.ipynb"
FIRST_TURN = (
    "Stone Walls > e4 > Train Apprentice > d5 > 2 × Market Stall > Market Stall > Clumsy Thief"
    " > Old Ledgers > End turn"
)


@pytest.fixture(scope="module")
def shown():
    """Everything that the cells of the page show, in order."""
    names, found = {}, []
    for cell in nbformat.read(PAGE, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        *steps, last = ast.parse(cell.source).body
        exec(compile(ast.Module(steps, []), "castlescape", "exec"), names)
        if isinstance(last, ast.Expr):
            found.append(eval(compile(ast.Expression(last.value), "castlescape", "eval"), names))
        else:
            exec(compile(ast.Module([last], []), "castlescape", "exec"), names)
    return found


@pytest.fixture(scope="module")
def tables(shown):
    return [thing for thing in shown if isinstance(thing, GameTable)]


def pick(table, steps):
    for words in steps.split(THEN):
        table.board.click(*named(table.board.scene, words).centre)
        assert table.board.ok, table.board.said


def infamy(table):
    return table.record.state.guilds[0].infamy


def test_every_lesson_of_the_game_is_on_its_page_once(shown):
    cards = [thing.puzzle for thing in shown if isinstance(thing, PuzzleCard)]
    spelled_out = [thing for thing in shown if isinstance(thing, Puzzle)]
    ids = [puzzle.id for puzzle in (*cards, *spelled_out)]
    assert sorted(name for name in ids if "/lesson-" in name) == sorted(lessons("castlescape"))
    assert len(spelled_out) > len(cards)


def test_the_first_turn_is_played_as_the_words_say(tables):
    first = tables[0]
    assert first.record.state.round == 1
    pick(first, FIRST_TURN)
    state = first.record.state
    assert (state.round, state.to_move) == (2, 0)  # the bot has had its turn
    assert state.board.recruits(0) == 1
    assert len(state.guilds[0].owned) == 11


def test_the_back_alley_pays_when_the_second_turn_ends(tables):
    second = tables[1]
    assert not second.record.state.guilds[0].deck
    pick(second, "End turn")
    assert infamy(second) == 1
    second.board.press("u")
    assert infamy(second) == 0
    pick(second, "Clumsy Thief > End turn")
    assert infamy(second) == 2
