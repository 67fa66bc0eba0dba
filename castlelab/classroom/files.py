"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from castlelab.rules import CastlelabError


def write_whole(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Write a file; a full disk costs nothing that was there before."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding=encoding, newline="")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise CastlelabError(f"{path.name} cannot be written: {error.strerror}") from None
