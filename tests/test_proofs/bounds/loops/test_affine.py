"""Affine bounds: never above a play or an optimum, equal to those of families, forgeries fail."""

import random
from dataclasses import replace
from fractions import Fraction
from math import ceil
from weakref import WeakKeyDictionary

import numpy as np
import pytest

from dags import CDAG, cholesky, load, lu, matmul, syrk
from dags.families import FAMILIES
from pebble import ONE_SHOT, RULES, Budget, Move, min_memory, play
from proofs import (
    Bound,
    Certificate,
    CertificateError,
    NotApplicableError,
    affine,
    check,
    compulsory,
)
from proofs.bounds.loops.space_search import verified_spaces
from proofs.certificates import proven_io
from proofs.lemmas.loops.affine import premises
from proofs.lemmas.loops.hbl import least_words
from proofs.lemmas.loops.program_space import program_space
from schedulers import scheduler_named
from schedulers.exact import exact
from tests.test_proofs.small_nests import small_nest
from tests.test_proofs.touched import touched_words

ORDERS = ("natural+belady", "depth-first+belady")
SMALLER = ("floyd-warshall", "nussinov", "symm")
NESTS = [dag for seed in range(6) if (dag := small_nest(seed, 120)) is not None]
KERNELS = {
    "2mm": "NI=4,NJ=4,NK=4,NL=4",
    "covariance": "M=6,N=6",
    "floyd-warshall": "N=4",
    "gemm": "NI=5,NJ=5,NK=5",
    "gramschmidt": "M=5,N=5",
    "nussinov": "N=7",
    "symm": "M=4,N=4",
    "syr2k": "M=5,N=5",
    "trmm": "M=6,N=6",
}


def kernel(name):
    return load(f"polybench/{name}:{KERNELS[name]}")


@pytest.mark.parametrize(
    ("program", "family", "memories"),
    [
        ("polybench/lu:N=16", lu(16), (8, 32)),
        ("polybench/cholesky:N=16", cholesky(16), (8,)),
        ("polybench/lu:N=9", lu(9), (5,)),
        ("polybench/cholesky:N=17", cholesky(17), (21,)),  # by dominators
        ("polybench/cholesky:N=22", cholesky(22), (7,)),
    ],
)
def test_a_text_has_what_its_family_has(program, family, memories):
    for memory in memories:
        bound = affine(load(program), memory)
        check(load(program), memory, bound)
        assert bound.io == affine(family, memory).io


@pytest.mark.parametrize(("n", "memory"), [(8, 4), (14, 5), (16, 8)])
def test_all_plays_of_cholesky_as_of_its_family(n, memory):
    """Entries (a, b), (a, c) and (b, c) of one matrix: a triangle."""
    dag, rules = load(f"polybench/cholesky:N={n}"), RULES["recompute"]
    bound = affine(dag, memory, rules=rules)
    check(dag, memory, bound)
    assert bound.io == affine(cholesky(n), memory, rules=rules).io
    if bound.certificate.kind == "affine":
        space = bound.certificate.data["space"]
        (array,) = space["arrays"]
        assert space["symmetric"] == "abc"
        for kept in (["abc", "ac", "bc"], ["ab", "ac", "ac"], ["ab", "ac", "cb"], ["ab", "ac"]):
            array["kept"], good = kept, array["kept"]
            with pytest.raises(CertificateError):
                check(dag, memory, bound)
            array["kept"] = good


MEMBERS = {
    "lu:n=9": ("n=6", (ONE_SHOT, RULES["recompute"])),
    "cholesky:n=9": ("n=6", (ONE_SHOT, RULES["recompute"])),
    "syrk:n=7,k=4": ("n=5,k=3", (ONE_SHOT,)),
    "triangular_solve:n=7,k=4": ("n=5,k=3", (ONE_SHOT, RULES["recompute"])),
}


@pytest.mark.parametrize("spec", MEMBERS)
def test_a_small_member_tells_the_spaces_of_a_large_one(spec, monkeypatch):
    (example, rulesets), family = MEMBERS[spec], spec.partition(":")[0]
    monkeypatch.setitem(FAMILIES, family, FAMILIES[family]._replace(example=example))
    words = []
    for limit in (0, 1 << 30):
        monkeypatch.setattr("proofs.bounds.loops.space_search.LARGE", limit)
        monkeypatch.setattr("proofs.bounds.loops.space_search._known", WeakKeyDictionary())
        words.append([affine(load(spec), 5, rules=rules).io for rules in rulesets])
    assert words[0] == words[1]
    assert words[0][0] > compulsory(load(spec), 5).io


def test_points_of_a_member_are_names():
    """Of another member they are refused, and so is what the third release wrote of families."""
    dag = lu(6)
    bound = affine(dag, 4)
    check(dag, 4, bound)
    assert bound.certificate.data["member"] == "lu:n=6"
    for member, reason in (
        ("lu:n=7", "no points of a DAG"),
        ("fft:n=8", "no points of a DAG"),
        ("nothing:n=6", "none of a family"),
        ("", "no points of a program"),
        (6, "member"),
    ):
        data = {**bound.certificate.data, "member": member}
        with pytest.raises(CertificateError, match=reason):
            check(dag, 4, Bound("x", 4, bound.io, ONE_SHOT, Certificate("affine", data)))
    other = CDAG(
        dag.pred_indptr, dag.pred_indices, outputs=dag.outputs
    )  # without a family, but the same game
    check(other, 4, bound)
    windows = [{"size": 1, "count": 1, "exponents": {}}]
    for family, params in (("lu", {"n": 6}), ("syrk", {"n": 3, "k": 2})):
        data = {"argument": "segments", "family": family, "params": params, "windows": windows}
        with pytest.raises(CertificateError, match="third release wrote last: the bound affine"):
            check(dag, 4, Bound("x", 4, bound.io, ONE_SHOT, Certificate("projections", data)))


def test_pairs_of_rows_and_shared_operands():
    """Covariance is a product of a matrix with itself, symm shares its matrix between updates."""
    products = premises_of("covariance", "segments")
    assert any(shape.symmetric == "ab" for shape, _, _ in products)
    rows = affine(syrk(16, 16), 8).io
    assert affine(load("polybench/covariance:M=16,N=16"), 8).io == rows
    kept = {
        tuple(measure.projections for measure in shape.measures)
        for shape, _, _ in premises_of("symm", "segments")
    }
    assert (("ab",), ("ac",), ("bcs",)) in kept
    pairs = [shape for shape, _, _ in premises_of("syr2k", "segments") if shape.symmetric]
    assert sum(len(measure.projections) == 2 for measure in pairs[0].measures) == 2


def premises_of(name, argument):
    dag = kernel(name)
    spaces = verified_spaces(dag, ONE_SHOT, Budget())
    return [premises(dag, argument, space.space) for space in spaces]


@pytest.mark.parametrize("name", KERNELS)
def test_no_schedule_is_better(name):
    dag = kernel(name)
    smallest = min_memory(dag)
    for memory in (smallest, smallest + 3):
        bound = affine(dag, memory)
        check(dag, memory, bound)
        best = min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)
        assert compulsory(dag, memory).io <= bound.io <= best


def test_never_above_the_optimum():
    stronger = 0
    for seed in range(30):
        dag = small_nest(seed, 48)
        if dag is None:
            continue
        memory = min_memory(dag)
        bound = affine(dag, memory)
        check(dag, memory, bound)
        if bound.io > compulsory(dag, memory).io:
            solution = exact(dag, memory, time_limit=0.3)
            assert bound.io <= play(dag, solution.schedule, memory).io
            stronger += 1
    assert stronger


def test_windows_of_plays_touch_no_more_than_is_moved():
    """The theorem without the inequality, and the inequality: windows of actual plays."""
    rng = random.Random(1)
    for dag in (*NESTS, *map(kernel, SMALLER)):
        plays = [played(dag, name, min_memory(dag) + rng.randint(0, 3)) for name in ORDERS]
        for verified_space in (
            *verified_spaces(dag, ONE_SHOT, Budget())[-5:],
            *verified_spaces(dag, RULES["recompute"], Budget())[:2],
        ):
            space = program_space(dag, verified_space.space)
            if verified_space.argument == "dominators":  # labels are items
                space = replace(space, by_value=frozenset())
            number = {int(v): u for u, v in enumerate(space.updates)}
            for memory, computed, io in plays:
                order = [number[v] for v in computed if v in number]
                size = rng.randint(1, len(order))
                windows = [
                    order[position : position + size] for position in range(0, len(order), size)
                ]
                words = sum(ceil(touched_words(space, window)) for window in windows)
                assert words - (memory - 1) * (len(windows) - 1) + verified_space.gain <= io
                half = {measure.name: Fraction(1, 2) for measure in space.shape.partial}
                for window in windows:
                    minimum = least_words(space.shape, len(window), half)
                    assert minimum <= ceil(touched_words(space, window))


def played(dag, name, memory):
    """The memory, the order of computing, and the words of a play."""
    schedule = scheduler_named(name)(dag, memory)
    computed = [v for move, v in schedule if move is Move.COMPUTE]
    return memory, computed, play(dag, schedule, memory).io


def test_points_are_only_names():
    """With any points and makers, what passes the check is still true."""
    rng = np.random.default_rng(3)
    dag = load("polybench/gemm:NI=6,NJ=6,NK=6")
    data = affine(dag, 5).certificate.data
    minimum = min(play(dag, scheduler_named(name)(dag, 5), 5).io for name in ORDERS)
    honest, changed = affine(dag, 5).io, 0
    for _ in range(30):
        points, made_by = dag.origin.points.copy(), dag.origin.made_by.copy()
        chosen = rng.integers(0, dag.n, 2)
        points[chosen] = points[chosen[::-1]]
        made_by[chosen] = made_by[chosen[::-1]]
        forged = with_origin(dag, replace(dag.origin, points=points, made_by=made_by))
        try:
            io = proven_io(forged, 5, ONE_SHOT, Certificate("affine", data))
        except CertificateError:
            io = 0
        assert io <= minimum
        changed += io != honest
    assert changed > 5


def with_origin(dag, origin):
    return CDAG(dag.pred_indptr, dag.pred_indices, outputs=dag.outputs, origin=origin)


@pytest.mark.parametrize("name", ["lu", "cholesky", "trmm", "symm"])
def test_all_rules(name):
    """Where values may be computed again: as for the families, and never above a play."""
    dag = load(f"polybench/{name}:" + ("N=9" if name in ("lu", "cholesky") else "M=6,N=6"))
    repeated = RULES["recompute"]
    for memory in (min_memory(dag), 7):
        bound = affine(dag, memory, rules=repeated)
        check(dag, memory, bound)
        assert compulsory(dag, memory).io <= bound.io <= affine(dag, memory).io
        if name == "lu":
            assert bound.io == affine(lu(9), memory, rules=repeated).io


def test_all_rules_never_above_the_optimum():
    for seed in range(40):
        dag = small_nest(seed, 18)
        if dag is not None:
            memory = min_memory(dag)
            bound = affine(dag, memory, rules=RULES["recompute"])
            if bound.io > compulsory(dag, memory).io:
                check(dag, memory, bound)
                solution = exact(dag, memory, rules=RULES["recompute"], time_limit=0.3)
                assert bound.io <= play(dag, solution.schedule, memory, rules=RULES["recompute"]).io


def test_values_with_sizes():
    """An item costs the least words of a value; nothing is above a play, nothing is lost."""
    rng = np.random.default_rng(4)
    for name in ("gemm", "symm"):
        plain = kernel(name)
        for words in (np.full(plain.n, 3), rng.integers(2, 4, plain.n)):
            dag = replaced(plain, words=words)
            memory = min_memory(dag) + 3
            bound = affine(dag, memory)
            check(dag, memory, bound)
            best = min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)
            assert compulsory(dag, memory).io <= bound.io <= best
        threefold = replaced(plain, words=np.full(plain.n, 3))
        assert affine(threefold, 18).io > 2.9 * affine(plain, 6).io


def replaced(dag, words):
    return CDAG(
        dag.pred_indptr, dag.pred_indices, words=words, outputs=dag.outputs, origin=dag.origin
    )


def test_not_applicable():
    with pytest.raises(NotApplicableError, match="no points of a program"):
        affine(matmul(3), 6)
    dag = load("polybench/lu:N=8")
    bound = affine(dag, 5)
    with pytest.raises(CertificateError, match="no points of a program"):
        check(with_origin(dag, None), 5, bound)
    repeated = RULES["recompute"]
    assert affine(dag, 5, rules=repeated).io < bound.io
    with pytest.raises(CertificateError, match="do not hold under recompute"):
        check(dag, 5, Bound("affine", 5, bound.io, repeated, bound.certificate))


def places(data, path=()):
    """Every place of the data, with values to put there."""
    if isinstance(data, dict | list):
        yield from ((path, wrong) for wrong in ({}, [], None, "x", 1))
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from places(data[key], (*path, key))
    elif isinstance(data, bool):
        yield from ((path, wrong) for wrong in (not data, 0, None))
    elif isinstance(data, str):
        yield from ((path, wrong) for wrong in (data + "1", "", "1/7", "a", "s", None, 3))
    else:
        yield from ((path, wrong) for wrong in (data + 1, data - 1, -data, 2**62, 2**70, "0"))


def forged(data, path, value):
    """A copy of the data with one place changed."""
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = forged(data[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize("name", ["symm", "syr2k", "nussinov"])
def test_forged_certificates(name):
    """A change is refused, or proves no more than what some play moves."""
    dag = kernel(name)
    memory = min_memory(dag)
    data = max(verified_spaces(dag, ONE_SHOT, Budget()), key=lambda result: result.worth).space
    bound = affine(dag, memory)
    if bound.certificate.kind == "affine":
        data = bound.certificate.data["space"]
    minimum = min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)
    refused = 0
    for path, value in places(data):
        changed = forged(data, path, value)
        try:
            shape, updates, gain = premises(dag, "segments", changed)
        except CertificateError:
            refused += 1
            continue
        half = {measure.name: Fraction(1, 2) for measure in shape.partial}
        assert least_words(shape, updates, half) + gain <= minimum
    assert refused > 60
