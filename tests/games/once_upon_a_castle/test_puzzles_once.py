"""Once Upon a Castle's puzzles: judged by the rules alone, and harder level by level."""

from contextlib import suppress
from functools import cache
from itertools import combinations, pairwise, permutations, product
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tries import count_tries

from castlelab.chance import Chance
from castlelab.games.once_upon_a_castle.board import Board
from castlelab.games.once_upon_a_castle.box import house_layouts
from castlelab.games.once_upon_a_castle.castle import RULES, Castle
from castlelab.games.once_upon_a_castle.moment import guests_named, track_of_residents
from castlelab.games.once_upon_a_castle.moves import Clear
from castlelab.games.once_upon_a_castle.puzzle_complete_a_line import (
    LINE_GRADES,
    PlaceTokens,
    Tokens,
    clearable,
    endings,
    luck_to_complete,
    next_squares,
    place,
    read_tokens,
)
from castlelab.games.once_upon_a_castle.puzzle_count_the_score import SCORE_GRADES, addends, slips
from castlelab.games.once_upon_a_castle.puzzle_row_or_column import ALL, CROSSING_GRADES
from castlelab.games.once_upon_a_castle.puzzles import KINDS
from castlelab.games.once_upon_a_castle.scoring import score
from castlelab.puzzles import LEVELS, Code
from castlelab.rules import CastlelabError, NotationError

every_level = pytest.mark.parametrize("level", LEVELS)
SEEDS = range(25)
NAMES = ("complete-a-line", "row-or-column", "count-the-score")
EMPTY = Board.parse("wsg.. / fgws. / ..fsg / ...fw")


@cache
def made(kind, level, seed):
    kind = f"once_upon_a_castle/{kind}"
    return KINDS[kind](Code(kind, level, seed), Chance.seeded(f"puzzle {kind}-{level}-{seed}"))


def all_of(kind, level, seeds=SEEDS):
    return [made(kind, level, seed) for seed in seeds]


def rules_of(judgement):
    return [breach.rule.id for breach in judgement.breaches]


# -- complete a line -------------------------------------------------------------------------


def further(one):
    """What may still be added to tokens."""
    return [(), *((square.name,) for square in one.ask.board.squares)]


def may_place(face, resource, powers):
    """Whether a face brings a token to a resource: the rules once more, in other words."""
    swapped = {"wood": "stone", "stone": "wood"}
    return (
        face in (resource, "any")
        or ("wood-as-stone" in powers and swapped.get(resource) == face)
        or ("token-for-residents" in powers and face == "residents")
    )


def by_trying(ask):
    """The sets of squares that two dice can put tokens on, and that fill enough lines."""
    powers = {guest.power for guest in ask.guests}
    free = [square for square in ask.board.squares if square.name not in ask.board.tokens]
    found = set()
    for number in (1, 2):
        for squares in combinations(free, number):
            names = {*ask.board.tokens, *(square.name for square in squares)}
            full = [line for line in ask.board.lines if {one.name for one in line.squares} <= names]
            apart = any(
                not any(
                    {s.name for s in one.squares} & {s.name for s in other.squares}
                    for one, other in combinations(lines, 2)
                )
                for lines in combinations(full, ask.lines)
            )
            dealt = any(
                all(may_place(f, s.resource, powers) for f, s in zip(dice, squares, strict=False))
                and (number == 2 or dice[1] in ("residents", "any"))
                for dice in permutations(ask.dice)
            )
            if apart and dealt:
                found.add(frozenset(square.name for square in squares))
    return found


@every_level
def test_exactly_what_the_rules_allow_is_accepted(level):
    for one in all_of("complete-a-line", level, range(12)):
        right = by_trying(one.ask)
        assert frozenset(one.solution.squares) in right
        names = [square.name for square in one.ask.board.squares]
        for squares in [(name,) for name in names] + list(product(names, names)):
            judgement = one.check(Tokens(squares))
            expected = len(set(squares)) == len(squares) and frozenset(squares) in right
            assert judgement.solved == expected, (one.code, squares)
            assert judgement == one.check(", ".join(squares))
            for breach in judgement.breaches:
                for mend in breach.mends:  # what is right instead may be gone on with
                    assert any(one.check(Tokens((*mend.squares, *more))) for more in further(one))


@every_level
def test_luck_is_within_the_level_and_lines_do_not_lie_full_before(level):
    grade = LINE_GRADES[level]
    for one in all_of("complete-a-line", level):
        low, high = grade.luck
        assert low < luck_to_complete(one.ask) <= high
        assert not one.ask.board.full_lines()
        assert one.ask.lines == grade.lines
        assert one.par == len(one.solution.squares)
        assert ("do not cross" in one.prompt) == (grade.lines == 2)


def test_complete_a_line_shrinks_in_luck():
    for easier, harder in pairwise(LINE_GRADES[level] for level in LEVELS):
        assert harder.luck[1] <= easier.luck[0]
        assert harder.lines >= easier.lines


def test_the_dice_grow_stranger():
    dice = {
        level: {f for one in all_of("complete-a-line", level) for f in one.ask.dice}
        for level in LEVELS
    }
    assert dice[1] | dice[2] <= {"wood", "stone", "gold", "food"}
    assert {"any", "residents"} <= dice[3]
    assert "any" in dice[4]
    assert {"any", "residents", "wood", "stone"} <= dice[5]


def test_level_5_cannot_do_without_its_guests():
    helpers = set()
    for one in all_of("complete-a-line", 5):
        ask = one.ask
        assert ask.board.layout.name == "architect"
        assert not luck_to_complete(PlaceTokens(ask.board, ask.dice, ask.lines))
        helpers |= {guest.name for guest in ask.guests}
        assert all(guest.name.capitalize() in one.prompt for guest in ask.guests)
    assert {"troll", "knight"} < helpers


def test_placing_and_leaving_dice():
    ask = PlaceTokens(EMPTY, ("wood", "residents"))
    assert place(ask, Tokens()).tokens == 0
    assert not place(ask, Tokens()).dice_left  # the Wood must be used, the Residents are no token
    assert place(ask, Tokens(("a1",))).dice_left
    assert rules_of(place(ask, Tokens(("a1", "b1"))).verdict) == ["once_upon_a_castle/residents"]
    board = Board.parse("fg.. / sw.. / wfg. / .sfg / ..ws")
    monk = PlaceTokens(board, ("gold", "wood"), guests=guests_named("monk"))
    assert not place(monk, Tokens(("b2",))).dice_left  # without a wall there is no flag
    shepherdess = PlaceTokens(board, ("any", "wood"), guests=guests_named("shepherdess"))
    assert place(shepherdess, Tokens(("b2",))).dice_left
    with pytest.raises(CastlelabError, match="the apprentice box has no monk"):
        place(PlaceTokens(EMPTY, ("gold", "wood"), guests=guests_named("monk")), Tokens())


def test_which_die_places_a_token_is_settled_for_the_best():
    ask = PlaceTokens(EMPTY, ("any", "wood"))
    assert place(ask, Tokens(("a1", "b1"))).verdict  # the "?" must not be spent on the Wood
    assert place(ask, Tokens(("a1",))).dice_left  # the "?" brings residents
    assert not place(ask, Tokens(("b1",))).dice_left  # the Wood is still to be placed


def test_next_squares_follow_the_dice():
    ask = PlaceTokens(EMPTY, ("gold", "food"))
    golden, eaten = ("c1", "b2", "e3"), ("a2", "c3", "d4")
    assert set(next_squares(ask)) == {*golden, *eaten}
    assert set(next_squares(ask, Tokens(("c1",)))) == set(eaten)
    assert next_squares(ask, Tokens(("c1", "a2"))) == ()


@pytest.mark.parametrize("layout", house_layouts(), ids=lambda layout: layout.name)
def test_the_most_lines_by_trying_all_sets(layout):
    for filled in range(0, 4096, 7):
        board = layout.board(filled)
        full = board.full_lines()
        most = max(
            number
            for number in range(len(full) + 1)
            for lines in combinations(full, number)
            if not any(one.bits & other.bits for one, other in combinations(lines, 2))
        )
        assert len(clearable(board)) == most


@pytest.mark.parametrize(
    ("text", "printed"),
    [("b2, d4", "b2, d4"), (" B2;D4 ", "b2, d4"), ("b2 and d4", "b2, d4"), ("b2\nd4", "b2, d4")],
)
def test_tokens_are_read_in_many_ways_and_printed_in_one(text, printed):
    assert str(read_tokens(text)) == printed
    assert read_tokens(printed) == read_tokens(text)


@pytest.mark.parametrize(
    "text", ["", " ", ",;", "and", "b", "b9", "i1", "wood", "b22", "b2 " * 11, "x" * 999, None, 7]
)
def test_other_texts_are_no_tokens(text):
    with pytest.raises(NotationError) as caught:
        read_tokens(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=40) | st.text("abcde12345, ;", max_size=20))
def test_no_text_crashes_the_reader_of_tokens(text):
    with suppress(NotationError):
        tokens = read_tokens(text)
        assert read_tokens(str(tokens)) == tokens
        assert made("complete-a-line", 1, 0).check(tokens).message


def test_squares_that_the_board_has_not_are_told():
    judgement = made("complete-a-line", 1, 0).check("h8")
    assert "The board has no square 'h8'" in str(judgement)


# -- row or column ---------------------------------------------------------------------------


def played(crossing, names):
    """The best score after clearing lines in any order, move by move in a real game."""
    best = 0
    for order in permutations(names.split(" and ")):
        state = crossing.state()
        for name in order:
            if state.active == 0 and state.check(Clear(name)):
                state = state.play(Clear(name))
        best = max(best, state.score(0).total)
    return best


@every_level
def test_the_engine_counts_and_one_choice_is_best(level):
    grade = CROSSING_GRADES[level]
    for one in all_of("row-or-column", level):
        crossing = one.start
        full = crossing.board.full_lines()
        assert len(full) == grade.lines
        before = crossing.state().score(0).total
        choices = [value for value, _ in one.ask.options if value != ALL]
        worth = {value: played(crossing, value) - before for value in choices}
        assert sorted(" and ".join(choices).split(" and ")) == sorted(line.name for line in full)
        low, high = sorted(worth.values())
        assert high - low in grade.lead
        for value in choices:
            judgement = one.check(value)
            assert judgement.solved == (worth[value] == high) == (value == one.solution)
            assert f": {worth[value]} point" in judgement.message
            assert one.picture(value) != one.picture()
        assert rules_of(one.check(ALL)) == ["once_upon_a_castle/crossing"]


@every_level
def test_all_lines_of_one_choice_cross_those_of_the_other(level):
    for one in all_of("row-or-column", level):
        board = one.start.board
        first, second = (
            [board.line(name) for name in value.split(" and ")]
            for value, _ in one.ask.options
            if value != ALL
        )
        assert all(a.bits & b.bits for a, b in product(first, second))
        assert all(a.is_row != b.is_row for a, b in product(first, second))


@every_level
def test_what_is_told_adds_up(level):
    """The points of the clauses are the points of the choice, and their rules are practised."""
    for one in all_of("row-or-column", level):
        for lines in one.start.choices():
            done = one.start.clear(lines)
            assert sum(clause.points for clause in done.clauses) == done.points
            assert {clause.rule for clause in done.clauses} <= set(one.rules)


@pytest.mark.parametrize("level", [3, 5])
def test_the_printed_points_mislead(level):
    for one in all_of("row-or-column", level):
        board = one.start.board
        printed = {
            value: sum(
                board.line(name).gift.tower + board.line(name).gift.flag
                for name in value.split(" and ")
            )
            for value, _ in one.ask.options
            if value != ALL
        }
        assert printed[one.solution] == min(printed.values())


def test_each_level_has_its_own_reason():
    reasons = {
        level: [
            {
                clause.what
                for lines in one.start.choices()
                for clause in one.start.clear(lines).clauses
            }
            for one in all_of("row-or-column", level)
        ]
        for level in LEVELS
    }
    for level in LEVELS:
        wanted = set(CROSSING_GRADES[level].any_of)
        assert all(found & wanted for found in reasons[level])
    for level in (1, 2):
        assert not any(
            what.startswith("no ") and what != "no residents" for r in reasons[level] for what in r
        )
    assert {"sun", "no sun", "cloud"} <= set().union(*reasons[4])


def test_nothing_hidden_decides():
    for level in LEVELS:
        for one in all_of("row-or-column", level):
            for line in one.start.board.full_lines():
                gift = line.gift
                assert not gift.steal
                assert not gift.reactivate
                assert not gift.floor


# -- count the score -------------------------------------------------------------------------


@every_level
def test_the_engine_knows_the_score_and_mistakes_make_the_others(level):
    grade = SCORE_GRADES[level]
    track = track_of_residents()
    for one in all_of("count-the-score", level):
        right = score(one.start, track).total
        assert addends(one.start) in grade.addends
        assert len(one.ask.options) == len(set(one.ask.options)) == grade.options
        assert one.par == right
        mistakes = {right + slip.extra: slip.words for slip in slips(one.start, track)}
        for value, words in one.ask.options:
            judgement = one.check(value)
            assert judgement.solved == (int(value) == right)
            assert judgement == one.check(words)
            if not judgement:
                assert int(value) in mistakes
                assert "Remember: " in judgement.message
                assert "[once_upon_a_castle/" in judgement.message
            assert one.picture(value) != one.picture()


@every_level
def test_the_picture_does_not_give_the_score_away(level):
    for one in all_of("count-the-score", level):
        told = f"{one.par} point"
        for value in (None, *(value for value, _ in one.ask.options if value != one.solution)):
            scene = one.picture(value)
            assert "point" not in scene.description
            assert not any(told in getattr(shape, "words", "") for shape in scene.shapes)
        solved = one.picture(one.solution)
        assert told in solved.description
        assert any(told in getattr(shape, "words", "") for shape in solved.shapes)


def test_castles_to_count_keep_the_rules():
    for level in LEVELS:
        for one in all_of("count-the-score", level):
            castle = one.start
            assert len(castle.towers) <= 4
            assert castle.flag_room >= 0
            assert castle.cloud == castle.complete
            assert castle.sun == (len(castle.towers) == 4)
            assert len(castle.guests) == castle.floors
            assert len({guest.name for guest in castle.guests if guest.power}) == sum(
                bool(guest.power) for guest in castle.guests
            )
            assert not castle.small_clouds or "cloud-for-any" in castle.powers


def test_count_the_score_grows_in_numbers_to_add():
    for easier, harder in pairwise(SCORE_GRADES[level] for level in LEVELS):
        assert min(harder.addends) > max(easier.addends)
        assert harder.options >= easier.options


CASTLE = Castle(
    floors=2,
    towers=(5, 2),
    walls=2,
    flags=(2, 2, 1),
    residents=12,
    guests=guests_named("king", "courtesan"),
    cloud=True,
)


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (12 - 4, "only the group of the last resident"),
        (1 + 2, "do not count again"),
        (2 - 4, "even if not full"),
        (-4, "residents count too"),
        (2 - 7, "a tower counts what is written"),
        (2, "a wall itself has no points"),
        (2, "a floor itself has no points"),
        (3 - 5, "a flag counts what is written"),
        (-5, "flags count too"),
        (-4, "the cloud counts 4"),
        (0, "the sun counts 4"),
        (-3, "the king brings 3 points"),
        (5 - 3, "the king counts flags, not what is written"),
        (-2, "the courtesan brings 2 points"),
        (-1, "the courtesan counts herself too"),
        (-5, "guests count too"),
    ],
)
def test_each_slip_is_off_by_what_it_says(extra, says):
    found = [slip for slip in slips(CASTLE, track_of_residents()) if says in slip.words]
    assert [slip.extra for slip in found] == [extra]


# -- all of them -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", NAMES)
@every_level
def test_puzzles_are_found_after_few_tries(kind, level, monkeypatch):
    tries = count_tries(monkeypatch, KINDS[f"once_upon_a_castle/{kind}"])
    for seed in range(100, 125):
        made.__wrapped__(kind, level, seed)
    assert median(tries) <= 60
    assert max(tries) < 500  # of two thousand


@pytest.mark.parametrize("kind", NAMES)
@every_level
def test_the_same_seed_gives_the_same_puzzle_with_rules_that_exist(kind, level):
    for one in all_of(kind, level, range(5)):
        again = made.__wrapped__(kind, level, one.seed)
        assert again == one
        assert set(one.rules) <= set(RULES)
        assert str(one.solution).lower() not in one.hint(1).lower()
        assert one.check(one.solution)
    assert len({repr(one.start) for one in all_of(kind, level)}) > 20


@pytest.mark.parametrize("kind", NAMES)
def test_what_is_no_answer_is_refused_and_not_drawn(kind):
    one = made(kind, 1, 0)
    for answer in (None, 7, ("b2",), ["row 1"], Castle()):
        with pytest.raises(NotationError):
            one.check(answer)
        assert one.picture(answer) == one.picture()


def test_endings_are_what_the_moves_lead_to():
    ask = PlaceTokens(EMPTY, ("wood", "wood"))
    assert len(endings(ask)) == 3  # two of three Wood squares
    assert len(endings(PlaceTokens(EMPTY, ("wood", "residents")))) == 3
    assert len(endings(PlaceTokens(EMPTY, ("any", "any")))) == 66 + 12 + 1
