"""The dice board in pictures: a square for each throw of two dice, and what stands beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

from castlelab.draw.layout import Part, button_part, joined, shifted, stacked
from castlelab.draw.scene import Happening, Piece, Rect, Shape, Target, Text, as_piece
from castlelab.games.once_upon_a_castle.board import FACES, face_words
from castlelab.games.once_upon_a_castle.dice_picture import SLIM, die_part

Throw = tuple[str, ...]  # what each die shows
Faces = frozenset[str]
Look = Callable[[Throw, float, float, float], Iterable[Shape]]

SMALL_DIE = SLIM._replace(die=44.0)
_HEAD, _CELL = 50.0, 53.0
_BOARD = 2 + _HEAD + len(FACES) * _CELL
_BESIDE = 172.0
_ORDER = ("First", "Second")


def face_key(face: str) -> str:
    """What a face is called in the id of a target.

    >>> face_key("any"), face_key("wood")
    ('?', 'wood')
    """
    return face_words(face).lower()


def throw_key(throw: Throw) -> str:
    return " ".join(map(face_key, throw))


def throws_part(
    look: Look,
    name: Callable[[Throw], str],
    looked: Throw,
    marked: tuple[Faces, Faces] | None = None,
) -> Part:
    """A square for each throw; where faces are ``marked``, of either die, they can be touched."""
    shapes: list[Shape] = [
        Text(2, _HEAD - 14, "1st ↓", 12, "muted"),
        Text(_HEAD, 12, "2nd →", 12, "muted", "end"),
    ]
    targets: list[Target] = []
    for die, (at, face) in product((0, 1), enumerate(FACES)):
        along = _HEAD + at * _CELL + 3
        x, y = (along, 0.0) if die else (0.0, along)
        shapes += die_part(face, x + 2, y + 2, SMALL_DIE).shapes
        if marked is not None:
            told = f"{_ORDER[die]} die {face_words(face)}"
            if face in marked[die]:
                shapes.append(Rect(x, y, 48, 48, None, "chosen", 4, 9))
                told += ": marked"
            targets.append(Target(f"{die + 1} {face_key(face)}", told, x, y, 48, 48))
    side = _CELL - 3
    for (row, first), (column, second) in product(enumerate(FACES), repeat=2):
        throw = first, second
        x, y = _HEAD + column * _CELL + 2, _HEAD + row * _CELL + 2
        shapes += look(throw, x, y, side)
        if throw == looked[:2]:
            shapes.append(Rect(x + 2, y + 2, side - 4, side - 4, None, "chosen", 3, 4))
        targets.append(Target(throw_key(throw), name(throw), x, y, side, side))
    return Part.of(shapes, targets, _BOARD, _BOARD)


def third_part(name: Callable[[str], str], third: str, width: float) -> Part:
    """The faces of a third die, with a few words below each; the one that it shows is framed."""
    across = min(width / len(FACES), 66.0)
    parts = []
    for at, face in enumerate(FACES):
        x, is_up = at * across, face == third
        edge = [Rect(x + 4, 2, 52, 52, None, "chosen", 4, 9)] if is_up else []
        die = die_part(face, x + 8, 6, SMALL_DIE)
        words = Text(x + 30, 63, name(face), 13, "ink", "middle", bold=is_up)
        told = f"Third die: {face_words(face)}, {name(face)}"
        target = Target(f"3 {face_key(face)}", told, x, 0, 60, 74)
        parts.append(Part.of([*edge, *die.shapes, words], [target]))
    return joined(parts, width, 76)


def thrown_part(throw: Throw) -> Part:
    """The dice of one throw, which tumble to their faces."""
    shapes: list[Shape] = []
    spots = [f"thrown {number}" for number in range(1, len(throw) + 1)]
    for at, (spot, face) in enumerate(zip(spots, throw, strict=True)):
        shapes += as_piece(
            die_part(face, at * 50, 0, SMALL_DIE).shapes, Piece(spot, spot, quiet=True)
        )
    thrown = [Happening("tumble", tuple((spot,) for spot in spots), throw_key(throw))] * bool(throw)
    return Part.of(shapes, (), _BESIDE, 46, thrown)


def button_column(buttons: Iterable[tuple[str, str]]) -> Part:
    """Buttons one below the other: the id of each, and its words."""
    return stacked([button_part(key, words, (0, 0, 160, 42)) for key, words in buttons], 8)


def beside_board(
    board: Part, dice: Part, total: Part, rest: Sequence[Part], *, is_narrow: bool
) -> Part:
    """The board, and the others beside or below it."""
    if not is_narrow:
        side = shifted(stacked([dice, total, *rest], 14), board.width + 16, _HEAD)
        return joined([board, side], board.width + 16 + _BESIDE, max(board.height, side.height))
    left, right = shifted(total, 8, 0), shifted(stacked([dice, *rest], 8), 196, 0)
    return stacked([board, joined([left, right], board.width, max(left.height, right.height))], 10)
