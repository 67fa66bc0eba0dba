"""Finished games on disk: one line each, in order, only ever appended.

The first line says which run it is. Every line ends in a check of itself and of all lines
before it, so a file is either exactly what was written, up to some game, or refused.
Games are written in the order of their numbers, whoever finished first: two files of the
same run are the same bytes, or one is the beginning of the other.

What can happen to a file, and what is done about it:

- the writer is killed: the last line may be cut off; it is dropped and said so;
- the disk is full: the file is cut back to its last whole line;
- the power fails: what is older than a few seconds is on the disk;
- two processes want to write: the second is refused;
- anything else: the file is damaged, which is an error, and it is left alone.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self
from weakref import WeakSet

from castlelab.rules import CastlelabError, quoted

JOURNAL_FORMAT = 1
ENDING = ".jsonl"
_LONGEST_LINE = 1_000_000
_SYNC_SECONDS = 5.0
_SEAL = ', "check": "{}"}}\n'
_SEAL_LENGTH = len(_SEAL.format("0" * 16))

GameRow = Mapping[str, Any]


class JournalError(CastlelabError):
    """A file of games cannot be used: which one, and why."""


class JournalWarning(UserWarning):
    """The end of a file was cut off, and the game in it is played again."""


class Journal:
    """A file of games that is open for more, and locked against other writers.

    ``rows`` are the games it held when it was opened.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self.rows: list[dict[str, Any]] = []
        self.games = 0
        self._descriptor = descriptor
        self._end = 0  # of the last whole line
        self._seal = ""
        self._synced = time.monotonic()
        _open_journals.add(self)

    @classmethod
    def open(cls, path: str | Path, run: GameRow, resume: bool = False) -> Self:
        """Begin a new file for a run, or go on with the file of the same run.

        With ``resume`` a file that is not there yet is begun. Nothing is changed before
        everything in the file has been checked.
        """
        path = Path(path)
        if path.suffix != ENDING:
            raise JournalError(
                f"games are written as they finish to a {ENDING} file, not to {quoted(path.name)}; "
                "a result is saved as .csv or .json"
            )
        journal = cls(path, _open_file(path, resume))
        try:
            _lock(journal._descriptor, path)
            # Through JSON, as what is read will have been.
            journal._begin(json.loads(json.dumps({"castlelab": JOURNAL_FORMAT, **run})))
        except BaseException:
            journal.close()
            raise
        return journal

    def _begin(self, header: dict[str, Any]) -> None:
        first, seal = _sealed(header, "")
        reading = _Reading(self.path)
        self.rows = list(reading.rows(header))
        if reading.end == 0:
            if not first.startswith(reading.rest):
                raise JournalError(f"{self.path.name} is not a file of games; it is left alone")
            self._cut_back()
            try:
                self._write(first)
            except BaseException:
                with suppress(OSError):  # a file without a first line would be in the way
                    self.path.unlink()
                raise
            self._seal = seal
            self._sync()
            _sync_folder(self.path.parent)
            return
        self._end, self._seal, self.games = reading.end, reading.seal, len(self.rows)
        if reading.rest:
            self._cut_back()
            warnings.warn(
                f"the last line of {self.path.name} was cut off; game {self.games} is played again",
                JournalWarning,
                stacklevel=4,
            )

    def append(self, rows: Iterable[GameRow]) -> None:
        """Write finished games, the next ones in order."""
        lines, seal, games = [], self._seal, self.games
        for row in rows:
            line, seal = _sealed(row, seal)
            lines.append(line)
            games += 1
        self._write(b"".join(lines))
        self._seal, self.games = seal, games
        if time.monotonic() - self._synced > _SYNC_SECONDS:
            self._sync()

    def close(self) -> None:
        """Leave a file that ends in a whole line, and let others write to it."""
        if self not in _open_journals:
            return
        try:
            if self._end:  # else nothing in it is ours
                with suppress(OSError):  # reading drops half a line too
                    self._cut_back()
                self._sync()
        finally:
            self._let_go()

    def _let_go(self) -> None:
        _open_journals.discard(self)
        os.close(self._descriptor)

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            with suppress(OSError):  # reading drops half a line too
                self._cut_back()
            raise self._failed(error) from None
        self._end += len(data)

    def _sync(self) -> None:
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise self._failed(error) from None
        self._synced = time.monotonic()

    def _cut_back(self) -> None:
        os.ftruncate(self._descriptor, self._end)

    def _failed(self, error: OSError) -> JournalError:
        kept = f"; the {self.games} games in it are kept" if self.games else ""
        return JournalError(f"{self.path.name} cannot be written: {error.strerror}{kept}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read(path: str | Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The run that a file belongs to, and its games; a last line that was cut off is left out."""
    reading = _Reading(Path(path))
    rows = list(reading.rows())
    if reading.end == 0:
        raise JournalError(f"{reading.path.name} is not a file of games")
    return reading.header, rows


class _Reading:
    """A file of games while it is read and checked; it is never written to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: dict[str, Any] = {}
        self.end = 0  # of the last whole line
        self.seal = ""
        self.rest = b""  # what follows it

    def rows(self, expected: GameRow | None = None) -> Iterator[dict[str, Any]]:
        try:
            with self.path.open("rb") as file:
                for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b"")):
                    if not line.endswith(b"\n"):
                        self._keep_rest(number, line)
                        return
                    row = self._opened(number, line)
                    if number:
                        yield row
                    else:
                        self.header = row
                        _same_run(self.path, row, expected)
        except OSError as error:
            raise JournalError(f"{self.path.name} cannot be read: {error.strerror}") from None

    def _opened(self, number: int, line: bytes) -> dict[str, Any]:
        """What a line says, if it is exactly what was written there."""
        body = line[:-_SEAL_LENGTH] + b"}"
        seal = _seal_of(body, self.seal)
        if line[-_SEAL_LENGTH:] != _SEAL.format(seal).encode():
            raise self._damaged(number, line)
        try:
            row = json.loads(body.decode())  # as text: bytes are looked at once more
        except (ValueError, RecursionError):
            raise self._damaged(number, line) from None
        if not isinstance(row, dict):
            raise self._damaged(number, line)
        self.seal = seal
        self.end += len(line)
        return row

    def _keep_rest(self, number: int, rest: bytes) -> None:
        if len(rest) >= _LONGEST_LINE:
            raise self._damaged(number, rest)
        self.rest = rest

    def _damaged(self, number: int, line: bytes) -> JournalError:
        if number == 0 and not line.startswith(b'{"castlelab"'):
            return JournalError(f"{self.path.name} is not a file of games; it is left alone")
        return JournalError(
            f"{self.path.name} is damaged in line {number + 1}; it is left alone: "
            "begin again with another name"
        )


def _same_run(path: Path, found: GameRow, expected: GameRow | None) -> None:
    """Refuse the file of another run, and say in what it differs."""
    if found.get("castlelab") != JOURNAL_FORMAT:
        version = quoted(found.get("castlelab"))
        raise JournalError(
            f"{path.name} has format {version}; this castlelab reads {JOURNAL_FORMAT}"
        )
    if expected is None or found == expected:
        return
    keys = [key for key in {**expected, **found} if found.get(key) != expected.get(key)]
    differences = ", ".join(
        f"{key} {quoted(found.get(key))} instead of {quoted(expected.get(key))}" for key in keys
    )
    raise JournalError(f"{path.name} holds another run: {differences}")


def _sealed(row: GameRow, before: str) -> tuple[bytes, str]:
    """A line with its check, and that check."""
    body = json.dumps(row)
    seal = _seal_of(body.encode(), before)
    return (body[:-1] + _SEAL.format(seal)).encode(), seal


def _seal_of(body: bytes, before: str) -> str:
    return blake2b(before.encode() + body, digest_size=8).hexdigest()


# The file itself


def _open_file(path: Path, resume: bool) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags if resume else flags | os.O_EXCL, 0o666)
    except FileExistsError:
        raise JournalError(
            f"{path.name} is there already; resume goes on with it, or choose another name"
        ) from None
    except OSError as error:
        raise JournalError(f"{path.name} cannot be written: {error.strerror}") from None
    except ValueError as error:  # a name that no file can have
        raise JournalError(f"{path.name!r} cannot be written: {error}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise JournalError(f"{path.name} is not a regular file")
    return descriptor


def _lock(descriptor: int, path: Path) -> None:
    """Keep other writers out; the lock ends with this process, however that ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, 1 << 30, os.SEEK_SET)  # far from what others may want to read
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise JournalError(f"{path.name} is being written to by somebody else") from None
    except OSError as error:
        if sys.platform == "win32":
            raise JournalError(f"{path.name} is being written to by somebody else") from None
        raise JournalError(f"{path.name} cannot be locked: {error.strerror}") from None


def _sync_folder(folder: Path) -> None:
    """Make the name of a new file last, where folders can be asked to."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


#: A forked worker would keep the lock alive after its parent was killed.
_open_journals: WeakSet[Journal] = WeakSet()


def _let_go_of_all() -> None:
    for journal in list(_open_journals):
        journal._let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_of_all)
