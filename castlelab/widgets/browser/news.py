"""What a page says by itself of what appears on it, for all widgets where something does."""

from __future__ import annotations

from importlib.resources import files

#: To be put before a module of JavaScript, whose ``render`` calls ``watchNews()``.
NEWS = (files(__package__) / "news.js").read_text(encoding="utf-8")
