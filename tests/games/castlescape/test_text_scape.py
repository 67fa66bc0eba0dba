"""CastleScape's table in letters: all that is needed to play, in a terminal's window."""

import pytest
from scape_moments import ONE, guild, table

import castlelab
from castlelab.chance import Chance
from castlelab.game import changed
from castlelab.games.castlescape.board import SIDES
from castlelab.games.castlescape.guild import TurnGains
from castlelab.games.castlescape.masonry import NOTHING, granted


def test_the_site_is_in_letters_with_everything_beside_it():
    """castlescape/influence"""
    hand = guild("Market Stall, Market Stall, Stone Barge", contracts=("Lookouts",), infamy=2)
    turn = TurnGains(gold=3, masonry=granted(NOTHING, 1), from_discards=1, blames=1)
    board = ONE.replace("#.#", "AbB").replace(".##....", ".###a..")
    state = table(me=hand, board=board, turn=turn, goals=(0,), round=2)
    told = state.compact()
    assert told.splitlines()[:6] == [
        "   a b c d e f g   Quarry 6/6, Inspections to come 4",
        " 1 . + + + . . .   Guild     Ren Inf Cor Rec Hand Deck Alley",
        " 2 + # # # + . .   a Blue*   0   2   0   10  3    0    0",
        " 3 + A b B + . .   b Orange  0   0   0   10  0    2    0",
        " 4 + # # # a . .   Goals: First Stones 1 (baileys 0/1)",
        " 5 . + + + . . .   Contracts: Lookouts 1 (on walls 1/3)",
    ]
    assert "To use: 3 gold, 1 wall" in told
    assert "Blue's hand: Market Stall ×2 (1 gold), Stone Barge (4 walls" in told
    assert "Discard pile: nothing" in told
    assert "5 Ramparts ×10: 3 walls" in told


def test_what_is_hidden_is_not_in_letters_either():
    """castlescape/contract"""
    state = castlelab.load("castlescape").start(3)
    state = changed(state, round=1)
    seat = state.active
    assert "5 hidden cards" not in state.view(seat).compact()
    nobody = changed(state, guilds=tuple(g.hidden(own=False, over=False) for g in state.guilds))
    assert "hand: 5 hidden cards" in nobody.compact()
    assert "Contracts" not in nobody.compact()


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("players", [2, 4])
def test_it_fits_a_terminal(players, side):
    state = castlelab.load("castlescape", players=players, side=side).start(side)
    chance = Chance.seeded(side)
    for number in range(240):
        if number % 12 == 0:
            lines = state.compact().splitlines()
            assert len(lines) <= 32
            assert max(map(len, lines)) <= 80
        if state.over:
            break
        move, chance = chance.choice(state.moves())
        state = state.after(move)
    assert state.compact()
