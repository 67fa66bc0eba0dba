"""A text that stays in the visitor's own browser, and the address that the visitor came by."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from castlelab.rules import CastlelabError
from castlelab.widgets.controls import layout

LONGEST_KEPT = 1_000_000  # characters that are kept
LONGEST_QUERY = 16_000

_LOG = logging.getLogger(__name__)

TextChange = Callable[[str], str]


class BrowserStorage(anywidget.AnyWidget):
    """Keeps a text under a key, in this tab or in the whole browser; nothing of it is seen.

    Behind a JupyterHub, or any base url, the page stores it apart from what it keeps elsewhere.

    A kernel may have run its cells before the visitor came. So nothing is known until the page
    tells it and ``ready`` turns true; give what depends on it to :meth:`on_ready`.

    >>> storage = BrowserStorage(key="castlelab-example", where="tab")
    >>> storage.on_ready(lambda: print(storage.query, storage.kept))

    Set ``kept`` and the page stores it; another tab or storage stores something, and ``kept``
    becomes that. Set ``query`` and the address shows it. Both come from outside: whoever reads
    them must expect anything but great length.
    """

    _esm = (files(__package__) / "storage.js").read_text(encoding="utf-8")

    key = traitlets.Unicode().tag(sync=True)
    where = traitlets.Enum(("tab", "browser"), "browser").tag(sync=True)
    # On Binder everybody gets a new address each time; only the browser knows them again.
    nameless = traitlets.Bool().tag(sync=True)
    # These travel by messages: see storage.js.
    kept = traitlets.Unicode()
    query = traitlets.Unicode()
    narrow = traitlets.Bool(False)  # the page, when it came
    ready = traitlets.Bool(False)
    trouble = traitlets.Unicode()  # why the browser stores nothing; all else works

    def __init__(self, key: str, where: str = "browser") -> None:
        if not key:
            raise CastlelabError("a storage needs a key, a name for what it keeps")
        self._stored = ""  # what the page has said it has
        self._expected = ""  # what it has once it has done all that it was asked
        self._changes: list[TextChange] = []  # that it has not said it has stored
        self._number = 0  # of the last time that it was asked
        self._waiting: list[Callable[[], object]] = []
        self._has_page = False
        # What was set here rather than by a user of the storage, who means to change something.
        self._settled = ""
        self._address = ""
        nameless = "BINDER_LAUNCH_HOST" in os.environ
        super().__init__(key=key, where=where, nameless=nameless, layout=layout("unseen"))
        self.on_msg(self._hear)
        self.observe(self._kept_was_set, "kept")
        self.observe(self._query_was_set, "query")

    def on_ready(self, callback: Callable[[], object]) -> None:
        """Call once the page has told what it keeps: now, if it has."""
        if self.ready:
            self._call(callback)
        else:
            self._waiting.append(callback)

    def change(self, change: TextChange) -> None:
        """Change what is kept, and lose nothing that another tab stores at the same time.

        ``change`` turns what is stored into what shall be. It is asked again whenever somebody
        else was quicker, so doing it twice must be the same as doing it once.
        """
        self._changes.append(change)
        try:
            self._store()
        except Exception:
            self._changes.remove(change)  # or it would spoil every later one
            raise

    # What goes to the page

    @traitlets.validate("kept")
    def _bounded(self, proposal: dict[str, Any]) -> str:
        return _checked(proposal["value"])

    def _kept_was_set(self, change: dict[str, Any]) -> None:
        text = change["new"]
        if text != self._settled:
            self._changes = [lambda _: text]
            self._store()

    def _query_was_set(self, change: dict[str, Any]) -> None:
        if change["new"] != self._address:
            self._address = change["new"]
            self.send({"do": "turn to", "query": self._address})

    def _store(self) -> None:
        """Ask the page to store all changes, if it still has what we think."""
        text = self._stored
        for change in self._changes:
            text = _checked(change(text))
        if self._has_page and text != self._expected:
            self._number += 1
            was, self._expected = self._expected, text
            self.send({"do": "swap", "was": was, "text": text, "number": self._number})
        elif self._has_page and text == self._stored:
            self._changes.clear()
        self._settled = text
        self.kept = text

    # What comes from the page

    def _hear(self, _: object, content: dict[str, Any], __: object) -> None:
        match content:
            case {"do": "ready", "kept": str(kept), "query": str(query), "trouble": str(trouble)}:
                self.send({"do": "welcome"})
                self._has_page = True
                self.narrow = content.get("narrow") is True
                self._address = query if _is_fit(query, LONGEST_QUERY) else ""
                self.query = self._address
                self._take(kept, trouble)
                self.ready = True
                waiting, self._waiting = self._waiting, []
                for callback in waiting:
                    self._call(callback)
            case {"do": "kept", "kept": str(kept), "trouble": str(trouble)}:
                self._take(kept, trouble)
            case {"do": "swapped", "number": self._number, "trouble": str(trouble)}:
                if trouble:
                    self._expected = self._stored  # the changes wait for a better time
                else:
                    self._stored = self._expected
                    self._changes.clear()
                self.trouble = trouble[:200]

    def _take(self, kept: str, trouble: str) -> None:
        """The page has this now; what it has not stored yet is done on top of it."""
        if not _is_fit(kept, LONGEST_KEPT):
            kept, trouble = "", "what is stored cannot be read"
        self.trouble = trouble[:200]
        self._stored = self._expected = kept
        try:
            self._store()
        except Exception as error:
            self._changes.clear()
            self._fail(error)

    def _call(self, callback: Callable[[], object]) -> None:
        try:
            callback()
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        _LOG.exception("a handler of the storage failed")
        self.trouble = f"Something went wrong: {' '.join(str(error).split())}"[:200]


def _checked(text: str) -> str:
    """A text that can be kept, or an error."""
    if len(text) > LONGEST_KEPT:
        raise CastlelabError(f"a text of {len(text)} characters is too long to keep")
    if not _is_fit(text, LONGEST_KEPT):
        raise CastlelabError("a text with half a character in it cannot be kept")
    return text


def _is_fit(text: str, longest: int) -> bool:
    """Whether a text is short enough, and is text at all: half a character cannot be sent."""
    if len(text) > longest:
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
