"""The table of Castle Rampage in little room, as puzzles and narrow pages show it, and words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.layout import Frame, Part, button_part, caption, centred, in_rows, joined, rows
from castlelab.draw.scene import Happening, Piece, Rect, Scene, Shape, Target, Text, as_piece
from castlelab.game import SEAT_NAMES
from castlelab.games.castle_rampage.attack import HELD, Defender
from castlelab.games.castle_rampage.attack_picture import step_rows, strength_bar
from castlelab.games.castle_rampage.card import STACKS
from castlelab.games.castle_rampage.card_picture import (
    CARD_HEIGHT,
    CARD_WIDTH,
    STACK,
    StackSize,
    card_edge,
    card_shapes,
    legend_shapes,
    spoken,
    stack_part,
    stack_words,
    topples,
)
from castlelab.games.castle_rampage.table import (
    HIDDEN,
    OPEN,
    discard_id,
    hand_id,
    permanent_id,
    stack_id,
)
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import RampageState
    from castlelab.games.castle_rampage.table import Stack


BUTTONS = (("play", "Play card"), ("end", "End turn"))


class _Plan(NamedTuple):
    """How a table is laid out, on a wide page or on a narrow one."""

    width: float
    stack: StackSize
    permanent: float  # how high a permanent card is
    is_narrow: bool = False
    buttons: tuple[tuple[str, str], ...] = BUTTONS
    hand_first: bool = False


_WIDE = _Plan(500, STACK, 26)
_NARROW = _Plan(376, StackSize(171, 138), 40, is_narrow=True)


def battle_scene(state: RampageState, *, face_up: Collection[int] = ()) -> Scene:
    """The table of a puzzle: ``face_up`` names the seats whose stacks are shown card by card,
    since in a game they are secret. Its targets are those of ``table_scene``, but for the end of
    the turn: a puzzle is about one turn.
    """
    wide, narrow = (plan._replace(buttons=BUTTONS[:1]) for plan in (_WIDE, _NARROW))
    return replace(
        _laid_out(state, wide, face_up), narrow=partial(_laid_out, state, narrow, face_up)
    )


def narrow_table(state: RampageState) -> Scene:
    """The table on a narrow page: the hand above the stacks, so that both are in one window."""
    scene = _laid_out(state, _NARROW._replace(hand_first=True), ())
    return scene.keeping("hand ", "discard ", "play")


def _laid_out(state: RampageState, plan: _Plan, face_up: Collection[int]) -> Scene:
    if plan.is_narrow:
        plan = plan._replace(stack=_low_stack(state, plan.stack))
    heading = _heading(state, plan)
    parts, y = [heading], heading.height
    if plan.hand_first:
        parts.append(_hand(state, plan, y))
        y += parts[-1].height
    both = _sides(state, plan, y, face_up)
    y += both.height + 6
    piles = _piles(state, plan, y)
    parts += [both, piles]
    y += piles.height
    if state.pause is not None and state.pause.verb == "raise-discard":
        discards = tuple(sorted(state.discards))
        parts.append(_cards(state, plan, "The discards", discards, discard_id, y))
        y += parts[-1].height
    if not plan.hand_first:
        parts.append(_hand(state, plan, y))
        y += parts[-1].height
    parts.append(Part(happenings=attack_happenings(state)))
    words = table_words(state, face_up=face_up)
    return joined(parts, plan.width, y).scene("Castle Rampage", words)


def attack_happenings(state: RampageState) -> tuple[Happening, ...]:
    """What is seen when an attack has come: its strength is paid off part by part, who holds
    sways, a Castle without cards comes down.
    """
    if state.attacker is None or not state.steps:
        return ()
    foe, last = 1 - state.active, state.steps[-1]
    key = f"turn {state.turn}, {state.attacker}, {len(state.discards)} discarded"
    parts = tuple((strength_spot(at),) for at in range(len(state.steps) + 2))
    found = [Happening("pave", parts, key)]
    struck = stack_id(foe, last.stack)
    if state.loser == foe:
        found.append(topples(stack_id(foe, "castle")))
    elif last.rule == HELD:
        holds = f"{struck} {len(state.sides[foe].stack(last.stack).cards)}"
        found.append(Happening("wobble", ((holds,),), key))
    return tuple(found)


def strength_spot(at: int) -> str:
    """Where a part of the strength of an attack stands in its bar."""
    return f"strength {at}"


def strength_shapes(state: RampageState, frame: Frame, letters: float) -> Iterator[Shape]:
    """The strength of the last attack as a bar that is paid off, each part a piece."""
    parts = strength_bar(state.steps[0].before, state.steps, frame, letters)
    for at, part in enumerate(parts):
        yield from as_piece(part, Piece("strength", strength_spot(at), quiet=True))


def _heading(state: RampageState, plan: _Plan) -> Part:
    """Whose turn it is and what is to do; in a turn, the buttons to work it with."""
    words = (caption(10, 17, moment_words(state), 16), Text(10, 38, todo_words(state), 13, "muted"))
    if state.over or state.pause is not None or not state.turn:
        return Part(words, (), plan.width, 52)
    left, top, wide, high = plan.width - 8 - 102.0 * len(plan.buttons), 8.0, 96.0, 36.0
    if plan.is_narrow:  # below the words, which are short now
        words = (words[0], Text(plan.width - 10, 17, todo_words(state), 13, "muted", "end"))
        left, top, wide, high = 8.0, 32.0, 177.0, 40.0
    buttons = [
        button_part(name, told, (left + place * (wide + 6), top, wide, high), "Your turn")
        for place, (name, told) in enumerate(plan.buttons)
    ]
    return joined([Part(words), *buttons], plan.width, max(52, top + high + 6))


def moment_words(state: RampageState) -> str:
    seat = state.to_move
    if seat is None:
        return f"{SEAT_NAMES[state.winners[0]]} has won."
    name = SEAT_NAMES[seat]
    if not state.turn:
        return f"Preparation, deal {state.deals} of 2: {name}"
    return f"Turn {state.turn}: {name}"


def todo_words(state: RampageState) -> str:
    """What is to do, below the headline."""
    if state.over:
        return lifted_words(state) or f"After {state.turn} turns."
    if state.pause is not None:
        return f"{_PAUSED[state.pause.verb]} A choice is due."
    if not state.turn:
        return "Two of the five cards to the Gate, two to the Castle."
    left = state.strengthens_left
    if left <= 0:
        return "Has strengthened this turn."
    return "May strengthen once." if left == 1 else f"May strengthen {left} times."


# The card whose effect waits for somebody, in short.
_PAUSED = {
    "reveal-top": "A top card will be shown.",
    "destroy-permanent": "A permanent card will be destroyed.",
    "raise-discard": "A discarded card will rise.",
    "raise-top": "A discarded card will rise.",
    "sabotage": "The Saboteur strikes back.",
    "spy": "The Spy strikes back.",
}


def _sides(state: RampageState, plan: _Plan, y: float, face_up: Collection[int]) -> Part:
    """Both players: beside each other, or one below the other where there is no room."""
    lines = [rows(len(set(side.permanents)), 2) for side in state.sides]
    if plan.is_narrow:
        width = plan.width - 12
        first, second = (34 + plan.stack.height + each * (plan.permanent + 2) for each in lines)
        frames = ((6.0, y, width, first), (6.0, y + first + 6, width, second))
    else:
        width = plan.width / 2 - 8
        height = 36 + plan.stack.height + max(_to_stay(state), *lines) * (plan.permanent + 2)
        frames = ((6.0, y, width, height), (plan.width / 2 + 2, y, width, height))
    sides = [
        _side(state, plan, seat, frame, face_up=seat in face_up)
        for seat, frame in enumerate(frames)
    ]
    return joined(sides, plan.width, frames[1][1] + frames[1][3] - y)


def _to_stay(state: RampageState) -> bool:
    """Whether a card of the hand may yet come to stay: then there is a place for it."""
    hand = state.cards(state.sides[state.active].hand)
    return any(card is not None and card.permanent for card in hand)


def _low_stack(state: RampageState, size: StackSize) -> StackSize:
    """How large stacks are on a narrow page: lower if they are low."""
    most = max(len(side.stack(name).cards) for side in state.sides for name in STACKS)
    return size if most > _FEW else size._replace(height=118)


_FEW = 4  # cards of a stack


def _side(state: RampageState, plan: _Plan, seat: int, frame: Frame, *, face_up: bool) -> Part:
    """A player: the Gates face each other, the Castles stand behind them."""
    x, y, width, _ = frame
    side, name = state.sides[seat], SEAT_NAMES[seat]
    on_turn = state.to_move == seat
    fill = "accent-soft" if on_turn else "paper"
    panel = Part.of(
        [
            Rect(*frame, fill, f"seat-{seat}", 2.5 if on_turn else 1.5, 10),
            caption(x + 10, y + 15, f"{name}{' ▸' if on_turn else ''}"),
            Text(x + width - 10, y + 15, hand_count(state, seat), 12, "ink", "end"),
        ]
    )
    across = plan.stack.width + 6
    order = (1, 0) if seat == 0 and not plan.is_narrow else (0, 1)
    stacks = [
        stack_part(
            *(cards, stack, x + 8 + column * across, y + 28, remembered),
            key=stack_id(seat, stack),
            whose=f"{name}'s ",
            group=f"{name}'s side",
            size=plan.stack,
            flag=f"seat-{seat}",
        )
        for column, stack in zip(order, STACKS, strict=True)
        for cards, remembered in [known_cards(state, side.stack(stack), face_up=face_up)]
    ]
    low = (x + 8, y + 32 + plan.stack.height, plan.stack.width, plan.permanent)
    return joined([panel, *stacks, _permanents(state, seat, low)])


_LONGEST_COUNT = 26  # letters, beside the name of the player


def hand_count(state: RampageState, seat: int) -> str:
    """How many cards a player holds, and which of them everybody has seen."""
    number, seen = len(state.sides[seat].hand), seen_in_hand(state, seat)
    if not seen:
        return f"{counted(number, 'card')} in hand"
    told = f"{number} in hand: {', '.join(seen)}{' …' if len(seen) < number else ''}"
    return told if len(told) <= _LONGEST_COUNT else f"{number} in hand, {len(seen)} seen"


def _permanents(state: RampageState, seat: int, first: Frame) -> Part:
    """The permanent cards of a player, equal ones together, from the first place on."""
    standing, name = state.sides[seat].permanents, SEAT_NAMES[seat]
    x, y, width, height = first
    shapes: list[Shape] = []
    targets = []
    for at, left, top in in_rows(dict.fromkeys(standing), 2, x, y, width + 6, height + 2):
        card, number = state.game.box.cards[at], standing.count(at)
        frame = (left, top, width, height)
        shown = f"{card.name}{f' ×{number}' if number > 1 else ''}"
        key = permanent_id(seat, card.name)
        plate = (Rect(*frame, "good-soft", "good", 1.5, 5), centred(frame, shown, 12))
        shapes += as_piece(plate, Piece(card.name, key, source=hand_id(card.name)))
        words = f"{name}'s permanent card {many(number)}{spoken(card)}"
        targets.append(Target(key, words, *frame, group=f"{name}'s side"))
    return Part.of(shapes, targets)


def many(number: int) -> str:
    return f"{number} × " if number > 1 else ""


def known_cards(
    state: RampageState, stack: Stack, *, face_up: bool
) -> tuple[tuple[Defender | None, ...], tuple[int, ...]]:
    """A stack as it is shown, and the places of the cards that are only remembered.

    A view shows what its player knows. The whole state knows more than anybody
    (``castle_rampage/secret``): it shows what everybody has seen.
    """

    cards = state.cards(stack.cards)
    if face_up:
        return cards, ()
    down = [at for at, mark in enumerate(stack.marks) if mark != OPEN]
    if state.chance is None:
        return cards, tuple(at for at in down if cards[at] is not None)
    return tuple(None if at in down else card for at, card in enumerate(cards)), ()


def _piles(state: RampageState, plan: _Plan, y: float) -> Part:
    """The draw pile, the discards with their top card, and how the last attack went."""
    tall = 46.0 if plan.is_narrow else 64.0
    pile, discards = (8.0, y + 6, 62.0, tall), (78.0, y + 6, CARD_WIDTH + 8, tall)
    shapes = _pile_shapes(state, pile)
    if state.discards:
        top = state.game.box.cards[state.discards[-1]]
        middle, centre = discards[0] + discards[2] / 2, y + 6 + tall / 2
        plate = (
            Rect(*discards, "card", card_edge(top, 1.2)[0], 1.2, 7),
            Text(middle, centre - 9, top.name, 13, "ink", "middle", bold=True),
            Text(middle, centre + 10, f"{len(state.discards)} discarded", 12, "muted", "middle"),
        )
        shapes += as_piece(plate, Piece(top.name, "discards", source=hand_id(top.name)))
    else:
        shapes += _no_discards(discards)
    height = tall + 16
    if state.attacker is not None and state.steps:
        x, first = (10.0, y + tall + 20) if plan.is_narrow else (212.0, y + 26)
        shapes += _last_attack(state, x, first)
        if plan.is_narrow:
            high = 20.0 * (1 + len(state.steps[-2:]))
            bar = (8, y + tall + 14 + high, plan.width - 16, 26)
            shapes += strength_shapes(state, bar, 12)
            height += 32
        if len(state.steps) > 2 and not plan.is_narrow:
            shapes.append(Text(x, y + 8, "the last two steps:", 12, "muted"))
        height += 20.0 * (1 + len(state.steps[-2:])) * plan.is_narrow
    return Part.of(shapes, pile_targets(state, pile, discards), plan.width, height)


def _pile_shapes(state: RampageState, frame: Frame) -> list[Shape]:
    x, y, width, height = frame
    middle = x + width / 2
    return [
        *(Rect(x + 2 * n, y - n * 2, width - 4, height, "card", "ink", 1, 7) for n in (0, 1)),
        Rect(x + 4, y - 4, width - 4, height, "hidden", "ink", 1.5, 7),
        Text(middle + 2, y + height / 2 - 13, "Pile", 13, "on-hidden", "middle", bold=True),
        Text(middle + 2, y + height / 2 + 6, str(len(state.pile)), 14, "on-hidden", "middle", True),
    ]


def _no_discards(frame: Frame) -> tuple[Shape, ...]:
    return Rect(*frame, None, "line", 1.5, 7, dash=True), centred(frame, "Discards", 12, "muted")


def pile_targets(state: RampageState, pile: Frame, discards: Frame) -> tuple[Target, Target]:
    words = discards_words(state) if state.discards else "none"
    return (
        Target("pile", f"Draw pile: {counted(len(state.pile), 'card')}", *pile, group="Piles"),
        Target("discards", f"Discards: {words}", *discards, group="Piles"),
    )


def _last_attack(state: RampageState, x: float, y: float) -> list[Shape]:
    return [caption(x, y, f"{attack_words(state)}:", 12), *step_rows(state.steps[-2:], x, y + 20)]


def attack_words(state: RampageState) -> str:
    """Who attacked last, and how strongly."""
    assert state.attacker is not None
    attacker = state.game.box.cards[state.attacker]
    return f"{attacker.name} attacked with {state.steps[0].before}"


def discards_words(state: RampageState) -> str:
    """The whole discard pile from the top: everybody may look through it."""
    *below, top = (state.game.box.cards[at] for at in state.discards)
    under = f"; below it {', '.join(map(str, reversed(below)))}" if below else ""
    return f"{counted(len(state.discards), 'card')}, on top {spoken(top)}{under}"


def shown_hand(state: RampageState) -> tuple[str, tuple[int, ...]]:
    """The cards that may be used now, and what they are called.

    A Spy chooses from the hand of the attacker. Whoever waits, and sees nothing of the hand of
    the player to move, sees the own one instead.
    """
    spied = state.pause is not None and state.pause.verb == "spy"
    seat = state.active if state.to_move is None or spied else state.to_move
    if state.chance is None and set(state.sides[seat].hand) == {HIDDEN} and state.turn:
        seat = 1 - seat
    side = state.sides[seat]
    return (
        f"{SEAT_NAMES[seat]}'s {'cards dealt' if side.dealt else 'hand'}",
        side.dealt or side.hand,
    )


def _hand(state: RampageState, plan: _Plan, y: float) -> Part:
    label, held = shown_hand(state)
    return _cards(state, plan, label, held, hand_id, y)


def _cards(
    state: RampageState,
    plan: _Plan,
    label: str,
    held: tuple[int, ...],
    key: Callable[[str], str],
    y: float,
) -> Part:
    """Cards in rows, equal ones together."""
    known = [at for at in held if at != HIDDEN]
    hidden = len(held) - len(known)
    shapes: list[Shape] = [caption(10, y + 8, label)]
    if hidden:
        note = f"{counted(hidden, 'card')} face down"
        shapes.append(Text(plan.width - 10, y + 8, note, 12, "muted", "end"))
    elif held:
        shapes += legend_shapes(plan.width - 4, y + 8)
    else:
        shapes.append(Text(110, y + 8, "empty", 12, "muted"))
    targets = []
    across, down = CARD_WIDTH + 8, CARD_HEIGHT + 10
    columns = int((plan.width - 8) // across)
    kinds = list(dict.fromkeys(known))
    for at, x, top in in_rows(kinds, columns, 8, y + 26, across, down):
        card, number = state.game.box.cards[at], held.count(at)
        piece = Piece(card.name, key(card.name), source="pile", board=label)
        shapes += as_piece(card_shapes(card, x, top, count=number), piece)
        box = (x, top, CARD_WIDTH, CARD_HEIGHT)
        words = f"{many(number)}{spoken(card)}"
        targets.append(Target(key(card.name), words, *box, group=label))
    height = 28 + (rows(len(kinds), columns) * down if kinds else 0)
    return Part.of(shapes, targets, plan.width, height)


# -- in words --------------------------------------------------------------------------------


def side_words(state: RampageState, seat: int, *, face_up: bool = False) -> str:
    """A player as it is spoken: stacks, number of cards, permanent cards."""
    side = state.sides[seat]
    told = []
    for name in STACKS:
        cards, remembered = known_cards(state, side.stack(name), face_up=face_up)
        told.append(stack_words(cards, name, remembered))
    told.append(f"{counted(len(side.hand), 'card')} in hand")
    told += _seen_words(state, seat)
    if side.permanents:
        told.append("permanent: " + ", ".join(state.game.names(side.permanents)))
    return f"{SEAT_NAMES[seat]}: {'; '.join(told)}."


def seen_in_hand(state: RampageState, seat: int) -> tuple[str, ...]:
    """The cards of a hand that everybody has seen and that have not left it since."""
    side, place_cost = state.sides[seat], state.game.place_cost
    held = [card for card, laid in side.shown if side.surely_holds(card, laid, place_cost)]
    return state.game.names(tuple(sorted(held)))


def _seen_words(state: RampageState, seat: int) -> Iterator[str]:
    """What everybody knows of a hand."""
    side, place_cost = state.sides[seat], state.game.place_cost
    if held := seen_in_hand(state, seat):
        yield f"seen in that hand: {listed(held)}"
    maybe = [card for card, laid in side.shown if not side.surely_holds(card, laid, place_cost)]
    if maybe:
        names = listed(state.game.names(tuple(sorted(maybe))))
        laid = "may have been laid" if side.hand else "laid"
        yield f"seen in that hand, and {laid} since: {names}"


def hand_words(state: RampageState, seat: int) -> str:
    """The cards that a player may use, as far as they are known."""

    side = state.sides[seat]
    held = side.dealt or side.hand
    if HIDDEN in held:
        return f"{counted(len(held), 'card')} that you cannot see"
    return ", ".join(state.game.names(held)) or "no cards"


def table_words(state: RampageState, *, face_up: Collection[int] = ()) -> str:
    """The moment in a sentence or two; ``face_up`` as in :func:`table_scene`."""
    both = " ".join(side_words(state, seat, face_up=seat in face_up) for seat in (0, 1))
    fight = _fight_words(state)
    seat = state.to_move
    if seat is None:
        why = f" {lifted}" if (lifted := lifted_words(state)) else ""
        return f"The game is over: {SEAT_NAMES[state.winners[0]]} has won.{why}{fight} {both}"
    name = SEAT_NAMES[seat]
    if state.pause is not None:
        wanted = " or ".join(state.options())
        return f"{_PAUSED[state.pause.verb]} {name} has to choose: {wanted}.{fight} {both}"
    held = hand_words(state, seat)
    if not state.turn:
        return f"Preparation, deal {state.deals} of 2: {name} places cards out of {held}. {both}"
    return f"Turn {state.turn}: {name} plays with {held}.{fight} {both}"


def lifted_words(state: RampageState) -> str:
    """Why a game is over in which no Castle has fallen (``castle_rampage/long-siege``)."""
    if not state.lifted:
        return ""
    winner = state.winners[0]
    name, won, lost = SEAT_NAMES[winner], state.sides[winner], state.sides[1 - winner]
    for stack in ("castle", "gate"):
        more, less = len(won.stack(stack).cards), len(lost.stack(stack).cards)
        if more > less:
            why = f"{name}'s {stack.title()} has {more} cards against {less}"
            break
    else:
        why = f"all is level, and {name} did not start"
    when = "the pile is used up" if state.exhausted else f"{state.turn} turns are over"
    return f"The siege is lifted, {when}: {why}."


def _fight_words(state: RampageState) -> str:
    if state.attacker is None or not state.steps:
        return ""
    attacker = state.game.box.cards[state.attacker]
    steps = " ".join(step.told(attacker) for step in state.steps)
    return f" {attacker.name} attacked with {state.steps[0].before}: {steps}"
