"""Arrays whose cells are vertices: what a traced function computes with."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array
from dags.tracing._kernels import CONSTANT
from dags.tracing.errors import PLAIN, TraceError, name_of, refuse_values
from dags.tracing.indexing import plain_index, whole_index
from dags.tracing.methods import ArrayMethods
from dags.tracing.store import Store

AnyArray = npt.NDArray[Any]


class TracedArray(ArrayMethods):
    """An array of vertices: NumPy functions and operators on it append to a DAG.

    Slices are views, as NumPy's are: assigning to one changes the array. A single element and
    any other result without dimensions is a value, as NumPy's scalars are.

    Parameters
    ----------
    store
        The DAG.
    cells
        The vertex that each cell holds; -1 where it holds a constant.
    values
        An array of the same shape, with the data type: the constants, and the values of vertices
        where the trace carries them.
    """

    __slots__ = ("cells", "store", "values")
    __hash__ = None  # type: ignore[assignment]  # as NumPy's arrays

    def __init__(self, store: Store, cells: Int32Array, values: AnyArray) -> None:
        self.store, self.cells, self.values = store, cells, values

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return self.store.ufunc(self.store, ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        handler = self.store.functions.get(function)
        if handler is None:
            raise self.store.functions[None](function)
        try:
            return handler(self.store, *args, **kwargs)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
            # the call itself failed: there is no parameter of that name
            problem = str(error).partition("() ")[2]
            raise TraceError(f"{name_of(function)} is not traced so: it {problem}") from None

    def __array__(self, *args: Any, **kwargs: Any) -> AnyArray:
        if (self.cells != CONSTANT).any():
            raise TraceError(PLAIN)
        copied: AnyArray = self.values.copy()
        return copied

    @property
    def shape(self) -> Any:
        """Lengths of the axes."""
        return self.values.shape

    @property
    def dtype(self) -> Any:
        """Data type that the array would have."""
        return self.values.dtype

    @property
    def is_constant(self) -> bool:
        """True if no cell holds a vertex."""
        return not (self.cells != CONSTANT).any()

    def __getitem__(self, index: Any) -> "TracedArray":
        place = plain_index(index)
        cells, values = self.cells[place], self.values[place]
        if not isinstance(cells, np.ndarray):  # an element, which is a copy
            cells, values = np.array(cells), np.array(values)
        return TracedArray(self.store, cells, values)

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, TracedArray) and index.dtype == bool and not index.is_constant:
            if getattr(value, "ndim", 0) or index.shape != self.shape:
                raise TraceError(
                    "a[condition] = value is traced where the condition has the shape of a and "
                    "the value is one"
                )
            index, value = ..., np.where(index, value, self)
        given = as_traced(self.store, value)
        place = plain_index(index)
        with np.errstate(all="ignore"):  # what is no constant may be anything
            self.values[place] = given.values
        self.cells[place] = given.cells

    def __iter__(self) -> Iterator["TracedArray"]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return int(self.shape[0])

    def __contains__(self, value: object) -> bool:
        raise refuse_values("the truth (asked for by `in`)")

    def __repr__(self) -> str:
        return f"<traced array of shape {self.shape}, {self.dtype}>"

    def _constant(self, what: str) -> Any:
        """Return the one value, if it is a constant."""
        if not self.is_constant:
            raise TraceError(what) if what == PLAIN else refuse_values(what)
        return self.values.item()

    def __bool__(self) -> bool:
        return bool(self._constant("the truth (asked for by if, while, and, or, max, min)"))

    def __float__(self) -> float:
        return float(self._constant(PLAIN))

    def __int__(self) -> int:
        return int(self._constant("the int()"))

    def __complex__(self) -> complex:
        return complex(self._constant("the complex()"))

    def __index__(self) -> int:
        return whole_index(self._constant("the whole number (asked for by an index or a range)"))


def as_traced(store: Store, value: Any) -> Any:
    """Return `value` as a `TracedArray`; what is plain holds constants.

    Raises
    ------
    TraceError
        If it belongs to another trace.
    """
    if isinstance(value, TracedArray):
        if value.store is not store:
            raise TraceError("a traced array of another trace is used")
        return value
    if isinstance(value, list | tuple) and has_traced(value):
        parts = [as_traced(store, each) for each in value]
        return TracedArray(
            store, np.stack([each.cells for each in parts]), np.stack([p.values for p in parts])
        )
    values = np.asarray(value)
    return TracedArray(store, np.full(values.shape, CONSTANT, np.int32), values)


def has_traced(value: Any) -> bool:
    """Return whether a traced array is in nested lists, tuples and dicts."""
    if isinstance(value, list | tuple):
        return any(map(has_traced, value))
    if isinstance(value, dict):
        return any(map(has_traced, value.values()))
    return isinstance(value, TracedArray)


def into(out: Any, result: TracedArray) -> Any:
    """Put a result into `out`, or the one array of a tuple, if there is one; return it."""
    target = out[0] if isinstance(out, tuple) else out
    if target is None:
        return result
    if not isinstance(target, TracedArray):
        raise TraceError(PLAIN)
    if not np.can_cast(result.dtype, target.dtype, "same_kind"):
        raise TypeError(f"{result.dtype} is not cast to {target.dtype} in place")
    target[...] = result
    return target


def result_array(
    store: Store, cells: Int32Array, dtype: Any, compute: Callable[[], Any]
) -> TracedArray:
    """Return the result of an operation.

    Parameters
    ----------
    store, cells, dtype
        The DAG; what the cells hold; the data type.
    compute
        Returns the values; called where the trace carries them or some cell is a constant.
    """
    if store.carries or (cells.size and cells.min() == CONSTANT):
        with np.errstate(all="ignore"):
            # what is no constant and not carried was computed from zeros
            values = np.asarray(compute()).astype(dtype, order="C").reshape(cells.shape)
    else:
        values = np.zeros(cells.shape, dtype)  # pages that nobody touches take no memory
    return TracedArray(store, cells, values)
