"""A worksheet by ticking boxes: to see, to print, to save and to share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Any
from urllib.parse import urlsplit

import ipywidgets

from castlelab.classroom.curriculum import curriculum
from castlelab.classroom.plans import lesson_plans
from castlelab.classroom.sheet import LONGEST_TITLE, TITLE, Worksheet, pages_address, worksheet
from castlelab.draw.card import card_scene
from castlelab.game import GAMES, game_class
from castlelab.puzzles import LEVELS, kind_title, kinds
from castlelab.rules import CastlelabError, counted, listed
from castlelab.system.files import export_name
from castlelab.system.packages import has
from castlelab.widgets.browser.export_buttons import ExportButtons, to_copy, to_print, to_save
from castlelab.widgets.card.rule_card import html_card, status_html, style
from castlelab.widgets.classroom.kind_boxes import KindBoxes, tick_box
from castlelab.widgets.controls import button, html, layout, row
from castlelab.widgets.shown import ShownBox, Still

_MOST_PUZZLES = 40  # of a sheet that is shown on a page
_LAST_NUMBER = 999_999
_AGES = range(8, 19)
_HERE = ("localhost", "127.0.0.1", "::1")
_ASKED = "Which puzzles?"
_WORDS_FIRST = {"description_width": "initial"}


class WorksheetMaker(ShownBox):
    """Choose kinds, levels and how many; ``sheet`` is the worksheet that was made last."""

    def __init__(self, ticked: Sequence[str] = ("castell/spot-the-breach",)) -> None:
        self.sheet: Worksheet | None = None
        self._boxes = {kind: tick_box(kind_title(kind).lower(), kind in ticked) for kind in kinds()}
        self._levels = ipywidgets.IntRangeSlider(
            value=(1, 3),
            min=LEVELS[0],
            max=LEVELS[-1],
            description="Levels",
            style=_WORDS_FIRST,
            layout=layout("slider"),
        )
        self._count = _number("How many", 10, 1, _MOST_PUZZLES)
        self._seed = _number("Sheet number", 1, 0, _LAST_NUMBER)
        self._practise = ipywidgets.Dropdown(
            options=[("choose", ""), *((word, word) for word in curriculum())],
            description="Tick what practises",
            style=_WORDS_FIRST,
            layout=layout("guess"),
        )
        self._practise.observe(self._tick_word, "value")
        self._age = ipywidgets.Dropdown(
            options=[("any", None), *((f"{age}", age) for age in _AGES)],
            description="For age",
            style=_WORDS_FIRST,
            layout=layout("guess"),
        )
        self._rules, self._versions = (
            tick_box("box of rules", False),
            tick_box("versions A and B", False),
        )
        self._title = _line("Title", TITLE)
        self._address = _line("Address of your pages", "")
        self._told = html()
        self._exports = ExportButtons(self._hear_address)
        self._shown = html()
        make = button("Make the worksheet", self.make, self.fail, main=True)
        super().__init__(
            children=[
                html_card(f'<p class="castlelab-prompt">{_ASKED}</p>'),
                *(self._game(game) for game in GAMES if kinds(game)),
                row(self._practise, self._age),
                row(self._levels, self._count, self._seed),
                row(self._title, self._address),
                row(self._rules, self._versions),
                row(make, button("Two lessons to print", self.offer_lessons, self.fail)),
                self._told,
                self._exports,
                self._shown,
            ],
            layout=layout(),
        )
        self.add_class("castlelab-maker")

    def still(self) -> Still:
        """The question, and the kinds that are ticked."""
        ticked = [
            f"{game_class(kind.partition('/')[0]).title}: {kind_title(kind).lower()}"
            for kind, box in self._boxes.items()
            if box.value
        ]
        return Still.of(
            card_scene(_ASKED, choices=(*ticked, "Make the worksheet")),
            f"A worksheet of puzzles: {listed(ticked) or 'nothing is ticked'}.",
        )

    def _game(self, game: str) -> KindBoxes:
        """A game's kinds, and a box that ticks all of them."""
        boxes = {kind: self._boxes[kind] for kind in kinds(game)}
        return KindBoxes(game_class(game).title, boxes, self.fail)

    def make(self) -> Worksheet:
        """Make the worksheet that is asked for, and show it."""
        self.sheet = sheet = worksheet(
            [kind for kind, box in self._boxes.items() if box.value],
            range(self._levels.value[0], self._levels.value[1] + 1),
            self._count.value,
            self._seed.value,
            title=self._title.value[:LONGEST_TITLE],
            address=self._address.value,
            age=self._age.value,
        )
        page, answers = self._pages(sheet)
        name = partial(export_name, f"{sheet.title} {sheet.id}", ending=".html")
        self._exports.offer(
            to_print("Print the sheet", page),
            to_print("Print the answer key", answers),
            to_save("Save the sheet", name(""), "text/html", page),
            to_save("Save the answer key", name("key"), "text/html", answers),
            to_copy("Copy the links", "\n".join(sheet.links())),
            to_copy("Copy the link to the whole sheet", sheet.link()),
        )
        links = f"<summary>Links</summary>{sheet._repr_html_()}"
        links = f'<details class="castlelab-links">{links}</details>'
        self._shown.value = f"{style()}{links}{_paper(page)}"
        self._told.value = status_html("right", *_made_words(sheet))
        return sheet

    def _pages(self, sheet: Worksheet) -> tuple[str, str]:
        """The sheet and its key, in two versions if there shall be two."""
        rules = self._rules.value
        if self._versions.value:
            return sheet.versions_html("AB", rules=rules), sheet.versions_html("AB", key=True)
        return sheet.html(rules=rules), sheet.key_html()

    def offer_lessons(self) -> None:
        """Two lessons of 45 minutes, to print or to save."""
        page = lesson_plans()
        self._exports.offer(
            to_print("Print the two lessons", page),
            to_save("Save the two lessons", "castlelab-lessons.html", "text/html", page),
        )
        words = "The fence and the turntable: 45 minutes each, with material to cut out."
        self._told.value = status_html("right", words)

    def _tick_word(self, change: dict[str, Any]) -> None:
        """Tick the kinds that practise something, and no others."""
        if wanted := curriculum().get(change["new"]):
            for kind, box in self._boxes.items():
                box.value = kind in wanted

    def fail(self, words: str) -> None:
        """Tell that something was wrong; a sheet made before stays."""
        self._told.value = status_html("wrong", words)

    def _hear_address(self, address: str) -> None:
        """The page's own address is the one of the puzzles, unless another was written."""
        if not self._address.value:
            try:
                self._address.value = pages_address(address)
            except CastlelabError:
                return  # an odd address is no help, and a link can do without


def _made_words(sheet: Worksheet) -> tuple[str, ...]:
    lines = [f"{counted(len(sheet.puzzles), 'puzzle')}, no two alike. This is sheet {sheet.id}."]
    if not sheet.address:
        lines.append("The paper shows codes. Write the address of your pages to have links on it.")
    elif not has("segno"):
        lines.append("For QR codes on it: pip install castlelab[paper]")
    if sheet.address and urlsplit(sheet.address).hostname in _HERE:
        lines.append(
            "The links lead to this computer only. For others, write the address that they use."
        )
    return tuple(lines)


def _paper(page: str) -> str:
    """The sheet in a frame of its own: its style is for paper, and must not leak."""
    return (
        '<iframe class="castlelab-paper" title="The worksheet" '
        f'sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="{escape(page)}"></iframe>'
    )


def _number(words: str, value: int, least: int, most: int) -> ipywidgets.BoundedIntText:
    return ipywidgets.BoundedIntText(
        value=value,
        min=least,
        max=most,
        description=words,
        style=_WORDS_FIRST,
        layout=layout("guess"),
    )


def _line(words: str, value: str) -> ipywidgets.Text:
    return ipywidgets.Text(
        value=value, description=words, style=_WORDS_FIRST, layout=layout("line")
    )
