"""The waiting machine: balls fall from jar to jar, roll by roll, until a line is full."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product

from castlelab.draw.layout import Part, both_widths, button_part, joined, shifted, stacked, sum_part
from castlelab.draw.scene import Scene
from castlelab.figures import Figure, FigureTask, HandledFigure, LiveCount, Touched, WhyLine
from castlelab.games.once_upon_a_castle.board import FACES, face_words
from castlelab.games.once_upon_a_castle.count import expected_rolls, good_rolls
from castlelab.games.once_upon_a_castle.dice import ROLLS
from castlelab.games.once_upon_a_castle.waiting_machine_picture import (
    JARS,
    Jar,
    balls_part,
    hopper_part,
    rolls_part,
    switch_part,
)
from castlelab.rules import CastlelabError, counted

Roll = tuple[str, str]
Shares = dict[Jar, Fraction]  # how many of 36 balls lie in each jar, on average
_BALLS = len(ROLLS)
_ROLL, _REST = "roll", "the rest"
_WORTH_HELP, _MOST_ROLLS = 3, 6
_LATER = "later"
_SWITCH = ("wood", "stone", _LATER)
_FALLS = {"wood": "stone", "stone": "wood", _LATER: "kept"}  # what a lone ? then leaves
_FACES = {face_words(face).lower(): face for face in FACES}


def waiting_machine() -> HandledFigure:
    """The waiting machine at three ages: one roll, the average wait, and what foresight saves."""
    return HandledFigure(
        name="once_upon_a_castle/waiting-machine",
        title="The waiting machine",
        idea="how long one waits",
        ages="14–18",
        minutes=10,
        tasks={11: _one_roll(), 14: _average(), 17: _foresight()},
    )


def _one_roll() -> FigureTask:
    both = len(good_rolls("wood", "stone"))
    neither = _BALLS - len({*good_rolls("wood"), *good_rolls("stone")})
    answer = _BALLS - both - neither
    return FigureTask(
        question="A line misses Wood and Stone; a ? is either. After how many of the 36 rolls of "
        "two dice is just one missing?",
        answer=answer,
        slips={
            answer + both: "Some of these bring both: then nothing is missing.",
            both: "These bring both.",
            neither: "These bring neither.",
            18: "You have forgotten the ?.",
        },
        do="Let all balls fall: touch each face of the first die. Where do they land?",
        first=Sorting(),
        counted=lambda figure: isinstance(figure, Sorting) and len(figure.fallen) == _BALLS,
        hints=(
            "Each ball is a roll. WG is Wood and Gold: then Stone is still missing.",
            "Touch all six faces. Then move the switch: which balls change their jar?",
        ),
        because=f"{neither} rolls bring neither, {both} bring both: 36 − {neither} − {both} = "
        f"{answer}.",
        why=WhyLine(
            start=f"The switch for a lone ? does not change the {answer}, because",
            ends={
                "one of them is missing either way": "It only says which one.",
                "there is never a lone ?": "There is in six rolls: watch those balls.",
                "the ? serves for both": "One die brings one token.",
            },
            right="one of them is missing either way",
        ),
        proof=(
            "Neither: both dice show Gold, Food or Residents, 3 · 3 rolls.",
            "Both: Wood–Stone, Wood–?, Stone–? in two orders, and ?–?: 7 rolls.",
            "All others bring one of the two.",
        ),
    )


def _average() -> FigureTask:
    answer, one = expected_rolls("wood stone"), expected_rolls("wood")
    return FigureTask(
        question="A line misses Wood and Stone; a ? is either. How many rolls of two dice does it "
        "take on average?",
        answer=answer,
        slips={
            one: "That is the wait for one of them.",
            2 * one: "One after the other? One waits for both at once.",
            Fraction(_BALLS, len(good_rolls("wood", "stone"))): "Both need not come in one roll.",
            2: "So it would be if no ball fell back on the same jar.",
        },
        do="Roll a few times: all balls that wait are added up. Then add the rest.",
        first=Waiting(),
        counted=lambda figure: isinstance(figure, Waiting) and bool(figure.ended),
        hints=(
            "Of the balls that miss both, a quarter stays. And of those that miss one?",
            "After three rolls you may add the rest. Divide by 36 balls.",
        ),
        because="One roll; then a quarter waits as before, and 20 of 36 wait 9/5 more: "
        "t = 1 + t/4 + 1.",
        why=WhyLine(
            start="In t = 1 + t/4 + 20/36 · 9/5 the part t/4 is there, because a quarter",
            ends={
                "is where it was, and waits anew": "One roll is lost, and t more to be expected.",
                "is done": "Seven of 36 are done, and wait no more.",
                "misses one only": "Those are 20 of 36.",
            },
            right="is where it was, and waits anew",
        ),
        proof=(
            "One missing: 20 of 36 rolls end it, so it takes 36/20 = 9/5 rolls.",
            "Both missing: t = 1 + t/4 + 20/36 · 9/5 = 2 + t/4.",
            "Three quarters of t are 2, so t = 8/3.",
        ),
    )


def _foresight() -> FigureTask:
    answer = wait(_LATER)
    return FigureTask(
        question="Used at once, a lone ? leaves a wait of 8/3 rolls for Wood and Stone. How long "
        "is it if you may decide later?",
        answer=answer,
        slips={
            wait("wood"): "It helps: with a ? kept, either of the two is enough.",
            expected_rolls("wood"): "That is the wait for one of them.",
            Fraction(188, 81): "Only a lone ? is kept: in 6 of the 20 rolls that bring one.",
        },
        do="Add up the wait with the switch at Wood or Stone. Then switch to later, and compare.",
        first=Waiting(lanes=_SWITCH),
        counted=lambda figure: (
            isinstance(figure, Waiting) and _LATER in figure.ended and len(figure.ended) > 1
        ),
        hints=(
            "Roll three times and add the rest: once with Wood, once with later.",
            "From a ? kept, 27 of 36 rolls end the wait. From one missing, 20 do.",
        ),
        because="t = 1 + t/4 + 14/36 · 9/5 + 6/36 · 4/3, so t = 346/135.",
        why=WhyLine(
            start="A ? that is kept shortens the wait, because",
            ends={
                "Wood, Stone or ? then ends it": "27 of 36 rolls do so, not 20.",
                "it serves twice": "It serves once: one of the two must come.",
                "it comes more often": "The dice are the same in both lanes.",
            },
            right="Wood, Stone or ? then ends it",
        ),
        proof=(
            "8/3 − 346/135 = 14/135 of a roll: that is what foresight is worth.",
            "N = (I − Q)⁻¹ counts visits: 4/3 at both, 4/3 at one, together 8/3.",
            "Who waits long misses one: each roll leaves 16/36 = 4/9 of them.",
        ),
    )


# -- from jar to jar ----------------------------------------------------------------------------


def falls(jar: Jar, roll: Roll, lane: str) -> Jar:
    """Where a ball goes with a roll; the lane says what becomes of a lone ?.

    >>> falls("both", ("any", "gold"), "wood"), falls("both", ("any", "gold"), "later")
    ('stone', 'kept')
    """
    found = {"wood", "stone"} & {*roll}
    if jar == "full" or (jar != "both" and ("any" in roll or {jar} & found)):
        return "full"
    if jar == "kept":
        return "full" if found else jar
    if jar != "both":
        return jar
    if len(found) + roll.count("any") > 1:
        return "full"
    if found:
        return "stone" if "wood" in found else "wood"
    return _FALLS[lane] if "any" in roll else jar


@cache
def _onward(jar: Jar, lane: str) -> Counter[Jar]:
    """Where each of the 36 rolls leads."""
    return Counter(falls(jar, roll, lane) for roll in ROLLS)


@cache
def wait(lane: str, jar: Jar = "both") -> Fraction:
    """How many rolls it takes on average until a line is full.

    >>> print(wait("wood"), wait("later"), wait("later", "kept"))
    8/3 346/135 4/3
    """
    if jar == "full":
        return Fraction(0)
    onward = _onward(jar, lane)
    later = (number * wait(lane, to) for to, number in onward.items() if to != jar)
    return (_BALLS + sum(later, Fraction(0))) / (_BALLS - onward[jar])


@cache
def shares(lane: str, rolls: int) -> Shares:
    """How the balls lie after so many rolls, on average.

    >>> {jar: int(number) for jar, number in shares("wood", 1).items()}
    {'both': 9, 'wood': 7, 'stone': 13, 'kept': 0, 'full': 7}
    """
    if not rolls:
        return {jar: Fraction(_BALLS * (jar == "both")) for jar in JARS}
    before, after = shares(lane, rolls - 1), dict.fromkeys(JARS, Fraction(0))
    for jar, number in before.items():
        for to, ways in _onward(jar, lane).items():
            after[to] += number * Fraction(ways, _BALLS)
    return after


# -- one roll -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sorting(Figure):
    """36 balls, one for each roll, that fall into jars by the face of the first die."""

    dropped: tuple[str, ...] = ()
    lane: str = "wood"

    @property
    def fallen(self) -> tuple[Roll, ...]:
        return tuple(product(self.dropped, FACES))

    def inside(self, jar: Jar) -> tuple[Roll, ...]:
        """The balls in a jar."""
        return tuple(roll for roll in self.fallen if falls("both", roll, self.lane) == jar)

    def touch(self, target: str) -> Touched:
        kind, _, name = target.partition(" ")
        if kind == "switch":
            made = replace(self, lane=name)
            return Touched(made, f"A lone ? is {face_words(name)}. {made.told}")
        face = _FACES[name]
        others = tuple(each for each in self.dropped if each != face)
        is_back = face in self.dropped
        made = replace(self, dropped=others if is_back else (*others, face))
        way = "go back" if is_back else "fall"
        return Touched(made, f"The balls with {face_words(face)} {way}. {made.told}")

    @property
    def tally(self) -> LiveCount:
        number = len(self.inside("wood")) + len(self.inside("stone"))
        return LiveCount(str(number), f"of {counted(len(self.fallen), 'ball')} miss just one")

    @property
    def told(self) -> str:
        jars = [jar for jar in JARS if jar != "kept"]
        return ", ".join(f"{' '.join(JARS[jar])} {len(self.inside(jar))}" for jar in jars) + "."

    def picture(self) -> Scene:
        return both_widths(self._drawn, "The waiting machine", self.told)

    def _drawn(self, is_narrow: bool) -> Part:
        width = 368.0 if is_narrow else 556.0
        jars = {jar: self.inside(jar) for jar in JARS if jar != "kept"}
        switch = switch_part(_SWITCH[:2], self.lane, width)
        return stacked([hopper_part(self.dropped, width), switch, rolls_part(jars, width)], 8)


# -- roll by roll -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Waiting(Figure):
    """Balls on their way, roll by roll; how many wait is added up, in each lane for itself."""

    lane: str = "wood"
    rolls: int = 0
    ended: frozenset[str] = frozenset()  # the lanes whose sum was seen
    lanes: tuple[str, ...] = _SWITCH[:2]
    is_whole: bool = False  # the rest is added

    def waiting(self, rolls: int) -> Fraction:
        """How many balls still wait after so many rolls."""
        return _BALLS - shares(self.lane, rolls)["full"]

    @property
    def added(self) -> Fraction:
        """All balls that waited, one for each roll that they were in."""
        if self.is_whole:
            return wait(self.lane) * _BALLS
        return sum(map(self.waiting, range(self.rolls)), Fraction(0))

    def touch(self, target: str) -> Touched:
        if target.startswith("switch "):
            made = replace(self, lane=target.partition(" ")[2], rolls=0, is_whole=False)
            return Touched(made, f"A lone ? is {face_words(made.lane)}: all balls begin anew.")
        if target == _REST:
            if self.rolls < _WORTH_HELP:
                raise CastlelabError(f"roll {_WORTH_HELP} times, then the rest can be added")
            made = replace(self, is_whole=True, ended=self.ended | {self.lane})
            return Touched(made, f"Together {made.tally}.")
        if self.is_whole or self.rolls == _MOST_ROLLS:
            raise CastlelabError("that is enough: add the rest, or move the switch")
        made = replace(self, rolls=self.rolls + 1)
        return Touched(made, f"Roll {made.rolls}. {made.told}")

    @property
    def tally(self) -> LiveCount:
        mean = self.added / _BALLS
        value = f"{mean}" if self.is_whole else f"{float(mean):.2f}"
        return LiveCount(value, "rolls a ball" if self.is_whole else "rolls a ball so far")

    @property
    def told(self) -> str:
        lying = shares(self.lane, self.rolls)
        return (
            ", ".join(f"{' '.join(JARS[jar])} {_decimal(lying[jar])}" for jar in self._jars) + "."
        )

    @property
    def _jars(self) -> list[Jar]:
        return [jar for jar in JARS if jar != "kept" or _LATER in self.lanes]

    def picture(self) -> Scene:
        return both_widths(self._drawn, "The waiting machine", self.told)

    def _drawn(self, is_narrow: bool) -> Part:
        width, side = (368.0, 176.0) if is_narrow else (556.0, 208.0)
        lying = shares(self.lane, self.rolls)
        jars = balls_part({jar: (lying[jar], _decimal(lying[jar])) for jar in self._jars}, width)
        total = sum_part(self._sum(), side - 8, _MOST_ROLLS + 2)
        buttons = [button_part(_ROLL, "Roll", (0, 0, side, 44))]
        if self.rolls >= _WORTH_HELP:
            buttons.append(button_part(_REST, "Add the rest", (0, 0, side, 44)))
        right = shifted(stacked([*buttons, self._found(side)], 8), width - side, 0)
        low = joined([shifted(total, 8, 0), right], width, max(total.height, right.height))
        return stacked([switch_part(self.lanes, self.lane, width), jars, low], 10)

    def _found(self, width: float) -> Part:
        """The waits that are known so far."""
        lines = [
            (f"? {face_words(lane)}", str(wait(lane))) for lane in self.lanes if lane in self.ended
        ]
        return sum_part(lines, width - 4)

    def _sum(self) -> list[tuple[str, str]]:
        lines = [
            (f"roll {at + 1}", f"{'+ ' * (at > 0)}{_decimal(self.waiting(at))}")
            for at in range(self.rolls)
        ]
        if self.is_whole:
            rest = self.added - sum(map(self.waiting, range(self.rolls)))
            lines.append(("all later ones", f"+ {_decimal(rest)}"))
        return [*lines, ("waited", f"= {_decimal(self.added)}")]


def _decimal(number: Fraction) -> str:
    """A number with two decimals, or none where it is whole."""
    return str(number) if number.denominator == 1 else f"{float(number):.2f}"
