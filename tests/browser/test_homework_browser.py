"""A question in JupyterLab: what is answered on its board stands in its cell, and is saved."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest
from servers import Server

pytestmark = pytest.mark.browser

SOURCE = "window.jupyterapp.shell.currentWidget.content.widgets[0].model.sharedModel.getSource()"
ANSWERED = 'question("castell/count-towers-1-7", answer="20", points=2)  # zwölf'


def test_an_answer_is_kept_in_the_notebook(page: Any, lab_server: Server) -> None:
    page.goto(f"{lab_server.url}/lab/tree/pages/question.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=90_000)
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context?.isReady")
    page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.ready"
        ".then(() => window.jupyterapp.commands.execute('notebook:run-all-cells'))"
    )
    box = page.get_by_role("textbox", name="My answer")
    box.wait_for(timeout=120_000)
    box.fill("20")
    box.press("Tab")
    page.locator(".castlelab-homework").get_by_role("button", name="Check").click()
    page.wait_for_function(f"() => {SOURCE}.includes('answer')", timeout=60_000)
    before = "from castlelab.classroom import question\n\n"
    assert page.evaluate(SOURCE) == f"{before}{ANSWERED}"
    page.get_by_text("Your answer stands in the cell above.").wait_for()
    page.get_by_text("castell/count-towers-1-7: 2 of 2 points.").wait_for()
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    saved = nbformat.read(lab_server.folder / "pages" / "question.ipynb", as_version=4)
    assert saved.cells[0].source == f"{before}{ANSWERED}"
