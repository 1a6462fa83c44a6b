"""The order in which the DAG numbers its vertices."""

from dags import CDAG
from dags.arrays import Int32Array


def natural(dag: CDAG) -> Int32Array:
    """Return the computed vertices as they are numbered: what a file or a loop nest says.

    Examples
    --------
    >>> from dags import tree
    >>> natural(tree(2)).tolist()
    [4, 5, 6]
    """
    return dag.computed
