"""``python -m castlelab`` is the command line too, where ``castlelab`` is not on the path."""

from __future__ import annotations

import sys

from castlelab.cli import main

if __name__ == "__main__":  # the processes of a simulation import this file again
    sys.exit(main())
