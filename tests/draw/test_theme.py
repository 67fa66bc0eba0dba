"""Every pair of text and background is readable, and no ramp depends on hue alone."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from castlelab.draw.theme import (
    DARK,
    LIGHT,
    READABLE,
    VISIBLE,
    Theme,
    contrast,
    luminance,
)
from castlelab.game import SEAT_NAMES
from castlelab.rules import CastlelabError

both = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)

PLAIN = [
    "paper",
    "panel",
    "ink",
    "muted",
    "line",
    "accent",
    "focus",
    "good",
    "bad",
    "warn",
    "hidden",
]
SOFT = ["good-soft", "bad-soft", "accent-soft", "warn-soft"]
SIZES = [f"size-{number}" for number in range(1, 11)]
SEATS = [f"seat-{number}" for number in range(4)]
SKILLS = [f"skill-{name}" for name in ("balance", "base", "mix", "strength", "width")]
TILES = [f"tile-{name}" for name in ("red", "blue", "yellow")]
STORY = [
    f"story-{name}"
    for name in (
        *("sky", "cloud", "far", "hill", "meadow", "path", "stone", "shade", "brick", "glass"),
        "pencil",
    )
]
SITE = [f"site-{name}" for name in ("grass", "grid", "stone", "edge", "nobody", 0, 1, 2, 3)]
WRITTEN_UPON = [
    *("accent", "good", "bad", "warn", "hidden"),
    *SIZES,
    *SEATS,
    *SKILLS,
    *TILES,
    *STORY,
    *SITE,
]


@both
def test_every_role_is_a_colour(theme: Theme) -> None:
    roles = {*PLAIN, *SOFT, *WRITTEN_UPON, *(f"on-{role}" for role in WRITTEN_UPON)}
    assert set(theme) == roles
    assert all(re.fullmatch("#[0-9a-f]{6}", theme[role]) for role in roles)


@both
def test_text_is_readable(theme: Theme) -> None:
    pairs = [(f"on-{role}", role) for role in WRITTEN_UPON]
    pairs += [(text, back) for text in ("ink", "muted") for back in ("paper", "panel", *SOFT)]
    pairs += [("ink", "hidden")]
    pairs += [(text, "paper") for text in ("accent", "good", "bad", "warn")]
    poor = {pair: contrast(theme[pair[0]], theme[pair[1]]) for pair in pairs}
    assert {pair: value for pair, value in poor.items() if value < READABLE} == {}


@both
def test_lines_are_visible(theme: Theme) -> None:
    for role in ("line", "accent", "focus", "good", "bad", "warn"):
        for back in ("paper", "panel"):
            assert contrast(theme[role], theme[back]) >= VISIBLE, (role, back)


@both
def test_pencil_lines_are_visible(theme: Theme) -> None:
    for back in ("story-sky", "story-far", "story-hill", "story-path"):
        assert contrast(theme["story-pencil"], theme[back]) >= VISIBLE, back


@both
def test_walls_and_patterns_are_visible(theme: Theme) -> None:
    for back in SITE:
        if back not in ("site-grid", "site-stone", "site-edge"):
            assert contrast(theme["site-edge"], theme[back]) >= VISIBLE, back
            assert contrast(theme["muted"], theme[back]) >= VISIBLE, back


@both
def test_sizes_darken_step_by_step(theme: Theme) -> None:
    """Lightness alone tells neighbours apart, whatever hues the eye can see."""
    for light, dark in pairwise(SIZES):
        assert luminance(theme[light]) > luminance(theme[dark])
        assert contrast(theme[light], theme[dark]) >= 1.1, (light, dark)


@both
def test_tiles_differ_in_lightness_too(theme: Theme) -> None:
    for dark, light in pairwise(TILES):
        assert luminance(theme[light]) > luminance(theme[dark])
        assert contrast(theme[light], theme[dark]) >= 1.5, (light, dark)


def test_every_seat_has_a_name_and_a_colour() -> None:
    assert len(set(SEAT_NAMES)) == len(SEATS)


def test_an_unknown_role_names_its_neighbours() -> None:
    with pytest.raises(CastlelabError, match=r"light theme has no colour 'size-11'.*size-1"):
        LIGHT["size-11"]
    with pytest.raises(CastlelabError, match="no colour"):
        DARK["?"]
