"""Puzzles of one's own in CastleScape: solutions that are found, reasons where there is none."""

import inspect
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.classroom import worksheet
from castlelab.games import castlescape
from castlelab.games.castlescape import Board, largest_bailey
from castlelab.games.castlescape.lessons import LESSONS
from castlelab.games.castlescape.puzzles import Spots, best_closing, best_levy, read_spots
from castlelab.puzzles import is_own
from castlelab.rules import CastlelabError, NotationError
from castlelab.system.packing import pack

#: A court of three squares that two walls close.
OPEN = "......./.####../.#..#../.##..../..##.../......./......."
LEAKS = "...../.###./.#.#./.##../....."
#: Baileys of one square and of two.
TWO = "......../.######./.#.#..#./.######./......../......../......../........"
LIFTED = "......./.####../.#b.###/.#..a../.######/......./......."
CLAIMED = "......./.A#B#../.#..#../.#b.#../.A##B../......./......."
LEVIED = "......./.###.a./.#.#A../.A##.../......./......./......."
NO_WALLS = "...../...../...../...../....."

#: One puzzle of each form, and some of its variations.
MADE = {
    "find": {"site": TWO},
    "find the larger": {"site": TWO, "squares": 2},
    "close the largest": {"site": OPEN, "walls": 5},
    "close": {"site": OPEN, "walls": 3, "squares": 3},
    "lead": {"site": LIFTED, "walls": 1, "squares": 4, "leads": 1},
    "lift": {"site": LIFTED, "walls": 3, "lifted": True, "player": "blue", "praise": "Up!"},
    "build": {"site": Board.start(9), "walls": 4, "all_walls": True},
    "claim": {"site": CLAIMED, "square": "C3", "players": 3},
    "levy": {"site": LEVIED, "infamy": 3},
    "question on a site": {"site": TWO, "options": ("1", "2 | Two, “¿sí?”"), "answer": "2"},
    "question on cards": {
        "options": ("yes", "no"),
        "answer": "no",
        "why": "It waits.",
        "cards": "clumsy thief",
        "gauges": ("Infamy 9/10", "Back Alley 1/10"),
        "rules": "castlescape/penalty",
    },
}
every_form = pytest.mark.parametrize("arguments", MADE.values(), ids=MADE)


def own(**arguments):
    return castlescape.puzzle("What now?", **arguments)


def code_of(**table):
    return f"castlescape/own-{pack(json.dumps({'prompt': 'What now?', **table}))}"


# -- every form ----------------------------------------------------------------------------------


@every_form
def test_what_is_left_out_is_found(arguments):
    made = own(**arguments)
    assert made.check(made.solution)
    assert made.check(str(made.solution)).message
    assert made.par >= 1
    assert all(made.hints)
    assert str(made) == "castlescape/own: What now?"
    assert made.picture() != made.picture(made.solution)


@every_form
def test_a_code_holds_all_of_it_and_opens_the_same_puzzle(arguments):
    made = own(**arguments)
    again = castlelab.puzzle(made.code)
    assert again == made
    assert again.code == made.code
    assert is_own(made.code)
    assert len(made.code) < 300
    assert again.check(again.solution) == made.check(made.solution)
    assert again.picture() == made.picture()


@every_form
def test_what_is_given_is_kept(arguments):
    solution = own(**arguments).solution
    said = {"hints": ["Look.", "Do."], "rules": "castlescape/bailey", "par": 7}
    made = own(**{**arguments, **said, "solution": str(solution)})
    assert made.hints == ("Look.", "Do.")
    assert made.rules == ("castlescape/bailey",)
    assert (made.par, made.solution) == (7, solution)


def test_all_forms_go_on_a_worksheet():
    sheet = worksheet([own(**arguments) for arguments in MADE.values()], address="http://castle/")
    assert len(set(sheet.codes)) == len(MADE)
    assert "CastleScape: a puzzle of one&#x27;s own" in sheet.html()
    assert "e4 e5" in sheet.key_html()


def test_a_board_is_as_good_as_its_text():
    assert own(site=Board.parse(OPEN), walls=2).solution == own(site=OPEN, walls=2).solution
    assert own(site=TWO, solution=Spots(((2, 2),))).par == 1


def test_help_and_tab_know_the_arguments():
    names = {*inspect.signature(castlescape.puzzle).parameters}
    assert {"site", "walls", "squares", "square", "infamy", "options", "goal", "par"} <= names
    assert "``squares``" in castlescape.puzzle.__doc__


# -- a bailey to find ----------------------------------------------------------------------------


def test_any_bailey_will_do_unless_a_larger_one_is_asked_for():
    anyone, larger = own(site=TWO), own(site=TWO, squares=2)
    assert anyone.check("c3")
    assert anyone.check("e3 f3")
    assert "Find one of 2" in larger.check("c3").message
    assert str(larger.solution) == "e3 f3"
    assert "bailey" not in larger.picture("c3").description  # that would give the other one away
    assert "bailey" in larger.picture("e3 f3").description


def test_a_goal_is_handed_the_bailey():
    made = own(site=CLAIMED, goal=lambda bailey: bailey.leaders == (1,))
    assert made.code == ""
    assert made.check("c3 d3 c4 d4")
    told = own(site=TWO, goal=lambda bailey: "" if bailey.size > 1 else "Larger, please.")
    assert told.check("c3").message == "Larger, please."
    assert str(told.solution) == "e3 f3"


# -- walls to build ------------------------------------------------------------------------------


def test_walls_without_a_goal_close_the_largest_bailey():
    made = own(site=OPEN, walls=5)
    assert made.par == best_closing(Board.parse(OPEN), 5).size == 4
    assert not made.check("e4 e5")
    assert "4 are possible" in made.check("e4 e5").message
    assert "no larger" not in made.check(made.solution).message
    assert "castlescape/bailey" in made.rules


@pytest.mark.parametrize(("walls", "squares"), [(7, 1), (9, 2), (11, 4), (15, 9)])
def test_rings_round_new_courts_are_found_however_many_walls_they_take(walls, squares):
    made = own(site=Board.start(13), walls=walls)
    assert made.par == squares == largest_bailey(walls + 1)
    assert own(site=Board.start(13), walls=walls, squares=squares).check(made.solution)


def test_a_leak_is_shown_where_the_solution_closes_or_where_one_says():
    found, said = own(site=OPEN, walls=2), own(site=OPEN, walls=2, inside="d4")
    for made, first in ((found, "c3"), (said, "d4")):
        (breach,) = made.check("d6").breaches
        assert breach.where[0] == first


def test_named_goals_are_all_to_be_reached():
    site = OPEN.replace(".##....", ".##.a..")
    made = own(site=site, walls=3, squares=3, leads=1, lifted=True, all_walls=True)
    assert made.check("e4 e5 f5")
    assert "Build all 3, not 2" in made.check("e4 e5").message
    assert "nothing is closed" in made.check("e4 f4 g4").message
    rival = own(site=LIFTED, walls=1, squares=4, leads=1).check("f4")
    assert rival.message == "The bailey at c3 is closed, but you have 1 influence there against 1."


def test_the_goals_are_those_of_the_player_who_is_named():
    court = LIFTED.replace("a", "x").replace("b", "a").replace("x", "b")
    assert str(own(site=court, walls=1, squares=4, leads=1, player="Orange").solution) == "e4"
    with pytest.raises(CastlelabError, match="cannot be solved"):
        own(site=court, walls=1, squares=4, leads=1)


def test_one_leads_in_as_many_baileys_as_are_asked_for():
    both = "......../.######./.#a#..#./.######./......../......../......../........"
    with pytest.raises(CastlelabError, match="solved before it begins"):
        own(site=both, walls=1, leads=1)
    with pytest.raises(CastlelabError, match="cannot be solved"):
        own(site=both, walls=1, leads=2)


def test_a_goal_is_handed_the_board_after_the_walls():
    made = own(site=OPEN, walls=2, goal=lambda board: board.walls.bit_count() == 11)
    assert made.check("e4")
    assert not made.check("e4 e5")
    assert made.code == ""
    told = own(
        site=OPEN, walls=2, squares=3, goal=lambda b: "" if "e4" in b.names(b.walls) else "e4"
    )
    assert told.check("e4 e5")


def test_a_given_solution_says_how_large_the_bailey_is_to_be():
    made = own(site=OPEN, walls=5, solution="e4 e5")
    assert made.par == 3
    assert made.check("e4 e5")
    assert made.check("f3 f4 f5 e5")  # more is fine


# -- a claim, a levy -----------------------------------------------------------------------------


def test_as_many_players_may_claim_as_are_there():
    assert [value for value, _ in own(site=CLAIMED, square="c3").ask.options] == [
        "blue",
        "orange",
        "shared",
        "nobody",
    ]
    closed = Board.parse(OPEN).build("e4 e5")
    assert own(site=closed, square="c3").solution == "nobody"
    assert "green" in dict(own(site=CLAIMED.replace("A", "C"), square="c3").ask.options)


def test_the_best_levy_is_found_and_nothing_less_will_do():
    made = own(site=LEVIED, infamy=3)
    best = best_levy(Board.parse(LEVIED), 0, 3)
    assert (made.solution, made.par) == (Spots(best.recruits), best.bonus)
    assert not made.check("b4 f2")
    other = own(site=LEVIED.replace("a", "d").replace("A", "D"), infamy=3, player="gold")
    assert other.solution == made.solution


def test_a_goal_is_handed_the_site_that_is_left():
    made = own(site=LEVIED, infamy=2, goal=lambda left: not left.atop[0] & left.grid.bit((3, 1)))
    assert str(made.solution) == "b4"
    assert "not what was asked for" in made.check("e3").message


# -- a question ----------------------------------------------------------------------------------


def test_an_option_is_typed_in_short_and_shown_in_full():
    made = own(site=TWO, options=["one | There is one", "two"], answer="There is one")
    assert made.ask.options == (("one", "There is one"), ("two", "two"))
    assert made.solution == "one"
    assert made.check("there is ONE")
    assert made.check("two").message == "No."


# -- what is wrong is said at once ---------------------------------------------------------------

QUESTION = {"options": ("a", "b"), "answer": "a"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "a bailey to find needs site; walls to build needs site and walls"),
        ({"site": OPEN, "player": "Blue"}, "walls to build needs walls; a levy to pay needs infam"),
        ({"site": OPEN, "walls": 2, "infamy": 2}, "takes no infamy"),
        ({"site": OPEN, "wals": 2}, "no 'wals'; did you mean walls"),
        ({"site": "..x"}, "x"),
        ({"site": 7}, "site is 7; it must be a text"),
        # a bailey to find
        ({"site": NO_WALLS}, "cannot be solved: there is no bailey on this site$"),
        ({"site": LEAKS}, "no bailey on this site. From c3 .* the corner between c3 and d4"),
        ({"site": TWO, "squares": 3}, "largest bailey of this site has 2 squares, and 3 are asked"),
        ({"site": TWO, "squares": -1}, "squares of a bailey go from 0 to 529, not -1"),
        ({"site": TWO, "goal": lambda bailey: False}, "no bailey of this site reaches the goal"),
        ({"site": TWO, "solution": "e3"}, "solution e3 does not solve this: .*the bailey goes on"),
        ({"site": TWO, "solution": "z9"}, "'z9' is not a square"),
        # walls to build
        (
            {"site": Board.start(7), "walls": 6},
            "bailey of 1 square takes 8 walls, and with the 6 of the card there are 7",
        ),
        ({"site": OPEN, "walls": 1}, "cannot be solved: 1 wall closes no bailey here"),
        (
            {"site": OPEN, "walls": 2, "squares": 4},
            "2 walls close a bailey of 3 squares at most here, and 4 are asked for",
        ),
        (
            {"site": OPEN, "walls": 40, "squares": 26},
            "bailey of 26 squares does not fit into 7 rows and 7 columns",
        ),
        ({"site": NO_WALLS, "walls": 9}, "no wall may be built here, beside one that stands"),
        (
            {"site": OPEN, "walls": 1, "goal": lambda board: False},
            r"nothing that is built here does all of it \([0-9]+ ways tried\)",
        ),
        (
            {"site": Board.start(13), "walls": 9, "goal": lambda board: False},
            "more than 20,000 ways to build here, .* name one that does it with solution=…",
        ),
        ({"site": OPEN, "walls": 0}, "the walls of a card go from 1 to 40, not 0"),
        ({"site": OPEN, "walls": 2, "leads": -1}, "the baileys to lead in go from 0"),
        ({"site": OPEN, "walls": 2, "inside": "k3"}, "inside is k3, and the site has 7 rows and 7"),
        ({"site": OPEN, "walls": 2, "lifted": True}, "solved before it begins"),
        ({"site": OPEN, "walls": 2, "goal": lambda board: True}, "solved before it begins"),
        (
            {"site": LIFTED, "walls": 2, "lifted": True, "player": "Pink"},
            "player is 'Pink'; the players are Blue, Orange, Green and Gold",
        ),
        ({"site": OPEN, "walls": 2, "solution": "e4"}, "does not solve this: .*nothing is closed"),
        ({"site": OPEN, "walls": 2, "solution": "a1"}, r"\[castlescape/wall-adjacent\]"),
        ({"site": OPEN, "walls": 2, "solution": "e4 e5 f5"}, "card gives 2 walls; build no more"),
        # a claim
        ({"site": CLAIMED, "square": "a1"}, "there is no bailey at a1; there is one at c3"),
        ({"site": LEAKS, "square": "c3"}, "no bailey at c3; there is none on this site"),
        ({"site": CLAIMED, "square": "k9"}, "square is k9, and the site has 7 rows"),
        ({"site": CLAIMED, "square": "c3", "players": 5}, "players go from 2 to 4, not 5"),
        (
            {"site": CLAIMED.replace("B", "D"), "square": "c3", "players": 2},
            "players is 2, and recruits of Gold are on the site",
        ),
        ({"site": CLAIMED, "square": "c3", "solution": "blue"}, "does not solve this: No. Influen"),
        ({"site": CLAIMED, "square": "c3", "goal": bool}, "a claim to judge takes no goal"),
        # a levy
        ({"site": LEVIED, "infamy": 0}, "Infamy goes from 1 to 10, not 0"),
        ({"site": LEVIED, "infamy": 6}, "recruits of Blue are worth 5, and the King asks for 6"),
        ({"site": "a../.../...", "infamy": 1}, "Blue leads in no bailey, whatever is given up"),
        ({"site": LEVIED, "infamy": 1, "goal": lambda left: False}, "no choice reaches the goal"),
        ({"site": LEVIED, "infamy": 3, "solution": "b4 f2"}, "does not solve this: .* most is 1"),
        ({"site": "a" * 25 + "/" + "a" * 25, "infamy": 9}, "too many to try; use fewer recruits"),
        # a question
        (QUESTION, "a question shows a site, or else cards and gauges"),
        ({**QUESTION, "site": TWO, "cards": "Ramparts"}, "a site, or else cards and gauges"),
        ({**QUESTION, "site": TWO, "goal": bool}, "a question takes no goal"),
        ({**QUESTION, "site": TWO, "answer": "c"}, "'c' is not a choice; choose a, b"),
        ({**QUESTION, "site": TWO, "solution": "b"}, "solution b does not solve this: No."),
        ({**QUESTION, "site": "?"}, r"\?"),
        ({**QUESTION, "site": TWO, "options": "a"}, "options to choose from go from 2 to 8, not 1"),
        ({**QUESTION, "site": TWO, "options": ("a", "A")}, "two options are 'a'"),
        ({**QUESTION, "site": TWO, "options": ("a", "b|")}, "'b|': an option has 1 to 120"),
        ({**QUESTION, "site": TWO, "options": ("a", "b" * 121)}, "an option has 1 to 120"),
        ({**QUESTION, "cards": "Moat"}, "Moat"),
        ({**QUESTION, "cards": ("Ramparts", "ramparts")}, "'Ramparts' is shown twice"),
        ({**QUESTION, "cards": ("Ramparts",) * 4}, "at most 3 cards and 8 gauges"),
        ({**QUESTION, "gauges": "Infamy 11/10"}, "how full it is and the most, as 'Infamy 9/10'"),
        ({**QUESTION, "gauges": "Infamy"}, "how full it is and the most"),
    ],
)
def test_whatever_is_wrong_is_said_at_once(arguments, says):
    with pytest.raises(CastlelabError, match=says):
        own(**arguments)


# -- codes by others -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (code_of(), "a bailey to find needs site"),
        (code_of(site=OPEN, walls=2), "it has no solution"),
        (code_of(site=OPEN, walls=2, solution="e4"), "nothing is closed"),
        (code_of(site=OPEN, walls=2, solution="y25"), "off the board"),
        (code_of(site=OPEN, walls=10**9, solution="e4 e5"), "go from 1 to 40"),
        (code_of(site=OPEN, walls=2, squares=10**40, solution="e4 e5"), "go from 0 to 529"),
        (code_of(site=OPEN, walls=2, goal="x", solution="e4 e5"), "a goal is a function"),
        (code_of(site="a" * 900, infamy=3, solution="a1"), "rows and columns"),
        (code_of(site="/".join(["a" * 25] * 25), infamy=10, solution="a1"), "too many to try"),
        (code_of(site=CLAIMED, square="c3", solution="me"), "'me' is not a choice"),
        (code_of(site=TWO, options=[["a", "b"]], answer="a", solution="a"), "must be texts"),
        (code_of(site=TWO, options=["a", "b"], answer=7, solution="a"), "answer is 7"),
    ],
)
def test_a_hostile_code_is_refused_in_a_sentence(code, says):
    with pytest.raises(NotationError, match=says):
        castlelab.puzzle(code)


names = st.sampled_from([*inspect.signature(castlescape.puzzle).parameters])
values = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.sampled_from(["", "c3", "e4 e5", "blue", "a", "Ramparts", "Infamy 1/2", "?"])
    | st.lists(st.sampled_from(["a", "b | c", "|", "", 3]), max_size=3)
)
sites = st.sampled_from([OPEN, TWO, LIFTED, CLAIMED, LEVIED, NO_WALLS, "", "#", "?"])


@settings(deadline=None)
@given(sites, st.dictionaries(names, values, max_size=6))
def test_a_code_opens_a_puzzle_that_is_solved_or_says_why_not(site, table):
    try:
        opened = castlelab.puzzle(code_of(**{**table, "site": site}))
    except NotationError:
        return  # it says why; anything else would be a failure
    assert opened.check(opened.solution)
    assert opened.picture(opened.solution)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text("..#", min_size=6, max_size=6), min_size=6, max_size=6), st.integers(1, 4))
def test_what_is_found_is_the_best_there_is(rows, walls):
    site = "/".join(rows)
    best = best_closing(Board.parse(site), walls)
    if best.size:
        assert own(site=site, walls=walls).par == best.size
    else:
        with pytest.raises(CastlelabError, match="cannot be solved"):
            own(site=site, walls=walls)


# -- our own lessons -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_that_is_spelled_out_is_that_lesson_until_it_is_changed(name):
    ours = castlelab.puzzle(f"castlescape/lesson-{name}")
    asked = {
        key: value
        for key, value in LESSONS[name].table.items()
        if key not in ("prompt", "hints", "rules", "solution")
    }
    spelled = castlescape.puzzle(ours.prompt, **asked)
    assert spelled == ours
    assert spelled.id == f"castlescape/lesson-{name}"
    assert castlescape.puzzle(ours.prompt, **asked, hints="Look.").hint(1) == "Look."
    changed = castlescape.puzzle(f"{ours.prompt} Well?", **asked)
    assert is_own(changed.id)
    assert castlelab.puzzle(changed.code) == changed


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_travels_in_a_code(name):
    table = {**LESSONS[name].table, "prompt": "Mine."}
    mine = castlescape.puzzle(**table)
    assert castlelab.puzzle(mine.code) == mine
    assert mine.solution == castlelab.puzzle(f"castlescape/lesson-{name}").solution


def test_a_solution_of_ours_is_also_found_without_it():
    site = LESSONS["no-block"].site
    found = own(site=site, walls=3, squares=3).solution
    assert set(found.squares) == set(read_spots("c5 d5 e5").squares)
