"""Puzzles of one's own: each form, what is found out when one is made, and the code it has."""

import inspect
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.games import once_upon_a_castle
from castlelab.games.once_upon_a_castle import Board, Castle
from castlelab.games.once_upon_a_castle.lessons import LESSONS, lesson
from castlelab.games.once_upon_a_castle.moment import guests_named
from castlelab.games.once_upon_a_castle.puzzle_complete_a_line import Tokens
from castlelab.puzzles import ChooseOne, is_own
from castlelab.rules import CastlelabError, NotationError
from castlelab.system.packing import pack

EMPTY = "wsg.. / fgws. / ..fsg / ...fw"
CROSSED = "wsg.. / fgws. / ..FSG / ...fW"  # row 3 and column 5
APART = "WSG.. / fgws. / ..fsG / ...fW"  # row 1 and column 5
ARCHITECT = "fg.. / sw.. / wfg. / .sfg / ..ws"
CROWDED = "FG.. / SW.. / WFG. / .SFg / ..ws"

TOKENS = {"board": EMPTY, "dice": "food wood"}
LINES = {"board": CROSSED, "castle": "walls 1"}
SCORE = {"castle": "floors 1; towers 5 2; walls 2; flags 1; residents 8"}
CLEARS = {"board": APART, "castle": "towers 2", "moves": ("clear row 1", "clear column 5")}
GUESTS = {
    "board": ARCHITECT,
    "castle": "floors 2; walls 1",
    "moves": ("guest jester", "guest prince"),
}
STEALS = {
    "board": ARCHITECT,
    "castle": "walls 2; towers 2",
    "rivals": ("floors 1; guests prince", "floors 2; guests guard queen"),
    "moves": ("steal prince", "steal guard", "steal queen"),
}
WAKES = {
    "board": "fG.. / sw.. / wFg. / .SfG / ..ws",
    "castle": "floors 2; walls 1; guests logger bohemian",
    "moves": ("reactivate logger", "reactivate bohemian"),
}
FORMS = {
    "tokens": (TOKENS, "a1, a2"),
    "lines": (LINES, "row 3"),
    "score": (SCORE, "10"),
    "clears": (CLEARS, "row 1"),
    "guests": (GUESTS, "guest jester"),
    "steals": (STEALS, "guest prince"),
    "wakes": (WAKES, "guest logger"),
}
forms = pytest.mark.parametrize(("asked", "answer"), FORMS.values(), ids=FORMS)


def made(**asked):
    return once_upon_a_castle.puzzle("What will you do?", **asked)


def code_of(**table):
    return f"once_upon_a_castle/own-{pack(json.dumps(table))}"


# -- what is found and what is kept ---------------------------------------------------------------


@forms
def test_what_is_left_out_is_found(asked, answer):
    puzzle = made(**asked)
    assert str(puzzle.solution) == answer
    assert puzzle.check(answer)
    assert puzzle.par >= 1
    assert puzzle.rules
    assert all(puzzle.hints)
    assert puzzle.picture(answer) != puzzle.picture()


@forms
def test_a_code_holds_all_of_it_and_opens_the_same_puzzle(asked, answer):
    puzzle = made(**asked)
    again = castlelab.puzzle(puzzle.code)
    assert again == puzzle
    assert again.code == puzzle.code
    assert len(puzzle.code) < 400
    answers = [value for value, _ in getattr(puzzle.ask, "options", ())] or ["a1, b2", answer]
    for each in answers:
        assert str(again.check(each)) == str(puzzle.check(each))


@forms
def test_what_is_given_is_kept(asked, answer):
    said = {
        "hints": ["Look.", "Do it."],
        "rules": "once_upon_a_castle/sun",
        "par": 7,
        "solution": answer,
    }
    puzzle = made(**asked, **said)
    assert (puzzle.hints, puzzle.rules) == (("Look.", "Do it."), ("once_upon_a_castle/sun",))
    assert (puzzle.par, str(puzzle.solution)) == (7, answer)


def test_pieces_are_taken_where_texts_are():
    board, castle = Board.parse(EMPTY), Castle.parse("towers 5; guests 3 king")
    assert (
        made(board=board, dice=("food", "wood"), solution=Tokens(("a1", "a2"))).ask.board == board
    )
    assert made(castle=castle).start == castle
    rival = Castle(floors=1, guests=guests_named("prince"))
    alone = made(board=ARCHITECT, castle="walls 2", moves=STEALS["moves"], rivals=rival)
    assert alone.start.castles[1] == rival


def test_help_and_tab_know_the_arguments():
    arguments = inspect.signature(once_upon_a_castle.puzzle).parameters
    assert next(iter(arguments)) == "prompt"
    assert {"board", "dice", "lines", "castle", "totals", "moves", "goal"} <= arguments.keys()
    for words in ("Tokens to place", "Full lines that cross", "A score to count", "``goal``"):
        assert words in once_upon_a_castle.puzzle.__doc__


def test_guests_help_to_place_tokens():
    needs = {"board": ARCHITECT, "dice": "residents wood", "full": "row 2"}
    with pytest.raises(CastlelabError, match="Residents and Wood cannot fill row 2"):
        made(**needs)
    puzzle = made(**needs, guests=guests_named("knight"))
    assert puzzle.check("a2, b2")
    assert "once_upon_a_castle/guest-knight" in puzzle.rules


def test_lines_may_be_named_or_counted():
    one = made(board=EMPTY, dice="food wood", full="row 4")
    assert str(one.solution) == "d4, e4"
    assert one.check("a1, a2").message == "Row 4 is not full: it misses d4 and e4."
    board = "wSG.. / fgws. / ..fsg / ...fW"
    two = made(board=board, dice="food wood", lines=2)
    assert "Only row 4 is full" in two.check("d4, c2").message
    assert two.check("a1, d4").message.count("gives") == 2


@pytest.mark.parametrize("dice", ["stone ?", "Stone, any", ("stone", "any"), ["stone", "?"]])
def test_dice_are_written_in_many_ways(dice):
    assert made(board=EMPTY, dice=dice).ask.dice == ("stone", "any")


def test_more_than_two_choices_of_lines_are_compared():
    puzzle = made(board="WSG.. / FGWs. / ..FSg / ...fw", castle="walls 1")
    wrong = [value for value, _ in puzzle.ask.options if not puzzle.check(value)]
    assert len(puzzle.ask.options) == len(wrong) + 1
    assert "all" in wrong
    three = made(board="WSG.. / FGWs. / ..FSG / ...fW", castle="walls 1")
    assert len(three.ask.options) > 3
    assert "Another choice brings more" in three.check("row 1 and row 3").message


def test_usual_mistakes_are_offered_where_no_totals_are_named():
    puzzle = made(**SCORE)
    assert len(puzzle.ask.options) == 4
    wrong = [value for value, _ in puzzle.ask.options if value != "10"]
    assert all("Remember" in puzzle.check(value).message for value in wrong)
    named = made(castle="", totals=(0, 1))
    assert named.check("0").message == "Nothing counts."


def test_a_move_is_worth_what_the_turn_brings_and_tells_its_moral():
    puzzle = made(**CLEARS, moral="A wall first.")
    assert puzzle.check("row 1").message == "Your turn brings 3 points. A wall first."
    assert puzzle.check("column 5").message == "Your turn brings 1 point. Another move brings more."
    assert puzzle.hint(2) == "It is not “Clear column 5”."
    judgement = made(**STEALS).check("guest queen")
    assert [breach.rule.id for breach in judgement.breaches] == ["once_upon_a_castle/guest-guard"]


def test_a_hint_never_denies_a_right_answer():
    puzzle = made(
        board=ARCHITECT,
        castle="floors 2; walls 2; towers 2 2 2",
        moves=("guest jester", "guest prince", "guest princess"),
        goal=lambda castle: "princess" not in map(str, castle.guests),
    )
    assert [bool(puzzle.check(value)) for value, _ in puzzle.ask.options] == [True, True, False]
    assert "Princess" in puzzle.hint(2)


def test_guests_on_show_come_with_a_floor():
    asked = {
        "board": "fg.. / sw.. / WFG. / .sfg / ..WS",
        "castle": "floors 1; towers 2",
        "moves": ("clear row 5", "end"),
    }
    with pytest.raises(CastlelabError, match="a floor is drawn, and its guest is not known"):
        made(**asked)
    puzzle = made(**asked, shown=("jester", "king"))
    # Two floors for the jester, the king's flag, and the tower and flag of row 3 besides.
    assert puzzle.check("row 5").message.startswith("Your turn brings 4 points")


# -- goals that are functions ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "goal", "right"),
    [
        (TOKENS, lambda board: "c2" in board.tokens and not board.full_lines(), "a2, c2"),
        (LINES, lambda castle: not castle.towers, "column 5"),
        ({**SCORE, "totals": (3, 4, 6)}, lambda number: number % 2, "3"),
        (CLEARS, lambda castle: castle.flags, "row 1"),
        (GUESTS, lambda castle: "prince" in map(str, castle.guests), "guest prince"),
    ],
)
def test_a_goal_may_be_any_function_and_such_a_puzzle_stays_at_home(asked, goal, right):
    puzzle = made(**asked, goal=goal)
    assert str(puzzle.solution) == right
    assert puzzle.check(right)
    assert puzzle.code == ""
    wrong = FORMS["tokens"][1] if asked is TOKENS else ""
    answers = [value for value, _ in getattr(puzzle.ask, "options", [(wrong, "")])]
    refused = [puzzle.check(value) for value in answers if not puzzle.check(value)]
    assert any("not what was asked for" in judgement.message for judgement in refused)


def test_a_goal_may_say_what_is_missing():
    puzzle = made(**TOKENS, goal=lambda board: "" if "e4" in board.tokens else "Not on e4 yet.")
    assert puzzle.check("a1, a2").message == "Not on e4 yet."
    assert puzzle.check("e4, a2")


def test_a_goal_goes_with_lines_that_are_named():
    puzzle = made(**TOKENS, lines=1, goal=lambda board: "e4" in board.tokens)
    assert not puzzle.check("e4, a2")
    assert puzzle.check("d4, e4")


def test_a_floor_counts_for_a_goal_whoever_comes():
    board = "WSG.. / fgws. / ..fsg / ...FW"
    puzzle = made(
        board=board, castle="", moves=("clear row 4", "end"), goal=lambda castle: castle.floors
    )
    assert puzzle.check("row 4")
    assert not puzzle.check("end")


# -- what is wrong is said at once ----------------------------------------------------------------

NEVER = {"goal": lambda thing: False}
EVER = {"goal": lambda thing: True}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "tokens to place needs board and dice; full lines that cross needs board and castle"),
        ({"board": EMPTY, "totals": (1, 2)}, "a score to count needs castle and takes no board"),
        ({**TOKENS, "line": 2}, "a puzzle has no 'line'; did you mean lines"),
        ({**TOKENS, "dice": "food"}, "dice are two faces, .* not 'food'"),
        ({**TOKENS, "dice": "food bread"}, "dice are two faces, .* not 'food bread'"),
        ({**TOKENS, "dice": 7}, "dice is 7; it must be texts in a row"),
        ({**TOKENS, "board": "wsx"}, "'x' is no square"),
        ({**TOKENS, "full": "row 9"}, "there is no line 'row 9'; the lines are row 1"),
        ({**TOKENS, "guests": "ghost"}, "there is no guest 'ghost'; the guests are"),
        ({**TOKENS, "guests": "knight"}, "the apprentice box has no knight"),
        ({**TOKENS, "guests": ["king"] * 5}, "room for 4 guests, not 5"),
        ({**TOKENS, "full": "row 1"}, "cannot be solved: Food and Wood cannot fill row 1"),
        (
            {**TOKENS, "lines": 2},
            "cannot be solved: Food and Wood fill at most 1 line, and 2 are asked for",
        ),
        ({**TOKENS, **NEVER}, "cannot be solved: no way to place Food and Wood does all"),
        ({**TOKENS, **EVER}, "solved before it begins: any tokens will do"),
        ({**TOKENS, "board": APART}, "solved before it begins: any tokens will do"),
        (
            {**TOKENS, "dice": "residents ?", "goal": lambda board: not board.tokens},
            "solved before it begins: it needs no token",
        ),
        (
            {**TOKENS, "dice": "residents ?", "solution": "a1"}
            | {"goal": lambda board: "c3" not in board.tokens},
            "solved before it begins: So it should be",
        ),
        ({**TOKENS, "solution": "a1, b2"}, "solution a1, b2 does not solve this: .*not allowed"),
        ({**TOKENS, "solution": "z9"}, "'z9' is not a square"),
        ({**LINES, "board": APART}, "cannot be solved: no two full lines of the board cross"),
        ({**LINES, "board": EMPTY}, "cannot be solved: no two full lines of the board cross"),
        (
            {**LINES, "board": "wsg.. / fgws. / ..FSG / ...FW"},
            "row 4 gives a floor, .*clear row 4",
        ),
        ({**LINES, **NEVER}, "cannot be solved: none of row 3 and column 5 is right"),
        ({**LINES, **EVER}, "nothing to find out: row 3 and column 5 are all right"),
        ({**LINES, "castle": "walls 9"}, "walls is a number from 0 to 4"),
        ({**LINES, "castle": "flags 2"}, "0 walls carry 0 flags, not 1"),
        ({**LINES, "castle": "residents 41"}, "at most 40 residents, not 41"),
        ({**LINES, "castle": "floors 4; walls 4; towers 2 2 2 2"}, "all twelve parts has ended"),
        ({**LINES, "rivals": [""] * 4}, "there are 1 to 3 rivals, not 4"),
        ({**LINES, "rivals": 7}, "rivals is 7; it must be texts in a row"),
        ({**LINES, "solution": "row 1"}, "'row 1' is not a choice; choose row 3, column 5, all"),
        ({**LINES, "solution": "all"}, "the solution all does not solve this: They cannot all"),
        (
            {"castle": "towers 5", "totals": (3, 4)},
            "the castle scores 5, and the totals are 3 and 4",
        ),
        ({"castle": "towers 5", "totals": (5, 5)}, "name 2 to 9 totals from 0 to 999"),
        ({"castle": "towers 5", "totals": (5, -1)}, "name 2 to 9 totals from 0 to 999"),
        ({"castle": ""}, "name 2 to 9 totals"),
        ({**SCORE, **NEVER}, "cannot be solved: none of"),
        ({**CLEARS, "moves": ()}, "moves are lines to clear .* not nothing"),
        (
            {**CLEARS, "moves": ("clear row 1", "steal king")},
            "moves are lines to clear .*, or guests",
        ),
        (
            {**CLEARS, "moves": ("use 1 b2", "use 2 a1")},
            "moves are lines .* not use 1 b2 and use 2",
        ),
        ({**CLEARS, "moves": "clear row 1"}, "offer 2 to 6 moves, not 1"),
        (
            {**CLEARS, "moves": ("clear row 2", "clear row 3")},
            "no move is allowed. .*Row 2 is not full",
        ),
        ({**CLEARS, "moves": ("fly", "end")}, "fly"),
        ({**CLEARS, "moves": ("steal king", "steal queen")}, "Great Architect's board only"),
        ({**GUESTS, "moves": ("guest ghost", "guest king")}, "there is no guest 'ghost'"),
        ({**GUESTS, "moves": ("guest dagobert", "guest king")}, "dagobert rolls a die"),
        ({**GUESTS, "shown": ("king", "queen", "jester", "prince")}, "3 guests are on show, not 4"),
        (
            {**GUESTS, "castle": "floors 2; guests jester"},
            "the architect box has no jester for that",
        ),
        ({**GUESTS, **EVER}, "nothing to find out: guest jester and guest prince are all right"),
        (
            {**GUESTS, "board": CROWDED, "moves": ("guest magician", "guest king")},
            "after “guest magician” the turn goes on in more than 20,000 ways",
        ),
    ],
)
def test_whatever_is_wrong_is_said_at_once(asked, says):
    with pytest.raises(CastlelabError, match=says):
        made(**asked)


# -- codes of others ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({}, "tokens to place needs board and dice"),
        (TOKENS, "it has no solution"),
        ({**TOKENS, "solution": "a1"}, "does not solve this: Not all of your dice are used"),
        ({**TOKENS, "solution": "a1, a2", "goal": "x"}, "a goal is a function"),
        ({**TOKENS, "solution": "a1, a2", "lines": "2"}, "lines is '2'"),
        ({**TOKENS, "solution": "a1, a2", "full": {"row 1": 1}}, "full is"),
        ({**TOKENS, "solution": "a1, a2", "board": None}, "board is None"),
        ({**LINES, "solution": "column 5"}, "does not solve this"),
        ({**LINES, "solution": "row 3", "castle": "x" * 600}, "a castle is a short text"),
        ({**SCORE, "solution": "10", "totals": [10] * 1_000}, "name 2 to 9 totals"),
        ({**SCORE, "solution": "10", "totals": [10, True]}, "totals is"),
        ({**CLEARS, "solution": "row 1", "moves": ["end"] * 500}, "offer 2 to 6 moves, not 1"),
        ({**CLEARS, "solution": "row 1", "moves": [["end"]]}, "moves is"),
        (
            {**GUESTS, "board": CROWDED, "moves": ["guest magician", "guest king"]}
            | {"solution": "guest king"},
            "more than 20,000 ways",
        ),
    ],
)
def test_a_code_of_nonsense_is_refused_in_a_sentence(table, says):
    with pytest.raises(NotationError, match=says):
        castlelab.puzzle(code_of(prompt="What now?", **table))


values = (
    st.none()
    | st.integers()
    | st.sampled_from([EMPTY, CROSSED, "towers 2", "food wood", "row 3", "clear row 1", "king"])
    | st.lists(
        st.sampled_from(["clear row 3", "clear column 5", "guest king", "row 1"]), max_size=3
    )
    | st.lists(st.integers(), max_size=3)
)
names = st.sampled_from(
    ["board", "dice", "lines", "full", "guests", "castle", "rivals", "totals", "moves", "shown"]
)


@settings(deadline=None)
@given(st.dictionaries(names, values, max_size=4))
def test_no_table_in_a_code_does_harm(table):
    with pytest.raises(NotationError):
        castlelab.puzzle(code_of(prompt="What now?", solution="h8", **table))


# -- ours ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_that_is_spelled_out_is_that_lesson_until_it_is_changed(name):
    ours = lesson(name)
    asked = {word: words for word, words in LESSONS[name].table.items() if word != "hints"}
    again = once_upon_a_castle.puzzle(**asked)
    assert again == ours
    assert again.id == f"once_upon_a_castle/lesson-{name}"
    assert once_upon_a_castle.puzzle(**asked, hints="Look.").hint(1) == "Look."
    changed = once_upon_a_castle.puzzle(**{**asked, "prompt": "What now?"})
    assert is_own(changed.id)
    assert castlelab.puzzle(changed.code) == changed


def test_a_lesson_may_be_spelled_with_pieces():
    asked = {**LESSONS["crossing"].question, "prompt": LESSONS["crossing"].prompt}
    asked |= {"board": Board.parse(CROSSED), "castle": Castle(walls=1, residents=2)}
    assert once_upon_a_castle.puzzle(**asked) == lesson("crossing")


def test_a_lesson_without_a_solution_finds_its_own():
    for name, ours in LESSONS.items():
        if isinstance(lesson(name).ask, ChooseOne):
            assert ours.find_solution() == lesson(name).solution
