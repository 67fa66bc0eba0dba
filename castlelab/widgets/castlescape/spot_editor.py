"""Choose squares of a CastleScape site: a bailey's ground, walls to build, recruits to give up."""

from __future__ import annotations

from collections.abc import Sequence

import traitlets

from castlelab.draw.scene import Scene
from castlelab.game import SEAT_NAMES, Question
from castlelab.games.castlescape.asking import site_questions
from castlelab.games.castlescape.board import (
    ON_GROUND,
    ON_WALL,
    Bits,
    Board,
    read_square,
    square_name,
)
from castlelab.games.castlescape.puzzles import BuildWalls, FindSquares, GiveUp, Spots
from castlelab.games.castlescape.site_picture import bailey_words, board_scene
from castlelab.rules import CastlelabError, IllegalMove, counted, listed, quoted
from castlelab.widgets.board.editor import BoardEditor, means_clear

SpotAsk = FindSquares | BuildWalls | GiveUp
NO_SPOTS = Spots()


class SpotEditor(BoardEditor[Spots]):
    """A site to choose squares on. ``value`` is what was chosen; observe it to follow along.

    A square that is picked again is given back.
    """

    value = traitlets.Instance(Spots)

    def __init__(self, ask: SpotAsk, *, label: str = "Site") -> None:
        if not isinstance(ask, SpotAsk):
            raise CastlelabError(
                f"a spot editor needs FindSquares, BuildWalls or GiveUp, not {quoted(ask)}"
            )
        self.ask = ask
        super().__init__(
            NO_SPOTS,
            label=label,
            text_label="Type squares",
            text_hint="c2 d2; clear takes all back",
        )
        self._show_step("")

    @property
    def site(self) -> Board:
        """The board as it is with the answer: walls stand, recruits are still there."""
        if isinstance(self.ask, BuildWalls):
            return self.ask.board.build(self._now.squares)
        return self.ask.board

    def build(self, answer: Spots | str) -> None:
        """Put a whole answer on the site; undo brings back what was there."""
        spots = self.ask.read(answer) if isinstance(answer, str) else answer
        self._go_to(spots, f"Chosen: {spots}." if spots.squares else "Nothing is chosen.")

    # -- what is picked, typed and taken back ----------------------------------------------

    def _pick(self, target: str) -> None:
        square, chosen = read_square(target), self._now.squares
        if square in chosen:
            rest = tuple(one for one in chosen if one != square)
            if isinstance(self.ask, BuildWalls) and not self.ask.board.check_walls(rest):
                rest = chosen[: chosen.index(square)]  # what leant on it goes too
            gone = [square_name(one) for one in chosen if one not in rest]
            self._go_to(Spots(rest), f"{_are(gone)} given back.")
        else:
            self._go_to(Spots((*chosen, square)), self._deed(target))

    def _deed(self, target: str) -> str:
        match self.ask:
            case BuildWalls():
                return f"A wall on {target}."
            case GiveUp():
                return f"The recruit of {target} is given up."
        return f"{target} is chosen."

    def _write(self, text: str) -> None:
        if means_clear(text):
            self.build(NO_SPOTS)
            return
        chosen, read = self._now.squares, self.ask.read(text).squares
        more = tuple(square for square in read if square not in chosen)
        if not more:
            self._show_step(f"{_are(list(map(square_name, dict.fromkeys(read))))} chosen already.")
            return
        self._go_to(Spots((*chosen, *more)), f"Chosen: {Spots(more)}.")

    # -- what may be chosen ----------------------------------------------------------------

    def _go_to(self, spots: Spots, words: str) -> None:
        """Take an answer that may be one; a refusal raises and nothing changes."""
        bits = self.ask.board.grid.bits(spots.squares)  # off the board is an error
        if bits.bit_count() < len(spots.squares):
            raise CastlelabError("A square can be chosen only once.")
        self._check(spots, bits)
        self._go(spots, words)

    def _check(self, spots: Spots, bits: Bits) -> None:
        ask = self.ask
        if isinstance(ask, BuildWalls):
            if len(spots.squares) > ask.walls:
                raise CastlelabError(
                    f"There are only {counted(ask.walls, 'wall')}. Pick one to take it back."
                )
            verdict = ask.check(spots.squares)
            if not verdict:
                raise IllegalMove(f"walls on {spots}", verdict)
        elif isinstance(ask, GiveUp):
            stranger = bits & ~(ask.board.ground[ask.player] | ask.board.atop[ask.player])
            if stranger:
                name = ask.board.names(stranger)[0]
                raise CastlelabError(f"No recruit of {SEAT_NAMES[ask.player]} stands on {name}.")

    def _offers(self) -> tuple[str, ...]:
        """The squares that may be picked next, where they are few."""
        ask, chosen = self.ask, self._now.squares
        if isinstance(ask, BuildWalls) and len(chosen) < ask.walls:
            site = self.site
            return site.names(site.wall_spots(ask.board.grid.bits(chosen)))
        if isinstance(ask, GiveUp):
            own = ask.board.ground[ask.player] | ask.board.atop[ask.player]
            return ask.board.names(own & ~ask.board.grid.bits(chosen))
        return ()

    # -- what is shown and asked -----------------------------------------------------------

    def _closed(self) -> int:
        return len(self.site.courts())

    def _may_ask(self) -> tuple[Question, ...]:
        """What may be asked of the site; not what the puzzle asks for."""
        if isinstance(self.ask, FindSquares):
            return tuple(one for one in site_questions(self.site) if one.word != "leak")
        return site_questions(self.site, self.site.enclosed())

    def _outlook(self) -> str:
        """How far the answer is."""
        ask, chosen = self.ask, self._now.squares
        if isinstance(ask, FindSquares):
            return f"{counted(len(chosen), 'square')} chosen." if chosen else ""
        if isinstance(ask, BuildWalls):
            left = ask.walls - len(chosen)
            before = set(ask.board.courts())
            new = [bailey for bailey in self.site.baileys() if bailey.bits not in before]
            told = [f"{counted(left, 'wall')} left."]
            return "\n".join(told + [f"A bailey: {bailey_words(bailey)}." for bailey in new])
        bits = ask.board.grid.bits(chosen)
        given = sum(
            worth * (sets[ask.player] & bits).bit_count()
            for sets, worth in ((ask.board.ground, ON_GROUND), (ask.board.atop, ON_WALL))
        )
        return f"Influence given up: {given} of {ask.infamy}."

    def _scene(self) -> Scene:
        chosen = self._now.squares
        match self.ask:
            case FindSquares(board):
                return board_scene(board, baileys=False, chosen=chosen)
            case GiveUp(board):
                return board_scene(board, crosses=chosen)
        return board_scene(self.site, chosen=chosen)


def _are(names: Sequence[str]) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"
