"""Puzzles of one's own: what is found out when one is made, and the code that holds it."""

import inspect
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.authoring import LONGEST_OWN_CODE
from castlelab.classroom import worksheet
from castlelab.games import castell
from castlelab.games.castell import Skills, Team, Tower
from castlelab.progress import Progress, Solve
from castlelab.puzzles import is_own, read_id
from castlelab.rules import CastlelabError, NotationError
from castlelab.system.packing import pack

TEAM = "9*3 8*2 7*2 6 5"
WHEN = "2026-05-17T09:30:00Z"


def code_of(**table):
    return f"castell/own-{pack(json.dumps(table))}"


def test_what_is_left_out_is_found():
    made = castell.puzzle("Build three levels.", team=TEAM, levels=3)
    assert made.check(made.solution)
    assert made.par == 3
    assert "9*3" in made.hint(2)
    assert made.rules == ("castell/tower-stands", "castell/own-castellers")
    assert str(made) == "castell/own: Build three levels."


def test_what_is_given_is_kept():
    made = castell.puzzle(
        "Use them all.",
        team=Team("9*3 8*2 7"),
        skills=Skills(balance=1),
        castellers=6,
        hints=["Look down.", "Three of size 9."],
        rules="castell/balance",
        par=6,
        solution=Tower("9*3 8*2 7"),
    )
    assert made.hints == ("Look down.", "Three of size 9.")
    assert made.rules == ("castell/balance",)
    assert (made.par, made.solution) == (6, Tower("9*3 8*2 7"))
    assert made.ask.skills == Skills(balance=1)


def test_one_hint_is_the_first():
    made = castell.puzzle("Build.", team="9*3", levels=1, hints="Look down.")
    assert made.hint(1) == "Look down."
    assert made.hint(2).startswith("One answer begins with")


def test_a_code_holds_all_of_it_and_opens_the_same_puzzle():
    made = castell.puzzle(
        "Score 11: “¿sí?”", team="8*7 7*3 6*2 5 4", skills="base 1", wanted=8, points=11
    )
    again = castlelab.puzzle(made.code)
    assert again == made
    assert again.code == made.id == made.code
    assert is_own(made.code)
    assert len(made.code) < 300
    assert read_id(made.code) == (made.code, 0, 0)
    for answer in (made.solution, "8*6 7*3 6*2 5", "8*9"):
        assert str(again.check(answer)) == str(made.check(answer))


def test_a_goal_may_be_any_function_of_the_answer_and_such_a_puzzle_stays_at_home():
    made = castell.puzzle("Exactly two levels.", team=TEAM, goal=lambda tower: tower.height == 2)
    assert made.check("9*3 8*2")
    assert "not what was asked for" in made.check("9*3 8*2 7").message
    assert made.code == ""
    said = castell.puzzle("Two.", team=TEAM, goal=lambda t: "" if t.height == 2 else "Two, I said.")
    assert said.check("9*3").message == "Two, I said."


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"levels": 3}, "a tower to build needs team"),
        ({"team": TEAM, "levls": 3}, "a puzzle has no 'levls'; did you mean levels"),
        ({"team": TEAM, "zzz": 3}, "it is made of prompt, team, skills"),
        ({"team": TEAM, "levels": "3"}, "levels is '3'; it must be a whole number"),
        ({"team": 9}, "team is 9; it must be a text"),
        ({"team": TEAM, "wanted": "9"}, "wanted is '9'; it must be whole numbers"),
        ({"team": TEAM, "goal": "high"}, "a goal is a function of the answer, not 'high'"),
        ({"team": "11*3"}, "size 11 in the team"),
        ({"team": TEAM, "skills": "luck 1"}, "the skills are balance"),
        (
            {"team": TEAM, "levels": 4},
            "cannot be solved: .* more than 3 levels, and 4 are asked for",
        ),
        ({"team": TEAM, "wanted": 9}, "cannot be solved: no tower may enter"),
        ({"team": "8*9", "skills": "balance 5", "wanted": 8, "points": 9}, "cannot be solved"),
        ({"team": "9*3", "shape": (3, 2)}, "cannot be solved: no tower of this team shows 3-2"),
        ({"team": "9*3", "goal": lambda tower: False}, "no tower of this team does all"),
        (
            {"team": TEAM, "levels": 3, "solution": "9*3"},
            "solution 9\\*3 does not solve this: .*Reach 3",
        ),
        ({"team": TEAM, "levels": 2, "start": "9*3 8*2"}, "solved before it begins"),
        ({"team": TEAM, "levels": 2, "hints": ("a", "b", "c")}, "two hints, .* not 3"),
        ({"team": TEAM, "levels": 2, "rules": "castell/fly"}, "no rule 'castell/fly'"),
        ({"team": TEAM, "levels": 2, "par": -1}, "par is a count from 1 on"),
        ({"team": TEAM, "levels": 2, "hints": "x" * 601}, "at most 600 letters"),
    ],
)
def test_whatever_is_wrong_is_said_at_once(arguments, says):
    with pytest.raises(CastlelabError, match=says):
        castell.puzzle("Build.", **arguments)


def test_a_puzzle_without_words_is_refused():
    with pytest.raises(CastlelabError, match="say in a sentence what is to be done"):
        castell.puzzle(" ", team=TEAM)


def test_help_and_tab_know_the_arguments():
    names = list(inspect.signature(castell.puzzle).parameters)
    assert names[:2] == ["prompt", "team"]
    assert {"levels", "goal", "hints", "par", "solution"} <= {*names}
    assert "``levels``" in castell.puzzle.__doc__


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("castell/own-", "is damaged"),
        ("castell/own-!!!", "only letters, digits"),
        ("castell/own-" + "A" * (LONGEST_OWN_CODE + 1), "at most 4000 characters"),
        ("chess/own-AAAA", "there is no game 'chess'"),
        (f"castell/own-{pack('7')}", "holds no puzzle"),
        (f"castell/own-{pack(' ' * 50_000)}", "more than any puzzle can be"),
        (code_of(), "a tower to build needs team"),
        (code_of(team=TEAM, solution="9"), "say in a sentence"),
        (code_of(prompt="Build.", team=TEAM), "it has no solution"),
        (code_of(prompt="Build.", team=TEAM, solution="9*9"), "does not solve this"),
        (code_of(prompt="Build.", team=TEAM, goal="x", solution="9"), "a goal is a function"),
        (code_of(prompt=7, team=TEAM, solution="9"), "prompt is 7"),
    ],
)
def test_a_damaged_code_is_refused_in_a_sentence(code, says):
    with pytest.raises(NotationError, match=says):
        castlelab.puzzle(code)


values = st.none() | st.integers() | st.text(max_size=20) | st.lists(st.integers(), max_size=3)
names = st.sampled_from(["prompt", "team", "levels", "wanted", "solution", "goal", "x"])


@settings(deadline=None)
@given(st.dictionaries(names, values))
def test_no_table_in_a_code_does_harm(table):
    with pytest.raises(CastlelabError):
        castlelab.puzzle(code_of(**{"prompt": "Build.", "solution": "1", **table, "team": "10*0"}))


def test_a_lesson_opens_by_its_name():
    assert castlelab.puzzle("castell/lesson-mix").id == "castell/lesson-mix"
    with pytest.raises(NotationError, match="there is no lesson 'castell/lesson-fly'"):
        castlelab.puzzle("castell/lesson-fly")


def test_it_goes_into_progress_by_its_code():
    code = castell.puzzle("Build three levels.", team=TEAM, levels=3).code
    kept = Progress.loads(Progress().add(Solve(code, WHEN, hints=1)).dumps())
    assert kept.is_solved(code)
    assert [solve.code for solve in kept.solved_in("castell", 0)] == [code]


def test_it_goes_on_a_worksheet_beside_others():
    own = castell.puzzle("Build three levels.", team=TEAM, levels=3)
    odd = castell.puzzle("Two levels.", team=TEAM, goal=lambda tower: tower.height == 2)
    sheet = worksheet(
        [own, odd, "castell/lesson-mix", "castell/tallest-3-42"], address="http://castle/"
    )
    assert sheet.codes == (own.code, "", "castell/lesson-mix", "castell/tallest-3-42")
    first, second, *_ = sheet.links()
    assert first.endswith(f"?code={own.code}")
    assert second == ""
    page = sheet.html()
    assert "Build three levels." in page
    assert f">{own.code}<" not in page  # nobody types that
    assert ">open it<" in page
    assert "Castell: a puzzle of one&#x27;s own" in page
    assert "level 0" not in page
    assert "9*3" in sheet.key_html()
    mixed = worksheet([own, "castell"], levels=1, count=2)
    assert [each.level for each in mixed.puzzles] == [0, 1, 1]


def test_a_lesson_that_is_spelled_out_is_that_lesson_until_it_is_changed():
    first = castell.puzzle("Build a tower of three levels.", team=TEAM, levels=3)
    ours = castlelab.puzzle("castell/lesson-first-tower")
    assert first == ours
    assert first.id == "castell/lesson-first-tower"
    hinted = castell.puzzle("Build a tower of three levels.", team=TEAM, levels=3, hints="Look.")
    assert hinted.hint(1) == "Look."
    changed = castell.puzzle("Build a tower of three levels.", team=TEAM, levels=2)
    assert is_own(changed.id)
