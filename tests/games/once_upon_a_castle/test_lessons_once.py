"""The authored puzzles teach what they say: the tempting answer fails by just that rule."""

import pytest

from castlelab.chance import Chance
from castlelab.games.once_upon_a_castle.castle import RULES
from castlelab.games.once_upon_a_castle.lessons import LESSONS, lesson
from castlelab.games.once_upon_a_castle.moment import moment
from castlelab.games.once_upon_a_castle.moves import read_move
from castlelab.games.once_upon_a_castle.puzzle_complete_a_line import (
    PlaceTokens,
    Tokens,
    clearable,
    endings,
    place,
)
from castlelab.games.once_upon_a_castle.puzzle_forms import MoveLesson
from castlelab.puzzles import ChooseOne
from castlelab.rules import CastlelabError, NotationError

PLACING = [name for name in LESSONS if isinstance(lesson(name).ask, PlaceTokens)]
CHOOSING = [name for name in LESSONS if isinstance(lesson(name).ask, ChooseOne)]


@pytest.mark.parametrize("name", LESSONS)
def test_the_solution_solves_and_the_rest_is_in_order(name):
    puzzle = lesson(name)
    assert puzzle.check(puzzle.solution)
    assert puzzle.check(str(puzzle.solution))
    assert puzzle.code == ""
    assert puzzle.kind == f"once_upon_a_castle/lesson-{name}"
    assert puzzle.hint(1) != puzzle.hint(2)
    assert str(puzzle.solution) not in puzzle.hint(1)
    assert puzzle.prompt.endswith((".", "?"))
    assert puzzle.rules
    assert all(rule in RULES for rule in puzzle.rules)
    assert puzzle.picture(puzzle.solution) != puzzle.picture()
    assert lesson(name) == puzzle


def test_every_lesson_is_of_one_sort_or_the_other():
    assert sorted(PLACING + CHOOSING) == sorted(LESSONS)


@pytest.mark.parametrize("name", CHOOSING)
def test_one_choice_alone_is_right_and_says_why(name):
    puzzle = lesson(name)
    right = [value for value, _ in puzzle.ask.options if puzzle.check(value)]
    assert right == [puzzle.solution]
    for value, words in puzzle.ask.options:
        assert puzzle.check(value) == puzzle.check(words)
        assert puzzle.check(value).message


@pytest.mark.parametrize("name", PLACING)
def test_every_board_that_the_dice_lead_to_is_judged(name):
    puzzle = lesson(name)
    boards = endings(puzzle.ask)
    wrong = 0
    for board in boards:
        tokens = Tokens(board.layout.names(board.filled & ~puzzle.ask.board.filled))
        judgement = puzzle.check(tokens)
        assert judgement.solved == (len(clearable(board)) >= puzzle.ask.lines)
        wrong += not judgement
    assert wrong, "there is nothing to learn"


@pytest.mark.parametrize(
    ("name", "tokens", "rule"),
    [
        ("first-roll", "a1, b1", "once_upon_a_castle/resource"),
        ("first-roll", "d4, e4, a1", "once_upon_a_castle/roll"),
        ("no-moving", "b2, d2", "once_upon_a_castle/no-moving"),
        ("no-moving", "d2, e3", "once_upon_a_castle/no-moving"),
        ("no-moving", "d2", "once_upon_a_castle/roll"),  # the Gold can be used, so it must be
        ("no-token", "a1, e3", "once_upon_a_castle/no-token"),
        ("no-token", "e3, a1", "once_upon_a_castle/no-token"),
        ("wild", "a1, b2", "once_upon_a_castle/resource"),
    ],
)
def test_the_tempting_token_is_refused_by_just_that_rule(name, tokens, rule):
    judgement = lesson(name).check(tokens)
    assert not judgement
    assert [breach.rule.id for breach in judgement.breaches] == [rule]


def test_the_first_roll_has_two_lines_to_find():
    assert lesson("first-roll").check("a1, a2")
    assert "Row 4 misses e4" in lesson("first-roll").check("d4, a1").message


def test_the_wild_die_is_wood_or_gold():
    ask = lesson("wild").ask
    good = [
        face
        for face in ("wood", "stone", "gold", "food", "residents")
        if any(map(clearable, endings(PlaceTokens(ask.board, ("stone", face)))))
    ]
    assert good == ["wood", "gold"]
    assert lesson("wild").check("b1, b2")


def test_the_last_token_has_one_place_that_counts():
    puzzle = lesson("no-token")
    assert puzzle.ask.board.spare == 1
    assert place(puzzle.ask, puzzle.solution).dice_left  # the Gold is lost
    assert "[once_upon_a_castle/crossing]" in puzzle.check("e3").message


def test_of_crossing_lines_only_one_is_cleared():
    judgement = lesson("crossing").check("all")
    assert [breach.rule.id for breach in judgement.breaches] == ["once_upon_a_castle/crossing"]
    assert "2 points" in lesson("crossing").check("column 5").message


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("tower-value", {"row 2": 10, "row 3": 7}),
        ("flags-need-walls", {"row 1": 3, "column 5": 1}),
        ("bolt", {"guest logger": 6, "guest miner": 3, "guest bohemian": 2}),
        ("steal-and-guard", {"guest princess": 2, "guest guard": 1}),
        ("crown", {"guest princess": 3, "guest jester": 2, "guest prince": 1}),
    ],
)
def test_moves_are_worth_what_is_told(name, points):
    puzzle = lesson(name)
    for value, number in points.items():
        words = f"Your turn brings {number} point{'s' * (number != 1)}."
        assert puzzle.check(value).message.startswith(words)
    assert puzzle.par == max(points.values())


def test_a_fourth_tower_worth_5_played_through():
    """The figures of tower-value, move by move: 5 and the sun, then only a flag."""
    state = lesson("tower-value").start
    first = state.play(read_move("clear row 2"))
    assert first.score(0).total - state.score(0).total == 5 + 4
    assert first.play(read_move("clear row 3")).score(0).total - state.score(0).total == 10
    other = state.play(read_move("clear row 3"))
    assert other.score(0).total - state.score(0).total == 2 + 1 + 4
    after = other.play(read_move("clear row 2"))
    assert after.score(0) == other.score(0)


def test_a_flag_without_a_wall_is_lost():
    state = lesson("flags-need-walls").start
    assert state.play(read_move("clear column 5")).castles[0].flags == ()
    walled = state.play(read_move("clear row 1"))
    assert walled.play(read_move("clear column 5")).castles[0].flags == (2,)


def test_a_guard_keeps_the_queen_who_would_be_worth_more():
    judgement = lesson("steal-and-guard").check("guest queen")
    assert [breach.rule.id for breach in judgement.breaches] == ["once_upon_a_castle/guest-guard"]
    state = lesson("steal-and-guard").start
    assert "steal queen" not in map(str, state.moves())
    assert state.castles[1].without_guest(state.castles[1].guests[0]).stealable  # but for the guard


def test_the_logger_needs_his_wood_square():
    found = LESSONS["bolt"]
    assert isinstance(found, MoveLesson)
    start = found.state()
    state = start.play(read_move("guest logger")).play(read_move("place b2"))
    assert [line.name for line in state.boards[0].full_lines()] == ["column 2"]


@pytest.mark.parametrize(
    ("name", "answer", "says"),
    [
        ("residents-group", "12", "only the group of the last resident counts"),
        ("residents-group", "7", "groups before the last one"),
        ("residents-group", "2", "even if not full"),
        ("score-sheet", "36", "a wall itself has no points [once_upon_a_castle/wall]"),
        ("score-sheet", "28", "flags count too"),
        ("score-sheet", "33", "14 + sun and clouds 4 + residents 6 + flags 5 + guests 4 = 33"),
    ],
)
def test_a_total_tells_what_was_forgotten(name, answer, says):
    assert says in lesson(name).check(answer).message


def test_every_rule_of_the_list_is_taught():
    taught = {rule for name in LESSONS for rule in lesson(name).rules}
    assert taught == {
        *(
            "once_upon_a_castle/roll",
            "once_upon_a_castle/resource",
            "once_upon_a_castle/any",
            "once_upon_a_castle/no-moving",
            "once_upon_a_castle/no-token",
        ),
        *(
            "once_upon_a_castle/crossing",
            "once_upon_a_castle/build-line",
            "once_upon_a_castle/tower",
            "once_upon_a_castle/parts",
            "once_upon_a_castle/sun",
        ),
        *(
            "once_upon_a_castle/flags",
            "once_upon_a_castle/wall",
            "once_upon_a_castle/score",
            "once_upon_a_castle/residents",
            "once_upon_a_castle/floor-guest",
        ),
        *(
            "once_upon_a_castle/bolt",
            "once_upon_a_castle/guest-choice",
            "once_upon_a_castle/guest-logger",
            "once_upon_a_castle/guest-miner",
        ),
        *(
            "once_upon_a_castle/steal",
            "once_upon_a_castle/guest-guard",
            "once_upon_a_castle/guest-princess",
            "once_upon_a_castle/crown",
        ),
        *("once_upon_a_castle/guest-jester", "once_upon_a_castle/guest-prince"),
    }


def test_moments_of_lessons_are_moments_of_a_game():
    """No guest is there twice, and what is to come can be guessed."""
    for name in CHOOSING:
        found = LESSONS[name]
        if isinstance(found, MoveLesson):
            state = found.state()
            guests = [*state.pile, *state.shown, *(g for c in state.castles for g in c.guests)]
            assert sorted(map(str, guests)) == sorted(map(str, state.game.box.guests))
            assert state.guess(0, Chance.seeded(1)).boards == state.boards
    first = lesson("crown").start
    with pytest.raises(CastlelabError, match="the architect box has no jester for that"):
        moment(first.boards[0], *first.castles, shown=first.shown * 2)


def test_there_is_no_other_lesson():
    for name in ("fly", None, 7, ["bolt"]):
        with pytest.raises(NotationError, match="the lessons are first-roll"):
            lesson(name)
    for name in CHOOSING:
        with pytest.raises(NotationError, match="to choose from"):
            lesson(name).check(7)
        assert lesson(name).picture(7) == lesson(name).picture()
