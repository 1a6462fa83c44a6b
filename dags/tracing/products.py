"""Products of arrays: for each result a sum of products over the indices that are summed."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from dags.tracing.arrays import AnyArray, TracedArray, as_traced, into, result_array
from dags.tracing.errors import TraceError
from dags.tracing.store import Store

Labels = Sequence[int]


def contract(
    store: Store, name: str, operands: Sequence[Any], labels: Sequence[Labels], out: Labels
) -> TracedArray:
    """The sum over the indices that are not in `out` of the product of the operands.

    A result is a chain: the product at the first point, that at the second, their sum, and so
    on, points in C order and products left to right; or one vertex a point where products are
    fused with their sums; or a tree of the products.

    Parameters
    ----------
    store, name
        The DAG; the function.
    operands
        Arrays; an index of length 1 is stretched.
    labels
        The index of each axis of each operand.
    out
        The indices of the result.
    """
    traced = [as_traced(store, operand) for operand in operands]
    lengths = _lengths(name, traced, labels)
    summed = [index for index in lengths if index not in out]
    shape = tuple(lengths[index] for index in out)
    beyond_shape = tuple(lengths[index] for index in summed)
    points = math.prod(shape) * math.prod(beyond_shape)
    store.require(points, len(traced) * points)
    address = _addresses(traced, labels, out, shape)
    beyond = _addresses(traced, labels, summed, beyond_shape)
    first = np.cumsum([0, *(array.size for array in traced[:-1])])
    dtype = np.result_type(*(array.dtype for array in traced))
    flat = np.concatenate([array.values.ravel() for array in traced], dtype=dtype)
    address += first[:, np.newaxis]
    if not beyond.shape[1]:
        cells = np.full(shape, -1, np.int32)
    else:
        held = np.concatenate([array.cells.ravel() for array in traced])
        cells = store.products(name, shape, beyond_shape, held, address, beyond)
    return result_array(store, cells, dtype, lambda: _values(flat, address, beyond))


def _lengths(
    name: str, operands: Sequence[TracedArray], labels: Sequence[Labels]
) -> dict[int, int]:
    """The length of each index, in the order in which they come."""
    lengths: dict[int, int] = {}
    for operand, names in zip(operands, labels, strict=True):
        if len(names) != operand.ndim:
            raise ValueError(f"{name}: {len(names)} indices for an array of {operand.ndim} axes")
        for each, length in zip(names, operand.shape, strict=True):
            known = lengths.setdefault(each, length)
            if known != length and 1 not in (known, length):
                raise ValueError(f"{name}: lengths {known} and {length} do not match")
            lengths[each] = length if known == 1 else known
    return lengths


def _addresses(
    operands: Sequence[TracedArray],
    labels: Sequence[Labels],
    indices: Labels,
    shape: tuple[int, ...],
) -> Int64Array:
    """(o, points) how far from its first cell each operand is read, C order."""
    rows = np.zeros((len(operands), math.prod(shape)), np.int64)
    for row, operand, names in zip(rows, operands, labels, strict=True):
        lengths = operand.shape
        grid = row.reshape(shape)
        for axis, index in enumerate(names):
            if index in indices and lengths[axis] > 1:
                stride = math.prod(lengths[axis + 1 :])
                position = list(indices).index(index)
                steps = np.arange(shape[position]) * stride
                grid += steps.reshape([-1 if i == position else 1 for i in range(len(shape))])
    return rows


def _values(flat: AnyArray, address: Int64Array, beyond: Int64Array) -> AnyArray:
    """The results by the operations of their vertices."""
    terms = flat[address[0][:, np.newaxis] + beyond[0]]
    for rows, points in zip(address[1:], beyond[1:], strict=True):
        terms = terms * flat[rows[:, np.newaxis] + points]
    if not terms.shape[1]:
        return np.zeros(len(terms), terms.dtype)
    return np.asarray(np.add.accumulate(terms, axis=1, dtype=terms.dtype)[:, -1])


def matmul(store: Store, first: Any, second: Any, out: Any = None, **kwargs: Any) -> Any:
    """Return numpy.matmul."""
    a, b = as_traced(store, first), as_traced(store, second)
    if not a.ndim or not b.ndim:
        raise ValueError("matmul: operands need at least one axis")
    batch = max(a.ndim, b.ndim, 2) - 2
    row, summed, column = batch, batch + 1, batch + 2
    ahead = list(range(batch))
    left = [*ahead[batch - max(a.ndim - 2, 0) :], *([row] if a.ndim > 1 else []), summed]
    right = [*ahead[batch - max(b.ndim - 2, 0) :], summed, *([column] if b.ndim > 1 else [])]
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else -1]:
        raise ValueError(f"matmul: shapes {a.shape} and {b.shape} do not match")
    kept = [*ahead, *([row] if a.ndim > 1 else []), *([column] if b.ndim > 1 else [])]
    return into(out, contract(store, "matmul", (a, b), (left, right), kept))


def dot(store: Store, a: Any, b: Any, out: Any = None) -> Any:
    """Return numpy.dot."""
    first, second = as_traced(store, a), as_traced(store, b)
    if not first.ndim or not second.ndim:
        return into(out, np.multiply(first, second))
    return into(out, _over(store, "dot", first, second, [first.ndim - 1], [_inner(second)]))


def _inner(array: TracedArray) -> int:
    return max(array.ndim - 2, 0)


def inner(store: Store, a: Any, b: Any) -> Any:
    """Return numpy.inner: sums over the last axes."""
    first, second = as_traced(store, a), as_traced(store, b)
    if not first.ndim or not second.ndim:
        return np.multiply(first, second)
    return _over(store, "inner", first, second, [first.ndim - 1], [second.ndim - 1])


def tensordot(store: Store, a: Any, b: Any, axes: Any = 2) -> Any:
    """Return numpy.tensordot."""
    first, second = as_traced(store, a), as_traced(store, b)
    if isinstance(axes, int):
        pairs = [*range(first.ndim - axes, first.ndim)], [*range(axes)]
    else:
        pairs = tuple([entry] if isinstance(entry, int) else [*entry] for entry in axes)  # type: ignore[assignment]
    left, right = ([i % x.ndim for i in p] for p, x in zip(pairs, (first, second), strict=True))
    return _over(store, "tensordot", first, second, left, right)


def _over(
    store: Store, name: str, a: TracedArray, b: TracedArray, left: list[int], right: list[int]
) -> TracedArray:
    """The products summed over pairs of axes."""
    for i, j in zip(left, right, strict=True):
        if a.shape[i] != b.shape[j]:
            raise ValueError(f"{name}: shapes {a.shape} and {b.shape} do not match")
    first = list(range(a.ndim))
    second = [a.ndim + j for j in range(b.ndim)]
    for i, j in zip(left, right, strict=True):
        second[j] = first[i]
    kept = [i for i in first if i not in left] + [
        second[j] for j in range(b.ndim) if j not in right
    ]
    return contract(store, name, (a, b), (first, second), kept)


def outer_product(store: Store, a: Any, b: Any, out: Any = None) -> Any:
    """Return numpy.outer: one vertex a pair."""
    first, second = as_traced(store, a).ravel(), as_traced(store, b).ravel()
    return into(out, np.multiply(first[:, np.newaxis], second))


def conjugate_product(store: Store, a: Any, b: Any, **kwargs: Any) -> Any:
    """Return numpy.vdot: the product with the conjugate of `a`, all cells in C order."""
    return np.dot(np.conjugate(as_traced(store, a)).ravel(), as_traced(store, b).ravel())


def vector_product(store: Store, a: Any, b: Any, **kwargs: Any) -> Any:
    """Return numpy.vecdot over the last axes."""
    if kwargs.pop("axis", -1) != -1 or kwargs:
        raise TraceError("numpy.vecdot is traced over the last axis only")
    first, second = np.conjugate(as_traced(store, a)), as_traced(store, b)
    return einsum(store, "...i,...i->...", first, second)


def kron(store: Store, a: Any, b: Any) -> Any:
    """Return numpy.kron: one vertex a pair."""
    first, second = as_traced(store, a), as_traced(store, b)
    ndim = max(first.ndim, second.ndim)
    wide = [(1,) * (ndim - x.ndim) + x.shape for x in (first, second)]
    left = first.reshape(tuple(n for length in wide[0] for n in (length, 1)))
    right = second.reshape(tuple(n for length in wide[1] for n in (1, length)))
    shape = tuple(m * n for m, n in zip(*wide, strict=True))
    return (left * right).reshape(shape)


def einsum(store: Store, *operands: Any, out: Any = None, optimize: Any = False, **kw: Any) -> Any:
    """Return numpy.einsum: all operands at each point, or by pairs where `optimize` says so."""
    if not operands or not isinstance(operands[0], str):
        raise TraceError("numpy.einsum is traced with its indices in a string")
    arrays = [as_traced(store, operand) for operand in operands[1:]]
    labels, result = _parse(operands[0], arrays)
    if optimize is False or len(arrays) < 3:
        return into(out, contract(store, "einsum", arrays, labels, result))
    shapes = [np.empty(array.shape) for array in arrays]
    path, _ = np.einsum_path(operands[0], *shapes, optimize=optimize)
    for step in path[1:]:
        chosen = [(arrays[i], labels[i]) for i in step]
        left = [i for i in range(len(arrays)) if i not in step]
        arrays, labels = [arrays[i] for i in left], [labels[i] for i in left]
        needed = {*result, *(name for names in labels for name in names)} if left else {*result}
        names_read = dict.fromkeys(name for _, names in chosen for name in names)
        kept = result if not left else [name for name in names_read if name in needed]
        arrays.append(
            contract(store, "einsum", [a for a, _ in chosen], [n for _, n in chosen], kept)
        )
        labels.append(kept)
    return into(out, arrays[0])


def _parse(text: str, arrays: Sequence[TracedArray]) -> tuple[list[list[int]], list[int]]:
    """The indices of operands and result of "ij,jk->ik"; those of "..." are negative."""
    ahead, arrow, behind = text.replace(" ", "").partition("->")
    terms = ahead.split(",")
    if len(terms) != len(arrays):
        raise ValueError(f"einsum: {len(terms)} terms for {len(arrays)} operands")
    labels = [_term(term, array.ndim) for term, array in zip(terms, arrays, strict=True)]
    all_names = [name for names in labels for name in names]
    stretched = sorted({name for name in all_names if name < 0})
    if arrow:
        return labels, _term(behind, len(stretched) + len(behind.replace("...", "")))
    once: Mapping[int, int] = {name: all_names.count(name) for name in all_names}
    return labels, [*stretched, *sorted(i for i in once if i >= 0 and once[i] == 1)]


def _term(term: str, ndim: int) -> list[int]:
    ahead, dots, behind = term.partition("...")
    count = ndim - len(ahead) - len(behind) if dots else 0
    return [*map(ord, ahead), *range(-count, 0), *map(ord, behind)]
