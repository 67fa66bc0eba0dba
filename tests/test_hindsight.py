"""What moves bring to light: in each game the draws and rolls, and nothing that was foreseen."""

import pytest

import castlelab
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.record import Record
from castlelab.telling import hides, is_secret, reveals

# What a seat learns by its own moves: the kinds that may show something, and those that never do.
NEWS = {
    "castell": ({"end", "enter", "stay"}, {"move", "recruit", "train"}),
    "castle_keep": ({"draw", "end"}, {"build", "discard"}),
    "castle_rampage": ({"play", "place", "choose"}, {"end"}),
    "castlescape": ({"end", "play", "dismiss"}, {"wall", "recruit", "buy"}),
    "once_upon_a_castle": ({"use", "clear", "end", "lose"}, set()),
}


def game(name, moves=160, seed=3, **options):
    """Some moves of a game between greedy bots: each state with its move."""
    state, chance = castlelab.load(name, **options).start(seed), Chance.seeded(seed)
    player = bot("greedy")
    for _ in range(moves):
        if state.over:
            return
        move, chance = player.choose(state, chance)
        yield state, move
        state = state.after(move)


@pytest.mark.parametrize("name", NEWS)
def test_only_draws_rolls_and_turned_cards_are_news_to_whoever_moves(name):
    news, foreseen = NEWS[name]
    found, quiet = set(), set()
    for state, move in game(name):
        (found if reveals(state, move, state.to_move) else quiet).add(move.kind)
    assert found <= news
    assert not found & foreseen
    assert foreseen <= quiet


@pytest.mark.parametrize("name", ["castell", "castle_rampage", "castlescape", "once_upon_a_castle"])
def test_every_game_with_chance_shows_news_sooner_or_later(name):
    assert any(reveals(state, move, state.to_move) for state, move in game(name))


def test_a_tile_of_a_hidden_hand_is_news_to_the_others():
    for state, move in game("castle_keep", 12):
        if move.kind == "build":
            assert reveals(state, move, 1 - state.to_move)
            assert not reveals(state, move, state.to_move)


def test_the_refill_of_the_regions_is_news_to_all_in_castell():
    start = Record.start(castlelab.load("castell"), 3).play("move Valls")
    recruit = next(move for move in start.state.moves() if move.kind == "recruit")
    end = start.game.move("end")
    for record, news in ((start, False), (start.play(recruit), True)):
        before = record.play(end).play(end).play(end).state  # the last turn of round 2
        assert [reveals(before, end, seat) for seat in (0, 1)] == [news, news]


def test_cards_laid_face_down_are_secret_to_the_others_only():
    secret = set()
    for state, move in game("castle_rampage"):
        seat = state.to_move
        assert not is_secret(state, move, seat)
        if is_secret(state, move, 1 - seat):
            secret.add(move.kind)
    assert "place" in secret
    assert "play" not in secret


def test_a_card_laid_face_down_is_no_news_to_the_others_but_what_it_leads_to_is():
    news = [
        reveals(state, move, 1 - state.to_move)
        for state, move in game("castle_rampage")
        if move.kind == "place"
    ]
    assert len(news) == 16
    assert news.count(True) == 2  # the last card of each deal: more cards come, or the hands
    assert news[7]
    assert news[15]


def test_contracts_are_kept_in_secret():
    kept = [
        is_secret(state, move, 1 - state.to_move)
        for state, move in game("castlescape", 4, side=7)
        if move.kind == "keep"
    ]
    assert kept == [True] * 4


def test_two_ways_to_the_same_thing_are_no_secret():
    for state, move in game("castell"):
        assert not is_secret(state, move, 1 - state.to_move)


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("castell", False),
        ("castle_keep", True),
        ("castle_rampage", True),
        ("castlescape", True),
        ("once_upon_a_castle", False),
    ],
)
def test_where_players_hide_things_from_one_another(name, hidden):
    state = castlelab.load(name).start(1)
    assert hides(state, (0, 1)) is hidden
    assert not hides(state, (0,))
    assert not hides(state, ())


# -- how far a record may be taken back --------------------------------------------------------


def test_own_moves_that_show_nothing_may_be_taken_back():
    record = Record.start(castlelab.load("castle_keep"), 1)
    seat = record.state.to_move
    build = next(move for move in record.state.moves() if move.kind == "build")
    record = record.play(build)
    assert record.revealed_since(0) is None
    assert record.revealed_since(0, [seat]) is None


def answered():
    """A turn of Castle Keep and the first tile of the other player."""
    record = Record.start(castlelab.load("castle_keep"), 1)
    me = record.state.to_move
    while record.state.to_move == me:
        moves = {move.kind: move for move in record.state.moves()}
        record = record.play(moves.get("build") or moves.get("end") or moves["discard"])
    build = next(move for move in record.state.moves() if move.kind == "build")
    return me, record.play(build)


def test_a_move_of_somebody_else_that_shows_a_tile_stands():
    me, record = answered()
    last = len(record.moves)
    assert record.revealed_since(last - 2) == last  # whoever ended knows a tile of the other's
    assert record.revealed_since(last - 1) is None  # the builder knew it
    assert record.revealed_since(last - 2, [1 - me]) is None  # a bot remembers nothing


def test_what_was_taken_back_has_been_seen_all_the_same():
    record = answered()[1].undo()
    last = len(record.moves)
    assert record.revealed_since(last - 1) == last + 1
    assert record.revealed_since(last) is None


def test_a_roll_stays_rolled():
    record = Record.start(castlelab.load("once_upon_a_castle"), 1)
    player, chance = bot("greedy"), Chance.seeded(1)
    while not (news := reveals(record.state, move := player.choose(record.state, chance)[0], 0)):
        record = record.play(move)
    assert news
    number = len(record.moves)
    record = record.play(move)
    assert record.revealed_since(number) == number + 1
    assert record.revealed_since(number + 1) is None
