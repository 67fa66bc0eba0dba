"""Build a castle by picking: a tile of the hand, then a spot."""

from __future__ import annotations

from collections.abc import Iterable

import traitlets

from castlelab.draw.scene import Scene
from castlelab.game import Question
from castlelab.games.castle_keep.asking import castle_questions
from castlelab.games.castle_keep.castle import Castle, Tile, at_words
from castlelab.games.castle_keep.moves import Build, Spot
from castlelab.games.castle_keep.picture import spot_words
from castlelab.games.castle_keep.puzzle_finish_it import BuildPlan, Finish, Laid, lay, read_plan
from castlelab.rules import IllegalMove, counted
from castlelab.widgets.board.editor import BoardEditor, means_clear


class CastleEditor(BoardEditor[BuildPlan]):
    """A bench to build on. ``value`` is the plan that was laid; observe it to follow along.

    The castle and the hand may be given in notation: ``CastleEditor("TRC -- -- / -- -- -- /
    -- -- --", "WRZ TRS")``. A tile of the hand that is picked up shows where it fits.
    """

    value = traitlets.Instance(BuildPlan)

    def __init__(
        self,
        castle: Castle | str,
        hand: Iterable[Tile] | str,
        *,
        last_matches_both: bool = False,
        label: str = "Castle editor",
    ) -> None:
        first = Castle.parse(castle) if isinstance(castle, str) else castle
        tiles = map(Tile, hand.split()) if isinstance(hand, str) else hand
        self.ask = Finish(first, tuple(tiles), last_matches_both)
        super().__init__(
            BuildPlan(),
            label=label,
            text_label="Type a tile and a spot",
            text_hint="TRC ne, or several: TRC ne, WRZ e",
        )

    @property
    def laid(self) -> Laid:
        """The castle as it stands, and the tiles that are left."""
        return lay(self.ask, self._now)

    def build(self, plan: BuildPlan | str) -> None:
        """Lay a whole plan on the first castle; undo brings back what stood there."""
        wanted = read_plan(plan) if isinstance(plan, str) else plan
        self._go_to(wanted, f"Laid: {wanted}.")

    # -- what is picked, typed and taken back ----------------------------------------------

    def _pick(self, target: str) -> None:
        place, _, number = target.partition(" ")
        if place == "hand":
            self._take_up(int(number))
        elif self._chosen is None:
            words = spot_words(target, self.laid.castle[target])
            self.board.say(f"{words}. Pick a tile of your hand first.")
        else:
            self._picked = self._picked.put(target)  # if it is refused, the tile stays picked up
            tile = self.laid.hand[self._chosen - 1]
            plan = BuildPlan((*self._now.steps, Build(tile, Spot(target))))
            self._go_to(plan, f"The {tile.words} stands {at_words(target)}.")

    def _take_up(self, number: int) -> None:
        tile = self.laid.hand[number - 1]
        self._picked = self._picked.pick(number)
        if self._chosen is None:
            self._show(f"The {tile.words} is put back.")
        elif fits := len(self._offers()):
            where = f"The {tile.words} fits on {counted(fits, 'spot')}."
            self._show(f"{where} Pick a spot, or the tile to put it back.")
        else:
            self._show(f"The {tile.words} fits on no spot now. Pick another tile.")

    def _write(self, text: str) -> None:
        if means_clear(text):
            self._go_to(BuildPlan(), "The castle is as it was at first.")
            return
        more = read_plan(text)
        self._go_to(BuildPlan((*self._now.steps, *more.steps)), f"Laid: {more}.")

    # -- the rest --------------------------------------------------------------------------

    def _go_to(self, plan: BuildPlan, words: str) -> None:
        """Lay a plan if all of it may be laid; a refusal raises and nothing changes."""
        laid = lay(self.ask, plan)
        if not laid.verdict:
            raise IllegalMove(plan.steps[laid.steps], laid.verdict)
        self._go(plan, words)

    def _outlook(self) -> str:
        """What there is to say about the castle and what is left in hand."""
        laid, both = self.laid, self.ask.last_matches_both
        if laid.castle.complete:
            return "All nine tiles stand: the castle is complete."
        if not laid.hand:
            return "Your hand is empty."
        if not any(laid.castle.spots_for(tile, both) for tile in laid.hand):
            return "No tile of your hand fits now."
        return ""

    def _closed(self) -> int:
        return int(self.laid.castle.ring_closed)

    def _may_ask(self) -> tuple[Question, ...]:
        return castle_questions(self.laid.castle)

    def _offers(self) -> tuple[str, ...]:
        """Where the tile that is picked up may be laid."""
        if self._chosen is None:
            return ()
        laid = self.laid
        return laid.castle.spots_for(laid.hand[self._chosen - 1], self.ask.last_matches_both)

    def _held(self) -> str | None:
        return None if self._chosen is None else f"hand {self._chosen}"

    def _scene(self) -> Scene:
        return self.ask.draw(self._now, self._chosen)


def editor_for(ask: Finish) -> CastleEditor:
    """The bench for a puzzle that asks for a plan."""
    return CastleEditor(ask.castle, ask.hand, last_matches_both=ask.last_matches_both)
