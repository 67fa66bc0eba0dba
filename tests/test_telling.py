"""What a move brings to light, what may be taken back; what pointing means, in words and rules."""

import pytest

import castlelab
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.game import GAMES
from castlelab.record import Record
from castlelab.telling import change, hides, is_secret, judged, meaning, reveals, way_to

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


# What pointing means

POINTED = ["castle_keep", "castle_rampage", "castlescape", "once_upon_a_castle"]


def things(state):
    return [target.id for target in state.view(state.to_move).picture().targets]


@pytest.fixture
def keep():
    return castlelab.load("castle_keep").start(1)


def test_a_spot_says_what_may_be_built_there_and_which_rule_says_no(keep):
    spot = f"{keep.to_move + 1}.ne"
    told = meaning(keep, spot, things(keep))
    assert told.legal
    assert all(str(move).startswith("build T") for move in told.legal)
    assert [rule.id for rule in told.rules] == ["castle_keep/spots"]
    assert told.words[0].startswith("You may: build T")
    assert "[castle_keep/spots]" in told.words[1]
    assert told.where == ("ne",) or spot in told.where


def test_a_tile_says_where_it_may_go(keep):
    told = meaning(keep, "hand 1", things(keep))
    assert {move.kind for move in told.legal} == {"build"}
    assert all(keep.check(move) for move in told.legal)
    assert all(not keep.check(move) for move, _ in told.refused)


def test_after_a_pick_only_what_it_comes_to_is_told(keep):
    centre = f"{keep.to_move + 1}.c"
    told = meaning(keep, centre, things(keep), picks=("hand 1",))
    assert told.legal == ()
    assert len(told.refused) == 1


def test_what_means_nothing_says_nothing(keep):
    assert meaning(keep, "pile", things(keep)).words == ()


def test_a_move_is_judged_once(keep):
    move = keep.moves()[0]
    told = judged(keep, [move, move])
    assert told.legal == (move,)
    assert told.words == (f"You may: {move}.",)


def test_many_moves_are_counted_not_named(keep):
    told = judged(keep, keep.moves())
    assert told.words[0].endswith(f"and {len(keep.moves()) - 4} more moves.")


def test_a_refused_move_names_its_rule_once_with_the_number_of_its_kind(keep):
    moves = [keep.game.move(f"build KB {spot}") for spot in ("n", "ne", "e")]
    told = judged(keep, moves)
    assert len(told.rules) == len(told.words)
    assert "(and 2 more like it)" in "".join(told.words)


@pytest.mark.parametrize("name", POINTED)
def test_the_way_to_a_move_comes_to_that_move(name):
    options = {"side": 7} if name == "castlescape" else {}
    state, chance, player = (
        castlelab.load(name, **options).start(2),
        Chance.seeded(2),
        bot("greedy"),
    )
    for _ in range(60):
        if state.over:
            break
        move, chance = player.choose(state, chance)
        way = way_to(state, move)
        assert way, f"no pointing comes to {move}"
        assert state.point(way).move == move
        state = state.after(move)


def test_there_is_no_way_to_a_move_that_is_not_legal(keep):
    assert way_to(keep, keep.game.move("attack WRS 1.n")) == ()


@pytest.mark.parametrize("name", GAMES)
def test_what_leads_to_a_legal_move_is_never_told_only_no(name):
    game, asked = castlelab.load(name), 0
    for seed in range(3):
        state, chance = game.start(seed), Chance.seeded(seed)
        for number in range(45):
            if state.over:
                break
            if number % 7 == seed:
                ways = {target for move in state.moves()[:30] for target in way_to(state, move)}
                for target in ways:
                    assert meaning(state, target, things(state)).legal, target
                asked += len(ways)
            move, chance = chance.choice(state.moves())
            state = state.after(move)
    assert asked > 40


# -- what a move does at once ------------------------------------------------------------------


def test_a_move_is_praised_and_blamed_for_what_it_changes_most(keep):
    build = next(move for move in keep.moves() if move.kind == "build")
    found = change(keep, build, keep.to_move)
    assert found.gains == ("your castle is in better shape",)
    assert found.losses == ("your hand is of less use",)
    assert found.words == "your castle is in better shape, but your hand is of less use"
    foe = change(keep, build, 1 - keep.to_move)
    assert foe.gains == ()
    assert foe.words == "an opponent gets on"


def test_the_end_of_a_game_is_all_that_is_told():
    state, chance, told = castlelab.load("castle_keep").start(2), Chance.seeded(2), []
    while not state.over:
        before, (move, chance) = state, bot("greedy").choose(state, chance)
        state = state.play(move)
    (winner,) = state.winners
    told = [change(before, move, seat).words for seat in (winner, 1 - winner)]
    assert told == ["it wins the game", "the game ends with it, and others have won"]


def test_what_decides_the_game_is_told_alone():
    """A castle as good as finished counts hundreds of points; a tile less is no drawback then."""
    state, chance, found = castlelab.load("castle_keep").start(2), Chance.seeded(2), []
    while not state.over:
        move, chance = bot("greedy").choose(state, chance)
        found.append(change(state, move, state.to_move))
        state = state.play(move)
    near = "the castle can be finished in this very turn"
    assert [one for one in found if near in one.gains]
    assert all(one.words == near for one in found if near in one.gains)


@pytest.mark.parametrize("name", GAMES)
def test_a_reason_speaks_of_the_game(name):
    """Most reasons of a whole game name something of it, and none of them is a stranger's."""
    state, chance = castlelab.load(name).start(3), Chance.seeded(3)
    own = {words for part in state.prospects(0) for words in (part.better, part.worse)}
    reasons = []
    while not state.over and len(reasons) < 40:
        (thought,) = bot("greedy").think(state, chance)
        reasons.append(thought.reason)
        state = state.play(thought.move)
    assert sum(any(words in reason for words in own) for reason in reasons) > len(reasons) / 2
