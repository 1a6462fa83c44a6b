"""Objects of other tools as tensor graphs: which reader reads which."""

from collections.abc import Mapping
from typing import Any

from dags.cdag.value import CDAG
from dags.importers.dask_graphs import from_dask, is_dask
from dags.importers.errors import ImportedGraphError
from dags.importers.fx_nodes import from_fx, is_fx
from dags.importers.jaxprs import from_jaxpr, is_jaxpr
from dags.importers.layout import tensor_dag
from dags.importers.onnx_models import from_onnx
from dags.importers.tensor_graph import TensorGraph
from dags.importers.tiles import Tile

KINDS = (
    "a DAG, a networkx.DiGraph, a jaxpr, a graph of torch.fx or torch.export, an ONNX model, a "
    "Dask collection or a dict of tasks"
)


def graph_of(source: Any, sizes: Mapping[str, int] | None = None) -> TensorGraph:
    """Return the tensor graph of an object of another tool.

    Parameters
    ----------
    source
        A jaxpr, a graph of PyTorch, an ONNX model, a Dask collection or a dict of tasks, or a
        tensor graph.
    sizes
        Values of symbolic dimensions.

    Raises
    ------
    ImportedGraphError
        If it is none of these, or cannot be read.
    """
    if isinstance(source, TensorGraph):
        return source
    if is_fx(source) and not is_dask(source):  # a delayed value of Dask has every attribute
        return from_fx(source, sizes)
    if _is_onnx(source) and not is_dask(source):
        return from_onnx(source, sizes)
    if sizes:
        raise ImportedGraphError(f"there is no dimension {next(iter(sizes))}: all have lengths")
    if is_dask(source):
        return from_dask(source)
    if is_jaxpr(source):
        return from_jaxpr(source)
    raise ImportedGraphError(f"{type(source).__name__} is no graph that is read: {KINDS}")


def object_dag(
    source: Any,
    *,
    sizes: Mapping[str, int] | None = None,
    tile: Tile = None,
    word: int | None = None,
) -> CDAG:
    """Return the DAG of an object of another tool.

    Parameters
    ----------
    source, sizes
        As `graph_of` has them.
    tile, word
        As `tensor_dag` has them.

    Raises
    ------
    ImportedGraphError
        If it cannot be read, or has no DAG.
    """
    return tensor_dag(graph_of(source, sizes), tile=tile, word=word)


def _is_onnx(value: object) -> bool:
    graph = getattr(value, "graph", None)
    return hasattr(value, "opset_import") and hasattr(graph, "node")
