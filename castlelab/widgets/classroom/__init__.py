"""For teachers: worksheets to make, a class to look at."""
