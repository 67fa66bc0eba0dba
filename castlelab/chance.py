"""Randomness as a value: seeded, immutable, the same on every machine.

A :class:`Chance` never changes. Each draw returns what was drawn and the chance that
comes after it, so a state that holds one can be undone, copied and searched freely.
The numbers are SplitMix64 (Steele, Lea and Flood, 2014) in counter form, written out in
integers, so no Python version or platform can change them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from struct import unpack
from typing import NamedTuple, TypeVar

from castlelab.rules import CastlelabError

T = TypeVar("T")

# The quickest way to make a tuple with names: a bot makes a new chance for every move.
_made = tuple.__new__

_WORDS = 1 << 64
_WORD = _WORDS - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1, _MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_FEW = 12  # so many numbers are drawn one by one; more are quicker all at once


def _below(key: int, drawn: int, bound: int) -> tuple[int, int]:
    """A number below a bound, and how many words have been drawn for it in all."""
    while True:
        drawn += 1
        word = (key + drawn * _GOLDEN) & _WORD
        word = ((word ^ (word >> 30)) * _MIX_1) & _WORD
        word = ((word ^ (word >> 27)) * _MIX_2) & _WORD
        word ^= word >> 31
        number = word % bound
        # The last stretch of words is shorter than the bound and would favour small numbers.
        if word - number + bound <= _WORDS:
            return number, drawn


def _below_each(key: int, drawn: int, bounds: Sequence[int]) -> tuple[list[int], int]:
    """A number below each of the bounds: the same as one by one, but quicker if they are many."""
    if len(bounds) > _FEW:
        words = _words(key, drawn, len(bounds))
        if max(words) + max(bounds) <= _WORDS:  # all but always: no word is to be passed over
            numbers = [word % bound for word, bound in zip(words, bounds, strict=True)]
            return numbers, drawn + len(bounds)
    numbers = []
    for bound in bounds:
        number, drawn = _below(key, drawn, bound)
        numbers.append(number)
    return numbers, drawn


def _words(key: int, drawn: int, number: int) -> tuple[int, ...]:
    """The next words of a stream, all at once: lanes of 128 bits in one long integer.

    A word is the lower half of its lane, so that a product has room in the upper one.
    """
    ones, places, lower = _lanes(number)
    begin = (key + drawn * _GOLDEN) & _WORD  # or it might reach over into the next lane
    lanes = (begin * ones + places * _GOLDEN) & lower
    lanes = (((lanes ^ (lanes >> 30)) & lower) * _MIX_1) & lower
    lanes = (((lanes ^ (lanes >> 27)) & lower) * _MIX_2) & lower
    lanes ^= lanes >> 31
    return unpack(f"<{2 * number}Q", lanes.to_bytes(16 * number, "little"))[::2]


@lru_cache(maxsize=256)
def _lanes(number: int) -> tuple[int, int, int]:
    """In each of so many lanes: a one; its place, from 1; the lower half full of ones."""
    lanes = range(number)
    ones = sum(1 << 128 * lane for lane in lanes)
    return ones, sum((lane + 1) << 128 * lane for lane in lanes), ones * _WORD


class Chance(NamedTuple):
    """A place in a stream of random numbers.

    >>> chance = Chance.seeded(7)
    >>> chance.below(6)[0], chance.below(6)[0]      # the old chance is unchanged
    (3, 3)
    """

    key: int
    drawn: int = 0

    @staticmethod
    def seeded(seed: int | str) -> Chance:
        """The start of the stream that belongs to a seed (a whole number or a text)."""
        if isinstance(seed, bool) or not isinstance(seed, (int, str)):
            raise CastlelabError(f"a seed is a whole number or a text, not {seed!r}")
        # The type is part of the text, so that 7 and "7" are different seeds.
        try:
            text = f"{'str' if isinstance(seed, str) else 'int'}:{seed}".encode()
        except ValueError:  # half of a surrogate pair, or thousands of digits
            raise CastlelabError(
                "a seed is a text of real characters or a number to write out"
            ) from None
        return Chance(int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big"))

    def split(self, label: int | str) -> Chance:
        """An independent stream, by name: for the 12th game of a run, for a bot, …"""
        return Chance.seeded(f"{self.key}/{self.drawn}/{label}")

    def word(self) -> tuple[int, Chance]:
        """64 random bits."""
        return self.below(_WORDS)

    def below(self, bound: int) -> tuple[int, Chance]:
        """A whole number from 0 up to, not including, the bound (at most 2**64)."""
        if not 0 < bound <= _WORDS:
            raise CastlelabError(f"can draw below 1 to 2**64, not below {bound}")
        number, drawn = _below(self.key, self.drawn, bound)
        return number, Chance(self.key, drawn)

    def choice(self, items: Sequence[T]) -> tuple[T, Chance]:
        """One of the items, each as likely as the others."""
        if not items:
            raise CastlelabError("cannot choose from nothing")
        key, drawn = self
        index, drawn = _below(key, drawn, len(items))
        return items[index], _made(Chance, (key, drawn))

    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], Chance]:
        """The items in random order (Fisher and Yates)."""
        mixed = list(items)
        numbers, drawn = _below_each(self.key, self.drawn, range(len(mixed), 1, -1))
        for last, index in zip(range(len(mixed) - 1, 0, -1), numbers, strict=True):
            mixed[index], mixed[last] = mixed[last], mixed[index]
        return tuple(mixed), _made(Chance, (self.key, drawn))

    def shuffle_each(self, packs: Iterable[Sequence[T]]) -> tuple[list[list[T]], Chance]:
        """Several packs, as if they were shuffled one after the other, in a hurry."""
        mixed = [list(pack) for pack in packs]
        bounds = [bound for pack in mixed for bound in range(len(pack), 1, -1)]
        numbers, drawn = _below_each(self.key, self.drawn, bounds)
        drawn_for = iter(numbers)
        for pack in mixed:
            for last in range(len(pack) - 1, 0, -1):
                index = next(drawn_for)
                pack[index], pack[last] = pack[last], pack[index]
        return mixed, _made(Chance, (self.key, drawn))

    def sample(self, items: Sequence[T], number: int) -> tuple[tuple[T, ...], Chance]:
        """So many of the items in random order, each at most once: a shuffle cut short."""
        if not 0 <= number <= len(items):
            raise CastlelabError(f"cannot take {number} of {len(items)} things")
        mixed, size = list(items), len(items)
        numbers, drawn = _below_each(self.key, self.drawn, range(size, size - number, -1))
        for place, index in enumerate(numbers):
            index += place
            mixed[index], mixed[place] = mixed[place], mixed[index]
        return tuple(mixed[:number]), Chance(self.key, drawn)

    def draw(self, counts: Sequence[int], number: int) -> tuple[tuple[int, ...], Chance]:
        """Draw so many things, without putting back, from a bag given as counts per kind.

        Returns how many of each kind were drawn; an emptied bag ends the drawing.

        >>> Chance.seeded(1).draw((2, 0, 1), 9)[0]
        (2, 0, 1)
        """
        left, found, drawn = list(counts), [0] * len(counts), self.drawn
        total = sum(left)
        for size in range(total, max(total - number, 0), -1):
            index, drawn = _below(self.key, drawn, size)
            kind = 0
            while index >= left[kind]:
                index -= left[kind]
                kind += 1
            left[kind] -= 1
            found[kind] += 1
        return tuple(found), _made(Chance, (self.key, drawn))
