"""Try castlelab with the lowest versions that pyproject.toml allows, in an environment of its own.

The floors are those of the oldest Python that castlelab runs with. A newer one is not tried:
for it some of them were never built.

    python tools/try_floors.py .venv/floors [options of pytest]
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from constrain import OLDEST, TOOLS

ROOT = Path(__file__).parent.parent
DECIDING = (ROOT / "constraints" / "lowest.txt", ROOT / "pyproject.toml")

#: What hangs on versions: boards, pictures, plots, kernels, bars.
TESTS = (
    "tests/draw",
    "tests/study/test_simulation.py::test_a_study_plots_itself",
    "tests/study/test_simulation.py::test_nobody_who_does_not_watch_sees_a_bar",
    "tests/server/test_client.py",
    # A page alone does not tell whether its kernel is a copy.
    "tests/server/test_visitors.py::test_a_copy_has_the_widgets_of_its_page",
    "tests/widgets/test_board.py",
    "tests/widgets/test_game_table.py",
    "tests/widgets/test_storage.py",
    "tests/widgets/test_lab.py",
    "tests/widgets/test_message_size.py",
    "tests/widgets/test_puzzle_card.py",
)
#: A page whose board is clicked until its puzzle is solved, and one whose plot is redrawn.
PAGES = ("tests/browser/test_pages_browser.py", "-k", "finished_by_pointing or redraws")


def run(*command: str | Path, **settings: str) -> None:
    subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}, check=True)


def environment(folder: Path) -> Path:
    """Its Python, with everything installed; made anew when what decides about it has changed."""
    python = folder / Path(sys.executable).relative_to(sys.prefix)
    stamp = folder / "decided-by"
    decided_by = "".join(path.read_text(encoding="utf-8") for path in DECIDING)
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != decided_by:
        print(f"Installing castlelab with the lowest versions into {folder}", flush=True)
        run(sys.executable, "tools/make_venv.py", folder)
        lowest = str(DECIDING[0])
        pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
        run(*pip, "--editable", ".", *TOOLS, PIP_CONSTRAINT=lowest, PIP_BUILD_CONSTRAINT=lowest)
        stamp.write_text(decided_by, encoding="utf-8")
    return python


def main(folder: str, *options: str) -> None:
    version = "{}.{}".format(*sys.version_info[:2])
    if version != OLDEST:
        print(f"The lowest versions are for Python {OLDEST} and are not tried with {version}")
        return
    try:
        python = environment(Path(folder).resolve())
        pytest = (python, "-m", "pytest", "-p", "no:cacheprovider")
        run(*pytest, "-m", "not browser", *options, *TESTS)
        run(*pytest, *PAGES)
        run(python, "-m", "tools.versions")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"castlelab does not work with the lowest versions: {failed}")


if __name__ == "__main__":
    main(*sys.argv[1:])
