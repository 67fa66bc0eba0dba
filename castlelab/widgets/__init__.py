"""Boards for a notebook: the only room of castlelab that knows of Jupyter."""

from castlelab.widgets.board import Board

__all__ = ["Board"]
