"""Matrix Market: sparse matrices, and DAGs as patterns of their edges.

A pattern without a diagonal in which row i has an entry for each operand of vertex i is a DAG, as
`write` writes them: entry (i, j) is the edge j -> i, and vertex i - 1 is row i. Of any other matrix
there are several computations, and a file does not say which is meant: `dags.spec.matrices` has the
product with a vector, for which a symmetric matrix is expanded, and the triangular solve.

This is a reader of its own because `scipy.io.mmread` (1.17) can crash the interpreter on a damaged
file.

Source
------
R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market exchange formats: initial design,
NISTIR 5935, 1996.
"""

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from dags.arrays import Int64Array
from dags.cdag.border import require_room
from dags.cdag.construct import from_edges
from dags.cdag.value import CDAG
from dags.errors import FormatError, InvalidDAGError, InvalidSpecError, one_line, shown
from dags.formats.number_lines import number_lines
from dags.formats.text import read_text, write_lines

BANNER: Final = "%%MatrixMarket"
VALUES: Final = {"pattern": 0, "integer": 1, "real": 1, "double": 1, "complex": 2}  # an entry
MAX_EMPTY_ROWS: Final = 10**6  # a row without entries takes memory, and no bytes of the file
MAX_ROWS_AN_ENTRY: Final = 100
SYMMETRIES: Final = frozenset({"general", "symmetric", "skew-symmetric", "hermitian"})


@dataclass(frozen=True)
class Matrix:
    """The places of the entries of a sparse matrix.

    Parameters
    ----------
    rows, columns
        How many there are.
    places
        (k, 2) row and column of each entry that is stored, from 0.
    is_pattern
        Whether entries have no values.
    is_symmetric
        Whether an entry stands for the one on the other side of the diagonal, too.
    """

    rows: int
    columns: int
    places: Int64Array
    is_pattern: bool
    is_symmetric: bool

    @property
    def below(self) -> Int64Array:
        """(m, 2) pairs (column, row) of the entries off the diagonal: operand and result.

        Those of the lower triangle where the matrix is symmetric.
        """
        row, column = self.places.T
        edges = self.places[row != column, ::-1]
        return np.sort(edges, axis=1) if self.is_symmetric else edges

    @property
    def has_diagonal(self) -> bool:
        """True where an entry on the diagonal is stored."""
        return bool((self.places[:, 0] == self.places[:, 1]).any())

    @property
    def is_triangular(self) -> bool:
        """True where no entries are above the diagonal, or none below."""
        row, column = self.places.T
        square = self.rows == self.columns and not self.is_symmetric
        return square and bool((row >= column).all() or (row <= column).all())


def read(path: Path) -> CDAG:
    """The DAG whose edges are the entries of a pattern.

    Raises
    ------
    FormatError
        If the file does not follow the format, or holds another matrix, of which it does not say
        what is computed with it.
    InvalidDAGError
        If there is no vertex.
    """
    matrix = matrix_in(path)
    named = one_line(path)
    product = f"spmv:matrix={named} is the product with it and a vector"
    if matrix.is_symmetric:
        raise FormatError(
            path,
            f"holds a symmetric matrix, and which computation is meant? {product}, all of it; "
            f"sptrsv:matrix={named} the triangular solve with its lower triangle",
        )
    is_dag = matrix.is_pattern and not matrix.has_diagonal and matrix.rows == matrix.columns
    if matrix.is_triangular and not is_dag:
        raise FormatError(
            path,
            f"holds a triangular matrix, and which computation is meant? {product}; "
            f"sptrsv:matrix={named} the triangular solve with it",
        )
    no_dag = f"holds a matrix that is no triangle, and so no DAG: {product}"
    if not is_dag:
        raise FormatError(path, no_dag)
    try:
        return from_edges(matrix.rows, matrix.below)
    except InvalidDAGError:
        if not matrix.places.size:
            raise
        raise FormatError(path, no_dag) from None


def matrix_in(path: Path) -> Matrix:
    """The matrix in a file.

    Raises
    ------
    FormatError
        If the file does not follow the format, or the matrix is dense.
    """
    text = read_text(path)
    values, symmetry = _banner(path, text.partition("\n")[0])
    lines = number_lines(path, text)
    rows, columns, entries = lines.header("rows columns entries")
    if rows != columns and symmetry != "general":
        raise lines.error(0, f"a {rows} x {columns} matrix; a {symmetry} one is square")
    lines.require_rows(entries, f"{entries} entries")
    try:
        require_room(rows, entries)
        require_room(columns, entries)
    except InvalidSpecError as error:
        raise lines.error(0, str(error)) from error
    if max(rows, columns) > MAX_EMPTY_ROWS + MAX_ROWS_AN_ENTRY * entries:
        raise lines.error(0, f"nearly all of {rows} rows are empty: the file has {entries} entries")
    places = lines.integers(1, 1 + entries, "matrix", 2, reals=values)
    for column, kind, limit in ((0, "row", rows), (1, "column", columns)):
        lines.require_known(1, places[:, column], range(1, limit + 1), kind)
    return Matrix(rows, columns, places - 1, not values, symmetry != "general")


def write(dag: CDAG, path: Path) -> None:
    """Write the edges of `dag` as a matrix without a diagonal; everything else is lost."""
    result = np.repeat(np.arange(1, dag.n + 1), dag.indegree)
    header = [f"{BANNER} matrix coordinate pattern general", f"{dag.n} {dag.n} {dag.m}"]
    entries = map("{} {}".format, result.tolist(), (dag.pred_indices + 1).tolist())
    write_lines(path, chain(header, entries))


def _banner(path: Path, line: str) -> tuple[int, str]:
    """How many values an entry has, and the symmetry, from the first line of a file."""
    fields = line.split()
    if len(fields) != 5 or fields[0].lower() != BANNER.lower():
        raise FormatError(path, f"must begin with '{BANNER} matrix coordinate ...'", 1)
    kind, layout, field, symmetry = (word.lower() for word in fields[1:])
    if (kind, layout) != ("matrix", "coordinate"):
        raise FormatError(path, f"a sparse matrix ('coordinate') is needed, not {shown(layout)}", 1)
    if field not in VALUES or symmetry not in SYMMETRIES:
        raise FormatError(path, f"no such kind of matrix: {one_line(f'{field} {symmetry}', 40)}", 1)
    return VALUES[field], symmetry
