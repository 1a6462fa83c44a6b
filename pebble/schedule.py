"""A schedule: the moves of a play as columns of integers, and the files in which they are kept."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG, FormatError
from dags.arrays import Int32Array, lock
from dags.cdag.construct import written_names
from dags.cdag.files import read_arrays, require_path, writing
from dags.errors import one_line
from pebble.errors import InvalidScheduleError
from pebble.moves import NONE, Action, Move, read_lines, written

# Columns that most schedules do not have, and what stands in each for nothing.
OPTIONAL = {"operand": NONE, "place": 0, "source": NONE}
ARCHIVED = ("operand", "level", "processor", "step", "source", "home")


class Schedule:
    """A schedule: its moves, in order.

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
    place
        (k,) the memory of a machine at which each move is made; None where all are made at 0.
    step
        (k,) the step in which it is made, never falling. All moves of a step but deletions are of
        one kind; they are made at the same time, each place making its own one after another. None
        where each move is a step of its own.
    source
        (k,) the neighbour from which a RECEIVE comes, -1 for other moves; None where all are.
    home
        (n,) the processor in whose own slow memory each input begins; of other vertices it says
        nothing. None where slow memory is shared.

    Raises
    ------
    InvalidScheduleError
        If the arrays differ in length, a code is none of the five, steps fall, another move than
        COMPUTE has an operand, or a RECEIVE no source.
    """

    op: npt.NDArray[np.uint8]
    vertex: Int32Array
    operand: Int32Array | None
    place: Int32Array | None
    step: Int32Array | None
    source: Int32Array | None
    home: Int32Array | None

    def __init__(
        self,
        op: npt.ArrayLike,
        vertex: npt.ArrayLike,
        operand: npt.ArrayLike | None = None,
        *,
        place: npt.ArrayLike | None = None,
        step: npt.ArrayLike | None = None,
        source: npt.ArrayLike | None = None,
        home: npt.ArrayLike | None = None,
    ) -> None:
        codes = locked_column(op, np.uint8, "op")
        arrays = {"vertex": vertex, "operand": operand, "place": place, "step": step}
        columns = {
            name: None if values is None else locked_column(values, np.int32, name)
            for name, values in {**arrays, "source": source, "home": home}.items()
        }
        _require(codes, columns)
        for name, nothing in OPTIONAL.items():
            column = columns[name]
            if (
                column is not None
                and not (column != nothing).any()
                and not (name == "source" and (codes == Move.RECEIVE).any())
            ):
                columns[name] = None
        self.__dict__.update(op=codes, **columns)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Schedule is immutable: cannot set {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _schedule_of, (self._columns(),)

    def _columns(self) -> dict[str, Any]:
        return dict(vars(self))

    def __len__(self) -> int:
        return self.op.size

    def __iter__(self) -> Iterator[tuple[Move, int]]:
        moves = list(Move)
        for code, vertex in zip(self.op.tolist(), self.vertex.tolist(), strict=True):
            yield moves[code], vertex

    def __eq__(self, schedule: object) -> bool:
        if not isinstance(schedule, Schedule):
            return NotImplemented
        return all(map(np.array_equal, vars(self).values(), vars(schedule).values()))

    def __hash__(self) -> int:
        return hash((self.op.tobytes(), self.vertex.tobytes()))

    def __repr__(self) -> str:
        return f"<Schedule of {len(self)} moves>"

    @property
    def is_plain(self) -> bool:
        """True if all moves are the four of the game with one fast memory, made one by one."""
        return self.operand is self.place is self.step is self.source is None

    @property
    def operands(self) -> Int32Array:
        """(k,) the operand that a COMPUTE aggregates, -1 for other moves."""
        return self._filled("operand")

    @property
    def places(self) -> Int32Array:
        """(k,) the memory at which each move is made."""
        return self._filled("place")

    @property
    def steps(self) -> Int32Array:
        """(k,) the step in which each move is made; each is one where no step is said."""
        return np.arange(len(self), dtype=np.int32) if self.step is None else self.step

    def _filled(self, name: str) -> Int32Array:
        column: Int32Array | None = getattr(self, name)
        return lock(np.full(self.op.size, OPTIONAL[name], np.int32)) if column is None else column

    def actions(self) -> Iterator[Action]:
        """Yield the moves with all that is said of them; each is a step where no step is said."""
        moves = list(Move)
        source = self._filled("source")
        columns = (self.op, self.vertex, self.places, self.steps, source, self.operands)
        for code, *fields in zip(*(column.tolist() for column in columns), strict=True):
            yield Action(moves[code], *fields)

    @property
    def processors(self) -> int:
        """Memories that the moves name: one more than the highest number."""
        return int(self.places.max()) + 1 if len(self) else 0

    def homes_of_inputs(self, dag: CDAG, ends: Sequence[int]) -> Int32Array:
        """(i,) the memories without end in which the inputs of a DAG begin.

        Raises
        ------
        InvalidScheduleError
            If there are several, and the schedule does not say, or names none of them.
        """
        if len(ends) == 1:
            return np.full(dag.inputs.size, ends[0], np.int32)
        if self.home is None or self.home.size != dag.n:
            raise InvalidScheduleError(
                "a home is needed for each vertex, as slow memory is not shared"
            )
        homes = self.home[dag.inputs]
        wrong = (homes < 0) | (homes >= len(ends))
        if wrong.any():
            vertex, home = dag.inputs[wrong.argmax()], homes[wrong.argmax()]
            raise InvalidScheduleError(
                f"the home of vertex {vertex} is {home}, which is no processor"
            )
        return np.array(ends, np.int32)[homes]

    @classmethod
    def from_moves(cls, moves: Iterable[tuple[Move, int] | tuple[Move, int, int]]) -> "Schedule":
        """The schedule of (move, vertex) pairs, and triples with an operand."""
        rows = [(*row, NONE)[:3] for row in moves]
        return cls([int(move) for move, *_ in rows], [v for _, v, _ in rows], [u for *_, u in rows])

    @classmethod
    def from_actions(
        cls, actions: Iterable[Action], home: npt.ArrayLike | None = None
    ) -> "Schedule":
        """The schedule of moves with all that is said of them."""
        rows = [(int(action.move), *action[1:]) for action in actions]
        op, vertex, place, step, source, operand = zip(*rows, strict=True) if rows else ((),) * 6
        steps = None if NONE in step else step
        return cls(op, vertex, operand, place=place, step=steps, source=source, home=home)

    def save(self, path: Path | str, dag: CDAG | None = None) -> None:
        """Write to `path`: ".npz", or ".jsonl" with one ["LOAD", vertex] a line.

        A line of partial computation is ["COMPUTE", vertex, operand]; on a hierarchy each line is
        like ["LOAD", vertex, level], with levels from 1 on. Steps are kept in ".npz" only.

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
        require_schedule_suffix(path, several=self.step is not None)
        if path.suffix == ".npz":
            write_columns(path, **self._kept())
        else:
            names = None if dag is None else written_names(dag)
            write_lines(path, written(self.actions(), names, leveled=self.place is not None))

    def _kept(self) -> dict[str, Any]:
        """The columns of an archive, in which levels count from 1 and processors from 0."""
        columns = self._columns()
        place = columns.pop("place")
        if self.step is not None:
            return {**columns, "processor": self.places}
        return {**columns, "level": None if place is None else place + 1}

    @classmethod
    def load(cls, path: Path | str, dag: CDAG | None = None) -> "Schedule":
        """The schedule that `save` wrote.

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
                with path.open("rb") as file:
                    columns: dict[str, Any] = dict(read_lines(file, dag))
            else:
                columns = read_columns(path, ("op", "vertex"), ARCHIVED)
            level, processor = (columns.pop(name, None) for name in ("level", "processor"))
            if level is not None:
                columns["place"] = np.asarray(level).astype(np.int64) - 1
            return cls(**(columns if processor is None else {**columns, "place": processor}))


def _require(codes: npt.NDArray[np.uint8], columns: dict[str, Int32Array | None]) -> None:
    """Raise InvalidScheduleError for columns that are no list of moves."""
    for name, column in columns.items():
        if column is not None and name != "home" and column.size != codes.size:
            plural = {"vertex": "vertices"}.get(name, f"{name}s")
            raise InvalidScheduleError(f"{codes.size} moves for {column.size} {plural}")
    if codes.size and codes.max() > Move.RECEIVE:
        index = int((codes > Move.RECEIVE).argmax())
        raise InvalidScheduleError(f"step {index}: {codes[index]} is the code of no move")
    operand, step = columns["operand"], columns["step"]
    if operand is not None and ((operand != NONE) & (codes != Move.COMPUTE)).any():
        raise InvalidScheduleError("only a COMPUTE has an operand")
    if step is not None and step.size and (step[0] < 0 or (np.diff(step) < 0).any()):
        raise InvalidScheduleError("steps must begin at 0 or later, and never fall")
    if columns["source"] is None and codes.size and codes.max() == Move.RECEIVE:
        raise InvalidScheduleError("what is received needs a source")


def _schedule_of(columns: dict[str, Any]) -> Schedule:
    return Schedule(**columns)


def by_one_processor(schedule: Schedule) -> Schedule:
    """The moves of the sequential game as those of one processor, in as few steps."""
    working = np.flatnonzero(schedule.op != Move.DELETE)
    kinds = schedule.op[working]
    begins = np.zeros(len(schedule), np.int32)
    begins[working[1:][kinds[1:] != kinds[:-1]]] = 1
    return Schedule(schedule.op, schedule.vertex, step=np.cumsum(begins))


SUFFIXES = (".npz", ".jsonl")
Columns = dict[str, npt.NDArray[Any]]


def require_schedule_suffix(path: Path, *, several: bool = False) -> None:
    """Raise InvalidScheduleError if `path` is no name for moves, or those of several processors."""
    suffixes = SUFFIXES[: 1 if several else None]
    if path.suffix not in suffixes:
        kind = "a schedule" + " of several processors" * several
        raise InvalidScheduleError(f"{one_line(path)}: {kind} is kept as {' or '.join(suffixes)}")


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Have all that goes wrong while a file is read be an InvalidScheduleError that names it."""
    name = one_line(path)
    try:
        require_path(path)
        yield
    except FormatError as error:  # the path is in it
        raise InvalidScheduleError(str(error)) from error
    except InvalidScheduleError as error:
        raise InvalidScheduleError(f"{name}: {error}") from error
    except OSError as error:
        raise InvalidScheduleError(f"{name}: {error.strerror or error}") from error
    except MemoryError as error:
        raise InvalidScheduleError(f"{name}: too large for this machine") from error


def read_columns(path: Path, needed: Iterable[str], optional: Iterable[str] = ()) -> Columns:
    """The columns of an archive; InvalidScheduleError if one that is needed is missing."""
    arrays = read_arrays(path, (*needed, *optional), width=4)
    for name in needed:
        if name not in arrays:
            raise InvalidScheduleError(f"there is no array {name}")
    return arrays


def write_columns(path: Path, **columns: npt.NDArray[Any] | None) -> None:
    """Write those columns that there are to an archive, as a whole or not at all."""
    arrays: dict[str, Any] = {name: array for name, array in columns.items() if array is not None}
    with writing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, **arrays)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines to a file, as a whole or not at all."""
    with writing(path) as temporary, temporary.open("w") as file:
        file.writelines(lines)


def locked_column(values: npt.ArrayLike, dtype: Any, name: str) -> npt.NDArray[Any]:
    """`values` as a locked column; one that is locked and fits is kept as it is.

    Parameters
    ----------
    values
        (k,) integers.
    dtype
        The integer type of NumPy that they must fit.
    name
        Their name, for messages.

    Raises
    ------
    InvalidScheduleError
        If they are no column of integers, or do not fit.
    """
    converted = np.asarray(values)
    if converted.ndim != 1 or (converted.size and converted.dtype.kind not in "iu"):
        raise InvalidScheduleError(f"{name} must be one column of integers")
    if converted.dtype == dtype and converted.flags.owndata and not converted.flags.writeable:
        return converted
    bounds = np.iinfo(dtype)
    if converted.size and (converted.min() < bounds.min or converted.max() > bounds.max):
        raise InvalidScheduleError(f"{name} must be in {bounds.min}..{bounds.max}")
    return lock(converted.astype(dtype))
