"""The order in which Dask would run the DAG's tasks, where Dask is installed."""

from importlib.util import find_spec
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock

LARGEST = 2_000  # vertices: Dask orders in Python, some ten thousand a second


def dask_order(dag: CDAG) -> Int32Array | None:
    """Return (N,) the computed vertices as `dask.order` ranks them.

    None where Dask is not installed, and for more than 2,000 vertices. It runs a task soon
    after its operands, so that they can be released early: another starting point for a search,
    which is seldom better than the others and sometimes much.

    Source
    ------
    Dask developers, dask/order.py, whose docstring has the heuristics.

    Examples
    --------
    >>> from dags import fft
    >>> order = dask_order(fft(8))
    >>> order is None or sorted(order) == list(fft(8).computed)
    True
    """
    if dag.n > LARGEST or find_spec("dask") is None:
        return None
    from dask.order import order

    operands = np.split(dag.pred_indices, dag.pred_indptr[1:-1])
    # A value that is a key would be read as an edge; a task is a tuple that begins with a function.
    tasks: dict[Any, Any] = {
        v: (max, row.tolist()) if row.size else None for v, row in enumerate(operands)
    }
    ranks = order(tasks)
    rank = np.array([ranks[v] for v in range(dag.n)])
    computed = dag.computed
    return lock(computed[np.argsort(rank[computed], kind="stable")].astype(np.int32))
