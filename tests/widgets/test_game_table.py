"""The game table, worked through Python: lists, notation, undo past bots, whole games."""

from dataclasses import replace

import ipywidgets
import pytest

import castlelab
from castlelab.chance import Chance
from castlelab.record import Record
from castlelab.rules import CastlelabError, IllegalMove
from castlelab.widgets.game_table import GameTable


@pytest.fixture
def table():
    return GameTable("castell", seed=3)


def click(table, words):
    row = table.children[-1]
    (button,) = [b for b in row.children if b.description == words]
    assert isinstance(button, ipywidgets.Button)
    button.click()


def choose(table, move):
    table._moves.value = move
    click(table, "Play this move")


def finished(seed=1):
    record, chance = Record.start(castlelab.load("castell"), seed), Chance.seeded(seed)
    while not record.state.over:
        move, chance = chance.choice(record.state.moves())
        record = record.play(move)
    return record


def test_a_table_lists_every_legal_move_and_describes_the_start(table):
    state = castlelab.load("castell").start(3)
    assert table.record.state == state
    assert table.listed == tuple(map(str, state.moves()))
    assert table.board.said == state.describe()
    assert table.board.scene == state.picture()
    assert not table.board.can_undo


def test_play_by_the_list(table):
    choose(table, "move Valls")
    assert table.record.moves == ("move Valls",)
    assert table.board.said.startswith("Played: move Valls.")
    assert table.board.scene == table.record.state.picture()
    assert "end" in table.listed


def test_play_by_notation(table):
    table.board.write("MOVE valls")
    assert table.record.moves == ("move Valls",)
    assert table.board.draft == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("recruit 9", "[castell/move]"),
        ("stay out", "[castell/turn-order]"),
        ("jump", "no move starts with 'jump'"),
        ("move Paris", "is not a region"),
        ("", "write a move"),
    ],
)
def test_what_cannot_be_played_is_explained_and_nothing_changes(table, text, says):
    table.board.write(text)
    assert says in table.board.said
    assert not table.board.ok
    assert table.record.moves == ()


def test_an_illegal_move_lights_the_place(table):
    table.board.write("move Valls")
    table.board.write("end")
    table.board.write("end")
    table.board.write("end")
    table.board.write("move Mataró")
    assert "does not touch Valls" in table.board.said
    assert table.board.lit == ("Mataró",)


def test_play_from_python_raises(table):
    with pytest.raises(IllegalMove):
        table.play("recruit 9")
    assert table.record.moves == ()


def test_picking_a_place_says_what_is_there_and_filters_the_list(table):
    table.board.pick("Valls")
    assert table.listed == ("move Valls",)
    assert table.board.said.startswith("Valls: castellers")
    click(table, "All moves")
    assert len(table.listed) == 8


def test_picking_what_no_move_names_lists_all(table):
    table.board.pick("Blue")
    assert len(table.listed) == 8
    assert table.board.said.startswith("Blue: 0 points")


def test_without_a_choice_nothing_is_played(table):
    table._moves.value = None
    click(table, "Play this move")
    assert table.record.moves == ()
    assert "Choose a move" in table.board.said
    assert not table.board.ok


def test_undo_and_redo(table):
    for move in ("move Valls", "end", "move Mataró"):
        table.play(move)
    table.board.undo()
    table.board.press("u")
    assert table.record.moves == ("move Valls",)
    assert table.board.scene == table.record.state.picture()
    table.board.redo()
    table.board.press("r")
    assert table.record.moves == ("move Valls", "end", "move Mataró")
    assert not table.board.can_redo
    for _ in range(3):
        table.board.undo()
    assert not table.board.can_undo
    table.board.undo()
    assert "nothing to undo" in table.board.said


def test_a_bot_answers_at_once_and_is_quoted():
    table = GameTable("castell", seed=3, bots={1: "random"})
    table.play("move Valls")
    assert table.record.state.to_move == 0
    table.play("end")
    assert table.record.state.to_move == 0
    theirs = len(table.record.moves) - 2
    assert theirs >= 1
    assert table.board.said.count("Seat 2 played: ") == theirs


def test_undo_goes_back_past_what_bots_played_and_redo_forth():
    table = GameTable("castell", seed=3, bots={1: "random"})
    table.play("move Valls")
    before = table.record
    table.play("end")
    after = table.record
    table.board.undo()
    assert table.record.moves == before.moves
    table.board.redo()
    assert table.record.moves == after.moves
    assert table.record.state == after.state


def test_a_bot_that_opens_is_not_undone_into_its_own_turn():
    table = GameTable("castell", seed=3, bots={0: "random"})
    assert table.record.state.to_move == 1
    opening = table.record.moves
    assert opening
    assert not table.board.can_undo
    table.board.undo()
    assert table.record.moves == opening
    table.play("move Valls")
    table.board.undo()
    assert table.record.moves == opening
    assert table.record.state.to_move == 1
    table.board.redo()
    assert table.record.moves == (*opening, "move Valls")


def test_the_same_seed_gives_the_same_bots():
    tables = [GameTable("castell", seed=9, bots={0: "random"}) for _ in range(2)]
    assert tables[0].record.moves == tables[1].record.moves


def test_bots_alone_play_to_the_end():
    table = GameTable("castell", seed=2, bots={0: "random", 1: "random"})
    assert table.record.state.over
    assert table.listed == ()
    assert "The game is over." in table.board.said
    assert not table.board.can_undo


def test_a_whole_game_of_random_moves_by_the_list():
    table, chance = GameTable(castlelab.load("castell", players=3), seed=5), Chance.seeded(5)
    while not table.record.state.over:
        move, chance = chance.choice(table.listed)
        choose(table, move)
        assert table.board.ok
    assert table.listed == ()
    assert "won." in table.board.said
    assert Record.loads(table.record.dumps()) == table.record
    click(table, "Play this move")
    assert "Choose a move" in table.board.said
    table.board.write("end")
    assert "[castell/turn-order]" in table.board.said


def test_a_record_can_be_put_on_the_table_even_a_finished_one():
    record = finished()
    half = GameTable(record=record.at(20))
    assert half.record.moves == record.moves[:20]
    done = GameTable(record=record)
    assert done.listed == ()
    assert "The game is over." in done.board.said
    done.board.undo()
    assert done.record.moves == record.moves[:-1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"bots": {1: "genius"}}, "there is no bot 'genius'"),
        ({"bots": {2: "random"}}, "no seat 2 for a bot"),
        ({"bots": {"1": "random"}}, "no seat '1' for a bot"),
        ({"seed": 1.5}, "a seed is"),
    ],
)
def test_wrong_tables_are_refused(arguments, says):
    with pytest.raises(CastlelabError, match=says):
        GameTable(**{"game": "castell"} | arguments)


def test_moves_of_a_place_and_of_nothing_are_listed_after_each_move(table):
    table.board.pick("Valls")
    table.play("move Valls")
    assert table.listed == tuple(map(str, table.record.state.moves()))


def test_the_state_on_the_table_is_immutable(table):
    before = table.record.state
    table.play("move Valls")
    assert before == replace(before)
    assert before.players[0].pawn is None
