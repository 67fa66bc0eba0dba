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
    add_family,
    contrast,
    luminance,
)
from castlelab.game import GAMES, SEAT_NAMES, game_class
from castlelab.rules import CastlelabError

both = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)

for game in GAMES:
    game_class(game).cover()  # its pictures bring the colours that only they use

PLAIN = [
    "paper",
    "panel",
    "card",
    "sunk",
    "rule",
    "brand",
    "chosen",
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
RAMP = [f"ramp-{number}" for number in range(1, 11)]
SEATS = [f"seat-{number}" for number in range(4)]
TILES = [f"hue-{name}" for name in ("red", "blue", "yellow")]
HUES = [*(f"hue-{name}" for name in ("teal", "brown", "purple", "crimson", "olive")), *TILES]
STORY = [
    f"story-{name}"
    for name in (
        *("sky", "cloud", "far", "hill", "meadow", "path", "stone", "shade", "brick", "glass"),
        "pencil",
    )
]
COURT = ("grass", "grid", "stone", "edge", "nobody", "0", "1", "2", "3")
SITE = [f"site-{name}" for name in COURT]
FIGURE = ["figure-skin", "figure-edge"]
FIELD = [f"field-{name}" for name in ("sky", "ground", "stone", "shade", "dark")]
WRITTEN_UPON = [
    *("accent", "good", "bad", "warn", "hidden"),
    *RAMP,
    *SEATS,
    *HUES,
    *STORY,
    *SITE,
    *FIELD,
    *FIGURE,
]


@both
def test_every_role_is_a_colour(theme: Theme) -> None:
    roles = {*PLAIN, *SOFT, *WRITTEN_UPON, *(f"on-{role}" for role in WRITTEN_UPON)}
    assert set(theme) == roles
    assert all(re.fullmatch("#[0-9a-f]{6}", theme[role]) for role in roles)


@both
def test_text_is_readable(theme: Theme) -> None:
    pairs = [(f"on-{role}", role) for role in WRITTEN_UPON]
    pairs += [
        (text, back) for text in ("ink", "muted") for back in ("paper", "panel", "card", *SOFT)
    ]
    pairs += [("brand", back) for back in ("paper", "panel", "card")]
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
def test_the_ramp_darkens_step_by_step(theme: Theme) -> None:
    """Lightness alone tells neighbours apart, whatever hues the eye can see."""
    for light, dark in pairwise(RAMP):
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
    with pytest.raises(CastlelabError, match=r"light theme has no colour 'ramp-11'.*ramp-1"):
        LIGHT["ramp-11"]
    with pytest.raises(CastlelabError, match="no colour"):
        DARK["?"]


def test_a_family_of_a_game_belongs_to_it_alone() -> None:
    add_family("site", {name: f"{LIGHT[f'site-{name}']} {DARK[f'site-{name}']}" for name in COURT})
    with pytest.raises(CastlelabError, match="site-"):
        add_family("site", {"grass": "#ffffff #000000"})
    assert LIGHT["site-grass"] != "#ffffff"


def test_a_theme_may_differ_in_a_few_colours() -> None:
    bright = Theme("bright", LIGHT.colours, {"paper": "#ffffff"})
    assert (bright["paper"], bright["ink"]) == ("#ffffff", LIGHT["ink"])
    assert set(bright) == set(LIGHT)
