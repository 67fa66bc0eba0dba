"""Predict first: a number to guess or a choice to make, and words that lead there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from html import escape
from typing import TypeAlias

import ipywidgets
import traitlets

from castlelab.draw.card import card_scene
from castlelab.rules import CastlelabError, NotationError, quoted
from castlelab.widgets.card.rule_card import card_html, html_card, status_html
from castlelab.widgets.controls import button, html, layout, row
from castlelab.widgets.lab.figures import LiveFigure
from castlelab.widgets.shown import ShownBox, Still

Number = int | Fraction
Then: TypeAlias = ipywidgets.Widget | str | None  # what is shown with the answer

_DIGITS = r"\d{1,12}"  # long enough for every answer, too short to keep a kernel busy
# Spaces stand round / and %, and between the whole and the part of a mixed number; no others.
_FRACTION = re.compile(
    rf"(?P<minus>-?)(?:(?P<whole>{_DIGITS})\s+(?={_DIGITS}\s*/))?"
    rf"(?P<number>{_DIGITS}(?:\s*/\s*{_DIGITS}|\.{_DIGITS})?)\s*(?P<percent>%?)"
)
_NEAR = Fraction(1, 200)


def read_fraction(text: str) -> Fraction:
    """A fraction as people write it; anything else is a ``NotationError``.

    >>> read_fraction("5/12"), read_fraction("0.25"), read_fraction("40 %"), read_fraction("1 1/2")
    (Fraction(5, 12), Fraction(1, 4), Fraction(2, 5), Fraction(3, 2))
    """
    if found := _FRACTION.fullmatch(text.strip()):
        with suppress(ZeroDivisionError):
            number = Fraction("".join(found["number"].split())) + int(found["whole"] or 0)
            return number * (-1 if found["minus"] else 1) / (100 if found["percent"] else 1)
    raise NotationError(f"write a fraction such as 5/12, not {quoted(text)}")


class _Card(ShownBox):
    """A question, controls, an answer in words, and what is shown once the answer is known."""

    solved = traitlets.Bool(False)

    def __init__(self, question: str, controls: ipywidgets.Widget, then: Then) -> None:
        self._question, self._told = question, html()
        self._told.add_class("castlelab-room")
        controls.add_class("castlelab-choices")
        if isinstance(then, str):
            then = html_card(f'<div class="castlelab-drawing"><p>{escape(then)}</p></div>')
        self._then = then
        head = html_card(f'<p class="castlelab-prompt">{escape(question)}</p>')
        self._asked = (head, controls, self._told)
        super().__init__(children=self._asked, layout=layout())
        self.add_class("castlelab-puzzle")
        self.add_class("castlelab-lesson")
        self.add_class("castlelab-question")

    def standin(self) -> str:
        return card_html(self._question, choices=self._ways())

    def still(self) -> Still:
        """The question and what to answer it with; not what is shown with the answer."""
        return Still.of(card_scene(self._question, choices=self._ways()), self._question)

    def _ways(self) -> Iterable[str]:
        """The words on the controls."""
        raise NotImplementedError

    def _reveal(self) -> None:
        """Show what belongs to the answer; who has not predicted anything does not see it."""
        if isinstance(self._then, LiveFigure):
            self._then.draw()
        if self._then is not None:
            self.children = (*self._asked, self._then)

    def _accept(self, words: str) -> bool:
        self.solved = True
        self.add_class("castlelab-solved")
        self._say("right", words)
        self._reveal()
        return True

    def _refuse(self, words: str) -> bool:
        self._say("wrong", words)
        return False

    def _say(self, mood: str, words: str) -> None:
        self._told.value = status_html(mood, words)


class GuessCard(_Card):
    """A question with a number for an answer; ``solved`` turns true when it is found.

    A fraction may be the answer, too: then it is typed, as 5/12, 0.25 or 40 %. ``mistakes``
    explains particular wrong answers; ``then`` is a widget, or a sentence, shown with the answer.
    """

    def __init__(
        self,
        question: str,
        answer: Number,
        because: str,
        hint: str,
        mistakes: Mapping[Number, str] | None = None,
        then: Then = None,
    ) -> None:
        self._answer, self._because, self._hint = answer, because, hint
        self._mistakes = dict(mistakes or {})
        if answer in self._mistakes:
            raise CastlelabError(f"{answer} is the answer and no mistake")
        look = {"description": "My guess", "layout": layout("guess")}
        if isinstance(answer, Fraction):
            self._number = ipywidgets.Text(placeholder="such as 5/12", **look)
        else:
            self._number = ipywidgets.IntText(**look)
        controls = row(
            self._number,
            button("Check", self.check, self._refuse, main=True),
            button("Hint", self.hint, self._refuse),
            button("Show answer", self.give_up, self._refuse),
        )
        super().__init__(question, controls, then)

    def _ways(self) -> Iterable[str]:
        return ("My guess: …", "Check", "Hint", "Show answer")

    def check(self) -> bool:
        """Judge the number in the box."""
        typed = self._number.value
        if isinstance(typed, str):
            return self._judge(read_fraction(typed), typed.strip())
        return self.guess(typed)

    def guess(self, number: Number) -> bool:
        """Judge a number: a known mistake, too low, too high, or right and why."""
        return self._judge(number, str(number))

    def _judge(self, number: Number, written: str) -> bool:
        if number == self._answer:
            return self._accept(f"Yes, {self._answer}! {self._because}")
        return self._refuse(f"Not {written}. {self._explain(number)}")

    def _explain(self, number: Number) -> str:
        if number in self._mistakes:
            return self._mistakes[number]
        if isinstance(self._answer, Fraction) and abs(number - self._answer) < _NEAR:
            return "But very near! Write it as a fraction, and it will be exact."
        return f"That is {'too low' if number < self._answer else 'too high'}. {self._hint}"

    def hint(self) -> None:
        """Say how to begin."""
        self._say("hint", self._hint)

    def give_up(self) -> None:
        """Tell the answer."""
        self._say("hint", f"It is {self._answer}. {self._because}")
        self._reveal()


class ChoiceCard(_Card):
    """A question with answers to choose from; each of them says why it is right or wrong.

    ``choices`` maps every answer to what is told about it.
    """

    def __init__(
        self, question: str, choices: Mapping[str, str], answer: str, then: Then = None
    ) -> None:
        if answer not in choices:
            raise CastlelabError(f"the answer {quoted(answer)} is not among the choices")
        self._choices, self._answer = dict(choices), answer
        controls = row(
            *(button(choice, partial(self.choose, choice), self._refuse) for choice in choices)
        )
        super().__init__(question, controls, then)

    def _ways(self) -> Iterable[str]:
        return self._choices

    def choose(self, choice: str) -> bool:
        """Judge a choice."""
        if choice not in self._choices:
            known = ", ".join(self._choices)
            raise CastlelabError(f"the choices are {known}, not {quoted(choice)}")
        if choice == self._answer:
            return self._accept(f"Yes: {choice}. {self._choices[choice]}")
        return self._refuse(f"Not “{choice}”. {self._choices[choice]}")
