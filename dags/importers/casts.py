"""Conversions of elements to another size, which are operators; to the same size they are views."""

from dataclasses import replace

from dags.importers import rules
from dags.importers.rules import operator_of
from dags.importers.tensor_graph import TensorGraph, TensorOperator, TensorView


def with_casts(graph: TensorGraph) -> TensorGraph:
    """A graph in which copies whose elements have other sizes than before are operators."""
    return replace(graph, steps=tuple(_step(graph, step) for step in graph.steps))


def _step(graph: TensorGraph, step: TensorOperator | TensorView) -> TensorOperator | TensorView:
    if isinstance(step, TensorOperator) or step.function != "same" or len(step.operands) != 1:
        return step
    (operand,) = step.operands
    sizes = [graph.itemsize.get(name) for name in (operand, step.result)]
    known = operand in graph.shapes and step.result in graph.shapes
    if None in sizes or sizes[0] == sizes[1] or not known:
        return step
    rule = rules.pointwise([graph.shapes[operand]], graph.shapes[step.result])
    return operator_of(step.result, "Cast", [operand], (step.result,), rule)
