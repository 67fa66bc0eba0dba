"""What cards and walls are worth: a guide for the greedy bot, not a rule."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from castlelab.game import Prospect
from castlelab.games.castle_rampage.card import Card

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import CastleRampage, RampageState
    from castlelab.games.castle_rampage.table import Side

WIN = 1_000.0
_STANDING = {"rally": 5.0, "shield": 5.0, "supply": 6.0, "build": 3.0}
_FALLING = {"bomb": 2.0, "sabotage": 2.0, "spy": 1.5}
_CASTLE = 1.3  # a point of defence at the Castle against one at the Gate
_BODY = 0.8  # every card is one more to be beaten
_CHOICES = {
    "destroy-permanent": 5.0,
    "reveal-top": 0.8,
    "sabotage": -3.5,
    "spy": -1.5,
}
_STRENGTH = 1.0  # a point of an attack that is still to come
_FOE_CARD = 1.2  # an unknown card in the enemy's hand
_TURN_DRAW = 2
# The last cards of a Castle are worth more than the others: by number of cards.
_BRINK = (0.0, 4.0, 7.0, 9.0, 10.0)


def wall_worth(card: Card) -> tuple[float, float]:
    """What a card adds to a Gate and to a Castle."""
    surprise = _FALLING.get(card.when_destroyed, 0.0)
    return _BODY + card.gate + surprise, _CASTLE * (_BODY + card.castle) + surprise


def hand_worth(card: Card) -> float:
    """What a card is worth in the hand: a part of what it does when it is played."""
    if not card.playable:
        return 1.0
    worth = 0.6 + 0.3 * len(card.units)
    if card.is_scheme:
        return 3.0
    if card.attack is not None:
        worth += 0.25 * card.attack / (1 + card.cost)
    worth += 0.9 * card.numbers.get("draw", 0)
    worth += 0.6 * sum(card.does(verb) for verb in ("target-castle", "charge", "fell-castles"))
    if card.permanent:
        worth += 0.4 * standing_worth(card)
    return worth


def standing_worth(card: Card) -> float:
    """What a permanent card is worth while it stands."""
    return sum(_STANDING.get(effect.verb, 0.0) * effect.number for effect in card.effects)


#: What is said when a part of the estimate gets better, and when it gets worse.
_SAID = (
    ("your own walls are stronger", "your own walls are weaker"),
    ("the enemy's walls are weaker", "the enemy's walls are stronger"),
    ("your hand is stronger", "your hand has less to play"),
    ("there is more to come of it", "the attack is spent"),
    ("the enemy holds fewer cards", "the enemy holds more cards"),
)


def _parts(state: RampageState, player: int) -> tuple[float, float, float, float, float]:
    """Own walls, hand and permanent cards, less those of the enemy."""
    game, me, foe = state.game, state.sides[player], state.sides[1 - player]
    promise, foe_hand = _promise(state, player), _foe_hand(state, player)
    walls, foe_walls, hand = _walls(game, me), _walls(game, foe), _hand(game, me.hand)
    return walls, -foe_walls, hand, promise, -foe_hand


def estimate(state: RampageState, player: int) -> float:
    """How good it looks for a player."""
    if state.loser is not None:
        return -WIN if state.loser == player else WIN
    walls, foe_walls, hand, promise, foe_hand = _parts(state, player)
    return walls + foe_walls + hand + promise + foe_hand


def prospects(state: RampageState, player: int) -> tuple[Prospect, ...]:
    """The same, part by part."""
    if state.loser is not None:
        return (Prospect(estimate(state, player), "you have won", "you have lost"),)
    parts = zip(_parts(state, player), _SAID, strict=True)
    return tuple(Prospect(part, *said) for part, said in parts)


# A move changes a few places of the table; what the others are worth is known.
@lru_cache(maxsize=1 << 12)
def _hand(game: CastleRampage, hand: tuple[int, ...]) -> float:
    return sum([game.hand_worth[card] for card in hand]) + _plan(game, hand)


def _foe_hand(state: RampageState, player: int) -> float:
    # An enemy who has just drawn is no better off for it: our turn comes, too.
    drawn = _TURN_DRAW if state.turn and state.active != player else 0
    return _FOE_CARD * (len(state.sides[1 - player].hand) - drawn)


def _promise(state: RampageState, player: int) -> float:
    """What the choice that is due, and the rest of the attack, mean to a player."""
    pause = state.pause
    if pause is None:
        return 0.0
    fights = pause.card is not None and state.game.box.cards[pause.card].attack is not None
    promise = _choice(state, pause.verb) + (pause.strength * _STRENGTH if fights else 0.0)
    return promise if state.active == player else -promise


def _choice(state: RampageState, verb: str) -> float:
    """What a choice that is due is worth to whoever plays the card."""
    if verb == "raise-discard":
        return max(_raised(state.game, card) for card in set(state.discards))
    return _raised(state.game, state.discards[-1]) if verb == "raise-top" else _CHOICES[verb]


def _raised(game: CastleRampage, card: int) -> float:
    """What a card adds to a stack, at its better place."""
    return max(game.gate_worth[card], game.castle_worth[card])


def _plan(game: CastleRampage, hand: tuple[int, ...]) -> float:
    """Units are worth keeping while a Scheme waits for them."""
    cards = game.box.cards
    if not any(cards[card].is_scheme for card in hand):
        return 0.0
    return 2.4 * min(3, sum([bool(cards[card].units) for card in hand]))


def _walls(game: CastleRampage, side: Side) -> float:
    return _standing(game, side.gate.cards, side.castle.cards, side.permanents)


@lru_cache(maxsize=1 << 12)
def _standing(
    game: CastleRampage,
    gate: tuple[int, ...],
    castle: tuple[int, ...],
    permanents: tuple[int, ...],
) -> float:
    return (
        sum([game.gate_worth[card] for card in gate])
        + sum([game.castle_worth[card] for card in castle])
        + sum([game.standing_worth[card] for card in permanents])
        + _BRINK[min(len(castle), 4)]
    )
