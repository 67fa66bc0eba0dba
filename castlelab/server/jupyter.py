"""All that castlelab takes from the inner parts of Jupyter: what no documentation promises.

The next release of any of these packages may have them no more. So each use says here what it
leans on and has a probe, and whoever asks has a plain way to go if the probe fails: pages are
then served as Voilà itself would serve them, more slowly, and one line of the log says why.
The front end's inner parts are fenced in the same way in ``jupyter.js``.

Nothing of Jupyter is imported before it is used: the server, its kernels and the boards each
use only some of it.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import EntryPoint, PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ipycanvas import Canvas
    from ipykernel.kernelapp import IPKernelApp
    from voila.app import Voila
    from voila.notebook_renderer import NotebookRenderer

#: For each module and thing in it, the names that are used of it, in one line.
Names = dict[str, str]

#: A server of our own instead of Voilà's. Plain way: Voilà's.
SERVER: Names = {
    "voila.app:Voila": (
        "base_url connection_dir identity_provider_class init_handlers init_settings "
        "labextensions_path listen server_url static_paths stop template_paths"
    ),
    "voila.configuration:VoilaConfiguration": "multi_kernel_manager_class page_config_hook",
    "voila.handler:BaseVoilaHandler": "prepare render_template",
    "voila.static_file_handler:AllowListFileHandler": "",
    "voila.static_file_handler:MultiStaticFileHandler": "",
    "voila.static_file_handler:TemplateStaticFileHandler": "",
    "voila.tornado.contentshandler:VoilaContentsHandler": "",
    "voila.tornado.handler:TornadoVoilaHandler": "get initialize",
    "voila.tornado.kernel_websocket_handler:VoilaKernelWebsocketHandler": (
        "on_close on_message open write_message"
    ),
    "voila.tornado.treehandler:TornadoVoilaTreeHandler": "",
    "jupyter_server.services.kernels.kernelmanager:AsyncMappingKernelManager": (
        "add_restart_callback cull_kernel_if_idle shutdown_kernel start_kernel"
    ),
}

#: Copies of kernels in which pages have run. Plain way: a page is run when somebody comes.
COPIES: Names = {
    "jupyter_client.provisioning.factory:KernelProvisionerFactory": (
        "default_provisioner_name instance provisioners"
    ),
    "jupyter_client.provisioning.local_provisioner:LocalProvisioner": (
        "launch_kernel pgid pid process send_signal"
    ),
    "voila.notebook_renderer:NotebookRenderer": "generate_content_str initialize",
    "voila.utils:get_page_config": "",
}

#: What a kernel that becomes a copy of another is made of. Plain way: as for copies.
KERNEL: Names = {
    "ipykernel.kernelapp:IPKernelApp": (
        "control_thread init_connection_file init_heartbeat init_io init_poller init_sockets "
        "iopub_thread log_connection_info reset_io shell_channel_thread write_connection_file"
    ),
    "ipykernel.kernelbase:Kernel": (
        "control_stream control_thread iopub_socket iopub_thread session shell_channel_thread "
        "stdin_socket"
    ),
}

#: A client that misses no answer. Plain way: Jupyter's, which misses one now and then.
CLIENT: Names = {
    "jupyter_client.asynchronous.client:AsyncKernelClient": (
        "control_channel_class shell_channel_class"
    ),
    "jupyter_client.channels:AsyncZMQSocketChannel": "send",
}

#: What holds drawings back. Plain way: what ipycanvas offers for it, with its traps.
CANVASES = "_buffers_cache _caching _commands_cache _current_canvas send"
_PORTS = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port")
#: Where Voilà writes down which kernel a page speaks with.
_KERNEL_OF_PAGE = re.compile(r'"kernelId":\s*"([\w-]+)"')


def lacking(use: Names) -> str:
    """What a use leans on and is there no more, in words; nothing if all is as it was.

    >>> lacking({"json:JSONDecoder": "decode"}), lacking({"json:JSONDecoder": "divine"})
    ('', 'JSONDecoder of json has no divine')
    """
    for place, names in use.items():
        module, _, name = place.partition(":")
        try:
            found = getattr(import_module(module), name)
        except (ImportError, AttributeError):
            return f"{_release(module)} has no {name} in {module}"
        if missing := lacking_of(found, names):
            return f"{name} of {_release(module)} has no {missing}"
    return ""


def lacking_of(thing: object, names: str) -> str:
    """The first of some names that a thing does not have; nothing if it has all of them."""
    return next((name for name in names.split() if not hasattr(thing, name)), "")


def _release(module: str) -> str:
    """A package with its version, as one would look it up."""
    package = module.partition(".")[0]
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:  # part of Python itself
        return package


# -- kernels ---------------------------------------------------------------------------------


def use_provisioner(name: str, kind: str) -> None:
    """Let every kernel of this process be started by a provisioner of ours."""
    from jupyter_client.provisioning.factory import KernelProvisionerFactory

    factory = KernelProvisionerFactory.instance()
    factory.provisioners[name] = EntryPoint(name, kind, "")
    factory.default_provisioner_name = name


def stop_after_message(app: IPKernelApp) -> None:
    """Let a kernel answer what it is at, and return from its loop."""
    app.io_loop.add_callback(app.io_loop.stop)


def reconnect(app: IPKernelApp, connection_file: str) -> None:
    """Make a forked kernel one of its own, reached by what a connection file says.

    Threads are not forked, and sockets must not be shared, so all of them are made anew. The
    kernel, its shell and its boards stay, and are told of the new ones.
    """
    from jupyter_client.session import Session

    asyncio.set_event_loop(asyncio.new_event_loop())
    app.reset_io()
    app.context = None
    app.curve_publickey = app.curve_secretkey = None
    for port in _PORTS:
        setattr(app, port, 0)
    app.session = Session(parent=app)
    app.connection_file = connection_file
    app.init_connection_file()
    app.init_poller()
    app.init_sockets()
    app.init_heartbeat()
    app.write_connection_file()
    app.log_connection_info()
    app.init_io()
    _hand_over(app)


def _hand_over(app: IPKernelApp) -> None:
    """Give the kernel and its shell the new session, sockets and threads."""
    from zmq.eventloop.zmqstream import ZMQStream

    shell_thread, control_thread = app.shell_channel_thread, app.control_thread
    shell_thread.shell_stream = ZMQStream(app.shell_socket, shell_thread.io_loop)
    control_stream = ZMQStream(app.control_socket, control_thread.io_loop)
    shell_thread.start()
    control_thread.start()

    kernel, shell = app.kernel, app.kernel.shell
    kernel.session = app.session
    kernel.shell_stream, kernel.shell_channel_thread = shell_thread.shell_stream, shell_thread
    kernel.control_stream, kernel.control_thread = control_stream, control_thread
    kernel.iopub_thread, kernel.iopub_socket = app.iopub_thread, app.iopub_socket
    kernel.stdin_socket = app.stdin_socket
    kernel.debugpy_stream = None  # nobody debugs a page
    kernel._stdout, kernel._stderr = sys.stdout, sys.stderr
    kernel._main_asyncio_lock = asyncio.Lock()  # a lock belongs to its loop
    app.displayhook.get_execution_count = lambda: kernel.execution_count
    for speaker in (shell.displayhook, shell.display_pub):
        speaker.session, speaker.pub_socket = app.session, app.iopub_socket


# -- pages -----------------------------------------------------------------------------------


def renderer(
    server: Voila, page: str, page_config_hook: Callable[..., dict[str, Any]]
) -> NotebookRenderer:
    """What runs a page and writes it down, without a visitor."""
    from voila.notebook_renderer import NotebookRenderer
    from voila.utils import get_page_config

    settings = server.app.settings
    page_config = get_page_config(
        base_url=server.base_url,
        settings=settings,
        log=server.log,
        voila_configuration=server.voila_configuration,
    )
    return NotebookRenderer(
        voila_configuration=server.voila_configuration,
        traitlet_config=server.config,
        notebook_path=page,
        template_paths=server.template_paths,
        config_manager=server.config_manager,
        contents_manager=server.contents_manager,
        base_url=server.base_url,
        kernel_spec_manager=server.kernel_spec_manager,
        page_config=page_config_hook(page_config),
        mathjax_config=settings.get("mathjax_config"),
        mathjax_url=settings.get("mathjax_url"),
    )


def names_its_kernel(html: str, kernel_id: str) -> bool:
    """Whether a page tells its front end the kernel in the place where we would change it.

    >>> names_its_kernel('{"kernelId": "a-1"}', "a-1"), names_its_kernel("{'kernel': 'a-1'}", "a-1")
    (True, False)
    """
    found = _KERNEL_OF_PAGE.search(html)
    return found is not None and found[1] == kernel_id


def stock_server(config: Any, host: str, port: int) -> Voila:
    """Voilà as it is, with our template and our pages, on a port that is free."""
    from voila.app import Voila

    config.Voila.ip, config.Voila.port, config.Voila.port_retries = host, port, 0
    config.Voila.open_browser = False
    return Voila(config=config)


# -- boards ----------------------------------------------------------------------------------


@contextmanager
def held(canvas: Canvas) -> Iterator[None]:
    """Hold what is drawn on a canvas and send it as one message; drop it if drawing fails.

    All canvases of a process share a manager that remembers which one is current. It forgets
    that here, before and after: a page may be new and know of none, and what somebody else
    holds for another canvas must go where it belongs.
    """
    manager: Any = getattr(canvas, "_canvas_manager", None)
    if lacking_of(manager, CANVASES):
        with _held_plainly():
            yield
        return
    theirs = manager._caching, manager._commands_cache, manager._buffers_cache
    manager._caching, manager._commands_cache, manager._buffers_cache = True, [], []
    manager._current_canvas = None
    try:
        yield
        _send(manager, manager._commands_cache, manager._buffers_cache)
    finally:
        manager._caching, manager._commands_cache, manager._buffers_cache = theirs
        manager._current_canvas = None


def _send(manager: Any, commands: list[Any], buffers: list[Any]) -> None:
    """What ipycanvas sends, but without the spaces that an eighth of a large message is."""
    if commands:
        text = json.dumps(commands, ensure_ascii=False, separators=(",", ":")).encode()
        manager.send({"shape": [len(text)], "dtype": "uint8"}, buffers=[text, *buffers])
        time.sleep(_A_MOMENT)  # the thread that sends would wait until nobody computes any more


_A_MOMENT = 0.0001


@contextmanager
def _held_plainly() -> Iterator[None]:
    """What ipycanvas offers for holding; it does not say where to go on after an error."""
    from ipycanvas import hold_canvas

    with hold_canvas():
        yield
