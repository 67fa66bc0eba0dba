"""What only Castell needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ipywidgets

    from castlelab.game import Move, State


def move_editor(
    state: State, play: Callable[[Move], object], fail: Callable[[str], object]
) -> ipywidgets.Widget | None:
    """What a move is built with instead of being pointed at: a tower for a festival.

    ``play`` gets the move, ``fail`` a line where that goes wrong. None for every other decision.
    """
    from castlelab.games.castell.play import CastellState
    from castlelab.widgets.castell.festival_editor import FestivalEditor

    if not isinstance(state, CastellState) or state.festival is None:
        return None
    return FestivalEditor(state, play, fail)
