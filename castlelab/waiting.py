"""A bar for those who wait."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any


def bar(
    total: int, unit: str, *, done: int = 0, delay: float = 0, leave: bool = True
) -> AbstractContextManager[Any]:
    """A bar that counts to a total; it shows after a delay, so that short waits stay quiet."""
    from tqdm.auto import tqdm

    shown: AbstractContextManager[Any] = tqdm(
        total=total, initial=done, unit=unit, delay=delay, leave=leave, dynamic_ncols=True
    )
    return shown
