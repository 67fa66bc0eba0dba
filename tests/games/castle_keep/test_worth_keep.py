"""How good a moment looks: what greedy players prefer, and how well they play."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.bots import Greedy, Random, play_out
from castlelab.chance import Chance
from castlelab.game import changed
from castlelab.games.castle_keep.castle import TILES, Castle, Tile
from castlelab.games.castle_keep.moves import Attack, Build, Exchange
from castlelab.games.castle_keep.worth import can_finish, estimate

PAIR = "TRC WRZ -- / -- -- -- / -- -- --"
WHOLE = "TRC WRC TRC / WRC KR WRC / TRC WRC TRC"
SIX = "TRC WRC TRC / -- -- WRC / -- WRC TRC"  # west, south-west and the keep are missing


@cache
def load(way="classic", players=None, **switches):
    return castlelab.load("castle_keep", players=players, way=way, **switches)


def tiles(text):
    return tuple(sorted(map(Tile, text.split()), key=TILES.index))


def table(*castles, hand="", way="classic", **changes):
    game = load(way)
    laid = [Castle.parse(text) for text in castles]
    return changed(
        game.start(7),
        **{
            "castles": (*laid, *[Castle()] * (len(game.sites) - len(laid))),
            "hands": (tiles(hand), *((),) * (game.players - 1)),
            "seat": 0,
            "phase": "act",
            "open": True,
            **changes,
        },
    )


def finishes(state):
    """Whether some way to build in this turn wins, by trying them all."""
    if state.over:
        return state.winners == (0,)
    return any(finishes(state.after(move)) for move in state.moves() if isinstance(move, Build))


def greedy_turn(state):
    """What a greedy player makes of a turn."""
    chance, turn = Chance.seeded(1), state.turn
    while not state.over and state.turn == turn:
        move, chance = Greedy().choose(state, chance)
        state = state.play(move)
    return state


# -- the end is worth most -----------------------------------------------------------------------


def test_a_victory_a_draw_and_a_defeat():
    state = table(PAIR, PAIR)
    won = changed(state, ending="castle_keep/win-build", victors=(0,), phase="over")
    drawn = changed(state, ending="castle_keep/long-siege", victors=(0, 1), phase="over")
    assert estimate(won, 0) > estimate(state, 0) > estimate(won, 1)
    assert estimate(drawn, 0) == estimate(drawn, 1) == 0
    assert estimate(won, 0) == -estimate(won, 1)
    lost = changed(table(PAIR, way="solitaire"), ending="castle_keep/solitaire", phase="over")
    assert estimate(lost, 0) < estimate(table(PAIR, way="solitaire"), 0)
    assert won.estimate(0) == estimate(won, 0)


@pytest.mark.parametrize("way", ["classic", "takeover", "king", "solitaire"])
def test_who_can_finish_in_this_turn_does(way):
    """castle_keep/win-build: three tiles are missing, and the hand holds them among others."""
    castles = (SIX, PAIR)[: len(load(way).sites)]
    state = table(*castles, hand="TRC WRC KR TBS WBS WYS", way=way)
    assert finishes(state)
    end = greedy_turn(state)
    assert (end.winners, end.ending) == ((0,), "castle_keep/win-build")


def test_who_can_finish_the_second_castle_does():
    """castle_keep/empire"""
    end = greedy_turn(table(WHOLE, SIX, PAIR, PAIR, hand="TRC WRC KR TBS", way="empire"))
    assert (end.winners, end.ending) == ((0,), "castle_keep/empire")


def test_won_tiles_help_to_finish():
    """castle_keep/takeover"""
    state = table(SIX, PAIR, hand="TRC", way="takeover", won=(tiles("WRC KR"), ()))
    assert greedy_turn(state).winners == (0,)
    # Three tiles that are only good are far from three that finish.
    others = changed(state, won=(tiles("WRC KY"), ()))
    assert estimate(state, 0) > estimate(others, 0) + 100


def test_finishing_one_castle_of_two_is_no_victory():
    """castle_keep/empire"""
    state = table(SIX, SIX, PAIR, PAIR, hand="TRC WRC KR", way="empire")
    last = table(WHOLE, SIX, PAIR, PAIR, hand="TRC WRC KR", way="empire")
    assert estimate(last, 0) > estimate(state, 0) + 100


def test_finishing_is_better_than_destroying_less():
    """An attack that does not win is no reason to leave a castle unfinished."""
    rich = "TRC WRC TRC / WBC KB WBC / TBC WBC TBC"
    state = table(SIX, rich, hand="TRC WRC KR WBC")
    assert greedy_turn(state).winners == (0,)


def test_a_castle_that_can_be_destroyed_is():
    """castle_keep/win-destroy"""
    state = table(PAIR, "TBC WBZ -- / -- -- -- / -- -- --", hand="WBZ TRS WRS")
    move, _ = Greedy().choose(state, Chance.seeded(1))
    assert str(move) == "attack WBZ 2.n"


def test_the_fewer_tiles_are_missing_the_better():
    state = table(SIX, PAIR, hand="TRC WRC KR")
    one = state.play(state.game.move("build WRC w"))
    two = one.play(state.game.move("build TRC sw"))
    assert estimate(state, 0) < estimate(one, 0) < estimate(two, 0)


def test_a_tile_that_gives_the_chance_away_is_worth_less():
    """Both walls fit in the west, but in the east only the blue one does."""
    state = table("TRC WRS TBS / -- KR -- / TYC WYS TBS", PAIR, hand="WYC WBC")
    right = state.play(state.game.move("build WYC w"))
    wrong = state.play(state.game.move("build WBC w"))
    assert finishes(right)
    assert not finishes(wrong)
    assert estimate(right, 0) > estimate(wrong, 0)
    assert greedy_turn(state).winners == (0,)


def test_a_shared_castle_is_not_left_one_tile_short():
    """castle_keep/king: whoever is next would take it."""
    six = "TRC WRC TRC / -- KR WRC / -- WRC TRC"
    state = table(six, hand="TRZ", way="king")
    assert "build TRZ sw" in map(str, state.moves())
    assert str(Greedy().choose(state, Chance.seeded(1))[0]) == "end"
    ready = table(six, hand="WRC TRC", way="king")
    assert greedy_turn(ready).winners == (0,)


ring = st.tuples(*(st.sampled_from(TILES[:9]), st.sampled_from(TILES[9:18])) * 4)


@settings(max_examples=150)
@given(
    ring,
    st.none() | st.sampled_from(TILES[18:]),
    st.sets(st.integers(0, 7), min_size=1, max_size=3),
    st.lists(st.sampled_from(TILES), min_size=1, max_size=5),
    st.booleans(),
)
def test_can_finish_is_what_trying_every_order_finds(around, keep, holes, hand, both):
    places = Castle((*around, keep)).without(holes).places
    held = tuple(sorted((*hand, *(around[hole] for hole in holes)), key=TILES.index))
    state = changed(
        table(PAIR, PAIR),
        game=load(last_matches_both=both),
        castles=(Castle(places), Castle()),
        hands=(held, ()),
    )
    assert can_finish(places, held, both) == finishes(state)


@settings(max_examples=40)
@given(st.sampled_from(("classic", "takeover", "empire", "king")), st.integers(0, 10**6), st.data())
def test_what_is_hidden_does_not_count(way, seed, data):
    """All worlds that look the same to a player are worth the same to him."""
    state, chance, states = load(way).start(seed), Chance.seeded(seed), []
    while not state.over:
        states.append(state)
        move, chance = chance.choice(state.moves())
        state = state.play(move)
    state = states[data.draw(st.integers(0, len(states) - 1))]
    for player in (0, 1):
        worlds = [state.guess(player, Chance.seeded(n)) for n in range(3)]
        assert {estimate(world, player) for world in worlds} == {estimate(state, player)}


def test_a_greedy_player_does_not_exchange_for_ever():
    """castle_keep/empire: a turn comes to its end, however the castles are judged."""
    state = table(PAIR, "TRS WRC -- / -- -- -- / -- -- --", PAIR, PAIR, way="empire")
    chance, kinds = Chance.seeded(1), []
    turn = state.turn
    while not state.over and state.turn == turn:
        move, chance = Greedy().choose(state, chance)
        kinds.append(type(move))
        state = state.play(move)
    assert kinds.count(Exchange) <= 9
    assert Attack not in kinds


# -- greedy against random -----------------------------------------------------------------------


def victories(way, games=40, **switches):
    """How often greedy beats random, the seats taken in turn."""
    won = 0
    for seed in range(games):
        seat = seed % 2
        bots = (Greedy(), Random()) if seat == 0 else (Random(), Greedy())
        end, _ = play_out(load(way, **switches).start(seed), bots, Chance.seeded(seed))
        won += end.winners == (seat,)
    return won


def test_greedy_beats_random_in_three_games_of_four():
    """In 40 classic games; it is more than that, and the same on every machine."""
    won = victories("classic")
    assert won >= 30
    assert victories("classic") == won


@pytest.mark.parametrize("way", ["takeover", "king", "empire"])
def test_greedy_beats_random_the_other_ways_too(way):
    assert victories(way, games=16) >= 12


@pytest.mark.parametrize("players", [2, 3, 4])
def test_empires_of_greedy_players_do_not_drift(players):
    """castle_keep/empire, castle_keep/long-siege: fallen castles are begun again, and somebody
    wins.
    """
    game = castlelab.load("castle_keep", players, way="empire")
    for seed in range(6):
        end, _ = play_out(game.start(seed), (Greedy(),) * players, Chance.seeded(seed))
        assert end.ending == "castle_keep/empire"
        assert end.turn < 200


def test_a_keep_that_no_centre_waits_for_is_not_hoarded():
    castle = Castle.parse("TRC WRZ -- / -- KR -- / -- -- --")
    game = castlelab.load("castle_keep")
    state = changed(game.start(1), castles=(castle, Castle()), seat=0, phase="discard")
    hands = tuple(map(Tile, ("WRC", "KB"))), ()
    other = tuple(map(Tile, ("WRC", "WBS"))), ()
    assert estimate(changed(state, hands=hands), 0) <= estimate(changed(state, hands=other), 0)
    bare = castle.without([8])
    wanted = changed(state, castles=(bare, Castle()))
    two = (Tile("KR"), Tile("KB")), ()
    one = (Tile("KR"),), ()
    assert estimate(changed(wanted, hands=two), 0) == estimate(changed(wanted, hands=one), 0)


def test_greedy_holds_out_longer_than_random_alone():
    """castle_keep/solitaire"""
    game = load("solitaire")
    won = {
        bot.name: sum(
            play_out(game.start(seed), (bot,), Chance.seeded(seed))[0].winners == (0,)
            for seed in range(40)
        )
        for bot in (Greedy(), Random())
    }
    assert won["greedy"] > won["random"]
