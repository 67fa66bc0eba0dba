"""What an editor holds between two picks: a thing to place, and where it was tried last."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

_Thing = TypeVar("_Thing")
_Place = TypeVar("_Place")


@dataclass(frozen=True, slots=True)
class PickedUp(Generic[_Thing, _Place]):
    """A thing that is picked up, if any.

    "Pick a thing, then a place" works however often it is done: a thing is put back only by
    picking it twice in a row. Once a place has been picked with it, a pick takes it up anew.

    >>> PickedUp().pick(9), PickedUp().pick(9).pick(9)
    (PickedUp(thing=9, at=None), PickedUp(thing=None, at=None))
    >>> PickedUp().pick(9).put(1).pick(9)
    PickedUp(thing=9, at=None)
    """

    thing: _Thing | None = None
    at: _Place | None = None  # that was picked with it, whether it could stay there or not

    def pick(self, thing: _Thing) -> PickedUp[_Thing, _Place]:
        """What is picked up when a thing has been picked."""
        return NOTHING_PICKED_UP if self == PickedUp(thing) else PickedUp(thing)

    def put(self, place: _Place) -> PickedUp[_Thing, _Place]:
        """It has tried a place: there is one more of these to place, or it is refused there."""
        return replace(self, at=place)


NOTHING_PICKED_UP: PickedUp[Any, Any] = PickedUp()
