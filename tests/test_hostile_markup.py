"""Markup from outside stays words: nothing of it becomes an element of the page."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hostile_page import assert_told_as_words, assert_words_only, elements, html_in
from hostile_text import MARKUP, SNIPPETS

import castlelab
from castlelab.draw.scene import Scene, Target, Text
from castlelab.draw.svg import render
from castlelab.games.castell import Tower
from castlelab.puzzles import Judgement, kinds
from castlelab.rules import Rule
from castlelab.study.results import Played, Study
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.card.guess_card import ChoiceCard, GuessCard
from castlelab.widgets.card.puzzle_card import PuzzleCard
from castlelab.widgets.card.rule_card import rule_html, status_html
from castlelab.widgets.lab.figures import LiveFigure, live_picture, live_plot
from castlelab.widgets.table.game_room import GameRoom
from castlelab.widgets.table.game_table import GameTable

PACKAGE = Path(castlelab.__file__).parent
PICTURE = Scene(
    100,
    100,
    shapes=(Text(1, 1, MARKUP),),
    targets=(Target(MARKUP, MARKUP, 0, 0, 9, 9),),
    title=MARKUP,
    description=MARKUP,
)


def test_the_test_would_see_it() -> None:
    with pytest.raises(AssertionError):
        assert_words_only(MARKUP)
    with pytest.raises(AssertionError):
        assert_words_only(f"<p>{MARKUP}</p>")


def puzzle_of_markup() -> Any:
    puzzle = castlelab.puzzle("castell/tallest-1-1")
    return replace(
        puzzle,
        prompt=MARKUP,
        hints=(MARKUP, MARKUP),
        judge=lambda _: Judgement(False, f"{MARKUP}\n{MARKUP}"),
    )


def test_a_puzzle_card_escapes_its_prompt_hints_judgements_and_errors() -> None:
    card = PuzzleCard(puzzle_of_markup())
    assert_told_as_words(card)
    for act in (card.hint, card.hint, card.check, card.give_up):
        act()
        assert_told_as_words(card)
    card.fail(MARKUP)
    assert_told_as_words(card)


@pytest.mark.parametrize("kind", kinds())
def test_answers_of_markup_are_refused_in_words(kind: str) -> None:
    card = PuzzleCard(f"{kind}-1-1")
    card.answer(MARKUP)
    assert_words_only(html_in(card))
    assert "onerror" in elements(html_in(card)).words or "Not yet" in html_in(card)
    if card.editor is not None:
        card.editor.board.write(MARKUP)
        assert not card.editor.board.ok
        assert_words_only(html_in(card))


def test_questions_escape_all_that_they_are_given() -> None:
    card = GuessCard(MARKUP, 7, MARKUP, MARKUP, {3: MARKUP}, then=MARKUP)
    for act in (lambda: card.guess(3), lambda: card.guess(9), card.hint, card.give_up):
        act()
        assert_told_as_words(card)
    choice = ChoiceCard(MARKUP, {MARKUP: MARKUP, "other": MARKUP}, "other", then=MARKUP)
    choice.choose(MARKUP)
    assert_told_as_words(choice)
    choice.choose("other")
    assert_told_as_words(choice)


@pytest.mark.parametrize("name", castlelab.GAMES)
def test_a_game_table_repeats_typed_markup_as_words(name: str) -> None:
    table = GameTable(name)
    table.board.write(MARKUP)
    assert not table.board.ok
    assert "<img" in table.board.said  # handed over as text, and set as text
    assert_words_only(html_in(table))


@pytest.mark.parametrize(
    "address",
    [
        f"?record={quote(MARKUP)}",
        f"?record={castlelab.Record.start(castlelab.load('castell')).share()}&seats={quote(MARKUP)}",
        *(f"?record={quote(snippet, errors='replace')}" for snippet in SNIPPETS[1:8]),
    ],
)
@pytest.mark.parametrize("place", ["query", "kept"])
def test_a_shared_game_that_is_none_is_refused_in_words(address: str, place: str) -> None:
    room = GameRoom()
    came = {"do": "ready", "kept": "", "query": "", "trouble": "", place: address}
    room.storage._hear(None, came, [])
    assert "cannot be" in elements(html_in(room)).words
    assert_words_only(html_in(room))
    assert not room.storage.trouble


def test_a_board_hands_its_words_over_as_text() -> None:
    board = BoardWidget(PICTURE, on_pick=print, on_text=print, label=MARKUP, text_label=MARKUP)
    board.say(MARKUP)
    board.pick(MARKUP)
    assert html_in(board) == ""


@pytest.mark.parametrize("script", sorted(PACKAGE.rglob("*.js")), ids=lambda path: path.name)
def test_scripts_set_words_as_text(script: Path) -> None:
    """Whatever a script could make elements of text with is not used at all."""
    source = script.read_text(encoding="utf-8")
    ways = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment"
    assert not re.findall(rf"{ways}|DOMParser|srcdoc|\beval\(|new Function", source)


def test_live_drawings_escape_their_words_and_errors() -> None:
    @live_picture(n=(1, 3))
    def words(n: int = 1) -> tuple[Tower, str]:
        return Tower("9*3 8"), MARKUP

    @live_plot(n=(1, 3))
    def plot(axes: Any, n: int = 1) -> str:
        axes.set_title(MARKUP)
        return MARKUP

    @live_picture(n=(1, 3))
    def broken(n: int = 1) -> tuple[Tower, str]:
        raise castlelab.CastlelabError(MARKUP)

    for drawing in (words, plot, broken):
        assert isinstance(drawing, LiveFigure)
        drawing.draw()
        assert_told_as_words(drawing)


def test_rules_and_answers_are_escaped() -> None:
    rule = Rule(MARKUP, MARKUP, MARKUP, MARKUP, ruling=MARKUP)
    for html in (rule_html(rule), status_html("wrong", MARKUP)):
        assert_words_only(html)
        assert MARKUP in elements(html).words


def test_a_picture_is_well_formed_whatever_is_written_in_it() -> None:
    svg = render(PICTURE, lit=(MARKUP,), focus=MARKUP, offered=(MARKUP,))
    assert_words_only(svg)
    assert MARKUP in "".join(ET.fromstring(svg).itertext())


def test_a_study_is_escaped() -> None:
    moves = Counter({MARKUP: 1})
    study = Study(MARKUP, (MARKUP, MARKUP), MARKUP, (Played(0, (1, 0), (0,), moves),), {}, "")
    html = study._repr_html_()
    assert_words_only(html)
    assert MARKUP in elements(html).words


def test_a_record_of_markup_is_refused_in_words() -> None:
    table = json.loads(GameTable("castell").record.dumps())
    with pytest.raises(castlelab.CastlelabError, match="there is no game"):
        castlelab.Record.loads(json.dumps({**table, "game": MARKUP}))
