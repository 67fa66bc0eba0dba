"""CastleScape by pointing: what is offered, used, put back, asked and refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictured import pointed

import castlelab
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.game import Pointing, changed
from castlelab.games.castlescape import masonry
from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.guild import AgendaStep, TurnGains

GAME = castlelab.load("castlescape", side=7)
SITE = """
.......
.......
..##...
..A#.a.
...#.b.
.......
......."""


def cards(text):
    return tuple(sorted(GAME.box.places[name] for name in text.split(",") if name))


def table(hand="Market Stall,Stone Walls", board=SITE, **changes):
    """Blue plays a turn; ``changes`` of the turn's pools, the guild or the state."""
    state = GAME.start(7)
    turn = {key: changes.pop(key) for key in TurnGains._fields if key in changes}
    guild = state.guilds[0]._replace(
        hand=cards(hand),
        dealt=(),
        contracts=(0, 1),
        alley=cards(changes.pop("alley", "")),
        discards=cards(changes.pop("discards", "")),
    )
    other = state.guilds[1]._replace(dealt=(), contracts=(2, 3))
    return changed(
        state,
        **{
            "board": Board.parse(board),
            "guilds": (guild, other),
            "turn": TurnGains(**turn),
            "round": 3,
            "active": 0,
            "starter": 0,
            **changes,
        },
    )


WALLS = masonry.granted(masonry.NOTHING, 2)
LATE = masonry.granted(masonry.NOTHING, 2, late=True)
BLOCKED = (((2, False, 0),),)  # two walls of a card that reaches no free square


def move(state, *picks):
    return str(pointed(state, *picks).move)


def refused(state, *picks):
    """The rules that a pointed move breaks."""
    return state.check(pointed(state, *picks).move).rules


# -- preparation -------------------------------------------------------------------------------


def test_contracts_are_picked():
    """castlescape/contracts-dealt"""
    state = GAME.start(1)
    seat = state.to_move
    names = [GAME.box.contracts[at].name for at in state.guilds[seat].dealt]
    assert state.point(()).offers == tuple(f"contract {name}" for name in names)
    assert state.point(()).words == "Pick a contract to keep."
    assert move(state, f"contract {names[2]}") == f"keep {names[2]}"
    look = pointed(state, "quarry")
    assert look.words.startswith("Quarry: 6 of 6 walls.")
    assert look.offers == state.point(()).offers


# -- cards -------------------------------------------------------------------------------------


def test_a_card_is_played_by_one_pick():
    """castlescape/play-any"""
    state = table()
    assert state.point(()).offers == ("hand Market Stall", "hand Stone Walls", "end")
    assert move(state, "hand Stone Walls") == "play Stone Walls"
    assert move(state, "end") == "end"


def test_a_card_with_or_asks_for_a_side():
    """castlescape/or"""
    state = table("Stone Barge")
    asked = pointed(state, "hand Stone Barge")
    assert asked.offers == ("hand Stone Barge side 1", "hand Stone Barge side 2")
    assert asked.words == "Stone Barge does one of these things: pick a side of its OR."
    assert move(state, "hand Stone Barge", "hand Stone Barge side 2") == "play Stone Barge 2"
    assert pointed(state, "hand Stone Barge", "hand Stone Barge").words.startswith("Put back.")
    assert move(state, "hand Stone Barge", "end") == "end"


def test_the_side_of_an_or_may_be_picked_at_once():
    assert move(table("Stone Barge"), "hand Stone Barge side 1") == "play Stone Barge 1"


def test_a_card_is_destroyed_only_when_that_is_said():
    """castlescape/destroy"""
    state = table("Market Stall,Bonfire", from_hand=1, from_discards=1, discards="Clumsy Thief")
    assert move(state, "hand Bonfire") == "play Bonfire"
    assert pointed(state, "use destroy-hand").offers == ("hand Market Stall", "hand Bonfire")
    assert move(state, "use destroy-hand", "hand Bonfire") == "destroy hand Bonfire"
    assert move(state, "discards Clumsy Thief") == "destroy discards Clumsy Thief"


def test_blame_is_shifted():
    """castlescape/penalty"""
    state = table(blames=1, alley="Clumsy Thief")
    assert move(state, "alley Clumsy Thief") == "shift Clumsy Thief"
    assert pointed(state, "use blames").offers == ("alley Clumsy Thief",)


# -- the market and goals ----------------------------------------------------------------------


def test_market_cards_are_bought():
    """castlescape/buy"""
    state = table(gold=5)
    assert move(state, "market Ramparts") == "buy Ramparts"
    assert refused(table(gold=4), "market Ramparts") == ("castlescape/buy",)
    assert refused(table(), "market Ramparts") == ("castlescape/buy",)


def test_gold_or_nothing_is_asked():
    """castlescape/acquire"""
    state = table(gold=5, acquires=(5,))
    asked = pointed(state, "market Ramparts")
    assert asked.offers == ("use gold", "use acquires")
    assert asked.words == (
        "market Ramparts: pay with gold or acquire it for nothing? Pick it below."
    )
    assert move(state, "market Ramparts", "use acquires") == "acquire Ramparts"
    assert move(state, "use gold", "market Ramparts") == "buy Ramparts"
    assert move(table(acquires=(5,)), "market Ramparts") == "acquire Ramparts"
    assert refused(table(acquires=(2,)), "market Ramparts") == ("castlescape/acquire",)


def test_goals():
    """castlescape/goal"""
    four, first = GAME.box.goal_places["Four Corners"], GAME.box.goal_places["First Stones"]
    corners = "a.....a / ....... / ....... / ...#... / ....... / ....... / a.....a"
    state = table(board=corners, goals=(first, four))
    assert "goal Four Corners" in state.point(()).offers
    assert move(state, "goal Four Corners") == "claim Four Corners"
    assert refused(state, "goal First Stones") == ("castlescape/goal",)


# -- the site ----------------------------------------------------------------------------------


def test_a_square_takes_a_wall_or_the_rule_says_why_not():
    """castlescape/no-two-by-two, castlescape/wall-adjacent"""
    state = table(masonry=WALLS)
    assert move(state, "d2") == "wall d2"
    assert refused(state, "a1") == ("castlescape/wall-adjacent",)
    assert refused(state, "use walls", "d4") == ("castlescape/wall-free-square",)


def test_wall_or_recruit_is_asked():
    """castlescape/walls-first"""
    state = table(masonry=WALLS, recruits=1)
    asked = pointed(state, "d2")
    assert asked.offers == ("use walls", "use recruits")
    assert asked.words == "d2: build a wall or position a recruit? Pick it below."
    assert move(state, "d2", "use recruits") == "recruit d2"
    assert move(state, "use walls", "d2") == "wall d2"
    assert move(state, "a1") == "recruit a1"  # no wall may go there
    assert refused(state, "use walls", "a1") == ("castlescape/wall-adjacent",)


def test_recruits_and_sentries_know_their_squares():
    """castlescape/position"""
    state = table(recruits=1, sentries=1)
    assert move(state, "a1") == move(state, "use recruits", "a1") == "recruit a1"
    assert move(state, "d4") == move(state, "use sentries", "d4") == "recruit d4"
    assert refused(state, "f4") == ("castlescape/position",)
    assert refused(table(sentries=1), "a1") == ("castlescape/position",)


def test_a_recruit_is_picked_up_and_goes():
    """castlescape/adjacent"""
    state = table(moves=2)
    asked = pointed(state, "f4")
    assert asked.offers == ("f3", "e4", "g4")
    assert asked.words == "The recruit of f4 is picked up. Pick where it goes."
    assert move(state, "f4", "e4") == "move f4 e4"
    assert refused(state, "f4", "f5") == ("castlescape/position",)
    assert pointed(state, "f4", "f4").words.startswith("Put back.")
    assert pointed(state, "use moves").offers == ("c4", "f4")


def test_a_recruit_may_be_built_under_moved_or_left():
    """castlescape/wall-under-recruit"""
    board = SITE.replace("A#.a.", "A#a..")
    state = table(board=board, masonry=WALLS, moves=1, climbs=1)
    asked = pointed(state, "e4")
    assert asked.offers[:3] == ("use walls", "use moves", "use climbs")
    assert move(state, "e4", "use walls") == "wall e4"
    assert move(state, "e4", "d4") == "move e4 d4"
    assert pointed(state, "e4", "use climbs").offers == ("d4",)
    assert pointed(state, "use climbs", "e4").picks == ("use climbs", "e4")


def test_rivals_are_ousted_and_own_recruits_taken_back():
    """castlescape/cubes-out, castlescape/stays"""
    assert move(table(ousts=1), "f5") == "oust f5"
    assert refused(table(ousts=1), "a1") == ("castlescape/adjacent",)
    crowd = "aaaaaaa / aaaa... / ....... / ...A... / ....... / ....... / ......."
    state = table(board=crowd, recruits=1)
    assert move(state, "a1") == "recall a1"
    assert "use recall" in state.point(()).offers


def why(state, target):
    """What is said to somebody who asks why nothing can be done with a thing."""
    pointing = pointed(state, target)
    return pointing.words if pointing.move is None else str(state.check(pointing.move))


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("e2", "You have no recruit to position. No card of your hand helps; Back Alley Bribes"),
        (
            "d2",
            (
                "You have no wall to build. Play Stone Walls: build 1 wall. "
                "[castlescape/use-or-return]"
            ),
        ),
        ("c4", "A recruit stays where it is. No card of your hand helps"),
        ("f5", "No card of this turn removes recruits."),
        ("market Ramparts", "Ramparts costs 5 gold, and you have none. Play Market Stall: 1 gold."),
        ("quarry", "when it runs out, the King inspects."),
        ("guild 2", "It is there to look at"),
        ("contract Master Builder", "There is no contract to choose now."),
    ],
)
def test_why_states_what_is_missing(target, says):
    """castlescape/use-or-return, castlescape/stays, castlescape/buy, castlescape/contract"""
    assert says in why(table(), target)


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.sampled_from((2, 3, 4)), st.sampled_from(("random", "greedy")))
def test_why_always_answers(seed, players, player):
    """Every thing of the table leads to a move, or it is said what is missing."""
    game = castlelab.load("castlescape", players=players, side=7)
    state, chance, thinker = game.start(seed), Chance.seeded(seed), bot(player)
    for number in range(60):
        if state.over:
            break
        if number % 6 == 0:
            view = state.view(state.to_move)
            prompt = view.point(()).words
            for target in view.picture().targets:
                pointing = view.point((target.id,))
                if pointing.move is not None:
                    verdict = view.check(pointing.move)
                    assert verdict or all(breach.message for breach in verdict.breaches)
                elif not pointing.picks:
                    said = pointing.words.replace(prompt, "").replace(target.name, "")
                    assert said.strip(" ."), target
        move, chance = thinker.choose(state, chance)
        state = state.after(move)


@pytest.mark.parametrize(
    ("changes", "picks", "lost"),
    [
        ({"masonry": WALLS}, ["end"], "2 walls"),
        ({"recruits": 1}, ["end"], "1 recruit"),
        ({"masonry": WALLS, "recruits": 1}, ["end"], "2 walls and 1 recruit"),
        ({"masonry": WALLS, "recruits": 1}, ["use recruits", "a1"], "2 walls"),
        ({"masonry": WALLS, "sentries": 1}, ["use sentries", "d4"], "2 walls"),
    ],
)
def test_walls_and_recruits_are_not_lost_without_a_question(changes, picks, lost):
    """castlescape/use-or-return, castlescape/walls-first"""
    pointing = pointed(table(**changes), *picks)
    assert pointing.move is not None
    assert pointing.asks
    assert pointing.words.startswith(f"You would lose {lost} that you have not used.")


@pytest.mark.parametrize(
    ("changes", "picks"),
    [
        ({}, ["end"]),
        ({"gold": 3}, ["end"]),  # no harm: nothing else is to be had for it
        ({"recruits": 1}, ["a1"]),
        ({"masonry": LATE, "recruits": 1}, ["use recruits", "a1"]),  # they may come later
        ({"masonry": BLOCKED}, ["end"]),  # they could not be built anyway
    ],
)
def test_nothing_is_asked_where_nothing_is_lost(changes, picks):
    """castlescape/use-or-return, castlescape/walls-first"""
    pointing = pointed(table(**changes), *picks)
    assert pointing.move is not None
    assert not pointing.asks


def test_what_is_not_to_be_used_is_said():
    said = pointed(table(), "use walls").words
    assert said.startswith("There is no way to build a wall now: no card of this turn lets you.")
    said = pointed(table(masonry=BLOCKED), "use walls").words
    assert said.startswith("There is no way to build a wall now: your walls fit nowhere any more.")


# -- giving up ---------------------------------------------------------------------------------


def test_recruits_are_given_up_at_an_inspection():
    """castlescape/inspection"""
    state = table(agenda=(AgendaStep("give-up", 0, 3),))
    assert state.point(()).offers == ("c4", "f4")
    assert state.point(()).words == "Pick recruits to give up: 3 more influence."
    assert move(state, "c4") == "dismiss c4"
    assert refused(state, "f5") == ("castlescape/inspection",)
    assert refused(state, "hand Stone Walls") == ("castlescape/inspection",)


def test_cards_or_renown_beyond_ten():
    """castlescape/over-ten"""
    state = table(board="....... / " * 6 + ".......", agenda=(AgendaStep("levy", 0, 1),))
    assert state.point(()).offers == ("hand Market Stall", "hand Stone Walls", "pay")
    assert move(state, "pay") == "pay"
    assert move(state, "hand Stone Walls") == "discard Stone Walls"


def test_nothing_to_point_at_when_it_is_over():
    over = table(finished=True)
    assert over.point(()) == Pointing()
    assert over.point(("end",)) == Pointing(words="The game is over.")


# -- whatever is played, whatever is pointed at --------------------------------------------------


def some_game(seed, players=2, side=7, most=260):
    """The states of a game of chance and greed."""
    game = castlelab.load("castlescape", players=players, side=side)
    state, chance, greedy = game.start(seed), Chance.seeded(seed), bot("greedy")
    for number in range(most):
        if state.over:
            return
        yield state
        if number % 3:
            played, chance = chance.choice(state.moves())
        else:
            played, chance = greedy.choose(state, chance)
        state = state.play(played)


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


@pytest.mark.parametrize(("players", "seed"), [(2, 3), (3, 8), (4, 5)])
def test_offers_lead_to_every_legal_move_and_to_no_other(players, seed):
    for number, state in enumerate(some_game(seed, players)):
        if number % 7 == 0 or state.turn.moves or state.turn.climbs or state.agenda:
            assert reached(state) == set(state.moves())


@pytest.mark.parametrize(
    "card", [card.name for card in GAME.box.cards if card.name != "New Contract"]
)
def test_every_card_of_the_box_is_played_by_pointing(card):
    state = table(f"{card},Market Stall", alley="Clumsy Thief", discards="Ramparts", gold=6)
    for played in [played for played in state.moves() if played.kind == "play"]:
        after = state.play(played)
        assert reached(after) == set(after.moves())


STATES = list(some_game(11, most=200))
TARGETS = (
    *("hand Market Stall", "hand Stone Barge", "hand Stone Barge side 1", "hand", "hand nobody"),
    *("market Ramparts", "market ", "goal First Stones", "contract Compass", "use walls", "use"),
    *("use recruits", "use moves", "use gold", "d4", "d3", "a1", "g7", "z9", "end", "pay", ""),
    *("guild 1", "quarry", " ", "9" * 3000),
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(STATES),
    st.lists(st.sampled_from(TARGETS) | st.text(max_size=6), max_size=4),
)
def test_whatever_is_pointed_at_is_a_move_or_an_offer(state, picks):
    found = state.point(tuple(picks))
    if found.move is None:
        assert found.words
        assert found.offers
        assert set(found.picks) <= set(picks)
        if found.picks:  # the picks that are kept mean the same when they come again
            assert state.point(found.picks).picks == found.picks
    else:
        state.check(found.move)
        assert state.game.move(str(found.move)) == found.move
