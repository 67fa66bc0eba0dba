"""Plots and pictures that follow sliders, each with a sentence that says what is to be seen."""

from __future__ import annotations

import inspect
import io
import logging
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple, Protocol

import ipywidgets
from ipywidgets.widgets.widget_description import DescriptionStyle  # not among its public names
from ipywidgets.widgets.widget_int import SliderStyle

from castlelab.draw import svg
from castlelab.draw.card import card_scene
from castlelab.draw.layout import wordless
from castlelab.draw.scene import Scene
from castlelab.draw.svg import side_by_side
from castlelab.draw.theme import DARK, FONT, LIGHT
from castlelab.rules import CastlelabError, counted, quoted
from castlelab.system.packages import need
from castlelab.widgets.card.rule_card import html_card, status_html, style
from castlelab.widgets.controls import html, layout, row, shared_style
from castlelab.widgets.shown import ShownBox, Still, image_html, picture_html

_LOG = logging.getLogger(__name__)

#: Colours of marks that are told apart on light and on dark pages, and without colour sight.
INK, WARM, COOL = "#7d5ba6", "#c8641b", "#23877f"

_TEXT = "#010203"  # becomes the colour of the page's own text
_INCHES = (4.6, 2.9)  # small, so that words stay readable on a telephone
_DPI = 100  # of a plot that is kept
_NARROW = 99.0  # pixels: small pictures in a row, as in cards.css
_REMEMBERED = 128  # drawings of one plot
_PLOT_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "castlelab",  # the same plot is the same file
    "font.size": 12,
    "axes.prop_cycle": f"cycler('color', ['{INK}', '{WARM}', '{COOL}'])",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "errorbar.capsize": 2,
    "axes.labelcolor": _TEXT,
    "axes.edgecolor": _TEXT,
    **{f"{part}.color": _TEXT for part in ("text", "xtick", "ytick", "grid")},
}

Control = tuple[int, ...] | list[Any]  # (least, most), (least, most, step), or what to choose from
DrawFigure = Callable[..., str]


class FigureDrawn(NamedTuple):
    """A drawing as part of a page, as a document of its own, and its sentence."""

    html: str
    svg: str
    words: str
    is_row: bool = False  # of pictures, which the page lays out


class Picture(Protocol):
    """Whatever has a picture: a tower, a castle, a site, a puzzle, a game."""

    def picture(self) -> Scene: ...


class LiveFigure(ShownBox):
    """A drawing that follows its sliders. It changes in one go, so nothing flickers.

    ``set(n=5)`` moves a slider from Python; ``words`` is the sentence that belongs to the
    drawing. Drawings are remembered: going back to one costs nothing. Nothing is drawn before
    somebody looks.
    """

    def __init__(
        self,
        drawn: Callable[..., FigureDrawn],
        controls: Mapping[str, Control],
        draw: DrawFigure,
    ) -> None:
        self._controls = {
            name: _control(name, given, _default(draw, name)) for name, given in controls.items()
        }
        self._drawn = lru_cache(maxsize=_REMEMBERED)(
            lambda *values: drawn(draw, **dict(zip(controls, values, strict=True)))
        )
        self._shown = html()
        for control in self._controls.values():
            control.observe(lambda _: self.draw(), "value")
        self._words: str | None = None
        self._drawing = self._told = ""  # what was drawn last, and what was said of it
        self._row = ""  # the same where it is pictures in a row
        super().__init__(children=[row(*self._controls.values()), self._shown], layout=layout())
        self.add_class("castlelab-live")

    def set(self, **values: Any) -> None:
        """Move sliders, or choose."""
        for name, value in values.items():
            if name not in self._controls:
                known = ", ".join(self._controls)
                raise CastlelabError(f"there is no slider {quoted(name)}; there are {known}")
            self._controls[name].value = value

    @property
    def words(self) -> str:
        """What is to be seen, in a sentence."""
        if self._words is None:
            self.draw()
        return self._words or ""

    def still(self) -> Still:
        """The drawing over its sentence; or, if it cannot be drawn, why not."""
        self.draw()
        drawn = [self._drawing] if self._drawing else []
        return Still(side_by_side([*drawn, svg.still(card_scene("", more=self._told))]), self._told)

    def standin(self) -> str:
        """The picture with room for the sliders, which a narrow page stacks above it."""
        still = self.still()
        picture = self._row or image_html(still.bundle["image/svg+xml"], still.words)
        return (
            f'<div class="castlelab-figure" style="--sliders:{len(self._controls)}">{picture}</div>'
        )

    def draw(self) -> None:
        """Draw what the sliders say."""
        values = [control.value for control in self._controls.values()]
        try:
            drawing, self._drawing, self._words, is_row = self._drawn(*values)
        except Exception as error:  # ipywidgets would not show it
            if not isinstance(error, CastlelabError):
                _LOG.exception("a drawing failed")
            self._drawing = self._row = ""
            self._told = f"This cannot be drawn: {error}"
            self._shown.value = style() + status_html("wrong", self._told)
            return
        self._told = self._words
        told = f'<p class="castlelab-news">{escape(self._words)}</p>'
        shown = f'<div class="castlelab-drawing">{drawing}{told}</div>'
        self._row = shown if is_row else ""
        self._shown.value = style() + shown


def live_plot(**controls: Control) -> Callable[[DrawFigure], LiveFigure]:
    """Make a plot of a function that draws on matplotlib's axes and returns a sentence.

    Each further argument of the function is a slider, from its least to its most value, or a
    choice from a list; its default is where it starts.

    >>> @live_plot(n=(1, 9))
    ... def squares(axes, n=3):
    ...     axes.plot([k * k for k in range(n)])
    ...     return f"{n} squares."
    >>> squares.set(n=5)
    >>> squares.words
    '5 squares.'
    """
    return lambda draw: LiveFigure(_plotted, controls, draw)


def live_picture(**controls: Control) -> Callable[[Callable[..., Any]], LiveFigure]:
    """Make a live drawing of a function that returns pictures and, last, a sentence.

    >>> from castlelab.games.castlescape.count import example
    >>> @live_picture(squares=(1, 20))
    ... def bailey(squares=4):
    ...     return example(squares), f"{squares} squares."
    >>> bailey.words
    '4 squares.'
    """
    return lambda draw: LiveFigure(_pictured, controls, draw)


def _pictured(draw: Callable[..., Any], **values: Any) -> FigureDrawn:
    *pictures, words = draw(**values)
    scenes = [picture.picture() for picture in pictures]
    return FigureDrawn(_in_a_row(scenes), side_by_side(map(svg.still, scenes)), words, is_row=True)


class PictureRow(ShownBox):
    """Pictures side by side, on as many lines as they need."""

    def __init__(self, pictures: Iterable[Picture], small: bool = False) -> None:
        self._scenes = [_small(each.picture()) if small else each.picture() for each in pictures]
        self._each = _NARROW if small else math.inf
        self._row = _in_a_row(self._scenes, small)
        super().__init__(children=[html_card(self._row)], layout=layout())

    def still(self) -> Still:
        row = side_by_side(map(svg.still, self._scenes), each=self._each)
        return Still(row, f"{counted(len(self._scenes), 'picture')}.")

    def standin(self) -> str:
        """The pictures themselves, as the page lays them out."""
        return self._row


def show_pictures(pictures: Iterable[Picture], small: bool = False) -> PictureRow:
    """Pictures side by side, on as many lines as they need."""
    return PictureRow(pictures, small)


def _small(scene: Scene) -> Scene:
    """A picture without its letters, which would be too small to be read."""
    return replace(scene, shapes=tuple(wordless(scene.shapes)), narrow=None)


def _in_a_row(scenes: Sequence[Scene], small: bool = False) -> str:
    """Pictures that are laid out for wide pages and for narrow ones, light and dark as the page."""
    kind = "castlelab-pictures castlelab-small" if small else "castlelab-pictures"
    words = (f"{scene.title}. {scene.description}".strip(". ") for scene in scenes)
    shown = (picture_html(scene, told) for scene, told in zip(scenes, words, strict=True))
    return f'<div class="{kind}">{"".join(shown)}</div>'


def _plotted(draw: DrawFigure, **values: Any) -> FigureDrawn:
    # Here, because it takes a second or more and most pages have no plot.
    need("a plot", "matplotlib")
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_PLOT_STYLE):
        figure = Figure(figsize=_INCHES, layout="constrained")
        axes = figure.subplots()
        words = draw(axes, **values)
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_scale() == "log":
                axis.set_major_formatter("{x:,g}")  # exponents would be too small to be read
                axis.set_minor_formatter("")  # between powers of ten there is no room for words
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    plot = file.getvalue()
    return FigureDrawn(_inline(plot, words), _standalone(plot, words), words)


def _inline(plot: str, words: str) -> str:
    """A file of matplotlib as part of a page: our text colour, no names that occur twice."""
    found = plot[plot.index("<svg") :].replace(_TEXT, "currentColor")
    found = re.sub(r"<metadata>.*?</metadata>", "", found, flags=re.DOTALL)
    found = re.sub(r'<g id="[^"]*">', "<g>", found)
    found = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", found, count=1)
    found = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", found, count=1)
    label = escape(words, quote=True)
    return found.replace("<svg", f'<svg class="castlelab-plot" role="img" aria-label="{label}"', 1)


def _standalone(plot: str, words: str) -> str:
    """A file of matplotlib as a small picture of its own, which is light or dark as its reader is.

    Its styles become attributes, which more viewers understand, and its numbers short.
    """
    body = plot[plot.index(">", plot.index("<svg")) + 1 : plot.rindex("</svg>")]
    for pattern, instead in _SHORTER:
        body = re.sub(pattern, instead, body, flags=re.DOTALL)
    body = re.sub(r' style="([^"]*)"', lambda found: _as_attributes(found[1]), body)
    width, height = (_DPI * inches for inches in _INCHES)
    points = " ".join(f"{72 * inches:g}" for inches in _INCHES)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' viewBox="0 0 {points}" width="{width:g}" height="{height:g}" role="img"'
        f' font-family="{escape(FONT)}" color="{LIGHT["ink"]}" class="c-ink">'
        f"<title>{escape(words)}</title>"
        f"<style>@media(prefers-color-scheme:dark){{.c-ink{{color:{DARK['ink']}}}"
        f".f-paper{{fill:{DARK['paper']}}}}}</style>"
        f'<rect width="100%" height="100%" fill="{LIGHT["paper"]}" class="f-paper"/>{body}</svg>'
    )


_SHORTER = (
    (r"<metadata>.*?</metadata>|<!--.*?-->|<style.*?</style>", ""),
    (_TEXT, "currentColor"),
    (r'<g id="[^"]*">', "<g>"),
    (r"font: [^;\"]*?([\d.]+px) [^;\"]*", r"font-size: \1"),
    (r"font-family: [^;\"]*", ""),  # it is that of the whole picture
    (r"(\d\.\d\d)\d+", r"\1"),
    (r"\s+", " "),
    (r"(?<=>) | (?=<)", ""),
)


def _as_attributes(styles: str) -> str:
    """Styles as attributes.

    >>> _as_attributes("fill: none; stroke-width: 0.8")
    ' fill="none" stroke-width="0.8"'
    """
    pairs = (each.partition(":") for each in styles.split(";") if ":" in each)
    return "".join(f' {name.strip()}="{value.strip()}"' for name, _, value in pairs)


def _default(draw: Callable[..., Any], name: str) -> Any:
    parameter = inspect.signature(draw).parameters.get(name)
    if parameter is None:
        raise CastlelabError(f"the drawing has no argument {quoted(name)} for its slider")
    return None if parameter.default is inspect.Parameter.empty else parameter.default


def _control(name: str, given: Control, default: Any) -> ipywidgets.Widget:
    look = {"description": name.replace("_", " "), "layout": layout("slider")}
    if isinstance(given, list):
        value = given[0] if default is None else default
        wide = shared_style(DescriptionStyle, description_width="initial")
        return ipywidgets.Dropdown(options=given, value=value, style=wide, **look)
    if not isinstance(given, tuple) or len(given) not in (2, 3):
        raise CastlelabError(f"a slider goes from least to most, as (1, 9), not {quoted(given)}")
    least, most, step = (*given, 1)[:3]
    value = least if default is None else default
    wide = shared_style(SliderStyle, description_width="initial")
    return ipywidgets.IntSlider(value=value, min=least, max=most, step=step, style=wide, **look)
