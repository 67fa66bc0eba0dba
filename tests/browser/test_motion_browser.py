"""Motion on a real page: seen in all five games, never in the way, and off for whoever wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from looking import box_of, text_box

from castlelab.widgets import RollAndDraw, SiteEditor

pytestmark = pytest.mark.browser

#: Writes down every motion: what moved and how, and where it was from frame to frame.
WATCH = """
window.motions = [];
const follow = (stage) => {
  const sprites = [...stage.querySelectorAll("[data-way]")];
  const seen = { ways: {}, places: sprites.map(() => new Set()), covers: 0, over: false };
  for (const sprite of sprites) {
    seen.ways[sprite.dataset.way] = (seen.ways[sprite.dataset.way] ?? 0) + 1;
  }
  seen.inert = getComputedStyle(stage).pointerEvents === "none" && stage.ariaHidden === "true";
  window.motions.push(seen);
  if (window.halt !== undefined) {
    for (const each of stage.getAnimations({ subtree: true })) {
      each.pause();
      each.currentTime = window.halt;
    }
  }
  const look = () => {
    sprites.forEach((sprite, n) => {
      if (!sprite.isConnected) return;
      const { transform, opacity } = getComputedStyle(sprite);
      seen.places[n].add(`${transform} ${opacity}`);
    });
    if (stage.isConnected) requestAnimationFrame(look);
    else seen.over = true;
  };
  look();
};
const watch = () => new MutationObserver((changes) => {
  for (const change of changes) {
    for (const node of change.addedNodes) {
      if (node.classList?.contains("castlelab-motion")) follow(node);
    }
  }
}).observe(document, { childList: true, subtree: true });
watch();
"""
TOLD = """(number) => {
  const seen = window.motions[number];
  return { ...seen, places: seen.places.map((places) => places.size) };
}"""
SITE = "....... / .#####. / .#...#. / .#...#. / .###.#. / ....... / ......."  # that of the page
BOARDS = ("castell", "castle_keep", "castle_rampage", "castlescape", "once_upon_a_castle")


class Stage:
    """The page with a board of each game."""

    def __init__(self, page: Any, url: str) -> None:
        self.page = page
        page.add_init_script(WATCH)
        page.goto(f"{url}/voila/render/pages/motion.ipynb")
        for number in range(len(BOARDS)):
            page.wait_for_function(
                "n => document.querySelectorAll('.castlelab-board')[n]?.dataset.castlelab",
                arg=number,
            )

    def board(self, game: str) -> Any:
        return self.page.locator(".castlelab-board").nth(BOARDS.index(game))

    def write(self, game: str, text: str) -> None:
        box = text_box(self.board(game))
        box.fill(text)
        box.press("Enter")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def click(self, game: str, x: float, y: float, width: float) -> None:
        """Click at a point of a picture of that width."""
        canvas = self.board(game).locator("> canvas")
        canvas.scroll_into_view_if_needed()
        shown = box_of(canvas)["width"] / width
        canvas.click(position={"x": x * shown, "y": y * shown})

    def motion(self, number: int) -> Mapping[str, Any]:
        """A motion, once it is over."""
        self.page.wait_for_function("n => window.motions[n]?.over", arg=number)
        told: Mapping[str, Any] = self.page.evaluate(TOLD, number)
        return told

    def count(self) -> int:
        return int(self.page.evaluate("window.motions.length"))

    def wait_for_words(self, game: str, words: str) -> None:
        self.board(game).locator(".castlelab-words", has_text=words).wait_for()


@pytest.fixture
def stage(open_page: Callable[..., Any], voila_server: Any) -> Stage:
    return Stage(open_page(reduced_motion="no-preference"), voila_server.url)


def has_moved(motion: Mapping[str, Any]) -> bool:
    """Whether it let clicks through, and everything was seen at several places."""
    return bool(motion["inert"]) and all(places > 2 for places in motion["places"])


def test_every_game_moves(stage: Stage) -> None:
    stage.write("castell", "10*2 9*2 5")
    built = stage.motion(0)
    assert built["ways"] == {"fly": 5, "wobble": 3}
    assert has_moved(built)
    stage.press("Check")
    fallen = stage.motion(1)
    assert fallen["ways"] == {"topple": 3}
    assert has_moved(fallen)

    stage.write("castle_keep", "attack WRZ 2.e")
    assert stage.motion(2)["ways"]["fall"] == 5
    assert has_moved(stage.motion(2))

    before = stage.count()
    stage.press("All steps")
    broken = stage.motion(before)
    assert broken["ways"]["fall"] == 4
    assert has_moved(broken)

    stage.write("castlescape", "wall e5")
    paved = stage.motion(before + 1)
    assert paved["ways"] == {"come": 1, "pave": 6}
    assert has_moved(paved)
    stage.write("castlescape", "leak c7")
    assert stage.motion(before + 2)["ways"]["walk"] == 1

    scene = RollAndDraw().board.scene
    stage.click("once_upon_a_castle", *scene.target("roll").centre, scene.width)
    rolled = stage.motion(before + 3)
    assert rolled["ways"] == {"tumble": 2}
    assert has_moved(rolled)


def test_a_click_in_the_middle_is_not_lost(stage: Stage) -> None:
    stage.page.evaluate("window.halt = 120")  # what moves stays in the middle
    stage.write("castlescape", "wall e5")
    stage.page.wait_for_function("window.motions.length === 1")
    assert stage.page.locator(".castlelab-motion").count() == 1
    scene = SiteEditor(SITE).board.scene
    stage.click("castlescape", *scene.target("d3").centre, scene.width)
    stage.wait_for_words("castlescape", "A wall on d3")
    stage.page.wait_for_function("window.motions.length === 2")
    assert stage.page.locator(".castlelab-motion").count() == 1  # the new one has cut the old


def test_nothing_moves_for_whoever_wants_less(
    open_page: Callable[..., Any], voila_server: Any
) -> None:
    still = Stage(open_page(), voila_server.url)
    still.write("castlescape", "wall e5")
    still.wait_for_words("castlescape", "e5")
    still.press("All steps")
    still.wait_for_words("castle_rampage", "held")
    assert still.count() == 0
