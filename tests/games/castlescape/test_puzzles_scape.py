"""CastleScape's puzzles: judged by the board alone, and harder level by level."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise, permutations
from statistics import fmean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.chance import Chance
from castlelab.games.castlescape.board import Board, square_name
from castlelab.games.castlescape.puzzle_who_claims import (
    CLAIM_GRADES,
    BaileyClaim,
    judge_claim,
    misread,
)
from castlelab.games.castlescape.puzzles import (
    CLOSE_GRADES,
    FIND_GRADES,
    KINDS,
    LEVY_GRADES,
    BuildWalls,
    FindSquares,
    GiveUp,
    Spots,
    best_closing,
    best_levy,
    bonuses,
    decoys,
    judge_levy,
    judge_walls,
    largest_new,
    read_spots,
    worth_of,
)
from castlelab.puzzles import LEVELS, Code
from castlelab.rules import NotationError

every_level = pytest.mark.parametrize("level", LEVELS)
SEEDS = range(20)
NAMES = ("blue", "orange", "green", "gold")


@cache
def made(kind, level, seed):
    kind = f"castlescape/{kind}"
    return KINDS[kind](Code(kind, level, seed), Chance.seeded(f"puzzle {kind}-{level}-{seed}"))


def all_of(kind, level, seeds=SEEDS):
    return [made(kind, level, seed) for seed in seeds]


def rules_of(judgement):
    return {breach.rule.id for breach in judgement.breaches}


def can_stand(board):
    """Whether the walls are legal: in one piece, no block, and one on the centre square."""
    grid = board.grid
    blocks = (
        grid.bits([(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)])
        for r in range(board.side - 1)
        for c in range(board.side - 1)
    )
    return (
        grid.flood(board.walls & -board.walls, board.walls) == board.walls
        and not any(block & ~board.walls == 0 for block in blocks)
        and bool(board.walls & Board.start(board.side).walls)
    )


@pytest.mark.parametrize("kind", ["find-the-bailey", "close-it", "who-claims", "inspection"])
@every_level
def test_every_site_could_come_up_in_a_game(kind, level):
    for puzzle in all_of(kind, level):
        assert can_stand(puzzle.start.board), puzzle.code


# -- find the bailey -------------------------------------------------------------------------


@every_level
def test_one_bailey_and_its_decoys(level):
    grade = FIND_GRADES[level]
    for puzzle in all_of("find-the-bailey", level):
        board = puzzle.ask.board
        assert isinstance(puzzle.ask, FindSquares)
        (bailey,) = board.baileys()
        assert set(puzzle.solution.squares) == bailey.squares
        assert puzzle.par == bailey.size in grade.sizes
        assert len([*board.grid.regions(bailey.bits)]) == grade.parts
        assert len(decoys(board)) == grade.decoys


@every_level
def test_a_decoy_leaks_and_the_leak_is_shown(level):
    for puzzle in all_of("find-the-bailey", level):
        board = puzzle.ask.board
        for decoy in decoys(board):
            judgement = puzzle.check(Spots(tuple(board.grid.squares(decoy))))
            assert not judgement
            assert rules_of(judgement) == {"castlescape/bailey"}
            (breach,) = judgement.breaches
            path = read_spots(" ".join(breach.where)).squares
            assert path[0] in set(board.grid.squares(decoy))
            assert board.grid.bit(path[-1]) & board.grid.border
            assert board.gaps(path)  # by sides alone it would be closed
            assert "through the corner between" in breach.message


def test_part_of_a_bailey_and_more_than_it_are_told_apart():
    board = Board.parse("###.. / #.##. / ##.#. / .###. / .....")
    assert FindSquares(board).judge(read_spots("b2 c3"))
    part = FindSquares(board).judge(read_spots("b2"))
    assert not part
    assert "the bailey goes on" in part.message
    assert part.breaches[0].where == ("c3",)
    assert "it leaks" in FindSquares(board).judge(read_spots("b2 c3 e1")).message
    assert "there is a wall on a1" in FindSquares(board).judge(read_spots("a1 b2")).message
    assert "No square" in FindSquares(board).judge(Spots()).message
    two = Board.parse("##### / #.#.# / #####")
    assert "different baileys" in FindSquares(two).judge(read_spots("b2 d2")).message
    assert FindSquares(two).judge(read_spots("d2"))
    assert "lies at the edge" in str(FindSquares(board).judge(read_spots("e5")))


def test_finding_grows_harder():
    ground = [
        fmean(p.ask.board.walls.bit_count() for p in all_of("find-the-bailey", level))
        for level in LEVELS
    ]
    assert all(one < other for one, other in pairwise(ground))
    closed_looking = [
        len(decoys(made("find-the-bailey", level, 0).ask.board)) + FIND_GRADES[level].parts
        for level in LEVELS
    ]
    assert all(one < other for one, other in pairwise(closed_looking))


# -- close it --------------------------------------------------------------------------------


def brute_closing(board, walls):
    """Every order of every choice of squares, judged by check_walls alone."""
    best = 0
    grid = board.grid
    # A card's walls lie within so many steps of the walls that stand.
    near = board.walls
    for _ in range(walls):
        near |= grid.neighbours(near)
    spots = sorted(grid.squares(near & ~board.walls))
    for number in range(1, walls + 1):
        for squares in combinations(spots, number):
            for order in permutations(squares):
                if board.check_walls(order):
                    best = max(best, largest_new(board.courts(), board.build(order)))
                    break
    return best


@pytest.mark.parametrize("level", [1, 2])
def test_the_best_closing_is_what_brute_force_finds(level):
    for puzzle in all_of("close-it", level, range(8 if level == 1 else 4)):
        ask = puzzle.ask
        assert best_closing(ask.board, ask.walls).size == brute_closing(ask.board, ask.walls)


def test_the_best_closing_with_three_walls_is_what_brute_force_finds():
    board = Board.parse("..... / .###. / .#.#. / .#... / .....")
    for walls in (1, 2, 3):
        assert best_closing(board, walls).size == brute_closing(board, walls)
    assert best_closing(board, 3).size == 1


@every_level
def test_the_largest_bailey_takes_all_the_walls(level):
    grade = CLOSE_GRADES[level]
    for puzzle in all_of("close-it", level):
        ask = puzzle.ask
        assert isinstance(ask, BuildWalls)
        assert ask.walls == grade.walls == len(puzzle.solution.squares)
        assert ask.board.check_walls(puzzle.solution.squares)
        after = ask.board.build(puzzle.solution.squares)
        assert largest_new(ask.board.courts(), after) == puzzle.par
        assert best_closing(ask.board, ask.walls - 1).size < puzzle.par
        assert len(best_closing(ask.board, ask.walls).sizes) > grade.rivals


def test_walls_that_do_less_or_are_not_allowed_are_told_apart():
    board = Board.parse("....... / .####.. / .#..... / .#..#.. / .####.. / ....... / .......")
    ask = BuildWalls(board, 3)
    inside = (2, 2)

    def judge(text):
        return judge_walls(ask, 4, read_spots(text), inside)

    assert judge("e3")  # one wall is enough here
    assert rules_of(judge("g7")) == {"castlescape/wall-adjacent"}
    assert rules_of(judge("e3 a2")) == {"castlescape/wall-contiguous"}
    leaks = judge("f2")
    assert rules_of(leaks) == {"castlescape/bailey"}
    assert leaks.breaches[0].where[0] == "c3"
    assert "gives 3 walls" in judge("a2 a3 a4 a5").message
    assert "Nothing is built" in judge_walls(ask, 4, Spots(), inside).message
    assert "5 are possible" in judge_walls(ask, 5, read_spots("e3"), inside).message


def test_closing_grows_harder():
    luck = []
    for level in LEVELS:
        found = [best_closing(p.ask.board, p.ask.walls) for p in all_of("close-it", level)]
        luck.append(median(one.ways / one.tried for one in found))
    assert all(one > 1.5 * other for one, other in pairwise(luck))


# -- who claims ------------------------------------------------------------------------------


@every_level
def test_the_engine_says_who_claims(level):
    grade = CLAIM_GRADES[level]
    for puzzle in all_of("who-claims", level):
        claim = puzzle.start
        bailey = claim.bailey
        right = NAMES[bailey.leaders[0]] if len(bailey.leaders) == 1 else "shared"
        assert puzzle.solution == right
        for value, _ in puzzle.ask.options:
            assert bool(puzzle.check(value)) == (value == right)
        traps = sum(leaders != bailey.leaders for leaders in misread(claim.board, bailey))
        assert traps >= grade.traps
        second, first = sorted(bailey.influence)[-2:]
        assert first - second in grade.lead
        assert len(claim.board.courts()) == grade.courts


def test_three_misreadings_of_influence():
    # On the ring's corner: B. On its side: A. On a stub outside: two of C.
    board = Board.parse("B#A#.. / #ab#CC / #..#.. / ####..")
    claim = BaileyClaim(board, (1, 1))
    bailey = claim.bailey
    assert bailey.influence == (3, 3, 0, 0)
    heads, by_sides, everywhere = misread(board, bailey)
    assert heads == (0, 1)
    assert by_sides == (0,)
    assert everywhere == (2,)


def test_a_bailey_can_be_shared_or_nobody_s():
    shared = BaileyClaim(Board.parse("A#B / #.# / ###"), (1, 1))
    empty = BaileyClaim(Board.parse("### / #.# / ###"), (1, 1))
    options = made("who-claims", 1, 0).ask
    assert judge_claim(shared, "shared")
    assert not judge_claim(shared, "blue")
    assert judge_claim(empty, "nobody")
    assert rules_of(judge_claim(empty, "orange")) == {"castlescape/influence"}
    with pytest.raises(NotationError, match="not one of the answers"):
        options.accept("green")


def test_all_answers_come_up():
    for level in (3, 4, 5):
        found = {puzzle.solution for puzzle in all_of("who-claims", level, range(30))}
        assert "shared" in found
        assert len(found) >= 3


# -- inspection ------------------------------------------------------------------------------


def brute_levy(board, player, infamy):
    """Every order of giving up recruits one by one until the King is content."""
    own = [bit for bit in map(board.grid.bit, board.grid.squares(board.grid.all))
           if worth_of(board, player, bit)]  # fmt: skip
    best = -1

    def give(left, given, owed):
        nonlocal best
        if owed <= 0:
            best = max(best, bonuses(board.without_recruit(player, given), player))
            return
        for at, bit in enumerate(left):
            give(left[:at] + left[at + 1 :], given | bit, owed - worth_of(board, player, bit))

    give(own, 0, infamy)
    return best


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_best_levy_is_what_giving_up_one_by_one_finds(level):
    for puzzle in all_of("inspection", level, range(6)):
        ask = puzzle.ask
        assert puzzle.par == brute_levy(ask.board, ask.player, ask.infamy)


@every_level
def test_some_choices_are_right_and_most_are_not(level):
    grade = LEVY_GRADES[level]
    for puzzle in all_of("inspection", level):
        ask = puzzle.ask
        assert isinstance(ask, GiveUp)
        levy = best_levy(ask.board, ask.player, ask.infamy)
        assert levy.bonus == puzzle.par >= 1
        assert grade.luck[0] <= levy.ways / levy.choices <= grade.luck[1]
        assert ask.board.recruits(ask.player) == grade.own
        assert ask.infamy in grade.infamy


def test_example_infamy_3_is_paid_by_one_from_a_wall_and_one_from_the_ground():
    ask = GiveUp(Board.parse("###.. / #a#.. / A##.a / ..A## / ..#.#"), 0, 3)
    assert judge_levy(ask, 0, read_spots("a3 e3"))
    short = judge_levy(ask, 0, read_spots("a3"))
    assert rules_of(short) == {"castlescape/inspection"}
    assert short.breaches[0].mend == "Give up 1 more."
    assert "more than needed" in judge_levy(ask, 0, read_spots("a3 c4 e3")).message
    assert judge_levy(ask, 0, read_spots("a3 c4"))  # two wall recruits for 3: 4 must do
    assert "no recruit on a1" in judge_levy(ask, 0, read_spots("a1")).message


def test_giving_up_the_wrong_recruits_costs_a_bailey():
    board = Board.parse("A####. / #.#b#a / ##A### / ......")
    ask = GiveUp(board, 0, 1)
    assert bonuses(board, 0) == 2
    assert judge_levy(ask, 2, read_spots("f2"))
    worse = judge_levy(ask, 2, read_spots("c3"))
    assert rules_of(worse) == {"castlescape/occupation"}
    assert "d2" in worse.breaches[0].where
    assert "You still lead in 1 bailey; the most is 2." in worse.message


def test_inspections_grow_harder():
    luck = [
        median(
            levy.ways / levy.choices
            for levy in (
                best_levy(p.ask.board, p.ask.player, p.ask.infamy)
                for p in all_of("inspection", level)
            )
        )
        for level in LEVELS
    ]
    assert all(one > other for one, other in pairwise(luck))


# -- answers ---------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 24), st.integers(0, 24)), min_size=1, max_size=30))
def test_squares_read_back_from_their_text(squares):
    spots = Spots(tuple(squares))
    assert read_spots(str(spots)) == spots
    assert read_spots(", ".join(map(square_name, squares)).upper()) == spots


@pytest.mark.parametrize("text", ["", " ,; ", "c2 here", "c2,,z9", "c" * 5_000, None, 7])
def test_bad_squares_are_explained(text):
    with pytest.raises(NotationError) as caught:
        read_spots(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["find-the-bailey", "close-it", "inspection"])
def test_squares_off_the_board_are_an_error(kind):
    with pytest.raises(NotationError, match="off the board"):
        made(kind, 1, 0).check(Spots(((24, 24),)))
    with pytest.raises(NotationError, match="the answer is squares"):
        made(kind, 1, 0).check(("c2",))


def test_a_refused_wall_does_not_tell_which_would_be_right():
    """castlescape/wall-adjacent: what to build is the question, so nothing is mended here."""
    for level in LEVELS:
        puzzle = made("close-it", level, 1)
        ask = puzzle.ask
        assert isinstance(ask, BuildWalls)
        grid, board = ask.board.grid, ask.board
        far = next(grid.squares(grid.all & ~board.walls & ~board.wall_spots()))
        judgement = puzzle.check(Spots((far,)))
        verdict = ask.board.check_walls([far])
        assert [breach.rule for breach in judgement.breaches] == [b.rule for b in verdict.breaches]
        assert not any(breach.mend or breach.mends for breach in judgement.breaches)
