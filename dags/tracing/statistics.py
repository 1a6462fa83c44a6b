"""Means and spreads: sums left to right, then one division."""

import math
from typing import Any

import numpy as np

from dags.tracing.arrays import TracedArray, as_traced, into
from dags.tracing.reductions import Axis, normal_axes, reduce
from dags.tracing.store import Store


def count_of(a: TracedArray, axis: Axis) -> int:
    """Return how many cells are reduced to one."""
    return math.prod(a.shape[i] for i in normal_axes(axis, a.ndim))


def mean(
    store: Store,
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
) -> Any:
    """Return numpy.mean: the sum of k cells, and a division by k."""
    x = as_traced(store, a)
    if dtype is None and x.dtype.kind in "biu":
        dtype = np.dtype(float)
    total = reduce(store, np.add, x, axis=axis, dtype=dtype, keepdims=keepdims)
    return into(out, total / count_of(x, axis))


def var(
    store: Store,
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
) -> Any:
    """Return numpy.var: deviations from the mean, their squares, the sum, a division."""
    x = as_traced(store, a)
    deviation = x - mean(store, x, axis, dtype, keepdims=True)
    if x.dtype.kind == "c":
        deviation = np.abs(deviation)
    total = reduce(store, np.add, np.square(deviation), axis=axis, keepdims=keepdims)
    return into(out, total / (count_of(x, axis) - ddof))


def std(store: Store, a: Any, axis: Axis = None, **kwargs: Any) -> Any:
    """Return numpy.std: the square root of `var`."""
    out = kwargs.pop("out", None)
    return into(out, np.sqrt(var(store, a, axis, **kwargs)))


def average(
    store: Store, a: Any, axis: Axis = None, weights: Any = None, *, keepdims: bool = False
) -> Any:
    """Return numpy.average: products with the weights, their sum over that of the weights."""
    if weights is None:
        return mean(store, a, axis, keepdims=keepdims)
    x, w = as_traced(store, a), as_traced(store, weights)
    if w.ndim == 1 and x.ndim > 1 and isinstance(axis, int):
        w = w.reshape(tuple(-1 if i == axis % x.ndim else 1 for i in range(x.ndim)))
    scale = reduce(store, np.add, weights if w.ndim == 1 or w is weights else w, axis=None)
    if w.ndim == x.ndim and w.shape == x.shape:
        scale = reduce(store, np.add, w, axis=axis, keepdims=keepdims)
    total = reduce(store, np.add, x * w, axis=axis, keepdims=keepdims)
    return total / scale


def peak_to_peak(store: Store, a: Any, axis: Axis = None, out: Any = None) -> Any:
    """Return numpy.ptp: the largest less the smallest."""
    return into(out, np.max(a, axis=axis) - np.min(a, axis=axis))
