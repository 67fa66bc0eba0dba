"""A moment of CastleScape in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState


def game_words(state: ScapeState) -> str:
    return f"Round {state.round}."
