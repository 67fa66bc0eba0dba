"""Random play of Once Upon a Castle: what never changes, and that check and moves agree."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.bots import Greedy, Random, play_out
from castlelab.chance import Chance
from castlelab.games.once_upon_a_castle.moves import (
    CHOICES,
    END,
    EXTRAS,
    PASS,
    STOP,
    TAKEN,
    Choose,
    Clear,
    Invite,
    Lose,
    Place,
    Reactivate,
    Shift,
    Steal,
    Take,
    Use,
)

VERSIONS = ("apprentice", "architect")
versions = st.sampled_from(VERSIONS)


def states(version, players, seed, bot=None):
    game = castlelab.load("once_upon_a_castle", players, version=version)
    state, chance, bot = game.start(seed), Chance.seeded(seed), bot or Random()
    while not state.over:
        yield state
        move, chance = bot.choose(state, chance)
        state = state.play(move)
    yield state


def recount(castle, track_groups):
    """The points of a castle, counted in another way than the engine does."""
    points = sum(castle.towers) + sum(castle.flags)
    points += 4 * int(castle.sun) + 4 * int(castle.cloud) + 2 * castle.small_clouds
    standing = castle.residents
    value = 0
    for size, worth in track_groups:
        if standing > 0:
            value = worth
        standing -= size
    points += value
    names = Counter(guest.name for guest in castle.guests)
    crowns = sum(names[n] for n in ("courtesan", "jester", "prince", "princess", "queen", "king"))
    counted = {
        "courtesan": crowns,
        "jester": castle.floors,
        "prince": castle.walls,
        "princess": len(castle.towers),
        "queen": 3,
        "king": len(castle.flags),
    }
    for guest in castle.guests:
        points += guest.points if guest.name == "visitor" else counted.get(guest.name, 1)
    return points


@settings(max_examples=25)
@given(versions, st.integers(2, 4), st.integers(0, 10**6))
def test_limits_hold_and_scores_equal_a_recount(version, players, seed):
    table = castlelab.load("once_upon_a_castle").edition.tables["residents"]
    groups = list(zip(table["groups"], table["values"], strict=True))
    before = None
    for state in states(version, players, seed):
        for board, castle in zip(state.boards, state.castles, strict=True):
            assert len(board.tokens) + board.spare == 10
            assert board.spare >= 0
            assert castle.floors <= 4
            assert len(castle.towers) <= 4
            assert castle.walls <= 4
            assert len(castle.flags) <= (0, 2, 4, 5, 6)[castle.walls]
            assert castle.residents <= sum(size for size, _ in groups)
        assert sum(castle.sun for castle in state.castles) <= 1
        assert sum(castle.cloud for castle in state.castles) == (state.ender is not None)
        cards = [*state.pile, *state.shown, *(g for c in state.castles for g in c.guests)]
        assert Counter(cards) == Counter(state.game.box.guests)
        assert state.scores == tuple(recount(castle, groups) for castle in state.castles)
        assert len(state.shown) == (3 if version == "architect" else 0)
        if before is not None:  # castles only grow, guests apart
            for old, new in zip(before.castles, state.castles, strict=True):
                assert new.towers[: len(old.towers)] == old.towers
                assert new.flags[: len(old.flags)] == old.flags
                assert new.walls >= old.walls
                assert new.floors >= old.floors
                assert new.residents >= old.residents
                assert new.small_clouds >= old.small_clouds
        before = state
    assert state.ending in ("once_upon_a_castle/end", "once_upon_a_castle/long-reign")
    assert (state.ending == "once_upon_a_castle/end") == any(
        castle.complete and castle.cloud for castle in state.castles
    )


def every_move(state):
    """Every move that can be written for this game, sensible or not."""
    layout = state.boards[0].layout
    squares = [*layout.square_of, "h8"]
    guests = [*state.game.guest_named, "nobody"]
    yield from (Use(die, what) for die in (1, 2) for what in (*squares, *EXTRAS))
    yield from (Lose(die) for die in (1, 2))
    yield from (Clear(name) for name in (*layout.line_of, "row 8"))
    yield from (kind(name) for kind in (Invite, Steal, Reactivate) for name in guests)
    yield from (Place(name) for name in squares)
    yield from map(Take, TAKEN)
    yield from map(Choose, CHOICES)
    yield from (Shift(one, other) for one in squares for other in squares)
    yield from (PASS, STOP, END)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("players", [2, 3])
def test_check_accepts_exactly_what_is_listed(version, players):
    """Of all moves that can be written; two dice alike are as good as one of them."""
    moments = Counter()
    for seed in range(3):
        for number, state in enumerate(states(version, players, seed)):
            if number % 7 and moments[state.moment] > 4:
                continue
            moments[state.moment] += 1
            listed = set(state.moves())
            for move in every_move(state):
                twin = Use(3 - move.die, move.what) if isinstance(move, Use) else None
                twin = Lose(3 - move.die) if isinstance(move, Lose) else twin
                alike = state.dice[0] == state.dice[1] and twin in listed
                used = state.phase == "dice" and twin and move.die not in state.left
                expected = move in listed or (alike and not used)
                verdict = state.check(move)
                assert bool(verdict) == expected, f"{move}: {verdict}"
                if not verdict:
                    assert all(b.message.endswith(".") and b.rule.id for b in verdict.breaches)
                    for breach in verdict.breaches:
                        assert set(breach.mends) <= listed
                        assert all(str(mend) in breach.mend for mend in breach.mends[:4])
    assert {"dice", "follow", "build"} <= set(moments)


def test_every_moment_is_reached():
    found = set()
    for seed in range(12):
        found |= {state.moment for state in states("architect", 3, seed)}
    assert found >= {
        *("dice", "follow", "build", "guest", "steal", "reactivate", "token", "face"),
        *("choose", "move"),
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_every_game_ends_even_if_nobody_clears_anything(version):
    state = castlelab.load("once_upon_a_castle", version=version).start(1)
    count = 0
    while not state.over:
        moves = state.moves()
        state = state.after(END if END in moves else moves[-1])
        count += 1
    assert state.ending == "once_upon_a_castle/long-reign"
    assert count < 1000


@pytest.mark.parametrize("version", VERSIONS)
def test_greedy_beats_random(version):
    """In benchmarks it is nearly always; here a few games must do."""
    game = castlelab.load("once_upon_a_castle", version=version)
    won = 0.0
    for seed in range(12):
        seat = seed % 2
        bots = (Greedy(), Random()) if seat == 0 else (Random(), Greedy())
        end, _ = play_out(game.start(seed), bots, Chance.seeded(seed))
        won += (seat in end.winners) / len(end.winners)
    assert won >= 9


def test_an_estimate_likes_what_scores():
    from once_moments import building, played

    state = building(tokens=["d4 e4"])
    assert played(state, "clear row 4").estimate(0) > played(state, "end").estimate(0)
