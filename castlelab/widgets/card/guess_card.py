"""Predict first: a number to guess or a choice to make, and words that lead there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from html import escape
from typing import TypeAlias

import ipywidgets
import traitlets

from castlelab.counting import WrittenNumber, read_number
from castlelab.draw.card import card_scene
from castlelab.rules import CastlelabError, quoted
from castlelab.widgets.card.progress_book import QuestionNotes
from castlelab.widgets.card.rule_card import card_html, html_card, status_html
from castlelab.widgets.controls import button, html, layout, row
from castlelab.widgets.lab.figures import LiveFigure
from castlelab.widgets.shown import ShownBox, Still

Number = int | Fraction
Then: TypeAlias = ipywidgets.Widget | str | None  # what is shown with the answer


class _Card(ShownBox):
    """A question, controls, an answer in words, and what is shown once the answer is known."""

    solved = traitlets.Bool(False)

    def __init__(self, question: str, controls: ipywidgets.Widget, then: Then) -> None:
        self._question, self._told = question, html()
        self._notes = QuestionNotes(question)
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

    def _accept(self, words: str, given: str) -> bool:
        self.solved = True
        self._notes.note(given, solved=True)
        self.add_class("castlelab-solved")
        self._say("right", words)
        self._reveal()
        return True

    def _refuse(self, words: str, given: str = "") -> bool:
        """Say what is wrong; with a guess that was one, and not only a click that failed."""
        if given:
            self._notes.note(given)
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
            return self._judge(read_number(typed))
        return self.guess(typed)

    def guess(self, number: Number) -> bool:
        """Judge a number: a known mistake, too low, too high, or right and why."""
        return self._judge(WrittenNumber(Fraction(number), written=str(number)))

    def _judge(self, number: WrittenNumber) -> bool:
        if number.means(self._answer) and number.value not in self._mistakes:
            return self._accept(f"Yes, {self._answer}! {self._because}", str(number))
        return self._refuse(f"Not {number}. {self._explain(number)}", str(number))

    def _explain(self, number: WrittenNumber) -> str:
        meant = (words for wrong, words in self._mistakes.items() if number.means(wrong))
        if (words := next(meant, "")) or not number.is_near(self._answer):
            low = "too low" if number.value < self._answer else "too high"
            return words or f"That is {low}. {self._hint}"
        return "But very near! Write it as a fraction, or with three digits."

    def hint(self) -> None:
        """Say how to begin."""
        self._notes.note(hints=1)
        self._say("hint", self._hint)

    def give_up(self) -> None:
        """Tell the answer."""
        self._notes.note(gave_up=True)
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
            return self._accept(f"Yes: {choice}. {self._choices[choice]}", choice)
        return self._refuse(f"Not “{choice}”. {self._choices[choice]}", choice)
