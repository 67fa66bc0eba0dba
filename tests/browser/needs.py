"""What browser tests need besides Python."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def do_without(reason: str) -> NoReturn:
    """Skip what cannot be tested here; in continuous integration that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
