"""Whatever is shown leaves a picture and a sentence behind: the one place where they are made.

A widget lives as long as its kernel. Then JupyterLab says "model not found" where it stood, and
it does so whatever else the output holds; an export has an empty frame there. So a widget is
shown in two outputs: first its view, and nothing else, then what it leaves behind. The style
sheet of the second shows whichever of them there is something to see in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Unpack
from urllib.parse import quote

import ipywidgets
from ipycanvas import Canvas
from IPython.display import display

from castlelab.draw import svg
from castlelab.draw.scene import Highlights, Scene

VIEW = "application/vnd.jupyter.widget-view+json"
_SENTENCES = 2  # that are left behind; the picture tells the rest


@dataclass(frozen=True, slots=True)
class Still:
    """What is left of something that was shown: an SVG document and a sentence or two."""

    svg: str
    words: str

    @staticmethod
    def of(scene: Scene, words: str = "", **highlights: Unpack[Highlights]) -> Still:
        """A picture with its own words, unless there are better ones."""
        told = words or f"{scene.title}. {scene.description}".strip(". ") + "."
        return Still(svg.still(scene, **highlights), in_short(told))

    @property
    def bundle(self) -> dict[str, str]:
        """What any reader of notebooks understands."""
        return {"image/svg+xml": self.svg, "text/plain": self.words}


def in_short(words: str) -> str:
    """The first two sentences.

    >>> in_short("One tower. Two towers. Three towers.")
    'One tower. Two towers.'
    """
    sentences = " ".join(words.split()).split(". ")
    told = ". ".join(sentences[:_SENTENCES])
    return told if len(sentences) <= _SENTENCES else f"{told}."


def image_html(picture: str, words: str, attributes: str = "") -> str:
    """An SVG document as an image, which no sanitiser of HTML takes away."""
    size, data = _size(picture), data_address(picture)
    return f'<img {size}{attributes} alt="{escape(words)}" src="{data}">'


def _size(picture: str) -> str:
    width, height = svg.size_of(picture)
    return f'width="{width:g}" height="{height:g}"'


def data_address(picture: str) -> str:
    """An SVG document as the address of an image."""
    if "'" not in picture:  # they need no escaping, and our own pictures have none
        picture = picture.replace('"', "'")
    return "data:image/svg+xml," + quote(picture, safe=" !$'()*+,-./:;=?@[]^_`{|}~")


def board_html(scene: Scene, words: str, said: str = "", **highlights: Unpack[Highlights]) -> str:
    """The picture of a board as large as the board will be, narrow pages included.

    The lines below a board have their room, too: nothing moves when the board takes its place.
    """
    below = (
        f'<div class="castlelab-companion"><div class="castlelab-words">'
        f'<p class="castlelab-where"></p>{said}</div></div>'
    )
    return f'<div class="castlelab-standin">{picture_html(scene, words, **highlights)}{below}</div>'


def picture_html(
    scene: Scene, words: str, *, bare: bool = False, **highlights: Unpack[Highlights]
) -> str:
    """A picture that is laid out for wide pages and for narrow ones."""
    wide, narrow = (
        svg.still(scene.fitted(is_narrow), bare=bare, **highlights) for is_narrow in (False, True)
    )
    (width, height), (least, high) = svg.size_of(wide), svg.size_of(narrow)
    look = (
        f"--width:{width:g}px;--ratio:{width / height:.4g};"
        f"--narrow-width:{least:g}px;--narrow-ratio:{least / high:.4g}"
    )
    image = image_html(wide, words, f' class="castlelab-picture" style="{look}"')
    if narrow != wide:
        address = data_address(narrow).replace(
            " ", "%20"
        )  # in a set of sources, a space ends an address
        source = f'<source media="(max-width: 700px)" {_size(narrow)} srcset="{address}">'
        image = f"<picture>{source}{image}</picture>"
    return image


class ShownBox(ipywidgets.VBox):  # type: ignore[misc]
    """Widgets below one another that leave a :class:`Still` behind."""

    @property
    def lesson(self) -> str:
        """What it is remembered by in somebody's progress; "" for what nobody solves."""
        return ""

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that it is remembered by, any of them, where it is no lesson."""
        return ()

    def still(self) -> Still:
        """What is left where there is no kernel."""
        raise NotImplementedError

    def standin(self) -> str:
        """HTML of the very size that the widget will have, for a page on which it is yet to come.

        "" where its picture is as large.
        """
        return ""

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The widget where there is a kernel, and its picture for every other reader."""
        return {**super()._repr_mimebundle_(**options), **self.still().bundle}

    def _ipython_display_(self) -> None:
        bundle = self._repr_mimebundle_()
        name = self.model_id[:8]
        self.add_class(f"castlelab-shown-{name}")
        if not any(_canvases(self)):  # a board is alive when it is drawn: only its page knows
            self.add_class("castlelab-alive")
        _publish({VIEW: bundle.pop(VIEW)})
        kept = self.standin() or image_html(bundle["image/svg+xml"], bundle["text/plain"])
        lesson = f' data-lesson="{escape(self.lesson)}"' if self.lesson else ""
        if self.questions:
            lesson += f' data-questions="{escape(json.dumps(self.questions, ensure_ascii=False))}"'
        kept = (
            f'<style>{_sheet(name)}</style><div class="castlelab-still-{name}"{lesson}>{kept}</div>'
        )
        _publish({**bundle, "text/html": kept}, castlelab="still")


def _publish(data: dict[str, Any], **metadata: str) -> None:
    display(data, raw=True, metadata=metadata)  # type: ignore[no-untyped-call]


def _canvases(widget: ipywidgets.Widget) -> Iterator[Canvas]:
    for part in getattr(widget, "children", ()):
        if isinstance(part, Canvas):
            yield part
        else:
            yield from _canvases(part)


@cache
def _style() -> str:
    text = (files(__package__) / "shown.css").read_text(encoding="utf-8")
    return text.partition("*/\n")[2].replace("\n", "")


def _sheet(name: str) -> str:
    return _style().replace("NAME", name)
