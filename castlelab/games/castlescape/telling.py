"""A moment of CastleScape in words, for those who cannot see the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from castlelab.game import SEAT_NAMES, Emblem, Move, Sentence, Source
from castlelab.games.castlescape import moves
from castlelab.games.castlescape.guild import EMPTY_STALL, HIDDEN_CARD
from castlelab.games.castlescape.masonry import walls_left
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.castlescape.card import Card, Effect
    from castlelab.games.castlescape.guild import ClaimedBailey
    from castlelab.games.castlescape.play import ScapeState


#: What the signs and numbers of the table mean.
LEGEND = (
    ("coin", "gold: what a card costs, or what it brings"),
    ("shield", "Renown: at the end, or for a goal or contract"),
    ("mask", "Infamy that a card brings from the Back Alley; −3 takes it away"),
    ("drop", "Corruption, likewise"),
    ("wall", "a wall to build; with a clock, even after recruits"),
    ("person", "a recruit to position; on a wall, one that must stand on a wall"),
    ("person and arrow", "a recruit goes one square; with a wall, it climbs"),
    ("crossed person", "a rival's recruit beside yours is removed"),
    ("card with +", "draw a card"),
    ("card with a coin, ≤5", "take a card that costs at most 5, for nothing"),
    ("crossed card", "destroy a card of your hand; two cards: of your discard pile"),
    ("mask and arrow", "a card leaves your Back Alley"),
    ("mask over a drop", "your Back Alley's penalties count now"),
    ("sheet", "choose one of two new contracts"),
    ("1 or 2 on a recruit", "its influence: 2 on a wall"),
    ("6 over 4:2", "a bailey of 6 squares, with the influence of each guild there"),
)


def cards_words(state: ScapeState, cards: tuple[int, ...]) -> str:
    """Cards by name, equal ones counted; what is hidden only as a number."""
    found = Counter(cards)
    hidden = found.pop(HIDDEN_CARD, 0)
    box = state.game.box.cards
    said = [f"{n} × {box[at]}" if n > 1 else str(box[at]) for at, n in found.items()]
    if hidden:
        said.append(counted(hidden, "hidden card"))
    return ", ".join(said) or "nothing"


def turn_words(state: ScapeState) -> str:
    """What the turn has brought and was not used yet."""
    turn = state.turn
    number = walls_left(turn.masonry)
    said = [
        words
        for many, words in (
            (turn.gold, f"{turn.gold} gold"),
            (number, counted(number, "wall")),
            (turn.recruits, counted(turn.recruits, "recruit")),
            (turn.sentries, f"{counted(turn.sentries, 'recruit')} for walls"),
            (turn.moves, counted(turn.moves, "step")),
            (turn.climbs, counted(turn.climbs, "climb")),
            (turn.ousts, f"{counted(turn.ousts, 'recruit')} to oust"),
            (len(turn.acquires), f"{counted(len(turn.acquires), 'card')} to acquire"),
            (turn.from_hand, f"{counted(turn.from_hand, 'hand card')} to destroy"),
            (turn.from_discards, f"{counted(turn.from_discards, 'discard')} to destroy"),
            (turn.blames, f"{counted(turn.blames, 'blame')} to shift"),
        )
        if many
    ]
    return ", ".join(said)


def due_words(state: ScapeState) -> str:
    """What somebody has to decide before the game goes on; empty if nothing is due."""
    if not state.agenda:
        return ""
    step = state.agenda[0]
    if step.kind == "keep":
        return "keeps one of two contracts"
    why = "for Infamy beyond 10" if step.kind == "levy" else "at the Inspection"
    return f"gives up influence {why}: {step.number} to go"


#: Why a round is the last one.
ENDINGS = {
    "quarry": "the Quarry ran out for the last time",
    "market": "the last card of the rotating market was drawn",
    "winter": "nobody built, positioned, bought or claimed for three rounds",
}


def table_words(state: ScapeState) -> str:
    """A sentence or two about a moment of the game."""
    seat = state.to_move
    if seat is None:
        points = ", ".join(
            f"{SEAT_NAMES[other]} {score}" for other, score in enumerate(state.scores)
        )
        won = " and ".join(SEAT_NAMES[winner] for winner in state.winners)
        verb = "wins" if len(state.winners) == 1 else "win"
        rounds, why = counted(state.round, "round"), ENDINGS.get(state.ending, "")
        ended = f"{rounds}, because {why}" if why else rounds
        return f"The game is over after {ended}: {points}. {won} {verb}."
    guild, name = state.guilds[seat], SEAT_NAMES[seat]
    if not state.round:
        contracts = state.game.box.contracts
        dealt = ", ".join(str(contracts[at]) for at in guild.dealt if at != HIDDEN_CARD)
        return f"{name} keeps two contracts{f' of {dealt}' if dealt else ''}."
    last = f"Final round, because {ENDINGS[state.ending]}" if state.ending else ""
    said = f"{last or f'Round {state.round}'}. {name} "
    if due := due_words(state):
        said += f"{due}."
    else:
        use = turn_words(state)
        said += f"has {cards_words(state, guild.hand)} in hand{f', and {use}' if use else ''}."
    visits = counted(state.marker, "Inspection")
    renown = ", ".join(str(guild.renown) for guild in state.guilds)
    baileys = counted(len(state.claims), "bailey")
    return (
        f"{said} The Quarry holds {counted(state.quarry, 'wall')}, {visits} to come; "
        f"{baileys} complete; Renown {renown}."
    )


# -- what a move has done --------------------------------------------------------------------


_LONGEST = 200  # letters of a line before what the market brings is left out


def tell_move(state: ScapeState, move: Move, after: Any) -> Sentence:
    """What a legal move has done, and what came of it by itself."""
    parts: list[str | Emblem] = [*_DID[type(move)](state, move, after)]
    for further in _followed(state, move, after):
        parts += [". ", *further]
    for further in _delivered(state, after):
        if sum(len(str(part)) for part in (*parts, *further)) <= _LONGEST:
            parts += [". ", *further]
    return tuple(parts)


def tell_shorter(state: ScapeState, move: Move, after: Any) -> Iterator[Sentence]:
    """The same with the new cards of the market only counted, then with losses in a list, then
    with the sums of these.
    """
    new = len(_new_cards(state, after))
    for terse, came in enumerate((" cards on the market", " cards for sale", " for sale")):
        parts = [*(_shortly(state, move, after) or _DID[type(move)](state, move, after))]
        for further in _followed(state, move, after, terse=terse):
            parts += [". ", *further]
        if new:
            came = came.replace("cards", "card") if new == 1 else came
            parts.append(f". {new} new{came}")
        yield tuple(parts)


def tell_news(after: ScapeState, before: Any, seat: int) -> Iterator[str]:
    """The cards that a guild has drawn into its hand."""
    drawn = Counter(after.guilds[seat].hand) - Counter(before.guilds[seat].hand)
    if drawn and not after.finished:
        yield f"Drawn: {cards_words(after, tuple(drawn.elements()))}."
        yield f"{counted(drawn.total(), 'new card')}."


def tell_concealed(state: ScapeState, kind: str) -> Sentence:
    """The only move that is secret: a contract is kept (``castlescape/contract``)."""
    return ("kept a contract that nobody else has seen",)


# -- the things that are named -----------------------------------------------------------------


def _gold(number: int) -> Emblem:
    return Emblem(f"{number} gold", "gold", named=True)


def _renown(number: int) -> Emblem:
    return Emblem(f"{number} Renown", "renown", named=True)


def _card(state: ScapeState, name: str) -> Emblem:
    """A card: its picture hangs on its family and on what it does first, not on its name."""
    card = state.game.box.cards[state.game.box.places[name]]
    first = next((effect.verb for effect in (*card.ways[0], *card.on_purchase)), "")
    return Emblem(name, f"card {card.family} {first}".strip(), named=True)


def _recruit(seat: int, words: str = "a recruit") -> Emblem:
    return Emblem(words, f"recruit {seat}")


def _gains(effect: Effect) -> str | Emblem:
    """What waits to be used, in two or three words."""
    n = effect.number
    match effect.verb:
        case "gold":
            return _gold(n)
        case "walls":
            return Emblem(counted(n, "wall"), "wall", named=True)
        case "late-walls":
            return Emblem(counted(n, "late wall"), "wall", named=True)
        case "recruits":
            return counted(n, "recruit")
        case "sentries":
            return f"{counted(n, 'recruit')} on a wall"
        case "move":
            return counted(n, "step")
        case "climb":
            return counted(n, "climb")
        case "oust":
            return f"{counted(n, 'rival')} to oust"
        case "acquire":
            return f"a card of up to {n} gold"
        case "shift-blame":
            return "blame to shift"
        case _:  # destroy-hand, destroy-discard
            return f"{counted(n, 'card')} to destroy"


def _joined(things: list[str | Emblem]) -> Sentence:
    """Things in a row: with commas, and "and" before the last."""
    parts: list[str | Emblem] = []
    for at, thing in enumerate(things):
        if at:
            parts.append(" and " if at == len(things) - 1 else ", ")
        parts.append(thing)
    return tuple(parts)


# -- what each kind of move does -----------------------------------------------------------------


def _keep(state: ScapeState, move: moves.Keep, after: ScapeState) -> Sentence:
    return ("kept the contract ", Emblem(move.contract, "contract", named=True))


def _play(state: ScapeState, move: moves.Play, after: ScapeState) -> Sentence:
    """A card with what it brings; what it does at once is told by what has changed."""
    card = state.game.box.cards[state.game.box.places[move.card]]
    effects = card.ways[max(0, move.way - 1)]
    late = state.turn.positioned  # castlescape/walls-first: its walls are lost
    brought = [_gains(e) for e in effects if e.waits and not (late and e.verb == "walls")]
    seat = state.active
    before, then = state.guilds[seat], after.guilds[seat]
    if drawn := len(then.hand) - (len(before.hand) - 1):
        brought.append(counted(drawn, "new card"))
    if gift := _gifts(effects):
        brought.append(_renown(gift))
    for name, fall in (
        ("Infamy", before.infamy - then.infamy),
        ("Corruption", before.corruption - then.corruption),
    ):
        if fall > 0:
            brought.append(f"{fall} {name} less")
    played = "played ", _card(state, move.card)
    return (*played, ": ", *_joined(brought)) if brought else played


def _gifts(effects: tuple[Effect, ...]) -> int:
    """The Renown that a card brings at once."""
    return sum(effect.number for effect in effects if effect.verb == "renown")


def _wall(state: ScapeState, move: moves.Wall, after: ScapeState) -> Sentence:
    built: Sentence = "built ", Emblem("a wall", "wall"), f" at {move.square}"
    for claim in after.claims[len(state.claims) :]:
        built += (" and closed ", *_claimed(claim))
    return built


def _claimed(claim: ClaimedBailey) -> Sentence:
    """A bailey that has just been closed, and whose it is (``castlescape/bailey-score``)."""
    names = listed([SEAT_NAMES[seat] for seat in claim.seats])
    seat = f" {claim.seats[0]}" if len(claim.seats) == 1 else ""
    bailey = Emblem(f"a bailey of {counted(claim.size, 'square')}", f"bailey{seat}", named=True)
    if not claim.seats:
        return bailey, ", which nobody claims"
    share = _renown(claim.size // len(claim.seats))
    if len(claim.seats) == 1:
        return bailey, f", which {names} claims for ", share
    return bailey, f", which {names} share for ", share, " each"


def _positioned(state: ScapeState, move: moves.Recruit, after: ScapeState) -> Sentence:
    atop = state.board.walls & state.game.bits[move.square]
    where = "on the wall" if atop else "on the ground"
    return "put ", _recruit(state.active), f" {where} at {move.square}"


def _moved(state: ScapeState, move: moves.MoveRecruit, after: ScapeState) -> Sentence:
    climbs = state.board.walls & state.game.bits[move.end]
    where = f"climb from {move.start} onto the wall at" if climbs else f"go from {move.start} to"
    return "let ", _recruit(state.active), f" {where} {move.end}"


def _ousted(state: ScapeState, move: moves.Oust, after: ScapeState) -> Sentence:
    board, bit = state.board, state.game.bits[move.square]
    rivals = range(len(state.guilds))
    rival = next(seat for seat in rivals if (board.ground[seat] | board.atop[seat]) & bit)
    whose = _recruit(rival, f"{SEAT_NAMES[rival]}'s recruit")
    return "drove ", whose, f" away from {move.square}"


def _recalled(state: ScapeState, move: moves.Recall, after: ScapeState) -> Sentence:
    return "took ", _recruit(state.active), f" back from {move.square}"


def _bought(state: ScapeState, move: moves.Buy, after: ScapeState) -> Sentence:
    card = state.game.box.cards[state.game.box.places[move.card]]
    return "bought ", _card(state, move.card), " for ", _gold(card.cost), *_at_purchase(card)


def _acquired(state: ScapeState, move: moves.Acquire, after: ScapeState) -> Sentence:
    card = state.game.box.cards[state.game.box.places[move.card]]
    return "took ", _card(state, move.card), " for nothing", *_at_purchase(card)


def _at_purchase(card: Card) -> Sentence:
    """What a card brings when it comes."""
    gift = _gifts(card.on_purchase)
    said: Sentence = (", with ", _renown(gift), " at once") if gift else ()
    if any(effect.verb == "contract" for effect in card.on_purchase):
        said += (", with ", Emblem("a new contract", "contract", named=True))
    return said


def _destroyed(state: ScapeState, move: moves.Destroy, after: ScapeState) -> Sentence:
    where = "the hand" if move.pile == "hand" else "the discard pile"
    return "destroyed ", _card(state, move.card), f" from {where}"


def _shifted(state: ScapeState, move: moves.Shift, after: ScapeState) -> Sentence:
    return "shifted the blame: ", _card(state, move.card), " leaves the Back Alley"


def _took_goal(state: ScapeState, move: moves.ClaimGoal, after: ScapeState) -> Sentence:
    goal = state.game.box.goals[state.game.box.goal_places[move.goal]]
    return "reached the goal ", Emblem(goal.name, "goal", named=True), " for ", _renown(goal.renown)


def _dismissed(state: ScapeState, move: moves.Dismiss, after: ScapeState) -> Sentence:
    return "gave up ", _recruit(state.agenda[0].seat), f" at {move.square}"


def _discarded(state: ScapeState, move: moves.Discard, after: ScapeState) -> Sentence:
    return "gave up ", _card(state, move.card), " from the hand"


def _paid(state: ScapeState, move: moves.Pay, after: ScapeState) -> Sentence:
    return "gave up ", _renown(1)


def _ended(state: ScapeState, move: moves.EndTurn, after: ScapeState) -> Sentence:
    return ("ended the turn",)


_DID: dict[type[Move], Callable[[ScapeState, Any, ScapeState], Sentence]] = {
    moves.Keep: _keep,
    moves.Play: _play,
    moves.Wall: _wall,
    moves.Recruit: _positioned,
    moves.MoveRecruit: _moved,
    moves.Oust: _ousted,
    moves.Recall: _recalled,
    moves.Buy: _bought,
    moves.Acquire: _acquired,
    moves.Destroy: _destroyed,
    moves.Shift: _shifted,
    moves.ClaimGoal: _took_goal,
    moves.Dismiss: _dismissed,
    moves.Discard: _discarded,
    moves.Pay: _paid,
    moves.EndTurn: _ended,
}


def _shortly(state: ScapeState, move: Move, after: ScapeState) -> Sentence:
    """What some moves did in fewer words: what they give up, or baileys that they close."""
    match move:
        case moves.Dismiss(square):
            return (f"gave up {square}",)
        case moves.Discard(card):
            return ("gave up ", _card(state, card))
        case moves.Wall(square) if len(closed := after.claims[len(state.claims) :]) > 1:
            each = [f"{claim.size} for {_claimants(claim)}" for claim in closed]
            return (f"built {square}, closing baileys of {listed(each)}",)
    return ()


def _claimants(claim: ClaimedBailey) -> str:
    """Who claims a bailey, with what it brings: "Blue (2 Renown)"."""
    if not claim.seats:
        return "nobody"
    names = listed([SEAT_NAMES[seat] for seat in claim.seats])
    return f"{names} ({claim.size // len(claim.seats)} Renown)"


# -- what follows by itself ----------------------------------------------------------------------


def _followed(
    state: ScapeState, move: Move, after: ScapeState, *, terse: int = 0
) -> Iterator[Sentence]:
    """Penalties, the King's visit, debts, the last round and the end, sentence by sentence."""
    ended = _inspecting(state) or _inspecting(after) or after.marker < state.marker
    visit = (ended or after.finished) and not _inspecting(state)
    if not ended:
        yield from _penalties(state, after, terse=terse)
    if visit and after.ending == "winter" and terse:
        yield ("Three idle rounds: the last Inspection",)
    elif visit:
        if after.ending == "winter":
            yield (_LAST["winter"],)
        yield ("Inspection" if terse > 1 else "The King inspects",)
    lost = [*_given_up(state, move, after)]
    if terse and lost:
        yield (_summed(lost) if terse > 1 else _in_a_list(lost),)
    else:
        for seat, recruits, cards, renown in lost:
            things: list[str | Emblem] = []
            if recruits:
                things.append(_recruit(seat, counted(recruits, "recruit")))
            if cards:
                things.append(counted(cards, "card"))
            if renown:
                things.append(_renown(renown))
            yield f"{SEAT_NAMES[seat]} gives up ", *_joined(things)
    yield from _debt(state, after, terse=terse)
    if rewarded := [
        (seat, guild.occupation - before.occupation)
        for seat, (before, guild) in _both(state, after)
        if guild.occupation > before.occupation
    ]:
        won = listed([f"{SEAT_NAMES[seat]} {number}" for seat, number in rewarded])
        yield (
            "Renown" if terse else "Renown for baileys held",
            ": ",
            Emblem(won, "renown", named=True),
        )
    if after.ending != state.ending and not visit:
        yield (_LAST_IN_SHORT[after.ending] if terse else _LAST[after.ending],)
    if after.finished:
        names = listed([SEAT_NAMES[seat] for seat in after.winners])
        over = "" if terse else "The game is over: "
        yield (f"{over}{names} {'wins' if len(after.winners) == 1 else 'win'}",)


_LAST = {
    "quarry": "The Quarry is empty for good: this is the last round",
    "market": "The market has no more cards: this is the last round",
    "winter": "For three rounds nobody did anything: the game ends",
}
_LAST_IN_SHORT = {
    "quarry": "Quarry empty: last round",
    "market": "Market empty: last round",
    "winter": "Three idle rounds: the end",
}


def _both(state: ScapeState, after: ScapeState) -> Iterator[tuple[int, Any]]:
    return enumerate(zip(state.guilds, after.guilds, strict=True))


def _inspecting(state: ScapeState) -> bool:
    """Whether the King is there, and somebody has still to give something up."""
    return any(step.kind in ("reset", "judge") for step in state.agenda)


def _penalties(state: ScapeState, after: ScapeState, *, terse: int) -> Iterator[Sentence]:
    """What the Back Alley has cost (``castlescape/penalty``)."""
    for seat, (before, guild) in _both(state, after):
        costs: list[str | Emblem] = [
            Emblem(f"{more} {name}", name.lower(), named=True)
            for name, more in (
                ("Infamy", guild.infamy - before.infamy),
                ("Corruption", guild.corruption - before.corruption),
            )
            if more > 0
        ]
        if costs:
            yield f"{SEAT_NAMES[seat]}{':' if terse > 1 else ' gets'} ", *_joined(costs)


_Loss = tuple[int, int, int, int]  # of a seat: recruits, cards, Renown


def _given_up(state: ScapeState, move: Move, after: ScapeState) -> Iterator[_Loss]:
    """What had to go without a choice: recruits, cards of the hand, Renown."""
    for seat, (before, guild) in _both(state, after):
        mine = seat == state.to_move
        recruits = state.board.recruits(seat) - after.board.recruits(seat)
        cards = len(before.hand) - len(guild.hand)
        paid = _rest(state, seat) - _rest(after, seat) + _given(state, move) * mine
        if mine:
            recruits -= isinstance(move, moves.Dismiss | moves.Recall)
            paid -= isinstance(move, moves.Pay)
            cards -= isinstance(move, moves.Discard)
            if not state.agenda:  # the hand changes by playing, and at the end of the turn
                cards = 0
        elif isinstance(move, moves.Oust):
            recruits = 0
        lost = max(0, recruits), max(0, cards), max(0, paid)
        if any(lost):
            yield seat, *lost


def _in_a_list(lost: list[_Loss]) -> str:
    """What guilds have to give up, kind by kind: "Lost: recruits Blue 2, Green 1; cards Blue 3"."""
    kinds = []
    for at, kind in enumerate(("recruits", "cards", "Renown"), start=1):
        if each := [f"{SEAT_NAMES[one[0]]} {one[at]}" for one in lost if one[at]]:
            kinds.append(f"{kind} {', '.join(each)}")
    return f"Lost: {'; '.join(kinds)}"


def _summed(lost: list[_Loss]) -> str:
    """What guilds have to give up in all: "Lost: 3 recruits, 3 cards"."""
    _, recruits, cards, renown = (sum(one) for one in zip(*lost, strict=True))
    kinds = [
        *[counted(recruits, "recruit")] * bool(recruits),
        *[counted(cards, "card")] * bool(cards),
        *[f"{renown} Renown"] * bool(renown),
    ]
    return f"Lost: {', '.join(kinds)}"


def _given(state: ScapeState, move: Move) -> int:
    """The Renown that a move brings at once, by what its card says."""
    box = state.game.box
    match move:
        case moves.Play(name, way):
            return _gifts(box.cards[box.places[name]].ways[max(0, way - 1)])
        case moves.Buy(name) | moves.Acquire(name):
            return _gifts(box.cards[box.places[name]].on_purchase)
    return 0


def _debt(state: ScapeState, after: ScapeState, *, terse: int) -> Iterator[Sentence]:
    """Who has to give something up now, and how much."""
    step = after.agenda[0] if after.agenda else None
    if step is None or step.kind == "keep":
        return
    known = any((due.kind, due.seat) == (step.kind, step.seat) for due in state.agenda)
    if not known:
        why = " for Infamy beyond 10" if step.kind == "levy" else ""
        must = "owes" if terse else "has to give up"
        yield (f"{SEAT_NAMES[step.seat]} {must} {step.number} influence{'' if terse else why}",)


def _delivered(state: ScapeState, after: ScapeState) -> Iterator[Sentence]:
    """The cards that have come into empty stalls."""
    if new := _new_cards(state, after):
        yield "New on the market: ", *_joined([*new])


def _new_cards(state: ScapeState, after: ScapeState) -> list[Emblem]:
    if EMPTY_STALL in after.stalls or after.stalls == state.stalls or after.finished:
        return []
    box = state.game.box
    old, new = list(state.stalls), []
    for at in after.stalls:
        if at in old:
            old.remove(at)
        else:
            new.append(_card(state, box.cards[at].name))
    return new


# -- where the points come from ------------------------------------------------------------------


def sources(state: ScapeState, player: int) -> tuple[Source, ...]:
    """Where the points of a guild come from (``castlescape/final-score``)."""
    guild, box = state.guilds[player], state.game.box
    kept = [box.contracts[at] for at in guild.contracts if at >= 0]
    return (
        Source("Baileys claimed", _for_baileys(state, player)),
        Source("Baileys held", guild.occupation),
        Source("Goals", _for_goals(state, player)),
        Source("Contracts", sum(one.renown for one in kept if one.met(state, player))),
        Source("Cards", sum(map(state.game.renown.__getitem__, guild.owned))),
        Source("Gifts less fines", _rest(state, player)),
        Source("Corruption", -guild.corruption),
    )


def _for_baileys(state: ScapeState, player: int) -> int:
    return sum(claim.size // len(claim.seats) for claim in state.claims if player in claim.seats)


def _for_goals(state: ScapeState, player: int) -> int:
    return sum(state.game.box.goals[at].renown for at in state.guilds[player].goals)


def _rest(state: ScapeState, player: int) -> int:
    """Renown that cards gave at once, less what had to be given up."""
    guild = state.guilds[player]
    known = _for_baileys(state, player) + _for_goals(state, player) + guild.occupation
    return guild.renown - known
