"""On what terms visitors are served, and the configuration of a server that keeps them."""

from __future__ import annotations

import logging
import re
import sys
from dataclasses import dataclass
from tempfile import gettempdir
from typing import Any

from castlelab.rules import CastlelabError, quoted
from castlelab.server import pages

_MISSED_AFTER = 60  # seconds without a page before its kernel is ended
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
_FOLDER = re.compile(r"(?!\.+$)([\w.~@-]|%[0-9A-Fa-f]{2})+", re.ASCII)  # of an address
_SHORT_PATH = 30  # a kernel's sockets are files in there, and their paths have 107 bytes at most


@dataclass(frozen=True)
class Terms:
    """On what terms visitors are served.

    ``preheat`` copies of every page wait for visitors; with none, a page is only run when
    somebody comes. A kernel ends ``cull_after`` seconds after its visitor's last deed, and
    sooner if the page is closed. ``proxy`` is the name, such as castle.example, under which a
    proxy on this machine passes visitors on. All addresses begin with ``base_url``.
    """

    preheat: int = 1
    max_visitors: int | None = None
    cull_after: int = pages.CULL_AFTER
    password: str = ""
    proxy: str = ""
    base_url: str = "/"

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", base_path(self.base_url))
        if self.proxy and not _NAME.fullmatch(self.proxy):
            raise CastlelabError(
                f"a proxy is known by a name such as castle.example, not {quoted(self.proxy)}"
            )


def base_path(text: str) -> str:
    """The path that all addresses of a server begin with, from how somebody wrote it.

    >>> base_path("castle"), base_path("/school/castle/"), base_path("/")
    ('/castle/', '/school/castle/', '/')
    """
    inner = text.removeprefix("/").removesuffix("/")
    if inner and not all(map(_FOLDER.fullmatch, inner.split("/"))):
        raise CastlelabError(f"a base url is a path such as /castle/, not {quoted(text)}")
    return f"/{inner}/" if inner else "/"


def stock_config(terms: Terms) -> Any:
    """The configuration of a server of Voilà's own, on the plainest terms."""
    folder = pages.served_folder()

    from traitlets.config import Config

    config = Config()
    pages.configure(config)
    config.Voila.root_dir = str(folder)
    config.Voila.base_url = terms.base_url
    config.Voila.config_file_paths = []  # a voila.json that happens to lie about is not ours
    config.Voila.log_level = "ERROR"
    if sys.platform == "linux" and len(gettempdir()) <= _SHORT_PATH:
        config.KernelManager.transport = "ipc"  # other users of the machine can listen to ports
    logging.getLogger("tornado").setLevel(logging.ERROR)  # a missing page is no news here
    return config


def server_config(terms: Terms) -> Any:
    """The configuration of a server of ours, which keeps all terms."""
    config = stock_config(terms)
    config.VoilaConfiguration.multi_kernel_manager_class = (
        "castlelab.server.visitors.VisitorKernelManager"
    )
    config.MappingKernelManager.cull_idle_timeout = terms.cull_after
    config.MappingKernelManager.cull_interval = max(1, min(pages.CULL_EVERY, terms.cull_after // 4))
    config.MappingKernelManager.cull_connected = True  # a page that is left open, too
    config.MappingKernelManager.buffer_offline_messages = False
    config.VisitorKernelManager.abandon_after = float(min(_MISSED_AFTER, terms.cull_after))
    config.KernelRestarter.restart_limit = 0  # an empty kernel would be no use to the page
    config.KernelRestarter.time_to_dead = 1.0
    config.PageServer.identity_provider_class = "castlelab.server.password.PasswordIdentity"
    config.PasswordIdentity.password = terms.password
    return config
