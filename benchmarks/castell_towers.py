"""Castell's exact searches side by side with OR-Tools' CP-SAT and with plain listing.

Run ``python -m benchmarks.castell_towers``; the peers come with ``pip install castlelab[bench]``.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from ortools.sat.python import cp_model

from benchmarks.rounds import cold, in_turns
from benchmarks.table import Row, show
from castlelab.games.castell import count, optimum
from castlelab.games.castell.tower import (
    FESTIVAL_LEVELS,
    MIXES,
    SIZES,
    Skills,
    Team,
    check,
    check_entry,
    festival_score,
    widest_allowed,
)

TEAMS = 40
CASTELLERS = 30
TOP_RANK = 3
BEST = (
    "Towers: to find the best one for a festival and to prove that none is better; building the "
    "peer's model is not counted."
)
COUNTED = "Counting towers of the whole box, without any memory of earlier counts."
LISTED_AT_MOST = 2_000  # towers that plain listing is asked for: a second or so


class Case(NamedTuple):
    team: Team
    skills: Skills
    wanted: tuple[int, ...]


def cases(number: int = TEAMS, seed: int = 0) -> Iterable[Case]:
    """Random teams, ranks and size tokens; each token asks for a size that the team has."""
    chance = random.Random(seed)
    for _ in range(number):
        castellers = chance.choices(SIZES, k=CASTELLERS)
        team = Team(" ".join(map(str, castellers)))
        skills = Skills(*(chance.randint(0, TOP_RANK) for _ in range(5)))
        yield Case(team, skills, tuple(chance.choices(castellers, k=chance.randint(1, 3))))


# --- ours ---


def forget() -> None:
    """Empty every memory of earlier answers, so that each measurement starts cold."""
    for module in (optimum, count):
        for thing in vars(module).values():
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()


def our_score(case: Case) -> int | None:
    """The best score, None where no tower may enter."""
    forget()
    tower = optimum.best_tower(*case)
    if tower is None:
        return None
    assert check(tower, case.skills, case.team)
    assert check_entry(tower, case.wanted)
    return festival_score(tower, case.wanted)


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


def peer_score(model: cp_model.CpModel, workers: int) -> int | None:
    """The peer's optimum; 0 workers leaves their number to the peer."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    assert status == cp_model.OPTIMAL
    return round(solver.objective_value)


# --- the table ---


def best_tower_rows() -> list[Row]:
    """Ours against the peer on all teams, once with one worker and once with its default.

    By default the peer works on all cores, so that row is told by the clock.
    """
    teams = list(cases())
    models = [model_of(case) for case in teams]
    for case, model in zip(teams, models, strict=True):
        assert our_score(case) == peer_score(model, 1) == peer_score(model, 0), case

    def ours(clock: Callable[[], float]) -> float:
        return a_team(clock, lambda: [our_score(case) for case in teams])

    def peer(clock: Callable[[], float], workers: int) -> float:
        return a_team(clock, lambda: [peer_score(model, workers) for model in models])

    work, clock = time.process_time, time.perf_counter
    alone, one = in_turns([lambda: ours(work), lambda: peer(work, 1)])
    seen, many = in_turns([lambda: ours(clock), lambda: peer(clock, 0)])
    note = f"{len(teams)} teams, a team"
    return [
        Row.of("best_tower", alone, one, note, "CP-SAT with 1 worker", BEST),
        Row.of("best_tower, by the clock", seen, many, note, "CP-SAT with all cores", BEST),
    ]


def a_team(clock: Callable[[], float], work: Callable[[], object]) -> float:
    start = clock()
    work()
    return (clock() - start) / TEAMS


def count_rows() -> list[Row]:
    """Counting the whole box, and listing what can be listed."""
    return [
        *(count_row(f"count_towers, rank {rank}", Skills(*[rank] * 5)) for rank in range(3)),
        count_row("count_towers, Balance 1", Skills(balance=1)),
    ]


def count_row(name: str, skills: Skills) -> Row:
    number, states = count.count_towers(skills), count.states_visited(skills)
    note = f"{number:,} towers, {states:,} states"
    exact = partial(cold, partial(count.count_towers, skills), forget)
    if number > LISTED_AT_MOST:
        (ours,) = in_turns([exact])
        return Row.of(name, ours, None, f"{note}; too many to list", "", COUNTED)

    def listing() -> None:
        assert sum(1 for _ in count.towers(skills)) == number

    ours, peer = in_turns([exact, partial(cold, listing, forget)])
    return Row.of(name, ours, peer, note, "listing them one by one", COUNTED)


def rows() -> list[Row]:
    """All measurements, for this table or a larger one."""
    return [*best_tower_rows(), *count_rows()]


if __name__ == "__main__":
    show(rows())
