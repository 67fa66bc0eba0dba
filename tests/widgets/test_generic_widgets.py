"""What serves every game names none of them."""

import ast
from pathlib import Path

import pytest

import castlelab

WIDGETS = Path(castlelab.__file__).parent / "widgets"
PARTS = ("games", "widgets")
GENERIC = [
    path
    for path in sorted(WIDGETS.rglob("*.py"))
    if path.parent.name not in castlelab.GAMES and path != WIDGETS / "__init__.py"
]


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield f"{node.module}."


@pytest.mark.parametrize("path", GENERIC, ids=lambda path: path.relative_to(WIDGETS).as_posix())
def test_a_generic_widget_imports_no_game(path):
    rooms = [f"castlelab.{part}.{game}." for part in PARTS for game in castlelab.GAMES]
    assert not [name for name in imported(path) if name.startswith(tuple(rooms))]
