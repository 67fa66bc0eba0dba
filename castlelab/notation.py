"""Moves as they are written: what the readers of all games share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from castlelab.rules import NotationError, quoted

if TYPE_CHECKING:
    from castlelab.game import Move

T = TypeVar("T")


def reader_for(
    text: str, readers: Mapping[str, T], examples: str, longest: int = 1_000
) -> tuple[T, list[str]]:
    """What reads a move by its first word, and the words that are left for it.

    Text that no move starts with is a ``NotationError`` with the nearest word or examples.

    >>> reader_for("Build TRC ne", {"build": 1, "end": 2}, "'end'")
    (1, ['TRC', 'ne'])
    """
    if not isinstance(text, str) or not text.strip():
        raise NotationError(f"write a move, such as {examples}")
    if len(text) > longest:
        raise NotationError(f"a move of {len(text)} characters is too long to be real")
    word, *rest = text.split()
    reader = readers.get(word.lower())
    if reader is None:
        from difflib import get_close_matches  # only needed on the way to an error

        near = get_close_matches(word.lower(), readers, n=1)
        hint = f"did you mean {near[0]}?" if near else f"a move looks like {examples}"
        raise NotationError(f"no move starts with {quoted(word)}; {hint}")
    return reader, rest


def exactly(words: list[str], number: int, example: str) -> list[str]:
    """So many words of a move; any other number is a ``NotationError`` with an example."""
    if len(words) != number:
        raise NotationError(f"that move is written '{example}'")
    return words


def alone(move: Move) -> Callable[[list[str]], Move]:
    """What reads a move of one word."""

    def read(words: list[str]) -> Move:
        exactly(words, 0, str(move))
        return move

    return read
