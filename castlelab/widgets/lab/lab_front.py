"""The front of the lab: how old one is, and what there is to find out, easiest first."""

from __future__ import annotations

from html import escape

import ipywidgets

from castlelab.draw.card import card_scene
from castlelab.figures import AGES, Age, HandledFigure, handled_figure
from castlelab.progress import as_question
from castlelab.widgets.card.progress_book import book
from castlelab.widgets.card.rule_card import html_card, style
from castlelab.widgets.controls import layout
from castlelab.widgets.lab.lab_age import lab_age
from castlelab.widgets.shown import ShownBox, Still

_ASKED = "How old are you? Every figure has a task for you."


class LabFront(ShownBox):
    """The figures in their order, with ages and minutes; the age is chosen here for all of them."""

    def __init__(self, *names: str) -> None:
        self.figures = tuple(map(handled_figure, names))
        self._ages = ipywidgets.ToggleButtons(
            options=[(f"{age}+", age) for age in AGES],
            value=lab_age().age,
            description="I am",
            style={"button_width": "64px", "description_width": "48px"},
        )
        self._ages.add_class("castlelab-toggles")
        self._ages.observe(self._chosen, "value")
        lab_age().observe(self._shown, "age")
        words = html_card(f'<p class="castlelab-kind">{_ASKED}</p>')
        self._figures = html_card(self._list)
        super().__init__(children=[words, self._ages, self._figures], layout=layout())
        book().observe(self._mark_proved, "progress")
        self._mark_proved()

    @property
    def _list(self) -> str:
        entries = "".join(_entry(*each) for each in enumerate(self.figures, 1))
        return f'<ol class="castlelab-ways castlelab-figure-list">{entries}</ol>'

    def _mark_proved(self, _: object = None) -> None:
        self._figures.value = style() + self._list

    def _chosen(self, change: dict[str, Age]) -> None:
        lab_age().age = change["new"]

    def _shown(self, change: dict[str, Age]) -> None:
        self._ages.value = change["new"]

    def still(self) -> Still:
        choices = tuple(f"{one.title}, {one.minutes} min" for one in self.figures)
        return Still.of(card_scene(_ASKED, choices=choices), _ASKED)

    def standin(self) -> str:
        ages = " ".join(f'<span class="castlelab-standin-button">{age}+</span>' for age in AGES)
        return (
            f'<p class="castlelab-kind">{_ASKED}</p><div class="castlelab-toggles">{ages}</div>'
            f"{self._list}"
        )


def _entry(number: int, figure: HandledFigure) -> str:
    """A figure in the list: where it is, what one finds out, for whom, how long; if proved."""
    place = figure.title.lower().replace(" ", "-")
    mark = f'<span class="castlelab-place" aria-hidden="true">{number}</span>'
    if _is_proved(figure):
        mark = '<span class="castlelab-place castlelab-place-proved" title="Proved">✓</span>'
    return (
        f'<li>{mark}<a href="#{escape(place)}">{escape(figure.title)}</a>'
        f"<span>{escape(figure.idea)} · age {escape(figure.ages)} · "
        f"{figure.minutes} min</span></li>"
    )


def _is_proved(figure: HandledFigure) -> bool:
    """Whether this visitor has proved it, at whatever age."""
    asked = (as_question(task.question) for task in figure.tasks.values())
    guesses = book().progress.guesses
    return any((made := guesses.get(each)) is not None and made.solved for each in asked)
