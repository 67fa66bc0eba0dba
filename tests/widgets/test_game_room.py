"""The room: a game is chosen, played, kept in the tab, shared by a link and found again."""

import base64
import re

import pytest
from tables import buttons, click

import castlelab
from castlelab.record import Record
from castlelab.rules import CastlelabError
from castlelab.widgets.table.game_room import GameRoom
from castlelab.widgets.table.game_setup import _WHO
from castlelab.widgets.table.last_games import KEY, MOST, read_lasts
from castlelab.widgets.table.record_desk import RecordDesk
from castlelab.widgets.table.sitting import PERSON, Sitting, read_query, read_text


def arrive(room, kept="", query=""):
    """The page tells what it knows, as the front end does."""
    room.storage._hear(None, {"do": "ready", "kept": kept, "query": query, "trouble": ""}, None)
    return room


@pytest.fixture
def record():
    return Record.start(castlelab.load("castell"), 3).play("move Valls").play("end")


def test_a_room_opens_with_the_choices_and_starts_a_game():
    room = arrive(GameRoom())
    assert room.table is None
    room.setup.start()
    assert room.table is not None
    assert room._place.children[0] is room.table
    assert read_query(room.storage.kept).record == room.table.record


def test_each_move_is_kept_and_a_reload_goes_on():
    room = arrive(GameRoom())
    room.setup._game.value = "castell"
    room.setup.start()
    room.table.play("move Valls")
    again = arrive(GameRoom(), kept=room.storage.kept)
    assert again.table.record == room.table.record
    assert again.table.bots == {1: "greedy"}
    assert not again.table.seats.open_table
    assert "Going on with your game" in again.table.board.said


def test_a_bot_of_ones_own_can_be_chosen_and_comes_back_after_a_reload():
    class Hasty:
        def choose(self, view, chance):
            return view.moves()[0]

    room = arrive(GameRoom(bots=(Hasty,)))
    room.setup._game.value = "castell"
    room.setup._seats[1].value = "Hasty"
    room.setup.start()
    room.table.play("end")
    assert room.table.bot_names == {1: "Hasty"}
    again = arrive(GameRoom(bots=(Hasty,)), kept=room.storage.kept)
    assert again.table.record == room.table.record
    assert again.table.bots == {1: Hasty}
    room._again()
    assert room.table.bots == {1: Hasty}
    elsewhere = arrive(GameRoom(), kept=room.storage.kept)
    assert "there is no bot &#x27;Hasty&#x27;" in elsewhere._said.value


def test_new_game_forgets_the_old_one(record):
    room = arrive(GameRoom(), kept=Sitting(record).query)
    assert room.table is not None
    old = room.table
    room.leave()
    assert room.storage.kept == ""
    assert room._place.children[0] is room._hall
    assert "castlelab-setup" in room._place.children[0].children[0]._dom_classes
    old.play("move Valls")  # nobody listens any more
    assert room.storage.kept == ""


def test_a_link_opens_the_same_game_and_leaves_the_address(record):
    link = "?" + Sitting(record, {1: "random"}, True).query
    room = arrive(GameRoom(), kept="", query=link)
    assert room.table.bots == {1: "random"}
    assert room.table.seats.open_table
    assert room.table.record.moves[:2] == record.moves
    assert room.storage.query == ""


def test_a_link_goes_before_a_kept_game(record):
    other = Record.start(castlelab.load("castle_keep"), 1)
    room = arrive(GameRoom(), Sitting(other, {}, True).query, "?" + Sitting(record, {}, True).query)
    assert room.table.record == record


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("?record=%3Cscript%3E", "only letters, digits"),
        ("?record=abcd", "damaged"),
        ("?" + "&".join(f"a{n}=1" for n in range(50)), "too many parts"),
    ],
)
def test_a_wrong_link_is_told_and_the_choices_stay(query, says):
    room = arrive(GameRoom(), query=query)
    assert room.table is None
    assert says in room._said.value
    assert "<script>" not in room._said.value


def test_a_kept_text_that_is_no_game_is_told():
    room = arrive(GameRoom(), kept="record=nonsense")
    assert room.table is None
    assert "cannot be brought back" in room._said.value
    assert arrive(GameRoom(), kept="gibberish").table is None


def test_play_again_keeps_the_seats(record):
    room = arrive(GameRoom(), kept=Sitting(record, {0: "random", 1: "random"}).query)
    assert room.table.record.state.over
    room._again()
    assert room.table.record.seed == 4
    assert room.table.bots == {0: "random", 1: "random"}


def upload(loader, text):
    loader._file._hear(None, {"do": "file", "name": "x.json", "size": len(text), "text": text}, [])


def test_a_saved_game_is_opened_without_starting_another_one():
    room = arrive(GameRoom())
    room.setup._seats[0].value = "random"
    upload(room.loader, Record.start(castlelab.load("castle_keep"), 5).dumps())
    assert room.table.record.seed == 5
    assert room.table.bots == {0: "random", 1: "greedy"}
    assert "the game that was saved" in room.table.board.said


def test_a_file_seats_its_bots_again_whatever_is_chosen_here():
    """Or a bot would become a person, whose hand one then sees."""
    record = Record.start(castlelab.load("castle_keep"), 5)
    room = arrive(GameRoom())
    room.setup._seats[1].value = "person"
    for text in (Sitting(record, {1: "random"}).text, Sitting(record, {1: "random"}).code):
        upload(room.loader, text)
        assert room.table.bots == {1: "random"}
        assert not room.table.seats.covered
        assert room.table.seats.people == [0]
    query = Sitting(record, {0: "greedy"}).query
    room.loader.entry.submit(f"https://example.org/play.ipynb?{query}")
    assert room.table.bots == {0: "greedy"}


def test_new_game_asks_and_the_game_stays_among_the_last_ones(record):
    room = arrive(GameRoom(), Sitting(record, {1: "random"}).query)
    told(room.lasts.storage, "")
    played = room.table.record
    click(room, "New game")
    assert "Leave this game?" in room.table.board.said
    click(room, "Play on")
    assert room.table.record == played
    click(room, "New game")
    click(room, "Leave it")
    assert room.table is None
    assert room.setup._game.value == "castell"  # what was played, with the same seats
    assert room.setup.bots(2) == {1: "random"}
    (again,) = [words for words in buttons(room.lasts) if words.startswith("Castell, ")]
    assert "Orange (careless bot)" in again
    click(room.lasts, again)
    assert room.table.record == played
    assert room.table.bots == {1: "random"}


def told(storage, kept):
    """The page tells what the browser keeps."""
    storage._hear(None, {"do": "ready", "kept": kept, "query": "", "trouble": ""}, None)


def test_the_last_ten_games_are_kept_and_no_more():
    room = arrive(GameRoom())
    told(room.lasts.storage, "")
    assert room.lasts.storage.key == KEY
    for seed in range(MOST + 3):
        game = castlelab.load("castell", first="blue")
        room.lasts.note(Sitting(Record.start(game, seed).play("move Valls")))
    room.lasts.note(Sitting(Record.start(castlelab.load("castell", first="blue"), 12)))  # not begun
    lasts = read_lasts(room.lasts.storage.kept)
    assert len(lasts) == MOST
    assert read_query(lasts[0].query).record.seed == MOST + 2
    room.lasts.note(Sitting(read_query(lasts[4].query).record.play("end")))
    moved = read_lasts(room.lasts.storage.kept)
    assert moved[0].key == lasts[4].key
    assert len(moved) == MOST


@pytest.mark.parametrize("kept", ["", "7", "[7]", "[[1, 2, 3]]", "{", '[["a", "b"]]', "[" * 99_999])
def test_what_a_browser_has_kept_may_be_anything(kept):
    assert read_lasts(kept) == []


# -- addresses -----------------------------------------------------------------------------------


def test_seats_and_switch_travel_with_the_record(record):
    offered = [{1: name} for _, name in _WHO if name != PERSON]
    for bots in ({}, {0: "greedy"}, {0: "random", 1: "greedy"}, *offered):
        for is_open in (False, True):
            sitting = Sitting(record, bots, is_open)
            assert read_query(sitting.query) == sitting
            assert read_text(sitting.text) == read_text(sitting.code) == sitting
            assert Record.loads(sitting.text) == Record.from_share(sitting.code) == record
    assert read_query("") is None
    assert read_query("?other=1") is None


@pytest.mark.parametrize(
    "seats",
    [
        "genius",
        "os:system",
        "person,person,person",
        "person,<b>",
        "montecarlo:99999999",
        "montecarlo:",
    ],
)
def test_wrong_seats_are_refused(record, seats):
    with pytest.raises(
        CastlelabError, match=r"there is no bot|seats are named|for hours|a number of"
    ):
        read_query(f"record={record.share()}&seats={seats}")


# -- the desk ------------------------------------------------------------------------------------


@pytest.fixture
def loaded():
    return []


@pytest.fixture
def desk(record, loaded):
    desk = RecordDesk(loaded.append)
    desk.follow(Sitting(record, {1: "greedy"}))
    return desk


def test_the_file_to_save_is_the_record(desk, record):
    found = re.search(
        r'download="([^"]+)" href="data:application/json;base64,([^"]+)"',
        str(desk._file_link.value),
    )
    assert found[1] == "castell-2-moves.json"
    assert Record.loads(base64.b64decode(found[2]).decode()) == record


def test_the_link_to_share_is_the_game(desk, record):
    assert read_query(desk._link.query) == Sitting(record, {1: "greedy"})
    assert Record.from_share(desk._link.code) == record


def open_it(desk, text):
    desk.loader.entry._hear(None, {"do": "submit", "text": text}, [])


def test_files_codes_and_links_are_loaded(desk, record, loaded):
    upload(desk.loader, record.dumps())
    for text in (
        record.share(),
        f"https://x/play.ipynb?{Sitting(record, {1: 'greedy'}, True).query}",
        record.dumps(),
    ):
        open_it(desk, text)
    assert [each.record for each in loaded] == [record] * 4
    assert [each.has_seats for each in loaded] == [False, False, True, False]
    assert loaded[2] == Sitting(record, {1: "greedy"}, True)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("\ufffd\ufffd", "only letters, digits"),
        ("{}", "version None"),
        (" " * 1_000_001, "too large"),
    ],
)
def test_damaged_files_are_told(desk, loaded, content, says):
    upload(desk.loader, content)
    assert says in desk.loader._said.value
    assert loaded == []


def test_a_damaged_code_is_told_and_escaped(desk, loaded):
    for text in ("", "<b>bold</b>", "https://x/play.ipynb?record=", "{"):
        open_it(desk, text)
        assert "This cannot be loaded" in desk.loader._said.value
        assert "<b>bold" not in desk.loader._said.value
    assert loaded == []
