"""The hand that draws a scene as SVG: for saved notebooks, exports and every viewer."""

from __future__ import annotations

import math
import re
from html import escape
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
from castlelab.draw.theme import FONT, LIGHT, Theme

# XML 1.0 has no way at all to write these, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LIMIT = 1e6  # no picture is larger; keeps infinities out of the markup


def render(scene: Scene, theme: Theme = LIGHT, **highlights: Unpack[Highlights]) -> str:
    """The scene as a standalone SVG document."""
    picture = marked(scene, **highlights)
    width, height = _number(max(scene.width, 1)), _number(max(scene.height, 1))
    body = [
        f"<title>{_words(scene.title or 'Picture')}</title>",
        f"<desc>{_words(scene.description)}</desc>",
        f'<rect width="{width}" height="{height}" fill="{theme["paper"]}"/>',
        *(_shape(shape, theme) for shape in picture.shapes if _is_seen(shape)),
        *map(_region, picture.targets),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" role="img" font-family="{_words(FONT)}"'
        f' style="max-width:100%;height:auto">{"".join(body)}</svg>'
    )


def _is_seen(shape: Shape) -> bool:
    """Whether anything of a shape is painted; some only say where a piece stands."""
    return bool(shape.fill or (not isinstance(shape, Text) and shape.stroke))


def _shape(shape: Shape, theme: Theme) -> str:
    match shape:
        case Rect():
            box = _attributes(x=shape.x, y=shape.y, width=shape.width, height=shape.height)
            radius = _attributes(rx=shape.radius) if shape.radius else ""
            dash = _dash(shape.line) if shape.dash else ""
            return f"<rect{box}{radius}{_paint(shape, theme)}{dash}/>"
        case Circle():
            place = _attributes(cx=shape.x, cy=shape.y, r=shape.radius)
            return f"<circle{place}{_paint(shape, theme)}/>"
        case Path():
            tag = "polygon" if shape.closed else "polyline"
            points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
            dash = _dash(shape.line) if shape.dash else ""
            joins = ' stroke-linejoin="round" stroke-linecap="round"'
            return f'<{tag} points="{points}"{_paint(shape, theme)}{dash}{joins}/>'
        case Text():
            place = _attributes(x=shape.x, y=shape.y, font_size=shape.size)
            anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
            weight = ' font-weight="700"' if shape.bold else ""
            return (
                f'<text{place}{anchor}{weight} fill="{theme[shape.fill]}"'
                f' dominant-baseline="central">{_words(shape.words)}</text>'
            )


def _region(target: Target) -> str:
    """An unseen box that names its part of the picture to the pointer and to scripts."""
    box = _attributes(x=target.x, y=target.y, width=target.width, height=target.height)
    return (
        f'<rect{box} fill="none" pointer-events="all" data-target="{_words(target.id)}">'
        f"<title>{_words(target.name)}</title></rect>"
    )


def _paint(shape: Rect | Circle | Path, theme: Theme) -> str:
    fill = theme[shape.fill] if shape.fill else "none"
    if not shape.stroke:
        return f' fill="{fill}"'
    return f' fill="{fill}" stroke="{theme[shape.stroke]}" stroke-width="{_number(shape.line)}"'


def _dash(line: float) -> str:
    return f' stroke-dasharray="{" ".join(map(_number, dashes(line)))}"'


def _attributes(**values: float) -> str:
    return "".join(f' {name.replace("_", "-")}="{_number(v)}"' for name, v in values.items())


def _number(value: float) -> str:
    """A coordinate with at most two decimals, whatever it was."""
    if math.isnan(value):
        return "0"
    return f"{max(-_LIMIT, min(_LIMIT, value)):.2f}".rstrip("0").rstrip(".")


def _words(text: str) -> str:
    return escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text))
