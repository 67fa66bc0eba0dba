"""The waiting machine in pictures: a hopper of balls, a switch, and jars to fall into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from castlelab.draw.layout import Part, centred, in_rows, joined, rows
from castlelab.draw.scene import Circle, Path, Piece, Rect, Shape, Target, Text, as_piece
from castlelab.games.once_upon_a_castle.board import FACES, face_words
from castlelab.games.once_upon_a_castle.board_picture import ROLES
from castlelab.games.once_upon_a_castle.dice_board_picture import SMALL_DIE, face_key
from castlelab.games.once_upon_a_castle.dice_picture import die_part

Jar = str
Roll = tuple[str, str]
#: The jars, from the beginning to the end, and what is written on them.
JARS: dict[Jar, tuple[str, str]] = {
    "both": ("misses", "both"),
    "wood": ("misses", "Wood"),
    "stone": ("misses", "Stone"),
    "kept": ("a ? is", "kept"),
    "full": ("line", "full"),
}
_CHIP = 36.0, 20.0
_BALL = 13.0  # from one to the next
_MOST_ROLLS = 13  # in a jar


def hopper_part(dropped: Sequence[str], width: float) -> Part:
    """The balls that have not fallen, below the face of their first die."""
    across = width / len(FACES)
    parts = []
    for place, face in enumerate(FACES):
        x, is_empty = place * across, face in dropped
        frame = (x + 2, 0.0, across - 4, 182.0)
        die = die_part(face, x + across / 2 - 22, 5, SMALL_DIE, used=is_empty)
        shapes: list[Shape] = [Rect(*frame, "panel", "line", 1, 7), *die.shapes]
        if not is_empty:
            balls = [(face, other) for other in FACES]
            for ball, left, top in in_rows(balls, 1, x + across / 2, 63, 0, 20.5):
                shapes += _ball(ball, left - _CHIP[0] / 2, top - 9)
        told = f"First die {face_words(face)}: {'fallen' if is_empty else 'six balls'}"
        parts.append(Part.of(shapes, [Target(f"drop {face_key(face)}", told, *frame)]))
    return joined(parts, width, 184)


def _ball(roll: Roll, x: float, y: float) -> tuple[Shape, ...]:
    """A roll by its letters, in the colour of the first face that helps."""
    letters = "".join(face_words(face)[0] for face in roll)
    helps = next((face for face in roll if face in ("wood", "stone", "any")), "")
    role = ROLES[helps] if helps else "card"
    ink = "ink" if role == "card" else f"on-{role}"
    box = (x, y, *_CHIP)
    shapes = (Rect(*box, role, "ink", 1, 9), centred(box, letters, 12, ink, bold=True))
    spot = f"{letters} {round(x)} {round(y)}"
    return as_piece(shapes, Piece(f"ball {letters}", spot))


def switch_part(lanes: Sequence[str], lane: str, width: float) -> Part:
    """What a lone ? is to be: one of a few."""
    across, first = (width - 90) / len(lanes), 88.0
    shapes: list[Shape] = [Text(4, 21, "a lone ? is", 14, "ink")]
    targets = []
    for place, name in enumerate(lanes):
        box = (first + place * across, 0.0, across - 4, 42.0)
        is_on, words = name == lane, name.capitalize()
        fill, ink = ("accent", "on-accent") if is_on else ("card", "ink")
        shapes += [
            Rect(*box, fill, "ink", 2 if is_on else 1, 8),
            centred(box, words, 15, ink, bold=is_on),
        ]
        targets.append(Target(f"switch {name}", words + ": chosen" * is_on, *box))
    return Part.of(shapes, targets, width, 44)


def rolls_part(jars: Mapping[Jar, Sequence[Roll]], width: float) -> Part:
    """Jars with the rolls that have fallen into them."""
    across = width / len(jars)
    columns = int((across - 8) // (_CHIP[0] + 2))
    shapes: list[Shape] = []
    high = 68 + rows(_MOST_ROLLS, columns) * 22
    for place, (jar, balls) in enumerate(jars.items()):
        x = place * across
        shapes += _jar(jar, str(len(balls)), x, across, high)
        left = x + (across - columns * (_CHIP[0] + 2)) / 2 + 1
        for ball, bx, by in in_rows(balls, columns, left, high - 24, _CHIP[0] + 2, -22):
            shapes += _ball(ball, bx, by)
    return Part.of(shapes, (), width, high + 2)


def balls_part(jars: Mapping[Jar, tuple[Fraction, str]], width: float) -> Part:
    """Jars with 36 balls, as they lie on average, and the number of those in each."""
    across = width / len(jars)
    columns = int((across - 12) // _BALL)
    high = 74 + rows(36, columns) * _BALL
    shapes: list[Shape] = []
    for place, (jar, (_, words)) in enumerate(jars.items()):
        shapes += _jar(jar, words, place * across, across, high)
    whole = _rounded([number for number, _ in jars.values()])
    for place, (jar, number) in enumerate(zip(jars, whole, strict=True)):
        left = place * across + (across - columns * _BALL) / 2 + _BALL / 2
        for at, x, y in in_rows(range(number), columns, left, high - 9, _BALL, -_BALL):
            ball = Circle(x, y, 5.5, "good" if jar == "full" else "accent", "ink", 1)
            # Every other ball is seen to fall: all of them would be too many at once.
            shapes += [ball] if at % 2 else as_piece([ball], Piece("ball", f"{jar} {at}"))
    return Part.of(shapes, (), width, high + 2)


def _jar(jar: Jar, number: str, x: float, across: float, high: float) -> tuple[Shape, ...]:
    """An open jar, its name and how many are in it."""
    left, right = x + 3, x + across - 3
    first, second = JARS[jar]
    return (
        Text(left + 4, 9, first, 12, "muted"),
        Text(left + 4, 25, second, 14, "ink", bold=True),
        Rect(left, 38, right - left, high - 38, "panel"),
        Text((left + right) / 2, 52, number, 16, "ink", "middle", bold=True),
        Path(((left, 36), (left, high), (right, high), (right, 36)), None, "ink", 2),
    )


def _rounded(numbers: Sequence[Fraction]) -> list[int]:
    """Whole numbers near these, with the same sum.

    >>> _rounded([Fraction(9, 4), Fraction(9, 4), Fraction(3, 2)])
    [2, 2, 2]
    """
    whole = [int(number) for number in numbers]
    by_rest = sorted(range(len(whole)), key=lambda at: whole[at] - numbers[at])
    for at in by_rest[: int(sum(numbers)) - sum(whole)]:
        whole[at] += 1
    return whole
