"""CastleScape as a story: what every kind of move has done, and where points come from."""

import pytest
from scape_moments import BOX, GAME, ONE, guild, play, table

import castlelab
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.game import Emblem, changed
from castlelab.games.castlescape.guild import AgendaStep, ClaimedBailey, TurnGains
from castlelab.games.castlescape.masonry import NOTHING, granted
from castlelab.games.castlescape.moves import Keep
from castlelab.games.castlescape.sign_picture import emblem_scene
from castlelab.telling import sentence, told

BUILDING = TurnGains(masonry=granted(NOTHING, 2))


def says(state, move, audience=()):
    return told(state, state.game.move(move), audience)


def pictures(state, move):
    parts = sentence(state, state.game.move(move))
    return [part.picture for part in parts if isinstance(part, Emblem)]


def test_a_wall_tells_of_the_bailey_that_it_closes():
    """castlescape/bailey-score"""
    assert says(table(board=ONE, turn=BUILDING), "wall e4") == "Blue built a wall at e4."
    nobody = table(board=ONE, turn=BUILDING)
    assert says(nobody, "wall d4") == (
        "Blue built a wall at d4 and closed a bailey of 1 square, which nobody claims."
    )
    theirs = table(board=ONE.replace("#.#", "#b#"), turn=BUILDING)
    assert says(theirs, "wall d4") == (
        "Blue built a wall at d4 and closed a bailey of 1 square, which Orange claims for 1 Renown."
    )
    assert pictures(theirs, "wall d4") == ["wall", "bailey 1", "renown"]
    both = table(board="......./.####../.A..B../.##.#../......./......./.......", turn=BUILDING)
    assert "which Blue and Orange share for 1 Renown each." in says(both, "wall d4")


def test_recruits_stand_go_climb_and_are_taken_away():
    """castlescape/position, castlescape/adjacent, castlescape/cubes-out"""
    board = "......./.###.../.#.#.../.##b.../...a.../......./......."
    on_foot = table(board=board, turn=TurnGains(recruits=1, sentries=1, moves=1, climbs=1, ousts=1))
    assert says(on_foot, "recruit a1") == "Blue put a recruit on the ground at a1."
    assert says(on_foot, "recruit b2") == "Blue put a recruit on the wall at b2."
    assert says(on_foot, "move d5 d6") == "Blue let a recruit go from d5 to d6."
    assert says(on_foot, "oust d4") == "Blue drove Orange's recruit away from d4."
    assert pictures(on_foot, "oust d4") == ["recruit 1"]
    near = table(board=ONE.replace(".##....", ".##a..."), turn=TurnGains(climbs=1))
    assert says(near, "move d4 c4") == "Blue let a recruit climb from d4 onto the wall at c4."
    crowd = "aaaaaaa/aaaaa../...#.../......./......./......./......."
    full = table(board=crowd, turn=TurnGains(recruits=1))
    assert says(full, "recall a1") == "Blue took a recruit back from a1."


def test_cards_are_played_with_what_they_bring():
    """castlescape/play-any"""
    state = table("Market Stall, Stone Barge, Master Mason, Back Alley Bribes")
    assert says(state, "play Market Stall") == "Blue played Market Stall: 1 gold."
    assert pictures(state, "play Market Stall") == ["card starter gold", "gold"]
    assert says(state, "play Stone Barge 2") == "Blue played Stone Barge: 2 walls and 1 recruit."
    assert says(state, "play Master Mason") == "Blue played Master Mason: 2 walls and 1 new card."
    mine = guild("Back Alley Bribes", infamy=5)
    bribed = "Blue played Back Alley Bribes: 3 Infamy less."
    assert says(table(me=mine), "play Back Alley Bribes 2") == bribed
    late = table("Ramparts", turn=TurnGains(positioned=True))
    assert says(late, "play Ramparts") == "Blue played Ramparts."


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("Scaffolding", "2 late walls and 1 recruit."),
        ("Watchtower", "1 recruit on a wall."),
        ("Ladder Crew", "2 climbs and 1 new card."),
        ("Night Watch", "1 rival to oust and 1 recruit."),
        ("Marching Orders", "3 steps and 1 new card."),
        ("Travelling Merchant", "a card of up to 5 gold."),
        ("Bonfire", "1 card to destroy and 1 gold."),
        ("Shift the Blame", "blame to shift and 1 new card."),
        ("Loose Tongues", "3 new cards."),
    ],
)
def test_every_effect_has_words(card, words):
    assert says(table(card), f"play {card}") == f"Blue played {card}: {words}"


def test_cards_come_and_go():
    """castlescape/buy, castlescape/acquire, castlescape/destroy"""
    rich = table("Clumsy Thief", turn=TurnGains(gold=9, acquires=(5,), from_hand=1, blames=1))
    assert says(rich, "buy Ramparts") == "Blue bought Ramparts for 5 gold."
    assert says(rich, "acquire Hire a Fence") == "Blue took Hire a Fence for nothing."
    assert says(rich, "buy New Contract") == (
        "Blue bought New Contract for 5 gold, with a new contract."
    )
    assert says(rich, "destroy hand Clumsy Thief") == "Blue destroyed Clumsy Thief from the hand."
    shady = table(me=guild(discards="Market Stall", alley="Clumsy Thief"))
    shady = changed(shady, turn=TurnGains(from_discards=1, blames=1))
    assert says(shady, "destroy discards Market Stall") == (
        "Blue destroyed Market Stall from the discard pile."
    )
    assert says(shady, "shift Clumsy Thief") == (
        "Blue shifted the blame: Clumsy Thief leaves the Back Alley."
    )
    feast = changed(rich, stalls=(BOX.places["Banquet"], *rich.stalls[1:]))
    assert says(feast, "buy Banquet") == "Blue bought Banquet for 7 gold, with 2 Renown at once."


def test_a_goal_is_reached():
    """castlescape/goal"""
    goal = BOX.goal_places["First Stones"]
    state = table(goals=(goal,), claims=(ClaimedBailey(1, 2, 3, (0,)),))
    assert says(state, "claim First Stones") == "Blue reached the goal First Stones for 1 Renown."


def test_a_kept_contract_is_not_told():
    """castlescape/contracts-dealt"""
    state = GAME.start(1)
    seat = state.to_move
    move = state.moves()[0]
    assert isinstance(move, Keep)
    secret = "kept a contract that nobody else has seen."
    assert told(state, move, [1 - seat]).endswith(secret)
    assert told(state, move, [seat]).endswith(f"kept the contract {move.contract}.")


def test_what_is_given_up_is_told():
    """castlescape/inspection, castlescape/over-ten"""
    due = (AgendaStep("levy", 0, 3),)
    state = table("Market Stall, Stone Walls", board=ONE.replace("......./.", "aaaa.../.", 1))
    state = changed(state, agenda=due)
    assert says(state, "dismiss a1") == "Blue gave up a recruit at a1."
    bare = changed(table("Market Stall, Stone Walls"), agenda=due)
    assert says(bare, "discard Market Stall") == "Blue gave up Market Stall from the hand."
    assert says(bare, "pay") == "Blue gave up 1 Renown."


def test_the_end_of_a_turn_tells_what_follows():
    """castlescape/cleanup, castlescape/penalty, castlescape/inspection"""
    assert says(table(), "end") == "Blue ended the turn."
    shady = table(me=guild(alley="Clumsy Thief, Hire a Fence"))
    assert says(shady, "end") == "Blue ended the turn. Blue gets 3 Infamy."
    empty = changed(table(), stalls=(-2, *table().stalls[1:]))
    card = BOX.cards[empty.rotating[0]].name
    assert says(empty, "end") == f"Blue ended the turn. New on the market: {card}."
    poor = [guild(deck="Market Stall", infamy=2)]
    king = table(others=poor, board=ONE.replace("......./.", "b....../.", 1), quarry=0, marker=3)
    heard = says(king, "end")
    assert heard.startswith("Blue ended the turn. The King inspects. Orange gives up 1 recruit")
    last = table(quarry=0, marker=1)
    assert says(last, "end").endswith("The Quarry is empty for good: this is the last round.")
    assert "The game is over: " in says(play(last, "end"), "end")
    winter = table(quiet=5, starter=1)
    assert "For three rounds nobody did anything: the game ends. The King" in says(winter, "end")


def test_a_debt_is_announced():
    """castlescape/inspection"""
    owing = [guild(deck="Market Stall", infamy=2)]
    board = ONE.replace("......./.", "bbbbb../.", 1)
    king = table(others=owing, board=board, quarry=0, marker=3)
    assert says(king, "end") == (
        "Blue ended the turn. The King inspects. Orange has to give up 2 influence."
    )


def test_holding_a_bailey_is_a_source_of_its_own():
    """castlescape/occupation"""
    board = "......./.###.../.#a#.../.###.../......./......./......."
    state = table(board=board, quarry=0, marker=3)
    bailey = state.board.baileys()[0]
    state = changed(state, claims=(ClaimedBailey(bailey.bits, bailey.wall_bits, 1, (1,)),))
    assert "Renown for baileys held: Blue 1." in says(state, "end")
    found = {source.name: source.points for source in play(state, "end").sources(0)}
    assert found["Baileys held"] == 1
    assert found["Gifts less fines"] == 0


def test_everything_that_is_named_has_a_picture():
    state = castlelab.load("castlescape", players=3, side=7).start(5)
    chance, greedy = Chance.seeded(5), bot("greedy")
    for _ in range(150):
        for move in state.moves():
            for part in sentence(state, move):
                if isinstance(part, Emblem):
                    assert emblem_scene(part.picture).height <= 26
        move, chance = greedy.choose(state, chance)
        state = state.play(move)
