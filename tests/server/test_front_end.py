"""Voilà's front end in one file: the chunks that a page needs, and nothing that runs by itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from castlelab.server.front_end import ENTRY, SPARED, FrontEnd, in_one_file

CHUNK = '"use strict";(self.webpackChunk=self.webpackChunk||[]).push([[{0}],{{{0}:(e)=>{{}}}}])'


@pytest.fixture
def voila(tmp_path: Path) -> tuple[list[str], list[str]]:
    """Folders as Voilà and its extensions have them."""
    files = {
        f"static/{ENTRY}": "Promise.all([r.e(2),r.e(1),r.e(7)]).then(r.bind(r,1))",
        f"static/1.{ENTRY}": CHUNK.format(1) + ";t.e(3)",
        f"static/2.{ENTRY}": "/*! licence */\n" + CHUNK.format(2),
        f"static/3.{ENTRY}": CHUNK.format(3),
        "lab/ours/static/8.abc.js": CHUNK.format(8),
        "lab/ours/static/9.abc.js": "alert('I run at once')",
        "lab/ours/static/remoteEntry.abc.js": CHUNK.format(99),
        "lab/theirs/static/6.abc.js": CHUNK.format(66),
        "lab/@voila-dashboards/shim/static/4.abc.js": CHUNK.format(4),
        "lab/@voila-dashboards/shim/static/5.abc.js": CHUNK.format(5),
        "lab/@voila-dashboards/shim/static/remoteEntry.abc.js": (
            'n={"./index":()=>Promise.all([t.e(4),t.e(10)]).then(()=>t(4))},u(()=>t.e(5).then(a))'
        ),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [str(tmp_path / "nowhere"), str(tmp_path / "static")], [str(tmp_path / "lab")]


def test_the_chunks_that_every_page_needs(voila: tuple[list[str], list[str]]) -> None:
    """Those that the entry names, in its order; those of allowed extensions; of a shim a few."""
    static, extensions = voila
    content = in_one_file(static, extensions, ["ours", "@voila-dashboards/shim"]).content.decode()
    assert [number for number in range(100) if f"[[{number}]" in content] == [1, 2, 4, 8]
    assert content.index("[[2]") < content.index("[[1]") < content.index("[[8]")
    assert "alert" not in content


def test_what_is_spared_is_not_fetched_but_what_others_need_is(tmp_path: Path) -> None:
    """A notebook's own chunk stays away; the one that it shares with renderers is there."""
    shared = (
        'i("@jupyterlab/notebook","4.2.5",(()=>Promise.all([x.e(5),x.e(6)]).then(()=>()=>x(50)))),'
        'i("@jupyterlab/rendermime","4.2.5",(()=>Promise.all([x.e(6),x.e(7)]).then(()=>()=>x(60)))),'
        'i("@lumino/datagrid","2.4.1",(()=>x.e(8).then((()=>()=>x(80))))),'
        '{63068:()=>c("default","@jupyterlab/notebook",!1,[1,4,0,0],(()=>Promise.all([x.e(5),x.e(9)])'
        ".then((()=>()=>x(50)))))};Promise.all([r.e(1)]).then(r.bind(r,1))"
    )
    (tmp_path / ENTRY).write_text(shared)
    for number in range(1, 10):
        (tmp_path / f"{number}.{ENTRY}").write_text(CHUNK.format(number))
    content = in_one_file([str(tmp_path)], [], []).content.decode()
    assert [number for number in range(1, 10) if f"[[{number}]" in content] == [1, 6, 7]


def test_all_that_is_spared_is_what_voila_has() -> None:
    """Without a name that Voilà knows nothing would be spared, and nobody would be told."""
    entry = Path(sys.prefix, "share/jupyter/voila/templates/base/static", ENTRY).read_text()
    assert [name for name in SPARED if f'"{name}","' not in entry] == []


def test_without_an_entry_there_is_nothing(tmp_path: Path) -> None:
    assert in_one_file([str(tmp_path)], [str(tmp_path)], ["ours"]).content == b""


def test_its_name_changes_with_it() -> None:
    assert FrontEnd(b"a").name != FrontEnd(b"b").name
    assert FrontEnd(b"a").name.endswith(".js")
