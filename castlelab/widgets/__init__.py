"""Boards for a notebook: the only room of castlelab that knows of Jupyter."""

from typing import TYPE_CHECKING

from castlelab.system.facade import facade
from castlelab.system.packages import need

need("a board in a notebook", "anywidget", "ipycanvas", "ipywidgets", "numpy")

from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.browser.storage import BrowserStorage
from castlelab.widgets.card.guess_card import ChoiceCard, GuessCard
from castlelab.widgets.card.progress_panel import ProgressPanel
from castlelab.widgets.card.puzzle_card import PuzzleCard, PuzzleLadder
from castlelab.widgets.card.puzzle_page import PuzzlePage
from castlelab.widgets.card.rule_card import show_games, show_rules
from castlelab.widgets.lab.figures import live_picture, live_plot, show_pictures
from castlelab.widgets.table.game_room import GameRoom
from castlelab.widgets.table.game_table import GameTable

if TYPE_CHECKING:
    from castlelab.widgets.card.question_card import QuestionCard
    from castlelab.widgets.castell.tower_editor import TowerEditor
    from castlelab.widgets.castle_keep.castle_editor import CastleEditor
    from castlelab.widgets.castle_keep.last_guard import LastGuard
    from castlelab.widgets.castle_rampage.attack_stage import AttackStage
    from castlelab.widgets.castle_rampage.stack_editor import StackEditor
    from castlelab.widgets.castle_rampage.turn_editor import TurnEditor
    from castlelab.widgets.castlescape.site_editor import SiteEditor
    from castlelab.widgets.castlescape.spot_editor import SpotEditor
    from castlelab.widgets.classroom.class_view import ClassView
    from castlelab.widgets.classroom.worksheet_maker import WorksheetMaker
    from castlelab.widgets.lab.figure_card import FigureCard
    from castlelab.widgets.lab.lab_front import LabFront
    from castlelab.widgets.once_upon_a_castle.castle_sheet import RollAndDraw
    from castlelab.widgets.once_upon_a_castle.guest_gallery import GuestGallery
    from castlelab.widgets.once_upon_a_castle.token_editor import TokenEditor

__all__ = [
    "AttackStage",
    "BoardWidget",
    "BrowserStorage",
    "CastleEditor",
    "ChoiceCard",
    "ClassView",
    "FigureCard",
    "GameRoom",
    "GameTable",
    "GuessCard",
    "GuestGallery",
    "LabFront",
    "LastGuard",
    "ProgressPanel",
    "PuzzleCard",
    "PuzzleLadder",
    "PuzzlePage",
    "QuestionCard",
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
    "AttackStage": "castle_rampage.attack_stage",
    "CastleEditor": "castle_keep.castle_editor",
    "ClassView": "classroom.class_view",
    "FigureCard": "lab.figure_card",
    "GuestGallery": "once_upon_a_castle.guest_gallery",
    "LabFront": "lab.lab_front",
    "LastGuard": "castle_keep.last_guard",
    "QuestionCard": "card.question_card",
    "RollAndDraw": "once_upon_a_castle.castle_sheet",
    "SiteEditor": "castlescape.site_editor",
    "SpotEditor": "castlescape.spot_editor",
    "StackEditor": "castle_rampage.stack_editor",
    "TokenEditor": "once_upon_a_castle.token_editor",
    "TowerEditor": "castell.tower_editor",
    "TurnEditor": "castle_rampage.turn_editor",
    "WorksheetMaker": "classroom.worksheet_maker",
}
_PLACES = {name: f"{__name__}.{place}:{name}" for name, place in _OF_ONE_PAGE.items()}

__getattr__, __dir__ = facade(__name__, **_PLACES)
