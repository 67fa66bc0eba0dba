"""Voilà's front end in one file: by itself it comes in seventy, of which a browser asks for six at
a time.

The file is put together when the server starts, from whatever Voilà and extensions are installed.
It is only a head start: a chunk that is there already is not asked for, and one that is missing
is asked for as ever.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ENTRY = "voila.js"
#: What is for notebooks and their editors: a page of boards does without it (see ``sparing.js``).
SPARED = (
    "@jupyterlab/codemirror",
    "@jupyterlab/codemirror-extension",
    "@jupyterlab/console",
    "@jupyterlab/javascript-extension",
    "@jupyterlab/json-extension",
    "@jupyterlab/logconsole",
    "@jupyterlab/mainmenu",
    "@jupyterlab/markedparser-extension",
    "@jupyterlab/mathjax-extension",
    "@jupyterlab/notebook",
    "@jupyterlab/vega5-extension",
    "@lumino/datagrid",
)
_SHIMS = "@voila-dashboards"  # what Voilà itself brings; most of it is for want of a front end
_NAMED = re.compile(r'\.e\("?(\d+)"?\)')
#: What is shared, and its chunks: ``("react","18.3.1",(()=>Promise.all([x.e(31), x.e(7)]).then(…``;
#: once more with the versions that are wanted instead, ``!1,[1,18,2,0]``.
_SHARED = re.compile(r'"([@\w./-]+)",(?:"[^"]*"|!1,\[[^]]*\]),\(\(\)=>(.*?)\.then\(', re.DOTALL)
#: What an extension is asked for: ``{"./index": () => Promise.all([t.e(883), t.e(496)])…``.
_OFFERED = re.compile(r'"\./\w+":\s*\(\)\s*=>(.*?)\.then\(', re.DOTALL)
#: A chunk only adds itself to a list, until somebody needs what is in it.
_CHUNK = re.compile(rb'\s*(?:/\*.*?\*/\s*)?(?:"use strict";\s*)?\(self[.\[]', re.DOTALL)
_FILE = "front-end-{}.js"


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """The chunks that every page needs, one after another."""

    content: bytes

    @property
    def name(self) -> str:
        """A name that changes with the content, so that browsers may keep it for ever."""
        return _FILE.format(hashlib.sha256(self.content).hexdigest()[:12])


def in_one_file(
    static: Iterable[str], extensions: Iterable[str], allowed: Iterable[str]
) -> FrontEnd:
    """The front end that lies in these folders, with the extensions that are allowed.

    Without an entry, or where Voilà is made otherwise, nothing is in it.
    """
    chunks = [*_of_voila(static)]
    for name in allowed:
        for folder in extensions:
            if (found := Path(folder, name, "static")).is_dir():
                chunks += _of_extension(found, is_shim=name.startswith(_SHIMS))
                break
    contents = (chunk.read_bytes() for chunk in chunks)
    return FrontEnd(b"\n;".join(content for content in contents if _CHUNK.match(content)))


def _of_voila(static: Iterable[str]) -> Iterator[Path]:
    """The chunks that the entry itself names, but for those of what is spared alone."""
    for folder in static:
        if (entry := Path(folder, ENTRY)).is_file():
            text = entry.read_text(encoding="utf-8")
            needed = _SHARED.sub(lambda found: "" if found[1] in SPARED else found[0], text)
            names = dict.fromkeys(_NAMED.findall(needed))
            paths = (entry.with_name(f"{name}.{ENTRY}") for name in names)
            yield from (path for path in paths if path.is_file())
            return


def _of_extension(folder: Path, *, is_shim: bool) -> Iterator[Path]:
    """The chunks of an extension; of a shim only those that it is asked for."""
    files = {path.name.partition(".")[0]: path for path in sorted(folder.glob("*.js"))}
    if is_shim:
        entry = files["remoteEntry"].read_text(encoding="utf-8") if "remoteEntry" in files else ""
        offered = "".join(_OFFERED.findall(entry))
        files = {name: files[name] for name in _NAMED.findall(offered) if name in files}
    yield from (path for name, path in files.items() if name.isdigit())
