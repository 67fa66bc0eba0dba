"""What a class has solved: as a table, as a heat map and in a few sentences."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import NamedTuple

from castlelab.classroom import heat, paper
from castlelab.classroom.guessing import (
    GuessTally,
    by_pupil,
    by_question,
    guesses_csv,
    guesses_html,
)
from castlelab.classroom.spreadsheet import no_formula
from castlelab.classroom.tally import Tally
from castlelab.draw.scene import Scene
from castlelab.draw.svg import render
from castlelab.game import GAMES, game_class
from castlelab.progress import Progress, Solve
from castlelab.puzzles import LEVELS, OWN, is_own, kinds
from castlelab.rules import CastlelabError, counted, listed, quoted
from castlelab.system.files import write_whole

LESSON_KIND = "lessons"  # what the authored puzzles of a game are called together

_GIVEN_UP = 1 / 3  # of the puzzles at one place: more, and the class is stuck there
_MOST_NAMES = 4  # that are told in a line
_WRONG = 3  # answers to a puzzle: as above


class PupilRow(NamedTuple):
    """What the table says of one pupil, one kind of puzzle and one level."""

    pupil: str
    kind: str
    level: int  # 0 for lessons
    solved: int
    hints: int
    wrong: int
    gave_up: int


KindLevel = tuple[str, int]  # a kind of puzzle and a level


@dataclass(frozen=True, slots=True)
class Pupil:
    """Somebody, and what they have solved."""

    name: str
    progress: Progress

    def tallies(self) -> dict[KindLevel, Tally]:
        """How the puzzles of each kind and level ended."""
        found: defaultdict[KindLevel, list[Tally]] = defaultdict(list)
        for solve in self.progress.solved.values():
            found[_place(solve)].append(Tally.of(solve))
        return {place: Tally.total(each) for place, each in found.items()}

    def total(self) -> Tally:
        """How all of them ended."""
        return Tally.total(map(Tally.of, self.progress.solved.values()))


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not read, and why."""

    file: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}"


@dataclass(frozen=True, repr=False)
class ClassRegister:
    """A class: its pupils with what they have solved, and the files that were skipped."""

    pupils: tuple[Pupil, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    title: str = "The class"

    def table(self) -> tuple[PupilRow, ...]:
        """A row for each pupil, kind and level of which something was tried."""
        return tuple(
            PupilRow(pupil.name, *place, *tally)
            for pupil in self.pupils
            for place, tally in sorted(pupil.tallies().items(), key=lambda each: _order(each[0]))
        )

    def places(self) -> dict[KindLevel, tuple[Tally, ...]]:
        """Each kind and level that was tried, with the tally of everybody who did."""
        return {place: tuple(each.values()) for place, each in self._by_pupil().items()}

    def stuck(self, most: int = 5) -> tuple[str, ...]:
        """Where the class is stuck, worst first: much given up, or many wrong answers.

        What one pupil alone has tried says nothing about a class of several.
        """
        return tuple(_stuck_words(place, tallies) for place, tallies in self._hard()[:most])

    def _hard(self) -> list[tuple[KindLevel, tuple[Tally, ...]]]:
        """The places where the class is stuck, worst first."""
        enough = min(2, len(self.pupils))
        hard = [
            (place, tallies)
            for place, tallies in self.places().items()
            if len(tallies) >= enough and _is_stuck(Tally.total(tallies))
        ]
        return sorted(hard, key=lambda each: _difficulty(Tally.total(each[1])), reverse=True)

    def given_up(self, most: int = 5) -> tuple[str, ...]:
        """Where most was given up, and by whom, whether or not a class is stuck there."""
        places = [(place, tallies) for place, tallies in self._by_pupil().items() if _lost(tallies)]
        places.sort(key=lambda each: _lost(each[1]), reverse=True)
        return tuple(_given_up_words(place, tallies) for place, tallies in places[:most])

    def _by_pupil(self) -> dict[KindLevel, dict[str, Tally]]:
        """Each kind and level that was tried, with the tally of everybody by name."""
        found: defaultdict[KindLevel, dict[str, Tally]] = defaultdict(dict)
        for pupil in self.pupils:
            for place, tally in pupil.tallies().items():
                found[place][pupil.name] = tally
        return {place: found[place] for place in sorted(found, key=_order)}

    def heat_map(self, game: str | None = None) -> Scene:
        """Who solved what: every kind of puzzle or, of one game, every kind and level."""
        if game is not None and game not in GAMES:
            raise CastlelabError(f"there is no game {quoted(game)}; there are {', '.join(GAMES)}")
        tried = self.places()
        columns = _by_kind(tried) if game is None else _by_level(tried, game)
        cells = {
            (row, column.id): Tally.total(found)
            for row, tallies in enumerate(pupil.tallies() for pupil in self.pupils)
            for column in columns
            if (found := _in_column(column, tallies))
        }
        names = [pupil.name for pupil in self.pupils]
        title = self.title if game is None else f"{self.title}: {game_class(game).title}"
        return heat.scene(title, names, columns, cells, " ".join(self.stuck(3)))

    def to_csv(self, path: str | Path) -> None:
        """Write the table to a ``.csv`` file for a spreadsheet."""
        # The mark at the start tells spreadsheets that names may have accents.
        write_whole(Path(path), self.csv(), "utf-8-sig")

    def csv(self) -> str:
        """The table as comma-separated values."""
        text = io.StringIO(newline="")
        sheet = csv.writer(text)
        sheet.writerow(("pupil", "game", "kind", "level", *Tally._fields))
        for row in self.table():
            game, _, kind = row.kind.partition("/")
            sheet.writerow((no_formula(row.pupil), game, kind, *row[2:]))
        return text.getvalue()

    def questions(self) -> tuple[GuessTally, ...]:
        """A tally for each question of the courses that somebody has tried, the hardest first."""
        return by_question(self._progress)

    def guesses_csv(self) -> str:
        """A row for each pupil and question, with all guesses, as comma-separated values."""
        return guesses_csv(self._progress)

    def guesses_html(self) -> str:
        """The questions one by one, and the pupils; "" if nobody has guessed."""
        return guesses_html(self._progress)

    @property
    def _progress(self) -> dict[str, Progress]:
        return {pupil.name: pupil.progress for pupil in self.pupils}

    def html(self) -> str:
        """Everything as a page that is good to print."""
        tried = {kind.partition("/")[0] for kind, level in self.places() if level}
        maps = "".join(
            f"<section><h2>{escape(game_class(game).title)}</h2>"
            f"{render(self.heat_map(game), paper.PRINT)}</section>"
            for game in GAMES
            if game in tried
        )
        body = f"{self._body()}{maps}<section>{self.guesses_html()}</section>"
        return paper.page(self.title, body, landscape=True)

    def save(self, path: str | Path) -> None:
        """Write the table (``.csv``), the heat map (``.svg``) or everything (``.html``)."""
        path = Path(path)
        match path.suffix.lower():
            case ".csv":
                self.to_csv(path)
            case ".svg":
                write_whole(path, render(self.heat_map(), paper.PRINT))
            case ".html" | ".htm":
                write_whole(path, self.html())
            case _:
                raise CastlelabError(f"{path.name}: a class is saved as .csv, .svg or .html")

    def __str__(self) -> str:
        lines = [f"{self.title}: {self.summary}"]
        if self.pupils:
            heads = ("pupil", "solved", "hints", "wrong", "gave up")
            rows = [heads, *((pupil.name, *map(str, pupil.total())) for pupil in self.pupils)]
            width = max(len(name) for name, *_ in rows)
            lines += [f"{a:<{width}} {b:>7} {c:>6} {d:>6} {e:>8}" for a, b, c, d, e in rows]
            lines += ["Where the class is stuck:", *(f"- {each}" for each in self.trouble())]
        if made := by_pupil(self._progress):
            lines += ["Questions of the courses:", *(f"- {each.name}: {each}" for each in made)]
        if self.skipped:
            lines += ["Skipped:", *(f"- {each}" for each in self.skipped)]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<h4>{escape(self.title)}</h4>{self._body()}"

    def _body(self) -> str:
        shown = f"<p>{escape(self.summary)}</p>{skipped_html(self.skipped)}"
        if self.pupils:
            shown += (
                f"{stuck_html(self)}<section>{render(self.heat_map(), paper.PRINT)}</section>"
                f"{totals_html(self)}"
            )
        return shown

    @property
    def summary(self) -> str:
        """How many there are, and what they have done."""
        if not self.pupils:
            return "no progress was read. Pupils export it on the welcome page, as a .json file."
        total = Tally.total(pupil.total() for pupil in self.pupils)
        words = f"{counted(len(self.pupils), 'pupil')}, {total}."
        guessed = GuessTally.of(
            "Questions", (each for one in self.pupils for each in one.progress.guesses.values())
        )
        return f"{words} {guessed.name}: {guessed}." if guessed.asked else words

    def trouble(self) -> tuple[str, ...]:
        """Where the class is stuck or, if it is nowhere, what there was of trouble all the same."""
        if stuck := self.stuck():
            left = len(self._hard()) - len(stuck)
            return (*stuck, f"And at {counted(left, 'more place')}.") if left else stuck
        total = Tally.total(pupil.total() for pupil in self.pupils)
        still_open = sum(len(pupil.progress.tried) for pupil in self.pupils)
        tried = counted(total.ended + still_open, "puzzle")
        if not total.ended + still_open:
            what = "No puzzle" if by_pupil(self._progress) else "Nothing"
            return (f"{what} has been tried yet.",)
        if not total.gave_up + still_open:
            wrong = f", after {counted(total.wrong, 'wrong answer')}" if total.wrong else ""
            return (f"Nowhere: {tried} tried, and all of them solved{wrong}.",)
        parts = [f"{total.gave_up} given up"] if total.gave_up else []
        parts += [f"{still_open} still open"] if still_open else []
        return f"Nowhere as a class, but of {tried} {listed(parts)}.", *self.given_up()


def stuck_html(register: ClassRegister) -> str:
    """Where the class is stuck, as a list."""
    points = "".join(f"<li>{escape(each)}</li>" for each in register.trouble())
    return f"<p><strong>Where the class is stuck</strong></p><ul>{points}</ul>"


def skipped_html(skipped: Iterable[Skipped]) -> str:
    """The files that were skipped, one by one, as a list."""
    points = "".join(
        f"<li><strong>{escape(each.file)}</strong>: {escape(each.reason)}</li>" for each in skipped
    )
    return f"<p><strong>Skipped</strong></p><ul>{points}</ul>" if points else ""


def totals_html(register: ClassRegister) -> str:
    """A row for each pupil."""
    heads = ("pupil", "solved", "hints", "wrong answers", "given up")
    rows = "".join(
        f'<tr><th scope="row">{escape(pupil.name)}</th>'
        f"{''.join(f'<td>{number}</td>' for number in pupil.total())}</tr>"
        for pupil in register.pupils
    )
    return (
        f"<table><thead><tr>{''.join(f'<th scope=col>{head}</th>' for head in heads)}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


# Counting


def _place(solve: Solve) -> KindLevel:
    code = solve.puzzle
    if code.level:
        return code.kind, code.level
    return f"{code.game}/{OWN if is_own(code.kind) else LESSON_KIND}", 0


def _columns(game: str) -> tuple[str, ...]:
    """What there may be of a game: lessons, every kind, and puzzles of one's own."""
    return f"{game}/{LESSON_KIND}", *kinds(game), f"{game}/{OWN}"


def _order(place: KindLevel) -> tuple[int, int, int]:
    """As the games and kinds are listed everywhere; lessons come first."""
    kind, level = place
    game = kind.partition("/")[0]
    return list(GAMES).index(game), _columns(game).index(kind), level


def _is_stuck(tally: Tally) -> bool:
    return tally.gave_up >= _GIVEN_UP * tally.ended or tally.wrong >= _WRONG * tally.ended


def _difficulty(tally: Tally) -> tuple[float, float]:
    return tally.gave_up / tally.ended, tally.wrong / tally.ended


def _stuck_words(place: KindLevel, tallies: tuple[Tally, ...]) -> str:
    where, total = _place_words(place), Tally.total(tallies)
    solvers = sum(tally.solved > 0 for tally in tallies)
    return (
        f"{where}: {total.gave_up} of {total.ended} puzzles were given up, "
        f"{total.wrong / total.ended:.1f} wrong answers to a puzzle; "
        f"{solvers} of {len(tallies)} who tried have solved one."
    )


def _lost(tallies: Mapping[str, Tally]) -> int:
    return sum(tally.gave_up for tally in tallies.values())


def _given_up_words(place: KindLevel, tallies: Mapping[str, Tally]) -> str:
    names = [name for name, tally in tallies.items() if tally.gave_up]
    shown = names if len(names) <= _MOST_NAMES else [*names[:_MOST_NAMES], "others"]
    ended = sum(tally.ended for tally in tallies.values())
    return f"{_place_words(place)}: {_lost(tallies)} of {ended} given up, by {listed(shown)}."


def _place_words(place: KindLevel) -> str:
    kind, level = place
    return f"{paper.kind_words(kind)}, level {level}" if level else paper.kind_words(kind)


# The columns of the heat map


def _by_kind(tried: Iterable[KindLevel]) -> tuple[heat.Column, ...]:
    """All kinds of the games that were tried, under the names of these games."""
    games = {kind.partition("/")[0] for kind, _ in tried}
    authored = {kind for kind, level in tried if not level}
    return tuple(
        heat.Column(kind, game_class(game).title, kind.partition("/")[2].replace("-", " "))
        for game in GAMES
        if game in games
        for kind in _columns(game)
        if kind in kinds(game) or kind in authored
    )


def _by_level(tried: Iterable[KindLevel], game: str) -> tuple[heat.Column, ...]:
    """All levels of the kinds of a game that were tried, under the names of these kinds."""
    found = {kind for kind, level in tried if level}
    return tuple(
        heat.Column(f"{kind} {level}", kind.partition("/")[2].replace("-", " "), str(level))
        for kind in kinds(game)
        if kind in found
        for level in LEVELS
    )


def _in_column(column: heat.Column, tallies: Mapping[KindLevel, Tally]) -> list[Tally]:
    return [
        tally for (kind, level), tally in tallies.items() if column.id in (kind, f"{kind} {level}")
    ]
