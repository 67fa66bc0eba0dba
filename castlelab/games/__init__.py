"""One room per game, the same furniture in each."""

from typing import TYPE_CHECKING

from castlelab.system.facade import facade

if TYPE_CHECKING:
    from castlelab.games import (
        castell,
        castle_keep,
        castle_rampage,
        castlescape,
        once_upon_a_castle,
    )

__all__ = ["castell", "castle_keep", "castle_rampage", "castlescape", "once_upon_a_castle"]

# A room is opened when somebody enters.
__getattr__, __dir__ = facade(__name__, **{name: f"{__name__}.{name}" for name in __all__})
