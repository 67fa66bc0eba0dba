"""The notation of Castle Rampage: both ways, and what is said about bad text."""

import time
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import castlelab
from castlelab.chance import Chance
from castlelab.games.castle_rampage.moves import (
    Choose,
    EndTurn,
    Place,
    Play,
    Strengthen,
    read_move,
)
from castlelab.record import Record
from castlelab.rules import CastlelabError, NotationError

GAME = castlelab.load("castle_rampage")
BOX = GAME.box
NAMES = [card.name for card in BOX.cards]

stacks = st.sampled_from(("gate", "castle"))
cards = st.sampled_from(NAMES)
paid = st.lists(cards, max_size=4).map(lambda found: tuple(sorted(found, key=NAMES.index)))
moves = st.one_of(
    st.builds(Place, stack=stacks, card=cards),
    st.builds(Strengthen, stack=stacks, card=cards, paid=paid),
    st.builds(Play, card=cards, paid=paid),
    (stacks | cards).map(Choose),
    st.just(EndTurn()),
)


@given(moves)
def test_every_move_reads_back_from_its_text(move):
    assert read_move(str(move), BOX) == move
    assert hash(read_move(str(move), BOX)) == hash(move)


@given(moves)
def test_letters_and_spaces_do_not_matter(move):
    loud = "  " + str(move).upper().replace(" ", "   ") + "\t"
    assert read_move(loud, BOX) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("place gate axe man", Place("gate", "Axe man")),
        ("strengthen castle Ogre for spy,Knight", Strengthen("castle", "Ogre", ("Knight", "Spy"))),
        ("play Arrow storm for archer, knight", Play("Arrow storm", ("Knight", "Archer"))),
        ("choose CASTLE", Choose("castle")),
        ("end", EndTurn()),
    ],
)
def test_moves_as_a_person_writes_them(text, move):
    assert GAME.move(text) == move


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "write a move"),
        (None, "write a move"),
        (7, "write a move"),
        ("attack Knight", "no move starts with 'attack'"),
        ("strengten gate Knight", "did you mean strengthen"),
        ("play", "which card"),
        ("play Knigth", "did you mean Knight"),
        ("play qqqqqq", "the cards are Knight"),
        ("place Knight", "comes gate or castle, not 'Knight'"),
        ("place", "not nothing"),
        ("play Dragon for", "cards with commas"),
        ("play Dragon for Knight,, Archer", "cards with commas"),
        ("play Dragon for Knight Archer", "no card is called"),
        ("play for Knight", "which card"),
        ("choose", "which card"),
        ("end now", "nothing follows 'end'"),
        ("play " + "x" * 2_000, "too long"),
    ],
)
def test_bad_text_says_what_would_be_right(text, says):
    with pytest.raises(NotationError, match=says):
        GAME.move(text)


@given(st.text(max_size=300) | st.text("plyfor, KnightgatE", max_size=900))
def test_any_text_is_answered_within_a_second(text):
    start = time.perf_counter()
    with suppress(NotationError):
        GAME.move(text)
    assert time.perf_counter() - start < 1


def test_a_move_of_another_game_is_no_move_here():
    state = GAME.start(1)
    with pytest.raises(CastlelabError, match="is not a move of Castle Rampage"):
        state.check(castlelab.load("castell").move("move Valls"))


def test_play_payments_have_one_order_whoever_writes_them():
    """castle_rampage/play"""
    one, other = Play("Dragon", ("Priest", "Archer")), Play("Dragon", ("Archer", "Priest"))
    assert one == other
    assert str(one) == str(other) == "play Dragon for Archer, Priest"
    ogre = Strengthen("castle", "Ogre", ("Spy", "Knight"))
    assert ogre == Strengthen("castle", "Ogre", ("Knight", "Spy"))


def test_a_record_replays_a_payment_to_the_same_state():
    """castle_rampage/play"""
    record = Record.start(GAME, 5)
    chance = Chance.seeded(5)
    swapped = 0
    while not record.state.over:
        move, chance = chance.choice(record.state.moves())
        if isinstance(move, Play | Strengthen) and len(set(move.paid)) > 1:
            move, swapped = replace(move, paid=move.paid[::-1]), swapped + 1
        record = record.play(move)
    assert swapped
    again = Record.loads(record.dumps())
    assert again == record
    assert again.states == record.states
