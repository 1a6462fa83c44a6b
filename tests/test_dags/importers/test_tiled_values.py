"""Parts of operators compute what the operators do from what they read, and from no less."""

import re

import numpy as np
import pytest

from dags.importers import from_onnx, tensor_dag

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from tests.test_dags.importers import onnx_samples  # noqa: E402

PART = re.compile(r"(.*)\[((?:\d+:\d+,?)+)\]")
CASES = {
    "block": (onnx_samples.transformer_block(2), {}, (None, 2, (1, 4), (2, 2, 3))),
    "network": (onnx_samples.convolutional(), {}, (None, 3, (1, 2), (1, 2, 2, 2))),
}


def part_of(label, shapes):
    """The tensor and the box of a vertex."""
    match = PART.fullmatch(label)
    name = (match[1] if match else label).removeprefix("/")
    if not match:
        return name, tuple(slice(0, n) for n in shapes[name])
    return name, tuple(slice(*map(int, axis.split(":"))) for axis in match[2].split(","))


class Runs:
    """A model whose nodes run one by one, on values of which parts are spoiled."""

    def __init__(self, model, graph):
        self.graph = graph
        self.made_by = {name: entry for entry in model.graph.node for name in entry.output}
        self.opsets = list(model.opset_import)
        rng = np.random.default_rng(1)
        self.values = {
            entry.name: onnx.numpy_helper.to_array(entry) for entry in model.graph.initializer
        }
        arguments = {
            entry.name: rng.normal(size=graph.shapes[entry.name]).astype(np.float32)
            for entry in model.graph.input
        }
        evaluator = ReferenceEvaluator(model)
        self.values |= arguments | evaluator.run(None, arguments, intermediate=True)
        self.operators = {name for operator in graph.operators for name in operator.results}
        self.runners = {}

    def roots(self, name):
        """The tensors with vertices whose elements a tensor has."""
        if name in self.operators or name in self.graph.inputs or name not in self.made_by:
            return {name}
        return set().union(*map(self.roots, self.made_by[name].input))

    def run(self, name, known):
        """A tensor computed from the values of its operator's roots."""
        values = dict(known)

        def value(entry):
            if entry not in values:
                values[entry] = self._apply(self.made_by[entry], entry, value)
            return values[entry]

        node = self.made_by[name]
        return self._apply(node, name, value)

    def _apply(self, node, name, value):
        if name not in self.runners:
            function = onnx.helper.make_function(
                "own", "Node", list(node.input), list(node.output), [node], self.opsets
            )
            self.runners[name] = ReferenceEvaluator(function)
        arguments = {entry: value(entry) for entry in node.input}
        with np.errstate(all="ignore"):
            results = self.runners[name].run(None, arguments, attributes={})
        return dict(zip(node.output, results, strict=True))[name]


@pytest.mark.parametrize(
    ("name", "tile"), [(name, tile) for name, (_, _, tiles) in CASES.items() for tile in tiles]
)
def test_parts_compute_the_tensors_from_what_they_read(name, tile):
    model, sizes, _ = CASES[name]
    graph = from_onnx(model, sizes)
    dag = tensor_dag(graph, tile=tile)
    runs = Runs(model, graph)
    seen = {}
    for vertex in range(dag.n):
        tensor, box = part_of(dag.labels[vertex], graph.shapes)
        assert dag.sizes[vertex] == np.prod([entry.stop - entry.start for entry in box], dtype=int)
        count = seen.setdefault(tensor, np.zeros(graph.shapes[tensor], int))
        count[box] += 1
    assert all((count == 1).all() for count in seen.values())
    for vertex in dag.computed.tolist():
        check_vertex(dag, vertex, graph, runs)


def check_vertex(dag, vertex, graph, runs):
    """A vertex needs its operands, each of them, and nothing else."""
    tensor, box = part_of(dag.labels[vertex], graph.shapes)
    row = dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]].tolist()
    parts = [part_of(dag.labels[entry], graph.shapes) for entry in row]
    roots = set().union(*map(runs.roots, runs.made_by[tensor].input))
    assert {entry for entry, _ in parts} <= roots
    expected = runs.values[tensor][box]
    np.testing.assert_allclose(
        runs.run(tensor, spoiled(runs, roots, parts))[box], expected, rtol=1e-4, atol=1e-5
    )
    for missing in range(len(parts)):
        result = runs.run(tensor, spoiled(runs, roots, parts[:missing] + parts[missing + 1 :]))
        assert not np.allclose(result[box], expected, rtol=1e-6), dag.labels[row[missing]]


def spoiled(runs, roots, parts):
    """The values of roots, huge where no part has them; integers and constants stay."""
    known = {}
    for name in roots:
        value = runs.values[name]
        if value.dtype.kind == "f" and name in runs.graph.shapes:
            known[name] = np.full_like(value, 1e6)
            for entry, box in parts:
                if entry == name:
                    known[name][box] = value[box]
        else:
            known[name] = value
    return known
