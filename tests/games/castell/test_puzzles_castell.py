"""Castell's puzzles: judged by the rules alone, and harder level by level."""

from collections import Counter
from functools import cache
from itertools import pairwise
from statistics import fmean

import pytest
from tower_lists import simple_towers

from castlelab.chance import Chance
from castlelab.draw.scene import Rect, Text
from castlelab.games.castell import Skills, Team, Tower, best_tower, check, festival_score
from castlelab.games.castell.lessons import lesson
from castlelab.games.castell.optimum import tallest_tower
from castlelab.games.castell.puzzles import BuildTower, spoiled
from castlelab.games.castell.tower import SKILLS, Level, check_entry
from castlelab.puzzles import LEVELS, puzzle
from castlelab.rules import NotationError

every_level = pytest.mark.parametrize("level", LEVELS)
SEEDS = range(12)
BROAD = ("base", "width")


def ranks(skills):
    return sum(skills.rank(skill) for skill in SKILLS)


made = cache(puzzle)  # some take a tenth of a second to make


def all_of(kind, level, seeds=SEEDS):
    return [made(f"castell/{kind}-{level}-{seed}") for seed in seeds]


# -- spot the breach -------------------------------------------------------------------------


@every_level
def test_exactly_one_level_of_a_suspect_is_wrong(level):
    for one in all_of("spot-the-breach", level):
        verdict = check(one.start.tower, one.start.skills)
        assert len(verdict.breaches) == 1
        assert verdict.where == (one.solution,)


@every_level
def test_every_other_level_is_a_wrong_answer(level):
    for one in all_of("spot-the-breach", level):
        for value, _ in one.ask.options:
            assert one.check(value).solved == (value == one.solution)


@every_level
def test_the_right_answer_is_explained_by_a_rule(level):
    for one in all_of("spot-the-breach", level):
        judgement = one.check(one.solution)
        assert judgement.breaches[0].rule.id in str(judgement)
        assert judgement.breaches[0].rule.title in one.hint(1)


@every_level
def test_no_other_level_could_be_blamed_for_spending_the_same_skill(level):
    """With Balance 1, 3-3-3 has one level too many, but who says that it is the third?"""
    for one in all_of("spot-the-breach", level, range(40)):
        tower, skills = one.start.tower, one.start.skills
        (breach,) = check(tower, skills).breaches
        bare = check(tower, Skills(width=skills.width)).breaches
        assert sum(other.rule == breach.rule for other in bare) <= 1, one.code


def band(scene, level):
    """The colour of a level's band, and the sign that is not only a colour."""
    there = scene.target(level)
    inside = [
        shape
        for shape in scene.shapes
        if isinstance(shape, Rect | Text) and there.contains(shape.x, shape.y)
    ]
    verdicts = {"good-soft", "bad-soft"}
    fills = [shape.fill for shape in inside if isinstance(shape, Rect) and shape.fill in verdicts]
    signs = [shape.words for shape in inside if isinstance(shape, Text) and shape.words in "✓✕"]
    return fills, signs


@every_level
def test_a_right_choice_is_green_and_ticked_and_a_wrong_one_red_and_crossed(level):
    for one in all_of("spot-the-breach", level):
        for value, _ in one.ask.options:
            right = value == one.solution
            picture = one.picture(value)
            expected = (["good-soft"], ["✓"]) if right else (["bad-soft"], ["✕"])
            assert band(picture, value) == expected, one.code
            assert bool(picture.happenings) == right, "the tower gives way where it is wrong"
        assert band(one.picture(), one.solution) == ([], [])


def test_a_level_that_is_not_there_is_no_answer():
    with pytest.raises(NotationError, match="not a choice"):
        puzzle("castell/spot-the-breach-1-1").check("level 9")


# -- tallest ---------------------------------------------------------------------------------


def test_any_tower_of_that_height_is_accepted_and_no_lower_one():
    one = puzzle("castell/tallest-1-1")
    ask, solved = one.ask, 0
    for tower in simple_towers(ask.team, ask.skills):
        judgement = one.check(tower)
        assert tower.height <= one.par  # without Mix in play the list is complete
        assert judgement.solved == (tower.height == one.par)
        if not judgement:
            assert f"{one.par} is possible" in judgement.message
        solved += judgement.solved and tower != one.solution
    assert solved


@every_level
def test_the_par_of_tallest_is_what_the_search_proves(level):
    for one in all_of("tallest", level):
        assert one.solution.height == one.par
        assert tallest_tower(one.ask.team, one.ask.skills).height == one.par
        if level > 1:  # the skills are needed
            assert tallest_tower(one.ask.team).height < one.par


def test_a_tower_that_breaks_rules_is_told_each_by_its_id():
    judgement = puzzle("castell/tallest-1-1").check("1*3 10*3 10*4")
    assert not judgement
    assert {breach.rule.id for breach in judgement.breaches} >= {
        "castell/level-smaller",
        "castell/level-shrinks",
        "castell/max-width",
        "castell/own-castellers",
    }
    assert "[castell/level-smaller]" in str(judgement)


def test_an_empty_tower_is_answered_by_castell_tower_stands():
    for kind in ("tallest", "festival", "silhouette"):
        judgement = puzzle(f"castell/{kind}-1-1").check("")
        assert [breach.rule.id for breach in judgement.breaches] == ["castell/tower-stands"]


# -- festival --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_festival_answers_are_judged_by_entry_and_score(seed):
    one = puzzle(f"castell/festival-2-{seed}")
    ask, said = one.ask, set()
    for tower in simple_towers(ask.team, ask.skills):
        judgement = one.check(tower)
        if not check_entry(tower, ask.wanted):
            assert not judgement
            assert {b.rule.id for b in judgement.breaches} == {"castell/festival-entry"}
            said.add("entry")
        else:
            points = festival_score(tower, ask.wanted)
            assert points <= one.par
            assert judgement.solved == (points == one.par)
            assert f"It scores {points}" in judgement.message
    assert "entry" in said


@every_level
def test_the_par_of_a_festival_is_the_score_of_the_best_tower(level):
    for one in all_of("festival", level):
        best = best_tower(one.ask.team, one.ask.skills, one.ask.wanted)
        assert festival_score(best, one.ask.wanted) == one.par
        assert set(one.ask.wanted) <= set(one.ask.team)


@pytest.mark.parametrize("level", [3, 4, 5])
def test_from_level_3_on_the_first_tall_tower_is_no_answer(level):
    for one in all_of("festival", level):
        assert not one.check(tallest_tower(one.ask.team, one.ask.skills))


# -- one more rank ---------------------------------------------------------------------------


@every_level
def test_exactly_one_skill_opens_the_festival(level):
    for one in all_of("one-more-rank", level):
        ask = one.start
        assert best_tower(ask.team, ask.skills, ask.wanted) is None
        for skill in SKILLS:
            opens = best_tower(ask.team, ask.skills.raised(skill), ask.wanted) is not None
            assert one.check(skill).solved == opens == (skill == one.solution)


def test_the_right_skill_is_shown_with_a_tower_that_it_makes_legal():
    for one in all_of("one-more-rank", 3):
        words = one.check(one.solution).message
        tower = Tower(words.rpartition(": ")[2].rstrip("."))
        ask = one.start
        assert check(tower, ask.skills.raised(one.solution), ask.team)
        assert not check(tower, ask.skills, ask.team)
        assert check_entry(tower, ask.wanted)


@every_level
def test_no_skill_is_the_usual_answer(level):
    found = Counter(one.solution for one in all_of("one-more-rank", level, range(20)))
    assert max(found.values()) <= 10
    # Base and Width open the same festivals, and Mix wants more people than level 1 has.
    assert set(found) == {"balance", "strength"} | ({"mix"} if level > 1 else set())


def test_base_and_width_open_the_same_festivals():
    for level in LEVELS:
        for one in all_of("tallest", level):
            ask, wanted = one.ask, sorted(set(one.ask.team))[:2]
            base, width = (best_tower(ask.team, ask.skills.raised(s), wanted) for s in BROAD)
            assert (base is None) == (width is None)


@every_level
def test_the_sizes_wanted_are_listed_in_english(level):
    for kind in ("festival", "one-more-rank"):
        one = made(f"castell/{kind}-{level}-1")
        words = {1: "size {}", 2: "sizes {} and {}", 3: "sizes {}, {} and {}"}
        wanted = one.start.wanted
        assert f"{words[len(wanted)].format(*wanted)}." in one.prompt


# -- silhouette ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_any_legal_tower_of_the_shape_is_accepted(seed):
    one = puzzle(f"castell/silhouette-1-{seed}")
    ask = one.ask
    for tower in simple_towers(ask.team, ask.skills):
        judgement = one.check(tower)
        assert judgement.solved == (tower.widths == ask.widths)
        if not judgement:
            assert [b.rule.id for b in judgement.breaches] == ["castell/performance-shape"]


@every_level
def test_the_team_of_a_silhouette_has_people_to_spare(level):
    for one in all_of("silhouette", level):
        assert len(one.ask.team) >= sum(one.ask.widths) + level
        assert one.par == len(one.ask.widths)


# -- levels ----------------------------------------------------------------------------------


def _burden(one):
    """How much there is to keep in mind: castellers and ranks of skill."""
    if isinstance(one.start, BuildTower):
        return len(one.start.team) + ranks(one.start.skills)
    return len(one.start.tower.team) + ranks(one.start.skills)


@pytest.mark.parametrize(
    "kind", ["spot-the-breach", "tallest", "festival", "one-more-rank", "silhouette"]
)
def test_levels_grow_in_castellers_and_ranks(kind):
    means = [fmean(map(_burden, all_of(kind, level, range(25)))) for level in LEVELS]
    assert all(later > earlier for earlier, later in pairwise(means))


@pytest.mark.parametrize("kind", ["tallest", "festival", "silhouette"])
def test_levels_grow_in_what_is_to_be_reached(kind):
    # Neighbouring levels may differ in skills alone, so every other one is compared.
    means = [fmean(one.par for one in all_of(kind, level, range(25))) for level in (1, 3, 5)]
    assert means[0] + 0.5 < means[1]
    assert means[1] + 0.5 < means[2]


def test_a_start_on_the_bench_is_no_answer_yet():
    one = puzzle("castell/tallest-2-3")
    assert one.ask.start == Tower()
    assert BuildTower(Team("9*3"), start=Tower("9*2")).read("9*3") == Tower("9*3")


def solvable(one, tower):
    """Whether a tower solves a puzzle, or one does that begins like it."""
    if one.check(tower):
        return True
    ask = one.ask
    free = ask.team - tower.team
    widest = tower.levels[-1].width
    higher = (
        Tower.of((*tower.levels, Level(((size, width),))))
        for size in range(1, 11)
        for width in range(1, min(free.count(size), widest) + 1)
    )
    return any(check(each, ask.skills, ask.team) and solvable(one, each) for each in higher)


BUILDING = ("tallest", "festival", "silhouette")


@pytest.mark.parametrize("kind", BUILDING)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_what_is_offered_instead_leads_to_the_goal(kind, level):
    offered = 0
    for seed in range(3):
        one = made(f"castell/{kind}-{level}-{seed}")
        for number in range(12):
            wrong = spoiled(one.solution, Chance.seeded(f"{seed} {number}"))
            for breach in one.check(wrong).breaches:
                for mend in breach.mends:
                    offered += 1
                    assert check(mend, one.ask.skills, one.ask.team)
                    assert solvable(one, mend), (str(wrong), str(mend))
    assert offered


@pytest.mark.parametrize("name", ["one-size", "smaller-on-top", "fewer-on-top", "three-at-most"])
def test_what_is_offered_in_a_lesson_keeps_its_levels(name):
    one = lesson(name)
    judgement = one.check(one.start)
    assert judgement.breaches
    for breach in judgement.breaches:
        assert breach.mends
        assert all(map(one.check, breach.mends))
