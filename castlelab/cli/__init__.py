"""The command line: ``castlelab serve | lab | play | puzzle | rules | simulate``, and for
teachers ``worksheet | classroom``.

Whatever is slow to import is imported by the command that needs it.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from difflib import get_close_matches
from getpass import GetPassWarning, getpass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from castlelab import __version__
from castlelab.rules import CastlelabError, quoted

if TYPE_CHECKING:
    from castlelab.bots import Bot
    from castlelab.game import Game, State
    from castlelab.puzzles import Puzzle
    from castlelab.record import Record
    from castlelab.rules import Rule, Verdict

WRONG = 2  # the exit status for anything that was asked for wrongly
INTERRUPTED = 130
TERMINATED = 143
WIDTH = 88
MOST_WORDS = 200
PAGE = 20  # moves listed at a time
YOU = 0  # the seat of the person at the terminal


class Terminated(KeyboardInterrupt):
    """Whoever looks after this process has asked it to end."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a stream that was replaced may lack the method
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        arguments = parse(sys.argv[1:] if argv is None else argv)
        run: Callable[[argparse.Namespace], None] = arguments.run
        run(arguments)
    except CastlelabError as error:
        return _complain(str(error))
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone; Python would say so while it ends
        return 0
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt as error:
        terminated = isinstance(error, Terminated)
        if not terminated:
            print()  # a terminal has written ^C where we were
        for note in getattr(error, "__notes__", ()):
            print("castlelab: stopped;", note, file=sys.stderr)
        return TERMINATED if terminated else INTERRUPTED
    return 0


def _complain(message: str) -> int:
    print("castlelab:", " ".join(message.split()), file=sys.stderr)
    return WRONG


# Reading the command


class Parser(argparse.ArgumentParser):
    """Answers a wrong argument with one line instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        # It repeats what was typed, however long that is and whatever a terminal makes of it.
        shown = "".join(sign if sign.isprintable() else " " for sign in message)
        raise CastlelabError(shown if len(shown) <= 300 else f"{shown[:299]}…")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The command with its arguments; ``run`` is what carries it out."""
    words = list(argv) or ["serve"]
    if len(words) > MOST_WORDS:  # argparse takes minutes over many
        raise CastlelabError(f"a command of {len(words)} words is too long to be meant")
    if words[0].startswith("-") and words[0] not in _ALONE:
        meant = next((word for word in words if word in COMMANDS), "serve")
        right = " ".join(["castlelab", meant, *(word for word in words if word != meant)])
        raise CastlelabError(f"a command comes before its options; did you mean {quoted(right)}?")
    command = next((word for word in words if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        raise CastlelabError(
            f"there is no command {quoted(command)}; {_suggest(command, COMMANDS)}"
        )
    parser = Parser(prog="castlelab", description="Learn castle games.", allow_abbrev=False)
    version = f"castlelab {__version__}"
    parser.add_argument("-V", "--version", action="version", version=version)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (add_arguments, run, about) in COMMANDS.items():
        sub = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
        sub.set_defaults(run=run)
        if name == command:
            add_arguments(sub, words)
    return parser.parse_args(words)


#: Options that need no command.
_ALONE = ("-h", "--help", "-V", "--version")


def _suggest(word: str, known: Sequence[str] | dict[str, Any]) -> str:
    near = get_close_matches(word, known, n=2)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"there are {', '.join(known)}"


def _whole(called: str, least: int, most: int | None = None) -> Callable[[str], int]:
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


def _seed(text: str) -> int | str:
    """A seed as the library takes it: a number where it is one, any other text as it is."""
    try:
        return int(text)
    except ValueError:
        return text


def _add_server(parser: Parser, words: Sequence[str]) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument(
        "--port", type=_whole("a port", 0, 65535), help="port to listen on; 0 takes any"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def _add_cull_after(parser: Parser, default: int) -> None:
    parser.add_argument(
        "--cull-after",
        type=_whole("cull-after", 1),
        default=default,
        metavar="SECONDS",
        help="end what nobody has touched for so long (%(default)s)",
    )


def _add_pages(parser: Parser, words: Sequence[str]) -> None:
    _add_server(parser, words)
    parser.add_argument(
        "--preheat",
        type=_whole("preheat", 0, 50),
        default=1,
        metavar="N",
        help="copies of each page that wait for visitors (%(default)s); 0 runs nothing in advance",
    )
    parser.add_argument(
        "--max-visitors",
        type=_whole("max-visitors", 1),
        metavar="N",
        help="how many may be here at a time; who comes then is asked to wait",
    )
    _add_cull_after(parser, default=3600)
    parser.add_argument(
        "--proxy",
        default="",
        metavar="NAME",
        help="your name in the network, such as castle.example, if a proxy here passes it on",
    )
    parser.add_argument(
        "--base-url",
        default="/",
        metavar="PATH",
        help="what all addresses begin with, such as /castle/ (%(default)s)",
    )
    parser.add_argument(
        "--password",
        action="store_true",
        help=f"ask visitors for a password: that in {_PASSWORD}, or one you type now",
    )


def _add_singleuser(parser: Parser, words: Sequence[str]) -> None:
    _add_cull_after(parser, default=1800)


#: Where a password can be left: among the arguments, other users of the machine could read it.
_PASSWORD = "CASTLELAB_PASSWORD"


def _add_lab(parser: Parser, words: Sequence[str]) -> None:
    _add_server(parser, words)
    parser.add_argument("--folder", help="where your copies of the notebooks are kept")
    parser.add_argument(
        "--allow-root", action="store_true", help="run it even as root, as in a container"
    )


def _add_play(parser: Parser, words: Sequence[str]) -> None:
    _add_game(parser, words)
    parser.add_argument("--players", type=_whole("players", 1), help="how many (2 where 2 may)")
    parser.add_argument("--bot", default="greedy", help="who plays the other seats (%(default)s)")


def _add_puzzle(parser: Parser, words: Sequence[str]) -> None:
    told = "such as castell/tallest-3-42; without one, the kinds are listed"
    parser.add_argument("code", metavar="CODE", nargs="?", help=told)


def _add_rules(parser: Parser, words: Sequence[str]) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("rule", metavar="ID", nargs="?", help="one rule in full")
    parser.add_argument("--edition", metavar="FILE", help="your own data, as TOML")


def _add_simulate(parser: Parser, words: Sequence[str]) -> None:
    _add_game(parser, words)
    parser.add_argument("--games", type=_whole("games", 1), default=100, help="how many (100)")
    parser.add_argument("--players", type=_whole("players", 1), help="as many as bots")
    parser.add_argument("--bots", help="one a seat (greedy,random; alone, greedy)")
    parser.add_argument(
        "--out", metavar="FILE", help="to .jsonl while they are played; to .csv or .json at the end"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the .jsonl file")
    parser.add_argument("--workers", type=_whole("workers", 1), help="processes (one a core)")
    parser.add_argument("--dask", metavar="HOST:PORT", help="play on the cluster of this scheduler")


def _add_worksheet(parser: Parser, words: Sequence[str]) -> None:
    parser.add_argument(
        "kinds", metavar="KIND", nargs="+", help="such as castell/tallest, or a game: castell"
    )
    parser.add_argument("--levels", default="1-3", help="such as 2, 1-3 or 1,3 (%(default)s)")
    parser.add_argument("--count", type=_whole("count", 1), default=10, help="how many (10)")
    parser.add_argument("--seed", type=_seed, default=0, help="the same seed, the same sheet (0)")
    parser.add_argument("--title", default=None, help="what stands at the top")
    parser.add_argument("--address", default="", help="of your pages: puzzles become links to them")
    parser.add_argument(
        "--out", metavar="FILE", help="the page to print (worksheet.html); the key goes beside it"
    )
    parser.add_argument("--no-key", action="store_true", help="leave the answer key out")
    parser.add_argument(
        "--links", action="store_true", help="print links; no page is written without --out"
    )


def _add_classroom(parser: Parser, words: Sequence[str]) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="with the exported progress files")
    parser.add_argument(
        "--out", metavar="FILE", help="the table as .csv, the heat map as .svg, all as .html"
    )


def _add_game(parser: Parser, words: Sequence[str]) -> None:
    """The game, its seed and edition, and whatever options the game itself has."""
    from castlelab.game import GAMES, game_class

    parser.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("--seed", type=_seed, default=0, help="the same seed, the same game (0)")
    parser.add_argument("--edition", metavar="FILE", help="your own data, as TOML")
    name = next((word for word in words if word in GAMES), None)
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


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        name.removeprefix(_OPTION): value
        for name, value in vars(arguments).items()
        if name.startswith(_OPTION) and value is not None
    }


# The pages


def _serve(arguments: argparse.Namespace) -> None:
    from castlelab.server import pages

    terms = pages.Terms(
        preheat=arguments.preheat,
        max_visitors=arguments.max_visitors,
        cull_after=arguments.cull_after,
        proxy=arguments.proxy,
        base_url=arguments.base_url,
        password=_password() if arguments.password else "",
    )
    pages.serve(arguments.host, arguments.port, not arguments.no_browser, terms)


def _singleuser(arguments: argparse.Namespace) -> None:
    from castlelab.server import pages

    pages.serve_one(os.environ, arguments.cull_after)


def _password() -> str:
    """The password that visitors will be asked for; an empty one is none."""
    password = os.environ.pop(_PASSWORD, "") or _typed_unseen("A password for visitors: ")
    if not password:
        raise CastlelabError("an empty password keeps nobody out; type one, or leave --password")
    return password


def _typed_unseen(prompt: str) -> str:
    """What is typed at a terminal that shows none of it; without such a one nothing is read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", GetPassWarning)
            return getpass(prompt)
    except (EOFError, GetPassWarning):
        raise CastlelabError(
            f"there is no terminal to type a password at; set {_PASSWORD} to it instead"
        ) from None


def _lab(arguments: argparse.Namespace) -> None:
    from castlelab.server import pages

    pages.lab(
        arguments.folder,
        arguments.host,
        arguments.port,
        not arguments.no_browser,
        arguments.allow_root,
    )


# The rules


def _rules(arguments: argparse.Namespace) -> None:
    from castlelab.edition import Edition
    from castlelab.game import game_class

    game = game_class(arguments.game)(edition=Edition.load(arguments.game, arguments.edition))
    if arguments.rule is not None:
        print(_rule_in_full(_find_rule(game, arguments.rule)))
        return
    print(f"{game.title}: {len(game.rules)} rules")
    width = max(map(len, game.rules))
    for section, rules in game.rules.sections().items():
        print(f"\n{section}")
        for rule in rules:
            print(f"  {rule.id:<{width}}  {rule.title}")
    if game.edition is not None:
        print(f"\nData of the edition “{game.edition.name}”")
        width = max(map(len, game.edition.tables), default=0)
        for table, source in game.edition.sources().items():
            print(f"  {table:<{width}}  {_SOURCES[source]}")


_SOURCES = {
    "rulebook": "from the rulebook",
    "house": "house data: ours, until you replace it with what is printed in your box",
    "box": "from your edition file",
}


def _find_rule(game: Game, rule_id: str) -> Rule:
    """A rule by its id, with or without the part before the slash."""
    for wanted in (rule_id, f"{game.name}/{rule_id}"):
        if wanted in game.rules:
            return game.rules[wanted]
    raise CastlelabError(
        f"{game.name} has no rule {quoted(rule_id)}; {_suggest_rule(game, rule_id)}"
        f"`castlelab rules {game.name}` lists them"
    )


def _suggest_rule(game: Game, rule_id: str) -> str:
    near = get_close_matches(f"{game.name}/{rule_id.rpartition('/')[2]}", game.rules, n=2)
    return f"did you mean {' or '.join(near)}? " if near else ""


def _rule_in_full(rule: Rule) -> str:
    lines = [f"{rule.title}  [{rule.id}]", rule.section, "", _wrapped(rule.text)]
    if rule.ruling:
        lines += ["", _wrapped(f"Our ruling: {rule.ruling}")]
    return "\n".join(lines)


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,  # the id of a rule stays in one piece
    )


def _explained(verdict: Verdict) -> str:
    """Every breach on its own lines, with what would mend it and its rule."""
    return "\n".join(_wrapped(f"- {breach}") for breach in verdict.breaches)


# Simulation


def _simulate(arguments: argparse.Namespace) -> None:
    from castlelab.study import simulate
    from castlelab.study.journal import ENDING
    from castlelab.study.workers import dask
    from castlelab.system.files import check_writable

    out = arguments.out or ""
    as_it_goes = out if out.endswith(ENDING) else None
    if arguments.resume and as_it_goes is None:
        raise CastlelabError(f"--resume goes on with a file; name it with --out FILE{ENDING}")
    if out and as_it_goes is None and Path(out).suffix not in (".csv", ".json"):
        raise CastlelabError(f"--out is a {ENDING}, .csv or .json file, not {quoted(out)}")
    if arguments.dask and arguments.workers:
        raise CastlelabError("a cluster has its own workers; leave --workers or --dask out")
    if out and as_it_goes is None:
        check_writable(Path(out))  # at the end it would be too late to choose another name
    with ExitStack() as stack:
        stack.enter_context(_stopped_once())
        stack.enter_context(_warnings_in_a_line())
        study = simulate(
            arguments.game,
            arguments.games,
            _bots(arguments.bots or _usual_bots(arguments), arguments.players),
            arguments.seed,
            stack.enter_context(dask(arguments.dask)) if arguments.dask else None,
            arguments.edition,
            workers=arguments.workers,
            out=as_it_goes,
            resume=arguments.resume,
            **_options(arguments),
        )
    print(study)
    if out and as_it_goes is None:
        study.save(out)


@contextmanager
def _stopped_once() -> Iterator[None]:
    """Answer the first Ctrl-C or SIGTERM; the next ones would only disturb the tidying up."""
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    stopped = False

    def stop(number: int, _: object) -> NoReturn:
        nonlocal stopped
        stopped = True
        for each in usual:
            signal.signal(each, signal.SIG_IGN)
        raise Terminated if number == signal.SIGTERM else KeyboardInterrupt

    for number, answer in usual.items():
        if answer != signal.SIG_IGN:  # as for what runs on after its terminal is closed
            signal.signal(number, stop)
    try:
        yield
    finally:
        if not stopped:
            for number, answer in usual.items():
                signal.signal(number, answer)


@contextmanager
def _warnings_in_a_line() -> Iterator[None]:
    """Tell a warning as an error is told, and go on."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = lambda message, *_, **__: print(
            "castlelab:", " ".join(str(message).split()), file=sys.stderr
        )
        yield


def _usual_bots(arguments: argparse.Namespace) -> str:
    """A clever and a careless player, or the clever one where one plays alone."""
    from castlelab.game import game_class

    seats = game_class(arguments.game).seats_for(**_options(arguments))
    return "greedy,random" if arguments.players != 1 and seats[-1] > 1 else "greedy"


def _bots(text: str, players: int | None) -> tuple[str, ...]:
    """The bot of each seat; the last one named also takes the seats that are left.

    >>> _bots("greedy,random", 4)
    ('greedy', 'random', 'random', 'random')
    """
    names = tuple(name.strip() for name in text.split(","))
    if players is None:
        return names
    if len(names) > players:
        raise CastlelabError(f"{len(names)} bots are too many for {players} players")
    return names + names[-1:] * (players - len(names))


# For teachers


def _worksheet(arguments: argparse.Namespace) -> None:
    from castlelab.classroom.sheet import TITLE, worksheet

    if arguments.links and not arguments.address.strip():
        raise CastlelabError(
            "--links needs to know where your pages are: add --address, such as "
            "--address http://localhost:8866"
        )
    sheet = worksheet(
        arguments.kinds,
        arguments.levels,
        arguments.count,
        arguments.seed,
        title=TITLE if arguments.title is None else arguments.title,
        address=arguments.address,
        progress=sys.stderr.isatty(),
    )
    if arguments.links:
        print("\n".join(sheet.links()))
    if arguments.out or not arguments.links:
        written = sheet.save(arguments.out or "worksheet.html", key=not arguments.no_key)
        # With --links the output is links alone, good to be passed on.
        told = sys.stderr if arguments.links else sys.stdout
        print(f"Wrote {' and '.join(map(str, written))}.", file=told)


def _classroom(arguments: argparse.Namespace) -> None:
    from castlelab.classroom.reading import read_class

    register = read_class(arguments.folder)
    if arguments.out:
        register.save(arguments.out)
    print(register)
    if arguments.out:
        print(f"Wrote {arguments.out}.")


# Puzzles


def _puzzle(arguments: argparse.Namespace) -> None:
    if arguments.code is None:
        _list_puzzles()
        return
    asked = _find_puzzle(arguments.code)
    _draw(asked)
    print(_wrapped(asked.prompt))
    choices = _choices(asked)
    for mark, (_, words) in choices.items():
        print(f"{mark:>4}  {words}")
    print("(hint, solution and quit are understood too)")
    hints = 0
    while (answer := _ask("answer> ")) not in (None, "quit"):
        if answer == "hint":
            hints = min(hints + 1, len(asked.hints))
            print(_wrapped(asked.hint(hints)))
        elif answer == "solution":
            print(asked.solution)
        elif answer and _solves(asked, choices.get(answer, (answer, ""))[0]):
            return


def _choices(asked: Puzzle) -> dict[str, tuple[str, str]]:
    """What may be chosen, as (answer, words), by the short mark that is typed for it.

    The mark is a number in the list, unless the answers are numbers themselves.
    """
    from castlelab.puzzles import ChooseOne

    if not isinstance(asked.ask, ChooseOne):
        return {}
    options = asked.ask.options
    if any(answer.isdigit() for answer, _ in options):
        return {answer: (answer, words) for answer, words in options}
    return {str(number): option for number, option in enumerate(options, start=1)}


def _find_puzzle(code: str) -> Puzzle:
    """The puzzle of a code; a wrong code is told where to find the right ones."""
    from castlelab.puzzles import puzzle

    try:
        return puzzle(code)
    except CastlelabError as error:
        raise CastlelabError(f"{error}; castlelab puzzle lists all kinds") from None


def _list_puzzles() -> None:
    """Every kind of puzzle, under its game."""
    from castlelab.game import game_class
    from castlelab.puzzles import kinds

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
        print(_wrapped(str(error)))
        return False
    _draw(asked, answer)
    for line in str(judgement).splitlines():
        print(_wrapped(line))
    return bool(judgement)


def _draw(asked: Puzzle, answer: Any = None) -> None:
    from castlelab.draw.text import render

    print(render(asked.picture(answer), WIDTH))


def _ask(prompt: str) -> str | None:
    """A line from the terminal, or None when there will be no more."""
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        return None


# Playing


def _play(arguments: argparse.Namespace) -> None:
    from castlelab.bots import bot
    from castlelab.game import load
    from castlelab.record import Record

    rival = bot(arguments.bot)
    game = load(arguments.game, arguments.players, arguments.edition, **_options(arguments))
    print(f"{game.title}. {game.about}")
    print(f"{_company(game, rival)} Type help for the commands.")
    record: Record | None = _bots_turn(Record.start(game, arguments.seed), rival)
    while record is not None:
        _show(record)
        record = _your_turn(record, rival, arguments.edition)


def _company(game: Game, rival: Bot) -> str:
    """Who sits at the table, by the names in the picture."""
    from castlelab.game import SEAT_NAMES
    from castlelab.rules import listed

    if game.players == 1:
        return "You are alone."
    others = SEAT_NAMES[YOU + 1 : game.players]
    return f"You are {SEAT_NAMES[YOU]}; {rival.name} plays {listed(others)}."


def _bots_turn(record: Record, rival: Bot) -> Record:
    """Let the bots move until it is your turn, or the end."""
    from castlelab.chance import Chance

    while record.state.to_move not in (YOU, None):
        # Named by the number of the move, so that taking back and loading change nothing.
        chance = Chance.seeded(f"{record.seed}/{rival.name}/{len(record.moves)}")
        move, _ = rival.choose(record.state, chance)
        record = record.play(move)
        print(record.told(len(record.moves) - 1, [YOU]))
    return record


def _show(record: Record) -> None:
    """The board and the moves as you may see them."""
    from castlelab.draw.text import render

    state = record.state.view(YOU)
    print()
    print(render(state.picture(), WIDTH))
    print(_wrapped(state.describe()))
    if state.over:
        print(_wrapped(_ending(state)))
        print("undo, save FILE and quit are left.")
    else:
        _list_moves(record, 0)


def _ending(state: State) -> str:
    """Who won a game that is over, and with what points; alone one may have lost to nobody."""
    from castlelab.game import SEAT_NAMES
    from castlelab.rules import listed

    winners = listed([SEAT_NAMES[seat] for seat in state.winners]) if state.winners else "nobody"
    points = [f"{name} {score}" for name, score in zip(SEAT_NAMES, state.scores, strict=False)]
    return f"The game is over: {winners} won (points: {listed(points)})."


def _list_moves(record: Record, first: int) -> None:
    moves = record.state.moves()
    if first >= len(moves):
        print(f"That is all: {len(moves)} moves." if moves else "The game is over: no moves.")
        return
    for number, move in enumerate(moves[first : first + PAGE], start=first + 1):
        print(f"{number:>4}  {move}")
    left = len(moves) - first - PAGE
    if left > 0:
        print(f"      and {left} more: type more")


def _your_turn(record: Record, rival: Bot, edition: str | None) -> Record | None:
    """Answer commands until one of them changes the game; None ends it."""
    listed = 0
    while (line := _ask("> ")) is not None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        try:
            match word:
                case "":
                    continue
                case "quit" | "exit":
                    return None
                case "help":
                    print(_HELP)
                case "more":
                    listed += PAGE
                    _list_moves(record, listed)
                case "moves":
                    listed = 0
                    _list_moves(record, listed)
                case "hint":
                    print(_hint(record))
                case "why":
                    print(_why(record, rest))
                case "rules":
                    print(_rule_in_full(_find_rule(record.game, rest)))
                case "save":
                    _save(record, rest)
                case "load":
                    return _bots_turn(_load(rest, edition), rival)
                case "undo":
                    return _bots_turn(_back(record), rival)
                case "redo":
                    return _forward(record, rival)
                case _:
                    return _bots_turn(record.play(_chosen(record, line)), rival)
        except CastlelabError as error:
            verdict = getattr(error, "verdict", None)
            print(_explained(verdict) if verdict is not None else _wrapped(str(error)))
        except OSError as error:
            print(f"{rest}: {error.strerror}")
    return None


_HELP = """\
  a number        play that move
  anything else   is read as a move in notation
  moves, more     list the moves; list further ones
  undo, redo      take your last move back; play it again
  why MOVE        is it legal? If not, which rules say no
  rules ID        a rule in full
  hint            what the greedy bot would play
  save FILE       keep the game
  load FILE       go on with a game that was kept
  quit            leave"""


def _chosen(record: Record, text: str) -> Any:
    """The move with that number in the list, or the text itself as notation."""
    if not (text.isascii() and text.isdigit()):
        return text
    moves = record.state.moves()
    if not moves:
        raise CastlelabError("the game is over; there is nothing to play")
    if not 1 <= int(text) <= len(moves):
        raise CastlelabError(f"there are moves 1 to {len(moves)}, no {text}")
    return moves[int(text) - 1]


def _why(record: Record, text: str) -> str:
    if not text:
        raise CastlelabError("write the move or its number after why")
    chosen = _chosen(record, text)
    verdict = record.state.check(record.game.move(chosen) if isinstance(chosen, str) else chosen)
    if verdict:
        return "That is legal."
    rules = "\n".join(_rule_in_full(record.game.rules[rule]) for rule in verdict.rules)
    return f"{_explained(verdict)}\n\n{rules}"


def _hint(record: Record) -> str:
    from castlelab.bots import bot
    from castlelab.chance import Chance

    if record.state.over:
        return "The game is over."
    (thought,) = bot("greedy").think(record.state, Chance.seeded(len(record.moves)))
    return f"The greedy bot would play {thought.move}\n{thought.reason}"


def _save(record: Record, name: str) -> None:
    if not name:
        raise CastlelabError("write the name of a file after save")
    record.save(name)
    print(f"Saved as {name}.")


def _load(name: str, edition: str | None) -> Record:
    from castlelab.record import Record

    if not name:
        raise CastlelabError("write the name of a file after load")
    return Record.load(name, edition)


def _back(record: Record) -> Record:
    """Before your last move: what the bots answered is taken back with it."""
    decided = [at for at, state in enumerate(record.states[:-1]) if state.to_move == YOU]
    if not decided:
        raise CastlelabError("there is nothing to take back")
    record.refuse_to_forget(decided[-1], [YOU], [YOU])
    for _ in range(len(record.moves) - decided[-1]):
        record = record.undo()
    return record


def _forward(record: Record, rival: Bot) -> Record:
    """Your move played again, with what the bots answered."""
    if not record.undone:
        raise CastlelabError("there is nothing to play again")
    record = record.redo()
    while record.undone and record.state.to_move != YOU:
        record = record.redo()
    return _bots_turn(record, rival)


COMMANDS: dict[
    str,
    tuple[
        Callable[[Parser, Sequence[str]], None],
        Callable[[argparse.Namespace], None],
        str,
    ],
] = {
    "serve": (_add_pages, _serve, "show the pages in a browser (what castlelab does alone)"),
    "lab": (_add_lab, _lab, "open the notebooks in JupyterLab"),
    "play": (_add_play, _play, "play a game in the terminal"),
    "puzzle": (_add_puzzle, _puzzle, "solve a puzzle in the terminal"),
    "rules": (_add_rules, _rules, "list the rules of a game, or show one"),
    "simulate": (_add_simulate, _simulate, "let bots play many games and count"),
    "worksheet": (_add_worksheet, _worksheet, "puzzles to print or to share, with a key"),
    "classroom": (_add_classroom, _classroom, "what a class has solved, from its progress files"),
    "singleuser": (_add_singleuser, _singleuser, "the pages of one person; a JupyterHub starts it"),
}


if __name__ == "__main__":
    sys.exit(main())
