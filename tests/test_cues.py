"""Which sound goes with what, at tables and at the boards of lessons."""

from __future__ import annotations

import pytest

import castlelab
from castlelab.chance import Chance
from castlelab.cues import CUES, cues_of
from castlelab.game import GAMES
from castlelab.games.castle_rampage.lessons import lesson
from castlelab.games.castlescape import Board
from castlelab.widgets.board.companion import Companion
from castlelab.widgets.card.puzzle_card import PuzzleCard
from castlelab.widgets.table.game_table import GameTable


def due(board):
    """The sounds that the page was asked for last."""
    return tuple(board._companion.cue.get("names", ()))


def number(board):
    return board._companion.cue.get("number", 0)


@pytest.mark.parametrize("name", GAMES)
def test_every_move_of_ones_own_is_heard_and_others_are_not(name):
    state, chance = castlelab.load(name).start(2), Chance.seeded(2)
    for _ in range(60):
        if state.over:
            return
        move, chance = chance.choice(state.moves())
        after = state.play(move)
        mover = state.to_move
        assert cues_of([state, after], [mover])[0] == (
            "closed" if after.closed > state.closed else "legal"
        )
        other = 1 - min(mover, 1)
        heard = cues_of([state, after], [other])
        assert "legal" not in heard
        assert ("your turn" in heard) == (after.to_move == other != mover)
        state = after


@pytest.mark.parametrize("name", ["castle_keep", "castlescape", "once_upon_a_castle"])
def test_what_is_closed_is_heard(name):
    options = {"side": 7} if name == "castlescape" else {}
    for seed in range(12):
        state, chance = castlelab.load(name, **options).start(seed), Chance.seeded(seed)
        while not state.over:
            build = [move for move in state.moves() if move.kind in ("build", "wall", "use")]
            move, chance = chance.choice(build or state.moves())
            after = state.play(move)
            if after.closed > state.closed:
                assert "closed" in cues_of([state, after], range(2))
                return
            state = after
    raise AssertionError("nothing was ever closed")


def test_a_table_sounds_what_is_done_refused_and_whose_turn_it_is():
    table = GameTable(castlelab.load("castle_keep"), seed=3, bots={1: "random"})
    board = table.board
    table.board.write("attack KB 1.n")
    assert due(board) == ("refused",)
    while "your turn" not in due(board):
        state = table.record.state
        ends = [move for move in state.moves() if move.kind == "end"]
        table.play((ends or state.moves())[0])
        assert due(board)[0] == "legal"
    assert due(board) == ("legal", "your turn")
    before = number(board)
    board.press("b")  # what is asked makes no sound
    board.press("home")
    assert number(board) == before
    table.look(0)
    assert number(board) == before
    while due(board) != ("edge",):
        board.press("ArrowUp")
    assert number(board) == before + 1


def test_at_a_bench_a_bailey_is_heard_as_it_closes():
    editor = Board.parse("... / .#. / ...").edit()
    editor.board.write("blue a1")
    assert due(editor.board) == ("legal",)
    editor = Board.parse("##### / #...# / #...# / #...# / ####.").edit()
    editor.board.write("wall e5")
    assert due(editor.board) == ("closed",)
    editor.board.write("wall zz")
    assert due(editor.board) == ("refused",)


def test_a_lesson_sounds_steps_and_refusals():
    card = PuzzleCard(lesson("digger"))
    card.editor.board.write("play Knight")
    assert due(card.editor.board) == ("legal",)
    card.editor.board.write("end")
    assert due(card.editor.board) == ("refused",)


def test_there_is_a_tune_for_each_sound():
    for cue in CUES:
        assert f'"{cue}": {{' in Companion._esm or f"  {cue}: {{" in Companion._esm
