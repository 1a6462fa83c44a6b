"""Tables of numbers for the terminal."""

from collections.abc import Iterable, Sequence

from redblue.cli import console

LARGEST = 1e15  # what a table has room for


def emit_rows(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table, the first column to the left and the others to the right."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    console.emit_table(table)


def short(value: float) -> str:
    """Return `value` with six significant digits; whole numbers in full, unless they are huge."""
    whole = value == int(value) and value < LARGEST
    return f"{value:,.0f}" if whole else f"{value:.6g}"
