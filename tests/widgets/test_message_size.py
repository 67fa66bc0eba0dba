"""A redraw is one small message, at every table and at every time of a game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from ipycanvas.canvas import _CANVAS_MANAGER

import castlelab
from castlelab.chance import Chance
from castlelab.game import State, game_class
from castlelab.widgets.board import Board

SMALL = 20_000
# Larger as yet: a table full of little drawings.
LARGEST = {"once_upon_a_castle": 28_000}
LOOKED_AT = 8  # states of a game

TABLES = [(name, players) for name in castlelab.GAMES for players in game_class(name).seats_for()]


def states(name: str, players: int) -> Iterator[State]:
    """A random game from its start to its end."""
    state, chance = castlelab.load(name, players=players).start(5), Chance.seeded(5)
    yield state
    while not state.over:
        move, chance = chance.choice(state.moves())
        state = state.after(move)
        yield state


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_table_is_one_small_message(
    name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def weigh(content: Any, buffers: Any = None) -> None:
        sizes.append(sum(memoryview(buffer).nbytes for buffer in buffers))

    monkeypatch.setattr(_CANVAS_MANAGER, "send", weigh)
    game = tuple(states(name, players))
    board = Board(game[0].picture())
    board._canvas._handle_frontend_event(board._canvas, {"event": "client_ready"}, [])
    step = max(1, len(game) // LOOKED_AT)
    seen = [*islice(game, 1, len(game) - 1, step), game[-1]]
    for number, state in enumerate(seen, start=2):
        board.show(state.picture(), offered=() if state.over else state.point(()).offers)
        assert len(sizes) == number
    assert max(sizes) <= LARGEST.get(name, SMALL)
