"""A large site on a small page: its picture is made larger, and moved about."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from castlelab.draw.scene import Scene
from castlelab.widgets.controls import layout

_FINE = (24.0, 40.0)  # what a mouse and what a finger hits, in pixels
_MANY = 9  # small targets that make a picture worth it
_MOST = 3.0


class Zoom(anywidget.AnyWidget):
    """A button for the page alone: the kernel draws the picture as ever.

    ``ways`` are how large it gets, and round which point, on a wide page and on a narrow one.
    """

    _esm = (files(__package__) / "zoom.js").read_text(encoding="utf-8")

    ways: traitlets.List[Any] = traitlets.List().tag(sync=True)

    def __init__(self, scene: Scene) -> None:
        ways = [_way(scene.fitted(at == 1), least) for at, least in enumerate(_FINE)]
        super().__init__(ways=ways, layout=layout())
        self.add_class("castlelab-zoom")

    @property
    def is_of_use(self) -> bool:
        """Whether anything is too small to be hit."""
        return any(times > 1 for times, _, _ in self.ways)


def _way(scene: Scene, least: float) -> tuple[float, float, float]:
    small = [each for each in scene.targets if min(each.width, each.height) < least - 1]
    if len(small) < _MANY:
        return 1.0, 0.5, 0.5
    size = min(min(each.width, each.height) for each in small)
    xs, ys = zip(*(each.centre for each in small), strict=True)
    across, down = (min(xs) + max(xs)) / 2 / scene.width, (min(ys) + max(ys)) / 2 / scene.height
    return round(min(_MOST, max(1.8, least / size)), 2), round(across, 3), round(down, 3)
