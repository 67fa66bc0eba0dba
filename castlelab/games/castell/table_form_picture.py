"""Where everything lies on the table of Castell, on a wide page and on a narrow one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from castlelab.draw.layout import Frame, rows
from castlelab.draw.scene import NARROW, Point
from castlelab.games.castell.box import FESTIVAL_ROUNDS
from castlelab.games.castell.turns import PER_REGION

# Where the regions lie, after the real map, in the order of the box's list: column and row.
_MAP = ((2, 1), (3, 0), (0, 1), (2, 0), (0, 0), (1, 0), (1, 1))
_FREE = (3, 1)  # at sea: the place for what the turn asks for


@dataclass(frozen=True, slots=True)
class TableForm:
    """A table laid out for a page: how large letters and targets are, where everything lies."""

    size: Point
    letters: float
    reach: float  # how large a target is at least
    regions: tuple[Frame, ...]
    in_row: int  # castellers in a row of a region
    turn: Frame
    actions: tuple[Frame, ...]
    end: Frame
    answers: tuple[Frame, ...]  # to a festival
    wheel: Frame
    towers: Frame
    calendar: Frame
    columns: int  # of festivals
    players: tuple[Frame, ...]

    def casteller(self, region: int, place: int) -> Frame:
        """Where somebody in a region waits."""
        x, y, width, _ = self.regions[region]
        across, down = self._step
        row, column = divmod(place, self.in_row)
        left = x + (width - across * self.in_row) / 2
        return left + column * across, y + self.header + row * down, across, down

    @property
    def _step(self) -> Point:
        return self.reach + 0.2, max(self.reach, 31.0)

    @property
    def header(self) -> float:
        """How high the name of a region and its tile of the wheel are."""
        return self.reach + 4

    def tile(self, region: int, place: int) -> Frame:
        """Where a performance of a region lies."""
        x, y, width, height = self.regions[region]
        across = (width - 12) / 2
        return x + 4 + place * (across + 4), y + height - FOOT - TILE, across, TILE

    def offer(self, region: int) -> Frame:
        """Where a region shows what its slot of the wheel offers."""
        x, y, width, _ = self.regions[region]
        return x + width - self.reach - 3, y + 2, self.reach, self.reach

    def slot(self, slot: int) -> Frame:
        """A place of the wheel: its tiles go down on the left side and up on the right one."""
        x, y, width, height = self.wheel
        row, is_left = (slot - 1, 0) if 1 <= slot <= 4 else (-slot % 8, 1)
        high = (height - WHEEL_HEAD) / 4
        return x + (0 if is_left else width / 2), y + WHEEL_HEAD + row * high, width / 2, high

    def in_slot(self, slot: int) -> Frame:
        """The tile of the wheel in a slot."""
        x, y, width, height = self.slot(slot)
        left = x + width - self.reach - 1 if slot in (0, 5, 6, 7) else x + 1
        return left, y + (height - self.reach) / 2, self.reach, self.reach


GAP = 8.0
TILE, FOOT = 56.0, 25.0  # of a region: its performances, and who is there
WHEEL_HEAD = 26.0
ROUND, FESTIVAL = 22.0, 54.0
LINES = (26.0, 34.4)  # of a player: the name, the team
BEST = 68.0  # and what the best tower takes beside them


def _card_height(players: int, in_row: int, reach: float) -> float:
    """How high a region is: its name, everybody who may wait there, tiles, pawns."""
    people = rows(PER_REGION[players], in_row) * max(reach, 31.0)
    return reach + 4 + people + 2 + TILE + FOOT


@lru_cache
def wide_form(players: int) -> TableForm:
    """The map in the middle, the wheel to its right, festivals above, players below."""
    width, reach, card = 880.0, 28.6, 148.0
    calendar = ROUND + (1 if players == 2 else 2) * (FESTIVAL + 2) + 6
    high = _card_height(players, PER_REGION[players], reach)
    spare = 128.0 if players == 2 else 0.0  # by which regions are apart
    top = calendar + GAP
    apart = high + GAP + spare * 0.4
    shift = (0.3, 0.6, 0.3, 0.0)

    def place(column: int, row: int) -> Point:
        return GAP + column * (card + GAP), top + row * apart + shift[column] * spare

    regions = tuple((*place(*where), card, high) for where in _MAP)
    bottom = top + 2 * high + GAP + spare + GAP
    x, y = place(*_FREE)
    panel = 156.0
    wheel = (638.0, top, 236.0, 196.0)
    line = LINES[0] + LINES[1] + reach + 6
    return TableForm(
        size=(width, bottom + rows(players, 2) * (line + 6) + 2),
        letters=14.3,
        reach=reach,
        regions=regions,
        in_row=PER_REGION[players],
        turn=(x, y, panel, high),
        actions=tuple(
            (x + at % 2 * (panel / 2 + 1), y + 42 + at // 2 * 33, panel / 2 - 1, 30.0)
            for at in range(4)
        ),
        end=(x, y + high - 42, panel, 40.0),
        answers=tuple((x, y + high - 88 + 46 * at, panel, 40.0) for at in range(2)),
        wheel=wheel,
        towers=(638.0, top + 200, 236.0, bottom - GAP - top - 200),
        calendar=(GAP, 0.0, width - 2 * GAP, calendar),
        columns=len(FESTIVAL_ROUNDS),
        players=tuple(
            (GAP + seat % 2 * 436, bottom + seat // 2 * (line + 6), 428.0, line)
            for seat in range(players)
        ),
    )


@lru_cache
def narrow_form(players: int) -> TableForm:
    """One thing below the other: what to do, the map, the wheel, towers, festivals, players."""
    width, reach, card = NARROW, 40.0, 182.0
    high = _card_height(players, 4, reach)
    top = 94.0
    regions = tuple(
        (4.0 + column * (card + 4), top + row * (high + GAP), card, high)
        for column, row in _NARROW_MAP
    )
    x, y = 4.0, top + 4 * (high + GAP)
    wheel = (x, y, width - 2 * x, WHEEL_HEAD + 4 * 44)
    towers = (x, y + wheel[3] + GAP, wheel[2], 132.0)
    festivals = towers[1] + towers[3] + GAP
    half = (wheel[2] - 4) / 2
    columns = 4
    per_round = 1 if players == 2 else 2
    calendar = rows(len(FESTIVAL_ROUNDS), columns) * (ROUND + per_round * (FESTIVAL + 2)) + 8
    bottom = festivals + calendar + GAP
    line = LINES[0] + LINES[1] + reach + 6
    return TableForm(
        size=(width, bottom + players * (line + 6)),
        letters=12,
        reach=reach,
        regions=regions,
        in_row=4,
        turn=(x, 0.0, wheel[2], top - GAP),
        actions=tuple((x + at * 92.3, 44.0, 91.0, reach) for at in range(4)),
        end=(x + half + 4, 0.0, half, reach),
        answers=tuple((x + at * (half + 4), 44.0, half, 42.0) for at in range(2)),
        wheel=wheel,
        towers=towers,
        calendar=(x, festivals, wheel[2], calendar),
        columns=columns,
        players=tuple((x, bottom + seat * (line + 6), wheel[2], line) for seat in range(players)),
    )


# Two columns, so that neighbours still lie side by side.
_NARROW_MAP = ((1, 1), (1, 0), (0, 2), (0, 0), (0, 3), (0, 1), (1, 2))
