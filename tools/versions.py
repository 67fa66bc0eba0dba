"""Say in a few lines which versions the tests ran with."""

from __future__ import annotations

import platform
import re
import subprocess
import textwrap
import tomllib
from importlib.metadata import version
from pathlib import Path

from benchmarks.browser import find_chromium

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"


def dependencies() -> list[str]:
    """The packages that castlelab itself needs, by name."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    return [re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in project["dependencies"]]


def browser() -> str:
    if (chromium := find_chromium()) is None:
        return "no Chromium"
    said = subprocess.run([chromium, "--version"], capture_output=True, text=True, check=False)
    return " ".join(said.stdout.split()[:2]) or chromium


def main() -> None:
    packages = [f"{name} {version(name)}" for name in dependencies()]
    said = ", ".join([f"Python {platform.python_version()}", browser(), *packages])
    together = re.sub(r"(?<!,) ", "\N{NO-BREAK SPACE}", said)  # a name and its version
    print(textwrap.fill(f"Tested with {together}.", 100).replace("\N{NO-BREAK SPACE}", " "))


if __name__ == "__main__":
    main()
