"""A page for one puzzle, whose address says which: a link is a puzzle."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import ipywidgets

from castlelab.authoring import LONGEST_OWN_CODE
from castlelab.classroom.assignment import read_assignment
from castlelab.draw.card import card_scene
from castlelab.game import game_class
from castlelab.progress import first_unsolved
from castlelab.puzzles import LARGEST_SEED, LEVELS, Code, kind_title, kinds, read_id
from castlelab.rules import CastlelabError
from castlelab.widgets.browser.link_button import LinkButton
from castlelab.widgets.browser.storage import BrowserStorage
from castlelab.widgets.card.assignment_page import AssignmentPage
from castlelab.widgets.card.progress_book import book, ladder_html
from castlelab.widgets.card.puzzle_card import PuzzleCard, level_buttons
from castlelab.widgets.card.rule_card import html_card, status_html, style
from castlelab.widgets.controls import button, html, labelled, layout, row
from castlelab.widgets.shown import ShownBox, Still

if TYPE_CHECKING:
    from castlelab.classroom.sheet import Worksheet

_LONGEST_CODE = LONGEST_OWN_CODE + 100  # with the names of the game and of the kind
_CHOOSE = "Choose a kind of puzzle and a level. Level 1 is the easiest."


def code_in(query: str) -> str | None:
    """The code that an address asks for, if it asks for one; it may be anything.

    >>> code_in("?code=castell%2Ftallest-3-42")
    'castell/tallest-3-42'
    """
    try:
        found = parse_qs(query.removeprefix("?"), keep_blank_values=True, max_num_fields=20)
    except ValueError:  # more fields than any address of ours
        return None
    return found["code"][0].strip()[:_LONGEST_CODE] if "code" in found else None


def is_assignment(query: str) -> bool:
    """Whether an address asks for a whole sheet.

    >>> is_assignment("?sheet=castell/tallest-3-42"), is_assignment("?code=castell/tallest-3-42")
    (True, False)
    """
    try:
        return "sheet" in parse_qs(query.removeprefix("?"), max_num_fields=20)
    except ValueError:
        return False


class PuzzlePage(ShownBox):
    """The puzzle that the address names, or else the first one to solve, and the way to others.

    Nothing is opened before a visitor comes: only the page knows its address.
    """

    def __init__(self) -> None:
        self._storage = BrowserStorage("castlelab-puzzle-page", where="tab")
        self._card: PuzzleCard | None = None
        self.assignment: AssignmentPage | None = None
        self._code = Code(kinds()[0], 1, 1)
        self._head, self._place = html_card(""), ipywidgets.VBox(layout=layout())
        self._answer, self._tally = html(), html_card("")
        self._link = LinkButton()
        self._easier = button("Easier", self.easier, self.fail)
        self._harder = button("Harder", self.harder, self.fail)
        onward = button("Next puzzle", self.next, self.fail)
        self._all_ways = (onward, self._easier, self._harder, self._link)
        self._ways = row()
        titles = [(_long_title(kind), kind) for kind in kinds()]
        self._kind = labelled(
            ipywidgets.Dropdown, "Kind", "380px", "48px", most="100%", options=titles
        )
        self._level = level_buttons()
        self._choice = row(self._kind, self._level, button("Open", self.take, self.fail, main=True))
        # What is not always there has a place that is: nothing else moves then, and a button
        # keeps the focus it has.
        self._place.add_class("castlelab-puzzle-place")
        self._below = ipywidgets.VBox(layout=layout())
        parts = [self._answer, self._head, self._place, self._below, self._choice, self._tally]
        super().__init__(children=parts, layout=layout())
        self._say("One moment…")
        self.add_class("castlelab-puzzle-page")
        book().observe(self._tell_progress, "progress")
        self._storage.on_ready(self._arrive)

    @property
    def card(self) -> PuzzleCard | None:
        """The puzzle that is open, if there is one."""
        return self._card

    def still(self) -> Still:
        if self._card is not None:
            return self._card.still()
        return Still.of(card_scene(_CHOOSE, choices=map(_long_title, kinds())), _CHOOSE)

    def standin(self) -> str:
        return '<div class="castlelab-puzzle-place"></div>'

    # What a visitor does

    def go_to(self, code: str | Code) -> None:
        """Open a puzzle, and let the address say so."""
        found = read_id(str(code))
        on_next = self.next if found.level else None  # there is no next one of one's own
        before, opened = self._card, PuzzleCard(str(found), link=False, on_next=on_next)
        opened.trying.begin()
        opened.fit(self._storage.narrow)  # a board that grows on the page moves all below it
        self._card, self._code = opened, found
        self._easier.disabled = found.level == LEVELS[0]
        self._harder.disabled = found.level == LEVELS[-1]
        self._link.follow(f"code={found}", str(found))
        self._storage.query = f"?code={found}"
        self._answer.value = ""
        self._tell_progress()
        # Nobody types the long code of a puzzle that somebody wrote.
        level = f", level {found.level}. Puzzle {found}" if found.level else ""
        self._say(_long_title(found.kind) + level)
        if found.level:
            self._kind.value, self._level.value = found.kind, found.level
        # One that somebody wrote stands alone: there is no next one, and none that is easier.
        self._ways.children = self._all_ways if found.level else (self._link,)
        self._place.children, self._below.children = (opened,), (self._ways,)
        if before is not None:
            before.leave()

    def next(self) -> None:
        """The next puzzle of this kind and level."""
        self.go_to(self._code._replace(seed=(self._code.seed + 1) % (LARGEST_SEED + 1)))

    def easier(self) -> None:
        """A puzzle of the same kind, one level down."""
        self._go_to_level(self._code.level - 1)

    def harder(self) -> None:
        """A puzzle of the same kind, one level up."""
        self._go_to_level(self._code.level + 1)

    def take(self) -> None:
        """Open a puzzle of the kind and level that were chosen, one not yet solved."""
        self.go_to(first_unsolved(book().progress, self._kind.value, self._level.value))

    def fail(self, words: str) -> None:
        """Tell that something went wrong."""
        self._answer.value = status_html("wrong", words)

    # The rest

    def _arrive(self) -> None:
        """A visitor is here: do what the address says."""
        code = code_in(self._storage.query)
        try:
            if is_assignment(self._storage.query):
                self._assign(read_assignment(self._storage.query))
                return
            self.go_to(code) if code is not None else self.take()
        except CastlelabError as error:
            self.take()
            self.fail(f"This link leads to no puzzle: {error}. Here is another one.")

    def _assign(self, sheet: Worksheet) -> None:
        """The address is that of a whole sheet: it takes the place of everything here."""
        self.assignment = AssignmentPage(sheet, is_narrow=self._storage.narrow)
        self.children = (self.assignment,)

    def _say(self, words: str) -> None:
        self._head.value = f'{style()}<p class="castlelab-kind castlelab-news">{escape(words)}</p>'

    def _go_to_level(self, level: int) -> None:
        if level in LEVELS:
            self.go_to(self._code._replace(level=level))

    def _tell_progress(self, _: object = None) -> None:
        if self._card is not None:
            self._tally.value = style() + ladder_html(book().progress, self._code.game)


def _long_title(kind: str) -> str:
    game = kind.partition("/")[0]
    return f"{game_class(game).title}: {kind_title(kind)}"
