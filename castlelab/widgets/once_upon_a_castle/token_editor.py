"""Place tokens by picking squares, for a puzzle that asks where two dice put them."""

from __future__ import annotations

import ipywidgets
import traitlets

from castlelab.draw.scene import Scene
from castlelab.games.once_upon_a_castle.board import Board as TokenBoard
from castlelab.games.once_upon_a_castle.picture import bench_scene, line_words
from castlelab.games.once_upon_a_castle.puzzles import (
    NO_TOKENS,
    Placed,
    PlaceTokens,
    Tokens,
    next_squares,
    place,
)
from castlelab.rules import CastlelabError, IllegalMove, quoted
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.board.history import History
from castlelab.widgets.controls import layout


class TokenEditor(ipywidgets.VBox):  # type: ignore[misc]
    """A board to place tokens on. ``value`` is what was placed; observe it to follow along.

    Squares that may take a token are outlined; a token that one has placed comes off again
    when it is picked.
    """

    value = traitlets.Instance(Tokens)

    def __init__(self, ask: PlaceTokens, *, label: str = "Token board") -> None:
        if not isinstance(ask, PlaceTokens):
            raise CastlelabError(f"a token editor needs a PlaceTokens, not {quoted(ask)}")
        self.ask = ask
        self._history = History(NO_TOKENS)
        self.board = BoardWidget(
            self._scene(),
            on_pick=self._pick,
            on_text=self._write,
            on_undo=self._undo,
            on_redo=self._redo,
            label=label,
            text_label="Type squares",
            text_hint="b2, or two: b2, d4; clear takes all off",
        )
        super().__init__(children=[self.board], layout=layout(), value=NO_TOKENS)
        self._show("")

    @property
    def placed(self) -> Placed:
        """The moment of the game after these tokens."""
        return place(self.ask, self._history.now)

    @property
    def tokens(self) -> TokenBoard:
        """The board as it lies."""
        return self.placed.board

    def build(self, answer: Tokens | str) -> None:
        """Place a whole answer on the first board; undo brings back what lay there."""
        tokens = self.ask.read(answer) if isinstance(answer, str) else answer
        self._go_to(tokens, f"Placed: {tokens}." if tokens.squares else "The board is as it was.")

    # -- what is picked, typed and taken back ----------------------------------------------

    def _pick(self, target: str) -> None:
        squares = self._history.now.squares
        if target in squares:
            rest = tuple(square for square in squares if square != target)
            self._go_to(Tokens(rest), f"The token of {target} is in your hand again.")
        elif target in self.ask.board.layout.line_of:
            self.board.say(f"{line_words(self.tokens, self.tokens.line(target))}.")
        else:
            self._go_to(Tokens((*squares, target)), f"A token lies on {target}.")

    def _write(self, text: str) -> None:
        if text.strip().lower() == "clear":
            self.build(NO_TOKENS)
            return
        more = self.ask.read(text)
        squares = (*self._history.now.squares, *more.squares)
        self._go_to(Tokens(squares), f"Placed: {more}.")

    def _undo(self) -> None:
        self._history.back()
        self._show("Taken back.")

    def _redo(self) -> None:
        self._history.again()
        self._show("Done again.")

    # -- the rest --------------------------------------------------------------------------

    def _go_to(self, tokens: Tokens, words: str) -> None:
        """Place tokens if all of them may lie; a refusal raises and nothing changes."""
        placed = place(self.ask, tokens)
        if not placed.verdict:
            refused = tokens.squares[placed.tokens]
            raise IllegalMove(f"A token on {refused}", placed.verdict)
        self._history.go(tokens)
        self._show(words)

    def _show(self, words: str) -> None:
        said = "\n".join(filter(None, (words, self._outlook())))
        self.board.show(self._scene(), said, offered=next_squares(self.ask, self._history.now))
        self._history.tell(self.board)
        self.value = self._history.now

    def _outlook(self) -> str:
        """What there is to say about the lines."""
        if not self._history.now.squares:
            return ""
        full = [line_words(self.tokens, line) for line in self.tokens.full_lines()]
        return "\n".join(f"{words}." for words in full)

    def _scene(self) -> Scene:
        placed = self.placed
        left = placed.state.left if placed.state.phase == "dice" else ()
        return bench_scene(placed.board, self.ask.dice, left=left, guests=self.ask.guests)


def editor_for(ask: object) -> TokenEditor:
    """The board for a puzzle that asks for tokens."""
    if not isinstance(ask, PlaceTokens):
        raise CastlelabError(f"no editor for {quoted(ask)}")
    return TokenEditor(ask)
