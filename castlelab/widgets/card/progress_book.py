"""The visitor's progress as a page knows it: one book that all its puzzles write in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from html import escape
from typing import Any

import traitlets

from castlelab.game import game_class
from castlelab.progress import (
    MOST_GUESSES,
    Attempt,
    Guesses,
    Progress,
    ProgressError,
    Solve,
    as_guess,
    as_question,
    now,
)
from castlelab.puzzles import LEVELS, kind_title, kinds
from castlelab.rules import counted
from castlelab.widgets.browser.storage import BrowserStorage

KEY = "castlelab-progress"
_read = lru_cache(maxsize=4)(Progress.loads)


class ProgressBook(traitlets.HasTraits):
    """What was solved, kept in the visitor's browser and nowhere else.

    Other tabs write in the same book; whatever they add becomes part of ``progress``, and
    ``trouble`` says in words why the browser keeps nothing, if it does not.
    """

    progress = traitlets.Instance(Progress, args=())
    trouble = traitlets.Unicode()

    def __init__(self) -> None:
        super().__init__()
        self._storage = BrowserStorage(KEY)
        self._storage.observe(self._turn_page, "kept")
        self._storage.observe(self._tell_trouble, "trouble")

    def on_ready(self, callback: Callable[[], object]) -> None:
        """Call once the browser has told what was solved before."""
        self._storage.on_ready(callback)

    def note(self, solve: Solve) -> None:
        """Write down how a puzzle ended."""
        self.take_over(Progress({solve.code: solve}))

    def note_attempt(self, attempt: Attempt) -> None:
        """Write down how far somebody has come with a puzzle."""
        self.take_over(Progress(tried={attempt.code: attempt}))

    def note_guesses(self, made: Guesses) -> None:
        """Write down what was guessed at a question."""
        self.take_over(Progress(guesses={made.question: made}))

    def take_over(self, other: Progress) -> None:
        """Merge another progress into this one."""
        self._storage.change(lambda text: self._open(text).merge(other).dumps())

    def forget(self) -> None:
        """Tear out all pages, in this tab and in every other."""
        self._storage.kept = ""

    def _turn_page(self, _: object) -> None:
        self.progress = self._open(self._storage.kept)

    def _tell_trouble(self, _: object) -> None:
        why = self._storage.trouble
        self.trouble = f"This browser does not keep your progress: {why}" if why else ""

    def _open(self, text: str) -> Progress:
        """A progress from the browser; what cannot be read is put aside rather than lost."""
        if not text:
            return Progress()
        try:
            return _read(text)
        except ProgressError as error:
            if (aside := _aside()).kept != text:
                aside.kept = text
            self.trouble = f"What this browser had kept cannot be read, so we begin anew: {error}"
            return Progress()


@cache
def book() -> ProgressBook:
    """The book of this kernel; a kernel serves one visitor."""
    return ProgressBook()


@cache
def _aside() -> BrowserStorage:
    return BrowserStorage(f"{KEY}-unreadable")


class QuestionNotes:
    """What comes of one question, written into the book until it has ended.

    What was noted on another day comes first. Who was told the answer has not found it.
    """

    def __init__(self, question: str) -> None:
        self._question = as_question(question)
        self._made: Guesses | None = None  # once there is something to note
        book()  # so that it is on the page by then

    @property
    def before(self) -> Guesses | None:
        """What is noted already."""
        return self._made or book().progress.guesses.get(self._question)

    def note(self, given: str = "", **what: Any) -> None:
        """Write down a guess, or what else came of it."""
        made = self.before or Guesses(self._question, now())
        if made.ended:
            return
        guesses = (*made.given, *filter(None, [as_guess(given)]))[-MOST_GUESSES:]
        self._made = replace(made, when=now(), given=guesses, **what)
        book().note_guesses(self._made)


def ladder_html(progress: Progress, game: str) -> str:
    """What was solved of each kind at each level: a table in words and pips.

    A pip is empty for none, half full for some and full from five on.
    """
    counts = progress.counts()
    names = kinds(game)
    total = sum(counts[kind, level] for kind in names for level in LEVELS)
    title = escape(game_class(game).title)
    if not total:
        return f'<p class="castlelab-tally">No puzzle of {title} solved yet.</p>'
    heads = "".join(f'<th scope="col" aria-label="Level {level}">{level}</th>' for level in LEVELS)
    rows = "".join(
        f'<tr><th scope="row">{escape(kind_title(kind))}</th>'
        + "".join(f"<td>{pips(counts[kind, level])}</td>" for level in LEVELS)
        + "</tr>"
        for kind in names
    )
    return (
        f'<table class="castlelab-tally"><caption>{counted(total, "puzzle")} of {title} solved. '
        "○ none, ◐ some, ● five or more.</caption>"
        f'<thead><tr><th scope="col">Level</th>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    )


def pips(number: int) -> str:
    """A number of solved puzzles as a pip with the number beside it."""
    pip = "○" if not number else "◐" if number < 5 else "●"
    shown = f" {number}" if number else ""
    return (
        f'<span aria-hidden="true">{pip}{shown}</span>'
        f'<span class="castlelab-unseen">{number} solved</span>'
    )


def solve_words(solve: Solve | None) -> str:
    """How a puzzle ended, in a few words.

    >>> solve_words(Solve("castell/tallest-3-42", "2026-05-17T09:30:00Z", hints=1))
    '✓ Solved, with one hint'
    """
    if solve is None:
        return ""
    if solve.gave_up:
        return "Given up; the solution was shown"
    return "✓ Solved" + ("", ", with one hint", ", with both hints")[solve.hints]
