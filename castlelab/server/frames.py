"""What comes in on a page's line, looked at before anybody trusts it.

Jupyter's parsers believe the counts that a message says of itself: eight bytes could make the
server count for ever. Here every count is held against the length of what really came.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass

LONGEST_FRAME = 8 << 20  # bytes: a pupil's progress of a million characters is half of it
_MOST_PARTS = 256  # a message of a widget has a part for each picture or file in it
_LONGEST_HEADER = 64 << 10  # bytes
_LONGEST_TEXT = 1 << 20  # characters of a message in the older format, which is read here
_FIRST_PARTS = 5  # channel, header, parent's header, metadata, content


class MalformedFrame(ValueError):
    """A message that is not what it says it is."""


def check_frame(frame: str | bytes, newer: bool) -> None:
    """Raise MalformedFrame unless a message can be parsed in a time that its length allows.

    >>> check_frame((10**8).to_bytes(8, "little"), newer=True)  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    castlelab.server.frames.MalformedFrame: it speaks of 99999999 parts, and 8 bytes cannot hold
    them
    """
    if newer:
        _check_newer(frame)
    elif isinstance(frame, bytes):
        _check_older(frame)
    else:
        _check_text(frame)


def _check_newer(frame: str | bytes) -> None:
    """The format v1.kernel.websocket.jupyter.org: how many offsets, the offsets, the parts."""
    if isinstance(frame, str):
        raise MalformedFrame("it is text, and bytes were agreed upon")
    count = int.from_bytes(frame[:8], "little")
    _check_count(frame, count - 1, _FIRST_PARTS, start=8 * (count + 1))
    offsets = struct.unpack_from(f"<{count}Q", frame, 8)
    _check_offsets(frame, offsets)
    if offsets[2] - offsets[1] > _LONGEST_HEADER:
        raise MalformedFrame(f"its header has more than {_LONGEST_HEADER} bytes")


def _check_older(frame: bytes) -> None:
    """The format for messages with buffers before that: the message, and then its buffers."""
    count = int.from_bytes(frame[:4], "big")
    _check_count(frame, count, 1, start=4 * (count + 1))
    offsets = struct.unpack_from(f"!{count}I", frame, 4)
    _check_offsets(frame, (*offsets, len(frame)))
    end = offsets[1] if count > 1 else len(frame)
    _check_text(frame[offsets[0] : end])


def _check_count(frame: bytes, parts: int, least: int, start: int) -> None:
    if start > len(frame):
        raise MalformedFrame(f"it speaks of {parts} parts, and {len(frame)} bytes cannot hold them")
    if not least <= parts <= _MOST_PARTS:
        raise MalformedFrame(f"it has {parts} parts, and may have {least} to {_MOST_PARTS}")


def _check_offsets(frame: bytes, offsets: tuple[int, ...]) -> None:
    ends = (*offsets, len(frame))
    if any(start > end for start, end in zip(offsets, ends[1:], strict=True)):
        raise MalformedFrame("its parts do not lie one after another within it")


def _check_text(text: str | bytes) -> None:
    if len(text) > _LONGEST_TEXT:
        raise MalformedFrame(f"it is longer than {_LONGEST_TEXT} characters")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedFrame(f"it is no JSON: {error}") from None
    header = message.get("header") if isinstance(message, dict) else None
    if not isinstance(header, dict) or not isinstance(header.get("msg_type"), str):
        raise MalformedFrame("it has no header that says what it is")


@dataclass
class RateLimit:
    """How much may come: so much at once, and so much a second from then on.

    >>> limit = RateLimit(burst=10, rate=2)
    >>> limit.spend(8, now=0), limit.spend(4, now=0.5), limit.spend(4, now=1)
    (True, False, True)
    """

    burst: float
    rate: float
    _spent: float = 0.0
    _since: float = 0.0

    def spend(self, amount: float, now: float) -> bool:
        """Take some of it, if there is enough left."""
        self._spent = max(0.0, self._spent - self.rate * (now - self._since))
        self._since = now
        if self._spent + amount > self.burst:
            return False
        self._spent += amount
        return True
