"""What somebody has solved: a small file that belongs to them.

A progress is JSON. Reading one only ever parses text, and whatever is wrong with it is said
in one sentence. Two of them merge into the best of both, so nothing is lost whichever way
files, tabs and machines meet.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
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
_MOST_WRONG = 1_000_000
_ENOUGH = 3  # puzzles of a level, before the next one
_MARK = "castlelab-progress"
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_EXAMPLE = '{"at": "2026-05-17T09:30:00Z", "hints": 0, "wrong": 2, "gave_up": false}'
_KEYS = ("at", "hints", "wrong", "gave_up")


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

    def __post_init__(self) -> None:
        try:
            code = str(read_id(self.code))
        except CastlelabError as error:
            raise ProgressError(f"{quoted(self.code)}: {error}") from None
        object.__setattr__(self, "code", code)  # leading noughts mean the same puzzle
        self._check("at", _is_time(self.when), self.when, "a time such as 2026-05-17T09:30:00Z")
        self._check("hints", _is_count(self.hints, 2), self.hints, "0, 1 or 2")
        self._check("wrong", _is_count(self.wrong, _MOST_WRONG), self.wrong, "a count from 0 on")
        self._check("gave_up", isinstance(self.gave_up, bool), self.gave_up, "true or false")

    def _check(self, key: str, is_right: bool, value: object, called: str) -> None:
        if not is_right:
            raise ProgressError(f"{self.code}: {key!r} is {quoted(value)}; it must be {called}")

    @property
    def puzzle(self) -> Code:
        """The kind, the level and the seed; lessons are of level 0."""
        return read_id(self.code)

    @property
    def rank(self) -> tuple[bool, int, str, int]:
        """Smaller is better: solved before given up, then fewest hints, then earliest."""
        return self.gave_up, self.hints, self.when, self.wrong


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

    def __post_init__(self) -> None:
        _check_name(self.name)
        object.__setattr__(self, "solved", MappingProxyType(dict(self.solved)))

    def add(self, solve: Solve) -> Progress:
        """With one more puzzle; of two ends of the same one the better stays."""
        return self.merge(Progress({solve.code: solve}))

    def merge(self, other: Progress) -> Progress:
        """The best of both, whichever merges the other. A name of its own stays."""
        best = dict(self.solved)
        for code, solve in other.solved.items():
            best[code] = min(best.get(code, solve), solve, key=lambda each: each.rank)
        return Progress(best, self.name or other.name)

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
        table = {
            code: {"at": one.when, "hints": one.hints, "wrong": one.wrong, "gave_up": one.gave_up}
            for code, one in sorted(self.solved.items())
        }
        text = json.dumps(
            {_MARK: VERSION, "name": self.name, "solved": table},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        if len(text) > LARGEST_TEXT or len(table) > MOST_ENTRIES:
            raise ProgressError(f"{len(table)} puzzles are more than one progress can hold")
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
        return Progress(solves, table["name"])


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
    _know(table, (_MARK, "name", "solved"), "the progress")
    solved = table.get("solved")
    if not isinstance(solved, dict):
        raise ProgressError(f"'solved' is {quoted(solved)}; it must be an object with codes")
    if len(solved) > MOST_ENTRIES:
        raise ProgressError(f"{len(solved)} puzzles are too many; {MOST_ENTRIES} are allowed")
    _check_name(table.setdefault("name", ""))
    return table


def _read_entry(code: str, entry: object) -> Solve:
    if not isinstance(entry, dict):
        raise ProgressError(f"{quoted(code)} is {quoted(entry)}; it must be such as {_EXAMPLE}")
    _know(entry, _KEYS, quoted(code))
    for key in _KEYS:
        if key not in entry:
            raise ProgressError(f"{quoted(code)} has no {key!r}; it must be such as {_EXAMPLE}")
    return Solve(code, entry["at"], entry["hints"], entry["wrong"], entry["gave_up"])


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


def _is_count(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most  # True is no count
