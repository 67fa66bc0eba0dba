"""The token board: squares, lines, tokens; parse and print."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.games.once_upon_a_castle import Board, Gift
from castlelab.games.once_upon_a_castle.board import TOKENS, PatternError, make_layout
from castlelab.games.once_upon_a_castle.box import house_layouts
from castlelab.rules import CastlelabError, NotationError

APPRENTICE, ARCHITECT = house_layouts()
layouts = st.sampled_from(house_layouts())
boards = st.tuples(layouts, st.integers(0, (1 << 12) - 1)).map(lambda two: two[0].board(two[1]))


@pytest.mark.parametrize("layout", house_layouts(), ids=lambda layout: layout.name)
def test_every_square_is_in_one_row_and_one_column(layout):
    assert len(layout.squares) == 12
    for square in layout.squares:
        inside = [line.name.split()[0] for line in layout.lines if square in line.squares]
        assert inside == ["row", "column"]
    assert {len(line.squares) for line in layout.lines} == {2, 3, 4}


@given(boards)
def test_full_lines_are_those_without_a_free_square(board):
    by_hand = [
        line.name
        for line in board.lines
        if all(square.name in board.tokens for square in line.squares)
    ]
    assert [line.name for line in board.full_lines()] == by_hand
    for line in board.full_lines():
        left = board.clear(line)
        assert left == board.clear(line.name)
        assert set(left.tokens) == set(board.tokens) - {square.name for square in line.squares}
        for other in board.crossing(line):
            assert other not in left.full_lines()
            assert other.is_row != line.is_row


def test_with_all_tokens_placed_some_line_is_full():
    """Two free squares block four lines at most, so nobody is ever stuck."""
    for layout in house_layouts():
        for filled in range(1 << 12):
            if filled.bit_count() == TOKENS:
                assert layout.board(filled).full_lines()


@given(boards)
def test_a_board_reads_back_from_its_text(board):
    if len(board.tokens) > TOKENS:
        with pytest.raises(NotationError, match="tokens lie there; there are 10"):
            Board.parse(str(board))
        return
    assert Board.parse(str(board)) == board
    assert Board.parse(str(board), board.layout) is board
    assert Board.parse(f" {str(board).replace(chr(10), ' / ')} ") == board
    assert eval(repr(board)) == board
    assert hash(Board.parse(str(board))) == hash(board)


@given(boards, st.data())
def test_placing_takes_a_token(board, data):
    name = data.draw(st.sampled_from([square.name for square in board.squares]))
    if name in board.tokens:
        with pytest.raises(CastlelabError, match="a token on"):
            board.place(name)
    elif board.spare <= 0:
        with pytest.raises(CastlelabError, match="all 10 tokens are placed"):
            board.place(name)
    else:
        after = board.place(name)
        assert set(after.tokens) == {*board.tokens, name}
        assert after.spare == board.spare - 1


def test_the_house_boards_print():
    assert str(APPRENTICE.board()) == "wsg..\nfgws.\n..fsg\n...fw"
    assert str(ARCHITECT.board()) == "fg..\nsw..\nwfg.\n.sfg\n..ws"


def test_boards_of_different_layouts_differ():
    assert APPRENTICE.board() != ARCHITECT.board()
    assert APPRENTICE != ARCHITECT
    assert APPRENTICE != "apprentice"


def test_a_board_survives_a_journey_to_another_process():
    board = APPRENTICE.board(77)
    assert pickle.loads(pickle.dumps(board)) == board
    assert pickle.loads(pickle.dumps(APPRENTICE)) is APPRENTICE


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: APPRENTICE.board().place("h8"), "there is no square 'h8'; the squares are a1"),
        (lambda: APPRENTICE.board().place(None), "there is no square None"),
        (lambda: APPRENTICE.board().clear("row 9"), "there is no line 'row 9'; the lines are row"),
        (lambda: APPRENTICE.board().clear(3), "there is no line 3"),
        (lambda: APPRENTICE.board().clear("row 4"), "row 4 is not full; it misses a token on d4"),
    ],
)
def test_what_cannot_be_done_is_told(call, says):
    with pytest.raises(CastlelabError) as caught:
        call()
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "write a board"),
        (" / \n", "write a board"),
        (None, "a board is a short text"),
        ("w" * 500, "a board is a short text"),
        ("wsx..", "'x' is no square"),
        ("wsg", "no house board has these squares"),
        ("wsg.. / fgws. / ..fsg / ...ww", "no house board has these squares"),
        ("wsg.. / fgws. / ..fsg / ...f", "no house board has these squares"),
    ],
)
def test_bad_text_is_no_board(text, says):
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    assert says in str(caught.value)


def test_a_text_for_another_layout_is_refused():
    with pytest.raises(NotationError, match="not the apprentice board"):
        Board.parse(str(ARCHITECT.board()), APPRENTICE)


@given(st.text(alphabet="WSGFwsgf./ \nx", max_size=60))
def test_no_text_crashes_the_parser(text):
    try:
        board = Board.parse(text)
    except NotationError:
        return
    assert board.layout in house_layouts()


def test_gifts_in_words():
    assert Gift(tower=5).words == "a tower worth 5"
    assert Gift(wall=True, residents=1, flag=2).words == "a wall, a flag worth 2 and 1 resident"
    assert Gift(reactivate=True).words == "a Bolt guest again"
    assert Gift(steal=True, floor=True).words == "a floor and a stolen guest"
    assert not Gift(steal=True, residents=2).draws
    assert Gift(flag=1).draws


def test_a_pattern_without_squares_is_no_layout():
    with pytest.raises(PatternError, match="pattern must be 2 to 8 rows"):
        make_layout("none", (), (), ())


def test_a_board_shows_itself_in_a_notebook():
    assert APPRENTICE.board(5)._repr_svg_().startswith("<svg")
