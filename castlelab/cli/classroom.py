"""``castlelab classroom``: what a class has solved, in all or of one sheet."""

from __future__ import annotations

import argparse
from pathlib import Path

from castlelab.classroom.assignment import sheet_report
from castlelab.classroom.reading import read_class
from castlelab.classroom.register import ClassRegister
from castlelab.cli.arguments import Parser
from castlelab.rules import CastlelabError, listed, quoted
from castlelab.system.files import write_whole


def add_arguments(parser: Parser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="with the exported progress files")
    parser.add_argument(
        "--out", metavar="FILE", help="the table as .csv, the heat map as .svg, all as .html"
    )
    parser.add_argument(
        "--guesses", metavar="FILE", help="each guess at a question of the courses, as .csv"
    )
    parser.add_argument("--sheet", metavar="LINK", help="report this sheet alone, task by task")
    parser.add_argument(
        "--points", default="1", help="of a task of the sheet, or of each: 1,2,2 (%(default)s)"
    )
    parser.add_argument("--hint-cost", default="0", help="points that a hint takes away (0)")
    parser.add_argument("--grades", metavar="FILE", help="points of the sheet for a gradebook")
    parser.add_argument("--roster", metavar="FILE", help="the class as the gradebook exports it")


def run_command(arguments: argparse.Namespace) -> None:
    register = read_class(arguments.folder)
    if arguments.sheet is not None:
        if arguments.guesses:
            raise CastlelabError("guesses are those of the courses: leave out --sheet")
        _report_sheet(register, arguments)
        return
    if arguments.grades or arguments.roster:
        raise CastlelabError("grades are those of a sheet: add --sheet and its link")
    if arguments.out:
        register.save(arguments.out)
    if arguments.guesses:
        # The mark at the start tells spreadsheets that names may have accents.
        write_whole(Path(arguments.guesses), register.guesses_csv(), "utf-8-sig")
    print(register)
    if written := [file for file in (arguments.out, arguments.guesses) if file]:
        print(f"Wrote {listed(written)}.")


def _report_sheet(register: ClassRegister, arguments: argparse.Namespace) -> None:
    points = [_number(word) for word in arguments.points.split(",")]
    worth = points[0] if len(points) == 1 else points
    report = sheet_report(arguments.sheet, register, worth, _number(arguments.hint_cost))
    if arguments.out:
        report.save(arguments.out)
    left: tuple[str, ...] = ()
    if arguments.grades:
        left = report.save_grades(arguments.grades, arguments.roster)
    print(report)
    for skipped in register.skipped:
        print(f"Skipped {skipped}")
    if left:
        print(f"Not in the list of the class: {listed(left)}.")
    if written := [file for file in (arguments.out, arguments.grades) if file]:
        print(f"Wrote {listed(written)}.")


def _number(word: str) -> float:
    try:
        return int(word) if word.strip().isdigit() else float(word)
    except ValueError:
        raise CastlelabError(f"points are numbers, such as 2 or 0.5, not {quoted(word)}") from None
