"""Matrix Market: a sparse matrix as the DAG of the triangular solve with it.

To solve L x = b, row i needs the values x_j of every stored entry (i, j) off the diagonal: an edge
j -> i. Vertex i - 1 is row i. An entry counts whatever its value; the diagonal does not. A
symmetric matrix counts as its lower triangle, which such a file stores.

This is a reader of its own because `scipy.io.mmread` (1.17) can crash the interpreter on a damaged
file.

Source
------
R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market exchange formats: initial design,
NISTIR 5935, 1996.
"""

from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from dags.cdag.border import require_room
from dags.cdag.construct import from_edges
from dags.cdag.value import CDAG
from dags.errors import FormatError, InvalidSpecError, one_line, shown
from dags.formats.number_lines import number_lines
from dags.formats.text import read_text, write_lines

BANNER: Final = "%%MatrixMarket"
VALUES: Final = {"pattern": 0, "integer": 1, "real": 1, "double": 1, "complex": 2}  # an entry
MAX_EMPTY_ROWS: Final = 10**6  # a row without entries takes memory, and no bytes of the file
MAX_ROWS_AN_ENTRY: Final = 100
SYMMETRIES: Final = frozenset({"general", "symmetric", "skew-symmetric", "hermitian"})


def read(path: Path) -> CDAG:
    """Return the DAG of the triangular solve with the matrix in a file.

    Raises
    ------
    FormatError
        If the file does not follow the format, or the matrix is dense or not square.
    InvalidDAGError
        If the matrix is triangular in no order of its rows: the DAG would have a cycle.
    """
    text = read_text(path)
    values, symmetry = _banner(path, text.partition("\n")[0])
    lines = number_lines(path, text)
    rows, columns, entries = lines.header("rows columns entries")
    if rows != columns:
        raise lines.error(0, f"a {rows} x {columns} matrix; a square one is needed")
    lines.require_rows(entries, f"{entries} entries")
    try:
        require_room(rows, entries)
    except InvalidSpecError as error:
        raise lines.error(0, str(error)) from error
    if rows > MAX_EMPTY_ROWS + MAX_ROWS_AN_ENTRY * entries:
        raise lines.error(0, f"nearly all of {rows} rows are empty: the file has {entries} entries")
    places = lines.integers(1, 1 + entries, "matrix", 2, reals=values)
    for column, kind in ((0, "row"), (1, "column")):
        lines.require_known(1, places[:, column], range(1, rows + 1), kind)
    edges = places[places[:, 0] != places[:, 1], ::-1] - 1
    return from_edges(rows, edges if symmetry == "general" else np.sort(edges, axis=1))


def write(dag: CDAG, path: Path) -> None:
    """Write the edges of `dag` as a matrix without a diagonal; everything else is lost."""
    result = np.repeat(np.arange(1, dag.n + 1), dag.indegree)
    header = [f"{BANNER} matrix coordinate pattern general", f"{dag.n} {dag.n} {dag.m}"]
    entries = map("{} {}".format, result.tolist(), (dag.pred_indices + 1).tolist())
    write_lines(path, chain(header, entries))


def _banner(path: Path, line: str) -> tuple[int, str]:
    """Return how many values an entry has, and the symmetry, from the first line of a file."""
    fields = line.split()
    if len(fields) != 5 or fields[0].lower() != BANNER.lower():
        raise FormatError(path, f"must begin with '{BANNER} matrix coordinate ...'", 1)
    kind, layout, field, symmetry = (word.lower() for word in fields[1:])
    if (kind, layout) != ("matrix", "coordinate"):
        raise FormatError(path, f"a sparse matrix ('coordinate') is needed, not {shown(layout)}", 1)
    if field not in VALUES or symmetry not in SYMMETRIES:
        raise FormatError(path, f"no such kind of matrix: {one_line(f'{field} {symmetry}', 40)}", 1)
    return VALUES[field], symmetry
