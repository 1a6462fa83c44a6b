"""Discrete Fourier transforms by the algorithm of Cooley and Tukey."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dags.tracing.arrays import as_traced
from dags.tracing.elementwise import elementwise, multiply_add
from dags.tracing.errors import TraceError
from dags.tracing.store import Store


def transform(store: Store, x: Any, sign: int) -> Any:
    """Sum over t of x[:, t] exp(sign 2 pi i k t / n) for each k: decimation in time.

    The length n = p m is split by its smallest prime p into p transforms of length m of every
    p-th cell; cell k + q m of the result is the sum, left to right, of cell k of transform r
    times exp(sign 2 pi i r (k + q m) / n). For p = 2 that is the butterfly: one product, a sum
    and a difference; two vertices of two operands where products are fused.
    """
    n = x.shape[-1]
    if n == 1:
        return x
    p = next(d for d in range(2, n + 1) if n % d == 0)
    m = n // p
    columns = np.swapaxes(x.reshape(-1, m, p), 1, 2).reshape(-1, m)
    done = transform(store, columns, sign)  # all p at once: as many calls as n has primes
    parts = [done[r::p] for r in range(p)]
    if p == 2:
        pair = _butterfly(store, parts[0], parts[1], np.exp(sign * 2j * np.pi * np.arange(m) / n))
        return np.concatenate(pair, axis=-1)
    blocks = []
    for q in range(p):
        total = parts[0]
        for r in range(1, p):
            turns = np.exp(sign * 2j * np.pi * r * (np.arange(m) + q * m) / n)
            total = multiply_add(store, total, parts[r], turns)
        blocks.append(total)
    return np.concatenate(blocks, axis=-1)


def _butterfly(store: Store, even: Any, odd: Any, turns: Any) -> tuple[Any, Any]:
    if store.fused:
        operands = (even, odd, turns)
        return (
            elementwise(store, "butterfly", lambda a, b, w: a + w * b, operands),
            elementwise(store, "butterfly", lambda a, b, w: a - w * b, operands),
        )
    turned: Any = odd * turns
    return even + turned, even - turned


def along(sign: int, axes: str) -> Callable[..., Any]:
    """The handler of a transform.

    Parameters
    ----------
    sign
        Of the exponent: -1 forward; +1 back, where a division by n follows.
    axes
        "one", "two" or "all": those along which it goes where the call names none.
    """

    def handle(
        store: Store, a: Any, n: Any = None, axis: Any = None, norm: Any = None, out: Any = None
    ) -> Any:
        if norm not in (None, "backward") or out is not None:
            raise TraceError("numpy.fft is traced with norm='backward' and without out=")
        x = as_traced(store, a).astype(complex)
        standing = {"one": [-1], "two": [-2, -1], "all": [*range(x.ndim)]}[axes]
        places = standing if axis is None else [axis] if isinstance(axis, int) else [*axis]
        lengths = [None] * len(places) if n is None else [n] if isinstance(n, int) else [*n]
        for place, length in zip(reversed(places), reversed(lengths), strict=True):
            x = _one(store, x, place, length, sign)
        return x

    return handle


def along_axes(sign: int, axes: str) -> Callable[..., Any]:
    """The handler of a transform of two or more axes, which calls them `s` and `axes`."""
    general = along(sign, axes)

    def handle(store: Store, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
        return general(store, a, s, axes, norm)

    return handle


def _one(store: Store, x: Any, axis: int, length: int | None, sign: int) -> Any:
    """The transform along one axis, cut or filled with zeros to `length`."""
    line = np.moveaxis(x, axis, -1)
    if length is not None:
        line = line[..., :length]
        lacking = length - line.shape[-1]
        line = np.pad(line, [(0, 0)] * (line.ndim - 1) + [(0, lacking)])
    rows = line.reshape(-1, line.shape[-1])
    transformed: Any = transform(store, rows, sign).reshape(line.shape)
    if sign > 0:
        transformed = transformed / transformed.shape[-1]
    return np.moveaxis(transformed, -1, axis)


def real_transform(
    store: Store, a: Any, n: int | None = None, axis: int = -1, norm: Any = None
) -> Any:
    """Return numpy.fft.rfft: the first half of the transform; the other values are dropped."""
    full = along(-1, "one")(store, a, n, axis, norm)
    line = np.moveaxis(full, axis, -1)
    return np.moveaxis(line[..., : line.shape[-1] // 2 + 1], -1, axis)
