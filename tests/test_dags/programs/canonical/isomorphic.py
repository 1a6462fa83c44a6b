"""The values of a DAG by what they are made of, whatever the order in which they are made."""

from collections import Counter


def values_of(dag):
    """Return how often each value is there, and the outputs: inputs by name, others by operands."""
    names, made = list(dag.labels), []
    indptr, indices = dag.pred_indptr, dag.pred_indices
    for v in range(dag.n):
        operands = sorted(made[u] for u in indices[indptr[v] : indptr[v + 1]])
        made.append(hash((*operands, "made")) if operands else hash(names[v]))
    return Counter(made), sorted(made[v] for v in dag.outputs)
