"""Playing Castle Rampage: every rule by id, every ruling R1–R43 by number, every effect."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.bots import Greedy, Random, play_out
from castlelab.chance import Chance
from castlelab.games.castle_rampage.moves import END_TURN, Play
from castlelab.games.castle_rampage.table import FIRST, HIDDEN, OPEN, Side, Stack
from castlelab.games.castle_rampage.turns import LAST_TURN, RENEWALS
from castlelab.rules import CastlelabError, IllegalMove
from castlelab.telling import told

GAME = castlelab.load("castle_rampage")
BOX = GAME.box
CARDS = {card.name: card for card in BOX.cards}
PLAIN = ("Knight", "Knight", "Archer", "Pikeman")


def places(names):
    """Cards by their names: "Knight, Axe man"."""
    return tuple(BOX.place(name) for name in names.split(",")) if names else ()


def names(cards):
    return [BOX.cards[card].name for card in cards]


def side(hand="", gate="Knight", castle="Knight, Archer", permanents=""):
    return Side(
        tuple(sorted(places(hand))),
        Stack.of(places(gate)),
        Stack.of(places(castle)),
        tuple(sorted(places(permanents))),
    )


def table(hand="", foe=None, me=None, pile="Knight, Archer, Pikeman, Ram", **changes):
    """Seat 0's turn with this hand; what is not said is something plain."""
    mine = me or side()
    mine = mine._replace(hand=tuple(sorted(places(hand))))
    changes.setdefault("turn", 3)
    return replace(
        GAME.start(1),
        sides=(mine, foe or side()),
        pile=places(pile),
        starter=0,
        active=0,
        deals=2,
        **changes,
    )


def play(state, *moves):
    for move in moves:
        state = state.play(GAME.move(move))
    return state


def broken(state, move):
    """The rules that a move would break."""
    return state.check(GAME.move(move)).rules


def listed(state, start=""):
    return [str(move) for move in state.moves() if str(move).startswith(start)]


def every_card(state):
    """All cards of a full state, wherever they are."""
    found = [*state.pile, *state.discards]
    for one in state.sides:
        found += [*one.hand, *one.gate.cards, *one.castle.cards, *one.permanents, *one.dealt]
    if state.pause is not None and state.pause.card is not None:
        found.append(state.pause.card)
    return sorted(found)


def prepared(seed=1):
    """A game after the preparation, placed at random."""
    state, chance = GAME.start(seed), Chance.seeded(seed)
    while not state.turn:
        move, chance = chance.choice(state.moves())
        state = state.play(move)
    return state


# -- preparation -----------------------------------------------------------------------------


def test_deal_r1_r2_five_cards_each_none_purple_and_all_others_in_the_pile():
    """castle_rampage/deal"""
    for seed in range(60):
        state = GAME.start(seed)
        for one in state.sides:
            assert len(one.dealt) == 5
            assert not any(BOX.cards[card].purple for card in one.dealt)
        assert every_card(state) == sorted(BOX.deck)  # so the purple ones went back


def test_r1_the_second_deal_swaps_purple_cards_too():
    for seed in range(40):
        state = GAME.start(seed)
        while state.deals < 2:
            state = state.play(state.moves()[0])
        assert not any(BOX.cards[c].purple for one in state.sides for c in one.dealt)
        assert every_card(state) == sorted(BOX.deck)


def test_r2_swapped_cards_go_back_anywhere_in_the_pile():
    depths = [
        depth
        for seed in range(200)
        for depth, card in enumerate(GAME.start(seed).pile)
        if BOX.cards[card].purple
    ]
    thirds = Counter(min(2, depth * 3 // 108) for depth in depths)
    assert all(abs(thirds[third] - len(depths) / 3) < 0.1 * len(depths) for third in range(3))


def test_first_stacks_two_and_two_and_one_aside_twice():
    """castle_rampage/first-stacks"""
    state = GAME.start(3)
    first = state.sides[0].dealt
    for stack, number in (("gate", 2), ("castle", 2)):
        for _ in range(number):
            card = BOX.cards[state.sides[0].dealt[0]].name
            state = play(state, f"place {stack} {card}")
    assert state.to_move == 1
    assert state.sides[0].hand == first[-1:]  # the fifth one is set aside
    state = prepared(3)
    for one in state.sides:
        assert (len(one.gate.cards), len(one.castle.cards)) == (4, 4)
    assert len(state.sides[1 - state.active].hand) == 2


def test_first_stacks_are_refused_beyond_two_and_for_other_cards():
    state = GAME.start(3)
    one, two, three = names(state.sides[0].dealt[:3])
    state = play(state, f"place gate {one}", f"place gate {two}")
    verdict = state.check(GAME.move(f"place gate {three}"))
    assert verdict.rules == ("castle_rampage/first-stacks",)
    assert verdict.where == ("gate 1",)
    assert all("castle" in move for move in listed(state))
    missing = next(card.name for card in BOX.cards if card.name not in names(state.sides[0].dealt))
    assert broken(state, f"place castle {missing}") == ("castle_rampage/first-stacks",)
    for early in ("end", f"play {three}", f"strengthen gate {three}"):
        assert broken(state, early) == ("castle_rampage/first-stacks",)
    assert broken(table("Knight"), "place gate Knight") == ("castle_rampage/first-stacks",)


def test_r3_the_owner_chooses_the_order_and_new_cards_go_under():
    """castle_rampage/under"""
    state = GAME.start(3)
    one, two = names(state.sides[0].dealt[:2])
    state = play(state, f"place gate {two}", f"place gate {one}")
    assert names(state.sides[0].gate.cards) == [two, one]
    first = state.sides[0].gate.cards
    while not state.turn:
        state = state.play(state.moves()[0])
    assert state.sides[0].gate.cards[:2] == first


def test_r4_the_other_does_not_see_what_is_placed():
    state = GAME.start(3)
    state = state.play(state.moves()[0])
    seen = state.view(1).sides[0]
    assert seen.gate.cards + seen.castle.cards == (HIDDEN,)
    assert set(seen.dealt) == {HIDDEN}


@pytest.mark.parametrize("seed", range(20))
def test_r4_what_is_told_of_a_card_laid_face_down_never_names_it(seed):
    """castle_rampage/secret: not even where the hand left no other choice."""
    state, chance = GAME.start(seed), Chance.seeded(seed)
    while not state.turn:
        move, chance = chance.choice(state.moves())
        assert told(state, move, [1 - state.to_move]).endswith("placed a card face down.")
        heard = told(state, move, [state.to_move])
        assert heard.endswith(f"placed {move.card} at the {move.stack.title()}.")
        state = state.play(move)


def test_starter_is_a_matter_of_chance_and_moves_first():
    """castle_rampage/starter"""
    starters = Counter(GAME.start(seed).starter for seed in range(200))
    assert 70 < starters[0] < 130
    for seed in range(6):
        state = prepared(seed)
        assert state.to_move == state.starter == state.active


# -- secrets ---------------------------------------------------------------------------------


def test_secret_r5_nobody_sees_the_others_stacks_but_everybody_counts_them():
    """castle_rampage/secret"""
    state = prepared()
    for seat in (0, 1):
        view = state.view(seat)
        foe = view.sides[1 - seat]
        assert foe.gate.cards == foe.castle.cards == (HIDDEN,) * 4
        assert view.sides[seat] == state.sides[seat]  # what one laid oneself, one remembers
        assert set(foe.hand) == {HIDDEN}
        assert view.pile == (HIDDEN,) * len(state.pile)
        assert view.chance is None


def held(state, seat, other):
    """The cards of another's hand that a seat knows."""
    return names(card for card in state.view(seat).sides[other].hand if card != HIDDEN)


def stacked(state, seat, other, stack):
    """Another's stack as a seat knows it, "?" for a card that it does not know."""
    known = state.view(seat).sides[other].stack(stack).cards
    return ["?" if card == HIDDEN else BOX.cards[card].name for card in known]


def test_r6_a_card_seen_in_a_failed_attack_stays_known_on_top():
    state = play(table("Axe man", foe=side(gate="Gatekeeper, Ogre")), "play Axe man")
    assert state.sides[1].gate.seen
    assert stacked(state, 0, 1, "gate") == ["Gatekeeper", "?"]
    # New cards go under it, so it stays known.
    state = play(state, "end")
    state = replace(state, sides=(state.sides[0], state.sides[1]._replace(hand=places("Spy"))))
    state = play(state, "strengthen gate Spy", "end")
    assert stacked(state, 0, 1, "gate") == ["Gatekeeper", "?", "?"]
    # When it falls, the next one is unknown.
    mine = state.sides[0]._replace(hand=places("Archer"))
    state = play(replace(state, sides=(mine, state.sides[1])), "play Archer")
    assert state.steps[0].rule == "castle_rampage/even"
    assert stacked(state, 0, 1, "gate") == ["?", "?"]


def test_secret_what_one_laid_face_down_one_remembers_and_the_other_does_not_see():
    state = play(table("Spy, Ram"), "strengthen castle Spy")
    assert stacked(state, 0, 0, "castle") == ["Knight", "Archer", "Spy"]
    assert stacked(state, 1, 0, "castle") == ["?", "?", "?"]
    assert all(
        names(state.guess(0, Chance.seeded(n)).sides[0].castle.cards)[-1] == "Spy" for n in range(9)
    )


def test_ogre_cost_paying_for_a_card_tells_everybody_which_it_is():
    state = play(table("Ogre, Ram, Knight"), "strengthen gate Ogre for Ram, Knight")
    assert stacked(state, 1, 0, "gate") == ["?", "Ogre"]
    state = play(table("Ogre, Ram, Knight"), "strengthen gate Ram")
    worlds = [state.guess(1, Chance.seeded(n)) for n in range(300)]
    assert not any("Ogre" in names(world.sides[0].gate.cards[1:]) for world in worlds)


def test_secret_a_veteran_that_came_home_is_known_to_be_in_the_hand():
    state = play(table("Veteran, Ram, Knight", foe=side(gate="", castle="Ogre, Knight")))
    state = play(state, "play Veteran for Ram")
    assert held(state, 1, 0) == ["Veteran"]
    # One card is laid: it may be the Veteran, and in every guess it is there or in the hand.
    state = play(state, "strengthen gate Knight")
    assert held(state, 1, 0) == []
    where = Counter()
    for number in range(200):
        mine = state.guess(1, Chance.seeded(number)).sides[0]
        where["hand" if "Veteran" in names(mine.hand) else "gate"] += 1
        assert "Veteran" in names(mine.hand) + names(mine.gate.cards[-1:])
    assert where["hand"] > 20
    assert where["gate"] > 20
    # The laid card is turned up, and it was another one: so the Veteran is in the hand.
    gate = state.sides[0].gate.without_top()
    state = replace(state, sides=(state.sides[0]._replace(gate=gate), state.sides[1]))
    state = play(state, "end")
    axe = replace(state, sides=(state.sides[0], state.sides[1]._replace(hand=places("Gatekeeper"))))
    assert held(play(axe, "play Gatekeeper"), 1, 0) == ["Veteran"]


def test_secret_a_spy_remembers_the_hand_and_the_robbed_one_what_was_taken():
    state = table("Knight, Dragon, Ram", foe=side(hand="Scout", gate="Spy, Ogre"))
    state = play(state, "play Knight", "choose Dragon")
    assert held(state, 1, 0) == ["Ram"]
    assert held(state, 0, 1) == ["Dragon"]
    later = play(state, "end")
    assert held(later, 0, 1) == ["Dragon"]  # among the cards that were drawn since
    laid = play(later, "strengthen gate Scout")
    assert held(laid, 0, 1) == []
    gone = replace(later, sides=(later.sides[0], later.sides[1].without(places("Dragon"))))
    assert held(gone, 0, 1) == []


def test_jester_everybody_sees_the_card_that_it_takes():
    state = play(table("Jester", me=side(castle="Castellan, Ram")), "play Jester")
    assert held(state, 1, 0) == ["Castellan"]


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_guesses_have_every_card_once_and_fit_the_view(seed):
    state, chance = prepared(seed), Chance.seeded(seed)
    while not state.over:
        move, chance = chance.choice(state.moves())
        state = state.play(move)
        for seat in (0, 1):
            world = state.guess(seat, Chance.seeded(seed))
            assert every_card(world) == sorted(BOX.deck)
            assert world.view(seat) == state.view(seat)
            foe = world.sides[1 - seat]
            for card, mark in (*zip(*foe.gate, strict=True), *zip(*foe.castle, strict=True)):
                assert mark < 0 or not BOX.cards[card].place_cost
                assert mark != FIRST or not BOX.cards[card].purple


def test_a_view_plays_what_it_can_see_and_refuses_the_rest_in_words():
    """castle_rampage/secret"""
    unknown = "the card that would be turned up; guess a state first"
    view = table("Knight, Summoner, Ram", foe=side(gate="Gatekeeper, Ram")).view(0)
    for move in ("play Knight", "play Summoner"):
        with pytest.raises(CastlelabError, match=unknown):
            play(view, move)
    scouted = play(table("Scout", foe=side(gate="Gatekeeper, Ram")), "play Scout").view(0)
    with pytest.raises(CastlelabError, match=unknown):
        play(scouted, "choose gate")
    known = side(castle="Castellan")._replace(gate=Stack.of(places("Gatekeeper"), OPEN))
    state = table("Archer, Digger, Jester", foe=known, me=side(castle="Knight, Ram"))
    even = play(state.view(0), "play Archer")
    assert even == play(state, "play Archer").view(0)
    with pytest.raises(CastlelabError, match=unknown):
        play(even, "play Digger")


def test_a_view_of_the_other_players_moment_offers_no_hidden_card():
    state = GAME.start(3)
    assert state.view(1).moves() == ()
    assert "Ogre" not in str(state.view(1).check(GAME.move("place gate Knight")))
    state = table("Ogre, Knight, Ram")
    assert state.view(1).moves() == (END_TURN,)
    assert "hand: nothing" in str(state.view(1).check(GAME.move("play Ram")))


def test_a_view_cannot_draw():
    with pytest.raises(CastlelabError, match="guess a state first"):
        table().view(0).play(END_TURN)
    with pytest.raises(CastlelabError, match="guess a state first"):
        table(pile="", discards=places("Knight, Archer, Spy")).view(0).play(END_TURN)


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_a_guess_has_every_card_and_no_purple_one_where_none_can_be(seed):
    state = prepared(seed)
    for seat in (0, 1):
        world = state.guess(seat, Chance.seeded(seed))
        assert every_card(world) == sorted(BOX.deck)
        assert world.view(seat) == state.view(seat)
        for one in world.sides:
            first = one.gate.cards + one.castle.cards
            assert not any(BOX.cards[card].purple for card in first)
    early = GAME.start(seed).guess(0, Chance.seeded(seed))
    assert not any(BOX.cards[card].purple for card in early.sides[1].dealt)


# -- drawing ---------------------------------------------------------------------------------


def test_draw_r7_one_card_for_the_starter_and_two_ever_after():
    """castle_rampage/draw"""
    state = prepared()
    assert len(state.sides[state.active].hand) == 3
    for _ in range(3):
        before = state.sides[1 - state.active].hand
        state = play(state, "end")
        assert len(state.sides[state.active].hand) == len(before) + 2


def test_r8_an_empty_pile_is_renewed_from_the_discards_or_nothing_is_drawn():
    state = table(pile="Ram", discards=places("Spy, Ogre, Priest"))
    after = play(state, "end")
    assert len(after.sides[1].hand) == 2
    assert after.sides[1].hand.count(BOX.place("Ram")) == 1
    assert len(after.pile) == 2
    assert after.discards == ()
    assert after.renewals == 1
    dry = play(table(pile="Ram"), "end")
    assert names(dry.sides[1].hand) == ["Ram"]
    assert play(dry, "end").sides[0].hand == ()


def test_r9_no_hand_limit():
    state = table("Knight, Knight, Archer, Archer, Ram, Spy, Spy, Ogre, Priest, Digger")
    assert len(play(state, "end", "end").sides[0].hand) == 12


# -- strengthening ---------------------------------------------------------------------------


def test_strengthen_once_under_either_stack_for_nothing():
    """castle_rampage/strengthen, castle_rampage/under"""
    state = table("Knight, Dragon")
    after = play(state, "strengthen castle Dragon")  # no cost, no attack
    assert names(after.sides[0].castle.cards) == ["Knight", "Archer", "Dragon"]
    assert after.sides[1] == state.sides[1]
    assert after.discards == ()
    verdict = after.check(GAME.move("strengthen gate Knight"))
    assert verdict.rules == ("castle_rampage/strengthen",)
    assert verdict.where == ("gate 1",)
    assert listed(after, "strengthen") == []
    assert listed(play(after, "end", "end"), "strengthen")


def test_strengthen_needs_the_card_and_no_payment():
    state = table("Knight, Archer")
    assert broken(state, "strengthen gate Ogre for Knight, Archer") == (
        "castle_rampage/strengthen",
    )
    assert broken(state, "strengthen gate Knight for Archer") == ("castle_rampage/strengthen",)


def test_r10_strengthen_before_between_and_after_but_not_in_an_attack():
    state = table("Archer, Knight, Ram")
    assert listed(play(state, "play Archer"), "strengthen")
    assert listed(play(state, "strengthen gate Knight"), "play") == ["play Archer", "play Ram"]
    waiting = play(table("Knight, Ram, Archer", foe=side(gate="Spy, Ogre")), "play Knight")
    assert waiting.pause is not None
    assert broken(waiting, "strengthen gate Ram") == ("castle_rampage/purple",)


def test_r11_r41_nobody_has_to_do_anything():
    assert "end" in listed(table("Knight, Ram"))
    assert listed(table("")) == ["end"]


def test_ogre_cost_two_other_cards():
    """castle_rampage/ogre-cost"""
    state = table("Ogre, Knight, Spy, Archer")
    assert broken(state, "strengthen castle Ogre") == ("castle_rampage/ogre-cost",)
    assert broken(state, "strengthen castle Ogre for Spy") == ("castle_rampage/ogre-cost",)
    (breach,) = state.check(GAME.move("strengthen castle Ogre for Spy")).breaches
    assert list(map(str, breach.mends)) == [
        "strengthen castle Ogre for Knight, Spy",
        "strengthen castle Ogre for Archer, Spy",
        "strengthen castle Ogre for Archer, Knight",
    ]
    assert breach.mend.startswith("Try “strengthen castle Ogre for Knight, Spy”, “")
    after = play(state, "strengthen castle Ogre for Spy, Knight")
    assert names(after.sides[0].castle.cards)[-1] == "Ogre"
    assert sorted(names(after.discards)) == ["Knight", "Spy"]
    assert len(listed(state, "strengthen gate Ogre")) == 3
    assert not listed(table("Ogre, Knight"), "strengthen gate Ogre")
    (poor,) = table("Ogre, Knight").check(GAME.move("strengthen gate Ogre")).breaches
    assert "You have only 1 card to pay with." in poor.message
    assert (poor.mend, poor.mends) == ("", ())
    assert "nothing to pay with" in str(table("Ogre").check(GAME.move("strengthen gate Ogre")))
    dragon = table("Dragon, Knight").check(GAME.move("play Dragon")).breaches[0]
    assert "You have only 1 card to pay with." in dragon.message
    assert {move.kind for move in dragon.mends} == {"strengthen"}


def test_r12_an_effect_moves_an_ogre_for_nothing():
    state = table("Priest, Ogre, Knight")
    after = play(state, "play Priest for Ogre", "choose castle")
    assert names(after.sides[0].castle.cards)[-1] == "Ogre"
    assert names(after.sides[0].hand) == ["Knight"]


def test_r42_an_empty_gate_may_be_built_up_again():
    state = table("Knight", me=side(gate=""))
    assert names(play(state, "strengthen gate Knight").sides[0].gate.cards) == ["Knight"]


# -- playing and paying ----------------------------------------------------------------------


def test_play_any_number_one_after_the_other_each_is_discarded():
    """castle_rampage/play"""
    state = table("Herald, Scout, Gatekeeper, Ram", foe=side(gate="Ogre, Ogre"))
    after = play(state, "play Gatekeeper", "play Ram")
    assert names(after.discards) == ["Gatekeeper", "Ram"]
    assert after.to_move == 0


def test_play_needs_the_card_in_hand():
    verdict = table("Knight").check(GAME.move("play Ram"))
    assert verdict.rules == ("castle_rampage/play",)
    assert verdict.where == ("hand Ram",)
    assert "Knight" in verdict.breaches[0].mend
    with pytest.raises(IllegalMove):
        table("Knight").play(Play("Nobody"))


def test_r13_a_card_does_not_pay_for_itself():
    state = table("Giant")
    assert "itself" in str(state.check(GAME.move("play Giant for Giant")))
    assert not listed(state, "play")
    assert listed(table("Giant, Giant"), "play") == ["play Giant for Giant"]


def test_r14_without_the_cost_a_card_stays_in_hand():
    state = table("Dragon, Knight")
    assert not listed(state, "play Dragon")
    assert broken(state, "play Dragon for Knight") == ("castle_rampage/play",)
    assert broken(state, "play Dragon") == ("castle_rampage/play",)
    assert broken(state, "play Knight for Dragon") == ("castle_rampage/play",)


def test_r15_purple_cards_may_pay_and_do_nothing_then():
    state = table("Giant, Bomber", foe=side(gate="Archer", castle="Castellan, Archer"))
    after = play(state, "play Giant for Bomber")
    assert after.pause is None
    assert after.sides[1].gate.cards == ()
    assert names(after.discards)[0] == "Bomber"


def test_purple_cards_cannot_be_played():
    state = table("Bomber, Ogre, Knight, Spy")
    assert broken(state, "play Bomber") == ("castle_rampage/purple",)
    assert broken(state, "play Ogre") == ("castle_rampage/play",)  # it is not one that strikes back


def test_r16_the_effect_comes_before_the_attack():
    jester = play(
        table("Jester", me=side(castle="Castellan, Knight"), foe=side(gate="Ogre")), "play Jester"
    )
    base = CARDS["Jester"].attack
    assert jester.steps[0].before == base + CARDS["Castellan"].castle
    axe = play(table("Axe man", foe=side(gate="Ogre")), "play Axe man")
    assert len(axe.sides[0].hand) == 1
    assert axe.steps


def test_r17_the_attack_cannot_be_left_out():
    state = table("Axe man", foe=side(gate="Ogre"))
    assert listed(state, "play") == ["play Axe man"]
    assert play(state, "play Axe man").steps[0].rule == "castle_rampage/held"


def test_r18_effects_are_not_optional():
    state = table("Arsonist, Ram", foe=side(permanents="Moat warden"))
    assert play(state, "play Arsonist for Ram").sides[1].permanents == ()


# -- units and Schemes -----------------------------------------------------------------------


def test_scheme_r19_the_printed_one_nine_or_fourteen():
    """castle_rampage/scheme"""
    foe = side(gate="", castle="Ogre, Ogre, Ogre")
    state = table("Arrow storm, Knight, Archer, Archer, Archer", foe=foe)
    plain = play(state, "play Arrow storm for Knight, Archer")
    assert plain.steps[0].before == 9
    more = play(state, "play Arrow storm for Knight, Archer, Archer")
    assert more.steps[0].before == 14
    assert listed(state, "play Arrow storm") == [
        "play Arrow storm for Archer, Knight",
        "play Arrow storm for Archer, Archer, Knight",
    ]
    verdict = state.check(GAME.move("play Arrow storm for Knight, Archer, Archer, Archer"))
    assert verdict.rules == ("castle_rampage/scheme",)
    assert broken(state, "play Arrow storm for Archer, Archer") == ("castle_rampage/scheme",)
    assert broken(state, "play Arrow storm") == ("castle_rampage/scheme",)
    told = {
        "play Arrow storm": "Nothing has been paid yet for Arrow storm.",
        "play Arrow storm for Knight": "Knight does not pay for Arrow storm.",
        "play Arrow storm for Archer, Archer": "Archer and Archer do not pay for Arrow storm.",
    }
    for text, words in told.items():
        (breach,) = state.check(GAME.move(text)).breaches
        assert breach.message.startswith(words)
        assert "It is paid with knight + archer, and one more archer" in breach.message
        assert str(breach.mends[0]).startswith("play Arrow storm for Archer")


def test_unit_r20_several_symbols_count_as_one_at_a_time():
    """castle_rampage/unit"""
    foe = side(gate="", castle="Ogre, Ogre, Ogre")
    state = table("Arrow storm, Mercenary, Mercenary, Giant", foe=foe)
    assert play(state, "play Arrow storm for Giant, Mercenary").steps[0].before == 9
    assert play(state, "play Arrow storm for Mercenary, Mercenary").steps[0].before == 9
    assert play(state, "play Arrow storm for Giant, Mercenary, Mercenary").steps[0].before == 14
    alone = state.check(GAME.move("play Arrow storm for Mercenary"))
    assert alone.rules == ("castle_rampage/unit",)
    assert "knight or archer or pikeman" in str(alone)


def test_r21_the_scheme_is_the_attacker_and_its_units_are_gone():
    state = table("Arrow storm, Knight, Archer", foe=side(gate="", castle="Ogre, Ogre"))
    after = play(state, "play Arrow storm for Knight, Archer")
    assert BOX.cards[after.attacker].name == "Arrow storm"
    assert names(after.discards) == ["Archer", "Knight", "Ogre", "Arrow storm"]


# -- attacks ---------------------------------------------------------------------------------


def test_target_gate_first_and_the_digger_goes_past_it():
    """castle_rampage/target, castle_rampage/reveal"""
    foe = side(gate="Ogre", castle="Archer, Knight, Knight")
    assert play(table("Ram", foe=foe), "play Ram").steps[0].stack == "gate"
    dug = play(table("Digger", foe=foe), "play Digger")
    assert dug.steps[0].stack == "castle"
    assert names(dug.sides[1].gate.cards) == ["Ogre"]
    none = side(gate="", castle="Castellan, Knight")
    assert play(table("Knight", foe=none), "play Knight").steps[0].stack == "castle"


def test_held_the_attacker_is_discarded_and_the_defender_stays():
    """castle_rampage/held"""
    state = table("Gatekeeper", foe=side(gate="Gatekeeper, Knight"))
    after = play(state, "play Gatekeeper")
    assert after.steps[0].rule == "castle_rampage/held"
    assert names(after.discards) == ["Gatekeeper"]
    assert names(after.sides[1].gate.cards) == ["Gatekeeper", "Knight"]


def test_even_r38_both_are_discarded_the_attacker_first():
    """castle_rampage/even"""
    state = table("Archer", foe=side(gate="Gatekeeper, Knight"))
    after = play(state, "play Archer")
    assert after.steps[0].rule == "castle_rampage/even"
    assert names(after.discards) == ["Archer", "Gatekeeper"]
    assert names(after.sides[1].gate.cards) == ["Knight"]


def test_broken_r22_r23_the_rest_goes_on_into_the_castle():
    """castle_rampage/broken"""
    foe = side(gate="Archer", castle="Ogre, Knight")
    after = play(table("Knight", foe=foe), "play Knight")
    assert [step.rule for step in after.steps] == ["castle_rampage/broken", "castle_rampage/held"]
    assert [step.stack for step in after.steps] == ["gate", "castle"]
    assert names(after.discards) == ["Archer", "Knight"]


def test_r32_a_veteran_returns_to_the_hand_when_held_and_falls_when_even():
    state = table("Veteran, Spy", foe=side(gate="", castle="Ogre, Knight"))
    after = play(state, "play Veteran for Spy")
    assert names(after.sides[0].hand) == ["Veteran"]
    assert names(after.discards) == ["Spy"]
    assert "The Veteran comes home." in after.describe()
    assert "falls" not in after.describe()
    ogre = side(gate="Ogre", castle="Knight, Knight")
    assert CARDS["Ogre"].gate == CARDS["Veteran"].attack
    even = play(table("Veteran, Spy", foe=ogre), "play Veteran for Spy")
    assert even.sides[0].hand == ()
    assert names(even.discards) == ["Spy", "Veteran", "Ogre"]


def test_charge_counts_only_where_no_gate_stands():
    ram = CARDS["Ram"]
    open_ = play(table("Ram", foe=side(gate="", castle="Ogre, Ogre")), "play Ram")
    shut = play(table("Ram", foe=side(gate="Ogre")), "play Ram")
    assert open_.steps[0].before == ram.attack + ram.numbers["charge"]
    assert shut.steps[0].before == ram.attack


def test_r25_permanent_cards_may_bring_an_attack_down_to_nothing():
    foe = side(gate="Herald", permanents="Moat warden, Moat warden")
    state = table("Castellan", foe=foe)
    after = play(state, "play Castellan")
    assert (after.steps[0].before, after.steps[0].rule) == (0, "castle_rampage/even")


# -- purple cards ----------------------------------------------------------------------------


def test_purple_bomber_takes_the_attacker_and_its_strength():
    """castle_rampage/purple, R28"""
    state = table("Dragon, Spy, Spy", foe=side(gate="Bomber, Archer"))
    after = play(state, "play Dragon for Spy, Spy")
    assert [step.rule for step in after.steps] == ["castle_rampage/broken", "castle_rampage/purple"]
    assert names(after.sides[1].gate.cards) == ["Archer"]
    assert names(after.discards)[-2:] == ["Bomber", "Dragon"]


def test_r27_a_saboteur_lets_its_owner_choose_before_the_next_card_is_revealed():
    state = table("Knight", foe=side(gate="Saboteur, Ogre"), me=side(gate="Ram", castle=PLAINS))
    waiting = play(state, "play Knight")
    assert waiting.to_move == 1
    assert len(waiting.steps) == 1  # the Ogre has not been revealed
    assert listed(waiting) == ["choose gate", "choose castle"]
    gate = play(waiting, "choose gate")
    assert gate.sides[0].gate.cards == ()
    assert "Ram" in names(gate.discards)
    assert gate.to_move == 0
    assert [step.rule for step in gate.steps] == ["castle_rampage/broken", "castle_rampage/held"]
    castle = play(waiting, "choose castle")
    assert len(castle.sides[0].castle.cards) == 3
    for wrong in ("choose Knight", "end", "play Ram"):
        assert broken(waiting, wrong) == ("castle_rampage/purple",)


PLAINS = ", ".join(PLAIN)


def test_r26_a_saboteur_acts_when_even_and_the_attack_is_over_all_the_same():
    state = table("Gatekeeper", foe=side(gate="Saboteur, Knight"))
    waiting = play(state, "play Gatekeeper")
    assert waiting.steps[-1].rule == "castle_rampage/even"
    assert waiting.to_move == 1
    after = play(waiting, "choose gate")
    assert len(after.steps) == 1
    assert after.sides[0].gate.cards == ()
    assert sorted(names(after.discards)) == ["Gatekeeper", "Knight", "Saboteur"]


def test_a_saboteur_without_a_choice_acts_by_itself_and_can_win():
    me = side(gate="", castle="Knight, Archer")
    after = play(table("Knight", foe=side(gate="Saboteur, Ogre"), me=me), "play Knight")
    assert names(after.sides[0].castle.cards) == ["Archer"]
    lost = play(
        table("Knight", foe=side(gate="Saboteur, Ogre"), me=side(gate="", castle="Knight")),
        "play Knight",
    )
    assert lost.loser == 0  # R35
    assert sorted(names(lost.discards)) == ["Knight", "Knight", "Saboteur"]


def test_a_spy_sees_the_hand_and_takes_a_card():
    state = table("Knight, Dragon, Ram", foe=side(gate="Spy, Ogre"))
    assert set(state.view(1).sides[0].hand) == {HIDDEN}
    waiting = play(state, "play Knight")
    assert waiting.to_move == 1
    assert waiting.view(1).sides[0].hand == waiting.sides[0].hand
    assert listed(waiting) == ["choose Dragon", "choose Ram"]
    after = play(waiting, "choose Dragon")
    assert names(after.sides[0].hand) == ["Ram"]
    assert names(after.sides[1].hand) == ["Dragon"]
    empty = play(table("Knight", foe=side(gate="Spy, Ogre")), "play Knight")
    assert empty.pause is None


def test_r29_purple_cards_destroyed_by_an_effect_do_nothing():
    state = table("Summoner, Knight", foe=side(castle="Spy, Archer"))
    after = play(state, "play Summoner")
    assert after.pause is None
    assert names(after.sides[0].hand) == ["Knight"]
    assert "Spy" in names(after.discards)


def test_purple_cards_that_are_only_revealed_do_nothing():
    state = table("Castellan, Ram", foe=side(gate="Saboteur, Knight"))
    after = play(state, "play Castellan")
    assert after.steps[0].rule == "castle_rampage/held"
    assert after.pause is None


# -- permanent cards and other effects -------------------------------------------------------


def test_permanent_r33_they_stay_add_up_and_leave_only_by_effects():
    """castle_rampage/permanent"""
    state = table("Banner bearer, Banner bearer, Knight", foe=side(gate="Ogre"))
    after = play(state, "play Banner bearer", "play Banner bearer", "play Knight")
    assert names(after.sides[0].permanents) == ["Banner bearer", "Banner bearer"]
    assert names(after.discards) == ["Ogre", "Knight"]
    assert after.steps[0].before == CARDS["Knight"].attack + 2
    later = play(after, "end", "end")
    assert len(later.sides[0].permanents) == 2


def test_r34_no_permanent_card_attacks():
    assert not [card for card in BOX.cards if card.permanent and card.attack is not None]


def test_shield_supply_and_build():
    shielded = play(table("Knight", foe=side(gate="Ogre", permanents="Moat warden")), "play Knight")
    assert shielded.steps[0].before == CARDS["Knight"].attack - 1
    supplied = table(me=side(permanents="Quartermaster"), pile=", ".join(["Knight"] * 9))
    assert len(play(supplied, "end", "end").sides[0].hand) == 3
    built = table("Knight, Archer, Ram", me=side(permanents="Master mason"))
    twice = play(built, "strengthen gate Knight", "strengthen gate Archer")
    assert broken(twice, "strengthen gate Ram") == ("castle_rampage/strengthen",)


def test_destroy_permanent_asks_where_there_is_a_choice():
    foe = side(gate="Ogre", permanents="Moat warden, Quartermaster")
    waiting = play(table("Arsonist, Ram", foe=foe), "play Arsonist for Ram")
    assert listed(waiting) == ["choose Moat warden", "choose Quartermaster"]
    assert broken(waiting, "end") == ("castle_rampage/play",)
    assert broken(waiting, "choose gate") == ("castle_rampage/play",)
    after = play(waiting, "choose Quartermaster")
    assert names(after.sides[1].permanents) == ["Moat warden"]
    assert after.steps  # and then it attacks
    assert names(after.discards) == ["Ram", "Quartermaster", "Arsonist"]
    assert broken(after, "choose gate") == ("castle_rampage/play",)


def test_reveal_top_shows_everybody_and_draws():
    waiting = play(table("Scout", foe=side(castle="Spy, Knight")), "play Scout")
    after = play(waiting, "choose castle")
    assert names(after.view(0).sides[1].castle.cards[:1]) == ["Spy"]
    assert names(after.view(1).sides[1].castle.cards[:1]) == ["Spy"]
    assert len(after.sides[0].hand) == 1
    assert after.pause is None


def test_draw_effects():
    state = table("Herald, Spy")
    assert len(play(state, "play Herald for Spy").sides[0].hand) == CARDS["Herald"].numbers["draw"]


def test_r39_r40_the_priest_raises_any_discard_to_the_bottom_of_a_stack():
    """castle_rampage/under, castle_rampage/draw"""
    state = table("Priest, Ram", discards=places("Ogre, Knight"))
    waiting = play(state, "play Priest for Ram")
    assert listed(waiting) == ["choose Knight", "choose Ram", "choose Ogre"]
    assert broken(waiting, "choose gate") == ("castle_rampage/play",)
    where = play(waiting, "choose Ogre")
    assert listed(where) == ["choose gate", "choose castle"]
    assert broken(where, "choose Ogre") == broken(where, "end") == ("castle_rampage/play",)
    after = play(where, "choose castle")
    assert names(after.sides[0].castle.cards)[-1] == "Ogre"
    assert names(after.discards) == ["Knight", "Ram", "Priest"]
    assert stacked(after, 1, 0, "castle") == ["?", "?", "Ogre"]  # everybody saw it
    alone = play(table("Priest, Ram"), "play Priest for Ram")
    assert listed(alone) == ["choose gate", "choose castle"]  # only one card to raise


def test_r39_everybody_may_look_through_the_discards():
    """castle_rampage/draw"""
    state = table("Knight", discards=places("Ogre, Spy, Ram"))
    for seat in (0, 1):
        assert state.view(seat).discards == state.discards
        told = state.view(seat).picture().target("discards").name
        assert told.startswith("Discards: 3 cards, on top Ram")
        assert told.endswith("; below it Spy, Ogre")
        assert "below it Spy, Ogre" in str(state.view(seat).tell())


def test_jester_r35_r37_taking_the_last_card_of_the_own_castle_loses():
    """castle_rampage/jester"""
    state = table("Jester", me=side(castle="Knight"))
    after = play(state, "play Jester")
    assert after.loser == 0
    assert after.winners == (1,)
    assert after.steps == ()  # no attack any more
    lucky = play(table("Jester", me=side(castle="Knight, Ram")), "play Jester")
    assert lucky.loser is None
    assert names(lucky.sides[0].hand) == ["Knight"]


@pytest.mark.parametrize(
    ("mine", "theirs", "loser"),
    [
        ("Knight, Ram", "Knight, Ram", None),
        ("Knight, Ram", "Knight", 1),
        ("Knight", "Knight, Ram", 0),
        ("Knight", "Knight", 0),
    ],
)
def test_summoner_r36_of_two_fallen_castles_the_own_one_counts(mine, theirs, loser):
    """castle_rampage/summoner"""
    state = table("Summoner", me=side(castle=mine), foe=side(castle=theirs))
    assert play(state, "play Summoner").loser == loser


# -- the end ---------------------------------------------------------------------------------


def test_castle_falls_r30_whatever_stands_at_the_gate():
    """castle_rampage/castle-falls"""
    state = table("Digger", foe=side(gate="Ogre, Ogre", castle="Knight"))
    after = play(state, "play Digger")
    assert after.over
    assert (after.winners, after.scores) == ((0,), (1, 0))
    assert after.moves() == ()
    assert broken(after, "end") == ("castle_rampage/castle-falls",)


def test_a_castle_falls_when_even_too_and_its_last_purple_card_does_nothing():
    even = play(table("Archer", foe=side(gate="", castle="Castellan")), "play Archer")
    assert even.steps[-1].rule == "castle_rampage/even"
    assert even.loser == 1
    spy = play(table("Knight, Ram, Dragon", foe=side(gate="", castle="Spy")), "play Knight")
    assert spy.loser == 1
    assert spy.pause is None


def test_long_siege_after_the_last_turn_the_larger_castle_wins():
    """castle_rampage/long-siege"""
    big, small = side(castle="Knight, Knight"), side(castle="Knight")
    assert play(table(me=big, foe=small, turn=LAST_TURN), "end").winners == (0,)
    assert play(table(me=small, foe=big, turn=LAST_TURN), "end").winners == (1,)
    assert not play(table(me=small, foe=big, turn=LAST_TURN - 1), "end").over
    gated = side(gate="Knight, Knight", castle="Knight")
    assert play(table(me=gated, foe=small, turn=LAST_TURN), "end").winners == (0,)
    level = table(me=small, foe=small, turn=LAST_TURN)
    assert play(level, "end").winners == (1,)  # seat 0 started


def test_long_siege_when_the_pile_runs_out_once_too_often():
    state = table(pile="Ram", discards=places("Spy"), renewals=RENEWALS, me=side(castle=PLAINS))
    after = play(state, "end")
    assert after.winners == (0,)
    assert every_card(after) == every_card(state)
    drawn = play(
        table("Axe man", pile="", discards=places("Spy"), renewals=RENEWALS), "play Axe man"
    )
    assert drawn.over
    assert drawn.steps  # the attack comes first


def test_long_siege_a_card_that_draws_is_played_to_its_end_first():
    """castle_rampage/long-siege"""
    last = {"pile": "", "discards": places("Spy"), "renewals": RENEWALS}
    foe = side(gate="", castle="Scout")
    won = play(table("Axe man", foe=foe, me=side(castle="Ram"), **last), "play Axe man")
    assert (won.winners, won.lifted) == ((0,), False)
    # A choice in the middle of the attack is made, too.
    foe = side(gate="Saboteur, Ogre", castle=PLAINS)
    waiting = play(table("Axe man", foe=foe, **last), "play Axe man")
    assert waiting.pause is not None
    assert not waiting.over
    after = play(waiting, "choose gate")
    assert after.lifted
    assert after.winners == (1,)
    # What is left of the pile is drawn.
    some = play(table("Herald, Ram", **(last | {"pile": "Knight"})), "play Herald for Ram")
    assert names(some.sides[0].hand) == ["Knight"]


def test_long_siege_says_why_it_is_over():
    """castle_rampage/long-siege"""
    big, small = side(castle="Knight, Knight"), side(castle="Knight")
    turns = play(table(me=big, foe=small, turn=LAST_TURN), "end")
    told = "The siege is lifted, 100 turns are over: Blue's Castle has 2 cards against 1."
    assert told in turns.describe()
    assert told in str(turns.tell())
    assert broken(turns, "end") == ("castle_rampage/long-siege",)
    gated = side(gate="Knight, Knight", castle="Knight")
    gates = play(table(me=gated, foe=small, turn=LAST_TURN), "end")
    assert "Blue's Gate has 2 cards against 1." in gates.describe()
    level = play(table(me=small, foe=small, turn=LAST_TURN), "end")
    assert "all is level, and Orange did not start." in level.describe()
    pile = play(table(pile="Ram", discards=places("Spy"), renewals=RENEWALS, me=big), "end")
    assert "The siege is lifted, the pile is used up" in pile.describe()
    fallen = play(table("Digger", foe=side(castle="Knight")), "play Digger")
    assert "siege" not in fallen.describe()


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_random_games_keep_all_cards_and_end(seed):
    state, chance = GAME.start(seed), Chance.seeded(seed)
    while not state.over:
        move, chance = chance.choice(state.moves())
        state = state.play(move)
        assert every_card(state) == sorted(BOX.deck)
        assert all(list(one.hand) == sorted(one.hand) for one in state.sides)
        if state.turn and not state.over:
            assert all(one.castle.cards for one in state.sides)
    assert state.turn <= LAST_TURN
    assert sorted(state.scores) == [0, 1]


def test_hoarding_players_come_to_an_end():
    """Nobody attacks: only the siege being lifted ends this."""
    state = prepared()
    while not state.over:
        state = state.play(END_TURN)
    assert state.turn == LAST_TURN


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_moves_are_what_check_allows(seed):
    """Every card with every payment up to two cards: listed exactly if it is legal."""
    state, chance = prepared(seed), Chance.seeded(seed)
    for _ in range(seed % 30):
        if not state.over:
            move, chance = chance.choice(state.moves())
            state = state.play(move)
    if state.over or state.pause is not None:
        return
    held = sorted(set(state.sides[state.active].hand))
    pairs = [(a, b) for a in held for b in held if a <= b]
    for paid in [(), *((card,) for card in held), *pairs]:
        for card in held:
            move = Play(BOX.cards[card].name, tuple(names(paid)))
            assert bool(state.check(move)) == (move in state.moves()), move


@pytest.mark.slow
def test_greedy_beats_random():
    wins = 0
    for seed in range(200):
        bots = (Greedy(), Random()) if seed % 2 else (Random(), Greedy())
        end, _ = play_out(GAME.start(seed), bots, Chance.seeded(seed))
        wins += bots[end.winners[0]].name == "greedy"
    assert wins >= 150


def test_greedy_takes_a_castle_that_is_open():
    foe = side()._replace(
        gate=Stack.of(places("Ogre, Ogre"), OPEN), castle=Stack.of(places("Axe man"), OPEN)
    )
    state = table("Digger, Scout, Knight", foe=foe)
    assert str(Greedy().choose(state, Chance.seeded(1))[0]) == "play Digger"


@pytest.mark.parametrize(
    ("state", "move", "mends"),
    [
        # first-stacks: a strange card gives way to one that was dealt, for the same stack
        (table("Ram"), "place gate Ram", ["strengthen gate Ram"]),
        (table("Ram"), "place castle Knight", ["strengthen castle Ram"]),
        # strengthen: once only, so the card is played or the turn ends
        (table("Ram", strengthened=1), "strengthen gate Ram", ["play Ram"]),
        (table("Spy", strengthened=1), "strengthen gate Spy", ["end"]),
        (table("Ram, Spy"), "strengthen gate Ram for Spy", ["strengthen gate Ram"]),
        # play: what pays, with as much of the payment that was offered as may be
        (table("Dragon, Ram, Spy"), "play Dragon for Spy", ["play Dragon for Ram, Spy"]),
        (table("Ram, Spy"), "play Ram for Spy", ["play Ram"]),
        (table("Giant, Ram"), "play Giant for Giant", ["play Giant for Ram"]),
        (table("Ogre, Ram"), "play Ogre", ["play Ram"]),
        (table("Ram"), "play Knight", ["play Ram"]),
        (table("Spy"), "play Spy", ["strengthen gate Spy", "strengthen castle Spy"]),
    ],
)
def test_a_breach_carries_the_moves_that_mend_it(state, move, mends):
    """castle_rampage/strengthen, castle_rampage/play, castle_rampage/first-stacks"""
    breach = state.check(GAME.move(move)).breaches[0]
    assert list(map(str, breach.mends)) == mends
    assert all(f"“{mend}”" in breach.mend for mend in mends)
    assert all(map(state.check, breach.mends))
