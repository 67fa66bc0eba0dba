"""The line from a page to its kernel, and what may pass on it."""

from __future__ import annotations

import time
from typing import Any

from tornado.web import HTTPError
from tornado.websocket import WebSocketHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from castlelab.server.frames import LONGEST_FRAME, MalformedFrame, RateLimit, check_frame

_MALFORMED, _TOO_MUCH = 1007, 1008  # what a closing line says of the reason
_LONGEST_REASON = 120  # bytes that a closing line has for it
_MOST_UNREAD = 4 * LONGEST_FRAME  # bytes that a page has asked for and not taken


class PageWebSocket(VoilaKernelWebsocketHandler):
    """The line from a page to its kernel; what cells are made of does not pass.

    Whoever sends what cannot be read, or too much, loses this line and nothing else. Voilà
    reads all that goes out as if it were in the newer of two formats; whoever asked for the
    older one could make the server count to a number without end.
    """

    kernel_id = ""
    _why = ""  # it was refused

    def prepare(self, *args: Any, **kwargs: Any) -> Any:
        self._bytes = RateLimit(burst=4 * LONGEST_FRAME, rate=LONGEST_FRAME / 4)
        self._messages = RateLimit(burst=2000, rate=200)
        self._unread = 0
        return super().prepare(*args, **kwargs)

    async def open(self, kernel_id: str) -> None:
        self.set_nodelay(True)  # a picture must not wait until the browser has confirmed "busy"
        self.kernel_manager.connection_opened(kernel_id, self)
        await super().open(kernel_id)

    def on_close(self) -> None:
        self.kernel_manager.connection_closed(self.kernel_id, self)
        super().on_close()

    def on_message(self, message: str | bytes) -> None:
        if not self.is_open:
            return
        now = time.monotonic()
        if not (self._messages.spend(1, now) and self._bytes.spend(len(message), now)):
            self.hang_up(_TOO_MUCH, "more came than a page sends")
            return
        try:
            check_frame(message, newer=bool(self.selected_subprotocol))
            super().on_message(message)
        except MalformedFrame as error:
            self.hang_up(_MALFORMED, str(error))
        except Exception as error:  # Jupyter's parsers fail in many ways
            self.hang_up(_MALFORMED, f"{type(error).__name__}: {error}")

    def write_message(self, message: Any, binary: bool = False) -> Any:
        if not self.is_open:
            return None
        if self.selected_subprotocol:
            sent = super().write_message(message, binary)
        elif isinstance(message, str) and '"execute_input"' in message:
            return None
        else:
            sent = WebSocketHandler.write_message(self, message, binary)
        if sent is not None and isinstance(message, str | bytes):
            self.count_unread(len(message), sent)
        return sent

    def count_unread(self, size: int, sent: Any) -> None:
        """Keep count of what waits to be sent; a page that does not take it fills our memory."""
        self._unread += size
        sent.add_done_callback(lambda _: self.taken(size))
        if self._unread > _MOST_UNREAD:
            self.hang_up(_TOO_MUCH, "it does not take what it asks for")

    def taken(self, size: int) -> None:
        self._unread -= size

    @property
    def is_open(self) -> bool:
        return self.ws_connection is not None and not self.ws_connection.is_closing()

    def hang_up(self, code: int, why: str) -> None:
        """Close this line, and say so once."""
        told = _one_line(why)
        self.log.error("line of %s closed: %s", self.request.remote_ip, told)
        self.close(code, told.encode()[:_LONGEST_REASON].decode(errors="ignore"))

    # -- refused before it was open --------------------------------------------------------

    def write_error(self, status_code: int, **_: Any) -> None:
        """Say nothing but the status: whoever asks for a line shows no page."""
        self.finish()

    def log_exception(self, kind: Any, error: Any, traceback: Any) -> None:
        """Remember why; the one line that is written says it."""
        self._why = str(error) if isinstance(error, HTTPError) else f"{kind.__name__}: {error}"

    def on_finish(self) -> None:
        if self.get_status() >= 400:
            why = self._why or f"HTTP {self.get_status()}"
            self.log.error("line refused to %s: %s", self.request.remote_ip, _one_line(why))
        super().on_finish()


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]
