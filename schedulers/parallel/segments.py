"""Any DAG by several processors: segments of an order, given out by list scheduling."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from dags import CDAG
from schedulers.families import FAMILIES
from schedulers.orders import ORDERS
from schedulers.parallel._kernels import listing
from schedulers.parallel.assignment import Assignment, numbered

PIECES = (1, 4, 16)  # segments a processor
SMALL = 1 << 16  # vertices up to which all orders and sizes are tried
FAR = 2.0  # computations that a word from another processor takes: it is stored and loaded


def listed_segments(dag: CDAG, processors: int, memory: int) -> Iterator[Assignment]:
    """Yield assignments of segments of topological orders, each to who can finish it first.

    Segments of a topological order are an acyclic partition: none waits for a later one. They are
    taken in order, and each goes to the processor on which its operands and the processor itself
    are ready first, a word from elsewhere counting as two computations.

    Parameters
    ----------
    dag
        The computation.
    processors
        Number of them.
    memory
        Words of fast memory of each.

    Source
    ------
    H. Topcuoglu, S. Hariri and M.-Y. Wu, Performance-effective and low-complexity task scheduling
    for heterogeneous computing, IEEE Trans. Parallel Distrib. Syst. 2002; M. Y. Ozkaya, A. Benoit
    and U. V. Catalyurek, Improving locality-aware scheduling with acyclic directed graph
    partitioning, PPAM 2019.
    """
    small = dag.n <= SMALL
    orders = [(name, order(dag)) for name, order in ORDERS.items() if small or name == "natural"]
    if dag.family in FAMILIES:  # some yield no order for a line
        made = islice(FAMILIES[dag.family](dag, memory), 1)
        orders += [("structured", order) for order in made]
    steps = int(dag.computed.size)
    cuts = PIECES if small else PIECES[:1]
    sizes = {1} | {max(steps // (processors * pieces), 1) for pieces in cuts}
    for name, order in orders:
        for size in sorted(sizes):
            ends = np.append(np.arange(size, steps, size), steps).astype(np.int64)
            owner = np.full(dag.n, -1, np.int32)
            finish, free = np.zeros(dag.n), np.zeros(processors)
            kept = np.ascontiguousarray(order, np.int32)
            kept.flags.writeable = False
            ends.flags.writeable = False
            listing.deal(
                dag.pred_indptr, dag.pred_indices, dag.sizes, kept, ends, FAR, owner, finish, free
            )
            yield numbered(f"segments of {size} {name}", owner, kept)
