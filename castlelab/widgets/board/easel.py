"""The canvas of a board, and what the page shows on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import ipywidgets
from ipycanvas import Canvas

from castlelab.draw.canvas import Command, Drawing, Extent, carry_out, drawing
from castlelab.draw.motion import motion
from castlelab.draw.scene import Scene
from castlelab.draw.theme import Theme
from castlelab.draw.touch_up import touch_up
from castlelab.server.jupyter import held

SCALE = 2  # pixels of the buffer for each pixel of the page: crisp on fine screens


@dataclass(frozen=True, slots=True)
class Sight:
    """All that a picture on the page hangs on."""

    scene: Scene
    lit: tuple[str, ...]
    offered: tuple[str, ...]
    focus: str | None
    theme: Theme


@dataclass(frozen=True, slots=True)
class Redraw:
    """What turns the picture on the page into another one: thought out, and not yet sent."""

    wanted: Sight
    drawing: Drawing
    commands: list[Command]
    spots: Iterable[Extent]
    motion: dict[str, Any] | None  # None leaves alone whatever moves


class Easel:
    """A canvas that is drawn on only if there is a page and it does not show the picture yet."""

    def __init__(self, scene: Scene) -> None:
        width, height = picture_size(scene)
        self.canvas = Canvas(
            width=width * SCALE,
            height=height * SCALE,
            layout=ipywidgets.Layout(
                width=shown_width(scene), max_width="none", height="auto", flex="0 0 auto"
            ),
        )
        self._shown: Sight | None = None
        self._drawing: Drawing | None = None  # what the page shows, if that is known
        self._is_ready = False
        self._motions = 0

    def welcome(self) -> None:
        """A page has made its canvas, which is empty, whatever was drawn elsewhere."""
        self._is_ready = True
        self._shown = self._drawing = None

    def plan(self, wanted: Sight) -> Redraw | None:
        """What there is to draw, if there is anything."""
        if not self._is_ready or wanted == self._shown:
            return None
        after = drawing(
            wanted.scene,
            wanted.theme,
            self._drawing,
            lit=wanted.lit,
            focus=wanted.focus,
            offered=wanted.offered,
        )
        commands, spots = touch_up(self._drawing.strokes if self._drawing else [], after.strokes)
        return Redraw(wanted, after, commands, spots, self._motion(wanted.scene))

    def _motion(self, scene: Scene) -> dict[str, Any] | None:
        """What moves from the last picture to this one; nothing at all cuts what still moves."""
        if self._shown is None or self._shown.scene == scene:
            return None
        moves = motion(self._shown.scene, scene).data()
        self._motions += 1  # the same twice shall be seen twice
        return {"number": self._motions, "scale": SCALE, **moves} if moves else {}

    def draw(self, redraw: Redraw) -> None:
        """Send the picture in one message."""
        self.resize(redraw.wanted.scene)
        with held(self.canvas):
            carry_out(self.canvas, redraw.commands, spots=redraw.spots, scale=SCALE)
        self._shown, self._drawing = redraw.wanted, redraw.drawing

    def resize(self, scene: Scene) -> None:
        """Fit the canvas; one of the right size is left alone, or it would blink."""
        width, height = (length * SCALE for length in picture_size(scene))
        if (self.canvas.width, self.canvas.height) == (width, height):
            return
        with self.canvas.hold_sync():
            self.canvas.width, self.canvas.height = width, height
        self.canvas.layout.width = shown_width(scene)


def picture_size(scene: Scene) -> tuple[int, int]:
    """The width and the height of a scene in whole pixels of the page."""
    return max(1, round(scene.width)), max(1, round(scene.height))


def shown_width(scene: Scene) -> str:
    """How wide a picture is shown, in CSS: as wide as it is, or as its place has room.

    A page may let pictures grow, by ``--castlelab-board-scale`` at most, and keep them lower than
    ``--castlelab-board-height``, but not smaller than they are: their words could not be read.
    The edge is room for the outline of the focus.
    """
    width, height = picture_size(scene)
    height_allows = f"var(--castlelab-board-height, 100000px) * {width / height:.4g}"
    grown = f"{width}px * var(--castlelab-board-scale, 1)"
    return f"min(100% - 8px, {grown}, max({width}px, {height_allows}))"
