"""Files that are written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path

from castlelab.rules import CastlelabError, quoted

_LONGEST_EXPORT = 60  # characters of a name, without its day


def write_whole(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Write a file; a full disk costs nothing that was there before."""
    with _part_of(path) as part:
        part.write_text(text, encoding=encoding, newline="")
        part.replace(path)


def check_writable(path: Path) -> None:
    """Refuse a file that could not be written, before there is anything to lose."""
    with _part_of(path) as part:
        part.touch()
        part.unlink()
        if path.is_dir():
            raise IsADirectoryError(0, "Is a directory")


def name_of(path: Path) -> str:
    """A path as a message shows it: as it was given, on one line."""
    return str(path) if str(path).isprintable() else quoted(str(path))


@contextmanager
def _part_of(path: Path) -> Iterator[Path]:
    """The file that is written first; it goes if anything fails, which is told in a sentence."""
    try:
        part = path.with_name(f".{path.name}.part")
    except ValueError:
        raise CastlelabError(f"{name_of(path)} is a folder, not the name of a file") from None
    try:
        yield part
    except OSError as error:
        reason = error.strerror
    except UnicodeEncodeError as error:
        strange = quoted(error.object[error.start])
        reason = f"the text has {strange}, which is not a character of {error.encoding}"
    except ValueError as error:  # a name that no file can have
        reason = str(error)
    else:
        return
    with suppress(OSError, ValueError):
        part.unlink()
    raise CastlelabError(f"{name_of(path)} cannot be written: {reason}")


def export_name(what: str, name: str, ending: str, day: date | None = None) -> str:
    """What a file is called that somebody saves: whose it is and of which day.

    >>> export_name("castlelab", "Ada L.", ".json", date(2026, 5, 17))
    'castlelab-Ada-L-2026-05-17.json'

    Letters of every script stay; what no system has in names becomes a dash. A name may be empty.
    """
    words = "".join(sign if sign.isalnum() else " " for sign in f"{what} {name}")
    told = "-".join(words.split())[:_LONGEST_EXPORT].rstrip("-")
    return f"{told}-{day or date.today():%Y-%m-%d}{ending}"
