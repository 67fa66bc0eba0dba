"""The end of a game as a screen: who won, where the points came from, how the game turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise
from math import isfinite

from castlelab.draw.scene import NARROW, Circle, Path, Rect, Scene, Shape, Text
from castlelab.game import SEAT_NAMES, State
from castlelab.record import Record
from castlelab.widgets.shown import board_html
from castlelab.widgets.table.players import sign_html

_BOLD = 0.64  # how wide a bold letter may be beside its size
_TICKS = 10  # numbers below the plot, at most
_NOTICED = 0.5  # points by which an estimate must swing to be told
_DECIDED = 90.0  # an estimate beyond this says that the game is won, and how is known


def course_scene(record: Record, turning: int | None = None) -> Scene:
    """The points of every seat after every move, with the turning point marked."""
    wide = _course(record, turning, 560.0, 300.0)
    return replace(wide, narrow=lambda: _course(record, turning, NARROW - 16, 260.0))


def _course(record: Record, turning: int | None, width: float, height: float) -> Scene:
    courses = [[state.scores[seat] for state in record.states] for seat in _seats(record.state)]
    low, high = min(0, *map(min, courses)), max(1, *map(max, courses))
    names = max(len(f"{SEAT_NAMES[seat]} {course[-1]}") for seat, course in enumerate(courses))
    left, right, top, bottom = 40.0, width - names * 13 * _BOLD - 20, 30.0, height - 40
    count = max(len(record.moves), 1)

    def x(number: float) -> float:
        return left + (right - left) * number / count

    def y(points: float) -> float:
        return bottom - (bottom - top) * (points - low) / (high - low)

    shapes: list[Shape] = []
    for points in _steps(low, high):
        shapes += [
            Path(((left, y(points)), (right, y(points))), None, "rule"),
            Text(left - 8, y(points), f"{points}", 12, "muted", "end"),
        ]
    unit, ticks = _ticks(record)
    for number, words in ticks:
        shapes.append(Text(x(number), bottom + 14, words, 12, "muted", "middle"))
    shapes.append(Text((left + right) / 2, bottom + 32, unit, 12, "muted", "middle"))
    if turning is not None:
        at = x(turning)
        middle = min(max(at, left + 50), right - 50)
        shapes += [
            Path(((at, top), (at, bottom)), None, "warn", 1.5, dash=True),
            Rect(middle - 50, 3, 100, 22, "warn", radius=11),
            Text(middle, 14, "turning point", 12, "on-warn", "middle", bold=True),
        ]
    ends = _apart([y(course[-1]) for course in courses], 16.0)
    for seat, course in enumerate(courses):
        role = f"seat-{seat}"
        line = [(x(0), y(course[0]))]
        for number, (before, now) in enumerate(pairwise(course), start=1):
            if now != before:
                line += [(x(number), y(before)), (x(number), y(now))]
        line.append((x(count), y(course[-1])))
        shapes += [
            Path(tuple(line), None, role, 3),
            Circle(*line[-1], 5, role, "card", 1.5),
            Text(right + 12, ends[seat], f"{SEAT_NAMES[seat]} {course[-1]}", 13, "ink", bold=True),
        ]
    words = "; ".join(f"{SEAT_NAMES[seat]} {course[-1]}" for seat, course in enumerate(courses))
    return Scene(width, height, tuple(shapes), (), "Points over the game", f"At the end: {words}.")


def _seats(state: State) -> range:
    return range(state.game.players)


def _steps(low: int, high: int) -> range:
    """Round numbers from low to high, about five."""
    step = next(size for size in _sizes() if (high - low) / size <= 6)
    return range(-(-low // step) * step, high + 1, step)


def _sizes() -> Iterator[int]:
    size = 1
    while True:
        yield from (size, 2 * size, 5 * size)
        size *= 10


def _ticks(record: Record) -> tuple[str, list[tuple[int, str]]]:
    """What the game is counted in, and where some of its numbers are.

    That is rounds or turns, where the game tells them by a number, and else moves.
    """
    begun: dict[str, int] = {}
    for number, state in enumerate(record.states[:-1]):
        begun.setdefault(state.how_far(), number)
    found = [(number, far.split()) for far, number in begun.items()]
    told = [(n, words) for n, words in found if len(words) == 2 and words[1].isdigit()]
    units = {words[0] for _, words in told}
    if len(units) == 1 and len(told) > 1:
        ticks = [(number, words[1]) for number, words in told]
        unit = units.pop()
    else:
        ticks = [(number, f"{number}") for number in range(len(record.moves) + 1)]
        unit = "moves"
    step = next(size for size in _sizes() if len(ticks) / size <= _TICKS)
    return unit, ticks[::step]


def _apart(heights: Sequence[float], least: float) -> list[float]:
    """Heights of words, moved until no two touch."""
    placed = list(heights)
    order = sorted(range(len(placed)), key=placed.__getitem__)
    for one, other in pairwise(order):
        placed[other] = max(placed[other], placed[one] + least)
    return placed


def turning_point(record: Record) -> int | None:
    """After how many moves the turn ended that brought whoever won furthest ahead.

    How far ahead somebody is, is what bots go by: the game's own estimate. The end itself, and
    what only carries out what was decided before, turns nothing.
    """
    winners = record.state.winners
    if len(winners) != 1 or record.game.players < 2:
        return None
    ends = [
        number
        for number, (before, after) in enumerate(pairwise(record.states[:-1]), start=1)
        if before.to_move != after.to_move
    ]
    leads = [(number, _lead(record.states[number], winners[0])) for number in (0, *ends)]
    swings = [
        (after - before, number)
        for (_, before), (number, after) in pairwise(leads)
        if abs(after) < _DECIDED and isfinite(after - before)
    ]
    swing, number = max(swings, default=(0.0, 0))
    return number if swing >= _NOTICED else None


def _lead(state: State, seat: int) -> float:
    others = (state.estimate(other) for other in _seats(state) if other != seat)
    return state.estimate(seat) - max(others)


def end_html(record: Record, outcome: str, turning: int | None, bots: dict[int, str]) -> str:
    """The whole screen, without its buttons."""
    state = record.state
    best = record.state.winners[0] if len(record.state.winners) == 1 else None
    colour = "" if best is None else f" castlelab-seat-{best}"
    scores = " : ".join(
        f"{sign_html(seat)} <b>{score}</b>" for seat, score in enumerate(state.scores)
    )
    about = f"{record.game.title}, {len(record.moves)} moves"
    if bots:
        about += ", with " + " and ".join(dict.fromkeys(f"{name} bots" for name in bots.values()))
    plot = board_html(course_scene(record, turning), "Points over the game")
    turned = ""
    if turning is not None:
        when = record.states[turning - 1].how_far() or f"move {turning}"
        told = "".join(map(str, record.sentence(turning - 1)))
        turned = (
            f'<p class="castlelab-turned"><b>Turning point, {escape(when)}.</b> {escape(told)} '
            "A bot would have changed its mind most about this turn.</p>"
        )
    return (
        f'<div class="castlelab-end"><div class="castlelab-won{colour}"><div>'
        f"<h2>{escape(outcome)}</h2><p>{escape(about)}.</p></div>"
        f'<p class="castlelab-result">{scores}</p></div>'
        f'<div class="castlelab-points-course"><h3>Points over the game</h3>{plot}{turned}</div>'
        f'<div class="castlelab-sources"><h3>Where the points came from</h3>{_sources(state)}</div>'
        "</div>"
    )


def _sources(state: State) -> str:
    """A table: a row for each source, a column for each seat."""
    by_seat = [dict(state.sources(seat)) for seat in _seats(state)]
    names = dict.fromkeys(name for sources in by_seat for name in sources)
    head = "".join(f"<th>{sign_html(seat, SEAT_NAMES[seat])}</th>" for seat in _seats(state))
    most = max((abs(points) for each in by_seat for points in each.values()), default=0) or 1
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(_points(each.get(name, 0), most, seat) for seat, each in enumerate(by_seat))
        + "</tr>"
        for name in names
    )
    total = "".join(f"<td>{score}</td>" for score in state.scores)
    return (
        f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody>"
        f'<tfoot><tr><th scope="row">Total</th>{total}</tr></tfoot></table>'
    )


def _points(points: int, most: int, seat: int) -> str:
    share = round(100 * max(points, 0) / most)
    bar = f'<i class="castlelab-seat-{seat}" style="width:{share}%"></i>'
    return f"<td>{points}{bar}</td>"
