"""The notation of moves: both ways, and what is said about bad text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import castlelab
from castlelab.games.castell import Tower
from castlelab.games.castell.moves import (
    EndTurn,
    Enter,
    Go,
    Perform,
    Recruit,
    Special,
    StayOut,
    Train,
    read_move,
)
from castlelab.games.castell.tower import SKILLS, Level
from castlelab.rules import NotationError

GAME = castlelab.load("castell")
REGIONS = GAME.box.regions

sizes = st.integers(1, 10)
towers = st.lists(
    st.lists(sizes, min_size=1, max_size=5).map(Level.of), min_size=1, max_size=6
).map(Tower.of)
goes = st.sampled_from(REGIONS).map(Go)
tiles = st.sampled_from(GAME.box.performances).map(str)
deeds = (
    goes | sizes.map(lambda size: Recruit((size,))) | st.builds(Perform, tile=tiles, tower=towers)
)
moves = st.one_of(
    goes,
    st.lists(sizes, min_size=1, max_size=2).map(lambda s: Recruit(tuple(sorted(s, reverse=True)))),
    st.builds(Train, skill=st.sampled_from(SKILLS), practice=st.booleans()),
    st.builds(Special, deed=deeds, trained=st.booleans()),
    st.just(EndTurn()),
    st.builds(Enter, tower=towers),
    st.just(StayOut()),
)


@given(moves)
def test_every_move_reads_back_from_its_text(move):
    assert read_move(str(move), REGIONS) == move
    assert hash(read_move(str(move), REGIONS)) == hash(move)


@given(moves)
def test_letters_and_spaces_do_not_matter(move):
    loud = "  " + str(move).upper().replace(" ", "   ") + "\t"
    assert read_move(loud, REGIONS) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("move Valls", Go("Valls")),
        ("move mataró", Go("Mataró")),
        ("recruit 9", Recruit((9,))),
        ("recruit 8 9", Recruit((9, 8))),  # the larger first
        ("recruit 09", Recruit((9,))),
        ("train balance", Train("balance")),
        ("train practice balance", Train("balance", practice=True)),
        ("special recruit 9", Special(Recruit((9,)))),
        ("special move Valls", Special(Go("Valls"))),
        ("train special recruit 9", Special(Recruit((9,)), trained=True)),
        ("special perform 3-2-1 9*3 8*2 7", Special(Perform("3-2-1", Tower("9*3 8*2 7")))),
        ("end", EndTurn()),
        ("enter 9*3 8*2 7 6", Enter(Tower("9*3 8*2 7 6"))),
        ("stay out", StayOut()),
    ],
)
def test_the_table_of_the_notation(text, move):
    assert read_move(text, REGIONS) == move


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "write a move, such as 'move Valls'"),
        ("   ", "write a move"),
        (None, "write a move"),
        (7, "write a move"),
        ("jump", "no move starts with 'jump'"),
        ("recuit 9", "did you mean recruit?"),
        ("move", "'' is not a region"),
        ("move Paris", "'Paris' is not a region; the regions are Barcelona"),
        ("move tarragonna", "did you mean Tarragona?"),
        ("move Valls now", "is not a region"),
        ("recruit", "one or two sizes, such as 'recruit 9', not 0"),
        ("recruit 9 8 7", "not 3"),
        ("recruit 11", "'11' is not a size; sizes go from 1 to 10"),
        ("recruit 0", "sizes go from 1 to 10"),
        ("recruit -1", "sizes go from 1 to 10"),
        ("recruit ٣", "is not a size"),
        ("recruit nine", "'nine' is not a size"),
        ("train", "train what? One of balance"),
        ("train flight", "'flight' is not a skill"),
        ("train mix mix", "nothing follows 'train mix'"),
        ("train practice", "practise what?"),
        ("train practice flight", "practise what?"),
        ("train practice mix mix", "practise what?"),
        ("train special", "after 'train special' comes"),
        ("special", "after 'special' comes 'recruit 9'"),
        ("special recruit 9 8", "recruit takes one size"),
        ("special train mix", "not 'train mix'"),
        ("special perform", "perform which tile?"),
        ("special perform 3-2-1 9*", "write a size"),
        ("end now", "nothing follows 'end', but there is 'now'"),
        ("enter", "the tower is missing"),
        ("enter tower", "write a size"),
        ("stay", "write 'stay out'"),
        ("stay in", "write 'stay out'"),
        ("move " + "x" * 2_000, "too long to be real"),
    ],
)
def test_bad_text_is_told_what_would_be_right(text, says):
    with pytest.raises(NotationError) as caught:
        read_move(text, REGIONS)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@given(
    st.lists(
        st.sampled_from(
            ["move", "train", "special", "perform", "recruit", "enter", "stay", "out", "9*3", "9"]
        )
        | st.text(max_size=6),
        max_size=6,
    )
)
def test_no_words_crash_the_notation(words):
    said = ""
    try:
        assert read_move(" ".join(words), REGIONS).kind
    except NotationError as error:
        said = str(error)
    assert "\n" not in said
