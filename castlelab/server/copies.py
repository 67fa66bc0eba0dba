"""Kernels for visitors: copies of a kernel in which the page has run already."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import sys
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from voila.notebook_renderer import NotebookRenderer

from castlelab.server import SERVER_PROCESS, jupyter
from castlelab.server.capacity import process_memory
from castlelab.server.states import shared
from castlelab.server.visitors import VisitorKernelManager

#: Names the provisioner below to Jupyter.
PROVISIONER = "castlelab-provisioner"
#: In the environment of a kernel to be started: the socket at which the original takes orders.
_COPY_OF = "CASTLELAB_COPY_OF"
#: In the environment of a kernel to be started that can become an original.
_ORIGINAL = "CASTLELAB_ORIGINAL"
#: What a kernel runs when its page is done.
_REST = "__import__('castlelab.server.kernel', fromlist=['rest']).rest({!r})"
#: Where the boards of a page end; what follows makes them live.
END_OF_BOARDS = "<!-- the end of the boards -->"
_PATIENCE = 120  # seconds for a kernel to answer at all
_REFILL_AFTER = 3.0  # seconds that a visitor has both cores for the page
_LONGEST_PAUSE = 60.0  # seconds between two tries to bring back what has died


class CannotCopy(Exception):
    """Kernels cannot be copied with the Jupyter that is installed."""


def possible() -> bool:
    """Whether processes can be copied, and held on to, on this system."""
    return hasattr(os, "fork") and hasattr(os, "pidfd_open")


def use_copies(config: Any) -> None:
    """Let a server start its kernels as copies."""
    jupyter.use_provisioner(PROVISIONER, f"{__name__}:CopyProvisioner")
    config.VoilaConfiguration.multi_kernel_manager_class = f"{__name__}.CopyingKernelManager"


class CopyProcess:
    """The process of a copy. It is no child of ours, so it is held by its descriptor."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._held: int | None = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Zero once the process has ended; what it returned is not known here."""
        return self._ended_within(0)

    def wait(self) -> int:
        self._ended_within(None)
        return 0

    def _ended_within(self, milliseconds: int | None) -> int | None:
        """Look whether it has ended; then there is nothing left to be held."""
        if self._held is not None:
            look = select.poll()  # ``select.select`` fails above a thousand open files
            look.register(self._held, select.POLLIN)
            if not look.poll(milliseconds):
                return None
            os.close(self._held)
            self._held = None
        return 0

    def send_signal(self, number: int) -> None:
        if self._held is not None:
            signal.pidfd_send_signal(self._held, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


class CopyProvisioner(LocalProvisioner):
    """Starts originals as processes, and all other kernels as copies of one."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        socket_path = kwargs["env"].pop(_COPY_OF, None)
        if socket_path is None:
            if kwargs["env"].pop(_ORIGINAL, None):
                cmd = [sys.executable, "-m", "castlelab.server.kernel", "-f", cmd[-1]]
            return await super().launch_kernel(cmd, **kwargs)
        order = {
            "connection_file": self.parent.connection_file,
            "cwd": str(kwargs.get("cwd") or Path.cwd()),
            "env": kwargs["env"],
        }
        self.process = CopyProcess(await _order(socket_path, order))
        self.pid = self.pgid = self.process.pid
        self.cwd = order["cwd"]
        return self.connection_info

    async def send_signal(self, signum: int) -> None:
        """Jupyter interrupts a kernel before it kills it; ours would complain in between."""
        if signum != signal.SIGINT:
            await super().send_signal(signum)


async def _order(socket_path: str, order: dict[str, Any]) -> int:
    """Ask an original for a copy; returns its process."""
    reader, writer = await asyncio.open_unix_connection(socket_path)
    try:
        writer.write(json.dumps(order).encode() + b"\n")
        return int(await reader.readline())
    finally:
        writer.close()


class CopyingKernelManager(VisitorKernelManager):
    """Starts kernels as copies: of a page's original, or of the one with which all began."""

    first_socket_path: str | None = None
    copying = True  # until it turns out to be impossible

    async def start_kernel(self, **kwargs: Any) -> str:
        env = {**os.environ, **kwargs.pop("env", {}), SERVER_PROCESS: str(os.getpid())}
        if page := kwargs.pop("copy_of", None):
            return await super().start_kernel(env={**env, _COPY_OF: page}, **kwargs)
        if self.first_socket_path is not None:
            copied = {**env, _COPY_OF: self.first_socket_path}
            try:
                return await super().start_kernel(env=copied, **kwargs)
            except OSError:
                self.first_socket_path = None  # it does not answer any more
        if self.copying:
            env[_ORIGINAL] = "1"
        return await super().start_kernel(env=env, **kwargs)


class Original:
    """A page that has run: its kernel, where copies of it are made, and what it looks like.

    All visitors get the same page up to its end, which names their kernel. So it is packed once,
    and the packing goes on from there for each of them.
    """

    def __init__(self, kernel_id: str, socket_path: str, html: str, states: str) -> None:
        if not jupyter.names_its_kernel(html, kernel_id):
            raise CannotCopy("Voilà's pages do not say where they would what their kernel is")
        self.kernel_id, self.socket_path = kernel_id, socket_path
        self.lost = False  # once a copy was not to be had
        body, _, self._end = html.replace(kernel_id, "").rpartition(END_OF_BOARDS)
        # Nothing in it can end the element that holds it.
        held = shared(json.loads(states)).replace("<", "\\u003c")
        script = f'<script id="castlelab-states" type="application/json">{held}</script>'
        self._body = f"{body}{script}".encode()
        self._packer = zlib.compressobj(6, wbits=31)
        packed = self._packer.compress(self._body)
        self._packed = packed + self._packer.flush(zlib.Z_SYNC_FLUSH)

    def body(self, packed: bool) -> bytes:
        """The page but for its end, the same for everybody."""
        return self._packed if packed else self._body

    def end(self, kernel_id: str | None, packed: bool) -> bytes:
        """The end of the page, which lets it speak with a kernel; without one it comes again."""
        call = f"kernel({json.dumps(kernel_id)})" if kernel_id else "again()"
        end = f"<script>castlelab.{call}</script>{self._end}".encode()
        if not packed:
            return end
        packer = self._packer.copy()
        return packer.compress(end) + packer.flush()


async def _reply(client: Any, asked: str) -> str:
    """The error with which a kernel answered a request; nothing while it has none to tell."""
    while await client.shell_channel.msg_ready():
        message = await client.shell_channel.get_msg()
        if message["parent_header"].get("msg_id") == asked:
            content = message["content"]
            return str(content.get("evalue", "")) if content["status"] == "error" else ""
    return ""


@dataclass
class PreparedPages:
    """The originals of all pages, and some copies of each that wait for a visitor."""

    manager: CopyingKernelManager
    renderer: Callable[[str], NotebookRenderer]
    folder: Path
    ready: int
    originals: dict[str, Original] = field(default_factory=dict)
    waiting: dict[str, list[str]] = field(default_factory=dict)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    first: str = ""  # the kernel with which all begins
    closed: bool = False
    filling: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.manager.on_death = self.missed

    async def open(self, pages: list[str]) -> None:
        """Run every page once, one after another, so that a core is left for visitors.

        If kernels cannot be copied here, say so and leave it: pages are run for each visitor.
        """
        try:
            await self.begin()
            await self.try_copy()
            for page in pages:
                await self.prepare(page)
        except CannotCopy:
            self.closed = True
            self.originals.clear()
            self.manager.copying, self.manager.first_socket_path = False, None
            for kernel_id in self._kept():
                await self.manager.end(kernel_id)
            raise

    async def begin(self) -> None:
        """Make the original with which all begins: one that has imported what all pages need."""
        self.first = await self._start()
        self.manager.first_socket_path = await self._rest(self.first)

    async def try_copy(self) -> None:
        """Make one copy and hear it answer, before anybody depends on it."""
        kernel_id = await self._start()
        try:
            async with self._client(kernel_id):
                pass
        finally:
            await self.manager.end(kernel_id)

    async def prepare(self, page: str) -> None:
        """Run a page, let its kernel rest, and have copies ready."""
        kernel_id = await self._start()
        try:
            renderer = self.renderer(page)
            await renderer.initialize()
            kernel = self.manager.get_kernel(kernel_id)
            html = await renderer.generate_content_str(kernel_id, kernel)
        except (AttributeError, TypeError) as error:
            raise CannotCopy(
                f"Voilà does not run pages in advance as we know it: {error}"
            ) from None
        socket_path = await self._rest(kernel_id)
        states = Path(f"{socket_path}.json").read_text()
        self.originals[page] = Original(kernel_id, socket_path, html, states)
        await self.refill(page)

    async def refill(self, page: str) -> None:
        """Have copies of a page wait for visitors, made one at a time whoever asks for them."""
        async with self.filling:
            waiting = self.waiting.setdefault(page, [])
            while len(waiting) < self.ready and page in self.originals:
                waiting.append(await self._start(copy_of=self.originals[page].socket_path))

    def visit(self, page: str) -> tuple[Original, Awaitable[str]] | None:
        """What a new visitor sees, and the kernel's start; none if the page has not run yet."""
        if (original := self.originals.get(page)) is None:
            return None
        if original.lost:
            self.forget(page)
            return None
        self.later(_REFILL_AFTER, partial(self.refill, page))
        waiting = self.waiting[page]
        while waiting:
            kernel_id = waiting.pop(0)
            if kernel_id in self.manager:  # it has not died while it waited
                return original, self.manager.hand_out(kernel_id)
        return original, self.manager.start_kernel(copy_of=original.socket_path)

    def cost(self) -> str:
        """What is there in advance, and the memory that it takes, shared parts counted once."""
        waiting = sum(map(len, self.waiting.values()))
        kept = map(self.manager.get_kernel, self._kept())
        held = sum(process_memory(kernel.provisioner.pid) for kernel in kept)
        return f"{len(self.originals)} run, {waiting} copies waiting, {held / 2**20:.0f} MB"

    def _kept(self) -> list[str]:
        return [kernel_id for kernel_id in self.manager.kept if kernel_id in self.manager]

    def forget(self, page: str) -> None:
        """Run a page anew, since its original does not answer any more."""
        self.manager.kept.discard(self.originals.pop(page).kernel_id)
        self.later(_REFILL_AFTER, partial(self.persist, partial(self.prepare, page)))

    def missed(self, kernel_id: str) -> None:
        """Bring back what has died though nobody wanted it to: an original, or a copy of one."""
        if kernel_id == self.first:
            self.manager.first_socket_path = None
            self.later(_REFILL_AFTER, partial(self.persist, self.begin))
        for page, original in list(self.originals.items()):
            if original.kernel_id == kernel_id:
                self.forget(page)
            elif kernel_id in self.waiting.get(page, ()):
                self.waiting[page].remove(kernel_id)
                self.later(_REFILL_AFTER, partial(self.refill, page))

    async def persist(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something until it succeeds, less and less often: a machine may be out of breath."""
        pause = _REFILL_AFTER
        while True:
            try:
                return await work()
            except Exception as error:
                self.manager.log.error("cannot prepare a page, will try again: %s", error)
            pause = min(2 * pause, _LONGEST_PAUSE)
            await asyncio.sleep(pause)

    async def _start(self, **kwargs: str) -> str:
        return await self.manager.start_kernel(keep=True, **kwargs)

    async def _rest(self, kernel_id: str) -> str:
        """Make an original of a kernel; returns the path of the socket at which copies are to be
        had.
        """
        socket_path = self.folder / f"original-{kernel_id[:8]}"
        async with self._client(kernel_id) as client:
            asked = client.execute(_REST.format(str(socket_path)), silent=True, store_history=False)
            end = time.monotonic() + _PATIENCE
            while not socket_path.exists():
                await asyncio.sleep(0.02)
                if reply := await _reply(client, asked):
                    raise CannotCopy(reply)
                if time.monotonic() > end:
                    raise CannotCopy("a kernel does not come to rest")
        return str(socket_path)

    @asynccontextmanager
    async def _client(self, kernel_id: str) -> AsyncIterator[Any]:
        """Speak with a kernel, once it answers."""
        client = self.manager.get_kernel(kernel_id).client()
        client.start_channels()
        try:
            await client.wait_for_ready(timeout=_PATIENCE)
            yield client
        except RuntimeError as error:  # it has died, or does not answer
            raise CannotCopy(f"a kernel does not answer: {error}") from None
        finally:
            client.stop_channels()

    def close(self) -> None:
        """Prepare nothing more."""
        self.closed = True
        for task in self.tasks:
            task.cancel()

    def later(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        """Do something that nobody waits for."""
        if self.closed:
            return

        async def wait() -> None:
            await asyncio.sleep(seconds)
            try:
                await work()
            except Exception:
                if not self.closed:  # else kernels end meanwhile, and that is all that failed
                    self.manager.log.exception("cannot prepare for visitors")

        task = asyncio.get_running_loop().create_task(wait())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
