"""CastleScape in pictures: the cover, whose pieces are whose, and whatever others show of it."""

from __future__ import annotations

from castlelab.draw.layout import COVER, wordless
from castlelab.draw.scene import Rect, Scene, Shape, Text
from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.card_picture import Gauge as Gauge
from castlelab.games.castlescape.card_picture import cards_scene as cards_scene
from castlelab.games.castlescape.sign_picture import emblem_scene as emblem_scene
from castlelab.games.castlescape.site_picture import LABELS, Marks, piece, site_part
from castlelab.games.castlescape.site_picture import board_scene as board_scene
from castlelab.games.castlescape.table_picture import table_scene as table_scene
from castlelab.games.castlescape.text_picture import table_text as table_text

_COVER = """
.........
.##A###..
.#a...B..
.#.b#.#d.
.C#####..
.........
"""


def cover_scene() -> Scene:
    """A bailey and the recruits of four guilds."""
    width, height = COVER
    site = site_part(Board.parse(_COVER), -LABELS, 5 - LABELS, 40, Marks(tags=False))
    edge = Rect(0, 5, width, 240, None, "line", 1, dash=True)  # the site goes on beyond it
    base = Rect(0, 0, width, height, "site-grass")
    words = "Walls seen from above enclose a bailey; recruits of four guilds stand about."
    return Scene(
        width,
        height,
        (base, *(each for each in wordless(site.shapes) if each != edge)),
        (),
        "CastleScape",
        words,
    )


_APART = 90.0  # from one piece of the legend to the next


def legend_scene(scene: Scene) -> Scene | None:
    """The piece and the name of each player whose recruits stand in a picture of a site.

    For paper that was printed without colours.
    """
    fills = {getattr(shape, "fill", None) for shape in scene.shapes}
    seats = [seat for seat in range(len(SEAT_NAMES)) if f"seat-{seat}" in fills]
    if not seats:
        return None
    shapes: list[Shape] = []
    for at, seat in enumerate(seats):
        x = 14 + at * _APART
        shapes += [piece(seat, x, 13, 9, 1), Text(x + 15, 13, SEAT_NAMES[seat], 13)]
    names = ", ".join(SEAT_NAMES[seat] for seat in seats)
    return Scene(len(seats) * _APART + 8, 26, tuple(shapes), (), "Whose pieces", f"{names}.")
