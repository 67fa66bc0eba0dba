"""Colours by role, for the light and the dark page.

A scene names what a colour is *for*; a theme says which colour that is. Every role that is
written upon has a partner ``on-…`` whose contrast with it is at least 4.5 (WCAG AA), and the
ramps step in lightness as well as in hue, so that they survive every kind of colour vision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from castlelab.rules import CastlelabError

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
READABLE = 4.5  # the least contrast of text (WCAG AA)
VISIBLE = 3.0  # the least contrast of a meaningful line


def luminance(colour: str) -> float:
    """How bright ``"#rrggbb"`` is to the eye, from 0 (black) to 1 (white).

    >>> luminance("#ffffff")
    1.0
    """
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG, from 1 (the same) to 21 (black on white).

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@dataclass(frozen=True, eq=False)
class Theme:
    """A colour for every role.

    >>> LIGHT["ink"]
    '#2a211c'
    """

    name: str
    colours: Mapping[str, str]

    def __getitem__(self, role: str) -> str:
        try:
            return self.colours[role]
        except KeyError:
            raise CastlelabError(
                f"The {self.name} theme has no colour {role!r}; {self._nearest(role)}"
            ) from None

    def __contains__(self, role: object) -> bool:
        return role in self.colours

    def __iter__(self) -> Iterator[str]:
        return iter(self.colours)

    def __repr__(self) -> str:
        return f"Theme({self.name})"

    def _nearest(self, role: str) -> str:
        near = get_close_matches(role, self.colours, n=3, cutoff=0.5)
        return f"did you mean {' or '.join(near)}?" if near else "see theme.colours for the names."


_DARK_TEXT = "#1c1512"
_LIGHT_TEXT = "#fffdf9"


def _text_on(colour: str) -> str:
    """Dark or light text, whichever reads better on a colour."""
    return max(_DARK_TEXT, _LIGHT_TEXT, key=lambda text: contrast(text, colour))


def _theme(name: str, plain: Mapping[str, str], **families: Mapping[str, str]) -> Theme:
    """A theme of plain roles and of families (``size`` → ``size-7``) with their text colours."""
    written_upon = {role: plain[role] for role in ("accent", "good", "bad", "warn", "hidden")}
    for family, members in families.items():
        written_upon |= {f"{family}-{member}": colour for member, colour in members.items()}
    texts = {f"on-{role}": _text_on(colour) for role, colour in written_upon.items()}
    return Theme(name, MappingProxyType({**plain, **written_upon, **texts}))


def _numbered(first: int, colours: str) -> dict[str, str]:
    return {str(number): colour for number, colour in enumerate(colours.split(), first)}


LIGHT = _theme(
    "light",
    {
        "paper": "#fbf8f2",
        "panel": "#f2ece1",
        "ink": "#2a211c",
        "muted": "#675b50",
        "line": "#8b7f70",
        "accent": "#1d5c74",
        "focus": "#0a5bd3",
        "good": "#2b6a41",
        "bad": "#b0281f",
        "warn": "#8f5400",
        "hidden": "#b7a995",
        "good-soft": "#e0efdf",
        "bad-soft": "#fbe2dc",
        "accent-soft": "#dcebf1",
        "warn-soft": "#fbebcd",
    },
    size=_numbered(
        1,
        "#fdf2cf #fae0a0 #f4c878 #eaab5c #dd8a4c #cd6c4d #ab4657 #88345f #622a60 #3a2155",
    ),
    seat=_numbered(0, "#2a5a9c #bd461d #1d7757 #e3b43c"),
    skill={
        "balance": "#1f757c",
        "base": "#7b4f2b",
        "mix": "#71459a",
        "strength": "#ad3b3a",
        "width": "#4a6b1f",
    },
    tile={"red": "#b23a30", "blue": "#4b8fd6", "yellow": "#f4c842"},
    story={
        "sky": "#d3e9f6",
        "cloud": "#ffffff",
        "far": "#bcd8c2",
        "hill": "#a3cd8d",
        "meadow": "#86b971",
        "path": "#ecd9ae",
        "stone": "#d9cfc0",
        "shade": "#bfb2a0",
        "brick": "#e3b48e",
        "glass": "#4a3f5c",
        "pencil": "#54656f",
    },
    site={
        "grass": "#e7edd8",
        "grid": "#c3cbae",
        "stone": "#b5a996",
        "edge": "#5d5247",
        "nobody": "#d8d3c8",
        **_numbered(0, "#cadbf3 #f8d2c1 #c5e6d6 #f7e5a8"),
    },
)

DARK = _theme(
    "dark",
    {
        "paper": "#1b1816",
        "panel": "#292421",
        "ink": "#f3ece2",
        "muted": "#b9ac9d",
        "line": "#8d8073",
        "accent": "#7cc0da",
        "focus": "#ffd866",
        "good": "#86cf9b",
        "bad": "#ff9385",
        "warn": "#f2bd66",
        "hidden": "#6a5d51",
        "good-soft": "#20352a",
        "bad-soft": "#46231f",
        "accent-soft": "#1d3540",
        "warn-soft": "#40311a",
    },
    size=_numbered(
        1,
        "#fff4d6 #fbe3a8 #f5cc80 #edb064 #e29154 #d47555 #bd5364 #a24272 #80407f #5f4188",
    ),
    seat=_numbered(0, "#80b1ec #f08f68 #64c49d #f1cf6b"),
    skill={
        "balance": "#6fc6c9",
        "base": "#d3a275",
        "mix": "#c29be6",
        "strength": "#f08f86",
        "width": "#a9cc6f",
    },
    tile={"red": "#d6554b", "blue": "#7fb2ee", "yellow": "#f7d874"},
    story={
        "sky": "#1a2440",
        "cloud": "#44536f",
        "far": "#23363a",
        "hill": "#2b4634",
        "meadow": "#1f3527",
        "path": "#574a33",
        "stone": "#8a8075",
        "shade": "#6f655b",
        "brick": "#b27d58",
        "glass": "#2a2136",
        "pencil": "#a3b1c4",
    },
    site={
        "grass": "#252e1f",
        "grid": "#4b5840",
        "stone": "#776d62",
        "edge": "#cbbfaf",
        "nobody": "#3d3834",
        **_numbered(0, "#233750 #4d2c1e #1c4233 #4b411b"),
    },
)
