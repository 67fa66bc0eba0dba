"""Many games at once: who wins, how long it takes, what is played.

Every game of a run has its own stream of chance, named by its number, so the result
depends on the seed alone and not on how the work was shared out.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

from castlelab.bots import bot, play_out
from castlelab.chance import Chance
from castlelab.game import Game, load
from castlelab.rules import CastlelabError


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game of a run."""

    number: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    moves: dict[str, int]  # by kind


@dataclass(frozen=True, slots=True)
class Study:
    """The games of a run and what they say together. Prints as a table."""

    game: str
    bots: tuple[str, ...]
    seed: int | str
    played: tuple[Played, ...]

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
        return tuple(sum(one.moves.values()) for one in self.played)

    @property
    def moves(self) -> Counter[str]:
        """How often each kind of move was played in the whole run."""
        total: Counter[str] = Counter()
        for one in self.played:
            total.update(one.moves)
        return total

    def __str__(self) -> str:
        lines = [f"{len(self.played)} games of {self.game}, seed {self.seed}"]
        lines.append(f"{'seat':>4}  {'bot':<10} {'wins':>7}  {'95 % interval':<17} {'points':>7}")
        for seat, name in enumerate(self.bots):
            low, high = self.interval(seat)
            points = fmean(one.scores[seat] for one in self.played)
            between = f"{low:.1%} – {high:.1%}"
            lines.append(
                f"{seat + 1:>4}  {name:<10} {self.shares[seat]:>7.1%}  {between:<17} {points:>7.1f}"
            )
        kinds = ", ".join(f"{kind} {number}" for kind, number in self.moves.most_common())
        lines.append(f"moves a game: {fmean(self.lengths):.1f}; by kind: {kinds}")
        return "\n".join(lines)

    def save(self, path: str | Path) -> None:
        """Write the run to a ``.json`` or a ``.csv`` file (one line a game)."""
        path = Path(path)
        if path.suffix not in (".json", ".csv"):
            raise CastlelabError(f"{path.name}: a study is saved as .json or .csv")
        try:
            if path.suffix == ".json":
                path.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")
            else:
                self._save_csv(path)
        except OSError as error:
            raise CastlelabError(f"{path.name} cannot be written: {error.strerror}") from None

    def _save_csv(self, path: Path) -> None:
        kinds = sorted(self.moves)
        seats = range(1, len(self.bots) + 1)
        with path.open("w", newline="", encoding="utf-8") as file:
            sheet = csv.writer(file)
            sheet.writerow(["game", *(f"score {s}" for s in seats), "winners", *kinds])
            for one in self.played:
                winners = " ".join(str(seat + 1) for seat in one.winners)
                counts = [one.moves.get(kind, 0) for kind in kinds]
                sheet.writerow([one.number, *one.scores, winners, *counts])


def simulate(
    game: str,
    games: int = 100,
    bots: Sequence[str] = ("greedy", "random"),
    seed: int | str = 0,
    executor: Executor | None = None,
    edition: str | Path | None = None,
    progress: bool = False,
    **options: Any,
) -> Study:
    """Play so many games between these bots, one for each seat.

    >>> simulate("castell", games=2, bots=("random", "random"), seed=1).played[0].number
    0
    """
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise CastlelabError(f"simulate at least 1 game, not {games!r}")
    for name in bots:
        bot(name)  # an unknown bot, option or seed fails here, not in a worker
    Chance.seeded(seed)
    data = load(game, len(bots), edition, **options).edition
    digest = data.digest if data is not None else ""
    work = partial(_play_one, game, tuple(bots), seed, (edition, digest), options)
    runs = executor.map(work, range(games)) if executor is not None else map(work, range(games))
    return Study(game, tuple(bots), seed, tuple(_shown(runs, games) if progress else runs))


def _play_one(
    name: str,
    bots: tuple[str, ...],
    seed: int | str,
    edition: tuple[str | Path | None, str],
    options: dict[str, Any],
    number: int,
) -> Played:
    stream = Chance.seeded(seed).split(number)
    start = _loaded(name, len(bots), edition, tuple(options.items())).start(f"{stream.key}")
    end, moves = play_out(start, tuple(map(bot, bots)), stream.split("bots"))
    return Played(number, end.scores, end.winners, dict(Counter(move.kind for move in moves)))


@lru_cache(maxsize=4)
def _loaded(
    name: str,
    players: int,
    edition: tuple[str | Path | None, str],
    options: tuple[tuple[str, Any], ...],
) -> Game:
    """The game of a run, set up once in each process: reading a box takes longer than a move.

    An edition is its file and what was in it: another content is another game.
    """
    return load(name, players, edition[0], **dict(options))


def _shown(runs: Iterable[Played], games: int) -> Iterable[Played]:
    from tqdm.auto import tqdm

    shown: Iterable[Played] = tqdm(runs, total=games, unit="game")
    return shown
