"""What somebody has solved: a small file that belongs to them.

A progress is JSON. Reading one only ever parses text, and whatever is wrong with it is said
in one sentence. Two of them merge into the best of both, so nothing is lost whichever way
files, tabs and machines meet.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from castlelab.puzzles import LEVELS, Code, kinds, read_id
from castlelab.rules import CastlelabError, quoted

VERSION = 1
LARGEST_TEXT = 1_000_000  # characters
MOST_ENTRIES = 20_000
LONGEST_NAME = 60
LONGEST_QUESTION = 300
MOST_GUESSES, LONGEST_GUESS = 50, 60  # of one question; characters of one
_MOST_WRONG = 1_000_000
_MOST_SECONDS = 10_000_000
_ENOUGH = 3  # puzzles of a level, before the next one
_MARK = "castlelab-progress"
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_EXAMPLE_TIME = "2026-05-17T09:30:00Z"
_EXAMPLE = '{"at": "2026-05-17T09:30:00Z", "hints": 0, "wrong": 2, "gave_up": false}'
_KEYS = ("at", "hints", "wrong", "gave_up")
_ATTEMPT = '{"at": "2026-05-17T09:30:00Z", "hints": 0, "wrong": 2}'
_GUESSES = '{"at": "2026-05-17T09:30:00Z", "given": ["21", "22"], "solved": true}'
_TIMED = ("seconds",)  # what was not measured is not written
_GUESSED = ("hints", "gave_up")  # and so is what did not happen


class ProgressError(CastlelabError):
    """A progress is damaged: which entry, what is wrong with it, what would be right."""


@dataclass(frozen=True, slots=True)
class Solve:
    """How one puzzle ended: when, after how many hints and wrong answers, or given up.

    >>> Solve("castell/tallest-3-42", "2026-05-17T09:30:00Z").code
    'castell/tallest-3-42'
    """

    code: str  # a puzzle's code or the name of a lesson, as `castell/lesson-first-tower`
    when: str  # in universal time, to the second
    hints: int = 0
    wrong: int = 0
    gave_up: bool = False
    seconds: int = 0  # that it took, pauses left out; 0 where nobody measured

    def __post_init__(self) -> None:
        _check_trying(self)
        is_right = isinstance(self.gave_up, bool)
        _check(self.code, "gave_up", is_right, self.gave_up, "true or false")

    @property
    def puzzle(self) -> Code:
        """The kind, the level and the seed; lessons are of level 0."""
        return read_id(self.code)

    @property
    def rank(self) -> tuple[bool, int, str, int, int]:
        """Smaller is better: solved before given up, then fewest hints, then earliest."""
        return self.gave_up, self.hints, self.when, self.wrong, -self.seconds


@dataclass(frozen=True, slots=True)
class Attempt:
    """How far somebody has come with a puzzle that is neither solved nor given up."""

    code: str
    when: str
    hints: int = 0
    wrong: int = 0
    seconds: int = 0

    def __post_init__(self) -> None:
        _check_trying(self)

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """Greater is further."""
        return self.wrong, self.hints, self.seconds, self.when


@dataclass(frozen=True, slots=True)
class Guesses:
    """What somebody has guessed at one question of a walk-through or of the lab, in order.

    A question is solved or given up, or still open; what is told is not found any more.
    """

    question: str
    when: str  # of the last one
    given: tuple[str, ...] = ()
    solved: bool = False
    hints: int = 0
    gave_up: bool = False

    def __post_init__(self) -> None:
        called = quoted(self.question)
        if not _is_line(self.question, LONGEST_QUESTION) or not self.question:
            raise ProgressError(
                f"{called} is no question: a line of at most {LONGEST_QUESTION} characters"
            )
        is_list = isinstance(self.given, tuple) and len(self.given) <= MOST_GUESSES
        is_right = is_list and all(_is_line(each, LONGEST_GUESS) for each in self.given)
        told = f"at most {MOST_GUESSES} guesses, each a line of at most {LONGEST_GUESS} characters"
        _check(called, "given", is_right, self.given, told)
        _check(called, "at", _is_time(self.when), self.when, f"a time such as {_EXAMPLE_TIME}")
        _check(called, "solved", isinstance(self.solved, bool), self.solved, "true or false")
        _check(called, "hints", _is_count(self.hints, 2), self.hints, "0, 1 or 2")
        is_right = isinstance(self.gave_up, bool) and not (self.gave_up and self.solved)
        _check(called, "gave_up", is_right, self.gave_up, "true or false, and false if solved")

    @property
    def ended(self) -> bool:
        """Whether nothing more can come of it."""
        return self.solved or self.gave_up

    @property
    def rank(self) -> tuple[bool, bool, int, int, str, tuple[str, ...]]:
        """Greater says more."""
        return self.solved, self.gave_up, len(self.given), self.hints, self.when, self.given


def as_question(words: str) -> str:
    """A question as it is written down: one line, and not too long."""
    return _as_line(words, LONGEST_QUESTION)


def as_guess(words: str) -> str:
    """A guess as it is written down: one line, and not too long."""
    return _as_line(words, LONGEST_GUESS)


def _as_line(words: str, longest: int) -> str:
    told = " ".join(words.split())[:longest]
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in told)


def _check_trying(trying: Solve | Attempt) -> None:
    """What solved puzzles and others have in common; the code is put right."""
    try:
        code = str(read_id(trying.code))
    except CastlelabError as error:
        raise ProgressError(f"{quoted(trying.code)}: {error}") from None
    object.__setattr__(trying, "code", code)  # leading noughts mean the same puzzle
    _check(code, "at", _is_time(trying.when), trying.when, f"a time such as {_EXAMPLE_TIME}")
    _check(code, "hints", _is_count(trying.hints, 2), trying.hints, "0, 1 or 2")
    _check(code, "wrong", _is_count(trying.wrong, _MOST_WRONG), trying.wrong, "a count from 0 on")
    is_right = _is_count(trying.seconds, _MOST_SECONDS)
    _check(code, "seconds", is_right, trying.seconds, "a count from 0 on")


def _check(called: str, key: str, is_right: bool, value: object, must: str) -> None:
    if not is_right:
        raise ProgressError(f"{called}: {key!r} is {quoted(value)}; it must be {must}")


@dataclass(frozen=True, slots=True)
class Progress:
    """Puzzles and lessons with how they ended; immutable, so adding gives another one.

    >>> begun = Progress().add(Solve("castell/tallest-3-42", "2026-05-17T09:30:00Z", hints=1))
    >>> len(begun.solved_in("castell")), len(begun.solved_in("castell/tallest", 3))
    (1, 1)
    >>> Progress.loads(begun.dumps()) == begun
    True
    """

    solved: Mapping[str, Solve] = field(default_factory=lambda: MappingProxyType({}))
    name: str = ""  # a nickname, if the owner wanted one
    #: Puzzles that were tried and have not ended yet; one that has is here no more.
    tried: Mapping[str, Attempt] = field(default_factory=lambda: MappingProxyType({}))
    #: What was guessed in the walk-throughs and in the lab, by question.
    guesses: Mapping[str, Guesses] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        _check_name(self.name)
        tried = {code: each for code, each in self.tried.items() if code not in self.solved}
        for name, table in (("solved", self.solved), ("tried", tried), ("guesses", self.guesses)):
            object.__setattr__(self, name, MappingProxyType(dict(table)))

    def add(self, solve: Solve) -> Progress:
        """With one more puzzle; of two ends of the same one the better stays."""
        return self.merge(Progress({solve.code: solve}))

    def merge(self, other: Progress) -> Progress:
        """The best of both, whichever merges the other. A name of its own stays."""
        best = dict(self.solved)
        for code, solve in other.solved.items():
            best[code] = min(best.get(code, solve), solve, key=lambda each: each.rank)
        tried = dict(self.tried)
        for code, attempt in other.tried.items():
            tried[code] = max(tried.get(code, attempt), attempt, key=lambda each: each.rank)
        guesses = dict(self.guesses)
        for question, made in other.guesses.items():
            guesses[question] = max(guesses.get(question, made), made, key=lambda each: each.rank)
        return Progress(best, self.name or other.name, tried, guesses)

    def only(self, codes: Iterable[str]) -> Progress:
        """What there is of some puzzles, and nothing else but the name."""
        wanted = set(codes)
        return Progress(
            {code: each for code, each in self.solved.items() if code in wanted},
            self.name,
            {code: each for code, each in self.tried.items() if code in wanted},
        )

    def called(self, name: str) -> Progress:
        """The same under another name."""
        return replace(self, name=" ".join(name.split()))

    def is_solved(self, code: str) -> bool:
        """Whether a puzzle or a lesson was solved, and not given up."""
        found = self.solved.get(code)
        return found is not None and not found.gave_up

    def solved_in(self, kind: str, level: int | None = None) -> tuple[Solve, ...]:
        """What was solved of a kind or of a whole game, at one level or at all.

        Lessons belong to their game; their level is 0.
        """
        return tuple(
            solve
            for solve in self.solved.values()
            if not solve.gave_up
            and kind in ((code := solve.puzzle).kind, code.game)
            and level in (None, code.level)
        )

    def counts(self) -> Counter[tuple[str, int]]:
        """How many were solved of each kind at each level.

        >>> solve = Solve("castell/tallest-3-42", "2026-05-17T09:30:00Z")
        >>> Progress().add(solve).counts()["castell/tallest", 3]
        1
        """
        codes = (solve.puzzle for solve in self.solved.values() if not solve.gave_up)
        return Counter((code.kind, code.level) for code in codes)

    def dumps(self) -> str:
        """The progress as JSON text, which :meth:`loads` reads."""
        table: dict[str, Any] = {
            _MARK: VERSION,
            "name": self.name,
            "solved": {
                code: {**_trying(one), "gave_up": one.gave_up, **_timed(one)}
                for code, one in sorted(self.solved.items())
            },
        }
        if self.tried:
            found = sorted(self.tried.items())
            table["tried"] = {code: {**_trying(one), **_timed(one)} for code, one in found}
        if self.guesses:
            table["guesses"] = {
                question: _guessed(made) for question, made in sorted(self.guesses.items())
            }
        text = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
        number = max(map(len, (self.solved, self.tried, self.guesses)))
        if len(text) > LARGEST_TEXT or number > MOST_ENTRIES:
            raise ProgressError(f"{number} puzzles are more than one progress can hold")
        return text

    @staticmethod
    def loads(text: str) -> Progress:
        """Read a progress; what is wrong with it is a :class:`ProgressError`."""
        table = _read(text)
        solves: dict[str, Solve] = {}
        for code, entry in table["solved"].items():
            solve = _read_entry(code, entry)
            known = solves.get(solve.code, solve)
            solves[solve.code] = min(known, solve, key=lambda each: each.rank)
        tried: dict[str, Attempt] = {}
        for code, entry in table["tried"].items():
            attempt = _read_attempt(code, entry)
            known_one = tried.get(attempt.code, attempt)
            tried[attempt.code] = max(known_one, attempt, key=lambda each: each.rank)
        guesses = {
            question: _read_guesses(question, entry) for question, entry in table["guesses"].items()
        }
        return Progress(solves, table["name"], tried, guesses)


def first_unsolved(progress: Progress, kind: str, level: int) -> Code:
    """The first puzzle of a kind and level, counted from number 1, that was not solved."""
    code = Code(kind, level, 1)
    while progress.is_solved(str(code)):
        code = code._replace(seed=code.seed + 1)
    return code


def way_on(progress: Progress, game: str) -> Code:
    """A good next puzzle of a game: one level up after three at the highest level reached.

    Of the kinds there, the one of which least was solved.

    >>> str(way_on(Progress(), "castell"))
    'castell/spot-the-breach-1-1'
    """
    counts = progress.counts()
    names = kinds(game)
    if not names:
        raise CastlelabError(f"there are no puzzles for {quoted(game)}")
    by_level = {level: sum(counts[kind, level] for kind in names) for level in LEVELS}
    reached = max((level for level in LEVELS if by_level[level]), default=LEVELS[0])
    level = min(reached + (by_level[reached] >= _ENOUGH), LEVELS[-1])
    kind = min(names, key=lambda kind: counts[kind, level])
    return first_unsolved(progress, kind, level)


def now() -> str:
    """The time as progress writes it: universal, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _read(text: str) -> dict[str, Any]:
    """The JSON object of a progress, its keys and their kinds checked."""
    if not isinstance(text, str) or len(text) > LARGEST_TEXT:
        raise ProgressError("a progress is a JSON text of at most a million characters")
    try:
        table = json.loads(text, object_pairs_hook=_each_once)
    except ProgressError:
        raise
    except (ValueError, RecursionError) as error:
        raise ProgressError(f"the progress is not JSON: {error}") from None
    if not isinstance(table, dict) or _MARK not in table:
        raise ProgressError(
            f'this is not a progress; one begins with {{"{_MARK}": {VERSION}, …}}, '
            f"and this is {quoted(table)}"
        )
    version = table[_MARK]
    if version != VERSION or type(version) is not int:  # True == 1
        raise ProgressError(
            f"the progress has version {quoted(version)}; this castlelab reads {VERSION}"
        )
    parts = {"solved": "codes", "tried": "codes", "guesses": "questions"}
    _know(table, (_MARK, "name", *parts), "the progress")
    for name, inside in parts.items():
        found = table.get(name) if name == "solved" else table.setdefault(name, {})
        if not isinstance(found, dict):
            raise ProgressError(f"{name!r} is {quoted(found)}; it must be an object with {inside}")
        if len(found) > MOST_ENTRIES:
            raise ProgressError(f"{len(found)} puzzles are too many; {MOST_ENTRIES} are allowed")
    _check_name(table.setdefault("name", ""))
    return table


def _read_entry(code: str, entry: object) -> Solve:
    found = _entry(code, entry, _KEYS, _EXAMPLE, _TIMED)
    at, hints, wrong, gave_up = (found[key] for key in _KEYS)
    return Solve(code, at, hints, wrong, gave_up, found.get("seconds", 0))


def _read_attempt(code: str, entry: object) -> Attempt:
    found = _entry(code, entry, _KEYS[:3], _ATTEMPT, _TIMED)
    return Attempt(code, found["at"], found["hints"], found["wrong"], found.get("seconds", 0))


def _read_guesses(question: str, entry: object) -> Guesses:
    found = _entry(question, entry, ("at", "given", "solved"), _GUESSES, _GUESSED)
    given = found["given"]
    made = tuple(given) if isinstance(given, list) else given
    more = found.get("hints", 0), found.get("gave_up", False)
    return Guesses(question, found["at"], made, found["solved"], *more)


def _entry(
    name: str, entry: object, keys: tuple[str, ...], example: str, more: tuple[str, ...] = ()
) -> dict[str, Any]:
    """An object with these keys, and perhaps some more."""
    if not isinstance(entry, dict):
        raise ProgressError(f"{quoted(name)} is {quoted(entry)}; it must be such as {example}")
    _know(entry, (*keys, *more), quoted(name))
    for key in keys:
        if key not in entry:
            raise ProgressError(f"{quoted(name)} has no {key!r}; it must be such as {example}")
    return entry


def _trying(one: Solve | Attempt) -> dict[str, Any]:
    return {"at": one.when, "hints": one.hints, "wrong": one.wrong}


def _guessed(made: Guesses) -> dict[str, Any]:
    what = {"at": made.when, "given": list(made.given), "solved": made.solved}
    more = {name: value for name in _GUESSED if (value := getattr(made, name))}
    return what | more


def _timed(one: Solve | Attempt) -> dict[str, int]:
    return {"seconds": one.seconds} if one.seconds else {}


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; a name that stands there twice has two meanings, and we guess none."""
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise ProgressError(f"{quoted(twice)} stands twice in the progress; keep one of them")
    return table


def _know(table: dict[str, Any], keys: tuple[str, ...], called: str) -> None:
    if strange := [key for key in table if key not in keys]:
        raise ProgressError(
            f"{called} has {quoted(strange[0])}, which means nothing here; "
            f"there are {', '.join(keys)}"
        )


def _check_name(name: object) -> None:
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not name.isprintable():
        raise ProgressError(
            f"the name is {quoted(name)}; it must be one line of at most {LONGEST_NAME} characters"
        )


def _is_time(when: object) -> bool:
    if not isinstance(when, str) or not _TIME.fullmatch(when):
        return False
    try:
        datetime.strptime(when, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return False
    return True


def _is_line(text: object, longest: int) -> bool:
    return isinstance(text, str) and len(text) <= longest and text.isprintable()


def _is_count(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most  # True is no count
