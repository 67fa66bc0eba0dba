"""The contract that every registered game keeps, for every choice of its options."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import fields, is_dataclass
from itertools import islice, product
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playthrough import path, playthrough

import castlelab
from castlelab.bots import Greedy, MonteCarlo, Random, play_out
from castlelab.chance import Chance
from castlelab.draw import svg, text
from castlelab.game import Move, game_class
from castlelab.record import Record, RecordError
from castlelab.rules import CastlelabError, IllegalMove, NotationError
from castlelab.telling import hides, is_secret
from castlelab.telling import told as told_of

#: Options with many values that differ in size only: some of them stand for all.
SOME = {("castell", "first"): ("drawn", "gold"), ("castlescape", "side"): (7, 13)}


def every_choice():
    """Every game with every number of players and every combination of options."""
    for name in castlelab.GAMES:
        cls = game_class(name)
        names = [option.name for option in cls.option_list]
        allowed = [SOME.get((name, option.name), option.allowed) for option in cls.option_list]
        for values in product(*allowed):
            options = dict(zip(names, values, strict=True))
            for players in cls.seats_for(**options):
                yield name, players, tuple(options.items())


CHOICES = list(every_choice())
GAMES = list(castlelab.GAMES)
choices = pytest.mark.parametrize(("name", "players", "options"), CHOICES)
games = pytest.mark.parametrize("name", GAMES)


def random_states(game, seed):
    """A random game, state by state."""
    state, chance = game.start(seed), Chance.seeded(seed)
    yield state
    while not state.over:
        move, chance = chance.choice(state.moves())
        state = state.play(move)
        yield state


@choices
def test_random_legal_play_ends_with_scores_and_winners(name, players, options):
    game = castlelab.load(name, players=players, **dict(options))
    for seed in range(3):
        *_, end = random_states(game, seed)
        assert end.over
        assert end.to_move is None
        assert end.moves() == ()
        assert len(end.scores) == players
        assert end.winners or players == 1  # alone, one may lose to the game
        assert all(end.scores[seat] == max(end.scores) for seat in end.winners)


@choices
def test_check_agrees_with_moves_and_every_move_is_different(name, players, options):
    game = castlelab.load(name, players=players, **dict(options))
    for state in random_states(game, 5):
        moves = state.moves()
        assert len(set(map(str, moves))) == len(moves)
        for move in moves:
            assert state.check(move), f"{move} is listed and refused: {state.check(move)}"


@choices
def test_what_check_refuses_play_refuses_with_the_same_words(name, players, options):
    """Moves of other moments are the natural illegal moves: each is explained and refused."""
    game = castlelab.load(name, players=players, **dict(options))
    states = list(random_states(game, 6))
    strangers = [move for state in states[::7] for move in state.moves()[:4]][:60]
    refused = 0
    for state in [*states[::5][:12], states[-1]]:  # the end refuses everything
        for move in strangers:
            verdict = state.check(move)
            if verdict:
                state.play(move)
                continue
            refused += 1
            assert all(breach.rule.id in game.rules for breach in verdict.breaches)
            assert all(breach.message for breach in verdict.breaches)
            with pytest.raises(IllegalMove) as caught:
                state.play(move)
            assert caught.value.verdict == verdict
            for breach in verdict.breaches:
                assert breach.rule.id in str(caught.value)
    assert refused


@choices
def test_play_leaves_the_old_state_untouched(name, players, options):
    game = castlelab.load(name, players=players, **dict(options))
    for state in list(random_states(game, 8))[::9]:
        before = (repr(state), state.moves(), state.scores, state.describe())
        for move in state.moves()[:10]:
            state.play(move)
        assert (repr(state), state.moves(), state.scores, state.describe()) == before


@choices
def test_prospects_are_what_the_estimate_is_made_of(name, players, options):
    game = castlelab.load(name, players=players, **dict(options))
    for state in [*list(random_states(game, 10))[:: 9 if players < 4 else 15], game.start(1)]:
        for seat in range(players):
            parts = state.prospects(seat)
            assert sum(part.worth for part in parts) == pytest.approx(state.estimate(seat))
            said = [words for part in parts for words in (part.better, part.worse)]
            assert len(set(said)) == len(said)


@choices
def test_notation_round_trips(name, players, options):
    game = castlelab.load(name, players=players, **dict(options))
    for state in random_states(game, 9):
        for move in state.moves():
            assert game.move(str(move)) == move
            assert isinstance(move, Move)
            assert move.kind


@games
@given(words=st.text(max_size=40))
def test_no_text_crashes_the_notation(name, words):
    game = castlelab.load(name)
    with suppress(NotationError):
        game.move(words)


@games
def test_the_same_seed_gives_the_same_game_in_another_process(name):
    script = (
        "import sys, castlelab; from castlelab.bots import Random, play_out;"
        "from castlelab.chance import Chance;"
        "end, moves = play_out(castlelab.load(sys.argv[1]).start(3), (Random(),) * 9,"
        " Chance.seeded(4)); print(*moves, end.scores, sep='\\n')"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script, name],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    end, moves = play_out(castlelab.load(name).start(3), (Random(),) * 9, Chance.seeded(4))
    here = "\n".join([*map(str, moves), str(end.scores), ""])
    assert outputs == [here, here]


@games
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6), data=st.data())
def test_random_legal_play_with_undo_and_redo(name, seed, data):
    record = Record.start(castlelab.load(name), seed)
    for _ in range(30):
        if record.state.over:
            break
        step = data.draw(st.sampled_from(("play", "play", "play", "undo", "redo")))
        if step == "play":
            before = record.state
            moves = before.moves()
            record = record.play(moves[data.draw(st.integers(0, len(moves) - 1))])
            assert record.undo().state == before
            assert record.undo().redo().state == record.state
        else:
            record = getattr(record, step)()
    assert Record.loads(record.dumps()).state == record.state


@games
def test_records_replay_and_branch(name):
    record = Record.start(castlelab.load(name), 11)
    chance = Chance.seeded(11)
    while not record.state.over:
        move, chance = chance.choice(record.state.moves())
        record = record.play(move)
    again = Record.loads(record.dumps())
    assert again == record
    assert again.states == record.states
    half = again.at(len(again.moves) // 2)
    branch = half.play(half.state.moves()[-1])
    assert branch.moves[:-1] == record.moves[: len(record.moves) // 2]
    assert Record.loads(branch.dumps()).state == branch.state


@games
def test_a_damaged_record_names_the_move_and_the_reason(name):
    record = Record.start(castlelab.load(name), 11)
    for _ in range(6):
        record = record.play(record.state.moves()[0])
    table = json.loads(record.dumps())
    for wrong in ("nonsense", 7, None, ["end"]):
        damaged = table | {"moves": [*table["moves"][:3], wrong, *table["moves"][4:]]}
        with pytest.raises(RecordError, match="move 4"):
            Record.loads(json.dumps(damaged))
    last = record.state.moves()[0]
    illegal = table | {"moves": [str(last)] * 60}
    with pytest.raises(RecordError, match=r"move \d+ .*\[[a-z_]+/[a-z-]+\]"):
        Record.loads(json.dumps(illegal))


@choices
def test_a_view_hides_and_a_guess_fits_it(name, players, options):
    """Nothing hidden can be read off a view: all worlds that fit it look the same."""
    game = castlelab.load(name, players=players, **dict(options))
    states = list(random_states(game, 12))
    for number, state in enumerate(states[:: max(15, len(states) // 6)]):
        for player in range(players):
            view = state.view(player)
            worlds = [view.guess(player, Chance.seeded(f"{number} {n}")) for n in range(3)]
            for world in worlds:
                assert world.view(player) == view
                assert repr(world.view(player)) == repr(view)
                assert world.view(player).picture() == view.picture()
                assert world.view(player).describe() == view.describe()
            if not view.over and view.to_move == player:
                assert view.moves() == state.moves()
            if not worlds[0].over:
                play_out(worlds[0], (Random(),) * players, Chance.seeded(number))


@games
def test_seats_that_do_not_exist_are_refused(name):
    state = castlelab.load(name).start(1)
    for seat in (-1, 2, 99, "0", None):
        with pytest.raises(CastlelabError):
            state.view(seat)


@choices
def test_pictures_and_words_for_every_state(name, players, options):
    game = castlelab.load(name, players=players, **dict(options))
    states = list(random_states(game, 13))
    for state in [*states[:: max(10, len(states) // 8)], states[-1]]:
        scene = state.picture()
        root = ElementTree.fromstring(svg.render(scene))
        assert root.tag.endswith("svg")
        assert text.render(scene).strip()
        assert scene.description
        assert state.describe().endswith(".")
        assert len({target.id for target in scene.targets}) == len(scene.targets)
        for target in scene.targets:
            assert target.name
            assert target.x >= 0
            assert target.x + target.width <= scene.width
            assert target.y >= 0
            assert target.y + target.height <= scene.height


@games
@pytest.mark.parametrize("thinker", [Greedy(), MonteCarlo(8)], ids=lambda bot: bot.name)
@pytest.mark.parametrize("played", [0, 9, 20])
def test_bots_never_peek(name, thinker, played):
    """States that look the same to the mover, and differ in what is hidden: the same move."""
    state = nth(random_states(castlelab.load(name), 21), played)
    seat = state.to_move
    alike = [state, *(state.guess(seat, Chance.seeded(n)) for n in range(3))]
    assert all(other.view(seat) == state.view(seat) for other in alike)
    moves = {str(thinker.choose(other, Chance.seeded(1))[0]) for other in alike}
    assert len(moves) == 1


def nth(items, number):
    return next(islice(items, number, None))


@games
def test_the_golden_playthrough_exists_and_is_what_is_played(name):
    assert path(name).exists(), f"run python tests/playthrough.py to write {path(name).name}"
    assert path(name).read_text(encoding="utf-8") == playthrough(name)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: castlelab.load("chess"), "there is no game 'chess'"),
        (lambda: castlelab.load("castell", players=5), "2 to 4 players, not 5"),
        (lambda: castlelab.load("castell", players=True), "not True"),
        (lambda: castlelab.load("castell", variant="hard"), "'standard', 'advanced'"),
        (lambda: castlelab.load("castell", way="king"), "has no option 'way'"),
        (lambda: castlelab.load("castell").start(seed=1.5), "a seed is a whole number"),
    ],
)
def test_wrong_ways_to_load_a_game(call, says):
    with pytest.raises(CastlelabError, match=says):
        call()


# -- mends, secrets, memory and words -----------------------------------------------------------


def strangers(states):
    """Moves of other moments: the natural illegal moves."""
    return [move for state in states[::5] for move in state.moves()[:6]][:80]


@choices
def test_every_mend_is_a_legal_move(name, players, options):
    """Whatever is said to be right instead can be played at once."""
    game = castlelab.load(name, players=players, **dict(options))
    states = list(random_states(game, 14))
    for state in states[:: max(4, len(states) // 12)]:
        for move in strangers(states):
            for breach in state.check(move).breaches:
                for mend in breach.mends:
                    assert state.check(mend), f"{move}: {breach.mend} {mend}: {state.check(mend)}"
                    assert game.move(str(mend)) == mend


@choices
def test_what_is_told_of_a_move_hangs_on_what_is_seen_alone(name, players, options):
    """Worlds that a seat cannot tell apart, before and after: the same words."""
    game = castlelab.load(name, players=players, **dict(options))
    states = list(random_states(game, 15))
    for number, state in enumerate(states[:: max(6, len(states) // 8)]):
        if state.over:
            continue
        for seat in range(players):
            worlds = [state, *guesses(state, seat, number)]
            for world in worlds:
                for move in world.moves()[:40]:
                    after = world.after(move)
                    seen, words = repr(after.view(seat)), told_of(world, move, [seat])
                    for other in worlds:
                        heard = words_for(other, move, seat, seen)
                        assert not heard or words in heard


def words_for(world, move, seat, seen):
    """What a seat may hear in a world if that comes of it which it has seen.

    Two open ways to the same thing are told apart, so there may be several. Only where the
    same move does not lead there, all of its kind are looked through.
    """
    ways = (m for m in world.moves() if m.kind == move.kind)
    first = [move] if world.check(move) else []
    heard = set()
    for way in (*first, *ways):
        if repr(world.after(way).view(seat)) == seen:
            heard.add(told_of(world, way, [seat]))
            if way == move:
                break
    return heard


def guesses(state, seat, seed, most=3):
    """Worlds that fit what a seat sees."""
    return [state.guess(seat, Chance.seeded(f"{seed} {n}")) for n in range(most)]


@choices
def test_a_view_is_played_like_the_game_or_not_at_all(name, players, options):
    """On a view a move has the outcome that it has in the game, or it is refused in words."""
    game = castlelab.load(name, players=players, **dict(options))
    states = list(random_states(game, 16))
    for state in states[:: max(6, len(states) // 10)]:
        if state.over:
            continue
        seat = state.to_move
        view = state.view(seat)
        for move in state.moves()[:20]:
            with suppress(CastlelabError):
                assert view.play(move).view(seat) == state.play(move).view(seat)


@choices
def test_pictures_that_differ_have_different_words(name, players, options):
    game = castlelab.load(name, players=players, **dict(options))
    told = {}
    for state in random_states(game, 17):
        scene = state.picture()
        words = str(state.tell())
        assert told.setdefault(words, scene) == scene, words


#: Where things lie that some may see and others not, and what kind of things: rows of a state by
#: the names of the fields on the way. In a pile things are shuffled: there none can be followed.
#: In the games that are not here, nobody hides anything.
PLACES = {
    "castle_keep": {"hands": "tile", "discards": "tile", "won": "tile"},
    "castle_rampage": {
        "sides.hand": "card",
        "sides.gate.cards": "card",
        "sides.castle.cards": "card",
        "sides.permanents": "card",
        "sides.dealt": "card",
        "discards": "card",
    },
    "castlescape": {
        "stalls": "card",
        "guilds.hand": "card",
        "guilds.discards": "card",
        "guilds.alley": "card",
        "guilds.dealt": "contract",
        "guilds.contracts": "contract",
    },
}
PILES = {
    "castle_keep": {"pile": "tile"},
    "castle_rampage": {"pile": "card"},
    "castlescape": {"rotating": "card", "guilds.deck": "card", "contracts": "contract"},
}


def rows(part, names, way=()):
    """The rows of a state at the places of these names: the way to each, and what lies there."""
    name = ".".join(step for step in way if isinstance(step, str))
    if type(part) is tuple:
        if name in names and not any(type(thing) is tuple for thing in part):
            yield way, Counter((names[name], thing) for thing in part)
        else:
            for at, inner in enumerate(part):
                yield from rows(inner, names, (*way, at))
    elif is_dataclass(part) or hasattr(part, "_fields"):
        inner = [f.name for f in fields(part)] if is_dataclass(part) else part._fields
        wanted = [
            f for f in inner if any(n.startswith(".".join(filter(None, (name, f)))) for n in names)
        ]
        for step in wanted:
            yield from rows(getattr(part, step), names, (*way, step))


def total(counters):
    return sum(counters, Counter())


@choices
def test_players_remember_what_they_have_seen(name, players, options):
    """What a seat saw and nobody has moved since in secret is in its view, and in its guesses."""
    game = castlelab.load(name, players=players, **dict(options))
    if name not in PLACES:
        assert not any(hides(state, range(players)) for state in random_states(game, 18))
        return
    state, chance = game.start(18), Chance.seeded(18)
    seats = range(players)
    lie, piles = dict(rows(state, PLACES[name])), dict(rows(state, PILES[name]))
    seen = [known(state, seat, lie) for seat in seats]
    for number in range(250):
        if state.over:
            break
        move, chance = chance.choice(state.moves())
        after = state.play(move)
        lie_after, piles_after = dict(rows(after, PLACES[name])), dict(rows(after, PILES[name]))
        drawn = total(piles[way] - piles_after[way] for way in piles)
        shuffled = any(piles_after[way] - piles[way] for way in piles)
        for seat in seats:
            secret = is_secret(state, move, seat)
            now = known(after, seat, lie_after)
            gone = total(seen[seat][way] - lie_after[way] for way in lie)
            for way, there in lie_after.items():
                left, came = lie[way] - there, there - lie[way]
                # Something has left in secret, and it may have been any of the things there.
                stayed = Counter() if secret and left else seen[seat][way] - left - drawn
                # What everybody saw leave one place has come to another.
                moved = Counter() if secret or shuffled else (came - drawn) & gone
                wanted = stayed + moved
                assert wanted <= now[way], f"{seat} forgets {wanted - now[way]} of {way}: {move}"
                for world in guesses(after, seat, number, most=2) if number % 10 == 0 else ():
                    assert wanted <= dict(rows(world, PLACES[name]))[way]
            seen[seat] = now
        state, lie, piles = after, lie_after, piles_after


def known(state, seat, lie):
    """What a seat knows of the things that lie at each place."""
    return {way: there & lie[way] for way, there in rows(state.view(seat), PLACES[state.game.name])}
