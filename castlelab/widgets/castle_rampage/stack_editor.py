"""Build a Gate and a Castle by picking: a card of the row, then a place in a stack."""

from __future__ import annotations

from collections.abc import Iterable

import traitlets

from castlelab.draw.scene import Scene
from castlelab.game import changed_at
from castlelab.games.castle_rampage.box import card
from castlelab.games.castle_rampage.card import STACKS, Card, StackName
from castlelab.games.castle_rampage.picture import bench_scene
from castlelab.games.castle_rampage.puzzle_stack_well import Raid, Stacking, StackWell
from castlelab.rules import CastlelabError, counted
from castlelab.widgets.board.editor import BoardEditor, means_clear
from castlelab.widgets.board.picked_up import NOTHING_PICKED_UP

#: The places of the Gate, then those of the Castle, from the top: the number of a card, or None.
StackPlaces = tuple[int | None, ...]


class StackEditor(BoardEditor[StackPlaces]):
    """A bench for two stacks. ``value`` is what stands there; observe it to follow along.

    Cards may be given by name: ``StackEditor("Ogre, Knight, Archer", gate=2, castle=1)``.
    While places are empty, ``value`` holds only the cards that are there.
    """

    value = traitlets.Instance(Stacking)

    def __init__(
        self,
        cards: str | Iterable[Card | str],
        gate: int,
        castle: int,
        attacks: Iterable[Raid] = (),
        *,
        label: str = "Stack editor",
    ) -> None:
        each_card = cards.split(",") if isinstance(cards, str) else cards
        named = tuple(card(each) if isinstance(each, str) else each for each in each_card)
        self.ask = StackWell(named, gate, castle, tuple(attacks))
        super().__init__(
            (None,) * (gate + castle),
            label=label,
            text_label="Type both stacks, top first",
            text_hint=f"Such as: {Stacking(named[:gate], named[gate : gate + castle])}",
        )

    @property
    def complete(self) -> bool:
        """Whether every place has its card."""
        return None not in self._now

    def build(self, stacking: Stacking | str) -> None:
        """Put two whole stacks on the bench; undo brings back what stood there."""
        wanted = self.ask.read(stacking) if isinstance(stacking, str) else stacking
        self._go(self._laid_out(wanted), f"Stacked: {wanted}.")

    # -- what is picked, typed and taken back ----------------------------------------------

    def _pick(self, target: str) -> None:
        name, _, number = target.partition(" ")
        at = int(number) - 1
        if name == "card":
            self._take_up(at)
            return
        place = at if name == "gate" else self.ask.gate + at
        if self._chosen is not None:
            self._put(self._chosen, place)
        elif (held := self._now[place]) is not None:
            left = changed_at(self._now, place, None)
            self._go(left, f"The {self.ask.cards[held]} is taken back.")
        else:
            self.board.say(f"Nothing is at {self._place_words(place)}. Pick a card first.")

    def _take_up(self, at: int) -> None:
        self._picked = self._picked.pick(at)
        if self._chosen is None:
            self._show(f"The {self.ask.cards[at]} is put back.")
        else:
            self._show(f"{self.ask.cards[at].describe()} Pick a place for it.")

    def _put(self, at: int, place: int) -> None:
        """Put a card on a place; who was there takes the card's old place, or leaves."""
        other, places = self._now[place], self._now
        if other == at:
            self._picked = NOTHING_PICKED_UP
            self._show(f"The {self.ask.cards[at]} stays where it is.")
            return
        if at in places:
            places = changed_at(places, places.index(at), other)
        words = f"The {self.ask.cards[at]} goes to {self._place_words(place)}"
        if other is not None:
            where = "changes places with it" if at in self._now else "is taken back"
            words += f"; the {self.ask.cards[other]} {where}"
        self._go(changed_at(places, place, at), f"{words}.")

    def _write(self, text: str) -> None:
        if means_clear(text):
            self._go((None,) * len(self._now), "All cards are taken back.")
        else:
            self.build(text)

    # -- the rest --------------------------------------------------------------------------

    def _laid_out(self, stacking: Stacking) -> StackPlaces:
        """Where the cards of an answer go; too many of them, or others, are refused."""
        free = list(range(len(self.ask.cards)))
        places: list[int | None] = []
        for name, cards, room in zip(
            STACKS,
            (stacking.gate, stacking.castle),
            (self.ask.gate, self.ask.castle),
            strict=True,
        ):
            if len(cards) > room:
                raise CastlelabError(
                    f"the {name.title()} has room for {counted(room, 'card')}, not {len(cards)}"
                )
            for wanted in cards:
                at = next((at for at in free if self.ask.cards[at] == wanted), None)
                if at is None:
                    row = ", ".join(map(str, self.ask.cards))
                    raise CastlelabError(f"there is no {wanted} left for this; the cards are {row}")
                free.remove(at)
                places.append(at)
            places += [None] * (room - len(cards))
        return tuple(places)

    def _outlook(self) -> str:
        return "Both stacks are complete." if self.complete else ""

    def _made(self) -> Stacking:
        return Stacking(self._cards("gate"), self._cards("castle"))

    def _stack(self, stack: StackName) -> StackPlaces:
        return self._now[: self.ask.gate] if stack == "gate" else self._now[self.ask.gate :]

    def _cards(self, stack: StackName) -> tuple[Card, ...]:
        return tuple(self.ask.cards[at] for at in self._stack(stack) if at is not None)

    def _place_words(self, place: int) -> str:
        stack, at = ("Gate", place) if place < self.ask.gate else ("Castle", place - self.ask.gate)
        return f"place {at + 1} of the {stack}"

    def _offers(self) -> tuple[str, ...]:
        """The places for the card that is picked up."""
        if self._chosen is None:
            return ()
        return tuple(
            f"{stack} {at}"
            for stack in STACKS
            for at, held in enumerate(self._stack(stack), 1)
            if held != self._chosen
        )

    def _held(self) -> str | None:
        return None if self._chosen is None else f"card {self._chosen + 1}"

    def _scene(self) -> Scene:
        return bench_scene(
            self.ask.cards,
            self._stack("gate"),
            self._stack("castle"),
            chosen=self._chosen,
            attacks=tuple(f"Strength {raid}" for raid in self.ask.attacks),
        )


def editor_for(ask: StackWell) -> StackEditor:
    """The bench for a puzzle that asks for two stacks."""
    return StackEditor(ask.cards, ask.gate, ask.castle, ask.attacks)
