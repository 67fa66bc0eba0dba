"""Draw a build site of CastleScape: walls and recruits, and the baileys that come of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import ipywidgets
import traitlets

from castlelab.draw.scene import Scene
from castlelab.game import SEAT_NAMES, Question
from castlelab.games.castlescape.asking import site_questions
from castlelab.games.castlescape.board import PLAYERS, Bits, Board, read_square, square_name
from castlelab.games.castlescape.puzzles import decoys, leak_breach
from castlelab.games.castlescape.site_picture import bailey_words, board_scene, square_words
from castlelab.grid import Square
from castlelab.rules import LEGAL, CastlelabError, IllegalMove, NotationError, Verdict, quoted
from castlelab.widgets.board.editor import BoardEditor, in_lines
from castlelab.widgets.controls import button, layout, row

WALL, ERASE = "wall", "erase"
#: What a pick does: build a wall, place a recruit of Blue, Orange, …, or erase.
MODES = (WALL, *(name.lower() for name in SEAT_NAMES[:PLAYERS]), ERASE)
_EXAMPLES = "wall c3 c4; blue d4; erase c3; leak c3; clear"


# -- what can be done to a site --------------------------------------------------------------


def owner(board: Board, bit: Bits) -> int | None:
    """Whose recruit stands on a square."""
    sides = enumerate(zip(board.ground, board.atop, strict=True))
    return next((player for player, (low, high) in sides if (low | high) & bit), None)


def without_recruit(board: Board, bit: Bits) -> Board:
    """The site without the recruit of a square, whoever owns it."""
    player = owner(board, bit)
    return board if player is None else board.without_recruit(player, bit)


def without_wall(board: Board, bit: Bits) -> Board:
    """The site without the wall of a square; a recruit on it comes down to the ground."""
    player = owner(board, bit)
    bare = without_recruit(board, bit)
    lower = Board(bare.side, bare.walls & ~bit, bare.ground, bare.atop, bare.columns)
    return lower if player is None else lower.with_recruit(player, bit)


def almost_bailey(board: Board) -> Bits:
    """The largest ground that is shut in by sides, but leaks through a corner.

    Where there is none, it is the largest that misses a single wall.

    >>> board = Board.parse("..... / .###. / .#.#. / .##.. / .....")
    >>> board.names(almost_bailey(board))
    ('c3',)
    >>> board.names(almost_bailey(Board.parse("..... / .###. / .#... / .###. / .....")))
    ('c3',)
    """
    return max(decoys(board) or _one_wall_short(board), key=int.bit_count, default=0)


def _one_wall_short(board: Board) -> list[Bits]:
    """The baileys that there would be with one more wall."""
    grid, now = board.grid, set(board.courts())
    beside = grid.around(board.walls)
    return [
        court
        for square in grid.squares(beside)
        if (grid.around(grid.bit(square)) & board.walls).bit_count() > 1
        for court in board.with_wall(grid.bit(square)).courts()
        if court not in now and not court & board.enclosed()
    ]


# -- the editor ------------------------------------------------------------------------------


class SiteEditor(BoardEditor[Board]):
    """A site to draw on. ``value`` is the board as it stands; observe it to follow along.

    ``SiteEditor()`` begins with a single wall, ``SiteEditor(25)`` is larger, and
    ``SiteEditor("... / .#. / ...")`` begins with a board in notation. Walls may be drawn
    anywhere, and a broken rule is only told; ``by_rules`` refuses them.
    """

    value = traitlets.Instance(Board)
    mode = traitlets.Unicode(WALL)
    by_rules = traitlets.Bool(False)

    def __init__(
        self,
        board: Board | str | int = 13,
        *,
        players: int = 2,
        mode: str = WALL,
        by_rules: bool = False,
        label: str = "Site editor",
    ) -> None:
        if isinstance(players, bool) or players not in range(1, PLAYERS + 1):
            raise CastlelabError(f"a site has 1 to {PLAYERS} players, not {quoted(players)}")
        self.players = players
        self._path: tuple[Square, ...] = ()
        self._is_asking = False  # for a square, to show how it leaks
        self._refused_mode = mode  # what was drawn when the rules said no
        self.mode, self.by_rules = mode, by_rules
        seats = {str(number): MODES[number] for number in range(1, players + 1)}
        modes = {"w": WALL, "e": ERASE} | seats
        recruits = "1 places recruits" if players == 1 else f"1 to {players} place recruits"
        super().__init__(
            _read_board(board),
            above=[self._controls()],
            on_mend=self._do_instead,
            label=label,
            text_label="Type what to draw",
            text_hint=_EXAMPLES,
            keys={key: partial(self.set_trait, "mode", mode) for key, mode in modes.items()}
            | {"l": self.show_leak},
            keys_help=f"W builds walls, {recruits}, E erases, L shows a leak.",
        )
        self._buttons.observe(lambda change: self.set_trait("mode", change["new"]), "value")
        self._rules.observe(lambda change: self.set_trait("by_rules", change["new"]), "value")
        self.observe(self._follow, ["mode", "by_rules"])

    def _modes(self) -> tuple[str, ...]:
        return (WALL, *MODES[1 : self.players + 1], ERASE)

    @traitlets.validate("mode")
    def _valid_mode(self, proposal: dict[str, str]) -> str:
        mode, modes = proposal["value"], self._modes()
        if mode not in modes:
            raise CastlelabError(f"a mode is one of {', '.join(modes)}, not {quoted(mode)}")
        return mode

    def _controls(self) -> ipywidgets.VBox:
        self._buttons = ipywidgets.ToggleButtons(
            options=[(_mode_label(name), name) for name in self._modes()],
            value=self.mode,
            description="Draw",
            style={"button_width": "auto", "description_width": "44px"},
            layout=ipywidgets.Layout(width="auto"),
        )
        self._rules = ipywidgets.Checkbox(
            value=self.by_rules,
            description="By the rules",
            indent=False,
            layout=ipywidgets.Layout(width="auto"),
        )
        steps = row(
            button("Show the leak", self.show_leak, self._fail),
            button("Clear", self.clear, self._fail),
            self._rules,
        )
        return ipywidgets.VBox([self._buttons, steps], layout=layout())

    # -- what is done from Python ----------------------------------------------------------

    def build(self, board: Board | str | int) -> None:
        """Show another site; undo brings back the one before."""
        self._go_to(_read_board(board), "Another site.")

    def clear(self) -> None:
        """Take everything off the site; by the rules its first wall stays."""
        now = self._now
        empty = Board(now.side, 0, columns=now.columns)
        if self.by_rules and now.walls:
            middle = (now.grid.rows // 2, now.grid.columns // 2)
            empty = empty.with_wall(now.grid.bit(middle))
        self._go_to(empty, "The site is cleared.")

    def show_leak(self, square: str = "") -> None:
        """Show how a square leaks: the one named, else that under the focus if it leaks through
        a corner, else the ground that is nearly a bailey; if there is none, the ground that has
        the focus or is picked next. Asked again it is hidden."""
        board = self._now
        name = square or self._focused_ground()
        path = board.leak(name) if name else ()
        nearly = 0 if square or board.gaps(path) else almost_bailey(board)
        if nearly:
            path = board.leak(next(board.grid.squares(nearly)))
        if path and path == self._path and not square:
            self._path = ()
            self._show("The leak is hidden.")
            return
        self._path = path
        if path:
            self._show(str(leak_breach(board, path[0])))
        elif name:
            words = square_words(board, read_square(name), board.baileys())
            self._show(f"{words}. Nothing leaks there.")
        else:
            self._is_asking = True
            self._show("No ground is nearly enclosed. Pick a square to see how it leaks.")

    def _focused_ground(self) -> str:
        """The square under the focus; a wall has it because it was the last to be drawn."""
        name = self.board.focus or ""
        return "" if name and _holds(self._now, read_square(name), WALL) else name

    # -- what is picked, typed and taken back ----------------------------------------------

    def _pick(self, target: str) -> None:
        """Draw on a square; what one has drawn there goes when it is picked again.

        Somebody who was asked for a square to look at gets its leak instead.
        """
        if self._is_asking:
            self._is_asking = False
            self.show_leak(target)
            return
        square, board = read_square(target), self._now
        if not self.by_rules and _holds(board, square, self.mode):
            undraw = _without_wall if self.mode == WALL else _erased
            self._go_to(*undraw(board, square, ERASE))
        else:
            self._draw(self.mode, (square,))

    def _write(self, text: str) -> None:
        if "/" in text or "\n" in text.strip():
            self.build(text)
            return
        word, *names = text.replace(",", " ").lower().split() or [""]
        if word == "clear" and not names:
            self.clear()
        elif word == "leak" and len(names) < 2:
            self.show_leak(*names)
        elif word in self._modes() and names:
            self._draw(word, map(read_square, names))
        else:
            raise NotationError(f"{quoted(text)} is nothing to draw; write, such as: {_EXAMPLES}")

    def _draw(self, mode: str, squares: Iterable[Square]) -> None:
        """Do the same on one square after another; the rules may refuse all of it."""
        board, said = self._now, []
        drawn = tuple(squares)
        verdict = LEGAL
        if mode == WALL:
            walls = [one for one in drawn if self.by_rules or not _holds(board, one, WALL)]
            verdict = board.check_walls(walls) if walls or self.by_rules else LEGAL
        elif mode not in (WALL, ERASE) and self.by_rules:
            verdict = _check_recruits(board, drawn, mode)
        if self.by_rules and not verdict:
            names = ", ".join(map(square_name, drawn))
            self._refused_mode = mode
            raise IllegalMove(f"{_mode_label(mode)} on {names}", verdict)
        for square in drawn:
            board, words = _DRAWING.get(mode, _with_recruit)(board, square, mode)
            said.append(words)
        if board == self._now:
            self._show(" ".join(said[:4]))  # no step: undo would take back nothing
        else:
            self._go_to(board, " ".join(said[:4]), verdict)

    def _do_instead(self, mend: str | tuple[str, ...]) -> None:
        """Draw the same on the squares that would be right: one by name, or several."""
        names = (mend,) if isinstance(mend, str) else mend
        self._draw(self._refused_mode, map(read_square, names))

    def _follow(self, change: dict[str, object]) -> None:
        """A mode or the rules were changed, here or from Python."""
        self._buttons.value, self._rules.value = self.mode, self.by_rules
        self._is_asking = False
        if change["name"] == "mode":
            self._show(f"{_mode_label(self.mode)}: pick squares.")
        else:
            how = "refuse walls that are not legal" if self.by_rules else "only tell of them"
            self._show(f"The rules {how}.")

    # -- what is shown and asked -----------------------------------------------------------

    def _closed(self) -> int:
        return len(self._now.courts())

    def _may_ask(self) -> tuple[Question, ...]:
        """What may be asked of a site; ``leak`` draws its answer, too."""
        asked = site_questions(self._now, self._now.enclosed())
        return tuple(one for one in asked if one.word != "leak")

    def _go_to(self, board: Board, words: str, verdict: Verdict = LEGAL) -> None:
        told = [words, *_new_baileys(self._now, board)]
        if not verdict:
            told += ["Drawn, but in a game it would not be legal.", str(verdict)]
        self._go(board, in_lines(*told), verdict)

    def _show_step(self, words: str, verdict: Verdict = LEGAL) -> None:
        self._path, self._is_asking = (), False
        super()._show_step(words, verdict)

    def _scene(self) -> Scene:
        board = self._now
        builds = self.by_rules and self.mode == WALL
        return board_scene(board, path=self._path, spots=board.wall_spots() if builds else 0)


def _read_board(board: Board | str | int) -> Board:
    if isinstance(board, Board):
        return board
    return Board.parse(board) if isinstance(board, str) else Board.start(board)


def _mode_label(mode: str) -> str:
    return f"{'' if mode in (WALL, ERASE) else 'Recruit of '}{mode.capitalize()}"


def _holds(board: Board, square: Square, mode: str) -> bool:
    """Whether there is on a square what is drawn in a mode."""
    bit = board.grid.bit(square)
    if mode == WALL:
        return bool(board.walls & bit)
    return mode != ERASE and owner(board, bit) == MODES.index(mode) - 1


def _with_wall(board: Board, square: Square, _: str) -> tuple[Board, str]:
    bit, name = board.grid.bit(square), square_name(square)
    if board.walls & bit:
        return board, f"There is a wall on {name} already."
    lifted = owner(board, bit) is not None
    words = f"A wall on {name}{', with the recruit on top' if lifted else ''}."
    return board.with_wall(bit), words


def _without_wall(board: Board, square: Square, _: str) -> tuple[Board, str]:
    lower = without_wall(board, board.grid.bit(square))
    return lower, f"The wall of {square_name(square)} is gone."


def _check_recruits(board: Board, squares: Iterable[Square], mode: str) -> Verdict:
    """Whether recruits may be positioned one after the other, by the rules."""
    verdict = LEGAL
    for square in squares:
        found = board.check_recruit(square)
        verdict = Verdict(verdict.breaches + found.breaches)
        if found:
            board, _ = _with_recruit(board, square, mode)
    return verdict


def _with_recruit(board: Board, square: Square, mode: str) -> tuple[Board, str]:
    """A recruit of a player, in the place of any other."""
    bit, name, player = board.grid.bit(square), square_name(square), MODES.index(mode) - 1
    if owner(board, bit) == player:
        return board, f"There is a recruit of {SEAT_NAMES[player]} on {name} already."
    atop = bool(board.walls & bit)
    words = f"A recruit of {SEAT_NAMES[player]} on {name}, counts {1 + atop}."
    return without_recruit(board, bit).with_recruit(player, bit, atop=atop), words


def _erased(board: Board, square: Square, mode: str) -> tuple[Board, str]:
    """The recruit first, then the wall."""
    bit, name = board.grid.bit(square), square_name(square)
    if owner(board, bit) is not None:
        return without_recruit(board, bit), f"The recruit of {name} is gone."
    if board.walls & bit:
        return _without_wall(board, square, mode)
    return board, f"There is nothing on {name}."


_DRAWING: dict[str, Callable[[Board, Square, str], tuple[Board, str]]] = {
    WALL: _with_wall,
    ERASE: _erased,
}


def _new_baileys(before: Board, after: Board) -> list[str]:
    """What there is to say about baileys that were not there before, or are no more."""
    old, new = set(before.courts()), set(after.courts())
    told = [
        f"A bailey: {bailey_words(bailey)}." for bailey in after.baileys() if bailey.bits not in old
    ]
    if not told and len(old) > len(new):
        told.append("A bailey is open again.")
    return told[:6]
