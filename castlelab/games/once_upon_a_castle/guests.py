"""The guests: what each of them can do, and under which rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from castlelab.game import written

SYMBOLS = ("bolt", "hourglass", "crown")


class Power(NamedTuple):
    """A word of the small language of powers: its symbol, its rule, what it does."""

    symbol: str
    rule: str
    words: str


#: Every power. Guests are known by what they can do, so the owner of a box may rename them.
POWERS = {
    "token-and-resident": Power(
        "bolt", "once_upon_a_castle/guest-architect", "a token on any square and 1 resident"
    ),
    "four-residents": Power("bolt", "once_upon_a_castle/guest-bohemian", "4 residents"),
    "two-wood": Power("bolt", "once_upon_a_castle/guest-logger", "2 tokens on Wood"),
    "two-food": Power("bolt", "once_upon_a_castle/guest-peasant", "2 tokens on Food"),
    "two-gold": Power("bolt", "once_upon_a_castle/guest-merchant", "2 tokens on Gold"),
    "two-stone": Power("bolt", "once_upon_a_castle/guest-miner", "2 tokens on Stone"),
    "roll-twice": Power("bolt", "once_upon_a_castle/guest-dagobert", "one die, and its face twice"),
    "move-two": Power("bolt", "once_upon_a_castle/guest-magician", "2 tokens may move"),
    "cloud-for-any": Power(
        "hourglass", "once_upon_a_castle/guest-shepherdess", "? may be a cloud worth 2"
    ),
    "token-for-residents": Power(
        "hourglass", "once_upon_a_castle/guest-knight", "Residents may be a token on any square"
    ),
    "resident-with-food": Power(
        "hourglass", "once_upon_a_castle/guest-cook", "Food brings 1 resident too"
    ),
    "guard": Power("hourglass", "once_upon_a_castle/guest-guard", "own Crown guests are safe"),
    "flag-for-gold": Power(
        "hourglass", "once_upon_a_castle/guest-monk", "Gold may be a flag worth 2"
    ),
    "wood-as-stone": Power(
        "hourglass", "once_upon_a_castle/guest-troll", "Wood as Stone, Stone as Wood"
    ),
    "per-crown": Power(
        "crown", "once_upon_a_castle/guest-courtesan", "1 point for each Crown guest"
    ),
    "per-floor": Power("crown", "once_upon_a_castle/guest-jester", "1 point for each floor"),
    "per-wall": Power("crown", "once_upon_a_castle/guest-prince", "1 point for each wall"),
    "per-tower": Power("crown", "once_upon_a_castle/guest-princess", "1 point for each tower"),
    "none": Power("crown", "once_upon_a_castle/guest-queen", "points, and no power"),
    "per-flag": Power("crown", "once_upon_a_castle/guest-king", "1 point for each flag"),
}


@dataclass(frozen=True, slots=True)
class Guest:
    """A guest card. An Apprentice guest has neither symbol nor power, only points."""

    name: str
    points: int = 0
    power: str = ""
    symbol: str = ""

    @property
    def words(self) -> str:
        """The card in words.

        >>> Guest("bohemian", 1, "four-residents", "bolt").words
        'Bohemian (Bolt): 4 residents'
        """
        if not self.power:
            return f"{self.name.capitalize()} worth {self.points}"
        return f"{self.name.capitalize()} ({self.symbol.capitalize()}): {POWERS[self.power].words}"

    def __str__(self) -> str:
        return self.name

    __repr__ = written


#: What is seen of a card that lies face down.
FACE_DOWN_GUEST = Guest("face-down guest")
