"""The boards of all five games tell the page what moves, in the message that they send anyway."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import castlelab
from castlelab.chance import Chance
from castlelab.draw.motion import motion
from castlelab.games.castle_keep.castle import Castle
from castlelab.widgets import PuzzleCard
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.castell.tower_editor import TowerEditor
from castlelab.widgets.castle_keep.castle_editor import CastleEditor
from castlelab.widgets.castle_rampage.attack_stage import AttackStage
from castlelab.widgets.castlescape.site_editor import SiteEditor
from castlelab.widgets.once_upon_a_castle.castle_sheet import RollAndDraw

SMALL = 6_000  # bytes


def opened(board: BoardWidget) -> BoardWidget:
    board._canvas._handle_frontend_event(board._canvas, {"event": "client_ready"}, [])
    return board


def ways(board: BoardWidget) -> Counter[str]:
    """How many things move in which way to the picture that is shown."""
    return Counter(move["way"] for move in board._companion.motion.get("moves", ()))


def test_castellers_fly_and_a_wrong_tower_wobbles_and_comes_down() -> None:
    card = PuzzleCard("castell/tallest-1-2")
    editor = card.editor
    assert isinstance(editor, TowerEditor)
    board = opened(editor.board)
    board.pick("size 10")
    assert not ways(board)
    board.pick("level 1")
    assert ways(board) == {"fly": 1}
    board.undo()
    assert ways(board) == {"home": 1}
    editor.build("10*2 9*2 5")
    assert ways(board) == {"fly": 5, "wobble": 3}
    for _ in range(2):  # as often as it is wrong
        before = board._companion.motion
        card.check()
        assert ways(board) == {"topple": 3}
        assert board._companion.motion != before
    board.pick("size 10")
    assert not ways(board)


def test_a_tile_flies_from_the_hand_to_its_spot() -> None:
    castle = Castle.parse("-- -- -- / -- KR -- / -- -- --")
    editor = CastleEditor(castle, "WRZ TRS WRC")
    board = opened(editor.board)
    board.write("WRZ n")
    assert ways(board) == {"fly": 3}  # the others close the gap


def test_a_broken_gate_falls_card_by_card() -> None:
    stage = AttackStage(12, [3, 2, 2], [4, 9])
    board = opened(stage.board)
    stage.next_step()
    assert ways(board) == {"fall": 1, "fly": 1}  # the attacker makes room for what is told
    stage.next_step()
    assert ways(board) == {"fall": 1}
    stage.start_again()
    stage.all_steps()
    moves = board._companion.motion["moves"]
    assert [move.get("at", 0) for move in moves if move["way"] == "fall"] == [0, 80, 160, 240]
    assert ways(board)["wobble"] == 1  # the card that holds


def test_a_castle_without_cards_comes_down() -> None:
    stage = AttackStage(12, [3], [4])
    board = opened(stage.board)
    stage.all_steps()
    assert ways(board)["topple"] == 2  # its walls and its flag


def test_a_bailey_paves_and_a_leak_is_walked() -> None:
    ring = "....... / .#####. / .#...#. / .#...#. / .###.#. / ....... / ......."
    editor = SiteEditor(ring)
    board = opened(editor.board)
    editor.show_leak("c3")
    assert ways(board)["walk"] == 1
    board.write("wall e5")
    assert ways(board)["pave"] == 6
    board.write("wall a1")
    assert ways(board) == {"come": 1}


def test_dice_tumble_once_for_each_roll() -> None:
    sheet = RollAndDraw()
    board = opened(sheet.board)
    sheet.roll()
    assert ways(board) == {"tumble": 2}
    sheet.play(str(sheet.state.moves()[0]))
    assert not ways(board)["tumble"]


def pictures(name: str, **options: Any) -> Iterator[Any]:
    """A random game as its first player sees it."""
    state, chance = castlelab.load(name, **options).start(4), Chance.seeded(4)
    for _ in range(150):
        yield state.view(0).picture()
        if state.over:
            return
        move, chance = chance.choice(state.moves())
        state = state.after(move)


@pytest.mark.parametrize("name", castlelab.GAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_a_game_tells_little_and_often(name: str, players: int) -> None:
    if players not in castlelab.game.game_class(name).seats_for():
        pytest.skip(f"{name} has no seats for {players}")
    game = tuple(pictures(name, players=players))
    found = [motion(*pair) for pair in itertools.pairwise(game)]
    assert sum(map(bool, found)) > len(found) / 4
    assert all(len(json.dumps(each.data())) < SMALL for each in found)


def test_one_message_tells_words_and_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    board = opened(SiteEditor().board)
    sent: list[set[str]] = []
    monkeypatch.setattr(
        board._companion, "send_state", lambda key=None: sent.append(set(key or ()))
    )
    board.write("wall a1")
    assert len(sent) == 1
    assert {"motion", "said"} <= sent[0]


def test_the_first_picture_of_a_page_stands_still() -> None:
    board = opened(SiteEditor().board)
    assert board._companion.motion == {}
