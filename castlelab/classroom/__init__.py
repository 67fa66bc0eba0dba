"""For teachers: worksheets to hand out, and what a class has solved.

>>> from castlelab.classroom import worksheet
>>> worksheet("castell/tallest", levels="1-2", count=2, seed=7).codes
('castell/tallest-1-596', 'castell/tallest-2-309')
"""

from castlelab.classroom.assignment import SheetReport, read_assignment, sheet_report
from castlelab.classroom.curriculum import curriculum
from castlelab.classroom.example import example_class
from castlelab.classroom.homework import PuzzleQuestion, points_of, question
from castlelab.classroom.plans import lesson_plans
from castlelab.classroom.reading import read_class, read_files
from castlelab.classroom.register import ClassRegister, Pupil, Skipped
from castlelab.classroom.sheet import Worksheet, worksheet
from castlelab.system.facade import facade

__all__ = [
    "ClassRegister",
    "Pupil",
    "PuzzleQuestion",
    "SheetReport",
    "Skipped",
    "Worksheet",
    "curriculum",
    "example_class",
    "lesson_plans",
    "points_of",
    "question",
    "read_assignment",
    "read_class",
    "read_files",
    "sheet_report",
    "worksheet",
]

__getattr__, __dir__ = facade(__name__)
