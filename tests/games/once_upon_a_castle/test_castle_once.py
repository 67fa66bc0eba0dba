"""A drawn castle as text, and how it grows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from once_moments import GUESTS, castle_with

from castlelab.games.once_upon_a_castle import Castle, Gift, Guest
from castlelab.rules import NotationError

visitors = st.integers(0, 20).map(lambda points: Guest("visitor", points))
castles = st.builds(
    Castle,
    floors=st.integers(0, 4),
    towers=st.lists(st.integers(1, 9), max_size=4).map(tuple),
    walls=st.integers(0, 4),
    flags=st.lists(st.integers(1, 9), max_size=6).map(tuple),
    residents=st.integers(0, 60),
    guests=st.lists(visitors | st.sampled_from(list(GUESTS.values())), max_size=6).map(tuple),
    sun=st.booleans(),
    cloud=st.booleans(),
    small_clouds=st.integers(0, 9),
)


@given(castles)
def test_a_castle_reads_back_from_its_text(castle):
    assert Castle.parse(str(castle)) == castle
    assert Castle.parse(str(castle).upper().replace(";", " ;\n")) == castle


def test_what_is_not_named_is_not_there():
    assert Castle.parse("") == Castle()
    assert Castle.parse("walls 2; guests queen 3") == Castle(
        walls=2, guests=(GUESTS["queen"], Guest("visitor", 3))
    )
    assert str(Castle()) == "floors 0; towers none; walls 0; flags none; residents 0"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "a castle is a short text"),
        ("x" * 600, "a castle is a short text"),
        ("moat 1", "'moat 1' is no part of a castle"),
        ("floors", "floors is a number from 0 to 4"),
        ("floors 5", "floors is a number from 0 to 4"),
        ("floors two", "floors is a number"),
        ("floors ²", "floors is a number"),
        ("walls 1 2", "walls is a number"),
        ("towers", "towers are up to 4 values"),
        ("towers 5 5 5 5 5", "towers are up to 4 values"),
        ("towers 0", "towers are up to 4 values from 1 to 9"),
        ("flags 1 x", "flags are up to 6 values"),
        ("sun 2", "'sun 2' is no part"),
        ("walls 1; walls 2", "'walls' is written twice"),
        ("guests", "'guests' is no part"),
        ("guests nobody", "there is no guest 'nobody'; the guests are architect"),
        ("guests 21", "there is no guest '21'"),
    ],
)
def test_bad_text_is_no_castle(text, says):
    with pytest.raises(NotationError) as caught:
        Castle.parse(text)
    assert says in str(caught.value)


@given(
    st.text(max_size=50)
    | st.lists(st.sampled_from(["floors", "4", ";", "sun", "none", "guests", "-1", "9"])).map(
        " ".join
    )
)
def test_no_text_crashes_the_parser(text):
    try:
        castle = Castle.parse(text)
    except NotationError:
        return
    assert Castle.parse(str(castle)) == castle


def test_what_a_gift_would_draw():
    castle = Castle(floors=4, towers=(2,) * 4, walls=1)
    assert not castle.can_draw(Gift(floor=True), 30)
    assert not castle.can_draw(Gift(tower=5), 30)
    assert castle.can_draw(Gift(wall=True), 30)
    assert castle.can_draw(Gift(flag=1), 30)
    assert not castle.can_draw(Gift(residents=3, steal=True, reactivate=True), 30)
    assert not Castle().can_draw(Gift(flag=1), 30)


def test_wall_o12_its_residents_are_drawn_with_four_walls_as_far_as_the_track_goes():
    """once_upon_a_castle/wall"""
    line = Gift(wall=True, residents=3)
    assert Castle(walls=4, residents=29).can_draw(line, 30)
    assert not Castle(walls=4, residents=30).can_draw(line, 30)
    assert not Castle(walls=4).can_draw(Gift(wall=True), 30)


def test_a_castle_shows_itself_in_a_notebook():
    assert castle_with("king", floors=1)._repr_svg_().startswith("<svg")


def test_a_castle_in_words():
    castle = Castle(1, (5,), 1, (2,), 1, (), True, True, 2)
    assert castle.words == (
        "1 floor, 1 tower (5), 1 wall, 1 flag (2), 1 resident, the sun, the cloud, 2 small clouds"
    )
