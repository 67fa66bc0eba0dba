"""Playing CastleScape: every rule by id, every ruling by number (S1–S66), every example."""

from collections import Counter
from dataclasses import replace

import pytest
from scape_moments import (
    BOX,
    GAME,
    ONE,
    TWO,
    broken,
    guild,
    listed,
    names,
    places,
    play,
    says,
    table,
)

import castlelab
from castlelab.chance import Chance
from castlelab.game import Move
from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.guild import (
    CUBES,
    EMPTY_STALL,
    HIDDEN_CARD,
    AgendaStep,
    ClaimedBailey,
    TurnGains,
)
from castlelab.games.castlescape.masonry import granted, walls_left
from castlelab.games.castlescape.moves import Destroy, Play, Wall
from castlelab.games.castlescape.quests import MEASURES, Quest
from castlelab.rules import CastlelabError, IllegalMove

THREE = castlelab.load("castlescape", players=3, side=7)
HARDCORE = castlelab.load("castlescape", side=7, hardcore=True)
WALLS3 = TurnGains(masonry=granted(((),), 3))


def recruits(board, seat):
    return board.ground[seat].bit_count() + board.atop[seat].bit_count()


# -- cards that came this turn -----------------------------------------------------------------


def bought_and_drawn(bought="Ramparts", hand="Quartermaster", discards="", gold=9):
    """A card is bought, and drawn again in the same turn from the new deck."""
    state = table(me=guild(hand, discards=discards), turn=TurnGains(gold=gold))
    return play(state, f"buy {bought}", "play Quartermaster")


def test_s29_a_card_that_came_this_turn_is_drawn_but_not_played():
    """castlescape/buy"""
    hand = "Market Stall, Market Stall, Hire a Fence, Quartermaster"
    state = table(me=guild(hand))
    state = play(state, "play Market Stall", "play Market Stall", "play Hire a Fence")
    state = play(state, "buy Ramparts", "play Quartermaster")
    assert names(state.guilds[0].hand) == ["Ramparts"]  # shuffled and drawn
    assert "play Ramparts" not in listed(state)
    assert broken(state, "play Ramparts") == ("castlescape/buy",)
    assert "came this turn" in says(state, "play Ramparts")
    assert broken(state, "wall d5") == ("castlescape/use-or-return",)
    later = play(state, "end", "end")
    assert "play Ramparts" in listed(later)


def test_s29_an_acquired_card_is_not_played_either():
    """castlescape/acquire, castlescape/buy"""
    state = table(me=guild("Quartermaster"), turn=TurnGains(acquires=(9,)))
    state = play(state, "acquire Ramparts", "play Quartermaster")
    assert names(state.guilds[0].hand) == ["Ramparts"]
    assert broken(state, "play Ramparts") == ("castlescape/buy",)


def test_s29_the_penalty_of_a_new_card_does_not_count():
    """castlescape/buy, castlescape/penalty"""
    state = bought_and_drawn("Hire a Fence")
    assert broken(state, "play Hire a Fence") == ("castlescape/buy",)
    state = play(state, "end", "end")
    assert state.guilds[0].infamy == 0
    assert state.guilds[0].alley == ()


def test_s29_an_older_copy_is_played():
    """castlescape/buy: of equal cards the older ones are taken to be drawn first."""
    state = bought_and_drawn(discards="Ramparts")
    assert names(state.guilds[0].hand) == ["Ramparts", "Ramparts"]
    assert "play Ramparts" in listed(state)
    state = play(state, "play Ramparts")
    assert broken(state, "play Ramparts") == ("castlescape/buy",)
    in_hand = table("Ramparts", turn=TurnGains(gold=5))
    assert "play Ramparts" in listed(play(in_hand, "buy Ramparts"))


def test_s29_a_new_card_may_be_destroyed():
    """castlescape/destroy: if one that came this turn is there, it goes before an older one."""
    state = bought_and_drawn(discards="Ramparts")
    state = replace(state, turn=state.turn._replace(from_hand=2))
    state = play(state, "destroy hand Ramparts")
    assert state.turn.new == ()
    assert "play Ramparts" in listed(state)
    state = table("Ramparts", turn=TurnGains(gold=5, from_hand=1, from_discards=1))
    state = play(state, "buy Ramparts")
    assert play(state, "destroy discards Ramparts").turn.new == ()
    gone = play(state, "destroy hand Ramparts")  # the old one: the new one lies in the pile
    assert gone.turn.new == places("Ramparts")


def test_everybody_can_tell_which_cards_came_this_turn():
    """castlescape/buy: nothing secret decides what may be played."""
    state = bought_and_drawn()
    assert state.view(0).moves() == state.moves()
    assert state.view(1).turn.new == places("Ramparts")


# -- walls of many cards ---------------------------------------------------------------------


def test_walls_of_five_cards_are_shared_exactly():
    """castlescape/wall-contiguous: a legal wall was refused once, since too many ways fitted."""
    game = castlelab.load("castlescape")
    hand = "Stone Walls, Master Mason, Ramparts, Stone Barge, Stone Barge"
    state = play(table(hand, game=game), "play Stone Walls", "play Master Mason", "play Ramparts")
    state = play(state, "play Stone Barge 1", "play Stone Barge 1")
    for square in ["f7", "e7", "e6", "e5", "f5", "g5", "g6", "d6", "c6", "f4", "e8", "e9", "g8"]:
        state = play(state, f"wall {square}")
    for square in ("h5", "h6"):
        assert f"wall {square}" in listed(state)
        assert walls_left(play(state, f"wall {square}").turn.masonry) == 0


# -- preparation -----------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "quarry", "marker"), [(2, 18, 4), (3, 24, 3), (4, 30, 3)])
def test_the_set_up(players, quarry, marker):
    """castlescape/first-wall, castlescape/quarry-setup, castlescape/goals-dealt,
    castlescape/score-zero, castlescape/market
    """
    game = castlelab.load("castlescape", players=players)
    state = game.start(3)
    assert state.board == Board.start(13)
    assert state.board.walls == 1 << 6 * 13 + 6
    assert (state.quarry, state.marker) == (quarry, marker)
    assert len(state.goals) == players + 1
    assert len(state.stalls) == 5
    assert len(state.rotating) == 45
    assert dict(zip(names(game.standard), state.piles, strict=True)) == {
        "Back Alley Bribes": 10,
        "Craftsman's Shop": 12,
        "Hire a Fence": 12,
        "Ramparts": 10,
        "New Contract": 1,
    }
    for seat, one in enumerate(state.guilds):
        assert (one.renown, one.infamy, one.corruption) == (0, 0, 0)
        assert len(one.hand) == len(one.deck) == 5
        assert sorted(one.hand + one.deck) == sorted(game.box.pack("starter"))  # starter-deck
        assert len(one.dealt) == 4
        assert state.cubes(seat) == CUBES == 12  # S65: the thirteenth marks the Renown


def test_s63_two_of_four_contracts_are_kept_in_secret():
    """castlescape/contracts-dealt"""
    state = GAME.start(4)
    assert state.to_move == 0
    assert len(listed(state, "keep")) == len(state.moves()) == 4
    first, second = listed(state)[:2]
    assert broken(state, "end") == ("castlescape/contracts-dealt",)
    state = play(state, first, second)
    assert state.to_move == 1
    assert state.view(1).guilds[0].contracts == (HIDDEN_CARD, HIDDEN_CARD)
    assert len(state.contracts) == 12 + 2  # the other two are back in the deck
    strange = next(c.name for at, c in enumerate(BOX.contracts) if at not in state.guilds[1].dealt)
    assert broken(state, f"keep {strange}") == ("castlescape/contracts-dealt",)
    state = play(state, *listed(state)[:2])
    assert state.round == 1
    assert len(state.contracts) == 16
    assert all(len(one.contracts) == 2 for one in state.guilds)
    assert broken(state, first) == ("castlescape/contract",)


def test_s64_chance_picks_the_first_player():
    """castlescape/starter-deck"""
    starters = {GAME.start(seed).starter for seed in range(12)}
    assert starters == {0, 1}
    state = GAME.start(1)
    for _ in range(4):
        state = play(state, listed(state)[0])
    assert state.to_move == state.active == state.starter


def test_every_option_is_offered():
    """castlescape/coop is not among them: the rulebook prints no rules for it."""
    assert [option.name for option in GAME.option_list] == ["side", "hardcore"]
    for side in range(7, 26, 2):
        assert castlelab.load("castlescape", side=side).start(1).board.side == side
    for wrong in (5, 8, 27, 13.0, True):
        with pytest.raises(CastlelabError, match="side is one of 7, 9"):
            castlelab.load("castlescape", side=wrong)
    with pytest.raises(CastlelabError, match="no option 'coop'"):
        castlelab.load("castlescape", coop=True)


# -- playing cards ---------------------------------------------------------------------------


def test_any_number_of_cards_is_played_and_drawing_helps_at_once():
    """castlescape/play-any, S25, S33: there is no limit to a hand."""
    state = table("Quartermaster, Market Stall")
    state = play(state, "play Quartermaster")
    assert names(state.guilds[0].hand) == ["Market Stall"] * 3
    state = play(state, *["play Market Stall"] * 3)
    assert state.turn.gold == 3
    assert state.guilds[0].hand == ()
    assert broken(state, "play Market Stall") == ("castlescape/play-any",)


def test_s26_or_is_chosen_when_the_card_is_played():
    """castlescape/or"""
    state = table("Stone Barge")
    assert listed(state, "play") == ["play Stone Barge 1", "play Stone Barge 2"]
    assert walls_left(play(state, "play Stone Barge 1").turn.masonry) == 4
    second = play(state, "play Stone Barge 2")
    assert walls_left(second.turn.masonry) == 2
    assert second.turn.recruits == 1
    assert broken(state, "play Stone Barge") == ("castlescape/or",)
    assert "Play Stone Barge 1: build 4 walls. Or play Stone Barge 2" in says(
        state, "play Stone Barge"
    )


def test_s22_walls_come_before_recruits():
    """castlescape/walls-first"""
    state = table("Ramparts, Train Apprentice")
    state = play(state, "play Ramparts", "play Train Apprentice", "wall d5", "recruit a1")
    assert broken(state, "wall d6") == ("castlescape/walls-first",)
    assert not listed(state, "wall")
    later = play(table("Ramparts, Train Apprentice"), "play Train Apprentice", "recruit a1")
    later = play(later, "play Ramparts")  # it may be played, but builds nothing any more
    assert broken(later, "wall d5") == ("castlescape/walls-first",)


def test_s22_a_card_may_make_an_exception():
    """castlescape/walls-first"""
    state = play(table("Scaffolding, Ramparts"), "play Scaffolding", "play Ramparts", "recruit d5")
    assert walls_left(state.turn.masonry) == 2
    state = play(state, "wall d5", "wall d6")
    assert state.board.atop[0] == GAME.bits["d5"]
    assert not listed(state, "wall")


def test_s6_unused_things_are_lost():
    """castlescape/use-or-return, S27, S46"""
    state = table("Ramparts, Train Apprentice, Market Stall", quarry=10)
    state = play(
        state, "play Ramparts", "play Train Apprentice", "play Market Stall", "wall d5", "end"
    )
    assert state.quarry == 9  # only the wall that was built came out of it
    assert state.turn == TurnGains()
    assert state.cubes(0) == CUBES
    assert broken(play(table(), "end"), "wall d5") == ("castlescape/use-or-return",)
    assert broken(table(), "recruit a1") == ("castlescape/use-or-return",)


def test_s27_s28_gold_is_pooled_and_buys_at_any_time():
    """castlescape/buy"""
    state = table("Craftsman's Shop, Craftsman's Shop, Clumsy Thief, Train Apprentice")
    state = play(state, "play Craftsman's Shop", "play Craftsman's Shop")
    assert broken(state, "buy Ramparts") == ("castlescape/buy",)
    assert "costs 5 gold, and you have 4" in says(state, "buy Ramparts")
    state = play(state, "play Clumsy Thief", "buy Back Alley Bribes", "buy Back Alley Bribes")
    assert state.turn.gold == 2
    assert names(state.guilds[0].discards) == ["Back Alley Bribes"] * 2
    assert state.piles[0] == 8
    assert state.turn.recruits == 0  # a bought card does nothing this turn
    assert "play Train Apprentice" in listed(state)


def test_s31_a_pile_may_be_sold_out():
    """castlescape/market"""
    state = table(turn=TurnGains(gold=9), piles=(1, 12, 12, 0, 1))
    assert broken(state, "buy Ramparts") == ("castlescape/market",)
    state = play(state, "buy Back Alley Bribes")
    assert broken(state, "buy Back Alley Bribes") == ("castlescape/market",)


def test_a_stall_stays_empty_until_the_end_of_the_turn():
    """castlescape/market, castlescape/cleanup"""
    stalls = places("Banquet, Bonfire, Watchtower, Scaffolding, Press Gang")
    state = table(turn=TurnGains(gold=9), stalls=stalls)
    assert broken(state, "buy Old Ledgers") == ("castlescape/buy",)
    state = play(state, "buy Watchtower")
    assert state.stalls[2] == EMPTY_STALL
    assert broken(state, "buy Watchtower") == ("castlescape/buy",)
    new = state.rotating[0]
    state = play(state, "end")
    assert state.stalls == (*stalls[:2], new, *stalls[3:])
    assert len(state.rotating) == 44


def test_s30_on_purchase_happens_when_bought_and_when_acquired():
    """castlescape/on-purchase, castlescape/acquire"""
    stalls = places("Banquet, Bonfire, Watchtower, Scaffolding, Press Gang")
    bought = play(table(turn=TurnGains(gold=7), stalls=stalls), "buy Banquet")
    assert (bought.guilds[0].renown, bought.turn.gold) == (2, 0)
    acquired = play(table(turn=TurnGains(acquires=(7,)), stalls=stalls), "acquire Banquet")
    assert acquired.guilds[0].renown == 2
    assert acquired.turn.acquires == ()
    assert names(acquired.guilds[0].discards) == ["Banquet"]
    # Played later, it does not happen again.
    assert play(table("Banquet"), "play Banquet").guilds[0].renown == 0


def test_acquire_is_free_within_its_limit():
    """castlescape/acquire"""
    state = table(turn=TurnGains(acquires=(2, 5)))
    assert broken(state, "acquire New Contract") == ()
    state = play(state, "acquire Back Alley Bribes")  # the smaller one is enough
    assert state.turn.acquires == (5,)
    assert state.turn.gold == 0
    assert broken(table(turn=TurnGains(acquires=(4,))), "acquire Ramparts") == (
        "castlescape/acquire",
    )
    assert broken(table(), "acquire Ramparts") == ("castlescape/acquire",)


def test_s32_new_contract_stays_on_offer():
    """castlescape/contract: draw two, keep one."""
    state = table(turn=TurnGains(gold=10), contracts=tuple(range(10)))
    state = play(state, "buy New Contract")
    assert state.guilds[0].dealt == (0, 1)
    assert broken(state, "end") == ("castlescape/contract",)
    assert broken(state, f"keep {BOX.contracts[5]}") == ("castlescape/contract",)
    state = play(state, f"keep {BOX.contracts[1]}")
    assert state.guilds[0].contracts == (1,)
    assert sorted(state.contracts) == [0, *range(2, 10)]
    assert places("New Contract")[0] not in state.guilds[0].owned
    assert "buy New Contract" in listed(state)
    assert state.view(1).guilds[0].contracts == (HIDDEN_CARD,)


def test_the_last_contracts():
    """castlescape/contract"""
    one = play(table(turn=TurnGains(gold=10), contracts=(7,)), "buy New Contract")
    assert one.guilds[0].contracts == (7,)
    assert not one.agenda
    assert broken(one, "buy New Contract") == ("castlescape/contract",)


# -- destroy, shift, trigger -----------------------------------------------------------------


def test_s62_destroyed_cards_leave_the_game():
    """castlescape/destroy"""
    state = table("Bonfire, Clumsy Thief", piles=(10, 12, 12, 10, 1))
    state = play(state, "play Bonfire", "destroy hand Clumsy Thief")
    assert names(state.gone) == ["Clumsy Thief"]
    assert places("Clumsy Thief")[0] not in state.guilds[0].owned
    assert broken(state, "destroy hand Market Stall") == ("castlescape/destroy",)


def test_faq_a_card_in_play_cannot_be_destroyed():
    """castlescape/destroy"""
    state = play(table("Bonfire, Market Stall"), "play Bonfire", "play Market Stall")
    assert broken(state, "destroy hand Market Stall") == ("castlescape/destroy",)
    assert "is in play" in says(state, "destroy hand Market Stall")
    assert broken(state, "destroy discards Market Stall") == (
        "castlescape/destroy",
    )  # another effect


def test_destroying_from_the_discard_pile():
    """castlescape/destroy"""
    me = guild("Old Ledgers", deck="Ramparts", discards="Clumsy Thief, Market Stall")
    state = play(table(me=me), "play Old Ledgers")
    assert listed(state, "destroy") == [
        "destroy discards Clumsy Thief",
        "destroy discards Market Stall",
    ]
    state = play(state, "destroy discards Clumsy Thief")
    assert names(state.guilds[0].discards) == ["Market Stall"]


def test_faq_shift_the_blame_only_for_cards_already_in_the_back_alley():
    """castlescape/penalty"""
    me = guild("Shift the Blame, Clumsy Thief", deck="Ramparts", alley="Hire a Fence")
    state = play(table(me=me), "play Clumsy Thief", "play Shift the Blame")
    assert broken(state, "shift Clumsy Thief") == ("castlescape/penalty",)
    assert "before its end" in says(state, "shift Clumsy Thief")
    state = play(state, "shift Hire a Fence")
    assert state.guilds[0].alley == ()
    assert names(state.guilds[0].discards) == ["Hire a Fence"]
    assert state.guilds[0].infamy == 0
    assert broken(table(), "shift Clumsy Thief") == ("castlescape/penalty",)


def test_s38_a_trigger_counts_the_penalties_and_leaves_the_cards():
    """castlescape/trigger"""
    deck = "Market Stall, Market Stall, Market Stall"
    me = guild("Loose Tongues", deck=deck, alley="Clumsy Thief, Hire a Fence")
    state = play(table(me=me), "play Loose Tongues")
    assert state.guilds[0].infamy == 3
    assert names(state.guilds[0].alley) == ["Clumsy Thief", "Hire a Fence"]
    assert len(state.guilds[0].hand) == 3


def test_levels_fall_but_not_below_nought():
    me = guild("Confession, Confession", infamy=2, corruption=4)
    state = play(table(me=me), "play Confession 1", "play Confession 2")
    assert (state.guilds[0].infamy, state.guilds[0].corruption) == (0, 3)


# -- clean-up and reshuffle ------------------------------------------------------------------


def test_the_clean_up_in_its_order():
    """castlescape/cleanup, castlescape/penalty"""
    deck = "Ramparts, Ramparts, Ramparts, Ramparts, Ramparts, Banquet"
    me = guild("Clumsy Thief, Market Stall, Train Apprentice", deck=deck)
    state = play(table(me=me), "play Clumsy Thief", "play Market Stall", "end")
    one = state.guilds[0]
    assert names(one.alley) == ["Clumsy Thief"]
    assert sorted(names(one.discards)) == ["Market Stall", "Train Apprentice"]
    assert names(one.hand) == ["Ramparts"] * 5
    assert names(one.deck) == ["Banquet"]
    assert one.infamy == 0  # S34: not yet
    assert state.to_move == state.active == 1


def test_example_penalties_add_up_before_the_shuffle():
    """castlescape/reshuffle: three cards with 1 and one with 2 make 5."""
    alley = "Clumsy Thief, Clumsy Thief, Clumsy Thief, Hire a Fence"
    me = guild(deck="Ramparts", alley=alley, discards="Market Stall, Market Stall")
    state = play(table(me=me), "end")
    one = state.guilds[0]
    assert one.infamy == 5
    assert one.alley == ()
    assert len(one.hand) == 5
    assert "Ramparts" in names(one.hand)  # S37: the rest of the deck first
    assert len(one.deck) == 2


def test_s35_this_turns_shady_cards_count_at_once():
    """castlescape/cleanup, castlescape/reshuffle"""
    me = guild("Clumsy Thief", deck="", discards="Market Stall")
    state = play(table(me=me), "play Clumsy Thief", "end")
    assert state.guilds[0].infamy == 1
    assert sorted(names(state.guilds[0].hand)) == ["Clumsy Thief", "Market Stall"]  # S37


def test_faq_cards_in_play_are_not_shuffled_in():
    """castlescape/reshuffle, S36"""
    me = guild("Quartermaster, Market Stall", discards="Train Apprentice, Stone Walls")
    state = play(table(me=me), "play Market Stall", "play Quartermaster")
    assert sorted(names(state.guilds[0].hand)) == ["Stone Walls", "Train Apprentice"]
    assert names(state.turn.played) == ["Market Stall", "Quartermaster"]


def test_s29_a_bought_card_may_be_shuffled_in_the_same_turn():
    """castlescape/buy, castlescape/reshuffle"""
    me = guild("Quartermaster")
    state = play(table(me=me, turn=TurnGains(gold=5)), "buy Ramparts", "play Quartermaster")
    assert names(state.guilds[0].hand) == ["Ramparts"]


def test_s37_nothing_left_to_draw():
    """castlescape/reshuffle"""
    state = play(table(me=guild("Quartermaster")), "play Quartermaster")
    assert state.guilds[0].hand == ()
    assert state.to_move == 0


# -- building --------------------------------------------------------------------------------


def test_s3_s4_the_walls_of_a_card():
    """castlescape/wall-adjacent, castlescape/wall-contiguous"""
    state = play(table("Ramparts"), "play Ramparts")
    assert listed(state, "wall") == ["wall d3", "wall c4", "wall e4", "wall d5"]
    assert broken(state, "wall a1") == ("castlescape/wall-adjacent",)
    assert broken(state, "wall c3") == ("castlescape/wall-adjacent",)  # a corner is not enough
    state = play(state, "wall d5")
    assert broken(state, "wall d3") == ("castlescape/wall-contiguous",)
    assert listed(state, "wall") == ["wall c5", "wall e5", "wall d6"]


def test_s5_walls_of_two_cards_need_not_touch():
    """castlescape/wall-contiguous"""
    state = play(table("Ramparts, Stone Walls"), "play Ramparts", "play Stone Walls")
    state = play(state, "wall d5", "wall d3")
    assert {"wall d6", "wall d2"} <= set(listed(state))  # nobody has said which is which
    state = play(state, "wall d6")
    assert broken(state, "wall d2") == ("castlescape/wall-contiguous",)  # now it is clear
    state = play(state, "wall d7")
    assert not listed(state, "wall")


def test_cards_are_taken_up_again_in_any_order():
    """castlescape/wall-contiguous: some way of sharing the walls among the cards must fit."""
    state = table("Ramparts, Ramparts")
    state = play(state, "play Ramparts", "play Ramparts", "wall d5", "wall d3", "wall d6")
    state = play(state, "wall d2", "wall d7", "wall d1")
    assert not listed(state, "wall")
    # Three below, then three more below would be one piece too many for the third above.
    state = play(table("Ramparts, Ramparts"), "play Ramparts", "play Ramparts")
    state = play(state, "wall d5", "wall d6", "wall d7", "wall d3")
    assert broken(state, "wall c5") == ("castlescape/wall-contiguous",)
    assert broken(state, "wall d2") == ()


def test_s7_no_block_of_four():
    """castlescape/no-two-by-two"""
    state = play(table("Ramparts"), "play Ramparts", "wall d5", "wall e5")
    assert broken(state, "wall e4") == ("castlescape/no-two-by-two",)
    where = state.check(Wall("e4")).where
    assert set(where) == {"d4", "e4", "d5", "e5"}


def test_walls_that_cannot_be_built_are_forfeited():
    """castlescape/no-two-by-two"""
    full = "###.### / #.#.#.# / ##.#.## / .#.#.#. / ##.#.## / #.#.#.# / ###.###"
    state = table("Ramparts", board=full.replace(" ", ""))
    state = play(state, "play Ramparts")
    spots = listed(state, "wall")
    assert all(broken(state, move) == () for move in spots)
    assert "end" in listed(state)


def test_s8_nothing_is_built_in_a_completed_bailey():
    """castlescape/wall-free-square"""
    hall = "......./.#####./.#...#./.#...#./.#.b.#./.####../......."
    state = play(table(board=hall, turn=WALLS3), "wall f6")
    assert broken(state, "wall d3") == ("castlescape/wall-free-square",)
    assert broken(state, "wall d5") == ("castlescape/wall-free-square",)  # nor under a recruit
    assert broken(state, "wall f6") == ("castlescape/wall-free-square",)  # one wall to a square


def test_example_a_wall_lifts_a_recruit():
    """castlescape/wall-under-recruit, S9: also that of a rival, who is not asked."""
    state = play(table("Stone Walls, Train Apprentice"), "play Train Apprentice", "recruit d5")
    state = play(state, "end", "end")
    again = replace(state, turn=WALLS3)
    built = play(again, "wall d5")
    assert built.board.atop[0] == GAME.bits["d5"]
    assert built.board.ground[0] == 0
    rival = play(replace(state, active=1, turn=WALLS3), "wall d5")
    assert rival.board.atop[0] == GAME.bits["d5"]


# -- baileys ---------------------------------------------------------------------------------


def test_s1_the_edge_is_not_a_wall():
    """castlescape/bailey"""
    corner = ".#...../#....../" + "/".join(["......."] * 5)
    state = play(table(board=corner, turn=WALLS3), "wall b2")
    assert state.claims == ()


def test_s2_a_corner_leaks():
    """castlescape/bailey"""
    state = play(table(board=ONE.replace(".##....", ".#....."), turn=WALLS3), "wall c4")
    assert state.claims == ()  # d4 is still open
    assert play(state, "wall d4").claims[0].size == 1


def test_s10_completion_is_seen_in_the_middle_of_a_card():
    """castlescape/bailey-score"""
    board = ONE.replace(".#.#...", ".#a#...")
    state = play(table(board=board, turn=WALLS3), "wall d4")
    assert state.guilds[0].renown == 1
    assert walls_left(state.turn.masonry) == 2
    assert state.claims == (ClaimedBailey(GAME.bits["c3"], state.claims[0].walls, 1, (0,)),)


def test_example_four_against_five():
    """castlescape/influence, castlescape/bailey-score: who completes a bailey need not claim it."""
    board = TWO.replace(".####..", ".AABB..").replace(".#..#..", ".#b.#..")
    state = play(table(board=board, turn=WALLS3), "wall e4")
    assert state.claims[0].seats == (1,)
    assert [one.renown for one in state.guilds] == [0, 2]


def test_example_two_squares_three_against_two():
    """castlescape/bailey-score: 2 Renown."""
    board = TWO.replace(".####..", ".A##B..").replace(".#..#..", ".#a.#..")
    state = play(table(board=board, turn=WALLS3), "wall e4")
    assert [one.renown for one in state.guilds] == [2, 0]
    assert state.claims[0].seats == (0,)


def test_faq_one_bailey_or_two():
    """castlescape/bailey: two squares that meet at a corner are one bailey; red 3, yellow 2."""
    board = "####... / #a##... / ##.#... / .###..."
    board = (board + " / ....... / ....... / .......").replace(" ", "")
    board = board.replace("#a##...", "#aA#...").replace("##.#...", "##.B...")
    state = play(table(board=board.replace(".###...", ".##....", 1), turn=WALLS3), "wall d4")
    assert [claim.size for claim in state.claims] == [2]
    assert state.influence_in(*state.claims[0][:2]) == [3, 2]
    assert [one.renown for one in state.guilds] == [2, 0]


def test_s11_one_wall_closes_two_baileys():
    """castlescape/bailey-score"""
    both = "......./#####../#a#b#../##.##../......./......./......."
    state = table(board=both, turn=WALLS3)
    state = play(state, "wall c4")
    assert sorted(claim.size for claim in state.claims) == [1, 1]
    assert [one.renown for one in state.guilds] == [1, 1]


def test_s12_which_walls_give_influence():
    """castlescape/influence: corners and inner walls do, a stub outside does not."""
    board = "......./B#####./.#...#./.#A..#./.#...#./.####B./......."
    state = play(table(board=board.replace(".####B.", ".####.."), turn=WALLS3), "wall f6")
    assert state.influence_in(*state.claims[0][:2]) == [2, 0]  # a2 only touches the ring
    corner = board.replace("B#####.", ".B####.").replace(".####B.", ".####..")
    state = play(table(board=corner, turn=WALLS3), "wall f6")
    assert state.influence_in(*state.claims[0][:2]) == [2, 2]


def test_s20_a_claim_marker_blocks_nothing():
    """castlescape/position"""
    state = play(table(board=ONE.replace(".###...", ".A##..."), turn=WALLS3), "wall d4")
    assert state.claims[0].seats == (0,)
    state = play(replace(state, turn=TurnGains(recruits=1)), "recruit c3")
    assert state.board.ground[0] == GAME.bits["c3"]


def test_s13_a_shared_wall_counts_in_both_baileys():
    """castlescape/influence"""
    both = "......./#####../#.#b#../##.##../......./......./......."
    state = table(board=both.replace("#.#b#..", "#.Ab#.."), turn=WALLS3)
    state = play(state, "wall c4")
    assert [claim.seats for claim in state.claims] == [(0,), (0,)]


def test_s14_s15_a_bailey_round_a_bailey():
    """castlescape/bailey-score: no square scores twice, walls are not counted."""
    inner = "....... / .#####. / .#...#. / .#.#.#. / .#...#. / .####.. / ......."
    board = inner.replace(" ", "").replace(".#...#.", ".#a..#.", 1)
    state = play(table(board=board, turn=WALLS3), "wall f6")
    assert state.claims[0].size == 8  # nine squares, one of them a wall
    assert state.guilds[0].renown == 8
    old = Board.parse("#######/#.....#/#.###.#/#.#.#.#/#.###.#/#.....#/######.")
    state = table(board=old, turn=TurnGains(masonry=granted(((),), 1)))
    assert state.enclosed.bit_count() == 1
    state = replace(state, claims=(ClaimedBailey(state.enclosed, 0, 1, ()),))
    state = play(state, "wall g7")
    assert state.claims[1].size == 16
    assert state.enclosed.bit_count() == 17


def test_s16_a_bailey_without_influence_stays_unclaimed():
    """castlescape/bailey-score, castlescape/occupation"""
    state = play(table(board=ONE, turn=WALLS3), "wall d4")
    assert state.claims[0].seats == ()
    assert [one.renown for one in state.guilds] == [0, 0]
    later = replace(state, turn=TurnGains(recruits=1))
    later = play(later, "recruit c3")  # S19: into the finished bailey
    assert later.claims[0].seats == ()
    assert later.guilds[0].renown == 0
    assert later.holder(later.claims[0]) == 0


def test_s17_tied_players_share_and_both_have_claimed():
    """castlescape/bailey-score"""
    one = play(table(board=ONE.replace(".###...", ".A#B..."), turn=WALLS3), "wall d4")
    assert one.claims[0].seats == (0, 1)
    assert [g.renown for g in one.guilds] == [0, 0]  # 1 // 2
    two = play(table(board=TWO.replace(".####..", ".A##B.."), turn=WALLS3), "wall e4")
    assert [g.renown for g in two.guilds] == [1, 1]


def test_s18_recruits_stay_after_the_score():
    """castlescape/stays"""
    state = play(table(board=ONE.replace(".#.#...", ".#a#..."), turn=WALLS3), "wall d4")
    assert state.board.ground[0] == GAME.bits["c3"]
    assert broken(state, "move c3 c4") == ("castlescape/stays",)


# -- recruits --------------------------------------------------------------------------------


def test_s21_recruits_go_anywhere_free():
    """castlescape/position"""
    state = table("Press Gang")
    state = play(state, "play Press Gang")
    assert len(listed(state, "recruit")) == 48
    assert broken(state, "recruit d4") == ("castlescape/position",)
    state = play(state, "recruit a1")
    assert broken(state, "recruit a1") == ("castlescape/position",)
    assert len(listed(state, "recruit")) == 47


def test_a_card_may_put_a_recruit_on_a_wall():
    """castlescape/position"""
    state = play(table("Watchtower"), "play Watchtower")
    assert listed(state, "recruit") == ["recruit d4"]
    assert broken(state, "recruit d5") == ("castlescape/position",)
    state = play(state, "recruit d4")
    assert state.board.atop[0] == GAME.bits["d4"]
    more = replace(state, turn=TurnGains(sentries=1))
    assert broken(more, "recruit d4") == ("castlescape/position",)


def full_site(game=GAME, turn=None):
    """Twelve recruits of seat 0 on the ground of the first two rows."""
    board = "aaaaaaa/aaaaa../......./...#.../......./......./......."
    return table(board=board, turn=turn or TurnGains(recruits=2), game=game)


def test_s24_with_no_cubes_left_a_recruit_is_taken_back_first():
    """castlescape/cubes-out"""
    state = full_site()
    assert broken(state, "recruit g7") == ("castlescape/cubes-out",)
    assert len(listed(state, "recall")) == 12
    state = play(state, "recall a1")
    assert broken(state, "recall b1") == ("castlescape/cubes-out",)  # only while there is none
    state = play(state, "recruit g7", "recall b1", "recruit f7")
    assert recruits(state.board, 0) == 12
    assert broken(state, "recall c1") == ("castlescape/cubes-out",)  # nothing more to position
    assert broken(full_site(), "recall g7") == ("castlescape/cubes-out",)


def test_hardcore_recruits_are_never_taken_back():
    """castlescape/cubes-out"""
    state = full_site(HARDCORE)
    assert not listed(state, "recall")
    assert broken(state, "recall a1") == ("castlescape/cubes-out",)
    assert broken(state, "recruit g7") == ("castlescape/cubes-out",)


def test_s23_a_move_leads_down_from_a_wall():
    """castlescape/adjacent: to free ground beside it, but not from wall to wall."""
    board = "......./......./...b.../..#Aa../...#.../......./......."
    state = table(board=board, turn=TurnGains(moves=2))
    assert listed(state, "move d4") == []
    state = table(board=board.replace("Aa", "A."), turn=TurnGains(moves=2))
    assert listed(state, "move") == ["move d4 e4"]
    assert broken(state, "move d4 d5") == ("castlescape/adjacent",)
    assert broken(state, "move d4 d3") == ("castlescape/position",)
    down = play(state, "move d4 e4")
    assert down.board.ground[0] == GAME.bits["e4"]
    assert down.board.atop[0] == 0
    assert listed(down, "move") == ["move e4 e3", "move e4 f4", "move e4 e5"]
    # A climb leads up from the ground.
    climbing = table(board=board.replace("Aa", "A."), turn=TurnGains(climbs=1))
    assert listed(climbing, "move") == []
    assert broken(climbing, "move d4 d5") == ("castlescape/adjacent",)


def test_s23_moves_are_orthogonal_and_on_the_ground():
    """castlescape/adjacent"""
    board = "......./......./...b.../..a#.../......./......./......."
    state = table(board=board, turn=TurnGains(moves=2))
    assert listed(state, "move") == ["move c4 c3", "move c4 b4", "move c4 c5"]
    assert broken(state, "move c4 d3") == ("castlescape/adjacent", "castlescape/position")
    assert broken(state, "move c4 d4") == ("castlescape/adjacent",)  # a wall
    assert broken(state, "move c4 b3") == ("castlescape/adjacent",)  # a corner
    assert broken(state, "move a1 a2") == ("castlescape/adjacent",)
    # … at any time of the turn, also between wall and wall, and before recruits
    state = replace(state, turn=TurnGains(moves=2, masonry=granted(((),), 2)))
    state = play(state, "wall d5", "move c4 c5", "wall d6", "move c5 c6")
    assert state.board.ground[0] == GAME.bits["c6"]
    assert broken(state, "move c6 c7") == ("castlescape/stays",)


def test_a_card_lets_recruits_climb():
    """castlescape/adjacent"""
    board = "......./......./......./..a#.../......./......./......."
    state = table(board=board, turn=TurnGains(climbs=1))
    assert listed(state, "move") == ["move c4 d4"]
    assert broken(state, "move c4 c5") == ("castlescape/adjacent",)
    state = play(state, "move c4 d4")
    assert state.board.atop[0] == GAME.bits["d4"]
    down = replace(state, turn=TurnGains(moves=1))
    assert not broken(down, "move d4 d5")


def test_ousting_reaches_the_next_square_only():
    """castlescape/adjacent"""
    board = "......./.b...../..a..../..B..../......b/......./......."
    state = table(board=board, turn=TurnGains(ousts=2))
    assert listed(state, "oust") == ["oust c4"]
    assert broken(state, "oust b2") == ("castlescape/adjacent",)
    assert broken(state, "oust c3") == ("castlescape/adjacent",)
    state = play(state, "oust c4")
    assert recruits(state.board, 1) == 2
    assert broken(table(board=board), "oust c4") == ("castlescape/stays",)


# -- goals and contracts ---------------------------------------------------------------------


def test_s54_s55_one_goal_a_turn_by_choice():
    """castlescape/goal"""
    goals = tuple(
        sorted(BOX.goal_places[n] for n in ("Manned Walls", "Four Corners", "Great Court"))
    )
    board = "a.....a/......./......./..AAAA./......./a....../......a"
    state = table(board=board, goals=goals)
    assert listed(state, "claim") == ["claim Manned Walls", "claim Four Corners"]
    assert broken(state, "claim Great Court") == ("castlescape/goal",)
    assert "end" in listed(state)
    state = play(state, "claim Four Corners")
    assert state.guilds[0].renown == BOX.goal("Four Corners").renown
    assert broken(state, "claim Manned Walls") == ("castlescape/goal",)
    assert broken(state, "claim Four Corners") == ("castlescape/goal",)  # not replaced
    assert len(state.goals) == 2
    assert not listed(play(state, "end"), "claim")  # the rival does not fulfil it
    assert "claim Manned Walls" in listed(play(state, "end", "end"))


def test_s56_faq_a_shared_bailey_counts_fully_for_each():
    """castlescape/goal, castlescape/contract"""
    state = table(claims=(ClaimedBailey(1, 0, 6, (0, 1)),))
    wide, steady = BOX.contract("Wide Gates"), BOX.contract("Good Neighbour")
    assert all(wide.met(state, seat) and steady.met(state, seat) for seat in (0, 1))
    assert BOX.goal("First Stones").met(state, 1)


CONDITIONS = {
    "claims": ({"claims": (ClaimedBailey(1, 0, 2, (0,)), ClaimedBailey(2, 0, 3, (0, 1)))}, 2),
    "bailey": ({"claims": (ClaimedBailey(1, 0, 2, (0,)), ClaimedBailey(2, 0, 3, (0, 1)))}, 3),
    "squares": ({"claims": (ClaimedBailey(1, 0, 2, (0,)), ClaimedBailey(2, 0, 3, (0, 1)))}, 5),
    "shared": ({"claims": (ClaimedBailey(1, 0, 2, (0,)), ClaimedBailey(2, 0, 3, (0, 1)))}, 1),
    "atop": ({"board": "a....../.A...../......./...#.../......./......./......b"}, 1),
    "on-site": ({"board": "a....../.A...../......./...#.../......./......./......b"}, 2),
    "influence": ({"board": "a....../.A...../......./...#.../......./......./......b"}, 3),
    "quarters": ({"board": "a..a..a/......./......./...#.../......./......./......b"}, 2),
    "at-edge": ({"board": "a..a..a/.a...../......./...#.../......./......./......b"}, 3),
    "inside": ({"board": "......./.###.../.#a#.../.###.../......./......./a......"}, 1),
    "cards": ({"me": guild("Ramparts", "Market Stall", "Clumsy Thief")}, 3),
    "few-cards": ({"me": guild("Ramparts", "Market Stall", "Clumsy Thief")}, 3),
    "bought": ({"me": guild("Ramparts", "Market Stall", "Banquet")}, 2),
    "rotating": ({"me": guild("Ramparts", "Market Stall", "Banquet")}, 1),
    "shady": ({"me": guild("Hire a Fence", "Market Stall", "Clumsy Thief")}, 2),
    "few-shady": ({"me": guild("Hire a Fence", "Market Stall", "Clumsy Thief")}, 2),
    "worth": ({"me": guild("Banquet, Guild Hall")}, 3),
    "little-corruption": ({"me": guild(corruption=4)}, 4),
    "goals": ({"me": guild(goals=(1, 2))}, 2),
    "renown": ({"me": guild(renown=9)}, 9),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_what_conditions_count(name):
    """castlescape/goal, castlescape/contract"""
    changes, count = CONDITIONS[name]
    state = table(**changes)
    number = next(n for n in MEASURES[name].numbers if n >= count)
    quest = Quest.of("Test", f"{name} {number}", 1)
    assert quest.count(state, 0) == count
    assert quest.met(state, 0) == (MEASURES[name].at_most or number == count)


def test_held_baileys_are_counted():
    """castlescape/occupation"""
    state = play(table(board=ONE.replace(".#.#...", ".#a#..."), turn=WALLS3), "wall d4")
    assert BOX.goal("Garrison").count(state, 0) == 1
    assert BOX.goal("Garrison").count(state, 1) == 0


# -- Infamy and Corruption -------------------------------------------------------------------


def test_s39_infamy_beyond_ten_costs_influence_at_once():
    """castlescape/over-ten"""
    board = "A.....a/......./......./...#.../......./......./a......"
    me = guild("Loose Tongues", deck="Market Stall, Market Stall, Market Stall", infamy=9)
    me = me._replace(alley=places("Hire a Fence, Clumsy Thief"), owned=me.owned)
    state = play(table(me=me, board=board), "play Loose Tongues")
    assert state.guilds[0].infamy == 10
    assert state.agenda[0] == AgendaStep("levy", 0, 2)
    assert listed(state) == ["dismiss a1", "dismiss g1", "dismiss a7"]
    assert broken(state, "end") == ("castlescape/over-ten",)
    assert broken(state, "pay") == ("castlescape/over-ten",)
    assert broken(state, "discard Market Stall") == ("castlescape/over-ten",)
    assert broken(state, "dismiss b1") == ("castlescape/over-ten",)
    state = play(state, "dismiss g1", "dismiss a7")
    assert not state.agenda
    assert state.board.atop[0] == GAME.bits["a1"]


def test_s39_then_cards_or_renown_as_one_likes():
    """castlescape/over-ten"""
    board = "......a/......./......./...#.../......./......./......."
    me = guild("Loose Tongues, Ramparts", deck="Market Stall, Banquet, Bonfire", infamy=10)
    me = me._replace(alley=places("Hire a Fence, Hire a Fence"))
    state = play(table(me=me, board=board), "play Loose Tongues")
    assert recruits(state.board, 0) == 0  # there was no choice
    assert state.agenda[0] == AgendaStep("levy", 0, 3)
    assert listed(state, "pay") == ["pay"]
    state = play(state, "pay", "discard Bonfire", "pay")
    assert state.guilds[0].renown == -2  # S59
    assert names(state.guilds[0].discards) == ["Bonfire"]
    assert not state.agenda


def test_s39_without_cards_renown_is_all_that_is_left():
    """castlescape/over-ten"""
    me = guild(infamy=10, alley="Hire a Fence", discards="Market Stall")
    state = play(table(me=me), "end")  # the reshuffle comes before the first card is drawn
    assert state.guilds[0].renown == -2
    assert state.guilds[0].infamy == 10
    assert state.to_move == 1


def test_s60_corruption_beyond_ten_costs_renown():
    """castlescape/over-ten"""
    me = guild(corruption=9, renown=5, alley="Double Deal, Back Alley Bribes")
    state = play(table(me=me), "end")
    assert state.guilds[0].corruption == 10
    assert state.guilds[0].renown == 4


def test_over_ten_in_the_middle_of_the_clean_up():
    """castlescape/over-ten, castlescape/cleanup: then the turn goes on to its end."""
    board = "A.....a/......./......./...#.../......./......./a......"
    me = guild(infamy=10, deck="Ramparts", alley="Clumsy Thief", discards="Market Stall")
    state = play(table(me=me, board=board), "end")
    assert state.to_move == 0
    assert state.agenda[0] == AgendaStep("levy", 0, 1)
    assert names(state.guilds[0].hand) == ["Ramparts"]
    state = play(state, "dismiss a1")  # a wall recruit may go, too
    assert sorted(names(state.guilds[0].hand)) == ["Clumsy Thief", "Market Stall", "Ramparts"]
    assert state.to_move == 1


# -- inspections -----------------------------------------------------------------------------


def before_inspection(me=None, others=None, board=None, game=GAME, **changes):
    """The last wall of the Quarry is about to be built; then seat 0 ends the turn."""
    changes.setdefault("quarry", 1)
    changes.setdefault("turn", TurnGains(masonry=granted(((),), 2)))
    return table(me=me, others=others, board=board, game=game, **changes)


def test_no_inspection_while_the_quarry_has_walls():
    """castlescape/inspection-trigger"""
    state = play(before_inspection(quarry=2), "wall d5", "end")
    assert (state.quarry, state.marker) == (1, 4)


def test_s46_walls_that_were_not_built_go_back():
    """castlescape/inspection-trigger, castlescape/use-or-return"""
    state = play(before_inspection(), "end")
    assert (state.quarry, state.marker) == (1, 4)


def test_s47_more_walls_come_from_the_supply():
    """castlescape/inspection-trigger"""
    state = play(before_inspection(), "wall d5")
    assert state.quarry == 0
    state = play(state, "wall d6", "end")
    assert (state.quarry, state.marker) == (6, 3)


def test_s48_an_inspection_clears_the_market():
    """castlescape/inspection"""
    state = before_inspection()
    old, deck = state.stalls, state.rotating
    state = play(state, "wall d5", "end")
    assert state.stalls == deck[:5]
    assert state.gone == tuple(sorted(old))
    assert len(state.rotating) == 40


def test_example_infamy_three():
    """castlescape/inspection: one recruit of a wall and one of the ground."""
    board = "A.....a/.....a./......./...#.../......./......./A......"
    me = guild(infamy=3, corruption=1)
    state = play(before_inspection(me=me, board=board), "wall d5", "end")
    assert state.agenda[0] == AgendaStep("give-up", 0, 3)
    assert broken(state, "end") == ("castlescape/inspection",)
    state = play(state, "dismiss a1", "dismiss g1")
    assert recruits(state.board, 0) == 2
    assert state.guilds[0].infamy == 1  # set to the Corruption
    assert state.to_move == 1


def test_s40_too_much_may_have_to_go():
    """castlescape/inspection"""
    board = "A....../......./......./...#.../......./......./......A"
    state = play(before_inspection(me=guild(infamy=3), board=board), "wall d5", "end")
    state = play(state, "dismiss a1")
    assert state.agenda[0] == AgendaStep("give-up", 0, 1)
    state = play(state, "dismiss g7")
    assert not state.agenda
    assert state.guilds[0].renown == 0


def test_s41_then_cards_then_renown():
    """castlescape/inspection"""
    hand = "Ramparts, Banquet, Bonfire"
    board = "a....../......./......./...#.../......./......./......."
    me = guild(deck=hand, infamy=3)
    state = play(before_inspection(me=me, board=board), "wall d5", "end")
    assert recruits(state.board, 0) == 0
    assert state.agenda[0] == AgendaStep("give-up", 0, 2)
    assert listed(state) == ["discard Ramparts", "discard Bonfire", "discard Banquet"]
    assert broken(state, "pay") == ("castlescape/inspection",)
    assert broken(state, "discard Market Stall") == ("castlescape/inspection",)
    state = play(state, "discard Bonfire", "discard Ramparts")
    assert names(state.guilds[0].hand) == ["Banquet"]
    all_gone = play(before_inspection(me=guild(deck=hand, infamy=5)), "wall d5", "end")
    assert all_gone.guilds[0].hand == ()
    assert all_gone.guilds[0].renown == -2


def test_s42_recruits_outside_baileys_count_too():
    """castlescape/inspection: 2 on any wall, 1 on the ground."""
    board = "A....../a....../......./...#.../......./......./......."
    state = play(before_inspection(me=guild(infamy=2), board=board), "wall d5", "end")
    assert not play(state, "dismiss a1").agenda
    assert play(state, "dismiss a2").agenda[0].number == 1


def test_s43_the_next_player_is_first():
    """castlescape/inspection"""
    board = "aa.bb.c/......c/......./...#.../......./......./......."
    me, others = guild(infamy=1), [guild(infamy=1), guild(infamy=1)]
    state = before_inspection(me=me, others=others, board=board, game=THREE)
    state = play(state, "wall d5", "end")
    order = []
    while state.agenda:
        order.append(state.to_move)
        state = play(state, listed(state)[0])
    assert order == [1, 2, 0]


def test_s44_infamy_is_set_to_corruption_upwards_too():
    """castlescape/inspection"""
    me, other = guild(infamy=0, corruption=4), guild(infamy=2, corruption=1)
    state = play(before_inspection(me=me, others=[other]), "wall d5", "end")
    assert [one.infamy for one in state.guilds] == [4, 1]
    assert [one.corruption for one in state.guilds] == [4, 1]


def occupied(board, game=GAME, **changes):
    """A table with every bailey of its board complete and unclaimed."""
    site = Board.parse(board)
    claims = tuple(ClaimedBailey(b.bits, b.wall_bits, b.size, ()) for b in site.baileys())
    return before_inspection(board=site, game=game, claims=claims, **changes)


def test_example_occupation():
    """castlescape/occupation: 2 v 1, 5 v 2 and 3 v 2 v 2 give 2 Renown and 1 Renown."""
    board = (
        "###.###......",
        "Ab#.AaB......",
        "###.A##......",
        ".............",
        ".............",
        ".............",
        ".............",
        ".###.........",
        ".BbC.........",
        ".A##.........",
        ".............",
        ".............",
        ".............",
    )
    game = castlelab.load("castlescape", players=3)
    state = occupied("/".join(board), game=game, turn=TurnGains(), quarry=0)
    there = [state.influence_in(claim.squares, claim.walls) for claim in state.claims]
    assert there == [[2, 1, 0], [5, 2, 0], [2, 3, 2]]
    state = play(state, "end")
    assert [one.renown for one in state.guilds] == [2, 1, 0]
    assert [claim.seats for claim in state.claims] == [(), (), ()]  # markers do not change


def test_s45_a_tie_or_nobody_gives_no_bonus():
    """castlescape/occupation"""
    tie = play(occupied("......./.A#B.../.#.#.../.###.../......./......./......."), "end")
    assert [one.renown for one in tie.guilds] == [0, 0]
    none = occupied("......./.###.../.#.#.../.###.../......./......./.......", quarry=0)
    assert [one.renown for one in play(none, "end").guilds] == [0, 0]
    tie = occupied("......./.A#B.../.#.#.../.###.../......./......./.......", quarry=0)
    assert [one.renown for one in play(tie, "end").guilds] == [0, 0]


def test_s45_the_bonus_comes_after_the_removals():
    """castlescape/occupation, castlescape/inspection"""
    board = "......./.A#B.../.#a#.../.###.../......./......./......."
    state = occupied(board, me=guild(infamy=1), quarry=0)
    state = play(state, "end")
    kept = play(state, "dismiss c3")
    assert [one.renown for one in kept.guilds] == [0, 0]
    lost = play(state, "dismiss b2")
    assert [one.renown for one in lost.guilds] == [0, 1]


# -- the end ---------------------------------------------------------------------------------


def test_s50_the_last_time_there_is_no_ordinary_inspection():
    """castlescape/final-round"""
    me = guild(infamy=5, deck="Ramparts, Ramparts, Ramparts, Ramparts, Ramparts")
    state = before_inspection(me=me, marker=1)
    stalls = state.stalls
    state = play(state, "wall d5", "end")
    assert state.ending
    assert state.quarry == 0
    assert state.stalls == stalls
    assert state.guilds[0].infamy == 5
    assert len(state.guilds[0].hand) == 5
    assert state.to_move == 1
    end = play(state, "end")  # S49: the round is finished, and that is all
    assert end.over


def test_s49_if_the_last_player_brings_the_end_nobody_plays_again():
    """castlescape/final-round"""
    state = replace(before_inspection(marker=1), starter=1)
    assert play(state, "wall d5", "end").over


def test_walls_of_the_final_round_come_from_the_supply():
    """castlescape/final-round, S66"""
    other = guild("Ramparts")
    state = play(before_inspection(marker=1, others=[other]), "wall d5", "end")
    state = play(state, "play Ramparts", "wall d3", "wall d2", "wall d1")
    assert state.quarry == 0
    # … also where the Quarry did not run out: it is shown as it was.
    state = table("Ramparts", ending="market", quarry=5)
    assert play(state, "play Ramparts", "wall d3", "wall d2", "wall d1").quarry == 5


def test_s51_the_last_rotating_card_brings_the_final_round():
    """castlescape/final-round"""
    stalls = places("Banquet, Bonfire, Watchtower, Scaffolding, Press Gang")
    rotating = places("Old Ledgers, Confession")
    state = table(turn=TurnGains(gold=10), stalls=stalls, rotating=rotating)
    one = play(state, "buy Bonfire", "end")
    assert not one.ending
    two = play(state, "buy Bonfire", "buy Watchtower", "end")
    assert two.ending
    assert two.ending == "market"
    assert "Final round, because the last card of the rotating market was drawn." in two.describe()
    assert not play(replace(two, ending=""), "end").over
    assert play(two, "end").over


def test_s52_the_first_trigger_counts():
    """castlescape/final-round"""
    state = before_inspection(ending="quarry", marker=3)
    state = play(state, "wall d5", "end")
    assert state.marker == 3
    assert play(state, "end").over


def test_the_long_winter():
    """castlescape/long-winter: three whole rounds in which nobody does anything."""
    state = table(round=3)
    state = play(state, *["end"] * 5)
    assert not state.over
    state = play(state, "end")
    assert state.over
    assert (state.round, state.ending) == (5, "winter")
    assert (
        "because nobody built, positioned, bought or claimed for three rounds" in state.describe()
    )


@pytest.mark.parametrize(
    "deed", ["wall d5", "recruit a1", "buy Ramparts", "acquire Ramparts", "claim Clean Slate"]
)
def test_whoever_does_something_ends_the_winter(deed):
    """castlescape/long-winter: building, positioning, buying and claiming."""
    goal = replace(BOX.goals[0], name="Clean Slate", measure="few-cards", number=20)
    game = castlelab.load("castlescape", side=7)
    game.box = replace(BOX, goals=(goal, *BOX.goals[1:]))
    turn = TurnGains(masonry=granted(((),), 1), recruits=1, gold=5, acquires=(5,))
    state = play(table(game=game, turn=turn, goals=(0,), quiet=4), deed, "end")
    assert state.quiet == 0
    assert not play(state, *["end"] * 5).over  # not six turns of whole rounds
    assert play(state, *["end"] * 7).over


def test_playing_alone_does_not_end_the_winter():
    """castlescape/long-winter"""
    state = table("Market Stall, Ramparts", quiet=5, starter=1)
    assert play(state, "play Market Stall", "play Ramparts", "end").over


def test_there_is_no_last_round_by_number():
    """castlescape/long-winter: a game in which something is done goes on."""
    state = play(table(round=60, turn=TurnGains(recruits=1)), "recruit a1", "end", "end")
    assert state.round == 61
    assert not state.ending


def test_s53_the_final_inspection():
    """castlescape/final-round: penalties for all, an Inspection, the scores."""
    board = "......./.A#b.../.#.#.../.###.../......./......./b......"
    board = board.replace(".A#b...", ".A##...")
    me = guild(alley="Hire a Fence", corruption=1, deck="Banquet")
    other = guild(alley="Clumsy Thief, Double Deal", deck="Market Stall")
    state = occupied(
        board, me=me, others=[other], ending="quarry", starter=1, turn=TurnGains(), quarry=3
    )
    state = play(state, "end")
    # Seat 2 comes first: Infamy 2 for a recruit on the ground and a card.
    assert state.over
    assert state.guilds[1].hand == ()
    assert recruits(state.board, 1) == 0
    assert recruits(state.board, 0) == 0  # 2 Infamy for the recruit on the wall
    assert [one.infamy for one in state.guilds] == [1, 1]
    assert state.quarry == 3  # not filled again
    assert state.moves() == ()
    assert broken(state, "end") == ("castlescape/final-round",)


def test_s57_s58_the_final_score():
    """castlescape/final-score: contracts, every card that is owned, less Corruption."""
    me = guild(
        hand="Ramparts",
        deck="Banquet",
        discards="Guild Hall",
        alley="Night Watch",
        contracts=("Small Guild", "Wide Gates"),
        renown=10,
        corruption=3,
    )
    state = table(me=me)
    cards = sum(BOX.card(n).renown for n in ("Ramparts", "Banquet", "Guild Hall", "Night Watch"))
    assert cards == 0 + 1 + 2 + 1
    assert state.scores[0] == 10 + cards + BOX.contract("Small Guild").renown - 3
    low = table(me=guild(renown=-4, corruption=2))
    assert low.scores[0] == -6  # S59


def over(me, other, **changes):
    return replace(table(me=me, others=[other], **changes), finished=True)


def test_ties_are_broken_in_three_steps():
    """castlescape/final-score, S42, S61"""
    claims = (ClaimedBailey(1, 0, 2, (0,)), ClaimedBailey(2, 0, 3, (1,)))
    equal = over(guild(renown=5), guild(renown=5))
    assert equal.winners == (0, 1)
    assert over(guild(renown=5), guild(renown=6)).winners == (1,)
    assert over(guild(renown=5), guild(renown=5), claims=claims).winners == (1,)
    shared = (ClaimedBailey(2, 0, 3, (0, 1)),)
    board = "A....../.bbb.../......./...#.../......./......./......."
    assert over(guild(), guild(), claims=shared, board=board).winners == (1,)
    shady, honest = guild(deck="Clumsy Thief"), guild(deck="Market Stall")
    assert over(shady, honest).winners == (1,)
    assert over(honest, honest).winners == (0, 1)
    assert table().winners == ()


def test_contracts_are_shown_when_it_is_over():
    """castlescape/contract"""
    state = over(guild(contracts=("Small Guild",)), guild())
    assert state.view(1).guilds[0].contracts == state.guilds[0].contracts
    assert state.view(1).scores == state.scores


# -- what is hidden --------------------------------------------------------------------------


def test_a_view_hides_hands_decks_and_contracts():
    me = guild("Ramparts", deck="Market Stall, Banquet", contracts=("Compass",))
    other = guild("Bonfire", deck="Clumsy Thief, Ramparts", alley="Hire a Fence")
    state = table(me=me, others=[other])
    view = state.view(1)
    assert view.guilds[0].hand == (HIDDEN_CARD,)
    assert view.guilds[0].deck == (HIDDEN_CARD, HIDDEN_CARD)
    assert view.guilds[0].contracts == (HIDDEN_CARD,)
    assert view.guilds[1].hand == other.hand
    assert view.guilds[1].deck == (HIDDEN_CARD, HIDDEN_CARD)  # nobody knows the order
    assert set(view.rotating) == set(view.contracts) == {HIDDEN_CARD}
    assert view.chance is None
    with pytest.raises(CastlelabError, match="guess a state first"):
        play(replace(view, active=1), "end")


def test_a_guess_keeps_what_everybody_knows():
    state = GAME.start(2)
    for _ in range(4):
        state = play(state, listed(state)[0])
    for _ in range(12):
        state = play(state, listed(state, "play")[0] if listed(state, "play") else "end")
    for seat in (0, 1):
        for number in range(5):
            world = state.guess(seat, Chance.seeded(number))
            for one, real in zip(world.guilds, state.guilds, strict=True):
                assert one.owned == real.owned
                assert one.discards == real.discards
                held = [*one.hand, *one.deck, *one.discards, *one.alley]
                played = state.turn.played if real is state.guilds[state.active] else ()
                assert sorted([*held, *played]) == list(one.owned)
            assert sorted(world.rotating) == sorted(state.rotating)
            seen = [at for one in world.guilds for at in one.contracts]
            assert sorted([*seen, *world.contracts]) == list(range(20))


# -- odds and ends ---------------------------------------------------------------------------


def test_a_move_of_another_game_is_refused():
    class Dance(Move):
        def __str__(self):
            return "dance"

    with pytest.raises(CastlelabError, match="is not a move of CastleScape"):
        table().check(Dance())
    with pytest.raises(CastlelabError, match="no square z9"):
        table(turn=WALLS3).check(Wall("z9"))


def test_nothing_is_given_up_without_a_reason():
    """castlescape/inspection"""
    state = full_site()
    for move in ("dismiss a1", "discard Market Stall", "pay"):
        assert broken(state, move) == ("castlescape/inspection",)


def test_an_illegal_move_says_what_would_mend_it():
    """castlescape/use-or-return: what is missing, and which card would bring it."""
    state = table("Ramparts, Stone Walls")
    with pytest.raises(IllegalMove, match="You have no wall to build") as caught:
        play(state, "wall d5")
    breach = caught.value.verdict.breaches[0]
    assert breach.where == ("d5",)
    assert breach.rule == "castlescape/use-or-return"
    assert breach.mend == "Play Ramparts: build 3 walls. Or play Stone Walls: build 1 wall."
    assert list(map(str, breach.mends)) == ["play Ramparts", "play Stone Walls"]
    (breach,) = table().check(Wall("d5")).breaches
    assert breach.mend.startswith("No card of your hand helps; Ramparts")
    assert breach.mends == ()


def test_a_mend_of_a_wall_keeps_to_the_walls_of_its_card():
    """castlescape/wall-contiguous: what is said to be right instead is right."""
    state = play(table("Ramparts"), "play Ramparts", "wall d5")
    (breach,) = state.check(Wall("d3")).breaches
    assert breach.rule == "castlescape/wall-contiguous"
    assert breach.mend == "Build on c5 instead."
    assert breach.mends == (Wall("c5"),)
    for breach in state.check(Wall("a1")).breaches:
        assert breach.mends == (Wall("c5"),)


def test_check_refuses_what_moves_never_lists():
    """castlescape/or, castlescape/destroy: also moves that can only be made in code."""
    state = table("Stone Barge, Market Stall", turn=TurnGains(from_hand=1, from_discards=1))
    for way in (-1, -2, 0, 3):
        assert state.check(Play("Stone Barge", way)).rules == ("castlescape/or",)
    assert state.check(Play("Market Stall", -1)).rules == ("castlescape/or",)
    me = guild("Market Stall", deck="Ramparts", discards="Bonfire", alley="Clumsy Thief")
    state = table(me=me, turn=TurnGains(from_hand=1, from_discards=1))
    for pile in ("deck", "alley", "Hand", ""):
        for name in ("Market Stall", "Ramparts", "Bonfire", "Clumsy Thief"):
            verdict = state.check(Destroy(pile, name))
            assert verdict.rules == ("castlescape/destroy",)
            assert all(map(state.check, verdict.breaches[0].mends))


def test_words_for_every_kind_of_moment():
    assert GAME.start(1).describe().startswith("Blue keeps two contracts of ")
    state = play(table("Ramparts, Market Stall, Market Stall"), "play Ramparts")
    assert "Blue has 2 × Market Stall in hand, and 3 walls." in state.describe()
    rival = play(table(others=[guild("Ramparts, Bonfire")]), "end")
    assert "Orange has 2 hidden cards in hand." in rival.view(0).describe()
    board = "A.....a/.....a./......./...#.../......./......./A......"
    due = play(before_inspection(me=guild(infamy=3), board=board), "wall d5", "end")
    assert "gives up influence at the Inspection: 3 to go" in due.describe()
    assert over(guild(renown=5), guild()).describe().endswith("Blue 5, Orange 0. Blue wins.")
    assert str(state) == state.describe()


def test_cards_are_conserved_through_a_turn():
    state = table("Clumsy Thief, Market Stall", turn=TurnGains(gold=9))
    before = Counter(state.guilds[0].owned)
    state = play(state, "play Clumsy Thief", "buy Ramparts", "end")
    assert Counter(state.guilds[0].owned) - before == Counter(places("Ramparts"))


def test_a_view_says_what_it_does_not_know():
    """castlescape/final-round, castlescape/inspection: an outcome that hangs on hidden things is
    refused.
    """
    rival = guild("Ramparts", contracts=["Compass"])
    ending = table(ending="quarry", starter=1, me=guild(), others=[rival])
    with pytest.raises(CastlelabError, match="contracts the others have kept"):
        play(ending.view(0), "end")
    assert play(ending, "end").over
    rival = guild("Ramparts, Bonfire", infamy=5)
    with pytest.raises(CastlelabError, match="cards a player has in hand"):
        play(table(quarry=0, others=[rival], me=guild()).view(0), "end")
    with pytest.raises(CastlelabError, match="what is drawn next"):
        play(table().view(0), "end")
