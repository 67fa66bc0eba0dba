"""castlelab: learn castle games by building them, breaking them and counting them.

>>> import castlelab
>>> game = castlelab.load("castell", players=2)
>>> state = game.start(seed=7)
>>> state.to_move
0
"""

from typing import TYPE_CHECKING

from castlelab.game import GAMES, Game, Move, State, load
from castlelab.puzzles import Puzzle, puzzle
from castlelab.record import Record
from castlelab.rules import Breach, CastlelabError, IllegalMove, NotationError, Rule, Verdict
from castlelab.system.facade import facade

if TYPE_CHECKING:
    from castlelab import bots, classroom, games, puzzles, study, widgets

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
    "bots",
    "classroom",
    "games",
    "load",
    "puzzle",
    "puzzles",
    "study",
    "widgets",
]

# The rooms of the house, opened when somebody enters.
__getattr__, __dir__ = facade(
    __name__,
    bots="castlelab.bots",
    classroom="castlelab.classroom",
    games="castlelab.games",
    puzzles="castlelab.puzzles",
    study="castlelab.study",
    testing="castlelab.testing",  # not promised: only who tests a game has what it needs
    widgets="castlelab.widgets",
)
