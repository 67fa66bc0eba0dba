"""A puzzle on the page: its goal, a bench or choices to answer with, hints, the solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets
import traitlets

from castlelab.counting import TypeNumber
from castlelab.draw.card import card_scene
from castlelab.puzzles import (
    LARGEST_SEED,
    LEVELS,
    ChooseOne,
    Code,
    Judgement,
    Puzzle,
    address_of,
    is_own,
    kind_title,
    kinds,
    puzzle,
    read_code,
    unmended,
)
from castlelab.rules import CastlelabError, Verdict, by_title
from castlelab.widgets.board.asked_board import asked_board
from castlelab.widgets.board.board import Action, BoardWidget
from castlelab.widgets.board.editor import BoardEditor
from castlelab.widgets.board.offers import INSTEAD, mends_of
from castlelab.widgets.browser.storage import BrowserStorage
from castlelab.widgets.card.answer_book import answer_book
from castlelab.widgets.card.progress_book import book, ladder_html, solve_words
from castlelab.widgets.card.rule_card import (
    card_html,
    html_card,
    status_html,
    style,
    verdict_html,
)
from castlelab.widgets.card.trying import Trying
from castlelab.widgets.controls import (
    button,
    discard,
    html,
    icon_button,
    labelled,
    layout,
    row,
    tell_open,
)
from castlelab.widgets.editors import Editor, editor_for
from castlelab.widgets.shown import ShownBox, Still

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

OnAnswer = Callable[[Any, Judgement], object]


class PuzzleCard(ShownBox):
    """One puzzle: made by ``castell.puzzle(…)`` and the like, by its code, or a lesson by its name.

    ``goal`` says in other words what to do, where those of the puzzle are too many; a ``small``
    card shows its board on every page as on a narrow one.
    ``solved`` turns true with the first right answer before giving up.

    How it ends goes into the visitor's progress, and how it ended before is told at the top.
    """

    solved = traitlets.Bool(False)

    def __init__(
        self,
        code: str | Puzzle,
        *,
        goal: str = "",
        link: bool = True,
        small: bool = False,
        can_give_up: bool = True,
        on_next: Action | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        self.puzzle = code if isinstance(code, Puzzle) else puzzle(code)
        self._goal, self.trying = goal or self.puzzle.prompt, Trying(self.puzzle.id)
        self._hints = self._wrong = self._step = 0
        self._gave_up = self._is_busy = False
        self._on_next, self._on_answer = on_next, on_answer
        self._can_give_up = can_give_up
        self._steps: tuple[Any, ...] = ()
        self._has_link, self._pictures = link, _Pictures(self.puzzle, small)
        self._answer, self._offers, self._head = html(), row(), html_card("")
        self._tell_progress()
        self.editor: Editor | None = None
        if isinstance(self.puzzle.ask, ChooseOne):
            self.board = asked_board(self._picture(), on_pick=self._pick, label="Picture")
            self._options = self._choices(self.puzzle.ask)
            bench: ipywidgets.Widget = self.board
            beside = [self._options]
        else:
            bench = self.editor = editor_for(self.puzzle.ask)
            beside = []
        self._shown_board.rename(_board_name(self.puzzle, self._shown_board.label))
        bench.add_class("castlelab-bench")
        room = ipywidgets.VBox([self._answer, self._offers], layout=layout())
        room.add_class("castlelab-room")
        parts = [self._head, bench, *beside, room, self._more_tools(), self._toolbar()]
        super().__init__(children=parts, layout=layout())
        self.add_class("castlelab-puzzle")
        self.add_class("castlelab-lesson")
        if self.editor is not None:
            self.editor.observe(self._board_changed, "value")
        book().observe(self._tell_progress, "progress")
        # The browser tells what was solved and how, and either may be first.
        answer_book().on_ready(partial(book().on_ready, self._come_back))

    def _toolbar(self) -> ipywidgets.HBox:
        """Undo, Redo, Hint, More; then the one main button: Check, and Next once it is solved."""
        self._hint_button = icon_button("Hint", "hint", self.hint, self.fail)
        self._next = button("Next", self.next, self.fail, main=True)
        self._next.add_class("castlelab-next")
        if self._on_next is not None:
            self._next.add_class("castlelab-next-here")
        self._more_button = icon_button("More", "more", self.more, self.fail)
        tell_open(self._more_button, False)
        tools = [self._hint_button, self._more_button]
        if isinstance(self.editor, BoardEditor):
            board = self.editor.board
            tools[:0] = (
                icon_button("Undo", "undo", board.undo, self.fail),
                icon_button("Redo", "redo", board.redo, self.fail),
            )
        if self.editor is not None:
            check = button("Check", self.check, self.fail, main=True)
            check.add_class("castlelab-check")
            tools.append(check)
        made = row(*tools, self._next)
        made.add_class("castlelab-tools")
        return made

    def _more_tools(self) -> ipywidgets.HBox:
        """What is seldom wanted: typing appears below the board, the rest here."""
        give_up = (button("Give up", self.ask_to_give_up, self.fail),) * self._can_give_up
        made = row(*give_up, html(self._code_html()))
        made.add_class("castlelab-more-tools")
        return made

    def more(self) -> None:
        """Show or hide what is seldom wanted."""
        is_open = "castlelab-more-open" in self._dom_classes
        (self.remove_class if is_open else self.add_class)("castlelab-more-open")
        tell_open(self._more_button, not is_open)

    def next(self) -> None:
        """Go on. On a page of lessons the page itself leads to the next one."""
        if self._on_next is not None:
            self._on_next()

    def _board_changed(self, _: object) -> None:
        """A verdict is about what was checked: it goes when something else is on the bench."""
        if not self._is_busy:
            self.trying.touch()
            self._clear()
            self.remove_class("castlelab-solved")  # there is something to check again

    def _come_back(self) -> None:
        """Show a solved puzzle solved, with the answer that was given; it may be anything."""
        kept = answer_book().find(self.puzzle.id)
        if not kept or not book().progress.is_solved(self.puzzle.id) or self.solved or self._wrong:
            return
        try:
            answer = self.puzzle.read(kept)
            if not self.puzzle.check(answer):
                return
        except CastlelabError:
            return  # the puzzle has changed since
        self._put(answer)
        self.add_class("castlelab-solved")

    def lay(self, answer: Any) -> None:
        """Show an answer that was given before, and what is to be said of it; it counts no more."""
        judgement = self.puzzle.check(answer)
        self._put(answer)
        self._tell(judgement)
        if judgement:
            self.add_class("castlelab-solved")

    def _put(self, answer: Any) -> None:
        """An answer on the bench, with what comes of it."""
        with self._busy():
            if self.editor is not None:
                self.editor.build(answer)
            self._show_consequence(answer)

    @contextmanager
    def _busy(self) -> Iterator[None]:
        """What changes on the bench meanwhile is our own doing."""
        self._is_busy = True
        try:
            yield
        finally:
            self._is_busy = False

    @property
    def lesson(self) -> str:
        return self.puzzle.id

    def still(self) -> Still:
        """The goal, the board as it stands, and the choices if there are any."""
        ask = self.puzzle.ask
        choices = choices_of(ask) if isinstance(ask, ChooseOne) else ()
        return Still.of(card_scene(self._goal, self._shown_board.scene, choices), self._goal)

    def fit(self, is_narrow: bool) -> None:
        """Lay the board out for a narrow page or for a wide one."""
        self._shown_board.fit(is_narrow)

    @property
    def _shown_board(self) -> BoardWidget:
        return self.board if self.editor is None else self.editor.board

    def standin(self) -> str:
        if self.editor is None:
            return card_html(self._goal, self.board.standin(), choices_of(self.puzzle.ask))
        return card_html(self._goal, self.editor.board.standin(), tools=("Check",))

    def leave(self) -> None:
        """Another puzzle has taken this place: listen to nobody, and be gone."""
        book().unobserve(self._tell_progress, "progress")
        discard(self)

    def _tell_progress(self, _: object = None) -> None:
        """The head: what to do, and how the puzzle ended before."""
        ended = solve_words(book().progress.solved.get(self.puzzle.id))
        words = style() + f'<p class="castlelab-prompt castlelab-news">{escape(self._goal)}</p>'
        # The line is there from the start, so that a right answer does not push the board down.
        words += f'<p class="castlelab-ended">{escape(ended)}</p>'
        self._head.value = words

    def _code_html(self) -> str:
        """What the puzzle is called, and where it has a page of its own."""
        code = escape(self.puzzle.code)
        if not code or not self._has_link:  # the page itself says which one it is
            return ""
        named = [] if is_own(code) else [f"Puzzle {code}"]  # nobody types the long ones
        named.append(f'<a href="{address_of(code)}">Open as a page of its own</a>')
        return f'<p class="castlelab-code">{" · ".join(named)}</p>'

    def _choices(self, ask: ChooseOne) -> ipywidgets.HBox:
        """A button for each choice; the picture's targets answer, too."""
        made = row(
            *(button(words, partial(self.answer, value), self.fail) for value, words in ask.options)
        )
        made.add_class("castlelab-choices")
        return made

    def _pick(self, target: str) -> None:
        if target in dict(self.puzzle.ask.options):
            self.answer(target)
        elif (found := self.board.scene.target(target)) is not None:
            name = found.name if found.name[-1:] in ".!?" else f"{found.name}."
            self.board.say(f"{name} Choose an answer below.")

    def show_start(self) -> None:
        """Show the position of the question again."""
        self.board.show(self._picture())

    def _picture(self, answer: Any = None) -> Scene:
        return self._pictures.of(answer)

    def check(self) -> Judgement:
        """Judge what is on the bench."""
        assert self.editor is not None
        return self.answer(self.editor.value)

    def answer(self, answer: Any) -> Judgement:
        """Judge an answer and show what comes of it."""
        self.trying.touch()
        try:
            judgement = self.puzzle.check(answer)
        except CastlelabError as error:
            judgement = Judgement(False, str(error))
        else:
            self._show_consequence(answer)
            if self._on_answer is not None:
                self._on_answer(answer, judgement)
        self._tell(judgement)
        self._offer(answer, judgement)
        if not judgement:
            self._wrong += 1
            self._note_open()
            if isinstance(self.editor, BoardEditor):
                self.editor.refuse()
        else:
            self._go_on(answer)
        return judgement

    def _go_on(self, answer: Any) -> None:
        """What comes of a right answer: it is written down, and the way on is open."""
        if not self._gave_up and not self.solved:
            if self._was_the_last_choice:
                self._hints = 2  # all others had been tried: that is no knowing
            self.solved = True
            self.trying.note_end(self._hints, self._wrong, self._gave_up)
            answer_book().keep(self.puzzle.id, str(answer))
        self.add_class("castlelab-solved")
        self._next.focus()

    def _note_open(self) -> None:
        if not self.solved and not self._gave_up:
            self.trying.note_open(self._hints, self._wrong)

    @property
    def _was_the_last_choice(self) -> bool:
        ask = self.puzzle.ask
        return isinstance(ask, ChooseOne) and self._wrong >= len(ask.options) - 1 > 1

    def _offer(self, answer: Any, judgement: Judgement) -> None:
        """Offer what would put an answer right, where its breaches know an answer that would."""
        if self.editor is None or judgement:
            return
        mends = [mend for mend in mends_of(judgement.breaches) if type(mend) is type(answer)]
        mends = [mend for mend in mends if not self.puzzle.check(mend).breaches]
        # One, and without its words: to read them would be the hint that only pressing counts as.
        self._offers.children = tuple(
            button(INSTEAD, partial(self.do_instead, mend), self.fail) for mend in mends[:1]
        )

    def do_instead(self, mend: Any) -> None:
        """Put on the bench what was offered. It tells what to do, as the second hint does."""
        assert self.editor is not None
        self._hints = 2
        with self._busy():
            self.editor.build(mend)
        self._say("hint", f"Done: {self._in_words(mend)}.", "Look at what has changed, then check.")

    def _show_consequence(self, answer: Any) -> None:
        """What comes of an answer; on a bench, if the very same things stand where they stood.

        What comes of a number stands below all else there.
        """
        picture = self._picture(answer)
        if self.editor is None:
            self.board.show(picture)
            is_new = len(self._options.children) == len(self.puzzle.ask.options)
            if is_new and picture != self._picture():  # there must be a way back
                again = button("Show the start", self.show_start, self.fail)
                self._options.children = (*self._options.children, again)
            return
        board = self.editor.board
        if isinstance(self.puzzle.ask, TypeNumber) or _places(picture) == _places(board.scene):
            board.paint(picture)

    def hint(self) -> str:
        """The first hint, then the second."""
        self._hints = min(self._hints + 1, 2)
        self.trying.touch()
        self._note_open()
        words = self.puzzle.hint(self._hints)
        self._hint_button.description = "Another hint" if self._hints == 1 else "Hint again"
        self._say("hint", f"Hint {self._hints}: {by_title(words)}")
        return words

    def ask_to_give_up(self) -> None:
        """Ask before a solution is shown: there is no way back from that."""
        if self._gave_up:
            self.give_up()
            return
        self._say("hint", "Shall we show you a solution? It then counts as given up.")
        self._offers.children = (
            button("Show a solution", self.give_up, self.fail),
            button("Keep trying", self._clear, self.fail),
        )

    def give_up(self) -> None:
        """Play one solution, from its first step; from now on the puzzle does not count."""
        if not self._gave_up:
            self._gave_up = True
            self._steps = self.puzzle.steps()
            if not self.solved:
                self.trying.note_end(self._hints, self._wrong, self._gave_up)
        self._show_step(1)

    def _stepper(self) -> tuple[ipywidgets.Button, ...]:
        return (
            button("Back", self.step_back, self.fail),
            button("Next step", self.next_step, self.fail, main=True),
            button("All", self.all_steps, self.fail),
        )

    def next_step(self) -> None:
        """One step more of the solution."""
        self._show_step(self._step + 1)

    def step_back(self) -> None:
        """One step less of the solution."""
        self._show_step(self._step - 1)

    def all_steps(self) -> None:
        """The whole solution."""
        self._show_step(len(self._steps))

    def _show_step(self, number: int) -> None:
        count = len(self._steps)
        self._step = min(max(number, 1), count)
        part = self._steps[self._step - 1]
        with self._busy():
            if self.editor is not None:
                self.editor.build(part)
            else:
                self._show_consequence(part)
        if self._step < count:
            self._say("hint", f"Step {self._step} of {count}: {part}.")
        else:
            judgement = self.puzzle.check(part)
            solution = self._in_words(part).rstrip(".")
            self._say("hint", f"One solution: {solution}.", *str(judgement).splitlines())
            self.add_class("castlelab-solved")  # nothing is left to do here
        if count > 1:
            self._offers.children = self._stepper()

    def _in_words(self, answer: Any) -> str:
        """An answer as the learner reads it: on its button, or in its notation."""
        ask = self.puzzle.ask
        options = dict(ask.options) if isinstance(ask, ChooseOne) else {}
        return options.get(answer, str(answer))

    def fail(self, words: str) -> None:
        """Tell that something went wrong."""
        self._say("wrong", words)

    def _tell(self, judgement: Judgement) -> None:
        mood, head = ("right", "Solved!") if judgement else ("wrong", "Not yet.")
        if judgement and self._gave_up and not self.solved:
            head = "Right, though you had given up."
        elif judgement and self._was_the_last_choice and not self.solved:
            head = "Right, and the only one that was left."
        self._clear()
        breaches = judgement.breaches
        if not judgement and self.editor is not None:
            breaches = unmended(Verdict(breaches)).breaches  # what would mend it is for a button
        self._answer.value = verdict_html(mood, head, by_title(judgement.message), breaches)

    def _say(self, mood: str, *lines: str) -> None:
        self._clear()
        self._answer.value = status_html(mood, *lines)

    def _clear(self) -> None:
        """Take away what was told and offered."""
        self._answer.value = ""
        for offer in self._offers.children:
            discard(offer)
        self._offers.children = ()


class _Pictures:
    """The pictures of a puzzle, as large as its card has room for.

    All pictures of a question have the same shape: an answer may not move what is below.
    """

    def __init__(self, puzzle: Puzzle, is_small: bool) -> None:
        self._puzzle, self._is_small = puzzle, is_small

    def of(self, answer: Any = None) -> Scene:
        """The puzzle, or what comes of an answer."""
        scene: Scene = self._puzzle.picture(answer)
        if self._is_small:
            scene = replace(scene.fitted(True), narrow=None)
        if not isinstance(self._puzzle.ask, ChooseOne):
            return scene
        wide, narrow = self._heights
        if scene.narrow is None:
            return _as_high(scene, narrow if self._is_small else wide)
        return replace(_as_high(scene, wide), narrow=lambda: _as_high(scene.fitted(True), narrow))

    @cached_property
    def _heights(self) -> tuple[float, float]:
        """How high a question's pictures are at most, for each pixel in width; wide and narrow."""
        answers = (None, *dict(self._puzzle.ask.options))
        scenes = [self._puzzle.picture(answer) for answer in answers]
        wide, narrow = (
            max(shown.height / shown.width for shown in (scene.fitted(fits) for scene in scenes))
            for fits in (False, True)
        )
        return wide, narrow


def _as_high(scene: Scene, height: float) -> Scene:
    """The picture with so much height for its width, if it has less."""
    return replace(scene, height=max(scene.height, scene.width * height))


def choices_of(ask: ChooseOne) -> list[str]:
    """The words on the buttons."""
    return [words for _, words in ask.options]


def _board_name(puzzle: Puzzle, label: str) -> str:
    """What a board is called: its lesson, and what is built or looked at there."""
    title = kind_title(puzzle.kind).removeprefix("Lesson ")
    thing = label.removesuffix(" editor")
    return f"{title[0].upper()}{title[1:]}: {thing[0].lower()}{thing[1:]}"


def _places(scene: Scene) -> set[tuple[str, tuple[float, float]]]:
    """What can be pointed at in a picture, and where; its far corner is a place too."""
    corner = ("", (scene.width, scene.height))
    return {corner, *((target.id, target.centre) for target in scene.targets)}


class PuzzleLadder(ShownBox):
    """Puzzles of a game from easy to hard: choose a kind and a level, take the next one.

    Loading the page again brings back the puzzle that was open in this tab.
    """

    def __init__(self, game: str, level: int = 1, seed: int = 1) -> None:
        self.game = game
        names = kinds(game)
        if not names:
            raise CastlelabError(f"there are no puzzles for {game!r}")
        if level not in LEVELS:
            raise CastlelabError(f"there is no level {level!r}; levels go from 1 to 5")
        titles = [(kind_title(name), name) for name in names]
        self._kind = labelled(ipywidgets.Dropdown, "Kind", "230px", "56px", options=titles)
        self._level = level_buttons(level)
        number: dict[str, Any] = {"value": seed, "min": 0, "max": LARGEST_SEED}
        self._seed = labelled(ipywidgets.BoundedIntText, "Number", "180px", "56px", **number)
        controls = (self._kind, self._level, self._seed)
        for control in controls:
            control.observe(self._open, "value")
        self._is_moving = False
        next_one = button("Next puzzle", self.next, lambda words: self.card.fail(words))
        self._place, self._tally = ipywidgets.VBox(layout=layout()), html_card("")
        parts = [row(*controls, next_one), self._place, self._tally]
        super().__init__(children=parts, layout=layout())
        self.add_class("castlelab-puzzle")
        self._storage = BrowserStorage(f"castlelab-ladder {game}", where="tab")
        self._open()
        self._tell_progress()
        book().observe(self._tell_progress, "progress")
        self._storage.on_ready(self._return)

    def still(self) -> Still:
        return self.card.still()

    @property
    def card(self) -> PuzzleCard:
        """The puzzle that is open."""
        return self._place.children[0]  # type: ignore[no-any-return]

    @property
    def code(self) -> Code:
        """What the controls say."""
        return Code(self._kind.value, self._level.value, self._seed.value)

    def next(self) -> None:
        """The next puzzle of this kind and level."""
        self._seed.value = (self._seed.value + 1) % (LARGEST_SEED + 1)

    def go_to(self, code: Code) -> None:
        """Another puzzle of this game."""
        self._is_moving = True  # no puzzle opens before all controls are where they shall be
        try:
            self._kind.value, self._level.value, self._seed.value = code
        finally:
            self._is_moving = False
        self._open()

    def _return(self) -> None:
        """Go back to where this tab was; what it kept may be anything."""
        try:
            code = read_code(self._storage.kept)
        except CastlelabError:
            return
        if code.game == self.game:
            self.go_to(code)

    def _open(self, _: object = None) -> None:
        code = str(self.code)
        if self._is_moving or (self._place.children and self.card.puzzle.code == code):
            return
        before = self._place.children
        self._place.children = (PuzzleCard(code, on_next=self.next),)
        for left in before:
            left.leave()
        if self._storage.ready:  # before that, nobody has chosen it
            self._storage.kept = code

    def _tell_progress(self, _: object = None) -> None:
        self._tally.value = style() + ladder_html(book().progress, self.game)


def level_buttons(level: int = LEVELS[0]) -> ipywidgets.ToggleButtons:
    """A button for each level, one of them pressed."""
    made = ipywidgets.ToggleButtons(
        options=list(LEVELS),
        value=level,
        description="Level",
        style={"button_width": "38px", "description_width": "48px"},
    )
    made.add_class("castlelab-toggles")
    return made
