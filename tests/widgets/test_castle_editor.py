"""The castle editor, worked through Python: picks, keys, words, undo, and explanations."""

import subprocess
import sys

import pytest
from keys import walk

from castlelab.games.castle_keep import Castle, Tile
from castlelab.games.castle_keep.puzzle_finish_it import BuildPlan, Finish, read_plan
from castlelab.rules import CastlelabError, IllegalMove, NotationError
from castlelab.widgets import editors
from castlelab.widgets.castle_keep.castle_editor import CastleEditor, editor_for

START = "TRC -- -- / -- -- -- / -- -- --"
NEARLY = "TRC WRC TRC / WRC -- WRC / TRC WRC --"


@pytest.fixture
def editor():
    return CastleEditor(START, "WRZ WBS TBZ KR")


def pick(editor, *targets):
    for target in targets:
        editor.board.pick(target)
    return str(editor.value)


def test_a_bench_starts_with_the_castle_and_the_hand(editor):
    assert editor.laid.castle == Castle.parse(START)
    assert editor.laid.hand == tuple(map(Tile, ("WRZ", "WBS", "TBZ", "KR")))
    assert editor.value == BuildPlan()
    assert editor.board.offered == ()
    assert not editor.board.can_undo
    given = CastleEditor(Castle.parse(START), [Tile("WRZ")])
    assert given.laid.castle == editor.laid.castle
    assert given.laid.hand == (Tile("WRZ"),)


def test_a_tile_that_is_picked_up_shows_where_it_fits(editor):
    pick(editor, "hand 1")
    assert editor.board.offered == ("n", "w")
    assert editor.board.said.startswith("The red zigzag wall fits on 2 spots.")
    assert editor.board.scene.target("hand 1").name.endswith("picked up")
    assert editor.value == BuildPlan()


def test_pick_a_tile_then_a_spot(editor):
    assert pick(editor, "hand 1", "n") == "WRZ n"
    assert editor.laid.castle["n"] is Tile("WRZ")
    assert editor.laid.hand == tuple(map(Tile, ("WBS", "TBZ", "KR")))
    assert editor.board.said == "The red zigzag wall stands on the north side."
    assert editor.board.offered == ()
    assert pick(editor, "hand 2", "ne", "hand 2", "c") == "WRZ n, TBZ ne, KR c"


def test_a_tile_picked_again_is_put_back(editor):
    pick(editor, "hand 1", "hand 1")
    assert editor.board.said == "The red zigzag wall is put back."
    assert editor.board.offered == ()
    pick(editor, "hand 1", "hand 4")  # another one instead
    assert editor.board.offered == ("c",)


def test_a_tile_that_fits_nowhere_says_so(editor):
    pick(editor, "hand 2")
    assert editor.board.said.endswith("blue straight wall fits on no spot now. Pick another tile.")
    assert editor.board.offered == ()


def test_a_spot_without_a_tile_says_what_is_there(editor):
    pick(editor, "nw")
    assert editor.board.said.startswith("North-west corner: red curvy tower. Pick a tile")
    pick(editor, "s")
    assert editor.board.said.startswith("South side: empty, for a wall.")
    assert editor.value == BuildPlan()


@pytest.mark.parametrize(
    ("tile", "spot", "rule", "lit"),
    [
        ("hand 2", "n", "castle_keep/match", ("n", "nw")),
        ("hand 1", "s", "castle_keep/adjacent", ("s",)),
        ("hand 1", "c", "castle_keep/spots", ("c",)),
        ("hand 3", "nw", "castle_keep/spots", ("nw",)),
    ],
)
def test_a_refusal_names_the_rule_and_lights_the_spots(editor, tile, spot, rule, lit):
    pick(editor, tile, spot)
    assert f"[{rule}]" in editor.board.said
    assert not editor.board.ok
    assert editor.board.lit == lit
    assert editor.value == BuildPlan()
    assert not editor.board.can_undo
    # The tile is still in hand: another spot may be tried at once.
    assert editor.board.scene.target(tile).name.endswith("picked up")


def test_after_a_refusal_the_same_tile_is_taken_up_anew(editor):
    pick(editor, "hand 1", "s", "hand 1")  # a tile, then a spot; and again
    assert editor.board.said.startswith("The red zigzag wall fits on 2 spots.")
    pick(editor, "n")
    assert str(editor.value) == "WRZ n"


def test_every_breach_is_told():
    editor = CastleEditor("TRC -- TBZ / -- -- -- / -- -- --", "WYS")
    pick(editor, "hand 1", "n")
    assert editor.board.said.count("[castle_keep/match]") == 2
    assert editor.board.lit == ("n", "nw", "ne")


def test_after_a_refusal_the_right_spot_puts_the_light_out(editor):
    pick(editor, "hand 1", "s", "w")
    assert editor.board.lit == ()
    assert editor.board.ok
    assert str(editor.value) == "WRZ w"


def test_undo_and_redo(editor):
    pick(editor, "hand 1", "n", "hand 2", "ne")
    editor.board.undo()
    assert str(editor.value) == "WRZ n"
    editor.board.press("u")
    assert editor.value == BuildPlan()
    assert editor.laid.castle == Castle.parse(START)
    assert len(editor.laid.hand) == 4
    editor.board.undo()
    assert "nothing to undo" in editor.board.said
    editor.board.redo()
    editor.board.press("r")
    assert str(editor.value) == "WRZ n, TBZ ne"
    assert not editor.board.can_redo


def test_undo_puts_back_what_is_in_hand_and_a_new_tile_ends_redo(editor):
    pick(editor, "hand 1", "n", "hand 1")
    editor.board.undo()
    assert editor.board.offered == ()
    assert editor.board.can_redo
    pick(editor, "hand 1", "w")
    assert not editor.board.can_redo


@pytest.mark.parametrize("text", ["WRZ n", "wrz  N", "build WRZ n"])
def test_a_step_may_be_typed(editor, text):
    editor.board.write(text)
    assert str(editor.value) == "WRZ n"
    assert editor.board.draft == ""


def test_several_steps_may_be_typed_and_are_one_undo(editor):
    editor.board.write("WRZ n, TBZ ne, KR c")
    assert len(editor.laid.castle) == 4
    editor.board.write("clear")
    assert editor.laid.castle == Castle.parse(START)
    editor.board.undo()
    editor.board.undo()
    assert editor.value == BuildPlan()
    assert not editor.board.can_undo


def test_of_several_steps_all_or_none_are_laid(editor):
    editor.board.write("WRZ n, TBZ s")
    assert "[castle_keep/spots]" in editor.board.said
    assert editor.board.draft == "WRZ n, TBZ s"
    assert editor.value == BuildPlan()


def test_a_tile_that_one_does_not_hold_is_refused(editor):
    editor.board.write("TYC ne")
    assert "[castle_keep/from-hand]" in editor.board.said
    editor.board.write("WRZ n, WRZ w")
    assert "[castle_keep/from-hand]" in editor.board.said
    assert editor.value == BuildPlan()


@pytest.mark.parametrize(
    "text", ["", "  ", "nonsense", "TRC", "WRZ nowhere", "<b>WRZ</b> n", "??  n", "n" * 10_000]
)
def test_hostile_text_is_explained_and_changes_nothing(editor, text):
    editor.board.write(text)
    assert editor.board.said
    assert not editor.board.ok
    assert editor.value == BuildPlan()


def test_the_ninth_tile_completes_the_castle():
    editor = CastleEditor(NEARLY, "TRS KR")
    pick(editor, "hand 2", "c", "hand 1", "se")
    assert "All nine tiles stand" in editor.board.said
    assert editor.laid.castle.complete


def test_an_empty_hand_and_a_useless_one_are_said():
    editor = CastleEditor(START, "WRZ KB")
    pick(editor, "hand 1", "n")
    assert "No tile of your hand fits now." in editor.board.said
    alone = CastleEditor(START, "WRZ")
    pick(alone, "hand 1", "n")
    assert "Your hand is empty." in alone.board.said


def test_the_picture_keeps_its_size_while_the_hand_runs_out():
    editor = CastleEditor(START, "WRZ TRS WRS TRZ WRC")
    before = editor.board.scene
    editor.board.write("WRZ n, TRS ne, WRS e, TRZ se, WRC s")
    assert editor.laid.hand == ()
    after = editor.board.scene
    assert (after.width, after.height) == (before.width, before.height)


def test_the_closing_tile_may_have_to_match_both():
    castle = "TRC WRC TRC / WBS KR WRC / -- WRC TRC"
    easy, hard = (CastleEditor(castle, "TRC", last_matches_both=both) for both in (False, True))
    pick(easy, "hand 1")
    assert easy.board.offered == ("sw",)
    pick(hard, "hand 1", "sw")
    assert "[castle_keep/adv-last-both]" in hard.board.said
    assert hard.board.offered == ()


def test_build_lays_a_whole_plan_on_the_first_castle(editor):
    pick(editor, "hand 1", "w")
    editor.build("WRZ n, TBZ ne")
    assert editor.value == read_plan("WRZ n, TBZ ne")
    assert editor.laid.castle["w"] is None
    editor.build(BuildPlan())
    assert editor.laid.castle == Castle.parse(START)
    editor.board.undo()
    editor.board.undo()
    assert str(editor.value) == "WRZ w"


def test_build_refuses_from_python(editor):
    with pytest.raises(IllegalMove):
        editor.build("WBS n")
    with pytest.raises(NotationError):
        editor.build("nonsense")
    assert editor.value == BuildPlan()


def test_those_who_follow_the_value_hear_of_each_plan(editor):
    seen = []
    editor.observe(lambda change: seen.append(str(change["new"])), "value")
    pick(editor, "hand 1", "n")
    pick(editor, "hand 1", "e")  # refused
    editor.board.undo()
    assert seen == ["WRZ n", ""]


def test_keys_alone_build_a_castle(editor):
    board = editor.board
    for target in ("hand 1", "n", "hand 2", "ne"):
        walk(board, target)
        board.press("Enter")
    assert str(editor.value) == "WRZ n, TBZ ne"
    walk(board, "hand 2")
    board.press(" ")
    walk(board, "c")
    assert board._companion.where.endswith("you may pick this")


@pytest.mark.parametrize("castle", ["", "TRC", "TRC -- --"])
def test_a_wrong_castle_or_hand_is_an_error_at_once(castle):
    with pytest.raises(NotationError):
        CastleEditor(castle, "WRZ")
    with pytest.raises(NotationError):
        CastleEditor(START, "WRZ what")


# -- which editor for which puzzle -------------------------------------------------------------


def test_an_editor_for_a_plan_and_for_nothing_else():
    ask = Finish(Castle.parse(START), (Tile("WRZ"),), last_matches_both=True)
    bench = editor_for(ask)
    assert bench.ask == ask
    assert isinstance(editors.editor_for(ask), CastleEditor)
    with pytest.raises(CastlelabError, match="no editor for"):
        editors.editor_for("a castle")


@pytest.mark.parametrize("ask", ["a castle", None, 7, object()])
def test_what_nobody_can_build_has_no_editor(ask):
    with pytest.raises(CastlelabError, match="there is no editor for"):
        editors.editor_for(ask)


@pytest.mark.parametrize(
    ("editor", "other"), [("CastleEditor", "castell"), ("TowerEditor", "castle_keep")]
)
def test_the_editor_of_one_game_does_not_load_another(editor, other):
    code = (
        f"from castlelab.widgets import {editor}; import sys; "
        f"print([name for name in sys.modules if name.startswith('castlelab.games.{other}.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
