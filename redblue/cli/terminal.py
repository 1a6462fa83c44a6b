"""Rich as commands use it: text is shown as it is, and wide tables are cut between columns."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from redblue.cli.visible import visible

WIDEST = 1000  # columns of a table where no screen limits it


class PlainConsole(Console):
    """A console that finds no markup in text, and shows characters that command a terminal."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """The text that is shown for a string, as for the cells of tables."""
        return super().render_str(visible(text), **options)


def in_parts(table: Table, keys: int, console: Console) -> Iterator[Table]:
    """Yield a table in parts that fit the width of a console, each with the first `keys` columns.

    Parameters
    ----------
    table
        The table.
    keys
        How many columns are keys of a line.
    console
        Where it is printed.
    """
    first, further = table.columns[:keys], table.columns[keys:]
    part: list[Any] = []
    for column in further:
        if part and _width(_of_columns(table, [*first, *part, column]), console) > console.width:
            yield _of_columns(table, [*first, *part])
            part = []
        part.append(column)
    yield _of_columns(table, [*first, *part])


def _of_columns(table: Table, columns: list[Any]) -> Table:
    part = copy(table)
    part.columns = [replace(column, _index=place) for place, column in enumerate(columns)]
    return part


def _width(table: Table, console: Console) -> int:
    """The width of a table that nothing limits."""
    return console.measure(table, options=console.options.update(width=WIDEST)).maximum
