"""What is computed: computation DAGs, their generators and file formats.

- `CDAG` is the one type; `from_edges`, `from_networkx` and `renumber` make one, `to_networkx`
  gives one back.
- `GENERATORS` lists the families, one function each; `load("fft:n=64")` or `load("file.hdag")`
  makes a DAG from one string.
- `formats` reads and writes files.
"""

from dags import formats
from dags.cdag import CDAG
from dags.construct import from_edges, renumber
from dags.errors import (
    FormatError,
    InvalidDAGError,
    InvalidSpecError,
    RedBlueError,
    UnknownNameError,
)
from dags.exchange import from_networkx, to_networkx
from dags.formats import save
from dags.linear_algebra import matmul
from dags.random_dags import random_layered
from dags.spec import Generator, build
from dags.stencils import grid, stencil
from dags.transforms import fft
from dags.trees import chain, pyramid, tree

GENERATORS: dict[str, Generator] = {
    "chain": chain,
    "fft": fft,
    "grid": grid,
    "matmul": matmul,
    "pyramid": pyramid,
    "random_layered": random_layered,
    "stencil": stencil,
    "tree": tree,
}

# A specification of each that is small enough to look at.
EXAMPLES = {
    "chain": "chain:n=10",
    "fft": "fft:n=64",
    "grid": "grid:shape=5x5",
    "matmul": "matmul:m=8,n=16,k=4",
    "pyramid": "pyramid:height=5",
    "random_layered": "random_layered:n=100,seed=1",
    "stencil": "stencil:shape=16x16,steps=8",
    "tree": "tree:height=4",
}


def load(spec: str) -> CDAG:
    """Return the DAG that `spec` names: a generator with parameters, or a file.

    See `dags.spec.build` for what it raises.

    Examples
    --------
    >>> load("matmul:m=1,n=2,k=3").n
    15
    """
    return build(spec, GENERATORS)


__all__ = [
    "CDAG",
    "EXAMPLES",
    "GENERATORS",
    "FormatError",
    "InvalidDAGError",
    "InvalidSpecError",
    "RedBlueError",
    "UnknownNameError",
    "chain",
    "fft",
    "formats",
    "from_edges",
    "from_networkx",
    "grid",
    "load",
    "matmul",
    "pyramid",
    "random_layered",
    "renumber",
    "save",
    "stencil",
    "to_networkx",
    "tree",
]
