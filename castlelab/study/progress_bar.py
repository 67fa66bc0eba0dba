"""A bar for those who wait."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from castlelab.system.packages import has, need


def bar(
    total: int, unit: str, *, done: int = 0, delay: float = 0, leave: bool = True
) -> AbstractContextManager[Any]:
    """A bar that counts to a total; it shows after a delay, so that short waits stay quiet.

    Without tqdm there is none: one waits as long, and gets the same.
    """
    if not has("tqdm"):
        return nullcontext()
    if in_a_notebook():
        from tqdm.auto import tqdm
    else:  # what has once been in a notebook would go on drawing for one
        from tqdm import tqdm

    shown: AbstractContextManager[Any] = tqdm(
        total=total, initial=done, unit=unit, delay=delay, leave=leave, dynamic_ncols=True
    )
    return shown


def watched_bar(progress: bool | None, games: int, done: int) -> AbstractContextManager[Any]:
    """A progress bar; unless asked for, only for somebody who watches, and for long runs."""
    if progress is None and not (in_a_notebook() or sys.stderr.isatty()):
        progress = False
    if progress is False:
        return nullcontext()
    if progress:
        need("a progress bar", "tqdm")
    return bar(games, "game", done=done, delay=0 if progress else 1)


def in_a_notebook() -> bool:
    """Whether a Jupyter kernel runs this; asked without importing any of it."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")
