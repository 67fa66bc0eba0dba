"""A bot of somebody's own at a seat: asked with care, and its answer looked at before it counts."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from castlelab.bots.alarm import Stalled, time_limit
from castlelab.bots.bot import BotFault, Budget, Thought, mover_of
from castlelab.chance import Chance
from castlelab.game import Move, State
from castlelab.rules import CastlelabError, IllegalMove, NotationError, quoted

T = TypeVar("T")
Question = Callable[[State, Chance, Budget], Any]

PATIENCE = 2.0  # times its budget: who takes longer has stalled
_PACKAGE = Path(__file__).parent.parent
_LONGEST_NAME = 40
_LONGEST_REASON = 300


class OwnBot:
    """An object with ``choose`` or a function, which gets no more than the view of its seat.

    Nothing that it does reaches the others: its chance is a stream of its own, and its move is
    judged before it is played. What goes wrong in it is a :class:`BotFault`.
    """

    is_own = True

    def __init__(self, given: Any, reserved: Callable[[str], bool], seconds: float) -> None:
        self.name = self.label = _name_of(given, reserved)
        self._seconds = seconds
        choose = getattr(given, "choose", given)
        if not callable(choose):
            raise CastlelabError(
                "a bot is the name of one, a class or an object with choose(view, chance), "
                f"or a function, not {quoted(given)}"
            )
        self._choose = self._question(choose)
        self._think = self._question(given.think) if _thinks(given) else None

    def _question(self, call: Callable[..., Any]) -> Question:
        """How it is asked: with its budget if it takes one. Nobody else's arguments are known."""
        try:
            signature = inspect.signature(call)
        except (TypeError, ValueError):  # some things of C do not tell
            return lambda view, chance, _: call(view, chance)
        wanted = {"budget": None} if "budget" in signature.parameters else {}
        try:
            signature.bind(None, None, **wanted)
        except TypeError:
            raise CastlelabError(
                f"{self.name} is asked for a move with (view, chance) or (view, chance, budget), "
                f"and takes {signature}"
            ) from None
        if wanted:
            return lambda view, chance, budget: call(view, chance, budget=budget)
        return lambda view, chance, _: call(view, chance)

    def choose(self, state: State, chance: Chance) -> tuple[Move, Chance]:
        """A legal move, and the chance of whoever comes next."""
        return self._chosen(state, chance).move, chance.split("next")

    def think(self, state: State, chance: Chance) -> Iterator[Thought]:
        """Its thoughts, or the one that it comes out with."""
        if self._think is None:
            yield self._chosen(state, chance)
            return
        seat, found = mover_of(state), self._asked(self._think, state, chance)
        thoughts, thought = self._guarded(seat, lambda: iter(found)), None
        while (answer := self._guarded(seat, lambda: next(thoughts, None))) is not None:
            thought = self._understood(state, answer)
            yield thought
        if thought is None:
            raise BotFault(self.label, seat, "thought of nothing")

    def _chosen(self, state: State, chance: Chance) -> Thought:
        return self._understood(state, self._asked(self._choose, state, chance))

    def _asked(self, question: Question, state: State, chance: Chance) -> Any:
        seat = mover_of(state)
        # From its own stream nobody can tell what the others will draw.
        view, own = state.view(seat), chance.split("own")
        budget = Budget(self._seconds, state.game.futures)
        return self._guarded(seat, lambda: question(view, own, budget))

    def _guarded(self, seat: int, deed: Callable[[], T]) -> T:
        limit = PATIENCE * self._seconds
        try:
            with time_limit(limit):
                return deed()
        except Stalled:
            raise BotFault(self.label, seat, f"took longer than {limit:g} seconds") from None
        except (Exception, SystemExit) as error:
            raise BotFault(self.label, seat, _raised(error)) from error

    def _understood(self, state: State, answer: Any) -> Thought:
        """What it answered: a move, a move and a reason or a chance, or a thought."""
        seat, done, reason = mover_of(state), 1.0, ""
        if isinstance(answer, Thought):
            done, answer, reason = answer
        elif isinstance(answer, tuple) and len(answer) == 2:
            answer, beside = answer
            reason = "" if isinstance(beside, Chance) else beside
        move, wrong = _judged(state, answer)
        if wrong:
            raise BotFault(self.label, seat, _in_a_line(wrong))
        assert move is not None
        is_share = isinstance(done, int | float) and 0 <= done <= 1
        return Thought(done if is_share else 1.0, move, _in_a_line(str(reason)))


def _judged(state: State, answer: Any) -> tuple[Move | None, str]:
    """The move that was meant, and what is wrong with it."""
    if isinstance(answer, str):
        try:
            answer = state.game.move(answer)
        except NotationError as error:
            return None, f"played {quoted(answer)}, which is no move: {error}"
    if not isinstance(answer, Move):
        return None, f"gave {_kind(answer)}, which is no move"
    try:
        verdict = state.check(answer)
    except Exception:  # a game can only be asked about moves of its own
        return None, f"played “{answer}”, which is no move of {state.game.name}"
    return answer, "" if verdict else f"played an illegal move, {IllegalMove(answer, verdict)}"


def _kind(thing: object) -> str:
    name = type(thing).__name__
    return "nothing" if thing is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _raised(error: BaseException) -> str:
    """What a bot raised, and the last place of its own where it did."""
    told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return _in_a_line(f"raised {told}") + _place(error)


def _place(error: BaseException) -> str:
    """Where in the file of the bot it went wrong, though it may have called what others wrote."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _PACKAGE not in Path(frame.filename).parents]
    if not own:
        return ""
    *_, last = (frame for frame in own if frame.filename == own[0].filename)
    file = Path(last.filename)
    # A cell of a notebook has the name of a passing file, or none.
    is_cell = file.name.startswith("<") or file.parent.name.startswith("ipykernel")
    return f" (line {last.lineno})" if is_cell else f" ({file.name}, line {last.lineno})"


def _in_a_line(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST_REASON else f"{line[: _LONGEST_REASON - 1]}…"


def _name_of(given: Any, reserved: Callable[[str], bool]) -> str:
    """What a bot is called: as it says itself, or by its class or function."""
    name = getattr(given, "name", None)
    if not isinstance(name, str) or reserved(name):  # as a bot made from one of ours
        named = getattr(given, "func", given)  # what functools.partial holds
        name = getattr(named, "__name__", type(given).__name__).strip("<>")
    if not name.isprintable() or not 0 < len(name) <= _LONGEST_NAME or "," in name:
        raise CastlelabError(
            f"a bot's name has 1 to {_LONGEST_NAME} characters and no comma, not {quoted(name)}"
        )
    return name


def _thinks(given: Any) -> bool:
    """Whether its ``think`` belongs to its ``choose``; one that was inherited may not."""
    if not callable(getattr(given, "think", None)):
        return False
    line = type(given).__mro__
    first = {
        name: next((at for at, cls in enumerate(line) if name in vars(cls)), 0)
        for name in ("choose", "think")
    }
    return first["think"] <= first["choose"]
