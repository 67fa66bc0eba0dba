"""Moments of Once Upon a Castle made to order, for every test of the game."""

import pytest

import castlelab
from castlelab.game import changed
from castlelab.games.once_upon_a_castle import Castle
from castlelab.rules import IllegalMove

GUESTS = castlelab.load("once_upon_a_castle", version="architect").guest_named


def castle_with(*guests, **parts):
    """A castle with these guests, by name."""
    return Castle(guests=tuple(GUESTS[name] for name in guests), **parts)


def moment(
    version="apprentice",
    *,
    players=2,
    seed=1,
    tokens=(),
    castles=(),
    shown=None,
    pile=None,
    dice=("wood", "stone"),
    **changes,
):
    """A moment in which player 1 is active and decides, unless the changes say otherwise.

    ``tokens`` are squares for each seat, ``castles`` a castle for each; the rest is empty.
    """
    start = castlelab.load("once_upon_a_castle", players, version=version).start(seed)
    layout = start.boards[0].layout
    boards = [layout.board()] * players
    for seat, squares in enumerate(tokens):
        for name in squares.split():
            boards[seat] = boards[seat].place(name)
    standing = [*castles, *[Castle()] * (players - len(castles))]
    if version == "architect":
        held = {guest.name for castle in standing for guest in castle.guests}
        shown = shown or [name for name in GUESTS if name not in held][:3]
        free = [name for name in GUESTS if name not in held and name not in shown]
        rest = tuple(GUESTS[name] for name in (pile or free))
        changes |= {"shown": tuple(GUESTS[name] for name in shown), "pile": rest}
    elif pile is not None:
        changes["pile"] = pile
    return changed(
        start,
        boards=tuple(boards),
        castles=tuple(standing),
        dice=dice,
        **{"active": 0, "seat": 0, **changes},
    )


def building(version="apprentice", **changes):
    """Player 1 may clear lines now."""
    return moment(version, phase="build", left=(), **changes)


def played(state, *moves):
    """The state after moves in notation, each of them legal."""
    for text in moves:
        state = state.play(state.game.move(text))
    return state


def texts(state):
    """The legal moves in notation."""
    return [str(move) for move in state.moves()]


def refused(state, text):
    """The one breach that refuses a move; ``play`` refuses it with the same words."""
    move = state.game.move(text)
    verdict = state.check(move)
    assert not verdict, f"{text} is legal"
    assert text not in texts(state)
    with pytest.raises(IllegalMove) as caught:
        state.play(move)
    assert caught.value.verdict == verdict
    (breach,) = verdict.breaches
    return breach
