"""Graphs of other tools as DAGs: tensors are values, operators compute them.

- `TensorGraph` is what each reader makes: operators, views and shapes; `tensor_dag` lays it out,
  whole or in parts.
- `from_onnx` reads ONNX models.
"""

from dags.importers.errors import ImportedGraphError
from dags.importers.layout import tensor_dag
from dags.importers.onnx_models import from_onnx
from dags.importers.tensor_graph import TensorGraph, TensorOperator, TensorView

__all__ = [
    "ImportedGraphError",
    "TensorGraph",
    "TensorOperator",
    "TensorView",
    "from_onnx",
    "tensor_dag",
]
