"""What stands beside the canvas of a board: its words and controls, and where its targets are."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from castlelab.cues import Cue
from castlelab.draw.motion import piece_in
from castlelab.draw.scene import Scene, Target
from castlelab.widgets.board.easel import SCALE
from castlelab.widgets.board.twin import numbers_of, twin_of
from castlelab.widgets.browser.news import NEWS

_MOST_RENAMED = 24  # names that are sent one by one, before all of them are


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


class Companion(anywidget.AnyWidget):
    """The words and controls below a canvas, and the manners that the canvas lacks."""

    _esm = NEWS + "".join(
        _asset(f"{part}.js")
        for part in ("regions", "motion", "hands", "twin", "zoom", "tray", "sounds", "board")
    )
    _css = _asset("board.css") + _asset("twin.css")

    label = traitlets.Unicode().tag(sync=True)
    about = traitlets.Unicode().tag(sync=True)  # the picture in words, for who cannot see it
    where = traitlets.Unicode().tag(sync=True)
    said = traitlets.List(traitlets.Unicode()).tag(sync=True)
    ok = traitlets.Bool(True).tag(sync=True)
    times = traitlets.Int(0).tag(sync=True)  # the same words twice are two announcements
    has_undo = traitlets.Bool(False).tag(sync=True)
    can_undo = traitlets.Bool(True).tag(sync=True)
    has_redo = traitlets.Bool(False).tag(sync=True)
    can_redo = traitlets.Bool(True).tag(sync=True)
    has_text = traitlets.Bool(False).tag(sync=True)
    asks = traitlets.Unicode().tag(sync=True)
    hint = traitlets.Unicode().tag(sync=True)
    accepted = traitlets.Int(0).tag(sync=True)  # typed moves; each of them empties the box
    palette = traitlets.Dict().tag(sync=True)
    own_keys = traitlets.List(traitlets.Unicode()).tag(sync=True)  # that the board wants besides
    keys_help = traitlets.Unicode().tag(sync=True)
    dark = traitlets.Bool(False).tag(sync=True)  # so that a new view need not tell it again
    narrow = traitlets.Bool(False).tag(sync=True)  # the page that the picture is laid out for
    canvas = traitlets.Unicode().tag(sync=True)  # the id of the model that it stands beside
    motion = traitlets.Dict().tag(sync=True)  # to the picture that comes next; see motion.js
    cue = traitlets.Dict().tag(sync=True)  # the sounds that are due, and their number
    # The middle of the target under the focus, in shares of the picture; see zoom.js.
    eye: traitlets.List[float] = traitlets.List(traitlets.Float()).tag(sync=True)
    # What is under the pointer the page finds out by itself; see hands.js.
    answers = traitlets.Bool(False).tag(sync=True)  # whether a pick means anything here
    scale = traitlets.Int(SCALE).tag(sync=True)
    boxes: traitlets.List[Any] = traitlets.List().tag(sync=True)  # in rows; see rows_of
    disabled = traitlets.List(traitlets.Int()).tag(sync=True)  # that cannot be picked, by number
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    renamed = traitlets.Dict().tag(sync=True)  # targets that have other names since, by number
    held = traitlets.Dict().tag(sync=True)  # the target whose thing is in hand, and its outline
    # The twin of the picture, from which it is heard and played by keys; see twin.py.
    parts: traitlets.List[Any] = traitlets.List().tag(sync=True)
    offered: traitlets.List[Any] = traitlets.List().tag(sync=True)  # targets in runs of numbers
    tray: traitlets.List[Any] = traitlets.List().tag(sync=True)  # targets by number; see tray.js
    focus = traitlets.Int(-1).tag(sync=True)  # the number of a target
    edges = traitlets.Int(0).tag(sync=True)  # keys that have led no further
    answered = traitlets.Int(0).tag(sync=True)  # the last key or focus of the twin that was heard
    turn = traitlets.Unicode().tag(sync=True)  # whose turn it is, for the title of the page

    # What the page has been told last.
    _located: tuple[Scene, str | None, tuple[str, ...], str] | None = None

    def sound(self, *cues: Cue | None) -> None:
        """Let the page make these sounds, one after the other, where somebody wants any."""
        if names := [cue for cue in cues if cue is not None]:
            self.cue = {"number": self.cue.get("number", 0) + 1, "names": names}

    def locate(self, scene: Scene, held: str | None, offered: tuple[str, ...]) -> None:
        """Tell the page where the targets are and what they are called, what is in hand and
        what is offered.
        """
        if (located := (scene, held, offered, self.label)) == self._located:
            return
        self._located = located
        self.boxes = rows_of(scene.targets)
        self.disabled = [at for at, target in enumerate(scene.targets) if not target.enabled]
        self.names, self.renamed = names_told(
            self.names, [" ".join(target.name.split()) for target in scene.targets]
        )
        self.held = held_in(scene, held)
        self.parts = [list(part) for part in twin_of(scene, self.label)]
        self.offered = numbers_of(scene, offered)
        numbers = {target.id: at for at, target in enumerate(scene.targets)}
        self.tray = [numbers[kept] for kept in scene.tray]


Row = tuple[float, float, float, float, float, float, int]


def rows_of(targets: Sequence[Target]) -> list[Row]:
    """Where targets are: left, top, width, height of the first of a row, the step, how many.

    Squares of a site are many and alike, so that few rows hold them all.

    >>> rows_of([Target("a", "A", 20 * at, 5, 20, 9) for at in range(3)])
    [(0, 5, 20, 9, 20, 0, 3)]
    """
    rows: list[Row] = []
    for target in targets:
        box = target.x, target.y, target.width, target.height
        if rows and (longer := _longer(rows[-1], box)) is not None:
            rows[-1] = longer
        else:
            rows.append((*(round(length, 1) for length in box), 0, 0, 1))  # type: ignore[arg-type]
    return rows


def _longer(row: Row, box: tuple[float, float, float, float]) -> Row | None:
    """A row with one more target, if it lies where the next one would."""
    x, y, width, height, across, down, count = row
    if count == 1:
        across, down = round(box[0] - x, 2), round(box[1] - y, 2)
    there = (x + count * across, y + count * down, width, height)
    is_next = all(abs(one - other) < 0.6 for one, other in zip(there, box, strict=True))
    return (x, y, width, height, across, down, count + 1) if is_next else None


def names_told(told: Sequence[str], wanted: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """All names as they were told once, and those that are others since.

    A move renames a few targets of many; all are told anew only if many have other names. What
    was told of targets that are gone does no harm.

    >>> names_told(["a1, ground", "b1, ground"], ["a1, ground", "b1, wall"])
    (['a1, ground', 'b1, ground'], {'1': 'b1, wall'})
    """
    known = dict(enumerate(told))
    others = {str(at): name for at, name in enumerate(wanted) if known.get(at) != name}
    if len(others) <= _MOST_RENAMED and len(others) < len(wanted):
        return list(told), others
    return list(wanted), {}


def held_in(scene: Scene, held: str | None) -> dict[str, Any]:
    """The number of the target whose thing is in hand, and the thing's box and outline."""
    numbers = (at for at, target in enumerate(scene.targets) if target.id == held)
    if (at := next(numbers, None)) is None:
        return {}
    box, contours = piece_in(scene, scene.targets[at])
    return {"spot": at, "box": box, "outline": contours}
