"""Movement of cells: views, copies, joins and splits make no vertex."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dags.tracing._kernels import CONSTANT
from dags.tracing.arrays import TracedArray, as_traced, has_traced
from dags.tracing.errors import TraceError, name_of
from dags.tracing.indexing import plain_index
from dags.tracing.store import Store


def paired(store: Store, cells: Any, values: Any) -> Any:
    """A traced array of two, or lists of them of two lists."""
    if isinstance(cells, list | tuple):
        return type(cells)(paired(store, *pair) for pair in zip(cells, values, strict=True))
    if not isinstance(cells, np.ndarray):
        cells, values = np.asarray(cells), np.asarray(values)
    return TracedArray(store, cells, values)


def _with_first(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[Any, list[Any], dict[str, Any]]:
    """The array of a call, the first argument, and the others, which must be plain."""
    remaining, named = list(args), dict(kwargs)
    array = remaining.pop(0) if remaining else named.pop("a" if "a" in named else next(iter(named)))
    if has_traced(remaining) or has_traced(named):
        remaining = [plain_index(argument) for argument in remaining]
        named = {key: plain_index(argument) for key, argument in named.items()}
        if has_traced(remaining) or has_traced(named):
            raise TraceError(f"{name_of(function)} is traced of one traced array")
    return array, remaining, named


def view(function: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of a function that gives a view of, or moves, the cells of one array."""

    def handle(store: Store, *args: Any, **kwargs: Any) -> Any:
        array, remaining, named = _with_first(function, args, kwargs)
        a = as_traced(store, array)
        return paired(
            store, function(a.cells, *remaining, **named), function(a.values, *remaining, **named)
        )

    return handle


def filling(function: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of a function that moves cells and puts zeros elsewhere."""

    def handle(store: Store, *args: Any, **kwargs: Any) -> Any:
        array, remaining, named = _with_first(function, args, kwargs)
        a = as_traced(store, array)
        cells = function(a.cells - CONSTANT, *remaining, **named) + CONSTANT
        return paired(store, cells, function(a.values, *remaining, **named))

    return handle


def joining(function: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of a function that joins the arrays of a sequence."""

    def handle(store: Store, arrays: Any, *args: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        if isinstance(arrays, TracedArray):
            arrays = list(arrays)
        array = _nested(store, arrays)
        result = paired(
            store,
            function(_each(array, "cells"), *args, **_without_dtype(kwargs)),
            function(_each(array, "values"), *args, **kwargs),
        )
        if out is None:
            return result
        out[...] = result
        return out

    return handle


def _without_dtype(kwargs: dict[str, Any]) -> dict[str, Any]:
    return {key: argument for key, argument in kwargs.items() if key not in ("dtype", "casting")}


def _nested(store: Store, value: Any) -> Any:
    """Nested lists of traced arrays."""
    if isinstance(value, list | tuple) and any(
        isinstance(entry, list | tuple | TracedArray) or np.ndim(entry) for entry in value
    ):
        return [_nested(store, entry) for entry in value]
    return as_traced(store, value)


def _each(value: Any, name: str) -> Any:
    """The cells, or the values, of nested lists."""
    if isinstance(value, list):
        return [_each(entry, name) for entry in value]
    return getattr(value, name)


def together(function: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of a function that moves the cells of all its arguments."""

    def handle(store: Store, *args: Any, **kwargs: Any) -> Any:
        traced = [as_traced(store, arg) for arg in args]
        return paired(
            store,
            function(*(array.cells for array in traced), **kwargs),
            function(*(array.values for array in traced), **kwargs),
        )

    return handle


def reshape(store: Store, a: Any, /, shape: Any = None, order: Any = "C", **kwargs: Any) -> Any:
    """Return numpy.reshape."""
    target = plain_index(kwargs.pop("newshape", shape))
    array = as_traced(store, a)
    return paired(
        store,
        np.reshape(array.cells, target, order=order),
        np.reshape(array.values, target, order=order),
    )


def copy(store: Store, a: Any, order: Any = "C", subok: bool = False) -> Any:
    """Return numpy.copy."""
    return TracedArray(store, a.cells.copy(), a.values.copy())


def pad(store: Store, array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """Return numpy.pad by constants, or by copies of cells."""
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise TraceError(f"numpy.pad is traced by constants and copies, not in mode {mode!r}")
    filled = {"constant_values": CONSTANT} if mode == "constant" else kwargs
    return TracedArray(
        store,
        np.pad(array.cells, pad_width, mode, **filled),
        np.pad(array.values, pad_width, mode, **kwargs),
    )


def append(store: Store, arr: Any, values: Any, axis: int | None = None) -> Any:
    """Return numpy.append."""
    parts = [as_traced(store, array) for array in (arr, values)]
    if axis is None:
        parts, axis = [part.ravel() for part in parts], 0
    return np.concatenate(parts, axis=axis)


def broadcast_arrays(store: Store, *args: Any, subok: bool = False) -> Any:
    """Return numpy.broadcast_arrays, whose results nobody can write."""
    traced = [as_traced(store, arg) for arg in args]
    shape = np.broadcast_shapes(*(array.shape for array in traced))
    return tuple(np.broadcast_to(array, shape) for array in traced)


def fill_diagonal(store: Store, a: Any, val: Any, wrap: bool = False) -> None:
    """Assign to the diagonal of a matrix in place, as numpy.fill_diagonal."""
    if a.ndim != 2 or wrap:
        raise TraceError("numpy.fill_diagonal is traced for matrices, without wrap")
    steps = np.arange(min(a.shape))
    a[steps, steps] = val


def copy_to(
    store: Store, dst: Any, src: Any, casting: Any = "same_kind", where: Any = True
) -> None:
    """Assign in place, as numpy.copyto."""
    dst[...] = src if where is True else np.where(where, src, dst)


def cross(store: Store, a: Any, b: Any, **kwargs: Any) -> Any:
    """Return numpy.cross of vectors of three: six products, three differences."""
    x, y = as_traced(store, a), as_traced(store, b)
    if kwargs or x.shape[-1] != 3 or y.shape[-1] != 3:
        raise TraceError("numpy.cross is traced for vectors of three along the last axis")
    first, second, left, right = ([1, 2, 0], [2, 0, 1], x, y)
    return left[..., first] * right[..., second] - left[..., second] * right[..., first]


def difference(store: Store, a: Any, n: int = 1, axis: int = -1, **kwargs: Any) -> Any:
    """Return numpy.diff: each cell less the one before, n times."""
    if kwargs:
        raise TraceError("numpy.diff is traced without prepend= and append=")
    x = np.moveaxis(as_traced(store, a), axis, -1)
    for _ in range(n):
        x = x[..., 1:] - x[..., :-1]
    return np.moveaxis(x, -1, axis)


def diagonal_sum(store: Store, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Return numpy.trace: the sum of the diagonal."""
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1)
