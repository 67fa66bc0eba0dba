"""A redraw is one small message, at every table and at every time of a game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from ipycanvas.canvas import _CANVAS_MANAGER

import castlelab
from castlelab.chance import Chance
from castlelab.draw.scene import NARROW
from castlelab.game import State, game_class
from castlelab.games.castlescape.guild import CUBES
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.castlescape.site_editor import SiteEditor
from castlelab.widgets.table.game_table import GameTable

SMALL = 20_000
SEEDS = (5, 6, 7)
LOOKED_AT = 12  # states of a game
SHORT = {"castlescape": 11, "once_upon_a_castle": 4}  # seeds whose random games end soon

TABLES: list[tuple[str, dict[str, Any]]] = [
    *(
        (name, {"players": players})
        for name in castlelab.GAMES
        for players in game_class(name).seats_for()
    ),
    # The fullest tables that there are: guests on cards, and the largest site.
    *(
        ("once_upon_a_castle", {"players": players, "version": "architect"})
        for players in (2, 3, 4)
    ),
    ("castlescape", {"players": 4, "side": 25}),
]


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How large each message was that left for a canvas."""
    sent: list[int] = []

    def weigh(content: Any, buffers: Any = None) -> None:
        sent.append(sum(memoryview(buffer).nbytes for buffer in buffers))

    monkeypatch.setattr(_CANVAS_MANAGER, "send", weigh)
    return sent


def weigh_words(board: BoardWidget, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How large each message is that leaves for what stands beside the canvas, from now on."""
    sent: list[int] = []
    companion = board._companion

    def weigh(key: Any = None) -> None:
        sent.append(len(json.dumps(companion.get_state(key), ensure_ascii=False).encode()))

    monkeypatch.setattr(companion, "send_state", weigh)
    return sent


def open_page(board: BoardWidget) -> None:
    board._canvas._handle_frontend_event(board._canvas, {"event": "client_ready"}, [])


def states(name: str, options: dict[str, Any], seed: int) -> Iterator[State]:
    """A random game from its start to its end."""
    state, chance = castlelab.load(name, **options).start(seed), Chance.seeded(seed)
    yield state
    while not state.over:
        move, chance = chance.choice(state.moves())
        state = state.after(move)
        yield state


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("name", "options"), TABLES, ids=["-".join([n, *map(str, o.values())]) for n, o in TABLES]
)
def test_a_table_is_one_small_message(
    name: str, options: dict[str, Any], seed: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tuple(states(name, options, seed))
    board = BoardWidget(game[0].picture())
    open_page(board)
    words = weigh_words(board, monkeypatch)
    step = max(1, len(game) // LOOKED_AT)
    # The later, the fuller: the last ones are looked at one by one.
    seen = [*islice(game, 1, len(game) - 4, step), *game[-4:]]
    for state in seen:
        sizes.clear()
        words.clear()
        board.show(state.picture(), offered=() if state.over else state.point(()).offers)
        assert len(sizes) <= 1  # of what has changed, if something has
        assert len(words) <= 1
        assert sum(words) <= SMALL
        open_page(board)  # a new page gets it all
        *changed, whole = sizes
        assert whole <= SMALL
        assert all(change <= SMALL for change in changed)


@pytest.mark.parametrize("name", castlelab.GAMES)
def test_every_move_on_a_narrow_page_is_one_small_message(name: str, sizes: list[int]) -> None:
    """As a table shows it: with what has changed, and with what may be picked next."""
    seed = SHORT.get(name, SEEDS[0])
    table, chance = GameTable(name, seed=seed), Chance.seeded(seed)
    table.board.fit(True)
    open_page(table.board)
    while not (state := table.record.state).over:
        move, chance = chance.choice(state.moves())
        sizes.clear()
        table.play(move)
        if len(table.record.moves) % 10 == 0:
            open_page(table.board)  # a new page gets it all
        assert all(size <= SMALL for size in sizes)
    assert table.board.scene.width <= NARROW


@pytest.mark.parametrize("walls", [0, 150, 400])
def test_the_largest_site_is_one_small_message(walls: int, sizes: list[int]) -> None:
    """All recruits of four players among so many walls, half of them on one."""
    side = 25
    squares, _ = Chance.seeded(walls).shuffle(range(side * side))
    letters = dict(zip(squares, "abcd" * CUBES + "#" * walls, strict=False))
    on_walls = squares[: 2 * CUBES] if walls else ()
    letters |= {square: letters[square].upper() for square in on_walls}
    text = [letters.get(square, ".") for square in range(side * side)]
    rows = ["".join(text[start : start + side]) for start in range(0, side * side, side)]
    editor = SiteEditor(" / ".join(rows), players=4)
    open_page(editor.board)
    assert len(sizes) == 1
    assert sizes[0] <= SMALL
