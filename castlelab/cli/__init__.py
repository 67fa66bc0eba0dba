"""The command line: ``castlelab serve | lab | play | puzzle | rules | simulate``, and for
teachers ``worksheet | classroom``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress

from castlelab.cli.commands import read_command
from castlelab.cli.printing import complain
from castlelab.cli.signals import Terminated
from castlelab.rules import CastlelabError

WRONG = 2  # the exit status for anything that was asked for wrongly
INTERRUPTED = 130
TERMINATED = 143


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a stream that was replaced may lack the method
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        arguments = read_command(sys.argv[1:] if argv is None else argv)
        arguments.run(arguments)
    except CastlelabError as error:
        complain(str(error))
        return WRONG
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone; Python would say so while it ends
        return 0
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return WRONG
    except KeyboardInterrupt as error:
        terminated = isinstance(error, Terminated)
        if not terminated:
            print()  # a terminal has written ^C where we were
        for note in getattr(error, "__notes__", ()):
            print("castlelab: stopped;", note, file=sys.stderr)
        return TERMINATED if terminated else INTERRUPTED
    return 0
