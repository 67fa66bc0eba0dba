"""Bots as they are named on the command line."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from castlelab.bots import BotLike, MonteCarlo, bot, seated
from castlelab.rules import CastlelabError, quoted

BOT_HELP = "a name, or your own as MODULE:CLASS"


def named_bot(text: str) -> BotLike:
    """A bot by its name, or the class, object or function that ``module:name`` stands for.

    Modules in the folder where the command was typed are found, too.
    """
    module, colon, name = text.partition(":")
    if not colon or module == MonteCarlo.name:
        bot(text)
        return text
    if module.endswith(".py") or not all(part.isidentifier() for part in module.split(".")):
        raise CastlelabError(f"your own bot is named as module:Class, not {quoted(text)}")
    if (folder := str(Path.cwd())) not in sys.path:
        sys.path.append(folder)  # last, so that nothing there hides what is installed
    try:
        found = getattr(import_module(module), name)
    except Exception as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())
        raise CastlelabError(f"the bot {text} cannot be loaded: {told}") from error
    seated(found)
    return found


def lineup(text: str, players: int | None) -> BotLike | tuple[BotLike, ...]:
    """One bot for all seats, or one a seat; then the last one also takes the seats that are left.

    >>> lineup("greedy,random", 4)
    ('greedy', 'random', 'random', 'random')
    """
    bots = tuple(named_bot(name.strip()) for name in text.split(","))
    if len(bots) == 1:
        return bots[0]
    if players is None:
        return bots
    if len(bots) > players:
        raise CastlelabError(f"{len(bots)} bots are too many for {players} players")
    return bots + bots[-1:] * (players - len(bots))
