"""The authored puzzles teach what they say: the tempting answer is refused by just that rule."""

import pytest

from castlelab.games.castle_rampage.attack import attack
from castlelab.games.castle_rampage.card import RULES
from castlelab.games.castle_rampage.lessons import LESSONS, lesson
from castlelab.games.castle_rampage.puzzle_forms import TableQuestion
from castlelab.games.castle_rampage.puzzle_lethal import AttackTurn, Lethal, shortest_turn
from castlelab.games.castle_rampage.puzzle_stack_well import StackWell, defend, every_stacking
from castlelab.puzzles import ChooseOne
from castlelab.rules import NotationError

ATTACKS = [name for name in LESSONS if isinstance(lesson(name).ask, ChooseOne)]
TURNS = [name for name in LESSONS if isinstance(lesson(name).ask, Lethal)]
QUESTIONS = [name for name in LESSONS if isinstance(LESSONS[name], TableQuestion)]
STACKS = [name for name in LESSONS if isinstance(lesson(name).ask, StackWell)]


@pytest.mark.parametrize("name", LESSONS)
def test_the_solution_solves_and_the_lesson_is_complete(name):
    puzzle = lesson(name)
    assert puzzle.check(puzzle.solution)
    assert puzzle.check(str(puzzle.solution))
    assert puzzle.code == ""
    assert puzzle.hint(1) != puzzle.hint(2)
    assert str(puzzle.solution).lower() not in puzzle.hint(1).lower()
    assert puzzle.prompt.endswith((".", "?"))
    assert all(rule in RULES for rule in puzzle.rules)
    assert puzzle.picture().targets


@pytest.mark.parametrize("name", [name for name in LESSONS if name not in QUESTIONS])
def test_an_answer_is_seen_in_the_picture(name):
    puzzle = lesson(name)
    assert puzzle.picture(puzzle.solution) != puzzle.picture()


@pytest.mark.parametrize("answer", ["Only the Dragon", "Both of them"])
def test_who_cannot_pay_is_told_what_a_dragon_costs(answer):
    judgement = lesson("can-you-pay").check(answer)
    assert not judgement
    assert "costs two other cards of the hand [castle_rampage/play]" in judgement.message


def test_the_first_attack_is_the_worked_example():
    puzzle = lesson("first-attack")
    result = attack(9, gate=[4], castle=[6])
    assert [step.rule for step in result.steps] == ["castle_rampage/broken", "castle_rampage/held"]
    told = puzzle.check("castle 1 holds").message
    assert "4 against 9: 5 left [castle_rampage/broken]" in told
    assert "6 against 5 [castle_rampage/held]" in told


@pytest.mark.parametrize(
    ("name", "answer", "rule", "says"),
    [
        ("first-attack", "castle falls", "castle_rampage/broken", "takes its value off"),
        ("first-attack", "gate 1 holds", "castle_rampage/held", "4 against 9: 5 left"),
        ("held", "gate 1 even", "castle_rampage/held", "5 against 4"),
        ("held", "gate 2 holds", "castle_rampage/held", "5 against 4"),
        ("even", "castle 1 holds", "castle_rampage/even", "the attack is over"),
        ("even", "gate 1 holds", "castle_rampage/even", "the defender falls as well"),
        ("broken", "castle 1 even", "castle_rampage/broken", "takes its value off"),
        ("through-the-gate", "castle falls", "castle_rampage/broken", "takes its value off"),
        ("into-the-castle", "castle falls", "castle_rampage/broken", "takes its value off"),
        ("into-the-castle", "gate 1 even", "castle_rampage/broken", "3 against 7: 4 left"),
        ("purple", "castle falls", "castle_rampage/purple", "takes the attacker with it"),
        ("purple", "gate 1 holds", "castle_rampage/purple", "takes the attacker with it"),
    ],
)
def test_a_wrong_ending_is_explained_by_the_rule_of_the_lesson(name, answer, rule, says):
    judgement = lesson(name).check(answer)
    assert not judgement
    assert f"[{rule}]" in judgement.message
    assert says in judgement.message


@pytest.mark.parametrize("name", ATTACKS)
def test_one_ending_alone_is_right(name):
    puzzle = lesson(name)
    solved = [value for value, _ in puzzle.ask.options if puzzle.check(value)]
    assert solved == [puzzle.solution]


@pytest.mark.parametrize(
    ("name", "turn", "rule"),
    [
        ("cost", "play Dragon", "castle_rampage/play"),
        ("cost", "play Dragon for Dragon, Spy", "castle_rampage/play"),
        ("scheme", "play Arrow storm", "castle_rampage/scheme"),
        ("scheme", "play Arrow storm for Mercenary", "castle_rampage/unit"),
        ("scheme", "play Arrow storm for Knight, Mercenary, Archer, Archer", "castle_rampage/play"),
        (
            "strengthen",
            "strengthen gate Castellan; strengthen gate Gatekeeper",
            "castle_rampage/strengthen",
        ),
        ("ogre", "strengthen castle Ogre", "castle_rampage/ogre-cost"),
        ("ogre", "strengthen castle Ogre for Spy", "castle_rampage/ogre-cost"),
        ("ogre", "play Ogre", "castle_rampage/play"),
    ],
)
def test_the_tempting_move_is_refused_by_the_rule_it_teaches(name, turn, rule):
    judgement = lesson(name).check(turn)
    assert not judgement
    assert rule in [breach.rule.id for breach in judgement.breaches]
    assert "is not allowed." in judgement.message
    assert ("Up to" in judgement.message) == (";" in turn)


@pytest.mark.parametrize(
    ("name", "turn", "says"),
    [
        ("digger", "play Knight", "[castle_rampage/target]"),
        ("digger", "play Archer; play Knight", "the Ogre holds, 5 against 4"),
        ("cost", "play Dragon for Knight, Spy", "Castle: Ogre 6."),
        ("cost", "play Knight", "You hold Dragon, Priest and Spy."),
        ("scheme", "play Arrow storm for Knight, Archer", "the Ogre holds, 6 against 1"),
        (
            "scheme",
            "play Arrow storm for Knight, Archer; play Mercenary",
            "[castle_rampage/scheme]",
        ),
        ("bomber", "play Dragon for Priest, Spy; play Knight", "[castle_rampage/purple]"),
        ("permanent", "play Knight; play Banner bearer", "[castle_rampage/permanent]"),
        (
            "jester",
            "play Jester",
            "Your own Castle has fallen, and you lose [castle_rampage/jester]",
        ),
        ("jester", "play Knight", "the Giant holds, 3 against 1"),
        (
            "summoner",
            "play Summoner",
            "Your own Castle has fallen, and you lose [castle_rampage/summoner]",
        ),
        ("strengthen", "strengthen gate Castellan", "defends only 2 there"),
        ("strengthen", "end", "Nothing has been strengthened yet"),
        ("ogre", "strengthen castle Ogre for Dragon, Spy", "your Dragon has gone"),
        ("ogre", "strengthen gate Ogre for Priest, Spy", "not in your Castle yet"),
    ],
)
def test_a_turn_that_falls_short_says_what_is_left_and_the_point(name, turn, says):
    judgement = lesson(name).check(turn)
    assert not judgement
    assert not judgement.breaches
    assert says in judgement.message
    assert any(f"[{rule}]" in judgement.message for rule in lesson(name).rules)
    assert "\n" not in judgement.message


@pytest.mark.parametrize("name", TURNS)
def test_doing_nothing_does_nothing(name):
    assert not lesson(name).check(AttackTurn())
    assert not lesson(name).check("end")


@pytest.mark.parametrize("name", ["digger", "cost", "scheme", "bomber", "permanent"])
def test_the_solution_is_as_short_as_can_be(name):
    puzzle = lesson(name)
    assert len(shortest_turn(puzzle.ask.state).moves) == puzzle.par


@pytest.mark.parametrize("name", ["jester", "summoner"])
def test_without_strengthening_first_there_is_no_way(name):
    assert shortest_turn(lesson(name).ask.state) is None


def test_other_turns_that_do_it_are_right_too():
    assert lesson("strengthen").check("strengthen gate Gatekeeper")
    assert lesson("scheme").check("PLAY arrow storm FOR mercenary, archer, knight")
    assert lesson("cost").check("play Knight\nplay Dragon for Spy, Priest; end")
    assert "The rest is not needed" in lesson("digger").check("play Digger; play Knight").message


@pytest.mark.parametrize("name", STACKS)
def test_stacks_are_judged_by_the_attack(name):
    puzzle = lesson(name)
    held = 0
    for stacking in every_stacking(puzzle.ask):
        judgement = puzzle.check(stacking)
        assert judgement == puzzle.check(str(stacking))
        assert judgement.solved == defend(stacking, puzzle.ask.attacks).stands
        assert (
            judgement or "The Castle has fallen [castle_rampage/castle-falls]" in judgement.message
        )
        held += judgement.solved
    assert held >= 1


def test_the_first_stacks_can_be_put_in_two_ways_and_one_is_right():
    puzzle = lesson("stack-well-first")
    assert not puzzle.check("gate Castellan / castle Gatekeeper")
    assert [str(one) for one in every_stacking(puzzle.ask) if puzzle.check(one)] == [
        str(puzzle.solution)
    ]


def test_a_bomber_is_wasted_only_at_the_bottom_of_the_castle():
    puzzle = lesson("stack-bomber")
    for stacking in every_stacking(puzzle.ask):
        assert bool(puzzle.check(stacking)) == (stacking.castle[-1].name != "Bomber")


def test_every_rule_that_a_lesson_is_about():
    taught = {rule for name in LESSONS for rule in lesson(name).rules}
    assert taught == {
        *(
            "castle_rampage/reveal",
            "castle_rampage/held",
            "castle_rampage/even",
            "castle_rampage/broken",
            "castle_rampage/purple",
        ),
        *(
            "castle_rampage/target",
            "castle_rampage/castle-falls",
            "castle_rampage/play",
            "castle_rampage/scheme",
        ),
        *(
            "castle_rampage/unit",
            "castle_rampage/permanent",
            "castle_rampage/jester",
            "castle_rampage/summoner",
        ),
        *(
            "castle_rampage/strengthen",
            "castle_rampage/under",
            "castle_rampage/ogre-cost",
            "castle_rampage/first-stacks",
        ),
    }


def test_there_is_no_other_lesson():
    for name in ("fly", None, 7, ["held"]):
        with pytest.raises(NotationError, match="the lessons are first-attack"):
            lesson(name)
    for name, wrong in (("held", AttackTurn()), ("cost", 7), ("stack-well-first", AttackTurn())):
        with pytest.raises(NotationError):
            lesson(name).check(wrong)


@pytest.mark.parametrize(
    ("name", "turn", "mends"),
    [
        # The Dragon is to be kept, so it does not pay.
        ("ogre", "strengthen castle Ogre", {"strengthen castle Ogre for Priest, Spy"}),
        ("cost", "play Knight; play Dragon for Spy", {"play Dragon for Priest, Spy"}),
        ("cost", "play Dragon", set()),  # a Dragon that comes first falls at the Castle
        ("digger", "play Digger for Knight", {"play Digger"}),
    ],
)
def test_a_mend_leads_to_the_goal(name, turn, mends):
    judged = lesson(name).check(turn)
    assert not judged
    assert {str(mend) for breach in judged.breaches for mend in breach.mends} == mends
