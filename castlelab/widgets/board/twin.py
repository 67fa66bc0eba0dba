"""The twin of a picture: its targets as a document has them, in grids and lists.

The page builds it from what stands here; see ``twin.js``. Whoever cannot see the canvas reads
and plays the twin; whoever wants words instead of a picture has it shown as tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from castlelab.draw.scene import Scene, Target

_ALONE = "The table"  # where targets stand that belong to no group

Run = list[int]


class TwinPart(NamedTuple):
    """A group of targets: its name, which targets by number, and their cells if it is a grid.

    Numbers are in runs of (first, how many), cells in runs of (row, first column, how many).
    """

    name: str
    numbers: list[Run]
    cells: list[Run]


def twin_of(scene: Scene, name: str) -> list[TwinPart]:
    """The parts of a picture in order; ``name`` is that of a picture without groups.

    >>> row = [Target(a, a, 0, 0, 9, 9, group="Row", cell=(0, at)) for at, a in enumerate("abc")]
    >>> twin_of(Scene(9, 9, targets=(*row, Target("end", "End", 0, 9, 9, 9))), "Game")
    [TwinPart(name='Row', numbers=[[0, 3]], cells=[[0, 0, 3]]), \
TwinPart(name='The table', numbers=[[3, 1]], cells=[])]
    """
    groups: dict[str, list[int]] = {}
    for number, target in enumerate(scene.targets):
        groups.setdefault(target.group, []).append(number)
    alone = name if len(groups) == 1 else _ALONE
    return [
        TwinPart(
            group or alone, _runs(numbers), _cells([scene.targets[number] for number in numbers])
        )
        for group, numbers in groups.items()
    ]


def numbers_of(scene: Scene, ids: Iterable[str]) -> list[Run]:
    """Targets by their numbers, in runs; unknown ids are passed over.

    >>> scene = Scene(9, 9, targets=tuple(Target(a, a, 0, 0, 9, 9) for a in "abcd"))
    >>> numbers_of(scene, ("d", "a", "b", "x"))
    [[0, 2], [3, 1]]
    """
    wanted = set(ids)
    return _runs([at for at, target in enumerate(scene.targets) if target.id in wanted])


def _runs(numbers: Sequence[int]) -> list[Run]:
    runs: list[Run] = []
    for number in numbers:
        if runs and number == sum(runs[-1]):
            runs[-1][1] += 1
        else:
            runs.append([number, 1])
    return runs


def _cells(targets: Sequence[Target]) -> list[Run]:
    """The cells of a grid; none where a target has no place in it."""
    runs: list[Run] = []
    for target in targets:
        if target.cell is None:
            return []
        row, column = target.cell
        if runs and runs[-1][0] == row and column == runs[-1][1] + runs[-1][2]:
            runs[-1][2] += 1
        else:
            runs.append([row, column, 1])
    return runs
