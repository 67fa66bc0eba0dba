"""Boards played with the arrow keys alone."""

from __future__ import annotations

from hands import keys_to


def walk(board, wanted):
    """Press arrow keys, and nothing else, until the focus is on a target."""
    for key in keys_to(board, wanted):
        board.press(key)
    assert board.focus == wanted
