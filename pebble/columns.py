"""Columns of integers, as schedules keep their moves."""

from typing import Any

import numpy as np
import numpy.typing as npt

from dags.arrays import lock
from pebble.errors import InvalidScheduleError


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
