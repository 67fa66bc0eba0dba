"""The chapters of a page: read off a notebook's own headings, before any of its cells has run.

A heading ``## 1. Three rules make a tower`` begins a chapter. What stands before the first one
belongs to it, so that a page opens with its title and its first lesson. In a chapter a heading
``### Smaller on top`` begins a step, and a page shows one step at a time. A notebook without
numbered headings is a page without chapters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from castlelab.figures import handled_figure
from castlelab.game import GAMES, game_class, page_of
from castlelab.puzzles import lessons

_CHAPTER = re.compile(r"## +\d+\. +(.+)")
_STEP = re.compile(r"^### +(.+)", re.MULTILINE)
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
_FIGURE = re.compile(r'FigureCard\("([\w/-]+)"\)')
_ENDLESS = "PuzzleLadder("  # as long as one likes
_LESSONS = ("PuzzleCard(", ".puzzle(", "FigureCard(")
_TABLES = ("GameTable(", ".table(")
_IMPORTS = re.compile(r"(?:(?:import|from) .*\n?)*")


@dataclass(frozen=True, slots=True)
class PageStep:
    """What a page shows at a time, mostly a lesson: its place in the address, and its title."""

    id: str
    title: str
    first: int  # the number of the cell with which it begins
    lesson: int | None = None  # that of the lesson to which the words at its beginning lead
    table: bool = False  # whether a whole game is played there, which needs all the room


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of a page: its place in the address, its title, and how long it takes."""

    id: str
    title: str
    minutes: int  # 0: as long as one likes
    first: int  # the number of the cell with which it begins
    steps: tuple[PageStep, ...]


def chapters_of(cells: Sequence[Mapping[str, Any]]) -> tuple[Chapter, ...]:
    """The chapters of a page; a page without numbered headings has none.

    >>> heading = {"cell_type": "markdown", "source": "## 2. Skills bend the rules"}
    >>> chapter, = chapters_of([heading])
    >>> chapter.id, chapter.title, chapter.minutes, len(chapter.steps)
    ('skills-bend-the-rules', 'Skills bend the rules', 1, 1)
    """
    titles = {number: title for number, cell in enumerate(cells) if (title := _title_in(cell))}
    # What comes before the first heading belongs to its chapter.
    firsts = [0, *list(titles)[1:]]
    ends = [*firsts[1:], len(cells)]
    taken = {_id_of(title) for title in titles.values()}
    return tuple(
        Chapter(
            _id_of(title),
            title,
            _minutes(cells[first:end]),
            first,
            tuple(_steps(title, cells, range(first, end), taken)),
        )
        for title, first, end in zip(titles.values(), firsts, ends, strict=False)
    )


def _steps(
    chapter: str, cells: Sequence[Mapping[str, Any]], numbers: range, taken: set[str]
) -> Iterator[PageStep]:
    """The steps of a chapter. Words before its first heading belong to that; what can be done
    there already is a step of its own, under the title of the chapter.
    """
    titles = [(number, title) for number in numbers for title in _step_titles(cells[number])]
    before = range(numbers.start, titles[0][0] if titles else numbers.stop)
    if not titles or any(_minutes_of(cells[number]) for number in before):
        yield _step(_id_of(chapter), chapter, cells, before)
    else:
        titles[0] = numbers.start, titles[0][1]
    ends = [*(number for number, _ in titles[1:]), numbers.stop]
    for (number, title), end in zip(titles, ends, strict=False):
        # An address leads to one place: where two steps share a title, the chapter is named, too.
        name = _id_of(title) if _id_of(title) not in taken else _id_of(f"{chapter} {title}")
        taken.add(name)
        yield _step(name, title, cells, range(number, end))


def _step(name: str, title: str, cells: Sequence[Mapping[str, Any]], numbers: range) -> PageStep:
    table = any(call in cells[number]["source"] for number in numbers for call in _TABLES)
    return PageStep(name, title, numbers.start, _lesson_after_words(cells, numbers), table)


def _lesson_after_words(cells: Sequence[Mapping[str, Any]], numbers: range) -> int | None:
    """The first cell that shows anything, if it is a lesson: then the words can stand beside it."""
    for number in numbers:
        text = cells[number]["source"]
        if cells[number]["cell_type"] == "code" and not _IMPORTS.fullmatch(text):
            return number if any(call in text for call in _LESSONS) else None
    return None


def _step_titles(cell: Mapping[str, Any]) -> Iterator[str]:
    """The title of the step that a cell begins, if it begins one."""
    found = _STEP.search(cell["source"]) if cell["cell_type"] == "markdown" else None
    if found:
        yield _plain(found[1])


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
            spent += _minutes_of(cell)
    return max(1, round(spent))


def _minutes_of(cell: Mapping[str, Any]) -> float:
    """How long somebody is busy with what a cell shows; nobody is with plain words."""
    if cell["cell_type"] != "code":
        return 0.0
    if figures := _FIGURE.findall(cell["source"]):
        return float(sum(handled_figure(name).minutes for name in figures))
    return max((time for call, time in _BUSY.items() if call in cell["source"]), default=0.0)


@cache
def site() -> dict[str, Any]:
    """What every page shows of the whole: the games with their pages, and all there is to solve."""
    return {
        "games": [
            {"name": name, "title": game_class(name).title, "page": page_of(name)} for name in GAMES
        ],
        "lessons": [lesson for name in GAMES for lesson in lessons(name)],
        "style": "".join(
            map(_style_sheet, ("board/board.css", "card/cards.css", "card/rules.css"))
        ),
    }


def _style_sheet(path: str) -> str:
    """A style sheet of the widgets: what stands in for them is to look as they will."""
    return (files("castlelab.widgets") / path).read_text(encoding="utf-8")


def _lift_heading(cells: Sequence[Any], step: PageStep) -> None:
    """Let the heading of a step stand above all its words, some of which lead up to its chapter.

    The heading of the chapter goes before it: who listens goes from level to level.
    """
    for cell in cells[step.first :]:
        if cell.cell_type == "code" and _IMPORTS.fullmatch(cell.source):
            continue
        if cell.cell_type != "markdown":
            return
        if found := _STEP.search(cell.source):
            break
    else:
        return
    cell.source, heads = cell.source.replace(found[0], "", 1), [found[0]]
    if cell is not cells[step.first] and (chapter := _CHAPTER.match(cell.source)):
        cell.source, heads = cell.source.replace(chapter[0], "", 1), [chapter[0], "", found[0]]
    lines = cells[step.first].source.splitlines()
    above = next(
        (at for at, line in enumerate(lines) if line and not line.startswith("#")), len(lines)
    )
    cells[step.first].source = "\n".join([*lines[:above], *heads, "", *lines[above:]])


def tell_chapters(notebook: Any, resources: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Tell the template of a page its chapters, and every cell that begins a step which.

    A preprocessor, as exporters of notebooks call them.
    """
    found = chapters_of(notebook.cells)
    for number, chapter in enumerate(found):
        if chapter.title != chapter.steps[0].title:
            _lift_heading(notebook.cells, chapter.steps[0])
        for place, step in enumerate(chapter.steps):
            notebook.cells[step.first].metadata["castlelab_step"] = (number, place)
            if step.lesson is not None:
                notebook.cells[step.lesson].metadata["castlelab_lesson"] = True
    begins = [step.first for chapter in found for step in chapter.steps]
    for cell in notebook.cells[begins[1] :] if len(begins) > 1 else ():
        cell.metadata["castlelab_later"] = True  # it is not seen at first
    title = _first_heading(notebook.cells) or resources["metadata"]["name"]
    told = {"title": title, "chapters": [asdict(each) for each in found]}
    if resources["metadata"]["name"] == "welcome":
        from castlelab.server.courses import courses  # which reads chapters, too

        told["courses"] = courses()
    resources["castlelab"] = {**site(), **told}
    return notebook, resources
