"""The tower editor, worked through Python: picks, keys, words, undo, and explanations."""

import pytest
from keys import walk

from castlelab.games.castell import Skills, Team, Tower
from castlelab.rules import CastlelabError, NotationError
from castlelab.widgets import editors
from castlelab.widgets.castell.tower_editor import (
    TowerEditor,
    editor_for,
    with_casteller,
    without_casteller,
)


@pytest.fixture
def editor():
    return TowerEditor("9*3 8*2 7 6", Skills(balance=1))


def pick(editor, *targets):
    for target in targets:
        editor.board.pick(target)
    return str(editor.value)


def test_a_bench_starts_empty_or_with_a_tower(editor):
    assert editor.value == Tower()
    assert not editor.board.can_undo
    built = TowerEditor(Team("9*3 8"), tower="9*3 8")
    assert str(built.value) == "9*3 8"
    assert built.board.said == "It stands: 2 levels, 4 castellers."
    assert str(TowerEditor("9*3", tower=Tower("9*2")).value) == "9*2"


def test_pick_a_size_then_a_level(editor):
    pick(editor, "size 9")
    assert editor.board.said == "Size 9 in hand. Now pick a level."
    assert editor.value == Tower()
    assert pick(editor, "level 1") == "9"
    assert "Size 9 stands on level 1." in editor.board.said
    assert "It stands: 1 level, 1 casteller." in editor.board.said


def test_a_size_stays_in_hand_while_more_of_it_are_free(editor):
    assert pick(editor, "size 9", "level 1", "level 1", "level 1") == "9*3"
    assert editor.free(9) == 0
    pick(editor, "level 1")  # nothing in hand any more
    assert str(editor.value) == "9*3"
    assert "Level 1: 3 of size 9" in editor.board.said


def test_a_new_level_comes_on_top(editor):
    assert pick(editor, "size 9", "level 1", "level 2") == "9 9"
    assert editor.board.scene.target("level 3") is not None


def test_a_casteller_joins_the_level_of_another(editor):
    pick(editor, "size 9", "level 1", "level 1", "size 9", "size 8")
    assert editor.board.scene.target("casteller 1 2") is None  # a full hand goes to a level
    assert pick(editor, "level 1") == "9*2+8"


@pytest.mark.parametrize("times", [1, 2, 3])
def test_pick_a_casteller_then_a_level_as_often_as_you_like(editor, times):
    assert pick(editor, *["size 9", "level 1"] * times) == str(Tower(f"9*{times}"))


def test_a_size_is_put_back_by_picking_it_twice_in_a_row(editor):
    pick(editor, "size 9", "size 9")
    assert "put back" in editor.board.said
    pick(editor, "level 1")
    assert editor.value == Tower()
    assert "Pick a casteller of your team first" in editor.board.said


def test_after_a_placing_the_same_size_is_taken_up_anew_before_it_goes_back(editor):
    pick(editor, "size 9", "level 1")
    assert "Pick level 1 again for another one." in editor.board.said
    pick(editor, "size 9")
    assert editor.board.said == "Size 9 in hand. Now pick a level."
    pick(editor, "size 9")
    assert editor.board.said.startswith("Size 9 is put back.")
    assert pick(editor, "level 1") == "9"


def test_the_last_one_of_a_size_is_not_followed_by_another(editor):
    pick(editor, "size 7", "level 1")
    assert "again" not in editor.board.said


def test_take_castellers_off_one_after_the_other(editor):
    editor.build("9*3 8*2 7")
    assert pick(editor, "casteller 2 2") == "9*3 8 7"
    assert "Size 8 is off level 2, back in your team." in editor.board.said
    assert pick(editor, "casteller 1 1", "casteller 3 1") == "9*2 8"
    assert pick(editor, "size 8", "level 3") == "9*2 8 8"
    assert not editor.board.ok


def test_after_a_placing_castellers_of_other_levels_may_be_taken_off(editor):
    editor.build("9 8*2")
    pick(editor, "size 9")
    assert editor.board.scene.target("casteller 2 1") is None  # a full hand goes to a level
    assert pick(editor, "level 1") == "9*2 8*2"
    assert editor.board.scene.target("casteller 1 1") is None  # there another one may follow
    assert pick(editor, "casteller 2 1") == "9*2 8"
    assert pick(editor, "level 1") == "9*2 8"  # the hand is empty


def test_taking_the_last_one_off_a_level_lets_the_others_down(editor):
    editor.build("9*3 8 7")
    assert pick(editor, "casteller 2 1") == "9*3 7"


def test_who_is_used_up_cannot_be_picked(editor):
    editor.build("7 6")
    pick(editor, "size 7")
    assert "cannot be picked now" in editor.board.said
    assert str(editor.value) == "7 6"


def test_sizes_that_the_team_lacks_are_not_there(editor):
    pick(editor, "size 1")
    assert "nothing called 'size 1'" in editor.board.said


def test_undo_and_redo_every_step(editor):
    seen = [str(editor.value)]
    for target in ("size 9", "level 1", "level 1", "size 8", "level 2"):
        editor.board.pick(target)
        seen.append(str(editor.value))
    for before in reversed(seen[:-1]):
        editor.board.undo()
        assert str(editor.value) == before
    assert not editor.board.can_undo
    editor.board.undo()
    assert "nothing to undo" in editor.board.said
    for after in seen[1:]:
        editor.board.redo()
        assert str(editor.value) == after
    assert not editor.board.can_redo


def test_undo_gives_the_hand_back_too(editor):
    pick(editor, "size 9", "level 1")
    editor.board.undo()
    assert pick(editor, "level 1") == "9"


def test_a_new_step_after_undo_ends_redo(editor):
    pick(editor, "size 9", "level 1")
    editor.board.undo()
    editor.board.undo()
    pick(editor, "size 8")
    assert not editor.board.can_redo


def test_a_tower_can_be_typed(editor):
    editor.board.write("9*3 8*2 7")
    assert str(editor.value) == "9*3 8*2 7"
    assert "The tower is now 9*3 8*2 7." in editor.board.said
    assert editor.board.draft == ""
    editor.board.undo()
    assert editor.value == Tower()


def test_bad_text_is_explained_and_stays_in_the_box(editor):
    editor.build("9*3")
    editor.board.write("9**3")
    assert "write a size, or size*count such as 9*3" in editor.board.said
    assert editor.board.draft == "9**3"
    assert not editor.board.ok
    assert str(editor.value) == "9*3"


@pytest.mark.parametrize("text", ["clear", " CLEAR ", ""])
def test_clear_or_nothing_empties_the_bench_and_is_no_bad_news(editor, text):
    editor.build("9*3")
    editor.board.write(text)
    assert editor.value == Tower()
    assert editor.board.said == "The tower is now empty."
    assert editor.board.ok


def test_going_back_to_the_empty_bench_is_no_bad_news(editor):
    pick(editor, "size 9", "level 1")
    editor.board.undo()
    assert editor.board.said == "Taken back."
    assert editor.board.ok


@pytest.mark.parametrize(
    ("tower", "rule", "mend", "level"),
    [
        ("9*3 8*2 7*2", "castell/own-castellers", "Use 1 there.", 3),
        ("9*2 9", "castell/level-smaller", "Use size 8, 7 or 6 there", 2),
        ("8*2 9", "castell/level-smaller", "or have Strength rank 2", 2),
        ("8 9*3", "castell/level-shrinks", "no skill allows more than below", 2),
        ("9+8 7", "castell/level-one-size", "Mix joins only", 1),
        ("9*4 8", "castell/max-width", "Use at most 3 there.", 1),
    ],
)
def test_an_illegal_tower_is_explained_by_rule_and_mend(editor, tower, rule, mend, level):
    editor.board.write(tower)
    assert str(editor.value) == tower  # built all the same: one learns from it
    assert f"[{rule}]" in editor.board.said
    assert mend in editor.board.said
    assert f"evel {level}" in editor.board.said or rule == "castell/own-castellers"
    assert not editor.board.ok


def test_the_guilty_level_is_marked_in_the_picture(editor):
    from castlelab.games.castell.picture import bench_scene

    editor.build("9*2 9")
    lit = bench_scene(Tower("9*2 9"), editor.team, editor.skills, lit=("level 2",))
    assert editor.board.scene == lit


def test_the_value_can_be_observed(editor):
    seen = []
    editor.observe(lambda change: seen.append(str(change["new"])), "value")
    pick(editor, "size 9", "level 1", "level 1")
    editor.board.undo()
    assert seen == ["9", "9*2", "9"]


def test_sliders_train_and_the_tower_is_judged_anew():
    editor = TowerEditor("9*3 8*3 7", tower="9*3 8*3", train=("balance", "width"))
    assert "[castell/level-shrinks]" in editor.board.said
    assert not editor.board.ok
    seen = []
    editor.observe(lambda change: seen.append(change["new"]), "skills")
    slider = editor._sliders["balance"]
    assert (slider.min, slider.max, slider.description) == (0, 5, "Balance")
    slider.value = 1
    assert editor.skills == Skills(balance=1)
    assert seen == [Skills(balance=1)]
    assert "It stands" in editor.board.said
    assert editor.board.ok
    editor._sliders["width"].value = 2
    assert editor.skills == Skills(balance=1, width=2)
    slider.value = 0
    assert "[castell/level-shrinks]" in editor.board.said


def test_sliders_start_at_the_ranks_and_leave_other_skills_alone():
    editor = TowerEditor("9*3", Skills(mix=2, base=1), train=("mix",))
    assert editor._sliders["mix"].value == 2
    editor._sliders["mix"].value = 3
    assert editor.skills == Skills(mix=3, base=1)


def test_only_skills_can_be_trained():
    with pytest.raises(NotationError, match="no skill 'flight'"):
        TowerEditor("9*3", train=("flight",))


def test_everything_can_be_done_by_keys_alone(editor):
    board = editor.board
    walk(board, "size 9")
    board.press("Enter")
    walk(board, "level 1")
    board.press(" ")
    board.press("Enter")
    assert str(editor.value) == "9*2"
    walk(board, "size 8")
    board.press("Enter")
    walk(board, "level 2")
    board.press("Enter")
    assert str(editor.value) == "9*2 8"
    board.press("u")
    assert str(editor.value) == "9*2"
    board.press("r")
    assert str(editor.value) == "9*2 8"
    walk(board, "casteller 1 1")
    board.press("Enter")
    assert str(editor.value) == "9 8"


def test_keys_lead_to_every_target_of_a_full_bench():
    editor = TowerEditor("10*4 9*3 8*2 7 6 5 4 3 2 1", tower="10*4 9*3 8*2 7")
    for target in editor.board.scene.targets:
        walk(editor.board, target.id)


def test_an_editor_for_a_puzzle_and_for_nothing_else():
    from castlelab.puzzles import puzzle

    one = puzzle("castell/silhouette-2-1")
    bench = editor_for(one.ask)
    assert (bench.team, bench.skills, bench.widths) == (
        one.ask.team,
        one.ask.skills,
        one.ask.widths,
    )
    with pytest.raises(CastlelabError, match="no editor for"):
        editors.editor_for("a tower")


def test_castellers_come_and_go_as_pure_functions():
    tower = Tower("9*3 8")
    assert str(with_casteller(tower, 2, 7)) == "9*3 8+7"
    assert str(with_casteller(tower, 3, 7)) == "9*3 8 7"
    assert str(without_casteller(Tower("9*3 8+7*2"), 2, 1)) == "9*3 7*2"
    assert str(without_casteller(Tower("9"), 1, 1)) == ""
    assert str(tower) == "9*3 8"
