"""A schedule: the list of moves of a play. It knows no cost, no memory size and no author."""

import json
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import lock
from dags.cdag.construct import written_names
from dags.errors import did_you_mean, shown
from pebble.columns import locked_column
from pebble.errors import InvalidScheduleError
from pebble.files import (
    read_columns,
    reading,
    require_schedule_suffix,
    write_columns,
    write_lines,
)

VERTICES = range(-(2**31), 2**31)  # the numbers that a schedule can hold


class Move(IntEnum):
    """The four moves of the game."""

    LOAD = 0
    STORE = 1
    COMPUTE = 2
    DELETE = 3


NO_OPERAND = -1  # of moves that are about one vertex


class Schedule:
    """The moves of a play, in order.

    Under sliding rules, a COMPUTE that finds fast memory full slides: the next move must be the
    DELETE of the operand whose place it takes.

    Parameters
    ----------
    op
        (k,) codes of `Move`.
    vertex
        (k,) the vertex that each move is about.
    operand
        (k,) the operand that a COMPUTE of partial computation aggregates into its vertex, -1 for
        all other moves; None where there is no such move.

    Raises
    ------
    InvalidScheduleError
        If the arrays differ in length, a code is none of the four, or another move than COMPUTE
        has an operand.
    """

    op: npt.NDArray[np.uint8]
    vertex: npt.NDArray[np.int32]
    operand: npt.NDArray[np.int32] | None

    def __init__(
        self, op: npt.ArrayLike, vertex: npt.ArrayLike, operand: npt.ArrayLike | None = None
    ) -> None:
        codes, vertices = (
            locked_column(op, np.uint8, "op"),
            locked_column(vertex, np.int32, "vertex"),
        )
        if codes.size != vertices.size:
            raise InvalidScheduleError(f"{codes.size} moves for {vertices.size} vertices")
        if codes.size and codes.max() > Move.DELETE:
            step = int((codes > Move.DELETE).argmax())
            raise InvalidScheduleError(f"step {step}: {codes[step]} is the code of no move")
        self.__dict__.update(op=codes, vertex=vertices, operand=_operands(codes, operand))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Schedule is immutable: cannot set {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Schedule, (self.op, self.vertex, self.operand)

    def __len__(self) -> int:
        return self.op.size

    def __iter__(self) -> Iterator[tuple[Move, int]]:
        moves = list(Move)
        for code, vertex in zip(self.op.tolist(), self.vertex.tolist(), strict=True):
            yield moves[code], vertex

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Schedule):
            return NotImplemented
        same = np.array_equal(self.op, other.op) and np.array_equal(self.vertex, other.vertex)
        return same and np.array_equal(self.operands, other.operands)

    def __hash__(self) -> int:
        return hash((self.op.tobytes(), self.vertex.tobytes()))

    @property
    def operands(self) -> npt.NDArray[np.int32]:
        """(k,) the operand that a COMPUTE aggregates, -1 for other moves."""
        if self.operand is None:
            return lock(np.full(self.op.size, NO_OPERAND, np.int32))
        return self.operand

    def __repr__(self) -> str:
        return f"<Schedule of {len(self)} moves>"

    @classmethod
    def from_moves(cls, moves: Iterable[tuple[Move, int] | tuple[Move, int, int]]) -> "Schedule":
        """Return the schedule of (move, vertex) pairs, and triples with an operand."""
        rows = [(*row, NO_OPERAND)[:3] for row in moves]
        return cls([int(move) for move, *_ in rows], [v for _, v, _ in rows], [u for *_, u in rows])

    def save(self, path: Path | str, dag: CDAG | None = None) -> None:
        """Write to `path`: ".npz", or ".jsonl" with one ["LOAD", vertex] a line.

        A line of partial computation is ["COMPUTE", vertex, operand].

        Parameters
        ----------
        path
            The file.
        dag
            The DAG that is played: lines then name its vertices by their labels, where it has
            any. Arrays are of numbers.

        Raises
        ------
        InvalidScheduleError
            If the suffix is neither.
        OSError
            If the file cannot be written; nothing half-written is left.
        """
        path = Path(path)
        require_schedule_suffix(path)
        if path.suffix == ".npz":
            write_columns(path, op=self.op, vertex=self.vertex, operand=self.operand)
        else:
            write_lines(path, self._lines(None if dag is None else written_names(dag)))

    def _lines(self, names: Sequence[str] | None) -> Iterator[str]:
        """Yield a line for each move, with the name or the number of its vertex."""
        written = None if names is None else [json.dumps(name) for name in names]
        for (move, vertex), operand in zip(self, self.operands.tolist(), strict=True):
            about = (vertex,) if operand == NO_OPERAND else (vertex, operand)
            named = (str(v) if written is None else written[v] for v in about)
            yield f'["{move.name}", {", ".join(named)}]\n'

    @classmethod
    def load(cls, path: Path | str, dag: CDAG | None = None) -> "Schedule":
        """Return the schedule that `save` wrote.

        Parameters
        ----------
        path
            The file.
        dag
            The DAG that is played: a line may name its vertices by their labels, as text.

        Raises
        ------
        InvalidScheduleError
            If there is no such file or it holds no schedule.
        """
        path = Path(path)
        require_schedule_suffix(path)
        with reading(path):
            if path.suffix == ".jsonl":
                return cls._read_lines(path, dag)
            return cls(**read_columns(path, ("op", "vertex"), ("operand",)))

    @classmethod
    def _read_lines(cls, path: Path, dag: CDAG | None) -> "Schedule":
        columns: tuple[list[int], list[int], list[int]] = ([], [], [])
        named: dict[str, int] = {}
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                code, *about = _move(line, number)
                columns[0].append(code)
                for column, vertex in zip(columns[1:], (*about, NO_OPERAND), strict=False):
                    known = isinstance(vertex, int)
                    column.append(vertex if known else _numbered(vertex, number, dag, named))
        return cls(*columns)


def _numbered(name: str, line: int, dag: CDAG | None, named: dict[str, int]) -> int:
    """Return the number of the vertex that a line names.

    Parameters
    ----------
    name, line
        The name, and the number of the line.
    dag
        The DAG; None where only numbers can be read.
    named
        Vertices by name; filled when the first one is asked for.
    """
    if dag is None:
        raise InvalidScheduleError(
            f'line {line} is no move like ["LOAD", 3]: what {shown(name)} is, only a DAG tells'
        )
    if not named:
        labels: Iterable[Any] = range(dag.n) if dag.labels is None else dag.labels
        named |= {str(label): vertex for vertex, label in enumerate(labels)}
    if name not in named:
        hint = did_you_mean(name, named)
        raise InvalidScheduleError(f"line {line}: no vertex is called {shown(name)}{hint}")
    return named[name]


def _move(line: bytes, number: int) -> tuple[Any, ...]:
    """Return the move and the vertices of a line like ["LOAD", 3] or ["COMPUTE", "x", "y"]."""
    try:
        name, *about = json.loads(line)
        move = Move[name]
        numbered = (type(v) is str or (type(v) is int and v in VERTICES) for v in about)
        if 1 <= len(about) <= 1 + (move is Move.COMPUTE) and all(numbered):
            return move, *about
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise InvalidScheduleError(f'line {number} is no move like ["LOAD", 3]')


def _operands(
    codes: npt.NDArray[np.uint8], operand: npt.ArrayLike | None
) -> npt.NDArray[np.int32] | None:
    """Return the column of operands, None where no move has one."""
    if operand is None:
        return None
    column = locked_column(operand, np.int32, "operand")
    if codes.size != column.size:
        raise InvalidScheduleError(f"{codes.size} moves for {column.size} operands")
    named = column != NO_OPERAND
    if (named & (codes != Move.COMPUTE)).any():
        raise InvalidScheduleError("only a COMPUTE has an operand")
    return column if named.any() else None
