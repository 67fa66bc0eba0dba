"""What nbval leaves out when ``make notebooks`` compares the results that notebooks keep."""

from __future__ import annotations

import pytest


def pytest_collectstart(collector: pytest.Collector) -> None:
    """A board's picture has HTML besides, for live pages; it is not stored with the SVG."""
    if collector.nodeid.endswith(".ipynb") and hasattr(collector, "skip_compare"):
        collector.skip_compare += ("text/html",)
