"""The last guard against the page, played through Python: picks, keys, words, undo, and its end."""

import pytest
from keys import walk

from castlelab.games.castle_keep.guards import GuardWall
from castlelab.widgets import LastGuard

WALLS = [(spots, closed) for spots in range(3, 14) for closed in (True, False)]


def press(game, name):
    _, tools = game.children
    next(each for each in tools.children if each.description == name).click()


def guards(game):
    return game.value.wall.guards


@pytest.fixture
def game():
    return LastGuard()


def test_the_page_answers_on_the_opposite_spot(game):
    assert game.board.said == "Your turn. 8 spots free: 1, 2, 3, 4, 5, 6, 7 and 8."
    game.board.pick("3")
    assert guards(game) == (3, 7)
    assert game.board.said == (
        "You post a guard on 3. Orange posts one on 7.\nYour turn. 2 spots free: 1 and 5."
    )
    assert game.board.offered == ("1", "5")
    game.board.pick("5")
    assert game.value.winner == 1
    assert game.board.said.endswith(
        "No spot is free for you: Orange wins. Take a guard back, or begin anew."
    )
    game.board.pick("2")
    assert "this game is over" in game.board.said


def test_where_no_guard_may_stand_is_told_and_nothing_changes(game):
    game.board.pick("3")
    game.board.pick("4")
    assert not game.board.ok
    assert game.board.said == "4 is shut: it lies beside the guard on 3"
    assert guards(game) == (3, 7)
    game.board.press("?")
    assert "free" in game.board.said


@pytest.mark.parametrize(("spots", "closed"), WALLS)
@pytest.mark.parametrize("page_begins", [False, True])
def test_following_the_hints_wins_wherever_it_can_be_won(spots, closed, page_begins):
    game = LastGuard(spots, closed=closed, page_begins=page_begins)
    can_win = bool(game.value.wall.value)
    assert can_win == (bool(GuardWall(spots, closed).value) != page_begins)
    while not game.value.over:
        press(game, "Hint")
        has_way = "You can win from here." in game.board.said
        assert has_way == can_win
        spot = game.board.said.rpartition("spot: ")[2].partition(".")[0] if has_way else None
        game.board.pick(spot or str(game.value.wall.free[0]))
    assert game.value.winner == int(not can_win)


def test_who_must_lose_says_so_kindly():
    game = LastGuard(7)
    game.board.pick("1")
    assert game.board.said.splitlines()[1] == "Well done: Orange can only hope that you slip now."
    game.board.pick("6")
    assert game.board.said.endswith("you have posted the last guard. You win!")


def test_undo_takes_back_the_answer_too_and_redo_brings_both(game):
    assert not game.board.can_undo
    game.board.pick("3")
    game.board.pick("1")
    game.board.undo()
    assert guards(game) == (3, 7)
    assert game.board.said.startswith("Taken back.")
    game.board.press("u")
    assert guards(game) == ()
    game.board.redo()
    assert guards(game) == (3, 7)


def test_another_wall_or_another_first_guard_begins_anew(game):
    game.board.pick("3")
    game._wall.value = (5, False)
    assert (game.value.wall, game.board.can_undo) == (GuardWall(5, closed=False), False)
    game._first.value = 1
    assert game.value.begins == 1
    assert len(guards(game)) == 1
    assert game.board.said.startswith(f"Orange posts the first guard, on {guards(game)[0]}.")
    game.board.pick(str(game.value.wall.free[0]))
    press(game, "New game")
    assert len(guards(game)) == 1


def test_it_is_played_by_keys_and_by_words(game):
    walk(game.board, "6")
    game.board.press("Enter")
    assert guards(game) == (6, 2)
    game.board.write("4")
    assert game.value.over
    game.board.write("hint")
    assert game.board.said.startswith("This game is over. Begin a new one.")
    game.board.write("NEW")
    assert guards(game) == ()
    game.board.write("wall")
    assert game.board.said == (
        "A ring of 8 spots round the keep, no guard yet. 8 spots free: 1, 2, 3, 4, 5, 6, 7 and 8."
    )
    game.board.write("keep")
    assert not game.board.ok
    assert "'keep' is no spot" in game.board.said
    game.board.write("99")
    assert "spots go from 1 to 8, not 99" in game.board.said
    assert guards(game) == ()
