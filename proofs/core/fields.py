"""Reads the fields of a certificate, and trusts none of them."""

from collections.abc import Collection, Mapping
from reprlib import Repr
from typing import Any, Final

import numpy as np

from dags.arrays import Int64Array
from proofs.core.certificate import CertificateError

LARGEST: Final = 2**62  # of all integers, without sign: the sum of two is an int64

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60
_SHORT.maxlevel = 2


def shown(value: Any) -> str:
    """Return `value` for a message: in printable characters, and cut with "..." if it is long."""
    return _SHORT.repr(value)


def only(data: Mapping[str, Any], names: Collection[str]) -> None:
    """Raise CertificateError unless `data` has exactly the fields `names`."""
    for name in names:
        if name not in data:
            raise CertificateError(name, "is missing")
    for name in data:
        if name not in names:
            raise CertificateError(shown(name), "does not belong here")


def integer(data: Mapping[str, Any], name: str, least: int | None = None) -> int:
    """Return the integer `name`, at least `least`.

    Parameters
    ----------
    data, name
        The fields, and which of them.
    least
        The smallest that is allowed; None for any.
    """
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise CertificateError(name, f"is {shown(value)}, not an integer")
    if least is not None and value < least:
        raise CertificateError(name, f"is {shown(value)}, less than {least}")
    if abs(value) > LARGEST:
        raise CertificateError(name, f"is {shown(value)}, beyond {LARGEST}")
    return value


def text(data: Mapping[str, Any], name: str) -> str:
    """Return the string `name`."""
    value = data.get(name)
    if not isinstance(value, str):
        raise CertificateError(name, f"is {shown(value)}, not a name")
    return value


def integers(data: Mapping[str, Any], name: str) -> Int64Array:
    """Return the list of integers `name` as an array, none of them beyond `LARGEST`."""
    value = data.get(name)
    if isinstance(value, list) and all(type(entry) is int for entry in value):
        if value and (min(value) < -LARGEST or max(value) > LARGEST):
            raise CertificateError(name, f"has an integer beyond {LARGEST}")
        return np.array(value, np.int64)
    if not isinstance(value, np.ndarray) or value.ndim != 1 or value.dtype.kind not in "iu":
        raise CertificateError(name, "is no list of integers")
    if value.size and (value.min() < -LARGEST or value.max() > LARGEST):
        raise CertificateError(name, f"has an integer beyond {LARGEST}")
    return value.astype(np.int64, copy=False)


def vertices(data: Mapping[str, Any], name: str, n: int) -> Int64Array:
    """Return the list of different vertices `name`, rising, each at least 0 and less than `n`.

    Neighbours are compared, not subtracted: a difference of two int64 can wrap at 2^64, and then a
    list that names one vertex many times looks like a rising one.

    Parameters
    ----------
    data, name
        The fields, and which of them.
    n
        Number of vertices (or edges, or whatever is numbered).
    """
    array = integers(data, name)
    if array.size and (array[0] < 0 or array[-1] >= n or (array[1:] <= array[:-1]).any()):
        raise CertificateError(name, f"is no rising list of vertices from 0 to {n - 1}")
    return array
