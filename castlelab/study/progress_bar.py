"""A bar for those who wait."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from castlelab.system.packages import has


def bar(
    total: int, unit: str, *, done: int = 0, delay: float = 0, leave: bool = True
) -> AbstractContextManager[Any]:
    """A bar that counts to a total; it shows after a delay, so that short waits stay quiet.

    Without tqdm there is none: one waits as long, and gets the same.
    """
    if not has("tqdm"):
        return nullcontext()
    from tqdm.auto import tqdm

    shown: AbstractContextManager[Any] = tqdm(
        total=total, initial=done, unit=unit, delay=delay, leave=leave, dynamic_ncols=True
    )
    return shown
