"""Castle Keep's figures to handle."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from castlelab.figures import HandledFigure
from castlelab.games.castle_keep.figure_ring_loom import ring_loom
from castlelab.games.castle_keep.figure_turntable import turntable

FIGURES: Mapping[str, Callable[[], HandledFigure]] = {
    "castle_keep/turntable": turntable,
    "castle_keep/ring-loom": ring_loom,
}
