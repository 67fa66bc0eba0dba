"""Castle Keep by pointing: what is offered, taken up, put back, laid, asked and refused."""

from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictured import pointed

import castlelab
from castlelab.chance import Chance
from castlelab.game import Pointing, changed
from castlelab.games.castle_keep.castle import TILES, Castle, Tile
from castlelab.games.castle_keep.moves import Attack

EMPTY = "-- -- -- / -- -- -- / -- -- --"
PAIR = "TRC WRZ -- / -- -- -- / -- -- --"
MIXED = "TRC WBC -- / -- -- -- / -- -- --"
ZIGZAG = "TRZ WBZ -- / -- -- -- / -- -- --"
RUN = "TRC WRZ TRS / WYC KR WRS / TYC WRZ TYZ"
SWITCHES = ("attack_towers", "draw_discard", "last_matches_both", "many_attacks")
WAYS = ("classic", "takeover", "empire", "king", "solitaire")
PROMPT = "Pick a tile of your hand, then a spot. Or end your turn."


@cache
def load(players=None, way="classic", **switches):
    return castlelab.load("castle_keep", players=players, way=way, **switches)


def tiles(text):
    return tuple(sorted(map(Tile, text.split()), key=TILES.index))


def table(*castles, hand="", way="classic", won="", **changes):
    """Seat 0 is to act and attacks are open."""
    game = load(way=way)
    laid = [Castle.parse(text) for text in castles]
    empty = ((),) * (game.players - 1)
    return changed(
        game.start(7),
        **{
            "castles": (*laid, *[Castle()] * (len(game.sites) - len(laid))),
            "hands": (tiles(hand), *empty),
            "won": (tiles(won), *empty),
            "seat": 0,
            "phase": "act",
            "open": True,
            **changes,
        },
    )


def move(state, *picks):
    return str(pointed(state, *picks).move)


# -- the first offers, way by way --------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "offers"),
    [
        # The blue wall fits nowhere and hits nothing; both red walls fit.
        (table(PAIR, MIXED, hand="WRC WRC WBS"), ("hand 1", "hand 2", "end")),
        # It does nothing at home, but it attacks.
        (table(PAIR, ZIGZAG, hand="WBZ WBS"), ("hand 1", "end")),
        (table(PAIR, ZIGZAG, hand="WBZ WBS", open=False), ("end",)),
        (table(PAIR, MIXED), ("end",)),
        (table(PAIR, hand="TBS WRC WRZ", way="king"), ("hand 2", "hand 3", "end")),
        (table(PAIR, hand="TBS WRC WRZ", way="solitaire"), ("hand 2", "hand 3", "end")),
        (
            table(PAIR, MIXED, hand="TBS", won="WRC WBS WRC", way="takeover"),
            ("won 1", "won 2", "end"),
        ),
        (
            table("TRC -- -- / -- -- -- / -- -- --", EMPTY, PAIR, PAIR, hand="WRC", way="empire"),
            ("hand 1", "1a.nw", "1b.nw", "1b.ne", "1b.se", "1b.sw", "end"),
        ),
    ],
)
def test_first_every_tile_that_can_do_something_is_offered(state, offers):
    found = state.point(())
    assert set(found.offers) == set(offers)
    assert len(found.offers) == len(offers)
    assert (found.move, found.asks, found.picks, found.words) == (None, False, (), PROMPT)


def test_end_is_one_pick_whatever_is_taken_up():
    state = table(PAIR, MIXED, hand="WRC")
    assert move(state, "end") == move(state, "hand 1", "end") == "end"


def test_nothing_to_point_at_when_it_is_over():
    over = changed(table(PAIR), ending="castle_keep/long-siege", phase="over")
    assert over.point(()) == over.point(("end",)) == Pointing()


# -- taking up, putting back, laying -------------------------------------------------------------


def test_a_tile_that_is_taken_up_has_its_spots_offered():
    state = table(PAIR, MIXED, hand="TRS WRC WBC")
    found = pointed(state, "hand 1")
    assert found.offers == ("1.ne",)
    assert found.picks == ("hand 1",)
    assert found.words == "The red straight tower has 1 spot to go to."
    assert pointed(state, "hand 2").offers == ("1.w",)
    # At home on one spot, against the opponent on another.
    both = table("TBC WBZ -- / -- -- -- / -- -- --", MIXED, hand="WBC")
    found = pointed(both, "hand 1")
    assert found.offers == ("1.w", "2.n")
    assert found.words == "The blue curvy wall has 2 spots to go to."


def test_a_tile_that_goes_nowhere_says_so():
    found = pointed(table(PAIR, MIXED, hand="WYS"), "hand 1")
    assert (found.offers, found.words) == ((), "No spot takes the yellow straight wall.")
    assert found.picks == ("hand 1",)  # it may be laid all the same, to hear why not


def test_the_same_tile_again_puts_it_back():
    state = table(PAIR, MIXED, hand="TRS WRC")
    found = pointed(state, "hand 1", "hand 1")
    assert found.picks == ()
    assert found.offers == state.point(()).offers
    assert found.words == f"Put back. {PROMPT}"
    assert move(state, "hand 1", "hand 1", "hand 1", "1.ne") == "build TRS ne"


def test_another_tile_is_taken_up_in_its_stead():
    state = table(PAIR, MIXED, hand="TRS WRC")
    found = pointed(state, "hand 1", "hand 2")
    assert (found.picks, found.offers) == (("hand 2",), ("1.w",))
    assert move(state, "hand 1", "hand 2", "1.w") == "build WRC w"


def test_a_tile_and_an_offered_spot_build():
    state = table(PAIR, MIXED, hand="TRS WRC")
    found = pointed(state, "hand 1", "1.ne")
    assert str(found.move) == "build TRS ne"
    assert not found.asks
    assert state.check(found.move)


def test_a_spot_without_a_tile_is_no_move():
    found = pointed(table(PAIR, MIXED, hand="WRC"), "1.w")
    assert found.move is None
    assert found.words == f"Pick a tile of your hand first. {PROMPT}"


@pytest.mark.parametrize(
    ("picks", "says", "rules"),
    [
        (("hand 1", "1.s"), "build WRC s", ("castle_keep/adjacent",)),
        (("hand 1", "1.n"), "build WRC n", ("castle_keep/spots",)),
        (("hand 1", "1.ne"), "build WRC ne", ("castle_keep/spots",)),
        (("hand 2", "1.w"), "build WYS w", ("castle_keep/match",)),
        (("hand 1", "2.n"), "attack WRC 2.n", ("castle_keep/attack-wall",)),
        (("hand 1", "2.nw"), "attack WRC 2.nw", ("castle_keep/adv-towers",)),
        (("hand 1", "2.s"), "attack WRC 2.s", ("castle_keep/attack-wall",)),
    ],
)
def test_a_refused_spot_is_a_move_whose_check_explains(picks, says, rules):
    state = table(PAIR, MIXED, hand="WRC WYS")
    found = pointed(state, *picks)
    assert str(found.move) == says
    assert not found.asks
    verdict = state.check(found.move)
    assert verdict.rules == rules
    assert picks[1] in verdict.where


def test_the_second_player_points_at_the_second_castle():
    state = table(ZIGZAG, PAIR, seat=1)
    state = changed(state, hands=((), tiles("WRC WBZ")))
    assert pointed(state, "hand 1").offers == ("2.w",)
    assert move(state, "hand 1", "2.w") == "build WRC w"
    assert pointed(state, "hand 2").offers == ("1.n",)
    assert move(state, "hand 2", "1.n") == "attack WBZ 1.n"


# -- attacks ask -------------------------------------------------------------------------------


def test_an_attack_asks_and_names_the_falling_run():
    """castle_keep/attack-wall"""
    found = pointed(table(PAIR, RUN, hand="WRS"), "hand 1", "2.e")
    assert str(found.move) == "attack WRS 2.e"
    assert found.asks
    assert found.falling == ("2.nw", "2.n", "2.ne", "2.e")
    assert found.words == (
        "This attack brings down 4 tiles: north-west corner, north side, north-east corner, "
        "east side. Pick the spot again to do it."
    )


def test_an_attack_on_a_keep_asks_too():
    """castle_keep/attack-keep"""
    found = pointed(table(PAIR, RUN, hand="KR KR"), "hand 1", "2.c")
    assert (found.asks, found.falling) == (True, ("2.c",))
    assert found.words.startswith("This attack brings down 1 tile: centre.")
    alone = pointed(table(PAIR, RUN, hand="KR"), "hand 1", "2.c")
    assert (alone.asks, str(alone.move)) == (False, "attack KR 2.c")


def test_an_attack_in_an_empire_names_the_wing():
    """castle_keep/empire"""
    state = table(PAIR, PAIR, MIXED, RUN, hand="WRZ", way="empire")
    found = pointed(state, "hand 1", "2b.s")
    assert str(found.move) == "attack WRZ 2b.s"
    assert found.falling == ("2b.s",)
    assert found.asks


# -- the other ways ------------------------------------------------------------------------------


def test_king_an_empty_spot_builds_and_a_taken_one_is_attacked():
    """castle_keep/king"""
    state = table(PAIR, hand="WRZ WRC", way="king")
    assert set(pointed(state, "hand 2").offers) == {"n", "w"}
    built = pointed(state, "hand 2", "w")
    assert (str(built.move), built.asks) == ("build WRZ w", False)
    hit = pointed(state, "hand 2", "n")
    assert (str(hit.move), hit.asks) == ("attack WRZ n", True)
    assert hit.falling == ("nw", "n")
    miss = pointed(state, "hand 1", "n")
    assert str(miss.move) == "attack WRC n"
    assert state.check(miss.move).rules == ("castle_keep/attack-wall",)
    far = pointed(state, "hand 1", "s")
    assert state.check(far.move).rules == ("castle_keep/adjacent",)


def test_solitaire_a_taken_spot_is_no_attack():
    """castle_keep/solitaire"""
    state = table(PAIR, hand="WRZ", way="solitaire")
    found = pointed(state, "hand 1", "n")
    assert str(found.move) == "build WRZ n"
    assert state.check(found.move).rules == ("castle_keep/spots",)
    assert move(state, "hand 1", "w") == "build WRZ w"


def test_empire_a_spot_of_one_castle_then_one_of_the_other_is_an_exchange():
    """castle_keep/empire"""
    state = table(PAIR, EMPTY, PAIR, PAIR, way="empire")
    found = pointed(state, "1a.n")
    assert found.picks == ("1a.n",)
    assert set(found.offers) == {"1b.n", "1b.e", "1b.s", "1b.w"}
    assert found.words == "Pick where it goes in your other castle."
    assert move(state, "1a.n", "1b.s") == "exchange a.n b.s"
    assert move(state, "1b.s", "1a.n") == "exchange a.n b.s"  # first the place, then the tile
    back = pointed(state, "1a.n", "1a.n")
    assert (back.move, back.picks) == (None, ())


def test_empire_refused_exchanges_are_explained():
    """castle_keep/empire"""
    state = table(PAIR, "-- WRC -- / -- -- -- / -- -- --", PAIR, PAIR, way="empire")
    within = pointed(state, "1a.nw", "1a.s").move
    assert "not within one" in str(state.check(within))
    foreign = pointed(state, "1a.nw", "2a.se").move
    assert state.check(foreign).rules == ("castle_keep/one-of-three",)
    far = pointed(state, "1a.nw", "1b.se").move
    assert state.check(far).rules == ("castle_keep/adjacent",)
    nothing = pointed(state, "2a.n")
    assert (nothing.move, nothing.picks) == (None, ())


def test_empire_a_tile_of_the_hand_goes_to_either_castle():
    """castle_keep/empire"""
    state = table(PAIR, MIXED, PAIR, PAIR, hand="TRS WRC", way="empire")
    assert set(pointed(state, "hand 2").offers) == {"1a.w", "1b.w"}
    assert move(state, "hand 2", "1b.w") == "build WRC b.w"


def test_takeover_won_tiles_are_taken_up_like_those_of_the_hand():
    """castle_keep/takeover"""
    state = table(PAIR, MIXED, hand="TBS", won="WRC WBC", way="takeover")
    found = pointed(state, "won 1")
    assert (found.offers, found.picks) == (("1.w",), ("won 1",))
    assert move(state, "won 1", "1.w") == "rebuild WRC w"
    assert pointed(state, "won 1", "won 2").picks == ("won 2",)
    assert pointed(state, "hand 1", "won 1").picks == ("won 1",)


def test_takeover_the_same_tile_in_hand_and_won_are_two():
    """castle_keep/takeover"""
    state = table(PAIR, MIXED, hand="WBC", won="WBC", way="takeover")
    assert pointed(state, "hand 1").offers == ("1.w", "2.n")
    assert pointed(state, "won 1").offers == ("1.w",)
    assert move(state, "hand 1", "1.w") == "build WBC w"
    assert move(state, "won 1", "1.w") == "rebuild WBC w"


@pytest.mark.parametrize("hand", ["", "WBC"])
def test_takeover_won_tiles_do_not_attack(hand):
    """castle_keep/takeover, castle_keep/from-hand: not even where the hand holds the same tile."""
    state = table(PAIR, MIXED, hand=hand, won="WBC", way="takeover")
    found = pointed(state, "won 1", "2.n")
    assert not found.asks
    assert state.check(found.move).rules == ("castle_keep/one-of-three",)
    assert pointed(state, "hand 1", "2.n").asks == bool(hand)


# -- the other phases ------------------------------------------------------------------------------


def test_draw_from_the_pile_or_the_discards():
    """castle_keep/adv-discard-draw"""
    state = table(PAIR, MIXED, phase="draw", discards=tiles("KR"))
    found = state.point(())
    assert (found.offers, found.words) == (("pile", "discards"), "Pick the pile or the discards.")
    assert move(state, "pile") == "draw pile"
    assert move(state, "discards") == "draw discard"
    assert pointed(state, "hand 1") == found  # anything else: the same offers again


def test_discard_any_tile_of_the_hand():
    """castle_keep/hand-limit"""
    state = table(PAIR, MIXED, hand="TRC TRC WBZ KR KB", won="WRC", phase="discard")
    found = state.point(())
    assert found.offers == tuple(f"hand {at}" for at in range(1, 6))
    assert found.words == "Pick a tile to discard."
    assert move(state, "hand 3") == "discard WBZ"
    for nothing in ("won 1", "hand 6", "hand 0", "1.n", "end"):
        assert pointed(state, nothing) == found


def test_siege_turn_up_and_choose():
    """castle_keep/solitaire"""
    state = table(RUN, way="solitaire", phase="siege", flips=2, pile=tiles("KB WRZ")[::-1])
    assert {move(state, offer) for offer in state.point(()).offers} == {"turn"}
    assert move(state, "pile") == move(state, "turn") == "turn"
    assert pointed(state, "n").move is None
    hit = changed(state, pile=tiles("KB KB WRZ WRZ")[:2]).play(state.game.move("turn"))
    assert hit.hit is not None
    found = hit.point(())
    assert found.offers == ("n", "s")
    assert "identical" in found.words
    assert move(hit, "s") == "fall s"
    assert hit.check(pointed(hit, "e").move).rules == ("castle_keep/solitaire",)
    assert pointed(hit, "pile") == found


# -- whatever is played, whatever is pointed at --------------------------------------------------


def configurations():
    for way in WAYS:
        for players in {"takeover": (2,), "king": (2,), "solitaire": (1,)}.get(way, (2, 3)):
            for on in product((False, True), repeat=len(SWITCHES)):
                yield load(players, way, **dict(zip(SWITCHES, on, strict=True)))


configs = st.sampled_from(list(configurations()))


def some_state(game, seed, data):
    """A state of a random game."""
    state, chance, states = game.start(seed), Chance.seeded(seed), []
    while not state.over:
        states.append(state)
        played, chance = chance.choice(state.moves())
        state = state.play(played)
    return states[data.draw(st.integers(0, len(states) - 1))]


@settings(max_examples=150)
@given(configs, st.integers(0, 10**6), st.data())
def test_offers_lead_to_every_legal_move_and_to_no_other(game, seed, data):
    state = some_state(game, seed, data)
    reached = set()
    for first in state.point(()).offers:
        found = state.point((first,))
        if found.move is not None:
            reached.add(found.move)
            continue
        assert found.offers
        for second in found.offers:
            then = state.point((*found.picks, second))
            assert then.move is not None
            assert then.asks == isinstance(then.move, Attack)
            reached.add(then.move)
    assert reached == set(state.moves())


targets = st.sampled_from(
    (
        *("hand 1", "hand 2", "hand 9", "hand 0", "won 1", "hand", "hand ²", "hand ١", "hand -1"),
        *("end", "turn", "pile", "discards", "n", "c", "nw", "1.n", "2.n", "2.c", "4.n", "1a.n"),
        *("1b.n", "2a.c", "2b.w", "a.n", "", " ", ".", "hand " + "9" * 5000),
    )
)


@settings(max_examples=200)
@given(configs, st.integers(0, 300), st.lists(targets | st.text(max_size=6), max_size=4), st.data())
def test_whatever_is_pointed_at_is_a_move_or_an_offer(game, seed, picks, data):
    state = some_state(game, seed, data)
    found = state.point(tuple(picks))
    if found.move is None:
        assert found.words
        assert found.picks in ((), tuple(picks[-1:]))
    else:
        verdict = state.check(found.move)
        assert verdict or not found.asks
        assert game.move(str(found.move)) == found.move
