"""Reads the fields of a certificate, and trusts none of them."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from proofs.certificates.certificate import CertificateError


def only(data: Mapping[str, Any], names: Collection[str]) -> None:
    """Raise CertificateError unless `data` has exactly the fields `names`."""
    for name in names:
        if name not in data:
            raise CertificateError(name, "is missing")
    for name in data:
        if name not in names:
            raise CertificateError(str(name), "does not belong here")


def integer(data: Mapping[str, Any], name: str, least: int | None = None) -> int:
    """Return the integer `name`, at least `least`."""
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise CertificateError(name, f"is {value!r}, not an integer")
    if least is not None and value < least:
        raise CertificateError(name, f"is {value}, less than {least}")
    return value


def text(data: Mapping[str, Any], name: str) -> str:
    """Return the string `name`."""
    value = data.get(name)
    if not isinstance(value, str):
        raise CertificateError(name, f"is {value!r}, not a name")
    return value


def integers(data: Mapping[str, Any], name: str) -> Int64Array:
    """Return the list of integers `name` as an array."""
    value = data.get(name)
    if isinstance(value, list) and not all(type(entry) is int for entry in value):
        raise CertificateError(name, "is no list of integers")
    if not isinstance(value, list | np.ndarray):
        raise CertificateError(name, "is no list of integers")
    try:
        array = np.asarray(value, np.int64) if len(value) else np.zeros(0, np.int64)
    except (OverflowError, ValueError) as error:
        raise CertificateError(name, f"is no list of integers: {error}") from None
    if array.ndim != 1:
        raise CertificateError(name, "is no list of integers")
    return array


def vertices(data: Mapping[str, Any], name: str, n: int) -> Int64Array:
    """Return the list of different vertices `name`, rising, each at least 0 and less than `n`.

    Neighbours are compared, not subtracted: a difference of two int64 can wrap at 2^64, and then a
    list that names one vertex many times looks like a rising one.
    """
    array = integers(data, name)
    if array.size and (array[0] < 0 or array[-1] >= n or (array[1:] <= array[:-1]).any()):
        raise CertificateError(name, f"is no rising list of vertices from 0 to {n - 1}")
    return array
