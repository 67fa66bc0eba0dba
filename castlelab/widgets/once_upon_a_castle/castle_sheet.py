"""One sheet for one player: roll, place tokens, clear lines, and watch a castle grow."""

from __future__ import annotations

from typing import NamedTuple

import ipywidgets

from castlelab.draw.scene import Scene
from castlelab.draw.svg import side_by_side
from castlelab.game import Move, Pointing, load
from castlelab.games.once_upon_a_castle.board import face_words
from castlelab.games.once_upon_a_castle.castle import MAIN_PARTS, Castle
from castlelab.games.once_upon_a_castle.moves import END, PASS, STOP, Clear, Use
from castlelab.games.once_upon_a_castle.picture import castle_scene, sheet_scene
from castlelab.games.once_upon_a_castle.play import OnceState, OnceUponACastle
from castlelab.rules import LEGAL, CastlelabError, IllegalMove, Verdict
from castlelab.widgets.board.asked_board import asked_board
from castlelab.widgets.board.editor import BoardEditor, in_lines
from castlelab.widgets.controls import button, row
from castlelab.widgets.shown import Still
from castlelab.widgets.table.moment import Moment
from castlelab.widgets.table.move_picker import MovePicker

_ME = 0  # the other seat is there because the game needs two


class _Sheet(NamedTuple):
    """What undo goes back to: the game, and whether its dice are on the table."""

    state: OnceState
    rolled: bool = False
    seed: int = 0


class RollAndDraw(BoardEditor[_Sheet]):
    """Roll two dice, point at squares, clear full lines: the castle grows beside.

    It is a game for two in which nobody sits on the other seat. What is allowed is the
    affair of the game; this only hides the dice until they are rolled.
    """

    def __init__(self, version: str = "apprentice", seed: int = 1) -> None:
        game = load("once_upon_a_castle", players=2, version=version)
        assert isinstance(game, OnceUponACastle)
        self.game = game
        super().__init__(
            self._fresh(seed),
            label="Your sheet",
            text_hint="roll, use 1 b2, use 2 residents, clear row 2, end",
        )
        self.picker = MovePicker(self.board, self._moment(), self.play, ticks=False)
        self.castle_board = asked_board(self._castle_scene(), label="Your castle")
        side_by_side = ipywidgets.Layout(flex_flow="row wrap", align_items="flex-start")
        sheets = ipywidgets.HBox([self.board, self.castle_board], layout=side_by_side)
        self.children = (sheets, row(button("New sheet", self.new_sheet, self._fail)))
        self.add_class("castlelab-sheet")
        self._show_step("")

    @property
    def state(self) -> OnceState:
        """The game as it stands."""
        return self._now.state

    @property
    def castle(self) -> Castle:
        """The castle as it is drawn so far."""
        return self.state.castles[_ME]

    @property
    def rolled(self) -> bool:
        """Whether the dice are on the table."""
        return self._now.rolled

    def roll(self) -> None:
        """Roll both dice."""
        if self.state.over:
            raise CastlelabError("This sheet is finished. Take a new one.")
        if self.rolled:
            raise CastlelabError("The dice are rolled. Use both of them first.")
        one, other = map(face_words, self.state.dice)
        self._go(self._now._replace(rolled=True), f"You rolled {one} and {other}.")

    def play(self, move: Move | str) -> None:
        """Play a move; an illegal one raises and nothing changes."""
        if not self.rolled and not self.state.over:
            raise CastlelabError("Roll the dice first.")
        meant = self.game.move(move) if isinstance(move, str) else move
        before, self.picker.picks = self.state, ()
        if not (verdict := before.check(meant)):
            raise IllegalMove(meant, verdict)
        after = _left_alone(before.after(meant))
        rolled = after.turn == before.turn and not after.over
        told = in_lines(_deed(meant), drawn_words(before.castles[_ME], after.castles[_ME]))
        self._go(self._now._replace(state=after, rolled=rolled), told)

    def new_sheet(self) -> None:
        """Begin again with other dice; undo brings back the old sheet."""
        self._go(self._fresh(self._now.seed + 1), "A new sheet.")

    def still(self) -> Still:
        """The tokens and the castle."""
        board, castle = self.board.still(), self.castle_board.still()
        return Still(side_by_side((board.svg, castle.svg)), board.words)

    def standin(self) -> str:
        boards = self.board.standin() + self.castle_board.standin()
        return f'<div class="castlelab-sheet">{boards}</div>'

    def _fresh(self, seed: int) -> _Sheet:
        return _Sheet(_left_alone(self.game.start(seed)), seed=seed)

    # -- what is picked, typed and taken back ----------------------------------------------

    def _pick(self, target: str) -> None:
        if target == "roll":
            self.roll()
        elif self.rolled:
            self.picker.pick(target)
        elif (found := self.board.scene.target(target)) is not None:
            what = "The sheet is finished." if self.state.over else "Roll the dice first."
            self.board.say(f"{found.name}. {what}")

    def _write(self, text: str) -> None:
        if text.strip().lower() == "roll":
            self.roll()
        else:
            self.play(text)

    # -- what is shown ---------------------------------------------------------------------

    def _show(self, words: str, verdict: Verdict = LEGAL) -> None:
        moment = self._moment()
        self.picker.show(moment, in_lines(words, moment.start.words))
        self.castle_board.show(self._castle_scene())

    def _moment(self) -> Moment:
        """What to do next, or how it ended."""
        if self.rolled:
            return Moment(self._scene, point=self.state.point)
        pointing = Pointing(offers=("roll",), words="Roll the dice to begin the round.")
        if self.state.over:
            total = self.state.score(_ME).total
            words = f"Your castle is finished after {self.state.round} rounds: {total} points!"
            pointing = Pointing(words=words)
        return Moment(self._scene, point=lambda _: pointing)

    def _scene(self) -> Scene:
        return sheet_scene(self.state, rolled=self.rolled)

    def _castle_scene(self) -> Scene:
        return castle_scene(self.castle, title="Your castle", track=self.state.game.box.track)


def _left_alone(state: OnceState) -> OnceState:
    """The game when it comes to us again; whoever sits there else draws nothing."""
    while not state.over and (state.seat, state.active) != (_ME, _ME):
        quiet = next((move for move in (PASS, END, STOP) if state.check(move)), None)
        state = state.after(quiet or state.moves()[0])
    return state


def _deed(move: Move) -> str:
    """What a move did to the tokens, in words."""
    if isinstance(move, Use) and len(move.what) == 2:
        return f"A token lies on {move.what}."
    if isinstance(move, Clear):
        return f"{move.line.capitalize()} is cleared."
    return f"Done: {move}."


def drawn_words(old: Castle, new: Castle) -> str:
    """What has come to a castle, in words.

    >>> print(drawn_words(Castle(), Castle(towers=(5,))))
    Drawn: a tower worth 5.
    1 of 12 parts stands.
    """
    found = [
        *["a floor"] * (new.floors - old.floors),
        *(f"a tower worth {worth}" for worth in new.towers[len(old.towers) :]),
        *["a wall"] * (new.walls - old.walls),
        *(f"a flag worth {worth}" for worth in new.flags[len(old.flags) :]),
        *[f"residents (now {new.residents})"] * (new.residents > old.residents),
        *["the sun"] * (new.sun and not old.sun),
        *["the cloud"] * (new.cloud and not old.cloud),
        *["a small cloud"] * (new.small_clouds - old.small_clouds),
    ]
    told = [f"Drawn: {', '.join(found)}."] if found else []
    told += [f"A guest comes: {guest.words}." for guest in new.guests[len(old.guests) :]]
    if new.main_parts > old.main_parts:
        stand = "stands" if new.main_parts == 1 else "stand"
        told.append(f"{new.main_parts} of {MAIN_PARTS} parts {stand}.")
    return "\n".join(told)
