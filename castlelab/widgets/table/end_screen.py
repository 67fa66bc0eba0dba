"""The end of a game as a screen: who won, where the points came from, how the game turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise
from math import isfinite
from typing import NamedTuple

from castlelab.draw.scene import NARROW, Circle, Path, Rect, Scene, Shape, Text
from castlelab.game import SEAT_NAMES, State
from castlelab.record import Record
from castlelab.rules import in_figures
from castlelab.widgets.shown import picture_html
from castlelab.widgets.table.players import manner, sign_html

_BOLD = 0.64  # how wide a bold letter may be beside its size
_TICKS = 10  # numbers below the plot, at most
_NOTICED = 0.5  # points by which an estimate must swing to be told
_DECIDED = 90.0  # an estimate beyond this says that the game is won, and how is known
_LEAPS, _LEAST = 3, 2  # great changes that are named, and how great they are at least


class Leap(NamedTuple):
    """A move by which much was won or lost at once, and whose fortune that was."""

    number: int
    seat: int
    change: int

    @property
    def words(self) -> str:
        return f"{self.change:+}".replace("-", "\N{MINUS SIGN}")

    def told(self, record: Record) -> str:
        """When it was, and what: "Round 6: Blue +16"."""
        when = record.states[self.number - 1].how_far() or f"move {self.number}"
        return f"{when[:1].upper()}{when[1:]}: {SEAT_NAMES[self.seat]} {self.words}"


def course_scene(record: Record, turning: int | None = None) -> Scene:
    """How every seat stood after every move, with the turning point and great leaps marked."""
    # Where there are no points, no table stands beside it.
    wide = _course(record, turning, 880.0 if record.state.standing(0).unit else 560.0, 380.0)
    return replace(wide, narrow=lambda: _course(record, turning, NARROW - 16, 260.0))


def _courses(record: Record) -> list[list[int]]:
    """How each seat stood, move by move."""
    seats = _seats(record.state)
    return [[state.standing(seat).number for state in record.states] for seat in seats]


def leaps(record: Record) -> list[Leap]:
    """The greatest changes that single moves brought, in their order."""
    found = [
        Leap(number, seat, now - before)
        for seat, course in enumerate(_courses(record))
        for number, (before, now) in enumerate(pairwise(course), start=1)
        if abs(now - before) >= _LEAST
    ]
    return sorted(sorted(found, key=lambda leap: (-abs(leap.change), leap.number))[:_LEAPS])


def _over(state: State) -> str:
    """What the plot shows: points, or what else tells how somebody stands."""
    return f"{(state.standing(0).unit or 'points').capitalize()} over the game"


def _course(record: Record, turning: int | None, width: float, height: float) -> Scene:
    courses = _courses(record)
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
            Text(left - 8, y(points), in_figures(points), 12, "muted", "end"),
        ]
    unit, ticks = _ticks(record)
    end = 0.0  # of the last words: turns are of different lengths, and some too short for theirs
    for number, words in ticks:
        half = len(words) * 12 * _BOLD / 2
        if x(number) - half >= end:
            shapes.append(Text(x(number), bottom + 14, words, 12, "muted", "middle"))
            end = x(number) + half + 3
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
        role, name = f"seat-{seat}", SEAT_NAMES[seat]
        line = [(x(0), y(course[0]))]
        for number, (before, now) in enumerate(pairwise(course), start=1):
            if now != before:
                line += [(x(number), y(before)), (x(number), y(now))]
        line.append((x(count), y(course[-1])))
        shapes += [
            Path(tuple(line), None, role, 3),
            Circle(*line[-1], 5, role, "card", 1.5),
            Text(right + 12, ends[seat], f"{name} {in_figures(course[-1])}", 13, "ink", bold=True),
        ]
    for leap in leaps(record):
        at, level = x(leap.number), y(courses[leap.seat][leap.number])
        shapes += [
            Circle(at, level, 5, f"seat-{leap.seat}", "card", 1.5),
            Text(at - 8, level - 8, leap.words, 12, "ink", "end", bold=True),
        ]
    words = "; ".join(f"{SEAT_NAMES[seat]} {course[-1]}" for seat, course in enumerate(courses))
    return Scene(width, height, tuple(shapes), (), _over(record.state), f"At the end: {words}.")


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
        if before.to_move != after.to_move and not _prepares(before)
    ]
    leads = [(number, _lead(record.states[number], winners[0])) for number in (0, *ends)]
    swings = [
        (after - before, number)
        for (_, before), (number, after) in pairwise(leads)
        if abs(after) < _DECIDED and isfinite(after - before)
    ]
    swing, number = max(swings, default=(0.0, 0))
    return number if swing >= _NOTICED else None


def _prepares(state: State) -> bool:
    """Whether nothing is played yet: the game has a name for the moment, and no number."""
    return state.how_far().isalpha()


def _lead(state: State, seat: int) -> float:
    others = (state.estimate(other) for other in _seats(state) if other != seat)
    return state.estimate(seat) - max(others)


def end_html(record: Record, outcome: str, turning: int | None, bots: dict[int, str]) -> str:
    """The whole screen, without its buttons."""
    state = record.state
    best = record.state.winners[0] if len(record.state.winners) == 1 else None
    colour = "" if best is None else f" castlelab-seat-{best}"
    scores = " : ".join(
        f"{sign_html(seat)} <b>{in_figures(state.standing(seat).number)}</b>"
        for seat in _seats(state)
    )
    if unit := state.standing(0).unit:
        scores += f" <small>{escape(unit)}</small>"
    about = f"{record.game.title}, {len(record.moves)} moves"
    if bots:
        about += ", with " + " and ".join(
            dict.fromkeys(f"{manner(bot)} bots" for bot in bots.values())
        )
    if state.standing(0).unit:
        about += "".join(f". {name}" for name in _decided_by(state))
    plot = picture_html(course_scene(record, turning), _over(state), bare=True)
    turned = ""
    if turning is not None:
        before = record.states[turning - 1]
        when = before.how_far() or f"move {turning}"
        whose, winner = SEAT_NAMES[before.to_move or 0], SEAT_NAMES[state.winners[0]]
        turned = (
            f'<p class="castlelab-turned"><b>Turning point: {escape(when)}, {whose}’s turn.</b> '
            f"No other turn brought {winner} so far ahead, as bots reckon.</p>"
        )
    return (
        f'<div class="castlelab-end"><div class="castlelab-won{colour}"><div>'
        f"<h2>{escape(outcome)}</h2><p>{escape(about)}.</p></div>"
        f'<p class="castlelab-result">{scores}</p></div>'
        f'<div class="castlelab-points-course"><h3>{_over(state)}</h3>{plot}{turned}</div>'
        f"{_sources(state)}</div>"
    )


def _decided_by(state: State) -> list[str]:
    """What the end has brought a point for."""
    return [name for seat in _seats(state) for name, points in state.sources(seat) if points]


def _sources(state: State) -> str:
    """Where points came from: a row for each source, a column for each seat.

    Where the end alone brings a point there is nothing to add up.
    """
    if state.standing(0).unit:
        return ""
    by_seat = [dict(state.sources(seat)) for seat in _seats(state)]
    names = dict.fromkeys(name for sources in by_seat for name in sources)
    head = "".join(f"<th>{sign_html(seat, SEAT_NAMES[seat])}</th>" for seat in _seats(state))
    most = max((points for each in by_seat for points in each.values()), default=0)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(_points(each.get(name, 0), most, seat) for seat, each in enumerate(by_seat))
        + "</tr>"
        for name in names
    )
    total = "".join(f"<td>{in_figures(score)}</td>" for score in state.scores)
    return (
        '<div class="castlelab-sources"><h3>Where the points came from</h3>'
        f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody>"
        f'<tfoot><tr><th scope="row">Total</th>{total}</tr></tfoot></table></div>'
    )


def _points(points: int, most: int, seat: int) -> str:
    share = round(100 * points / most) if points > 0 else 0
    bar = f'<i class="castlelab-seat-{seat}" style="width:{share}%"></i>'
    return f"<td>{in_figures(points)}{bar}</td>"
