"""Lessons and whole games by somebody who hears the page and presses keys, and sees nothing.

What there is to decide with is what the page says: the accessibility tree, what its live regions
have spoken, and its title. No canvas is looked at, and no engine is asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from by_ear import PLAYERS, moves_in
from lesson_scripts import SCRIPTS
from looking import turn_to
from servers import Server

import castlelab
from castlelab.record import Record
from castlelab.widgets.table.sitting import Sitting

pytestmark = pytest.mark.browser

#: Two lessons of each game, by what they are called, and what they are built on or looked at.
LESSONS = {
    "castell": ("first-tower", "three-at-most"),
    "castle_keep": ("first-castle", "match"),
    "castle_rampage": ("stack-well-first", "ogre"),
    "castlescape": ("first-bailey", "three-walls"),
    "once_upon_a_castle": ("first-roll", "crossing"),
}
#: Where a whole game is played that the game's own page does not have from its first move.
ELSEWHERE = {"castlescape": (castlelab.load("castlescape", players=2, side=7), 11)}
#: What each whole game has to have in it, or it was only let go by.
DECISIONS = {
    "castell": {"enter", "move", "recruit", "train"},
    "castle_keep": {"build"},
    "castle_rampage": {"place"},
    "castlescape": {"claim", "play", "recruit", "wall"},
    "once_upon_a_castle": {"use"},
}
MOST_MOVES, MOST_REGIONS = 400, 30

#: Hears what a screen reader would speak by itself: each change of a live region, in order.
EAR = """() => {
  window.heard = [];
  const regions = "[role=status], [role=alert]";
  new MutationObserver((changes) => {
    const changed = changes.map(({ target }) => (target.closest ? target : target.parentElement)
      ?.closest(regions)).filter((region) => region?.innerText.trim());
    for (const region of new Set(changed)) window.heard.push(region.innerText.trim());
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
FOCUSED = """() => {
  const node = document.activeElement;
  return node.getAttribute("aria-label") ?? node.innerText;
}"""

#: What the region is called in which the focus is.
REGION = """() => {
  const at = document.activeElement.closest("[role=grid], [role=listbox], [role=group]");
  return at?.getAttribute("aria-label") ?? "";
}"""


class Listener:
    """Somebody with keys and a screen reader on a page."""

    def __init__(self, page: Any, site: Server) -> None:
        self.page, self.keys, self._site = page, page.keyboard, site

    def visit(self, notebook: str, query: str = "") -> None:
        """Open a page and wait for its boards."""
        page = self.page
        page.goto(f"{self._site.url}/voila/render/{notebook}.ipynb{query}", timeout=90_000)
        page.wait_for_selector(".castlelab-ready", timeout=90_000)
        page.wait_for_selector(".castlelab-board", state="attached", timeout=90_000)
        page.wait_for_function(
            "() => [...document.querySelectorAll('.castlelab-board')].every("
            "board => board.dataset.castlelab === 'ready')",
            timeout=90_000,
        )
        page.evaluate(EAR)

    @property
    def focused(self) -> str:
        """What the focus is on, as it is spoken."""
        return str(self.page.evaluate(FOCUSED))

    def go_round(self, start: Any) -> list[str]:
        """Press F6 from a part of a card until one is back; what the regions are called."""
        start.focus()
        begun, names = self.page.evaluate_handle("document.activeElement"), []
        for _ in range(MOST_REGIONS):
            self.keys.press("F6")
            names.append(str(self.page.evaluate(REGION)))
            if self.page.evaluate("begun => begun === document.activeElement", begun):
                return names
        raise AssertionError(f"F6 does not lead back: {names}")

    def open_and_close(self, button: Any) -> None:
        """Press what opens something, twice; it says each time whether that is open."""
        for expanded in ("true", "false"):
            button.focus()
            self.keys.press("Enter")
            button.and_(self.page.locator(f"[aria-expanded={expanded}]")).wait_for()

    def press(self, key: str) -> str:
        """Press a key and wait for what is spoken then."""
        before = self._heard
        self.keys.press(key)
        return self._spoken_after(before)

    def write(self, box: Any, text: str) -> str:
        """Write a line and wait for the answer, with which the line goes."""
        before = self._heard
        box.focus()
        self.keys.press("Control+a")
        self.keys.insert_text(text)
        self.keys.press("Enter")
        self.page.wait_for_function("box => box.value === ''", arg=box.element_handle())
        return self._spoken_after(before)

    @property
    def _heard(self) -> int:
        return int(self.page.evaluate("window.heard.length"))

    def _spoken_after(self, before: int) -> str:
        self.page.wait_for_function("before => window.heard.length > before", arg=before)
        return "\n".join(self.page.evaluate("before => window.heard.slice(before)", before))

    def go_to(self, board: Any, words: str) -> None:
        """Lead the cursor of the screen reader to a part of a board, by its spoken name."""
        named = re.compile(re.escape(words).replace(r"\?", ".") + r"(?!\w)")
        parts = board.get_by_role("option", name=named).or_(
            board.get_by_role("gridcell", name=named)
        )
        # It begins so: a name may hold the words of another one.
        for part in parts.all():
            if named.match(part.get_attribute("aria-label") or ""):
                part.focus()
                return
        raise AssertionError(f"nothing is called {words!r}: {board.aria_snapshot()}")


@pytest.fixture
def listen(open_page: Callable[..., Any], site: Server) -> Callable[[str], Listener]:
    def visit(notebook: str) -> Listener:
        listener = Listener(open_page(), site)
        listener.visit(notebook)
        return listener

    return visit


def board_of(page: Any, name: str) -> Any:
    """The twin of a lesson's board, by the name that it is heard by."""
    title = name.replace("-", " ").capitalize()
    return turn_to(page.locator(f'[role=group][aria-label^="{title}: "]').first)


def solve(listener: Listener, game: str, name: str) -> None:
    """Do what the words of a lesson say, then go on by N and press Check."""
    script = SCRIPTS[f"{game}/lesson-{name}"][0]
    board, before = board_of(listener.page, name), listener.page.evaluate("window.heard.length")
    regions = listener.go_round(board.locator(".castlelab-cell").first)
    assert all(regions), regions
    assert "Tools" in regions
    for words in script.picks:
        listener.go_to(board, words)
        said = listener.press("Enter")
    if script.button:
        listener.keys.press("n")
        assert listener.focused == script.button
        said = listener.press("Enter")
    if "Solved!" not in said:
        listener.page.wait_for_function("window.heard.join(' ').includes('Solved!')")
    heard = listener.page.evaluate("before => window.heard.slice(before)", before)
    assert sum(words.count("Solved!") for words in heard) == 1, heard


def is_over(page: Any) -> bool:
    """Whether the title says how the game has ended."""
    return not re.match(r"Your turn|.* is to move|.* is next", page.title())


def find_the_way(listener: Listener, table: Any, board: Any) -> None:
    """Hear what the parts of a table are called, and open what it has More of."""
    first = board.locator(".castlelab-cell").first
    table.get_by_role("heading", name="What happened").wait_for()
    regions = listener.go_round(first)
    assert all(regions), regions
    assert {"Tools", "What happened"} <= set(regions)
    listener.open_and_close(more := table.get_by_role("button", name="More", exact=True))
    more.press("Enter")
    for name in ("Look back", "Save or share"):
        listener.open_and_close(table.get_by_role("button", name=name))
    regions = listener.go_round(first)
    assert all(regions), regions
    assert {"Typing", "Moves, saving and help"} <= set(regions)


def whole_game(listener: Listener, game: str) -> Counter[str]:
    """Play a game to its end by what is told; how many moves of each kind it took."""
    page, decide = listener.page, PLAYERS[game]
    table = turn_to(page.locator(".castlelab-table").first)
    page.wait_for_function("() => document.title.startsWith('Your turn')")
    table.get_by_role("combobox", name="Bots’ moves").select_option("off")  # no need to watch them
    board = table.get_by_role("group").first
    board.locator(".castlelab-cell").first.focus()
    assert "help" in listener.press("?")
    find_the_way(listener, table, board)
    box = table.get_by_label("Type a move")
    box.wait_for()

    def ask(words: str) -> str:
        listener.write(box, words)
        return str(table.get_by_role("status").filter(has_text=re.compile(r"\S")).inner_text())

    made: Counter[str] = Counter()
    while made.total() < MOST_MOVES:
        told = ask("moves")
        moves = moves_in(told)
        assert moves, told
        move = decide(moves, ask)
        listener.write(box, move)
        made[move.split()[0]] += 1
        page.wait_for_function(
            "() => !/ is to move/.test(document.title)", timeout=60_000
        )  # the bot has played
        if is_over(page):
            return made
    raise AssertionError(f"{game} does not come to an end: {told}")


@pytest.mark.parametrize("game", LESSONS)
def test_two_lessons_and_a_game_are_played_by_ear(
    listen: Callable[..., Listener], game: str
) -> None:
    listener = listen(game)
    for name in LESSONS[game]:
        solve(listener, game, name)
    if game in ELSEWHERE:
        first_move = Record.start(*ELSEWHERE[game])
        listener.visit("play", f"?{Sitting(first_move, {1: 'greedy'}).query}")
    made = whole_game(listener, game)
    assert made.total() > 3
    assert made.keys() >= DECISIONS[game]
    assert listener.page.get_by_role("button", name="See the board").is_visible()
