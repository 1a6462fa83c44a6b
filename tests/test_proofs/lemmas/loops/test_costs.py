"""Certificates of nests that ask for much: each is refused or checked within a second."""

import time

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from dags.programs.text.library import polybench
from pebble import ONE_SHOT
from proofs import CertificateError
from proofs.bounds.loops.nests import nest_bound
from proofs.core.records import Certificate
from proofs.lemmas.loops.hbl import Measure, Shape, degree_of
from proofs.lemmas.loops.nests import proven
from proofs.lemmas.loops.updates import MOST_DEGREE, exponents_in
from tests.nest_texts import MTTKRP, PRODUCT

SECOND = 1.0
ARRAYS = ["A_a", "A_b", "S1"]
SIDE = 1000
LARGE = box_nest(from_c(PRODUCT), dict.fromkeys("MNK", SIDE))
TENSOR = box_nest(from_c(MTTKRP), dict.fromkeys("IRJL", SIDE))
LU = box_nest(polybench("lu"), {"N": 400})


def cut(updates, number, exponents):
    """Windows of so many sizes, all different."""
    sizes = [updates // number + position for position in range(number - 1)]
    return [
        {"size": size, "count": 1, "exponents": exponents}
        for size in [*sizes, updates - sum(sizes)]
    ]


def chosen(number, exponent, **extra):
    exponents = dict.fromkeys(ARRAYS, exponent)
    data = {"assignment": "S1", "arrays": ARRAYS, "order": [0, 1, 2]}
    return {**data, "windows": cut(SIDE**3, number, exponents), **extra}


def everywhere(size):
    data = {"assignment": "S1", "arrays": ARRAYS, "order": [0, 1, 2]}
    return {**data, "size": size, "exponents": dict.fromkeys(ARRAYS, "419/1260")}


def ordered():
    arrays = ["A_x", "A_b", "A_c", "S1"]
    powers = dict(zip(arrays, ("417/1260", "419/1260", "421/1260", "1/1260"), strict=True))
    data = {"assignment": "S1", "arrays": arrays, "order": [0, 1, 2, 3]}
    return {**data, "ordered": ["A_x", "A_c"], "windows": cut(SIDE**4, 4, powers)}


def slots(times, roles=1):
    """The certificate of LU with its slots, and their roles, again and again."""
    data = nest_bound(LU, 8).certificate.data
    results = [{**entry, "roles": entry["roles"] * roles} for entry in data["slots"] * times][:16]
    powers = {
        str(position): f"{1260 // len(results) // roles}/1260" for position in range(len(results))
    }
    windows = [{**entry, "exponents": powers} for entry in data["windows"]]
    return {**data, "slots": results, "windows": windows}


HOSTILE = {
    "a power of 60,480": (LARGE, "windows", lambda: chosen(4, "20159/5040"), "ask for powers"),
    "the largest powers": (LARGE, "windows", lambda: chosen(4, "419/1260"), None),
    "many sizes of windows": (LARGE, "windows", lambda: chosen(16, "1/2"), "from 1 to 4"),
    "sums in order": (TENSOR, "windows", ordered, None),
    "long windows everywhere": (LARGE, "windows-everywhere", lambda: everywhere(1024), None),
    "longer ones": (LARGE, "windows-everywhere", lambda: everywhere(1025), "more than 1024"),
    "256 parts alike": (
        LARGE,
        "sum",
        lambda: {"windows": [chosen(4, "419/1260")] * 256},
        "twice",
    ),
    "256 parts everywhere": (
        LARGE,
        "sum",
        lambda: {"everywhere": [everywhere(1024)] * 256},
        "twice",
    ),
    "257 parts": (LARGE, "sum", lambda: {"windows": [chosen(1, "1/2")] * 257}, "from 1 to 256"),
    "256 parts that count nothing": (
        LARGE,
        "sum",
        lambda: {"windows": [chosen(1, "1/2", arrays=[])] * 256},
        "missing|does not belong|count no values",
    ),
    "16 slots": (LU, "labelled-windows", lambda: slots(6), None),
    "16 slots of 16 roles": (LU, "labelled-windows", lambda: slots(6, 16), None),
    "17 roles": (LU, "labelled-windows", lambda: slots(6, 17), "from 1 to 16"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_asks_for_much_is_checked_or_refused_within_a_second(name):
    nest, kind, build, message = HOSTILE[name]
    certificate = Certificate(f"nest-{kind}", build())
    for _ in range(2):  # kernels may have been compiled
        began = time.process_time()
        try:
            assert proven(nest, 8, ONE_SHOT, certificate) > 0
            printed = None
        except CertificateError as error:
            printed = str(error)
        seconds = time.process_time() - began
    assert seconds < SECOND
    assert (printed is None) == (message is None), printed
    if message is not None:
        with pytest.raises(CertificateError, match=message):
            proven(nest, 8, ONE_SHOT, certificate)


def test_powers_are_limited_by_roles_and_denominators():
    shape = Shape({"a": 9, "b": 9}, (Measure("x", ("a",)), Measure("y", ("a", "b"))))
    for first, second in (("1/2", "1/3"), ("1/1260", "629/1260"), ("4", "4")):
        powers = exponents_in(shape, {"x": first, "y": second})
        assert degree_of(shape, powers) <= MOST_DEGREE
    with pytest.raises(CertificateError, match="powers of 1261, beyond 1260"):
        exponents_in(shape, {"x": "1/1260", "y": "1/2"})
