"""Orders that walk the DAG."""

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from schedulers.orders import _kernels


def breadth_first(dag: CDAG) -> Int32Array:
    """Return the computed vertices in the order in which they become ready.

    Examples
    --------
    >>> from dags import tree
    >>> breadth_first(tree(3)).tolist()
    [8, 9, 10, 11, 12, 13, 14]
    """
    order = np.empty(dag.computed.size, np.int32)
    _kernels.breadth_first(dag.pred_indptr, *dag.successors, order)
    return lock(order)


def depth_first(dag: CDAG) -> Int32Array:
    """Return the computed vertices in post-order: each sink's ancestors just before it.

    Of the operands of a vertex, the one is computed first whose tree needs most room beyond
    what it leaves behind: on trees of unit size this is the order of Sethi and Ullman, which
    needs the least memory of all.

    Source
    ------
    R. Sethi and J. D. Ullman, The generation of optimal code for arithmetic expressions,
    J. ACM 17, 1970; for sizes J. W. H. Liu, On the storage requirement in the out-of-core
    multifrontal method, ACM TOMS 12, 1986.

    Examples
    --------
    >>> from dags import tree
    >>> depth_first(tree(3)).tolist()
    [8, 9, 12, 10, 11, 13, 14]
    """
    need = np.empty(dag.n, np.int64)
    ranked = np.empty(dag.m, np.int32)
    _kernels.rank_operands(dag.pred_indptr, dag.pred_indices, dag.sizes, need, ranked)
    sinks = lock(np.flatnonzero((dag.outdegree == 0) & (dag.indegree > 0)).astype(np.int32))
    order = np.empty(dag.computed.size, np.int32)
    _kernels.depth_first(dag.pred_indptr, lock(ranked), sinks, order)
    return lock(order)


def least_live(dag: CDAG) -> Int32Array:
    """Return the order that greedily keeps the fewest words live.

    Next comes the ready vertex whose computation adds least to the live words; of equals, the
    one that became so last.

    Examples
    --------
    >>> from dags import chain
    >>> least_live(chain(4)).tolist()
    [1, 2, 3]
    """
    order = np.empty(dag.computed.size, np.int32)
    _kernels.least_live(dag.pred_indptr, dag.pred_indices, *dag.successors, dag.sizes, order)
    return lock(order)
