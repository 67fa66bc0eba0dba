"""A puzzle as a question of a notebook: its answer stands in the cell, and a run scores it.

Whoever runs the notebook again, such as a teacher with nbclient, has every answer checked anew;
what came of it lies in the outputs, where :func:`points_of` finds it.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from castlelab.puzzles import Judgement, Puzzle, puzzle, unmended
from castlelab.rules import CastlelabError, Verdict, counted, quoted
from castlelab.system.packages import MissingPackage, widget

#: The kind of output that holds what became of a question.
SCORED = "application/vnd.castlelab.question+json"
MOST_POINTS = 1_000
LONGEST_ANSWER = 4_000  # characters

Points = int | float


class QuestionPoints(NamedTuple):
    """What became of one question of a notebook."""

    code: str
    answer: str
    score: Points
    points: Points  # that could be had
    words: str


@dataclass(frozen=True, repr=False)
class PuzzleQuestion:
    """A puzzle with the answer that stands in its cell, and the points that it is worth."""

    puzzle: Puzzle
    answer: str = ""
    points: Points = 1

    @property
    def judgement(self) -> Judgement | None:
        """What the engine says of the answer; ``None`` while there is none."""
        if not self.answer:
            return None
        if len(self.answer) > LONGEST_ANSWER:
            words = f"This answer cannot be read: it has more than {LONGEST_ANSWER} characters."
            return Judgement(False, words)
        try:
            judgement = self.puzzle.check(self.answer)
        except CastlelabError as error:
            return Judgement(False, f"This answer cannot be read: {error}.")
        if judgement:
            return judgement
        # What would mend it is the answer to the question.
        return Judgement(False, judgement.message, unmended(Verdict(judgement.breaches)).breaches)

    @property
    def score(self) -> Points:
        """All points for a right answer, and none for any other."""
        return self.points if self.judgement else 0

    @property
    def words(self) -> str:
        """What became of it, in a line or a few."""
        judgement = self.judgement
        head = f"{self.score:g} of {counted_points(self.points)}"
        if judgement is None:
            return f"{head}. No answer yet."
        return f"{head}. Your answer: {self.answer}\n{judgement}"

    def answered(self, answer: object) -> PuzzleQuestion:
        """The same question with another answer."""
        return PuzzleQuestion(self.puzzle, _written(answer), self.points)

    @property
    def bundle(self) -> dict[str, Any]:
        """What a run leaves in the notebook: for readers, and for :func:`points_of`."""
        left = QuestionPoints(self.puzzle.id, self.answer, self.score, self.points, self.words)
        return {SCORED: left._asdict(), "text/plain": str(self)}

    def __str__(self) -> str:
        return f"{self.puzzle.id}: {self.words}"

    __repr__ = __str__

    def _ipython_display_(self) -> None:
        try:
            card = widget("QuestionCard", self)
        except MissingPackage as missing:
            raise NotImplementedError from missing  # IPython then asks for the bundle
        card._ipython_display_()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return self.bundle


def question(code: str | Puzzle, answer: object = "", *, points: Points = 1) -> PuzzleQuestion:
    """A puzzle to be answered in this very cell.

    The pupil solves it on the board, and the answer is written into the cell; or it is typed
    there by hand. So it is saved with the notebook, and each run checks it again.

    >>> question("castell/count-towers-1-7", answer="20", points=2).score
    2
    >>> print(question("castell/count-towers-1-7"))
    castell/count-towers-1-7: 0 of 1 point. No answer yet.

    An answer that cannot be read is worth nothing, and says what is wrong with it; the notebook
    runs on. A wrong code is an error of whoever wrote the question.
    """
    asked = code if isinstance(code, Puzzle) else puzzle(code)
    is_number = isinstance(points, int | float) and not isinstance(points, bool)
    if not is_number or not isfinite(points) or not 0 < points <= MOST_POINTS:
        raise CastlelabError(
            f"the points of a question are a number above 0, at most {MOST_POINTS}, "
            f"not {quoted(points)}"
        )
    return PuzzleQuestion(asked, _written(answer), points)


def _written(answer: object) -> str:
    """An answer as it is written: text, or a number, or what prints as its notation."""
    if answer is None:
        return ""
    if isinstance(answer, str | int | float | Fraction) and not isinstance(answer, bool):
        return " ".join(str(answer).split())
    return " ".join(str(answer).split()) or quoted(answer)


def counted_points(number: Points) -> str:
    """Points with their word.

    >>> counted_points(1), counted_points(2.5)
    ('1 point', '2.5 points')
    """
    return counted(number, "point") if isinstance(number, int) else f"{number:g} points"


# The answer in the cell


def with_answer(source: str, code: str, answer: str) -> str:
    """The source of a cell, the answer written into its question; "" if there is none.

    >>> with_answer('question("castell/tallest-3-42", points=2)', "castell/tallest-3-42", "9 8")
    'question("castell/tallest-3-42", answer="9 8", points=2)'
    """
    try:
        tree = ast.parse(source)
    except (ValueError, SyntaxError, RecursionError):  # such as a magic
        return ""
    call = next((call for call in _questions(tree) if _asks(call, code)), None)
    if call is None:
        return ""
    written = json.dumps(answer, ensure_ascii=False)
    given = next((word.value for word in call.keywords if word.arg == "answer"), None)
    given = given or (call.args[1] if len(call.args) > 1 else None)
    if given is not None:
        return _replaced(source, _span(source, given), written)
    end = _span(source, _code_of(call))[1]
    return _replaced(source, (end, end), f", answer={written}")


def _questions(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else None
            if (name or getattr(node.func, "id", "")) == "question":
                yield node


def _code_of(call: ast.Call) -> ast.expr:
    named = (word.value for word in call.keywords if word.arg == "code")
    return call.args[0] if call.args else next(named, call)


def _asks(call: ast.Call, code: str) -> bool:
    found = _code_of(call)
    return isinstance(found, ast.Constant) and found.value == code


def _span(source: str, node: ast.expr) -> tuple[int, int]:
    """Where a part stands, in characters; Python counts lines, and bytes in them."""
    lines = source.splitlines(keepends=True)

    def place(line: int, column: int) -> int:
        inside = lines[line - 1].encode()[:column].decode()
        return sum(map(len, lines[: line - 1])) + len(inside)

    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)


def _replaced(source: str, span: tuple[int, int], words: str) -> str:
    return source[: span[0]] + words + source[span[1] :]


# The points in the outputs


def points_of(notebook: str | Path | Mapping[str, Any]) -> tuple[QuestionPoints, ...]:
    """The points of each question as the last run left them, in the order of the cells.

    Outputs are as true as whoever made them: run a notebook that was handed in before you read it.
    What is no question of ours is passed over.
    """
    found = notebook if isinstance(notebook, Mapping) else _read_notebook(Path(notebook))
    cells = found.get("cells")
    return tuple(
        points
        for cell in (cells if isinstance(cells, list) else ())
        for output in _listed(cell, "outputs")
        if (points := _points_in(output)) is not None
    )


def _listed(thing: Any, key: str) -> list[Any]:
    found = thing.get(key) if isinstance(thing, Mapping) else None
    return found if isinstance(found, list) else []


def _points_in(output: Any) -> QuestionPoints | None:
    data = output.get("data") if isinstance(output, Mapping) else None
    match data.get(SCORED) if isinstance(data, Mapping) else None:
        case {
            "code": str(code),
            "answer": str(answer),
            "score": int() | float() as score,
            "points": int() | float() as points,
            "words": str(words),
        } if 0 <= score <= points <= MOST_POINTS:
            return QuestionPoints(code, answer, score, points, words)
    return None


def _read_notebook(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CastlelabError(f"{path.name} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise CastlelabError(f"{path.name} is not a notebook: {error}") from None
    if not isinstance(found, Mapping):
        raise CastlelabError(f"{path.name} is not a notebook, but {quoted(found)}")
    return found
