"""Plots and pictures that follow sliders."""

import re
import subprocess
import sys

import pytest

from castlelab.games.castell import Tower
from castlelab.games.castlescape.count import example
from castlelab.rules import CastlelabError
from castlelab.widgets import GuessCard, live_picture, live_plot, show_pictures


def bars(axes, height=3, kind="plain"):
    axes.bar([1, 2], [1, height])
    axes.set(xlabel="levels", ylabel="towers")
    return f"{height} < 10 {kind} bars."


@pytest.fixture
def plot():
    made = live_plot(height=(1, 9), kind=["plain", "fancy"])(bars)
    made.draw()
    return made


def test_a_plot_shows_itself_with_its_words(plot):
    shown = plot._shown.value
    assert plot.words == "3 < 10 plain bars."
    assert shown.count("3 &lt; 10 plain bars.") == 2  # spoken as a label, and to be read
    assert 'role="img"' in shown
    assert "castlelab-news" in shown
    assert "levels</text>" in shown  # real words, not outlines


def test_a_plot_has_the_colours_of_the_page_and_no_names_that_occur_twice(plot):
    shown = plot._shown.value
    assert "currentColor" in shown
    assert "#010203" not in shown
    names = re.findall(r'id="([^"]+)"', shown)
    assert len(names) == len(set(names))
    assert not [name for name in names if name.endswith("_1")]
    svg = re.search(r"<svg[^>]*>", shown)[0]
    assert "viewBox" in svg
    assert " width=" not in svg


def test_a_slider_redraws_in_one_go(plot):
    changes = []
    plot._shown.observe(lambda change: changes.append(change["new"]), "value")
    plot._controls["height"].value = 7
    assert plot.words == "7 < 10 plain bars."
    plot.set(kind="fancy")
    assert plot.words == "7 < 10 fancy bars."
    assert len(changes) == 2


def test_a_drawing_is_remembered():
    drawn = []

    @live_plot(n=(1, 5))
    def counted(axes, n=1):
        drawn.append(n)
        return str(n)

    for n in (2, 1, 2, 3):
        counted.set(n=n)
    assert drawn == [2, 1, 3]


def test_nothing_is_drawn_before_somebody_looks():
    drawn = []

    @live_plot(n=(1, 5))
    def counted(axes, n=1):
        drawn.append(n)
        return str(n)

    card = GuessCard("?", 4, because="", hint="", then=counted)
    card.guess(3)
    assert not drawn
    card.guess(4)
    assert drawn == [1]
    other = live_plot(n=(1, 5))(lambda axes, n=2: drawn.append(n) or "two")
    assert not other._shown.value
    assert "application/vnd.jupyter.widget-view+json" in other._repr_mimebundle_()
    assert drawn == [1, 2]
    assert "two" in other._shown.value


def test_sliders_start_at_their_defaults_and_have_names():
    @live_plot(most_walls=(4, 20, 4), shape=["square", "line"])
    def drawing(axes, most_walls=8, shape="line"):
        return f"{most_walls} {shape}"

    slider, choice = drawing.children[0].children
    assert (slider.min, slider.max, slider.step, slider.value) == (4, 20, 4, 8)
    assert slider.description == "most walls"
    assert choice.value == "line"
    assert drawing.words == "8 line"


def test_what_goes_wrong_is_told_on_the_page(plot, caplog):
    @live_plot(n=(0, 5))
    def odd(axes, n=0):
        if n == 2:
            raise CastlelabError("two is <not> allowed")
        return f"{1 // (n - 1)}"

    odd.set(n=2)
    assert "This cannot be drawn: two is &lt;not&gt; allowed" in odd._shown.value
    assert not caplog.records
    odd.set(n=1)
    assert "This cannot be drawn" in odd._shown.value
    assert caplog.records
    odd.set(n=3)
    assert odd.words == "0"
    assert "cannot" not in odd._shown.value


def test_sliders_that_are_not_there_are_refused(plot):
    with pytest.raises(CastlelabError, match="no slider 'width'; there are height, kind"):
        plot.set(width=3)
    with pytest.raises(CastlelabError, match="no argument 'width'"):
        live_plot(width=(1, 2))(bars)
    with pytest.raises(CastlelabError, match="a slider goes from least to most"):
        live_plot(height=3)(bars)


def test_pictures_follow_sliders_too():
    @live_picture(squares=(1, 30))
    def bailey(squares=1):
        return example(squares), example(squares + 1), f"{squares} & more."

    bailey.set(squares=6)
    assert bailey._shown.value.count("<img") == 2
    assert "6 &amp; more." in bailey._shown.value


def test_pictures_stand_side_by_side():
    shown = show_pictures([example(1), example(2)], small=True).children[0].value
    assert shown.count("<img") == 2
    assert "castlelab-small" in shown
    assert "%3Ctext" not in shown, "letters could not be read"
    towers = show_pictures([Tower("10 7*2 2*2")]).children[0].value
    assert "%3Ctext" in towers
    assert '<source media="(max-width: 700px)"' in towers


def test_matplotlib_waits_for_the_first_plot():
    code = "import sys, castlelab.widgets; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
