"""A box of one's own, for runs that are played with it."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """An edition of castell with many small castellers."""
    path = tmp_path / "box.toml"
    counts = f"per_size = [25, 5, {', '.join(['15'] * 8)}]"
    path.write_text(f'game = "castell"\nname = "mine"\n[castellers]\n{counts}\n', encoding="utf-8")
    return path
