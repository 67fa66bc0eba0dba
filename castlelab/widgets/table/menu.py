"""What is seldom wanted at a table: the list of moves, saving, what signs mean, help."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import ipywidgets

from castlelab.game import Game
from castlelab.widgets.card.rule_card import style
from castlelab.widgets.controls import html, row
from castlelab.widgets.table.move_list import MoveList

_HELP = (
    ("Pick", "what has a green outline, in the picture. Or drag it to its place."),
    ("Why?", "tells what may be done with anything, and which rule says no."),
    ("Hint", "asks a bot what it would do, and why."),
    ("Undo", "goes back as far as nothing hidden was seen."),
    ("What happened", "is a list: click a line to look back at that moment."),
    ("Say", "is how much is said of each move, for whoever listens: brief, normal or full."),
    (
        "With keys",
        "arrows move in a part, F6 leads to the next. Enter picks, u takes back, r redoes.",
    ),
    ("To listen", "press ? on the board: keys and words tell what lies where."),
    ("Larger", "+ and - on the board, 0 for its own size, Shift and arrows to look about."),
    ("Sounds", "are turned on at the top of the page."),
)


class Menu(ipywidgets.VBox):  # type: ignore[misc]
    """Buttons, the list of moves, a legend and help; it is unfolded by *More*."""

    def __init__(self, game: Game, moves: MoveList, buttons: Sequence[ipywidgets.Button]) -> None:
        listed = ipywidgets.VBox([moves.choice, row(*moves.buttons)])
        listed.add_class("castlelab-table-moves")
        words = html(style() + _terms("What the signs mean", game.legend) + _terms("Help", _HELP))
        words.add_class("castlelab-table-help")
        super().__init__(children=[row(*buttons), listed, words])
        self.add_class("castlelab-table-menu")


def _terms(title: str, terms: Sequence[tuple[str, str]]) -> str:
    """Signs and words with what they mean, folded."""
    if not terms:
        return ""
    told = "".join(f"<dt>{escape(term)}</dt><dd>{escape(what)}</dd>" for term, what in terms)
    return f"<details><summary>{escape(title)}</summary><dl>{told}</dl></details>"
