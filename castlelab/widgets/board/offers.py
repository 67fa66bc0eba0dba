"""*Do this instead*: buttons for what the rules would allow where they have said no."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import Any

import ipywidgets

from castlelab.rules import Breach
from castlelab.widgets.controls import button

INSTEAD = "Do this instead"
_MOST = 3
_LONGEST = 60  # letters of a mend that fit on a button


def mends_of(breaches: Iterable[Breach]) -> tuple[Any, ...]:
    """All that would mend, each once: every mend is right as a whole."""
    return tuple(dict.fromkeys(mend for breach in breaches for mend in breach.mends))


def mend_words(mend: object) -> str:
    """What a button says that does it: the mend in notation, if that is short.

    >>> mend_words("move Valls"), mend_words(("c1", "c2")), mend_words("a board\\nof two lines")
    ('Do this instead: move Valls', 'Do this instead: c1, c2', 'Do this instead')
    """
    words = ", ".join(map(str, mend)) if isinstance(mend, tuple) else str(mend)
    return f"{INSTEAD}: {words}" if words.isprintable() and len(words) <= _LONGEST else INSTEAD


def offer_buttons(
    mends: Iterable[Any], act: Callable[[Any], object], tell: Callable[[str], object]
) -> tuple[ipywidgets.Button, ...]:
    """A button for each of the first mends; of several that look alike, one is enough."""
    named = {mend_words(mend): mend for mend in reversed([*islice(mends, _MOST)])}
    return tuple(button(words, partial(act, mend), tell) for words, mend in reversed(named.items()))
