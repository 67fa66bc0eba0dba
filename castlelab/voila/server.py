"""Voilà, narrowed down to the pages of castlelab."""

from __future__ import annotations

from socket import socket as Socket  # noqa: N812 - a type, beside an attribute of that name
from typing import Any

from jupyter_server.utils import url_path_join
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RedirectHandler
from voila.app import Voila
from voila.tornado.contentshandler import VoilaContentsHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.treehandler import TornadoVoilaTreeHandler

#: What Voilà offers for browsing a folder; a reader of pages needs none of it.
_NOT_SERVED = (TornadoVoilaTreeHandler, VoilaContentsHandler, TornadoVoilaHandler)


class PageHandler(TornadoVoilaHandler):  # type: ignore[misc]
    """Renders a page if it is one of ours."""

    def initialize(self, pages: frozenset[str], **kwargs: Any) -> None:
        super().initialize(**kwargs)
        self.pages = pages

    async def get(self, path: str = "") -> None:
        if path not in self.pages:
            raise HTTPError(404)
        # Asking for the token sets its cookie; without it, a page that is left may not
        # shut its kernel down.
        _ = self.xsrf_token
        await super().get(path)


class PageServer(Voila):  # type: ignore[misc]
    """Serves a set of pages on a socket that listens already."""

    name = "castlelab"
    pages: frozenset[str] = frozenset()
    landing: str = ""
    socket: Socket

    def init_handlers(self) -> list[Any]:
        render = url_path_join(self.server_url, "/voila/render/")
        page = {
            "pages": self.pages,
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

    def listen(self) -> None:
        """Answer requests until interrupted or terminated."""
        HTTPServer(self.app).add_socket(self.socket)
        self.ioloop = IOLoop.current()
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()
