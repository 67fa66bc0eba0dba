"""The files that every page needs: scripts, styles and fonts, packed once and kept by browsers."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from tornado.web import HTTPError, RequestHandler

from castlelab.server.visitors import seat_of

#: Whatever else lies in those folders is nobody's business.
_KINDS = frozenset({".css", ".js", ".png", ".svg", ".ttf", ".woff", ".woff2"})
_PACKED = frozenset({".css", ".js", ".svg", ".ttf"})  # the others are packed already
_FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class StaticFile:
    """A file as it is sent."""

    content: bytes
    kind: str
    worth_packing: bool

    @cached_property
    def mark(self) -> str:
        """What tells this content from any other."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'

    @cached_property
    def packed(self) -> bytes:
        return gzip.compress(self.content, 6) if self.worth_packing else self.content


class StaticFiles:
    """Files of some folders, each read once."""

    def __init__(self, folders: Callable[[], Iterable[str]]) -> None:
        self._folders = folders
        self._read: dict[str, StaticFile] = {}

    def keep(self, name: str, content: bytes) -> None:
        """One more file, which lies in no folder; packed now, for nobody shall wait for that."""
        self._read[name] = file = StaticFile(content, mimetypes.guess_type(name)[0] or "", True)
        _ = file.packed

    def find(self, name: str) -> StaticFile:
        """A file by its name below one of the folders; KeyError if there is no such file."""
        if name not in self._read:
            self._read[name] = _read_file(name, self._folders())
        return self._read[name]


def _read_file(name: str, folders: Iterable[str]) -> StaticFile:
    """Read a file, and never one that is hidden or beside the folders.

    >>> _read_file("../secret.js", ["/tmp"])
    Traceback (most recent call last):
    KeyError: '../secret.js'
    """
    path = PurePosixPath(name)
    if (
        path.suffix in _KINDS
        and not path.is_absolute()
        and not any(part.startswith(".") for part in path.parts)
        and not set(name) & set("\\:\0")
    ):
        for folder in folders:
            with suppress(OSError):  # a name too long for any file
                if (file := Path(folder, path)).is_file():
                    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
                    return StaticFile(file.read_bytes(), kind, path.suffix in _PACKED)
    raise KeyError(name)


class StaticFilesHandler(RequestHandler):
    """Sends files, each as it was read once.

    A name that changes with its content is kept by the browser for ever; for others it asks.
    """

    def initialize(self, files: StaticFiles, lasting: bool = False) -> None:
        self.files, self.lasting = files, lasting

    def set_default_headers(self) -> None:
        for name, value in self.settings.get("headers", {}).items():
            self.set_header(name, value)

    def get(self, name: str, version: str = "") -> None:
        if (seat := seat_of(self)) and (manager := self.settings.get("kernel_manager")):
            manager.heard_from(seat)
        try:
            file = self.files.find(name)
        except KeyError:
            raise HTTPError(404) from None
        lasting = self.lasting or version or self.get_query_argument("v", "")
        self.set_header("Cache-Control", _FOR_EVER if lasting else "no-cache")
        self.set_header("Content-Type", file.kind)
        self.set_header("Vary", "Accept-Encoding")
        self.set_header("Etag", file.mark)
        if self.check_etag_header():
            self.set_status(304)
        elif file.worth_packing and "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.write(file.packed)
        else:
            self.write(file.content)

    def compute_etag(self) -> str | None:
        etag = self._headers.get("Etag")
        return etag if etag is None else str(etag)
