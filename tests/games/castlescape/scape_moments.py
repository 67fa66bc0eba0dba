"""Moments of CastleScape for tests: a table where everything not said is plain and empty."""

from dataclasses import replace

import castlelab
from castlelab.chance import Chance
from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.guild import Guild, TurnGains

GAME = castlelab.load("castlescape", side=7)
BOX = GAME.box

#: A ring round c3 that lacks d4, and one round c3 and d3 that lacks e4.
ONE = "......./.###.../.#.#.../.##..../......./......./......."
TWO = "......./.####../.#..#../.###.../......./......./......."


def places(names):
    """Cards by their names: "Ramparts, Market Stall"."""
    return tuple(BOX.places[name.strip()] for name in names.split(",")) if names else ()


def names(cards):
    return [BOX.cards[card].name for card in cards]


def guild(hand="", deck="", discards="", alley="", played="", contracts=(), **levels):
    """A guild that owns what it is given, and nothing else."""
    held = [*map(places, (hand, deck, discards, alley))]
    owned = tuple(sorted(sum((*held, places(played)), ())))
    return Guild(
        deck=held[1],
        hand=tuple(sorted(held[0])),
        owned=owned,
        discards=held[2],
        alley=held[3],
        contracts=tuple(sorted(BOX.contract_places[name] for name in contracts)),
        **levels,
    )


def table(hand="", board=None, me=None, others=None, turn=None, game=GAME, **changes):
    """Seat 0's turn with this hand; what is not said is something plain."""
    mine = me or guild(hand, deck="Market Stall, Market Stall, Market Stall")
    rivals = others or [guild(deck="Market Stall, Market Stall") for _ in range(game.players - 1)]
    site = Board.parse(board) if isinstance(board, str) else board or Board.start(game.side)
    changes.setdefault("round", 3)
    changes.setdefault("goals", ())
    start = game.start(1)
    return replace(
        start,
        board=site,
        enclosed=site.enclosed(),
        guilds=(mine, *rivals),
        turn=turn or TurnGains(),
        starter=changes.pop("starter", 0),
        active=0,
        chance=Chance.seeded(5),
        contracts=changes.pop("contracts", start.contracts),
        **changes,
    )


def play(state, *moves):
    for move in moves:
        state = state.play(state.game.move(move))
    return state


def broken(state, move):
    """The rules that a move would break."""
    return state.check(state.game.move(move)).rules


def says(state, move):
    return str(state.check(state.game.move(move)))


def listed(state, start=""):
    return [str(move) for move in state.moves() if str(move).startswith(start)]
