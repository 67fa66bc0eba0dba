"""The right answers that a visitor has given, so that a solved board comes back as it was left."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

from castlelab.widgets.browser.storage import BrowserStorage

_KEY = "castlelab-answers"
_MOST = 400  # the oldest go first
_LONGEST = 2_000  # characters of an answer


class AnswerBook:
    """Answers in notation by the ids of their puzzles, kept in the visitor's browser alone."""

    def __init__(self) -> None:
        self._storage = BrowserStorage(_KEY)

    def on_ready(self, callback: Callable[[], object]) -> None:
        """Call once the browser has told what it keeps."""
        self._storage.on_ready(callback)

    def keep(self, puzzle_id: str, answer: str) -> None:
        """Keep an answer; one that is too long is not worth it."""
        if len(answer) > _LONGEST or len(puzzle_id) > _LONGEST:
            return

        def add(text: str) -> str:
            answers = _read(text)
            answers.pop(puzzle_id, None)
            latest = [*answers.items(), (puzzle_id, answer)][-_MOST:]
            return json.dumps(dict(latest), ensure_ascii=False, separators=(",", ":"))

        self._storage.change(add)

    def find(self, puzzle_id: str) -> str:
        """The answer that was kept for a puzzle; "" if none was."""
        return _read(self._storage.kept).get(puzzle_id, "")


def _read(text: str) -> dict[str, str]:
    """What a browser keeps may be anything; what is no answer is left out."""
    try:
        table = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(table, dict):
        return {}
    return {key: answer for key, answer in table.items() if isinstance(answer, str)}


@cache
def answer_book() -> AnswerBook:
    """The book of this kernel; a kernel serves one visitor."""
    return AnswerBook()
