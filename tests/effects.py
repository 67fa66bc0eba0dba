"""What a move has visibly changed, found by comparing two views, and what has to be said of it.

Nothing here asks the game for words. A game names every part of its state that may change: how it
has to be told, as patterns; or, in ``IMPLIED``, by what else one knows of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass

from castlelab.game import SEAT_NAMES
from castlelab.games.castle_keep.castle import RING, SPOTS
from castlelab.games.castlescape.board import square_name
from castlelab.games.castlescape.guild import EMPTY_STALL

Effect = tuple[str, str]  # a part of the state, and a pattern of the words for its change

_WORDS = ["north-west", "north", "north-east", "east", "south-east", "south", "south-west", "west"]
_POINTS = dict(zip(RING, _WORDS, strict=True)) | {"c": "centre|keep"}


# -- what has changed ----------------------------------------------------------------------------


def changed_parts(before, after, path=""):
    """The parts of a state that differ: ``players.tokens``, ``castles.places``."""
    if before == after:
        return
    names = _names(before)
    if names and type(before) is type(after):
        for name in names:
            if name not in ("game", "chance", "layout"):
                deeper = f"{path}.{name}".strip(".")
                yield from changed_parts(getattr(before, name), getattr(after, name), deeper)
    elif _is_row(before) and _is_row(after) and len(before) == len(after):
        for one, other in zip(before, after, strict=True):
            yield from changed_parts(one, other, path)
    else:
        yield path


def _names(thing):
    if is_dataclass(thing):
        return [part.name for part in fields(thing)]
    return list(getattr(thing, "_fields", ()))


def _is_row(thing):
    return type(thing) is tuple and any(map(_names, thing))


def _both(before, after):
    return list(enumerate(zip(before, after, strict=True)))


def whose(seat, audience):
    """A seat as it is called by who listens."""
    return r"\b[Yy]ou(r|rs)?\b" if seat == audience else SEAT_NAMES[seat]


def _each(patterns):
    """A pattern for words in any order."""
    return "".join(rf"(?=.*(?:{one}))" for one in patterns)


def _counts(more):
    return [*(Counter(more[1]) - Counter(more[0])).elements()]


# -- the games -----------------------------------------------------------------------------------


def castell(before, after, you) -> Iterator[Effect]:
    names = before.game.box.regions
    for region, (old, new) in _both(before.regions, after.regions):
        gone = [
            size
            for size, (was, now) in enumerate(zip(old.counts, new.counts, strict=True), 1)
            for _ in range(was - now)
        ]
        if after.round == before.round and gone:
            yield "regions", names[region]
            yield from (("regions", rf"\b{size}\b") for size in gone)
    if after.round != before.round:
        came = sum(map(len, after.regions)) - sum(map(len, before.regions))
        yield "regions", rf"\b{came} casteller" if came > 0 and after.round <= 10 else ""
        yield "round", f"Round {after.round}" if after.round <= 10 else "won|draw"
    for seat, (old, new) in _both(before.players, after.players):
        if old.pawn != new.pawn:
            yield "players.pawn", names[new.pawn]
        for skill in _names(new.skills):
            if (rank := getattr(new.skills, skill)) != getattr(old.skills, skill):
                yield "players.skills", rf"{skill.title()}.*rank {rank}"
        if new.tokens < old.tokens:
            yield "players.tokens", "used a token"
        for tile in new.performances[len(old.performances) :]:
            yield "players.performances", rf"{tile.levels} level|shape {tile}"
            yield "players.performances", f"for {tile.points} point"
        if new.collected != old.collected:
            yield "players.collected", rf"took {sum(new.collected) - sum(old.collected)} token"
        for prize, _ in new.prizes[len(old.prizes) :]:
            yield "players.prizes", rf"{whose(seat, you)}.*{prize}"
        for size, _ in new.sizes[len(old.sizes) :]:
            yield "players.sizes", rf"{whose(seat, you)}.*\b{size}\b"
    built = after.entries[len(before.entries) :]
    for _, tower in built:
        yield "entries", f"{tower.height} level"
    last = [tower for result in after.results[len(before.results) :] for tower in result.towers]
    if last and not built:
        yield "entries", ""
    for result in after.results[len(before.results) :]:
        won = [*result.prizes, *filter(lambda owner: owner is not None, result.tokens)]
        where = names[result.festival.region]
        yield "results", rf"{where}|{'|'.join(whose(seat, you) for seat in won) or where}"
    if after.festival is not None and after.festival != before.festival:
        yield "festival", names[after.calendar[after.festival].region]
    yield "festival", ""


def castle_keep(before, after, you) -> Iterator[Effect]:
    game = before.game
    fell = 0
    for number, (old, new) in _both(before.castles, after.castles):
        lost = [spot for spot in SPOTS if old[spot] is not None and new[spot] is None]
        came = [spot for spot in SPOTS if new[spot] is not None and old[spot] is not new[spot]]
        for spot in came:
            where, what = _POINTS[spot], new[spot].words
            yield "castles.places", _each([where, what])
        if lost and not after.exchanged > before.exchanged:
            fell += len(lost)
            if (owner := game.sites[number][0]) is not None and game.players > 1:
                yield "castles.places", whose(owner, you)
            yield "castles.places", _fallen(lost) + ("" if len(new) else "|nothing is left")
        if lost and after.exchanged > before.exchanged:
            yield "castles.places", "exchanged|moved"
    for seat, (old, new) in _both(before.hands, after.hands):
        number = len(new) - len(old)
        if number > 0 and before.phase == "draw":
            yield "hands", rf"dr[ea]wn?\b|took|{number} new tile|Drawn"
        if seat == you and number <= 0:
            for tile in _counts((new, old)):
                yield "hands", tile.words
        if seat == you and number > 0 and not after.ending:
            drawn = Counter(new) - Counter(old) - Counter(before.discards[-1:])
            names = [tile.words for tile in drawn.elements()]
            yield "hands", rf"{_each(names)}|{drawn.total()} new tile"
        yield "hands", ""  # of others one sees how many there are: that is in the move
    if len(after.discards) == len(before.discards) + 1 and not fell:
        yield "discards", f"{after.discards[-1].words}|{'hit' if after.turned else '$^'}"
    elif 0 < len(after.discards) == len(before.discards) - 1:
        yield "discards", f"{before.discards[-1].words} from the discards"
    elif len(after.discards) < len(before.discards):
        yield "discards", "discards are the new pile|New pile"
    else:
        yield "discards", ""
    for seat, (old, new) in _both(before.won, after.won):
        if len(new) > len(old):
            yield "won", rf"{whose(seat, you)} takes? {len(new) - len(old)}\b"
        elif len(new) < len(old):
            yield "won", "with the won"
    for seat, (old, new) in _both(before.out, after.out):
        if new and not old:
            yield "out", rf"{whose(seat, you)} (is|are) out"
    if after.open and not before.open:
        told = game.way != "solitaire" and not after.ending
        yield "open", "Attacks are open now" if told else ""
    if after.turned != before.turned and after.turned:
        yield "turned", rf"{after.turned[-1][0].words}|chose"
        yield "turned", _fallen(after.turned[-1][1]) if after.turned[-1][1] else ""
    yield "turned", ""
    if after.hit is not None:
        yield "hit", "hits one of"
    yield "hit", ""
    if after.ending and not before.ending:
        yield "ending", r"\bwins?\b|won|draw|held"
        for seat in after.victors:
            yield "victors", rf"{whose(seat, you)}|held"


def _fallen(spots):
    """All that fell, by their names; or along the ring, from one end to the other."""
    along = [at for at, spot in enumerate(RING) if spot in spots]
    named = _each([_POINTS[spot] for spot in spots])
    starts = [at for at in along if (at - 1) % 8 not in along]
    if len(starts) != 1:
        return named
    end = (starts[0] + len(along) - 1) % 8
    first, last = (_POINTS[RING[at]] for at in (starts[0], end))
    keep = "(?=.*keep)" if "c" in spots else ""
    return rf"{named}|{keep}.*{first} clockwise to {last}"


def castle_rampage(before, after, you) -> Iterator[Effect]:
    cards = before.game.box.cards
    name = lambda at: re.escape(cards[at].name)  # noqa: E731
    went = [at for at in _counts((before.discards, after.discards)) if at >= 0]
    number = len(went)
    for seat, (old, new) in _both(before.sides, after.sides):
        for part in ("gate", "castle"):
            was, now = getattr(old, part), getattr(new, part)
            lost = was.cards[: len(was.cards) - len(now.cards)]
            if lost and after.loser != seat:
                seen = [at for at in lost if at >= 0 and at in went]
                names = _each(map(name, seen))
                yield f"sides.{part}", rf"{names}|\b{len(lost)}\b|\d more|{part.title()}: \d"
            if len(now.cards) > len(was.cards):
                yield f"sides.{part}", rf"{part.title()}|face down"
            if len(now.cards) == len(was.cards) and now.seen and not was.seen:
                yield f"sides.{part}", name(now.cards[0])
            yield f"sides.{part}", ""
        came, gone = (_counts(pair) for pair in ((old.permanents, new.permanents),) * 2)
        gone = _counts((new.permanents, old.permanents))
        yield from (("sides.permanents", name(at)) for at in came)
        yield (
            "sides.permanents",
            rf"{_each(map(name, gone))}|struck|\b{number}\b|fell" if gone else "",
        )
        drawn = len(new.hand) - len(old.hand)
        if drawn > 0 and before.turn and before.active != seat and after.active == seat:
            yield "sides.hand", rf"drew {drawn} card"
        if drawn > 0 and seat == you and before.turn:
            fresh = _counts((old.hand, new.hand))
            yield "sides.hand", rf"{_each(map(name, fresh))}|{len(fresh)} new card"
        if drawn < 0 and seat == before.to_move and before.active == after.active:
            # What is laid down openly has a name; what is paid has one, or is counted.
            held = [*went, *([after.pause.card] if after.pause else []), *new.permanents]
            played = [at for at in held if at in old.hand or -1 in old.hand]
            yield "sides.hand", "|".join(["face down", "Gate|Castle", *map(name, played)])
        yield "sides.hand", ""
    if after.pause is not None and after.pause.fighting:
        yield "pause", "strikes back|struck"
    yield "pause", ""
    if after.renewals > before.renewals:
        yield "renewals", "anew|new pile|drew|Drawn|new card"
    if after.loser is not None:
        foe = 1 - after.loser
        yield "loser", rf"{whose(after.loser, you)}.*fallen|{whose(foe, you)} (wins?|won)"
    new_steps = after.steps if after.steps[: len(before.steps)] != before.steps else ()
    if new_steps:
        yield "steps", "attack|went on|Gate|Castle"
    yield "steps", ""


def castlescape(before, after, you) -> Iterator[Effect]:
    box, grid = before.game.box, before.board.grid
    visit = after.marker < before.marker or any(
        step.kind in ("reset", "judge") for step in (*before.agenda, *after.agenda)
    )
    for square in grid.squares(after.board.walls & ~before.board.walls):
        yield "board.walls", rf"\b{square_name(square)}\b"
    for claim in after.claims[len(before.claims) :]:
        share = claim.size // len(claim.seats) if claim.seats else 0
        names = [whose(seat, you) for seat in claim.seats] or ["nobody"]
        size = rf"\b{claim.size}( square| for)"
        yield "claims", _each([size, *names, *[rf"\b{share} Renown"] * bool(share)])
    for seat, (old, new) in _both(before.guilds, after.guilds):
        yield from _on_site(before, after, seat, you)
        for level in ("infamy", "corruption"):
            was, now = getattr(old, level), getattr(new, level)
            if now > was and not visit:
                yield f"guilds.{level}", _each([whose(seat, you), rf"{now - was} {level.title()}"])
            elif now < was and not visit:
                yield (
                    f"guilds.{level}",
                    rf"{was - now} {level.title()} less|owes?|influence|gives? up|Lost|gave up",
                )
            else:
                yield f"guilds.{level}", "inspect|Inspection|gave up" if now != was else ""
        if new.renown != old.renown:
            yield "guilds.renown", "Renown"
        if new.occupation > old.occupation:
            number = new.occupation - old.occupation
            yield "guilds.occupation", rf"{whose(seat, you)} {number}\b"
        for goal in new.goals[len(old.goals) :]:
            yield "guilds.goals", box.goals[goal].name
        bought = [at for at in _counts((old.owned, new.owned)) if at >= 0]
        yield from (("guilds.owned", re.escape(box.cards[at].name)) for at in bought)
        lost = len(old.owned) + len(bought) - len(new.owned)
        yield "guilds.owned", "destroyed|gave up|Lost|gives? up" if lost > 0 else ""
        left = [at for at in _counts((new.alley, old.alley)) if at >= 0]
        if left and not visit and seat == before.to_move and not before.agenda:
            yield (
                "guilds.alley",
                rf"{_each(re.escape(box.cards[at].name) for at in left)}|Infamy|Corruption|ended",
            )
        yield "guilds.alley", ""
        drawn = len([at for at in _counts((old.hand, new.hand)) if at >= 0])
        if seat == you and drawn and not after.finished:
            yield "guilds.hand", rf"Drawn|\b{drawn} new card"
        yield "guilds.hand", ""
        if len(new.contracts) != len(old.contracts):
            yield "guilds.contracts", "contract"
        if len(new.dealt) > len(old.dealt):
            yield "guilds.dealt", "contract|turn"
        yield "guilds.dealt", ""
        yield "guilds.contracts", ""
    gone = [at for at in _counts((before.gone, after.gone)) if at >= 0]
    names = _each(re.escape(box.cards[at].name) for at in gone)
    yield "gone", "inspects|Inspection|gave up" if visit else names
    played = _counts((before.turn.played, after.turn.played))
    if before.active == after.active and not after.finished:
        yield from (("turn", re.escape(box.cards[at].name)) for at in played if at >= 0)
    yield "turn", ""
    if after.marker < before.marker:
        yield "marker", "inspects|Inspection"
    if after.agenda and not after.finished:
        step = after.agenda[0]
        is_new = step.kind in ("levy", "judge") and not any(
            (due.kind, due.seat) == (step.kind, step.seat) for due in before.agenda
        )
        due = _each([whose(step.seat, you), f"{step.number} influence"])
        yield "agenda", due if is_new else ""
    yield "agenda", ""
    if after.ending and after.ending != before.ending:
        yield "ending", "last round|game ends|the end|last Inspection|Inspection|wins?|inspects"
    if after.finished:
        yield "finished", r"wins?\b|won\b"
    fresh = Counter(after.stalls) - Counter(before.stalls)
    if fresh and EMPTY_STALL not in after.stalls and not after.finished:
        names = _each(re.escape(box.cards[at].name) for at in fresh if at >= 0)
        yield "stalls", rf"{names}|{fresh.total()} new"
    yield "stalls", ""


def _on_site(before, after, seat, you) -> Iterator[Effect]:
    """Recruits that came, went from one square to another, or had to go."""
    grid, parts = before.board.grid, ("board.ground", "board.atop")
    own, now = (state.board.ground[seat] | state.board.atop[seat] for state in (before, after))
    came, gone = grid.squares(now & ~own), grid.squares(own & ~now)
    lifted = before.board.ground[seat] & after.board.atop[seat]
    for part in parts:
        for square in came:
            yield part, rf"\b{square_name(square)}\b"
        if gone := [*gone]:
            squares = "|".join(square_name(square) for square in gone)
            number = len(gone)
            yield (
                part,
                rf"\b({squares})\b|{number} recruit|recruits .*\b{number}\b|Lost: \d+ recruit",
            )
        for square in grid.squares(lifted):
            yield part, rf"\b{square_name(square)}\b"
        yield part, "" if not lifted else r"\b"


def once_upon_a_castle(before, after, you) -> Iterator[Effect]:
    for _, (old, new) in _both(before.boards, after.boards):
        came, gone = set(new.tokens) - set(old.tokens), set(old.tokens) - set(new.tokens)
        yield from (("boards.filled", rf"\b{square}\b") for square in came)
        if len(gone) == 1 and came:
            yield from (("boards.filled", rf"\b{square}\b") for square in gone)
        elif gone:
            yield "boards.filled", "cleared (row|column) [1-9]"
        full = {line.name for line in new.full_lines()} - {line.name for line in old.full_lines()}
        if full and not gone:
            yield "boards.filled", "(?i)" + _each([*sorted(full), "full"])
    for _, (old, new) in _both(before.castles, after.castles):
        for part, word in (
            ("floors", "floor"),
            ("walls", "wall"),
            ("sun", "sun"),
            ("cloud", "cloud"),
        ):
            if getattr(new, part) > getattr(old, part):
                yield f"castles.{part}", rf"\b{word}"
        for part, word in (("towers", "tower worth"), ("flags", "flag worth")):
            for worth in getattr(new, part)[len(getattr(old, part)) :]:
                yield f"castles.{part}", f"{word} {worth}"
        if new.residents > old.residents:
            yield "castles.residents", rf"\b{new.residents - old.residents} resident"
        if new.small_clouds > old.small_clouds:
            yield "castles.small_clouds", "small cloud"
        for guest in _counts((old.guests, new.guests)):
            named = (
                guest.name.capitalize()
                if before.game.options["version"] == "architect"
                else "guest"
            )
            yield "castles.guests", rf"(?i){named}|guest worth {guest.points}"
        if len(new.guests) < len(old.guests):
            yield "castles.guests", "stole"
    for guest in set(after.shown) - set(before.shown):
        yield "shown", guest.name.capitalize()
    yield "shown", ""
    if after.rolled and after.rolled != before.rolled:
        yield "rolled", "rolled|made"
    yield "rolled", ""
    if after.left == (1, 2) != before.left and after.seat == you and after.phase == "dice":
        yield "dice", "Dice: "
    yield "dice", ""
    if after.ender != before.ender:
        yield "ender", "complete"
    if after.ending and not before.ending:
        yield "ending", "over"


EFFECTS: dict[str, Callable[..., Iterator[Effect]]] = {
    game.__name__: game
    for game in (castell, castle_keep, castle_rampage, castlescape, once_upon_a_castle)
}

#: Parts whose change nobody has to be told of, and why.
IMPLIED: dict[str, dict[str, str]] = {
    "castell": {
        "turns": "whose turn it is",
        "first": "whose turn it is",
        "done": "the move itself",
        "players.team": "what was recruited",
        "players.best": "the tower that was built",
        "tokens": "a token that is used lies where its pawn is",
        "bag": "the castellers that come with a round",
        "tiles": "what was performed is gone",
        "waiting": "whose turn it is",
    },
    "castle_keep": {
        "pile": "what was drawn or turned up",
        "seat": "whose turn it is",
        "turn": "whose turn it is",
        "phase": "what is to do: a prompt",
        "deed": "the move itself",
        "exchanged": "the move itself",
        "prey": "who was attacked",
        "known": "what was drawn from the discards",
        "shuffled": "memory of what all have seen",
        "fresh": "memory of what all have seen",
        "flips": "how many tiles the siege turns up: a prompt",
    },
    "castle_rampage": {
        "pile": "what was drawn",
        "discards": "what fell or was played",
        "deals": "the preparation goes on",
        "turn": "whose turn it is",
        "active": "whose turn it is",
        "strengthened": "the move itself",
        "attacker": "the card that attacked",
        "sides.dealt": "what is placed",
        "sides.shown": "memory of what all have seen",
        "sides.laid": "the move itself",
        "rested": "the card that came home",
        "exhausted": "the end is told when it comes",
        "starter": "whose turn it is",
    },
    "castlescape": {
        "round": "the state is shown with its round",
        "active": "whose turn it is",
        "quarry": "walls that are built, and Inspections",
        "rotating": "what is new on the market",
        "piles": "what was bought",
        "contracts": "a contract that is drawn",
        "quiet": "the end is told when it comes",
        "guilds.deck": "what was drawn",
        "guilds.discards": "what was played, and the end of the turn",
        "enclosed": "baileys that are closed",
        "starter": "whose turn it is",
        "goals": "a goal that is reached",
    },
    "once_upon_a_castle": {
        "left": "the die that was used",
        "phase": "what is to do: a prompt",
        "seat": "whose turn it is",
        "active": "whose turn it is",
        "turn": "whose turn it is",
        "steps": "what is to do: a prompt",
        "pile": "guests that come",
        "crossed": "the line that was cleared",
        "last_lines": "what is to do: a prompt",
    },
}
