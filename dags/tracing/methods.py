"""Methods and operators of traced arrays: those of NumPy's, by NumPy's functions."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from dags.tracing.errors import BY_VALUE, TraceAttributeError, TraceError


def _in_place(ufunc: np.ufunc) -> Callable[[Any, Any], Any]:
    """Return an operator like += by `ufunc`; a value without dimensions is made anew."""

    def operate(self: Any, other: Any) -> Any:
        if not self.ndim:
            return ufunc(self, other)
        return ufunc(self, other, out=(self,))

    return operate


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method that calls `function` on the array."""

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
        """Return a view with the axes in another order."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None
        return np.transpose(self, order)

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """Return the cells in another shape."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, **kwargs)

    def __round__(self, digits: int = 0) -> Any:
        return np.round(self, digits)

    def copy(self, order: Any = "C") -> Any:
        """Return another array of the same values: no vertex."""
        return np.copy(self)

    def __copy__(self) -> Any:
        return np.copy(self)

    def __deepcopy__(self, memo: object) -> Any:
        return np.copy(self)

    def flatten(self, order: Any = "C") -> Any:
        """Return a copy with one axis."""
        return np.ravel(np.copy(self), order)

    def fill(self, value: Any) -> None:
        """Assign one value to all cells."""
        self[...] = value

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """Return a copy of another data type: no vertex."""
        make: Any = type(self)
        with np.errstate(all="ignore"):  # what is no constant may be anything
            values = self.values.astype(dtype, order="C")
        return make(self.store, self.cells.copy(), values)

    def item(self, *index: Any) -> Any:
        """Return the one value of an array, or that at an index."""
        element: Any = self
        return element[index or (0,) * self.ndim]

    def sort(self, *args: Any, **kwargs: Any) -> None:
        """Refuse to sort."""
        raise TraceError(f"sort is not traced: {BY_VALUE}")
