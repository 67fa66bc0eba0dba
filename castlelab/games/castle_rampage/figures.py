"""Castle Rampage's figures to handle."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from castlelab.figures import HandledFigure
from castlelab.games.castle_rampage.figure_mirror_path import mirror_path
from castlelab.games.castle_rampage.figure_stack_and_lens import stack_and_lens

FIGURES: Mapping[str, Callable[[], HandledFigure]] = {
    "castle_rampage/stack-and-lens": stack_and_lens,
    "castle_rampage/mirror-path": mirror_path,
}
