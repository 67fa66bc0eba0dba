"""What a class has solved: progress files chosen in the browser, shown as a map and in words."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from html import escape
from typing import Any

import ipywidgets

from castlelab.classroom.assignment import SheetReport, sheet_report
from castlelab.classroom.example import example_class
from castlelab.classroom.reading import read_files
from castlelab.classroom.register import ClassRegister, skipped_html, stuck_html, totals_html
from castlelab.draw.svg import render
from castlelab.game import GAMES, game_class
from castlelab.rules import CastlelabError, quoted
from castlelab.system.files import export_name
from castlelab.widgets.browser.export_buttons import ExportButtons, Offer, to_print, to_save
from castlelab.widgets.card.rule_card import status_html, style
from castlelab.widgets.controls import button, html, layout, row
from castlelab.widgets.shown import ShownBox, Still

_LOG = logging.getLogger(__name__)
_EVERYTHING = ("All games", "")


class ClassView(ShownBox):
    """A class: ``register`` is the one that is shown, at first a made-up one.

    Files go to the memory of the page's own kernel, and no further.
    """

    def __init__(self, register: ClassRegister | None = None) -> None:
        self.register = register or example_class()
        self._is_example = register is None
        look = {"description": "Choose progress files", "icon": "", "layout": layout("button")}
        self._upload = ipywidgets.FileUpload(accept=".json", multiple=True, **look)
        self._upload.add_class("castlelab-button").add_class("castlelab-main-button")
        self._upload.observe(self._take, "value")
        self._game = ipywidgets.Dropdown(
            options=[_EVERYTHING],
            description="Show",
            style={"description_width": "initial"},
            layout=layout("guess"),
        )
        self._game.observe(lambda _: self._draw(), "value")
        self._told, self._map, self._words = html(), html(), html()
        self._questions = html()
        self._sheet = _line("Link of a sheet", "to see that sheet alone, task by task")
        self._points = _line("Points of a task", "1, or one for each: 1,2,2", "1")
        self._report = html()
        self._grades = ExportButtons()
        self._exports = ExportButtons()
        super().__init__(
            children=[
                row(self._upload),
                self._told,
                row(self._game),
                self._map,
                self._words,
                self._questions,
                self._exports,
                row(self._sheet, self._points),
                row(button("Report the sheet", self.report_sheet, self._fail_report)),
                self._report,
                self._grades,
            ],
            layout=layout(),
        )
        self.add_class("castlelab-class")
        self._show()

    def still(self) -> Still:
        words = self.register.summary
        picture = self.register.heat_map(self._game.value or None)
        return Still.of(picture, f"{words[:1].upper()}{words[1:]}")

    def show(self, register: ClassRegister) -> None:
        """Show a class, such as one that ``read_class`` has read."""
        self.register, self._is_example = register, False
        self._show()

    def report_sheet(self) -> SheetReport:
        """The sheet whose link was written, pupil by task, with the points that were set."""
        report = sheet_report(self._sheet.value, self.register, _read_points(self._points.value))
        shown = f'<div class="castlelab-figures castlelab-scroll">{report._repr_html_()}</div>'
        self._report.value = style() + shown
        page, name = report.html(), partial(export_name, report.name)
        self._grades.offer(
            to_print("Print the report of the sheet", page),
            to_save("Save the report of the sheet", name("", ".html"), "text/html", page),
            to_save("Save its table", name("table", ".csv"), "text/csv", f"\ufeff{report.csv()}"),
            to_save("Save grades", name("grades", ".csv"), "text/csv", report.grade_csv()),
        )
        return report

    def _fail_report(self, words: str) -> None:
        self._grades.offer()
        self._report.value = style() + status_html("wrong", words)

    def _take(self, change: dict[str, Any]) -> None:
        """Read the files that were chosen; what goes wrong is told, since nobody else would."""
        if not change["new"]:
            return  # the choice was taken back
        try:
            self.show(read_files((file["name"], bytes(file["content"])) for file in change["new"]))
        except Exception as error:
            if not isinstance(error, CastlelabError):
                _LOG.exception("progress files could not be read")
            self._told.value = style() + status_html(
                "wrong", f"These files cannot be read: {error}"
            )

    def _show(self) -> None:
        self._told.value = style() + self._news()
        played = {place[0].partition("/")[0] for place in self.register.places() if place[1]}
        self._game.options = [
            _EVERYTHING,
            *((game_class(game).title, game) for game in GAMES if game in played),
        ]
        self._draw()
        self._words.value = (
            f'<div class="castlelab-figures">{stuck_html(self.register)}'
            f"{totals_html(self.register)}</div>"
            if self.register.pupils
            else ""
        )
        self._questions.value = _folded("What was guessed", self.register.guesses_html())
        self._offer()

    def _offer(self) -> None:
        if self._is_example or not self.register.pupils:
            self._exports.offer()  # nobody keeps what never was
            return
        report = self.register.html()
        self._exports.offer(
            to_save(
                "Save the table",
                export_name("class", "", ".csv"),
                "text/csv",
                f"\ufeff{self.register.csv()}",
            ),
            *self._guesses_offered(),
            to_save("Save the report", export_name("class", "", ".html"), "text/html", report),
            to_print("Print the report", report),
        )

    def _guesses_offered(self) -> Iterator[Offer]:
        if self.register.questions():
            table = f"\ufeff{self.register.guesses_csv()}"
            yield to_save(
                "Save the guesses", export_name("class", "guesses", ".csv"), "text/csv", table
            )

    def _news(self) -> str:
        if self._is_example:
            return status_html(
                "hint",
                "This is an example: a made-up class. Choose files to see your own.",
            )
        mood = "right" if self.register.pupils else "wrong"
        words = self.register.summary
        skipped = skipped_html(self.register.skipped)
        return status_html(mood, words[:1].upper() + words[1:]) + (
            f'<div class="castlelab-told castlelab-told-wrong">{skipped}</div>' if skipped else ""
        )

    def _draw(self) -> None:
        scene = self.register.heat_map(self._game.value or None)
        # It keeps its size and scrolls: shrunk to a telephone, nobody could read the numbers.
        self._map.value = (
            f'<div class="castlelab-scroll" tabindex="0" role="region" '
            f'aria-label="{escape(scene.title)}">{render(scene)}</div>'
        )


def _read_points(text: str) -> float | list[float]:
    """Points as they are typed: one number, or one for each task."""
    try:
        points = [float(word) for word in text.replace(";", ",").split(",")]
    except ValueError:
        raise CastlelabError(
            f"points are numbers, such as 2 or 1,2,2, not {quoted(text)}"
        ) from None
    return points[0] if len(points) == 1 else points


def _folded(words: str, inside: str) -> str:
    """Something long under a title; "" if there is nothing."""
    shown = f'<div class="castlelab-scroll">{inside}</div>'
    folded = f'<details class="castlelab-folded"><summary>{words}</summary>{shown}</details>'
    return f'<div class="castlelab-figures">{folded}</div>' if inside else ""


def _line(words: str, hint: str, value: str = "") -> ipywidgets.Text:
    return ipywidgets.Text(
        value=value,
        description=words,
        placeholder=hint,
        style={"description_width": "initial"},
        layout=layout("line"),
    )
