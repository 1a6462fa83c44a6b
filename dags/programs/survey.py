"""Counts and array extents of a program at given sizes, found without laying out its DAG."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.programs import _kernels as k
from dags.programs.loop_table import LoopTable, Op
from dags.programs.nest import Program, ProgramError

PATIENCE: Final = 2**28  # rows of code that a survey may run: some seconds


@dataclass(frozen=True)
class Survey:
    """Counts of a program: runs of each of its parts, and extents of its arrays.

    Parameters
    ----------
    runs
        (v,) how often each node of the loop table runs.
    dims
        (a,) number of indices of each array.
    extents
        (a, d) extent of each index, 1 beyond them.
    """

    runs: Int64Array
    dims: Int64Array
    extents: Int64Array


def survey(program: Program, table: LoopTable, sizes: Mapping[str, int], most: int) -> Survey:
    """The counts of a program; its innermost loops are not run.

    Parameters
    ----------
    program, table, sizes
        The program, its loop table, and the values of its sizes.
    most
        Assignments or operations that it may run.

    Raises
    ------
    ProgramError
        If it runs more, or an index leaves its array.
    """
    dims = np.array([_dimensions(program, name) for name in table.arrays], np.int64)
    widest = int(dims.max(initial=1))
    runs = np.zeros(len(table.nodes), np.int64)
    lowest = np.full((table.reference_array.size, widest), k.FAR, np.int64)
    highest = np.full_like(lowest, -k.FAR)
    variables = np.zeros(table.depth, np.int64)
    tables, limits = kernel_tables(table), np.array([most, PATIENCE])
    depths = np.array([len(node.variables) for node in table.nodes], np.int64)
    loops = k.Loops(_even_loops(table), depths, np.ones(table.depth + 1, np.int64))
    for is_counting in (True, False):  # counting alone is quick to find that it is too much
        runs[:] = 0
        status = k.survey(
            tables, loops, dims, variables, runs, lowest, highest, limits, is_counting
        )
        if status == k.DONE:
            continue
        excess = "too many loops"
        if status == k.TOO_MANY:
            excess = f"more than {most} assignments or operations"
        raise ProgramError(f"{program.name} runs {excess}")
    extents = np.ones((dims.size, widest), np.int64)
    for array, name in enumerate(table.arrays):
        places = np.flatnonzero(table.reference_array == array)
        declared = program.extents.get(name)
        for i in range(int(dims[array])):
            low, high = lowest[places, i], highest[places, i]
            limit = int(high.max(initial=0)) + 1 if declared is None else declared[i].value(sizes)
            extents[array, i] = max(limit, 1)
            for wrong in places[(low < 0) | (high >= limit)].tolist():
                _refuse(table, wrong, name, i, int(lowest[wrong, i]), int(highest[wrong, i]), limit)
    return Survey(runs, dims, extents)


def _even_loops(table: LoopTable) -> npt.NDArray[np.bool_]:
    """Which rows of code are loops that nothing inside depends on but indices.

    Such a loop has as many rounds of each kind as it has rounds, and its indices are smallest and
    largest in its first and last one.
    """
    even = np.zeros(len(table.code), np.bool_)
    for row, (op, depth, *_, end) in enumerate(table.code.tolist()):
        inside = table.code[row + 1 : end].tolist() if op == Op.LOOP else []
        used = [form for code in inside for form in _deciding(table, code)]
        even[row] = op == Op.LOOP and not table.forms[used, depth].any()
    return even


def _deciding(table: LoopTable, code: Sequence[int]) -> Iterable[int]:
    """The forms that decide how often what is inside of a row of code runs."""
    if code[0] == Op.LOOP:
        return range(code[2], code[5])  # those of the stop follow those of the start
    if code[0] != Op.IF:
        return ()
    first, end = table.case_indptr[[code[1], code[2]]].tolist()
    forms: list[int] = table.conditions[first:end, 0].tolist()
    return forms


def kernel_tables(table: LoopTable) -> k.Tables:
    """A loop table as the kernels read it."""
    return k.Tables(**{name: getattr(table, name) for name in k.Tables._fields})


def _dimensions(program: Program, name: str) -> int:
    return program.dimensions.get(name, len(program.extents.get(name, ())))


def _refuse(
    table: LoopTable, reference: int, name: str, place: int, low: int, high: int, limit: int
) -> None:
    """Raise ProgramError for an index that leaves its array; one that is never used is none."""
    if low > high:
        return
    reached = low if low < 0 else high
    raise ProgramError(
        f"index {place} of {name} reaches {reached}, outside 0..{limit - 1}", table.lines[reference]
    )
