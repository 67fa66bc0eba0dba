"""A festival at the table: the tower is built, what it would score is said, rules say no."""

from dataclasses import replace

import pytest

import castlelab
from castlelab.games.castell import Skills, Team, Tower
from castlelab.games.castell.moves import STAY_OUT, Enter
from castlelab.games.castell.scoring import Festival, Player
from castlelab.widgets.castell import move_editor
from castlelab.widgets.controls import discard

GAME = castlelab.load("castell", first="blue")
TOWER = Tower("10*4 9*3 8*2 7")


@pytest.fixture
def festival():
    valls = GAME.box.places["Valls"]
    player = Player(Team("10*4 9*3 8*2 7"), Skills(width=1), pawn=valls)
    state = replace(
        GAME.start(3),
        players=(player, player),
        calendar=(Festival(10, valls, (9, 7)),),
        round=10,
        turns=1,
    )
    return state.play("end")


@pytest.fixture
def played():
    return []


@pytest.fixture
def editor(festival, played):
    return move_editor(festival, played.append, pytest.fail)


def test_only_a_festival_has_an_editor(festival):
    assert move_editor(GAME.start(3), print, print) is None
    assert move_editor(festival.play("stay out").play("stay out"), print, print) is None
    assert move_editor(castlelab.load("castle_keep").start(1), print, print) is None
    assert move_editor(festival.view(0), print, print) is not None


def test_it_says_what_the_festival_wants_and_what_others_built(festival, editor):
    assert "Festival at Valls" in editor.heading.value
    assert "each casteller of size 9 or 7" in editor.heading.value
    second = move_editor(festival.play(Enter(TOWER)), print, print)
    assert "Blue has built 4 levels for 8 points." in second.heading.value


def test_the_score_follows_the_tower(editor):
    assert "Build your tower" in editor.score.value
    editor.editor.build("10*4 9*3 8*2 7")
    assert "It scores 8 points now: 4 levels and 4 wanted castellers." in editor.score.value
    assert editor.enter.description == "Enter, 8 points"
    editor.editor.build("10*3 9*2 8 7")
    assert editor.enter.description == "Enter"


def test_a_tower_is_built_by_picking_and_entered(editor, played):
    for target in ("size 10", *["level 1"] * 4, "size 9", *["level 2"] * 3):
        editor.editor.board.pick(target)
    for target in ("size 8", *["level 3"] * 2, "size 7", "level 4"):
        editor.editor.board.pick(target)
    editor.enter.click()
    assert played == [Enter(TOWER)]


@pytest.mark.parametrize(
    ("tower", "rule"),
    [
        ("10*3 9*2 8", "castell/festival-entry"),  # too low
        ("9*3 10*2 8 7", "castell/level-smaller"),
    ],
)
def test_what_may_not_enter_cites_its_rule_and_is_not_played(editor, played, tower, rule):
    editor.editor.build(tower)
    assert f"It may not enter. {GAME.rules[rule].title}:" in editor.score.value
    editor.enter.click()
    assert played == []
    assert str(editor.editor.value) == tower


def test_nothing_is_no_tower(editor, played):
    editor.enter.click()
    assert played == []
    assert "There is no tower yet." in editor.score.value


def test_staying_out_is_always_possible(editor, played):
    editor.out.click()
    assert played == [STAY_OUT]


def test_the_best_tower_is_a_hint(editor, played):
    editor.best.click()
    assert editor.editor.value == Tower()
    assert "Your best tower here would score 8 points." in editor.score.value
    editor.best.click()
    assert editor.enter.description == "Enter, 8 points"
    editor.editor.board.undo()
    assert editor.editor.value == Tower()
    assert played == []


def test_it_leaves_a_picture_behind_and_can_be_thrown_away(editor):
    assert "<svg" in editor.still().svg
    assert editor.standin()
    discard(editor)
