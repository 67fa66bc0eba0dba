"""A stack that is looked at through a lens: its orders, and those that look alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, combinations, permutations
from math import comb, factorial
from typing import Literal

from castlelab.draw.layout import (
    Part,
    both_widths,
    button_part,
    caption,
    joined,
    shifted,
    stacked,
)
from castlelab.draw.scene import Scene, Text
from castlelab.figures import Figure, LiveCount, Touched
from castlelab.games.castle_rampage.lens_picture import (
    Block,
    Dot,
    Looked,
    attack_part,
    blocks_part,
    dots_part,
    lens_stack_part,
    lenses_part,
    pairs_part,
    shares_part,
)
from castlelab.rules import CastlelabError, counted, listed

CARDS = (5, 4, 3, 2, 1)
ATTACK = 6
_STRONGEST = 9
_WEAKER, _STRONGER, _REST = "weaker", "stronger", "the rest"
_LENSES = {"all cards": 0, "top 1": 1, "top 2": 2, "top 3": 3}
_WORTH_HELP = 4  # who has met so many groups may see the others

Order = tuple[int, ...]
Group = frozenset[int]


@dataclass(frozen=True, kw_only=True)
class LensStack(Figure):
    """Five cards in an order, an attack, and a lens that sees only the topmost ones.

    ``met`` are the orders that were tried: through a lens each tells of all that look alike.
    """

    asks: Literal["pairs", "orders", "mean"]
    order: Order = CARDS
    attack: int = ATTACK
    lens: int = 0
    met: frozenset[Order] = frozenset()
    card_in_hand: int | None = None

    # -- what is known ------------------------------------------------------------------------

    def groups(self, lens: int) -> tuple[tuple[int, ...], ...]:
        """The groups of cards that can lie on top, as many as a lens sees."""
        return tuple(combinations(CARDS, lens))

    def known(self, lens: int) -> frozenset[Group]:
        """Those of them that were met."""
        return frozenset(frozenset(order[:lens]) for order in self.met)

    @property
    def groups_that_fall(self) -> int:
        """How many of the groups that were met fall."""
        return sum(sum(group) <= self.attack for group in self.known(self.lens))

    @property
    def is_all_known(self) -> bool:
        return len(self.known(self.lens)) == comb(5, self.lens)

    @property
    def shares(self) -> tuple[Fraction | None, ...]:
        """The share of groups that fall through each lens, where all are known."""
        return tuple(
            Fraction(sum(sum(group) <= self.attack for group in self.groups(lens)), comb(5, lens))
            if len(self.known(lens)) == comb(5, lens)
            else None
            for lens in (1, 2, 3)
        )

    @property
    def mean(self) -> Fraction | None:
        """The shares added up, when all of them are known."""
        known = [share for share in self.shares if share is not None]
        return sum(known, Fraction()) if len(known) == len(self.shares) else None

    @property
    def falling(self) -> int:
        """How many of the cards fall that the lens sees."""
        seen = self.order[: self.lens or len(CARDS)]
        return sum(cost <= self.attack for cost in accumulate(seen))

    # -- what a touch does --------------------------------------------------------------------

    def touch(self, target: str) -> Touched:
        if target in _LENSES:
            return self._through(_LENSES[target])
        if target in (_WEAKER, _STRONGER):
            return self._with_attack(self.attack + (1 if target == _STRONGER else -1))
        if target == _REST:
            tops = (self._on_top(group) for group in self.groups(self.lens))
            return Touched(replace(self, met=self.met | set(tops)), "Here are all groups.")
        name, _, numbers = target.partition(" ")
        if name == "group":
            return self._laid(self._on_top(tuple(map(int, numbers.split()))))
        card = int(numbers)
        if self.card_in_hand is None:
            return Touched(replace(self, card_in_hand=card), f"Card {card} is in your hand.")
        if self.card_in_hand == card:
            return Touched(replace(self, card_in_hand=None), f"Card {card} lies where it lay.")
        left = [each for each in self.order if each != self.card_in_hand]
        at = self.order.index(card)
        return self._laid((*left[:at], self.card_in_hand, *left[at:]))

    def _on_top(self, group: tuple[int, ...]) -> Order:
        """The order with a group on top, as near as may be to how the cards lie."""
        return (*(c for c in self.order if c in group), *(c for c in self.order if c not in group))

    def _laid(self, order: Order) -> Touched:
        made = replace(self, order=order, met=self.met | {order}, card_in_hand=None)
        fell = listed([str(card) for card in order[: made.falling]]) or "none"
        return Touched(made, f"From the top: {', '.join(map(str, order))}. It fells {fell}.")

    def _through(self, lens: int) -> Touched:
        made = replace(self, lens=lens)
        if not lens:
            return Touched(made, "No lens: each order is a dot of its own.")
        each = factorial(lens) * factorial(5 - lens)
        blocks = f"{comb(5, lens)} blocks of {each} orders"
        return Touched(made, f"The lens sees the top {lens}: {blocks}.")

    def _with_attack(self, attack: int) -> Touched:
        if not 1 <= attack <= _STRONGEST:
            raise CastlelabError(f"the attack is from 1 to {_STRONGEST} here")
        return Touched(replace(self, attack=attack), f"The attack is {attack}.")

    @property
    def tally(self) -> LiveCount:
        falls, known = self.groups_that_fall, len(self.known(self.lens))
        match self.asks:
            case "pairs":
                return LiveCount(str(falls), "pair falls" if falls == 1 else "pairs fall")
            case "mean":
                shares = [share for share in self.shares if share is not None]
                words = f"on average, through {len(shares)} of 3 lenses"
                return LiveCount(str(sum(shares, Fraction())), words)
        if not self.lens:
            two = sum(sum(order[:2]) <= self.attack for order in self.met)
            return LiveCount(str(two), f"of {counted(len(self.met), 'order')} tried lose two")
        orders = falls * factorial(self.lens) * factorial(5 - self.lens)
        words = f"orders, by {known} of {counted(comb(5, self.lens), 'group')}"
        return LiveCount(str(orders), words)

    @property
    def told(self) -> str:
        cards = ", ".join(map(str, self.order))
        number = self.falling
        falls = f"{counted(number, 'card')} fall{'s' * (number == 1)}"
        return f"Attack {self.attack}. From the top: {cards}; {falls}."

    @property
    def held(self) -> str | None:
        return None if self.card_in_hand is None else f"card {self.card_in_hand}"

    @property
    def offers(self) -> tuple[str, ...]:
        if self.card_in_hand is not None:  # it may be let go of on any other one
            return tuple(f"card {card}" for card in self.order if card != self.card_in_hand)
        return (_REST,) if self._may_have_the_rest else ()

    @property
    def _may_have_the_rest(self) -> bool:
        known = len(self.known(self.lens))
        return self.asks != "pairs" and self.lens > 0 and _WORTH_HELP <= known < comb(5, self.lens)

    # -- how it looks -------------------------------------------------------------------------

    def picture(self) -> Scene:
        return both_widths(self._drawn, "A stack and an attack", f"{self.told} {self.tally}.")

    def _drawn(self, is_narrow: bool) -> Part:
        looked = Looked(self.order, self.attack, self.lens, self.card_in_hand)
        sliders = (_WEAKER, _STRONGER) if self.asks != "pairs" else ("", "")
        attack = attack_part(looked, 136 if is_narrow else 200, *sliders)
        cards = lens_stack_part(looked, 226 if is_narrow else 200, 46 if is_narrow else 50)
        wall = stacked(self._wall(374 if is_narrow else 330, is_narrow=is_narrow), 8)
        if is_narrow:
            above = joined((shifted(attack, 238, 30), cards), 374, cards.height)
            whole = shifted(stacked([above, wall], 10), 1, 1)
        else:
            left = stacked([attack, cards], 10)
            parts = (left, shifted(wall, 224, 0))
            high = max(left.height, wall.height)
            whole = shifted(joined(parts, 554, high), 6, 6)
        by = 1.0 if is_narrow else 6.0
        return replace(whole, width=whole.width + by, height=whole.height + by)

    def _wall(self, width: float, *, is_narrow: bool) -> Iterator[Part]:
        """The lenses, all orders as dots or blocks, and what follows from them."""
        if self.asks == "pairs":
            yield Part.of([caption(2, 12, "Pairs on top", 15)], (), width, 24)
        else:
            chosen = next(name for name, lens in _LENSES.items() if lens == self.lens)
            yield lenses_part(tuple(_LENSES), chosen, width)
        if self.lens:
            size = (4, 15.0) if is_narrow else (3, 17.0)
            if self.asks == "pairs":
                yield pairs_part(self._blocks, width, 84 if is_narrow else 120)
            else:
                yield blocks_part(self._blocks, width, *size)
        else:
            yield dots_part(self._dots, width, 15 if is_narrow else 12)
        if self.asks == "mean":
            yield shares_part(self._shares_told, width)
        yield from self._foot(width)

    def _foot(self, width: float) -> Iterator[Part]:
        if self._may_have_the_rest:
            yield button_part(_REST, "Show the rest", (0, 0, 140, 40))
        elif self.lens and self.is_all_known and self.asks == "orders":
            falls, below = self.groups_that_fall, 5 - self.lens
            words = f"{falls} · {self.lens}! · {below}! = {self.tally.value} orders"
            yield Part.of([Text(2, 20, words, 18, "ink", bold=True)], (), width, 40)

    @property
    def _blocks(self) -> tuple[Block, ...]:
        known, here = self.known(self.lens), frozenset(self.order[: self.lens])
        each = factorial(self.lens) * factorial(5 - self.lens)
        return tuple(
            Block(
                group,
                each,
                falls=sum(group) <= self.attack,
                is_known=frozenset(group) in known,
                is_here=frozenset(group) == here,
            )
            for group in self.groups(self.lens)
        )

    @property
    def _dots(self) -> tuple[Dot, ...]:
        return tuple(
            Dot(
                sum(cost <= self.attack for cost in accumulate(order)),
                is_known=order in self.met,
                is_here=order == self.order,
            )
            for order in permutations(CARDS)
        )

    @property
    def _shares_told(self) -> Iterator[str]:
        """The shares as they were counted: 6/10, not 3/5."""
        for lens, share in enumerate(self.shares, start=1):
            groups = comb(5, lens)
            yield "" if share is None else f"{share * groups}/{groups}"
