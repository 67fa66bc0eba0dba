"""What may be asked at a table is answered in every game, from what the seat may know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import castlelab
from castlelab.asking import (
    BOARD_KEYS,
    BRAILLE,
    KEYS,
    Asked,
    answer,
    commands,
    look_up,
    understood,
)
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.draw.scene import Scene, Target
from castlelab.game import GAMES, Move, game_class
from castlelab.games.castlescape.asking import site_questions
from castlelab.rules import CastlelabError, NotationError

OPTIONS = {"castlescape": {"side": 13}, "once_upon_a_castle": {"version": "architect"}}
OURS = tuple(name for name in GAMES if castlelab.game._OUR_GAMES.get(name))


def asked_of(state, seat, focus=None):
    """The table as a seat sees it."""
    seen = state.view(seat)
    deciding = state if state.to_move == seat else None
    return Asked(seen.picture(), focus, seen, seat, deciding)


def moments(name, seed=4, every=17, **options):
    """Some states of a random game."""
    game = castlelab.load(name, **{**OPTIONS.get(name, {}), **options})
    state, chance = game.start(seed), Chance.seeded(seed)
    for number in range(90):
        if number % every == 0:
            yield state
        if state.over:
            return
        move, chance = chance.choice(state.moves())
        state = state.play(move)


def words_to_ask(asked):
    """Every word, with what may follow it and without."""
    for question in asked.questions:
        yield f"{question.word} {question.takes}".strip()
    for topic in commands(asked):
        yield topic.word
    yield f"at {asked.scene.targets[0].id}"


def heard(asked, words):
    try:
        return answer(words, asked)
    except CastlelabError as error:
        return f"{error}"


@pytest.mark.parametrize("name", OURS)
def test_every_word_is_answered_at_every_moment(name):
    for state in moments(name):
        for seat in range(2):
            targets = state.view(seat).picture().targets
            asked = asked_of(state, seat, targets[len(targets) // 2].id)
            for words in words_to_ask(asked):
                said = heard(asked, words)
                assert said.strip(), words
                assert not re.search(r"\[[a-z_]+/", said), f"{words}: ids of rules are details."


LISTENING = (Path(__file__).parents[1] / "docs" / "listening.md").read_text(encoding="utf-8")


def test_the_page_on_listening_lists_the_keys_of_today():
    listed = dict(re.findall(r"^\| `(.)` \| `(\w+)`", LISTENING, re.M))
    assert listed == KEYS


@pytest.mark.parametrize("name", OURS)
def test_what_the_page_on_listening_lists_is_answered(name):
    row = re.search(rf"^\| {game_class(name).title} \| (.*)", LISTENING, re.M)
    assert row is not None
    *_, state = moments(name)
    asked = asked_of(state, 0)
    for words in re.findall(r"`([^`]+)`", row[1]):
        assert heard(asked, words), words


@pytest.mark.parametrize("name", ["castle_keep", "castle_rampage", "castlescape"])
def test_worlds_that_look_the_same_answer_the_same(name):
    for state in moments(name, every=23):
        for seat in range(2):
            asked = asked_of(state, seat)
            world = asked.seen.guess(seat, Chance.seeded(7))
            other = asked_of(world, seat)
            for words in words_to_ask(asked):
                assert heard(asked, words) == heard(other, words), words


@pytest.mark.parametrize("name", OURS)
def test_rows_and_moves_fit_a_line_of_braille(name):
    for state in moments(name):
        if state.over:
            continue
        asked = asked_of(state, state.to_move)
        words = [one.word for one in asked.questions if one.word == "grid"]
        for word in (*words, "moves"):
            lines = heard(asked, word).splitlines()
            longest = max(map(str, state.moves()), key=len)  # a move is not broken
            assert all(len(line) <= max(BRAILLE, len(longest) + 12) for line in lines), lines
        for line in heard(asked, words[0]).splitlines() if words else ():
            assert len(line) <= BRAILLE


@pytest.mark.parametrize("name", OURS)
def test_no_question_is_a_move(name):
    """A word of a question never hides a move: that would be lost."""
    state = castlelab.load(name, **OPTIONS.get(name, {})).start(1)
    asked = asked_of(state, 0)
    for words in words_to_ask(asked):
        with pytest.raises(NotationError):
            state.game.move(words)
    for move in state.moves():
        assert understood(str(move), asked) == move


@pytest.mark.parametrize("name", OURS)
def test_the_moves_that_are_told_are_all_there_are(name):
    for state in moments(name):
        if not state.over:
            told = " ".join(answer("moves", asked_of(state, state.to_move)).split())
            for move in state.moves():
                rest = str(move).removeprefix(f"{move.kind} ")
                assert rest in told


@pytest.mark.parametrize("way", ["classic", "takeover", "king", "empire", "solitaire"])
def test_tiles_are_told_in_letters_or_in_words_and_never_in_both(way):
    """Letters where notation is asked for, words in all else."""
    letters = re.compile(r"\b([TW][RYB][CZS]|K[RYB])\b")
    words = re.compile(r"\b(tower|wall|keep)s?\b")
    for state in moments("castle_keep", way=way):
        asked = asked_of(state, state.to_move or 0)
        told = [state.describe(), *(target.name for target in asked.scene.targets)]
        for word in ("board", "hand", "opponent", "last", "now", "scores", "castle"):
            told.append(heard(asked, word))
        assert [line for line in told if letters.search(line)] == []
        for word in ("grid", "moves"):
            assert not words.search(heard(asked, word))


def test_who_is_not_to_move_has_no_moves_to_ask_for():
    state = castlelab.load("castle_keep").start(1)
    with pytest.raises(CastlelabError, match="when it is your turn"):
        answer("moves", asked_of(state, 1 - state.to_move))


def test_a_word_that_nobody_knows_leads_to_those_that_are_near():
    asked = asked_of(castlelab.load("castlescape", side=7).start(1), 0)
    with pytest.raises(NotationError, match=r"no move starts with 'boad'.*you may ask board"):
        understood("boad", asked)
    with pytest.raises(NotationError, match="help lists what may be asked"):
        understood("xyzzy", asked)
    with pytest.raises(CastlelabError, match="there is nothing called 'z9' here"):
        understood("at z9", asked)


def test_things_and_parts_of_the_table_answer_to_their_names():
    state = castlelab.load("castlescape", side=7).start(1)
    asked = asked_of(state, 0)
    assert understood("d4", asked) == understood("at d4", asked).rstrip(".")
    assert understood("Market", asked).startswith("Market: Rotating deck")
    assert isinstance(understood("wall d4", asked), Move)
    assert look_up("wall d4", asked) is None


def test_a_site_is_told_by_rows_leaks_and_rays():
    state = castlelab.load("castlescape", side=7).start(1)
    asked = asked_of(state, 0)
    assert answer("grid", asked).splitlines()[3] == " 4 ...#..."
    assert answer("row 4", asked) == "Row 4: d4 wall."
    assert answer("row d", asked) == answer("column d", asked) == "Column d: d4 wall."
    assert answer("walls", asked) == "Row 4: d4"
    assert answer("leak d4", asked) == "d4 is a wall."
    assert answer("leak c3", asked).startswith("c3 leaks: c3, ")
    rays = answer("rays c3", asked).splitlines()
    assert len(rays) == 8
    assert "south-east: wall d4" in rays
    assert "west: 2 open, the edge" in rays
    for bad in ("row z", "row 8", "leak", "leak h1", "rays q"):
        with pytest.raises(CastlelabError):
            answer(bad, asked)


def test_castles_lines_and_stacks_are_told():
    keep = asked_of(castlelab.load("castle_keep").start(1), 0)
    assert answer("castle 1", keep) == "Blue's castle: no tiles."
    assert answer("run 1.n", keep) == "The north is empty."
    assert not re.search(r"\b[TW][RYB][CZS]\b", answer("board", keep))  # words, no letters
    with pytest.raises(CastlelabError, match=r"such as 1\.n"):
        answer("run zz", keep)
    once = asked_of(castlelab.load("once_upon_a_castle").start(1), 0)
    assert answer("row 1", once).startswith("Row 1: a1 ")
    assert "misses" in answer("lines", once)
    rampage = castlelab.load("castle_rampage").start(1)
    gates = answer("gate", asked_of(rampage, 0)).splitlines()
    assert gates == ["Blue's Gate: 0 cards", "Orange's Gate: 0 cards"]


def test_a_board_without_a_game_tells_what_it_shows():
    level = Target("level 2", "Level 2: two castellers", 0, 0, 9, 9)
    asked = Asked(Scene(9, 9, targets=(level,), description="A tower."), "level 2")
    assert answer("board", asked) == "A tower.\nThe table: Level 2: two castellers."
    assert look_up("level 2", asked) == "Level 2: two castellers"
    assert answer("scores", asked) is None
    assert answer("here", asked) == "Level 2: two castellers."
    assert answer("why", asked) == "Nothing has been refused."
    assert set(BOARD_KEYS) <= set(KEYS)
    assert "board, key b: " in answer("help", asked)


def test_why_not_names_the_rule_by_its_title():
    state = castlelab.load("castle_keep").start(1)
    asked = asked_of(state, state.to_move, "2.n")
    wrong = answer("why build KB ne", asked)
    assert wrong.startswith("You may not: build KB ne.")
    assert "(" in wrong.splitlines()[0]
    legal = str(state.moves()[0])
    assert answer(f"why {legal}", asked) == "This may be played now."
    assert answer("here", asked).splitlines()[0].startswith("Orange's castle, north side")


def test_regions_festivals_and_towers_are_told():
    state = castlelab.load("castell", first="blue").start(3)
    asked = asked_of(state, 0)
    assert len(answer("regions", asked).splitlines()) == 7
    assert answer("region vall", asked).startswith("Valls: castellers ")
    with pytest.raises(CastlelabError, match="your pawn is not on the map"):
        answer("region", asked)
    with pytest.raises(CastlelabError, match="the regions are Barcelona"):
        answer("region zaragoza", asked)
    assert answer("level 2", asked) == "No festival is being held now."
    with pytest.raises(CastlelabError, match="counted from 1"):
        answer("level up", asked)
    chance, greedy = Chance.seeded(1), bot("greedy")
    while not state.entries:
        move, chance = greedy.choose(state, chance)
        state = state.play(move)
    _, tower = state.entries[0]
    asked = asked_of(state, 0)
    assert f"{tower.height} level" in answer("towers", asked)
    assert f"level 1: {tower.levels[0]}" in answer("level 1", asked)
    assert "none" in answer("level 99", asked)


def test_games_without_points_tell_how_seats_stand():
    for name, unit in (("castle_keep", "tiles"), ("castle_rampage", "cards")):
        state = castlelab.load(name).start(1)
        lines = answer("scores", asked_of(state, 0)).splitlines()
        assert len(lines) == 2
        assert all(unit in line and "points" not in line for line in lines)


def test_rays_tell_where_they_slip_between_walls():
    site = castlelab.games.castlescape.Board.parse("... / ..# / .#.")
    rays = next(one for one in site_questions(site) if one.word == "rays")
    assert "south-east: between c2 and b3, 1 open, the edge" in rays.answer("b2").splitlines()


def test_letters_are_explained():
    assert "TRC: a red curvy tower" in answer(
        "legend", asked_of(castlelab.load("castle_keep").start(1), 0)
    )
