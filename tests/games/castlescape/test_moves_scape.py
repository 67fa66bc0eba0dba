"""The notation of CastleScape: every move both ways, every mistake in a clear sentence."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.games.castlescape import moves
from castlelab.games.castlescape.box import house_box
from castlelab.games.castlescape.moves import (
    END_TURN,
    PAY,
    Acquire,
    Buy,
    ClaimGoal,
    Destroy,
    Discard,
    Dismiss,
    Keep,
    MoveRecruit,
    Oust,
    Play,
    Recall,
    Recruit,
    Shift,
    Wall,
    read_move,
)
from castlelab.rules import NotationError

BOX = house_box()

MOVES = {
    "keep Wall Guard": Keep("Wall Guard"),
    "play Market Stall": Play("Market Stall"),
    "play Stone Barge 2": Play("Stone Barge", 2),
    "wall d4": Wall("d4"),
    "recruit m13": Recruit("m13"),
    "move d4 e4": MoveRecruit("d4", "e4"),
    "oust e4": Oust("e4"),
    "recall d4": Recall("d4"),
    "buy Craftsman's Shop": Buy("Craftsman's Shop"),
    "acquire Ramparts": Acquire("Ramparts"),
    "destroy hand Clumsy Thief": Destroy("hand", "Clumsy Thief"),
    "destroy discards Market Stall": Destroy("discards", "Market Stall"),
    "shift Clumsy Thief": Shift("Clumsy Thief"),
    "claim Great Court": ClaimGoal("Great Court"),
    "dismiss a1": Dismiss("a1"),
    "discard Market Stall": Discard("Market Stall"),
    "pay": PAY,
    "end": END_TURN,
}


@pytest.mark.parametrize("text", MOVES)
def test_every_move_reads_and_writes(text):
    move = MOVES[text]
    assert read_move(text, BOX, 13) == move
    assert read_move(f"  {text.upper()} ", BOX, 13) == move
    assert str(move) == text
    assert move.kind == text.split()[0]


def test_the_table_of_moves_is_complete():
    kinds = {text.split()[0] for text in MOVES}
    assert kinds == set(moves._READERS)
    for kind in kinds:
        assert f"``{kind}" in moves.__doc__
        example = moves._READERS[kind].example
        assert str(read_move(example, BOX, 13)) == example


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "write a move, such as 'play Market Stall'"),
        ("wal d4", "no move starts with 'wal'; did you mean wall"),
        ("dance", "no move starts with 'dance'"),
        ("wall", "after 'wall' comes a square, not nothing; write 'wall d4'"),
        ("wall d4 d5", "after 'wall' comes a square, not 'd4 d5'"),
        ("wall n1", "'n1' is off the site; the squares are a1 to m13"),
        ("wall d14", "'d14' is off the site"),
        ("wall d0", "'d0' is not a square"),
        ("wall 4d", "'4d' is not a square"),
        ("move d4", "after 'move' comes 2 squares, not 'd4'"),
        ("play", "which card. Write it: 'play Market Stall'"),
        ("play 2", "which card"),
        ("play Rampart", "no card is called 'Rampart'; did you mean Ramparts"),
        ("play Ramparts 1", "Ramparts has no OR to choose from; there is no '1'"),
        ("play Stone Barge 3", "Stone Barge has 2 sides; there is no '3'"),
        ("play Stone Barge 12", "Stone Barge has 2 sides; there is no '12'"),
        ("destroy Clumsy Thief", "after 'destroy' comes hand or discards, not 'Clumsy'"),
        ("destroy", "comes hand or discards, not nothing"),
        ("destroy hand", "which card"),
        ("keep", "which contract"),
        ("keep Great Court", "no contract is called 'Great Court'"),
        ("claim", "which goal"),
        ("claim Wall Guard", "no goal is called 'Wall Guard'"),
        ("end now", "nothing follows 'end', but there is 'now'"),
        ("pay 3", "nothing follows 'pay'"),
        ("wall " + "d" * 2000, "too long to be real"),
    ],
)
def test_mistakes_are_told(text, says):
    with pytest.raises(NotationError, match=says):
        read_move(text, BOX, 13)


@given(
    st.sampled_from([*moves._READERS, ""]),
    st.lists(st.sampled_from(["hand", "Ramparts", "d4", "1", "²", "Stone Barge", "\x00"])),
)
def test_nothing_but_our_own_error_comes_out(word, rest):
    with suppress(NotationError):
        move = read_move(" ".join([word, *rest]), BOX, 7)
        assert read_move(str(move), BOX, 7) == move
