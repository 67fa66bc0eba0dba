"""What a seat may know and hear of a move; what pointing means, and which rule says no."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES, Move, Prospect, Sentence, State
from castlelab.rules import Breach, Rule, Verdict, counted, listed

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

_WORLDS = 8  # that might have been; a die shows the same in all of them once in millions
_STEPS = 400  # of a search for the way to a move; the longest ways of all games need fewer
_CROWD = 60  # things in a picture; of more, only those on offer are tried one by one …
_TRIED = 30  # … and not all of these
_NOTICED = 0.05  # a change of an estimate that is worth a word, in points
_DECISIVE = 100.0  # no few points: the game is as good as won, or lost
_FOLLOWING = 3  # words that may follow the name of a thing
_NAMED = 4  # moves that are named in a sentence before the rest are only counted


# What a move brings to light: the limits of taking back and of telling


def reveals(state: State, move: Move, seat: int) -> bool:
    """Whether a legal move shows a seat something that it could not foresee.

    The seat knows only its view, and many worlds fit it. If the move leads to another view in
    one of them, or cannot be made there, then what came of it was news. Of a move that is
    secret to the seat only its kind is known.
    """
    seen, view = state.after(move).view(seat), state.view(seat)
    secret = is_secret(state, move, seat)
    chance = Chance.seeded("what might have been")
    for number in range(_WORLDS):
        world = view.guess(seat, chance.split(number))
        if secret:
            alike = [other for other in world.moves() if other.kind == move.kind]
        else:
            alike = [move] if world.check(move) else []
        if all(world.after(other).view(seat) != seen for other in alike):
            return True
    return False


def is_secret(state: State, move: Move, seat: int) -> bool:
    """Whether a seat sees that a legal move is made, but not which: a card laid face down.

    The game says so of the kind of move, never of what the hand really holds: that would tell.
    A seat always knows what it did itself.
    """
    return state.to_move != seat and state.conceals(move)


def sentence(
    state: State, move: Move, audience: Collection[int] = (), after: State | None = None
) -> Sentence:
    """A legal move as these seats hear of it, with the things that it names.

    It is told from what they see, before and ``after``; nobody in particular sees everything.
    Where they see different things, only what all of them see alike is told.
    """
    return next(sentences(state, move, audience, after))


def sentences(
    state: State, move: Move, audience: Collection[int] = (), after: State | None = None
) -> Iterator[Sentence]:
    """The same, then in fewer and fewer words, as far as the game has any."""
    assert state.to_move is not None
    after = state.after(move) if after is None else after
    views = [(state.view(seat), after.view(seat)) for seat in audience] or [(state, after)]
    kept = any(is_secret(state, move, seat) for seat in audience)
    ways = iter(()) if kept else _heard_alike([_ways(before, move, then) for before, then in views])
    is_told = False
    for did in ways:
        is_told = True
        yield _said_of(state.to_move, did)
    if not is_told:
        yield _said_of(state.to_move, state.tell_concealed(move.kind))


def _ways(before: State, move: Move, then: State) -> Iterator[Sentence]:
    yield before.tell_move(move, then)
    yield from before.tell_shorter(move, then)


def _heard_alike(ways: Collection[Iterator[Sentence]]) -> Iterator[Sentence]:
    """What is told in the same words to all, until it is not."""
    for did in zip(*ways, strict=False):
        if len(set(did)) > 1:
            return
        yield did[0]


def _said_of(seat: int, did: Sentence) -> Sentence:
    ended = str(did[-1])[-1:] in ".!?"
    return (f"{SEAT_NAMES[seat]} ", *did, *(() if ended else (".",)))


def told(state: State, move: Move, audience: Collection[int] = ()) -> str:
    """A legal move as these seats hear of it, in words alone."""
    return "".join(map(str, sentence(state, move, audience)))


def hides(state: State, seats: Collection[int]) -> bool:
    """Whether one of these seats may see what another may not."""
    views = [state.view(seat) for seat in seats]
    return any(one != other for one, other in combinations(views, 2))


# What pointing means


@dataclass(frozen=True, slots=True)
class Meaning:
    """The moves that pointing at a thing can come to: those that are legal, those that are not."""

    legal: tuple[Move, ...] = ()
    refused: tuple[tuple[Move, Verdict], ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that say no, each once."""
        return tuple(dict.fromkeys(breach.rule for _, breach in self._breaches()))

    @property
    def where(self) -> tuple[str, ...]:
        """The places that the refusals name, each once."""
        return tuple(
            dict.fromkeys(place for _, breach in self._breaches() for place in breach.where)
        )

    @property
    def words(self) -> tuple[str, ...]:
        """What may be done and what may not, a line for each rule."""
        lines = []
        if self.legal:
            lines.append(f"You may: {_named(self.legal)}.")
        by_rule: dict[Rule, list[tuple[Move, Breach]]] = {}
        for move, breach in self._breaches():
            by_rule.setdefault(breach.rule, []).append((move, breach))
        for (move, breach), *more in by_rule.values():
            alike = f" (and {len(more)} more like it)" if more else ""
            lines.append(f"You may not: {move}{alike}. {breach}")
        return tuple(lines)

    def _breaches(self) -> Iterator[tuple[Move, Breach]]:
        return ((move, breach) for move, verdict in self.refused for breach in verdict.breaches)


def _named(moves: tuple[Move, ...]) -> str:
    names = [str(move) for move in moves[:_NAMED]]
    if more := len(moves[_NAMED:]):
        names.append(counted(more, "more move"))
    return listed(names)


def meaning(
    state: State, target: str, targets: Iterable[str] = (), picks: tuple[str, ...] = ()
) -> Meaning:
    """What can come of pointing at a target, after these picks or after any other thing.

    ``targets`` are the things in the picture. A target may mean a move by itself, or together
    with one that is picked before or after it.
    """
    things = tuple(targets)
    moves = _pointed(state, (*picks, target))
    if not moves and not picks:
        for other in _tried(things, state.point(()).offers):
            first = state.point((other,))
            if other != target and first.picks:
                moves += _pointed(state, (*first.picks, target))
    if not moves and (taken := state.point((*picks, target))).picks:
        for other in _tried(things, taken.offers):
            if state.point((other,)).move is None:  # or it has nothing to do with the target
                moves += _pointed(state, (*taken.picks, other))
    if not any(map(state.check, moves)):
        moves += _offered(state, target, picks)
    return judged(state, moves)


def _offered(state: State, target: str, picks: tuple[str, ...]) -> list[Move]:
    """The moves that offers lead to, by way of a target: some need three picks or more."""
    starts = [picks]
    if not picks:
        firsts = (state.point((other,)) for other in state.point(()).offers if other != target)
        starts += [first.picks for first in firsts if target in first.offers and first.picks]
    found: list[Move] = []
    ways = deque((*start, target) for start in starts)
    for _ in range(_STEPS):
        if not ways:
            break
        way = ways.popleft()
        pointing = state.point(way)
        if pointing.move is not None:
            found.append(pointing.move)
        elif len(pointing.picks) == len(way):
            ways.extend((*way, offer) for offer in pointing.offers)
    return found


def _tried(things: tuple[str, ...], offers: tuple[str, ...]) -> tuple[str, ...]:
    """The things that are worth a try: all, unless they are so many that one had to wait."""
    return things if len(things) <= _CROWD else offers[:_TRIED]


def judged(state: State, moves: Iterable[Move]) -> Meaning:
    """Moves sorted by what the rules say of them, each once."""
    legal, refused = [], []
    for move in dict.fromkeys(moves):
        verdict = state.check(move)
        if verdict:
            legal.append(move)
        else:
            refused.append((move, verdict))
    return Meaning(tuple(legal), tuple(refused))


def _pointed(state: State, picks: tuple[str, ...]) -> list[Move]:
    move = state.point(picks).move
    return [] if move is None else [move]


class Change(NamedTuple):
    """What a move does for a player as soon as it is made, the greatest first."""

    gains: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """A clause: "your castle grows, but your hand is of less use"; "" if little changes."""
        return ", but ".join(filter(None, (" and ".join(self.gains[:2]), *self.losses[:1])))


def change(state: State, move: Move, player: int) -> Change:
    """What a legal move changes at once, told by the parts of the game's own estimate."""
    then = state.after(move)
    if then.over:
        return _ended(then.winners, player)
    before = {part.better: part for part in state.prospects(player)}
    after = {part.better: part for part in then.prospects(player)}
    nothing = Prospect(0.0, "", "")
    differences = {
        part: after.get(key, nothing).worth - before.get(key, nothing).worth
        for key, part in (before | after).items()
    }
    told = sorted(differences, key=lambda part: -abs(differences[part]))
    largest = max(map(abs, differences.values()), default=0.0)
    if largest >= _DECISIVE:  # beside it nothing else counts
        told = told[:1]
    told = [part for part in told if abs(differences[part]) >= max(_NOTICED, largest / 10)]
    return Change(
        tuple(part.better for part in told if differences[part] > 0),
        tuple(part.worse for part in told if differences[part] < 0),
    )


def _ended(winners: tuple[int, ...], player: int) -> Change:
    if player not in winners:
        return Change(losses=("the game ends with it, and others have won",))
    alone = len(winners) == 1
    return Change(gains=("it wins the game" if alone else "the game ends, and you share the win",))


def way_to(state: State, move: Move) -> tuple[str, ...]:
    """The targets to pick, one after the other, that come to a legal move; () if none do."""
    ways: deque[tuple[str, ...]] = deque([()])
    seen: set[tuple[str, ...]] = set()
    for _ in range(_STEPS):
        if not ways:
            break
        picks = ways.popleft()
        pointing = state.point(picks)
        if pointing.move == move:
            return picks
        if pointing.move is None and len(pointing.picks) == len(picks):
            for offer in pointing.offers:
                way = (*pointing.picks, offer)
                if way not in seen:
                    seen.add(way)
                    ways.append(way)
    return ()


def in_words(scene: Scene, way: Iterable[str], move: Move) -> str:
    """What to pick for a move, as the picture calls it; then the move as it is typed."""
    named = [f"“{_brief(found.name)}”" for pick in way if (found := scene.target(pick))]
    return f"{', then '.join(named)}. To type it: {move}." if named else f"{move}."


def _brief(name: str) -> str:
    """The name of a thing without what else there is to say of it.

    >>> [_brief(name) for name in ("Hand 2: red tower", "Valls: castellers 7 6 2. Wheel: base.")]
    ['Hand 2: red tower', 'Valls']
    """
    thing, _, more = name.partition(". ")[0].rstrip(".").partition(": ")
    return (
        f"{thing}: {more}"
        if more and len(more.split()) <= _FOLLOWING and "," not in more
        else thing
    )
