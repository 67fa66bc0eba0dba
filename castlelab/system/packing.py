"""Text that travels in an address: packed into letters, digits, ``-`` and ``_``."""

from __future__ import annotations

import base64
import re
import zlib

from castlelab.rules import CastlelabError, quoted


def pack(text: str) -> str:
    """The text as a short code.

    >>> unpack(pack("a castle"), "word", longest=100, largest=100)
    'a castle'
    """
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(code: str, thing: str, *, longest: int, largest: int) -> str:
    """The text of a thing in a code of so many characters; unpacked it has at most so many bytes.

    Whatever is wrong with it is a ``CastlelabError``. A small code that grows without end is
    cut short.
    """
    if not isinstance(code, str) or len(code := code.strip()) > longest:
        raise CastlelabError(f"a code is a text of at most {longest} characters")
    if strange := re.search(r"[^A-Za-z0-9_-]", code):
        raise CastlelabError(
            f"a code has only letters, digits, '-' and '_', not {quoted(strange[0])}: "
            "copy the whole of it and nothing else"
        )
    unpacking = zlib.decompressobj()
    try:
        packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        text = unpacking.decompress(packed, largest)
        if unpacking.unconsumed_tail:
            raise CastlelabError(f"the code holds more than any {thing} can be")
        if not unpacking.eof or unpacking.unused_data:
            raise ValueError
        return text.decode()
    except CastlelabError:
        raise
    except (ValueError, zlib.error):
        raise CastlelabError("the code is damaged; perhaps its end was not copied") from None
