"""Greedy order that computes next what loads fewest operands into a memory of a given size."""

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from schedulers.orders import _kernels

LARGEST = 1 << 16  # vertices: all that are ready are looked at in each step
QUARTERS = 4  # parts of a word in which prices are given


def fewest_loads(
    dag: CDAG, memory: int, *, dying: int = 2, freed: int = 2, operand: int = 0
) -> Int32Array:
    """Return the order that greedily computes what loads fewest operands.

    What was touched last stays in memory. Of the vertices that are ready the next one is that with
    the least loads, less something for each operand of which it is the last reader: it will not
    be loaded again, and if it is in memory it makes room. Of equals the first.

    Parameters
    ----------
    dag
        Of `LARGEST` vertices at most.
    memory
        Words of fast memory.
    dying, freed
        Quarters of a load that the last reader of a value is worth; and the last reader of one
        that is in memory, besides.
    operand
        Quarters of a load that each operand is worth: what reads more comes earlier.

    Examples
    --------
    >>> from dags import chain
    >>> fewest_loads(chain(4), 2).tolist()
    [1, 2, 3]
    """
    if dag.n > LARGEST:
        raise ValueError(f"{dag.n} vertices are more than {LARGEST}")
    order = np.empty(dag.computed.size, np.int32)
    prices = lock(np.array([QUARTERS, dying, freed, operand], np.int64))
    rows = dag.pred_indptr, dag.pred_indices, *dag.successors
    _kernels.fewest_loads(*rows, dag.sizes, memory, prices, order)
    return lock(order)
