"""The dice board: a square for each throw; what is counted twice is seen twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from castlelab.draw.layout import Part, both_widths, stacked, sum_part
from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape, Text
from castlelab.figures import Figure, FigureTask, HandledFigure, LiveCount, Touched, WhyLine
from castlelab.games.once_upon_a_castle.board import FACES, face_words
from castlelab.games.once_upon_a_castle.count import throws_with
from castlelab.games.once_upon_a_castle.dice_board_picture import (
    Faces,
    Throw,
    beside_board,
    button_column,
    face_key,
    third_part,
    thrown_part,
    throws_part,
)
from castlelab.games.once_upon_a_castle.puzzle_count_throws import good_throws
from castlelab.rules import CastlelabError, listed

Line = tuple[str, str]  # of a sum: what is added or taken off, and how much

_WANTED = ("wood", "stone")
_HELPFUL = frozenset({"wood", "any"})
_ONE_JOKER = "one ?"
_FACES = {face_key(face): face for face in FACES}


def dice_board() -> HandledFigure:
    """The dice board at three ages: rows and columns, two resources, and a third die."""
    return HandledFigure(
        name="once_upon_a_castle/dice-board",
        title="The dice board",
        idea="what is counted twice",
        ages="11–14",
        minutes=8,
        tasks={11: _one_wanted(), 14: _both_wanted(), 17: _three_dice()},
    )


def _one_wanted() -> FigureTask:
    answer, helpful = throws_with(2), len(_HELPFUL)
    misses = len(FACES) - helpful
    return FigureTask(
        question="You throw two dice. How many of the 36 throws show Wood or a ?, at least once?",
        answer=answer,
        slips={
            2 * helpful * len(FACES): "Throws in which both dice help are counted twice.",
            misses**2: "These are the throws that do not help.",
            throws_with(2, wild=False): "You have forgotten the ?.",
            len(FACES) * helpful: "You have looked at one die only.",
        },
        do="Touch faces of either die: each marks a row or a column. Mark all throws that help.",
        first=Stripes(),
        counted=lambda figure: isinstance(figure, Stripes) and figure.marks_all_that_help,
        hints=(
            "Which faces of the first die help? Which of the second?",
            "Mark Wood and ? of both dice. Where two stripes cross, a throw is marked twice.",
        ),
        because=f"Two rows and two columns have {2 * 12} squares, but {helpful**2} of them were "
        f"counted twice: {2 * 12} − {helpful**2} = {answer}.",
        why=WhyLine(
            start="12 + 12 is too many, because four squares",
            ends={
                "lie in a row and in a column": "Counted twice, so taken off once.",
                "have the same face twice": "Only two of them do: Wood, Wood and ?, ?.",
                "do not help": "They help twice over: both dice do.",
            },
            right="lie in a row and in a column",
        ),
        proof=(
            "Rows and columns together: all in rows, all in columns, less those in both.",
            f"Or look at what is left: both dice miss, each with {misses} faces.",
            f"36 − {misses} · {misses} = {answer}: the same number in two ways.",
        ),
    )


def _both_wanted() -> FigureTask:
    answer = good_throws(_WANTED, 2, wild=True)
    return FigureTask(
        question="A line misses Wood and Stone; a ? is either. In how many of the 36 throws of two "
        "dice can you fill both?",
        answer=answer,
        slips={
            2: "You have forgotten the ?: it helps, too.",
            4: "What misses both was taken off twice.",
            11: "You have multiplied the chances. But a die that is Wood cannot be Stone.",
            13: "In six of them one ? would have to serve twice.",
            20: "These are throws with Wood. Stone must be there, too.",
        },
        do="Take off the throws without Wood, and without Stone. Then touch squares that still do "
        "not fill both.",
        first=Crossed(),
        counted=lambda figure: isinstance(figure, Crossed) and figure.is_sorted,
        hints=(
            "The two buttons leave 13 squares. Is each of them enough for both?",
            "What of a ? beside Gold, Food or Residents? It is Wood or Stone, not both.",
        ),
        because=f"36 − 16 − 16 + 9 = 13. Six of these have one ? that would serve twice: {answer}.",
        why=WhyLine(
            start="After taking off 16 and 16, one adds 9 again, because these throws",
            ends={
                "miss both, so they went twice": "One of the two times is given back.",
                "have a ?": "There are eleven of these, and none has gone.",
                "fill both": "Look at the squares with a cross: nothing helps there.",
            },
            right="miss both, so they went twice",
        ),
        proof=(
            "All, less no Wood, less no Stone, and neither again: 36 − 4² − 4² + 3² = 13.",
            "One ? beside a face that does not help: two places, three faces, 6 throws.",
            "Left are Wood–Stone, Wood–? and Stone–?, each both ways, and ?–?.",
        ),
    )


def _three_dice() -> FigureTask:
    answer = good_throws(_WANTED, 3, wild=True)
    return FigureTask(
        question="A line misses Wood and Stone; a ? is either. In how many of the 216 throws of "
        "three dice can you fill both?",
        answer=answer,
        slips={
            good_throws(_WANTED, 3, wild=False): "You have forgotten the ?: it helps, too.",
            6 * good_throws(_WANTED, 2, wild=True): "The third die helps, too.",
            107: "You have multiplied the chances. But a die that is Wood cannot be Stone.",
            115: "One ? cannot serve twice.",
            throws_with(3): "These are throws with Wood. Stone must be there, too.",
        },
        do="Turn the third die to all its faces, and take off what does not fill both.",
        first=Crossed(third=FACES[0], seen=frozenset({FACES[0]})),
        counted=lambda figure: (
            isinstance(figure, Crossed) and figure.is_sorted and figure.seen == frozenset(FACES)
        ),
        hints=(
            "Each face of the third die has a board of its own. Add up the six.",
            "Press all three buttons, then each face of the third die.",
        ),
        because=f"216 − 64 − 64 + 27 = 115. One ? would serve twice in 3 · 9 of them: {answer}.",
        why=WhyLine(
            start="With n dice, n · 3ⁿ⁻¹ throws want one ? to serve twice, because",
            ends={
                "one die shows it, the others do not help": "n places, three faces for each other.",
                "each ? stands for three faces": "Here for two: Wood or Stone.",
                "n dice have three such faces": "That would be 3ⁿ, and no ? among them.",
            },
            right="one die shows it, the others do not help",
        ),
        proof=(
            "6ⁿ − 2 · 4ⁿ + 3ⁿ − n · 3ⁿ⁻¹: that is 7, 88, 757, 5566 for 2 to 5 dice.",
            "Take off each, give back pairs, take off triples …: inclusion and exclusion.",
            "So are four people counted of whom nobody stays: 24 − 24 + 12 − 4 + 1 = 9.",
        ),
    )


# -- what a throw is good for -------------------------------------------------------------------


def misses(throw: Throw, want: str) -> bool:
    """Whether no die brings what is wanted, not even a ?."""
    return want not in throw and "any" not in throw


def fills_both(throw: Throw) -> bool:
    """Whether Wood and Stone have a die each.

    >>> fills_both(("wood", "any")), fills_both(("gold", "any"))
    (True, False)
    """
    return throw.count("any") >= sum(want not in throw for want in _WANTED)


def _stretches(throw: Throw) -> bool:
    """Whether one ? would have to be Wood and Stone at once."""
    return not fills_both(throw) and not any(misses(throw, want) for want in _WANTED)


def throw_words(throw: Throw) -> str:
    return listed([face_words(face) for face in throw])


def _square(target: str) -> Throw:
    first, second = target.split()
    return _FACES[first], _FACES[second]


# -- marked by rows and columns -----------------------------------------------------------------


@dataclass(frozen=True)
class Stripes(Figure):
    """Rows and columns of throws that are marked, and a throw that is looked at."""

    rows: Faces = frozenset()
    columns: Faces = frozenset()
    looked: Throw = ()

    def times(self, throw: Throw) -> int:
        """How often a throw is marked."""
        return (throw[0] in self.rows) + (throw[1] in self.columns)

    @property
    def number(self) -> int:
        return sum(self.times(throw) > 0 for throw in product(FACES, FACES))

    @property
    def marks_all_that_help(self) -> bool:
        return all(
            (self.times(throw) > 0) == bool(_HELPFUL & {*throw}) for throw in product(FACES, FACES)
        )

    def touch(self, target: str) -> Touched:
        die, _, name = target.partition(" ")
        if die in ("1", "2"):
            face = frozenset({_FACES[name]})
            if die == "1":
                line, made = "row", replace(self, rows=self.rows ^ face)
            else:
                line, made = "column", replace(self, columns=self.columns ^ face)
            is_on = len(made.rows) + len(made.columns) > len(self.rows) + len(self.columns)
            state = "marked" if is_on else "no longer marked"
            return Touched(made, f"The {line} {face_words(*face)} is {state}.")
        throw = _square(target)
        made = replace(self, looked=throw)
        return Touched(made, f"{throw_words(throw)}: {_times_words(self.times(throw))}.")

    @property
    def tally(self) -> LiveCount:
        return LiveCount(str(self.number), "of 36 throws marked")

    @property
    def told(self) -> str:
        return ", ".join(f"{words} {number}" for words, number in self._sum())

    def picture(self) -> Scene:
        return both_widths(self._drawn, "The dice board", self.told)

    def _drawn(self, is_narrow: bool) -> Part:
        board = throws_part(self._look, self._name, self.looked, (self.rows, self.columns))
        total = sum_part(self._sum(), 160, 4)
        return beside_board(board, thrown_part(self.looked), total, (), is_narrow=is_narrow)

    def _sum(self) -> tuple[Line, ...]:
        across, down = 6 * len(self.rows), 6 * len(self.columns)
        twice = len(self.rows) * len(self.columns)
        return (
            ("in rows", str(across)),
            ("in columns", f"+ {down}"),
            ("in both", f"− {twice}"),
            ("marked", f"= {self.number}"),
        )

    def _look(self, throw: Throw, x: float, y: float, side: float) -> Iterator[Shape]:
        times = self.times(throw)
        fill = ("card", "good-soft", "warn-soft")[times]
        yield Rect(x, y, side, side, fill, "line", 1, 4)
        if times:
            words = "✓" if times == 1 else "2×"
            yield Text(x + side / 2, y + side / 2, words, 17, "ink", "middle", bold=times > 1)

    def _name(self, throw: Throw) -> str:
        return f"{throw_words(throw)}: {_times_words(self.times(throw))}"


def _times_words(times: int) -> str:
    return ("not marked", "marked", "marked twice")[times]


# -- taken off and given back -------------------------------------------------------------------


@dataclass(frozen=True)
class Crossed(Figure):
    """Throws of which some are taken off: whole blocks by buttons, others one by one.

    With a ``third`` die the board shows the throws in which it has that face, and the sum is over
    the faces that were ``seen``.
    """

    missing: Faces = frozenset()  # what throws without it were taken off for
    by_hand: frozenset[Throw] = frozenset()
    one_joker: bool = False
    third: str = ""
    seen: Faces = frozenset()
    looked: Throw = ()

    def is_off(self, throw: Throw) -> bool:
        return (
            any(misses(throw, want) for want in self.missing)
            or throw in self.by_hand
            or (self.one_joker and _stretches(throw))
        )

    @property
    def throws(self) -> tuple[Throw, ...]:
        """All that are looked through so far."""
        layers = ((),) if not self.third else tuple((face,) for face in FACES if face in self.seen)
        return tuple((*throw, *more) for more in layers for throw in product(FACES, FACES))

    @property
    def left(self) -> int:
        return sum(not self.is_off(throw) for throw in self.throws)

    @property
    def is_sorted(self) -> bool:
        """Whether just the throws that fill both are left."""
        return all(self.is_off(throw) != fills_both(throw) for throw in self.throws)

    def touch(self, target: str) -> Touched:
        die, _, name = target.partition(" ")
        if die == "3":
            face = _FACES[name]
            made = replace(self, third=face, seen=self.seen | {face}, looked=())
            return Touched(made, f"The third die shows {face_words(face)}: {made._layer(face)}.")
        if die == "no":
            made = replace(self, missing=self.missing ^ {name}, by_hand=frozenset(), looked=())
            off = "are off" if name in made.missing else "are back"
            return Touched(made, f"Throws without {face_words(name)} {off}.")
        if target == _ONE_JOKER:
            made = replace(self, one_joker=not self.one_joker, looked=())
            off = "are off" if made.one_joker else "are back"
            return Touched(made, f"Throws in which one ? would serve twice {off}.")
        return self._touch_square(_square(target))

    def _touch_square(self, pair: Throw) -> Touched:
        throw = (*pair, self.third) if self.third else pair
        words = throw_words(throw)
        if self.third:
            return Touched(replace(self, looked=throw), f"{words}: {self._state(throw)}.")
        if fills_both(throw):
            raise CastlelabError(f"{words}: this throw fills both, it stays")
        for want in _WANTED:
            if misses(throw, want):
                way = "it is off" if want in self.missing else "a button takes all of these off"
                raise CastlelabError(f"{words}: no {face_words(want)}; {way}")
        made = replace(self, by_hand=self.by_hand ^ {throw}, looked=throw)
        if throw in self.by_hand:
            return Touched(made, f"{words} is back.")
        return Touched(made, f"{words} is off: the ? cannot serve twice.")

    def _state(self, throw: Throw) -> str:
        if self.is_off(throw):
            return "taken off"
        return "left, and fills both" if fills_both(throw) else "left"

    def _layer(self, third: str) -> str:
        """How many throws a face of the third die leaves, once it was turned up."""
        if third not in self.seen:
            return "…"
        throws = ((*throw, third) for throw in product(FACES, FACES))
        return f"{sum(not self.is_off(throw) for throw in throws)} left"

    @property
    def tally(self) -> LiveCount:
        words = f"of {len(self.throws)} throws left"
        return LiveCount(str(self.left), words)

    @property
    def told(self) -> str:
        return ", ".join(f"{words} {number}" for words, number in self._sum())

    def picture(self) -> Scene:
        return both_widths(self._drawn, "The dice board", self.told)

    def _drawn(self, is_narrow: bool) -> Part:
        board = throws_part(self._look, self._name, self.looked)
        buttons = [(f"no {want}", f"no {face_words(want)}") for want in _WANTED]
        if self.third:
            buttons.append((_ONE_JOKER, "? serves twice"))
        total, rest = sum_part(self._sum(), 160, 6), [button_column(buttons)]
        body = beside_board(board, thrown_part(self.looked), total, rest, is_narrow=is_narrow)
        if not self.third:
            return body
        return stacked([third_part(self._layer, self.third, body.width), body], 8)

    def _sum(self) -> tuple[Line, ...]:
        throws = self.throws
        off = [
            (f"no {face_words(want)}", sum(misses(throw, want) for throw in throws))
            for want in _WANTED
            if want in self.missing
        ]
        twice = sum(all(misses(throw, want) for want in _WANTED) for throw in throws)
        neither = [("neither", f"+ {twice}")] if len(off) == len(_WANTED) else []
        rest = len(throws) - sum(number for _, number in off) + twice * len(neither) - self.left
        return (
            ("all throws", str(len(throws))),
            *((words, f"− {number}") for words, number in off),
            *neither,
            *([("? twice", f"− {rest}")] if rest else []),
            ("left", f"= {self.left}"),
        )

    def _look(self, pair: Throw, x: float, y: float, side: float) -> Iterator[Shape]:
        """A square with a line for each time that it was taken off."""
        throw = (*pair, self.third) if self.third else pair
        is_off = self.is_off(throw)
        yield Rect(x, y, side, side, "sunk" if is_off else "card", "line", 1, 4)
        near, far = 9.0, side - 9
        if "wood" in self.missing and misses(throw, "wood"):
            yield Path(((x + near, y + far), (x + far, y + near)), None, "hue-brown", 3)
        if "stone" in self.missing and misses(throw, "stone"):
            yield Path(((x + near, y + near), (x + far, y + far)), None, "ink", 3)
        if is_off and _stretches(throw):
            middle = x + side / 2, y + side / 2
            yield Circle(*middle, 12, None, "bad", 2)
            yield Text(*middle, "?", 15, "bad", "middle", bold=True)

    def _name(self, pair: Throw) -> str:
        throw = (*pair, self.third) if self.third else pair
        return f"{throw_words(pair)}: {'taken off' if self.is_off(throw) else 'left'}"
