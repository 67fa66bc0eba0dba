"""Many games at once: who wins, how long it takes, what is played.

>>> from castlelab.study import simulate
>>> len(simulate("castle_keep", games=2, bots=("random", "random"), seed=1).played)
2
"""

from castlelab.study.results import Fault, Played, Study
from castlelab.study.run import GameFailed
from castlelab.study.simulation import replay, simulate
from castlelab.system.facade import facade

__all__ = ["Fault", "GameFailed", "Played", "Study", "replay", "simulate"]

__getattr__, __dir__ = facade(__name__)
