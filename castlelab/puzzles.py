"""Puzzles: a goal, a position, and an answer that the engine judges.

A puzzle has a code such as ``castell/tallest-3-42``: its kind, its level from 1 to 5 and
a seed. The same code gives the same puzzle everywhere, so a code is all one shares.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from textwrap import shorten
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from castlelab.chance import Chance
from castlelab.game import GAMES, Game, game_class, part
from castlelab.rules import Breach, CastlelabError, NotationError, Verdict, quoted
from castlelab.system.facade import facade
from castlelab.system.packages import MissingPackage, widget

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

__all__ = [
    "LEVELS",
    "Ask",
    "ChooseOne",
    "Code",
    "Judgement",
    "Puzzle",
    "kind_title",
    "kinds",
    "lessons",
    "puzzle",
    "read_code",
]

__getattr__, __dir__ = facade(__name__)

T = TypeVar("T")
Answer = TypeVar("Answer")
Hints = tuple[str, str]  # where to look; what to do

LEVELS = range(1, 6)
PUZZLE_PAGE = "puzzle.ipynb"  # the page that opens a puzzle by its code
LARGEST_SEED = 999_999_999
OWN = "own"  # the kind of puzzles of one's own, whose code goes on with all that they are
_CODE = re.compile(r"([a-z_]+/[a-z]+(?:-[a-z]+)*)-([0-9]{1,9})-([0-9]{1,9})")


def address_of(code: str) -> str:
    """Where a puzzle has a page of its own.

    >>> address_of("castell/tallest-3-42")
    'puzzle.ipynb?code=castell/tallest-3-42'
    """
    return f"{PUZZLE_PAGE}?code={code}"


class Code(NamedTuple):
    """What a puzzle's code says: its kind, its level and its seed."""

    kind: str
    level: int
    seed: int

    @property
    def game(self) -> str:
        """The game that it belongs to."""
        return self.kind.partition("/")[0]

    def __str__(self) -> str:
        return f"{self.kind}-{self.level}-{self.seed}" if self.level else self.kind


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of an answer: solved or not, and the words and breaches that say why."""

    solved: bool
    message: str
    breaches: tuple[Breach, ...] = ()

    def __bool__(self) -> bool:
        return self.solved

    def __str__(self) -> str:
        return "\n".join([self.message, *map(str, self.breaches)])


def not_yet(verdict: Verdict, message: str) -> Judgement:
    """The judgement on an answer that breaks rules."""
    return Judgement(False, message, verdict.breaches)


def unmended(verdict: Verdict) -> Verdict:
    """Why an answer is wrong, and not which would be right: that is the question."""
    return Verdict(tuple(replace(breach, mend="", mends=()) for breach in verdict.breaches))


class Ask(Generic[Answer]):
    """What an answer is: how it is written, how it grows, and the bench that it is built on."""

    __slots__ = ()
    answers: ClassVar[type]
    example: ClassVar[str]  # an answer in words: "a tower such as '9*3 8*2 7'"
    editor: ClassVar[str] = ""  # "module:function" that opens a bench for it, if there is one

    def read(self, text: str) -> Answer:
        """An answer in notation; bad text is a ``NotationError``."""
        raise NotImplementedError(f"{type(self).__name__} has no notation")

    def steps(self, answer: Answer) -> tuple[Answer, ...]:
        """Answers that grow part by part, the last of them the whole."""
        return (answer,)

    def untouched(self) -> Answer | None:
        """The answer that is there before anybody has done anything, if that is one."""
        return None

    def is_answer(self, thing: object) -> bool:
        """Whether something is an answer at all, right or wrong."""
        return isinstance(thing, self.answers)

    def accept(self, thing: Any) -> Answer:
        """An answer; anything else is a ``NotationError``."""
        if not self.is_answer(thing):
            raise NotationError(f"the answer is {self.example}, not {quoted(thing)}")
        found: Answer = thing
        return found


@dataclass(frozen=True, slots=True)
class ChooseOne(Ask[str]):
    """An answer picked from a list: (what is typed, what is shown)."""

    options: tuple[tuple[str, str], ...]

    def read(self, text: str) -> str:
        """The option that a text means."""
        wanted = " ".join(text.lower().split())
        for value, words in self.options:
            if wanted in (value.lower(), words.lower()):
                return value
        raise NotationError(
            f"{text[:40]!r} is not a choice; choose {', '.join(value for value, _ in self.options)}"
        )

    def is_answer(self, thing: object) -> bool:
        return isinstance(thing, str) and thing in dict(self.options)

    def accept(self, thing: Any) -> str:
        if not self.is_answer(thing):
            raise NotationError(f"{quoted(thing)} is not one of the answers to choose from")
        return str(thing)


def growing(parts: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """The parts of an answer as they come: the first, the first two, …, all.

    >>> growing("ab"), growing("")
    ((('a',), ('a', 'b')), ((),))
    """
    return tuple(tuple(parts[:number]) for number in range(bool(parts), len(parts) + 1))


@dataclass(frozen=True)
class Puzzle:
    """One puzzle. Everything that a page needs to show it and the engine to judge it."""

    kind: str
    level: int
    seed: int
    prompt: str
    start: Any  # the position that is shown
    ask: Any  # an `Ask`: `ChooseOne`, or a game's own piece to build
    solution: Any  # one answer that solves it; others may too
    par: int  # what a perfect answer reaches, or the moves it needs
    hints: Hints
    rules: tuple[str, ...]  # the ids that it practises
    judge: Callable[[Any], Judgement] = field(compare=False)  # asked of answers only
    draw: Callable[[Any], Scene] = field(compare=False)  # of an answer or None

    @property
    def code(self) -> str:
        """The code that gives this puzzle everywhere.

        Lessons have none, nor has a puzzle of one's own whose goal is a function.
        """
        return self.id if self.level or is_own(self.kind) else ""

    @property
    def link(self) -> str:
        """Where it has a page of its own, from any other page; "" for one without a code."""
        return address_of(self.code) if self.code else ""

    @property
    def id(self) -> str:
        """What it is remembered by: the code or, of an authored one, the name of the lesson."""
        return str(Code(self.kind, self.level, self.seed))

    def read(self, text: str) -> Any:
        """An answer in notation; bad text is a ``NotationError``."""
        return self.ask.read(text)

    def check(self, answer: Any) -> Judgement:
        """Judge an answer, given as an object or in notation."""
        return self.judge(self.ask.accept(self._answer(answer)))

    def hint(self, number: int) -> str:
        """Hint 1 says where to look, hint 2 what to do."""
        if number not in (1, 2):
            raise CastlelabError(f"there are hints 1 and 2, not {number!r}")
        return self.hints[number - 1]

    def steps(self) -> tuple[Any, ...]:
        """Answers that grow part by part, the last of them the solution."""
        found: tuple[Any, ...] = self.ask.steps(self.solution)
        return found

    def picture(self, answer: Any = None) -> Scene:
        """The position or, with an answer (an object or notation), what comes of it."""
        shown = self._answer(answer)
        return self.draw(shown if self.ask.is_answer(shown) else None)

    def _answer(self, answer: Any) -> Any:
        return self.read(answer) if isinstance(answer, str) else answer

    def card(self) -> Any:
        """The puzzle to be solved in a notebook: ``PuzzleCard(puzzle)``."""
        return widget("PuzzleCard", self)

    def _ipython_display_(self) -> None:
        """In a notebook it shows as a card; where there are no widgets, as a picture."""
        try:
            card = self.card()
        except MissingPackage as missing:
            raise NotImplementedError from missing  # which lets IPython look for a picture
        card._ipython_display_()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        try:
            return self.card()._repr_mimebundle_(**options)
        except MissingPackage:
            return {"image/svg+xml": self._repr_svg_(), "text/plain": str(self)}

    def _repr_svg_(self) -> str:
        from castlelab.draw.svg import still

        return still(self.picture())

    def __str__(self) -> str:
        name = f"{self.kind.partition('/')[0]}/{OWN}" if is_own(self.kind) else self.id
        return f"{name}: {self.prompt}"

    def __repr__(self) -> str:
        return f"<Puzzle {shorten(str(self), 80, placeholder=' …')}>"


Maker = Callable[[Code, Chance], Puzzle]


def first_good(make: Callable[[Chance], T | None], chance: Chance, tries: int = 2_000) -> T:
    """The first position that a maker finds good, each try with a chance of its own."""
    for number in range(tries):
        found = make(chance.split(number))
        if found is not None:
            return found
    raise CastlelabError("no puzzle of that kind was found; please report its code")


@cache
def _makers(game: str) -> Mapping[str, Maker]:
    """The kinds of puzzles of one game, with what makes one; no other room is opened."""
    try:
        module = part(game, "puzzles")
    except CastlelabError as error:  # of another package: it must not take ours with it
        logging.getLogger("castlelab").warning("Left out: %s", error)
        return {}
    made: Mapping[str, Maker] = module.KINDS if module else {}
    return {kind: maker for kind, maker in made.items() if kind.startswith(f"{game}/")}


def kinds(game: Game | str | None = None) -> tuple[str, ...]:
    """The kinds of puzzles there are, of one game or of all; a game may have none.

    >>> kinds("castell")[0]
    'castell/spot-the-breach'
    """
    if game is None:
        return tuple(kind for one in GAMES for kind in _makers(one))
    name = game.name if isinstance(game, Game) else game
    game_class(name)  # or there is no such game
    return tuple(_makers(name))


def is_own(code: str) -> bool:
    """Whether a code is that of a puzzle of one's own.

    >>> is_own("castell/own-eJyr"), is_own("castell/tallest-3-42")
    (True, False)
    """
    return isinstance(code, str) and code.partition("/")[2].startswith(f"{OWN}-")


def kind_title(kind: str) -> str:
    """A kind in words, without its game.

    >>> kind_title("castell/spot-the-breach")
    'Spot the breach'
    """
    if is_own(f"{kind}-"):
        return "A puzzle of one's own"
    return kind.partition("/")[2].replace("-", " ").capitalize()


def _instead_of(game: str) -> str:
    """What there is where a kind is unknown: the kinds of its game, or the games."""
    if game in GAMES and (found := kinds(game)):
        return f"the kinds of {game} are {', '.join(found)}"
    games = [one for one in GAMES if kinds(one)]
    return f"the games that have puzzles are {', '.join(games)}"


@cache
def lessons(game: str) -> tuple[str, ...]:
    """The authored puzzles of a game by what they are remembered by.

    >>> lessons("castell")[0]
    'castell/lesson-first-tower'
    """
    module = part(game, "lessons") if game in GAMES else None
    return tuple(f"{game}/lesson-{name}" for name in module.LESSONS) if module else ()


def is_code(text: str) -> bool:
    """Whether a text looks like the code of a puzzle or the name of a lesson.

    >>> is_code("castell/tallest-3-42"), is_code("castell/tallest")
    (True, False)
    """
    return is_own(text) or "/lesson-" in text[:100] or _CODE.fullmatch(text[:100]) is not None


def read_code(code: str) -> Code:
    """What a code says, without making its puzzle.

    >>> read_code("castell/tallest-3-42")
    Code(kind='castell/tallest', level=3, seed=42)
    """
    if is_own(code):
        return _read_own_code(code)
    match = _CODE.fullmatch(code) if isinstance(code, str) and len(code) < 100 else None
    if match is None:
        raise NotationError(
            f"{str(code)[:60]!r} is not a puzzle code; a right one is kind-level-seed, "
            "such as castell/tallest-3-42"
        )
    found = Code(match[1], int(match[2]), int(match[3]))
    if found.game not in GAMES or found.kind not in kinds(found.game):
        raise NotationError(f"there are no puzzles {found.kind!r}; {_instead_of(found.game)}")
    if found.level not in LEVELS:
        raise NotationError(f"level {found.level} in {code!r}: levels go from 1 to 5")
    return found


def _read_own_code(code: str) -> Code:
    """A code that holds its puzzle, if it holds anything."""
    from castlelab.authoring import read_own  # which stands on this module

    game = code.partition("/")[0]
    if game not in GAMES:
        raise NotationError(f"there is no game {quoted(game)}; {_instead_of(game)}")
    try:
        read_own(code)
    except CastlelabError as error:
        raise NotationError(f"this is not a puzzle code: {error}") from None
    return Code(code, 0, 0)


def read_id(name: str) -> Code:
    """What a code or the name of a lesson says; lessons are of level 0.

    >>> read_id("castell/lesson-first-tower").level
    0
    """
    game = name.partition("/")[0] if isinstance(name, str) else ""
    if f"{game}/lesson-" not in str(name)[:100]:
        return read_code(name)
    if name not in lessons(game):
        raise NotationError(f"there is no lesson {quoted(name)}")
    return Code(name, 0, 0)


def puzzle(code: str) -> Puzzle:
    """The puzzle of a code; the name of a lesson will do as well.

    >>> puzzle("castell/tallest-3-42").level
    3
    >>> puzzle("castell/lesson-first-tower").prompt
    'Build a tower of three levels.'
    """
    found = read_id(code)
    if is_own(found.kind):
        from castlelab.authoring import own_puzzle  # which stands on this module

        return own_puzzle(found.kind)
    if not found.level:
        room: Any = part(found.game, "lessons")  # it is there: it knows the lesson
        opened: Puzzle = room.lesson(found.kind.partition("/lesson-")[2])
        return opened
    return _makers(found.game)[found.kind](found, Chance.seeded(f"puzzle {found}"))
