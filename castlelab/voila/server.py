"""Voilà, narrowed down to the pages of castlelab."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable
from functools import partial
from pathlib import Path
from secrets import token_hex
from socket import socket as Socket  # noqa: N812 - a type, beside an attribute of that name
from typing import Any

import voila
from jupyter_server.base.handlers import FileFindHandler
from jupyter_server.utils import url_path_join
from jupyterlab_server.themes_handler import ThemesHandler
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RedirectHandler, authenticated
from tornado.websocket import WebSocketHandler
from voila.app import Voila
from voila.handler import BaseVoilaHandler
from voila.notebook_renderer import NotebookRenderer
from voila.static_file_handler import (
    AllowListFileHandler,
    MultiStaticFileHandler,
    TemplateStaticFileHandler,
)
from voila.tornado.contentshandler import VoilaContentsHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler
from voila.tornado.treehandler import TornadoVoilaTreeHandler
from voila.utils import get_page_config

import castlelab
from castlelab.pages import TEMPLATE
from castlelab.voila.copies import CopyingKernelManager, Gallery, Original
from castlelab.voila.password import PasswordHandler, Tries
from castlelab.voila.shelf import Shelf, ShelfHandler

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

_SEAT_COOKIE = "castlelab-seat"
_ASK_AGAIN = 15  # seconds for those who were turned away

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
        gallery: Gallery | None,
        max_visitors: int | None,
        **kwargs: Any,
    ) -> None:
        super().initialize(**kwargs)
        self.pages, self.gallery, self.max_visitors = pages, gallery, max_visitors

    @authenticated
    async def get(self, path: str = "") -> None:
        if path not in self.pages:
            raise HTTPError(404)
        seat = ""
        if self.max_visitors is not None:
            seat = self.seat()
            if not self.kernel_manager.has_room(seat, self.max_visitors):
                self.turn_away()
                return
        # Asking for the token sets its cookie; without it, a page that is left may not
        # shut its kernel down.
        _ = self.xsrf_token
        with self.kernel_manager.arrival(seat):
            visit = self.gallery.visit(path) if self.gallery else None
            if visit is None:
                await super().get(path)
            else:
                await self.show(*visit)

    def seat(self) -> str:
        """What tells one browser from another, until it is closed: a number, and nothing else."""
        if known := self.get_signed_cookie(_SEAT_COOKIE):
            return str(known, "ascii")
        seat = token_hex(8)
        secure = self.request.protocol == "https"
        self.set_signed_cookie(
            _SEAT_COOKIE, seat, expires_days=None, httponly=True, samesite="Lax", secure=secure
        )
        return seat

    def turn_away(self) -> None:
        """Say that all seats are taken; the page asks again by itself."""
        self.set_status(503)
        self.set_header("Retry-After", str(_ASK_AGAIN))
        self.set_header("Cache-Control", "no-store")
        self.write(self.render_template("full.html", seconds=_ASK_AGAIN))

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


class PageLine(VoilaKernelWebsocketHandler):
    """The line from a page to its kernel; what cells are made of does not pass.

    Voilà reads all that passes as if it were in the newer of two formats. Whoever asked for the
    older one could make the server count to a number without end.
    """

    async def open(self, kernel_id: str) -> None:
        self.set_nodelay(True)  # a picture must not wait until the browser has confirmed "busy"
        await super().open(kernel_id)

    def write_message(self, message: Any, binary: bool = False) -> Any:
        if self.selected_subprotocol:
            return super().write_message(message, binary)
        if isinstance(message, str) and '"execute_input"' in message:
            return None
        return WebSocketHandler.write_message(self, message, binary)


def with_version(page_config: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A page's settings, with scripts at an address that changes with their version.

    Browsers may keep them for ever; otherwise each page would ask for each of a hundred files
    whether it is still the same.
    """
    version = hashlib.sha256(f"{voila.__version__} {castlelab.__version__}".encode()).hexdigest()
    return {**page_config, "fullStaticUrl": f"{page_config['fullStaticUrl']}/v-{version[:12]}"}


class NothingHere(BaseVoilaHandler):
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
    preheat: int = 0
    max_visitors: int | None = None
    local: bool = True
    proxy: str = ""  # the name under which a proxy on this machine passes visitors on
    socket: Socket
    gallery: Gallery | None = None

    def init_settings(self) -> dict[str, Any]:
        self.voila_configuration.page_config_hook = with_version
        settings: dict[str, Any] = super().init_settings()
        if isinstance(self.kernel_manager, CopyingKernelManager):
            self.gallery = Gallery(
                self.kernel_manager, self.renderer, Path(self.connection_dir), self.preheat
            )
        settings["headers"] = HEADERS
        # On this machine only: another name for it comes from a page that wants to trick us.
        settings["allow_remote_access"] = not self.local
        settings["local_hostnames"] = ["localhost", *filter(None, [self.proxy])]
        settings["login_url"] = url_path_join(self.base_url, "/password")
        settings["default_handler_class"] = NothingHere
        settings["default_handler_args"] = {"voila_configuration": self.voila_configuration}
        return settings

    def renderer(self, page: str) -> NotebookRenderer:
        """What runs a page and writes it down, without a visitor."""
        settings = self.app.settings
        page_config = get_page_config(
            base_url=self.base_url,
            settings=settings,
            log=self.log,
            voila_configuration=self.voila_configuration,
        )
        page_config = with_version(page_config)
        return NotebookRenderer(
            voila_configuration=self.voila_configuration,
            traitlet_config=self.config,
            notebook_path=page,
            template_paths=self.template_paths,
            config_manager=self.config_manager,
            contents_manager=self.contents_manager,
            base_url=self.base_url,
            kernel_spec_manager=self.kernel_spec_manager,
            page_config=page_config,
            mathjax_config=settings.get("mathjax_config"),
            mathjax_url=settings.get("mathjax_url"),
        )

    def init_handlers(self) -> list[Any]:
        render = url_path_join(self.server_url, "/voila/render/")
        files = url_path_join(self.server_url, "/voila/")
        page = {
            "pages": self.pages,
            "gallery": self.gallery,
            "max_visitors": self.max_visitors,
            "template_paths": self.template_paths,
            "config": self.config,
            "voila_configuration": self.voila_configuration,
        }
        static = Shelf(lambda: self.static_paths)
        extensions = Shelf(lambda: self.labextensions_path)
        password = {"voila_configuration": self.voila_configuration, "tries": Tries()}
        landing = {"url": f"{render}{self.landing}", "permanent": False}
        kept = [handler for handler in super().init_handlers() if handler[1] not in _NOT_SERVED]
        lines = [handler[0] for handler in kept if handler[1] is VoilaKernelWebsocketHandler]
        return [
            (self.server_url, RedirectHandler, landing),
            (url_path_join(self.server_url, "/password"), PasswordHandler, password),
            (f"{render}?", RedirectHandler, landing),
            (f"{render}(.+)", PageHandler, page),
            (f"{files}templates/{TEMPLATE}/static/(?P<name>.+)", ShelfHandler, {"shelf": static}),
            (
                f"{files}static/(?P<version>v-[0-9a-f]+)/(?P<name>.+)",
                ShelfHandler,
                {"shelf": static},
            ),
            (
                f"{files}labextensions/(?P<name>.+)",
                ShelfHandler,
                {"shelf": extensions, "lasting": True},
            ),
            *((address, PageLine) for address in lines),
            *kept,
        ]

    async def run_pages(self, gallery: Gallery) -> None:
        """Run every page once, before visitors come, and say what that costs."""
        try:
            await gallery.open(sorted(self.pages, key=lambda page: (page != self.landing, page)))
        except Exception:
            self.log.exception("cannot run the pages in advance; they will open more slowly")
        else:
            print(f"All pages are ready ({gallery.cost()}).", flush=True)

    def listen(self) -> None:
        """Answer requests until interrupted or terminated."""
        # Who a visitor is and whether the line is safe, a proxy says in headers of its own.
        HTTPServer(self.app, xheaders=bool(self.proxy)).add_socket(self.socket)
        self.ioloop = IOLoop.current()
        self.ioloop.add_callback(self.kernel_manager.watch)
        if self.gallery is not None:
            self.ioloop.add_callback(self.gallery.later, 0, partial(self.run_pages, self.gallery))
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            pass
        finally:
            if self.gallery is not None:
                self.gallery.close()
            self.stop()
