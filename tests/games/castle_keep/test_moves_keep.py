"""The notation of moves and spots: both ways, and what is said about bad text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import castlelab
from castlelab.games.castle_keep.castle import SPOTS, TILES, Tile
from castlelab.games.castle_keep.moves import (
    Attack,
    Build,
    Discard,
    DrawTile,
    End,
    Exchange,
    Fall,
    Spot,
    TurnUp,
    read_move,
    read_spot,
)
from castlelab.rules import NotationError

tiles = st.sampled_from(TILES)
spots = st.builds(
    Spot,
    st.sampled_from(SPOTS),
    st.none() | st.integers(0, 3),
    st.sampled_from(("", "a", "b")),
)
moves = st.one_of(
    st.builds(DrawTile, st.booleans()),
    st.builds(Build, tiles, spots, st.booleans()),
    st.builds(Attack, tiles, spots),
    # Both orders mean the same, and the first castle is written first.
    st.tuples(spots, spots).map(lambda two: Exchange(*sorted(two, key=lambda s: s.wing))),
    st.just(End()),
    st.builds(Discard, tiles),
    st.just(TurnUp()),
    st.builds(Fall, spots),
)


@given(moves)
def test_every_move_reads_back_from_its_text(move):
    assert read_move(str(move)) == move
    assert hash(read_move(str(move))) == hash(move)
    assert castlelab.load("castle_keep").move(str(move)) == move


@given(moves)
def test_letters_and_spaces_do_not_matter(move):
    assert read_move("  " + str(move).upper().replace(" ", " \t ") + "\n") == move
    assert read_move(str(move).lower()) == move


@given(spots)
def test_every_spot_reads_back(spot):
    assert read_spot(str(spot)) == read_spot(str(spot).upper()) == spot


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("draw pile", DrawTile()),
        ("draw discard", DrawTile(discard=True)),
        ("build TRC ne", Build(Tile("TRC"), Spot("ne"))),
        ("build TRC 1.ne", Build(Tile("TRC"), Spot("ne", 0))),
        ("rebuild TRC ne", Build(Tile("TRC"), Spot("ne"), won=True)),
        ("attack WRZ 2.n", Attack(Tile("WRZ"), Spot("n", 1))),
        ("attack KR 4.c", Attack(Tile("KR"), Spot("c", 3))),
        ("attack WRZ 2b.n", Attack(Tile("WRZ"), Spot("n", 1, "b"))),
        ("exchange a.n b.s", Exchange(Spot("n", None, "a"), Spot("s", None, "b"))),
        ("exchange b.s a.n", Exchange(Spot("n", None, "a"), Spot("s", None, "b"))),
        ("end", End()),
        ("pass", End()),
        ("discard TRC", Discard(Tile("TRC"))),
        ("turn", TurnUp()),
        ("fall n", Fall(Spot("n"))),
    ],
)
def test_the_table_of_the_notation(text, move):
    assert read_move(text) == move


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "write a move, such as 'build TRC ne'"),
        (" \n ", "write a move"),
        (None, "write a move"),
        (7, "write a move"),
        (b"end", "write a move"),
        ("jump", "no move starts with 'jump'; a move looks like"),
        ("biuld TRC n", "did you mean build?"),
        ("draw", "that move is written 'draw pile'"),
        ("draw pile pile", "that move is written 'draw pile'"),
        ("draw hand", "draw from 'pile' or 'discard', not from 'hand'"),
        ("build", "that move is written 'build TRC ne'"),
        ("build TRC", "that move is written 'build TRC ne'"),
        ("build ne TRC", "'ne' is not a tile"),
        ("build TRC ne now", "that move is written 'build TRC ne'"),
        ("build KRC c", "'KRC' is not a tile"),
        ("build ?? n", "'??' is not a tile"),
        ("build TRC north", "'north' is not a spot"),
        ("build TRC xx", "'xx' is not a spot; the spots are nw, n"),
        ("build TRC .n", "'.n' is not a spot"),
        ("build TRC 2n", "'2n' is not a spot"),
        ("build TRC 5.n", "'5.n' is not a spot"),
        ("build TRC 0.n", "'0.n' is not a spot"),
        ("build TRC ٢.n", "is not a spot"),
        ("build TRC 2c.n", "'2c.n' is not a spot"),
        ("build TRC a2.n", "'a2.n' is not a spot"),
        ("build TRC 2..n", "'2..n' is not a spot"),
        ("rebuild TRC", "that move is written 'rebuild TRC ne'"),
        ("attack 2.n", "that move is written 'attack WRZ 2.n'"),
        ("exchange a.n", "that move is written 'exchange a.n b.s'"),
        ("end now", "that move is written 'end'"),
        ("pass now", "that move is written 'end'"),
        ("discard", "that move is written 'discard TRC'"),
        ("discard TRC WRC", "that move is written 'discard TRC'"),
        ("turn up", "that move is written 'turn'"),
        ("fall", "that move is written 'fall n'"),
        ("end" + " " * 200, "a move of 203 characters is too long"),
        ("build " + "x" * 90, "that move is written"),
        ("x" * 100, "no move starts with"),
    ],
)
def test_bad_text_is_told_what_would_be_right(text, says):
    with pytest.raises(NotationError) as caught:
        read_move(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["", " ", "n ", "..n", "2.", "north", None, 7, b"n", ["n"]])
def test_other_things_are_no_spots(text):
    with pytest.raises(NotationError, match="is not a spot"):
        read_spot(text)


words = st.sampled_from(
    (
        *("draw", "build", "rebuild", "attack", "exchange", "end", "pass", "discard", "turn"),
        *("fall", "pile", "TRC", "KR", "??", "--", "n", "2.n", "2b.n", "a.c", "5.n", ".", "c.c"),
    )
)


def tried(read, text):
    """What a reader makes of a text: what it means, or None and what is said instead."""
    try:
        return read(text), ""
    except NotationError as error:
        return None, str(error)


@given(st.lists(words | st.text(max_size=6), max_size=5))
def test_no_words_crash_the_notation(said):
    move, problem = tried(read_move, " ".join(said))
    assert "\n" not in problem
    assert len(problem) < 300
    assert bool(problem) == (move is None)
    if move is not None:
        assert read_move(str(move)) == move


@given(st.text(max_size=20) | st.text("1234ab.nsewc", max_size=6))
def test_no_text_crashes_the_reader_of_spots(text):
    spot, problem = tried(read_spot, text)
    assert "\n" not in problem
    assert len(problem) < 300
    assert bool(problem) == (spot is None)
    if spot is not None:
        assert spot.spot in SPOTS
        assert spot.owner in (None, 0, 1, 2, 3)
        assert spot.wing in ("", "a", "b")
        assert read_spot(str(spot)) == spot
