"""Cards of rules and games: the words of rules.toml, escaped, and nobody else's."""

import re
from html import escape

import pytest

import castlelab
from castlelab.draw.layout import COVER
from castlelab.draw.scene import Text
from castlelab.rules import Rule, rulebook
from castlelab.widgets import show_games, show_rules
from castlelab.widgets.card import rule_card
from castlelab.widgets.card.lab_cover import lab_cover_scene
from castlelab.widgets.card.rule_card import find_rule, rule_html

EVIL = Rule(
    "toy/<i>", "<b>Bold</b>", 'Say "&" & <script>alert(1)</script>.', "Toys", ruling="<img src=x>"
)


@pytest.mark.parametrize("rule_id", [r for game in castlelab.GAMES for r in rulebook(game)])
def test_every_rule_can_be_shown_in_its_own_words(rule_id):
    rule = find_rule(rule_id)
    html = show_rules(rule_id).html
    assert escape(rule.title) in html
    assert escape(rule.text) in html
    assert escape(rule.ruling) in html
    assert f">{rule_id}<" in html


def test_several_rules_come_in_the_order_asked_for():
    html = show_rules("castell/width", "castell/base").html
    assert html.index("castell/width") < html.index("castell/base")
    assert "castell/mix" not in html


def test_nothing_of_a_rule_is_taken_for_html():
    html = rule_html(EVIL)
    for tag in ("<b>", "<script", "<img", "<i>"):
        assert tag not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_show_rules_escapes_too(monkeypatch):
    monkeypatch.setattr(rule_card, "find_rule", lambda _: EVIL)
    assert "<script" not in show_rules("toy/<i>").html


def test_a_rule_without_a_ruling_has_no_line_for_it():
    assert "castlelab-ruling" not in rule_html(Rule("toy/one", "One", "One.", "Toys"))
    assert "castlelab-ruling" in rule_html(EVIL)


@pytest.mark.parametrize("rule_id", ["castell/balence", "chess/castling", "", "nonsense"])
def test_an_unknown_rule_names_the_nearest_ones(rule_id):
    with pytest.raises(KeyError, match="has no rule"):
        show_rules(rule_id)


def test_a_near_miss_is_put_right():
    with pytest.raises(KeyError, match="did you mean castell/balance"):
        show_rules("castell/balence")


def test_every_game_has_a_card_with_a_picture_and_a_link():
    html = show_games().html
    for name in castlelab.GAMES:
        game = castlelab.game.game_class(name)
        assert f'href="{name}.ipynb"' in html
        assert escape(game.title) in html
        assert escape(game.about) in html
    assert html.count('src="data:image/svg+xml,') == len(castlelab.GAMES) + 1  # and the lab


def test_the_counting_lab_has_the_last_card():
    shown = show_games()
    assert re.findall(r'data-course="(\w+)"', shown.html) == [*castlelab.GAMES, "counting"]
    assert 'href="counting.ipynb"' in shown.html
    assert str(shown).splitlines()[-1].startswith("Counting lab: Eight figures")


def test_a_card_tells_nothing_of_progress_where_no_page_knows_it():
    html = show_games().html
    feet = html.count('<span class="castlelab-game-foot"></span>')
    assert feet == html.count("<a ") == len(castlelab.GAMES) + 1
    assert "solved" not in html


@pytest.mark.parametrize("name", [*castlelab.GAMES, "counting"])
def test_covers_are_of_one_size_and_have_no_letters(name):
    ours = name in castlelab.GAMES
    cover = castlelab.game.game_class(name).cover() if ours else lab_cover_scene()
    assert (cover.width, cover.height) == COVER
    assert cover.title
    assert cover.description
    assert not [shape for shape in cover.shapes if isinstance(shape, Text)]


def test_rules_are_folded_under_their_titles():
    html = show_rules("castell/balance", "castell/mix").html
    assert html.count("<details") == 2
    assert "<summary>Balance" in html
