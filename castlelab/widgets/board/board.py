"""A scene on a canvas that mouse, touch, keys and words can play."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from math import hypot
from typing import Any

import ipywidgets

from castlelab.draw.scene import Highlights, Scene
from castlelab.draw.theme import DARK, LIGHT, Theme
from castlelab.rules import CastlelabError, IllegalMove
from castlelab.widgets.board.companion import Companion
from castlelab.widgets.board.easel import SCALE, Easel, Redraw, Sight, picture_size
from castlelab.widgets.board.look import WAYS, BoardLook, LookedAt
from castlelab.widgets.board.offers import mends_of, offer_buttons
from castlelab.widgets.controls import discard, layout, row
from castlelab.widgets.shown import ShownBox, Still, board_html

_LOG = logging.getLogger(__name__)
_PAGE_ROLES = (
    *("paper", "panel", "ink", "muted", "line", "accent", "on-accent", "focus"),
    *("accent-soft", "bad", "on-bad", "bad-soft"),
)
# JupyterLab hands some messages of widgets to a thread beside the one that runs the cells, and
# all canvases share one manager: whoever changes or draws a board waits for the other to end.
BOARD_LOCK = threading.RLock()
_SAME_TAP = 1.0  # seconds in which a browser may send a mouse press for a tap

Pick = Callable[[str], object]
Write = Callable[[str], object]
Action = Callable[[], object]


class BoardWidget(LookedAt, ShownBox):
    """A picture whose targets can be picked, with words for all that happens on it.

    Handlers are called with a target's id or with the text that was typed; they answer by
    :meth:`show` and :meth:`say`. What they raise is told on the page, and the board stays; where
    a breach knows what would mend it, ``on_mend`` does it at the press of a button.
    ``keys`` are single letters or digits of an editor's own, and ``keys_help`` says what they do.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        on_pick: Pick | None = None,
        on_text: Write | None = None,
        on_undo: Action | None = None,
        on_redo: Action | None = None,
        on_mend: Callable[[Any], object] | None = None,
        label: str = "Board",
        text_label: str = "Type a move",
        text_hint: str = "",
        keys: Mapping[str, Action] | None = None,
        keys_help: str = "",
        theme: Theme | None = None,
    ) -> None:
        self._on_pick, self._on_text = on_pick, on_text
        self._on_undo, self._on_redo = on_undo, on_redo
        self._on_mend = on_mend
        self.mends: tuple[Any, ...] = ()  # what is offered instead of what the rules refused
        self._offers: ipywidgets.HBox | None = None
        self._keys = dict(keys or {})
        self._look = BoardLook(scene)
        self._wide, self._is_narrow = scene, False  # the picture as it was given, and its page
        self.theme = theme or LIGHT
        self._follows_page = theme is None
        self.draft = ""  # the text in the box: what was written last, until it is accepted
        self._accepted = self._answered = 0
        self._depth = 0
        self._tap: tuple[float, float, float] = (-_SAME_TAP, 0.0, 0.0)
        self._pressed: str | None = None  # the target that was clicked last
        self._easel = Easel(scene)
        self._canvas = self._easel.canvas
        self._companion = Companion(
            label=label,
            asks=text_label,
            hint=text_hint,
            has_undo=on_undo is not None,
            has_redo=on_redo is not None,
            has_text=on_text is not None,
            answers=on_pick is not None,
            own_keys=list(self._keys),
            keys_help=keys_help,
            palette=_palette(self.theme),
            canvas=self._canvas.model_id or "",
            layout=ipywidgets.Layout(max_width=_words_width(scene)),
        )
        self._companion.add_class("castlelab-companion")
        self.sound = self._companion.sound
        super().__init__(children=[self._canvas, self._companion], layout=layout("board"))
        self.add_class("castlelab-board")
        self._canvas.on_client_ready(self._welcome)
        self._canvas.on_mouse_down(self._mouse)
        self._canvas.on_touch_start(self._touch)
        self._companion.on_msg(self._hear)

    # What a board shows

    @property
    def can_undo(self) -> bool:
        """Whether the Undo button is for use."""
        return self._on_undo is not None and self._look.can_undo

    @can_undo.setter
    def can_undo(self, possible: bool) -> None:
        with self._gathered():
            self._look = replace(self._look, can_undo=bool(possible))

    @property
    def can_redo(self) -> bool:
        """Whether the Redo button is for use."""
        return self._on_redo is not None and self._look.can_redo

    @can_redo.setter
    def can_redo(self, possible: bool) -> None:
        with self._gathered():
            self._look = replace(self._look, can_redo=bool(possible))

    def show(
        self,
        scene: Scene,
        said: str = "",
        lit: Iterable[str] = (),
        ok: bool = True,
        offered: Iterable[str] = (),
        held: str | None = None,
    ) -> None:
        """Show another picture and say what happened; the focus stays if its target does.

        ``lit`` are targets that break a rule, ``offered`` those that may be picked next, ``held``
        is the one whose thing is in hand and may be dragged from there.
        """
        with self._gathered():
            look = self._fitting(scene)
            look = replace(look, lit=tuple(lit), offered=tuple(offered), held=held)
            self._look = look.settled().speak(said, ok)
            self.offer(())

    def paint(self, scene: Scene) -> None:
        """Show another picture of the same things; what was said, lit and offered stays."""
        with self._gathered():
            self._look = self._fitting(scene).settled()

    def _fitting(self, scene: Scene) -> BoardLook:
        """What is shown, with another picture, laid out for the page that there is."""
        self._wide = scene
        return replace(self._look, scene=scene.fitted(self._is_narrow))

    def say(self, words: str, ok: bool = True) -> None:
        """Say something, each line on a line of its own; the picture stays."""
        with self._gathered():
            self._look = self._look.speak(words, ok)
            self.offer(())

    def fail(self, words: str) -> None:
        """Say that something is wrong."""
        self.say(words, ok=False)

    def offer(self, mends: Iterable[Any]) -> None:
        """Offer to do something else instead, until something else is shown or said."""
        found = tuple(mends) if self._on_mend is not None else ()
        if found == self.mends:
            return
        self.mends = found
        before = self._offers
        self._offers = row(*offer_buttons(found, self.mend, self.fail)) if found else None
        parts = (self._canvas, self._companion, self._offers)
        self.set_trait("children", tuple(part for part in parts if part is not None))
        if before is not None:
            discard(before)

    def mend(self, mend: Any) -> None:
        """Press the button that does something else instead."""
        if self._on_mend is not None:
            with self._gathered():
                self._attempt(self._on_mend, mend)

    @property
    def label(self) -> str:
        """What the board is called."""
        return str(self._companion.label)

    def rename(self, label: str) -> None:
        """Call the board otherwise from now on."""
        with self._gathered():
            self._companion.label = label

    def tell_turn(self, words: str) -> None:
        """Say in the title of the page whose turn it is, while this board is seen there."""
        self._companion.turn = words

    # What a person does

    def pick(self, target_id: str) -> None:
        """Pick a target, as a click, a tap, Enter or Space on it does."""
        with self._gathered():
            target = self.scene.target(target_id)
            if target is None:
                self.fail(f"There is nothing called {target_id!r} on this board.")
                return
            self._look = self._look.focused(target)
            if not target.enabled:
                self.fail(f"{target.name}: this cannot be picked now.")
            elif self._on_pick is not None:
                self._attempt(self._on_pick, target_id)

    def click(self, x: float, y: float) -> None:
        """Pick what lies at a point of the picture; beside every target nothing happens."""
        if (target := self.scene.at(x, y)) is not None:
            with self._gathered():
                self._look = replace(self._look, by_keys=False)
                self._pressed = target.id
                self.pick(target.id)

    def drop(self, x: float, y: float, *, again: bool = False) -> None:
        """Pick, too, where something is let go: what a click took up, or ``again`` had before."""
        if (again or self._pressed == self.held) and self._look.takes(x, y):
            self.click(x, y)

    def press(self, key: str) -> None:
        """Press a key: an arrow, Home, End, F6, Enter, Space, u or Ctrl+Z, r or Ctrl+Y, an own one.

        Keys that lead somewhere stay in a group of targets; F6 and Shift+F6 leave it.
        """
        name = key.lower() if key.strip() else "space"
        with self._gathered():
            self._look = replace(self._look, by_keys=True)
            if name in WAYS:
                self._move_focus(name)
            elif name in ("enter", "space") and self.focus is not None:
                self.pick(self.focus)
            elif name in ("enter", "space"):
                self._move_focus("home")
            elif name in ("u", "ctrl+z", "meta+z"):
                self.undo()
            elif name in ("r", "ctrl+y", "meta+y", "ctrl+shift+z", "meta+shift+z"):
                self.redo()
            elif name in self._keys:
                self._attempt(self._keys[name])

    def write(self, text: str) -> None:
        """Do what the text says; it stays in the box if it was refused."""
        if self._on_text is None:
            return
        with self._gathered():
            self.draft = text
            if self._attempt(self._on_text, text, expected=ValueError):
                self.draft = ""
                self._accepted += 1

    def undo(self) -> None:
        """Press the Undo button."""
        self._step(self._on_undo, self.can_undo, "There is nothing to undo.")

    def redo(self) -> None:
        """Press the Redo button."""
        self._step(self._on_redo, self.can_redo, "There is nothing to redo.")

    def _step(self, handler: Action | None, is_possible: bool, otherwise: str) -> None:
        if handler is None:
            return
        with self._gathered():
            if is_possible:
                self._attempt(handler)
            else:
                self.fail(otherwise)

    def _move_focus(self, name: str) -> None:
        if self.scene.targets:
            with self._gathered():
                self._look = self._look.led(name)
                self.sound("edge" if self._look.at_edge else None)

    # What handlers raise

    def _attempt(
        self,
        handler: Callable[..., object],
        *arguments: Any,
        expected: type[Exception] = CastlelabError,
    ) -> bool:
        """Call a handler; whatever it raises is told on the page in one line."""
        before = self._look
        try:
            handler(*arguments)
        except expected as error:
            _LOG.info("refused: %s", error)
            if isinstance(error, IllegalMove):
                self._look = replace(self._look, lit=error.verdict.where)
            self.fail(one_line(error))
            if isinstance(error, IllegalMove):
                self.offer(mends_of(error.verdict.breaches))
        except Exception as error:
            _LOG.exception("a handler of the board failed")
            self._look = before
            self.fail(f"Something went wrong: {one_line(error)} (the board is as it was)")
        else:
            return True
        return False

    # What goes to the page

    @contextmanager
    def _gathered(self) -> Iterator[None]:
        """Whatever changes inside is drawn and spoken once, at the outermost end."""
        with BOARD_LOCK:
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if not self._depth:
                    self._update_page()

    def _update_page(self) -> None:
        """First the picture, in one message, then the words: a page takes longer over those.

        Only where something will move the words lead, and what will move is told with them: the
        page still needs the old picture then.
        """
        try:
            look = self._look
            sight = Sight(look.scene, look.lit, look.offered, look.ring, self.theme)
            redraw = self._easel.plan(sight)
            if redraw is None:
                self._speak()
            elif redraw.motion:
                self._speak(redraw)
                self._easel.draw(redraw)
            else:
                self._easel.draw(redraw)
                self._speak(redraw)
        except Exception as error:
            _LOG.exception("the board could not be drawn")
            words = f"Something went wrong: {one_line(error)} (the picture is the one before)"
            self._look = self._look.speak(words, ok=False)
            self._speak()

    def _speak(self, redraw: Redraw | None = None) -> None:
        with self._companion.hold_sync():
            self._companion.accepted, self._companion.answered = self._accepted, self._answered
            _tell(self._companion, self._look, redraw)

    def _welcome(self) -> None:
        """A page has made its canvas, which is empty: draw, whatever was drawn elsewhere."""
        with self._gathered():
            self._easel.welcome()

    # What comes from the page

    def _mouse(self, x: float, y: float) -> None:
        tapped, tap_x, tap_y = self._tap
        if time.monotonic() - tapped < _SAME_TAP and hypot(x - tap_x, y - tap_y) < 20 * SCALE:
            return  # the browser's echo of a tap
        self.click(x / SCALE, y / SCALE)

    def _touch(self, touches: list[tuple[float, float]]) -> None:
        if len(touches) == 1:  # two fingers are zooming, not picking
            x, y = touches[0]
            self._tap = time.monotonic(), x, y
            self.click(x / SCALE, y / SCALE)

    def _reach(self, spot: int, deed: str, number: int) -> None:
        """The twin of a target has the focus, or a key or a click there did something."""
        with self._gathered():
            self._answered = number
            if 0 <= spot < len(self.scene.targets):
                self._look = replace(self._look.focused(self.scene.targets[spot]), by_keys=True)
            if deed == "click" and self.focus is not None:
                self._look = replace(self._look, by_keys=False)
                self.pick(self.focus)
            elif deed:
                self.press(deed)

    def _hear(self, _: object, content: dict[str, Any], __: object) -> None:
        match content:
            case {"do": "undo"}:
                self.undo()
            case {"do": "redo"}:
                self.redo()
            case {"do": "write", "text": str(text)}:
                self.write(text)
            case {"do": "click", "x": int() | float() as x, "y": int() | float() as y}:
                self.click(x, y)
            case {"do": "drop", "x": int() | float() as x, "y": int() | float() as y}:
                self.drop(x, y, again=content.get("again") is True)
                self._companion.send({"dropped": True})
            case {"do": "reach", "spot": int(at), "deed": str(deed), "number": int(number)}:
                self._reach(at, deed, number)
            case {"do": "theme", "dark": bool(dark)}:
                self._change_theme(dark)
            case {"do": "width", "narrow": bool(narrow)}:
                self.fit(narrow)

    def fit(self, is_narrow: bool) -> None:
        """Lay the picture out for a narrow page or for a wide one."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self.paint(self._wide)
            self._easel.resize(self.scene)  # also where there is no page to draw on yet
            self._companion.narrow = is_narrow  # after it, so that who reads it sees the picture

    def _change_theme(self, dark: bool) -> None:
        if self._follows_page:
            with BOARD_LOCK, self._companion.hold_sync(), self._gathered():
                self.theme = DARK if dark else LIGHT
                self._companion.dark = dark
                self._companion.palette = _palette(self.theme)

    # What is left without a page

    def __repr__(self) -> str:
        parts = (self.scene.title, self.scene.description)
        return f"Board({': '.join(part for part in parts if part)})"

    def still(self) -> Still:
        return Still.of(self._wide, **self._highlights)

    def standin(self) -> str:
        return board_html(self._wide, self.still().words, self._look.said_html, **self._highlights)

    @property
    def _highlights(self) -> Highlights:
        return {"lit": self._look.lit, "offered": self._look.offered}


def _tell(companion: Companion, look: BoardLook, redraw: Redraw | None) -> None:
    """Let the page know in words what is shown, where it is, and what will move."""
    companion.about, companion.where = look.scene.description, look.where
    companion.said = look.said_lines
    companion.sound("refused" if look.times > companion.times and not look.ok else None)
    companion.ok, companion.times = look.ok, look.times
    companion.can_undo, companion.can_redo = look.can_undo, look.can_redo
    companion.locate(look.scene, look.held, look.offered)
    companion.focus, companion.edges = look.number, look.edges
    companion.eye = look.eye
    if redraw is not None:
        companion.layout.max_width = _words_width(redraw.wanted.scene)
        if redraw.motion is not None:
            companion.motion = redraw.motion


def _words_width(scene: Scene) -> str:
    """As wide as the picture, but never too narrow for a sentence."""
    return f"{max(picture_size(scene)[0] + 8, 520)}px"


def _palette(theme: Theme) -> dict[str, str]:
    return {role: theme[role] for role in _PAGE_ROLES}


def one_line(error: Exception) -> str:
    """An error as a page tells it."""
    return " ".join(str(error).split()) or type(error).__name__
