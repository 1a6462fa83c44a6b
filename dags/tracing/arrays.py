"""Arrays whose cells are vertices, with the methods and operators of NumPy's."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.mixins import NDArrayOperatorsMixin

from dags.arrays import Int32Array
from dags.tracing._kernels import CONSTANT
from dags.tracing.errors import (
    BY_VALUE,
    PLAIN,
    TraceAttributeError,
    TraceError,
    name_of,
    refuse_values,
)
from dags.tracing.indexing import plain_index, whole_index
from dags.tracing.store import Store


def _in_place(ufunc: np.ufunc) -> Callable[[Any, Any], Any]:
    """An operator like += by `ufunc`; a value without dimensions is made anew."""

    def operate(self: Any, operand: Any) -> Any:
        if not self.ndim:
            return ufunc(self, operand)
        return ufunc(self, operand, out=(self,))

    return operate


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    """The method that calls `function` on the array."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    call.__name__ = function.__name__
    call.__doc__ = f"Return numpy.{function.__name__} of the array."
    return call


class ArrayMethods(NDArrayOperatorsMixin):
    """Methods of NumPy's arrays: each calls the function of its name."""

    __slots__ = ()

    all = _method(np.all)
    any = _method(np.any)
    clip = _method(np.clip)
    conj = conjugate = _method(np.conjugate)
    cumprod = _method(np.cumprod)
    cumsum = _method(np.cumsum)
    diagonal = _method(np.diagonal)
    dot = _method(np.dot)
    max = _method(np.max)
    mean = _method(np.mean)
    min = _method(np.min)
    prod = _method(np.prod)
    ravel = _method(np.ravel)
    repeat = _method(np.repeat)
    round = _method(np.round)
    squeeze = _method(np.squeeze)
    std = _method(np.std)
    sum = _method(np.sum)
    swapaxes = _method(np.swapaxes)
    take = _method(np.take)
    trace = _method(np.trace)
    var = _method(np.var)

    __iadd__ = _in_place(np.add)
    __isub__ = _in_place(np.subtract)
    __imul__ = _in_place(np.multiply)
    __itruediv__ = _in_place(np.true_divide)
    __ifloordiv__ = _in_place(np.floor_divide)
    __imod__ = _in_place(np.remainder)
    __ipow__ = _in_place(np.power)
    __imatmul__ = _in_place(np.matmul)
    __ilshift__ = _in_place(np.left_shift)
    __irshift__ = _in_place(np.right_shift)
    __iand__ = _in_place(np.bitwise_and)
    __ior__ = _in_place(np.bitwise_or)
    __ixor__ = _in_place(np.bitwise_xor)

    shape: Any  # those of the array
    dtype: Any
    cells: Any
    values: Any
    store: Any

    def __getattr__(self, name: str) -> Any:
        if hasattr(np.ndarray, name) and not name.startswith("__"):
            raise TraceAttributeError(f"the array attribute .{name} is not traced")
        raise AttributeError(f"a traced array has no attribute {name!r}")

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of cells."""
        return int(self.cells.size)

    @property
    def itemsize(self) -> int:
        """Bytes that a cell would take."""
        return int(self.dtype.itemsize)

    @property
    def nbytes(self) -> int:
        """Bytes that the cells would take."""
        return self.size * self.itemsize

    @property
    def T(self) -> Any:  # noqa: N802  # NumPy's name
        """View with the axes in reverse."""
        return np.transpose(self)

    @property
    def mT(self) -> Any:  # noqa: N802  # NumPy's name
        """View with the last two axes exchanged."""
        return np.swapaxes(self, -1, -2)

    @property
    def real(self) -> Any:
        """Real part."""
        return np.real(self)

    @property
    def imag(self) -> Any:
        """Imaginary part."""
        return np.imag(self)

    def transpose(self, *axes: Any) -> Any:
        """A view with the axes in another order."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None
        return np.transpose(self, order)

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """The cells in another shape."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, **kwargs)

    def __round__(self, digits: int = 0) -> Any:
        return np.round(self, digits)

    def copy(self, order: Any = "C") -> Any:
        """Another array of the same values: no vertex."""
        return np.copy(self)

    def __copy__(self) -> Any:
        return np.copy(self)

    def __deepcopy__(self, memo: object) -> Any:
        return np.copy(self)

    def flatten(self, order: Any = "C") -> Any:
        """A copy with one axis."""
        return np.ravel(np.copy(self), order)

    def fill(self, value: Any) -> None:
        """Assign one value to all cells."""
        self[...] = value

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """A copy of another data type: no vertex."""
        make: Any = type(self)
        with np.errstate(all="ignore"):  # what is no constant may be anything
            values = self.values.astype(dtype, order="C")
        return make(self.store, self.cells.copy(), values)

    def item(self, *index: Any) -> Any:
        """The one value of an array, or that at an index."""
        element: Any = self
        return element[index or (0,) * self.ndim]

    def sort(self, *args: Any, **kwargs: Any) -> None:
        """Refuse to sort."""
        raise TraceError(f"sort is not traced: {BY_VALUE}")


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
        traced = as_traced(self.store, value)
        place = plain_index(index)
        with np.errstate(all="ignore"):  # what is no constant may be anything
            self.values[place] = traced.values
        self.cells[place] = traced.cells

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

    def _constant(self, purpose: str) -> Any:
        """The one value, if it is a constant."""
        if not self.is_constant:
            raise TraceError(purpose) if purpose == PLAIN else refuse_values(purpose)
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
    """`value` as a `TracedArray`; a plain value holds constants.

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
        parts = [as_traced(store, element) for element in value]
        return TracedArray(
            store, np.stack([part.cells for part in parts]), np.stack([p.values for p in parts])
        )
    values = np.asarray(value)
    return TracedArray(store, np.full(values.shape, CONSTANT, np.int32), values)


def has_traced(value: Any) -> bool:
    """Whether a traced array is in nested lists, tuples and dicts."""
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
    """The result of an operation.

    Parameters
    ----------
    store, cells, dtype
        The DAG; the contents of cells; the data type.
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
