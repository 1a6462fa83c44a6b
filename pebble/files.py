"""Columns of integers, as schedules keep their moves, and the files that they are kept in."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import FormatError
from dags.arrays import lock
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


def locked_column(values: npt.ArrayLike, dtype: Any, name: str) -> npt.NDArray[Any]:
    """Return `values` as a locked column; one that is locked and fits is kept as it is.

    Parameters
    ----------
    values
        (k,) integers.
    dtype
        The integer type of NumPy that they must fit.
    name
        What they are, for messages.

    Raises
    ------
    InvalidScheduleError
        If they are no column of integers, or do not fit.
    """
    given = np.asarray(values)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise InvalidScheduleError(f"{name} must be one column of integers")
    if given.dtype == dtype and given.flags.owndata and not given.flags.writeable:
        return given
    bounds = np.iinfo(dtype)
    if given.size and (given.min() < bounds.min or given.max() > bounds.max):
        raise InvalidScheduleError(f"{name} must be in {bounds.min}..{bounds.max}")
    return lock(given.astype(dtype))
