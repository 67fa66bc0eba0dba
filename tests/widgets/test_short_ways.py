"""From what one has to what one can touch: a position, a record, a piece, a puzzle."""

import pytest

import castlelab
from castlelab.games import castell, castle_keep, castlescape, once_upon_a_castle
from castlelab.record import Record, RecordError
from castlelab.rules import CastlelabError
from castlelab.widgets import GameTable, PuzzleCard
from castlelab.widgets.table.record_desk import RecordDesk


@pytest.fixture
def position():
    state = castlelab.load("castell", players=2, first="blue").start(seed=7)
    return state.play(state.game.move("move Valls"))


def test_a_table_goes_on_from_a_position(position):
    table = GameTable(position)
    assert table.record.state is position
    assert not table.board.can_undo
    table.play("end")
    assert table.record.state == position.play(position.game.move("end"))
    table.board.undo()
    assert table.record.state == position
    assert "Taken back" in table.board.said


def test_a_state_opens_its_own_table_with_bots(position):
    table = position.table(bots={1: "random"})
    assert isinstance(table, GameTable)
    assert table.bots == {1: "random"}


def test_a_table_goes_on_with_a_record_by_position_or_name():
    record = Record.start(castlelab.load("castle_keep"), seed=5)
    assert GameTable(record).record == GameTable(record=record).record == record


def test_a_game_that_began_with_a_position_is_not_saved_and_says_so(position):
    record = GameTable(position).record
    assert not record.can_be_saved
    with pytest.raises(RecordError, match="began with a position"):
        record.dumps()
    desk = RecordDesk(lambda _: None)
    desk.follow(record, {}, True)
    assert "began with a position" in desk._packed.value
    assert not desk._saving.children


def test_such_a_game_is_played_again_from_the_position(position):
    record = Record.begin_at(position)
    later = record.play("end")
    assert later.again() == record
    assert record == Record.begin_at(position)
    assert record != later
    assert record != Record.start(position.game, 7)
    assert hash(record) == hash(Record.begin_at(position))


@pytest.mark.parametrize("wrong", [7, None, ["castell"]])
def test_a_table_is_for_nothing_else(wrong):
    with pytest.raises(CastlelabError, match="a table is for the name of a game, a game, a state"):
        GameTable(wrong)


def test_a_tower_is_edited_with_a_team_or_with_plenty():
    tower = castell.Tower("9*4 8*2")
    editor = tower.edit()
    assert editor.value == tower
    assert editor.team.count(9) == 4
    assert editor.team.count(1) == 3
    assert tower.edit("9*4 8*2", train=("base",)).team == castell.Team("9*4 8*2")


def test_castles_and_boards_are_edited_too():
    castle = castle_keep.Castle.parse("TRC WRZ -- / -- -- -- / -- -- --")
    assert castle.edit().ask.castle == castle
    assert len(castle.edit().ask.hand) == len(castle_keep.TILES)
    assert castle.edit("TRC KR").ask.hand == (castle_keep.Tile("TRC"), castle_keep.Tile("KR"))
    site = castlescape.Board.parse("...\n.#.\n...")
    assert site.edit(players=3).value == site
    board = once_upon_a_castle.Board.parse("wsg.. / fgws. / ..fsg / ...fw")
    assert board.edit().ask.board == board


def test_a_puzzle_is_a_card_and_has_a_link():
    made = castell.puzzle("Build three levels.", team="9*3 8*2 7", levels=3)
    card = made.card()
    assert isinstance(card, PuzzleCard)
    assert card.puzzle is made
    assert "application/vnd.jupyter.widget-view+json" in made._repr_mimebundle_()
    assert made.link == f"puzzle.ipynb?code={made.code}"
    assert castlelab.puzzle("castell/lesson-mix").link == ""
    assert PuzzleCard("castell/lesson-mix").puzzle.id == "castell/lesson-mix"
