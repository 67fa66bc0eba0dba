"""Voilà, narrowed down to the pages of castlelab."""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path
from socket import socket as Socket  # noqa: N812 - a type, beside an attribute of that name
from typing import Any

from jupyter_server.utils import url_path_join
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RedirectHandler
from voila.app import Voila
from voila.tornado.contentshandler import VoilaContentsHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.notebook_renderer import NotebookRenderer
from voila.tornado.treehandler import TornadoVoilaTreeHandler
from voila.utils import get_page_config

from castlelab.voila.copies import END, CopyingKernelManager, Gallery

#: What Voilà offers for browsing a folder; a reader of pages needs none of it.
_NOT_SERVED = (TornadoVoilaTreeHandler, VoilaContentsHandler, TornadoVoilaHandler)


class PageHandler(TornadoVoilaHandler):  # type: ignore[misc]
    """Renders a page if it is one of ours."""

    def initialize(self, pages: frozenset[str], gallery: Gallery | None, **kwargs: Any) -> None:
        super().initialize(**kwargs)
        self.pages, self.gallery = pages, gallery

    async def get(self, path: str = "") -> None:
        if path not in self.pages:
            raise HTTPError(404)
        # Asking for the token sets its cookie; without it, a page that is left may not
        # shut its kernel down.
        _ = self.xsrf_token
        visit = self.gallery.visit(path) if self.gallery else None
        if visit is None:
            await super().get(path)
        else:
            await self.show(path, *visit)

    async def show(self, path: str, html: str, started: Awaitable[Any]) -> None:
        """Send a page that has run already; its end only when its kernel is there."""
        self.set_header("Content-Type", "text/html")
        self.set_header("Cache-Control", "no-store")
        body, end, rest = html.rpartition(END)
        self.write(body)
        await self.flush()
        try:
            await started
        except Exception:
            self.log.exception("cannot copy %s", path)
            self.gallery.forget(path)
            end = "<script>location.reload()</script>"
        self.write(end + rest)


class PageServer(Voila):  # type: ignore[misc]
    """Serves a set of pages on a socket that listens already."""

    name = "castlelab"
    pages: frozenset[str] = frozenset()
    landing: str = ""
    preheat: int = 0
    socket: Socket
    gallery: Gallery | None = None

    def init_settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = super().init_settings()
        if isinstance(self.kernel_manager, CopyingKernelManager):
            self.gallery = Gallery(
                self.kernel_manager, self.renderer, Path(self.connection_dir), self.preheat
            )
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
        page = {
            "pages": self.pages,
            "gallery": self.gallery,
            "template_paths": self.template_paths,
            "config": self.config,
            "voila_configuration": self.voila_configuration,
        }
        landing = {"url": f"{render}{self.landing}", "permanent": False}
        kept = [handler for handler in super().init_handlers() if handler[1] not in _NOT_SERVED]
        return [
            (self.server_url, RedirectHandler, landing),
            (f"{render}?", RedirectHandler, landing),
            (f"{render}(.+)", PageHandler, page),
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
        HTTPServer(self.app).add_socket(self.socket)
        self.ioloop = IOLoop.current()
        if self.gallery is not None:
            self.ioloop.add_callback(self.run_pages, self.gallery)
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()
