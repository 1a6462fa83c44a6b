"""Arrays made like a traced one: they hold constants until they are assigned to."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dags.tracing._kernels import CONSTANT
from dags.tracing.arrays import TracedArray, as_traced
from dags.tracing.store import Store


def constants(store: Store, values: Any) -> TracedArray:
    """Return a traced array of constants."""
    owned = np.array(values, order="C")
    return TracedArray(store, np.full(owned.shape, CONSTANT, np.int32), owned)


def like(fill: Any) -> Callable[..., TracedArray]:
    """Return the handler of zeros_like, ones_like or empty_like, which holds zeros."""

    def handle(
        store: Store,
        prototype: Any,
        dtype: Any = None,
        order: Any = "K",
        subok: bool = True,
        shape: Any = None,
        **kwargs: Any,
    ) -> TracedArray:
        lengths = prototype.shape if shape is None else shape
        return constants(store, np.full(lengths, fill, dtype or prototype.dtype))

    return handle


def full_like(
    store: Store,
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: bool = True,
    shape: Any = None,
    **kwargs: Any,
) -> Any:
    """Return numpy.full_like; the value may be traced."""
    kind = dtype or (a.dtype if isinstance(a, TracedArray | np.ndarray) else np.asarray(a).dtype)
    made = constants(store, np.zeros(np.shape(a) if shape is None else shape, kind))
    made[...] = fill_value
    return made


def made_like(function: Callable[..., Any]) -> Callable[..., TracedArray]:
    """Return the handler of np.zeros(..., like=traced) and its kind."""

    def handle(store: Store, *args: Any, **kwargs: Any) -> TracedArray:
        kwargs.pop("like", None)
        return constants(store, function(*args, **kwargs))

    return handle


def array_like(store: Store, value: Any, dtype: Any = None, **kwargs: Any) -> TracedArray:
    """Return np.array(..., like=traced) of numbers, arrays and traced arrays in lists."""
    given = as_traced(store, value)
    kind = given.dtype if dtype is None else dtype
    return TracedArray(store, given.cells.copy(), given.values.astype(kind, order="C"))


def full_with(store: Store, shape: Any, fill_value: Any, dtype: Any = None, **kw: Any) -> Any:
    """Return np.full(..., like=traced)."""
    value = as_traced(store, fill_value)
    return full_like(store, value, value, dtype, shape=shape)
