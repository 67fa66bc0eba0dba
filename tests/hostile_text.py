"""Hostile text: what parsers are fed with, and the guard that breaks a hang."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from hypothesis import strategies as st

MARKUP = '<img src=x onerror="alert(1)">'
LONGEST = 400_000  # characters: far more than any parser has use for
PATIENCE = 2.0  # seconds of processor time; what is promised is one, and the tests see a tenth

#: What has broken parsers before, here or elsewhere.
SNIPPETS = (
    MARKUP,
    "</script><script>alert(1)</script>",
    "&lt;b&gt;&#0;",
    "9" * 5_000,  # more digits than int() agrees to read
    "10*999999999",
    "999999999999",
    "-1",
    "+3",
    "1e400",
    "0x10",
    "1_0",
    "NaN",
    "²",  # a digit, and no number
    "٣",  # a decimal digit that int() reads
    "９*３",
    "İ",  # two characters when written small
    "ß",  # two when written large
    "ſ",  # an s when written large
    "K",  # the sign of Kelvin: a k when written small
    "а",  # Cyrillic
    "\0",
    "\ud800",  # half of a surrogate pair: it cannot be printed
    "\u202e",  # turns the direction of writing
    "\u2028",  # ends a line for some
    "\x85",
    "\x1b[2J",  # clears a terminal
    "\r\n",
    "/",
    ";",
    ",",
    '"',
    "\\",
    "%s%n",
    "{0.__class__}",
    "../../../etc/passwd",
    "[" * 50_000,
    '{"a":' * 5_000,
    "\U0001f3f0" * 3,
)

_LOOK_ALIKES = str.maketrans("aceo1360.*-/", "асео１３６０．＊‐⁄")
_TEXT = st.text(st.characters(), max_size=60)


def hostile(valid: Sequence[str]) -> st.SearchStrategy[str]:
    """Any text at all, valid text that was tampered with, and valid text."""
    return st.one_of(
        _TEXT,
        st.sampled_from(SNIPPETS),
        tampered(valid),
        tampered(valid),  # most of what is found is found here
        st.sampled_from(valid),
    )


@st.composite
def tampered(draw: st.DrawFn, valid: Sequence[str]) -> str:
    """Valid text after one to three mishaps."""
    text = draw(st.sampled_from(valid))
    for _ in range(draw(st.integers(1, 3))):
        text = draw(st.sampled_from(_MISHAPS))(draw, text, valid)[:LONGEST]
    return text


Mishap = Callable[[st.DrawFn, str, Sequence[str]], str]


def _part(draw: st.DrawFn, text: str) -> tuple[str, str, str]:
    start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    return text[:start], text[start:end], text[end:]


def _insert(draw: st.DrawFn, text: str, _: Sequence[str]) -> str:
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.sampled_from(SNIPPETS) | _TEXT) + text[at:]


def _replace(draw: st.DrawFn, text: str, _: Sequence[str]) -> str:
    """A word gives way: parsers split at spaces first."""
    words = text.split(" ")
    words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(SNIPPETS) | _TEXT)
    return " ".join(words)


def _cut(draw: st.DrawFn, text: str, _: Sequence[str]) -> str:
    before, _cut_out, after = _part(draw, text)
    return before + after


def _truncate(draw: st.DrawFn, text: str, _: Sequence[str]) -> str:
    return text[: draw(st.integers(0, len(text)))]


def _repeat(draw: st.DrawFn, text: str, _: Sequence[str]) -> str:
    before, part, after = _part(draw, text)
    times = draw(st.sampled_from((2, 3, 20, 1_000, 100_000)))
    return before + part * min(times, LONGEST // (len(part) or 1)) + after


def _swap(draw: st.DrawFn, text: str, _: Sequence[str]) -> str:
    before, part, after = _part(draw, text)
    return after + part + before


def _join(draw: st.DrawFn, text: str, valid: Sequence[str]) -> str:
    return text + draw(st.sampled_from((" ", "", "\n", "; "))) + draw(st.sampled_from(valid))


def _look_alike(draw: st.DrawFn, text: str, _: Sequence[str]) -> str:
    before, part, after = _part(draw, text)
    return before + part.translate(_LOOK_ALIKES) + after


def _other_case(draw: st.DrawFn, text: str, _: Sequence[str]) -> str:
    before, part, after = _part(draw, text)
    return before + part.swapcase() + after


_MISHAPS: tuple[Mishap, ...] = (
    _insert,
    _replace,
    _cut,
    _truncate,
    _repeat,
    _swap,
    _join,
    _look_alike,
    _other_case,
)


# JSON and TOML are well formed first and wrong only then, or little of a reader is ever reached.

_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    3,
    10**400,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "castell",
    [],
    {},
    [[]],
    [None],
    {"a": 1},
    *SNIPPETS[:33],
)


@st.composite
def edited_json(draw: st.DrawFn, valid: Sequence[str]) -> str:
    """A JSON text in which one value, wherever it is, has become another."""
    table = json.loads(draw(st.sampled_from(valid)))
    places = list(_places(table))
    holder, key = draw(st.sampled_from(places))
    change = draw(st.sampled_from(("replace", "replace", "remove", "add")))
    value = draw(st.sampled_from(_VALUES) | _TEXT)
    if change == "remove":
        del holder[key]
    elif change == "add" and isinstance(holder, dict):
        holder[draw(_TEXT)] = value
    else:
        holder[key] = value
    return json.dumps(table)


def _places(table: Any) -> Iterator[tuple[Any, Any]]:
    for key in table if isinstance(table, dict) else range(len(table)):
        yield table, key
        if isinstance(table[key], (dict, list)):
            yield from _places(table[key])


#: What TOML can say and JSON cannot; Python reads such a number, and refuses to write it.
_TOML = ("0x" + "f" * 5_000, "1979-05-27T07:32:00Z", "07:32:00", "inf", "{a = {b = [1]}}", "[[0]]")


@st.composite
def edited_toml(draw: st.DrawFn, valid: Sequence[str]) -> str:
    """A TOML text in which one line has another value, is gone, or comes twice."""
    lines = draw(st.sampled_from(valid)).splitlines()
    at = draw(st.integers(0, len(lines) - 1))
    key, sign, _ = lines[at].partition(" = ")
    value = draw(st.sampled_from(_TOML) | (st.sampled_from(_VALUES) | _TEXT).map(json.dumps))
    change = draw(st.sampled_from(("replace", "replace", "replace", "remove", "twice")))
    lines[at : at + 1] = {
        "replace": [f"{key}{sign}{value}" if sign else f"{draw(st.sampled_from(SNIPPETS))} = 1"],
        "remove": [],
        "twice": [lines[at]] * 2,
    }[change]
    return "\n".join(lines)


# The guard


class Hang(BaseException):
    """A parser did not come to an end. Nothing catches it by mistake."""


@contextmanager
def no_hang(seconds: float = PATIENCE) -> Iterator[Callable[[], float]]:
    """Break what computes for too long; yields how long it has computed so far.

    Processor time is counted, so a busy machine does no harm.
    """

    def give_up(*_: object) -> None:
        raise Hang(f"still computing after {seconds} s of processor time")

    start = time.process_time()
    if not hasattr(signal, "setitimer"):  # Windows has none
        yield lambda: time.process_time() - start
        return
    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield lambda: time.process_time() - start
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
