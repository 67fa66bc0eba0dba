"""The hand that draws a scene as SVG: for saved notebooks, exports and every viewer.

Colours are attributes and no style sheet, since some viewers strip those. What is painted alike
is gathered into a group, so that a picture is small enough to be kept in a notebook; a shape may
join an earlier group only if nothing painted in between lies under it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Unpack

from castlelab.draw.scene import (
    Circle,
    Highlights,
    Path,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    dashes,
    marked,
)
from castlelab.draw.theme import DARK, FONT, LIGHT, Theme

# XML 1.0 has no way at all to write these, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'
_SIZE = re.compile(r'\bwidth="([\d.]+)" height="([\d.]+)"')
_BETWEEN = 12.0  # pixels between pictures
_LIMIT = 1e6  # no picture is larger; keeps infinities out of the markup
_BASELINE = 0.35  # of their size: how far below their middle height words stand
_Box = tuple[float, float, float, float]  # left, top, right, bottom
_Paint = Mapping[str, str]  # an attribute, and the role or the value that it has


def render(scene: Scene, theme: Theme = LIGHT, **highlights: Unpack[Highlights]) -> str:
    """The scene as a standalone SVG document whose targets have names."""
    picture = marked(scene, **highlights)
    layers = (layer.written(theme) for layer in _layers(picture))
    return _document(scene, "".join((*layers, *map(_region, picture.targets))))


def still(scene: Scene, *, bare: bool = False, **highlights: Unpack[Highlights]) -> str:
    """The scene as a small SVG document to keep: it is light or dark as its reader is.

    A bare one has no ground of its own, for it stands among words.
    """
    layers = _layers(marked(scene, **highlights), bare)
    written = "".join(layer.written(LIGHT, is_lasting=True) for layer in layers)
    roles = dict.fromkeys(role for layer in layers for role in layer.roles)
    dark = "".join(f".{_class(*role)}{{{role[0]}:{DARK[role[1]]}}}" for role in roles)
    return _document(scene, f"<style>@media(prefers-color-scheme:dark){{{dark}}}</style>{written}")


def size_of(picture: str) -> tuple[float, float]:
    """How wide and how high a picture of this hand is.

    >>> size_of(still(Scene(30, 20)))
    (30.0, 20.0)
    """
    found = _SIZE.search(picture)
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


def side_by_side(pictures: Iterable[str], room: float = 720, each: float = math.inf) -> str:
    """Pictures of this hand in rows, as one; none is wider than ``each`` nor than the room.

    >>> size_of(side_by_side([still(Scene(300, 20))] * 3, room=700))
    (612.0, 52.0)
    """
    placed: list[str] = []
    x = y = wide = below = 0.0
    for picture in pictures:
        width, height = size_of(picture)
        scale = min(1.0, min(each, room) / max(width, 1))
        width, height = width * scale, height * scale
        if x and x + width > room:
            x, y = 0.0, below + _BETWEEN
        box = _attributes(x=x, y=y, width=width, height=height)
        placed.append(_SIZE.sub(box.strip(), picture.replace(f" {_NAMESPACE}", "", 1), count=1))
        wide, below = max(wide, x + width), max(below, y + height)
        x += width + _BETWEEN
    box = _attributes(width=max(wide, 1), height=max(below, 1))
    paper = f'<rect{box} fill="{LIGHT["paper"]}" class="{_class("fill", "paper")}"/>'
    return f'<svg {_NAMESPACE}{box} role="img">{paper}{"".join(placed)}</svg>'


def _document(scene: Scene, body: str) -> str:
    width, height = _number(max(scene.width, 1)), _number(max(scene.height, 1))
    return (
        f'<svg {_NAMESPACE} viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" role="img" font-family="{_words(FONT)}"'
        ' stroke-linejoin="round" stroke-linecap="round" style="max-width:100%;height:auto">'
        f"<title>{_words(scene.title or 'Picture')}</title>"
        f"<desc>{_words(scene.description)}</desc>{body}</svg>"
    )


def _is_seen(shape: Shape) -> bool:
    """Whether anything of a shape is painted; some only say where a piece stands."""
    return bool(shape.fill or (not isinstance(shape, Text) and shape.stroke))


# -- layers ----------------------------------------------------------------------------------


@dataclass
class _Layer:
    """Shapes that are painted alike, one after another."""

    paint: _Paint
    shapes: list[Shape] = field(default_factory=list)
    boxes: list[_Box] = field(default_factory=list)

    @property
    def roles(self) -> Iterator[tuple[str, str]]:
        """The colours by what they paint: ("fill", "ink")."""
        return ((name, self.paint[name]) for name in ("fill", "stroke") if name in self.paint)

    def written(self, theme: Theme, *, is_lasting: bool = False) -> str:
        roles = tuple(self.roles)
        values = {**self.paint, **{name: theme[role] for name, role in roles}}
        if "fill" not in values:
            values["fill"] = "none"
        if is_lasting and roles:
            values["class"] = " ".join(_class(*role) for role in roles)
        paint = "".join(f' {name}="{value}"' for name, value in values.items())
        if len(self.shapes) == 1:
            return _element(self.shapes[0], paint)
        return f"<g{paint}>{''.join(map(_element, self.shapes))}</g>"

    def touches(self, box: _Box) -> bool:
        left, top, right, bottom = box
        return any(
            x < right and left < x2 and y < bottom and top < y2 for x, y, x2, y2 in self.boxes
        )


def _class(part: str, role: str) -> str:
    return f"{part[0]}-{role}"


def _layers(picture: Scene, bare: bool = False) -> list[_Layer]:
    """All shapes, the background first, in few layers that look as if painted one by one."""
    layers: list[_Layer] = []
    ground = Rect(0, 0, max(picture.width, 1), max(picture.height, 1), fill="paper")
    for shape in (*[ground] * (not bare), *filter(_is_seen, picture.shapes)):
        paint, box = _paint(shape), _box(shape)
        layer = _joinable(reversed(layers), paint, box)
        if layer is None:
            layer = _Layer(paint)
            layers.append(layer)
        layer.shapes.append(shape)
        layer.boxes.append(box)
    return layers


def _joinable(layers: Iterable[_Layer], paint: _Paint, box: _Box) -> _Layer | None:
    """The last layer of the same paint, if nothing above it would be covered."""
    for layer in layers:
        if layer.paint == paint:
            return layer
        if layer.touches(box):
            return None
    return None


def _box(shape: Shape) -> _Box:
    """What a shape covers at most; not a number counts as everywhere."""
    match shape:
        case Text():
            # Nothing measures text here, so the box errs on the large side.
            usual = 0.75 if shape.bold else 0.68
            reach = shape.size * sum(1.1 if ord(each) > 0x2E7F else usual for each in shape.words)
            left = shape.x - reach * {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
            half = shape.size * 0.7
            found = left, shape.y - half, left + reach, shape.y + half
        case Rect():
            right, bottom = shape.x + shape.width, shape.y + shape.height
            found = _grown((shape.x, shape.y, right, bottom), shape)
        case Circle():
            x, y, radius = shape.x, shape.y, shape.radius
            found = _grown((x - radius, y - radius, x + radius, y + radius), shape)
        case Path():
            xs, ys = zip(*shape.points, strict=True) if shape.points else ((0.0,), (0.0,))
            found = _grown((min(xs), min(ys), max(xs), max(ys)), shape)
    everywhere = -math.inf, -math.inf, math.inf, math.inf
    return everywhere if any(map(math.isnan, found)) else found


def _grown(box: _Box, shape: Rect | Circle | Path) -> _Box:
    by = shape.line / 2 if shape.stroke else 0
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


# -- elements --------------------------------------------------------------------------------


def _paint(shape: Shape) -> _Paint:
    if isinstance(shape, Text):
        paint = {"fill": shape.fill, "font-size": _number(shape.size)}
        if shape.anchor != "start":
            paint["text-anchor"] = shape.anchor
        return paint | ({"font-weight": "700"} if shape.bold else {})
    paint = {"fill": shape.fill} if shape.fill else {}
    if shape.stroke:
        paint |= {"stroke": shape.stroke, "stroke-width": _number(shape.line)}
        if not isinstance(shape, Circle) and shape.dash:
            paint["stroke-dasharray"] = " ".join(map(_number, dashes(shape.line)))
            paint["stroke-linecap"] = "butt"
    return paint


def _element(shape: Shape, paint: str = "") -> str:
    match shape:
        case Rect():
            box = _attributes(x=shape.x, y=shape.y, width=shape.width, height=shape.height)
            radius = _attributes(rx=shape.radius) if shape.radius else ""
            return f"<rect{box}{radius}{paint}/>"
        case Circle():
            return f"<circle{_attributes(cx=shape.x, cy=shape.y, r=shape.radius)}{paint}/>"
        case Path():
            return f'<path d="{_way(shape)}"{paint}/>'
        case Text():
            place = _attributes(x=shape.x, y=shape.y + _BASELINE * shape.size)
            return f"<text{place}{paint}>{_words(shape.words)}</text>"


def _way(path: Path) -> str:
    """The points of a path, each but the first as its step from the one before."""
    tenths = [(_tenths(x), _tenths(y)) for x, y in path.points]
    steps = [(x - x0, y - y0) for (x0, y0), (x, y) in pairwise(tenths)]
    if not tenths:
        return ""
    first, *others = (
        f"{_number(across / 10)} {_number(down / 10)}" for across, down in (*tenths[:1], *steps)
    )
    # A minus sign parts numbers as well as a space does.
    rest = " ".join(others).replace(" -", "-")
    return f"M{first}{f'l{rest}' if rest else ''}{'z' if path.closed else ''}"


def _tenths(value: float) -> int:
    return round(10 * (0 if math.isnan(value) else max(-_LIMIT, min(_LIMIT, value))))


def _region(target: Target) -> str:
    """An unseen box that names its part of the picture to the pointer and to scripts."""
    box = _attributes(x=target.x, y=target.y, width=target.width, height=target.height)
    return (
        f'<rect{box} fill="none" pointer-events="all" data-target="{_words(target.id)}">'
        f"<title>{_words(target.name)}</title></rect>"
    )


def _attributes(**values: float) -> str:
    return "".join(f' {name}="{_number(value)}"' for name, value in values.items())


def _number(value: float) -> str:
    """A coordinate with at most one decimal, whatever it was."""
    return f"{_tenths(value) / 10:.1f}".removesuffix(".0")


def _words(text: str) -> str:
    return escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text))
