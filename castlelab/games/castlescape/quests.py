"""Goals and contracts: a condition from a small vocabulary, and its Renown.

A condition measures something of a player (baileys claimed, recruits on walls, …) and
wants at least, or at most, a number of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from castlelab.edition import word_and_number
from castlelab.games.castlescape.board import ON_WALL

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState


def _sizes(state: ScapeState, seat: int) -> list[int]:
    """How large the baileys are that a player has claimed."""
    return [claim.size for claim in state.claims if seat in claim.seats]


def _placed(state: ScapeState, seat: int) -> int:
    """Where a player's recruits stand."""
    return state.board.ground[seat] | state.board.atop[seat]


def _owned(state: ScapeState, seat: int, counts: Sequence[int]) -> int:
    """The cards of a player, each for as much as it counts."""
    return sum(map(counts.__getitem__, state.guilds[seat].owned))


#: How much a player has of what goals and contracts ask for.
COUNTS: dict[str, Callable[[ScapeState, int], int]] = {
    "claims": lambda state, seat: len(_sizes(state, seat)),
    "bailey": lambda state, seat: max(_sizes(state, seat), default=0),
    "squares": lambda state, seat: sum(_sizes(state, seat)),
    "shared": lambda state, seat: sum([seat in c.seats and len(c.seats) > 1 for c in state.claims]),
    "atop": lambda state, seat: state.board.atop[seat].bit_count(),
    "on-site": lambda state, seat: state.board.recruits(seat),
    "inside": lambda state, seat: (state.board.ground[seat] & state.enclosed).bit_count(),
    "influence": lambda state, seat: state.board.influence(seat),
    "held": lambda state, seat: sum([state.holder(claim) == seat for claim in state.claims]),
    "quarters": lambda state, seat: sum(
        [bool(_placed(state, seat) & quarter) for quarter in state.game.quarters]
    ),
    "at-edge": lambda state, seat: (_placed(state, seat) & state.board.grid.border).bit_count(),
    "cards": lambda state, seat: len(state.guilds[seat].owned),
    "few-cards": lambda state, seat: len(state.guilds[seat].owned),
    "bought": lambda state, seat: _owned(state, seat, state.game.from_market),
    "rotating": lambda state, seat: _owned(state, seat, state.game.from_stalls),
    "shady": lambda state, seat: _owned(state, seat, state.game.shady),
    "few-shady": lambda state, seat: _owned(state, seat, state.game.shady),
    "worth": lambda state, seat: _owned(state, seat, state.game.renown),
    "little-corruption": lambda state, seat: state.guilds[seat].corruption,
    "goals": lambda state, seat: len(state.guilds[seat].goals),
    "renown": lambda state, seat: state.guilds[seat].renown,
}

#: What one more recruit adds to a count: the state before, the player, the square and whether
#: there is a wall.
Gain = Callable[["ScapeState", int, int, bool], int]


def _newly_held(state: ScapeState, seat: int, bit: int, atop: bool) -> int:
    """The baileys that a player holds with a recruit more, and did not hold."""
    found = 0
    for squares, walls, _, _ in state.claims:
        there = state.influence_in(squares, walls)
        rivals = max(there[:seat] + there[seat + 1 :])
        more = ON_WALL if atop and walls & bit else not atop and squares & bit > 0
        found += there[seat] <= rivals < there[seat] + more
    return found


#: The counts that look at the recruits on the site; the others stay as they are when one comes.
GAINS: dict[str, Gain] = {
    "atop": lambda state, seat, bit, atop: atop,
    "on-site": lambda state, seat, bit, atop: 1,
    "inside": lambda state, seat, bit, atop: not atop and state.enclosed & bit > 0,
    "influence": lambda state, seat, bit, atop: ON_WALL if atop else 1,
    "held": _newly_held,
    "quarters": lambda state, seat, bit, atop: sum(
        [
            bool(quarter & bit) > bool(quarter & _placed(state, seat))
            for quarter in state.game.quarters
        ]
    ),
    "at-edge": lambda state, seat, bit, atop: state.board.grid.border & bit > 0,
}


class Measure(NamedTuple):
    """A word of the vocabulary: which numbers make sense, and what it says."""

    numbers: range
    short: str  # what is counted, in a word or two
    words: str
    plural: str = ""
    at_most: bool = False


#: Everything that goals and contracts can ask for.
MEASURES = {
    "claims": Measure(range(1, 8), "baileys", "Claim a bailey.", "Claim {n} baileys."),
    "bailey": Measure(range(2, 31), "largest", "Claim a bailey of at least {n} squares."),
    "squares": Measure(range(2, 61), "squares", "Claim baileys of at least {n} squares in all."),
    "shared": Measure(range(1, 4), "shared", "Share a claim.", "Share {n} claims."),
    "atop": Measure(
        range(1, 13), "on walls", "Have a recruit on a wall.", "Have {n} recruits on walls."
    ),
    "on-site": Measure(range(2, 13), "on site", "Have {n} recruits on the site."),
    "inside": Measure(
        range(1, 9),
        "inside",
        "Have a recruit on the ground of a finished bailey.",
        "Have {n} recruits on the ground of finished baileys.",
    ),
    "influence": Measure(range(1, 25), "influence", "Have an influence of {n} on the site."),
    "held": Measure(
        range(1, 8),
        "held",
        "Have most influence in a finished bailey.",
        "Have most influence in {n} finished baileys.",
    ),
    "quarters": Measure(range(2, 5), "quarters", "Have recruits in {n} quarters of the site."),
    "at-edge": Measure(
        range(1, 7),
        "at edge",
        "Have a recruit at the edge of the site.",
        "Have {n} recruits at the edge of the site.",
    ),
    "cards": Measure(range(11, 41), "cards", "Own at least {n} cards."),
    "few-cards": Measure(range(5, 21), "cards", "Own at most {n} cards.", at_most=True),
    "bought": Measure(range(2, 21), "bought", "Own {n} market cards."),
    "rotating": Measure(range(2, 13), "from stalls", "Own {n} cards of the rotating market."),
    "shady": Measure(range(2, 13), "shady", "Own {n} cards with penalties."),
    "few-shady": Measure(
        range(6),
        "shady",
        "Own no card with a penalty.",
        "Own at most {n} cards with penalties.",
        at_most=True,
    ),
    "worth": Measure(range(1, 31), "in cards", "Own cards worth {n} Renown in all."),
    "little-corruption": Measure(
        range(6),
        "Corruption",
        "Have no Corruption.",
        "Have a Corruption of {n} at most.",
        at_most=True,
    ),
    "goals": Measure(range(1, 4), "goals", "Take a goal.", "Take {n} goals."),
    "renown": Measure(range(1, 61), "Renown", "Have {n} Renown."),
}
_NUMBERS = {word: measure.numbers for word, measure in MEASURES.items()}


@dataclass(frozen=True, slots=True)
class Quest:
    """A goal or a contract.

    >>> Quest.of("Lookout", "atop 4", 5).words
    'Have 4 recruits on walls.'
    """

    name: str
    measure: str
    number: int
    renown: int

    @staticmethod
    def of(name: str, condition: str, renown: int) -> Quest:
        """Read the condition; an unknown one is a ``NotationError`` with the vocabulary."""
        return Quest(name, *word_and_number(condition, _NUMBERS, "condition"), renown)

    def __str__(self) -> str:
        return self.name

    @property
    def words(self) -> str:
        """The condition in words."""
        measure = MEASURES[self.measure]
        one = self.number <= (0 if measure.at_most else 1)
        words = measure.words if one or not measure.plural else measure.plural
        if self.number == 1 and measure.plural and measure.at_most:
            words = words.replace("cards", "card").replace("penalties", "a penalty")
        return words.format(n=self.number)

    def count(self, state: ScapeState, seat: int) -> int:
        """How much of it a player has now."""
        return COUNTS[self.measure](state, seat)

    def met(self, state: ScapeState, seat: int) -> bool:
        """Whether the condition holds for a player now."""
        found = COUNTS[self.measure](state, seat)
        return found <= self.number if MEASURES[self.measure].at_most else found >= self.number

    def progress(self, state: ScapeState, seat: int) -> str:
        """How far a player is, as short as can be: "on walls 2/4"."""
        measure, has = MEASURES[self.measure], self.count(state, seat)
        wanted = f" (≤{self.number})" if measure.at_most else f"/{self.number}"
        return f"{measure.short} {has}{wanted}"

    def describe(self) -> str:
        """The quest in words, with its Renown."""
        return f"{self.name} ({self.renown} Renown): {self.words}"
