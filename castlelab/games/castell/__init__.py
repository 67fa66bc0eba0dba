"""Castell: build human towers at the festivals of Catalonia."""

from castlelab.games.castell.count import count_towers
from castlelab.games.castell.optimum import best_tower
from castlelab.games.castell.tower import (
    Level,
    Skills,
    Team,
    Tower,
    check,
    festival_score,
    skill_uses,
)

__all__ = [
    "Level",
    "Skills",
    "Team",
    "Tower",
    "best_tower",
    "check",
    "count_towers",
    "festival_score",
    "skill_uses",
]
