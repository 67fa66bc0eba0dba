"""Ctrl-C and SIGTERM: answered once."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


class Terminated(KeyboardInterrupt):
    """Whoever looks after this process has asked it to end."""


@contextmanager
def stopped_once() -> Iterator[None]:
    """Answer the first Ctrl-C or SIGTERM; the next ones would only disturb the tidying up."""
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    stopped = False

    def stop(number: int, _: object) -> NoReturn:
        nonlocal stopped
        stopped = True
        for each in usual:
            signal.signal(each, signal.SIG_IGN)
        raise Terminated if number == signal.SIGTERM else KeyboardInterrupt

    for number, answer in usual.items():
        if answer != signal.SIG_IGN:  # as for what runs on after its terminal is closed
            signal.signal(number, stop)
    try:
        yield
    finally:
        if not stopped:
            for number, answer in usual.items():
                signal.signal(number, answer)
