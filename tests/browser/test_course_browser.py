"""A course as one walks it: one step at a time, each in its window, and nothing jumps."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from looking import steps_of
from servers import Server

from castlelab.game import GAMES

pytestmark = pytest.mark.browser

COURSES = (*GAMES, "counting")
PUZZLE = "puzzle.ipynb?code=castle_rampage/lethal-2-7"
SMALLEST = 11.8  # pixels of letters, which a canvas may round down from 12
MOST_WORDS = 1_500
WINDOW = {"width": 1280, "height": 800}
TELEPHONE = {"width": 400, "height": 800}
SHIFTS = """() => {
  window.shifted = 0;
  window.jumps = [];
  const named = (node) => node?.className ?? node?.parentElement?.className ?? node?.nodeName;
  const place = ({x, y, width, height}) => [x, y, width, height].map(Math.round).join(" ");
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
      window.shifted += entry.value;
      for (const {node, previousRect, currentRect} of entry.sources)
        window.jumps.push(`${named(node)}: ${place(previousRect)} > ${place(currentRect)}`);
    }
  }).observe({type: "layout-shift", buffered: true});
}"""
SEEN = "() => [...document.querySelectorAll('.castlelab-step')].filter(s => s.checkVisibility())"
OPEN = f"() => ({SEEN})().map(step => step.id)"
BROKEN = """() => [...document.querySelectorAll('.castlelab-picture')]
  .filter(picture => picture.checkVisibility() && !picture.naturalWidth).length"""
#: What boards began with is kept for paper soon after they have come to life.
ALL_ALIVE = "() => !document.querySelector('[class^=castlelab-still-]:not(:empty)')"
#: What is still to be pressed: the answers of a question are words to read, too.
PRESSED = """() => [...document.querySelectorAll('button, #castlelab-bar, #castlelab-rail')]
  .filter(part => part.checkVisibility()
    && !part.closest('.castlelab-choices, .castlelab-question, .castlelab-log'))
  .map(part => part.textContent)"""
PAPER = re.compile(rb"/Type /Page\b")
#: Writes down how large the letters are that are drawn on canvases, in pixels of each of them.
LETTERS = """
  window.letters = new WeakMap();
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (words, ...rest) {
    const { b, d } = this.getTransform();
    const size = parseFloat(this.font.match(/([\\d.]+)px/)[1]) * Math.hypot(b, d);
    const drawn = window.letters.get(this.canvas) ?? { width: 0 };
    // Another width is another picture.
    if (drawn.width !== this.canvas.width) Object.assign(drawn, { width: this.canvas.width, size });
    drawn.size = Math.min(drawn.size, size);
    window.letters.set(this.canvas, drawn);
    return write.call(this, words, ...rest);
  };
  const copy = CanvasRenderingContext2D.prototype.drawImage;
  CanvasRenderingContext2D.prototype.drawImage = function (from, ...rest) {
    if (window.letters.has(from)) window.letters.set(this.canvas, window.letters.get(from));
    return copy.call(this, from, ...rest);
  };
"""
#: What a reader of a step meets: how many words, and how small the smallest letters are. Buttons,
#: the way on, formulas and the state of a game are no reading; what is folded is its title.
READ = """async step => {
  location.hash = step;
  const open = () => document.querySelector('.castlelab-open.castlelab-step');
  while (step && `#${open()?.id}` !== step) await new Promise(requestAnimationFrame);
  const here = open();
  const letters = [...here.querySelectorAll('.castlelab-board > canvas')]
    .filter((canvas) => canvas.checkVisibility() && window.letters.has(canvas))
    .map((canvas) => window.letters.get(canvas).size * canvas.clientWidth / canvas.width);
  const apart = 'script, style, button, select, label, details > :not(summary), svg, '
    + '.castlelab-stage, .castlelab-ways-on, .castlelab-table, .castlelab-unseen, .castlelab-over, '
    + 'mjx-container';
  const unseen = (node) => getComputedStyle(node).clipPath.startsWith('inset(50%')
    || (node.parentElement !== here && unseen(node.parentElement));
  let words = 0;
  const texts = document.createTreeWalker(here, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const isSeen = range.getClientRects().length && !unseen(parentElement);
    if (!isSeen || parentElement.closest(apart)) continue;
    words += data.match(/\\p{L}[\\p{L}\\p{N}’'-]*/gu)?.length ?? 0;
    letters.push(parseFloat(getComputedStyle(parentElement).fontSize));
  }
  return [words, Math.min(...letters)];
}"""
#: How high a step is, and where the tools end of the lesson with which it begins.
HEIGHTS = """step => {
  location.hash = step;
  const tools = '.castlelab-open .castlelab-first-lesson .castlelab-tools';
  return new Promise((done) => setTimeout(() => done([
    document.documentElement.scrollHeight,
    [...document.querySelectorAll(tools)].find((row) => row.checkVisibility())
      ?.getBoundingClientRect().bottom ?? 0,
  ]), 60));
}"""


def ready(page: Any, site: Server, address: str) -> Any:
    page.goto(f"{site.url}/voila/render/{address}", timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    return page


def wait_until_open(page: Any, steps: list[str]) -> None:
    """These steps and no others: the page turns a moment after its address does."""
    page.wait_for_function(f"steps => `${{({OPEN})()}}` === `${{steps}}`", arg=steps)


def test_a_page_shows_one_step_and_every_way_leads_to_another(
    open_page: Callable[..., Any], site: Server
) -> None:
    page = ready(open_page(viewport=WINDOW), site, "castell.ipynb")
    steps = [step[1:] for step in steps_of(page)]
    wait_until_open(page, steps[:1])
    page.locator(".castlelab-step.castlelab-open .castlelab-way-on").click()
    page.wait_for_url(f"**/castell.ipynb#{steps[1]}")
    wait_until_open(page, steps[1:2])
    rail = page.locator("#castlelab-rail")
    rail.get_by_role("link", name="Fewer on top").click()
    wait_until_open(page, ["fewer-on-top"])
    assert "Fewer on top" in page.title()
    page.go_back()
    wait_until_open(page, steps[1:2])
    page.reload()
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    wait_until_open(page, steps[1:2])
    rail.get_by_role("link", name="Festivals").click()
    wait_until_open(page, ["may-you-enter"])
    assert rail.locator("li li a:visible").all_inner_texts()[0] == "May you enter?"


def test_a_solved_lesson_has_its_dot_and_leads_to_the_next(
    open_page: Callable[..., Any], site: Server
) -> None:
    page = ready(open_page(viewport=WINDOW), site, "castell.ipynb#spot-the-breach")
    card = page.locator(".castlelab-step.castlelab-open .castlelab-lesson:visible")
    dot = page.locator("#castlelab-rail a[href='#spot-the-breach'] .castlelab-dot")
    assert "castlelab-dot-open" in dot.get_attribute("class")
    card.get_by_role("button", name="Level 2").click()
    next_one = card.get_by_role("button", name="Next", exact=True)
    next_one.wait_for()
    page.wait_for_function("() => document.activeElement.textContent === 'Next'")
    assert "castlelab-dot-solved" in dot.get_attribute("class")
    page.keyboard.press("Enter")
    page.wait_for_url("**#how-high")
    wait_until_open(page, ["how-high"])


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("name", [*COURSES, "welcome", "puzzle", PUZZLE])
def test_nothing_jumps_while_a_page_comes_alive(
    open_page: Callable[..., Any], site: Server, name: str, width: int
) -> None:
    page = open_page(viewport={"width": width, "height": 800})
    page.add_init_script(f"({SHIFTS})()")
    ready(page, site, name if "?" in name else f"{name}.ipynb")
    page.wait_for_timeout(700)  # what comes late would be a jump, too
    assert page.evaluate("window.shifted") < 0.02, page.evaluate("window.jumps.join('\\n')")


@pytest.mark.parametrize("name", COURSES)
def test_a_course_is_short_and_each_step_has_its_tools_in_the_window(
    open_page: Callable[..., Any], site: Server, name: str
) -> None:
    for window in (WINDOW, TELEPHONE):
        page = open_page(viewport=window)
        page.add_init_script(LETTERS)
        ready(page, site, f"{name}.ipynb")
        steps = steps_of(page)
        read = {step: page.evaluate(READ, step) for step in steps}
        assert {step: least for step, (_, least) in read.items() if least < SMALLEST} == {}
        assert sum(words for words, _ in read.values()) <= MOST_WORDS
        # What a table keeps in sight has come by now.
        heights = {step: page.evaluate(HEIGHTS, step) for step in steps}
        high = window["height"]
        assert {step: whole for step, (whole, _) in heights.items() if whole > 3 * high} == {}
        if window is WINDOW:  # whatever is to be done can be done without scrolling
            assert {step: tools for step, (_, tools) in heights.items() if tools > high} == {}


@pytest.mark.parametrize("name", GAMES)
def test_a_course_on_paper_is_whole_light_and_has_nothing_to_press(
    open_page: Callable[..., Any], site: Server, name: str
) -> None:
    page = ready(open_page(viewport=WINDOW, color_scheme="dark"), site, f"{name}.ipynb")
    page.wait_for_function(ALL_ALIVE)
    steps = steps_of(page)
    wait_until_open(page, [steps[0][1:]])
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    wait_until_open(page, [step[1:] for step in steps])
    lessons = page.locator(".castlelab-step .castlelab-lesson")
    page.wait_for_function(f"() => ({BROKEN})() === 0")
    assert page.evaluate(PRESSED) == []
    # A ladder has another board each time, and keeps no picture.
    boards = lessons.locator(".castlelab-board:has(> .castlelab-on-paper) > canvas")
    assert boards.count() > 8
    assert boards.locator("visible=true").count() == 0
    assert page.locator(".castlelab-rule").first.is_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme ?? ''") == ""
    assert len(PAPER.findall(page.pdf(format="A4"))) <= len(steps)


def test_a_board_that_keeps_no_picture_is_light_on_paper_too(
    open_page: Callable[..., Any], site: Server
) -> None:
    page = ready(open_page(viewport=WINDOW, color_scheme="dark"), site, PUZZLE)
    board = page.locator(".castlelab-drawn-dark > canvas:visible")
    look = "canvas => getComputedStyle(canvas).filter"
    assert board.evaluate(look) == "none"
    page.emulate_media(media="print", color_scheme="dark")
    assert board.evaluate(look).startswith("invert(1)")
    # Drawn anew for the light page, it needs no turning.
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    board.wait_for(state="detached")


@pytest.mark.parametrize("width", [400, 1280])
def test_without_scripts_the_words_and_the_pictures_are_there(
    open_page: Callable[..., Any], site: Server, width: int
) -> None:
    page = open_page(java_script_enabled=False, viewport={"width": width, "height": 800})
    page.goto(f"{site.url}/voila/render/castell.ipynb", timeout=90_000)
    assert page.locator(".castlelab-step:visible").count() > 20
    assert page.locator(".castlelab-step .castlelab-picture:visible").count() > 15
    assert page.evaluate(BROKEN) == 0
    assert page.locator(".castlelab-step").get_by_text("Fewer on top").first.is_visible()
