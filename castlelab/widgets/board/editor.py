"""A board on which something is made step by step, and every step can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Generic

import ipywidgets
import traitlets

from castlelab.asking import BOARD_KEYS, Asked, answer, look_up, near
from castlelab.draw.scene import Scene
from castlelab.game import Question, State
from castlelab.rules import LEGAL, CastlelabError, NotationError, Verdict
from castlelab.widgets.board.asked_board import ASK
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.board.history import History, HistoryStep
from castlelab.widgets.board.picked_up import NOTHING_PICKED_UP, PickedUp
from castlelab.widgets.controls import layout
from castlelab.widgets.shown import ShownBox, Still


class BoardEditor(ShownBox, Generic[HistoryStep]):
    """A board and its history. ``value`` is what is made; observe it to follow along.

    An editor says what a pick and a text mean, how the picture of a step looks, which targets
    are offered, and what there is to say of it. It goes to a new step by :meth:`_go`.
    """

    value = traitlets.Any()

    def __init__(
        self,
        first: HistoryStep,
        *,
        above: Iterable[ipywidgets.Widget] = (),
        below: Iterable[ipywidgets.Widget] = (),
        **board: Any,
    ) -> None:
        self._steps = History(first)
        self._picked: PickedUp[int, Any] = NOTHING_PICKED_UP  # until the next step
        self._refused = ""  # what the last thing that was tried broke
        self.board = BoardWidget(
            self._scene(),
            on_pick=self._trying(self._pick),
            on_text=self._read,
            on_undo=self._undo,
            on_redo=self._redo,
            **board | self._questions(board),
        )
        children = [*above, self.board, *below]
        super().__init__(children=children, layout=layout(), value=self._made())
        self._steps.tell(self.board)

    # -- what an editor says -----------------------------------------------------------------

    def _pick(self, target: str) -> None:
        raise NotImplementedError

    def _write(self, text: str) -> None:
        raise NotImplementedError

    def _scene(self) -> Scene:
        raise NotImplementedError

    def _offers(self) -> Iterable[str]:
        """The targets that may be picked next."""
        return ()

    def _held(self) -> str | None:
        """The target whose thing is in hand, if there is one: it can be dragged."""
        return None

    def _outlook(self) -> str:
        """What there is to say of a step, besides how it came about."""
        return ""

    def _made(self) -> Any:
        """The value of a step."""
        return self._now

    def _may_ask(self) -> tuple[Question, ...]:
        """What may be asked here, besides what may be asked of every board."""
        return ()

    def _game(self) -> State | None:
        """The moment of the game, where all that it knows may be asked."""
        return None

    def _closed(self) -> int:
        """How much is closed in a step, a bailey or a line: of more of it a sound tells."""
        return 0

    def refuse(self) -> None:
        """Show on the board that the answer was wrong, where it can be seen."""

    # -- what all of them do -----------------------------------------------------------------

    def _questions(self, board: dict[str, Any]) -> dict[str, Any]:
        """The keys that ask something, beside those that the editor has itself."""
        asking = {key: partial(self._ask, word) for key, word in BOARD_KEYS.items()}
        told = f"{board.get('keys_help', '')} {ASK}".strip()
        return {"keys": asking | dict(board.get("keys") or {}), "keys_help": told}

    def _ask(self, word: str) -> None:
        """Ask something by a key."""
        self.board.say(answer(word, self._asked) or "")

    @property
    def _asked(self) -> Asked:
        game = self._game()
        return Asked(
            *(self.board.scene, self.board.focus, game, (game and game.to_move) or 0),
            deciding=None if game is None or game.over else game,
            own=self._may_ask(),
            refused=self._refused,
        )

    def _trying(self, handler: Callable[[str], object]) -> Callable[[str], object]:
        """A handler that remembers what was wrong, for who asks why."""

        def tried(what: str) -> None:
            try:
                handler(what)
            except CastlelabError as error:
                self._refused = " ".join(str(error).split())
                raise

        return tried

    def _read(self, text: str) -> None:
        """Answer what is asked; any other text is the editor's, and what that cannot read may
        be the name of a thing.
        """
        if (found := answer(text, self._asked)) is not None:
            self.board.say(found)
            return
        try:
            self._trying(self._write)(text)
        except NotationError as error:
            if (found := look_up(text, self._asked)) is None:
                raise NotationError(f"{error}{near(text, self._asked, '')}") from None
            self.board.say(found)

    @property
    def _now(self) -> HistoryStep:
        return self._steps.now

    def _go(self, step: HistoryStep, words: str, verdict: Verdict = LEGAL) -> None:
        """Take a step and show it."""
        before = self._closed()
        self._steps.go(step)
        self._show_step(words, verdict)
        if self.board.ok:
            self.board.sound("closed" if self._closed() > before else "legal")

    def _undo(self) -> None:
        self._steps.back()
        self._show_step("Taken back.")

    def _redo(self) -> None:
        self._steps.again()
        self._show_step("Done again.")

    def _show_step(self, words: str, verdict: Verdict = LEGAL) -> None:
        """Show where things stand now, and say how they came there."""
        self._picked = NOTHING_PICKED_UP
        self._show(in_lines(words, self._outlook()), verdict)
        self._steps.tell(self.board)
        self.value = self._made()

    def _show(self, words: str, verdict: Verdict = LEGAL) -> None:
        """Draw anew and say something; no step was taken."""
        self._refused = "" if verdict else str(verdict)
        self.board.show(
            self._scene(),
            words,
            lit=verdict.where,
            ok=bool(verdict),
            offered=self._offers(),
            held=self._held(),
        )

    def still(self) -> Still:
        return self.board.still()

    def standin(self) -> str:
        return self.board.standin()

    @property
    def _chosen(self) -> int | None:
        """The number of what is picked up."""
        return self._picked.thing

    def _fail(self, words: str) -> None:
        self.board.fail(words)


def in_lines(*said: str) -> str:
    """What there is to say, each on a line of its own."""
    return "\n".join(filter(None, said))


def means_clear(text: str) -> bool:
    """Whether somebody has typed the word that takes everything back."""
    return text.strip().lower() == "clear"
