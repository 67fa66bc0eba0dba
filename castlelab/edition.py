"""House data: what a rulebook does not print, read from TOML and checked.

Each game ships an ``edition.toml`` whose tables say where they come from: ``rulebook``
for facts, ``house`` for values of our own. The owner of a box writes a file with any of
the same tables; they replace the house tables whole and count as ``box``.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from castlelab.rules import CastlelabError, NotationError, counted, quoted
from castlelab.system.entry_points import room_file
from castlelab.system.files import name_of

T = TypeVar("T")

SOURCES = ("rulebook", "house", "box")
_LARGEST_FILE = 1_000_000
_LONGEST_NAME = 24


class EditionError(CastlelabError):
    """An edition file is wrong: which file, which key, what is allowed."""


def word_and_number(
    text: str, vocabulary: Mapping[str, range | None], called: str
) -> tuple[str, int]:
    """A word of a small vocabulary and, where it takes one, its number; 0 where it takes none.

    Anything else is a ``NotationError`` with the vocabulary.

    >>> word_and_number("walls 3", {"walls": range(1, 7), "trigger": None}, "effect")
    ('walls', 3)
    """
    word, _, number = text.strip().partition(" ")
    if word not in vocabulary:
        usage = [f"{w} {n[0]}–{n[-1]}" if n else w for w, n in vocabulary.items()]
        raise NotationError(
            f"no {called} is called {quoted(text)}; the {called}s are {', '.join(usage)}"
        )
    numbers = vocabulary[word]
    if numbers is None:
        if number:
            raise NotationError(f"{word} takes no number, but there is {quoted(number)}")
        return word, 0
    plain = number.isascii() and number.isdigit() and len(number) < 3
    if not plain or int(number) not in numbers:
        raise NotationError(
            f"{word} takes a number from {numbers[0]} to {numbers[-1]}, not {quoted(number)}"
        )
    return word, int(number)


def place_named(name: str, places: Mapping[str, int], called: str, there_are: str) -> int:
    """The place of a name, in small or capital letters; an unknown one is a ``NotationError``.

    >>> place_named("axe  man", {"Ogre": 0, "Axe man": 1}, "card", "the cards are")
    1
    """
    if not isinstance(name, str):
        raise CastlelabError(f"a {called} is named by a text, not {quoted(name)}")
    if name in places:
        return places[name]
    words = " ".join(name.lower().replace("’", "'").split())
    by_words = {full.lower(): full for full in places}
    if words in by_words:
        return places[by_words[words]]
    from difflib import get_close_matches  # only needed on the way to an error

    near = get_close_matches(words[:_LONGEST_NAME], by_words, n=1)
    hint = f"did you mean {by_words[near[0]]}?" if near else f"{there_are} {', '.join(places)}"
    raise NotationError(f"no {called} is called {quoted(name)}; {hint}")


class Table:
    """One table of an edition. Every reading names the file and the key if it fails."""

    def __init__(self, file: str, path: str, values: Mapping[str, Any]) -> None:
        self.file, self.path, self._values = file, path, values
        self._seen = {"source"}

    def fail(self, key: str, problem: str) -> EditionError:
        """The error for a key, ready to raise."""
        return EditionError(f"{self.file}: {self.path}.{_word(key)} {problem}")

    def _value(self, key: str, kind: type[T], called: str) -> T:
        self._seen.add(key)
        if key not in self._values:
            raise self.fail(key, f"is missing; it must be {called}")
        value = self._values[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.fail(key, f"is {quoted(value)}; it must be {called}")
        return value

    def integer(self, key: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        value = self._value(key, int, f"a whole number from {low} to {high}")
        if not low <= value <= high:
            raise self.fail(
                key, f"is {quoted(value)}; it must be a whole number from {low} to {high}"
            )
        return value

    def text(self, key: str, allowed: Iterable[str] | None = None) -> str:
        """A text, one of those allowed if they are given."""
        names = tuple(allowed) if allowed is not None else None
        called = "one of " + ", ".join(names) if names else "a text"
        value = self._value(key, str, called)
        if names is not None and value not in names:
            raise self.fail(key, f"is {quoted(value)}; it must be {called}")
        return value

    def integers(
        self, key: str, low: int, high: int, *, length: int | None = None, total: int | None = None
    ) -> tuple[int, ...]:
        """A list of whole numbers within bounds, of a fixed length and sum if given."""
        called = f"a list of{'' if length is None else f' {length}'} whole numbers {low}–{high}"
        values = tuple(self._value(key, list, called))
        for place, value in enumerate(values, start=1):
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise self.fail(key, f"has {quoted(value)} in place {place}; it must be {called}")
        if length is not None and len(values) != length:
            raise self.fail(key, f"has {len(values)} entries; it must be {called}")
        if total is not None and sum(values) != total:
            raise self.fail(key, f"adds up to {sum(values)}; it must add up to {total}")
        return values

    def texts(
        self, key: str, allowed: Iterable[str] | None = None, *, length: int | None = None
    ) -> tuple[str, ...]:
        """A list of texts, each one of those allowed, of a fixed length if given."""
        names = tuple(allowed) if allowed is not None else None
        called = f"a list of{'' if length is None else f' {length}'} texts"
        values = tuple(self._value(key, list, called))
        for place, value in enumerate(values, start=1):
            if not isinstance(value, str) or (names is not None and value not in names):
                wanted = "one of " + ", ".join(names) if names else "a text"
                raise self.fail(key, f"has {quoted(value)} in place {place}; it must be {wanted}")
        if length is not None and len(values) != length:
            raise self.fail(key, f"has {len(values)} entries; it must be {called}")
        return values

    def lists(self, key: str) -> tuple[list[Any], ...]:
        """A list of lists, for the game to judge."""
        values = self._value(key, list, "a list of lists")
        for place, value in enumerate(values, start=1):
            if not isinstance(value, list):
                raise self.fail(key, f"has {quoted(value)} in place {place}; it must be a list")
        return tuple(values)

    def tables(self, key: str) -> tuple[Table, ...]:
        """A list of tables, each to be read in turn."""
        called = "a list of tables"
        values = self._value(key, list, called)
        for place, value in enumerate(values, start=1):
            if not isinstance(value, dict):
                raise self.fail(key, f"has {quoted(value)} in place {place}; it must be {called}")
        return tuple(
            Table(self.file, f"{self.path}.{key}[{place}]", value)
            for place, value in enumerate(values, start=1)
        )

    def name(self, others: Iterable[str], marks: str = "-") -> str:
        """The key ``name``: words of letters, with marks within; it differs from the others."""
        name = self.text("name")
        words = name.split()
        plain = all(part.isalpha() for word in words for part in re.split(f"[{marks}]", word))
        if not words or " ".join(words) != name or len(name) > _LONGEST_NAME or not plain:
            raise self.fail(
                "name", f"is {quoted(name)}; it must be words of letters, {_LONGEST_NAME} at most"
            )
        if any(other.lower() == name.lower() for other in others):
            raise self.fail("name", f"is {quoted(name)} for the second time; names must differ")
        return name

    def table(self, key: str) -> Table:
        """A table within the table."""
        return Table(self.file, f"{self.path}.{key}", self._value(key, dict, "a table"))

    def __iter__(self) -> Iterator[str]:
        """The keys that hold data."""
        return (key for key in self._values if key != "source")

    def has(self, key: str) -> bool:
        """Whether an optional key is there."""
        self._seen.add(key)
        return key in self._values

    def finish(self) -> None:
        """Refuse keys that nobody has read: they are misspelt, or meant for another game."""
        for key in self._values:
            if key not in self._seen:
                known = ", ".join(sorted(self._seen - {"source"}))
                raise self.fail(key, f"is not known here; the keys are {known}")


def _word(key: str) -> str:
    """A key as it is told: TOML allows any text, a message has one line."""
    return key if key.isprintable() and len(key) <= 60 else quoted(key)


class Verb(NamedTuple):
    """A word for what a card can do: when that is, the numbers it takes, what it says."""

    when: str
    numbers: range | None
    words: str
    plural: str = ""


@dataclass(frozen=True, slots=True)
class CardEffect:
    """One effect of a card: a verb of the vocabulary and, where it takes one, its number."""

    vocabulary: ClassVar[Mapping[str, Verb]]

    verb: str
    number: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an effect; anything unknown is a ``NotationError`` with the vocabulary."""
        numbers = {word: verb.numbers for word, verb in cls.vocabulary.items()}
        return cls(*word_and_number(text, numbers, "effect"))

    @classmethod
    def read(
        cls, entry: Table, key: str, texts: Iterable[Any], whose: str, once: str
    ) -> list[Self]:
        """The effects of a card in an edition, each verb once; ``whose`` begins what is wrong."""
        found: dict[str, Self] = {}
        for text in texts:
            if not isinstance(text, str):
                raise entry.fail(key, f"{whose}has {quoted(text)}; an effect is a text")
            try:
                effect = cls.parse(text)
            except NotationError as error:
                raise entry.fail(key, f"{whose}has {quoted(text)}: {error}") from None
            if found.setdefault(effect.verb, effect) is not effect:
                raise entry.fail(key, f"{whose}has {effect.verb} twice; {once}")
        return list(found.values())

    def __str__(self) -> str:
        return f"{self.verb} {self.number}" if self.number else self.verb

    def __repr__(self) -> str:
        number = f", {self.number}" if self.number else ""
        return f"{type(self).__name__}({self.verb!r}{number})"

    @property
    def when(self) -> str:
        return self.vocabulary[self.verb].when

    @property
    def words(self) -> str:
        """What the effect says on the card."""
        verb = self.vocabulary[self.verb]
        words = verb.plural if self.number > 1 and verb.plural else verb.words
        return words.format(n=self.number)


@dataclass(frozen=True)
class Edition:
    """The data of one game: its tables, and where each of them comes from."""

    game: str
    name: str
    tables: Mapping[str, Mapping[str, Any]]
    files: Mapping[str, str]  # table → the file it was read from

    @staticmethod
    def load(game: str, path: str | Path | None = None) -> Edition:
        """The house edition, or a file of your own on top of it."""
        house = _house(game)
        if path is None:
            return house
        if not isinstance(path, (str, Path)):
            raise EditionError(f"an edition is the path of a TOML file, not {quoted(path)}")
        return _owner(house, Path(path))

    def table(self, name: str) -> Table:
        """A table by name, ready to read."""
        return Table(self.files[name], name, self.tables[name])

    def sources(self) -> dict[str, str]:
        """Where each table comes from: ``rulebook``, ``house`` or ``box``."""
        return {name: table["source"] for name, table in self.tables.items()}

    def __repr__(self) -> str:
        own = sum(source == "box" for source in self.sources().values())
        return f"<Edition {self.name!r} of {self.game}: {counted(own, 'table')} from a box>"

    @property
    def digest(self) -> str:
        """A short fingerprint of the data, so that a record can name its edition."""
        text = json.dumps(self.tables, sort_keys=True, default=str)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


@cache
def _house(game: str) -> Edition:
    source, file = room_file(game, "edition.toml"), f"{game}/edition.toml"
    if not source.is_file():
        raise EditionError(f"{file}: is missing; it holds at least a name for the edition")
    tables = tomllib.loads(source.read_text(encoding="utf-8"))
    name = tables.pop("name")
    for key, table in tables.items():
        if table.get("source") not in SOURCES[:2]:
            raise EditionError(f"{file}: {key}.source must be rulebook or house")
    return Edition(game, name, tables, dict.fromkeys(tables, file))


def _owner(house: Edition, path: Path) -> Edition:
    file = name_of(path)
    own = _parse(path)
    for key, wanted in (("game", house.game), ("name", None)):
        value = own.pop(key, None)
        if not isinstance(value, str) or (wanted is not None and value != wanted):
            right = f'game = "{wanted}"' if wanted else 'name = "…", a name for your edition'
            shown = "is missing" if value is None else f"is {quoted(value)}"
            raise EditionError(f"{file}: {key} {shown}; write {right}")
        if key == "name":
            name = value
    for key, table in own.items():
        if key not in house.tables:
            known = ", ".join(house.tables)
            raise EditionError(f"{file}: {_word(key)} is not known here; the tables are {known}")
        if not isinstance(table, dict):
            raise EditionError(f"{file}: {key} is {quoted(table)}; it must be a table [{key}]")
        if table.setdefault("source", "box") != "box":
            shown = quoted(table["source"])
            raise EditionError(f'{file}: {key}.source is {shown}; leave it out or write "box"')
    return Edition(
        house.game,
        name,
        {**house.tables, **own},
        {**house.files, **dict.fromkeys(own, file)},
    )


def _parse(path: Path) -> dict[str, Any]:
    file = name_of(path)
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise EditionError(f"{file}: larger than {_LARGEST_FILE} bytes; not an edition")
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise EditionError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise EditionError(f"{file}: is not UTF-8 text") from None
    except EditionError:
        raise
    except (ValueError, RecursionError) as error:  # tomllib lets int() raise for long numbers
        raise EditionError(f"{file}: is not TOML: {error or 'nested too deeply'}") from None
