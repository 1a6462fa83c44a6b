"""Steps of a DAG as kernels read them, and which are before and after each."""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel


class Steps(NamedTuple):
    """The computed vertices of a DAG, numbered from 0, with the values that they share.

    A step *touches* its operands and its result. Two steps are neighbours if they touch a value in
    common.
    """

    starts: np.ndarray  # (N+1,) int64: where each step's values begin in `values`
    values: np.ndarray  # (k,) int64: vertices
    near_starts: np.ndarray  # (N+1,) int64: where each step's neighbours begin in `near`
    near: np.ndarray  # (l,) int64: steps
    touch_starts: np.ndarray  # (n+1,) int64: where the steps that touch each value begin in
    touching: np.ndarray  # (k,) int64: `touching`
    above: np.ndarray  # (N, row) uint64: steps before each, as bits
    below: np.ndarray  # (N, row) uint64: steps after each
    room: np.ndarray  # (N,) int64: words beside what the step itself needs,
    more: np.ndarray  # (N,) int64: and those that it can have besides for a price
    words: np.ndarray  # (n,) int64: sizes of values
    maker: np.ndarray  # (n,) int64: the step that makes room for a value if it stays, or -1


@kernel
def relatives(indptr, indices, place, above, below):
    """Fill above and below (N, row) with the steps before and after each step.

    indptr (n+1,), indices: predecessor CSR; place (n,) int64: a vertex' number as a step, or -1.
    """
    unit = np.uint64(1)
    for v in range(place.size):
        x = place[v]
        if x < 0:
            continue
        for e in range(indptr[v], indptr[v + 1]):
            y = place[indices[e]]
            if y >= 0:
                above[x, y >> 6] |= unit << np.uint64(y & 63)
                for w in range(above.shape[1]):
                    above[x, w] |= above[y, w]
    for v in range(place.size - 1, -1, -1):
        x = place[v]
        if x < 0:
            continue
        for e in range(indptr[v], indptr[v + 1]):
            y = place[indices[e]]
            if y >= 0:
                below[y, x >> 6] |= unit << np.uint64(x & 63)
                for w in range(below.shape[1]):
                    below[y, w] |= below[x, w]
