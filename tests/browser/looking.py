"""What browser tests ask of a page."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from castlelab.progress import Progress, Solve

#: Whether a canvas has next to nothing on it.
IS_BLANK = """canvas => {
  const {width, height} = canvas;
  const data = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  const colours = new Set();
  for (let at = 0; at < data.length; at += 397 * 4)
    colours.add(`${data[at]},${data[at + 1]},${data[at + 2]},${data[at + 3]}`);
  return colours.size < 3;
}"""


def turn_to(part: Any) -> Any:
    """Open the step in which a part of a page lies, as the contents do; returns the part."""
    part.evaluate(
        """node => {
          const step = node.closest('.castlelab-step');
          if (step && !step.matches('.castlelab-open')) location.hash = step.id;
        }"""
    )
    part.wait_for()
    return part


def box_of(part: Any) -> dict[str, float]:
    """Where a part of a page is, once it is seen: a picture stands in for a board at first."""
    part.wait_for()
    box: dict[str, float] = part.bounding_box()
    return box


def text_box(board: Any) -> Any:
    """Where one types at a board; a lesson and a table have it under More."""
    board.wait_for()
    box = board.locator("input[type=text]").first
    if not box.is_visible():
        around = " or ".join(
            f"contains(concat(' ', @class, ' '), ' castlelab-{name} ')"
            for name in ("lesson", "table")
        )
        card = board.locator(f"xpath=ancestor-or-self::*[{around}]").first
        card.get_by_role("button", name="More", exact=True).click()
    box.wait_for()
    return box


def steps_of(page: Any) -> list[str]:
    """The steps of a page as its address names them; [""] if it has none."""
    found = page.eval_on_selector_all(".castlelab-step", "all => all.map(one => '#' + one.id)")
    return list(found) or [""]


def strangers(context: Any, host: str) -> list[str]:
    """A list of what pages ask of others than a host, from now on: addresses, as they come."""
    asked: list[str] = []

    def note(address: str) -> None:
        parts = urlsplit(address)  # some, such as blob:, ask nobody
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != host:
            asked.append(address)

    context.on("request", lambda request: note(request.url))
    context.on("page", lambda page: page.on("websocket", lambda line: note(line.url)))
    for page in context.pages:
        page.on("websocket", lambda line: note(line.url))
    return asked


#: What a browser holds that has been at a castlelab without a base url.
OLD_PROGRESS = Progress().add(Solve("castell/tallest-1-42", "2026-05-17T09:30:00Z")).dumps()


def remember(page: Any, progress: str) -> None:
    """Let the browser of a page hold a progress, from the next visit on."""
    page.add_init_script(f"localStorage['castlelab-progress'] ??= {progress!r}")
