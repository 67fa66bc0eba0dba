"""Once Upon a Castle: roll, place, clear a line, draw."""

from typing import TYPE_CHECKING

from castlelab.games.once_upon_a_castle.board import FACES, RESOURCES, Board, Gift, Layout, Line
from castlelab.games.once_upon_a_castle.box import house_layouts
from castlelab.games.once_upon_a_castle.castle import Castle
from castlelab.games.once_upon_a_castle.count import (
    expected_rolls,
    line_chain,
    line_table,
    roll_odds,
    simulate_rolls,
)
from castlelab.games.once_upon_a_castle.guests import POWERS, Guest
from castlelab.games.once_upon_a_castle.scoring import Score, score, score_table
from castlelab.system.facade import facade

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.puzzle_forms import puzzle

__all__ = [
    "FACES",
    "POWERS",
    "RESOURCES",
    "Board",
    "Castle",
    "Gift",
    "Guest",
    "Layout",
    "Line",
    "Score",
    "expected_rolls",
    "house_layouts",
    "line_chain",
    "line_table",
    "puzzle",
    "roll_odds",
    "score",
    "score_table",
    "simulate_rolls",
]

# Puzzles show things, and who only counts loads no drawing.
__getattr__, __dir__ = facade(__name__, puzzle=f"{__name__}.puzzle_forms:puzzle")
