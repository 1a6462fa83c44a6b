"""Computation DAGs: their type, their generators and their file formats.

- `Computation` is whatever is asked about, at any size; it builds its DAG when that is needed.
- `CDAG` is the type of DAGs; `from_edges`, `from_networkx` and `renumber` make one, `to_networkx`
  gives one back.
- `GENERATORS` lists the functions of `dags.families`; `load("fft:n=64")` or `load("file.hdag")`
  makes a DAG from one string, and from graphs of other tools.
- `formats` reads and writes files.
- `recognise` tells which generator's DAG another one is up to the numbering: its `Recognised`.
"""

from dags import formats
from dags.cdag.construct import from_edges, renumber
from dags.cdag.exchange import from_networkx, to_networkx
from dags.cdag.value import CDAG, Recognised
from dags.computation import Computation
from dags.errors import (
    FormatError,
    IgnoredSizesWarning,
    InvalidDAGError,
    InvalidSpecError,
    RedBlueError,
    UnknownNameError,
)
from dags.families.common.points import points_of
from dags.families.dirac import dirac
from dags.families.dirac_steps import dirac_steps
from dags.families.factorizations import cholesky, lu, qr_givens
from dags.families.fast_matmul import strassen
from dags.families.neural import attention, convolution
from dags.families.products import matmul, matvec, syrk
from dags.families.random_dags import random_layered, random_tree
from dags.families.recognition import recognise, recognise_as
from dags.families.solves import triangular_solve
from dags.families.sorting import (
    bitonic_sort,
    merge_sort,
    odd_even_merge_sort,
    odd_even_transposition_sort,
)
from dags.families.sparse import (
    conjugate_gradient,
    conjugate_gradient_of,
    random_spmv,
    spmv,
    spmv_of,
)
from dags.families.stencils import binomial, diamond, grid, hypercube, stencil, sweep
from dags.families.transforms import fft, prefix_scan
from dags.families.trees import chain, pyramid, tree
from dags.formats import save
from dags.loading import EXAMPLES, GENERATORS, load

__all__ = [
    "CDAG",
    "EXAMPLES",
    "GENERATORS",
    "Computation",
    "FormatError",
    "IgnoredSizesWarning",
    "InvalidDAGError",
    "InvalidSpecError",
    "Recognised",
    "RedBlueError",
    "UnknownNameError",
    "attention",
    "binomial",
    "bitonic_sort",
    "chain",
    "cholesky",
    "conjugate_gradient",
    "conjugate_gradient_of",
    "convolution",
    "diamond",
    "dirac",
    "dirac_steps",
    "fft",
    "formats",
    "from_edges",
    "from_networkx",
    "grid",
    "hypercube",
    "load",
    "lu",
    "matmul",
    "matvec",
    "merge_sort",
    "odd_even_merge_sort",
    "odd_even_transposition_sort",
    "points_of",
    "prefix_scan",
    "pyramid",
    "qr_givens",
    "random_layered",
    "random_spmv",
    "random_tree",
    "recognise",
    "recognise_as",
    "renumber",
    "save",
    "spmv",
    "spmv_of",
    "stencil",
    "strassen",
    "sweep",
    "syrk",
    "to_networkx",
    "tree",
    "triangular_solve",
]
