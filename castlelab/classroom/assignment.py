"""A sheet set as homework: read from its link, and reported pupil by task, with points."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from math import isfinite
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import parse_qs, urlsplit

from castlelab.classroom import paper
from castlelab.classroom.register import ClassRegister, Pupil
from castlelab.classroom.sheet import LONGEST_TITLE, MOST_PUZZLES, TITLE, Worksheet, worksheet
from castlelab.classroom.spreadsheet import no_formula
from castlelab.progress import Progress
from castlelab.puzzles import Puzzle
from castlelab.rules import CastlelabError, counted, listed, quoted
from castlelab.system.files import write_whole

LARGEST_POINTS = 1_000
LARGEST_ROSTER = 1_000_000  # characters

State = Literal["solved", "given up", "open", "not tried"]
_SIGNS: dict[State, str] = {"solved": "✓", "given up": "✗", "open": "…", "not tried": "·"}

#: The columns by which gradebooks know people, in small letters.
_PEOPLE = (
    *("username", "email address", "email", "id number", "id", "student", "name", "full name"),
    *("first name", "last name", "surname", "sis user id", "sis login id", "login id", "section"),
)
_FULL_NAMES = (("first name", "last name"), ("first name", "surname"))


def read_assignment(link: str) -> Worksheet:
    """The sheet that a link, or what stands behind its question mark, leads to.

    >>> read_assignment("?sheet=castell/tallest-1-596,castell/tallest-2-309&title=Monday").title
    'Monday'
    """
    if not isinstance(link, str):
        raise CastlelabError(f"an assignment is known by its link, not {quoted(link)}")
    try:
        query = urlsplit(link.strip()).query or link.strip().lstrip("?")
        found = parse_qs(query, max_num_fields=20)
    except ValueError:
        found = {}
    if "sheet" not in found:
        raise CastlelabError(
            f"{quoted(link)} leads to no sheet; the link to one has ?sheet= and codes in it"
        )
    codes = [code for code in found["sheet"][0].split(",") if code.strip()]
    if not 0 < len(codes) <= MOST_PUZZLES or len(set(codes)) < len(codes):
        raise CastlelabError(f"a sheet has 1 to {MOST_PUZZLES} codes, each of them once")
    title = " ".join(found.get("title", [TITLE])[0].split())[:LONGEST_TITLE]
    made = worksheet([code.strip() for code in codes], title=title or TITLE)
    if len(made.puzzles) != len(codes):
        raise CastlelabError("a link to a sheet has the codes of puzzles in it, and no kinds")
    return made


class TaskResult(NamedTuple):
    """What became of one task of one pupil."""

    state: State
    tries: int = 0
    hints: int = 0
    minutes: float = 0  # 0 where nobody measured
    points: float = 0

    def __str__(self) -> str:
        if self.state == "not tried":
            return self.state
        parts = [self.state, counted(self.tries, "try", "tries")]
        parts += [counted(self.hints, "hint")] if self.hints else []
        parts += [f"{self.minutes:g} min"] if self.minutes else []
        return ", ".join(parts)


@dataclass(frozen=True, repr=False)
class SheetReport:
    """A class and a sheet: a row for each pupil, a column for each task."""

    sheet: Worksheet
    register: ClassRegister
    points: tuple[float, ...]  # that each task is worth
    hint_cost: float = 0  # points that each hint takes away

    @cached_property
    def results(self) -> dict[str, tuple[TaskResult, ...]]:
        """What became of each task, by pupil."""
        return {pupil.name: tuple(self._results(pupil)) for pupil in self.register.pupils}

    def _results(self, pupil: Pupil) -> Iterator[TaskResult]:
        for task, worth in zip(self.sheet.puzzles, self.points, strict=True):
            yield _result(pupil.progress, task, worth, self.hint_cost)

    @property
    def most(self) -> float:
        """All points that can be had."""
        return sum(self.points)

    def total(self, pupil: str) -> float:
        """The points of one pupil."""
        return sum(result.points for result in self.results[pupil])

    @property
    def name(self) -> str:
        """The sheet as a gradebook calls it."""
        return f"{self.sheet.title} ({self.sheet.id})"

    def csv(self) -> str:
        """A row for each pupil; for each task its points, what became of it, and what it took."""
        text = io.StringIO(newline="")
        rows = csv.writer(text)
        tasks = [f"{number} {task.id}" for number, task in enumerate(self.sheet.puzzles, 1)]
        parts = ("points", "state", "tries", "hints", "minutes")
        heads = [f"{task}: {part}" for task in tasks for part in parts]
        rows.writerow(("pupil", "points", "of", *map(no_formula, heads)))
        for pupil, results in self.results.items():
            cells = [
                cell
                for each in results
                for cell in (_number(each.points), *each[:3], _number(each.minutes))
            ]
            total = _number(self.total(pupil))
            rows.writerow((no_formula(pupil), total, _number(self.most), *cells))
        return text.getvalue()

    def grade_csv(self, roster: str = "") -> str:
        """A file of points in the form that gradebooks such as Moodle's import.

        Without a list of the class the nicknames are told as user names, or as addresses if all
        of them are. With one, such as the gradebook exports, each pupil is found in it by any of
        these or by first and last name, and the rows are those of the list.
        """
        text = io.StringIO(newline="")
        rows = csv.writer(text)
        if roster.strip():
            for row in self._graded(roster):
                rows.writerow(row)
            return text.getvalue()
        is_mail = bool(self.results) and all("@" in name for name in self.results)
        head = "Email address" if is_mail else "Username"
        rows.writerow((head, no_formula(self.name), no_formula(f"{self.name} feedback")))
        for pupil in self.results:
            rows.writerow((no_formula(pupil), *self._grade(pupil)))
        return text.getvalue()

    def unmatched(self, roster: str) -> tuple[str, ...]:
        """The pupils whom a list of the class does not have, or has more than once."""
        heads, people = _read_roster(roster)
        found = [self._pupil_of(heads, person) for person in people]
        return tuple(pupil for pupil in self.results if found.count(pupil) != 1)

    def _graded(self, roster: str) -> Iterator[tuple[str, ...]]:
        heads, people = _read_roster(roster)
        kept = [at for at, head in enumerate(heads) if head.lower() in _PEOPLE]
        yield (
            *(heads[at] for at in kept),
            no_formula(self.name),
            no_formula(f"{self.name} feedback"),
        )
        left = set(self.unmatched(roster))
        for person in people:
            pupil = self._pupil_of(heads, person)
            grade = ("", "") if pupil is None or pupil in left else self._grade(pupil)
            yield *(person[at] for at in kept), *grade

    def _pupil_of(self, heads: Sequence[str], person: Sequence[str]) -> str | None:
        """The pupil who calls themselves like this person of a list, if there is just one."""
        by_head = {head.lower(): value.strip() for head, value in zip(heads, person, strict=True)}
        names = {by_head[head].casefold() for head in _PEOPLE if head in by_head}
        for first, last in _FULL_NAMES:
            if first in by_head and last in by_head:
                names.add(f"{by_head[first]} {by_head[last]}".casefold())
        meant = [pupil for pupil in self.results if pupil.casefold() in names - {""}]
        return meant[0] if len(meant) == 1 else None

    def _grade(self, pupil: str) -> tuple[str, str]:
        results = self.results[pupil]
        solved = sum(each.state == "solved" for each in results)
        return _number(self.total(pupil)), f"{solved} of {len(results)} tasks solved"

    def html(self) -> str:
        """Everything as a page that is good to print."""
        return paper.page(self.name, self.body(), landscape=True)

    def body(self) -> str:
        """The report as HTML, without a page round it."""
        legend = "✓ solved, ✗ given up, … tried and still open, · not tried."
        return (
            f"<p>{escape(self.summary)} {legend}</p>"
            f"<table><thead>{self._heads()}</thead><tbody>{''.join(self._rows())}</tbody></table>"
            f"<ol>{''.join(self._tasks())}</ol>"
        )

    @property
    def summary(self) -> str:
        """Who has done what, in a sentence or two."""
        pupils, cells = len(self.results), [each for row in self.results.values() for each in row]
        solved = sum(each.state == "solved" for each in cells)
        words = f"{counted(pupils, 'pupil')}, {solved} of {len(cells)} tasks solved."
        idle = [
            pupil
            for pupil, row in self.results.items()
            if all(each.state == "not tried" for each in row)
        ]
        return f"{words} Nothing tried: {listed(idle)}." if idle else words

    def _heads(self) -> str:
        worth = [
            f'<th scope="col">{number}<br><small>{_number(points)}</small></th>'
            for number, points in enumerate(self.points, 1)
        ]
        most = f'<th scope="col">points<br><small>{_number(self.most)}</small></th>'
        return f'<tr><th scope="col">pupil</th>{"".join(worth)}{most}</tr>'

    def _rows(self) -> Iterator[str]:
        for pupil, results in self.results.items():
            cells = "".join(
                f"<td>{_SIGNS[each.state]} {_number(each.points)}"
                f"<br><small>{escape(_in_small(each))}</small></td>"
                for each in results
            )
            total = f"<td><strong>{_number(self.total(pupil))}</strong></td>"
            yield f'<tr><th scope="row">{escape(pupil)}</th>{cells}{total}</tr>'
        if self.results:
            columns = zip(*self.results.values(), strict=True)
            solved = [sum(each.state == "solved" for each in column) for column in columns]
            cells = "".join(f"<td>{number}</td>" for number in solved)
            yield f'<tr><th scope="row">have solved it</th>{cells}<td></td></tr>'

    def _tasks(self) -> Iterator[str]:
        for task, link in zip(self.sheet.puzzles, self.sheet.links(), strict=True):
            yield f"<li>{escape(task.prompt)} {paper.linked(task, link)}</li>"

    def save(self, path: str | Path) -> None:
        """Write the report (``.html``) or its table (``.csv``)."""
        path = Path(path)
        match path.suffix.lower():
            case ".csv":
                # The mark at the start tells spreadsheets that names may have accents.
                write_whole(path, self.csv(), "utf-8-sig")
            case ".html" | ".htm":
                write_whole(path, self.html())
            case _:
                raise CastlelabError(f"{path.name}: a report is saved as .html or .csv")

    def save_grades(self, path: str | Path, roster: str | Path | None = None) -> tuple[str, ...]:
        """Write the file for a gradebook; returns the pupils who are not on the list."""
        listing = read_roster_file(roster) if roster is not None else ""
        write_whole(Path(path), self.grade_csv(listing))
        return self.unmatched(listing) if listing else ()

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.summary}"]
        width = max(map(len, self.results), default=0)
        for pupil, results in self.results.items():
            signs = "".join(_SIGNS[each.state] for each in results)
            total = f"{_number(self.total(pupil))} of {_number(self.most)}"
            lines.append(f"{pupil:<{width}}  {signs}  {total}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<h4>{escape(self.name)}</h4>{self.body()}"


def sheet_report(
    sheet: Worksheet | str,
    register: ClassRegister,
    points: float | Sequence[float] = 1,
    hint_cost: float = 0,
) -> SheetReport:
    """What a class has done of a sheet, or of the sheet behind a link.

    ``points`` is what each task is worth, one number for all or one for each; ``hint_cost`` is
    what each hint takes away from it. Only what is solved brings points.
    """
    asked = sheet if isinstance(sheet, Worksheet) else read_assignment(sheet)
    number = len(asked.puzzles)
    worth = tuple(points) if isinstance(points, Sequence) else (points,) * number
    if len(worth) != number or not all(map(_is_points, worth)):
        raise CastlelabError(
            f"points are one number from 0 to {LARGEST_POINTS}, or one for each of the "
            f"{counted(number, 'task')}, not {quoted(points)}"
        )
    if not _is_points(hint_cost):
        raise CastlelabError(
            f"a hint costs from 0 to {LARGEST_POINTS} points, not {quoted(hint_cost)}"
        )
    return SheetReport(asked, register, worth, hint_cost)


def _is_points(thing: object) -> bool:
    is_number = isinstance(thing, int | float) and not isinstance(thing, bool)
    return is_number and isfinite(thing) and 0 <= thing <= LARGEST_POINTS  # type: ignore[arg-type, operator]


def _result(progress: Progress, task: Puzzle, worth: float, hint_cost: float) -> TaskResult:
    if (solve := progress.solved.get(task.id)) is not None:
        state: State = "given up" if solve.gave_up else "solved"
        tries = solve.wrong + (not solve.gave_up)
        earned = 0 if solve.gave_up else max(0, worth - solve.hints * hint_cost)
        return TaskResult(state, tries, solve.hints, _minutes(solve.seconds), earned)
    if (attempt := progress.tried.get(task.id)) is not None:
        return TaskResult("open", attempt.wrong, attempt.hints, _minutes(attempt.seconds))
    return TaskResult("not tried")


def _minutes(seconds: int) -> float:
    """Minutes to a tenth; less is told as a tenth, since 0 means that nobody measured."""
    return max(0.1, round(seconds / 60, 1)) if seconds else 0


def _number(points: float) -> str:
    return f"{round(points, 4):g}"


def _in_small(result: TaskResult) -> str:
    """Tries, hints and minutes, short enough for a column."""
    if result.state == "not tried":
        return ""
    parts = [f"{result.tries}×"]
    parts += [f"{result.hints} h"] if result.hints else []
    parts += [f"{result.minutes:g} min"] if result.minutes else []
    return ", ".join(parts)


# The list of a class


def read_roster_file(path: str | Path) -> str:
    """A list of a class as a gradebook exports it."""
    path = Path(path)
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CastlelabError(f"{path.name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CastlelabError(f"{path.name} is not text in UTF-8") from None


def _read_roster(text: str) -> tuple[list[str], list[list[str]]]:
    """The columns of a list, and its people; commas, semicolons or tabs divide them."""
    text = text.removeprefix("\ufeff")
    if len(text) > LARGEST_ROSTER:
        raise CastlelabError(f"a list of a class has at most {LARGEST_ROSTER} characters")
    first = text.partition("\n")[0]
    divider = max(",;\t", key=first.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=divider) if any(row)]
    except csv.Error as error:
        raise CastlelabError(f"this is no list of a class: {error}") from None
    heads = [head.strip() for head in rows[0]] if rows else []
    if not {head.lower() for head in heads} & set(_PEOPLE):
        raise CastlelabError(
            "a list of a class begins with the names of its columns, one of them such as "
            "Username, Email address or First name"
        )
    width = len(heads)
    return heads, [(row + [""] * width)[:width] for row in rows[1:]]


def results_by_code(progress: Progress, sheet: Worksheet) -> Mapping[str, TaskResult]:
    """What became of each task of a sheet, for the pupil who ticks through it."""
    return {task.id: _result(progress, task, 1, 0) for task in sheet.puzzles}
