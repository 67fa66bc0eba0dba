"""From what one has to what one can touch: a position, a record, a piece, a puzzle."""

import pytest

import castlelab
from castlelab.games import (
    castell,
    castle_keep,
    castle_rampage,
    castlescape,
    once_upon_a_castle,
)
from castlelab.record import Record, RecordError
from castlelab.rules import CastlelabError
from castlelab.widgets import AttackStage, GameTable, PuzzleCard, StackEditor
from castlelab.widgets.table.record_desk import RecordDesk
from castlelab.widgets.table.sitting import Sitting


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
    assert record.table(bots={1: "random"}).record == record


def test_a_game_that_began_with_a_position_is_not_saved_and_says_so(position):
    record = GameTable(position).record
    assert not record.can_be_saved
    with pytest.raises(RecordError, match="began with a position"):
        record.dumps()
    desk = RecordDesk(lambda _: None)
    desk.follow(Sitting(record))
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


# -- a game by its name, with its options ------------------------------------------------------


def test_a_table_takes_the_options_of_a_game_that_is_named():
    table = GameTable("castle_keep", way="empire", players=3, attack_towers=True, seed=5)
    game = table.record.game
    assert (game.name, game.players, game.way) == ("castle_keep", 3, "empire")
    assert game.attack_towers
    assert table.record.seed == 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"wya": "empire"}, "castle_keep has no option 'wya'; its options: way"),
        ({"way": "sideways"}, "castle_keep: way is one of 'classic'"),
        ({"players": 9}, "castle_keep is for 2 to 4 players, not 9"),
        ({"way": "king", "players": 3}, "castle_keep with way='king' is for 2 players, not 3"),
        ({"edition": 7}, "an edition is the path of a TOML file, not 7"),
    ],
)
def test_a_wrong_option_is_told_at_the_table(options, words):
    with pytest.raises(CastlelabError, match=words):
        GameTable("castle_keep", **options)


def test_options_are_for_a_game_that_is_named(position):
    for set_up in (position, position.game, Record.begin_at(position)):
        with pytest.raises(CastlelabError, match="players and first cannot be chosen any more"):
            GameTable(set_up, players=3, first="blue")
    with pytest.raises(CastlelabError, match="way cannot be chosen any more"):
        GameTable(record=Record.begin_at(position), way="empire")


# -- Castle Rampage ------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["gate", "castle"])
@pytest.mark.parametrize("strength", [0, 4, 9, 30])
@pytest.mark.parametrize("gate", ["", "Ogre, Knight", "Bomber, 3"])
def test_an_attack_is_watched(strength, gate, target):
    assault = castle_rampage.attack(strength, gate, "Archer, Knight", target=target)
    stage = assault.watch(hidden=False)
    assert stage.assault == assault
    assert stage.gate == castle_rampage.attack(0, gate, "1").gate
    stage.all_steps()
    assert stage.done


def test_stacks_are_made_of_cards_by_name():
    editor = StackEditor("Ogre, Knight, Archer", gate=2, castle=1)
    editor.build("gate Ogre, Knight; castle Archer")
    assert editor.complete
    stage = AttackStage(9, gate="Ogre, 4", castle="Archer")
    assert stage.gate == (castle_rampage.card("Ogre"), 4)
