"""Elementwise operations: one vertex a cell of the result."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from dags.arrays import Int32Array
from dags.tracing._kernels import CONSTANT
from dags.tracing.arrays import TracedArray, as_traced, has_traced, into, result_array
from dags.tracing.errors import TraceError
from dags.tracing.store import Store

COPIES: Final = (np.positive,)
REAL_COPIES: Final = (np.conjugate, np.rint, np.floor, np.ceil, np.trunc)


def elementwise(
    store: Store, name: str, compute: Callable[..., Any], operands: Sequence[Any]
) -> TracedArray:
    """`compute` of operands, broadcast: one vertex a cell.

    Parameters
    ----------
    store
        The DAG.
    name
        The name of the vertices.
    compute
        The operation on NumPy's arrays and numbers.
    operands
        Traced arrays, arrays and numbers; only traced cells become operands of vertices.
    """
    arrays = [as_traced(store, operand) if _is_array(operand) else operand for operand in operands]
    shape = np.broadcast_shapes(*(np.shape(array) for array in arrays))
    traced = [array for array in arrays if isinstance(array, TracedArray) and not _plain(array)]
    store.require(math.prod(shape), len(traced) * math.prod(shape))
    cells = store.cells(name, shape, stacked([array.cells for array in traced], shape))
    dtype = np.asarray(compute(*map(_sample, arrays))).dtype
    plain = [operand.values if isinstance(operand, TracedArray) else operand for operand in arrays]
    return result_array(store, cells, dtype, lambda: np.broadcast_to(compute(*plain), shape))


def stacked(cells: Sequence[Int32Array], shape: tuple[int, ...]) -> Int32Array:
    """(o, cells) the contents of operands, each broadcast to `shape`."""
    rows = np.empty((len(cells), *shape), np.int32)
    for row, operand_cells in enumerate(cells):
        rows[row, ...] = operand_cells
    return rows.reshape(len(cells), math.prod(shape))


def _is_array(value: Any) -> bool:
    """False for a plain number, whose data type NumPy takes from the other operand."""
    return isinstance(value, TracedArray | np.ndarray | list | tuple)


def _plain(array: TracedArray) -> bool:
    return array.size < 2 and array.is_constant  # larger ones are told cell by cell


def _sample(value: Any) -> Any:
    """Return one element of an operand, by which data types are found."""
    return np.ones((1,), value.dtype) if isinstance(value, TracedArray) else value


def call_ufunc(store: Store, ufunc: np.ufunc, inputs: Sequence[Any], kwargs: Any) -> Any:
    """Return ufunc(*inputs), one vertex a cell and output; with where=, into out."""
    out = kwargs.pop("out", None)
    condition = kwargs.pop("where", True)
    outs = out if isinstance(out, tuple) else (out,) * ufunc.nout
    if len(outs) != ufunc.nout:
        raise TraceError(f"numpy.{ufunc.__name__} has {ufunc.nout} outputs, not {len(outs)}")
    results = [_output(store, ufunc, place, inputs, kwargs) for place in range(ufunc.nout)]
    delivered = [_delivered(ufunc, *pair, condition) for pair in zip(results, outs, strict=True)]
    return delivered[0] if ufunc.nout == 1 else tuple(delivered)


def _output(store: Store, ufunc: np.ufunc, place: int, inputs: Sequence[Any], kwargs: Any) -> Any:
    """Return one output of a ufunc."""
    first = inputs[0]
    is_copy = ufunc in COPIES or (
        ufunc in REAL_COPIES
        and isinstance(first, TracedArray)
        and first.dtype.kind in ("biuf" if ufunc is np.conjugate else "biu")
    )
    if is_copy:
        return first.copy()

    def compute(*operands: Any) -> Any:
        values = ufunc(*operands, **kwargs)
        return values if ufunc.nout == 1 else values[place]

    name = ufunc.__name__ + (f".{place}" if ufunc.nout > 1 else "")
    return elementwise(store, name, compute, inputs)


def _delivered(ufunc: np.ufunc, result: TracedArray, out: Any, condition: Any) -> Any:
    """Put a result into `out` where there is one; return the result of the call."""
    if out is None:
        if condition is not True:
            raise TraceError(f"numpy.{ufunc.__name__} with where= is traced with out= only")
        return result
    return into(out, result if condition is True else select(out.store, condition, result, out))


def select(store: Store, condition: Any, *branches: Any) -> Any:
    """Return numpy.where: a vertex that reads the condition and both branches.

    Where the condition is a constant, it is the branch, and no vertex.
    """
    if len(branches) != 2:
        raise TraceError("numpy.where of a condition alone is not traced: its shape is data")
    test = as_traced(store, condition)
    if not test.is_constant:
        return elementwise(store, "where", np.where, (condition, *branches))
    dtype = np.where([True], *map(_sample, branches)).dtype
    first, second = (as_traced(store, branch) for branch in branches)
    return TracedArray(
        store,
        np.where(test.values, first.cells, second.cells),
        np.where(test.values, first.values, second.values).astype(dtype),
    )


def multiply_add(store: Store, total: Any, first: Any, second: Any, *, minus: bool = False) -> Any:
    """Total + first * second, or minus: one vertex a cell where products are fused."""
    if store.fused:
        return elementwise(
            store,
            "multiply_subtract" if minus else "multiply_add",
            lambda t, a, b: t - a * b if minus else t + a * b,
            (total, first, second),
        )
    product: Any = first * second
    return total - product if minus else total + product


def clip(
    store: Store, a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **kwargs: Any
) -> Any:
    """Return numpy.clip: a minimum and a maximum are one vertex."""
    low, high = kwargs.get("min", a_min), kwargs.get("max", a_max)
    if low is None and high is None:
        return a.copy()
    if low is None or high is None:
        ufunc = np.minimum if low is None else np.maximum
        result = elementwise(store, "clip", ufunc, (a, high if low is None else low))
    else:
        result = elementwise(store, "clip", np.clip, (a, low, high))
    return into(out, result)


def unary(function: Callable[..., Any]) -> Callable[..., TracedArray]:
    """The handler of a function of one array: one vertex a cell."""
    name = function.__name__

    def handle(store: Store, a: Any, *args: Any, **kwargs: Any) -> TracedArray:
        if has_traced(args) or kwargs.pop("out", None) is not None:
            raise TraceError(f"numpy.{name} is traced of one traced array, without out=")
        return elementwise(store, name, lambda x: function(x, *args, **kwargs), (a,))

    return handle


def part(function: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of a part of complex numbers; of real ones the array, or zeros."""

    def handle(store: Store, a: Any) -> Any:
        if a.dtype.kind == "c":
            return elementwise(store, function.__name__, function, (a,))
        if function is np.real:
            return a
        zeros = np.zeros(a.shape, a.dtype)
        return TracedArray(store, np.full(a.shape, CONSTANT, np.int32), zeros)

    return handle
