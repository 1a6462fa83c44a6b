"""Ways to cut a large DAG into blocks."""

from collections.abc import Iterator

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from dags.cdag.construct import post_order
from proofs.bounds.pieces import _kernels

Blocks = list[Int64Array]  # disjoint sets of vertices, each rising


def divisions(dag: CDAG, size: int) -> Iterator[Blocks]:
    """Yield divisions of all vertices into blocks of about `size`, each good for some DAGs.

    Runs of the natural order (that of a file or a loop nest), of a depth-first order (trees,
    recursive structures), connected parts of bands of levels (networks: butterflies), and clusters
    grown around vertices (grids of any dimension).
    """
    yield runs(np.arange(dag.n), size)
    yield runs(post_order(dag).astype(np.int64), size)
    yield bands(dag, size)
    yield clusters(dag, size)


def runs(order: Int64Array, size: int) -> Blocks:
    """Consecutive runs of `order`, equally long but for one vertex, at most `size`."""
    return [np.sort(run) for run in np.array_split(order, -(-order.size // size))]


def bands(dag: CDAG, size: int) -> Blocks:
    """The connected parts of bands of levels, the highest whose parts have at most `size`.

    A part that is larger even in a single level is cut into runs; small parts stay together
    with those beside them.

    Examples
    --------
    >>> from dags import fft
    >>> [block.size for block in bands(fft(16), 32)]
    [32, 32, 16]
    """
    height, parts = 1, _band_parts(dag, 1)
    while height <= int(dag.level.max()):
        height = max(height + 1, height * 5 // 4)
        higher = _band_parts(dag, height)
        if np.bincount(higher).max() > size:
            break
        parts = higher
    order = np.argsort(parts, kind="stable")
    ends = np.cumsum(np.bincount(parts))
    return _merged(order, ends, size)


def clusters(dag: CDAG, size: int) -> Blocks:
    """Sets that grow breadth first, along edges and against them, from one vertex each.

    Examples
    --------
    >>> from dags import grid
    >>> [block.size for block in clusters(grid((6, 6)), 12)]
    [12, 12, 12]
    """
    order = np.empty(dag.n, np.int64)
    ends = np.empty(dag.n, np.int64)
    count = _kernels.clusters(dag.pred_indptr, dag.pred_indices, *dag.successors, size, order, ends)
    return _merged(order, ends[:count], size)


def _band_parts(dag: CDAG, height: int) -> Int64Array:
    """(n,) the number of the connected part, within bands of `height` levels."""
    band = lock(dag.level // height)
    part = np.empty(dag.n, np.int64)
    count = _kernels.connected_parts(dag.pred_indptr, dag.pred_indices, band, part)
    # Number the parts by their first vertices, band after band.
    of_part = np.empty(count, band.dtype)
    of_part[part] = band
    rank = np.empty(count, np.int64)
    rank[np.argsort(of_part, kind="stable")] = np.arange(count)
    return rank[part]


def _merged(order: Int64Array, ends: Int64Array, size: int) -> Blocks:
    """Runs of `order` up to each of `ends`: neighbours together up to `size`, large cut."""
    blocks: Blocks = []
    start = end = 0
    for after in [*ends.tolist(), order.size + size]:
        if after - start > size and end > start:
            blocks += runs(order[start:end], size)
            start = end
        end = after
    return blocks
