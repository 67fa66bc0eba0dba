"""What a class has guessed at the questions of the walk-throughs and of the counting lab."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from castlelab.classroom.spreadsheet import no_formula
from castlelab.progress import Guesses, Progress
from castlelab.rules import counted

_MOST_WRONG = 3  # wrong guesses that are told of a question


class GuessTally(NamedTuple):
    """How some questions ended, under the name of a pupil, or one question for all pupils."""

    name: str
    solved: int
    gave_up: int
    still_open: int
    tries: int
    hints: int
    wrong: tuple[tuple[str, int], ...] = ()  # by how many, most frequent first

    @staticmethod
    def of(name: str, made: Iterable[Guesses]) -> GuessTally:
        """Guesses added up; a wrong one counts once for each pupil.

        >>> at = "2026-05-17T09:30:00Z"
        >>> GuessTally.of("How many?", [Guesses("How many?", at, ("55", "47"), solved=True)])
        GuessTally(name='How many?', solved=1, gave_up=0, still_open=0, tries=2, hints=0, \
wrong=(('55', 1),))
        """
        each = tuple(made)
        wrong = Counter(guess for one in each for guess in dict.fromkeys(_wrong(one)))
        return GuessTally(
            name,
            sum(one.solved for one in each),
            sum(one.gave_up for one in each),
            sum(not one.ended for one in each),
            sum(len(one.given) for one in each),
            sum(one.hints for one in each),
            tuple(wrong.most_common()),
        )

    @property
    def asked(self) -> int:
        """How often a question was tried."""
        return self.solved + self.gave_up + self.still_open

    def __str__(self) -> str:
        parts = [f"{self.solved} solved"]
        parts += [f"{self.gave_up} given up"] if self.gave_up else []
        parts += [f"{self.still_open} still open"] if self.still_open else []
        return ", ".join(parts)


def _wrong(made: Guesses) -> tuple[str, ...]:
    """All guesses but the one that was right, which is the last."""
    return made.given[:-1] if made.solved else made.given


def by_question(class_: Mapping[str, Progress]) -> tuple[GuessTally, ...]:
    """A tally for each question that somebody has tried, the hardest first."""
    found: defaultdict[str, list[Guesses]] = defaultdict(list)
    for progress in class_.values():
        for question, made in progress.guesses.items():
            found[question].append(made)
    tallies = (GuessTally.of(question, made) for question, made in found.items())
    return tuple(sorted(tallies, key=_ease))


def _ease(tally: GuessTally) -> tuple[float, float, str]:
    return tally.solved / tally.asked, -tally.tries / tally.asked, tally.name


def by_pupil(class_: Mapping[str, Progress]) -> tuple[GuessTally, ...]:
    """A tally for each pupil who has tried a question."""
    return tuple(
        GuessTally.of(name, progress.guesses.values())
        for name, progress in class_.items()
        if progress.guesses
    )


def guesses_csv(class_: Mapping[str, Progress]) -> str:
    """A row for each pupil and question, with all guesses in order, for a spreadsheet."""
    text = io.StringIO(newline="")
    sheet = csv.writer(text)
    sheet.writerow(("pupil", "question", "state", "tries", "hints", "last", "guesses"))
    for name, progress in class_.items():
        for question, made in sorted(progress.guesses.items()):
            state = "solved" if made.solved else "given up" if made.gave_up else "open"
            given = no_formula("; ".join(made.given))
            row = (state, len(made.given), made.hints, made.when, given)
            sheet.writerow((no_formula(name), no_formula(question), *row))
    return text.getvalue()


def guesses_html(class_: Mapping[str, Progress]) -> str:
    """Two tables: question by question, and pupil by pupil; "" if nobody has guessed."""
    if not (pupils := by_pupil(class_)):
        return ""
    questions = by_question(class_)
    heads = ("solved", "given up", "open", "tries", "hints")
    rows = ((each.name, *each[1:6], _often(each)) for each in questions)
    return (
        f"<p><strong>{counted(len(questions), 'question')} of walk-throughs and of the lab, the "
        f"hardest first</strong></p>{_table(('question', *heads, 'often wrong'), rows)}"
        f"{_table(('pupil', *heads), (each[:6] for each in pupils))}"
    )


def _often(tally: GuessTally) -> str:
    """The most frequent wrong guesses, with the number of pupils where it was not one."""
    told = tally.wrong[:_MOST_WRONG]
    return ", ".join(f"{guess} ({times}×)" if times > 1 else guess for guess, times in told)


def _table(heads: Iterable[str], rows: Iterable[tuple[object, ...]]) -> str:
    shown = "".join(
        f'<tr><th scope="row">{escape(str(name))}</th>'
        f"{''.join(f'<td>{escape(str(cell))}</td>' for cell in cells)}</tr>"
        for name, *cells in rows
    )
    titles = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{shown}</tbody></table>"
