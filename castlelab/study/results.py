"""What a run of many games says: a table, a plot, a file."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field, fields
from html import escape
from math import sqrt
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from castlelab.bots.bot import fault_words
from castlelab.rules import CastlelabError, counted, listed, quoted
from castlelab.study import journal
from castlelab.system.files import write_whole
from castlelab.system.packages import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

V = TypeVar("V", covariant=True)

_HEADS = ("seat", "bot", "wins", "95 % interval", "least", "median", "most", "mean")
_LINE = "{:>4}  {:<{width}} {:>7}  {:<17} {:>6} {:>7} {:>6} {:>7}"


class Fixed(Mapping[str, V]):
    """A mapping that stays as it is.

    >>> Fixed({"end": 20})["end"]
    20
    """

    __slots__ = ("_table",)

    def __init__(self, table: Mapping[str, V]) -> None:
        self._table = dict(table)

    def __getitem__(self, key: str) -> V:
        return self._table[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def values(self) -> ValuesView[V]:
        return self._table.values()  # that of Mapping takes ten times as long

    def __hash__(self) -> int:
        return hash(frozenset(self._table.items()))

    def __repr__(self) -> str:
        return repr(self._table)


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game of a run."""

    number: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    moves: Mapping[str, int]  # by kind

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", Fixed(self.moves))

    @property
    def length(self) -> int:
        """How many moves it took."""
        return sum(self.moves.values())


@dataclass(frozen=True, slots=True)
class Fault:
    """A game that a bot has spoilt: which bot, at which seat, with which move, and how."""

    number: int  # of the game
    bot: str
    seat: int  # counted from 0
    move: int  # counted from 1
    reason: str

    def __str__(self) -> str:
        return fault_words(self.bot, self.seat, self.reason, self.move)


class SeatRow(NamedTuple):
    """What the table of a study says of one seat."""

    seat: int  # counted from 1, as people do
    bot: str
    share: float
    low: float
    high: float
    least: int
    median: float
    most: int
    mean: float


@dataclass(frozen=True, slots=True, repr=False)
class Study:
    """The games of a run and what they say together. Prints as a table.

    >>> games = (Played(0, (3, 1), (0,), {"end": 2}), Played(1, (2, 2), (0, 1), {"end": 4}))
    >>> study = Study("castell", ("greedy", "random"), 1, games)
    >>> study.wins, study.shares, study.lengths
    ((2, 1), (0.75, 0.25), (2, 4))
    """

    game: str
    bots: tuple[str, ...]
    seed: int | str
    played: tuple[Played, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    edition: str = ""  # the digest of its data
    faults: tuple[Fault, ...] = ()  # games that were left out

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", Fixed(self.options))

    @property
    def wins(self) -> tuple[int, ...]:
        """How many games each seat has won, alone or with others."""
        won = Counter(seat for one in self.played for seat in one.winners)
        return tuple(won[seat] for seat in range(len(self.bots)))

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of victories of each seat; a shared win is divided."""
        total = [0.0] * len(self.bots)
        for one in self.played:
            for seat in one.winners:
                total[seat] += 1 / len(one.winners)
        return tuple(wins / len(self.played) for wins in total)

    def interval(self, seat: int) -> tuple[float, float]:
        """The 95 % confidence interval of a seat's share of victories (Wilson)."""
        n, share, z = len(self.played), self.shares[seat], 1.96
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def lengths(self) -> tuple[int, ...]:
        """The number of moves of each game."""
        return tuple(one.length for one in self.played)

    @property
    def moves(self) -> Counter[str]:
        """How often each kind of move was played in the whole run."""
        total: Counter[str] = Counter()
        for one in self.played:
            total.update(one.moves)
        return total

    def scores(self, seat: int) -> tuple[int, ...]:
        """The points of a seat in each game."""
        return tuple(one.scores[seat] for one in self.played)

    def spread(self, seat: int) -> Counter[int]:
        """How often a seat ended with so many points."""
        return Counter(self.scores(seat))

    def seats(self) -> tuple[SeatRow, ...]:
        """The rows of the table."""
        rows = []
        for seat, name in enumerate(self.bots):
            points = self.scores(seat)
            middle = (min(points), median(points), max(points), fmean(points))
            rows.append(SeatRow(seat + 1, name, self.shares[seat], *self.interval(seat), *middle))
        return tuple(rows)

    def _cells(self) -> Iterator[tuple[str, ...]]:
        """The rows of the table in words."""
        for row in self.seats():
            between = f"{row.low:.1%} – {row.high:.1%}"
            points = (f"{row.least}", f"{row.median:.1f}", f"{row.most}", f"{row.mean:.1f}")
            yield f"{row.seat}", row.bot, f"{row.share:.1%}", between, *points

    def __str__(self) -> str:
        width = max(10, *map(len, self.bots))
        rows = (_LINE.format(*cells, width=width) for cells in (_HEADS, *self._cells()))
        return "\n".join((self._title(), *rows, *self._notes()))

    def __repr__(self) -> str:
        return str(self)

    def _title(self) -> str:
        return f"{len(self.played)} games of {self.game}, seed {self.seed}"

    def _moves_in_words(self) -> str:
        kinds = ", ".join(f"{kind} {number}" for kind, number in self.moves.most_common())
        return f"moves a game: {fmean(self.lengths):.1f}; by kind: {kinds}"

    def _notes(self) -> Iterator[str]:
        """What is said below the table."""
        yield self._moves_in_words()
        if self.faults:
            first = self.faults[0]
            yield f"{self._left_out()}; the first is game {first.number}: {first}"

    def _left_out(self) -> str:
        """How many games are left out, and by whose fault."""
        blamed = Counter(f"{fault.bot} (seat {fault.seat + 1})" for fault in self.faults)
        told = [f"{bot} in {number}" for bot, number in blamed.most_common()]
        return f"{counted(len(self.faults), 'game')} left out by fault of {listed(told)}"

    def _repr_html_(self) -> str:
        rows = []
        for seat, *cells in self._cells():
            told = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            rows.append(f"<tr><th scope='row'>{seat}</th>{told}</tr>")
        return (
            f"<table><caption>{escape(self._title())}</caption>"
            f"<thead><tr>{''.join(f'<th scope=col>{head}</th>' for head in _HEADS)}</tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table>"
            f"{''.join(f'<p>{escape(note)}</p>' for note in self._notes())}"
        )

    def plot(self, what: str | None = None, *, ax: Axes | None = None) -> Figure | Axes:
        """A figure of four: ``wins`` with their intervals, ``points``, ``lengths`` and ``moves``.

        One of them alone is named. With ``ax`` it is drawn there, ``wins`` unless another is
        named, and the axes come back.
        """
        need("a plot", "matplotlib")
        if what is not None and what not in _PLOTS:
            raise CastlelabError(f"a plot is one of {', '.join(_PLOTS)}, not {quoted(what)}")
        if ax is not None:
            if not hasattr(ax, "barh"):
                raise CastlelabError(f"ax is an Axes of matplotlib, not {quoted(ax)}")
            _PLOTS[what or "wins"](self, ax)
            return ax
        names = [what] if what else list(_PLOTS)
        figure = _shown_figure((9, 6) if len(names) > 1 else (5, 3.5))
        figure.suptitle("\n".join((self._title(), *([self._left_out()] if self.faults else []))))
        side = 2 if len(names) > 1 else 1
        for name, axes in zip(names, figure.subplots(side, side, squeeze=False).flat, strict=True):
            _PLOTS[name](self, axes)
        return figure

    def _plot_wins(self, axes: Axes) -> None:
        rows = self.seats()
        below = [max(0.0, row.share - row.low) for row in rows]
        above = [max(0.0, row.high - row.share) for row in rows]
        axes.bar(self._seat_names(), [r.share for r in rows], yerr=[below, above], capsize=4)
        axes.set(title="share of victories, 95 % interval", ylim=(0, 1))

    def _plot_points(self, axes: Axes) -> None:
        scores = [self.scores(seat) for seat in range(len(self.bots))]
        edges = _edges([score for one in self.played for score in one.scores])
        axes.hist(scores, bins=edges, histtype="step", label=self._seat_names())
        axes.set(title="points", ylabel="games")
        axes.legend()

    def _plot_lengths(self, axes: Axes) -> None:
        axes.hist(self.lengths, bins=_edges(self.lengths))
        axes.set(title="moves in a game", ylabel="games")

    def _plot_moves(self, axes: Axes) -> None:
        often = self.moves.most_common()[::-1]
        axes.barh([kind for kind, _ in often], [number for _, number in often])
        axes.set(title="moves by kind")

    def _seat_names(self) -> list[str]:
        return [f"{seat} {name}" for seat, name in enumerate(self.bots, start=1)]

    def save(self, path: str | Path) -> None:
        """Write the run to a ``.json`` or a ``.csv`` file (one line a game)."""
        path = Path(path)
        if path.suffix not in (".json", ".csv"):
            raise CastlelabError(f"{path.name}: a study is saved as .json or .csv")
        write_whole(path, self._as_json() if path.suffix == ".json" else self._as_csv())

    def _as_json(self) -> str:
        table = {each.name: getattr(self, each.name) for each in fields(self)}
        table |= {"played": list(map(row_of, self.played)), "options": dict(self.options)}
        table |= {"faults": list(map(row_of, self.faults))}
        return json.dumps(table, indent=1)

    def _as_csv(self) -> str:
        kinds = sorted(self.moves)
        seats = range(1, len(self.bots) + 1)
        text = io.StringIO(newline="")
        sheet = csv.writer(text)
        fault = ["fault"] if self.faults else []  # a column only where there is something to tell
        sheet.writerow(["game", *(f"score {s}" for s in seats), "winners", *kinds, *fault])
        games: list[Played | Fault] = [*self.played, *self.faults]
        for one in sorted(games, key=lambda one: one.number):
            if isinstance(one, Fault):
                sheet.writerow([one.number, *[""] * (len(seats) + 1 + len(kinds)), one])
            else:
                winners = " ".join(str(seat + 1) for seat in one.winners)
                counts = [one.moves.get(kind, 0) for kind in kinds]
                sheet.writerow([one.number, *one.scores, winners, *counts, *[""] * len(fault)])
        return text.getvalue()

    @staticmethod
    def load(path: str | Path) -> Study:
        """Read a run from the ``.json`` file of ``save`` or the ``.jsonl`` file of ``simulate``.

        The latter may belong to a run that is not finished.
        """
        path = Path(path)
        if path.suffix == journal.ENDING:
            table, rows = journal.read(path)
        elif path.suffix == ".json":
            table = _json(path)
            rows = table.get("played", [])
        else:
            raise CastlelabError(f"{path.name}: a study is read from .json or {journal.ENDING}")
        if not rows:
            raise CastlelabError(f"{path.name} holds no finished game")
        try:
            for row in table.get("faults", ()):
                rows.insert(row["number"], row)
            bots, seed, options = tuple(table["bots"]), table["seed"], table.get("options", {})
            games = games_of(path, rows, len(bots))
            played = tuple(one for one in games if isinstance(one, Played))
            faults = tuple(one for one in games if isinstance(one, Fault))
            found = Study(
                table["game"], bots, seed, played, options, table.get("edition", ""), faults
            )
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, CastlelabError):
                raise
            raise CastlelabError(f"{path.name} is not a study") from None
        if not played:
            raise CastlelabError(f"{path.name} holds no finished game")
        return found


_PLOTS: dict[str, Callable[[Study, Any], None]] = {
    "wins": Study._plot_wins,
    "points": Study._plot_points,
    "lengths": Study._plot_lengths,
    "moves": Study._plot_moves,
}


def _shown_figure(size: tuple[float, float]) -> Figure:
    """A figure that a notebook shows once, with or without pyplot."""
    from matplotlib.figure import Figure

    class Shown(Figure):  # type: ignore[misc, unused-ignore]  # where matplotlib is untyped
        def _repr_png_(self) -> bytes:
            picture = io.BytesIO()
            self.savefig(picture, format="png")
            return picture.getvalue()

    return Shown(figsize=size, layout="constrained")


def _edges(values: Sequence[int], most: int = 30) -> list[float]:
    """Where the bars of a histogram begin and end, each with as many whole numbers.

    >>> _edges([3, 5])
    [2.5, 3.5, 4.5, 5.5]
    """
    low, high = min(values), max(values)
    width = 1 + (high - low) // most
    return [at - 0.5 for at in range(low, high + width + 1, width)]


# Games as rows


def row_of(one: Played | Fault) -> dict[str, Any]:
    if isinstance(one, Fault):
        told = {"bot": one.bot, "seat": one.seat, "move": one.move, "reason": one.reason}
        return {"number": one.number, "fault": told}
    numbers = {"number": one.number, "scores": one.scores, "winners": one.winners}
    return {**numbers, "moves": dict(one.moves)}


def games_of(path: Path, rows: Sequence[Any], seats: int) -> tuple[Played | Fault, ...]:
    """The games of a file, if each is a game, and they are in order."""
    try:
        games = tuple(map(_game_of, rows))
        wrong = next((at for at, one in enumerate(games) if not _fits(one, at, seats)), None)
    except (KeyError, TypeError, ValueError):
        raise CastlelabError(f"{path.name} holds something that is not a game") from None
    if wrong is not None:
        raise CastlelabError(f"{path.name}: what should be game {wrong} does not make sense")
    return games


def _game_of(row: Any) -> Played | Fault:
    if "fault" in row:
        told = row["fault"]
        return Fault(row["number"], told["bot"], told["seat"], told["move"], told["reason"])
    return Played(row["number"], tuple(row["scores"]), tuple(row["winners"]), row["moves"])


def _fits(one: Played | Fault, number: int, seats: int) -> bool:
    if isinstance(one, Fault):
        numbers, words = (one.seat, one.move), (one.bot, one.reason)
        is_told = all(type(word) is str for word in words) and all(type(n) is int for n in numbers)
        return one.number == number and is_told and 0 <= one.seat < seats
    kinds = {*map(type, one.scores), *map(type, one.moves.values())}
    return (
        one.number == number
        and len(one.scores) == seats
        and kinds <= {int}
        and all(type(seat) is int and 0 <= seat < seats for seat in one.winners)
    )


def _json(path: Path) -> dict[str, Any]:
    try:
        table = json.loads(path.read_bytes())
    except OSError as error:
        raise CastlelabError(f"{path.name} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise CastlelabError(f"{path.name} is not JSON") from None
    if not isinstance(table, dict):
        raise CastlelabError(f"{path.name} is not a study")
    return table
