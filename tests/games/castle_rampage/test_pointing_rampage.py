"""Castle Rampage by pointing: what is offered, ordered, paid, put back, chosen and refused."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictured import pointed

import castlelab
from castlelab.chance import Chance
from castlelab.game import Pointing, changed
from castlelab.games.castle_rampage.picture import table_words
from castlelab.games.castle_rampage.table import Pause, Side, Stack

GAME = castlelab.load("castle_rampage")
PROMPT = "Pick a card of your hand, or end your turn."


def places(text):
    return tuple(GAME.box.place(name) for name in text.split(",")) if text else ()


def side(hand="", gate="Knight", castle="Archer,Archer", permanents="", dealt=""):
    return Side(
        tuple(sorted(places(hand))),
        Stack.of(places(gate)),
        Stack.of(places(castle)),
        tuple(sorted(places(permanents))),
        tuple(sorted(places(dealt))),
    )


def table(hand="", mine=None, foe=None, **changes):
    """Seat 0 plays its turn."""
    return changed(
        GAME.start(7),
        **{
            "sides": (mine or side(hand), foe or side("Knight,Spy")),
            "turn": 3,
            "active": 0,
            "deals": 2,
            **changes,
        },
    )


def move(state, *picks):
    return str(pointed(state, *picks).move)


# -- preparation -------------------------------------------------------------------------------


def dealt(gate="", castle="", **changes):
    mine = side("", gate, castle, dealt="Knight,Knight,Ram,Priest,Spy")
    return table(mine=mine, turn=0, deals=1, **changes)


def test_the_preparation_is_a_card_and_a_stack():
    """castle_rampage/first-stacks"""
    state = dealt()
    first = state.point(())
    assert first.offers == ("hand Knight", "hand Ram", "hand Priest", "hand Spy")
    assert first.words.startswith("Pick one of the cards dealt to you")
    found = pointed(state, "hand Ram")
    assert found.offers == ("gate 1", "castle 1")
    assert found.words.startswith("Ram: Gate 3, Castle 2, attack 4.")
    assert move(state, "hand Ram", "castle 1") == "place castle Ram"
    assert move(state, "hand Ram", "hand Knight", "gate 1") == "place gate Knight"
    assert pointed(state, "hand Ram", "hand Ram").words.startswith("Put back. Pick one")


def test_a_full_stack_is_not_offered_and_is_explained():
    """castle_rampage/first-stacks"""
    state = dealt(gate="Knight,Knight")
    assert pointed(state, "hand Ram").offers == ("castle 1",)
    refused = pointed(state, "hand Ram", "gate 1").move
    assert state.check(refused).rules == ("castle_rampage/first-stacks",)


def test_in_the_preparation_other_targets_change_nothing():
    state = dealt()
    assert pointed(state, "gate 1") == pointed(state, "pile") == state.point(())
    found = pointed(state, "hand Ram", "gate 2")
    assert found.words.startswith("That stack is the enemy's.")
    assert found.picks == ("hand Ram",)
    assert pointed(state, "hand Dragon") == state.point(())


# -- a turn ------------------------------------------------------------------------------------


def test_first_every_card_that_can_do_something_is_offered():
    state = table("Knight,Knight,Ogre,Dragon")
    assert state.point(()).offers == ("hand Knight", "hand Dragon", "hand Ogre", "end")
    assert state.point(()).words == PROMPT
    # Strengthened already: the Spy only defends, and nobody pays for the Dragon.
    assert table("Spy,Dragon", strengthened=1).point(()).offers == ("end",)
    assert table("").point(()).offers == ("end",)


def test_end_is_one_pick_whatever_is_ordered():
    state = table("Knight,Dragon,Spy")
    assert move(state, "end") == move(state, "hand Dragon", "hand Spy", "end") == "end"


def test_a_card_goes_under_a_stack():
    """castle_rampage/strengthen"""
    state = table("Knight,Archer")
    found = pointed(state, "hand Knight")
    assert found.offers == ("gate 1", "castle 1", "play", "gate 2")
    assert found.words == (
        "Knight: Gate 3, Castle 2, attack 4, counts as knight. "
        "Pick Play, or pick your Gate or Castle to strengthen it."
    )
    assert move(state, "hand Knight", "castle 1") == "strengthen castle Knight"
    again = changed(state, strengthened=1)
    assert pointed(again, "hand Knight").offers == ("play", "gate 2")
    refused = pointed(again, "hand Knight", "gate 1").move
    assert again.check(refused).rules == ("castle_rampage/strengthen",)


def test_a_card_without_a_cost_is_played_by_the_button_the_card_or_the_enemy_stack():
    state = table("Knight,Archer")
    for last in ("play", "hand Knight", "gate 2"):
        assert move(state, "hand Knight", last) == "play Knight"
    assert move(state, "hand Archer", "hand Knight", "play") == "play Knight"


def test_the_stack_that_would_be_hit_is_offered_and_no_other():
    """castle_rampage/target"""
    state = table("Knight,Digger")
    assert "castle 2" not in pointed(state, "hand Knight").offers
    wrong = pointed(state, "hand Knight", "castle 2")
    assert wrong.words.startswith("That is the enemy's Castle. Attacks hit the Gate while")
    assert (wrong.move, wrong.picks) == (None, ("hand Knight",))
    assert move(state, "hand Digger", "castle 2") == "play Digger"
    open_gate = table("Knight", foe=side(gate=""))
    assert move(open_gate, "hand Knight", "castle 2") == "play Knight"
    # A card that does not attack points at nobody.
    assert "gate 2" not in pointed(table("Summoner"), "hand Summoner").offers


def test_paying_cards_are_picked_one_after_the_other():
    """castle_rampage/play"""
    state = table("Dragon,Spy,Archer,Archer")
    found = pointed(state, "hand Dragon")
    assert found.offers == ("hand Archer", "hand Spy", "gate 1", "castle 1")
    assert found.words.endswith(
        "Pick 2 cards to pay for it, or pick your Gate or Castle to strengthen it."
    )
    half = pointed(state, "hand Dragon", "hand Spy")
    assert half.offers == ("hand Archer",)
    assert half.words == "Dragon. Paid so far: Spy. Pick 1 card to pay for it."
    assert move(state, "hand Dragon", "hand Spy", "hand Archer") == "play Dragon for Archer, Spy"
    assert move(state, "hand Dragon", *["hand Archer"] * 2) == "play Dragon for Archer, Archer"


def test_a_payment_is_put_back_and_so_is_the_card():
    state = table("Dragon,Spy,Archer,Archer")
    back = pointed(state, "hand Dragon", "hand Spy", "hand Spy")
    assert back.picks == ("hand Dragon",)
    assert back.words.startswith("Spy put back. Dragon: Gate 2")
    whole = pointed(state, "hand Dragon", "hand Spy", "hand Dragon")
    assert (whole.picks, whole.words) == ((), f"Put back. {PROMPT}")


def test_an_equal_card_pays_for_a_card():
    state = table("Giant,Giant,Knight")
    assert "hand Giant" in pointed(state, "hand Giant").offers
    assert move(state, "hand Giant", "hand Giant") == "play Giant for Giant"
    alone = table("Giant,Knight")
    assert "hand Giant" not in pointed(alone, "hand Giant").offers
    assert pointed(alone, "hand Giant", "hand Giant").words.startswith("Put back.")


def test_a_card_that_nobody_can_pay_is_refused_or_put_away():
    state = table("Dragon,Knight")
    found = pointed(state, "hand Dragon")
    assert found.offers == ("gate 1", "castle 1")
    refused = pointed(state, "hand Dragon", "play").move
    assert state.check(refused).rules == ("castle_rampage/play",)
    assert pointed(state, "hand Dragon", "hand Knight").picks == ("hand Knight",)
    idle = pointed(table("Dragon", strengthened=1), "hand Dragon")
    assert idle.words.endswith("There is nothing to do with it now but to pay.")


def test_too_little_too_much_and_the_wrong_card_are_explained():
    state = table("Dragon,Spy,Archer,Ogre")
    less = pointed(state, "hand Dragon", "hand Spy", "play").move
    assert str(less) == "play Dragon for Spy"
    assert state.check(less).rules == ("castle_rampage/play",)
    more = pointed(state, "hand Dragon", "hand Spy", "gate 1").move
    assert str(more) == "strengthen gate Dragon for Spy"
    assert state.check(more).rules == ("castle_rampage/strengthen",)
    purple = pointed(state, "hand Spy", "play").move
    assert state.check(purple).rules == ("castle_rampage/purple",)


def test_an_ogre_asks_for_two_cards():
    """castle_rampage/ogre-cost"""
    state = table("Ogre,Ogre,Spy,Archer")
    assert pointed(state, "hand Ogre").offers == ("gate 1", "castle 1")
    asked = pointed(state, "hand Ogre", "castle 1")
    assert asked.offers == ("hand Archer", "hand Spy", "hand Ogre")
    assert asked.words == "Ogre. Pick 2 cards to discard for it."
    done = ("hand Ogre", "castle 1", "hand Spy", "hand Ogre")
    assert move(state, *done) == "strengthen castle Ogre for Ogre, Spy"
    changed_mind = ("hand Ogre", "castle 1", "hand Spy", "gate 1", "hand Archer")
    assert move(state, *changed_mind) == "strengthen gate Ogre for Archer, Spy"
    early = pointed(state, "hand Ogre", "castle 1", "hand Spy", "play").move
    assert state.check(early).rules == ("castle_rampage/ogre-cost",)
    poor = table("Ogre,Spy")
    refused = pointed(poor, "hand Ogre", "gate 1").move
    assert poor.check(refused).rules == ("castle_rampage/ogre-cost",)


def test_a_scheme_takes_its_units_and_perhaps_one_more():
    """castle_rampage/scheme"""
    state = table("Arrow storm,Knight,Archer,Archer,Digger")
    found = pointed(state, "hand Arrow storm")
    assert found.offers == ("hand Knight", "hand Archer", "gate 1", "castle 1")
    assert "pick the units that pay for it (knight + archer)" in found.words.lower()
    paid = pointed(state, "hand Arrow storm", "hand Archer", "hand Knight")
    assert paid.offers == ("hand Archer", "play", "gate 2")
    assert paid.words.endswith("Pick one more archer for +5, or pick Play.")
    first = ("hand Arrow storm", "hand Archer", "hand Knight")
    for last in ("play", "hand Arrow storm", "gate 2"):
        assert move(state, *first, last) == "play Arrow storm for Archer, Knight"
    assert move(state, *first, "hand Archer") == "play Arrow storm for Archer, Archer, Knight"
    plain = table("Arrow storm,Knight,Archer,Digger")
    assert move(plain, *first) == "play Arrow storm for Archer, Knight"  # nothing to add


@pytest.mark.parametrize(
    ("picks", "says", "rule"),
    [
        (("hand Digger",), "play Arrow storm for Digger", "castle_rampage/scheme"),
        (
            ("hand Knight", "hand Digger"),
            "play Arrow storm for Digger, Knight",
            "castle_rampage/scheme",
        ),
        (("play",), "play Arrow storm", "castle_rampage/scheme"),
        (("hand Knight", "play"), "play Arrow storm for Knight", "castle_rampage/scheme"),
    ],
)
def test_what_does_not_pay_for_a_scheme_is_explained(picks, says, rule):
    state = table("Arrow storm,Knight,Knight,Archer,Digger")
    found = pointed(state, "hand Arrow storm", *picks)
    assert str(found.move) == says
    assert state.check(found.move).rules == (rule,)


def test_a_unit_of_several_symbols_pays_as_one_of_them():
    """castle_rampage/unit"""
    state = table("Arrow storm,Mercenary,Mercenary,Mercenary")
    two = pointed(state, "hand Arrow storm", "hand Mercenary", "hand Mercenary")
    assert two.offers == ("hand Mercenary", "play", "gate 2")


def test_a_look_at_something_else_keeps_the_order():
    state = table(
        mine=side("Knight,Archer", permanents="Banner bearer"), discards=places("Knight,Spy")
    )
    for target, words in (
        ("permanent 1 Banner bearer", "Banner bearer: Gate 2"),
        ("discards", "Discards: 2 cards, on top Spy"),
        ("pile", "Knight: Gate 3"),
    ):
        found = pointed(state, "hand Knight", target)
        assert found.picks == ("hand Knight",)
        assert found.words.startswith(words)
        assert pointed(state, target).offers == state.point(()).offers
    assert pointed(state, "gate 1") == pointed(state, "play") == state.point(())


def test_the_second_player_points_at_the_second_stacks():
    state = changed(table(foe=side("Knight")), active=1)
    assert pointed(state, "hand Knight").offers == ("gate 2", "castle 2", "play", "gate 1")
    assert move(state, "hand Knight", "gate 2") == "strengthen gate Knight"
    assert move(state, "hand Knight", "gate 1") == "play Knight"


# -- choices -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "chooser", "offers", "says"),
    [
        ("reveal-top", 0, ("gate 2", "castle 2"), "choose gate"),
        ("raise-discard", 0, ("discard Knight", "discard Spy"), "choose Knight"),
        ("raise-top", 0, ("gate 1", "castle 1"), "choose gate"),
        ("sabotage", 1, ("gate 1", "castle 1"), "choose gate"),
        (
            "destroy-permanent",
            0,
            ("permanent 2 Banner bearer", "permanent 2 Master mason"),
            "choose Banner bearer",
        ),
        ("spy", 1, ("hand Knight", "hand Dragon"), "choose Knight"),
    ],
)
def test_a_choice_is_one_pick(verb, chooser, offers, says):
    """castle_rampage/purple, castle_rampage/play"""
    state = table(
        "Knight,Dragon",
        foe=side("Ram", permanents="Banner bearer,Master mason"),
        discards=places("Spy,Knight"),
        pause=Pause(verb, chooser, GAME.box.place("Ram"), 3, fighting=chooser == 1),
    )
    found = state.point(())
    assert found.offers == offers
    assert found.words
    assert " has to choose: " in table_words(state)
    told = f"{table_words(state)} {state.check(GAME.move('end'))}"
    assert "A choice is due first: " in told
    assert f"({verb})" not in told
    assert move(state, offers[0]) == says
    assert pointed(state, "pile") == pointed(state, "gate 9") == found
    assert set(offers) <= {target.id for target in state.picture().targets}


def test_a_card_before_the_choice_is_explained():
    state = table("Knight", pause=Pause("reveal-top", 0, None, 0))
    refused = pointed(state, "hand Knight").move
    assert state.check(refused).rules == ("castle_rampage/play",)


def test_nothing_to_point_at_when_it_is_over():
    over = table("Knight", loser=1)
    assert over.point(()) == over.point(("hand Knight",)) == Pointing()


# -- whatever is played, whatever is pointed at --------------------------------------------------


def some_state(seed, data):
    """A state of a random game."""
    state, chance, states = GAME.start(seed), Chance.seeded(seed), []
    while not state.over:
        states.append(state)
        played, chance = chance.choice(state.moves())
        state = state.play(played)
    return states[data.draw(st.integers(0, len(states) - 1))]


def reached(state):
    """Every move that following the offers leads to."""
    found, waiting, known = set(), [()], {()}
    targets = {target.id for target in state.picture().targets}
    while waiting:
        picks = waiting.pop()
        offers = state.point(picks).offers
        assert offers
        assert len(set(offers)) == len(offers)
        assert set(offers) <= targets
        for offer in offers:
            after = state.point((*picks, offer))
            if after.move is not None:
                found.add(after.move)
            elif after.picks not in known:
                known.add(after.picks)
                waiting.append(after.picks)
    return found


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.data())
def test_offers_lead_to_every_legal_move_and_to_no_other(seed, data):
    state = some_state(seed, data)
    assert reached(state) == set(state.moves())


def test_every_card_of_the_box_is_played_by_pointing():
    for card in GAME.box.cards:
        hand = f"{card.name},Mercenary,Mercenary,Knight,Archer,Pikeman"
        state = table(hand)
        assert reached(state) == set(state.moves())


def test_a_card_that_was_picked_twice_does_not_pay_for_itself():
    """castle_rampage/play"""
    state = table("Arrow storm,Knight,Archer")
    found = state.point(("hand Arrow storm", "hand Arrow storm", "pile"))
    assert found.picks == ("hand Arrow storm",)
    assert state.point(found.picks).picks == found.picks


targets = st.sampled_from(
    (
        *("hand Knight", "hand Dragon", "hand Ogre", "hand Arrow storm", "hand Giant", "hand"),
        *("hand ", "hand nobody", "play", "end", "pile", "discards", "gate 1", "gate 2"),
        *("castle 1", "castle 2", "gate 3", "gate", "permanent 1 Knight", "", " ", "9" * 5000),
    )
)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 300), st.lists(targets | st.text(max_size=6), max_size=5), st.data())
def test_whatever_is_pointed_at_is_a_move_or_an_offer(seed, picks, data):
    state = some_state(seed, data)
    found = state.point(tuple(picks))
    if found.move is None:
        assert found.words
        assert found.offers or found.picks
        assert not Counter(found.picks) - Counter(picks)
        # The picks that are kept mean the same when they come again.
        if found.picks:
            assert state.point(found.picks).picks == found.picks
    else:
        state.check(found.move)
        assert GAME.move(str(found.move)) == found.move
