"""The games as cards, one of which is chosen."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from castlelab.draw import svg
from castlelab.game import GAMES, game_class
from castlelab.widgets.controls import layout
from castlelab.widgets.shown import data_address


class GameTiles(anywidget.AnyWidget):
    """A card for each game; ``value`` is the load name of the one that is chosen."""

    _esm = (files(__package__) / "game_tiles.js").read_text(encoding="utf-8")
    _css = (files(__package__) / "setup.css").read_text(encoding="utf-8")

    games: traitlets.List[Any] = traitlets.List().tag(sync=True)  # load names, titles, covers
    value = traitlets.Unicode().tag(sync=True)

    def __init__(self, value: str) -> None:
        games = [(name, game_class(name)) for name in GAMES]
        told = [(name, game.title, data_address(svg.still(game.cover()))) for name, game in games]
        super().__init__(games=told, value=value, layout=layout())
        self.add_class("castlelab-tiles")
        self.on_msg(self._hear)

    def _hear(self, _: object, content: dict[str, Any], __: object) -> None:
        match content:
            case {"do": "choose", "game": str(game)} if game in GAMES:
                self.value = game
