"""Tables, series and claims made of rows, and the texts of their cells.

Rows are mappings, records, or tuples in the order of columns.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from redblue.show.model import Cell, Column, Role, Series, Table

Row = dict[str, Any]
Key = str | Callable[[Any], Any]
LARGEST_WHOLE = 1e15
LIKE_NUMBERS = set("0123456789.,:+-%e")  # 1.5e+04, 3.5%, 8:64, or a dash


def table(
    name: str,
    caption: str,
    rows: Iterable[Any],
    *columns: str | tuple[str, Key],
    folded: bool = False,
    formulas: Mapping[str, str] | None = None,
    keys: int = 0,
    bold: Iterable[tuple[int, int]] = (),
) -> Table:
    """The table of rows.

    Parameters
    ----------
    name, caption, folded, formulas, keys, bold
        As for `Table`.
    rows
        The source of the lines.
    columns
        "heading [unit] <- key", or a heading and a function of a row; without either the cell is
        that at the column's place in a tuple.

    Examples
    --------
    >>> table("io", "Words.", [{"n": 8, "io": 92}], "n <- n", "I/O [words] <- io").rows
    ((8, 92),)
    """
    pairs = [_split(column, place) for place, column in enumerate(columns)]
    parts = [heading.removesuffix("]").partition(" [") for heading, _ in pairs]
    return Table(
        name,
        caption,
        tuple(Column(heading, unit) for heading, _, unit in parts),
        tuple(tuple(value(row, key) for _, key in pairs) for row in rows),
        folded,
        formulas or {},
        keys,
        tuple(bold),
    )


def series(
    label: str,
    rows: Iterable[Any],
    x: Key,
    y: Key,
    role: Role = "measured",
    note: Callable[[Any], str] | None = None,
) -> Series:
    """Points of rows, with a note of each if `note` makes one."""
    rows = list(rows)
    notes = () if note is None else tuple(map(note, rows))
    xs, ys = (tuple(float(value(row, key)) for row in rows) for key in (x, y))
    return Series(label, xs, ys, role, notes)


def value(row: Any, key: Key | int) -> Any:
    """The cell that a row has under a key, or that a function makes of it.

    Examples
    --------
    >>> value({"bounds": [{"io": 8}]}, "bounds.0.io")
    8
    """
    if callable(key):
        return key(row)
    if isinstance(key, str) and "." in key and not (isinstance(row, Mapping) and key in row):
        return reduce(value, key.split("."), row)
    if isinstance(key, int) or isinstance(row, Mapping):
        return row[key]
    return row[int(key)] if key.isdigit() else getattr(row, key)


def grouped(rows: Iterable[Any], key: Key) -> dict[Any, list[Any]]:
    """Rows by their values under a key, in order of appearance."""
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        groups.setdefault(value(row, key), []).append(row)
    return groups


def share(holds: Callable[[Any], object], rows: Sequence[Any]) -> tuple[bool, str]:
    """Whether something holds for all rows, and for how many: "3 of 4"."""
    good = sum(map(bool, map(holds, rows)))
    return good == len(rows), f"{good} of {len(rows)}"


def listed(values: Iterable[Any], form: str = "", joint: str = ", ") -> str:
    """Values in one line, each in a format such as ".3f"."""
    return joint.join(format(value, form) for value in values)


def cell_text(cell: Cell) -> str:
    """A cell for readers: whole numbers with commas, others with six digits.

    Examples
    --------
    >>> cell_text(65536), cell_text(1 / 3), cell_text(None), cell_text("a")
    ('65,536', '0.333333', '', 'a')
    """
    if cell is None or isinstance(cell, str):
        return cell or ""
    return f"{cell:,}" if isinstance(cell, int) else exact(cell)


def heading(column: Column) -> str:
    """The heading of a column as text."""
    return f"{column.name} [{column.unit}]" if column.unit else column.name


def numeric(table: Table) -> tuple[bool, ...]:
    """Return for each column whether it is right-aligned: most of it is numbers, or like them."""
    columns = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.columns)
    filled = ([cell for cell in column if cell not in ("", None)] for column in columns)
    return tuple(2 * sum(map(_is_words, cells)) < max(len(cells), 1) for cells in filled)


def _is_words(cell: Cell) -> bool:
    return isinstance(cell, str) and not set(cell) <= LIKE_NUMBERS


def exact(value: float) -> str:
    """A number in full: whole ones with commas, others with six digits.

    Of a float from 10^15 on three digits are written: it has no more that were computed.

    Examples
    --------
    >>> exact(65536.0), exact(0.3333333333), exact(2.0**97)
    ('65,536', '0.333333', '1.58e29')
    """
    if abs(value) >= LARGEST_WHOLE:
        return f"{value:.3g}".replace("e+", "e")
    return f"{value:,.0f}" if value == int(value) else f"{value:,.6g}"


def _split(column: str | tuple[str, Key], place: int) -> tuple[str, Key | int]:
    """The heading of a column and its key."""
    if not isinstance(column, str):
        return column
    heading, _, key = column.rpartition(" <- ")
    return (heading, key) if heading else (key, place)
