"""Schedules of several processors: moves in steps, each by one processor."""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dags import CDAG, FormatError
from dags.arrays import Int32Array
from dags.cdag.files import read_arrays, require_path
from pebble.columns import locked_column
from pebble.errors import InvalidScheduleError
from pebble.files import read_columns, reading, require_schedule_suffix, write_columns
from pebble.schedule import Schedule

COLUMNS = {"op": np.uint8, "vertex": np.int32, "processor": np.int32, "step": np.int32}
OPTIONAL = {"source": np.int32, "home": np.int32}
NOBODY = -1


class ParallelMove(IntEnum):
    """The four moves of the game, and what arrives on a link from a neighbour."""

    LOAD = 0
    STORE = 1
    COMPUTE = 2
    DELETE = 3
    RECEIVE = 4


class Made(NamedTuple):
    """A move as it is made: by a processor, in a step; `source` is the sender, or -1."""

    move: ParallelMove
    vertex: int
    processor: int
    step: int
    source: int = NOBODY


class ParallelSchedule:
    """The moves of a play by several processors, in order.

    Parameters
    ----------
    op
        (k,) codes of `ParallelMove`.
    vertex
        (k,) the vertex that each move is about.
    processor
        (k,) the processor that makes it.
    step
        (k,) the step in which it is made, never falling. All moves of a step but deletions are of
        one kind; they are made at the same time, each processor making its own one after another.
    source
        (k,) the neighbour from which a RECEIVE comes; -1 for other moves. None where all are.
    home
        (n,) the processor in whose own slow memory each input begins; of other vertices it says
        nothing. None where slow memory is shared.

    Raises
    ------
    InvalidScheduleError
        If the arrays differ in length, a code is none of the five, or steps fall.
    """

    op: npt.NDArray[np.uint8]
    vertex: Int32Array
    processor: Int32Array
    step: Int32Array
    source: Int32Array | None
    home: Int32Array | None

    def __init__(
        self,
        op: npt.ArrayLike,
        vertex: npt.ArrayLike,
        processor: npt.ArrayLike,
        step: npt.ArrayLike,
        source: npt.ArrayLike | None = None,
        home: npt.ArrayLike | None = None,
    ) -> None:
        given = {"op": op, "vertex": vertex, "processor": processor, "step": step}
        columns = {name: locked_column(given[name], kind, name) for name, kind in COLUMNS.items()}
        others = {"source": source, "home": home}
        more = {
            name: None if array is None else locked_column(array, np.int32, name)
            for name, array in others.items()
        }
        sizes = {name: array.size for name, array in columns.items()}
        if more["source"] is not None:
            sizes["source"] = more["source"].size
        if len(set(sizes.values())) > 1:
            told = ", ".join(f"{size} of {name}" for name, size in sizes.items())
            raise InvalidScheduleError(f"columns differ in length: {told}")
        codes, steps = columns["op"], columns["step"]
        if codes.size and codes.max() > ParallelMove.RECEIVE:
            place = int((codes > ParallelMove.RECEIVE).argmax())
            raise InvalidScheduleError(f"move {place}: {codes[place]} is the code of no move")
        if steps.size and (steps[0] < 0 or (np.diff(steps) < 0).any()):
            raise InvalidScheduleError("steps must begin at 0 or later, and never fall")
        if more["source"] is None and (codes == ParallelMove.RECEIVE).any():
            raise InvalidScheduleError("what is received needs a source")
        self.__dict__.update(columns, **more)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a ParallelSchedule is immutable: cannot set {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return ParallelSchedule, self._columns()

    def _columns(self) -> tuple[Any, ...]:
        return self.op, self.vertex, self.processor, self.step, self.source, self.home

    def __len__(self) -> int:
        return self.op.size

    def __iter__(self) -> Iterator[Made]:
        moves = list(ParallelMove)
        source = np.full(len(self), NOBODY, np.int32) if self.source is None else self.source
        columns = (self.op, self.vertex, self.processor, self.step, source)
        for code, *rest in zip(*(column.tolist() for column in columns), strict=True):
            yield Made(moves[code], *rest)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ParallelSchedule):
            return NotImplemented
        return all(map(np.array_equal, self._columns(), other._columns()))

    def __hash__(self) -> int:
        return hash((self.op.tobytes(), self.vertex.tobytes(), self.processor.tobytes()))

    def __repr__(self) -> str:
        return f"<ParallelSchedule of {len(self)} moves by {self.processors} processors>"

    @property
    def processors(self) -> int:
        """Processors that the moves name: one more than the highest number."""
        return int(self.processor.max()) + 1 if len(self) else 0

    def homes_of_inputs(self, dag: CDAG, processors: int) -> Int32Array:
        """Return (i,) the processors in whose own slow memory the inputs of a DAG begin.

        Raises
        ------
        InvalidScheduleError
            If the schedule does not say, or names no processor of so many.
        """
        if self.home is None or self.home.size != dag.n:
            raise InvalidScheduleError(
                "a home is needed for each vertex, as slow memory is not shared"
            )
        homes = self.home[dag.inputs]
        wrong = (homes < 0) | (homes >= processors)
        if wrong.any():
            place = int(wrong.argmax())
            vertex, home = dag.inputs[place], homes[place]
            raise InvalidScheduleError(
                f"the home of vertex {vertex} is {home}, which is no processor"
            )
        return homes

    @classmethod
    def from_moves(
        cls, moves: Iterable[Made], home: npt.ArrayLike | None = None
    ) -> "ParallelSchedule":
        """Return the schedule of moves."""
        rows = [(int(one.move), *one[1:]) for one in moves]
        op, vertex, processor, step, source = zip(*rows, strict=True) if rows else ((),) * 5
        linked = any(code == ParallelMove.RECEIVE for code in op)
        return cls(op, vertex, processor, step, source if linked else None, home)

    def save(self, path: Path | str) -> None:
        """Write the columns to a file, ".npz".

        Raises
        ------
        InvalidScheduleError
            If the suffix is another.
        OSError
            If the file cannot be written; nothing half-written is left.
        """
        path = Path(path)
        require_schedule_suffix(path, several=True)
        write_columns(path, **dict(zip((*COLUMNS, *OPTIONAL), self._columns(), strict=True)))

    @classmethod
    def load(cls, path: Path | str) -> "ParallelSchedule":
        """Return the schedule that `save` wrote.

        Raises
        ------
        InvalidScheduleError
            If there is no such file or it holds no such schedule.
        """
        path = Path(path)
        require_schedule_suffix(path, several=True)
        with reading(path):
            return cls(**read_columns(path, COLUMNS, OPTIONAL))


def by_one_processor(schedule: Schedule) -> ParallelSchedule:
    """Return the moves of the sequential game as those of one processor, in as few steps."""
    working = np.flatnonzero(schedule.op != ParallelMove.DELETE)
    kinds = schedule.op[working]
    begins = np.zeros(len(schedule), np.int32)
    begins[working[1:][kinds[1:] != kinds[:-1]]] = 1
    nobody = np.zeros(len(schedule), np.int32)
    return ParallelSchedule(schedule.op, schedule.vertex, nobody, np.cumsum(begins))


def is_parallel(path: Path | str) -> bool:
    """Return whether a file of moves says which processor makes them."""
    path = Path(path)
    if path.suffix != ".npz":
        return False
    try:
        require_path(path)
        return "processor" in read_arrays(path, ("processor",))
    except (FormatError, OSError, MemoryError):
        return False
