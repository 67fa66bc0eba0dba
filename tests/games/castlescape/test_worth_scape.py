"""What greedy players make of CastleScape: they close what they lead, and use what they have."""

from collections import Counter
from dataclasses import replace

import pytest
from scape_moments import BOX, GAME, ONE, TWO, guild, places, play, table

import castlelab
from benchmarks.scape_balance import tally
from castlelab.bots import Greedy, Random, play_out
from castlelab.chance import Chance
from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.guild import ClaimedBailey, TurnGains
from castlelab.games.castlescape.masonry import granted
from castlelab.games.castlescape.moves import Recruit
from castlelab.games.castlescape.rings import Rings
from castlelab.games.castlescape.worth import played_worth, time_left

WALLS2 = TurnGains(masonry=granted(((),), 2))


def chosen(state):
    return str(Greedy().choose(state, Chance.seeded(1))[0])


def test_greedy_closes_a_bailey_that_it_leads():
    """castlescape/bailey-score"""
    state = table(board=TWO.replace(".#..#..", ".#a.#.."), turn=WALLS2)
    assert chosen(state) == "wall e4"


def test_greedy_does_not_close_a_bailey_for_a_rival():
    """castlescape/bailey-score"""
    state = table(board=TWO.replace(".####..", ".BB##.."), turn=WALLS2)
    assert chosen(state) != "wall e4"


def test_greedy_positions_a_recruit_where_a_bailey_comes():
    """castlescape/influence: on a square that will be a wall a recruit is worth 2."""
    state = table(board=TWO, turn=TurnGains(recruits=1))
    assert chosen(state) == "recruit e4"


def test_greedy_builds_before_it_positions():
    """castlescape/walls-first"""
    turn = TurnGains(masonry=granted(((),), 2), recruits=1)
    for seed in range(5):
        move, _ = Greedy().choose(table(board=TWO, turn=turn), Chance.seeded(seed))
        assert move.kind == "wall"


def test_greedy_plays_its_cards_and_takes_goals():
    """castlescape/play-any, castlescape/goal"""
    assert chosen(table("Ramparts, Train Apprentice")).startswith("play")
    goal = BOX.goal_places["First Stones"]
    state = table(goals=(goal,), claims=(ClaimedBailey(1, 0, 1, (0,)),))
    assert chosen(state) == "claim First Stones"


def test_greedy_buys_what_works_early_and_what_is_worth_renown_late():
    """castlescape/buy, castlescape/final-score"""
    stalls = places("Guild Hall, Quartermaster, Press Gang, Bonfire, Loose Tongues")
    early = table(turn=TurnGains(gold=5), stalls=stalls)
    assert chosen(early) in ("buy Quartermaster", "buy Loose Tongues", "buy Press Gang")
    assert chosen(table(turn=TurnGains(gold=8), stalls=stalls, ending="quarry")) == "buy Guild Hall"


def test_greedy_gives_up_what_matters_least():
    """castlescape/inspection"""
    board = TWO.replace(".####..", ".A####.").replace("......./", "......a/", 1)
    me = guild(infamy=1)
    state = table(me=me, board=board, quarry=0, turn=TurnGains())
    state = play(state, "end")
    assert chosen(state) == "dismiss g1"


def test_the_end_is_worth_a_victory():
    """castlescape/final-score"""
    won = replace(table(me=guild(renown=5)), finished=True)
    assert won.estimate(0) > 900
    assert won.estimate(1) < 0


def test_live_rings_cannot_be_blocked():
    """castlescape/no-two-by-two: a ring whose missing wall would fill a block is never closed."""
    judgement = GAME.worth_tables
    rings = judgement.live(Board.parse(ONE))
    assert any(ring.missing == GAME.bits["d4"] for ring in rings)
    blocked = Board.parse("......./.###.../.#.#.../.##.#../...##../......./.......")
    assert not any(ring.missing == GAME.bits["d4"] for ring in judgement.live(blocked))
    assert judgement.live(Board.parse(ONE)) is rings  # remembered


@pytest.mark.parametrize("side", [7, 15])
def test_rings_seen_from_another_board_are_those_of_a_plain_search(side):
    """A wall more changes little; what is worked out from there is what is found from nothing."""
    grid, closed = Board.start(side).grid, 0
    rings, plain = Rings(grid), Rings(grid)  # the plain one never looks from anywhere
    for seed in range(3):
        chance, board = Chance.seeded(seed), Board.start(side)
        while spots := list(board.grid.squares(board.wall_spots())):
            rings.look_from(board)
            square, chance = chance.choice(spots)
            for number in (1, 2, 3):  # some look several walls ahead
                grown = board
                for _ in range(number):
                    if ahead := list(grown.grid.squares(grown.wall_spots())):
                        spot, chance = chance.choice(ahead)
                        grown = grown.with_wall(grown.grid.bit(spot))
                assert rings.live(grown) == plain.live(grown)
                closed += bool(grown.courts())
            board = board.with_wall(board.grid.bit(square))
    assert closed > 20  # there were baileys, too


def test_rings_of_a_board_that_did_not_grow_from_the_other():
    rings = Rings(GAME.grid)
    rings.look_from(Board.parse(TWO))
    assert rings.live(Board.parse(ONE)) == Rings(GAME.grid).live(Board.parse(ONE))


BY_SQUARES = ("inside", "at-edge", "quarters", "held", "atop", "influence", "on-site")


def demanding_moments(game, seed):
    """Moments of a game whose quests look at squares; all kinds of such quests are there."""
    state, chance = game.start(seed), Chance.seeded(seed)
    while not state.round:
        state = state.after(state.moves()[0])
    goals = tuple(at for at, goal in enumerate(BOX.goals) if goal.measure in BY_SQUARES)
    contracts = [at for at, deal in enumerate(BOX.contracts) if deal.measure in BY_SQUARES]
    players = game.players
    guilds = [
        each._replace(contracts=tuple(contracts[(seed + seat) % players :: players]))
        for seat, each in enumerate(state.guilds)
    ]
    left = tuple(at for at in range(len(BOX.contracts)) if at not in contracts)
    state = replace(state, goals=goals, guilds=tuple(guilds), contracts=left)
    for number in range(400):
        if state.over:
            break
        move, chance = Greedy().choose(state.view(state.to_move), chance)
        if state.claims or number < 40:
            yield state
        # A careless move now and then leads to where Greedy alone would not come.
        move = chance.choice(state.moves())[0] if number % 9 == 0 else move
        state = state.after(move)


@pytest.mark.parametrize("players", [2, 3])
def test_alike_recruits_are_estimated_alike_whatever_is_asked_for(players):
    """Each is held against a plain look at every square, with quests that look at squares."""
    game = castlelab.load("castlescape", side=9, players=players)
    squares = kinds = 0
    for seed in range(3):
        for state in demanding_moments(game, seed):
            if recruits := state.moves_of(Recruit):
                alike = state.likeness()
                for seat in range(players):
                    known = {}
                    for recruit in recruits:
                        found = state.after(recruit).estimate(seat)
                        assert known.setdefault(alike(recruit), found) == found
                    kinds += len(known)
                squares += len(recruits) * players
    assert squares > 3 * kinds > 1000


@pytest.mark.parametrize("players", [2, 4])
def test_what_moves_have_in_common_changes_no_estimate(players):
    """Seen from the state before it, or from nowhere: a state is worth the same."""
    game, plain = (castlelab.load("castlescape", side=9, players=players) for _ in range(2))
    kinds = set()
    for state in demanding_moments(game, 3):
        state.likeness()
        for move in state.moves()[::3]:
            after = state.after(move)
            for seat in range(players):
                assert after.estimate(seat) == replace(after, game=plain).estimate(seat)
            kinds.add(move.kind)
    assert kinds > {"wall", "recruit", "play", "buy", "end"}


def test_what_is_remembered_of_cards_and_claims_changes_no_estimate():
    """Careless moves lead to many states with the same cards, and others with nearly the same."""
    game = castlelab.load("castlescape", side=9, players=3)
    states = [state for seed in range(3) for state in demanding_moments(game, seed)]
    found = [(state.estimate(0), state.estimate(2)) for state in states]
    for state, usual in zip(states, found, strict=True):
        game.worth_tables.sober.clear()
        assert (state.estimate(0), state.estimate(2)) == usual


@pytest.mark.parametrize(
    ("players", "options"), [(2, {}), (3, {"hardcore": True}), (4, {"side": 11})]
)
def test_what_is_foreseen_is_what_comes(players, options):
    """To the last digit, with quests that look at squares and after careless moves."""
    game = castlelab.load("castlescape", players=players, **{"side": 9, **options})
    foreseen = Counter()
    for seed in range(2):
        for state in demanding_moments(game, seed):
            seat, chance = state.to_move, Chance.seeded(seed)
            if ahead := state.forecast(seat):
                moves, _ = chance.shuffle(state.moves())
                for move in moves[::4]:
                    found = ahead(move)
                    assert found in (None, state.after(move).estimate(seat))
                    foreseen[move.kind, found is not None] += 1
            assert not state.forecast((seat + 1) % players)  # whose turn it is not
    assert foreseen["wall", True] > 100 < foreseen["recruit", True]
    assert foreseen["wall", False]  # what closes a bailey takes a look
    assert not foreseen["recruit", False] | foreseen["play", True]


def test_gains_in_a_hurry_are_gains_replaced():
    turn = TurnGains(*range(5), granted(((),), 2), *range(6, 13), False, True, False)
    left = granted(((),), 1)
    assert turn.built(left) == turn._replace(masonry=left, busy=True)
    positioned = {"recruits": 8, "sentries": 9, "masonry": left, "positioned": True, "busy": True}
    assert turn.placed(8, 9, left) == turn._replace(**positioned)


def test_cards_with_penalties_are_worth_less():
    """castlescape/penalty"""
    fence, shop = BOX.card("Hire a Fence"), BOX.card("Craftsman's Shop")
    assert played_worth(fence) < played_worth(shop) + 0.55
    assert played_worth(BOX.card("Ramparts")) > played_worth(BOX.card("Stone Walls"))


def test_time_runs_out():
    """castlescape/quarry-setup"""
    assert time_left(GAME.start(1)) == 1.0
    assert time_left(table(quarry=3, marker=1)) == pytest.approx(0.1, abs=0.05)
    assert time_left(table(ending="quarry")) == 0.0


def test_greedy_beats_random():
    game = castlelab.load("castlescape", side=7)
    won = 0.0
    for number in range(6):
        bots = (Greedy(), Random()) if number % 2 == 0 else (Random(), Greedy())
        end, _ = play_out(game.start(number), bots, Chance.seeded(number))
        won += (number % 2 in end.winners) / len(end.winners)
    assert won >= 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_games_are_about_baileys(players):
    """castlescape/quarry-setup, castlescape/bailey-score: the Quarry ends them, and baileys decide
    them.
    """
    found = tally(players, 3)
    assert found.endings["quarry"] >= found.endings["market"]
    assert not found.endings["winter"]
    assert found.sources.most_common(1)[0][0] == "baileys"
