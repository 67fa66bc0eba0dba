"""CastleScape: walls, baileys, a deck of cards and the King's inspections."""

from typing import TYPE_CHECKING

from castlelab.games.castlescape.board import Bailey, Board, read_square, square_name
from castlelab.games.castlescape.box import card
from castlelab.games.castlescape.card import Card, Effect
from castlelab.games.castlescape.count import (
    best_rectangle,
    can_be_walled,
    census,
    count_baileys,
    example,
    fewest_by_search,
    fewest_walls,
    largest_bailey,
    walls_round,
)
from castlelab.games.castlescape.quests import Quest
from castlelab.system.facade import facade

if TYPE_CHECKING:
    from castlelab.games.castlescape.puzzle_forms import puzzle

__all__ = [
    "Bailey",
    "Board",
    "Card",
    "Effect",
    "Quest",
    "best_rectangle",
    "can_be_walled",
    "card",
    "census",
    "count_baileys",
    "example",
    "fewest_by_search",
    "fewest_walls",
    "largest_bailey",
    "puzzle",
    "read_square",
    "square_name",
    "walls_round",
]

# Puzzles show things, and who only counts loads no drawing.
__getattr__, __dir__ = facade(__name__, puzzle=f"{__name__}.puzzle_forms:puzzle")
