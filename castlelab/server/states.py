"""The states of a page's boards, as the page carries them: what is alike in many is sent once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

_END_OF_STYLE = "</style>"
_WORTH_WHILE = 200  # characters; what is shorter is left where it is


def shared(states: Mapping[str, Any]) -> str:
    """States as JSON, in which texts that occur more than once are numbered.

    Every board brings its program, every card its style. Packing finds no likeness that far apart,
    and a browser would read each anew.

    >>> style = "<style>" + 200 * " " + "</style>"
    >>> card = lambda words: {"state": {"value": style + words}}
    >>> packed = json.loads(shared({"a": card("A card"), "b": card("Another")}))
    >>> packed["states"]["b"]["state"]["value"]
    {'texts': [0, 'Another']}
    >>> packed["texts"] == [style]
    True
    """
    counts = Counter(
        part
        for model in states.values()
        for value in model["state"].values()
        if isinstance(value, str)
        for part in _parts(value)
    )
    found = [part for part, count in counts.items() if count > 1 and len(part) >= _WORTH_WHILE]
    numbers = {part: number for number, part in enumerate(found)}

    def told(value: Any) -> Any:
        if not isinstance(value, str) or not numbers.keys() & set(parts := tuple(_parts(value))):
            return value
        return {"texts": [numbers.get(part, part) for part in parts]}

    models = {
        name: {**model, "state": {key: told(value) for key, value in model["state"].items()}}
        for name, model in states.items()
    }
    return json.dumps({"texts": found, "states": models}, separators=(",", ":"))


def _parts(text: str) -> Iterator[str]:
    """A text in two, after the style it begins with."""
    style, end, rest = text.partition(_END_OF_STYLE)
    yield from filter(None, (style + end, rest))
