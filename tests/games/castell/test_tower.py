"""Towers, teams, skills: reading, writing and judging them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.games.castell import Skills, Team, Tower, check, skill_uses
from castlelab.games.castell.tower import MAX_RANK, SKILLS, Level, check_entry, stands
from castlelab.rules import NotationError

sizes = st.integers(1, 10)
levels = st.lists(sizes, min_size=1, max_size=6).map(Level.of)
towers = st.lists(levels, min_size=1, max_size=7).map(Tower.of)
all_skills = st.builds(Skills, **dict.fromkeys(SKILLS, st.integers(0, MAX_RANK)))


@given(towers)
def test_a_tower_reads_back_from_its_text(tower):
    assert Tower(str(tower)) == tower


@given(st.lists(sizes, max_size=20))
def test_a_team_reads_back_from_its_text(people):
    team = Team(" ".join(map(str, people)))
    assert Team(str(team)) == team
    assert sorted(team) == sorted(people)


@given(all_skills)
def test_skills_read_back_from_their_text(skills):
    text = "" if str(skills) == "no skills" else str(skills)
    assert Skills.parse(text) == skills


@given(towers, all_skills)
def test_a_tower_is_legal_exactly_if_some_minimal_use_is_covered(tower, skills):
    covered = any(skills.covers(needed) for needed in skill_uses(tower))
    assert bool(check(tower, skills)) == covered


@given(towers)
def test_every_minimal_use_is_needed_to_the_last_rank(tower):
    for needed in skill_uses(tower):
        assert check(tower, needed)
        for skill in SKILLS:
            if rank := needed.rank(skill):
                less = Skills(**{s: needed.rank(s) for s in SKILLS} | {skill: rank - 1})
                assert not check(tower, less)


@given(towers, all_skills)
def test_every_breach_says_where_and_cites_a_rule_of_the_game(tower, skills):
    for breach in check(tower, skills, Team("9*2 8 7")).breaches:
        assert breach.rule.id.startswith("castell/")
        assert breach.where
        assert all(1 <= int(place.split()[1]) <= tower.height for place in breach.where)
        assert breach.mend.endswith(".")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("9*", "write a size, or size*count such as 9*3"),
        ("11*2", "sizes go from 1 to 10"),
        ("0", "sizes go from 1 to 10"),
        ("9*0", "from 1 to 150"),
        ("9*999", "from 1 to 150"),
        ("nine", "write a size"),
        ("9++8", "write a size"),
        ("9*150 8*150", "more than 150"),
        ("9 " * 5000, "too long"),
        ("٣", "write a size"),
    ],
)
def test_bad_towers_are_explained(text, says):
    with pytest.raises(NotationError, match=says.replace("*", r"\*")):
        Tower(text)


@pytest.mark.parametrize("bad", [None, 7, ["9"], b"9"])
def test_a_tower_is_text(bad):
    with pytest.raises(NotationError, match="written as text"):
        Tower(bad)


@given(st.text(max_size=60))
def test_no_text_crashes_a_parser(text):
    for parser in (Tower, Team, Skills.parse):
        with suppress(NotationError):
            parser(text)


@pytest.mark.parametrize("rank", [-1, 6, 1.0, True, "1"])
def test_ranks_are_whole_numbers_from_0_to_5(rank):
    with pytest.raises(NotationError, match="balance"):
        Skills(balance=rank)


def test_an_empty_tower_does_not_stand():
    assert check(Tower("")).rules == ("castell/tower-stands",)
    assert skill_uses(Tower("")) == ()


@pytest.mark.parametrize(
    ("tower", "skills", "rule", "mend"),
    [
        ("9*3 8*3", Skills(), "castell/level-shrinks", "Balance rank 1"),
        ("9*3 8*3 7*3", Skills(balance=1), "castell/level-shrinks", "Balance rank 2"),
        ("9*2 8*3", Skills(balance=5), "castell/level-shrinks", "no skill allows more"),
        ("8*3 9*2", Skills(), "castell/level-smaller", "Strength rank 2"),
        ("8*3 8*2", Skills(), "castell/level-smaller", "Strength rank 1"),
        ("1*2 9", Skills(), "castell/level-smaller", "Use size 10 on level 1"),
        ("9*4 8", Skills(), "castell/max-width", "Width rank 1, or have Base rank 1"),
        ("9*9 8", Skills(), "castell/max-width", "Base rank 1"),
        ("10+9 8", Skills(), "castell/level-one-size", "Mix rank 1"),
        ("2+1", Skills(), "castell/level-one-size", "Mix joins only"),
        ("2+1", Skills(mix=1), "castell/mix", "Mix joins only"),
        ("9+8", Skills(mix=1), "castell/mix", "Mix joins only"),
        ("10+9+8", Skills(mix=5), "castell/mix", "Mix joins only"),
    ],
)
def test_each_breach_cites_its_rule_and_what_would_mend_it(tower, skills, rule, mend):
    verdict = check(Tower(tower), skills)
    assert verdict.rules == (rule,)
    assert mend in verdict.breaches[0].mend


@pytest.mark.parametrize(
    ("tower", "skills", "mend"),
    [
        ("7*4 7*3 6*2 4*3 1*2", Skills(balance=2, strength=1, width=1), "Use 2 there;"),
        ("9*3 8*3", Skills(), "Use at most 2 there, or have Balance rank 1."),
        ("9*3 8*3 7", Skills(), "Use 2 there, or"),
        ("9*3 8*3 7*2", Skills(), "Use 2 there and 1 on level 3, or"),
        ("9*3 8*2 7 6", Skills(), "Take it off, or have Balance rank 1."),
        ("9*3 8 7", Skills(), "Use 2 on level 2, or"),
        ("9*3 8*2 7 6*2 5", Skills(), "Take it off with all that is above it; no skill"),
        ("9*3 2*2 2", Skills(), "Use size 1 there, or"),
        ("9*3 5*2 7", Skills(strength=2), "Use size 6 or smaller there, or"),
    ],
)
def test_a_mend_fits_the_skills_and_what_is_around(tower, skills, mend):
    (breach,) = check(Tower(tower), skills).breaches[:1]
    assert breach.mend.startswith(mend)


@given(towers, all_skills)
def test_every_mend_is_a_tower_that_stands(tower, skills):
    """Whatever is wrong, and however much of it: do as you are told, and nothing is."""
    for breach in check(tower, skills).breaches:
        assert breach.mends
        assert all(check(mend, skills) for mend in breach.mends)


@given(towers, all_skills, st.lists(sizes, min_size=1, max_size=20))
def test_every_mend_is_built_from_the_team(tower, skills, people):
    team = Team(" ".join(map(str, people)))
    for breach in check(tower, skills, team).breaches:
        assert all(check(mend, skills, team) for mend in breach.mends)


@given(towers, all_skills)
def test_a_tower_stands_exactly_if_nothing_is_said_against_it(tower, skills):
    assert stands(tower, skills) == (not check(tower, skills).breaches)


@pytest.mark.parametrize(
    ("tower", "skills", "mends"),
    [
        ("10*3 10*2", Skills(), ("10*3 9*2", "10*3 8*2")),  # nobody is larger than a 10
        ("9*3 10*2", Skills(), ("9*3 8*2", "9*3 7*2")),
        ("8*5 7*5 6*3", Skills(width=1), ("8*4 7*3 6*2",)),  # not "at most 4" and "at most 3"
        ("9*3 8 7", Skills(), ("9*3 8*2 7",)),
    ],
)
def test_the_nearest_towers_are_offered(tower, skills, mends):
    verdict = check(Tower(tower), skills)
    for breach in verdict.breaches:
        assert tuple(map(str, breach.mends[:2])) == mends


def test_only_ranks_that_help_alone_are_named():
    verdict = check(Tower("9*5 8*5 7*2"))  # Width 2 and Balance 1 would be needed
    assert not any("rank" in breach.mend for breach in verdict.breaches)
    breach = check(Tower("9*5 8*5 7*2"), Skills(balance=1)).breaches[0]
    assert "have Width rank 2" in breach.mend


def test_a_mend_leads_to_the_goal():
    tower, team = Tower("10*4 8*3 7*2"), Team("10*4 8*3 7*2")
    (plain,) = {breach.mends for breach in check(Tower("9*3 8*2 7 6")).breaches}
    assert plain == (Tower("9*3 8*2 7"),)
    (high,) = {b.mends for b in check(tower, None, team, lambda t: t.height > 2).breaches}
    assert high == (Tower("10*3 8*2 7"),)
    # Or it can be built up to it; and where nothing near can, nothing is offered.
    (begun,) = check(Tower("10*3 8*3"), None, team, lambda t: t.height > 2).breaches
    assert begun.mends == (Tower("10*3 8*2"),)
    (never,) = check(Tower("10*3 8*3"), None, team, lambda t: t.height > 3).breaches
    assert (never.mends, never.mend) == ((), "")


def test_own_castellers_names_every_level_that_uses_the_missing_size():
    verdict = check(Tower("9*3 8*2 7"), team=Team("9*2 8*2 7"))
    assert verdict.rules == ("castell/own-castellers",)
    assert verdict.where == ("level 1",)
    assert verdict.breaches[0].mends == (Tower("8*2 7"),)


# The rulings, by their numbers.


def test_c1_c2_any_smaller_number_and_any_smaller_size():
    assert check(Tower("10*3 2"))


def test_c3_c4_base_helps_any_level_but_it_still_shrinks():
    assert check(Tower("9*6 8*5 7"), Skills(base=2))
    assert check(Tower("9*4 8*4"), Skills(base=2)).rules == ("castell/level-shrinks",)
    assert check(Tower("9*4 8*4"), Skills(base=2, balance=1))


def test_c7_c8_a_mixed_level_counts_as_its_larger_size_both_ways():
    assert not check(Tower("8*3 8+7"), Skills(mix=1))
    assert check(Tower("9*3 8+7"), Skills(mix=1))
    assert check(Tower("8+7*2 7*2"), Skills(mix=1))


def test_c9_one_size_costs_no_mix():
    assert skill_uses(Tower("10*3 9")) == (Skills(),)


def test_c11_strength_helps_only_the_pair_it_is_used_on():
    assert check(Tower("5*3 5*2 5"), Skills(strength=1)).where == ("level 3",)


def test_c13_base_and_width_trade():
    assert skill_uses(Tower("9*5 8*4 7")) == (
        Skills(width=2),
        Skills(base=1, width=1),
        Skills(base=2),
    )


def test_c40_one_casteller_answers_two_equal_tokens():
    assert check_entry(Tower("9 8 7 6"), (9, 9))
    assert check_entry(Tower("8 7 6 5"), (9, 9)).rules == ("castell/festival-entry",)
