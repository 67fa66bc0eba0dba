"""Puzzles of one's own: a question as data, checked when it is made, in a code that holds it all.

A game's ``puzzle_forms.py`` has the questions that it can ask, each a :class:`Lesson`: a frozen
dataclass of texts and numbers. Its ``draft`` takes the one that the arguments mean, ``puzzle``
makes a puzzle of it, and the game's own lessons are written with the same words.
"""

from __future__ import annotations

import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import Any, ClassVar

from castlelab.game import game_class, part
from castlelab.puzzles import OWN, Ask, ChooseOne, Code, Hints, Puzzle
from castlelab.rules import CastlelabError, NotationError, listed, quoted, rulebook
from castlelab.system.packing import pack, unpack

#: What else an answer must do: handed what the answer makes, it says whether that is enough, or
#: in words what is missing ("" if nothing is).
Goal = Callable[[Any], bool | str]
Draft = Callable[..., "Lesson"]

LONGEST_OWN_CODE = 4_000  # characters: what an address can carry anywhere
_LARGEST_OWN = 12_000  # bytes, unpacked
_LONGEST_WORDS = 600
_NOT_YET = "This is not what was asked for yet."
#: What a field of a lesson holds, by its type, as it is said to somebody who gave something else.
_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "bool": "True or False",
    "tuple[str, ...]": "texts in a row, as ('a', 'b')",
    "tuple[int, ...]": "whole numbers in a row, as (9, 3)",
}


def _as_kind(kind: str, value: Any) -> Any:
    """A value as a field of that kind holds it, or None where it cannot.

    A piece of a game is its text, and one thing is a row of one.
    """
    if kind == "int":
        return value if type(value) is int else None
    if kind == "bool":
        return value if isinstance(value, bool) else None
    if kind == "str":
        is_piece = not (value is None or isinstance(value, int | float | Sequence | Mapping))
        return value if isinstance(value, str) else str(value) if is_piece else None
    is_row = isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    row = value if is_row else (value,)
    made = tuple(_as_kind("str" if "str" in kind else "int", each) for each in row)
    return None if None in made else made


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson(ABC):
    """An authored puzzle as data. A room's own lessons say what else one of them is made of.

    What is left out is found: the solution by a search, hints from the solution, and the rules
    that such a question practises.
    """

    about: ClassVar[str] = ""  # what is asked for, in a few words: "a tower to build"
    usual_rules: ClassVar[tuple[str, ...]] = ()
    besides: ClassVar[tuple[str, ...]] = ("hints", "rules", "solution", "par")  # not the question

    prompt: str = ""
    hints: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    solution: str = ""
    par: int = 0
    goal: Goal | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            if (kind := str(each.type)) not in _KINDS:
                continue
            given = getattr(self, each.name)
            if (value := _as_kind(kind, given)) is None:
                raise CastlelabError(f"{each.name} is {quoted(given)}; it must be {_KINDS[kind]}")
            object.__setattr__(self, each.name, value)
        if self.goal is not None and not callable(self.goal):
            raise CastlelabError(f"a goal is a function of the answer, not {quoted(self.goal)}")

    @abstractmethod
    def puzzle(self, code: Code) -> Puzzle:
        """The lesson as a puzzle."""

    def find_solution(self) -> str:
        """An answer that solves it, in notation; if there is none, an error that says why."""
        raise CastlelabError("no answer was found; name one with solution=…")

    def missing(self, thing: Any) -> str:
        """What the goal still misses, in words; "" if there is no goal, or it is reached."""
        if self.goal is None:
            return ""
        found = self.goal(thing)
        if isinstance(found, str):
            return found
        return "" if found else _NOT_YET

    def asking(self, code: Code, ask: Ask[Any], **parts: Any) -> Puzzle:
        """A puzzle in the lesson's own words: what it asks, and the parts that are left."""
        return self.dressed(
            Puzzle(
                *code,
                ask=ask,
                **{"prompt": self.prompt, "start": ask, "hints": ("", ""), "rules": (), **parts},
            )
        )

    def dressed(self, made: Puzzle) -> Puzzle:
        """A puzzle with whatever the lesson says of its words, hints, rules and par."""
        rules = self.rules or made.rules or self.usual_rules
        given = dict(enumerate(self.hints))
        usual = made.hints if any(made.hints) else _usual_hints(replace(made, rules=rules))
        first, second = (given.get(at, words) for at, words in enumerate(usual))
        return replace(
            made,
            prompt=self.prompt or made.prompt,
            hints=(first, second),
            rules=rules,
            par=self.par or made.par,
        )

    @property
    def question(self) -> dict[str, Any]:
        """What is asked, without hints and answers; a site may be written in rows or in a line."""
        asked = {name: value for name, value in self.table.items() if name not in self.besides}
        return {
            name: value.replace("/", " ").split() if isinstance(value, str) else value
            for name, value in asked.items()
        }

    @property
    def table(self) -> dict[str, Any]:
        """What it is made of, as JSON knows it; what is as usual is left out."""
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if getattr(self, each.name) != each.default
        }


def _usual_hints(made: Puzzle) -> Hints:
    """Hints for who was given none: a rule to read, and how an answer begins."""
    titles = [rulebook(made.kind.partition("/")[0])[rule].title for rule in made.rules[:1]]
    first = f"Read the rule “{titles[0]}”." if titles else "Begin with what you are sure of."
    if isinstance(made.ask, ChooseOne):
        wrong = next((words for value, words in made.ask.options if not made.judge(value)), "")
        return first, f"It is not “{wrong}”."
    return first, f"One answer begins with {made.steps()[0]}."


def lesson_opener(game: str, lessons: Mapping[str, Lesson]) -> Callable[[str], Puzzle]:
    """What opens the lessons of a game by their names."""

    def lesson(name: str) -> Puzzle:
        """The authored puzzle of that name."""
        if not isinstance(name, str) or name not in lessons:
            raise NotationError(
                f"there is no lesson {quoted(name)}; the lessons are {', '.join(lessons)}"
            )
        return lessons[name].puzzle(Code(f"{game}/lesson-{name}", 0, 0))

    return lesson


# -- puzzles of one's own ------------------------------------------------------------------------


def drafter(*forms: type[Lesson]) -> Draft:
    """What writes a lesson in the form that its arguments mean: the first that takes them all."""
    every = {name: each for form in forms for name, each in _arguments(form).items()}
    every["prompt"] = every["prompt"].replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
    # What a form is about comes before what all of them have.
    shared = {each.name for each in fields(Lesson)}
    in_order = sorted(
        every.values(),
        key=lambda each: (each.kind, each.name in shared, each.default != each.empty),
    )
    known = [each.name for each in in_order]

    def draft(prompt: str, **given: Any) -> Lesson:
        for name in given:
            if name not in known:
                raise CastlelabError(f"a puzzle has no {quoted(name)}; {_nearest(name, known)}")
        names = given.keys() | {"prompt"}
        fitting = [form for form in forms if names <= _arguments(form).keys()]
        whole = [form for form in fitting if _needed(form) <= names]
        if not whole:
            raise CastlelabError(_what_is_missing(fitting or forms, names))
        return whole[0](prompt=prompt, **given)

    # What only some forms need is not needed to call it.
    always = set.intersection(*map(_needed, forms))
    offered = [
        each
        if each.default is not each.empty or each.name in always
        else each.replace(default=None)
        for each in in_order
    ]
    abouts = (f"{form.about.capitalize()}: {form.__doc__}" for form in forms)
    draft.__doc__ = "\n\n".join(map(inspect.cleandoc, abouts))
    draft.__signature__ = inspect.Signature(offered)  # type: ignore[attr-defined]
    return draft


def _arguments(form: type[Lesson]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(form).parameters


def _needed(form: type[Lesson]) -> set[str]:
    """The arguments without which there is no lesson of that form."""
    return {name for name, each in _arguments(form).items() if each.default is each.empty}


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # only needed on the way to an error

    near = get_close_matches(name, known, n=1)
    return f"did you mean {near[0]}?" if near else f"it is made of {listed(list(known))}"


def _what_is_missing(forms: Iterable[type[Lesson]], given: Set[str]) -> str:
    """What each form would need, and what it would not take."""
    ways = []
    for form in forms:
        lacking = sorted(_needed(form) - given)
        strange = sorted(given - _arguments(form).keys())
        wants = [f"needs {listed(lacking)}"] * bool(lacking)
        wants += [f"takes no {listed(strange)}"] * bool(strange)
        ways.append(f"{form.about} {listed(wants)}")
    return f"these do not make a puzzle: {'; '.join(ways)}"


def puzzle_maker(game: str, draft: Draft) -> Callable[..., Puzzle]:
    """What makes puzzles of one's own for a game, with the arguments of its ``draft``."""

    @wraps(draft)
    def puzzle(prompt: str, **given: Any) -> Puzzle:
        return _published(game, draft(prompt, **given))

    puzzle.__name__ = puzzle.__qualname__ = "puzzle"
    return puzzle


def _published(game: str, lesson: Lesson) -> Puzzle:
    """The puzzle of a lesson that is whole, can be solved, and is not solved yet."""
    _check_words(lesson, game)
    code, lesson = _as_ours(game, lesson)
    if not lesson.solution:
        lesson = replace(lesson, solution=lesson.find_solution())
    made = lesson.puzzle(code or own_code(game, lesson))
    _refuse_unsolved(made)
    untouched = made.ask.untouched()
    if untouched is not None and (judgement := made.judge(untouched)):
        raise CastlelabError(f"this puzzle is solved before it begins: {judgement.message}")
    return made


def _as_ours(game: str, lesson: Lesson) -> tuple[Code | None, Lesson]:
    """The code of the lesson of ours that asks the very same, and what it says besides.

    A notebook may spell a lesson out. Solved there, it is solved; changed, it is another one.
    """
    room: Any = part(game, "lessons")
    for name, ours in room.LESSONS.items() if room else ():
        if type(ours) is type(lesson) and ours.question == lesson.question:
            ready = {word: getattr(lesson, word) or getattr(ours, word) for word in ours.besides}
            return Code(f"{game}/lesson-{name}", 0, 0), replace(lesson, **ready)
    return None, lesson


def _refuse_unsolved(made: Puzzle) -> None:
    judgement = made.check(made.solution)
    if not judgement:
        raise CastlelabError(f"the solution {made.solution} does not solve this: {judgement}")


def _check_words(lesson: Lesson, game: str) -> None:
    """Refuse words that cannot be shown, too many hints and rules that nobody knows."""
    if not lesson.prompt.strip():
        raise CastlelabError("say in a sentence what is to be done, as the first argument")
    for words in (lesson.prompt, *lesson.hints):
        if len(words) > _LONGEST_WORDS or not words.replace("\n", " ").isprintable():
            raise CastlelabError(
                f"{quoted(words)}: a prompt or a hint has at most {_LONGEST_WORDS} letters"
            )
    if len(lesson.hints) > 2:
        raise CastlelabError(
            f"a puzzle has two hints, where to look and what to do, not {len(lesson.hints)}"
        )
    book = rulebook(game)
    for rule in lesson.rules:
        try:
            book[rule]
        except KeyError as error:  # it names the nearest ids
            raise CastlelabError(str(error.args[0])) from None
    if lesson.par < 0:
        raise CastlelabError(f"par is a count from 1 on, not {lesson.par}")


def own_code(game: str, lesson: Lesson) -> Code:
    """The code that holds a lesson whole; a goal that is a function cannot travel in one."""
    if lesson.goal is not None:
        return Code(f"{game}/{OWN}", 0, 0)
    text = json.dumps(lesson.table, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    packed = pack(text)
    if len(packed) > LONGEST_OWN_CODE or len(text.encode()) > _LARGEST_OWN:
        raise CastlelabError(
            f"this puzzle needs a code of {len(packed)} characters, and {LONGEST_OWN_CODE} are "
            "the most that a link carries; use fewer words"
        )
    return Code(f"{game}/{OWN}-{packed}", 0, 0)


def read_own(code: str) -> dict[str, Any]:
    """What a code of one's own says, without making its puzzle."""
    packed = code.partition(f"/{OWN}-")[2]
    text = unpack(packed, "puzzle", longest=LONGEST_OWN_CODE, largest=_LARGEST_OWN)
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        table = None
    if not isinstance(table, dict):
        raise NotationError("the code is damaged: it holds no puzzle")
    return table


def own_puzzle(code: str) -> Puzzle:
    """The puzzle in a code of one's own; nothing is searched for, so it opens at once."""
    game = code.partition("/")[0]
    forms = part(game, "puzzle_forms")
    if forms is None:
        raise NotationError(f"{game_class(game).title} has no puzzles of one's own")
    table = read_own(code)
    try:
        lesson: Lesson = forms.draft(**({"prompt": ""} | table))
        _check_words(lesson, game)
        if not lesson.solution:
            raise CastlelabError("it has no solution")
        made = lesson.puzzle(Code(code, 0, 0))
        _refuse_unsolved(made)
    except CastlelabError as error:
        raise NotationError(f"the code holds no puzzle that can be solved: {error}") from None
    return made
