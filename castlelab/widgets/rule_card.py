"""Rules on the page, in the words of ``rules.toml`` and nobody else's."""

from __future__ import annotations

from html import escape

import ipywidgets

from castlelab.rules import Rule, rulebook

_GAME_OF_PREFIX = {
    "castell": "castell",
    "keep": "castle_keep",
    "rampage": "castle_rampage",
    "scape": "castlescape",
    "once": "once_upon_a_castle",
}


def find_rule(rule_id: str) -> Rule:
    """The rule of an id, whichever game it belongs to."""
    prefix = rule_id.partition("/")[0]
    return rulebook(_GAME_OF_PREFIX.get(prefix, prefix))[rule_id]


def rule_html(rule: Rule) -> str:
    """A rule as HTML: its title, its words, our ruling if there is one, its id."""
    ruling = ""
    if rule.ruling:
        ruling = (
            f'<p class="castlelab-ruling"><strong>House ruling.</strong> {escape(rule.ruling)}</p>'
        )
    return (
        f'<div class="castlelab-rule"><p><strong>{escape(rule.title)}.</strong> '
        f'{escape(rule.text)}</p>{ruling}<p class="castlelab-rule-id">{escape(rule.id)}</p></div>'
    )


def show_rules(*rule_ids: str) -> ipywidgets.HTML:
    """One card with the named rules."""
    card = ipywidgets.HTML("".join(rule_html(find_rule(rule_id)) for rule_id in rule_ids))
    card.add_class("castlelab-rules")
    return card
