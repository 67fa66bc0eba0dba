"""The contract suite over our own games, and wrong ways to load them."""

from __future__ import annotations

import pytest

import castlelab
from castlelab.rules import CastlelabError
from castlelab.testing import GameContract, GoldenContract


class TestCastell(GameContract, GoldenContract):
    game = "castell"
    some = {"first": ("drawn", "gold")}
    hidden = {}


class TestCastleKeep(GameContract, GoldenContract):
    game = "castle_keep"
    hidden = {"hands": "tile", "discards": "tile", "won": "tile"}
    piles = {"pile": "tile"}


class TestCastleRampage(GameContract, GoldenContract):
    game = "castle_rampage"
    hidden = {
        "sides.hand": "card",
        "sides.gate.cards": "card",
        "sides.castle.cards": "card",
        "sides.permanents": "card",
        "sides.dealt": "card",
        "discards": "card",
    }
    piles = {"pile": "card"}


class TestCastleScape(GameContract, GoldenContract):
    game = "castlescape"
    some = {"side": (7, 13)}
    hidden = {
        "stalls": "card",
        "guilds.hand": "card",
        "guilds.discards": "card",
        "guilds.alley": "card",
        "guilds.dealt": "contract",
        "guilds.contracts": "contract",
    }
    piles = {"rotating": "card", "guilds.deck": "card", "contracts": "contract"}


class TestOnceUponACastle(GameContract, GoldenContract):
    game = "once_upon_a_castle"
    hidden = {}


def test_every_game_of_ours_is_looked_at():
    looked_at = {suite.game for suite in GameContract.__subclasses__()}
    assert set(castlelab.game._OUR_GAMES) <= looked_at


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: castlelab.load("chess"), "there is no game 'chess'"),
        (lambda: castlelab.load("castell", players=5), "2 to 4 players, not 5"),
        (lambda: castlelab.load("castell", players=True), "not True"),
        (lambda: castlelab.load("castell", variant="hard"), "'standard', 'advanced'"),
        (lambda: castlelab.load("castell", way="king"), "has no option 'way'"),
        (lambda: castlelab.load("castell").start(seed=1.5), "a seed is a whole number"),
    ],
)
def test_wrong_ways_to_load_a_game(call, says):
    with pytest.raises(CastlelabError, match=says):
        call()
