"""The bench on which a puzzle's answer is built: each ask names the one that opens it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from castlelab.rules import CastlelabError, quoted
from castlelab.widgets.board.board import BoardWidget


class Editor(Protocol):
    """A bench whose ``value`` is an answer to the puzzle."""

    board: BoardWidget
    value: Any

    def build(self, answer: Any) -> None:
        """Put a whole answer on the bench."""

    def observe(self, handler: Callable[[Any], object], names: str) -> None:
        """Call a handler whenever what is on the bench changes."""


def editor_for(ask: object) -> Editor:
    """The bench for what a puzzle asks; what names none has none."""
    where = getattr(ask, "editor", "")
    if not where:
        raise CastlelabError(f"there is no editor for {quoted(ask)}")
    module, _, opener = where.partition(":")
    opened: Editor = getattr(import_module(module), opener)(ask)
    return opened
