"""The authored puzzles teach what they say: the tempting step is refused by just that rule."""

import pytest

from castlelab.games.castle_keep.castle import RULES, Castle, Tile, at_words
from castlelab.games.castle_keep.count import count_finishes
from castlelab.games.castle_keep.lessons import LESSONS, lesson
from castlelab.games.castle_keep.puzzle_finish_it import BuildPlan, lay
from castlelab.puzzles import ChooseOne
from castlelab.rules import NotationError

CHOSEN = [name for name in LESSONS if isinstance(lesson(name).ask, ChooseOne)]
LAID = [name for name in LESSONS if name not in CHOSEN]


@pytest.mark.parametrize("name", LAID)
def test_doing_nothing_solves_nothing(name):
    puzzle = lesson(name)
    assert not puzzle.check(BuildPlan())
    assert puzzle.par == len(puzzle.solution.steps)


@pytest.mark.parametrize("name", CHOSEN)
def test_only_one_choice_is_right_and_the_others_say_why(name):
    puzzle = lesson(name)
    judgements = {value: puzzle.check(value) for value, _ in puzzle.ask.options}
    assert [value for value, judgement in judgements.items() if judgement] == [puzzle.solution]
    for judgement in judgements.values():
        assert "[castle_keep/" in str(judgement) or judgement


@pytest.mark.parametrize("name", LESSONS)
def test_the_solution_solves(name):
    puzzle = lesson(name)
    assert puzzle.check(puzzle.solution)
    assert puzzle.check(str(puzzle.solution))
    assert puzzle.code == ""
    assert puzzle.hint(1) != puzzle.hint(2)
    assert puzzle.prompt.endswith((".", "?", "!"))
    assert all(rule in RULES for rule in puzzle.rules)
    assert puzzle.picture().targets
    assert puzzle.picture(puzzle.solution) != puzzle.picture()


@pytest.mark.parametrize(
    ("name", "plan", "rule"),
    [
        ("first-castle", "TYS s", "castle_keep/spots"),
        ("corners-and-sides", "KB c", "castle_keep/first-tile"),
        ("corners-and-sides", "WBZ ne", "castle_keep/spots"),
        ("corners-and-sides", "WBZ n, TBC se", "castle_keep/adjacent"),
        ("match", "TYC ne", "castle_keep/match"),
        ("between", "TBZ ne", "castle_keep/match"),
        ("between", "TRS ne", "castle_keep/match"),
        ("keep", "KB c", "castle_keep/keep-colour"),
        ("closing", "WYZ s", "castle_keep/match"),
        ("lone-keep", "WYZ n", "castle_keep/lone-keep"),
        ("lone-keep", "TYC nw", "castle_keep/lone-keep"),
        ("no-easy-ending", "TYS se, WYZ s", "castle_keep/adv-last-both"),
        ("from-nothing", "KB c", "castle_keep/first-tile"),
        ("match", "TRC ne", "castle_keep/from-hand"),
        ("first-castle", "KR c, KR c", "castle_keep/from-hand"),
    ],
)
def test_the_tempting_step_is_refused_by_just_the_rule_it_teaches(name, plan, rule):
    judgement = lesson(name).check(plan)
    assert not judgement
    assert [breach.rule.id for breach in judgement.breaches] == [rule]
    tile, spot = plan.rpartition(", ")[2].split()
    said = f"The {Tile(tile).words} {at_words(spot)} is not allowed."
    assert judgement.message.startswith(said)


@pytest.mark.parametrize(
    ("name", "choice", "rule"),
    [
        ("gap", "TYC", "castle_keep/spots"),
        ("gap", "WRS", "castle_keep/match"),
        ("closing-spot", "TBZ", "castle_keep/spots"),
        ("twin-wall", "2.n", "castle_keep/attack-wall"),
        ("two-keeps", "2.c", "castle_keep/attack-keep"),
        ("towers-fall", "2.se", "castle_keep/adv-towers"),
        ("closing-both", "WYZ", "castle_keep/adv-last-both"),
    ],
)
def test_the_tempting_choice_is_refused_by_the_rule_it_teaches(name, choice, rule):
    judgement = lesson(name).check(choice)
    assert not judgement
    assert [breach.rule.id for breach in judgement.breaches] == [rule]


def test_every_rule_that_a_lesson_is_about_is_named_by_a_refusal_or_by_winning():
    taught = {rule for name in LESSONS for rule in lesson(name).rules}
    assert taught == {
        "castle_keep/build-many",
        "castle_keep/win-build",
        "castle_keep/spots",
        "castle_keep/first-tile",
        "castle_keep/adjacent",
        "castle_keep/match",
        "castle_keep/keep-colour",
        "castle_keep/last-tile",
        "castle_keep/lone-keep",
        "castle_keep/adv-last-both",
        "castle_keep/attack-wall",
        "castle_keep/attack-keep",
        "castle_keep/win-destroy",
        "castle_keep/adv-towers",
    }


def test_the_first_castle_works_in_every_order():
    """It opens the page: whoever finds a spot for each tile has built a castle."""
    ask = lesson("first-castle").ask
    assert count_finishes(ask.castle, ask.hand) == 1
    assert count_finishes(ask.castle, ask.hand, in_order=True) == 6


def test_closing_works_only_in_one_order_and_needs_the_relief():
    ask = lesson("closing").ask
    assert count_finishes(ask.castle, ask.hand, in_order=True) == 1
    assert count_finishes(ask.castle, ask.hand, last_matches_both=True) == 0
    (second,) = lay(ask, BuildPlan(lesson("closing").solution.steps[:1])).hand
    assert not second.matches(ask.castle["sw"])


def test_no_easy_ending_would_be_easier_with_one():
    ask = lesson("no-easy-ending").ask
    assert ask.last_matches_both
    assert count_finishes(ask.castle, ask.hand, last_matches_both=True) == 1
    assert count_finishes(ask.castle, ask.hand) == 2


def test_the_same_tile_closes_a_ring_only_in_the_plain_game():
    plain, sharp = lesson("closing-spot"), lesson("closing-both")
    assert plain.start.castle == sharp.start.castle
    assert plain.solution in dict(sharp.ask.options)
    assert plain.solution != sharp.solution


def test_a_turn_finishes_a_castle_in_several_ways_and_from_nothing_there_is_one():
    ask = lesson("whole-turn").ask
    assert count_finishes(ask.castle, ask.hand) == 5
    ask = lesson("from-nothing").ask  # turned and mirrored
    assert count_finishes(ask.castle, ask.hand, last_matches_both=True) == 8


def test_the_last_blow_leaves_nothing_and_another_attack_a_keep():
    siege = lesson("last-blow").start
    assert len(siege.left("2.n")) == 0
    assert [str(tile) for tile in siege.left("3.e")] == ["KB"]


def test_only_one_tile_joins_the_two_parts():
    ask = lesson("between").ask
    assert [str(tile) for tile in ask.hand if ask.castle.check(tile, "ne")] == ["TYC"]


@pytest.mark.parametrize(
    ("name", "plan", "says"),
    [
        ("first-castle", "WYC s", "Still open: the south-east corner and the centre"),
        ("match", "TBZ ne, WBC e", "Lay 3, not 2"),
        ("keep", "WBC n", "the blue keep is not laid yet"),
        ("closing", "TYS se", "Still open: the south side"),
        ("match", "TBZ ne, TYC e", "The step before it is fine."),
    ],
)
def test_an_answer_that_falls_short_says_what_is_missing(name, plan, says):
    judgement = lesson(name).check(plan)
    assert not judgement
    assert says in str(judgement)


def test_another_plan_that_does_what_is_asked_is_right_too():
    assert lesson("match").check("WBC w, TYC sw, TBZ ne")
    assert lesson("keep").check("build wbc n; build KB c")


def test_there_is_no_other_lesson():
    for name in ("fly", None, 7, ["match"]):
        with pytest.raises(NotationError, match="the lessons are first-castle"):
            lesson(name)
    with pytest.raises(NotationError, match="a plan such as"):
        lesson("keep").check(Castle())
