"""NumPy code as DAGs: a function runs on arrays whose cells are vertices.

- `trace` runs a function; `TracedArray` is the array that it computes with.
- `TRACED` lists the NumPy functions that are traced, besides elementwise ufuncs and their methods
  reduce, accumulate and outer.
- `elementwise`, `reductions`, `functions`, `products`, `shapes`, `creation`, `transforms` and
  `linear_algebra` say which vertices each makes.
"""

from dags.tracing.arrays import TracedArray
from dags.tracing.errors import TraceError
from dags.tracing.functions import TRACED
from dags.tracing.tracer import trace

__all__ = ["TRACED", "TraceError", "TracedArray", "trace"]
