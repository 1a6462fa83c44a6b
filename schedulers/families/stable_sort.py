"""Places in the order of numbers, equal ones in turn: NumPy's stable sorting, made faster."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array

BITS: Final = 62  # of a number that is sorted

Keys = npt.NDArray[np.integer | np.bool_]


def in_turn(key: Int64Array) -> Int64Array:
    """Return the places of numbers, the place of the least first, equal ones as they come.

    Numbers alone are sorted several times as fast as places by the numbers there, so each number
    gets its place as its last bits, if there is room for them.
    """
    own = key.size.bit_length()
    if not key.size or (int(key.max()) - int(key.min())).bit_length() + own > BITS:
        return np.argsort(key, kind="stable")
    place: Int64Array = key - key.min()
    place <<= own
    place += np.arange(key.size)
    place.sort()
    place &= (1 << own) - 1
    return place


def in_turn_by(keys: Sequence[Keys]) -> Int64Array:
    """Return the places in the order of several keys, the first one outermost, as `in_turn`."""
    key = _in_one_number(keys)
    return np.lexsort(keys[::-1]) if key is None else in_turn(key)


def _in_one_number(keys: Sequence[Keys]) -> Int64Array | None:
    """Return numbers that sort as keys do; None where they would take too many bits."""
    if not keys[0].size:
        return None
    least = [int(key.min()) for key in keys]
    bits = [(int(key.max()) - low).bit_length() for key, low in zip(keys, least, strict=True)]
    if sum(bits) > BITS:
        return None
    packed = np.zeros(keys[0].size, np.int64)
    for key, low, width in zip(keys, least, bits, strict=True):
        packed <<= width
        packed += key
        packed -= low
    return packed
