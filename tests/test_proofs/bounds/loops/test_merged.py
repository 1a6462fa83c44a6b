"""Updates that are made in two vertices, ``p = a * b; C += p``: bounds of windows of them (T3)."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("islpy")

from dags.programs import ProgramError, instantiate
from dags.programs.box_reader import box_nest
from dags.programs.instances import NotReadError
from dags.programs.text import from_c
from pebble import ONE_SHOT, RULES, min_memory, play
from proofs import CertificateError, check
from proofs.bounds.loops.nests import nest_bound
from proofs.core.records import Certificate
from proofs.lemmas.loops.nests import MERGED, proven
from schedulers import scheduler_named
from schedulers.exact import exact

HEAD = "void f(int N, int K, double A[N][K], double B[K][N], double C[N][N]) { "
LOOPS = "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) "
INNER = "for (int k = 0; k < K; k++) "
TEXTS = {
    "a product": LOOPS + INNER + "{ double p = A[i][k] * B[k][j]; C[i][j] += p; }",
    "a product from zero": LOOPS
    + "{ double s = 0; "
    + INNER
    + "{ double p = A[i][k] * B[k][j]; s += p; } C[i][j] = s; }",
    "a temporary that is an array": "double t[N][N]; "
    + INNER
    + LOOPS
    + "{ t[i][j] = A[i][k] * B[k][j]; C[i][j] += t[i][j]; }",
    "operands that a sum before makes": "double T[N][K]; for (int i = 0; i < N; i++) "
    + INNER
    + "{ T[i][k] = A[i][k] * 2; T[i][k] += A[i][0]; } "
    + LOOPS
    + INNER
    + "{ double p = T[i][k] * B[k][j]; C[i][j] += p; }",
    "a triangular solve": LOOPS
    + "{ for (int k = 0; k < i; k++) { double p = L[i][k] * C[k][j]; C[i][j] -= p; }"
    " C[i][j] /= L[i][i]; }",
    "a product beside another operand": LOOPS
    + INNER
    + "{ double p = A[i][k] * B[k][j]; C[i][j] = C[i][j] * B[0][0] + p; }",
}
SEVERAL = {  # temporaries of one update, over others or at once, or of two updates
    "two products": LOOPS
    + INNER
    + "{ double p = A[i][k] * B[k][j]; double q = E[i][k] * F[k][j]; C[i][j] += p + q; }",
    "two products of one operand": LOOPS
    + INNER
    + "{ double p = A[i][k] * B[k][j]; double q = A[j][k] * F[k][j]; C[i][j] += p + q; }",
    "a product that is scaled": LOOPS
    + INNER
    + "{ double p = A[i][k] * B[k][j]; double q = p * w[0]; C[i][j] += q; }",
    "a product that its scale reads": LOOPS
    + INNER
    + "{ double p = A[i][k] * B[k][j]; double q = p * A[i][0]; C[i][j] += q; }",
    "two sums": LOOPS
    + INNER
    + "{ double p = A[i][k] * B[k][j]; C[i][j] += p; double q = E[i][k] * B[k][j]; D[j][i] += q; }",
}
PLAIN = HEAD + LOOPS + INNER + "C[i][j] += A[i][k] * B[k][j]; }"


@pytest.mark.parametrize("name", TEXTS)
def test_no_bound_is_above_the_optimum(name):
    for sizes in ({"N": 2, "K": 1}, {"N": 2, "K": 2}, {"N": 2, "K": 3}):
        program = from_c(HEAD + TEXTS[name] + " }", sizes=sizes)
        nest, dag = box_nest(program, sizes), instantiate(program, sizes)
        assert nest.merged is not None
        for memory in range(min_memory(dag), 10):
            best = exact(dag, memory, max_memory=1 << 26, time_limit=5)
            bound = nest_bound(nest, memory)
            check(nest, memory, bound)
            assert best.status != "optimal" or bound.io <= best.lower_bound, (sizes, memory)


@pytest.mark.parametrize("name", SEVERAL)
def test_several_temporaries_have_no_bound_above_a_play(name):
    met = 0
    for sizes in ({"N": 2, "K": 2}, {"N": 4, "K": 3}, {"N": 5, "K": 5}):
        program = from_c(HEAD + SEVERAL[name] + " }", sizes=sizes)
        nest, dag = box_nest(program, sizes), instantiate(program, sizes)
        assert nest.merged is not None
        least = min_memory(dag)
        for memory in (least, least + 1, least + 3, least + 6):
            bound = nest_bound(nest, memory)
            check(nest, memory, bound)
            met += bound.method == MERGED
            for method in ("natural+belady-cost", "depth-first+belady-cost"):
                schedule = scheduler_named(method)(dag, memory)
                assert bound.io <= play(dag, schedule, memory).io, (sizes, memory)
    assert met or name in ("two products of one operand", "a product that its scale reads")


@pytest.mark.parametrize("name", ["two products", "a product that is scaled", "two sums"])
def test_several_temporaries_have_the_bound_of_one(name):
    sizes = {"N": 300, "K": 300}
    bound = nest_bound(box_nest(from_c(HEAD + SEVERAL[name] + " }"), sizes), 1000)
    plain = nest_bound(box_nest(from_c(PLAIN), sizes), 1000).io
    assert bound.method == MERGED
    assert bound.io >= plain


def test_a_product_of_two_steps_has_the_bound_of_one():
    program, plain = from_c(HEAD + TEXTS["a product"] + " }"), from_c(PLAIN)
    for memory in (4000, 60_000):
        sizes = {"N": 768, "K": 768}
        bound = nest_bound(box_nest(program, sizes), memory)
        assert bound.method == MERGED
        assert bound.io == nest_bound(box_nest(plain, sizes), memory).io


def test_no_bound_is_above_a_play():
    met = 0
    for case in range(24):
        rng = np.random.default_rng([4, case])
        name = list(TEXTS)[int(rng.integers(len(TEXTS)))]
        sizes = {"N": int(rng.integers(3, 9)), "K": int(rng.integers(3, 9))}
        program = from_c(HEAD + TEXTS[name] + " }", sizes=sizes)
        nest, dag = box_nest(program, sizes), instantiate(program, sizes)
        memory = int(rng.integers(min_memory(dag), 30))
        bound = nest_bound(nest, memory)
        met += bound.method == MERGED
        for method in ("natural+belady-cost", "depth-first+belady-cost", "tiled"):
            schedule = scheduler_named(method)(dag, memory)
            assert bound.io <= play(dag, schedule, memory).io, (name, sizes, memory)
    assert met > 2


STAYS = {
    "a temporary that is read twice": "{ double p = A[i][k] * B[k][j]; C[i][j] += p; C[j][i]"
    " += p; }",
    "a temporary that is an output": "{ T[i][j][k] = A[i][k] * B[k][j]; C[i][j] += T[i][j][k]; }",
}


@pytest.mark.parametrize("name", STAYS)
def test_what_is_no_temporary_stays(name):
    program = from_c(HEAD + LOOPS + INNER + STAYS[name] + " }")
    assert box_nest(program, {"N": 3, "K": 3}).merged is None


def test_certificates_that_break_a_premise_are_refused():
    program = from_c(HEAD + TEXTS["a product"] + " }")
    nest = box_nest(program, {"N": 64, "K": 64})
    bound = nest_bound(nest, 100)
    assert bound.certificate.kind == MERGED
    windows = bound.certificate.data["windows"]
    plain = box_nest(from_c(PLAIN), {"N": 64, "K": 64})
    with pytest.raises(CertificateError, match="no update that a temporary"):
        check(plain, 100, bound)
    for field, value, message in (
        ("assignment", "S1", "no update that a temporary"),
        ("arrays", ["A_C", "S0"], "not operands of the temporary"),
    ):
        other = Certificate(MERGED, {"windows": {**windows, field: value}})
        with pytest.raises(CertificateError, match=message):
            proven(nest, 100, ONE_SHOT, other)
    with pytest.raises(CertificateError, match="computed again"):
        proven(nest, 100, RULES["recompute"], bound.certificate)
    with pytest.raises(CertificateError, match="computed again"):
        proven(replace(nest, any_order=True), 100, ONE_SHOT, bound.certificate)


def drawn(rng):
    """A nest with a temporary: of operands of some loops, for a sum over others."""

    def cell(array):
        some = [name for name in "ijk" if rng.random() < 0.6]
        return f"{array}{len(some)}{''.join(some)}" + "".join(f"[{name}]" for name in some)

    target = cell("C")
    reads = [cell("A") for _ in range(rng.integers(1, 4))]
    other = f" + {cell('B')}" if rng.random() < 0.3 else ""
    order = rng.permutation(list("ijk"))
    loops = " ".join(f"for (int {n} = 0; {n} < {int(rng.integers(1, 4))}; {n}++)" for n in order)
    text = f"{loops} {{ p = g({', '.join(reads)}); {target} = h({target}, p){other}; }}"
    if rng.random() < 0.5:  # an operand that is made
        made = reads[0]
        text = f"{loops} {made} = f(D[0], {made.replace('A', 'E')}); {text}"
    return text


def test_no_bound_of_drawn_nests_is_above_the_optimum():
    met = 0
    for case in range(100):
        rng = np.random.default_rng([8, case])
        program = from_c(drawn(rng))
        try:
            nest, dag = box_nest(program, {}), instantiate(program, {})
        except (NotReadError, ProgramError):
            continue
        memory = min_memory(dag) + int(rng.integers(0, 4))
        bound = nest_bound(nest, memory)
        met += bound.method == MERGED
        if dag.n <= 26:
            best = exact(dag, memory, max_memory=1 << 26, time_limit=3)
            assert best.status != "optimal" or bound.io <= best.lower_bound, drawn(
                np.random.default_rng([8, case])
            )
        for method in ("natural+belady-cost", "depth-first+belady-cost"):
            schedule = scheduler_named(method)(dag, memory)
            assert bound.io <= play(dag, schedule, memory).io
    assert met > 0
