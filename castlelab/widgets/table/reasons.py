"""*Why?*: what a pick would mean, and the rules that say no."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import ipywidgets

from castlelab.draw.scene import Scene
from castlelab.game import State
from castlelab.rules import Rule
from castlelab.telling import Meaning, judged, meaning
from castlelab.widgets.card.rule_card import rule_html, style
from castlelab.widgets.controls import html, layout

_SHOWN = 3  # rules that are shown in full at once
_HOW_TO = (
    "Pick anything, or type a move: you are told what may be done, and which rule says no. "
    "Press Why? again to play on."
)


class Reasons:
    """A ``toggle``: while it is on, picks and texts are explained and nothing is played.

    ``rules`` shows in full what said no.
    """

    def __init__(self, on_toggle: Callable[[str], object]) -> None:
        self._on_toggle = on_toggle
        self.rules = html(style())
        self.toggle = ipywidgets.ToggleButton(
            description="Why?", tooltip="Why?", layout=layout("sign")
        )
        for name in ("button", "sign", "sign-why"):
            self.toggle.add_class(f"castlelab-{name}")
        self.toggle.observe(lambda _: self._toggled(), "value")

    @property
    def wanted(self) -> bool:
        """Whether everything is to be explained."""
        return bool(self.toggle.value)

    def show_rules(self, rules: Iterable[Rule] = ()) -> None:
        """The rules that said no, in full."""
        cards = [rule_html(rule) for rule in dict.fromkeys(rules)]
        self.rules.value = style() + "".join(cards[:_SHOWN])

    def _toggled(self) -> None:
        # In words as well: a toggle tells its state by its looks alone.
        self.toggle.description = "Why? (on)" if self.wanted else "Why?"
        self._on_toggle(_HOW_TO if self.wanted else "")


def explain_target(state: State, scene: Scene, target: str) -> tuple[Meaning, list[str]]:
    """What may be done with a thing of the picture, and why not more; the same in words."""
    found = scene.target(target)
    name = found.name if found is not None else target
    told = meaning(state, target, [each.id for each in scene.targets])
    otherwise = state.point((target,)).words or "No move begins or ends here now."
    return told, [name if name[-1:] in ".!?" else f"{name}.", *(told.words or (otherwise,))]


def explain_move(state: State, text: str) -> tuple[Meaning, list[str]]:
    """Whether a move may be played, and why not; the same in words."""
    told = judged(state, [state.game.move(text)])
    return told, [*told.words] if told.refused else [f"{text.strip()}: this may be played now."]
