"""Cards of words: rules in the words of ``rules.toml``, and the games to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

import ipywidgets

from castlelab.draw.scene import Scene
from castlelab.draw.svg import still
from castlelab.game import GAMES, game_class, page_of
from castlelab.rules import Breach, Rule, rulebook, todays_id
from castlelab.widgets.card.lab_cover import lab_cover_scene
from castlelab.widgets.controls import html
from castlelab.widgets.shown import image_html

_OPEN = "The rulebook leaves this open; we play:"


@cache
def _sheet(*names: str) -> str:
    """Style sheets of this room, to stand in front of HTML."""
    sheets = [(files(__package__) / name).read_text(encoding="utf-8") for name in names]
    return f"<style>{''.join(sheets)}</style>"


def style() -> str:
    """The style sheet of all cards, to stand in front of their HTML."""
    return _sheet("cards.css", "rules.css")


def html_card(words: str) -> ipywidgets.HTML:
    """A card of HTML, whose parts are already escaped."""
    return html(style() + words)


def card_html(
    prompt: str, board: str = "", choices: Iterable[str] = (), tools: Iterable[str] = ()
) -> str:
    """A card as it looks before it is alive: the same parts, in the same places.

    Without a board it is a question.
    """
    kind = "castlelab-lesson" if board else "castlelab-lesson castlelab-question"
    head = f'<p class="castlelab-prompt">{escape(prompt)}</p>'
    if board:
        head += '<p class="castlelab-ended"></p>'
        board = f'<div class="castlelab-bench">{board}</div>'
    return (
        f'<div class="castlelab-puzzle {kind}"><div>{head}</div>{board}'
        f'<div class="castlelab-choices">{_ghosts(choices)}</div><div class="castlelab-room"></div>'
        + (f'<div class="castlelab-tools">{_ghosts(tools)}</div></div>' if board else "</div>")
    )


def _ghosts(words: Iterable[str]) -> str:
    """What will be buttons."""
    return " ".join(
        f'<span class="castlelab-standin-button">{escape(each)}</span>' for each in words
    )


def status_html(mood: str, *lines: str) -> str:
    """Lines that are spoken when they appear; the mood is right, wrong or hint. See ``news.js``."""
    words = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<div class="castlelab-told castlelab-told-{mood}">{words}</div>'


def verdict_html(mood: str, head: str, message: str, breaches: Iterable[Breach] = ()) -> str:
    """What became of an answer: a word, a sentence, and for each breach its rule, folded."""
    told = "".join(
        f"<p>{escape(f'{breach.message} {breach.mend}'.strip())}</p>{folded_rule_html(breach.rule)}"
        for breach in breaches
    )
    lines = "".join(f"<p>{escape(line)}</p>" for line in message.splitlines())
    return (
        f'<div class="castlelab-told castlelab-told-{mood}">'
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
        ruling = f'<p class="castlelab-ruling"><strong>{_OPEN}</strong> {escape(rule.ruling)}</p>'
    return (
        f'<div class="castlelab-rule"><p><strong>{escape(rule.title)}.</strong> '
        f'{escape(rule.text)}</p>{ruling}<p class="castlelab-rule-id">{escape(rule.id)}</p></div>'
    )


@dataclass(frozen=True, slots=True)
class WordCard:
    """Words to read: in HTML, with the style that they need, and plain. No widget, no kernel."""

    html: str
    words: str

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, str], dict[str, str]]:
        # "still" says that a page may write them down as they are: they need no script.
        return {"text/html": self.html, "text/plain": self.words}, {"castlelab": "still"}

    def __str__(self) -> str:
        return self.words


def show_rules(*rule_ids: str) -> WordCard:
    """The named rules by their titles, each of which unfolds into its words."""
    rules = [find_rule(rule_id) for rule_id in rule_ids]
    html_words = "".join(map(folded_rule_html, rules))
    return WordCard(_sheet("rules.css") + html_words, "\n\n".join(map(_rule_words, rules)))


def _rule_words(rule: Rule) -> str:
    ruling = f" {_OPEN} {rule.ruling}" if rule.ruling else ""
    return f"{rule.title}. {rule.text}{ruling} [{rule.id}]"


@dataclass(frozen=True, slots=True)
class _Course:
    """Something to learn, as its card tells of it."""

    name: str
    title: str
    about: str
    page: str
    cover: Scene

    @staticmethod
    def of(name: str) -> _Course:
        game = game_class(name)
        return _Course(name, game.title, game.about, page_of(name), game.cover())


def show_games() -> WordCard:
    """A picture, a sentence and a link for each game that there is, and for the counting lab."""
    about = "Eight figures to handle: guess, count, and say why."
    lab = _Course("counting", "Counting lab", about, "counting.ipynb", lab_cover_scene())
    courses = [*map(_Course.of, GAMES), lab]
    html_words = f'<div class="castlelab-games">{"".join(map(_course_html, courses))}</div>'
    told = "\n".join(f"{course.title}: {course.about}" for course in courses)
    return WordCard(_sheet("games.css") + html_words, told)


def _course_html(course: _Course) -> str:
    # Where a link says nothing of it, Jupyter opens another tab. What is solved stands in the
    # foot, on a page that knows it.
    return (
        f'<a class="castlelab-game" data-course="{escape(course.name)}"'
        f' href="{escape(course.page)}" target="_self">'
        f'<span class="castlelab-cover">{_cover_html(course.cover)}</span>'
        f'<span class="castlelab-game-words"><strong>{escape(course.title)}</strong>'
        f'<span class="castlelab-about">{escape(course.about)}</span>'
        '<span class="castlelab-game-foot"></span></span></a>'
    )


def _cover_html(cover: Scene) -> str:
    return image_html(still(cover), cover.description)
