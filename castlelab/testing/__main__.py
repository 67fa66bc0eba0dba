"""Write golden playthroughs: ``python -m castlelab.testing GAME … FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from castlelab.rules import CastlelabError
from castlelab.testing.playthrough import playthrough


def write_golden_texts(words: list[str]) -> None:
    """Write the playthrough of each game into the folder that is named last."""
    if len(words) < 2:
        raise CastlelabError("write the load names of games, then a folder: watchtower golden")
    *games, folder = words
    Path(folder).mkdir(parents=True, exist_ok=True)
    for game in games:
        Path(folder, f"{game}.txt").write_text(playthrough(game), encoding="utf-8")


if __name__ == "__main__":
    try:
        write_golden_texts(sys.argv[1:])
    except CastlelabError as error:
        sys.exit(f"castlelab: {error}")
