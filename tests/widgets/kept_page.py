"""A page played by Python, for whatever is kept in a browser."""

from __future__ import annotations

from typing import Any

from castlelab.widgets import BrowserStorage


class Page:
    """A page with one storage, as storage.js is: it holds a store that others may write to too."""

    def __init__(self, storage: BrowserStorage, store: dict[str, str], full: bool = False) -> None:
        self.storage, self.store, self.full = storage, store, full
        self.messages: list[dict[str, Any]] = []
        self.query = ""
        self.is_welcome = False
        storage.send = self._receive

    def _receive(self, content: dict[str, Any], buffers: Any = None) -> None:
        if content["do"] == "welcome":
            self.is_welcome = True
        else:
            self.messages.append(content)

    def come(self, query: str = "", narrow: bool = False) -> None:
        self.tell(do="ready", query=query, narrow=narrow, kept=self.kept, trouble="")

    @property
    def kept(self) -> str:
        return self.store.get(self.storage.key, "")

    def tell(self, **content: Any) -> None:
        self.storage._handle_custom_msg(content, [])

    def hear(self) -> None:
        """Work through all messages, and through those that the answers lead to."""
        while self.messages:
            message = self.messages.pop(0)
            if message["do"] == "turn to":
                self.query = message["query"]
            elif message["was"] != self.kept:
                self.tell(do="kept", kept=self.kept, trouble="")
            else:
                trouble = "the quota has been exceeded" if self.full else ""
                if not self.full:
                    self.store[self.storage.key] = message["text"]
                self.tell(do="swapped", number=message["number"], trouble=trouble)
