"""What a table shows and tells, for tests."""

from __future__ import annotations

import ipywidgets


def told(table):
    """All that can be read beside the board: whose turn it is, what to do, what has happened."""
    return "\n".join((table.headline, table.board.said, *table.happened.words))


def shows(table, scene):
    """Whether the board shows a picture; there may be marks on it where the last move was."""
    seen = table.board.scene
    shapes = seen.shapes[: len(scene.shapes)]
    return (shapes, seen.targets, seen.description) == (
        scene.shapes,
        scene.targets,
        scene.description,
    )


def parts(widget):
    """A widget and all that stands in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def buttons(widget):
    """The buttons with words or signs that can be pressed, by their words."""
    pressed = (ipywidgets.Button, ipywidgets.ToggleButton)
    return {part.description: part for part in parts(widget) if isinstance(part, pressed)}


def click(widget, words):
    """Press a button."""
    buttons(widget)[words].click()
