"""Words in a spreadsheet."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def no_formula(text: str) -> str:
    """Words that a spreadsheet takes for words, though they begin like a formula.

    >>> no_formula("=1+1"), no_formula("Ada")
    ("'=1+1", 'Ada')
    """
    return f"'{text}" if text.lstrip().startswith(_FORMULA) or text.startswith(_FORMULA) else text
