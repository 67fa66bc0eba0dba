"""Worksheets: puzzles chosen by kind and level, as links, on paper, and with a key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import blake2b
from html import escape
from operator import itemgetter
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from castlelab.chance import Chance
from castlelab.classroom import paper
from castlelab.classroom.curriculum import curriculum, from_age, read_age
from castlelab.game import GAMES
from castlelab.puzzles import LEVELS, OWN, PUZZLE_PAGE, ChooseOne, Puzzle, is_code, kinds, puzzle
from castlelab.rules import CastlelabError, quoted
from castlelab.study.progress_bar import bar
from castlelab.system.files import write_whole
from castlelab.system.packages import has

MOST_PUZZLES = 100
LONGEST_TITLE = 120
TITLE = "Castle puzzles"
PAGES_PATH = "/voila/render/"  # where `castlelab serve` has its pages

_NO_PAGES = ("/voila", "/password", "/lab")  # where a server has other things
_NUMBERS = 999  # puzzles of a kind and level to choose from: enough, and short to type
_VERSIONS = "ABCDEFGH"
_ID_SIGNS, _ID_LENGTH = "23456789ABCDEFGHJKMNPQRSTVWXYZ", 6  # none that look alike
LONGEST_LINK = 8_000  # characters, which servers and browsers take
_TRIES = 60  # for a puzzle that is unlike all others


@dataclass(frozen=True)
class Worksheet:
    """Puzzles to hand out, from easy to hard.

    >>> sheet = worksheet("castell/tallest", levels=1, count=1, seed=7)
    >>> sheet.links("http://localhost:8866/")
    ('http://localhost:8866/voila/render/puzzle.ipynb?code=castell/tallest-1-596',)
    """

    title: str
    puzzles: tuple[Puzzle, ...]
    address: str = ""  # of the pages; "" where they are is not known

    @property
    def codes(self) -> tuple[str, ...]:
        """The code of each puzzle, or the name of a lesson; "" for one that has neither."""
        return tuple("" if each.kind.endswith(f"/{OWN}") else each.id for each in self.puzzles)

    def links(self, address: str | None = None) -> tuple[str, ...]:
        """A link to each puzzle; without an address they lead from one page to another.

        A puzzle of one's own whose goal is a function is in no link: "" stands there.
        """
        base = self.address if address is None else pages_address(address)
        return tuple(link(base, code) if code else "" for code in self.codes)

    @property
    def id(self) -> str:
        """A short name for the sheet: the same puzzles, the same name.

        >>> worksheet("castell/tallest", levels="1-2", count=2, seed=7).id
        'SSRYFT'
        """
        names = "\n".join(
            code or each.prompt for code, each in zip(self.codes, self.puzzles, strict=True)
        )
        number = int.from_bytes(blake2b(names.encode(), digest_size=8).digest())
        letters = []
        for _ in range(_ID_LENGTH):
            number, letter = divmod(number, len(_ID_SIGNS))
            letters.append(_ID_SIGNS[letter])
        return "".join(letters)

    def link(self, address: str | None = None) -> str:
        """A link to the whole sheet, to be ticked through on the screen.

        A sheet with a puzzle that has no code, or with endless ones, has no link.
        """
        if not all(self.codes):
            raise CastlelabError(
                "a puzzle whose goal is a function is in no link; leave it out of the assignment"
            )
        title = "" if self.title == TITLE else f"&title={quote(self.title, safe='')}"
        query = f"sheet={quote(','.join(self.codes), safe='/,')}{title}"
        if len(query) > LONGEST_LINK:
            raise CastlelabError(
                "the link to this sheet would be too long; make two sheets, "
                "with fewer puzzles of one's own in each"
            )
        base = self.address if address is None else pages_address(address)
        return f"{base}{PUZZLE_PAGE}?{query}"

    def version(self, letter: str) -> Worksheet:
        """Another sheet of the same kinds and levels, for who sits beside: A is this one.

        Lessons and puzzles of one's own are in every version.
        """
        number = _VERSIONS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
        if number < 0:
            raise CastlelabError(f"versions are called A to {_VERSIONS[-1]}, not {quoted(letter)}")
        title = f"{self.title} – {letter}"[-LONGEST_TITLE:]
        seen = set(map(_look, self.puzzles))
        made: tuple[Puzzle, ...] = self.puzzles
        for each in _VERSIONS[1 : number + 1]:  # B is unlike A, and C unlike both
            chance = Chance.seeded(f"version {each} of {self.id}")
            made = tuple(_another(seen, old, chance.split(at)) for at, old in enumerate(made))
        return Worksheet(title, made, self.address)

    def html(self, *, rules: bool = False, qr: bool | None = None) -> str:
        """The sheet as a page that is good to print.

        ``rules`` brings a box with those that the puzzles practise; ``qr`` square codes for
        telephones, which are there by themselves where the address of the pages is known and the
        package is there that draws them.
        """
        return paper.sheet(self.title, self.puzzles, self._wheres(), self._extras(rules, qr))

    def versions_html(self, letters: str = "AB", *, rules: bool = False, key: bool = False) -> str:
        """Several versions in one file to print, each from a new page on; or their keys."""
        if not letters:
            raise CastlelabError("versions are named by their letters, such as AB")
        made = [self.version(letter) for letter in letters]
        if key:
            bodies = [(f"{one.title}: answers", paper.key_body(one.puzzles)) for one in made]
        else:
            bodies = [(one.title, one._body(rules)) for one in made]
        return paper.several(self.title, bodies)

    def _body(self, rules: bool) -> str:
        return paper.sheet_body(self.puzzles, self._wheres(), self._extras(rules, None))

    def _wheres(self) -> tuple[str, ...]:
        return self.links() if self.address else ()

    def _extras(self, rules: bool, qr: bool | None) -> paper.Extras:
        if qr and not self.address:
            raise CastlelabError("QR codes need to know where your pages are: give the address")
        has_qr = bool(self.address) and has("segno") if qr is None else qr
        whole = self.link() if has_qr and all(self.codes) else ""
        return paper.Extras(rules, has_qr, self.id, whole)

    def key_html(self) -> str:
        """The answers as a page that is good to print."""
        return paper.key(self.title, self.puzzles)

    def save(
        self, path: str | Path, *, key: bool = True, rules: bool = False, versions: str = ""
    ) -> tuple[Path, ...]:
        """Write the sheet and its key: to a ``.html`` file and beside it, or into a folder.

        ``versions="AB"`` writes both in one file, and so the keys.
        """
        path = Path(path)
        if path.is_dir():
            path /= "worksheet.html"
        if path.suffix.lower() not in (".html", ".htm"):
            raise CastlelabError(
                f"{path.name}: a worksheet is saved as .html, or into a folder that exists"
            )
        shown = self.versions_html(versions, rules=rules) if versions else self.html(rules=rules)
        pages = [(path, shown)]
        if key:
            answers = self.versions_html(versions, key=True) if versions else self.key_html()
            pages.append((path.with_stem(f"{path.stem}-key"), answers))
        for place, words in pages:
            write_whole(place, words)
        return tuple(place for place, _ in pages)

    def __str__(self) -> str:
        wheres = self.links() if self.address else self.codes
        lines = [
            f"{number:>3}. {each.prompt}\n     {where}"
            for number, (each, where) in enumerate(zip(self.puzzles, wheres, strict=True), 1)
        ]
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<li>{paper.linked(each, where)} {escape(each.prompt)}</li>"
            for each, where in zip(self.puzzles, self.links(), strict=True)
        )
        return f"<p><strong>{escape(self.title)}</strong></p><ol>{rows}</ol>"


def worksheet(
    kinds: str | Puzzle | Iterable[str | Puzzle] = tuple(GAMES),
    levels: int | str | Iterable[int] = "1-3",
    count: int = 10,
    seed: int | str = 0,
    *,
    title: str = TITLE,
    address: str = "",
    age: int | None = None,
    progress: bool = False,
) -> Worksheet:
    """So many puzzles of these kinds and levels, no two alike.

    Kinds are named in full (``"castell/tallest"``), by their game (``"castell"``) or by a word of
    a curriculum (``"permutations"``), levels as ``3``, ``"1-3"`` or ``[1, 3]``. The same
    arguments give the same sheet everywhere. Levels rise along the sheet, and every kind gets its
    turn before one comes again. With an age there are only puzzles that suit it.

    Puzzles of one's own, codes and lessons may stand among the kinds. They come first, as they
    are, and if nothing else is named they are the whole sheet.

    >>> [each.level for each in worksheet("castell", "1-3", count=6).puzzles]
    [1, 1, 2, 2, 3, 3]
    >>> worksheet(["castell/tallest-3-42", "castell/lesson-mix"]).codes
    ('castell/tallest-3-42', 'castell/lesson-mix')
    """
    picked, kinds = _picked_out(kinds)
    if picked and not kinds:
        _check_title(title)
        return Worksheet(title.strip() or TITLE, picked, pages_address(address))
    chosen, grades = read_kinds(kinds), read_levels(levels)
    _check_count(count)
    _check_title(title)
    base = pages_address(address)
    chance = Chance.seeded(seed).split("worksheet")
    found: list[Puzzle] = [*picked]
    seen: set[object] = set(map(_look, picked))
    waiting = bar(count, "puzzle", delay=0.5, leave=False) if progress else nullcontext()
    with waiting as watched:
        for number, (kind, level) in enumerate(_plan(chosen, grades, count, chance, age)):
            found.append(_unlike(seen, kind, level, chance.split(f"{number} {kind}")))
            seen.add(_look(found[-1]))
            if watched is not None:
                watched.update()
    return Worksheet(title.strip() or TITLE, tuple(found), base)


# What is asked for


def _picked_out(
    wanted: str | Puzzle | Iterable[str | Puzzle],
) -> tuple[tuple[Puzzle, ...], list[str]]:
    """The puzzles that are named one by one, and the kinds that are left."""
    if isinstance(wanted, str):
        wanted = wanted.replace(",", " ").split()
    if isinstance(wanted, Puzzle):
        wanted = [wanted]
    if not isinstance(wanted, Iterable):
        raise CastlelabError(f"kinds are names such as 'castell/tallest', not {quoted(wanted)}")
    picked, words = [], []
    for each in wanted:
        if isinstance(each, Puzzle):
            picked.append(each)
        elif isinstance(each, str) and is_code(each):
            picked.append(puzzle(each))
        else:
            words.append(each)
        if len(picked) > MOST_PUZZLES:
            raise CastlelabError(f"a worksheet has at most {MOST_PUZZLES} puzzles")
    return tuple(picked), words


def read_kinds(wanted: str | Iterable[str]) -> tuple[str, ...]:
    """The kinds that are meant, each once and in the order in which they are listed.

    >>> read_kinds("castle_keep castell/tallest")[:2]
    ('castell/tallest', 'castle_keep/which-fits')
    """
    words = wanted.replace(",", " ").split() if isinstance(wanted, str) else wanted
    if not isinstance(words, Iterable):
        raise CastlelabError(f"kinds are names such as 'castell/tallest', not {quoted(wanted)}")
    meant = {kind for word in words for kind in _kinds_of(word)}
    if not meant:
        raise CastlelabError(
            "a worksheet needs at least one kind of puzzle, such as castell/tallest, or a game, "
            "such as castell"
        )
    games = {kind.partition("/")[0] for kind in meant}
    return tuple(k for game in GAMES if game in games for k in kinds(game) if k in meant)


def _kinds_of(word: object) -> tuple[str, ...]:
    if isinstance(word, str) and (found := curriculum().get(word.lower())):
        return found
    game = str(word).partition("/")[0]
    of_game = kinds(game) if game in GAMES else ()
    if found := tuple(kind for kind in of_game if word in (kind, game)):
        return found
    instead = (
        f"name a kind, such as castell/tallest, or a game: {', '.join(GAMES)}; "
        "or what is practised, such as permutations"
    )
    if near := get_close_matches(str(word), (*GAMES, *curriculum(), *kinds()), n=2, cutoff=0.8):
        instead = f"did you mean {' or '.join(near)}?"
    elif of_game:
        instead = f"the kinds of {game} are {', '.join(of_game)}"
    raise CastlelabError(f"there are no puzzles {quoted(word)}; {instead}")


def read_levels(wanted: int | str | Iterable[int]) -> tuple[int, ...]:
    """The levels that are meant, from easy to hard.

    >>> read_levels("1-3"), read_levels("5,2"), read_levels(4)
    ((1, 2, 3), (2, 5), (4,))
    """
    found = set(_levels_in(wanted))
    if not found or not found <= set(LEVELS):
        raise CastlelabError(
            f"levels go from {LEVELS[0]} to {LEVELS[-1]}, written as 3, 1-3 or 1,3, "
            f"not {quoted(wanted)}"
        )
    return tuple(sorted(found))


def _levels_in(wanted: object) -> Iterator[int]:
    """Each level that is named; what is not one comes out as a 0."""
    if isinstance(wanted, str):
        for part in wanted.replace("–", "-").split(","):
            first, dash, last = (word.strip() for word in part.partition("-"))
            low, high = _level(first), _level(last if dash else first)
            yield from range(low, high + 1) if 0 < low <= high else (0,)
    elif isinstance(wanted, Iterable):
        for each in wanted:
            whole = isinstance(each, int) and not isinstance(each, bool) and each in LEVELS
            yield each if whole else 0
            if not whole:
                return  # and not on and on through a range without an end
    else:
        yield from _levels_in((wanted,))


def _level(word: str) -> int:
    return int(word) if word in map(str, LEVELS) else 0


def _check_count(count: object) -> None:
    whole = isinstance(count, int) and not isinstance(count, bool)
    if not whole or not 1 <= count <= MOST_PUZZLES:  # type: ignore[operator]
        raise CastlelabError(
            f"a worksheet has 1 to {MOST_PUZZLES} puzzles, a whole number, not {quoted(count)}"
        )


def _check_title(title: object) -> None:
    if not isinstance(title, str) or len(title) > LONGEST_TITLE:
        raise CastlelabError(
            f"a title is a text of at most {LONGEST_TITLE} characters, not {quoted(title)}"
        )


def pages_address(text: str) -> str:
    """Where the pages are, from whatever of their address was copied.

    >>> pages_address("http://castle:8866")
    'http://castle:8866/voila/render/'
    >>> pages_address("https://school.example/hub/voila/render/welcome.ipynb?x=1")
    'https://school.example/hub/voila/render/'
    """
    try:
        parts = urlsplit(text.strip())
        host = parts.hostname
        _ = parts.port  # asked for its check
    except (AttributeError, ValueError):
        raise _wrong_address(text) from None
    if not text.strip():
        return ""
    # A script in the place of an address must not become a link.
    if parts.scheme not in ("http", "https") or not host or any(map(str.isspace, text.strip())):
        raise _wrong_address(text)
    path = quote(_folder_of_pages(parts.path), safe="/%~:@+")
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def _folder_of_pages(path: str) -> str:
    """The folder of a page that was copied or, from elsewhere on the server, of all pages.

    >>> _folder_of_pages("/hub/welcome.ipynb"), _folder_of_pages("/hub/voila")
    ('/hub/', '/hub/voila/render/')
    """
    folder, _, last = path.rstrip("/").rpartition("/")
    if last.endswith(".ipynb"):
        return f"{folder}/"
    folder = f"{folder}/{last}".rstrip("/")
    if PAGES_PATH in f"{folder}/":
        return f"{folder}/"
    return folder.removesuffix(next(filter(folder.endswith, _NO_PAGES), "")) + PAGES_PATH


def _wrong_address(text: object) -> CastlelabError:
    return CastlelabError(
        "the address of the pages starts with http:// or https://, such as "
        f"http://localhost:8866/, not {quoted(text)}"
    )


def link(base: str, code: str) -> str:
    """The link that opens a puzzle, from the address of the pages."""
    return f"{base}{PUZZLE_PAGE}?code={quote(code, safe='/')}"


# Choosing puzzles


def _plan(
    chosen: Sequence[str], grades: Sequence[int], count: int, chance: Chance, age: int | None
) -> list[tuple[str, int]]:
    """The kind and level of each puzzle: levels in equal parts, kinds in turns."""
    if age is not None:
        chosen = _suiting(chosen, grades, read_age(age))
    turn: tuple[str, ...] = ()
    planned = []
    for number in range(count):
        if number % len(chosen) == 0:
            turn, chance = chance.shuffle(chosen)
        kind, level = turn[number % len(chosen)], grades[number * len(grades) // count]
        if age is not None:
            while from_age(kind, level) > age:
                level = max(each for each in grades if each < level)
        planned.append((kind, level))
    return sorted(planned, key=itemgetter(1))


def _suiting(chosen: Sequence[str], grades: Sequence[int], age: int) -> tuple[str, ...]:
    """The kinds of which at least the easiest of these levels suits an age."""
    if found := tuple(kind for kind in chosen if from_age(kind, grades[0]) <= age):
        return found
    youngest = min(from_age(kind, grades[0]) for kind in chosen)
    raise CastlelabError(
        f"none of these puzzles suits an age of {age}; from {youngest} on there are some"
    )


def _unlike(seen: set[object], kind: str, level: int, chance: Chance) -> Puzzle:
    """A puzzle that looks like none of those seen: different codes may lead to the same one."""
    for _ in range(_TRIES):
        number, chance = chance.below(_NUMBERS)
        found = puzzle(f"{kind}-{level}-{number + 1}")
        if _look(found) not in seen:
            return found
    raise CastlelabError(
        f"there are too few different puzzles {kind} of level {level} for this sheet; "
        "ask for fewer, or for more kinds or levels"
    )


def _another(seen: set[object], old: Puzzle, chance: Chance) -> Puzzle:
    """A puzzle of the same kind and level that looks like none of those seen."""
    if not old.level:
        return old
    found = _unlike(seen, old.kind, old.level, chance)
    seen.add(_look(found))
    return found


def _look(asked: Puzzle) -> object:
    """What makes two puzzles alike on paper, whatever their codes are."""
    options = frozenset(asked.ask.options) if isinstance(asked.ask, ChooseOne) else None
    return asked.prompt, asked.picture(), options
