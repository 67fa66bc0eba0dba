"""Starting a server: its port, its limits, what is said of it, and a browser that shows it."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from castlelab.rules import CastlelabError
from castlelab.server import capacity, jupyter, pages
from castlelab.server.terms import Terms, server_config, stock_config
from castlelab.system.packages import need

if TYPE_CHECKING:
    from castlelab.server.page_server import PageServer

DEFAULT_PORT = 8866
_PORTS_TRIED = 20


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    open_browser: bool = True,
    terms: Terms | None = None,
) -> None:  # pragma: no cover - runs until interrupted; tested from outside
    """Serve the pages until interrupted.

    Without a port, the first free one from 8866 on is taken; port 0 takes any.
    """
    need("serving pages", "voila")
    terms = terms or Terms()
    if terms.proxy and not _is_local(host):
        # Anybody could claim to be the proxy, and so to be anybody.
        raise CastlelabError(
            f"a proxy on this machine reaches castlelab at 127.0.0.1; leave --host {host} out"
        )
    opened = listen(host, port)  # before the slow imports, so that a busy port is said at once
    taken = opened.getsockname()[1]
    address = f"http://{_address(host)}:{taken}{terms.base_url}"

    if reason := jupyter.lacking(jupyter.SERVER):
        server = _stock_server(opened, terms, host, reason)
        address += f"voila/render/{pages.LANDING}"
    else:
        server = page_server(opened, terms, local=_is_local(host))

    if port is None and taken != DEFAULT_PORT:
        print(f"Port {DEFAULT_PORT} is busy, so this is port {taken}.")
    if not _is_local(host):
        print(warning_to_host(terms))
    print(f"castlelab is at {address}  (Ctrl-C ends it)", flush=True)
    if open_browser and has_browser():
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    server.start()


def serve_one(
    environment: Mapping[str, str], cull_after: int
) -> None:  # pragma: no cover - as above
    """Serve the pages to one person, as the JupyterHub that starts us tells in the environment."""
    try:
        from castlelab.server.hub import HubAddress, HubServer
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "jupyterhub":
            raise
        raise CastlelabError(
            "a server behind a JupyterHub needs the package jupyterhub; "
            "install it with: pip install 'castlelab[hub]'"
        ) from None
    asked = HubAddress.of(environment)
    opened = listen(asked.host, asked.port)
    terms = Terms(base_url=asked.base_url, cull_after=cull_after)
    page_server(opened, terms, local=False, kind=HubServer).start()


def page_server(
    opened: socket.socket, terms: Terms, local: bool, kind: type[PageServer] | None = None
) -> PageServer:  # pragma: no cover - as above
    """A server of the pages on a socket that listens already, ready to be started."""
    from castlelab.server import copies
    from castlelab.server.page_server import PageServer

    capacity.raise_open_files()
    config = server_config(terms)
    if terms.preheat and copies.possible():
        if reason := jupyter.lacking(jupyter.COPIES):
            print(f"Pages are run for each visitor and open more slowly: {reason}.")
        else:
            copies.use_copies(config)
    server = (kind or PageServer)(config=config)
    server.pages, server.landing = pages.page_names(pages.served_folder()), pages.LANDING
    server.socket, server.terms, server.local = opened, terms, local
    server.initialize([])
    return server


def _stock_server(opened: socket.socket, terms: Terms, host: str, reason: str) -> Any:
    """Voilà's own server in the place of ours, where it keeps the terms; ready to be started."""
    port = opened.getsockname()[1]
    opened.close()  # Voilà wants to open the port itself
    if terms != Terms():
        raise CastlelabError(
            f"{reason}, so only plain castlelab serve works here; pip install castlelab again "
            "for the versions that it knows"
        )
    print(f"Pages are served by Voilà itself and open more slowly: {reason}.")
    server = jupyter.stock_server(stock_config(terms), host, port)
    server.initialize([])
    return server


def warning_to_host(terms: Terms) -> str:
    """What it means to listen to other machines."""
    who = "who knows the password" if terms.password else "who can reach this address"
    wish = "" if terms.password else " --password asks for a word first."
    return (
        f"Everybody {who} can play here, and makes this machine work.{wish} What is sent can be "
        "read along in the network: where that matters, put a proxy with https in front."
    )


def lab(
    folder: str | None = None,
    host: str = "127.0.0.1",
    port: int | None = None,
    open_browser: bool = True,
    allow_root: bool = False,
) -> None:  # pragma: no cover - runs until interrupted; tested from outside
    """Open JupyterLab on notebooks that may be edited.

    In a checkout these are its own notebooks; otherwise copies in a folder of the user.
    """
    need("opening the notebooks for editing", "jupyterlab")
    if _is_root() and not allow_root:
        # JupyterLab would say so too, but only after a page of other news.
        raise CastlelabError(
            "you are root, and so would be whatever runs in JupyterLab; "
            "start it as another user, or with --allow-root"
        )
    source = pages.notebooks_folder()
    if folder is None and source == pages.CHECKOUT:
        target = source  # not vouched for: anybody's notebooks may lie in it
    else:
        target = Path(folder or "castlelab-notebooks")
        pages.trust(target, pages.copy_notebooks(pages.served_folder(), target))

    from jupyterlab.labapp import LabApp
    from traitlets.config import Config

    config = Config()
    pages.configure(config)
    browser = open_browser and has_browser()
    # As arguments, which count for more than what a jupyter_server_config.py may say.
    wishes = {
        "ServerApp.ip": host,
        "ServerApp.port": 8888 if port is None else port,
        "ServerApp.open_browser": browser,
        "ExtensionApp.open_browser": browser,
        "ServerApp.root_dir": target.resolve(),
        "ServerApp.allow_root": allow_root,
        "LabApp.default_url": f"/lab/tree/{pages.LANDING}",
    }
    argv = [f"--{name}={value}" for name, value in wishes.items()]
    LabApp.initialize_server(argv, config=config).start()


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def has_browser() -> bool:
    """Whether there is a browser that opens in a window, rather than in this terminal."""
    if sys.platform.startswith("linux") and not (
        {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & os.environ.keys()
    ):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens on the port, or on the first free one where none was asked for."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = range(DEFAULT_PORT, DEFAULT_PORT + _PORTS_TRIED) if port is None else (port,)
    for number in ports:
        try:
            opened = socket.create_server((host, number), family=family, backlog=128)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise CastlelabError(f"cannot listen on {host}, port {number}: {error}") from None
        else:
            opened.setblocking(False)
            return opened
    busy = f"port {port} is" if port is not None else f"ports {ports[0]} to {ports[-1]} are"
    raise CastlelabError(f"{busy} busy; choose another with --port")


def _is_local(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _address(host: str) -> str:
    """A host as written in an address that can be opened on this machine."""
    if host in ("", "0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
