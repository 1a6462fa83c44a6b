"""The origin of a trace: its operations, and the index of each vertex among their points."""

import hashlib
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from dags.arrays import Int32Array, lock
from dags.cdag.origin import Operator, Origin
from dags.tracing import _kernels as k
from dags.tracing.store import Store


def origin_of(
    store: Store, function: Callable[..., Any], made_by: Int32Array, place: Int32Array
) -> Origin:
    """Return the origin of the vertices that are left.

    Parameters
    ----------
    store
        The trace.
    function
        What was traced.
    made_by, place
        (n,) as in `Rows`.
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
    """Return the source of a function, or its name where there is none."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return repr(getattr(function, "__name__", ""))
