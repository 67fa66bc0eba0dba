"""Where Chromium is on this machine, for the benchmarks and for the tests."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """The browser of the system: named by CASTLELAB_CHROMIUM or found on the path."""
    found = filter(None, map(shutil.which, NAMES))
    return os.environ.get("CASTLELAB_CHROMIUM") or next(found, None)
