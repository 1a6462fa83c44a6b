"""Certificates and their errors, kinds that are gone, and typed records.

A certificate is read once, by the annotations of a dataclass.

A field is an integer up to `LARGEST`, a truth value, a name, one of several names (`Literal`), a
fraction in words, a list of integers as a tuple or an array, an object, a record or a list of
records; `Within` limits an integer, each number of a list, or how many entries a list has. A field
with a default may be absent. Nothing else is taken, and nothing more than the fields.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cache
from reprlib import Repr
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from dags import RedBlueError
from dags.arrays import Int64Array

# Methods, by the names that they had in `proofs.BOUNDS`.
GONE_BOUNDS = {
    "closed-forms": "segments, dominators, projections, affine and dirac",
    "spectral": "decomposition and segments",
}
# Kinds of certificates, and of the proofs of their parts.
GONE_PROOFS = {
    "closed-form": "the bounds segments, dominators, projections, affine and dirac",
    "computed-windows": "the bounds reload-windows and exact-pieces",
    "ideals": "balances, which the bound ideals finds,",
    "spectral": "the bounds decomposition and segments",
}
LAST_RELEASE = "the second release"  # that wrote them
LARGEST: Final = 2**62  # of all integers, without sign: the sum of two is an int64
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60
_SHORT.maxlevel = 2
MOST_COMMON: Final = 5040  # the largest denominator of exponents that is worth exact arithmetic
MOST_EXPONENT: Final = 4
FRACTION = re.compile(r"([0-9]{1,6})(?:/([0-9]{1,6}))?")
T = TypeVar("T")
Integers = tuple[int, ...]


def farewell(kind: str) -> str | None:
    """Why a proof of `kind` is refused, None where that kind is none of an earlier release.

    Examples
    --------
    >>> farewell("spectral")
    "is 'spectral', which the second release wrote last: the bounds decomposition and segments \
prove as much"
    """
    if kind not in GONE_PROOFS:
        return None
    return f"is {kind!r}, which {LAST_RELEASE} wrote last: {GONE_PROOFS[kind]} prove as much"


class CertificateError(RedBlueError, ValueError):
    """A certificate that does not prove its claim.

    Parameters
    ----------
    field
        Where it fails: "io", "parts 3, flow", ...
    message
        The fault there.
    """

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        self.message = message
        super().__init__(f"{field}: {message}")

    def __reduce__(self) -> tuple[type["CertificateError"], tuple[str, str]]:
        return CertificateError, (self.field, self.message)


@dataclass(frozen=True)
class Certificate:
    """A proof of a lower bound, for a checker that knows nothing of the method that found it.

    Parameters
    ----------
    kind
        The checker that reads it, one of `CHECKERS`.
    data
        The fields for that checker: integers, strings, lists and integer arrays, by name.
    """

    kind: str
    data: Mapping[str, Any]


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


def integer(data: Mapping[str, Any], name: str, minimum: int | None = None) -> int:
    """The integer `name`, at least `minimum`.

    Parameters
    ----------
    data, name
        The fields, and which of them.
    minimum
        The smallest that is allowed; None for any.
    """
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise CertificateError(name, f"is {shown(value)}, not an integer")
    if minimum is not None and value < minimum:
        raise CertificateError(name, f"is {shown(value)}, less than {minimum}")
    if abs(value) > LARGEST:
        raise CertificateError(name, f"is {shown(value)}, beyond {LARGEST}")
    return value


def text(data: Mapping[str, Any], name: str) -> str:
    """The string `name`."""
    value = data.get(name)
    if not isinstance(value, str):
        raise CertificateError(name, f"is {shown(value)}, not a name")
    return value


def integers(data: Mapping[str, Any], name: str) -> Int64Array:
    """The list of integers `name` as an array, none of them beyond `LARGEST`."""
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


@dataclass(frozen=True)
class Nothing:
    """No fields: the game says all."""


@dataclass(frozen=True)
class Within:
    """Limits of a field.

    Parameters
    ----------
    least, most
        Of an integer, or of each number in a list; None for any.
    entries
        The most entries of a list, which then has one at least; None for any number.
    """

    least: int | None = None
    most: int | None = None
    entries: int | None = None


ANY: Final = Within()
Natural = Annotated[int, Within(0)]
Positive = Annotated[int, Within(1)]


def read(record: type[T], data: Any, name: str = "data") -> T:
    """The record that an object is.

    Parameters
    ----------
    record
        A dataclass.
    data
        As a certificate has it.
    name
        Of the field, for messages.

    Raises
    ------
    CertificateError
        If it is none.
    """
    if not isinstance(data, Mapping):
        raise CertificateError(name, "is no object")
    named: Any = record
    known = _fields(named)
    only(data, [field for field, (_, needed) in known.items() if needed or field in data])
    return record(
        **{field: _value(known[field][0], data, field) for field in known if field in data}
    )


@cache
def _fields(record: Any) -> dict[str, tuple[Any, bool]]:
    """The annotation of each field, and whether it must be there."""
    hints = get_type_hints(record, include_extras=True)
    return {
        field.name: (hints[field.name], field.default is MISSING)
        for field in fields(record)
        if field.init
    }


def _value(kind: Any, data: Mapping[str, Any], name: str, limits: Within = ANY) -> Any:
    """The field `name`, of an annotated type."""
    if get_origin(kind) is Annotated:
        inner, limits = get_args(kind)
        return _value(inner, data, name, limits)
    if get_origin(kind) in (Union, UnionType):  # with None, where it may be absent
        (inner,) = (argument for argument in get_args(kind) if argument is not NoneType)
        return _value(inner, data, name, limits)
    if kind is int:
        return _below(limits, name, integer(data, name, limits.least))
    if kind in READERS:
        return READERS[kind](data, name)
    if get_origin(kind) is Literal:
        return _one_of(get_args(kind), data, name)
    if kind in (Int64Array, Integers):
        return _numbers(kind, data, name, limits)
    if get_origin(kind) is tuple:
        return _records(get_args(kind)[0], data, name, limits)
    if isinstance(kind, type) and is_dataclass(kind):
        return read(kind, data[name], name)
    assert kind is Any, f"no field is read as {kind}"
    return data[name]


def _below(limits: Within, name: str, value: int) -> int:
    if limits.most is not None and value > limits.most:
        raise CertificateError(name, f"is {value}, more than {limits.most}")
    return value


def _numbers(kind: Any, data: Mapping[str, Any], name: str, limits: Within) -> Any:
    """A list of integers, as a tuple or as an array."""
    values = integers(data, name)
    low = -(2**63) if limits.least is None else limits.least
    high = 2**63 - 1 if limits.most is None else limits.most
    if values.size and not low <= values.min() <= values.max() <= high:
        raise CertificateError(name, f"are not all from {low} to {high}")
    return tuple(values.tolist()) if kind == Integers else values


def _records(record: Any, data: Mapping[str, Any], name: str, limits: Within) -> Any:
    """A list of records, of lists of numbers, or of names."""
    entries = data[name]
    if not isinstance(entries, list):
        raise CertificateError(name, "is no list")
    if limits.entries is not None and not 1 <= len(entries) <= limits.entries:
        raise CertificateError(name, f"are not from 1 to {limits.entries}")
    return tuple(_value(record, {name: entry}, name) for entry in entries)


def _one_of(names: tuple[str, ...], data: Mapping[str, Any], name: str) -> str:
    value = text(data, name)
    if value not in names:
        raise CertificateError(name, f"is {shown(value)}, not one of {', '.join(names)}")
    return value


def _flag(data: Mapping[str, Any], name: str) -> bool:
    if type(data[name]) is not bool:
        raise CertificateError(name, f"is {shown(data[name])}, neither true nor false")
    return bool(data[name])


def _object(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    if not isinstance(data[name], Mapping):
        raise CertificateError(name, "is no object")
    value: Mapping[str, Any] = data[name]
    return value


def rising(name: str, numbers: Int64Array, n: int) -> Int64Array:
    """Return different vertices, rising, each at least 0 and less than `n`; refuse other lists.

    Neighbours are compared, not subtracted: a difference of two int64 can wrap at 2^64, and then a
    list that names one vertex many times looks like a rising one.

    Parameters
    ----------
    name, numbers
        The field, and its numbers.
    n
        Number of vertices (or edges, or whatever is numbered).
    """
    wrong = numbers.size and (numbers[0] < 0 or numbers[-1] >= n)
    if wrong or (numbers[1:] <= numbers[:-1]).any():
        raise CertificateError(name, f"is no rising list of vertices from 0 to {n - 1}")
    return numbers


def fraction(data: Mapping[str, Any], name: str) -> Fraction:
    """The fraction `name`, written as in "2/3": up to 4, of a denominator of 5040."""
    written = FRACTION.fullmatch(text(data, name))
    if written is None or not int(written[2] or 1):
        raise CertificateError(name, f"is {shown(data[name])}, no fraction")
    value = Fraction(int(written[1]), int(written[2] or 1))
    if not 0 <= value <= MOST_EXPONENT or MOST_COMMON % value.denominator:
        raise CertificateError(name, f"is {value}, not n/{MOST_COMMON} up to {MOST_EXPONENT}")
    return value


READERS: Final = {str: text, bool: _flag, Fraction: fraction, Mapping[str, Any]: _object}
