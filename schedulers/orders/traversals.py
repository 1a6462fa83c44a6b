"""Orders that walk the DAG, and that in which it numbers its vertices."""

from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, lock, number_type
from dags.cdag.construct import post_order
from dags.cdag.rows import successor_rows
from schedulers.orders._kernels import traversals as _kernels

LARGE = 1 << 24  # edges from which successors are made anew for each order


def natural(dag: CDAG) -> Int32Array:
    """The computed vertices as they are numbered: as a file or a loop nest says.

    Examples
    --------
    >>> from dags import tree
    >>> natural(tree(2)).tolist()
    [4, 5, 6]
    """
    return dag.computed


def breadth_first(dag: CDAG) -> Int32Array:
    """The computed vertices in the order in which they become ready.

    Examples
    --------
    >>> from dags import tree
    >>> breadth_first(tree(3)).tolist()
    [8, 9, 10, 11, 12, 13, 14]
    """
    order = np.empty(dag.n - dag.inputs.size, np.int32)
    _kernels.breadth_first(dag.pred_indptr, *_successors(dag), order)
    return lock(order)


def depth_first(dag: CDAG) -> Int32Array:
    """The computed vertices in post-order: each sink's ancestors just before it.

    Of the operands of a vertex, the one is computed first whose tree needs most room beyond the
    result that it leaves behind: on trees of unit size this is the order of Sethi and Ullman, which
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
    ranked = np.empty(dag.m, np.int32)
    need = np.empty(dag.n, _need_type(dag))
    _kernels.rank_operands(dag.pred_indptr, dag.pred_indices, dag.sizes, need, ranked)
    del need
    return post_order(dag, operands=lock(ranked), with_inputs=False)


def least_live(dag: CDAG) -> Int32Array:
    """The order that greedily keeps the fewest words live.

    Next comes the ready vertex whose computation adds least to the live words; of equals, the
    one that became so last.

    Examples
    --------
    >>> from dags import chain
    >>> least_live(chain(4)).tolist()
    [1, 2, 3]
    """
    order = np.empty(dag.n - dag.inputs.size, np.int32)
    growth = np.zeros(dag.n, _need_type(dag))
    _kernels.least_live(
        dag.pred_indptr, dag.pred_indices, *_successors(dag), dag.sizes, growth, order
    )
    return lock(order)


def _need_type(dag: CDAG) -> type[np.signedinteger[Any]]:
    """An integer type that holds all words of the DAG: the short one only where it saves."""
    return np.int32 if dag.words is None and dag.m > LARGE else np.int64


def _successors(dag: CDAG) -> tuple[npt.NDArray[np.signedinteger[Any]], Int32Array]:
    """The successor CSR; of a large DAG it is not kept, and its pointers are 32 bits."""
    if dag.m <= LARGE or "successors" in vars(dag):
        return dag.successors
    return successor_rows(dag.pred_indptr, dag.pred_indices, pointers=number_type(dag.m))
