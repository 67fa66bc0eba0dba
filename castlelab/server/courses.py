"""What the welcome page knows of the pages to learn from: how long they are, and their lessons.

All of it is read off the notebooks, none of which has to run for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any

from castlelab.game import GAMES, game_class, notebook, page_of, part
from castlelab.puzzles import lessons
from castlelab.server.chapters import Chapter, chapters_of
from castlelab.server.pages import notebooks_folder

LAB = "counting"
_HEADING = re.compile(r"#{1,3} +(?:\d+\. +)?(.+)")
_NAMED = re.compile(r'lesson\("([\w-]+)"\)')
_BROKEN = re.compile(r'"\s*\n\s*"')  # a text that goes on in the next line
_QUESTIONS = ("GuessCard(", "ChoiceCard(", "FigureCard(")

Cells = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class LessonPlace:
    """Where a lesson stands: what it is remembered by, its heading, its chapter, its address."""

    lesson: str
    title: str
    chapter: int
    address: str  # what follows the # of the page


@dataclass(frozen=True, slots=True)
class Course:
    """A page to learn from."""

    name: str
    title: str
    page: str
    minutes: int  # without what takes as long as one likes
    questions: int  # that are asked and not remembered
    lessons: tuple[str, ...]
    places: tuple[LessonPlace, ...]  # of the lessons, in the order of the page
    chapters: tuple[Chapter, ...]


@cache
def courses() -> tuple[dict[str, Any], ...]:
    """Every page to learn from as plain data: those of the games, then the counting lab."""
    found = [course_of(name, game_class(name).title) for name in GAMES]
    return tuple(asdict(course) for course in (*found, course_of(LAB, "Counting lab")))


def course_of(name: str, title: str) -> Course:
    """The course of a game or of the lab; a game without a walk-through has no minutes."""
    cells = _cells_of(name)
    chapters = chapters_of(cells)
    own = lessons(name)
    page = page_of(name) if name in GAMES else f"{name}.ipynb"
    return Course(
        name,
        title,
        page,
        minutes=sum(chapter.minutes for chapter in chapters),
        questions=sum(any(call in cell["source"] for call in _QUESTIONS) for cell in cells),
        lessons=own,
        places=tuple(_places(name, cells, chapters)) if own else (),
        chapters=chapters,
    )


def _cells_of(name: str) -> Cells:
    """The cells of a page, their texts in one piece; () where there is no page."""
    ours = notebooks_folder() / f"{name}.ipynb"
    found = ours if ours.is_file() else notebook(name) if name in GAMES else None
    if found is None:
        return ()
    cells = json.loads(found.read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in cells]


def _places(game: str, cells: Cells, chapters: Sequence[Chapter]) -> Iterator[LessonPlace]:
    """The lessons of a page: called by their names, or written out in their own words."""
    module = part(game, "lessons")
    left: dict[str, Any] = dict(module.LESSONS) if module else {}
    firsts = {chapter.first: number for number, chapter in enumerate(chapters)}
    title, chapter, address = "", 0, ""
    for number, cell in enumerate(cells):
        if number in firsts:
            chapter = firsts[number]
            title, address = chapters[chapter].title, chapters[chapter].id
        if cell["cell_type"] == "markdown":
            heading = _HEADING.match(cell["source"])
            if heading and cell["source"].startswith("### "):
                title = heading[1].replace("*", "").strip()
                address = title.replace(" ", "-")  # as headings are named on pages
            continue
        for name in _lessons_in(_BROKEN.sub("", cell["source"]), left):
            del left[name]
            yield LessonPlace(f"{game}/lesson-{name}", title, chapter, address)


def _lessons_in(text: str, among: Mapping[str, Any]) -> tuple[str, ...]:
    """The lessons of a cell. Where several ask in the same words, the likest is meant."""
    if named := tuple(name for name in _NAMED.findall(text) if name in among):
        return named
    alike = {name: _words_in(text, lesson) for name, lesson in among.items()}
    meant = [name for name, lesson in among.items() if lesson.prompt and lesson.prompt in text]
    return (max(meant, key=lambda name: alike[name]),) if meant else ()


def _words_in(text: str, lesson: Any) -> int:
    """How much of a lesson is written in a text, in letters."""
    values = [getattr(lesson, each.name) for each in fields(lesson)]
    texts = [value for value in values if isinstance(value, str)]
    return sum(len(value) for value in texts if f'"{value}"' in text)
