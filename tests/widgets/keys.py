"""Boards played with the arrow keys alone."""

from __future__ import annotations

from collections import deque

ARROWS = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"}


def walk(board, wanted):
    """Press arrow keys, and nothing else, until the focus is on a target."""
    if board.focus is None:
        board.press("Home")
    ways, queue = {board.focus: ()}, deque([board.focus])
    while queue:
        here = queue.popleft()
        for key, direction in ARROWS.items():
            there = board.scene.beside(here, direction).id
            if there not in ways:
                ways[there] = (*ways[here], key)
                queue.append(there)
    assert wanted in ways, f"no keys lead to {wanted}"
    for key in ways[wanted]:
        board.press(key)
    assert board.focus == wanted
