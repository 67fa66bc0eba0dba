"""A picture as data: shapes in order, and the targets that can be picked in it.

Coordinates are CSS pixels, x to the right and y down. Colours are names of roles
(``"ink"``, ``"accent"``, ``"ramp-7"``) which a :class:`~castlelab.draw.theme.Theme`
turns into colours, so the same scene serves the light and the dark page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, NamedTuple, TypedDict, Unpack

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
Direction = Literal["left", "right", "up", "down"]


@dataclass(frozen=True, slots=True)
class Piece:
    """What a shape belongs to: a thing that may move from one picture to the next.

    ``kind`` is what it is, ``spot`` where it stands: one of a kind that is gone from one spot and
    new on another has moved there. ``source`` and ``sink`` name the target or the spot that it
    comes from and goes to where nothing else tells. A ``quiet`` one may only leave for another
    spot: it lies on a pile, whose top is no news. ``board`` is the group of targets that it lies
    among: where another board has taken its place, nothing is said of it.
    """

    kind: str
    spot: str
    source: str = ""
    sink: str = ""
    quiet: bool = False
    board: str = ""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle, its corners rounded by ``radius``."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    line: float = 1.0
    radius: float = 0.0
    dash: bool = False
    piece: Piece | None = None
    screen_only: bool = False  # a button, or words about pointing: nothing for paper


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle round (x, y)."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    line: float = 1.0
    piece: Piece | None = None


@dataclass(frozen=True, slots=True)
class Path:
    """Straight lines through points; closed and filled it is a polygon."""

    points: tuple[Point, ...]
    fill: str | None = None
    stroke: str | None = None
    line: float = 1.0
    closed: bool = False
    dash: bool = False
    piece: Piece | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """Words whose middle height is y and whose start, middle or end is x."""

    x: float
    y: float
    words: str
    size: float = 14.0
    fill: str = "ink"
    anchor: Anchor = "start"
    bold: bool = False
    piece: Piece | None = None
    screen_only: bool = False  # as above


Shape = Rect | Circle | Path | Text

#: How wide a picture for a narrow page may be, in pixels: a telephone's page, less its margins.
NARROW = 376.0


def as_piece(shapes: Iterable[Shape], piece: Piece) -> tuple[Shape, ...]:
    """Shapes that belong to one piece."""
    return tuple(replace(shape, piece=piece) for shape in shapes)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that is seen to happen when the picture comes, and not while it stays.

    ``steps`` are the spots of pieces, or ids of targets, that take part one after another.
    Two happenings that look the same are told apart by their ``key``.
    """

    way: Literal["wobble", "topple", "pave", "walk", "tumble"]
    steps: tuple[tuple[str, ...], ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A part of the picture that can be pointed at, focused and picked.

    ``id`` is what a rule's breach and a handler call it ("level 3"); ``name`` is what is
    spoken ("Level 3: two castellers of size 8").
    """

    id: str
    name: str
    x: float
    y: float
    width: float
    height: float
    enabled: bool = True
    group: str = ""  # the part of the table that it belongs to: "Your hand", "Market", …
    cell: tuple[int, int] | None = None  # its row, from above, and its column, if it is in a grid

    def contains(self, x: float, y: float) -> bool:
        """Whether the point lies in the target's box."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    @property
    def centre(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished picture: its size, its shapes from back to front, its targets.

    ``narrow`` lays the same things out anew for a narrow page, at most :data:`NARROW` wide, with
    the same targets; a picture that has none is small enough, or is made smaller as it is.
    ``tray`` are targets that a narrow table keeps in sight wherever its page is.
    """

    width: float
    height: float
    shapes: tuple[Shape, ...] = ()
    targets: tuple[Target, ...] = ()
    title: str = ""
    description: str = ""
    happenings: tuple[Happening, ...] = ()
    tray: tuple[str, ...] = ()
    narrow: Callable[[], Scene] | None = field(default=None, compare=False, repr=False)

    def target(self, target_id: str) -> Target | None:
        """The target of that id, if there is one."""
        return next((target for target in self.targets if target.id == target_id), None)

    def at(self, x: float, y: float) -> Target | None:
        """The frontmost target under a point (later targets lie in front)."""
        return next((t for t in reversed(self.targets) if t.contains(x, y)), None)

    def among(self, group: str) -> tuple[Target, ...]:
        """The targets of a group."""
        return tuple(target for target in self.targets if target.group == group)

    def beside(self, target_id: str | None, direction: Direction) -> Target | None:
        """Where an arrow key leads from a target: the nearest of its group in that direction.

        Where there is none, a list leads on to the next one or back to the one before; at the
        edge, it is the same one. With nothing focused yet it is the first target.
        """
        here = self.target(target_id) if target_id is not None else None
        if here is None:
            return self.targets[0] if self.targets else None
        around = self.among(here.group)
        x, y = here.centre
        sign = 1 if direction in ("right", "down") else -1

        def cost(there: Target) -> float:
            dx, dy = there.centre[0] - x, there.centre[1] - y
            along, across = (dx, dy) if direction in ("left", "right") else (dy, dx)
            # Straying sideways counts double: rows and columns are kept where they can be.
            return abs(along) + 2 * abs(across) if along * sign > 0.5 else math.inf

        best = min(around, key=cost)
        if cost(best) < math.inf or here.cell is not None:
            return best if cost(best) < math.inf else here
        return around[min(max(around.index(here) + sign, 0), len(around) - 1)]

    def next_group(self, target_id: str | None, step: Literal[1, -1]) -> Target | None:
        """Where F6 leads: to the first target of the next group; from the last one, no further.

        >>> scene = Scene(9, 9, targets=tuple(Target(a, a, 0, 0, 1, 1, group=a) for a in "xy"))
        >>> [scene.next_group(here, 1).id for here in (None, "x", "y")]
        ['x', 'y', 'y']
        """
        here = self.target(target_id) if target_id is not None else None
        if here is None:
            return self.targets[0] if self.targets else None
        groups = list(dict.fromkeys(target.group for target in self.targets))
        there = groups.index(here.group) + step
        return self.among(groups[there])[0] if 0 <= there < len(groups) else here

    def fitted(self, is_narrow: bool) -> Scene:
        """The picture as it is laid out for a narrow page or for a wide one."""
        return self.narrow() if is_narrow and self.narrow is not None else self

    def redrawn(self, change: Callable[[Scene], Scene]) -> Scene:
        """The picture changed, and changed alike where it is laid out for a narrow page.

        >>> Scene(9, 9, narrow=lambda: Scene(4, 4)).redrawn(marked).fitted(True).width
        4
        """
        if (narrow := self.narrow) is None:
            return change(self)
        return replace(change(self), narrow=cache(lambda: change(narrow())))

    def keeping(self, *beginnings: str) -> Scene:
        """The same picture, with all targets in its tray whose ids begin so, in that order.

        What lies upon another one of them comes with it.

        >>> card = Target("hand Ogre", "Ogre", 0, 0, 9, 9)
        >>> side = Target("hand Ogre side 1", "Ogre for 1 gold", 0, 0, 4, 9)
        >>> Scene(9, 9, targets=(card, side)).keeping("hand").tray
        ('hand Ogre',)
        """
        found = [
            target
            for beginning in beginnings
            for target in self.targets
            if target.id.startswith(beginning)
        ]
        tray = [one.id for one in found if not any(_within(one, other) for other in found)]
        return replace(self, tray=tuple(dict.fromkeys(tray)))

    def on_paper(self) -> Scene:
        """The same picture without what is there to be pressed.

        >>> play, hand = Text(0, 0, "Play", screen_only=True), Text(0, 9, "Hand")
        >>> Scene(9, 9, (play, hand)).on_paper() == Scene(9, 9, (hand,))
        True
        """
        return self.redrawn(_without_buttons)

    def with_shapes(self, *shapes: Shape) -> Scene:
        """The same picture with more shapes in front."""
        return replace(self, shapes=self.shapes + shapes)


def _within(one: Target, other: Target) -> bool:
    """Whether a target lies upon a larger one."""
    is_smaller = one.width * one.height < other.width * other.height
    return is_smaller and other.contains(*one.centre)


def _without_buttons(scene: Scene) -> Scene:
    gone = [shape for shape in scene.shapes if getattr(shape, "screen_only", False)]
    frames = {(one.x, one.y, one.width, one.height) for one in gone if isinstance(one, Rect)}
    return replace(
        scene,
        shapes=tuple(each for each in scene.shapes if not getattr(each, "screen_only", False)),
        targets=tuple(
            each
            for each in scene.targets
            if (each.x, each.y, each.width, each.height) not in frames
        ),
    )


class Telling(NamedTuple):
    """Something in words, and the parts that it is made of."""

    words: str
    parts: tuple[Telling, ...] = ()

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, depth: int = 0) -> Iterator[str]:
        """A line for each thing, with its parts indented below it."""
        yield "  " * depth + self.words
        for part in self.parts:
            yield from part.lines(depth + 1)


def telling(scene: Scene) -> Telling:
    """A picture in words: what it is, then its targets, group by group.

    >>> hand = Target("card 1", "Ogre, strength 9", 0, 0, 9, 9, group="Your hand")
    >>> print(telling(Scene(9, 9, targets=(hand,), title="Duel", description="Blue moves.")))
    Duel. Blue moves.
      Your hand
        Ogre, strength 9
    """
    groups: dict[str, list[Telling]] = {}
    for target in scene.targets:
        groups.setdefault(target.group or "The table", []).append(Telling(target.name))
    words = " ".join(filter(None, (scene.title and f"{scene.title}.", scene.description)))
    return Telling(words, tuple(Telling(name, tuple(told)) for name, told in groups.items()))


def dashes(line: float) -> tuple[float, float]:
    """The lengths of a dash and of a gap in a line of that width."""
    return line * 2, line * 1.5


OFFERED_WORDS = "you may pick this"


def offering(scene: Scene, offered: Iterable[str]) -> Scene:
    """The same picture, where the spoken name of an offered target says that it is one.

    >>> box = Target("n", "North side: empty", 0, 0, 9, 9)
    >>> offering(Scene(9, 9, targets=(box,)), ["n"]).targets[0].name
    'North side: empty, you may pick this'
    """
    on_offer = set(offered)
    if not on_offer:
        return scene
    targets = tuple(on_offer_or_not(target, on_offer) for target in scene.targets)
    return replace(scene, targets=targets)


def on_offer_or_not(target: Target, offered: Container[str]) -> Target:
    """The same target, whose spoken name says so if it is among those that are offered."""
    if target.id not in offered:
        return target
    return replace(target, name=f"{target.name}, {OFFERED_WORDS}")


class Highlights(TypedDict, total=False):
    """What stands out in a picture: ids of targets."""

    lit: Iterable[str]  # those of a breach
    focus: str | None
    offered: Iterable[str]


def marked(scene: Scene, **highlights: Unpack[Highlights]) -> Scene:
    """The picture with offers outlined, breaches lit and the focus ringed, for every hand.

    An offered target gets a frame with bold corners, which covers no letter of it, a lit one a
    dashed outline and a badge with an exclamation mark, the focus a solid ring with a halo: none
    is told by its colour alone. Where a crowd of small targets is offered, each has only a dot.
    Unknown ids are passed over, since a breach may name a thing that this picture does not show.
    """
    highlights["offered"] = on_offer = tuple(highlights.get("offered", ()))
    picture = offering(scene, on_offer)
    shapes = outlines(scene, **highlights)
    return picture.with_shapes(*shapes) if shapes else picture


def outlines(scene: Scene, **highlights: Unpack[Highlights]) -> tuple[Shape, ...]:
    """The shapes that :func:`marked` adds to a picture."""
    on_offer = tuple(dict.fromkeys(highlights.get("offered", ())))
    lit, focus = highlights.get("lit", ()), highlights.get("focus")
    by_id = {target.id: target for target in reversed(scene.targets)}
    inviting = _crowded if len(on_offer) > _CROWD else _invitation
    shapes: list[Shape] = []
    for ids, outline in ((on_offer, inviting), (dict.fromkeys(lit), _alarm)):
        for target_id in ids:
            if (target := by_id.get(target_id)) is not None:
                shapes += outline(target, scene)
    if focus is not None and (target := scene.target(focus)) is not None:
        shapes += _ring(target, scene)
    return tuple(shapes)


def _invitation(target: Target, scene: Scene) -> tuple[Shape, ...]:
    # Round the target, not over it: that would cover what is written there. A low one, such
    # as a line of words, has others close to it, so its frame is fine and lies on its edge.
    fine = target.height < _LOW
    bold = 3.0 if fine else 4.0
    edge = _around(target, scene, inset=0 if fine else -2, stroke="paper", line=bold)
    halo = replace(edge, radius=0)
    frame = replace(halo, stroke="good", line=bold / 2)
    corners = (Path(corner, None, "good", bold) for corner in _corners(frame))
    return (frame, *corners) if fine else (halo, frame, *corners)


_LOW = 24.0


def _corners(frame: Rect) -> Iterator[tuple[Point, Point, Point]]:
    """The four corners of a frame, each with a part of the two sides that meet in it."""
    arm = min(14.0, frame.width / 4, frame.height / 4)
    left, top, right, bottom = frame.x, frame.y, frame.x + frame.width, frame.y + frame.height
    for x, across in ((left, arm), (right, -arm)):
        for y, down in ((top, arm), (bottom, -arm)):
            yield (x + across, y), (x, y), (x, y + down)


_CROWD = 12  # more offers than this are a crowd
_SMALL = 48.0  # … in which targets of at most this size have no room for a frame


def _crowded(target: Target, scene: Scene) -> tuple[Shape, ...]:
    """The mark of one offer among many: outlines all over would hide the picture."""
    if max(target.width, target.height) > _SMALL:
        return _invitation(target, scene)
    radius = max(2.0, min(target.width, target.height) * 0.09)
    # In a corner, where it does not cover what stands there.
    x, y = target.x + radius + 2, target.y + target.height - radius - 2
    return (Circle(x, y, radius, fill="good"),)


def _alarm(target: Target, scene: Scene) -> tuple[Shape, ...]:
    radius = max(5.0, min(9.0, target.height / 4, target.width / 4))
    x = min(target.x + target.width - radius * 0.6, scene.width - radius - 1)
    y = max(target.y + radius * 0.6, radius + 1)
    return (
        # The band beneath keeps the dashes visible on whatever colour they cross.
        _around(target, scene, inset=2, stroke="paper", line=4),
        _around(target, scene, inset=2, stroke="bad", line=3, dash=True),
        Circle(x, y, radius, fill="bad", stroke="paper", line=1.5),
        Text(x, y, "!", size=radius * 1.6, fill="on-bad", anchor="middle", bold=True),
    )


def _ring(target: Target, scene: Scene) -> tuple[Shape, ...]:
    return (
        _around(target, scene, inset=-0.5, stroke="paper", line=5),
        _around(target, scene, inset=-0.5, stroke="focus", line=3),
    )


def _around(
    target: Target, scene: Scene, *, inset: float, stroke: str, line: float, dash: bool = False
) -> Rect:
    """An outline at a target's edge, kept whole inside the picture."""
    edge = line / 2
    left, top = max(target.x + inset, edge), max(target.y + inset, edge)
    right = min(target.x + target.width - inset, scene.width - edge)
    bottom = min(target.y + target.height - inset, scene.height - edge)
    size = max(right - left, 1.0), max(bottom - top, 1.0)
    return Rect(left, top, *size, stroke=stroke, line=line, radius=4, dash=dash)
