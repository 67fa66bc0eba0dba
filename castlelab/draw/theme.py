"""Colours by role, for the light and the dark page.

A scene names what a colour is *for*; a theme says which colour that is. Every role that is
written upon has a partner ``on-…`` whose contrast with it is at least 4.5 (WCAG AA), and the
ramps step in lightness as well as in hue, so that they survive every kind of colour vision.
The roles here serve every game; what only one game paints with, its pictures add
(:func:`add_family`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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
    instead: Mapping[str, str] = field(default_factory=dict)  # what differs from these colours

    def __getitem__(self, role: str) -> str:
        try:
            return self.instead.get(role) or self.colours[role]
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


#: Each role with its colour on the light and on the dark page.
_PLAIN = {
    "paper": "#fbf8f2 #1b1816",
    "panel": "#f2ece1 #24201d",
    "card": "#fffdf9 #2b2623",
    "sunk": "#ece4d6 #37302b",
    "rule": "#e2d8c8 #3d362f",
    "ink": "#2a211c #f3ece2",
    "muted": "#675b50 #b9ac9d",
    "line": "#8b7f70 #8d8073",
    "brand": "#8a3b12 #f0a36f",
    "focus": "#0a5bd3 #ffd866",
    "chosen": "#0a5bd3 #7fb0ff",
    "good-soft": "#e0efdf #20352a",
    "bad-soft": "#fbe2dc #46231f",
    "accent-soft": "#dcebf1 #1d3540",
    "warn-soft": "#fbebcd #40311a",
}
_WRITTEN_UPON = {
    "accent": "#1d5c74 #7cc0da",
    "good": "#2b6a41 #86cf9b",
    "bad": "#b0281f #ff9385",
    "warn": "#8f5400 #f2bd66",
    "hidden": "#b7a995 #6a5d51",
}
#: Whatever grows, from light to dark.
_RAMP = {
    "1": "#fdf2cf #fff4d6",
    "2": "#fae0a0 #fbe3a8",
    "3": "#f4c878 #f5cc80",
    "4": "#eaab5c #edb064",
    "5": "#dd8a4c #e29154",
    "6": "#cd6c4d #d47555",
    "7": "#ab4657 #bd5364",
    "8": "#88345f #a24272",
    "9": "#622a60 #80407f",
    "10": "#3a2155 #5f4188",
}
_SEATS = {
    "0": "#2a5a9c #80b1ec",
    "1": "#bd461d #f08f68",
    "2": "#1d7757 #64c49d",
    "3": "#e3b43c #f1cf6b",
}
#: Things of several kinds, each with a hue of its own.
_HUES = {
    "teal": "#1f757c #6fc6c9",
    "brown": "#7b4f2b #d3a275",
    "purple": "#71459a #c29be6",
    "crimson": "#ad3b3a #f08f86",
    "olive": "#4a6b1f #a9cc6f",
    "red": "#b23a30 #d6554b",
    "blue": "#4b8fd6 #7fb2ee",
    "yellow": "#f4c842 #f7d874",
}

_light: dict[str, str] = {}
_dark: dict[str, str] = {}
LIGHT = Theme("light", MappingProxyType(_light))
DARK = Theme("dark", MappingProxyType(_dark))


def _add(roles: Mapping[str, str]) -> None:
    for role, pair in roles.items():
        _light[role], _dark[role] = pair.split()


def _add_written_upon(roles: Mapping[str, str]) -> None:
    _add(roles)
    _add({f"on-{role}": " ".join(map(_text_on, pair.split())) for role, pair in roles.items()})


def add_family(family: str, members: Mapping[str, str]) -> None:
    """Let both themes know the roles of a game: for each its light and its dark colour.

    ``add_family("site", {"grass": "#e7edd8 #252e1f"})`` adds ``site-grass`` and
    ``on-site-grass``, the text upon it. A family belongs to whoever brought it first.
    """
    roles = {f"{family}-{member}": pair for member, pair in members.items()}
    known = {
        role: f"{LIGHT[role]} {DARK[role]}"
        for role in tuple(LIGHT)
        if role.startswith(f"{family}-")
    }
    if known and known != roles:
        raise CastlelabError(f"the themes have other colours {family}-… already")
    _add_written_upon(roles)


def style_sheet() -> str:
    """The colours that every page needs as CSS, light and dark: ``var(--castlelab-ink)``.

    A page follows the system's choice, unless ``data-theme`` of its root says otherwise.
    """
    light, dark = (
        " ".join(f"--castlelab-{role}: {theme[role]};" for role in _PAGE_ROLES)
        for theme in (LIGHT, DARK)
    )
    chosen = ':root[data-theme="dark"]'
    system = ':root:not([data-theme="light"])'
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"{chosen} {{ color-scheme: dark; {dark} }}\n"
        "@media screen and (prefers-color-scheme: dark) {\n"
        f"  {system} {{ color-scheme: dark; {dark} }}\n}}\n"
    )


_add(_PLAIN)
_add_written_upon(_WRITTEN_UPON)
_PAGE_ROLES = tuple(_light)
add_family("ramp", _RAMP)
add_family("seat", _SEATS)
add_family("hue", _HUES)
