"""Playing Castell: every rule of set-up, turn, festival and end, and rulings C17–C59 by number."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tower_lists import simple_towers

import castlelab
from castlelab.chance import Chance
from castlelab.games.castell import Skills, Team, Tower, check, festival_score
from castlelab.games.castell.box import Performance
from castlelab.games.castell.moves import EndTurn, Enter, Go, Perform, Recruit, Special, Train
from castlelab.games.castell.performance import (
    can_perform,
    check_performance,
    performance_tower,
)
from castlelab.games.castell.scoring import Festival, Player
from castlelab.games.castell.tower import SKILLS, check_entry
from castlelab.rules import CastlelabError, IllegalMove

GAMES = {n: castlelab.load("castell", players=n, first="blue") for n in (2, 3, 4)}
ADVANCED = castlelab.load("castell", variant="advanced", first="blue")
START = {n: game.start(7) for n, game in GAMES.items()}
BOX = GAMES[2].box
NAMES = BOX.regions

# The wheel of most tests, clockwise from the north. The house puts the regions on it in the
# order Barcelona, Mataró, Tarragona, Terrassa, Valls, Vilafranca, Vilanova, clockwise from the
# special slot, which starts at the north; before round 1 it has turned by one. So in round 1:
# special slot → base, Barcelona → mix, Mataró → strength, Tarragona → width, Terrassa →
# practice, Valls → special, and Vilafranca and Vilanova → balance.
WHEEL = ("balance", "base", "mix", "strength", "width", "practice", "special", "balance")

SHAPE = Performance(2, (3, 2, 1))
SHOW = Performance(4, shown=Skills(mix=1))


def place(region):
    return NAMES.index(region)


def seated(state, seat=0, **changes):
    """The state with something changed about one player."""
    player = replace(state.players[seat], **changes)
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def put(items, region, item):
    at = place(region)
    return (*items[:at], item, *items[at + 1 :])


def turn(region="Valls", game=None, people="9*2 8", **changes):
    """Seat 0's turn in round 1, its pawn in a region where these people are."""
    state = game.start(7) if game else START[2]
    state = replace(state, wheel=WHEEL, regions=put(state.regions, region, Team(people)))
    return seated(state, pawn=place(region), **changes)


def play(state, *moves):
    for move in moves:
        state = state.play(state.game.move(move))
    return state


def legal(state, move):
    return bool(state.check(state.game.move(move)))


def broken(state, move):
    """The rules that a move would break."""
    return state.check(state.game.move(move)).rules


def listed(state, kind=""):
    return [str(move) for move in state.moves() if str(move).startswith(kind)]


def next_round(state):
    """Everybody passes until the next round."""
    now = state.round
    while state.round == now:
        state = state.play(state.moves()[-1])  # end, or stay out
    return state


def at_festival(*teams, wanted=((9,),), region="Valls", skills=None, first=0, round_=3):
    """The turns of a round are over, all pawns stand where its festivals begin."""
    state = START[len(teams)]
    return replace(
        state,
        players=tuple(
            Player(Team(team), skills or Skills(width=1), pawn=place(region)) for team in teams
        ),
        calendar=tuple(Festival(round_, place(region), sizes) for sizes in wanted),
        round=round_,
        first=first,
        turns=len(teams) - 1,
    ).play(EndTurn())


def pieces(state):
    """The castellers of the whole table by size."""
    total = Counter({size: n for size, n in enumerate(state.bag, start=1) if n})
    for team in (*state.regions, *(player.team for player in state.players)):
        total.update(team)
    return total


players = pytest.mark.parametrize("number", [2, 3, 4])

# -- set-up ----------------------------------------------------------------------------------


@players
def test_regions_filled(number):
    assert "castell/regions-filled" in GAMES[number].rules
    assert [len(region) for region in START[number].regions] == [{2: 3, 3: 4, 4: 5}[number]] * 7


@players
def test_no_casteller_is_lost_or_doubled_at_the_start(number):
    assert pieces(START[number]) == dict.fromkeys(range(1, 11), 15)


def test_wheel_side_the_eight_tiles_lie_in_random_order():
    assert "castell/wheel-side" in GAMES[2].rules
    wheels = {GAMES[2].start(seed).wheel for seed in range(20)}
    assert all(sorted(wheel) == sorted(BOX.wheel_tiles) for wheel in wheels)
    assert len(wheels) > 15


def test_wheel_side_standard_lets_every_region_use_the_special_slot_and_advanced_none():
    standard = replace(START[2], wheel=WHEEL)
    advanced = replace(ADVANCED.start(7), wheel=WHEEL)
    for region in range(7):
        assert "base" in standard.offered(region)
        assert "base" not in advanced.offered(region)
        assert advanced.offered(region) == (advanced.skill_at(region),)


@pytest.mark.parametrize(("number", "festivals", "tokens"), [(2, 8, 19), (3, 11, 26), (4, 14, 30)])
def test_calendar_by_players(number, festivals, tokens):
    """``castell/calendar``: of the house's spaces, 3 are for three or more, 3 for four.

    Tokens for two: 1+2+2+3+2+3+3+3 = 19; for three 2+3+2 more; for four 1+1+2 more.
    """
    calendar = START[number].calendar
    assert len(calendar) == festivals
    assert sum(len(festival.wanted) for festival in calendar) == tokens
    held = Counter(festival.round for festival in calendar)
    assert set(held) == set(range(3, 11))
    assert set(held.values()) <= {1, 2}
    assert [festival.round for festival in calendar] == sorted(held.elements())


def test_calendar_tiles_marked_i_come_first_and_no_tile_is_used_twice():
    for seed in range(5):
        calendar = GAMES[4].start(seed).calendar
        early = [festival.region for festival in calendar if festival.round <= 6]
        late = [festival.region for festival in calendar if festival.round > 6]
        assert sorted(early) == sorted(late) == list(range(7))
    assert len({GAMES[4].start(seed).calendar for seed in range(5)}) == 5


def test_calendar_with_four_players_shows_every_size_token():
    sizes = Counter(size for festival in START[4].calendar for size in festival.wanted)
    assert sizes == dict.fromkeys(range(1, 11), 3)
    assert all(1 <= len(festival.wanted) <= 3 for festival in START[4].calendar)


def test_performances_dealt():
    assert "castell/performances-dealt" in GAMES[2].rules
    for seed in range(5):
        tiles = GAMES[2].start(seed).tiles
        assert [len(pair) for pair in tiles] == [2] * 7
        dealt = [tile for pair in tiles for tile in pair]
        assert len(set(dealt)) == 14
        assert set(dealt) <= set(BOX.performances)


@players
def test_start_team_c56_c57(number):
    assert "castell/start-team" in GAMES[number].rules
    state = START[number]
    for player in state.players:
        assert len(player.team) == 7
        assert player.skills == Skills()
        assert player.tokens == 7
        assert player.pawn is None
    assert state.scores == (0,) * number
    assert state.to_move == state.first == 0
    assert state.winners == ()


def test_start_team_the_first_player_is_drawn_unless_told():
    """``castell/start-team``: each begins about as often, and the rest is dealt alike."""
    game = castlelab.load("castell", players=4)
    starts = [game.start(seed) for seed in range(400)]
    begun = Counter(state.first for state in starts)
    assert set(begun) == set(range(4))
    assert min(begun.values()) > 70
    for seat, colour in enumerate(("blue", "orange", "green", "gold")):
        told = castlelab.load("castell", players=4, first=colour).start(3)
        assert told.to_move == told.first == seat
        assert told == replace(starts[3], first=seat)
    assert play(starts[3], "end").to_move == (starts[3].first + 1) % 4


def test_nobody_begins_who_does_not_play():
    with pytest.raises(CastlelabError, match="castell with first='green' is for 3 to 4 players"):
        castlelab.load("castell", players=2, first="green")
    with pytest.raises(CastlelabError, match="first is one of 'drawn', 'blue'"):
        castlelab.load("castell", first="red")


# -- the round -------------------------------------------------------------------------------


@pytest.mark.parametrize("round_", range(2, 11))
def test_refill_in_rounds_3_5_7_and_9_only(round_):
    """``castell/refill``"""
    state = replace(START[3], round=round_ - 1, turns=2, calendar=(), regions=(Team("5"),) * 7)
    after = play(state, "end")
    assert after.round == round_
    if round_ in (3, 5, 7, 9):
        assert [len(region) for region in after.regions] == [4] * 7
        assert sum(after.bag) == sum(state.bag) - 7 * 3
        assert pieces(after) == pieces(state)
        assert all(region.count(5) >= 1 for region in after.regions)  # nobody was sent home
    else:
        assert after.regions == state.regions
        assert after.bag == state.bag


def test_c52_an_empty_bag_ends_the_refill_in_the_order_of_the_map():
    four_left = (0, 0, 4, 0, 0, 0, 0, 0, 0, 0)
    regions = (Team("9*2"), Team("9*3"), *(Team(),) * 5)
    state = replace(START[2], round=2, turns=1, calendar=(), regions=regions, bag=four_left)
    after = play(state, "end")
    # Capacity 3: the first region lacks one, the second none, the third takes the other three.
    assert [str(region) for region in after.regions] == ["9*2 3", "9*3", "3*3", "", "", "", ""]
    assert after.bag == (0,) * 10
    assert "castell/refill" in GAMES[2].rules
    later = replace(after, round=4, turns=1)
    assert play(later, "end").regions == after.regions


def test_a_view_does_not_know_what_a_refill_brings():
    view = replace(START[2], round=2, turns=1, calendar=()).view(1)
    with pytest.raises(CastlelabError, match="guess a state first"):
        view.play(EndTurn())
    assert view.guess(1, Chance.seeded(1)).play(EndTurn()).round == 3


def test_wheel_turns_c53_c54_one_slot_clockwise_every_round_the_first_included():
    """``castell/wheel-turns``: a region's sector stands at slot (start + round) mod 8."""
    state = replace(START[2], wheel=WHEEL, calendar=())
    shown = []
    for _ in range(10):
        shown.append((state.special_slot, state.skill_at(place("Barcelona"))))
        state = next_round(state)
    # The special slot starts at slot 0 and Barcelona at slot 1; round 1 has turned by one.
    assert [slot for slot, _ in shown] == [*WHEEL[1:], *WHEEL[:3]]
    assert [at for _, at in shown] == [*WHEEL[2:], *WHEEL[:4]]


def test_wheel_each_tile_is_at_one_place_at_a_time():
    state = replace(START[2], wheel=WHEEL)
    for round_ in range(1, 11):
        now = replace(state, round=round_)
        seen = [now.special_slot, *map(now.skill_at, range(7))]
        assert sorted(seen) == sorted(WHEEL)


@players
def test_turn_order_and_the_first_player_marker(number):
    """``castell/turn-order``"""
    state = replace(START[number], calendar=())
    for round_ in range(1, 11):
        assert state.round == round_
        assert state.first == (round_ - 1) % number
        order = []
        for _ in range(number):
            order.append(state.to_move)
            state = play(state, "end")
        assert order == [(state_first + round_ - 1) % number for state_first in range(number)]
    assert state.over
    assert state.first == 9 % number  # the marker does not pass after round 10


def test_no_festival_in_rounds_1_and_2_and_one_in_round_3():
    ready = "10*4 9*3 8*2 7"
    state = replace(
        START[2],
        players=tuple(Player(Team(ready), Skills(width=1), pawn=4) for _ in range(2)),
        calendar=tuple(Festival(round_, 4, (9,)) for round_ in range(3, 11)),
    )
    assert next_round(state).round == 2
    state = next_round(next_round(state))
    assert (state.round, state.festival) == (3, None)
    state = play(state, "end", "end")
    assert (state.round, state.festival) == (3, 0)


def test_after_round_10_nothing_is_legal():
    over = replace(START[2], round=11)
    assert over.to_move is None
    assert over.moves() == ()
    for move in ("end", "move Valls", "stay out", "enter 9 8 7 6"):
        assert broken(over, move) == ("castell/turn-order",)
    with pytest.raises(IllegalMove):
        play(over, "end")


def test_moves_of_a_festival_are_no_moves_of_a_turn_and_the_other_way_round():
    for move in ("enter 9*3 8*2 7 6", "stay out"):
        assert broken(turn(), move) == ("castell/turn-order",)
    festival = at_festival("10*4 9*3 8*2 7", "10*4 9*3 8*2 7")
    for move in ("end", "move Valls", "recruit 9", "train mix", "special recruit 9"):
        assert broken(festival, move) == ("castell/turn-order",)


# -- the turn --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("move Vilafranca", "move Valls"),
        ("recruit 9", "recruit 8"),
        ("train base", "train special recruit 8"),
        ("train special recruit 9", "train base"),
        ("special recruit 9", "special recruit 8"),
    ],
)
def test_action_once(first, again):
    state = play(turn(), first)
    assert broken(state, again) == ("castell/action-once",)
    assert not listed(state, again.rpartition(" ")[0])
    # The wheel may offer something else next round, but the action itself is there again.
    assert "castell/action-once" not in broken(play(state, "end", "end", "end"), again)


def test_c26_all_four_actions_in_any_order_or_none():
    actions = ("move Tarragona", "recruit 9", "train base", "special recruit 8")
    crowd = turn(people="9*3 8*3")
    crowd = replace(crowd, regions=put(crowd.regions, "Tarragona", Team("9*3 8*3")))
    for order in itertools.permutations(actions):
        state = play(crowd, *order)
        assert state.to_move == 0
        assert listed(state) == ["end"]
    assert play(crowd, "end").to_move == 1


def test_move_the_first_one_puts_the_pawn_anywhere():
    """``castell/move``"""
    assert listed(START[2]) == [*(f"move {name}" for name in NAMES), "end"]
    for name in NAMES:
        after = play(START[2], f"move {name}")
        assert after.players[0].pawn == place(name)
        assert broken(after, "move Valls")[0] == "castell/action-once"


def test_move_the_first_one_may_come_late_in_the_game():
    state = play(START[2], "end", "end")
    assert (state.round, state.to_move) == (2, 1)
    assert listed(state, "move") == [f"move {name}" for name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_move_later_ones_go_to_a_neighbour_only(name):
    state = turn(name)
    near = {NAMES[region] for region in BOX.neighbours[place(name)]}
    for other in NAMES:
        assert legal(state, f"move {other}") == (other in near)
        if other not in near:
            verdict = state.check(state.game.move(f"move {other}"))
            assert verdict.rules == ("castell/move",)
            assert verdict.where == (other,)
            assert all(neighbour in verdict.breaches[0].mend for neighbour in near)
    assert {move.removeprefix("move ") for move in listed(state, "move")} == near


def test_c24_a_special_move_does_not_put_the_pawn_on_the_map():
    assert broken(START[2], "special move Valls") == ("castell/move",)
    assert not listed(START[2], "special")


@pytest.mark.parametrize(
    "move",
    [
        "recruit 9",
        "train base",
        "train practice base",
        "train special recruit 9",
        "special recruit 9",
        "special perform 3-2-1 9*3 8*2 7",
    ],
)
def test_c25_every_other_action_needs_the_pawn_on_the_map(move):
    state = replace(START[2], wheel=WHEEL)
    assert broken(state, move) == ("castell/move",)
    assert "any region" in str(state.check(state.game.move(move)))


def test_c58_pawns_may_share_a_region():
    state = play(START[2], "move Valls", "end", "move Valls")
    assert [player.pawn for player in state.players] == [place("Valls")] * 2


def test_recruit_takes_one_or_two_of_your_choice_from_the_region():
    """``castell/recruit``"""
    state = turn(people="9*2 8")
    assert listed(state, "recruit") == ["recruit 9", "recruit 8", "recruit 9 9", "recruit 9 8"]
    after = play(state, "recruit 9 8")
    assert str(after.regions[place("Valls")]) == "9"
    assert after.players[0].team == state.players[0].team + Team("9 8")
    assert pieces(after) == pieces(state)


@pytest.mark.parametrize("move", ["recruit 8 8", "recruit 7", "recruit 9 7"])
def test_recruit_only_who_is_there(move):
    verdict = turn(people="9*2 8").check(GAMES[2].move(move))
    assert verdict.rules == ("castell/recruit",)
    assert verdict.where == ("Valls",)
    assert "There are 9*2 8." in str(verdict)


def test_recruit_not_three_and_not_none():
    state = turn(people="9*3")
    assert state.check(Recruit((9, 9, 9))).rules == ("castell/recruit",)
    assert state.check(Recruit(())).rules == ("castell/recruit",)


def test_recruit_from_nobody():
    state = turn(people="")
    assert not listed(state, "recruit")
    assert "Nobody is left there" in str(state.check(GAMES[2].move("recruit 9")))


def test_train_the_skill_of_the_region_or_of_the_special_slot():
    """``castell/train``"""
    state = turn("Barcelona")  # mix, and base at the special slot
    assert listed(state, "train") == ["train mix", "train base"]
    after = play(state, "train mix")
    assert after.players[0].skills == Skills(mix=1)
    for skill in ("balance", "strength", "width"):
        assert broken(state, f"train {skill}") == ("castell/train",)
    assert "It offers mix or base." in str(state.check(GAMES[2].move("train width")))


def test_train_in_the_advanced_game_only_at_the_region_c55():
    state = turn("Barcelona", ADVANCED)
    assert listed(state, "train") == ["train mix"]
    assert broken(state, "train base") == ("castell/train",)  # it faces No Regions: for nobody


def test_train_raises_what_is_owned_by_one():
    after = play(turn("Barcelona", skills=Skills(mix=3)), "train mix")
    assert after.players[0].skills == Skills(mix=4)


def test_c17_a_skill_of_rank_5_cannot_be_trained():
    state = turn("Barcelona", skills=Skills(mix=5))
    assert listed(state, "train") == ["train base"]
    assert broken(state, "train mix") == ("castell/train",)
    assert "rank 5" in str(state.check(GAMES[2].move("train mix")))


def test_c27_the_region_counts_at_the_moment_of_the_action():
    state = turn("Barcelona")
    assert legal(state, "train mix")
    assert not legal(state, "train strength")
    moved = play(state, "move Mataró")
    assert legal(moved, "train strength")
    assert not legal(moved, "train mix")


def test_practice_raises_an_owned_skill():
    """``castell/practice``: at Terrassa in round 1."""
    state = turn("Terrassa", skills=Skills(mix=2, width=5))
    assert listed(state, "train") == ["train practice mix", "train base"]
    assert play(state, "train practice mix").players[0].skills == Skills(mix=3, width=5)
    verdict = state.check(GAMES[2].move("train practice balance"))
    assert verdict.rules == ("castell/practice",)
    (breach,) = verdict.breaches  # Width has rank 5 already
    assert breach.mends == (Train("mix", practice=True),)
    assert breach.mend == "Play 'train practice mix' instead."


def test_c18_practice_cannot_be_chosen_without_a_skill_to_raise():
    none = turn("Terrassa", ADVANCED)
    assert not listed(none, "train")
    assert broken(none, "train practice mix") == ("castell/practice",)
    full = turn("Terrassa", ADVANCED, skills=Skills(mix=5))
    assert not listed(full, "train")
    assert broken(full, "train practice mix") == ("castell/practice",)  # not by way of Train


def test_c19_practice_raises_a_skill_that_is_new():
    state = turn("Terrassa", skills=Skills(strength=1))
    assert play(state, "train practice strength").players[0].skills == Skills(strength=2)


def test_practice_only_where_the_wheel_shows_it():
    state = turn("Valls", skills=Skills(mix=1))
    assert broken(state, "train practice mix") == ("castell/practice",)


def test_special_skill_gives_an_action_and_places_no_token():
    """``castell/special-skill``: at Valls in round 1."""
    after = play(turn(), "train special recruit 9")
    assert after.players[0].tokens == 7
    assert after.tokens[place("Valls")] == ()
    assert after.players[0].team.count(9) == START[2].players[0].team.count(9) + 1
    assert broken(turn("Barcelona"), "train special recruit 9") == ("castell/special-skill",)


def test_c20_special_by_training_and_the_special_action_in_one_turn():
    after = play(turn(), "train special recruit 9", "special recruit 9")
    assert after.players[0].tokens == 6
    assert str(after.regions[place("Valls")]) == "8"


def test_c21_special_by_training_works_without_a_token():
    state = turn(tokens=0)
    assert listed(state, "special") == []
    assert broken(state, "special recruit 9") == ("castell/special-action",)
    after = play(state, "train special recruit 9")
    assert after.players[0].tokens == 0


def test_special_action_recruits_one_and_places_a_token():
    """``castell/special-action``"""
    state = turn()
    after = play(state, "special recruit 9")
    assert after.players[0].tokens == 6
    assert after.tokens[place("Valls")] == (0,)
    assert str(after.regions[place("Valls")]) == "9 8"
    assert state.check(Special(Recruit((9, 8)))).rules == ("castell/special-action",)
    assert broken(state, "special recruit 7") == ("castell/special-action",)


def test_c23_after_a_special_move_the_token_lies_where_the_pawn_arrives():
    after = play(turn("Valls"), "special move Tarragona")
    assert after.players[0].pawn == place("Tarragona")
    assert after.tokens[place("Tarragona")] == (0,)
    assert after.tokens[place("Valls")] == ()
    assert broken(turn("Valls"), "special move Mataró") == ("castell/move",)


def test_a_move_and_a_special_move_make_two_steps():
    after = play(turn("Valls"), "move Vilafranca", "special move Terrassa")
    assert after.players[0].pawn == place("Terrassa")


def test_seven_special_actions_in_a_game_and_no_more():
    state = replace(turn(people="9*3"), calendar=())
    for used in range(7):
        assert state.players[0].tokens == 7 - used
        state = replace(state, regions=put(state.regions, "Valls", Team("9")))
        state = next_round(play(state, "special recruit 9"))
        while state.to_move != 0:
            state = play(state, "end")
    assert state.players[0].tokens == 0
    assert broken(state, "special move Tarragona") == ("castell/special-action",)


def test_a_performance_by_itself_is_no_move():
    state = turn()
    assert state.check(Perform("3-2-1", Tower("9*3 8*2 7"))).rules == ("castell/special-action",)


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (Go("Nowhere"), "castell/move"),
        (Recruit((0,)), "castell/recruit"),
        (Recruit((-1,)), "castell/recruit"),
        (Recruit((11,)), "castell/recruit"),
        (Recruit(("9",)), "castell/recruit"),
        (Special(Recruit((11,))), "castell/special-action"),
        (Special(Train("mix")), "castell/special-action"),
        (Special(EndTurn()), "castell/special-action"),
        (Special(Go("Nowhere")), "castell/move"),
    ],
)
def test_moves_that_were_made_up_by_hand_are_answered_by_a_rule(move, rule):
    state = turn(people="10*3")
    assert state.check(move).rules == (rule,)
    with pytest.raises(IllegalMove):
        state.play(move)
    if isinstance(move, Go):
        assert START[2].check(move).rules == (rule,)


@pytest.mark.parametrize("thing", [None, b"end", 7, Tower("9")])
def test_what_is_no_move_at_all_is_an_error_of_ours(thing):
    with pytest.raises(CastlelabError, match="is not a move of Castell"):
        turn().check(thing)


# -- local performances ----------------------------------------------------------------------

TEAM = Team("10*3 9*3 8*3 7*3 6*3")


def stage(tiles=(SHAPE, SHOW), tokens=(), **changes):
    """Seat 0's turn at Valls, where these tiles and these seats' tokens lie."""
    state = turn(**{"team": TEAM} | changes)
    return replace(
        state,
        tiles=put(state.tiles, "Valls", tiles),
        tokens=put(state.tokens, "Valls", tokens),
    )


def test_performance_region_only_tiles_of_the_pawns_region():
    elsewhere = replace(stage((SHOW,)), tiles=put(stage((SHOW,)).tiles, "Mataró", (SHAPE,)))
    verdict = elsewhere.check(GAMES[2].move("special perform 3-2-1 9*3 8*2 7"))
    assert verdict.rules == ("castell/performance-region",)
    assert "There: 4:mix." in str(verdict)
    assert not listed(elsewhere, "special perform 3-2-1")


@pytest.mark.parametrize(
    ("tower", "where"),
    [
        ("9*3 8*2", ()),
        ("9*3 8", ("level 2",)),
        ("9*2 8", ("level 1", "level 2")),
        ("10*3 9*2 8", None),
        ("10*3 7*2 6", None),
    ],
)
def test_performance_shape_exactly_the_widths_c32(tower, where):
    """``castell/performance-shape``: the sizes are free, the widths are not."""
    verdict = stage().check(GAMES[2].move(f"special perform 3-2-1 {tower}"))
    if where is None:
        assert verdict
    else:
        assert verdict.rules == ("castell/performance-shape",)
        assert verdict.where == where


def test_performance_shape_and_no_level_more():
    state = stage(skills=Skills(balance=1))
    verdict = state.check(GAMES[2].move("special perform 3-2-1 10*3 9*2 8 7"))
    assert verdict.rules == ("castell/performance-shape",)
    assert verdict.where == ("level 4",)


def test_a_performance_tower_has_to_stand_on_its_own_team():
    rules = stage().check(GAMES[2].move("special perform 3-2-1 5*3 4*2 4")).rules
    assert set(rules) == {"castell/level-smaller", "castell/own-castellers"}


def test_c33_c34_a_shown_skill_must_truly_be_needed():
    """``castell/performance-exhibition``: four levels that need Mix."""
    state = stage(skills=Skills(mix=1, width=1))
    plain = stage(skills=Skills(mix=1, width=1), team=TEAM + Team("10"))
    assert broken(plain, "special perform 4:mix 10*4 9*3 8*2 7") == (
        "castell/performance-exhibition",
    )
    assert legal(state, "special perform 4:mix 10*2+9*2 8*3 7*2 6")


def test_c35_further_skills_may_be_used_and_height_is_a_minimum():
    state = stage(skills=Skills(mix=1, width=1, balance=1))
    assert legal(state, "special perform 4:mix 10*3+9 8*3 7*2 6*2")
    assert legal(state, "special perform 4:mix 10*3+9 9*2 8*2 7 ")
    state = stage((Performance(4, shown=Skills(mix=1)),), skills=Skills(mix=1, balance=1))
    assert broken(state, "special perform 4:mix 10*2+9 8*2 7") == (
        "castell/performance-exhibition",
    )
    assert "The tile asks for 4 or more" in str(
        state.check(GAMES[2].move("special perform 4:mix 10*2+9 8*2 7"))
    )


def test_performance_claim_the_tile_and_all_tokens_c28_c29():
    """``castell/performance-claim``: tokens are collected before one's own is placed."""
    after = play(stage(tokens=(0, 1, 1)), "special perform 3-2-1 9*3 8*2 7")
    me = after.players[0]
    assert me.performances == (SHAPE,)
    assert me.collected[place("Valls")] == 3
    assert sum(me.collected) == 3
    assert me.tokens == 6  # one paid, none of the collected ones is for use again
    assert after.tokens[place("Valls")] == (0,)
    assert after.scores[0] == 2 + 3  # the tile's points and 1 for each token; one region gives 0


def test_c22_by_training_special_the_tokens_are_collected_and_none_is_placed():
    after = play(stage(tokens=(1,)), "train special perform 3-2-1 9*3 8*2 7")
    assert after.players[0].collected[place("Valls")] == 1
    assert after.players[0].tokens == 7
    assert after.tokens[place("Valls")] == ()


def test_c30_a_claimed_tile_is_not_replaced():
    after = play(stage(), "special perform 3-2-1 9*3 8*2 7")
    assert after.tiles[place("Valls")] == (SHOW,)
    later = play(after, "end", "end", "end")
    assert broken(later, "special perform 3-2-1 9*3 8*2 7") == ("castell/performance-region",)


def test_c31_a_performance_is_no_festival():
    after = play(stage(), "special perform 3-2-1 9*3 8*2 7")
    me = after.players[0]
    assert (me.best, me.prizes, me.sizes) == (0, (), ())
    assert me.team == TEAM  # and everybody stays in the team


def test_c48_a_tile_from_a_region_without_tokens_marks_no_region():
    after = play(stage(), "special perform 3-2-1 9*3 8*2 7")
    assert after.players[0].regions == frozenset()


def test_c47_a_token_that_was_only_placed_marks_no_region():
    assert play(turn(), "special recruit 9").players[0].regions == frozenset()


def test_two_performances_in_one_turn_by_both_ways():
    state = stage(skills=Skills(mix=1, width=1), tokens=(1,))
    after = play(
        state,
        "special perform 3-2-1 9*3 8*2 7",
        "train special perform 4:mix 10*2+9*2 8*3 7*2 6",
    )
    assert after.players[0].performances == (SHAPE, SHOW)
    assert after.players[0].collected[place("Valls")] == 2  # seat 1's, then one's own
    assert after.tokens[place("Valls")] == ()
    assert after.players[0].tokens == 6


def test_a_performance_is_listed_once_if_the_team_can_build_it():
    both = listed(stage(skills=Skills(mix=1, width=1)), "special perform")
    assert len(both) == 2
    assert all(legal(stage(skills=Skills(mix=1, width=1)), move) for move in both)
    assert not listed(stage(team=Team("9*2")), "special perform")


def test_a_performance_without_a_tower_is_judged_by_what_the_team_could_build():
    state = stage(skills=Skills(mix=1, width=1))
    tile = next(move.split()[2] for move in listed(state, "special perform"))
    poor = stage(team=Team("9*2"))
    (rule,) = broken(poor, f"special perform {tile}")
    assert rule in ("castell/performance-shape", "castell/performance-exhibition")


# -- festivals -------------------------------------------------------------------------------

# With Width 1 each of these teams has exactly one tower of four levels: everybody, 4-3-2-1.
NINES, TENS, LOW = "9*4 8*3 7*2 6", "10*4 9*3 8*2 7", "9*4 7*3 6*2 5"
ENTER = {team: f"enter {team}" for team in (NINES, TENS, LOW)}


def test_festival_entry_asks_for_the_pawn_the_levels_and_the_sizes():
    state = at_festival(TENS, NINES)
    assert broken(state, "enter 10*4 9*3 8*2") == ("castell/festival-entry",)
    assert broken(at_festival(TENS, NINES, wanted=((7, 9),)), "enter 10*3 9*2 8") == (
        "castell/festival-entry",
    )
    assert legal(state, ENTER[TENS])
    both = state.check(GAMES[2].move("enter 10*3 8*2 7"))
    assert len(both.breaches) == 2  # three levels only, and no 9


def test_festival_entry_the_tower_has_to_stand_and_be_of_the_team():
    state = at_festival(TENS, NINES)
    assert broken(state, ENTER[NINES]) == ("castell/own-castellers",)
    assert "castell/level-shrinks" in broken(state, "enter 10*2 9*3 8*2 7")


@pytest.mark.parametrize(
    "changes",
    [
        {"pawn": place("Mataró")},
        {"pawn": None},
        {"skills": Skills()},  # 3-2-1 is the most: three levels
        {"team": Team("10*4 8*3 7*2 6")},  # no 9
    ],
)
def test_who_cannot_enter_is_not_asked(changes):
    state = at_festival(TENS, NINES)
    before = replace(state, festival=None, waiting=(), turns=1, round=3)
    state = seated(before, 0, **changes).play(EndTurn())
    assert state.waiting == (1,)
    assert state.to_move == 1
    none = seated(seated(before, 0, **changes), 1, **changes).play(EndTurn())
    assert none.round == 4
    (passed,) = none.results  # castell/festival-entry: it was held, and nobody came
    assert passed.festival == before.calendar[0]
    assert (passed.towers, passed.prizes, passed.tokens) == ({}, {}, (None,))
    assert "nobody built" in none.describe()


def test_c36_nobody_has_to_enter():
    state = at_festival(TENS, NINES)
    assert listed(state)[-1] == "stay out"
    after = play(state, "stay out", ENTER[NINES])
    assert after.players[0].prizes == ()
    assert after.players[0].best == 0
    assert after.players[1].prizes == (("ribbon", place("Valls")),)  # alone at the festival


def test_c37_players_build_in_turn_order_and_in_the_open():
    state = at_festival(TENS, NINES, LOW, first=2)
    assert state.waiting == (2, 0, 1)
    seen = play(state, ENTER[LOW])
    assert seen.to_move == 0
    assert seen.entries == ((2, Tower(LOW)),)
    assert seen.view(1).entries == seen.entries


def test_festival_score_levels_and_wanted_castellers_only_the_best_is_kept():
    """``castell/festival-score``"""
    state = at_festival(TENS, NINES, wanted=((9,), (6,)))
    after = play(state, ENTER[TENS], ENTER[NINES])
    assert after.players[0].best == 4 + 3
    assert after.players[1].best == 4 + 4
    assert after.festival == 1  # wants a 6: only seat 1 has one
    later = play(after, ENTER[NINES])
    assert later.players[1].best == 8  # the second tower scores 4 + 1 and changes nothing


def test_c40_equal_tokens_count_twice_and_one_casteller_answers_both():
    state = at_festival(TENS, NINES, wanted=((7, 7),))
    after = play(state, ENTER[TENS], ENTER[NINES])
    assert after.players[0].best == 4 + 2 * 1
    assert after.players[1].best == 4 + 2 * 2
    assert [size for size, _ in after.players[1].sizes] == [7, 7]


def test_c41_a_casteller_in_a_mixed_level_has_the_printed_size():
    skills = Skills(width=1, mix=1)
    state = at_festival("10*2 9*2 8*3 7*2 6", NINES, wanted=((9,),), skills=skills)
    after = play(state, "enter 10*2+9*2 8*3 7*2 6", ENTER[NINES])
    assert after.players[0].best == 4 + 2


def test_festival_prizes_are_kept_with_their_region_c46():
    """``castell/festival-prizes``: 8 points beat 7 among two."""
    after = play(at_festival(TENS, NINES, region="Mataró"), ENTER[TENS], ENTER[NINES])
    assert after.players[1].prizes == (("medal", place("Mataró")),)
    assert after.players[0].prizes == (("ribbon", place("Mataró")),)
    assert after.players[0].regions == {place("Mataró")}


def test_c42_two_who_tie_alone_take_ribbons():
    after = play(at_festival(NINES, LOW), ENTER[NINES], ENTER[LOW])  # 4 + 4 each
    assert [player.prizes for player in after.players] == [(("ribbon", place("Valls")),)] * 2


def test_c44_the_prizes_go_by_participants_not_by_players():
    state = at_festival(TENS, NINES, LOW, TENS)
    after = play(state, ENTER[TENS], ENTER[NINES], "stay out", "stay out")
    assert [player.prizes for player in after.players] == [
        (("ribbon", place("Valls")),),
        (("medal", place("Valls")),),
        (),
        (),
    ]


def test_size_token_to_the_strict_most_and_a_tie_removes_it():
    """``castell/size-token``"""
    state = at_festival(TENS, NINES, wanted=((9, 8, 7),))
    after = play(state, ENTER[TENS], ENTER[NINES])
    # 9: 3 against 4; 8: 2 against 3; 7: 1 against 2.
    assert [size for size, _ in after.players[1].sizes] == [9, 8, 7]
    assert after.players[0].sizes == ()
    tied = play(at_festival(NINES, LOW, wanted=((9,),)), ENTER[NINES], ENTER[LOW])
    assert tied.players[0].sizes == tied.players[1].sizes == ()
    assert tied.results[0].tokens == (None,)


def test_c49_a_lone_participant_takes_every_token():
    after = play(at_festival(TENS, NINES, wanted=((9, 7),)), ENTER[TENS], "stay out")
    assert after.players[0].sizes == ((9, place("Valls")), (7, place("Valls")))


def test_c50_if_nobody_takes_part_nothing_is_won():
    state = at_festival(TENS, NINES)
    after = play(state, "stay out", "stay out")
    assert after.players == state.players
    assert after.round == 4


def test_c12_c38_c39_two_festivals_of_one_round_in_order_each_with_a_tower_of_its_own():
    state = at_festival(TENS, NINES, wanted=((9,), (8,)))
    assert state.festival == 0
    second = play(state, ENTER[TENS], ENTER[NINES])
    assert (second.round, second.festival) == (3, 1)
    assert second.waiting == (0, 1)
    # The same people and the same rank of Width serve again.
    after = play(second, ENTER[TENS], ENTER[NINES])
    assert (after.round, after.festival) == (4, None)
    assert len(after.results) == 2
    assert [len(player.prizes) for player in after.players] == [2, 2]


def test_a_festival_that_nobody_can_enter_is_passed_over():
    state = at_festival(TENS, NINES, wanted=((1,), (9,)))
    assert state.festival == 1


def test_after_the_festivals_the_marker_passes_and_the_turns_begin():
    after = play(at_festival(TENS, NINES, LOW, first=1), *["stay out"] * 3)
    assert (after.round, after.first, after.to_move, after.done) == (4, 2, 2, 0)


@pytest.mark.parametrize(
    ("rule", "tower", "skills", "without", "breaks"),
    [
        ("castell/balance", "10*3 9*3 8*2 7", {"balance": 1}, {}, "castell/level-shrinks"),
        ("castell/base", "10*6 9*3 8*2 7", {"base": 1}, {}, "castell/max-width"),
        (
            "castell/mix",
            "10*3+9 8*3 7*2 6",
            {"mix": 1, "width": 1},
            {"width": 1},
            "castell/level-one-size",
        ),
        (
            "castell/strength",
            "9*4 9*3 8*2 7",
            {"strength": 1, "width": 1},
            {"width": 1},
            "castell/level-smaller",
        ),
        ("castell/width", "10*4 9*3 8*2 7", {"width": 1}, {}, "castell/max-width"),
    ],
)
def test_each_skill_opens_a_festival_that_is_closed_without_it(
    rule, tower, skills, without, breaks
):
    assert rule in GAMES[2].rules
    team = str(Tower(tower).team)
    opened = at_festival(team, NINES, wanted=((8,),), skills=Skills(**skills))
    assert legal(opened, f"enter {tower}")
    assert listed(opened, "enter")
    closed = seated(opened, skills=Skills(**without))
    assert not listed(closed, "enter")
    verdict = closed.check(GAMES[2].move(f"enter {tower}"))
    assert verdict.rules == (breaks,)
    assert rule.partition("/")[2].title() in verdict.breaches[0].mend


@pytest.mark.parametrize(
    ("region", "changes", "before", "move", "mends"),
    [
        # The same deed, paid for in another way.
        ("Valls", {}, ["move Tarragona"], "move Valls", ["special move Valls"]),
        # Somewhere else, the nearest size, another way to raise a skill.
        ("Valls", {}, [], "move Mataró", ["move Tarragona", "move Vilafranca"]),
        ("Valls", {}, [], "special move Mataró", ["special move Tarragona"]),
        ("Mataró", {}, [], "train balance", ["train strength", "train base"]),
        # Nothing like it is left.
        ("Valls", {"tokens": 0}, ["move Tarragona", "train base"], "move Valls", ["end"]),
        ("Valls", {}, [], "stay out", ["end"]),
        ("Valls", {"pawn": None}, [], "train base", ["move Barcelona", "move Mataró"]),
    ],
)
def test_what_may_be_played_instead(region, changes, before, move, mends):
    state = play(seated(turn(region), **changes), *before)
    for breach in state.check(GAMES[2].move(move)).breaches:
        assert [str(mend) for mend in breach.mends][: len(mends)] == mends
        assert all(map(state.check, breach.mends))
        assert f"'{mends[0]}'" in breach.mend


def test_who_is_not_there_is_replaced_by_the_next_in_size():
    """``castell/recruit``"""
    state = replace(turn("Valls"), regions=(Team("9 7 2"),) * 7)
    (breach,) = state.check(Recruit((9, 3))).breaches
    assert breach.mends == (Recruit((9, 2)),)


def test_a_tower_for_the_festival_is_mended_into_one_that_may_enter():
    """``castell/festival-entry``"""
    state = at_festival("10*4 9*4 8*3 7", NINES, wanted=((8,),), skills=Skills(width=1, balance=1))
    wide = state.check(Enter(Tower("10*4 9*4 8*3 7*2")))
    assert {breach.mends for breach in wide.breaches} == {(Enter(Tower("10*4 9*4 8*3 7")),)}
    low = state.check(Enter(Tower("10*3 9*2 7")))  # it stands, but is not let in
    assert low.rules == ("castell/festival-entry",)
    for breach in low.breaches:
        entering, out = breach.mends
        assert state.check(entering)
        assert str(out) == "stay out"


def test_a_tower_for_a_performance_is_mended_into_its_shape():
    """``castell/performance-shape``"""
    tiles = ((SHAPE, SHOW),) * 7
    state = replace(turn("Valls", team=Team("9*3 8*3 7*2")), tiles=tiles)
    (breach,) = state.check(GAMES[2].move("special perform 3-2-1 9*3 8*3 7")).breaches[:1]
    assert [str(mend) for mend in breach.mends] == ["special perform 3-2-1 9*3 8*2 7"]
    poor = seated(state, tokens=0)
    for breach in poor.check(GAMES[2].move("special perform 3-2-1 9*3 8*3 7")).breaches:
        assert all(map(poor.check, breach.mends))  # no performance without a token


def test_moves_at_a_festival_list_one_tower_for_each_result_and_check_takes_the_others():
    team, skills, wanted = Team("9*4 8*3 7*2 6*2 5 4"), Skills(width=1, balance=1), (8, 6)
    state = at_festival(str(team), NINES, wanted=(wanted,), skills=skills)
    *entries, last = state.moves()
    assert str(last) == "stay out"

    def result(tower):
        return tower.height, *(tower.count(size) for size in wanted)

    every = [t for t in simple_towers(team, skills) if check_entry(t, wanted)]
    results = [result(move.tower) for move in entries]
    assert len(set(results)) == len(results)
    assert set(results) == set(map(result, every))
    others = [tower for tower in every if Enter(tower) not in entries]
    assert others
    for tower in others:
        assert state.check(Enter(tower))
    after = state.play(Enter(others[0])).play(state.moves()[-1])
    assert after.players[0].best == festival_score(others[0], wanted)


# -- the end ---------------------------------------------------------------------------------


def last_turn(**changes):
    state = replace(START[2], round=10, first=1, turns=1, calendar=())
    return seated(seated(state, 0, best=9), 1, **changes)


def test_the_game_ends_after_the_festivals_of_round_10():
    """``castell/final-score``: most points win."""
    assert not last_turn(best=3).over
    assert last_turn(best=3).winners == ()
    end = play(last_turn(best=3), "end")
    assert end.over
    assert end.scores == (9, 3)
    assert end.winners == (0,)
    festival = at_festival(TENS, NINES, round_=10)
    assert not festival.over
    end = play(festival, ENTER[TENS], ENTER[NINES])
    assert end.over
    # 7 + ribbon 1, and 8 + medal 3 + size token 2; one region each earns nothing yet.
    assert end.scores == (8, 13)
    assert [sheet.total for sheet in end.score_sheets] == [8, 13]


def test_c59_a_tie_shares_the_victory():
    end = play(last_turn(best=9), "end")
    assert end.winners == (0, 1)


def test_round_10_has_no_refill_and_the_marker_stays():
    before = last_turn()
    end = play(before, "end")
    assert (end.first, end.regions, end.bag) == (1, before.regions, before.bag)


# -- whole games -----------------------------------------------------------------------------


@players
@pytest.mark.parametrize("variant", ["standard", "advanced"])
def test_what_never_changes_in_a_random_game(number, variant):
    game = castlelab.load("castell", players=number, variant=variant)
    state, chance = game.start(number), Chance.seeded(variant)
    people = pieces(state)
    while not state.over:
        move, chance = chance.choice(state.moves())
        after = state.play(move)
        assert pieces(after) == people  # nobody comes or goes
        paid = sum(7 - player.tokens for player in after.players)
        lying = sum(map(len, after.tokens))
        collected = sum(sum(player.collected) for player in after.players)
        assert paid == lying + collected  # an action token is in hand, on the map or collected
        tiles = sum(map(len, after.tiles)) + sum(len(p.performances) for p in after.players)
        assert tiles == 14
        assert all(0 <= p.skills.rank(skill) <= 5 for p in after.players for skill in SKILLS)
        assert all(
            new.best >= old.best for new, old in zip(after.players, state.players, strict=True)
        )
        state = after


def conceivable():
    """Every move of a turn that can be written, but for performances."""
    steps = [Go(name) for name in NAMES]
    singles = [Recruit((size,)) for size in range(1, 11)]
    pairs = [Recruit((a, b)) for a in range(1, 11) for b in range(1, a + 1)]
    trained = [Train(skill, practice) for skill in SKILLS for practice in (False, True)]
    deeds = [Special(deed, paid) for deed in (*steps, *singles) for paid in (False, True)]
    return [*steps, *singles, *pairs, *trained, *deeds, EndTurn()]


@pytest.mark.parametrize("game", [GAMES[3], ADVANCED], ids=["standard", "advanced"])
def test_moves_lists_exactly_what_check_accepts(game):
    state, chance = game.start(17), Chance.seeded(17)
    number = 0
    while not state.over:
        if state.festival is None and number % 4 == 0:
            accepted = {str(move) for move in conceivable() if state.check(move)}
            assert accepted == {move for move in listed(state) if " perform " not in move}
        move, chance = chance.choice(state.moves())
        state, number = state.play(move), number + 1


def test_states_are_values():
    one, other = GAMES[2].start(7), castlelab.load("castell").start(7)
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, play(one, "end")}) == 2
    festival = at_festival(TENS, NINES)
    after = play(festival, ENTER[TENS], ENTER[NINES])
    assert hash(after) == hash(play(festival, ENTER[TENS], ENTER[NINES]))


# -- what a team can perform -----------------------------------------------------------------


@settings(max_examples=300)
@given(
    tile=st.sampled_from(GAMES[2].box.performances),
    people=st.lists(st.integers(1, 10), max_size=16),
    ranks=st.tuples(*[st.integers(0, 3)] * 5),
)
def test_can_perform_is_what_the_search_finds_whatever_was_asked_before(tile, people, ranks):
    team = Team(" ".join(map(str, people)))
    skills = Skills(*ranks)
    tower = performance_tower(tile, team, skills)
    assert can_perform(tile, team, skills) == (tower is not None)
    if tower is not None:
        assert check(tower, skills, team)
        assert not list(check_performance(tile, tower, skills))
