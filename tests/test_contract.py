"""The contract that every registered game keeps, for every choice of its options."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
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

#: Options with many values that differ in size only: some of them stand for all.
SOME = {("castlescape", "side"): (7, 13)}


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
    with pytest.raises(RecordError, match=r"move \d+ .*\[[a-z]+/[a-z-]+\]"):
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
