"""The values of a DAG by what they are made of, whatever the order in which they are made."""

from collections import Counter


def values_of(dag):
    """How often each value is there, and the outputs: inputs by name, others by operands."""
    names, built = list(dag.labels), []
    indptr, indices = dag.pred_indptr, dag.pred_indices
    for v in range(dag.n):
        operands = sorted(built[u] for u in indices[indptr[v] : indptr[v + 1]])
        built.append(hash((*operands, "made")) if operands else hash(names[v]))
    return Counter(built), sorted(built[v] for v in dag.outputs)


def shape_of(dag):
    """How often each value is there, and the outputs: inputs by those who read them.

    Two DAGs that are one but for the names of inputs have one shape.
    """
    indptr, indices = dag.pred_indptr, dag.pred_indices
    operands = [indices[indptr[v] : indptr[v + 1]].tolist() for v in range(dag.n)]
    outputs, own_part = {*dag.outputs.tolist()}, [0] * dag.n
    for _ in range(3):
        built = []
        for v in range(dag.n):
            inner = sorted(built[u] for u in operands[v])
            built.append(hash((own_part[v], v in outputs, *inner)))
        readers = [[] for _ in range(dag.n)]
        for v in reversed(range(dag.n)):
            own_part[v] = hash((built[v], *sorted(readers[v])))
            for u in operands[v]:
                readers[u].append(own_part[v])
    return sorted(own_part)


def boxes_of(nest):
    """The boxes of a nest and of what they read, with arrays told by their order alone."""
    known = {}

    def printed(access):
        number = known.setdefault(access.array, len(known))
        return number, access.rows, access.offset, access.box, access.ties

    return [
        (
            assignment.box,
            assignment.ties,
            printed(assignment.item),
            sorted(map(printed, assignment.reads)),
            assignment.sums,
            assignment.outputs and printed(assignment.outputs),
        )
        for assignment in nest.assignments
    ]
