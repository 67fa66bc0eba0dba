"""A worksheet and its key as pages for A4 paper: everything in one file, light and grey-proof."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files

from castlelab.counting import TypeNumber
from castlelab.draw.scene import Scene
from castlelab.draw.svg import render
from castlelab.draw.theme import LIGHT, Theme
from castlelab.game import game_class, part
from castlelab.puzzles import ChooseOne, Puzzle, is_own, kind_title
from castlelab.rules import rulebook

#: The light theme on white paper: a tinted ground would cost ink and grey out the picture.
PRINT = Theme("print", LIGHT.colours, {"paper": "#ffffff"})

_LINES = 4  # to write an answer on
_SCALE = 0.8  # of a picture: its smallest words still print at more than 6 points


def sheet(title: str, puzzles: Sequence[Puzzle], links: Sequence[str] = ()) -> str:
    """The page to hand out: pictures, room to answer, codes, and links where they are known."""
    wheres = links or [""] * len(puzzles)
    asked = "".join(
        _asked(number, each, where)
        for number, (each, where) in enumerate(zip(puzzles, wheres, strict=True), 1)
    )
    names = (
        '<p class="names"><span>Name</span><span>Date</span></p>'
        '<p class="how">Each puzzle has a code. On a castlelab page it opens the same puzzle, '
        "to try and to check.</p>"
    )
    return page(title, names + asked)


def key(title: str, puzzles: Sequence[Puzzle]) -> str:
    """The page to keep: one solution each, why it is right, and the rules it practises."""
    solved = "".join(_solved(number, each) for number, each in enumerate(puzzles, 1))
    note = '<p class="how">Other answers may be right, too: castlelab checks each by the rules.</p>'
    return page(f"{title}: answers", note + solved)


def page(title: str, body: str, landscape: bool = False) -> str:
    """A whole page; the body is HTML already."""
    turned = "@page { size: A4 landscape; } body { max-width: 297mm; }" if landscape else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_style()}{turned}{_footer(title)}"
        "</style></head>"
        f"<body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def kind_words(kind: str) -> str:
    """What a kind of puzzle is called.

    >>> kind_words("castle_keep/which-fits")
    'Castle Keep: which fits'
    """
    game = kind.partition("/")[0]
    return f"{game_class(game).title}: {kind_title(kind).lower()}"


def solution_words(solved: Puzzle) -> str:
    """One solution, as a person would say it."""
    if isinstance(solved.ask, ChooseOne):
        return dict(solved.ask.options)[solved.solution]
    return str(solved.solution)


def _asked(number: int, asked: Puzzle, where: str) -> str:
    return (
        f"<article>{_head(number, asked, where)}"
        f'<div class="body">{_picture(asked, asked.picture())}'
        f'<div class="answer">{_room(asked)}</div></div></article>'
    )


def _room(asked: Puzzle) -> str:
    """Boxes to tick, room to count, or lines to write on."""
    if isinstance(asked.ask, ChooseOne):
        boxes = "".join(f"<li>{escape(words)}</li>" for _, words in asked.ask.options)
        return f'<p class="small">Tick one.</p><ul class="boxes">{boxes}</ul>'
    if isinstance(asked.ask, TypeNumber):
        return (
            '<p class="small">Show how you count.</p><div class="working"></div>'
            '<p class="small">Your answer</p><div class="line"></div>'
        )
    lines = '<div class="line"></div>' * _LINES
    return f'<p class="small">Draw it in the picture, or write it down.</p>{lines}'


def _solved(number: int, solved: Puzzle) -> str:
    game = solved.kind.partition("/")[0]
    rules = "".join(
        f"<li>{escape(rulebook(game)[rule].title)} <small>{escape(rule)}</small></li>"
        for rule in solved.rules
    )
    why = "".join(
        f"<p>{escape(line)}</p>" for line in str(solved.check(solved.solution)).splitlines()
    )
    return (
        f"<article>{_head(number, solved)}"
        f'<div class="body">{_picture(solved, solved.picture(solved.solution))}'
        f'<div class="answer"><p class="solution">{escape(solution_words(solved))}</p>{why}'
        f'<p class="small">It practises</p><ul class="rules">{rules}</ul></div></div></article>'
    )


def _picture(asked: Puzzle, scene: Scene) -> str:
    width = f"{scene.width * _SCALE:.0f}px"
    # What a game says of its pieces, so that they are told apart without colours.
    legend = getattr(part(asked.kind.partition("/")[0], "picture"), "legend_scene", None)
    pieces = legend(scene) if legend else None
    below = f'<div class="legend">{render(pieces, PRINT)}</div>' if pieces else ""
    return f'<div class="picture" style="flex-basis:{width}">{render(scene, PRINT)}{below}</div>'


def _head(number: int, asked: Puzzle, where: str = "") -> str:
    kind = kind_words(asked.kind) + (f", level {asked.level}" if asked.level else "")
    return (
        f'<p class="kind"><span>{escape(kind)}</span>'
        f'<span class="code">{linked(asked, where)}</span></p>'
        f'<h2><span class="number">{number}</span> {escape(asked.prompt)}</h2>'
    )


def linked(asked: Puzzle, where: str = "") -> str:
    """What a puzzle is opened by, as HTML; the code of one's own is too long to be typed."""
    code = "" if is_own(f"{asked.kind}-") else escape(asked.id)
    if not where:
        return code
    return f'<a href="{escape(where)}" target="_blank" rel="noopener">{code or "open it"}</a>'


@cache
def _style() -> str:
    return (files(__package__) / "paper.css").read_text(encoding="utf-8")


def _footer(title: str) -> str:
    """The title and the number at the foot of each printed page."""
    return (
        f"@page {{ @bottom-left {{ content: {_css_text(title)}; }} "
        '@bottom-right { content: counter(page) " / " counter(pages); } }'
    )


def _css_text(text: str) -> str:
    r"""Words as a string of a style sheet; nothing in it can end the string or the sheet.

    >>> print(_css_text('A "b" </style>'))
    "A\20 \22 b\22 \20 \3c \2f style\3e "
    """
    return '"' + re.sub(r"[^0-9A-Za-z]", lambda found: f"\\{ord(found[0]):x} ", text) + '"'
