"""A game as text: save it, replay it, go back, branch off.

A record is JSON: which game with which options, the seed, and the moves in notation.
Reading one only ever parses text and plays moves through the rules, so nothing in a
file can do more than an illegal move could.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from castlelab.game import Game, Move, Sentence, State, game_class, load
from castlelab.rules import CastlelabError, counted, quoted
from castlelab.speech import Way, said_aloud
from castlelab.system.files import name_of, write_whole
from castlelab.system.packages import widget
from castlelab.system.packing import pack, unpack
from castlelab.telling import reveals, sentence, told

RECORD_FORMAT = 1
_LARGEST_TEXT = 1_000_000
_LONGEST_CODE = 60_000  # characters; more than an address can carry
_LARGEST_SHARED = 200_000  # bytes, unpacked: many times the longest game
_KEYS = ("castlelab", "game", "players", "options", "edition", "seed", "moves")


class RecordError(CastlelabError):
    """A record is damaged or holds an illegal move: which one, and why."""


@dataclass(frozen=True)
class Record:
    """The moves of a game and the state after each; immutable like the states.

    >>> record = Record.start("castell", seed=7).play("move Valls").play("end")
    >>> record.undo().moves
    ('move Valls',)
    >>> Record.loads(record.dumps()) == record
    True
    """

    game: Game
    seed: int | str | None  # None: it begins with a position, to which no seed leads
    moves: tuple[str, ...]
    states: tuple[State, ...]  # one more than moves
    undone: tuple[str, ...] = ()  # what redo would play, nearest first

    @staticmethod
    def start(game: Game | str, seed: int | str = 0) -> Record:
        """A game that begins, given as such or by its name."""
        if isinstance(game, str):
            game = load(game)
        return Record(game, seed, (), (game.start(seed),))

    @staticmethod
    def begin_at(state: State) -> Record:
        """A game that begins with a position. It is played like any other, but cannot be saved."""
        return Record(state.game, None, (), (state,))

    def again(self) -> Record:
        """The same game from its start, with another seed; a position is what it was.

        >>> Record.start(load("castell"), seed=7).again().seed
        8
        """
        if self.seed is None:
            return Record.begin_at(self.states[0])
        seed = self.seed + 1 if isinstance(self.seed, int) else f"{self.seed} again"
        return Record.start(self.game, seed)

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.states[-1]

    def play(self, move: Move | str) -> Record:
        """The record with one more move, given as a move or in notation."""
        read = self.game.move(move) if isinstance(move, str) else move
        after = self.state.play(read)
        return Record(self.game, self.seed, (*self.moves, str(read)), (*self.states, after))

    def undo(self) -> Record:
        """One move back; at the start nothing changes."""
        if not self.moves:
            return self
        undone = (self.moves[-1], *self.undone)
        return replace(self, moves=self.moves[:-1], states=self.states[:-1], undone=undone)

    def redo(self) -> Record:
        """The move that was taken back last, played again."""
        if not self.undone:
            return self
        return replace(self.play(self.undone[0]), undone=self.undone[1:])

    def at(self, number: int) -> Record:
        """The game as it was after so many moves; play from there to branch off."""
        if not 0 <= number <= len(self.moves):
            raise RecordError(f"the record has {len(self.moves)} moves; there is no move {number}")
        return Record(self.game, self.seed, self.moves[:number], self.states[: number + 1])

    def revealed_since(self, number: int, people: Collection[int] | None = None) -> int | None:
        """The first move since then that showed something hidden to somebody who could use it.

        Whoever decides again must not know more than the first time. So a move that shows
        one of the ``people`` (all seats, unless told otherwise) what could not be foreseen
        stands, together with all that they decided before it. Moves that were taken back
        have been seen as well. None: nobody learnt anything.
        """
        seats = range(self.game.players) if people is None else people
        whole = self
        while whole.undone:
            whole = whole.redo()
        deciding: list[int] = []
        for at in range(number, len(whole.moves)):
            state, move = whole.states[at], whole.game.move(whole.moves[at])
            if (seat := state.to_move) in seats and seat is not None and seat not in deciding:
                deciding.append(seat)
            if any(reveals(state, move, seat) for seat in deciding):
                return at + 1
        return None

    def told(self, number: int, audience: Collection[int] = ()) -> str:
        """The move after so many in words, with what is hidden from the seats that listen left out.

        >>> Record.start(load("castell", first="blue"), seed=7).play("move Valls").told(0)
        'Blue began in Valls.'
        """
        return told(self.states[number], self.game.move(self.moves[number]), audience)

    def sentence(self, number: int, audience: Collection[int] = ()) -> Sentence:
        """The same with the things that it names, for whoever shows their pictures."""
        before, after = self.states[number : number + 2]
        return sentence(before, self.game.move(self.moves[number]), audience, after)

    def spoken(
        self, number: int, audience: Collection[int] = (), way: Way = "normal", *, last: bool = True
    ) -> str:
        """The move after so many for who listens, in at most 120 characters; see
        :func:`castlelab.speech.said_aloud`.

        >>> Record.start(load("castell", first="blue"), seed=7).play("move Valls").spoken(0, [0])
        'You began in Valls.'
        """
        before, after = self.states[number : number + 2]
        move = self.game.move(self.moves[number])
        return said_aloud(before, move, after, audience, way, last=last)

    def refuse_to_forget(
        self, number: int, people: Collection[int], audience: Collection[int]
    ) -> None:
        """Hold the limits of taking back to where the game was after so many moves.

        Whoever of the ``people`` decides again must not know more. The ``audience`` hears why.
        """
        shown = self.revealed_since(number, people)
        if shown is None:
            return
        which = f"move {shown}"
        if shown <= len(self.moves):
            which += f" ({self.told(shown - 1, audience).rstrip('.')})"
        raise CastlelabError(
            f"this cannot be taken back: {which} brought to light what was hidden before, "
            "and nobody can forget it"
        )

    def table(self, **options: Any) -> Any:
        """A table in a notebook to look back at every move, and to go on: ``GameTable(record, …)``.

        ``bots`` says who plays which seats: ``record.at(8).table(bots={1: "greedy"})``.
        """
        return widget("GameTable", self, **options)

    def _repr_svg_(self) -> str:
        return self.state._repr_svg_()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or self._start != other._start:
            return False
        return self.moves == other.moves and self._about == other._about

    def __repr__(self) -> str:
        start = "from a position" if self.seed is None else f"seed {self.seed!r}"
        return f"<Record of {self.game!r}, {start}, {counted(len(self.moves), 'move')}>"

    def __hash__(self) -> int:
        return hash((self.game.name, self.seed, self.moves))

    @property
    def _start(self) -> object:
        return self.states[0] if self.seed is None else self.seed

    @property
    def can_be_saved(self) -> bool:
        """Whether it can be written down: from a seed one comes to it again."""
        return self.seed is not None

    def dumps(self) -> str:
        """The record as JSON text; one that begins with a position has none."""
        return json.dumps(self._table(), indent=1, ensure_ascii=False)

    def _table(self) -> dict[str, Any]:
        if not self.can_be_saved:
            raise RecordError(
                "this game began with a position and not with a seed, so it cannot be saved or "
                "shared; begin it with Record.start(game, seed)"
            )
        return {**self._about, "seed": self.seed, "moves": self.moves}

    @property
    def _about(self) -> dict[str, Any]:
        """The game and how it is played."""
        edition = self.game.edition
        return {
            "castlelab": RECORD_FORMAT,
            "game": self.game.name,
            "players": self.game.players,
            "options": self.game.options,
            "edition": edition.digest if edition is not None else None,
        }

    def share(self) -> str:
        """The record as a code for an address: letters, digits, ``-`` and ``_`` only.

        >>> record = Record.start(load("castell"), seed=7).play("move Valls")
        >>> Record.from_share(record.share()) == record
        True
        """
        text = json.dumps(self._table(), separators=(",", ":"), ensure_ascii=False)
        return pack(text)

    @staticmethod
    def from_share(code: str, edition: str | Path | None = None) -> Record:
        """Read a code of :meth:`share` and replay it; whatever is wrong is a RecordError."""
        return Record.loads(_unpacked(code), edition)

    def save(self, path: str | Path) -> None:
        """Write the record to a file; an older one stays if that fails."""
        write_whole(Path(path), self.dumps() + "\n")

    @staticmethod
    def loads(text: str, edition: str | Path | None = None) -> Record:
        """Read a record and replay it; what is wrong with it is a :class:`RecordError`."""
        table = _read(text)
        game = _load_game(table, edition)
        seed = table["seed"]
        if isinstance(seed, bool) or not isinstance(seed, (int, str)):
            raise RecordError(f"the seed is {quoted(seed)}; it must be a whole number or a text")
        try:
            record = Record.start(game, seed)
        except CastlelabError as error:
            raise RecordError(f"the seed is {quoted(seed)}: {error}") from error
        moves, states = [], [record.state]
        for number, words in enumerate(table["moves"], start=1):
            if not isinstance(words, str):
                raise RecordError(f"move {number} is {quoted(words)}; it must be a text")
            try:
                move = game.move(words)
                states.append(states[-1].play(move))
            except CastlelabError as error:
                raise RecordError(f"move {number} ({quoted(words)}): {error}") from error
            moves.append(str(move))
        return Record(game, seed, tuple(moves), tuple(states))

    @staticmethod
    def load(path: str | Path, edition: str | Path | None = None) -> Record:
        """Read a record from a file."""
        path = Path(path)
        try:
            if path.stat().st_size > _LARGEST_TEXT:
                raise RecordError(f"{name_of(path)} is too large to be a record")
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise RecordError(f"{name_of(path)} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise RecordError(f"{name_of(path)} is not UTF-8 text") from None
        except ValueError as error:  # a name that no file can have
            raise RecordError(f"{name_of(path)} cannot be read: {error}") from None
        return Record.loads(text, edition)


def _unpacked(code: str) -> str:
    """The JSON text in a shared code."""
    if isinstance(code, str) and not code.strip():
        raise RecordError("the code is empty; a shared game has a long one")
    try:
        return unpack(code, "game", longest=_LONGEST_CODE, largest=_LARGEST_SHARED)
    except CastlelabError as error:
        raise RecordError(str(error)) from None


def _read(text: str) -> dict[str, Any]:
    """The JSON object of a record, its keys and their kinds checked."""
    if not isinstance(text, str) or len(text) > _LARGEST_TEXT:
        raise RecordError("a record is a JSON text of at most a million characters")
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"the record is not JSON: {error}") from None
    if not isinstance(table, dict):
        raise RecordError(f"a record is a JSON object, not {quoted(table)}")
    version = table.get("castlelab")
    if version != RECORD_FORMAT or type(version) is not int:  # True == 1
        raise RecordError(
            f"the record has version {quoted(version)}; this castlelab reads {RECORD_FORMAT}"
        )
    for key in _KEYS:
        if key not in table:
            raise RecordError(f"the record has no {key!r}; it needs {', '.join(_KEYS)}")
    for key, kind, called in (("options", dict, "an object"), ("moves", list, "a list")):
        if not isinstance(table[key], kind):
            raise RecordError(f"{key} is {quoted(table[key])}; it must be {called}")
    return table


def _load_game(table: dict[str, Any], edition: str | Path | None) -> Game:
    try:
        known = {option.name for option in game_class(table["game"]).option_list}
        if strange := [name for name in table["options"] if name not in known]:
            raise CastlelabError(f"{table['game']} has no option {quoted(strange[0])}")
        game = load(table["game"], table["players"], edition, **table["options"])
    except CastlelabError as error:
        raise RecordError(f"the record cannot be set up: {error}") from error
    digest = game.edition.digest if game.edition is not None else None
    if table["edition"] != digest:
        raise RecordError(
            f"the record was played with edition {quoted(table['edition'])}, "
            f"this one is {digest!r}: hand over the same edition file"
        )
    return game
