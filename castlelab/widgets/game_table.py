"""A game on the page: the board, the legal moves, undo, and bots for the other seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import NamedTuple

import ipywidgets

from castlelab.bots import Bot, bot
from castlelab.chance import Chance
from castlelab.draw.scene import Circle, Rect, Scene, Shape, Target, Text
from castlelab.draw.theme import SEAT_NAMES
from castlelab.game import Game, Move, State, load
from castlelab.record import Record
from castlelab.rules import CastlelabError, IllegalMove
from castlelab.widgets.board import Board
from castlelab.widgets.controls import button, row

_LISTED = 12  # rows of the list of moves


class _Asked(NamedTuple):
    """A grave move that waits for a yes: picking its target again is one."""

    target: str
    move: Move


class GameTable(ipywidgets.VBox):  # type: ignore[misc]
    """Play a game: point at the picture, choose from the list, or type a move in notation.

    Where the state says what pointing means, what may be picked is outlined; elsewhere a pick
    lists the moves of a place. ``bots`` names a bot for each seat that it shall play, such as
    ``{1: "greedy"}``. The picture is what the player to move may see.
    """

    def __init__(
        self,
        game: Game | str = "castell",
        seed: int | str = 1,
        bots: Mapping[int, str] | None = None,
        record: Record | None = None,
    ) -> None:
        self.record = record or Record.start(load(game) if isinstance(game, str) else game, seed)
        self._bots: dict[int, Bot] = {seat: bot(name) for seat, name in (bots or {}).items()}
        seats = range(self.record.game.players)
        for seat in self._bots:
            if seat not in seats:
                raise CastlelabError(f"no seat {seat!r} for a bot; seats go from 0 to {seats[-1]}")
        self._people = [seat for seat in seats if seat not in self._bots]
        self._chance = Chance.seeded(f"table {seed}")
        self._picks: tuple[str, ...] = ()
        self._asked: _Asked | None = None
        self._let_bots_play()
        self.board = Board(
            self._picture(),
            on_pick=self._pick,
            on_text=self.play,
            on_undo=self._undo,
            on_redo=self._redo,
            label=self.record.game.title,
            text_hint=f"A move in notation, such as: {_example(self.record)}",
        )
        self._moves = _move_list(self.record.states[0])
        self._yes = button("Yes, do it", self._do_it, self._fail, main=True)
        self._question = row()
        buttons = row(
            button("Play this move", self._play_chosen, self._fail, main=True),
            button("All moves", lambda: self._list(""), self._fail),
        )
        super().__init__(children=[self.board, self._question, self._moves, buttons])
        self.add_class("castlelab-table")
        self._show("")

    @property
    def listed(self) -> tuple[str, ...]:
        """The moves on offer, in notation."""
        return tuple(self._moves.options)

    @property
    def picks(self) -> tuple[str, ...]:
        """The targets that were picked on the way to a move."""
        return self._picks

    def play(self, move: Move | str) -> None:
        """Play a move; an illegal one raises and nothing changes."""
        self.record = self.record.play(move)
        words = f"Played: {self.record.moves[-1]}."
        self._show("\n".join([words, *self._let_bots_play()]))

    def _play_chosen(self) -> None:
        if self._moves.value is None:
            self._fail("Choose a move of the list first.")
            return
        self.play(self._moves.value)

    def _fail(self, words: str) -> None:
        self.board.say(words, ok=False)

    def _let_bots_play(self) -> list[str]:
        told = []
        while (seat := self.record.state.to_move) in self._bots:
            assert seat is not None
            move, self._chance = self._bots[seat].choose(self.record.state, self._chance)
            self.record = self.record.play(move)
            told.append(f"Seat {seat + 1} played: {move}.")
        return told

    # -- pointing --------------------------------------------------------------------------

    def _pick(self, target: str) -> None:
        if self._asked is not None and target == self._asked.target:
            self._do_it()
            return
        pointing = self.record.state.point((*self._picks, target))
        if pointing.move is not None and pointing.asks:
            self._ask(_Asked(target, pointing.move))
            self.board.show(self._picture(), pointing.words, lit=pointing.falling)
        elif pointing.move is not None:
            self._play_pointed(pointing.move)
        elif pointing.offers or pointing.words:
            self._ask(None)
            self._picks = pointing.picks
            offers = pointing.offers if pointing.picks else self._first_offers()
            self.board.show(self._picture(), pointing.words, offered=offers)
        else:
            self._look_up(target)

    def _play_pointed(self, move: Move) -> None:
        try:
            self.play(move)
        except IllegalMove:
            # The board tells why and where; pointing begins anew.
            self._begin_again()
            raise

    def _begin_again(self, said: str = "") -> None:
        """Nothing is picked, nothing is asked; what one may begin with is outlined."""
        self._picks = ()
        self._ask(None)
        self.board.show(self._picture(), said, offered=self._first_offers())

    def _first_offers(self) -> tuple[str, ...]:
        return self.record.state.point(()).offers

    def _ask(self, asked: _Asked | None) -> None:
        """Show the button for a yes only while there is a question."""
        self._asked = asked
        self._question.children = () if asked is None else (self._yes,)

    def _do_it(self) -> None:
        if self._asked is not None:
            self._play_pointed(self._asked.move)

    def _look_up(self, target: str) -> None:
        """Say what is there and list the moves that name it."""
        self._ask(None)
        self._picks = ()
        found = self.board.scene.target(target)
        self._list(target)
        self.board.say(found.name if found is not None else target)

    # -- what is shown ---------------------------------------------------------------------

    def _undo(self) -> None:
        self.record = self.record.undo()
        while self.record.state.to_move in self._bots:
            self.record = self.record.undo()
        self._show("Taken back.")

    def _redo(self) -> None:
        self.record = self.record.redo()
        while self.record.undone and self.record.state.to_move in self._bots:
            self.record = self.record.redo()
        self._show("Done again.")

    def _seen(self) -> State:
        """What the people at the table may see: the view of whoever of them moves."""
        state = self.record.state
        if state.to_move in self._people:
            assert state.to_move is not None
            return state.view(state.to_move)
        return state.view(self._people[0]) if len(self._people) == 1 else state

    def _picture(self) -> Scene:
        """The picture, with what is picked so far marked in it."""
        return _with_picks(self._scene(), self._picks)

    def _scene(self) -> Scene:
        return self._seen().picture()

    def _words(self) -> str:
        return self._seen().describe()

    def _prompt(self) -> str:
        return self.record.state.point(()).words

    def _show(self, said: str) -> None:
        told, outcome = self._words(), _outcome(self.record.state, self._people)
        if outcome in told:
            outcome = ""  # the game has said so itself
        words = (said, told, outcome, self._prompt())
        self._begin_again("\n".join(filter(None, words)))
        # What bots played before anybody else is not for taking back.
        self.board.can_undo = any(s.to_move not in self._bots for s in self.record.states[:-1])
        self.board.can_redo = bool(self.record.undone)
        self._list("")

    def _legal(self) -> tuple[Move, ...]:
        return self.record.state.moves()

    def _list(self, word: str) -> None:
        """Offer the moves that name a place, or all of them if none does."""
        moves = [str(move) for move in self._legal()]
        named = [move for move in moves if word and word.lower() in move.lower()]
        self._moves.options = named or moves
        self._moves.value = self._moves.options[0] if self._moves.options else None


def _with_picks(scene: Scene, picks: Collection[str]) -> Scene:
    """The picture with a tick on what is picked, and how often if more than once."""
    counts = Counter(picks)
    shapes: list[Shape] = []
    targets = []
    for target in scene.targets:
        times = counts[target.id]
        if times:
            shapes += _tick(target, times)
            target = replace(target, name=f"{target.name}, picked")
        targets.append(target)
    return replace(scene.with_shapes(*shapes), targets=tuple(targets)) if shapes else scene


def _tick(target: Target, times: int) -> tuple[Shape, ...]:
    radius = min(10.0, target.height / 7)
    # Inside, where no ring crosses it; offers and breaches have their badges in the corners.
    x, y = target.x + radius + 3, target.y + target.height * 0.55
    return (
        Rect(
            *(target.x + 2, target.y + 2, target.width - 4, target.height - 4),
            stroke="accent",
            line=3,
            radius=5,
        ),
        Circle(x, y, radius, "accent", "paper", 1.5),
        Text(
            x, y, "✓" if times == 1 else f"{times}", radius * 1.3, "on-accent", "middle", bold=True
        ),
    )


def _move_list(start: State) -> ipywidgets.Select | ipywidgets.Dropdown:
    """The list of moves: one line where the picture is played, else open to see."""
    wide = ipywidgets.Layout(width="95%", max_width="520px")
    if start.point(()).offers:
        return ipywidgets.Dropdown(description="Moves", layout=wide)
    return ipywidgets.Select(description="Moves", rows=_LISTED, layout=wide)


def _example(record: Record) -> str:
    """A move that could be typed now, or could have been at the start."""
    return str((record.state.moves() or record.states[0].moves())[0])


def _outcome(state: State, people: Collection[int]) -> str:
    """Who won, once it is over; somebody alone among bots is spoken to."""
    if not state.over:
        return ""
    winners = state.winners
    if len(people) == 1 and len(winners) < 2:
        return "You won!" if set(winners) == set(people) else "You lost."
    names = " and ".join(SEAT_NAMES[seat] for seat in winners) or "Nobody"
    return f"A tie between {names}." if len(winners) > 1 else f"{names} won."
