"""Rules with names, and what is said when one of them is broken."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


class CastlelabError(ValueError):
    """Every error that castlelab raises on purpose: one clear sentence for a person."""


class NotationError(CastlelabError):
    """A piece of text could not be read; the message says where and what would be right."""


def quoted(value: object) -> str:
    """A value as an error quotes it: on one line, and never long."""
    try:
        text = repr(value)
    except RecursionError:
        return "something nested too deeply"
    except ValueError:  # Python writes no number of more than 4300 digits
        return "something endlessly long"
    return text if len(text) <= 60 else f"{text[:57]}…"


def in_figures(number: int) -> str:
    """A number as it is printed: with a minus sign, which is no hyphen.

    >>> in_figures(7), in_figures(-7)
    ('7', '−7')
    """
    return f"{number}".replace("-", "\N{MINUS SIGN}")


def listed(words: Sequence[str]) -> str:
    """Words in a row.

    >>> listed([]), listed(["a"]), listed(["a", "b", "c"])
    ('nothing', 'a', 'a, b and c')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))) or "nothing"


def either(words: Iterable[str]) -> str:
    """Words of which one is enough, each once.

    >>> either(["red", "curvy", "red", "zigzag"])
    'red, curvy or zigzag'
    """
    *first, last = dict.fromkeys(words)
    return " or ".join(filter(None, (", ".join(first), last)))


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number of things.

    >>> counted(1, "wall"), counted(3, "wall"), counted(0, "tile left", "tiles left")
    ('1 wall', '3 walls', '0 tiles left')
    """
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def whole_number(value: object, what: str, least: int, most: int) -> int:
    """A whole number within bounds; anything else is an error in one sentence.

    >>> whole_number(7, "dice go", 1, 6)
    Traceback (most recent call last):
    castlelab.rules.CastlelabError: dice go from 1 to 6, not 7
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise CastlelabError(f"{what} from {least} to {most}, not {quoted(value)}")
    return value


def given(kind: type[T], thing: T | str) -> T:
    """A thing that is given as such or as text, which its class reads.

    >>> given(int, "3"), given(int, 3)
    (3, 3)
    >>> given(int, None)
    Traceback (most recent call last):
    castlelab.rules.NotationError: an int or its text is wanted, not None
    """
    if isinstance(thing, kind):
        return thing
    read: Any = kind
    if isinstance(thing, str):
        found: T = read(thing)
        return found
    name = kind.__name__
    article = "an" if name[0] in "aeiouAEIOU" else "a"
    raise NotationError(f"{article} {name} or its text is wanted, not {quoted(thing)}")


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One rule of one game, in our own words.

    A rule equals its id, so ``breach.rule == "castell/max-width"`` reads as it should.
    """

    id: str
    title: str
    text: str
    section: str
    ruling: str = ""  # what we play where the rulebook is silent or reads two ways

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"<Rule {self.id}: {self.title}>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Rule):
            return self.id == other.id
        return self.id == other if isinstance(other, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.id)


#: A rule as an explanation cites it: ``[castell/max-width]``.
_CITED = re.compile(r"\[(?P<rule>(?P<game>[a-z_]+)/[a-z0-9-]+)\]")

#: What the ids of version 0.1 began with; in notes and links they still lead to their rules.
_OLD_PREFIXES = {
    "keep": "castle_keep",
    "rampage": "castle_rampage",
    "scape": "castlescape",
    "once": "once_upon_a_castle",
}


def todays_id(rule_id: str) -> str:
    """The id of a rule as it is written today: it begins with the load name of its game.

    >>> todays_id("scape/bailey"), todays_id("castell/tower")
    ('castlescape/bailey', 'castell/tower')
    """
    prefix, slash, name = str(rule_id).partition("/")
    return f"{_OLD_PREFIXES.get(prefix, prefix)}{slash}{name}"


class Rulebook(Mapping[str, Rule]):
    """The rules of one game by id, in the order of the rulebook."""

    def __init__(self, game: str, rules: tuple[Rule, ...]) -> None:
        self.game = game
        self._rules = {rule.id: rule for rule in rules}

    def __getitem__(self, rule_id: str) -> Rule:
        rule = self._rules.get(rule_id) or self._rules.get(todays_id(rule_id))
        if rule is None:
            raise KeyError(f"{self.game} has no rule {rule_id!r}; {self._nearest(rule_id)}")
        return rule

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def __repr__(self) -> str:
        return f"<Rulebook of {self.game}: {counted(len(self), 'rule')}>"

    def breach(
        self,
        rule_id: str,
        message: str,
        where: tuple[str, ...] = (),
        mend: str = "",
        mends: tuple[Any, ...] = (),
    ) -> Breach:
        """A breach of the rule of that id."""
        return Breach(self[rule_id], message, where, mend, mends)

    def sections(self) -> dict[str, tuple[Rule, ...]]:
        """The rules by section, both in the order of the rulebook."""
        found: dict[str, list[Rule]] = {}
        for rule in self._rules.values():
            found.setdefault(rule.section, []).append(rule)
        return {section: tuple(rules) for section, rules in found.items()}

    def _nearest(self, rule_id: str) -> str:
        from difflib import get_close_matches  # only needed on the way to an error

        near = get_close_matches(str(rule_id), self._rules, n=3, cutoff=0.4)
        return f"did you mean {' or '.join(near)}?" if near else f"the first is {next(iter(self))}"


@cache
def rulebook(game: str) -> Rulebook:
    """The rules of a game, read once from its ``rules.toml``.

    >>> rulebook("castell")["castell/max-width"].title
    'Three at most'
    """
    from castlelab.system.entry_points import room_file

    source = room_file(game, "rules.toml")
    if not source.is_file():
        raise CastlelabError(f"there are no rules of a game {game!r}; is its package installed?")
    table = tomllib.loads(source.read_text(encoding="utf-8"))
    found = ((section["title"], rule) for section in table["section"] for rule in section["rule"])
    rules = (
        Rule(rule["id"], rule["title"], rule["text"], section, rule.get("ruling", ""))
        for section, rule in found
    )
    return Rulebook(game, tuple(rules))


def by_title(text: str) -> str:
    """A text that cites rules by their ids, with their titles instead: what a learner reads.

    >>> by_title("At most 3 in a level. [castell/max-width]")
    'At most 3 in a level. (Three at most)'
    """
    return _CITED.sub(_title, text)


def _title(cited: re.Match[str]) -> str:
    try:
        return f"({rulebook(cited['game'])[cited['rule']].title})"
    except (CastlelabError, KeyError):  # brackets that somebody typed, or a game without rules
        return cited[0]


@dataclass(frozen=True, slots=True)
class Breach:
    """One rule broken: which, why, where on the board, and what would mend it.

    ``mends`` are of the kind that was judged, a move where ``State.check`` judged a move, a tower
    where ``check`` judged a tower, and each of them is legal. ``mend`` says it in a sentence.
    """

    rule: Rule
    message: str
    where: tuple[str, ...] = ()  # names of targets in the picture: "level 3", "Valls", …
    mend: str = ""
    mends: tuple[Any, ...] = ()

    def __str__(self) -> str:
        mend = f" {self.mend}" if self.mend else ""
        return f"{self.message}{mend} [{self.rule}]"

    def __repr__(self) -> str:
        return f"<Breach: {self}>"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of ``check``: true if legal, otherwise every breach.

    >>> bool(Verdict())
    True
    """

    breaches: tuple[Breach, ...] = ()

    def __bool__(self) -> bool:
        return not self.breaches

    def __str__(self) -> str:
        return "\n".join(map(str, self.breaches)) if self.breaches else "Legal."

    def __repr__(self) -> str:
        return f"<Verdict: {str(self).replace(chr(10), ' ')}>"

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the broken rules, each once, in order."""
        return tuple(dict.fromkeys(breach.rule.id for breach in self.breaches))

    @property
    def where(self) -> tuple[str, ...]:
        """Every place named by a breach, each once, in order."""
        return tuple(dict.fromkeys(place for breach in self.breaches for place in breach.where))


LEGAL = Verdict()


class IllegalMove(CastlelabError):
    """A move was refused; ``.verdict`` is what ``check`` had said."""

    def __init__(self, move: object, verdict: Verdict) -> None:
        self.move = move
        self.verdict = verdict
        super().__init__(f"{move}: {'; '.join(map(str, verdict.breaches))}")

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[object, Verdict]]:
        # Exceptions rebuild from their message unless told otherwise, and worker
        # processes send them home.
        return IllegalMove, (self.move, self.verdict)
