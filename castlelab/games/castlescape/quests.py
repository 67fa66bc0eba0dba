"""Goals and contracts: a condition from a small vocabulary, and its Renown.

A condition measures something of a player (baileys claimed, recruits on walls, …) and
wants at least, or at most, a number of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from castlelab.edition import word_and_number

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState


def _claims(state: ScapeState, seat: int) -> int:
    return sum([seat in claim.seats for claim in state.claims])


def _largest(state: ScapeState, seat: int) -> int:
    return max([claim.size for claim in state.claims if seat in claim.seats], default=0)


def _squares(state: ScapeState, seat: int) -> int:
    return sum([claim.size for claim in state.claims if seat in claim.seats])


def _shared(state: ScapeState, seat: int) -> int:
    return sum([seat in claim.seats and len(claim.seats) > 1 for claim in state.claims])


def _atop(state: ScapeState, seat: int) -> int:
    return state.board.atop[seat].bit_count()


def _on_site(state: ScapeState, seat: int) -> int:
    return (state.board.ground[seat] | state.board.atop[seat]).bit_count()


def _inside(state: ScapeState, seat: int) -> int:
    return (state.board.ground[seat] & state.enclosed).bit_count()


def _influence(state: ScapeState, seat: int) -> int:
    return state.board.influence(seat)


def _held(state: ScapeState, seat: int) -> int:
    return sum([state.holder(claim) == seat for claim in state.claims])


def _quarters(state: ScapeState, seat: int) -> int:
    placed = state.board.ground[seat] | state.board.atop[seat]
    return sum([bool(placed & quarter) for quarter in state.game.quarters])


def _at_edge(state: ScapeState, seat: int) -> int:
    placed = state.board.ground[seat] | state.board.atop[seat]
    return (placed & state.board.grid.border).bit_count()


def _cards(state: ScapeState, seat: int) -> int:
    return len(state.guilds[seat].owned)


def _bought(state: ScapeState, seat: int) -> int:
    return sum(map(state.game.from_market.__getitem__, state.guilds[seat].owned))


def _rotating(state: ScapeState, seat: int) -> int:
    return sum(map(state.game.from_stalls.__getitem__, state.guilds[seat].owned))


def _shady(state: ScapeState, seat: int) -> int:
    return sum(map(state.game.shady.__getitem__, state.guilds[seat].owned))


def _worth(state: ScapeState, seat: int) -> int:
    return sum(map(state.game.renown.__getitem__, state.guilds[seat].owned))


def _corruption(state: ScapeState, seat: int) -> int:
    return state.guilds[seat].corruption


def _goals(state: ScapeState, seat: int) -> int:
    return len(state.guilds[seat].goals)


def _renown(state: ScapeState, seat: int) -> int:
    return state.guilds[seat].renown


class Measure(NamedTuple):
    """A word of the vocabulary: what is counted, which numbers make sense, what it says."""

    measured: Callable[[ScapeState, int], int]
    numbers: range
    words: str
    plural: str = ""
    at_most: bool = False


#: Everything that goals and contracts can ask for.
MEASURES = {
    "claims": Measure(_claims, range(1, 8), "Claim a bailey.", "Claim {n} baileys."),
    "bailey": Measure(_largest, range(2, 31), "Claim a bailey of at least {n} squares."),
    "squares": Measure(_squares, range(2, 61), "Claim baileys of at least {n} squares in all."),
    "shared": Measure(_shared, range(1, 4), "Share a claim.", "Share {n} claims."),
    "atop": Measure(
        _atop, range(1, 13), "Have a recruit on a wall.", "Have {n} recruits on walls."
    ),
    "on-site": Measure(_on_site, range(2, 13), "Have {n} recruits on the site."),
    "inside": Measure(
        _inside,
        range(1, 9),
        "Have a recruit on the ground of a finished bailey.",
        "Have {n} recruits on the ground of finished baileys.",
    ),
    "influence": Measure(_influence, range(1, 25), "Have an influence of {n} on the site."),
    "held": Measure(
        _held,
        range(1, 8),
        "Have most influence in a finished bailey.",
        "Have most influence in {n} finished baileys.",
    ),
    "quarters": Measure(_quarters, range(2, 5), "Have recruits in {n} quarters of the site."),
    "at-edge": Measure(
        _at_edge,
        range(1, 7),
        "Have a recruit at the edge of the site.",
        "Have {n} recruits at the edge of the site.",
    ),
    "cards": Measure(_cards, range(11, 41), "Own at least {n} cards."),
    "few-cards": Measure(_cards, range(5, 21), "Own at most {n} cards.", at_most=True),
    "bought": Measure(_bought, range(2, 21), "Own {n} market cards."),
    "rotating": Measure(_rotating, range(2, 13), "Own {n} cards of the rotating market."),
    "shady": Measure(_shady, range(2, 13), "Own {n} cards with penalties."),
    "few-shady": Measure(
        _shady,
        range(6),
        "Own no card with a penalty.",
        "Own at most {n} cards with penalties.",
        at_most=True,
    ),
    "worth": Measure(_worth, range(1, 31), "Own cards worth {n} Renown in all."),
    "little-corruption": Measure(
        _corruption,
        range(6),
        "Have no Corruption.",
        "Have a Corruption of {n} at most.",
        at_most=True,
    ),
    "goals": Measure(_goals, range(1, 4), "Take a goal.", "Take {n} goals."),
    "renown": Measure(_renown, range(1, 61), "Have {n} Renown."),
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
        return MEASURES[self.measure].measured(state, seat)

    def met(self, state: ScapeState, seat: int) -> bool:
        """Whether the condition holds for a player now."""
        found = self.count(state, seat)
        return found <= self.number if MEASURES[self.measure].at_most else found >= self.number

    def describe(self) -> str:
        """The quest in words, with its Renown."""
        return f"{self.name} ({self.renown} Renown): {self.words}"
