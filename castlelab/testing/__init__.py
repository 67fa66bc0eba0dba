"""The contract suite: what castlelab expects of a game or a bot, as tests that anybody can run.

In the tests of a package that brings a game, say ``tests/test_watchtower.py``::

    from castlelab.testing import GameContract, GoldenContract, PuzzleContract, TraceContract

    class TestWatchtower(GameContract, PuzzleContract, TraceContract, GoldenContract):
        game = "watchtower"  # its load name; install the package first: pip install -e .

``GameContract``
    plays the game with every number of players and every choice of options. This is the
    contract; ``prospects``, ``point`` and ``conceals`` are looked at only where they are there.
``PuzzleContract``
    makes puzzles of every kind and level, and every lesson, and solves them.
``TraceContract``
    finds every rule id in the code, in a test and, if there is one, in the notebook.
``GoldenContract``
    compares a whole game with the text in ``golden/`` beside the tests. It is written by
    ``python -m castlelab.testing watchtower tests/golden``.

``BotContract``
    asks a ``bot`` for moves in that game: they are legal, and hang on nothing that is hidden.

Take those that you want. A failure ends with a sentence on what to do. pytest and hypothesis
come with ``pip install 'castlelab[testing]'``.
"""

from castlelab.system.facade import facade
from castlelab.system.packages import need

need("the contract suite", "pytest", "hypothesis", extra="testing")

import pytest

for _module in (
    "bots",
    "choices",
    "contract",
    "puzzles",
    "seats",
    "suite",
    "traces",
    "playthrough",
):
    pytest.register_assert_rewrite(f"{__name__}.{_module}")

from castlelab.testing.bots import BotContract
from castlelab.testing.contract import GameContract
from castlelab.testing.playthrough import GoldenContract, playthrough
from castlelab.testing.puzzles import PuzzleContract
from castlelab.testing.traces import TraceContract, untraced

__all__ = [
    "BotContract",
    "GameContract",
    "GoldenContract",
    "PuzzleContract",
    "TraceContract",
    "playthrough",
    "untraced",
]

__getattr__, __dir__ = facade(__name__)
