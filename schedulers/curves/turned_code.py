"""The code of a loop table with the statements of each block the last first."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dags.arrays import Int64Array
from dags.programs.loop_table import FIELDS, Op


@dataclass(frozen=True)
class Item:
    """A statement of the loop table, with its rows of code in both directions.

    Parameters
    ----------
    op
        A loop, condition, node or clearing.
    rows, backward
        First row and the one behind the last, of the code, and of the code backwards.
    body
        What is inside a loop.
    """

    op: Op
    rows: tuple[int, int]
    backward: tuple[int, int]
    body: "tuple[Item, ...]" = ()


def turned(code: Int64Array) -> tuple[Int64Array, tuple[Item, ...]]:
    """The code with the statements of each block the last first, and its items."""
    rows: list[list[int]] = []

    def emit(row: Sequence[int]) -> int:
        rows.append([*row, *[0] * (FIELDS - len(row))])
        return len(rows) - 1

    def block(row: int, end: int) -> tuple[Item, ...]:
        starts = []
        while row < end:
            starts.append(row)
            row = _behind(code, row)
        items = [statement(start) for start in reversed(starts)]
        return tuple(reversed(items))

    def statement(row: int) -> Item:
        op, begin = Op(code[row, 0]), len(rows)
        body: tuple[Item, ...] = ()
        end = _behind(code, row)
        if op is Op.LOOP:
            target = emit(code[row].tolist())
            body = block(row + 1, end - 1)
            emit((Op.END, target, 0))
            rows[target][7] = len(rows)
        elif op is Op.IF:
            target, otherwise = emit(code[row].tolist()), int(code[row, 3])
            block(row + 1, otherwise - 1)
            jump = emit((Op.JUMP,))
            rows[target][3] = len(rows)
            block(otherwise, end)
            rows[jump][1] = len(rows)
        else:
            emit(code[row].tolist())
        return Item(op, (row, end), (begin, len(rows)), body)

    items = block(0, code.shape[0])
    return np.array(rows, np.int64).reshape(-1, FIELDS), items


def _behind(code: Int64Array, row: int) -> int:
    """The row behind a statement."""
    if code[row, 0] == Op.LOOP:
        return int(code[row, 7])
    return int(code[code[row, 3] - 1, 1]) if code[row, 0] == Op.IF else row + 1
