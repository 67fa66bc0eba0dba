"""Lessons on the real pages, done as their words say: with a mouse, with a finger, with keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from hands import keys_to
from lesson_scripts import SCRIPTS, TRIALS, Trial, named
from looking import box_of, turn_to
from servers import Server

from castlelab.game import GAMES
from castlelab.games.castlescape import Board as SiteBoard
from castlelab.puzzles import puzzle
from castlelab.rules import by_title
from castlelab.widgets import RollAndDraw, SiteEditor
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.card.puzzle_card import PuzzleCard

pytestmark = pytest.mark.browser

FINGER = 40  # pixels

#: At least one lesson for each kind of editor, the first of each page among them.
BUILT = {
    "castell": ("first-tower", "three-at-most"),
    "castle_keep": ("first-castle",),
    "castle_rampage": ("stack-well-first", "ogre"),
    "castlescape": ("first-bailey", "three-walls", "inspection"),
    "once_upon_a_castle": ("first-roll",),
}
#: Questions that the picture answers, one for each hand.
POINTED_AT = {"once_upon_a_castle": ("crossing", "tower-value", "flags-need-walls")}
#: Boards without a task, by what they are called on the page.
TRIED: dict[str, dict[str, partial[Any]]] = {
    "castlescape": {"Site editor": partial(SiteEditor, SiteBoard.start(9))},
    "once_upon_a_castle": {"Your sheet": partial(RollAndDraw, seed=4)},
}
SAYS = """([card, words]) => {
  const lines = [...card.querySelectorAll(".castlelab-said p")];
  return lines.map((line) => line.textContent).join("\\n") === words;
}"""
FOCUSED = "() => (document.activeElement.innerText || '').trim()"


class Bench:
    """A board on a page, and the same one here: what to point at, and what is to be said."""

    def __init__(self, page: Any, part: Any, here: BoardWidget) -> None:
        self.page, self.part, self.here = page, part, here
        self.canvas = turn_to(part.locator("canvas.lm-Widget").first)

    def place(self, words: str) -> dict[str, float]:
        """Where on the canvas, as wide as it is shown, lies what is called so."""
        x, y = named(self.here.scene, words).centre
        shown = box_of(self.canvas)["width"] / self.here.scene.width
        return {"x": x * shown, "y": y * shown}

    def wait_for_words(self) -> None:
        """The page says what is said here."""
        self.page.wait_for_function(
            SAYS, arg=[self.part.element_handle(), by_title(self.here.said)]
        )

    def told(self, words: str) -> None:
        """The card below the board says it."""
        self.part.locator(".castlelab-told").get_by_text(words).wait_for()


def lesson_on(page: Any, game: str, name: str) -> Bench:
    card = PuzzleCard(import_module(f"castlelab.games.{game}.lessons").lesson(name))
    prompt = page.get_by_text(card.puzzle.prompt, exact=True)
    part = page.locator(".castlelab-lesson", has=prompt).first
    return Bench(page, part, card.board if card.editor is None else card.editor.board)


Hand = Callable[[Bench, str], None]


def click(bench: Bench, words: str) -> None:
    bench.canvas.click(position=bench.place(words), force=True)
    bench.here.pick(named(bench.here.scene, words).id)


def tap(bench: Bench, words: str) -> None:
    bench.canvas.tap(position=bench.place(words), force=True)
    bench.here.pick(named(bench.here.scene, words).id)


#: Tab goes through all parts of a board, and a hand on the keys begins where it has come to.
BEGIN = """(board, spot) =>
  [...board.querySelectorAll(".castlelab-cell")].find((cell) => cell.spot === spot).focus()"""


def type_keys(bench: Bench, words: str) -> None:
    ids = [target.id for target in bench.here.scene.targets]
    start = ids.index(bench.here.focus) if bench.here.focus else 0
    bench.part.locator(".castlelab-twin").first.evaluate(BEGIN, start)
    for key in (*keys_to(bench.here, named(bench.here.scene, words).id), "Enter"):
        bench.page.keyboard.press(key)
        bench.here.press(key)


def click_button(bench: Bench, words: str) -> None:
    bench.part.get_by_role("button", name=words, exact=True).click()


def tap_button(bench: Bench, words: str) -> None:
    bench.part.get_by_role("button", name=words, exact=True).tap()


def tab_to_button(bench: Bench, words: str) -> None:
    bench.canvas.focus()
    for _ in range(20):
        bench.page.keyboard.press("Tab")
        if bench.page.evaluate(FOCUSED) == words:
            bench.page.keyboard.press("Enter")
            return
    raise AssertionError(f"Tab never leads to {words!r}")


HANDS: tuple[tuple[Hand, Hand], ...] = (
    (click, click_button),
    (tap, tap_button),
    (type_keys, tab_to_button),
)


def follow(bench: Bench, picks: tuple[str, ...], pick: Hand) -> None:
    """Do what the words say, step by step."""
    for words in picks:
        pick(bench, words)
        bench.wait_for_words()


def take_all_back(bench: Bench) -> None:
    """Undo until the board is as it was."""
    bench.canvas.focus()
    while bench.here.can_undo:
        bench.page.keyboard.press("u")
        bench.here.press("u")
    bench.wait_for_words()


@pytest.fixture
def visit(open_page: Callable[..., Any], site: Server) -> Callable[[str], Any]:
    def visit_game(game: str) -> Any:
        page = open_page(has_touch=True)
        page.goto(f"{site.url}/voila/render/{game}.ipynb", timeout=90_000)
        page.wait_for_selector(".castlelab-ready", timeout=90_000)
        return page

    return visit_game


def solve_by_each_hand(page: Any, game: str, name: str) -> None:
    script = SCRIPTS[f"{game}/lesson-{name}"][0]
    lesson = lesson_on(page, game, name)
    for number, (pick, press) in enumerate(HANDS):
        if number:
            take_all_back(lesson)
            press(lesson, script.button)
            lesson.told("Not yet.")
        follow(lesson, script.picks, pick)
        press(lesson, script.button)
        lesson.told("Solved!")


def point_at_the_answer(page: Any, game: str, name: str, pick: Hand) -> None:
    lesson = lesson_on(page, game, name)
    for words in SCRIPTS[f"{game}/lesson-{name}"][0].picks:
        pick(lesson, words)
    lesson.told("Solved!")


def try_with_each_hand(page: Any, label: str, trial: Trial, here: BoardWidget) -> None:
    twin = page.locator(f'.castlelab-twin[aria-label="{label}"]')
    bench = Bench(page, page.locator(".castlelab-board", has=twin), here)
    for number, (pick, _) in enumerate(HANDS):
        if number:
            take_all_back(bench)
        follow(bench, trial.picks, pick)
        assert trial.then in here.said


@pytest.mark.parametrize("game", BUILT)
def test_what_a_page_says_is_done_by_mouse_touch_and_keys(
    visit: Callable[[str], Any], game: str
) -> None:
    page = visit(game)
    for name in BUILT[game]:
        solve_by_each_hand(page, game, name)
    for name, (pick, _) in zip(POINTED_AT.get(game, ()), HANDS, strict=False):
        point_at_the_answer(page, game, name, pick)
    for label, make in TRIED.get(game, {}).items():
        (trial,) = (trial for trial in TRIALS if trial.made.startswith(make.func.__name__))
        try_with_each_hand(page, label, trial, make().board)


#: Whatever is to be touched is brought to the middle of the window first, as people do.
TO_THE_MIDDLE = "(part, y) => scrollBy(0, part.getBoundingClientRect().top + y - innerHeight / 2)"


def touch(bench: Bench, words: str) -> None:
    """Tap what is called so with a finger, which it is large enough for."""
    target = named(bench.here.scene, words)
    bench.canvas.evaluate(TO_THE_MIDDLE, bench.place(words)["y"])
    at, box = bench.place(words), box_of(bench.canvas)
    size = min(target.width, target.height) * box["width"] / bench.here.scene.width
    assert size >= FINGER - 0.5, target.name
    bench.page.touchscreen.tap(box["x"] + at["x"], box["y"] + at["y"])
    bench.here.pick(target.id)


@pytest.mark.parametrize("game", GAMES)
def test_a_chapter_is_walked_with_a_finger(
    open_page: Callable[..., Any], site: Server, game: str
) -> None:
    """Each lesson leads on to the next one, and the last to the next chapter."""
    page = open_page(viewport={"width": 400, "height": 800}, has_touch=True)
    page.goto(f"{site.url}/voila/render/{game}.ipynb", timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    opened = page.locator(".castlelab-step.castlelab-open")
    steps = page.locator(".castlelab-chapter").first.locator(".castlelab-step").count()
    walked = []
    for _ in range(steps):
        codes = opened.locator("[data-lesson]").evaluate_all(
            """all => all.filter(one => !one.closest('.castlelab-jupyter'))
              .map(one => one.dataset.lesson)"""
        )
        for code in codes:
            if code not in SCRIPTS:
                continue
            card = PuzzleCard(puzzle(code))
            card.fit(True)
            name = opened.locator(f"[data-lesson='{code}']").get_attribute("class")
            part = page.locator(f".{name.replace('still', 'shown')}")
            lesson = Bench(page, part, card._shown_board)
            script = SCRIPTS[code][0]
            for words in script.picks:
                touch(lesson, words)
                if script.button:
                    lesson.wait_for_words()
            if script.button:
                tap_button(lesson, script.button)
            lesson.told("Solved!")
            walked.append(code)
        here = opened.get_attribute("id")
        onward = opened.get_by_role("button", name="Next", exact=True)
        (onward.last if codes and onward.count() else opened.locator(".castlelab-way-on")).tap()
        page.wait_for_function("was => !document.getElementById(was).checkVisibility()", arg=here)
    assert len(walked) >= 4
    assert "castlelab-open" in page.locator(".castlelab-chapter").nth(1).get_attribute("class")
