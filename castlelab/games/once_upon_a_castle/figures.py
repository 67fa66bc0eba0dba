"""Once Upon a Castle's figures to handle."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from castlelab.figures import HandledFigure
from castlelab.games.once_upon_a_castle.figure_dice_board import dice_board
from castlelab.games.once_upon_a_castle.figure_waiting_machine import waiting_machine

FIGURES: Mapping[str, Callable[[], HandledFigure]] = {
    "once_upon_a_castle/dice-board": dice_board,
    "once_upon_a_castle/waiting-machine": waiting_machine,
}
