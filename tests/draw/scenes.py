"""Scenes for the tests of all three hands."""

from __future__ import annotations

from hypothesis import strategies as st

from castlelab.draw.scene import Circle, Path, Rect, Scene, Target, Text
from castlelab.draw.theme import LIGHT

roles = st.sampled_from(sorted(LIGHT))
maybe_roles = st.none() | roles
numbers = st.floats(-50, 500) | st.sampled_from([0.0, 1e9, -1e9, float("nan"), float("inf")])
lengths = st.floats(0, 300)
words = st.text(max_size=12) | st.sampled_from(["<b>&\"'", "]]>", "\x00\x0b\ufffe", "\ud800", "塔"])
points = st.lists(st.tuples(numbers, numbers), max_size=5).map(tuple)

shapes = st.one_of(
    st.builds(
        Rect,
        x=numbers,
        y=numbers,
        width=lengths,
        height=lengths,
        fill=maybe_roles,
        stroke=maybe_roles,
        line=st.floats(0.5, 5),
        radius=st.floats(0, 20),
        dash=st.booleans(),
    ),
    st.builds(Circle, x=numbers, y=numbers, radius=lengths, fill=maybe_roles, stroke=maybe_roles),
    st.builds(
        Path,
        points=points,
        fill=maybe_roles,
        stroke=maybe_roles,
        closed=st.booleans(),
        dash=st.booleans(),
    ),
    st.builds(
        Text,
        x=numbers,
        y=numbers,
        words=words,
        size=st.floats(1, 60),
        fill=roles,
        anchor=st.sampled_from(["start", "middle", "end"]),
        bold=st.booleans(),
    ),
)
targets = st.builds(
    Target, id=words, name=words, x=numbers, y=numbers, width=lengths, height=lengths
)
scenes = st.builds(
    Scene,
    width=lengths,
    height=lengths,
    shapes=st.lists(shapes, max_size=6).map(tuple),
    targets=st.lists(targets, max_size=3).map(tuple),
    title=words,
    description=words,
)


def board(side: int = 13, square: float = 36) -> Scene:
    """A board of squares, some of them walls, some with a letter."""
    shapes: list[Rect | Text] = []
    targets = []
    for row in range(side):
        for column in range(side):
            x, y = 10 + column * square, 10 + row * square
            is_wall = (row * 7 + column * 3) % 5 == 0
            fill = "seat-0" if is_wall else "panel"
            shapes.append(Rect(x, y, square, square, fill=fill, stroke="line"))
            if (row + column) % 4 == 0:
                ink = "on-seat-0" if is_wall else "ink"
                letter = "abcd"[(row * column) % 4]
                place = x + square / 2, y + square / 2
                shapes.append(Text(*place, letter, fill=ink, anchor="middle"))
            name = f"Row {row + 1}, column {column + 1}"
            targets.append(Target(f"{row},{column}", name, x, y, square, square))
    return Scene(
        20 + side * square, 20 + side * square, tuple(shapes), tuple(targets), "A board", "Squares"
    )


def tower() -> Scene:
    """Three levels of castellers, base below."""
    shapes: list[Rect | Circle | Text] = [Text(20, 30, "A tower of three levels", 18, bold=True)]
    targets = []
    for level, (count, size) in enumerate([(3, 9), (2, 8), (1, 7)], start=1):
        y = 260 - level * 60
        shapes.append(Rect(20, y, 280, 50, fill="panel", stroke="line", radius=8))
        for number in range(count):
            x = 80 + number * 50
            shapes.append(Circle(x, y + 25, 18, fill=f"ramp-{size}", stroke="line"))
            ink = f"on-ramp-{size}"
            shapes.append(Text(x, y + 25, str(size), 16, ink, anchor="middle", bold=True))
        shapes.append(Text(290, y + 25, f"Level {level}", 13, "muted", anchor="end"))
        name = f"Level {level}: {count} castellers of size {size}"
        targets.append(Target(f"level {level}", name, 20, y, 280, 50))
    return Scene(320, 270, tuple(shapes), tuple(targets), "Tower", "9*3 8*2 7")
