"""Bounds of programs whose values have sizes: optima, and the same game with larger words."""

import numpy as np
import pytest

from dags import CDAG, load
from pebble import RULES, min_memory, play
from proofs import BOUNDS, Bound, NotApplicableError, check, compulsory
from proofs.certificates import CertificateError
from proofs.lemmas.loops.affine import premises
from schedulers import scheduler_named
from schedulers.exact import exact

METHODS = ("affine", "uniform", "slices")


def weighed(spec, words):
    plain = load(f"polybench/{spec}")
    sizes = words(plain.n)
    rows = plain.pred_indptr, plain.pred_indices
    return CDAG(*rows, words=sizes, outputs=plain.outputs, origin=plain.origin)


def proved(dag, memory, rules="one-shot"):
    """What each method proves; all are accepted by their checkers."""
    results = {}
    for name in METHODS:
        try:
            bound = BOUNDS[name](dag, memory, rules=RULES[rules])
        except NotApplicableError:
            continue
        check(dag, memory, bound)
        results[name] = bound.io
    return results


@pytest.mark.parametrize(
    "spec",
    ["cholesky:N=3", "lu:N=3", "jacobi-1d:TSTEPS=2,N=6", "durbin:N=4", "gemm:NI=2,NJ=3,NK=2"],
)
def test_never_above_the_optimum(spec):
    rng = np.random.default_rng(7)
    for _ in range(3):
        dag = weighed(spec, lambda n: rng.integers(1, 4, n))
        memory = min_memory(dag)
        best = max(proved(dag, memory).values())
        solution = exact(dag, memory, time_limit=60)
        assert solution.status == "optimal"
        assert compulsory(dag, memory).io <= best <= solution.io


@pytest.mark.parametrize(
    ("spec", "name", "rules"),
    [
        ("syrk:M=6,N=7", "affine", "one-shot"),
        ("cholesky:N=10", "affine", "recompute"),
        ("lu:N=9", "affine", "recompute"),
        ("jacobi-1d:TSTEPS=8,N=22", "uniform", "one-shot"),
        ("durbin:N=10", "slices", "one-shot"),
    ],
)
def test_words_three_times_as_large_are_three_times_as_many(spec, name, rules):
    """A play of the one game is a play of the other, with three words for each."""
    plain = load(f"polybench/{spec}")
    memory = min_memory(plain) + 1
    small = BOUNDS[name](plain, memory, rules=RULES[rules])
    large = weighed(spec, lambda n: np.full(n, 3))
    bound = BOUNDS[name](large, 3 * memory, rules=RULES[rules])
    check(large, 3 * memory, bound)
    assert small.io > compulsory(plain, memory).io
    assert 3 * small.io - 3 * small.io // 20 <= bound.io
    moved = play(large, scheduler_named("natural+belady")(large, 3 * memory), 3 * memory)
    assert bound.io <= moved.io


def test_labels_of_small_values_stand_for_no_more():
    """A cell that is smaller for a while carries fewer words through a window."""
    plain = load("polybench/lu:N=9")
    memory = min_memory(plain) + 1
    bound = BOUNDS["affine"](plain, memory, rules=RULES["recompute"])
    space = bound.certificate.data["space"]
    large = weighed("lu:N=9", lambda n: np.full(n, 2))
    assert premises(large, "dominators", space)[2] == 2 * premises(plain, "dominators", space)[2]
    words = np.full(plain.n, 2)
    words[large.computed[5]] = 1
    uneven = weighed("lu:N=9", lambda n: words)
    with pytest.raises(CertificateError, match="more words than its values have"):
        premises(uneven, "dominators", space)
    with pytest.raises(CertificateError):
        check(uneven, 2 * memory, Bound("affine", 2 * memory, 2 * bound.io, RULES["recompute"],
                                        bound.certificate))  # fmt: skip
