"""Castell's exact searches side by side with OR-Tools' CP-SAT and with plain listing.

Run ``python -m benchmarks.castell_towers``; the peers come with ``pip install castlelab[bench]``.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from ortools.sat.python import cp_model

from benchmarks.table import Row, show
from castlelab.games.castell import count, optimum
from castlelab.games.castell.tower import (
    FESTIVAL_LEVELS,
    MIXES,
    SIZES,
    Skills,
    Team,
    Tower,
    check,
    check_entry,
    festival_score,
    widest_allowed,
)

TEAMS = 40
CASTELLERS = 30
TOP_RANK = 3
LISTED_AT_MOST = 2_000  # towers that plain listing is asked for: a second or so


class Case(NamedTuple):
    team: Team
    skills: Skills
    wanted: tuple[int, ...]


class Proof(NamedTuple):
    """The best score, None where no tower may enter, and how long it took to be sure."""

    score: int | None
    seconds: float


def cases(number: int = TEAMS, seed: int = 0) -> Iterable[Case]:
    """Random teams, ranks and size tokens; each token asks for a size that the team has."""
    chance = random.Random(seed)
    for _ in range(number):
        castellers = chance.choices(SIZES, k=CASTELLERS)
        team = Team(" ".join(map(str, castellers)))
        skills = Skills(*(chance.randint(0, TOP_RANK) for _ in range(5)))
        yield Case(team, skills, tuple(chance.choices(castellers, k=chance.randint(1, 3))))


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    answer = work()
    return answer, time.perf_counter() - start


# --- ours ---


def forget() -> None:
    """Empty every memory of earlier answers, so that each measurement starts cold."""
    for module in (optimum, count):
        for thing in vars(module).values():
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()


def our_proof(case: Case) -> Proof:
    forget()
    tower, seconds = timed(partial(optimum.best_tower, *case))
    if tower is None:
        return Proof(None, seconds)
    assert check(tower, case.skills, case.team)
    assert check_entry(tower, case.wanted)
    return Proof(festival_score(tower, case.wanted), seconds)


# --- the peer ---


def model_of(case: Case) -> cp_model.CpModel:
    """The festival as a linear model: which size each level has, how many, how many lesser."""
    team, skills, wanted = case
    model = cp_model.CpModel()
    sizes = [size for size in SIZES if team.count(size)]
    tallest = min(
        len(SIZES) + skills.strength,
        widest_allowed(skills) + skills.balance + skills.base,
        len(team),
    )
    there, widths, of_size, used = [], [], [], {size: [] for size in SIZES}
    mixed_levels, wide_levels = [], []
    for _ in range(tallest):
        has = {size: model.new_bool_var("") for size in sizes}
        present = model.new_bool_var("")
        model.add(sum(has.values()) == present)
        counts = []
        for size in sizes:
            number = model.new_int_var(0, team.count(size), "")
            model.add(number <= team.count(size) * has[size])
            model.add(number >= has[size])
            counts.append(number)
            used[size].append(number)
        mixed = model.new_bool_var("")
        lesser_counts = []
        for larger, lesser in MIXES if skills.mix else ():
            if team.count(larger) and team.count(lesser):
                number = model.new_int_var(0, team.count(lesser), "")
                model.add(number <= team.count(lesser) * has[larger])
                model.add(number <= team.count(lesser) * mixed)
                lesser_counts.append(number)
                used[lesser].append(number)
        model.add(sum(lesser_counts) >= mixed)
        width = model.new_int_var(0, len(team), "")
        model.add(width == sum(counts) + sum(lesser_counts))
        wide = model.new_bool_var("")
        model.add(width <= widest_allowed(skills) + len(team) * wide)
        there.append(present)
        widths.append(width)
        of_size.append(sum(size * here for size, here in has.items()))
        mixed_levels.append(mixed)
        wide_levels.append(wide)
    equal, carried = [], []
    for below, above in pairwise(range(tallest)):
        model.add_implication(there[above], there[below])
        balance = model.new_bool_var("")
        model.add(widths[above] <= widths[below] - there[above] + balance)
        equal.append(balance)
        strength = model.new_int_var(0, skills.strength, "")
        model.add(strength >= of_size[above] - of_size[below] + there[above])
        carried.append(strength)
    model.add(sum(equal) <= skills.balance)
    model.add(sum(carried) <= skills.strength)
    model.add(sum(mixed_levels) <= skills.mix)
    model.add(sum(wide_levels) <= skills.base)
    for size in sizes:
        model.add(sum(used[size]) <= team.count(size))
    for size in set(wanted):
        model.add(sum(used[size]) >= 1)
    model.add(sum(there) >= FESTIVAL_LEVELS)
    model.maximize(sum(there) + sum(sum(used[size]) for size in wanted))
    return model


def peer_proof(model: cp_model.CpModel, workers: int) -> Proof:
    """The peer's optimum; 0 workers leaves their number to the peer."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    status, seconds = timed(partial(solver.solve, model))
    if status == cp_model.INFEASIBLE:
        return Proof(None, seconds)
    assert status == cp_model.OPTIMAL
    return Proof(round(solver.objective_value), seconds)


# --- the table ---


def best_tower_rows() -> list[Row]:
    """Ours against the peer on every team, once with one worker and once with its default."""
    ours, alone, together, building = [], [], [], []
    for case in cases():
        proof = our_proof(case)
        model, seconds = timed(partial(model_of, case))
        one, many = peer_proof(model, workers=1), peer_proof(model, workers=0)
        assert proof.score == one.score == many.score, case
        ours.append(proof.seconds)
        alone.append(one.seconds)
        together.append(many.seconds)
        building.append(seconds)
    return [
        comparison("CP-SAT with 1 worker", ours, alone, building),
        comparison("CP-SAT by default", ours, together, building),
    ]


def comparison(peer: str, ours: list[float], theirs: list[float], building: list[float]) -> Row:
    ratios = [its / mine for mine, its in zip(ours, theirs, strict=True)]
    note = (
        f"{len(ours)} teams; ratio median {statistics.median(ratios):.0f}, "
        f"least {min(ratios):.1f}, of the sums {sum(theirs) / sum(ours):.0f}; "
        f"our slowest {max(ours) * 1e3:.0f} ms; "
        f"not counted: {sum(building) / len(building) * 1e3:.1f} ms to build a model"
    )
    return Row("best_tower", statistics.median(ours), statistics.median(theirs), note, peer)


def count_rows() -> list[Row]:
    """Counting the whole box, and listing what can be listed."""
    return [
        *(count_row(f"count_towers, rank {rank}", Skills(*[rank] * 5)) for rank in range(3)),
        count_row("count_towers, Balance 1", Skills(balance=1)),
    ]


def count_row(name: str, skills: Skills) -> Row:
    forget()
    number, seconds = timed(partial(count.count_towers, skills))
    states = count.states_visited(skills)
    note = f"{number:,} towers, {states:,} states"
    if number > LISTED_AT_MOST:
        return Row(name, seconds, None, f"{note}; too many to list")
    listed, peer = timed(partial(list[Tower], count.towers(skills)))
    assert len(listed) == number
    return Row(name, seconds, peer, note, "listing them one by one")


def rows() -> list[Row]:
    """All measurements, for this table or a larger one."""
    return [*best_tower_rows(), *count_rows()]


if __name__ == "__main__":
    show(rows())
