"""Cards of words: rules in the words of ``rules.toml``, and the games to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files

import ipywidgets

from castlelab.draw.svg import render
from castlelab.game import GAMES, game_class, page_of
from castlelab.rules import Breach, Rule, rulebook, todays_id
from castlelab.widgets.controls import html


@cache
def style() -> str:
    """The style sheet of all cards, to stand in front of their HTML."""
    sheet = (files(__package__) / "cards.css").read_text(encoding="utf-8")
    return f"<style>{sheet}</style>"


def html_card(words: str) -> ipywidgets.HTML:
    """A card of HTML, whose parts are already escaped."""
    return html(style() + words)


def status_html(mood: str, *lines: str) -> str:
    """Lines that a screen reader speaks when they change; the mood is right, wrong or hint."""
    words = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return (
        f'<div class="castlelab-told castlelab-told-{mood}" role="status" aria-live="polite">'
        f"{words}</div>"
    )


def verdict_html(mood: str, head: str, message: str, breaches: Iterable[Breach] = ()) -> str:
    """What became of an answer: a word, a sentence, and for each breach its rule, folded."""
    told = "".join(
        f"<p>{escape(f'{breach.message} {breach.mend}'.strip())}</p>{folded_rule_html(breach.rule)}"
        for breach in breaches
    )
    lines = "".join(f"<p>{escape(line)}</p>" for line in message.splitlines())
    return (
        f'<div class="castlelab-told castlelab-told-{mood}" role="status" aria-live="polite">'
        f'<p class="castlelab-told-head">{escape(head)}</p>{lines}{told}</div>'
    )


def folded_rule_html(rule: Rule) -> str:
    """A rule by its title, which unfolds into its words."""
    title = escape(rule.title)
    return (
        f'<details class="castlelab-folded"><summary>{title}</summary>{rule_html(rule)}</details>'
    )


def find_rule(rule_id: str) -> Rule:
    """The rule of an id, whichever game it belongs to."""
    game = todays_id(rule_id).partition("/")[0]
    return rulebook(game if game in GAMES else next(iter(GAMES)))[rule_id]  # or the nearest ids


def rule_html(rule: Rule) -> str:
    """A rule as HTML: its title, its words, our ruling if there is one, its id."""
    ruling = ""
    if rule.ruling:
        ruling = (
            '<p class="castlelab-ruling"><strong>The rulebook leaves this open; we play:</strong> '
            f"{escape(rule.ruling)}</p>"
        )
    return (
        f'<div class="castlelab-rule"><p><strong>{escape(rule.title)}.</strong> '
        f'{escape(rule.text)}</p>{ruling}<p class="castlelab-rule-id">{escape(rule.id)}</p></div>'
    )


def show_rules(*rule_ids: str) -> ipywidgets.HTML:
    """One card with the named rules."""
    return html_card("".join(rule_html(find_rule(rule_id)) for rule_id in rule_ids))


def show_games() -> ipywidgets.HTML:
    """A picture, a sentence and a link for each game that there is."""
    return html_card(f'<div class="castlelab-games">{"".join(map(_game_html, GAMES))}</div>')


def _game_html(name: str) -> str:
    game = game_class(name)
    return (
        f'<a class="castlelab-game" href="{escape(page_of(name))}">{render(game.cover())}'
        f"<strong>{escape(game.title)}</strong>{escape(game.about)}</a>"
    )
