"""The ways of arrow keys over a picture."""

from __future__ import annotations

from collections import deque

ARROWS = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"}


def keys_to(board, wanted) -> tuple[str, ...]:
    """The keys that lead the focus to a target: arrows within a group, F6 to the next one."""
    start = board.focus or board.scene.targets[0].id
    groups = list(dict.fromkeys(target.group for target in board.scene.targets))
    ways, queue = {start: () if board.focus else ("Home",)}, deque([start])
    while queue:
        here = queue.popleft()
        steps = [((key,), board.scene.beside(here, way)) for key, way in ARROWS.items()]
        # The page comes back to where one was in a group; Home is the same every time. After the
        # last group it goes on to the buttons, so nobody goes round.
        at = groups.index(board.scene.target(here).group)
        if at + 1 < len(groups):
            steps += [(("F6", "Home"), board.scene.next_group(here, 1))]
        if at:
            steps += [(("Shift+F6", "Home"), board.scene.next_group(here, -1))]
        for keys, target in steps:
            if target.id not in ways:
                ways[target.id] = (*ways[here], *keys)
                queue.append(target.id)
    assert wanted in ways, f"no keys lead to {wanted}"
    return ways[wanted]
