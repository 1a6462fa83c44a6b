"""A line for each vertex: the canonical text of all that a bound can see of a DAG.

The first line is ``redblue dag 1``, the second one the number of vertices. Then comes a line for
each vertex, in their order, a topological one: its words, 1 if it must end in slow memory and
otherwise 0, and its operands, which are smaller numbers and rise. Numbers are decimal and have no
leading zeros, one blank is between two of them, and each line ends with a line feed: a DAG has one
such text.

Any language reads it in a few lines: ``proofs/verified`` does.
"""

import re
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from dags.cdag.value import CDAG
from dags.errors import FormatError, shown
from dags.formats.text import read_text, write_lines

FIRST: Final = "redblue dag 1"
_NUMBER: Final = r"(?:0|[1-9][0-9]{0,18})"
_LINE: Final = re.compile(f"{_NUMBER} [01](?: {_NUMBER})*+")
_LARGEST: Final = int(np.iinfo(np.int64).max)
HEADER: Final = 2  # lines


def read(path: Path) -> CDAG:
    """The DAG of a file with a line for each vertex.

    Raises
    ------
    FormatError
        If the file does not follow the format.
    InvalidDAGError
        If it describes no DAG: an operand that is no smaller number, or a size below 1.
    """
    first, _, body = read_text(path).partition("\n")
    if first != FIRST:
        raise FormatError(path, f"must begin with {FIRST!r}, not {shown(first)}", 1)
    lines = body.split("\n")
    if lines.pop() != "":
        raise FormatError(path, "does not end with a line feed")
    count = lines.pop(0) if lines else ""
    if count != str(len(lines)):
        raise FormatError(path, f"has {len(lines)} vertices, but says {shown(count)}", HEADER)
    for number, line in enumerate(lines, 1 + HEADER):
        if _LINE.fullmatch(line) is None:
            raise FormatError(path, "a vertex is its words, 0 or 1, and operands", number)
    numbers = [int(number) for number in " ".join(lines).split()]
    if max(numbers, default=0) > _LARGEST:
        raise FormatError(path, f"holds {max(numbers)}, no 64-bit integer")
    width = np.array([line.count(" ") + 1 for line in lines], np.int64)
    indptr = np.concatenate(([0], np.cumsum(width - 2)))
    fields = np.array(numbers, np.int64)
    starts = np.concatenate(([0], np.cumsum(width)))[:-1]
    described = np.zeros(fields.size, np.bool_)
    described[starts] = described[starts + 1] = True
    outputs = np.flatnonzero(fields[starts + 1])
    dag = CDAG(indptr, fields[~described], words=fields[starts], outputs=outputs)
    if dag.outputs.size != outputs.size:
        sink = int(np.setdiff1d(dag.outputs, outputs)[0])
        raise FormatError(path, "nobody reads this value, and it is no output", 1 + HEADER + sink)
    return dag


def write(dag: CDAG, path: Path) -> None:
    """Write all that a bound can see of `dag`; work, channels and labels are lost."""
    is_output = np.zeros(dag.n, np.int64)
    is_output[dag.outputs] = 1
    rows = (
        " ".join(map(str, (words, output, *dag.pred_indices[start:end].tolist())))
        for words, output, start, end in zip(
            dag.sizes.tolist(),
            is_output.tolist(),
            dag.pred_indptr[:-1].tolist(),
            dag.pred_indptr[1:].tolist(),
            strict=True,
        )
    )
    write_lines(path, chain((FIRST, str(dag.n)), rows))
