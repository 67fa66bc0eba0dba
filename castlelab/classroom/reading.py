"""Reading the progress files of a class.

Files come from pupils and may be anything. Each one is either read whole or skipped with a
reason, and nothing in one can spoil another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from castlelab.classroom.register import ClassRegister, Pupil, Skipped
from castlelab.progress import Progress
from castlelab.rules import CastlelabError, counted, quoted

MOST_FILES = 500
LARGEST_FILE = 1_000_000  # bytes

_LONGEST_NAME = 80  # of a file, as it is told


def read_class(folder: str | Path) -> ClassRegister:
    """The class whose exported progress files lie in a folder.

    Whatever is no progress is skipped with a reason; see ``skipped``. Folders in it are left
    alone, and so are links that lead out of it.
    """
    folder = Path(folder)
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise CastlelabError(
            f"{quoted(str(folder))} cannot be read: {error.strerror}; "
            "name a folder that holds exported progress files"
        ) from None
    return read_files(_file_at(path, folder.resolve()) for path in paths)


def _file_at(path: Path, folder: Path) -> tuple[str, bytes | str]:
    """The name of a file and what it holds or, as a text, why it is not read."""
    try:
        if not path.resolve().is_relative_to(folder):
            return path.name, "it is a link that leads out of the folder"
        if path.is_dir():
            return path.name, "it is a folder; only files right here are read"
        if path.suffix.lower() != ".json":
            return path.name, "it is not a .json file"
        if not path.is_file():  # a pipe would never end
            return path.name, "it is not an ordinary file"
        with path.open("rb") as opened:
            return path.name, opened.read(LARGEST_FILE + 1)
    except (OSError, RuntimeError) as error:  # the latter: links that go round in a circle
        return path.name, f"it cannot be read: {getattr(error, 'strerror', None) or error}"


def read_files(files: Iterable[tuple[str, bytes | str]]) -> ClassRegister:
    """The class of files that were handed over as (name, content or why it is not read)."""
    found: dict[str, Progress | str] = {}  # by file: what is in it, or why it is skipped
    left = 0
    for number, (name, content) in enumerate(files):
        if number >= MOST_FILES:
            left += 1
            continue
        told = _plain(name)
        file = told if told not in found else f"{told} ({number + 1})"
        found[file] = content if isinstance(content, str) else _progress(content)
    read = {file: each for file, each in found.items() if isinstance(each, Progress)}
    found |= {file: f"it adds nothing to {newer}" for file, newer in _copies(read).items()}
    skipped = [Skipped(file, each) for file, each in found.items() if isinstance(each, str)]
    if left:
        skipped.append(Skipped(counted(left, "more file"), f"at most {MOST_FILES} are read"))
    kept = {file: each for file, each in found.items() if isinstance(each, Progress)}
    return ClassRegister(_named(kept), tuple(skipped))


def _progress(content: bytes) -> Progress | str:
    """What a file holds, or what is wrong with it."""
    if len(content) > LARGEST_FILE:
        return f"it has more than {LARGEST_FILE:,} bytes, too many for a progress"
    if not content.strip():
        return "it is empty"
    try:
        return Progress.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "it is not text in UTF-8"
    except CastlelabError as error:
        return str(error)


def _copies(read: Mapping[str, Progress]) -> dict[str, str]:
    """Files that another one makes needless: handed in twice, or again after some more puzzles."""
    files = list(read)
    copies: dict[str, str] = {}
    for place, file in enumerate(files):
        for other_place, other in enumerate(files):
            if place == other_place or other in copies or not _within(read[file], read[other]):
                continue
            # Of two that are alike the first one stays.
            if other_place < place or not _within(read[other], read[file]):
                copies[file] = other
                break
    return copies


def _within(progress: Progress, other: Progress) -> bool:
    """Whether another progress of the same name has all of it, as good or better.

    Nobody's name and nothing solved is no sign of being the same person.
    """
    if progress.name.casefold() != other.name.casefold() or not (progress.name or progress.solved):
        return False
    if not progress.name:
        return progress == other
    has_better = all(
        code in other.solved and other.solved[code].rank <= solve.rank
        for code, solve in progress.solved.items()
    )
    # The rest is in a merge of both what it is in the other alone, or it would be lost.
    return has_better and progress.merge(other) == other.merge(other)


def _named(read: Mapping[str, Progress]) -> tuple[Pupil, ...]:
    """Pupils by the names in their files, or by the files' names where that is not clear."""
    names = {file: progress.name.strip() or Path(file).stem for file, progress in read.items()}
    often = Counter(name.casefold() for name in names.values())
    told = {
        file: name if often[name.casefold()] == 1 else f"{name} ({file})"
        for file, name in names.items()
    }
    pupils = (Pupil(told[file], progress) for file, progress in read.items())
    return tuple(sorted(pupils, key=lambda pupil: (pupil.name.casefold(), pupil.name)))


def _plain(name: str) -> str:
    """The name of a file in a form that can be told anywhere."""
    shown = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in name)
    return shown if len(shown) <= _LONGEST_NAME else f"{shown[: _LONGEST_NAME - 1]}…"
