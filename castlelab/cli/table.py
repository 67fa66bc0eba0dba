"""The terminal's table: a board in letters, the moves by number, and commands between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from castlelab.asking import Asked, inquiries, understood
from castlelab.bots import BotFault, Random, Seated, Thought, seated
from castlelab.chance import Chance
from castlelab.cli.move_list import PAGE, all_lines, few_lines, in_groups
from castlelab.cli.printing import HEIGHT, ask, explained, rule_in_full, wrapped_text
from castlelab.cli.rules import rule_of
from castlelab.game import SEAT_NAMES, Game, Move, State
from castlelab.record import Record
from castlelab.rules import CastlelabError, listed
from castlelab.speech import Way
from castlelab.telling import in_words, is_secret, way_to

_LEAST_ROOM = 6  # lines for moves, below a table that is too high
YOU = 0  # the seat of the person at the terminal


@dataclass(frozen=True)
class Opposite:
    """Who plays the other seats, with which house data, and how much is said."""

    rival: Seated
    edition: str | None = None
    way: Way = "full"


def play_at_table(record: Record, at: Opposite) -> None:
    """A game between somebody at the terminal and a bot in all other seats, until it is left."""
    print(f"{_company(record.game, at.rival)} Type help for the commands.")
    now: Record | None = _bots_turn(record, at)
    while now is not None:
        if at.way == "full":
            _show(now)
        now = _your_turn(now, at)


def _played(record: Record, move: Move | str, at: Opposite) -> Record:
    """The move of whose turn it is, told as you hear of it."""
    record = record.play(move)
    number = len(record.moves) - 1
    full = at.way == "full"
    words = record.told(number, [YOU]) if full else record.spoken(number, [YOU], at.way)
    print(wrapped_text(words))
    return record


def _company(game: Game, rival: Seated) -> str:
    """Who sits at the table, by the names in the picture."""
    if game.players == 1:
        return "You are alone."
    others = SEAT_NAMES[YOU + 1 : game.players]
    return f"You are {SEAT_NAMES[YOU]}; {rival.name} plays {listed(others)}."


def _bots_turn(record: Record, at: Opposite) -> Record:
    """Let the bots move until it is your turn, or the end."""
    while record.state.to_move not in (YOU, None):
        # Named by the number of the move, so that taking back and loading change nothing.
        chance = Chance.seeded(f"{record.seed}/{at.rival.name}/{len(record.moves)}")
        thought = _decided(at.rival, record.state, chance)
        is_told = not is_secret(record.state, thought.move, YOU)
        record = _played(record, thought.move, at)
        if at.rival.is_own and thought.reason and is_told:
            print(wrapped_text(f"  “{thought.reason}”"))
    return record


def _decided(rival: Seated, state: State, chance: Chance) -> Thought:
    """What a bot has come to; for one that fails any move is made, so that the game goes on."""
    try:
        *_, thought = rival.think(state, chance)
    except BotFault as fault:
        print(wrapped_text(f"{fault}. Any move is made for it."))
        (thought,) = Random().think(state, chance)
        return thought._replace(reason="")
    return thought


def _show(record: Record) -> None:
    """The table and the moves as you may see them, in one window of a terminal."""
    state = record.state.view(YOU)
    table = state.compact()
    print(f"\n{table}\n")
    if state.over:
        print(*_ending(state), sep="\n")
        print("undo, save FILE and quit are left.")
    else:
        room = HEIGHT - len(table.splitlines()) - 2  # a blank line, and the one to type in
        print(*few_lines(record.state.moves(), max(room, _LEAST_ROOM)), sep="\n")


def _ending(state: State) -> Iterator[str]:
    """Who won a game that is over, and with what points; alone one may have lost to nobody."""
    winners = listed([SEAT_NAMES[seat] for seat in state.winners]) if state.winners else "nobody"
    points = [f"{name} {score}" for name, score in zip(SEAT_NAMES, state.scores, strict=False)]
    yield wrapped_text(f"The game is over: {winners} won (points: {listed(points)}).")
    for seat in range(state.game.players):
        found = [f"{points} {name}" for name, points in state.sources(seat) if points]
        if len(found) > 1:
            yield wrapped_text(f"{SEAT_NAMES[seat]} had {listed(found)}.")


def _list_moves(record: Record, first: int, kind: str = "") -> None:
    """A page of the moves, from that line on."""
    moves = record.state.moves()
    lines = all_lines(moves, kind) if moves else []
    if first >= len(lines):
        print(f"That is all: {len(moves)} moves." if moves else "The game is over: no moves.")
        return
    print(*lines[first : first + PAGE], sep="\n")
    if first + PAGE < len(lines):
        print("There are others: type more.")


def _your_turn(record: Record, at: Opposite) -> Record | None:
    """Answer commands until one of them changes the game; None ends it."""
    asked = _asked(record)
    first, kind = 0, ""
    while (line := ask("> ")) is not None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        try:
            match word:
                case "":
                    continue
                case "quit" | "exit":
                    return None
                case "help":
                    print(_HELP, *_asks(asked), sep="\n")
                case "more":
                    first += PAGE
                    _list_moves(record, first, kind)
                case "moves":
                    first, kind = 0, rest
                    _list_moves(record, first, kind)
                case "table":
                    _show(record)
                case "describe":
                    print(wrapped_text(record.state.view(YOU).describe()))
                case "legend":
                    print(_legend(record.game))
                case "hint":
                    print(_hint(record))
                case "why":
                    print(_why(record, rest))
                case "rules":
                    print(rule_in_full(rule_of(record.game, rest)))
                case "save":
                    record.save(_file_of(word, rest))
                    print(f"Saved as {rest}.")
                case "load":
                    return _bots_turn(Record.load(_file_of(word, rest), at.edition), at)
                case "undo":
                    return _bots_turn(_back(record), at)
                case "redo":
                    return _forward(record, at)
                case _:
                    chosen = _chosen(record, line, asked)
                    if isinstance(chosen, Move):
                        return _bots_turn(_played(record, chosen, at), at)
                    print(*map(wrapped_text, chosen.splitlines()), sep="\n")
        except CastlelabError as error:
            verdict = getattr(error, "verdict", None)
            print(explained(verdict) if verdict is not None else wrapped_text(str(error)))
        except OSError as error:
            print(f"{rest}: {error.strerror}")
    return None


_HELP = """\
  a number        play that move
  anything else   is read as a move in notation
  moves, more     list the moves; list further ones
  moves KIND      list those of a kind
  table           the table and the moves
  describe        the table in words
  legend          what the letters on the table mean
  undo, redo      take your last move back; play it again
  why MOVE        is it legal? If not, which rules say no
  rules ID        a rule in full
  hint            what the greedy bot would play
  save FILE       keep the game
  load FILE       go on with a game that was kept
  quit            leave"""


def _asked(record: Record) -> Asked:
    """What may be asked about the table as you see it."""
    seen = record.state.view(YOU)
    own = [number for number, state in enumerate(record.states[:-1]) if state.to_move == YOU]
    told = range(own[-1] if own else 0, len(record.moves))
    return Asked(
        *(seen.picture(), None, seen, YOU),
        deciding=record.state if record.state.to_move == YOU else None,
        last=lambda: [record.spoken(number, [YOU], "full", last=False) for number in told],
    )


def _asks(asked: Asked) -> Iterator[str]:
    """What may be asked besides the terminal's own commands."""
    yield "What may be asked about the table:"
    own = {line.split()[0] for line in _HELP.splitlines()}
    for word, about in inquiries(asked):
        if word.split()[0] not in own:
            yield f"  {word:<15} {about}"


def _chosen(record: Record, text: str, asked: Asked) -> Move | str:
    """The move with that number in the list, a move in notation, or what a question asks."""
    is_number = text.isascii() and text.isdigit()
    return _numbered(record, text) if is_number else understood(text, asked)


def _numbered(record: Record, text: str) -> Move:
    moves = in_groups(record.state.moves())
    if not moves:
        raise CastlelabError("the game is over; there is nothing to play")
    if not 1 <= int(text) <= len(moves):
        raise CastlelabError(f"there are moves 1 to {len(moves)}, no {text}")
    return moves[int(text) - 1]


def _why(record: Record, text: str) -> str:
    if not text:
        raise CastlelabError("write the move or its number after why")
    move = _numbered(record, text) if text.isascii() and text.isdigit() else record.game.move(text)
    verdict = record.state.check(move)
    if verdict:
        return "That is legal."
    rules = "\n".join(rule_in_full(record.game.rules[rule]) for rule in verdict.rules)
    return f"{explained(verdict)}\n\n{rules}"


def _hint(record: Record) -> str:
    if record.state.over:
        return "The game is over."
    state = record.state
    (thought,) = seated("greedy").think(state, Chance.seeded(len(record.moves)))
    advised = in_words(state.picture(), way_to(state, thought.move), thought.move)
    return wrapped_text(f"The greedy bot would play: {advised} {thought.reason}")


def _legend(game: Game) -> str:
    if not game.legend:
        return "Nothing on this table is short for anything."
    margin = max(len(code) for code, _ in game.legend)
    return "\n".join(f"  {code:<{margin}}  {meaning}" for code, meaning in game.legend)


def _file_of(command: str, name: str) -> str:
    if not name:
        raise CastlelabError(f"write the name of a file after {command}")
    return name


def _back(record: Record) -> Record:
    """Before your last move: what the bots answered is taken back with it."""
    decided = [at for at, state in enumerate(record.states[:-1]) if state.to_move == YOU]
    if not decided:
        raise CastlelabError("there is nothing to take back")
    record.refuse_to_forget(decided[-1], [YOU], [YOU])
    for _ in range(len(record.moves) - decided[-1]):
        record = record.undo()
    return record


def _forward(record: Record, at: Opposite) -> Record:
    """Your move played again, with what the bots answered."""
    if not record.undone:
        raise CastlelabError("there is nothing to play again")
    record = _again(record, at)
    while record.undone and record.state.to_move != YOU:
        record = _again(record, at)
    return _bots_turn(record, at)


def _again(record: Record, at: Opposite) -> Record:
    """The move that was taken back last, played and told again."""
    return replace(_played(record, record.undone[0], at), undone=record.undone[1:])
