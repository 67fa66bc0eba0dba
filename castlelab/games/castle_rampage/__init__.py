"""Castle Rampage: a duel of two stacks each, the Gate before and the Castle behind."""

from typing import TYPE_CHECKING

from castlelab.games.castle_rampage.attack import Assault, Step, attack
from castlelab.games.castle_rampage.box import card
from castlelab.games.castle_rampage.card import Card, Effect, counted_as, scheme_strength
from castlelab.games.castle_rampage.count import (
    break_through_odds,
    count_orders,
    fallen_by_order,
    odds_curve,
    orders_that_hold,
    simulate_attack,
    strength_needed,
    unseen_cards,
)
from castlelab.system.facade import facade

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.puzzle_forms import puzzle

__all__ = [
    "Assault",
    "Card",
    "Effect",
    "Step",
    "attack",
    "break_through_odds",
    "card",
    "count_orders",
    "counted_as",
    "fallen_by_order",
    "odds_curve",
    "orders_that_hold",
    "puzzle",
    "scheme_strength",
    "simulate_attack",
    "strength_needed",
    "unseen_cards",
]

# Puzzles show things, and who only counts loads no drawing.
__getattr__, __dir__ = facade(__name__, puzzle=f"{__name__}.puzzle_forms:puzzle")
