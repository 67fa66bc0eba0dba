"""How good a moment of CastleScape looks: what greedy players climb. A guide, not a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from castlelab.games.castlescape.box import Box
    from castlelab.games.castlescape.play import ScapeState


class Judgement:
    """What cards are worth, worked out once for a box."""

    def __init__(self, box: Box) -> None:
        self.box = box


def estimate(state: ScapeState, player: int) -> float:
    return float(state.scores[player])
