"""The front of the lab: how old one is, and what there is to find out, easiest first."""

from __future__ import annotations

from html import escape

import ipywidgets

from castlelab.draw.card import card_scene
from castlelab.figures import AGES, Age, HandledFigure, handled_figure
from castlelab.widgets.card.rule_card import html_card
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
        super().__init__(children=[words, self._ages, html_card(self._list)], layout=layout())

    @property
    def _list(self) -> str:
        entries = "".join(map(_entry, self.figures))
        return f'<ol class="castlelab-ways castlelab-figure-list">{entries}</ol>'

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


def _entry(figure: HandledFigure) -> str:
    """A figure in the list: where it is, what one finds out, for whom, how long."""
    place = figure.title.lower().replace(" ", "-")
    return (
        f'<li><a href="#{escape(place)}">{escape(figure.title)}</a>'
        f"<span>{escape(figure.idea)} · age {escape(figure.ages)} · "
        f"{figure.minutes} min</span></li>"
    )
