"""CastleScape's figures to handle."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from castlelab.figures import HandledFigure
from castlelab.games.castlescape.figure_fence import fence

FIGURES: Mapping[str, Callable[[], HandledFigure]] = {"castlescape/fence": fence}
