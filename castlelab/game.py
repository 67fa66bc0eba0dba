"""The contract that every game keeps.

A :class:`Game` is a set of rules with its options chosen. Its :class:`State` never
changes: ``play`` returns the next one, so undo, replay and search need no help.
"""

from __future__ import annotations

import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cached_property, wraps
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from castlelab.rules import (
    LEGAL,
    Breach,
    CastlelabError,
    IllegalMove,
    Rulebook,
    Verdict,
    counted,
    either,
    in_figures,
    listed,
    quoted,
    rulebook,
)
from castlelab.system import entry_points
from castlelab.system.packages import widget

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from castlelab.chance import Chance
    from castlelab.draw.scene import Scene, Telling
    from castlelab.edition import Edition

#: The games of this package: their load names and their classes. They are not announced as
#: those of other packages are, so that a plain checkout has them too.
_OUR_GAMES = {
    "castell": "castlelab.games.castell.play:Castell",
    "castle_keep": "castlelab.games.castle_keep.play:CastleKeep",
    "castle_rampage": "castlelab.games.castle_rampage.play:CastleRampage",
    "castlescape": "castlelab.games.castlescape.play:CastleScape",
    "once_upon_a_castle": "castlelab.games.once_upon_a_castle.play:OnceUponACastle",
}

#: What the players are called in every game: by their colours in the picture.
SEAT_NAMES = ("Blue", "Orange", "Green", "Gold")

_LOAD_NAME = re.compile(r"[a-z]+(_[a-z]+)*")  # rules, puzzles and pages are called by it

T = TypeVar("T")
M = TypeVar("M", bound="Move")


def changed(thing: T, **changes: Any) -> T:
    """A frozen dataclass with some fields changed: ``dataclasses.replace`` in a hurry.

    Play makes a new state for every move, and this costs a tenth of ``replace``. It asks
    no questions: it is for classes without ``__slots__`` and without ``__post_init__``.
    """
    new = object.__new__(type(thing))
    # Whole, which is quicker than key by key. Not ``|``: a dict made so shares its keys with
    # the class, and Python reads the fields of such a one four times as slowly.
    # It goes past the lock of a frozen class.
    object.__setattr__(new, "__dict__", {**thing.__dict__, **changes})
    return new


def written(thing: Any) -> str:
    """A dataclass as it can be typed back: what is as usual is left out.

    >>> written(Option("side", (13, 15), 13, "how long")), written(Pointing(words="Go on."))
    ("Option('side', (13, 15), 13, 'how long')", "Pointing(words='Go on.')")
    """
    told = []
    for part in fields(thing):
        value = getattr(thing, part.name)
        if part.default is MISSING:
            told.append(repr(value))
        elif value != part.default:
            told.append(f"{part.name}={value!r}")
    return f"{type(thing).__name__}({', '.join(told)})"


def changed_at(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The items with one of them changed."""
    return (*items[:at], item, *items[at + 1 :])


def without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """The items, in order, with one of them gone."""
    at = items.index(item)
    return items[:at] + items[at + 1 :]


class Move:
    """One small step of a turn: a frozen dataclass. Its text, ``str(move)``, is its notation.

    Not an abstract class: ``isinstance`` is asked of moves all the time, and of abstract
    classes it is slow.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()  # the names of its fields
    kind: ClassVar[str]  # what it is counted as: "recruit", "end", …

    def __str__(self) -> str:
        """Its kind and what its fields hold, as most moves are written."""
        return " ".join([self.kind, *[str(getattr(self, name)) for name in self.__match_args__]])


Moves = tuple[Move, ...]
_REMARKS = 4  # about a seat that are worth the room
_NAMED = 4  # moves that are named in a sentence before the rest are only counted


def instead(moves: Sequence[Move]) -> str:
    """The moves that mend a breach, as a sentence; "" if there are none."""
    if not moves:
        return ""
    named = [str(move) for move in moves[:_NAMED]]
    if more := len(moves[_NAMED:]):
        named.append(counted(more, "other move"))
    return f"Try {either(named)}."


def refusal(
    rules: Rulebook,
    rule: str,
    message: str,
    where: tuple[str, ...] = (),
    hint: str = "",
    mends: Moves = (),
) -> Breach:
    """A breach of the rule of that id; the moves that mend it are said after the hint."""
    return Breach(rules[rule], message, where, f"{hint} {instead(mends)}".strip(), mends)


@dataclass(frozen=True, slots=True)
class Pointing:
    """What pointing at one thing of the picture after another has come to.

    It is a move once it says enough, legal or not: ``check`` is there to explain. Until
    then it is what may be pointed at next.
    """

    move: Move | None = None
    asks: bool = False  # whether the move is so grave that one is asked before
    falling: tuple[str, ...] = ()  # the targets that the move would bring down
    offers: tuple[str, ...] = ()  # the targets that lead on to a legal move
    words: str = ""  # what is said meanwhile
    picks: tuple[str, ...] = ()  # the picks that still count: one may have been put back


class Prospect(NamedTuple):
    """One part of an estimate, and what is said to the player when a move changes it."""

    worth: float
    better: str
    worse: str


class Emblem(NamedTuple):
    """A thing in a sentence: its words, and what :meth:`Game.emblem` knows its picture by.

    The picture stands for the words, or beside them where it does not tell them all.
    """

    words: str
    picture: str
    named: bool = False  # whether the words are written beside the picture

    def __str__(self) -> str:
        return self.words


Sentence = tuple[str | Emblem, ...]


class Question(NamedTuple):
    """What may be asked about a table of a game: a word, what may follow it, and the answer.

    ``answer`` gets what followed the word; where that means nothing it raises a
    :class:`CastlelabError` that says what would.
    """

    word: str
    about: str
    answer: Callable[[str], str]
    takes: str = ""  # an example of what may follow: "c3"
    group: str = ""  # the targets that it tells of in fewer words, where all is told


class Source(NamedTuple):
    """Where points have come from, and how many."""

    name: str
    points: int


class Standing(NamedTuple):
    """How a seat stands: a number, and what it counts where these are no points."""

    number: int
    unit: str = ""


@dataclass(frozen=True)
class Option:
    """A choice made when a game is loaded: its name, what is allowed, what is usual."""

    name: str
    allowed: tuple[Any, ...]
    usual: Any
    about: str


def _pictures_of(cls: type) -> ModuleType:
    """The ``picture.py`` of a room: only loaded when somebody looks."""
    return import_module(f"{cls.__module__.rpartition('.')[0]}.picture")


class Game(ABC):
    """A game with its options: where states come from and moves are read."""

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]  # one inviting sentence
    seats: ClassVar[range]  # how many may play
    option_list: ClassVar[tuple[Option, ...]] = ()
    futures: ClassVar[int] = 100  # that a bot should imagine for a move: a moment's thought

    def __init__(
        self, players: int | None = None, edition: Edition | None = None, **options: Any
    ) -> None:
        known = {option.name: option for option in self.option_list}
        for name, value in options.items():
            if name not in known:
                choices = ", ".join(known) or "none"
                raise CastlelabError(
                    f"{self.name} has no option {quoted(name)}; its options: {choices}"
                )
            # `in` alone would take 1 for True.
            if not any(type(value) is type(a) and value == a for a in known[name].allowed):
                allowed = ", ".join(map(repr, known[name].allowed))
                raise CastlelabError(
                    f"{self.name}: {name} is one of {allowed}, not {quoted(value)}"
                )
        self.options = {name: options.get(name, option.usual) for name, option in known.items()}
        self.players = self._seated(players)
        self.edition = edition
        if edition is not None:
            self.set_up(edition)

    def set_up(self, edition: Edition) -> None:  # noqa: B027 (a game may need nothing)
        """Read the edition and work out what never changes; players and options are chosen."""

    def check_seat(self, seat: int) -> None:
        """Refuse a seat that is not there; seats are counted from 0."""
        if isinstance(seat, bool) or seat not in range(self.players):
            last = self.players - 1
            raise CastlelabError(f"there is no seat {quoted(seat)}; seats go from 0 to {last}")

    @classmethod
    def seats_for(cls, **options: Any) -> range:
        """How many may play with these options."""
        return cls.seats

    def _seated(self, players: int | None) -> int:
        """The number of players: what was asked for, or two where two may play."""
        seats = self.seats_for(**self.options)
        if players is None:
            return 2 if 2 in seats else seats[0]
        if isinstance(players, bool) or not isinstance(players, int) or players not in seats:
            least, most = seats[0], seats[-1]
            number = f"{least} to {most} players" if least < most else counted(least, "player")
            chosen = self._chosen() if seats != self.seats_for() else ""
            way = f" with {chosen}" if chosen else ""
            raise CastlelabError(f"{self.name}{way} is for {number}, not {quoted(players)}")
        return players

    def _chosen(self) -> str:
        """The options that are not as usual, as they are written."""
        usual = {option.name: option.usual for option in self.option_list}
        return ", ".join(f"{n}={v!r}" for n, v in self.options.items() if v != usual[n])

    @cached_property
    def rules(self) -> Rulebook:
        """Every rule of the game by id."""
        return rulebook(self.name)

    @abstractmethod
    def start(self, seed: int | str = 0) -> State:
        """The first state; the same seed gives the same game on every machine."""

    @abstractmethod
    def move(self, text: str) -> Move:
        """Read a move; bad text is a ``NotationError`` that says what was expected."""

    @classmethod
    def cover(cls) -> Scene:
        """A picture that makes one want to play: ``cover_scene`` of the room's ``picture.py``."""
        scene: Scene = _pictures_of(cls).cover_scene()
        return scene

    @classmethod
    def emblem(cls, picture: str) -> Scene:
        """The little picture of a thing that a sentence names: ``emblem_scene`` of the room's
        ``picture.py``. A game whose sentences name nothing with a picture needs none.
        """
        scene: Scene = _pictures_of(cls).emblem_scene(picture)
        return scene

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        """What the letters and signs on the table mean, one after the other."""
        return ()

    def __repr__(self) -> str:
        chosen = self._chosen()
        return f"load({self.name!r}, players={self.players}{', ' if chosen else ''}{chosen})"


class State(ABC):
    """One moment of a game. Immutable: a frozen dataclass, made anew by :func:`changed`.

    Moves may be given as text too. A game need not care: its ``check`` gets moves.
    """

    game: Game
    _judged: ClassVar[Callable[[Any, Move], Verdict]]  # the game's own `check`, for `play`

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own: Any = cls.check
        if own is not State.check and not hasattr(own, "reads_text"):
            cls._judged = own
            cls.check = _reading(own)  # type: ignore[method-assign]
        # As its own, or a dataclass would write one that fills the screen.
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    @property
    @abstractmethod
    def to_move(self) -> int | None:
        """The seat that moves next (0, 1, …), or None when the game is over."""

    @abstractmethod
    def moves(self) -> tuple[Move, ...]:
        """Every legal move, complete up to what matters; empty when the game is over."""

    def moves_of(self, kind: type[M]) -> tuple[M, ...]:
        """The legal moves of a kind."""
        return tuple(move for move in self.moves() if isinstance(move, kind))

    @abstractmethod
    def check(self, move: Any) -> Verdict:
        """Whether a move, or its text, is legal now, with every breach explained."""

    def play(self, move: Move | str) -> State:
        """The state after a move, given as such or as text.

        Raises :class:`IllegalMove` with the verdict of ``check``.

        >>> load("castell", first="blue").start(seed=7).play("move Valls")
        <Castell, 2 players, round 1: Blue to move>
        """
        if isinstance(move, str):
            move = self.game.move(move)
        verdict = self._judged(move)
        if verdict is not LEGAL and not verdict:
            raise IllegalMove(move, verdict)
        return self.after(move)

    @abstractmethod
    def after(self, move: Move) -> State:
        """The state after a move that is known to be legal: ``play`` without the check."""

    @property
    def over(self) -> bool:
        return self.to_move is None

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The points of each seat if the game ended now."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; several share a tie, and nobody has won before the end."""
        if not self.over:
            return ()
        best = max(self.scores)
        return tuple(seat for seat, score in enumerate(self.scores) if score == best)

    @abstractmethod
    def view(self, player: int) -> State:
        """What that player may see; everything else is hidden."""

    @abstractmethod
    def guess(self, player: int, chance: Chance) -> State:
        """A full state that fits the player's view, its hidden parts drawn at random.

        The same chance gives the same state: ``chance.split(n)`` is another, for another guess.
        """

    @abstractmethod
    def estimate(self, player: int) -> float:
        """How good the state looks for a player, in points; greedy bots climb it."""

    def likeness(self) -> Callable[[Move], object]:
        """What tells legal moves apart to the estimate: two that are alike lead to states that
        every seat estimates alike, so that bots need to look at one of them only.

        A game with many moves of one kind says more than that each is like itself.
        """
        return lambda move: move

    def forecast(self, player: int) -> Callable[[Move], float | None] | None:
        """What finds the estimate of the state after a legal move, to the last digit, without
        making that state; it says None of moves where that is no quicker.

        It is for games with many moves that change little, and for the player who moves next.
        """
        return None

    def prospects(self, player: int) -> tuple[Prospect, ...]:
        """What the estimate is made of, part by part: bots give their reasons from it.

        A game that names no parts is played for no reason that could be told.
        """
        return ()

    def point(self, picks: tuple[str, ...]) -> Pointing:
        """What it means to point at these targets of the picture, one after the other.

        Without picks it offers what to begin with. A game that offers nothing is played
        from the list of its moves.
        """
        return Pointing()

    def conceals(self, move: Move) -> bool:
        """Whether the others see that a legal move is made, but not which: a card face down.

        It must be the same for all moves that they cannot tell apart.
        """
        return False

    def tell_move(self, move: Move, after: State) -> Sentence:
        """What a legal move has done, as it goes on after the name of whoever made it:
        ``("moved to Valls and recruited ", Emblem("a 7", "casteller 7"))``.

        This state and the one ``after`` are what those who hear it see: nothing else may be told.
        """
        return (f"played {move}",)

    def tell_shorter(self, move: Move, after: State) -> Iterator[Sentence]:
        """The same in fewer and fewer words, for those who listen: see :mod:`castlelab.speech`.

        What has come, gone or changed stays in; names may become numbers.
        """
        return iter(())

    def tell_news(self, before: State, seat: int) -> Iterator[str]:
        """What a seat alone has got to know since the state ``before``, such as the cards that
        it drew: a sentence, then shorter ones. Both states are its views.
        """
        return iter(())

    def questions(self, seat: int) -> tuple[Question, ...]:
        """What a seat may ask here besides what may be asked of every game; see
        :mod:`castlelab.asking`. This state is the seat's view, so what that hides is not told.
        """
        return ()

    def tell_concealed(self, kind: str) -> Sentence:
        """The same of a move of which only the kind is known; see :meth:`conceals`."""
        return (f"made a hidden move ({kind})",)

    @property
    def closed(self) -> int:
        """How much has been closed so far, a bailey or a ring: of more of it a sound tells."""
        return 0

    def sources(self, player: int) -> tuple[Source, ...]:
        """Where the points of a seat come from; together they are its score."""
        return (Source("Points", self.scores[player]),)

    def standing(self, player: int) -> Standing:
        """What tells how a seat stands: its points, unless the game has none before its end."""
        return Standing(self.scores[player])

    def remarks(self, player: int) -> tuple[str, ...]:
        """A few words beside that number: where it comes from, or what else there is to know."""
        found = [f"{name} {in_figures(points)}" for name, points in self.sources(player) if points]
        return tuple(found[:_REMARKS]) if len(found) > 1 else ()

    def how_far(self) -> str:
        """How far the game has come, in two or three words: ``round 3``."""
        return ""

    def __repr__(self) -> str:
        game, seat = self.game, self.to_move
        told = [game.title, counted(game.players, "player")]
        if seat is None:
            return f"<{', '.join(told)}: over, {_outcome(self)}>"
        told += filter(None, [self.how_far()])
        return f"<{', '.join(told)}: {SEAT_NAMES[seat]} to move>"

    def picture(self) -> Scene:
        """The table as one sees it: ``table_scene`` of the room's ``picture.py``."""
        scene: Scene = _pictures_of(type(self)).table_scene(self)
        return scene

    def describe(self) -> str:
        """A sentence or two for people who cannot see the picture: ``table_words`` beside it."""
        words: str = _pictures_of(type(self)).table_words(self)
        return words

    def __str__(self) -> str:
        return self.describe()

    def compact(self) -> str:
        """The table in letters for a terminal of 80 by 40: ``table_text`` of the room's
        ``picture.py``, or the picture drawn with characters where there is none.
        """
        from castlelab.draw.text import render

        drawn = getattr(_pictures_of(type(self)), "table_text", None)
        return str(drawn(self)) if drawn is not None else render(self.picture(), 80)

    def tell(self) -> Telling:
        """The whole table in words, part by part, as a screen reader goes through it.

        It is made from the picture: whatever can be seen there is told here.
        """
        from castlelab.draw.scene import telling

        return telling(self.picture())

    def table(self, **options: Any) -> Any:
        """A table in a notebook on which the game goes on from here: ``GameTable(state, …)``.

        ``bots`` says who plays which seats: ``state.table(bots={1: "greedy"})``.
        """
        return widget("GameTable", self, **options)

    def _repr_svg_(self) -> str:
        from castlelab.draw.svg import still

        return still(self.picture())


def _reading(check: Callable[[Any, Move], Verdict]) -> Any:
    """A game's ``check`` that reads text first."""

    @wraps(check)
    def checked(state: State, move: Move | str) -> Verdict:
        return check(state, state.game.move(move) if isinstance(move, str) else move)

    checked.reads_text = True  # type: ignore[attr-defined]
    return checked


def _outcome(state: State) -> str:
    """How a game has ended: who won, and with which scores."""
    names = listed([SEAT_NAMES[seat] for seat in state.winners]) if state.winners else "nobody"
    return f"{names} won, {' to '.join(map(str, state.scores))}"


class _Games(Mapping[str, str]):
    """Every game that can be loaded: ours, then those of other packages.

    Other packages are looked at when somebody first wants to know all games. One that is
    broken is left out with a line in the log, and to load it says why.
    """

    def __getitem__(self, name: str) -> str:
        return _OUR_GAMES[name] if name in _OUR_GAMES else self._outside[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*_OUR_GAMES, *self._outside))

    def __len__(self) -> int:
        return len(_OUR_GAMES) + len(self._outside)

    def __repr__(self) -> str:
        return repr(dict(self))

    @cached_property
    def _outside(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, (point, *_) in entry_points.announced(entry_points.GAMES).items():
            try:
                _outside_class(name)
            except CastlelabError as error:
                logging.getLogger("castlelab").warning("Left out: %s", error)
            else:
                found[name] = point.value
        return found


#: Every game by its load name, and the place of its class: ``"package.module:Class"``.
GAMES: Mapping[str, str] = _Games()


def _outside_class(name: str) -> type[Game]:
    """The class of a game of another package, if it is one."""
    reason = ""
    if name in _OUR_GAMES:
        reason = "castlelab has a game of that name"
    elif not _LOAD_NAME.fullmatch(name):
        reason = "a load name is made of small letters, with _ between words"
    else:
        found = entry_points.loaded(entry_points.GAMES, name)
        if not isinstance(found, type) or not issubclass(found, Game):
            reason = f"{quoted(found)} is not a subclass of castlelab.Game"
        elif getattr(found, "name", None) != name:
            reason = f"its class must say name = {name!r}, as the entry point does"
        elif not found.__module__.endswith(".play"):
            reason = f"its class is in {found.__module__}; it belongs in play.py of a package"
        else:
            return found
    raise entry_points.unusable(entry_points.GAMES, name, reason)


def game_class(name: str) -> type[Game]:
    """The class of a game, ours or of another package."""
    if isinstance(name, str) and name in _OUR_GAMES:
        module, _, cls = _OUR_GAMES[name].partition(":")
        found: type[Game] = getattr(import_module(module), cls)
        return found
    if isinstance(name, str) and name in entry_points.announced(entry_points.GAMES):
        return _outside_class(name)
    raise CastlelabError(f"there is no game {quoted(name)}; the games are {', '.join(GAMES)}")


def part(name: str, module: str) -> ModuleType | None:
    """A module of a game's room, such as its puzzles or lessons; None where the game has none."""
    place = f"{game_class(name).__module__.rpartition('.')[0]}.{module}"
    if find_spec(place) is None:
        return None
    if name in _OUR_GAMES:
        return import_module(place)
    return entry_points.attempted(entry_points.GAMES, name, lambda: import_module(place))


def notebook(name: str) -> Traversable | None:
    """The walk-through that the package of another game brings; None where there is none.

    Ours are not here: they lie in the folder of the pages.
    """
    found = entry_points.room_file(name, f"notebooks/{name}.ipynb")
    return found if found.is_file() else None


def page_of(name: str) -> str:
    """The page that a game is met on: its walk-through or, where it has none, the table.

    >>> page_of("castell")
    'castell.ipynb'
    """
    has_own = name in _OUR_GAMES or notebook(name) is not None
    return f"{name}.ipynb" if has_own else f"play.ipynb?game={name}"


def load(name: str, players: int | None = None, edition: Any = None, **options: Any) -> Game:
    """A game ready to start, for two players unless you say otherwise.

    ``edition`` is None for the house edition, or the path of a TOML file of your own.

    >>> load("castell", players=3, variant="advanced")
    load('castell', players=3, variant='advanced')
    """
    from castlelab.edition import Edition

    cls = game_class(name)
    return cls(players, Edition.load(name, edition), **options)
