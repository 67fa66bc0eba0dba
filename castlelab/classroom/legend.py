"""Whose pieces are whose, for paper that was printed without colours."""

from __future__ import annotations

from castlelab.draw.scene import Scene, Shape, Text
from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.site_picture import piece

_APART = 90.0


def legend(scene: Scene) -> Scene | None:
    """The piece and the name of each player whose recruits stand on a site of CastleScape."""
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
