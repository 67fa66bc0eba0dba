"""What is said after a move is short, leaves out nothing that changed, and gives nothing away."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from statistics import median

import pytest

import castlelab
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES, Emblem
from castlelab.record import Record
from castlelab.speech import LONGEST, WAYS, said_aloud, to_you
from castlelab.telling import is_secret
from tests.effects import EFFECTS, IMPLIED, changed_parts

#: Games whose every move is compared with the difference of two states.
CHOICES = [
    ("castell", {"players": 2}),
    ("castell", {"players": 4, "variant": "advanced"}),
    *(("castle_keep", {"way": way}) for way in ("classic", "takeover", "empire", "solitaire")),
    ("castle_keep", {"players": 4, "way": "empire", "attack_towers": True, "many_attacks": True}),
    ("castle_rampage", {}),
    ("castlescape", {"side": 7, "players": 2}),
    ("castlescape", {"side": 9, "players": 4, "hardcore": True}),
    *(("once_upon_a_castle", {"version": one}) for one in ("apprentice", "architect")),
]
GAMES = {
    "castell": {"players": 4, "variant": "advanced"},
    "castle_keep": {},
    "castle_keep takeover": {"way": "takeover"},
    "castle_keep empire": {"way": "empire"},
    "castle_keep solitaire": {"way": "solitaire"},
    "castle_rampage": {},
    "castlescape": {"side": 7, "players": 3},
    "once_upon_a_castle": {"version": "architect", "players": 3},
}
MOST = 180  # moves of a game that are listened to


@cache
def played(name, seed=5):
    """A game in which bots and chance take turns, as a record."""
    game = castlelab.load(name.split()[0], **GAMES[name])
    record, chance, greedy = Record.start(game, seed), Chance.seeded(seed), bot("greedy")
    while not record.state.over and len(record.moves) < MOST:
        if len(record.moves) % 3:
            move, chance = greedy.choose(record.state, chance)
        else:
            move, chance = chance.choice(record.state.moves())
        record = record.play(move)
    return record


def steps(name, seed=5):
    """Each move of that game, with the states before and after it."""
    record = played(name, seed)
    for text, (before, after) in zip(record.moves, pairwise(record.states), strict=True):
        yield record.game.move(text), before, after


# -- short ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_move_is_said_in_a_line(name, record_property):
    record, lengths = played(name), []
    for seat in range(record.game.players):
        for number in range(len(record.moves)):
            said = record.spoken(number, [seat])
            lengths.append(len(said))
            assert len(said) <= LONGEST, said
            assert said.endswith((".", "!"))
            assert not re.search(r"\b[Yy]ou (has|is|wins|claims|takes|gets|gives|owes)\b", said)
            assert not re.search(rf"\b{SEAT_NAMES[seat]}'s turn", said)
    record_property("median", median(lengths))
    record_property("longest", max(lengths))


@pytest.mark.parametrize("name", GAMES)
def test_in_brief_less_is_said(name):
    record = played(name)
    for number in range(len(record.moves)):
        brief, normal = (record.spoken(number, [0], way) for way in WAYS[:2])
        assert len(brief) <= len(normal)


# -- whole ---------------------------------------------------------------------------------------


def listened(name, choice, seed, most=200):
    """A random game in which somebody also does nothing, and bots think now and then."""
    game = castlelab.load(name, **choice)
    state, chance, greedy = game.start(seed), Chance.seeded(seed), bot("greedy")
    for number in range(most):
        if state.over:
            return
        if number % 5 == seed % 5:
            move, chance = greedy.choose(state, chance)
        else:
            idle = [move for move in state.moves() if move.kind in ("end", "pass")]
            which, chance = chance.below(3)
            move, chance = chance.choice(idle if idle and not which else state.moves())
        after = state.after(move)
        yield move, state, after
        state = after


@pytest.mark.parametrize(("name", "choice"), CHOICES, ids=str)
def test_whatever_a_move_has_changed_is_said(name, choice):
    """The difference of the two states, as a seat sees them, is in the sentence that it hears."""
    found = 0
    for seed in range(4):
        for number, (move, before, after) in enumerate(listened(name, choice, seed)):
            seat = number % before.game.players
            if is_secret(before, move, seat):
                continue
            said = said_aloud(before, move, after, [seat])
            views = before.view(seat), after.view(seat)
            effects = [*EFFECTS[name](*views, seat)]
            for part, pattern in effects:
                found += bool(pattern)
                assert re.search(pattern, said), f"{move}: {part} {pattern!r} is not in {said!r}"
            looked_at = {part for part, _ in effects} | {*IMPLIED[name]}
            for part in changed_parts(*views):
                known = any(part == one or part.startswith(f"{one}.") for one in looked_at)
                assert known, f"{move}: nobody looks whether {part} is told in {said!r}"
            if after.to_move not in (None, before.to_move):
                whom = "You" if after.to_move == seat else SEAT_NAMES[after.to_move]
                assert re.search(rf"{whom}.{{0,3}} turn|{whom} owes?", said), (
                    f"whose turn: {said!r}"
                )
    assert found > 60


# -- nothing else --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["castle_keep", "castle_rampage", "castlescape"])
def test_worlds_that_look_the_same_sound_the_same(name):
    """Who cannot tell two worlds apart by looking cannot by listening."""
    compared = 0
    for number, (move, before, after) in enumerate(steps(name)):
        for seat in range(before.game.players):
            if number % 4 or seat == before.to_move:
                continue
            said = said_aloud(before, move, after, [seat])
            for at in range(4):
                world = before.view(seat).guess(seat, Chance.seeded(f"{number} {at}"))
                alike = [other for other in world.moves() if other.kind == move.kind]
                hidden = is_secret(before, move, seat)
                for other in alike[:8] if hidden else [move] * bool(world.check(move)):
                    then = world.after(other)
                    if then.view(seat) == after.view(seat):
                        compared += 1
                        assert said_aloud(world, other, then, [seat]) == said
    assert compared > 2


# -- words ---------------------------------------------------------------------------------------


def test_who_listens_is_spoken_to():
    record = Record.start(castlelab.load("castell", first="blue"), seed=7).play("move Valls")
    assert record.spoken(0, [0]) == "You began in Valls."
    assert record.spoken(0, [1]) == "Blue began in Valls."
    ended = record.play("end")
    assert ended.spoken(1, [0]) == "You ended the turn. Orange's turn."
    assert ended.spoken(1, [1]) == "Blue ended the turn. Your turn."
    assert ended.spoken(1, [1], last=False) == "Blue ended the turn."


def test_things_that_are_called_like_a_seat_stay_what_they_are():
    sentence = ("Gold rolled ", Emblem("Gold", "die gold"), ". Gold wins and keeps Gold's castle.")
    assert to_you(sentence, 3) == "You rolled Gold. You win and keeps your castle."
    assert to_you(sentence, None) == "".join(map(str, sentence))


def test_what_one_has_drawn_is_said_to_oneself_alone():
    record = played("castle_keep")
    heard = 0
    for number in range(len(record.moves)):
        one, other = (record.spoken(number, [seat]) for seat in (0, 1))
        heard += "Drawn: " in one
        assert not ("Drawn: " in one and "Drawn: " in other)
    assert heard
