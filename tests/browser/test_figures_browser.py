"""The figures of the counting lab on its real page: guessed, handled, counted, proved.

Each is done by one hand: mouse, finger or keys, in turns; together they have done all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest
from figure_ways import WAYS
from looking import turn_to
from servers import Server
from test_lessons_browser import FOCUSED, HANDS, Bench, Hand, tab_to_button

from castlelab.counting import read_number
from castlelab.figures import AGES, handled_figures
from castlelab.widgets import FigureCard

pytestmark = pytest.mark.browser

AGE = 14  # of a visitor who has not told it
BY_HAND = list(zip(handled_figures(), cycle(HANDS), cycle((1280, 400)), strict=False))


@pytest.fixture
def lab(open_page: Callable[..., Any], site: Server) -> Callable[[int], Any]:
    def visit(width: int) -> Any:
        page = open_page(viewport={"width": width, "height": 1400}, has_touch=True)
        page.goto(f"{site.url}/voila/render/counting.ipynb", timeout=90_000)
        page.wait_for_selector(".castlelab-ready", timeout=90_000)
        return page

    return visit


def card_on(page: Any, question: str) -> Any:
    """The card of a figure, by its question; it stays the same when the question goes."""
    alive = page.locator(".castlelab-handled.castlelab-alive", has=page.get_by_text(question))
    asked = turn_to(alive.last)
    step = asked.evaluate("node => node.closest('.castlelab-step').id")
    return page.locator(f"#{step} .castlelab-handled").last


def handle(bench: Bench, way: str, pick: Hand) -> None:
    for target in way.split(", "):
        pick(bench, bench.here.scene.target(target).name)
        bench.wait_for_words()


#: Whether the focus is on an end of the line that says why.
AT_THE_LINE = "() => document.activeElement.matches('.castlelab-handled .castlelab-choices button')"


def tab_on(bench: Bench, words: str) -> None:
    """Press a button by keys, from wherever the focus has been led to."""
    while bench.page.evaluate(FOCUSED) != words:
        assert bench.page.evaluate(AT_THE_LINE), f"Tab never leads to {words!r}"
        bench.page.keyboard.press("Tab")
    bench.page.keyboard.press("Enter")


@pytest.mark.parametrize(("name", "hands", "width"), BY_HAND, ids=handled_figures())
def test_a_figure_is_guessed_handled_and_proved(
    lab: Callable[[int], Any], name: str, hands: tuple[Hand, Hand], width: int
) -> None:
    page, here = lab(width), FigureCard(name)
    pick, press = hands
    card = card_on(page, here.task.question)
    bench = Bench(page, card, here.editor.board)
    card.get_by_placeholder("a number").fill("1")
    card.get_by_placeholder("a number").press("Enter")
    card.get_by_text("You guessed 1.").wait_for()
    here.guess(read_number("1"))
    if here.editor.board.scene.width and width == 400:
        here.editor.board.fit(True)
    handle(bench, WAYS[name, AGE], pick)
    assert here.stage == "why"
    bench.told(here.task.because)
    page.wait_for_function(AT_THE_LINE)  # led there, with whatever hand
    (tab_on if press is tab_to_button else press)(bench, here.task.why.right)
    bench.told(here.task.proof[-1])
    page.wait_for_function(
        "id => document.querySelector(`#castlelab-rail a[href='#${id}'] .castlelab-dot-solved`)"
        " || document.querySelector('.castlelab-dots .castlelab-dot-solved')",
        arg=page.evaluate("location.hash.slice(1)"),
    )


def test_the_age_that_is_chosen_on_the_front_is_kept(lab: Callable[[int], Any]) -> None:
    page = lab(1280)
    questions = {age: FigureCard("castlescape/fence").figure.tasks[age].question for age in AGES}
    assert page.get_by_text(questions[AGE]).count()
    page.get_by_role("button", name="11+").click()
    page.get_by_text(questions[11]).first.wait_for(state="attached")
    page.reload()
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    page.get_by_text(questions[11]).first.wait_for(state="attached")


def test_a_figure_can_be_printed_as_it_lies(lab: Callable[[int], Any]) -> None:
    page = lab(1280)
    card = card_on(page, FigureCard("castlescape/fence").task.question)
    card.get_by_role("button", name="More", exact=True).click()
    with page.expect_popup() as opened:
        card.get_by_role("button", name="Picture to print").click()
    assert opened.value.locator("svg").count()
