"""The attack stage, worked through Python: steps, strengths, words, and what it refuses."""

import pytest
from keys import walk

from castlelab.draw.scene import NARROW
from castlelab.games.castle_rampage import card
from castlelab.games.castle_rampage.card import RULES
from castlelab.rules import CastlelabError
from castlelab.widgets import AttackStage


@pytest.fixture
def stage():
    return AttackStage(9, gate=("Knight", "Ogre"), castle=("Archer",))


def words(stage):
    return [shape.words for shape in stage.board.scene.shapes if hasattr(shape, "words")]


def click(stage, name):
    _, buttons, *_ = stage.children
    next(b for b in buttons.children if b.description == name).click()


def test_a_stage_begins_with_every_card_face_down(stage):
    assert words(stage).count("?") == 3
    assert "Attack with 9" in words(stage)
    assert stage.board.said == "An attack with 9 begins at the Gate. Press Next."
    assert stage.board.scene.target("gate").name == "Gate: 2 cards face down"
    assert not stage.done


def test_each_step_turns_a_card_over_and_names_its_rule(stage):
    """castle_rampage/reveal, castle_rampage/broken"""
    click(stage, "Next")
    assert stage.board.said == (
        "Gate: Knight defends 3, strength 9: broken, 6 left. "
        "Weaker defence: on it goes. [castle_rampage/broken]"
    )
    assert "Knight" in words(stage)
    assert "Ogre" not in words(stage)
    assert "6 left" in words(stage)
    click(stage, "Next")
    click(stage, "Next")
    assert stage.done
    last, end = stage.board.said.splitlines()
    assert last.startswith("Castle: Archer defends 3, strength 1: held, the attacker falls.")
    assert last.endswith("Stronger defence: held. [castle_rampage/held]")
    assert end == "Held: the attacker is beaten off. Start again, or change the strength."


def test_all_steps_are_told_line_by_line(stage):
    stage.next_step()
    click(stage, "All steps")
    assert [line.split(":")[0] for line in stage.board.said.splitlines()] == [
        "Gate",
        "Castle",
        "Held",
    ]
    assert stage.shown == 3


def offered(stage):
    _, buttons, *_ = stage.children
    return [b.description for b in buttons.children if not b.disabled]


def test_after_the_end_there_is_only_a_new_start(stage):
    assert offered(stage) == ["Next", "All steps", "Start again"]
    click(stage, "Next")
    assert offered(stage) == ["Next", "All steps", "Start again"]
    click(stage, "All steps")
    assert offered(stage) == ["Start again"]
    assert stage.board.said.endswith("Start again, or change the strength.")
    click(stage, "Start again")
    assert offered(stage) == ["Next", "All steps", "Start again"]
    assert words(stage).count("?") == 3
    assert stage.shown == 0


def test_a_click_too_many_says_again_how_it_ended(stage):
    stage.all_steps()
    stage.next_step()
    assert stage.done
    assert stage.board.ok
    assert stage.board.said == (
        "Held: the attacker is beaten off. Start again, or change the strength."
    )


@pytest.mark.parametrize(
    ("strength", "gate", "castle", "end", "rule"),
    [
        (5, [5], [1], "Even: both fall", "castle_rampage/even"),
        (12, ["Knight"], ["Archer", 4], "The Castle has fallen!", "castle_rampage/broken"),
        (9, ["Bomber"], [6], "The attacker falls.", "castle_rampage/purple"),
        (0, [], [1], "Held: the attacker", "castle_rampage/held"),
    ],
)
def test_every_end_is_said(strength, gate, castle, end, rule):
    stage = AttackStage(strength, gate, castle)
    stage.all_steps()
    assert end in stage.board.said.splitlines()[-1]
    assert f"[{rule}]" in stage.board.said
    assert RULES[rule].title in stage.board.said
    assert end in stage.board.scene.description


def test_what_if_the_strength_were_another(stage):
    stage.all_steps()
    stage._slider.value = 12
    assert offered(stage) == ["Next", "All steps", "Start again"]
    assert stage.strength == 12
    assert stage.shown == 0
    stage.all_steps()
    assert "The Castle has fallen!" in stage.board.said
    stage.set_strength(2)
    assert stage._slider.value == 2
    stage.next_step()
    assert stage.done


def test_the_slider_may_be_left_out_and_reaches_the_strength_given():
    plain = AttackStage(slider=False)
    plain.all_steps()
    assert plain.board.said.endswith("Held: the attacker is beaten off. Start again.")
    assert len(plain.children) == 2
    assert AttackStage(30)._slider.max == 30
    stage = AttackStage(9)
    stage.set_strength(25)
    assert (stage.strength, stage._slider.value, stage._slider.max) == (25, 25, 25)


def test_the_castle_may_be_the_target():
    """castle_rampage/target"""
    stage = AttackStage(9, [4], [6], target="castle")
    assert "begins at the Castle" in stage.board.said
    stage.next_step()
    assert stage.board.said.startswith("Castle: Defence 6")


def test_open_cards_lie_open_from_the_start():
    stage = AttackStage(9, [card("Knight")], ["Ogre"], hidden=False)
    assert {"Knight", "Ogre"} <= set(words(stage))
    assert stage.board.scene.target("castle").name.endswith("Ogre, defence 6")


def test_a_stack_says_what_is_known_of_it(stage):
    stage.next_step()
    stage.board.pick("gate")
    assert stage.board.said == "Gate: 1 card face down. Fallen: Knight, defence 3."
    for target in ("castle", "gate"):
        walk(stage.board, target)
        stage.board.press("Enter")
        assert stage.board.said.startswith(target.title())


def test_the_picture_keeps_its_size_and_its_targets_inside(stage):
    sizes = set()
    for strength in range(21):
        stage.set_strength(strength)
        while not stage.done:
            stage.next_step()
            scene = stage.board.scene
            sizes.add((scene.width, scene.height))
            for target in scene.targets:
                assert 0 <= target.x < target.x + target.width <= scene.width
                assert 0 <= target.y < target.y + target.height <= scene.height
    assert len(sizes) == 1
    assert stage.board.scene.fitted(True).width <= NARROW


def test_a_step_is_one_message(stage, monkeypatch):
    sent = []
    stage.board._welcome()
    monkeypatch.setattr(stage.board._canvas._canvas_manager, "send", lambda *a, **k: sent.append(a))
    stage.next_step()
    assert len(sent) == 1
    stage.set_strength(5)
    assert len(sent) == 2
    assert stage.board._companion.times == 3  # the welcome, the step, the new strength


@pytest.mark.parametrize(
    "wrong",
    [
        {"strength": -1},
        {"strength": "9"},
        {"strength": True},
        {"gate": "Knigt"},
        {"gate": 7},
        {"gate": [None]},
        {"gate": ["Nobody"]},
        {"castle": []},
        {"target": "moat"},
    ],
)
def test_a_wrong_attack_is_an_error_at_once(wrong):
    with pytest.raises(CastlelabError):
        AttackStage(**wrong)


def test_a_wrong_strength_later_changes_nothing(stage):
    stage.next_step()
    with pytest.raises(CastlelabError):
        stage.set_strength(-3)
    assert (stage.strength, stage.shown) == (9, 1)


def test_a_fallen_castle_cites_its_rule():
    stage = AttackStage(12, [3], [2])
    stage.all_steps()
    assert "[castle_rampage/castle-falls]" in stage.board.said.splitlines()[-1]
