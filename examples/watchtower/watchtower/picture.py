"""A moment as a picture: shapes from back to front, and targets that can be picked."""

from castlelab.draw.scene import Rect, Scene, Shape, Target, Text
from castlelab.edition import Edition
from watchtower.moves import LAYERS, TOWERS
from watchtower.play import Moment, Watchtower

_STONE, _TALL, _COLUMN, _TOP = 36, 26, 124, 64


def table_scene(state: Moment) -> Scene:
    """The towers side by side, and below each the numbers of stones that one may lay."""
    width, ground = 3 * _COLUMN, _TOP + _TALL * state.game.layers
    shapes: list[Shape] = [Rect(0, 0, width, ground + 76, "paper")]
    for seat in (0, 1):
        words, bold = state.tell_seat(seat), seat == state.to_move
        shapes.append(Text(10, 18 + 22 * seat, words, fill=f"seat-{seat}", bold=bold))
    targets: list[Target] = []
    for place, (name, tower) in enumerate(zip(TOWERS, state.towers, strict=True)):
        left, middle = _COLUMN * place, _COLUMN * (place + 0.5)
        for level, stones in enumerate(tower, start=1):
            x, y = middle - _STONE * stones / 2, ground - _TALL * level
            row = [Rect(x + _STONE * n, y, _STONE, _TALL, "ramp-3", "ink") for n in range(stones)]
            shapes += row
        shapes.append(Text(middle, ground + 16, name.title(), anchor="middle"))
        told = f"{name.title()} tower: {' on '.join(map(str, tower[::-1])) or 'empty'}"
        targets.append(Target(name, told, left + 4, _TOP, _COLUMN - 8, ground - _TOP))
    for at, (layer, move) in enumerate(LAYERS.items()):
        x, y = _COLUMN * (at // 3) + 8 + _STONE * (at % 3), ground + 32
        shapes.append(Rect(x, y, 34, 34, "panel", "line", radius=4))
        shapes.append(Text(x + 17, y + 17, str(move.stones), anchor="middle"))
        targets.append(Target(layer, f"Lay {move.stones} on the {move.tower} tower", x, y, 34, 34))
    return Scene(width, ground + 76, tuple(shapes), tuple(targets), "Watchtower", state.describe())


def cover_scene() -> Scene:
    """A picture that makes one want to play."""
    game = Watchtower(edition=Edition.load("watchtower"))
    return table_scene(Moment(game, ((3, 2, 1), (3, 3, 2, 1), (3, 2)), (4, 3), (9, 0), 0))
