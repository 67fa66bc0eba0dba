"""Random play of CastleScape: whatever is played, nothing is lost and nothing is counted twice."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.bots import Random, play_out
from castlelab.chance import Chance
from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.guild import EMPTY_STALL
from castlelab.games.castlescape.masonry import NOTHING, after_wall, granted, only_late, spots
from castlelab.games.castlescape.moves import END_TURN

GAMES = {
    (players, side, hardcore): castlelab.load(
        "castlescape", players=players, side=side, hardcore=hardcore
    )
    for players in (2, 3, 4)
    for side, hardcore in ((7, False), (9, True), (13, False), (25, True))
}
eager = st.sampled_from(("all", "no end"))  # a player who ends early hardly builds


def states(game, seed, taste="all"):
    """A random game, state by state; with a taste for long turns if asked."""
    state, chance = game.start(seed), Chance.seeded(seed)
    yield state
    while not state.over:
        moves = state.moves()
        if taste == "no end" and len(moves) > 1 and moves[-1] is END_TURN:
            moves = moves[:-1]
        move, chance = chance.choice(moves)
        state = state.after(move)
        yield state


def check_cards(state):
    """Every card of the box is in one place (castlescape/destroy, castlescape/market,
    castlescape/buy).
    """
    box = state.game.box
    total = Counter(dict(enumerate(box.copies)))
    starters = Counter(box.pack("starter"))
    for _ in range(state.game.players - 1):
        total += starters
    found = Counter(state.rotating) + Counter(state.gone)
    found += Counter(card for card in state.stalls if card != EMPTY_STALL)
    found += Counter(dict(zip(state.game.standard, state.piles, strict=True)))
    for guild in state.guilds:
        found += Counter(guild.owned)
    assert found == total


def check_guilds(state):
    for seat, guild in enumerate(state.guilds):
        held = [*guild.hand, *guild.deck, *guild.discards, *guild.alley]
        if seat == state.active:
            held += state.turn.played
        assert tuple(sorted(held)) == guild.owned
        assert 0 <= guild.infamy <= 10  # castlescape/over-ten
        assert 0 <= guild.corruption <= 10
    contracts = [*state.contracts]
    for guild in state.guilds:
        contracts += [*guild.contracts, *guild.dealt]
    assert sorted(contracts) == list(range(20))  # castlescape/contracts-dealt


def check_board(state):
    board = state.board
    grid, walls = board.grid, board.walls
    below = walls >> grid.columns
    pairs = walls & below
    assert not pairs & grid.left_of(pairs)  # castlescape/no-two-by-two
    assert walls == grid.flood(walls & -walls, walls)  # castlescape/wall-adjacent
    standing = 0
    for seat in range(4):
        assert not board.ground[seat] & walls
        assert not board.atop[seat] & ~walls
        mine = board.ground[seat] | board.atop[seat]
        assert not mine & standing  # castlescape/position
        standing |= mine
        assert mine.bit_count() <= 12  # castlescape/cubes-out
        assert seat < state.game.players or not mine


def check_claims(state):
    """Every bailey was claimed once, and no square twice (castlescape/bailey-score)."""
    seen = 0
    for claim in state.claims:
        assert not claim.squares & seen
        assert claim.size == claim.squares.bit_count()
        seen |= claim.squares
    assert seen == state.enclosed == state.board.enclosed()
    assert sorted(c.squares for c in state.claims) == sorted(b.bits for b in state.board.baileys())


@settings(max_examples=20)
@given(st.sampled_from(list(GAMES)), st.integers(0, 10**6), eager)
def test_nothing_is_lost_or_counted_twice(choice, seed, taste):
    game = GAMES[choice]
    built = quarried = 0
    last = None
    for number, state in enumerate(states(game, seed, taste)):
        if last is not None and state.board.walls != last.board.walls:
            built += 1
            quarried += last.quarry - state.quarry
            assert (state.board.walls & ~last.board.walls).bit_count() == 1
            assert last.quarry - state.quarry in (0, 1)  # 0: from the supply
        if number % 7 == 0 or state.over:
            check_cards(state)
            check_guilds(state)
            check_board(state)
            check_claims(state)
        last = state
    assert state.board.walls.bit_count() == built + 1
    # All walls of the Quarry were built or are still in it (castlescape/quarry-setup).
    filled = game.quarry * (1 + game.inspections - state.marker)
    assert filled == quarried + state.quarry
    # castlescape/final-round, castlescape/long-winter: the reason that is told is the reason.
    assert (state.ending == "market") <= (not state.rotating)
    assert (state.ending == "quarry") <= (state.quarry == 0 and state.marker == 1)
    assert (state.ending == "winter") <= (state.quiet >= 3 * game.players)
    assert state.ending


@settings(max_examples=10)
@given(st.sampled_from(list(GAMES)), st.integers(0, 10**6))
def test_what_is_listed_is_legal_and_what_is_not_is_explained(choice, seed):
    game = GAMES[choice]
    strangers = []
    for number, state in enumerate(states(game, seed, "no end")):
        moves = state.moves()
        if number % 11 == 0:
            assert len(set(moves)) == len(moves)
            for move in moves:
                assert state.check(move), (move, state.check(move))
            for move in strangers:
                verdict = state.check(move)
                assert bool(verdict) == (move in moves), (move, verdict)
                for breach in verdict.breaches:
                    assert breach.rule.id in game.rules
                    assert breach.message.endswith(".")
        strangers = [*strangers, *moves[:: max(1, len(moves) // 3)]][-40:]


@settings(max_examples=10)
@given(st.sampled_from(list(GAMES)), st.integers(0, 10**6), st.integers(0, 300))
def test_guesses_fit_the_view_and_can_be_played(choice, seed, number):
    game = GAMES[choice]
    for at, state in enumerate(states(game, seed)):
        if at == number or state.over:
            break
    for seat in range(game.players):
        view = state.view(seat)
        world = view.guess(seat, Chance.seeded(number))
        assert world.view(seat) == view
        assert view.view(seat) == view
        if state.to_move == seat:
            assert world.moves() == state.moves()
        check_cards(world)
        check_guilds(world)
        end, _ = play_out(world, (Random(),) * game.players, Chance.seeded(seed))
        assert end.over


def check_sharing(cards, seed, side):
    """Build at random, and compare what is legal with every way of giving each wall to a card."""
    chance, board = Chance.seeded(seed), Board.start(side)
    masonry = NOTHING
    for number in cards:
        masonry = granted(masonry, number)
    deals = {tuple((number, 0) for number in sorted(cards))}
    while True:
        legal = spots(board, masonry)
        reached = 0
        for deal in deals:
            for left, piece in deal:
                if left:
                    reached |= board.wall_spots(piece)
        assert legal == reached
        if not legal:
            break
        bit, chance = chance.choice([1 << at for at in range(side * side) if legal >> at & 1])
        board = board.with_wall(bit)
        masonry = after_wall(masonry, bit, board)
        deals = set(dealt(deals, bit, board.grid.neighbours(bit)))


def dealt(deals, bit, beside):
    """Every way to give one wall more to a card, so that each card's are one piece."""
    for deal in deals:
        for at, (left, piece) in enumerate(deal):
            if left and (not piece or piece & beside):
                yield tuple(sorted((*deal[:at], (left - 1, piece | bit), *deal[at + 1 :])))


@settings(max_examples=60)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 10**6))
def test_walls_are_shared_among_cards_as_a_slow_search_does(cards, seed):
    """castlescape/wall-contiguous"""
    check_sharing(cards, seed, 7)


@settings(max_examples=12)
@given(
    st.lists(st.integers(1, 4), min_size=5, max_size=6).filter(lambda cards: sum(cards) <= 17),
    st.integers(0, 10**6),
    st.sampled_from((7, 9, 13)),
)
def test_five_and_six_wall_cards_are_shared_exactly(cards, seed, side):
    """castlescape/wall-contiguous: no legal wall is refused, however many cards there are."""
    check_sharing(cards, seed, side)


def test_late_walls_stay_when_the_others_are_over():
    """castlescape/walls-first"""
    masonry = granted(granted(NOTHING, 2), 2, late=True)
    assert only_late(masonry) == granted(NOTHING, 2, late=True)
    assert only_late(NOTHING) == NOTHING
    # One wall was built, and it may have been either card's: the better reading counts.
    begun = after_wall(masonry, 1 << 10, Board.parse("......./..##..." + "/......." * 5))
    assert len(begun) == 2
    assert sorted(sum(left for left, _, _ in one) for one in only_late(begun)) == [1, 2]


@pytest.mark.parametrize("cards", [[3] * 4, [3] * 7, [1, 2, 3, 4, 4, 4], [6] * 6])
def test_many_wall_cards_do_not_make_too_many_readings(cards):
    """A turn that hardly ever happens stays quick, and all its walls can be built.

    Every way would be tens of thousands here.
    """
    chance, board, masonry = Chance.seeded(2), Board.start(25), NOTHING
    for walls in cards:
        masonry = granted(masonry, walls)
    built, most = 0, 0
    while legal := spots(board, masonry):
        found = [1 << at for at in range(25 * 25) if legal >> at & 1]
        bit, chance = chance.choice(found)
        board = board.with_wall(bit)
        masonry = after_wall(masonry, bit, board)
        built, most = built + 1, max(most, len(masonry))
    assert most <= 2_000
    assert built == sum(cards) or masonry != NOTHING  # the rest is blocked and forfeited
    assert built > sum(cards) // 2
