"""The chapters of a page: read off a notebook's own headings, before any of its cells has run.

A heading ``## 1. Three rules make a tower`` begins a chapter. What stands before the first one
belongs to it, so that a page opens with its title and its first lesson. A notebook without
numbered headings is a page without chapters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from castlelab.game import GAMES, game_class, page_of
from castlelab.puzzles import lessons

_CHAPTER = re.compile(r"## +\d+\. +(.+)")
_TITLE = re.compile(r"^# +(.+)", re.MULTILINE)
_WORDS_A_MINUTE = 150
#: How long somebody is busy with what a cell shows, in minutes.
_BUSY = {
    "PuzzleCard(": 1.0,
    ".puzzle(": 1.0,
    "Editor(": 1.0,
    ".edit(": 1.0,
    "AttackStage(": 1.0,
    "RollAndDraw(": 1.5,
    "GuessCard(": 0.75,
    "ChoiceCard(": 0.5,
    "live_plot(": 1.0,
    "live_picture(": 1.0,
    "GameTable(": 6.0,
}
_ENDLESS = "PuzzleLadder("  # as long as one likes


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of a page: its place in the address, its title, and how long it takes."""

    id: str
    title: str
    minutes: int  # 0: as long as one likes
    first: int  # the number of the cell with which it begins


def chapters_of(cells: Sequence[Mapping[str, Any]]) -> tuple[Chapter, ...]:
    """The chapters of a page; a page without numbered headings has none.

    >>> heading = {"cell_type": "markdown", "source": "## 2. Skills bend the rules"}
    >>> chapters_of([heading])
    (Chapter(id='skills-bend-the-rules', title='Skills bend the rules', minutes=1, first=0),)
    """
    titles = {number: title for number, cell in enumerate(cells) if (title := _title_in(cell))}
    # What comes before the first heading belongs to its chapter.
    firsts = [0, *list(titles)[1:]]
    ends = [*firsts[1:], len(cells)]
    return tuple(
        Chapter(_id_of(title), title, _minutes(cells[first:end]), first)
        for title, first, end in zip(titles.values(), firsts, ends, strict=False)
    )


def _title_in(cell: Mapping[str, Any]) -> str:
    """The title of the chapter that a cell begins; "" if it begins none."""
    if cell["cell_type"] != "markdown":
        return ""
    found = _CHAPTER.match(cell["source"])
    return _plain(found[1]) if found else ""


def _first_heading(cells: Iterable[Mapping[str, Any]]) -> str:
    """The title of a page, "" for one without any."""
    words = (cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    return next((_plain(title) for text in words for title in _TITLE.findall(text)), "")


def _plain(heading: str) -> str:
    return heading.replace("*", "").replace("`", "").strip()


def _id_of(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.lower()))


def _minutes(cells: Iterable[Mapping[str, Any]]) -> int:
    spent = 0.0
    for cell in cells:
        text = cell["source"]
        if cell["cell_type"] == "markdown":
            spent += len(text.split()) / _WORDS_A_MINUTE
        elif _ENDLESS in text:
            return 0
        else:
            spent += max((time for call, time in _BUSY.items() if call in text), default=0.0)
    return max(1, round(spent))


@cache
def site() -> dict[str, Any]:
    """What every page shows of the whole: the games with their pages, and all there is to solve."""
    return {
        "games": [
            {"name": name, "title": game_class(name).title, "page": page_of(name)} for name in GAMES
        ],
        "lessons": [lesson for name in GAMES for lesson in lessons(name)],
    }


def tell_chapters(notebook: Any, resources: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Tell the template of a page its chapters, and every cell that begins one which.

    A preprocessor, as exporters of notebooks call them.
    """
    found = chapters_of(notebook.cells)
    for number, chapter in enumerate(found):
        notebook.cells[chapter.first].metadata["castlelab_chapter"] = number
    title = _first_heading(notebook.cells) or resources["metadata"]["name"]
    told = {"title": title, "chapters": [asdict(each) for each in found]}
    if resources["metadata"]["name"] == "welcome":
        from castlelab.server.courses import courses  # which reads chapters, too

        told["courses"] = courses()
    resources["castlelab"] = {**site(), **told}
    return notebook, resources
