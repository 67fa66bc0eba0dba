"""The mirror path: cards to the Gate and the Castle as a path, mirrored where it goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import comb
from typing import Literal

from castlelab.draw.layout import Part, both_widths, button_part, stepper_part, sum_part
from castlelab.draw.scene import Scene
from castlelab.figures import Figure, FigureTask, HandledFigure, LiveCount, Touched, WhyLine
from castlelab.games.castle_rampage.mirror_path_picture import (
    SIDE,
    SLIM_SIDE,
    PathDrawing,
    orders_part,
    path_page,
)
from castlelab.games.castle_rampage.puzzle_gate_first import ways_ahead
from castlelab.rules import CastlelabError

Way = str  # a letter for each card: g for the Gate, c for the Castle
Use = Literal["find", "mirror", "measure"]
_STACKS = {"g": "Gate", "c": "Castle"}
_MIRROR, _REST = "mirror", "the rest"
_WORTH_HELP = 3  # who has mirrored so many may see all
_MOST = {"gate": 6, "castle": 3}  # cards that can be set


def mirror_path() -> HandledFigure:
    """The mirror path at three ages: a few by hand, the reflection, and ballots."""
    return HandledFigure(
        name="castle_rampage/mirror-path",
        title="The mirror path",
        idea="bad ways have a mirror image",
        ages="13–17",
        minutes=10,
        tasks={11: _by_hand(3), 14: _reflected(4), 17: _ballots(6, 3)},
    )


def _by_hand(cards: int) -> FigureTask:
    answer, every = ways_ahead(0, cards, cards, 0), comb(2 * cards, cards)
    return FigureTask(
        question="Three cards go to the Gate and three to the Castle, one by one. In how many "
        "orders is the Gate never behind?",
        answer=answer,
        slips={
            every: "These are all orders. In some the Gate is behind.",
            every // 2: "Half of all? One fault is enough to spoil an order.",
            ways_ahead(0, cards, cards, -1): "In some of these the Gate is behind by one.",
            ways_ahead(0, cards - 1, cards - 1, 0): "Level is not behind.",
        },
        do="Touch a corner, and two cards change places. Find all paths that stay off the dashed "
        "line.",
        first=MirrorPath(cards, cards, "g" * cards + "c" * cards),
        counted=lambda figure: isinstance(figure, MirrorPath) and figure.good == answer,
        hints=(
            "Begin with one corner. Then there are two others: touch each.",
            "Which card must be the first, and which the last? Then look at the four between.",
        ),
        because="Gate first, Castle last: of the six orders between them, one is bad.",
        why=WhyLine(
            start="A path that touches the dashed line is bad, because there",
            ends={
                "the Castle has one card more": "Up is Castle, right is Gate.",
                "both have as many cards": "That is on the diagonal below it. Level is not behind.",
                "no Gate cards are left": "Look at the row of cards: there may be some.",
            },
            right="the Castle has one card more",
        ),
        proof=(
            "The first card must go to the Gate, and the last one to the Castle.",
            "Two and two in between have 6 orders. Only Castle, Castle, Gate, Gate is bad.",
        ),
    )


def _reflected(cards: int) -> FigureTask:
    every, bad = comb(2 * cards, cards), comb(2 * cards, cards - 1)
    answer = ways_ahead(0, cards, cards, 0)
    return FigureTask(
        question=f"Four cards go to the Gate and four to the Castle. In how many of the {every} "
        "orders is the Gate never behind?",
        answer=answer,
        slips={
            every: "These are all orders. In some the Gate is behind.",
            every // 2: "Half of all? One fault is enough to spoil an order.",
            ways_ahead(0, cards, cards, -1): "You have mirrored in the wrong line.",
            bad: "These are the bad ones.",
            ways_ahead(0, cards - 1, cards - 1, 0): "Level is not behind.",
        },
        do="Touch corners to make three different bad paths, and mirror each of them. Where do "
        "they end?",
        first=MirrorPath(cards, cards, "gccgggcc", "mirror"),
        counted=lambda figure: (
            isinstance(figure, MirrorPath) and figure.knows_all and figure.good == answer
        ),
        hints=(
            "From its first fault on, a bad path is mirrored in the dashed line.",
            "They all end at 3 Gate, 5 Castle. After three of them you may see the rest.",
        ),
        because=f"Each bad path is mirrored into one to 3 Gate, 5 Castle: C(8, 3) = {bad}. "
        f"{every} − {bad} = {answer}.",
        why=WhyLine(
            start="All mirrored paths end at the same point, because",
            ends={
                "it is the mirror image of the old end": "The line stays, so this stays, too.",
                "they all have the same first fault": "Compare two of yours: they need not.",
                "the number of Gate cards stays": "The last steps swap: four Gate become three.",
            },
            right="it is the mirror image of the old end",
        ),
        proof=(
            "After the first fault, right becomes up, and up becomes right.",
            "Any path to 3 Gate, 5 Castle crosses the line: mirrored back, it is bad.",
            "So bad paths and these are equally many.",
        ),
    )


def _ballots(gate: int, castle: int) -> FigureTask:
    every, bad = comb(gate + castle, castle), comb(gate + castle, castle - 1)
    answer = ways_ahead(0, gate, castle, 0)
    return FigureTask(
        question="Six cards go to the Gate and three to the Castle, one by one. In how many orders "
        "is the Gate never behind?",
        answer=answer,
        slips={
            every: "These are all orders. In some the Gate is behind.",
            every // 2: "There is no such symmetry: the Gate has more cards.",
            bad: "These are the bad ones.",
            ways_ahead(0, gate, castle, -1): "You have mirrored in the wrong line.",
            every * (gate - castle) // (gate + castle): "Level is not behind.",
        },
        do="Set six Gate cards and three Castle cards. Mirror a bad path: where does it end?",
        first=MirrorPath(3, 2, "cgggc", "measure"),
        counted=lambda figure: (
            isinstance(figure, MirrorPath)
            and (figure.gate, figure.castle) == (gate, castle)
            and bool(figure.mirrored)
        ),
        hints=(
            "Use − and +. Then mirror: every number of cards has another end of its own.",
            "How many paths lead to 2 Gate, 7 Castle?",
        ),
        because=f"{every} paths, less C(9, 2) = {bad} that lead to the mirrored end: {answer}.",
        why=WhyLine(
            start="With a and b cards, a − b + 1 of a + 1 paths are good, because",
            ends={
                "C(a + b, b − 1) = b / (a + 1) · C(a + b, b)": "So b of a + 1 are bad.",
                "a of a + b steps go to the right": "That tells nothing of their order.",
                "the first card is a good one in so many": "That share is a / (a + b).",
            },
            right="C(a + b, b − 1) = b / (a + 1) · C(a + b, b)",
        ),
        proof=(
            "The mirror image of (a, b) is (b − 1, a + 1).",
            "C(a + b, b) − C(a + b, b − 1) paths are good; with a = b Catalan's 1, 2, 5, 14, 42.",
            "If the Gate must always lead, (a − b)/(a + b) are good: Bertrand's ballots.",
        ),
    )


# -- ways ---------------------------------------------------------------------------------------


@cache
def all_ways(gate: int, castle: int) -> tuple[Way, ...]:
    """Every order of so many cards.

    >>> all_ways(2, 1)
    ('ggc', 'gcg', 'cgg')
    """
    cards = range(gate + castle)
    return tuple(
        "".join("g" if card in chosen else "c" for card in cards)
        for chosen in combinations(cards, gate)
    )


def first_fault(way: Way) -> int | None:
    """After how many cards the Castle is ahead for the first time.

    >>> first_fault("gccg"), first_fault("gcgc")
    (3, None)
    """
    lead = 0
    for number, card in enumerate(way, start=1):
        lead += 1 if card == "g" else -1
        if lead < 0:
            return number
    return None


def reflected(way: Way) -> Way:
    """A bad way, mirrored from its first fault on.

    >>> reflected("gccg"), reflected("gccc")
    ('gccc', 'gccg')
    """
    fault = first_fault(way)
    if fault is None:
        raise CastlelabError("this path touches no line in which it could be mirrored")
    return way[:fault] + way[fault:].translate(str.maketrans("gc", "cg"))


@dataclass(frozen=True)
class MirrorPath(Figure):
    """A path of cards, and which ones there were on the way to it.

    A path that is mirrored ends elsewhere; with ``measure`` the number of cards can be set.
    """

    gate: int
    castle: int
    way: Way
    use: Use = "find"
    before: frozenset[Way] = frozenset()
    mirrored: frozenset[Way] = frozenset()

    @property
    def is_mirrored(self) -> bool:
        return self.way.count("g") != self.gate

    @property
    def plain(self) -> Way:
        """The path, or the one of which it is the mirror image."""
        return reflected(self.way) if self.is_mirrored else self.way

    @property
    def seen(self) -> frozenset[Way]:
        return self.before | {self.plain}

    @property
    def good(self) -> int:
        """How many good paths there were."""
        return sum(first_fault(way) is None for way in self.seen)

    @property
    def knows_all(self) -> bool:
        return len(self.seen) == comb(self.gate + self.castle, self.gate)

    # -- what a touch does --------------------------------------------------------------------

    def touch(self, target: str) -> Touched:
        if target == _MIRROR:
            return self._turned()
        if target == _REST:
            made = replace(self, before=frozenset(all_ways(self.gate, self.castle)))
            return Touched(made, "Here are all of them.")
        kind, _, what = target.partition(" ")
        if what in ("−", "+"):
            return self._resized(kind.lower(), 1 if what == "+" else -1)
        at = int(what)
        one, other = self.way[at - 1], self.way[at]
        if one == other:
            raise CastlelabError(f"no corner here: both cards go to the {_STACKS[one]}")
        way = self.way[: at - 1] + other + one + self.way[at + 1 :]
        made = replace(self, way=way, before=self.seen)
        new = "" if made.plain in self.seen else " A new one."
        return Touched(made, f"Cards {at} and {at + 1} change places. {made.told}{new}")

    def _turned(self) -> Touched:
        if first_fault(self.way) is None:
            raise CastlelabError("this path is good: it has no fault where it could be mirrored")
        made = replace(
            self,
            way=reflected(self.way),
            before=self.seen,
            mirrored=self.mirrored | {self.plain},
        )
        gate, castle = made.way.count("g"), made.way.count("c")
        return Touched(made, f"Mirrored, it ends at {gate} Gate, {castle} Castle.")

    def _resized(self, kind: str, step: int) -> Touched:
        cards = {"gate": self.gate, "castle": self.castle}
        cards[kind] += step
        gate, castle = cards["gate"], cards["castle"]
        if not 1 <= cards[kind] <= _MOST[kind]:
            raise CastlelabError(f"1 to {_MOST[kind]} cards go to the {kind.capitalize()}")
        if castle > gate:
            raise CastlelabError("with more Castle cards than Gate cards, all paths would be bad")
        way = "c" + "g" * gate + "c" * (castle - 1)
        made = MirrorPath(gate, castle, way, self.use)
        return Touched(made, f"{gate} Gate, {castle} Castle. {made.told}")

    # -- what is said -------------------------------------------------------------------------

    @property
    def tally(self) -> LiveCount:
        if self.use == "find":
            return LiveCount(str(self.good), "good orders found")
        every = comb(self.gate + self.castle, self.gate)
        if self.use == "measure" and self.mirrored:
            good = ways_ahead(0, self.gate, self.castle, 0)
            return LiveCount(str(good), f"of {every} orders are good")
        words = f"good and {len(self.seen) - self.good} bad of {every} orders found"
        return LiveCount(str(self.good), words)

    @property
    def told(self) -> str:
        names = ", ".join(_STACKS[card] for card in self.way)
        fault = first_fault(self.way)
        state = "good" if fault is None else f"bad after card {fault}"
        return f"{names}: {'mirrored' if self.is_mirrored else state}."

    @property
    def offers(self) -> tuple[str, ...]:
        return (_REST,) if self._may_have_the_rest else ()

    @property
    def _may_have_the_rest(self) -> bool:
        is_worth = len(self.mirrored) >= _WORTH_HELP and not self.knows_all
        return self.use == "mirror" and is_worth

    def picture(self) -> Scene:
        fault = first_fault(self.way)
        drawing = PathDrawing(self.way, fault, (self.gate, self.castle), self.use != "find")

        def draw(is_narrow: bool) -> Part:
            controls = self._controls(SLIM_SIDE if is_narrow else SIDE)
            return path_page(drawing, self._turns(), controls, self._dots(is_narrow), is_narrow)

        return both_widths(draw, "A path of cards", self.told)

    def _turns(self) -> Sequence[str]:
        """What is spoken of each point between two cards."""
        names = []
        for at in range(1, len(self.way)):
            gate = self.way[:at].count("g")
            is_corner = self.way[at - 1] != self.way[at]
            names.append(f"{gate} Gate, {at - gate} Castle{': corner' * is_corner}")
        return names

    def _controls(self, width: float) -> list[Part]:
        """What sets the cards and mirrors the path, and what that comes to."""
        mirror = button_part(_MIRROR, "Mirror the rest", (0, 0, width, 42))
        if self.use == "measure":
            cards = (("Gate", self.gate), ("Castle", self.castle))
            steppers = [stepper_part(stack, number, width) for stack, number in cards]
            return [*steppers, mirror, sum_part(self._sum(), width)]
        rest = button_part(_REST, "Show the rest", (0, 0, width, 42))
        return [mirror] * (self.use == "mirror") + [rest] * self._may_have_the_rest

    def _dots(self, is_narrow: bool) -> Part:
        """A dot for each order, which tells what it is once it was seen."""
        states = (
            (first_fault(way) is None if way in self.seen else None, way == self.plain)
            for way in all_ways(self.gate, self.castle)
        )
        return orders_part(tuple(states), is_narrow)

    def _sum(self) -> list[tuple[str, str]]:
        cards, is_known = self.gate + self.castle, bool(self.mirrored)
        every, bad = comb(cards, self.castle), comb(cards, self.castle - 1)
        return [
            (f"C({cards}, {self.castle})", str(every)),
            (
                f"C({cards}, {self.castle - 1})" if is_known else "bad",
                f"− {bad if is_known else '…'}",
            ),
            ("good", f"= {every - bad if is_known else '…'}"),
        ]
