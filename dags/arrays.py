"""Array types of the project, and read-only arrays."""

from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from dags.errors import InvalidDAGError

MAX_VERTICES: Final = 2**31 - 1
LONG_ROW: Final = 32  # entries of a row from which on insertion takes longer than sorting
SMALL: Final = 1 << 21  # entries up to which an array of equal numbers is stored in full
ONE: Final = np.int64(1)
MAX_TOTAL: Final = 2**62  # words or operations that are added up: the sum of two is an int64
BLOCK: Final = 1 << 20  # entries of an array that are worked on at once where all would be too many

Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
T = TypeVar("T", bound=np.generic)


def lock(array: npt.NDArray[T]) -> npt.NDArray[T]:
    """`array`, made read-only."""
    array.setflags(write=False)
    return array


def locked(array: npt.ArrayLike, dtype: type[np.integer[Any]], name: str) -> npt.NDArray[Any]:
    """`array` as a read-only one-dimensional array of `dtype`, copied unless it is one.

    Parameters
    ----------
    array
        Integers, one-dimensional; kept without a copy if read-only, of this type and its own owner.
    dtype
        The integer type of the result.
    name
        Name of the array in messages.

    Raises
    ------
    InvalidDAGError
        If it has another shape or values that `dtype` cannot hold.
    """
    converted = np.asarray(array)
    if converted.ndim != 1:
        raise InvalidDAGError(f"{name} must have one dimension, not {converted.ndim}")
    flags = converted.flags
    if converted.dtype == dtype and flags.owndata and flags.c_contiguous and not flags.writeable:
        return converted
    if converted.size and converted.dtype.kind not in "iub":
        raise InvalidDAGError(f"{name} must hold integers, not {converted.dtype}")
    bounds = np.iinfo(dtype)
    if converted.size and (converted.min() < bounds.min or converted.max() > bounds.max):
        raise InvalidDAGError(f"{name} must be in {bounds.min}..{bounds.max}")
    return lock(converted.astype(dtype))  # astype copies


def number_type(count: int) -> type[np.signedinteger[Any]]:
    """The integer type that holds the numbers below `count`, and -1."""
    return np.int32 if count < 2**31 else np.int64


def ones(count: int) -> Int64Array:
    """`count` ones, locked; of many, a single one is stored.

    Such an array takes no memory, but is a type of its own to Numba: every kernel would compile
    twice where DAGs with and without words meet, as they do in small experiments.
    """
    return lock(np.ones(count, np.int64)) if count <= SMALL else np.broadcast_to(ONE, count)


def numbers_where(mask: npt.NDArray[np.bool_]) -> Int32Array:
    """The places where `mask` holds, rising; no array of 64-bit places is made of them."""
    found = np.empty(np.count_nonzero(mask), np.int32)
    filled = 0
    for start in range(0, mask.size, BLOCK):
        places = np.flatnonzero(mask[start : start + BLOCK])
        np.add(places, start, out=found[filled : filled + places.size], casting="same_kind")
        filled += places.size
    return found


def exact_sum(numbers: npt.NDArray[np.integer[Any]]) -> int:
    """The sum of int64 numbers, none below 0, as it is: a sum of numpy's wraps at 2^63."""
    if not numbers.size or int(numbers.max()) <= MAX_TOTAL // numbers.size:
        return int(numbers.sum())
    return sum(numbers.tolist())


def require_length(array: npt.NDArray[Any], n: int, name: str) -> None:
    """Raise InvalidDAGError unless `array` has one entry a vertex.

    Parameters
    ----------
    array
        The array.
    n
        Number of vertices.
    name
        Name of the array in messages.
    """
    if array.size != n:
        raise InvalidDAGError(f"{name} has {array.size} entries for {n} vertices")
