"""Predict first: a number to guess, and words that lead there."""

from __future__ import annotations

from html import escape

import ipywidgets
import traitlets

from castlelab.widgets.controls import button, html, layout, row
from castlelab.widgets.rule_card import card, told


class GuessCard(ipywidgets.VBox):  # type: ignore[misc]
    """A question with a number for an answer; ``solved`` turns true when it is found."""

    solved = traitlets.Bool(False)

    def __init__(self, question: str, answer: int, because: str, hint: str) -> None:
        self._answer, self._because, self._hint = answer, because, hint
        self._number = ipywidgets.IntText(
            description="My guess", layout=ipywidgets.Layout(width="220px")
        )
        self._told = html()
        head = card(f'<p class="castlelab-prompt">{escape(question)}</p>')
        controls = row(
            self._number,
            button("Check", self.check, self._fail, main=True),
            button("Hint", self.hint, self._fail),
            button("Show answer", self.give_up, self._fail),
        )
        super().__init__(children=[head, controls, self._told], layout=layout())
        self.add_class("castlelab-puzzle")

    def check(self) -> bool:
        """Judge the number in the box."""
        return self.guess(self._number.value)

    def guess(self, number: int) -> bool:
        """Judge a number: too few, too many, or right and why."""
        if number == self._answer:
            self.solved = True
            self._say("right", f"Yes, {self._answer}! {self._because}")
            return True
        off = "There are more" if number < self._answer else "There are fewer"
        self._say("wrong", f"Not {number}. {off}. {self._hint}")
        return False

    def hint(self) -> None:
        """Say how to begin."""
        self._say("hint", self._hint)

    def give_up(self) -> None:
        """Tell the answer."""
        self._say("hint", f"It is {self._answer}. {self._because}")

    def _fail(self, words: str) -> None:
        self._say("wrong", words)

    def _say(self, mood: str, words: str) -> None:
        self._told.value = told(mood, words)
