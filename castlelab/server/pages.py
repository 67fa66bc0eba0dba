"""The notebooks: where they are, and how they are opened as pages or for editing."""

from __future__ import annotations

import atexit
import errno
import logging
import os
import re
import shutil
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import TYPE_CHECKING, Any

import castlelab
from castlelab.game import GAMES, notebook
from castlelab.rules import CastlelabError, quoted
from castlelab.system.packages import need

if TYPE_CHECKING:
    from castlelab.server.server import PageServer

DEFAULT_PORT = 8866
LANDING = "welcome.ipynb"
TEMPLATE = "castlelab"

#: Our folder of Jupyter data; the template is in it. It is filed under ``nbconvert``,
#: where Voilà also looks: a folder named ``voila`` would hide Voilà's own themes.
DATA_FOLDER = Path(__file__).parent / "template"

_PACKAGED = Path(castlelab.__file__).parent / "notebooks"
_CHECKOUT = _PACKAGED.parent.parent / "notebooks"

#: What a page needs of JupyterLab's extensions. Whatever else is installed stays away.
_FRONT_END = (
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
    "anywidget",
    "ipycanvas",
)

_CULL_AFTER = 60 * 60  # seconds without a word from a page before its kernel is ended
_CULL_EVERY = 60
_MISSED_AFTER = 60  # seconds without a page before its kernel is ended
_PORTS_TRIED = 20
_OPEN_FILES = 1 << 15
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
_FOLDER = re.compile(r"(?!\.+$)([\w.~@-]|%[0-9A-Fa-f]{2})+", re.ASCII)  # of an address
_SHORT_PATH = 30  # a kernel's sockets are files in there, and their paths have 107 bytes at most


def notebooks_folder() -> Path:
    """The folder of the notebooks: inside an installed package, or beside it in a checkout."""
    for folder in (_PACKAGED, _CHECKOUT):
        if (folder / LANDING).is_file():
            return folder
    raise CastlelabError(
        f"the notebooks are missing: there is no {LANDING} in {_PACKAGED} or {_CHECKOUT}"
    )


@cache
def served_folder() -> Path:
    """The folder that is served: ours, or copies where other packages bring walk-throughs too."""
    folder = notebooks_folder()
    theirs = {name: found for name in GAMES if (found := notebook(name)) is not None}
    if not theirs:
        return folder
    gathered = Path(mkdtemp(prefix="castlelab-pages-"))
    atexit.register(shutil.rmtree, gathered, ignore_errors=True)
    copy_notebooks(folder, gathered)
    for name, found in theirs.items():
        copy = gathered / f"{name}.ipynb"
        if copy.exists():  # a game called "play"
            logging.getLogger("castlelab").warning("Left out: the page of %s, which is ours", name)
        else:
            copy.write_bytes(found.read_bytes())
    return gathered


def page_names(folder: Path) -> frozenset[str]:
    """The notebooks of a folder that may be shown as pages."""
    return frozenset(path.name for path in folder.glob("*.ipynb") if path.name[0] not in "._")


def configure(config: Any) -> None:
    """Set up Voilà in a Jupyter configuration, so that pages look the same everywhere.

    In a ``jupyter_server_config.py``: ``from castlelab import pages; pages.configure(c)``.
    """
    found = os.environ.get("JUPYTER_PATH", "")
    if str(DATA_FOLDER) not in found.split(os.pathsep):
        os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, (str(DATA_FOLDER), found)))

    config.VoilaConfiguration.template = TEMPLATE
    config.VoilaConfiguration.strip_sources = True
    # The address of a page may choose neither: Voilà writes them into the page unescaped.
    config.VoilaConfiguration.allow_template_override = "NO"
    config.VoilaConfiguration.allow_theme_override = "NO"
    config.VoilaConfiguration.page_config_hook = offline
    config.VoilaConfiguration.extension_allowlist = list(_FRONT_END)
    config.VoilaConfiguration.file_allowlist = [r".*\.(png|jpg|gif|svg)"]
    config.VoilaConfiguration.file_denylist = [r".*\.(ipynb|py)"]
    config.MappingKernelManager.cull_idle_timeout = _CULL_AFTER
    config.MappingKernelManager.cull_interval = _CULL_EVERY
    from castlelab.server import jupyter

    if not jupyter.lacking(jupyter.CLIENT):
        config.KernelManager.client_factory = "castlelab.server.client.PageClient"
    # A page of many boards sends a burst when it opens. Cut short, it lacks some of them.
    config.ZMQChannelsWebsocketConnection.limit_rate = False


def offline(page_config: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A page's settings without an old MathJax from elsewhere; Voilà then takes its own, new one.

    It does so only if neither an address nor a configuration is there.
    """
    return {**page_config, "fullMathjaxUrl": None, "mathjaxConfig": None}


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
    cull_after: int = _CULL_AFTER
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
    opened = _listen(host, port)  # before the slow imports, so that a busy port is said at once
    taken = opened.getsockname()[1]
    address = f"http://{_address(host)}:{taken}{terms.base_url}"

    from castlelab.server import jupyter

    if reason := jupyter.lacking(jupyter.SERVER):
        server = _stock_server(opened, terms, host, reason)
        address += f"voila/render/{LANDING}"
    else:
        server = page_server(opened, terms, local=_is_local(host))

    if port is None and taken != DEFAULT_PORT:
        print(f"Port {DEFAULT_PORT} is busy, so this is port {taken}.")
    if not _is_local(host):
        print(_in_the_open(terms))
    print(f"castlelab is at {address}  (Ctrl-C ends it)", flush=True)
    if open_browser and has_browser():
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    server.start()


def serve_one(
    environment: Mapping[str, str], cull_after: int
) -> None:  # pragma: no cover - as above
    """Serve the pages to one person, as the JupyterHub that starts us tells in the environment."""
    try:
        from castlelab.server.hub import HubServer, Post
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "jupyterhub":
            raise
        raise CastlelabError(
            "a server behind a JupyterHub needs the package jupyterhub; "
            "install it with: pip install 'castlelab[hub]'"
        ) from None
    post = Post.of(environment)
    opened = _listen(post.host, post.port)
    terms = Terms(base_url=post.base_url, cull_after=cull_after)
    page_server(opened, terms, local=False, kind=HubServer).start()


def page_server(
    opened: socket.socket, terms: Terms, local: bool, kind: type[PageServer] | None = None
) -> PageServer:  # pragma: no cover - as above
    """A server of the pages on a socket that listens already, ready to be started."""
    from castlelab.server import copies, jupyter
    from castlelab.server.server import PageServer

    _allow_many_visitors()
    config = _configured(terms)
    _apply(terms, config)
    if terms.preheat and copies.possible():
        if reason := jupyter.lacking(jupyter.COPIES):
            print(f"Pages are run for each visitor and open more slowly: {reason}.")
        else:
            copies.configure(config)
    server = (kind or PageServer)(config=config)
    server.pages, server.landing, server.socket = page_names(served_folder()), LANDING, opened
    server.preheat, server.max_visitors = terms.preheat, terms.max_visitors
    server.local, server.proxy = local, terms.proxy.lower()
    server.initialize([])
    return server


def _stock_server(opened: socket.socket, terms: Terms, host: str, reason: str) -> Any:
    """Voilà's own server in the place of ours, where it keeps the terms; ready to be started."""
    from castlelab.server import jupyter

    port = opened.getsockname()[1]
    opened.close()  # Voilà wants to open the port itself
    if terms != Terms():
        raise CastlelabError(
            f"{reason}, so only plain castlelab serve works here; pip install castlelab again "
            "for the versions that it knows"
        )
    print(f"Pages are served by Voilà itself and open more slowly: {reason}.")
    server = jupyter.stock_server(_configured(terms), host, port)
    server.initialize([])
    return server


def _configured(terms: Terms) -> Any:
    """The configuration of a server of ours or of Voilà's."""
    folder = served_folder()

    from traitlets.config import Config

    config = Config()
    configure(config)
    config.Voila.root_dir = str(folder)
    config.Voila.base_url = terms.base_url
    config.Voila.config_file_paths = []  # a voila.json that happens to lie about is not ours
    config.Voila.log_level = "ERROR"
    if sys.platform == "linux" and len(gettempdir()) <= _SHORT_PATH:
        config.KernelManager.transport = "ipc"  # other users of the machine can listen to ports
    logging.getLogger("tornado").setLevel(logging.ERROR)  # a missing page is no news here
    return config


def _allow_many_visitors() -> None:
    """Raise the number of files that may be open to what the system lets us: a page needs 20."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < enough:
        resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))


def _apply(terms: Terms, config: Any) -> None:
    """Write terms into a configuration of the server."""
    config.VoilaConfiguration.multi_kernel_manager_class = (
        "castlelab.server.visitors.VisitorKernelManager"
    )
    config.MappingKernelManager.cull_idle_timeout = terms.cull_after
    config.MappingKernelManager.cull_interval = max(1, min(_CULL_EVERY, terms.cull_after // 4))
    config.MappingKernelManager.cull_connected = True  # a page that is left open, too
    config.MappingKernelManager.buffer_offline_messages = False
    config.VisitorKernelManager.abandon_after = float(min(_MISSED_AFTER, terms.cull_after))
    config.KernelRestarter.restart_limit = 0  # an empty kernel would be no use to the page
    config.KernelRestarter.time_to_dead = 1.0
    config.PageServer.identity_provider_class = "castlelab.server.password.PasswordIdentity"
    config.PasswordIdentity.password = terms.password


def _in_the_open(terms: Terms) -> str:
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
    source = notebooks_folder()
    if folder is None and source == _CHECKOUT:
        target = source
    else:
        target = Path(folder or "castlelab-notebooks")
        copy_notebooks(served_folder(), target)

    from jupyterlab.labapp import LabApp
    from traitlets.config import Config

    config = Config()
    configure(config)
    browser = open_browser and has_browser()
    # As arguments, which count for more than what a jupyter_server_config.py may say.
    wishes = {
        "ServerApp.ip": host,
        "ServerApp.port": 8888 if port is None else port,
        "ServerApp.open_browser": browser,
        "ExtensionApp.open_browser": browser,
        "ServerApp.root_dir": target.resolve(),
        "ServerApp.allow_root": allow_root,
        "LabApp.default_url": f"/lab/tree/{LANDING}",
    }
    argv = [f"--{name}={value}" for name, value in wishes.items()]
    LabApp.initialize_server(argv, config=config).start()


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def copy_notebooks(source: Path, target: Path) -> tuple[str, ...]:
    """Copy every notebook that is not there yet, and return the names of those copied."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        new = sorted(name for name in page_names(source) if not (target / name).exists())
        for name in new:
            shutil.copyfile(source / name, target / name)
    except OSError as error:
        raise CastlelabError(f"cannot copy the notebooks to {target}: {error.strerror}") from None
    return tuple(new)


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


def _listen(host: str, port: int | None) -> socket.socket:
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
