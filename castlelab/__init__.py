"""castlelab: learn castle games by building them, breaking them and counting them.

>>> import castlelab
>>> game = castlelab.load("castell", players=2)
>>> state = game.start(seed=7)
>>> state.to_move
0
"""

from castlelab.game import GAMES, Game, Move, State, load
from castlelab.puzzles import Puzzle, puzzle
from castlelab.record import Record
from castlelab.rules import Breach, CastlelabError, IllegalMove, NotationError, Rule, Verdict

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Breach",
    "CastlelabError",
    "Game",
    "IllegalMove",
    "Move",
    "NotationError",
    "Puzzle",
    "Record",
    "Rule",
    "State",
    "Verdict",
    "load",
    "puzzle",
]
