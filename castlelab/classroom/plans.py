"""Two lessons of 45 minutes on paper, with material to cut out: the fence and the turntable.

What is said stands in ``plans.toml``; its numbers are counted here, so that they stay true.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from itertools import product
from typing import Any

from castlelab.classroom import paper
from castlelab.draw.scene import Rect, Scene, Shape, Text
from castlelab.draw.svg import render
from castlelab.game import part
from castlelab.rules import rulebook

TITLE = "Two lessons: fence and turntable"
MOST_GROUND = 12  # squares in the table of the first lesson
_GROUND, _WALLS = 16, 24  # squares to cut out
_SQUARES_ACROSS, _CASTLES_ACROSS = 8, 6
_SIDE = 60.0  # pixels of a square or a castle
#: The corners after each of the eight moves, clockwise from the top left: turns, then mirrors.
_MOVES = (
    ("stay", (0, 1, 2, 3)),
    ("quarter turn", (3, 0, 1, 2)),
    ("half turn", (2, 3, 0, 1)),
    ("three quarters", (1, 2, 3, 0)),
    ("mirror \\", (0, 3, 2, 1)),
    ("mirror |", (1, 0, 3, 2)),
    ("mirror /", (2, 1, 0, 3)),
    ("mirror —", (3, 2, 1, 0)),
)


def lesson_plans() -> str:
    """Both lessons as a page to print: a plan for the teacher, then what the class needs."""
    table = tomllib.loads((files(__package__) / "plans.toml").read_text(encoding="utf-8"))
    material = {"fence": _fence_material, "turntable": _turntable_material}
    numbers = plan_numbers()
    sections = [
        (plan["title"], f"{_plan(plan, numbers)}{material[plan['name']]()}")
        for plan in table["lessons"]
    ]
    return paper.several(TITLE, sections)


@cache
def plan_numbers() -> Mapping[str, int | str]:
    """What the lessons say in numbers, counted by the games themselves.

    >>> plan_numbers()["walls_7"], plan_numbers()["fixed_2"]
    (16, '16, 2, 4, 2, 8, 4, 8 and 4')
    """
    walls, castles = _count_of("castlescape"), _count_of("castle_keep")
    found: dict[str, int | str] = {f"walls_{n}": walls.fewest_walls(n) for n in (7, 9, 20)}
    # The corners of a rectangle touch no square by a side; a row of nine is ten steps round.
    found |= {"sides_7": walls.fewest_walls(7) - 4, "row_9": 2 * (9 + 1) + 4}
    found["ground_24"] = walls.largest_bailey(24)
    for colours in (2, 3):
        fixed = staying(colours)
        found[f"all_{colours}"] = fixed[0]
        found[f"fixed_{colours}"] = f"{', '.join(map(str, fixed[:-1]))} and {fixed[-1]}"
        found[f"sum_{colours}"] = sum(fixed)
        found[f"different_{colours}"] = castles.count_colourings(colours)
    return found


def staying(colours: int) -> list[int]:
    """How many castles of four towers look the same after each of the eight moves.

    >>> staying(2)
    [16, 2, 4, 2, 8, 4, 8, 4]
    """
    castles = list(product(range(colours), repeat=4))
    return [
        sum(castle == tuple(castle[at] for at in move) for castle in castles) for _, move in _MOVES
    ]


def _count_of(game: str) -> Any:
    return part(game, "count")


# The plan


def _plan(plan: Mapping[str, Any], numbers: Mapping[str, int | str]) -> str:
    steps = "".join(
        f'<tr><td class="minutes">{escape(step["minutes"])}</td>'
        f'<th scope="row">{escape(step["what"])}</th><td>{_said(step["how"], numbers)}</td></tr>'
        for step in plan["steps"]
    )
    wrong = "".join(
        f"<li>“{_said(each['said'], numbers)}” {_said(each['reply'], numbers)}</li>"
        for each in plan["wrong"]
    )
    rules = "".join(
        f"<li><strong>{escape(rule.title)}.</strong> {escape(rule.text)}</li>"
        for rule in (rulebook(name.partition("/")[0])[name] for name in plan["rules"])
    )
    return (
        f'<p>{escape(plan["about"])}</p><p class="how">{escape(plan["need"])}</p>'
        f'<table class="plan"><tbody>{steps}</tbody></table>'
        f'<h2>What pupils say, and what to reply</h2><ul class="said">{wrong}</ul>'
        f'<aside class="rule-box"><h2>The rules behind it</h2><ul>{rules}</ul></aside>'
    )


def _said(words: str, numbers: Mapping[str, int | str]) -> str:
    return escape(words.format_map(numbers))


# What is cut out


def _fence_material() -> str:
    counted = _count_of("castlescape")
    heads = "".join(f"<th>{n}</th>" for n in range(1, MOST_GROUND + 1))
    empty = "<td></td>" * MOST_GROUND
    best = "".join(f"<td>{counted.fewest_walls(n)}</td>" for n in range(1, MOST_GROUND + 1))
    head = f'<tr><th scope="row">squares of ground</th>{heads}</tr>'
    answers = f'<tr><th scope="row">fewest walls</th>{best}</tr>'
    for_teacher = f'<table class="record">{head}{answers}</table>'
    for_pupils = (
        f'<table class="record">{head}<tr><th scope="row">fewest walls</th>{empty}</tr></table>'
    )
    squares = _cut_out([*([_ground] * _GROUND), *([_wall] * _WALLS)], _SQUARES_ACROSS)
    return (
        f"<h2>Answers</h2>{for_teacher}"
        '<div class="new-page"><h1>The fence: squares to cut out</h1>'
        f'<p class="how">{_GROUND} squares of ground and {_WALLS} walls, for one pair.</p>'
        f"{squares}<h2>Our best</h2>{for_pupils}</div>"
    )


def _turntable_material() -> str:
    rows = "".join(f'<tr><th scope="row">{escape(move)}</th><td></td></tr>' for move, _ in _MOVES)
    castles = _cut_out(
        [_castle(towers) for towers in product((True, False), repeat=4)], _CASTLES_ACROSS
    )
    return (
        '<div class="new-page"><h1>The turntable: castles to cut out</h1>'
        '<p class="how">All sixteen castles, for one group of three.</p>'
        f"{castles}<h2>How many look the same after it?</h2>"
        f'<table class="record"><tbody>{rows}<tr><th scope="row">together</th><td></td></tr>'
        "</tbody></table></div>"
    )


def _cut_out(things: list[Any], across: int) -> str:
    """Squares side by side, dashed lines round them."""
    shapes: list[Shape] = []
    for number, draw in enumerate(things):
        x, y = number % across * _SIDE, number // across * _SIDE
        shapes.append(Rect(x, y, _SIDE, _SIDE, None, "muted", 1, dash=True))
        shapes += draw(x, y)
    rows = -(-len(things) // across)
    scene = Scene(across * _SIDE, rows * _SIDE, tuple(shapes), (), "Squares to cut out")
    return f'<div class="cut-out">{render(scene, paper.PRINT)}</div>'


def _ground(x: float, y: float) -> Iterator[Shape]:
    yield Text(x + _SIDE / 2, y + _SIDE / 2, "ground", 12, "muted", "middle")


def _wall(x: float, y: float) -> Iterator[Shape]:
    """Bricks: told from ground in black and white, too."""
    yield Rect(x + 5, y + 5, _SIDE - 10, _SIDE - 10, None, "ink", 2)
    third = (_SIDE - 10) / 3
    for row in range(3):
        yield Rect(x + 5, y + 5 + row * third, _SIDE - 10, third, None, "ink", 1)
        middle = x + _SIDE * (0.35 if row % 2 else 0.6)
        yield Rect(middle, y + 5 + row * third, 0.1, third, None, "ink", 1)


def _castle(towers: tuple[bool, ...]) -> Any:
    """Four towers, clockwise from the top left, dark or light; and a keep in the middle."""

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield Rect(x + 14, y + 14, _SIDE - 28, _SIDE - 28, None, "ink", 2)
        places = ((7, 7), (_SIDE - 25, 7), (_SIDE - 25, _SIDE - 25), (7, _SIDE - 25))
        for (dx, dy), is_dark in zip(places, towers, strict=True):
            yield Rect(x + dx, y + dy, 18, 18, "ink" if is_dark else "paper", "ink", 2, 2)

    return draw
