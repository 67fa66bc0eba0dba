"""The games that were played last in this browser, to go on with any of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import ipywidgets

from castlelab.game import SEAT_NAMES
from castlelab.rules import listed
from castlelab.widgets.browser.storage import BrowserStorage
from castlelab.widgets.card.rule_card import style
from castlelab.widgets.controls import button, discard, html, layout
from castlelab.widgets.table.players import manner
from castlelab.widgets.table.sitting import PERSON, Sitting

KEY = "castlelab-games"
MOST = 10


class Last(NamedTuple):
    """A game that was played: which one, how it stands in words, and a query that opens it."""

    key: str
    told: str
    query: str

    @staticmethod
    def of(sitting: Sitting) -> Last:
        record, state = sitting.record, sitting.record.state
        names = zip(SEAT_NAMES, sitting.seats, strict=False)
        who = listed(
            [name if bot == PERSON else f"{name} ({manner(bot)} bot)" for name, bot in names]
        )
        far = "over" if state.over else state.how_far() or f"{len(record.moves)} moves"
        told = f"{record.game.title}, {far}: {who}"
        return Last(f"{record.game!r} {record.seed!r}", told, sitting.query)


def read_lasts(text: str) -> list[Last]:
    """What a browser has kept; it may be anything, and what is no list of games is none."""
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        return []
    rows = kept if isinstance(kept, list) else []
    return [
        Last(*each)
        for each in rows[:MOST]
        if isinstance(each, list) and len(each) == 3 and all(isinstance(part, str) for part in each)
    ]


def with_last(text: str, last: Last) -> str:
    """What is kept, with a game at its top."""
    others = [each for each in read_lasts(text) if each.key != last.key]
    return json.dumps([last, *others][:MOST], ensure_ascii=False, separators=(",", ":"))


class LastGames(ipywidgets.VBox):  # type: ignore[misc]
    """A button for each of the last games; ``on_open`` gets the query that opens it."""

    def __init__(self, on_open: Callable[[str], object], fail: Callable[[str], object]) -> None:
        self._on_open, self._fail = on_open, fail
        self.storage = BrowserStorage(KEY)
        self._noted: Last | None = None
        self._listed: tuple[ipywidgets.Widget, ...] = ()
        super().__init__(layout=layout())
        self.add_class("castlelab-last-games")
        self.storage.observe(lambda _: self._list(), "kept")
        self._list()

    def note(self, sitting: Sitting) -> None:
        """Remember a game; one that has not begun is not worth it."""
        if not sitting.record.moves or not sitting.record.can_be_saved:
            return
        last = Last.of(sitting)
        if last != self._noted:
            self._noted = last
            self.storage.change(lambda text: with_last(text, last))

    def _list(self) -> None:
        before = self._listed
        lasts = read_lasts(self.storage.kept)
        buttons = [
            button(each.told, partial(self._on_open, each.query), self._fail) for each in lasts
        ]
        head = [html(f"{style()}<h3>Your last games</h3>")] if lasts else []
        self._listed = self.children = (*head, *buttons)
        for part in before:
            discard(part)
