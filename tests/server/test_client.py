"""The server's side of the talk with a kernel."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import zmq
import zmq.asyncio
from jupyter_client.session import Session
from jupyter_server.services.kernels.kernelmanager import ServerKernelManager
from traitlets.config import Config

from castlelab.server import pages
from castlelab.server.client import AttentiveChannel, PageClient


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[zmq.Socket[bytes]]:
    """The kernel's end of a shell channel."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as socket:
        socket.bind(f"ipc://{tmp_path}/shell")
        socket.linger = 0
        yield socket


async def answer_while_sending(kernel: zmq.Socket[bytes]) -> dict[str, Any]:
    """What a channel hears if the answer comes just before it sends something else."""
    session = Session(key=b"")
    with zmq.asyncio.Context() as context:
        socket = context.socket(zmq.DEALER)
        socket.linger = 0
        with closing(socket):
            socket.connect(kernel.last_endpoint)
            channel = AttentiveChannel(socket, session)
            channel.send(session.msg("kernel_info_request"))
            asker = kernel.recv_multipart()[0]
            hearing = asyncio.ensure_future(channel.get_msg())
            await asyncio.sleep(0.1)  # now it waits for the socket to announce something
            session.send(kernel, "kernel_info_reply", ident=asker)
            time.sleep(0.3)  # the answer arrives while the loop is busy
            channel.send(session.msg("comm_msg"))
            return await asyncio.wait_for(hearing, 10)


def test_an_answer_that_comes_while_something_is_sent_is_not_missed(
    kernel: zmq.Socket[bytes],
) -> None:
    assert asyncio.run(answer_while_sending(kernel))["msg_type"] == "kernel_info_reply"


def test_pages_are_run_by_such_a_client() -> None:
    config = Config()
    pages.configure(config)
    client = ServerKernelManager(config=config).client()
    assert isinstance(client, PageClient)
    assert client.shell_channel_class is AttentiveChannel
