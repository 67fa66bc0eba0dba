"""Playing Castle Keep: every rule of turn, attack, end and ways, and rulings K1–K47 by number.

The rules of building are tested on castles, in ``test_castle.py``; here is what a state says
of them.
"""

from collections import Counter
from functools import cache
from itertools import combinations, pairwise, product
from operator import attrgetter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.chance import Chance
from castlelab.game import changed
from castlelab.games.castell.moves import EndTurn
from castlelab.games.castle_keep.castle import BACK, RING, RULES, SPOTS, TILES, Castle, Tile
from castlelab.games.castle_keep.moves import (
    Attack,
    Build,
    Discard,
    DrawTile,
    End,
    Exchange,
    Fall,
    Spot,
    TurnUp,
)
from castlelab.rules import CastlelabError, IllegalMove

SWITCHES = ("attack_towers", "draw_discard", "last_matches_both", "many_attacks")
WAYS = ("classic", "takeover", "empire", "king", "solitaire")
EMPTY = "-- -- -- / -- -- -- / -- -- --"
PAIR = "TRC WRZ -- / -- -- -- / -- -- --"
BLUE_PAIR = "TBC WBZ -- / -- -- -- / -- -- --"
MIXED = "TRC WBC -- / -- -- -- / -- -- --"  # two runs: one attack does not destroy it
WHOLE = "TRC WRC TRC / WRC KR WRC / TRC WRC TRC"


@cache
def load(players=None, way="classic", **switches):
    return castlelab.load("castle_keep", players=players, way=way, **switches)


def tiles(text):
    """Tiles in the order of a hand."""
    return tuple(sorted(map(Tile, text.split()), key=TILES.index))


def table(*castles, hands=(), game=None, **changes):
    """Seat 0 is to act and attacks are open; castles and hands that are not named are empty."""
    game = game or load()
    laid = [Castle.parse(text or EMPTY) for text in castles]
    held = [tiles(text) for text in hands]
    return changed(
        game.start(7),
        **{
            "castles": (*laid, *[Castle()] * (len(game.sites) - len(laid))),
            "hands": (*held, *[()] * (game.players - len(held))),
            "seat": 0,
            "phase": "act",
            "turn": 9,
            "open": True,
            **changes,
        },
    )


def play(state, *moves):
    for move in moves:
        state = state.play(state.game.move(move))
    return state


def broken(state, move):
    """The rules that a move would break."""
    return state.check(state.game.move(move)).rules


def breach(state, move):
    """The only breach of a move, which ``play`` refuses in the same words."""
    verdict = state.check(state.game.move(move))
    with pytest.raises(IllegalMove) as caught:
        play(state, move)
    assert caught.value.verdict == verdict
    (only,) = verdict.breaches
    assert only.rule.id in str(caught.value)
    assert only.message in str(caught.value)
    return only


def listed(state, kind=""):
    return [str(move) for move in state.moves() if str(move).startswith(kind)]


def castle(state, number=0):
    return str(state.castles[number]).replace("\n", " / ")


def laid(text):
    return str(Castle.parse(text)).replace("\n", " / ")


def pieces(state):
    """Every tile on the table."""
    found = Counter(state.pile) + Counter(state.discards)
    for group in (*state.hands, *state.won, *state.castles):
        found.update(group)
    return found


def inventory(state):
    """The same as a sorted list, which is quicker to compare."""
    found = [*state.pile, *state.discards]
    for group in (*state.hands, *state.won):
        found += group
    for each in state.castles:
        found += [tile for tile in each.places if tile is not None]
    return sorted(found, key=attrgetter("index"))


def random_states(game, seed):
    """A random game: each state and the move that led to it."""
    state, chance = game.start(seed), Chance.seeded(seed)
    yield None, state
    while not state.over:
        move, chance = chance.choice(state.moves())
        state = state.play(move)
        yield move, state


def players_for(way):
    return {"takeover": (2,), "king": (2,), "solitaire": (1,)}.get(way, (2, 3, 4))


def configurations():
    """Every way with every number of players and every choice of switches."""
    for way in WAYS:
        for players in players_for(way):
            for on in product((False, True), repeat=len(SWITCHES)):
                yield load(players, way, **dict(zip(SWITCHES, on, strict=True)))


configs = st.sampled_from(list(configurations()))
seeds = st.integers(0, 10**6)
seats = pytest.mark.parametrize("players", [2, 3, 4])

# -- set-up and turn -------------------------------------------------------------------------


@seats
def test_deal_four_tiles_in_secret_and_the_rest_in_the_pile(players):
    """castle_keep/deal"""
    state = load(players).start(3)
    held = [len(hand) for hand in state.hands]
    assert held.pop(state.to_move) == 6  # the first player has drawn two
    assert held == [4] * (players - 1)
    assert len(state.pile) == 90 - 4 * players - 2
    assert state.discards == ()
    assert all(len(castle) == 0 for castle in state.castles)
    assert pieces(state) == Counter(state.game.box)
    for seat in range(players):
        for other in set(range(players)) - {seat}:
            assert set(state.view(seat).hands[other]) == {BACK}


def test_deal_is_shuffled_by_the_seed():
    """castle_keep/deal"""
    starts = {(state.hands, state.pile) for state in map(load().start, range(20))}
    assert len(starts) == 20
    assert load().start(5) == load().start(5)
    assert load().start(5) != load().start("5")


@seats
def test_first_player_anybody_may_begin_and_turns_go_round(players):
    """castle_keep/first-player, K32: the dealer is drawn at random; then clockwise."""
    game = load(players)
    firsts = Counter(game.start(seed).to_move for seed in range(30 * players))
    assert set(firsts) == set(range(players))
    assert min(firsts.values()) >= 15
    state = game.start(1)
    order = []
    for turn in range(1, 2 * players + 1):
        assert state.turn == turn
        order.append(state.to_move)
        state = play(state, "end")
        while state.phase == "discard":
            state = state.play(state.moves()[0])
    assert order == [(order[0] + step) % players for step in range(2 * players)]


def test_draw_two_at_the_start_of_a_turn():
    """castle_keep/draw-two, K1: the two piles are kept as one."""
    state = table(PAIR, BLUE_PAIR, hands=("TRC", "TBC TBZ"))
    after = play(state, "end")
    assert after.to_move == 1
    assert sorted(map(str, after.hands[1])) == sorted(["TBC", "TBZ", *map(str, state.pile[-2:])])
    assert after.pile == state.pile[:-2]
    assert after.hands[0] == state.hands[0]
    only = breach(after, "draw pile")
    assert (only.rule, only.mends) == ("castle_keep/draw-two", ())
    assert only.message == "The tiles of this turn are drawn already."


def test_reshuffle_at_the_moment_a_draw_needs_it():
    """castle_keep/reshuffle, K2: first what is left, then the discards as a new pile."""
    gone = tiles("TYC TYZ TYS WYC WYZ WYS KY KB")
    state = table(PAIR, BLUE_PAIR, pile=tiles("KR"), discards=gone)
    after = play(state, "end")
    assert after.discards == ()
    assert Tile("KR") in after.hands[1]
    assert len(after.hands[1]) == 2
    assert len(after.pile) == 7
    assert Counter(after.hands[1]) + Counter(after.pile) == Counter(gone) + Counter(tiles("KR"))
    # The order is new, and depends on chance alone.
    orders = {play(changed(state, chance=Chance.seeded(seed)), "end").pile for seed in range(10)}
    assert len(orders) > 5


def test_reshuffle_not_before():
    """castle_keep/reshuffle: two tiles are enough, and the discards stay where they are."""
    gone = tiles("TYC TYZ TYS")
    after = play(table(PAIR, BLUE_PAIR, pile=tiles("KR KB"), discards=gone), "end")
    assert after.pile == ()
    assert after.discards == gone
    again = play(after, "end")
    assert again.discards == ()
    assert len(again.hands[0]) == 2
    assert len(again.pile) == 1


@pytest.mark.parametrize(("pile", "gone", "drawn"), [("", "", 0), ("KR", "", 1), ("", "KB", 1)])
def test_reshuffle_nothing_left_is_no_draw(pile, gone, drawn):
    """castle_keep/reshuffle, K3: draw fewer, or none."""
    state = table(PAIR, BLUE_PAIR, pile=tiles(pile), discards=tiles(gone), hands=("", "TBC"))
    after = play(state, "end")
    assert len(after.hands[1]) == 1 + drawn
    assert (after.pile, after.discards) == ((), ())
    assert after.to_move == 1


def test_reshuffle_is_hidden_from_a_view():
    """castle_keep/reshuffle"""
    view = table(PAIR, BLUE_PAIR, pile=(), discards=tiles("KR KB KY")).view(0)
    with pytest.raises(CastlelabError, match="guess before you play on"):
        play(view, "end")
    assert play(view.guess(0, Chance.seeded(1)), "end").to_move == 1


def test_reshuffle_is_remembered():
    """castle_keep/reshuffle: all saw the discards, so all know what the new piles hold."""
    gone = tiles("TYC TYZ TYS WYC WYZ WYS KY KB")
    state = table(PAIR, BLUE_PAIR, pile=(), discards=gone, hands=("TRC WRC", "TBC WBZ"))
    after = play(state, "end")
    assert after.view(0).shuffled == gone
    assert [len(drawn) for drawn in after.view(0).fresh] == [0, 2]
    assert after.view(0).fresh[1] == (BACK, BACK)
    assert after.view(1).fresh[1] == after.fresh[1]
    other = changed(state, discards=(*gone[:-1], Tile("KR")))
    assert play(other, "end").view(0) != after.view(0)
    again = play(changed(after, discards=tiles("KR")), "end")
    assert again.shuffled == gone


@settings(max_examples=25)
@given(st.sampled_from((2, 3, 4)), seeds, st.data())
def test_reshuffle_no_guess_contradicts_what_was_seen(players, seed, data):
    """castle_keep/reshuffle: the piles hold only what was shuffled, less what one has drawn
    oneself.
    """
    game = load(players, draw_discard=True)
    state, chance = game.start(seed), Chance.seeded(seed)
    reached = []
    while not state.over and len(reached) < 60:
        # A long game: nobody builds, so that the piles run out.
        moves = [move for move in state.moves() if not isinstance(move, Build | Attack)]
        move, chance = chance.choice(moves)
        state = state.play(move)
        if state.shuffled:
            reached.append(state)
    for at in data.draw(st.lists(st.integers(0, len(reached) - 1), min_size=1, max_size=6)):
        state = reached[at]
        for player in range(players):
            view = state.view(player)
            world = view.guess(player, Chance.seeded(at))
            assert world.view(player) == view
            assert pieces(world) == Counter(game.box)
            mine = Counter(state.shuffled) - Counter(state.fresh[player])
            assert Counter(world.pile) <= mine
            if all(not drawn for seat, drawn in enumerate(state.fresh) if seat != player):
                assert Counter(world.pile) == Counter(state.pile)  # so all of it is known


def test_one_of_three_is_free_until_something_is_done():
    """castle_keep/one-of-three"""
    state = table(PAIR, BLUE_PAIR, hands=("WRC WBZ",))
    assert listed(state) == ["build WRC w", "attack WBZ 2.n", "end"]


def test_one_of_three_passing_changes_nothing_on_the_table():
    """castle_keep/one-of-three"""
    state = table(PAIR, BLUE_PAIR, hands=("WRC WBZ",))
    after = play(state, "pass")
    assert (after.castles, after.discards, after.to_move) == (state.castles, (), 1)


def test_one_of_three_who_has_built_cannot_attack():
    """castle_keep/one-of-three, K27"""
    state = play(table(PAIR, BLUE_PAIR, hands=("WRC WBZ",)), "build WRC w")
    only = breach(state, "attack WBZ 2.n")
    assert only.rule == "castle_keep/one-of-three"
    assert only.message == "You have built in this turn; it cannot attack too."
    assert listed(state, "attack") == []


def test_one_of_three_who_has_attacked_cannot_build():
    """castle_keep/one-of-three, K27: also where the turn goes on after an attack."""
    state = table(PAIR, MIXED, hands=("WRC WBC",), game=load(many_attacks=True))
    state = play(state, "attack WBC 2.n")
    assert state.to_move == 0
    assert breach(state, "build WRC w").message == "This turn is an attack; it cannot build too."
    assert listed(state) == ["end"]


def test_one_of_three_an_attack_ends_the_turn():
    """castle_keep/one-of-three, K16"""
    state = play(table(PAIR, MIXED, hands=("WRC WBC WRC",)), "attack WBC 2.n")
    assert (state.to_move, state.phase) == (1, "act")


def test_one_of_three_build_on_the_own_castle_only():
    """castle_keep/one-of-three"""
    state = table(PAIR, BLUE_PAIR, hands=("WRC",))
    assert breach(state, "build WRC 2.w").message == "You build on your own castle."
    assert breach(state, "build WRC 3.w").rule == "castle_keep/one-of-three"
    assert play(state, "build WRC 1.w") == play(state, "build WRC w")


@pytest.mark.parametrize("move", ["build WRS w", "attack WRS 2.n", "rebuild WRS w"])
def test_from_hand_only(move):
    """castle_keep/from-hand: an opponent's tile, a discarded one or one of the pile will not do."""
    blue = "TRC WRS -- / -- -- -- / -- -- --"
    state = table(PAIR, blue, hands=("WRC WRC KR", "WRS"), discards=tiles("WRS"))
    only = breach(state, move)
    if move.startswith("rebuild"):
        assert only.rule == "castle_keep/takeover"
        assert only.message == "Tiles are won only in a Takeover game."
    else:
        assert only.rule == "castle_keep/from-hand"
        assert only.message == "You hold no red straight wall."
        assert only.where == ("hand",)
        assert only.mend.startswith("You hold a red curvy wall and a red keep.")


def test_from_hand_what_is_laid_is_gone():
    """castle_keep/from-hand"""
    state = play(table(PAIR, hands=("WRC WRS",)), "build WRC w")
    assert state.hands[0] == tiles("WRS")
    assert broken(state, "build WRC w")[0] == "castle_keep/from-hand"
    assert breach(changed(state, hands=((), ())), "build TRC sw").mend == "You hold nothing."


def test_hand_limit_down_to_four_and_no_further():
    """castle_keep/hand-limit, K28"""
    state = play(table(PAIR, BLUE_PAIR, hands=("TRC TRZ WRC WRC WBZ KR",)), "end")
    assert (state.to_move, state.phase) == (0, "discard")
    assert listed(state) == [f"discard {t}" for t in ("TRC", "TRZ", "WRC", "WBZ", "KR")]
    only = breach(state, "end")
    assert (only.rule, only.where) == ("castle_keep/hand-limit", ("hand",))
    assert only.message == "The turn ends: discard 2 more."
    assert breach(state, "discard KB").rule == "castle_keep/from-hand"
    state = play(state, "discard WRC")
    assert (state.to_move, state.phase) == (0, "discard")
    assert breach(state, "build WRC w").message == "The turn ends: discard 1 more."
    state = play(state, "discard KR")
    assert state.hands[0] == tiles("TRC TRZ WRC WBZ")
    assert state.discards == tuple(map(Tile, ("WRC", "KR")))
    assert state.to_move == 1


@pytest.mark.parametrize("hand", ["", "TRC", "TRC TRZ WRC", "TRC TRZ WRC WBZ"])
def test_hand_limit_four_or_fewer_discard_nothing(hand):
    """castle_keep/hand-limit"""
    state = table(PAIR, BLUE_PAIR, hands=(hand,))
    after = play(state, "end")
    assert after.to_move == 1
    assert after.hands[0] == tiles(hand)
    assert after.discards == ()
    only = breach(state, "discard TRC")
    assert only.rule == "castle_keep/hand-limit"
    assert only.message == "Tiles are discarded at the end of the turn."
    assert (only.mend, only.mends) == ("Try end.", (End(),))


def test_hand_limit_holds_after_an_attack_too():
    """castle_keep/hand-limit"""
    state = table(PAIR, MIXED, hands=("WBC TRC TRC TRC TRC TRC",))
    state = play(state, "attack WBC 2.n")
    assert (state.to_move, state.phase) == (0, "discard")
    assert play(state, "discard TRC").to_move == 1


def test_long_siege_is_a_draw_after_400_turns():
    """castle_keep/long-siege"""
    state = table(PAIR, BLUE_PAIR, turn=399)
    last = play(state, "end")
    assert (last.turn, last.over) == (400, False)
    end = play(last, "end")
    assert end.over
    assert end.winners == (0, 1)
    assert end.scores == (0, 0)
    assert "a draw after 400 turns" in end.describe()
    assert breach(end, "end").rule == "castle_keep/long-siege"


def test_nothing_is_legal_after_the_end():
    """Whatever is tried, the rule that ended the game is named."""
    state = table(WHOLE.replace("KR", "--"), PAIR, hands=("KR WRZ WRZ",))
    end = play(state, "build KR c")
    assert end.moves() == ()
    for move in ("end", "build WRZ n", "attack WRZ 2.n", "discard WRZ", "turn", "draw pile"):
        only = breach(end, move)
        assert (only.rule, only.message) == ("castle_keep/win-build", "The game is over.")


def test_a_move_of_another_game_is_an_error():
    with pytest.raises(CastlelabError, match="is not a move of Castle Keep"):
        table(PAIR).check(EndTurn())


# -- build -----------------------------------------------------------------------------------

SEVEN = "TRC WRC TRC / -- -- WRC / TBZ WBC TRC"  # the west side is missing, red above, blue below


@pytest.mark.parametrize(
    ("home", "move", "rule", "where", "mend"),
    [
        (PAIR, "build WRC nw", "castle_keep/spots", ("1.nw",), "Try build WRC w."),
        (PAIR, "build TRC n", "castle_keep/spots", ("1.n",), "Try build TRC ne."),
        (PAIR, "build KR ne", "castle_keep/spots", ("1.ne",), "Try build KR c"),
        (PAIR, "build WRC n", "castle_keep/spots", ("1.n",), "Try build WRC w."),
        (
            PAIR.replace("-- -- -- /", "-- KR -- /"),
            "build KR c",
            "castle_keep/spots",
            ("1.c",),
            "nowhere",
        ),
        (
            EMPTY,
            "build KR c",
            "castle_keep/first-tile",
            ("1.c",),
            "It takes a wall or a tower first.",
        ),
        (PAIR, "build WRC s", "castle_keep/adjacent", ("1.s",), "Try build WRC w."),
        (
            PAIR,
            "build TBS ne",
            "castle_keep/match",
            ("1.ne", "1.n"),
            "a tower that is red or",
        ),
        (
            SEVEN,
            "build WYS w",
            "castle_keep/last-tile",
            ("1.w", "1.sw"),
            "a wall that is blue, zigzag, red or curvy.",
        ),
        (PAIR, "build KB c", "castle_keep/keep-colour", ("1.c",), "Its colour is red."),
        (
            "-- -- -- / -- KR -- / -- -- --",
            "build TBC nw",
            "castle_keep/lone-keep",
            ("1.nw", "1.c"),
            "It takes a red wall or tower.",
        ),
    ],
)
def test_breaches_of_building_name_the_spots_of_the_table(home, move, rule, where, mend):
    """castle_keep/spots, castle_keep/first-tile, castle_keep/adjacent, castle_keep/match,
    castle_keep/last-tile, …

    K12 is among them: there is no second keep.
    """
    state = table(home, BLUE_PAIR, hands=("WRC TRC KR TBS WYS KB TBC",))
    verdict = state.check(state.game.move(move))
    assert verdict.rules == (rule,)
    assert verdict.breaches[0].where == where
    assert mend in verdict.breaches[0].mend
    with pytest.raises(IllegalMove) as caught:
        play(state, move)
    assert caught.value.verdict == verdict


def test_breaches_of_building_name_the_castle_in_every_way():
    """Spots are named as the picture names them."""
    hands = ("WRC",) * 2
    for way, where in (("king", "s"), ("solitaire", "s"), ("takeover", "1.s"), ("classic", "1.s")):
        state = table(PAIR, hands=hands[: load(way=way).players], game=load(way=way))
        assert breach(state, "build WRC s").where == (where,)
    empire = table(PAIR, PAIR, hands=hands, game=load(way="empire"))
    assert breach(empire, "build WRC b.s").where == ("1b.s",)
    second = changed(empire, seat=1, castles=empire.castles[2:] + empire.castles[:2])
    assert breach(second, "build WRC a.s").where == ("2a.s",)


def test_two_breaches_of_a_match_are_both_told():
    """castle_keep/match, K4 and K6: two neighbours, ring still open, both must match."""
    parts = "TRC -- TYZ / -- -- -- / -- -- --"
    state = table(parts, hands=("WBS WRC",))
    verdict = state.check(state.game.move("build WBS n"))
    assert [b.where for b in verdict.breaches] == [("1.n", "1.nw"), ("1.n", "1.ne")]
    assert breach(state, "build WRC n").where == ("1.n", "1.ne")


def test_a_breach_of_the_hand_and_one_of_the_castle_are_both_told():
    state = table(PAIR, hands=("WRC",))
    assert broken(state, "build TBS ne") == ("castle_keep/from-hand", "castle_keep/match")


def test_the_first_tile_may_go_on_any_spot_of_its_kind():
    """castle_keep/first-tile, K31"""
    state = table(hands=("TRC WBZ KR",))
    assert listed(state, "build") == [
        *("build TRC nw", "build WBZ n", "build TRC ne", "build WBZ e"),
        *("build TRC se", "build WBZ s", "build TRC sw", "build WBZ w"),
    ]


def test_both_arcs_of_a_ring_may_be_built_on():
    """castle_keep/adjacent, K7 and K8"""
    state = table("-- WRC -- / -- -- -- / -- WBZ --", hands=("TRZ",))
    assert listed(state, "build") == [f"build TRZ {spot}" for spot in ("nw", "ne", "se", "sw")]
    one = table("-- WRC -- / -- -- -- / -- -- --", hands=("TRZ",))
    assert breach(one, "build TRZ se").rule == "castle_keep/adjacent"


def test_the_closing_tile_matches_one_side_with_or_without_the_keep():
    """castle_keep/last-tile, K5"""
    for home in (SEVEN, SEVEN.replace("-- -- WRC", "-- KR WRC")):
        after = play(table(home, hands=("WBS WYS",)), "build WBS w")
        assert after.castles[0].ring_closed
        assert after.over == (home != SEVEN)
    # With two spots of the ring empty it is not the closing tile yet.
    six = SEVEN.replace("TRC / -- --", "-- / -- --")
    assert breach(table(six, hands=("WBS",)), "build WBS w").rule == "castle_keep/match"


def test_a_keep_stays_when_its_colour_is_gone():
    """castle_keep/keep-colour, K9 and K10"""
    mixed = "TBC WRZ -- / -- KR -- / -- -- --"
    state = play(table(PAIR, mixed, hands=("WRZ",)), "attack WRZ 2.n")
    assert castle(state, 1) == laid("TBC -- -- / -- KR -- / -- -- --")
    assert listed(table("TBC -- -- / -- -- -- / -- WRZ --", hands=("KR KB KY",)), "build") == [
        "build KR c",
        "build KB c",
    ]


def test_lone_keep_the_next_tile_has_its_colour_and_the_one_after_does_not_care():
    """castle_keep/lone-keep, K11"""
    hands = ("WRZ", "TRC TBC WBC WRS")
    state = table(PAIR, "-- WRZ -- / -- KR -- / -- -- --", hands=hands, pile=tiles("KY KY"))
    state = play(state, "attack WRZ 2.n")
    assert castle(state, 1) == laid("-- -- -- / -- KR -- / -- -- --")
    assert {move.split()[1] for move in listed(state, "build")} == {"TRC", "WRS"}
    assert breach(state, "build TBC sw").rule == "castle_keep/lone-keep"
    state = play(state, "build TRC sw", "build WBC s", "build TBC se")
    assert len(state.castles[1]) == 4


def test_rearranging_is_only_for_an_empire():
    """K13"""
    for way in ("classic", "takeover", "king", "solitaire"):
        game = load(way=way)
        state = table(PAIR, hands=("TRC",), game=game)
        only = breach(state, "exchange n s")
        assert only.rule == "castle_keep/empire"
        assert not listed(state, "exchange")


def test_build_many_tiles_in_one_turn():
    """castle_keep/build-many"""
    state = table(hands=("TRC TRZ WRC WRZ WRS KR",))
    builds = ("TRC nw", "WRC n", "TRZ ne", "WRZ e", "KR c", "WRS w")
    state = play(state, *(f"build {step}" for step in builds))
    assert state.to_move == 0
    assert state.hands[0] == ()
    assert castle(state) == laid("TRC WRC TRZ / WRS KR WRZ / -- -- --")
    assert listed(state) == ["end"]


# -- attack ----------------------------------------------------------------------------------


def test_attack_open_only_when_everybody_has_two_tiles():
    """castle_keep/attack-open"""
    game = load(3)
    state = table(PAIR, PAIR, "TRC -- -- / -- -- -- / -- -- --", game=game, open=False)
    state = changed(state, hands=(tiles("WRZ TRS"), (), tiles("WRC")))
    only = breach(state, "attack WRZ 2.n")
    assert only.rule == "castle_keep/attack-open"
    assert only.mend == "They open when everybody has two tiles; Green must build first."
    assert not listed(state, "attack")
    state = play(state, "build TRS ne")
    assert not state.open
    state = changed(state, seat=2, deed="")
    state = play(state, "build WRC n")
    assert state.open
    both = table("TRC -- -- / -- -- -- / -- -- --", PAIR, game=game, open=False, hands=("WRZ",))
    assert "two tiles; Blue and Green must build" in breach(both, "attack WRZ 2.n").mend


def test_attack_open_stays_open():
    """castle_keep/attack-open, K14: a castle of one tile may still be attacked."""
    state = table(PAIR, "TBC WRZ -- / -- -- -- / -- WRZ --", hands=("WRZ WRZ", "KB"), pile=())
    state = play(state, "attack WRZ 2.n", "end", "attack WRZ 2.s")
    assert len(state.castles[1]) == 1
    assert state.open
    again = changed(state, seat=1, hands=(tiles("WRC"), tiles("WRZ KB")), deed="")
    assert "attack WRZ 1.n" in listed(again)


def test_attack_open_the_keep_counts():
    """castle_keep/attack-open, K15"""
    state = table("TRC -- -- / -- -- -- / -- -- --", PAIR, hands=("KR",), open=False)
    assert play(state, "build KR c").open


def test_attack_open_is_seen_by_the_next_player_at_once():
    """castle_keep/attack-open: whoever opened it has built, so the others attack first."""
    state = table("TRC -- -- / -- -- -- / -- -- --", PAIR, hands=("WRC WRZ", "WRC"), open=False)
    state = play(state, "build WRC n")
    assert broken(state, "attack WRZ 2.n") == ("castle_keep/one-of-three",)
    assert "attack WRC 1.n" in listed(play(state, "end"), "attack")


RUN = "TRC WRZ TRS / WYC KR WRS / TYC WRZ TYZ"


def test_attack_wall_takes_the_run_of_its_colour_round_corners():
    """castle_keep/attack-wall, K18, K19, K20, K22: both directions, round corners, not the keep."""
    state = play(table(PAIR, RUN, hands=("WRS",)), "attack WRS 2.e")
    assert castle(state, 1) == laid("-- -- -- / WYC KR -- / TYC WRZ TYZ")
    assert Counter(state.discards) == Counter(tiles("WRS WRS TRC WRZ TRS"))
    assert state.hands[0] == ()
    assert state.won == ((), ())


def test_attack_wall_chooses_among_identical_walls():
    """castle_keep/attack-wall, K17"""
    state = table(PAIR, RUN, hands=("WRZ",))
    assert listed(state, "attack") == ["attack WRZ 2.n", "attack WRZ 2.s"]
    after = play(state, "attack WRZ 2.s")
    assert castle(after, 1) == laid("TRC WRZ TRS / WYC KR WRS / TYC -- TYZ")
    assert Counter(after.discards) == Counter(tiles("WRZ WRZ"))


def test_attack_wall_all_the_way_round():
    """castle_keep/attack-wall, K18: a ring of one colour falls whole, once."""
    state = play(table(PAIR, WHOLE.replace("KR", "KB"), hands=("WRC",)), "attack WRC 2.s")
    assert castle(state, 1) == laid("-- -- -- / -- KB -- / -- -- --")
    assert len(state.discards) == 9


HIT = "Try attack WRS 2.e."


@pytest.mark.parametrize(
    ("move", "rule", "says", "mend"),
    [
        ("attack WRC 2.n", "castle_keep/attack-wall", "they must be identical", ""),
        ("attack WYZ 2.n", "castle_keep/attack-wall", "they must be identical", ""),
        (
            "attack WRS 2.n",
            "castle_keep/attack-wall",
            "they must be identical",
            HIT,
        ),
        (
            "attack WRS 2.s",
            "castle_keep/attack-wall",
            "Nothing stands on the south side.",
            HIT,
        ),
        ("attack TRC 2.n", "castle_keep/attack-wall", "A red curvy tower does not break", ""),
        (
            "attack KR 2.n",
            "castle_keep/attack-wall",
            "A red keep does not break",
            HIT,
        ),
        ("attack TRC 2.nw", "castle_keep/adv-towers", "only walls and keeps are attacked", ""),
        ("attack WRS 2.c", "castle_keep/attack-keep", "falls only to keeps of its colour", ""),
        ("attack KB 2.c", "castle_keep/attack-keep", "falls only to keeps of its colour", ""),
        ("attack KR 2.c", "castle_keep/attack-keep", "two red keeps are needed", HIT),
    ],
)
def test_attack_wall_and_keep_refusals(move, rule, says, mend):
    """castle_keep/attack-wall, castle_keep/attack-keep, castle_keep/adv-towers, K21: what does not
    hit, and why.
    """
    target = RUN.replace("TYC WRZ TYZ", "TYC -- TYZ")
    state = table(PAIR, target, hands=("WRC WYZ WRS TRC KR KB",))
    only = breach(state, move)
    assert only.rule == rule
    assert says in only.message
    assert only.where == (move.split()[2],)
    assert mend in only.mend
    assert move not in listed(state)


def test_attack_keep_needs_two_while_anything_else_stands():
    """castle_keep/attack-keep, K23: both attacking keeps are discarded with it."""
    state = table(PAIR, RUN, hands=("KR KR WBC",))
    assert "attack KR 2.c" in listed(state)
    after = play(state, "attack KR 2.c")
    assert castle(after, 1) == laid(RUN.replace("KR", "--"))
    assert after.discards == tiles("KR KR KR")
    assert after.hands[0] == tiles("WBC")


def test_attack_keep_the_last_tile_falls_to_one():
    """castle_keep/attack-keep, K23"""
    lone = "-- -- -- / -- KR -- / -- -- --"
    state = table(PAIR, lone, hands=("KR KR",))
    after = play(state, "attack KR 2.c")
    assert after.hands[0] == tiles("KR")
    assert after.discards == tiles("KR KR")
    assert (after.winners, after.ending) == ((0,), "castle_keep/win-destroy")
    assert broken(table(PAIR, lone, hands=("KB",)), "attack KB 2.c") == ("castle_keep/attack-keep",)


@pytest.mark.parametrize(
    ("spot", "rule"),
    [
        ("c", "castle_keep/attack-keep"),
        ("e", "castle_keep/attack-wall"),
        ("se", "castle_keep/adv-towers"),
    ],
)
def test_attack_keep_nothing_stands_there(spot, rule):
    """castle_keep/attack-keep, castle_keep/attack-wall, castle_keep/adv-towers: each spot has its
    own rule.
    """
    state = table(PAIR, BLUE_PAIR, hands=("KR WBZ",))
    only = breach(state, f"attack KR 2.{spot}")
    assert only.rule == rule
    assert only.message.startswith("Nothing stands ")
    assert only.mends == (Attack(Tile("WBZ"), Spot("n", 1)),)


def test_attack_keep_two_different_keeps_will_not_do():
    """castle_keep/attack-keep"""
    state = table(PAIR, RUN, hands=("KR KB",))
    assert not listed(state, "attack")
    assert broken(state, "attack KR 2.c") == ("castle_keep/attack-keep",)


THREE = (PAIR, "TBC WRZ -- / -- KR -- / -- WBZ --", "TBC WRZ -- / -- KR -- / -- WBZ --")


def test_one_opponent_and_one_attack():
    """castle_keep/one-opponent, K16"""
    state = table(*THREE, game=load(3), hands=("WRZ WBZ",))
    assert listed(state, "attack") == [
        f"attack {hit}" for hit in ("WRZ 2.n", "WBZ 2.s", "WRZ 3.n", "WBZ 3.s")
    ]
    assert play(state, "attack WRZ 2.n").to_move == 1
    used = changed(state, deed="attack", prey=1)
    assert breach(used, "attack WBZ 2.s").message == "You have attacked in this turn."


def test_one_opponent_many_attacks_on_the_same():
    """castle_keep/one-opponent, K16: the switch ``many_attacks``."""
    state = table(*THREE, game=load(3, many_attacks=True), hands=("WRZ WBZ KR KR",))
    state = play(state, "attack WRZ 2.n")
    assert state.to_move == 0
    assert listed(state, "attack") == ["attack WBZ 2.s", "attack KR 2.c"]
    only = breach(state, "attack WBZ 3.s")
    assert only.rule == "castle_keep/one-opponent"
    assert only.message == "This turn attacks Orange."
    state = play(state, "attack WBZ 2.s", "attack KR 2.c")
    assert castle(state, 1) == laid("TBC -- -- / -- -- -- / -- -- --")
    state = play(state, "end")
    assert (state.to_move, state.prey, state.deed) == (1, None, "")


@pytest.mark.parametrize(
    ("spot", "says", "mend"),
    [
        ("1.n", "That is your own castle; attack an opponent's.", "Try attack WRZ 2.n."),
        ("3.n", "There is no player 3.", "Try attack WRZ 2.n."),
        ("n", "Whose castle?", "Try attack WRZ 2.n."),
    ],
)
def test_one_opponent_says_whose_castle(spot, says, mend):
    """castle_keep/one-opponent"""
    state = table(PAIR, PAIR, hands=("WRZ",))
    only = breach(state, f"attack WRZ {spot}")
    assert only.rule == "castle_keep/one-opponent"
    assert (only.message, only.mend) == (says, mend)


def test_the_advice_names_an_opponent_not_the_own_castle():
    """castle_keep/one-opponent: what is proposed to the second player is not the second castle."""
    state = table(PAIR, PAIR, hands=("", "WRZ"), seat=1)
    assert breach(state, "attack WRZ n").mend == "Try attack WRZ 1.n."
    assert broken(state, "attack WRZ 1.n") == ()
    empire = load(way="empire")
    for seat, other in ((0, 2), (1, 1)):
        state = table(PAIR, PAIR, PAIR, PAIR, hands=("WRZ", "WRZ"), seat=seat, game=empire)
        both = f"Try attack WRZ {other}a.n or attack WRZ {other}b.n."
        assert breach(state, "attack WRZ n").mend == both
        assert breach(state, "attack WRZ b.n").mend == both
        assert broken(state, f"attack WRZ {other}b.n") == ()


# -- win -------------------------------------------------------------------------------------


def test_win_build_at_once_in_mid_turn():
    """castle_keep/win-build, K26"""
    home = WHOLE.replace("KR", "--").replace("TRC WRC TRC / WRC", "-- WRC TRC / WRC")
    state = table(home, PAIR, hands=("TRC KR WBC",))
    for order in (("build TRC nw", "build KR c"), ("build KR c", "build TRC nw")):
        half = play(state, order[0])
        assert not half.over
        end = play(half, order[1])
        assert (end.winners, end.scores, end.ending) == ((0,), (1, 0), "castle_keep/win-build")
        assert end.hands[0] == tiles("WBC")
        assert end.to_move is None
        assert "Blue has finished the castle" in end.describe()


@seats
def test_win_destroy_ends_the_game_for_everybody(players):
    """castle_keep/win-destroy, K24"""
    castles = [PAIR] * players
    castles[1] = "-- WBZ -- / -- -- -- / -- -- --"
    state = table(*castles, hands=("WBZ",), game=load(players))
    end = play(state, "attack WBZ 2.n")
    assert (end.winners, end.ending) == ((0,), "castle_keep/win-destroy")
    assert end.scores == (1, *[0] * (players - 1))
    assert "Blue has destroyed a castle" in end.describe()


def test_win_destroy_with_one_run():
    """castle_keep/win-destroy: a castle of one colour falls to one wall."""
    assert play(table(PAIR, BLUE_PAIR, hands=("WBZ",)), "attack WBZ 2.n").winners == (0,)


def test_win_destroy_not_while_the_keep_stands():
    """castle_keep/win-destroy, K20"""
    blue = BLUE_PAIR.replace("/ -- -- -- /", "/ -- KB -- /")
    assert not play(table(PAIR, blue, hands=("WBZ",)), "attack WBZ 2.n").over


def test_an_empty_castle_cannot_be_attacked():
    """K29: after the opening there is none, for it would have ended; set up, it is refused."""
    state = table(PAIR, EMPTY, hands=("WRZ KR",))
    assert not listed(state, "attack")
    assert broken(state, "attack WRZ 2.n") == ("castle_keep/attack-wall",)
    assert broken(state, "attack KR 2.c") == ("castle_keep/attack-keep",)


# -- advanced play ---------------------------------------------------------------------------


def test_adv_towers_fall_with_their_run():
    """castle_keep/adv-towers, K21"""
    state = table(PAIR, RUN, hands=("TRC TYC TBC",), game=load(attack_towers=True))
    assert listed(state, "attack") == ["attack TRC 2.nw", "attack TYC 2.sw"]
    assert broken(state, "attack TBC 2.nw") == ("castle_keep/adv-towers",)
    after = play(state, "attack TYC 2.sw")
    assert castle(after, 1) == laid("TRC WRZ TRS / -- KR WRS / -- WRZ TYZ")
    assert Counter(after.discards) == Counter(tiles("TYC TYC WYC"))


def test_adv_towers_only_with_the_switch():
    """castle_keep/adv-towers"""
    assert not listed(table(PAIR, RUN, hands=("TRC TYC",)), "attack")


def test_adv_discard_draw_the_first_tile_may_be_the_top_discard():
    """castle_keep/adv-discard-draw, K34: also what the player before has just discarded."""
    state = table(PAIR, BLUE_PAIR, hands=("KR KR KB KB KY", "TBZ"), game=load(draw_discard=True))
    state = play(state, "end", "discard KY")
    assert (state.to_move, state.phase) == (1, "draw")
    assert listed(state) == ["draw pile", "draw discard"]
    only = breach(state, "end")
    assert (only.rule, only.message) == ("castle_keep/draw-two", "Draw first.")
    taken = play(state, "draw discard")
    assert Counter(taken.hands[1]) == Counter([*tiles("TBZ KY"), state.pile[-1]])
    assert (taken.discards, taken.pile, taken.phase) == ((), state.pile[:-1], "act")
    left = play(state, "draw pile")
    assert Counter(left.hands[1]) == Counter([*tiles("TBZ"), *state.pile[-2:]])
    assert left.discards == tiles("KY")
    assert breach(taken, "draw discard").rule == "castle_keep/draw-two"


def test_adv_discard_draw_takes_the_top_one():
    """castle_keep/adv-discard-draw"""
    gone = tuple(map(Tile, ("KR", "WBZ", "TYC")))
    state = table(PAIR, BLUE_PAIR, game=load(draw_discard=True), discards=gone)
    state = play(state, "end", "draw discard")
    assert Tile("TYC") in state.hands[1]
    assert state.discards == gone[:-1]


def test_adv_discard_draw_not_from_nothing():
    """castle_keep/adv-discard-draw, K33"""
    state = play(table(PAIR, BLUE_PAIR, game=load(draw_discard=True)), "end")
    assert (state.phase, len(state.hands[1])) == ("act", 2)


def test_adv_discard_draw_when_the_pile_is_empty():
    """castle_keep/adv-discard-draw, castle_keep/reshuffle: the second comes from the new pile."""
    gone = tuple(map(Tile, ("KR", "WBZ", "TYC")))
    state = table(PAIR, BLUE_PAIR, game=load(draw_discard=True), discards=gone, pile=())
    state = play(state, "end", "draw discard")
    assert Tile("TYC") in state.hands[1]
    assert len(state.hands[1]) == 2
    assert (len(state.pile), state.discards) == (1, ())


def test_adv_discard_draw_only_with_the_switch():
    """castle_keep/adv-discard-draw"""
    state = play(table(PAIR, BLUE_PAIR, discards=tiles("KR")), "end")
    assert state.phase == "act"
    assert breach(state, "draw discard").rule == "castle_keep/adv-discard-draw"


def test_adv_last_both():
    """castle_keep/adv-last-both"""
    state = table(SEVEN, hands=("WBS WRZ WBC",), game=load(last_matches_both=True))
    only = breach(state, "build WBS w")
    assert only.rule == "castle_keep/adv-last-both"
    assert only.where == ("1.w", "1.nw")
    assert listed(state, "build") == ["build WRZ w", "build WBC w"]
    assert len(listed(changed(state, game=load()), "build")) == 3


# -- takeover --------------------------------------------------------------------------------


def test_takeover_the_fallen_tiles_are_won():
    """castle_keep/takeover, K35: open, beside the castle, not of the hand; the attacker is
    discarded.
    """
    game = load(way="takeover")
    state = table(PAIR, RUN, hands=("WRS KR KR KB KB", ""), game=game, pile=tiles("KY KY KY KY"))
    state = play(state, "attack WRS 2.e")
    assert state.to_move == 1  # four in hand and four won: no discard
    assert state.won == (tiles("TRC WRZ TRS WRS"), ())
    assert state.discards == tiles("WRS")
    assert state.view(1).won == state.won
    state = play(state, "end")
    spots = ("TRC ne", "TRS ne", "WRZ w", "WRS w")
    assert listed(state, "rebuild") == [f"rebuild {spot}" for spot in spots]
    after = play(state, "rebuild TRS ne", "rebuild WRS e")
    assert after.won[0] == tiles("TRC WRZ")
    assert after.hands[0] == state.hands[0]
    assert castle(after) == laid("TRC WRZ TRS / -- -- WRS / -- -- --")


def test_takeover_not_in_the_same_turn():
    """castle_keep/takeover: from the next turn on, even with many attacks."""
    game = load(way="takeover", many_attacks=True)
    state = play(table(PAIR, RUN, hands=("WRS",), game=game), "attack WRS 2.e")
    assert state.to_move == 0
    assert listed(state) == ["end"]
    assert broken(state, "rebuild TRS ne") == ("castle_keep/one-of-three",)


def test_takeover_won_tiles_do_not_attack_and_are_not_the_hand():
    """castle_keep/takeover, castle_keep/from-hand"""
    game = load(way="takeover")
    state = table(PAIR, RUN, hands=("TRZ",), game=game, won=(tiles("WRZ WRC"), ()))
    assert breach(state, "attack WRZ 2.n").rule == "castle_keep/from-hand"
    assert breach(state, "build WRC w").rule == "castle_keep/from-hand"
    only = breach(state, "rebuild TRZ ne")
    assert (only.rule, only.where) == ("castle_keep/takeover", ("won",))
    assert only.message == "You have won no red zigzag tower."
    assert broken(state, "rebuild WRC w") == ()


def test_takeover_a_keep_is_won_too():
    """castle_keep/takeover"""
    game = load(way="takeover")
    state = play(table(PAIR, RUN, hands=("KR KR",), game=game), "attack KR 2.c")
    assert state.won[0] == tiles("KR")
    assert state.discards == tiles("KR KR")


@pytest.mark.parametrize(
    ("way", "seated"),
    [("takeover", (2,)), ("king", (2,)), ("solitaire", (1,)), ("empire", (2, 3, 4))],
)
def test_takeover_and_king_are_for_two_and_solitaire_for_one(way, seated):
    """castle_keep/takeover, castle_keep/king, castle_keep/solitaire"""
    for players in range(6):
        if players in seated:
            assert load(players, way).players == players
        else:
            with pytest.raises(CastlelabError, match=f"not {players}"):
                load(players, way)


# -- empire ----------------------------------------------------------------------------------

EMPIRE = load(way="empire")


def test_empire_everybody_has_two_castles():
    """castle_keep/empire"""
    state = load(3, "empire").start(2)
    assert len(state.castles) == 6
    assert state.game.castle_names == ("1a", "1b", "2a", "2b", "3a", "3b")
    state = table(PAIR, BLUE_PAIR, hands=("WRC",), game=EMPIRE)
    assert listed(state, "build") == ["build WRC a.w", "build WRC b.w"]
    after = play(state, "build WRC b.w")
    assert castle(after, 1) == laid("TBC WBZ -- / WRC -- -- / -- -- --")
    assert after.castles[0] == state.castles[0]
    assert breach(state, "build WRC w").mend == "Try build WRC a.w or build WRC b.w."
    assert breach(table(PAIR, hands=("WRC",)), "build WRC a.w").rule == "castle_keep/empire"


def test_empire_attacks_open_with_two_tiles_in_both_together():
    """castle_keep/empire, K36"""
    one = "TRC -- -- / -- -- -- / -- -- --"
    state = table(one, "", one, one, hands=("WRC",), game=EMPIRE, open=False)
    assert play(state, "build WRC b.n").open
    assert play(state, "build WRC a.n").open
    assert not play(changed(state, castles=(*state.castles[:3], Castle())), "build WRC a.n").open


def test_empire_a_turn_attacks_both_castles_of_one_opponent_at_most():
    """castle_keep/empire, castle_keep/one-opponent"""
    mixed = "TBC WRZ -- / -- -- -- / -- -- --"
    game = load(3, "empire", many_attacks=True)
    state = table(PAIR, PAIR, *[mixed] * 4, hands=("WRZ WRZ",), game=game)
    state = play(state, "attack WRZ 3a.n")
    assert listed(state, "attack") == ["attack WRZ 3b.n"]
    assert broken(state, "attack WRZ 2a.n") == ("castle_keep/one-opponent",)


def test_empire_won_by_finishing_both():
    """castle_keep/empire, K38"""
    almost = WHOLE.replace("KR", "--")
    state = table(almost, almost, PAIR, PAIR, hands=("KR KR",), game=EMPIRE)
    half = play(state, "build KR a.c")
    assert not half.over
    end = play(half, "build KR b.c")
    assert (end.winners, end.ending) == ((0,), "castle_keep/empire")
    assert "Blue wins" in end.describe()


def test_empire_won_by_destroying_all_castles_of_all_opponents():
    """castle_keep/empire, K38 and K39: who has lost every tile is out and has no more turns."""
    one = "-- WRZ -- / -- -- -- / -- -- --"
    game = load(3, "empire", many_attacks=True)
    state = table(PAIR, PAIR, one, one, one, one, hands=("WRZ WRZ", "", "WRZ WRZ"), game=game)
    state = play(state, "attack WRZ 2a.n")
    assert state.out == (False, False, False)
    assert not state.over
    state = play(state, "attack WRZ 2b.n")
    assert state.out == (False, True, False)
    assert not state.over
    state = play(state, "end")
    assert state.to_move == 2  # the second player is out
    state = changed(state, seat=0, hands=(tiles("WRZ WRZ"), (), ()))
    end = play(state, "attack WRZ 3a.n", "attack WRZ 3b.n")
    assert (end.winners, end.scores, end.ending) == ((0,), (1, 0, 0), "castle_keep/empire")


def test_empire_a_fallen_castle_may_be_begun_again():
    """castle_keep/empire, K39: from the hand, and by an exchange too."""
    one = "-- WRZ -- / -- -- -- / -- -- --"
    state = table(PAIR, PAIR, one, PAIR, hands=("WRZ", "WBC"), game=EMPIRE, pile=tiles("KY KY"))
    state = play(state, "attack WRZ 2a.n")
    assert (state.to_move, state.out) == (1, (False, False))
    assert [m for m in listed(state, "build") if " a." in m] == [f"build WBC a.{s}" for s in "nesw"]
    assert castle(play(state, "build WBC a.e"), 2) == laid("-- -- -- / -- -- WBC / -- -- --")
    assert castle(play(state, "exchange a.n b.n"), 2) == laid(one)
    assert broken(state, "build KY a.c") == ("castle_keep/first-tile",)  # as for any empty castle


def test_empire_out_is_who_loses_the_last_tile_with_a_castle_never_begun():
    """castle_keep/empire, K39: none of the castles has a tile, and one was lost."""
    one = "-- WRZ -- / -- -- -- / -- -- --"
    end = play(table(PAIR, PAIR, one, "", hands=("WRZ",), game=EMPIRE), "attack WRZ 2a.n")
    assert (end.out, end.winners, end.ending) == ((False, True), (0,), "castle_keep/empire")
    # Nobody is out before the first tile.
    assert table("", "", "", "", game=EMPIRE).out == (False, False)


def test_empire_a_castle_that_was_begun_again_falls_again():
    """castle_keep/empire, K39: a player is out only when nothing stands any more."""
    one = "-- WRZ -- / -- -- -- / -- -- --"
    state = table(PAIR, PAIR, one, PAIR, hands=("WRZ WRZ WRZ", "WRZ"), game=EMPIRE, pile=())
    state = play(state, "attack WRZ 2a.n", "build WRZ a.s", "end", "attack WRZ 2a.s")
    assert (state.over, state.out, state.to_move) == (False, (False, False), 1)
    end = play(state, "end", "attack WRZ 2b.n")
    assert end.winners == (0,)


def test_empire_an_empty_castle_that_nobody_destroyed_may_be_begun():
    """castle_keep/empire"""
    state = table(PAIR, "", PAIR, PAIR, hands=("TBC",), game=EMPIRE)
    assert "build TBC b.nw" in listed(state)


def test_empire_exchange_moves_a_tile_to_the_other_castle():
    """castle_keep/empire, K37"""
    state = table(PAIR, "-- WRC -- / -- -- -- / -- -- --", PAIR, PAIR, game=EMPIRE)
    after = play(state, "exchange a.nw b.ne")
    assert castle(after, 0) == laid("-- WRZ -- / -- -- -- / -- -- --")
    assert castle(after, 1) == laid("-- WRC TRC / -- -- -- / -- -- --")
    assert (after.deed, after.exchanged) == ("", 1)
    assert play(state, "exchange b.ne a.nw") == after
    assert play(state, "exchange 1a.nw 1b.ne") == after


def test_empire_exchange_swaps_two_tiles():
    """castle_keep/empire, K37"""
    state = table(PAIR, "TRS WRC -- / -- -- -- / -- -- --", PAIR, PAIR, game=EMPIRE)
    after = play(state, "exchange a.n b.n")
    assert castle(after, 0) == laid("TRC WRC -- / -- -- -- / -- -- --")
    assert castle(after, 1) == laid("TRS WRZ -- / -- -- -- / -- -- --")


@pytest.mark.parametrize(
    ("move", "rule", "says", "where"),
    [
        ("exchange a.n a.s", "castle_keep/empire", "not within one", ()),
        ("exchange a.e b.w", "castle_keep/empire", "Both spots are empty", ("1a.e", "1b.w")),
        ("exchange a.n b.e", "castle_keep/adjacent", "touches no wall or tower", ("1b.e",)),
        ("exchange a.n b.w", "castle_keep/match", "does not match", ("1b.w", "1b.nw")),
        ("exchange a.n b.nw", "castle_keep/spots", "A tower goes on a corner", ("1a.n",)),
        ("exchange a.n 2b.s", "castle_keep/one-of-three", "own castle", ()),
        ("exchange n s", "castle_keep/empire", "two castles", ()),
    ],
)
def test_empire_exchange_refusals(move, rule, says, where):
    """castle_keep/empire, K37: each tile must fit where it comes to lie."""
    state = table(PAIR, "TBC WBC -- / -- -- -- / -- -- --", PAIR, PAIR, game=EMPIRE)
    verdict = state.check(state.game.move(move))
    assert verdict.rules[0] == rule
    assert says in verdict.breaches[0].message
    assert verdict.breaches[0].where == where
    with pytest.raises(IllegalMove):
        play(state, move)


def test_empire_exchange_both_tiles_of_a_swap_must_fit():
    """castle_keep/empire, K37"""
    # The red zigzag wall would fit beside the red tower; the blue straight one not in its stead.
    state = table(PAIR, "TRS WBS -- / -- -- -- / -- -- --", PAIR, PAIR, game=EMPIRE)
    verdict = state.check(state.game.move("exchange a.n b.n"))
    assert [b.where for b in verdict.breaches] == [("1a.n", "1a.nw")]
    assert "exchange a.n b.n" not in listed(state)


def test_empire_exchange_is_free():
    """castle_keep/empire, K37: neither building nor attacking; before, between and after both."""
    mixed = "TBC WRZ -- / -- -- -- / -- -- --"
    game = load(way="empire", many_attacks=True)
    state = table(PAIR, EMPTY, mixed, mixed, hands=("WRZ WRZ WRC",), game=game)
    moved = play(state, "exchange a.n b.s")
    assert listed(moved, "attack") == ["attack WRZ 2a.n", "attack WRZ 2b.n"]
    attacked = play(moved, "attack WRZ 2a.n", "exchange a.n b.s", "attack WRZ 2b.n")
    assert castle(attacked) == laid(PAIR)
    assert broken(attacked, "build WRC a.w") == ("castle_keep/one-of-three",)
    built = play(moved, "build WRC a.w", "exchange a.w b.s")
    assert broken(built, "attack WRZ 2a.n") == ("castle_keep/one-of-three",)


def test_empire_eight_exchanges_in_a_turn():
    """castle_keep/empire, K37: so nobody exchanges for ever; the same tile may go to and fro."""
    state = table(PAIR, EMPTY, PAIR, PAIR, game=EMPIRE, hands=("WRC",))
    for number in range(8):
        assert state.exchanged == number
        assert "exchange a.n b.s" in listed(state)
        state = play(state, "exchange a.n b.s")
    assert castle(state) == laid(PAIR)
    assert not listed(state, "exchange")
    only = breach(state, "exchange a.n b.s")
    assert only.rule == "castle_keep/empire"
    assert only.message == "There are 8 exchanges in a turn, and no more."
    assert "build WRC a.w" in listed(state)
    assert "exchange a.n b.s" in listed(play(state, "end", "end"))


def test_empire_what_fits_nowhere_here_fits_in_the_other_castle():
    """castle_keep/empire, castle_keep/match: a mend looks at both castles."""
    state = table(PAIR, BLUE_PAIR, PAIR, PAIR, game=EMPIRE, hands=("TBS",))
    only = breach(state, "build TBS a.ne")
    assert only.mend == "Here it takes a tower that is red or zigzag. Try build TBS b.ne."
    assert only.mends == (Build(Tile("TBS"), Spot("ne", None, "b")),)
    nowhere = table(PAIR, PAIR, PAIR, PAIR, game=EMPIRE, hands=("TBS",))
    assert breach(nowhere, "build TBS a.ne").mend.endswith(
        "The blue straight tower fits nowhere now."
    )


def test_empire_equal_tiles_are_not_exchanged():
    """castle_keep/empire, K37"""
    state = table(PAIR, PAIR, PAIR, PAIR, game=EMPIRE)
    only = breach(state, "exchange a.n b.n")
    assert (only.rule, only.where) == ("castle_keep/empire", ("1a.n", "1b.n"))
    assert only.message == "On both lies a red zigzag wall, so nothing would change."
    assert "exchange a.n b.n" not in listed(state)


def test_empire_a_finished_castle_may_be_opened_again_to_finish_both():
    """castle_keep/empire"""
    # An exchange never adds a tile, so the last one is always laid from the hand.
    ring = WHOLE.replace("KR", "--")
    state = table(WHOLE, ring, PAIR, PAIR, hands=("KR",), game=EMPIRE)
    moved = play(state, "exchange a.c b.c")
    assert not moved.over
    assert play(moved, "build KR a.c").winners == (0,)


# -- king of the castle ----------------------------------------------------------------------

KING = load(way="king")


def test_king_both_build_on_one_castle():
    """castle_keep/king"""
    state = table(PAIR, hands=("WRC", "TRZ"), game=KING, pile=())
    assert len(state.castles) == 1
    state = play(state, "build WRC w", "end", "build TRZ sw")
    assert castle(state) == laid("TRC WRZ -- / WRC -- -- / TRZ -- --")


def test_king_whoever_completes_it_wins():
    """castle_keep/king, castle_keep/win-build"""
    state = table(WHOLE.replace("KR", "--"), hands=("", "KR"), game=KING, seat=1)
    assert play(state, "build KR c").winners == (1,)


def test_king_attacks_open_with_two_tiles():
    """castle_keep/king, K40"""
    one = "TRC -- -- / -- -- -- / -- -- --"
    state = table(one, hands=("WRZ WRC", "WRZ"), game=KING, open=False, pile=())
    only = state.check(state.game.move("attack WRZ n")).breaches[0]
    assert only.rule == "castle_keep/attack-open"
    assert only.message == "The castle has not had two tiles yet."
    assert only.mend.startswith("Build first. Try build WRC n, ")
    state = play(state, "build WRZ n")
    assert state.open
    assert broken(state, "attack WRC n")[0] == "castle_keep/one-of-three"
    assert "attack WRZ n" in listed(play(state, "end"))


def test_king_an_emptied_castle_starts_again():
    """castle_keep/king, K41: nobody has won, and attacks stay open."""
    state = table(PAIR, hands=("WRZ", "WBC TBC KB"), game=KING, pile=())
    state = play(state, "attack WRZ n")
    assert not state.over
    assert len(state.castles[0]) == 0
    assert state.to_move == 1
    assert broken(state, "build KB c") == ("castle_keep/first-tile",)
    state = play(state, "build WBC s", "build TBC sw")
    assert len(state.castles[0]) == 2
    assert state.open


def test_king_keep_and_refusals():
    """castle_keep/king, castle_keep/attack-keep"""
    home = PAIR.replace("/ -- -- -- /", "/ -- KR -- /", 1)
    state = table(home, hands=("KR KR WRZ",), game=KING)
    assert listed(state, "attack") == ["attack WRZ n", "attack KR c"]
    assert castle(play(state, "attack KR c")) == laid(PAIR)
    only = breach(state, "attack WRZ 2.n")
    assert (only.rule, only.mend) == ("castle_keep/king", "Try attack WRZ n.")


@pytest.mark.parametrize("spot", ["1.w", "2.w"])
@pytest.mark.parametrize("way", ["king", "solitaire"])
def test_king_the_one_castle_has_no_owner_to_build_for(way, spot):
    """castle_keep/king, castle_keep/solitaire: not the rule of one's own castle."""
    state = table(PAIR, hands=("WRC",), game=load(way=way))
    only = breach(state, f"build WRC {spot}")
    assert (only.rule, only.mend) == (f"castle_keep/{way}", "Try build WRC w.")
    assert only.message == "There is only one castle, and it has no name."


# -- siege solitaire -------------------------------------------------------------------------

ALONE = load(way="solitaire")


def siege(home, *pile, hand="", **changes):
    """The siege is about to turn up these tiles, one after the other."""
    below = tiles("TBS TBS TBS TBS TBS TBS")
    deck = (*below, *map(Tile, reversed(pile)))
    return table(home, hands=(hand,), game=ALONE, phase="siege", flips=2, pile=deck, **changes)


def test_solitaire_deal_and_a_first_tile_that_may_be_a_keep():
    """castle_keep/solitaire, castle_keep/deal, K47"""
    kinds = set()
    for seed in range(40):
        state = ALONE.start(seed)
        assert len(state.hands[0]) == 5  # four, and the one that is drawn
        assert len(state.pile) == 84
        (first,) = state.castles[0]
        kinds.add(first.kind)
        spots = {"tower": RING[::2], "wall": RING[1::2], "keep": ("c",)}[first.kind]
        assert any(state.castles[0][spot] is first for spot in spots)
    assert kinds == {"tower", "wall", "keep"}


def test_solitaire_draw_one_build_discard_turn_up_two():
    """castle_keep/solitaire"""
    state = table(PAIR, hands=("WYS WYS WYS WYS TYS WRC",), game=ALONE)
    state = changed(state, pile=tiles("TBS TBS TBS TBS TBS"))
    state = play(state, "build WRC w", "end", "discard TYS")
    assert (state.phase, state.flips) == ("siege", 2)
    only = breach(state, "end")
    assert (only.rule, only.mend) == ("castle_keep/solitaire", "Try turn.")
    state = play(state, "turn")
    assert (state.phase, len(state.pile)) == ("siege", 4)
    state = play(state, "turn")
    assert (state.phase, state.turn) == ("act", 10)
    assert len(state.pile) == 2
    assert len(state.hands[0]) == 5
    assert state.discards == tuple(map(Tile, ("TYS", "TBS", "TBS")))


def test_solitaire_what_is_identical_falls_with_its_run():
    """castle_keep/solitaire, K42: kind, colour and shape; towers too."""
    state = play(siege(RUN, "TRS"), "turn")
    assert castle(state) == laid("-- -- -- / WYC KR -- / TYC WRZ TYZ")
    assert Counter(state.discards) == Counter(tiles("TRS TRC WRZ TRS WRS"))
    assert state.turned == ((Tile("TRS"), ("nw", "n", "ne", "e")),)


def test_solitaire_near_misses_do_nothing():
    """castle_keep/solitaire, K42"""
    state = play(siege(RUN, "TRZ", "WYZ"), "turn", "turn")
    assert castle(state) == laid(RUN)
    assert state.discards == tuple(map(Tile, ("TRZ", "WYZ")))
    assert state.phase == "act"


def test_solitaire_a_keep_brings_down_the_keep_and_the_walls_of_its_colour():
    """castle_keep/solitaire, K42: walls that touch it, each with its run."""
    state = play(siege(RUN, "KR"), "turn")
    assert castle(state) == laid("-- -- -- / WYC -- -- / TYC -- TYZ")
    other = play(siege(RUN, "KB"), "turn")
    assert castle(other) == laid(RUN)


def test_solitaire_the_player_chooses_among_identical_tiles():
    """castle_keep/solitaire, K43"""
    state = play(siege(RUN, "WRZ", "KB"), "turn")
    assert (state.hit, state.phase) == (Tile("WRZ"), "siege")
    assert listed(state) == ["fall n", "fall s"]
    only = breach(state, "turn")
    assert (only.rule, only.where) == ("castle_keep/solitaire", ("n", "s"))
    wrong = breach(state, "fall e")
    assert (wrong.where, wrong.mend) == (("e",), "Try fall n or fall s.")
    assert wrong.mends == (Fall(Spot("n")), Fall(Spot("s")))
    assert breach(state, "fall 1.n").mend == "Try fall n."
    assert breach(state, "end").mend == "Try fall n or fall s."
    after = play(state, "fall s")
    assert castle(after) == laid(RUN.replace("TYC WRZ TYZ", "TYC -- TYZ"))
    assert after.hit is None
    assert listed(after) == ["turn"]
    assert breach(after, "fall n").message == "Nothing is hit yet."


def test_solitaire_two_tiles_one_after_the_other():
    """castle_keep/solitaire, K43: the second hits what the first has left."""
    state = play(siege(RUN, "WRS", "WRZ"), "turn")
    assert castle(state) == laid("-- -- -- / WYC KR -- / TYC WRZ TYZ")
    state = play(state, "turn")  # only one such wall is left: nothing to choose
    assert castle(state) == laid("-- -- -- / WYC KR -- / TYC -- TYZ")
    assert state.turned == (
        (Tile("WRS"), ("nw", "n", "ne", "e")),
        (Tile("WRZ"), ("s",)),
    )


def test_solitaire_won_before_the_siege():
    """castle_keep/solitaire, K44"""
    state = table(WHOLE.replace("KR", "--"), hands=("KR",), game=ALONE, pile=tiles("TRC"))
    end = play(state, "build KR c")
    assert (end.winners, end.scores, end.ending) == ((0,), (1,), "castle_keep/win-build")


def test_solitaire_lost_when_the_last_tile_is_drawn():
    """castle_keep/solitaire, K45: also in the draw at the beginning of a turn."""
    state = siege(WHOLE.replace("KR", "--"), "TBS", "TBS")
    state = changed(state, pile=tiles("TBS TBS KR")[::-1])
    lost = play(state, "turn", "turn")
    assert lost.pile == ()
    assert lost.hands[0] == tiles("KR")  # it would have been the last tile of the castle
    assert (lost.winners, lost.scores, lost.ending) == ((), (0,), "castle_keep/solitaire")
    assert "the piles are used up" in lost.describe()
    more = play(changed(state, pile=(Tile("TYS"), *state.pile)), "turn", "turn")
    assert len(more.pile) == 1
    assert play(more, "build KR c").winners == (0,)


def test_solitaire_the_pile_is_not_touched_by_a_draw_from_the_discards():
    """castle_keep/solitaire, castle_keep/adv-discard-draw, K45"""
    game = load(way="solitaire", draw_discard=True)
    state = changed(siege(PAIR), game=game, phase="draw", pile=tiles("KR"), discards=tiles("KY"))
    assert not play(state, "draw discard").over
    assert play(state, "draw pile").ending == "castle_keep/solitaire"


def test_solitaire_lost_when_the_castle_is_empty():
    """castle_keep/solitaire, K47"""
    end = play(siege(PAIR, "WRZ"), "turn")
    assert (end.winners, end.scores, end.ending) == ((), (0,), "castle_keep/solitaire")
    assert "the castle is lost" in end.describe()
    assert breach(end, "turn").message == "The game is over."


def test_solitaire_an_odd_last_tile_is_turned_up_and_then_it_is_lost():
    """castle_keep/solitaire, K45 and K46: no reshuffle."""
    state = changed(siege(RUN), pile=tiles("WRS"), discards=tiles("KB KB KB"))
    end = play(state, "turn")
    assert len(end.castles[0]) == 5
    assert (end.over, end.winners, end.pile) == (True, (), ())
    assert "the piles are used up" in end.describe()
    twice = play(changed(siege(RUN), pile=tiles("WRZ")), "turn")
    assert (twice.over, twice.moves()) == (True, ())  # it is lost, so there is nothing to choose


def test_solitaire_nobody_to_attack_and_nothing_to_turn_up_elsewhere():
    """castle_keep/solitaire"""
    state = table(PAIR, hands=("WRZ",), game=ALONE)
    assert breach(state, "attack WRZ n").message == "There is nobody to attack."
    assert not listed(state, "attack")
    assert breach(state, "turn").mend == "Try end."
    for move in ("turn", "fall n"):
        only = breach(table(PAIR), move)
        assert only.rule == "castle_keep/solitaire"
        assert only.message == "Tiles are turned up only in Siege Solitaire."


@pytest.mark.parametrize("switch", [False, True])
def test_solitaire_one_tile_is_drawn_not_two(switch):
    """castle_keep/solitaire: drawing goes by its own rule."""
    game = load(way="solitaire", draw_discard=switch)
    state = table(PAIR, hands=("WRZ",), game=game, discards=tiles("KB"))
    only = breach(state, "draw pile")
    assert (only.rule, only.mends) == ("castle_keep/solitaire", ())
    assert only.message == "The one tile of this turn is drawn already."
    rule = "castle_keep/solitaire" if switch else "castle_keep/adv-discard-draw"
    assert breach(state, "draw discard").rule == rule
    if switch:
        first = breach(changed(state, phase="draw"), "end")
        assert (first.rule, first.mend) == (
            "castle_keep/solitaire",
            "Try draw pile or draw discard.",
        )


def test_solitaire_the_one_tile_drawn_may_be_the_top_discard():
    """castle_keep/solitaire, castle_keep/adv-discard-draw"""
    game = load(way="solitaire", draw_discard=True)
    state = changed(siege(PAIR, "KB", "TYS"), game=game)
    state = play(state, "turn", "turn")
    assert state.phase == "draw"
    after = play(state, "draw discard")
    assert after.hands[0] == tiles("TYS")
    assert after.pile == state.pile


# -- what never changes in a game --------------------------------------------------------------


def strangers(castle):
    """The pairs of neighbours in a ring that match neither in colour nor in shape."""
    pairs = zip(RING, RING[1:] + RING[:1], strict=True)
    return {
        frozenset(pair)
        for pair in pairs
        if (one := castle[pair[0]]) is not None
        and (other := castle[pair[1]]) is not None
        and one.text[1] != other.text[1]
        and one.text[2] != other.text[2]
    }


HOMES = {"tower": RING[::2], "wall": RING[1::2], "keep": ("c",)}


def assert_lawful_step(before, after, last_matches_both):
    """Whatever happened to a castle: at most one tile is new, and it lies where it may.

    What goes away never makes strangers of those that stay. So strangers side by side come
    only from a tile that closed the ring, and it matched its other neighbour; where the
    closing tile must match both, there are never any.
    """
    new = [spot for spot in SPOTS if after[spot] is not None and after[spot] is not before[spot]]
    assert len(new) <= 1
    assert all(spot in HOMES[after[spot].kind] for spot in new)
    unlike = strangers(after)
    fresh = {pair for pair in unlike if pair & set(new)}
    assert unlike - fresh <= strangers(before)
    assert len(fresh) <= 1
    if fresh:
        assert after.ring_closed
    if last_matches_both:
        assert not unlike
    ring = {spot: after[spot] for spot in RING if after[spot] is not None and spot not in new}
    if new == ["c"]:
        assert after["c"].colour in {there.colour for there in ring.values()}
    elif new and ring:
        at = RING.index(new[0])
        assert ring.keys() & {RING[at - 1], RING[(at + 1) % 8]}
    elif new and after["c"] is not None:
        assert after["c"].colour == after[new[0]].colour


def own_castles(state, seat):
    sites = zip(state.castles, state.game.sites, strict=True)
    return [each for each, (owner, _) in sites if owner in (seat, None)]


def assert_just_ending(state, mover):
    """Who won, by looking at the table alone."""
    game = state.game
    own = {seat: own_castles(state, seat) for seat in range(game.players)}
    finished = [seat for seat, castles in own.items() if all(len(c) == 9 for c in castles)]
    if state.ending == "castle_keep/long-siege":
        assert (state.turn, state.winners) == (400, tuple(range(game.players)))
        assert not finished
    elif state.ending == "castle_keep/solitaire":
        assert state.winners == ()
        assert not finished
        assert not len(state.castles[0]) or not state.pile
    else:
        assert state.winners == (mover,)
        assert state.scores[mover] == 1
        if state.ending == "castle_keep/win-build":
            assert mover in finished
        elif state.ending == "castle_keep/win-destroy":
            assert any(not len(c) for seat in own if seat != mover for c in own[seat])
            assert game.way in ("classic", "takeover")
        else:
            assert (state.ending, game.way) == ("castle_keep/empire", "empire")
            razed = not any(len(c) for seat in own if seat != mover for c in own[seat])
            assert mover in finished or razed


@settings(max_examples=150)
@given(configs, seeds)
def test_what_never_changes_in_a_random_game(game, seed):
    """castle_keep/hand-limit, castle_keep/one-of-three, castle_keep/one-opponent, K16, K25, K27 and
    all of building.
    """
    box, before, deeds = list(game.box), None, []
    for move, state in random_states(game, seed):
        assert inventory(state) == box
        assert sum(state.scores) == (1 if state.over and len(state.winners) == 1 else 0)
        if before is None:
            before = state
            continue
        for old, new in zip(before.castles, state.castles, strict=True):
            if new is not old:
                assert_lawful_step(old, new, game.last_matches_both)
            if len(new) < len(old):
                assert isinstance(move, Attack | Exchange | TurnUp | Fall)
        assert state.open or not before.open
        assert all(new or not old for old, new in zip(before.out, state.out, strict=True))
        for seat, is_out in enumerate(state.out):
            assert not (is_out and any(len(each) for each in own_castles(state, seat)))
        assert state.exchanged <= 8
        deeds.append((move.kind, getattr(getattr(move, "spot", None), "owner", None)))
        if state.turn != before.turn or state.over:
            kinds = Counter(kind for kind, _ in deeds)
            assert not (kinds["attack"] and kinds["build"])
            assert kinds["exchange"] <= 8
            assert kinds["attack"] <= 1 or game.many_attacks
            assert len({owner for kind, owner in deeds if kind == "attack"}) <= 1
            deeds = []
        for seat, hand in enumerate(state.hands):
            ended = state.turn != before.turn and seat == before.seat != state.seat
            most = 4 if seat != state.seat or ended else 6
            assert len(hand) <= most
            assert list(hand) == sorted(hand, key=attrgetter("index"))
        if state.over:
            assert_just_ending(state, before.seat)
        before = state
    assert before.over


def conceivable(game):
    """Every move that can be written in the usual form: no owner for the own castle."""
    wings = ("a", "b") if game.way == "empire" else ("",)
    home = [Spot(spot, None, wing) for spot in SPOTS for wing in wings]
    anywhere = [Spot(spot, *site) for spot in SPOTS for site in game.sites]
    yield from (End(), TurnUp(), DrawTile(), DrawTile(discard=True))
    for tile in TILES:
        yield Discard(tile)
        yield from (Build(tile, spot, won) for spot in home for won in (False, True))
        yield from (Attack(tile, spot) for spot in anywhere)
    yield from (Fall(Spot(spot)) for spot in SPOTS)
    for one, other in product(SPOTS, SPOTS):
        yield Exchange(Spot(one, None, "a"), Spot(other, None, "b"))


@settings(max_examples=60)
@given(configs, seeds, st.data())
def test_moves_lists_exactly_what_check_accepts(game, seed, data):
    """And every refusal names a rule, a reason, and places of the table."""
    states = [state for _, state in random_states(game, seed)]
    state = states[data.draw(st.integers(0, len(states) - 1))]
    names = {str(Spot(spot, *site)) for spot in SPOTS for site in game.sites} | {"hand", "won"}
    legal = set(state.moves())
    assert len(legal) == len(state.moves())
    for move in conceivable(game):
        verdict = state.check(move)
        if move in legal:
            assert verdict, f"{move} is listed and refused: {verdict}"
            continue
        assert not verdict, f"{move} is legal and not listed"
        for only in verdict.breaches:
            assert only.rule.id in RULES
            assert only.message.endswith(".")
            assert not only.mend or only.mend.endswith(".")
            assert set(only.mends) <= legal
            assert all(str(mend) in only.mend for mend in only.mends[:4])
            assert set(only.where) <= names
            assert "  " not in str(only)


@settings(max_examples=40)
@given(configs, seeds, st.data())
def test_a_view_hides_hands_and_pile_and_a_guess_conserves_the_tiles(game, seed, data):
    """castle_keep/deal: tiles are secret, but not how many there are."""
    states = [state for _, state in random_states(game, seed)]
    state = states[data.draw(st.integers(0, len(states) - 1))]
    for player in range(game.players):
        view = state.view(player)
        assert view.hands[player] == state.hands[player]
        assert [len(hand) for hand in view.hands] == [len(hand) for hand in state.hands]
        for other in set(range(game.players)) - {player}:
            assert tuple(t for t in view.hands[other] if t is not BACK) == state.known[other]
        assert view.pile == (BACK,) * len(state.pile)
        assert view.chance is None
        assert (view.castles, view.discards, view.won) == (state.castles, state.discards, state.won)
        world = view.guess(player, Chance.seeded(seed))
        assert pieces(world) == Counter(game.box)
        assert world.view(player) == view
        assert world == state.guess(player, Chance.seeded(seed))  # nothing hidden is used
        for hand in world.hands:
            assert list(hand) == sorted(hand, key=TILES.index)


def taken_openly(states):
    """For each state the tiles that each seat took from the discards and has not played since."""
    seen = Counter()
    for before, move, after in states:
        seat = before.seat
        if move == DrawTile(discard=True):
            seen[seat, before.discards[-1]] += 1
        elif isinstance(move, Discard | Attack | Build) and not getattr(move, "won", False):
            gone = len(before.hands[seat]) - len(after.hands[seat])
            seen[seat, move.tile] = max(0, seen[seat, move.tile] - gone)
        yield after, +seen


@settings(max_examples=40)
@given(configs.filter(lambda game: game.draw_discard and game.players > 1), seeds, st.data())
def test_adv_discard_draw_what_was_taken_openly_is_remembered(game, seed, data):
    """castle_keep/adv-discard-draw: in every view, and in every guess."""
    played = list(random_states(game, seed))
    steps = [(before, move, after) for (_, before), (move, after) in pairwise(played)]
    remembered = list(taken_openly(steps))
    some = data.draw(st.lists(st.integers(0, len(remembered) - 1), min_size=1, max_size=8))
    for state, seen in (remembered[at] for at in some):
        for player in range(game.players):
            view = state.view(player)
            world = view.guess(player, Chance.seeded(seed))
            assert world.view(player) == view
            for (seat, tile), number in seen.items():
                assert view.hands[seat].count(tile) >= number
                assert world.hands[seat].count(tile) >= number


def test_adv_discard_draw_what_was_taken_is_known_until_it_is_played():
    """castle_keep/adv-discard-draw: of two alike nobody knows which was played."""
    game = load(draw_discard=True)
    gone = tuple(map(Tile, ("KR", "TRC")))
    state = table(PAIR, PAIR, game=game, hands=("", "TRC WBZ"), discards=gone, pile=tiles("KB KB"))
    state = play(state, "end", "draw discard")
    assert state.view(0).hands[1] == (Tile("TRC"), BACK, BACK, BACK)
    assert "Orange holds 4 tiles, among them a red curvy tower." in state.view(0).describe()
    assert state.guess(0, Chance.seeded(1)).hands[1].count(Tile("TRC")) >= 1
    after = play(state, "build TRC ne")
    assert after.view(0).hands[1] == (BACK,) * 3
    assert "Orange holds 3 tiles." in after.view(0).describe()
    other = play(state, "end")
    assert other.view(0).hands[1] == (Tile("TRC"), BACK, BACK, BACK)


def test_a_view_is_not_drawn_for():
    """castle_keep/draw-two, castle_keep/solitaire: what one would draw or turn up is hidden."""
    state = table(PAIR, PAIR, hands=("WRC",), discards=tiles("KY"), game=load(draw_discard=True))
    with pytest.raises(CastlelabError, match="drawn now is hidden; guess before"):
        play(play(state, "end").view(1), "draw pile")
    assert play(state.view(0), "end").view(0) == play(state, "end").view(0)  # the next one draws
    with pytest.raises(CastlelabError, match="turned up now is hidden; guess before"):
        play(siege(PAIR, "KB").view(0), "turn")


def test_guesses_differ():
    view = load().start(3).view(0)
    worlds = [view.guess(0, Chance.seeded(seed)) for seed in range(10)]
    assert len({world.hands[1] for world in worlds}) > 5
    assert len({world.pile for world in worlds}) == 10


@pytest.mark.parametrize("seat", [-1, 2, "0", None, True])
def test_seats_that_are_not_there(seat):
    with pytest.raises(CastlelabError, match=r"there is no seat .*; seats go from 0 to 1"):
        load().start(1).view(seat)


@seats
def test_every_pair_of_castles_at_a_table_is_named_differently(players):
    for way in ("classic", "empire"):
        names = load(players, way).castle_names
        assert all(one != other for one, other in combinations(names, 2))


def test_every_rule_of_the_game_is_named_here():
    """So that nobody adds a rule without a test of what it demands."""
    text = Path(__file__).read_text(encoding="utf-8")
    assert [rule for rule in RULES if rule not in text] == []


def test_what_is_said_of_a_moment():
    state = table(PAIR, BLUE_PAIR, hands=("WRC KR", "TBC"), discards=tiles("KB"))
    assert state.describe() == (
        "Turn 9, Blue: build, attack or end the turn. "
        "Blue's hand: red curvy wall and red keep. "
        "Blue's castle: north-west corner red curvy tower, north side red zigzag wall. "
        "Orange's castle: north-west corner blue curvy tower, north side blue zigzag wall. "
        "Orange holds 1 tile. "
        "Pile: 80 tiles. Discards: 1 tile, on top a blue keep. Attacks are open."
    )
    theirs = changed(state, seat=1, open=False).view(0).describe()
    assert theirs.startswith("Turn 9, Orange: build or end the turn. Blue's hand: red c")
    assert theirs.endswith("Attacks are not open yet.")
    alone = table("TRC -- -- / -- -- -- / -- -- --", game=ALONE, turned=((Tile("KB"), ()),))
    assert "Your hand: no tile. The castle: north-west corner red curvy tower." in alone.describe()
    assert "The blue keep that the siege turned up hit nothing." in alone.describe()
    assert "Attacks" not in alone.describe()


def test_what_is_said_is_enough_to_play_by():
    """Every part of the table on which a move may hang is in the words."""
    rows = ("TRC WRZ --", "-- -- --", "-- -- --")
    base = table(PAIR, BLUE_PAIR, hands=("WRC KR", "TBC"), discards=tiles("KB"))
    others = [
        changed(base, castles=(base.castles[0], Castle.parse(" / ".join(rows)))),
        changed(base, hands=(tiles("WRC KB"), base.hands[1])),
        changed(base, hands=(base.hands[0], tiles("TBC TBC"))),
        changed(base, discards=tiles("KR")),
        changed(base, pile=base.pile[1:]),
        changed(base, open=False),
        changed(base, deed="build"),
        changed(base, deed="attack", prey=1),
        changed(base, phase="discard"),
        changed(base, won=(tiles("KR"), ())),
        changed(base, known=((), tiles("TBC"))),
        changed(base, out=(False, True)),
    ]
    said = [state.describe() for state in (base, *others)]
    assert len(set(said)) == len(said)
    empire = table(PAIR, PAIR, PAIR, PAIR, game=EMPIRE)
    assert "5 of 8 exchanges are left" in changed(empire, exchanged=3).describe()
    hit = play(siege(RUN, "WRZ"), "turn")
    assert "the red zigzag wall hits the north side or south side, choose which" in hit.describe()
    assert "north-east and east fell" not in hit.describe()
    fell = play(siege(RUN, "TRS"), "turn")
    assert (
        "The red straight tower that the siege turned up: "
        "north-west, north, north-east and east fell." in fell.describe()
    )
