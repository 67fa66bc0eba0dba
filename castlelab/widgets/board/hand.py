"""What an editor holds between two picks: a thing to place, and where it was tried last."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

T = TypeVar("T")
P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Hand(Generic[T, P]):
    """A thing that is picked up, if any.

    "Pick a thing, then a place" works however often it is done: a thing is put back only by
    picking it twice in a row. Once a place has been picked with it, a pick takes it up anew.

    >>> Hand().pick(9), Hand().pick(9).pick(9)
    (Hand(thing=9, at=None), Hand(thing=None, at=None))
    >>> Hand().pick(9).put(1).pick(9)
    Hand(thing=9, at=None)
    """

    thing: T | None = None
    at: P | None = None  # the place that was picked with it, whether it could stay there or not

    def pick(self, thing: T) -> Hand[T, P]:
        """The hand when a thing has been picked."""
        return EMPTY if self == Hand(thing) else Hand(thing)

    def put(self, place: P) -> Hand[T, P]:
        """The hand when it has tried a place, and holds one more of these, or the same still."""
        return replace(self, at=place)


EMPTY: Hand[Any, Any] = Hand()
