"""A board that only shows something, and answers what may be asked of every board."""

from __future__ import annotations

from functools import partial
from typing import Any

from castlelab.asking import BOARD_KEYS, Asked, answer
from castlelab.draw.scene import Scene
from castlelab.widgets.board.board import BoardWidget

ASK = "Press ? to hear what you may ask, + to make the picture larger."


def asked_board(scene: Scene, **board: Any) -> BoardWidget:
    """A board without a box to type in: what may be asked is asked by keys."""

    def ask(word: str) -> None:
        made.say(answer(word, Asked(made.scene, made.focus)) or "")

    keys = {key: partial(ask, word) for key, word in BOARD_KEYS.items() if word != "why"}
    made = BoardWidget(scene, keys=keys, keys_help=ASK, **board)
    return made
