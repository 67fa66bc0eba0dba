"""The turn editor, worked through Python: pointing, paying, typing, undo, and refusals."""

import pytest
from keys import walk

import castlelab
from castlelab.game import changed
from castlelab.games.castle_rampage.puzzle_lethal import AttackTurn, Lethal
from castlelab.games.castle_rampage.table import Side, Stack
from castlelab.rules import CastlelabError, IllegalMove
from castlelab.widgets import TurnEditor, editors
from castlelab.widgets.castle_rampage.turn_editor import editor_for

GAME = castlelab.load("castle_rampage")
WHOLE = "play Knight; play Dragon for Archer, Spy"


def places(text):
    return tuple(map(GAME.box.place, text.split(","))) if text else ()


def stacks(gate, castle, hand=""):
    return Side(tuple(sorted(places(hand))), Stack(places(gate)), Stack(places(castle)))


@pytest.fixture
def state():
    """A Knight breaks the Gate and is held at the Castle, where a Dragon then wins."""
    return changed(
        GAME.start(1),
        sides=(
            stacks("Ram", "Ram,Ram", "Knight,Dragon,Archer,Spy"),
            stacks("Knight", "Ogre,Knight"),
        ),
        turn=5,
        active=0,
        starter=0,
        deals=2,
    )


@pytest.fixture
def editor(state):
    return TurnEditor(state)


def pick(editor, *targets):
    for target in targets:
        editor.board.pick(target)
    return str(editor.value)


def test_the_table_shows_all_stacks_face_up(editor):
    scene = editor.board.scene
    assert scene.target("castle 2").name.endswith("Ogre, defence 6; Knight, defence 2")
    assert scene.target("gate 2").name.endswith("Knight, defence 3")
    assert "face up" in scene.target("castle 1").name
    assert "Ogre, defence 6" in scene.description
    assert editor.value == AttackTurn()
    assert not editor.board.can_undo


def test_a_turn_is_pointed_at(editor):
    assert pick(editor, "hand Knight", "play") == "play Knight"
    assert pick(editor, "hand Dragon", "hand Spy") == "play Knight"  # not paid in full
    assert editor.picker.picks == ("hand Dragon", "hand Spy")
    assert editor.board.scene.target("hand Spy").name.endswith(", picked")
    assert pick(editor, "hand Archer") == WHOLE
    assert editor.state.winners == (0,)
    assert "Blue has won" in editor.board.said


def test_what_pays_twice_is_marked_with_its_number(state):
    twice = changed(
        state,
        sides=(stacks("Ram", "Ram", "Grand assault,Mercenary,Mercenary,Mercenary"), state.sides[1]),
    )
    editor = TurnEditor(twice)
    pick(editor, "hand Grand assault", "hand Mercenary", "hand Mercenary")
    shown = [shape.words for shape in editor.board.scene.shapes if hasattr(shape, "words")]
    assert "2" in shown
    assert "✓" in shown


def test_a_refusal_names_the_rule_and_pointing_begins_anew(editor):
    pick(editor, "hand Dragon", "hand Spy", "play")
    assert "[castle_rampage/play]" in editor.board.said
    assert not editor.board.ok
    assert "hand Dragon" in editor.board.lit
    assert editor.picker.picks == ()
    pick(editor, "hand Spy", "play")
    assert "[castle_rampage/purple]" in editor.board.said
    assert editor.value == AttackTurn()


def test_the_turn_is_not_ended(editor):
    assert "end" not in editor.moves.listed
    assert editor.board.scene.target("end") is None
    assert editor.board.said == "Pick a card of your hand."
    pick(editor, "hand Dragon", "hand Dragon")
    assert editor.board.said.startswith("Put back.")
    assert "end your turn" not in editor.board.said
    editor.board.write("play Knight; end")
    assert "one turn" in editor.board.said
    assert not editor.board.ok
    assert editor.value == AttackTurn()
    with pytest.raises(CastlelabError, match="one turn"):
        editor.build("end")


def test_undo_and_redo(editor):
    pick(editor, "hand Knight", "play", "hand Dragon", "hand Archer", "hand Spy")
    editor.board.undo()
    assert str(editor.value) == "play Knight"
    editor.board.press("u")
    assert editor.value == AttackTurn()
    assert editor.state is editor.ask.state
    editor.board.undo()
    assert "nothing to undo" in editor.board.said
    editor.board.redo()
    editor.board.press("r")
    assert str(editor.value) == WHOLE
    editor.board.undo()
    editor.play("strengthen gate Spy")
    assert not editor.board.can_redo


def test_several_moves_may_be_typed_and_are_one_undo(editor):
    editor.board.write(WHOLE)
    assert str(editor.value) == WHOLE
    editor.board.undo()
    assert editor.value == AttackTurn()


def test_of_several_moves_all_or_none_are_played(editor):
    editor.board.write("play Knight; play Knight")
    assert "[castle_rampage/play]" in editor.board.said
    assert editor.board.draft == "play Knight; play Knight"
    assert editor.value == AttackTurn()


@pytest.mark.parametrize(
    "text", ["", "  ;", "nonsense", "play Nobody", "<b>play</b>", "play Knight;" * 900, "x" * 9999]
)
def test_hostile_text_is_explained_and_changes_nothing(editor, text):
    editor.board.write(text)
    assert editor.board.said
    assert not editor.board.ok
    assert editor.value == AttackTurn()


def test_build_plays_a_whole_turn_from_the_start(editor):
    editor.play("strengthen gate Spy")
    wanted = editor.ask.read(WHOLE)
    editor.build(wanted)
    assert editor.value == wanted
    editor.board.undo()
    assert str(editor.value) == "strengthen gate Spy"
    editor.build(AttackTurn())
    assert editor.value == AttackTurn()
    editor.build("play Archer")
    assert str(editor.value) == "play Archer"
    with pytest.raises(IllegalMove):
        editor.build("play Ogre")
    assert str(editor.value) == "play Archer"


def test_a_won_turn_offers_nothing_more(editor):
    editor.build(WHOLE)
    assert editor.moves.listed == ()
    assert editor.board.offered == ()
    editor.board.write("play Archer")
    assert "[castle_rampage/castle-falls]" in editor.board.said


def test_a_move_of_the_list_is_played(editor):
    editor.moves.choice.value = "play Archer"
    editor.moves.buttons[0].click()  # Play this move
    assert str(editor.value) == "play Archer"


def test_those_who_follow_the_value_hear_of_each_move(editor):
    seen = []
    editor.observe(lambda change: seen.append(str(change["new"])), "value")
    pick(editor, "hand Knight", "gate 2", "hand Spy", "play")
    editor.board.undo()
    assert seen == ["play Knight", ""]


def test_keys_alone_find_the_turn(editor):
    board = editor.board
    for target in ("hand Knight", "play", "hand Dragon", "hand Archer", "hand Spy"):
        walk(board, target)
        board.press("Enter")
    assert str(editor.value) == WHOLE


def test_an_editor_for_a_turn_and_for_nothing_else(state):
    ask = Lethal(state)
    assert editor_for(ask).ask == ask
    assert isinstance(editors.editor_for(ask), TurnEditor)
    with pytest.raises(CastlelabError, match="no editor for"):
        editors.editor_for("a turn")
