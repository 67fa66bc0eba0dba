"""The gallery of guests: each is shown, its rule is read, its power is tried."""

import pytest
from keys import walk

from castlelab.games.once_upon_a_castle.guests import POWERS, SYMBOLS
from castlelab.rules import CastlelabError
from castlelab.widgets import GuestGallery
from castlelab.widgets.once_upon_a_castle.guest_gallery import gallery, trial_of

GUESTS = {guest.name: guest for guest in gallery()}


@pytest.fixture
def shown():
    return GuestGallery()


def pick(shown, *targets):
    for target in targets:
        shown.board.pick(target)
        assert shown.board.ok, shown.board.said
    return shown.state


def test_twenty_guests_symbol_by_symbol():
    assert len(gallery()) == 20
    assert [SYMBOLS.index(guest.symbol) for guest in gallery()] == [0] * 8 + [1] * 6 + [2] * 6


@pytest.mark.parametrize("name", GUESTS)
def test_every_guest_has_its_rule_and_something_to_try(shown, name):
    shown.choose(name)
    rule = POWERS[GUESTS[name].power].rule
    assert rule in shown._rule.value
    assert shown.guest == GUESTS[name]
    assert shown.board.said.startswith(name.capitalize())
    offered = shown.board.offered
    assert offered
    ids = [target.id for target in shown.board.scene.targets]
    assert set(offered) <= set(ids)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", GUESTS)
def test_every_trial_can_be_played_to_its_end_by_pointing(shown, name):
    shown.choose(name)
    for _ in range(12):
        if not shown.board.offered:
            break
        pick(shown, shown.board.offered[0])
    assert "The power is shown." in shown.board.said
    shown.board.pick("a1")
    assert "The power is shown." in shown.board.said
    shown.try_again()
    assert shown.state == trial_of(GUESTS[name]).state
    assert not shown.board.can_undo


@pytest.mark.parametrize(
    ("name", "squares"),
    [
        ("logger", ("a3", "c5")),
        ("peasant", ("a1", "c4")),
        ("merchant", ("b1", "c3")),
        ("miner", ("b4", "d5")),
    ],
)
def test_two_tokens_of_a_kind(shown, name, squares):
    shown.choose(name)
    pick(shown, f"guest {name}")
    assert set(squares) <= set(shown.board.offered)
    state = pick(shown, *squares)
    assert set(squares) <= set(state.boards[0].tokens)


def test_the_logger_takes_wood_only(shown):
    pick(shown, "guest logger")
    shown.board.pick("b1")
    assert "[once_upon_a_castle/guest-logger]" in shown.board.said
    assert shown.board.lit == ("b1",)
    assert shown.board.offered == ("a3", "c5", "stop")


def test_the_architect_and_the_bohemian_bring_residents(shown):
    for name, number in (("architect", 1), ("bohemian", 4)):
        shown.choose(name)
        before = shown.state.castles[0].residents
        assert pick(shown, f"guest {name}").castles[0].residents == before + number


def test_the_magician_moves_two_tokens(shown):
    shown.choose("magician")
    state = pick(shown, "guest magician", "b3", "c4", "d4", "b4")
    assert {"c4", "b4"} <= set(state.boards[0].tokens)
    assert not {"b3", "d4"} & set(state.boards[0].tokens)


def test_dagobert_gives_a_face_twice(shown):
    shown.choose("dagobert")
    state = pick(shown, "guest dagobert")
    assert state.moment in ("face", "choose")


def test_hourglass_guests_change_what_dice_can_do(shown):
    shown.choose("shepherdess")
    assert pick(shown, "die 1", "cloud").castles[0].small_clouds == 1
    shown.choose("knight")
    assert "a1" in pick(shown, "die 1", "a1").boards[0].tokens
    shown.choose("cook")
    assert pick(shown, "die 1", "c4").castles[0].residents == 8
    shown.choose("monk")
    assert pick(shown, "die 1", "flag").castles[0].flags[-1] == 2
    shown.choose("troll")
    assert "a2" in pick(shown, "die 1", "a2").boards[0].tokens  # Stone, by Wood


def test_the_guard_keeps_the_king(shown):
    shown.choose("guard")
    shown.board.pick("guest king")
    assert "[once_upon_a_castle/guest-guard]" in shown.board.said
    assert shown.board.lit == ("guest king",)
    assert not shown.board.ok
    assert GUESTS["king"] in shown.state.castles[1].guests
    state = pick(shown, "guest guard")  # who does not guard himself
    assert GUESTS["guard"] in state.castles[0].guests


@pytest.mark.parametrize(
    ("name", "worth"),
    [("courtesan", 2), ("jester", 2), ("prince", 2), ("princess", 2), ("queen", 3), ("king", 3)],
)
def test_crown_guests_show_the_points_before_and_after(shown, name, worth):
    shown.choose(name)
    before = shown.state.scores[0]
    assert shown.points == f"Points before: {before}. Points now: {before}."
    pick(shown, f"guest {name}")
    assert f"Points now: {before + worth}." in shown.points
    assert shown.points.endswith(f"The {name} is worth {worth} here.")
    assert shown.points in shown._points.value


def test_other_guests_show_no_points(shown):
    shown.choose("king")
    shown.choose("logger")
    assert shown._points.value == ""


def test_the_end_of_the_turn_is_not_played_but_told(shown):
    shown.choose("king")
    pick(shown, "guest king")
    before = shown.state
    pick(shown, "end")
    assert "The power is shown." in shown.board.said
    assert shown.state == before


def test_undo_and_redo(shown):
    first = shown.state
    pick(shown, "guest logger", "a3")
    shown.board.undo()
    assert "a3" not in shown.state.boards[0].tokens
    shown.board.undo()
    assert shown.state == first
    shown.board.undo()
    assert "nothing to undo" in shown.board.said
    shown.board.redo()
    shown.board.redo()
    assert "a3" in shown.state.boards[0].tokens


@pytest.mark.parametrize("text", ["", "nonsense", "place z9", "guest <b>", "guest king " * 99])
def test_hostile_text_is_explained_and_changes_nothing(shown, text):
    before = shown.state
    shown.board.write(text)
    assert shown.board.said
    assert not shown.board.ok
    assert shown.state == before


def test_moves_may_be_typed(shown):
    for text in ("guest logger", "place a3", "stop"):
        shown.board.write(text)
        assert shown.board.ok, shown.board.said
    assert "a3" in shown.state.boards[0].tokens


def test_keys_alone_try_a_guest(shown):
    for wanted in ("guest logger", "a3", "c5"):
        walk(shown.board, wanted)
        shown.board.press("Enter")
        assert shown.board.ok, shown.board.said
    assert {"a3", "c5"} <= set(shown.state.boards[0].tokens)


def test_the_symbol_changes_the_list(shown):
    shown._kind.value = "crown"
    assert shown.guest.symbol == "crown"
    assert len(shown._name.options) == 6
    shown.choose("monk")
    assert shown._kind.value == "hourglass"


def test_an_unknown_guest_is_an_error(shown):
    with pytest.raises(CastlelabError, match="no guest 'dragon'"):
        shown.choose("dragon")
    with pytest.raises(CastlelabError):
        GuestGallery("dragon")
