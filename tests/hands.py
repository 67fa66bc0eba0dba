"""The ways of arrow keys over a picture."""

from __future__ import annotations

from collections import deque

ARROWS = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"}


def keys_to(board, wanted) -> tuple[str, ...]:
    """The fewest keys, arrows and at first perhaps Home, that lead the focus to a target."""
    start = board.focus or board.scene.targets[0].id
    ways, queue = {start: () if board.focus else ("Home",)}, deque([start])
    while queue:
        here = queue.popleft()
        for key, direction in ARROWS.items():
            there = board.scene.beside(here, direction).id
            if there not in ways:
                ways[there] = (*ways[here], key)
                queue.append(there)
    assert wanted in ways, f"no keys lead to {wanted}"
    return ways[wanted]
