"""The DAG of a program at given sizes, and programs that lay out their own."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dags.arrays import MAX_VERTICES, Int32Array, Int64Array, lock
from dags.cdag.border import require_room
from dags.cdag.origin import Operator, Origin
from dags.cdag.rows import without_dead
from dags.cdag.value import CDAG
from dags.errors import InvalidSpecError
from dags.programs import _kernels as k
from dags.programs.affine import Affine
from dags.programs.element_types import element_word
from dags.programs.loop_table import Level, LoopTable, loop_table
from dags.programs.nest import (
    Assign,
    Condition,
    If,
    Loop,
    Operation,
    Program,
    ProgramError,
    Reference,
    Statement,
    references,
)
from dags.programs.survey import Survey, kernel_tables, survey

LEVELS: Final = ("statement", "operation")
OPTIONS: Final = frozenset({"level", "live", "constants", "max_vertices"})  # of `instantiate`


def instantiate(
    program: Program,
    sizes: Mapping[str, int],
    *,
    level: Level = "statement",
    live: Collection[str] | None = None,
    constants: Collection[str] | None = None,
    max_vertices: int = MAX_VERTICES,
) -> CDAG:
    """The DAG of `program` at given sizes.

    A vertex is an executed assignment whose right side has an operation ("statement"), or each
    operation ("operation"). Its work is the operations of the right side, or one. Copies make no
    vertex, and values made of constants only are constants. A cell that is read before it is
    written is an input. Outputs are the last values of the live arrays; values that no output needs
    are left out.

    Parameters
    ----------
    program
        The loop nest.
    sizes
        A value for each of its sizes; those that the text defines may be left out.
    level
        Whether a vertex is an assignment or an operation.
    live
        Arrays whose last values are outputs; None for those that the program names or returns,
        and all arrays that it writes and does not make.
    constants
        Arrays and scalars whose values are constants; None for those that the program names.
    max_vertices
        Most assignments or operations that are run.

    Raises
    ------
    ProgramError
        If a size is missing or unknown, a name is unknown, an index leaves its array, nothing
        is computed, or too much is.
    """
    if level not in LEVELS:
        raise ProgramError(f"level is {' or '.join(LEVELS)}, not {level!r}")
    values = values_of(program, sizes)
    live_arrays = known_names(program, live, "live", program.live_by_default())
    constant = known_names(program, constants, "constants", program.constants)
    require_ranges(program, values)
    _require_cells(
        [max(form.value(values), 1) for form in program.extents.get(name, ())]
        for name in program.dimensions
    )
    table = loop_table(program, values, level)
    found = survey(program, table, values, max_vertices)
    held = frozenset(constant) | program.local
    vertices, edges = _most(table, found, held)
    arrays = _cells(table, found, held)
    rows, n = _run(table, arrays, vertices, edges)
    outputs = _outputs(table, arrays, rows, live_arrays)
    if not outputs.size:
        raise ProgramError(nothing_computed(program, live_arrays))
    n, outputs = without_dead(*rows, n, outputs)
    text = replace(program, live=live_arrays, constants=constant)
    return _dag(text, values, table, level, found, rows, n, outputs)


def nothing_computed(program: Program, live_arrays: Sequence[str]) -> str:
    """The sentence on a text without vertices, and what to write where it only copies or fills."""
    shown = f"nothing is computed for {', '.join(live_arrays) or 'any array'}"
    assigns = [assign for assign, _ in program.statements]
    copies = [assign for assign in assigns if isinstance(assign.expression, Reference)]
    if any(isinstance(assign.expression, Operation) for assign in assigns):
        return shown
    if not copies:
        return f"{shown}: the text only fills cells with constants, which are no vertices"
    source = copies[0].expression
    assert isinstance(source, Reference)
    return (
        f"{shown}: the text only copies, as from {source.array}, and a copy is no vertex; with an "
        f"operation, 1 * {source.array}[...], each word is loaded and stored once at least"
    )


def values_of(program: Program, sizes: Mapping[str, int]) -> dict[str, int]:
    """The value of each size; raises ProgramError for one that is missing or unknown."""
    values = {**program.defaults, **sizes}
    wanted = ", ".join(program.sizes) or "none"
    for name, value in sizes.items():
        if name in program.fixed:
            if program.fixed[name] != value:
                raise ProgramError(
                    f"{name} is {program.fixed[name]} where {program.name} was read, not {value}"
                )
        elif name not in program.sizes and not _is_unread(program, name):
            raise ProgramError(f"{name} is no size of {program.name}; its sizes: {wanted}")
    missing = [name for name in program.sizes if name not in values]
    if missing:
        verb = "has no value" if len(missing) == 1 else "have no values"
        added = ",".join(f"{name}=..." for name in missing)
        raise ProgramError(f"{', '.join(missing)} {verb}; add {added}")
    return {name: values[name] for name in program.sizes}


def _is_unread(program: Program, name: str) -> bool:
    """Whether a name is a parameter of which the program reads nothing."""
    return name in (program.parameters or ()) and name not in program.dimensions


def known_names(
    program: Program, names: Collection[str] | None, what: str, default: tuple[str, ...]
) -> tuple[str, ...]:
    """`names`, or the default; raises ProgramError for one that the program has not."""
    if names is None:
        return default
    known = {*program.dimensions, *program.sizes, *(program.parameters or ())}
    for name in names:
        if name not in known:
            names_there = ", ".join(sorted(known))
            raise ProgramError(f"{what}: {program.name} has no {name}; it has {names_there}")
    return tuple(names)


def _most(table: LoopTable, found: Survey, held: frozenset[str]) -> tuple[int, int]:
    """Limits of vertices and edges, dead ones included; `held` are arrays of constants.

    Raises
    ------
    ProgramError
        If the machine cannot hold so many, or so many cells.
    """
    extents = found.extents.tolist()
    _require_cells(extents)
    degrees = np.diff(table.operand_indptr)
    makes = (table.node_is_copy == 0) & (degrees > 0)
    pairs = zip(table.arrays, extents, strict=True)
    unread = sum(prod(sides) for name, sides in pairs if name not in held)
    reads = int((found.runs * degrees).sum())
    vertices = int(found.runs[makes].sum()) + min(unread, reads)
    edges = int((found.runs * degrees)[makes].sum())
    try:
        require_room(vertices, edges)
    except InvalidSpecError as error:
        raise ProgramError(str(error)) from None
    return vertices, edges


def _cells(table: LoopTable, found: Survey, held: frozenset[str]) -> k.Arrays:
    """The arrays, no cell of them read yet; those in `held` hold constants."""
    first, strides, cells = cell_forms(table, found)
    holds = np.full(int(first[-1]), k.UNREAD, np.int32)
    for array, name in enumerate(table.arrays):
        if name in held:
            holds[first[array] : first[array + 1]] = k.CONSTANT
    return k.Arrays(first, found.dims, strides, cells, holds)


def cell_forms(table: LoopTable, found: Survey) -> tuple[Int64Array, Int64Array, Int64Array]:
    """The first cell of each array, (a, d) strides of indices, and forms of references.

    Cells of all arrays are numbered through; a form gives the cell that a reference names.

    Parameters
    ----------
    table, found
        The program, and its counts.
    """
    first = np.zeros(len(table.arrays) + 1, np.int64)
    np.cumsum(found.extents.prod(axis=1), out=first[1:])
    beyond = np.cumprod(found.extents[:, ::-1], axis=1)[:, ::-1]
    strides = np.ones_like(found.extents)
    strides[:, :-1] = beyond[:, 1:]
    cells = np.zeros((table.reference_array.size, table.depth + 1), np.int64)
    for form, array, at in zip(cells, table.reference_array, table.reference_first, strict=True):
        mine = table.forms[at : at + found.dims[array]]
        form += strides[array, : found.dims[array]] @ mine
        form[-1] += first[array]
    return first, strides, cells


def _require_cells(extents: Iterable[Sequence[int]]) -> None:
    """Raise ProgramError if arrays have too many cells together."""
    total = sum(map(prod, extents))
    try:
        require_room(total, 0)
    except InvalidSpecError as error:
        raise ProgramError(f"the arrays have {total} cells: {error}") from None


def _run(table: LoopTable, arrays: k.Arrays, vertices: int, edges: int) -> tuple[k.Rows, int]:
    """Run the program; return its vertices, dead ones included, and how many they are."""
    width = max(table.depth, arrays.strides.shape[1])
    degrees = np.diff(table.operand_indptr)
    rows = k.Rows(
        indptr=np.zeros(vertices + 1, np.int64),
        indices=np.empty(edges + 1, np.int32),
        made_by=np.empty(vertices, np.int16),
        points=np.zeros((vertices, width), np.int32),
    )
    variables = np.zeros(table.depth, np.int64)
    kept = np.zeros(table.places + 1, np.int32)
    operands = np.zeros(int(degrees.max()) + 1, np.int32)
    return rows, int(k.run(kernel_tables(table), arrays, rows, variables, kept, operands))


def _outputs(table: LoopTable, arrays: k.Arrays, rows: k.Rows, live: tuple[str, ...]) -> Int32Array:
    """The computed vertices that cells of live arrays hold in the end, rising."""
    held = [
        arrays.holds[arrays.first[array] : arrays.first[array + 1]]
        for array, name in enumerate(table.arrays)
        if name in live
    ]
    last: Int32Array = np.unique(np.concatenate([np.zeros(0, np.int32), *held]))
    last = last[last >= 0]
    computed: Int32Array = last[rows.made_by[last] >= 0]
    return computed


def _dag(
    program: Program,
    sizes: Mapping[str, int],
    table: LoopTable,
    level: Level,
    found: Survey,
    rows: k.Rows,
    n: int,
    outputs: Int32Array,
) -> CDAG:
    """The DAG of the first n rows; their arrays are cut to size where they are."""
    edges = int(rows.indptr[n])
    for array, shape in (
        (rows.indptr, (n + 1,)),
        (rows.indices, (edges,)),
        (rows.made_by, (n,)),
        (rows.points, (n, rows.points.shape[1])),
    ):
        array.resize(shape, refcheck=False)
    single = level == "statement"
    origin = Origin(
        program=program.name,
        digest=program.digest,
        sizes=dict(sizes),
        operators=tuple(
            Operator(node.statement, None if single else node.part, node.variables, node.loops)
            for node in table.nodes
        ),
        arrays=tuple(zip(table.arrays, found.dims.tolist(), strict=True)),
        made_by=lock(rows.made_by),
        points=lock(rows.points),
        text=program,
    )
    arrays, word = (lock(rows.indptr), lock(rows.indices)), element_word(program)
    made = CDAG(*arrays, work=_work(table, rows.made_by), outputs=outputs, origin=origin)
    return made.with_word_bytes(None if word is None else word.size)


def _work(table: LoopTable, made_by: npt.NDArray[np.int16]) -> Int64Array | int:
    """The operations of the vertices: one number if all that are computed take as many."""
    of_nodes = np.array([node.work for node in table.nodes], np.int64)
    makers = np.unique(made_by)
    several = np.unique(of_nodes[makers[makers >= 0]])
    if several.size == 1:
        return int(several[0])
    return lock(np.where(made_by >= 0, of_nodes[np.maximum(made_by, 0)], 0))


FURTHEST: Final = 2**31 - 1  # points are 32-bit integers
LARGEST: Final = 2**61  # of forms, in 64 bits, with a step added
Range = tuple[int, int]


def require_ranges(program: Program, sizes: Mapping[str, int]) -> None:
    """Raise ProgramError if a loop variable or an affine form may become too large.

    Ranges are those of intervals, which are never too small.

    Parameters
    ----------
    program, sizes
        The program, and values of its sizes.
    """
    _body(program.body, {name: (value, value) for name, value in sizes.items()})


def _body(body: Sequence[Statement], ranges: Mapping[str, Range]) -> None:
    for statement in body:
        if isinstance(statement, Assign):
            for reference in (*references(statement.expression), statement.target):
                _all(reference.indices, ranges, statement.line)
        elif isinstance(statement, If):
            _conditions([each for case in statement.cases for each in case], ranges, statement.line)
            _body(statement.body, ranges)
            _body(statement.otherwise, ranges)
        elif isinstance(statement, Loop):
            _loop(statement, ranges)


def _loop(loop: Loop, ranges: Mapping[str, Range]) -> None:
    """Check the bounds of a loop, and its body where it may run."""
    start = _joined(_all(loop.start, ranges, loop.line), largest=loop.step > 0)
    stop = _joined(_all(loop.stop, ranges, loop.line), largest=loop.step < 0)
    low, high = (start[0], stop[1] - 1) if loop.step > 0 else (stop[0] + 1, start[1])
    if low > high:
        return
    if max(-low, high, abs(loop.step)) > FURTHEST:
        raise ProgramError(f"{loop.variable} may leave -{FURTHEST}..{FURTHEST}", loop.line)
    _body(loop.body, {**ranges, loop.variable: (low, high)})


def _conditions(found: Sequence[Condition], ranges: Mapping[str, Range], line: int) -> None:
    _all([each.form for each in found], ranges, line)


def _all(forms: Sequence[Affine], ranges: Mapping[str, Range], line: int) -> list[Range]:
    return [_range(form, ranges, line) for form in forms]


def _range(form: Affine, ranges: Mapping[str, Range], line: int) -> Range:
    low = high = form.constant
    for name, factor in form.terms:
        ends = [factor * end for end in ranges[name]]
        low += min(ends)
        high += max(ends)
    if max(-low, high) > LARGEST:
        raise ProgramError(f"{str(form)[:60]} is too large to compute with", line)
    return low, high


def _joined(ranges: Sequence[Range], *, largest: bool) -> Range:
    """The range of the largest, or of the smallest, of some numbers."""
    join = max if largest else min
    lows, highs = zip(*ranges, strict=True)
    return join(lows), join(highs)


@dataclass(frozen=True)
class LoopNest(Program):
    """A `Program` that was read from text, and lays out its DAG."""

    def dag(self, /, **sizes_and_options: Any) -> CDAG:
        """The DAG at given sizes: ``nest.dag(N=24, live=["A"], level="operation")``.

        Parameters
        ----------
        sizes_and_options
            A value for each size; `level`, `live`, `constants` and `max_vertices` are arguments of
            `instantiate`, whose errors are raised.
        """
        options = {key: sizes_and_options.pop(key) for key in OPTIONS & sizes_and_options.keys()}
        return instantiate(self, sizes_and_options, **options)
