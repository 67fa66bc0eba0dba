"""What a move brings to light, and for whom: the limits of taking back and of telling."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES, Move, State

_WORLDS = 8  # that might have been; a die shows the same in all of them once in millions


def reveals(state: State, move: Move, seat: int) -> bool:
    """Whether a legal move shows a seat something that it could not foresee.

    The seat knows only its view, and many worlds fit it. If the move leads to another view in
    one of them, or cannot be made there, then what came of it was news. Of a move that is
    secret to the seat only its kind is known.
    """
    seen, view = state.after(move).view(seat), state.view(seat)
    secret = is_secret(state, move, seat)
    chance = Chance.seeded("what might have been")
    for number in range(_WORLDS):
        world = view.guess(seat, chance.split(number))
        if secret:
            alike = [other for other in world.moves() if other.kind == move.kind]
        else:
            alike = [move] if world.check(move) else []
        if all(world.after(other).view(seat) != seen for other in alike):
            return True
    return False


def is_secret(state: State, move: Move, seat: int) -> bool:
    """Whether a seat sees that a legal move is made, but not which: a card laid face down.

    The game says so of the kind of move, never of what the hand really holds: that would tell.
    A seat always knows what it did itself.
    """
    return state.to_move != seat and state.conceals(move)


def told(state: State, move: Move, audience: Collection[int]) -> str:
    """A legal move as these seats hear of it; what is laid face down is not named."""
    assert state.to_move is not None
    name = SEAT_NAMES[state.to_move]
    if any(is_secret(state, move, seat) for seat in audience):
        return f"{name} made a move that is hidden ({move.kind})."
    return f"{name} played: {move}."


def hides(state: State, seats: Collection[int]) -> bool:
    """Whether one of these seats may see what another may not."""
    views = [state.view(seat) for seat in seats]
    return any(one != other for one, other in combinations(views, 2))
