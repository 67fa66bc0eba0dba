"""Read by the Jupyter server on Binder; postBuild puts it where Jupyter looks."""

from castlelab.server import pages

pages.configure(c)  # type: ignore[name-defined]  # noqa: F821 - Jupyter provides c
