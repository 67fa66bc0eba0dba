"""Which sounds are due when something has happened: the page makes them, if they are wanted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Literal, get_args

from castlelab.game import State

Cue = Literal["legal", "closed", "refused", "your turn", "edge"]
CUES: tuple[Cue, ...] = get_args(Cue)


def cues_of(states: Sequence[State], audience: Collection[int]) -> tuple[Cue, ...]:
    """The sounds of the moves between these states, for seats that listen.

    What one did oneself is legal, or has closed something; of others only that is heard. At the
    end it is heard that one's turn has come.

    >>> from castlelab.game import load
    >>> start = load("castell", first="blue").start(7)
    >>> after = start.play("move Valls")
    >>> cues_of([start, after], [0]), cues_of([start, after, after.play("end")], [1])
    (('legal',), ('your turn',))
    """
    found: list[Cue] = []
    for before, after in pairwise(states):
        if after.closed > before.closed:
            found.append("closed")
        elif before.to_move in audience:
            found.append("legal")
    movers = {state.to_move for state in states}
    if states[-1].to_move in audience and movers - set(audience):
        found.append("your turn")
    return tuple(dict.fromkeys(found))
