"""The facade of a package: what its ``__all__`` promises, some of it loaded on demand."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Facade(NamedTuple):
    """What a module needs to show nothing but what it promises."""

    getattr: Callable[[str], Any]
    dir: Callable[[], list[str]]


def facade(module: str, **lazy: str) -> Facade:
    """The ``__getattr__`` and ``__dir__`` of a module: ``__getattr__, __dir__ = facade(__name__)``.

    ``lazy`` says where a promised name is to be found that is only loaded when somebody asks
    for it, ``puzzle="castlelab.games.castell.puzzle_forms:puzzle"``; without ``:`` it is a
    module. Whoever looks with Tab sees ``__all__`` and no more.
    """

    def find(name: str) -> Any:
        if name not in lazy:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        place, _, inside = lazy[name].partition(":")
        found = import_module(place)
        return getattr(found, inside) if inside else found

    def promised() -> list[str]:
        return list(sys.modules[module].__all__)

    return Facade(find, promised)
