"""The twenty guests of the Great Architect, one by one, and the rulings O32, O33 and O37–O50."""

import pytest
from once_moments import GUESTS, building, castle_with, moment, played, refused, texts

from castlelab.game import changed
from castlelab.games.once_upon_a_castle import Castle
from castlelab.games.once_upon_a_castle.guests import POWERS
from castlelab.rules import rulebook


def woken(name, tokens="", castle=(), **parts):
    """Player 1 has just woken a Bolt guest with the line of Food and Gold."""
    state = building(
        "architect", tokens=[f"a1 b1 {tokens}"], castles=[castle_with(name, *castle, **parts)]
    )
    return played(state, "clear row 1", f"reactivate {name}")


def dog(*faces, tokens="", castle=(), **parts):
    """Player 1 has just woken Dagobert, who rolled one of these faces."""
    state = building(
        "architect", tokens=[f"a1 b1 {tokens}"], castles=[castle_with("dagobert", *castle, **parts)]
    )
    state = played(state, "clear row 1")
    chance = state.chance
    while chance.choice(("wood", "stone", "gold", "food", "residents", "any"))[0] not in faces:
        chance = chance.word()[1]
    return played(changed(state, chance=chance), "reactivate dagobert")


def using(*faces, castle=(), tokens="", **parts):
    """Player 1 is to use two dice, with these guests."""
    return moment("architect", dice=faces, castles=[castle_with(*castle, **parts)], tokens=[tokens])


def test_every_guest_has_its_rule_and_every_rule_its_guest():
    rules = rulebook("once_upon_a_castle")
    assert {POWERS[guest.power].rule for guest in GUESTS.values()} == {
        rule
        for rule in rules
        if rule.startswith("once_upon_a_castle/guest-")
        and rule != "once_upon_a_castle/guest-choice"
    }
    for guest in GUESTS.values():  # in the house edition the names are those of the rules
        assert POWERS[guest.power].rule == f"once_upon_a_castle/guest-{guest.name}"
        assert rules[POWERS[guest.power].rule].title.split()[0].lower() == guest.name


def test_bolt_and_hourglass_guests_are_worth_one():
    for guest in GUESTS.values():
        castle = castle_with(guest.name)
        if guest.symbol != "crown":
            assert moment("architect", castles=[castle]).score(0).guests == 1, guest.name
    count = [guest.symbol for guest in GUESTS.values()].count
    assert (count("bolt"), count("hourglass"), count("crown")) == (8, 6, 6)


# -- Bolt --------------------------------------------------------------------------------------


def test_architect_o38_a_token_anywhere_and_a_resident():
    """once_upon_a_castle/guest-architect"""
    state = woken("architect", tokens="a2")
    assert state.castles[0].residents == 1
    assert len(texts(state)) == 11 + 1
    assert refused(state, "place a2").rule == "once_upon_a_castle/no-moving"
    after = played(state, "place d4")
    assert after.boards[0].tokens == ("a2", "d4")
    assert after.active == 1


def test_bohemian_four_residents():
    """once_upon_a_castle/guest-bohemian"""
    assert woken("bohemian").castles[0].residents == 4


@pytest.mark.parametrize(
    ("name", "squares", "wrong"),
    [
        ("logger", ("b2", "a3", "c5"), "a2"),  # once_upon_a_castle/guest-logger
        ("peasant", ("a1", "b3", "c4"), "b1"),  # once_upon_a_castle/guest-peasant
        ("merchant", ("b1", "c3", "d4"), "a1"),  # once_upon_a_castle/guest-merchant
        ("miner", ("a2", "b4", "d5"), "b2"),  # once_upon_a_castle/guest-miner
    ],
)
def test_o37_two_tokens_of_a_resource(name, squares, wrong):
    state = woken(name)
    assert texts(state) == [*(f"place {square}" for square in squares), "stop"]
    breach = refused(state, f"place {wrong}")
    assert breach.rule == f"once_upon_a_castle/guest-{name}"
    assert breach.where == (wrong,)
    after = played(state, f"place {squares[0]}", f"place {squares[2]}")
    assert after.boards[0].tokens == (squares[0], squares[2])
    assert after.active == 1
    one = played(state, f"place {squares[0]}", "stop")
    assert one.boards[0].tokens == (squares[0],)


def test_o37_up_to_two_where_there_is_room():
    state = woken("logger", tokens="b2 a3")
    assert texts(state) == ["place c5", "stop"]
    assert played(state, "place c5").moment != "token"
    # All Wood squares are taken: nothing is asked.
    assert woken("logger", tokens="b2 a3 c5").moment != "token"


def test_o37_a_guest_is_no_die():
    """The cook and the monk help with dice only; the troll with every token."""
    assert played(woken("peasant", castle=["cook"]), "place a1", "stop").castles[0].residents == 0
    monk = woken("merchant", castle=["monk"], walls=1)
    assert refused(monk, "take flag").rule == "once_upon_a_castle/bolt"
    assert "place a2" in texts(woken("logger", castle=["troll"]))
    assert "place b2" in texts(woken("miner", castle=["troll"]))


@pytest.mark.parametrize("face", ["wood", "stone", "gold", "food"])
def test_dagobert_o39_a_resource_twice(face):
    """once_upon_a_castle/guest-dagobert"""
    state = dog(face)
    assert state.steps == (("face", face),) * 2
    squares = [text for text in texts(state) if text.startswith("place")]
    assert len(squares) == 3
    after = played(state, squares[0], squares[1])
    assert len(after.boards[0].tokens) == 2
    assert after.active == 1


def test_dagobert_o39_residents_twice():
    state = dog("residents")
    assert state.castles[0].residents == 4
    assert state.active == 1


def test_dagobert_o39_a_question_mark_is_chosen_and_doubled():
    state = dog("any")
    assert texts(state) == [
        *("choose wood", "choose stone", "choose gold", "choose food", "choose residents", "stop")
    ]
    assert played(state, "choose residents").castles[0].residents == 4
    wood = played(state, "choose wood")
    assert wood.steps == (("face", "wood"),) * 2
    assert refused(state, "choose cloud").rule == "once_upon_a_castle/guest-shepherdess"
    assert refused(state, "place a1").rule == "once_upon_a_castle/guest-dagobert"
    assert refused(wood, "place a2").rule == "once_upon_a_castle/resource"
    assert refused(wood, "take residents").rule == "once_upon_a_castle/residents"


def test_dagobert_o40_hourglass_guests_help_with_each_result():
    knight = played(dog("residents", castle=["knight"]), "place d4", "take residents")
    assert knight.boards[0].tokens == ("d4",)
    assert knight.castles[0].residents == 2
    cook = played(dog("food", castle=["cook"]), "place a1", "place b3")
    assert cook.castles[0].residents == 2
    monk = played(dog("gold", castle=["monk"], walls=1), "take flag", "place b1")
    assert monk.castles[0].flags == (2,)
    assert monk.boards[0].tokens == ("b1",)
    troll = played(dog("wood", castle=["troll"]), "place a2", "place b2")
    assert troll.boards[0].tokens == ("a2", "b2")
    shepherdess = played(dog("any", castle=["shepherdess"]), "choose cloud")
    assert shepherdess.castles[0].small_clouds == 2


def test_dagobert_o45_the_cook_brings_residents_without_a_token():
    state = dog("food", castle=["cook"], tokens="b3 c4 a2 b2 a3 c3 b4 d4")
    # a1 was cleared: one Food square is free; then none, and the second resident comes alone.
    after = played(state, "place a1")
    assert after.castles[0].residents == 2


def test_magician_o42_up_to_two_tokens_to_any_free_square():
    """once_upon_a_castle/guest-magician"""
    state = woken("magician", tokens="a2 b3")
    assert len(texts(state)) == 2 * 10 + 1
    after = played(state, "shift a2 b2", "shift b2 d5")
    assert after.boards[0].tokens == ("b3", "d5")
    assert after.active == 1
    assert played(state, "shift a2 b2", "stop").boards[0].tokens == ("b2", "b3")
    for text in ("shift a1 b2", "shift a2 b3", "shift a2 a2", "shift a2 h8"):
        assert refused(state, text).rule == "once_upon_a_castle/guest-magician"
    assert refused(state, "end").rule == "once_upon_a_castle/guest-magician"
    # Without tokens there is nothing to move, and nothing is asked.
    assert woken("magician").active == 1


def test_magician_moves_even_without_a_spare_token():
    state = woken("magician", tokens="a2 b2 a3 b3 c3 b4 c4 d4")
    full = changed(state, boards=(state.boards[0].place("a1").place("b1"), state.boards[1]))
    assert full.boards[0].spare == 0
    assert "shift a2 c5" in texts(full)
    assert played(full, "shift a2 c5", "stop").boards[0].spare == 0


# -- Hourglass ---------------------------------------------------------------------------------


def test_shepherdess_o43_a_question_mark_may_be_a_cloud():
    """once_upon_a_castle/guest-shepherdess"""
    state = using("any", "wood", castle=["shepherdess"], small_clouds=7)
    after = played(state, "use 1 cloud")
    assert after.castles[0].small_clouds == 8
    assert after.score(0).sky == 16
    assert not after.castles[0].cloud
    assert refused(state, "use 2 cloud").rule == "once_upon_a_castle/guest-shepherdess"
    assert (
        refused(using("any", "wood"), "use 1 cloud").rule == "once_upon_a_castle/guest-shepherdess"
    )


def test_knight_o46_residents_may_be_a_token_anywhere():
    """once_upon_a_castle/guest-knight"""
    state = using("residents", "wood", castle=["knight"], tokens="a1")
    assert len([text for text in texts(state) if text.startswith("use 1")]) == 11 + 1
    assert played(state, "use 1 b1").boards[0].tokens == ("a1", "b1")
    assert played(state, "use 1 residents").castles[0].residents == 2
    assert refused(state, "use 1 a1").rule == "once_upon_a_castle/no-moving"


def test_knight_without_a_token_there_are_still_residents():
    tokens = "a1 b1 a2 b2 a3 b3 c3 b4 c4 d4"
    state = using("residents", "residents", castle=["knight"], tokens=tokens)
    assert texts(state) == ["use 1 residents"]
    assert refused(state, "use 1 c5").rule == "once_upon_a_castle/no-token"


def test_cook_food_brings_a_resident_too():
    """once_upon_a_castle/guest-cook"""
    state = using("food", "any", castle=["cook"])
    assert played(state, "use 1 a1").castles[0].residents == 1
    assert played(state, "use 2 b3").castles[0].residents == 1  # a ? used as Food
    assert played(state, "use 2 b1").castles[0].residents == 0
    assert played(using("food", "any"), "use 1 a1").castles[0].residents == 0
    assert refused(state, "use 1 residents").rule == "once_upon_a_castle/guest-cook"


def test_cook_o45_the_resident_comes_without_a_square():
    state = using("food", "wood", castle=["cook"], tokens="a1 b3 c4")
    assert texts(state)[0] == "use 1 residents"
    assert played(state, "use 1 residents").castles[0].residents == 1
    assert refused(state, "lose 1").rule == "once_upon_a_castle/roll"


def test_cook_a_knights_token_on_food_is_no_food():
    state = using("residents", "wood", castle=["cook", "knight"])
    assert played(state, "use 1 a1").castles[0].residents == 0


def test_guard_o32_keeps_crown_guests():
    """once_upon_a_castle/guest-guard"""
    state = building(
        "architect",
        tokens=["b4 c4 d4"],
        castles=[Castle(), castle_with("guard", "king", "cook")],
    )
    state = played(state, "clear row 4")
    assert texts(state) == ["steal guard", "steal cook"]
    breach = refused(state, "steal king")
    assert breach.rule == "once_upon_a_castle/guest-guard"
    assert breach.where == ("guest king",)


def test_guard_o33_may_be_stolen_and_then_the_protection_is_over():
    state = building(
        "architect", tokens=["b4 c4 d4"], castles=[Castle(), castle_with("guard", "king")]
    )
    after = played(state, "clear row 4", "steal guard")
    assert [guest.name for guest in after.castles[1].stealable] == ["king"]
    again = changed(
        building("architect", tokens=["b4 c4 d4"]), castles=after.castles, shown=after.shown
    )
    assert texts(played(again, "clear row 4")) == ["steal king"]


def test_guard_alone_with_crown_guests_o36():
    castles = [Castle(), castle_with("king", "guard")]
    assert [guest.name for guest in castles[1].stealable] == ["guard"]


def test_monk_o44_gold_may_be_a_flag_where_a_wall_has_room():
    """once_upon_a_castle/guest-monk"""
    state = using("gold", "any", castle=["monk"], walls=1, flags=(1,))
    after = played(state, "use 1 flag")
    assert after.castles[0].flags == (1, 2)
    assert refused(after, "use 2 flag").rule == "once_upon_a_castle/flags"  # one wall carries two
    assert played(state, "use 2 flag").castles[0].flags == (1, 2)  # a ? used as Gold
    bare = using("gold", "wood", castle=["monk"])
    breach = refused(bare, "use 1 flag")
    assert breach.rule == "once_upon_a_castle/flags"
    assert breach.where == ("castle 1",)
    assert refused(bare, "use 2 flag").rule == "once_upon_a_castle/guest-monk"
    assert (
        refused(using("gold", "any", walls=1), "use 1 flag").rule == "once_upon_a_castle/guest-monk"
    )
    full = using("gold", "wood", castle=["monk"], walls=4, flags=(1,) * 6)
    assert refused(full, "use 1 flag").message == "All six flags are drawn."


def test_troll_o47_wood_as_stone_when_placing():
    """once_upon_a_castle/guest-troll"""
    state = using("wood", "stone", castle=["troll"], tokens="a3")
    expected = ["a2", "b2", "b4", "c5", "d5"]
    assert texts(state) == [f"use {die} {name}" for die in (1, 2) for name in expected]
    assert refused(using("wood", "stone"), "use 1 a2").rule == "once_upon_a_castle/resource"
    assert refused(state, "use 1 a1").rule == "once_upon_a_castle/resource"
    # Tokens that lie stay what they are: a Wood square is no Stone in the line of the theft.
    lines = building("architect", tokens=["c4 d4 c5"], castles=[castle_with("troll")])
    assert refused(lines, "clear row 4").rule == "once_upon_a_castle/build-line"


def test_what_a_guest_has_brought_stays_when_it_is_stolen():
    """once_upon_a_castle/steal: clouds, residents and flags are drawn for good."""
    rich = castle_with("shepherdess", "cook", "monk", walls=1, flags=(2,), residents=5)
    rich = changed(rich, small_clouds=2)
    for name in ("shepherdess", "cook", "monk"):
        state = building("architect", tokens=["b4 c4 d4"], castles=[Castle(), rich])
        after = played(state, "clear row 4", f"steal {name}").castles[1]
        assert (after.small_clouds, after.residents, after.flags) == (2, 5, (2,))


# -- Crown -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("courtesan", 2),  # once_upon_a_castle/guest-courtesan, O49: herself and the queen
        ("jester", 3),  # once_upon_a_castle/guest-jester
        ("prince", 4),  # once_upon_a_castle/guest-prince
        ("princess", 2),  # once_upon_a_castle/guest-princess
        ("king", 5),  # once_upon_a_castle/guest-king, O50: the flags of a monk are flags
    ],
)
def test_crown_guests_count_parts(name, points):
    parts = {"floors": 3, "walls": 4, "towers": (5, 2), "flags": (1, 2, 2, 1, 2)}
    castle = castle_with(name, "queen", "logger", **parts)
    found = moment("architect", castles=[castle]).score(0).guests
    assert found == points + 3 + 1


def test_queen_three_points():
    """once_upon_a_castle/guest-queen"""
    assert moment("architect", castles=[castle_with("queen")]).score(0).guests == 3


def test_crown_guests_do_nothing_when_they_come():
    for name in ("courtesan", "jester", "prince", "princess", "queen", "king"):
        state = building("architect", tokens=["c5 d5"], shown=[name, "guard", "cook"])
        assert played(state, "clear row 5", f"guest {name}").active == 1
