"""Texts in CSV files that a spreadsheet does not take for formulas."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a formula begins with, as OWASP lists it


def harmless(cell: object) -> object:
    """Return a cell of a table; a text that begins like a formula, with an apostrophe before it.

    A carriage return, which `csv` does not quote and readers take for a line end, is a blank.

    Examples
    --------
    >>> harmless("=1+2"), harmless("fft:n=8"), harmless(-3)
    ("'=1+2", 'fft:n=8', -3)
    """
    if not isinstance(cell, str):
        return cell
    text = cell.replace("\r", " ")
    return f"'{text}" if cell.startswith(FORMULA) else text
