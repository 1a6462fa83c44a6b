"""Edge lists: one edge "operand result" a line, split at white space or at commas.

A line with one name is a vertex, which may stay isolated. ``#`` starts a comment: in ``.edges``
anywhere, in ``.csv`` at the start of a line. A ``.csv`` may begin with a header such as
``source,target``, and its names may stand in double quotes.

A name that is written like an integer is one. If all are integers, vertices are numbered in
rising order; otherwise in the order in which the file names them. Either way `from_edges`
renumbers them where that is not topological.
"""

import csv
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from dags.cdag.border import Label
from dags.cdag.construct import from_edges
from dags.cdag.value import CDAG
from dags.errors import FormatError
from dags.formats.text import names_of, parse_name, read_text, write_lines

HEADERS: Final = frozenset(
    {("source", "target"), ("from", "to"), ("src", "dst"), ("operand", "result"), ("u", "v")}
)

Row = tuple[int, list[str]]  # line number and the names on it


def read_edges(path: Path) -> CDAG:
    """The DAG of an edge list that is split at white space.

    Raises
    ------
    FormatError
        If a line holds more than two names.
    InvalidDAGError
        If the edges form a cycle or there is no vertex.
    """
    lines = enumerate(read_text(path).split("\n"), 1)
    return _read(path, ((number, line.partition("#")[0].split()) for number, line in lines))


def read_csv(path: Path) -> CDAG:
    """The DAG of an edge list that is split at commas; see `read_edges`."""
    rows = _csv_rows(path)
    first = next(rows, None)
    if first is None:
        return _read(path, iter(()))
    is_header = tuple(name.lower() for name in first[1]) in HEADERS
    return _read(path, rows if is_header else chain([first], rows))


def write_edges(dag: CDAG, path: Path) -> None:
    """Write the edges and labels of `dag`; everything else is lost."""
    names = names_of(dag, lambda label: "#" not in label and label.split() == [label])
    _write(dag, path, names, str, " ", "# operand result")


def write_csv(dag: CDAG, path: Path) -> None:
    """Write the edges and labels of `dag`; everything else is lost."""
    names = names_of(dag, _fits_csv)
    _write(dag, path, names, _quoted, ",", "source,target")


def _read(path: Path, rows: Iterator[Row]) -> CDAG:
    index: dict[str, int] = {}
    edges: list[int] = []
    for number, names in rows:
        if len(names) == 2:
            edges.append(index.setdefault(names[0], len(index)))
            edges.append(index.setdefault(names[1], len(index)))
        elif len(names) == 1:
            index.setdefault(names[0], len(index))
        elif names:
            raise FormatError(path, f"holds {len(names)} names; an edge has two", number)
    labels = [parse_name(name) for name in index]
    pairs = np.array(edges, np.int64).reshape(-1, 2)
    if all(isinstance(label, int) for label in labels):
        order = sorted(range(len(labels)), key=labels.__getitem__)
        position = np.empty(len(labels), np.int64)
        position[order] = np.arange(len(labels))
        pairs, labels = position[pairs], [labels[i] for i in order]
    return from_edges(len(labels), pairs, labels=labels)


def _csv_rows(path: Path) -> Iterator[Row]:
    """Yield the names on each line that has any; one empty field after them does not count."""
    numbers: list[int] = []
    reader = csv.reader(_csv_lines(read_text(path), numbers), strict=True)
    try:
        for fields in reader:
            names = [field.strip() for field in fields]
            if len(names) == 2 and not names[1]:
                names.pop()
            if not all(names):
                raise FormatError(path, "holds an empty name", numbers[-1])
            yield numbers[-1], names
    except csv.Error as error:
        raise FormatError(path, str(error), numbers[-1]) from error


def _csv_lines(text: str, numbers: list[int]) -> Iterator[str]:
    """Yield the lines that are neither blank nor comment, and note their numbers."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            numbers.append(number)
            yield line.rstrip("\r")


def _write(
    dag: CDAG,
    path: Path,
    names: list[Label],
    shown: Callable[[Label], str],
    separator: str,
    header: str,
) -> None:
    """Write edges by result, so that names first appear in the order of the numbering.

    Vertices that would break this order get a line of their own first.
    """
    texts = [shown(name) for name in names]
    isolated = dag.inputs if dag.labels is not None else dag.inputs[dag.outdegree[dag.inputs] == 0]
    is_alone = np.zeros(dag.n, bool)
    is_alone[isolated] = True
    counts = dag.indegree + is_alone
    start = np.cumsum(counts) - counts
    operand = np.full(int(counts.sum()), -1)
    operand[np.delete(np.arange(operand.size), start[isolated])] = dag.pred_indices
    result = np.repeat(np.arange(dag.n), counts)
    lines = (
        texts[v] if u < 0 else f"{texts[u]}{separator}{texts[v]}"
        for u, v in zip(operand.tolist(), result.tolist(), strict=True)
    )
    write_lines(path, chain([header], lines))


def _fits_csv(label: str) -> bool:
    return bool(label) and label.strip() == label and not {"\n", "\r"} & set(label)


def _quoted(name: Label) -> str:
    """Strings in quotes, so that none looks like a comment or has a bare comma."""
    return f"{name}" if isinstance(name, int) else '"' + name.replace('"', '""') + '"'
