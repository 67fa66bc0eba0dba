"""The stack editor, worked through Python: picks, swaps, keys, words, undo."""

import subprocess
import sys

import pytest
from keys import walk

from castlelab.draw.scene import NARROW
from castlelab.games.castle_rampage import card
from castlelab.games.castle_rampage.puzzle_stack_well import Raid, Stacking, StackWell
from castlelab.rules import CastlelabError
from castlelab.widgets import StackEditor, editors
from castlelab.widgets.castle_rampage.stack_editor import editor_for

CARDS = ("Ogre", "Knight", "Archer", "Knight")


@pytest.fixture
def editor():
    return StackEditor(CARDS, gate=2, castle=2, attacks=(Raid(9), Raid(3, "castle")))


def pick(editor, *targets):
    for target in targets:
        editor.board.pick(target)
    return str(editor.value)


def test_a_bench_starts_with_the_cards_and_two_empty_stacks(editor):
    assert editor.value == Stacking()
    assert not editor.complete
    assert not editor.board.can_undo
    scene = editor.board.scene
    ids = [target.id for target in scene.targets]
    assert ids == ["gate 1", "gate 2", "castle 1", "castle 2", *(f"card {n}" for n in range(1, 5))]
    assert [target.id for target in scene.fitted(True).targets] == ids
    assert scene.fitted(True).width <= NARROW
    for picture in (scene, scene.fitted(True)):
        for target in picture.targets:
            assert 0 <= target.x < target.x + target.width <= picture.width
            assert 0 <= target.y < target.y + target.height <= picture.height
    assert "Attack 2: Strength 3 past the Gate." in scene.description


def test_a_card_that_is_picked_up_may_go_anywhere(editor):
    pick(editor, "card 1")
    assert editor.board.offered == ("gate 1", "gate 2", "castle 1", "castle 2")
    assert editor.board.said.startswith("Ogre: Gate 5, Castle 6.")
    assert editor.board.scene.target("card 1").name.endswith("picked up")
    pick(editor, "card 1")
    assert editor.board.offered == ()
    assert editor.board.said == "The Ogre is put back."


def test_cards_go_to_places_top_first(editor):
    assert pick(editor, "card 1", "gate 2") == "gate Ogre / castle -"
    assert editor.board.said == "The Ogre goes to place 2 of the Gate."
    assert pick(editor, "card 2", "gate 1") == "gate Knight, Ogre / castle -"
    assert pick(editor, "card 3", "castle 1", "card 4", "castle 2").endswith(
        "castle Archer, Knight"
    )
    assert editor.complete
    assert editor.board.said.endswith("Both stacks are complete.")


def test_a_card_from_the_row_takes_the_place_of_another(editor):
    assert pick(editor, "card 1", "gate 1", "card 3", "gate 1") == "gate Archer / castle -"
    assert editor.board.said.endswith("the Ogre is taken back.")


def test_two_cards_in_stacks_change_places(editor):
    pick(editor, "card 1", "gate 1", "card 3", "castle 1")
    assert pick(editor, "card 1", "castle 1") == "gate Archer / castle Ogre"
    assert "changes places" in editor.board.said
    assert pick(editor, "card 1", "castle 2") == "gate Archer / castle Ogre"  # moved down
    assert pick(editor, "card 1", "castle 2") == "gate Archer / castle Ogre"
    assert editor.board.said == "The Ogre stays where it is."


def test_a_placed_card_is_taken_back_and_an_empty_place_says_so(editor):
    pick(editor, "card 1", "gate 1")
    assert pick(editor, "gate 1") == "gate - / castle -"
    assert editor.board.said == "The Ogre is taken back."
    pick(editor, "castle 2")
    assert editor.board.said == "Nothing is at place 2 of the Castle. Pick a card first."


def test_undo_and_redo(editor):
    pick(editor, "card 1", "gate 1", "card 2", "castle 1")
    editor.board.undo()
    assert str(editor.value) == "gate Ogre / castle -"
    editor.board.press("u")
    assert editor.value == Stacking()
    editor.board.undo()
    assert "nothing to undo" in editor.board.said
    editor.board.redo()
    editor.board.press("r")
    assert str(editor.value) == "gate Ogre / castle Knight"
    editor.board.undo()
    pick(editor, "card 3", "castle 1")
    assert not editor.board.can_redo


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("gate Ogre, Knight / castle Archer, Knight", "gate Ogre, Knight / castle Archer, Knight"),
        ("castle knight, knight; GATE archer", "gate Archer / castle Knight, Knight"),
        ("gate ogre", "gate Ogre / castle -"),
    ],
)
def test_stacks_may_be_typed(editor, text, value):
    editor.board.write(text)
    assert str(editor.value) == value
    assert editor.board.draft == ""
    editor.board.write("clear")
    assert editor.value == Stacking()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("gate Ogre, Ogre", "no Ogre left"),
        ("gate Dragon", "no Dragon left"),
        ("gate Ogre, Knight, Archer", "room for 2 cards, not 3"),
        ("", ""),
        ("nonsense", ""),
        ("gate <b>Ogre</b>", ""),
        ("gate " + "Ogre," * 5000, ""),
    ],
)
def test_wrong_text_is_explained_and_changes_nothing(editor, text, why):
    pick(editor, "card 3", "castle 1")
    editor.board.write(text)
    assert not editor.board.ok
    assert why in editor.board.said
    assert editor.board.said
    assert str(editor.value) == "gate - / castle Archer"


def test_build_puts_two_stacks_there(editor):
    pick(editor, "card 1", "castle 2")
    wanted = Stacking((card("Knight"), card("Knight")), (card("Archer"), card("Ogre")))
    editor.build(wanted)
    assert editor.value == wanted
    editor.build("gate Ogre / castle Archer")
    editor.board.undo()
    editor.board.undo()
    assert str(editor.value) == "gate - / castle Ogre"
    with pytest.raises(CastlelabError):
        editor.build("gate Dragon")


def test_those_who_follow_the_value_hear_of_each_step(editor):
    seen = []
    editor.observe(lambda change: seen.append(str(change["new"])), "value")
    pick(editor, "card 1", "gate 1", "gate 2", "gate 1")
    assert seen == ["gate Ogre / castle -", "gate - / castle -"]


def test_keys_alone_build_both_stacks(editor):
    board = editor.board
    for target in ("card 2", "gate 1", "card 3", "castle 2"):
        walk(board, target)
        board.press("Enter")
    assert str(editor.value) == "gate Knight / castle Archer"


def test_the_picture_keeps_its_size(editor):
    before = editor.board.scene
    editor.build("gate Ogre, Knight / castle Archer, Knight")
    after = editor.board.scene
    assert (after.width, after.height) == (before.width, before.height)


def test_an_editor_for_two_stacks_and_for_nothing_else():
    ask = StackWell(tuple(map(card, CARDS)), 3, 1, (Raid(9),))
    assert editor_for(ask).ask == ask
    assert isinstance(editors.editor_for(ask), StackEditor)
    with pytest.raises(CastlelabError, match="no editor for"):
        editors.editor_for("two stacks")


def test_the_editor_loads_no_other_game():
    code = (
        "from castlelab.widgets import StackEditor; import sys; "
        "print([n for n in sys.modules if n.startswith('castlelab.games.castle_keep.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
