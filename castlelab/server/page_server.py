"""Voilà, narrowed down to the pages of castlelab."""

from __future__ import annotations

import hashlib
import signal
from collections.abc import Awaitable
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from secrets import token_hex
from socket import socket as Socket  # noqa: N812 - a type, beside an attribute of that name
from typing import Any, cast

import voila
from jupyter_server.base.handlers import FileFindHandler
from jupyter_server.utils import url_path_join
from jupyterlab_server.themes_handler import ThemesHandler
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RedirectHandler, authenticated
from voila.app import Voila
from voila.handler import BaseVoilaHandler
from voila.static_file_handler import (
    AllowListFileHandler,
    MultiStaticFileHandler,
    TemplateStaticFileHandler,
)
from voila.tornado.contentshandler import VoilaContentsHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler
from voila.tornado.treehandler import TornadoVoilaTreeHandler

import castlelab
from castlelab.server import capacity, jupyter
from castlelab.server.copies import CannotCopy, CopyingKernelManager, Original, PreparedPages
from castlelab.server.frames import LONGEST_FRAME
from castlelab.server.front_end import SPARED, FrontEnd, in_one_file
from castlelab.server.pages import TEMPLATE, offline
from castlelab.server.password import PasswordHandler, Tries
from castlelab.server.static_files import StaticFiles, StaticFilesHandler
from castlelab.server.terms import Terms
from castlelab.server.visitors import (
    PAGES_EACH,
    SEAT_COOKIE,
    Admission,
    Visitor,
    neighbourhood,
    seat_of,
    set_cookie,
)
from castlelab.server.websocket import PageWebSocket

#: What Voilà offers for browsing a folder; a reader of pages needs none of it.
_NOT_SERVED = (
    TornadoVoilaTreeHandler,
    VoilaContentsHandler,
    TornadoVoilaHandler,
    MultiStaticFileHandler,
    TemplateStaticFileHandler,
    FileFindHandler,
    AllowListFileHandler,
    ThemesHandler,
)

_SLOWLY = "Pages are run for each visitor and open more slowly"
_ASK_AGAIN = {Admission.FULL: 15, Admission.CROWDED: 3}  # seconds for those who were turned away

# A page sends nothing but a password and goodbye. Whoever is slow at that has hung up.
LONGEST_BODY, LONGEST_HEADERS = 64 << 10, 32 << 10  # bytes
SLOWEST_BODY, SLOWEST_HEADERS = 15.0, 30.0  # seconds; the latter also until the next request

#: What a browser is told with every answer. Voilà's pages have scripts in them, its settings are
#: checked by code that is made on the spot, and anywidget loads its modules from memory: these
#: need 'unsafe-inline', 'unsafe-eval' and blob:. Nothing may come from, or go to, elsewhere.
HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'self'",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class PageHandler(TornadoVoilaHandler):
    """Renders a page if it is one of ours."""

    def initialize(
        self,
        pages: frozenset[str],
        prepared: PreparedPages | None,
        seats: int,
        pages_each: int,
        **kwargs: Any,
    ) -> None:
        super().initialize(**kwargs)
        self.pages, self.prepared = pages, prepared
        self.seats, self.pages_each = seats, pages_each

    @authenticated
    async def get(self, path: str = "") -> None:
        if path not in self.pages:
            raise HTTPError(404)
        visitor = Visitor(self.seat(), neighbourhood(self.request.remote_ip or ""))
        admission = self.kernel_manager.admission(visitor, self.seats, self.pages_each)
        if admission is not Admission.FREE:
            self.turn_away(admission)
            return
        # Asking for the token sets its cookie; without it, a page that is left may not
        # shut its kernel down.
        _ = self.xsrf_token
        with self.kernel_manager.arrival(visitor):
            visit = self.prepared.visit(path) if self.prepared else None
            if visit is None:
                await super().get(path)
            else:
                await self.show(*visit)

    def seat(self) -> str:
        """What tells one browser from another, until it is closed: a number, and nothing else."""
        if known := seat_of(self):
            return known
        seat = token_hex(8)
        set_cookie(self, SEAT_COOKIE, seat)
        return seat

    def turn_away(self, admission: Admission) -> None:
        """Say that there is no room; the page asks again by itself."""
        seconds = _ASK_AGAIN[admission]
        self.set_status(503)
        self.set_header("Retry-After", str(seconds))
        self.set_header("Cache-Control", "no-store")
        crowded = admission is Admission.CROWDED
        self.write(self.render_template("full.html", seconds=seconds, crowded=crowded))

    async def show(self, original: Original, started: Awaitable[str]) -> None:
        """Send a page that has run already; its end only when its kernel is there."""
        packed = "gzip" in self.request.headers.get("Accept-Encoding", "")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        if packed:
            self.set_header("Content-Encoding", "gzip")
        self.write(original.body(packed))
        await self.flush()
        kernel_id = None
        try:
            kernel_id = await started
        except Exception:
            self.log.exception("cannot copy the kernel of %s", self.request.path)
            original.lost = True
        self.write(original.end(kernel_id, packed))


def with_version(page_config: dict[str, Any]) -> dict[str, Any]:
    """A page's settings, with scripts at an address that changes with their version.

    Browsers may keep them for ever; otherwise each page would ask for each of a hundred files
    whether it is still the same.
    """
    version = hashlib.sha256(f"{voila.__version__} {castlelab.__version__}".encode()).hexdigest()
    return {**page_config, "fullStaticUrl": f"{page_config['fullStaticUrl']}/v-{version[:12]}"}


class NotFoundHandler(BaseVoilaHandler):
    """Answers whatever nobody else does."""

    async def prepare(self) -> None:
        await super().prepare()
        if not self._finished:  # as it is when a password is asked for first
            raise HTTPError(404)


class PageServer(Voila):
    """Serves a set of pages on a socket that listens already."""

    name = "castlelab"
    pages: frozenset[str] = frozenset()
    landing: str = ""
    terms = Terms()
    local: bool = True
    socket: Socket
    prepared: PreparedPages | None = None

    def init_settings(self) -> dict[str, Any]:
        self.voila_configuration.page_config_hook = self.page_settings
        settings: dict[str, Any] = super().init_settings()
        if isinstance(self.kernel_manager, CopyingKernelManager):
            self.prepared = PreparedPages(
                self.kernel_manager,
                lambda page: jupyter.renderer(self, page, self.page_settings),
                Path(self.connection_dir),
                self.terms.preheat,
            )
        settings["headers"] = HEADERS
        settings["websocket_max_message_size"] = LONGEST_FRAME
        # On this machine only: another name for it comes from a page that wants to trick us.
        settings["allow_remote_access"] = not self.local
        settings["local_hostnames"] = ["localhost", *filter(None, [self.terms.proxy.lower()])]
        settings["login_url"] = url_path_join(self.base_url, "/password")
        settings["xsrf_cookie_kwargs"] = {"path": self.base_url}
        settings["default_handler_class"] = NotFoundHandler
        settings["default_handler_args"] = {"voila_configuration": self.voila_configuration}
        return settings

    def page_settings(self, page_config: dict[str, Any], **_: Any) -> dict[str, Any]:
        """What the front end of a page is told, the same for everybody."""
        settings = with_version(offline(page_config))
        if self.front_end.content:
            settings["frontEnd"] = f"{settings['fullStaticUrl']}/{self.front_end.name}"
            settings["spared"] = list(SPARED)
        return settings

    @cached_property
    def front_end(self) -> FrontEnd:
        """What pages need of Voilà's scripts, in one file."""
        allowed = self.voila_configuration.extension_allowlist
        return in_one_file(self.static_paths, self.labextensions_path, allowed)

    @property
    def behind_proxy(self) -> bool:
        """Whether somebody on the way says who a visitor is, and that the line is safe."""
        return bool(self.terms.proxy)

    def login_handlers(self) -> list[tuple[Any, ...]]:
        """Where visitors are asked who they are."""
        password = {"voila_configuration": self.voila_configuration, "tries": Tries()}
        return [(url_path_join(self.server_url, "/password"), PasswordHandler, password)]

    def init_handlers(self) -> list[Any]:
        render = url_path_join(self.server_url, "/voila/render/")
        voila = url_path_join(self.server_url, "/voila/")
        seats = self.terms.max_visitors
        if seats is None:  # as many as the memory allows
            memory, files = capacity.free_memory(), capacity.raise_open_files()
            seats = capacity.seats(memory, files, copies=self.prepared is not None)
        page = {
            "pages": self.pages,
            "prepared": self.prepared,
            "seats": seats,
            "pages_each": seats if self.terms.max_visitors is None else PAGES_EACH,
            "template_paths": self.template_paths,
            "config": self.config,
            "voila_configuration": self.voila_configuration,
        }
        scripts = StaticFiles(lambda: self.static_paths)
        scripts.keep(self.front_end.name, self.front_end.content)
        static = {"files": scripts}
        extensions = {"files": StaticFiles(lambda: self.labextensions_path), "lasting": True}
        landing = {"url": f"{render}{self.landing}", "permanent": False}
        home = {"url": self.base_url, "permanent": False}
        kept = [handler for handler in super().init_handlers() if handler[1] not in _NOT_SERVED]
        websockets = [handler[0] for handler in kept if handler[1] is VoilaKernelWebsocketHandler]
        return [
            (self.server_url, RedirectHandler, landing),
            (f"(?:/|{self.server_url[:-1]})", RedirectHandler, home),
            *self.login_handlers(),
            (f"{render}?", RedirectHandler, landing),
            (f"{render}(.+)", PageHandler, page),
            (f"{voila}templates/{TEMPLATE}/static/(?P<name>.+)", StaticFilesHandler, static),
            (f"{voila}static/(?P<version>v-[0-9a-f]+)/(?P<name>.+)", StaticFilesHandler, static),
            (f"{voila}labextensions/(?P<name>.+)", StaticFilesHandler, extensions),
            *((address, PageWebSocket) for address in websockets),
            *kept,
        ]

    def pages_in_advance(self) -> list[str]:
        """The pages that are run before visitors come, the first one first."""
        return sorted(self.pages, key=lambda page: (page != self.landing, page))

    async def run_pages(self, prepared: PreparedPages) -> None:
        """Run pages once, before visitors come, and say what that costs."""
        try:
            await prepared.open(self.pages_in_advance())
        except CannotCopy as reason:
            print(f"{_SLOWLY}: {reason}.", flush=True)
        except Exception:
            if not prepared.closed:
                self.log.exception(_SLOWLY)
        else:
            print(f"All pages are ready ({prepared.cost()}).", flush=True)

    def listen(self) -> None:
        """Answer requests until interrupted or terminated."""
        # Who a visitor is and whether the line is safe, a proxy says in headers of its own.
        server = HTTPServer(
            self.app,
            xheaders=self.behind_proxy,
            max_body_size=LONGEST_BODY,
            max_header_size=LONGEST_HEADERS,
            body_timeout=SLOWEST_BODY,
            idle_connection_timeout=SLOWEST_HEADERS,
        )
        server.add_socket(self.socket)
        self.ioloop = IOLoop.current()
        self.ioloop.add_callback(self.kernel_manager.watch)
        if self.prepared is not None:
            self.ioloop.add_callback(self.prepared.later, 0, partial(self.run_pages, self.prepared))
        with suppress(NotImplementedError):  # on Windows Ctrl-C is an exception
            if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
                # Not an exception: whatever runs just then might swallow it.
                loop = cast(Any, self.ioloop).asyncio_loop
                loop.add_signal_handler(signal.SIGINT, self.ioloop.stop)
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            pass
        finally:
            if self.prepared is not None:
                self.prepared.close()
            self.stop()
