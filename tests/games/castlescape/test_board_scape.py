"""The build site: walls and the rules that hold them, baileys, leaks, recruits, text."""

from __future__ import annotations

import pickle
import random
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.games.castlescape.board import (
    NOBODY,
    SIDES,
    Bailey,
    Board,
    read_square,
    square_name,
)
from castlelab.rules import CastlelabError, IllegalMove, NotationError

KING = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
ROOK = [(-1, 0), (0, -1), (0, 1), (1, 0)]


def beside(square, steps):
    return {(square[0] + down, square[1] + right) for down, right in steps}


def walls_of(board):
    return set(board.grid.squares(board.walls))


def squares_of(board, bits):
    return set(board.grid.squares(bits))


# -- boards by chance ------------------------------------------------------------------------


def noise(side, chance):
    """Walls anywhere, few or many."""
    walls = chance.getrandbits(side * side)
    for _ in range(chance.randrange(3)):
        other = chance.getrandbits(side * side)
        walls = walls & other if chance.random() < 0.5 else walls | other
    return Board(side, walls)


def rings(side, chance):
    """Outlines of rectangles over each other, some with a hole: real baileys and leaks."""
    board = Board(side)
    walls = 0
    for _ in range(chance.randint(1, side // 2)):
        top, left = chance.randrange(side - 2), chance.randrange(side - 2)
        bottom, right = chance.randrange(top + 2, side), chance.randrange(left + 2, side)
        outline = [(row, column) for row in (top, bottom) for column in range(left, right + 1)]
        outline += [(row, column) for row in range(top, bottom + 1) for column in (left, right)]
        if chance.random() < 0.4:
            outline.remove(chance.choice(outline))
        walls |= board.grid.bits(outline)
    return Board(side, walls)


def castle(side, chance):
    """A castle as play makes it, wall by wall, with a liking for closing things."""
    board = Board.start(side)
    for _ in range(chance.randint(6, 5 * side)):
        spots = list(board.grid.squares(board.wall_spots()))
        if not spots:
            break
        tries = [board.grid.bit(chance.choice(spots)) for _ in range(4)]
        board = board.with_wall(
            max(tries, key=lambda bit: (board.grid.beside[bit] & board.walls).bit_count())
        )
    return Board(side, board.walls)  # a board that knows nothing yet


def spiral(side, chance):
    """One long corridor; closed by chance."""
    board = Board(side)
    walls, row, column, down, right = set(), 1, 1, 0, 1
    while (row, column) not in walls:
        walls.add((row, column))
        ahead, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
        outside = not all(0 < place < side - 1 for place in ahead)
        if outside or beyond in walls:
            down, right = right, -down
        row, column = row + down, column + right
    walls ^= set(chance.sample(sorted(walls), chance.randrange(2)))
    return Board(side, board.grid.bits(walls))


MAKERS = (noise, rings, castle, spiral)


def naive_baileys(board):
    """Square by square: groups of ground, joined by sides and corners, away from the edge."""
    side = board.side
    walls = walls_of(board)
    left = {(row, column) for row in range(side) for column in range(side)} - walls
    found = []
    while left:
        group, edge = set(), [min(left)]
        left.discard(edge[0])
        while edge:
            square = edge.pop()
            group.add(square)
            near = beside(square, KING) & left
            left -= near
            edge += near
        if all(0 < row < side - 1 and 0 < column < side - 1 for row, column in group):
            found.append(group)
    return sorted(found, key=min)


def labelled_baileys(board, label, numpy):
    """The same by scipy: label the ground with corners, drop what lies at the edge."""
    text = str(board).replace("\n", "")
    ground = numpy.array([mark == "." for mark in text]).reshape(board.side, board.side)
    labels, number = label(ground, structure=numpy.ones((3, 3)))
    edge = {*labels[0], *labels[-1], *labels[:, 0], *labels[:, -1]}
    return [
        set(map(tuple, numpy.argwhere(labels == part).tolist()))
        for part in range(1, number + 1)
        if part not in edge
    ]


@pytest.mark.slow
def test_baileys_of_10000_boards_equal_those_of_scipy_and_of_a_naive_search():
    import numpy
    from scipy.ndimage import label  # slow to import, and only this test needs it

    chance = random.Random(13)
    found = 0
    for number in range(10_000):
        side = chance.choice(SIDES) if number % 10 else SIDES[-1]
        board = MAKERS[number % len(MAKERS)](side, chance)
        ours = [set(bailey.squares) for bailey in board.baileys()]
        assert ours == naive_baileys(board), str(board)
        assert ours == sorted(labelled_baileys(board, label, numpy), key=min), str(board)
        found += len(ours)
    assert found > 20_000  # boards without baileys would prove little


def test_a_board_that_grew_knows_what_a_new_board_finds_out():
    chance = random.Random(5)
    for _ in range(60):
        board = Board.start(chance.choice(SIDES[:4]))
        for _ in range(60):
            spots = list(board.grid.squares(board.wall_spots()))
            if not spots:
                break
            bit = board.grid.bit(chance.choice(spots))
            board.baileys()
            board = board.with_wall(bit).with_recruit(chance.randrange(4), bit, atop=True)
            fresh = Board(board.side, board.walls, board.ground, board.atop)
            assert board.baileys() == fresh.baileys()
            assert board == fresh


def test_a_wall_inside_a_bailey_is_noticed_though_play_forbids_it():
    board = Board.parse("#### / #..# / #..# / ####")
    assert [bailey.size for bailey in board.baileys()] == [4]
    assert [bailey.size for bailey in board.with_wall(board.grid.bit((1, 1))).baileys()] == [3]


# -- the worked examples ---------------------------------------------------------------------


def test_example_a_wall_under_a_recruit_lifts_it():  # castlescape/wall-under-recruit
    board = Board.parse("..... / ..... / .b#.. / ..... / .....")
    lifted = board.build([(2, 1)])
    assert lifted == Board.parse("..... / ..... / .B#.. / ..... / .....")
    assert (board.influence(1), lifted.influence(1)) == (1, 2)


def test_example_two_on_walls_against_two_on_walls_and_one_inside():  # castlescape/influence
    board = Board.parse("A#B#. / #..#. / #b.#. / A##B.")
    (bailey,) = board.baileys()
    assert bailey.influence == (4, 5, 0, 0)
    assert bailey.leaders == (1,)


def test_example_a_bailey_of_two_squares_with_3_against_2():  # castlescape/bailey-score
    board = Board.parse("A### / #a.# / ##B#")
    (bailey,) = board.baileys()
    assert (bailey.size, bailey.influence, bailey.leaders) == (2, (3, 2, 0, 0), (0,))


def test_example_infamy_3_takes_one_from_a_wall_and_one_from_the_ground():  # castlescape/inspection
    board = Board.parse("a.. / .B# / .b.")
    board = board.with_recruit(1, board.grid.bit((1, 2)), atop=True)
    before = board.influence(1)
    after = board.without_recruit(1, board.grid.bit((1, 1)))
    after = after.without_recruit(1, board.grid.bit((2, 1)))
    assert before - after.influence(1) == 3
    assert str(after) == "a..\n.#B\n..."


def test_example_two_squares_that_touch_at_a_corner_are_one_bailey():  # castlescape/bailey
    board = Board.parse("###. / #a## / ##b# / .###")
    (bailey,) = board.baileys()
    assert bailey.squares == {(1, 1), (2, 2)}
    assert bailey.influence == (1, 1, 0, 0)
    assert bailey.leaders == (0, 1)


def test_example_occupation_2_v_1_and_5_v_2_and_3_v_2_v_2():  # castlescape/occupation
    yellow, blue = 0, 1
    board = Board.parse("A##.A#B.A#B# / #b#.Aa#.Cb.# / ###.###.####")
    found = board.baileys()
    assert [bailey.influence for bailey in found] == [(2, 1, 0, 0), (5, 2, 0, 0), (2, 3, 2, 0)]
    assert [bailey.leaders for bailey in found] == [(yellow,), (yellow,), (blue,)]


def test_the_smallest_bailey_takes_eight_walls():  # castlescape/bailey
    ring = sorted(beside((2, 2), KING))
    whole = Board(5).grid.bits(ring)
    assert [bailey.size for bailey in Board(5, whole).baileys()] == [1]
    for square in ring:
        assert not Board(5, whole & ~Board(5).grid.bit(square)).baileys()


def test_the_edge_is_no_wall():  # castlescape/bailey
    assert Board.parse(".# / ##").baileys() == ()
    assert Board.parse("#.# / #.# / ###").baileys() == ()


def test_nobody_leads_where_nobody_has_influence():
    (bailey,) = Board.parse("### / #.# / ###").baileys()
    assert bailey.influence == NOBODY
    assert bailey.leaders == ()


def test_a_bailey_round_a_bailey_has_only_its_own_squares():  # castlescape/bailey-score
    board = Board.parse("####### / #.....# / #.###.# / #.#.#.# / #.###.# / #.....# / #######")
    outer, inner = board.baileys()
    assert (outer.size, inner.size) == (16, 1)
    assert not outer.squares & inner.squares
    assert len(inner.walls) == 8
    assert len(outer.walls) == 24 + 8  # the inner ring stands inside it


def test_a_recruit_between_two_baileys_counts_in_both_and_a_stub_outside_in_none():
    board = Board.parse("#####. / #.A.#B / #####.")
    one, other = board.baileys()
    assert one.influence == other.influence == (2, 0, 0, 0)
    stub = Board.parse("###.. / #.##A / ###..")
    (bailey,) = stub.baileys()
    assert bailey.influence == NOBODY


def test_every_wall_beside_a_bailey_counts_at_sides_and_corners():
    board = Board.parse("#####. / #...#. / #.#.## / #...#. / #####.")
    (bailey,) = board.baileys()
    expected = set().union(*(beside(square, KING) for square in bailey.squares))
    assert bailey.walls == expected & walls_of(board)
    assert (2, 2) in bailey.walls
    assert (2, 5) not in bailey.walls


# -- building --------------------------------------------------------------------------------


def test_a_site_begins_with_one_wall_in_the_middle():  # castlescape/first-wall
    for side in SIDES:
        board = Board.start(side)
        assert walls_of(board) == {(side // 2, side // 2)}
        assert squares_of(board, board.wall_spots()) == beside((side // 2,) * 2, ROOK)


@pytest.mark.parametrize("side", [6, 8, 5, 27, 0, -7, True, "13", 13.0, None])
def test_other_sides_are_refused(side):
    with pytest.raises(CastlelabError, match="an odd side from 7 to 25"):
        Board.start(side)


@pytest.mark.parametrize(
    ("text", "squares", "rules"),
    [
        ("..... / ..... / ..#.. / ..... / .....", [(2, 3)], ()),
        ("..... / ..... / ..#.. / ..... / .....", [(2, 3), (2, 4), (1, 4)], ()),
        ("..... / ..... / ..#.. / ..... / .....", [(1, 1)], ("castlescape/wall-adjacent",)),
        (
            "..... / ..... / ..#.. / ..... / .....",
            [(2, 1), (2, 3)],
            ("castlescape/wall-contiguous",),
        ),
        (
            "..... / ..... / ..#.. / ..... / .....",
            [(2, 1), (0, 0)],
            ("castlescape/wall-adjacent", "castlescape/wall-contiguous"),
        ),
        ("..... / ..... / ..#.. / ..... / .....", [(2, 2)], ("castlescape/wall-free-square",)),
        (
            "..... / ..... / ..#.. / ..... / .....",
            [(2, 3), (2, 3)],
            ("castlescape/wall-free-square",),
        ),
        ("..... / .##.. / .#... / ..... / .....", [(2, 2)], ("castlescape/no-two-by-two",)),
        (
            "### / #.# / ###",
            [(1, 1)],
            ("castlescape/wall-free-square", "castlescape/no-two-by-two"),
        ),
        (
            "### / #a# / ###",
            [(1, 1)],
            ("castlescape/wall-free-square", "castlescape/no-two-by-two"),
        ),
    ],
)
def test_each_breach_is_named(text, squares, rules):
    board = Board.parse(text)
    verdict = board.check_walls(squares)
    assert verdict.rules == rules
    assert bool(verdict) == (not rules)
    assert all(breach.mend for breach in verdict.breaches)


def test_a_block_names_its_four_squares():  # castlescape/no-two-by-two
    board = Board.parse("..... / .##.. / .#... / ..... / .....")
    (breach,) = board.check_walls([(2, 2)]).breaches
    assert breach.where == ("b2", "c2", "b3", "c3")
    two = Board.parse(".#.#. / .###. / ..... / ..... / .....").check_walls(["c1"])
    assert [breach.where for breach in two.breaches] == [
        ("b1", "c1", "b2", "c2"),
        ("c1", "d1", "c2", "d2"),
    ]


def test_the_wall_that_closes_a_bailey_bars_the_next_one_from_it():  # castlescape/wall-free-square
    board = Board.parse("####. / #..#. / #..#. / ###.. / .....")
    assert board.check_walls([(3, 3)])
    verdict = board.check_walls([(3, 3), (2, 2)])
    assert "castlescape/wall-free-square" in verdict.rules
    assert "completed bailey" in str(verdict)


def test_walls_go_up_under_anybody_s_recruit():  # castlescape/wall-under-recruit
    board = Board.parse("..... / .abcd / ..#.. / ..... / .....")
    assert str(board.build(["c2", "d2"])) == ".....\n.aBCd\n..#..\n.....\n....."


def test_an_illegal_card_is_refused_whole():
    board = Board.start(7)
    with pytest.raises(IllegalMove) as caught:
        board.build([(3, 4), (0, 0)])
    assert caught.value.verdict == board.check_walls([(3, 4), (0, 0)])
    assert "walls on e4, a1" in str(caught.value)


def test_the_mend_is_a_wall_that_may_be_built():
    chance = random.Random(2)
    for _ in range(200):
        board = castle(9, chance)
        square = (chance.randrange(9), chance.randrange(9))
        for breach in board.check_walls([square]).breaches:
            assert bool(breach.mends) == breach.mend.startswith("Build on ")
            for walls in breach.mends:
                assert walls == (breach.mend.split()[2],)
                assert board.check_walls(walls)


def test_what_mends_the_walls_of_a_card_is_legal_as_a_whole():
    """Also after a wall that was not: what is kept of the others may be built."""
    chance = random.Random(3)
    mended = 0
    for _ in range(300):
        board = castle(9, chance)
        wanted = [(chance.randrange(9), chance.randrange(9)) for _ in range(3)]
        for breach in board.check_walls(wanted).breaches:
            for walls in breach.mends:
                assert board.check_walls(walls), (str(board), wanted, walls)
                mended += len(walls) > 1
    assert mended
    (breach,) = Board.start(7).check_walls(["d5", "f5"]).breaches[:1]
    assert breach.mends == (("d5", "e5"),)


def test_what_mends_a_recruit_is_a_square_for_it():
    """castlescape/position"""
    (breach,) = Board.parse("... / .#. / .a.").check_recruit("b3").breaches
    assert breach.mends == ("a3",)
    (breach,) = Board.parse("### / #A# / ###").check_recruit("b2", on_walls=True).breaches
    assert breach.mends == ("b1",)
    (breach,) = Board.parse("#").check_recruit("a1").breaches
    assert breach.mends == ()


@pytest.mark.parametrize(
    ("squares", "says"),
    [
        ([(7, 0)], "off the board"),
        ([(0, -1)], "off the board"),
        (["z9"], "not a square"),
        (["h1"], "off the board"),
        (7, "a list of squares"),
        (None, "a list of squares"),
        ([7], r"\(row, column\)"),
        ([(1, 2, 3)], r"\(row, column\)"),
        ([(True, 2)], r"\(row, column\)"),
        ([(1.0, 2)], r"\(row, column\)"),
    ],
)
def test_bad_squares_are_explained(squares, says):
    with pytest.raises(NotationError, match=says) as caught:
        Board.start(7).check_walls(squares)
    assert "\n" not in str(caught.value)


def lawful(board, square, card):
    """A wall by the letter of the rules, square by square."""
    walls = walls_of(board)
    blocks = [
        {(top, left), (top + 1, left), (top, left + 1), (top + 1, left + 1)}
        for top in (square[0] - 1, square[0])
        for left in (square[1] - 1, square[1])
    ]
    return (
        square not in walls
        and bool(beside(square, ROOK) & (card or walls))
        and not any(block <= walls | {square} for block in blocks)
        and not any(square in bailey for bailey in naive_baileys(board))
    )


def test_wall_spots_are_what_check_walls_allows_and_what_the_rules_say():
    chance = random.Random(8)
    for number in range(160):
        board = MAKERS[number % len(MAKERS)](chance.choice((7, 9, 11)), chance)
        walls = sorted(walls_of(board))
        card = set(chance.sample(walls, min(len(walls), chance.randrange(3))))
        spots = squares_of(board, board.wall_spots(board.grid.bits(card)))
        every = squares_of(board, board.grid.all)
        assert spots == {square for square in every if lawful(board, square, card)}
        if not card:
            assert spots == {square for square in every if board.check_walls([square])}


# -- recruits --------------------------------------------------------------------------------


def test_recruits_are_positioned_on_free_ground_anywhere():  # castlescape/position
    board = Board.parse("a.. / .B# / ...")
    assert squares_of(board, board.position_spots()) == {
        (0, 1), (0, 2), (1, 0), (2, 0), (2, 1), (2, 2)
    }  # fmt: skip
    inside = Board.parse("### / #.# / ###")
    assert squares_of(inside, inside.position_spots()) == {(1, 1)}


def test_recruits_come_go_and_move():
    board = Board.parse("... / .#. / ...")
    one, wall = board.grid.bit((0, 0)), board.grid.bit((1, 1))
    there = board.with_recruit(2, one).with_recruit(3, wall, atop=True)
    assert str(there) == "c..\n.D.\n..."
    assert [there.influence(player) for player in range(4)] == [0, 0, 1, 2]
    assert [there.recruits(player) for player in range(4)] == [0, 0, 1, 1]
    assert there.occupied() == one | wall
    assert there.without_recruit(2, one).without_recruit(3, wall) == board
    assert str(there.moved(2, one, board.grid.bit((0, 1)))) == ".c.\n.D.\n..."
    climbed = board.with_recruit(0, one).moved(0, one, wall)
    assert str(climbed) == "...\n.A.\n..."


# -- leaks -----------------------------------------------------------------------------------


def test_a_leak_leads_from_the_square_to_the_edge_step_by_step():
    chance = random.Random(21)
    for number in range(400):
        board = MAKERS[number % len(MAKERS)](chance.choice((7, 9, 13)), chance)
        square = chance.randrange(board.side), chance.randrange(board.side)
        path = board.leak(square)
        shut = squares_of(board, board.enclosed())
        if square in walls_of(board) or square in shut:
            assert path == ()
            continue
        assert path[0] == square
        assert all(step in beside(last, KING) for last, step in pairwise(path))
        assert not set(path) & walls_of(board)
        assert squares_of(board, board.grid.bits(path) & board.grid.border) == {path[-1]}
        for one, other in board.gaps(path):
            assert {(one[0], other[1]), (other[0], one[1])} <= walls_of(board)


def test_a_leak_goes_through_a_corner_only_where_it_must():
    board = Board.parse("..... / .###. / .#.#. / .##.. / .....")
    path = board.leak("c3")
    assert path == ((2, 2), (3, 3), (3, 4))
    assert board.gaps(path) == (((2, 2), (3, 3)),)
    straight = Board.parse("..... / .###. / .#... / .##.. / .....").leak((2, 2))
    assert straight == ((2, 2), (2, 3), (2, 4))


# -- text ------------------------------------------------------------------------------------


@st.composite
def boards(draw):
    rows, columns = draw(st.integers(1, 12)), draw(st.integers(1, 25))
    marks = st.text(alphabet=".#abcdABCD", min_size=columns, max_size=columns)
    return "\n".join(draw(marks) for _ in range(rows))


@given(boards())
def test_a_board_reads_back_from_its_text(text):
    board = Board.parse(text)
    assert str(board) == text
    assert Board.parse(str(board)) == board
    assert hash(Board.parse(str(board))) == hash(board)
    assert eval(repr(board), {"Board": Board}) == board
    again = pickle.loads(pickle.dumps(board))
    assert again == board
    assert again.baileys() == board.baileys()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "at least one line"),
        ("..x", "line 1, column 3 has 'x'"),
        (".. / .", "line 2 has 1 squares"),
        ("." * 26, "at most 25 rows and columns, not 1 and 26"),
        ("." * 100_000, "at most 25 lines"),
        (None, "a board is text"),
        (13, "a board is text"),
    ],
)
def test_bad_boards_are_explained(text, says):
    with pytest.raises(NotationError, match=says) as caught:
        Board.parse(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=60))
def test_no_text_crashes_the_parser(text):
    said = ""
    try:
        board = Board.parse(text)
        assert Board.parse(str(board)) == board
    except NotationError as error:
        said = str(error)
    assert "\n" not in said


def test_squares_have_names_and_read_back():
    for square in [(0, 0), (24, 24), (9, 3)]:
        assert read_square(square_name(square)) == square
    assert read_square(" D10 ") == (9, 3)
    for text in ("", "a0", "z1", "a26", "1a", "a1b", None, 7, "a٣"):
        with pytest.raises(NotationError, match="not a square"):
            read_square(text)


def test_a_bailey_is_a_value():
    one, other = (Board.parse("### / #.# / ###").baileys()[0] for _ in range(2))
    assert one == other
    assert len({one, other}) == 1
    assert isinstance(one, Bailey)


def test_at_most_one_bailey_shares_a_square():
    chance = random.Random(4)
    for _ in range(50):
        found = rings(13, chance).baileys()
        assert not any(one.bits & other.bits for one, other in combinations(found, 2))
