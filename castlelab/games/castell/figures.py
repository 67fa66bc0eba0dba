"""Castell's figures to handle."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from castlelab.figures import HandledFigure
from castlelab.games.castell.figure_tower_word import tower_word

FIGURES: Mapping[str, Callable[[], HandledFigure]] = {"castell/tower-word": tower_word}
