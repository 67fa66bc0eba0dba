"""How many tries a maker of puzzles needs."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest


def count_tries(monkeypatch: pytest.MonkeyPatch, puzzles: ModuleType) -> list[int]:
    """A list that gets, from now on, the number of tries for each puzzle that is made."""
    tries: list[int] = []
    until = puzzles.first_good

    def counting(make: Any, chance: Any) -> Any:
        number = 0

        def position(chance: Any) -> Any:
            nonlocal number
            number += 1
            return make(chance)

        found = until(position, chance)
        tries.append(number)
        return found

    monkeypatch.setattr(puzzles, "first_good", counting)
    return tries
