"""Boards enlarged, in the system's colours, on a page at 200 %; sounds that are asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from servers import Server, free_port, running

from castlelab.game import GAMES, load
from castlelab.record import Record
from castlelab.widgets.table.sitting import Sitting

pytestmark = pytest.mark.browser

HALF = {"width": 600, "height": 450}  # what is left of an ordinary window at 200 %
LEAST = 24  # pixels of a handle

#: Whether parts of the page stand out where only the system's colours are shown.
BARE = """() => [...document.querySelectorAll('.castlelab-table button, .castlelab-table input')]
  .filter(part => part.offsetWidth && !part.closest('.castlelab-log'))
  .filter(part => {
    const {borderTopWidth, borderTopStyle, textDecorationLine} = getComputedStyle(part);
    const bordered = parseFloat(borderTopWidth) > 0 && borderTopStyle !== 'none';
    const [ground, sign] = [getComputedStyle(part), getComputedStyle(part, '::before')];
    const isSign = part.matches('.castlelab-sign');
    const unseen = isSign && sign.backgroundColor === ground.backgroundColor;
    return unseen || (!bordered && textDecorationLine === 'none');
  }).map(part => part.outerHTML.slice(0, 120))"""
TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
#: Whether another thing of the picture than before has the focus, and is in the window.
IS_SEEN = """(before) => {
  const here = document.activeElement;
  const {left, top, width, height} = here.getBoundingClientRect();
  const [across, down] = [left + width / 2, top + height / 2];
  return here.matches('.castlelab-cell') && here.ariaLabel !== before
    && across > 0 && across < innerWidth && down > 0 && down < innerHeight;
}"""
COUNT_TONES = """() => {
  window.tones = [];
  const make = BaseAudioContext.prototype.createOscillator;
  BaseAudioContext.prototype.createOscillator = function () {
    const tone = make.call(this);
    window.tones.push(tone);
    return tone;
  };
}"""
SPARE = "() => 'castlelabAudio' in globalThis"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    command = [sys.executable, "-m", "castlelab", "serve", "--no-browser", "--port", str(port)]
    home = tmp_path_factory.mktemp("low-vision-home")
    with running(command, f"http://127.0.0.1:{port}", "/voila/static/", home, home) as server:
        yield server


def at_table(page: Any, site: Server, game: str) -> Any:
    query = Sitting(Record.start(load(game), 3), {}, True).query
    page.goto(f"{site.url}/voila/render/play.ipynb?{query}", timeout=90_000)
    page.wait_for_selector(".castlelab-board[data-castlelab=ready] canvas", timeout=90_000)
    return page.locator(".castlelab-table")


def width_of(canvas: Any) -> float:
    return float(canvas.evaluate("one => one.getBoundingClientRect().width"))


@pytest.mark.parametrize("game", [name for name in GAMES if name != "watchtower"])
def test_a_board_is_enlarged_in_the_colours_of_the_system_at_200_percent(
    game: str, open_page: Any, site: Server
) -> None:
    page = open_page(viewport=HALF, forced_colors="active")
    table = at_table(page, site, game)
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    assert page.evaluate(TOO_WIDE) <= 0
    assert page.evaluate(BARE) == []
    canvas = table.locator(".castlelab-board > canvas")
    canvas.focus()
    before = width_of(canvas)
    for _ in range(9):  # further than four times nothing grows
        page.keyboard.press("+")
    assert width_of(canvas) == pytest.approx(4 * before, rel=0.01)
    assert page.evaluate(TOO_WIDE) <= 0
    for key in ("End", "Home"):
        before_it = page.evaluate("document.activeElement.ariaLabel")
        page.keyboard.press(key)  # the focus is brought into what is seen
        page.wait_for_function(IS_SEEN, arg=before_it)
    seen = set()
    for way in ("Right", "Down", "Left", "Up"):
        page.keyboard.press(f"Shift+Arrow{way}")
        seen.add(canvas.evaluate("one => one.style.transform"))
    assert len(seen) > 2
    page.keyboard.press("0")
    assert width_of(canvas) == pytest.approx(before)
    table.get_by_role("button", name="More").click()
    table.get_by_role("button", name="Larger picture").first.click()
    assert width_of(canvas) == pytest.approx(1.5 * before, rel=0.01)
    as_text = table.get_by_role("button", name="Show as text")
    as_text.click()
    canvas.wait_for(state="hidden")
    assert table.locator(".castlelab-cell").first.inner_text()
    as_text.click()
    canvas.wait_for()
    assert not table.locator(".castlelab-cell").first.inner_text()


def test_a_board_is_silent_until_sounds_are_asked_for(open_page: Any, site: Server) -> None:
    page = open_page()
    page.add_init_script(f"({COUNT_TONES})()")
    table = at_table(page, site, "castle_keep")
    canvas = table.locator(".castlelab-board > canvas")
    switch = page.get_by_role("button", name="Sounds")
    assert switch.get_attribute("aria-pressed") == "false"

    def to_the_edge() -> None:
        canvas.focus()
        page.keyboard.press("Home")
        for _ in range(4):
            page.keyboard.press("ArrowUp")
        table.locator(".castlelab-where", has_text="Edge.").wait_for()

    to_the_edge()
    assert page.evaluate("tones.length") == 0
    assert not page.evaluate(SPARE)
    switch.click()
    assert switch.get_attribute("aria-pressed") == "true"
    to_the_edge()
    page.wait_for_function("() => tones.length > 0")
    assert page.evaluate("tones[0].type") == "square"
    page.reload()
    page.wait_for_selector(".castlelab-board[data-castlelab=ready] canvas", timeout=90_000)
    assert switch.get_attribute("aria-pressed") == "true"
    assert page.evaluate("tones.length") == 0  # nothing is heard because a page was opened


def test_handles_of_sliders_can_be_taken_hold_of(page: Any, site: Server) -> None:
    page.goto(f"{site.url}/voila/render/castell.ipynb", timeout=90_000)
    handle = page.locator(".noUi-handle").first
    handle.wait_for(state="attached", timeout=90_000)
    sizes = page.evaluate(
        """() => [...document.querySelectorAll('.noUi-handle')].map(handle => {
          const {width, height} = getComputedStyle(handle);
          return Math.min(parseFloat(width), parseFloat(height));
        })"""
    )
    assert min(sizes) >= LEAST
