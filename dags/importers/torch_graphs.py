"""Graphs of PyTorch as tensor graphs; `fx_nodes` and `pt2_files` read them from where they are."""

from collections.abc import Iterator

from dags.importers.tensor_graph import TensorGraph, TensorOperator, TensorView
from dags.importers.torch_functions import torch_rule
from dags.importers.torch_nodes import TorchGraph, TorchNode
from dags.importers.torch_views import basic_index, is_constant, torch_views
from dags.importers.views import shape_viewed


def torch_tensor_graph(graph: TorchGraph) -> TensorGraph:
    """Return the tensor graph of calls of PyTorch."""
    shapes = dict(graph.shapes)
    steps: list[TensorOperator | TensorView] = []
    for node in graph.nodes:
        for step in _steps(node):
            if isinstance(step, TensorView) and step.result not in shapes:
                shapes[step.result] = shape_viewed(
                    step.function, [shapes[name] for name in step.operands], step.arguments
                )
            steps.append(step)
    made = {name for step in steps for name in step.results} | {*graph.inputs}
    return TensorGraph(
        name=graph.name,
        shapes={name: shape for name, shape in shapes.items() if name in made}
        | {name: shapes[name] for step in steps for name in step.operands},
        inputs=graph.inputs,
        steps=tuple(steps),
        outputs=graph.outputs,
        itemsize=graph.itemsize,
    )


def _steps(node: TorchNode) -> Iterator[TensorOperator | TensorView]:
    if not node.results or is_constant(node):
        return
    views = basic_index(node, _index(node)) if node.kind == "getitem" else torch_views(node)
    if views is not None:
        yield from views
        return
    rule = torch_rule(node)
    fits = rule.reads is not None and len(rule.reads) == len(node.operands)
    yield TensorOperator(
        name=node.name,
        kind=node.kind,
        operands=tuple(node.operands),
        results=node.results,
        work=rule.work,
        reads=rule.reads if fits else None,
        whole=rule.whole,
    )


def _index(node: TorchNode) -> list[object]:
    index = node.args[1]
    return list(index) if isinstance(index, tuple) else [index]
