"""Choose what to play, with whom and how."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import ipywidgets

from castlelab.bots import BOT_NAMES, LONG_THINKER, BotLike, bot_names, seated
from castlelab.game import SEAT_NAMES, Game, Option, game_class, load
from castlelab.rules import CastlelabError
from castlelab.widgets.browser.text_entry import TextEntry
from castlelab.widgets.card.rule_card import status_html, style
from castlelab.widgets.controls import html, labelled, layout
from castlelab.widgets.table.game_tiles import GameTiles
from castlelab.widgets.table.sitting import PERSON, Sitting

_WHO = (
    ("a person", PERSON),
    ("a careless bot", "random"),
    ("a greedy bot", "greedy"),
    ("a thinking bot", "montecarlo"),
    ("a bot that thinks long", LONG_THINKER),
)
CHOOSE = "Choose a game and who sits where."
_WIDTHS = ("230px", "64px")  # of a choice, and of the words before it
_SEEDS = 1_000_000  # new games that are told apart by a number


@dataclass(frozen=True)
class Setting:
    """A table that is laid: the game, its seed, who sits where, and whether all is open."""

    game: Game
    seed: int | str
    bots: Mapping[int, BotLike] = field(default_factory=dict)
    open_table: bool = False


class GameSetup(ipywidgets.VBox):  # type: ignore[misc]
    """The choices before a game; ``on_start`` is called with the :class:`Setting`.

    What cannot be played together is told in words, and nothing starts. Bots of other packages
    and your own ``bots`` can be chosen as well as ours.
    """

    def __init__(
        self,
        on_start: Callable[[Setting], object],
        game: str = "castle_keep",
        bots: Sequence[BotLike] = (),
    ) -> None:
        self._on_start = on_start
        self.own = {seated(each).label: each for each in bots}
        known = {name for _, name in _WHO}
        others = dict.fromkeys((*bot_names()[len(BOT_NAMES) :], *self.own))
        who = [*_WHO, *((f"{name}, a bot", name) for name in others if name not in known)]
        self._game = GameTiles(game)
        self._players = _choice("Players", [2], 2)
        self._seats = [_choice(name, who, PERSON) for name in SEAT_NAMES]
        self._options: dict[str, ipywidgets.Widget] = {}
        self._seed = TextEntry(
            *("Its number", "Start", self._start_with, self._fail),
            placeholder="a new game",
            main=True,
        )
        self._open = _switch("Open table: no curtain, and anything may be taken back", False)
        self._about = html()
        self._choices, self._sitting = ipywidgets.VBox(), ipywidgets.VBox()
        self._said = html(style())
        self._game.observe(lambda _: self._game_changed(), "value")
        self._players.observe(lambda _: self._players_changed(), "value")
        who = ipywidgets.VBox([html("<h3>Who sits where</h3>"), self._players, self._sitting])
        how = ipywidgets.VBox([html("<h3>How it is played</h3>"), self._choices, self._open])
        columns = ipywidgets.HBox([who, how])
        columns.add_class("castlelab-columns")
        super().__init__(
            children=[
                html(f'{style()}<p class="castlelab-prompt">{CHOOSE}</p>'),
                *(self._game, self._about, columns, self._seed, self._said),
            ],
            layout=layout(),
        )
        self.add_class("castlelab-setup")
        self._game_changed()
        self._seats[1].value = "greedy"

    def setting(self, seed: str = "") -> Setting:
        """What is chosen; a combination that cannot be played is a ``CastlelabError``."""
        options = {name: control.value for name, control in self._options.items()}
        game = load(self._game.value, self._players.value, **options)
        bots = self.bots(game.players)
        for each in bots.values():
            seated(each)  # what another package brings may be of no use
        return Setting(game, read_seed(seed), bots, self.open_table)

    @property
    def open_table(self) -> bool:
        """Whether nothing is to be hidden."""
        return bool(self._open.value)

    def choose(self, game: str) -> None:
        """Choose a game by name; its options are as usual."""
        self._game.value = game_class(game).name

    def choose_like(self, sitting: Sitting) -> None:
        """Choose what was played before, so that only seats need to change."""
        game = sitting.record.game
        self._game.value = game.name
        for name, value in game.options.items():
            self._options[name].value = value
        self._players.value = game.players
        self._open.value = sitting.open_table
        names = {id(each): name for name, each in self.own.items()}
        for seat in range(game.players):
            each = sitting.bots.get(seat, PERSON)
            chosen = names.get(id(each), each)
            if chosen in dict.fromkeys(value for _, value in self._seats[seat].options):
                self._seats[seat].value = chosen

    def bots(self, players: int) -> dict[int, BotLike]:
        """The bots that are chosen for so many seats."""
        chosen = enumerate(control.value for control in self._seats[:players])
        return {seat: self.own.get(name, name) for seat, name in chosen if name != PERSON}

    def start(self) -> None:
        """Lay the table for a new game."""
        self._seed.submit("")

    def _start_with(self, seed: str) -> None:
        try:
            setting = self.setting(seed)
        except CastlelabError as error:
            self._fail(f"This cannot be played: {error}.")
            return
        self._said.value = style()
        self._on_start(setting)

    def _fail(self, words: str) -> None:
        self._said.value = style() + status_html("wrong", words)

    def _game_changed(self) -> None:
        cls = game_class(self._game.value)
        self._options = {option.name: _control(option) for option in cls.option_list}
        for control in self._options.values():
            control.observe(lambda _: self._options_changed(), "value")
        self._about.value = f'{style()}<p class="castlelab-about">{escape(cls.about)}</p>'
        self._choices.children = [
            part
            for option in cls.option_list
            for part in _with_words(option, self._options[option.name])
        ]
        self._options_changed()

    def _options_changed(self) -> None:
        """Offer as many players as these options are for."""
        options = {name: control.value for name, control in self._options.items()}
        seats = game_class(self._game.value).seats_for(**options)
        chosen = self._players.value
        self._players.options = list(seats)
        self._players.value = chosen if chosen in seats else 2 if 2 in seats else seats[0]
        self._players_changed()

    def _players_changed(self) -> None:
        if self._players.value is not None:  # it is, while its options change
            self._sitting.children = self._seats[: self._players.value]


def read_seed(text: str) -> int | str:
    """The number or the words that name a game; nothing means a new one.

    >>> read_seed(" 42 "), read_seed("Sant Joan")
    (42, 'Sant Joan')
    """
    words = text.strip()
    if not words:
        return secrets.randbelow(_SEEDS)
    if len(words) > 60:
        raise CastlelabError("the number of a game has at most 60 characters")
    return int(words) if words.isascii() and words.isdigit() else words


def _choice(words: str, options: list[Any], value: Any) -> ipywidgets.Dropdown:
    return labelled(ipywidgets.Dropdown, words, *_WIDTHS, options=options, value=value)


def _switch(words: str, value: bool) -> ipywidgets.Checkbox:
    return ipywidgets.Checkbox(
        value=value,
        description=words,
        indent=False,
        layout=ipywidgets.Layout(width="auto", max_width="100%"),
    )


def _control(option: Option) -> ipywidgets.Widget:
    if set(option.allowed) == {True, False}:
        return _switch(_sentence(option.about), option.usual)
    return _choice(_sentence(option.name), list(option.allowed), option.usual)


def _with_words(option: Option, control: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """A choice and, unless it says so itself, what it is about."""
    if isinstance(control, ipywidgets.Checkbox):
        return [control]
    return [control, html(f'<p class="castlelab-quiet">{escape(option.about)}</p>')]


def _sentence(words: str) -> str:
    text = words.replace("_", " ")
    return f"{text[:1].upper()}{text[1:]}"
