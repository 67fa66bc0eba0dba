"""The notation of Once Upon a Castle: both ways, and what is said about bad text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import castlelab
from castlelab.games.once_upon_a_castle.moves import (
    CHOICES,
    EXTRAS,
    TAKEN,
    Choose,
    Clear,
    End,
    Invite,
    Lose,
    Pass,
    Place,
    Reactivate,
    Shift,
    Steal,
    Stop,
    Take,
    Use,
    read_move,
)
from castlelab.rules import NotationError

dice = st.sampled_from((1, 2))
squares = st.builds(
    lambda column, row: f"{column}{row}", st.sampled_from("abcdefgh"), st.integers(1, 8)
)
names = st.sampled_from(("king", "queen", "dagobert", "koenig"))
lines = st.builds(
    lambda kind, number: f"{kind} {number}", st.sampled_from(("row", "column")), st.integers(1, 8)
)
moves = st.one_of(
    st.builds(Use, dice, squares | st.sampled_from(EXTRAS)),
    st.builds(Lose, dice),
    st.just(Pass()),
    st.builds(Clear, lines),
    st.builds(Invite, names),
    st.builds(Steal, names),
    st.builds(Reactivate, names),
    st.builds(Place, squares),
    st.builds(Take, st.sampled_from(TAKEN)),
    st.builds(Choose, st.sampled_from(CHOICES)),
    st.builds(Shift, squares, squares),
    st.just(Stop()),
    st.just(End()),
)


@given(moves)
def test_every_move_reads_back_from_its_text(move):
    assert read_move(str(move)) == move
    assert hash(read_move(str(move))) == hash(move)
    assert castlelab.load("once_upon_a_castle").move(str(move)) == move
    assert read_move("  " + str(move).upper().replace(" ", " \t ") + "\n") == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("use 1 b2", Use(1, "b2")),
        ("use 2 residents", Use(2, "residents")),
        ("use 1 flag", Use(1, "flag")),
        ("use 1 cloud", Use(1, "cloud")),
        ("lose 1", Lose(1)),
        ("pass", Pass()),
        ("clear row 2", Clear("row 2")),
        ("clear column 3", Clear("column 3")),
        ("guest king", Invite("king")),
        ("steal king", Steal("king")),
        ("reactivate logger", Reactivate("logger")),
        ("place b2", Place("b2")),
        ("take residents", Take("residents")),
        ("choose wood", Choose("wood")),
        ("choose cloud", Choose("cloud")),
        ("shift b2 c3", Shift("b2", "c3")),
        ("stop", Stop()),
        ("end", End()),
    ],
)
def test_the_table_of_the_notation(text, move):
    assert read_move(text) == move
    assert str(move) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "write a move, such as 'use 1 b2'"),
        (" \n ", "write a move"),
        (None, "write a move"),
        (7, "write a move"),
        (b"end", "write a move"),
        ("jump", "no move starts with 'jump'; a move looks like"),
        ("claer row 1", "did you mean clear?"),
        ("use", "that move is written 'use 1 b2'"),
        ("use b2", "that move is written 'use 1 b2'"),
        ("use 3 b2", "the dice are 1 and 2, not '3'"),
        ("use ١ b2", "the dice are 1 and 2"),
        ("use 1 b9", "a die is used on a square such as b2"),
        ("use 1 wood", "a die is used on a square such as b2"),
        ("use 1 b2 c3", "that move is written 'use 1 b2'"),
        ("lose", "that move is written 'lose 1'"),
        ("lose x", "the dice are 1 and 2, not 'x'"),
        ("pass 1", "that move is written 'pass'"),
        ("clear", "that move is written 'clear row 2'"),
        ("clear row", "that move is written 'clear row 2'"),
        ("clear line 2", "a line is a row or a column"),
        ("clear row 9", "a line is a row or a column"),
        ("clear row 12", "a line is a row or a column"),
        ("clear row ²", "a line is a row or a column"),
        ("guest", "that move is written 'guest king'"),
        ("guest k1ng", "'k1ng' is not the name of a guest"),
        ("steal king queen", "that move is written 'steal king'"),
        ("steal é", "is not the name of a guest"),
        ("reactivate", "that move is written 'reactivate logger'"),
        ("place", "that move is written 'place b2'"),
        ("place 2b", "'2b' is not a square"),
        ("take cloud", "write one of residents, flag, not 'cloud'"),
        ("choose any", "write one of wood, stone, gold, food, residents, cloud, not 'any'"),
        ("shift b2", "that move is written 'shift b2 c3'"),
        ("shift b2 x", "'x' is not a square"),
        ("stop it", "that move is written 'stop'"),
        ("end now", "that move is written 'end'"),
        ("end" + " " * 200, "a move of 203 characters is too long"),
        ("x" * 100, "no move starts with"),
    ],
)
def test_bad_text_is_told_what_would_be_right(text, says):
    with pytest.raises(NotationError) as caught:
        read_move(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


words = st.sampled_from(
    (
        *("use", "lose", "pass", "clear", "guest", "steal", "reactivate", "place", "take"),
        *("choose", "shift", "stop", "end", "1", "2", "b2", "row", "column", "king", "wood", "?"),
    )
)


@given(st.lists(words | st.text(max_size=6), max_size=5))
def test_hostile_text_is_a_move_or_a_notation_error(parts):
    text = " ".join(parts)
    try:
        move = read_move(text)
    except NotationError:
        return
    assert read_move(str(move)) == move
