"""A question of a notebook as a card: what is answered on it is written into the cell."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import anywidget
from IPython.core.getipython import get_ipython
from IPython.display import display

from castlelab.classroom.homework import PuzzleQuestion, counted_points, with_answer
from castlelab.puzzles import Judgement
from castlelab.rules import CastlelabError
from castlelab.widgets.card.puzzle_card import PuzzleCard
from castlelab.widgets.card.rule_card import status_html
from castlelab.widgets.controls import html, layout
from castlelab.widgets.shown import ShownBox, Still


class CellKeeper(anywidget.AnyWidget):
    """Writes into the cell that it is shown under; ``on_done`` hears whether it could."""

    _esm = (files(__package__) / "cell_keeper.js").read_text(encoding="utf-8")

    def __init__(self, on_done: Any) -> None:
        self._on_done, self._number = on_done, 0
        super().__init__(layout=layout())
        self.on_msg(self._hear)

    def keep(self, was: str, text: str) -> None:
        """Ask the page to write ``text`` where ``was`` stands."""
        self._number += 1
        self.send({"do": "keep", "was": was, "text": text, "number": self._number})

    def _hear(self, _: object, content: Any, __: object) -> None:
        match content:
            case {"do": "kept", "number": self._number, "done": bool(done)}:
                self._on_done(done)


class QuestionCard(ShownBox):
    """A question with its board. The last answer counts, but a right one stays.

    Solutions are not shown; hints are.
    """

    def __init__(self, asked: PuzzleQuestion) -> None:
        self.asked = asked
        self._source = self._written = _source_of_cell()
        self._score: Any = None  # the output that tells the points
        self.card = PuzzleCard(
            asked.puzzle, link=False, can_give_up=False, on_answer=self._answered
        )
        self.card.add_class("castlelab-homework")
        self._told = html()
        self._keeper = CellKeeper(self._tell_kept)
        super().__init__(children=[self.card, self._told, self._keeper], layout=layout())
        if asked.answer:
            self._lay(asked.answer)

    def _lay(self, answer: str) -> None:
        """Put the answer of the cell on the board, as far as it can be read."""
        try:
            self.card.lay(self.asked.puzzle.read(answer))
        except CastlelabError as error:
            self.card.fail(f"The answer in the cell cannot be read: {error}.")

    def still(self) -> Still:
        return self.card.still()

    def standin(self) -> str:
        return self.card.standin()

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self._score = display(self.asked.bundle, raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def _answered(self, answer: Any, judgement: Judgement) -> None:
        """Write an answer that was checked into the cell, unless a right one stands there."""
        if self.asked.judgement and not judgement:
            return
        self.asked = self.asked.answered(answer)
        if self._score is not None:
            self._score.update(self.asked.bundle, raw=True)
        self._written = with_answer(self._source, self.asked.puzzle.id, self.asked.answer)
        if self._written:
            self._keeper.keep(self._source, self._written)
        else:
            self._tell_kept(False)

    def _tell_kept(self, done: bool) -> None:
        points = f"{self.asked.score:g} of {counted_points(self.asked.points)}."
        if done:
            self._source = self._written
            words = f"{points} Your answer stands in the cell above. Save the notebook."
            self._told.value = status_html("right" if self.asked.judgement else "hint", words)
            return
        call = f'question("{self.asked.puzzle.id}")'
        line = with_answer(call, self.asked.puzzle.id, self.asked.answer)
        words = f"{points} To keep your answer, write it into the cell:"
        self._told.value = status_html("hint", words, line)


def _source_of_cell() -> str:
    """The cell that is running, as it was typed; "" where there is none."""
    shell = get_ipython()
    history = getattr(shell, "history_manager", None)
    lines = getattr(history, "input_hist_raw", None) or [""]
    return str(lines[-1])
