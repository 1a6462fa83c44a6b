"""Operands of a DAG as Python lists."""

from itertools import pairwise

from dags import CDAG


def rows_of(dag: CDAG) -> list[list[int]]:
    """Return the operands of every vertex."""
    operands = dag.pred_indices.tolist()
    return [operands[a:b] for a, b in pairwise(dag.pred_indptr.tolist())]
