"""The border of tensor graphs: names, shapes and order, before anything is laid out."""

import math

from dags.errors import one_line, shown
from dags.importers.tensor_graph import (
    MAX_ELEMENTS,
    ImportedGraphError,
    TensorGraph,
    TensorOperator,
    TensorView,
)
from dags.importers.views import VIEWS


def check_graph(graph: TensorGraph) -> None:
    """Raise ImportedGraphError if a tensor graph does not hold together.

    Inputs and results have names and shapes of their own, operands are computed before they are
    read, and an operator's reads go with their axes. Views are checked where they are laid out.
    """
    for name, shape in graph.shapes.items():
        if min(shape, default=0) < 0 or math.prod(max(n, 1) for n in shape) > MAX_ELEMENTS:
            raise ImportedGraphError(
                f"{shown(name)} has a shape of less than 0 or more than {MAX_ELEMENTS} elements"
            )
    defined: set[str] = set()
    for name in graph.inputs:
        if name not in graph.shapes or name in defined:
            raise ImportedGraphError(f"the input {shown(name)} has no shape, or is there twice")
        defined.add(name)
    later = {name for step in graph.steps for name in step.results}
    for step in graph.steps:
        _check_names(graph, step, defined, later)
        defined |= {*step.results}
        if isinstance(step, TensorView):
            _check_view(graph, step)
        elif not graph.reads_axes(step):
            raise ImportedGraphError(
                f"the operator {shown(step.name)} reads axes that are not there"
            )


def _check_names(
    graph: TensorGraph, step: TensorOperator | TensorView, defined: set[str], later: set[str]
) -> None:
    for name in step.operands:
        if name in later and name not in defined:
            raise ImportedGraphError(f"{shown(name)} is read before it is computed")
    if isinstance(step, TensorOperator) and not step.results:
        raise ImportedGraphError(f"the operator {shown(step.name)} has no result")
    for place, name in enumerate(step.results):
        if name in defined or name in step.results[:place] or name not in graph.shapes:
            raise ImportedGraphError(f"{shown(name)} has no shape, or is computed twice")


def _check_view(graph: TensorGraph, view: TensorView) -> None:
    if view.function not in VIEWS:
        raise ImportedGraphError(f"no view is called {shown(view.function)}")
    if not view.operands:
        raise ImportedGraphError(f"{shown(view.result)} is a view of nothing")
    rank = len(graph.shapes.get(view.operands[0], ()))
    axes = view.arguments.get("axes")
    order = sorted(map(str, axes)) if isinstance(axes, list | tuple) else None
    if view.function == "transpose" and order != sorted(map(str, range(rank))):
        raise ImportedGraphError(
            f"{one_line(view.result)}: transpose does not fit its operands: {shown(axes)} is no "
            f"order of {rank} axes"
        )
