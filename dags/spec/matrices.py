"""Computations with the sparse matrix in a file: "spmv:matrix=A.mtx", "sptrsv:matrix=A.mtx"."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from dags.cdag.construct import from_edges
from dags.cdag.value import CDAG
from dags.errors import FormatError, InvalidDAGError, InvalidSpecError, one_line, shown
from dags.families.common.sparse_patterns import Pattern
from dags.families.sparse import product_with
from dags.formats.matrix_market import Matrix, matrix_in
from dags.formats.registry import reading
from dags.spec.options import WORD

OPTION: Final = "matrix"


def takes(spec: str) -> bool:
    """Whether a specification names a computation with the matrix in a file."""
    name, _, text = spec.partition(":")
    return name in COMPUTATIONS and f"{OPTION}=" in text


def dag(spec: str) -> CDAG:
    """The DAG of a computation with the matrix in a file.

    Raises
    ------
    InvalidSpecError
        If something else is said besides the file.
    FormatError
        If the file holds no sparse matrix, or none of the right form.
    """
    name, _, text = spec.partition(":")
    places: list[str] = []
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if key == WORD:
            continue
        if key != OPTION or not equals or places:
            raise InvalidSpecError(
                f"{one_line(spec)}: {shown(part)} is no matrix; {name}:matrix=FILE.mtx"
            )
        places.append(value)
    path = Path(places[0])
    with reading(path):
        return COMPUTATIONS[name](path, matrix_in(path))


def product(path: Path, matrix: Matrix) -> CDAG:
    """The product y = A x, A a symmetric matrix with both of its triangles."""
    row, column = matrix.places.T
    if matrix.is_symmetric:
        row, column = np.concatenate([row, column]), np.concatenate([column, row])
    cells = np.unique(row * matrix.columns + column)  # an entry that is stored twice is one
    starts = np.searchsorted(cells, np.arange(matrix.rows + 1) * matrix.columns)
    return product_with(Pattern(starts, cells % matrix.columns, matrix.columns))


def solve(path: Path, matrix: Matrix) -> CDAG:
    """The triangular solve L x = b: x_i needs x_j for each entry (i, j) off the diagonal.

    L is the lower triangle of a symmetric matrix. Otherwise the matrix is triangular, in some order
    of its rows.
    """
    if matrix.rows != matrix.columns:
        sides = f"{matrix.rows} x {matrix.columns}"
        raise FormatError(path, f"a {sides} matrix; a triangular solve takes a square one")
    try:
        return from_edges(matrix.rows, matrix.below)
    except InvalidDAGError:
        if not matrix.below.size:
            raise
        raise FormatError(
            path,
            "holds a matrix that is triangular in no order of its rows, so none that is solved by "
            f"rows: spmv:matrix={one_line(path)} is the product with it",
        ) from None


COMPUTATIONS: Final[Mapping[str, Callable[[Path, Matrix], CDAG]]] = MappingProxyType(
    {"spmv": product, "sptrsv": solve}
)
