"""For how many visitors there is room, where nobody has said it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MB = 1 << 20
_PAGES_EACH = 2  # a browser asks for the next page before it leaves the one it shows
_COPY = 25 * MB  # of its own, for a page that is a copy of one that has run
_PROCESS = 90 * MB  # for a page that is a process of its own
_FILES = 25  # that the server has open for a page
_OPEN_FILES = 1 << 15  # that the server may have, if the system lets it
_OURS = 0.8  # of the memory that there is; the rest is for everybody else
_LEAST, _MOST, _UNKNOWN = 4, 500, 40

_CONTROL_GROUP = Path("/sys/fs/cgroup")


def seats(memory: int | None, files: int, copies: bool) -> int:
    """How many visitors can be served at the same time.

    >>> seats(4096 * MB, 32768, copies=True), seats(4096 * MB, 32768, copies=False)
    (65, 18)
    """
    if memory is None:
        return _UNKNOWN
    by_memory = int(memory * _OURS) // (_PAGES_EACH * (_COPY if copies else _PROCESS))
    by_files = files // (_PAGES_EACH * _FILES)
    return max(_LEAST, min(by_memory, by_files, _MOST))


def free_memory() -> int | None:
    """The bytes that are free on this machine and allowed to us; none if nobody can say."""
    known = [size for size in (_of_machine(), _of_group()) if size is not None]
    return min(known, default=None)


def _of_machine() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            name, _, amount = line.partition(":")
            if name == "MemAvailable":
                return int(amount.split()[0]) * 1024
    except OSError:
        pass
    try:  # no Linux: all that there is, as nobody says what is free
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return None


def _of_group(folder: Path = _CONTROL_GROUP) -> int | None:
    """What a container may still take."""
    try:
        most = (folder / "memory.max").read_text().strip()
        taken = (folder / "memory.current").read_text().strip()
    except OSError:
        return None
    return max(0, int(most) - int(taken)) if most.isdigit() and taken.isdigit() else None


def process_memory(pid: int) -> int:
    """The bytes of a process; what it shares is divided among those who share it."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def raise_open_files() -> int:
    """Let this process have many files open, as far as the system lets us; returns how many."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 1 << 20
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return 1 << 20
    enough = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    if soft < enough:
        resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))
    return max(soft, enough)
