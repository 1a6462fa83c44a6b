"""The list of moves of a play on a hierarchy of memories."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dags.arrays import lock
from pebble.columns import locked_column
from pebble.errors import InvalidScheduleError
from pebble.files import (
    read_columns,
    reading,
    require_schedule_suffix,
    write_columns,
    write_lines,
)
from pebble.schedule import Move, Schedule

MOST_LEVELS = 255


class LevelSchedule:
    """The moves of a play on a hierarchy, in order.

    Parameters
    ----------
    op, vertex
        (k,) codes of `Move`, and the vertex that each is about.
    level
        (k,) a LOAD goes to this level from the next higher one, a STORE from this level to the next
        higher one, a DELETE clears this level; a COMPUTE is at level 1.

    Raises
    ------
    InvalidScheduleError
        If the arrays differ in length, or hold what is no code or level.
    """

    def __init__(self, op: npt.ArrayLike, vertex: npt.ArrayLike, level: npt.ArrayLike) -> None:
        moves = Schedule(op, vertex)
        levels = locked_column(level, np.int64, "level")
        if levels.size != len(moves):
            raise InvalidScheduleError(f"{len(moves)} moves for {levels.size} levels")
        if levels.size and not 1 <= levels.min() <= levels.max() <= MOST_LEVELS:
            raise InvalidScheduleError(f"level must be in 1..{MOST_LEVELS}")
        self.moves = moves
        self.level = lock(levels.astype(np.uint8))

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[tuple[Move, int, int]]:
        for (move, vertex), level in zip(self.moves, self.level.tolist(), strict=True):
            yield move, vertex, level

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LevelSchedule):
            return NotImplemented
        return self.moves == other.moves and np.array_equal(self.level, other.level)

    def __hash__(self) -> int:
        return hash((self.moves, self.level.tobytes()))

    def __repr__(self) -> str:
        return f"<LevelSchedule of {len(self)} moves>"

    @classmethod
    def from_moves(cls, moves: Iterable[tuple[Move, int, int]]) -> "LevelSchedule":
        """Return the schedule of (move, vertex, level) triples."""
        rows = list(moves)
        return cls(*([row[place] for row in rows] for place in range(3)))

    def save(self, path: Path | str) -> None:
        """Write to `path`: ".npz", or ".jsonl" with one ["LOAD", vertex, level] a line.

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
            write_columns(path, op=self.moves.op, vertex=self.moves.vertex, level=self.level)
        else:
            write_lines(path, (f'["{move.name}", {v}, {level}]\n' for move, v, level in self))

    @classmethod
    def load(cls, path: Path | str) -> "LevelSchedule":
        """Return the schedule that `save` wrote.

        Raises
        ------
        InvalidScheduleError
            If there is no such file or it holds no schedule of a hierarchy.
        """
        path = Path(path)
        require_schedule_suffix(path)
        with reading(path):
            if path.suffix == ".jsonl":
                with path.open("rb") as file:
                    return cls.from_moves(_move(line, at) for at, line in enumerate(file, start=1))
            return cls(**read_columns(path, ("op", "vertex", "level")))


def _move(line: bytes, number: int) -> tuple[Move, int, int]:
    """Return the move, the vertex and the level of a line like ["LOAD", 3, 1]."""
    try:
        name, vertex, level = json.loads(line)
        if type(vertex) is int and type(level) is int:
            return Move[name], vertex, level
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise InvalidScheduleError(f'line {number} is no move like ["LOAD", 3, 1]')
