"""Graphs of other tools as DAGs: tensors are values, operators compute them.

- `from_onnx`, `from_jaxpr`, `from_fx`, `from_pt2` and `from_dask` read the graphs of these tools
  and make a `TensorGraph`: operators, views and shapes; `graph_of` finds the one that reads an
  object.
- `tensor_dag` lays a tensor graph out, whole or in parts.
- `save_graph` writes a tensor graph as JSON, `read_graph` reads it; neither needs the tool.
"""

from dags.importers.dask_graphs import from_dask
from dags.importers.fx_nodes import from_fx
from dags.importers.jaxprs import from_jaxpr
from dags.importers.layout import tensor_dag
from dags.importers.onnx_models import from_onnx
from dags.importers.pt2_files import from_pt2
from dags.importers.saved import read_graph, save_graph
from dags.importers.spec import graph_of, object_dag
from dags.importers.tensor_graph import ImportedGraphError, TensorGraph, TensorOperator, TensorView

__all__ = [
    "ImportedGraphError",
    "TensorGraph",
    "TensorOperator",
    "TensorView",
    "from_dask",
    "from_fx",
    "from_jaxpr",
    "from_onnx",
    "from_pt2",
    "graph_of",
    "object_dag",
    "read_graph",
    "save_graph",
    "tensor_dag",
]
