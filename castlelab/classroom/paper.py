"""A worksheet and its key as pages for A4 paper: everything in one file, light and grey-proof."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

from castlelab.counting import TypeNumber
from castlelab.draw.scene import Path, Rect, Scene
from castlelab.draw.svg import render
from castlelab.draw.theme import LIGHT, Theme
from castlelab.game import game_class, part
from castlelab.puzzles import ChooseOne, Puzzle, is_own, kind_title
from castlelab.rules import rulebook
from castlelab.system.packages import need

#: The light theme on white paper: a tinted ground would cost ink and grey out the picture.
PRINT = Theme("print", LIGHT.colours, {"paper": "#ffffff"})

_COLUMN_ITSELF = 90.0  # millimetres
_TICK, _LETTER = 9.0, 1.8  # millimetres of a box to tick with its margins, and of a letter
_FOOT = 12.0  # pixels below the lowest thing in a picture
_FINEST = 0.33  # millimetres: the smallest square that a usual telephone reads
#: How wide and how high a picture may be in one of two columns, and across both, in millimetres.
_COLUMN, _PAGE = (88.0, 84.5), (118.0, 84.5)
#: Millimetres for each pixel of a picture: so large at most, and in a column at least; smaller,
#: and its words would print at less than 6 points.
_LARGEST, _SMALLEST = 0.215, 0.176


class PaperPicture(NamedTuple):
    """How a picture lies on paper: the picture, its width there, and whether beside another."""

    scene: Scene
    width: float  # millimetres
    in_column: bool


def laid_out(asked: Puzzle, answer: Any = None) -> PaperPicture:
    """The picture of a puzzle for paper: in a column of two if its words are large enough there.

    >>> from castlelab.puzzles import puzzle
    >>> laid_out(puzzle("castell/tallest-1-1")).in_column
    True
    """
    scene = asked.picture(answer).on_paper()
    if isinstance(asked.ask, TypeNumber) and answer is None:
        scene = scene.redrawn(_cut_below)
    shown = max((scene.fitted(True), scene.fitted(False)), key=lambda one: _scale(one, _COLUMN))
    if (scale := _scale(shown, _COLUMN)) >= _SMALLEST:
        return PaperPicture(shown, shown.width * scale, True)
    shown = max((scene.fitted(True), scene.fitted(False)), key=lambda one: _scale(one, _PAGE))
    # Better a high picture than one that nobody can read.
    scale = max(_scale(shown, _PAGE), min(_SMALLEST, _PAGE[0] / shown.width))
    return PaperPicture(shown, shown.width * scale, False)


def _key_picture(solved: Puzzle) -> PaperPicture:
    """With its solution, unless that is a number, which stands below."""
    return laid_out(solved, None if isinstance(solved.ask, TypeNumber) else solved.solution)


def _cut_below(scene: Scene) -> Scene:
    """Without the empty room at its foot."""
    lowest = max((shape.y for shape in scene.shapes if not isinstance(shape, Path)), default=0.0)
    boxes = (shape.y + shape.height for shape in scene.shapes if isinstance(shape, Rect))
    foot = max(
        lowest,
        *boxes,
        *(y for shape in scene.shapes if isinstance(shape, Path) for _, y in shape.points),
    )
    return replace(scene, height=min(scene.height, foot + _FOOT))


def _scale(scene: Scene, room: tuple[float, float]) -> float:
    return min(_LARGEST, room[0] / scene.width, room[1] / scene.height)


class Extras(NamedTuple):
    """What a sheet has on request: a box of rules, QR codes, its id."""

    rules: bool = False
    qr: bool = False
    id: str = ""
    whole: str = ""  # the link to the whole sheet


def sheet(
    title: str, puzzles: Sequence[Puzzle], links: Sequence[str] = (), extras: Extras | None = None
) -> str:
    """The page to hand out: pictures, room to answer, codes, and links where they are known."""
    return page(title, sheet_body(puzzles, links, extras or Extras()))


def sheet_body(puzzles: Sequence[Puzzle], links: Sequence[str], extras: Extras) -> str:
    """What stands on it below its title."""
    wheres = links or [""] * len(puzzles)
    asked = [
        (_asked(number, each, where, extras.qr), laid_out(each).in_column)
        for number, (each, where) in enumerate(zip(puzzles, wheres, strict=True), 1)
    ]
    name = f" This is sheet {escape(extras.id)}." if extras.id else ""
    whole = qr_code(extras.whole, 28) if extras.qr and extras.whole else ""
    opens = " The large square code opens them all." if whole else ""
    return (
        f'<div class="top">{whole}<p class="names"><span>Name</span><span>Date</span></p>'
        '<p class="how">Each puzzle has a code. On a castlelab page it opens the same puzzle, '
        f"to try and to check.{opens}{name}</p></div>"
        f"{_rule_box(puzzles) if extras.rules else ''}{_in_rows(asked)}"
    )


def several(title: str, parts: Sequence[tuple[str, str]]) -> str:
    """Sheets with titles of their own, each from a new page on, in one file."""
    (first, body), *others = parts
    rest = "".join(
        f'<div class="new-page"><h1>{escape(name)}</h1>{inside}</div>' for name, inside in others
    )
    return page(title, body + rest, heading=first)


def key(title: str, puzzles: Sequence[Puzzle]) -> str:
    """The page to keep: one solution each, why it is right, and the rules it practises."""
    return page(f"{title}: answers", key_body(puzzles))


def key_body(puzzles: Sequence[Puzzle]) -> str:
    """What stands on it below its title."""
    solved = [
        (_solved(number, each), _key_picture(each).in_column)
        for number, each in enumerate(puzzles, 1)
    ]
    note = '<p class="how">Other answers may be right, too: castlelab checks each by the rules.</p>'
    return note + _in_rows(solved)


def _in_rows(articles: Sequence[tuple[str, bool]]) -> str:
    """Two side by side where both are for a column, in their order."""
    rows: list[list[str]] = []
    has_room = False
    for article, in_column in articles:
        if has_room and in_column:
            rows[-1].append(article)
        else:
            rows.append([article])
        has_room = in_column and len(rows[-1]) == 1
    return "".join(
        f'<div class="row{"" if len(row) > 1 else " alone"}">{"".join(row)}</div>' for row in rows
    )


def _rule_box(puzzles: Sequence[Puzzle]) -> str:
    """The rules that are needed, game by game, each once."""
    needed = dict.fromkeys(rule for each in puzzles for rule in each.rules)
    games = dict.fromkeys(rule.partition("/")[0] for rule in needed)
    boxes = "".join(
        f"<h3>{escape(game_class(game).title)}</h3><ul>{_rules_of(game, needed)}</ul>"
        for game in games
    )
    return f'<aside class="rule-box"><h2>The rules that you need</h2>{boxes}</aside>'


def _rules_of(game: str, needed: Iterable[str]) -> str:
    found = (rulebook(game)[rule] for rule in needed if rule.startswith(f"{game}/"))
    return "".join(
        f"<li><strong>{escape(rule.title)}.</strong> {escape(rule.text)}</li>" for rule in found
    )


def qr_code(link: str, size: int) -> str:
    """A link as a square of so many millimetres for a telephone's camera; "" if it is too long."""
    need("a QR code", "segno", extra="paper")
    import segno

    try:
        made = segno.make_qr(link, error="l")
    except segno.DataOverflowError:
        return ""
    if made.symbol_size()[0] * _FINEST > size:
        return ""
    picture = made.svg_inline(light="#ffffff", omitsize=True, border=4)
    return f'<span class="qr" style="width:{size}mm">{picture}</span>'


def page(title: str, body: str, landscape: bool = False, heading: str = "") -> str:
    """A whole page; the body is HTML already. The heading is the title unless there is another."""
    turned = "@page { size: A4 landscape; } body { max-width: 297mm; }" if landscape else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_style()}{turned}{_footer(title)}"
        "</style></head>"
        f"<body><h1>{escape(heading or title)}</h1>{body}</body></html>\n"
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


def _asked(number: int, asked: Puzzle, where: str, has_qr: bool) -> str:
    code = qr_code(where, 17) if has_qr and where else ""
    picture = laid_out(asked)
    beside = ' class="beside"' if _fit_beside(asked, picture) else ""
    return (
        f"<article{beside}>{code}{_head(number, asked, where)}"
        f'<div class="body">{_picture(asked, picture)}'
        f'<div class="answer">{_room(asked)}</div></div></article>'
    )


def _fit_beside(asked: Puzzle, picture: PaperPicture) -> bool:
    """Whether the answers to tick have room beside a slim picture in its column."""
    if not isinstance(asked.ask, ChooseOne) or not picture.in_column:
        return False
    longest = max(len(word) for _, words in asked.ask.options for word in words.split())
    return picture.width + _TICK + longest * _LETTER <= _COLUMN_ITSELF


def _room(asked: Puzzle) -> str:
    """Boxes to tick, room to count, or lines to write on."""
    if isinstance(asked.ask, ChooseOne):
        boxes = "".join(f"<li>{escape(words)}</li>" for _, words in asked.ask.options)
        return f'<p class="small">Tick one.</p><ul class="boxes">{boxes}</ul>'
    if isinstance(asked.ask, TypeNumber):
        return (
            '<p class="small">Show how you count.</p><div class="working"></div>'
            '<p class="small own">Your answer <span class="line"></span></p>'
        )
    return '<p class="small">Draw it in the picture, or write it down.</p><div class="line"></div>'


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
        f'<div class="body">{_picture(solved, _key_picture(solved))}'
        f'<div class="answer"><p class="solution">{escape(solution_words(solved))}</p>{why}'
        f'<p class="small">It practises</p><ul class="rules">{rules}</ul></div></div></article>'
    )


def _picture(asked: Puzzle, layout: PaperPicture) -> str:
    # What a game says of its pieces, so that they are told apart without colours.
    legend = getattr(part(asked.kind.partition("/")[0], "picture"), "legend_scene", None)
    pieces = legend(layout.scene) if legend else None
    below = f'<div class="legend">{render(pieces, PRINT)}</div>' if pieces else ""
    shown = render(layout.scene, PRINT)
    return f'<div class="picture" style="width:{layout.width:.1f}mm">{shown}{below}</div>'


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
