"""``castlelab puzzle``: one puzzle in the terminal, or the kinds that there are."""

from __future__ import annotations

import argparse
from typing import Any

from castlelab.cli.arguments import Parser
from castlelab.cli.printing import WIDTH, ask, wrapped_text
from castlelab.draw.text import render
from castlelab.game import game_class
from castlelab.puzzles import ChooseOne, Puzzle, kinds, puzzle
from castlelab.rules import CastlelabError


def add_arguments(parser: Parser) -> None:
    told = "such as castell/tallest-3-42; without one, the kinds are listed"
    parser.add_argument("code", metavar="CODE", nargs="?", help=told)


def run_command(arguments: argparse.Namespace) -> None:
    if arguments.code is None:
        _list_puzzles()
        return
    asked = _find_puzzle(arguments.code)
    _draw(asked)
    print(wrapped_text(asked.prompt))
    choices = _choices(asked)
    for mark, (_, words) in choices.items():
        print(f"{mark:>4}  {words}")
    print("(hint, solution and quit are understood too)")
    hints = 0
    while (answer := ask("answer> ")) not in (None, "quit"):
        if answer == "hint":
            hints = min(hints + 1, len(asked.hints))
            print(wrapped_text(asked.hint(hints)))
        elif answer == "solution":
            print(asked.solution)
        elif answer and _solves(asked, choices.get(answer, (answer, ""))[0]):
            return


def _choices(asked: Puzzle) -> dict[str, tuple[str, str]]:
    """What may be chosen, as (answer, words), by the short mark that is typed for it.

    The mark is a number in the list, unless the answers are numbers themselves.
    """
    if not isinstance(asked.ask, ChooseOne):
        return {}
    options = asked.ask.options
    if any(answer.isdigit() for answer, _ in options):
        return {answer: (answer, words) for answer, words in options}
    return {str(number): option for number, option in enumerate(options, start=1)}


def _find_puzzle(code: str) -> Puzzle:
    """The puzzle of a code; a wrong code is told where to find the right ones."""
    try:
        return puzzle(code)
    except CastlelabError as error:
        raise CastlelabError(f"{error}; castlelab puzzle lists all kinds") from None


def _list_puzzles() -> None:
    """Every kind of puzzle, under its game."""
    game = ""
    for kind in kinds():
        if (name := kind.partition("/")[0]) != game:
            game = name
            print(game_class(game).title)
        print(f"  {kind}")
    print("\nA code is a kind, a level from 1 to 5 and any number: castlelab puzzle", end=" ")
    print(f"{kinds()[1]}-3-42")


def _solves(asked: Puzzle, text: str) -> bool:
    """Whether an answer is right; shows what comes of it, and says why not."""
    try:
        answer = asked.read(text)
        judgement = asked.check(answer)
    except CastlelabError as error:
        print(wrapped_text(str(error)))
        return False
    _draw(asked, answer)
    for line in str(judgement).splitlines():
        print(wrapped_text(line))
    return bool(judgement)


def _draw(asked: Puzzle, answer: Any = None) -> None:
    print(render(asked.picture(answer), WIDTH))
