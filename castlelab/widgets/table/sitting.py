"""A game together with those who play it: what a file, a link, a code or a tab holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, urlencode

from castlelab.bots import BotLike, MonteCarlo, bot
from castlelab.record import Record, RecordError
from castlelab.rules import quoted
from castlelab.system.packing import pack, unpack

PERSON = "person"
_STANDS_IN = "greedy"  # for a bot that nobody else has: a person would see its cards
_MOST_FUTURES = 10_000  # that a bot may imagine because an address says so
_LONGEST_CODE, _LARGEST = 60_000, 200_000  # characters, and bytes unpacked
_NOBODY: Mapping[str, BotLike] = MappingProxyType({})


@dataclass(frozen=True)
class Sitting:
    """A record, the bots by seat, and whether all is open; the other seats are for people."""

    record: Record
    bots: Mapping[int, BotLike] = field(default_factory=dict)
    open_table: bool = False
    has_seats: bool = True  # whether it says who plays; a bare record does not

    @property
    def seats(self) -> list[str]:
        """Who plays, by seat and by name."""
        players = range(self.record.game.players)
        return [_name(self.bots[seat]) if seat in self.bots else PERSON for seat in players]

    @property
    def query(self) -> str:
        """What stands behind the question mark of a link."""
        known = {"record": self.record.share(), "seats": ",".join(self.seats)}
        return urlencode(known | ({"open": "1"} if self.open_table else {}), safe=",")

    @property
    def text(self) -> str:
        """What stands in a file: a record that says, besides, who plays."""
        return json.dumps(self._table, indent=1, ensure_ascii=False)

    @property
    def code(self) -> str:
        """The same in letters that can be sent."""
        return pack(json.dumps(self._table, separators=(",", ":"), ensure_ascii=False))

    @property
    def _table(self) -> dict[str, Any]:
        return {**json.loads(self.record.dumps()), "seats": self.seats, "open": self.open_table}


def _name(given: BotLike) -> str:
    return given if isinstance(given, str) else _STANDS_IN


def read_text(text: str, own: Mapping[str, BotLike] = _NOBODY) -> Sitting:
    """What was pasted or stood in a file: a link, a code, or a whole record."""
    text = text.strip()
    if "?" in text and not text.startswith("{"):
        found = read_query(text.partition("?")[2], own)
        if found is None:
            raise RecordError("this link holds no game")
        return found
    if not text.startswith("{"):
        if not text:
            raise RecordError("there is nothing to load; paste a link or a code first")
        text = unpack(text, "game", longest=_LONGEST_CODE, largest=_LARGEST)
    record = Record.loads(text)
    table = json.loads(text)
    seats, is_open = table.get("seats"), table.get("open") is True
    if seats is None:
        return Sitting(record, has_seats=False)
    if not isinstance(seats, list) or not all(isinstance(name, str) for name in seats):
        raise RecordError(f"seats are {quoted(seats)}; they must be a list of names")
    return Sitting(record, read_seats(seats, record, own), is_open)


def read_query(query: str, own: Mapping[str, BotLike] = _NOBODY) -> Sitting | None:
    """The game that an address holds, if any.

    An address knows bots by their names alone: those with names, and the ``own`` of this page.
    """
    query = query.removeprefix("?")
    code = _first(query, "record")
    if not code:
        return None
    record, seats = Record.from_share(code), _first(query, "seats")
    bots = read_seats(seats.split(",") if seats else [], record, own)
    return Sitting(record, bots, _first(query, "open") == "1")


def read_seats(
    names: list[str], record: Record, own: Mapping[str, BotLike] = _NOBODY
) -> dict[int, BotLike]:
    """The bots by seat; seats that are not named are for people."""
    if len(names) > record.game.players:
        raise RecordError(f"{len(names)} seats are named, and the game has {record.game.players}")
    bots = {seat: name for seat, name in enumerate(names) if name != PERSON}
    for name in set(bots.values()) - set(own):
        made = bot(name)
        if isinstance(made, MonteCarlo) and (made.rollouts or 0) > _MOST_FUTURES:
            raise RecordError(f"{quoted(name)} would think for hours")
    return {seat: own.get(name, name) for seat, name in bots.items()}


def game_in(query: str) -> str:
    """The name of the game that an address asks for; it may be anything.

    >>> game_in("?game=castell")
    'castell'
    """
    return _first(query.removeprefix("?"), "game")


def _first(query: str, name: str) -> str:
    try:
        return parse_qs(query, max_num_fields=20).get(name, [""])[0]
    except ValueError:
        raise RecordError("the address has too many parts to be ours") from None
