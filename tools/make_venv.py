"""Make the virtual environment, or say in one line why not."""

from __future__ import annotations

import subprocess
import sys

NEEDED = (3, 11)


def why_not() -> str | None:
    """What is missing, if anything is."""
    if sys.version_info < NEEDED:
        found = "{}.{}".format(*sys.version_info[:2])
        return f"castlelab needs Python 3.11 or newer, not {found}; try: make PYTHON=python3.12"
    try:
        import venv  # noqa: F401
    except ImportError:
        return "Python's venv module is missing; on Debian: apt-get install python3-venv"
    return None


def make(folder: str) -> None:
    """Make the environment, with this Python's pip where it cannot bring its own."""
    python = sys.executable
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        # Debian keeps ensurepip in python3-venv; a pip that is there can install another.
        subprocess.check_call([python, "-m", "venv", "--without-pip", folder])
        target = f"{folder}/bin/python"
        subprocess.check_call([python, "-m", "pip", "--python", target, "install", "-q", "pip"])
    else:
        subprocess.check_call([python, "-m", "venv", folder])


def main() -> None:
    reason = why_not()
    if reason is None:
        try:
            make(sys.argv[1])
        except (subprocess.CalledProcessError, OSError):
            reason = f"could not make {sys.argv[1]}; on Debian: apt-get install python3-venv"
    if reason is not None:
        sys.exit(reason)


if __name__ == "__main__":
    main()
