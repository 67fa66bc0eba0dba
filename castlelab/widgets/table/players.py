"""Those who play: their signs, names and points."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from castlelab.bots import LONG_THINKER
from castlelab.draw import svg
from castlelab.draw.layout import Part
from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape
from castlelab.draw.theme import DARK, LIGHT
from castlelab.game import SEAT_NAMES, State
from castlelab.rules import in_figures
from castlelab.widgets.shown import image_html

_SIGN = 16.0  # pixels
_PLAYS = {"random": "careless", "montecarlo": "thinking", LONG_THINKER: "long-thinking"}

#: The colours of the seats, for style sheets: they follow the page, light or dark.
SEAT_COLOURS = "".join(
    f".castlelab-seat-{seat} {{ --seat: light-dark({LIGHT[role]}, {DARK[role]}); }}\n"
    f".castlelab-table:has(.castlelab-turn.castlelab-seat-{seat}) "
    f"{{ --turn: light-dark({LIGHT[role]}, {DARK[role]}); }}\n"
    for seat, role in enumerate(f"seat-{seat}" for seat in range(len(SEAT_NAMES)))
)


def seat_sign(seat: int, size: float = _SIGN) -> Scene:
    """What stands for a seat beside its colour: a disc, a square, a triangle, a diamond."""
    low, high, middle = 1.0, size - 1, size / 2
    fill = f"seat-{seat}"
    shape: Shape
    if seat == 0:
        shape = Circle(middle, middle, middle - 1.5, fill, "ink")
    elif seat == 1:
        shape = Rect(low + 1, low + 1, size - 4, size - 4, fill, "ink", radius=2)
    else:
        triangle = ((middle, low), (high, high - 1), (low, high - 1))
        diamond = ((middle, low), (high, middle), (middle, high), (low, middle))
        shape = Path(triangle if seat == 2 else diamond, fill, "ink", 1, closed=True)
    return Part((shape,), (), size, size).scene(SEAT_NAMES[seat], "")


def sign_html(seat: int, words: str = "") -> str:
    """The sign of a seat as an image."""
    silent = "" if words else ' aria-hidden="true"'
    return image_html(
        svg.still(seat_sign(seat), bare=True), words, f' class="castlelab-emblem"{silent}'
    )


def manner(bot: str) -> str:
    """How a bot plays, for a line on the page; bots of others have their names.

    >>> manner("montecarlo"), manner("greedy")
    ('thinking', 'greedy')
    """
    return _PLAYS.get(bot, bot)


def players_html(seen: State, bots: Mapping[int, str], you: int | None) -> str:
    """Every seat with its points, as they are seen: who is to move, who is a bot, who is you."""
    rows = (_player(seen, seat, bots, you) for seat in range(seen.game.players))
    return f'<ul class="castlelab-players">{"".join(rows)}</ul>'


def _player(seen: State, seat: int, bots: Mapping[int, str], you: int | None) -> str:
    who = (
        f"{escape(manner(bots[seat]))}<i> bot</i>" if seat in bots else "you" if seat == you else ""
    )
    pill = f'<span class="castlelab-who">{who}</span>' if who else ""
    number, unit = seen.standing(seat)
    named = unit or "points"
    told = " ".join(f"<span>{escape(words)}</span>" for words in seen.remarks(seat))
    turn = ' aria-current="true"' if seen.to_move == seat else ""
    return (
        f'<li class="castlelab-seat-{seat}"{turn}>{sign_html(seat)}<b>{SEAT_NAMES[seat]}</b>{pill}'
        f'<span class="castlelab-score" role="img" aria-label="{number} {escape(named)}">'
        f"<small>{escape(unit)}</small> {in_figures(number)}</span><small>{told}</small></li>"
    )
