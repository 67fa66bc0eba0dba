"""The rules of Once Upon a Castle, one by one, and the rulings O1–O36 and O51–O53."""

import pickle
import re

import pytest
from once_moments import building, castle_with, moment, played, refused, texts

import castlelab
from castlelab.chance import Chance
from castlelab.game import changed
from castlelab.games.once_upon_a_castle import Castle
from castlelab.games.once_upon_a_castle.board import face_words
from castlelab.games.once_upon_a_castle.guests import Guest
from castlelab.games.once_upon_a_castle.moves import Use
from castlelab.games.once_upon_a_castle.play import LONGEST_REIGN
from castlelab.games.once_upon_a_castle.telling import todo
from castlelab.rules import CastlelabError

WHOLE_BUT_FLOOR = Castle(floors=3, towers=(2, 2, 2, 2), walls=4, sun=True)


# -- dice ------------------------------------------------------------------------------------


def test_roll_the_active_player_uses_both_dice_then_the_others_one_each():
    """once_upon_a_castle/roll, O5: active first, then clockwise, then the active player's lines."""
    state = moment(players=3, active=1, seat=1, dice=("wood", "stone"))
    order = []
    for text in ("use 1 a1", "use 2 b1", "use 2 b1", "use 1 a1"):
        order.append(state.to_move)
        state = played(state, text)
    assert order == [1, 1, 2, 0]
    assert state.active == 2  # nobody had a full line, so the next turn has begun
    assert state.turn == 2


def test_roll_the_dice_may_be_used_in_any_order_and_each_once():
    state = moment()
    after = played(state, "use 2 b1")
    assert after.left == (1,)
    assert refused(after, "use 2 d2").rule == "once_upon_a_castle/roll"
    assert refused(after, "lose 2").rule == "once_upon_a_castle/roll"
    assert played(after, "use 1 a1").phase == "follow"


def test_roll_o3_the_others_may_pass_and_use_only_one():
    state = played(moment(players=3), "use 1 a1", "use 2 b1")
    assert state.seat == 1
    assert "pass" in texts(state)
    assert played(state, "pass").seat == 2
    assert played(state, "use 1 c2").seat == 2  # no second die
    assert refused(state, "lose 1").rule == "once_upon_a_castle/roll"


def test_roll_o4_o8_the_active_player_cannot_refuse_a_die():
    state = moment()
    assert refused(state, "pass").rule == "once_upon_a_castle/roll"
    breach = refused(state, "lose 1")
    assert breach.rule == "once_upon_a_castle/roll"
    assert breach.message == "Die 1 can be used, so it must be."
    assert breach.mend == "Try use 1 a1, use 1 c2 or use 1 e4."
    assert breach.mends == tuple(map(state.game.move, ("use 1 a1", "use 1 c2", "use 1 e4")))
    assert breach.where == ("die 1",)


def test_what_is_to_do_and_what_is_missing_is_listed_in_english():
    """once_upon_a_castle/roll, once_upon_a_castle/build-line"""
    state = moment()
    assert todo(state) == "use the dice 1 and 2"
    assert todo(played(state, "use 1 a1")) == "use die 2"
    breach = refused(building(), "clear row 1")
    assert breach.message == "Row 1 is not full: it misses a token on a1, b1 and c1."
    assert breach.mend == "Try end."


def test_what_is_said_of_a_moment():
    state = moment(tokens=["d4 e4", "a1"], castles=[Castle(walls=1, residents=3)], pile=())
    assert state.describe() == (
        "Turn 1, Blue's: dice Wood and Stone. Blue: use the dice 1 and 2. "
        "Blue's tokens: d4 e4 on the board, 8 left, row 4 is full for a floor. "
        "Blue's castle has 0 floors, 0 towers, 1 wall, 0 flags, 3 residents, 1 point. "
        "Orange's tokens: a1 on the board, 9 left. "
        "Orange's castle has 0 floors, 0 towers, 0 walls, 0 flags, 0 residents, 0 points. "
        "0 guests to come."
    )
    last = ending("d4 e4 e3", Castle(floors=4, walls=1))
    assert "Orange: clear column 5 for the last time, or end." in last.describe()
    architect = moment("architect", shown=["king", "queen", "logger"])
    assert "On show: King (Crown): 1 point for each flag; Queen" in architect.describe()


def test_two_dice_alike_are_listed_once_and_both_accepted():
    state = moment(dice=("gold", "gold"))
    assert texts(state) == ["use 1 c1", "use 1 b2", "use 1 e3"]
    assert state.check(Use(2, "c1"))
    assert played(state, "use 2 c1", "use 1 b2").boards[0].tokens == ("c1", "b2")


def test_resource_a_die_goes_on_a_free_square_of_its_resource():
    """once_upon_a_castle/resource"""
    state = moment(tokens=["a1"])
    assert texts(state)[:2] == ["use 1 c2", "use 1 e4"]
    breach = refused(state, "use 1 b1")
    assert breach.rule == "once_upon_a_castle/resource"
    assert breach.where == ("b1",)
    assert breach.message == "b1 is Stone, not Wood."
    assert breach.mend == "Try use 1 c2 or use 1 e4."
    assert refused(state, "use 1 h8").rule == "once_upon_a_castle/resource"


def test_residents_o1_two_are_drawn():
    """once_upon_a_castle/residents"""
    state = moment(dice=("residents", "wood"))
    assert played(state, "use 1 residents").castles[0].residents == 2
    assert refused(state, "use 2 residents").rule == "once_upon_a_castle/residents"
    assert refused(state, "use 1 a1").rule == "once_upon_a_castle/residents"


def test_residents_o25_those_beyond_the_track_are_lost():
    length = moment().game.box.track.length
    state = moment(dice=("residents", "wood"), castles=[Castle(residents=length - 1)])
    assert played(state, "use 1 residents").castles[0].residents == length


def test_any_o6_a_question_mark_is_every_face_and_each_chooses_alone():
    """once_upon_a_castle/any"""
    state = moment(dice=("any", "any"))
    squares = [square.name for square in state.boards[0].squares]
    assert texts(state) == [*(f"use 1 {name}" for name in squares), "use 1 residents"]
    after = played(state, "use 1 a1", "use 2 residents", "use 1 d4")
    assert after.boards[0].tokens == ("a1",)
    assert after.castles[0].residents == 2
    assert after.boards[1].tokens == ("d4",)


def test_no_token_o7_without_a_free_square_the_chance_is_lost():
    """once_upon_a_castle/no-token"""
    state = moment(tokens=["a1 c2 e4"])
    assert texts(state)[0] == "lose 1"
    assert played(state, "lose 1").left == (2,)
    assert refused(state, "use 1 b1").mend == "Try lose 1."
    twice = played(moment(tokens=["a1 c2"], dice=("wood", "wood")), "use 1 e4")
    assert texts(twice) == ["lose 2"]


def test_no_token_o7_without_a_token_the_chance_is_lost():
    state = moment(tokens=["a1 b1 c1 a2 b2 c2 d2 c3 d3 e3"], dice=("food", "any"))
    assert texts(state) == ["lose 1", "use 2 residents"]
    assert refused(state, "use 1 d4").rule == "once_upon_a_castle/no-token"


def test_no_moving_a_token_stays():
    """once_upon_a_castle/no-moving"""
    state = moment(tokens=["a1"])
    assert refused(state, "shift a1 c2").rule == "once_upon_a_castle/no-moving"
    breach = refused(state, "use 1 a1")
    assert breach.rule == "once_upon_a_castle/no-moving"
    assert breach.where == ("a1",)


# -- lines -----------------------------------------------------------------------------------


def test_build_line_a_full_line_is_cleared_for_what_it_gives():
    """once_upon_a_castle/build-line"""
    state = building(tokens=["a1 b1 c1 d4"])
    assert texts(state) == ["clear row 1", "end"]
    after = played(state, "clear row 1")
    assert after.castles[0] == Castle(walls=1, residents=2)
    assert after.boards[0].tokens == ("d4",)
    breach = refused(state, "clear row 4")
    assert breach.rule == "once_upon_a_castle/build-line"
    assert breach.where == ("e4",)
    assert refused(state, "clear row 8").rule == "once_upon_a_castle/build-line"


def test_build_line_o2_only_at_the_end_of_the_own_turn():
    state = moment(tokens=["a1 b1", "d4 e4"], dice=("gold", "food"))
    state = played(state, "use 1 c1", "use 2 a2")
    assert state.seat == 1
    assert refused(state, "clear row 4").rule == "once_upon_a_castle/roll"
    state = played(state, "pass")
    assert (state.seat, state.phase) == (0, "build")
    state = played(state, "end")
    assert (state.seat, state.phase) == (1, "dice")  # the other line has to wait for its turn
    assert refused(state, "clear row 4").rule == "once_upon_a_castle/roll"


def test_build_line_o9_one_may_wait():
    state = building(tokens=["d4 e4"])
    after = played(state, "end")
    assert after.boards[0].tokens == ("d4", "e4")
    assert after.active == 1


def test_build_line_without_a_full_line_the_turn_ends_by_itself():
    state = played(moment(), "use 1 a1", "use 2 b1", "pass")
    assert (state.active, state.phase) == (1, "dice")


def test_build_line_several_lines_in_one_turn():
    state = building(tokens=["a1 b1 c1 d4 e4"])
    after = played(state, "clear row 1", "clear row 4")
    assert after.castles[0].main_parts == 2
    assert after.active == 1


def test_build_line_o11_a_line_without_use_frees_its_tokens():
    castle = Castle(floors=4)
    after = played(building(tokens=["d4 e4"], castles=[castle]), "clear row 4")
    assert after.castles[0] == castle
    assert after.boards[0].tokens == ()


def test_crossing_o10_only_one_of_two():
    """once_upon_a_castle/crossing"""
    state = building(tokens=["a1 b1 c1 a2 d4 e4"])
    assert texts(state) == ["clear row 1", "clear row 4", "clear column 1", "end"]
    after = played(state, "clear row 1")
    breach = refused(after, "clear column 1")
    assert breach.rule == "once_upon_a_castle/crossing"
    assert breach.where == ("a1",)
    assert "clear row 4" in texts(after)
    assert refused(after, "clear column 2").rule == "once_upon_a_castle/build-line"


# -- parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "tokens", "castle"),
    [
        ("row 4", "d4 e4", Castle(floors=4, guests=(Guest("visitor", 1),))),
        ("row 2", "a2 b2 c2 d2", Castle(towers=(2, 2, 2, 2), sun=True)),
        ("row 1", "a1 b1 c1", Castle(walls=4)),
    ],
)
def test_parts_never_a_fifth_of_a_kind(line, tokens, castle):
    """once_upon_a_castle/parts"""
    after = played(building(tokens=[tokens], castles=[castle]), f"clear {line}")
    assert after.castles[0].main_parts == 4


def test_floor_guest_o27_the_top_card_comes_at_once():
    """once_upon_a_castle/floor-guest"""
    state = building(tokens=["d4 e4"])
    after = played(state, "clear row 4")
    assert after.castles[0].floors == 1
    assert after.castles[0].guests == (state.pile[-1],)
    assert after.pile == state.pile[:-1]
    assert after.score(0).guests == state.pile[-1].points


def test_floor_guest_without_cards_there_is_none():
    after = played(building(tokens=["d4 e4"], pile=()), "clear row 4")
    assert (after.castles[0].floors, after.castles[0].guests) == (1, ())


def test_tower_o16_keeps_the_value_of_its_line():
    """once_upon_a_castle/tower"""
    state = building(tokens=["a2 b2 c2 d2 c3 d3 e3"])
    after = played(state, "clear row 2", "clear row 3")
    assert after.castles[0].towers == (5, 2)
    assert after.score(0).towers == 7


def test_sun_o17_for_the_first_four_towers_once():
    """once_upon_a_castle/sun"""
    three = Castle(towers=(2, 2, 5))
    first = played(building(tokens=["a2 b2 c2 d2"], castles=[three]), "clear row 2")
    assert first.castles[0].sun
    assert first.score(0).sky == 4
    late = building(tokens=["a2 b2 c2 d2"], castles=[three, Castle(towers=(2,) * 4, sun=True)])
    assert not played(late, "clear row 2").castles[0].sun


def test_wall_o12_brings_residents_even_beyond_the_fourth():
    """once_upon_a_castle/wall"""
    state = building(tokens=["c1 c2 c3"], castles=[Castle(walls=4, residents=5)])
    after = played(state, "clear column 3")
    assert after.castles[0] == Castle(walls=4, residents=8)
    assert after.score(0).total == after.game.box.track.value(8)  # the walls score nothing


def test_flags_o13_only_on_a_standing_wall():
    """once_upon_a_castle/flags"""
    without = played(building(tokens=["e3 e4"]), "clear column 5")
    assert without.castles[0].flags == ()
    assert without.boards[0].tokens == ()
    with_wall = played(building(tokens=["e3 e4"], castles=[Castle(walls=1)]), "clear column 5")
    assert with_wall.castles[0].flags == (2,)


@pytest.mark.parametrize(("walls", "room"), [(0, 0), (1, 2), (2, 4), (3, 5), (4, 6)])
def test_flags_o14_o15_the_first_two_walls_carry_two_in_any_mix(walls, room):
    castle = Castle(walls=walls)
    for number in range(9):
        castle = castle.with_flag(1 + number % 2)
    assert len(castle.flags) == room
    assert castle.flag_room == 0


def test_flags_a_wall_of_the_same_line_carries_its_flag():
    after = played(building("architect", tokens=["a1 a2 a3"]), "clear column 1")
    assert after.castles[0] == Castle(walls=1, flags=(1,), residents=3)


# -- the end ---------------------------------------------------------------------------------


def test_end_o18_the_twelfth_part_draws_the_cloud():
    """once_upon_a_castle/end"""
    state = building(tokens=["d4 e4"], castles=[WHOLE_BUT_FLOOR])
    after = played(state, "clear row 4")
    assert after.over
    assert after.ending == "once_upon_a_castle/end"
    assert after.castles[0].cloud
    assert not after.castles[1].cloud
    assert after.score(0).sky == 8  # sun and cloud
    assert len(after.castles[0].guests) == 1  # the floor's guest still came
    assert refused(after, "end").rule == "once_upon_a_castle/end"


def test_end_o19_other_lines_go_before_the_twelfth_part():
    state = building(tokens=["d4 e4 b1 b2"], castles=[WHOLE_BUT_FLOOR])
    before = played(state, "clear column 2", "clear row 4")
    assert before.castles[0].flags == (2,)
    at_once = played(state, "clear row 4")
    assert at_once.over
    assert at_once.castles[0].flags == ()


def ending(tokens, castle=None, version="apprentice", **changes):
    """Player 1 has drawn the twelfth part; player 2 may draw what is full."""
    floor = {"apprentice": ("d4 e4", "clear row 4"), "architect": ("c5 d5", "clear row 5")}[version]
    state = building(
        version, tokens=[floor[0], tokens], castles=[WHOLE_BUT_FLOOR, castle or Castle()], **changes
    )
    state = played(state, floor[1])
    return played(state, "guest queen") if version == "architect" else state


def test_end_o20_the_others_draw_what_is_full_once():
    state = ending("a1 b1 c1 a2 d4 e4", Castle(walls=1))
    assert (state.seat, state.phase) == (1, "last")
    assert texts(state) == ["clear row 1", "clear row 4", "clear column 1", "end"]
    after = played(state, "clear row 1")
    assert refused(after, "clear column 1").rule == "once_upon_a_castle/crossing"
    after = played(after, "clear row 4")
    assert after.over
    assert after.castles[1].main_parts == 3
    assert len(after.castles[1].guests) == 1


def test_end_o20_in_the_order_of_play_and_everybody_once():
    state = building(
        players=4,
        active=2,
        seat=2,
        tokens=["d4 e4", "a1 b1 c1", "d4 e4", "d4 e4"],
        castles=[Castle(), Castle(), WHOLE_BUT_FLOOR],
    )
    state = played(state, "clear row 4")
    seats = []
    while not state.over:
        seats.append(state.seat)
        state = played(state, "end")
    assert seats == [3, 0, 1]


def test_end_o20_only_lines_that_still_draw_something():
    state = ending("d4 e4 e3", Castle(floors=4, walls=1))
    assert texts(state) == ["clear column 5", "end"]
    breach = refused(state, "clear row 4")
    assert breach.rule == "once_upon_a_castle/end"
    assert ending("d4 e4", Castle(floors=4)).over  # nothing to draw: no question is asked


def test_end_no_dice_any_more():
    assert refused(ending("d4 e4"), "use 1 a1").rule == "once_upon_a_castle/end"


def test_end_o21_the_sun_but_not_the_cloud_is_still_there():
    almost = Castle(floors=4, towers=(2, 2, 2), walls=4)
    state = building(
        tokens=["d4 e4", "a2 b2 c2 d2"],
        castles=[changed(WHOLE_BUT_FLOOR, sun=False), almost],
    )
    after = played(state, "clear row 4", "clear row 2")
    assert after.over
    assert after.castles[1].sun
    assert after.castles[1].complete
    assert not after.castles[1].cloud


def test_end_o22_nobody_steals_or_wakes_guests_after_it():
    state = ending(
        "a1 b1 b4 c4 d4 d5", castle_with("logger", walls=1), "architect", shown=["queen"]
    )
    assert texts(state) == ["clear column 4", "end"]
    for line in ("row 1", "row 4"):
        assert refused(state, f"clear {line}").rule == "once_upon_a_castle/end"


def test_wall_o12_the_last_phase_gives_a_walls_residents_with_four_walls():
    """once_upon_a_castle/wall, once_upon_a_castle/end: as on any turn."""
    state = ending("a1 b1 c1", Castle(walls=4))
    row = state.boards[1].line("row 1").gift
    assert (row.wall, row.residents > 0) == (True, True)
    assert texts(state) == ["clear row 1", "end"]
    after = played(state, "clear row 1")
    assert (after.castles[1].walls, after.castles[1].residents) == (4, row.residents)
    full = Castle(walls=4, residents=state.game.box.track.length)
    assert ending("a1 b1 c1", full).over  # nobody is left to come


def test_end_o23_a_bolt_guest_acts_but_asks_for_no_tokens():
    """once_upon_a_castle/end, once_upon_a_castle/bolt: no line is cleared any more, so a token
    counts for nothing.
    """
    state = ending("c5 d5 a2", version="architect", shown=["queen", "logger", "king"])
    after = played(state, "clear row 5", "guest logger")
    assert after.over
    assert after.boards[1].tokens == ("a2",)


@pytest.mark.parametrize(
    ("guest", "residents"), [("architect", 1), ("bohemian", 4), ("magician", 0), ("peasant", 0)]
)
def test_bolt_o23_after_the_twelfth_part_only_what_counts_is_brought(guest, residents):
    """once_upon_a_castle/bolt: to whoever ended the game, and to the others."""
    floor = WHOLE_BUT_FLOOR
    state = building("architect", tokens=["c5 d5 a2"], castles=[floor], shown=["queen", guest])
    after = played(state, "clear row 5", f"guest {guest}")
    assert after.over
    assert after.castles[0].residents == floor.residents + residents
    assert after.boards[0].tokens == ("a2",)


def woken_dog(face, *guests, **parts):
    """The game is ending, and Dagobert comes to player 2 and rolls this face."""
    castle = castle_with(*guests, **parts)
    state = ending("c5 d5 a2", castle, "architect", shown=["queen", "dagobert", "king"])
    for seed in range(200):
        after = played(changed(state, chance=Chance.seeded(seed)), "clear row 5", "guest dagobert")
        if after.rolled == ("dagobert", face):
            return after
    raise AssertionError(f"Dagobert never rolls {face}")


def test_bolt_o23_dagoberts_faces_bring_what_still_counts():
    """once_upon_a_castle/bolt, once_upon_a_castle/guest-dagobert: residents, flags and clouds, and
    no tokens.
    """
    assert woken_dog("wood").over
    assert woken_dog("residents").castles[1].residents == 4
    assert woken_dog("residents", "knight").castles[1].residents == 4  # no token instead
    assert woken_dog("food").castles[1].residents == 0
    assert woken_dog("food", "cook").castles[1].residents == 2  # and no token is asked for
    monk = woken_dog("gold", "monk", walls=2)
    assert texts(monk) == ["take flag", "stop"]
    breach = refused(monk, "place b1")
    assert (breach.rule, breach.mend) == ("once_upon_a_castle/end", "Try take flag.")
    assert played(monk, "take flag", "take flag").castles[1].flags == (2, 2)


def test_bolt_o23_a_question_mark_of_dagobert_is_what_still_counts():
    """once_upon_a_castle/bolt, once_upon_a_castle/guest-dagobert"""
    plain = woken_dog("any")
    assert texts(plain) == ["choose residents", "stop"]
    breach = refused(plain, "choose wood")
    assert (breach.rule, breach.mend) == ("once_upon_a_castle/end", "Try choose residents.")
    assert refused(plain, "choose cloud").rule == "once_upon_a_castle/guest-shepherdess"
    helped = woken_dog("any", "cook", "monk", "shepherdess", walls=1)
    assert texts(helped) == [
        *("choose gold", "choose food", "choose residents", "choose cloud", "stop")
    ]


def test_dagoberts_roll_is_kept_and_told():
    """once_upon_a_castle/guest-dagobert: until the turn is over, also where nothing is left to
    decide.
    """
    state = building("architect", tokens=["a1 b1"], castles=[castle_with("dagobert")])
    rolls = set()
    for seed in range(40):
        woken = played(changed(state, chance=Chance.seeded(seed)), "clear row 1")
        after = played(woken, "reactivate dagobert")
        if after.active == 0:
            name, face = after.rolled
            rolls.add(face)
            assert name == "dagobert"
            assert f"Dagobert rolled {face_words(face)}." in after.describe()
            assert after.view(1).rolled == after.rolled
            assert after.picture().target("rolled").name == f"Dagobert rolled {face_words(face)}"
            while after.active == 0:
                after = after.play(after.moves()[-1])
        assert after.rolled is None
        assert after.picture().target("rolled") is None
    assert rolls == {"wood", "stone", "gold", "food", "any"}


def test_dagoberts_residents_are_told_too():
    """once_upon_a_castle/guest-dagobert: they come by themselves, so the turn has to go on to tell
    them.
    """
    tokens = ["a1 b1 c5 d5"]
    state = building("architect", tokens=tokens, castles=[castle_with("dagobert")])
    seen = [
        after
        for seed in range(60)
        if (
            after := played(
                changed(state, chance=Chance.seeded(seed)), "clear row 1", "reactivate dagobert"
            )
        ).rolled
        == ("dagobert", "residents")
    ]
    assert seen
    for after in seen:
        assert (after.active, after.castles[0].residents) == (0, 4)
        assert "Dagobert rolled Residents." in after.describe()


def test_score_adds_everything_up():
    """once_upon_a_castle/score"""
    castle = castle_with(
        "queen",
        "logger",
        towers=(5, 2),
        flags=(2, 1),
        walls=2,
        residents=6,
        sun=True,
        cloud=True,
        small_clouds=1,
    )
    found = moment("architect", castles=[castle]).score(0)
    assert (found.towers, found.sky, found.flags, found.guests) == (7, 10, 3, 4)
    assert found.residents == moment().game.box.track.value(6)
    assert found.total == 24 + found.residents


def test_score_o24_o26_the_group_of_the_last_resident():
    track = moment().game.box.track
    assert track.value(0) == 0
    start = 0
    for end, value in zip(track.ends, track.values, strict=True):
        assert {track.value(number) for number in range(start + 1, end + 1)} == {value}
        start = end


def test_score_o51_ties_share():
    state = building(tokens=["d4 e4"], castles=[WHOLE_BUT_FLOOR], pile=())
    castle = Castle(towers=(5, 5, 2), residents=0, cloud=False, small_clouds=2)
    after = played(changed(state, castles=(WHOLE_BUT_FLOOR, castle)), "clear row 4")
    assert after.scores == (16, 16)
    assert after.winners == (0, 1)
    assert "Blue and Orange share the victory" in after.describe()


def test_o52_the_first_player_is_drawn():
    game = castlelab.load("once_upon_a_castle", players=4)
    assert {game.start(seed).active for seed in range(40)} == {0, 1, 2, 3}
    assert all(game.start(seed).turn == 1 for seed in range(5))


def test_o53_no_equal_number_of_turns():
    state = building(tokens=["d4 e4"], castles=[WHOLE_BUT_FLOOR], turn=7)
    assert played(state, "clear row 4").over  # player 2 has had three turns, player 1 four


def test_long_reign_the_game_ends_after_sixty_turns_each():
    """once_upon_a_castle/long-reign"""
    state = building(tokens=["d4 e4"], turn=2 * LONGEST_REIGN)
    after = played(state, "end")
    assert after.over
    assert after.ending == "once_upon_a_castle/long-reign"
    assert not any(castle.cloud for castle in after.castles)
    assert after.round == 60
    assert refused(after, "end").rule == "once_upon_a_castle/long-reign"
    assert not played(changed(state, turn=2 * LONGEST_REIGN - 1), "end").over


# -- lines of the Great Architect --------------------------------------------------------------


def test_guest_choice_o28_one_of_three_and_refilled_at_once():
    """once_upon_a_castle/guest-choice"""
    state = building(
        "architect", tokens=["c5 d5"], shown=["king", "queen", "guard"], pile=["cook", "troll"]
    )
    state = played(state, "clear row 5")
    assert texts(state) == ["guest king", "guest queen", "guest guard"]
    breach = refused(state, "guest cook")
    assert breach.rule == "once_upon_a_castle/guest-choice"
    assert breach.where == ("guest king", "guest queen", "guest guard")
    assert refused(state, "end").rule == "once_upon_a_castle/guest-choice"
    after = played(state, "guest queen")
    assert [guest.name for guest in after.shown] == ["king", "troll", "guard"]
    assert [guest.name for guest in after.pile] == ["cook"]
    assert after.castles[0].guests[0].name == "queen"


def test_guest_choice_without_cards_fewer_are_on_show():
    state = building("architect", tokens=["c5 d5"], shown=["king", "queen"])
    state = played(changed(state, pile=()), "clear row 5", "guest king")
    assert [guest.name for guest in state.shown] == ["queen"]
    bare = changed(building("architect", tokens=["c5 d5"]), shown=(), pile=())
    assert played(bare, "clear row 5").active == 1


def test_bolt_acts_when_gained_and_o29_completes_lines_of_the_same_turn():
    """once_upon_a_castle/bolt"""
    state = building("architect", tokens=["c5 d5 a2"], shown=["logger", "queen", "guard"])
    state = played(state, "clear row 5", "guest logger")
    assert refused(state, "clear row 2").rule == "once_upon_a_castle/bolt"
    state = played(state, "place b2", "stop")
    assert "clear row 2" in texts(state)
    assert played(state, "clear row 2").castles[0].walls == 1


def test_bolt_the_rest_may_be_left_alone():
    state = building("architect", tokens=["c5 d5"], shown=["logger", "queen", "guard"])
    state = played(state, "clear row 5", "guest logger")
    assert texts(state)[-1] == "stop"
    assert played(state, "stop").active == 1
    assert refused(moment("architect"), "stop").rule == "once_upon_a_castle/bolt"
    assert refused(moment("architect"), "place a1").rule == "once_upon_a_castle/bolt"


def test_hourglass_o41_helps_on_the_turns_of_others_while_the_guest_stays():
    """once_upon_a_castle/hourglass"""
    castles = [Castle(), castle_with("knight")]
    state = moment(
        "architect", castles=castles, dice=("residents", "gold"), phase="follow", seat=1, left=()
    )
    assert "use 1 a1" in texts(state)
    gone = changed(state, castles=(castles[1], castles[0]))
    assert refused(gone, "use 1 a1").rule == "once_upon_a_castle/residents"


def test_crown_o48_counts_at_the_end_for_whoever_holds_it():
    """once_upon_a_castle/crown"""
    mine = castle_with("prince", walls=3)
    theirs = Castle(walls=1)
    state = building("architect", tokens=["", "b4 c4 d4"], castles=[mine, theirs])
    state = changed(state, active=1, seat=1)
    assert (state.score(0).guests, state.score(1).guests) == (3, 0)
    after = played(state, "clear row 4", "steal prince")
    assert (after.score(0).guests, after.score(1).guests) == (0, 1)


def test_reactivate_o30_one_bolt_guest_of_choice():
    """once_upon_a_castle/reactivate"""
    castle = castle_with("bohemian", "architect", "queen")
    state = played(building("architect", tokens=["a1 b1"], castles=[castle]), "clear row 1")
    assert texts(state) == ["reactivate bohemian", "reactivate architect"]
    assert refused(state, "reactivate queen").rule == "once_upon_a_castle/bolt"
    assert refused(state, "reactivate king").rule == "once_upon_a_castle/reactivate"
    after = played(state, "reactivate bohemian")
    assert after.castles[0].residents == 4
    assert after.active == 1
    assert refused(moment("architect"), "reactivate king").rule == "once_upon_a_castle/reactivate"


def test_reactivate_o31_without_a_bolt_guest_nothing_happens():
    state = building("architect", tokens=["a1 b1"], castles=[castle_with("queen")])
    after = played(state, "clear row 1")
    assert after.boards[0].tokens == ()
    assert after.active == 1


def test_steal_o32_any_guest_of_anybody():
    """once_upon_a_castle/steal"""
    state = building(
        "architect",
        players=3,
        tokens=["b4 c4 d4"],
        castles=[castle_with("cook"), castle_with("king"), castle_with("troll", "monk")],
    )
    state = played(state, "clear row 4")
    assert texts(state) == ["steal king", "steal troll", "steal monk"]
    assert refused(state, "steal cook").rule == "once_upon_a_castle/steal"
    assert refused(state, "steal queen").rule == "once_upon_a_castle/steal"
    after = played(state, "steal troll")
    assert [guest.name for guest in after.castles[0].guests] == ["cook", "troll"]
    assert [guest.name for guest in after.castles[2].guests] == ["monk"]
    assert refused(moment("architect"), "steal king").rule == "once_upon_a_castle/steal"


def test_steal_a_stolen_bolt_guest_acts_at_once():
    state = building("architect", tokens=["b4 c4 d4"], castles=[Castle(), castle_with("bohemian")])
    after = played(state, "clear row 4", "steal bohemian")
    assert after.castles[0].residents == 4
    assert after.castles[1].residents == 0


def test_steal_o34_o35_no_limit_of_guests_and_the_floors_stay():
    four = castle_with("cook", "king", "queen", "prince", floors=4)
    state = building(
        "architect", tokens=["b4 c4 d4"], castles=[four, castle_with("jester", floors=2)]
    )
    after = played(state, "clear row 4", "steal jester")
    assert len(after.castles[0].guests) == 5
    assert after.castles[1] == Castle(floors=2)


def test_steal_o36_with_nobody_to_steal_nothing_happens():
    after = played(building("architect", tokens=["b4 c4 d4"]), "clear row 4")
    assert after.boards[0].tokens == ()
    assert after.active == 1


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("steal king", "once_upon_a_castle/floor-guest"),
        ("guest king", "once_upon_a_castle/floor-guest"),
        ("reactivate logger", "once_upon_a_castle/floor-guest"),
        ("stop", "once_upon_a_castle/floor-guest"),
        ("choose wood", "once_upon_a_castle/any"),
        ("take flag", "once_upon_a_castle/roll"),
        ("place a1", "once_upon_a_castle/resource"),
        ("shift a1 b1", "once_upon_a_castle/no-moving"),
        ("use 1 flag", "once_upon_a_castle/build-line"),
        ("use 2 cloud", "once_upon_a_castle/end"),
        ("use 1 residents", "once_upon_a_castle/residents"),
    ],
)
def test_floor_guest_apprentices_are_told_of_apprentice_rules_alone(text, rule):
    """once_upon_a_castle/floor-guest: nobody hears of knights, monks or Dagobert who does not play
    with them.
    """
    states = [
        *(moment(), moment(dice=("residents", "any")), building(tokens=["d4 e4"])),
        played(moment(), "use 1 a1", "use 2 b1"),
    ]
    breaches = [b for state in states for b in state.check(state.game.move(text)).breaches]
    assert refused(moment(), text).rule == rule
    architects = {rule.id for rules in ARCHITECTS for rule in rules}
    for breach in breaches:
        assert breach.rule.id not in architects
        assert not re.search("knight|monk|dagobert|shepherdess|cook|bolt", str(breach).lower())


SECTIONS = moment().game.rules.sections()
ARCHITECTS = [SECTIONS[t] for t in SECTIONS if t == "Great Architect" or t.endswith(" guests")]


def test_apprentices_place_with_the_dice():
    """once_upon_a_castle/resource"""
    breach = refused(moment(), "place a1")
    assert (breach.message, breach.mend) == ("Tokens come with the dice.", "Try use 1 a1.")


def test_mends_of_guests_can_be_typed():
    """once_upon_a_castle/guest-choice, once_upon_a_castle/reactivate, once_upon_a_castle/steal:
    'choose' is Dagobert's word.
    """
    shown = ["peasant", "king", "queen"]
    state = building("architect", tokens=["c5 d5"], shown=shown)
    breach = refused(played(state, "clear row 5"), "guest prince")
    assert breach.mend == "Try guest peasant, guest king or guest queen."
    mine = castle_with("peasant", "logger", "cook")
    woken = played(building("architect", tokens=["a1 b1"], castles=[mine]), "clear row 1")
    assert refused(woken, "reactivate cook").mend == "Try reactivate peasant or reactivate logger."
    thief = building("architect", tokens=["b4 c4 d4"], castles=[mine, castle_with("king")])
    assert refused(played(thief, "clear row 4"), "steal cook").mend == "Try steal king."


# -- what is hidden ----------------------------------------------------------------------------


def test_a_view_cannot_be_played_where_chance_decides():
    view = building(tokens=["d4 e4"]).view(0)
    with pytest.raises(CastlelabError, match="hidden"):
        played(view, "clear row 4")
    with pytest.raises(CastlelabError, match="hidden"):
        played(view, "end")
    dog = building("architect", tokens=["a1 b1"], castles=[castle_with("dagobert")]).view(0)
    with pytest.raises(CastlelabError, match="hidden"):
        played(dog, "clear row 1", "reactivate dagobert")


def test_what_is_hidden_stays_so_after_a_journey():
    view = pickle.loads(pickle.dumps(building(tokens=["d4 e4"]).view(0)))
    with pytest.raises(CastlelabError, match="hidden"):
        played(view, "clear row 4")


def test_a_guess_deals_only_what_is_not_seen():
    state = played(building(tokens=["d4 e4"]), "clear row 4")
    world = state.view(1).guess(1, Chance.seeded(4))
    assert sorted(g.points for g in world.pile) == sorted(g.points for g in state.pile)
    assert world.dice == state.dice


def test_other_things_are_no_moves():
    with pytest.raises(CastlelabError, match="not a move of Once Upon a Castle"):
        moment().check(7)
