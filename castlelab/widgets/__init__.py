"""Boards for a notebook: the only room of castlelab that knows of Jupyter."""

from castlelab.widgets.board import Board
from castlelab.widgets.game_table import GameTable
from castlelab.widgets.guess_card import GuessCard
from castlelab.widgets.puzzle_card import PuzzleCard, PuzzleLadder
from castlelab.widgets.rule_card import show_games, show_rules
from castlelab.widgets.tower_editor import TowerEditor

__all__ = [
    "Board",
    "GameTable",
    "GuessCard",
    "PuzzleCard",
    "PuzzleLadder",
    "TowerEditor",
    "show_games",
    "show_rules",
]
