"""What is said after a move is short, leaves out nothing that changed, and gives nothing away."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from statistics import median

import pytest

import castlelab
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES, Emblem
from castlelab.games.castle_keep.castle import SPOTS
from castlelab.games.castle_keep.telling import POINTS
from castlelab.games.castlescape.board import square_name
from castlelab.games.castlescape.guild import EMPTY_STALL
from castlelab.record import Record
from castlelab.speech import LONGEST, WAYS, said_aloud, to_you
from castlelab.telling import is_secret

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


def castell(move, before, after):
    box = before.game.box
    for region, (old, new) in enumerate(zip(before.regions, after.regions, strict=True)):
        if after.round == before.round and len(new) < len(old):
            yield box.regions[region]
            yield from map(str, getattr(move, "sizes", ()))
    if after.round != before.round <= 9:
        yield f"Round {after.round}"
        if came := sum(map(len, after.regions)) - sum(map(len, before.regions)):
            yield f"{came} casteller"
    for old, new in zip(before.players, after.players, strict=True):
        if old.pawn != new.pawn:
            yield box.regions[new.pawn]
        for tile in new.performances[len(old.performances) :]:
            yield f"for {tile.points} point"
        if new.collected != old.collected:
            yield r"took \d token"
        for prize, _ in new.prizes[len(old.prizes) :]:
            yield prize
        for size, _ in new.sizes[len(old.sizes) :]:
            yield rf"\b{size}\b"
        if new.skills != old.skills:
            yield r"rank \d"
        if new.tokens < old.tokens:
            yield "used a token"


def castle_keep(move, before, after):
    for old, new in zip(before.castles, after.castles, strict=True):
        lost = [spot for spot in SPOTS if old[spot] is not None and new[spot] is None]
        for spot in SPOTS:
            if old[spot] is not new[spot] is not None:
                yield f"{new[spot].words}.*{POINTS[spot]}|{POINTS[spot]}.*{new[spot].words}"
        if lost and move.kind in ("attack", "turn", "fall"):
            every = "".join(rf"(?=.*{'keep' if spot == 'c' else POINTS[spot]})" for spot in lost)
            yield rf"{every}|clockwise|nothing is left"
    if len(after.discards) == len(before.discards) + 1 and move.kind == "discard":
        yield after.discards[-1].words
    if after.won != before.won:
        yield r"takes? \d|won"
    if after.open and not before.open and before.game.way != "solitaire" and not after.ending:
        yield "Attacks are open now"


def castle_rampage(move, before, after):
    box = before.game.box
    for seat, (old, new) in enumerate(zip(before.sides, after.sides, strict=True)):
        for stack in ("gate", "castle"):
            cards = len(old.stack(stack).cards) - len(new.stack(stack).cards)
            if cards > 0 and not after.over:
                yield rf"{stack.title()}|\d cards?"
            if cards < 0 and not is_secret(before, move, 0):
                yield stack.title()
        if move.kind == "choose":
            for card in Counter(old.permanents) - Counter(new.permanents):
                yield box.cards[card].name
        for card in Counter(new.permanents) - Counter(old.permanents):
            yield box.cards[card].name
        drawn = len(new.hand) - len(old.hand)
        if drawn > 0 and move.kind == "end":
            yield rf"drew {drawn} card"
        if drawn > 0 and seat == 0 and move.kind in ("play", "end"):
            yield r"Drawn: |\d new card"


def castlescape(move, before, after):
    box, grid = before.game.box, before.board.grid
    for square in grid.squares(after.board.walls & ~before.board.walls):
        yield square_name(square)
    for claim in after.claims[len(before.claims) :]:
        yield f"bailey of {claim.size} square"
    for seat, (old, new) in enumerate(zip(before.guilds, after.guilds, strict=True)):
        own = before.board.ground[seat] | before.board.atop[seat]
        now = after.board.ground[seat] | after.board.atop[seat]
        moved = [square_name(square) for square in grid.squares(now & ~own)]
        gone = [square_name(square) for square in grid.squares(own & ~now)]
        yield from moved
        if gone and not moved:
            yield rf"{'|'.join(gone)}|{len(gone)} recruit|recruits .*\b{len(gone)}\b"
        for level in ("infamy", "corruption"):
            if getattr(new, level) > getattr(old, level) and not _inspects(before, after):
                yield rf"{getattr(new, level) - getattr(old, level)} {level.title()}"
        if new.renown != old.renown:
            yield "Renown"
        for goal in new.goals[len(old.goals) :]:
            yield box.goals[goal].name
    new_cards = Counter(after.stalls) - Counter(before.stalls)
    if new_cards and EMPTY_STALL not in after.stalls and not after.finished:
        names = "".join(f"(?=.*{re.escape(box.cards[at].name)})" for at in new_cards if at >= 0)
        yield rf"{names}|{new_cards.total()} new card"


def _inspects(before, after):
    return after.marker < before.marker or bool(before.agenda) or bool(after.agenda)


def once_upon_a_castle(move, before, after):
    for old, new in zip(before.boards, after.boards, strict=True):
        came = set(new.tokens) - set(old.tokens)
        yield from came
        if len(new.tokens) < len(old.tokens):
            yield "cleared (row|column) [1-9]"
    for old, new in zip(before.castles, after.castles, strict=True):
        for part, word in (("floors", "floor"), ("walls", "wall"), ("sun", "sun")):
            if getattr(new, part) > getattr(old, part):
                yield word
        for part, word in (("towers", "tower worth"), ("flags", "flag worth")):
            for worth in getattr(new, part)[len(getattr(old, part)) :]:
                yield f"{word} {worth}"
        if new.residents > old.residents:
            yield f"{new.residents - old.residents} resident"
        for guest in set(new.guests) - set(old.guests):
            yield guest.name.capitalize()
    for guest in set(after.shown) - set(before.shown):
        yield guest.name.capitalize()
    if after.ending and not before.ending:
        yield "over"


EFFECTS = {
    game.__name__: game
    for game in (castell, castle_keep, castle_rampage, castlescape, once_upon_a_castle)
}


@pytest.mark.parametrize("name", GAMES)
def test_whatever_a_move_has_changed_is_said(name):
    """The difference of the two states, as a seat sees them, is in the sentence that it hears."""
    found = 0
    for move, before, after in (*steps(name), *steps(name, 6)):
        said = said_aloud(before, move, after, [0])
        if is_secret(before, move, 0):
            continue
        for effect in EFFECTS[name.split()[0]](move, before.view(0), after.view(0)):
            found += 1
            assert re.search(effect, said), f"{move}: {effect!r} is not in {said!r}"
    assert found > 20


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
