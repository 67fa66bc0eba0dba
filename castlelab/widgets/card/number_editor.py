"""Type a number under the picture of what is counted."""

from __future__ import annotations

import ipywidgets
import traitlets

from castlelab.counting import TypeNumber, WrittenNumber, read_number
from castlelab.rules import CastlelabError, NotationError, quoted
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.controls import layout, row
from castlelab.widgets.shown import ShownBox, Still


class NumberEditor(ShownBox):
    """A picture of what there is to count, and a box for the number.

    ``value`` is the number, or the text in the box where that is none.
    """

    value = traitlets.Any("")

    def __init__(self, ask: TypeNumber, *, label: str = "What is counted") -> None:
        if not isinstance(ask, TypeNumber):
            raise CastlelabError(f"a number editor needs a TypeNumber, not {quoted(ask)}")
        self.ask = ask
        self.board = BoardWidget(
            ask.draw(None),
            on_pick=self._pick,
            on_text=self._write,
            label=label,
            text_label="Type a number",
            text_hint="20, 7/9 or 77.8 %",
        )
        example = "such as 7/9 or 77.8 %" if ask.fraction else "a number"
        look = {"description": "My answer", "layout": layout("guess")}
        self._box = ipywidgets.Text(placeholder=example, **look)
        self._box.observe(self._typed, "value")
        typing = row(self._box)
        typing.add_class("castlelab-number")
        super().__init__(children=[self.board, typing], layout=layout())

    def build(self, answer: WrittenNumber | str) -> None:
        """Put a number into the box."""
        self._box.value = str(answer)

    def still(self) -> Still:
        return self.board.still()

    def standin(self) -> str:
        return self.board.standin()

    def _typed(self, _: object) -> None:
        number = self._number()
        # What came of the last answer goes when there is another one.
        self.board.show(self.ask.draw(number))
        self.value = self._box.value if number is None else number

    def _number(self) -> WrittenNumber | None:
        try:
            return read_number(self._box.value)
        except NotationError:  # it may become one
            return None

    def _write(self, text: str) -> None:
        self._box.value = str(read_number(text))
        self.board.say(f"Your answer: {self._box.value}.")

    def _pick(self, target: str) -> None:
        if (found := self.board.scene.target(target)) is not None:
            self.board.say(f"{found.name.rstrip('.')}.")
