"""Players that need no chair: ours, those of other packages, and your own.

A bot is handed what its seat can see, a chance to draw from and, if it likes, a budget. So none
of them can peek, ours included.

>>> import castlelab
>>> from castlelab.chance import Chance
>>> def hasty(view, chance):
...     return view.moves()[0], "It is the first that comes to mind."
>>> start = castlelab.load("castle_keep").start(1)
>>> play_out(start, (hasty, "greedy"), Chance.seeded(1))[0].over
True
"""

from castlelab.bots.bot import BUDGET, Bot, BotFault, BotLike, Budget, Thought
from castlelab.bots.ours import Greedy, MonteCarlo, Random
from castlelab.bots.seating import (
    BOT_NAMES,
    LONG_THINKER,
    Seated,
    bot,
    bot_names,
    check_budget,
    is_one_bot,
    play_out,
    seated,
)
from castlelab.system.facade import facade

__all__ = [
    "BOT_NAMES",
    "BUDGET",
    "LONG_THINKER",
    "Bot",
    "BotFault",
    "BotLike",
    "Budget",
    "Greedy",
    "MonteCarlo",
    "Random",
    "Seated",
    "Thought",
    "bot",
    "bot_names",
    "check_budget",
    "is_one_bot",
    "play_out",
    "seated",
]

__getattr__, __dir__ = facade(__name__)
