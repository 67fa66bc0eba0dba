"""A game without pointing, prospects, puzzles, lessons and a notebook works everywhere."""

import ipywidgets
import pytest

from castlelab.edition import Edition
from castlelab.progress import Progress
from castlelab.record import Record
from castlelab.widgets.card.progress_book import ladder_html
from castlelab.widgets.card.progress_panel import ProgressPanel, summary_html
from castlelab.widgets.card.puzzle_page import PuzzlePage
from castlelab.widgets.card.rule_card import show_games
from castlelab.widgets.classroom.class_view import ClassView
from castlelab.widgets.classroom.worksheet_maker import WorksheetMaker
from castlelab.widgets.table.game_room import GameRoom
from castlelab.widgets.table.game_table import GameTable


@pytest.fixture(autouse=True)
def cairn(monkeypatch, add_game):
    add_game("cairn", "cairn.play:Cairn")
    house = Edition.load
    monkeypatch.setattr(
        Edition, "load", lambda game, path=None: None if game == "cairn" else house(game, path)
    )


def parts(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def click(widget, words):
    (found,) = [
        each
        for each in parts(widget)
        if isinstance(each, ipywidgets.Button) and each.description == words
    ]
    found.click()


@pytest.fixture
def table():
    return GameTable("cairn")


def test_it_is_played_from_the_list_and_by_notation(table):
    assert isinstance(table.moves.choice, ipywidgets.Select)
    assert table.moves.listed == ("lay 1", "lay 2")
    table.board.press("b")
    assert table.board.said.splitlines()[0] == "0 stones lie there."
    click(table, "Play this move")
    table.board.write("lay 2")
    assert table.record.moves == ("lay 1", "lay 2")
    table.board.undo()
    assert table.record.moves == ("lay 1",)


def test_a_pick_says_what_is_there(table):
    table.board.pick("heap")
    assert table.board.said == "The heap"
    assert table.moves.listed == ("lay 1", "lay 2")


def test_a_refusal_names_the_rule_and_lights_the_place(table):
    table.board.write("lay 3")
    assert "Too many. [cairn/few]" in table.board.said
    assert table.board.lit == ("heap",)
    assert "Lay one stone or two." in table.reasons.rules.value


def test_why_and_a_hint_have_an_answer(table):
    table.reasons.toggle.value = True
    table.board.pick("heap")
    assert "No move begins or ends here now." in table.board.said
    table.reasons.toggle.value = False
    click(table, "Hint")
    assert table.board.said.startswith("A bot would play: lay ")
    assert table.board.ok


@pytest.mark.parametrize("bots", [{1: "greedy"}, {0: "montecarlo"}, {0: "random", 1: "random"}])
def test_bots_play_it_to_the_end(bots):
    table = GameTable("cairn", bots=bots, open_table=False)
    while not table.record.state.over:
        table.play(table.moves.listed[-1])
    assert "won" in table.headline or "lost" in table.headline
    click(table, "Look back")
    table.look(1)
    assert table.headline.startswith("Looking back: after move 1 of")


def arrive(room, query="", kept=""):
    room.storage._hear(None, {"do": "ready", "kept": kept, "query": query, "trouble": ""}, None)
    return room


def test_a_link_chooses_it_in_the_game_room_and_it_starts_there():
    room = arrive(GameRoom(), "?game=cairn")
    assert room.setup.setting().game.name == "cairn"
    assert room.storage.query == ""
    assert room.table is None
    room.setup.start()
    assert room.table.record.game.name == "cairn"
    later = arrive(GameRoom(), kept=room.storage.kept)
    assert later.table.record == room.table.record


def test_a_link_to_no_game_is_told():
    room = arrive(GameRoom(), "?game=<b>chess</b>")
    assert "The link cannot be opened: there is no game" in room._said.value
    assert "<b>" not in room._said.value


def test_a_shared_record_is_opened(table):
    table.play("lay 2")
    code = table.record.share()
    assert Record.from_share(code) == table.record
    assert arrive(GameRoom(), f"?record={code}").table.record == table.record


def test_the_welcome_page_leads_to_the_table_and_tells_of_no_puzzles():
    html = show_games().html
    assert 'href="play.ipynb?game=cairn"' in html
    assert 'href="castell.ipynb"' in html
    assert "Stone upon stone." in html
    assert "Cairn" not in summary_html(Progress())
    assert "No puzzle of Cairn solved yet." in ladder_html(Progress(), "cairn")
    ProgressPanel()


def test_pages_of_puzzles_do_without_it():
    PuzzlePage()
    ClassView()
    words = [each.description for each in parts(WorksheetMaker()) if hasattr(each, "description")]
    assert any(each.startswith("Castell: ") for each in words)
    assert not any("Cairn" in each for each in words)
