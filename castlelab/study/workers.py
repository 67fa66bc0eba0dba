"""Who does the work: this process, more processes of this machine, or any executor.

Work is numbered and handed out in stretches of numbers. A stretch may be done anywhere, in
any order, and again if it was lost with its worker; the results come back in order.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from enum import Enum, auto
from multiprocessing import current_process, get_context
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from castlelab.rules import CastlelabError, quoted
from castlelab.system.packages import need

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")

#: Does a stretch of numbers and returns one result for each. It had better pickle.
Work = Callable[[range], list[T]]

TRIES = 4  # for one stretch, before its loss is an error
STRETCH_SECONDS = 0.5  # long beside the cost of handing it out, short beside a cup of tea
LONGEST_STRETCH = 1_000
LOOK_SECONDS = 0.5  # how long work is tried here before processes are considered
WORTH_SECONDS = 2.0  # how much must be left for them
ASK_SECONDS = 5.0  # how often a cluster is asked how it is
PATIENCE_SECONDS = 60.0  # with a cluster that has no workers
CONNECT_SECONDS = 10


class LostWork(CastlelabError):
    """Work was handed out and did not come back, however often it was tried."""


def in_order(
    work: Work[T], numbers: range, executor: Any = None, workers: int | None = None
) -> Generator[list[T], None, None]:
    """The results of all numbers in order, a few at a time, as they are finished.

    Without an executor and a number of workers the work begins here, and moves to one
    process for each core if there is enough of it.

    >>> [result for some in in_order(list, range(4), workers=1) for result in some]
    [0, 1, 2, 3]
    """
    if executor is not None:
        yield from _handed_out(work, numbers, _GivenExecutor(executor, work))
        return
    first = numbers.start
    if workers is None or workers == 1:
        stays = workers == 1 or _way_out(work) is None
        for results in _here(work, numbers, forever=stays):
            first += len(results)
            yield results
    if first < numbers.stop:
        with _Processes(workers or cores(), work) as processes:
            yield from _handed_out(processes.work, range(first, numbers.stop), processes)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _here(work: Work[T], numbers: range, forever: bool) -> Iterator[list[T]]:
    """Do the work in this process, until it is clear that processes are worth their start."""
    # A daemon may not have children.
    forever = forever or cores() == 1 or current_process().daemon
    begin = time.monotonic()
    for number in numbers:
        yield work(range(number, number + 1))
        spent, done = time.monotonic() - begin, number + 1 - numbers.start
        left = spent / done * (len(numbers) - done)
        if not forever and spent > LOOK_SECONDS and left > WORTH_SECONDS:
            return


def _handed_out(work: Work[T], numbers: range, workers: _Workers) -> Iterator[list[T]]:
    schedule = _Schedule(work, numbers, workers)
    try:
        while not schedule.finished:
            schedule.hand_out()
            schedule.take_in()
            yield from schedule.ready()
    finally:
        schedule.call_off()


class _Workers(Protocol):
    """An executor with what must be known of it."""

    executor: Executor
    advice: str  # for when nothing ever comes back

    def hands(self) -> int:
        """How much it can do at the same time."""

    def renew(self, error: BaseException) -> None:
        """Replace a broken executor, or say that it cannot be replaced."""

    def check(self) -> None:
        """Called while nothing comes back: an error if nothing ever will."""


class _Schedule(Generic[T]):
    """What is still to do, what is out, and what has come back before its turn."""

    def __init__(self, work: Work[T], numbers: range, workers: _Workers) -> None:
        self.workers = workers
        self._work = work
        self._next = numbers.start  # to be returned
        self._uncut = numbers  # never handed out
        self._lost: deque[range] = deque()
        self._tries: dict[range, int] = {}
        self._out: dict[Future[tuple[float, list[T]]], tuple[range, Executor]] = {}
        self._back: dict[int, list[T] | BaseException] = {}
        self._pace = 0.0  # seconds for one number, 0 while unknown

    @property
    def finished(self) -> bool:
        return not (self._uncut or self._lost or self._out or self._back)

    def hand_out(self) -> None:
        """Keep every hand busy, and the next piece of work waiting beside it."""
        hands = self.workers.hands()
        while (self._lost or self._uncut) and len(self._out) < 2 * hands:
            stretch = self._lost.popleft() if self._lost else self._cut(hands)
            executor = self.workers.executor
            try:
                future = executor.submit(_timed, self._work, stretch)
            except BrokenExecutor as error:
                self._lose(stretch, executor, error)
            except RuntimeError as error:
                raise LostWork(f"the executor takes no work: {error}") from error
            else:
                self._out[future] = stretch, executor

    def _cut(self, hands: int) -> range:
        """The next stretch: half a second of work, less near the end so that all end together."""
        length = int(STRETCH_SECONDS / self._pace) if self._pace else 1
        length = max(1, min(length, LONGEST_STRETCH, len(self._uncut) // (2 * hands)))
        stretch, self._uncut = self._uncut[:length], self._uncut[length:]
        return stretch

    def take_in(self) -> None:
        """Wait until something comes back."""
        done, _ = wait(self._out, timeout=ASK_SECONDS, return_when=FIRST_COMPLETED)
        if self._out and not done:
            self.workers.check()
        for future in done:
            stretch, executor = self._out.pop(future)
            try:
                seconds, results = future.result()
            except (Exception, CancelledError) as error:
                if _is_loss(error):
                    self._lose(stretch, executor, error)
                else:
                    self._back[stretch.start] = error  # raised in its turn
            else:
                self._pace = max(seconds, 1e-6) / len(stretch)
                self._back[stretch.start] = results

    def _lose(self, stretch: range, executor: Executor, error: BaseException) -> None:
        self._tries[stretch] = self._tries.get(stretch, 0) + 1
        if self._tries[stretch] == TRIES or type(error).__name__ == "KilledWorker":
            first, last = stretch[0], stretch[-1]
            which = f"games {first} to {last} were" if first < last else f"game {first} was"
            advice = f"; {self.workers.advice}" if self.workers.advice and not self._pace else ""
            raise LostWork(
                f"{which} lost with the worker again and again: {_told(error)}{advice}"
            ) from error
        if isinstance(error, BrokenExecutor) and executor is self.workers.executor:
            self.workers.renew(error)
        self._lost.append(stretch)

    def ready(self) -> Iterator[list[T]]:
        """What has come back and is next in order."""
        while self._next in self._back:
            results = self._back.pop(self._next)
            if isinstance(results, CastlelabError):
                raise results
            if isinstance(results, ImportError):
                raise LostWork(f"the workers lack what they need: {results}") from results
            if isinstance(results, RuntimeError) and "deserialization" in str(results):
                raise LostWork(_UNREAD) from results  # so Dask tells it, whatever is missing
            if isinstance(results, BaseException):
                raise LostWork(f"a worker failed: {_told(results)}") from results
            self._next += len(results)
            yield results

    def call_off(self) -> None:
        """Nobody waits for what is still out."""
        for future in self._out:
            future.cancel()


def _timed(work: Work[T], stretch: range) -> tuple[float, list[T]]:
    begin = time.monotonic()
    results = work(stretch)
    return time.monotonic() - begin, results


def _is_loss(error: BaseException) -> bool:
    """Whether the worker failed, and not the work."""
    if isinstance(error, CastlelabError):
        return False
    return (
        isinstance(error, BrokenExecutor | CancelledError | ConnectionError | EOFError)
        or type(error).__module__.partition(".")[0] == "distributed"
    )


def _told(error: BaseException) -> str:
    """An error in one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


# Any executor, and Dask


def check_executor(executor: Any) -> None:
    """Refuse what is neither an executor nor a Dask client."""
    if isinstance(executor, type) or not callable(getattr(executor, "submit", None)):
        raise CastlelabError(
            f"an executor is one of concurrent.futures, or a Dask client, not {quoted(executor)}"
        )


class _GivenExecutor:
    """An executor, or a Dask client, that somebody else has made and will close."""

    advice = ""

    def __init__(self, executor: Any, work: Work[Any]) -> None:
        check_executor(executor)
        if isinstance(executor, ProcessPoolExecutor) and _way_out(work, can_fork=False) is None:
            raise CastlelabError(_HOMEBOUND)
        if hasattr(executor, "get_executor"):
            executor = executor.get_executor(pure=False)
        self.executor: Executor = executor
        # Dask's executor keeps its client to itself.
        client = getattr(executor, "_client", None)
        self._client = client if hasattr(client, "nthreads") else None
        self._hands = getattr(executor, "_max_workers", None) or cores()
        self._asked = -ASK_SECONDS
        self._alone_since: float | None = None

    def hands(self) -> int:
        self._ask()
        return self._hands

    def check(self) -> None:
        self._ask()
        alone = self._alone_since
        if alone is not None and time.monotonic() - alone > PATIENCE_SECONDS:
            raise LostWork(f"the cluster has had no worker for {PATIENCE_SECONDS:.0f} seconds")

    def _ask(self) -> None:
        """Ask a cluster now and then how many threads it has: workers come and go."""
        now = time.monotonic()
        if self._client is None or now - self._asked < ASK_SECONDS:
            return
        self._asked = now
        try:
            threads = sum(self._client.nthreads().values())
        except Exception as error:  # whatever Dask raises, the scheduler is out of reach
            raise LostWork(f"the cluster does not answer: {_told(error)}") from error
        self._hands = max(1, threads)
        if threads:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = now

    def renew(self, error: BaseException) -> None:
        raise LostWork(f"the executor is broken: {_told(error)}") from error


@contextmanager
def dask(address: str) -> Iterator[Any]:
    """A client of the Dask scheduler at ``HOST:PORT``."""
    need("a Dask cluster", "distributed", extra="distributed")
    from distributed import Client

    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not (host and port.isascii() and port.isdigit()):
        raise CastlelabError(f"a scheduler is named as HOST:PORT, not {quoted(address)}")
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CastlelabError(f"there is no Dask scheduler at {address}: {_told(error)}") from None
    with client:
        yield client


# Processes of this machine

#: Only there forking is tried and tested; elsewhere the system's own libraries do not like it.
CAN_FORK = sys.platform == "linux"

_GUARD = (
    "a script with a bot in it is read by each process that plays: "
    'write what it does under `if __name__ == "__main__":`, or use workers=1'
)
_HOMEBOUND = (
    "a bot that is written in a notebook or within a function cannot be sent to other processes: "
    "write it in a module and import it, or play here with workers=1"
)


_UNREAD = (
    "the workers cannot read what they are sent: install the module of your bot where they are, "
    "or write the bot in the script or notebook that runs"
)


class _WayOut(Enum):
    """How work comes to processes of this machine."""

    SENT = auto()  # on its own
    SENT_AFTER_SCRIPT = auto()  # to those who have read the script that it is from
    INHERITED = auto()  # by forking


def _way_out(work: Work[Any], *, can_fork: bool | None = None) -> _WayOut | None:
    """How work can leave this process, if it can."""
    try:
        needs_script = b"__main__" in bytes(ForkingPickler.dumps(work))
    except Exception:  # things refuse to be pickled in many ways
        needs_script = None
    if needs_script is False:
        return _WayOut.SENT
    if CAN_FORK if can_fork is None else can_fork:
        return _WayOut.INHERITED
    script = getattr(sys.modules["__main__"], "__file__", None)
    has_script = script is not None and Path(script).is_file()
    return _WayOut.SENT_AFTER_SCRIPT if needs_script and has_script else None


class _Processes(AbstractContextManager["_Processes"]):
    """A pool of processes that is made anew when one of them dies.

    They are not forked unless they must be: a notebook has threads, and forking them is asking
    for trouble. But only so can they play with a bot that is written in the notebook.
    """

    def __init__(self, workers: int, work: Work[Any]) -> None:
        way = _way_out(work)
        if way is None:
            raise CastlelabError(_HOMEBOUND)
        if getattr(current_process(), "_inheriting", False):
            # A worker is reading the script that wanted workers; it would go on for ever.
            raise CastlelabError(_GUARD)
        self._workers, self._way, self._given = workers, way, work
        self.work = _do_inherited if way is _WayOut.INHERITED else work
        self.advice = _GUARD if way is _WayOut.SENT_AFTER_SCRIPT else ""
        self._start()

    def _start(self) -> None:
        forks = self._way is _WayOut.INHERITED
        context = get_context("fork" if forks else "spawn")
        with _undisturbed():
            held, self._parent_end = context.Pipe(duplex=False)
            inherited = (self._parent_end, self._given) if forks else ()
            pool = _UndisturbedPool(self._workers, context, _end_with_parent, (held, *inherited))
            pool.hides_script = self._way is _WayOut.SENT
            self.executor: Executor = pool

    def hands(self) -> int:
        return self._workers

    def check(self) -> None:
        """A pool notices by itself when one of its processes dies."""

    def renew(self, error: BaseException) -> None:
        self._stop()
        self._start()

    def _stop(self) -> None:
        """End the processes at once, whatever they are doing."""
        with _undisturbed():
            self._parent_end.close()
            self.executor.shutdown(cancel_futures=True)

    def __exit__(self, kind: object, *_: object) -> None:
        with _undisturbed():
            if kind is None:
                self.executor.shutdown()
            self._stop()


class _UndisturbedPool(ProcessPoolExecutor):
    """A pool that starts its processes, which it does when work is handed out, undisturbed."""

    hides_script = False  # from its processes, which might want processes themselves

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        with ExitStack() as stack:
            stack.enter_context(_undisturbed())
            stack.enter_context(warnings.catch_warnings())
            # Python warns of forking where there are threads; it is done only where it must be.
            warnings.simplefilter("ignore", DeprecationWarning)
            if self.hides_script:
                stack.enter_context(_hidden_script())
            return super().submit(fn, *args, **kwargs)


_HIDING = threading.Lock()


@contextmanager
def _hidden_script() -> Iterator[None]:
    """Let processes begin without reading the script that is running."""
    main = sys.modules["__main__"]
    with _HIDING:
        names = [name for name in ("__file__", "__spec__") if hasattr(main, name)]
        usual = {name: getattr(main, name) for name in names}
        for name in usual:
            setattr(main, name, None)
        try:
            yield
        finally:
            for name, value in usual.items():
                setattr(main, name, value)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait for a moment: who is stopped halfway leaves processes and locks behind."""
    came: list[int] = []
    with ExitStack() as stack:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if callable(usual := signal.getsignal(number)):
                    stack.callback(signal.signal, number, usual)
                    signal.signal(number, lambda number, _: came.append(number))
        if hasattr(signal, "pthread_sigmask"):
            # A process begins with the mask of its parent: Ctrl-C finds none that is half awake.
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            stack.callback(signal.pthread_sigmask, signal.SIG_SETMASK, mask)
        yield
    if came:
        signal.raise_signal(came[0])


def _end_with_parent(held: Connection, *inherited: Any) -> None:
    """Make this worker end with the process that it works for, and at no other time."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who waits
    if inherited:
        parent_end, _inherited[:] = inherited[0], inherited[1:]
        parent_end.close()  # or there would be no end as long as this process holds it
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)  # the event loop of a notebook is not woken from here
    threading.Thread(target=_wait_for_end, args=(held,), daemon=True).start()


def _wait_for_end(held: Connection) -> None:
    with suppress(EOFError, OSError):
        held.recv()  # nothing is ever sent: this ends when the other side does
    os._exit(1)


_inherited: list[Work[Any]] = []  # in a process that was forked: what it is there to do


def _do_inherited(numbers: range) -> list[Any]:
    return _inherited[0](numbers)
