"""Tables, series and claims made of rows: mappings, records, or tuples in the order of columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from redblue.show.model import Column, Role, Series, Table

Row = dict[str, Any]
Key = str | Callable[[Any], Any]


def table(
    name: str,
    caption: str,
    rows: Iterable[Any],
    *columns: str | tuple[str, Key],
    folded: bool = False,
    formulas: Mapping[str, str] | None = None,
) -> Table:
    """Return the table of rows.

    Parameters
    ----------
    name, caption, folded, formulas
        As for `Table`.
    rows
        What the lines are made of.
    columns
        "heading [unit] <- key", or a heading and a function of a row; without either the cell is
        that at the column's place in a tuple.

    Examples
    --------
    >>> table("io", "Words.", [{"n": 8, "io": 92}], "n <- n", "I/O [words] <- io").rows
    ((8, 92),)
    """
    pairs = [_split(each, place) for place, each in enumerate(columns)]
    parts = [heading.removesuffix("]").partition(" [") for heading, _ in pairs]
    return Table(
        name,
        caption,
        tuple(Column(heading, unit) for heading, _, unit in parts),
        tuple(tuple(value(row, key) for _, key in pairs) for row in rows),
        folded,
        formulas or {},
    )


def series(
    label: str,
    rows: Iterable[Any],
    x: Key,
    y: Key,
    role: Role = "measured",
    note: Callable[[Any], str] | None = None,
) -> Series:
    """Return points of rows, with a note of each if `note` makes one."""
    rows = list(rows)
    notes = () if note is None else tuple(map(note, rows))
    xs, ys = (tuple(float(value(row, key)) for row in rows) for key in (x, y))
    return Series(label, xs, ys, role, notes)


def value(row: Any, key: Key | int) -> Any:
    """Return the cell that a row has under a key, or that a function makes of it."""
    if callable(key):
        return key(row)
    if isinstance(key, int) or isinstance(row, Mapping):
        return row[key]
    return getattr(row, key)


def grouped(rows: Iterable[Any], key: Key) -> dict[Any, list[Any]]:
    """Return rows by what they have under a key, in order of appearance."""
    found: dict[Any, list[Any]] = {}
    for row in rows:
        found.setdefault(value(row, key), []).append(row)
    return found


def share(holds: Callable[[Any], object], rows: Sequence[Any]) -> tuple[bool, str]:
    """Return whether something holds for all rows, and for how many: "3 of 4"."""
    good = sum(map(bool, map(holds, rows)))
    return good == len(rows), f"{good} of {len(rows)}"


def listed(values: Iterable[Any], form: str = "", joint: str = ", ") -> str:
    """Return values in one line, each in a format such as ".3f"."""
    return joint.join(format(each, form) for each in values)


def _split(column: str | tuple[str, Key], place: int) -> tuple[str, Key | int]:
    """Return the heading of a column and its key."""
    if not isinstance(column, str):
        return column
    heading, _, key = column.rpartition(" <- ")
    return (heading, key) if heading else (key, place)
