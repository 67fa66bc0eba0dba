"""Castell: build human towers at the festivals of Catalonia."""

from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    if name == "puzzle":  # puzzles show things, and who only counts loads no drawing
        from castlelab.games.castell.puzzle_forms import puzzle

        return puzzle
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
