"""Exact counts side by side with brute force and with OR-Tools' CP-SAT, which lists solutions.

Run ``python -m benchmarks.counting``; the peer comes with ``pip install castlelab[bench]``.
All three must come to the same number. Brute force lists one by one, where there is one with
the plain search of the game's ``count.py``; CP-SAT gets a model of the same instance and
enumerates what satisfies it, so the instances are small. The time to build a model is not
counted. Where brute force ends, only the exact count is left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise, permutations, product
from typing import NamedTuple

from ortools.sat.python import cp_model

from benchmarks.rounds import cold, in_turns
from benchmarks.table import Row, show
from castlelab.games.castell import count as castell
from castlelab.games.castell.tower import SIZES, Skills, Team, widest_allowed
from castlelab.games.castle_keep import count as keep
from castlelab.games.castle_rampage import count as rampage
from castlelab.games.castle_rampage.attack import resolve
from castlelab.games.castlescape import count as scape
from castlelab.games.once_upon_a_castle import count as once

COUNTERS = (castell, keep, rampage, scape, once)
COMPARED = (
    "Counting: the same number found by an exact count that remembers nothing, by listing one by "
    "one, and by CP-SAT, which lists all solutions with one worker; building its model is not "
    "counted."
)

Count = Callable[[], int]


class Instance(NamedTuple):
    """Something to count in three ways; None where a way would take too long."""

    name: str
    exact: Count
    brute: Count | None = None
    model: cp_model.CpModel | None = None


# --- the three ways ---


def forget() -> None:
    """Empty every memory of earlier answers, so that each measurement starts cold."""
    for module in COUNTERS:
        for thing in vars(module).values():
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()


class _Tally(cp_model.CpSolverSolutionCallback):
    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def on_solution_callback(self) -> None:
        self.number += 1


def enumerated(model: cp_model.CpModel) -> int:
    """How many solutions CP-SAT finds. It lists them with one worker only."""
    solver, tally = cp_model.CpSolver(), _Tally()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    status = solver.solve(model, tally)
    assert status == cp_model.OPTIMAL, "the enumeration is not complete"
    return tally.number


# --- towers ---


def towers_model(skills: Skills, team: Team) -> cp_model.CpModel:
    """Levels from the base: a size and a width each, both 0 above the top.

    Skills that this model knows are Balance and Width.
    """
    model = cp_model.CpModel()
    tallest = widest_allowed(skills) + skills.balance
    sizes = [model.new_int_var(0, len(SIZES), "") for _ in range(tallest)]
    widths = [model.new_int_var(0, widest_allowed(skills), "") for _ in range(tallest)]
    most = [0, *team.counts]
    pairs = [
        (size, width)
        for size in range(len(most))
        for width in range(widest_allowed(skills) + 1)
        if (size == width == 0) or 1 <= width <= most[size]
    ]
    equal = []
    for size, width in zip(sizes, widths, strict=True):
        model.add_allowed_assignments((size, width), pairs)
    model.add(sizes[0] >= 1)
    for below, above in pairwise(range(tallest)):
        there = model.new_bool_var("")
        model.add(sizes[above] >= 1).only_enforce_if(there)
        model.add(sizes[above] == 0).only_enforce_if(~there)
        model.add(sizes[above] < sizes[below]).only_enforce_if(there)
        same = model.new_bool_var("")
        model.add(widths[above] == widths[below]).only_enforce_if(there, same)
        model.add(widths[above] < widths[below]).only_enforce_if(there, ~same)
        model.add_implication(same, there)
        equal.append(same)
    model.add(sum(equal) <= skills.balance)
    return model


def listed_towers(skills: Skills, team: Team) -> Count:
    return lambda: sum(1 for _ in castell.towers(skills, team))


# --- rings ---


def rings_model(colours: int, shapes: int, places: int) -> cp_model.CpModel:
    """A face at each place; neighbours match, the last and the first as well."""
    model = cp_model.CpModel()
    matrix = keep.matching_matrix(colours, shapes)
    faces = range(len(matrix))
    matching = [(one, other) for one, other in product(faces, faces) if matrix[one][other]]
    ring = [model.new_int_var(0, len(matrix) - 1, "") for _ in range(places)]
    for place, face in enumerate(ring):
        model.add_allowed_assignments((ring[place - 1], face), matching)
    return model


def listed_rings(colours: int = 3, shapes: int = 3, places: int = 8) -> Count:
    return lambda: sum(1 for _ in keep.rings(colours=colours, shapes=shapes, places=places))


# --- courts ---


def courts_model(squares: int) -> cp_model.CpModel:
    """Squares joined by sides and corners; the first of the first row lies fixed.

    Each has its distance from that one, which is one more than the least of its neighbours:
    so distances add no solutions, and what is not joined has none.
    """
    model = cp_model.CpModel()
    strip = [
        (row, column)
        for row in range(squares)
        for column in range(-squares + 1, squares)
        if row or column >= 0
    ]
    far = squares  # the distance of squares that are not taken
    taken = {square: model.new_bool_var("") for square in strip}
    away = {square: model.new_int_var(0, far, "") for square in strip}
    model.add(sum(taken.values()) == squares)
    model.add(taken[0, 0] == 1)
    model.add(away[0, 0] == 0)
    for row, column in strip[1:]:
        here = taken[row, column]
        beside = [
            away[row + down, column + right]
            for down, right in product((-1, 0, 1), repeat=2)
            if (down or right) and (row + down, column + right) in taken
        ]
        nearest = model.new_int_var(0, far, "")
        model.add_min_equality(nearest, beside)
        model.add(away[row, column] == nearest + 1).only_enforce_if(here)
        model.add(away[row, column] < far).only_enforce_if(here)
        model.add(away[row, column] == far).only_enforce_if(~here)
    return model


def naive_courts(squares: int) -> int:
    """Shapes grown square by square, moved to the corner, each kept once."""
    found = {frozenset({(0, 0)})}
    for _ in range(squares - 1):
        found = {
            _cornered(shape | {square}) for shape in found for square in scape.walls_round(shape)
        }
    return len(found)


def _cornered(shape: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    top, left = min(row for row, _ in shape), min(column for _, column in shape)
    return frozenset((row - top, column - left) for row, column in shape)


# --- orders of a stack ---


def orders_model(cards: list[int], strength: int, number: int) -> cp_model.CpModel:
    """An order of different cards whose topmost ones an attack can pay for."""
    model = cp_model.CpModel()
    order = [model.new_int_var_from_domain(cp_model.Domain.from_values(cards), "") for _ in cards]
    model.add_all_different(order)
    model.add(sum(order[:number]) <= strength)
    return model


def attacked_orders(cards: list[int], strength: int, number: int) -> int:
    """Attack every order, and count those that lose so many cards."""
    return sum(
        len(cards) - len(resolve(strength, order, (1000,)).gate) >= number
        for order in permutations(cards)
    )


# --- dice ---


def runs_model(rolls: int) -> cp_model.CpModel:
    """Rolls of two dice that bring Wood or a "?" at least once."""
    model = cp_model.CpModel()
    faces = len(once.FACES)
    wood, wild = once.FACES.index("wood"), once.FACES.index("any")
    good = []
    for _ in range(2 * rolls):
        die = model.new_int_var(0, faces - 1, "")
        helps = model.new_bool_var("")
        pairs = [(face, int(face in (wood, wild))) for face in range(faces)]
        model.add_allowed_assignments((die, helps), pairs)
        good.append(helps)
    model.add_bool_or(good)
    return model


def rolled_runs(missing: str, rolls: int) -> int:
    """Use every run of rolls, one by one."""
    full = 0
    for run in product(once.ROLLS, repeat=rolls):
        left = once.read_missing(missing)
        for roll in run:
            left = once.best_use(left, roll)
        full += not left
    return full


# --- the table ---


def instances() -> list[Instance]:
    """What is counted, game by game, from small to where only the exact count ends."""
    three = Team.of([3] * len(SIZES))
    six = Team.of([6] * len(SIZES))
    plain, balance, width = Skills(), Skills(balance=1), Skills(width=2)
    few, more, many = ([*range(number, 0, -1)] for number in (5, 7, 12))
    return [
        Instance(
            "towers, no skill",
            lambda: castell.count_towers(plain, three),
            listed_towers(plain, three),
            towers_model(plain, three),
        ),
        Instance(
            "towers, Balance 1",
            lambda: castell.count_towers(balance, three),
            listed_towers(balance, three),
            towers_model(balance, three),
        ),
        Instance(
            "towers, Width 2",
            lambda: castell.count_towers(width, six),
            listed_towers(width, six),
            towers_model(width, six),
        ),
        Instance("towers, rank 1 in all skills", lambda: castell.count_towers(Skills(*[1] * 5))),
        Instance(
            "rings by formula, 4 faces, 8 places",
            lambda: keep.rings_by_formula(colours=2, shapes=2),
            listed_rings(2, 2),
            rings_model(2, 2, 8),
        ),
        Instance(
            "rings by formula, 9 faces, 6 places",
            lambda: keep.rings_by_formula(places=6),
            listed_rings(places=6),
            rings_model(3, 3, 6),
        ),
        Instance("rings by matrix, 9 faces, 8 places", keep.count_rings, listed_rings()),
        Instance(
            "rings up to symmetry, by Burnside", lambda: keep.count_rings(up_to_symmetry=True)
        ),
        Instance(
            "courts of 4 squares, Redelmeier",
            lambda: scape.census(4).shapes,
            lambda: naive_courts(4),
            courts_model(4),
        ),
        Instance(
            "courts of 5 squares, Redelmeier",
            lambda: scape.census(5).shapes,
            lambda: naive_courts(5),
            courts_model(5),
        ),
        Instance(
            "courts of 7 squares, Redelmeier",
            lambda: scape.census(7).shapes,
            lambda: naive_courts(7),
        ),
        Instance(
            "orders of 5 cards that lose 2",
            lambda: rampage.orders_losing(few, 6, 2),
            lambda: attacked_orders(few, 6, 2),
            orders_model(few, 6, 2),
        ),
        Instance(
            "orders of 7 cards that lose 3",
            lambda: rampage.orders_losing(more, 12, 3),
            lambda: attacked_orders(more, 12, 3),
            orders_model(more, 12, 3),
        ),
        Instance("orders of 12 cards that lose 4", lambda: rampage.orders_losing(many, 18, 4)),
        Instance(
            "runs of 2 rolls that bring Wood",
            lambda: once.ways_to_fill("wood", 2),
            lambda: rolled_runs("wood", 2),
            runs_model(2),
        ),
        Instance(
            "runs of 3 rolls that bring Wood",
            lambda: once.ways_to_fill("wood", 3),
            lambda: rolled_runs("wood", 3),
            runs_model(3),
        ),
        Instance(
            "runs of 3 rolls that fill 4 squares",
            lambda: once.ways_to_fill("wood stone gold food", 3),
            lambda: rolled_runs("wood stone gold food", 3),
        ),
        Instance(
            "runs of 20 rolls that fill 4 squares",
            lambda: once.ways_to_fill("wood stone gold food", 20),
        ),
    ]


def rows_of(instance: Instance) -> list[Row]:
    """A row against each peer that the instance has, or one without a peer."""
    number = instance.exact()
    told = f"{number:,}" if number < 10**12 else f"{number:.1e}"
    peers: dict[str, Count] = {}
    if (brute := instance.brute) is not None:
        peers["listing them one by one"] = brute
    if (model := instance.model) is not None:
        peers["CP-SAT, all solutions"] = partial(enumerated, model)
    for count in peers.values():
        assert count() == number, instance.name
    exact, *others = in_turns(
        [partial(cold, count, forget) for count in (instance.exact, *peers.values())]
    )
    rows = [
        Row.of(instance.name, exact, peer, told, who, COMPARED)
        for who, peer in zip(peers, others, strict=True)
    ]
    return rows or [Row.of(instance.name, exact, None, f"{told}; not listed", "", COMPARED)]


def rows() -> list[Row]:
    """All measurements, for this table or a larger one."""
    return [row for instance in instances() for row in rows_of(instance)]


if __name__ == "__main__":
    show(row for instance in instances() for row in rows_of(instance))
