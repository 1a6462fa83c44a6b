"""Records as files have them: what annotations take, and what is refused with a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from dags.arrays import Int64Array
from proofs.core.records import CertificateError, Integers, Natural, Positive, Within, read


@dataclass(frozen=True)
class Inner:
    size: Positive
    share: Fraction = Fraction(1)


@dataclass(frozen=True)
class Outer:
    name: str
    kind: Literal["one", "two"]
    many: Natural
    few: Annotated[int, Within(-2, 7)]
    flag: bool
    numbers: Annotated[Integers, Within(0, 9)]
    array: Int64Array
    params: Mapping[str, Any]
    inner: Annotated[tuple[Inner, ...], Within(entries=2)]
    pairs: tuple[Integers, ...]
    whatever: Any
    one: Inner | None = None
    least: Annotated[int, Within(2)] | None = None
    some: Annotated[Integers, Within(0, 3)] | None = None


GOOD = {
    "name": "x",
    "kind": "two",
    "many": 0,
    "few": -2,
    "flag": True,
    "numbers": [0, 9],
    "array": [2**62],
    "params": {"n": 3},
    "inner": [{"size": 1, "share": "2/3"}],
    "pairs": [[1, 2], []],
    "whatever": None,
}


def test_what_is_as_annotated_is_read():
    result = read(Outer, {**GOOD, "one": {"size": 5}})
    assert (result.inner, result.one) == ((Inner(1, Fraction(2, 3)),), Inner(5))
    assert (result.numbers, result.pairs, result.few) == ((0, 9), ((1, 2), ()), -2)
    assert np.array_equal(result.array, [2**62])
    assert result.array.dtype == np.int64
    assert read(Outer, GOOD).one is None
    assert read(Outer, {**GOOD, "least": 2, "some": [3]}).some == (3,)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", 3),
        ("kind", "three"),
        ("kind", None),
        ("many", -1),
        ("many", True),
        ("many", 2**62 + 1),
        ("many", 1.0),
        ("few", 8),
        ("few", -3),
        ("flag", 1),
        ("numbers", [10]),
        ("numbers", [-1]),
        ("numbers", [[1]]),
        ("numbers", "12"),
        ("array", [2**62 + 1]),
        ("array", np.array([1.5])),
        ("params", [1]),
        ("inner", []),
        ("inner", [{"size": 1}] * 3),
        ("inner", [{"size": 0}]),
        ("inner", [{"size": 1, "share": "1/11"}]),
        ("inner", [{"size": 1, "share": "9/2"}]),
        ("inner", [{"size": 1, "share": 1}]),
        ("inner", [{"size": 1, "more": 1}]),
        ("inner", [7]),
        ("inner", {"size": 1}),
        ("pairs", [1]),
        ("one", None),
        ("one", {}),
        ("least", 1),
        ("least", 2.0),
        ("least", None),
        ("some", [4]),
        ("some", "12"),
        ("more", 1),
    ],
)
def test_anything_else_is_refused_in_a_sentence(field, value):
    with pytest.raises(CertificateError) as refusal:
        read(Outer, {**GOOD, field: value})
    assert str(refusal.value).isprintable()


def test_no_field_may_be_lacking():
    for field in GOOD:
        with pytest.raises(CertificateError, match=f"{field}: is missing"):
            read(Outer, {name: value for name, value in GOOD.items() if name != field})
    with pytest.raises(CertificateError, match="data: is no object"):
        read(Outer, [GOOD])
