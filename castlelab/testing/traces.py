"""Traceability: a rule id leads to the code, to a test and to a step of the notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import pytest

from castlelab.game import game_class
from castlelab.rules import rulebook
from castlelab.testing.suite import Suite

_RULE_ID = re.compile(r"[a-z_]+/[a-z0-9-]+")
_TEXTS = {".py", ".txt", ".ipynb"}


def untraced(game: str, folders: Iterable[Path]) -> list[str]:
    """The rules of a game that no Python file, text or notebook in these folders names."""
    paths = [path for folder in folders for path in folder.rglob("*") if path.suffix in _TEXTS]
    named: set[str] = set()
    for path in paths:
        named.update(_RULE_ID.findall(path.read_text(encoding="utf-8")))
    return sorted(set(rulebook(game)) - named)


class TraceContract(Suite):
    """Every rule of the rulebook can be found; the folders may be named by a subclass."""

    @classmethod
    def room(cls) -> Path:
        """The package of the game."""
        return Path(str(files(game_class(cls.game).__module__.rpartition(".")[0])))

    @classmethod
    def notebooks(cls) -> Path:
        """Where its notebook lies, if it has one."""
        return cls.room() / "notebooks"

    def test_every_rule_is_in_the_code(self) -> None:
        missing = untraced(self.game, [self.room()])
        assert not missing, f"Name each in a breach, or in a comment where it is kept: {missing}"

    def test_every_rule_is_in_a_test(self) -> None:
        missing = untraced(self.game, [self.folder()])
        assert not missing, f"Write a test that names each rule: {missing}"

    def test_every_rule_is_in_the_notebook(self) -> None:
        if not (self.notebooks() / f"{self.game}.ipynb").is_file():
            pytest.skip("The game has no notebook, and it need not have one.")
        missing = untraced(self.game, [self.notebooks()])
        assert not missing, f"Show each rule at a step, with show_rules: {missing}"
