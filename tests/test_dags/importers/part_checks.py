"""Parts of one operator, held against the operator on inputs that are spoiled elsewhere."""

import re

import numpy as np

PART = re.compile(r"(.*)\[((?:\d+:\d+,?)+)\]")
HUGE = 1e6


def part_of(label, shape):
    """The tensor and the box of a vertex; the shape of the tensor is given by its name."""
    match = PART.fullmatch(label)
    if not match:
        return label, tuple(slice(0, n) for n in shape(label))
    return match[1], tuple(slice(*map(int, axis.split(":"))) for axis in match[2].split(","))


def check_operator(dag, inputs, compute):
    """Each part of the one result needs the inputs that it reads, each of them, and no others.

    `inputs` are arrays by name, `compute` takes them by name and gives the result. Operands that
    are no floating-point numbers are not spoiled. Parts of constants alone have no vertex.
    """
    expected = np.asarray(compute(**inputs))
    counts = np.zeros(expected.shape, int)
    for vertex in dag.computed.tolist():
        _, box = part_of(dag.labels[vertex], lambda name: expected.shape)
        counts[box] += 1
        row = dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]].tolist()
        parts = [part_of(dag.labels[entry], lambda name: inputs[name].shape) for entry in row]
        result = np.asarray(compute(**spoiled(inputs, parts)))
        np.testing.assert_allclose(result[box], expected[box], rtol=1e-3, atol=1e-4)
        for missing, (name, _) in enumerate(parts):
            if inputs[name].dtype.kind == "f":
                remaining = parts[:missing] + parts[missing + 1 :]
                result = np.asarray(compute(**spoiled(inputs, remaining)))
                assert not np.allclose(result[box], expected[box], rtol=1e-5), dag.labels[vertex]
    constant = np.asarray(compute(**spoiled(inputs, [])))
    assert counts.max() == 1
    np.testing.assert_array_equal(constant[counts == 0], expected[counts == 0])


def result_shape(dag):
    """The shape of the one result of which a DAG has the parts; None if it is whole."""
    boxes = [part_of(dag.labels[v], lambda name: ()) for v in dag.computed.tolist()]
    if not all(box for _, box in boxes):
        return None
    axes = zip(*(box for _, box in boxes), strict=True)
    return tuple(max(entry.stop for entry in axis) for axis in axes)


def spoiled(inputs, parts):
    """Arrays that are huge where no part has them."""
    changed = {}
    for name, array in inputs.items():
        changed[name] = np.full_like(array, HUGE) if array.dtype.kind == "f" else array
        for entry, box in parts:
            if entry == name:
                changed[name][box] = array[box]
    return changed
