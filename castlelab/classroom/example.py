"""A made-up class, so that a page has something to show before there is a real one."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from castlelab.chance import Chance
from castlelab.classroom.register import ClassRegister, Pupil
from castlelab.progress import Progress, Solve
from castlelab.puzzles import LEVELS

_CLASS = tomllib.loads((files(__package__) / "example.toml").read_text(encoding="utf-8"))


def example_class(seed: int = 1) -> ClassRegister:
    """Twelve pupils who never were.

    >>> example_class().pupils[0].name
    'Amira'
    """
    chance = Chance.seeded(seed).split("example class")
    pupils = tuple(Pupil(name, _progress(name, chance.split(name))) for name in _CLASS["names"])
    return ClassRegister(pupils, title="An example class")


def _progress(name: str, chance: Chance) -> Progress:
    """Up each ladder, a few puzzles a level, until it becomes too hard."""
    solves: list[Solve] = []
    skill, chance = chance.below(25)
    for kind, hard in _CLASS["kinds"].items():
        for level in LEVELS:
            luck, chance = chance.below(100)
            if luck < level * hard - 2 * skill:
                break
            number, chance = chance.below(3)
            for seed in range(1, number + 2):
                solve, chance = _solve(f"{kind}-{level}-{seed}", level * hard - skill, chance)
                solves.append(solve)
    return Progress({solve.code: solve for solve in solves}, name)


def _solve(code: str, trouble: int, chance: Chance) -> tuple[Solve, Chance]:
    luck, chance = chance.below(100)
    wrong, chance = chance.below(2 + max(0, trouble) // 16)
    hints, chance = chance.below(1 + min(2, max(0, trouble) // 30))
    minute, chance = chance.below(60)
    when = f"2026-03-05T10:{minute:02}:00Z"
    return Solve(code, when, hints, wrong, luck < trouble // 2), chance
