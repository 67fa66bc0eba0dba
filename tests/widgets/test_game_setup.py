"""The choices before a game: every game and option can be chosen, nonsense is told."""

import pytest

from castlelab.game import GAMES, game_class
from castlelab.rules import CastlelabError
from castlelab.widgets.table.game_setup import GameSetup, read_seed


@pytest.fixture
def started():
    return []


@pytest.fixture
def setup(started):
    return GameSetup(started.append)


def test_one_press_starts_a_game_against_a_bot(setup, started):
    setup.start()
    (setting,) = started
    assert setting.game.name == "castle_keep"
    assert setting.game.players == 2
    assert setting.bots == {1: "greedy"}
    assert not setting.open_table


def test_every_option_of_every_game_can_be_chosen(setup):
    for name in GAMES:
        setup._game.value = name
        for option in game_class(name).option_list:
            for value in option.allowed:
                setup._options[option.name].value = value
                assert setup.setting().game.options[option.name] == value
            setup._options[option.name].value = option.usual


@pytest.mark.parametrize("name", GAMES)
def test_every_number_of_players_has_its_seats(setup, name):
    setup._game.value = name
    for players in game_class(name).seats_for():
        setup._players.value = players
        assert setup.setting().game.players == players
        assert [seat.description for seat in setup._sitting.children] == [
            "Blue",
            "Orange",
            "Green",
            "Gold",
        ][:players]


def test_options_decide_how_many_may_play(setup):
    setup._options["way"].value = "solitaire"
    assert setup._players.options == (1,)
    assert setup.setting().game.players == 1
    assert setup.setting().bots == {}
    setup._options["way"].value = "classic"
    setup._players.value = 4
    assert setup.setting().game.players == 4


def test_a_seat_is_for_a_person_or_any_bot(setup):
    setup._players.value = 3
    for seat, who in zip(setup._seats, ("random", "person", "greedy"), strict=False):
        seat.value = who
    assert setup.setting().bots == {0: "random", 2: "greedy"}
    assert all("bot" in words for words, who in setup._seats[0].options if who != "person")


def test_bots_of_ones_own_can_be_chosen(started):
    def hasty(view, chance):
        return view.moves()[0]

    setup = GameSetup(started.append, bots=(hasty, "montecarlo:9"))
    assert [name for _, name in setup._seats[0].options][-2:] == ["hasty", "montecarlo:9"]
    setup._seats[1].value = "hasty"
    setup.start()
    assert started[0].bots == {1: hasty}


def test_what_cannot_be_played_is_told_and_nothing_starts(setup, started):
    setup._seed.submit("x" * 61)
    assert "at most 60 characters" in setup._said.value
    setup._players.options = [7]  # as no page would offer it
    setup._players.value = 7
    setup.start()
    assert "not 7" in setup._said.value
    assert started == []


def test_enter_in_the_number_starts_that_game(setup, started):
    setup._seed._hear(None, {"do": "submit", "text": " 11 "}, [])
    assert started[0].seed == 11


def test_a_game_is_chosen_by_its_card_and_nothing_else_is(setup):
    for game in ("castell", "chess", 7):
        setup._game._hear(None, {"do": "choose", "game": game}, [])
        assert setup.setting().game.name == "castell"


def test_a_seed_is_a_number_words_or_a_surprise(setup):
    assert read_seed("12") == 12
    assert read_seed(" Sant Joan ") == "Sant Joan"
    assert read_seed("³") == "³"
    assert isinstance(read_seed(""), int)
    assert len({read_seed("") for _ in range(20)}) > 1
    with pytest.raises(CastlelabError):
        read_seed("9" * 5000)
