"""Who sits where: bots by their names, objects, classes and functions, each at a seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from castlelab.bots.bot import BUDGET, Bot, BotFault, BotLike, Thought, mover_of
from castlelab.bots.ours import Greedy, MonteCarlo, Random
from castlelab.bots.own import OwnBot
from castlelab.bots.turn_clock import TurnClock
from castlelab.chance import Chance
from castlelab.game import Move, State
from castlelab.rules import CastlelabError, quoted
from castlelab.system import entry_points

_BOTS: dict[str, Callable[[], Bot]] = {
    Random.name: Random,
    Greedy.name: Greedy,
    MonteCarlo.name: MonteCarlo,
}
BOT_NAMES = tuple(_BOTS)
#: A bot that thinks long, and keeps three others and a person waiting for less than a minute.
LONG_THINKER = "montecarlo:1500:15"
_LONGEST_TURN = 3600  # seconds


def bot_names() -> tuple[str, ...]:
    """Every bot that has a name: ours, then those of other packages."""
    return tuple(dict.fromkeys((*BOT_NAMES, *entry_points.announced(entry_points.BOTS))))


def bot(name: str) -> Bot:
    """A bot by its name; ``montecarlo:400`` imagines 400 futures for each move, and
    ``montecarlo:1500:15`` so many unless its turn would take longer than 15 seconds.

    >>> bot("greedy").name
    'greedy'
    >>> bot("montecarlo:400").rollouts
    400
    >>> bot("montecarlo:1500:15")
    MonteCarlo(rollouts=1500, turn=15)
    """
    known, colon, number = name.partition(":") if isinstance(name, str) else ("", "", "")
    if colon and known == MonteCarlo.name:
        futures, limited, seconds = number.partition(":")
        return MonteCarlo(_rollouts(futures), turn=_turn_seconds(seconds) if limited else None)
    if known in _BOTS and not colon:
        return _BOTS[known]()
    if colon or known not in entry_points.announced(entry_points.BOTS):
        bots = ", ".join(bot_names())
        raise CastlelabError(f"there is no bot {quoted(name)}; the bots are {bots}")
    return _stranger(known)


def _stranger(name: str) -> Bot:
    """A bot of another package."""
    made = entry_points.loaded(entry_points.BOTS, name)
    if not (callable(made) or hasattr(made, "choose")):
        reason = "a bot is a class with choose, or a function"
        raise entry_points.unusable(entry_points.BOTS, name, reason)
    found: Bot = entry_points.attempted(entry_points.BOTS, name, lambda: _instance(made))
    return found


def _rollouts(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9]) >= 1 and len(text) < 9):
        raise CastlelabError(f"after montecarlo: comes a number of futures, not {quoted(text)}")
    return int(text)


def _turn_seconds(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:5]) <= _LONGEST_TURN):
        raise CastlelabError(
            "after the number of futures come the seconds of a turn, "
            f"from 1 to {_LONGEST_TURN}, not {quoted(text)}"
        )
    return int(text)


class Seated(Protocol):
    """A bot at its seat. It is asked with the whole state, and the bot gets its view of it."""

    name: str
    label: str  # its name with all that tells it apart: ``montecarlo:400``
    is_own: bool  # whether it is somebody's own; such a one says its reasons at the table

    def choose(self, state: State, chance: Chance, /) -> tuple[Move, Chance]:
        """A legal move, and the chance that is left."""

    def think(self, state: State, chance: Chance, /) -> Iterator[Thought]:
        """The same choice in small steps."""


class OurBot:
    """A bot of ours at its seat: its moves are legal, and need not be judged again."""

    is_own = False

    def __init__(self, ours: Random | Greedy | MonteCarlo, label: str) -> None:
        self.name, self.label = ours.name, label
        self._bot = ours
        # Random asks for the moves and for nothing else, and its view has the same ones.
        self.choose = ours.choose if type(ours) is Random else self._choose_by_view

    def _choose_by_view(self, state: State, chance: Chance) -> tuple[Move, Chance]:
        return self._bot.choose(state.view(mover_of(state)), chance)

    def think(self, state: State, chance: Chance) -> Iterator[Thought]:
        return self._bot.think(state.view(mover_of(state)), chance)


class OurTimedBot:
    """MonteCarlo at its seat with a limit for its turns: the seat knows when a turn began."""

    is_own = False

    def __init__(self, ours: MonteCarlo, turn: float, label: str) -> None:
        self.name, self.label = ours.name, label
        self._bot, self._clock = ours, TurnClock(turn)

    def choose(self, state: State, chance: Chance) -> tuple[Move, Chance]:
        *_, thought = self.think(state, chance)
        return thought.move, chance.split("next")

    def think(self, state: State, chance: Chance) -> Iterator[Thought]:
        limit = self._clock.budget(state)
        thoughts = self._bot.think(state.view(mover_of(state)), chance, limit)
        return self._clock.timed(state, thoughts)


def seated(given: BotLike, budget: float = BUDGET) -> Seated:
    """A bot at its seat: by name, an object, a function, or a class, which is made anew.

    One of ours remembers nothing but the time, and may sit there again.

    >>> seated("greedy").label, seated(MonteCarlo(400)).label
    ('greedy', 'montecarlo:400')
    >>> class Hasty:
    ...     def choose(self, view, chance):
    ...         return view.moves()[0]
    >>> seated(Hasty).label
    'Hasty'
    """
    if isinstance(given, OurBot | OurTimedBot):
        return given
    label = given if isinstance(given, str) else ""
    found = bot(given) if isinstance(given, str) else _instance(given)
    if type(found) is MonteCarlo and found.turn is not None:
        return OurTimedBot(found, found.turn, label or _label_of(found))
    if type(found) is MonteCarlo or type(found) is Greedy or type(found) is Random:
        return OurBot(found, label or _label_of(found))
    own = OwnBot(found, _is_reserved, budget)
    own.label = label or own.label
    return own


def _instance(given: Any) -> Any:
    """A class is made anew, so that nothing of one game is left in the next."""
    if not isinstance(given, type):
        return given
    try:
        return given()
    except Exception as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())
        raise CastlelabError(
            f"{given.__name__} cannot be made without arguments; hand over an object: {told}"
        ) from error


def _label_of(ours: Random | Greedy | MonteCarlo) -> str:
    if isinstance(ours, MonteCarlo):
        futures = f":{ours.rollouts}" if ours.rollouts else ""
        limits = ((ours.seconds, "s"), (ours.turn, "s a turn"))
        told = [f" in {seconds:g} {unit}" for seconds, unit in limits if seconds]
        return f"{ours.name}{futures}{''.join(told)}"
    return ours.name


def _is_reserved(name: str) -> bool:
    """Whether a name would make people think of one of ours."""
    return name.partition(":")[0].strip() in (*BOT_NAMES, "person", "")


def is_one_bot(given: Any) -> bool:
    """Whether this is a bot, and not several."""
    return isinstance(given, str) or callable(given) or hasattr(given, "choose")


def check_budget(seconds: Any) -> float:
    """Seconds for a move; anything else is an error."""
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 < seconds <= 86_400:
        raise CastlelabError(
            f"a budget is a number of seconds for a move, above 0, not {quoted(seconds)}"
        )
    return float(seconds)


def play_out(
    state: State, bots: Sequence[BotLike], chance: Chance, budget: float = BUDGET
) -> tuple[State, list[Move]]:
    """A game played by bots, one for each seat, to its end: the last state and the moves."""
    if len(bots) < state.game.players:
        raise CastlelabError(f"{state.game.players} seats need as many bots, not {len(bots)}")
    ask = [seated(each, budget).choose for each in bots]
    played: list[Move] = []
    try:
        while (seat := state.to_move) is not None:
            move, chance = ask[seat](state, chance)
            state = state.after(move)  # a seat hands out legal moves; no need to judge again
            played.append(move)
    except BotFault as fault:
        raise fault.at_move(len(played) + 1) from fault.__cause__
    return state, played
