"""Random play, time for a move, side by side with engines of other games.

python-chess and catanatron are of our own class: pure Python, games as large as ours. OpenSpiel,
PettingZoo and RLCard play other games, most of them much smaller: tic-tac-toe has nine squares.
What is compared is what a step of random play costs in each system: list the legal moves, draw
one, make it. All games take turns; the least of the rounds is told, in processor time. A peer that
is not installed is left out.
"""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec

import castlelab
from benchmarks.rounds import in_turns
from benchmarks.table import Row, show
from castlelab.bots import Random, play_out
from castlelab.chance import Chance

OURS, PEER = 0.5, 0.15  # seconds of each turn
USUAL = 2  # players; with so many, every peer is a peer
CHESS = "python-chess"
SMALL = "OpenSpiel, Python, tic-tac-toe (a small game)"
MAIN_PEERS = (CHESS, SMALL)  # at every number of players
COMPARED = (
    "Random play: to list the legal moves, to draw one and to make it. python-chess and catanatron "
    "are pure Python and of our size; games of another size and engines in C++ are marked."
)

Play = Callable[[], int]  # a whole game; returns its number of moves


def castlelab_game(name: str, players: int) -> Play:
    """A random game of ours, never the same one twice."""
    game = castlelab.load(name, players=players)
    bots = (Random(),) * players
    seeds = iter(range(10**9))

    def play() -> int:
        seed = next(seeds)
        return len(play_out(game.start(seed), bots, Chance.seeded(seed))[1])

    return play


# --- the peers ---


def chess_game(_: str, rng: random.Random) -> Play:
    """Until mate, stalemate, too few pieces, or 75 moves without progress."""
    import chess

    def play() -> int:
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        return board.ply()

    return play


def catan_game(_: str, rng: random.Random) -> Play:
    """Two players who draw from the actions that the game hands to them."""
    from catanatron import Color, Game, RandomPlayer

    def play() -> int:
        game = Game([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)], seed=rng.random())
        game.play()
        return len(game.state.actions)

    return play


def open_spiel_game(name: str, rng: random.Random) -> Play:
    """Rolls of dice are drawn, but do not count as moves."""
    import open_spiel.python.games  # noqa: F401  (registers the games written in Python)
    import pyspiel

    game = pyspiel.load_game(name)

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            moves += not state.is_chance_node()
            state.apply_action(rng.choice(state.legal_actions()))
        return moves

    return play


def petting_zoo_game(name: str, rng: random.Random) -> Play:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would rather have another way of making games
        env = import_module(f"pettingzoo.classic.{name}").env()

    def play() -> int:
        env.reset()
        moves = 0
        for _ in env.agent_iter():
            seen, _, ended, stopped, _ = env.last()
            if ended or stopped:
                env.step(None)
            else:
                env.step(rng.choice(seen["action_mask"].nonzero()[0]))
                moves += 1
        return moves

    return play


def rl_card_game(name: str, rng: random.Random) -> Play:
    import rlcard

    env = rlcard.make(name)

    def play() -> int:
        state, _ = env.reset()
        moves = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            moves += 1
        return moves

    return play


#: What it is called → the package it needs, who makes a game of it, and under which name.
PEERS: dict[str, tuple[str, Callable[[str, random.Random], Play], str]] = {
    CHESS: ("chess", chess_game, ""),
    "catanatron": ("catanatron", catan_game, ""),
    SMALL: ("pyspiel", open_spiel_game, "python_tic_tac_toe"),
    "OpenSpiel, C++, tic-tac-toe (small)": ("pyspiel", open_spiel_game, "tic_tac_toe"),
    "OpenSpiel, C++, backgammon": ("pyspiel", open_spiel_game, "backgammon"),
    "PettingZoo, tic-tac-toe (small)": ("pettingzoo", petting_zoo_game, "tictactoe_v3"),
    "PettingZoo, connect four (small)": ("pettingzoo", petting_zoo_game, "connect_four_v3"),
    "RLCard, Leduc hold'em (small)": ("rlcard", rl_card_game, "leduc-holdem"),
    "RLCard, Uno": ("rlcard", rl_card_game, "uno"),
}


def peers() -> dict[str, Play]:
    """The peers that are there."""
    return {
        called: make(name, random.Random(1))
        for called, (package, make, name) in PEERS.items()
        if find_spec(package)
    }


# --- the table ---


def time_of_a_move(play: Play, seconds: float) -> float:
    moves, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        moves += play()
    return spent / moves


def rows_of(name: str, players: int, theirs: dict[str, Play]) -> Iterator[Row]:
    """One of our games beside these peers."""
    ours = castlelab_game(name, players)
    time_of_a_move(ours, OURS)  # both have met their own caches before it counts
    works = [partial(time_of_a_move, ours, OURS)]
    works += [partial(time_of_a_move, play, PEER) for play in theirs.values()]
    mine, *others = in_turns(works)
    for peer, its in zip(theirs, others, strict=True):
        note = f"a move; {1 / mine.least:,.0f} against {1 / its.least:,.0f} a second"
        yield Row.of(f"random {name}, {players} players", mine, its, note, peer, COMPARED)


def rows() -> Iterator[Row]:
    everybody = peers()
    main = {name: play for name, play in everybody.items() if name in MAIN_PEERS}
    for name in castlelab.GAMES:
        for players in castlelab.game.game_class(name).seats_for():
            yield from rows_of(name, players, everybody if players == USUAL else main)


if __name__ == "__main__":
    show(rows())
