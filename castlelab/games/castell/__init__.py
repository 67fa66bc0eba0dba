"""Castell: build human towers at the festivals of Catalonia."""

from typing import TYPE_CHECKING

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
from castlelab.system.facade import facade

if TYPE_CHECKING:
    from castlelab.games.castell.puzzle_forms import puzzle

__all__ = [
    "Level",
    "Skills",
    "Team",
    "Tower",
    "best_tower",
    "check",
    "count_towers",
    "festival_score",
    "puzzle",
    "skill_uses",
]

# Puzzles show things, and who only counts loads no drawing.
__getattr__, __dir__ = facade(__name__, puzzle=f"{__name__}.puzzle_forms:puzzle")
