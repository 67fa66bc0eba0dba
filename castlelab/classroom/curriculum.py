"""Kinds of puzzles by the words of a curriculum, and the ages that their levels are for."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from castlelab.puzzles import kinds
from castlelab.rules import whole_number

YOUNGEST, OLDEST = 6, 99
_NOT_SAID = 10  # the age for a kind of another package, which our table cannot know
_EACH_LEVEL = 1  # years


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "curriculum.toml").read_text(encoding="utf-8"))


@cache
def curriculum() -> MappingProxyType[str, tuple[str, ...]]:
    """The words that kinds can be chosen by, and the kinds of each.

    >>> curriculum()["pigeonhole"]
    ('castle_keep/be-sure',)
    """
    there = set(kinds())
    return MappingProxyType(
        {
            word: tuple(kind for kind in found if kind in there)
            for word, found in _table()["words"].items()
        }
    )


def words_of(kind: str) -> tuple[str, ...]:
    """What a kind practises.

    >>> words_of("castle_keep/be-sure")
    ('pigeonhole',)
    """
    return tuple(word for word, found in curriculum().items() if kind in found)


def from_age(kind: str, level: int) -> int:
    """The age from which on a kind and level suits, as far as one can say.

    >>> from_age("castell/count-towers", 1), from_age("castell/count-towers", 5)
    (11, 17)
    """
    ages = _table()["ages"].get(kind)
    return int(ages[level - 1]) if ages else _NOT_SAID + _EACH_LEVEL * (level - 1)


def read_age(age: object) -> int:
    """An age; anything else is an error in one sentence."""
    return whole_number(age, "ages of a sheet go", YOUNGEST, OLDEST)
