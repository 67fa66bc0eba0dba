"""How a page's server talks to the kernel that runs the page."""

from __future__ import annotations

from typing import Any

import zmq
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.channels import AsyncZMQSocketChannel
from traitlets import Type


class AttentiveChannel(AsyncZMQSocketChannel):
    """A channel that looks for answers again whenever it has said something.

    A socket announces an answer once. Sending takes note of what has arrived in the meantime
    and swallows that announcement, and whoever waits for the answer would wait for ever. While
    a cell runs, this is what happens to the state of an Output widget (``interact`` has one):
    about one page in ten that had such a cell never finished.
    """

    def send(self, msg: Any) -> None:
        super().send(msg)
        if self.socket is not None:
            self.socket.get(zmq.EVENTS)  # asking is enough: what is there gets handled


class PageClient(AsyncKernelClient):
    """A client whose requests never hide an answer."""

    shell_channel_class = Type(AttentiveChannel)
    control_channel_class = Type(AttentiveChannel)
