"""A figure of the lab on a card: guess first, handle it, complete the line that says why."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Literal

import ipywidgets
import traitlets

from castlelab.classroom.paper import page
from castlelab.counting import WrittenNumber, read_number
from castlelab.draw.card import card_scene
from castlelab.draw.svg import still
from castlelab.figures import Age, FigureTask, handled_figure
from castlelab.progress import as_question
from castlelab.widgets.browser.export_buttons import ExportButtons, to_print
from castlelab.widgets.browser.focus_lead import FocusLead
from castlelab.widgets.browser.text_entry import TextEntry
from castlelab.widgets.card.progress_book import QuestionNotes, book
from castlelab.widgets.card.rule_card import html_card, status_html, style
from castlelab.widgets.controls import (
    button,
    discard,
    html,
    icon_button,
    layout,
    row,
    tell_open,
)
from castlelab.widgets.lab.figure_editor import FigureEditor
from castlelab.widgets.lab.lab_age import lab_age
from castlelab.widgets.shown import ShownBox, Still

Stage = Literal["guess", "handle", "why", "proved"]
_STAGES: dict[Stage, str] = {
    "guess": "Guess",
    "handle": "Handle and count",
    "why": "Say why",
    "proved": "Proved",
}
#: Where the keys go on when a stage begins.
_NEXT: dict[Stage, str] = {
    "handle": ".castlelab-bench canvas",
    "why": ".castlelab-choices button",
    "proved": ".castlelab-next",
}


class FigureCard(ShownBox):
    """One figure by its name, such as ``castlescape/fence``, for the age that is chosen.

    Nothing can be touched before there is a guess; ``solved`` turns true when its count and its
    reason are found. Another ``age`` begins anew.
    """

    solved = traitlets.Bool(False)

    def __init__(self, name: str) -> None:
        self.figure = handled_figure(name)
        self.stage: Stage = "guess"
        self._guess: WrittenNumber | None = None
        self._hints = 0
        self._head, self._tally = html_card(""), html()
        self._room = ipywidgets.VBox([html()], layout=layout())
        self._room.add_class("castlelab-room")
        self._side = ipywidgets.VBox(layout=layout())
        self._side.add_class("castlelab-choices")
        self._lead = FocusLead()
        self._paper: ExportButtons | None = None
        super().__init__(layout=layout())
        for each in ("puzzle", "lesson", "handled"):
            self.add_class(f"castlelab-{each}")
        self._lay_out()
        lab_age().observe(self._begin_anew, "age")
        book().on_ready(self._come_back)

    # -- what is on the card ------------------------------------------------------------------

    @property
    def age(self) -> Age:
        """The age that this is for."""
        return lab_age().age

    @property
    def task(self) -> FigureTask:
        """What there is to do at this age."""
        return self.figure.tasks[self.age]

    @property
    def _answer(self) -> str:
        """The number as one reads it."""
        answer = self.task.answer
        return f"{answer:,}" if isinstance(answer, int) else str(answer)

    def _lay_out(self) -> None:
        """The card of a task that nobody has begun."""
        self._notes = QuestionNotes(self.task.question)
        self.editor = FigureEditor(self.task.first, label=self.figure.title)
        self.editor.add_class("castlelab-bench")
        self.editor.observe(self._touched, "value")
        self._number = TextEntry(
            "My guess", "Guess", self.guess_typed, self.fail, placeholder="a number", main=True
        )
        why = self.task.why
        ends = [button(end, partial(self.complete, end), self.fail) for end in why.choices]
        line = html(f'<p class="castlelab-line">{escape(why.start)} …</p>')
        self._line = ipywidgets.VBox([line, *ends], layout=layout())
        self._guessing = row(self._number, button("No idea", self.skip_guess, self.fail))
        self._guessing.add_class("castlelab-guessing")
        self._more_row, tools = self._more_tools(), self._toolbar()
        self.children = (
            *(self._head, self._side, self.editor),
            *(self._room, self._more_row, tools, self._lead),
        )
        self._enter("guess")

    def _toolbar(self) -> ipywidgets.HBox:
        board = self.editor.board
        self._more_button = icon_button("More", "more", self.more, self.fail)
        tell_open(self._more_button, False)
        onward = button("Next", lambda: None, self.fail, main=True)  # the page itself leads on
        onward.add_class("castlelab-next")
        made = row(
            icon_button("Undo", "undo", board.undo, self.fail),
            icon_button("Redo", "redo", board.redo, self.fail),
            icon_button("Hint", "hint", self.hint, self.fail),
            self._more_button,
            onward,
        )
        made.add_class("castlelab-tools")
        return made

    def _more_tools(self) -> ipywidgets.HBox:
        made = row(button("Give up", self.give_up, self.fail))
        made.add_class("castlelab-more-tools")
        return made

    def more(self) -> None:
        """Show or hide what is seldom wanted, with the picture to print as it is now."""
        is_open = "castlelab-more-open" in self._dom_classes
        (self.remove_class if is_open else self.add_class)("castlelab-more-open")
        tell_open(self._more_button, not is_open)
        if not is_open:
            if self._paper is None:
                self._paper = ExportButtons()
            self._paper.offer(to_print("Picture to print", self.paper()))
            self._more_row.children = (self._more_row.children[0], self._paper)

    def paper(self) -> str:
        """The figure as it lies, on a page of its own that can be printed."""
        picture = still(self.editor.value.picture().on_paper(), bare=True)
        words = f"<p>{escape(self.task.question)}</p><p>{escape(self.task.do)}</p>"
        return page(self.figure.title, f"{words}{picture}")

    # -- guess, handle, say why ---------------------------------------------------------------

    def guess_typed(self, text: str) -> None:
        """Take what was typed for the guess."""
        self.guess(read_number(text))

    def guess(self, number: WrittenNumber) -> None:
        """Predict the count; nobody is told yet whether it is right."""
        self._guess = number
        self._notes.note(str(number))
        self._lead_to("handle")
        self._tell("")

    def skip_guess(self) -> None:
        """Go on without a guess."""
        self._lead_to("handle")
        self._tell("")

    def _touched(self, _: object) -> None:
        self._tell_tally()
        if self.stage == "handle":
            self._tell("")
            if self.task.counted(self.editor.value):
                self._lead_to("why")
                self._say("right", self._verdict(), self.task.because)

    def _verdict(self) -> str:
        """What became of the guess."""
        answer = self._answer
        if self._guess is None:
            return f"It is {answer}."
        if self._guess.means(self.task.answer):
            return f"You have guessed right: {answer}."
        known = (words for wrong, words in self.task.slips.items() if self._guess.means(wrong))
        return f"You guessed {self._guess}, it is {answer}. {next(known, '')}".strip()

    def complete(self, end: str) -> bool:
        """Complete the line; a wrong end says why it is wrong."""
        why = self.task.why
        if end != why.right:
            self._say("wrong", f"Not “{end}”. {why.ends[end]}")
            return False
        self.solved = True
        self._notes.note(solved=True)
        self._lead_to("proved")
        self._say("right", f"Yes: {why.ends[end]}", *self.task.proof)
        return True

    def hint(self) -> None:
        """The first hint, then the second; or how to go on."""
        if self.stage == "guess":
            self._say("hint", "A guess may be wrong. It shows you what there is to find out.")
        elif self.stage == "handle":
            self._say("hint", self.task.hints[min(self._hints, 1)])
            self._hints += 1
            self._notes.note(hints=min(self._hints, 2))
        else:
            self._say("hint", self.task.because)

    def give_up(self) -> None:
        """Tell the number, the reason and the proof; this counts as given up."""
        why = self.task.why
        self._notes.note(gave_up=True)
        self._lead_to("proved")
        told = f"It is {self._answer}. {self.task.because}"
        self._say("hint", told, f"{why.start} {why.right}.", *self.task.proof)

    def fail(self, words: str) -> None:
        """Say what went wrong."""
        self._say("wrong", words)

    # -- the rest -----------------------------------------------------------------------------

    def _lead_to(self, stage: Stage) -> None:
        """Begin a stage at the hand of somebody, whose focus goes on."""
        self._enter(stage)
        self._lead.place = _NEXT[stage]

    def _enter(self, stage: Stage) -> None:
        self.stage = stage
        self._tell_head()
        self._tell_tally()
        if stage != "guess" and not self.editor.is_begun:
            self.editor.begin()
        inside = {"guess": self._guessing, "why": self._line}.get(stage)
        shown = (self._tally if stage != "guess" else None, inside)
        self._side.children = tuple(each for each in shown if each is not None)
        if stage == "proved":
            self.add_class("castlelab-solved")
        else:
            self.remove_class("castlelab-solved")

    def _tell_head(self) -> None:
        """Where one is, and what to do there."""
        goal = {
            "guess": self.task.question,
            "handle": self.task.do,
            "why": "Now complete the line.",
            "proved": f"{self.task.why.start} {self.task.why.right}.",
        }[self.stage]
        self._head.value = style() + _head_html(self.stage, goal)

    def _tell_tally(self) -> None:
        value, words = self.editor.value.tally
        is_open = self._guess is not None and self.stage == "handle"
        guess = f"<span>You guessed {escape(str(self._guess))}.</span>" if is_open else ""
        count = f"<b>{escape(value)}</b> {escape(words)}{guess}"
        self._tally.value = f'<p class="castlelab-count">{count}</p>'

    def _say(self, mood: str, *lines: str) -> None:
        self._tell(status_html(mood, *lines))

    def _tell(self, words: str) -> None:
        self._room.children[0].value = words

    def _come_back(self) -> None:
        """What was proved on another day is open to play with."""
        made = self._notes.before
        if made and made.solved and self.stage == "guess":
            self._enter("proved")
            self._say("right", f"Found before: {self._answer}.", *self.task.proof)

    def _begin_anew(self, _: object) -> None:
        before = self.children
        self._guess, self._hints, self.solved = None, 0, False
        self._tell("")
        self._paper, self._lead.place = None, ""
        self._lay_out()
        for each in before:
            if each not in self.children:
                discard(each)
        self._come_back()

    def still(self) -> Still:
        """The question over the figure as it lies."""
        picture = self.editor.board.scene
        return Still.of(card_scene(self.task.question, picture), self.task.question)

    def standin(self) -> str:
        ways = " ".join(
            f'<span class="castlelab-standin-button">{words}</span>'
            for words in ("My guess: …", "Guess", "No idea")
        )
        return (
            '<div class="castlelab-puzzle castlelab-lesson castlelab-handled">'
            f"<div>{_head_html('guess', self.task.question)}</div>"
            f'<div class="castlelab-choices"><div>{ways}</div></div>'
            f'<div class="castlelab-bench">{self.editor.board.standin()}</div>'
            '<div class="castlelab-room"></div><div class="castlelab-tools"></div></div>'
        )

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(as_question(task.question) for task in self.figure.tasks.values())


def _head_html(stage: Stage, goal: str) -> str:
    """The four stages, the one that it is marked, over what to do there."""
    marks = "".join(
        f"<li{' aria-current=step' if one == stage else ''}>{words}</li>"
        for one, words in _STAGES.items()
    )
    return (
        f'<ol class="castlelab-stages">{marks}</ol>'
        f'<p class="castlelab-prompt castlelab-news">{escape(goal)}</p>'
    )
