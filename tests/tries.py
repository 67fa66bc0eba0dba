"""How many tries a maker of puzzles needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def count_tries(monkeypatch: pytest.MonkeyPatch, maker: Callable[..., Any]) -> list[int]:
    """A list that gets, from now on, the number of tries for each puzzle that it makes."""
    tries: list[int] = []
    home = maker.__globals__  # whichever module the kind lives in
    until = home["first_good"]

    def counting(make: Any, chance: Any) -> Any:
        number = 0

        def position(chance: Any) -> Any:
            nonlocal number
            number += 1
            return make(chance)

        found = until(position, chance)
        tries.append(number)
        return found

    monkeypatch.setitem(home, "first_good", counting)
    return tries
