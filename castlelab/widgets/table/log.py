"""What has happened in a game, move by move in sentences; a click looks back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.resources import files
from itertools import takewhile
from typing import Any, NamedTuple

import anywidget
import traitlets

from castlelab.draw import svg
from castlelab.draw.scene import Scene
from castlelab.game import Emblem, Game, Sentence
from castlelab.record import Record
from castlelab.speech import Way
from castlelab.widgets.controls import layout
from castlelab.widgets.shown import data_address
from castlelab.widgets.table.bots_at_work import PACES
from castlelab.widgets.table.players import SEAT_COLOURS, seat_sign

_AT_ONCE = 40  # lines that are sent together


class Told(NamedTuple):
    """A move as it is told: after how many it was made, by whom, and in which turn or round."""

    number: int
    seat: int
    group: str
    sentence: Sentence


class Story:
    """The lines of a game; each is asked of the game only once."""

    def __init__(self) -> None:
        self._record: Record | None = None
        self._audience: tuple[int, ...] = ()
        self._lines: list[Told] = []

    def lines(
        self, record: Record, audience: Collection[int], reasons: Mapping[int, str]
    ) -> list[Told]:
        """All that these seats may hear; ``reasons`` are what bots have said to their moves."""
        same = 0
        if self._record is not None and self._audience == tuple(audience):
            pairs = zip(self._record.states[1:], record.states[1:], strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
        del self._lines[same:]
        self._record, self._audience = record, tuple(audience)
        for number in range(same, len(record.moves)):
            before = record.states[number]
            sentence = record.sentence(number, audience)
            if reason := reasons.get(number):
                sentence = (*sentence, f" “{reason}”")
            seat = before.to_move or 0
            self._lines.append(Told(number, seat, before.how_far(), sentence))
        return [*self._lines]


class Log(anywidget.AnyWidget):
    """The story on the page, and how fast bots play, and how much is said aloud.

    ``on_look`` gets the number of a move.

    Lines travel by messages, only those that are new: a game has hundreds.
    """

    _esm = (files(__package__) / "log.js").read_text(encoding="utf-8")
    _css = (files(__package__) / "table.css").read_text(encoding="utf-8") + SEAT_COLOURS

    marked = traitlets.Int(-1).tag(sync=True)  # the number of the move that is looked at
    has_bots = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        game: Game,
        *,
        on_look: Callable[[int], object],
        on_pace: Callable[[str], object],
        on_way: Callable[[Way], object],
    ) -> None:
        self._game, self._on_look, self._on_pace, self._on_way = game, on_look, on_pace, on_way
        self.lines: tuple[Told, ...] = ()
        self._has_page = False
        self._drawn: set[str] = set()  # emblems that the page has
        super().__init__(layout=layout())
        self.add_class("castlelab-log")
        self.on_msg(self._hear)

    @property
    def words(self) -> list[str]:
        """The lines in words alone."""
        return ["".join(map(str, line.sentence)) for line in self.lines]

    def follow(self, lines: Sequence[Told], marked: int) -> None:
        """From now on this is what has happened, and one line of it is marked."""
        pairs = zip(self.lines, lines, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        most = max(len(lines), len(self.lines))
        self.lines = tuple(lines)
        if same < most:
            self._tell(same)
        self.marked = marked

    def _tell(self, keep: int) -> None:
        """Send the lines after the first so many, which the page has already."""
        if not self._has_page:
            return
        for start in range(keep, max(len(self.lines), keep + 1), _AT_ONCE):
            some = self.lines[start : start + _AT_ONCE]
            emblems: dict[str, str] = {}
            for line in some:
                emblems |= self._pictures(line)
            told = [[line.number, line.seat, line.group, *_parts(line)] for line in some]
            self.send({"keep": start, "lines": told, "emblems": emblems})

    def _pictures(self, line: Told) -> dict[str, str]:
        """The pictures of a line that the page has not got yet, by their names."""
        wanted = {part.picture for part in line.sentence if isinstance(part, Emblem)}
        made = {name: _address(self._game.emblem(name)) for name in wanted - self._drawn}
        if (sign := f"seat {line.seat}") not in self._drawn:
            made[sign] = _address(seat_sign(line.seat))
        self._drawn |= set(made)
        return made

    def _hear(self, _: object, content: dict[str, Any], __: object) -> None:
        match content:
            case {"do": "ready", "pace": str(pace)}:
                self._has_page = True
                self._drawn.clear()
                self._tell(0)
                self._on_pace(pace if pace in PACES else "normal")
            case {"do": "pace", "pace": str(pace)} if pace in PACES:
                self._on_pace(pace)
            case {"do": "say", "way": "brief" | "normal" | "full" as way}:
                self._on_way(way)
            case {"do": "look", "number": int(number)} if 0 <= number < len(self.lines):
                self._on_look(number + 1)


def _parts(line: Told) -> list[object]:
    return [tuple(part) if isinstance(part, Emblem) else part for part in line.sentence]


def _address(scene: Scene) -> str:
    return data_address(svg.still(scene, bare=True))
