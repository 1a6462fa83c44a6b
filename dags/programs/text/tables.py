"""Tables of whole numbers, as the directions of a lattice, whose entries may stand in indices."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from dags.programs.affine import Affine

Entry = int | tuple["Entry", ...]  # of a table, which is a number or a row of entries
Values = ast.expr | Sequence["Values"]  # of a table, as they are written
DEEPEST: Final = 4  # axes of a table


def rows_of(values: Sequence[Values], sides: Sequence[int | None]) -> Sequence[Values] | None:
    """Values in rows, where the text may have them one after the other, as C may.

    Parameters
    ----------
    values
        In braces, some of them in braces of their own.
    sides
        Entries along each axis; None where the text does not say.
    """
    is_flat = not any(isinstance(value, Sequence) for value in values)
    if not is_flat or len(sides) < 2:
        return values
    inner = sides[1:]
    length = 1
    for side in inner:
        if side is None:
            return None
        length *= side
    if not length or len(values) % length:
        return None
    starts = range(0, len(values), length)
    rows = [rows_of(values[start : start + length], inner) for start in starts]
    return None if any(row is None for row in rows) else [row for row in rows if row is not None]


def entries_of(values: Values, numbers: Mapping[str, int], sides: Sequence[int | None]) -> Entry:
    """The entries of a table; those that the text does not have are 0, as in C.

    Parameters
    ----------
    values
        Expressions, in rows.
    numbers
        Values of names.
    sides
        Entries along each axis; None where the text does not say.

    Raises
    ------
    ValueError
        If a value is no whole number.
    """
    if not isinstance(values, Sequence):
        return _number(values, numbers)
    if len(sides) > DEEPEST:
        raise ValueError("too many axes")
    inner = sides[1:]
    entries = tuple(entries_of(value, numbers, inner) for value in values)
    length = sides[0] if sides else None
    if length is None or len(entries) >= length:
        return entries
    blank = _zeros(inner)
    return entries + (blank,) * (length - len(entries))


def _zeros(sides: Sequence[int | None]) -> Entry:
    """The entries of a table that has only zeros."""
    if not sides:
        return 0
    if sides[0] is None:
        raise ValueError("the length of a row is not known")
    return (_zeros(sides[1:]),) * sides[0]


def _number(value: ast.expr, numbers: Mapping[str, int]) -> int:
    """The whole number that an expression is."""
    if isinstance(value, ast.Constant) and type(value.value) is int:
        return value.value
    if isinstance(value, ast.Name) and value.id in numbers:
        return numbers[value.id]
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub | ast.UAdd):
        inner = _number(value.operand, numbers)
        return -inner if isinstance(value.op, ast.USub) else inner
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub | ast.Mult):
        left, right = _number(value.left, numbers), _number(value.right, numbers)
        if isinstance(value.op, ast.Mult):
            return left * right
        return left + right if isinstance(value.op, ast.Add) else left - right
    raise ValueError("no whole number")


def place_of(node: ast.Subscript) -> tuple[str, list[ast.expr]]:
    """The array of a cell and its indices; no name where it is no cell of an array by name."""
    indices: list[ast.expr] = []
    base: ast.expr = node
    while isinstance(base, ast.Subscript):
        parts = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
        indices = [*parts, *indices]
        base = base.value
    return (base.id if isinstance(base, ast.Name) else ""), indices


def entry_at(table: Entry, forms: Iterable[Affine | None]) -> int | None:
    """The number at a place of a table; None if it has none there."""
    entry = table
    for form in forms:
        is_place = form is not None and not form.terms and isinstance(entry, tuple)
        if not is_place or not 0 <= form.constant < len(entry):  # type: ignore[union-attr,arg-type]  # looked at
            return None
        entry = entry[form.constant]  # type: ignore[index,union-attr]  # looked at
    return entry if isinstance(entry, int) else None


def lengths(table: Entry) -> Iterator[int]:
    """Yield the entries of a table along each axis."""
    entry = table
    while isinstance(entry, tuple):
        yield len(entry)
        entry = entry[0] if entry else 0
