"""Write down the versions that castlelab is tested with: the newest ones and the lowest.

``constraints/tested.txt`` holds every package of every extra, as new as they get along with each
other. ``constraints/lowest.txt`` holds the floors that pyproject.toml declares; what they need in
turn, and what tests them, is new there too. Both serve every system and every Python from 3.11 on.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
OLDEST = "3.11"  # the Python that the floors are for
#: Installing the package as it lies in its folder takes this, though no requirement names it.
UNNAMED = "editables"
#: What the floors are installed and tested with.
TOOLS = ("hatchling", "hypothesis", "playwright", "pytest", "pytest-xdist", "segno", UNNAMED)


def resolve(name: str, more: list[str], *options: str) -> list[str]:
    """Let uv write one file of constraints; returns its lines."""
    written = f"constraints/{name}.txt"
    command = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "-", *options]
    command += ["--universal", "--python-version", OLDEST, "--upgrade", "--output-file", written]
    command += ["--custom-compile-command", "make constraints", "--no-annotate", "--quiet"]
    command += ["--no-emit-index-url", "--no-emit-find-links"]
    subprocess.run(command, input="\n".join(more), text=True, cwd=ROOT, check=True)
    return (ROOT / written).read_text(encoding="utf-8").splitlines()


def main() -> None:
    try:
        tested = resolve("tested", [UNNAMED], "--all-extras")
        tools = [line for line in tested if line.partition("==")[0] in TOOLS]
        resolve("lowest", tools, "--resolution", "lowest-direct")
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)  # uv has said why


if __name__ == "__main__":
    main()
