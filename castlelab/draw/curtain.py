"""A curtain before the board, while the screen goes from one player to the next."""

from __future__ import annotations

from dataclasses import replace

from castlelab.draw.scene import NARROW, Path, Rect, Scene, Shape, Target, Text

CURTAIN = "curtain"  # the id of its only target

_FOLD = 46.0  # the width of one fold of the cloth
_BUTTON = (240.0, 52.0)
_NARROW_HEIGHT = 440.0  # of a curtain in a narrow page: all of it above the tools


def curtain_scene(name: str, seat: int, width: float, height: float) -> Scene:
    """A closed curtain as large as the picture behind it, with a button for whoever is next."""
    wide = _curtain(name, seat, width, height)
    return replace(wide, narrow=lambda: _curtain(name, seat, NARROW, _NARROW_HEIGHT))


def _curtain(name: str, seat: int, width: float, height: float) -> Scene:
    words = f"Pass the screen to {name}."
    middle, y = width / 2, min(height / 2, 190.0)
    across, tall = _BUTTON
    left, top = middle - across / 2, y + 24
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "panel"),
        *_folds(width, height),
        Rect(middle - 170, y - 60, 340, 160, "paper", "line", 1.5, 12),
        Text(middle, y - 26, words, 20, "ink", "middle", bold=True),
        Text(middle, y + 4, "Nobody else should look now.", 14, "muted", "middle"),
        Rect(left, top, across, tall, f"seat-{seat}", "ink", 1.5, 10),
        Text(middle, top + tall / 2, f"I am {name}", 18, f"on-seat-{seat}", "middle", bold=True),
    ]
    target = Target(CURTAIN, f"I am {name}: open the curtain", left, top, across, tall)
    return Scene(width, height, tuple(shapes), (target,), "A curtain", words)


def _folds(width: float, height: float) -> list[Shape]:
    """Every other fold lies in the light, and the hem hangs in bows."""
    count = max(2, round(width / _FOLD))
    fold = width / count
    return [
        Path(
            (
                (at * fold, 0),
                ((at + 1) * fold, 0),
                ((at + 1) * fold, height - 14),
                ((at + 0.5) * fold, height - 6),
                (at * fold, height - 14),
            ),
            "accent-soft" if at % 2 else "paper",
            "line",
            1,
            closed=True,
        )
        for at in range(count)
    ]
