"""The board of a figure to handle: each touch makes another moment, and can be taken back."""

from __future__ import annotations

import traitlets

from castlelab.draw.scene import Scene
from castlelab.figures import Figure
from castlelab.rules import CastlelabError
from castlelab.widgets.board.editor import BoardEditor

GUESS_FIRST = "guess first: a number will do, right or wrong"


class FigureEditor(BoardEditor[Figure]):
    """Any figure on a board; until it is begun it answers no touch."""

    value = traitlets.Instance(Figure)

    def __init__(self, first: Figure, *, label: str) -> None:
        self.is_begun = False
        super().__init__(
            first,
            label=label,
            text_label="Type what you would touch",
            text_hint="names as the board says them, with commas between",
        )

    def _pick(self, target: str) -> None:
        self._check_open()
        self._take(*self._now.touch(target))

    def _write(self, text: str) -> None:
        self._check_open()
        self._take(*self._now.read(text))

    def begin(self) -> None:
        """From now on it can be handled."""
        self.is_begun = True
        self._show("")

    def _check_open(self) -> None:
        if not self.is_begun:
            raise CastlelabError(GUESS_FIRST)

    def _take(self, figure: Figure, words: str) -> None:
        if figure == self._now:
            self.board.say(words)
        else:
            self._go(figure, words)

    def _outlook(self) -> str:
        return f"{self._now.tally}."

    def _offers(self) -> tuple[str, ...]:
        return self._now.offers if self.is_begun else ()

    def _held(self) -> str | None:
        return self._now.held

    def _scene(self) -> Scene:
        return self._now.picture()
