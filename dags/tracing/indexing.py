"""Indices of traced arrays: plain ones, and constants that a trace holds."""

import operator
from typing import Any

import numpy as np

from dags.tracing._kernels import CONSTANT
from dags.tracing.errors import TraceError


def plain_index(index: Any) -> Any:
    """An index as NumPy takes it.

    Raises
    ------
    TraceError
        If it depends on a traced value.
    """
    if isinstance(index, tuple):
        return tuple(map(plain_index, index))
    if isinstance(index, list):
        return [plain_index(element) for element in index]
    if isinstance(index, slice):
        return slice(*map(_end, (index.start, index.stop, index.step)))
    cells = getattr(index, "cells", None)
    if cells is None:
        return index
    if (cells != CONSTANT).any():
        raise TraceError(
            f"an index is a traced value ({'a condition' if index.dtype == bool else 'integers'})"
            ": which cells are read must not depend on values; give index arrays in constants="
        )
    return index.values


def _end(value: Any) -> Any:
    return None if value is None else operator.index(value)


def whole_index(value: Any) -> int:
    """A value as an index; raises TypeError for anything but whole numbers."""
    return operator.index(np.asarray(value)[()])
