"""What belongs to one player, what a turn has brought so far, and who claimed which bailey.

Cards are known by their place in ``box.cards``. A card that a view hides is ``HIDDEN_CARD``.
All of these are tuples with names: play makes new ones for every move, and nothing is made more
quickly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from castlelab.games.castlescape.card import Effect
from castlelab.games.castlescape.masonry import NOTHING, Masonry, granted

HIDDEN_CARD = -1
EMPTY_STALL = -2  # a stall without a card
HAND_SIZE = 5
CONTRACTS_DEALT, CONTRACTS_KEPT = 4, 2
HIGHEST = 10  # Infamy and Corruption
CUBES = 12  # recruits; the thirteenth cube marks the Renown (castlescape/score-zero)


class Guild(NamedTuple):
    """The cards and levels of one player. Hand and ``owned`` are sorted."""

    deck: tuple[int, ...]  # top first
    hand: tuple[int, ...]
    owned: tuple[int, ...]  # every card, wherever it is: everybody may remember that
    discards: tuple[int, ...] = ()
    alley: tuple[int, ...] = ()
    dealt: tuple[int, ...] = ()  # contracts to choose from
    contracts: tuple[int, ...] = ()
    goals: tuple[int, ...] = ()
    infamy: int = 0
    corruption: int = 0
    renown: int = 0
    occupation: int = 0  # how much of it came from baileys held at Inspections

    def with_cards(
        self,
        deck: tuple[int, ...],
        hand: tuple[int, ...],
        discards: tuple[int, ...],
        alley: tuple[int, ...],
    ) -> Guild:
        """The guild with its cards in other places: ``_replace`` in a hurry."""
        return _guild(Guild, (deck, hand, self.owned, discards, alley, *self[_ALLEY + 1 :]))

    def hidden(self, *, own: bool, over: bool) -> Guild:
        """The guild as its owner or somebody else sees it; in the end contracts are shown."""
        return self._replace(
            deck=(HIDDEN_CARD,) * len(self.deck),
            hand=self.hand if own else (HIDDEN_CARD,) * len(self.hand),
            dealt=self.dealt if own else (HIDDEN_CARD,) * len(self.dealt),
            contracts=self.contracts if own or over else (HIDDEN_CARD,) * len(self.contracts),
        )


_guild = tuple.__new__
_ALLEY = Guild._fields.index("alley")


class TurnGains(NamedTuple):
    """What the cards of this turn have brought and was not used yet."""

    played: tuple[int, ...] = ()
    new: tuple[int, ...] = ()  # cards that came this turn: they are not played before the next
    gold: int = 0
    recruits: int = 0
    sentries: int = 0
    masonry: Masonry = NOTHING
    moves: int = 0
    climbs: int = 0
    ousts: int = 0
    acquires: tuple[int, ...] = ()  # the highest costs, sorted
    from_hand: int = 0  # cards that may be destroyed
    from_discards: int = 0
    blames: int = 0
    positioned: bool = False  # a recruit was positioned: the walls are over
    goal_taken: bool = False
    busy: bool = False  # something was built, positioned, bought or claimed

    def gains(self, effects: Iterable[Effect]) -> TurnGains:
        """The turn with more to use."""
        found: list[Any] = list(self)
        for effect in effects:
            verb, number = effect.verb, effect.number
            if verb in _POOLS:
                found[_POOLS[verb]] += number
            elif verb == "acquire":
                found[_ACQUIRES] = tuple(sorted((*found[_ACQUIRES], number)))
            elif verb == "late-walls" or (verb == "walls" and not self.positioned):
                found[_MASONRY] = granted(found[_MASONRY], number, late=verb == "late-walls")
        return _turn(TurnGains, found)

    def after_card(self, card: int) -> TurnGains:
        """The turn in which a card more was played."""
        return _turn(TurnGains, ((*self.played, card), *self[1:]))

    def built(self, left: Masonry) -> TurnGains:
        """The turn with these walls left to build: ``_replace`` in a hurry."""
        return _turn(TurnGains, (*self[:_MASONRY], left, *self[_MASONRY + 1 : -1], True))

    def placed(self, recruits: int, sentries: int, left: Masonry) -> TurnGains:
        """The turn after a recruit was positioned, with these recruits and walls left."""
        between = self[_MASONRY + 1 : _POSITIONED]
        new = (*self[:_RECRUITS], recruits, sentries, left, *between, True, self.goal_taken, True)
        return _turn(TurnGains, new)

    def used(self, gain: str) -> TurnGains:
        """The turn with one of something less."""
        return self._replace(**{gain: getattr(self, gain) - 1})


_turn = tuple.__new__
_RECRUITS, _MASONRY, _ACQUIRES, _POSITIONED = map(
    TurnGains._fields.index, ("recruits", "masonry", "acquires", "positioned")
)
#: The effects that are simply counted, and where.
_POOLS = {
    verb: TurnGains._fields.index(pool)
    for verb, pool in {
        "gold": "gold",
        "recruits": "recruits",
        "sentries": "sentries",
        "move": "moves",
        "climb": "climbs",
        "oust": "ousts",
        "destroy-hand": "from_hand",
        "destroy-discard": "from_discards",
        "shift-blame": "blames",
    }.items()
}


class ClaimedBailey(NamedTuple):
    """A completed bailey and who marked it: nobody, one player, or those who tied.

    No wall is ever built in it or taken away from it, so it stays as it is.
    """

    squares: int
    walls: int
    size: int
    seats: tuple[int, ...]


class AgendaStep(NamedTuple):
    """Something that has to happen before the turn goes on, and to whom."""

    kind: str
    seat: int
    number: int = 0
