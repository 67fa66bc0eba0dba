"""A sheet to be ticked through on the screen: one task at a time, and a file for the teacher."""

from __future__ import annotations

from functools import partial
from html import escape

import ipywidgets

from castlelab.classroom.assignment import results_by_code
from castlelab.classroom.sheet import Worksheet
from castlelab.draw.card import card_scene
from castlelab.progress import LARGEST_TEXT
from castlelab.rules import CastlelabError
from castlelab.system.files import export_name
from castlelab.widgets.browser.file_transfer import FileTransfer
from castlelab.widgets.card.progress_book import book
from castlelab.widgets.card.puzzle_card import PuzzleCard
from castlelab.widgets.card.rule_card import html_card, status_html, style
from castlelab.widgets.controls import button, html, labelled, layout, row
from castlelab.widgets.shown import ShownBox, Still

_SIGNS = {"solved": "✓", "given up": "✗", "open": "…", "not tried": ""}


class AssignmentPage(ShownBox):
    """The tasks of a sheet. What became of each stands on its button, and in the visitor's book.

    The file for the teacher holds these tasks and no others.
    """

    def __init__(self, sheet: Worksheet, *, is_narrow: bool = False) -> None:
        self.sheet, self._is_narrow = sheet, is_narrow
        self._place = ipywidgets.VBox(layout=layout())
        self._place.add_class("castlelab-puzzle-place")
        self._head, self._answer, self._numbers = html_card(""), html(), row()
        self._tasks = tuple(
            button(str(number), partial(self.go_to, number), self.fail)
            for number in range(1, len(sheet.puzzles) + 1)
        )
        self._numbers.children = self._tasks
        self._numbers.add_class("castlelab-tasks")
        self._name = labelled(
            *(ipywidgets.Text, "Name", "280px"),
            most="100%",
            placeholder="as your teacher knows you",
            continuous_update=False,
        )
        self._transfer = FileTransfer("", lambda _: None, self.fail, LARGEST_TEXT)
        hand_in = button("Save the file for your teacher", self.save, self.fail)
        self._card: PuzzleCard | None = None
        self.number = 0
        parts = [self._head, self._numbers, self._place, row(self._name, hand_in), self._answer]
        super().__init__(children=parts, layout=layout())
        self.add_class("castlelab-puzzle-page")
        self.add_class("castlelab-assignment")
        book().observe(self._tell, "progress")
        self._tell()
        self.go_to(self._first_left() or 1)

    @property
    def card(self) -> PuzzleCard:
        """The task that is open."""
        assert self._card is not None
        return self._card

    def still(self) -> Still:
        prompts = [f"{number}. {each.prompt}" for number, each in enumerate(self.sheet.puzzles, 1)]
        return Still.of(card_scene(self.sheet.title, more="\n".join(prompts)), self.sheet.title)

    def go_to(self, number: int) -> None:
        """Open a task by its number."""
        if not 1 <= number <= len(self.sheet.puzzles):
            raise CastlelabError(f"the tasks go from 1 to {len(self.sheet.puzzles)}, not {number}")
        before = self._card
        self._card = PuzzleCard(self.sheet.puzzles[number - 1], link=False, on_next=self.next)
        self._card.trying.begin()
        self._card.fit(self._is_narrow)
        self.number = number
        self._place.children = (self._card,)
        if before is not None:
            before.leave()
        self._answer.value = ""
        self._tell()

    def next(self) -> None:
        """The next task that is not solved yet; where none is left, say so."""
        if left := self._first_left(after=self.number):
            self.go_to(left)
        else:
            words = "All tasks are done. Save the file, and give it to your teacher."
            self._answer.value = status_html("right", words)

    def save(self) -> None:
        """Let the browser save what became of these tasks."""
        named = book().progress.only(self.sheet.codes).called(self._name.value)
        file = export_name("castlelab", f"{named.name} {self.sheet.id}", ".json")
        self._transfer.save(file, named.dumps())
        self._answer.value = status_html("right", f"Saved as {file}. Give it to your teacher.")

    def fail(self, words: str) -> None:
        """Tell that something went wrong."""
        self._answer.value = status_html("wrong", words)

    def _first_left(self, after: int = 0) -> int:
        """The number of the next task that has not ended, round the sheet; 0 if all have."""
        results = list(results_by_code(book().progress, self.sheet).values())
        order = (*range(after, len(results)), *range(after))
        left = (at + 1 for at in order if results[at].state in ("not tried", "open"))
        return next(left, 0)

    def _tell(self, _: object = None) -> None:
        results = list(results_by_code(book().progress, self.sheet).values())
        for number, (task, result) in enumerate(zip(self._tasks, results, strict=True), 1):
            task.description = f"{number} {_SIGNS[result.state]}".strip()
            task.tooltip = f"Task {number}: {result}"
            (task.add_class if number == self.number else task.remove_class)("castlelab-here")
        solved = sum(result.state == "solved" for result in results)
        told = f"Sheet {self.sheet.id}. {solved} of {len(results)} tasks solved."
        self._head.value = (
            f'{style()}<p class="castlelab-kind"><strong>{escape(self.sheet.title)}</strong></p>'
            f'<p class="castlelab-kind castlelab-news">{told}</p>'
        )
