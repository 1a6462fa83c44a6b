"""Certificates in files: what was saved comes back, and a changed file is rejected."""

import json
from functools import lru_cache

import pytest

from dags import FormatError, attention, conjugate_gradient, dirac, fft, load, matmul, tree
from pebble import ONE_SHOT, RULES
from proofs import BOUNDS, CertificateError, check, load_bound, save_bound
from proofs.files import _seal

FOR_FAMILIES = {
    "affine": load("polybench/gemm:NI=4,NJ=4,NK=4"),
    "attention": attention(12, 1),
    "dirac": dirac(1, 3),
    "forests": tree(4),
    "nests": load("polybench/gemm:NI=4,NJ=4,NK=4"),
    "projections": matmul(4),
    "reload-windows": conjugate_gradient((4,), 1),
    "slices": load("polybench/durbin:N=8"),
    "uniform": load("polybench/jacobi-1d:TSTEPS=8,N=20"),
}


AGAIN = "exact-pieces", "reload-windows"  # search where values may be computed again
CASES = [
    *((name, ONE_SHOT) for name in BOUNDS if name != "reload-windows"),
    *((name, RULES["recompute"]) for name in AGAIN),
]


@lru_cache
def found(name, rules):
    """A DAG and a bound on it, which all tests of a method share: some search until the limit."""
    dag = FOR_FAMILIES.get(name, fft(16))
    return dag, BOUNDS[name](dag, 4, rules=rules, time_limit=0.3)


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}, {case[1].name}", scope="module")
def case(request):
    """A DAG and a bound on it; one worker runs all tests of it, one after another."""
    return found(*request.param)


@pytest.fixture
def saved(case, tmp_path):
    """A DAG, a bound on it, and the file that it was saved in."""
    dag, bound = case
    path = tmp_path / "bound.json"
    save_bound(bound, dag, path)
    return dag, bound, path


def test_round_trip(saved):
    dag, bound, path = saved
    repeated = load_bound(path, dag)
    assert (repeated.method, repeated.memory, repeated.io, repeated.rules) == (
        bound.method,
        bound.memory,
        bound.io,
        bound.rules,
    )
    check(dag, 4, repeated)


def changes(value, path=()):
    """(path, new value) of every way to change one number, name or length in a JSON value."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from changes(entry, (*path, key))
    elif isinstance(value, list):
        if value:
            yield path, value[:-1]
            yield from changes(value[0], (*path, 0))
            yield from changes(value[-1], (*path, len(value) - 1))
    elif isinstance(value, str):
        yield path, value + "x"
    else:
        yield path, value + 1


def changed(record, path, value):
    """A copy of `record` with the value at `path` replaced."""
    copy = json.loads(json.dumps(record))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


def test_every_change_is_rejected(saved):
    dag, _, path = saved
    record = json.loads(path.read_text())
    for place, value in changes(record):
        path.write_text(json.dumps(changed(record, place, value)))
        with pytest.raises((CertificateError, FormatError)):
            check(dag, 4, load_bound(path, dag))


def test_a_forged_seal_does_not_help(saved):
    """Whatever passes after a change still proves exactly what it says, with its own checker."""
    dag, bound, path = saved
    record = json.loads(path.read_text())
    del record["seal"]
    for key, value in {"io": bound.io + 1, "memory": 3, "kind": "nothing", "dag": "0"}.items():
        forged = changed(record, (key,), value)
        path.write_text(json.dumps({**forged, "seal": _seal(forged)}))
        with pytest.raises(CertificateError):
            check(dag, 4, load_bound(path, dag))


def test_a_certificate_is_for_one_dag(saved):
    _, _, path = saved
    with pytest.raises(CertificateError, match="for another DAG"):
        load_bound(path, fft(8))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "another"}', "\x00"])
def test_a_file_that_is_no_certificate(tmp_path, text):
    path = tmp_path / "bound.json"
    path.write_text(text)
    with pytest.raises(FormatError):
        load_bound(path, fft(8))
