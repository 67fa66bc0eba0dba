"""How many castles there are, and how likely one is to be finished.

Rings are closed walks: from tile to tile that match, eight steps, back to the first. So they
are counted by a power of the matching matrix (`count_rings`), by its eigenvalues
(`rings_by_formula`) and by really walking (`rings`). Which rings look alike when the castle
is turned or mirrored is Burnside's lemma (`fixed_rings`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, product
from math import comb, sqrt
from typing import TypeVar

from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.game import changed_at
from castlelab.games.castle_keep.box import read_box
from castlelab.games.castle_keep.castle import (
    CENTRE,
    TILES,
    Castle,
    Places,
    Tile,
    TileRow,
    fits,
    sorted_tiles,
)
from castlelab.rules import CastlelabError, NotationError, given, quoted, whole_number

Matrix = list[list[int]]
Ring = tuple[Tile, ...]  # clockwise from the north-west: tower, wall, tower, …
AnyHand = str | Iterable[Tile]  # "TRC WRZ KR", or the tiles
T = TypeVar("T")
N = TypeVar("N", int, float)

_LONGEST_HAND = 12  # more would make too many castles to list
_HAND_LIMIT = 4
_MOST_TURNS = 400
_MOST_GAMES = 1_000_000
_MOST_COLOURS = 1_000
_MOST_LISTED = 12  # colours: 20 736 arrangements


# -- rings -----------------------------------------------------------------------------------


def matching_matrix(colours: int = 3, shapes: int = 3) -> Matrix:
    """Which of the nine faces match: 1 where colour or shape agree, else 0.

    A face is a colour and a shape. Rows and columns go through the colours red, yellow, blue
    and in each through curvy, zigzag, straight. It is a rook's board: a face matches what a
    rook on it could reach, and itself.

    >>> matching_matrix()[0]
    [1, 1, 1, 1, 0, 0, 1, 0, 0]
    """
    faces = _faces("tower", colours, shapes)
    return [[int(one.matches(other)) for other in faces] for one in faces]


def _faces(kind: str, colours: int, shapes: int) -> TileRow:
    """The tiles of a kind in the first so many colours and shapes."""
    for number in (colours, shapes):
        if number not in (1, 2, 3):
            raise CastlelabError(f"there are 1 to 3 colours and shapes, not {quoted(number)}")
    tiles = [tile for tile in TILES if tile.kind == kind]
    return tuple(tiles[3 * colour + shape] for colour in range(colours) for shape in range(shapes))


def _power(matrix: Matrix, exponent: int) -> Matrix:
    """The matrix of walks of so many steps."""
    size = range(len(matrix))
    found = [[int(row == column) for column in size] for row in size]
    columns = list(zip(*matrix, strict=True))
    for _ in range(exponent):
        found = [
            [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns]
            for row in found
        ]
    return found


@cache
def _walks(steps: int, colours: int, shapes: int) -> tuple[int, int]:
    """The walks of so many steps from face to matching face: those that return, and all."""
    walks = _power(matching_matrix(colours, shapes), steps)
    return sum(row[at] for at, row in enumerate(walks)), sum(map(sum, walks))


def _walk_rings(both: bool, colours: int = 3, shapes: int = 3, places: int = 8) -> int:
    """The rings by transfer matrix: walks that come back to a face that matches the first."""
    matched = _walks(places, colours, shapes)[0]
    if both:
        return matched
    # Or to one that does not; then the tile that closed the ring stands at that joint, which
    # is any of them.
    return matched + places * (_walks(places - 1, colours, shapes)[1] - matched)


def rings_by_formula(
    last_matches_both: bool = True, *, colours: int = 3, shapes: int = 3, places: int = 8
) -> int:
    """The number of rings from the eigenvalues 5, 2 and -1 of the matching matrix.

    5⁸ + 4·2⁸ + 4 rings match all round. Fewer colours, shapes or places have other
    eigenvalues, in the same way.

    >>> rings_by_formula() == 5**8 + 4 * 2**8 + 4
    True
    """
    c, s = colours, shapes
    matched: int = (
        (c + s - 1) ** places
        + (s - 1) * (c - 1) ** places
        + (c - 1) * (s - 1) ** places
        + (c - 1) * (s - 1) * (-1) ** places
    )
    if last_matches_both:
        return matched
    open_paths: int = c * s * (c + s - 1) ** (places - 1)
    return matched + places * (open_paths - matched)


def rings(
    last_matches_both: bool = True, *, colours: int = 3, shapes: int = 3, places: int = 8
) -> Iterator[Ring]:
    """Every ring, one by one: walk from tile to tile and keep what comes round.

    Without ``last_matches_both`` one joint may be wrong: that of the closing tile. A small
    case has fewer colours, shapes or places.

    >>> sum(1 for ring in rings(colours=2, shapes=2, places=4))
    84
    >>> print(Castle((*next(rings()), Tile("KR"))))
    TRC WRC TRC
    WRC KR  WRC
    TRC WRC TRC
    """
    if places not in (4, 6, 8):
        raise CastlelabError(f"a ring has 4, 6 or 8 places, not {quoted(places)}")
    faces = _faces("tower", colours, shapes), _faces("wall", colours, shapes)

    def go_on(ring: Ring, spare: bool) -> Iterator[Ring]:
        if len(ring) == places:
            if spare or ring[-1].matches(ring[0]):
                yield ring
            return
        for tile in faces[len(ring) % 2]:
            if ring[-1].matches(tile):
                yield from go_on((*ring, tile), spare)
            elif spare:
                yield from go_on((*ring, tile), False)

    for tile in faces[0]:
        yield from go_on((tile,), not last_matches_both)


def count_rings(last_matches_both: bool = True, up_to_symmetry: bool = False) -> int:
    """The number of rings of eight towers and walls in which neighbours match.

    Without ``last_matches_both`` the closing tile may match only one neighbour, as in the
    plain game. With ``up_to_symmetry`` rings that become equal by turning or mirroring the
    castle count as one. (Attacks on a closed ring could leave more than one wrong joint; such
    rings are not counted.)

    >>> count_rings(), count_rings(last_matches_both=False)
    (391653, 2883429)
    >>> count_rings(up_to_symmetry=True)
    51867
    """
    return _count(last_matches_both, up_to_symmetry, colours=3)


def rings_of_all(shapes: bool = False) -> int:
    """The number of rings in which all three colours are seen, and with ``shapes`` all shapes.

    Leave out those without red, without yellow, without blue. Rings of one colour have gone
    twice then: put them back.

    >>> rings_of_all(), rings_of_all(shapes=True)
    (213948, 90720)
    """
    return sum(
        _missed(colours) * _missed(seen) * rings_by_formula(colours=colours, shapes=seen)
        for colours in (1, 2, 3)
        for seen in ((1, 2, 3) if shapes else (3,))
    )


def _missed(seen: int) -> int:
    """How often rings of so many colours of three are added, or if it is below 0 taken away."""
    return comb(3, seen) * (1 if seen % 2 else -1)


def expected_joints(colours: int = 3, shapes: int = 3, places: int = 8) -> Fraction:
    """How many joints of a ring match on average if its faces are thrown at random.

    Averages add up, whether or not one joint knows of another.

    >>> expected_joints()
    Fraction(40, 9)
    """
    return places * Fraction(colours + shapes - 1, colours * shapes)


def count_castles(last_matches_both: bool = True, up_to_symmetry: bool = False) -> int:
    """The number of complete castles: a ring, and a keep whose colour is in the ring.

    For each keep these are the rings less those of the other two colours.

    >>> count_castles(), count_castles(last_matches_both=False)
    (977571, 7672707)
    """
    every, two_coloured = (
        _count(last_matches_both, up_to_symmetry, colours=colours) for colours in (3, 2)
    )
    return 3 * (every - two_coloured)


def _count(both: bool, up_to_symmetry: bool, colours: int) -> int:
    if not up_to_symmetry:
        return _walk_rings(both, colours)
    fixed = [fixed_rings(symmetry, both, colours=colours) for symmetry in symmetries()]
    return sum(fixed) // len(fixed)


# -- symmetries ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A way to turn or mirror the castle: for each place of the ring, the one that comes there."""

    name: str
    places: tuple[int, ...]

    def of(self, ring: Sequence[T]) -> tuple[T, ...]:
        """The ring after turning or mirroring."""
        return tuple(ring[place] for place in self.places)

    @property
    def cycles(self) -> int:
        """The number of groups of places that change among themselves."""
        return len({frozenset(self.cycle(place)) for place in self.places})

    @property
    def corner_cycles(self) -> int:
        """The same for the corners alone."""
        return len({frozenset(self.cycle(place)) for place in self.places if place % 2 == 0})

    @property
    def mirrors(self) -> bool:
        """Whether it turns the order of the ring round."""
        return (self.places[1] - self.places[0]) % len(self.places) != 1

    def cycle(self, place: int) -> Iterator[int]:
        """The places that change among themselves with one."""
        yield place
        at = self.places[place]
        while at != place:
            yield at
            at = self.places[at]


def symmetries() -> tuple[Symmetry, ...]:
    """The eight symmetries of the square, which take corners to corners and sides to sides.

    >>> [symmetry.name for symmetry in symmetries()][:3]
    ['stay', 'quarter turn', 'half turn']
    """
    turns = ("stay", "quarter turn", "half turn", "three-quarter turn")
    mirrors = ("mirror nw-se", "mirror n-s", "mirror ne-sw", "mirror e-w")
    ways = [(name, 1, -at) for at, name in enumerate(turns)]
    ways += [(name, -1, at) for at, name in enumerate(mirrors)]
    return tuple(
        Symmetry(name, tuple((step * place + 2 * at) % 8 for place in range(8)))
        for name, step, at in ways
    )


def fixed_rings(symmetry: Symmetry, last_matches_both: bool = True, *, colours: int = 3) -> int:
    """The number of rings that a symmetry leaves as they are: a term of Burnside's lemma.

    A ring that stays the same under a turn is a shorter ring, repeated. One that stays the
    same under a mirror is a path from one end of the axis to the other, and back. A single
    wrong joint would be moved to another place, so only staying put allows it.

    >>> [fixed_rings(symmetry) for symmetry in symmetries()]
    [391653, 45, 693, 45, 5625, 5625, 5625, 5625]
    """
    if symmetry.mirrors:
        return _walks(symmetry.cycles - 1, colours, 3)[1]
    if symmetry.cycles == 8:
        return _walk_rings(last_matches_both, colours)
    return _walks(symmetry.cycles, colours, 3)[0]


def symmetric_ring(symmetry: Symmetry, number: int = 0) -> Ring:
    """One of the rings that a symmetry leaves as they are; another number gives another one.

    >>> quarter = symmetries()[1]
    >>> ring = symmetric_ring(quarter, number=3)
    >>> quarter.of(ring) == ring
    True
    """
    faces = _faces("tower", 3, 3), _faces("wall", 3, 3)
    first = [min(symmetry.cycle(place)) for place in range(8)]  # who decides for each place
    chance = Chance.seeded(f"{symmetry.name} {number}")
    while True:
        chosen = []
        for _ in range(8):
            face, chance = chance.below(9)
            chosen.append(face)
        ring = tuple(faces[place % 2][chosen[first[place]]] for place in range(8))
        if all(tile.matches(ring[place - 1]) for place, tile in enumerate(ring)):
            return ring


def looks(ring: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """The different looks of a ring, turned and mirrored: its orbit.

    Their number times the number of symmetries that change nothing is always eight.

    >>> len(looks("RRRRRRRR")), len(looks("RYRYRYRY")), len(looks("RRYRRRRR"))
    (1, 1, 4)
    """
    return tuple(dict.fromkeys(symmetry.of(ring) for symmetry in symmetries()))


def count_colourings(colours: int, mirrored: bool = True) -> int:
    """In how many ways four corner towers can be coloured that look different, by Burnside.

    Turned castles count as one, and mirrored ones unless you say otherwise. With mirrors the
    numbers are https://oeis.org/A002817, without them https://oeis.org/A006528.

    >>> [count_colourings(k) for k in range(1, 6)]
    [1, 6, 21, 55, 120]
    >>> [count_colourings(k, mirrored=False) for k in range(1, 6)]
    [1, 6, 24, 70, 165]
    """
    number = whole_number(colours, "colours go", 1, _MOST_COLOURS)
    group = [symmetry for symmetry in symmetries() if mirrored or not symmetry.mirrors]
    fixed: list[int] = [number**symmetry.corner_cycles for symmetry in group]
    return sum(fixed) // len(group)


def colourings(colours: int, mirrored: bool = True) -> Iterator[tuple[int, ...]]:
    """The same colourings one by one, as colours clockwise from the north-west: try them all.

    >>> list(colourings(2))
    [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 1), (1, 1, 1, 1)]
    """
    group = [symmetry for symmetry in symmetries() if mirrored or not symmetry.mirrors]
    number = whole_number(colours, "colours go", 1, _MOST_LISTED)
    for corners in product(range(number), repeat=4):
        ring = [colour for colour in corners for _ in (0, 1)]  # a side goes with its corner
        if corners == min(symmetry.of(ring)[::2] for symmetry in group):
            yield corners


# -- doubles ---------------------------------------------------------------------------------


def doubles_odds(tiles: int, copies: Sequence[int] | None = None) -> Fraction:
    """The chance that of so many tiles drawn from the box two or more are the same.

    ``copies`` is how many there are of each kind; without it, the house box. To have no
    doubles, choose the kinds, and one of the copies of each: the coefficient of xᵏ in the
    product of all (1 + copies · x).

    >>> [round(float(doubles_odds(tiles)), 2) for tiles in (2, 6, 7)]
    [0.04, 0.47, 0.6]
    """
    box = tuple(Counter(read_box(Edition.load("castle_keep"))).values())
    kinds = box if copies is None else tuple(copies)
    for number in kinds:
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise CastlelabError(f"copies are whole numbers from 0 on, not {quoted(number)}")
    whole_number(tiles, "tiles go", 0, sum(kinds))
    ways = [1] + [0] * tiles  # to choose 0, 1, 2, … tiles that are all different
    for number in kinds:
        for chosen in range(tiles, 0, -1):
            ways[chosen] += number * ways[chosen - 1]
    return 1 - Fraction(ways[tiles], comb(sum(kinds), tiles))


# -- from here to a complete castle ------------------------------------------------------------


def hand_of(hand: AnyHand) -> TileRow:
    """The tiles of a hand, given as tiles or as text; anything else is a ``NotationError``.

    >>> hand_of("TRC KR")
    (Tile('TRC'), Tile('KR'))
    """
    if isinstance(hand, str):
        hand = tuple(map(Tile, hand.replace(",", " ").split()))
    tiles = tuple(hand) if isinstance(hand, Iterable) else (hand,)
    if not all(isinstance(tile, Tile) for tile in tiles):
        raise NotationError(f"a hand is tiles such as 'TRC WRZ KR', not {quoted(hand)}")
    if len(tiles) > _LONGEST_HAND:
        raise CastlelabError(f"a hand of {len(tiles)} tiles is too many; {_LONGEST_HAND} will do")
    return tiles


@lru_cache(maxsize=1 << 14)
def _ways_to_close(ring: Places) -> int:
    standing = [place for place, tile in enumerate(ring) if tile is not None]
    if not standing:
        return _walks(8, 3, 3)[0]
    ways = 1
    for place, following in zip(standing, [*standing[1:], standing[0] + 8], strict=True):
        first, last = ring[place], ring[following % 8]
        assert first is not None
        assert last is not None
        if following - place > 1:
            ways *= _between(following - place)[first.index % 9][last.index % 9]
    return ways


@cache
def _between(steps: int) -> Matrix:
    """The walks of so many steps from each face to each."""
    return _power(matching_matrix(), steps)


def ways_to_close(castle: Castle | str) -> int:
    """In how many ways the ring can be filled so that every new tile matches its neighbours.

    >>> ways_to_close("TRC WRC TRC / WRC -- WRC / TRC -- TRC")
    5
    """
    return _ways_to_close(given(Castle, castle).places[:CENTRE])


def _steps(places: Places, held: TileRow, both: bool) -> Iterator[tuple[Places, TileRow]]:
    """What can become of a castle and a hand by laying one tile."""
    sets = fits(places, both)
    for at, tile in enumerate(held):
        if at and held[at - 1] is tile:
            continue  # the same tile again
        for place, allowed in enumerate(sets):
            if allowed & tile.bit:
                yield changed_at(places, place, tile), held[:at] + held[at + 1 :]


def _enough(places: Places, held: TileRow) -> bool:
    """Whether the hand has as many towers, walls and keeps as are missing."""
    kinds = [tile.kind for tile in held]
    return (
        kinds.count("tower") >= places[:CENTRE:2].count(None)
        and kinds.count("wall") >= places[1:CENTRE:2].count(None)
        and (places[CENTRE] is not None or "keep" in kinds)
    )


def _orders(castle: Castle, hand: AnyHand, both: bool) -> dict[Places, int]:
    """The complete castles within reach, each with the number of orders that lead to it."""
    held = sorted_tiles(hand_of(hand))
    if not _enough(castle.places, held):
        return {}
    return _reached(castle.places, held, both, 1, lambda orders, _: orders)


def _reached(
    start: Places, hand: TileRow, both: bool, weight: N, passed_on: Callable[[N, int], N]
) -> dict[Places, N]:
    """The complete castles within reach, each with the weight of all ways that lead to it.

    A castle passes its weight on to those that one tile more makes of it, so many steps.
    """
    reached = {start: (weight, hand)}  # all castles of so many tiles; from them the hand follows
    for _ in range(start.count(None)):
        following: dict[Places, tuple[N, TileRow]] = {}
        for places, (before, held) in reached.items():
            steps = list(_steps(places, held, both))
            for laid, rest in steps:
                more = passed_on(before, len(steps))
                following[laid] = (following[laid][0] + more if laid in following else more), rest
        reached = following
    return {places: found for places, (found, _) in reached.items()}


def finishes(
    castle: Castle | str, hand: AnyHand, last_matches_both: bool = False
) -> tuple[Castle, ...]:
    """The different complete castles that a hand can make of a castle in one turn.

    >>> start = Castle("TRC WRC TRC / WRC -- WRC / TRC -- TRC")
    >>> [str(done["s"]) for done in finishes(start, "WYC WRZ WBZ KR")]
    ['WRZ', 'WYC']
    """
    found = _orders(given(Castle, castle), hand, last_matches_both)
    return tuple(sorted(map(Castle, found), key=str))


def count_finishes(
    castle: Castle | str, hand: AnyHand, last_matches_both: bool = False, in_order: bool = False
) -> int:
    """How many complete castles a hand can make, or in how many orders of laying.

    >>> start = "TRC WRC TRC / WRC -- WRC / TRC -- TRC"
    >>> count_finishes(start, "WYC WRZ KR"), count_finishes(start, "WYC WRZ KR", in_order=True)
    (2, 4)
    """
    found = _orders(given(Castle, castle), hand, last_matches_both)
    return sum(found.values()) if in_order else len(found)


def luck_to_finish(castle: Castle | str, hand: AnyHand, last_matches_both: bool = False) -> float:
    """The chance that a careless builder, who lays anything that fits, finishes in one turn.

    Every step is as likely as every other: one tile of the hand on one spot that takes it.

    >>> start = Castle("TRC WRC TRZ / WRC KR WYZ / TBC -- --")
    >>> [luck_to_finish(start, "TYS TYZ WBZ", both) for both in (False, True)]
    [1.0, 0.6666666666666666]
    """
    held, start = sorted_tiles(hand_of(hand)), given(Castle, castle).places
    found = _reached(start, held, last_matches_both, 1.0, lambda luck, steps: luck / steps)
    return sum(found.values(), 0.0)


# -- the chance to finish ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Odds:
    """How often a castle was finished by each turn, in so many games. Prints as a table.

    >>> print(Odds(games=100, finished=(20, 50)))
    turn  finished by then
       1   20.0% ± 4.0%
       2   50.0% ± 5.0%
    100 games; ± is one standard error
    """

    games: int
    finished: tuple[int, ...]  # by turn 1, 2, …

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of games in which the castle stood by turn 1, 2, …"""
        return tuple(number / self.games for number in self.finished)

    @property
    def errors(self) -> tuple[float, ...]:
        """The standard error of each share."""
        return tuple(sqrt(share * (1 - share) / self.games) for share in self.shares)

    def __str__(self) -> str:
        lines = ["turn  finished by then"]
        for turn, (share, error) in enumerate(zip(self.shares, self.errors, strict=True), 1):
            lines.append(f"{turn:>4}  {share:>6.1%} ± {error:.1%}")
        return "\n".join([*lines, f"{self.games} games; ± is one standard error"])


def chance_to_finish(
    castle: Castle | str,
    hand: AnyHand,
    turns: int,
    games: int = 1000,
    seed: int | str = 0,
    last_matches_both: bool = False,
) -> Odds:
    """How likely somebody who is left in peace has finished by turn 1, 2, …: by simulation.

    Each turn two tiles are drawn from what is left of the box. Who can finish does. Otherwise
    whatever fits is laid, the keep first, then always the tile that leaves the most
    `ways_to_close`. Of what is left over, the four tiles stay that could still stand on
    the most open spots.

    >>> odds = chance_to_finish("TRC WRC TRC / WRC KR -- / -- -- --", "", 3, games=50)
    >>> odds.shares[0], odds.shares[2] > 0
    (0.0, True)
    """
    castle, held = given(Castle, castle), hand_of(hand)
    whole_number(turns, "turns go", 1, _MOST_TURNS)
    whole_number(games, "games go", 1, _MOST_GAMES)
    pile = _left_in_box(castle, held)
    chance = Chance.seeded(seed)
    needed = Counter(
        _turns_to_finish(castle, held, pile, turns, last_matches_both, chance.split(game))
        for game in range(games)
    )
    return Odds(games, tuple(accumulate(needed[turn] for turn in range(1, turns + 1))))


def _left_in_box(castle: Castle, hand: TileRow) -> TileRow:
    left = Counter(read_box(Edition.load("castle_keep")))
    used = Counter([*castle, *hand])
    for tile in TILES:
        if used[tile] > left[tile]:
            raise CastlelabError(f"the box has only {left[tile]} of {tile}, not {used[tile]}")
    left.subtract(used)
    return tuple(tile for tile in TILES for _ in range(left[tile]))


def _turns_to_finish(
    castle: Castle, hand: TileRow, left: TileRow, turns: int, both: bool, chance: Chance
) -> int | None:
    """The turn in which one builder finishes, or None if that takes longer."""
    places, held = castle.places, sorted_tiles(hand)
    pile, chance = chance.shuffle(left)
    discards: TileRow = ()
    for turn in range(1, turns + 1):
        if len(pile) < 2:  # castle_keep/reshuffle
            mixed, chance = chance.shuffle(discards)
            pile, discards = pile + mixed, ()
        held = sorted_tiles((*held, *pile[:2]))
        pile = pile[2:]
        places, held = _build(places, held, both)
        if None not in places:
            return turn
        kept = sorted(held, key=lambda tile: -_hopes(places, tile))[:_HAND_LIMIT]
        discards += tuple((Counter(held) - Counter(kept)).elements())
        held = sorted_tiles(kept)
    return None


def _build(places: Places, held: TileRow, both: bool) -> tuple[Places, TileRow]:
    """The castle and the hand after a turn of building."""
    if len(held) >= places.count(None) and (done := _orders(Castle(places), held, both)):
        return next(iter(done)), ()
    while steps := list(_steps(places, held, both)):
        places, held = max(steps, key=lambda step: _ways_to_close(step[0][:CENTRE]))
    return places, held


def _hopes(places: Places, tile: Tile) -> int:
    """On how many open spots a tile could still stand, as far as their neighbours show."""
    if tile.kind == "keep":
        return int(places[CENTRE] is None)
    return sum(
        places[place] is None
        and all(
            beside is None or tile.matches(beside)
            for beside in (places[place - 1 if place else 7], places[(place + 1) % 8])
        )
        for place in range(tile.kind == "wall", 8, 2)
    )
