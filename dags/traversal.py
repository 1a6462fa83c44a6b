"""Depth-first traversal of a DAG, from its sinks to its inputs."""

import numpy as np

from dags import _kernels
from dags.arrays import Int32Array, lock, number_type, numbers_where
from dags.cdag import CDAG


def post_order(
    dag: CDAG, *, operands: Int32Array | None = None, with_inputs: bool = True
) -> Int32Array:
    """Return the vertices in depth-first post-order: each sink's ancestors just before it.

    Parameters
    ----------
    dag
        The computation.
    operands
        (m,) its predecessor rows, each in the order in which operands are visited; None for
        rising order.
    with_inputs
        Whether inputs, each before its first reader, are among the vertices; otherwise only
        computed vertices are.

    Returns
    -------
    Int32Array
        (n,) all vertices or (N,) the computed ones, operands before results; locked.

    Examples
    --------
    >>> from dags import tree
    >>> post_order(tree(2)).tolist()
    [0, 1, 4, 2, 3, 5, 6]
    >>> post_order(tree(2), with_inputs=False).tolist()
    [4, 5, 6]
    """
    rows = dag.pred_indices if operands is None else operands
    is_root = ~dag.is_read if with_inputs else dag.is_computed & ~dag.is_read
    order = np.empty(dag.n if with_inputs else dag.n - dag.inputs.size, np.int32)
    cursor = dag.pred_indptr[:-1].astype(number_type(dag.m))
    roots = lock(numbers_where(is_root))
    _kernels.post_order(dag.pred_indptr, rows, roots, with_inputs, cursor, order)
    return lock(order)
