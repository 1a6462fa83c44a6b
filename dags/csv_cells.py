"""CSV whose texts a spreadsheet does not take for formulas."""

import csv
from collections.abc import Iterable
from io import StringIO

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


def csv_text(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as CSV, with all digits; an empty cell is empty, and no text is a formula."""
    sheet = StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(map(harmless, headings))
    writer.writerows(map(harmless, row) for row in rows)
    return sheet.getvalue()
