"""Puzzles: a goal, a position, and an answer that the engine judges.

A puzzle has a code such as ``castell/tallest-3-42``: its kind, its level from 1 to 5 and
a seed. The same code gives the same puzzle everywhere, so a code is all one shares.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from castlelab.chance import Chance
from castlelab.game import GAMES, part
from castlelab.rules import Breach, CastlelabError, NotationError, Verdict, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

T = TypeVar("T")

LEVELS = range(1, 6)
LARGEST_SEED = 999_999_999
_CODE = re.compile(r"([a-z_]+/[a-z]+(?:-[a-z]+)*)-([0-9]{1,9})-([0-9]{1,9})")


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


@dataclass(frozen=True, slots=True)
class Choose:
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

    def steps(self, answer: str) -> tuple[str, ...]:
        """A choice is one step."""
        return (answer,)


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
    ask: Any  # what an answer is: `Choose`, or a game's own piece to build
    solution: Any  # one answer that solves it; others may too
    par: int  # what a perfect answer reaches, or the moves it needs
    hints: tuple[str, str]  # where to look; what to do
    rules: tuple[str, ...]  # the ids that it practises
    judge: Callable[[Any], Judgement] = field(compare=False, repr=False)
    draw: Callable[[Any], Scene] = field(compare=False, repr=False)

    @property
    def code(self) -> str:
        """The code that gives this puzzle everywhere; authored ones, of level 0, have none."""
        return f"{self.kind}-{self.level}-{self.seed}" if self.level else ""

    @property
    def id(self) -> str:
        """What it is remembered by: the code or, of an authored one, the name of the lesson."""
        return self.code or self.kind

    def read(self, text: str) -> Any:
        """An answer in notation; bad text is a ``NotationError``."""
        return self.ask.read(text)

    def check(self, answer: Any) -> Judgement:
        """Judge an answer, given as an object or in notation."""
        return self.judge(self.read(answer) if isinstance(answer, str) else answer)

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
        return self.draw(self.read(answer) if isinstance(answer, str) else answer)

    def _repr_svg_(self) -> str:
        from castlelab.draw.svg import render

        return render(self.picture())

    def __str__(self) -> str:
        return f"{self.code or self.kind}: {self.prompt}"


Maker = Callable[[str, int, int, Chance], Puzzle]


def first_good(make: Callable[[Chance], T | None], chance: Chance, tries: int = 2_000) -> T:
    """The first position that a maker finds good, each try with a chance of its own."""
    for number in range(tries):
        found = make(chance.split(number))
        if found is not None:
            return found
    raise CastlelabError("no puzzle of that kind was found; please report its code")


@cache
def _makers() -> dict[str, Maker]:
    """Every kind of puzzle of every game, with what makes one."""
    makers: dict[str, Maker] = {}
    for game in GAMES:
        try:
            module = part(game, "puzzles")
        except CastlelabError as error:  # of another package: it must not take ours with it
            logging.getLogger("castlelab").warning("Left out: %s", error)
            continue
        for kind, maker in module.KINDS.items() if module else ():
            makers.setdefault(kind, maker)
    return makers


def kinds() -> tuple[str, ...]:
    """The kinds of puzzles there are.

    >>> kinds()[0]
    'castell/spot-the-breach'
    """
    return tuple(_makers())


def kind_title(kind: str) -> str:
    """A kind in words, without its game.

    >>> kind_title("castell/spot-the-breach")
    'Spot the breach'
    """
    return kind.partition("/")[2].replace("-", " ").capitalize()


def _instead_of(kind: str) -> str:
    """What there is where a kind is unknown: the kinds of its game, or the games."""
    game = kind.partition("/")[0]
    found = [known for known in kinds() if known.startswith(f"{game}/")]
    if found:
        return f"the kinds of {game} are {', '.join(found)}"
    games = dict.fromkeys(known.partition("/")[0] for known in kinds())
    return f"the games that have puzzles are {', '.join(games)}"


@cache
def lessons(game: str) -> tuple[str, ...]:
    """The authored puzzles of a game by what they are remembered by.

    >>> lessons("castell")[0]
    'castell/lesson-first-tower'
    """
    module = part(game, "lessons") if game in GAMES else None
    return tuple(f"{game}/lesson-{name}" for name in module.LESSONS) if module else ()


def read_code(code: str) -> Code:
    """What a code says, without making its puzzle.

    >>> read_code("castell/tallest-3-42")
    Code(kind='castell/tallest', level=3, seed=42)
    """
    match = _CODE.fullmatch(code) if isinstance(code, str) and len(code) < 100 else None
    if match is None:
        raise NotationError(
            f"{str(code)[:60]!r} is not a puzzle code; a right one is kind-level-seed, "
            "such as castell/tallest-3-42"
        )
    kind, level, seed = match[1], int(match[2]), int(match[3])
    if kind not in _makers():
        raise NotationError(f"there are no puzzles {kind!r}; {_instead_of(kind)}")
    if level not in LEVELS:
        raise NotationError(f"level {level} in {code!r}: levels go from 1 to 5")
    return Code(kind, level, seed)


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
    """The puzzle of a code.

    >>> puzzle("castell/tallest-3-42").level
    3
    """
    kind, level, seed = read_code(code)
    return _makers()[kind](kind, level, seed, Chance.seeded(f"puzzle {kind}-{level}-{seed}"))
