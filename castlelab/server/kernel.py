"""A kernel that can be copied: it runs a page once, rests, and is copied for every visitor.

A copy is a fork. It takes a few hundredths of a second, everything is imported and run in it
already, and it shares its memory with the original until it writes to it. The copy has sockets,
threads and a loop of its own; what the page made, boards and all, is taken over as it is.

Only for systems that can fork.
"""

from __future__ import annotations

import gc
import importlib
import json
import logging
import os
import random
import select
import signal
import socket
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ipykernel.kernelapp import IPKernelApp
from traitlets.config import Config

from castlelab.server import SERVER_PROCESS, jupyter

#: What every page needs. Imported once, by the first original, and shared by all that follow.
IMPORTED = ("castlelab", "castlelab.widgets", "castlelab.bots", "castlelab.study", "numpy")


class CopiedKernelApp(IPKernelApp):
    """A kernel that stops at a word and is copied from then on."""

    name = "castlelab-kernel"
    socket_path: str = ""  # where copies are asked for, once it rests

    def start(self) -> None:
        """Answer messages; when told to rest, make copies instead."""
        super().start()
        while self.socket_path:
            order = copies_ordered(self.socket_path)
            self.socket_path = ""
            try:
                self.become_a_copy(order)
            except Exception:
                if Path(order["connection_file"]).parent.exists():
                    raise
                os._exit(0)  # the server has ended meanwhile, and taken its folder along
            super().start()

    def rest(self, socket_path: str) -> None:
        """Stop answering after this message, and wait at the socket for orders."""
        self.socket_path = socket_path
        jupyter.stop_after_message(self)

    def become_a_copy(self, order: Mapping[str, Any]) -> None:
        """Take the place of an original of which this process is a fork."""
        os.environ.update(order["env"])
        os.chdir(order["cwd"])
        random.seed()
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed()
        jupyter.reconnect(self, order["connection_file"])

    def init_poller(self) -> None:
        """End with the server, rather than with the process that this one was forked from."""
        end_with(int(os.environ[SERVER_PROCESS]))


def copies_ordered(socket_path: str) -> dict[str, Any]:
    """Fork for every order that comes to the socket; returns in the forks, with the order."""
    gc.collect()
    gc.freeze()  # a collection in a copy would write to all that it shares
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the copies
    with listening_at(socket_path) as listener:
        while True:
            visitor, _ = listener.accept()
            with visitor, visitor.makefile("rw") as talk:
                order: dict[str, Any] = json.loads(talk.readline())
                if (copy := os.fork()) == 0:
                    os.setsid()  # signals for the server's group are not for visitors' kernels
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    return order
                talk.write(f"{copy}\n")


def listening_at(socket_path: str) -> socket.socket:
    """A socket that is to be seen only once it answers.

    Whoever waits for its file asks at once, and between its birth and its listening it would be
    refused: on a busy machine the pages that were still to come then had no copies.
    """
    listener = socket.socket(socket.AF_UNIX)
    unseen = f"{socket_path}.new"
    listener.bind(unseen)
    listener.listen(64)
    Path(unseen).rename(socket_path)
    return listener


def end_with(process: int) -> None:
    """End this process as soon as another one has ended, however that came."""

    def wait() -> None:
        with suppress(ProcessLookupError):
            look = select.poll()
            look.register(os.pidfd_open(process), select.POLLIN)
            look.poll()
        os._exit(0)

    threading.Thread(target=wait, name="end with server", daemon=True).start()


def rest(socket_path: str) -> None:
    """What a server lets a kernel run when the page is done: be an original from now on.

    The states of the page's widgets are left beside the socket. Every copy begins with them.
    """
    if lacking := jupyter.lacking(jupyter.KERNEL):
        raise RuntimeError(lacking)
    from ipywidgets import Widget  # not before there is a kernel: it registers with it

    states = Widget.get_manager_state()["state"]
    Path(f"{socket_path}.json").write_text(json.dumps(states, separators=(",", ":")))
    CopiedKernelApp.instance().rest(socket_path)


def start_original() -> None:
    """Start the first original."""
    # No history: it is a file, and copies would write over one another in it.
    config = Config(HistoryManager={"enabled": False})
    app = CopiedKernelApp.instance(config=config, capture_fd_output=False, log_level=logging.ERROR)
    app.initialize()
    for name in IMPORTED:  # now that there is a kernel: widgets register with it
        importlib.import_module(name)
    app.start()


if __name__ == "__main__":
    from castlelab.server import kernel  # this module under its own name, for ``rest``

    kernel.start_original()
