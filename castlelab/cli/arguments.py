"""What the arguments of several commands have in common."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

from castlelab.game import GAMES, game_class
from castlelab.rules import CastlelabError, quoted


class Parser(argparse.ArgumentParser):
    """Answers a wrong argument with one line instead of a page of usage."""

    words: tuple[str, ...] = ()  # all that was typed: a game named there has options of its own

    def error(self, message: str) -> NoReturn:
        # It repeats what was typed, however long that is and whatever a terminal makes of it.
        shown = "".join(sign if sign.isprintable() else " " for sign in message)
        raise CastlelabError(shown if len(shown) <= 300 else f"{shown[:299]}…")


def number_between(called: str, least: int, most: int | None = None) -> Callable[[str], int]:
    """A reader of whole numbers that says what it wanted."""
    bounds = f"of at least {least}" if most is None else f"from {least} to {most}"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"{called} is a number {bounds}, not {quoted(text)}")
        return number

    return read


def seed(text: str) -> int | str:
    """A seed as the library takes it: a number where it is one, any other text as it is."""
    try:
        return int(text)
    except ValueError:
        return text


def add_server_arguments(parser: Parser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument(
        "--port", type=number_between("a port", 0, 65535), help="port to listen on; 0 takes any"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def add_cull_after(parser: Parser, default: int) -> None:
    parser.add_argument(
        "--cull-after",
        type=number_between("cull-after", 1),
        default=default,
        metavar="SECONDS",
        help="end what nobody has touched for so long (%(default)s)",
    )


def add_game_arguments(parser: Parser, usual_seed: int | None = 0) -> None:
    """The game, its seed and edition, and whatever options the game itself has."""
    parser.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    told = "any" if usual_seed is None else usual_seed
    parser.add_argument(
        "--seed", type=seed, default=usual_seed, help=f"the same seed, the same game ({told})"
    )
    parser.add_argument("--edition", metavar="FILE", help="your own data, as TOML")
    name = next((word for word in parser.words if word in GAMES), None)
    if name is None:
        parser.epilog = f"A game has options of its own: {parser.prog} GAME --help shows them too."
    for option in game_class(name).option_list if name else ():
        flag, target = "--" + option.name.replace("_", "-"), _OPTION + option.name
        about = option.about.replace("%", "%%")
        if all(isinstance(value, bool) for value in option.allowed):
            action = argparse.BooleanOptionalAction
            parser.add_argument(flag, dest=target, action=action, default=None, help=about)
        else:
            known = {str(value): value for value in option.allowed}
            # The game says what is allowed better than argparse would.
            read = lambda text, known=known: known.get(text, text)  # noqa: E731
            choices = "|".join(known)
            parser.add_argument(flag, dest=target, type=read, metavar=choices, help=about)


_OPTION = "option "  # no flag can have a space in its name


def chosen_options(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        name.removeprefix(_OPTION): value
        for name, value in vars(arguments).items()
        if name.startswith(_OPTION) and value is not None
    }
