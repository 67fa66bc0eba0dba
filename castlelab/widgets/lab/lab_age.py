"""How old the pupil is, chosen once for all figures and kept in the visitor's browser."""

from __future__ import annotations

from functools import cache

import traitlets

from castlelab.figures import AGES
from castlelab.widgets.browser.storage import BrowserStorage

_KEY = "castlelab-age"


class LabAge(traitlets.HasTraits):
    """The age from which the figures of a page are made for; the page keeps it."""

    age = traitlets.Enum(AGES, 14)

    def __init__(self) -> None:
        super().__init__()
        self._storage = BrowserStorage(_KEY)
        self._storage.on_ready(self._come_back)
        self._storage.observe(self._come_back, "kept")
        self.observe(self._keep, "age")

    def _come_back(self, _: object = None) -> None:
        kept = {str(age): age for age in AGES}.get(self._storage.kept)
        if kept is not None:
            self.age = kept

    def _keep(self, _: object) -> None:
        if self._storage.ready:
            self._storage.kept = str(self.age)


@cache
def lab_age() -> LabAge:
    """The age of this kernel's visitor."""
    return LabAge()
