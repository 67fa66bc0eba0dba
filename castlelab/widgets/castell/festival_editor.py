"""A festival of Castell: build your tower for it, and see what it would score."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from castlelab.game import SEAT_NAMES, Move
from castlelab.games.castell.moves import STAY_OUT, Enter
from castlelab.games.castell.optimum import best_tower
from castlelab.games.castell.play import CastellState
from castlelab.games.castell.telling import region_name
from castlelab.games.castell.tower import Tower, festival_score
from castlelab.rules import Verdict, counted, either
from castlelab.widgets.castell.tower_editor import TowerEditor
from castlelab.widgets.controls import button, html, layout, row
from castlelab.widgets.shown import ShownBox, Still


class FestivalEditor(ShownBox):
    """The tower editor for whoever may build now, with what the tower would score beside it.

    ``play`` gets the move that is decided upon, ``fail`` a line where that goes wrong. A tower
    that may not enter is not played: its rule says why, and it comes down.
    """

    def __init__(
        self,
        state: CastellState,
        play: Callable[[Move], object],
        fail: Callable[[str], object],
    ) -> None:
        assert state.festival is not None
        self._state, self._play = state, play
        self._festival = state.calendar[state.festival]
        me, wanted = state.mover, self._festival.wanted
        where = region_name(state, self._festival.region)
        self._best = best_tower(me.team, me.skills, wanted)
        self._told = False  # what the best tower scores
        self.editor = TowerEditor(
            me.team, me.skills, wanted=wanted, label=f"Your tower for {where}"
        )
        self.heading = html(_heading(state, where, wanted))
        self.score = html()
        self.best = button("Best tower", self._show_best, fail)
        self.enter = button("Enter", self._enter, fail, main=True)
        self.out = button("Stay out", self._stay_out, fail)
        self.editor.observe(self._follow, "value")
        buttons = row(self.enter, self.out, self.best)
        # Above the board, where they are seen in every window.
        super().__init__(children=[self.heading, self.score, buttons, self.editor], layout=layout())
        self.add_class("castlelab-festival")
        self._follow()

    @property
    def move(self) -> Enter:
        """The tower on the bench, entered for the festival."""
        return Enter(self.editor.value)

    def _points(self, tower: Tower) -> int:
        return festival_score(tower, self._festival.wanted)

    # -- what the tower would score ----------------------------------------------------------

    def _follow(self, _: object = None) -> None:
        """Say what the tower on the bench would score, or why it may not enter."""
        tower = self.editor.value
        self.enter.description = "Enter"
        if not tower.levels:
            self._say("Build your tower, level by level. Or stay out.")
            return
        verdict = self._state.check(self.move)
        points = counted(self._points(tower), "point")
        if not verdict:
            self._say(_why_not(verdict))
            return
        self.enter.description = f"Enter, {points}"
        others = self._points(tower) - tower.height
        self._say(
            f"It scores {points} now: {counted(tower.height, 'level')} "
            f"and {counted(others, 'wanted casteller')}."
        )

    def _say(self, words: str) -> None:
        self.score.value = _live(words)

    # -- what may be decided -----------------------------------------------------------------

    def _enter(self) -> None:
        if self._state.check(self.move):
            self._play(self.move)
        elif self.editor.value.levels:
            self.editor.refuse()
        else:
            self._say("There is no tower yet. Pick a casteller, then a level. Or stay out.")

    def _stay_out(self) -> None:
        self._play(STAY_OUT)

    def _show_best(self) -> None:
        """First what the best tower would score, then the tower itself."""
        assert self._best is not None  # a festival asks only those who can enter
        if self._told:
            self.editor.build(self._best)
            return
        self._told = True
        points = counted(self._points(self._best), "point")
        self.best.description = f"Build it, {points}"
        self._say(f"Your best tower here would score {points}. Do you find it?")

    # -- what it leaves behind ---------------------------------------------------------------

    def still(self) -> Still:
        return self.editor.still()

    def standin(self) -> str:
        return self.editor.standin()


def _heading(state: CastellState, where: str, wanted: tuple[int, ...]) -> str:
    """What the festival asks for, and what others have built."""
    sizes = either([str(size) for size in wanted])
    rule = f"A point for each level, and for each casteller of size {sizes}."
    lines = [f"<b>Festival at {escape(where)}.</b> {rule}"]
    lines += [
        f"{SEAT_NAMES[seat]} has built {counted(tower.height, 'level')} "
        f"for {counted(festival_score(tower, wanted), 'point')}."
        for seat, tower in state.entries
    ]
    return _paragraph("castlelab-festival-heading", " ".join(lines))


def _live(words: str) -> str:
    """A line that is read out when it changes."""
    return f'<p class="castlelab-festival-score castlelab-news">{escape(words)}</p>'


def _paragraph(name: str, markup: str) -> str:
    return f'<p class="{name}">{markup}</p>'


def _why_not(verdict: Verdict) -> str:
    """Why a tower may not enter: the first rule that it breaks, by its title."""
    breach = verdict.breaches[0]
    return f"It may not enter. {breach.rule.title}: {breach.message}"
