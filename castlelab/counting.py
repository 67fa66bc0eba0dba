"""Counting questions: a number to find, read as people write it, and the slips that lead astray.

A game's ``puzzle_count_….py`` makes a :class:`CountQuestion` for each level: what there is to be
counted, the exact answer, and the wrong numbers that usual slips lead to. Whoever gives one of
these is told which slip it was, with a small picture of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from castlelab.chance import Chance
from castlelab.draw.exhibit import Answered, ExhibitRow, exhibit_scene
from castlelab.draw.scene import Scene
from castlelab.puzzles import Ask, Code, Hints, Judgement, Maker, Puzzle, first_good
from castlelab.rules import NotationError, quoted

_DIGITS = "[0-9]{1,12}"  # long enough for every answer, too short to keep a kernel busy
_DOTS = r"(?:…|\.\.\.)"
# Spaces stand round / and %, between the whole and the part of a mixed number, and in thousands.
_FRACTION = re.compile(
    rf"(?P<minus>-?)(?:(?P<whole>{_DIGITS})\s+)?(?P<top>{_DIGITS})\s*/\s*(?P<below>{_DIGITS})"
    r"\s*(?P<percent>%?)"
)
_DECIMAL = re.compile(
    rf"(?P<minus>-?)(?P<whole>{_DIGITS})(?:[.,](?P<part>[0-9]{{0,12}})"
    rf"(?:\((?P<again>[0-9]{{1,12}})\)|(?P<dots>{_DOTS}))?)?\s*(?P<percent>%?)"
)
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:[, \u00a0\u202f][0-9]{3}){1,3}")
_ENOUGH = 100  # a rounded number has its last place at most so far down


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number as somebody wrote it. One that ends somewhere may have been rounded there.

    >>> [read_number(text).means(Fraction(7, 9)) for text in ("7/9", "0.777…", "0.778", "77.8 %")]
    [True, True, True, True]
    >>> read_number("0.8").means(Fraction(7, 9)), read_number("0.75").means(Fraction(7, 9))
    (False, False)
    """

    value: Fraction
    place: Fraction = Fraction(0)  # the worth of its last digit; 0: nothing was left out
    written: str = field(default="", compare=False)

    def means(self, exact: Fraction | int) -> bool:
        """Whether it stands for an exact number: it is that, or that cut off or rounded.

        A whole number is never rounded, and three digits must be there.
        """
        if self.value == exact:
            return True
        exact = Fraction(exact)
        fine = self.place * _ENOUGH <= abs(exact)
        return exact.denominator > 1 and fine and abs(exact - self.value) < self.place

    def is_near(self, exact: Fraction | int) -> bool:
        """Whether it would be right if it were told to more places."""
        return Fraction(exact).denominator > 1 and abs(exact - self.value) <= self.place

    def __str__(self) -> str:
        return self.written or str(self.value)


def read_number(text: str) -> WrittenNumber:
    """A number as people write it; anything else is a ``NotationError``.

    >>> [str(read_number(text).value) for text in ("5/12", "40 %", "1 1/2", "0.1666…", "0.(45)")]
    ['5/12', '2/5', '3/2', '1/6', '5/11']
    >>> read_number("391,653").value == read_number("391653").value
    True
    """
    if not isinstance(text, str):
        raise NotationError(f"write a number such as 20, 7/9 or 77.8 %, not {quoted(text)}")
    written = " ".join(text.split())
    plain = text.strip().replace("−", "-")
    if _THOUSANDS.fullmatch(plain):
        plain = re.sub(r"[^0-9]", "", plain)
    number = _read_fraction(plain) or _read_decimal(plain)
    if number is None:
        raise NotationError(
            f"write a fraction such as 5/12 or a number such as 20 or 41.7 %, not {quoted(text)}"
        )
    return WrittenNumber(number.value, number.place, written)


def _read_fraction(text: str) -> WrittenNumber | None:
    found = _FRACTION.fullmatch(text)
    if found is None or not int(found["below"]):
        return None
    value = Fraction(int(found["top"]), int(found["below"])) + int(found["whole"] or 0)
    return WrittenNumber(_signed(value, found))


def _read_decimal(text: str) -> WrittenNumber | None:
    found = _DECIMAL.fullmatch(text)
    if found is None or (found["part"] == "" and not found["again"]):
        return None
    part, again = found["part"] or "", found["again"] or ""
    # Whole percents may be rounded; a whole number is what it is.
    place = Fraction(1, 10 ** len(part)) if part or found["percent"] else Fraction(0)
    if found["dots"]:
        again = _repeated(part)
    value = Fraction(int(found["whole"] + part), 10 ** len(part))
    if again:  # 0.1(6) is 0.1 and then 6/9 of a tenth
        value += Fraction(int(again), (10 ** len(again) - 1) * 10 ** len(part))
        place = Fraction(0)
    scale = 100 if found["percent"] else 1
    return WrittenNumber(_signed(value, found), place / scale)


def _signed(value: Fraction, found: re.Match[str]) -> Fraction:
    return value * (-1 if found["minus"] else 1) / (100 if found["percent"] else 1)


def _repeated(digits: str) -> str:
    """The digits that go on for ever: the shortest that stand twice at the end.

    >>> _repeated("777"), _repeated("1666"), _repeated("4545"), _repeated("285714")
    ('7', '6', '45', '')
    """
    for size in range(1, len(digits) // 2 + 1):
        if digits[-size:] == digits[-2 * size : -size]:
            return digits[-size:]
    return ""


#: Draws what there is to count with a number that nobody has judged yet, or with none.
DrawDraft = Callable[[WrittenNumber | None], Scene]


@dataclass(frozen=True, slots=True)
class TypeNumber(Ask[WrittenNumber]):
    """An answer that is a number, typed as people write it."""

    answers: ClassVar[type] = WrittenNumber
    example: ClassVar[str] = "a number such as 20, 7/9 or 77.8 %"
    editor: ClassVar[str] = "castlelab.widgets.card.number_editor:NumberEditor"

    fraction: bool = False  # whether the answer is a share or an average
    draw: DrawDraft = field(compare=False, repr=False, default=lambda _: Scene(1, 1))

    def read(self, text: str) -> WrittenNumber:
        return read_number(text)


@dataclass(frozen=True, slots=True)
class KnownSlip:
    """A wrong number, the slip that leads to it in a sentence, and a small picture of it."""

    value: Fraction | int
    words: str
    rows: tuple[ExhibitRow, ...] = ()


@dataclass(frozen=True)
class CountQuestion:
    """Something to count: what is there, the exact answer and why, and what leads astray.

    ``facts`` are the numbers and names that make one question differ from another.
    """

    prompt: str
    facts: tuple[Any, ...]
    answer: Fraction | int
    because: str
    slips: tuple[KnownSlip, ...]
    hints: Hints
    rules: tuple[str, ...]
    rows: tuple[ExhibitRow, ...]
    fraction: bool = False

    @cached_property
    def is_clear(self) -> bool:
        """Whether every wrong number tells which slip it comes from, and none is right."""
        values = [Fraction(self.answer), *(Fraction(slip.value) for slip in self.slips)]
        return len(set(values)) == len(values) and min(values) >= 0 and self.answer > 0

    def slip_of(self, given: WrittenNumber) -> KnownSlip | None:
        """The slip that a number comes from, if it is a known one."""
        meant = [slip for slip in self.slips if given.means(slip.value)]
        return min(meant, key=lambda slip: abs(slip.value - given.value), default=None)

    def is_right(self, given: WrittenNumber) -> bool:
        """Whether a number is the answer, and no slip's exactly."""
        exact = any(given.value == slip.value for slip in self.slips)
        return given.means(self.answer) and not (exact and given.value != self.answer)

    def judge(self, given: WrittenNumber) -> Judgement:
        """Right and why; or the slip; or whether it is too low or too high."""
        if self.is_right(given):
            exact = "" if given.value == self.answer else f" It is {self.answer} exactly."
            return Judgement(True, f"{self.because}{exact}")
        if (slip := self.slip_of(given)) is not None:
            return Judgement(False, f"Not {given}. {slip.words}")
        if given.is_near(self.answer):
            more = "But very near: write it as a fraction, or with three digits."
            return Judgement(False, f"Not {given}. {more}")
        wrong = "low" if given.value < self.answer else "high"
        return Judgement(False, f"Not {given}. That is too {wrong}.")

    def scene(self, given: WrittenNumber | None = None) -> Scene:
        """What there is to count and, with an answer, what comes of it."""
        if given is None:
            return self._drawn(None)
        if self.is_right(given):
            return self._drawn(Answered(_short(given), "yes"))
        slip = self.slip_of(given)
        return self._drawn(Answered(_short(given), "no", slip.rows if slip else ()))

    def draft(self, given: WrittenNumber | None) -> Scene:
        """The same with a number that nobody has judged yet."""
        return self._drawn(None if given is None else Answered(_short(given)))

    def _drawn(self, answered: Answered | None) -> Scene:
        title = "How likely?" if self.fraction and self.answer < 1 else "How many?"
        return exhibit_scene(self.rows, answered, title)

    def puzzle(self, code: Code) -> Puzzle:
        """The question as a puzzle."""
        return Puzzle(
            *code,
            prompt=self.prompt,
            start=self.facts,
            ask=TypeNumber(self.fraction, self.draft),
            solution=WrittenNumber(Fraction(self.answer)),
            par=1,
            hints=self.hints,
            rules=self.rules,
            judge=self.judge,
            draw=self.scene,
        )


def _short(given: WrittenNumber) -> str:
    """A number as it was written, as far as there is room for it."""
    return str(given)[:24]


LevelMaker = Callable[[Chance], CountQuestion]


def clear_question(make: LevelMaker, chance: Chance) -> CountQuestion:
    """The first question in which no slip leads to the answer or to another slip's number."""

    def tried(luck: Chance) -> CountQuestion | None:
        made = make(luck)
        return made if made.is_clear else None

    return first_good(tried, chance)


def count_maker(levels: Mapping[int, LevelMaker]) -> Maker:
    """The maker of a kind of counting puzzles, from what makes the question of each level."""

    def make(code: Code, chance: Chance) -> Puzzle:
        return clear_question(levels[code.level], chance).puzzle(code)

    return make
