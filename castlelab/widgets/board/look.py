"""All that a board shows, and where keys lead in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape
from math import hypot
from typing import Literal

from castlelab.draw.scene import Direction, Scene, Target, on_offer_or_not
from castlelab.rules import by_title

_ARROWS: dict[str, Direction] = {
    "arrowleft": "left",
    "arrowright": "right",
    "arrowup": "up",
    "arrowdown": "down",
}
_GROUP_KEYS: dict[str, Literal[1, -1]] = {"f6": 1, "shift+f6": -1}
#: The keys that lead somewhere.
WAYS = frozenset({*_ARROWS, *_GROUP_KEYS, "home", "end"})


@dataclass(frozen=True, slots=True)
class BoardLook:
    """All that a board shows: what an error undoes in one assignment."""

    scene: Scene
    lit: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    held: str | None = None  # the target whose thing is in hand
    focus: str | None = None
    by_keys: bool = False  # whether the hand is on the keys, which need to see the focus
    place: tuple[float, float] | None = None  # where the focus was last, should its target go
    at_edge: bool = False  # whether a key led no further
    edges: int = 0  # how often a key did
    said: str = ""
    ok: bool = True
    times: int = 0
    can_undo: bool = True
    can_redo: bool = True

    def speak(self, words: str, ok: bool) -> BoardLook:
        return replace(self, said=words, ok=ok, times=self.times + 1)

    def focused(self, target: Target | None) -> BoardLook:
        if target is None:
            return replace(self, focus=None)
        return replace(self, focus=target.id, place=target.centre, at_edge=False)

    def settled(self) -> BoardLook:
        """The focus on its target or, where that is gone, on what is nearest to where it was."""
        if self.focus is None or self.place is None or not self.scene.targets:
            return self.focused(None)
        return self.focused(self.target or _nearest(self.scene.targets, self.place))

    def led(self, key: str) -> BoardLook:
        """Where a key leads: arrows, Home and End within a group, F6 to the next group."""
        there = self._led_to(key)
        if there is None or there == self.target:
            return replace(self, at_edge=True, edges=self.edges + 1)
        return self.focused(there)

    def _led_to(self, key: str) -> Target | None:
        targets = self.scene.targets
        if key in _GROUP_KEYS:
            return self.scene.next_group(self.focus, _GROUP_KEYS[key])
        if key in ("home", "end"):
            around = targets if self.target is None else self.scene.among(self.target.group)
            return around[0 if key == "home" else -1]
        if self.focus is None and self.place is not None and targets:
            return _nearest(targets, self.place)
        return self.scene.beside(self.focus, _ARROWS[key])

    def takes(self, x: float, y: float) -> bool:
        """Whether what is in hand and let go of at a point is for the target there.

        Among its like, where it is not wanted, a thing is only put down.
        """
        target, held = self.scene.at(x, y), self.scene.target(self.held or "")
        if target is None or held is None or target.id == held.id:
            return False
        return target.group != held.group or not held.group or target.id in self.offered

    @property
    def ring(self) -> str | None:
        """The target that is ringed."""
        return self.focus if self.by_keys else None

    @property
    def said_lines(self) -> list[str]:
        """What was said last, with rules by their titles: ids are for who looks rules up."""
        return by_title(self.said).splitlines()

    @property
    def said_html(self) -> str:
        """What was said last, as the page shows it."""
        lines = "".join(f"<p>{escape(line)}</p>" for line in self.said_lines)
        return (
            f'<div class="castlelab-said castlelab-{"ok" if self.ok else "not-ok"}">{lines}</div>'
        )

    @property
    def target(self) -> Target | None:
        return self.scene.target(self.focus) if self.focus is not None else None

    @property
    def number(self) -> int:
        """The number of the target under the focus; -1 if there is none."""
        ids = (target.id for target in self.scene.targets)
        return next((at for at, name in enumerate(ids) if name == self.focus), -1)

    @property
    def eye(self) -> list[float]:
        """The middle of the target under the focus, in shares of the picture."""
        if (target := self.target) is None:
            return []
        (x, y), scene = target.centre, self.scene
        return [round(x / scene.width, 3), round(y / scene.height, 3)]

    @property
    def where(self) -> str:
        """The target under the focus as it is spoken."""
        target = self.target
        name = on_offer_or_not(target, self.offered).name if target is not None else ""
        return f"Edge. {name}" if self.at_edge else name


class LookedAt:
    """What a board shows, to be read."""

    _look: BoardLook

    @property
    def scene(self) -> Scene:
        """The picture."""
        return self._look.scene

    @property
    def focus(self) -> str | None:
        """The id of the target under the focus, if there is one."""
        return self._look.focus

    @property
    def said(self) -> str:
        """What was said last."""
        return self._look.said

    @property
    def ok(self) -> bool:
        """Whether what was said last is good news."""
        return self._look.ok

    @property
    def lit(self) -> tuple[str, ...]:
        """The targets that are lit as breaches."""
        return self._look.lit

    @property
    def offered(self) -> tuple[str, ...]:
        """The targets that are outlined because they may be picked."""
        return self._look.offered

    @property
    def held(self) -> str | None:
        """The target whose thing is in hand, if there is one."""
        return self._look.held


def _nearest(targets: Iterable[Target], place: tuple[float, float]) -> Target:
    return min(
        targets, key=lambda target: hypot(target.centre[0] - place[0], target.centre[1] - place[1])
    )
