"""An attack of Castle Rampage, played step by step on two stacks seen from the side."""

from __future__ import annotations

import ipywidgets

from castlelab.draw.scene import Scene
from castlelab.games.castle_rampage.attack import Assault, GivenCards, attack, cards_of
from castlelab.games.castle_rampage.card import RULES, StackName
from castlelab.games.castle_rampage.picture import attack_scene, ending_words, step_words
from castlelab.widgets.board.asked_board import asked_board
from castlelab.widgets.controls import button, labelled, layout, row
from castlelab.widgets.shown import ShownBox, Still

STRONGEST = 20  # on the slider


class AttackStage(ShownBox):
    """A stage for one attack: each step turns a card over and names the rule that decides.

    ``gate`` and ``castle`` are cards, names of cards or plain defence values, top first. With
    ``hidden=False`` the cards lie open from the start. The slider asks "what if?".

    >>> stage = AttackStage(9, gate=[4], castle="Ogre")
    >>> stage.all_steps()
    >>> stage.shown, stage.assault.castle_fell
    (2, False)
    """

    def __init__(
        self,
        strength: int = 9,
        gate: GivenCards = "Knight, Ogre",
        castle: GivenCards = "Archer",
        *,
        target: StackName = "gate",
        hidden: bool = True,
        slider: bool = True,
        label: str = "An attack, step by step",
    ) -> None:
        self.gate, self.castle = cards_of(gate, "the Gate"), cards_of(castle, "the Castle")
        self._target, self._hidden = target, hidden
        self.assault = self._resolved(strength)
        self.shown = 0
        self.board = asked_board(self._scene(), on_pick=self._look, label=label)
        self._onward = (
            button("Next", self.next_step, self.board.fail, main=True),
            button("All steps", self.all_steps, self.board.fail),
        )
        buttons = row(*self._onward, button("Start again", self.start_again, self.board.fail))
        self._slider = _slider(strength)
        self._slider.observe(lambda change: self.set_strength(change["new"]), "value")
        children = [self.board, buttons, *([self._slider] if slider else [])]
        super().__init__(children=children, layout=layout())
        self.add_class("castlelab-stage")
        self.start_again()

    @property
    def strength(self) -> int:
        """The strength of the attack."""
        return self.assault.strength

    @property
    def done(self) -> bool:
        """Whether the attack has been shown to its end."""
        return self.shown == len(self.assault.steps)

    def next_step(self) -> None:
        """Turn over the next card and tell what comes of it; at the end, how it ended."""
        self._play_to(min(self.shown + 1, len(self.assault.steps)))

    def all_steps(self) -> None:
        """Play the attack to its end."""
        self._play_to(len(self.assault.steps))

    def start_again(self) -> None:
        """Put everything back as it was before the attack."""
        self.shown = 0
        first = self.assault.steps[0].stack if self.assault.steps else self._target
        self._show(f"An attack with {self.strength} begins at the {first.title()}. Press Next.")

    def still(self) -> Still:
        return self.board.still()

    def set_strength(self, strength: int) -> None:
        """The same attack with another strength, from the start."""
        self.assault = self._resolved(strength)
        if self._slider.value == strength:
            self.start_again()
            return
        self._slider.max = max(self._slider.max, strength)
        self._slider.value = strength  # which comes back here

    # -- the rest --------------------------------------------------------------------------

    def _resolved(self, strength: int) -> Assault:
        return attack(strength, self.gate, self.castle, target=self._target)

    def _play_to(self, shown: int) -> None:
        told = [self._step_told(at) for at in range(self.shown, shown)]
        self.shown = shown
        if self.done:
            rule = " [castle_rampage/castle-falls]" if self.assault.castle_fell else ""
            otherwise = ", or change the strength" if self._slider in self.children else ""
            told.append(f"{ending_words(self.assault)}{rule} Start again{otherwise}.")
        self._show("\n".join(told))

    def _step_told(self, at: int) -> str:
        step = self.assault.steps[at]
        rule = RULES[step.rule]
        return f"{step.stack.title()}: {step_words(step)}. {rule.title}. [{rule.id}]"

    def _look(self, target: str) -> None:
        found = self.board.scene.target(target)
        assert found is not None
        self.board.say(f"{found.name}.")

    def _show(self, words: str) -> None:
        for each in self._onward:  # where there is nothing more to come, nothing is offered
            each.disabled = self.done
        self.board.show(self._scene(), words)

    def _scene(self) -> Scene:
        return attack_scene(self.assault, self.gate, self.castle, self.shown, hidden=self._hidden)


def _slider(strength: int) -> ipywidgets.IntSlider:
    return labelled(
        *(ipywidgets.IntSlider, "Strength", "95%", "70px"),
        most="372px",
        value=strength,
        min=0,
        max=max(STRONGEST, strength),
        continuous_update=False,  # one attack for each stop, not for each pixel
    )
