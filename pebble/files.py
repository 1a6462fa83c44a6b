"""Files of moves, as all kinds of schedules are kept."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import FormatError
from dags.cdag.files import read_arrays, require_path, writing
from dags.errors import one_line
from pebble.errors import InvalidScheduleError

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
    """Return the columns of an archive; InvalidScheduleError if one that is needed is missing."""
    arrays = read_arrays(path, (*needed, *optional), width=4)
    for name in needed:
        if name not in arrays:
            raise InvalidScheduleError(f"there is no array {name}")
    return arrays


def write_columns(path: Path, **columns: npt.NDArray[Any] | None) -> None:
    """Write those columns that there are to an archive, as a whole or not at all."""
    arrays: dict[str, Any] = {name: one for name, one in columns.items() if one is not None}
    with writing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, **arrays)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines to a file, as a whole or not at all."""
    with writing(path) as temporary, temporary.open("w") as file:
        file.writelines(lines)
