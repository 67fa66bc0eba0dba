"""What every part of the contract suite knows: the game, and where its tests lie."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import ClassVar

import pytest


class Suite:
    """Tests of one game; a subclass whose name begins with ``Test`` says which."""

    game: ClassVar[str]

    @classmethod
    def folder(cls) -> Path:
        """The folder of the file in which the subclass is written."""
        return Path(inspect.getfile(cls)).parent

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Ask a test that wants a ``choice`` or a ``kind`` of every one that the suite has."""
        for name in ("choice", "kind"):
            if name in metafunc.fixturenames:
                metafunc.parametrize(name, list(getattr(self, f"every_{name}")()), ids=str)
