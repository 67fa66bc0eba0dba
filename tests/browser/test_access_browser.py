"""Every page for everybody: axe, words for pictures, keys alone, large, narrow, and at rest.

A page takes long to open, so each is opened once with each family of fonts, and all is asked
of it then.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from fonts import FAMILIES, OWN
from looking import IS_BLANK, steps_of
from servers import Server

pytestmark = pytest.mark.browser

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PAGES = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
BOTH_THEMES = ("welcome", "castell")  # whatever the pages share is on these two
SERIOUS = ("serious", "critical")
#: What leads somebody who listens astray all the same.
ASTRAY = ("empty-table-header",)

WIDE = {"width": 1100, "height": 900}
ZOOMED = {"width": 550, "height": 450}  # what is left of it at 200 %
NARROW = {"width": 400, "height": 800}

UNFINISHED = """() => {
  const blank = IS_BLANK;
  return document.body.innerText.includes('Loading widget')
    || [...document.querySelectorAll('.castlelab-board')].some(
      board => !board.hasAttribute('data-castlelab') || blank(board.querySelector('canvas')));
}""".replace("IS_BLANK", IS_BLANK)

#: Pictures that nothing is said about; what is hidden from a screen reader needs no words.
NAMELESS = """() => [...document.querySelectorAll('canvas, img, svg, [role=img]')].filter(
  picture => !picture.closest('[aria-hidden=true], svg *') && picture.checkVisibility()
    && !(picture.ariaLabel || picture.alt || picture.querySelector('title')?.textContent)
).map(picture => picture.outerHTML.slice(0, 200))"""

#: Controls that stick out of the window, unless what holds them can be scrolled to them.
CUT_OFF = """() => {
  const scrolls = node => {
    for (let at = node.parentElement; at && at !== document.body; at = at.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX)
          && at.scrollWidth > at.clientWidth) return true;
    return false;
  };
  const controls = 'a[href], button, input, select, textarea, canvas, [role=slider], svg, img';
  return [...document.querySelectorAll(controls)].filter(node => {
    const box = node.getBoundingClientRect();
    return box.width > 1 && node.checkVisibility({visibilityProperty: true})
      && !node.closest('.castlelab-skip, .castlelab-unseen, svg *')
      && (box.left < -1 || box.right > window.innerWidth + 1) && !scrolls(node);
  }).map(node => `${node.getBoundingClientRect().right} ${node.outerHTML.slice(0, 200)}`);
}"""

#: Boxes that can be scrolled though nothing that is seen sticks out of a window this wide. A list
#: of contents may be longer than its window.
SCROLLING = """() => [...document.querySelectorAll('body *')].filter(node => {
  const {overflowX, overflowY} = getComputedStyle(node);
  const scrolls = overflow => ['auto', 'scroll'].includes(overflow);
  return node.clientWidth && !node.matches('textarea, select, #castlelab-rail')
    && (scrolls(overflowX) && node.scrollWidth > node.clientWidth + 1
        || scrolls(overflowY) && node.scrollHeight > node.clientHeight + 1);
}).map(node => `${node.scrollWidth}×${node.scrollHeight} in ${node.clientWidth}×`
  + `${node.clientHeight} ${node.outerHTML.slice(0, 200)}`)"""

MOVING = """() => {
  const still = style => [style.transitionDuration, style.animationDuration].every(
      times => times.split(',').every(time => parseFloat(time) === 0))
    || style.transitionProperty === 'none' && style.animationName === 'none';
  const moving = [...document.querySelectorAll('*')].filter(node => {
    const style = getComputedStyle(node);
    return !still(style) || style.scrollBehavior === 'smooth';
  });
  return [...moving, ...document.getAnimations()].map(
    each => each.outerHTML?.slice(0, 200) ?? 'an animation');
}"""

#: Whether all boards have heard of the dark theme: their ink is light.
ALL_DARK = """() => [...document.querySelectorAll('.castlelab-board')].every(board => {
  const ink = getComputedStyle(board).getPropertyValue('--castlelab-ink').trim();
  return parseInt(ink.slice(1, 3), 16) > 128;
})"""

#: Notes every stop of the keyboard from now on. The last one that there is to reach:
LAST_STOP = """() => {
  window.stops = [];
  document.addEventListener('focusin', event => window.stops.push(event.target));
  document.activeElement.blur();
  window.scrollTo(0, 0);
  window.lastStop = [...document.querySelectorAll('a[href], button, input, select, textarea')]
    .filter(node => node.tabIndex >= 0 && !node.disabled && node.checkVisibility()).at(-1);
  return window.lastStop.outerHTML.slice(0, 200);
}"""
#: Ids that two things on the page have (plots bring their own), and labels that lead to nothing.
TWICE = """() => {
  const ids = [...document.querySelectorAll('[id]:not(svg *)')].map(node => node.id);
  const ends = [...document.querySelectorAll('label[for], [aria-describedby]')].map(
    node => node.getAttribute('for') ?? node.getAttribute('aria-describedby'));
  return [...ids.filter((id, at) => ids.indexOf(id) < at), ...ends.filter(id => !ids.includes(id))];
}"""

#: Live regions that have words in them.
SPEAKING = """() => [...document.querySelectorAll(
  '[aria-live]:not([aria-live=off]), [role=alert], [role=status], [role=log]'
)].filter(region => region.textContent.trim()).map(region => region.outerHTML.slice(0, 200))"""

#: How many times Tab stops.
STOPS = """() => [...document.querySelectorAll(
  'a[href], button, input, select, textarea, summary, [tabindex]'
)].filter(node => node.tabIndex >= 0 && !node.disabled
  && node.checkVisibility({visibilityProperty: true})).length"""
MOST_STOPS = 40

#: What axe cannot decide, and who does instead.
UNDECIDED = {
    "color-contrast": "words upon pictures: tests/draw/test_theme.py holds the contrast of inks",
}

STROKES = 40  # at a time; asking the page after each of them would take longer than the walk
MOST_STROKES = 1_600


#: All steps of a course at once: axe takes long to begin, whatever it is to look at.
ALL_STEPS = ".castlelab-chapter, .castlelab-step { display: block !important; }"
ASKED = {"resultTypes": ["violations", "incomplete"]}


def serious(page: Any) -> list[str]:
    """What axe finds or cannot decide, with the elements and what it says of them."""
    response = Axe().run(page, options=ASKED).response
    undecided = [each for each in response["incomplete"] if each["id"] not in UNDECIDED]
    return [
        f"{each['id']}: {node['html'][:200]}; {node['failureSummary']}"
        for each in [*response["violations"], *undecided]
        if each["impact"] in SERIOUS or each["id"] in ASTRAY
        for node in each["nodes"]
    ]


def fonts_in_use(page: Any) -> set[str]:
    """The families that the words of a page are really written in."""
    asked = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        asked.send(f"{domain}.enable")
    body = asked.send("DOM.getDocument")["root"]["nodeId"]
    words = {"nodeId": body, "selector": "h1, p, button, pre, code, math"}
    return {
        font["familyName"]
        for node in asked.send("DOM.querySelectorAll", words)["nodeIds"]
        for font in asked.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    }


def walk(page: Any) -> None:
    """Press Tab until the last control of the page has the focus; no stop may hold it."""
    last = page.evaluate(LAST_STOP)
    for done in range(STROKES, MOST_STROKES + 1, STROKES):
        for _ in range(STROKES):
            page.keyboard.press("Tab")
        if page.evaluate("window.stops.includes(window.lastStop)"):
            return
        reached = page.evaluate("window.stops.length")
        trap = page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        assert reached >= done - 2, f"the keyboard is trapped at {trap}"
    raise AssertionError(f"{MOST_STROKES} strokes did not lead to {last}")


def fits(page: Any, size: dict[str, int], steps: Iterable[str] = ("",)) -> None:
    page.set_viewport_size(size)
    page.wait_for_timeout(1000)  # boards are drawn anew
    for step in steps:
        turn(page, step)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], step
        assert page.evaluate(CUT_OFF) == [], f"{step} cut off in a window {size['width']} wide"


def turn(page: Any, step: str) -> None:
    """Open a step of a course, as its address does."""
    page.evaluate("step => { location.hash = step; }", step)
    page.wait_for_timeout(50)


BAD_PAGE = """<html lang="en"><title>Bad</title><main><h1>Bad</h1>
<svg width="20" height="20"><rect width="9" height="9"/></svg>
<p style="overflow: auto; height: 9px">Higher</p>
<button style="position: absolute; left: 380px; width: 90px; transition: left 1s">Cut off</button>
<input onkeydown="event.preventDefault()"><a href="#">The end</a></main></html>"""


def test_a_bad_page_would_be_found_out(open_page: Any) -> None:
    page = open_page(viewport=WIDE)
    page.set_content(BAD_PAGE)
    assert [found for found in serious(page) if found.startswith("label: <input")]
    assert len(page.evaluate(NAMELESS)) == 1
    assert len(page.evaluate(SCROLLING)) == 1
    assert len(page.evaluate(MOVING)) == 1
    with pytest.raises(AssertionError, match="trapped at <input"):
        walk(page)
    page.set_viewport_size(NARROW)
    assert len(page.evaluate(CUT_OFF)) == 1
    with pytest.raises(AssertionError):
        fits(page, NARROW)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_page_is_for_everybody(open_page: Any, site: Server, family: str, name: str) -> None:
    page = open_page(fonts=family, viewport=WIDE, reduced_motion="reduce")
    page.goto(f"{site.url}/voila/render/{name}.ipynb", timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    page.wait_for_function(f"!({UNFINISHED})()", timeout=90_000)
    assert family == OWN or {font.split()[0] for font in fonts_in_use(page)} == {family}
    if family == FAMILIES[0]:
        assert page.evaluate(SPEAKING) == [], "nothing has happened yet"
        assert page.evaluate(TWICE) == []
    steps = steps_of(page)
    steps = steps if family == FAMILIES[0] else steps[:4]
    for step in steps:
        turn(page, step)
        assert page.evaluate(SCROLLING) == [], step
        if family == FAMILIES[0]:  # what no letter can change is asked once
            assert page.evaluate(NAMELESS) == [], step
            assert page.evaluate(STOPS) <= MOST_STOPS, step
            if step in (steps[0], steps[-1]):
                assert page.evaluate(MOVING) == [], step
                walk(page)
    fits(page, ZOOMED, steps)
    fits(page, NARROW, steps)
    page.set_viewport_size(WIDE)
    page.add_style_tag(content=ALL_STEPS)
    page.wait_for_function(f"!({UNFINISHED})()")
    assert serious(page) == []
    if family == FAMILIES[0]:
        assert page.get_attribute("html", "lang") == "en"
        assert page.locator("h1").count() == 1
    if family == FAMILIES[0] and name in BOTH_THEMES:
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(f"({ALL_DARK})()")
        assert serious(page) == []
