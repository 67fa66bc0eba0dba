"""Packages that only some parts need: who misses one is told which, and by what."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from castlelab.rules import CastlelabError, listed


class MissingPackage(CastlelabError, ImportError):
    """A part was used without a package that it needs."""


def has(package: str) -> bool:
    """Whether a package is there; asked without importing it, which may take seconds."""
    return find_spec(package) is not None


def need(part: str, *packages: str, extra: str = "") -> None:
    """Refuse to go on without these packages, in a sentence about the part that needs them.

    >>> need("counting", "math")
    >>> need("flying", "math", "wings")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    castlelab.system.packages.MissingPackage: flying needs wings; install it with: pip install
    castlelab
    """
    missing = [package for package in packages if not has(package)]
    if missing:
        wanted = f'"castlelab[{extra}]"' if extra else "castlelab"
        them = "it" if len(missing) == 1 else "them"
        raise MissingPackage(
            f"{part} needs {listed(missing)}; install {them} with: pip install {wanted}"
        )


def widget(name: str, *arguments: Any, **options: Any) -> Any:
    """A widget of ``castlelab.widgets``, for things below it that know how they are touched."""
    return getattr(import_module("castlelab.widgets"), name)(*arguments, **options)
