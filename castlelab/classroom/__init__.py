"""For teachers: worksheets to hand out, and what a class has solved.

>>> from castlelab.classroom import worksheet
>>> worksheet("castell/tallest", levels="1-2", count=2, seed=7).codes
('castell/tallest-1-596', 'castell/tallest-2-309')
"""

from castlelab.classroom.sheet import Worksheet, worksheet

__all__ = ["Worksheet", "worksheet"]
