"""Computation DAGs: their type, their generators and their file formats.

- `CDAG` is the one type; `from_edges`, `from_networkx` and `renumber` make one, `to_networkx`
  gives one back.
- `GENERATORS` lists the functions of `dags.families`; `load("fft:n=64")` or `load("file.hdag")`
  makes a DAG from one string, and from graphs of other tools.
- `formats` reads and writes files.
- `recognise` tells which generator's DAG another one is up to the numbering: its `Recognised`.
"""

import sys
from pathlib import Path
from typing import Any

from dags import formats
from dags.cdag.construct import from_edges, renumber
from dags.cdag.exchange import from_networkx, to_networkx
from dags.cdag.value import CDAG, Recognised
from dags.errors import (
    FormatError,
    IgnoredSizesWarning,
    InvalidDAGError,
    InvalidSpecError,
    RedBlueError,
    UnknownNameError,
)
from dags.families import FAMILIES
from dags.families.common.members import Member, member_of
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
from dags.spec import Generator, build, leaves

GENERATORS: dict[str, Generator] = {name: FAMILIES[name].make for name in sorted(FAMILIES)}

# A specification of each that is small enough to look at.
EXAMPLES = {name: f"{name}:{FAMILIES[name].example}" for name in GENERATORS}


def load(
    source: Any,
    *,
    words: str | None = None,
    work: str | None = None,
    recognise: bool = True,
    family: str | None = None,
    **options: Any,
) -> CDAG:
    """Return the DAG that a specification names, or that an object of another tool is.

    A DAG of another origin is compared with those of generators: `CDAG.recognised` says which one
    it is up to the numbering.

    Parameters
    ----------
    source
        A generator with parameters, a program, or a file, in one string; or a DAG, a
        `networkx.DiGraph`, a jaxpr, a graph of torch.fx or torch.export, an ONNX model, a Dask
        collection or a dict of tasks.
    words, work, recognise, family
        Of strings, as `dags.spec.build` has them; a graph of networkx takes the first three.
    options
        Of objects of other tools: `tile`, `word` and `sizes`, as `dags.importers.object_dag` has
        them. A specification has its options in the string.

    Raises
    ------
    InvalidSpecError
        If there are options, and none are taken.
    RedBlueError
        Errors of `dags.spec.build` and `dags.importers.object_dag`.

    Examples
    --------
    >>> load("matmul:m=1,n=2,k=3").n
    15
    """
    nx = sys.modules.get("networkx")  # whoever has a graph of it has imported it
    is_graph = nx is not None and isinstance(source, nx.Graph)
    if options and (is_graph or isinstance(source, str | Path | CDAG)):
        raise InvalidSpecError(f"{', '.join(options)}: only objects of other tools have options")
    if isinstance(source, str | Path):
        named: dict[str, Any] = {"words": words, "work": work, "family": family}
        return build(str(source), GENERATORS, recognise=recognise, **named)
    if isinstance(source, CDAG):
        return source
    if is_graph:
        return from_networkx(source, words=words, work=work, recognise=recognise)
    made: CDAG = leaves.reader("graphs").object_dag(source, **options)
    return made


def member(spec: str) -> Member:
    """Return the member of a family that a specification names, without laying out its DAG.

    Raises
    ------
    RedBlueError
        Errors of `dags.families.common.members.member_of`.

    Examples
    --------
    >>> member("matmul:n=100000").sizes.vertices
    1000020000000000
    """
    if leaves.is_of("programs", spec):
        from dags.programs.members import nest_member

        return nest_member(spec)
    if leaves.is_of("graphs", spec):
        found: Member = leaves.reader("graphs", "nests").graph_member(spec)
        return found
    return member_of(spec)


__all__ = [
    "CDAG",
    "EXAMPLES",
    "GENERATORS",
    "FormatError",
    "IgnoredSizesWarning",
    "InvalidDAGError",
    "InvalidSpecError",
    "Member",
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
    "member",
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
