"""Fonts for Chromium alone: one family, whatever else the machine has."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

#: As it is: no other system lets one program have other fonts than all.
OWN = "the machine's own"
FAMILIES = ("DejaVu", "Liberation") if sys.platform == "linux" else (OWN,)

CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{folder}</dir>
  <cachedir>{folder}/cache</cachedir>
  <alias><family>serif</family><prefer><family>{family} Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>{monospace}</family></prefer></alias>
  <match><edit name="family" mode="append_last"><string>{family} Sans</string></edit></match>
</fontconfig>
"""


class FontsMissing(Exception):
    """A family that is nowhere to be found, and how to get it."""


@dataclass(frozen=True)
class Source:
    """Where the files of a family may be, and what it calls its letters of one width."""

    folders: tuple[Path, ...]
    monospace: str
    remedy: str


def _sources() -> dict[str, Source]:
    import matplotlib

    fetched = Path(sys.prefix) / "fonts"  # by tools/fonts
    return {
        "DejaVu": Source(
            (Path(matplotlib.get_data_path()) / "fonts" / "ttf",),
            "DejaVu Sans Mono",
            "matplotlib brings them: install it again",
        ),
        "Liberation": Source(
            (fetched, Path("/usr/share/fonts"), Path.home() / ".local" / "share" / "fonts"),
            "Liberation Mono",
            "`make fonts` gets them with apt-get; elsewhere install the package fonts-liberation",
        ),
    }


def settings(family: str, folder: Path) -> dict[str, str]:
    """The variables with which a Chromium has this family only; the folder is to be empty."""
    if family == OWN:
        return {}
    source = _sources()[family]
    found = {path.name: path for place in source.folders for path in place.rglob(f"{family}*.ttf")}
    if f"{family}Sans-Regular.ttf" not in found and f"{family}Sans.ttf" not in found:
        raise FontsMissing(f"no {family} fonts found: {source.remedy}")
    for name, path in found.items():
        (folder / name).symlink_to(path)
    configuration = folder / "fonts.conf"
    configuration.write_text(
        CONFIGURATION.format(folder=folder, family=family, monospace=source.monospace),
        encoding="utf-8",
    )
    return {"FONTCONFIG_FILE": str(configuration)}
