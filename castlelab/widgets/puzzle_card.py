"""A puzzle on the page: its goal, a bench or choices to answer with, hints, the solution."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Any

import ipywidgets
import traitlets

from castlelab.puzzles import LARGEST_SEED, LEVELS, Choose, Judgement, Puzzle, kinds, puzzle
from castlelab.rules import CastlelabError
from castlelab.widgets.board import Board
from castlelab.widgets.controls import button, html, layout, row
from castlelab.widgets.editors import Editor, editor_for
from castlelab.widgets.rule_card import card, told


class PuzzleCard(ipywidgets.VBox):  # type: ignore[misc]
    """One puzzle. ``solved`` turns true with the first right answer before giving up."""

    solved = traitlets.Bool(False)

    def __init__(self, code: str | Puzzle) -> None:
        self.puzzle = puzzle(code) if isinstance(code, str) else code
        self._hints = 0
        self._gave_up = False
        self._answer = html()
        code_line = f'<p class="castlelab-code">Puzzle {escape(self.puzzle.code)}</p>'
        head = card(
            f'<p class="castlelab-prompt">{escape(self.puzzle.prompt)}</p>'
            + (code_line if self.puzzle.code else "")
        )
        self.editor: Editor | None = None
        if isinstance(self.puzzle.ask, Choose):
            body = self._choices(self.puzzle.ask)
        else:
            self.editor = editor_for(self.puzzle.ask)
            body = [self.editor]
        self._hint_button = button("Hint", self.hint, self.fail)
        buttons = [self._hint_button, button("Show solution", self.give_up, self.fail)]
        if self.editor is not None:
            buttons.insert(0, button("Check", self.check, self.fail, main=True))
        children = [head, *body, row(*buttons), self._answer]
        super().__init__(children=children, layout=layout())
        self.add_class("castlelab-puzzle")

    def _choices(self, ask: Choose) -> list[ipywidgets.Widget]:
        """The picture, whose targets answer too, and a button for each choice."""
        self.board = Board(self.puzzle.picture(), on_pick=self._pick, label="Puzzle")
        buttons = [
            button(words, partial(self.answer, value), self.fail) for value, words in ask.options
        ]
        return [self.board, row(*buttons)]

    def _pick(self, target: str) -> None:
        if target in dict(self.puzzle.ask.options):
            self.answer(target)

    def check(self) -> Judgement:
        """Judge what is on the bench."""
        assert self.editor is not None
        return self.answer(self.editor.value)

    def answer(self, answer: Any) -> Judgement:
        """Judge an answer and show what comes of it."""
        try:
            judgement = self.puzzle.check(answer)
        except CastlelabError as error:
            judgement = Judgement(False, str(error))
        else:
            self._show_consequence(answer)
        self._tell(judgement)
        if self.editor is None:
            self.board.show(self.puzzle.picture(answer if judgement else None))
        if judgement and not self._gave_up:
            self.solved = True
        return judgement

    def _show_consequence(self, answer: Any) -> None:
        """What comes of an answer, on a bench that is a picture of the very same things."""
        if self.editor is None:
            return
        board, picture = self.editor.board, self.puzzle.picture(answer)
        if {target.id for target in picture.targets} == {each.id for each in board.scene.targets}:
            board.show(picture, board.said)

    def hint(self) -> str:
        """The first hint, then the second."""
        self._hints = min(self._hints + 1, 2)
        words = self.puzzle.hint(self._hints)
        self._hint_button.description = "Another hint" if self._hints == 1 else "Hint again"
        self._say("hint", f"Hint {self._hints}: {words}")
        return words

    def give_up(self) -> None:
        """Show one solution; from then on the puzzle does not count as solved."""
        self._gave_up = True
        solution = self.puzzle.solution
        if self.editor is not None:
            self.editor.build(solution)
        else:
            self.board.show(self.puzzle.picture(solution))
        judgement = self.puzzle.check(solution)
        self._say("hint", f"One solution: {solution}.", *str(judgement).splitlines())

    def fail(self, words: str) -> None:
        """Tell that something went wrong."""
        self._say("wrong", words)

    def _tell(self, judgement: Judgement) -> None:
        mood, start = ("right", "Solved! ") if judgement else ("wrong", "Not yet. ")
        first, *rest = str(judgement).splitlines()
        self._say(mood, start + first, *rest)

    def _say(self, mood: str, *lines: str) -> None:
        self._answer.value = told(mood, *lines)


class PuzzleLadder(ipywidgets.VBox):  # type: ignore[misc]
    """Puzzles of a game from easy to hard: choose a kind and a level, take the next one."""

    def __init__(self, game: str, level: int = 1, seed: int = 1) -> None:
        names = [kind for kind in kinds() if kind.startswith(f"{game}/")]
        if not names:
            raise CastlelabError(f"there are no puzzles for {game!r}")
        if level not in LEVELS:
            raise CastlelabError(f"there is no level {level!r}; levels go from 1 to 5")
        titles = [(kind.partition("/")[2].replace("-", " ").capitalize(), kind) for kind in names]
        narrow = {"description_width": "56px"}
        self._kind = ipywidgets.Dropdown(
            options=titles,
            description="Kind",
            style=narrow,
            layout=ipywidgets.Layout(width="230px"),
        )
        self._level = ipywidgets.ToggleButtons(
            options=list(LEVELS),
            value=level,
            description="Level",
            style={"button_width": "38px", **narrow},
        )
        self._seed = ipywidgets.BoundedIntText(
            value=seed,
            min=0,
            max=LARGEST_SEED,
            description="Number",
            style=narrow,
            layout=ipywidgets.Layout(width="180px"),
        )
        for control in (self._kind, self._level, self._seed):
            control.observe(lambda _: self._open(), "value")
        next_one = button("Next puzzle", self.next, lambda words: self.card.fail(words))
        self._place = ipywidgets.VBox()
        controls = row(self._kind, self._level, self._seed, next_one)
        super().__init__(children=[controls, self._place])
        self.add_class("castlelab-puzzle")
        self._open()

    @property
    def card(self) -> PuzzleCard:
        """The puzzle that is open."""
        return self._place.children[0]  # type: ignore[no-any-return]

    def next(self) -> None:
        """The next puzzle of this kind and level."""
        self._seed.value = (self._seed.value + 1) % (LARGEST_SEED + 1)

    def _open(self) -> None:
        code = f"{self._kind.value}-{self._level.value}-{self._seed.value}"
        self._place.children = (PuzzleCard(code),)
