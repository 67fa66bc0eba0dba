"""Boards for a notebook: the only room of castlelab that knows of Jupyter."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from castlelab.needs import need

need("a board in a notebook", "anywidget", "ipycanvas", "ipywidgets", "numpy")

from castlelab.widgets.board import Board
from castlelab.widgets.game_room import GameRoom
from castlelab.widgets.game_table import GameTable
from castlelab.widgets.guess_card import ChoiceCard, GuessCard
from castlelab.widgets.keeper import Keeper
from castlelab.widgets.lab import live_picture, live_plot, show_pictures
from castlelab.widgets.progress_panel import ProgressPanel
from castlelab.widgets.puzzle_card import PuzzleCard, PuzzleLadder
from castlelab.widgets.puzzle_page import PuzzlePage
from castlelab.widgets.rule_card import show_games, show_rules

if TYPE_CHECKING:
    from castlelab.widgets.attack_stage import AttackStage
    from castlelab.widgets.castle_editor import CastleEditor
    from castlelab.widgets.castle_sheet import RollAndDraw
    from castlelab.widgets.class_view import ClassView
    from castlelab.widgets.guest_gallery import GuestGallery
    from castlelab.widgets.site_editor import SiteEditor
    from castlelab.widgets.spot_editor import SpotEditor
    from castlelab.widgets.stack_editor import StackEditor
    from castlelab.widgets.token_editor import TokenEditor
    from castlelab.widgets.tower_editor import TowerEditor
    from castlelab.widgets.turn_editor import TurnEditor
    from castlelab.widgets.worksheet_maker import WorksheetMaker

__all__ = [
    "AttackStage",
    "Board",
    "CastleEditor",
    "ChoiceCard",
    "ClassView",
    "GameRoom",
    "GameTable",
    "GuessCard",
    "GuestGallery",
    "Keeper",
    "ProgressPanel",
    "PuzzleCard",
    "PuzzleLadder",
    "PuzzlePage",
    "RollAndDraw",
    "SiteEditor",
    "SpotEditor",
    "StackEditor",
    "TokenEditor",
    "TowerEditor",
    "TurnEditor",
    "WorksheetMaker",
    "live_picture",
    "live_plot",
    "show_games",
    "show_pictures",
    "show_rules",
]

# These belong to the pages of one game or to the classroom, and the others need not load them.
_OF_ONE_PAGE = {
    "AttackStage": "attack_stage",
    "CastleEditor": "castle_editor",
    "ClassView": "class_view",
    "SiteEditor": "site_editor",
    "SpotEditor": "spot_editor",
    "StackEditor": "stack_editor",
    "TowerEditor": "tower_editor",
    "TurnEditor": "turn_editor",
    "GuestGallery": "guest_gallery",
    "RollAndDraw": "castle_sheet",
    "TokenEditor": "token_editor",
    "WorksheetMaker": "worksheet_maker",
}


def __getattr__(name: str) -> Any:
    if name in _OF_ONE_PAGE:
        return getattr(import_module(f"castlelab.widgets.{_OF_ONE_PAGE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
