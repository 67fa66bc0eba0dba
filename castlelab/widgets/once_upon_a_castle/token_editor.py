"""Place tokens by picking squares, for a puzzle that asks where two dice put them."""

from __future__ import annotations

import traitlets

from castlelab.draw.scene import Scene
from castlelab.game import Question
from castlelab.games.once_upon_a_castle.asking import board_questions
from castlelab.games.once_upon_a_castle.board import Board
from castlelab.games.once_upon_a_castle.picture import line_words
from castlelab.games.once_upon_a_castle.puzzle_complete_a_line import (
    NO_TOKENS,
    PlacedTokens,
    PlaceTokens,
    Tokens,
    next_squares,
    place,
)
from castlelab.rules import CastlelabError, IllegalMove, quoted
from castlelab.widgets.board.editor import BoardEditor, means_clear


class TokenEditor(BoardEditor[Tokens]):
    """A board to place tokens on. ``value`` is what was placed; observe it to follow along.

    Squares that may take a token are outlined; a token that one has placed comes off again
    when it is picked.
    """

    value = traitlets.Instance(Tokens)

    def __init__(self, ask: PlaceTokens, *, label: str = "Token board") -> None:
        if not isinstance(ask, PlaceTokens):
            raise CastlelabError(f"a token editor needs a PlaceTokens, not {quoted(ask)}")
        self.ask = ask
        super().__init__(
            NO_TOKENS,
            label=label,
            text_label="Type squares",
            text_hint="b2, or two: b2, d4; clear takes all off",
        )
        self._show_step("")

    @property
    def placed(self) -> PlacedTokens:
        """The moment of the game after these tokens."""
        return place(self.ask, self._now)

    @property
    def tokens(self) -> Board:
        """The board as it lies."""
        return self.placed.board

    def build(self, answer: Tokens | str) -> None:
        """Place a whole answer on the first board; undo brings back what lay there."""
        tokens = self.ask.read(answer) if isinstance(answer, str) else answer
        self._go_to(tokens, f"Placed: {tokens}." if tokens.squares else "The board is as it was.")

    # -- what is picked, typed and taken back ----------------------------------------------

    def _pick(self, target: str) -> None:
        squares = self._now.squares
        if target in squares:
            rest = tuple(square for square in squares if square != target)
            self._go_to(Tokens(rest), f"The token of {target} is in your hand again.")
        elif target in self.ask.board.layout.line_of:
            self.board.say(f"{line_words(self.tokens, self.tokens.line(target))}.")
        else:
            self._go_to(Tokens((*squares, target)), f"A token lies on {target}.")

    def _write(self, text: str) -> None:
        if means_clear(text):
            self.build(NO_TOKENS)
            return
        more = self.ask.read(text)
        squares = (*self._now.squares, *more.squares)
        self._go_to(Tokens(squares), f"Placed: {more}.")

    # -- the rest --------------------------------------------------------------------------

    def _go_to(self, tokens: Tokens, words: str) -> None:
        """Place tokens if all of them may lie; a refusal raises and nothing changes."""
        placed = place(self.ask, tokens)
        if not placed.verdict:
            refused = tokens.squares[placed.tokens]
            raise IllegalMove(f"A token on {refused}", placed.verdict)
        self._go(tokens, words)

    def _closed(self) -> int:
        return len(self.tokens.full_lines())

    def _may_ask(self) -> tuple[Question, ...]:
        return board_questions(self.tokens)

    def _offers(self) -> tuple[str, ...]:
        return next_squares(self.ask, self._now)

    def _outlook(self) -> str:
        """What there is to say about the lines."""
        if not self._now.squares:
            return ""
        full = [line_words(self.tokens, line) for line in self.tokens.full_lines()]
        return "\n".join(f"{words}." for words in full)

    def _scene(self) -> Scene:
        return self.ask.draw(self._now)
