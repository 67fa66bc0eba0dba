"""Everything that is shown leaves a picture and a sentence behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

import castlelab
from castlelab import widgets
from castlelab.classroom import question
from castlelab.draw import svg
from castlelab.draw.scene import Rect, Scene, Text
from castlelab.draw.theme import DARK, LIGHT
from castlelab.games.castlescape.count import example
from castlelab.widgets.shown import VIEW, image_html, in_short

SCENE = Scene(60, 40, (Rect(5, 5, 20, 20, "accent"), Text(30, 15, "9")), title="It's <one>")


def plot() -> Any:
    @widgets.live_plot(n=(1, 9))
    def squares(axes: Any, n: int = 3) -> str:
        axes.plot([k * k for k in range(n)], "o")
        return f"{n} squares."

    return squares


def picture() -> Any:
    return widgets.live_picture(n=(1, 9))(lambda n=4: (example(n), f"{n} squares."))


def editor(code: str) -> Callable[[], Any]:
    return lambda: castlelab.puzzle(code).card().editor


#: One of each that leaves a picture, by the name under which it is found.
PICTURED: dict[str, Callable[[], Any]] = {
    "AttackStage": lambda: widgets.AttackStage(),
    "BoardWidget": lambda: widgets.BoardWidget(SCENE),
    "CastleEditor": lambda: widgets.CastleEditor("TRC -- -- / -- -- -- / -- -- --", "WRZ TRS"),
    "ChoiceCard": lambda: widgets.ChoiceCard("Which?", {"this": "Yes", "that": "No"}, "this"),
    "ClassView": lambda: widgets.ClassView(),
    "FigureCard": lambda: widgets.FigureCard("castlescape/fence"),
    "GameRoom": lambda: widgets.GameRoom(),
    "GameTable": lambda: widgets.GameTable("castle_keep", seed=5),
    "GuessCard": lambda: widgets.GuessCard("How many?", 4, because="", hint=""),
    "GuestGallery": lambda: widgets.GuestGallery(),
    "LabFront": lambda: widgets.LabFront("castlescape/fence"),
    "LastGuard": lambda: widgets.LastGuard(),
    "ProgressPanel": lambda: widgets.ProgressPanel(),
    "PuzzleCard": lambda: widgets.PuzzleCard("castell/spot-the-breach-1-3"),
    "PuzzleLadder": lambda: widgets.PuzzleLadder("castell"),
    "PuzzlePage": lambda: widgets.PuzzlePage(),
    "QuestionCard": lambda: widgets.QuestionCard(question("castell/spot-the-breach-1-3")),
    "RollAndDraw": lambda: widgets.RollAndDraw(),
    "SiteEditor": lambda: widgets.SiteEditor(),
    "SpotEditor": editor("castlescape/find-the-bailey-1-1"),
    "StackEditor": editor("castle_rampage/stack-well-1-1"),
    "TokenEditor": editor("once_upon_a_castle/complete-a-line-1-1"),
    "TowerEditor": lambda: widgets.TowerEditor("9*3 8*2 7"),
    "TurnEditor": editor("castle_rampage/lethal-1-1"),
    "WorksheetMaker": lambda: widgets.WorksheetMaker(),
    "live_picture": picture,
    "live_plot": plot,
    "show_pictures": lambda: widgets.show_pictures([example(1), example(2)]),
}
WORDS = {"show_games", "show_rules"}  # plain words, no widget
UNSEEN = {"BrowserStorage"}


def test_no_widget_is_forgotten() -> None:
    assert set(PICTURED) | WORDS | UNSEEN == set(widgets.__all__)


@pytest.mark.parametrize("name", PICTURED)
def test_it_answers_with_its_view_a_picture_in_both_themes_and_a_sentence(name: str) -> None:
    shown = PICTURED[name]()
    kind = getattr(widgets, name)
    assert not isinstance(kind, type) or isinstance(shown, kind)
    bundle = shown._repr_mimebundle_()
    assert set(bundle) == {VIEW, "image/svg+xml", "text/plain"}
    drawn, words = bundle["image/svg+xml"], bundle["text/plain"]
    ElementTree.fromstring(drawn)
    assert LIGHT["paper"] in drawn
    assert "prefers-color-scheme:dark" in drawn
    assert DARK["paper"] in drawn
    assert len(drawn) <= 32_000
    assert words[-1] in ".!?"
    assert len(words) < 300
    assert "(" not in words.partition(" ")[0], "no repr of a widget"


@pytest.mark.parametrize("name", ["PuzzleCard", "GuessCard", "live_plot"])
def test_the_view_and_what_is_left_of_it_are_two_outputs(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JupyterLab looks for the view first, and at nothing else of an output that has one."""
    sent: list[tuple[dict[str, Any], Any]] = []
    monkeypatch.setattr(
        "castlelab.widgets.shown.display", lambda data, raw, metadata: sent.append((data, metadata))
    )
    PICTURED[name]()._ipython_display_()
    (view, _), (left, about) = sent
    assert set(view) == {VIEW}
    assert set(left) == {"text/html", "image/svg+xml", "text/plain"}
    assert about == {"castlelab": "still"}
    # A question is words; everything else has its picture.
    assert left["text/html"].count("<img") == (name != "GuessCard")
    assert name != "GuessCard" or "How many?" in left["text/html"]


@pytest.mark.parametrize("name", ["PuzzleCard", "GuessCard", "ChoiceCard"])
def test_a_card_is_stood_in_for_by_the_parts_it_is_made_of(name: str) -> None:
    """Whatever takes the place of a card has its size, so that nothing below it moves."""
    card = PICTURED[name]()
    standin = card.standin()
    for part in card.children[1:]:
        for kind in set(part._dom_classes) & {"castlelab-bench", "castlelab-choices"}:
            assert f'class="{kind}"' in standin
    for kind in {"castlelab-puzzle", "castlelab-lesson", "castlelab-question"}:
        assert (kind in card._dom_classes) == (kind in standin.partition("><")[0])


@pytest.mark.parametrize(("name", "alive"), [("GuessCard", True), ("PuzzleCard", False)])
def test_a_card_is_alive_at_once_and_a_board_when_its_page_has_drawn_it(
    name: str, alive: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An export would have an empty frame in place of its picture."""
    monkeypatch.setattr("castlelab.widgets.shown.display", lambda *_, **__: None)
    shown = PICTURED[name]()
    shown._ipython_display_()
    assert f"castlelab-shown-{shown.model_id[:8]}" in shown._dom_classes
    assert ("castlelab-alive" in shown._dom_classes) == alive


def test_a_puzzle_is_shown_as_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr("castlelab.widgets.shown.display", lambda data, **_: sent.append(data))
    castlelab.puzzle("castell/spot-the-breach-1-3")._ipython_display_()
    assert [VIEW in data for data in sent] == [True, False]


def test_rules_are_words_that_need_no_widget_and_hardly_any_style() -> None:
    bundle = widgets.show_rules("castell/width")._repr_mimebundle_()[0]
    assert set(bundle) == {"text/html", "text/plain"}
    rule = castlelab.load("castell").rules["castell/width"]
    assert rule.text in bundle["text/plain"]
    assert rule.id in bundle["text/plain"]
    bare = re.sub(r"<style>.*?</style>", "", bundle["text/html"], flags=re.DOTALL)
    assert f"<strong>{rule.title}.</strong> {rule.text}" in bare
    assert len(bundle["text/html"]) - len(bare) < 1_000


def test_an_image_holds_its_picture_whatever_quotes_are_in_it() -> None:
    for drawn in (svg.still(SCENE), "<svg xmlns=\"http://www.w3.org/2000/svg\" id='a'/>"):
        found = re.search(r'src="data:image/svg\+xml,([^"]*)"', image_html(drawn, 'It\'s "this"'))
        assert found is not None
        ElementTree.fromstring(unquote(found[1]))
        assert not re.search(r'[<>#"]', found[1])


def test_a_short_text_is_two_sentences_at_most() -> None:
    assert in_short("One.") == "One."
    assert in_short("One. Two. Three. Four.") == "One. Two."
    assert in_short("") == ""
