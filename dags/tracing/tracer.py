"""Traces of functions on NumPy arrays, their points, and their values held against NumPy's."""

import hashlib
import inspect
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

import numpy as np

from dags.arguments import checked
from dags.arrays import MAX_VERTICES, Int32Array, lock
from dags.cdag.origin import Operator, Origin
from dags.cdag.rows import without_dead
from dags.cdag.value import CDAG
from dags.errors import shown
from dags.families.recognition import recognise as recognised
from dags.tracing import _kernels as k
from dags.tracing._kernels import TracedRows
from dags.tracing.arguments import Argument, plain_argument, read_arguments, traced_argument
from dags.tracing.arrays import TracedArray
from dags.tracing.creation import with_own_arrays
from dags.tracing.errors import PLAIN, TraceError
from dags.tracing.functions import FUNCTIONS, apply_ufunc
from dags.tracing.store import Store

LEVELS: Final = ("operation", "statement")


@checked
def trace(
    function: Callable[..., Any],
    *arguments: Any,
    level: str = "operation",
    tree: bool = False,
    values: bool = False,
    own_arrays: bool | None = None,
    constants: Collection[str] = (),
    seed: int = 0,
    max_vertices: int = MAX_VERTICES,
    recognise: bool = True,
) -> CDAG:
    """The DAG of a function's computations with NumPy.

    The function runs once, on arrays whose cells are vertices. An elementwise operation makes a
    vertex a cell, a sum of k cells k - 1, left to right, a product of matrices k products and k - 1
    sums for each entry. Copies, views and constants make none. Outputs are the computed cells of
    the function's result, or of the arguments that it assigns to where it returns none; values that
    no output needs are left out.

    Parameters
    ----------
    function
        The function.
    arguments
        A shape, as (64, 64), for an array of floats; an array, for one of its shape, data type
        and values; anything else is a constant.
    level
        Whether a product and the sum that it is added to are two vertices ("operation") or one
        ("statement").
    tree
        Whether sums and other reductions are trees of least height; no products are fused then.
    values
        Whether values are computed along, vertex by vertex, and compared with the function's
        results on plain arrays.
    own_arrays
        Whether np.zeros, np.empty, np.array and the like, where the function or others of its
        module call them, give arrays that hold vertices. By default they do where the function
        is refused without: it then runs a second time.
    constants
        Names of arguments that are constants though they are arrays.
    seed
        Of the values of arguments that are given by their shapes.
    max_vertices
        Most vertices, those that are left out at last among them.
    recognise
        Whether the family of the DAG is looked for, as in DAGs of files.

    Raises
    ------
    TraceError
        If the function does something that is not traced, computes nothing, makes too many
        vertices, or the values are not NumPy's.

    Examples
    --------
    >>> trace(lambda a, b: a @ b, (2, 3), (3, 4))
    <lambda(): 58 vertices, 80 edges>
    """
    if level not in LEVELS:
        raise TraceError(f"level is {' or '.join(LEVELS)}, not {shown(level)}")
    inputs = read_arguments(function, arguments, constants, seed if values else None)
    settings: dict[str, Any] = {
        "fused": level == "statement",
        "tree": tree,
        "carries": values,
        "max_vertices": max_vertices,
    }
    dag = _traced(function, inputs, settings, own_arrays)
    return recognised(dag) if recognise else dag


def _traced(
    function: Callable[..., Any],
    inputs: list[Argument],
    settings: dict[str, Any],
    own_arrays: bool | None,
) -> CDAG:
    """The DAG of a function, with arrays of its own where it is refused without."""
    if own_arrays is not None:
        return _trace(function, inputs, settings, own_arrays)
    try:
        return _trace(function, inputs, settings, False)
    except TraceError as refused:
        if PLAIN not in refused.message:
            raise
        return _again(function, inputs, settings, refused)


def _again(
    function: Callable[..., Any],
    inputs: list[Argument],
    settings: dict[str, Any],
    refused: TraceError,
) -> CDAG:
    """Trace a function with arrays of its own, after it was refused without; or say why not."""
    try:
        return _trace(function, inputs, settings, True)
    except TraceError as error:
        is_later = error.line is not None and PLAIN not in error.message
        raise (error if is_later else refused) from None
    except Exception:  # the function's own: it never came so far in the first run
        raise refused from None


def _trace(
    function: Callable[..., Any], inputs: list[Argument], settings: dict[str, Any], own_arrays: bool
) -> CDAG:
    """The DAG of one run of a function.

    Parameters
    ----------
    function, given
        The function and its arguments.
    settings
        Of the store: fused, tree, carries, max_vertices.
    own_arrays
        Whether arrays that the function makes hold vertices.
    """
    store = Store(**settings, ufunc=apply_ufunc, functions=FUNCTIONS)
    traced = [traced_argument(store, argument) for argument in inputs]
    before = [array.cells.copy() if isinstance(array, TracedArray) else None for array in traced]
    result = run(with_own_arrays(function, store) if own_arrays else function, traced)
    assigned = [
        array
        for array, cells in zip(traced, before, strict=True)
        if cells is not None and not np.array_equal(array.cells, cells)
    ]
    outputs = [*traced_leaves(result)] or assigned
    if store.carries:
        _compare(function, inputs, traced, result)
    return _dag(store, function, outputs)


def run(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """The result of a function; a refusal names its line."""
    try:
        return function(*arguments)
    except (TraceError, ValueError) as error:
        refused = error if isinstance(error, TraceError) else error.__cause__
        if not isinstance(refused, TraceError):
            raise
        raise TraceError(refused.message, _line(function, error)) from None


def _line(function: Callable[..., Any], error: BaseException) -> int | None:
    """The line, in the file of a function, where an error was raised last."""
    code = getattr(function, "__code__", None)
    place, line = error.__traceback__, None
    while place is not None:
        if code is not None and place.tb_frame.f_code.co_filename == code.co_filename:
            line = place.tb_lineno
        place = place.tb_next
    return line


def traced_leaves(result: Any) -> Iterator[TracedArray]:
    """Yield the traced arrays in nested tuples, lists and dicts."""
    if isinstance(result, TracedArray):
        yield result
    elif isinstance(result, list | tuple | dict):
        for part in result.values() if isinstance(result, dict) else result:
            yield from traced_leaves(part)


def _compare(
    function: Callable[..., Any], inputs: list[Argument], traced: list[Any], result: Any
) -> None:
    """Raise TraceError unless the values are those that NumPy gives."""
    plain = [plain_argument(argument) for argument in inputs]
    with np.errstate(all="ignore"):
        expected = function(*plain)
    require_equal("the result", result, expected)
    for argument, left, right in zip(inputs, traced, plain, strict=True):
        if argument.shape is not None:
            require_equal(argument.name, left, right)


def _dag(store: Store, function: Callable[..., Any], results: list[TracedArray]) -> CDAG:
    """The DAG of all that the results need."""
    rows, n = store.rows, store.n
    held = [np.zeros(0, np.int32), *(result.cells.ravel() for result in results)]
    last: Int32Array = np.unique(np.concatenate(held))
    last = last[last >= 0]
    outputs: Int32Array = last[rows.made_by[last] >= 0]
    if not outputs.size:
        raise TraceError(
            "nothing is computed from traced arguments; shapes are given as tuples: (64, 64)"
        )
    n, outputs = without_dead(*rows, n, outputs)
    _cut(rows, n)
    origin = origin_of(store, function, rows.made_by, rows.place)
    work = None if store.fused else 1
    csr = lock(rows.indptr), lock(rows.indices)
    return CDAG(*csr, outputs=outputs, work=work, origin=origin)


def _cut(rows: TracedRows, n: int) -> None:
    """Cut the arrays to n vertices, where they are."""
    edges = int(rows.indptr[n])
    for array, size in zip(rows, (n + 1, edges, n, n), strict=True):
        array.resize(size, refcheck=False)


DIGITS = 0.5  # of those that the data type has; sums are in another order than NumPy's


def require_equal(name: str, actual: Any, expected: Any) -> None:
    """Raise TraceError unless carried values are NumPy's up to rounding.

    Parameters
    ----------
    name
        Their role.
    found, expected
        The results of the function, traced and plain: arrays, numbers, and nested tuples, lists and
        dicts of them.
    """
    if isinstance(expected, dict):
        for key in expected:
            require_equal(f"{name}[{key!r}]", actual[key], expected[key])
    elif isinstance(expected, list | tuple):
        for i, (left, right) in enumerate(zip(actual, expected, strict=True)):
            require_equal(f"{name}[{i}]", left, right)
    elif isinstance(actual, TracedArray):
        _require_close(name, actual, np.asarray(expected))


def _require_close(name: str, actual: TracedArray, expected: Any) -> None:
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        raise TraceError(
            f"the trace gives {name} as {actual.dtype} {actual.shape}, "
            f"NumPy as {expected.dtype} {expected.shape}"
        )
    if expected.dtype.kind in "biu":
        close = actual.values == expected
    else:
        near = float(np.finfo(expected.dtype).eps) ** DIGITS
        scale = np.nanmax(np.abs(expected[np.isfinite(expected)]), initial=0)
        close = np.isclose(actual.values, expected, near, near * scale, equal_nan=True)
    if not close.all():
        place = tuple(int(i) for i in np.argwhere(~close)[0])
        raise TraceError(
            f"the trace gives {actual.values[place]} for {name}{list(place) or ''}, "
            f"NumPy {expected[place]}"
        )


def origin_of(
    store: Store, function: Callable[..., Any], made_by: Int32Array, place: Int32Array
) -> Origin:
    """The origin of the vertices that are left.

    Parameters
    ----------
    store
        The trace.
    function
        The traced function.
    made_by, place
        (n,) as in `TracedRows`.
    """
    loops = 0
    operators = []
    for name, operation, part, shape in store.operators:
        around = tuple(range(loops, loops + len(shape)))
        variables = tuple(f"i{axis}" for axis in range(len(shape)))
        operators.append(Operator(operation, part, variables, around, name))
        loops += len(shape) if part != 0 else 0  # products and their sums share loops
    shapes = [shape for *_, shape in store.operators]
    shapes += [shape for _, shape in reversed(store.arguments)]
    dims = np.array([len(shape) for shape in shapes], np.int64)
    table = np.ones((len(shapes), int(dims.max(initial=0))), np.int64)
    for row, shape in zip(table, shapes, strict=True):
        row[: len(shape)] = shape
    points = np.zeros((made_by.size, table.shape[1]), np.int32)
    k.points_of(made_by, place, table, dims, points)
    narrow = max(len(operators), len(store.arguments)) < 2**15
    numbers: Any = made_by.astype(np.int16) if narrow else made_by
    return Origin(
        program=getattr(function, "__name__", "trace").strip("<>"),
        digest=hashlib.sha256(_text(function).encode()).hexdigest(),
        sizes={},
        operators=tuple(operators),
        arrays=tuple((name, len(shape)) for name, shape in store.arguments),
        made_by=lock(numbers),
        points=lock(points),
    )


def _text(function: Callable[..., Any]) -> str:
    """The source of a function, or its name where there is none."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return repr(getattr(function, "__name__", ""))
