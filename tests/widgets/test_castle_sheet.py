"""One sheet for one player: rolled, filled and finished by pointing, keys or words."""

import pytest
from keys import walk

from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.games.once_upon_a_castle import Castle
from castlelab.games.once_upon_a_castle.pointing import picks_of
from castlelab.rules import CastlelabError, IllegalMove
from castlelab.widgets import RollAndDraw
from castlelab.widgets.once_upon_a_castle.castle_sheet import drawn_words


@pytest.fixture
def sheet():
    return RollAndDraw(seed=1)


def target_ids(board):
    return {target.id for target in board.scene.targets}


def use_dice(sheet):
    """Use both dice by pointing at whatever is offered first."""
    while sheet.rolled:
        sheet.board.pick(sheet.board.offered[0])


def play_on(sheet):
    """Let a greedy player point at what it wants until the sheet is finished."""
    board, player, chance = sheet.board, bot("greedy"), Chance.seeded(1)
    while not sheet.state.over:
        assert set(board.offered) <= target_ids(board)
        if not sheet.rolled:
            board.pick("roll")
            continue
        move, chance = player.choose(sheet.state, chance)
        for target in picks_of(move):
            assert target in board.offered
            board.pick(target)
            assert board.ok, board.said


def test_a_sheet_begins_with_the_roll(sheet):
    assert not sheet.rolled
    assert sheet.castle == Castle()
    assert sheet.board.offered == ("roll",)
    assert "Roll the dice to begin the round." in sheet.board.said
    assert not sheet.board.can_undo


def test_rolling_shows_the_dice_and_offers_them(sheet):
    sheet.board.pick("roll")
    assert sheet.rolled
    assert sheet.board.said.startswith("You rolled Gold and ?.")
    assert sheet.board.offered == ("die 1", "die 2")
    assert {"die 1", "die 2", "residents"} <= target_ids(sheet.board)


def test_nothing_can_be_placed_before_the_roll(sheet):
    sheet.board.pick("a1")
    assert sheet.board.said == "a1, Wood: free. Roll the dice first."
    sheet.board.write("use 1 a1")
    assert sheet.board.said == "Roll the dice first."
    assert not sheet.board.ok
    assert sheet.state.boards[0].tokens == ()


def test_a_die_then_a_square(sheet):
    board = sheet.board
    board.pick("roll")
    board.pick("die 1")
    assert board.offered == ("c1", "b2", "e3")
    board.pick("b2")
    assert sheet.state.boards[0].tokens == ("b2",)
    assert board.said.startswith("A token lies on b2.")


def test_a_wrong_square_is_explained_by_its_rule(sheet):
    board = sheet.board
    board.pick("roll")
    board.pick("die 1")
    board.pick("a1")
    assert "[once_upon_a_castle/resource]" in board.said
    assert board.lit == ("a1",)
    assert not board.ok
    assert sheet.state.boards[0].tokens == ()
    board.pick("row 1")
    assert "[once_upon_a_castle/roll]" in board.said
    assert board.offered == ("die 1", "die 2")  # and all can be tried again


def test_after_both_dice_the_turn_comes_back(sheet):
    sheet.roll()
    turn = sheet.state.turn
    use_dice(sheet)
    assert not sheet.rolled
    assert sheet.state.turn > turn
    assert (sheet.state.active, sheet.state.seat) == (0, 0)
    assert sheet.board.offered == ("roll",)


def test_rolling_twice_is_refused(sheet):
    sheet.roll()
    with pytest.raises(CastlelabError, match="Use both of them first"):
        sheet.roll()
    sheet.board.write("roll")
    assert not sheet.board.ok


def test_nobody_else_draws_anything(sheet):
    play_on(sheet)
    assert sheet.state.castles[1].main_parts == 0
    assert sheet.state.castles[1].guests == ()


def test_clearing_a_line_draws_beside(sheet):
    before = sheet.castle_board.scene
    while not sheet.castle.main_parts:
        sheet.board.pick(sheet.board.offered[0])
    assert "Drawn: " in sheet.board.said
    assert "1 of 12 parts stands." in sheet.board.said
    assert sheet.castle_board.scene != before
    assert "1 of 12 parts" in sheet.castle_board.scene.description


@pytest.mark.parametrize("version", ["apprentice", "architect"])
def test_a_whole_sheet_can_be_finished_by_pointing(version):
    sheet = RollAndDraw(version, seed=2)
    play_on(sheet)
    assert sheet.castle.complete
    assert sheet.castle.cloud
    assert "Your castle is finished" in sheet.board.said
    assert sheet.board.offered == ()
    sheet.board.pick("a1")
    assert sheet.board.said.endswith("The sheet is finished.")
    with pytest.raises(CastlelabError, match="Take a new one"):
        sheet.roll()
    with pytest.raises(IllegalMove):
        sheet.play("end")


def test_undo_and_redo_go_through_the_roll(sheet):
    board = sheet.board
    board.pick("roll")
    board.pick("die 1")
    board.pick("b2")
    board.undo()
    assert sheet.state.boards[0].tokens == ()
    assert sheet.rolled
    board.press("u")
    assert not sheet.rolled
    board.undo()
    assert "nothing to undo" in board.said
    board.redo()
    board.press("r")
    assert sheet.state.boards[0].tokens == ("b2",)
    assert not board.can_redo


def test_a_new_sheet_has_other_dice_and_undo_brings_back_the_old_one(sheet):
    sheet.roll()
    old = sheet.state
    sheet.new_sheet()
    assert not sheet.rolled
    assert sheet.state != old
    sheet.board.undo()
    assert sheet.state == old


def test_moves_may_be_typed(sheet):
    for text in ("ROLL", "use 1 b2", "use 2 residents"):
        sheet.board.write(text)
        assert sheet.board.ok, sheet.board.said
        assert sheet.board.draft == ""
    assert sheet.castle.residents == 2


@pytest.mark.parametrize("text", ["", "  ", "nonsense", "use 3 b2", "<b>roll</b>", "roll " * 5000])
def test_hostile_text_is_explained_and_changes_nothing(sheet, text):
    sheet.roll()
    before = sheet.state
    sheet.board.write(text)
    assert sheet.board.said
    assert not sheet.board.ok
    assert sheet.state == before


def test_keys_alone_roll_and_place(sheet):
    board = sheet.board
    for wanted in ("roll", "die 1", "b2", "die 2", "residents"):
        walk(board, wanted)
        board.press("Enter")
        assert board.ok, board.said
    assert sheet.state.boards[0].tokens == ("b2",)
    assert sheet.castle.residents == 2


def test_an_unknown_version_is_an_error_at_once():
    with pytest.raises(CastlelabError, match="version"):
        RollAndDraw("expert")


def test_what_was_drawn_is_told():
    old = Castle(floors=1)
    new = Castle(2, (5,), 1, (2,), 3, (), True, True, 1)
    drawn, standing = drawn_words(old, new).splitlines()
    assert drawn == (
        "Drawn: a floor, a tower worth 5, a wall, a flag worth 2, residents (now 3), "
        "the sun, the cloud, a small cloud."
    )
    assert standing == "4 of 12 parts stand."
    assert drawn_words(old, old) == ""
